// Where the matrices of a step stand: {x, y, w, h}, the left top corner and the size of a cell.

import { STAGE, widthOf } from "../frame/lettering.mjs";
import { COMPARE } from "./parts.mjs";
import { total } from "./sums.mjs";

export const NAMES = 126; // room for the names of the rows, left of a matrix
export const NAME_AIR = 8; // between the names of columns
export const LINE = 32; // room for a line of titles or names
const FLOOR = 6; // below the lowest row
const FORMULA_LINE = 60; // the line of the formula, and air below it
const ANSWER = 140; // the answer and its label
const BETWEEN = 44; // from a matrix to the one below, for its title
const GAP = 14; // from the first factor to the product
const TO_RESULT = 24; // from X to what is made of it
const AXIS = 108; // a column of X
const MADE_COLUMN = 96; // a column of W, with the name of a value
const ASKING = { top: 146, title: 14, query: 144, key: 190 }; // where a query asks: columns of Q, K
const FACTOR = 96; // a column of Q
const WIDEST_SCORE = 114;
const SCORES = 570; // room for the scores below the keys
const HIGHEST_PRODUCT = 46; // a row, in a room that is 456 high
const HIGHEST_ROW = 56;
const PARKED = 74; // a column of a matrix that waits
const PARKED_GAP = 24;
const ARROW = 136; // from a map to what becomes of it
const TITLE = 280; // room for the title of a map
const WIDEST_CELL = 110;

const rowHeight = (most, free, rows, { height }) =>
  Math.min((most * height) / STAGE.height, free / rows);

/** How many lines the names of columns take: two if one of them is wider than its column. */
export function linesOf({ names }, { w }) {
  return names.some((name) => widthOf(name) > w - NAME_AIR) ? 2 : 1;
}

/** First below at the left, second above the result, which stands where rows and columns meet. */
function corner({ first, second, result }, room, { top, between, w, gap, cell }) {
  const above = second.rows.length;
  const below = first.rows.length;
  const free = room.height - FLOOR - between - top;
  const h = rowHeight(HIGHEST_PRODUCT, free, above + below, room);
  const y = room.height - FLOOR - below * h;
  const right = NAMES + first.rows[0].length * w + gap;
  return {
    first: { x: NAMES, y, w, h },
    second: { x: right, y: y - between - above * h, w: cell, h },
    result: { x: right, y, w: cell, h },
    end: right + result.rows[0].length * cell,
  };
}

/** X, W above and what they make; what was made of the same words before waits at the right. */
function projectPlaces(parts, room) {
  const sizes = { between: BETWEEN, w: AXIS, gap: TO_RESULT, cell: MADE_COLUMN };
  const top = LINE * linesOf(parts.second.across, { w: MADE_COLUMN });
  return corner(parts, room, { top, ...sizes });
}

/** Q at the left and K at the right end, and the baseline of their titles. */
export function askingPlaces(queries, keys, room) {
  const rows = Math.max(queries.rows.length, keys.rows.length);
  const h = (room.height - FLOOR - ASKING.top) / rows;
  const middle = (room.height - FLOOR + ASKING.top) / 2;
  const at = (matrix, x, w) => ({ x, y: middle - (matrix.rows.length * h) / 2, w, h });
  const { query, key, top, title } = ASKING;
  return {
    Q: at(queries, NAMES, query),
    K: at(keys, room.width - key * keys.rows[0].length, key),
    title: top - title,
  };
}

/** Q, K^T above and the scores. */
function comparePlaces(parts, room) {
  const cell = Math.min(WIDEST_SCORE, SCORES / parts.result.rows[0].length);
  const sizes = { between: BETWEEN, w: FACTOR, gap: GAP, cell };
  const top = FORMULA_LINE + LINE * linesOf(parts.second.across, { w: cell });
  return corner(parts, room, { top, ...sizes });
}

/** A map at the left, and at the right what becomes of it. */
function mapPlaces({ result }, room) {
  const rows = result.rows.length;
  const columns = result.rows[0].length;
  const free = room.width - NAMES - ARROW;
  const w = Math.min(WIDEST_CELL, free / (2 * columns));
  const block = Math.max(columns * w, TITLE);
  const left = free - block;
  const made = Math.min(w, left / columns);
  const right = NAMES + block + ARROW;
  const above = ANSWER + LINE * linesOf(result.across, { w: made });
  const h = rowHeight(HIGHEST_ROW, room.height - FLOOR - above, rows, room);
  const y = room.height - FLOOR - rows * h;
  return {
    first: { x: NAMES, y, w, h },
    result: { x: right, y, w: made, h },
    end: right + Math.max(columns * made, TITLE),
  };
}

/** Where the matrices stand that are multiplied or become another; end is their right edge. */
export function placesOf(state, parts, room) {
  if (state.step < COMPARE) return projectPlaces(parts, room);
  if (state.step === COMPARE) return comparePlaces(parts, room);
  const places = mapPlaces(parts, room);
  return parts.first ? places : { ...places, result: places.first };
}

/** Where matrices wait, at the right end; those that have no room there are left out. */
export function parkedPlaces(matrices, { end, result }, room) {
  const placed = [];
  let x = room.width;
  for (const matrix of [...matrices].reverse()) {
    const width = matrix.rows[0].length * PARKED;
    const names = matrix.hasNames ? NAMES : 0;
    x -= width;
    if (x - names < end + PARKED_GAP / 2) return placed;
    const free = room.height - FLOOR - ANSWER - LINE; // below the answer
    const h = Math.min(result.h, free / matrix.rows.length);
    const y = room.height - FLOOR - matrix.rows.length * h;
    placed.push({ matrix, at: { x, y, w: PARKED, h } });
    x -= names + PARKED_GAP;
  }
  return placed;
}

const FIRST_AXIS = 218; // the left end of the first value's bars
const RIGHT = 216; // room right of the bars, for the answer
const WEIGHT = 84; // a cell with a weight
const HEADER = 84; // the lowest line above the bars
const STACK = 70; // the height of the collected value and of its digits
const STACKED = 30; // of the value alone
export const RULE = 18; // above the collected value
const DIGITS = 84; // right of a bar

/**
 * The last step: rows of value bars, the collected value under them.
 * scale is in pixels for a value of 1, zero(column) the foot of its bars.
 */
export function collectPlaces(state, room) {
  const { V } = state.numbers;
  const count = V[0].length;
  const stack = room.height - FLOOR - STACK;
  const gap = Math.min(
    (HIGHEST_ROW * room.height) / STAGE.height,
    (stack - RULE - HEADER) / V.length,
  );
  const pitch = (room.width - RIGHT - FIRST_AXIS) / count;
  const [low, high] = extent(state.numbers);
  const scale = (pitch - DIGITS) / (high - low);
  return {
    room,
    stack: { y: stack, h: STACKED },
    collected: { y: stack, h: STACK },
    row: { y: HEADER, gap, h: gap * 0.7 },
    weight: { x: NAMES, w: WEIGHT },
    axis: { x: FIRST_AXIS, pitch, count },
    scale,
    zero: (j) => FIRST_AXIS + j * pitch - low * scale,
  };
}

/** The smallest and the largest number that a bar or a sum of bars reaches, and at least 0 to 1. */
function extent({ V, weights }) {
  const ends = [0, 1];
  for (const j of V[0].keys()) {
    ends.push(...V.map((row) => row[j]));
    for (const shares of weights) {
      const taken = V.map((row, i) => row[j] * shares[i]);
      ends.push(total(taken.filter((x) => x < 0)), total(taken.filter((x) => x > 0)));
    }
  }
  return [Math.min(...ends), Math.max(...ends)];
}
