// The clocks: their arithmetic, their faces and hands, and what a drag of them does.
import { clamp, digits } from "../frame/frame.mjs";
import { dot } from "../frame/shapes.mjs";

const BASE = 10000; // of the wavelengths, as in the paper

/** How far a clock's hand turns from a position to the next, in radians. */
const speedOf = (clock, dModel) => BASE ** ((-2 * clock) / dModel);

/** How far it has turned at a position. */
const angleOf = (position, clock, dModel) => position * speedOf(clock, dModel);

/**
 * Where a clock's hand points: [its height, the even dimension; its reach to the right, the odd
 * dimension].
 */
export function hand(position, clock, dModel) {
  const angle = angleOf(position, clock, dModel);
  return [Math.sin(angle), Math.cos(angle)];
}

/** What each clock adds to the product: the cosine of its angle; all slow ones together. */
export function partsOf(distance, dModel) {
  const cosines = Array.from({ length: dModel / 2 }, (_, i) => hand(distance, i, dModel)[1]);
  const slow = cosines.splice(FAST);
  return slow.length > 0 ? [...cosines, total(slow)] : cosines;
}

export const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/**
 * The position nearest to `from` at which the first clock, one radian for each place, points in
 * this direction.
 */
export function turnTo(from, angle) {
  const turns = (angle - from) / (2 * Math.PI);
  return from + 2 * Math.PI * (turns - Math.round(turns));
}

export const MOST = { p: 100, k: 60 };
export const TURNING = 900; // milliseconds that the hands take: the eye must be able to follow
const TOP = 104; // of the room of the clocks
const FAST = 2; // so many are large; the slower ones stand behind them, small
const COLUMN = 400; // a large clock and its part
const SLOW = 216; // the room of the small ones
const LARGEST = 136; // a radius: its part finds room beside it
const WIDER = 1.5; // than high, the room of the small ones
const BETWEEN = 5; // half of what lies between two small clocks
const BESIDE = 16; // from a clock to its part
const SHARE = 0.7; // of the height below TOP: what is left is that of the sum
const REACH = 0.86; // of the hands
const TONES = [0.9, 0.6, 0.35]; // how dark a part and its angle are: fast clocks, slow ones
export const TIP = { disc: 7, square: 10, most: 0.15 }; // one on the other, both are seen
const DRAG = 11; // the pointer goes so far for one place

/** How many places a clock needs for one turn, in few digits. */
export function turnOf(clock, dModel) {
  const places = 2 * Math.PI * BASE ** ((2 * clock) / dModel);
  return places < 100 ? digits(places, 1) : Math.round(places).toLocaleString("en");
}

/** The fast clocks, large in a row. */
function fastOf(count, [top, end]) {
  const radius = Math.min(LARGEST, (end - top) / 2);
  const y = (top + end) / 2;
  return Array.from({ length: count }, (_, i) => ({ x: COLUMN * i + radius, y, radius }));
}

/** The slow clocks, small in rows behind them. */
function slowOf(count, [top, end]) {
  const columns = Math.ceil(Math.sqrt(WIDER * count));
  const cell = SLOW / columns;
  const first = (top + end - Math.ceil(count / columns) * cell) / 2;
  return Array.from({ length: count }, (_, i) => ({
    x: FAST * COLUMN + cell * ((i % columns) + 0.5),
    y: first + cell * (Math.floor(i / columns) + 0.5),
    radius: cell / 2 - BETWEEN,
  }));
}

/** Where a part of the sum is told: beside its clock, or beside all small ones. */
export function besideOf(part, [{ y, radius }]) {
  return [COLUMN * part + (part < FAST ? 2 * radius : SLOW) + BESIDE, y];
}

/** How dark the part of a clock is, and the angle from which it comes. */
export const toneOf = (clock) => TONES[Math.min(clock, FAST)];

/** Where the clocks end in a room of this height, and the sum begins. */
export const endOf = (height) => TOP + SHARE * (height - TOP);

/** Where the clocks stand in a room of this height. */
export function clocksOf(dModel, height) {
  const room = [TOP, endOf(height)];
  return [...fastOf(FAST, room), ...slowOf(dModel / 2 - FAST, room)];
}

const along = ({ x, y }, radius, angle) =>
  `${x + radius * Math.cos(angle)},${y - radius * Math.sin(angle)}`;

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
  const size = Math.min(TIP.disc, radius * TIP.most);
  const left = x + radius * Math.cos(angle) - size;
  const middle = y - radius * Math.sin(angle);
  const half = `a${size},${size} 0 1 0`;
  return `M${left},${middle}${half} ${2 * size},0${half} ${-2 * size},0`;
}

function square({ x, y, radius, angle }) {
  const size = Math.min(TIP.square, radius * TIP.most);
  const left = x + radius * Math.cos(angle) - size;
  const top = y - radius * Math.sin(angle) - size;
  return `M${left},${top}h${2 * size}v${2 * size}h${-2 * size}Z`;
}

/** A clock's two hands, and the angle between them. */
function hands(clock, at, state) {
  const { p: position, k: distance, d_model: dModel } = state;
  const angle = angleOf(position, clock, dModel);
  const spread = angleOf(distance, clock, dModel);
  const reach = { x: at.x, y: at.y, radius: at.radius * REACH, glide: TURNING };
  const near = { ...reach, angle };
  const far = { ...reach, angle: angle + spread };
  const between = { id: `between ${clock}`, class: "position", ...near, spread, d: wedge };
  return [
    ...(state.veiled ? [] : [{ ...between, o: toneOf(clock), from: { spread: 0 } }]),
    { id: `far ${clock}`, class: "key-line", ...far, d: needle },
    { id: `near ${clock}`, class: "query-line", ...near, d: needle },
    { id: `far tip ${clock}`, class: "key", ...far, d: square },
    { id: `near tip ${clock}`, class: "query", ...near, d: disc },
  ];
}

/** Dashed, the angle of before stays beside that of now. */
function angleBefore(clock, { x, y, radius }, state, compared) {
  const isSame = compared?.p === state.p && compared?.k === state.k;
  if (!compared || isSame || clock >= FAST) return [];
  const [angle, spread] = [compared.p, compared.k].map((place) =>
    angleOf(place, clock, state.d_model),
  );
  const reach = { x, y, radius: radius * REACH, glide: TURNING };
  return [{ id: `angle before ${clock}`, class: "ghost", ...reach, angle, spread, d: wedge }];
}

/** What pointing at a clock does: it is chosen. */
export const choosing = (clock, state, act) => () => {
  if (clock !== hereOf(state)) act.change({ here: clock });
};

/** One clock: its face and its hands, and those of the state it is compared with. */
export function face(clock, at, state, compared, act) {
  const { x, y, radius } = at;
  const hover = choosing(clock, state, act);
  const held = clock === 0 ? turning(at, state, act) : sliding(state, act);
  return [
    dot(`face ${clock}`, clock === hereOf(state) ? "face here" : "face", [x, y], radius),
    ...hands(clock, at, state),
    ...angleBefore(clock, at, state, compared),
    dot(`hold ${clock}`, "pick hold", [x, y], radius, { hover, ...held }),
  ];
}

/** The clock that is chosen, or null. */
export function hereOf(state) {
  return state.here === null ? null : Math.min(state.here, state.d_model / 2 - 1);
}

/** The changes that put p or k to a number; the first time p is moved, the answer is veiled. */
export function putting(state, name, number, more = {}) {
  const value = clamp(Math.round(number), 0, MOST[name]);
  const isFirst = name === "p" && state.done === 0 && value !== state.p;
  const asked = isFirst ? { done: 1, veiled: true } : {};
  return { [name]: value, ...asked, ...more };
}

/** Drag sideways: p follows the pointer. */
export function sliding(state, act) {
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
