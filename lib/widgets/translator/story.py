"""The questions that the demo Translator asks, one after the other."""

from functools import cache, partial

from lib import corpus
from lib.tokens import tokenise
from lib.widgets.frame import Demo, Step
from lib.widgets.translator.words import MEAN, PARTS, heads, swapped

NOTHING = "cut nothing"
ROUNDS = 2  # of cuts that Enter asks for: more of them tire
HELD_OUT = 12  # sentences that "surprise me" walks through
QUESTIONS = {
    "it": "What does “it” mean here? Where will “it” look?",
    "pronoun": "Where did the model look when it wrote “{word}”?",
    "other": "Which English words did each word come from?",
    "swap": "Now “{new}”, not “{old}”. Where will “it” look?",
    "swap pronoun": "Now “{new}”. Where does it look to write the pronoun?",
    "cut": "Cut {label}: what is written?",
    "cut encoder": "Cut the look of “{word}” at “{key}”: what is written?",
    "cut cross": "Cut the look of “{word}” at “{key}”: what is written?",
    "swap cut": "Now “{new}”, with the same cut: what is written?",
    "whole": "Nothing is cut. Where will “it” look?",
    "whole pronoun": "Nothing is cut. Where does it look to write the pronoun?",
    "again": "A new sentence. Where will “it” look?",
    "again pronoun": "A new sentence. Where does it look to write the pronoun?",
}


@cache
def held_out():
    """Sentences that no model of the course has learned from."""
    pairs = corpus.make("French", count=1, held_out=HELD_OUT).unseen_pairs
    return [" ".join(pair.english) for pair in pairs]


class TranslatorStory(Demo):
    """What is asked of a Translator's sentences, and when the answer is veiled.

    ``about`` says of which word: "it", "pronoun" (the row that wrote it) or "other".
    """

    about = "other"
    is_asking = False  # while a question changes the sentence

    def _start_at(self, word):
        """Point at a word, the answer veiled: what is asked of it.

        Raises ValueError for a word that there is not.
        """
        tokens = self._tokens()
        answers, _ = self._answers(*self._what(tokens))
        plain = [answer.plain for answer in answers.values()]
        self.last = {part: [len(heads(plain, part)) - 1, MEAN] for part in PARTS}
        self.drawing.looks = self.last
        target = plain[0].target
        if word is None and "it" not in tokens:
            self.about, line, place = "other", 0, 0
        elif word is None or word in tokens:
            word = word or "it"
            self.about = "it" if word == "it" else "pronoun"
            line, place = -1, tokens.index(word)
        elif word in target:
            self.about = "pronoun"
            line, place = 0, len(target) - 1 - target[::-1].index(word)
        else:
            raise ValueError(
                f"“{word}” is not in the sentence; expected one of: {', '.join(tokens)}."
            )
        self.drawing.line, self.drawing.word = line, place
        self.drawing.veiled = self.about != "other"
        return QUESTIONS[self.about].format(word=word)

    def _point(self):
        """Point at *it*, or at the pronoun where the demo is about it; False if there is none."""
        source, panels = self.drawing.picture["source"], self.drawing.picture["panels"]
        if self.about == "it" and "it" in source:
            self.drawing.line, self.drawing.word = -1, source.index("it")
            return True
        if self.about == "pronoun" and panels[0]["pronoun"] >= 0:
            self.drawing.line, self.drawing.word = 0, panels[0]["pronoun"]
            return True
        return False

    def _question(self, kind, **names):
        """In words; some are others where the demo is about the pronoun's row."""
        of_pronoun = f"{kind} pronoun"
        if self.about == "pronoun" and of_pronoun in QUESTIONS:
            kind = of_pronoun
        return QUESTIONS[kind].format(**names)

    def _ask(self, question, asked="where", **names):
        """A question, its answer veiled."""
        self.header.question = self._question(question, **names)
        with self.drawing.hold_sync():
            self.drawing.asked = asked
            self.drawing.pinned = False
            self.drawing.veiled = True

    def _ask_again(self, question, **names):
        """The demo's question about the sentence that stands there now, if it can be asked."""
        if self.drawing.refused:
            return
        if self._point():
            self._ask(question, **names)
            return
        self.header.question = QUESTIONS["other"]
        self.drawing.veiled = False

    def _show_sentence(self, sentence, ask, done=0, cut=NOTHING):
        """A sentence that a control brings, and what is asked of it: ask().

        What was cut in the last one is whole again, but for ``cut``.
        """
        self.is_asking = True
        with self.drawing.hold_sync():
            self.drawing.done = done
            self.drawing.cuts = []
            self.cut.value = cut
            self.sentence = sentence
            ask()
        self.is_asking = False

    def _typed(self, _change):
        """A sentence of the reader's own: point at the word that the demo is about."""
        if self.is_asking or self.drawing.refused:
            return
        self.drawing.done = 0
        if self._is_cut():
            self._ask_cut()
        else:
            self.header.question = self._question("again" if self._point() else "other")

    def _swap(self, pair):
        new, names = self._swapped(pair)
        # Where Enter cuts, it can cut in the new sentence, too.
        done = 0 if self.changes else 1
        self._show_sentence(new, partial(self._ask_again, "swap", **names), done)

    def _swapped(self, pair):
        """The sentence with the other word of a pair, and which is new and which old."""
        new, (one, other) = swapped(pair, self.sentence), pair
        names = {"new": one, "old": other} if one in tokenise(new) else {"new": other, "old": one}
        return new, names

    def _surprise(self):
        """The next of the sentences that no model has learned from; after any other the first."""
        sentences = held_out()
        place = sentences.index(self.sentence) if self.sentence in sentences else -1
        new = sentences[(place + 1) % HELD_OUT]
        self._show_sentence(new, partial(self._ask_again, "again"))

    def _choose_example(self, change):
        if change.new:
            self.examples.value = ""  # it stays a menu, and can be chosen again
            self._show_sentence(change.new, partial(self._ask_again, "again"))

    def _is_cut(self):
        return self.cut.value != NOTHING and not self.header.message

    def _follow_cut(self, _change):
        if self._is_cut():
            self._ask_cut()
        elif not (self.is_asking or self.drawing.refused or self.header.message):
            self.header.question = self._question("whole" if self._point() else "other")
            self.drawing.asked = "where"

    def _ask_cut(self, question="cut", **names):
        """Point at the row of the arrow that is cut, and ask what is written now."""
        picture = self.drawing.picture
        panel = picture["panels"][0]
        arrows = panel["cuts"]
        if arrows:
            part, _, _, self.drawing.word, key = arrows[-1]
            self.drawing.line = -1 if part == "encoder" else 0
            if question == "cut":
                source = picture["source"]
                words = source if part == "encoder" else panel["plain"]["target"]
                names = {"word": words[self.drawing.word], "key": source[key]}
                question = f"cut {part}"
        if arrows or self._point():
            self._ask(question, asked="words", label=self.cut.value, **names)

    def _cut_one(self, label):
        """Cut; or mend it again."""
        if self.cut.value == label:
            self.cut.value = NOTHING
        else:
            self._cut(label)

    def _cut(self, label):
        with self.drawing.hold_sync():
            self.drawing.done = 1 + list(self.changes).index(label)
            self.cut.value = label

    def _swap_under_the_cut(self, pair):
        """The other sentence, with the same cut."""
        new, names = self._swapped(pair)
        done, ask = 1 + len(self.changes), partial(self._ask_cut, "swap cut", **names)
        self._show_sentence(new, ask, done, self.cut.value)

    def _ask_pronoun(self):
        panel = self.drawing.picture["panels"][0]
        with self.drawing.hold_sync():
            self.drawing.line, self.drawing.word = 0, panel["pronoun"]
            self._ask("pronoun", word=panel["target"][panel["pronoun"]])

    def _steps(self):
        """The Steps of this sentence: each asks its question itself, if it can be asked."""
        if self.changes:
            if self.cut.value != NOTHING and self.drawing.done == 0:
                return []
            step = partial(Step, veils=False)
            cuts = [step(f"Cut {one}", partial(self._cut, one)) for one in self.changes]
            return (cuts + self._steps_to_swap(self._swap_under_the_cut))[:ROUNDS]
        steps = self._steps_to_swap(self._swap)
        panel = self.drawing.picture["panels"][0]
        has_both = panel["pronoun"] >= 0 and "it" in self.drawing.picture["source"]
        if self.about == "it" and not self.compared and has_both:
            word = panel["target"][panel["pronoun"]]
            steps.append(Step(f"and “{word}”?", self._ask_pronoun, veils=False))
        return steps

    def _steps_to_swap(self, swap):
        """One Step, or none where the sentence has neither word of the first pair."""
        for pair in list(self.swaps)[:1]:
            new, names = self._swapped(pair)
            if new != self.sentence:
                return [Step("{old} → {new}".format(**names), partial(swap, pair), veils=False)]
        return []

    def take(self, step, act=None):
        """A step begins with nothing cut by hand, and with the layers of the start."""
        with self.drawing.hold_sync():
            self.drawing.cuts, self.drawing.looks = [], self.last
            super().take(step, act)

    def coming(self):
        left = self._steps()[self.drawing.done :]
        return left[0] if left else None

    def offer(self, _change=None):
        """Of a sentence that is refused there is no story: Enter takes a word of the drawing."""
        if self.drawing.refused:
            self.drawing.enter = None
        else:
            super().offer()
