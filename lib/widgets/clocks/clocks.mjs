// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k. Under the
// clocks lie their parts of the product, the cosines of the angles between their hands, end to end.
import { clamp, digits, fillIn, short } from "../frame/frame.mjs";
import { choosing, clocksOf, face, hand, hereOf, product, putting } from "./faces.mjs";
import { sliding, sumRoom, TURNING, turnOf, WIDTH } from "./faces.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, LEFT_END, line, number, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const WIDE = 820; // the room of the words
const SLOTS = 7; // places of the sentence that are seen
const SLOT = WIDE / SLOTS;
const BEHIND = 2; // places before p that are seen
const WORDS = 36; // the baseline of the words
const PLACES = 72; // and that of the places below them
const MARK = { y: 1, h: 84, beside: 1, inside: 6 }; // the mark of the key lies in the query's
// From one mark to the other; how far is written on it, and beside it what the places are called.
const BRACKET = { y: 91, h: 12, gap: 20, beside: 8 };
const WORD = 28; // size of its letters, if they find room
const SMALL = 24; // and the smallest
const WORD_ROOM = SLOT - 32; // the inner mark does not touch it
const SLIDE = 3; // slots, from which a word comes at most
const LANE = 4; // from the parts that go on to those that go back
const END = { over: 6, was: 10 }; // so far the end of the sum, and that of before, stand out
const DIGITS = { beside: 14, room: 96, foot: 12 }; // of the sum, left of its end
const ABOVE = 14; // from the parts up to what they are
const FOOT = 4; // from what the sum was to the end of the room

const SENTENCES = {
  start: "All hands of a place are PE, its positional encoding. \u2190 \u2192 move both places.",
  veiled: "Predict: what does the product do? Enter shows it.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Other angles, another product: only k counts.",
  parts: "the cosine of each angle, end to end; grey ones, below 0, go back",
  was: "before: {sum}",
  stays: "no",
  changes: "yes",
  clock: "Dimensions {even}, {odd}: sin {sine}, cos {cosine}; once round in {long} places.",
};

/** The places that are seen, each with its slot; a key too far away stands in the last slot. */
export function placesSeen({ p: position, k: distance }) {
  const first = Math.max(0, position - BEHIND);
  const isFar = position + distance >= first + SLOTS;
  const seen = [];
  for (let slot = 0; slot < (isFar ? SLOTS - 2 : SLOTS); slot++)
    seen.push({ place: first + slot, slot });
  if (isFar) seen.push({ place: position + distance, slot: SLOTS - 1 });
  return seen;
}

const firstPlace = (state) => Math.max(0, state.p - BEHIND);

/** The word in a place: beyond its end the sentence begins anew. */
const wordAt = (place, { words, order }) => words[order[place % order.length]];

/** [size, word]: a word as large as its slot allows, and cut where it is still too long. */
function fitted(word) {
  const width = widthOf(word, WORD, 650);
  if (width <= WORD_ROOM) return [WORD, word];
  const size = Math.max(SMALL, (WORD * WORD_ROOM) / width);
  const letter = widthOf(word, size, 650) / [...word].length;
  return [size, short(word, Math.max(2, Math.floor(WORD_ROOM / letter + 0.05)))];
}

/** The words, and under them their places. */
function words(state) {
  const { p: position, k: distance, order, before } = state;
  const moved = before ? firstPlace(state) - firstPlace(before) : 0;
  const slide = clamp(moved, -SLIDE, SLIDE) * SLOT;
  const marks = [];
  const seen = placesSeen(state);
  for (const { place, slot } of seen) {
    const isEnd = place === position || place === position + distance;
    const x = SLOT * (slot + 0.5);
    const [size, word] = fitted(wordAt(place, state));
    const kind = place < order.length ? "" : "faint";
    const round = Math.floor(place / order.length);
    const id = `word ${order[place % order.length]} ${round}`;
    const from = { x: x + slide, o: 0 };
    marks.push(text(id, isEnd ? `${kind} bold` : kind, [x, WORDS], word, { size, from }));
    marks.push(text(`place ${place}`, "faint", [x, PLACES], `${place}`, { from }));
  }
  if (seen.length < SLOTS) {
    const middle = [SLOT * (SLOTS - 1.5), WORDS];
    marks.push(text("gap", "faint", middle, "\u2026", { size: WORD }));
  }
  return [...marks, ...ends(seen, state)];
}

/** From a mark down, to the words in the middle, and on from there up to the other mark. */
function bracket({ x, toX, room }) {
  const { y, h } = BRACKET;
  const [left, right] = [(x + toX - room) / 2, (x + toX + room) / 2];
  return x === toX ? "M0,0" : `M${x},${y}v${h}H${left}M${right},${y + h}H${toX}v${-h}`;
}

/** The frames round the two places that are compared, their names, and how far it is between. */
function ends(seen, { p: position, k: distance }) {
  const kinds = [
    ["query", position, 0],
    ["key", position + distance, MARK.inside],
  ];
  const [first, last] = kinds.map(([, place]) => seen.find((each) => each.place === place).slot);
  const frames = kinds.map(([kind, , inside], i) => {
    const x = SLOT * [first, last][i] + MARK.beside + inside;
    const y = MARK.y + inside;
    const box = { x, y, w: SLOT - 2 * (MARK.beside + inside), h: MARK.h - 2 * inside };
    return rect(`mark ${kind}`, `mark ${kind}-line`, box, { rx: 9 });
  });
  const [x, toX] = [first, last].map((slot) => SLOT * (slot + 0.5));
  const told = fillIn("k = {distance}", { distance });
  const wide = widthOf(told);
  const room = wide + BRACKET.gap;
  const foot = BRACKET.y + BRACKET.h + BASELINE;
  const middle = (x + toX) / 2;
  const left = Math.min(x, middle - wide / 2) - BRACKET.beside;
  const right = Math.max(toX, middle + wide / 2) + BRACKET.beside;
  return [
    ...frames,
    { id: "bracket", class: "bracket", x, toX, room, d: bracket },
    text("distance", "", [middle, foot], told),
    text("name query", "query bold", [left, foot], "p", RIGHT_END),
    text("name key", "key bold", [right, foot], "p + k", LEFT_END),
  ];
}

/** The state before, if its clocks were as many, or where the places were at first; or null. */
function toCompare(state) {
  const { before, d_model: dModel, moved, start } = state;
  if (before?.d_model === dModel) return before;
  return moved ? { ...state, p: start[0], k: start[1] } : null;
}

/** Where a sum ends: at the right where every clock gives 1. */
const endOf = (number, { d_model: dModel }) => (Math.max(0, number) * WIDTH) / (dModel / 2);

/** The boxes of the parts: from the left those above 0, and back from their end the others. */
function partBoxes(state, { y, h }) {
  const { k: distance, d_model: dModel } = state;
  const lane = (h - LANE) / 2;
  const cosines = Array.from({ length: dModel / 2 }, (_, i) => hand(distance, i, dModel)[1]);
  const boxes = [];
  let sum = 0;
  const lay = (i, top) => {
    const [from, to] = [sum, sum + cosines[i]].map((number) => endOf(number, state));
    boxes[i] = { x: Math.min(from, to), w: Math.abs(to - from), y: top, h: lane };
    sum += cosines[i];
  };
  for (const [i, cosine] of cosines.entries()) if (cosine >= 0) lay(i, y);
  for (const [i, cosine] of cosines.entries()) if (cosine < 0) lay(i, y + lane + LANE);
  return boxes;
}

const productOf = (state) => product(state.p, state.k, state.d_model);

/** The parts end to end; where they were hidden, they set out from where they lay before. */
function parts(state, compared, room, act) {
  const starts = compared && partBoxes(compared, room);
  return partBoxes(state, room).map((box, clock) => {
    const kind = box.y > room.y ? "part back" : "part cosine";
    const look = clock === hereOf(state) ? `${kind} here` : kind;
    const hold = { ...sliding(state, act), hover: choosing(clock, state, act) };
    const from = starts?.[clock] ?? { w: 0 };
    return rect(`part ${clock}`, look, box, { glide: TURNING, from, ...hold });
  });
}

/** Where the parts end, and there the product in digits. */
function end(state, compared, { y, h }) {
  const x = endOf(productOf(state), state);
  const start = endOf(productOf(compared ?? state), state);
  const glide = { glide: TURNING, from: { x: start, toX: start } };
  const look = { ...RIGHT_END, size: large.size, delay: TURNING }; // the parts are seen first
  const at = [Math.max(x - DIGITS.beside, DIGITS.room), y + h - DIGITS.foot];
  return [
    line("end", "end", [x, y - END.over], [x, y + h + END.over], glide),
    number("sum", `${large.class} halo`, at, productOf(state), digits, look),
  ];
}

/** Where the parts ended before, dashed. */
function endBefore(compared, { y, h }, height) {
  const x = endOf(productOf(compared), compared);
  const was = fillIn(SENTENCES.was, { sum: digits(productOf(compared)) });
  const at = [Math.max(x, widthOf(was)), height - FOOT];
  return [
    line("end before", "ghost", [x, y - END.was], [x, y + h + END.was], { glide: 1 }),
    text("sum-before", "ghosted", at, was, RIGHT_END),
  ];
}

/** The parts of the product and their sum; while they are asked, only that of before. */
function sum(state, { height }, act) {
  const room = sumRoom(height);
  const compared = toCompare(state);
  const veil = rect("veil", "veil", room, { rx: 8, pick: () => act.next() });
  return [
    text("parts", "ghosted", [0, room.y - ABOVE], SENTENCES.parts, LEFT_END),
    ...(state.veiled ? [veil] : parts(state, compared, room, act)),
    ...(compared ? endBefore(compared, room, height) : []),
    ...(state.veiled ? [] : end(state, compared, room)),
  ];
}

/** What is behind all: a drag there moves p, and pointing there points at no clock. */
function ground(state, { width, height }, act) {
  const leave = () => {
    if (state.here !== null) act.change({ here: null });
  };
  const box = { x: 0, y: 0, w: width, h: height };
  return rect("ground", "pick hold", box, { hover: leave, ...sliding(state, act) });
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const compared = toCompare(state);
  const shown = {
    words: compared?.k === state.k ? SENTENCES.stays : SENTENCES.changes,
    label: "PE(p) \u00b7 PE(p + k)",
    after: TURNING,
    veiled: state.veiled || compared === null,
  };
  const clocks = clocksOf(state.d_model, room.height);
  return [
    ...words(state),
    ground(state, room, act),
    ...sum(state, room, act),
    ...clocks.flatMap((at, clock) => face(clock, at, state, compared, act)),
    ...answer(shown, act),
  ];
}

/** What there is to see, when no clock is pointed at. */
function kindOfChange(state) {
  if (state.veiled) return "veiled";
  const compared = toCompare(state);
  if (compared === null) return "start";
  if (compared.k !== state.k) return "other";
  if (compared.p !== state.p) return "same";
  return String(compared.order) === String(state.order) ? "start" : "words";
}

/** The sentence that says what to see. */
export function caption(state) {
  const { p: position, d_model: dModel } = state;
  const here = hereOf(state);
  if (here === null) return SENTENCES[kindOfChange(state)];
  const [sine, cosine] = hand(position, here, dModel);
  return fillIn(SENTENCES.clock, {
    even: 2 * here,
    odd: 2 * here + 1,
    sine: digits(sine),
    cosine: digits(cosine),
    long: turnOf(here, dModel),
  });
}

/** What a key means: both places move on, or one of them, or the next clock is told. */
export function keysOf(state, key, event) {
  const move = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
  const name = event?.shiftKey || /Up|Down/.test(key) ? "k" : "p";
  if (move) return putting(state, name, state[name] + move, { here: null });
  if (key === " ") return { here: ((hereOf(state) ?? -1) + 1) % (state.d_model / 2) };
  return key === "Escape" ? { here: null } : null;
}

export default demo({
  name: "clocks",
  looks: {
    face: { ...drawn("axis", 2), ...filled("paper") },
    "face.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "key-line": { "stroke-dasharray": "10 6" },
    bracket: drawn("ink", 2),
    end: drawn("ink", 5),
    part: { stroke: "var(--paper)", "stroke-width": 2 },
    cosine: filled("position", { opacity: 0.85 }),
    back: filled("score"),
    "cosine.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "back.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
  },
  traits: ["p", "k", "d_model", "words", "order", "start", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  wait: ({ veiled, here }) => (veiled || here !== null ? 0 : TURNING),
  keys: keysOf,
});
