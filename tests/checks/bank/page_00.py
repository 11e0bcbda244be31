"""Page 0, start: answers to pronoun, the demo's state before and after the learner's change."""

from types import SimpleNamespace

from tests.checks.bank import right, wrong

TIRED = "the animal didn't cross the street because it was too tired".split()


def translated(target, *changes):
    """The demo's source and target after ``changes``: (place, word), without a word: cut there."""
    words = list(TIRED)
    for place, word in changes:
        if word:
            words[place : place + 1] = [word]
        else:
            del words[place:]
    return SimpleNamespace(source=words, target=[*target.split(), "<end>"])


IL = translated("parce qu' il était fatigué")
ELLE = translated("parce qu' elle était large", (10, "wide"))
HUNGRY = translated("il était affamé", (10, "hungry"))


# pronoun

right("pronoun")(IL, ELLE)
right("pronoun")(HUNGRY, ELLE)

wrong("pronoun", "give the masculine one first")(ELLE, IL)
wrong("pronoun", "need the word it")(
    translated("l' animal", (6, "")), translated("l' animal", (6, ""))
)
wrong("pronoun", "differ in 2 words")(IL, translated("elle était large", (1, "cow"), (10, "wide")))
wrong("pronoun", "differ in 0 words")(IL, IL)
wrong("pronoun", "differ in their lengths")(IL, translated("elle", (10, "wide"), (11, "indeed")))
wrong("pronoun", "both have il")(IL, HUNGRY)
wrong("pronoun", "you changed animal; change the adjective")(
    IL, translated("elle était fatiguée", (1, "cow"))
)
wrong("pronoun", "you changed raining")(translated("il pleuvait", (10, "raining")), ELLE)
wrong("pronoun", "neither il nor elle")(translated("l' animal l' animal"), ELLE)
wrong("pronoun", "take a new pair")(
    translated("il était fatigué", (5, "forest")),
    translated("elle était large", (5, "forest"), (10, "wide")),
)
wrong("pronoun", "takes two translations")("L'animal", "La vache")
