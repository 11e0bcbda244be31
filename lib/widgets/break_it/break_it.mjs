// One part taken away, row by row: a bet on the row's axis, then what was measured.
import { scale, ticksAcross } from "../frame/axes.mjs";
import { clamp, digits, fillIn, short, step } from "../frame/frame.mjs";
import { answer, large } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { STAGGER } from "../frame/scene.mjs";
import { number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

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
const SHARES = scale({ domain: [0, 1], range: [AXIS.x, AXIS.x + AXIS.w] });
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
    foot: (i) => TOP + (i + 0.5) * pitch + FOOT * NAME.size,
  };
}

/** What the columns are. */
function heads(state) {
  const ends = [
    { value: 0, id: "zero" },
    { value: 1, id: "one" },
  ];
  const marks = [
    ...ticksAcross(SHARES, ends, HEADS),
    text("share", "faint", [SHARES.at(0.5), HEADS], "share of new sentences right"),
  ];
  if (state.bets.every((bet) => bet === null)) return marks;
  return [...marks, text("said", "faint", [SAID, HEADS], "you said", { anchor: "end" })];
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
  const place = { x: SHARES.at(bet), y: at.middle(i) - h / 2, h };
  const kind = i === state.chosen ? "bold" : "";
  const letters = { anchor: "end", size: NAME.size };
  return [
    { id: `bet ${i}`, class: "bet", d: needle, ...place },
    number(`said ${i}`, kind, [SAID, at.foot(i)], bet, digits, letters),
  ];
}

/** The bar of a row that is uncovered, a tick for each seed, and the number. */
function barMarks(i, state, at) {
  const { share, shares } = state.rows[i];
  const y = at.middle(i) - at.thick / 2;
  const bar = { x: AXIS.x, w: Math.max(2, share * AXIS.w), y, h: at.thick };
  const marks = [rect(`bar ${i}`, "score", bar, { rx: 2, from: { w: 0 } })];
  if (shares.length > 1) {
    const h = at.thick * SEED.share;
    for (const [seed, one] of shares.entries()) {
      const box = { x: SHARES.at(one) - SEED.w / 2, w: SEED.w, y: at.middle(i) - h / 2, h };
      const motion = { from: { x: AXIS.x, o: 0 }, delay: seed * STAGGER };
      marks.push(rect(`seed ${i}.${seed}`, "seed", box, motion));
    }
  }
  const letters = { anchor: "start", size: NAME.size };
  return [...marks, number(`value ${i}`, "bold", [VALUE, at.foot(i)], share, digits, letters)];
}

/** The cover of a row. */
function cover(i, at) {
  const box = { x: AXIS.x, w: AXIS.w, y: at.middle(i) - at.thick / 2, h: at.thick };
  const letters = { anchor: "start", size: NAME.size };
  return [
    rect(`veil ${i}`, "veil", box, { rx: 6 }),
    text(`ask ${i}`, "faint", [VALUE, at.foot(i)], "?", letters),
  ];
}

function row(i, state, at, act) {
  const kind = i === state.chosen ? "bold" : "";
  const name = short(state.rows[i].name, NAME.letters);
  const letters = { anchor: "end", size: NAME.size };
  const box = { x: 0, w: TABLE, y: at.top(i), h: at.pitch };
  const uncover = () => act.change({ chosen: i, shown: state.shown.with(i, true) });
  return [
    text(`name ${i}`, kind, [NAME.x, at.foot(i)], name, letters),
    ...(state.shown[i] ? barMarks(i, state, at) : cover(i, at)),
    ...betMarks(i, state, at),
    rect(`row ${i}`, "pick", box, { pick: uncover }),
  ];
}

/** The share of the row that is chosen, and what the reader said. */
function result(state, at, act) {
  const { chosen, rows, shown, bets } = state;
  const { name, share } = rows[chosen];
  const label = short(name, NAME.letters);
  const marks = answer({ number: share, format: digits, label, veiled: !shown[chosen] }, act);
  if (bets[chosen] === null) return marks;
  const end = { anchor: "end" };
  const said = shown[chosen] ? "you said" : "you say";
  const { class: kind, size } = large;
  return [
    ...marks,
    number("large bet", kind, [at.width, SIDE.number], bets[chosen], digits, { size, ...end }),
    text("large bet label", "faint", [at.width, SIDE.label], said, { size: NAME.size, ...end }),
  ];
}

/** What the small marks on a bar are. */
function legend(state, at) {
  const marks = [];
  let y = at.height - LINE / 2;
  const foot = FOOT * NAME.size;
  const beside = { anchor: "start" };
  if (state.rows.some(({ shares }) => shares.length > 1)) {
    const tick = { x: SIDE.legend - SEED.w / 2, w: SEED.w, y: y - 9, h: 18 };
    marks.push(rect("a seed", "seed", tick));
    marks.push(text("a seed is", "faint", [SIDE.text, y + foot], "one seed each", beside));
    y -= LINE;
  }
  if (state.bets.some((bet) => bet !== null)) {
    const place = { x: SIDE.legend, y: y - 14, h: 28 };
    marks.push({ id: "a bet", class: "bet", d: needle, ...place });
    marks.push(text("a bet is", "faint", [SIDE.text, y + foot], "what you said", beside));
  }
  return marks;
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const here = { x: 0, w: TABLE, y: at.top(state.chosen), h: at.pitch };
  return [
    rect("here", "row", here, { rx: 8 }),
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

const traits = ["rows", "shown", "bets", "chosen"];
export default demo({
  name: "break-it",
  looks: {
    row: filled("surface"),
    seed: filled("ink"),
    bet: filled("ink"),
  },
  traits,
  layout,
  caption,
  keys: keysOf,
});
