// Full screen of a demo: in and out, the zoom, and where the focus goes.

const LAID_OUT = { width: 640, height: 360 }; // pixels; enlarged to the screen, twice at 1280 x 720

/** The demo that an element stands in, or null: JupyterLab attaches the element after render. */
export function demoOf(el) {
  return el.closest(".demo");
}

export function isFull(el) {
  return document.fullscreenElement !== null && document.fullscreenElement === demoOf(el);
}

export function hasFocus(el) {
  return demoOf(el)?.contains(document.activeElement);
}

/** Give the focus to the drawing in which Enter goes on, or to the first. */
export function focusDrawing(el) {
  const drawings = [...(demoOf(el)?.querySelectorAll(".drawing") ?? [])];
  const goesOn = drawings.find((one) => one.querySelector(".demo-next:not([hidden])"));
  const chosen = goesOn ?? drawings[0];
  chosen?.querySelector("svg[tabindex]")?.focus({ preventScroll: true });
}

function comeBack(el) {
  if (!hasFocus(el)) focusDrawing(el);
  demoOf(el).scrollIntoView({ block: "nearest" });
}

/** Keep the button's word, the zoom and the focus right when the screen changes. */
export function followScreen(el, button, signal) {
  let wasFull = false;
  function follow() {
    const full = isFull(el) && !("demoLeaves" in document.documentElement.dataset);
    button.querySelector(".demo-unseen").textContent = full ? "Exit" : "Full screen";
    const across = window.innerWidth / LAID_OUT.width;
    const down = window.innerHeight / LAID_OUT.height;
    demoOf(el)?.style.setProperty("--demo-zoom", Math.min(across, down));
    if (full && !wasFull) focusDrawing(el); // so that keys work
    if (wasFull && !document.fullscreenElement) comeBack(el);
    wasFull = full;
  }
  document.addEventListener("fullscreenchange", follow, { signal });
  window.addEventListener("resize", follow, { signal });
  follow();
}

/** Into full screen, or out of it. */
export async function toggleFullScreen(el) {
  if (!isFull(el)) return demoOf(el).requestFullscreen();
  const { dataset } = document.documentElement;
  // The demos that a clicker came from lie below it: they must not take the focus.
  dataset.demoLeaves = "";
  while (document.fullscreenElement) await document.exitFullscreen();
  delete dataset.demoLeaves;
  comeBack(el);
}
