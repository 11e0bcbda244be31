"""Page 0, start: answers to pronoun, two sentences each, with a translator that knows them."""

from types import SimpleNamespace

from lib.tokens import END, Vocabulary
from tests.checks.bank import right, wrong

PARK = "the cow didn't cross the park because it was too"
STREET = "the animal didn't cross the street because it was too"
FOREST = "the animal didn't cross the forest because it was too"
PATH = "the goat didn't cross the path because it was too"
FRENCH = {  # what the shipped model writes, from the pronoun on
    f"{PARK} narrow": "il était trop étroit",
    f"{PARK} wide": "il était trop large",
    f"{PARK} hungry": "elle était trop affamée",
    f"{PARK} tired": "elle était trop fatiguée",
    f"{PATH} narrow": "elle était trop large",
    f"{PATH} hungry": "il était trop affamé",
    f"{STREET} tired": "il était trop fatigué",
    f"{STREET} wide": "elle était trop large",
    f"{FOREST} tired": "il était trop fatigué",
    f"{FOREST} wide": "elle était trop large",
    "the horse avoided the park because it was hungry": "il était affamé",
    "the cow avoided the park because it was hungry": "elle était affamée",
    "the cow found the park because it was hungry": "elle était affamée",
    "the cow didn't cross the bridge": "",
    "the cow didn't cross the park": "",
    "the cow crossed the park because it was narrow": "il était très étroit",
    "the cow crossed the park because it was hungry": "il était très affamé",
    "because it was wide it was the cow": "parce que la vache",
    "because it was hungry it was the cow": "parce que la vache",
}
VOCABULARY = Vocabulary(" ".join([*FRENCH, "cold"]).split(), {"animals": ["cow", "horse"]})


class French:
    """Knows these sentences, and refuses other words as the course's translators do."""

    english = VOCABULARY

    def translate(self, words):
        self.english.encode(words)
        if not words:
            raise ValueError("0 words; expected an English sentence of 1 to 24.")
        written = FRENCH.get(" ".join(words), "il était")
        return SimpleNamespace(source=words, target=[*written.split(), END])


FRENCH_MODEL = French()


# pronoun

right("pronoun")(FRENCH_MODEL, f"{PARK} narrow", f"{PARK} hungry")
right("pronoun")(FRENCH_MODEL, f"The{PARK[3:]} wide.", f"{PARK.capitalize()} hungry!")
right("pronoun")(FRENCH_MODEL, f"{PARK} hungry", f"{PARK} narrow")


def mistake(sentence, first, second):
    wrong("pronoun", sentence)(FRENCH_MODEL, first, second)


mistake(
    "the model knows no English word 'lion'. It knows these nouns: animal, ",
    "the lion didn't cross the park because it was too wide",
    "the lion didn't cross the park because it was too hungry",
)
mistake("need the word it", "the cow didn't cross the bridge", "the cow didn't cross the park")
mistake(
    "horse became cow; write the same two nouns into both sentences",
    "the horse avoided the park because it was hungry",
    "the cow found the park because it was narrow",
)
mistake(
    "differ in 2 words",
    "the cow avoided the park because it was hungry",
    "the cow found the park because it was narrow",
)
mistake("differ in 0 words", f"{PARK} narrow", f"{PARK} narrow")
mistake("differ in their lengths", f"{PARK} narrow", f"{PARK} narrow narrow")
mistake("both adjectives suit places; take one for animals", f"{PARK} narrow", f"{PARK} wide")
mistake("both adjectives suit animals; take one for places", f"{PARK} tired", f"{PARK} hungry")
mistake(
    "both have il, so the model is wrong about one of them: take another pair, or sentences like "
    "those at the top: the X didn't cross the Y because it was too Z",
    "the cow crossed the park because it was narrow",
    "the cow crossed the park because it was hungry",
)
mistake(
    "cow and street are both elle; take one of each",
    "the cow crossed the street because it was hungry",
    "the cow crossed the street because it was narrow",
)
mistake(
    "you changed avoided; change the adjective",
    "the cow avoided the park because it was hungry",
    "the cow found the park because it was hungry",
)
mistake(
    "neither il nor elle; it does not know this kind of sentence. Take one of those at the top",
    "because it was wide it was the cow",
    "because it was hungry it was the cow",
)
mistake("the model is wrong about path", f"{PATH} narrow", f"{PATH} hungry")
mistake("take a new pair", f"{FOREST} tired", f"{FOREST} wide")
mistake("the pair of the demo", f"{STREET} tired", f"{STREET} wide")
mistake("no English word 'old'. It knows these adjectives", f"{PARK} old", f"{PARK} hungry")
mistake("adjectives: tired, hungry,", f"{PARK} big", f"{PARK} hungry")
mistake("'elle'. Take one of those at the top", f"{PARK} narrow", "elle")
mistake(
    "'did', 'not'. Take one of those at the top",
    "the cow did not cross the park because it was too narrow",
    "the cow did not cross the park because it was too hungry",
)
mistake("0 words", "", "")
mistake("two English sentences, as texts", f"{PARK} narrow".split(), f"{PARK} hungry".split())
wrong("pronoun", "has to be the translator")("french", f"{PARK} narrow", f"{PARK} hungry")
