"""A fresh clone in JupyterLab, nothing run yet: every picture is there, every formula is drawn."""

import nbformat
import pytest

from tests.pages.test_viewers import formulas, prose
from tools import browser as jupyter
from tools.course import notebooks, page_name

PATHS = notebooks()
# What is missing, by cell: an image is scrolled to and must then be seen, as large as it was made.
MISSING = f"""async (wanted) => {{
    const {{ content }} = {jupyter.PANEL}, missing = [];
    const seen = (node) => node.checkVisibility() && node.getBoundingClientRect().height > 0;
    async function expect(count, what, found) {{
        const end = performance.now() + 10000;
        const complete = () => found().length === count;
        while (!complete() && performance.now() < end) await new Promise(requestAnimationFrame);
        if (!complete()) missing.push(`${{found().length}} of ${{count}} ${{what}}`);
    }}
    for (const [index, pictures, formulas] of wanted) {{
        await content.scrollToItem(index);
        const {{ node }} = content.widgets[index];
        const all = (selector) => [...node.querySelectorAll(selector)].filter(seen);
        const images = () =>
            all(".jp-OutputArea-output img").filter((image) => image.naturalWidth > 300);
        const drawn = () => all("mjx-container");
        const wrong = () => all("mjx-merror, [data-mjx-error]");
        await expect(pictures, `pictures in cell ${{index}}`, images);
        await expect(formulas, `formulas in cell ${{index}}`, drawn);
        await expect(0, `formulas with errors in cell ${{index}}`, wrong);
        const trusted = content.model.cells.get(index).trusted !== false;
        if (pictures && trusted) missing.push(`cell ${{index}} is trusted`);
    }}
    return missing;
}}"""


@pytest.fixture(scope="module")
def page(browser):
    """One JupyterLab for all notebooks, on a server that has never run them."""
    with jupyter.server("lab") as fresh, jupyter.page(fresh, browser) as opened:
        yield opened


@pytest.mark.parametrize("path", PATHS, ids=page_name)
def test_everything_is_seen_before_anything_is_run(page, path):
    wanted = []
    for index, cell in enumerate(nbformat.read(path, as_version=4).cells):
        pictures = sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
        [text] = prose([cell]) if cell.cell_type == "markdown" else [""]
        if pictures or formulas(text)[0]:
            wanted.append([index, pictures, len(formulas(text)[0])])
    assert any(pictures for _, pictures, _ in wanted), "a page without a picture"
    page.open(page_name(path))
    assert page.browser.evaluate(MISSING, wanted) == []
    assert page.outside == []
