// One part taken away, row by row: a bet on the row's axis, then what was measured.
import { clamp, digits, fillIn, short, step } from "../frame/frame.mjs";
import { answer, large } from "../frame/lettering.mjs";
import { STAGGER } from "../frame/scene.mjs";
import { stage } from "../frame/stage.mjs";

const AXIS = { x: 316, w: 430 }; // of the bars, from 0 to 1
const TABLE = 940; // the width of a row: names, bars and numbers
const TOP = 42; // of the first row; over it stands what the columns are
const HEADS = 26; // the feet of the words over the columns
const NAME = { x: 296, size: 28, letters: 18 };
const VALUE = 762; // the left edge of a bar's number
const SAID = 926; // the right edge of the bets
const FILLED = 0.56; // of the room of a row
const THICKEST = 44; // pixels of a bar
const FOOT = 0.36; // from the middle of a row down to the feet of its letters, in letter sizes
const SEED = { w: 4, share: 0.5 }; // of the height of a bar
const BET = { w: 5, head: 11 }; // the arrow head that stands over a bet
const SIDE = { number: 226, label: 264, legend: 972, text: 996 }; // under the answer
const LINE = 36; // from one line of the legend to the next

const FIRST_BET = 0.5;
const MOVE = 0.05; // of a bet, for one press of an arrow key
const FINE = 0.01; // with Shift

const SENTENCES = {
  start: "Predict first: bet with ← and → (↑ and ↓: another row). Enter uncovers it.",
  bet: "You say {bet} for \u201c{name}\u201d. Enter uncovers it.",
};

/** Where everything stands in a room of this height. */
function geometry(state, { width, height }) {
  const pitch = (height - TOP) / state.rows.length;
  const thick = Math.min(THICKEST, pitch * FILLED);
  return {
    width,
    height,
    pitch,
    thick,
    top: (i) => TOP + i * pitch,
    middle: (i) => TOP + (i + 0.5) * pitch,
    across: (share) => AXIS.x + share * AXIS.w,
  };
}

/** What the columns are. */
function heads(state) {
  const middle = AXIS.x + AXIS.w / 2;
  const faint = { class: "faint", y: HEADS };
  const marks = [
    { id: "zero", ...faint, x: AXIS.x, text: "0" },
    { id: "share", ...faint, x: middle, text: "share of new sentences right" },
    { id: "one", ...faint, x: AXIS.x + AXIS.w, text: "1" },
  ];
  if (state.bets.every((bet) => bet === null)) return marks;
  return [...marks, { id: "said", ...faint, anchor: "end", x: SAID, text: "you said" }];
}

/** An arrow head on the top of a line that stands on a bet. */
function needle({ x, y, h }) {
  const { w, head } = BET;
  return (
    `M${x - head},${y}H${x + head}L${x + w / 2},${y + head}V${y + h}` + `H${x - w / 2}V${y + head}Z`
  );
}

/** The bet of a row, on its axis and in its column. */
function betMarks(i, state, at) {
  const bet = state.bets[i];
  if (bet === null) return [];
  const h = at.thick + 2 * BET.head;
  const place = { x: at.across(bet), y: at.middle(i) - h / 2, h };
  const kind = i === state.chosen ? "bold" : "";
  const foot = at.middle(i) + FOOT * NAME.size;
  const number = { number: bet, format: digits, size: NAME.size };
  return [
    { id: `bet ${i}`, class: "bet", d: needle, ...place },
    { id: `said ${i}`, class: kind, anchor: "end", x: SAID, y: foot, ...number },
  ];
}

/** The bar of a row that is uncovered, a tick for each seed, and the number. */
function barMarks(i, state, at) {
  const { share, shares } = state.rows[i];
  const y = at.middle(i) - at.thick / 2;
  const bar = { x: AXIS.x, w: Math.max(2, share * AXIS.w), y, h: at.thick, rx: 2 };
  const marks = [{ id: `bar ${i}`, class: "score", ...bar, from: { w: 0 } }];
  if (shares.length > 1) {
    const h = at.thick * SEED.share;
    for (const [seed, one] of shares.entries()) {
      const box = { x: at.across(one) - SEED.w / 2, w: SEED.w, y: at.middle(i) - h / 2, h };
      const from = { x: AXIS.x, o: 0 };
      marks.push({ id: `seed ${i}.${seed}`, class: "seed", ...box, from, delay: seed * STAGGER });
    }
  }
  const foot = at.middle(i) + FOOT * NAME.size;
  const number = { number: share, format: digits, size: NAME.size };
  marks.push({ id: `value ${i}`, class: "bold", anchor: "start", x: VALUE, y: foot, ...number });
  return marks;
}

/** The cover of a row. */
function cover(i, at) {
  const box = { x: AXIS.x, w: AXIS.w, y: at.middle(i) - at.thick / 2, h: at.thick, rx: 6 };
  const place = { x: VALUE, y: at.middle(i) + FOOT * NAME.size, size: NAME.size };
  return [
    { id: `veil ${i}`, class: "veil", ...box },
    { id: `ask ${i}`, class: "faint", anchor: "start", text: "?", ...place },
  ];
}

function row(i, state, at, act) {
  const isHere = i === state.chosen;
  const foot = at.middle(i) + FOOT * NAME.size;
  const name = { anchor: "end", x: NAME.x, y: foot, size: NAME.size };
  const text = short(state.rows[i].name, NAME.letters);
  const content = state.shown[i] ? barMarks(i, state, at) : cover(i, at);
  return [
    { id: `name ${i}`, class: isHere ? "bold" : "", ...name, text },
    ...content,
    ...betMarks(i, state, at),
    {
      id: `row ${i}`,
      class: "pick",
      x: 0,
      w: TABLE,
      y: at.top(i),
      h: at.pitch,
      pick: () => act.change(uncovered(state, i)),
    },
  ];
}

/** The changes that choose a row and uncover it. */
export function uncovered({ shown }, i) {
  return { chosen: i, shown: shown.with(i, true) };
}

/** The share of the row that is chosen, and what the reader said. */
function result(state, at, act) {
  const { chosen, rows, shown, bets } = state;
  const { name, share } = rows[chosen];
  const label = short(name, NAME.letters);
  const marks = answer({ number: share, format: digits, label, veiled: !shown[chosen] }, act);
  if (bets[chosen] === null) return marks;
  const edge = { anchor: "end", x: at.width };
  const number = { ...large, number: bets[chosen], format: digits, y: SIDE.number };
  const below = { class: "faint", size: NAME.size, y: SIDE.label };
  const text = shown[chosen] ? "you said" : "you say";
  return [
    ...marks,
    { id: "large bet", ...edge, ...number },
    { id: "large bet label", ...edge, ...below, text },
  ];
}

/** What the small marks on a bar are. */
function legend(state, at) {
  const marks = [];
  let y = at.height - LINE / 2;
  const foot = FOOT * NAME.size;
  const beside = { class: "faint", anchor: "start", x: SIDE.text };
  if (state.rows.some(({ shares }) => shares.length > 1)) {
    const tick = { x: SIDE.legend - SEED.w / 2, w: SEED.w, y: y - 9, h: 18 };
    marks.push({ id: "a seed", class: "seed", ...tick });
    marks.push({ id: "a seed is", ...beside, y: y + foot, text: "one seed each" });
    y -= LINE;
  }
  if (state.bets.some((bet) => bet !== null)) {
    const place = { x: SIDE.legend, y: y - 14, h: 28 };
    marks.push({ id: "a bet", class: "bet", d: needle, ...place });
    marks.push({ id: "a bet is", ...beside, y: y + foot, text: "what you said" });
  }
  return marks;
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const here = { x: 0, w: TABLE, y: at.top(state.chosen), h: at.pitch };
  return [
    { id: "here", class: "row", rx: 8, ...here },
    ...heads(state),
    ...state.rows.flatMap((_, i) => row(i, state, at, act)),
    ...result(state, at, act),
    ...legend(state, at),
  ];
}

/** The sentence: what to do while a row is covered, then what was measured. */
export function caption({ rows, shown, bets, chosen }) {
  const { name, says } = rows[chosen];
  if (shown[chosen]) return says;
  if (bets[chosen] === null) return SENTENCES.start;
  return fillIn(SENTENCES.bet, { name, bet: digits(bets[chosen]) });
}

/** What a key makes of the bet of a covered row, or null. */
function betAfter(key, bet, event) {
  if (key === "Home") return 0;
  if (key === "End") return 1;
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!direction) return null;
  if (bet === null) return FIRST_BET;
  const by = event?.shiftKey ? FINE : MOVE;
  return clamp(Math.round((bet + direction * by) * 100) / 100, 0, 1);
}

/** What a key means: another row, or a bet on this one. */
export function keysOf({ rows, shown, bets, chosen }, key, event) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const [next] = step(key, [chosen, 0], rows.length, 1);
    return { chosen: next };
  }
  if (shown[chosen]) return null;
  const bet = betAfter(key, bets[chosen], event);
  return bet === null ? null : { bets: bets.with(chosen, bet) };
}

/** What Enter does: uncover the chosen row, or the next one that is covered. */
export function nextOf(state) {
  const { shown, chosen } = state;
  const below = shown.indexOf(false, chosen);
  const i = below < 0 ? shown.indexOf(false) : below;
  if (i < 0) return { label: "Start over", ask: { type: "start over" } };
  return { label: "Uncover", changes: uncovered(state, i) };
}

function read(model) {
  const names = ["rows", "shown", "bets", "chosen"];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}

function render({ model, el, signal }) {
  const play = { name: "break-it", read, layout, caption, keys: keysOf, next: nextOf };
  stage({ model, el, signal }, play);
}

export default { render };
