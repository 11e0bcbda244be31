// A query and one or two keys as arrows to drag, and their dot products.
import {
  angle,
  chosenOf,
  cosine,
  dot,
  length,
  MOVE,
  NAMES,
  NEAR,
  namesOf,
  nextLength,
  PLANE,
  planeMarks,
  rounded,
  shadow,
  stretched,
} from "./plane.mjs";
import { scale } from "../frame/axes.mjs";
import { digits, fillIn } from "../frame/frame.mjs";
import { STAGE } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { rect } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = PLANE + 24; // of what stands beside the plane
const RIGHT = STAGE.width;
const ANSWER = 104; // the size of the score that is the answer
const OTHER = 40; // and of the other
const EQUAL = 80;
const SCORE_ROOM = 290;
const BROAD = 0.58; // of a letter's size: about the width of a digit
const SCORE = 84; // from the top of a score's room to its baseline
const BAR = { top: 98, high: 20, zero: 5 }; // to the bar that is as long as the score
const LONGEST = 10; // score of the longest bar, if none is larger
const SUM = 146; // to the sum that makes the score
const BEFORE = 176; // to what it was before, if there is room
const TURNED = 2; // the step of the story that asks for the score of k alone
const ARROW = 26; // the mark of the winner
const TABLE_ROW = 32;
const COLUMNS = { length: 946, angle: 1066, cosine: RIGHT }; // their right ends

/** The names of the keys with the largest score; none where all are equal. */
export function winnersOf(state) {
  const keys = namesOf(state).slice(1);
  const scores = keys.map((name) => dot(state.q, state[name]));
  const best = Math.max(...scores);
  const winners = keys.filter((_, i) => best - scores[i] < NEAR);
  return winners.length === keys.length ? [] : winners;
}

/** One digit where that is all there is, else two. */
const write = (x) => digits(x, Math.abs(x * 10 - Math.round(x * 10)) < NEAR ? 1 : 2);
const factor = (x) => (x < 0 ? `(${write(x)})` : write(x));

function sumOf([x, y], key) {
  return `${write(x)}\u00d7${factor(key[0])} + ${factor(y)}\u00d7${factor(key[1])}`;
}

/** The names of the keys whose scores are the answer: the winner, or the key that is asked for. */
function answersOf(state) {
  const keys = namesOf(state).slice(1);
  if (keys.length === 1) return keys;
  return state.done === TURNED ? ["k"] : winnersOf(state);
}

/** How large a score is written: the answer by far the largest. */
function sizeOf(name, score, state) {
  const answers = answersOf(state);
  const size = answers.includes(name) ? ANSWER : OTHER;
  const most = answers.length === 0 ? EQUAL : size;
  return Math.min(most, SCORE_ROOM / (digits(score).length * BROAD));
}

const scoresOf = (state) =>
  namesOf(state)
    .slice(1)
    .map((name) => dot(state.q, state[name]));

/** The state before, if its scores were seen. */
const seenBefore = ({ before }) => (before && !before.veiled ? before : null);

/** A score as a bar, and what it was before as an outline round it. */
function barsOf(name, top, state) {
  const before = seenBefore(state);
  const all = [...scoresOf(state), ...(before ? scoresOf(before) : [])];
  const domain = [Math.min(0, ...all), Math.max(LONGEST, ...all)];
  const { at } = scale({ domain, range: [LEFT, RIGHT] });
  const box = (score) => {
    const x = at(Math.min(0, score));
    return { x, w: at(Math.max(0, score)) - x, y: top + BAR.top, h: BAR.high };
  };
  const zero = { x: at(0) - 1, w: 2, y: top + BAR.top - BAR.zero, h: BAR.high + 2 * BAR.zero };
  const marks = [];
  if (!state.veiled) {
    marks.push(rect(`zero ${name}`, "rule", zero));
    const from = { x: at(0), w: 0 };
    marks.push(rect(`bar ${name}`, "score", box(dot(state.q, state[name])), { rx: 2, from }));
  }
  if (!before?.[name].length) return marks;
  const { x, y, w, h } = box(dot(before.q, before[name]));
  const around = { x, w, y: y - 3, h: h + 6 };
  return [...marks, rect(`was bar ${name}`, "ghost", around, { rx: 2, glide: 1 })];
}

const triangle = ({ x, y }) => `M${x},${y - ARROW}l${ARROW},${ARROW / 2}l${-ARROW},${ARROW / 2}Z`;

/** The score of a key: its name, the number, the bar, and the sum that makes it. */
function scoreOf(name, { top, isRoomy }, state, act) {
  const y = top + SCORE;
  const label = {
    id: `label ${name}`,
    class: "key bold",
    anchor: "start",
    size: 36,
    x: LEFT + ARROW + 12,
    y,
    text: `q\u00b7${NAMES[name]}`,
  };
  const end = { x: RIGHT, anchor: "end" };
  if (state.veiled) {
    const mark = { id: `veil ${name}`, class: "answer faint", y, size: ANSWER, text: "?", ...end };
    return [label, { ...mark, pick: () => act.next() }, ...barsOf(name, top, state)];
  }
  const score = dot(state.q, state[name]);
  const wins = winnersOf(state).includes(name);
  const kind = answersOf(state).includes(name) ? "answer" : "loser";
  const size = sizeOf(name, score, state);
  const number = { class: kind, y, size, number: score, format: (value) => digits(value) };
  const marks = [label, { id: `score ${name}`, ...number, ...end }, ...barsOf(name, top, state)];
  if (wins) marks.push({ id: "winner", class: "ink", x: LEFT, y, d: triangle });
  const text = sumOf(state.q, state[name]);
  marks.push({ id: `sum ${name}`, y: top + SUM, text, ...end });
  return isRoomy ? [...marks, ...scoreBefore(name, top, score, state)] : marks;
}

function scoreBefore(name, top, score, state) {
  const before = seenBefore(state);
  if (!before?.[name].length) return [];
  const was = digits(dot(before.q, before[name]));
  if (was === digits(score)) return [];
  const text = fillIn("before: {was}", { was });
  const end = { x: RIGHT, y: top + BEFORE, anchor: "end" };
  return [{ id: `score was ${name}`, class: "ghosted", text, ...end }];
}

/** Length, angle to the query and cosine of each arrow; the cosine waits for the score. */
function table(state, { height }) {
  const names = namesOf(state);
  const head = height - TABLE_ROW * names.length - 8;
  const marks = [];
  for (const [word, x] of Object.entries(COLUMNS))
    marks.push({
      id: `head ${word} of table`,
      class: "faint",
      anchor: "end",
      x,
      y: head,
      text: word,
    });
  for (const [i, name] of names.entries()) {
    const y = head + TABLE_ROW * (i + 1);
    const kind = name === "q" ? "query bold" : "key bold";
    marks.push({ id: `row ${name}`, class: kind, anchor: "start", x: LEFT, y, text: NAMES[name] });
    const cells = cellsOf(name, state);
    for (const [word, text] of Object.entries(cells))
      marks.push({ id: `${word} ${name}`, anchor: "end", x: COLUMNS[word], y, text });
  }
  return marks;
}

function cellsOf(name, state) {
  const cells = { length: digits(length(state[name])) };
  if (name === "q") return cells;
  const turn = angle(state.q, state[name]);
  if (turn === null) return { ...cells, angle: "none" };
  const near = state.veiled ? "?" : digits(cosine(state.q, state[name]));
  return { ...cells, angle: `${digits(turn, 0)}\u00b0`, cosine: near };
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const keys = namesOf(state).slice(1);
  const free = room.height - TABLE_ROW * (keys.length + 2) - 8;
  const high = free / keys.length;
  const scores = keys.flatMap((name, i) =>
    scoreOf(name, { top: i * high, isRoomy: high > BEFORE }, state, act),
  );
  return [...planeMarks(state, room, act), ...scores, ...table(state, room)];
}

const SENTENCES = {
  veiled: "Predict, then Enter. Drag a tip; Shift keeps its direction.",
  none: "q has no direction: nothing casts a shadow on it, and every score is 0.",
  one: "The shadow of k on q, {reach}, times the length of q, {long}, is the score.",
  query: "q is {long} long; along it k reaches {first} and k\u2032 {second}: {verdict}.",
  key: "{name}: {reach} along q \u00d7 {long} (length of q) \u2248 {score}; {verdict}.",
};

function verdictOf(state) {
  const [winner] = winnersOf(state);
  return winner ? fillIn("{name} wins", { name: NAMES[winner] }) : "equal scores";
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  if (!length(state.q)) return SENTENCES.none;
  const long = digits(length(state.q));
  const first = digits(shadow(state.q, state.k));
  if (!state.k2.length) return fillIn(SENTENCES.one, { reach: first, long });
  const second = digits(shadow(state.q, state.k2));
  const verdict = verdictOf(state);
  const chosen = chosenOf(state);
  if (chosen === "q") return fillIn(SENTENCES.query, { long, first, second, verdict });
  const reach = chosen === "k" ? first : second;
  const score = digits(dot(state.q, state[chosen]));
  return fillIn(SENTENCES.key, { name: NAMES[chosen], reach, long, score, verdict });
}

const DIRECTIONS = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** What a key means: another arrow, a tip that moves, or with Shift another length. */
export function keysOf(state, key, event) {
  if (key === " ") return { chosen: (state.chosen + 1) % namesOf(state).length };
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const name = chosenOf(state);
  const vector = state[name];
  if (event?.shiftKey) {
    const sign = direction[0] + direction[1];
    return { [name]: stretched(vector, nextLength(length(vector), sign)) };
  }
  return { [name]: vector.map((x, i) => rounded(x + MOVE * direction[i])) };
}

export default demo({
  name: "arrows",
  looks: {
    grid: filled("line", { opacity: 0.35 }),
    "grid.zero": filled("faint", { opacity: 0.6 }),
    ray: { "stroke-dasharray": "3 9", "stroke-linecap": "round" },
    "key.hollow": { ...drawn("key", 4, { "stroke-linejoin": "round" }), ...filled("paper") },
    "key.band": { opacity: 0.55 },
    "key.band.hollow": { opacity: 0.9, "stroke-width": 2.5 },
    drop: drawn("faint", 2),
    "rule-line": drawn("ink", 3),
    bead: { ...drawn("ink", 3), ...filled("paper") },
    "text.loser": filled("faint", { "letter-spacing": "-0.03em" }),
  },
  traits: ["q", "k", "k2", "chosen", "done"],
  own: { grip: null }, // where the pointer holds a tip
  height: 528,
  keep: ["chosen", "grip"],
  layout,
  caption,
  keys: keysOf,
});
