"""A window on the site, and what is asked of its pages as a reader sees them."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

HOST = "http://127.0.0.1/"  # of the pages; they are handed over, no server is asked
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
PROJECTOR = {"width": 1280, "height": 720}
FINGER_STEPS = 10
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
KINDS |= {".svg": "image/svg+xml", ".webp": "image/webp", ".woff2": "font/woff2"}
WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"
# What was printed in a fold and is cut at the edge of its box.
CUT = """() => {
    const boxes = [...document.querySelectorAll(".asked details .scrolls")];
    for (const box of boxes) box.closest("details").open = true;
    return boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent);
}"""
# Pictures that are wider than the text, or on a phone much smaller without a word of it.
CROPPED = """() => [...document.querySelectorAll(".picture img")].filter((image) => {
    const room = document.querySelector("main").clientWidth;
    const mark = getComputedStyle(image.parentElement, "::after").content;
    const { width } = image.getBoundingClientRect(); // 0 where it is folded, or a live demo stands
    const isLess = width > 0 && width < image.getAttribute("width");
    const shrunk = window.innerWidth < 400 && isLess;
    return width > room || (shrunk && !mark.startsWith('"Tap to '));
}).map((image) => image.alt)"""
CUT_FORMULAS = """() => [...document.querySelectorAll(".formula")].filter(
    (box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent)"""
# How many folds are shut on paper, and again when it is printed.
SHUT = """() => ["beforeprint", "afterprint"].map((name) => {
    window.dispatchEvent(new Event(name));
    return document.querySelectorAll("details:not([open])").length;
})"""
# The smallest of a demo's letters, and where a mark's middle is on the screen.
LETTERS = """() => {
    const texts = [...document.querySelectorAll(".demo svg[tabindex] text")];
    return Math.min(...texts.map((one) => {
        const { a, b } = one.getScreenCTM();
        return Math.hypot(a, b) * parseFloat(getComputedStyle(one).fontSize);
    }));
}"""
MIDDLE = """(svg, id) => {
    const box = svg.querySelector(`[data-id="${id}"]`).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
VIOLATIONS = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes[0].html}`);
}"""


class Window:
    """A window on the site, and what it asked for elsewhere."""

    def __init__(self, browser, site, viewport, scheme, **options):
        self.context = browser.new_context(viewport=viewport, color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.site, self.outside, self.problems = site, [], []
        self.page.route("**/*", self._serve)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def _serve(self, route):
        path = Path(unquote(urlsplit(route.request.url).path).removeprefix("/"))
        if not route.request.url.startswith(HOST) or not (self.site / path).is_file():
            self.outside.append(route.request.url)
            route.abort()
            return
        kind = f"{KINDS[path.suffix]}; charset=utf-8"
        route.fulfill(body=(self.site / path).read_bytes(), content_type=kind)

    def open(self, name):
        self.page.goto(HOST + name)
        return self.page

    def drag_by_finger(self, start, end):
        """From a point to another as a finger does: a browser may take it for scrolling."""
        session = self.context.new_cdp_session(self.page)
        for step in range(FINGER_STEPS + 1):
            part = step / FINGER_STEPS
            x, y = (one + part * (other - one) for one, other in zip(start, end, strict=True))
            kind = "touchMove" if step else "touchStart"
            finger = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            session.send("Input.dispatchTouchEvent", finger)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
