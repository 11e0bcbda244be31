// A query and one or two keys as arrows to drag, and their dot products.
import {
  bandOf,
  chosenOf,
  cosine,
  dot,
  LENGTHENED,
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
  TURNED,
} from "./plane.mjs";
import { scale } from "../frame/axes.mjs";
import { digits, fillIn } from "../frame/frame.mjs";
import { answer, STAGE } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { rect } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = PLANE + 56; // of what stands beside the plane
const RIGHT = STAGE.width;
const UNDER = 156; // from the top to the scores, under the answer
const NUMBER = 56; // the size of a score
const SCORE = 54; // from the top of a score's room to its baseline
const BAR = { top: 70, high: 52, zero: 5 }; // to the bar that is as long as the score
const LONGEST = 10; // score of the longest bar, if none is larger

/** The names of the keys with the largest score; none where all are equal. */
export function winnersOf(state) {
  const keys = namesOf(state).slice(1);
  const scores = keys.map((name) => dot(state.q, state[name]));
  const best = Math.max(...scores);
  const winners = keys.filter((_, i) => best - scores[i] < NEAR);
  return winners.length === keys.length ? [] : winners;
}

/** True where the answer is the score of k: there is no other, or it alone is asked for. */
const asksScore = (state) => !state.k2.length || state.done === TURNED;

const scoreName = (name) => `q\u00b7${NAMES[name]}`;

const scoresOf = (state) =>
  namesOf(state)
    .slice(1)
    .map((name) => dot(state.q, state[name]));

/** The state before, if its scores were seen. */
const seenBefore = ({ before }) => (before && !before.veiled ? before : null);

/** True where a score is the same as before. */
function isSame(name, state) {
  const before = seenBefore(state);
  if (!before?.[name].length) return false;
  return Math.abs(dot(before.q, before[name]) - dot(state.q, state[name])) < NEAR;
}

/** True where a score is seen: it is not asked, or the same as before. */
const isSeen = (name, state) => !state.veiled || isSame(name, state);

/** A score as a bar that looks as its shadow does, and where it was another the outline of that. */
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
  if (isSeen(name, state)) {
    marks.push(rect(`zero ${name}`, "rule", zero));
    const more = { rx: 2, from: { x: at(0), w: 0 } };
    marks.push(rect(`bar ${name}`, bandOf(name), box(dot(state.q, state[name])), more));
  }
  if (!before?.[name].length || isSame(name, state)) return marks;
  const { x, y, w, h } = box(dot(before.q, before[name]));
  const around = { x, w, y: y - 3, h: h + 6 };
  return [...marks, rect(`was bar ${name}`, "ghost", around, { rx: 2, glide: 1 })];
}

/** The score of a key: its name, the number and the bar, or what hides it. */
function scoreOf(name, top, state, act) {
  const y = top + SCORE;
  const text = scoreName(name);
  const label = { id: `label ${name}`, class: "key bold", anchor: "start", size: 44, x: LEFT, y };
  const hidden = { x: LEFT, w: RIGHT - LEFT, y: top + BAR.top, h: BAR.high };
  const marks = [{ ...label, text }];
  if (!isSeen(name, state))
    marks.push(rect(`veil ${name}`, "veil", hidden, { rx: 8, pick: () => act.next() }));
  marks.push(...barsOf(name, top, state));
  const isAnswer = asksScore(state) && name === "k";
  if (!isSeen(name, state) || isAnswer) return marks;
  const isTold = !state.veiled && !asksScore(state);
  const kind = isTold && winnersOf(state).includes(name) ? "bold" : "";
  const score = { number: dot(state.q, state[name]), format: (value) => digits(value) };
  const look = { class: kind, size: NUMBER, x: RIGHT, y, anchor: "end" };
  return [...marks, { id: `score ${name}`, ...score, ...look }];
}

/** The answer in a word: why a key wins or, where that was made longer, whether k\u2032 does. */
function wordOf(state) {
  const [winner] = winnersOf(state);
  if (state.done === LENGTHENED) return winner === "k2" ? WORDS.yes : WORDS.no;
  if (!winner) return WORDS.equal;
  const other = winner === "k" ? "k2" : "k";
  const isAligned = cosine(state.q, state[winner]) > cosine(state.q, state[other]);
  const isLonger = length(state[winner]) > length(state[other]);
  return WORDS.why[Number(isAligned) + 2 * Number(isLonger)];
}

function answerMarks(state, act) {
  const { q: query, k: key, veiled } = state;
  if (asksScore(state)) {
    const format = (value) => digits(value);
    return answer({ number: dot(query, key), format, label: scoreName("k"), veiled }, act);
  }
  const asked = state.done === LENGTHENED ? SENTENCES.will : SENTENCES.which;
  const label = veiled ? asked : verdictOf(state);
  return answer({ words: wordOf(state), label, veiled, room: RIGHT - LEFT }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const keys = namesOf(state).slice(1);
  const high = (room.height - UNDER) / keys.length;
  const scores = keys.flatMap((name, i) => scoreOf(name, UNDER + i * high, state, act));
  return [...planeMarks(state, room, act), ...answerMarks(state, act), ...scores];
}

const WORDS = {
  ...{ yes: "yes", no: "no", equal: "equal" },
  why: ["neither", "aligned", "longer", "both"],
};

const SENTENCES = {
  which: "wins?",
  will: "k\u2032 wins?",
  moved: "k has moved. Its score?",
  veiled: "Predict, then Enter. Drag a tip; the bead keeps its direction.",
  none: "q has no direction: nothing casts a shadow on it, and every score is 0.",
  right: "No shadow: score 0.",
  one: "The shadow of k on q times the length of q is the score, {score}.",
  query: "q is {long} long; along it k reaches {first} and k\u2032 {second}: {verdict}.",
  key: "{name}: its shadow on q \u00d7 the length of q is {score}; {verdict}.",
};

function verdictOf(state) {
  const [winner] = winnersOf(state);
  return winner ? fillIn("{name} wins", { name: NAMES[winner] }) : "equal scores";
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  if (!length(state.q)) return SENTENCES.none;
  const verdict = verdictOf(state);
  const chosen = state.k2.length ? chosenOf(state) : "k";
  if (chosen === "q") {
    const long = digits(length(state.q));
    const [first, second] = [state.k, state.k2].map((key) => digits(shadow(state.q, key)));
    return fillIn(SENTENCES.query, { long, first, second, verdict });
  }
  const score = dot(state.q, state[chosen]);
  if (Math.abs(score) < NEAR) return SENTENCES.right;
  const sentence = asksScore(state) && chosen === "k" ? SENTENCES.one : SENTENCES.key;
  return fillIn(sentence, { name: NAMES[chosen], score: digits(score), verdict });
}

/** What is asked where k was at a right angle to q, and is no more. */
export const asks = ({ done, q, k }) =>
  done === TURNED && Math.abs(dot(q, k)) > NEAR && SENTENCES.moved;

const DIRECTIONS = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** What a key means: another arrow, a tip that moves, or with Shift another length. */
export function keysOf(state, key, event) {
  if (state.veiled) return null; // a stray key changes nothing of what is asked
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
    "key.hollow": { ...drawn("key", 5, { "stroke-linejoin": "round" }), ...filled("paper") },
    "key.band": { opacity: 0.55 },
    "key.band.hollow": { opacity: 0.9, "stroke-width": 4 },
    pale: { opacity: 0.35 },
    drop: drawn("faint", 3),
    "rule-line": drawn("ink", 5),
    bead: { ...drawn("ink", 3), ...filled("paper") },
  },
  traits: ["q", "k", "k2", "chosen", "done"],
  own: { grip: null }, // where the pointer holds a tip
  height: 528,
  keep: ["chosen", "grip"],
  layout,
  caption,
  asks,
  keys: keysOf,
});
