// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k. The
// cosine of the angle between a clock's hands is a step. The steps are one way that begins at 0:
// those below 0 go back, in a narrow lane, then all others go on. It ends at the product.
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
import { BASELINE, line, rect, RIGHT_END, text, thread, veil } from "../frame/shapes.mjs";
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
const STRIP = { below: 102, high: 48 }; // from its top to the end of the room
const LANE = { gap: 8, high: 20 }; // of the steps back: above the strip, and lower
const WAS = { gap: 9, high: 18 }; // the end of before: below the strip
const FOOT = 4; // from the numbers along the strip to the end of the room
const TURN = 24; // room left of the strip, where the way turns
const TIP = 9; // of a step: so long is its arrow's head, if the step is longer
const GAP = 2; // between two steps
const END = 2.5; // half as wide as the mark of the end
const POUR = 6; // from a clock to its thread

const SENTENCES = {
  start: "Each place turns every clock. \u2190 \u2192 move both places.",
  veiled: "Predict: what does the product do? Enter shows it.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Other angles, another product: only k counts.",
  sum: "the cosines of the angles, added up",
  sumBack: "the cosines, added up; one below 0 is a step back",
  was: "before",
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
 * Where each clock's step, its cosine, begins and ends, and its rank on the way: first those below
 * 0, from 0 back, then all others, on from where those ended. So the last one ends at the product.
 */
export function wayOf(distance, dModel) {
  const cosines = Array.from(
    { length: dModel / 2 },
    (_, clock) => hand(distance, clock, dModel)[1],
  );
  const back = [...cosines.keys()].filter((clock) => cosines[clock] < 0);
  const ahead = [...cosines.keys()].filter((clock) => cosines[clock] >= 0);
  const steps = [];
  let end = 0;
  for (const [rank, clock] of [...back, ...ahead].entries()) {
    steps[clock] = { start: end, end: end + cosines[clock], rank };
    ({ end } = steps[clock]);
  }
  return steps;
}

/** Where the way turns: left of 0, or at 0 where no step goes back. */
const turnAt = (distance, dModel) => Math.min(...wayOf(distance, dModel).map(({ start }) => start));

/** How far a step is gone when so much is gone of the way, 0 to 1. */
const partOf = (gone, rank, count) => clamp(gone * count - rank, 0, 1);

/** A step as an arrow: its head lies in the tail of the next one; the last has none. */
function arrowed({ start, end, y, h, rank, count, gone }) {
  const ahead = Math.sign(end - start) || 1;
  const long = Math.max(0, Math.abs(end - start) * partOf(gone, rank, count) - GAP);
  if (long === 0) return "";
  const [head, tip] = [start + ahead * long, ahead * Math.min(TIP, long)];
  const nose = rank < count - 1 ? head + tip : head;
  const tail = rank > 0 ? start + tip : start;
  const [middle, foot] = [y + h / 2, y + h];
  return `M${start},${y}H${head}L${nose},${middle}L${head},${foot}H${start}L${tail},${middle}Z`;
}

/** The steps now, each with a thread from its clock. */
function steps(state, clocks, sums, y) {
  const here = hereOf(state);
  const count = clocks.length;
  return wayOf(state.k, state.d_model).flatMap((step, clock) => {
    const isBack = step.end < step.start;
    const [start, end] = [step.start, step.end].map(sums.at);
    const down = isBack ? { y: y - LANE.gap - LANE.high, h: LANE.high } : { y, h: STRIP.high };
    const kind = `${isBack ? "back" : "cosine"}${clock === here ? " here" : ""}`;
    const way = { start, end, ...down, rank: step.rank, count, gone: 1, glide: TURNING };
    const { x, y: middle, radius } = clocks[clock];
    const foot = [(start + end) / 2, down.y];
    const flow = { glide: TURNING };
    return [
      thread(`thread ${clock}`, `thread ${kind}`, [x, middle + radius + POUR], foot, flow),
      { id: `step ${clock}`, class: kind, ...way, from: { gone: 0, o: 1 }, d: arrowed },
    ];
  });
}

/** Where the way turns, if it does: from the lane of the steps back down into the strip. */
function turn(state, sums, y) {
  const x = sums.at(turnAt(state.k, state.d_model));
  if (x === sums.at(0)) return [];
  const [from, to] = [y - LANE.gap - LANE.high / 2, y + STRIP.high / 2];
  const round = (to - from) / 2;
  const bend = (now) => `M${now.x},${from}a${round},${round} 0 0 0 0,${to - from}`;
  return [{ id: "turn", class: "turn", x, d: bend, glide: TURNING }];
}

/** The end of the way: on its first time it goes along with the steps. */
function endOf(state, sums, y, foot) {
  const stations = wayOf(state.k, state.d_model).sort((one, other) => one.rank - other.rank);
  const top = y - LANE.gap - LANE.high;
  const way = ({ gone }) => {
    if (gone === 1) return {};
    const { start, end, rank } = stations[Math.floor(gone * stations.length)];
    const x = mix(start, end, partOf(gone, rank, stations.length));
    return { x: sums.at(x) - END };
  };
  const box = { x: sums.at(stations.at(-1).end) - END, w: 2 * END, y: top, h: foot - top };
  return rect("sum", "ink", box, { way, gone: 1, from: { gone: 0, o: 1 }, glide: TURNING });
}

/** The state before, if its places or words were others and its clocks as many. */
function toCompare({ before, ...state }) {
  if (before?.d_model !== state.d_model) return null;
  const names = ["p", "k", "order"];
  return names.some((name) => String(before[name]) !== String(state[name])) ? before : null;
}

/** The scale along the strip: room left of 0 for any distance, right of it for every clock. */
function scaleOf({ d_model: dModel }, width) {
  const least = Math.min(...DISTANCES.map((distance) => turnAt(distance, dModel)));
  return scale({ domain: [least, dModel / 2], range: [TURN, width - END] });
}

/** How far the way went before, under that of now; what is different is lit. */
function wayBefore(state, before, sums, top) {
  const [zero, was, now] = [0, productOf(before), productOf(state)].map(sums.at);
  const box = (from, to) => ({
    x: Math.min(from, to),
    w: Math.abs(to - from),
    y: top,
    h: WAS.high,
  });
  const inner = ({ x, y, w, h }) => ({ x: x + 1, y: y + 2, w: w - 3, h: h - 4 });
  const isOther = !state.veiled && Math.abs(was - now) > WAS.gap;
  const name = [Math.min(zero, was) - WAS.gap, top + WAS.high / 2 + BASELINE];
  return [
    rect("was sum", "ghost was", box(zero, was), { glide: 1 }),
    ...(isOther ? [rect("different", "different", inner(box(was, now)), { delay: TURNING })] : []),
    text("was name", "ghosted", name, SENTENCES.was, RIGHT_END),
  ];
}

/** The strip: the way of the steps, which ends at the product; that of before lies under it. */
function strip(state, { width, height }, clocks, act) {
  const sums = scaleOf(state, width);
  const compared = toCompare(state);
  const y = height - STRIP.below;
  const top = y - LANE.gap - LANE.high;
  const floor = y + STRIP.high;
  const foot = height - FOOT;
  const most = { value: state.d_model / 2, anchor: "end" };
  const told = turnAt(state.k, state.d_model) < 0 ? SENTENCES.sumBack : SENTENCES.sum;
  const marks = [
    ...ticksAcross(sums, [{ value: 0 }, most], foot),
    text("told", "ghosted", [mix(sums.at(0), width, 0.5), foot], told),
    ...(compared ? wayBefore(state, compared, sums, floor + WAS.gap) : []),
  ];
  const box = { x: 0, y: top, w: width, h: floor - top };
  if (state.veiled) return [...marks, ...veil(box, "longer, shorter or the same?", act)];
  const [zero, last] = [sums.at(0), sums.at(state.d_model / 2)];
  return [
    ...marks,
    line("strip", "rule-line", [zero, floor + 4], [last, floor + 4]),
    ...steps(state, clocks, sums, y),
    ...turn(state, sums, y),
    line("zero", "rule-line", [zero, top], [zero, floor + 4]),
    endOf(state, sums, y, floor + WAS.gap + WAS.high),
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
    cosine: filled("position", { opacity: 0.85 }),
    back: filled("score"),
    thread: drawn("position", 3, { opacity: 0.6 }),
    "thread.back": { stroke: "var(--score)" },
    turn: drawn("score", 4),
    "ghost.was": filled("position", { "fill-opacity": 0.25 }),
    different: filled("lit"),
    "cosine.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
    "back.here": { stroke: "var(--ink)", "stroke-width": 3.5 },
  },
  traits: ["p", "k", "d_model", "words", "order", "done", "moved"],
  own: { here: null, grip: null }, // the clock that is told, and what the pointer holds
  keep: ["here", "grip"],
  layout,
  caption,
  wait: ({ veiled, here }) => (veiled || here !== null ? 0 : TURNING),
  keys: keysOf,
});
