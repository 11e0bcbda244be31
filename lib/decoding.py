"""From a trained model to words: greedy, beam search, sampling with a key-value cache (notebooks 00, 10, 11)."""

from dataclasses import dataclass

import numpy as np
import torch

from lib.corpus import join
from lib.interventions import within
from lib.sampling import sample
from lib.tokens import END, END_ID, START_ID

LONGEST = 24  # words; no sentence of the corpus is as long


@torch.no_grad()
def greedy(model, source, source_mask=None, longest=LONGEST, changes=()):
    """Write the most probable word, again and again: source (B, S) -> B lists of words, the end token included.

    A sentence is finished by its end token or after ``longest`` words. changes: Cuts and Swaps for the whole batch.
    """
    memory, _ = model.encode(source, source_mask, changes=changes)
    target = torch.full((len(source), 1), START_ID)
    while target.shape[1] <= longest and not (target == END_ID).any(1).all():
        logits, _, _ = model.decode(
            target, memory, source_mask, changes=within(changes, target.shape[1])
        )
        target = torch.cat([target, logits[:, -1:].argmax(-1)], 1)
    return [_up_to_end(row) for row in target[:, 1:].tolist()]


@torch.no_grad()
def beam(model, source, width=4, longest=LONGEST, penalty=0.6, changes=()):
    """Keep the ``width`` best beginnings at every word: source (1, S) -> [(score, words)], best first.

    score: log probability divided by ((5 + words) / 6) ** penalty, so that long sentences are not at a disadvantage
    (Wu et al. 2016, arXiv:1609.08144, equation 14; P section 6.1 uses width 4 and penalty 0.6).
    """
    if width < 1:
        raise ValueError(f"width = {width}; expected at least 1 beginning to keep.")
    memory, _ = model.encode(source, changes=changes)
    beginnings, finished = [(0.0, [START_ID])], []
    while beginnings and len(beginnings[0][1]) <= longest and len(finished) < width:
        target = torch.tensor([words for _, words in beginnings])  # (beginnings, T)
        many = memory.expand(len(target), -1, -1)
        logits, _, _ = model.decode(target, many, changes=within(changes, target.shape[1]))
        scores = torch.tensor([[score] for score, _ in beginnings])
        total = scores + logits[:, -1].log_softmax(-1)  # (beginnings, words)
        best = total.flatten().topk(min(width, total.numel()))
        grown = [
            (score, [*beginnings[place // total.shape[1]][1], place % total.shape[1]])
            for score, place in zip(best.values.tolist(), best.indices.tolist(), strict=True)
        ]
        finished += [pair for pair in grown if pair[1][-1] == END_ID]
        beginnings = [pair for pair in grown if pair[1][-1] != END_ID]
    scored = [
        (score / ((5 + len(words) - 1) / 6) ** penalty, words[1:])
        for score, words in finished or beginnings
    ]
    return sorted(scored, reverse=True)


@torch.no_grad()
def generate(model, tokens, choose, longest=LONGEST, cache=True):
    """Let a LanguageModel write on after ``tokens`` (START first): yields the number of each new word, END last.

    choose(scores (words,)) -> the number of the next word. With ``cache`` every word goes through the model once;
    without, the whole text goes through it again for each new word. Both give the same words.
    """
    kept, new = (model.keep() if cache else None), list(tokens)
    for _ in range(longest):
        logits, _ = model.decode(torch.tensor([new]), kept=kept)
        word = int(choose(logits[0, -1].numpy()))
        yield word
        if word == END_ID:
            return
        new = [word] if cache else [*new, word]


@dataclass(frozen=True)
class Translation:
    """A sentence and its translation, with where each word looked.

    source, target: words, END included where it was written; probabilities: one for each word written; text: the
    translation as one writes it; encoder, decoder, cross: one array for each layer, (H, S, S), (H, T, T), (H, T, S).
    Row t of ``decoder`` and ``cross`` is the row that wrote target[t]; what went into it was the word before.
    """

    source: list
    target: list
    probabilities: list
    text: str
    encoder: list
    decoder: list
    cross: list


class Translator:
    """A trained Transformer with its vocabularies: words in, words out."""

    def __init__(self, model, english, target, language):
        self.model, self.english, self.target, self.language = (
            model.eval(),
            english,
            target,
            language,
        )

    def translate(self, tokens, changes=(), beams=1):
        """tokens: English words. changes: Cuts and Swaps; beams: 1 is greedy. ValueError for unknown or no words."""
        if not tokens:
            raise ValueError("no word to translate; expected at least one.")
        source = torch.tensor([self.english.encode(tokens)])
        if beams == 1:
            words = greedy(self.model, source, changes=changes)[0]
        else:
            words = beam(self.model, source, beams, changes=changes)[0][1]
        return self._told(list(tokens), source, words, within(changes, len(words)))

    @torch.no_grad()
    def _told(self, tokens, source, words, changes):
        inputs = torch.tensor([[START_ID, *words[:-1]]])  # (1, T)
        memory, encoder = self.model.encode(source, need_weights=True, changes=changes)
        logits, decoder, cross = self.model.decode(
            inputs, memory, need_weights=True, changes=changes
        )
        probabilities = logits[0].softmax(-1)[range(len(words)), words]
        target = [self.target.words[word] for word in words]
        text = join([word for word in target if word != END], self.language)
        maps = ([weights[0].numpy() for weights in layers] for layers in (encoder, decoder, cross))
        return Translation(tokens, target, probabilities.tolist(), text, *maps)


class Writer:
    """A trained LanguageModel with its vocabulary."""

    def __init__(self, model, vocabulary):
        self.model, self.vocabulary, self.words = model.eval(), vocabulary, vocabulary.words

    @torch.no_grad()
    def scores(self, tokens):
        """(words,) scores of the word after these; START is put before them. Raises ValueError for unknown words."""
        logits = self.model(torch.tensor([[START_ID, *self.vocabulary.encode(tokens)]]))
        return logits[0, -1].numpy()

    def write(self, tokens=(), temperature=1.0, top_k=None, top_p=None, seed=0, longest=LONGEST):
        """The words that follow, END included where it was written; the same for the same seed."""
        random = np.random.default_rng(seed)
        prompt = [START_ID, *self.vocabulary.encode(tokens)]
        choose = lambda scores: sample(scores, temperature, top_k, top_p, random)  # noqa: E731
        return [self.words[word] for word in generate(self.model, prompt, choose, longest)]


def _up_to_end(words):
    return words[: words.index(END_ID) + 1] if END_ID in words else words
