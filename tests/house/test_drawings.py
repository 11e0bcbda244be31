"""The committed drawings are those of the code, small, legible, and true to the course."""

import json
import re
from io import BytesIO
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image

from lib.charts import plots
from tools.course import ROOT
from tools.drawings import DRAWINGS, PAGES, png
from tools.figures import FIGURES, FILMS, STILLS, still
from tools.film import LARGEST

PINNED = re.search(
    r"^matplotlib==(.+)$", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE
)[1]
every_drawing = pytest.mark.parametrize("name", DRAWINGS)


def committed(name):
    return ROOT / "figures" / f"{name}.png"


def pixels(file):
    return np.asarray(Image.open(file).convert("RGBA"))


@every_drawing
def test_committed_picture_is_what_the_code_draws(name):
    fresh = png(name)
    assert fresh == png(name), "drawn twice, it differs"
    if matplotlib.__version__ != PINNED:
        pytest.skip(f"drawn with matplotlib {PINNED}, and this is {matplotlib.__version__}")
    if not np.array_equal(pixels(committed(name)), pixels(BytesIO(fresh))):
        pytest.fail(f"figures/{name}.png is stale; run: tools/drawings.py", pytrace=False)


@every_drawing
def test_picture_is_small_and_a_white_card_on_any_page(name):
    assert committed(name).stat().st_size <= 120_000
    picture = pixels(committed(name))
    assert picture.shape[1] == 1530
    corners = picture[[0, 0, -1, -1], [0, -1, 0, -1]]
    assert (corners[:, 3] == 0).all()
    assert (picture[picture.shape[0] // 2, [15, -15]] == 255).all()


def placed(name):
    """Every text of a drawing and where it is, in pixels of a page 900 wide."""
    axes = DRAWINGS[name]()
    renderer, to_page = FigureCanvasAgg(axes.figure).get_renderer(), axes.transData.inverted()
    return [
        (text, text.get_window_extent(renderer).transformed(to_page))
        for text in axes.texts
        if text.get_text()
    ]


@every_drawing
def test_texts_are_large_enough_inside_the_card_and_apart(name):
    texts = placed(name)
    for text, place in texts:
        assert text.get_fontsize() >= 15 * 0.72, f"{text.get_text()!r} is below 11 points"
        assert place.xmin >= 24 and place.xmax <= 876, f"{text.get_text()!r} leaves the card"
    for (text, place), (other, other_place) in combinations(texts, 2):
        assert not place.overlaps(other_place), (
            f"{text.get_text()!r} and {other.get_text()!r} overlap"
        )


@every_drawing
def test_formulas_have_subscripts_and_roots_have_a_bar(name):
    for text, _ in placed(name):
        plain = "".join(text.get_text().split("$")[::2])  # what is not between two $
        assert "_" not in plain and "√" not in plain, f"{plain!r}: write it between two $"


@pytest.mark.parametrize("name", ["zoom-2-stacks", "zoom-4-head"])
@pytest.mark.parametrize("meaning", ["QUERY", "KEY", "VALUE"])
def test_a_letter_keeps_the_colour_of_its_meaning(name, meaning):
    """A file has few colours, and a letter few pixels: it must not take another's colour."""
    color = np.round(255 * np.array(to_rgb(getattr(plots, meaning))))
    count = int((pixels(committed(name))[..., :3] == color).all(-1).sum())
    assert count > 10, f"figures/{name}.png is stale, or has too few colours for {meaning}"


def test_the_head_of_the_encoder_has_no_mask():
    axes = DRAWINGS["zoom-4-head"]()
    assert not any(patch.get_hatch() for patch in axes.patches)
    assert "mask" not in " ".join(text.get_text() for text, _ in placed("zoom-4-head"))


def test_the_map_names_every_page_as_it_names_itself():
    pages = sorted((ROOT / "notebooks").glob("[01][0-9]_*.ipynb"))
    assert len(pages) == len(PAGES), (
        f"there are {len(pages)} pages and {len(PAGES)} names in PAGES of tools/drawings.py: write "
        "one name and question there for each page, and run: tools/drawings.py"
    )
    for path, (name, question) in zip(pages, PAGES, strict=True):
        heading = "".join(json.loads(path.read_text("utf-8"))["cells"][0]["source"]).splitlines()[0]
        assert name.replace("\n", " ") in heading, f"{path.name} calls itself {heading!r}"
        assert len(question.split()) <= 6


@pytest.mark.parametrize("name", STILLS)
def test_readme_shows_the_pictures_of_the_demos(name):
    if (FIGURES / f"{name}.png").read_bytes() != still(STILLS[name]):
        pytest.fail(
            f"figures/{name}.png is not the picture in demos.ipynb: run `tools/figures.py stills`.",
            pytrace=False,
        )


every_film = pytest.mark.parametrize("name", FILMS.values())


@every_film
def test_the_film_is_short_smooth_and_small(name):
    path = FIGURES / f"{name}.webp"
    assert path.stat().st_size <= LARGEST
    lasts = []
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            film.load()
            lasts.append(film.info["duration"])
    assert 8_000 <= sum(lasts) <= 12_000, "milliseconds"
    assert min(lasts) <= 1000 / 15, "where it moves it has 15 pictures a second or more"


@every_film
def test_who_wants_nothing_to_move_sees_how_the_film_ends(name):
    with Image.open(FIGURES / f"{name}.webp") as film:
        film.seek(film.n_frames - 1)
        last = np.asarray(film.convert("RGB"), float)
    still = np.asarray(Image.open(FIGURES / f"{name}.png").convert("RGB"), float)
    assert np.abs(last - still).mean() <= 2, "of 255"


def test_readme_has_each_film_and_its_still():
    readme = (ROOT / "README.md").read_text("utf-8")
    for name in FILMS.values():
        assert f'"figures/{name}.webp"' in readme and f'"figures/{name}.png"' in readme
