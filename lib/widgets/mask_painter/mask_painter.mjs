// A mask to paint over a small map; the row that is pointed at stands large beside it, as bars.
//
// here is [row, column]: columns 0 to T - 1 are the map's cells, T to 2T - 1 the bars of the row.
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { STAGGER } from "../frame/scene.mjs";
import { LEFT_END, line, number, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { spell } from "./sums.mjs";

const ASKS = 44; // the feet of the word that asks, and of "asks"
const VERB = 12; // between the two
const NAMES = 84; // where the names of the bars end
const SCORES = 72; // from there to the ends of their scores
const HEADINGS = 90; // the feet of what stands above the scores and the bars
const BARS = 102; // the top of the bars
const BARS_END = 784; // where the longest bar's digits end
const APART = 28; // two rows of bars
const FILLED = 0.66; // of the room of a bar
const SUM = { y: 22, h: 26, end: 740 }; // of all weights, above the bars; where 1 ends
const AROUND = 5; // a dashed bar is so much higher than the bar, above and below
const DIGITS_ROOM = 84; // right of the longest bar
const BESIDE = 14; // from a bar to its digits
const TOP = 204; // of the map, below the answer; its words stand above it and before it
const CELL = 58; // the width of a cell
const FOOT = 8; // from a cell's middle down to the feet of its digits
const HEADS = 190; // the feet of the words above the map
const BEFORE_NAMES = 12;
const MOVES = 760; // milliseconds: what is blocked goes to the others slowly enough to be seen
const GAINED = 0.5; // the opacity of what a bar has gained

const ASK_SAME = 3; // the step of the story that asks whether the row comes out the same
const LESS = 1e-6; // by which a row must miss 1 to be marked
const MINUS_INFINITY = "\u2212\u221e";
const SENTENCES = {
  start: "Click or drag over the map to block cells. \u201c{asks}\u201d is drawn large.",
  veiled: "Predict first: who gets what was blocked? Enter shows it.",
  veiledSum: "Predict first: blocked weights are set to 0, nothing else. Enter shows it.",
  veiledEqual: "Predict first: as with a mask before the softmax? Enter shows it.",
  veiledRow: "Predict first: every score is \u2212\u221e. Enter shows it.",
  shared: "The keys that are left get it, in proportion: the pale ends.",
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

const COLUMNS = {
  score: "score",
  weight: "weight",
  first: "mask before softmax",
  second: "after, \u00f7 {sum}",
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

/** Where everything stands in a room of this size; two rows of bars where two are compared. */
function geometry(state, { width, height }) {
  const T = state.tokens.length;
  const [i] = state.here;
  const { before, weights, shares, renormalise: isPair } = state.shown;
  const high = (height - TOP) / T;
  const left = width - T * CELL;
  const pitch = (height - BARS) / T;
  const scores = NAMES + SCORES;
  const bars = scores + 2 * BESIDE;
  const wide = isPair ? (BARS_END - bars - APART) / 2 : BARS_END - bars;
  const longest = Math.max(...(isPair ? before : shares)[i], ...weights[i]) || 1;
  return {
    T,
    width,
    high,
    left,
    pitch,
    scores,
    bars,
    isPair,
    second: BARS_END - wide,
    unit: isCut(state) ? SUM.end - bars : (wide - DIGITS_ROOM) / longest,
    thick: pitch * FILLED,
    cell: (row, column) => ({ x: left + column * CELL, y: TOP + row * high, w: CELL, h: high }),
    bar: (j) => BARS + j * pitch + (pitch * (1 - FILLED)) / 2,
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

/** The keys of the row with their scores, and what stands above them. */
function scores(state, at) {
  const [i, column] = state.here;
  const { after, scores: all } = state.shown;
  const marks = state.tokens.flatMap((token, j) => {
    const foot = at.bar(j) + at.thick / 2 + FOOT;
    const kind = column === at.T + j ? "bar-name key here bold" : "bar-name key";
    const isSeen = after || state.mask[i][j];
    const score = isSeen ? digits(all[i][j], 1) : MINUS_INFINITY;
    return [
      text(`name ${j}`, kind, [NAMES, foot], token, RIGHT_END),
      text(`score ${j}`, isSeen ? "" : "bold", [at.scores, foot], score, RIGHT_END),
    ];
  });
  return [text("scores", "faint", [at.scores, HEADINGS], COLUMNS.score, RIGHT_END), ...marks];
}

/** Where a key's gain comes from: its piece of the largest share that is blocked. */
function pieceOf(state, j, at) {
  const [i] = state.here;
  const { shares, weights } = state.shown;
  const lost = shares[i].map((share, other) => (state.mask[i][other] ? 0 : share));
  const most = Math.max(...lost);
  const x = at.bars + at.unit * most * total(weights[i].slice(0, j));
  return { x, y: at.bar(lost.indexOf(most)), w: at.unit * most * weights[i][j], o: GAINED };
}

/** A blocked bar: dashed, and cut into what the others get of it. */
function lostBar(state, j, at) {
  const [i] = state.here;
  const { shares, weights, after } = state.shown;
  const w = at.unit * shares[i][j];
  const [y, h] = [at.bar(j) - AROUND, at.thick + 2 * AROUND];
  const box = rect(`was ${j}`, "ghost", { x: at.bars, y, w, h }, { rx: 2, glide: 1 });
  if (state.veiled || after || isBlack(state, i)) return [box];
  const cuts = weights[i].flatMap((weight, key) => {
    const x = at.bars + w * total(weights[i].slice(0, key));
    return weight > 0 && x > at.bars ? [line(`cut ${j}.${key}`, "ghost", [x, y], [x, y + h])] : [];
  });
  return [box, ...cuts];
}

/** The number at the end of a bar, or that it is asked for. */
function atBar(name, j, [start, weight], at, isAsked) {
  const end = [start + at.unit * weight + BESIDE, at.bar(j) + at.thick / 2 + FOOT];
  if (isAsked) return text(`ask ${j}`, "bold halo", end, "?", LEFT_END);
  return number(`${name} ${j}`, "bold halo", end, weight, digits, LEFT_END);
}

/** A bar of the row: what it was without a mask, and what it has gained since. */
function bar(state, j, at) {
  const [i] = state.here;
  const share = state.shown.shares[i][j];
  const weight = state.shown.weights[i][j];
  const isLess = share - weight > LESS;
  const marks = isLess || state.veiled ? lostBar(state, j, at) : [];
  if (state.veiled) return [...marks, atBar("weight", j, [at.bars, share], at, true)];
  const [y, h] = [at.bar(j), at.thick];
  const kept = { x: at.bars, y, w: at.unit * Math.min(share, weight), h };
  marks.push(rect(`kept ${j}`, "weight", kept));
  if (weight - share > LESS) {
    const more = { x: at.bars + kept.w, y, w: at.unit * (weight - share), h, o: GAINED };
    const moves = { from: pieceOf(state, j, at), delay: j * STAGGER, glide: MOVES };
    marks.push(rect(`more ${j}`, "weight", more, moves));
  }
  const end = isLess ? [at.bars + at.unit * (share - weight), weight] : [at.bars, weight];
  return [...marks, atBar("weight", j, end, at)];
}

/** The same key in both rows that are compared: masked before the softmax, and after it. */
function pair(state, j, at) {
  const [i] = state.here;
  const [first, second] = [state.shown.before[i][j], state.shown.weights[i][j]];
  const box = { y: at.bar(j), h: at.thick };
  const marks = [
    rect(`before ${j}`, "weight", { ...box, x: at.bars, w: at.unit * first }),
    atBar("first", j, [at.bars, first], at),
    atBar("weight", j, [at.second, state.veiled ? 0 : second], at, state.veiled),
  ];
  if (state.veiled) return marks;
  const from = { x: at.bars, w: at.unit * first, o: 0 };
  return [
    ...marks,
    rect(`kept ${j}`, "weight", { ...box, x: at.second, w: at.unit * second, from }),
  ];
}

/** All that is left of a row that is cut, end to end, in the outline of what adds up to 1. */
function sumBar(state, at) {
  if (!isCut(state)) return [];
  const weights = state.veiled ? [] : state.shown.weights[state.here[0]];
  const parts = weights.map((weight, j) => {
    const x = at.bars + at.unit * total(weights.slice(0, j));
    const box = { x, y: SUM.y, w: at.unit * weight, h: SUM.h };
    const from = { x: at.bars, y: at.bar(j) };
    return rect(`sum ${j}`, "weight", box, { from, delay: j * STAGGER, glide: MOVES });
  });
  const outline = { x: at.bars, y: SUM.y - AROUND, w: at.unit, h: SUM.h + 2 * AROUND };
  return [
    rect("whole", "ghost", outline, { rx: 2 }),
    ...parts,
    text("one", "bold", [SUM.end + BESIDE, SUM.y + SUM.h / 2 + FOOT], "1", LEFT_END),
  ];
}

/** What stands above the bars. */
function headings(state, at) {
  const place = (x) => [x, HEADINGS];
  if (!at.isPair) return [text("weights", "faint", place(at.bars), COLUMNS.weight, LEFT_END)];
  const words = fillIn(COLUMNS.second, { sum: digits(sumOfLeft(state, state.here[0])) });
  return [
    text("first row", "faint", place(at.bars), COLUMNS.first, LEFT_END),
    text("second row", "faint", place(at.second), words, LEFT_END),
  ];
}

/** Where a click blocks the key of a bar. */
function picking(state, j, at, act) {
  const [i] = state.here;
  const room = { x: 0, y: BARS + j * at.pitch, w: BARS_END, h: at.pitch };
  const pick = () =>
    act.change({ ...painted(state, [[i, j]], !state.mask[i][j]), here: state.here });
  const hover = () => pointAt(state, [i, at.T + j], act);
  return rect(`bar ${j}`, "pick", room, { pick, hover });
}

/** The bars of the row; while the reader predicts, only what is known, and a hatching. */
function bars(state, at, act) {
  const one = at.isPair ? pair : bar;
  const marks = [
    ...headings(state, at),
    ...state.tokens.flatMap((_, j) => one(state, j, at)),
    ...state.tokens.map((_, j) => picking(state, j, at, act)),
  ];
  if (!state.veiled) return marks;
  const x = at.isPair ? at.second - BESIDE : at.bars;
  const box = { x, y: BARS, w: BARS_END - x, h: at.T * at.pitch, rx: 8 };
  return [
    rect("veil", "veil", box),
    ...marks,
    rect("show", "pick", box, { pick: () => act.next() }),
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
  const verb = [widthOf(asks, large.size, 650) + VERB, ASKS];
  return [
    ...names(state, at),
    ...map(state, at, act),
    text("asks", "large query", [0, ASKS], asks, { ...LEFT_END, size: large.size }),
    text("verb", "faint", verb, "asks", { ...LEFT_END, size: 28 }),
    ...scores(state, at),
    ...bars(state, at, act),
    ...sumBar(state, at),
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
  },
  traits: ["tokens", "mask", "here", "shown", "done"],
  own: { paint: false }, // what the pointer makes of the cells that it passes
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
