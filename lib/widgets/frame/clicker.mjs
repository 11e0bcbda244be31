// The keys of full screen. A presenter's clicker sends Page Down and Page Up: from demo to demo.
import { blackOut, isCovered } from "./cover.mjs";
import { fillIn, keyOf } from "./frame.mjs";
import { demoOf, isFull, shrink } from "./full_screen.mjs";
import {
  demosOf,
  lessonOf,
  nextPlace,
  openDemo,
  openedLast,
  pageOf,
  placeOf,
} from "./lesson_order.mjs";
import { showOverview } from "./overview.mjs";
import { isTyping } from "./shortcuts.mjs";

const ENDS = {
  1: "This is the last demo of the {whole}.",
  [-1]: "This is the first demo of the {whole}.",
};

/** To the next demo (direction = 1) or the one before (-1); `end` says where there is none. */
function turn(el, direction, end) {
  const page = pageOf(el);
  const demos = demosOf(page);
  const place = nextPlace(demos, demoOf(el), openedLast(page), direction);
  if (demos[place]) openDemo(el, place);
  else end.textContent = fillIn(ENDS[direction], { whole: lessonOf(page) ? "lesson" : "page" });
}

/** In full screen the Tab key would go on to the page behind it. */
function tab(el, direction) {
  const all = [...demoOf(el).querySelectorAll("button, select, input, [tabindex]")];
  const here = document.activeElement; // it may be a drawing that Tab goes past
  const stops = all.filter(
    (node) => node === here || (node.tabIndex >= 0 && !node.disabled && node.checkVisibility()),
  );
  const next = stops.at((stops.indexOf(here) + direction) % stops.length);
  next.focus();
  next.select?.(); // a text, as the browser's own Tab does it: what is typed takes its place
}

/** What a key does in full screen, or undefined. */
function actionOf(el, event, end) {
  const keys = {
    PageDown: () => turn(el, 1, end),
    PageUp: () => turn(el, -1, end),
    Tab: () => tab(el, event.shiftKey ? -1 : 1),
    F5() {}, // a clicker's "play": the page must not be loaded again
  };
  if (demoOf(el).matches(":popover-open")) keys.Escape = () => shrink(demoOf(el));
  const letters = { o: () => showOverview(el), b: blackOut, ".": blackOut };
  return keys[event.key] ?? (isTyping(event.target) ? undefined : letters[keyOf(event)]);
}

/** Listen to the clicker, the Tab key and the letters while the demo is in full screen. */
export function listenToClicker(el, end, signal) {
  function listen(event) {
    if (!isFull(el) || isCovered()) return;
    end.textContent = "";
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actionOf(el, event, end);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // a slider would take it, or the demo that comes next
    if (!event.repeat || event.key === "Tab") act();
  }
  function leave() {
    if (!isFull(el)) end.textContent = "";
  }
  document.addEventListener("keydown", listen, { signal, capture: true });
  document.addEventListener("fullscreenchange", leave, { signal });
}

/** Keep "3 / 8" right in the header: which demo of the lesson, or of the page, this is. */
export function countDemos(el, count, signal) {
  function follow() {
    if (!isFull(el)) return;
    const page = pageOf(el);
    const demos = demosOf(page);
    const place = placeOf(demos, demoOf(el), openedLast(page));
    const isCounted = place >= 0 && demos.length > 1;
    count.textContent = isCounted ? `${place + 1} / ${demos.length}` : "";
  }
  document.addEventListener("fullscreenchange", follow, { signal });
}
