// The sums of attention, step by step: spelled out with the digits that are on the screen.

import { digits, fillIn } from "../frame/frame.mjs";

const TIMES = "\u00a0\u00d7\u00a0"; // a line does not break there
const ROUNDING = 1e-9;
const EXACT = "{terms} = {result}";
const ROUNDED = "{terms} \u2248 {result}";

const bracket = (x, places) => digits(x, places).replace(/^\u2212.*/, "($&)");
const isRounded = (x, places) => Math.abs(x - Number(x.toFixed(places))) < ROUNDING;

export const transposed = (rows) => rows[0].map((_, j) => rows.map((row) => row[j]));
export const total = (row) => row.reduce((sum, x) => sum + x, 0);

/** What each word hands over of one value. */
export function partsOf({ weights, V }, i, j) {
  return V.map((row, key) => row[j] * weights[i][key]);
}

/** The word whose part counts most towards the sum. */
export function largestOf(parts) {
  const sign = total(parts) < 0 ? -1 : 1;
  const counts = parts.map((part) => part * sign);
  return counts.indexOf(Math.max(...counts));
}

/** The row that the questions are about at first: that of "it", or the first. */
export const askerOf = ({ queries }) =>
  Math.max(
    0,
    queries.findIndex((word) => word.toLowerCase() === "it"),
  );

/** The column of the largest number in a row of a map that is not masked. */
export function best({ rows, isMasked }, i) {
  const seen = rows[i].map((x, j) => (isMasked?.(i, j) ? -Infinity : x));
  return seen.indexOf(Math.max(...seen));
}

/** The value of the word itself, before attention; a French word that asks has none here. */
export function ownValue({ attention, numbers }, i, j) {
  return attention === "cross" ? undefined : numbers.V[i][j];
}

/** The value of a word that attention changes most; of a French word that it collects most of. */
export function mostChanged(state, i) {
  const { attention, numbers } = state;
  const sizes = numbers.output[i].map((now, j) =>
    attention === "cross" ? now : Math.abs(now - ownValue(state, i, j)),
  );
  return sizes.indexOf(Math.max(...sizes));
}

/** A number in the room of a cell: fewer decimal places for larger ones. */
export function fitted(x) {
  if (Math.abs(x) >= 100) return digits(x, 0);
  return digits(x, Math.abs(x) >= 10 ? 1 : 2);
}

/** The sum behind one cell of a matrix product; "≈" where the digits shown are rounded. */
export function spellProduct(row, column, places = 2) {
  const sum = total(row.map((x, i) => x * column[i]));
  const exact = [...row, ...column].every((x) => isRounded(x, places)) && isRounded(sum, 2);
  const terms = row.map((x, i) => `${bracket(x, places)}${TIMES}${bracket(column[i], places)}`);
  return fillIn(exact ? EXACT : ROUNDED, { terms: terms.join(" + "), result: digits(sum) });
}

/** The quotient behind one weight of a row of scores; a masked score is -Infinity. */
export function spellSoftmax(row, i) {
  const largest = Math.max(...row);
  const powers = row.map((score) => Math.exp(score - largest));
  const weight = powers[i] / total(powers);
  const names = row.map((score) => `e^${score === -Infinity ? "\u2212\u221e" : digits(score)}`);
  const exact = weight === 0 || weight === 1;
  return fillIn(exact ? EXACT : ROUNDED, {
    terms: `${names[i]} / (${names.join(" + ")})`,
    result: weight === 0 ? "exactly 0" : digits(weight),
  });
}
