"""A conversation with the chat model, token by token, and where each token was found.

A place is what can be looked at: the first token, the rest of what stands before the question as
one place, each token of the question, the lines before the answer as one, each token written.
"""

import json
import zlib
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors import safe_open

from lib.attention import softmax
from lib.pretrained.chat import BEGIN, chat_form

FILE = Path(__file__).parent / "recorded_talk.safetensors"
MOST = 80  # tokens of an answer
LONGEST = 60  # tokens of a question
BEST = 5  # tokens that are named with their shares
FULL = 255  # a weight of 1
USER = 3  # tokens from BEGIN to what the user says: the sign, "user" and a new line
START, FORM = "start", "form"  # the names of the first place, and of those that are several tokens


@dataclass(frozen=True)
class Said:
    """A token of the answer: its text, its share, the BEST as pairs (text, share), and where the
    token before it looked, looks (layers, H, places), from 0 to FULL.
    """

    word: str
    share: float
    best: list
    looks: np.ndarray


class Talk:
    """A question and its answer, as far as it has been asked for. places: those before the answer.

    answer: a function that begins to write it, an iterator of Said. Each token is written once,
    when it is first asked for; only after an interrupt the answer begins anew, up to where it was.
    """

    def __init__(self, places, answer):
        self.places, self._answer, self._coming, self._said = places, answer, None, []

    def said(self, number):
        """The token of the answer at this place, a Said; None where the answer has ended."""
        while len(self._said) <= number:
            found = self._next()
            if found is None:
                return None
            self._said.append(found)
        return self._said[number]

    def _next(self):
        if self._coming is None:
            self._coming = islice(self._answer(), len(self._said), None)
        try:
            return next(self._coming, None)
        except BaseException:  # an interrupt, above all: a generator does not go on after it
            self._coming = None
            raise

    def length(self):
        """How many tokens the whole answer has."""
        number = 0
        while self.said(number):
            number += 1
        return number


def talk_to(model, question):
    """A Talk with a lib.pretrained.Llama. Raises ValueError for a question that is too long."""
    words = model.words
    ids = words.encode(chat_form(question))
    begins = np.flatnonzero(np.equal(ids, words.ids[BEGIN]))
    first, last = begins[-2] + USER, begins[-1] - 2  # of the question; before BEGIN: END, new line
    if last - first > LONGEST:
        raise ValueError(
            f"{last - first} tokens; expected {LONGEST} at most, so that all can be seen. Shorten "
            "the question."
        )
    asked = [words.decode([token]) for token in ids[first:last]]
    starts = [0, 1, *range(first, last), last]  # of each place before the answer
    return Talk([START, FORM, *asked, FORM], lambda: _answer(model, ids, starts))


def _answer(model, ids, starts):
    for count, written in enumerate(model.write(ids, most=MOST)):
        shares = softmax(written.scores.astype(float))
        best = np.argsort(-shares, kind="stable")[:BEST]
        places = [*starts, *range(len(ids), len(ids) + count)]
        looks = np.add.reduceat(written.weights, places, axis=-1)  # (layers, H, places)
        yield Said(
            _text(model, written.id),
            float(shares[written.id]),
            [(_text(model, token), float(shares[token])) for token in best],
            np.rint(FULL * looks).astype(np.uint8),
        )


def _text(model, token):
    return model.words.decode([token])


# -- recorded -------------------------------------------------------------------------------------


def packed(question, talk, count):
    """(arrays, about) of the first tokens of a talk, for a file."""
    said = [talk.said(number) for number in range(count)]
    looks = b"".join(one.looks.tobytes() for one in said)
    about = {
        "question": question,
        "places": talk.places,
        "shape": said[0].looks.shape[:2],
        "said": [[one.word, one.share, one.best] for one in said],
    }
    return {"looks": np.frombuffer(zlib.compress(looks, 9), np.uint8)}, about


def recorded_talk(path=FILE):
    """(question, Talk): the beginning of one answer, as ``packed`` kept it."""
    with safe_open(path, "np") as file:
        about = json.loads(file.metadata()["about"])
        looks = np.frombuffer(zlib.decompress(file.get_tensor("looks").tobytes()), np.uint8)
    return about["question"], Talk(about["places"], lambda: _unpacked(about, looks))


def _unpacked(about, looks):
    start, count = 0, len(about["places"])
    for number, (word, share, best) in enumerate(about["said"]):
        shape = (*about["shape"], count + number)
        end = start + int(np.prod(shape))
        yield Said(word, share, [tuple(pair) for pair in best], looks[start:end].reshape(shape))
        start = end
