"""What the reader wrote on pages 8 to 11, at work: it translates, hides, trains, and cuts.

``in_trained_models`` puts a part into a model; here stands what is no part of one: the loop that
writes, masks for a whole batch, and the step that trains. A function that stops is a sentence.
"""

import numpy as np

from lib.checks.readers_code.in_trained_models import (
    NOTHING,
    NotYetError,
    ask,
    dropped_in,
    mask_of,
    replacing,
)
from lib.checks.run import MOST_LETTERS, numbers, run
from lib.checks.run import TIPS as EVERYWHERE
from lib.tokens import END_ID, PAD_ID, START_ID

PLACES = 24  # of a sentence in a batch, padding and all; also the most words of a translation
LOOP = ["decode", "start", "end", "longest"]
CUT = ["weights", "query", "key"]

# The training of page 10, made short.
STEPS, WARM_UP, BATCH = 150, 50, 64
EVERY = 30  # steps between two lines
SHOWN = "the animal didn't cross the street because it was too tired"


TIPS = {  # for what a training step raised
    "with the same B": "a slice left out sentences; cut axis 1 of target, the words",
    "the mask holds int64": "model takes source, words, mask: in this order",
    "by an inplace operation": "backward comes before optimizer.step",
    "1D target": "training.cross_entropy takes (B, T, words) and (B, T), unflattened",
    "not implemented for 'Long'": "the loss takes the scores first, then the words that are wanted",
    "class probabilities, got Long": "the loss takes the scores of all words, (B, T, words), not "
    "the likeliest word",
    "argument: 'rate'": "it takes the rate of this step",
    "attribute 'backward'": "loss.item() is a bare number; backward starts from the loss itself",
    "Expected input batch_size": "as many words in as are wanted: along axis 1, one slice leaves "
    "the last word out, the other the first",
}

# The loop that writes


def greedy(decode, start, end, longest):
    """The words that follow ``start``, each the one with the highest score, up to ``end``.

    decode(words so far) -> scores (T, words), row t of what follows words[t]. ``end`` is not
    returned, and neither are more than ``longest`` words.
    """
    words = [start]
    while len(words) <= longest:
        word = int(np.argmax(decode(words)[-1]))
        if word == end:
            break
        words.append(word)
    return words[1:]


def written_by(translator, words, answer):
    """The French that the reader's loop writes with the model's decoder, or why there is none.

    answer(decode, start, end, longest) -> numbers of words; decode(words so far) -> (T, words).
    """
    import torch

    memory = translator.model.encode(torch.tensor([translator.english.encode(words)])).detach()

    def decode(words):
        target = torch.tensor(np.asarray(words, dtype=int))[None]  # (1, T)
        return translator.model.decode(target, memory)[0].detach().numpy()

    attempt = run(answer, [decode, START_ID, END_ID, PLACES], LOOP)
    if attempt.problem:
        return f"✗ Not yet: {attempt.problem}"
    known = len(translator.target)
    for word in np.ravel(attempt.value):
        if word not in range(known):
            return f"✗ Not yet: {word:g} is no word; the model knows 0 to {known - 1}."
    return _text(translator, np.ravel(attempt.value))


def _text(translator, ids):
    """The translation as one writes it; an end token that was written stands in it."""
    words = [translator.target.words[int(each)] for each in ids]
    return translator.join(words, translator.language) if words else NOTHING


# Masks


def translations_by(translator, sentences, padding_mask, causal_mask):
    """The French of several sentences, translated as one batch under the reader's masks.

    sentences: English words; all are filled up to PLACES. padding_mask(lengths (B,), S) and
    causal_mask(T) -> booleans, True = may attend. Returns a list of texts, or of one sentence that
    says why there are none.
    """
    import torch

    from lib.decoding import greedy as write

    rows = [translator.english.encode(words) for words in sentences]
    lengths = np.array([len(row) for row in rows])
    source = torch.tensor([row + [PAD_ID] * (PLACES - len(row)) for row in rows])  # (B, S)
    try:
        mask = _padding(padding_mask, lengths)
        with dropped_in(translator.model, causal_mask=causal_mask):
            written = write(translator.model, source, mask, PLACES)
    except NotYetError as sentence:
        return [f"✗ Not yet: {sentence}"]
    texts = []
    for ids in written:
        texts.append(_text(translator, [each for each in ids if each != END_ID]))
    return texts


def _padding(padding_mask, lengths):
    """(B, 1, S): what the reader's mask hides from the first query."""
    B, S = len(lengths), PLACES
    shapes = (B, 1, S), (B, S, S)
    return mask_of(padding_mask, [lengths, PLACES], ["lengths", "S"], *shapes)[:, :1]


def reversed_by(causal_mask, steps=120):
    """Train page 8's little model under the reader's mask; how it does, as text, or why not.

    *taught*: with the right digits as input; *alone*: from the source only.
    """
    from lib.saved import reversal

    model = reversal.untrained()[reversal.NAMES[0]]
    try:
        with dropped_in(model, causal_mask=causal_mask):
            [loss] = list(reversal.learn({"": model}, steps=steps))[-1].losses.values()
            return _how_it_reverses(model, loss)
    except NotYetError as sentence:
        return f"✗ Not yet: {sentence}"


def _how_it_reverses(model, loss):
    from lib.saved import reversal

    source, target = reversal.new()
    taught = reversal.taught(model, source, target[:, :-1], target)
    alone = reversal.alone(model, source, target)
    example = f"{source[0].tolist()} → {reversal.up_to_end(reversal.written(model, source[:1])[0])}"
    return f"loss {loss:.3f}, taught {taught:.0%}, alone {alone} of {len(source)}: {example}"


# The step that trains


def trained_by(answer, model, sentences, material, steps=STEPS):
    """Train a model of page 10 with the reader's step; yields a line of text every EVERY steps.

    answer(model, optimizer, rate, source, mask, target) -> the loss. Each line has the step, that
    loss, and what the model writes then. The last line says why, if the step stops.
    """
    from lib import corpus
    from lib.decoding import TranslationModel
    from lib.training import AdamW, Recipe, learning_rate, one_thread

    translator = TranslationModel(model, material.english, material.target, "French", corpus.join)
    optimizer = AdamW(model.parameters(), Recipe.weight_decay)
    recipe = Recipe(steps=steps, warm_up=WARM_UP, batch=BATCH)
    for step in range(1, steps + 1):
        chosen = np.random.default_rng([0, step - 1]).integers(0, len(sentences), BATCH)
        source, mask, target, _ = sentences.take(chosen)
        rate = learning_rate(step, recipe)
        try:
            with one_thread():
                loss = loss_of(answer(model, optimizer, rate, source, mask, target))
        except (Exception, SystemExit) as error:  # whatever fails there, the page goes on
            yield f"✗ Not yet: {problem_of(error)}"
            return
        if step == 1 or step % EVERY == 0:
            yield f"step {step:3}   loss {loss:.2f}   {translator.translate(SHOWN.split()).text}"


def one_step(model, optimizer, rate, source, mask, target):
    """The page's step: source (B, S), its padding mask, target (B, T) -> the loss before it."""
    from lib.training import cross_entropy

    logits = model(source, target[:, :-1], mask)  # (B, T - 1, words)
    loss = cross_entropy(logits, target[:, 1:], 0.1)
    model.zero_grad()
    loss.backward()
    optimizer.step(rate)
    return loss.item()


class NoLossError(TypeError):
    """What a training step returned in place of a loss."""


def loss_of(value):
    """The loss that a training step returned, a number; NoLossError for everything else."""
    try:
        loss = numbers(value)
    except Exception as error:
        raise NoLossError(f"your function returns {error}.") from None
    if loss.ndim:
        hint = ", without brackets" if loss.size == 1 else ", the mean"
        raise NoLossError(f"the loss has shape {loss.shape}; expected one number{hint}.")
    return float(loss)


def problem_of(error):
    """The sentence for what a training step raised."""
    if isinstance(error, NoLossError):
        return str(error)
    says = " ".join(f"{type(error).__name__}: {error}".split())[:MOST_LETTERS]
    for part, tip in (TIPS | EVERYWHERE).items():
        if part in says:  # the tip is in place of what the error itself advises
            return f"your step stopped with {says.partition('. ')[0]} [{tip}]."
    return f"your step stopped with {says.rstrip('.')}."


# The cut


def right_after_cut(answer, translator, sentences):
    """The share of right pronouns after the reader's cut of pronoun → adjective, as text.

    answer(weights (H, T, S), query, key) -> (H, T, S) cuts in the cross-attention, sentence by
    sentence. sentences: those of lib.saved.referents. If it stops, the text says why.
    """
    import torch

    from lib.interventions import weights_of

    places = list(zip(sentences.row, sentences.adjective, strict=True))

    def cutting(module, answer):
        def cut(module, given, weights):  # weights (N, H, T, S)
            left = []
            for row, (query, key) in zip(weights.numpy(), places, strict=True):
                left.append(ask(answer, [row, int(query), int(key)], CUT, row.shape))
            return weights.new_tensor(np.array(left))

        return cut

    try:
        with torch.no_grad(), replacing(weights_of(translator.model)["cross"], cutting, answer):
            words = sentences.answers(translator.model)
    except NotYetError as sentence:
        return f"✗ Not yet: {sentence}"
    return f"{(words == sentences.right).float().mean():.2f} right"
