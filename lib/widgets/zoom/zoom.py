"""Zoom: from "it" in a sentence to "il" in its translation, in one flight (notebooks 0 and 11)."""

from functools import cache, partial

import numpy as np
import traitlets

from lib.saved.zoom import ADJECTIVES, IT, OPENING, recorded
from lib.widgets.frame import Demo, Drawing, InClass, Numbers, Step, sources
from lib.widgets.frame.record import Alive

LEAST_CHANGE = 0.05  # of a vector's length: below it a vector counts as the same
LEAST_SHARE = 0.025  # of layer 2: below it its number is not told
FULL_CHANGE = 0.5  # from here on it is marked as strongly as can be

# What the drawings are called in zoom.mjs, in their order, with what Enter is called before each,
# the question there, and whether its answer is hidden at first.
SCENES = (
    ("box", "", "In French “it” is “il” or “elle”. How does the model choose?", False),
    (
        "stacks",
        "open the box",
        "One stack reads, one writes. How does “it” reach the next word?",
        False,
    ),
    (
        "heads",
        "layer 1",
        "A head is one way to look. Where does “it” look most in head 4?",
        True,
    ),
    ("arc", "layer 2", "Layer 2 has one head. At which word will “it” look now?", True),
    ("pour", "the value", "“It” looks at the noun. What is in “it” afterwards?", False),
    (
        "alone",
        "feed-forward",
        "Each word alone enters a network. What does “it” mean now?",
        False,
    ),
    (
        "changed",
        "change a word",
        "The last word has changed. What does the model write now?",
        True,
    ),
    ("asks", "hide “it”", "Hide “it” from the decoder: which pronoun changes?", True),
    (
        "models",
        "another model",
        "Another model. Does its “it” look at the noun in layer 2?",
        True,
    ),
    (
        "cut",
        "cut both",
        "Inside the encoder, cut “it” off: which model's word changes?",
        True,
    ),
)
NAMES = [name for name, *_ in SCENES]
LAYERS = ("layer 1 attention", "layer 2 attention")
EVERYWHERE = (*LAYERS, "cross-attention", "output")
EXPLAINED = {  # where in the Transformer a scene is, and on which page
    "box": (EVERYWHERE, "10_translation"),
    "stacks": (EVERYWHERE, "07_encoder"),
    "heads": (("layer 1 attention",), "05_multi_head"),
    "arc": (("layer 2 attention",), "04_queries_keys_values"),
    "pour": (("layer 2 attention",), "04_queries_keys_values"),
    "alone": (("layer 2 feed-forward",), "07_encoder"),
    "changed": (EVERYWHERE, "10_translation"),
    "asks": (("cross-attention", "output"), "08_decoder"),
    "models": (("layer 2 attention",), "11_is_the_picture_true"),
    "cut": ((*LAYERS, "output"), "11_is_the_picture_true"),
}


class ZoomDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("word",)
    # {word: what tools/zoom.py recorded of its sentence, and "changes": of each vector, how much it
    # differs from that of the other sentence, {name: (T,), 0 to 1}}.
    tellings = traitlets.Dict().tag(sync=True)
    last = traitlets.Int().tag(sync=True)  # where the flight ends, a place in SCENES
    word = traitlets.Enum(ADJECTIVES).tag(sync=True)  # the last one of the sentence


class Zoom(Demo):
    """One sentence and its translation, from outside to one head's weights, in ten scenes.

    All numbers are recorded of two models of the course (lib.saved.zoom). scene: the name of the
    first one to be seen, last: of the last one, both of ``NAMES``; word: "tired" or "wide". Raises
    ValueError for others, and if the last scene comes before the first.
    """

    title = "From “it” to “il”"
    alive = Alive(
        messages=("back",),
        changes=tuple({"word": word} for word in ADJECTIVES),
        followed=("d0.word",),
    )
    in_class = InClass(SCENES[0][2], 10)
    where, encoder_layers = EVERYWHERE, 2

    def __init__(self, scene="box", word="tired", last="cut"):
        if not {scene, last} <= set(NAMES) or word not in ADJECTIVES:
            given = f"scene = {scene!r}, last = {last!r}, word = {word!r}"
            raise ValueError(f"{given}; expected scenes of {NAMES}, a word of {ADJECTIVES}.")
        place, end = NAMES.index(scene), NAMES.index(last)
        if end < place:
            raise ValueError(f"last = {last!r} comes before {scene!r}; expected one after it.")
        self.drawing = ZoomDrawing(
            done=place, veiled=SCENES[place][-1], word=word, last=end, tellings=tellings()
        )
        super().__init__(SCENES[place][2], [], [self.drawing])
        self._explain(scene)
        steps = [Step(label, None, question, veils) for _, label, question, veils in SCENES[1:]]
        place_of_change = NAMES.index("changed") - 1
        steps[place_of_change] = steps[place_of_change]._replace(act=self._change_the_word)
        self.drawing.observe(self._ask, "done")
        self.drawing.on_msg(partial(self.attempt, self._go_back))
        self.tell_story(*steps[:end])

    def _change_the_word(self):
        [self.drawing.word] = set(ADJECTIVES) - {self.drawing.word}

    def _go_back(self, _drawing, content, _buffers):
        """A key asks for the scene before, as it was when it was left."""
        if content.get("type") == "back" and self.drawing.done > 0:
            with self.drawing.hold_sync():
                self.drawing.veiled = False
                self.drawing.done -= 1

    def _ask(self, change):
        """The question of the scene, for whoever went back by a key."""
        self.header.question = SCENES[change.new][2]
        self._explain(NAMES[change.new])

    def _explain(self, scene):
        where, self.header.page = EXPLAINED[scene]
        self.header.where = list(where)

    def tell(self):
        """The picture that makes the point: what one changed word changes."""
        wanted = max(NAMES.index("changed"), self.drawing.done)
        self.drawing.done = min(wanted, self.drawing.last)
        if self.drawing.done == NAMES.index("changed"):
            self._change_the_word()
        super().tell()

    def numbers_on_screen(self, _shown):
        if self.drawing.veiled:
            return Numbers([], says="Enter shows the answer.")
        return numbers_of(NAMES[self.drawing.done], self.drawing.word)


@cache
def tellings():
    """What is drawn of both sentences."""
    told = recorded()
    found = {}
    for word, other in (ADJECTIVES, ADJECTIVES[::-1]):
        rows, others = told[word]["tiles"], told[other]["tiles"]
        changes = {name: changed(rows[name], others[name]) for name in rows}
        found[word] = told[word] | {"changes": changes}
    return found


def changed(vectors, others):
    """How strongly each vector is marked: the length of its change over half its own, at most 1."""
    vectors, others = np.array(vectors), np.array(others)  # (T, d_model)
    moved = np.linalg.norm(vectors - others, axis=-1) / np.linalg.norm(vectors, axis=-1)
    return np.where(moved > LEAST_CHANGE, np.minimum(1, moved / FULL_CHANGE), 0).tolist()


def numbers_of(scene, word):
    """The Numbers of a scene, from the models themselves."""
    from lib import saved  # PyTorch, for the tests alone
    from lib.interventions import Cut

    ours, other = saved.load("french_gloss"), saved.load("french")
    told, without = [model.translate([*OPENING, word]) for model in (ours, other)]
    row = told.encoder[1][0, IT]
    noun = int(row.argmax())
    slot = told.target.index("il" if "il" in told.target else "elle")
    theirs = without.encoder[1][:, IT]  # (H, S)
    most = told.encoder[0][:, IT].max(-1)  # of each head of layer 1
    hidden = Cut("cross", query=slot, key=IT)
    alone = [Cut("encoder", query=IT, key=key) for key in range(len(row)) if key != IT]
    left = [odds(model, slot, alone)[-1] for model in (ours, other)]
    one, two = recorded()[word]["models"]
    counts = [one["right"], one["sentences"], two["sentences"]]
    shown = {  # in the drawing, and at the end of the caption
        "heads": ([most[:-1].max(), most[-1]], []),
        "stacks": ([], [len(recorded()[word]["value"])]),
        "arc": (row[row >= LEAST_SHARE], [row[noun]]),
        "pour": ([row[noun], 1 - row[noun]], []),
        "asks": (odds(ours, slot, [hidden]), []),
        "models": ([row[noun], *theirs[:, noun]], [2]),
        "cut": ([*left, *counts], [one["sentences"]]),
    }
    said = {"box": told.target[slot], "changed": told.target[slot], "arc": told.source[noun]}
    texts, caption = shown.get(scene, ([], []))
    return Numbers(np.ravel(texts), caption, says=f"“{said[scene]}”" if scene in said else "")


def odds(model, slot, *cuts):
    """The probability of what the slot writes of both sentences, with each of these cuts."""
    told = [model.translate([*OPENING, each], changes=cut) for each in ADJECTIVES for cut in cuts]
    return [each.probabilities[slot] for each in told]
