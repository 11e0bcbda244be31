"""Translate a sentence and see where each word looked when it was written (notebooks 0 and 10)."""

import re
from difflib import SequenceMatcher
from functools import lru_cache, partial

import ipywidgets
import numpy as np
import traitlets

from lib import plots
from lib.corpus import LANGUAGES
from lib.tokens import tokenise
from lib.widgets.frame import Demo, Drawing, button, sources

LIMIT = 18  # English words that have room
NOTHING = "nothing"
PARTS = {"encoder": "encoder self-attention", "cross": "cross-attention"}


class TranslatorDrawing(Drawing):
    _esm, _css = sources("translator")
    state = ("line", "word", "pinned")
    picture = traitlets.Dict().tag(
        sync=True
    )  # source; panels, one for each model; looks: which weights are shown
    line = traitlets.Int(0).tag(
        sync=True
    )  # which line is pointed at: that of model 0 or 1, or -1 for the source
    word = traitlets.Int(1).tag(sync=True)  # which of its words, from 0
    pinned = traitlets.Bool().tag(sync=True)


class Translator(Demo):
    """Type an English sentence; point at a word of its translation to see where the decoder looked.

    translators: one decoding.Translator, or {name: Translator} with at most two. swaps: pairs of words with a button
    each. examples: sentences to choose from. changes: {label: function(translation) -> Cuts and Swaps}, offered as what
    to cut. word: the English word that is pointed at first, instead of the second word of the translation.
    ``translation`` reads what is on the screen, ``uncut`` the same without the cut ({name: translation} of two
    models); ``sentence`` can be set. Raises ValueError for a first sentence that cannot be translated, and for a word
    that it does not have.
    """

    def __init__(
        self, translators, sentence="the animal didn't cross the street because it was too tired",
        swaps=(("tired", "wide"),), examples=(), changes=None,
        title="A Transformer translates, and shows where it looks",
        question="Predict: where will it look when it writes the pronoun? And if “tired” becomes “wide”?",
        word=None,
    ):  # fmt: skip
        self.translators = (
            translators if isinstance(translators, dict) else {translators.language: translators}
        )
        if not 1 <= len(self.translators) <= 2:
            raise ValueError(f"{len(self.translators)} translators; there is room for one or two.")
        self.changes, self._answers = dict(changes or {}), lru_cache(32)(self._ask)
        self.text = ipywidgets.Text(sentence, description="English", continuous_update=False)
        self.swaps = {
            tuple(pair): button(" ↔ ".join(pair), partial(self._swap, pair)) for pair in swaps
        }
        self.examples = ipywidgets.Dropdown(
            options=[("examples", ""), *((each, each) for each in examples)]
        )
        self.examples.add_class("translator-examples")
        self.examples.observe(
            lambda change: change.new and setattr(self, "sentence", change.new), "value"
        )
        self.cut = ipywidgets.Dropdown(options=[NOTHING, *self.changes], description="cut")
        first = [plain for plain, _ in self._answers(self._tokens(), NOTHING)[0].values()]
        self.weights = {
            part: _choice(part, [getattr(each, part) for each in first]) for part in PARTS
        }
        self.drawing = TranslatorDrawing()
        if word is not None:
            tokens = self._tokens()
            if word not in tokens:
                raise ValueError(
                    f"“{word}” is not in the sentence; expected one of: {', '.join(tokens)}."
                )
            self.drawing.line, self.drawing.word = -1, tokens.index(word)
        controls = [
            self.text,
            *self.swaps.values(),
            *[self.examples] * bool(examples),
            *[self.cut] * bool(changes),
        ]
        super().__init__(title, question, [*controls, *self.weights.values()], [self.drawing])
        self.add_class("controls-above")
        self.add_class("translator")

    def _swap(self, pair):
        self.sentence = _swapped(pair, self.sentence)

    def _tokens(self):
        tokens = tuple(tokenise(self.sentence))
        if not 1 <= len(tokens) <= LIMIT:
            raise ValueError(
                f"{len(tokens)} words; type an English sentence of 1 to {LIMIT} words, then press Enter."
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
                hindered += ["there is nothing to cut in this sentence."] * (
                    label != NOTHING and not changes
                )
            except ValueError as error:
                hindered.append(str(error))
            answers[name] = plain, cut
        return answers, f"“{label}”: {hindered[0]}" if hindered else ""

    def update(self):
        for pair, swap in self.swaps.items():
            swap.disabled = _swapped(pair, self.sentence) == self.sentence
            swap.tooltip = (
                f"neither “{pair[0]}” nor “{pair[1]}” is in the sentence" if swap.disabled else ""
            )
        self.examples.value = self.sentence if self.sentence in dict(self.examples.options) else ""
        tokens = self._tokens()
        answers, remark = self._answers(tokens, self.cut.value)
        self.uncut, self.translation = (
            {name: both[i] for name, both in answers.items()} for i in range(2)
        )
        panels = [self._panel(name, plain, cut) for name, (plain, cut) in answers.items()]
        labels = {
            part: control.label.replace("mean", "mean of heads")
            for part, control in self.weights.items()
        }
        looks = {part: f"{told}, {labels[part]}" for part, told in PARTS.items()}
        self.drawing.picture = {"source": list(tokens), "panels": panels, "looks": looks}
        if len(answers) == 1:
            self.uncut, self.translation = *self.uncut.values(), *self.translation.values()
        return remark

    def _panel(self, name, plain, cut):
        """What the drawing shows of one model."""
        changed = [True] * len(cut.target)
        for _, start, size in SequenceMatcher(
            None, plain.target, cut.target, autojunk=False
        ).get_matching_blocks():
            changed[start : start + size] = [False] * size
        told = [f"{name}{', before the cut' * (cut is not plain)}: ", plain.text]
        language = self.translators[name].language
        words = {"target": cut.target, "probabilities": cut.probabilities, "changed": changed}
        words |= {
            "name": name,
            "told": told,
            "language": LANGUAGES[language].CODE if language in LANGUAGES else language,
        }
        for part, control in self.weights.items():
            layer, head = control.value
            weights = getattr(cut, part)[layer]  # (H, ., S)
            words[part] = (weights.mean(0) if head is None else weights[head]).tolist()
        return words

    @property
    def sentence(self):
        """The English sentence as typed; setting it translates it."""
        return self.text.value

    @sentence.setter
    def sentence(self, sentence):
        self.text.value = sentence

    def __repr__(self):
        translations = (
            self.translation.values() if len(self.translators) > 1 else [self.translation]
        )
        return f"Translator({self.sentence!r}: {', '.join(each.text for each in translations)})"

    @property
    def height(self):
        return 3.2 + 1.3 * len(self.translators)

    def draw(self, figure):
        picture, count = self.drawing.picture, len(self.translators)
        rows = [[f"lines {i}"] * count for i in range(count)] + [[f"map {i}" for i in range(count)]]
        axes = figure.subplot_mosaic(rows, height_ratios=[1.3] * count + [3])
        for i, panel in enumerate(picture["panels"]):
            source, (target, note) = _names(picture["source"])[0], _names(panel["target"])
            lines, chart, weights = axes[f"lines {i}"], axes[f"map {i}"], np.array(panel["cross"])
            word = min(self.drawing.word if self.drawing.line >= 0 else 1, len(target) - 1)
            _draw_lines(lines, source, target, word, weights[word])
            lines.set_title(
                plots.latin(panel["name"] + note if note else "".join(panel["told"]), 99),
                fontsize=9,
            )
            chart.imshow(weights, cmap="cividis", vmin=0, vmax=1, aspect="auto")
            chart.set_title(picture["looks"]["cross"], fontsize=9)
            chart.set_xticks(
                range(len(source)),
                source,
                rotation=40,
                ha="right",
                rotation_mode="anchor",
                fontsize=8,
            )
            chart.set_yticks(range(len(target)), target, fontsize=8)
            chart.set_xlabel("key (who is asked)", fontsize=8)
            chart.set_ylabel("query (the row that wrote it)", fontsize=8)
            for (t, s), weight in np.ndenumerate(weights):
                ink = "black" if weight > 0.5 else "white"
                chart.text(
                    s, t, f"{weight:.2f}", ha="center", va="center", size=7 - count, color=ink
                )


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
    """A control for the layer and head that are shown, of those that every model has; at first the mean of the last."""
    options = []
    for layer, arrays in enumerate(zip(*stacks, strict=False)):
        heads, last = sorted(map(len, arrays)), len(options)
        options.append((f"layer {layer + 1}{', mean' * (heads[-1] > 1)}", (layer, None)))
        each = range(heads[0]) if heads[0] > 1 else ()
        options += [(f"layer {layer + 1}, head {head + 1}", (layer, head)) for head in each]
    return ipywidgets.Dropdown(options=options, index=last, description=part)


def _names(words):
    """Words as matplotlib's font can draw them, or their numbers, with a note that says so."""
    if all(ord(letter) < 256 for word in words for letter in word):
        return [plots.latin(word) for word in words], ""
    return [
        str(number) for number in range(1, len(words) + 1)
    ], ": words by number (the font of this picture is Latin)"


def _draw_lines(axes, source, target, word, weights):
    """The two lines of words, and where the row that wrote one of them looked."""
    wide = [np.array([len(each) + 2.5 for each in words]) for words in (target, source)]
    places = [(np.cumsum(each) - each / 2) / each.sum() for each in wide]
    for y, words in enumerate((target, source)):
        for i, (x, each) in enumerate(zip(places[y], words, strict=True)):
            color = (
                plots.KEY
                if y and weights[i] >= 0.1
                else plots.QUERY
                if not y and i == word
                else "black"
            )
            axes.text(
                x, y, each, ha="center", va="center", color=color, size=min(9, 800 / wide[y].sum())
            )
    for x, weight in zip(places[1], weights, strict=True):
        axes.plot(
            [places[0][word], x],
            [0.2, 0.6],
            color=plots.WEIGHT,
            lw=7 * weight,
            alpha=min(1, 0.2 + weight),
        )
        axes.text(x, 0.77, f"{weight:.2f}", ha="center", va="center", size=6, color=plots.KEY)
    axes.set(xlim=(0, 1), ylim=(-0.2, 1.2))
    axes.axis("off")
