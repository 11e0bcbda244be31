"""Many sentences: to learn from, and to test with what ``held_out`` keeps from training."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lib.corpus.frames import FRAMES, IT_FRAMES, OPTIONS
from lib.corpus.held_out import unseen
from lib.corpus.languages import LANGUAGES
from lib.corpus.sentences import Sentence, complete, meets_itself, sentence
from lib.corpus.words import WORD_GROUPS, expect_known
from lib.tokens import END, START, Vocabulary, padded

TWO_ANIMALS = "two animals"
MOST_HELD_OUT = 20_000  # test sentences of each kind; there must be as many different ones
PART_WITH_TWO_ANIMALS = 10  # one in ten training sentences


class Batch(NamedTuple):
    """int64 arrays, filled up with 0.

    source and gloss (B, S), target (B, T) with START and END, lengths (B,).
    """

    source: np.ndarray
    target: np.ndarray
    gloss: np.ndarray
    lengths: np.ndarray


@dataclass
class Corpus:
    """Sentences to learn from, sentences to test with, and a vocabulary for each column."""

    language: str
    train: list[Sentence]
    unseen_pairs: list[Sentence]
    unseen_triples: list[Sentence]
    english: Vocabulary
    target: Vocabulary
    glosses: Vocabulary

    def batch(self, sentences):
        """The Batch of some sentences.

        Raises ValueError for no sentence and for words outside the corpus.
        """
        if not sentences:
            raise ValueError("no sentence; expected at least one.")
        sources = [self.english.encode(each.english) for each in sentences]
        targets = [self.target.encode([START, *each.target, END]) for each in sentences]
        glosses = [self.glosses.encode(each.gloss) for each in sentences]
        return Batch(
            source=padded(sources),
            target=padded(targets),
            gloss=padded(glosses),
            lengths=np.array([len(source) for source in sources], np.int64),
        )


def batch(sentences, corpus):
    """The Batch of some sentences of a corpus, as page 10 writes it."""
    return corpus.batch(sentences)


def make(language="French", count=12_000, held_out=1_000, seed=0):
    """A Corpus of ``count`` training sentences and ``held_out`` test sentences of each kind.

    Different for each seed, and a seed gives the same English for all languages. Of training a
    tenth is from each of IT_FRAMES, a tenth has two animals (each pair in both orders, as many of
    each; nothing is held out of these), a twentieth is from each other frame. The tests are from
    IT_FRAMES, no two alike.
    Raises ValueError for an unknown language, a count below 1 and held_out not from 0 to 20,000.
    """
    expect_known("language", language, LANGUAGES)
    if count < 1 or not 0 <= held_out <= MOST_HELD_OUT:
        raise ValueError(
            f"count = {count} and held_out = {held_out}; "
            f"expected count >= 1 and held_out 0 to {MOST_HELD_OUT}."
        )
    train, pairs, triples, vocabularies = _made(language, count, held_out, seed)
    return Corpus(language, [*train], [*pairs], [*triples], *vocabularies)


@lru_cache(maxsize=1)  # a page makes the same corpus for itself and for what it calls: 2 s each
def _made(language, count, held_out, seed):
    """What ``make`` puts into a Corpus of its own: three lists of Sentences, three Vocabularies."""
    random = np.random.default_rng(seed)
    train = _training(random, language, count)
    pairs = _tests(random, language, held_out, "pair")
    triples = _tests(random, language, held_out, "triple")
    return train, pairs, triples, _vocabularies(language)


def _training(random, language, count):
    """The training sentences, in random order."""
    drawn = []
    for _ in range(count // PART_WITH_TWO_ANIMALS // 2):
        chosen = _draw(random, TWO_ANIMALS)
        swapped = chosen | {"subject": chosen["other"], "other": chosen["subject"]}
        drawn += [(TWO_ANIMALS, chosen), (TWO_ANIMALS, swapped)]
    others = [frame for frame in FRAMES if frame != TWO_ANIMALS]
    others = random.permutation([*IT_FRAMES, *others])  # those with *it* come twice
    for number in range(count - len(drawn)):
        frame = str(others[number % len(others)])
        drawn.append((frame, _draw(random, frame)))
    sentences = []
    for number in random.permutation(count):
        frame, chosen = drawn[number]
        sentences.append(sentence(language, frame, chosen))
    return sentences


def _tests(random, language, count, kind):
    """Different sentences of which ``unseen`` says ``kind``, as many from each of IT_FRAMES."""
    found = {}
    while len(found) < count:
        frame = IT_FRAMES[len(found) % len(IT_FRAMES)]
        new = sentence(language, frame, _draw(random, frame, kind))
        found.setdefault(new.english, new)
    return list(found.values())


def _draw(random, frame, kind=None):
    """Random choices for a frame, drawn again until ``unseen`` says ``kind`` of them."""
    options = {choice: tuple(words) for choice, words in OPTIONS[frame].items()}
    while True:
        chosen = {}
        for choice, words in options.items():
            chosen[choice] = words[random.integers(len(words))]
        if unseen(**chosen) == kind and not meets_itself(chosen):
            return chosen


def _vocabularies(language):
    """Of English, of the target and of the glosses: every word that ``say`` can write."""
    english = []
    target = []
    glosses = []
    for frame in FRAMES:
        for example in _examples(language, frame):
            english += example.english
            target += example.target
            glosses += example.gloss
    return [Vocabulary(words, WORD_GROUPS) for words in (english, target, glosses)]


def _examples(language, frame):
    """Sentences in which every word that the frame takes stands with nouns of every gender."""
    for subject, place in LANGUAGES[language].NOUNS_OF_EVERY_GENDER:
        for choice, words in OPTIONS[frame].items():
            for word in words:
                choices = {"subject": subject, "place": place, choice: word}
                yield sentence(language, frame, complete(frame, choices))
