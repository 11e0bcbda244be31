"""Training in full view: ``fit`` yields its progress, so a page, a test and a command drive the same loop (10, 11).

A task knows what to learn from: ``Translating`` a Transformer, ``Writing`` a LanguageModel. P is Vaswani et al. 2017,
arXiv:1706.03762.
"""

import math
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch
from torch.nn import functional as F
from torch.optim.adamw import adamw

from lib.corpus import batch
from lib.interventions import of_rows
from lib.masks import padding_mask
from lib.tokens import END_ID, PAD_ID, START_ID


@dataclass(frozen=True)
class Recipe:
    """How to train. steps of ``batch`` sentences; rate: the highest learning rate, reached after ``warm_up`` steps.

    smoothing: the share of the target taken from the right word and spread over all (P section 5.4); gloss: the weight
    of the gloss's loss; every: steps between two reports. AdamW: Loshchilov and Hutter 2019, arXiv:1711.05101.
    """

    steps: int = 700
    batch: int = 64
    rate: float = 3e-3
    warm_up: int = 200
    smoothing: float = 0.1
    weight_decay: float = 0.01
    gloss: float = 0.0
    seed: int = 0
    every: int = 25

    def __post_init__(self):
        if min(self.steps, self.batch, self.every) < 1 or min(self.warm_up, self.seed) < 0:
            raise ValueError(
                f"{self}; expected steps, batch and every of at least 1, warm_up and seed of at least 0."
            )


@dataclass(frozen=True)
class Progress:
    """After ``step`` of ``steps``: mean loss since the last report, share right of what is held out, sample weights."""

    step: int
    steps: int
    loss: float
    accuracy: float
    weights: dict


class AdamW:
    """PyTorch's own update, called as a function: the class around it loads its compiler, 60 MB that nothing here uses.

    Source: Loshchilov and Hutter 2019, arXiv:1711.05101.
    """

    def __init__(self, parameters, weight_decay):
        self.parameters, self.weight_decay = list(parameters), weight_decay
        self.means, self.squares = ([torch.zeros_like(p) for p in self.parameters] for _ in "12")
        self.steps = [torch.tensor(0.0) for _ in self.parameters]

    @torch.no_grad()
    def step(self, rate):
        """Move every parameter that has a gradient."""
        rows = zip(self.parameters, self.means, self.squares, self.steps, strict=True)
        parameters, means, squares, steps = map(
            list, zip(*(row for row in rows if row[0].grad is not None), strict=True)
        )
        adamw(
            parameters, [p.grad for p in parameters], means, squares, [], steps, foreach=False, amsgrad=False,
            beta1=0.9, beta2=0.98, lr=rate, weight_decay=self.weight_decay, eps=1e-8, maximize=False,
        )  # fmt: skip


@dataclass
class Run:
    """A model in training: what ``fit`` needs to go on where it stopped. losses: those not yet reported."""

    model: torch.nn.Module
    task: object
    recipe: Recipe = field(default_factory=Recipe)
    step: int = 0
    losses: list = field(default_factory=list)

    def __post_init__(self):
        self.model.eval()
        self.optimizer = AdamW(self.model.parameters(), self.recipe.weight_decay)

    @property
    def due(self):
        """Whether it is time for a report."""
        return bool(self.losses) and (
            self.step % self.recipe.every == 0 or self.step >= self.recipe.steps
        )


def learning_rate(step, recipe):
    """The rate of step 1, 2, ...: up in a straight line during warm-up, then down along half a cosine to zero."""
    if step <= recipe.warm_up:
        return recipe.rate * step / recipe.warm_up
    way = (step - recipe.warm_up) / max(1, recipe.steps - recipe.warm_up)
    return recipe.rate * (1 + math.cos(math.pi * min(way, 1))) / 2


def fit(run):
    """Train, yielding Progress every ``recipe.every`` steps and after the last; the model is then in eval mode.

    Leave the loop, or interrupt it, at any time: the model can be used as it is, and ``fit(run)`` goes on at run.step
    as if there had been no break; only an interrupt in the midst of an update makes a part of that update twice.
    Every step draws its sentences and its dropout from (seed, step).
    """
    while run.step < run.recipe.steps or run.losses:
        with one_thread():
            if not run.due:  # it is due at once where a report was interrupted
                _step(run)
            progress = _report(run) if run.due else None
        if progress:
            run.losses = []
            yield progress


def _step(run):
    recipe = run.recipe
    chosen = np.random.default_rng([recipe.seed, run.step]).integers(0, run.task.size, recipe.batch)
    run.model.train()
    try:
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed * 1_000_003 + run.step)
            loss = run.task.loss(run.model, chosen, recipe)
        run.model.zero_grad()
        loss.backward()
        run.optimizer.step(learning_rate(run.step + 1, recipe))
        run.step += 1
        run.losses.append(loss.item())
    finally:
        run.model.eval()


def _report(run):
    loss = sum(run.losses) / len(run.losses)
    return Progress(
        run.step, run.recipe.steps, loss, run.task.accuracy(run.model), run.task.weights(run.model)
    )


@contextmanager
def one_thread():
    """Small models are quicker on one thread, and their numbers do not depend on how many there are."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Translating:
    """From English to the corpus's language. ``sample`` is the sentence whose weights are reported.

    The accuracy is the share of held-out sentences of which every word is right. Each word is foretold from the right
    words before it; if all are right, greedy writing gives the same sentence, and if one is wrong it does not.
    """

    def __init__(self, corpus, held_out=None, sample=None):
        held_out = _held_out(corpus, held_out)
        self.corpus, self.sample, self.size = corpus, sample or held_out[0], len(corpus.train)
        self.train, self.held_out, self.shown = (
            Sentences(each, corpus) for each in (corpus.train, held_out, [self.sample])
        )

    def loss(self, model, chosen, recipe):
        """Mean cross-entropy of the next word, plus that of the gloss if the recipe has one."""
        source, mask, target, gloss = self.train.take(chosen)
        memory, _ = model.encode(source, mask)
        logits, _, _ = model.decode(target[:, :-1], memory, mask)
        loss = cross_entropy(logits, target[:, 1:], recipe.smoothing)
        if not recipe.gloss:
            return loss
        if model.gloss is None:
            raise ValueError(
                f"gloss = {recipe.gloss}, but the model has no gloss; make it with gloss_size."
            )
        return loss + recipe.gloss * cross_entropy(model.gloss(memory), gloss, recipe.smoothing)

    def accuracy(self, model):
        """The share of the held-out sentences that are right from the first word to the end."""
        return exact(model, self.held_out).float().mean().item()

    @torch.no_grad()
    def weights(self, model):
        """Where everything looks in the sample sentence: as Transformer.weights, arrays without the batch axis."""
        source, mask, target, _ = self.shown.take([0])
        return {
            part: [w[0].numpy() for w in layers]
            for part, layers in model.weights(source, target[:, :-1], mask).items()
        }


class Writing:
    """English text. The accuracy is the share of held-out words that were the most probable ones."""

    def __init__(self, corpus, held_out=None, sample=None):
        held_out = _held_out(corpus, held_out)
        self.corpus, self.sample, self.size = corpus, sample or held_out[0], len(corpus.train)
        self.train, self.held_out, self.shown = (
            _texts(each, corpus.english) for each in (corpus.train, held_out, [self.sample])
        )

    def loss(self, model, chosen, recipe):
        """Mean cross-entropy of the next word."""
        text = _trimmed(self.train[torch.as_tensor(chosen)])
        return cross_entropy(model(text[:, :-1]), text[:, 1:], recipe.smoothing)

    @torch.no_grad()
    def accuracy(self, model):
        """The share of the held-out words that are right."""
        wanted = self.held_out[:, 1:]
        right = model(self.held_out[:, :-1]).argmax(-1) == wanted
        return right[wanted != PAD_ID].float().mean().item()

    @torch.no_grad()
    def weights(self, model):
        """{"decoder": [(H, T, T) for each layer]} of the sample sentence."""
        return {
            "decoder": [
                w[0].numpy() for w in model.decode(self.shown[:, :-1], need_weights=True)[1]
            ]
        }

    @torch.no_grad()
    def perplexity(self, model):
        """exp of the mean cross-entropy of the held-out words: among how many equally likely words it chooses."""
        return cross_entropy(model(self.held_out[:, :-1]), self.held_out[:, 1:]).exp().item()


class Sentences:
    """Sentences as padded tensors: source (N, S), target (N, T) with START and END, gloss (N, S)."""

    def __init__(self, sentences, corpus):
        arrays = batch(sentences, corpus)
        self.source, self.target, self.gloss = map(
            torch.as_tensor, (arrays.source, arrays.target, arrays.gloss)
        )
        self.lengths = arrays.lengths

    def __len__(self):
        return len(self.lengths)

    def take(self, chosen):
        """(source, its padding mask, target, gloss) of the chosen ones, no longer than the longest of them."""
        longest = int(self.lengths[chosen].max())
        rows = torch.as_tensor(chosen)
        mask = padding_mask(self.lengths[chosen], longest)
        return (
            self.source[rows, :longest],
            mask,
            _trimmed(self.target[rows]),
            self.gloss[rows, :longest],
        )


@torch.no_grad()
def exact(model, sentences, changes=(), at_once=100):
    """(N,) booleans: which of the Sentences have every word right. Give ``changes`` one position for each sentence.

    ``at_once`` sentences go through the model together: more of them are no quicker and take more memory.
    """
    pieces = (
        range(len(sentences))[start : start + at_once]
        for start in range(0, len(sentences), at_once)
    )
    return torch.cat([_exact(model, sentences, rows, of_rows(changes, rows)) for rows in pieces])


def _exact(model, sentences, rows, changes):
    source, mask, target, _ = sentences.take(rows)
    memory, _ = model.encode(source, mask, changes=changes)
    words = model.decode(target[:, :-1], memory, mask, changes=changes)[0].argmax(-1)
    return ((words == target[:, 1:]) | (target[:, 1:] == PAD_ID)).all(1)


def cross_entropy(logits, wanted, smoothing=0.0):
    """Mean cross-entropy of logits (B, T, words) against the words wanted (B, T), padding left out."""
    return F.cross_entropy(
        logits.flatten(0, 1), wanted.flatten(), ignore_index=PAD_ID, label_smoothing=smoothing
    )


def _held_out(corpus, sentences):
    """The sentences to test with: the given ones, or a hundred of each held-out set."""
    sentences = (
        [*corpus.unseen_pairs[:100], *corpus.unseen_triples[:100]]
        if sentences is None
        else sentences
    )
    if not sentences:
        raise ValueError("no sentence is held out; expected at least one to test the model with.")
    return sentences


def _texts(sentences, vocabulary):
    rows = [[START_ID, *vocabulary.encode(sentence.english), END_ID] for sentence in sentences]
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD_ID] * (longest - len(row)) for row in rows])


def _trimmed(tokens):
    return tokens[:, : int((tokens != PAD_ID).sum(1).max())]
