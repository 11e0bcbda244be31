"""Several heads look at one text: heads, d_k and length to choose (notebook 5)."""

from functools import cache

import ipywidgets
import numpy as np

from lib.attention import MultiHeadParameters, multi_head_attention
from lib.masks import causal_mask
from lib.widgets.attention_map import MapDrawing
from lib.widgets.frame import Demo, slider

D_MODEL = 16
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


class Heads(Demo):
    """Multi-head attention with untrained parameters over the course's sentence and its neighbours.

    The controls are ``heads``, ``d_k``, ``tokens``, ``causal`` and ``tied`` (d_k = d_model /
    heads). ``weights`` (H, T, S) and ``parameters`` read what is on the screen.
    """

    def __init__(self):
        self.drawing = MapDrawing(query=7, key=1)  # it -> animal
        self.heads = slider("heads", [1, 2, 4, 8, 16], 1)
        self.d_k = slider("d_k", [1, 2, 4, 8, 16, 32, 64], 16)
        self.tied = ipywidgets.Checkbox(True, description="d_k = d_model / heads", indent=False)
        self.tokens = slider("tokens", [1, 2, 4, 8, 11, 16, 32, 64, len(TOKENS)], 11)
        self.causal = ipywidgets.Checkbox(False, description="causal mask", indent=False)
        self.count = ipywidgets.Label().add_class("demo-lines")
        self.heads.observe(self._tie_d_k, "value")
        self.tied.observe(self._tie_d_k, "value")
        self.d_k.observe(self._tie_heads, "value")
        self._computed = None
        controls = [self.heads, self.d_k, self.tied, self.tokens, self.causal]
        super().__init__(
            "Several looks at once",
            "Predict: from 1 head to 16, does the number of parameters grow?",
            [*controls, self.drawing.control(), self.count],
            [self.drawing],
        )

    def _tie_d_k(self, _change):
        if self.tied.value:
            self.d_k.value = D_MODEL // self.heads.value

    def _tie_heads(self, _change):
        if self.tied.value:
            self.d_k.value = min(self.d_k.value, D_MODEL)
            self.heads.value = D_MODEL // self.d_k.value

    def update(self):
        chosen = (self.heads.value, self.d_k.value, self.tokens.value, self.causal.value)
        if chosen == self._computed:
            return
        heads, d_k, count, causal = chosen
        if count > len(TOKENS):
            raise ValueError(
                f"tokens = {count}; the text has {len(TOKENS)} tokens, choose at most that many."
            )
        made = parameters(heads * d_k)
        x = vectors()[:count]  # (T, d_model)
        mask = causal_mask(count) if causal else None
        _, weights = multi_head_attention(x, x, x, made, heads, mask)  # (H, T, S)
        self.drawing.show(weights, TOKENS[:count], mask=mask)
        self.parameters, self.weights, self._computed = made, weights, chosen
        self.count.value = (
            f"H × d_k = {heads * d_k}\nparameters: {made.count:,}\nscores: {weights.size:,}\n"
            "random, not trained"
        )

    def __repr__(self):
        heads, d_k, tokens, causal = self._computed
        return f"Heads(heads={heads}, d_k={d_k}, tokens={tokens}, causal={causal})"

    def numbers_on_screen(self, shown):
        return self.drawing.numbers_on_screen(shown)._replace(texts=[])
