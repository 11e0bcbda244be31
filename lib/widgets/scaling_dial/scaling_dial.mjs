// A dial for d_k: the weights of the median query, from the largest to the smallest, sharpen. What
// the scores are divided by has a row of its own beside it: with and without, and beside both how
// far all scores spread. At last the largest weight over d_k, with and without.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, isUnasked, large } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, curve, dot, LEFT_END, line, number, rect } from "../frame/shapes.mjs";
import { RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = 48; // of the row of weights
const RIGHT = 852; // beside the answer
const END = 1216; // of a row alone
const ANSWER = { x: 470, foot: 172 }; // beside the largest bar of a row alone
const BETWEEN = 56; // between the two rows
const TOP = 60; // where a weight of 1 ends
const TITLE = 42; // the baseline of what stands above
const FLOOR = 40; // from the row to the floor of the room
const FILLED = 0.74; // of the room of a bar
const NUMBER = 28; // from the floor to what stands below it
const SYMBOLS = 32; // letters: those of a subscript are a quarter smaller, and still 24
// How far scores may spread, on a scale with 1 in its middle; half: of the gate near 1.
const RULER = { domain: [1 / 32, 32], x: 972, top: 168, half: 26, tick: 36, name: 36 };
const DECADES = ["0.1", "1", "10"];
const APART = 32; // two names beside the ruler
const BROUGHT_BACK = [0.8, 1.25]; // so far the scores spread where d_k is 1, about
const ASK_SPLIT = 2; // the step of the story that asks what to divide by
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
const SPREAD = 28; // letters of a row's spread
const TITLES = {
  row: "the 16 weights of the median query, the largest first",
  before: "dashed: d_k = {size}",
  without: "not divided",
  with: "\u00f7 {divisor}",
  spread: "spread {spread}",
  largest: "largest weight, median of 1,024 queries",
  axis: "d_k",
};
const LABELS = {
  typical: "median of 1,024 queries",
  found: "keeps the spread near 1",
  weights: "what happens to the weights?",
  stays: "does it stay?",
  steady: "{before} \u2192 {after}",
  unknown: "?",
};

/** A weight in few digits, and never "1.00" for what is not. */
export const few = (weight) => digits(weight, weight > 0.995 && weight < 1 ? 3 : 2);

/** True where the largest weight is drawn over d_k. */
const isPlot = ({ done }) => done >= ASK_AGAIN;

/** True where what is divided stands beside what is not: as soon as it is asked, or done. */
export const isSplit = ({ divisor, done }) => divisor !== "" || done >= ASK_SPLIT;

const isNear = (ratio) => BROUGHT_BACK[0] < ratio && ratio < BROUGHT_BACK[1];

/** What brings the weights back, or null: the scores spread as far as at d_k = 1. */
export function found({ divisor, spread }) {
  return divisor !== "" && isNear(spread) ? divisor : null;
}

/** The box of a row: the whole room of the rows, or its left or right half. */
function boxOf(state, side, { height }) {
  const half = (RIGHT - LEFT - BETWEEN) / 2;
  const box = { y: TOP, h: height - FLOOR - TOP };
  if (!isSplit(state)) return { ...box, x: LEFT, w: END - LEFT };
  return { ...box, x: side === "left" ? LEFT : RIGHT - half, w: half };
}

/** The box of the bar of a weight in a row. */
function barBox(weight, i, box, count) {
  const column = box.w / count;
  const h = Math.max(1, weight * box.h);
  const gap = ((1 - FILLED) * column) / 2;
  return { x: box.x + column * i + gap, w: column * FILLED, y: box.y + box.h - h, h };
}

/** The bars of a row; here: the one that is pointed at; from: the row they come out of. */
function bars(name, weights, box, here, from) {
  const count = weights.length;
  return weights.map((weight, i) => {
    const start = from && { ...barBox(from.weights[i], i, from.box, count), o: 0 };
    const kind = i === here ? "weight here" : "weight";
    return rect(`${name} ${i}`, kind, barBox(weight, i, box, count), { rx: 2, from: start });
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

/** What stands above one of two rows, and how far all scores spread. */
function titles(name, { x, w }, title, spread) {
  const format = (value) => fillIn(TITLES.spread, { spread: digits(value) });
  const look = { ...RIGHT_END, size: SPREAD };
  return [
    text(`${name} title`, "", [x, TITLE], title, { ...LEFT_END, size: 28 }),
    number(`${name} spread`, large.class, [x + w, TITLE], spread, format, look),
  ];
}

/** The weights before, at another d_k, as one outline; or null. */
function weightsBefore({ before, d_k }) {
  return before?.divisor === "" && before.d_k !== d_k ? before.plain : null;
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

/** What is not divided, in a row of its own; while it is veiled only its place. */
function without(state, room, act) {
  const { plain, plain_spread: wide, veiled, here } = state;
  const split = isSplit(state);
  const box = boxOf(state, "left", room);
  const was = split || veiled ? null : weightsBefore(state);
  const isAlone = state.divisor === "" && !veiled;
  const floor = box.y + box.h;
  const ends = scale({ domain: [0, 1], range: [floor, box.y] });
  const hidden = { ...box, y: ANSWER.foot, h: floor - ANSWER.foot };
  return [
    ...ticksUpward(ends, [0, 1], LEFT - 12, { name: "share", low: 8 }),
    ...rules("row", box, split ? box.w : box.w / plain.length),
    ...(split ? titles("row", box, TITLES.without, wide) : []),
    text("row name", "faint", [LEFT, floor + NUMBER], TITLES.row, LEFT_END),
    ...(veiled ? veil(hidden, LABELS.weights, act) : bars("plain", plain, box, isAlone && here)),
    ...(was ? outline(was, state, box) : []),
    ...(isAlone ? columns(state, box, act) : []),
  ];
}

/** What is divided beside it; before anything was tried it only asks. */
function divided(state, room, act) {
  const { weights, plain, spread: wide, divisor, here } = state;
  const box = boxOf(state, "right", room);
  if (divisor === "") {
    const middle = [box.x + box.w / 2, box.y + box.h / 2 + large.size / 3];
    return [
      rect("place", "ghost", box, { rx: 8 }),
      text("place asks", "", middle, "\u00f7 ?", { size: large.size }),
    ];
  }
  const from = { weights: plain, box: boxOf(state, "left", room) };
  return [
    ...rules("divided", box),
    ...titles("divided", box, fillIn(TITLES.with, { divisor }), wide),
    ...bars("weight", weights, box, here, from),
    ...columns(state, box, act),
  ];
}

/** How far all scores spread, not divided and divided, on a scale with 1 in its middle. */
function ruler(state, { height }) {
  const { plain_spread: plain, spread, divisor, before } = state;
  const { domain, x, top, half, tick, name } = RULER;
  const foot = height - FLOOR;
  const { at } = scale({ domain, range: [foot, top], log: true, clamped: true });
  const [low, high] = BROUGHT_BACK.map(at);
  const [from, to] = [at(plain), at(spread)];
  const isNext = Math.abs(to - from) < APART;
  const beside = (y) => [x + name, y + BASELINE];
  const named = { ...LEFT_END, size: 28 };
  const marks = [
    rect("near", "near", { x: x - half, w: 2 * half, y: high, h: low - high }, { rx: 4 }),
    line("ruler", "line", [x, top], [x, foot]),
    ...DECADES.map((words) =>
      text(`decade ${words}`, "faint", [x - tick, at(Number(words)) + BASELINE], words, RIGHT_END),
    ),
    dot("plain dot", "score", [x, from], DOT),
    text("plain name", "", beside(from), TITLES.without, named),
  ];
  if (divisor === "") return marks;
  if (before?.divisor) marks.push(dot("was", "ghost", [x, at(before.spread)], DOT, { glide: 1 }));
  const words = fillIn(TITLES.with, { divisor });
  const nextTo = isNext ? from + Math.sign(to - from || 1) * APART : to;
  marks.push(dot("divided dot", "weight", [x, to], DOT, { from: { y: from } }));
  return [...marks, text("divided name", "", beside(nextTo), words, named)];
}

/** A line of the plot: as far as the story has come, and beyond. */
function lineOf(name, kind, largest, { sizes, veiled }, [across, upward]) {
  const points = sizes.map((size, i) => [across.at(size), upward.at(largest[i])]);
  const seen = sizes.indexOf(SEEN);
  const marks = [curve(`${name} line`, kind, points.slice(0, seen + 1))];
  return veiled ? marks : [...marks, curve(`${name} beyond`, kind, points.slice(seen))];
}

/** The name of a line, at its end or above what is seen of it, and where the dial stands on it. */
function pointer(name, words, largest, { sizes, d_k, veiled }, [across, upward]) {
  const at = (size) => [across.at(size), upward.at(largest[sizes.indexOf(size)])];
  if (veiled) {
    const [x, y] = at(NAMED);
    return [text(`${name} name`, "", [x, y - BEYOND], words, { ...RIGHT_END, size: 28 })];
  }
  const place = [RIGHT + BEYOND, upward.at(largest.at(-1)) + BASELINE];
  return [
    text(`${name} name`, "", place, words, { ...LEFT_END, size: 28 }),
    dot(`${name} dot`, name === "plain" ? "score" : "weight", at(d_k), DOT),
  ];
}

/** The largest weight over d_k, not divided and divided. */
function plot(state, { height }, act) {
  const { sizes, plain_largest: plain, largest, divisor, veiled } = state;
  const box = { x: LEFT, w: RIGHT - LEFT, y: TOP, h: height - FLOOR - TOP };
  const foot = box.y + box.h;
  const across = scale({ domain: [sizes[0], sizes.at(-1)], range: [LEFT, RIGHT], log: true });
  const upward = scale({ domain: [0, 1], range: [foot, box.y] });
  const axes = [across, upward];
  const hidden = { ...box, x: across.at(SEEN), w: RIGHT - across.at(SEEN) };
  const lines = [["plain", TITLES.without, plain]];
  if (divisor !== "") lines.push(["divided", fillIn(TITLES.with, { divisor }), largest]);
  return [
    ...ticksUpward(upward, [0, 1], LEFT - 12, { name: "share", low: 8 }),
    ...ticksAcross(across, MARKED, foot + NUMBER),
    text("axis", "", [RIGHT + AXIS, foot + NUMBER], TITLES.axis, { size: SYMBOLS }),
    ...rules("plot", box),
    text("plot title", "", [LEFT, TITLE], TITLES.largest, { ...LEFT_END, size: 28 }),
    ...(veiled ? veil(hidden, LABELS.stays, act) : []),
    ...lines.flatMap(([name, , high]) => lineOf(name, `line-of-${name}`, high, state, axes)),
    ...lines.flatMap((line) => pointer(...line, state, axes)),
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
  const [low, high] = reach(state);
  const [before, after] = [SEEN, d_k].map((size) => digits(largest[sizes.indexOf(size)]));
  const words = high < STEADY * low ? HOLDS.yes : HOLDS.no;
  const label = fillIn(LABELS.steady, { before, after: veiled ? LABELS.unknown : after });
  return answer({ words, label, veiled }, act);
}

/** The answer of a row alone stands beside the bar that it is. */
function toldAlone(state, act) {
  const [largest] = state.plain;
  const number = { number: largest, format: few, before: state.before?.plain[0] };
  const veiled = state.veiled || isUnasked(state);
  return answer({ ...number, label: LABELS.typical, veiled, x: ANSWER.x }, act);
}

/** The answer: the typical largest weight; what keeps the spread. */
function told(state, act) {
  if (!isSplit(state)) return toldAlone(state, act);
  const words = found(state);
  const veiled = state.veiled || isUnasked(state) || words === null;
  return answer({ words, label: LABELS.found, veiled }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  if (isPlot(state)) return [...plot(state, room, act), ...toldOfPlot(state, act)];
  const rows = [...without(state, room, act), ...told(state, act)];
  if (!isSplit(state)) return rows;
  return [...rows, ...divided(state, room, act), ...ruler(state, room)];
}

const SENTENCES = {
  veiled: "Predict first: how large does the largest weight get? Enter shows it.",
  again: "Predict first: which way does the lower line go on? Enter shows it.",
  split: "Spread: the standard deviation of all scores.",
  reach: "\u00f7 {divisor}, from d_k = {from} on: the largest weight is {low} to {high}.",
  alone: "Not divided, one key takes all.",
  rows: "{percent} of 100 queries give nearly all to one key: more than 0.99.",
  key: "Weight {rank} of {count}: score {score} \u2192 weight {weight}.",
};

/** The sentence of the plot. */
function captionOfPlot(state) {
  if (state.veiled) return SENTENCES.again;
  if (state.divisor === "") return SENTENCES.alone;
  const [low, high] = reach(state).map((weight) => digits(weight));
  return fillIn(SENTENCES.reach, { divisor: state.divisor, from: STEADY_FROM, low, high });
}

/** The sentence that says what to see. */
export function caption(state) {
  if (isPlot(state)) return captionOfPlot(state);
  if (state.veiled) return SENTENCES.veiled;
  const isTwo = isSplit(state);
  const { here, saturated, scores, weights } = state;
  if (here === null && isTwo) return SENTENCES.split;
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
  near: filled("surface", { stroke: "var(--axis)", "stroke-width": 2 }),
  "weight.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
};

export default demo({
  name: "scaling-dial",
  traits: [
    ...["spread", "scores", "weights", "divisor", "done", "plain", "plain_spread"],
    ...["saturated", "moved", "d_k", "sizes", "largest", "plain_largest"],
  ],
  looks: LOOKS,
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
