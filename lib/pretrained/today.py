"""The chat model of page 15, what is measured of it, and the parts that the page exchanges.

Its weights are where `python3 start.py real` puts them; without them there is what was recorded.
Costs are in bits: minus log2 of the share that a token had which came.
"""

from pathlib import Path

import numpy as np

from lib.attention import scaled_dot_product_attention
from lib.pretrained.llama_model import llama
from lib.pretrained.on_record import NOT_RECORDED, NoWeights, OnRecord
from lib.pretrained.talk import recorded_talk, talk_to

FILE = Path(__file__).resolve().parents[2] / "real_model" / "SmolLM2-135M-Instruct.Q4_1.gguf"
MEASURED = Path(__file__).parent / "measured_today.safetensors"
CAPITAL, WATER = "The capital of France is", "Water is made of hydrogen and"
FEW = 4  # tokens that it writes after these: a name, and what follows it
FRANCE = "What is the capital of France?"  # whose answer is recorded
PROSE = [  # on any subject, about as long
    "The tall grass by the river bends when the wind comes from the sea. In the evening the "
    "farmers walk home along the old road, and their dogs run ahead of them.",
    "Water boils at a lower temperature on a mountain, because the air above it is thinner. So an "
    "egg has to stay in the pot for longer before it is hard.",
    "When the bank raised its rates, people who had borrowed to buy a house found that they had "
    "less to spend, and the shops in the town felt it within a month.",
    "She opened the letter with care, read it twice, and put it back into the drawer. Then she "
    "went to the window and waited until the last train had left the station.",
]


class ChatModel(OnRecord):
    """``llama``: SmolLM2-135M-Instruct, a lib.pretrained.Llama; NoWeights without its weights."""

    def __init__(self, path=FILE, record=MEASURED):
        super().__init__(record, has_weights=Path(path).is_file())
        self.llama = llama(path) if self.has_weights else NoWeights()

    @classmethod
    def recorded(cls, record=MEASURED):
        """The model as it is without its weights: it needs no memory, and knows one question."""
        return cls(path="", record=record)

    def talk(self, question):
        """A Talk; without the weights the recorded one. Raises ValueError for what has none."""
        if self.has_weights:
            return talk_to(self.llama, question)
        recorded, talk = recorded_talk()
        if question != recorded:
            raise ValueError(f"{NOT_RECORDED} In its place: {recorded}")
        return talk


# -- what a text costs, and what is written -------------------------------------------------------


def encoded(model, texts):
    """[ids (T,) of each text], for ``read_together``."""
    return [model.words.encode(text) for text in texts]


def read_together(model, rows, mask=None):
    """([output (T, d_model) of each row of ids], [weights (rows, H, longest, longest) of each
    layer]): it takes half the time of one row after the other.

    Shorter rows are filled up at their end, where nobody before it looks.
    """
    longest = max(map(len, rows))
    filled = np.array([[*ids, *[0] * (longest - len(ids))] for ids in rows])
    outputs, weights = model.run(filled, mask=mask)
    return [output[: len(ids)] for output, ids in zip(outputs, rows, strict=True)], weights


def scores_of(model, rows, mask=None):
    """Of each row of ids (T,) what the model says after its tokens but the last, (T - 1, size).

    One after the other: those of a text are 7 MB.
    """
    outputs, _ = read_together(model, rows, mask)
    return (model.logits(output[:-1]) for output in outputs)


def cost_of(scores, ids):
    """Bits (T - 1,) of each token of ids (T,) but the first."""
    lower = scores - scores.max(-1, keepdims=True)
    came = lower[np.arange(len(lower)), ids[1:]]
    return (np.log(np.exp(lower, out=lower).sum(-1, dtype=float)) - came) / np.log(2)


def bits_of(model, rows, mask=None):
    """[(T - 1,) of each row of ids]: the bits of its tokens but the first."""
    scored = zip(scores_of(model, rows, mask), rows, strict=True)
    return [cost_of(scores, ids) for scores, ids in scored]


def written(model, text, most=FEW):
    """What the model writes after a text, always the most probable token."""
    return model.words.decode([token.id for token in model.write(text, most=most)])


# -- one part in the place of another -------------------------------------------------------------


def layer_norm(x, gain, epsilon):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon) * gain


def unturned(x, positions, base, pairs):
    return x


def with_relu(x, p):
    return (np.maximum(x @ p.gate, 0) * (x @ p.up)) @ p.down


def without_gate(x, p):
    up = x @ p.up
    return (up / (1 + np.exp(-up))) @ p.down


def shared_in_turn(queries, keys, values, mask):
    """Head h of the queries asks head h % G of the keys, not h // (H / G)."""
    times = (queries.shape[-3] // keys.shape[-3], 1, 1)
    return scaled_dot_product_attention(queries, np.tile(keys, times), np.tile(values, times), mask)


FAULTS = {  # what stands in the place of which part: Llama.exchanged(**these)
    "norm: layer norm": {"rms_norm": layer_norm},
    "positions: base 10,000": {"base": 10_000.0},
    "positions: other pairs": {"pairs": "halves"},
    "positions: none": {"rotary": unturned},
    "network: ReLU": {"swiglu": with_relu},
    "network: no gate": {"swiglu": without_gate},
    "keys: wrong heads": {"grouped_attention": shared_in_turn},
}


def faulty(model):
    """The model with each of FAULTS, one after the other."""
    return [model.exchanged(**parts) for parts in FAULTS.values()]


def cost_of_faults(chat, texts):
    """(1 + faults, 2): of the model as it is and with each of FAULTS what a token of the texts
    costs, in bits, and how far a score is off at most.
    """
    rows = encoded(chat.llama, texts)
    right = [*scores_of(chat.llama, rows)]
    models = [chat.llama, *faulty(chat.llama)]
    return np.array([_beside(right, model, rows) for model in models])


def _beside(right, model, rows):
    """(mean bits, the largest difference from the right scores) of a model."""
    bits, off = [], []
    for wanted, scores, ids in zip(right, scores_of(model, rows), rows, strict=True):
        bits.append(cost_of(scores, ids).mean())
        off.append(np.abs(scores - wanted).max())
    return np.mean(bits), np.max(off)


def answers_of_faults(chat, texts):
    """(1 + faults) * texts, as ``letters``: what each of these models writes after each text."""
    models = [chat.llama, *faulty(chat.llama)]
    return letters([written(model, text) for model in models for text in texts])


def letters(texts):
    """Texts as numbers (texts, longest), for a record of arrays; ``texts_of`` reads them."""
    return np.array(texts).view(np.uint32).reshape(len(texts), -1)


def texts_of(numbers):
    return [str(text) for text in np.ascontiguousarray(numbers).view(f"<U{numbers.shape[1]}")[:, 0]]


def differences(one, other, texts):
    """(texts,): the largest difference between the scores of two models.

    Text by text: a reader's functions know no axis of texts.
    """
    found = []
    for text in texts:
        ids = one.words.encode(text)
        mine, yours = (model.logits(model.run(ids)[0][:-1]) for model in (one, other))
        found.append(float(np.abs(mine - yours).max()))
    return found


def beside_with(parts):
    """What measures, for texts, the ``differences`` between the model and one with these parts."""
    return lambda chat, texts: differences(chat.llama, chat.llama.exchanged(**parts), texts)


def said_with(parts):
    """What tells, as ``letters``, how the model with these parts goes on after each text."""

    def said(chat, texts):
        model = chat.llama.exchanged(**parts)
        return letters([written(model, text) for text in texts])

    return said


# -- the first place ------------------------------------------------------------------------------

LATER = 20  # from this place on, "later" tokens may no longer look


def first_shares(chat, texts):
    """(2, layers): the share of a token's look that place 0 gets; that place 1 gets if nobody may
    look at place 0. Means over heads, tokens from place 2 on, and texts.
    """
    rows = encoded(chat.llama, texts)
    found = []
    for place in (0, 1):
        mask = _all_seen(rows)
        mask[1:, :place] = False
        _, weights = read_together(chat.llama, rows, mask)
        of_texts = [
            [layer[i, :, 2 : len(ids), place].mean() for layer in weights]
            for i, ids in enumerate(rows)
        ]
        found.append(np.mean(of_texts, axis=0))
    return np.array(found)


def _all_seen(rows):
    """The mask (longest, longest) of rows that are read together, before anything is closed."""
    longest = max(map(len, rows))
    return np.ones((longest, longest), bool)


def cost_without(chat, texts, places):
    """(1 + places, 2): mean bits of tokens from LATER on if nobody may look at a place.

    The first row: nobody is stopped. Columns: all other tokens are stopped; those from LATER on.
    """
    rows = encoded(chat.llama, texts)
    return [
        [_later_cost(chat.llama, rows, place, start) for start in (0, LATER)]
        for place in (None, *places)
    ]


def _later_cost(model, rows, place, start):
    mask = _all_seen(rows)
    if place is not None:
        mask[max(start, place + 1) :, place] = False
    return np.mean([bits[LATER - 1 :].mean() for bits in bits_of(model, rows, mask)])
