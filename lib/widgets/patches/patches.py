"""Tokens need not be words: a picture cut into 14 x 14 patches that attend to each other.

Notebook 1 shows it.
"""

import re
from collections import Counter

import ipywidgets
import numpy as np
import traitlets

from lib.attention import scaled_dot_product_attention
from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, slider, sources
from lib.widgets.frame.record import Alive

SIDE = 14  # patches in a row and in a column
SHARPNESS = [0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0]
SKY = [5, 8]  # the patch that the story asks about
ASKS = "{} asks \u201cwho is like me?\u201d Who gets the weight?"
EQUAL = "All vectors made equally long: who gets it now?"


def _things(y, x):
    """(name, colour, where) of all that stands in front of the sky, from the back to the front."""
    white, meadow = (1.0, 1.0, 1.0), y > 0.74 - 0.07 * np.sin(4 * x + 0.7)
    return [
        ("sun", (1.0, 0.85, 0.3), np.hypot(x - 0.79, y - 0.18) < 0.1),
        ("cloud", white, np.hypot(x - 0.2, 2 * y - 0.35) < 0.11),
        ("cloud", white, np.hypot(x - 0.33, 2 * y - 0.28) < 0.11),
        ("hills", (0.45, 0.5, 0.7), y > 0.46 - 0.13 * np.sin(8 * x - 0.6)),
        ("sea", (0.1, 0.4, 0.6), y > 0.56),
        ("grass", (0.4, 0.65, 0.25), meadow),
        ("wall", (0.93, 0.88, 0.78), (abs(x - 0.32) < 0.13) & (abs(y - 0.72) < 0.11)),
        ("roof", (0.75, 0.25, 0.18), (abs(x - 0.32) < (y - 0.46) * 1.2) & (y < 0.62)),
        ("door", (0.3, 0.2, 0.15), (abs(x - 0.32) < 0.03) & (abs(y - 0.77) < 0.06)),
        ("trunk", (0.4, 0.25, 0.15), (abs(x - 0.75) < 0.02) & (abs(y - 0.78) < 0.12)),
        ("tree", (0.12, 0.4, 0.18), np.hypot(x - 0.75, y - 0.6) < 0.14),
    ]


def scene():
    """A landscape (112, 112, 3), colours from 0 to 1, by array arithmetic."""
    y, x = np.mgrid[0:112, 0:112] / 112
    ripple = 0.05 * np.sin(50 * y + 9 * np.sin(9 * x)) + 0.04 * np.sin(120 * x + 40 * y)
    picture = np.stack([0.3 + 0.6 * y, 0.58 + 0.4 * y, 0.95 - 0.1 * y], axis=-1)  # sky
    for _, colour, where in _things(y, x):
        picture[where] = colour
    return np.clip(picture + np.where(y > 0.56, ripple, 0)[..., None], 0, 1)


def _names():
    """What most of each patch of the landscape is, 196 words."""
    owner = np.full((112, 112), "sky", dtype=object)
    for name, _, where in _things(*np.mgrid[0:112, 0:112] / 112):
        owner[where] = name
    patches = owner.reshape(SIDE, 8, SIDE, 8).swapaxes(1, 2).reshape(SIDE * SIDE, -1)
    return [Counter(patch).most_common(1)[0][0] for patch in patches]


class PatchesDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("patch", "pinned")
    pixels = traitlets.Bytes().tag(sync=True)  # uint8 (height, width, 3)
    size = traitlets.List(traitlets.Int()).tag(sync=True)  # height and width in pixels
    weights = traitlets.Bytes().tag(sync=True)  # float32 (196, 196)
    lengths = traitlets.List(traitlets.Float()).tag(sync=True)  # of the vectors, as they are
    angles = traitlets.List(traitlets.Int()).tag(sync=True)  # to who gets most at these lengths
    equal = traitlets.Bool().tag(sync=True)  # all are made as long as these are in the mean
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)  # of the patches, or none
    patch = traitlets.List(traitlets.Int()).tag(sync=True)  # row and column, from 0
    pinned = traitlets.Bool().tag(sync=True)


class Patches(Demo):
    """Choose a patch of a picture and see which patches it attends to. Nothing here is trained.

    image: (height, width, 3), floats from 0 to 1 or uint8, both sides a multiple of 14; a landscape
    if not given. Queries, keys and values are the pixels of each patch, standardised over the
    patches. ``weights`` (196, 196) reads all weights, ``patch`` the (row, column) of the chosen
    one. Raises ValueError for any other image.
    """

    title = "Tokens need not be words: patches"
    alive = Alive(computed=("d0.weights",), given=lambda: {"sharpness": SHARPNESS})
    in_class = InClass(ASKS.format("Pale sky"), 3)
    where = ("encoder input", "encoder attention")

    def __init__(self, image=None):
        self.image = _check_image(scene() if image is None else image)
        self.tokens = _tokens(self.image)
        self.lengths = np.linalg.norm(self.tokens, axis=-1)  # (196,)
        self.sharpness = slider("sharpness", SHARPNESS, 0.2)
        self.equal = ipywidgets.Checkbox(False, description="equal lengths", indent=False)
        self.drawing = PatchesDrawing(
            pixels=self.image.tobytes(),
            size=list(self.image.shape[:2]),
            lengths=self.lengths.round(2).tolist(),
            angles=_angles(self.tokens, self.lengths),
            names=_names() if image is None else [],
            patch=SKY,
            veiled=True,
        )
        asks = ASKS.format("Pale sky" if image is None else "This patch")
        super().__init__(asks, [self.sharpness, self.equal], [self.drawing])
        self.tell_story(Step("equal lengths", self._make_equal))
        questions = {False: asks, True: EQUAL}
        traitlets.dlink((self.equal, "value"), (self.header, "question"), questions.get)

    def _make_equal(self):
        self.equal.value, self.drawing.patch, self.drawing.pinned = True, SKY, False

    def update(self):
        tokens = self.tokens
        self.drawing.equal = self.equal.value
        if self.equal.value:
            tokens = tokens / np.maximum(self.lengths, 1e-6)[:, None] * self.lengths.mean()
        scale = self.sharpness.value / tokens.shape[-1] ** 0.5
        _, self.weights = scaled_dot_product_attention(tokens, tokens, tokens, scale=scale)
        self.drawing.weights = self.weights.astype(np.float32).tobytes()

    @property
    def patch(self):
        """Row and column of the chosen patch, from 0; it has ``weights[14 * row + column]``."""
        return tuple(self.drawing.patch)

    def numbers_on_screen(self, shown):
        row, column = self.patch
        found = re.match(r"Row (\d+), column (\d+)", shown["caption"])
        if found:  # it may be the one under the pointer
            row, column = int(found[1]) - 1, int(found[2]) - 1
        if self.drawing.veiled:
            return Numbers([], says="Enter shows it.")
        here = SIDE * row + column
        weights = self.weights[here].astype(float)
        own, most = weights[here], weights.max()
        texts = [most * len(weights)]
        if own > most * (1 - 1e-5) or weights.min() > most * 0.999:
            return Numbers(texts, [row + 1, column + 1] if found else [])
        times = self.lengths[weights.argmax()] / self.lengths[here]
        return Numbers([times, *texts], [times])


def _tokens(image):
    """(196, d_k): the pixels of each patch, standardised over the patches."""
    height, width, _ = image.shape
    grid = image.reshape(SIDE, height // SIDE, SIDE, width // SIDE, 3).swapaxes(1, 2)
    pixels = grid.reshape(SIDE * SIDE, -1) / 255
    spread = pixels.std(axis=0)
    return (pixels - pixels.mean(axis=0)) / np.where(spread > 0, spread, 1)


def _angles(vectors, lengths):
    """Degrees from each vector to the one with which it has the largest dot product."""
    products = vectors @ vectors.T
    cosines = products.max(axis=-1) / np.maximum(lengths * lengths[products.argmax(axis=-1)], 1e-6)
    return np.degrees(np.arccos(np.clip(cosines, -1, 1))).round().astype(int).tolist()


def _check_image(image):
    """The image as uint8."""
    image = np.asarray(image)
    colours = image.ndim == 3 and image.shape[2] == 3 and image.size > 0
    if not colours or image.shape[0] % SIDE or image.shape[1] % SIDE:
        raise ValueError(
            f"the image has shape {image.shape}; expected (height, width, 3), both sides a "
            f"multiple of {SIDE}. "
            f"To cut the edges off: image[: h // {SIDE} * {SIDE}, : w // {SIDE} * {SIDE}, :3]."
        )
    if image.dtype == np.uint8:
        return image
    if image.dtype.kind != "f" or not ((image >= 0) & (image <= 1)).all():
        raise ValueError(
            f"the image holds {image.dtype}; "
            "expected uint8 or floats from 0 to 1: image / image.max()."
        )
    return (image * 255).round().astype(np.uint8)
