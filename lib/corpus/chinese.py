"""Chinese: nothing agrees, and the noun that *it* stands for is said once more.

Chinese can do that, and often writes 它, or nothing, for either noun. Here it always says the noun,
so that one must know which one *it* is.
"""

from typing import NamedTuple

from lib.corpus.frames import CHOICES, NOUN_CHOICES

CODE = "zh-CN"  # as web pages name the language
# A subject and a place with which each form of the other words is written: there is no gender.
NOUNS_OF_EVERY_GENDER = (("dog", "park"),)


class Adjective(NamedTuple):
    after_degree: str
    before_noun: str  # and before 的


class Degree(NamedTuple):
    word: str
    pattern: str  # what is written around an adjective


NOUNS = {
    "animal": "动物",
    "cow": "牛",
    "dog": "狗",
    "mouse": "老鼠",
    "cat": "猫",
    "goose": "鹅",
    "horse": "马",
    "turtle": "乌龟",
    "donkey": "驴",
    "goat": "山羊",
    "rabbit": "兔子",
    "hen": "母鸡",
    "bear": "熊",
    "ostrich": "鸵鸟",
    "fox": "狐狸",
    "giraffe": "长颈鹿",
    "street": "街道",
    "park": "公园",
    "forest": "森林",
    "bridge": "桥",
    "avenue": "大道",
    "garden": "花园",
    "square": "广场",
    "field": "田野",
    "island": "岛屿",
    "path": "小路",
    "beach": "沙滩",
    "market": "市场",
    "valley": "山谷",
    "racecourse": "赛马场",
    "meadow": "草地",
    "dock": "码头",
}
ADJECTIVES = {
    "tired": Adjective(after_degree="累", before_noun="疲惫"),
    "hungry": Adjective(after_degree="饿", before_noun="饥饿"),
    "scared": Adjective(after_degree="害怕", before_noun="受惊"),
    "sleepy": Adjective(after_degree="困", before_noun="困倦"),
    "worried": Adjective(after_degree="不安", before_noun="不安"),
    "lazy": Adjective(after_degree="懒", before_noun="懒惰"),
    "nervous": Adjective(after_degree="紧张", before_noun="紧张"),
    "cautious": Adjective(after_degree="谨慎", before_noun="谨慎"),
    "shy": Adjective(after_degree="害羞", before_noun="害羞"),
    "stubborn": Adjective(after_degree="固执", before_noun="固执"),
    "wide": Adjective(after_degree="宽", before_noun="宽阔"),
    "narrow": Adjective(after_degree="窄", before_noun="狭窄"),
    "crowded": Adjective(after_degree="拥挤", before_noun="拥挤"),
    "empty": Adjective(after_degree="空旷", before_noun="空旷"),
    "distant": Adjective(after_degree="远", before_noun="遥远"),
    "cluttered": Adjective(after_degree="杂乱", before_noun="杂乱"),
    "muddy": Adjective(after_degree="泥泞", before_noun="泥泞"),
    "slippery": Adjective(after_degree="滑", before_noun="湿滑"),
    "remote": Adjective(after_degree="偏僻", before_noun="偏僻"),
    "boring": Adjective(after_degree="无聊", before_noun="无聊"),
}
VERBS = {
    "cross": "穿过",
    "avoid": "避开",
    "find": "找到",
    "explore": "探索",
    "protect": "保护",
    "inspect": "检查",
    "see": "看见",
    "hear": "听见",
    "catch": "抓住",
}
# What is done to a place by these is no harm to it: Chinese does not say it with 被.
WITHOUT_PASSIVE = ("cross", "avoid")
DEGREES = {
    "too": Degree("太", pattern="太 {adjective} 了"),
    "very": Degree("很", pattern="很 {adjective}"),
    "really": Degree("非常", pattern="非常 {adjective}"),
}
PATTERNS = {
    "didn't": "{subject} 没有 {verb} {place} ， 因为 {it} {degree adjective}",
    "couldn't": "{subject} 没能 {verb} {place} ， 因为 {it} {degree adjective}",
    "passive": "{not done by} ， 因为 {it} {degree adjective}",
    "but": "{subject} 想 {verb} {place} ， 但是 {it} {degree adjective}",
    "fronted": "因为 {it} {degree adjective} ， 所以 {subject} 没有 {verb} {place}",
    "plain": "{subject} {verb} 了 {place}",
    "negated": "{subject} 没有 {verb} {place}",
    "wanted": "{subject} 想 {verb} {place}",
    "raining": "{subject} 没有 {verb} {place} ， 因为 下雨 了",
    "tired animal": "{quality} 的 {subject} {verb} 了 {place}",
    "wide street": "{subject} {verb} 了 {quality} 的 {place}",
    "animal was": "{subject} {degree adjective}",
    "street was": "{place} {degree adjective}",
    "two animals": "{subject} {verb} 了 {other}",
}
# The glosses of the words that every sentence of a frame has; the others have none.
GLOSSES = {
    "didn't": "没有",
    "couldn't": "没能",
    "wasn't": "没有",
    "wanted": "想",
    "because": "因为",
    "but": "但是",
    "by": "被",
    "it": "天",
    "raining": "下雨",
}


def forms(chosen, described):
    """{slot of PATTERNS: Chinese words}.

    described: the choice ("subject" or "place") whose noun is said once more in the slot {it}.
    """
    words = {}
    for role in NOUN_CHOICES:
        if role in chosen:
            words[role] = NOUNS[chosen[role]]
    if "verb" in chosen:
        words["verb"] = _verb(chosen)
    if "verb" in chosen and "place" in chosen:
        words["not done by"] = _not_done_by(chosen["verb"], words)
    if chosen.get("verb") == "hear":
        words["other"] += " 的 声音"  # one hears a sound
    if "adjective" in chosen:
        words["it"] = NOUNS[chosen[described]]
        words["quality"] = ADJECTIVES[chosen["adjective"]].before_noun
    if "degree" in chosen:
        adjective = ADJECTIVES[chosen["adjective"]].after_degree
        pattern = DEGREES[chosen["degree"]].pattern
        words["degree adjective"] = pattern.format(adjective=adjective)
    return words


def gloss(slot, chosen):
    """The Chinese for a slot of the English pattern."""
    choice = CHOICES[slot]
    word = chosen[choice]
    if choice in NOUN_CHOICES:
        return NOUNS[word]
    if choice == "degree":
        return DEGREES[word].word
    if slot == "adjective":
        return ADJECTIVES[word].after_degree
    if slot == "quality":
        return ADJECTIVES[word].before_noun
    return _verb(chosen)


def join(tokens):
    """A sentence to read: no spaces, and the full stop of Chinese."""
    return "".join(tokens) + "。"


def _not_done_by(verb, words):
    """What the subject did not do, said of the place where one can."""
    if verb in WITHOUT_PASSIVE:
        pattern = "{subject} 没有 {verb} {place}"
    else:
        pattern = "{place} 没有 被 {subject} {verb}"
    return pattern.format(**words)


def _verb(chosen):
    if chosen["verb"] == "cross" and chosen.get("place") == "bridge":
        return "走过"  # through a street, but over a bridge
    return VERBS[chosen["verb"]]
