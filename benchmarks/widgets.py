"""From a slider's key to the new picture in JupyterLab, gliding as it does for a reader: our demos,
and interact with matplotlib.
"""

import time
from pathlib import Path
from statistics import median, quantiles

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from benchmarks.table import Row
from lib.widgets.frame.pictures import chromium
from tools.browser import page, server

# (heads, tokens): how many times faster we want to be
SIZES = {(4, 16): 4, (8, 64): 10, (16, 128): 14, (12, 512): 14}
MOVES = 24
MOVES_OF_MANY = 6  # with more than 128 tokens, where the other takes half a minute for one
MANY = 128
HELD = 30  # steps
REPEAT = 1 / 30  # seconds between two steps of a key that is held down
FRAME = 17.0  # milliseconds
FIRST, LAST = 50, 250  # milliseconds: a slider feels late if it takes longer
SPOTS = {"Arrows": (134, 82), "Bars": (86, 40)}  # where k′ and the first score are

# Both demos have a d_k slider with many steps, one step apart, so that a held key always has
# somewhere to go. Both compute the maps of all heads; ours draws that of one head and names any
# cell's two tokens under the pointer, the other draws all, with every token on both axes or with
# none. That ours has less to draw is part of how many times it is faster.
OURS = """
import sys; sys.path.insert(0, "..")
from lib import widgets
from lib.widgets.heads import heads
heads.TOKENS *= 4  # so that there are 512
demo = widgets.Heads()
demo.source.value = "random"
demo.drawing.veiled = False
demo.tied.value = False
demo.d_k.options = list(range(1, 65))
demo.heads.options = [{heads}]
demo.tokens.options = [{tokens}]
demo.d_k.value = 16
demo
"""
INTERACT = """
import sys; sys.path.insert(0, "..")
import ipywidgets
import matplotlib.pyplot as plt
from lib.attention import multi_head_attention
from lib.widgets.heads import heads
from lib.widgets.heads.heads import parameters, vectors
heads.TOKENS *= 4
names = heads.TOKENS[:{tokens}]
x = vectors()[:{tokens}]
def show(d_k):
    _, weights = multi_head_attention(x, x, x, parameters({heads} * d_k), {heads})
    figure, axes = plt.subplots(-(-{heads} // 4), 4, figsize=(8, 1 + 2 * -(-{heads} // 4)))
    for head, (ax, one) in enumerate(zip(axes.flat, weights), 1):
        image = ax.imshow(one, cmap="cividis", vmin=0, vmax=1 if {tokens} <= 16 else 10 / {tokens})
        ax.set(title=f"head {{head}}", xticks=[], yticks=[])
        if {named}:
            ax.set_xticks(range({tokens}), names, rotation=90, fontsize=6)
            ax.set_yticks(range({tokens}), names, fontsize=6)
    figure.supxlabel("key (who is asked)")
    figure.supylabel("query (who asks)")
    figure.colorbar(image, ax=axes, label="weight")
    plt.show()
slider = ipywidgets.SelectionSlider(options=list(range(1, 65)), value=16, description="d_k")
ipywidgets.interact(show, d_k=slider);
"""
DEMO = """
import sys; sys.path.insert(0, "..")
from lib import widgets
widgets.{name}()
"""
WATCH = Path(__file__).with_name("pictures.js").read_text()
# The picture has arrived, and no other has come for half a second.
QUIET = "(before) => arrivals.length > before && performance.now() - arrivals.at(-1) > 500"
NOT_YET = "() => [presses.length, pictures.length, arrivals.length]"
TIMES = """([press, picture, arrival]) =>
    [pictures[picture] - presses[press], arrivals[arrival] - presses[press]]"""
TO_SCREEN = """(svg, [x, y]) => {
    const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
}"""
FRAMES = """() => {
    window.frames = [];
    const note = (now) => { frames.push(now); window.watching = requestAnimationFrame(note); };
    requestAnimationFrame(note);
}"""


def show(lab, p, name, code):
    """Run a notebook of one cell and wait for what it draws."""
    metadata = {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        }
    }
    nbformat.write(
        new_notebook(cells=[new_code_cell(code.strip())], metadata=metadata), lab.notebooks / name
    )
    p.open(name)
    p.run_all()
    if p.errors():
        raise RuntimeError(f"{name}: {p.errors()}")


def percentile95(numbers):
    return quantiles(numbers, n=20, method="inclusive")[-1]


def slider(p, name):
    """Give the slider of this name the focus."""
    box = p.browser.locator(".widget-hslider", has_text=name).first
    handle = box.locator(".noUi-handle")
    handle.wait_for()
    handle.focus()


def press(p, key):
    """Press a key; milliseconds to the first frame with the new numbers, and to the last frame."""
    before = p.browser.evaluate(NOT_YET)
    p.browser.keyboard.press(key)
    p.browser.wait_for_function(QUIET, arg=before[-1])
    return p.browser.evaluate(TIMES, before)


def hold(p, key):
    """Hold a key down for HELD steps; how many pictures come before the release."""
    presses, *_ = p.browser.evaluate(NOT_YET)
    begin = time.perf_counter()
    for step in range(HELD):
        time.sleep(max(0, begin + step * REPEAT - time.perf_counter()))
        p.browser.keyboard.down(key)
    time.sleep(max(0, begin + HELD * REPEAT - time.perf_counter()))
    count = p.browser.evaluate(
        "(first) => pictures.filter((time) => time > presses[first]).length", presses
    )
    p.browser.keyboard.up(key)
    return count


def moves(lab, browser, name, code, control="d_k", count=MOVES):
    """Milliseconds to the first and to the last frame of ``count`` key-presses, and the pictures
    shown while the key was held.
    """
    with page(lab, browser) as p:
        p.let_glide()
        show(lab, p, f"{name}.ipynb", code)
        slider(p, control)
        p.browser.evaluate(WATCH)
        for key in ("ArrowRight", "ArrowLeft"):
            press(p, key)  # the first ones load what is loaded late
        times = [press(p, "ArrowRight" if move % 2 else "ArrowLeft") for move in range(count)]
        first, last = zip(*times, strict=True)
        return first, last, hold(p, "ArrowRight")


def drag(lab, browser, name, spot):
    """Milliseconds between two frames while the pointer drags up and down.

    spot: where it begins, in the units of the drawing.
    """
    with page(lab, browser) as p:
        show(lab, p, f"drag_{name}.ipynb", DEMO.format(name=name))
        svg = p.demos()[0].locator(".drawing svg").first
        svg.scroll_into_view_if_needed()
        p.settle()
        (x, y), mouse, before = svg.evaluate(TO_SCREEN, spot), p.browser.mouse, svg.inner_html()
        mouse.move(x, y)
        mouse.down()
        p.browser.evaluate(FRAMES)
        for step in range(120):
            mouse.move(x, y + 30 * abs(step % 40 / 20 - 1) - 30)
        frames = p.browser.evaluate("() => { cancelAnimationFrame(watching); return frames; }")
        changed = svg.inner_html() != before
        mouse.up()
        if not changed:
            raise RuntimeError(f"{name}: nothing moved under the pointer.")
        return [b - a for a, b in zip(frames, frames[1:], strict=False)]


def key_press(lab, browser):
    for (heads, tokens), wanted in SIZES.items():
        where = f"{heads} heads × {tokens} tokens"
        ours = OURS.format(heads=heads, tokens=tokens)
        count = MOVES if tokens <= MANY else MOVES_OF_MANY
        first, last, ours_held = moves(lab, browser, "ours", ours, count=count)
        yield arrival(f"Heads, {where}", first, last, has_target=tokens < MANY)
        for named in (True, False)[: 1 + (tokens > 16)]:
            code = INTERACT.format(heads=heads, tokens=tokens, named=named)
            other, _, other_held = moves(lab, browser, "interact", code, count=count)
            faster = median(other) / median(first)
            kind = "tokens on both axes" if named else "no tokens on the axes"
            yield Row(
                f"slider key → first frame with the new numbers, {where}, "
                f"and interact + matplotlib ({kind}), median (95 %)",
                in_words(first),
                in_words(other),
                f"{faster:.1f} × faster",
                target=f"≥ {wanted} ×" if named else "",
                met=faster >= wanted if named else None,
            )
        watched = (heads, tokens) == (8, 64)
        yield Row(
            f"pictures while a key is held for {HELD} steps, {where}",
            f"{ours_held}",
            f"{other_held}",
            target="≥ 18" if watched else "",
            met=ours_held >= 18 if watched else None,
        )


def arrival(what, first, last, has_target=True):
    return Row(
        f"slider key → first frame with the new numbers; the last frame: {what}, median (95 %)",
        f"{in_words(first)}; {in_words(last)}",
        target=f"≤ {FIRST} ms; ≤ {LAST} ms" if has_target else "",
        met=(median(first) <= FIRST and median(last) <= LAST) if has_target else None,
    )


def in_words(times):
    return f"{median(times):.0f} ms ({percentile95(times):.0f})"


def rows():
    with server("lab") as lab, chromium() as browser:
        yield from key_press(lab, browser)
        yield arrival(
            "Bars", *moves(lab, browser, "bars", DEMO.format(name="Bars"), "temperature")[:2]
        )
        for name, spot in SPOTS.items():
            gaps = drag(lab, browser, name, spot)
            yield Row(
                f"dragging {name}: from frame to frame, median (95th percentile)",
                f"{median(gaps):.1f} ms ({percentile95(gaps):.1f})",
                target=f"median ≤ {FRAME:.0f} ms",
                met=median(gaps) <= FRAME,
            )
