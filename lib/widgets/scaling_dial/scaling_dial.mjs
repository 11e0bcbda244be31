// A dial for d_k: the weights of the median query, from the largest to the smallest, sharpen. What
// the scores are divided by is seen at every d_k: how far they spread, with and without it; at last
// the largest weight.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, isUnasked } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { BASELINE, curve, dot, LEFT_END, rect } from "../frame/shapes.mjs";
import { RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = 56; // of the row of weights
const RIGHT = 852; // of the plot, beside the answer
const END = 1216; // of a row alone
const ANSWER_FOOT = 172; // above the bars of a row alone
const TOP = 60; // where a weight of 1 ends
const TITLE = 42; // the baseline of what stands above
const FLOOR = 40; // from the row to the floor of the room
const FILLED = 0.74; // of the room of a bar
const NUMBER = 28; // from the floor to what stands below it
const SYMBOLS = 32; // letters: those of a subscript are a quarter smaller, and still 24
// What is drawn over d_k: how far the scores spread, or the largest weight.
const SPREADS = {
  domain: [1 / 32, 32],
  log: true,
  clamped: true,
  ticks: [{ value: 0.1, text: "0.1" }, 1, 10],
};
const WEIGHTS = { domain: [0, 1], ticks: [0, 1] };
const APART = 34; // two names at the ends of lines
const ASK_BY = 2; // the step of the story that asks what to divide by
const ASK_AGAIN = 5; // and whether it holds at another d_k
const SEEN = 64; // the d_k that the story has come to when it asks that
const STEADY_FROM = 8; // below this d_k the shape of the scores changes, not only their spread
const STEADY = 1.25; // times as large as the smallest may be what counts as the same
const MARKED = [1, 8, 64, 512]; // along the axis of d_k
const NAMED = 16; // d_k, where a line is named while its end is hidden
const DOT = 11;
const ABOVE = 30; // from the floor up to what the outline is
const BEYOND = 16; // from the end of a line to its name
const AXIS = 64; // from the last number to the name of the axis
const HOLDS = { yes: "yes", no: "no" };
const TITLES = {
  row: "the 16 weights of the median query, the largest first",
  before: "dashed: d_k = {size}",
  without: "not divided",
  with: "\u00f7 {divisor}",
  largest: "largest weight, median of 1,024 queries",
  spread: "spread of the scores: their standard deviation",
  axis: "d_k",
};
const LABELS = {
  typical: "median of 1,024 queries",
  found: "the line stays flat",
  weights: "what happens to the weights?",
  stays: "does it stay?",
  steady: "{before} \u2192 {after}",
  unknown: "?",
};

/** A weight in few digits, and never "1.00" for what is not. */
export const few = (weight) => digits(weight, weight > 0.995 && weight < 1 ? 3 : 2);

/** True where lines are drawn over d_k: as soon as it is asked what divides, or done. */
export const isPlot = ({ divisor, done }) => divisor !== "" || done >= ASK_BY;

/** True where it is asked whether the largest weight stays at another d_k. */
const isAgain = ({ done }) => done >= ASK_AGAIN;

/** True if the largest of some numbers is hardly more than the smallest. */
const isSteady = (numbers) => Math.max(...numbers) < STEADY * Math.min(...numbers);

/** What keeps the spread the same at every d_k, or null. */
export const found = ({ divisor, spreads }) =>
  divisor !== "" && isSteady(spreads) ? divisor : null;

/** The box of the row of weights. */
const boxOf = ({ height }) => ({ x: LEFT, w: END - LEFT, y: TOP, h: height - FLOOR - TOP });

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

/** The floor of a row and the line at 1; over a row alone it ends before the answer. */
function rules(name, { x, y, w, h }, across = w) {
  return [
    rect(`${name} top`, "rule", { x, w: across, y, h: 1 }),
    rect(`${name} floor`, "rule", { x, w, y: y + h, h: 2 }),
  ];
}

/** The weights before, at another d_k, as one outline; or null. */
function weightsBefore({ before, d_k }) {
  return before?.divisor === "" && before.d_k !== d_k ? before.weights : null;
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
  const { weights, veiled } = state;
  const box = boxOf(room);
  const was = veiled ? null : weightsBefore(state);
  const floor = box.y + box.h;
  const ends = scale({ domain: [0, 1], range: [floor, box.y] });
  const hidden = { ...box, y: ANSWER_FOOT, h: floor - ANSWER_FOOT };
  return [
    ...ticksUpward(ends, [0, 1], LEFT - 12, { name: "share", low: 8 }),
    ...rules("row", box, box.w / weights.length),
    text("row name", "faint", [LEFT, floor + NUMBER], TITLES.row, LEFT_END),
    ...(veiled ? veil(hidden, LABELS.weights, act) : bars(state, box)),
    ...(was ? outline(was, state, box) : []),
    ...(veiled ? [] : columns(state, box, act)),
  ];
}

/** How far the lines are seen: as far as the story or the dial has come. */
const seenOf = ({ d_k, veiled }) => (veiled ? SEEN : Math.max(SEEN, d_k));

/** A line of the plot: as far as the story has come, and beyond. */
function lineOf(name, kind, numbers, state, [across, upward]) {
  const { sizes } = state;
  const points = sizes.map((size, i) => [across.at(size), upward.at(numbers[i])]);
  const [seen, end] = [SEEN, seenOf(state)].map((size) => sizes.indexOf(size) + 1);
  const marks = [curve(`${name} line`, kind, points.slice(0, seen))];
  return end === seen
    ? marks
    : [...marks, curve(`${name} beyond`, kind, points.slice(seen - 1, end))];
}

/** The name of a line, at its end or above what is seen of it, and where the dial stands on it. */
function pointer([name, words, numbers, lift], state, [across, upward]) {
  const { sizes, d_k, veiled } = state;
  const at = (size) => [across.at(size), upward.at(numbers[sizes.indexOf(size)])];
  if (veiled) {
    const [x, y] = at(NAMED);
    return [text(`${name} name`, "", [x, y - BEYOND], words, { ...RIGHT_END, size: 28 })];
  }
  const [end, foot] = at(seenOf(state));
  const place = [end + BEYOND, foot + BASELINE + lift];
  return [
    text(`${name} name`, "", place, words, { ...LEFT_END, size: 28 }),
    dot(`${name} dot`, name === "plain" ? "score" : "weight", at(d_k), DOT),
  ];
}

/** What the lines are of: not divided and divided. */
function numbersOf(state) {
  if (!isAgain(state)) return [state.plain_spreads, state.spreads];
  return [state.plain_largest, state.largest];
}

/** The lines of the plot: their names, words and numbers, and how far the words stand apart. */
function linesOf(state, upward) {
  const { divisor, sizes } = state;
  const [plain, made] = numbersOf(state);
  const lines = [["plain", TITLES.without, plain, 0]];
  if (divisor === "") return lines;
  const end = sizes.indexOf(seenOf(state));
  const [high, low] = [plain, made].map((numbers) => upward.at(numbers[end]));
  const lift = Math.max(0, APART - Math.abs(low - high)) * Math.sign(low - high || 1);
  return [...lines, ["divided", fillIn(TITLES.with, { divisor }), made, lift]];
}

/** How far the scores spread over d_k, or the largest weight: not divided and divided. */
function plot(state, { height }, act) {
  const { sizes, veiled } = state;
  const box = { x: LEFT, w: RIGHT - LEFT, y: TOP, h: height - FLOOR - TOP };
  const foot = box.y + box.h;
  const across = scale({ domain: [sizes[0], sizes.at(-1)], range: [LEFT, RIGHT], log: true });
  const { ticks, ...kind } = isAgain(state) ? WEIGHTS : SPREADS;
  const upward = scale({ ...kind, range: [foot, box.y] });
  const axes = [across, upward];
  const isWhole = veiled && !isAgain(state); // before it is asked what divides, all is hidden
  const hidden = isWhole ? box : { ...box, x: across.at(SEEN), w: RIGHT - across.at(SEEN) };
  const lines = isWhole ? [] : linesOf(state, upward);
  return [
    ...ticksUpward(upward, ticks, LEFT - 12, { name: "share", low: 8 }),
    ...ticksAcross(across, MARKED, foot + NUMBER),
    text("axis", "", [RIGHT + AXIS, foot + NUMBER], TITLES.axis, { size: SYMBOLS }),
    ...rules("plot", box),
    text("plot title", "", [LEFT, TITLE], isAgain(state) ? TITLES.largest : TITLES.spread, {
      ...LEFT_END,
      size: 28,
    }),
    ...(veiled ? veil(hidden, isWhole ? LABELS.weights : LABELS.stays, act) : []),
    ...lines.flatMap(([name, , high]) => lineOf(name, `line-of-${name}`, high, state, axes)),
    ...lines.flatMap((line) => pointer(line, state, axes)),
  ];
}

/** From the smallest to the largest, from where on only the spread of the scores changes. */
function reach({ sizes, largest }) {
  const far = largest.slice(sizes.indexOf(STEADY_FROM));
  return [Math.min(...far), Math.max(...far)];
}

/** Whether the largest weight stays as it was, at each d_k. */
function toldOfPlot(state, act) {
  const { sizes, largest, d_k, veiled } = state;
  const [before, after] = [SEEN, d_k].map((size) => digits(largest[sizes.indexOf(size)]));
  const words = isSteady(reach(state)) ? HOLDS.yes : HOLDS.no;
  const label = fillIn(LABELS.steady, { before, after: veiled ? LABELS.unknown : after });
  return answer({ words, label, veiled }, act);
}

/** The answer of a row alone: its largest weight. */
function toldAlone(state, act) {
  const [largest] = state.weights;
  const number = { number: largest, format: few, before: state.before?.weights[0] };
  const veiled = state.veiled || isUnasked(state);
  return answer({ ...number, label: LABELS.typical, veiled }, act);
}

/** The answer: the typical largest weight; what makes the line flat; whether it stays so. */
function told(state, act) {
  if (!isPlot(state)) return toldAlone(state, act);
  if (isAgain(state)) return toldOfPlot(state, act);
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
  again: "Predict first: which way does the lower line go on? Enter shows it.",
  spread: "At d_k = {size} the scores spread {plain}.",
  divided: "At d_k = {size} the scores spread {plain}; \u00f7 {divisor} they spread {divided}.",
  reach: "\u00f7 {divisor}, from d_k = {from} on: the largest weight is {low} to {high}.",
  alone: "Not divided, one key takes all.",
  rows: "{percent} of 100 queries give nearly all to one key: more than 0.99.",
  key: "Weight {rank} of {count}: score {score} \u2192 weight {weight}.",
};

/** The sentence of the plot. */
function captionOfPlot(state) {
  const { divisor, d_k: size, sizes, veiled } = state;
  if (veiled) return isAgain(state) ? SENTENCES.again : SENTENCES.veiled;
  if (!isAgain(state)) {
    const [plain, divided] = numbersOf(state).map((all) => digits(all[sizes.indexOf(size)]));
    const sentence = divisor === "" ? SENTENCES.spread : SENTENCES.divided;
    return fillIn(sentence, { size, plain, divisor, divided });
  }
  if (divisor === "") return SENTENCES.alone;
  const [low, high] = reach(state).map((weight) => digits(weight));
  return fillIn(SENTENCES.reach, { divisor, from: STEADY_FROM, low, high });
}

/** The sentence that says what to see. */
export function caption(state) {
  if (isPlot(state)) return captionOfPlot(state);
  if (state.veiled) return SENTENCES.veiled;
  const { here, saturated, scores, weights } = state;
  if (here === null) return fillIn(SENTENCES.rows, { percent: digits(100 * saturated, 0) });
  const [score, weight] = [digits(scores[here]), digits(weights[here], 4)];
  return fillIn(SENTENCES.key, { rank: here + 1, count: weights.length, score, weight });
}

/** What a key means: another weight of the row, or none. */
export function keysOf(state, key) {
  if (isPlot(state)) return null;
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
    ...["saturated", "moved", "d_k", "sizes", "largest", "plain_largest"],
  ],
  looks: LOOKS,
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
