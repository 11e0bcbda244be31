// One word asks the others. These stand one below the other and keep their place from the question
// to the shares: beside them come their keys, then their scores, then their weights.

import { HEAVY, widthOf } from "../frame/lettering.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, line, number, rect, text } from "../frame/shapes.mjs";
import { BESIDE, bandAround, barBox, cellMarks, formatOf, madeMarks, rowNames } from "./marks.mjs";
import { COMPARE, KEYS, projected, SOFTMAX, WORDS } from "./parts.mjs";
import { FLOOR, NAMES } from "./places.mjs";
import { best, spellProduct, transposed } from "./sums.mjs";

const ROW = { top: 58, most: 120, high: 0.78, size: 32, foot: 0.36 };
const TITLE = 40; // the feet of what stands above the rows
const CELL = 140; // a column of the keys
const QUERY = { x: 640, h: 76, title: 34 };
const ABOVE = { x: NAMES, y: 4, h: 46 }; // the query above the keys
const SCORE = { x: 470, w: 350 };
const FROM = 218; // the right end of the scores that become shares
const WHOLE = { x: 236, w: 560 }; // a bar of all that is shared out
const RIGHT = 880; // of what belongs to a word
const HEAD = { long: 16, turned: 0.45 }; // of an arrow
const AIR = 10; // beside a bar or a line
const SHARE = { size: 36, small: 28 };

/** The rows of the words, as of a matrix with cells. */
function rowsOf({ tokens }, room) {
  const h = Math.min(ROW.most, (room.height - FLOOR - ROW.top) / tokens.length);
  const isShort = tokens.every((word) => widthOf(word, ROW.size) < NAMES - 2 * AIR);
  return { x: NAMES, y: ROW.top, w: CELL, h, size: isShort ? ROW.size : undefined };
}

const middleOf = (at, key) => at.y + (key + 0.5) * at.h;
const footOf = (at, key, size) => middleOf(at, key) + ROW.foot * size;

/** A bar in the row of a word. */
function barOf(at, key, { x, w } = WHOLE) {
  const h = at.h * ROW.high;
  return { x, w, h, y: middleOf(at, key) - h / 2 };
}

const namesOf = ({ tokens }, at, chosen) =>
  rowNames("asked", { names: tokens, kind: "key" }, at, chosen);

/** The first sight: the words that can be taken from, each share a question. */
export function goalMarks(state, room, act) {
  const at = rowsOf(state, room);
  const more = { pick: () => act.next() };
  const open = (_, key) => rect(`whole ${key}`, "veil", barOf(at, key), more);
  return [...namesOf(state, at, -1), ...state.tokens.map(open)];
}

/** A line with a head at its end. */
function arrow({ x, y, toX, toY }) {
  const back = Math.atan2(y - toY, x - toX);
  const sides = [HEAD.turned, -HEAD.turned].map((turn) => {
    const [along, down] = [Math.cos, Math.sin].map((part) => HEAD.long * part(back + turn));
    return `M${toX},${toY}l${along},${down}`;
  });
  return `M${x},${y}L${toX},${toY}${sides.join("")}`;
}

/** From the word that asks to each key. */
function askingLines({ tokens }, { x, y, h }, end, at) {
  const start = [x - AIR, y + h / 2];
  const from = { toX: start[0], toY: start[1] };
  return tokens.map((_, key) => {
    const more = { from, delay: GLIDE + key * STAGGER, d: arrow };
    return line(`asks ${key}`, "query-line", start, [end + AIR, middleOf(at, key)], more);
  });
}

/** The keys in the rows of their words, and the query: it asks each, then stands above them. */
function keyMarks(state, asks, word, at, touch) {
  const [queries, keys] = ["Q", "K"].map((name) => projected(state, name));
  const isFirst = state.step === KEYS;
  const query = { ...queries, id: "query", rows: [queries.rows[asks]] };
  const middle = middleOf(at, (state.tokens.length - 1) / 2);
  const place = {
    w: CELL,
    size: at.size,
    ...(isFirst ? { ...QUERY, y: middle - QUERY.h / 2 } : ABOVE),
  };
  const isRead = () => true;
  const pick = (i, j) => ({ pick: touch({ part: "result", i, j }).pick });
  const marks = [
    ...[...cellMarks(query, place, isRead), bandAround(query, place)],
    ...[...cellMarks(keys, at, isRead, pick), bandAround(keys, at)],
  ];
  if (!isFirst)
    return [...rowNames("asking", { names: [word], kind: "query" }, place, 0), ...marks];
  return [
    ...madeMarks("Q", state, word, [place.x, place.y + place.h + QUERY.title]),
    ...madeMarks("K", state, word, [at.x, TITLE]),
    ...askingLines(state, place, at.x + CELL * keys.rows[0].length, at),
    ...marks,
  ];
}

/** The scores of the keys as bars, as long as they were before they were divided. */
function scoreMarks({ numbers }, map, asks, at) {
  const [low, high] = [Math.min, Math.max].map((end) => end(0, ...numbers.products[asks]));
  const scale = SCORE.w / (high - low || 1);
  const zero = SCORE.x - low * scale;
  const rule = { x: zero - 1, y: at.y, w: 2, h: at.h * map.rows[asks].length };
  const bars = map.rows[asks].flatMap((score, key) => {
    const value = map.isMasked?.(asks, key) ? 0 : score;
    const more = { delay: key * STAGGER, from: { x: zero, w: 0 } };
    const { size } = ROW;
    const foot = [zero + Math.max(0, value) * scale + AIR, footOf(at, key, size)];
    const told = { size, ...LEFT_END };
    const kind = key === best(map, asks) ? "bold" : "";
    return [
      rect(`bar ${key}`, "score", barOf(at, key, barBox(value, zero, scale)), more),
      number(`digits ${key}`, kind, foot, score, formatOf(map, asks, key), told),
    ];
  });
  return [...bars, rect("zero", "rule", rule)];
}

/** A weight as part of a whole, and the score that it comes from. */
function shareMarks({ first, result }, asks, at, key, most) {
  const [score, weight] = [first, result].map(({ rows }) => rows[asks][key]);
  const [before, now] = [first, result].map((map) => formatOf(map, asks, key));
  const { size, small } = SHARE;
  const isMost = key === most;
  const bar = barOf(at, key, { ...WHOLE, w: weight * WHOLE.w });
  const foot = [bar.x + bar.w + AIR, footOf(at, key, size)];
  const was = { size: small, ...RIGHT_END };
  return [
    rect(`whole ${key}`, result.isMasked(asks, key) ? "masked" : "frame", barOf(at, key)),
    rect(`bar ${key}`, "piece", bar, { delay: key * STAGGER, tint: weight }),
    number(`digits ${key}`, isMost ? "bold halo" : "halo", foot, weight, now, {
      size,
      ...LEFT_END,
    }),
    number(`score ${key}`, "faint", [FROM, footOf(at, key, small)], score, before, was),
  ];
}

/** How the highest score came about, while no other is pointed at. */
function sumMarks({ first, second, result }, asks, most, { isNone }) {
  if (!isNone) return [];
  const sum = spellProduct(first.rows[asks], transposed(second.rows)[most]);
  const x = SCORE.x + widthOf(result.name, undefined, HEAVY) + BESIDE;
  return [text("sum", "faint", [x, TITLE], sum, LEFT_END)];
}

/** Where a word is pointed at: its sum is told; a click shows all words that ask. */
function areasOf({ tokens, pointed }, asks, at, { touch, act }) {
  return tokens.map((_, key) => {
    const box = { x: 0, w: RIGHT, y: at.y + key * at.h, h: at.h };
    const there = { part: WORDS, i: asks, j: key, asks };
    const hover = () => pointed.j !== key && act.change({ pointed: there });
    const { pick } = touch({ part: "result", i: asks, j: key });
    return rect(`area ${key}`, "pick", box, { pick, hover });
  });
}

/** Keys, scores or weights beside the words, of one that asks. */
export function wordMarks(state, parts, room, cell, { word, touch, act }) {
  const at = rowsOf(state, room);
  const { asks, isNone, j } = cell;
  if (state.step === KEYS)
    return [...namesOf(state, at, -1), ...keyMarks(state, asks, word, at, touch)];
  const isLast = state.step === SOFTMAX;
  const most = best(parts.result, asks);
  const marks = isLast
    ? state.tokens.flatMap((_, key) => shareMarks(parts, asks, at, key, most))
    : [...keyMarks(state, asks, word, at, touch), ...scoreMarks(state, parts.result, asks, at)];
  const { x } = isLast ? WHOLE : SCORE;
  marks.push(text("title", "bold", [x, TITLE], parts.result.name, LEFT_END));
  if (isLast) marks.push(text("from", "faint", [FROM, TITLE], parts.first.name, RIGHT_END));
  if (state.step === COMPARE) marks.push(...sumMarks(parts, asks, most, cell));
  const ring = isNone ? [] : [rect("ring", "focused", barOf(at, j, { x: 2, w: RIGHT + AIR }))];
  const chosen = isLast || !isNone ? j : -1;
  return [
    ...namesOf(state, at, chosen),
    ...marks,
    ...ring,
    ...areasOf(state, asks, at, { touch, act }),
  ];
}
