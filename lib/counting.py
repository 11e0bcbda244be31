"""A table that counts which character follows the last few, and learns nothing else (notebook 12).

Modified Kneser-Ney: Chen and Goodman 1999, Computer Speech and Language 13. Characters may be any
symbols that can stand in a tuple or a text.
"""

from collections import Counter, defaultdict

import numpy as np


class Table:
    """What followed each piece of the last ``back`` characters of a text, for every shorter piece
    too.

    A share is that of the longest memory, from which a little is taken; what was taken is shared
    out as the memory one character shorter says.
    """

    def __init__(self, text, back):
        """text: a str or a sequence; back: how many characters each memory has. ValueError below 0.

        Raises ValueError for a text that is not longer than ``back``.
        """
        if not 0 <= back < len(text):
            raise ValueError(
                f"back = {back} for a text of {len(text)} characters; expected 0 or more, and "
                "fewer than it has."
            )
        self.back, self.kinds = back, len(set(text))
        counts = _followers(text, back)
        self.memories = [counts]  # the longest first: {memory: Counter of what came next}
        for shorter in range(back - 1, -1, -1):
            counts = _continuations(_followers(text, shorter + 1))
            self.memories.append(counts)
        self.memories.reverse()
        self.discounts = [_discounts(counts) for counts in self.memories]

    @property
    def rows(self):
        """How many different memories of the full length it has met."""
        return len(self.memories[self.back])

    def told(self, text, begin):
        """What it costs from ``begin`` on, how many rows it has, and how often that helps."""
        return (
            f"table, {self.back} back: {self.bits(text, begin):.2f} bits; {self.rows:,} rows; "
            f"{self.met(text, begin):.2f} of the new contexts met before"
        )

    def met(self, text, begin):
        """The share of the places of ``text`` from ``begin`` on whose full memory it has met."""
        memories = self.memories[self.back]
        places = range(begin, len(text))
        return sum(text[place - self.back : place] in memories for place in places) / len(places)

    def share(self, before, character):
        """The share of this character after ``before``, of which it reads the end."""
        share = 1 / self.kinds
        for back, counts in enumerate(self.memories[: len(before) + 1]):
            came = counts.get(before[len(before) - back :])
            if came is None:
                break  # nor was any longer one met
            discounts = self.discounts[back]
            taken = sum(discounts[min(count, 3)] for count in came.values())
            count = came[character]
            share = (count - discounts[min(count, 3)] + taken * share) / came.total()
        return share

    def bits(self, text, begin):
        """What a character of ``text`` costs on average from the place ``begin`` on, in bits."""
        shares = [
            self.share(text[max(0, place - self.back) : place], text[place])
            for place in range(begin, len(text))
        ]
        return -np.log2(shares).mean()


def _followers(text, back):
    """{piece of ``back`` characters: Counter of what came next}."""
    found = defaultdict(Counter)
    for place in range(back, len(text)):
        found[text[place - back : place]][text[place]] += 1
    return dict(found)


def _continuations(longer):
    """The same for pieces one character shorter, counting not how often but after how many
    different characters.
    """
    found = defaultdict(Counter)
    for piece, came in longer.items():
        for character in came:
            found[piece[1:]][character] += 1
    return dict(found)


def _discounts(counts):
    """What is taken from a count of 0, of 1, of 2, and of 3 or more."""
    often = Counter(count for came in counts.values() for count in came.values())
    if not all(often[count] for count in (1, 2, 3, 4)):
        return 0, 0.5, 0.75, 1.0  # too small a text to say
    share = often[1] / (often[1] + 2 * often[2])
    return 0, *(n - (n + 1) * share * often[n + 1] / often[n] for n in (1, 2, 3))
