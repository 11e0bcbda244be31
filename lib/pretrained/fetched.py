"""The real model of page 14: its weights where they were fetched, otherwise what was recorded.

`python3 start.py real` fetches them, `tools/record.py` records what page 14 measures.
"""

from pathlib import Path

import numpy as np

from lib.pretrained.bert_model import bert
from lib.pretrained.on_record import NOT_RECORDED, NoWeights, OnRecord
from lib.pretrained.recorded import Recording, recordings
from lib.pretrained.word_pieces import read_vocabulary, tokens

FOLDER = Path(__file__).resolve().parents[2] / "real_model"
MEASURED = Path(__file__).parent / "measured.safetensors"
LONGEST = 64  # pieces of a sentence whose maps can be read on a screen
LONGEST_TEXT = 256  # pieces; all maps of a longer text would need too much memory


class PagePieces(dict):
    """{piece: id} enough to cut ``words``; it refuses others, which it would cut wrongly."""

    def __init__(self, pieces, words):
        super().__init__(pieces)
        self.words = words

    def __contains__(self, piece):
        if super().__contains__(piece) or piece.startswith("##"):
            return super().__contains__(piece)
        if not any(word.startswith(piece) for word in self.words):
            raise ValueError(f"{piece!r} is no word of this page. {NOT_RECORDED}")
        return False

    def __missing__(self, piece):
        raise ValueError(f"{piece!r} is no piece of this page. {NOT_RECORDED}")


class RealModel(OnRecord):
    """``bert``: the model, NoWeights without them. ``vocabulary``: {piece: id}.

    Without the weights the vocabulary is a part of the model's, enough for the words of page 14.
    headings: (page, "title: heading") of the course's sections, as they were when recorded.
    """

    def __init__(self, folder=FOLDER):
        super().__init__(MEASURED, has_weights=Path(folder, "config.json").is_file())
        self.headings = [tuple(heading) for heading in self.about["headings"]]
        if self.has_weights:
            self.bert, self.vocabulary = bert(folder), read_vocabulary(folder)
        else:
            self.bert = NoWeights()
            self.vocabulary = PagePieces(self.about["vocabulary"], self.about["words"])

    def ids(self, text):
        """The ids of a text's pieces. Raises ValueError for more than LONGEST_TEXT."""
        found = tokens(text, self.vocabulary)
        if len(found) > LONGEST_TEXT:
            raise ValueError(
                f"{len(found)} pieces; expected {LONGEST_TEXT} at most, or the maps need too much "
                "memory. Shorten the text."
            )
        return [self.vocabulary[piece] for piece in found]

    def look(self, text):
        """The Recording of a sentence: its pieces and its maps (layers, H, T, T).

        One that was not recorded runs through the model; without the weights a sentence says so,
        and the first recording stands for it. Raises ValueError for more than LONGEST pieces.
        """
        recorded = recordings()
        for recording in recorded:
            if recording.text == text:
                return recording
        if not self.has_weights:
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
