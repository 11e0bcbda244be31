"""README's film: every animation moves on by the same time from picture to picture."""

import io

import pytest
from PIL import Image

from tools import film

GLIDES = 400  # milliseconds
BOX = "<div id='box' style='position: absolute; width: 10px; height: 10px'></div>"
# A way over 400 px, as a demo may write it: CSS, element.animate, requestAnimationFrame.
WAYS = {
    "CSS": """() => {
        box.style.transition = "left 400ms linear";
        box.style.left = "0px";
        box.getBoundingClientRect();
        box.style.left = "400px";
    }""",
    "animate": """() => {
        const options = { duration: 400, fill: "forwards" };
        box.animate([{ left: "0px" }, { left: "400px" }], options);
    }""",
    "frames": """() => {
        const start = performance.now();
        const step = (now) => {
            box.style.left = `${Math.min(400, now - start)}px`;
            if (now - start < 400) requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    }""",
}


@pytest.fixture
def window(browser):
    context = browser.new_context()
    opened = context.new_page()
    opened.set_content(BOX)
    film.stop_the_clock(opened)
    yield opened
    context.close()


@pytest.mark.parametrize("way", WAYS)
def test_what_glides_is_as_far_in_each_picture_as_the_film_is(window, way):
    window.evaluate(WAYS[way])
    places = []
    for _ in range(GLIDES // film.PICTURE):
        film.move_on(window)
        places.append(window.evaluate("() => box.getBoundingClientRect().left"))
    steps = [film.PICTURE * (i + 1) for i in range(GLIDES // film.PICTURE)]
    assert places == pytest.approx(steps, abs=1)


def test_pictures_that_do_not_differ_become_one_that_lasts():
    colors = ["red", "red", "blue", "red"]
    data = film.animation([Image.new("RGB", (4, 4), color) for color in colors])
    made = Image.open(io.BytesIO(data))
    lasts = []
    for i in range(made.n_frames):
        made.seek(i)
        made.load()
        lasts.append(made.info["duration"])
    assert lasts == [2 * film.PICTURE, film.PICTURE, film.PICTURE]
