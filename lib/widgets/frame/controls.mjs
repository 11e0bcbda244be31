// For those who hear the controls. ipywidgets leaves the knob of a slider without a name, says its
// place in a list ("4") where it shows a value ("11"), and shows a choice by its colour alone.

function setIfOther(node, name, text) {
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Say of a demo's controls what is seen of them. */
export function sayControls(demo) {
  for (const knob of demo.querySelectorAll(".demo-controls .noUi-handle")) {
    const slider = knob.closest(".widget-slider");
    setIfOther(knob, "aria-label", slider.querySelector(".widget-label").textContent);
    setIfOther(knob, "aria-valuetext", slider.querySelector(".widget-readout").textContent);
  }
  for (const choice of demo.querySelectorAll(".widget-toggle-buttons button"))
    setIfOther(choice, "aria-pressed", String(choice.classList.contains("mod-active")));
}
