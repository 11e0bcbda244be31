// Curves that grow while a model learns, the step at which they reach 99 %, and what it writes.
import { roundNumbers, scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { clamp, digits, short, step } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { CURVE, drawn } from "../frame/looks.mjs";
import { dot, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

export const WIDTH = 468; // of the room, beside the map
const LEFT = 50;
const TOP = 232; // of the chart: the answer stands above it
const BELOW = 84; // from the floor of the chart to the end of the room, without the names
const NAMES = 34; // from the floor down to the ticks
const LINE = 30;
const GOAL = 0.99; // of a share: a flag stands where it is reached
const LEAST_TOP = 1e-9; // of the left axis, so that nothing is divided by 0
const KEY = 30; // the line that says which curve a name is of
const BETWEEN = 28; // two names in a line
const WRITES = 168; // the foot of the first line of what the model writes
const BAR = 6; // the height of the bar of steps
const LETTERS = 34; // of what the model writes, in one line
const BASE = 8; // from the middle of a line of letters down to its foot
const SMALL = 0.1; // a smaller loss has more digits: 0.000 and 0.000 could not be compared
const MOST_PLACES = 6;

const across = ({ x, y, w }) => `M${x},${y}h${w}`;
const upright = ({ x, y, foot }) => `M${x},${foot}V${y}`;

/** The first step at which a share is 0.99, or null. */
export function crossing(x, shares) {
  const first = shares.findIndex((share) => share >= GOAL);
  return first < 0 ? null : x[first];
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

/** Where everything stands: the shares have the scale from 0 to 1, all others one of theirs. */
function geometry(state, { width, height }) {
  const labels = labelsOf(state, width);
  const floor = height - BELOW - LINE * (labels.at(-1)?.line ?? 0);
  const upwards = (most) => scale({ domain: [0, most], range: [floor, TOP], clamped: true });
  return {
    width,
    height,
    floor,
    labels,
    steps: scale({ domain: [0, state.length], range: [LEFT, width - 8] }),
    shares: upwards(1),
    others: upwards(leftTop(state)),
  };
}

/** The names of the curves with their numbers, in as few lines as it takes. */
function labelsOf(state, width) {
  const now = placeOf(state);
  let x = 0;
  let line = 0;
  return state.names.map((name, i) => {
    const words = now < 0 ? name : `${name} ${reading(state.ys[i][now], state.tops[i])}`;
    const wide = KEY + 10 + widthOf(`${name} ${state.tops[i] ? "0.000" : "0.000000"}`);
    if (x > 0 && x + wide > width) {
      x = 0;
      line += 1;
    }
    const label = { words, x, line };
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
  const floor = rect("floor", "rule", { x: LEFT, w: at.width - LEFT, y: at.floor, h: 2 });
  if (state.x.length === 0) return [floor]; // how far the steps go would give the answer away
  const isLeftUsed = state.tops.some((top) => !top);
  const ends = [
    { value: 1, id: "most", text: isLeftUsed ? digits(leftTop(state), 1) : "1" },
    { value: 0, id: "nothing" },
  ];
  const steps = roundNumbers(state.length).map((value) => ({
    value,
    anchor: at.steps.at(value) > at.width - 30 ? "end" : "middle",
  }));
  return [
    floor,
    ...ticksUpward(at.shares, ends, LEFT - 8, { low: BASE }),
    ...ticksAcross(at.steps, steps, at.floor + NAMES),
    ...(state.goal && state.tops.some(Boolean) ? goalMarks(state, at) : []),
  ];
}

/** The line at 99 %, and a flag for each curve where it is reached. */
function goalMarks(state, at) {
  const y = at.shares.at(GOAL);
  const line = { x: LEFT, y, w: at.width - LEFT };
  const marks = [{ id: "goal", class: "ghost", d: across, ...line }];
  marks.push(text("goal label", "faint", [at.width, y - 10], "99 %", { anchor: "end" }));
  state.names.forEach((_, i) => {
    const reached = state.tops[i] ? crossing(state.x, state.ys[i]) : null;
    if (reached === null) return;
    const pole = { x: at.steps.at(reached), y, foot: at.floor };
    marks.push({ id: `flag ${i}`, class: "flag", d: upright, ...pole, from: { y: at.floor } });
    marks.push(dot(`flag dot ${i}`, "ink", [pole.x, y], 7));
  });
  return marks;
}

function curveMarks(state, at) {
  const { x, tops } = state;
  return at.labels.flatMap(({ words, ...label }, i) => {
    const foot = at.floor + NAMES + LINE * (label.line + 1);
    const key = { x: label.x, y: foot - BASE, w: KEY, d: across };
    const marks = [
      text(`name ${i}`, "", [label.x + KEY + 10, foot], words, { anchor: "start" }),
      { id: `key ${i}`, class: `curve-${i}`, ...key },
    ];
    if (x.length === 0) return marks;
    const heights = tops[i] ? at.shares : at.others;
    const points = x.map((value, j) => `${at.steps.at(value)},${heights.at(state.ys[i][j])}`);
    return [...marks, { id: `curve ${i}`, class: `curve-${i}`, d: () => `M${points.join("L")}` }];
  });
}

/** The bar of steps. */
function progressMarks(state, at) {
  const last = state.x.at(-1) ?? 0;
  const bar = { x: 0, y: at.height - BAR, h: BAR };
  return [
    rect("all steps", "rule", { ...bar, w: at.width }, { rx: 3 }),
    rect("steps done", "ink", { ...bar, w: (at.width * last) / state.length }, { rx: 3 }),
  ];
}

/** What the model writes at this step, in two lines above the chart. */
function writtenMarks(state) {
  const now = placeOf(state);
  return lines(state.texts[now] ?? "").map((line, i) =>
    text(`writes ${i}`, "bold", [0, WRITES + LINE * i], line, { anchor: "start" }),
  );
}

/** A sentence in at most two lines. */
function lines(sentence) {
  const words = sentence.split(" ");
  let first = "";
  while (words.length > 0 && `${first} ${words[0]}`.length <= LETTERS)
    first = `${first} ${words.shift()}`.trim();
  return [first, short(words.join(" "), LETTERS)].filter(Boolean);
}

/** The step at which 99 % was reached, or the step of now; of one curve alone where it is. */
function answerMarks(state, act) {
  const now = placeOf(state);
  const share = state.goal ? state.tops.findIndex(Boolean) : -1;
  const x = WIDTH;
  if (state.names.length === 1 && share < 0) {
    const [[name], [top], [values]] = [state.names, state.tops, state.ys];
    const format = (value) => reading(value, top);
    return answer({ number: values[now] ?? 0, format, label: name, veiled: now < 0, x }, act);
  }
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
  const line = { x: at.steps.at(state.x[placeOf(state)]), y: TOP, foot: at.floor };
  return [{ id: "pointer", class: "pointer", focus: true, d: upright, ...line }];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const look = ([x]) => act.change({ here: nearest(state, at, x) });
  const hold = { x: LEFT, w: at.width - LEFT, y: TOP - 10, h: at.floor - TOP + 20 };
  return [
    ...axisMarks(state, at),
    ...pointerMarks(state, at),
    ...curveMarks(state, at),
    ...progressMarks(state, at),
    ...writtenMarks(state),
    ...answerMarks(state, act),
    rect("hold", "pick", hold, { hover: look, pick: look }),
  ];
}

/** The last report at or before a place of the picture. */
function nearest(state, at, x) {
  const value = at.steps.back(x);
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

/** A busy kernel reads no messages: Stop interrupts it, as Jupyter's own stop button does. */
function stop(model) {
  const interrupted = model.widget_manager?.kernel?.interrupt();
  if (!interrupted) model.send({ type: "stop" });
}

/** What Enter does: Stop, or train where this demo has a button for it. */
function nextOf(state) {
  if (state.running) return { label: "Stop", act: stop };
  return state.can_train ? { label: "train", ask: { type: "train" } } : null;
}

/** Where there is nothing to walk along, Tab does not stop; who leaves sees the newest step. */
function staged(made, model) {
  const walk = () => {
    made.svg.tabIndex = model.get("x").length > 0 ? 0 : -1;
  };
  model.on("change:x", walk);
  walk();
  made.svg.addEventListener("pointerleave", () => made.change({ here: null }));
}

export default demo({
  name: "curve",
  looks: {
    "curve-0": CURVE,
    "curve-1": { ...CURVE, stroke: "var(--curve-1)", "stroke-dasharray": "14 6" },
    "curve-2": { ...CURVE, stroke: "var(--curve-2)", "stroke-dasharray": "4 5" },
    "curve-3": { ...CURVE, stroke: "var(--ghost)", "stroke-dasharray": "14 5 4 5" },
    flag: drawn("ink", 3),
    pointer: drawn("faint", 2),
  },
  width: WIDTH,
  traits: [
    ...["names", "x", "ys", "tops", "length", "axis", "texts", "goal"],
    ...["waiting", "running", "left", "can_train"],
  ],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
  next: nextOf,
  staged,
});
