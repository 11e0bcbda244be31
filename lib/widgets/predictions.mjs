// How many predictions of the page came out as its reader said.
import { fillIn, html } from "./frame/frame.mjs";

const COUNT = "{right} of your {answered} predictions came out as you said; the page asks {total}.";
const NONE = "You have not predicted anything yet; the page asks {total} times.";
const MISSED = "Readers of the drafts were wrong most often here: {missed}";

/** What stands in the panel, line by line. */
export function lines({ total, answered, right, missed }) {
  const count = fillIn(answered ? COUNT : NONE, { total, answered, right });
  return missed ? [count, fillIn(MISSED, { missed })] : [count];
}

function render({ model, el }) {
  const panel = html(el, "section", { class: "predictions", role: "status" });
  function follow() {
    const names = ["total", "answered", "right", "missed"];
    const state = Object.fromEntries(names.map((name) => [name, model.get(name)]));
    panel.replaceChildren();
    for (const line of lines(state)) html(panel, "div", {}, line);
  }
  model.on("change:answered change:right", follow);
  follow();
}

export default { render };
