// Full screen of a demo: in and out, the zoom, and where the focus goes.
//
// Where a window allows no full screen (a phone, an editor, an iframe) the demo grows in the window
// instead: a popover, which lies over everything as a full screen does. On a phone that is held
// upright it lies there on its side, so that turning the phone makes its letters large.

const REFUSED = "This window does not allow full screen; open the page in a browser.";
const LAID_OUT = { width: 640, height: 360 }; // pixels; enlarged to the screen, twice at 1280 x 720
// A phone, upright (frame.css turns the demo there) or on its side.
const UPRIGHT = "(pointer: coarse) and (orientation: portrait) and (max-width: 600px)";
const PHONE = `${UPRIGHT}, (pointer: coarse) and (max-height: 600px)`;

/** The demo that an element stands in, or null: JupyterLab attaches the element after render. */
export function demoOf(el) {
  return el.closest(".demo");
}

/** The demo that fills the screen or the window, or null. */
export function fullDemo() {
  return document.fullscreenElement ?? document.querySelector(".demo:popover-open");
}

export function isFull(el) {
  return fullDemo() !== null && fullDemo() === demoOf(el);
}

function announce() {
  document.dispatchEvent(new Event("fullscreenchange"));
}

// What lies over everything takes no place in the page. Google Colab makes the frame of an output
// as high as what is in it: without a gap in the demo's place there would be no frame to fill.
function keepPlace(demo) {
  const gap = document.createElement("div");
  gap.className = "demo-gap";
  const asScreen = (window.innerWidth * LAID_OUT.height) / LAID_OUT.width;
  gap.style.height = `${Math.max(demo.offsetHeight, asScreen)}px`;
  demo.before(gap);
}

/** Out of a window that the demo fills. */
export function shrink(demo) {
  demo.parentElement.querySelector(":scope > .demo-gap")?.remove();
  demo.hidePopover();
  demo.removeAttribute("popover");
  announce();
}

/** As large as the window. */
function grow(demo) {
  const before = document.querySelector(".demo:popover-open");
  if (before) shrink(before);
  if (!demo.showPopover) {
    demo.querySelector(".demo-notice").textContent = REFUSED;
    return;
  }
  keepPlace(demo);
  demo.popover = "manual";
  demo.showPopover();
  announce();
}

/** Fill a phone with a demo that has a page of its own; out of it leads back to where one was. */
export function fillPhone(demo) {
  if (!matchMedia(PHONE).matches || window.parent !== window) return;
  grow(demo);
  if (window.history.length > 1) demo.dataset.demoAlone = "";
}

/** Fill the screen with a demo, or the window where that is all there is. */
export async function enlarge(demo) {
  if (matchMedia(UPRIGHT).matches) return grow(demo); // no browser turns what fills the screen
  try {
    await demo.requestFullscreen();
  } catch {
    // From one demo to the next: the scrolling took longer than a key counts for the browser; the
    // next press finds it there.
    if (!document.fullscreenElement) grow(demo);
  }
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
    const sides = [window.innerWidth, window.innerHeight];
    const [across, down] = matchMedia(UPRIGHT).matches ? sides.reverse() : sides;
    demoOf(el)?.style.setProperty(
      "--demo-zoom",
      Math.min(across / LAID_OUT.width, down / LAID_OUT.height),
    );
    if (full && !wasFull) focusDrawing(el); // so that keys work
    if (wasFull && !fullDemo()) comeBack(el);
    wasFull = full;
  }
  document.addEventListener("fullscreenchange", follow, { signal });
  window.addEventListener("resize", follow, { signal });
  follow();
}

/** Into full screen, or out of it. */
export async function toggleFullScreen(el) {
  const demo = demoOf(el);
  if (!isFull(el)) return enlarge(demo);
  if ("demoAlone" in demo.dataset) return window.history.back();
  if (demo.matches(":popover-open")) return shrink(demo);
  const { dataset } = document.documentElement;
  // The demos that a clicker came from lie below it: they must not take the focus.
  dataset.demoLeaves = "";
  while (document.fullscreenElement) await document.exitFullscreen();
  delete dataset.demoLeaves;
  comeBack(el);
}
