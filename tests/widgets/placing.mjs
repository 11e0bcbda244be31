// What the tests ask of a list of marks: texts that overlap, and marks outside the room.
import { widthOf } from "../../lib/widgets/frame/lettering.mjs";

const SMALLEST = 24;
const ASCENT = 0.72; // of a letter's size
const DESCENT = 0.06; // digits and most words hardly go below the line
const SLACK = 2; // pixels

function boxOf(mark) {
  const size = mark.size ?? SMALLEST;
  const text = mark.text ?? mark.format(mark.number);
  const width = widthOf(text, size);
  const shift = { start: 0, end: -width }[mark.anchor] ?? -width / 2;
  const left = mark.x + shift;
  return {
    id: mark.id,
    left,
    right: left + width,
    top: mark.y - ASCENT * size,
    bottom: mark.y + DESCENT * size,
  };
}

const isText = (mark) => mark.text !== undefined || mark.format !== undefined;
const meet = (one, other) =>
  one.left < other.right - SLACK &&
  other.left < one.right - SLACK &&
  one.top < other.bottom - SLACK &&
  other.top < one.bottom - SLACK;

/** Pairs of ids of texts that stand on each other. */
export function overlaps(marks) {
  const boxes = marks.filter(isText).map(boxOf);
  const found = [];
  for (const [i, one] of boxes.entries())
    for (const other of boxes.slice(i + 1)) if (meet(one, other)) found.push([one.id, other.id]);
  return found;
}

/** The ids of texts and boxes that are not inside the room. */
export function outside(marks, { width, height }) {
  const boxes = marks.filter(isText).map(boxOf);
  for (const { id, x, y, w, h } of marks.filter((mark) => mark.w !== undefined))
    boxes.push({ id, left: x, right: x + w, top: y, bottom: y + h });
  const isOut = ({ left, right, top, bottom }) =>
    left < -SLACK || right > width + SLACK || top < -SLACK || bottom > height + SLACK;
  return boxes.filter(isOut).map(({ id }) => id);
}

/** All that is written, in the order of the marks. */
export function writings(marks) {
  return marks.filter(isText).map((mark) => mark.text ?? mark.format(mark.number));
}
