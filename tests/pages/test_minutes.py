"""A page is one sitting: what it says of its minutes is what they come to, and they are few."""

import re

import pytest

from tests.pages.test_predictions import PATHS
from tools.count_page import FURTHER, MAIN, cells_of, count, parts

MOST_MINUTES = 50
MOST_WORDS = 2000  # to be read, outside of folds and in those that an answer opens
STATED = re.compile(r"(\d+) minutes")
OF_THE_PAGE = re.compile(r"^\*(\d+) minutes\. You need", re.MULTILINE)
BY_SO_MUCH = 0.15


def stated_by(page):
    """The minutes that a page says it takes: near its top, on page 0 below the demo."""
    [stated] = OF_THE_PAGE.findall("\n".join(cell["source"] for cell in page[MAIN]))
    return int(stated)


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def page(request):
    return parts(cells_of(request.param))


def test_the_main_path_is_one_sitting(page):
    found = count(page[MAIN])
    assert found["formula"] <= MOST_MINUTES and found["read"] <= MOST_WORDS, found


def test_a_page_says_how_long_it_takes(page):
    stated = stated_by(page)
    counted = count(page[MAIN])["formula"]
    assert abs(stated - counted) <= BY_SO_MUCH * counted, f"{stated} minutes; counted: {counted}"


def test_each_side_path_says_how_long_it_takes(page):
    for title, cells in page[FURTHER].items():
        stated, counted = int(STATED.search(title)[1]), count(cells)["formula"]
        most = max(2, round(BY_SO_MUCH * counted))  # a piece of 5 minutes may be one of 7
        assert abs(stated - counted) <= most, f"{title}; counted: {counted}"
