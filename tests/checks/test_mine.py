"""mine.py: what a check called right is kept, later pages take it, and nothing is lost."""

import base64
import linecache
import os
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from lib import mine
from lib.checks.keeping import file, keeper
from lib.checks.keeping.registry import KEPT
from tests.pages.test_mine import LAYER
from tools import browser, refresh

IS_KEPT, IN_JUPYTER = keeper.IS_KEPT, keeper._in_jupyter
SOFTMAX = """
def my_softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
"""
ATTENTION = """
def my_attention(queries, keys, values):
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    return my_softmax(scores) @ values
"""
MULTI_HEAD = """
def my_split(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

def my_merge(x):
    return x.swapaxes(1, 2).reshape(len(x), x.shape[2], -1)

def my_multi_head(X, memory, W_Q, W_K, W_V, W_O, heads):
    queries, keys = my_split(X @ W_Q, heads), my_split(memory @ W_K, heads)
    return my_merge(my_attention(queries, keys, my_split(memory @ W_V, heads))) @ W_O
"""


class Page:
    """A page of the course with its cells, as a kernel has them."""

    count = 0

    def __init__(self, monkeypatch):
        self.names = ModuleType("__main__")
        self.monkeypatch = monkeypatch
        self.run("import numpy as np\nfrom lib import checks")

    def run(self, *cells):
        """Run the cells; the value of the last line if it is a verdict."""
        self.monkeypatch.setitem(sys.modules, "__main__", self.names)
        for cell in cells:
            Page.count += 1
            name = f"<cell {Page.count}>"
            linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
            exec(compile(cell, name, "exec"), vars(self.names))

    def check(self, asked):
        self.run(f"verdict = checks.{asked}")
        return self.names.verdict


@pytest.fixture
def new_page(monkeypatch, tmp_path):
    """Opens pages of one reader, in a folder of their own."""
    monkeypatch.delenv(file.SWITCH)
    monkeypatch.setattr(keeper, "_in_jupyter", lambda: True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return lambda: Page(monkeypatch)


@pytest.fixture
def page(new_page):
    return new_page()


def text():
    return file.read()


def taken(name, capsys):
    """(What a page gets from lib.mine, the lines that it is told)."""
    capsys.readouterr()
    given = getattr(mine, name)
    return given, capsys.readouterr().out.splitlines()


# -- keeping ---------------------------------------------------------------------------------------


def test_a_function_that_is_right_is_kept_and_the_verdict_says_so(page):
    page.run(SOFTMAX)
    verdict = page.check("softmax(my_softmax)")
    assert str(verdict).endswith(f"no problem. {IS_KEPT}")
    assert verdict.message == "each row sums to 1, and scores of 1000 are no problem."
    assert SOFTMAX.strip() in text() and "\nimport numpy as np\n" in text()
    assert "# Page 2: 2 · A softmax that survives\ndef my_softmax" in text()
    assert text().startswith('"""Your own program')


def test_what_is_wrong_is_not_kept(page):
    page.run("def my_softmax(scores):\n    return np.exp(scores)")
    assert page.check("softmax(my_softmax)").kept == "" and text() == ""


def test_what_a_function_uses_goes_along(page):
    page.run(
        "import math\nfrom math import sqrt as root\nfrom lib.attention import softmax\n"
        "import numpy.linalg as la\nfrom numpy import matmul",
        "LOW, POWER, SIZES = -np.inf, 0.5, (2, 3)",
        "def helper(scores):\n    return softmax(scores) if scores.max() > LOW else SIZES",
        "def my_attention(queries, keys, values):\n"
        "    size = root(len(queries[0])) * math.cos(0) * la.norm([1, 0])\n"
        "    return helper(matmul(queries, keys.T) / size ** (2 * POWER)) @ values",
    )
    assert page.check("attention(my_attention)").kept == IS_KEPT
    for line in (
        "import math",
        "from math import sqrt as root",
        "from lib.attention import softmax",
        "from numpy import linalg as la",
        "from numpy import matmul",
        'LOW = float("-inf")',
        "POWER = 0.5",
        "SIZES = (2, 3)",
    ):
        assert line in text().replace("import numpy.linalg as", "from numpy import linalg as")
    assert text().index("def helper") < text().index("def my_attention")


def test_what_stands_there_already_is_not_written_again(page):
    page.run(SOFTMAX, ATTENTION)
    page.check("softmax(my_softmax)")
    assert page.check("attention(my_attention)").kept == IS_KEPT
    assert text().count("def my_softmax") == text().count("import numpy") == 1


def test_a_part_that_was_never_checked_becomes_a_function_of_its_own_page(page, capsys):
    page.run(SOFTMAX, ATTENTION)
    page.check("attention(my_attention)")
    assert "# Page 2: 2 · A softmax that survives\ndef my_softmax" in text()
    assert taken("my_softmax", capsys)[1] == ["my_softmax: yours, from mine.py"]


def test_a_class_is_kept_with_its_parts(page, capsys):
    page.run(
        "import torch\nfrom torch import nn",
        "class Weights(nn.Identity):\n    pass",
        *LAYER,
    )
    page.names.In = ["class Weights(nn.Identity):\n    pass"]
    assert page.check("encoder_layer(MyEncoderLayer)").kept == IS_KEPT
    assert "from torch import nn" in text() and "class Weights" in text()
    layer, said = taken("MyEncoderLayer", capsys)
    assert said == ["MyEncoderLayer: yours, from mine.py"]
    assert layer(8, 2, 12).attention.weights and layer is not page.names.MyEncoderLayer


def test_a_lambda_is_kept_as_it_is_written(page):
    page.run("my_causal = lambda T: np.tri(T, dtype=bool)")
    assert page.check("causal_mask(my_causal)").kept == IS_KEPT
    assert "\nmy_causal = lambda T: np.tri(T, dtype=bool)\n" in text()


@pytest.mark.parametrize(
    "cells, asked, sentence",
    [
        (["table = np.tri(99)", "def my_causal(T):\n    return table[:T, :T] == 1"],
         "causal_mask(my_causal)", "it uses table, an array of this page"),
        (["def mask(T):\n    return np.tri(T) == 1", "my_causal = mask"],
         "causal_mask(my_causal)", "my_causal is defined as mask on this page"),
        ([], "causal_mask(lambda T: np.tri(T) == 1)", "not at the left edge"),
        (["if True:\n    def my_causal(T):\n        return np.tri(T) == 1"],
         "causal_mask(my_causal)", "not at the left edge"),
        (["import sys\nmy_causal = eval('lambda T: np.tri(T) == 1')"],
         "causal_mask(my_causal)", "not at the left edge"),
    ],
)  # fmt: skip
def test_what_cannot_leave_the_page_is_told(page, cells, asked, sentence):
    page.run(*cells)
    verdict = page.check(asked)
    assert verdict.ok and verdict.kept.startswith("Not kept in mine.py: ")
    assert sentence in verdict.kept and verdict.kept.endswith(".")
    assert text() == ""


def test_another_exercise_of_the_same_check_is_not_kept(page):
    page.run(SOFTMAX, ATTENTION.replace("my_attention", "buggy"))
    assert page.check("attention(buggy)").kept == "" and text() == ""


def test_without_jupyter_nothing_is_kept(page, monkeypatch):
    monkeypatch.setattr(keeper, "_in_jupyter", IN_JUPYTER)
    page.run(SOFTMAX)
    assert page.check("softmax(my_softmax)").kept == ""


def test_switched_off_nothing_is_kept_or_read(page, monkeypatch, capsys):
    page.run(SOFTMAX)
    page.check("softmax(my_softmax)")
    monkeypatch.setenv(file.SWITCH, "off")
    assert page.check("softmax(my_softmax)").kept == ""
    given, said = taken("my_softmax", capsys)
    assert given is KEPT["my_softmax"].course
    assert said == ["my_softmax: the course's, until the check on page 2 calls yours right."]
    assert "no mine.py yet" in str(mine.show())


# -- again -----------------------------------------------------------------------------------------


def test_a_function_that_is_checked_again_takes_its_own_place_only(page):
    page.run(SOFTMAX, ATTENTION)
    page.check("softmax(my_softmax)")
    page.check("attention(my_attention)")
    by_hand = text().replace("\ndef my_soft", "\n# my first one\ndef my_soft") + "\n\nx = 3 # mine"
    file.write(by_hand.replace("\n", "\r\n"))
    page.run(SOFTMAX.replace("powers", "shares"))
    assert page.check("softmax(my_softmax)").kept == IS_KEPT
    expected = by_hand.split("def my_softmax")
    body, _, rest = expected[1].partition("\n\n\n")
    wanted = f"{expected[0]}def my_softmax{body.replace('powers', 'shares')}\n\n\n{rest}\n"
    assert text() == wanted.replace("\n", "\r\n")


def test_parts_that_others_need_stay_as_they_are(page):
    page.run(SOFTMAX, ATTENTION, MULTI_HEAD)
    page.check("multi_head(my_multi_head)")
    before = text()
    page.run(ATTENTION.replace("keys.swapaxes(-1, -2)", "keys.T"))
    kept = page.check("attention(my_attention)").kept
    assert "my_multi_head there needs the my_attention" in kept and text() == before


def test_a_better_part_replaces_the_one_of_an_earlier_page(page):
    page.run(SOFTMAX, ATTENTION.replace("keys.swapaxes(-1, -2)", "keys.T"))
    page.check("attention(my_attention)")
    page.run(ATTENTION, MULTI_HEAD)
    assert page.check("multi_head(my_multi_head)").kept == IS_KEPT
    assert "keys.T" not in text() and text().count("def my_attention") == 1


def test_another_helper_of_the_same_name_is_told(new_page):
    first = new_page()
    first.run(SOFTMAX, ATTENTION, MULTI_HEAD)
    first.check("multi_head(my_multi_head)")
    other = new_page()
    other.run(
        "def my_split(T):\n    return T", "def my_causal(T):\n    return np.tri(my_split(T)) == 1"
    )
    kept = other.check("causal_mask(my_causal)").kept
    assert (
        "another my_split than the one that my_multi_head uses" in kept
        and "my_causal" not in text()
    )


def test_another_function_under_the_name_of_an_exercise_is_told(new_page):
    first = new_page()
    first.run(SOFTMAX)
    first.check("softmax(my_softmax)")
    other = new_page()
    other.run("def my_softmax(T):\n    return np.tri(T) == 1")
    other.run("def my_causal(T):\n    return my_softmax(T)")
    kept = other.check("causal_mask(my_causal)").kept
    assert "a my_softmax that the check of page 2 does not call right" in kept
    assert SOFTMAX.strip() in text() and "my_causal" not in text()


def test_two_pages_at_once_lose_nothing(new_page, monkeypatch):
    one, other = new_page(), new_page()
    one.run(SOFTMAX)
    other.run("def my_causal(T):\n    return np.tri(T) == 1")
    judge_in_file, asked = keeper._judge, []

    def judge_while_another_page_writes(kept, module):
        asked.append(kept.name)
        if len(asked) == 1:
            other.check("causal_mask(my_causal)")
        return judge_in_file(kept, module)

    monkeypatch.setattr(keeper, "_judge", judge_while_another_page_writes)
    assert one.check("softmax(my_softmax)").kept == IS_KEPT
    assert "def my_softmax" in text() and "def my_causal" in text()


# -- taking ----------------------------------------------------------------------------------------


def test_a_later_page_takes_it_and_says_so(page, capsys):
    page.run(SOFTMAX)
    page.check("softmax(my_softmax)")
    capsys.readouterr()
    page.run("from lib.mine import my_softmax, my_attention")
    assert capsys.readouterr().out.splitlines() == [
        "my_softmax: yours, from mine.py",
        "my_attention: the course's, until the check on page 4 calls yours right.",
    ]
    assert np.allclose(page.names.my_softmax(np.zeros((1, 4))), 0.25)


def test_functions_that_are_taken_serve_in_the_next(page):
    page.run(SOFTMAX)
    page.check("softmax(my_softmax)")
    page.run("from lib.mine import my_softmax", ATTENTION)
    assert page.check("attention(my_attention)").kept == IS_KEPT
    assert (
        text().count("my_softmax(scores):") == 1 and "lib.mine import" not in text().split('"""')[2]
    )


def test_the_course_s_version_serves_until_the_reader_s_is_there(page, capsys):
    page.run("from lib.mine import my_softmax", ATTENTION)
    assert page.check("attention(my_attention)").kept == IS_KEPT
    assert "\nfrom lib.mine import my_softmax\n" in text()
    given, said = taken("my_attention", capsys)
    assert said == ["my_attention: yours, from mine.py"]
    assert taken("my_softmax", capsys)[1][0].startswith("my_softmax: the course's, until")
    page.run(SOFTMAX)
    assert page.check("softmax(my_softmax)").kept == IS_KEPT
    assert "\nfrom lib.mine import my_softmax\n" not in text()
    assert taken("my_softmax", capsys)[1] == ["my_softmax: yours, from mine.py"]
    assert taken("my_attention", capsys)[1] == ["my_attention: yours, from mine.py"]


def test_the_course_s_version_is_not_kept_as_the_reader_s(page):
    page.run("from lib.mine import my_softmax")
    assert page.check("softmax(my_softmax)").kept == keeper.OF_COURSE and text() == ""


def test_a_function_that_was_changed_by_hand_is_checked_again(page, capsys):
    page.run(SOFTMAX)
    page.check("softmax(my_softmax)")
    file.write(text().replace("np.exp(", "np.exp2("))
    given, said = taken("my_softmax", capsys)
    assert given is KEPT["my_softmax"].course
    assert said == [
        "my_softmax: the course's. Yours in mine.py is not right any more: you took powers of 2; "
        "softmax takes powers of e, np.exp."
    ]
    file.write(text().replace("np.exp2(", "np.exp(1 * "))
    assert taken("my_softmax", capsys)[1] == ["my_softmax: yours, from mine.py"]


@pytest.mark.parametrize(
    "broken, sentence",
    [
        ("def my_softmax(scores:\n", "mine.py stops in line 2 (SyntaxError: "),
        ("y = 1\nx = 1 / 0\n", "mine.py stops in line 3 (ZeroDivisionError: division by zero): "),
        ("from mine import my_softmax\n", "mine.py stops in line 2 (ImportError: "),
        ("exit()\n", "mine.py stops in line 2 ("),
        ("x = '\0'\n", "mine.py stops"),
    ],
)  # fmt: skip
def test_a_broken_file_is_told_and_never_overwritten(page, capsys, broken, sentence):
    file.write(f"# mine\n{broken}")
    given, said = taken("my_softmax", capsys)
    assert given is KEPT["my_softmax"].course and len(said) == 1
    assert said[0].startswith(f"my_softmax: the course's. {sentence}")
    page.run(SOFTMAX)
    verdict = page.check("softmax(my_softmax)")
    assert verdict.ok and verdict.kept.startswith(f"Not kept in mine.py: {sentence}")
    assert text() == f"# mine\n{broken}"
    assert "mine.py" in str(mine.show())


def test_a_file_that_asks_itself_gets_the_course_s(page, capsys):
    page.run(SOFTMAX)
    page.check("softmax(my_softmax)")
    file.write(f"from lib.mine import my_attention, my_softmax as given\n{text()}")
    assert taken("my_softmax", capsys)[1] == ["my_softmax: yours, from mine.py"]


def test_a_file_in_another_encoding_is_told(page, capsys):
    file.place().write_bytes("# é\n".encode("latin-1"))
    assert "no text in UTF-8" in taken("my_softmax", capsys)[1][0]
    page.run(SOFTMAX)
    assert "no text in UTF-8" in page.check("softmax(my_softmax)").kept


def test_a_file_or_folder_that_may_not_be_changed_is_told(page, monkeypatch):
    page.run(SOFTMAX)
    file.write("# mine\n")
    file.place().chmod(0o444)
    assert "read-only" in page.check("softmax(my_softmax)").kept and text() == "# mine\n"
    file.place().unlink()

    def refused(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(file.tempfile, "mkstemp", refused)
    assert "nothing can be written into" in page.check("softmax(my_softmax)").kept


@pytest.mark.parametrize("name", sorted(KEPT))
def test_the_course_s_version_is_right(name):
    kept = KEPT[name]
    assert kept.judge(kept.course).ok
    wanted = kept.name.startswith("My")
    assert isinstance(kept.course, type) == wanted


def test_what_is_not_there_is_told_with_what_is():
    with pytest.raises(ImportError, match="knows my_softmax, .*my_heads and show"):
        from lib.mine import my_softmacks  # noqa: F401
    for name in ("__path__", "__all__", "_hidden"):
        assert not hasattr(mine, name)
    assert {"show", *KEPT} == set(dir(mine))


# -- the whole program -----------------------------------------------------------------------------


def test_the_program_is_shown_and_handed_out(page):
    page.run(SOFTMAX)
    page.check("softmax(my_softmax)")
    shown = mine.show()
    assert "page  2  my_softmax         3 lines" in str(shown)
    assert "my_attention (4)" in str(shown) and "beside the pages" in str(shown)
    link = shown._repr_html_().partition("data:text/x-python;base64,")[2].partition('"')[0]
    assert base64.b64decode(link).decode("utf-8") == text()


def test_binder_says_that_it_forgets(page, monkeypatch):
    file.write("x = 1\n")
    monkeypatch.setenv("BINDER_REQUEST", "1")
    assert "Binder forgets this machine" in str(mine.show())


def test_on_colab_it_lies_where_files_are_uploaded_to(page, monkeypatch, tmp_path):
    """There the course stands in a folder of its own, and the page's is the one above it."""
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    monkeypatch.setattr(file, "COURSE", tmp_path / "content" / "course")
    (tmp_path / "content").mkdir()
    page.run(SOFTMAX)
    assert page.check("softmax(my_softmax)").kept == IS_KEPT
    assert (tmp_path / "content" / "mine.py").exists() and not (tmp_path / "mine.py").exists()
    assert "a machine of its own" in str(mine.show())


def test_a_page_that_starts_at_the_top_finds_the_one_beside_the_pages(page, monkeypatch, tmp_path):
    """As in editors that start every kernel in the folder they have opened."""
    monkeypatch.setattr(file, "COURSE", tmp_path)
    assert file.place() == tmp_path / "notebooks" / "mine.py"


@pytest.mark.parametrize(
    "environment", [os.environ, refresh._environment("x"), browser._environment(Path("x"))]
)
def test_what_tests_and_refresh_solve_is_not_kept(environment):
    assert environment[file.SWITCH] == "off"
