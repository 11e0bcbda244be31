// A mask to paint over a small map; below it the row that is pointed at, as two strips of length 1:
// what it was, and largest what becomes of it. A weight is equally long in both; in yellow what was
// blocked flows to the keys that get it.
//
// here is [row, column]: columns 0 to T - 1 are cells of the map, T to 2T - 1 keys of the strips.
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, HEAVY, widthOf } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { BASELINE, number, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { spell } from "./sums.mjs";

const LEFT = 204; // of the map and of the strips; before it stands who asks, and what a strip is
const MAP = { top: 34, wide: 100, high: 29, heads: 24 }; // of its cells; the words above it
const BEFORE = 12; // from words to what they stand before
const NAMES = 241; // the feet of the names above the first strip
const STRIPS = { top: 251, share: 0.22, next: 0.6, end: 3 }; // shares of the room below top
const LEGIBLE = 0.08; // a shorter piece has no digits
const APART = 6; // two names
const NEARLY_WHOLE = 0.9; // what is left of a row: its factor rounds to 1.0, or hardly more
const DIGITS = 28; // size of those in a piece
const FEET = { alone: 10, word: -2, below: 29 }; // of what a piece or a cell says, from its middle
const IDLE = 0.45; // the opacity of rows of which nothing is told
const MOVES = 760; // milliseconds: the pieces stretch slowly enough to be seen
const FLOWS = 0.2; // the opacity of what leads from a piece to the next strip
const DEEP = 10; // so far into a piece comes what it gets

const SENTENCES = {
  start: "Click or drag to block cells. A stronger colour is a larger share.",
  veiled: "Predict first: who gets what was blocked? Enter shows it.",
  shared: "Score \u2212\u221e: the keys that are left get its share, in proportion.",
  free: "\u201c{asks}\u201d may attend to every key: for it nothing changes.",
  same: "The same row as with a mask before the softmax.",
  lost: "Nobody gets it: the row falls short of 1. So a mask goes before the softmax.",
  black: "Nothing is left to share; a plain softmax divides 0 by 0.",
  weight: "weight({asks}, {asked}): {sum}.",
};
const WORDS = {
  left: ["", "the last one", "both", "all three", "all four", "all five"], // by how many are left
  nobody: "nobody",
};
const LABELS = {
  factor: "each \u00d7 {factor}",
  asked: "gets what is blocked",
  divided: "each \u00f7 {sum}",
  sum: "the row adds up to {sum}",
  black: "every weight is 0",
  free: "in this row nothing is blocked",
};
const LOST = ["{share} lost", "lost"]; // the first that finds room
const WRITES = { before: "\u2212\u221e", after: "\u00d7 0" }; // a mask, over a score or a weight
const STRIP_NAMES = {
  whole: "no mask",
  before: "mask \u2192 softmax",
  cut: "softmax \u2192 mask",
  divided: "\u00f7 their sum",
};

/** The cells on the way from one to another, without the first: a fast pointer jumps over some. */
export function path([row, column], [lastRow, lastColumn]) {
  const steps = Math.max(Math.abs(lastRow - row), Math.abs(lastColumn - column));
  const between = (start, end, i) => Math.round(start + ((end - start) * i) / steps);
  return Array.from({ length: steps }, (_, i) => [
    between(row, lastRow, i + 1),
    between(column, lastColumn, i + 1),
  ]);
}

const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);
const isBlack = (state, i) => !state.mask[i].includes(true);
const isFree = (state, i) => !state.mask[i].includes(false);
const isUnasked = ({ done, mask }) => done === 0 && !mask.flat().includes(false);

/** True while only the row that is drawn large has blocked cells: the story is of that row. */
const isTold = (state) =>
  !isFree(state, state.here[0]) &&
  state.mask.every((_, i) => i === state.here[0] || isFree(state, i));

/** What the weights that are left add up to without a mask. */
function sumOfLeft(state, i) {
  return total(state.shown.shares[i].filter((_, j) => state.mask[i][j]));
}

/** What answers the question for a row, and which label tells how. */
export function answerOf(state, i) {
  const { after, renormalise } = state.shown;
  if (isFree(state, i)) return { words: WORDS.nobody, kind: "free" };
  if (isBlack(state, i)) return { words: WORDS.nobody, kind: "black" };
  if (after && !renormalise) return { words: WORDS.nobody, kind: "sum" };
  const words = WORDS.left[state.mask[i].filter(Boolean).length];
  return { words, kind: after ? "divided" : "factor" };
}

/**
 * What the row was and what becomes of it: {kind, lengths, open, asked}. A piece that is not open
 * leaves a gap; what is asked is not drawn.
 */
function stripsOf(state) {
  const [i] = state.here;
  const { shares, weights, after, renormalise } = state.shown;
  const open = state.mask[i];
  const asked = state.veiled || isUnasked(state);
  const whole = { kind: "whole", lengths: shares[i], open };
  const cut = { kind: "cut", lengths: shares[i], open };
  const kind = renormalise ? "divided" : "before";
  const next = after && !renormalise ? cut : { kind, lengths: weights[i], open };
  return [renormalise ? cut : whole, { ...next, asked }];
}

/** Where everything stands in a room of this size. */
function geometry(state, { width, height }) {
  const strips = stripsOf(state);
  const { top, share, next, end } = STRIPS;
  const room = height - end - top;
  const strip = (level) => ({
    ...{ x: LEFT, y: top + level * next * room },
    ...{ w: width - LEFT, h: room * (level > 0 ? 1 - next : share) },
  });
  return {
    T: state.tokens.length,
    width,
    strips,
    cell: (row, column) => ({
      ...{ x: LEFT + column * MAP.wide, y: MAP.top + row * MAP.high },
      ...{ w: MAP.wide, h: MAP.high },
    }),
    strip,
    piece: (level, j) => {
      const { lengths } = strips[level];
      const { x, w, ...box } = strip(level);
      return { x: x + w * total(lengths.slice(0, j)), w: w * lengths[j], ...box };
    },
  };
}

/** The cell of the map at a point, or null beside the map. */
function cellAt([x, y], { T }) {
  const [i, j] = [Math.floor((y - MAP.top) / MAP.high), Math.floor((x - LEFT) / MAP.wide)];
  const isInside = i >= 0 && i < T && j >= 0 && j < T;
  return isInside ? [i, j] : null;
}

/**
 * The changes that set these cells of the mask; the first that block anything veil the answer, and
 * until it is seen nothing is allowed again: it would be asked about nothing.
 */
export function painted(state, cells, isSeen) {
  if (state.veiled && isSeen) return {};
  const mask = state.mask.map((row) => [...row]);
  for (const [i, j] of cells) mask[i][j] = isSeen;
  const changes = { mask, here: cells.at(-1) };
  if (state.done > 0 || isSeen) return changes;
  return { ...changes, veiled: true, done: 1 };
}

/** Words around the map: who asks at the left, who is asked above. */
function names(state, at) {
  const { tokens, here } = state;
  return tokens.flatMap((token, i) => {
    const { y, h } = at.cell(i, 0);
    const kind = i === here[0] ? "asker query here bold" : "asker query";
    const { x } = at.cell(0, i);
    return [
      text(`asks ${i}`, kind, [LEFT - BEFORE, y + h / 2 + BASELINE], token, RIGHT_END),
      text(`asked ${i}`, "key", [x + MAP.wide / 2, MAP.heads], token),
    ];
  });
}

/** One cell of the map: what a mask writes, or tinted by its weight; while asked, by its share. */
function cell(state, i, j, at) {
  const box = at.cell(i, j);
  const { shares, weights } = state.shown;
  const opacity = isTold(state) && i !== state.here[0] ? IDLE : 1;
  const look = { rx: 0, tint: (state.veiled ? shares : weights)[i][j], o: opacity };
  if (state.mask[i][j]) return [rect(`cell ${i}.${j}`, "frame", box, look)];
  const foot = [box.x + box.w / 2, box.y + box.h / 2 + FEET.alone];
  const [kind, ink] = i === state.here[0] ? ["masked blocked", "marked bold"] : ["masked", "bold"];
  const words = WRITES[state.shown.after ? "after" : "before"];
  const writes = text(`writes ${i}.${j}`, ink, foot, words, { size: DIGITS });
  return [rect(`blocked ${i}.${j}`, kind, box), writes];
}

/** The map, and over it what follows the pointer. */
function map(state, at, act) {
  const { T } = at;
  const marks = state.mask.flatMap((row, i) => row.flatMap((_, j) => cell(state, i, j, at)));
  const [i, column] = state.here;
  marks.push(rect("row", "focused", { ...at.cell(i, 0), w: T * MAP.wide }, { rx: 3 }));
  if (column < T) marks.push(rect("focus", "focused", at.cell(i, column), { focus: true, rx: 3 }));
  const box = { x: LEFT, y: MAP.top, w: T * MAP.wide, h: T * MAP.high };
  return [...marks, rect("paint", "pick paint", box, painting(state, at, act))];
}

/** Painting: what the first cell becomes, all cells become that the pointer passes. */
function painting(state, at, act) {
  const paint = (cells, isSeen) => act.change({ ...painted(state, cells, isSeen), paint: isSeen });
  return {
    pick(point) {
      const cell = cellAt(point, at);
      if (cell) paint([cell], !state.mask[cell[0]][cell[1]]);
    },
    drag(point) {
      const cell = cellAt(point, at);
      const cells = cell ? path(state.here, cell) : [];
      if (cells.length > 0) paint(cells, state.paint);
    },
    hover: (point) => pointAt(state, cellAt(point, at), act),
  };
}

function pointAt(state, here, act) {
  if (here && here.join() !== state.here.join()) act.change({ here });
}

/** The keys above the first strip, as many as find room. */
function keys(state, at) {
  const marks = [];
  let end = LEFT;
  for (const [j, token] of state.tokens.entries()) {
    const { x, w } = at.piece(0, j);
    const half = widthOf(token, undefined, HEAVY) / 2;
    const middle = Math.max(x + w / 2, LEFT + half);
    if (middle - half < end || middle + half > at.width) continue;
    const kind = state.here[1] === at.T + j ? "key here bold" : "key";
    marks.push(text(`name ${j}`, kind, [middle, NAMES], token));
    end = middle + half + APART;
  }
  return marks;
}

/** A band from a piece down to the same key in the next strip. */
const band = ({ x, y, w, toX, toY, toW }) => {
  const half = (y + toY) / 2;
  return (
    `M${x},${y}C${x},${half} ${toX},${half} ${toX},${toY}H${toX + toW}` +
    `C${toX + toW},${half} ${x + w},${half} ${x + w},${y}Z`
  );
};

/** From a piece to the next strip: what it keeps, or all of it where nothing flows. */
function kept(j, at) {
  const [{ open }, next] = at.strips;
  if (next.asked || !open[j] || !next.open[j]) return [];
  const [from, to] = [at.piece(0, j), at.piece(1, j)];
  const toW = next.kind === "before" ? from.w : to.w;
  const ends = { x: from.x, y: from.y + from.h, w: from.w, toX: to.x, toY: to.y, toW };
  return [{ id: `kept ${j}`, class: "weight piece", o: FLOWS, ...ends, d: band }];
}

/** What was blocked, in proportion to the keys that are left: beside what each of them had. */
function streams(at) {
  const [{ lengths, open }, next] = at.strips;
  if (next.asked || next.kind !== "before") return [];
  const marks = [];
  const { w: long, y, h } = at.strip(0);
  const ends = lengths.map((length, j) => at.piece(1, j).x + length * long); // what each had
  for (const [from, length] of lengths.entries()) {
    let { x } = at.piece(0, from);
    for (const [to, share] of open[from] ? [] : next.lengths.entries()) {
      const w = length * share * long;
      const start = { x, y: y + h, w };
      const end = { toX: ends[to], toY: at.strip(1).y + DEEP, toW: w };
      const motion = { from: { toX: x, toY: y + h }, glide: MOVES, d: band };
      marks.push({ id: `stream ${from} ${to}`, class: "stream", ...start, ...end, ...motion });
      x += w;
      ends[to] += w;
    }
  }
  return marks.filter(({ w }) => w > 0);
}

/** What a share says in its gap: that nobody has it. */
const lost = (share, room) =>
  LOST.map((words) => fillIn(words, { share })).find(
    (words) => widthOf(words, DIGITS, HEAVY) + APART < room,
  ) ?? "";

/** What a key of a strip says where it finds room: its digits, below the first strip its word. */
function said(level, j, state, at, look) {
  const { kind, lengths, open } = at.strips[level];
  const { x, y, w, h } = at.piece(level, j);
  const place = (foot) => [x + w / 2, y + h / 2 + foot];
  const isLost = kind === "cut" && !open[j];
  const format = isLost ? (share) => lost(digits(share), w) : digits;
  const [id, foot] = [`${kind} weight ${j}`, place(level > 0 ? FEET.below : FEET.alone)];
  const weight = number(id, "bold", foot, lengths[j], format, { size: DIGITS, ...look });
  const word = text(`${kind} word ${j}`, "bold", place(FEET.word), state.tokens[j], look);
  const isNamed = level > 0 && widthOf(word.text, undefined, HEAVY) + APART < w;
  return [...(lengths[j] >= LEGIBLE ? [weight] : []), ...(isNamed ? [word] : [])];
}

/** One key of a strip; or its gap, with what it had or has. */
function piece(level, j, state, at) {
  const { kind, open } = at.strips[level];
  const box = at.piece(level, j);
  if (!open[j]) {
    const [look, ink] = kind === "whole" ? ["ghost blocked", "marked bold"] : ["ghost gap", "bold"];
    return [rect(`${kind} gap ${j}`, look, box), ...said(level, j, state, at, { class: ink })];
  }
  const [delay, above] = level > 0 ? [MOVES, at.piece(level - 1, j)] : [0, box];
  const tint = at.strips[level].lengths[j];
  const motion = { from: { ...above, o: 1 }, glide: MOVES, tint };
  const marks = said(level, j, state, at, { tint, delay });
  return [rect(`${kind} ${j}`, "piece", box, motion), ...marks];
}

/** One strip and what it is, an outline where it is empty; or that it is asked for. */
function strip(level, state, at, act) {
  const { kind, lengths, asked } = at.strips[level];
  const box = at.strip(level);
  const place = [LEFT - BEFORE, box.y + box.h / 2 + BASELINE];
  const look = level > 0 ? "bold" : "faint";
  const name = text(`${kind} name`, look, place, STRIP_NAMES[kind], RIGHT_END);
  if (asked) return [...veil(box, "?", act), name];
  return [
    ...(total(lengths) > 0 ? [] : [rect(`${kind} empty`, "ghost", box)]),
    ...state.tokens.flatMap((_, j) => piece(level, j, state, at)),
    name,
  ];
}

/** Where a click blocks a key: on its piece of the first strip. */
function picking(state, j, at, act) {
  const [i] = state.here;
  const pick = () =>
    act.change({ ...painted(state, [[i, j]], !state.mask[i][j]), here: state.here });
  const hover = () => pointAt(state, [i, at.T + j], act);
  return rect(`bar ${j}`, "pick", at.piece(0, j), { pick, hover });
}

/** The strips of the row, and the keys above them. */
function strips(state, at, act) {
  return [
    ...keys(state, at),
    ...at.strips.flatMap((_, level) => strip(level, state, at, act)),
    ...state.tokens.flatMap((_, j) => kept(j, at)),
    ...streams(at),
    ...state.tokens.map((_, j) => picking(state, j, at, act)),
  ];
}

/** Who gets what was blocked, and how. */
function result(state, act) {
  const [i] = state.here;
  const { words, kind } = answerOf(state, i);
  const veiled = state.veiled || isUnasked(state);
  const sum = sumOfLeft(state, i);
  const factor = digits(1 / sum, sum > NEARLY_WHOLE ? 2 : 1);
  const label = fillIn(LABELS[veiled ? "asked" : kind], { sum: digits(sum), factor });
  return answer({ words, label, veiled, after: MOVES }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const asks = `${state.tokens[state.here[0]]} asks`;
  return [
    ...names(state, at),
    ...map(state, at, act),
    text("asks", "query bold", [LEFT - BEFORE, NAMES], asks, RIGHT_END),
    ...strips(state, at, act),
    ...result(state, act),
  ];
}

/** Which sentence tells of a row. */
function kindOfRow(state, i) {
  if (state.veiled) return "veiled";
  if (isFree(state, i)) return state.done === 0 ? "start" : "free";
  const { after, renormalise } = state.shown;
  if (after) return renormalise ? "same" : "lost";
  return isBlack(state, i) ? "black" : "shared";
}

/** The sentence that says what to see; on a bar the sum behind it. */
export function caption(state) {
  const { here, mask, shown, tokens, veiled } = state;
  const [i, j] = [here[0], here[1] - tokens.length];
  const asks = tokens[i];
  if (j < 0 || veiled || isBlack(state, i)) return fillIn(SENTENCES[kindOfRow(state, i)], { asks });
  const sum = spell(shown.scores[i], mask[i], j, shown.after, shown.renormalise);
  return fillIn(SENTENCES.weight, { asks, asked: tokens[j], sum });
}

/** What a key means: another cell, or the cell painted; nothing while the answer is veiled. */
export function keysOf(state, key) {
  const T = state.tokens.length;
  const next = step(key, state.here, T, 2 * T);
  if (state.veiled) return next || key === " " ? {} : null;
  if (next) return { here: next };
  const [i, column] = state.here;
  if (key !== " ") return null;
  const j = column % T;
  return { ...painted(state, [[i, j]], !state.mask[i][j]), here: state.here };
}

export default demo({
  name: "mask-painter",
  looks: {
    masked: filled("surface", { stroke: "var(--line)", "stroke-width": 1.5 }),
    gap: filled("surface"),
    blocked: filled("changed"),
    stream: filled("changed", { stroke: "var(--paper)", "stroke-width": 1 }),
    piece: { stroke: "var(--axis)", "stroke-width": 1.5 }, // a small share is pale
  },
  traits: ["tokens", "mask", "here", "shown", "done"],
  own: { paint: false }, // what the pointer makes of the cells that it passes
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
