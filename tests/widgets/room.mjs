// What the tests of all drawings ask of a layout: marks inside the room, texts that do not overlap.
import { widthOf } from "../../lib/widgets/frame/lettering.mjs";
import { kindOf } from "../../lib/widgets/frame/marks.mjs";

const ASCENT = 0.72; // of a letter's size, above the baseline
const DESCENT = 0.06; // digits and most words hardly go below the line
const SLACK = 2; // pixels: widths are estimated in Node

/** The box of a text, or null for other marks and for what cannot be seen. */
export function textBox(mark) {
  if (kindOf(mark) !== "text" || mark.o === 0 || mark.turn) return null;
  const text = mark.format ? mark.format(mark.number) : mark.text;
  if (!text) return null;
  const size = mark.size ?? 24;
  const width = widthOf(text, size);
  const shift = { start: 0, end: width }[mark.anchor] ?? width / 2;
  const left = mark.x - shift;
  return {
    text,
    left,
    right: left + width,
    top: mark.y - ASCENT * size,
    end: mark.y + DESCENT * size,
  };
}

const meet = (one, other) =>
  one.left + SLACK < other.right &&
  other.left + SLACK < one.right &&
  one.top + SLACK < other.end &&
  other.top + SLACK < one.end;

/** Sentences about texts that stand on each other. */
export function overlaps(marks) {
  const boxes = marks.map(textBox).filter(Boolean);
  const found = [];
  for (const [i, one] of boxes.entries())
    for (const other of boxes.slice(i + 1))
      if (meet(one, other)) found.push(`"${one.text}" and "${other.text}"`);
  return found;
}

/** Sentences about marks that stand outside the room. */
export function outside(marks, { width, height }) {
  const found = [];
  for (const mark of marks) {
    const text = textBox(mark);
    const box = text ?? { left: mark.x, right: mark.x + mark.w, top: mark.y, end: mark.y + mark.h };
    if (kindOf(mark) !== "rect" && !text) continue;
    const isIn =
      box.left >= -SLACK &&
      box.right <= width + SLACK &&
      box.top >= -SLACK &&
      box.end <= height + SLACK;
    if (!isIn) found.push(`${mark.id} ${JSON.stringify(box)}`);
  }
  return found;
}

/** Sentences about ids that two marks share: they would be one thing. */
export function twins(marks) {
  const ids = marks.map(({ id }) => id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

/** All that is written, in the order of the marks. */
export function writings(marks) {
  return marks
    .map(textBox)
    .filter(Boolean)
    .map(({ text }) => text);
}
