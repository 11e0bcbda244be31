// Curves that grow while a model learns, the step at which they reach 99 %, and what it writes.
import { clamp, digits, short, step } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { stage } from "../frame/stage.mjs";

export const WIDTH = 468; // of the room, beside the map
const LEFT = 50;
const TOP = 232; // of the chart: the answer stands above it
const BELOW = 84; // from the floor of the chart to the end of the room, without the names
const NAMES = 34; // from the floor down to the ticks
const LINE = 30;
const GOAL = 0.99; // of a share: a flag stands where it is reached
const TICKS = 4;
const LEAST_TOP = 1e-9; // of the left axis, so that nothing is divided by 0
const KEY = 30; // the line that says which curve a name is of
const BETWEEN = 28; // two names in a line
const WRITES = 168; // the foot of the first line of what the model writes
const BAR = 6; // the height of the bar of steps
const LETTERS = 34; // of what the model writes, in one line
const BASE = 8; // from the middle of a line of letters down to its foot
const SMALL = 0.1; // a smaller loss has more digits: 0.000 and 0.000 could not be compared
const MOST_PLACES = 6;

/** The height on the picture of y, on a scale from 0 to `most`. */
export function height(y, most, { top, floor }) {
  return floor - (clamp(y, 0, most) / most) * (floor - top);
}

const across = ({ x, y, w }) => `M${x},${y}h${w}`;
const upright = ({ x, y, foot }) => `M${x},${foot}V${y}`;

/** The first step at which a share is 0.99, or null. */
export function crossing(x, shares) {
  const first = shares.findIndex((share) => share >= GOAL);
  return first < 0 ? null : x[first];
}

/** A few round numbers from 0 to the last step. */
export function ticks(length) {
  const rough = length / TICKS;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const unit = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const count = Math.floor(length / Math.max(1, unit));
  return Array.from({ length: count + 1 }, (_, i) => i * Math.max(1, unit));
}

/** A share with three digits; of a small loss the first three that are not 0: 0.00312. */
export function reading(value, top) {
  if (top || value >= SMALL || value <= 0) return digits(value, 3);
  return digits(value, Math.min(MOST_PLACES, 2 - Math.floor(Math.log10(value))));
}

/** The place among the reports that is looked at: the newest, or where the pointer is. */
function placeOf({ x, here }) {
  if (here === null || x.length === 0) return x.length - 1;
  return clamp(here, 0, x.length - 1);
}

function geometry(state, { width, height: high }) {
  const xOf = (value) => LEFT + (value / state.length) * (width - LEFT - 8);
  const labels = labelsOf(state, width);
  const floor = high - BELOW - LINE * (labels.at(-1)?.line ?? 0);
  return { width, top: TOP, floor, high, xOf, labels };
}

/** The names of the curves with their numbers, in as few lines as it takes. */
function labelsOf(state, width) {
  const now = placeOf(state);
  let x = 0;
  let line = 0;
  return state.names.map((name, i) => {
    const text = now < 0 ? name : `${name} ${reading(state.ys[i][now], state.tops[i])}`;
    const wide = KEY + 10 + widthOf(`${name} ${state.tops[i] ? "0.000" : "0.000000"}`);
    if (x > 0 && x + wide > width) {
      x = 0;
      line += 1;
    }
    const label = { text, x, line };
    x += wide + BETWEEN;
    return label;
  });
}

/** The upper end of the left axis: the most that is reached by curves without a top. */
function leftTop(state) {
  const curves = state.ys.filter((_, i) => !state.tops[i]);
  return Math.max(...curves.flat(), LEAST_TOP);
}

function axisMarks(state, at) {
  const floor = { x: LEFT, w: at.width - LEFT, y: at.floor, h: 2 };
  const marks = [{ id: "floor", class: "rule", ...floor }];
  if (state.x.length === 0) return marks; // how far the steps go would give the answer away
  const isLeftUsed = state.tops.some((top) => !top);
  const most = isLeftUsed ? digits(leftTop(state), 1) : "1";
  const beside = { class: "faint", anchor: "end", x: LEFT - 8 };
  marks.push({ id: "most", ...beside, y: at.top + BASE, text: most });
  marks.push({ id: "nothing", ...beside, y: at.floor + BASE, text: "0" });
  for (const tick of ticks(state.length)) {
    const isLast = at.xOf(tick) > at.width - 30;
    const label = { x: at.xOf(tick), y: at.floor + NAMES, text: `${tick}`, class: "faint" };
    marks.push({ id: `tick ${tick}`, anchor: isLast ? "end" : "middle", ...label });
  }
  if (state.goal && state.tops.some(Boolean)) marks.push(...goalMarks(state, at));
  return marks;
}

/** The line at 99 %, and a flag for each curve where it is reached. */
function goalMarks(state, at) {
  const y = height(GOAL, 1, at);
  const line = { x: LEFT, y, w: at.width - LEFT };
  const marks = [{ id: "goal", class: "ghost", d: across, ...line }];
  const label = { class: "faint", anchor: "end", x: at.width, y: y - 10, text: "99 %" };
  marks.push({ id: "goal label", ...label });
  state.names.forEach((_, i) => {
    const reached = state.tops[i] ? crossing(state.x, state.ys[i]) : null;
    if (reached === null) return;
    const pole = { x: at.xOf(reached), y, foot: at.floor };
    marks.push({ id: `flag ${i}`, class: "flag", d: upright, ...pole, from: { y: at.floor } });
    marks.push({ id: `flag dot ${i}`, class: "ink", x: pole.x, y, r: 7 });
  });
  return marks;
}

function curveMarks(state, at) {
  const { x, tops } = state;
  const top = leftTop(state);
  return at.labels.flatMap(({ text, ...label }, i) => {
    const foot = at.floor + NAMES + LINE * (label.line + 1);
    const key = { x: label.x, y: foot - BASE, w: KEY, d: across };
    const marks = [
      { id: `name ${i}`, anchor: "start", x: label.x + KEY + 10, y: foot, text },
      { id: `key ${i}`, class: `curve-${i}`, ...key },
    ];
    if (x.length === 0) return marks;
    const points = x.map(
      (value, j) => `${at.xOf(value)},${height(state.ys[i][j], tops[i] || top, at)}`,
    );
    return [...marks, { id: `curve ${i}`, class: `curve-${i}`, d: () => `M${points.join("L")}` }];
  });
}

/** The bar of steps. */
function progressMarks(state, at) {
  const last = state.x.at(-1) ?? 0;
  const bar = { x: 0, y: at.high - BAR, h: BAR, rx: 3 };
  return [
    { id: "all steps", class: "rule", ...bar, w: at.width },
    { id: "steps done", class: "ink", ...bar, w: (at.width * last) / state.length },
  ];
}

/** What the model writes at this step, in two lines above the chart. */
function writtenMarks(state) {
  const now = placeOf(state);
  const text = state.texts[now] ?? "";
  return lines(text).map((line, i) => ({
    id: `writes ${i}`,
    class: "bold",
    anchor: "start",
    x: 0,
    y: WRITES + LINE * i,
    text: line,
  }));
}

/** A text in at most two lines. */
function lines(text) {
  const words = text.split(" ");
  let first = "";
  while (words.length > 0 && `${first} ${words[0]}`.length <= LETTERS)
    first = `${first} ${words.shift()}`.trim();
  return [first, short(words.join(" "), LETTERS)].filter(Boolean);
}

/** The step at which 99 % was reached, or the step of now. */
function answerMarks(state, act) {
  const now = placeOf(state);
  const share = state.goal ? state.tops.findIndex(Boolean) : -1;
  const x = WIDTH;
  const whole = (value) => `${Math.round(value)}`;
  if (now < 0) {
    const label = share < 0 ? state.axis : `${state.axis}s until 99 %`;
    return answer({ number: 0, format: whole, label, veiled: true, x }, act);
  }
  const reached = share < 0 ? null : crossing(state.x.slice(0, now + 1), state.ys[share]);
  const label = reached === null ? state.axis : `${state.axis}s until 99 %`;
  return answer({ number: reached ?? state.x[now], format: whole, label, x }, act);
}

/** The line at the step that is looked at. */
function pointerMarks(state, at) {
  if (state.here === null || state.x.length === 0) return [];
  const line = { x: at.xOf(state.x[placeOf(state)]), y: at.top, foot: at.floor };
  return [{ id: "pointer", class: "pointer", focus: true, d: upright, ...line }];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const look = ([x]) => act.change({ here: nearest(state, at, x) });
  const hold = { x: LEFT, w: at.width - LEFT, y: at.top - 10, h: at.floor - at.top + 20 };
  return [
    ...axisMarks(state, at),
    ...pointerMarks(state, at),
    ...curveMarks(state, at),
    ...progressMarks(state, at),
    ...writtenMarks(state),
    ...answerMarks(state, act),
    { id: "hold", class: "pick", ...hold, hover: look, pick: look },
  ];
}

/** The last report at or before a place of the picture. */
function nearest(state, at, x) {
  const value = ((x - LEFT) / (at.xOf(state.length) - LEFT)) * state.length;
  const found = state.x.findLastIndex((one) => one <= value);
  return found < 0 ? null : found;
}

/** The sentence with the numbers of the step that is looked at. */
export function caption(state) {
  const now = placeOf(state);
  if (now < 0) return state.waiting;
  const numbers = state.names.map(
    (name, i) => `${name} ${reading(state.ys[i][now], state.tops[i])}`,
  );
  const sentence = `${state.axis} ${state.x[now]}: ${numbers.join(", ")}`;
  return state.left ? `${sentence} (${state.left})` : sentence;
}

/** What a key means: another step to look at. */
export function keysOf(state, key) {
  const count = state.x.length;
  if (count === 0) return null;
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? count], 1, count);
  return next && { here: next[1] };
}

const NAMED = [
  "names",
  "x",
  "ys",
  "tops",
  "length",
  "axis",
  "waiting",
  "running",
  "left",
  "texts",
  "goal",
];

function read(model) {
  const state = Object.fromEntries(NAMED.map((name) => [name, model.get(name)]));
  return { ...state, canTrain: model.get("can_train") };
}

/** A busy kernel reads no messages: Stop interrupts it, as Jupyter's own stop button does. */
function stop(model) {
  const interrupted = model.widget_manager?.kernel?.interrupt();
  if (!interrupted) model.send({ type: "stop" });
}

function render({ model, el, signal }) {
  const made = stage(
    { model, el, signal },
    {
      name: "curve",
      width: WIDTH,
      own: { here: null },
      keep: ["here"],
      read,
      layout,
      caption,
      keys: keysOf,
      next(state) {
        if (state.running) return { label: "Stop", act: () => stop(model) };
        return state.canTrain ? { label: "train", ask: { type: "train" } } : null;
      },
    },
  );
  // Where there is nothing to walk along, Tab does not stop.
  const walk = () => {
    made.svg.tabIndex = model.get("x").length > 0 ? 0 : -1;
  };
  model.on("change:x", walk);
  walk();
  made.svg.addEventListener("pointerleave", () => made.change({ here: null }));
}

export default { render };
