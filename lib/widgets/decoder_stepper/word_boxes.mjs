// Words in boxes, one beside the other in columns of the same width.
import { digits } from "../frame/frame.mjs";
import { fit, widthOf } from "../frame/lettering.mjs";
import { GLIDE } from "../frame/scene.mjs";
import { number, rect, text } from "../frame/shapes.mjs";

export const PILL = 60; // the height of a word's box
const GAP = 16; // from one word to the next
const MOST_GAP = 0.14; // of a column
const SIZES = [36, 32, 28, 24]; // of words, the first that fits
const FEET = 0.35; // from the middle of a line of letters down to its feet, in letter sizes
const PADDING = 14; // of a word in its box
const DIGITS_ROOM = 50; // a column narrower than this has no digits
export const LEAST = 0.1; // of a weight with digits, or a line of an earlier row

/** The largest letters in which all words fit into this room, or the smallest there are. */
function sizeFor(words, room) {
  const fits = (size) => words.every((word) => widthOf(word, size) <= room);
  return SIZES.find(fits) ?? SIZES.at(-1);
}

/** A line of words: its columns, and the size of its letters. */
export function lineOf(words, columns, { top, left, right }) {
  const step = (right - left) / columns;
  const wide = step - Math.min(GAP, MOST_GAP * step);
  const center = (i) => left + step * (i + 0.5);
  return { top, step, wide, center, size: sizeFor(words, wide - PADDING) };
}

/** A word in its box on a line of words: {id, token, i, kind, box, tint, more, hold}. */
export function pill({ id, token, i, kind, box, tint, more = 0, hold }, at) {
  const wide = at.wide + 2 * more;
  const place = { x: at.center(i) - wide / 2, y: at.top - more, w: wide, h: PILL + 2 * more };
  const foot = [at.center(i), at.top + PILL / 2 + FEET * at.size];
  const ink = tint === undefined ? {} : { tint };
  return [
    rect(`box ${id}`, box, place, { rx: 8, ...ink }),
    text(`word ${id}`, kind, foot, fit(token, at.wide - PADDING / 2, at.size), {
      size: at.size,
      ...ink,
    }),
    rect(`hold ${id}`, "pick", place, hold),
  ];
}

/** A large weight of a word, where there is room; it comes when the line to it has grown. */
export function weightAt(id, weight, { x, y, room }) {
  if (room < DIGITS_ROOM || weight < LEAST) return [];
  return [number(id, "halo", [x, y], weight, digits, { delay: GLIDE })];
}
