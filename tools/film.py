"""Films of the live demos, at a steady pace on any machine.

Between two pictures the time of animations stands still: the film's clock moves on by one picture,
the browser draws, and a screenshot is taken, however long that takes.
"""

import io
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page as BrowserPage

from lib.widgets.frame.pictures import chromium
from tools.browser import TWO_FRAMES, Page, page, server

PICTURE = 50  # milliseconds of each picture: 20 a second
KEY = 300  # milliseconds from one key to the next
QUALITY = 82
LARGEST = 3_000_000  # bytes: README is opened with a slow line, too

# Animations ask performance.now, or the time that requestAnimationFrame gives; those of CSS and of
# element.animate are stopped, and their time is set by hand.
STOP_THE_CLOCK = """() => {
    let now = performance.now();
    const draw = window.requestAnimationFrame.bind(window);
    performance.now = () => now;
    window.requestAnimationFrame = (act) => draw(() => act(now));
    window.moveOn = (milliseconds) => {
        now += milliseconds;
        for (const animation of document.getAnimations()) {
            const time = (animation.currentTime ?? 0) + milliseconds;
            const end = animation.effect.getComputedTiming().endTime;
            if (time >= end) animation.finish();
            else animation.currentTime = time;
        }
    };
}"""


class Scene(NamedTuple):
    """A demo in full screen, what is done to it, and for how long it is filmed afterwards.

    notebook: its path under notebooks/; number: which of the demos on it, from 0; button: the name
    of what is clicked first, or ""; keys: then pressed in the drawing, one after the other;
    seconds: of the film, after the last key, or 0 to do all this before the camera runs.
    """

    notebook: str
    number: int
    button: str
    keys: tuple
    seconds: float


class Look(NamedTuple):
    """How a film looks: theme is "light" or "dark", style is CSS for the film alone, and the
    pictures are cut below at this height in pixels."""

    theme: str
    style: str
    height: int


def film(scenes, path, look):
    """Film the scenes one after the other into a WebP file; its last picture.

    Raises ValueError if the file would be too large; then it is not written.
    """
    pictures = []
    with server("lab") as running, chromium() as browser, page(running, browser) as p:
        for (notebook, number), part in groupby(scenes, lambda scene: scene[:2]):
            pictures += on_page(p, notebook, number, list(part), look)
    pictures = [picture.crop((0, 0, picture.width, look.height)) for picture in pictures]
    data = animation(pictures)
    if len(data) > LARGEST:
        raise ValueError(
            f"{path.name} would have {len(data):,} bytes, and may have {LARGEST:,}: shorten a "
            "scene, or lower QUALITY in tools/film.py."
        )
    Path(path).write_bytes(data)
    return pictures[-1]


def on_page(p: Page, notebook, number, scenes, look):
    """The pictures of the scenes of one demo."""
    p.open(notebook)
    p.theme(look.theme)
    p.run_all()
    p.let_glide()
    demo = p.demos()[number]
    pictures = []
    with p.full_screen(demo):
        p.browser.add_style_tag(content=look.style)
        p.settle()
        stop_the_clock(p.browser)
        for scene in scenes:
            pictures += play(p, demo, scene)
    return pictures


def stop_the_clock(window: BrowserPage):
    """From now on nothing in the page moves by itself; move_on moves it."""
    protocol = window.context.new_cdp_session(window)
    protocol.send("Animation.enable")
    protocol.send("Animation.setPlaybackRate", {"playbackRate": 0})
    window.evaluate(STOP_THE_CLOCK)


def move_on(window: BrowserPage):
    """Move the time of animations on by one picture, and wait until that is drawn."""
    window.evaluate("(milliseconds) => window.moveOn(milliseconds)", PICTURE)
    window.evaluate(TWO_FRAMES)


def play(p: Page, demo, scene):
    """The pictures of one scene."""
    pictures = []
    filmed = scene.seconds > 0
    if scene.button:
        demo.get_by_role("button", name=scene.button).click()
        p.browser.mouse.move(0, 0)
        pictures += wait(p, KEY, filmed)
    drawing = demo.locator("[data-lm-suppress-shortcuts][tabindex='0']").first
    drawing.focus()
    for key in scene.keys:
        drawing.press(key)
        pictures += wait(p, KEY, filmed)
    return pictures + wait(p, 1000 * scene.seconds, filmed)


def wait(p: Page, milliseconds, filmed):
    """Let the kernel answer, then move the film's clock on; the pictures, if it is filmed."""
    p.wait_until_idle()
    pictures = []
    for _ in range(round(milliseconds / PICTURE)):
        move_on(p.browser)
        if filmed:
            pictures.append(Image.open(io.BytesIO(p.browser.screenshot())).convert("RGB"))
    return pictures


def animation(pictures):
    """The bytes of a WebP file; pictures that do not differ become one that lasts longer."""
    different = []
    lasts = []
    for picture in pictures:
        if different and picture == different[-1]:
            lasts[-1] += PICTURE
        else:
            different.append(picture)
            lasts.append(PICTURE)
    buffer = io.BytesIO()
    first, *others = different
    options = {"quality": QUALITY, "method": 6, "loop": 0}
    first.save(buffer, "webp", save_all=True, append_images=others, duration=lasts, **options)
    return buffer.getvalue()
