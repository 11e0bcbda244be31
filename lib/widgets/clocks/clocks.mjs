// Sinusoidal positions as clocks, two hands on each, one for p and one for p + k: what lies between
// the words lies between the hands. Each clock adds the cosine of its angle to the product. Below
// the clocks these lie end to end: those below zero go to the left, from there the others go to the
// right, and where they end is the product.
import { clamp, digits, fillIn, short } from "../frame/frame.mjs";
import { clocksOf, face, hand, hereOf, partsOf, putting } from "./faces.mjs";
import { sliding, TIP, total, TURNING, turnOf } from "./faces.mjs";
import { scale } from "../frame/axes.mjs";
import { answer, isUnasked, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, dot, LEFT_END, number, rect, RIGHT_END } from "../frame/shapes.mjs";
import { text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const WIDE = 820; // the room of the words
const SLOTS = 7; // places of the sentence that are seen
const SLOT = WIDE / SLOTS;
const BEHIND = 2; // places before p that are seen
const WORDS = 29; // the baseline of the words
const PLACES = 56; // and that of the two places
const MARK = { y: 1, h: 65, beside: 1, inside: 5 }; // of one place, the key's lies in the query's
// What lies between the places, thick as the tips of the hands; beside it what they are called.
const SPAN = { y: 83, high: 10, beside: 18, gap: 24 };
const LETTERS = 9; // of a word in the sentence
const WORD = 28; // size of its letters, if they find room
const SMALL = 24; // and the smallest
const WORD_ROOM = SLOT - 32; // the inner mark does not touch it
const SLIDE = 3; // slots, from which a word comes at most
// The sum: its lanes for parts below zero and above begin so far over the end of the room.
const LANES = { negative: 89, positive: 53, high: 27 };
const TOTAL = { size: 28, beside: 16, low: -4, w: 190 }; // its letters, and their room at the end
const ZERO = { w: 4, longer: 3, foot: 1 }; // its line, and the number below it
const OUTLINE = 3; // of the sum before, round the lane

const AGAIN = "\u2026 and again"; // the sentence, after its last word
const SENTENCES = {
  start: "Cosines add up to the product of the position vectors of {near} and {far}.",
  veiled: "Moved by {by}. Predict: what does the product do? Enter shows it.",
  order: "The words change places, the clocks do not.",
  p: "Both hands turned alike: the angle between them stays, and so the product.",
  k: "Other angles, another product: only k counts.",
  clock: "Dimensions {even}, {odd}: sin {sine}, cos {cosine}; once round in {long} places.",
  now: "product now: {now}",
  before: "product before: {was}",
  by: "{count} places",
  byOne: "1 place",
  no: "product: {now}, as before",
  yes: "product: {was} → {now}",
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

/** The words, and under each its place. */
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
    marks.push(text(id, isEnd ? "bold" : kind, [x, WORDS], word, { size, from }));
    marks.push(text(`place ${place}`, isEnd ? "" : "faint", [x, PLACES], `${place}`, { from }));
  }
  const again = text("again", "faint", [WIDE + SPAN.beside, WORDS], AGAIN, LEFT_END);
  const isRound = seen.at(-1).place >= order.length;
  return [...marks, ...(isRound ? [again] : []), ...ends(seen, state), ...gap(seen)];
}

/** Where places are left out: their words, and a piece of what lies between the ends. */
function gap(seen) {
  if (seen.length === SLOTS) return [];
  const [x, { y, high, gap: w }] = [SLOT * (SLOTS - 1.5), SPAN];
  return [
    text("gap", "faint", [x, WORDS], "\u2026", { size: WORD }),
    rect("cut", "cut", { x: x - w / 2, y: y - high, w, h: 2 * high }),
  ];
}

/** The frames round the two places that are compared, and what lies between them. */
function ends(seen, { p: position, k: distance }) {
  const slotOf = (place) => seen.find((each) => each.place === place).slot;
  const [first, last] = [position, position + distance].map(slotOf);
  const frame = (kind, slot, inside) => {
    const [edge, y] = [MARK.beside + inside, MARK.y + inside];
    const box = { x: SLOT * slot + edge, y, w: SLOT - 2 * edge, h: MARK.h - 2 * inside };
    return rect(`mark ${kind}`, `mark ${kind}-line`, box, { rx: 9 });
  };
  const [x, toX] = [first, last].map((slot) => SLOT * (slot + 0.5));
  const [{ y, high, beside }, { square }] = [SPAN, TIP];
  const name = fillIn("p + k, k = {distance}", { distance });
  return [
    frame("query", first, 0),
    frame("key", last, distance === 0 ? MARK.inside : 0),
    rect("span", "position", { x, y: y - high / 2, w: toX - x, h: high }),
    rect("end key", "key", { x: toX - square, y: y - square, w: 2 * square, h: 2 * square }),
    dot("end query", "query", [x, y], TIP.disc),
    text("name query", "query bold", [x - beside, y + BASELINE], "p", RIGHT_END),
    text("name key", "key bold", [toX + beside, y + BASELINE], name, LEFT_END),
  ];
}

/**
 * The state before, if its clocks were as many, or where the places were at first, but for what is
 * not asked about; null where nothing has moved.
 */
function toCompare(state) {
  const { asks, before, d_model: dModel, k: distance, moved, start } = state;
  const first = moved ? { ...state, p: start[0], k: start[1] } : null;
  const compared = before?.d_model === dModel ? before : first;
  if (asks === "k") return compared?.k === distance ? null : compared;
  return compared && { ...compared, k: distance };
}

const productOf = (state) => total(partsOf(state));

const equals = (sum) => `= ${digits(sum)}`;

/** Where each part begins: to the left of the one before it below zero, else to its right. */
function leftEnds(parts) {
  let low = 0;
  let high = total(parts.filter((part) => part < 0));
  return parts.map((part) => {
    if (part < 0) low += part;
    else high += part;
    return part < 0 ? low : high - part;
  });
}

/** A clock's part of the sum. */
function piece(i, part, start, { at, clock, height }) {
  const [x, w] = [at(start), at(Math.abs(part)) - at(0)];
  const y = height - (part < 0 ? LANES.negative : LANES.positive);
  const [foot, glide] = [[x + w / 2, y + LANES.high / 2 + BASELINE], TURNING];
  const motion = { from: { x: clock.x, y: clock.y + clock.radius, w: 0 }, glide };
  const isNamed = widthOf(digits(part), SMALL, 650) < w;
  return [
    rect(`piece ${i}`, "piece", { x, y, w, h: LANES.high }, motion),
    ...(isNamed ? [number(`part ${i}`, "marked bold", foot, part, digits, { glide })] : []),
  ];
}

/** The clocks' parts end to end, from 0 to the product; dashed, that of before; or their veil. */
function sum(state, clocks, compared, { width, height }, act) {
  const y = height - LANES.negative;
  const h = LANES.negative - LANES.positive + LANES.high;
  if (state.veiled) return veil({ x: 0, y, w: width, h }, "?", act);
  const parts = partsOf(state);
  const domain = [-parts.length / 2, parts.length];
  const { at } = scale({ domain, range: [0, width - TOTAL.w] });
  const starts = leftEnds(parts);
  const about = (i) => ({ at, clock: clocks[i], height });
  return [
    rect("zero", "rule", { x: at(0) - ZERO.w / 2, y, w: ZERO.w, h: h + ZERO.longer }),
    text("zero name", "faint", [at(0), height - ZERO.foot], "0"),
    ...product(total(parts), compared && productOf(compared), at, height),
    ...parts.flatMap((part, i) => piece(i, part, starts[i], about(i))),
  ];
}

/** The product behind the end of the sum; dashed, how far it went before. */
function product(now, was, at, height) {
  const y = height - LANES.positive;
  const outline = { x: at(0), y: y - OUTLINE, w: at(was) - at(0), h: LANES.high + 2 * OUTLINE };
  const foot = [at(Math.max(now, was)) + TOTAL.beside, y + LANES.high + TOTAL.low];
  const look = { size: TOTAL.size, delay: TURNING, ...LEFT_END };
  return [
    ...(was === null ? [] : [rect("sum before", "ghost", outline)]),
    number("product", "bold", foot, now, equals, look),
  ];
}

/** Whether the product changed, if anything has moved; that is told when the angles were seen. */
function result(state, compared, act) {
  if (compared === null) {
    const label = fillIn(SENTENCES.now, { now: digits(productOf(state)) });
    return isUnasked(state) ? answer({ label, veiled: true }, act) : [];
  }
  const { veiled } = state;
  const words = state.asks === "k" ? "yes" : "no";
  const [now, was] = [state, compared].map((each) => digits(productOf(each)));
  const label = fillIn(SENTENCES[veiled ? "before" : words], { now, was });
  const [told, named] = answer({ words, label, veiled, after: TURNING }, act);
  return [told, veiled ? named : { ...named, id: "told", delay: TURNING }];
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
  const clocks = clocksOf(state.d_model, room.height);
  return [
    ...words(state),
    ground(state, room, act),
    ...clocks.flatMap((at, clock) => face(clock, at, state, compared, act)),
    ...sum(state, clocks, compared, room, act),
    ...result(state, compared, act),
  ];
}

/** What there is to see, when no clock is pointed at. */
function kindOfChange(state) {
  if (state.veiled) return "veiled";
  return toCompare(state) === null ? "start" : state.asks;
}

/** The sentence that says what to see; while it is asked, of no clock alone. */
export function caption(state) {
  const { p: position, d_model: dModel } = state;
  const here = hereOf(state);
  if (here === null || state.veiled) {
    const [near, far] = [position, position + state.k].map(
      (place) => `\u201c${short(wordAt(place, state), LETTERS)}\u201d`,
    );
    const was = toCompare(state) ?? state;
    const count = Math.abs(position + state.k - was.p - was.k);
    const by = fillIn(SENTENCES[count === 1 ? "byOne" : "by"], { count });
    return fillIn(SENTENCES[kindOfChange(state)], { near, far, by });
  }
  const [sine, cosine] = hand(position, here, dModel);
  return fillIn(SENTENCES.clock, {
    even: 2 * here,
    odd: 2 * here + 1,
    sine: digits(sine),
    cosine: digits(cosine),
    long: turnOf(here, dModel),
  });
}

/**
 * What a key means: both places move on, or one of them, or the next clock is told. A stray key
 * changes nothing of what is asked, and k stays until the first answer was seen.
 */
export function keysOf(state, key, event) {
  const move = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
  if (state.veiled) return move ? {} : null;
  const name = event?.shiftKey || /Up|Down/.test(key) ? "k" : "p";
  if (move && name === "k" && state.done === 0) return {};
  if (move) return putting(state, name, state[name] + move, { here: null });
  if (key === " ") return { here: ((hereOf(state) ?? -1) + 1) % (state.d_model / 2) };
  return key === "Escape" ? { here: null } : null;
}

export default demo({
  name: "clocks",
  looks: {
    face: { ...drawn("axis", 2), ...filled("paper") },
    cut: filled("paper"),
    piece: filled("position", { stroke: "var(--paper)", "stroke-width": 2 }),
    "face.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "key-line": { "stroke-dasharray": "10 6" },
  },
  traits: ["p", "k", "d_model", "words", "order", "start", "asks", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  wait: ({ veiled, here }) => (veiled || here !== null ? 0 : TURNING),
  keys: keysOf,
});
