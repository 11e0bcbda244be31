"""Write where the course lives on GitHub into every link that says so.

    python3 tools/address.py OWNER/NAME    this address from now on
    python3 tools/address.py               as pyproject.toml says, else as `git remote` says

The address stands once, in pyproject.toml ([project.urls]), as the version does. What follows from
them stands between two lines "address: ..." in README.md, CITATION.cff and instructors.md, and in
the first cell of every page, `COURSE = "..."`: from there Google Colab fetches the course. Links to
Binder and Colab open the version's tag. While there is no address, a sentence stands in their
place: nobody is sent to a repository of somebody else.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ("pyproject.toml", "README.md", "CITATION.cff", "notebooks/instructors.md")
FIRST_PAGE = "notebooks/00_start_here.ipynb"
DEMOS = "notebooks/demos.ipynb"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+")
REMOTE = re.compile(r"(?:https://|ssh://git@|git@)github\.com[/:](\S+?)(?:\.git)?/?")
BLOCK = re.compile(
    r"^(?P<begin>\W+address: (?P<name>\w+)\W*\n)(?P<body>.*?)^(?P<end>\W+address: end\b)",
    re.DOTALL | re.MULTILINE,
)
ON_COLAB = re.compile(r'^COURSE = "(https://github\.com/[^"]*)?"$', re.MULTILINE)


@dataclass(frozen=True)
class Address:
    """A repository on GitHub, OWNER/NAME or "" for none yet, and the tag that links open."""

    name: str
    version: str

    @property
    def repository(self):
        return f"https://github.com/{self.name}" if self.name else ""

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

    def colab(self, page):
        return f"https://colab.research.google.com/github/{self.name}/blob/{self.tag}/{page}"

    def site(self):
        """Where .github/workflows/site.yml publishes the pages to read, "" for nowhere yet."""
        owner, _, folder = self.name.partition("/")
        host = f"{owner.lower()}.github.io"
        if not self.name:
            return ""
        return f"https://{host}/" if folder.lower() == host else f"https://{host}/{folder}/"

    def nbgitpuller(self):
        """A hub's link. Without a branch it takes the main one: of a tag nothing new can come."""
        folder = self.name.partition("/")[2]
        opened = {"repo": self.repository, "urlpath": f"doc/tree/{folder}/{FIRST_PAGE}"}
        return f"https://HUB/hub/user-redirect/git-pull?{urlencode(opened)}"


# -- the blocks: what stands between two lines "address: NAME" and "address: end" -----------------


def project(address):
    return f'Repository = "{address.repository}"\n' if address.name else ""


def citation(address):
    code = f"repository-code: {address.repository}\n" if address.name else ""
    return f"version: {address.version}\n{code}"


def clone(address):
    if not address.name:
        return (
            "Get the course: where you read this, click **Code** and **Download ZIP**, and unpack "
            "it. Then open a terminal in its folder, the one with `start.py` in it:\n"
        )
    folder = address.name.partition("/")[2]
    return (
        f"Get the course (or [the ZIP]({address.archive('zip')}): unpack it, and open a terminal "
        f"in its folder):\n\n```\ngit clone {address.repository}\ncd {folder}\n```\n\nThen\n"
    )


def binder(address):
    if not address.name:
        return (
            "*This copy does not know its address on GitHub yet. When somebody has told it "
            "(`python3 tools/address.py OWNER/NAME`), a line that fetches the course stands above, "
            "and here a button that opens it on Binder, without installing anything, and the site "
            "to read it on.*\n"
        )
    badge = f"[![Binder](https://mybinder.org/badge_logo.svg)]({address.binder(FIRST_PAGE)})"
    colab = (
        f" Or [page 0 on Google Colab]({address.colab(FIRST_PAGE)}), with an account of Google's: "
        "the first cell of each page fetches the course. There Page Down does not lead from demo "
        "to demo, and what you wrote is kept by *File → Save a copy in Drive*."
    )
    return (
        f"Without installing anything: {badge} (or [all demos]({address.binder(DEMOS)})). Binder "
        "is free, and shared by everybody. The first start of a version builds it, a quarter of "
        "an hour or so; the next ones take one to three minutes, and sometimes there is no place. "
        "After ten minutes without you it ends and keeps nothing: what you wrote is yours only "
        f"after *File → Download*.{colab}\n\n"
        "To read it without running anything, on a phone too: [the course as a site]"
        f"({address.site()}), with a search over all pages.\n"
    )


def nbgitpuller(address):
    link = (
        f"the link `{address.nbgitpuller()}`, with your hub's name for HUB,"
        if address.name
        else "a link of the form `https://HUB/hub/user-redirect/git-pull?repo=ADDRESS&urlpath="
        f"doc/tree/NAME/{FIRST_PAGE}`, with the address and the name of the course's repository,"
    )
    return (
        f"- **The pages**: {link} copies the course into the student's home and opens the first "
        "page. Clicking it again brings changes and keeps what the student has written. That is "
        "[nbgitpuller](https://nbgitpuller.readthedocs.io), which the image has; its site has a "
        "form that makes such links.\n"
    )


BLOCKS = {block.__name__: block for block in (project, citation, clone, binder, nbgitpuller)}


# -- writing ---------------------------------------------------------------------------------------


def written_page(text, address):
    """A notebook's text, with the address in its line for Colab."""
    course = address.archive("tar.gz") if address.name else ""
    notebook = json.loads(text)
    found = False
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        found = found or bool(ON_COLAB.search(source))
        cell["source"] = ON_COLAB.sub(f'COURSE = "{course}"', source).splitlines(keepends=True)
    if not found:
        return text
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def written(text, address):
    """A text, with what follows from the address between its lines "address: ..."."""
    return BLOCK.sub(
        lambda block: block["begin"] + BLOCKS[block["name"]](address) + block["end"], text
    )


def places():
    """{file: its text as it is} of all files that name the address."""
    paths = [ROOT / name for name in TEXTS] + sorted((ROOT / "notebooks").glob("*.ipynb"))
    return {path: path.read_text("utf-8") for path in paths}


def changes(address):
    """{file: its new text} of the files that say something else now."""
    found = {}
    for path, text in places().items():
        page = path.suffix == ".ipynb"
        new = written_page(text, address) if page else written(text, address)
        if new != text:
            found[path] = new
    return found


# -- which address ---------------------------------------------------------------------------------


def stated():
    """The address and the version that pyproject.toml states."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return Address(on_github(about.get("urls", {}).get("Repository", "")), about["version"])


def on_github(url):
    """OWNER/NAME of a repository's address on GitHub, as git writes it; "" for another place."""
    found = REMOTE.fullmatch(url.strip())
    return found[1] if found and NAME.fullmatch(found[1]) else ""


def remote():
    """OWNER/NAME of the remote `origin`, "" if it is none of GitHub's."""
    try:
        said = subprocess.run(
            ["git", "remote", "get-url", "origin"], cwd=ROOT, capture_output=True, text=True
        )
    except OSError:  # no git: the course came as a ZIP
        return ""
    return on_github(said.stdout)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="?", metavar="OWNER/NAME", help="the repository on GitHub")
    asked = parser.parse_args(arguments).name
    asked = asked and (on_github(asked) or asked)  # its address will do, too
    if asked and not NAME.fullmatch(asked):
        sys.exit(f"{asked!r} is no repository on GitHub. Write OWNER/NAME: jane/attention-course.")
    now = stated()
    name = asked or now.name or remote()
    if not name:
        sys.exit(
            "Where on GitHub? pyproject.toml names no repository, and `git remote get-url origin` "
            "none on GitHub. Say it: python3 tools/address.py OWNER/NAME"
        )
    address = Address(name, now.version)
    for path, text in changes(address).items():
        path.write_text(text, "utf-8", newline="\n")
        print(f"{path.relative_to(ROOT).as_posix()}: written")
    print(f"Every link leads to {address.repository}, those of Binder and Colab to its tag.")
    print(f"If it is not there yet: git tag {address.tag} && git push origin {address.tag}")


if __name__ == "__main__":
    main()
