"""Write where the course lives on GitHub into every link that says so.

    python3 tools/address.py OWNER/NAME    this address from now on
    python3 tools/address.py               the one that pyproject.toml says, for a new version

The address stands once, in pyproject.toml ([project.urls]), as the version does. What follows from
them stands between two lines "address: ..." in README.md, CITATION.cff and instructors.md, and in
the first cell of every page, `COURSE = "..."`: from there Google Colab fetches the course. Links to
Binder and Colab open the version's tag. While there is no address, a sentence stands in their
place: nobody is sent to a repository of somebody else.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import help_if_asked
from tools.environment import ROOT

FILES = ("pyproject.toml", "README.md", "CITATION.cff", "notebooks/instructors.md")
FIRST_PAGE = "notebooks/00_start_here.ipynb"
DEMOS = "notebooks/demos.ipynb"
GITHUB = "https://github.com/"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+")
BLOCK = re.compile(
    r"(?P<begin>address: (?!end)(?P<name>\w+)\W*\n).*?(?=^\W+address: end\b)",
    re.DOTALL | re.MULTILINE,
)
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
    "citation": (
        "version: {version}\nrepository-code: {repository}\n",
        "version: {version}\n",
    ),
    "clone": (
        "Get the course (or [the ZIP]({zip}): unpack it, and open a terminal in its folder):\n\n"
        "```\ngit clone {repository}\ncd {folder}\n```\n\nThen\n",
        "Get the course: where you read this, click **Code** and **Download ZIP**, and unpack it. "
        "Then open a terminal in its folder, the one with `start.py` in it:\n",
    ),
    "binder": (
        "Without installing anything: [![Binder](https://mybinder.org/badge_logo.svg)]({binder}) "
        "(or [all demos]({demos})). Binder is free, and shared by everybody. The first start of a "
        "version builds it, a quarter of an hour or so; the next ones take one to three minutes, "
        "and sometimes there is no place. After ten minutes without you it ends and keeps nothing: "
        "what you wrote is yours only after *File → Download*. Or [page 0 on Google Colab]({colab})"
        ", with an account of Google's: the first cell of each page fetches the course. There Page "
        "Down does not lead from demo to demo, and what you wrote is kept by *File → Save a copy "
        "in Drive*.\n\nTo read it without running anything, on a phone too: [the course as a site]"
        "({site}), with a search over all pages.\n",
        "*This copy does not know its address on GitHub yet. When somebody has told it (`python3 "
        "tools/address.py OWNER/NAME`), a line that fetches the course stands above, and here a "
        "button that opens it on Binder, without installing anything, and the site to read it "
        "on.*\n",
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
    """A repository on GitHub, OWNER/NAME or "" for none yet, and the version that links open."""

    name: str
    version: str

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


def written(text, address):
    """The text of a file, with what follows from the address in its places."""
    course = address.archive("tar.gz") if address.name else ""
    text = ON_COLAB.sub(course, text)
    return BLOCK.sub(lambda block: block["begin"] + address.text(block["name"]), text)


def places():
    """{file: its text as it is} of all files that name the address."""
    paths = [ROOT / name for name in FILES] + sorted((ROOT / "notebooks").glob("*.ipynb"))
    return {path: path.read_text("utf-8") for path in paths}


def changes(address):
    """{file: its new text} of the files that say something else now."""
    found = {path: (text, written(text, address)) for path, text in places().items()}
    return {path: new for path, (old, new) in found.items() if new != old}


def stated():
    """The address and the version that pyproject.toml states."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    repository = about.get("urls", {}).get("Repository", "")
    return Address(repository.removeprefix(GITHUB), about["version"])


def main(arguments):
    now = stated()
    said = " ".join(arguments) or now.name
    if not said:
        sys.exit(
            "Where on GitHub? pyproject.toml names no repository. Say it: python3 tools/address.py "
            "OWNER/NAME"
        )
    name = said.removeprefix(GITHUB).removesuffix("/").removesuffix(".git")  # as a browser shows it
    if not NAME.fullmatch(name):
        sys.exit(f"{said!r} is no repository on GitHub. Write OWNER/NAME: jane/attention-course.")
    address = Address(name, now.version)
    for path, text in changes(address).items():
        path.write_text(text, "utf-8", newline="\n")
        print(f"{path.relative_to(ROOT).as_posix()}: written")
    print(f"Every link leads to {address.repository}, those of Binder and Colab to its tag.")
    print(f"If it is not there yet: git tag {address.tag} && git push origin {address.tag}")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main(sys.argv[1:])
