"""Byte pairs by plain code: a text as pieces of bytes that a model knows, and back.

A text is cut into words, a space going with the word after it; a word is its bytes of UTF-8, each
written as a letter; then the pair of neighbours that was merged first in training is merged, again
and again. Equal to the usual tokenizer, but for rare signs that came to Unicode after one of the
two tables was made. Sennrich et al. 2016, arXiv:1508.07909; of bytes: Radford et al. 2019.
"""

import heapq
import json
import re
import unicodedata
from functools import cache
from pathlib import Path

FILE = "tokenizer.json"
SHOWN = [*range(33, 127), *range(161, 173), *range(174, 256)]  # bytes that stand for themselves
FIRST_LETTER = 256  # of the other bytes
# Of a text's sketch: L letter, N number, P anything else that is seen, W white, and a space.
WORDS = re.compile(r" ?L+| ?N+| ?P+|[ W]+(?![^ W])|[ W]+")
CONTRACTIONS = re.compile(r"'(?:s|t|re|ve|m|ll|d)")
NUMBER_ALONE, WHOLE = re.compile("N|[^N]+"), re.compile(".+")
NOT_WHITE = "\x1c\x1d\x1e\x1f"  # which Python counts as white
NORMAL, SPECIAL = (1,), (3, 4)  # what GGUF says of a piece: control, and added by somebody
CUTS = {"smollm": True, "gpt-2": False}  # GGUF's names: are numbers alone?


@cache
def byte_letters():
    """{byte: the letter it is written as}: itself where it is seen, otherwise one from 256 on."""
    letters = {byte: chr(byte) for byte in SHOWN}
    hidden = [byte for byte in range(256) if byte not in letters]
    return letters | {byte: chr(FIRST_LETTER + place) for place, byte in enumerate(hidden)}


# -- a text as words ----------------------------------------------------------------------------


def words(text, numbers_alone):
    """The words of a text, which put together are the text.

    numbers_alone: whether each digit is a word of its own; otherwise those side by side are one.
    """
    sketch = "".join(map(_kind, text))
    found = []
    for part in (NUMBER_ALONE if numbers_alone else WHOLE).finditer(sketch):
        place, end = part.span()
        while place < end:
            word = CONTRACTIONS.match(text, place, end) or WORDS.match(sketch, place, end)
            found.append(text[place : word.end()])
            place = word.end()
    return found


@cache
def _kind(character):
    """L letter, N number, W white but for the space itself, P all else."""
    if character == " ":
        return " "
    if character.isspace() and character not in NOT_WHITE:
        return "W"
    category = unicodedata.category(character)[0]
    return category if category in "LN" else "P"


# -- pieces -------------------------------------------------------------------------------------


class BytePairs:
    """Pieces with their numbers, 0, 1, 2, ...; the pairs to merge, the first to be merged first.

    pieces: texts of byte_letters; merges: pairs of them; special: pieces that stay whole where they
    stand in a text, and are written as they are; numbers_alone: as in ``words``. A byte that no
    piece has is left out, as the usual tokenizer does. Raises ValueError for pieces that come twice
    and for merges of or into what is no piece.
    """

    def __init__(self, pieces, merges, special, numbers_alone):
        self.pieces = pieces
        self.ids = {piece: number for number, piece in enumerate(pieces)}
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.special = frozenset(special)
        self.numbers_alone = numbers_alone
        self._bytes = {letter: byte for byte, letter in byte_letters().items()}
        longest_first = sorted(special, key=len, reverse=True)
        self._specials = re.compile("|".join(map(re.escape, longest_first)) or r"\Z\A.")
        self._check(merges)

    def _check(self, merges):
        if len(self.ids) != len(self.pieces):
            raise ValueError("a piece of this tokenizer comes twice. Copy or fetch its file again.")
        wrong = [piece for piece in self.special if piece not in self.ids]
        wrong += [piece for piece in self.pieces if not piece]
        letters = set(self._bytes)
        wrong += [p for p in self.pieces if p not in self.special and not letters.issuperset(p)]
        for one, other in merges:
            wrong += [piece for piece in (one, other, one + other) if piece not in self.ids]
        if wrong:
            raise ValueError(
                f"{wrong[0]!r} is no piece of this tokenizer, or none that is written in its "
                "letters for bytes. Copy or fetch its file again."
            )

    def encode(self, text):
        """The numbers of a text's pieces. Raises ValueError for half of a surrogate pair."""
        found, place = [], 0
        for special in self._specials.finditer(text):
            found += self._plain(text[place : special.start()])
            found.append(self.ids[special[0]])
            place = special.end()
        return found + self._plain(text[place:])

    def _plain(self, text):
        """encode of a text without special pieces."""
        letters = byte_letters()
        found = []
        for word in words(text, self.numbers_alone):
            try:
                written = [letters[byte] for byte in word.encode()]
            except UnicodeEncodeError:
                raise ValueError(
                    f"{word!r} holds half of a surrogate pair, which is no character. "
                    "Read the text anew, with the encoding that it was written in."
                ) from None
            known = [letter for letter in written if letter in self.ids]
            found += [self.ids[piece] for piece in self._merged(known)]
        return found

    def _merged(self, pieces):
        """Merge the neighbours of the lowest rank, those on the left first, while there are any."""
        after, before = list(range(1, len(pieces) + 1)), list(range(-1, len(pieces) - 1))
        waiting = []

        def wait(left):
            if left >= 0 and after[left] < len(pieces):
                rank = self.ranks.get((pieces[left], pieces[after[left]]))
                if rank is not None:
                    heapq.heappush(waiting, (rank, left))

        for left in range(len(pieces) - 1):
            wait(left)
        while waiting:
            rank, left = heapq.heappop(waiting)
            right = after[left]
            if right == len(pieces) or self.ranks.get((pieces[left], pieces[right])) != rank:
                continue  # one of the two has been merged with another
            pieces[left] += pieces[right]
            pieces[right] = ""
            after[left] = after[right]
            if after[right] < len(pieces):
                before[after[right]] = left
            wait(before[left])
            wait(left)
        return [piece for piece in pieces if piece]

    def decode(self, ids):
        """The text of these numbers; bytes that are no text, as at its end, become U+FFFD.

        Raises ValueError for a number that no piece has.
        """
        written = b""
        for number in ids:
            if not 0 <= number < len(self.pieces):
                raise ValueError(
                    f"piece {number}; expected whole numbers from 0 to {len(self.pieces) - 1}."
                )
            piece = self.pieces[int(number)]
            if piece in self.special:
                written += piece.encode()
            else:
                written += bytes(self._bytes[letter] for letter in piece)
        return written.decode(errors="replace")


# -- files --------------------------------------------------------------------------------------


def gguf_byte_pairs(file):
    """The BytePairs of a GGUFFile. Raises ValueError for a tokenizer that cuts in another way."""
    name = "tokenizer.ggml."
    for setting in ("add_bos_token", "add_eos_token", "add_space_prefix"):
        file.refuse_other_than(**{name + setting: False})
    file.refuse_other_than(**{name + "model": "gpt2"})
    cut = file.setting(name + "pre")
    if not isinstance(cut, str) or cut not in CUTS:
        file.refuse_setting(name + "pre", cut, f"one of {', '.join(CUTS)}")
    pieces = file.texts(name + "tokens")
    special = []
    for piece, kind in zip(pieces, file.numbers(name + "token_type", len(pieces)), strict=True):
        if kind not in NORMAL + SPECIAL:
            file.refuse_setting(f"that {piece!r} is of the kind", int(kind), "1, 3 or 4")
        if kind in SPECIAL:
            special.append(piece)
    merges = [tuple(merge.split(" ")) for merge in file.texts(name + "merges")]
    for merge in merges:
        if len(merge) != 2:
            file.refuse_setting("a merge of", merge, "two pieces")
    return BytePairs(pieces, merges, special, CUTS[cut])


def folder_byte_pairs(folder):
    """The BytePairs of the tokenizer.json in a folder.

    Raises ValueError for a folder without it, and for a tokenizer that cuts in another way.
    """
    path = Path(folder) / FILE
    if not path.is_file():
        raise ValueError(f"there is no {FILE} in {str(folder)!r}. Copy it there.")
    try:
        tokenizer = json.loads(path.read_text("utf-8"))
        model, added = tokenizer["model"], tokenizer.get("added_tokens") or []
        others = _other_settings(tokenizer, model, added)
        special = {token["content"]: token["id"] for token in added}
        numbers = model["vocab"] | special
        merges = [tuple(m.split(" ") if isinstance(m, str) else m) for m in model["merges"]]
        pieces = sorted(numbers, key=numbers.get)
        whole = [numbers[piece] for piece in pieces] == list(range(len(pieces)))
        whole = whole and all(len(merge) == 2 for merge in merges)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _unreadable(path) from error
    if others:
        raise ValueError(
            f"{FILE} in {path.parent.name} says {others[0]}, which is not known here; expected "
            "byte pairs as GPT-2's or SmolLM's."
        )
    if not whole:
        raise _unreadable(path)
    return BytePairs(pieces, merges, special, _numbers_alone(tokenizer["pre_tokenizer"]))


def _unreadable(path):
    return ValueError(
        f"{FILE} in {path.parent.name} cannot be read: it is cut off, or no tokenizer's file. "
        "Copy or fetch it again."
    )


def _other_settings(tokenizer, model, added):
    """What this tokenizer does and we do not, as texts."""
    found = []
    if model.get("type") != "BPE":
        found.append(f"type = {model.get('type')!r}")
    names = ["dropout", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk"]
    found += [f"{name} = {model[name]!r}" for name in names if model.get(name)]
    names = ["byte_fallback", "ignore_merges"]
    found += [f"{name} = {model[name]!r}" for name in names if model.get(name)]
    if model.get("unk_token") and not set(byte_letters().values()) <= set(model["vocab"]):
        found.append(f"unk_token = {model['unk_token']!r}")
    after = tokenizer.get("post_processor")
    if after and after["type"] != "ByteLevel":
        found.append(f"post_processor = {after['type']!r}")
    for name in ("normalizer", "truncation", "padding"):
        if tokenizer.get(name):
            found.append(f"{name} = {tokenizer[name]!r}")
    if _numbers_alone(tokenizer["pre_tokenizer"]) is None:
        found.append(f"pre_tokenizer = {tokenizer['pre_tokenizer']!r}")
    for token in added:
        names = ["lstrip", "rstrip", "single_word"]
        found += [f"{name} of {token['content']!r}" for name in names if token.get(name)]
    return found


def _numbers_alone(cut):
    """Whether numbers are alone, None for a pre_tokenizer that cuts in another way."""
    steps = cut["pretokenizers"] if cut and cut["type"] == "Sequence" else [cut]
    numbers_alone = len(steps) == 2
    if numbers_alone:
        if steps[0] != {"type": "Digits", "individual_digits": True}:
            return None
        steps = steps[1:]
    if len(steps) != 1 or not steps[0] or steps[0]["type"] != "ByteLevel":
        return None
    if steps[0].get("add_prefix_space", True) or not steps[0].get("use_regex", True):
        return None
    return numbers_alone
