// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k.
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
  turnOf,
  WIDE,
} from "./faces.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { stage } from "../frame/stage.mjs";

const DISTANCES = [...Array(MOST.k + 1).keys()];
const SLOTS = 7; // places of the sentence that are seen
const SLOT = WIDE / SLOTS;
const BEHIND = 2; // places before p that are seen
const WORDS = 36; // the baseline of the words
const PLACES = 72; // and that of the places below them
const MARK = { y: 1, h: 84, beside: 4, inside: 6 }; // the mark of the key lies in the query's
const WORD = 28; // size of its letters, if they find room
const SMALL = 24; // and the smallest
const WORD_ROOM = SLOT - 24;
const SLIDE = 3; // slots, from which a word comes at most
const LEFT = 948; // of the chart
const RIGHT = 1204;
const HEAD = 204;
const BELOW = 66; // from the floor of the chart to the end of the room
const TICK_LINE = 40; // from the floor to the feet of the numbers
const TICK_GAP = 12;
const BASELINE = 9; // from the middle of a line down to where its letters stand
const DOT = 11; // radius

const SENTENCES = {
  start: "Each place turns every clock. \u2190 \u2192 move both places.",
  veiled: "Each clock turns at its own speed. Enter shows the product.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Another distance, another product: only k counts.",
  clock: "Dimensions {even}, {odd}: sin {sine}, cos {cosine}; once round in {long} places.",
};
const STORY = ["both + 10", "shuffle the words", "k + 5"];

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

/** A word as large as its slot allows, and cut where it is still too long. */
function fitted(word) {
  const width = widthOf(word, WORD, 650);
  if (width <= WORD_ROOM) return { size: WORD, text: word };
  const size = Math.max(SMALL, (WORD * WORD_ROOM) / width);
  const letter = widthOf(word, size, 650) / [...word].length;
  return { size, text: short(word, Math.max(2, Math.floor(WORD_ROOM / letter + 0.05))) };
}

/** The words, and under them their places. */
function strip(state) {
  const { p: position, k: distance, order, before } = state;
  const moved = before ? firstPlace(state) - firstPlace(before) : 0;
  const slide = clamp(moved, -SLIDE, SLIDE) * SLOT;
  const marks = [];
  const seen = placesSeen(state);
  for (const { place, slot } of seen) {
    const isEnd = place === position || place === position + distance;
    const x = SLOT * (slot + 0.5);
    const kept = fitted(wordAt(place, state));
    const kind = place < order.length ? "" : "faint";
    const round = Math.floor(place / order.length);
    const id = `word ${order[place % order.length]} ${round}`;
    const from = { x: x + slide, o: 0 };
    marks.push({ id, class: isEnd ? `${kind} bold` : kind, ...kept, x, y: WORDS, from });
    const number = { class: "faint", text: `${place}`, x, y: PLACES };
    marks.push({ id: `place ${place}`, ...number, from });
  }
  if (seen.length < SLOTS) {
    const x = SLOT * (SLOTS - 1.5);
    marks.push({ id: "gap", class: "faint", x, y: WORDS, size: WORD, text: "\u2026" });
  }
  return [...marks, ...ends(seen, state)];
}

/** The frames round the two places that are compared. */
function ends(seen, { p: position, k: distance }) {
  const kinds = [
    ["query", position, 0],
    ["key", position + distance, MARK.inside],
  ];
  return kinds.map(([kind, place, inside]) => {
    const { slot } = seen.find((each) => each.place === place);
    const x = SLOT * slot + MARK.beside + inside;
    const box = { x, y: MARK.y + inside, w: SLOT - 2 * (MARK.beside + inside) };
    return {
      id: `mark ${kind}`,
      class: `mark ${kind}-line`,
      rx: 9,
      ...box,
      h: MARK.h - 2 * inside,
    };
  });
}

/** A curve through these heights, which glide. */
function curve(id, kind, heights, across) {
  const named = Object.fromEntries(heights.map((y, i) => [`y${i}`, y]));
  const path = (numbers) =>
    `M${heights.map((_, i) => `${across(i)},${numbers[`y${i}`]}`).join("L")}`;
  return { id, class: kind, ...named, d: path };
}

/** The product over the distance, from its least value to the number of clocks. */
function chart(state, { height }, act) {
  const { p: position, k: distance, d_model: dModel, before } = state;
  const count = dModel / 2;
  const floor = height - BELOW;
  const across = (far) => LEFT + ((RIGHT - LEFT) * far) / MOST.k;
  // From the present p, although no p changes it: that is what there is to see.
  const products = DISTANCES.map((far) => product(position, far, dModel));
  const low = Math.min(0, ...products);
  const heightOf = (value) => floor - ((value - low) / (count - low)) * (floor - HEAD);
  const marks = [];
  for (const tick of [0, count]) {
    const at = { class: "faint", anchor: "end", x: LEFT - TICK_GAP, y: heightOf(tick) + BASELINE };
    marks.push({
      id: `rule ${tick}`,
      class: "rule",
      x: LEFT,
      y: heightOf(tick),
      w: RIGHT - LEFT,
      h: 2,
    });
    marks.push({ id: `tick ${tick}`, text: `${tick}`, ...at });
  }
  const title = fillIn("distance k = {distance}", { distance });
  const place = { x: (LEFT + RIGHT) / 2, y: floor + TICK_LINE, size: 28 };
  marks.push({ id: "distance", text: title, ...place });
  const box = { x: LEFT, y: HEAD - DOT, w: RIGHT - LEFT, h: floor - HEAD + 2 * DOT };
  if (state.veiled) {
    const ask = { x: place.x, y: (HEAD + floor) / 2 + BASELINE, size: 28, text: "changed?" };
    marks.push({ id: "veil", class: "veil", rx: 8, ...box, pick: () => act.next() });
    return [...marks, { id: "ask", class: "bold halo", ...ask }];
  }
  if (before && (before.k !== distance || before.d_model !== dModel)) {
    const value = product(before.p, before.k, before.d_model);
    const old = { x: across(before.k), y: heightOf(value), r: DOT, glide: 1 };
    marks.push({ id: "was dot", class: "ghost", ...old });
  }
  marks.push(curve("curve", "curve", products.map(heightOf), across));
  const dot = { x: across(distance), y: heightOf(products[distance]), r: DOT };
  marks.push({ id: "dot", class: "ink", ...dot });
  const to = ([x]) => ((x - LEFT) / (RIGHT - LEFT)) * MOST.k;
  const drag = ([x]) => act.change(putting(state, "k", to([x]), { here: null }));
  return [...marks, { id: "hold chart", class: "pick hold", ...box, drag }];
}

/** What is behind all: a drag there moves p, and pointing there points at no clock. */
function ground(state, { height }, act) {
  const leave = () => {
    if (state.here !== null) act.change({ here: null });
  };
  const box = { x: 0, y: 0, w: WIDE, h: height };
  return { id: "ground", class: "pick hold", ...box, hover: leave, ...sliding(state, act) };
}

const productOf = (state) => product(state.p, state.k, state.d_model);

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const { count, wide, radius, places } = clocksOf(state.d_model, room.height);
  const { before } = state;
  const hasMoved = before !== null && (before.p !== state.p || before.k !== state.k);
  const isOther = before !== null && String(before.order) !== String(state.order);
  const shown = {
    number: productOf(state),
    format: (value) => digits(value),
    label: "PE(p) \u00b7 PE(p + k)",
    before: hasMoved || isOther ? productOf(before) : undefined,
    steady: true,
    veiled: state.veiled,
  };
  const clocks = Array.from({ length: count }, (_, i) => {
    const [x, y] = places[i];
    return face(i, { x, y, radius, wide }, state, act);
  });
  return [
    ...strip(state),
    ground(state, room, act),
    ...clocks.flat(),
    ...chart(state, room, act),
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

function read(model) {
  const names = ["p", "k", "d_model", "words", "order", "done"];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}

function render({ model, el, signal }) {
  stage(
    { model, el, signal },
    {
      name: "clocks",
      own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
      keep: ["here", "grip"],
      read,
      layout,
      caption,
      keys: keysOf,
      next: ({ done }) => ({ label: STORY[done] ?? "Start over", ask: { type: "next" } }),
    },
  );
}

export default { render };
