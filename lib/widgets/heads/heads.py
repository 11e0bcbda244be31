"""Several heads look at one text: d_model is cut into slices (notebook 5)."""

from functools import cache

import ipywidgets
import numpy as np
import traitlets

from lib.attention import MultiHeadParameters, multi_head_attention
from lib.masks import causal_mask
from lib.tokens import START, START_ID
from lib.widgets.attention_map.attention_map import MapDrawing
from lib.widgets.frame import Demo, InClass, Numbers, Step, UnaskedDrawing, slider, sources
from lib.widgets.frame.places import ATTENTION
from lib.widgets.frame.record import Alive

NUMBERS_OF_HEADS = [1, 2, 4, 8, 16]
D_MODEL = 16  # of the random parameters
# Untrained parameters give pale maps; larger queries make their pattern visible.
GAIN = 1.5
TEXT = """
The animal didn't cross the street because it was too tired
The animal didn't cross the street because it was too wide
The dog was old and the road was long so it lay down to sleep
A bird saw the dog and sang but it did not hear
The river near the street was cold because it came from the mountain
The animal wanted to drink from the river but it was too deep
A woman gave water to the dog because it was thirsty
Then the dog walked to the street again and this time it was not tired
The street was empty and so it was easy for all to cross
On the other side was a house with a garden and it was green
"""
TOKENS = TEXT.split()
SENTENCE = "the animal didn't cross the street because it was too tired".split()
MOST_LOOKS = 8  # heads whose looks have room beside the maps
LAYER = 1  # of the trained model, from 0: its last
GROWS = "From 1 head to 16: what grows, parameters or attention weights?"
WORDS = "How many different words do the heads look at?"
# The word that asks at first: "too", where four trained heads look at four words, and "it".
ASKS = {"trained": 1 + SENTENCE.index("too"), "random": TOKENS.index("it")}


@cache
def vectors():
    """(128, d_model): one random vector for each distinct word, nothing for its place."""
    generator = np.random.default_rng(5)
    words = {}
    for token in TOKENS:
        if token.lower() not in words:
            words[token.lower()] = generator.standard_normal(D_MODEL).astype(np.float32)
    return np.array([words[token.lower()] for token in TOKENS])


@cache
def parameters(width):
    """d_model x width: the same for every number of heads, only where they are cut differs."""
    made = MultiHeadParameters.random(np.random.default_rng(8), D_MODEL, width)
    made.query *= GAIN
    return made


@cache
def trained():
    """The attention of the trained writer's last layer.

    Its parameters, what goes into it for the course's sentence, (T, d_model), and its heads.
    """
    import torch  # here, for most demos of lib.widgets do without PyTorch, which loads slowly

    from lib import saved

    writer = saved.load("writer")
    attention = writer.model.decoder.layers[LAYER].attention
    given = []
    hook = attention.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    with torch.no_grad():
        writer.model(torch.tensor([[START_ID, *writer.vocabulary.encode(SENTENCE)]]))
    hook.remove()
    return MultiHeadParameters.from_torch(attention), given[0][0].numpy(), attention.heads


class HeadsDrawing(MapDrawing, UnaskedDrawing):
    """The maps of all heads, the slices they get of d_model, and what they cost."""

    _esm, _css = sources(__file__)
    state = ("head", "query", "key", "solo")
    d_model = traitlets.Int(1).tag(sync=True)
    d_k = traitlets.Int(1).tag(sync=True)
    parameters = traitlets.Int(1).tag(sync=True)
    usual = traitlets.Int(1).tag(sync=True)  # parameters while d_k is d_model / H
    trained = traitlets.Int(0).tag(sync=True)  # heads that the model was trained with; 0: random


class Heads(Demo):
    """Multi-head attention, cut into 1 to 16 heads, of a trained model or with random parameters.

    The controls are ``source`` ("trained" or "random") and ``heads``; with random parameters also
    ``d_k``, ``tied`` (d_k = d_model / heads), ``tokens`` and ``causal``. ``weights`` (H, T, S) and
    ``parameters`` read what is on the screen.
    """

    title = "Several looks at once"
    # The trained heads: with random parameters its controls have 630 settings, too many to record.
    alive = Alive(
        only={"c0.index": [0], "c2.index": [], "c3.value": [], "c4.index": [], "c5.value": []}
    )
    in_class = InClass(GROWS, 5)
    where = ATTENTION

    def __init__(self):
        self.drawing = HeadsDrawing(query=ASKS["trained"])
        its_heads = trained()[2]
        sources = [(f"trained with {its_heads} heads", "trained"), ("random", "random")]
        self.source = ipywidgets.Dropdown(options=sources, description="parameters")
        self.heads = slider("heads", NUMBERS_OF_HEADS, 1)
        self.d_k = slider("d_k", [1, 2, 4, 8, 16, 32, 64], 16)
        self.tied = ipywidgets.Checkbox(True, description="tied", indent=False)
        self.tokens = slider("T", [1, 2, 4, 8, 11, 16, 32, 64, len(TOKENS)], 11)
        self.causal = ipywidgets.Checkbox(False, description="causal", indent=False)
        self.heads.observe(self._tie_d_k, "value")
        self.tied.observe(self._tie_d_k, "value")
        self.d_k.observe(self._tie_heads, "value")
        self.source.observe(self._ask_anew, "value")
        self._computed = None
        super().__init__(
            GROWS,
            [self.source, self.heads, self.d_k, self.tied, self.tokens, self.causal],
            [self.drawing],
        )
        most = NUMBERS_OF_HEADS[-1]
        self.tell_story(
            Step(f"{most} heads", lambda: self._cut(most), veils=False),
            Step(f"{its_heads} heads", self._as_trained, WORDS),
        )

    def _cut(self, heads):
        self.heads.value = heads

    def _as_trained(self):
        """The heads that the model was trained with; at whom the word *too* looks is asked."""
        self.source.value = "trained"
        self._cut(trained()[2])
        self.drawing.query, self.drawing.solo = ASKS["trained"], -1

    def _tie_d_k(self, _change):
        if self.tied.value:
            self.d_k.value = D_MODEL // self.heads.value

    def _tie_heads(self, _change):
        if self.tied.value:
            self.d_k.value = min(self.d_k.value, D_MODEL)
            self.heads.value = D_MODEL // self.d_k.value

    def _ask_anew(self, _change):
        self.drawing.query = ASKS[self.source.value]

    def tell(self):
        """The heads as they were trained: the word *too* looks at four words at once."""
        self.take(self.story[-1])
        super().tell()

    @property
    def is_trained(self):
        return self.source.value == "trained"

    def update(self):
        for control in (self.d_k, self.tied, self.tokens, self.causal):
            control.layout.display = "none" if self.is_trained else None
        if self.is_trained:
            self._show_trained(self.heads.value)
        else:
            self._show_random(
                self.heads.value, self.d_k.value, self.tokens.value, self.causal.value
            )

    def _show_trained(self, heads):
        made, x, its_heads = trained()
        chosen = ("trained", heads, x.shape[1] // heads, len(x), True)
        self._show(chosen, x, made, [START, *SENTENCE], made.count, its_heads)

    def _show_random(self, heads, d_k, count, causal):
        if count > len(TOKENS):
            raise ValueError(
                f"tokens = {count}; the text has {len(TOKENS)} tokens, choose at most that many."
            )
        chosen = ("random", heads, d_k, count, causal)
        usual = parameters(D_MODEL).count
        self._show(chosen, vectors()[:count], parameters(heads * d_k), TOKENS[:count], usual, 0)

    def _show(self, chosen, x, made, tokens, usual, its_heads):
        """Compute and send what was chosen, in one message; x (T, d_model)."""
        if chosen == self._computed:
            return
        _, heads, d_k, count, causal = chosen
        mask = causal_mask(count) if causal else None
        _, weights = multi_head_attention(x, x, x, made, heads, mask)  # (H, T, S)
        with self.drawing.hold_sync():
            self.drawing.show(weights, tokens, mask=mask)
            self.drawing.d_model, self.drawing.d_k = x.shape[1], d_k
            self.drawing.parameters, self.drawing.usual = made.count, usual
            self.drawing.trained = its_heads
        self.parameters, self.weights, self._computed = made, weights, chosen

    def __repr__(self):
        source, heads, d_k, tokens, causal = self._computed
        return f"Heads({source}, heads={heads}, d_k={d_k}, tokens={tokens}, causal={causal})"

    def numbers_on_screen(self, shown):
        heads, T, S = self.weights.shape
        head = min(self.drawing.head, heads - 1)
        query, key = min(self.drawing.query, T - 1), min(self.drawing.key, S - 1)
        row = self.weights[head, query]  # (S,)
        costs = [f"{self.parameters.count:,}", heads] if self.drawing.solo < 0 else []
        if self.drawing.done == len(self.story) and heads <= MOST_LOOKS:
            leaders = self.weights[:, query].argmax(-1)  # (H,)
            words = len({self.drawing.key_tokens[leader] for leader in leaders})
            looks = [] if self.drawing.solo >= 0 else self.weights[:, query].max(-1)
            costs = [] if self.drawing.veiled else [*looks, words]
        said = shown["captions"][0]
        if said.startswith(("Predict", "Each")):
            return Numbers(costs)
        caption = [head + 1, row.max()]
        if "gives" in said:
            caption.insert(1, row[key])
        elif self.is_trained and heads != self.drawing.trained and "may" not in said:
            caption.append(self.drawing.trained)
        return Numbers(costs, caption, self.drawing.query_tokens[query])
