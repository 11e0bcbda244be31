// A presenter's clicker sends Page Down and Page Up: from demo to demo, in full screen.
import { demoOf, isFull } from "./full_screen.mjs";

const TURNS = { PageDown: 1, PageUp: -1 };
const ENDS = {
  1: "This is the last demo of the page.",
  [-1]: "This is the first demo of the page.",
};
const SCROLL = 200; // pixels at a time, in search of a demo that is hidden
const MOST_TRIES = 300;

/** To the next demo of the page (direction = 1) or the one before (-1). */
async function turn(el, direction, notice) {
  const page = el.closest(".jp-Notebook") ?? document;
  const all = [...page.querySelectorAll(".demo")];
  const next = all[all.indexOf(demoOf(el)) + direction];
  if (!next) {
    notice.textContent = ENDS[direction];
    return;
  }
  // With the setting windowingMode "full" JupyterLab hides the cells that are scrolled away.
  for (let tries = 0; !next.checkVisibility() && tries < MOST_TRIES; tries++) {
    el.closest(".jp-WindowedPanel-outer")?.scrollBy(0, direction * SCROLL);
    await new Promise(requestAnimationFrame);
  }
  if (next.checkVisibility()) next.requestFullscreen();
}

/** In full screen the Tab key would go on to the page behind it. */
function tab(el, direction) {
  const all = [...demoOf(el).querySelectorAll("button, select, input, [tabindex]")];
  const stops = all.filter(
    (node) => node.tabIndex >= 0 && !node.disabled && node.checkVisibility(),
  );
  const now = stops.indexOf(document.activeElement);
  stops.at((now + direction) % stops.length).focus();
}

/** Listen to the clicker and the Tab key while the demo is in full screen. */
export function listenToClicker(el, notice, signal) {
  function listen(event) {
    const direction = TURNS[event.key];
    const isTab = event.key === "Tab";
    if (!direction && !isTab) return;
    if (!isFull(el) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // a slider would take it, or the demo that comes next
    if (isTab) tab(el, event.shiftKey ? -1 : 1);
    else if (!event.repeat) turn(el, direction, notice);
  }
  document.addEventListener("keydown", listen, { signal, capture: true });
}
