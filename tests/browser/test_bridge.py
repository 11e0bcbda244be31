"""The plain page carries what Jupyter carries: bytes, messages, echoes, and what fails."""

import anywidget
import ipywidgets
import traitlets

SCRIPT = """
export default { render({ model, el }) {
    const show = () => {
        const bytes = new Uint8Array(model.get("data").buffer);
        el.textContent = `${bytes.join()} ${model.get("name")}`;
    };
    el.addEventListener("click", () => {
        model.set("data", new DataView(new Uint8Array([7, 8]).buffer));
        model.set("name", "page");
        model.save_changes();
    });
    model.on("change", show);
    model.on("msg:custom", ({ said }) => { el.title = said; });
    show();
} };
"""


class Bytes(anywidget.AnyWidget):
    _esm = SCRIPT
    data = traitlets.Any(b"\1\2").tag(sync=True)  # a memoryview when the page has set it
    name = traitlets.Unicode("start").tag(sync=True)


def test_bytes_and_words_travel_both_ways(plain_page):
    [widget] = plain_page.show(Bytes)
    plain_page.browser.get_by_text("1,2 start").click()
    plain_page.settle()
    assert (bytes(widget.data), widget.name) == (b"\7\10", "page")

    def change():
        with widget.hold_sync():
            widget.data, widget.name = b"\5", "Python"
        widget.send({"said": "hello"})

    plain_page.run(change)
    assert plain_page.browser.get_by_text("5 Python").get_attribute("title") == "hello"
    assert plain_page.errors() == []


def test_a_slider_is_not_pulled_back_by_the_echo_of_its_first_move(plain_page):
    [slider] = plain_page.show(lambda: ipywidgets.IntSlider(max=9))
    plain_page.browser.locator(".noUi-handle").focus()
    for _ in range(4):
        plain_page.browser.keyboard.press("ArrowRight")
    plain_page.settle()
    assert slider.value == 4


def test_what_fails_in_python_or_in_the_page_is_told(plain_page):
    def failing():
        button = ipywidgets.Button(description="divide")
        button.on_click(lambda _: 1 / 0)
        return button

    plain_page.show(failing)
    plain_page.browser.get_by_role("button", name="divide").click()
    plain_page.settle()
    assert any("ZeroDivisionError" in complaint for complaint in plain_page.errors())
    with plain_page.browser.expect_event("pageerror"):
        plain_page.browser.evaluate("() => { setTimeout(() => missing()); }")
    assert any("missing is not defined" in complaint for complaint in plain_page.errors())
