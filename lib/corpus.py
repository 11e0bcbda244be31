"""A little English grammar with French and Chinese translations, in which *it* must be understood to be translated.

"The animal didn't cross the street because it was too tired": for French one must know the gender of the noun that *it*
stands for (il, elle), Chinese repeats the noun. The adjective alone decides: animals are tired, streets are wide.
Used by notebooks 10 and 11.
"""

import itertools
import re
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from lib.tokens import END, START, Vocabulary, padded

LANGUAGES = ("French", "Chinese")
NOTHING = "–"  # the gloss of an English word for which the other language writes nothing


def _table(text):
    """{first word: the words after it} for rows that lines or bars keep apart."""
    rows = (row.split() for row in re.split(r"[|\n]", text.strip()))
    return {first: rest for first, *rest in rows}


# English, French, gender, Chinese. Masculine and feminine take turns.
ANIMALS = _table("""
animal  animal   m  动物    |  cow      vache     f  奶牛
dog     chien    m  狗      |  mouse    souris    f  老鼠
cat     chat     m  猫      |  goose    oie       f  鹅
horse   cheval   m  马      |  turtle   tortue    f  乌龟
donkey  âne      m  驴      |  goat     chèvre    f  山羊
rabbit  lapin    m  兔子    |  hen      poule     f  母鸡
bear    ours     m  熊      |  ostrich  autruche  f  鸵鸟
fox     renard   m  狐狸    |  giraffe  girafe    f  长颈鹿
""")
PLACES = _table("""
street  rue      f  街道    |  park        parc        m  公园
forest  forêt    f  森林    |  bridge      pont        m  桥
avenue  avenue   f  大道    |  garden      jardin      m  花园
square  place    f  广场    |  field       champ       m  田野
island  île      f  小岛    |  path        sentier     m  小路
beach   plage    f  沙滩    |  market      marché      m  市场
valley  vallée   f  山谷    |  racecourse  hippodrome  m  赛马场
meadow  prairie  f  草地    |  dock        quai        m  码头
""")
# English, French masculine and feminine (all stand after the noun), Chinese after a degree and before 的.
ANIMAL_ADJECTIVES = _table("""
tired    fatigué  fatiguée  累    疲惫  |  hungry    affamé     affamée     饿    饥饿
scared   effrayé  effrayée  害怕  受惊  |  sleepy    somnolent  somnolente  困    困倦
worried  inquiet  inquiète  不安  不安  |  lazy      paresseux  paresseuse  懒    懒惰
nervous  nerveux  nerveuse  紧张  紧张  |  cautious  prudent    prudente    谨慎  谨慎
shy      timide   timide    害羞  害羞  |  stubborn  têtu       têtue       固执  固执
""")
PLACE_ADJECTIVES = _table("""
wide     large       large        宽    宽阔  |  narrow     étroit     étroite      窄    狭窄
crowded  fréquenté   fréquentée   拥挤  拥挤  |  empty      désert     déserte      冷清  冷清
distant  lointain    lointaine    远    遥远  |  cluttered  encombré   encombrée    杂乱  杂乱
muddy    boueux      boueuse      泥泞  泥泞  |  slippery   glissant   glissante    滑    湿滑
remote   isolé       isolée       偏僻  偏僻  |  boring     ennuyeux   ennuyeuse    乏味  乏味
""")
# English, its past, French infinitive and participle (with avoir; feminine + e), Chinese.
PLACE_VERBS = _table("""
cross    crossed    traverser  traversé  穿过  |  avoid    avoided    éviter     évité     避开
find     found      trouver    trouvé    找到  |  explore  explored   explorer   exploré   探索
protect  protected  protéger   protégé   保护  |  inspect  inspected  inspecter  inspecté  查看
""")
ANIMAL_VERBS = _table(
    "see saw voir vu 看见 | hear heard entendre entendu 听见 | catch caught attraper attrapé 抓住"
)
DEGREES = {
    "too": ("trop", "太 {} 了"),
    "very": ("très", "很 {}"),
    "really": ("vraiment", "非常 {}"),
}
NOUNS, ADJECTIVES, VERBS = (
    ANIMALS | PLACES,
    ANIMAL_ADJECTIVES | PLACE_ADJECTIVES,
    PLACE_VERBS | ANIMAL_VERBS,
)

WORD_GROUPS = {
    "animals": ANIMALS,
    "places": PLACES,
    "verbs": [form for verb, (past, *_) in VERBS.items() for form in (verb, past)],
    "adjectives": ADJECTIVES,
}

# {base} and {infinitive} are the same English word, but not the same French one; so are {past} and {done}. {quality} is
# an adjective before its noun, {so adjective} one with its degree, {is} the *was* of *it was raining*.
_PATTERNS = """
didn't:       the {subject} didn't {base} the {place} because {it} was {degree} {adjective}
              {the subject} n' a pas {base} {the place} parce qu' {il} était {degree} {adjective}
              {subject} 没有 {base} {place} ， 因为 {it} {so adjective}
couldn't:     the {subject} couldn't {infinitive} the {place} because {it} was {degree} {adjective}
              {the subject} ne pouvait pas {infinitive} {the place} parce qu' {il} était {degree} {adjective}
              {subject} 没能 {infinitive} {place} ， 因为 {it} {so adjective}
passive:      the {place} wasn't {done} by the {subject} because {it} was {degree} {adjective}
              {the place} n' a pas été {done} par {the subject} parce qu' {il} était {degree} {adjective}
              {place} 没有 被 {subject} {done} ， 因为 {it} {so adjective}
but:          the {subject} wanted to {infinitive} the {place} but {it} was {degree} {adjective}
              {the subject} voulait {infinitive} {the place} , mais {il} était {degree} {adjective}
              {subject} 想 {infinitive} {place} ， 但是 {it} {so adjective}
fronted:      because {it} was {degree} {adjective} the {subject} didn't {base} the {place}
              comme {il} était {degree} {adjective} , {the subject} n' a pas {base} {the place}
              因为 {it} {so adjective} ， 所以 {subject} 没有 {base} {place}
plain:        the {subject} {past} the {place}
              {the subject} a {past} {the place}
              {subject} {past} 了 {place}
negated:      the {subject} didn't {base} the {place}
              {the subject} n' a pas {base} {the place}
              {subject} 没有 {base} {place}
wanted:       the {subject} wanted to {infinitive} the {place}
              {the subject} voulait {infinitive} {the place}
              {subject} 想 {infinitive} {place}
raining:      the {subject} didn't {base} the {place} because it {is} raining
              {the subject} n' a pas {base} {the place} parce qu' il pleuvait
              {subject} 没有 {base} {place} ， 因为 下雨 了
tired animal: the {quality} {subject} {past} the {place}
              {the subject} {adjective} a {past} {the place}
              {quality} 的 {subject} {past} 了 {place}
wide street:  the {subject} {past} the {quality} {place}
              {the subject} a {past} {the place} {adjective}
              {subject} {past} 了 {quality} 的 {place}
animal was:   the {subject} was {degree} {adjective}
              {the subject} était {degree} {adjective}
              {subject} {so adjective}
street was:   the {place} was {degree} {adjective}
              {the place} était {degree} {adjective}
              {place} {so adjective}
two animals:  the {subject} {past} the {other}
              {the subject} a {past} {the other}
              {subject} {past} 了 {other}
"""
FRAMES = {
    name: dict(zip(("English", *LANGUAGES), map(str.strip, patterns.split("\n")), strict=True))
    for name, patterns in re.findall(r"^(\S[^:]*):(.*\n.*\n.*)$", _PATTERNS, re.MULTILINE)
}
IT_FRAMES = tuple(name for name, frame in FRAMES.items() if "{it}" in frame["English"])
# The glosses of the words that every sentence of a frame has.
GLOSSES = {
    "French": {
        "the": "le",
        "didn't": "n'a pas",
        "couldn't": "ne pouvait pas",
        "wasn't": "n'a pas été",
    }
    | {
        "wanted": "voulait",
        "because": "parce que",
        "but": "mais",
        "by": "par",
        "was": "était",
        "it": "il",
        "raining": "pleuvait",
    },
    "Chinese": {"didn't": "没有", "couldn't": "没能", "wasn't": "没有", "wanted": "想"}
    | {"because": "因为", "but": "但是", "by": "被", "it": "天", "raining": "下雨"},
}


@dataclass(frozen=True)
class Sentence:
    """An English sentence, its translation and its gloss: one entry for each English word, *it* as the noun it means.

    ``it``, ``right`` and ``wrong`` are positions in ``english``: of *it*, of the noun it stands for and of the other
    noun; all None where no *it* stands for a noun. ``choices`` are the English words from which ``say`` made it.
    """

    english: tuple[str, ...]
    target: tuple[str, ...]
    gloss: tuple[str, ...]
    frame: str
    subject: str | None = None
    place: str | None = None
    adjective: str | None = None
    it: int | None = None
    right: int | None = None
    wrong: int | None = None
    choices: dict = field(default_factory=dict, compare=False)


def _options(english):
    """{choice: the table of the words it may be}, for the English pattern of a frame."""
    verbs = ANIMAL_VERBS if "{other}" in english else PLACE_VERBS
    adjectives = ADJECTIVES if "{it}" in english else PLACE_ADJECTIVES
    if re.search("{subject} was|{quality} {subject}", english):
        adjectives = ANIMAL_ADJECTIVES
    tables = {"subject": ANIMALS, "place": PLACES, "other": ANIMALS, "degree": DEGREES}
    tables |= dict.fromkeys(("adjective", "quality"), adjectives)
    tables |= dict.fromkeys(("base", "infinitive", "past", "done"), verbs)
    names = {"quality": "adjective"} | dict.fromkeys(("base", "infinitive", "past", "done"), "verb")
    return {
        names.get(slot, slot): tables[slot]
        for slot in re.findall("{(.*?)}", english)
        if slot in tables
    }


OPTIONS = {name: _options(frame["English"]) for name, frame in FRAMES.items()}


def _english(chosen):
    """{slot: English word}."""
    verb = chosen.get("verb")
    forms = {
        "base": verb,
        "infinitive": verb,
        "it": "it",
        "is": "was",
        "quality": chosen.get("adjective"),
    }
    return chosen | forms | dict.fromkeys(("past", "done"), verb and VERBS[verb][0])


def _french(chosen, meant):
    """{slot: French words}; the adjective and the pronoun agree with the noun in the role ``meant``."""
    forms, feminine = {"is": NOTHING}, {}
    for role in filter(chosen.get, ("subject", "place", "other")):
        noun, gender, _ = NOUNS[chosen[role]]
        feminine[role] = gender == "f"
        article = (
            "l'" if noun[0] in "aeiouhâéêî" else "la" if gender == "f" else "le"
        )  # each h here is mute
        forms |= {role: noun, f"the {role}": f"{article} {noun}"}
    if "verb" in chosen:
        _, infinitive, past, _ = VERBS[chosen["verb"]]
        done = past + "e" * feminine.get("place", False)
        forms |= {"infinitive": infinitive, "base": past, "past": past, "done": done}
    if "adjective" in chosen:
        agreed = ADJECTIVES[chosen["adjective"]][feminine[meant]]
        forms |= {
            "adjective": agreed,
            "quality": agreed,
            "it": forms[meant],
            "il": ("il", "elle")[feminine[meant]],
        }
    if "degree" in chosen:
        forms["degree"], _ = DEGREES[chosen["degree"]]
    return forms


def _as_listed(chosen):
    """{slot: French word} of those that agree, as a dictionary lists them: in a gloss only nouns tell a gender."""
    forms = {"done": VERBS[chosen["verb"]][2]} if "verb" in chosen else {}
    if "adjective" in chosen:
        forms |= dict.fromkeys(("adjective", "quality"), ADJECTIVES[chosen["adjective"]][0])
    return forms


def _chinese(chosen, meant):
    """{slot: Chinese words}; *it* is the noun in the role ``meant`` once more."""
    forms = {"is": NOTHING}
    for role in filter(chosen.get, ("subject", "place", "other")):
        *_, forms[role] = NOUNS[chosen[role]]
    if "verb" in chosen:
        over = chosen["verb"] == "cross" and chosen.get("place") == "bridge"
        verb = "走过" if over else VERBS[chosen["verb"]][-1]  # through a street, but over a bridge
        forms |= dict.fromkeys(("base", "infinitive", "past", "done"), verb)
    if "adjective" in chosen:
        *_, forms["adjective"], forms["quality"] = ADJECTIVES[chosen["adjective"]]
        forms["it"] = forms[meant]
    if "degree" in chosen:
        _, pattern = DEGREES[chosen["degree"]]
        forms |= {"degree": pattern.split()[0], "so adjective": pattern.format(forms["adjective"])}
    return forms


def _sentence(language, frame, chosen):
    """The Sentence of a frame and its choices."""
    english = FRAMES[frame]["English"]
    meant, other = (
        ("subject", "place")
        if chosen.get("adjective") in ANIMAL_ADJECTIVES
        else ("place", "subject")
    )
    source = _english(chosen)
    forms = {"French": _french, "Chinese": _chinese}[language](chosen, meant)
    words = english.split()
    listed = forms | (_as_listed(chosen) if language == "French" else {})
    gloss = [
        word.format(**listed) if "{" in word else GLOSSES[language].get(word, NOTHING)
        for word in words
    ]
    return Sentence(
        tuple(word.format(**source) for word in words),
        tuple(FRAMES[frame][language].format(**forms).split()),
        tuple(gloss),
        frame,
        *(chosen.get(name) for name in ("subject", "place", "adjective")),
        *(words.index(f"{{{slot}}}") if "{it}" in words else None for slot in ("it", meant, other)),
        choices=chosen,
    )


def _complete(frame, choices):
    """All choices of a frame: the given ones, and for the others the first word of the table that is still free."""
    chosen = {}
    for name, words in OPTIONS[frame].items():
        chosen[name] = choices.get(name) or next(
            word for word in words if word not in chosen.values()
        )
    return chosen


def _expect(what, given, known):
    if given not in known:
        raise ValueError(f"{what} {given!r} is unknown; expected one of: {', '.join(known)}.")


def say(language, frame, **choices):
    """One Sentence in one of FRAMES; left to itself *the animal didn't cross the street because it was too tired*.

    ``choices`` are English words: OPTIONS[frame] lists them for subject, verb, place, degree, adjective and other.
    Raises ValueError for an unknown language, frame, choice or word, and for an animal that meets itself.
    """
    _expect("language", language, LANGUAGES)
    _expect("frame", frame, FRAMES)
    for name, word in choices.items():
        _expect(f"in the frame {frame!r} the choice", name, OPTIONS[frame])
        _expect(f"in the frame {frame!r} the {name}", word, OPTIONS[frame][name])
    chosen = _complete(frame, choices)
    if chosen.get("other") == chosen.get("subject", ""):
        raise ValueError(
            f"subject and other are both {chosen['other']!r}; expected two different animals."
        )
    return _sentence(language, frame, chosen)


def unseen(subject=None, place=None, adjective=None, **_):
    """Why no training sentence has these words together: "pair" or "triple"; None where one may have them.

    "pair": 32 of 256, animal + street among them; each animal misses two places and each place two animals, in French
    one of its own gender and one of the other. "triple": 2 of the 20 adjectives of every other pair.
    """
    if not (subject and place):
        return None
    animal, where = list(ANIMALS).index(subject), list(PLACES).index(place)
    if (where - animal) % 16 in (0, 5):
        return "pair"
    kind = ANIMAL_ADJECTIVES if adjective in ANIMAL_ADJECTIVES else PLACE_ADJECTIVES
    return (
        "triple"
        if adjective and (animal + 3 * where + list(kind).index(adjective)) % 10 == 0
        else None
    )


@dataclass
class Corpus:
    """Sentences to learn from, sentences to test with, and a vocabulary for each column."""

    language: str
    train: list[Sentence]
    unseen_pairs: list[Sentence]
    unseen_triples: list[Sentence]
    english: Vocabulary
    target: Vocabulary
    glosses: Vocabulary

    def batch(self, sentences):
        """The Batch of some of its sentences. Raises ValueError for none and for unknown words."""
        return batch(sentences, self)


class Batch(NamedTuple):
    """int64 arrays, filled up with 0: source and gloss (B, S), target (B, T) with START and END, lengths (B,)."""

    source: np.ndarray
    target: np.ndarray
    gloss: np.ndarray
    lengths: np.ndarray


def _draw(random, frame, wanted=None):
    """Random choices for a frame, drawn again until ``unseen`` says ``wanted`` of them."""
    options = {name: list(words) for name, words in OPTIONS[frame].items()}
    while True:
        chosen = {name: words[random.integers(len(words))] for name, words in options.items()}
        if unseen(**chosen) == wanted and chosen.get("other") != chosen.get("subject", ""):
            return chosen


def _tests(random, language, count, wanted):
    """So many different sentences with *it* of which ``unseen`` says ``wanted``, as many from each of IT_FRAMES."""
    found = {}
    while len(found) < count:
        frame = IT_FRAMES[len(found) % len(IT_FRAMES)]
        sentence = _sentence(language, frame, _draw(random, frame, wanted))
        found.setdefault(sentence.english, sentence)
    return list(found.values())


def _vocabularies(language):
    """Of English, of the target and of the glosses: every word that ``say`` can write."""
    columns = [], [], []
    for frame, options in OPTIONS.items():
        for subject, place in itertools.product(
            ("dog", "cow"), ("park", "street")
        ):  # of both genders in French
            nouns = {"subject": subject, "place": place}
            for name, word in [(name, word) for name, table in options.items() for word in table]:
                sentence = _sentence(language, frame, _complete(frame, nouns | {name: word}))
                for column, words in zip(
                    columns, (sentence.english, sentence.target, sentence.gloss), strict=True
                ):
                    column += words
    return [Vocabulary(words, WORD_GROUPS) for words in columns]


def make(language="French", count=12_000, held_out=1_000, seed=0):
    """A Corpus of ``count`` training sentences and ``held_out`` test sentences of each kind, different for each seed.

    Of training a tenth is from each of IT_FRAMES, a tenth has two animals (each pair in both orders, as many of each;
    nothing is held out of these), a twentieth is from each other frame. The tests are from IT_FRAMES, no two alike.
    A seed gives the same English for both languages.
    Raises ValueError for an unknown language, a count below 1 and held_out not from 0 to 20,000.
    """
    _expect("language", language, LANGUAGES)
    if count < 1 or not 0 <= held_out <= 20_000:
        raise ValueError(
            f"count = {count} and held_out = {held_out}; expected count >= 1 and held_out 0 to 20000."
        )
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(count // 20):
        chosen = _draw(random, "two animals")
        swapped = chosen | {"subject": chosen["other"], "other": chosen["subject"]}
        drawn += [("two animals", chosen), ("two animals", swapped)]
    others = [
        *IT_FRAMES,
        *(frame for frame in FRAMES if frame != "two animals"),
    ]  # those with *it* come twice
    frames = np.resize(random.permutation(others), count - len(drawn)).tolist()
    drawn += [(frame, _draw(random, frame)) for frame in frames]
    train = [_sentence(language, *drawn[number]) for number in random.permutation(count)]
    tests = [_tests(random, language, held_out, wanted) for wanted in ("pair", "triple")]
    return Corpus(language, train, *tests, *_vocabularies(language))


def batch(sentences, corpus):
    """The Batch of some sentences of a corpus. Raises ValueError for no sentence and for words outside the corpus."""
    if not sentences:
        raise ValueError("no sentence; expected at least one.")
    sources = [corpus.english.encode(sentence.english) for sentence in sentences]
    targets = [corpus.target.encode([START, *sentence.target, END]) for sentence in sentences]
    glosses = [corpus.glosses.encode(sentence.gloss) for sentence in sentences]
    return Batch(
        *map(padded, (sources, targets, glosses)),
        np.array([len(source) for source in sources], np.int64),
    )


def join(tokens, language):
    """A sentence to read: in French elisions closed up, a capital, a full stop; in Chinese no spaces, its own stop."""
    _expect("language", language, LANGUAGES)
    if language == "Chinese":
        return "".join(tokens) + "。" * bool(tokens)
    text = " ".join(tokens).replace("' ", "'").replace(" ,", ",")
    return text[:1].upper() + text[1:] + "." * bool(tokens)
