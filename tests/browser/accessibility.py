"""What axe-core finds wrong with the demos of a page, for those who hear it or need contrast."""

from pathlib import Path

AXE = Path(__file__).parents[1] / "vendored/axe/axe.min.js"
FOUND = """async () => {
    const { violations } = await axe.run(document.querySelectorAll(".demo"), {
        resultTypes: ["violations"],
    });
    return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes[0].html}`);
}"""
IS_THERE = "() => 'axe' in window"


def violations(page):
    """One sentence for each rule that a demo of the page breaks, with the first place."""
    if not page.browser.evaluate(IS_THERE):
        page.browser.evaluate(AXE.read_text("utf-8"))
    return page.browser.evaluate(FOUND)
