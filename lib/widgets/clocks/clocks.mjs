// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k. The
// cosines of the angles between the hands are stacked up: the top of the stack is the product.
import { scale, ticksUpward } from "../frame/axes.mjs";
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
  WIDE,
} from "./faces.mjs";
import { answer, isUnasked, widthOf } from "../frame/lettering.mjs";
import { CURVE, DASHED, drawn, filled } from "../frame/looks.mjs";
import { LEFT_END, RIGHT_END, curve, dot, line, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

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
const LEFT = 872; // of the stacks and the chart, which share their heights
const STACK = 60; // how wide a stack is
const NEXT = 72; // from the stack of before to that of now
const CHART = 1020; // where the chart begins
const RIGHT = 1204;
const HEAD = 208;
const TITLE = 18; // from the feet of what stands above down to the head
const BELOW = 42; // from the floor of the chart to the end of the room
const TICK_LINE = 30; // from the floor to the feet of the numbers
const TICK_GAP = 12;
const DOT = 11; // radius
const GAP = 2; // between two cosines of the stack

const SENTENCES = {
  start: "Each place turns every clock. \u2190 \u2192 move both places.",
  veiled: "Predict: what does the product do? Enter shows it.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Only k counts: the curve has the product for each distance.",
  cosines: "cosines",
  someTaken: "cosines, hatched: below 0",
  curve: "product at distance k",
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
function strip(state) {
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

/** The frames round the two places that are compared. */
function ends(seen, { p: position, k: distance }) {
  const kinds = [
    ["query", position, 0],
    ["key", position + distance, MARK.inside],
  ];
  return kinds.map(([kind, place, inside]) => {
    const { slot } = seen.find((each) => each.place === place);
    const x = SLOT * slot + MARK.beside + inside;
    const y = MARK.y + inside;
    const box = { x, y, w: SLOT - 2 * (MARK.beside + inside), h: MARK.h - 2 * inside };
    return rect(`mark ${kind}`, `mark ${kind}-line`, box, { rx: 9 });
  });
}

/**
 * Where each clock's cosine lies in the stack, [from, to]: the slow clocks lowest. What is below 0
 * is taken off again from the top, so that the last end is the sum.
 */
export function stackOf(distance, dModel) {
  const ends = [];
  let level = 0;
  const put = (clock, cosine) => {
    ends[clock] = [level, level + cosine];
    level += cosine;
  };
  const cosines = Array.from(
    { length: dModel / 2 },
    (_, clock) => hand(distance, clock, dModel)[1],
  );
  const slowFirst = [...cosines.entries()].toReversed();
  for (const [clock, cosine] of slowFirst) if (cosine >= 0) put(clock, cosine);
  for (const [clock, cosine] of slowFirst) if (cosine < 0) put(clock, cosine);
  return ends;
}

/** The cosines of a state's clocks, one on the other; what is below 0 is painted last. */
function blocks(state, heights) {
  const ends = [...stackOf(state.k, state.d_model).entries()];
  const inOrder = ends.toSorted(([, [from, to]], [, [other, end]]) => (to < from) - (end < other));
  return inOrder.map(([clock, [from, to]]) => {
    const [y, foot] = [heights.at(Math.max(from, to)), heights.at(Math.min(from, to))];
    return { clock, isTaken: to < from, y, h: Math.max(1, foot - y - GAP) };
  });
}

/** The cosines now; new ones come out of those of before. */
function stackNow(state, heights, x) {
  const here = hereOf(state);
  return blocks(state, heights).map(({ clock, isTaken, y, h }) => {
    const kind = `${isTaken ? "taken" : "cosine"}${clock === here ? " here" : ""}`;
    const box = { x, w: STACK, y, h };
    return rect(`cosine ${clock}`, kind, box, { rx: 2, glide: TURNING, from: { x: LEFT, o: 0 } });
  });
}

/** The cosines of before as outlines, and how high they went, up to the stack of now. */
function stackBefore(before, heights) {
  const level = heights.at(productOf(before));
  const pale = blocks(before, heights).map(({ clock, isTaken, y, h }) =>
    rect(`was cosine ${clock}`, isTaken ? "was-taken" : "was", { x: LEFT, w: STACK, y, h }),
  );
  const top = Math.min(...pale.map(({ y }) => y));
  const bottom = Math.max(...pale.map(({ y, h }) => y + h));
  const around = { x: LEFT - GAP, w: STACK + 2 * GAP, y: top - GAP, h: bottom - top + 2 * GAP };
  return [
    ...pale,
    rect("was stack", "ghost", around, { rx: 2 }),
    line("level before", "ghost", [LEFT + STACK, level], [LEFT + NEXT + STACK, level]),
  ];
}

/** The state before, if its places or words were others and its clocks as many. */
function toCompare({ before, ...state }) {
  if (before?.d_model !== state.d_model) return null;
  const names = ["p", "k", "order"];
  return names.some((name) => String(before[name]) !== String(state[name])) ? before : null;
}

/** What the stack is of, until the curve has this place. */
function titleOf(state, compared) {
  const ends = [state, compared].flatMap((each) => (each ? stackOf(each.k, each.d_model) : []));
  return ends.some(([from, to]) => to < from) ? SENTENCES.someTaken : SENTENCES.cosines;
}

/** The names of the stacks, and the ends of the axis of distances. */
function namesOf(state, compared, distances, foot) {
  const { k: distance } = state;
  const told = fillIn("k = {distance}", { distance });
  const half = widthOf(told) / 2;
  const x = clamp(distances.at(distance), CHART + half - GAP, RIGHT - half);
  const hasCurve = !state.veiled && !isUnasked(state);
  const marks = hasCurve
    ? [text("curve name", "", [RIGHT, HEAD - TITLE], SENTENCES.curve, RIGHT_END)]
    : [text("cosines", "faint", [LEFT, HEAD - TITLE], titleOf(state, compared), LEFT_END)];
  if (isUnasked(state)) return marks;
  marks.push(text("distance", "", [x, foot], told));
  const end = `${MOST.k}`;
  if (x + half < RIGHT - widthOf(end) - TICK_GAP)
    marks.push(text("furthest", "faint", [RIGHT, foot], end, RIGHT_END));
  if (!compared) return marks;
  return [
    ...marks,
    text("name before", "faint", [LEFT + STACK / 2, foot], "before"),
    text("name now", "", [LEFT + NEXT + STACK / 2, foot], "now"),
  ];
}

/** The scales of the stacks and of the chart: from the least product to the number of clocks. */
function scalesOf(state, products, compared, floor) {
  const { k: distance, d_model: dModel } = state;
  const feet = stackOf(distance, dModel).flat();
  const old = compared ? stackOf(compared.k, dModel).flat() : [];
  const low = Math.min(0, ...products, ...feet, ...old);
  return {
    heights: scale({ domain: [low, dModel / 2], range: [floor, HEAD] }),
    distances: scale({ domain: [0, MOST.k], range: [CHART, RIGHT] }),
  };
}

/** The stacks of before and now, and the product over the distance. */
function chart(state, { height }, act) {
  const { p: position, k: distance, d_model: dModel } = state;
  const floor = height - BELOW;
  const compared = toCompare(state);
  // From the present p, although no p changes it: that is what there is to see.
  const products = DISTANCES.map((far) => product(position, far, dModel));
  const { heights, distances } = scalesOf(state, products, compared, floor);
  const points = products.map((value, far) => [distances.at(far), heights.at(value)]);
  const rule = { x: LEFT, w: RIGHT - LEFT, h: 2 };
  const now = compared ? LEFT + NEXT : LEFT;
  const marks = [
    ...ticksUpward(heights, [0, dModel / 2], LEFT - TICK_GAP, { rule }),
    ...namesOf(state, compared, distances, floor + TICK_LINE),
    ...(compared ? stackBefore(compared, heights) : []),
  ];
  const box = { x: CHART, y: HEAD - DOT, w: RIGHT - CHART, h: floor - HEAD + 2 * DOT };
  if (state.veiled) {
    const whole = { x: now, w: RIGHT - now, y: HEAD - DOT, h: floor - HEAD + DOT };
    return [...marks, ...veil(whole, "changed?", act)];
  }
  const stacked = [...marks, ...stackNow(state, heights, now)];
  if (isUnasked(state)) return stacked; // the curve would tell what is asked
  const drag = ([x]) => act.change(putting(state, "k", distances.back(x), { here: null }));
  const [x, y] = points[distance];
  return [
    ...stacked,
    line("level", "ghost", [now + STACK, y], [x - DOT, y], { glide: TURNING }),
    line("drop", "ghost", [x, y + DOT], [x, floor], { glide: TURNING }),
    curve("curve", "curve", points),
    dot("dot", "ink", [x, y], DOT),
    rect("hold chart", "pick hold", box, { drag }),
  ];
}

/** What is behind all: a drag there moves p, and pointing there points at no clock. */
function ground(state, { height }, act) {
  const leave = () => {
    if (state.here !== null) act.change({ here: null });
  };
  const box = { x: 0, y: 0, w: WIDE, h: height };
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
    veiled: state.veiled || isUnasked(state),
  };
  const clocks = clocksOf(state.d_model, room.height);
  return [
    ...strip(state),
    ground(state, room, act),
    ...clocks.flatMap((at, clock) => face(clock, at, state, act)),
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

export default demo({
  name: "clocks",
  looks: {
    face: { ...drawn("axis", 2), ...filled("paper") },
    "face.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "key-line": { "stroke-dasharray": "10 6" },
    trail: drawn("query", 4),
    "was-angle": {
      ...drawn("ghost", 2.5, DASHED),
      ...filled("position", { "fill-opacity": 0.15 }),
    },
    was: filled("position", { opacity: 0.35 }),
    "was-taken": { ...drawn("ghost", 1.5), ...filled("hatching") },
    cosine: filled("position", { opacity: 0.75 }),
    taken: { ...drawn("ink", 1.5), ...filled("hatching") },
    "cosine.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "taken.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    curve: CURVE,
  },
  traits: ["p", "k", "d_model", "words", "order", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  keys: keysOf,
});
