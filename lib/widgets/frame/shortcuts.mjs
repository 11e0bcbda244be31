// What keys and clicks do in a demo, and what keeps Jupyter from taking them.
import { keyOf } from "./frame.mjs";
import { focusDrawing, hasFocus, toggleFullScreen } from "./full_screen.mjs";
import { sayControls, setLabels } from "./controls.mjs";

const TYPING = "input:not([type=checkbox]), textarea";
const LINE = "input[type=text]";
const NO_USE_FOR_ENTER = ".noUi-handle, input[type=checkbox]";

export function isTyping(node) {
  return node.matches(TYPING);
}

function markControls(demo) {
  setLabels(demo);
  sayControls(demo);
  for (const node of demo.querySelectorAll("button, select, input, [tabindex]"))
    node.dataset.lmSuppressShortcuts = "true";
  // What is typed into a slider's number can differ from what is shown, and it doubles every stop
  // of the Tab key.
  for (const node of demo.querySelectorAll(".widget-readout[contenteditable=true]")) {
    node.contentEditable = "false";
    node.tabIndex = -1;
  }
}

/** Saving is Jupyter's wherever the focus is: what it does not take, the browser does its way. */
function letSave(demo, event) {
  const isSaving = (event.ctrlKey || event.metaKey) && keyOf(event) === "s";
  if (!isSaving || !demo.contains(event.target)) return;
  const { dataset } = event.target;
  delete dataset.lmSuppressShortcuts;
  setTimeout(() => (dataset.lmSuppressShortcuts = "true")); // when the key has been heard
}

/**
 * The sliders are drawn by ipywidgets: keep Jupyter's one-letter shortcuts and arrows away from
 * them too.
 */
export function keepShortcutsAway(demo, signal) {
  const first = { capture: true, signal }; // before Jupyter, which listens to the document
  window.addEventListener("keydown", (event) => letSave(demo, event), first);
  const observer = new MutationObserver(() => markControls(demo));
  // The readout of a slider is a child that changes; the knob's attribute may follow later. What is
  // chosen has a class.
  const what = { childList: true, subtree: true, attributeFilter: ["aria-valuetext", "class"] };
  observer.observe(demo, what);
  signal.addEventListener("abort", () => observer.disconnect());
  markControls(demo);
}

/** Enter does what it does in the drawing. */
function goOn(demo, event) {
  const button = demo.querySelector(".demo-next:not([hidden])");
  if (event.key !== "Enter" || event.repeat || !button) return;
  event.preventDefault();
  button.click();
}

/** In a line of text Enter takes what was typed; where nothing was, it goes on. */
function listenToLines(demo, signal) {
  const first = { capture: true, signal }; // before ipywidgets, which keeps these keys to itself
  let isTyped = false;
  function press(event) {
    if (event.key !== "Enter" || !event.target.matches(LINE)) return;
    if (!isTyped) goOn(demo, event);
    isTyped = false;
  }
  demo.addEventListener("input", () => (isTyped = true), first);
  demo.addEventListener("focusout", () => (isTyped = false), first);
  demo.addEventListener("keydown", press, first);
}

/**
 * The key f goes to full screen and back. After a click anywhere in the demo the drawing's keys
 * work; who came to a button or a choice by the Tab key stays there.
 */
export function listenToKeys(el, demo, signal) {
  let isByPointer = false; // whatever the reader did last
  function press(event) {
    isByPointer = false;
    if (isTyping(event.target) || event.ctrlKey || event.metaKey) return;
    if (keyOf(event) === "f") toggleFullScreen(el);
    if (event.target.matches(NO_USE_FOR_ENTER)) goOn(demo, event);
  }
  function click(event) {
    const isButton = event.target.closest("button") !== null;
    if (!hasFocus(el) || (isByPointer && isButton)) focusDrawing(el);
  }
  function choose(event) {
    if (isByPointer && event.target.matches("select")) focusDrawing(el);
  }
  listenToLines(demo, signal);
  demo.addEventListener("pointerdown", () => (isByPointer = true), { signal });
  demo.addEventListener("keydown", press, { signal });
  demo.addEventListener("click", click, { signal });
  demo.addEventListener("change", choose, { signal });
}
