// One part taken away, row by row: a bet on the row's axis, then what was measured.
import { scale, ticksAcross } from "../frame/axes.mjs";
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { answer, breakLines, fit, widthOf } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { BASELINE, LEFT_END, number, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const AXIS = { x: 248, w: 300 }; // of the bars, from 0 to 1
const TABLE = 720; // the width of a row: names, bars and numbers
const TOP = 42; // of the first row; over it stands what the columns are
const HEADS = 26; // the feet of the words over the columns
const NAME = { x: 232, size: 28, room: 232 };
const VALUE = 562; // the left edge of a bar's number
const SAID = 706; // the right edge of the bets
const FILLED = 0.64; // of the room of a row
const THICKEST = 44; // pixels of a bar
const FOOT = 0.36; // from the middle of a row down to the feet of its letters, in letter sizes
const SHARES = scale({ domain: [0, 1], range: [AXIS.x, AXIS.x + AXIS.w] });
const SEED = { w: 4, share: 0.5 }; // of the height of a bar
const KEY = { x: 10, w: 46, h: 22, words: 66, ends: [0.2, 0.45, 0.8] }; // a bar with three ticks
const BET = { w: 5, head: 11 }; // the arrow head that stands over a bet
const SIDE = { x: 756, under: 124 }; // of the answer: what the model writes
const READS = { line: 30, top: 172, foot: 8 }; // what it reads, and what were right
// What it writes, or the veil over it.
const WRITES = { sizes: [40, 36, 32, 28, 26], line: 1.24, gap: 16, veil: 152 };
const WRONG = { side: 5, high: 0.84, h: 1.12 }; // the yellow behind a wrong word, in letter sizes

const FIRST_BET = 0.5;
const MOVE = 0.05; // of a bet, for one press of an arrow key
const FINE = 0.01; // with Shift

const SENTENCES = {
  start: "Predict first: bet with ← and → (↑ and ↓: another row). Enter uncovers it.",
  bet: "You say {bet} for \u201c{name}\u201d. Enter uncovers it.",
};
const RIGHT_WITH = "right with {name}";
const HEAD = { axis: "share right", ticks: "each training", bets: "you said" };
const MODEL = {
  ask: "what does it write?",
  reads: "One model reads: {read}.",
  right: "Right: {right}",
  faultless: "None of its {count} models makes a mistake.",
};

/** The rows from above; sorted by damage, those with least left come first, under the whole. */
export function orderOf({ rows, by_damage }) {
  const [whole, ...others] = rows.keys();
  if (by_damage) others.sort((i, j) => rows[i].share - rows[j].share);
  return [whole, ...others];
}

/** Where everything stands in a room of this height. */
function geometry(state, { width, height }) {
  const pitch = (height - TOP) / state.rows.length;
  const thick = Math.min(THICKEST, pitch * FILLED);
  const order = orderOf(state);
  const top = (i) => TOP + order.indexOf(i) * pitch;
  return {
    width,
    height,
    pitch,
    thick,
    top,
    middle: (i) => top(i) + pitch / 2,
    foot: (i) => top(i) + pitch / 2 + FOOT * NAME.size,
  };
}

const nameOf = (name) => fit(name, NAME.room, NAME.size);

/** What the columns are, and what a tick is. */
function heads(state) {
  const ends = [
    { value: 0, id: "zero" },
    { value: 1, id: "one" },
  ];
  const marks = [
    ...ticksAcross(SHARES, ends, HEADS),
    text("axis", "faint", [SHARES.at(0.5), HEADS], HEAD.axis),
  ];
  if (state.rows.some(({ shares }) => shares.length > 1)) {
    const { x, w, h } = KEY;
    const box = { x, w, y: HEADS - BASELINE - h / 2, h };
    const tick = { w: SEED.w, y: box.y + (h * (1 - SEED.share)) / 2, h: h * SEED.share };
    marks.push(rect("key", "left", box));
    for (const place of KEY.ends)
      marks.push(rect(`key ${place}`, "seed", { ...tick, x: x + place * w - SEED.w / 2 }));
    marks.push(text("key is", "faint", [KEY.words, HEADS], HEAD.ticks, LEFT_END));
  }
  if (state.bets.every((bet) => bet === null)) return marks;
  return [...marks, text("said", "faint", [SAID, HEADS], HEAD.bets, RIGHT_END)];
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
  const letters = { ...RIGHT_END, size: NAME.size };
  return [
    { id: `bet ${i}`, class: "bet", d: needle, ...place },
    number(`said ${i}`, kind, [SAID, at.foot(i)], bet, digits, letters),
  ];
}

const WHOLE = { w: AXIS.w, o: 1 }; // a bar before it breaks
const NOTHING = { x: AXIS.x + AXIS.w, w: 0, o: 1 };

/** What is left of a row that is uncovered, what is lost, a tick for each seed, and the number. */
function barMarks(i, state, at) {
  const { share, shares } = state.rows[i];
  const y = at.middle(i) - at.thick / 2;
  const end = SHARES.at(1);
  const here = SHARES.at(share);
  const lost = { rx: 0, from: NOTHING, delay: GLIDE };
  const breaks = { from: WHOLE, delay: GLIDE };
  const marks = [
    rect(`bar ${i}`, "left", { x: AXIS.x, w: here - AXIS.x, y, h: at.thick }, breaks),
    rect(`lost ${i}`, "ghost", { x: here, w: end - here, y, h: at.thick }, lost),
  ];
  if (shares.length > 1) {
    const h = at.thick * SEED.share;
    for (const [seed, one] of shares.entries()) {
      const box = { x: SHARES.at(one) - SEED.w / 2, w: SEED.w, y: at.middle(i) - h / 2, h };
      const motion = { from: { x: end, o: 0 }, delay: GLIDE + seed * STAGGER };
      marks.push(rect(`seed ${i}.${seed}`, "seed", box, motion));
    }
  }
  const letters = { ...LEFT_END, size: NAME.size, delay: 2 * GLIDE };
  return [...marks, number(`value ${i}`, "bold", [VALUE, at.foot(i)], share, digits, letters)];
}

/** The cover of a row; hatched where the row is asked for. */
function cover(i, { chosen }, at) {
  const box = { x: AXIS.x, w: AXIS.w, y: at.middle(i) - at.thick / 2, h: at.thick };
  const letters = { ...LEFT_END, size: NAME.size };
  return [
    rect(`cover ${i}`, i === chosen ? "veil" : "spread", box, { rx: 6 }),
    text(`ask ${i}`, "faint", [VALUE, at.foot(i)], "?", letters),
  ];
}

function row(i, state, at, act) {
  const kind = i === state.chosen ? "bold" : "";
  const letters = { ...RIGHT_END, size: NAME.size };
  const box = { x: 0, w: TABLE, y: at.top(i), h: at.pitch };
  const uncover = () => act.change({ chosen: i, shown: state.shown.with(i, true) });
  return [
    text(`name ${i}`, kind, [NAME.x, at.foot(i)], nameOf(state.rows[i].name), letters),
    ...(state.shown[i] ? barMarks(i, state, at) : cover(i, state, at)),
    ...betMarks(i, state, at),
    rect(`row ${i}`, "pick", box, { pick: uncover }),
  ];
}

/** The share of the row that is chosen. */
function result(state, act) {
  const { before, chosen, rows, shown } = state;
  const { name, share } = rows[chosen];
  const after = before?.shown[chosen] ? 0 : 2 * GLIDE; // the bar breaks first
  const veiled = !shown[chosen];
  const label = fillIn(RIGHT_WITH, { name: nameOf(name) });
  return answer({ number: share, format: digits, label, veiled, after }, act);
}

/** Words in lines of at most `room`, with where they stand: [{word, wrong, x, line}, ...]. */
function inLines(words, size, room) {
  let x = 0;
  let line = 0;
  const space = widthOf("n n", size) - 2 * widthOf("n", size);
  return words.map(([word, isRight]) => {
    const wide = widthOf(word, size, isRight ? 400 : 650);
    if (x > 0 && x + wide > room) {
      x = 0;
      line += 1;
    }
    const placed = { word, isRight, x, wide, line };
    x += wide + space;
    return placed;
  });
}

/** The largest letters in which the words stand in a place so high, and no word that does not. */
function fitting(words, room, high) {
  for (const size of WRITES.sizes) {
    const placed = inLines(words, size, room);
    const pitch = size * WRITES.line;
    const isLast = size === WRITES.sizes.at(-1);
    if (isLast || (placed.at(-1).line + 1) * pitch <= high)
      return { size, pitch, placed: placed.filter(({ line }) => (line + 1) * pitch <= high) };
  }
}

/** A sentence in small letters, from a height downwards. */
function small(id, sentence, y, at) {
  const lines = breakLines(sentence, at.width - SIDE.x);
  return lines.map((line, i) =>
    text(`${id} ${i}`, "faint", [SIDE.x, y + i * READS.line], line, LEFT_END),
  );
}

/** Words in large letters, between two heights: the wrong ones are bold, on yellow. */
function big(id, words, [top, end], at) {
  const { size, pitch, placed } = fitting(words, at.width - SIDE.x, end - top);
  return placed.flatMap(({ word, isRight, x, wide, line }, i) => {
    const foot = [SIDE.x + x, top + line * pitch + size];
    const more = { ...LEFT_END, size };
    const mark = text(`${id}.${i}`, isRight ? "" : "bold", foot, word, more);
    if (isRight) return [mark];
    const behind = {
      ...{ x: foot[0] - WRONG.side, w: wide + 2 * WRONG.side },
      ...{ y: foot[1] - WRONG.high * size, h: WRONG.h * size },
    };
    return [rect(`wrong ${id}.${i}`, "changed", behind, { rx: 6 }), mark];
  });
}

/** What the model writes: a sentence that it gets wrong, and what were right; or its veil. */
function writes({ rows, shown, chosen }, at, act) {
  const { mistake, shares } = rows[chosen];
  if (mistake === undefined) return [];
  const top = SIDE.under + WRITES.gap;
  if (!shown[chosen]) {
    const box = { x: SIDE.x, w: at.width - SIDE.x, y: top + WRITES.gap, h: WRITES.veil };
    return veil(box, MODEL.ask, act);
  }
  if (mistake === null) {
    const words = fillIn(MODEL.faultless, { count: shares.length }).split(" ");
    return big(
      `none ${chosen}`,
      words.map((word) => [word, true]),
      [top, at.height],
      at,
    );
  }
  const reads = small(`reads ${chosen}`, fillIn(MODEL.reads, mistake), READS.top, at);
  const right = fillIn(MODEL.right, mistake);
  const below = breakLines(right, at.width - SIDE.x).length * READS.line + READS.foot;
  const start = reads.at(-1).y + WRITES.gap;
  const wrote = big(`wrote ${chosen}`, mistake.wrote, [start, at.height - below], at);
  const end = wrote.length === 0 ? start : wrote.filter(({ text }) => text).at(-1).y;
  return [
    ...reads,
    ...wrote,
    ...small(`right ${chosen}`, right, end + WRITES.gap + READS.line, at),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const here = { x: 0, w: TABLE, y: at.top(state.chosen), h: at.pitch };
  return [
    rect("here", "row", here, { rx: 8 }),
    ...heads(state),
    ...state.rows.flatMap((_, i) => row(i, state, at, act)),
    ...result(state, act),
    ...writes(state, at, act),
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
export function keysOf(state, key, event) {
  const { rows, shown, bets, chosen } = state;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const order = orderOf(state);
    const [next] = step(key, [order.indexOf(chosen), 0], rows.length, 1);
    return { chosen: order[next] };
  }
  if (shown[chosen]) return null;
  const bet = betAfter(key, bets[chosen], event);
  return bet === null ? null : { bets: bets.with(chosen, bet) };
}

const traits = ["rows", "shown", "bets", "chosen", "by_damage"];
export default demo({
  name: "break-it",
  looks: {
    row: filled("surface"),
    left: filled("score"),
    seed: filled("ink", { stroke: "var(--paper)", "stroke-width": 1.5 }),
    bet: filled("ink"),
  },
  traits,
  layout,
  caption,
  keys: keysOf,
});
