// The marks of a step's matrices: cells, names, titles, and the row and column that meet in a cell.

import { digits, fillIn } from "../frame/frame.mjs";
import { STAGE, fit, widthOf } from "../frame/lettering.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, BASELINE, rect, text } from "../frame/shapes.mjs";
import { COMPARE, ROLES } from "./parts.mjs";
import { LINE, NAMES, NAME_AIR, linesOf, rowAt } from "./places.mjs";
import { fitted } from "./sums.mjs";

const LETTERS = 24;
const LARGE = 28;
// From such a size on, a cell has larger digits:
const LARGER = [
  { w: 140, h: 46, size: 36 },
  { w: 94, h: 38, size: LARGE },
];
export const ABOVE = 10; // from a line of text to the matrix below it
export const BESIDE = 12; // from a text to the matrix at its right
const DEEPEST = 55; // percent of its hue on the paper, for the largest number of a matrix
const LEAST = 0.02; // of the largest number: what is nearer to 0 has no minus
const MINUS = { w: 14, more: 22, h: 4 }; // of a number near 0, and of the largest
const QUIET = 0.5; // how much is seen of a row that is not read
const MADE = 240; // milliseconds until a result comes out

const FOR = {
  Q: "what \u201c{word}\u201d asks for",
  K: "what each word is found by",
  V: "what each word hands over",
};

const MAKES = { size: 26, apart: 10 }; // letters of how a matrix is made; from there to what for

const minusInfinity = () => "\u2212\u221e";
const nothing = () => "0";
const unread = () => "";

/** A weight is never written as 0 where it is more. */
const share = (x) => (x > 0 && digits(x) === digits(0) ? "<0.01" : digits(x));

export const idOf = ({ id, flipped }, i, j) => (flipped ? `${id}.${j}.${i}` : `${id}.${i}.${j}`);

/** How the number of a cell is written. */
export function formatOf(matrix, i, j) {
  if (matrix.isMasked?.(i, j)) return matrix.tinted ? nothing : minusInfinity;
  if (matrix.tinted) return share;
  return matrix.places ? (x) => digits(x, matrix.places) : fitted;
}

/** A number's share of the one that is furthest from 0 in its matrix. */
function shareOf({ rows }, number) {
  const most = Math.max(...rows.flat().map(Math.abs));
  return most > 0 ? number / most : 0;
}

/** A number by its size, in the hue of its matrix: 0 and what is below it is paper. */
function shadeOf(matrix, number) {
  const share = Math.max(0, shareOf(matrix, number));
  const hue = `var(--${matrix.kind || "score"})`;
  return `color-mix(in srgb, ${hue} ${(DEEPEST * share).toFixed(1)}%, var(--paper))`;
}

/** A cell of a matrix without what a reader can do with it. */
export function cellMark(matrix, i, j, at) {
  const { x, w } = at;
  const { y, h } = rowAt(at, i);
  const larger = LARGER.find((least) => w >= least.w && h >= least.h);
  const number = matrix.rows[i][j];
  const mark = {
    id: idOf(matrix, i, j),
    kind: "cell",
    class: "cell",
    x: x + j * w,
    y,
    w,
    h,
    size: larger?.size ?? LETTERS,
    number,
    format: formatOf(matrix, i, j),
    ink: "",
    o: isThin(at, i) ? QUIET : 1,
  };
  if (matrix.isMasked?.(i, j)) return { ...mark, fill: "var(--hatching)", ink: "halo" };
  return matrix.tinted ? { ...mark, tint: number } : { ...mark, fill: shadeOf(matrix, number) };
}

/**
 * All cells of a matrix; isRead(i, j): whether one has its digits, for a shade says enough of the
 * others; more(i, j) is what they have beside their place and number.
 */
export function cellMarks(matrix, at, isRead, more, weight = "bold") {
  return matrix.rows.flatMap((row, i) =>
    row.map((_, j) => {
      const mark = cellMark(matrix, i, j, at);
      const digits = isRead(i, j) ? { ink: `${weight} ${mark.ink}` } : { format: unread };
      return { ...mark, ...digits, ...more?.(i, j) };
    }),
  );
}

/** True for a row that is not the one to be read. */
export const isThin = ({ here }, i) => here !== undefined && i !== here;

/** What is below 0 has a minus, the longer, the further below; digits have their own. */
export function belowMarks(matrix, at, isRead = () => false) {
  if (matrix.tinted) return [];
  return matrix.rows.flatMap((row, i) =>
    row.flatMap((number, j) => {
      const share = -shareOf(matrix, number);
      if (share < LEAST || isThin(at, i) || matrix.isMasked?.(i, j) || isRead(i, j)) return [];
      const cell = boxOf(at, { i, j });
      const [w, h] = [MINUS.w + share * MINUS.more, MINUS.h];
      const box = { x: cell.x + (cell.w - w) / 2, y: cell.y + (cell.h - h) / 2, w, h };
      const late = { rx: 2, delay: MADE, from: { o: 0 } };
      return [rect(`below ${idOf(matrix, i, j)}`, `below ${matrix.kind}`, box, late)];
    }),
  );
}

/** Which cells are read: the row of the pointed one and the column that meets it. */
export function isReadIn({ part, j, row }) {
  const isColumn = part !== "first";
  return (which, down, across) => (which === "second" ? isColumn && across === j : down === row);
}

/** The bar of a value. */
export const barBox = (value, zero, scale) => ({
  x: zero + Math.min(0, value) * scale,
  w: Math.abs(value) * scale,
});

/** The edge of a matrix. */
export function edgeMark(matrix, at) {
  const { id, rows } = matrix;
  const end = { i: rows.length - 1, j: rows[0].length - 1 };
  return rect(`edge ${id}`, "frame", boxOf(at, { i: 0, j: 0 }, end), { rx: 2 });
}

/** The same in its colour, around what asks or is asked. */
export const bandAround = (matrix, at) =>
  Object.assign(edgeMark(matrix, at), { id: `all ${matrix.id}`, class: `band ${matrix.kind}` });

/** A result comes out cell by cell. */
export const born = (i, j) => ({ delay: MADE + ((i + j) * STAGGER) / 2, from: { o: 0 } });

/** The title of a matrix and, apart, its shape: a product sign could be meant. */
export function titleMarks(matrix, x, y, anchor = "start") {
  const shape = `(${matrix.rows.length}, ${matrix.rows[0].length})`;
  const isLeft = anchor === "start";
  const apart = BESIDE + (isLeft ? widthOf(matrix.name, LETTERS, 650) : widthOf(shape));
  const far = x + (isLeft ? apart : -apart);
  const kind = `bold ${matrix.kind ?? ""}`;
  return [
    text(`title ${matrix.id}`, kind, [isLeft ? x : far, y], matrix.name, { anchor }),
    text(`shape ${matrix.id}`, "faint", [isLeft ? far : x, y], shape, { anchor }),
  ];
}

/** How a matrix is made, and what it is for. */
export function madeMarks(name, { attention }, word, [x, y]) {
  const vectors = name === "Q" && attention === "cross" ? "target $X$" : "$X$";
  const made = `$${name}$ = ${vectors} W_${name}`;
  const { size, apart } = MAKES;
  const end = [x + widthOf(made, size, 650) + apart, y];
  const more = { size, ...LEFT_END };
  return [
    text(`makes ${name}`, "bold", [x, y], made, more),
    text(`role ${name}`, `bold ${ROLES[name]}`, end, fillIn(FOR[name], { word }), more),
  ];
}

/** The names of the rows, left of a matrix; of queries, only the one that asks has its colour. */
export function rowNames(id, { names, kind }, at, chosen) {
  const other = kind === "query" ? "faint" : kind;
  return names.flatMap((name, i) => {
    if (isThin(at, i)) return [];
    const { y, h } = rowAt(at, i);
    const look = i === chosen ? `${kind} bold` : other;
    const size = at.size ?? LETTERS;
    const foot = [at.x - BESIDE, y + h / 2 + (BASELINE * size) / LETTERS];
    return [
      text(`${id}.${i}`, look, foot, fit(name, NAMES - BESIDE, size), { size, ...RIGHT_END }),
    ];
  });
}

/** The names of the columns, above a matrix; wide ones on two lines in turn. */
function columnNames(id, { names, kind }, at, chosen) {
  const lines = linesOf({ names }, at);
  return names.map((name, j) => {
    const x = at.x + (j + 0.5) * at.w;
    const room = Math.min(lines * at.w - NAME_AIR, 2 * (STAGE.width - x));
    const look = j === chosen ? `${kind} bold` : kind;
    return text(`${id}.${j}`, look, [x, at.y - ABOVE - (j % lines) * LINE], fit(name, room));
  });
}

/** The title of a result, beside the band that comes down into a column of it. */
function besideBand(matrix, { x, w }, column, y) {
  const count = matrix.rows[0].length;
  const isLeft = count > 1 && 2 * column + 1 < count;
  return titleMarks(matrix, isLeft ? x + count * w : x, y, isLeft ? "end" : "start");
}

/** Names and titles of X, W and what they make. */
function projectNames(parts, places, { part, i, j, asks }) {
  const { first, second, result } = parts;
  const line = places.result.y - ABOVE;
  const words = first.down.kind === "query" ? "asking" : "asked";
  const axis = { first: j, second: i }[part];
  return [
    ...titleMarks(first, 0, first.id === "X" ? line : line - LINE),
    ...columnNames("axis", first.across, places.first, axis),
    ...rowNames(words, first.down, places.first, asks),
    ...columnNames("made", second.across, places.second, part === "first" ? -1 : j),
    ...rowNames("axis of W", second.down, places.second, axis),
    ...titleMarks(second, places.end + BESIDE, places.second.y + places.second.h * 3.5 + BASELINE),
    ...besideBand(result, places.result, j, line),
  ];
}

/** Names and titles of Q, K^T and the scores. */
function compareNames(parts, places, { part, i, j, asks }) {
  const { first, second, result } = parts;
  const line = places.result.y - ABOVE;
  const inner = { first: j, second: i }[part];
  return [
    ...titleMarks(first, NAMES, line - LINE),
    ...columnNames("number", first.across, places.first, inner),
    ...rowNames("asking", first.down, places.first, asks),
    ...titleMarks(second, places.second.x - 2 * BESIDE - LETTERS, places.second.y - ABOVE, "end"),
    ...columnNames("asked", second.across, places.second, part === "first" ? -1 : j),
    ...rowNames("number of K", second.down, places.second, inner),
    ...besideBand(result, places.result, j, line),
  ];
}

/** Names of a map and of what becomes of it, their titles at the right of the row that is read. */
function mapNames(parts, places, { i, j }) {
  const { first, result } = parts;
  const title = (part) => {
    const { y, h } = rowAt(places[part], places[part].here);
    const right = places[part].x + places[part].w * result.rows[0].length;
    return titleMarks(parts[part], right + 2 * BESIDE, y + h / 2 + BASELINE);
  };
  return [
    ...rowNames("asking", result.down, places.result, i),
    ...columnNames("asked", result.across, places.first, j),
    ...(first ? title("first") : []),
    ...title("result"),
  ];
}

export function nameMarks({ step }, parts, places, cell) {
  if (step > COMPARE) return mapNames(parts, places, cell);
  return (step < COMPARE ? projectNames : compareNames)(parts, places, cell);
}

/** The box around everything from one cell of a place to another. */
export function boxOf(at, from, to = from) {
  const [{ y }, last] = [rowAt(at, from.i), rowAt(at, to.i)];
  const { x, w } = at;
  return { x: x + from.j * w, y, w: (to.j - from.j + 1) * w, h: last.y + last.h - y };
}

const around = (one, other) => {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  const right = Math.max(one.x + one.w, other.x + other.w);
  const bottom = Math.max(one.y + one.h, other.y + other.h);
  return { x, y, w: right - x, h: bottom - y };
};

/** The row and the column that meet in a cell: each sweeps from its matrix into the cell. */
export function meetMarks(state, parts, places, { part, i, j }) {
  const { first, second, result } = parts;
  const row = boxOf(places.first, { i, j: 0 }, { i, j: first.rows[0].length - 1 });
  const column = boxOf(places.second, { i: 0, j }, { i: second.rows.length - 1, j });
  const { i: rows, j: columns } = { i: result.rows.length - 1, j: result.rows[0].length - 1 };
  if (part !== "result") {
    const isRow = part === "first";
    const end = isRow ? { i, j: columns } : { i: rows, j };
    const makes = boxOf(places.result, isRow ? { i, j: 0 } : { i: 0, j }, end);
    return [band("made", "", makes, makes, 0)];
  }
  const cell = boxOf(places.result, { i, j });
  const wait = state.moved === state.step ? 0 : GLIDE; // the matrices arrive first
  return [
    band(`row ${state.step}`, first.kind, around(row, cell), row, wait),
    band(`column ${state.step}`, second.kind, around(column, cell), column, wait),
  ];
}

const band = (id, kind, box, start, delay) =>
  rect(`band ${id}`, `band ${kind ?? ""}`, box, { rx: 4, delay, from: { ...start, o: 0 } });
