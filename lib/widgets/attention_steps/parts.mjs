// The matrices of each step, first · second = result or first → result, and how a cell of the
// result comes about.
//
// A matrix: {id, name, rows, down, across, kind, places, tinted, flipped, isMasked}
//   id        the same in all steps, so it is the same thing and travels
//   down      names of its rows {names, kind}; across: of its columns
//   kind      "query", "key", "value" or "": the colour of its digits
//   places    decimal places of a number that can be changed by hand
//   flipped   it stands transposed: row i, column j of the picture is its row j, column i

import { digits, fillIn, isolate, short } from "../frame/frame.mjs";
import { largestOf, partsOf, spellProduct, spellSoftmax, transposed } from "./sums.mjs";

const CAPTION_LETTERS = 20; // of a word in the caption
export const ROLES = { Q: "query", K: "key", V: "value" };
const SCALED = "scores \u00f7 \u221ad_k";
const SENTENCES = {
  digit: "{matrix}({row}, {column}) = {digit}",
  held: "{matrix}({row}, {column}) = {digit}: drag it, or press + and \u2212",
  sum: "{matrix}({row}, {column}) = {sum}",
  brought: "\u201c{from}\u201d brings {part} of the {sum}.",
  most: "\u201c{from}\u201d brings {part}: {sum}",
  scaled:
    "score({asks}, {asked}) \u00f7 \u221ad_k = {before} \u00f7 \u221a{dK} = " +
    "{before} \u00f7 {root} \u2248 {after}",
  weight: "weight({asks}, {asked}) = {quotient}",
  noMask:
    "No mask here: every query may look at every key. " +
    "Nothing changes, score({asks}, {asked}) stays {after}",
  seen:
    "\u201c{asked}\u201d does not come after \u201c{asks}\u201d: " +
    "score({asks}, {asked}) stays {after}",
  masked:
    "\u201c{asked}\u201d comes after \u201c{asks}\u201d, which may not look ahead: " +
    "the score becomes \u2212\u221e, so the weight will be exactly 0",
};

export const PARTS = ["first", "second", "result"];
export const MADE = ["Q", "K", "V"]; // in the first steps, one each
export const KEYS = MADE.indexOf("K");
export const WORDS = "words"; // instead of a part: the story of one word that asks
export const QUESTION = -1; // before them: what will be found
export const [COMPARE, SCALE, MASK, SOFTMAX, COLLECT] = [3, 4, 5, 6, 7];
export const STORY = [KEYS, COMPARE, MASK, SOFTMAX, COLLECT]; // where one word can be seen alone

const nameOf = (token) => isolate(short(token, CAPTION_LETTERS));
const askingWords = ({ queries }) => ({ names: queries, kind: "query" });
const askedWords = ({ tokens }) => ({ names: tokens, kind: "key" });
const counted = (rows) => ({ names: rows[0].map((_, j) => `${j + 1}`), kind: "faint" });

/** Names of the values: that of an axis of X where W_V hands on this axis and nothing else. */
export function valueNames({ parameters, axes }) {
  const names = transposed(parameters.V).map((column, j) => {
    const taken = column.flatMap((x, axis) => (x === 0 ? [] : [axis]));
    const isOneAxis = taken.length === 1 && column[taken[0]] === 1;
    return isOneAxis ? axes[taken[0]] : `${j + 1}`;
  });
  return { names, kind: "value" };
}

/** The name of a value in a sentence. */
export const axisName = (name) => (/^\d+$/.test(name) ? `value ${name}` : name);

/** A matrix of (T, S): one row for each query, one column for each key. */
const mapOf = (state, id, name, rows) => ({
  id,
  name,
  rows,
  down: askingWords(state),
  across: askedWords(state),
});

/** The words of a pair in a map, as the holes of a sentence. */
const pairOf = ({ down, across }, i, j) => ({
  asks: nameOf(down.names[i]),
  asked: nameOf(across.names[j]),
});

/** The words whose Q, K or V it is. */
const wordsOf = (state, name) =>
  name === "Q" ? askingWords(state) : { ...askedWords(state), kind: ROLES[name] };

/** X, or what the French words are made of; what was just changed is shown before Python knows. */
function vectorsOf(state, name) {
  const { numbers, edited, attention, axes } = state;
  const isQuery = name === "Q";
  const isTarget = isQuery && attention === "cross";
  const down = wordsOf(state, name);
  const rows = (isQuery ? numbers.X_queries : numbers.X).map((row, i) =>
    Object.hasOwn(edited, down.names[i]) ? edited[down.names[i]] : row,
  );
  const names = isTarget ? { id: "target", name: "target X" } : { id: "X", name: "X" };
  return { ...names, rows, down, across: { names: axes, kind: "" }, places: 1 };
}

/** Q, K or V, with the names of its rows. */
export function projected(state, name) {
  const rows = state.numbers[name];
  const across = name === "V" ? valueNames(state) : counted(rows);
  return { id: name, name, rows, down: wordsOf(state, name), across, kind: ROLES[name] };
}

/** X · W = Q, K or V. */
function projecting(state) {
  const { step, parameters, axes } = state;
  const matrix = MADE[step];
  const result = projected(state, matrix);
  const second = {
    id: `W_${matrix}`,
    name: `W_${matrix}`,
    rows: parameters[matrix],
    down: { names: axes, kind: "" },
    across: result.across,
    places: 1,
  };
  return product(vectorsOf(state, matrix), second, result, matrix);
}

/** Q · K^T = scores. */
function comparing(state) {
  const { K, products } = state.numbers;
  const second = {
    id: "K",
    name: "K^T",
    rows: transposed(K),
    down: counted(K),
    across: askedWords(state),
    kind: "key",
    flipped: true,
  };
  const result = mapOf(state, "scores", "scores", products);
  return product(projected(state, "Q"), second, result, "score");
}

/** Scores, divided by √d_k. */
function scaling(state) {
  const { K, products, scaled } = state.numbers;
  const dK = K[0].length;
  const first = mapOf(state, "scores", "scores", products);
  const speakResult = (i, j) =>
    fillIn(SENTENCES.scaled, {
      ...pairOf(first, i, j),
      before: digits(products[i][j]),
      dK,
      root: digits(Math.sqrt(dK)),
      after: digits(scaled[i][j]),
    });
  return { first, result: mapOf(state, "scaled", SCALED, scaled), speakResult };
}

/** The scores that softmax sees: those of before, or with a mask on them. */
function maskedScores(state) {
  const { mask, scaled } = state.numbers;
  if (state.attention !== "causal") return mapOf(state, "scaled", SCALED, scaled);
  const isMasked = (i, j) => !mask[i][j];
  return { ...mapOf(state, "masked", "masked scores", scaled), isMasked };
}

/** Where there is no mask, the same matrix stays, alone. */
function masking(state) {
  const { mask, scaled } = state.numbers;
  const result = maskedScores(state);
  const isIdle = state.attention !== "causal";
  const speakResult = (i, j) => {
    const values = { ...pairOf(result, i, j), after: digits(scaled[i][j]) };
    if (isIdle) return fillIn(SENTENCES.noMask, values);
    return fillIn(mask[i][j] ? SENTENCES.seen : SENTENCES.masked, values);
  };
  if (isIdle) return { result, speakResult };
  return { first: mapOf(state, "scaled", SCALED, scaled), result, speakResult };
}

/** The softmax of each row of scores. */
function normalising(state) {
  const { mask, scaled } = state.numbers;
  const first = maskedScores(state);
  const speakResult = (i, j) => {
    const scores = scaled[i].map((x, k) => (mask[i][k] ? x : -Infinity));
    return fillIn(SENTENCES.weight, {
      ...pairOf(first, i, j),
      quotient: spellSoftmax(scores, j),
    });
  };
  return { first, result: weightsOf(state), speakResult, readsRow: true };
}

/** The weights; a masked one is hatched. */
function weightsOf(state) {
  const { mask, weights } = state.numbers;
  const isMasked = (i, j) => !mask[i][j];
  return { ...mapOf(state, "weights", "weights", weights), tinted: true, isMasked };
}

/** weights · V = output. */
function averaging(state) {
  const across = valueNames(state);
  const rows = state.numbers.output;
  const down = askingWords(state);
  const result = { id: "output", name: "output", rows, down, across, kind: "value" };
  const made = product(weightsOf(state), projected(state, "V"), result, "output");
  const speakWith = (sentence, i, j, sum) => {
    const parts = partsOf(state.numbers, i, j);
    const most = largestOf(parts);
    const from = nameOf(state.tokens[most]);
    return fillIn(sentence, { part: digits(parts[most]), from, sum });
  };
  const speakResult = (i, j) => speakWith(SENTENCES.most, i, j, made.speakResult(i, j));
  const speakMost = (i, j) => speakWith(SENTENCES.brought, i, j, digits(rows[i][j]));
  return { ...made, speakResult, speakMost };
}

/** Two factors and their product, one cell of which the caption calls `cellName`. */
function product(first, second, result, cellName) {
  const speakResult = (i, j) => {
    const column = second.rows.map((row) => row[j]);
    return fillIn(SENTENCES.sum, {
      matrix: cellName,
      row: nameOf(first.down.names[i]),
      column: nameOf(second.across.names[j]),
      sum: spellProduct(first.rows[i], column, first.places),
    });
  };
  return { first, second, result, speakResult };
}

const MAKING = [...MADE.map(() => projecting), comparing, scaling, masking, normalising, averaging];

/** The matrices of a step and speakResult(i, j), how a cell of its result comes about. */
export const phase = (state) => MAKING.at(state.step)(state);

/** The pointed cell in words: its sum, or what became of it. */
export function speak(parts, { part, i, j }) {
  if (!parts.second || part === "result") return parts.speakResult(i, j);
  const { name, rows, down, across, places } = parts[part];
  return fillIn(places ? SENTENCES.held : SENTENCES.digit, {
    matrix: name,
    row: nameOf(down.names[i]),
    column: nameOf(across.names[j]),
    digit: digits(rows[i][j], places),
  });
}
