"""A folder with a trained model: its settings and its arrays, each checked before it is used."""

import json
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from lib.pretrained.checked_model import MOST_NAMED, CheckedModel

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"  # of a large model, whose weights are in several files
PICKLED = "pytorch_model.bin"
FETCH = "The real model of page 14 is fetched by: python3 start.py real"
# What config.json calls an activation, and what lib.activations does:
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}


class ModelFolder(CheckedModel):
    """config.json and the arrays of model.safetensors, under names without ``prefix``.

    Where there is an index instead, the arrays are those of the files that it names.
    kind: what config.json must say as model_type. skipped: endings of names that are not needed.
    Raises ValueError for a folder that is not of this kind, and for files that are not whole.
    """

    def __init__(self, path, kind, prefix, skipped=()):
        self.path = Path(path)
        self._refuse_missing()
        self._weights = WEIGHTS if (self.path / WEIGHTS).exists() else INDEX
        super().__init__(
            settings=self._read_json(CONFIG),
            arrays={},
            settings_in=self._file(CONFIG),
            arrays_in=self._file(self._weights),
            asks=CONFIG,
            mend="The two files are not of one model: copy or fetch both again.",
        )
        found = self.setting("model_type")
        if found != kind:
            self.refuse_setting("model_type", found, repr(kind))
        for file in self._weight_files():
            for name, array in self._read_weights(file, tuple(skipped)):
                self._arrays[_present_day(name.removeprefix(prefix))] = array

    def activation(self, name, otherwise):
        """The activation, by its name in lib.activations."""
        value = self.setting(name, otherwise)
        if not isinstance(value, str) or value not in ACTIVATIONS:
            self.refuse_setting(name, value, f"one of {', '.join(ACTIVATIONS)}")
        return ACTIVATIONS[value]

    # -- files ------------------------------------------------------------------------------------

    def _file(self, name):
        return f"{name} in {self.path.name or self.path}"

    def _refuse_missing(self):
        if not self.path.is_dir():
            raise ValueError(f"there is no folder {str(self.path)!r}. {FETCH}")
        here = sorted(path.name for path in self.path.iterdir())
        if CONFIG in here and (WEIGHTS in here or INDEX in here):
            return
        missing = CONFIG if CONFIG not in here else WEIGHTS
        advice = FETCH
        if missing == WEIGHTS and PICKLED in here:
            advice = f"{PICKLED} may hold code and is not read; save the model as safetensors."
        raise ValueError(f"the folder {str(self.path)!r} has no {missing}. {advice}")

    def _read_json(self, name):
        """{setting: value}"""
        try:
            settings = json.loads((self.path / name).read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(
                f"{self._file(name)} cannot be read: {error}. Copy or fetch it again."
            ) from error
        if not isinstance(settings, dict):
            raise ValueError(f"{self._file(name)} holds no settings; copy or fetch it again.")
        return settings

    def _weight_files(self):
        """The names of the files with arrays, all of them in this folder."""
        if self._weights == WEIGHTS:
            return [WEIGHTS]
        places = self._read_json(INDEX).get("weight_map")
        files = set(map(str, places.values())) if isinstance(places, dict) else {"no file"}
        here = {path.name for path in self.path.glob("*.safetensors")}
        missing = sorted(files - here)
        if missing:
            raise ValueError(
                f"{self._file(INDEX)} asks for {', '.join(missing[:MOST_NAMED])}; expected files "
                "of the same folder that end in .safetensors. Copy or fetch the folder again."
            )
        return sorted(files)

    def _read_weights(self, file, skipped):
        """[(name, array)]"""
        try:
            return _arrays_of(self.path / file, skipped)
        except (SafetensorError, OSError) as error:
            raise ValueError(
                f"{self._file(file)} is cut off or is no safetensors file ({error}). "
                "Copy or fetch it again."
            ) from error


def _arrays_of(path, skipped):
    found = []
    with safe_open(path, "np") as file:
        names = list(file.keys())
    for name in names:
        if not name.endswith(skipped):
            with safe_open(path, "np") as file:  # opened anew, it gives back the memory each time
                found.append((name, _floats(path, file, name)))
    return found


def _floats(path, file, name):
    """One array as float32."""
    kind = file.get_slice(name).get_dtype()
    if kind not in ("F16", "BF16", "F32", "F64"):
        raise ValueError(f"{path.name}: {name} holds {kind}; expected floats.")
    if kind == "BF16":  # NumPy has no such type
        with safe_open(path, "pt") as with_torch:
            array = with_torch.get_tensor(name).float().numpy()
    else:
        array = file.get_tensor(name).astype(np.float32, copy=False)
    if not np.isfinite(array).all():
        raise ValueError(
            f"{path.name}: {name} holds NaN or infinity, which no training leaves behind. "
            "Copy or fetch the file again."
        )
    return array


def _present_day(name):
    """The name that is used today: old files call the two arrays of a layer norm otherwise."""
    for old, new in ((".gamma", ".weight"), (".beta", ".bias")):
        if name.endswith(old):
            return name.removesuffix(old) + new
    return name
