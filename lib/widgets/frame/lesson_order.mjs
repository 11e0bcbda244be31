// Which demos a page has, in which order the clicker goes through them, and how it gets to one.
import { enlarge, fullDemo } from "./full_screen.mjs";

const SCROLL = 200; // pixels at a time, in search of a demo that is hidden
const MOST_TRIES = 300;

/** What the clicker stays in: the notebook, or in Voila the whole page. */
export function pageOf(node) {
  return node.closest(".jp-Notebook") ?? document;
}

/** The demo of a class; "Translator 2" is the second Translator of the page. */
export function findDemo(page, name) {
  const [kind, number = 1] = name.split(" ");
  return page.querySelectorAll(`.demo-${kind}`)[number - 1];
}

/** The panel of the lesson (lib/widgets/lesson.mjs), which keeps the order; or null. */
export function lessonOf(page) {
  return page.querySelector(".lesson");
}

/** The demos that the clicker goes through: those of the lesson that are there, or all. */
export function demosOf(page) {
  const lesson = lessonOf(page);
  if (!lesson) return [...page.querySelectorAll(".demo:not(.demo-cover, .demo-cover *)")];
  const names = JSON.parse(lesson.dataset.order);
  return names.map((name) => findDemo(page, name)).filter((demo) => demo);
}

/** Where a demo stands; of one that comes twice, the place that was opened last. -1: nowhere. */
export function placeOf(demos, demo, opened) {
  return demos[opened] === demo ? opened : demos.indexOf(demo);
}

/** The place that follows (direction = 1) or comes before (-1). */
export function nextPlace(demos, demo, opened, direction) {
  const here = placeOf(demos, demo, opened);
  if (here >= 0) return here + direction;
  return direction > 0 ? opened + 1 : opened; // back from a demo that is not of the lesson
}

/** The place of the demo that the lesson has opened last. */
export function openedLast(page) {
  return Number(lessonOf(page)?.dataset.opened ?? 0);
}

/** With the setting windowingMode "full" JupyterLab hides the cells that are scrolled away. */
async function bringIntoView(demo, from) {
  const follows = from.compareDocumentPosition(demo) & Node.DOCUMENT_POSITION_FOLLOWING;
  const step = follows ? SCROLL : -SCROLL;
  for (let tries = 0; !demo.checkVisibility() && tries < MOST_TRIES; tries++) {
    from.closest(".jp-WindowedPanel-outer")?.scrollBy(0, step);
    await new Promise(requestAnimationFrame);
  }
}

/** Show the demo at this place of the order in full screen; `from` is an element of the page. */
export async function openDemo(from, place) {
  const page = pageOf(from);
  const demo = demosOf(page)[place];
  const lesson = lessonOf(page);
  if (lesson) lesson.dataset.opened = place;
  await bringIntoView(demo, from);
  if (!demo.checkVisibility()) return;
  if (fullDemo() !== demo) await enlarge(demo);
}
