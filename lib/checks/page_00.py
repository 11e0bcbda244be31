"""The exercise of notebook 0."""

from lib import corpus
from lib.checks.exercises import Page
from lib.checks.judge import Result
from lib.tokens import tokenise

PAGE = Page(0, "Start here: what does a Transformer do?")

KNOWN_KIND = "the X didn't cross the Y because it was too Z"
DEMO = ("animal", "street")  # the pair that the page itself shows
KINDS = [
    ("animals", corpus.ANIMAL_ADJECTIVES, "places"),
    ("places", corpus.PLACE_ADJECTIVES, "animals"),
]
PRONOUNS = {"m": "il", "f": "elle"}
NOUNS = {*corpus.ANIMALS, *corpus.PLACES}
MOST_SAID = 200  # letters of what the translator says to a sentence that it does not know


@PAGE.exercise("Exercise: does the model know its sentences by heart?")
def pronoun(translator, first, second):
    """Does one adjective change il and elle, in a pair never trained on? Takes two sentences."""
    if not isinstance(first, str) or not isinstance(second, str):
        return Result(False, "this check takes a translator and two English sentences, as texts.")
    if not hasattr(translator, "english"):
        kind = type(translator).__name__
        return Result(False, f"the first one has to be the translator, as in french, not {kind}.")
    sentences = [tokenise(first), tokenise(second)]
    try:
        translations = [translator.translate(words) for words in sentences]
    except ValueError as error:
        return Result(False, _said(error, sentences[0] + sentences[1]))
    sources = [list(each.source) for each in translations]
    targets = [list(each.target) for each in translations]
    problem = (
        _problem_of_the_sentences(*sources)
        or _problem_of_the_nouns(sources[0])
        or _problem_of_the_pronouns(*targets)
        or _problem_of_the_genders(sources[0], targets[0])
        or _problem_of_the_pair(sources[0], _change(*targets))
    )
    if problem:
        return Result(False, problem)
    return Result(
        True,
        f"{_change(*targets)} with the adjective alone, and no training sentence has this pair.",
    )


def _said(error, words):
    """What the translator says; of its words only those of the kind that it does not know."""
    said, is_unknown, _ = str(error).partition("\nI know these words:")
    said = said.replace("\n", " ")[:MOST_SAID]
    if is_unknown:  # a word like it, as hen for chien, is no help beside all of them
        said = said.partition(" Did you mean")[0]
        said = said.replace("I do not know", "the model knows no English word")
    if is_unknown and _names_what_follows("the", said, words):
        return f"{said} It knows these nouns: {', '.join([*corpus.ANIMALS, *corpus.PLACES])}."
    if is_unknown and _names_what_follows("too", said, words):
        return f"{said} It knows these adjectives: {', '.join(corpus.ADJECTIVES)}."
    return f"{said} Take one of those at the top: {KNOWN_KIND}."


def _names_what_follows(first, said, words):
    """Whether a word that is named in this sentence follows this one."""
    return any(
        before == first and f"'{word}'" in said
        for before, word in zip(words, words[1:], strict=False)
    )


def _problem_of_the_sentences(first, second):
    if "it" not in first or "it" not in second:
        return "both sentences need the word it; without it French writes no pronoun."
    if len(first) != len(second):
        return "the two sentences differ in their lengths; change exactly one word."
    changed = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    for noun, other in changed:
        if {noun, other} <= NOUNS:
            return (
                f"{noun} became {other}; write the same two nouns into both sentences, and change "
                "the adjective alone."
            )
    if len(changed) != 1:
        return f"the two sentences differ in {len(changed)} words; change exactly one word."
    before, after = changed[0]
    if before not in corpus.ADJECTIVES or after not in corpus.ADJECTIVES:
        return f"you changed {before}; change the adjective, and let the nouns stand."
    for kind, of_kind, other in KINDS:
        if before in of_kind and after in of_kind:
            return f"both adjectives suit {kind}; take one for {other}."
    return ""


def _problem_of_the_nouns(words):
    nouns = [word for word in words if word in NOUNS]
    genders = {corpus.NOUNS[noun].gender for noun in nouns}
    if len(nouns) == 2 and len(genders) == 1:
        return f"{' and '.join(nouns)} are both {PRONOUNS[genders.pop()]}; take one of each."
    return ""


def _problem_of_the_pronouns(first, second):
    written = [_pronouns(first), _pronouns(second)]
    if [] in written:
        return (
            "the model wrote neither il nor elle; it does not know this kind of sentence. "
            f"Take one of those at the top: {KNOWN_KIND}."
        )
    if sorted(written) != [["elle"], ["il"]]:
        return (
            f"both have {written[0][0]}, so the model is wrong about one of them: take another "
            f"pair, or sentences like those at the top: {KNOWN_KIND}."
        )
    return ""


def _problem_of_the_genders(source, target):
    """Of two pronouns that differ: whether the first stands for the other noun."""
    kind = corpus.ANIMALS if set(source) & {*corpus.ANIMAL_ADJECTIVES} else corpus.PLACES
    noun = _first_of(kind, source)
    if noun and _pronouns(target) != [PRONOUNS[corpus.NOUNS[noun].gender]]:
        return f"the pronouns differ, but the model is wrong about {noun}; take another pair."
    return ""


def _pronouns(words):
    return [word for word in words if word in PRONOUNS.values()]


def _change(first, second):
    return f"{_pronouns(first)[0]} became {_pronouns(second)[0]}"


def _problem_of_the_pair(words, change):
    animal = _first_of(corpus.ANIMALS, words)
    place = _first_of(corpus.PLACES, words)
    if (animal, place) == DEMO:
        return f"{change}, but that is the pair of the demo; take another one of the list."
    if corpus.unseen(animal, place) != "pair":
        return f"{change}, but {animal} and {place} stood together in training; take a new pair."
    return ""


def _first_of(known, words):
    for word in words:
        if word in known:
            return word
    return None
