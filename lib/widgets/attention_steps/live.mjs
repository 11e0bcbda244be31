// The site: every digit can be dragged, so what follows from them is computed here.
import { fillIn } from "../frame/frame.mjs";
import { product, softmax, transposed } from "../frame/matrices.mjs";
import { COLLECT, COMPARE, QUESTION, WORDS } from "./parts.mjs";
import { askerOf } from "./sums.mjs";

const TARGETS = "cross"; // then other words ask
const OPEN = 6; // no column yet: the drawing points at the largest, or at what changes most
const EXACT = 1e12; // as Python rounds, so that a tie of the last digit shown falls to one side

const rounded = (matrix) => matrix.map((row) => row.map((x) => Math.round(x * EXACT) / EXACT));

/** The row that is asked about: once there are scores, the one that is read. */
function rowOf(get) {
  const queries = get("d0.queries");
  if (get("d0.step") < COMPARE) return askerOf({ queries });
  return Math.min(get("d0.pointed").asks, queries.length - 1);
}

function questionOf(get, [first, changed, collected]) {
  const last = get("d0.attention") === TARGETS ? collected : changed;
  const asks = get("d0.step") < COLLECT ? first : last;
  return fillIn(asks, { word: get("d0.queries")[rowOf(get)] });
}

export function outputs(get, { vectors, asks }) {
  const edited = get("d0.edited");
  const rows = (words) => words.map((word) => edited[word] ?? vectors[word]);
  const { Q: W_Q, K: W_K, V: W_V } = get("d0.parameters");
  const attention = get("d0.attention");
  const source = rows(get("d0.tokens"));
  const asking = attention === TARGETS ? rows(get("d0.queries")) : source;
  const [Q, K, V] = [product(asking, W_Q), product(source, W_K), product(source, W_V)];
  const products = product(Q, transposed(K));
  const scaled = products.map((row) => row.map((score) => score / Math.sqrt(K[0].length)));
  const mask = scaled.map((row, i) => row.map((_, j) => attention !== "causal" || j <= i));
  const weights = scaled.map((row, i) => softmax(row, mask[i]));
  const made = { X: source, X_queries: asking, Q, K, V, products, scaled, weights };
  made.output = product(weights, V);
  const numbers = Object.entries(made).map(([name, matrix]) => [name, rounded(matrix)]);
  const told = { "d0.numbers": { ...Object.fromEntries(numbers), mask } };
  return { ...told, "h.question": questionOf(get, asks) };
}

/** In another step, its result is pointed at. */
const pointAtResult = (get) => ({ "d0.pointed": { ...get("d0.pointed"), part: "result" } });
const toStep = (step) => (get) => (get("c2.index") === step ? {} : pointAtResult(get));

/** What Enter makes or shows is of the row that is asked about. */
function pointAtAsked(get) {
  const i = rowOf(get);
  return { "d0.pointed": { part: WORDS, i, j: OPEN, asks: i } };
}

const whenUnveiled = (get) => (get("d0.veiled") ? pointAtAsked(get) : {});

export const events = { "d0.presses": pointAtAsked, "d0.veiled=false": whenUnveiled };
for (const step of [null, ...Array(COLLECT + 1).keys()]) {
  events[`c2.index=${step}`] = toStep(step);
  events[`d0.step=${step ?? QUESTION}`] = toStep(step);
}
