"""Texts that a tokenizer may stumble over, and many more put together from their parts."""

import random
import unicodedata

WRITTEN = [
    "The animal didn't cross the street because it was too tired.",
    "Crème brûlée, naïve café; Ångström, Škoda, Dvořák!",
    "unaffable transformers' self-attention",
    "it's $3.50 — or “4”? 100% <b>sure</b> ^_^ `code` ~tilde~ a+b=c | d\\e",
    "动物没有穿过街道，因为它太累了。",
    "日本語テキスト ﾊﾝｶｸ 한국어 漢字かな交じり文",
    "mixed中文and英文words",
    "𠀀 and 𫝀 and 𫠠 and 𬺡 and 豈",
    "emoji 😀👍🏽👩‍👩‍👧 🫠 ﬁ ligature ½ ™ a²+b²=c²",
    "ΑΘΗΝΑΣ ΟΔΥΣΣΕΥΣ Σ Straße STRASSE İstanbul ISTANBUL ǅ",
    "Привет, мир! ёлка Йод",
    "العَرَبِيَّة שָׁלוֹם हिन्दी ไทย",
    "tab\tnew\u00a0line\u200bzero\u200djoiner\u00adsoft\ufeffmark",
    "line\nbreak\r\nreturn\u2028separator\u3000wide\x0bvertical\x0cfeed",
    "bell\x07null\x00replaced\ufffdprivate\ue000end\x7f\x85",
    "e\u0301 o\u0308 n\u0303 combining, \u0301 alone",
    "[CLS] a [MASK] sentence [SEP] with [mask] and [UNKNOWN] [PAD][UNK]",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "",
    "   ",
    "\n",
    "...?!",
    "##ing ##",
    "don’t can`t O'Neill",
    "http://a.b/c?d=e&f#g user@mail.org C:\\x",
    "٣٤٥ 四五 Ⅷ ⑨ 1,234.5",
]
MADE = 1_000
PARTS = [" ", "  ", "\n", "'", "'s", "'LL", "ab", "Don", "12", "<|im_end|>", "<repo", "ß", "動"]


def nasty_texts(made):
    """The texts above and so many others, some of them made of any sign that there is."""
    draw = random.Random(1)
    texts = varied_texts(made // 2)
    while len(texts) < made:
        parts = []
        for _ in range(draw.randint(1, 40)):
            parts.append(_sign(draw) if draw.random() < 0.4 else draw.choice(PARTS))
        texts.append("".join(parts))
    return texts


def _sign(draw):
    """One that has been in Unicode since 2002, so that every table knows it."""
    while True:
        sign = chr(draw.randrange(draw.choice([0x20, 0x300, 0x3000, 0x10000, 0x30000])))
        if unicodedata.ucd_3_2_0.category(sign) not in ("Cn", "Cs"):
            return sign


def varied_texts(made=MADE):
    """The texts above, and so many others: their words and letters in another order."""
    draw = random.Random(0)
    words = " ".join(WRITTEN).split(" ")
    letters = "".join(WRITTEN)
    texts = list(WRITTEN)
    for _ in range(made):
        parts = draw.choices(words, k=draw.randint(1, 8))
        for _ in range(draw.randint(0, 4)):
            strange = "".join(draw.choices(letters, k=draw.randint(1, 12)))
            parts.insert(draw.randint(0, len(parts)), strange)
        texts.append(draw.choice(["", " "]).join(parts))
    return texts
