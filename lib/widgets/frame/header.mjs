// Title, prediction question, Reset and Full screen: the same for every demo.
import { listenToClicker } from "./clicker.mjs";
import { html } from "./frame.mjs";
import { demoOf, followScreen, toggleFullScreen } from "./full_screen.mjs";
import { watchKernel } from "./kernel.mjs";
import { keepShortcutsAway, listenToKeys } from "./shortcuts.mjs";

function build(model, el) {
  const top = html(el, "div", { class: "demo-top" });
  html(top, "strong", { class: "demo-title" }, model.get("title"));
  const reset = html(top, "button", { class: "demo-reset" }, "Reset");
  const full = html(top, "button", {
    class: "demo-full-screen",
    title: "full screen (key: f; there Page Down: next demo)",
  });
  html(el, "div", { class: "demo-question" }, model.get("question"));
  const message = html(el, "div", { class: "demo-message", role: "alert" });
  const notice = html(el, "div", { class: "demo-message demo-notice", role: "alert" });
  return { reset, full, message, notice };
}

/** Call act(demo) as soon as there is one: JupyterLab attaches the element after render. */
function whenAttached(el, signal, act) {
  if (signal.aborted) return;
  const demo = demoOf(el);
  if (demo) act(demo);
  else requestAnimationFrame(() => whenAttached(el, signal, act));
}

function render({ model, el, signal }) {
  const { reset, full, message, notice } = build(model, el);
  const ask = watchKernel(model, notice, signal);
  function say() {
    message.textContent = model.get("message");
  }
  reset.addEventListener("click", () => model.send({ type: "reset" }));
  full.addEventListener("click", () => toggleFullScreen(el));
  listenToClicker(el, notice, signal);
  followScreen(el, full, signal);
  model.on("change:message", say);
  say();
  whenAttached(el, signal, (demo) => {
    demo.setAttribute("role", "group");
    demo.setAttribute("aria-label", `${model.get("title")}. ${model.get("question")}`);
    keepShortcutsAway(demo, signal);
    for (const use of ["pointerup", "keydown"])
      demo.addEventListener(use, ask, { signal, capture: true });
    listenToKeys(el, demo, signal);
  });
}

export default { render };
