// The cell that is pointed at: where keys lead it, and how its digit is changed.

import { clamp, step } from "../frame/frame.mjs";
import { COLLECT, COMPARE, KEYS, MADE, phase, QUESTION, STORY, WORDS } from "./parts.mjs";
import { best, mostChanged } from "./sums.mjs";

const MOST = 3; // the largest digit that can be set by hand
const SMALLEST_CHANGE = 0.1;
const DRAG = 160; // pixels of the stage for a change by 1

const STEP_KEYS = { "]": 1, " ": 1, "[": -1, Backspace: -1 };
const CHANGE_KEYS = {
  "+": SMALLEST_CHANGE,
  "=": SMALLEST_CHANGE,
  "-": -SMALLEST_CHANGE,
  "\u2212": -SMALLEST_CHANGE,
};
// An arrow key at the edge of a matrix goes on in its neighbour, at the edge that is nearest.
const NEIGHBOURS_IN_PRODUCT = {
  first: { ArrowRight: "result" },
  second: { ArrowDown: "result" },
  result: { ArrowLeft: "first", ArrowUp: "second" },
};
const NEIGHBOURS_OF_MAPS = { first: { ArrowRight: "result" }, result: { ArrowLeft: "first" } };
const NEAREST_EDGE = {
  ArrowRight: { j: 0 },
  ArrowLeft: { j: Infinity },
  ArrowDown: { i: 0 },
  ArrowUp: { i: Infinity },
};

const DOWN = { ArrowDown: 1, ArrowUp: -1 };

const within = (i, names) => clamp(i, 0, names.length - 1);

/**
 * The cell pointed at, kept inside the matrices of this step; the largest of a map's row, at the
 * end the value that changes most; asks is the word that asks, row the row of the result that it
 * is about; isAsking: only that word is seen, beside those that it asks; isNone: nothing is pointed
 * at in this story.
 */
export function pointedCell(state, parts) {
  const { pointed, queries, step: now, veiled } = state;
  const part = parts[pointed.part] ? pointed.part : "result";
  const isHidden = now === COLLECT && veiled && part === "result";
  const { rows } = parts[part];
  const i = within(pointed.i, rows);
  const chosen = part === "second" ? pointed.asks : i;
  const asks = within(chosen, queries);
  const row = within(chosen, parts.result.rows);
  const isOpen = now >= COMPARE && part === "result" && pointed.j >= rows[0].length;
  const most = () => (now === COLLECT ? mostChanged(state, i) : best(parts.result, i));
  const j = isOpen ? most() : within(pointed.j, rows[0]);
  const isStory = pointed.part === WORDS && STORY.includes(now) && parts.first !== undefined;
  const isAsking = isStory && now !== COLLECT;
  const isNone = isStory && (now === KEYS || isOpen);
  return { part, i, j, asks, row, isHidden, isAsking, isNone };
}

/** The changes that point at a cell. */
function toCell(state, { part, i, j }) {
  const asks = part === "second" ? state.pointed.asks : i;
  return { pointed: { part, i, j, asks }, moved: state.step };
}

/** The changes that point at the word below or above, that is asked; at first at the best. */
function toWord({ tokens, pointed }, { j, isNone }, down) {
  return { pointed: { ...pointed, j: isNone ? j : within(j + down, tokens) } };
}

/** The changes that lead to another step, to its result. */
function toStep(state, next) {
  const { i, j, part, asks } = state.pointed;
  const row = part === "second" ? asks : i;
  const pointed = { part: "result", i: row, j, asks: row };
  return { step: clamp(next, QUESTION, COLLECT), pointed };
}

/** Give a cell of X or of W another digit. */
function withDigit(state, { part, i, j }, value) {
  const { rows, down } = phase(state)[part];
  const row = rows[i].with(j, clamp(Math.round(value * 10) / 10, -MOST, MOST));
  if (part === "first") return { edited: { ...state.edited, [down.names[i]]: row } };
  return { parameters: { ...state.parameters, [MADE[state.step]]: rows.with(i, row) } };
}

/** What a click and a drag do with a cell: a click pins it, a drag changes its digit. */
export function touching(state, parts, here, act) {
  return (cell) => {
    const { rows, places } = parts[cell.part];
    const isHere = cell.part === here.part && cell.i === here.i && cell.j === here.j;
    const pick = ([x]) => {
      const pinned = !(state.pinned && isHere);
      const grabbed = { x, value: rows[cell.i][cell.j] };
      act.change({ ...toCell(state, cell), pinned, grabbed });
    };
    const hover = () => {
      if (!state.pinned && !isHere) act.change(toCell(state, cell));
    };
    if (!places) return { pick, hover };
    const drag = ([x]) => {
      const { grabbed } = state;
      act.change(withDigit(state, cell, grabbed.value + (x - grabbed.x) / DRAG));
    };
    return { pick, hover, drag };
  };
}

/**
 * Between bars: words one below the other, their values abreast, what is collected below; of
 * another word that asks, what changes most.
 */
function walkBars(key, { part, i, j, asks }, parts) {
  const words = parts.second.rows.length;
  const values = parts.second.rows[0].length;
  const isAt = (edge, place) => key === edge && place;
  if (part === "first") {
    if (key === "ArrowRight") return { part: "second", i: j, j: 0 };
    const down = DOWN[key];
    return down ? { part, i, j: clamp(j + down, 0, words - 1) } : null;
  }
  if (part === "second") {
    if (isAt("ArrowLeft", j === 0)) return { part: "first", i: asks, j: i };
    if (isAt("ArrowDown", i === words - 1) || isAt("ArrowRight", j === values - 1))
      return { part: "result", i: asks, j };
  }
  if (part === "result" && isAt("ArrowLeft", j === 0))
    return { part: "second", i: words - 1, j: values - 1 };
  const { rows } = parts[part];
  const columns = rows[0].length;
  const next = step(key, [i, j], rows.length, columns);
  const isOther = part === "result" && next?.[0] !== i;
  return next && { part, i: next[0], j: isOther ? columns : next[1] };
}

/** The cell that an arrow key leads to: in this matrix, or in its neighbour; null otherwise. */
function walk(key, cell, parts, isLast) {
  if (isLast) return walkBars(key, cell, parts);
  const { part, i, j } = cell;
  const { rows } = parts[part];
  const next = step(key, [i, j], rows.length, rows[0].length);
  if (!next) return null;
  const isAtEdge = next[0] === i && next[1] === j;
  const neighbours = parts.second ? NEIGHBOURS_IN_PRODUCT : NEIGHBOURS_OF_MAPS;
  const neighbour = isAtEdge && neighbours[part][key];
  if (!neighbour || !parts[neighbour]) return { part, i: next[0], j: next[1] };
  const there = parts[neighbour].rows;
  const edge = { i, j, ...NEAREST_EDGE[key] };
  return { part: neighbour, i: within(edge.i, there), j: within(edge.j, there[0]) };
}

/** What a key means: another step, another cell, or another digit. */
export function keysOf(state, key) {
  if (key in STEP_KEYS) return toStep(state, state.step + STEP_KEYS[key]);
  if (state.step === QUESTION || state.veiled) return null; // a stray key answers nothing
  const parts = phase(state);
  const cell = pointedCell(state, parts);
  if (key === "Escape") return { pinned: false };
  if (cell.isAsking && key in DOWN && state.step !== KEYS) return toWord(state, cell, DOWN[key]);
  if (key in CHANGE_KEYS) {
    const { rows, places } = parts[cell.part];
    if (!places) return {};
    const value = rows[cell.i][cell.j] + CHANGE_KEYS[key];
    return { ...withDigit(state, cell, value), ...toCell(state, cell) };
  }
  const next = walk(key, cell, parts, state.step === COLLECT);
  if (cell.isAsking) return next && {}; // another word would ask, to the end
  return next && toCell(state, next);
}
