"""Text as numbers: words and ids, sentences filled up to one length (notebooks 6, 8, 10, 12)."""

import difflib
import re

import numpy as np

from lib.validation.arrays import is_whole

PAD, START, END = "<pad>", "<start>", "<end>"
SPECIAL = (PAD, START, END)
PAD_ID, START_ID, END_ID = range(len(SPECIAL))
MOST_NAMED = 10  # unknown words that a message names, each up to so many letters:
MOST_LETTERS = 40


def tokenise(text):
    """The words of an English text in lower case, without punctuation.

    "It didn’t." is ["it", "didn't"].
    """
    plain = re.sub("[’‘ʼ´`]", "'", text.lower())
    return re.findall(r"\w+(?:['-]\w+)*", plain)


def padded(rows):
    """(B, longest) int64: rows of ids, filled up with PAD_ID. Raises ValueError for no rows."""
    if len(rows) == 0:
        raise ValueError("no rows to fill up; expected at least one sentence.")
    longest = max(len(row) for row in rows)
    table = np.full((len(rows), longest), PAD_ID, np.int64)
    for row, ids in zip(table, rows, strict=True):
        row[: len(ids)] = ids
    return table


def _shortened(word):
    """A word to put into a message; someone may have pasted a whole book without a space."""
    return word if len(word) <= MOST_LETTERS else word[:MOST_LETTERS] + "…"


class Vocabulary:
    """Words and their ids: PAD, START and END, then the words in the order given, each once.

    groups: {name: words}, how to list the known words to someone who wrote an unknown one.
    """

    def __init__(self, words, groups=None):
        self.groups = groups or {}
        self.words = list(dict.fromkeys([*SPECIAL, *words]))
        self._ids = {word: number for number, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, tokens):
        """The id of each token, capitals or not.

        Raises ValueError that names unknown words, near and known ones.
        """
        if isinstance(tokens, str):
            raise ValueError(
                f"encode takes a list of words and got the text {tokens!r}; "
                "write encode(tokenise(text))."
            )
        tokens = [token.lower() for token in tokens]
        unknown = list(dict.fromkeys(token for token in tokens if token not in self._ids))
        if unknown:
            raise ValueError(self._sorry(unknown))
        return [self._ids[token] for token in tokens]

    def decode(self, ids):
        """The words before the first END, without PAD and START.

        Raises ValueError for an id that no word has.
        """
        ids = ids.tolist() if hasattr(ids, "tolist") else list(ids)
        if not all(is_whole(number, 0) and number < len(self) for number in ids):
            raise ValueError(f"ids {ids}; expected whole numbers from 0 to {len(self) - 1}.")
        words = []
        for number in map(int, ids):
            if number == END_ID:
                break
            if number not in (PAD_ID, START_ID):
                words.append(self.words[number])
        return words

    def _sorry(self, unknown):
        """What to say of words that are not known: near ones, and all the known ones by group."""
        known = self.words[len(SPECIAL) :]
        named = unknown[:MOST_NAMED]
        names = ", ".join(repr(_shortened(token)) for token in named)
        more = len(unknown) - len(named)
        if more:
            names += f" and {more} more"
        lines = [f"I do not know {names}."]
        near = []
        for token in named:
            near += difflib.get_close_matches(token, known, 2)
        if near:
            suggestions = " or ".join(map(repr, dict.fromkeys(near)))
            lines.append(f"Did you mean {suggestions}?")
        lines.append("I know these words:")
        for group, words in self._grouped(known).items():
            if words:
                lines.append(f"- {group}: {', '.join(words)}")
        return "\n".join(lines)

    def _grouped(self, known):
        """{group: its known words}, and the words of no group as "other words"."""
        grouped = {}
        rest = known
        for group, words in self.groups.items():
            grouped[group] = [word for word in words if word in self._ids]
            rest = [word for word in rest if word not in words]
        grouped["other words"] = rest
        return grouped
