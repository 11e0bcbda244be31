// Attention with every digit: X -> Q, K, V -> scores -> scaled -> masked -> weights -> output,
// one step at a time. A matrix keeps its id, so it travels to its place in the next step.
import { digits, fillIn, short } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { LEFT_END, BASELINE, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { collectMarks, ringOf } from "./collect.mjs";
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
  madeMarks,
  meetMarks,
  nameMarks,
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
import { goalMarks, wordMarks } from "./words.mjs";
import { best, largestOf, mostChanged, partsOf, total } from "./sums.mjs";

const MAKES = 38; // the feet of how Q, K or V is made
const SIGN = 28; // letters over the arrow between two maps
const ARROW = { air: 10, sign: 24 }; // from a map to it; from it to its sign
const EVENT = 900; // milliseconds until the shares are stacked, then what comes of it is said
const LABEL_LETTERS = 9; // of a word below the answer

const PREDICT = "Predict the number, and who brings most. Enter shows both.";
const SIGNS = { [SCALE]: "\u00f7 \u221ad_k", [MASK]: "mask", [SOFTMAX]: "softmax" };
const LABELS = {
  brought: "most from \u201c{word}\u201d",
  taken: "most taken",
  asked: "changes most",
  cross: "collected most",
};
const STORY = {
  [KEYS]: "\u201c{word}\u201d asks with its query; each word is found by its key.",
  [COMPARE]: "The better a key answers the query of \u201c{word}\u201d, the higher its score.",
  [MASK]: "\u201c{word}\u201d may not look ahead: what comes after it scores \u2212\u221e.",
  [SOFTMAX]: "Softmax turns the scores into shares of one whole, {which}.",
};
const ROUNDED = "here rounded"; // where their digits do not add up to 1
const GOAL =
  "Predict: \u201c{word}\u201d takes a share of each word\u2019s values; which is the largest?";

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

/** The arrow from a map down to what becomes of it. */
function signMarks({ step }, parts, { first, result }) {
  const { x, y, w, h } = boxOf(first, { i: 0, j: 0 }, lastOf(parts.result));
  const [start, end] = [y + h + ARROW.air, result.y - ARROW.air];
  const foot = [x + w / 2 + ARROW.sign, (start + end) / 2 + BASELINE];
  return [
    text(`sign ${step}`, "bold", foot, SIGNS[step], { size: SIGN, ...LEFT_END }),
    { id: "arrow", class: "line", x: x + w / 2, y: start, end, d: arrowPath },
  ];
}

const lastOf = ({ rows }) => ({ i: rows.length - 1, j: rows[0].length - 1 });
const CHANGED = { fill: "var(--changed)", ink: "bold marked" };

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
    const matrix = parts[part];
    const hold = matrix.places ? { class: "cell hold" } : {};
    const more = (i, j) => ({
      ...(isMade ? born(i, j) : {}),
      ...hold,
      ...(isChanged(i, j) ? CHANGED : {}),
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
  else if (parts.first) marks.push(...signMarks(state, parts, places), spanOf(parts, places, cell));
  marks.push(rect("ring", ringOf(state), boxOf(places[cell.part], cell)));
  return marks;
}

/** The word that most is taken from, as softmax tells; then the value that changes most. */
function answerMarks(state, parts, asks, act) {
  const { step, attention, numbers, tokens, veiled } = state;
  const named = (words, i) => short(words[i], LABEL_LETTERS);
  if (step < SOFTMAX) return answer({ label: LABELS.taken, veiled: true }, act);
  const { names } = parts.result.across;
  if (step === SOFTMAX) {
    const words = named(names, best(parts.result, asks));
    return answer({ words, label: LABELS.taken, after: EVENT }, act);
  }
  if (veiled) return answer({ label: LABELS[attention] ?? LABELS.asked, veiled }, act);
  const j = mostChanged(state, asks);
  const word = named(tokens, largestOf(partsOf(numbers, asks, j)));
  const told = { words: axisName(names[j]), label: fillIn(LABELS.brought, { word }) };
  return answer(told, act).map((mark) => ({ ...mark, delay: EVENT }));
}

const askingWord = (state) =>
  short(state.queries[pointedCell(state, phase(state)).asks], LABEL_LETTERS);

/** The marks of a state in a room. */
export function layout(state, room, act) {
  if (state.step === QUESTION)
    return [...goalMarks(state, room, act), ...answerMarks(state, {}, 0, act)];
  const parts = phase(state);
  const cell = pointedCell(state, parts);
  const touch = touching(state, parts, cell, act);
  const told = answerMarks(state, parts, cell.asks, act);
  const more = { word: askingWord(state), touch, act };
  if (cell.isAsking) return [...wordMarks(state, parts, room, cell, more), ...told];
  if (state.step === COLLECT) return [...collectMarks(state, parts, room, cell, more), ...told];
  const name = MADE[state.step];
  const made = name ? madeMarks(name, state, more.word, [0, MAKES]) : [];
  return [...made, ...matrixMarks(state, parts, room, cell, touch), ...told];
}

/** The sentence that says what to see: the sum of the pointed cell. */
export function caption(state) {
  const word = askingWord(state);
  if (state.step === QUESTION) return fillIn(GOAL, { word });
  const parts = phase(state);
  const cell = pointedCell(state, parts);
  if (cell.isHidden) return PREDICT;
  if (cell.isNone && parts.speakMost) return parts.speakMost(cell.i, cell.j);
  if (cell.isNone) {
    const shown = total(state.numbers.weights[cell.i].map((weight) => Number(digits(weight))));
    const which = digits(shown) === digits(1) ? "the weights" : ROUNDED;
    return fillIn(STORY[state.step], { word, which });
  }
  return speak(parts, cell);
}

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
    piece: drawn("weight", 1.5), // a small share is pale
    outline: drawn("value", 2),
    share: { fill: "color-mix(in srgb, var(--value) 45%, var(--paper))", stroke: "var(--value)" },
  },
  traits: [
    ...["step", "attention", "tokens", "queries", "numbers", "parameters"],
    ...["edited", "axes", "pointed"],
  ],
  // only what is collected is veiled
  read: (model) => ({ veiled: model.get("veiled") && model.get("step") === COLLECT }),
  own: { pinned: false, grabbed: null, moved: -1 },
  keep: ["pointed", "pinned", "grabbed", "moved"],
  layout,
  caption,
  keys: keysOf,
});
