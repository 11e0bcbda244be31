// How many predictions of the page came out as its reader said.
import { fillIn, html } from "../frame/frame.mjs";

const COUNT = "You predicted {answered} of {total}; {right} came out as you said.";
const NONE = "You have not predicted anything yet. Predictions on this page: {total}.";
const MISSED = "Most often missed while this page was tried out: {missed}";
const FOLLOWED = ["total", "answered", "right", "missed"];

/** What stands in the panel, line by line. */
export function lines({ total, answered, right, missed }) {
  const count = fillIn(answered ? COUNT : NONE, { total, answered, right });
  return missed ? [count, fillIn(MISSED, { missed })] : [count];
}

function render({ model, el }) {
  const panel = html(el, "div", { class: "predictions", role: "status" });
  function follow() {
    const state = Object.fromEntries(FOLLOWED.map((name) => [name, model.get(name)]));
    panel.replaceChildren();
    for (const line of lines(state)) html(panel, "div", {}, line);
  }
  model.on(FOLLOWED.map((name) => `change:${name}`).join(" "), follow);
  follow();
}

export default { render };
