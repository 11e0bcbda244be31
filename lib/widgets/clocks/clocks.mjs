// Sinusoidal positions as clocks, two hands on each, one for p and one for p + k: what lies between
// the words lies between the hands. Under a clock its part of the product, the cosine of its angle,
// goes up or down from where the one before it ended; where the last one ends is the product.
import { clamp, digits, fillIn, short } from "../frame/frame.mjs";
import { ANGLE, clocksOf, columnOf, COLUMNS, endOf, face, hand, hereOf } from "./faces.mjs";
import { MOST, partsOf, putting, sliding, TIP, total, TURNING, turnOf } from "./faces.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, dot, LEFT_END, line, number } from "../frame/shapes.mjs";
import { rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const WIDE = 820; // the room of the words
const SLOTS = 7; // places of the sentence that are seen
const SLOT = WIDE / SLOTS;
const BEHIND = 2; // places before p that are seen
const WORDS = 29; // the baseline of the words
const PLACES = 56; // and that of the two places
const MARK = { y: 1, h: 68, beside: 1, inside: 5 }; // the mark of the key lies in the query's
// What lies between the places, thick as the tips of the hands; beside it what they are called.
const SPAN = { y: 86, high: 10, beside: 18, foot: 30 };
const WORD = 28; // size of its letters, if they find room
const SMALL = 24; // and the smallest
const WORD_ROOM = SLOT - 32; // the inner mark does not touch it
const SLIDE = 3; // slots, from which a word comes at most
const COSINE = 28; // letters of a clock's part
const PARTS = 34; // from the clocks down to the feet of the parts
const NAMED = 8; // from the clocks up to what the parts add up to
const STAIRS = { below: 46, apart: 4 }; // the clocks; and two steps

const SENTENCES = {
  start: "A bar is the cosine of the angle above it; all together are the product.",
  veiled: "Predict: what does the product do? Enter shows it.",
  words: "The words change places, the clocks do not.",
  same: "Both hands turned alike: the angle between them stays, and so the product.",
  other: "Other angles, another product: only k counts.",
  product: "product",
  before: "before: {was}",
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

/** The words, and under two of them their places. */
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
    if (isEnd) marks.push(text(`place ${place}`, "", [x, PLACES], `${place}`, { from }));
  }
  if (seen.length < SLOTS) {
    const middle = [SLOT * (SLOTS - 1.5), WORDS];
    marks.push(text("gap", "faint", middle, "\u2026", { size: WORD }));
  }
  return [...marks, ...ends(seen, state)];
}

/** The frames round the two places that are compared, and what lies between them. */
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
  const { y, high, beside, foot } = SPAN;
  const { square } = TIP;
  const told = fillIn("k = {distance}", { distance });
  return [
    ...frames,
    rect("span", "position", { x, y: y - high / 2, w: toX - x, h: high }),
    rect("end key", "key", { x: toX - square, y: y - square, w: 2 * square, h: 2 * square }),
    dot("end query", "query", [x, y], TIP.disc),
    text("distance", "bold", [(x + toX) / 2, y + foot], told),
    text("name query", "query bold", [x - beside, y + BASELINE], "p", RIGHT_END),
    text("name key", "key bold", [toX + beside, y + BASELINE], "p + k", LEFT_END),
  ];
}

/** The state before, if its clocks were as many, or where the places were at first; or null. */
function toCompare(state) {
  const { before, d_model: dModel, moved, start } = state;
  if (before?.d_model === dModel) return before;
  return moved ? { ...state, p: start[0], k: start[1] } : null;
}

const productOf = ({ k: distance, d_model: dModel }) => total(partsOf(distance, dModel));

/** A part of a sum, with its sign between itself and the part before it. */
const added = (part) => `${part < 0 ? "\u2212" : "+"} ${digits(Math.abs(part))}`;

/** Where each part begins, from 0 on, and where the last one ends. */
const endsOf = (parts) => [0, ...parts.map((_, i) => total(parts.slice(0, i + 1)))];

/** at(number): its height in the room of the sum, which no distance leaves. */
function scaleOf(dModel, height) {
  const top = endOf(height) + STAIRS.below;
  const all = Array.from({ length: MOST.k + 1 }, (_, k) => endsOf(partsOf(k, dModel))).flat();
  const [lowest, highest] = [Math.min(...all), dModel / 2];
  return (x) => top + ((height - top) * (highest - x)) / (highest - lowest);
}

/** Each clock's part under it, a step from where the last one ended; one for the small ones. */
function parts(state, { height }, clocks, at) {
  const all = partsOf(state.k, state.d_model);
  const heights = endsOf(all).map(at);
  return all.flatMap((part, i) => {
    const { x, w } = columnOf(i, clocks);
    const [y, toY] = [heights[i], heights[i + 1]];
    const box = { x, y: Math.min(y, toY), w: w - STAIRS.apart, h: Math.abs(toY - y) };
    const delay = (TURNING * i) / all.length; // they are seen adding up
    const place = [x + w / 2, endOf(height) + PARTS];
    const kind = i === hereOf(state) ? "bold" : "";
    const format = i > 0 ? added : digits;
    return [
      rect(`step ${i}`, "position", box, { o: ANGLE, delay, from: { y, h: 0 } }),
      number(`part ${i}`, kind, place, part, format, { size: COSINE, delay }),
    ];
  });
}

/** A sum as a bar that stands on 0. */
const standing = (sum, at, { width }) => {
  const [y, foot] = [at(sum), at(0)];
  return { x: COLUMNS.end, y: Math.min(y, foot), w: width - COLUMNS.end, h: Math.abs(foot - y) };
};

/** The parts of the product and their sum; or that it is asked for. */
function sum(state, room, clocks, compared, act) {
  const { width, height } = room;
  const y = endOf(height);
  if (state.veiled) return veil({ x: 0, y, w: width, h: height - y }, "?", act);
  const at = scaleOf(state.d_model, height);
  const sum = productOf(state);
  const box = standing(sum, at, room);
  const look = { ...RIGHT_END, size: large.size, delay: TURNING }; // the angles are seen first
  const equals = (x) => `\u2248 ${digits(x)}`;
  const was = standing(productOf(compared ?? state), at, room);
  return [
    text("what", "faint", [width, y - NAMED], SENTENCES.product, RIGHT_END),
    line("zero", "line", [0, at(0)], [width, at(0)]),
    ...parts(state, room, clocks, at),
    rect("product", "ink", box, { delay: TURNING, from: { y: at(0), h: 0 } }),
    rect("product before", "ghost", was, { o: compared ? 1 : 0 }),
    number("sum", large.class, [width, y + PARTS], sum, equals, look),
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
    label: compared ? fillIn(SENTENCES.before, { was: digits(productOf(compared)) }) : "",
    after: TURNING,
    veiled: state.veiled || compared === null,
  };
  const clocks = clocksOf(state.d_model, room.height);
  return [
    ...words(state),
    ground(state, room, act),
    ...sum(state, room, clocks, compared, act),
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
  },
  traits: ["p", "k", "d_model", "words", "order", "start", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  wait: ({ veiled, here }) => (veiled || here !== null ? 0 : TURNING),
  keys: keysOf,
});
