// For those who hear the controls. ipywidgets leaves the knob of a slider without a name, says its
// place in a list ("4") where it shows a value ("11"), and shows a choice by its colour alone.

import { asFormula, hasSymbols, typeset } from "./formula.mjs";

/** What a label says, as it was before its symbols were set. */
const saidBy = (label) => label.dataset.sentence ?? label.textContent;

/** Set the symbols of labels and buttons; ipywidgets writes them anew when they change. */
export function setLabels(demo) {
  const labels = ".demo-controls :is(.widget-label, .jupyter-button)";
  for (const label of demo.querySelectorAll(labels)) {
    if (label.querySelector(".symbol, i.fa")) continue;
    const text = label.textContent;
    delete label.dataset.sentence;
    if (!hasSymbols(asFormula(text))) continue; // what is set anew is heard of, again and again
    typeset(label, asFormula(text));
    label.dataset.sentence = text;
  }
}

function setIfOther(node, name, text) {
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Say of a demo's controls what is seen of them. */
export function sayControls(demo) {
  for (const knob of demo.querySelectorAll(".demo-controls .noUi-handle")) {
    const slider = knob.closest(".widget-slider");
    setIfOther(knob, "aria-label", saidBy(slider.querySelector(".widget-label")));
    setIfOther(knob, "aria-valuetext", slider.querySelector(".widget-readout").textContent);
  }
  for (const choice of demo.querySelectorAll(".widget-toggle-buttons button"))
    setIfOther(choice, "aria-pressed", String(choice.classList.contains("mod-active")));
}
