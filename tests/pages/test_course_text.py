"""The frozen prose that page 12 learns from, and what was measured on it."""

import json
import re

from lib.saved.ladder import FILE as LADDER
from tools.course_text import BEYOND_ASCII, FILE, prose
from tools.ladder import SEEDS, fingerprint, program, versions

PAGE = """## A heading

*12 minutes, from an empty cell.* Not a sentence of the course.

**Look** at [page 2](02_softmax.ipynb): `softmax` adds up to 1.
1. The first of *three* items is here.
| a | table |

```python
code = 1
```
<details><summary>Hint</summary>

Which word does row 0 already know?
</details>

A sentence about the word 动物 and others.

Too short.

Back: [1 · Dot products](01_dot_products.ipynb)
"""


def test_only_sentences_are_kept():
    assert prose(PAGE) == [
        "Look at page 2: softmax adds up to 1.",
        "The first of three items is here.",
        "Which word does row 0 already know?",
    ]


def test_the_text_is_plain_and_long_enough():
    text = FILE.read_text("utf-8")
    assert 100_000 < len(text) < 250_000
    strange = {letter for letter in text if not letter.isascii() and letter not in BEYOND_ASCII}
    assert not strange
    assert not re.search(r"https?:|```|<summary>|^#|\*\*", text, re.MULTILINE)


def test_every_version_was_measured_on_this_text():
    measured = json.loads(LADDER.read_text("utf-8"))
    assert measured["text"] == fingerprint(), "the text changed: run tools/ladder.py"
    found = {(row["version"], row["seed"]) for row in measured["rows"]}
    wanted = {(version, seed) for version in versions(program()) for seed in SEEDS}
    assert found == wanted, "run tools/ladder.py"
