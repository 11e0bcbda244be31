"""What a page measures of a fetched model, or what was recorded of it where the model is not here.

`python3 start.py real` fetches the models; `tools/record.py` runs the pages with them, and records.
"""

import hashlib
import json

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file

NOT_RECORDED = (
    "This needs the model's weights, which are not here: python3 start.py real fetches those of "
    "both models (177 MB). Run this page again afterwards."
)


class NoWeights:
    """Stands for the model without its weights: whoever uses it reads how to get them."""

    def __getattr__(self, name):
        if name.startswith("_"):  # Python's own questions
            raise AttributeError(name)
        raise ValueError(NOT_RECORDED)


class OnRecord:
    """A model of which a page measures something. about: what its record says besides arrays."""

    def __init__(self, path, has_weights):
        with safe_open(path, "np") as file:
            self.about = json.loads(file.metadata()["about"])
        self.has_weights = has_weights
        self._recorded = load_file(path)
        self.found, self.inputs = {}, {}

    def measured(self, name, measure, *inputs):
        """What ``measure(self, *inputs)`` finds, an array; without the weights what was recorded.

        Raises ValueError for a name or inputs that were not recorded, if there are no weights.
        """
        asked = fingerprint(inputs)
        if self.has_weights:
            self.found[name], self.inputs[name] = np.asarray(measure(self, *inputs)), asked
            return self.found[name]
        if name not in self._recorded:
            raise ValueError(f"{name!r} was not recorded. {NOT_RECORDED}")
        if self.about["inputs"][name] != asked:
            raise ValueError(f"{name!r} was recorded for other inputs than these. {NOT_RECORDED}")
        return self._recorded[name]


def fingerprint(inputs):
    """A short text that is another one for other inputs (texts, numbers, lists of them)."""
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:12]
