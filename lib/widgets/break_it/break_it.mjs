// One part taken away, row by row: a bet on the row's axis, then what each training came to.
import { scale, ticksAcross } from "../frame/axes.mjs";
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { answer, breakLines, fit, widthOf } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { BASELINE, dot, LEFT_END, number, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const AXIS = { x: 250, w: 470 }; // of the dots, from 0 to 1
const TABLE = 868; // the width of a row: names, dots and numbers
const TOP = 42; // of the first row; over it stands what the columns are
const HEADS = 26; // the feet of the words over the columns
const NAME = { x: 14, size: 26, room: 226 };
const VALUE = 856; // the right edge of a row's number
const HIGHEST = 64; // a row where there are few
const FILLED = 0.86; // of the room of a row
const FOOT = 0.36; // from the middle of a row down to the feet of its letters, in letter sizes
const SHARES = scale({ domain: [0, 1], range: [AXIS.x, AXIS.x + AXIS.w] });
const WHOLE = SHARES.at(1);
const DOT = { r: 0.13, apart: 2.2 }; // of the height of a row; of its radius
const QUOTED = { times: 1.5, x: 878, r: 8 }; // the dot whose sentence is quoted; before it, too
const MIDDLE = { w: 5, key: { x: 762, h: 24 } }; // the line at the median
const BAR = 28; // the height of the bar that ends at the median
const KEY = { r: 6, x: 20, words: 34 };
const BET = { w: 13, h: 18, beside: 20, left: 0.6 }; // the arrow head; beside it its name
const SIDE = { x: 892, room: 324 }; // of the answer: what the model writes
const READS = { line: 30, below: 48 }; // what it reads, so far below the answer
const WRITES = { sizes: [48, 42, 36, 32, 28, 26, 24], line: 1.28, gap: 22, below: 12 };
const WRONG = { side: 5, high: 0.84, h: 1.12 }; // the yellow behind a wrong word, in letter sizes

const FIRST_BET = 0.5;
const MOVE = 0.05; // of a bet, for one press of an arrow key

const SENTENCES = {
  start: "Predict first: bet with ← and → (↑ and ↓: another row). Enter uncovers it.",
  most: "Predict first: which row? Enter uncovers all, the worst on top.",
  bet: "You say {bet} for \u201c{name}\u201d. Enter uncovers it.",
};
const HEAD = {
  axis: "share right; yellow bar: lost",
  dots: "one training",
  line: "median",
  bet: "your bet",
};
const TOLD = "share that stays right";
const MOST = "breaks it most";
const LEFT = "{share} stay right";
const READ = "At {share} it reads: {read}.";
const RIGHT = "right: {right}";

/** The rows from above; sorted by damage, those with least left come first, under the whole. */
export function orderOf({ rows, by_damage, veiled }) {
  const [whole, ...others] = rows.keys();
  if (by_damage && !veiled) others.sort((i, j) => rows[i].share - rows[j].share);
  return [whole, ...others];
}

/** Where everything stands in a room of this height: every row has its place from the start. */
function geometry(state, { width, height }) {
  const order = orderOf(state);
  const pitch = Math.min(HIGHEST, (height - TOP) / order.length);
  const top = (i) => TOP + order.indexOf(i) * pitch;
  return {
    ...{ width, height, pitch, top, thick: pitch * FILLED },
    end: TOP + order.length * pitch,
    middle: (i) => top(i) + pitch / 2,
    foot: (i) => top(i) + pitch / 2 + FOOT * NAME.size,
  };
}

const nameOf = (name) => fit(name, NAME.room, NAME.size);

/** An arrow head that points down on a bet. */
const needle = ({ x, y }) => `M${x - BET.w},${y}H${x + BET.w}L${x},${y + BET.h}Z`;

/** What the columns are, and what a dot is and a line. */
function heads(state, at) {
  const ends = ["zero", "one"].map((id, value) => ({ id, value }));
  const marks = [
    ...ends.map(({ id, value }) =>
      rect(`end ${id}`, "end", { x: SHARES.at(value) - 1, y: TOP, w: 2, h: at.end - TOP }),
    ),
    ...ticksAcross(SHARES, ends, HEADS),
    text("axis", "faint", [SHARES.at(0.5), HEADS], HEAD.axis),
  ];
  if (state.rows.some(({ shares }) => shares.length > 1)) {
    const middle = HEADS - BASELINE;
    const { key, w } = MIDDLE;
    marks.push(text("median", "faint", [VALUE, HEADS], HEAD.line, RIGHT_END));
    marks.push(rect("key line", "ink", { ...key, y: middle - key.h / 2, w }));
    marks.push(dot("key", "seed", [KEY.x, middle], KEY.r));
    marks.push(text("key is", "faint", [KEY.words, HEADS], HEAD.dots, LEFT_END));
  }
  return marks;
}

/** The bet of a row, on its axis; while it is asked about, with its name. */
function betMarks(i, state, at) {
  const bet = state.bets[i];
  if (bet === null) return [];
  const place = { x: SHARES.at(bet), y: at.middle(i) - at.thick / 2 };
  const mark = { id: `bet ${i}`, class: "bet", d: needle, ...place };
  if (!isHere(i, state) || state.shown[i]) return [mark];
  const isLeft = bet > BET.left;
  const foot = [place.x + (isLeft ? -BET.beside : BET.beside), at.foot(i)];
  return [mark, text("bet is", "bold halo", foot, HEAD.bet, isLeft ? RIGHT_END : LEFT_END)];
}

/** True for the row that all is about: the others are there to be compared with. */
const isHere = (i, { chosen, veiled }) => i === chosen && !veiled;

/** Bars of what is left in uncovered rows, and of what is lost; they grow when the dots fell. */
function bars({ rows, shown }, at) {
  const late = { delay: 2 * GLIDE };
  return rows.flatMap(({ share }, i) => {
    const [x, end] = [AXIS.x, SHARES.at(share)];
    const box = { x, y: at.middle(i) - BAR / 2, w: end - x, h: BAR };
    const lost = { ...box, x: end, w: WHOLE - end };
    const left = rect(`bar ${i}`, "left", box, { ...late, from: { w: AXIS.w, o: 1 } });
    const gone = rect(`lost ${i}`, "lost", lost, { ...late, from: { x: WHOLE, w: 0, o: 1 } });
    return shown[i] ? [left, ...(share < 1 ? [gone] : [])] : [];
  });
}

/** The trainings of a row, dots that fall from the whole; their median, a line and a number. */
function dotMarks(i, state, at) {
  const { shares, share: median, mistake } = state.rows[i];
  const kind = isHere(i, state) ? "bold" : "faint";
  const [{ w }, r] = [MIDDLE, at.pitch * DOT.r];
  const apart = Math.min(DOT.apart * r, (BAR - 2 * r) / Math.max(1, shares.length - 1));
  const box = { x: SHARES.at(median) - w / 2, y: at.middle(i) - at.thick / 2, w, h: at.thick };
  const later = { delay: 2 * GLIDE };
  const letters = { ...RIGHT_END, size: NAME.size, ...later };
  const trainings = shares.map((share, place) => {
    const y = at.middle(i) + (place - (shares.length - 1) / 2) * apart;
    const fall = { delay: GLIDE / 2 + place * STAGGER, from: { x: WHOLE, o: 1 } };
    const isQuoted = place === mistake?.seed && isHere(i, state);
    const [dots, radius] = isQuoted ? ["quoted", QUOTED.times * r] : ["seed", r];
    return dot(`seed ${i}.${place}`, dots, [SHARES.at(share), y], radius, fall);
  });
  return [
    rect(`line ${i}`, "ink", box, later),
    ...trainings.sort((one, other) => one.r - other.r),
    number(`value ${i}`, kind, [VALUE, at.foot(i)], median, digits, letters),
  ];
}

function row(i, state, at, act) {
  const isMeant = state.veiled || i === state.chosen || state.bets[i] !== null;
  const isAsked = isMeant && !state.shown[i];
  const other = isAsked ? "" : "faint";
  const kind = isHere(i, state) ? "bold" : other;
  const letters = { ...LEFT_END, size: NAME.size };
  const cover = { x: AXIS.x, w: AXIS.w, y: at.middle(i) - at.thick / 2, h: at.thick };
  const box = { x: 0, w: TABLE, y: at.top(i), h: at.pitch };
  const shown = state.shown.with(i, true);
  const uncover = () => (state.veiled ? act.next() : act.change({ chosen: i, shown }));
  return [
    text(`name ${i}`, kind, [NAME.x, at.foot(i)], nameOf(state.rows[i].name), letters),
    ...(isAsked ? [rect(`cover ${i}`, "veil", cover, { rx: 6 })] : []),
    ...(state.shown[i] ? dotMarks(i, state, at) : []),
    ...betMarks(i, state, at),
    rect(`row ${i}`, "pick", box, { pick: uncover }),
  ];
}

/** True if no other row has less left. */
export const isWorst = ({ share }, rows) => rows.every((other) => share <= other.share);

/** True where the row that is chosen is not seen. */
const isHidden = ({ veiled, shown, chosen }) => veiled || !shown[chosen];

/** The answer; the dots of its row fall first. */
function result(state, act) {
  const { before, chosen, by_damage, rows } = state;
  const { name, share, told } = rows[chosen];
  const veiled = isHidden(state);
  const delay = veiled || before?.shown[chosen] ? 0 : 2 * GLIDE;
  const said = { number: share, format: digits, veiled, room: SIDE.room };
  said.label = (!veiled && told) || TOLD;
  const lines = name.split(/ (?=\S+$)/); // at its last space
  const isMost = by_damage && isWorst(rows[chosen], rows);
  if (isMost) {
    said.words = lines.toSorted((one, other) => other.length - one.length)[0];
    said.label = veiled ? MOST : fillIn(LEFT, { share: digits(share) });
  }
  const [large, label] = answer(said, act).map((mark) => ({ ...mark, delay }));
  if (!isMost || veiled) return [large, label];
  const lower = (mark, i) => ({ ...mark, y: mark.y + i * large.size });
  return [
    ...lines.map((words, i) => ({ ...lower(large, i), id: ["answer", "last"][i], text: words })),
    lower(label, lines.length - 1),
  ];
}

/** Words in lines of at most `room`: [{word, isRight, x, wide, end}]. */
function inLines(words, size, room) {
  let [x, line] = [0, 0];
  const space = widthOf("n n", size) - 2 * widthOf("n", size);
  return words.map(([word, isRight]) => {
    const wide = widthOf(word, size, isRight ? 400 : 650);
    if (x > 0 && x + wide > room) {
      x = 0;
      line += 1;
    }
    const place = { word, isRight, x, wide, end: (line + 1) * size * WRITES.line };
    x += wide + space;
    return place;
  });
}

/** The largest letters in which the words stand in a place so high, and no word that does not. */
function fitting(words, room, high) {
  for (const size of WRITES.sizes) {
    const placed = inLines(words, size, room);
    const isLast = size === WRITES.sizes.at(-1);
    if (isLast || placed.at(-1).end <= high)
      return { size, placed: placed.filter(({ end }) => end <= high) };
  }
}

/** Words between two heights: those that the right sentence does not have are bold, on yellow. */
function big(id, words, [top, end], at) {
  const { size, placed } = fitting(words, at.width - SIDE.x, end - top);
  return placed.flatMap(({ word, isRight, x, wide, end: below }, i) => {
    const foot = [SIDE.x + x, top + below - size * (WRITES.line - 1)];
    const more = { ...LEFT_END, size };
    const mark = text(`${id}.${i}`, isRight ? "" : "bold marked", foot, word, more);
    if (isRight) return [mark];
    const behind = {
      ...{ x: foot[0] - WRONG.side, w: wide + 2 * WRONG.side },
      ...{ y: foot[1] - WRONG.high * size, h: WRONG.h * size },
    };
    return [rect(`wrong ${id}.${i}`, "changed", behind, { rx: 6 }), mark];
  });
}

/** A sentence in grey; foot: of its first line from above, or of its last, counted from below. */
function small(id, sentence, foot, at) {
  const lines = breakLines(sentence, at.width - SIDE.x);
  const first = foot < 0 ? at.height + foot - (lines.length - 1) * READS.line : foot;
  return lines.map((words, i) =>
    text(`${id} ${i}`, "faint", [SIDE.x, first + i * READS.line], words, LEFT_END),
  );
}

/**
 * What a model writes, below the answer: a sentence that it gets wrong. What is right stands below
 * that if not even its beginning is: it may be good French, of another sentence.
 */
function writes(state, at, { y }) {
  const { rows, chosen } = state;
  const { mistake, shares } = rows[chosen];
  if (isHidden(state) || mistake === null) return [];
  const read = fillIn(READ, { ...mistake, share: digits(shares[mistake.seed]) });
  const first = y + READS.below;
  const reads = small(`reads ${chosen}`, read, first, at);
  const [[, beginsRight]] = mistake.wrote;
  const right = beginsRight
    ? []
    : small(`right ${chosen}`, fillIn(RIGHT, mistake), -WRITES.below, at);
  const end = beginsRight ? at.height : right[0].y - READS.line;
  const place = [reads.at(-1).y + WRITES.gap, end];
  const quoted = dot("key quoted", "quoted", [QUOTED.x, first - BASELINE], QUOTED.r);
  return [quoted, ...reads, ...big(`wrote ${chosen}`, mistake.wrote, place, at), ...right];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const here = { x: 0, w: TABLE, y: at.top(state.chosen), h: at.pitch };
  const told = result(state, act);
  return [
    rect("here", "row", here, { rx: 8, o: state.veiled ? 0 : 1 }),
    ...bars(state, at),
    ...heads(state, at),
    ...state.rows.flatMap((_, i) => row(i, state, at, act)),
    ...told,
    ...writes(state, at, told.at(-1)),
  ];
}

/** The sentence: what to do while a row is covered, then what was measured. */
export function caption({ rows, shown, bets, chosen, veiled }) {
  const { name, says } = rows[chosen];
  if (veiled) return SENTENCES.most;
  if (shown[chosen]) return says;
  if (bets[chosen] === null) return SENTENCES.start;
  return fillIn(SENTENCES.bet, { name, bet: digits(bets[chosen]) });
}

/** What a key makes of the bet of a covered row, or null. */
function betAfter(key, bet) {
  if (key === "Home") return 0;
  if (key === "End") return 1;
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!direction) return null;
  if (bet === null) return FIRST_BET;
  return clamp(Math.round((bet + direction * MOVE) * 100) / 100, 0, 1);
}

/** What a key means: another row, or a bet on this one. */
export function keysOf(state, key) {
  const { rows, shown, bets, chosen, veiled } = state;
  if (veiled) return null;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const order = orderOf(state);
    const [next] = step(key, [order.indexOf(chosen), 0], rows.length, 1);
    return { chosen: order[next] };
  }
  if (shown[chosen]) return null;
  const bet = betAfter(key, bets[chosen]);
  return bet === null ? null : { bets: bets.with(chosen, bet) };
}

const traits = ["rows", "shown", "bets", "chosen", "by_damage"];
export default demo({
  name: "break-it",
  looks: {
    row: filled("surface"),
    end: filled("line"),
    left: filled("score", { "fill-opacity": 0.4 }),
    lost: filled("lit"),
    seed: filled("axis", { stroke: "var(--paper)", "stroke-width": 1.5 }),
    quoted: filled("lit", { stroke: "var(--ink)", "stroke-width": 2 }),
    bet: filled("ink", { stroke: "var(--paper)", "stroke-width": 2 }),
  },
  traits,
  layout,
  caption,
  keys: keysOf,
});
