"""What the demo Translator reads off sentences and their translations."""

import difflib
import re
from typing import NamedTuple

import numpy as np

from lib.corpus import NOUNS

PARTS = ("encoder", "cross")
MEAN = -1  # instead of a head's number: the mean of all heads
PRONOUNS = ("il", "elle")
EITHER = "“il” (the {m}) or “elle” (the {f})"  # by the gender of the nouns
HALF = 50  # ten-thousandths: as far from the two digits below as from those above
# Which weights are shown: of a layer with one head, the mean of its heads, or one of them.
LOOKS = {
    "encoder": {
        "only": "encoder, layer {layer}",
        "mean": "encoder, layer {layer}, mean",
        "head": "encoder, layer {layer}, head {head}",
    },
    "cross": {
        "only": "layer {layer}",
        "mean": "layer {layer}, mean",
        "head": "layer {layer}, head {head}",
    },
}


class Answer(NamedTuple):
    """What a model wrote, without the changes and with them, and the arrows that they cut."""

    plain: object
    changed: object
    cuts: list


def arrows_of(changes):
    """[part, layer, head, query, key] of each arrow that is cut by its words; -1 is every one."""
    found = []
    for change in changes:
        places = [getattr(change, name, None) for name in ("query", "key")]
        if hasattr(change, "other") or not all(isinstance(place, int) for place in places):
            continue  # a swap, or more than one arrow
        of = [-1 if place is None else place for place in (change.layer, change.head)]
        found.append([change.part, *of, *places])
    return found


def swapped(pair, sentence):
    """The sentence with the one word of a pair in the place of the other."""
    one, other = pair

    def exchanged(found):
        return other if found[0].lower() == one.lower() else one

    either = rf"\b({re.escape(one)}|{re.escape(other)})\b"
    return re.sub(either, exchanged, sentence, flags=re.IGNORECASE)


def nearest_first(known, word):
    """The known words, those that are written nearly like ``word`` before all others."""
    near = difflib.get_close_matches(word, known)
    return near + [each for each in known if each not in near]


def pronoun(target):
    """The place of the pronoun, or of the noun that is said again; -1 where there is none."""
    for place in reversed(range(len(target))):
        word = target[place]
        if word in PRONOUNS or (len(word) > 1 and word.isalpha() and word in target[:place]):
            return place
    return -1


def either(source):
    """What each pronoun would stand for; "" where the nouns have the same gender."""
    nouns = {NOUNS[word].gender: word for word in source if word in NOUNS}
    return EITHER.format(**nouns) if len(nouns) > 1 else ""


def weights_of(translation, part, look):
    """(., S): the weights of the layer and head that are chosen, of all that a model has."""
    layers = getattr(translation, part)
    layer, head = look
    weights = layers[min(layer, len(layers) - 1)]  # (H, ., S)
    return weights.mean(0) if head == MEAN or head >= len(weights) else weights[head]


def described(translations, part, look):
    """In words, which weights are shown."""
    layer, head = look
    heads = max(len(getattr(each, part)[layer]) for each in translations)
    kind = "head"
    if head == MEAN:
        kind = "mean" if heads > 1 else "only"
    return LOOKS[part][kind].format(layer=layer + 1, head=head + 1)


def named_looks(translations, part, stacks):
    """``described`` for each layer and each of its heads, and last for their mean."""
    return [
        [described(translations, part, [layer, head]) for head in [*range(count), MEAN]]
        for layer, count in enumerate(stacks)
    ]


def heads(translations, part):
    """For each layer that all models have, how many heads they have to choose from."""
    stacks = [getattr(each, part) for each in translations]
    return [min(len(layer) for layer in layers) for layers in zip(*stacks, strict=False)]


def as_lists(translation, looks):
    """What the drawing shows of a translation."""
    shown = {part: drawn(weights_of(translation, part, look)) for part, look in looks.items()}
    return {"target": translation.target, **shown}


def every_look(translation):
    """{part: of each layer what the drawing shows of its heads, and last of their mean}.

    In ten-thousandths, which are short: live.mjs divides them.
    """

    def heads_and_mean(layer):
        return [_ten_thousandths(drawn(weights)) for weights in (*layer, layer.mean(0))]

    return {part: [*map(heads_and_mean, getattr(translation, part))] for part in PARTS}


def drawn(weights):
    """The weights as lists, with four digits, unless these round up or down to the two shown."""
    exact = np.asarray(weights, float)
    near = exact.round(4)
    is_between = np.round(1e4 * near) % 100 == HALF
    return np.where(is_between, exact, near).tolist()


def _ten_thousandths(weights):
    """Rows of whole numbers; a weight that has more than four digits keeps them."""
    parts = 1e4 * np.array(weights)
    whole = parts.round()
    is_whole = np.isclose(parts, whole, rtol=0, atol=1e-6)
    pairs = zip(whole.ravel(), parts.ravel(), is_whole.ravel(), strict=True)
    short = [int(near) if is_near else exact for near, exact, is_near in pairs]
    width = parts.shape[1]
    return [short[i : i + width] for i in range(0, len(short), width)]
