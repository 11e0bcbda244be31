"""BERT's word pieces by plain code: a text as pieces that the model knows (page 14).

Lower case without accents; punctuation and Chinese characters stand alone; an unknown word is cut
into known pieces, those after the first marked "##". Equal to the usual tokenizer, but for rare
signs that came to Unicode after its tables were made. Devlin et al. 2018, arXiv:1810.04805;
Wu et al. 2016, arXiv:1609.08144, section 4.1.
"""

import json
import re
import unicodedata
from pathlib import Path

FILE = "tokenizer.json"
UNKNOWN = "[UNK]"
SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")  # stay whole where somebody types them
LONGEST_WORD = 100  # characters; a longer one is not cut
CHINESE = (  # first and last character of each range, as the usual tokenizer has them
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
REPLACEMENT = "\ufffd"  # what stands where a text could not be read
CONTROL = ("Cc", "Cf", "Co")  # Unicode's categories of signs that nobody sees
ACCENT = "Mn"  # its category of marks that stand above or below a letter


def read_vocabulary(folder):
    """{piece: id} of the tokenizer.json in a folder.

    Raises ValueError for a folder without it, and for a tokenizer that cuts in another way.
    """
    path = Path(folder) / FILE
    if not path.is_file():
        raise ValueError(
            f"there is no {FILE} in {str(folder)!r}. "
            "That of the real model is fetched by: python3 start.py real"
        )
    try:
        tokenizer = json.loads(path.read_text("utf-8"))
        kind = tokenizer["model"].get("type")
        lower = (tokenizer["normalizer"] or {}).get("lowercase")
        vocabulary = tokenizer["model"]["vocab"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{FILE} in {path.parent.name} cannot be read: it is cut off, or no tokenizer's file. "
            "Copy or fetch it again."
        ) from error
    if kind != "WordPiece" or lower is not True or UNKNOWN not in vocabulary:
        raise ValueError(
            f"{FILE} in {path.parent.name} is a {kind} with lowercase = {lower}; expected a "
            f"WordPiece with lowercase = True and the piece {UNKNOWN}."
        )
    return vocabulary


def tokens(text, vocabulary):
    """[CLS], the pieces of the text, [SEP]."""
    found = ["[CLS]"]
    for part in SPECIAL.split(text):
        if SPECIAL.fullmatch(part):
            found.append(part)
            continue
        for word in words(part):
            found += pieces(word, vocabulary)
    return [*found, "[SEP]"]


def pieces(word, vocabulary):
    """The longest known beginning, then the longest that goes on from there, and so on.

    "unaffable" is "una", "##ffa", "##ble". [UNK] alone if nothing known goes on from some place.
    """
    if len(word) > LONGEST_WORD:
        return [UNKNOWN]
    found = []
    start = 0
    while start < len(word):
        end = _end_of_the_longest(word, start, vocabulary)
        if end is None:
            return [UNKNOWN]
        found.append(_piece(word, start, end))
        start = end
    return found


def _end_of_the_longest(word, start, vocabulary):
    """Where the longest known piece that begins at ``start`` ends; None if there is none."""
    for end in range(len(word), start, -1):
        if _piece(word, start, end) in vocabulary:
            return end
    return None


def _piece(word, start, end):
    return word[:end] if start == 0 else "##" + word[start:end]


def words(text):
    """The words of a text: lower case, no accents, punctuation and Chinese characters alone."""
    spaced = ""
    for character in text:
        if character.isspace() and not _is_dropped(character):
            spaced += " "
        elif _is_chinese(character):
            spaced += f" {character} "
        elif not _is_dropped(character):
            spaced += character
    cut = ""
    for character in _without_accents(spaced):
        for letter in character.lower():
            cut += f" {letter} " if _is_punctuation(letter) else letter
    return cut.split()


def _without_accents(text):
    letters_and_marks = unicodedata.normalize("NFD", text)  # é as e and its accent
    return "".join(c for c in letters_and_marks if unicodedata.category(c) != ACCENT)


def _is_dropped(character):
    if character in "\t\n\r":  # controls, but they part words
        return False
    return character == REPLACEMENT or unicodedata.category(character) in CONTROL


def _is_chinese(character):
    return any(first <= ord(character) <= last for first, last in CHINESE)


def _is_punctuation(character):
    """Unicode's punctuation, and every sign of ASCII: $ and + too."""
    sign_of_ascii = "!" <= character <= "~" and not character.isalnum()
    return sign_of_ascii or unicodedata.category(character).startswith("P")
