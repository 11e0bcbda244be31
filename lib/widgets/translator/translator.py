"""Translate a sentence, see where each word looked when it was written (notebooks 0, 10, 11)."""

from functools import lru_cache, partial
from itertools import product

import ipywidgets
import traitlets

from lib.corpus import LANGUAGES
from lib.tokens import SPECIAL, tokenise
from lib.widgets.frame import Drawing, InClass, Numbers, button, sources
from lib.widgets.frame.record import Alive
from lib.widgets.frame.text_box import TextBox
from lib.widgets.translator.story import NOTHING, QUESTIONS, TranslatorStory, held_out
from lib.widgets.translator.words import (
    MEAN,
    PARTS,
    Answer,
    arrows_of,
    as_lists,
    described,
    either,
    every_look,
    heads,
    named_looks,
    nearest_first,
    pronoun,
    swapped,
    weights_of,
)

LIMIT = 18  # English words that have room
LONGEST = 24  # letters of a typed word that the drawing gets
# What a model of the course learned; of two that are compared it says how they differ.
LEARNED = {False: "learned only to translate", True: "also learned meanings"}
KEPT = 256  # answers, some 10 kB each: who goes back and forth waits once
TIRED = "the animal didn't cross the street because it was too tired"
EXAMPLES = (
    TIRED,
    "the horse wanted to cross the bridge but it was too narrow",
    "the tired animal crossed the street",
    "because it was very hungry the cow didn't find the meadow",
    "the dog saw the cat",
    "the cat saw the dog",
)


class TranslatorDrawing(Drawing):
    _esm, _css = sources(__file__)
    state = ("line", "word", "pinned", "looks", "cuts", "asked")
    # source; panels, one for each model; looks: which weights are shown; heads: to choose from
    picture = traitlets.Dict().tag(sync=True)
    # Which line is pointed at: that of model 0 or 1, or -1 for the source.
    line = traitlets.Int(-1).tag(sync=True)
    word = traitlets.Int(0).tag(sync=True)  # which of its words, from 0
    pinned = traitlets.Bool().tag(sync=True)
    # {part: [layer, head]}, from 0; a head of -1 is the mean of all
    looks = traitlets.Dict().tag(sync=True)
    cuts = traitlets.List().tag(sync=True)  # of [part, layer, head, query, key], cut by hand
    # What is veiled: "where" it looks, or the "words" that are written
    asked = traitlets.Unicode("where").tag(sync=True)
    # Of a sentence that is refused: typed, unknown (their places), words that are known
    refused = traitlets.Dict().tag(sync=True)


class Translator(TranslatorStory):
    """Type an English sentence; point at a word to see where it looks.

    translators: nothing for the course's French and Chinese ones; one decoding.Translator, or a
    list of them with a language each, to choose from; {name: Translator} with at most two, to be
    compared. swaps: pairs of words with a button each. examples: sentences to choose from.
    changes: {label: function(translation) -> Cuts and Swaps}, offered as what to cut. word: the
    word that is asked about first, English or of the translation; *it* if it is not said. Any arrow
    is cut by a click on its digits. ``translation`` reads what is on the screen, ``uncut`` the same
    without the cut ({name: translation} of two models); ``sentence`` can be set. Raises ValueError
    for a first sentence that cannot be translated, and for a word that it does not have.
    """

    title = "A Transformer translates, and shows where it looks"
    in_class = InClass(QUESTIONS["it"], 5)
    where = ("encoder attention", "cross-attention")

    def __init__(
        self,
        translators=None,
        sentence=TIRED,
        swaps=(("tired", "wide"),),
        examples=None,
        changes=None,
        title=None,
        question=None,
        word=None,
    ):
        self._take(translators)
        self.changes = dict(changes or {})
        self._answers = lru_cache(KEPT)(self._translate_all)
        if examples is None:
            examples = () if self.compared else EXAMPLES
        self.drawing = TranslatorDrawing(looks={part: [0, MEAN] for part in PARTS})
        self._make_controls(sentence, swaps, examples)
        first = self._start_at(word)
        super().__init__(question or first, self._shown_controls(), [self.drawing], title)
        self.add_class("translator")
        self.drawing.observe(self.refresh, ["looks", "cuts"])
        self.tell_story()
        self.drawing.on_msg(partial(self.attempt, self._hear))
        self.text.observe(self._typed, "value")
        self.cut.observe(self._follow_cut, "value")

    def _take(self, translators):
        """The translators to choose from or to compare."""
        if translators is None:
            from lib import saved  # PyTorch, which only this demo's models need

            translators = [saved.load(f"{language.lower()}_gloss") for language in LANGUAGES]
        self.compared = translators if isinstance(translators, dict) else {}
        if isinstance(translators, dict) and not 1 <= len(translators) <= 2:
            raise ValueError(f"{len(translators)} translators; there is room for one or two.")
        offered = translators if isinstance(translators, list | tuple) else [translators]
        self.offered = {} if self.compared else {each.language: each for each in offered}

    @property
    def translators(self):
        """{name: translator} of those that are shown."""
        if self.compared:
            return self.compared
        return {self.language.value: self.offered[self.language.value]}

    def _model(self, name):
        return (self.compared or self.offered)[name]

    def _make_controls(self, sentence, swaps, examples):
        self.text = TextBox(sentence, description="English", continuous_update=False)
        self.language = ipywidgets.ToggleButtons(options=list(self.offered))
        self.language.observe(lambda _: self._ask_again("again"), "value")
        self.swaps = {}
        for pair in swaps:
            self.swaps[tuple(pair)] = button(" ↔ ".join(pair), partial(self._swap, tuple(pair)))
        self.surprise = button("surprise me", self._surprise)
        options = [("examples", ""), *((each, each) for each in examples)]
        self.examples = ipywidgets.Dropdown(options=options, description="examples")
        self.examples.add_class("translator-examples")
        self.examples.observe(self._choose_example, "value")
        self.cut = ipywidgets.Dropdown(options=[NOTHING, *self.changes], description="cut")
        self.cut.add_class("translator-cut")
        for control in (self.text, self.examples, self.cut):
            control.add_class("unlabelled")
        self.cuts = {}
        if len(self.changes) == 1:  # several are in the menu, and one of them on Enter
            [label] = self.changes
            self.cuts[label] = button(f"cut {label}", partial(self._cut_one, label))

    def _shown_controls(self):
        shown_ones = [self.text, *self.swaps.values()]
        if not self.compared:
            shown_ones.append(self.surprise)
        if len(self.examples.options) > 1:
            shown_ones.append(self.examples)
        if len(self.offered) > 1:
            shown_ones.append(self.language)
        if self.changes:
            shown_ones += [*self.cuts.values(), self.cut]
        return shown_ones

    # -- what the drawing asks for -----------------------------------------------------------------

    def _hear(self, _drawing, content, _buffers):
        kind = content.get("type")
        if kind == "cut":
            self._cut_arrow(content["key"])
        elif kind == "word":
            self._put(content["word"])
        elif kind == "restore":
            self.sentence = " ".join(self.drawing.picture["source"])

    def _cut_arrow(self, key):
        """Cut the arrow from the word that is pointed at to an English word, or bring it back."""
        line, picture = self.drawing.line, self.drawing.picture
        part = "encoder" if line < 0 else "cross"
        words = picture["source"] if line < 0 else picture["panels"][line]["target"]
        word = min(self.drawing.word, len(words) - 1)
        arrow = [part, *self.drawing.looks[part], word, key]
        others = [each for each in self.drawing.cuts if each != arrow]
        cut = [] if len(others) < len(self.drawing.cuts) else [arrow]
        self.drawing.cuts = [*others, *cut]

    def _put(self, word):
        """A known word in the place of the first that is not known, or at the end."""
        tokens = tokenise(self.sentence)
        unknown = [place for place, token in enumerate(tokens) if token not in self._known()]
        if unknown:
            tokens[unknown[0]] = word
        else:
            tokens.append(word)
        self.sentence = " ".join(tokens)

    def _known(self):
        """The English words that every model knows."""
        known = [translator.english.words for translator in self.translators.values()]
        return [word for word in known[0] if word not in SPECIAL and all(word in w for w in known)]

    # -- what is shown -----------------------------------------------------------------------------

    def _tokens(self):
        tokens = tuple(tokenise(self.sentence))
        if not 1 <= len(tokens) <= LIMIT:
            raise ValueError(
                f"{len(tokens)} words; "
                f"type an English sentence of 1 to {LIMIT} words, then press Enter."
            )
        return tokens

    def _what(self, tokens):
        """What a translation depends on: models, words, what is cut."""
        cuts = []
        for part, layer, head, query, key in self.drawing.cuts:
            if key < len(tokens) and (part == "cross" or query < len(tokens)):
                cuts.append((part, layer, head, query, key))
        return tuple(self.translators), tokens, self.cut.value, tuple(cuts)

    def _translate_all(self, names, tokens, label, cuts):
        """({name: Answer}, what hindered the changes)."""
        answers, hindered = {}, []
        for name in names:
            translator = self._model(name)
            plain = changed = translator.translate(list(tokens))
            changes = _made(cuts)
            try:
                named = list(self.changes[label](plain)) if label != NOTHING else []
                if label != NOTHING and not named:
                    hindered.append("there is nothing to cut in this sentence.")
                changes += named
                if changes:
                    changed = translator.translate(list(tokens), changes=changes)
            except ValueError as error:
                hindered.append(str(error))
            answers[name] = Answer(plain, changed, arrows_of(changes))
        return answers, f"Cut {label}: {hindered[0]}" if hindered else ""

    def update(self):
        self._offer_swaps()
        try:
            tokens = self._tokens()
            answers, remark = self._answers(*self._what(tokens))
        except ValueError as error:
            self._refuse()
            message, _, _ = str(error).partition("\nI know these words:")  # they are drawn
            raise ValueError(message) from error
        self.uncut = {name: answer.plain for name, answer in answers.items()}
        self.translation = {name: answer.changed for name, answer in answers.items()}
        with self.drawing.hold_sync():
            self.drawing.refused = {}
            self.drawing.picture = self._picture(list(tokens), answers)
            self.offer()
        if not self.compared:
            [(self.uncut, self.translation, _)] = answers.values()
        return remark

    def _offer_swaps(self):
        for pair, swap in self.swaps.items():
            swap.disabled = swapped(pair, self.sentence) == self.sentence
            swap.tooltip = ""
            if swap.disabled:
                swap.tooltip = f"neither “{pair[0]}” nor “{pair[1]}” is in the sentence"

    def _refuse(self):
        """Nothing of the last sentence stays; the known words are offered."""
        tokens, known = tokenise(self.sentence), self._known()
        unknown = [i for i, token in enumerate(tokens[:LIMIT]) if token not in known]
        words = known if len(tokens) <= LIMIT else []
        if words and unknown:
            words = nearest_first(words, tokens[unknown[0]][:LONGEST])
        self.drawing.pinned = False
        self.drawing.refused = {
            "typed": [token[:LONGEST] for token in tokens[:LIMIT]],
            "unknown": unknown,
            "words": words,
        }
        self.offer()

    def _picture(self, source, answers):
        looks = self.drawing.looks
        shown = partial(as_lists, looks=looks)
        plain = [answer.plain for answer in answers.values()]
        return {
            "source": source,
            "panels": [self._panel(name, answer, shown) for name, answer in answers.items()],
            "looks": {part: described(plain, part, looks[part]) for part in PARTS},
            "heads": {part: heads(plain, part) for part in PARTS},
        }

    def _panel(self, name, answer, shown):
        """What the drawing shows of one model; shown: what of its translation."""
        plain, changed, cuts = answer
        language = self._model(name).language
        panel = {
            "name": name,
            "learned": self._learned(name),
            "language": LANGUAGES[language].CODE if language in LANGUAGES else language,
            "pronoun": pronoun(changed.target),
            "either": either(changed.source) if language == "French" else "",
            "cuts": cuts,
            **shown(changed),
        }
        if changed is not plain:
            panel["plain"] = shown(plain)
        return panel

    def _learned(self, name):
        model = getattr(self._model(name), "model", None)
        if not self.compared or model is None:
            return ""
        return LEARNED[model.gloss is not None]

    # -- on a page without Python ------------------------------------------------------------------

    @property
    def alive(self):
        """Sentences to choose from are recorded with every layer, head and named cut."""
        return Alive(
            told=True,
            followed=("d0.done",),
            texts={self._path(self.text): self._recorded_sentences()},
            spared=[self._path(one) for one in [self.examples] if one in self.controls],
            computed=("d0.picture",),
            given=self._given,
        )

    def _path(self, control):
        place = f"c{self.controls.index(control)}"
        return f"{place}.value" if control is self.text else f"{place}.index"

    def _recorded_sentences(self):
        """What the controls lead to, each also with the other word of a pair."""
        found = [self._start[0][2], *(value for _, value in self.examples.options if value)]
        if self.surprise in self.controls:
            found += held_out()
        for pair in self.swaps:
            found += [swapped(pair, sentence) for sentence in found]
        return list(dict.fromkeys(found))

    def _given(self):
        """What live.mjs makes each picture of: the answers by where these controls stand.

        weights: of all that was written, for each layer its heads and last their mean; an answer
        has their numbers there.
        """
        asked = [one for one in (self.text, self.language, self.cut) if one in self.controls]
        models = [[name] for name in self.offered] or [list(self.compared)]
        answers, weights = {}, []

        def shown(translation):
            of_all = every_look(translation)
            weights.extend(layers for layers in of_all.values() if layers not in weights)
            places = {part: weights.index(layers) for part, layers in of_all.items()}
            return {"target": translation.target, **places}

        cuts = enumerate(self.cut.options)
        choices = product(self._recorded_sentences(), enumerate(models), cuts)
        for sentence, (language, names), (cut, label) in choices:
            tokens = tuple(tokenise(sentence))
            found, _ = self._translate_all(names, tokens, label, ())
            places = {self.text: sentence, self.language: language, self.cut: cut}
            answers["|".join(str(places[one]) for one in asked)] = {
                "source": list(tokens),
                "panels": [self._panel(name, answer, shown) for name, answer in found.items()],
            }
        plain = [answer.plain for answer in found.values()]
        stacks = {part: heads(plain, part) for part in PARTS}
        return {
            "asked": [self._path(one) for one in asked],
            "answers": answers,
            "weights": weights,
            "heads": stacks,
            "words": {part: named_looks(plain, part, stacks[part]) for part in PARTS},
        }

    @property
    def translations(self):
        """What is on the screen, as {name: translation} also of one model."""
        if self.compared:
            return self.translation
        return dict.fromkeys(self.translators, self.translation)

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
        if self.drawing.refused:
            return Numbers([], says="")
        if self.drawing.veiled:
            return Numbers([], says="Enter shows")
        part = "encoder" if self.drawing.line < 0 else "cross"
        look = self.drawing.looks[part]
        translation = [*self.translations.values()][0]
        rows = weights_of(translation, part, look)
        row = rows[min(self.drawing.word, len(rows) - 1)]
        goal = shown["here"][0]
        told = described([translation], part, look)
        here = self.drawing.line, self.drawing.word
        is_at_most = goal == row.argmax() and translation.source[goal] == "it"
        if is_at_most and here == (0, pronoun(translation.target)):  # then, where *it* had looked
            told = weights_of(translation, "encoder", self.drawing.looks["encoder"])[goal].max()
        return Numbers([*row], [row[goal], told])


def _made(cuts):
    """The Cuts of what was cut by hand."""
    if not cuts:
        return []
    from lib.interventions import Cut  # PyTorch, which only this demo's models need

    made = []
    for part, layer, head, query, key in cuts:
        one = None if head == MEAN else head
        made.append(Cut(part, layer=layer, head=one, query=query, key=key))
    return made
