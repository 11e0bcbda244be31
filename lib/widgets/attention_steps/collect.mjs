// The last step: each word hands over its value in the share of its weight, and the shares stack up
// to the new value of the word that asks.

import { digits, fillIn, short } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { STAGGER } from "../frame/scene.mjs";
import { ABOVE, BASELINE, boxOf, cellMark, fitName, rowNames, titleMarks } from "./marks.mjs";
import { axisName } from "./parts.mjs";
import { NAMES, RULE, collectPlaces } from "./places.mjs";
import { fitted, partsOf, total } from "./sums.mjs";

const AFTER_BAR = 10; // from a bar to its digits
const TAKEN = 300; // milliseconds until the shares are taken, and until they stack up
const STACKED = 480;
const NAMED = 900;
const SUM = 28; // letters of a collected number
const OVER = 6; // a ghost is so much higher than the bar
const CUT = 1.5; // between two shares of a stack
const WORD_LETTERS = 9;
const TOLD_WEIGHT = 650;
const AIR_OF_TOLD = 24; // beside it, to the output
const WORD_AIR = 2;

const NOW = {
  changed: "\u201c{word}\u201d is now: {values}",
  new: "\u201c{word}\u201d collects: {values}",
};
const NAMED_VALUE = "{axis} {value}";

/** The value of the word itself, before attention; a French word that asks has none here. */
export function ownValue({ attention, numbers }, i, j) {
  return attention === "cross" ? undefined : numbers.V[i][j];
}

/** From the left edge to the names of the output's rows. */
function roomOfTold({ result }, at) {
  const names = result.down.names.map((name) => fitName(name, NAMES));
  return (
    at.output.x - Math.max(...names.map((name) => widthOf(name, LABEL, TOLD_WEIGHT))) - AIR_OF_TOLD
  );
}

/** What the word that asks has collected: by name, or in digits alone where the names are long. */
function told(state, parts, i, width) {
  const values = state.numbers.output[i].map((value) => digits(value));
  const { names } = parts.second.across;
  const named = values.map((value, j) => fillIn(NAMED_VALUE, { axis: axisName(names[j]), value }));
  const whole = nowOf(state, i, named);
  return widthOf(whole, LABEL, TOLD_WEIGHT) <= width ? whole : nowOf(state, i, values);
}

function nowOf({ queries, attention }, i, values) {
  const sentence = attention === "cross" ? NOW.new : NOW.changed;
  return fillIn(sentence, { word: short(queries[i], WORD_LETTERS), values: values.join(", ") });
}

const barBox = (value, zero, scale) => ({
  x: zero + Math.min(0, value) * scale,
  w: Math.abs(value) * scale,
});

/** A word, its weight, and its values as bars, of which the share is filled. */
function rowMarks(key, state, parts, at, { i, j, part }) {
  const y = at.row.y + key * at.row.gap;
  const foot = y + at.row.h / 2 + BASELINE;
  const { first, second } = parts;
  const weight = { x: at.weight.x, y: y - 3, w: at.weight.w, h: at.row.h + 6 };
  const isHere = part === "first" && j === key;
  const word = { x: NAMES - AFTER_BAR - 2, y: foot, anchor: "end" };
  const marks = [
    {
      id: `asked.${key}`,
      class: isHere ? "key bold" : "key",
      text: fitName(state.tokens[key], NAMES - AFTER_BAR - 2),
      ...word,
    },
    { ...cellMark(first, i, key, { x: 0, y: 0, w: weight.w, h: weight.h }), ...weight },
  ];
  for (const [axis, value] of second.rows[key].entries())
    marks.push(...valueMarks({ key, axis, value, y, foot }, state, at, i));
  return marks;
}

function valueMarks({ key, axis, value, y, foot }, state, at, i) {
  const zero = at.zero(axis);
  const h = at.row.h;
  const whole = barBox(value, zero, at.scale);
  const taken = barBox(value * state.numbers.weights[i][key], zero, at.scale);
  const delay = key * STAGGER;
  const marks = [
    { id: `bar ${key}.${axis}`, class: "outline", y, h, ...whole, delay, from: { x: zero, w: 0 } },
    {
      id: `V.${key}.${axis}`,
      class: "value",
      anchor: "start",
      x: zero + Math.max(0, value) * at.scale + AFTER_BAR,
      y: foot,
      number: value,
      format: fitted,
    },
  ];
  if (state.veiled) return marks;
  const late = { delay: TAKEN + delay, from: { x: zero, w: 0, o: 1 } };
  return [...marks, { id: `taken ${key}.${axis}`, class: "value", y, h, ...taken, ...late }];
}

/** The shares of one value, end to end: what is below zero at the left. */
function stackMarks(axis, state, at, i) {
  const zero = at.zero(axis);
  const shares = partsOf(state.numbers, i, axis);
  const ends = { plus: zero, minus: zero };
  const marks = [];
  for (const [key, share] of shares.entries()) {
    const w = Math.abs(share) * at.scale;
    if (share < 0) ends.minus -= w;
    const x = share < 0 ? ends.minus : ends.plus;
    if (share > 0) ends.plus += w;
    const from = { ...barBox(share, zero, at.scale), y: rowTop(at, key), h: at.row.h, o: 1 };
    const box = { x, w: Math.max(0, w - CUT), ...at.stack };
    const delay = STACKED + 2 * key * STAGGER;
    marks.push({ id: `share ${key}.${axis}`, class: "share", ...box, delay, from });
    marks.push(...shareName(key, axis, state, { x, w, at }));
  }
  const right = Math.max(ends.plus, ghostEnd(state, i, axis, at));
  return [...marks, ...ownGhost(state, i, axis, at), sumMark(total(shares), axis, right, at)];
}

const rowTop = (at, key) => at.row.y + key * at.row.gap;

/** The word that hands over a share, if there is room for it. */
function shareName(key, axis, state, { x, w, at }) {
  const word = state.tokens[key];
  if (widthOf(word) + WORD_AIR > w) return [];
  const y = at.stack.y + at.stack.h / 2 + BASELINE;
  return [{ id: `from ${key}.${axis}`, x: x + w / 2, y, text: word, delay: NAMED }];
}

function ghostEnd(state, i, axis, at) {
  return at.zero(axis) + Math.max(0, ownValue(state, i, axis) ?? 0) * at.scale;
}

/** The value of the word alone, dashed round the stack. */
function ownGhost(state, i, axis, at) {
  const own = ownValue(state, i, axis);
  if (own === undefined) return [];
  const { x, w } = barBox(own, at.zero(axis), at.scale);
  const box = { x, w: Math.max(1, w), y: at.stack.y - OVER, h: at.stack.h + 2 * OVER };
  return [{ id: `own ${axis}`, class: "ghost", rx: 0, ...box, delay: STACKED }];
}

function sumMark(number, axis, right, at) {
  const y = at.stack.y + at.stack.h / 2 + BASELINE;
  const late = { delay: NAMED, from: { number: 0, o: 0 } };
  const kind = { class: "value bold", anchor: "start", size: SUM, format: fitted };
  return { id: `sum ${axis}`, ...kind, x: right + AFTER_BAR, y, number, ...late };
}

/** Lines and names: the axes, the rule above the sum, who collects. */
function frameMarks(state, parts, at, { part, i, j }) {
  const top = at.row.y - ABOVE;
  const bottom = at.stack.y + at.stack.h;
  const right = at.axis.x + at.axis.pitch * at.axis.count;
  const marks = [
    { id: "weight", class: "faint", x: at.weight.x + at.weight.w / 2, y: top, text: "weight" },
    { id: "rule", class: "ink", x: 0, w: right, y: at.stack.y - RULE, h: 2 },
  ];
  for (const [axis, name] of parts.second.across.names.entries()) {
    const isHere = part !== "first" && axis === j;
    const place = { anchor: "start", x: at.zero(axis), y: top };
    const foot = { x: at.zero(axis) - 1, w: 2, y: at.row.y - 4, h: bottom + 4 - at.row.y };
    const text = axisName(name);
    marks.push({ id: `made.${axis}`, class: isHere ? "value bold" : "value", text, ...place });
    marks.push({ id: `zero ${axis}`, class: "rule", ...foot });
  }
  const word = fitName(state.queries[i], at.axis.x - 3 * AFTER_BAR);
  const middle = at.stack.y + at.stack.h / 2;
  const left = { anchor: "start", x: 0 };
  marks.push({ id: "asks", class: "query bold", ...left, y: middle - 4, text: word });
  marks.push({ id: "collects", ...left, y: middle + 24, text: "collects" });
  return marks;
}

/** The output: what every word collects. */
function outputMarks(parts, at, { i, part }) {
  const { result } = parts;
  const marks = [
    ...titleMarks(result, at.output.x, at.output.y - ABOVE),
    ...rowNames("asking", result.down, at.output, part === "second" ? -1 : i),
  ];
  const cells = result.rows.flatMap((row, asks) =>
    row.map((_, axis) => ({ ...cellMark(result, asks, axis, at.output), delay: NAMED })),
  );
  return [...marks, ...cells];
}

/** What hides the collected values. */
function veilMarks(at, act) {
  const { x, pitch, count } = at.axis;
  const pick = () => act.next();
  const asked = "what is collected?";
  const middle = { x: x + (pitch * count) / 2, y: at.stack.y + at.stack.h / 2 + BASELINE };
  return [
    { id: "veil", class: "veil", rx: 8, x, w: pitch * count, ...at.stack, pick },
    { id: "ask", class: "bold halo", size: SUM, ...middle, text: asked },
  ];
}

/** Where the pointer finds a number: the bars of a word, the stack below them. */
function areas(state, at, cell) {
  const areas = [];
  const { x, pitch, count } = at.axis;
  for (const key of state.tokens.keys()) {
    const y = rowTop(at, key);
    const h = at.row.h;
    areas.push({ part: "first", i: cell.i, j: key, box: { ...at.weight, y: y - 3, h: h + 6 } });
    for (let axis = 0; axis < count; axis++)
      areas.push({ part: "second", i: key, j: axis, box: { x: x + axis * pitch, w: pitch, y, h } });
  }
  if (state.veiled) return areas;
  for (let axis = 0; axis < count; axis++)
    areas.push({
      part: "result",
      i: cell.i,
      j: axis,
      box: { x: x + axis * pitch, w: pitch, ...at.stack },
    });
  for (const i of state.queries.keys())
    for (let axis = 0; axis < count; axis++)
      areas.push({
        part: "result",
        i,
        j: axis,
        box: boxOf(at.output, { i, j: axis }),
        isOutput: true,
      });
  return areas;
}

/** The marks of the last step; touch(cell) is what a reader can do with a cell. */
export function collectMarks(state, parts, room, cell, { touch, act }) {
  const at = collectPlaces(state, room);
  const asks = { ...cell, i: cell.part === "second" ? cell.asks : cell.i };
  const marks = frameMarks(state, parts, at, asks);
  marks.push(...state.tokens.flatMap((_, key) => rowMarks(key, state, parts, at, asks)));
  if (state.veiled) marks.push(...veilMarks(at, act));
  else {
    for (let axis = 0; axis < at.axis.count; axis++)
      marks.push(...stackMarks(axis, state, at, asks.i));
    const y = room.height - ABOVE;
    const sentence = told(state, parts, asks.i, roomOfTold(parts, at));
    marks.push({ id: "told", class: "bold", anchor: "start", x: 0, y, text: sentence });
    marks.push(...outputMarks(parts, at, cell));
  }
  const places = areas(state, at, asks);
  for (const { part, i, j, box, isOutput } of places) {
    const id = `area ${part} ${i} ${j}${isOutput ? " output" : ""}`;
    marks.push({ id, class: "pick", ...box, ...touch({ part, i, j }) });
  }
  const here = places.find(({ part, i, j, isOutput }) => {
    const isSame = part === cell.part && i === cell.i && j === cell.j;
    return isSame && (part !== "result" || isOutput);
  });
  if (here) marks.push({ id: "ring", class: ringOf(state), ...here.box });
  return marks;
}

/** The ring round the pointed cell; thicker if it stays there. */
export const ringOf = ({ pinned }) => (pinned ? "focused pinned" : "focused");
