// Title, prediction question, Reset and Full screen: the same for every demo. Also what a presenter's clicker does.
import { html } from "./frame.mjs";

const GONE =
  "The kernel behind this demo is gone. Run its cell again (click into it, then Shift+Enter), after the cells above it.";
const PATIENCE = 2000; // milliseconds; a kernel that is not busy answers in a few
const ENDS = {
  1: "This is the last demo of the page.",
  [-1]: "This is the first demo of the page.",
};

function render({ model, el, signal }) {
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

  const demo = () => el.closest(".demo");
  const isFull = () => document.fullscreenElement !== null && document.fullscreenElement === demo();
  const focus = () =>
    demo()?.querySelector("svg[tabindex], .drawing[tabindex]")?.focus({ preventScroll: true });
  const isHere = () => demo()?.contains(document.activeElement);
  const back = () => {
    if (!isHere()) focus();
    demo().scrollIntoView({ block: "nearest" });
  };
  let was = false;
  const show = () => {
    const is = isFull() && !("demoLeaves" in document.documentElement.dataset);
    full.textContent = is ? "Exit" : "Full screen";
    // Everything is laid out for 640 x 360 and enlarged to the screen: twice at 1280 x 720.
    demo()?.style.setProperty(
      "--demo-zoom",
      Math.min(window.innerWidth / 640, window.innerHeight / 360),
    );
    if (is && !was) focus(); // so that keys work
    if (was && !document.fullscreenElement) back();
    was = is;
  };
  async function toggle() {
    if (!isFull()) return demo().requestFullscreen();
    const { dataset } = document.documentElement;
    dataset.demoLeaves = ""; // the demos that a clicker came from lie below it: they must not take the focus
    while (document.fullscreenElement) await document.exitFullscreen();
    delete dataset.demoLeaves;
    back();
  }

  /** To the next demo of the page (by = 1) or the one before (-1). */
  async function turn(by) {
    const page = el.closest(".jp-Notebook") ?? document;
    const all = [...page.querySelectorAll(".demo")];
    const next = all[all.indexOf(demo()) + by];
    if (!next) return void (notice.textContent = ENDS[by]);
    // With the setting windowingMode "full" JupyterLab hides the cells that are scrolled away.
    for (let tries = 0; !next.checkVisibility() && tries < 300; tries++) {
      el.closest(".jp-WindowedPanel-outer")?.scrollBy(0, by * 200);
      await new Promise(requestAnimationFrame);
    }
    if (next.checkVisibility()) next.requestFullscreen();
  }

  /** In full screen the Tab key would go on to the page behind it. */
  function tab(by) {
    const stops = [...demo().querySelectorAll("button, select, input, [tabindex]")].filter(
      (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility(),
    );
    stops.at((stops.indexOf(document.activeElement) + by) % stops.length).focus();
  }

  // A kernel that was restarted or stopped does not say so: it is asked whenever the demo is used.
  let waiting = 0;
  const doubt = () => {
    if (model.widget_manager?.kernel?.status === "busy")
      return void (waiting = setTimeout(doubt, PATIENCE)); // it will answer
    waiting = 0;
    notice.textContent = GONE;
  };
  function ask(event) {
    if (notice.textContent !== GONE) notice.textContent = "";
    if (waiting || event.repeat) return;
    try {
      model.send({ type: "ping" });
      waiting = setTimeout(doubt, PATIENCE);
    } catch {
      doubt(); // Jupyter knows it already
    }
  }
  model.on("msg:custom", ({ type }) => {
    if (type !== "pong") return;
    waiting = clearTimeout(waiting);
    if (notice.textContent === GONE) notice.textContent = "";
  });

  const say = () => (message.textContent = model.get("message"));
  reset.addEventListener("click", () => model.send({ type: "reset" }));
  full.addEventListener("click", toggle);
  document.addEventListener("fullscreenchange", show, { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      const by = { PageDown: 1, PageUp: -1 }[event.key];
      const isTab = event.key === "Tab";
      if (!isFull() || event.ctrlKey || event.metaKey || event.altKey || !(by || isTab)) return;
      event.preventDefault();
      event.stopImmediatePropagation(); // a slider would take it, or the demo that comes next
      if (isTab) tab(event.shiftKey ? -1 : 1);
      else if (!event.repeat) turn(by);
    },
    { signal, capture: true },
  );
  window.addEventListener("resize", show, { signal });
  model.on("change:message", say);
  show();
  say();

  // The sliders are drawn by ipywidgets: keep Jupyter's one-letter shortcuts and arrows away from them too.
  let observer;
  const attach = () => {
    if (signal.aborted) return;
    if (!demo()) return void requestAnimationFrame(attach); // JupyterLab attaches the element after render
    demo().setAttribute("role", "group");
    demo().setAttribute("aria-label", `${model.get("title")}. ${model.get("question")}`);
    const mark = () => {
      for (const node of demo()?.querySelectorAll("button, select, input, [tabindex]") ?? [])
        node.dataset.lmSuppressShortcuts = "true";
      // What is typed into a slider's number can differ from what is shown, and it doubles every stop of the Tab key.
      for (const node of demo()?.querySelectorAll(".widget-readout[contenteditable=true]") ?? []) {
        node.contentEditable = "false";
        node.tabIndex = -1;
      }
    };
    observer = new MutationObserver(mark);
    observer.observe(demo(), { childList: true, subtree: true });
    mark();
    for (const use of ["pointerup", "keydown"])
      demo().addEventListener(use, ask, { signal, capture: true });
    demo().addEventListener(
      "keydown",
      (event) => {
        const typing = event.target.matches("input:not([type=checkbox]), textarea");
        if (event.key.toLowerCase() === "f" && !typing && !event.ctrlKey && !event.metaKey)
          toggle();
      },
      { signal },
    );
    demo().addEventListener("click", () => !isHere() && focus(), { signal }); // after a click anywhere in the demo its keys work
  };
  attach();
  return () => (observer?.disconnect(), clearTimeout(waiting));
}

export default { render };
