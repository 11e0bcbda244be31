"""What page 16 measures of the chat model: which heads copy, and what a cut of some heads costs.

``chat`` is a lib.pretrained.today.ChatModel, whose ``measured`` calls these functions; heads are
pairs [layer, head] from 0 on. Costs are in bits: minus log2 of the share that a token had.
"""

import re
from functools import cache
from pathlib import Path
from textwrap import fill

import numpy as np

from lib.attention import grouped_attention
from lib.copying import name, next_of_last_time, one_back, twice
from lib.pretrained.llama_model import END_OF_TEXT
from lib.pretrained.today import bits_of, cost_of, encoded, letters, read_together

MEASURED = Path(__file__).parent / "measured_copying.safetensors"
SHORT, LONG = 10, 30  # words of a sequence, before it comes again
CHOOSING, SHOWN = [0, 1, 2], 3  # draws that choose heads, and one of those that test them
MOST = 3  # places of a look on record: those that get most
WORD = re.compile("Ġ[a-z]{3,6}")  # a piece that begins a word; Ġ is its space
STEPS = 255  # of a weight on record
COLUMNS = 90  # of a story that is printed
NAMES = {
    "Zorvaneth Quillimby": "Last winter a man called Zorvaneth Quillimby moved into the house next "
    "door. He was quiet and kept to himself, but the children liked him. One evening my father "
    "knocked at his door and asked whether Mr Zorvaneth Quillimby would come to dinner.",
    "Trumpelswick": "My aunt grows roses in a small village called Trumpelswick, which is on no "
    "map. It rains there nearly every day. If you ever want to see her garden, take the train and "
    "walk the last mile to Trumpelswick.",
    "bexatroline": "The new drug is known as bexatroline. It was tried on forty patients in two "
    "hospitals, and most of them slept better. Nobody knows yet what happens to people who take "
    "bexatroline for years.",
}


# -- the task -------------------------------------------------------------------------------------


@cache
def pool_of(words):
    """The ids of all pieces of BytePairs that begin a word and have 3 to 6 letters."""
    return [number for number, piece in enumerate(words.pieces) if WORD.fullmatch(piece)]


def drawn(model, N, seed):
    """(1 + 2 * N,): the sign that begins a text, N words at random, the same words again."""
    words = model.words
    return twice(pool_of(words), N, seed, [words.ids[END_OF_TEXT]])


def draws(model, N, seeds):
    """(draws, 1 + 2 * N): a draw of each seed, to be read together."""
    return np.array([drawn(model, N, seed) for seed in seeds])


def words_drawn(chat, N, seed):
    """(N, longest), as lib.pretrained.today.letters has it: the words of a draw."""
    ids = drawn(chat.llama, N, seed)[1 : N + 1]
    return letters([chat.llama.words.decode([number]).strip() for number in ids])


def by_lot(sizes, count, seed):
    """[[layer, head], ...]: so many heads of a model with sizes (layers, H), drawn at random."""
    picked = np.random.default_rng(seed).choice(np.prod(sizes), count, replace=False)
    return np.column_stack(np.unravel_index(picked, sizes)).tolist()


# -- where heads look -----------------------------------------------------------------------------


def maps(chat, N, seed):
    """(layers, H, places): the weights of a draw, the rows of each triangle one after the other,
    in STEPS steps; ``unpacked`` makes maps of them.
    """
    weights = np.array(chat.llama.run(drawn(chat.llama, N, seed))[1])  # (layers, H, T, T)
    rows, columns = np.tril_indices(weights.shape[-1])
    return np.round(weights[..., rows, columns] * STEPS).astype(np.uint8)


def unpacked(packed):
    """(layers, H, T, T): the maps that ``maps`` packed."""
    T = int((2 * packed.shape[-1]) ** 0.5)
    rows, columns = np.tril_indices(T)
    weights = np.zeros((*packed.shape[:-1], T, T), np.float32)
    weights[..., rows, columns] = packed / np.float32(STEPS)
    return weights


def shares(chat, N, seeds):
    """(draws, 2, layers, H): of each head what it gives to the token after the last occurrence,
    and to the token just before.
    """
    _, maps = chat.llama.run(draws(chat.llama, N, seeds))
    weights = np.array(maps).swapaxes(0, 1)  # (draws, layers, H, T, T)
    return np.stack([next_of_last_time(weights, N), one_back(weights)], axis=1)


def looks(chat, N, seed):
    """(2, layers, H, N, MOST): of each word of the second time the places that get most, and what
    they get in STEPS steps, the largest first.
    """
    weights = np.array(chat.llama.run(drawn(chat.llama, N, seed))[1])[:, :, N + 1 :]
    order = np.argsort(-weights, axis=-1, kind="stable")[..., :MOST]
    given = np.take_along_axis(weights, order, axis=-1)
    return np.stack([order, np.round(given * STEPS)]).astype(np.uint8)


# -- what a cut costs -----------------------------------------------------------------------------


def costs(chat, cuts, N, seeds, texts):
    """(cuts, 3): with each list of heads cut, the bits of a word the first time, of one the second
    time, and of a token of the texts; (cuts, 2) without texts. Means over draws, and over texts.
    """
    rows = []
    for heads in cuts:
        model = chat.llama.without(heads)
        bits = bits_of(model, draws(model, N, seeds))
        row = np.mean([means_of(each) for each in bits], axis=0)
        rows.append([*row, *([cost_of_texts(model, texts)] if texts else [])])
    return np.array(rows)


def means_of(bits):
    """(first, second) mean of the bits (2 * N,) of a draw, of which place i has word i + 1; what
    nobody can know, the first word of either, is left out.
    """
    N = len(bits) // 2
    return bits[1:N].mean(), bits[N + 1 :].mean()


def word_costs(chat, cuts, N, seed):
    """(cuts, 2 * N): the bits of each word of a draw, with each list of heads cut."""
    ids = [drawn(chat.llama, N, seed)]
    return np.array([bits_of(chat.llama.without(heads), ids)[0] for heads in cuts], np.float32)


def cost_of_texts(model, texts):
    """The mean bits of a token: the mean of the texts' means."""
    bits = bits_of(model, encoded(model, texts))
    return np.mean([each.mean() for each in bits])


def name_costs(chat, cuts, texts):
    """(names, 1 + cuts, 3): the mean bits of a token of a name the first time, the second time, and
    of all others; first as the model is, then with each list of heads cut. texts: {name: text}.
    """
    models = [chat.llama, *(chat.llama.without(heads) for heads in cuts)]
    return np.array([_of_names(model, texts) for model in models]).swapaxes(0, 1)


def _of_names(model, texts):
    words, found = model.words, []
    rows = [[words.ids[END_OF_TEXT], *words.encode(text)] for text in texts.values()]
    for said, ids, bits in zip(texts, rows, bits_of(model, rows), strict=True):
        pieces = words.encode(f" {said}")
        size = len(pieces)
        starts = [at for at in range(len(ids)) if ids[at : at + size] == pieces]
        named = np.array([[at - 1 + step for step in range(size)] for at in starts])
        first, second = bits[named].mean(1)
        found.append([first, second, np.delete(bits, named.ravel()).mean()])
    return found


def name_looks(chat, noting, copying, name, step):
    """(2,): what the heads ``noting`` give, at token step + 1 of a name of NAMES, the first time it
    stands there, to the token before; and what the heads ``copying`` give, at token ``step`` the
    second time, to the one that came after it the first time. Means over the heads.
    """
    words = chat.llama.words
    ids = [words.ids[END_OF_TEXT], *words.encode(NAMES[name])]
    pieces = words.encode(f" {name}")
    places = range(len(ids) - len(pieces) + 1)
    first, second = (at + step for at in places if ids[at : at + len(pieces)] == pieces)
    _, weights = chat.llama.run(ids)
    noted = [weights[layer][head, first + 1, first] for layer, head in noting]
    copied = [weights[layer][head, second, first + 1] for layer, head in copying]
    return np.array([np.mean(noted), np.mean(copied)])


# -- by which of the three does it arrive? --------------------------------------------------------


class Attention:
    """Attention for Llama.exchanged that keeps what it is given, layer by layer, or takes one of
    the three (0 queries, 1 keys, 2 values) of some layers from another run's ``kept``.
    """

    def __init__(self, kept=None, part=None, layers=()):
        self.other, self.part, self.layers, self.kept = kept, part, layers, []

    def __call__(self, queries, keys, values, mask):
        given = [queries, keys, values]
        layer = len(self.kept)
        self.kept.append(given)
        if layer in self.layers:
            given = [*given]
            given[self.part] = self.other[layer][self.part]
        return grouped_attention(*given, mask)


def given_back(chat, cut, copying, N, seeds):
    """(2 + 3, 2): the bits of a word the second time, and the mean share that the heads ``copying``
    give to the token after the last occurrence: of the model as it is, with ``cut``, and with it
    when the layers of ``copying`` get their queries, their keys or their values as if it were not.
    """
    layers = sorted({layer for layer, _ in copying})
    rows = draws(chat.llama, N, seeds)
    whole = Attention()
    found = [_second(chat.llama, rows, whole, copying)]
    spoilt = chat.llama.without(cut)
    found.append(_second(spoilt, rows, Attention(), copying))
    for part in range(3):
        found.append(_second(spoilt, rows, Attention(whole.kept, part, layers), copying))
    return np.array(found)


def _second(model, rows, attention, heads):
    """(bits, share) of the second time when the model attends with this, means over draws."""
    N = rows.shape[1] // 2
    other = model.exchanged(grouped_attention=attention)
    outputs, weights = read_together(other, rows)
    pairs = zip(outputs, rows, strict=True)
    bits = [means_of(cost_of(other.logits(output[:-1]), ids))[1] for output, ids in pairs]
    share = [next_of_last_time(weights[layer][:, head], N) for layer, head in heads]
    return np.mean(bits), np.mean(share)


# -- a rule from three examples -------------------------------------------------------------------

MADE_UP = "blick zorp dax wug fep toma kiki bouba lorp snarf plim grex vorn mib yat quim".split()
NOUNS = (
    "apple river stone window garden table bread candle mirror pocket ladder basket button "
    "feather blanket kettle"
).split()
OPPOSITES = (
    "hot cold, big small, up down, fast slow, old young, day night, rich poor, wet dry, hard soft, "
    "full empty, open closed, light dark, high low, happy sad"
)
EXAMPLES = 3


def made_up_task(random):
    """(text, right answer): three made-up words with what they mean, then one of them again."""
    words = random.choice(MADE_UP, EXAMPLES, replace=False)
    means = random.choice(NOUNS, EXAMPLES, replace=False)
    asked = random.integers(EXAMPLES)
    lines = [f"{word} = {meaning}" for word, meaning in zip(words, means, strict=True)]
    return "\n".join([*lines, f"{words[asked]} ="]), f" {means[asked]}"


def opposite_task(random):
    """(text, right answer): three pairs of opposites, then half of a fourth."""
    pairs = [pair.split() for pair in OPPOSITES.split(", ")]
    *shown, asked = (pairs[i] for i in random.permutation(len(pairs))[: EXAMPLES + 1])
    lines = [f"{one} -> {other}" for one, other in shown]
    return "\n".join([*lines, f"{asked[0]} ->"]), f" {asked[1]}"


TASKS = {"made-up words": made_up_task, "opposites": opposite_task}


def right_answers(chat, cuts, count, seed):
    """(cuts, tasks): the share of ``count`` texts of each of TASKS after which the right answer's
    first piece is the most probable of all tokens.
    """
    rows = []
    for heads in cuts:
        model, row = chat.llama.without(heads), []
        for make in TASKS.values():
            random = np.random.default_rng(seed)
            row.append(_share_right(model, [make(random) for _ in range(count)]))
        rows.append(row)
    return np.array(rows)


def _share_right(model, pairs):
    """The share of the (text, right answer) whose answer begins with the most probable token."""
    words = model.words
    rows = [[words.ids[END_OF_TEXT], *words.encode(text)] for text, _ in pairs]
    outputs, _ = read_together(model, rows)
    said = model.logits(np.array([output[-1] for output in outputs])).argmax(-1)
    return np.mean(said == [words.encode(answer)[0] for _, answer in pairs])


# -- as the page prints it ------------------------------------------------------------------------


def told_name(costs):
    """The first story of NAMES, and what a token of its name costs; costs (names, 3)."""
    first, again, _ = costs[0]
    story = fill(next(iter(NAMES.values())), COLUMNS)
    bits = f"a token of the name, first time: {first:.2f} bits; second time: {again:.2f}"
    return f"{story}\n\n{bits}"


def told_cuts(labels, found):
    """What is left of the copy, and of prose, a line for each cut; found (cuts, 3)."""
    lines = ["heads cut   first time  second time  prose   (bits)"]
    for label, (first, again, prose) in zip(labels, found, strict=True):
        lines.append(f"{label:10}  {first:10.2f}  {again:11.2f}  {prose:5.2f}")
    return "\n".join(lines)


def told_singly(heads, found, shares):
    """Where heads look, and what each costs when it is cut alone; the last one for comparison.

    found: (heads, 2), as ``costs`` has them; shares: (2, layers, H), means of ``shares``.
    """
    lines = []
    for (layer, head), (_, again) in zip(heads, found, strict=True):
        copy, back = shares[:, layer, head]
        where = f"looks where our four do {copy:.2f}, one word back {back:.2f}"
        lines.append(f"{name([layer, head]):17}  cut: {again:5.2f} bits; {where}")
    return "\n".join([*lines[:-1], "", "for comparison", lines[-1]])


def told_doors(doors):
    """What comes back with what is given back; doors (5, 2), as ``given_back`` has them."""
    labels = ["nothing cut", "cut", "queries given back", "keys given back", "values given back"]
    lines = [f"{'':18}  second time  the four look"]
    for label, (bits, share) in zip(labels, doors, strict=True):
        lines.append(f"{label:18}  {bits:6.2f} bits  {share:13.2f}")
    return "\n".join(lines)
