"""What a Chinese reader would write."""

import re
from collections import Counter

import pytest

from lib.corpus import IT_FRAMES, join, say
from tests.corpus.shared import SENTENCES, everything, translated, whole

TRANSLATIONS = {
    "the animal didn't cross the street because it was too tired": (
        "动物没有穿过街道，因为动物太累了。"
    ),
    "the animal didn't cross the street because it was too wide": (
        "动物没有穿过街道，因为街道太宽了。"
    ),
    "the goose didn't find the racecourse because it was very worried": (
        "鹅没有找到赛马场，因为鹅很不安。"
    ),
    "the hen didn't cross the bridge because it was really slippery": (
        "母鸡没有走过桥，因为桥非常滑。"
    ),
    "the donkey couldn't avoid the avenue because it was too stubborn": (
        "驴没能避开大道，因为驴太固执了。"
    ),
    "the bear couldn't explore the forest because it was very muddy": (
        "熊没能探索森林，因为森林很泥泞。"
    ),
    "the street wasn't crossed by the animal because it was too wide": (
        "动物没有穿过街道，因为街道太宽了。"
    ),
    "the bridge wasn't crossed by the hen because it was very lazy": (
        "母鸡没有走过桥，因为母鸡很懒。"
    ),
    "the avenue wasn't protected by the donkey because it was too nervous": (
        "大道没有被驴保护，因为驴太紧张了。"
    ),
    "the racecourse wasn't inspected by the goose because it was really boring": (
        "赛马场没有被鹅检查，因为赛马场非常无聊。"
    ),
    "the mouse wanted to explore the dock but it was too cautious": (
        "老鼠想探索码头，但是老鼠太谨慎了。"
    ),
    "the animal wanted to cross the street but it was too empty": (
        "动物想穿过街道，但是街道太空旷了。"
    ),
    "because it was very sleepy the bear didn't cross the forest": (
        "因为熊很困，所以熊没有穿过森林。"
    ),
    "because it was too distant the donkey didn't find the avenue": (
        "因为大道太远了，所以驴没有找到大道。"
    ),
    "the goose avoided the racecourse": "鹅避开了赛马场。",
    "the mouse didn't protect the dock": "老鼠没有保护码头。",
    "the hen wanted to cross the bridge": "母鸡想走过桥。",
    "the donkey didn't cross the avenue because it was raining": "驴没有穿过大道，因为下雨了。",
    "the hungry goose found the racecourse": "饥饿的鹅找到了赛马场。",
    "the tired animal crossed the street": "疲惫的动物穿过了街道。",
    "the bear crossed the narrow forest": "熊穿过了狭窄的森林。",
    "the hen inspected the remote bridge": "母鸡检查了偏僻的桥。",
    "the ostrich was really shy": "鸵鸟非常害羞。",
    "the island was very cluttered": "岛屿很杂乱。",
    "the market was too crowded": "市场太拥挤了。",
    "the dog saw the cat": "狗看见了猫。",
    "the turtle heard the donkey": "乌龟听见了驴的声音。",
    "the fox caught the ostrich": "狐狸抓住了鸵鸟。",
}
GLOSSES = {
    ("didn't", "wide"): "–|动物|没有|穿过|–|街道|因为|街道|–|太|宽",
    ("passive", "tired"): "–|街道|没有|穿过|被|–|动物|因为|动物|–|太|累",
    ("raining", None): "–|动物|没有|穿过|–|街道|因为|天|–|下雨",
    ("tired animal", "tired"): "–|疲惫|动物|穿过|–|街道",
}


@pytest.mark.parametrize("english", SENTENCES)
def test_sentences_as_a_native_reader_would_write_them(english):
    assert translated("Chinese", english) == TRANSLATIONS[english]


@pytest.mark.parametrize("frame, adjective", GLOSSES)
def test_glosses(frame, adjective):
    choices = {"adjective": adjective} if adjective else {}
    assert say("Chinese", frame, **choices).gloss == tuple(GLOSSES[frame, adjective].split("|"))


def test_tokens_of_the_courses_sentence():
    target = "动物 没有 穿过 街道 ， 因为 动物 太 累 了"
    assert say("Chinese", "didn't").target == tuple(target.split())


@pytest.mark.parametrize("frame", IT_FRAMES)
def test_the_noun_is_said_once_more(frame):
    for adjective, meant, other in (("tired", "动物", "街道"), ("wide", "街道", "动物")):
        counts = Counter(say("Chinese", frame, adjective=adjective).target)
        assert (counts[meant], counts[other]) == (2, 1)


def test_chinese_is_chinese():
    for sentence in everything(whole("Chinese")):
        text = "".join(sentence.target)
        assert re.fullmatch("[\u4e00-\u9fff]+(，[\u4e00-\u9fff]+)?", text), sentence.target


@pytest.mark.parametrize(
    "tokens, text", [("动物 太 累 了 ， 因为", "动物太累了，因为。"), ("", "")]
)
def test_join(tokens, text):
    assert join(tokens.split(), "Chinese") == text
