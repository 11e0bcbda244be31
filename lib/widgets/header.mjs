// Title, prediction question, Reset and Full screen: the same for every demo.

function render({ model, el, signal }) {
  const top = html(el, "div", { class: "demo-top" });
  html(top, "strong", { class: "demo-title" }, model.get("title"));
  const reset = html(top, "button", { class: "demo-reset" }, "Reset");
  const full = html(top, "button", { class: "demo-full-screen", title: "full screen (key: f)" });
  html(el, "div", { class: "demo-question" }, model.get("question"));
  const message = html(el, "div", { class: "demo-message", role: "alert" });

  const demo = () => el.closest(".demo");
  const isFull = () => document.fullscreenElement !== null && document.fullscreenElement === demo();
  const focus = () => demo()?.querySelector("svg[tabindex]")?.focus({ preventScroll: true });
  const toggle = () => (isFull() ? document.exitFullscreen() : demo().requestFullscreen().then(focus)); // so that keys work
  const show = () => {
    full.textContent = isFull() ? "Exit" : "Full screen";
    // Everything is laid out for 640 x 360 and enlarged to the screen: twice at 1280 x 720.
    demo()?.style.setProperty("--demo-zoom", Math.min(window.innerWidth / 640, window.innerHeight / 360));
  };
  const say = () => (message.textContent = model.get("message"));
  reset.addEventListener("click", () => model.send({ type: "reset" }));
  full.addEventListener("click", toggle);
  document.addEventListener("fullscreenchange", show, { signal });
  window.addEventListener("resize", show, { signal });
  model.on("change:message", say);
  show();
  say();

  // The sliders are drawn by ipywidgets: keep Jupyter's one-letter shortcuts and arrows away from them too.
  let observer;
  const attach = () => {
    if (signal.aborted) return;
    if (!demo()) return void requestAnimationFrame(attach); // JupyterLab attaches the element after render
    const mark = () => {
      for (const node of demo()?.querySelectorAll("button, select, input, [tabindex]") ?? []) node.dataset.lmSuppressShortcuts = "true";
      // What is typed into a slider's number can differ from what is shown, and it doubles every stop of the Tab key.
      for (const node of demo()?.querySelectorAll(".widget-readout[contenteditable=true]") ?? []) {
        node.contentEditable = "false";
        node.tabIndex = -1;
      }
    };
    observer = new MutationObserver(mark);
    observer.observe(demo(), { childList: true, subtree: true });
    mark();
    demo().addEventListener("keydown", (event) => {
      const typing = event.target.matches("input:not([type=checkbox]), textarea");
      if (event.key.toLowerCase() === "f" && !typing && !event.ctrlKey && !event.metaKey) toggle();
    }, { signal });
    demo().addEventListener("click", () => {
      if (!demo()?.contains(document.activeElement)) focus();
    }, { signal }); // after a click anywhere in the demo its keys work
  };
  attach();
  return () => observer?.disconnect();
}

export default { render };
