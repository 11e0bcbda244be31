// A mask to paint over a small map; the row that is pointed at stands large beside it, as strips of
// length 1, the next one under what it is made of: a weight is equally long wherever it is drawn.
//
// here is [row, column]: columns 0 to T - 1 are cells of the map, T to 2T - 1 keys of the strips.
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { LEFT_END, number, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { spell } from "./sums.mjs";

const ASKS = 44; // the feet of the word that asks, and of "asks"
const VERB = 12; // between the two
const NAMED = 120; // from there to what the first strip is
const NAMES = 88; // the feet of the names above the first strip
const STRIPS = { top: 98, long: 784, below: 3 }; // of the first one; where 1 ends; below the last
const HIGH = 0.52; // of the way from a strip to the next
const ABOVE = 14; // from a strip up to what it is
const LEGIBLE = 0.1; // a shorter piece has no digits
const APART = 6; // two names
const DIGITS = { size: 28, foot: 10 }; // in a piece; and from its middle down to their feet
const TOP = 204; // of the map, below the answer; its words stand above it and before it
const CELL = 58; // the width of a cell
const FOOT = 8; // from a cell's middle down to the feet of its digits
const HEADS = 190; // the feet of the words above the map
const BEFORE_NAMES = 12;
const MOVES = 760; // milliseconds: the pieces stretch slowly enough to be seen
const FLOWS = 0.2; // the opacity of what leads from a piece to the next strip

const ASK_SAME = 3; // the step of the story that asks whether the row comes out the same
const MINUS_INFINITY = "\u2212\u221e";
const SENTENCES = {
  start: "Click or drag over the map to block cells. \u201c{asks}\u201d is drawn large.",
  veiled: "Predict first: who gets what was blocked? Enter shows it.",
  veiledSum: "Predict first: blocked weights are set to 0, nothing else. Enter shows it.",
  veiledEqual: "Predict first: as with a mask before the softmax? Enter shows it.",
  veiledRow: "Predict first: every score is \u2212\u221e. Enter shows it.",
  shared: "The keys that are left get it, in proportion.",
  free: "\u201c{asks}\u201d may attend to every key: for it nothing changes.",
  after: "{note}",
  black: "Nothing is left to share; a plain softmax divides 0 by 0.",
  weight: "weight({asks}, {asked}): {sum}.",
};
const WORDS = {
  left: ["", "the last one", "both", "all three", "all four", "all five"], // by how many are left
  same: "yes",
  black: "zeros",
};
const LABELS = {
  factor: "each \u00d7 {factor}",
  divided: "each \u00f7 {sum}",
  sum: "the row adds up to",
  black: "every weight is 0",
  what: "what does it get?",
  largest: "share of \u201c{word}\u201d",
  who: "who gets it?",
  same: "is it the same?",
};

const STRIP_NAMES = {
  whole: "without a mask",
  before: "mask before softmax",
  cut: "mask after softmax",
  divided: "\u00f7 {sum}",
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
const isCut = ({ shown }) => shown.after && !shown.renormalise;

/** What the weights that are left add up to without a mask. */
function sumOfLeft(state, i) {
  return total(state.shown.shares[i].filter((_, j) => state.mask[i][j]));
}

/** What answers the question for a row: {words, kind} or {number, format, kind}. */
export function answerOf(state, i) {
  if (isBlack(state, i)) return { words: WORDS.black, kind: "black" };
  if (isCut(state)) return { number: total(state.shown.weights[i]), format: digits, kind: "sum" };
  if (isFree(state, i)) {
    return { number: Math.max(...state.shown.shares[i]), format: digits, kind: "largest" };
  }
  if (state.shown.renormalise && state.done === ASK_SAME)
    return { words: WORDS.same, kind: "divided" };
  return { words: WORDS.left[state.mask[i].filter(Boolean).length], kind: "factor" };
}

/**
 * The strips of the row, one under the other: {kind, lengths, open, asked}. A piece that is not
 * open leaves a gap; what is asked is not drawn.
 */
function stripsOf(state) {
  const [i] = state.here;
  const { shares, before, weights, after, renormalise } = state.shown;
  const open = state.mask[i];
  const asked = state.veiled || isUnasked(state);
  const cut = { kind: "cut", lengths: shares[i], open };
  if (renormalise)
    return [
      cut,
      { kind: "divided", lengths: weights[i], open, asked },
      { kind: "before", lengths: before[i], open },
    ];
  const whole = { kind: "whole", lengths: shares[i], open: after ? open.map(() => true) : open };
  const next = after ? cut : { kind: "before", lengths: weights[i], open };
  return [whole, { ...next, asked }];
}

/** Where everything stands in a room of this size. */
function geometry(state, { width, height }) {
  const T = state.tokens.length;
  const high = (height - TOP) / T;
  const left = width - T * CELL;
  const strips = stripsOf(state);
  const { top, long, below } = STRIPS;
  const pitch = (height - below - top) / (strips.length - 1 + HIGH);
  return {
    T,
    width,
    high,
    left,
    strips,
    cell: (row, column) => ({ x: left + column * CELL, y: TOP + row * high, w: CELL, h: high }),
    strip: (level) => ({ x: 0, y: top + level * pitch, w: long, h: pitch * HIGH }),
    piece: (level, j) => {
      const { lengths } = strips[level];
      const x = long * total(lengths.slice(0, j));
      return { x, y: top + level * pitch, w: long * lengths[j], h: pitch * HIGH };
    },
  };
}

/** The cell of the map at a point, or null beside the map. */
function cellAt([x, y], { T, high, left }) {
  const [i, j] = [Math.floor((y - TOP) / high), Math.floor((x - left) / CELL)];
  const isInside = i >= 0 && i < T && j >= 0 && j < T;
  return isInside ? [i, j] : null;
}

/** The changes that set these cells of the mask; the first that block anything veil the answer. */
export function painted(state, cells, isSeen) {
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
    const before = [at.left - BEFORE_NAMES, y + h / 2 + FOOT];
    return [
      text(`asks ${i}`, kind, before, token, { anchor: "end" }),
      text(`asked ${i}`, "key", [at.cell(0, i).x + CELL / 2, HEADS], token),
    ];
  });
}

/** The weight that tints a cell: while the answer is veiled, the one without a mask. */
function tintOf({ shown, veiled }, i, j) {
  return veiled ? shown.shares[i][j] : shown.weights[i][j];
}

/** One cell of the map, on the tint of its weight. */
function cell(state, i, j, at) {
  const isHere = state.here[0] === i && state.here[1] === j;
  const kind = isHere ? "cell here" : "cell";
  if (!state.mask[i][j]) return rect(`blocked ${i}.${j}`, `${kind} masked`, at.cell(i, j));
  const tint = tintOf(state, i, j);
  return rect(`cell ${i}.${j}`, `${kind} frame`, at.cell(i, j), { rx: 0, tint });
}

/** The map, and over it what follows the pointer. */
function map(state, at, act) {
  const { T } = at;
  const marks = state.mask.flatMap((row, i) => row.map((_, j) => cell(state, i, j, at)));
  const [i, column] = state.here;
  const row = at.cell(i, 0);
  marks.push(rect("row", "focused", { ...row, w: T * CELL }, { rx: 3 }));
  if (column < T) {
    const { x, y, w, h } = at.cell(i, column);
    const inner = { x: x + 5, y: y + 5, w: w - 10, h: h - 10 };
    marks.push(rect("focus", "focused", inner, { focus: true, rx: 3 }));
  }
  const box = { x: at.left, y: TOP, w: T * CELL, h: T * at.high };
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
  let end = 0;
  for (const [j, token] of state.tokens.entries()) {
    const { x, w } = at.piece(0, j);
    const half = widthOf(token, undefined, 650) / 2;
    const middle = Math.max(x + w / 2, half);
    if (middle - half < end || middle + half > STRIPS.long) continue;
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

/** What leads from a piece to the next strip. */
function flow(level, j, at) {
  const [here, next] = [at.strips[level], at.strips[level + 1]];
  if (!next || here.asked || next.asked || !here.open[j] || !next.open[j]) return [];
  const [from, to] = [at.piece(level, j), at.piece(level + 1, j)];
  const ends = { x: from.x, y: from.y + from.h, w: from.w, toX: to.x, toY: to.y, toW: to.w };
  return [{ id: `flow ${level}.${j}`, class: "weight piece", o: FLOWS, ...ends, d: band }];
}

/** One key of a strip, with its digits if they find room; or the gap that it leaves. */
function piece(level, j, at) {
  const { kind, lengths, open } = at.strips[level];
  const box = at.piece(level, j);
  const middle = [box.x + box.w / 2, box.y + box.h / 2 + DIGITS.foot];
  const isLegible = lengths[j] >= LEGIBLE;
  if (!open[j]) {
    const marks = [rect(`${kind} gap ${j}`, "ghost gap", box)];
    if (kind !== "whole" || !isLegible) return marks;
    return [
      ...marks,
      text(`minus ${j}`, "bold halo", middle, MINUS_INFINITY, { size: large.size }),
    ];
  }
  const above = level > 0 ? at.piece(level - 1, j) : box;
  const motion = { from: { ...above, o: 1 }, glide: MOVES };
  const marks = [rect(`${kind} ${j}`, "weight piece", box, motion)];
  if (!isLegible) return marks;
  const look = { size: DIGITS.size, tint: 1, delay: level > 0 ? MOVES : 0 };
  return [...marks, number(`${kind} weight ${j}`, "bold", middle, lengths[j], digits, look)];
}

/** Where "asks" begins, behind the word that asks. */
const verbOf = ({ tokens, here }) => widthOf(tokens[here[0]], large.size, 650) + VERB;

/** One strip and what it is, an outline where it is empty; or that it is asked for. */
function strip(level, state, at, act) {
  const { kind, lengths, asked } = at.strips[level];
  const box = at.strip(level);
  const named = fillIn(STRIP_NAMES[kind], { sum: digits(sumOfLeft(state, state.here[0])) });
  const place = level > 0 ? [0, box.y - ABOVE] : [verbOf(state) + NAMED, ASKS];
  const name = text(`${kind} name`, "faint halo", place, named, LEFT_END);
  if (asked) return [...veil(box, "?", act), name];
  return [
    ...(total(lengths) > 0 ? [] : [rect(`${kind} empty`, "ghost", box)]),
    ...state.tokens.flatMap((_, j) => piece(level, j, at)),
    ...state.tokens.flatMap((_, j) => flow(level, j, at)),
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
    ...state.tokens.map((_, j) => picking(state, j, at, act)),
  ];
}

/** What stands below the large number; it must not tell what is veiled. */
function labelOf(state, i, kind) {
  if (isUnasked(state)) return LABELS.who;
  if (state.veiled && kind === "divided") return LABELS.same;
  if (state.veiled && kind === "factor") return LABELS.who;
  if (state.veiled && kind === "black") return LABELS.what;
  if (kind === "divided") return fillIn(LABELS.divided, { sum: digits(sumOfLeft(state, i)) });
  if (kind === "factor") return fillIn(LABELS.factor, { factor: digits(1 / sumOfLeft(state, i)) });
  const shares = state.shown.shares[i];
  return fillIn(LABELS[kind], { word: state.tokens[shares.indexOf(Math.max(...shares))] });
}

/** The large number, and the one before it if it told the same. */
function result(state, at, act) {
  const [i] = state.here;
  const { number, format, words, kind } = answerOf(state, i);
  const last = state.before && answerOf(state.before, i);
  const before = last?.kind === kind && !state.before.veiled ? last.number : undefined;
  const label = labelOf(state, i, kind);
  const veiled = state.veiled || isUnasked(state);
  return answer({ number, format, words, label, before, veiled, x: at.width }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const [i] = state.here;
  const asks = state.tokens[i];
  return [
    ...names(state, at),
    ...map(state, at, act),
    text("asks", "large query", [0, ASKS], asks, { ...LEFT_END, size: large.size }),
    text("verb", "faint", [verbOf(state), ASKS], "asks", { ...LEFT_END, size: 28 }),
    ...strips(state, at, act),
    ...result(state, at, act),
  ];
}

/** The sum behind the bar that is pointed at, or null on the map. */
function tellSum(state, [i, column]) {
  const { shown, tokens, mask } = state;
  const j = column - tokens.length;
  if (j < 0 || state.veiled || isBlack(state, i)) return null;
  const sum = spell(shown.scores[i], mask[i], j, shown.after, shown.renormalise);
  return fillIn(SENTENCES.weight, { asks: tokens[i], asked: tokens[j], sum });
}

function veiledKind(state, i) {
  if (isBlack(state, i)) return "veiledRow";
  if (isCut(state)) return "veiledSum";
  return state.shown.after ? "veiledEqual" : "veiled";
}

/** Which sentence tells of a row. */
function kindOfRow(state, i) {
  if (state.veiled) return veiledKind(state, i);
  if (isBlack(state, i)) return "black";
  if (state.shown.after) return "after";
  if (!isFree(state, i)) return "shared";
  return state.done === 0 ? "start" : "free";
}

/** The sentence that says what to see; on a bar the sum behind it. */
export function caption(state) {
  const [i] = state.here;
  const { note } = state.shown;
  const asks = state.tokens[i];
  const sum = tellSum(state, state.here);
  return sum ?? fillIn(SENTENCES[kindOfRow(state, i)], { asks, note });
}

/** What a key means: another cell, or the cell painted. */
export function keysOf(state, key) {
  const T = state.tokens.length;
  const next = step(key, state.here, T, 2 * T);
  if (next) return { here: next };
  const [i, column] = state.here;
  if (key !== " ") return null;
  const j = column % T;
  return { ...painted(state, [[i, j]], !state.mask[i][j]), here: state.here };
}

export default demo({
  name: "mask-painter",
  looks: {
    masked: { stroke: "var(--line)", "stroke-width": 1.5 },
    gap: filled("hatching"),
    piece: { stroke: "var(--paper)", "stroke-width": 2 },
  },
  traits: ["tokens", "mask", "here", "shown", "done"],
  own: { paint: false }, // what the pointer makes of the cells that it passes
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
