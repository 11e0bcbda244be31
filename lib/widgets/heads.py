"""Several heads look at one text: heads, d_k and length to choose, the parameters counted (notebook 5)."""

from functools import cache

import ipywidgets
import numpy as np

from lib.attention import MultiHeadParameters, multi_head_attention
from lib.masks import causal_mask
from lib.widgets.attention_map import MapDrawing
from lib.widgets.frame import Demo

D_MODEL = 16
GAIN = (
    1.5  # untrained parameters give pale maps; larger queries and keys make their pattern visible
)
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


@cache
def _vectors():
    """(128, d_model): one random vector for each distinct word, nothing for its place."""
    generator, words = np.random.default_rng(5), {}
    for token in TOKENS:
        if token.lower() not in words:
            words[token.lower()] = generator.standard_normal(D_MODEL).astype(np.float32)
    return np.array([words[token.lower()] for token in TOKENS])


@cache
def _parameters(width):
    """The same numbers for every number of heads: only where they are cut differs."""
    parameters = MultiHeadParameters.random(np.random.default_rng(8), D_MODEL, width)
    parameters.query *= GAIN
    return parameters


class Heads(Demo):
    """Multi-head attention with untrained parameters over the course's sentence and its neighbours.

    The controls are ``heads``, ``d_k``, ``tokens``, ``causal`` and ``tied`` (d_k = d_model / heads).
    ``weights`` (H, T, S) and ``parameters`` read what is on the screen.
    """

    def __init__(self):
        def slider(options, value, description):
            return ipywidgets.SelectionSlider(options=options, value=value, description=description)

        self.drawing = MapDrawing(query=7, key=1)  # it -> animal
        self.heads = slider([1, 2, 4, 8, 16], 1, "heads")
        self.d_k = slider([1, 2, 4, 8, 16, 32, 64], 16, "d_k")
        self.tied = ipywidgets.Checkbox(True, description="d_k = d_model / heads", indent=False)
        self.tokens = slider([1, 2, 4, 8, 11, 16, 32, 64, 128], 11, "tokens")
        self.causal = ipywidgets.Checkbox(False, description="causal mask", indent=False)
        self.count = ipywidgets.Label().add_class("demo-lines")
        self.heads.observe(lambda _: self._tie(self.heads, self.d_k), "value")
        self.d_k.observe(lambda _: self._tie(self.d_k, self.heads), "value")
        self.tied.observe(lambda _: self._tie(self.heads, self.d_k), "value")
        self._computed = None
        super().__init__(
            "Several looks at once",
            "Predict: from 1 head to 16, does the number of parameters grow?",
            [
                self.heads,
                self.d_k,
                self.tied,
                self.tokens,
                self.causal,
                self.drawing.control(),
                self.count,
            ],
            [self.drawing],
        )

    def _tie(self, moved, other):
        if self.tied.value:
            moved.value = min(moved.value, D_MODEL)
            other.value = D_MODEL // moved.value

    def update(self):
        chosen = (self.heads.value, self.d_k.value, self.tokens.value, self.causal.value)
        if chosen == self._computed:
            return
        heads, d_k, tokens, causal = self._computed = chosen
        self.parameters = _parameters(heads * d_k)
        x, mask = _vectors()[:tokens], causal_mask(tokens) if causal else None
        _, self.weights = multi_head_attention(x, x, x, self.parameters, heads, mask)
        self.drawing.show(self.weights, TOKENS[:tokens], mask=mask)
        self.count.value = (
            f"H × d_k = {heads * d_k}\nparameters: {self.parameters.count:,}\nscores: {self.weights.size:,}\n"
            "random, not trained"
        )

    def draw(self, figure):
        self.drawing.draw(figure)

    def __repr__(self):
        return "Heads(heads={}, d_k={}, tokens={}, causal={})".format(*self._computed)
