// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k. Each
// clock pours the cosine of the angle between its hands into a strip: its length is the product.
import { scale, ticksAcross } from "../frame/axes.mjs";
import { clamp, digits, fillIn, short } from "../frame/frame.mjs";
import {
  clocksOf,
  face,
  hand,
  hereOf,
  MOST,
  product,
  putting,
  sliding,
  TURNING,
  turnOf,
} from "./faces.mjs";
import { answer, isUnasked, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { mix } from "../frame/scene.mjs";
import { BASELINE, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const DISTANCES = [...Array(MOST.k + 1).keys()];
const WIDE = 820; // the room of the words
const SLOTS = 7; // places of the sentence that are seen
const SLOT = WIDE / SLOTS;
const BEHIND = 2; // places before p that are seen
const WORDS = 36; // the baseline of the words
const PLACES = 72; // and that of the places below them
const MARK = { y: 1, h: 84, beside: 4, inside: 6 }; // the mark of the key lies in the query's
const BRACKET = { y: 91, h: 12, gap: 20 }; // from one mark to the other; how far is written on it
const WORD = 28; // size of its letters, if they find room
const SMALL = 24; // and the smallest
const WORD_ROOM = SLOT - 24;
const SLIDE = 3; // slots, from which a word comes at most
const BELOW = 102; // from the top of the strip to the end of the room
const STRIP = 48; // its height
const WAS = { gap: 8, high: 18 }; // the strip of before: below it, and lower
const FOOT = 4; // from the numbers along the strip to the end of the room
const GAP = 2; // between two cosines
const END = 8; // so far the mark of the sum reaches beyond the strip
const POUR = { gap: 6, wide: 0.7 }; // from a clock to its ribbon, and how wide that begins

const SENTENCES = {
  start: "Each place turns every clock. \u2190 \u2192 move both places.",
  veiled: "Predict: what does the product do? Enter shows it.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Other angles, another product: only k counts.",
  sum: "the cosines of the angles, added up",
  sumTaken: "the cosines, added up; hatched: below 0, taken off",
  was: "dashed: before",
  wasTaken: "dashed: before; hatched: below 0, taken off",
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

/** The frames round the two places that are compared, and how far it is from one to the other. */
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
  const room = widthOf(told) + BRACKET.gap;
  return [
    ...frames,
    { id: "bracket", class: "bracket", x, toX, room, d: bracket },
    text("distance", "", [(x + toX) / 2, BRACKET.y + BRACKET.h + BASELINE], told),
  ];
}

/**
 * Where each clock's cosine lies along the strip, [from, to], the fast clocks first: what is below
 * 0 left of it, the others right of it. As much as lies on the left, `taken`, is taken off again.
 */
export function sumOf(distance, dModel) {
  const cosines = Array.from(
    { length: dModel / 2 },
    (_, clock) => hand(distance, clock, dModel)[1],
  );
  const taken = cosines.reduce((sum, cosine) => sum + Math.max(0, -cosine), 0);
  const next = { left: -taken, right: 0 };
  const parts = cosines.map((cosine) => {
    const side = cosine < 0 ? "left" : "right";
    const start = next[side];
    next[side] += Math.abs(cosine);
    return [start, next[side]];
  });
  return { parts, taken, most: next.right };
}

/** From a clock (middle, half as wide as it begins) down to its part of the strip. */
function ribbon({ middle, half, start, end, top, floor }) {
  const bend = mix(top, floor, 0.5);
  return (
    `M${middle - half},${top}C${middle - half},${bend} ${start},${bend} ${start},${floor}H${end}` +
    `C${end},${bend} ${middle + half},${bend} ${middle + half},${top}Z`
  );
}

/** The cosines now, each poured out of its clock. */
function parts(state, clocks, sums, y) {
  const here = hereOf(state);
  return sumOf(state.k, state.d_model).parts.flatMap(([start, end], clock) => {
    const kind = `${start < 0 ? "taken" : "cosine"}${clock === here ? " here" : ""}`;
    const x = sums.at(start);
    const w = Math.max(1, sums.at(end) - x - GAP);
    const pour = { rx: 2, glide: TURNING, from: { x: sums.at(0), w: 1, o: 1 } };
    const at = clocks[clock];
    const ends = { middle: at.x, half: at.radius * POUR.wide, start: x, end: x + w };
    const down = { top: at.y + at.radius + POUR.gap, floor: y };
    const flow = { ...ends, ...down, o: clock === here ? 0.5 : 0.25, glide: TURNING, d: ribbon };
    return [
      { id: `ribbon ${clock}`, class: start < 0 ? "taken" : "position", ...flow },
      rect(`cosine ${clock}`, kind, { x, w, y, h: STRIP }, pour),
    ];
  });
}

/** From the sum on: as much of the strip as lies left of 0. */
function takenOff(state, sums, y) {
  const { taken, most } = sumOf(state.k, state.d_model);
  const x = sums.at(Math.max(0, most - taken));
  const box = { x, w: sums.at(most) - x, y: y + 1, h: STRIP - 2 };
  return taken > 0 ? [rect("taken off", "pale", box, { glide: TURNING })] : [];
}

/** The state before, if its places or words were others and its clocks as many. */
function toCompare({ before, ...state }) {
  if (before?.d_model !== state.d_model) return null;
  const names = ["p", "k", "order"];
  return names.some((name) => String(before[name]) !== String(state[name])) ? before : null;
}

/** What stands below the strip. */
function toldOf(state, compared) {
  const hasTaken = sumOf(state.k, state.d_model).taken > 0;
  if (compared) return hasTaken ? SENTENCES.wasTaken : SENTENCES.was;
  return hasTaken ? SENTENCES.sumTaken : SENTENCES.sum;
}

/** The scale along the strip: room left of 0 for any distance, right of it for every clock. */
function scaleOf({ d_model: dModel }, width) {
  const least = -Math.max(...DISTANCES.map((distance) => sumOf(distance, dModel).taken));
  return scale({ domain: [least, dModel / 2], range: [0, width] });
}

/** How long the strip was, under that of now. */
function stripBefore(before, sums, top) {
  const [zero, end] = [sums.at(0), sums.at(productOf(before))];
  const across = { x: Math.min(zero, end), w: Math.abs(end - zero) };
  const down = { y: top + STRIP + WAS.gap, h: WAS.high };
  return rect("was sum", "ghost was", { ...across, ...down }, { glide: 1 });
}

/** The strip: its length is the product, and that of before lies under it. */
function strip(state, { width, height }, clocks, act) {
  const sums = scaleOf(state, width);
  const compared = toCompare(state);
  const y = height - BELOW;
  const foot = height - FOOT;
  const most = { value: state.d_model / 2, anchor: "end" };
  const marks = [
    ...ticksAcross(sums, [{ value: 0 }, most], foot),
    text("told", "ghosted", [mix(sums.at(0), width, 0.5), foot], toldOf(state, compared)),
    ...(compared ? [stripBefore(compared, sums, y)] : []),
  ];
  const box = { x: 0, y, w: width, h: STRIP };
  if (state.veiled) return [...marks, ...veil(box, "longer, shorter or the same?", act)];
  const x = sums.at(productOf(state));
  const sum = { x: x - GAP, w: 2 * GAP, y: y - END, h: STRIP + 2 * END };
  return [
    ...marks,
    rect("strip", "rule-line", box, { rx: 2 }),
    ...parts(state, clocks, sums, y),
    ...takenOff(state, sums, y),
    rect("sum", "ink", sum, { glide: TURNING, from: { x: sums.at(0), o: 1 } }),
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

const productOf = (state) => product(state.p, state.k, state.d_model);

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const compared = toCompare(state);
  const shown = {
    number: productOf(state),
    format: (value) => digits(value),
    label: "PE(p) \u00b7 PE(p + k)",
    before: compared ? productOf(compared) : undefined,
    steady: true,
    after: TURNING, // the strip is seen first
    veiled: state.veiled || isUnasked(state),
  };
  const clocks = clocksOf(state.d_model, room.height);
  return [
    ...words(state),
    ground(state, room, act),
    ...strip(state, room, clocks, act),
    ...clocks.flatMap((at, clock) => face(clock, at, state, act)),
    ...answer(shown, act),
  ];
}

/** What there is to see, when no clock is pointed at. */
function kindOfChange({ veiled, before, p: position, k: distance, order, d_model: dModel }) {
  if (veiled) return "veiled";
  if (before === null || before.d_model !== dModel) return "start";
  if (before.k !== distance) return "other";
  if (before.p !== position) return "same";
  return String(before.order) === String(order) ? "start" : "words";
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
    "rule-line": drawn("axis", 2),
    cosine: filled("position", { opacity: 0.75 }),
    taken: { ...drawn("ink", 1.5), ...filled("hatching") },
    "ghost.was": filled("position", { "fill-opacity": 0.25 }),
    pale: filled("paper", { opacity: 0.65 }),
    "cosine.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "taken.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
  },
  traits: ["p", "k", "d_model", "words", "order", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  keys: keysOf,
});
