// A dial for d_k: one weight of the median query takes the row. What the scores are divided by is
// seen at three widths: how the weights share the row, without it and with it.
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, isUnasked } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { shade } from "../frame/marks.mjs";
import { BASELINE, LEFT_END, line, number, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const STRIP = 176; // where the row alone begins, below the answer and what it was
const ROWS = 144; // where the rows begin, below the answer
const SIZE = { y: 80, size: 64 }; // of the d_k that is drawn, left of the answer
const UNIT = 124; // the baseline of what it is
const NAMES = 28; // letters of titles
const SYMBOLS = 32; // letters: those of a subscript are a quarter smaller, and still 24
const HEAD = { y: 94, size: SYMBOLS }; // of what stands above the rows
const DIGITS = { size: 34, foot: 12 }; // of the largest weight; from the middle down to its foot
const INDENT = 16; // from the edge of a slice to its name
const BESIDE = 112; // from the digits of a row to its slices
const LINE = 42; // from a name to its number
const GAP = 10; // from a row to the next
const ASK_BY = 2; // the step of the story that asks what to divide by
const STEADY = 1.25; // times as large as the smallest may be what counts as the same
const EQUAL = 10; // from the rows up to the foot of what their dashed line is
const MARKED = [8, 64, 512]; // the rows; the dial stands in the nearest
const PANELS = { plain: { x: 72, w: 548 }, divided: { x: 668, w: 548 } };
const TITLES = {
  largest: "the largest",
  equal: "all equal: {share}",
  without: "not divided",
  with: "\u00f7 {divisor}",
  unknown: "\u00f7 ?",
  axis: "d_k",
  size: "d_k = {d_k}",
  unit: "numbers in each query and key",
};
const LABELS = {
  typical: "largest weight, median of 1,024 queries",
  found: "keeps the rows alike",
  not: "not {divisor}",
  sinks: "{first} sinks to {last}",
  grows: "{first} grows to {last}",
  weights: "what happens to the weights?",
};

/** True where d_k is compared: as soon as it is asked what divides, or done. */
export const isCompared = ({ divisor, done }) => divisor !== "" || done >= ASK_BY;

/** True if the largest of some numbers is hardly more than the smallest. */
const isSteady = (numbers) => Math.max(...numbers) < STEADY * Math.min(...numbers);

/** What keeps the spread the same at every d_k, or null. */
export const found = ({ divisor, spreads }) =>
  divisor !== "" && isSteady(spreads) ? divisor : null;

/** The d_k of each row: the one that is nearest to the dial is the dial's. */
export function rowsOf({ d_k }) {
  const far = MARKED.map((size) => Math.abs(Math.log(size / d_k)));
  return MARKED.map((size, i) => (far[i] === Math.min(...far) ? d_k : size));
}

/** The boxes of weights side by side in a box as wide as 1; the largest is the darkest. */
function slicesIn({ x, y, w, h }, weights) {
  let from = x;
  return weights.map((weight, i) => {
    const box = { x: from, y, w: weight * w, h, tint: i > 0 ? shade(weight) : 1 };
    from += box.w;
    return box;
  });
}

/** Slices that grow, when they are new, out of what other weights were. */
function growing(box, weights, others) {
  const starts = slicesIn(box, others);
  return slicesIn(box, weights).map((slice, i) => ({ ...slice, from: starts[i] }));
}

/** What was seen at another d_k, or null. */
const seenBefore = ({ before, d_k }) => (before?.veiled || before?.d_k === d_k ? null : before);

/** All weights of a row; a pointer chooses one. */
function strip(state, { width, height }, act) {
  const { weights, here, veiled, d_k } = state;
  const before = seenBefore(state);
  const box = { x: 0, y: STRIP, w: width, h: height - STRIP };
  const said = fillIn(TITLES.size, { d_k });
  const size = text("d_k", "", [0, SIZE.y], said, { ...LEFT_END, ...SIZE });
  const titles = [size, text("unit", "", [0, UNIT], TITLES.unit, { ...LEFT_END, size: NAMES })];
  const kind = !veiled && before?.weights[0] < weights[0] ? "ghost inside" : "ghost";
  const ghost = { ...box, w: before?.weights[0] * box.w };
  const was = before ? [rect("before", kind, ghost)] : [];
  if (veiled) return [...titles, ...veil(box, LABELS.weights, act), ...was];
  const slices = growing(box, weights, before?.weights ?? weights).map((slice, i) => {
    const point = () => {
      if (i !== here) act.change({ here: i }, { keep: true });
    };
    const kind = i === here ? "slice here" : "slice";
    return rect(`weight ${i}`, kind, slice, { hover: point, pick: point });
  });
  const y = box.y + box.h / 2 + BASELINE;
  const look = { ...LEFT_END, size: NAMES, tint: 1 };
  const name = text("largest name", "bold", [INDENT, y], TITLES.largest, look);
  if (!isUnasked(state)) return [...titles, ...slices, name, ...was];
  const large = { ...look, size: DIGITS.size };
  const weight = number("largest", "bold", [INDENT, y + LINE], weights[0], digits, large);
  return [...titles, ...slices, name, weight];
}

/** Where a row begins and how high it is. */
function rowAt(i, height) {
  const pitch = (height - ROWS + GAP) / MARKED.length;
  return { y: ROWS + i * pitch, h: pitch - GAP };
}

/** The weights of each row beside the largest in digits, out of those that are not divided. */
function panel(name, title, rows, state, height) {
  const { x, w } = PANELS[name];
  const marks = rowsOf(state).flatMap((size, i) => {
    const weights = rows[state.sizes.indexOf(size)];
    const box = { x: x + BESIDE, w: w - BESIDE, ...rowAt(i, height) };
    const foot = [x, box.y + box.h / 2 + DIGITS.foot];
    const undivided = state.plain_rows[state.sizes.indexOf(size)];
    const look = { ...LEFT_END, size: DIGITS.size, from: { number: undivided[0] } };
    const isDial = size === state.d_k;
    const id = isDial ? `largest ${name}` : `largest ${name} ${i}`;
    const slice = isDial && name === "plain" ? "weight" : `slice ${name} ${i}`; // the row alone
    const slices = growing(box, weights, undivided).map((place, j) =>
      rect(`${slice} ${j}`, "slice", place),
    );
    return [...slices, number(id, "bold", foot, weights[0], digits, look)];
  });
  return [text(`${name} name`, "bold", [x, HEAD.y], title, { ...LEFT_END, ...HEAD }), ...marks];
}

/** How large the largest weight of a row is where all are equal. */
function equalShare([weights], height) {
  const { x, w } = PANELS.divided;
  const share = 1 / weights.length;
  const at = x + BESIDE + (w - BESIDE) * share;
  const said = fillIn(TITLES.equal, { share: digits(share) });
  return [
    line("equal", "ghost inside", [at, ROWS], [at, height]),
    text("equal name", "faint", [x, ROWS - EQUAL], said, LEFT_END),
  ];
}

/** What is divided by nothing beside what is divided, at three widths. */
function comparison(state, { width, height }, act) {
  const { divisor, rows, plain_rows, veiled } = state;
  const all = { x: PANELS.plain.x, y: ROWS, w: width - PANELS.plain.x, h: height - ROWS };
  const sizes = rowsOf(state).map((size, i) => {
    const { y, h } = rowAt(i, height);
    const foot = [0, y + h / 2 + BASELINE];
    return text(`size ${i}`, "", foot, `${size}`, LEFT_END);
  });
  const axis = text("axis", "", [0, HEAD.y], TITLES.axis, { ...LEFT_END, size: SYMBOLS });
  if (veiled) return [axis, ...sizes, ...veil(all, LABELS.weights, act)];
  const plain = panel("plain", TITLES.without, plain_rows, state, height);
  if (divisor === "")
    return [axis, ...sizes, ...plain, ...veil({ ...all, ...PANELS.divided }, TITLES.unknown, act)];
  const title = fillIn(TITLES.with, { divisor });
  const divided = panel("divided", title, rows, state, height);
  return [axis, ...sizes, ...plain, ...divided, ...equalShare(rows, height)];
}

/** What keeps the rows alike, or does not and what it makes of the largest weight; or "?". */
function verdict(state) {
  const { veiled, divisor, rows, sizes } = state;
  const largest = rowsOf(state).map((size) => rows[sizes.indexOf(size)][0]);
  const [first, last] = [largest[0], largest.at(-1)].map((weight) => digits(weight));
  const words = found(state);
  if (veiled || divisor === "" || first === last || (words !== null && isSteady(largest)))
    return { words, label: LABELS.found, veiled: veiled || words === null };
  const label = fillIn(first > last ? LABELS.sinks : LABELS.grows, { first, last });
  return { words: words ?? fillIn(LABELS.not, { divisor }), label };
}

/** The answer: the typical largest weight, or what keeps it. */
function told(state, act) {
  if (isCompared(state)) return answer(verdict(state), act);
  const [largest] = state.weights;
  const number = { number: largest, format: digits, before: seenBefore(state)?.weights[0] };
  const veiled = state.veiled || isUnasked(state);
  return answer({ ...number, steady: true, label: LABELS.typical, veiled }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const drawing = isCompared(state) ? comparison : strip;
  return [...drawing(state, room, act), ...told(state, act)];
}

const SENTENCES = {
  veiled: "Predict first: how large does the largest weight get? Enter shows it.",
  row: "The 16 weights of the median query, the largest first.",
  rows: "Each row: the 16 weights of its median query, the largest first.",
  key: "Weight {rank} of {count}: score {score} \u2192 weight {weight}.",
};

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  const { here, scores, weights } = state;
  if (here === null) return isCompared(state) ? SENTENCES.rows : SENTENCES.row;
  const [score, weight] = [digits(scores[here]), digits(weights[here], 4)];
  return fillIn(SENTENCES.key, { rank: here + 1, count: weights.length, score, weight });
}

/** What a key means: another weight of the row, or none. */
export function keysOf(state, key) {
  if (isCompared(state)) return null;
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? -1], 1, state.weights.length);
  return next && { here: next[1] };
}

export default demo({
  name: "scaling-dial",
  traits: [
    ...["scores", "weights", "divisor", "done", "spreads"],
    ...["rows", "plain_rows", "moved", "d_k", "sizes"],
  ],
  looks: {
    slice: { stroke: "var(--paper)", "stroke-width": 2 },
    "slice.here": drawn("ink", 3.5),
    "ghost.inside": { stroke: "var(--paper)" },
  },
  own: { here: null },
  keep: ["here"],
  forget: { done: ["here"], divisor: ["here"] },
  layout,
  caption,
  keys: keysOf,
});
