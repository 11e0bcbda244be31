"""No sentence of a check is lost: sentences.json holds, for each check, what it can say.

Not in it are sentences with numbers or errors in them that only one answer earns. A sentence that
is changed on purpose is changed there, too.
"""

import json
from pathlib import Path

import pytest

from tests.checks.asking import all_heard

SENTENCES = json.loads(Path(__file__).with_name("sentences.json").read_text("utf-8"))


@pytest.mark.parametrize("name", SENTENCES)
def test_every_sentence_is_still_said(name):
    lost = set(SENTENCES[name]) - all_heard(name)
    assert not lost, (
        f"no answer of the bank, stored or written there, makes {name} say {sorted(lost)}; "
        "if a sentence went on purpose, delete it from tests/checks/sentences.json"
    )
