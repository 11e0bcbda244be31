// A table of words and numbers that Python fills.
import { html } from "./frame/frame.mjs";

function render({ model, el, signal }) {
  const room = html(el, "div", { class: "drawing", tabindex: 0 });
  const table = html(room, "table");
  /** In full screen the letters grow until the table fills the room, then the rows share what height is left. */
  function grow() {
    table.removeAttribute("style");
    if (!room.closest(":fullscreen")) return;
    table.style.width = "max-content";
    const size = Math.min(
      room.clientWidth / table.offsetWidth,
      room.clientHeight / table.offsetHeight,
    );
    table.style.cssText = `font-size: ${0.99 * size}em; width: 100%; height: 100%`;
  }
  const paint = () => {
    table.replaceChildren();
    const head = html(html(table, "thead"), "tr");
    const body = html(table, "tbody");
    for (const name of model.get("columns")) html(head, "th", { scope: "col" }, name);
    for (const cells of model.get("rows")) {
      const row = html(body, "tr");
      cells.forEach((cell, i) => html(row, i ? "td" : "th", i ? {} : { scope: "row" }, cell));
    }
    grow();
  };
  const observer = new ResizeObserver(grow);
  observer.observe(room);
  signal.addEventListener("abort", () => observer.disconnect());
  model.on("change:rows", paint);
  paint();
}

export default { render };
