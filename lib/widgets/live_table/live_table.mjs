// A table of words and numbers that Python fills.
import { STAGE, widthOf } from "../frame/lettering.mjs";
import { stage } from "../frame/stage.mjs";

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

const isBold = (i, j, verdicts) => i === 0 || j === 0 || verdicts[i - 1] === false;

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
    marks.push({ id: `rule ${i}`, class: i === 0 ? "ink" : "rule", ...rule });
    if (i > 0 && verdicts[i - 1] === false)
      marks.push({ id: `fails ${i}`, class: "ink", x: 0, w: BAR, y: y + 6, h: high - 14, rx: 2 });
    for (const [j, text] of line.entries()) {
      const kind = isBold(i, j, verdicts) ? "bold" : "";
      const place = { x: lefts[j], y: y + high / 2 + BASELINE * size, size, anchor: "start" };
      marks.push({ id: `cell ${i} ${j}`, class: i === 0 ? "faint bold" : kind, text, ...place });
    }
  }
  return marks;
}

function read(model) {
  const names = ["columns", "rows", "verdicts", "sentence"];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}

function render({ model, el, signal }) {
  const height = Math.min(STAGE.height, ROW_ON_PAGE * (1 + model.get("rows").length));
  const caption = ({ sentence }) => sentence;
  stage({ model, el, signal }, { name: "live-table", height, read, layout, caption });
}

export default { render };
