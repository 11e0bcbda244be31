// A table of words and numbers that Python fills.
import { html } from "./frame/frame.mjs";

const FILL = 0.99; // of the room, in full screen

function render({ model, el, signal }) {
  const room = html(el, "div", { class: "drawing", tabindex: 0 });
  const table = html(room, "table");

  /**
   * In full screen the letters grow until the table fills the room, then the rows share what height
   * is left.
   */
  function grow() {
    table.removeAttribute("style");
    if (!room.closest(":fullscreen")) return;
    table.style.width = "max-content";
    const across = room.clientWidth / table.offsetWidth;
    const down = room.clientHeight / table.offsetHeight;
    const size = FILL * Math.min(across, down);
    table.style.cssText = `font-size: ${size}em; width: 100%; height: 100%`;
  }

  function paint() {
    table.replaceChildren();
    const head = html(html(table, "thead"), "tr");
    const body = html(table, "tbody");
    for (const name of model.get("columns")) html(head, "th", { scope: "col" }, name);
    for (const [name, ...cells] of model.get("rows")) {
      const row = html(body, "tr");
      html(row, "th", { scope: "row" }, name);
      for (const cell of cells) html(row, "td", {}, cell);
    }
    grow();
  }

  const observer = new ResizeObserver(grow);
  observer.observe(room);
  signal.addEventListener("abort", () => observer.disconnect());
  model.on("change:rows", paint);
  paint();
}

export default { render };
