"""A translator without a model, with the interface of lib.decoding.TranslationModel.

Each word comes by a table, the maps by rule. The tests of the widget Translator use it, in process
and, pasted into a page, in the browser.
"""

from types import SimpleNamespace

import numpy as np

END = "<end>"
NOUNS = {
    "animal": ("l' animal", "动物"),
    "street": ("la rue", "街"),
    "child": ("l' enfant", "孩子"),
}
WORDS = {
    "the": ("", "那"),
    "didn't": ("n' a pas", "没有"),
    "cross": ("traversé", "穿过"),
    "because": ("parce qu'", "因为"),
    "was": ("était", ""),
    "too": ("trop", "太"),
    "tired": ("fatigué", "累了"),
    "wide": ("large", "宽了"),
    "and": ("et", "而且"),
    "old": ("vieux", "老"),
    "big": ("grand", "大"),
    "incomprehensibly": ("incompréhensiblement", "不可思议地"),
}
PRONOUNS = {
    "French": {"animal": "il", "street": "elle"},
    "Chinese": {"animal": "它", "street": "它"},
}


class FakeTranslator:
    """language: French or Chinese; layers: how many heads each layer has."""

    def __init__(self, language="French", layers=(4, 2)):
        self.language, self.layers, self.asked = language, layers, []
        self.english = SimpleNamespace(
            words=["<pad>", "<start>", END, *NOUNS, *WORDS, "it"], encode=self._encode
        )

    def _encode(self, tokens):
        unknown = [token for token in tokens if token not in self.english.words]
        if unknown:
            raise ValueError(
                f"The model has never seen “{unknown[0]}”. "
                "It knows, for example: animal, street, tired."
            )
        return [self.english.words.index(token) for token in tokens]

    def translate(self, tokens, changes=(), beams=1):
        self.english.encode(tokens)
        self.asked.append((tuple(tokens), tuple(changes)))
        noun = "street" if ("wide" in tokens) != bool(changes) else "animal"
        target, sources = [], []
        for place, token in enumerate(tokens):
            word = (
                PRONOUNS[self.language][noun]
                if token == "it"
                else {**NOUNS, **WORDS}[token][self.language != "French"]
            )
            target += word.split()
            sources += [place] * len(word.split())
        target, sources = [*target, END], [*sources, len(tokens) - 1]
        S, T = len(tokens), len(target)
        scores, own = np.zeros((T, S)), np.zeros((S, S))
        scores[range(T), sources] = 4.5
        own[range(S), range(S)] = 2.5
        if "it" in tokens and noun in tokens:
            scores[:, tokens.index(noun)] += 3.9 * (np.array(sources) == tokens.index("it"))
            own[tokens.index("it"), tokens.index(noun)] = 4
        text = " ".join(target[:-1]).replace("' ", "'").capitalize() + "."
        if self.language == "Chinese":
            text = "".join(target[:-1]) + "。"
        maps = [
            self._maps(each, square) for each, square in ((own, S), (np.eye(T) * 3, T), (scores, S))
        ]
        return SimpleNamespace(
            source=list(tokens),
            target=target,
            text=text,
            encoder=maps[0],
            decoder=maps[1],
            cross=maps[2],
        )

    def _maps(self, scores, S):
        """One array (H, T, S) for each layer: the later the layer and the head, the sharper."""
        layers = []
        for layer, heads in enumerate(self.layers, 1):
            sharpness = np.linspace(0.6, 1.2, heads)[:, None, None] * layer / len(self.layers)
            powers = np.exp(
                sharpness * (scores + 0.6 * np.sin(np.arange(scores.size)).reshape(scores.shape))
            )
            layers.append((powers / powers.sum(-1, keepdims=True)).astype(np.float32))
        return layers
