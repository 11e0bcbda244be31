// Where the matrices of a step stand: {x, y, w, h}, the left top corner and the size of a cell. Of
// queries and maps one row is read: only that is so high, the others are `thin`.

import { STAGE, widthOf } from "../frame/lettering.mjs";
import { COMPARE } from "./parts.mjs";
import { total } from "./sums.mjs";

export const NAMES = 126; // room for the names of the rows, left of a matrix
export const NAME_AIR = 8; // between the names of columns
export const LINE = 32; // room for a line of titles or names
export const FLOOR = 6; // below the lowest row
const BETWEEN = 44; // from a matrix to the one below, for its title
const GAP = 14; // from the first factor to the product
const TO_RESULT = 24; // from X to what is made of it
const AXIS = 120; // a column of X
const MADE_COLUMN = 100; // a column of W, with the name of a value
const FACTOR = 96; // a column of Q
const WIDEST_SCORE = 132;
const SCORES = 660; // room for the scores below the keys
const TALL = 84; // the row that is read, in a room that is 456 high
const THIN = 0.18; // of it, another row
const KEYS_ROW = 0.7; // of it, a row of the keys above
const HIGHEST_PRODUCT = 46; // a row, in a room that is 456 high
const HIGHEST_ROW = 56;
const ARROW = 66; // from a map down to what becomes of it
const BELOW_ANSWER = 84; // there the words above scores begin
const TITLE = 296; // room for the title of a map
const WIDEST_CELL = 150;

const rowHeight = (most, free, rows, { height }) =>
  Math.min((most * height) / STAGE.height, free / rows);

/** Where a row begins, and how high it is. */
export function rowAt({ y, h, here, thin }, i) {
  if (here === undefined) return { y: y + i * h, h };
  return { y: y + i * thin + (i > here ? h - thin : 0), h: i === here ? h : thin };
}

/** So many times as high as its row that is read is a matrix. */
const timesTall = ({ rows }) => 1 + THIN * (rows.length - 1);

/** The row that is read, where so many times its height have so much room. */
const tallIn = (free, times, { height }) => Math.min((TALL * height) / STAGE.height, free / times);

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

/** X, W above and what they make. */
function projectPlaces(parts, room) {
  const sizes = { between: BETWEEN, w: AXIS, gap: TO_RESULT, cell: MADE_COLUMN };
  const top = LINE * linesOf(parts.second.across, { w: MADE_COLUMN });
  return corner(parts, room, { top, ...sizes });
}

/** Q, K^T above and the scores. */
function comparePlaces({ first, second, result }, room, here) {
  const columns = result.rows[0].length;
  const w = Math.min(WIDEST_SCORE, SCORES / columns);
  const top = BELOW_ANSWER + LINE * linesOf(second.across, { w });
  const times = KEYS_ROW * second.rows.length + timesTall(first);
  const h = tallIn(room.height - FLOOR - BETWEEN - top, times, room);
  const keys = { x: NAMES + first.rows[0].length * FACTOR + GAP, y: top, w, h: KEYS_ROW * h };
  const y = top + second.rows.length * keys.h + BETWEEN;
  const tall = { y, h, thin: THIN * h, here };
  return { first: { x: NAMES, w: FACTOR, ...tall }, second: keys, result: { ...keys, ...tall } };
}

/** A map, and below it what becomes of it. */
function mapPlaces({ result }, room, here) {
  const w = Math.min(WIDEST_CELL, (room.width - NAMES - TITLE) / result.rows[0].length);
  const y = BELOW_ANSWER + LINE * linesOf(result.across, { w });
  const times = timesTall(result);
  const h = tallIn((room.height - FLOOR - y - ARROW) / 2, times, room);
  const first = { x: NAMES, y, w, h, thin: THIN * h, here };
  return { first, result: { ...first, y: y + times * h + ARROW } };
}

/** Where the matrices stand that are multiplied or become another, with this row to be read. */
export function placesOf(state, parts, room, here) {
  if (state.step < COMPARE) return projectPlaces(parts, room);
  if (state.step === COMPARE) return comparePlaces(parts, room, here);
  const places = mapPlaces(parts, room, here);
  return parts.first ? places : { ...places, result: places.first };
}

const FIRST_AXIS = 218; // the left end of the first value's bars
const RIGHT = 216; // room right of the bars, for the answer
const WEIGHT = 84; // a cell with a weight
const HEADER = 84; // the lowest line above the bars
const STACK = 84; // the height of the collected value and of its digits
const STACKED = 44; // of the value alone
export const RULE = 28; // above the collected value
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
