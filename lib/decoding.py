"""From a trained model to words: greedy, beam search, sampling with a key-value cache.

Notebooks 0 and 10 to 12. P is Vaswani et al. 2017, arXiv:1706.03762.
"""

from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import torch

from lib.interventions import (
    changing,
    listed,
    looking,
    of_sentence,
    of_this_thread,
    weights_of,
    within,
)
from lib.sampling import sample
from lib.tokens import END, END_ID, START_ID
from lib.validation.arrays import is_whole
from lib.validation.tensors import refuse_counts

LONGEST = 24  # words; no sentence of the corpus is as long


# -- a Transformer writes --------------------------------------------------------------------------


@torch.no_grad()
def greedy(model, source, source_mask=None, longest=LONGEST, changes=()):
    """Write the most probable word, again and again: source (B, S) -> B lists of words.

    A sentence is finished by its end token, which is included, or after ``longest`` words. changes:
    Cuts and Swaps for the whole batch.
    """
    refuse_counts(longest=longest)
    with changing(model, *listed(changes)):
        memory = model.encode(source, source_mask)  # (B, S, d_model)
    target = torch.full((len(source), 1), START_ID)  # (B, T)
    while target.shape[1] <= longest and not _all_ended(target):
        with changing(model, *within(changes, target.shape[1])):
            logits = model.decode(target, memory, source_mask)  # (B, T, words)
        target = torch.cat([target, logits[:, -1:].argmax(-1)], 1)
    return [_up_to_end(row) for row in target[:, 1:].tolist()]


def _all_ended(target):
    return (target == END_ID).any(1).all()


def _up_to_end(words):
    return words[: words.index(END_ID) + 1] if END_ID in words else words


@torch.no_grad()
def beam(model, source, width=4, longest=LONGEST, penalty=0.6, changes=()):
    """Keep the ``width`` best beginnings at every word: source (1, S) -> [(score, words)].

    The best comes first. score: log probability divided by ((5 + words) / 6) ** penalty, so that
    long sentences are not at a disadvantage (Wu et al. 2016, arXiv:1609.08144, equation 14; P
    section 6.1 uses width 4 and penalty 0.6). Raises ValueError for a width that is not a whole
    number of at least 1 and for a batch of several sentences.
    """
    if not is_whole(width, 1):
        raise ValueError(
            f"width = {width!r}; expected at least 1 beginning to keep, a whole number."
        )
    width = int(width)
    refuse_counts(longest=longest)
    if len(source) != 1:
        raise ValueError(f"source {tuple(source.shape)}; expected (1, S), one sentence at a time.")
    with changing(model, *listed(changes)):
        memory = model.encode(source)  # (1, S, d_model)
    beginnings = [(0.0, [START_ID])]
    finished = []
    while beginnings and len(beginnings[0][1]) <= longest and len(finished) < width:
        grown = _grown(model, memory, beginnings, width, changes)
        finished += [pair for pair in grown if pair[1][-1] == END_ID]
        beginnings = [pair for pair in grown if pair[1][-1] != END_ID]
    scored = []
    for score, (_, *words) in finished or beginnings:
        scored.append((score / ((5 + len(words)) / 6) ** penalty, words))
    return sorted(scored, reverse=True)


def _grown(model, memory, beginnings, width, changes):
    """The ``width`` best beginnings that are one word longer: [(log probability, words)]."""
    target = torch.tensor([words for _, words in beginnings])  # (beginnings, T)
    many = memory.expand(len(target), -1, -1)
    with changing(model, *within(changes, target.shape[1])):
        logits = model.decode(target, many)  # (beginnings, T, words known)
    before = torch.tensor([[score] for score, _ in beginnings])
    total = before + logits[:, -1].log_softmax(-1)  # (beginnings, words known)
    words_known = total.shape[1]
    best = total.flatten().topk(min(width, total.numel()))
    grown = []
    for score, place in zip(best.values.tolist(), best.indices.tolist(), strict=True):
        beginning, word = divmod(place, words_known)
        grown.append((score, [*beginnings[beginning][1], word]))
    return grown


# -- a language model writes -----------------------------------------------------------------------


class CachedModel:
    """A LanguageModel with a key-value cache: it runs token by token, earlier ones run no more.

    Make a new one for every text. It keeps what the key and the value matrix of each layer made,
    (B, S, d_model), as lib.cache.KeyValueCache does for a layer in NumPy. Its hooks stand only
    while ``extend`` runs, so that the model stays as it is for everyone else. A shallow copy
    (copy.copy) goes on from the same place. Raises ValueError for a model without such matrices.
    """

    def __init__(self, model):
        self.model = model
        self.matrices = _key_and_value_matrices(model)
        self.kept = {}  # {matrix: what it made of all tokens so far}

    @property
    def length(self):
        """S, the number of tokens kept."""
        return self.kept[self.matrices[0]].shape[1] if self.kept else 0

    @property
    def batch(self):
        """B, the number of sequences whose tokens are kept."""
        return self.kept[self.matrices[0]].shape[0] if self.kept else 0

    def extend(self, tokens):
        """tokens (B, T), those after the ones kept -> logits (B, T, size); they are kept as well.

        Raises ValueError as the model does, and then keeps nothing of these tokens.
        """
        if self.kept and len(tokens) != self.batch:
            raise ValueError(f"{len(tokens)} sequences; this cache holds tokens of {self.batch}.")
        grown = {}

        def put_after(matrix, given, new):  # new (B, T, d_model)
            if matrix in self.kept:
                grown[matrix] = torch.cat([self.kept[matrix], new], 1)  # (B, S + T, d_model)
            else:
                grown[matrix] = new
            return grown[matrix]

        with ExitStack() as hooks:
            hook = of_this_thread(put_after)
            for matrix in self.matrices:
                hooks.enter_context(matrix.register_forward_hook(hook))
            logits = self.model(tokens, start=self.length)
        self.kept = grown
        return logits


def _key_and_value_matrices(model):
    if list(weights_of(model)) == ["decoder"]:  # no encoder
        attentions = [layer.attention for layer in model.decoder.layers]
        if all(hasattr(each, "key") and hasattr(each, "value") for each in attentions):
            return [each.key for each in attentions] + [each.value for each in attentions]
    raise ValueError(
        f"{type(model).__name__}: a key-value cache needs a LanguageModel "
        "whose attentions have a key and a value matrix."
    )


@torch.no_grad()
def generate(model, tokens, choose, longest=LONGEST, cache=True):
    """Let a LanguageModel write on after ``tokens`` (START first): yields each new word's number.

    choose(scores (words,)) -> the number of the next word; END is the last. With ``cache`` every
    word goes through the model once; without, the whole text goes through it again for each new
    word. Both give the same words. Raises ValueError for no tokens.
    """
    refuse_counts(longest=longest)
    text = list(tokens)
    if not text:
        raise ValueError("no token to begin with; expected at least [START_ID].")
    cached = CachedModel(model)
    new = text
    for _ in range(longest):
        logits = cached.extend(torch.tensor([new])) if cache else model(torch.tensor([text]))
        word = int(choose(logits[0, -1].numpy()))
        yield word
        if word == END_ID:
            return
        new = [word]
        text = [*text, word]


# -- trained models with their words ---------------------------------------------------------------


@dataclass(frozen=True)
class Translation:
    """A sentence and its translation, with where each word looked.

    source, target: words, END included where it was written; probabilities: one for each word
    written; text: the translation as one writes it; encoder, decoder, cross: one array for each
    layer, (H, S, S), (H, T, T), (H, T, S). Row t of ``decoder`` and ``cross`` is the row that wrote
    target[t]; what went into it was the word before.
    """

    source: list
    target: list
    probabilities: list
    text: str
    encoder: list
    decoder: list
    cross: list


class TranslationModel:
    """A trained Transformer with its vocabularies: words in, words out.

    join(words, language) -> the text that one writes (lib.corpus.join).
    """

    def __init__(self, model, english, target, language, join):
        self.model = model.eval()
        self.english = english
        self.target = target
        self.language = language
        self.join = join

    def translate(self, tokens, changes=(), beams=1):
        """tokens: English words -> Translation. changes: Cuts and Swaps; beams: 1 is greedy.

        Raises ValueError for unknown words and for none.
        """
        if not tokens:
            raise ValueError("no word to translate; expected at least one.")
        source = torch.tensor([self.english.encode(tokens)])  # (1, S)
        if beams == 1:
            words = greedy(self.model, source, changes=changes)[0]
        else:
            words = beam(self.model, source, beams, changes=changes)[0][1]
        return self._described(list(tokens), source, words, within(changes, len(words)))

    @torch.no_grad()
    def _described(self, tokens, source, words, changes):
        inputs = torch.tensor([[START_ID, *words[:-1]]])  # (1, T)
        with changing(self.model, *changes), looking(self.model) as maps:
            logits = self.model(source, inputs)  # (1, T, words)
        probabilities = logits[0].softmax(-1)[range(len(words)), words]
        target = [self.target.words[word] for word in words]
        text = self.join([word for word in target if word != END], self.language)
        return Translation(tokens, target, probabilities.tolist(), text, **of_sentence(maps))


class WritingModel:
    """A trained LanguageModel with its vocabulary."""

    def __init__(self, model, vocabulary):
        self.model = model.eval()
        self.vocabulary = vocabulary
        self.words = vocabulary.words

    @torch.no_grad()
    def scores(self, tokens):
        """(words,) scores of the word after these; START is put before them.

        Raises ValueError for unknown words.
        """
        logits = self.model(torch.tensor([[START_ID, *self.vocabulary.encode(tokens)]]))
        return logits[0, -1].numpy()

    def write(self, tokens=(), temperature=1.0, top_k=None, top_p=None, seed=0, longest=LONGEST):
        """The words that follow, END included where it was written; the same for the same seed.

        Raises ValueError for unknown words and as lib.sampling.sample does.
        """
        random = np.random.default_rng(seed)

        def choose(scores):
            return sample(scores, temperature, top_k, top_p, random)

        prompt = [START_ID, *self.vocabulary.encode(tokens)]
        return [self.words[word] for word in generate(self.model, prompt, choose, longest)]
