// Attention with every digit: X -> Q, K, V -> scores -> scaled -> masked -> weights -> output,
// one step at a time. A matrix keeps its id, so it travels to its place in the next step.
import { fillIn, short } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { LEFT_END, BASELINE, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { askingMarks, madeMarks } from "./asking.mjs";
import { collectMarks, goalMarks, ringOf } from "./collect.mjs";
import { keysOf, pointedCell, touching } from "./keys.mjs";
import {
  belowMarks,
  born,
  boxOf,
  cellMarks,
  edgeMark,
  formatOf,
  isReadIn,
  isThin,
  meetMarks,
  nameMarks,
  roleMark,
} from "./marks.mjs";
import {
  axisName,
  COLLECT,
  COMPARE,
  KEYS,
  MADE,
  MASK,
  PARTS,
  phase,
  QUESTION,
  SCALE,
  SOFTMAX,
  speak,
} from "./parts.mjs";
import { placesOf } from "./places.mjs";
import { askerOf, best, largestOf, mostChanged, partsOf } from "./sums.mjs";

const FORMULA = { size: 32, y: 38, space: 9 };
const ROLE = 16; // from the formula to what its V is for
const MAKES = 74; // the feet of how Q, K or V is made
const SIGN = 28; // letters over the arrow between two maps
const ARROW = { air: 10, sign: 24 }; // from a map to it; from it to its sign
const NO_MASK_BELOW = 44; // from a map down to the feet of its sentence
const EVENT = 900; // milliseconds until the shares are stacked, then what comes of it is said
const LABEL_LETTERS = 9; // of a word below the answer

const PREDICT = "Predict: which number changes most, and who brings it? Enter shows it.";
const PREDICT_OF = "Predict: which number is the largest, and who brings it? Enter shows it.";
const SIGNS = { [SCALE]: "\u00f7 \u221ad_k", [MASK]: "mask", [SOFTMAX]: "softmax" };
const NO_MASK = "no mask: nothing changes";
const LABELS = {
  made: "{matrix} of \u201c{word}\u201d",
  pair: "{asks} \u2192 {asked}",
  brought: "most from \u201c{word}\u201d",
  inner: "{matrix}({row}, {column})",
  taken: "most from",
  asked: "changes most",
  askedOf: "collected most",
};
const GOAL = "\u201c{word}\u201d takes a share of each word\u2019s values.";

/** The formula in pieces: [text, the steps that are about it]. */
function formulaOf({ attention }) {
  const mask = attention === "causal" ? [["+ mask", MASK]] : [];
  return [
    ["softmax(", SOFTMAX],
    ["$Q$", MADE.indexOf("Q"), KEYS, COMPARE],
    ["K^T", KEYS, COMPARE],
    ["\u00f7 \u221ad_k", SCALE],
    ...mask,
    [")", SOFTMAX],
    ["$V$", MADE.indexOf("V"), COLLECT],
  ];
}

/** The whole formula; the part of this step is ink, the rest is grey; what V is for, at its end. */
function formulaMarks(state) {
  const { size, y, space } = FORMULA;
  const marks = [];
  let x = 0;
  for (const [piece, ...about] of formulaOf(state)) {
    const isLit = about.includes(state.step);
    const kind = isLit ? "bold" : "faint";
    marks.push(text(`formula ${piece}`, kind, [x, y], piece, { size, ...LEFT_END }));
    x += widthOf(piece, size, isLit ? 650 : 400) + space;
  }
  return state.step === COLLECT ? [...marks, roleMark("V", "", [x + ROLE, y])] : marks;
}

/** How Q, K or V is made, and what it is for. */
function startMarks({ step, attention }, word) {
  const from = step === MADE.indexOf("Q") && attention === "cross" ? "target $X$" : "$X$";
  return madeMarks(MADE[step], from, word, [0, MAKES]);
}

/** Which cells are others than before: these are marked. */
function changedIn(matrix, old) {
  const rows = old?.id === matrix.id ? old.rows : null;
  const isSameSize =
    rows?.length === matrix.rows.length && rows[0].length === matrix.rows[0].length;
  return (i, j) => {
    const format = formatOf(matrix, i, j);
    return isSameSize && format(rows[i][j]) !== format(matrix.rows[i][j]);
  };
}

/** The state before the last gesture as matrices, if it shows the same thing. */
function partsBefore({ before, step, tokens, attention }) {
  const isSame =
    before?.step === step && before.attention === attention && `${before.tokens}` === `${tokens}`;
  return isSame ? phase(before) : null;
}

/** The arrow from a map down to what becomes of it; without a mask, a sentence. */
function signMarks({ step }, parts, { first, result }) {
  const { x, y, w, h } = boxOf(first, { i: 0, j: 0 }, lastOf(parts.result));
  if (!parts.first) {
    const foot = [x, y + h + NO_MASK_BELOW];
    return [text("no mask", "faint", foot, NO_MASK, { size: SIGN, ...LEFT_END })];
  }
  const [start, end] = [y + h + ARROW.air, result.y - ARROW.air];
  const foot = [x + w / 2 + ARROW.sign, (start + end) / 2 + BASELINE];
  return [
    text(`sign ${step}`, "bold", foot, SIGNS[step], { size: SIGN, ...LEFT_END }),
    { id: "arrow", class: "line", x: x + w / 2, y: start, end, d: arrowPath },
  ];
}

const lastOf = ({ rows }) => ({ i: rows.length - 1, j: rows[0].length - 1 });
const arrowPath = ({ x, y, end }) => `M${x},${y}V${end}l-8,-10m8,10l8,-10`;

/** What a map looks at for the pointed cell: its row for softmax, else the same cell. */
function spanOf(parts, { first }, { part, i, j }) {
  const isRow = parts.readsRow && part === "result";
  const last = parts.first.rows[0].length - 1;
  const box = isRow ? boxOf(first, { i, j: 0 }, { i, j: last }) : boxOf(first, { i, j });
  return rect("band span", "band", box, { rx: 4 });
}

/** The matrices of the steps before the last. */
function matrixMarks(state, parts, room, cell, touch) {
  const places = placesOf(state, parts, room, cell.row);
  const old = partsBefore(state);
  const marks = nameMarks(state, parts, places, cell);
  const isRead = isReadIn(cell);
  for (const part of PARTS.filter((name) => parts[name])) {
    const isChanged = changedIn(parts[part], old?.[part]);
    const isMade = part === "result" && parts.first;
    const origin = parts.second ? places.result : places.first;
    const from = isMade ? born(places.result, origin, cell.i) : null;
    const matrix = parts[part];
    const hold = matrix.places ? { class: "cell hold" } : {};
    const more = (i, j) => ({
      ...from?.(i, j),
      ...hold,
      ...(isChanged(i, j) ? { fill: "var(--changed)" } : {}),
      ...touch({ part, i, j }),
    });
    const at = places[part];
    const isSpelled = (i, j) => isRead(part, i, j) || (isChanged(i, j) && !isThin(at, i));
    marks.push(edgeMark(matrix, at));
    const isDone = part === "first" && !parts.second; // of the step before
    marks.push(...cellMarks(matrix, at, isSpelled, more, isDone ? "" : "bold"));
    marks.push(...belowMarks(matrix, at, isSpelled));
  }
  if (parts.second) marks.push(...meetMarks(state, parts, places, cell));
  else marks.push(...signMarks(state, parts, places));
  if (!parts.second && parts.first) marks.push(spanOf(parts, places, cell));
  marks.push(rect("ring", ringOf(state), boxOf(places[cell.part], cell)));
  return marks;
}

/** What the number of the pointed cell is. */
function labelOf({ step }, parts, { part, i, j }) {
  const { down, across, id, name } = parts[part];
  const row = short(down.names[i], LABEL_LETTERS);
  const column = short(across.names[j], LABEL_LETTERS);
  if (part !== "result" && parts.second) return fillIn(LABELS.inner, { matrix: id, row, column });
  if (step < COMPARE) return fillIn(LABELS.made, { matrix: name, word: row });
  return fillIn(LABELS.pair, { asks: row, asked: column });
}

/** What is collected: the value that changes most, and who brings most of it. */
function collectedMarks(state, parts, act) {
  const i = askerOf(state);
  const j = mostChanged(state, i);
  const words = axisName(parts.result.across.names[j]);
  const word = short(state.tokens[largestOf(partsOf(state.numbers, i, j))], LABEL_LETTERS);
  const label = fillIn(LABELS.brought, { word });
  return answer({ words, label }, act).map((mark) => ({ ...mark, delay: EVENT }));
}

/**
 * The word that most is taken from, until that is known "?"; then the value that changes most. They
 * are those of the word that is asked about, wherever one points; a number is large only where the
 * reader has just changed it.
 */
function answerMarks(state, parts, cell, act) {
  const { part, i, j } = cell;
  const matrix = parts[part];
  const old = partsBefore(state)?.[part].rows[i]?.[j];
  const number = matrix.rows[i][j];
  const format = formatOf(matrix, i, j);
  const isChanged = old !== undefined && format(old) !== format(number);
  const isLast = state.step === COLLECT;
  if (isLast) return state.veiled ? lastAsked(state, act) : collectedMarks(state, parts, act);
  if (!isChanged) return takenMarks(state, parts.result, act);
  const label = labelOf(state, parts, cell);
  return answer({ number, format, label, before: old }, act);
}

/** The word that most is taken from: a row of weights is largest for it. */
function takenMarks(state, map, act) {
  if (state.step < SOFTMAX) return besides(answer({ label: LABELS.taken, veiled: true }, act), "?");
  const words = short(map.across.names[best(map, askerOf(state))], LABEL_LETTERS);
  return besides(answer({ words, label: LABELS.taken }, act), words);
}

/** The second question, beside its question mark. */
function lastAsked({ attention }, act) {
  const label = attention === "cross" ? LABELS.askedOf : LABELS.asked;
  return besides(answer({ label, veiled: true }, act), "?");
}

/** An answer with its label at the left: below it stand matrices. */
const besides = ([mark, named], said) => [
  mark,
  { ...named, x: mark.x - widthOf(`${said} `, mark.size, 650), y: mark.y },
];

const askingWord = (state) =>
  short(state.queries[pointedCell(state, phase(state)).asks], LABEL_LETTERS);

/** What the reader is asked before the first step. */
function questionMarks(state, parts, room, act) {
  const cell = pointedCell(state, parts);
  const goal = { ...state, veiled: true, before: null };
  return [...goalMarks(goal, room, act), ...answerMarks(goal, parts, cell, act)];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const parts = phase(state);
  if (state.step === QUESTION) return questionMarks(state, parts, room, act);
  const cell = pointedCell(state, parts);
  const touch = touching(state, parts, cell, act);
  return [
    ...formulaMarks(state),
    ...stepMarks(state, parts, room, cell, { touch, act }),
    ...answerMarks(state, parts, cell, act),
  ];
}

/** What a step is about. */
function stepMarks(state, parts, room, cell, { touch, act }) {
  if (state.step === COLLECT) return collectMarks(state, parts, room, cell, { touch, act });
  if (cell.isNone) return askingMarks(state, room, cell, askingWord(state), touch);
  const marks = matrixMarks(state, parts, room, cell, touch);
  return state.step < COMPARE ? [...startMarks(state, askingWord(state)), ...marks] : marks;
}

/** The sentence that says what to see: the sum of the pointed cell. */
export function caption(state) {
  if (state.step === QUESTION) return fillIn(GOAL, { word: askingWord(state) });
  const parts = phase(state);
  const cell = pointedCell(state, parts);
  const isOther = state.attention === "cross"; // a French word has no value here before
  if (cell.isHidden) return isOther ? PREDICT_OF : PREDICT;
  return speak(parts, { ...cell, word: askingWord(state) });
}

/** Only what is collected is veiled. */
const read = (model) => ({ veiled: model.get("veiled") && model.get("step") === COLLECT });

export default demo({
  name: "steps",
  looks: {
    band: drawn("ink", 2.5),
    "band.query": { stroke: "var(--query)" },
    "band.key": { stroke: "var(--key)" },
    below: filled("score"),
    "below.query": filled("query"),
    "below.key": filled("key"),
    "below.value": filled("value"),
    "focused.pinned": { "stroke-width": 6 },
    hidden: filled("veil"),
    outline: drawn("value", 2),
    share: { fill: "color-mix(in srgb, var(--value) 45%, var(--paper))", stroke: "var(--value)" },
  },
  traits: [
    ...["step", "attention", "tokens", "queries", "numbers", "parameters"],
    ...["edited", "axes", "pointed"],
  ],
  read,
  own: { pinned: false, grabbed: null, moved: -1 },
  keep: ["pointed", "pinned", "grabbed", "moved"],
  layout,
  caption,
  keys: keysOf,
});
