// What keys and clicks do in a demo, and what keeps Jupyter from taking them.
import { focusDrawing, hasFocus, toggleFullScreen } from "./full_screen.mjs";
import { sayControls } from "./controls.mjs";

const TYPING = "input:not([type=checkbox]), textarea";

export function isTyping(node) {
  return node.matches(TYPING);
}

function markControls(demo) {
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

/**
 * The sliders are drawn by ipywidgets: keep Jupyter's one-letter shortcuts and arrows away from
 * them too.
 */
export function keepShortcutsAway(demo, signal) {
  const observer = new MutationObserver(() => markControls(demo));
  // The readout of a slider is a child that changes; the knob's attribute may follow later. What is
  // chosen has a class.
  const what = { childList: true, subtree: true, attributeFilter: ["aria-valuetext", "class"] };
  observer.observe(demo, what);
  signal.addEventListener("abort", () => observer.disconnect());
  markControls(demo);
}

/** Enter on a slider does what it does in the drawing: a slider has no use for it. */
function goOn(demo, event) {
  const button = demo.querySelector(".demo-next:not([hidden])");
  if (event.key !== "Enter" || !button || !event.target.matches(".noUi-handle")) return;
  event.preventDefault();
  button.click();
}

/** The key f goes to full screen and back; after a click anywhere in the demo its keys work. */
export function listenToKeys(el, demo, signal) {
  function press(event) {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey) return;
    if (event.key.toLowerCase() === "f") toggleFullScreen(el);
    goOn(demo, event);
  }
  function click(event) {
    const isPointer = event.detail > 0; // else a key has pressed a button, and will again
    const isButton = event.target.closest(".demo-controls .jupyter-button") !== null;
    if (!hasFocus(el) || (isPointer && isButton)) focusDrawing(el);
  }
  demo.addEventListener("keydown", press, { signal });
  demo.addEventListener("click", click, { signal });
}
