// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k.
import { clamp, digits, fillIn, short } from "./frame/frame.mjs";
import { answer, widthOf } from "./frame/lettering.mjs";
import { stage } from "./frame/stage.mjs";

const BASE = 10000; // of the wavelengths, as in the paper

/** How far a clock's hand has turned at a position, in radians. */
const angleOf = (position, clock, dModel) => position * BASE ** ((-2 * clock) / dModel);

/**
 * Where a clock's hand points: [its height, the even dimension; its reach to the right, the odd
 * dimension].
 */
export function hand(position, clock, dModel) {
  const angle = angleOf(position, clock, dModel);
  return [Math.sin(angle), Math.cos(angle)];
}

/** PE(p)·PE(p + k) */
export function product(position, distance, dModel) {
  let sum = 0;
  for (let clock = 0; clock < dModel / 2; clock++) {
    const [sine, cosine] = hand(position, clock, dModel);
    const [farSine, farCosine] = hand(position + distance, clock, dModel);
    sum += sine * farSine + cosine * farCosine;
  }
  return sum;
}

/**
 * The position nearest to `from` at which the first clock, one radian for each place, points in
 * this direction.
 */
export function turnTo(from, angle) {
  const turns = (angle - from) / (2 * Math.PI);
  return from + 2 * Math.PI * (turns - Math.round(turns));
}

const MOST = { p: 100, k: 60 };
const DISTANCES = [...Array(MOST.k + 1).keys()];
const TURNING = 900; // milliseconds that the hands take: the eye must be able to follow

const WIDE = 872; // the room of the words and of the clocks
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
const TOP = 98; // of the clocks
const ONE_ROW = 4; // at most as many clocks stand in one row, unless there are very many
const LABEL_ROOM = 38; // under a clock
const BETWEEN = 9; // half of what lies between two clocks
const LARGEST = 150; // radius
const ROOMY = 150; // a clock with so much room has its speed in words
const REACH = 0.86; // of the hands
const TIP = { disc: 8, square: 7 };
const TRAIL = 5; // from the clock to the arc its hand went
const PITCH = 7; // from one turn of that arc to the next
const STEP = 0.1; // radians from one corner of an arc to the next
const LEFT = 948; // of the chart
const RIGHT = 1204;
const HEAD = 204;
const BELOW = 66; // from the floor of the chart to the end of the room
const TICK_LINE = 40; // from the floor to the feet of the numbers
const TICK_GAP = 12;
const BASELINE = 9; // from the middle of a line down to where its letters stand
const DOT = 11; // radius
const DRAG = 11; // the pointer goes so far for one place

const SENTENCES = {
  start: "Each place turns every clock. \u2190 \u2192 move both places.",
  veiled: "Each clock turns at its own speed. Enter shows the product.",
  words: "The words change places, the clocks do not.",
  same: "The angle between two hands stays, so the product stays.",
  other: "Another distance, another product: only k counts.",
  clock: "Dimensions {even}, {odd}: sin {sine}, cos {cosine}; once round in {long} places.",
};
const STORY = ["both + 10", "shuffle the words", "k + 5"];

/** How many places a clock needs for one turn, in few digits. */
function turnOf(clock, dModel) {
  const places = 2 * Math.PI * BASE ** ((2 * clock) / dModel);
  return places < 100 ? digits(places, 1) : Math.round(places).toLocaleString("en");
}

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

/** Where the clocks stand in a room of this height. */
function clocksOf(dModel, height) {
  const count = dModel / 2;
  const rows = count > ONE_ROW ? 2 : 1;
  const columns = count / rows;
  const [wide, high] = [WIDE / columns, (height - TOP) / rows];
  const radius = Math.min(wide / 2 - BETWEEN, (high - LABEL_ROOM) / 2 - BETWEEN, LARGEST);
  const places = [];
  for (let clock = 0; clock < count; clock++) {
    const [row, column] = [Math.floor(clock / columns), clock % columns];
    places.push([wide * (column + 0.5), TOP + high * row + BETWEEN + radius]);
  }
  return { count, wide, radius, places };
}

const along = ({ x, y }, radius, angle) =>
  `${x + radius * Math.cos(angle)},${y - radius * Math.sin(angle)}`;

/** An arc from one angle to another, radians, which goes outwards by PITCH with each turn. */
function arcPath(at, start, end) {
  const corners = [];
  const steps = Math.ceil(Math.abs(end - start) / STEP) + 1;
  for (let i = 0; i <= steps; i++) {
    const turned = ((end - start) * i) / steps;
    const radius = at.radius + (Math.abs(turned) / (2 * Math.PI)) * PITCH;
    corners.push(along(at, radius, start + turned));
  }
  return `M${corners.join("L")}`;
}

const needle = (numbers) =>
  `M${numbers.x},${numbers.y}L${along(numbers, numbers.radius, numbers.angle)}`;

/** What lies between the two hands, at most one turn. */
function wedge(numbers) {
  const { x, y, radius, angle, spread } = numbers;
  const shown = spread % (2 * Math.PI);
  const large = shown > Math.PI ? 1 : 0;
  const [start, end] = [along(numbers, radius, angle), along(numbers, radius, angle + shown)];
  return `M${x},${y}L${start}A${radius},${radius} 0 ${large} 0 ${end}Z`;
}

/** A disc or a square at the end of a hand. */
function disc({ x, y, radius, angle }) {
  const size = TIP.disc;
  const left = x + radius * Math.cos(angle) - size;
  const middle = y - radius * Math.sin(angle);
  const half = `a${size},${size} 0 1 0`;
  return `M${left},${middle}${half} ${2 * size},0${half} ${-2 * size},0`;
}

function square({ x, y, radius, angle }) {
  const size = TIP.square;
  const left = x + radius * Math.cos(angle) - size;
  const top = y - radius * Math.sin(angle) - size;
  return `M${left},${top}h${2 * size}v${2 * size}h${-2 * size}Z`;
}

/** A clock's two hands, the angle between them, and where the hands were. */
function hands(clock, at, state) {
  const { p: position, k: distance, d_model: dModel, before } = state;
  const angle = angleOf(position, clock, dModel);
  const spread = angleOf(distance, clock, dModel);
  const reach = { x: at.x, y: at.y, radius: at.radius * REACH, glide: TURNING };
  const near = { ...reach, angle };
  const far = { ...reach, angle: angle + spread };
  const marks = [{ id: `between ${clock}`, class: "position", ...near, spread, o: 0.3, d: wedge }];
  if (before?.d_model === dModel) {
    const was = angleOf(before.p, clock, dModel);
    const wasFar = angleOf(before.p + before.k, clock, dModel);
    if (was !== angle) {
      const rim = { x: at.x, y: at.y, radius: at.radius + TRAIL, start: was, end: angle };
      const trail = { ...rim, from: { end: was, o: 1 }, glide: TURNING, d: goneRound };
      marks.push({ id: `trail ${clock}`, class: "trail", ...trail });
      marks.push({ id: `was ${clock}`, class: "ghost", ...reach, angle: was, glide: 1, d: needle });
    }
    if (wasFar !== far.angle) {
      const ghost = { class: "ghost", ...reach, angle: wasFar, glide: 1, d: needle };
      marks.push({ id: `was far ${clock}`, ...ghost });
    }
  }
  return [
    ...marks,
    { id: `far ${clock}`, class: "key-line", ...far, d: needle },
    { id: `near ${clock}`, class: "query-line", ...near, d: needle },
    { id: `far tip ${clock}`, class: "key", ...far, d: square },
    { id: `near tip ${clock}`, class: "query", ...near, d: disc },
  ];
}

const goneRound = (numbers) => arcPath(numbers, numbers.start, numbers.end);

/** One clock: its face, its hands, how fast it is. */
function face(clock, at, state, act) {
  const { x, y, radius, wide } = at;
  const isHere = clock === hereOf(state);
  const choose = () => {
    if (!isHere) act.change({ here: clock });
  };
  const kind = isHere ? "face here" : "face";
  const marks = [{ id: `face ${clock}`, class: kind, x, y, r: radius }, ...hands(clock, at, state)];
  const long = turnOf(clock, state.d_model);
  const text = wide > ROOMY ? fillIn("turns in {long}", { long }) : long;
  const label = { x, y: y + radius + LABEL_ROOM - 2, text };
  marks.push({ id: `turn ${clock}`, class: isHere ? "bold" : "faint", ...label });
  const hold = { id: `hold ${clock}`, class: "pick hold", x, y, r: radius, hover: choose };
  marks.push({ ...hold, ...(clock === 0 ? turning(at, state, act) : sliding(state, act)) });
  return marks;
}

/** The clock that is chosen, or null. */
function hereOf(state) {
  return state.here === null ? null : Math.min(state.here, state.d_model / 2 - 1);
}

/** The changes that put p or k to a number; the first time p is moved, the answer is veiled. */
function putting(state, name, number, more = {}) {
  const value = clamp(Math.round(number), 0, MOST[name]);
  const isFirst = name === "p" && state.done === 0 && value !== state.p;
  const asked = isFirst ? { done: 1, veiled: true } : {};
  return { [name]: value, ...asked, ...more };
}

/** Drag sideways: p follows the pointer. */
function sliding(state, act) {
  return {
    pick: ([x]) => act.change({ grip: { x, from: state.p } }),
    drag: ([x]) => {
      const { grip } = state;
      act.change(putting(state, "p", grip.from + (x - grip.x) / DRAG, { here: null }));
    },
  };
}

/** Drag the nearer hand of the first clock round: it goes on and on, with no jump at a turn. */
function turning({ x: middle, y: height }, state, act) {
  const { p: position, k: distance } = state;
  const angleAt = ([x, y]) => Math.atan2(height - y, x - middle);
  const pick = (point) => {
    const off = (place) => Math.abs(turnTo(place, angleAt(point)) - place);
    const isFar = off(position + distance) <= off(position);
    const grip = isFar
      ? { name: "k", from: position + distance, zero: position }
      : { name: "p", from: position, zero: 0 };
    act.change({ grip });
  };
  const drag = (point) => {
    const { name, from, zero } = state.grip;
    const turned = clamp(turnTo(from, angleAt(point)), zero, zero + MOST[name]);
    const grip = { name, from: turned, zero };
    act.change(putting(state, name, turned - zero, { grip, here: null }));
  };
  return { pick, drag };
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
