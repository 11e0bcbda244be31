// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k. Under a
// clock stands its part of the product, the cosine of the angle between its hands.
import { clamp, digits, fillIn, short } from "../frame/frame.mjs";
import { clocksOf, countSlow, face, hand, hereOf, product, putting } from "./faces.mjs";
import { sliding, SLOW_MIDDLE, SUM, TURNING, turnOf } from "./faces.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, LEFT_END, number, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";
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
const COSINE = 28; // letters of a clock's part
const NAMES = 40; // from the feet of the parts down to what they are

const SENTENCES = {
  start: "All hands of a place are PE, its positional encoding. \u2190 \u2192 move both places.",
  veiled: "Predict: what does the product do? Enter shows it.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Other angles, another product: only k counts.",
  parts: "the product: the cosine of each angle, added up",
  slower: "{count} slower",
  asked: "product {was} \u2192 ?",
  told: "product {was} \u2192 {now}",
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

const productOf = (state) => product(state.p, state.k, state.d_model);

/** A part of a sum, with its sign between itself and the part before it. */
const added = (part) => `${part < 0 ? "\u2212" : "+"} ${digits(Math.abs(part))}`;

/** Each clock's part of the product under it, and that of the small ones together. */
function parts(state, clocks, y) {
  const { k: distance, d_model: dModel } = state;
  const slow = countSlow(dModel);
  const cosines = clocks.map((_, clock) => hand(distance, clock, dModel)[1]);
  const fast = cosines.slice(0, clocks.length - slow);
  const marks = fast.map((cosine, clock) => {
    const kind = clock === hereOf(state) ? "bold" : "";
    const format = clock > 0 ? added : digits;
    return number(`part ${clock}`, kind, [clocks[clock].x, y], cosine, format, { size: COSINE });
  });
  if (slow === 0) return marks;
  const rest = cosines.slice(fast.length).reduce((sum, cosine) => sum + cosine, 0);
  return [...marks, number("slow parts", "", [SLOW_MIDDLE, y], rest, added, { size: COSINE })];
}

/** The parts of the product and their sum; or that it is asked for. */
function sum(state, { width }, clocks, act) {
  const [{ y: middle, radius }] = clocks;
  const y = middle + radius + SUM.foot;
  const floor = y + NAMES;
  const told = text("parts", "ghosted", [0, floor], SENTENCES.parts, LEFT_END);
  const slower = fillIn(SENTENCES.slower, { count: countSlow(state.d_model) });
  const names = [told, text("slower", "ghosted", [SLOW_MIDDLE, floor], slower)];
  if (countSlow(state.d_model) === 0) names.pop();
  const box = { x: 0, y: y - SUM.high + BASELINE, w: width, h: SUM.high };
  if (state.veiled) return [...names, ...veil(box, "?", act)];
  const look = { ...RIGHT_END, size: large.size, delay: TURNING }; // the angles are seen first
  const equals = (total) => `\u2248 ${digits(total)}`;
  return [
    ...names,
    ...parts(state, clocks, y),
    number("sum", large.class, [width, y], productOf(state), equals, look),
  ];
}

/** The product before and now, until it is told only that of before. */
function labelOf(state, compared) {
  const was = digits(productOf(compared ?? state));
  if (state.veiled || compared === null) return fillIn(SENTENCES.asked, { was });
  return fillIn(SENTENCES.told, { was, now: digits(productOf(state)) });
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
    label: labelOf(state, compared),
    after: TURNING,
    veiled: state.veiled || compared === null,
  };
  const clocks = clocksOf(state.d_model, room.height);
  return [
    ...words(state),
    ground(state, room, act),
    ...sum(state, room, clocks, act),
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
  },
  traits: ["p", "k", "d_model", "words", "order", "start", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  wait: ({ veiled, here }) => (veiled || here !== null ? 0 : TURNING),
  keys: keysOf,
});
