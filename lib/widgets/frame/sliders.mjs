// What a slider is called and where it stands, for those who hear it: ipywidgets leaves the knob
// without a name, and says the place in a list ("4") where the slider shows a value ("11").

function setIfOther(node, name, text) {
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Name the knobs of a demo's sliders as the words beside them do. */
export function nameSliders(demo) {
  for (const knob of demo.querySelectorAll(".demo-controls .noUi-handle")) {
    const slider = knob.closest(".widget-slider");
    setIfOther(knob, "aria-label", slider.querySelector(".widget-label").textContent);
    setIfOther(knob, "aria-valuetext", slider.querySelector(".widget-readout").textContent);
  }
}
