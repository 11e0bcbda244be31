// Where maps of weights and their labels go in a room.
import { short } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";

const LINE = 30; // from one line of text to the next
export const HEADING = 36; // "key (who is asked)" and the scale, above everything else
export const BESIDE = 10; // between a map and its labels
const GAP = 20; // between two maps
const SIDE = 40; // left of the row labels, for "query (who asks)"
const READABLE = 24; // cells are at least as high where rows have labels
const LARGEST = { width: 200, height: 132 }; // of a cell
const STRETCH = { width: 2.4, height: 1.5 }; // of a cell: that many times the other side
const SLANT = 0.71; // cosine and sine of 45 degrees
const SLANTED = 32; // between two labels at 45 degrees
const OVERHANG = 18; // of a label at 45 degrees over its last column
const CAPITALS = 18; // the height of letters
const EDGE = 8; // below the maps
const NO_LABELS = { one: LINE, many: 4 }; // above one map the key pointed at is named
const ROOM = 170; // the longest label
const LITTLE_ROOM = 72;
const BOLD = 650;
// Key labels by their turn in degrees, null for none. The first that fit are taken.
const LABELS = [
  { turn: 0, room: ROOM },
  { turn: 45, room: ROOM },
  { turn: 90, room: ROOM },
  { turn: 45, room: LITTLE_ROOM },
  { turn: 90, room: LITTLE_ROOM },
  { turn: null, room: 0 },
];
const WORTH = { rowLabels: 1.3, fullRows: 1.15 }; // times the size of cells, where there are such

/** How wide a label is: measured in bold, as it is when pointed at. */
export const wide = (text) => widthOf(text, LABEL, BOLD);

/** About as much of a token as fits in so many pixels. */
export function fit(token, room) {
  const part = room / wide(token);
  return part >= 1 ? token : short(token, Math.max(2, Math.floor(part * [...token].length)));
}

/** What key labels need: room above and right of the maps, and cells of at least some width. */
function needs({ turn, room }, heads, widths, next) {
  const S = widths.length;
  const longest = Math.max(...widths);
  let above = heads === 1 ? NO_LABELS.one : NO_LABELS.many;
  let right = 0;
  let least = 0;
  if (turn === 0) {
    above = LINE;
    least = longest + BESIDE;
  }
  if (turn === 45) {
    const beyond = widths.map((width, key) => width * SLANT - SLANTED * (S - key) + OVERHANG);
    above = longest * SLANT + CAPITALS;
    right = Math.max(0, ...beyond);
    least = SLANTED;
  }
  if (turn === 90) {
    above = longest + BESIDE;
    least = READABLE;
  }
  return { turn, room, right, least, top: HEADING + above + next - GAP };
}

/** The maps in so many columns, with the first of the labels that fit. */
function arrange(columns, tries, { heads, T, S, width, height, left, next }) {
  const rows = Math.ceil(heads / columns);
  for (const labels of tries) {
    const widest = (width - left - labels.right - GAP * (columns - 1)) / columns / S;
    const highest = (height - EDGE - labels.top - next * (rows - 1)) / rows / T;
    const stretchedWidth = Math.max(STRETCH.width * highest, (highest * T) / S);
    const stretchedHeight = Math.max(STRETCH.height * widest, (widest * S) / T);
    const cellWidth = Math.min(widest, LARGEST.width, stretchedWidth);
    const cellHeight = Math.min(highest, LARGEST.height, stretchedHeight);
    // Many maps have the labels of both sides or none.
    const rowsFit = labels.rowLabels ? cellHeight >= READABLE : heads === 1 || labels.least === 0;
    if (cellWidth < labels.least || cellWidth <= 0 || cellHeight <= 0 || !rowsFit) continue;
    let score = Math.min(cellWidth, cellHeight);
    if (labels.rowLabels) score *= WORTH.rowLabels;
    if (heads % columns === 0) score *= WORTH.fullRows;
    return { ...labels, columns, rows, cellWidth, cellHeight, score };
  }
  return null;
}

/**
 * Where everything goes in a room {width, height}. For each number of columns of maps, the first
 * labels that fit (of rows and keys, then of keys alone) decide the size of the cells; the columns
 * with the largest cells win. named: each map has a line for its name.
 */
export function planOf({ heads, rows, columns, named }, { width, height }) {
  const [T, S] = [rows.length, columns.length];
  const next = GAP + (named ? LINE : 0); // from a map to the one below it
  const beside = Math.max(...rows.map((token) => wide(fit(token, ROOM)))); // the row labels
  const left = SIDE + beside + BESIDE;
  const space = { heads, T, S, width, height, left, next };
  const keyLabels = LABELS.map((labels) => {
    const widths = columns.map((token) => wide(fit(token, labels.room)));
    return needs(labels, heads, widths, next);
  });
  const tries = [true, false].flatMap((rowLabels) =>
    keyLabels.map((labels) => ({ ...labels, rowLabels })),
  );
  let best = { score: 0 };
  for (let count = 1; count <= heads; count++) {
    const plan = arrange(count, tries, space);
    if (plan && plan.score > best.score) best = plan;
  }
  const stepX = best.cellWidth * S + GAP;
  const stepY = best.cellHeight * T + next;
  const free = width - left - best.right - best.columns * stepX + GAP;
  return { ...best, heads, T, S, named, stepX, stepY, beside, left: left + free / 2 };
}

/** The upper left corner of the map in this place. */
export function corner(plan, map) {
  const x = plan.left + (map % plan.columns) * plan.stepX;
  const y = plan.top + Math.floor(map / plan.columns) * plan.stepY;
  return [x, y];
}

/** The [query, key] of the map in this place that lies at a point, or the nearest. */
export function cellAt(plan, map, [x, y]) {
  const [left, top] = corner(plan, map);
  const inside = (i, count) => Math.max(0, Math.min(count - 1, Math.floor(i)));
  return [inside((y - top) / plan.cellHeight, plan.T), inside((x - left) / plan.cellWidth, plan.S)];
}
