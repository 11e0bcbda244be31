// What a model writes while it learns, its curves, the hall's bets, and the step that is asked for.
import { roundNumbers, scale, ticksAcross } from "../frame/axes.mjs";
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { interrupt } from "../frame/interrupt.mjs";
import { answer, breakLines, fit, widthOf } from "../frame/lettering.mjs";
import { CURVE, drawn, filled } from "../frame/looks.mjs";
import { dot, LEFT_END, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

export const WIDTH = 716; // of the room, beside the map
const LEFT = 72; // of the chart: the numbers of the losses
const RIGHT = 66; // beside it: those of the shares
const TOP = { bare: 40, plain: 168, written: 230 }; // of the chart: what stands above it differs
const BELOW = 72; // from the floor of the chart to the end of the room, without the names
const NAMES = 34; // from the floor down to the ticks
const LINE = 30;
const GOAL = 0.99; // of a share: a flag stands where it is reached
const LEAST = 1e-9; // of a loss: a logarithm of 0 has no place
const ENDS = [1, 2, 5]; // times a power of ten: the ends of the axis of losses
const KEY = 30; // the line that says which curve a name is of
const BETWEEN = 28; // two names in a line
const ATTEMPTS = { feet: [100, 66, 32], room: 420, step: 54 }; // earlier ones, the newest lowest
const WRITES = { size: 36, weight: 650, feet: [160, 202] }; // what the model writes now
const BAR = 6; // the height of the bar of steps
const BASE = 8; // from the middle of a line of letters down to its foot
const SMALL = 0.1; // a smaller loss has more digits: 0.000 and 0.000 could not be compared
const MOST_PLACES = 6;
const BETS = { most: 9, high: 44, wide: 22, near: 0.03, moves: 40 }; // flags on the axis of steps

const across = ({ x, y, w }) => `M${x},${y}h${w}`;
const upright = ({ x, y, foot }) => `M${x},${foot}V${y}`;
const pennant = ({ x, y, foot }) => `M${x},${foot}V${y}h${BETS.wide}l-7,8l7,8h${-BETS.wide}Z`;

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

/** The end of an axis next to a number: 1, 2 or 5 times a power of ten, below it or above. */
export function endOf(value, above) {
  const power = 10 ** Math.floor(Math.log10(value));
  const ends = [...ENDS, 10 * ENDS[0]].map((end) => end * power);
  const tiny = 1e-9 * power;
  return above
    ? ends.find((end) => end >= value - tiny)
    : ends.findLast((end) => end <= value + tiny);
}

/** The lowest and the highest of the axis of losses. */
function lossEnds(state) {
  const losses = state.ys.filter((_, i) => !state.tops[i]).flat();
  const seen = losses.filter((loss) => loss > LEAST);
  if (seen.length === 0) return [ENDS[0] / 10, ENDS[0]];
  const [low, high] = [endOf(Math.min(...seen), false), endOf(Math.max(...seen), true)];
  return low < high ? [low, high] : [low / 10, high];
}

/** Above the chart stands what is written, the answer, or neither. */
function topOf({ texts, answer: asked }) {
  if (texts.some(Boolean)) return TOP.written;
  return asked ? TOP.plain : TOP.bare;
}

/** Where everything stands: the shares go from 0 to 1, the losses have a logarithmic axis. */
function geometry(state, { width, height }) {
  const labels = labelsOf(state, width);
  const floor = height - BELOW - LINE * (labels.at(-1)?.line ?? 0);
  const top = topOf(state);
  const ends = lossEnds(state);
  const logs = scale({ domain: ends.map(Math.log10), range: [floor, top], clamped: true });
  return {
    width,
    height,
    floor,
    top,
    labels,
    ends,
    right: width - RIGHT,
    steps: scale({ domain: [0, state.length], range: [LEFT, width - RIGHT], clamped: true }),
    shares: scale({ domain: [0, 1], range: [floor, top], clamped: true }),
    losses: { at: (loss) => logs.at(Math.log10(Math.max(LEAST, loss))) },
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

const STEPS = "{value} {axis}s"; // at the last number of the axis

const isAsked = (state) => state.goal && state.tops.some(Boolean); // for a number of steps

/** The steps, the ends of the losses at the left, those of the shares at the right. */
function axisMarks(state, at) {
  const floor = rect("floor", "rule", { x: LEFT, w: at.right - LEFT, y: at.floor, h: 2 });
  const steps = roundNumbers(state.length).map((value) => ({ value }));
  const last = steps.at(-1);
  last.text = fillIn(STEPS, { value: last.value, axis: state.axis });
  const across = ticksAcross(at.steps, steps, at.floor + NAMES);
  if (state.x.length === 0) return isAsked(state) ? [floor, ...across] : [floor];
  const losses = at.ends.map((value, i) =>
    text(`loss ${i}`, "faint", [LEFT - 8, at.losses.at(value) + BASE], `${value}`, RIGHT_END),
  );
  return [floor, ...across, ...(state.tops.some((top) => !top) ? losses : [])].concat(
    isAsked(state) ? goalMarks(state, at) : [],
  );
}

/** The line at 99 %, and a flag for each curve where it is reached. */
function goalMarks(state, at) {
  const y = at.shares.at(GOAL);
  const line = { x: LEFT, y, w: at.right - LEFT };
  const marks = [{ id: "goal", class: "ghost", d: across, ...line }];
  marks.push(text("goal label", "faint", [at.right + 8, y + BASE], "99 %", LEFT_END));
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
    const heights = tops[i] ? at.shares : at.losses;
    const points = x.map((value, j) => `${at.steps.at(value)},${heights.at(state.ys[i][j])}`);
    return [...marks, { id: `curve ${i}`, class: `curve-${i}`, d: () => `M${points.join("L")}` }];
  });
}

/** The bar of steps. */
function progressMarks(state, at) {
  const last = state.x.at(-1) ?? 0;
  const bar = { x: LEFT, y: at.floor - BAR / 2 + 1, h: BAR };
  const w = at.steps.at(last) - LEFT;
  return [rect("steps done", "ink", { ...bar, w }, { rx: 3 })];
}

/** The attempts before this one that were others, the newest first: [step, text]. */
export function attempts({ x, texts }, now) {
  const found = [];
  for (let i = now - 1; i >= 0 && found.length < ATTEMPTS.feet.length; i--)
    if (texts[i] && texts[i] !== texts[i + 1]) found.push([x[i], texts[i]]);
  return found;
}

/** What the model writes at this step, large, and above it what it wrote before. */
function writtenMarks(state) {
  const now = placeOf(state);
  const said = state.texts[now];
  if (!said) return [];
  const wide = (part) => widthOf(part, WRITES.size, WRITES.weight);
  const [first, ...others] = breakLines(said, WIDTH, wide);
  const rest = others.length > 0 ? [fit(others.join(" "), WIDTH, WRITES.size)] : [];
  return [
    ...[first, ...rest].map((line, i) =>
      text(`writes ${i}`, "bold", [0, WRITES.feet[i]], line, { size: WRITES.size, ...LEFT_END }),
    ),
    ...attempts(state, now).flatMap(([step, old], i) => [
      text(`when ${step}`, "faint", [ATTEMPTS.step - 10, ATTEMPTS.feet[i]], `${step}`, RIGHT_END),
      text(
        `wrote ${step}`,
        "faint",
        [ATTEMPTS.step, ATTEMPTS.feet[i]],
        fit(old, ATTEMPTS.room - ATTEMPTS.step),
        LEFT_END,
      ),
    ]),
  ];
}

const whole = (value) => `${Math.round(value)}`;

/** The number that answers the question, as answer() takes it; null where the map is the answer. */
function playOf(state) {
  const now = placeOf(state);
  const [first, second] = state.ys;
  const last = (values) => values[now] ?? 0;
  const plain = (value) => reading(value, state.tops[0]);
  const isOver = now >= 0 && state.x.at(-1) >= state.length;
  switch (state.answer) {
    case "reached": {
      const share = state.ys[state.tops.findIndex(Boolean)];
      const reached = crossing(state.x, share);
      const label = `${state.axis}s until 99 %`;
      return { number: reached ?? 0, format: whole, label, veiled: reached === null };
    }
    case "last":
      return { number: last(first), format: plain, label: state.names[0], veiled: now < 0 };
    case "gap": {
      const gap = Math.abs(last(first) - last(second));
      return { number: gap, format: plain, label: "between the two", veiled: !isOver };
    }
    default:
      return null;
  }
}

function answerMarks(state, act) {
  const play = playOf(state);
  return play === null ? [] : answer({ ...play, x: WIDTH }, act);
}

/** The hall's bets, flags on the axis of steps; the one nearest to the answer is yellow. */
function betMarks(state, at) {
  if (!isAsked(state)) return [];
  const reached = crossing(state.x, state.ys[state.tops.findIndex(Boolean)]);
  const away = state.bets.map((bet) => Math.abs(bet - reached));
  const won = reached === null ? -1 : away.indexOf(Math.min(...away));
  return state.bets.map((bet, i) => {
    const pole = { x: at.steps.at(bet), foot: at.floor, y: at.floor - BETS.high };
    return { id: `bet ${i}`, class: i === won ? "bet won" : "bet", d: pennant, ...pole };
  });
}

/** The bets with one more at this step, or without the one that stands there. */
function withBet({ bets, length }, step) {
  const here = bets.findIndex((bet) => Math.abs(bet - step) <= BETS.near * length);
  if (here >= 0) return bets.filter((_, i) => i !== here);
  return bets.length < BETS.most ? [...bets, Math.round(step)] : bets;
}

/** The line at the step that is looked at. */
function pointerMarks(state, at) {
  if (state.here === null || state.x.length === 0) return [];
  const line = { x: at.steps.at(state.x[placeOf(state)]), y: at.top, foot: at.floor };
  return [{ id: "pointer", class: "pointer", focus: true, d: upright, ...line }];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const look = ([x]) => act.change({ here: nearest(state, at, x) });
  const bet = ([x]) => act.change({ bets: withBet(state, at.steps.back(x)) });
  const hold = { x: LEFT, w: at.right - LEFT, y: at.top - 10, h: at.floor - at.top + 20 };
  const isOpen = isAsked(state) && state.x.length === 0; // bets are taken until it starts
  return [
    ...axisMarks(state, at),
    ...pointerMarks(state, at),
    ...curveMarks(state, at),
    ...betMarks(state, at),
    ...progressMarks(state, at),
    ...writtenMarks(state),
    ...answerMarks(state, act),
    rect("hold", "pick", hold, isOpen ? { pick: bet } : { hover: look, pick: look }),
  ];
}

/** The last report at or before a place of the picture. */
function nearest(state, at, x) {
  const value = at.steps.back(x);
  const found = state.x.findLastIndex((one) => one <= value);
  return found < 0 ? null : found;
}

/** The bets in words, or how to make one. */
const betsSaid = ({ bets }) => (bets.length > 0 ? `Bets: ${bets.join(", ")}.` : BET);

const BET = "Bets: click on the axis, or \u2190 and \u2192.";

/** The sentence with the numbers of the step that is looked at. */
export function caption(state) {
  const now = placeOf(state);
  if (now < 0) return isAsked(state) ? `${state.waiting} ${betsSaid(state)}` : state.waiting;
  const numbers = state.names.map(
    (name, i) => `${name} ${reading(state.ys[i][now], state.tops[i])}`,
  );
  const sentence = `${state.axis} ${state.x[now]}: ${numbers.join(", ")}`;
  return state.left ? `${sentence} (${state.left})` : sentence;
}

/** What a key does to the bets: the newest moves along the axis, Backspace takes it away. */
function betKey({ bets, length }, key) {
  if (key === "Backspace") return bets.length > 0 ? { bets: bets.slice(0, -1) } : null;
  if (key === " ") return { bets: withBet({ bets, length }, length / 2) };
  const move = { ArrowRight: length / BETS.moves, ArrowLeft: -length / BETS.moves }[key];
  if (!move) return null;
  const newest = clamp(Math.round((bets.at(-1) ?? length / 2) + move), 0, length);
  return { bets: [...bets.slice(0, -1), newest] };
}

/** What a key means: another step to look at; before the training, a bet. */
export function keysOf(state, key) {
  const count = state.x.length;
  if (count === 0) return isAsked(state) ? betKey(state, key) : null;
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? count], 1, count);
  return next && { here: next[1] };
}

function stop(model) {
  if (!interrupt(model)) model.send({ type: "stop" });
}

/** What Enter does: Stop, or train where this demo has a button for it. */
function nextOf(state) {
  if (state.running) return { label: "Stop", act: stop };
  return state.can_train ? { label: "train", ask: { type: "train" } } : null;
}

/** Where there is nothing to walk along, Tab does not stop; who leaves sees the newest step. */
function staged(made, model) {
  const walk = () => {
    const takesBets = model.get("goal") && model.get("tops").some(Boolean);
    made.svg.tabIndex = takesBets || model.get("x").length > 0 ? 0 : -1;
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
    bet: { ...drawn("ink", 2), ...filled("paper") },
    "bet.won": filled("changed"),
    pointer: drawn("faint", 2),
  },
  width: WIDTH,
  traits: [
    ...["names", "x", "ys", "tops", "length", "axis", "texts", "goal"],
    ...["waiting", "running", "left", "can_train", "answer", "bets"],
  ],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
  next: nextOf,
  staged,
});
