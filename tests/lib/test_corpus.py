"""The little grammar: what a French or Chinese reader would write, what is held out, and what the arrays hold."""

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from lib.corpus import (
    ADJECTIVES,
    ANIMAL_ADJECTIVES,
    ANIMALS,
    FRAMES,
    IT_FRAMES,
    LANGUAGES,
    OPTIONS,
    PLACE_ADJECTIVES,
    PLACES,
    batch,
    join,
    make,
    say,
    unseen,
)
from lib.tokens import END, PAD, START, Vocabulary, tokenise

# Frame and choices; English; French; Chinese: written by hand.
SENTENCES = """
didn't: animal cross street too tired
    the animal didn't cross the street because it was too tired
    L'animal n'a pas traversé la rue parce qu'il était trop fatigué.
    动物没有穿过街道，因为动物太累了。
didn't: animal cross street too wide
    the animal didn't cross the street because it was too wide
    L'animal n'a pas traversé la rue parce qu'elle était trop large.
    动物没有穿过街道，因为街道太宽了。
didn't: goose find racecourse very worried
    the goose didn't find the racecourse because it was very worried
    L'oie n'a pas trouvé l'hippodrome parce qu'elle était très inquiète.
    鹅没有找到赛马场，因为鹅很不安。
didn't: hen cross bridge really slippery
    the hen didn't cross the bridge because it was really slippery
    La poule n'a pas traversé le pont parce qu'il était vraiment glissant.
    母鸡没有走过桥，因为桥非常滑。
couldn't: donkey avoid avenue too stubborn
    the donkey couldn't avoid the avenue because it was too stubborn
    L'âne ne pouvait pas éviter l'avenue parce qu'il était trop têtu.
    驴没能避开大道，因为驴太固执了。
couldn't: bear explore forest very muddy
    the bear couldn't explore the forest because it was very muddy
    L'ours ne pouvait pas explorer la forêt parce qu'elle était très boueuse.
    熊没能探索森林，因为森林很泥泞。
passive: street cross animal too wide
    the street wasn't crossed by the animal because it was too wide
    La rue n'a pas été traversée par l'animal parce qu'elle était trop large.
    街道没有被动物穿过，因为街道太宽了。
passive: bridge cross hen very lazy
    the bridge wasn't crossed by the hen because it was very lazy
    Le pont n'a pas été traversé par la poule parce qu'elle était très paresseuse.
    桥没有被母鸡走过，因为母鸡很懒。
passive: avenue protect donkey too nervous
    the avenue wasn't protected by the donkey because it was too nervous
    L'avenue n'a pas été protégée par l'âne parce qu'il était trop nerveux.
    大道没有被驴保护，因为驴太紧张了。
passive: racecourse inspect goose really boring
    the racecourse wasn't inspected by the goose because it was really boring
    L'hippodrome n'a pas été inspecté par l'oie parce qu'il était vraiment ennuyeux.
    赛马场没有被鹅查看，因为赛马场非常乏味。
but: mouse explore dock too cautious
    the mouse wanted to explore the dock but it was too cautious
    La souris voulait explorer le quai, mais elle était trop prudente.
    老鼠想探索码头，但是老鼠太谨慎了。
but: animal cross street too empty
    the animal wanted to cross the street but it was too empty
    L'animal voulait traverser la rue, mais elle était trop déserte.
    动物想穿过街道，但是街道太冷清了。
fronted: very sleepy bear cross forest
    because it was very sleepy the bear didn't cross the forest
    Comme il était très somnolent, l'ours n'a pas traversé la forêt.
    因为熊很困，所以熊没有穿过森林。
fronted: too distant donkey find avenue
    because it was too distant the donkey didn't find the avenue
    Comme elle était trop lointaine, l'âne n'a pas trouvé l'avenue.
    因为大道太远了，所以驴没有找到大道。
plain: goose avoid racecourse
    the goose avoided the racecourse
    L'oie a évité l'hippodrome.
    鹅避开了赛马场。
negated: mouse protect dock
    the mouse didn't protect the dock
    La souris n'a pas protégé le quai.
    老鼠没有保护码头。
wanted: hen cross bridge
    the hen wanted to cross the bridge
    La poule voulait traverser le pont.
    母鸡想走过桥。
raining: donkey cross avenue
    the donkey didn't cross the avenue because it was raining
    L'âne n'a pas traversé l'avenue parce qu'il pleuvait.
    驴没有穿过大道，因为下雨了。
tired animal: hungry goose find racecourse
    the hungry goose found the racecourse
    L'oie affamée a trouvé l'hippodrome.
    饥饿的鹅找到了赛马场。
tired animal: tired animal cross street
    the tired animal crossed the street
    L'animal fatigué a traversé la rue.
    疲惫的动物穿过了街道。
wide street: bear cross narrow forest
    the bear crossed the narrow forest
    L'ours a traversé la forêt étroite.
    熊穿过了狭窄的森林。
wide street: hen inspect remote bridge
    the hen inspected the remote bridge
    La poule a inspecté le pont isolé.
    母鸡查看了偏僻的桥。
animal was: ostrich really shy
    the ostrich was really shy
    L'autruche était vraiment timide.
    鸵鸟非常害羞。
street was: island very cluttered
    the island was very cluttered
    L'île était très encombrée.
    小岛很杂乱。
street was: market too crowded
    the market was too crowded
    Le marché était trop fréquenté.
    市场太拥挤了。
two animals: dog see cat
    the dog saw the cat
    Le chien a vu le chat.
    狗看见了猫。
two animals: turtle hear donkey
    the turtle heard the donkey
    La tortue a entendu l'âne.
    乌龟听见了驴。
two animals: fox catch ostrich
    the fox caught the ostrich
    Le renard a attrapé l'autruche.
    狐狸抓住了鸵鸟。
"""
SENTENCES = [
    (
        frame,
        dict(zip(OPTIONS[frame], choices.split(), strict=True)),
        *map(str.strip, sentences.splitlines()),
    )
    for frame, choices, sentences in re.findall(
        r"^(\S.*?): (.*)\n((?: +.*\n){3})", SENTENCES, re.MULTILINE
    )
]
NAMES = [f"{frame}: {' '.join(choices.values())}" for frame, choices, *_ in SENTENCES]


whole = cache(make)


@pytest.fixture(scope="module", params=LANGUAGES)
def corpus(request):
    return whole(request.param)


def everything(corpus):
    return corpus.train + corpus.unseen_pairs + corpus.unseen_triples


# -- the sentences --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame, choices, english, french, chinese", SENTENCES, ids=NAMES)
def test_sentences_as_a_native_reader_would_write_them(frame, choices, english, french, chinese):
    sentences = {language: say(language, frame, **choices) for language in LANGUAGES}
    assert {" ".join(sentence.english) for sentence in sentences.values()} == {english}
    assert {
        language: join(sentence.target, language) for language, sentence in sentences.items()
    } == {
        "French": french,
        "Chinese": chinese,
    }


def test_every_frame_is_among_them():
    assert {frame for frame, *_ in SENTENCES} == set(FRAMES)
    for frame in IT_FRAMES:
        kinds = {
            choices.get("adjective", "tired") in ANIMAL_ADJECTIVES
            for name, choices, *_ in SENTENCES
            if name == frame
        }
        assert kinds == {True, False}, (
            f"{frame}: it must stand for the animal once and for the place once"
        )


def test_tokens_of_the_courses_sentence():
    sentence = say("French", "didn't")
    assert sentence.english == tuple(
        "the animal didn't cross the street because it was too tired".split()
    )
    assert sentence.target == tuple(
        "l' animal n' a pas traversé la rue parce qu' il était trop fatigué".split()
    )
    assert (sentence.subject, sentence.place, sentence.adjective) == ("animal", "street", "tired")
    assert say("Chinese", "didn't").target == tuple(
        "动物 没有 穿过 街道 ， 因为 动物 太 累 了".split()
    )


@pytest.mark.parametrize(
    "language, frame, adjective, gloss",
    [
        (
            "French",
            "didn't",
            "wide",
            "le|animal|n'a pas|traversé|le|rue|parce que|rue|était|trop|large",
        ),
        (
            "French",
            "couldn't",
            "tired",
            "le|animal|ne pouvait pas|traverser|le|rue|parce que|animal|était|trop|fatigué",
        ),
        (
            "French",
            "passive",
            "muddy",
            "le|rue|n'a pas été|traversé|par|le|animal|parce que|rue|était|trop|boueux",
        ),
        (
            "French",
            "but",
            "tired",
            "le|animal|voulait|–|traverser|le|rue|mais|animal|était|trop|fatigué",
        ),
        ("French", "raining", None, "le|animal|n'a pas|traversé|le|rue|parce que|il|–|pleuvait"),
        ("French", "wide street", "narrow", "le|animal|traversé|le|étroit|rue"),
        ("Chinese", "didn't", "wide", "–|动物|没有|穿过|–|街道|因为|街道|–|太|宽"),
        ("Chinese", "passive", "tired", "–|街道|没有|穿过|被|–|动物|因为|动物|–|太|累"),
        ("Chinese", "raining", None, "–|动物|没有|穿过|–|街道|因为|天|–|下雨"),
        ("Chinese", "tired animal", "tired", "–|疲惫|动物|穿过|–|街道"),
    ],
)
def test_glosses(language, frame, adjective, gloss):
    assert say(language, frame, **({"adjective": adjective} if adjective else {})).gloss == tuple(
        gloss.split("|")
    )


def test_gloss_has_one_entry_for_each_word_and_it_is_glossed_by_its_noun(corpus):
    column = {"French": 0, "Chinese": 2}[corpus.language]
    for sentence in everything(corpus):
        assert len(sentence.gloss) == len(sentence.english)
        if sentence.frame in IT_FRAMES:
            animal_is_meant = sentence.adjective in ANIMAL_ADJECTIVES
            meant, other = (sentence.subject, sentence.place)[:: 1 if animal_is_meant else -1]
            places = [sentence.english.index(word) for word in ("it", meant, other)]
            assert [sentence.it, sentence.right, sentence.wrong] == places
            assert sentence.gloss[sentence.it] == (ANIMALS | PLACES)[meant][column]
        else:
            assert sentence.it is sentence.right is sentence.wrong is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("frame", IT_FRAMES)
def test_the_adjective_alone_decides(language, frame):
    tired, wide = (say(language, frame, adjective=adjective) for adjective in ("tired", "wide"))
    assert sum(one != other for one, other in zip(tired.english, wide.english, strict=True)) == 1
    assert (tired.it, tired.right, tired.wrong) == (wide.it, wide.wrong, wide.right)
    assert tired.gloss[tired.it] != wide.gloss[wide.it]
    own = {"French": ("il", "elle"), "Chinese": ("动物", "街道")}[language]
    assert [
        Counter(sentence.target)[own[0]] - Counter(sentence.target)[own[1]]
        for sentence in (tired, wide)
    ] == [
        1,
        -1,
    ]


def test_say_goes_back_from_the_choices_of_a_sentence(corpus):
    for sentence in everything(corpus)[::37]:
        assert say(corpus.language, sentence.frame, **sentence.choices) == sentence


@pytest.mark.parametrize(
    "arguments, choices, message",
    [
        (
            ("German", "plain"),
            {},
            "language 'German' is unknown; expected one of: French, Chinese.",
        ),
        (
            ("French", "question"),
            {},
            "frame 'question' is unknown; expected one of: didn't, couldn't, passive",
        ),
        (
            ("French", "plain"),
            {"animal": "dog"},
            "'plain' the choice 'animal' is unknown; expected .* subject, verb, place",
        ),
        (
            ("French", "plain"),
            {"subject": "elephant"},
            "the subject 'elephant' is unknown; expected .* animal, cow, dog",
        ),
        (
            ("French", "animal was"),
            {"adjective": "wide"},
            "the adjective 'wide' is unknown; expected .* tired, hungry",
        ),
        (
            ("French", "two animals"),
            {"subject": "dog", "other": "dog"},
            "both 'dog'; expected two different animals",
        ),
    ],
)
def test_say_refuses(arguments, choices, message):
    with pytest.raises(ValueError, match=message):
        say(*arguments, **choices)


# -- spelling -------------------------------------------------------------------------------------------------------

FEMININE = {noun for noun, gender, _ in (ANIMALS | PLACES).values() if gender == "f"}
FRENCH_NOUNS = {noun for noun, _, _ in (ANIMALS | PLACES).values()}


def test_french_articles_and_elisions():
    for sentence in everything(whole("French")):
        for word, following in zip(sentence.target, [*sentence.target[1:], ""], strict=True):
            vowel = following[:1] in tuple("aeiouhâéêî")
            if word in ("l'", "n'", "qu'"):
                assert vowel, sentence.target
            if word in ("le", "la", "ne", "que"):
                assert not vowel, sentence.target
            if following in FRENCH_NOUNS and word in ("le", "la"):
                assert (word == "la") == (following in FEMININE), sentence.target
            assert following not in FRENCH_NOUNS or word in ("le", "la", "l'"), sentence.target


def test_french_pronouns_adjectives_and_participles_agree():
    for sentence in everything(whole("French")):
        if sentence.adjective:
            animal, place = ANIMALS.get(sentence.subject), PLACES.get(sentence.place)
            feminine = (animal if sentence.adjective in ANIMAL_ADJECTIVES else place)[1] == "f"
            assert ADJECTIVES[sentence.adjective][feminine] in sentence.target, sentence.target
            if sentence.frame in IT_FRAMES:
                assert [word for word in sentence.target if word in ("il", "elle")] == [
                    ("il", "elle")[feminine]
                ]
        if sentence.frame == "passive":
            participle = sentence.target[sentence.target.index("été") + 1]
            assert re.search("ée$" if PLACES[sentence.place][1] == "f" else "[^e]$", participle), (
                sentence.target
            )


def test_tables_are_as_large_as_promised():
    assert (len(ANIMALS), len(PLACES), len(OPTIONS["plain"]["verb"])) == (16, 16, 6)
    assert (len(ANIMAL_ADJECTIVES), len(PLACE_ADJECTIVES), len(ADJECTIVES)) == (10, 10, 20)
    for nouns in (ANIMALS, PLACES):
        genders = Counter(gender for _, gender, _ in nouns.values())
        assert genders == {"m": 8, "f": 8}
    words = (
        [french for french, *_ in (ANIMALS | PLACES).values()],
        [chinese for *_, chinese in (ANIMALS | PLACES).values()],
    )
    assert all(len(set(column)) == 32 for column in words), (
        "two nouns must not have one translation"
    )


def test_chinese_is_chinese():
    for sentence in everything(whole("Chinese")):
        assert re.fullmatch("[\u4e00-\u9fff]+(，[\u4e00-\u9fff]+)?", "".join(sentence.target)), (
            sentence.target
        )


# -- what is held out -----------------------------------------------------------------------------------------------


def together(sentence):
    """The animal and the place that stand in one sentence."""
    return frozenset(word for word in sentence.english if word in ANIMALS | PLACES)


def test_unseen_pairs_stand_together_in_no_training_sentence(corpus):
    seen = {together(sentence) for sentence in corpus.train}
    assert len(corpus.unseen_pairs) == 1000
    assert all(
        {sentence.subject, sentence.place} == together(sentence) for sentence in corpus.unseen_pairs
    )
    assert not seen & {together(sentence) for sentence in corpus.unseen_pairs}
    assert frozenset({"animal", "street"}) not in seen
    assert len({together(sentence) for sentence in corpus.unseen_pairs}) == 32


def test_unseen_triples_are_new_but_their_pairs_are_not(corpus):
    seen = {(together(sentence), sentence.adjective) for sentence in corpus.train}
    pairs = {pair for pair, adjective in seen if adjective in ADJECTIVES}
    assert len(corpus.unseen_triples) == 1000
    for sentence in corpus.unseen_triples:
        assert (together(sentence), sentence.adjective) not in seen
        assert together(sentence) in pairs


def test_tests_have_it_of_both_kinds_and_no_sentence_twice(corpus):
    trained = {sentence.english for sentence in corpus.train}
    for tests in (corpus.unseen_pairs, corpus.unseen_triples):
        sentences = {sentence.english for sentence in tests}
        assert len(sentences) == len(tests) and not sentences & trained
        assert Counter(sentence.frame for sentence in tests) == dict.fromkeys(IT_FRAMES, 200)
        assert (
            0.45 < np.mean([sentence.adjective in ANIMAL_ADJECTIVES for sentence in tests]) < 0.55
        )


def test_every_noun_keeps_most_partners():
    pairs = [
        (animal, place) for animal in ANIMALS for place in PLACES if unseen(animal, place) == "pair"
    ]
    assert len(pairs) == 32
    assert set(Counter(animal for animal, _ in pairs).values()) == {2}
    assert set(Counter(place for _, place in pairs).values()) == {2}
    same_gender = [ANIMALS[animal][1] == PLACES[place][1] for animal, place in pairs]
    assert sum(same_gender) == 16
    assert unseen("animal", "street") == unseen("animal", "street", "tired") == "pair"


def test_training_has_every_word_and_every_frame_often(corpus):
    columns = {"english": corpus.english, "target": corpus.target, "gloss": corpus.glosses}
    for column, vocabulary in columns.items():
        counts = Counter(word for sentence in corpus.train for word in getattr(sentence, column))
        assert counts.keys() == set(vocabulary.words[3:])
        assert min(counts.values()) >= 40
    frames = Counter(sentence.frame for sentence in corpus.train)
    assert len(corpus.train) == 12_000
    assert frames == {
        frame: 1200 if frame in (*IT_FRAMES, "two animals") else 600 for frame in FRAMES
    }
    for noun, word in [(noun, word) for noun in ANIMALS | PLACES for word in ("right", "wrong")]:
        role = [s for s in corpus.train if s.it is not None and s.english[getattr(s, word)] == noun]
        assert len(role) >= 100, f"{noun} is too seldom the {word} noun"


def test_two_animals_come_in_both_orders_as_often(corpus):
    counts = Counter(
        sentence.english for sentence in corpus.train if sentence.frame == "two animals"
    )
    assert all(
        counts[the, other, verb, the, one] == count
        for (the, one, verb, _, other), count in counts.items()
    )
    assert all(one != other for _, one, _, _, other in counts)


def test_a_seed_makes_one_corpus_in_both_languages():
    french, again, chinese, another = whole("French"), make(), whole("Chinese"), make(seed=1)
    assert french.train == again.train and french.unseen_pairs == again.unseen_pairs
    assert (
        french.unseen_triples == again.unseen_triples and french.target.words == again.target.words
    )
    assert [s.english for s in everything(french)] == [s.english for s in everything(chinese)]
    assert french.train != another.train and french.english.words == another.english.words
    # Written down once: the same on every machine and every day.
    assert " ".join(french.train[0].english) == "the dog found the square"
    assert (
        " ".join(french.unseen_triples[-1].english)
        == "because it was too remote the rabbit didn't find the avenue"
    )


@pytest.mark.parametrize("count", [1, 19, 150])
def test_small_corpora_know_every_word_too(count):
    small, large = make(count=count, held_out=3), whole("French")
    assert (len(small.train), len(small.unseen_pairs), len(small.unseen_triples)) == (count, 3, 3)
    assert small.english.words == large.english.words and small.target.words == large.target.words


@pytest.mark.parametrize(
    "choices, message",
    [
        (
            {"language": "english"},
            "language 'english' is unknown; expected one of: French, Chinese",
        ),
        ({"count": 0}, "count = 0 and held_out = 1000; expected count >= 1"),
        ({"held_out": 50_000}, "held_out = 50000; expected count >= 1 and held_out 0 to 20000"),
    ],
)
def test_make_refuses(choices, message):
    with pytest.raises(ValueError, match=message):
        make(**choices)


# -- words and numbers ----------------------------------------------------------------------------------------------


def test_vocabulary_there_and_back(corpus):
    for sentence in everything(corpus)[::29]:
        for vocabulary, tokens in [
            (corpus.english, sentence.english),
            (corpus.target, sentence.target),
            (corpus.glosses, sentence.gloss),
        ]:
            assert vocabulary.decode(vocabulary.encode(tokens)) == list(tokens)


def test_vocabulary_numbers_and_special_tokens():
    vocabulary = Vocabulary(["dog", "cat", "dog"])
    assert vocabulary.words == [PAD, START, END, "dog", "cat"] == Vocabulary(vocabulary.words).words
    assert len(vocabulary) == 5
    assert vocabulary.encode(["Cat", "DOG"]) == [4, 3]
    assert vocabulary.decode(np.array([1, 3, 4, 2, 3, 0])) == ["dog", "cat"]
    assert vocabulary.decode([3, 0, 0]) == ["dog"]


@pytest.mark.parametrize("ids", [[5], [-1], [3, 2, 9]])
def test_decode_refuses_ids_that_no_word_has(ids):
    with pytest.raises(ValueError, match="expected whole numbers from 0 to 4"):
        Vocabulary(["dog", "cat"]).decode(ids)


def test_unknown_words_are_named_with_near_ones_and_known_ones(corpus):
    with pytest.raises(ValueError) as refused:
        corpus.english.encode(tokenise("The elephant didn't cros the streat, the elephant"))
    lines = str(refused.value).splitlines()
    assert lines[0] == "I do not know 'elephant', 'cros', 'streat'."
    assert lines[1].startswith("Did you mean ") and {"'cross'", "'street'"} <= set(
        re.findall("'[^']+'", lines[1])
    )
    assert lines[2] == "I know these words:"
    assert [line.split(":")[0] for line in lines[3:]] == [
        "- animals",
        "- places",
        "- verbs",
        "- adjectives",
        "- other words",
    ]
    assert set(re.findall(r"[\w']+", " ".join(line.split(":")[1] for line in lines[3:]))) == set(
        corpus.english.words[3:]
    )
    assert max(map(len, lines)) < 180


def test_unknown_words_where_nothing_is_near():
    with pytest.raises(
        ValueError, match=r"I do not know 'xyz'.\nI know these words:\n- other words: chien, chat$"
    ):
        Vocabulary(["chien", "chat"]).encode(["xyz"])


def test_encode_wants_words_not_text(corpus):
    with pytest.raises(ValueError, match=r"write encode\(tokenise\(text\)\)"):
        corpus.english.encode("the dog")


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("The animal didn’t cross the street.", "the animal didn't cross the street"),
        ("  the  DOG\tsaw\nthe cat !?", "the dog saw the cat"),
        (
            "“Because it was too tired, the dog couldn't…”",
            "because it was too tired the dog couldn't",
        ),
        ("'the dog'", "the dog"),
        ("", ""),
        (" . ", ""),
    ],
)
def test_tokenise(text, tokens):
    assert tokenise(text) == tokens.split()


def test_what_is_said_can_be_typed(corpus):
    for sentence in corpus.train[::41]:
        assert tokenise(" ".join(sentence.english).capitalize() + ".") == list(sentence.english)


@pytest.mark.parametrize(
    "language, tokens, text",
    [
        ("French", "l' âne n' a pas vu l' oie", "L'âne n'a pas vu l'oie."),
        ("French", "comme il pleuvait , le chat n'", "Comme il pleuvait, le chat n'."),
        ("Chinese", "动物 太 累 了 ， 因为", "动物太累了，因为。"),
        ("French", "", ""),
        ("Chinese", "", ""),
    ],
)
def test_join(language, tokens, text):
    assert join(tokens.split(), language) == text


def test_join_refuses_other_languages():
    with pytest.raises(ValueError, match="language 'German' is unknown"):
        join(["der"], "German")


# -- batches --------------------------------------------------------------------------------------------------------


def test_batch_is_padded_and_framed(corpus):
    sentences = [say(corpus.language, frame) for frame in ("street was", "passive", "plain")]
    arrays = batch(sentences, corpus)
    S, T = 12, 2 + max(len(sentence.target) for sentence in sentences)
    assert [array.shape for array in arrays] == [(3, S), (3, T), (3, S), (3,)]
    assert all(array.dtype == np.int64 for array in arrays)
    assert arrays.lengths.tolist() == [5, 12, 5]
    for sentence, source, target, gloss, length in zip(sentences, *arrays, strict=True):
        end = len(sentence.target) + 1
        assert corpus.english.decode(source) == list(sentence.english)
        assert corpus.target.decode(target) == list(sentence.target)
        assert corpus.glosses.decode(gloss) == list(sentence.gloss)
        assert target[0] == 1 and target[end] == 2
        assert (
            not source[length:].any() and not gloss[length:].any() and not target[end + 1 :].any()
        )
        assert source[:length].all() and gloss[:length].all() and target[: end + 1].all()


def test_batch_of_nothing_is_refused(corpus):
    with pytest.raises(ValueError, match="expected at least one"):
        batch([], corpus)
