"""Training in full view: ``fit`` yields its progress (notebooks 10 and 12).

So a page, a test and a command drive the same loop. A task knows what to learn from:
``Translating`` a Transformer, ``Writing`` a LanguageModel. P is Vaswani et al. 2017,
arXiv:1706.03762.
"""

import math
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Integral

import numpy as np
import torch
from torch.nn import functional as F
from torch.optim.adamw import adamw

from lib.decoding import greedy
from lib.interventions import changing, looking, of_rows, of_sentence
from lib.masks import padding_mask
from lib.tokens import END_ID, PAD_ID, START_ID, padded
from lib.validation.arrays import is_number
from lib.validation.tensors import refuse_counts, refuse_share

SEEDS_APART = 1_000_003  # a prime: the seeds of two runs' steps do not meet


@dataclass(frozen=True)
class Recipe:
    """How to train: ``steps`` of ``batch`` sentences each.

    rate: the highest learning rate, reached after ``warm_up`` steps; smoothing: the share of the
    target taken from the right word and spread over all (P section 5.4); gloss: the weight of the
    gloss's loss; every: steps between two reports. AdamW: Loshchilov and Hutter 2019,
    arXiv:1711.05101. Raises ValueError for what cannot be followed.
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
        at_least = {"steps": 1, "batch": 1, "every": 1, "warm_up": 0, "seed": 0}
        for name, least in at_least.items():
            number = getattr(self, name)
            if not isinstance(number, Integral) or number < least:
                raise ValueError(
                    f"{self}: {name} = {number}; expected steps, batch and every of at least 1, "
                    "warm_up and seed of at least 0, all of them whole numbers."
                )
        for name in ("rate", "weight_decay", "gloss"):
            number = getattr(self, name)
            if not is_number(number) or not 0 <= number < math.inf:  # NaN is neither
                raise ValueError(f"{name} = {number!r}; expected 0 or more.")
        refuse_share(smoothing=self.smoothing)


@dataclass(frozen=True)
class Progress:
    """After ``step`` of ``steps``.

    loss: the mean since the last report; accuracy: the share right of what is held out; weights:
    those of the sample sentence.
    """

    step: int
    steps: int
    loss: float
    accuracy: float
    weights: dict


class AdamW:
    """PyTorch's own update, called as a function.

    The class around it loads its compiler, 60 MB that nothing here uses. Source: Loshchilov and
    Hutter 2019, arXiv:1711.05101.
    """

    def __init__(self, parameters, weight_decay):
        self.parameters = list(parameters)
        self.weight_decay = weight_decay
        self.means = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.squares = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.steps = [torch.tensor(0.0) for _ in self.parameters]

    def zero_grad(self):
        """Forget the gradients, as the model's own zero_grad does."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self, rate):
        """Move every parameter that has a gradient."""
        moved = [n for n, parameter in enumerate(self.parameters) if parameter.grad is not None]
        adamw(
            params=[self.parameters[n] for n in moved],
            grads=[self.parameters[n].grad for n in moved],
            exp_avgs=[self.means[n] for n in moved],
            exp_avg_sqs=[self.squares[n] for n in moved],
            max_exp_avg_sqs=[],
            state_steps=[self.steps[n] for n in moved],
            foreach=False,
            amsgrad=False,
            beta1=0.9,
            beta2=0.98,
            lr=rate,
            weight_decay=self.weight_decay,
            eps=1e-8,
            maximize=False,
        )


@dataclass
class Run:
    """A model in training: what ``fit`` needs to go on where it stopped.

    losses: those not yet reported. Raises ValueError for a model that the task cannot train.
    """

    model: torch.nn.Module
    task: object
    recipe: Recipe = field(default_factory=Recipe)
    step: int = 0
    losses: list = field(default_factory=list)

    def __post_init__(self):
        self.task.refuse(self.model)
        self.model.eval()
        self.optimizer = AdamW(self.model.parameters(), self.recipe.weight_decay)

    @property
    def finished(self):
        """Whether all steps are made; a report may still be due."""
        return self.step >= self.recipe.steps

    @property
    def due(self):
        """Whether it is time for a report."""
        return bool(self.losses) and (self.finished or self.step % self.recipe.every == 0)


def learning_rate(step, recipe):
    """The rate of step 1, 2, ...: straight up during warm-up, then along half a cosine to zero."""
    if step <= recipe.warm_up:
        return recipe.rate * step / recipe.warm_up
    way = (step - recipe.warm_up) / max(1, recipe.steps - recipe.warm_up)
    return recipe.rate * (1 + math.cos(math.pi * min(way, 1))) / 2


def fit(run):
    """Train, yielding Progress every ``recipe.every`` steps and after the last.

    The model is then in eval mode. Leave the loop, or interrupt it, at any time: the model can be
    used as it is, and ``fit(run)`` goes on at run.step as if there had been no break; only an
    interrupt in the middle of an update makes a part of that update twice. Every step draws its
    sentences and its dropout from (seed, step).
    """
    while run.due or not run.finished:
        if not run.due:  # after a break a report may be due that was interrupted: then no new step
            with one_thread():
                _step(run)
        if run.due:
            with one_thread():
                progress = _report(run)
            run.losses = []  # only now: an interrupted report is made again
            yield progress


def _step(run):
    recipe = run.recipe
    random = np.random.default_rng([recipe.seed, run.step])
    chosen = random.integers(0, run.task.size, recipe.batch)
    run.model.train()
    try:
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed * SEEDS_APART + run.step)
            loss = run.task.loss(run.model, chosen, recipe)
        run.model.zero_grad()
        loss.backward()
        run.optimizer.step(learning_rate(run.step + 1, recipe))
        run.step += 1
        run.losses.append(loss.item())
    finally:
        run.model.eval()


def _report(run):
    return Progress(
        step=run.step,
        steps=run.recipe.steps,
        loss=sum(run.losses) / len(run.losses),
        accuracy=run.task.accuracy(run.model),
        weights=run.task.weights(run.model),
    )


@contextmanager
def one_thread():
    """Small models are quicker on one thread, and their numbers are the same for any count."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


# -- what to learn from ----------------------------------------------------------------------------


class _Task:
    """What to learn from a corpus, and what to test with.

    corpus: its sentences to ``train`` on and two held-out sets, unseen_pairs and unseen_triples, as
    lib.corpus.make gives them. held_out: the sentences to test with, a hundred of each set if not
    given. sample: the sentence whose weights are reported, the first of those if not given. Raises
    ValueError for no sentence to test with.
    """

    def __init__(self, corpus, held_out=None, sample=None):
        if held_out is None:
            held_out = [*corpus.unseen_pairs[:100], *corpus.unseen_triples[:100]]
        if not held_out:
            raise ValueError(
                "no sentence is held out; expected at least one to test the model with."
            )
        self.corpus = corpus
        self.sample = sample or held_out[0]
        self.size = len(corpus.train)
        self.train = self.tensors(corpus.train)
        self.held_out = self.tensors(held_out)
        self.shown = self.tensors([self.sample])


class Translating(_Task):
    """From English to the corpus's language; ``corpus.batch(sentences)`` gives the arrays.

    The accuracy is the share of held-out sentences of which every word is right. Each word is
    predicted from the right words before it; if all are right, greedy writing gives the same
    sentence, and if one is wrong it does not.
    """

    def tensors(self, sentences):
        """Sentences, to take some of them."""
        return Sentences(sentences, self.corpus)

    def refuse(self, model):
        """Raises ValueError for a model that does not translate."""
        if not hasattr(model, "encode"):
            raise ValueError(
                f"a {type(model).__name__} has no encoder; Translating is for a Transformer, "
                "Writing for a LanguageModel."
            )

    def loss(self, model, chosen, recipe):
        """Mean cross-entropy of the next word, plus that of the gloss if the recipe has one."""
        source, mask, target, gloss = self.train.take(chosen)
        memory = model.encode(source, mask)
        logits = model.decode(target[:, :-1], memory, mask)
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
        """{part: [(H, T, S) for each layer]}: where everything looks in the sample sentence."""
        self.refuse(model)
        source, mask, target, _ = self.shown.take([0])
        with looking(model) as maps:
            model(source, target[:, :-1], mask)
        return of_sentence(maps)


class Writing(_Task):
    """English text. The accuracy is the share of held-out words that were the most probable."""

    def tensors(self, sentences):
        """(N, T): START, the English words, END, padding."""
        encode = self.corpus.english.encode
        rows = [[START_ID, *encode(sentence.english), END_ID] for sentence in sentences]
        return torch.as_tensor(padded(rows))

    def refuse(self, model):
        """Raises ValueError for a model that does not write on."""
        if hasattr(model, "encode"):
            raise ValueError(
                f"a {type(model).__name__} has an encoder; Writing is for a LanguageModel, "
                "Translating for a Transformer."
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
        self.refuse(model)
        with looking(model) as maps:
            model(self.shown[:, :-1])
        return of_sentence(maps)

    @torch.no_grad()
    def perplexity(self, model):
        """exp of the mean cross-entropy of the held-out words.

        Among how many equally likely words it chooses.
        """
        return cross_entropy(model(self.held_out[:, :-1]), self.held_out[:, 1:]).exp().item()


class Sentences:
    """Sentences as padded tensors: source and gloss (N, S), target (N, T) with START and END."""

    def __init__(self, sentences, corpus):
        arrays = corpus.batch(sentences)
        self.source = torch.as_tensor(arrays.source)
        self.target = torch.as_tensor(arrays.target)
        self.gloss = torch.as_tensor(arrays.gloss)
        self.lengths = arrays.lengths

    def __len__(self):
        return len(self.lengths)

    def take(self, chosen):
        """(source, its padding mask, target, gloss) of the chosen ones.

        They are no longer than the longest of them.
        """
        rows = torch.as_tensor(chosen)
        longest = int(self.lengths[chosen].max())
        mask = padding_mask(self.lengths[chosen], longest)  # (B, 1, S)
        target = _trimmed(self.target[rows])
        return self.source[rows, :longest], mask, target, self.gloss[rows, :longest]


@torch.no_grad()
def exact(model, sentences, changes=(), at_once=100):
    """(N,) booleans: which of the Sentences have every word right.

    Give ``changes`` one position for each sentence, or one for all (ValueError otherwise).
    ``at_once`` sentences go through the model together: more of them are no quicker and take more
    memory.
    """
    refuse_counts(at_once=at_once)
    count = len(sentences)
    right = []
    for start in range(0, count, at_once):
        rows = range(start, min(start + at_once, count))
        with changing(model, *of_rows(changes, rows, count)):
            right.append(_exact(model, sentences, rows))
    return torch.cat(right)


def _exact(model, sentences, rows):
    source, mask, target, _ = sentences.take(rows)
    words = model.decode(target[:, :-1], model.encode(source, mask), mask).argmax(-1)
    wanted = target[:, 1:]
    return ((words == wanted) | (wanted == PAD_ID)).all(1)


@torch.no_grad()
def written_right(model, sentences, at_once=100):
    """(N,) booleans: which of the Sentences greedy writing translates without a mistake.

    The model writes alone, its own mistakes included; ``exact`` gives it the right words before.
    """
    refuse_counts(at_once=at_once)
    right = []
    for start in range(0, len(sentences), at_once):
        rows = range(start, min(start + at_once, len(sentences)))
        source, mask, target, _ = sentences.take(rows)
        for words, wanted in zip(greedy(model, source, mask), target.tolist(), strict=True):
            right.append(words == [word for word in wanted if word not in (START_ID, PAD_ID)])
    return torch.tensor(right)


def cross_entropy(logits, wanted, smoothing=0.0):
    """Mean cross-entropy of logits (B, T, words) against the words wanted (B, T), without PAD."""
    return F.cross_entropy(
        logits.flatten(0, 1), wanted.flatten(), ignore_index=PAD_ID, label_smoothing=smoothing
    )


def _trimmed(tokens):
    longest = int((tokens != PAD_ID).sum(1).max())
    return tokens[:, :longest]
