"""Page 14 without the weights, and what was recorded in their place."""

import re

import nbformat
import numpy as np
import pytest

from lib.pretrained import word_pieces
from lib.pretrained.fetched import FOLDER, MEASURED, RealModel
from lib.pretrained.sentences import LONG, PLAIN
from tools import real_model, record

PLACES = r'real\.measured\(\s*"(\w+)"'  # on the page
with_weights = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="python3 start.py real fetches the real model"
)


@pytest.fixture
def without(tmp_path):
    """What a reader has who has not fetched the weights."""
    return RealModel(tmp_path / "none")


def test_the_folder_is_the_one_that_is_fetched():
    assert FOLDER == real_model.FOLDER


def test_every_number_of_the_page_was_recorded(without):
    cells = nbformat.read(record.PAGE, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    names = re.findall(PLACES, code)
    for name in names:
        assert np.isfinite(without._recorded[name]).all()
    assert sorted(names) == sorted(without._recorded), "run tools/record.py"
    assert MEASURED.stat().st_size <= record.LARGEST


def test_a_number_that_was_not_recorded_is_refused(without):
    with pytest.raises(ValueError, match="'other' was not recorded.* python3 start.py real"):
        without.measured("other", lambda: 1)


def test_numbers_for_other_inputs_are_refused(without):
    """They were printed beside a reader's own sentences."""
    assert without.measured("signs", None, PLAIN).shape == (5, 6)
    with pytest.raises(ValueError, match="'signs' was recorded for other inputs.* start.py real"):
        without.measured("signs", None, [*PLAIN[1:], "A sentence of my own."])


def test_what_needs_the_weights_says_so(without):
    with pytest.raises(ValueError, match="python3 start.py real"):
        without.bert.embed([1])
    with pytest.raises(ValueError, match="'badger' is no word.* python3 start.py real"):
        without.ids("A badger sat here")
    with pytest.raises(ValueError, match="302 pieces; expected 256 at most"):
        without.ids("a " * 300)


def test_the_words_of_the_page_are_cut_without_the_weights(without):
    assert word_pieces.pieces("unaffable", without.vocabulary) == ["una", "##ffa", "##ble"]
    for text in [*PLAIN, *LONG]:
        found = word_pieces.tokens(text, without.vocabulary)
        assert word_pieces.UNKNOWN not in found, text


def test_a_recorded_sentence_needs_no_weights(without, capsys):
    seen = without.look(record.SENTENCES[1])
    assert seen.text == record.SENTENCES[1] and seen.maps.shape[:2] == (6, 12)
    assert capsys.readouterr().out == ""


def test_another_sentence_says_how_to_get_them(without, capsys):
    seen = without.look("A sentence of my own.")
    assert seen.text == record.SENTENCES[0]
    assert "python3 start.py real" in capsys.readouterr().out


def test_headings_lead_to_pages(without):
    pages = {page for page, _ in without.headings}
    assert pages == set(range(1, max(pages) + 1)) and 12 <= max(pages) < 14
    assert all(": " in title for _, title in without.headings)


@with_weights
def test_a_sentence_of_ones_own_runs_through_the_model(capsys):
    real = RealModel()
    seen = real.look("A sentence of my own, with an unaffable word.")
    assert seen.maps.shape == (6, 12, len(seen.tokens), len(seen.tokens))
    assert capsys.readouterr().out == ""
    with pytest.raises(ValueError, match="202 pieces; expected 64 at most"):
        real.look("word " * 200)
