// How many predictions of the page came out as its reader said.
import { fillIn, html } from "../frame/frame.mjs";

const COUNT = "You predicted {answered} of {total}; {right} came out as you said.";
const NONE = "You have not predicted anything yet. Predictions on this page: {total}.";
const FOLLOWED = ["total", "answered", "right"];

/** What stands in the panel. */
export const counted = (state) => fillIn(state.answered ? COUNT : NONE, state);

function render({ model, el }) {
  const panel = html(el, "div", { class: "predictions", role: "status" });
  function follow() {
    const state = Object.fromEntries(FOLLOWED.map((name) => [name, model.get(name)]));
    panel.textContent = counted(state);
  }
  model.on(FOLLOWED.map((name) => `change:${name}`).join(" "), follow);
  follow();
}

export default { render };
