// The panel of a lesson: its steps in order, each a button that opens its demo in full screen.
// Its element keeps the order for the clicker (frame/lesson_order.mjs).
import { fillIn, html, saveChanges } from "../frame/frame.mjs";
import { fullDemo } from "../frame/full_screen.mjs";
import {
  demosOf,
  findDemo,
  openDemo,
  openedLast,
  pageOf,
  placeOf,
} from "../frame/lesson_order.mjs";

const MINUTES = "{minutes} min";
const NOT_YET =
  "“{title}” is not on this page yet: choose Run → Run All Cells and wait until it is done.";
const KEYS = [
  ["Enter", "answer"],
  ["Page Down", "next demo"],
  ["Page Up", "back"],
  ["o", "overview"],
  ["b", "black screen"],
  ["f", "leave"],
];

/** The names of the demos of a plan, in order; other steps have none. */
export function orderOf(steps) {
  return steps.map(({ demo }) => demo).filter((demo) => demo);
}

function build(el) {
  const panel = html(el, "section", { class: "lesson", "aria-label": "Lesson" });
  const top = html(panel, "div", { class: "lesson-top" });
  html(top, "strong", {}, "Lesson");
  const plans = html(top, "div", { class: "lesson-plans" });
  const start = html(top, "button", { class: "lesson-start" }, "Start");
  const choice = html(top, "div", { class: "lesson-choice", role: "group", "aria-label": "Start" });
  const anew = html(choice, "button", { class: "lesson-start" }, "From the beginning");
  const resume = html(choice, "button", { class: "lesson-on" }, "Where I was");
  const list = html(panel, "ol", { class: "lesson-list" });
  const message = html(panel, "div", { class: "lesson-message", role: "alert" });
  const keys = html(panel, "div", { class: "lesson-keys" });
  html(keys, "span", {}, "In full screen:");
  for (const [key, what] of KEYS) {
    const pair = html(keys, "span");
    html(pair, "kbd", {}, key);
    html(pair, "span", {}, ` ${what}`);
  }
  return { panel, plans, start, choice, anew, resume, list, message };
}

function addStep(list, step, number) {
  const item = html(list, "li");
  const row = html(item, step.demo ? "button" : "div", { class: "lesson-step" });
  html(row, "span", { class: "lesson-number" }, step.demo ? `${number}` : "");
  html(row, "span", { class: "lesson-title" }, step.title);
  html(row, "span", { class: "lesson-ask" }, step.ask);
  html(row, "span", { class: "lesson-minutes" }, fillIn(MINUTES, step));
  return row;
}

/** One button for each plan; none where there is no choice. */
function addPlans(model, plans) {
  const names = Object.keys(model.get("plans"));
  if (names.length === 1) return () => {};
  const buttons = names.map((name) => {
    const button = html(plans, "button", {}, name);
    button.addEventListener("click", () => saveChanges(model, { plan: name }));
    return button;
  });
  return () => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-pressed", names[i] === model.get("plan"));
    });
  };
}

/** The rows of the plan that is chosen, those with a demo: {name, title, row}. */
function showSteps(model, { panel, list }, open) {
  const steps = model.get("plans")[model.get("plan")];
  panel.dataset.order = JSON.stringify(orderOf(steps));
  panel.dataset.opened = 0;
  list.replaceChildren();
  const shown = [];
  for (const step of steps) {
    const row = addStep(list, step, shown.length + 1);
    if (!step.demo) continue;
    const line = { name: step.demo, title: step.title, row };
    row.addEventListener("click", () => open(line));
    shown.push(line);
  }
  for (const button of panel.querySelectorAll("button"))
    button.dataset.lmSuppressShortcuts = "true";
  return shown;
}

/**
 * Mark the row of the demo that is in full screen; it stays marked afterwards, also while those
 * below it come up and go, one by one.
 */
function markRow(panel, rows) {
  if ("demoLeaves" in document.documentElement.dataset) return;
  const page = pageOf(panel);
  const place = placeOf(demosOf(page), fullDemo(), openedLast(page));
  if (place < 0) return;
  for (const { row } of rows) row.removeAttribute("aria-current");
  rows[place].row.setAttribute("aria-current", "step");
}

/** Start asks where, if a demo is not as it was at the start: a rehearsal has moved it. */
function listenToStart({ panel, start, choice, anew, resume }, thatAreThere, open) {
  const demos = () => demosOf(pageOf(panel));
  function ask(isAsked) {
    start.hidden = isAsked;
    choice.hidden = !isAsked;
    if (isAsked) anew.focus();
  }
  function begin() {
    const isRehearsed = demos().some((demo) => demo.matches("[data-moved]"));
    if (isRehearsed && !start.hidden) ask(true);
    else beginAnew(); // a bet alone is no rehearsal, and is taken away
  }
  function beginAnew() {
    for (const demo of demos()) demo.dispatchEvent(new Event("demo-reset"));
    open();
  }
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "PageDown") begin();
    else if (event.key === "Escape" && start.hidden) leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function leave() {
    ask(false);
    start.focus();
  }
  start.addEventListener("click", begin);
  anew.addEventListener("click", beginAnew);
  resume.addEventListener("click", () => open(thatAreThere()[openedLast(pageOf(panel))]));
  panel.addEventListener("keydown", press);
  ask(false);
  return () => ask(false);
}

function render({ model, el, signal }) {
  const shown = build(el);
  const { panel, message } = shown;
  const markPlan = addPlans(model, shown.plans);
  let rows = [];

  const thatAreThere = () => rows.filter(({ name }) => findDemo(pageOf(panel), name));
  function open(line = rows[0]) {
    stopAsking();
    const place = thatAreThere().indexOf(line);
    message.textContent = place < 0 ? fillIn(NOT_YET, line) : "";
    if (place >= 0) openDemo(panel, place);
  }
  const stopAsking = listenToStart(shown, thatAreThere, open);
  function follow() {
    stopAsking();
    rows = showSteps(model, shown, open);
    markPlan();
  }
  document.addEventListener("fullscreenchange", () => markRow(panel, thatAreThere()), { signal });
  model.on("change:plan", follow);
  follow();
}

export default { render };
