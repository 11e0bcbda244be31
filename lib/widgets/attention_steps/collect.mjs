// The last step: each word hands over its value in the share of its weight, and the shares stack up
// to the new value of the word that asks.

import { fit, widthOf } from "../frame/lettering.mjs";
import { fillIn } from "../frame/frame.mjs";
import { STAGGER } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, BASELINE, number, rect, text } from "../frame/shapes.mjs";
import { ABOVE, barBox, cellMark, madeMarks } from "./marks.mjs";
import { axisName } from "./parts.mjs";
import { NAMES, RULE, collectPlaces } from "./places.mjs";
import { fitted, mostChanged, ownValue, partsOf, total } from "./sums.mjs";

const AFTER_BAR = 10; // from a bar to its digits
const WORDS = NAMES - AFTER_BAR - 2; // the right end of the words
const AXIS_AIR = 6; // from an axis to its name
const TAKEN = 300; // milliseconds until the shares are taken, and until they stack up
const STACKED = 480;
const NAMED = 900;
const OWN = { above: 20, h: 14 }; // the value of before: from the stack up to it
const APART = 60; // between the rings of two stacks
const CUT = 1.5; // between two shares of a stack
const WORD_AIR = 2;
const TOLD = { size: 30, side: 6, high: 25, h: 33, rise: 3 }; // the digits below a stack; yellow
const CHANGE = "{was} \u2192 {now}";
const OPEN = "?";
const MAKES = 38; // the feet of how the values are made
const COLLECTS = { above: 4, below: 24 }; // from the middle of the stack to the words at its left
const PALE = 0.4; // bars of what is not asked about
const NONE = fitted(0); // where there is no bar, its digits would say no more

/** True for the value that changes most, and until it is told for all. */
const isAsked = (state, i, axis) => state.veiled || axis === mostChanged(state, i);

/** A word, its weight, and its values as bars, of which the share is filled. */
function rowMarks(key, state, parts, at, { i, j, part }) {
  const y = at.row.y + key * at.row.gap;
  const foot = y + at.row.h / 2 + BASELINE;
  const weight = { x: at.weight.x, y: y - 3, w: at.weight.w, h: at.row.h + 6 };
  const kind = part === "first" && j === key ? "key bold" : "key";
  const word = fit(state.tokens[key], WORDS);
  const marks = [
    text(`asked.${key}`, kind, [WORDS, foot], word, RIGHT_END),
    { ...cellMark(parts.first, i, key, { x: 0, y: 0, w: weight.w, h: weight.h }), ...weight },
  ];
  for (const [axis, value] of parts.second.rows[key].entries())
    marks.push(...valueMarks({ key, axis, value, y, foot }, state, at, i));
  return marks;
}

function valueMarks({ key, axis, value, y, foot }, state, at, i) {
  const zero = at.zero(axis);
  const h = at.row.h;
  const whole = barBox(value, zero, at.scale);
  const taken = barBox(value * state.numbers.weights[i][key], zero, at.scale);
  const delay = key * STAGGER;
  const end = [zero + Math.max(0, value) * at.scale + AFTER_BAR, foot];
  const seen = isAsked(state, i, axis) ? 1 : PALE;
  const growing = { delay, o: seen, from: { x: zero, w: 0 } };
  const marks = [rect(`bar ${key}.${axis}`, "outline", { y, h, ...whole }, growing)];
  const kind = seen === 1 ? "value" : "faint";
  if (fitted(value) !== NONE)
    marks.push(number(`V.${key}.${axis}`, kind, end, value, fitted, LEFT_END));
  if (state.veiled) return marks;
  const late = { delay: TAKEN + delay, o: seen, from: { x: zero, w: 0, o: seen } };
  return [...marks, rect(`taken ${key}.${axis}`, "value", { y, h, ...taken }, late)];
}

/** The shares of one value, end to end: what is below zero at the left. */
function stackMarks(axis, state, at, i) {
  const [zero, seen] = [at.zero(axis), isAsked(state, i, axis) ? 1 : PALE];
  const shares = partsOf(state.numbers, i, axis);
  const ends = { plus: zero, minus: zero };
  const marks = [];
  for (const [key, share] of shares.entries()) {
    const w = Math.abs(share) * at.scale;
    if (share < 0) ends.minus -= w;
    const x = share < 0 ? ends.minus : ends.plus;
    if (share > 0) ends.plus += w;
    const from = { ...barBox(share, zero, at.scale), y: rowTop(at, key), h: at.row.h, o: seen };
    const box = { x, w: Math.max(0, w - CUT), ...at.stack };
    const delay = STACKED + 2 * key * STAGGER;
    marks.push(rect(`share ${key}.${axis}`, "share", box, { delay, o: seen, from }));
    marks.push(...shareName(key, axis, state, { x, w, at }));
  }
  const told = toldMarks(axis, state, at, i, fitted(total(shares)));
  return [...marks, ...ownGhost(state, i, axis, at), ...told];
}

const stackFoot = (at) => at.stack.y + at.stack.h / 2 + BASELINE; // of what stands in it
const rowTop = (at, key) => at.row.y + key * at.row.gap;

/** The word that hands over a share, if there is room for it. */
function shareName(key, axis, state, { x, w, at }) {
  const word = state.tokens[key];
  if (widthOf(word) + WORD_AIR > w) return [];
  return [text(`from ${key}.${axis}`, "", [x + w / 2, stackFoot(at)], word, { delay: NAMED })];
}

/** The value of the word alone, dashed above the stack. */
function ownGhost(state, i, axis, at) {
  const own = ownValue(state, i, axis);
  if (own === undefined || fitted(own) === NONE) return [];
  const { above, h } = OWN;
  const box = { ...barBox(own, at.zero(axis), at.scale), y: at.stack.y - above, h };
  return [rect(`own ${axis}`, "ghost", box, { rx: 0, delay: STACKED })];
}

const toldOf = (own, now) => (own === undefined ? now : fillIn(CHANGE, { was: fitted(own), now }));

/** How wide a stack and the digits below it are. */
function widthOfSum(state, i, axis, at) {
  const shares = partsOf(state.numbers, i, axis);
  const told = toldOf(ownValue(state, i, axis), fitted(total(shares)));
  const stack = at.zero(axis) - at.axis.x - axis * at.axis.pitch + total(shares) * at.scale;
  return Math.max(stack, AXIS_AIR + widthOf(told, TOLD.size, 650) + 2 * TOLD.side);
}

/** Below a stack: from how much to how much; on yellow what changes most. */
function toldMarks(axis, state, at, i, now) {
  const own = ownValue(state, i, axis);
  const words = toldOf(own, now);
  const { size, side, high, h, rise } = TOLD;
  const x = at.axis.x + axis * at.axis.pitch + AXIS_AIR + side;
  const y = at.collected.y + at.collected.h - rise;
  const late = state.veiled ? {} : { delay: NAMED };
  const isMost = axis === mostChanged(state, i) && !state.veiled;
  const kind = isAsked(state, i, axis) ? "value bold" : "faint";
  const look = { size, ...late, ...LEFT_END };
  const told = text(`sum ${axis}`, isMost ? `${kind} marked` : kind, [x, y], words, look);
  if (!isMost) return [told];
  const box = { x: x - side, w: widthOf(words, size, 650) + 2 * side, y: y - high, h };
  return [rect("most", "changed", box, { rx: 6, ...late }), told];
}

/** Lines and names: the axes, the rule above the sum, who collects. */
function frameMarks(state, parts, at, { part, i, j }) {
  const top = at.row.y - ABOVE;
  const bottom = at.stack.y + at.stack.h;
  const right = at.axis.x + at.axis.pitch * at.axis.count;
  const axes = parts.second.across.names.flatMap((name, axis) => {
    const isHere = !state.veiled && part !== "first" && axis === j;
    const kind = isHere ? "value bold" : "value";
    const x = at.zero(axis);
    const foot = { x: x - 1, w: 2, y: at.row.y - 4, h: bottom - at.row.y };
    return [
      text(`made.${axis}`, kind, [x + AXIS_AIR, top], axisName(name), LEFT_END),
      rect(`zero ${axis}`, "rule", foot),
    ];
  });
  const word = fit(state.queries[i], WORDS);
  const middle = at.collected.y + at.collected.h / 2;
  const before = [at.axis.x - AFTER_BAR, at.stack.y - OWN.above + OWN.h / 2 + BASELINE];
  return [
    text("weight", "faint", [at.weight.x + at.weight.w / 2, top], "weight"),
    rect("rule", "ink", { x: 0, w: right, y: at.stack.y - RULE, h: 2 }),
    ...axes,
    ...madeMarks("V", state, "", [at.axis.x, MAKES]),
    text("asks", "query bold", [WORDS, middle - COLLECTS.above], word, RIGHT_END),
    text("collects", "", [WORDS, middle + COLLECTS.below], "collects", RIGHT_END),
    text("before", "ghosted", before, state.attention === "cross" ? "" : "before", RIGHT_END),
  ];
}

/** What hides the collected values; dashed, what the word had before. */
function veilMarks(state, at, i, act) {
  const { x, pitch, count } = at.axis;
  const hidden = [...Array(count).keys()].flatMap((axis) => [
    rect(`veil ${axis}`, "hidden", { x: at.zero(axis), w: at.scale, ...at.stack }),
    ...ownGhost(state, i, axis, at),
    ...toldMarks(axis, state, at, i, OPEN),
  ]);
  const box = { x, w: pitch * count, ...at.collected };
  return [...hidden, rect("veil", "pick", box, { pick: () => act.next() })];
}

/** Where the pointer finds a number: the bars of a word, the stack below them. */
function areas(state, at, cell) {
  const { x, pitch, count } = at.axis;
  const axes = [...Array(count).keys()];
  const column = (axis, rest) => ({ x: x + axis * pitch, w: pitch, ...rest });
  const bars = [...state.tokens.keys()].flatMap((key) => {
    const [y, h] = [rowTop(at, key), at.row.h];
    const second = axes.map((j) => ({ part: "second", i: key, j, box: column(j, { y, h }) }));
    return [
      { part: "first", i: cell.i, j: key, box: { ...at.weight, y: y - 3, h: h + 6 } },
      ...second,
    ];
  });
  if (state.veiled) return bars;
  const sum = { ...at.collected, w: pitch - APART };
  const stack = axes.map((j) => ({ part: "result", i: cell.i, j, box: column(j, sum) }));
  return [...bars, ...stack];
}

/** The marks of the last step; touch(cell) is what a reader can do with a cell. */
export function collectMarks(state, parts, room, cell, { touch, act }) {
  const at = collectPlaces(state, room);
  const asks = { ...cell, i: cell.part === "second" ? cell.asks : cell.i };
  const rows = state.tokens.flatMap((_, key) => rowMarks(key, state, parts, at, asks));
  const marks = [...frameMarks(state, parts, at, asks), ...rows];
  if (state.veiled) marks.push(...veilMarks(state, at, asks.i, act));
  else
    for (let axis = 0; axis < at.axis.count; axis++)
      marks.push(...stackMarks(axis, state, at, asks.i));
  const places = areas(state, at, asks);
  for (const { part, i, j, box } of places)
    marks.push(rect(`area ${part} ${i} ${j}`, "pick", box, touch({ part, i, j })));
  const here = places.find(({ part, i, j }) => part === cell.part && i === cell.i && j === cell.j);
  if (here && !cell.isNone) {
    const w = here.part === "result" ? widthOfSum(state, here.i, here.j, at) : here.box.w;
    marks.push(rect("ring", ringOf(state), { ...here.box, w }));
  }
  return marks;
}

/** The ring round the pointed cell; thicker if it stays there. */
export const ringOf = ({ pinned }) => (pinned ? "focused pinned" : "focused");
