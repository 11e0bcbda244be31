"""Translate a sentence and see where each word looked when it was written (notebooks 0 and 10)."""

import re
from difflib import SequenceMatcher
from functools import lru_cache, partial

import ipywidgets
import numpy as np
import traitlets

from lib.corpus import LANGUAGES
from lib.tokens import tokenise
from lib.widgets.frame import Demo, Drawing, Numbers, button, sources

LIMIT = 18  # English words that have room
NOTHING = "nothing"
PARTS = ("encoder", "cross")
# Which weights are shown: of a layer with one head, the mean of its heads, or one of them.
LOOKS = {
    "encoder": {
        "only": "encoder self-attention, layer {layer}",
        "mean": "encoder self-attention, layer {layer}, mean of heads",
        "head": "encoder self-attention, layer {layer}, head {head}",
    },
    "cross": {
        "only": "cross-attention, layer {layer}",
        "mean": "cross-attention, layer {layer}, mean of heads",
        "head": "cross-attention, layer {layer}, head {head}",
    },
}
CHOICES = {
    "only": "layer {layer}",
    "mean": "layer {layer}, mean",
    "head": "layer {layer}, head {head}",
}


class TranslatorDrawing(Drawing):
    _esm, _css = sources("translator")
    state = ("line", "word", "pinned")
    # source; panels, one for each model; looks: which weights are shown
    picture = traitlets.Dict().tag(sync=True)
    # Which line is pointed at: that of model 0 or 1, or -1 for the source.
    line = traitlets.Int(0).tag(sync=True)
    word = traitlets.Int(1).tag(sync=True)  # which of its words, from 0
    pinned = traitlets.Bool().tag(sync=True)


class Translator(Demo):
    """Type an English sentence; point at a word of its translation to see where the decoder looked.

    translators: one decoding.Translator, or {name: Translator} with at most two. swaps: pairs of
    words with a button each. examples: sentences to choose from. changes: {label:
    function(translation) -> Cuts and Swaps}, offered as what to cut. word: the English word that is
    pointed at first, instead of the second word of the translation. ``translation`` reads what is
    on the screen, ``uncut`` the same without the cut ({name: translation} of two models);
    ``sentence`` can be set. Raises ValueError for a first sentence that cannot be translated, and
    for a word that it does not have.
    """

    def __init__(
        self,
        translators,
        sentence="the animal didn't cross the street because it was too tired",
        swaps=(("tired", "wide"),),
        examples=(),
        changes=None,
        title="A Transformer translates, and shows where it looks",
        question=(
            "Predict: where will it look when it writes the pronoun? And if “tired” becomes “wide”?"
        ),
        word=None,
    ):
        if not isinstance(translators, dict):
            translators = {translators.language: translators}
        if not 1 <= len(translators) <= 2:
            raise ValueError(f"{len(translators)} translators; there is room for one or two.")
        self.translators = translators
        self.changes = dict(changes or {})
        self._answers = lru_cache(32)(self._ask)
        self.text = ipywidgets.Text(sentence, description="English", continuous_update=False)
        self._make_controls(swaps, examples)
        self.drawing = TranslatorDrawing()
        if word is not None:
            self._point_at(word)
        controls = [self.text, *self.swaps.values()]
        if examples:
            controls.append(self.examples)
        if changes:
            controls.append(self.cut)
        super().__init__(title, question, [*controls, *self.weights.values()], [self.drawing])
        self.add_class("controls-above")
        self.add_class("translator")

    def _make_controls(self, swaps, examples):
        """The controls below the sentence: swaps, examples, what to cut, which weights to show."""
        self.swaps = {}
        for pair in swaps:
            self.swaps[tuple(pair)] = button(" ↔ ".join(pair), partial(self._swap, pair))
        options = [("examples", ""), *((each, each) for each in examples)]
        self.examples = ipywidgets.Dropdown(options=options)
        self.examples.add_class("translator-examples")
        self.examples.observe(self._choose_example, "value")
        self.cut = ipywidgets.Dropdown(options=[NOTHING, *self.changes], description="cut")
        answers, _ = self._answers(self._tokens(), NOTHING)
        first = [plain for plain, _ in answers.values()]
        self.weights = {
            "encoder": _choice("encoder", [translation.encoder for translation in first]),
            "cross": _choice("cross", [translation.cross for translation in first]),
        }

    def _choose_example(self, change):
        if change.new:
            self.sentence = change.new

    def _point_at(self, word):
        tokens = self._tokens()
        if word not in tokens:
            raise ValueError(
                f"“{word}” is not in the sentence; expected one of: {', '.join(tokens)}."
            )
        self.drawing.line, self.drawing.word = -1, tokens.index(word)

    def _swap(self, pair):
        self.sentence = _swapped(pair, self.sentence)

    def _tokens(self):
        tokens = tuple(tokenise(self.sentence))
        if not 1 <= len(tokens) <= LIMIT:
            raise ValueError(
                f"{len(tokens)} words; "
                f"type an English sentence of 1 to {LIMIT} words, then press Enter."
            )
        return tokens

    def _ask(self, tokens, label):
        """({name: (translation, the one with the changes)}, what hindered the changes)."""
        answers, hindered = {}, []
        for name, translator in self.translators.items():
            plain = cut = translator.translate(list(tokens))
            try:
                changes = list(self.changes[label](plain)) if label != NOTHING else []
                cut = translator.translate(list(tokens), changes=changes) if changes else plain
                if label != NOTHING and not changes:
                    hindered.append("there is nothing to cut in this sentence.")
            except ValueError as error:
                hindered.append(str(error))
            answers[name] = plain, cut
        return answers, f"“{label}”: {hindered[0]}" if hindered else ""

    def update(self):
        for pair, swap in self.swaps.items():
            swap.disabled = _swapped(pair, self.sentence) == self.sentence
            swap.tooltip = ""
            if swap.disabled:
                swap.tooltip = f"neither “{pair[0]}” nor “{pair[1]}” is in the sentence"
        self.examples.value = self.sentence if self.sentence in dict(self.examples.options) else ""
        tokens = self._tokens()
        answers, remark = self._answers(tokens, self.cut.value)
        self.uncut = {name: plain for name, (plain, _) in answers.items()}
        self.translation = {name: cut for name, (_, cut) in answers.items()}
        if len(answers) == 1:
            [(self.uncut, self.translation)] = answers.values()
        panels = [self._panel(name, plain, cut) for name, (plain, cut) in answers.items()]
        looks = {part: self._look(part) for part in PARTS}
        self.drawing.picture = {"source": list(tokens), "panels": panels, "looks": looks}
        return remark

    @property
    def translations(self):
        """What is on the screen, as {name: translation} also of one model."""
        if len(self.translators) > 1:
            return self.translation
        return dict.fromkeys(self.translators, self.translation)

    def _look(self, part):
        """Which weights are shown."""
        layer, head = self.weights[part].value
        translations = self.translations.values()
        heads = max(len(getattr(translation, part)[layer]) for translation in translations)
        kind = "head"
        if head is None:
            kind = "mean" if heads > 1 else "only"
        return _filled(LOOKS[part][kind], layer, head)

    def _panel(self, name, plain, cut):
        """What the drawing shows of one model."""
        label = f"{name}: " if cut is plain else f"{name}, before the cut: "
        language = self.translators[name].language
        return {
            "target": cut.target,
            "probabilities": cut.probabilities,
            "changed": _changed(plain.target, cut.target),
            "name": name,
            "told": {"label": label, "text": plain.text},
            "language": LANGUAGES[language].CODE if language in LANGUAGES else language,
            "encoder": self._shown(cut.encoder, "encoder").tolist(),
            "cross": self._shown(cut.cross, "cross").tolist(),
        }

    def _shown(self, layers, part):
        """(., S): the weights of the layer and head that are chosen, of all that there are."""
        layer, head = self.weights[part].value
        weights = layers[layer]  # (H, ., S)
        return weights.mean(0) if head is None else weights[head]

    @property
    def sentence(self):
        """The English sentence as typed; setting it translates it."""
        return self.text.value

    @sentence.setter
    def sentence(self, sentence):
        self.text.value = sentence

    def __repr__(self):
        texts = ", ".join(translation.text for translation in self.translations.values())
        return f"Translator({self.sentence!r}: {texts})"

    def numbers_on_screen(self, shown):
        part = "encoder" if self.drawing.line < 0 else "cross"
        panel = self.drawing.picture["panels"][0]
        rows, probabilities = np.array(panel[part]), panel["probabilities"]
        if not self.header.message:  # otherwise the picture is that of an earlier sentence
            translation = [*self.translations.values()][0]
            rows, probabilities = (
                self._shown(getattr(translation, part), part),
                translation.probabilities,
            )
        word = min(self.drawing.word, len(rows) - 1)
        row = rows[word]
        looks = [*sorted(row[row > 0], reverse=True)[:3], self._look(part)]
        caption = looks if part == "encoder" else [probabilities[word], *looks]
        return Numbers([*row], caption)


def _swapped(pair, sentence):
    """The sentence with the one word of a pair in the place of the other."""
    one, other = pair
    either = rf"\b({re.escape(one)}|{re.escape(other)})\b"
    return re.sub(
        either,
        lambda found: other if found[0].lower() == one.lower() else one,
        sentence,
        flags=re.I,
    )


def _choice(part, stacks):
    """A control for the layer and head that are shown, of those that every model has.

    At first the mean of the last layer.
    """
    options = []
    for layer, arrays in enumerate(zip(*stacks, strict=False)):
        counts = [len(array) for array in arrays]  # heads of each model
        last = len(options)
        options.append((_label("mean" if max(counts) > 1 else "only", layer), (layer, None)))
        if min(counts) > 1:
            for head in range(min(counts)):
                options.append((_label("head", layer, head), (layer, head)))
    return ipywidgets.Dropdown(options=options, index=last, description=part)


def _label(kind, layer, head=None):
    return _filled(CHOICES[kind], layer, head)


def _filled(sentence, layer, head):
    """The sentence with layer and head counted from 1."""
    return sentence.format(layer=layer + 1, head=0 if head is None else head + 1)


def _changed(before, after):
    """For each word of ``after``, whether it is not one of ``before``."""
    changed = [True] * len(after)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for _, start, size in matcher.get_matching_blocks():
        changed[start : start + size] = [False] * size
    return changed
