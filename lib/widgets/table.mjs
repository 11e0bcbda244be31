// A table of words and numbers that Python fills.
import { html } from "./frame.mjs";

function render({ model, el }) {
  const table = html(html(el, "div", { class: "drawing", tabindex: 0 }), "table");
  const paint = () => {
    table.replaceChildren();
    const head = html(html(table, "thead"), "tr"), body = html(table, "tbody");
    for (const name of model.get("columns")) html(head, "th", { scope: "col" }, name);
    for (const cells of model.get("rows")) {
      const row = html(body, "tr");
      cells.forEach((cell, i) => html(row, i ? "td" : "th", i ? {} : { scope: "row" }, cell));
    }
  };
  model.on("change:rows", paint);
  paint();
}

export default { render };
