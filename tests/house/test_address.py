"""The course's address: it stands once, every link follows from it, and none leads elsewhere."""

import os
import re
import shutil
import tomllib
from datetime import date
from urllib.parse import unquote

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.house.source import texts
from tools import address
from tools.address import Address
from tools.course import ROOT, name_of

JANES = Address("jane/attention.course", "9.1")
NOWHERE = Address("", "9.1")
# Links that open, fetch or cite a repository: not those to the papers' and libraries' pages.
OPENS = re.compile(
    r"mybinder\.org/v2/\w+/([\w.-]+/[\w.-]+)|colab\.research\.google\.com/github/([\w.-]+/[\w.-]+)"
    r"|git-pull\?repo=https(?:://|%3A%2F%2F)github\.com(?:/|%2F)([\w.-]+(?:/|%2F)[\w.-]+)"
    r"|git clone https://github\.com/([\w.-]+/[\w.-]+)|github\.com/([\w.-]+/[\w.-]+)/archive/"
    r"|(?:repository-code:|Repository =) \"?https://github\.com/([\w.-]+/[\w.-]+)"
)


def opened(text):
    """The repositories that the links of a text open, OWNER/NAME."""
    return {unquote(next(filter(None, link.groups()))) for link in OPENS.finditer(text)}


def test_every_link_follows_from_the_address_in_pyproject():
    stale = [name_of(path) for path in address.changes(address.stated())]
    assert not stale, f"{stale} name another address or version: run python3 tools/address.py"


def test_no_link_opens_a_place_of_somebody_else():
    for path in texts():
        if path.is_relative_to(ROOT / "tests") or path.is_relative_to(ROOT / "tools"):
            continue
        others = opened(path.read_text("utf-8")) - {address.stated().name}
        assert not others, (
            f"{name_of(path)} sends readers to {others}: whoever owns that decides what they run. "
            "Let tools/address.py write the link."
        )


def test_on_github_the_address_is_set():
    found = os.environ.get("GITHUB_REPOSITORY")  # OWNER/NAME, as its workflows have it
    assert address.stated().name or not found, (
        f"The course is at {found}, and no link says so: run python3 tools/address.py {found}"
    )


@pytest.fixture
def copy(monkeypatch, tmp_path):
    """The files that name the address, elsewhere, as they are without one."""
    for path in address.places():
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    monkeypatch.setattr(address, "ROOT", tmp_path)
    nowhere = Address("", address.stated().version)
    for path, text in address.changes(nowhere).items():
        path.write_text(text, "utf-8", newline="\n")
    return tmp_path


def test_before_it_is_set_nobody_is_sent_anywhere(copy):
    assert not set().union(*map(opened, address.places().values()))
    readme = (copy / "README.md").read_text("utf-8")
    assert "does not know its address" in readme and "course as a site" not in readme


def test_one_command_writes_every_link(copy, capsys):
    before = address.places()
    address.main(["jane/attention.course"])
    assert address.stated().name == "jane/attention.course"
    tag = f"v{address.stated().version}"
    assert f"git push origin {tag}" in capsys.readouterr().out
    readme = (copy / "README.md").read_text("utf-8")
    assert "git clone https://github.com/jane/attention.course\ncd attention.course\n" in readme
    assert f"mybinder.org/v2/gh/jane/attention.course/{tag}?urlpath=doc%2Ftree%2F" in readme
    assert f"/jane/attention.course/blob/{tag}/notebooks/00_start_here.ipynb" in readme
    assert "does not know its address" not in readme
    assert "[the course as a site](https://jane.github.io/attention.course/)" in readme
    archive = f"https://github.com/jane/attention.course/archive/refs/tags/{tag}.tar.gz"
    for page in sorted((copy / "notebooks").glob("*.ipynb")):
        assert f'COURSE = \\"{archive}\\"\\n' in page.read_text("utf-8"), page.name
    for name in address.FILES:
        assert opened((copy / name).read_text("utf-8")) == {"jane/attention.course"}, name
    # Said once more, as a browser shows it, it changes nothing; taken back, no byte is another.
    after = address.places()
    address.main(["https://github.com/jane/attention.course"])
    assert address.places() == after
    taken_back = address.changes(Address("", address.stated().version))
    assert {**address.places(), **taken_back} == before


def test_the_authors_are_asked_for_and_named(copy, monkeypatch, capsys):
    address.main(["jane/course"])
    assert "name nobody yet" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "Jane Doe,  Zoë O’Neill")
    address.main([])
    assert address.stated().authors == ("Jane Doe", "Zoë O’Neill")
    assert "Copyright (c) 2026 Jane Doe, Zoë O’Neill\n" in (copy / "LICENSE").read_text("utf-8")
    citation = yaml.safe_load((copy / "CITATION.cff").read_text("utf-8"))
    assert [author["name"] for author in citation["authors"]] == ["Jane Doe", "Zoë O’Neill"]
    assert (date.today() - citation["date-released"]).days <= 1
    address.main(["jane/course", "Jane Doe"])
    assert address.stated().authors == ("Jane Doe",)


def test_a_page_keeps_every_other_byte():
    """In the normal form that refresh writes."""
    cells = [
        new_code_cell('COURSE = ""\nprint("√d_k → é")', id="colab"),
        new_markdown_cell("# 0\n"),
    ]
    text = nbformat.writes(new_notebook(cells=cells)) + "\n"
    archive = JANES.archive("tar.gz")
    new = text.replace('COURSE = \\"\\"', f'COURSE = \\"{archive}\\"')
    assert archive in new and address.written(text, JANES) == new
    assert address.written(new, NOWHERE) == text


@pytest.mark.parametrize(
    "name, site",
    [
        ("Jane/course", "https://jane.github.io/course/"),
        ("jane/jane.github.io", "https://jane.github.io/"),
        ("", ""),
    ],
)
def test_the_site_is_where_github_publishes_it(name, site):
    assert Address(name, "9.1").site() == site


def test_binder_opens_pages_that_exist():
    links = re.findall(r"urlpath=([^)\s]+)\)", JANES.text("binder"))
    paths = [unquote(link).removeprefix("doc/tree/") for link in links]
    assert len(paths) == 2 and all((ROOT / path).is_file() for path in paths)


def test_what_is_no_repository_is_answered_with_a_sentence(copy):
    with pytest.raises(SystemExit, match="OWNER/NAME"):
        address.main(["https://example.org/jane/course"])
    with pytest.raises(SystemExit, match="names no repository"):
        address.main([])


def test_a_version_is_said_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    [newest, *_] = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest == version, "CHANGELOG.md begins with what is new in pyproject.toml's version"
