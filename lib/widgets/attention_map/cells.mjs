// The marks of maps of weights: cells or canvases, their labels, and what is pointed at.
import { clamp, digits, numbers } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { rect, text } from "../frame/shapes.mjs";
import { BESIDE, cellAt, corner, fit, HEADING, wide } from "./plan.mjs";

const CELLS = 1000; // at most as many are SVG, more are painted on a canvas
const HATCHED = 32; // tokens at most where masked cells are hatched with lines
const FINE = 2; // pixels: smaller cells of a canvas are smoothed
const WITH_DIGITS = { width: 46, height: 24 }; // of the smallest cell that has digits
const LARGE_DIGITS = 40;
const OTHERS = 0.66; // of that size are the digits that are not the largest of their row
const FIRST_LINE = 24; // the feet of what the axes are
const NAME = 22; // from the headings down to the names of the maps of the first row
const MIDDLE = 8; // from the middle of a line of letters down to where they stand
const ASIDE = { 0: 0, 45: 4, 90: 8 }; // from a column's middle to a label with this turn
const ROW_ROOM = 170; // of a label
const LEAST_ASKED = 40; // of the key's label beside the name of its head
const LEAST_MIDDLE = 104; // of "query (who asks)", so that it does not leave the room
const MARK = { thick: 5, off: 7 }; // beside the row and above the column that are pointed at
const THINNEST = 8; // of these marks, so that they are seen
const LEGEND = { steps: 10, width: 12, height: 20, above: 19, least: "weight 0" };
const CROSSED = { period: 3, line: 170, between: 70 }; // on a canvas: opacities of 255
const VEIL_LETTERS = { share: 0.7, most: 104 }; // of a map's height

/**
 * The weights as sent, float32 or one byte for each in steps of top / 255, and what a step is
 * worth.
 */
export function weightsOf(view, cells, top) {
  return view.byteLength === cells ? [numbers(view, Uint8Array), top / 255] : [numbers(view), 1];
}

/** Which of the S weights from `start` on is the largest. */
export function largest(weights, start, S) {
  const row = weights.subarray(start, start + S);
  return row.indexOf(row.reduce((most, weight) => Math.max(most, weight)));
}

/** Enough digits to tell small weights apart. */
export function written(weight) {
  if (weight > 0 && weight < 5e-5) return "<0.0001";
  return digits(weight, weight > 0 && weight < 0.01 ? 4 : 2);
}

const lastRead = new WeakMap(); // model -> the bytes that were read last, and what they say

/** What travels as bytes, read when it is new. */
function unpacked(model) {
  const [view, maskView] = [model.get("weights"), model.get("mask")];
  const last = lastRead.get(model);
  if (last?.view === view && last.maskView === maskView) return last.said;
  const [H, T, S] = model.get("shape");
  const [weights, unit] = weightsOf(view, H * T * S, model.get("top"));
  const mask = numbers(maskView, Uint8Array);
  const said = { weights, unit, mask, version: (last?.said.version ?? 0) + 1 };
  lastRead.set(model, { view, maskView, said });
  return said;
}

function read(model) {
  const shape = model.get("shape");
  const pointed = ["head", "query", "key"].map((name, axis) => [
    name,
    clamp(model.get(name), 0, shape[axis] - 1),
  ]);
  return { ...Object.fromEntries(pointed), ...unpacked(model) };
}

/** What every drawing of maps says of its state. */
export const MAPS = {
  traits: [
    ...["shape", "top", "limit", "exact", "names", "query_tokens", "key_tokens"],
    ...["pinned", "solo", "has_digits", "than"],
  ],
  read,
  keep: ["head", "query", "key", "pinned", "solo"],
};

/** Where the row of a head's query begins among the weights. */
const startOf = ({ shape: [, T, S] }, head, query) => (head * T + query) * S;

/** One weight. */
export function weightAt(state, head, query, key) {
  return state.weights[startOf(state, head, query) + key] * state.unit;
}

export function isMasked({ mask, shape: [, , S] }, query, key) {
  return mask.length > 0 && !mask[query * S + key];
}

/** True if the weights travelled exactly, or Python has sent the exact numbers of this cell. */
export function isExact({ exact, unit }, query, key) {
  return unit === 1 || (exact.query === query && exact.key === key);
}

/** A head's weight here, which key its row looks at most, and with which weight. */
export function readHead(state, head, query, key) {
  const { exact, unit, weights, shape } = state;
  if (unit !== 1 && isExact(state, query, key))
    return { weight: exact.weights[head], leader: exact.leaders[head], most: exact.largest[head] };
  const leader = largest(weights, startOf(state, head, query), shape[2]);
  return {
    weight: weightAt(state, head, query, key),
    leader,
    most: weightAt(state, head, query, leader),
  };
}

/** A CSS colour as the lower three bytes of a canvas's pixel. */
function pixel(context, colour) {
  context.fillStyle = colour.trim();
  const bytes = context.fillStyle.match(/[0-9a-f]{2}/g);
  const [red, green, blue] = bytes.map((byte) => parseInt(byte, 16));
  return (blue << 16) | (green << 8) | red;
}

/** Paint rows of weights, from the query `first` on, as one pixel for each cell. */
export function paintPixels(context, style, state, head, first, rows) {
  const S = state.shape[2];
  const ink = pixel(context, style.getPropertyValue("--weight"));
  const grey = pixel(context, style.getPropertyValue("--masked"));
  const image = context.createImageData(S, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const start = startOf(state, head, first);
  const full = (255 * state.unit) / state.limit;
  for (let i = 0; i < rows * S; i++) {
    const diagonal = (i % S) + Math.floor(i / S);
    const hatch = diagonal % CROSSED.period ? CROSSED.between : CROSSED.line;
    const depth = Math.min(255, state.weights[start + i] * full + 0.5);
    const hidden = state.mask.length > 0 && !state.mask[first * S + i];
    const covered = isHatched(state) ? 0 : grey | (hatch << 24);
    pixels[i] = hidden ? covered : ink | (depth << 24);
  }
  context.putImageData(image, 0, 0);
}

/** A head's map as a canvas in a box, and the hatching of its masked cells. */
export function canvasMap(state, head, box, id = `${head}`) {
  const [, T, S] = state.shape;
  const isFine = Math.min(box.w / S, box.h / T) < FINE;
  const map = {
    id: `map ${id}`,
    class: isFine ? "fine" : "",
    columns: S,
    rows: T,
    version: `${state.version} ${state.limit} ${head}`,
    draw: (context, style) => paintPixels(context, style, state, head, 0, T),
    ...box,
  };
  if (!isHatched(state)) return [map];
  const path = ({ x, y, w, h }) => maskPath(state, { x, y, w: w / S, h: h / T });
  return [map, { id: `mask ${id}`, class: "masked", d: path, ...box }];
}

/** True if the masked cells are large enough for lines; if not, they are pixels. */
const isHatched = ({ mask, shape: [, T, S] }) => mask.length > 0 && Math.max(T, S) <= HATCHED;

/** The masked cells as one shape; w and h are those of a cell. */
function maskPath(state, { x, y, w, h }) {
  const [, T, S] = state.shape;
  let path = "M0,0";
  for (let query = 0; query < T; query++)
    for (let key = 0; key < S; key++)
      if (isMasked(state, query, key)) path += `M${x + key * w},${y + query * h}h${w}v${h}h${-w}z`;
  return path;
}

/** Two digits; where there is little room the 0 before the point or at the end is left out. */
function formatOf(isRoomy) {
  if (isRoomy) return digits;
  return (weight) => digits(weight).replace(/^0|0$/, "");
}

/** True if the weights are read as digits: the cells have room for them. */
function hasDigits({ has_digits: isWanted }, { cellWidth, cellHeight, heads, T, S }) {
  const hasRoom = cellWidth >= WITH_DIGITS.width && cellHeight >= WITH_DIGITS.height;
  return isWanted && hasRoom && heads * T * S <= CELLS;
}

/** A tint says enough where nobody points. */
const unread = () => "";

const isPointed = (state, query, key) => query === state.query && key === state.key;
const isThan = ({ than }, query, key) => query === than[0] && key === than[1];

/** Which cells have digits: the row that asks and every row's largest, or the two compared. */
function isSpelled(state, head, query, key) {
  if (isBold(state, head, query, key)) return true;
  return query === state.query && (state.than.length === 0 || isLeader(state, head, query, key));
}

/** The two that are compared, or every row's largest. */
function isBold(state, head, query, key) {
  if (state.than.length === 0) return isLeader(state, head, query, key);
  return isPointed(state, query, key) || isThan(state, query, key);
}

const isLeader = (state, head, query, key) => readHead(state, head, query, key).leader === key;

/** Where two cells are compared, all rows are hidden but that of the cell that is known. */
const isHidden = ({ veiled, than }, query) => veiled && query !== than[0];

/** What hides them: one veil above that row, and one below it. */
function veilsAround({ veiled, than: [known] }, { T, cellHeight }, box) {
  const ranges = [
    [0, known],
    [known + 1, T],
  ];
  const rows = ranges.filter(([from, to]) => veiled && from < to);
  return rows.map(([from, to]) => {
    const part = { y: box.y + from * cellHeight, h: (to - from) * cellHeight };
    return rect(`veil from ${from}`, "veil", { ...box, ...part });
  });
}

function cellMarks(state, head, plan, [left, top]) {
  const { T, S, cellWidth, cellHeight } = plan;
  const isRead = hasDigits(state, plan);
  const most = clamp(Math.min(cellHeight * 0.45, cellWidth / 3), LABEL, LARGE_DIGITS);
  const least = state.than.length > 0 ? most : Math.max(LABEL, OTHERS * most);
  const format = formatOf(cellWidth >= widthOf("0.00", most) + 10);
  const marks = [];
  for (let i = 0; i < T * S; i++) {
    const [query, key] = [Math.floor(i / S), i % S];
    const place = { x: left + key * cellWidth, y: top + query * cellHeight };
    const box = { ...place, w: cellWidth, h: cellHeight };
    const id = `cell ${head}.${query}.${key}`;
    const number = weightAt(state, head, query, key);
    const tint = Math.min(1, number / state.limit);
    if (isHidden(state, query)) continue;
    if (isMasked(state, query, key)) marks.push(rect(id, "masked", box));
    else if (isRead) {
      const isMost = isBold(state, head, query, key);
      marks.push({
        ...{ id, kind: "cell", ...box, number, tint, size: isMost ? most : least },
        format: isSpelled(state, head, query, key) ? format : unread,
        ink: isMost ? "bold" : "",
      });
    } else marks.push(rect(id, "frame", box, { rx: 0, tint }));
  }
  return marks;
}

/** Where each row's largest is asked for, all is hidden: also which cell is pointed at. */
const isCovered = ({ veiled, than }) => veiled && than.length === 0;

const boxOf = (plan, [x, y]) => ({ x, y, w: plan.cellWidth * plan.S, h: plan.cellHeight * plan.T });

function veilOver(head, box, act) {
  const size = Math.min(VEIL_LETTERS.most, VEIL_LETTERS.share * box.h);
  const middle = [box.x + box.w / 2, box.y + box.h / 2 + size * 0.36];
  const pick = () => act.next();
  return [
    rect(`veil ${head}`, "veil", box, { rx: 4, pick }),
    text(`ask ${head}`, "large halo", middle, "?", { size, pick }),
  ];
}

/** A head's map: its weights, its frame, and what reacts to the pointer; or a veil. */
function mapMarks(state, map, head, plan, act) {
  const place = corner(plan, map);
  const box = boxOf(plan, place);
  if (isCovered(state) || (state.veiled && !hasDigits(state, plan)))
    return veilOver(head, box, act);
  const isLarge = plan.heads * plan.T * plan.S > CELLS;
  const marks = isLarge ? canvasMap(state, head, box) : cellMarks(state, head, plan, place);
  const at = (point) => [head, ...cellAt(plan, map, point)];
  return [
    ...marks,
    ...veilsAround(state, plan, box),
    rect(`edge ${head}`, "line", box, { rx: 0 }),
    state.veiled
      ? rect(`show ${head}`, "pick", box, { pick: () => act.next() })
      : rect(`point ${head}`, "pick", box, {
          hover: (point) => act.point(at(point)),
          pick: (point) => act.choose(at(point)),
        }),
  ];
}

/** A head's name; where there is little room "head 12" is "12". */
function nameOf({ names }, head, plan) {
  const room = plan.cellWidth * plan.S + BESIDE;
  const isBrief = names.some((name) => wide(name) > room);
  return fit(isBrief ? names[head].split(" ").at(-1) : names[head], room);
}

function nameMark(state, map, head, plan) {
  const [x, y] = corner(plan, map);
  const high = map < plan.columns ? HEADING + NAME : y - BESIDE;
  const kind = head === state.head ? "bold" : "";
  return text(`name ${head}`, kind, [x, high], nameOf(state, head, plan), { anchor: "start" });
}

function keyLabels(state, map, head, plan) {
  const { turn, cellWidth, columns } = plan;
  const [x, y] = corner(plan, map);
  const isHere = Math.max(0, seen(state).indexOf(state.head)) % columns === map;
  const anchor = turn === 0 ? "middle" : "start";
  return state.key_tokens.map((token, key) => {
    const isPart = key === state.key || key === state.than[1];
    const kind = isHere && !isCovered(state) && isPart ? "bold key" : "faint";
    const foot = [x + cellWidth * (key + 0.5) + ASIDE[turn], y - BESIDE - 2];
    const shown = fit(token, plan.room);
    return text(`key ${head}.${key}`, kind, foot, shown, { anchor, turn: -turn });
  });
}

function rowLabels(state, plan) {
  const here = Math.floor(Math.max(0, seen(state).indexOf(state.head)) / plan.columns);
  const marks = [];
  for (let row = 0; row < plan.rows; row++)
    for (const [query, token] of state.query_tokens.entries()) {
      const asks = !isCovered(state) && (query === state.query || query === state.than[0]);
      const kind = row === here && asks ? "bold query" : "faint";
      const y = plan.top + row * plan.stepY + plan.cellHeight * (query + 0.5) + MIDDLE;
      const shown = fit(token, ROW_ROOM);
      marks.push(
        text(`query ${row}.${query}`, kind, [plan.left - BESIDE, y], shown, { anchor: "end" }),
      );
    }
  return marks;
}

/** The scale of the weights, which ends at a point: [its marks, where it begins]. */
export function weightScale(state, [right, foot]) {
  const { steps, width: w, height: h, above, least } = LEGEND;
  const limit = state.limit === 1 ? "1" : written(state.limit);
  const most = state.top > state.limit ? `\u2265\u2009${limit}` : limit;
  const start = right - widthOf(most) - BESIDE - steps * w;
  const marks = [
    text("least", "", [start - BESIDE, foot], least, { anchor: "end" }),
    text("most", "", [right, foot], most, { anchor: "end" }),
  ];
  for (let i = 0; i < steps; i++) {
    const tint = (i + 0.5) / steps;
    const box = { x: start + i * w, y: foot - above, w, h };
    marks.push(rect(`legend ${i}`, "swatch", box, { tint }));
  }
  return [marks, start - BESIDE - widthOf(least)];
}

/** What the axes are, and the scale of the weights, up to the right edge. */
function headings(state, plan, right) {
  const lowest = plan.top + (plan.rows - 1) * plan.stepY + plan.cellHeight * plan.T;
  const middle = Math.max(LEAST_MIDDLE, (plan.top + lowest) / 2);
  const side = plan.left - BESIDE - plan.beside - BESIDE;
  const [legend, start] = weightScale(state, [right, FIRST_LINE]);
  const free = start - BESIDE - plan.left;
  const asked = widthOf("key (who is asked)") < free ? "key (who is asked)" : "key";
  return [
    text("axis key", "key", [plan.left, FIRST_LINE], asked, { anchor: "start" }),
    text("axis query", "query", [side, middle], "query (who asks)", { turn: -90 }),
    ...legend,
  ];
}

/** The pointed cell, with a bar beside its row and above its column: in this map only. */
function pointedMarks(state, plan) {
  const [x, y] = corner(plan, Math.max(0, seen(state).indexOf(state.head)));
  const { query, key } = state;
  const [w, h] = [Math.max(THINNEST, plan.cellWidth), Math.max(THINNEST, plan.cellHeight)];
  const middle = { x: x + plan.cellWidth * (key + 0.5), y: y + plan.cellHeight * (query + 0.5) };
  const foot = [middle.x, middle.y + MIDDLE];
  const cell = { x: middle.x - w / 2, y: middle.y - h / 2, w, h };
  const row = { x: x - MARK.off, y: cell.y, w: MARK.thick, h };
  const column = { x: cell.x, y: y - MARK.off, w, h: MARK.thick };
  const kind = state.pinned ? "focused pinned" : "focused";
  const isRead = hasDigits(state, plan);
  const hasBand = isRead && state.than.length === 0;
  const band = { x: x - 2, y: cell.y - 2, w: plan.cellWidth * plan.S + 4, h: h + 4 };
  return [
    rect("row", "query", row),
    rect("column", "key", column),
    ...(hasBand ? [rect("band", "query-line", band, { rx: 0 })] : []),
    ...pairMarks(state, plan, cell, [x, y]),
    ...(state.veiled && isRead ? [text("ask", "bold halo", foot, "?")] : []),
    rect("here", kind, cell, { rx: 0 }),
    ...floating(state, plan, middle, [x, y]),
  ];
}

/** Where each row of each head puts most of its weight. */
function largestMarks(state, plan) {
  if (state.than.length > 0 || plan.isBeside || !plan.rowLabels) return [];
  const { T, cellWidth: w, cellHeight: h } = plan;
  const marks = [];
  for (const [map, head] of seen(state).entries()) {
    const [x, y] = corner(plan, map);
    for (let query = 0; query < T; query++) {
      const { leader, most } = readHead(state, head, query, 0);
      const box = { x: x + leader * w, y: y + query * h, w, h };
      if (most > 0) marks.push(rect(`most ${head}.${query}`, "focused", box, { rx: 0 }));
    }
  }
  return marks;
}

/** The cell that is known, and round the one that is asked about what makes the eye find it. */
function pairMarks({ than: [query, key] }, { cellWidth: w, cellHeight: h }, cell, [x, y]) {
  if (query === undefined) return [];
  return [
    rect("than", "focused", { x: x + key * w, y: y + query * h, w, h }, { rx: 0 }),
    rect("sought", "sought", cell, { rx: 0 }),
  ];
}

/** Beside the map the query and above it the key that are pointed at, where labels are not. */
function floating(state, plan, middle, [x, y]) {
  const marks = [];
  if (!plan.rowLabels) {
    const token = fit(state.query_tokens[state.query], ROW_ROOM);
    const place = [plan.left - BESIDE, middle.y + MIDDLE];
    marks.push(text("asks", "bold query halo", place, token, { anchor: "end" }));
  }
  if (plan.turn === null) {
    const isBesideName = plan.named && plan.heads > 1;
    const left = isBesideName ? x + wide(nameOf(state, state.head, plan)) + 2 * BESIDE : x;
    const right = x + plan.cellWidth * plan.S;
    const room = isBesideName ? Math.min(ROW_ROOM, right - left) : ROW_ROOM;
    if (room < LEAST_ASKED) return marks; // the caption names it
    const token = fit(state.key_tokens[state.key], room);
    const half = wide(token) / 2;
    const end = Math.max(left + half, right - half);
    const place = [clamp(middle.x, left + half, end), y - BESIDE - 2];
    marks.push(text("asked", "bold key halo", place, token));
  }
  return marks;
}

/** The heads that have a map: all of them, or the one that has the whole picture. */
export function seen({ solo, shape }) {
  return solo < 0 ? [...Array(shape[0]).keys()] : [solo];
}

/**
 * All marks of the maps that are seen. right: where the scale of the weights ends; act.point and
 * act.choose take the [head, query, key] that is pointed at and clicked.
 */
export function maps(state, plan, right, act) {
  const heads = seen(state);
  const marks = headings(state, plan, right);
  for (const [map, head] of heads.entries()) {
    if (plan.named) marks.push(nameMark(state, map, head, plan));
    if (plan.turn !== null && map < plan.columns) marks.push(...keyLabels(state, map, head, plan));
  }
  if (plan.rowLabels) marks.push(...rowLabels(state, plan));
  const isShown = !isCovered(state);
  const pointed = isShown ? [...largestMarks(state, plan), ...pointedMarks(state, plan)] : [];
  return [
    ...marks,
    ...heads.flatMap((head, map) => mapMarks(state, map, head, plan, act)),
    ...pointed,
  ];
}
