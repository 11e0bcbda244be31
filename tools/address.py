"""Write where the course lives on GitHub, and whose it is, into every place that says so.

    python3 tools/address.py OWNER/NAME "Jane Doe" "John Roe"    this address and these authors
    python3 tools/address.py OWNER/NAME                          this address; it asks for authors
    python3 tools/address.py                                     as stated, for a new version

The address and the authors stand once, in pyproject.toml, as the version does; the day of the
version stands in its heading in CHANGELOG.md, and is today's if it is missing. What follows from
them stands between two lines "address: ..." in README.md, CITATION.cff and instructors.md, in
LICENSE, and in the first cell of every page, `COURSE = "..."`: from there Google Colab fetches the
course. Links to Binder and Colab open the version's tag. While there is no address, a sentence
stands in their place: nobody is sent to a repository of somebody else.
"""

import json
import re
import sys
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import quote, urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.environment import ROOT

FILES = ("pyproject.toml", "README.md", "CITATION.cff", "notebooks/instructors.md")
NAMED = ("LICENSE", "CHANGELOG.md")  # without a link
FIRST_PAGE = "notebooks/00_start_here.ipynb"
DEMOS = "notebooks/demos.ipynb"
GITHUB = "https://github.com/"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+")
BLOCK = re.compile(
    r"(?P<begin>address: (?!end)(?P<name>\w+)\W*\n).*?(?=^\W+address: end\b)",
    re.DOTALL | re.MULTILINE,
)
HOLDER = re.compile(r"(?<=^Copyright \(c\) \d{4} ).*$", re.M)
RELEASE = re.compile(r"^## (?P<version>[\d.]+)(?: · (?P<day>\d{4}-\d\d-\d\d))?$", re.M)
NOBODY = "The authors of Attention, from the dot product up"
ON_COLAB = re.compile(r'(?<="COURSE = \\")[^"\\]*(?=\\"\\n")')  # as a notebook's file has it

NBGITPULLER = (
    "copies the course into the student's home and opens the first page. Clicking it again brings "
    "changes and keeps what the student has written. That is [nbgitpuller]"
    "(https://nbgitpuller.readthedocs.io), which the image has; its site has a form that makes "
    "such links.\n"
)
# What stands between "address: NAME" and "address: end": {NAME: (with an address, without one)}.
TEXTS = {
    "project": ('Repository = "{repository}"\n', ""),
    "citation": ("repository-code: {repository}\n", ""),
    "clone": (
        "Get the course (or [the ZIP]({zip}): unpack it, and open a terminal in its folder):\n\n"
        "```\ngit clone {repository}\ncd {folder}\n```\n\nThen\n",
        "Get the course: where you read this, click **Code** and **Download ZIP**, and unpack it. "
        "Then open a terminal in its folder, the one with `start.py` in it:\n",
    ),
    "binder": (
        "**To read**, on a phone too, with demos that answer: [the course as a site]({site}).\n\n"
        "**To run without installing anything**: [![Binder](https://mybinder.org/badge_logo.svg)]"
        "({binder}) (or [all demos]({demos})), or [page 0 on Google Colab]({colab}).\n\n"
        "<details><summary>How long they take, and what they keep</summary>\n\n"
        "Binder is free, and shared by everybody. The first start of a version builds it, a "
        "quarter of an hour or so; the next ones take one to three minutes, and sometimes there "
        "is no place. After ten minutes without you it ends and keeps nothing: what you wrote is "
        "yours only after *File → Download*. Colab wants an account of Google's; the first cell "
        "of each page fetches the course. There Page Down does not lead from demo to demo, and "
        "what you wrote is kept by *File → Save a copy in Drive*.\n\n</details>\n",
        "<!-- This copy does not know its address on GitHub yet. python3 tools/address.py "
        "OWNER/NAME writes the site and Binder here, and how to fetch the course below. -->\n",
    ),
    "nbgitpuller": (
        "- **The pages**: the link `{hub}`, with your hub's name for HUB, " + NBGITPULLER,
        "- **The pages**: a link of the form `https://HUB/hub/user-redirect/git-pull?repo=ADDRESS&"
        f"urlpath=doc/tree/NAME/{FIRST_PAGE}`, with the address and the name of the course's "
        "repository, " + NBGITPULLER,
    ),
}


@dataclass(frozen=True)
class Address:
    """A repository on GitHub, OWNER/NAME or "" for none yet, the version that links open and the
    day of it (2026-11-26, or "" before its release), and who wrote it.
    """

    name: str
    version: str
    day: str = ""
    authors: tuple = ()

    @property
    def repository(self):
        return f"{GITHUB}{self.name}" if self.name else ""

    @property
    def tag(self):
        return f"v{self.version}"

    def archive(self, kind):
        """The course as one file: kind zip or tar.gz."""
        return f"{self.repository}/archive/refs/tags/{self.tag}.{kind}"

    def binder(self, page):
        """A page on Binder, alone in the window: without the side bar a demo is larger."""
        opened = quote(f"doc/tree/{page}", safe="")
        return f"https://mybinder.org/v2/gh/{self.name}/{self.tag}?urlpath={opened}"

    def site(self):
        """Where .github/workflows/site.yml publishes the pages to read, "" for nowhere yet."""
        owner, _, folder = self.name.partition("/")
        host = f"{owner.lower()}.github.io"
        if not self.name:
            return ""
        return f"https://{host}/" if folder.lower() == host else f"https://{host}/{folder}/"

    def text(self, name):
        """What stands between the lines "address: NAME" and "address: end"."""
        if name in ("authors", "release", "people"):
            return self._about(name)
        folder = self.name.partition("/")[2]
        # On a hub without a branch, which is the main one: of a tag nothing new can come.
        opened = {"repo": self.repository, "urlpath": f"doc/tree/{folder}/{FIRST_PAGE}"}
        at = f"{self.name}/blob/{self.tag}/{FIRST_PAGE}"
        return TEXTS[name][not self.name].format(
            repository=self.repository,
            version=self.version,
            folder=folder,
            zip=self.archive("zip"),
            binder=self.binder(FIRST_PAGE),
            demos=self.binder(DEMOS),
            colab=f"https://colab.research.google.com/github/{at}",
            site=self.site(),
            hub=f"https://HUB/hub/user-redirect/git-pull?{urlencode(opened)}",
        )

    def _about(self, name):
        """The same of what names the authors and the day."""
        names = [json.dumps(author, ensure_ascii=False) for author in self.authors or (NOBODY,)]
        if name == "people":  # of the package
            people = ", ".join(f"{{ name = {name} }}" for name in names)
            return f"authors = [{people}]\n" if self.authors else ""
        if name == "authors":
            return "authors:\n" + "".join(f"  - name: {name}\n" for name in names)
        day = f"date-released: {self.day}\n" if self.day else ""
        return f"version: {self.version}\n{day}"


def written(text, address):
    """The text of a file, with what follows from the address in its places."""
    course = address.archive("tar.gz") if address.name else ""
    text = ON_COLAB.sub(course, text)
    holders = ", ".join(address.authors) or "The authors"
    text = HOLDER.sub(lambda _: holders, text)
    day = f" · {address.day}" if address.day else ""
    text = RELEASE.sub(lambda release: f"## {release['version']}{day}", text, count=1)
    return BLOCK.sub(lambda block: block["begin"] + address.text(block["name"]), text)


def places():
    """{file: its text as it is} of all files that name the address."""
    named = [ROOT / name for name in (*FILES, *NAMED)]
    pages = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return {path: path.read_text("utf-8") for path in (*named, *pages)}


def changes(address):
    """{file: its new text} of the files that say something else now."""
    found = {path: (text, written(text, address)) for path, text in places().items()}
    return {path: new for path, (old, new) in found.items() if new != old}


def stated():
    """The address, the version and the authors that pyproject.toml states, and CHANGELOG's day."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    repository = about.get("urls", {}).get("Repository", "")
    newest = RELEASE.search((ROOT / "CHANGELOG.md").read_text("utf-8"))
    authors = tuple(author["name"] for author in about.get("authors", ()))
    name = repository.removeprefix(GITHUB)
    return Address(name, about["version"], newest["day"] or "", authors)


def asked():
    """The authors' names, from whoever sits there; () if nobody does, or they say none."""
    if not sys.stdin.isatty():
        return ()
    said = input("Who wrote it, as you are to be cited? (Jane Doe, John Roe; Enter: later) ")
    return tuple(name.strip() for name in said.split(",") if name.strip())


def main(arguments):
    now = stated()
    said, *authors = arguments or [now.name]
    if not said:
        sys.exit(
            "Where on GitHub? pyproject.toml names no repository. Say it: python3 tools/address.py "
            "OWNER/NAME"
        )
    name = said.removeprefix(GITHUB).removesuffix("/").removesuffix(".git")  # as a browser shows it
    if not NAME.fullmatch(name):
        sys.exit(f"{said!r} is no repository on GitHub. Write OWNER/NAME: jane/attention-course.")
    authors = tuple(authors) or now.authors or asked()
    address = Address(name, now.version, now.day or date.today().isoformat(), authors)
    for path, text in changes(address).items():
        path.write_text(text, "utf-8", newline="\n")
        print(f"{path.relative_to(ROOT).as_posix()}: written")
    print(f"Every link leads to {address.repository}, those of Binder and Colab to its tag.")
    print(f"If it is not there yet: git tag {address.tag} && git push origin {address.tag}")
    if not authors:
        print("LICENSE and CITATION.cff name nobody yet: say the names behind OWNER/NAME.")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main(sys.argv[1:])
