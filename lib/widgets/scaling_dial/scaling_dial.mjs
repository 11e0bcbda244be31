// A dial for d_k: the weights of the median query, from the largest to the smallest, sharpen. What
// the scores are divided by is seen at every d_k: how far they spread, with and without it; at the
// right, what that does to the weights.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, isUnasked } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { BASELINE, curve, dot, LEFT_END, number, rect } from "../frame/shapes.mjs";
import { RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = 56; // of the plot, and of a row alone
const RIGHT = 640; // of the plot: beside it the names of its lines and a small row
const ALONE = 872; // the right end of a row alone, beside the answer
const SMALL = { x: 856, w: 360, y: 184 }; // the row beside the plot, below the answer
const TOP = 60; // where a weight of 1 ends
const TITLE = 42; // the baseline of what stands above
const FLOOR = 40; // from the row to the floor of the room
const FILLED = 0.74; // of the room of a bar
const NUMBER = 28; // from the floor to what stands below it
const SYMBOLS = 32; // letters: those of a subscript are a quarter smaller, and still 24
const SPREADS = { domain: [1 / 32, 32], log: true, clamped: true };
const SPREAD_TICKS = [{ value: 0.1, text: "0.1" }, 1, 10];
const APART = 34; // two names at the ends of lines
const ASK_BY = 2; // the step of the story that asks what to divide by
const STEADY = 1.25; // times as large as the smallest may be what counts as the same
const MARKED = [1, 8, 64, 512]; // along the axis of d_k
const DOT = 11;
const ABOVE = 30; // from the floor up to what the outline is
const BEYOND = 16; // from the end of a line to its name
const OVER = 10; // from the largest bar of a small row up to its number
const AXIS = 110; // from the last number to the name of the axis
const TITLES = {
  row: "the 16 weights of the median query, the largest first",
  small: "the 16 weights at d_k = {size}",
  before: "dashed: d_k = {size}",
  without: "not divided",
  with: "\u00f7 {divisor}",
  spread: "spread of the scores: standard deviation",
  axis: "d_k",
};
const LABELS = {
  typical: "median of 1,024 queries",
  found: "keeps the line flat",
  weights: "what happens to the weights?",
};

/** A weight in few digits, and never "1.00" for what is not. */
export const few = (weight) => digits(weight, weight > 0.995 && weight < 1 ? 3 : 2);

/** True where lines are drawn over d_k: as soon as it is asked what divides, or done. */
export const isPlot = ({ divisor, done }) => divisor !== "" || done >= ASK_BY;

/** True if the largest of some numbers is hardly more than the smallest. */
const isSteady = (numbers) => Math.max(...numbers) < STEADY * Math.min(...numbers);

/** What keeps the spread the same at every d_k, or null. */
export const found = ({ divisor, spreads }) =>
  divisor !== "" && isSteady(spreads) ? divisor : null;

/** The box of the row of weights: alone, or beside the plot. */
function boxOf(state, { height }) {
  const { x, w, y } = isPlot(state) ? SMALL : { x: LEFT, w: ALONE - LEFT, y: TOP };
  return { x, w, y, h: height - FLOOR - y };
}

/** The box of the bar of a weight in a row. */
function barBox(weight, i, box, count) {
  const column = box.w / count;
  const h = Math.max(1, weight * box.h);
  const gap = ((1 - FILLED) * column) / 2;
  return { x: box.x + column * i + gap, w: column * FILLED, y: box.y + box.h - h, h };
}

/** The bars of the row; here: the one that is pointed at. */
function bars({ weights, here }, box) {
  return weights.map((weight, i) => {
    const kind = i === here ? "weight here" : "weight";
    return rect(`weight ${i}`, kind, barBox(weight, i, box, weights.length), { rx: 2 });
  });
}

/** Where a pointer chooses a weight of a row. */
function columns(state, { x, w, y, h }, act) {
  const column = w / state.weights.length;
  return state.weights.map((_, i) => {
    const point = () => {
      if (i !== state.here) act.change({ here: i }, { keep: true });
    };
    const box = { x: x + column * i, w: column, y, h: h + NUMBER };
    return rect(`column ${i}`, "pick", box, { hover: point, pick: point });
  });
}

/** The floor of a row or the plot and the line at its top. */
function rules(name, { x, y, w, h }) {
  return [
    rect(`${name} top`, "rule", { x, w, y, h: 1 }),
    rect(`${name} floor`, "rule", { x, w, y: y + h, h: 2 }),
  ];
}

/** The weights before, at another d_k, as one outline; or null. */
function weightsBefore(state) {
  const { before, d_k } = state;
  return before && !isPlot(state) && before.d_k !== d_k ? before.weights : null;
}

/** The weights before as an outline, and what it is. */
function outline(weights, { before }, { x, y, w, h }) {
  const steps = weights.map((weight) => `V${y + h * (1 - weight)}h${w / weights.length}`);
  const path = `M${x},${y + h}${steps.join("")}V${y + h}`;
  const words = fillIn(TITLES.before, { size: before.d_k });
  return [
    { id: "before", class: "ghost", glide: 1, d: () => path },
    text("before name", "ghosted halo", [x + w, y + h - ABOVE], words, RIGHT_END),
  ];
}

/** The weights in a row; while they are veiled only its place. */
function row(state, room, act) {
  const { veiled, d_k: size } = state;
  const box = boxOf(state, room);
  const was = veiled ? null : weightsBefore(state);
  const floor = box.y + box.h;
  const ends = scale({ domain: [0, 1], range: [floor, box.y] });
  const title = isPlot(state) ? fillIn(TITLES.small, { size }) : TITLES.row;
  return [
    ...ticksUpward(ends, [0, 1], box.x - 12, { name: "share", low: 8 }),
    ...rules("row", box),
    text("row name", "faint", [box.x, floor + NUMBER], title, LEFT_END),
    ...(veiled ? veil(box, LABELS.weights, act) : bars(state, box)),
    ...(was ? outline(was, state, box) : []),
    ...(veiled ? [] : columns(state, box, act)),
  ];
}

/** The name of a line at its end, and where the dial stands on it. */
function pointer([name, words, numbers, lift], { sizes, d_k }, [across, upward]) {
  const at = (size) => [across.at(size), upward.at(numbers[sizes.indexOf(size)])];
  const [end, foot] = at(sizes.at(-1));
  const place = [end + BEYOND, foot + BASELINE + lift];
  return [
    text(`${name} name`, "", place, words, { ...LEFT_END, size: 28 }),
    dot(`${name} dot`, name === "plain" ? "score" : "weight", at(d_k), DOT),
  ];
}

/** The lines of the plot: their names, words and numbers, and how far the words stand apart. */
function linesOf({ divisor, plain_spreads, spreads }, upward) {
  const lines = [["plain", TITLES.without, plain_spreads, 0]];
  if (divisor === "") return lines;
  const [high, low] = [plain_spreads, spreads].map((numbers) => upward.at(numbers.at(-1)));
  const lift = Math.max(0, APART - Math.abs(low - high)) * Math.sign(low - high || 1);
  return [...lines, ["divided", fillIn(TITLES.with, { divisor }), spreads, lift]];
}

/** The number of the largest weight over its bar, where it is not the answer. */
function largestMark(state, room) {
  const [weight] = state.weights;
  const { x, y, w } = barBox(weight, 0, boxOf(state, room), state.weights.length);
  const point = [x + w / 2 + OVER, y - OVER];
  return number("largest", "bold halo", point, weight, few, {});
}

/** How far the scores spread over d_k, not divided and divided, and the weights beside it. */
function plot(state, room, act) {
  const { sizes, veiled } = state;
  const { height } = room;
  const box = { x: LEFT, w: RIGHT - LEFT, y: TOP, h: height - FLOOR - TOP };
  const foot = box.y + box.h;
  const across = scale({ domain: [sizes[0], sizes.at(-1)], range: [LEFT, RIGHT], log: true });
  const upward = scale({ ...SPREADS, range: [foot, box.y] });
  const axes = [across, upward];
  const lines = veiled ? [] : linesOf(state, upward);
  return [
    ...ticksUpward(upward, SPREAD_TICKS, LEFT - 12, { name: "spread", low: 8 }),
    ...ticksAcross(across, MARKED, foot + NUMBER),
    text("axis", "", [RIGHT + AXIS, foot + NUMBER], TITLES.axis, { size: SYMBOLS }),
    ...rules("plot", box),
    text("plot title", "", [LEFT, TITLE], TITLES.spread, LEFT_END),
    ...(veiled
      ? veil(box, LABELS.weights, act)
      : [...row(state, room, act), largestMark(state, room)]),
    ...lines.map(([name, , numbers]) => {
      const points = sizes.map((size, i) => [across.at(size), upward.at(numbers[i])]);
      return curve(`${name} line`, `line-of-${name}`, points);
    }),
    ...lines.flatMap((line) => pointer(line, state, axes)),
  ];
}

/** The answer of a row alone: its largest weight. */
function toldAlone(state, act) {
  const [largest] = state.weights;
  const number = { number: largest, format: few, before: state.before?.weights[0] };
  const veiled = state.veiled || isUnasked(state);
  return answer({ ...number, label: LABELS.typical, veiled }, act);
}

/** The answer: the typical largest weight, or what makes the line flat. */
function told(state, act) {
  if (!isPlot(state)) return toldAlone(state, act);
  const words = found(state);
  const veiled = state.veiled || isUnasked(state) || words === null;
  return answer({ words, label: LABELS.found, veiled }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const drawing = isPlot(state) ? plot : row;
  return [...drawing(state, room, act), ...told(state, act)];
}

const SENTENCES = {
  veiled: "Predict first: how large does the largest weight get? Enter shows it.",
  spread: "At d_k = {size} the scores spread {plain}.",
  divided: "At d_k = {size} the scores spread {plain}; \u00f7 {divisor} they spread {divided}.",
  rows: "{percent} of 100 queries give nearly all to one key: more than 0.99.",
  key: "Weight {rank} of {count}: score {score} \u2192 weight {weight}.",
};

/** The sentence of the plot. */
function captionOfPlot({ divisor, d_k: size, sizes, plain_spreads, spreads }) {
  const [plain, divided] = [plain_spreads, spreads].map((all) => digits(all[sizes.indexOf(size)]));
  const sentence = divisor === "" ? SENTENCES.spread : SENTENCES.divided;
  return fillIn(sentence, { size, plain, divisor, divided });
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  const { here, saturated, scores, weights } = state;
  if (here === null && isPlot(state)) return captionOfPlot(state);
  if (here === null) return fillIn(SENTENCES.rows, { percent: digits(100 * saturated, 0) });
  const [score, weight] = [digits(scores[here]), digits(weights[here], 4)];
  return fillIn(SENTENCES.key, { rank: here + 1, count: weights.length, score, weight });
}

/** What a key means: another weight of the row, or none. */
export function keysOf(state, key) {
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? -1], 1, state.weights.length);
  return next && { here: next[1] };
}

const LOOKS = {
  "line-of-plain": drawn("score", 4),
  "line-of-divided": drawn("weight", 6),
  "weight.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
};

export default demo({
  name: "scaling-dial",
  traits: [
    ...["scores", "weights", "divisor", "done", "spreads", "plain_spreads"],
    ...["saturated", "moved", "d_k", "sizes"],
  ],
  looks: LOOKS,
  own: { here: null },
  keep: ["here"],
  forget: { done: ["here"], divisor: ["here"] },
  layout,
  caption,
  keys: keysOf,
});
