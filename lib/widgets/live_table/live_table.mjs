// A table of words and numbers that Python fills.
import { STAGE, widthOf } from "../frame/lettering.mjs";
import { rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LARGEST = 52; // letters
const RULER = 100; // letters of this size are measured, then scaled
const BOLD = 650;
const HIGH = 1.85; // the head, and the lowest row, in letter sizes
const HIGHEST = 9;
const LEAST_GAP = 1.1; // between two columns, in letter sizes
const BASELINE = 0.35; // from the middle of a row down to the foot of its letters, in letter sizes
const INDENT = 20; // the room of the bar beside a row that fails
const BAR = 8;
const ROW_ON_PAGE = 64;

/** The head is bold, the names at the left, and the rows that fail. */
function kindOf(i, j, verdicts) {
  if (i === 0) return "faint bold";
  return j === 0 || verdicts[i - 1] === false ? "bold" : "";
}

/** How wide each column is in letters of size 1; lines: the head and the rows. */
function widthsOf(lines) {
  return lines[0].map((_, j) => {
    const widths = lines.map((line) => widthOf(line[j] ?? "", RULER, BOLD) / RULER);
    return Math.max(...widths);
  });
}

/** The letters' size that fills the room, each column's left end, the heights of head and rows. */
function fitted(lines, { width, height }) {
  const widths = widthsOf(lines);
  const gaps = lines[0].length - 1;
  const free = width - INDENT;
  const total = widths.reduce((sum, each) => sum + each, 0);
  const across = free / (total + LEAST_GAP * gaps);
  const size = Math.min(LARGEST, across, height / (lines.length * HIGH));
  const gap = gaps ? (free - total * size) / gaps : 0;
  const lefts = [INDENT];
  for (const each of widths) lefts.push(lefts.at(-1) + each * size + gap);
  const head = HIGH * size;
  const row = Math.min((height - head) / (lines.length - 1), HIGHEST * size);
  return { size, lefts, head, row };
}

/** The marks of a state in a room: a failing row has a bar and bold letters. */
export function layout({ columns, rows, verdicts }, room) {
  const lines = [columns, ...rows];
  const { size, lefts, head, row } = fitted(lines, room);
  const marks = [];
  for (const [i, line] of lines.entries()) {
    const y = i === 0 ? 0 : head + (i - 1) * row;
    const high = i === 0 ? head : row;
    const rule = { x: 0, w: room.width, y: y + high - 2, h: i === 0 ? 3 : 1 };
    marks.push(rect(`rule ${i}`, i === 0 ? "ink" : "rule", rule));
    if (i > 0 && verdicts[i - 1] === false)
      marks.push(rect(`fails ${i}`, "ink", { x: 0, w: BAR, y: y + 6, h: high - 14 }, { rx: 2 }));
    const foot = y + high / 2 + BASELINE * size;
    for (const [j, words] of line.entries()) {
      const place = [lefts[j], foot];
      const kind = kindOf(i, j, verdicts);
      marks.push(text(`cell ${i} ${j}`, kind, place, words, { size, anchor: "start" }));
    }
  }
  return marks;
}

export default demo({
  name: "live-table",
  traits: ["columns", "rows", "verdicts", "sentence"],
  height: ({ rows }) => Math.min(STAGE.height, ROW_ON_PAGE * (1 + rows.length)),
  layout,
  caption: ({ sentence }) => sentence,
});
