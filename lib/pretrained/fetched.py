"""The real model of page 13: its weights where they were fetched, otherwise what was recorded.

`python3 start.py real` fetches them, `python tools/record.py` records what page 13 measures.
"""

import json
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file

from lib.pretrained.bert_model import bert
from lib.pretrained.recorded import Recording, recordings
from lib.pretrained.word_pieces import read_vocabulary, tokens

FOLDER = Path(__file__).resolve().parents[2] / "real_model"
MEASURED = Path(__file__).parent / "measured.safetensors"
LONGEST = 64  # pieces of a sentence whose maps can be read on a screen
NOT_RECORDED = (
    "This needs the model's weights, which are not here: python3 start.py real fetches them "
    "(84 MB). Run this page again afterwards."
)


class RealModel:
    """``bert``: the model, None without its weights. ``vocabulary``: {piece: id}.

    Without the weights the vocabulary is a part of the model's, enough for the words of page 13.
    headings: (page, "title: heading") of the course's sections, as they were when recorded.
    """

    def __init__(self, folder=FOLDER):
        self._about, self._recorded = _read()
        self.headings = [tuple(heading) for heading in self._about["headings"]]
        self.found = {}
        if Path(folder).is_dir():
            self.bert, self.vocabulary = bert(folder), read_vocabulary(folder)
        else:
            self.bert, self.vocabulary = None, self._about["vocabulary"]

    def measured(self, name, measure):
        """What ``measure()`` finds, as an array; without the weights what it found with them.

        Raises ValueError for a name that was not recorded, if there are no weights.
        """
        if self.bert is not None:
            self.found[name] = np.asarray(measure())
            return self.found[name]
        if name not in self._recorded:
            raise ValueError(f"{name!r} was not recorded. {NOT_RECORDED}")
        return self._recorded[name]

    def look(self, text):
        """The Recording of a sentence: its pieces and its maps (layers, H, T, T).

        One that was not recorded runs through the model; without the weights a sentence says so,
        and the first recording stands for it. Raises ValueError for more than LONGEST pieces.
        """
        recorded = recordings()
        for recording in recorded:
            if recording.text == text:
                return recording
        if self.bert is None:
            print(f"{NOT_RECORDED}\nIn its place: {recorded[0].text}")
            return recorded[0]
        found = tokens(text, self.vocabulary)
        if len(found) > LONGEST:
            raise ValueError(
                f"{len(found)} pieces; expected {LONGEST} at most, or nobody can read their maps. "
                "Shorten the sentence."
            )
        _, maps = self.bert.run([self.vocabulary[piece] for piece in found])
        return Recording(text, found, np.array(maps))


def _read():
    """What was recorded: (vocabulary and headings, {name: array})."""
    with safe_open(MEASURED, "np") as file:
        about = json.loads(file.metadata()["about"])
    return about, load_file(MEASURED)
