// Scores to drag, and the shares of one whole that softmax makes of them.
import { ENDS, scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { clamp, digits, fillIn, short, step } from "../frame/frame.mjs";
import { answer, isUnasked, widthOf } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { mix, STAGGER } from "../frame/scene.mjs";
import { LEFT_END, number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

/**
 * Shares of the scores; the last score stands for `copies` equal keys, its share is that of one of
 * them.
 */
export function softmax(scores, copies = 1) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const last = powers.length - 1;
  let total = 0;
  for (const [i, power] of powers.entries()) total += power * (i === last ? copies : 1);
  return powers.map((power) => power / total);
}

/** A share in few digits, and never "0" for what is not: "<.001". */
export function few(share) {
  if (share > 0 && share < 0.0005) return "<.001";
  return digits(share, share < 0.0095 || share > 0.995 ? 3 : 2);
}

/** Where the strip is cut: the left ends of the shares and the right end, from 0 to 1. */
export function cuts(shares, copies) {
  const last = shares.length - 1;
  const ends = [0];
  for (const [i, share] of shares.entries()) ends.push(ends[i] + share * (i === last ? copies : 1));
  return ends;
}

const OTHERS = "{sum}: the other {others}";
const COUNTED = "{count} others";
const EACH = "{score} each";
const BEFORE = "before";
const WHOLE = "one whole, cut into shares (rounded)"; // their digits need not add up to 1
const ASKS = "How large is the share of {word}?";
const LEAD = "The lead over {second} grows from {was} to {lead}.";
const WHY = "{word} counts e^{score} \u2248 {power}, each other key e^0 = 1.";
const NOTHING = "nothing"; // where the question was what happens to the shares
const ALL = "shares after + 3";
const KEEPS = "{word} keeps {share}";
const SHARE = "share of {word}";
const LIMITS = [-6, 9]; // the axis of scores goes so far; a longer bar has a break
const BEYOND = 0.2; // so much further, in scores
const MOST_SCORE = 1000;
const FACTOR = 3; // of the button that multiplies
const MOVE = 0.5; // of a score, for one press of an arrow key
const FINE = 0.1; // with Shift
const LEFT = 84; // of the bars
const RIGHT = 288; // the room of the answer
const FILLED = 0.54; // of the room of a bar
const TOP = 32; // above the longest bar
const STRIP = 90; // the height of the strip
const WAS = { gap: 9, high: 25 }; // the strip of before: below it, and lower
const BELOW = 128; // from the top of the strip to the floor
const LONGEST = 14; // letters of a word
const SIDES = 8; // of a word in its share
const LINES = { word: 40, share: 67, alone: 54 }; // from the top of the strip to their feet
const CLEAR = { above: 8, below: 26, near: 24, far: 6 }; // from a ghost's edge to digits beside it
const WORDS = 64; // from the end of the axis down to the words
const AIR = 14; // from the words to the ribbons
const RIBBONS = 44; // their height
const PALEST = 0.2; // a share and its ribbon; a larger share is darker
const DIGITS = 58; // a share narrower than this has no digits
const TOGETHER = 200; // a share of many keys that is so wide says what they get together
const LOW = 8; // from a tick to the feet of its number
const GRAIN = 3; // lines in the strip are so far apart, at least

const tintOf = (share) => mix(PALEST, 1, share);
const whole = (count) => Math.round(count).toLocaleString("en");

/** True for the last score where it stands for many keys. */
const isMany = (i, { copies, scores }) => copies > 1 && i === scores.length - 1;

/** What a word is called in a sentence; the keys that the last one stands for have no names. */
function called(state, i) {
  return isMany(i, state) ? "one other" : `\u201c${short(state.tokens[i], LONGEST)}\u201d`;
}

/** What is computed of a state. */
function computed({ scores, temperature, copies }) {
  const shares = softmax(
    scores.map((score) => score / temperature),
    copies,
  );
  return { shares, edges: cuts(shares, copies) };
}

/** Where everything stands in a room of this height. */
function geometry(state, { width, height }) {
  const count = state.scores.length;
  const column = (width - LEFT - RIGHT) / count;
  const strip = height - BELOW;
  const names = strip - RIBBONS - AIR;
  return {
    width,
    column,
    scores: scale({ domain: LIMITS, range: [names - WORDS, TOP] }),
    shares: scale({ domain: [0, 1], range: [0, width] }),
    wide: column * FILLED,
    last: count - 1,
    names,
    strip,
    floor: height - 4,
    center: (i) => LEFT + column * (i + 0.5),
  };
}

/** A band from a word (left to right, at top) to its share (start to end, at floor). */
function ribbon({ left, right, start, end, top, floor }) {
  const half = mix(top, floor, 0.5);
  return (
    `M${left},${top}C${left},${half} ${start},${half} ${start},${floor}H${end}` +
    `C${end},${half} ${right},${half} ${right},${top}Z`
  );
}

/** A white zigzag through a bar that is longer than the axis. */
const zigzag = ({ x, y, w }) =>
  `M${x - 6},${y + 6}l${w / 3},-11 ${w / 3},11 ${w / 3},-11 ${w / 6},6`;

/** Lines that cut the last share into its many keys. */
function grain({ left, right, y, lines }) {
  let path = "M0,0";
  for (let k = 1; k < lines; k++) path += `M${mix(left, right, k / lines)},${y}v${STRIP}`;
  return path;
}

function axis({ scores, column, last }) {
  const rule = { x: LEFT, w: column * (last + 1), h: 1 };
  return [
    text("score", "", [0, scores.at(LIMITS[1] / 2) + LOW], "score", { anchor: "start" }),
    ...ticksUpward(scores, [...LIMITS, 0], LEFT - 22, { low: LOW, rule }),
  ];
}

/** The box of a score's bar. */
function barBox(score, { scores }) {
  const shown = clamp(score, LIMITS[0] - BEYOND, LIMITS[1] + BEYOND);
  const zero = scores.at(0);
  const h = Math.max(1, Math.abs(scores.at(shown) - zero));
  return { y: score >= 0 ? zero - h : zero, h };
}

function bar(i, state, at, act) {
  const score = state.scores[i];
  const isUp = score >= 0;
  const { y, h } = barBox(score, at);
  const x = at.center(i) - at.wide / 2;
  const motion = { rx: 2, delay: (i * STAGGER) / 2 };
  const marks = [rect(`bar ${i}`, "score", { x, w: at.wide, y, h }, motion)];
  const was = scoresBefore(state)?.[i];
  if (was !== undefined && was !== score) {
    const ghost = { x: x - 4, w: at.wide + 8, ...barBox(was, at) };
    marks.push(rect(`was ${i}`, "ghost", ghost, { rx: 2, glide: 1 }));
  }
  if (clamp(score, ...LIMITS) !== score) {
    const cut = at.scores.at(isUp ? LIMITS[1] - 1 : LIMITS[0] + 1);
    marks.push({ id: `break ${i}`, class: "cut", x, y: cut, w: at.wide, d: zigzag });
  }
  const kind = i === state.here ? "halo bold" : "halo";
  const said = isMany(i, state) ? EACH : "{score}";
  const foot = isUp ? y - 10 : y + h + 28;
  const place = [at.center(i), was === undefined ? foot : besideGhost(foot, was, isUp, at)];
  return [
    ...marks,
    number(`digits ${i}`, kind, place, score, (value) => fillIn(said, { score: digits(value, 1) })),
    ...nameOf(i, state, at),
    holdOf(i, state, at, act),
  ];
}

/** The foot of a score's digits, where no edge of its ghost runs through them. */
function besideGhost(foot, was, isUp, at) {
  if (was >= 0 !== isUp) return foot;
  const { y, h } = barBox(was, at);
  const edge = isUp ? y : y + h;
  if (edge < foot - CLEAR.near || edge > foot + CLEAR.far) return foot;
  return isUp ? edge - CLEAR.above : edge + CLEAR.below;
}

function nameOf(i, state, at) {
  const isHere = i === state.here;
  const x = at.center(i);
  const most = Math.max(3, Math.floor(at.column / widthOf("n")));
  const kind = isHere ? "key word here bold" : "key word";
  const format = (count) => fillIn(COUNTED, { count: whole(count) });
  const name = isMany(i, state)
    ? number("copies", kind, [x, at.names], state.copies, format)
    : text(`word ${i}`, kind, [x, at.names], short(state.tokens[i], most));
  const box = { x: x - at.wide / 2, w: at.wide, y: at.names + 8, h: 4 };
  return isHere ? [name, rect("focus", "ink", box, { focus: true })] : [name];
}

/** The part of the drawing in which a score is chosen and dragged. */
function holdOf(i, state, at, act) {
  const to = (y) => clamp(Math.round(at.scores.back(y) * 10) / 10, ...LIMITS);
  const box = { x: at.center(i) - at.column / 2, w: at.column, y: 0, h: at.names + 10 };
  const pick = () => act.change({ here: i });
  const drag = ([, y]) => act.change({ scores: state.scores.with(i, to(y)), here: i });
  return rect(`hold ${i}`, "pick hold", box, { pick, drag });
}

function ribbons({ scores, veiled }, { shares, edges }, at) {
  if (veiled) return []; // they would lead to cuts that are asked for
  return scores.map((_, i) => ({
    id: `ribbon ${i}`,
    class: "weight",
    o: tintOf(shares[i]),
    left: at.center(i) - at.wide / 2,
    right: at.center(i) + at.wide / 2,
    start: at.shares.at(edges[i]),
    end: at.shares.at(edges[i + 1]),
    top: at.names + AIR,
    floor: at.strip,
    d: ribbon,
  }));
}

/** One share of the strip, its many keys if it stands for them, and its digits if there is room. */
function share(i, state, { shares, edges }, at) {
  const [left, right] = [edges[i], edges[i + 1]].map(at.shares.at);
  const many = isMany(i, state) ? state.copies : 1;
  const tint = tintOf(shares[i]);
  const box = { x: left, y: at.strip, w: right - left, h: STRIP };
  const marks = [rect(`share ${i}`, "frame", box, { rx: 0, tint })];
  if (many > 1) {
    const lines = Math.min(many, Math.floor((right - left) / GRAIN));
    marks.push({ id: "grain", class: "grain", left, right, y: at.strip, lines, o: 0.5, d: grain });
  }
  const place = (line) => [(left + right) / 2, at.strip + LINES[line]];
  if (many > 1 && right - left > TOGETHER) {
    const [sum, format] = togetherOf(state, shares, at);
    return [...marks, number("together", "halo", place("alone"), sum, format)];
  }
  if ((right - left) / many < DIGITS) return marks;
  const kind = i === state.here ? "bold" : "";
  const told = (line) => number(`percent ${i}`, kind, place(line), shares[i], few, { tint });
  const word = short(state.tokens[i], LONGEST);
  if (many > 1 || widthOf(word) + SIDES > right - left) return [...marks, told("alone")];
  return [...marks, text(`named ${i}`, kind, place("word"), word, { tint }), told("share")];
}

/** What the last word's keys get together; or all but the first, where the others are unread. */
function togetherOf({ here, copies, scores }, shares, at) {
  const isRead = shares.slice(1).some((one) => one * at.width >= DIGITS);
  if (here > 0 || isRead) return [shares.at(-1) * copies, (sum) => `${few(sum)} together`];
  const others = whole(scores.length + copies - 2);
  return [1 - shares[0], (sum) => fillIn(OTHERS, { sum: few(sum), others })];
}

/** The strip of before under that of now, dashed. */
function stripBefore({ before }, at) {
  if (!before || before.veiled) return [];
  const { edges } = computed(before);
  const top = { y: at.strip + STRIP + WAS.gap, h: WAS.high };
  const cells = edges.slice(0, -1).map((left, i) => {
    const across = { x: at.shares.at(left), w: at.shares.at(edges[i + 1] - left) };
    return rect(`was cut ${i}`, "ghost", { ...across, ...top }, { rx: 0, glide: 1 });
  });
  const widest = cells.reduce((wide, cell) => (cell.w > wide.w ? cell : wide));
  const place = [widest.x + SIDES, top.y + top.h - 6];
  return [...cells, text("was said", "ghosted", place, BEFORE, LEFT_END)];
}

function strip(state, now, at, act) {
  const said = text("told", "ghosted", [at.width / 2, at.floor], WHOLE);
  const before = stripBefore(state, at);
  const below = before.length > 0 ? before : [...ticksAcross(at.shares, ENDS, at.floor), said];
  if (state.veiled) {
    const box = { x: 0, y: at.strip, w: at.width, h: STRIP };
    return [...below, rect("veil", "veil", box, { rx: 8, pick: () => act.next() })];
  }
  const marks = state.scores.flatMap((_, i) => share(i, state, now, at));
  const many = isMany(state.here, state) ? state.copies : 1;
  const [left, right] = [state.here, state.here + 1].map((i) => at.shares.at(now.edges[i]));
  const w = Math.max(1, (right - left) / many);
  const chosen = { x: left, w, y: at.strip - 3, h: STRIP + 6 };
  return [...marks, rect("chosen", "focused", chosen, { rx: 0 }), ...below];
}

/** The marks of a state in a room. */
export function layout(given, room, act) {
  const state = { ...given, before: scoresBefore(given) ? given.before : null };
  const at = geometry(state, room);
  const now = computed(state);
  const isOfAll = isUnasked(given) || isKept(state); // no share is asked for
  const before = state.before && !isOfAll ? computed(state.before).shares[state.here] : undefined;
  const mine = now.shares[state.here];
  const veiled = state.veiled || isUnasked(given);
  const told = { word: called(state, state.here), share: few(mine) };
  const ofAll = veiled ? ALL : KEEPS;
  const label = fillIn(isOfAll ? ofAll : SHARE, told);
  const words = isOfAll ? NOTHING : undefined;
  const answered = { number: mine, format: few, words, label, before, steady: true, veiled };
  return [
    ...axis(at),
    ...ribbons(state, now, at),
    ...state.scores.flatMap((_, i) => bar(i, state, at, act)),
    ...strip(state, now, at, act),
    ...answer(answered, act),
  ];
}

/** True if the same number was added to all scores, or none. */
function isShifted(scores, others) {
  const by = others[0] - scores[0];
  return scores.every((score, i) => Math.abs(others[i] - score - by) < 1e-9);
}

/** True if all scores were multiplied, even if before all of them had something added. */
const isMultiplied = ({ before, scores }) => isShifted(before.scores, scores.map(divided));
const divided = (score) => score / FACTOR;

/** True if only the same number was added to all scores: that changes no share. */
function isKept({ before, scores, temperature, copies }) {
  if (!before || before.scores[0] === scores[0] || !isShifted(before.scores, scores)) return false;
  return before.temperature === temperature && before.copies === copies;
}

/**
 * The scores of before, for their ghosts: where they were multiplied, those that were multiplied;
 * to the shares that is the same. None where others came in their place.
 */
function scoresBefore(state) {
  const { before, scores } = state;
  if (!before) return undefined;
  if (isMultiplied(state)) return scores.map(divided);
  const moved = scores.filter((score, i) => score !== before.scores[i]);
  return moved.length < 2 || isShifted(before.scores, scores) ? before.scores : undefined;
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return "Predict first: where will the strip be cut? Enter shows it.";
  const { scores, copies, here, temperature } = state;
  const { shares } = computed(state);
  const [word, score, share] = [called(state, here), digits(scores[here], 1), few(shares[here])];
  if (isKept(state)) return "Nothing moves: only the differences between scores count.";
  const others = scores.toSpliced(here, 1);
  const most = Math.max(...others);
  if (state.before && scores[here] > most && isMultiplied(state)) {
    const second = scores.findIndex((score, i) => i !== here && score === most);
    const [was, lead] = [divided(1), 1].map((part) => digits((scores[here] - most) * part, 1));
    return fillIn(LEAD, { second: called(state, second), was, lead });
  }
  const isPlain = temperature === 1 && scores[here] <= LIMITS[1];
  if (isPlain && others.every((other) => other === 0))
    return fillIn(WHY, { word, score, power: digits(Math.exp(scores[here]), 1) });
  if (isMany(here, state)) {
    const together = few(shares[here] * copies);
    return `Each other key has score ${score} and gets ${share}; together ${together}.`;
  }
  return `${word} has score ${score} and gets ${share} of the whole.`;
}

/** What is asked of the chosen word, unless it is what happens to all. */
export const asks = (state) =>
  !isUnasked(state) && !isKept(state) && fillIn(ASKS, { word: called(state, state.here) });

/** What a key means: another word, or another score. */
export function keysOf(state, key, event) {
  const change = { ArrowUp: MOVE, ArrowDown: -MOVE }[key];
  const next = step(key, [0, state.here], 1, state.scores.length);
  if (state.veiled) return next && {}; // a stray key changes nothing of what is asked
  if (change) {
    const by = event?.shiftKey ? FINE * Math.sign(change) : change;
    const score = Math.round((state.scores[state.here] + by) * 10) / 10;
    return { scores: state.scores.with(state.here, clamp(score, -MOST_SCORE, MOST_SCORE)) };
  }
  return next && { here: next[1] };
}

export default demo({
  name: "bars",
  looks: {
    grain: drawn("paper", 1),
    cut: drawn("paper", 6),
  },
  traits: ["tokens", "scores", "copies", "temperature", "moved"],
  own: { here: 0 },
  keep: ["here"],
  layout,
  caption,
  asks,
  keys: keysOf,
  forget: { done: ["here"], copies: ["here"] }, // back to the leader, among more rivals
});
