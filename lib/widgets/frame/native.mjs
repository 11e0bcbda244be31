// The browser's own controls in the place of ipywidgets', with their classes, so that the style
// sheet fits them, and keys and screen readers need no line of ours.
import { typeset, asFormula } from "./formula.mjs";
import { html } from "./frame.mjs";

const LONGEST_TEXT = 1000; // letters
const YOUR_OWN = "your own: run the page in Python";

function label(parent, name) {
  const node = html(parent, "span", { class: "widget-label" });
  typeset(node, asFormula(name));
}

function slider(parent, { name, labels }, model, act) {
  const box = html(parent, "label", { class: "widget-inline-hbox widget-hslider native" });
  label(box, name);
  const knob = html(box, "input", { type: "range", min: 0, max: labels.length - 1, step: 1 });
  const readout = html(box, "output", { class: "widget-readout" });
  knob.addEventListener("input", () => act("index", Number(knob.value)));
  return () => {
    knob.value = model.get("index");
    readout.textContent = labels[model.get("index")];
    knob.setAttribute("aria-valuetext", readout.textContent);
    return knob;
  };
}

function menu(parent, { name, labels }, model, act) {
  const box = html(parent, "label", { class: "widget-inline-hbox widget-dropdown native" });
  label(box, name);
  const choice = html(box, "select");
  for (const text of labels) html(choice, "option", {}, text);
  choice.addEventListener("change", () => act("index", choice.selectedIndex));
  return () => {
    choice.selectedIndex = model.get("index");
    return choice;
  };
}

function choices(parent, { name, labels }, model, act) {
  const box = html(parent, "div", { class: "widget-toggle-buttons native", role: "group" });
  box.setAttribute("aria-label", name);
  const row = html(box, "div");
  const buttons = labels.map((text, index) => {
    const one = html(row, "button", { class: "jupyter-button", type: "button" }, text);
    one.addEventListener("click", () => act("index", index));
    return one;
  });
  return () => {
    buttons.forEach((one, index) => {
      const isHere = index === model.get("index");
      one.classList.toggle("mod-active", isHere);
      one.setAttribute("aria-pressed", isHere);
    });
    return box;
  };
}

function checkbox(parent, { name }, model, act) {
  const box = html(parent, "label", { class: "widget-checkbox widget-label-basic native" });
  const tick = html(box, "input", { type: "checkbox" });
  label(box, name);
  tick.addEventListener("change", () => act("value", tick.checked));
  return () => {
    tick.checked = model.get("value");
    return tick;
  };
}

function button(parent, { name }, _, act) {
  const one = html(parent, "button", { class: "jupyter-button native", type: "button" });
  typeset(one, asFormula(name));
  one.addEventListener("click", () => act(null));
  return () => one;
}

/** Texts of one's own, where the page can answer them. */
function line(parent, { name }, model, act) {
  const box = html(parent, "label", { class: "widget-inline-hbox widget-text native" });
  label(box, name);
  const typed = html(box, "input", { type: "text", maxlength: LONGEST_TEXT });
  typed.addEventListener("change", () => act("value", typed.value));
  return () => {
    typed.value = model.get("value");
    return typed;
  };
}

/** Elsewhere they need Python: those that were recorded are a menu, whose end says so. */
function text(parent, about, model, act) {
  const { labels } = about;
  if (labels.length === 0) return line(parent, about, model, act);
  const asked = (_, index) => act("value", labels[index]);
  const place = { get: () => labels.indexOf(model.get("value")) };
  const follow = menu(parent, about, place, asked);
  html(follow(), "option", { disabled: "" }, YOUR_OWN);
  return follow;
}

const KINDS = {
  SelectionSlider: slider,
  Dropdown: menu,
  ToggleButtons: choices,
  Checkbox: checkbox,
  Button: button,
  TextBox: text,
};

/** Put a control into `parent`: act(name, value) when it was moved, act(null) when pressed. */
export function addControl(parent, about, model, act) {
  const follow = KINDS[about.kind](parent, about, model, (...moved) => {
    act(...moved);
    show(); // where nothing followed, it goes back
  });
  const show = () => {
    const node = follow();
    node.disabled = model.get("disabled");
    node.closest(".native").hidden = model.get("hidden");
  };
  model.on("change", show);
  show();
}
