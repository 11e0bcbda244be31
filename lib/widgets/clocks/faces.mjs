// The clocks: their arithmetic, their faces and hands, and what a drag of them does.
import { clamp, digits } from "../frame/frame.mjs";
import { dot, number } from "../frame/shapes.mjs";

const BASE = 10000; // of the wavelengths, as in the paper
const TURN = 2 * Math.PI;

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

/** What each clock adds to the product: the cosine of its angle. */
export const partsOf = ({ k: distance, d_model: dModel }) =>
  Array.from({ length: dModel / 2 }, (_, i) => hand(distance, i, dModel)[1]);

export const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/**
 * The position nearest to `from` at which the first clock, one radian for each place, points in
 * this direction.
 */
export function turnTo(from, angle) {
  const turns = (angle - from) / TURN;
  return from + TURN * (turns - Math.round(turns));
}

export const MOST = { p: 100, k: 60 };
export const TURNING = 900; // milliseconds that the hands take: the eye must be able to follow
const ROOM = { top: 104, wide: 944, below: 136 }; // of the clocks; beside them is the answer
const LARGEST = 113; // a radius
const AIR = 5; // half of what lies between two clocks
const REACH = 0.86; // of the hands
const TONE = 0.9; // of an angle
export const TIP = { disc: 7, square: 10, most: 0.15 }; // one on the other, both are seen
// Of an angle, under its clock; of so many clocks, and with its number of so many.
const COSINE = { below: 25, most: 8, told: 4 };
const DRAG = 11; // the pointer goes so far for one place

/** How many places a clock needs for one turn, in few digits. */
export function turnOf(clock, dModel) {
  const places = TURN * BASE ** ((2 * clock) / dModel);
  return places < 100 ? digits(places, 1) : Math.round(places).toLocaleString("en");
}

/** Where the clocks stand in a room of this height: in a row. */
export function clocksOf(dModel, height) {
  const count = dModel / 2;
  const column = ROOM.wide / count;
  const end = height - ROOM.below;
  const radius = Math.min(LARGEST, column / 2 - AIR, (end - ROOM.top) / 2);
  const y = (ROOM.top + end) / 2;
  return Array.from({ length: count }, (_, i) => ({ x: column * (i + 0.5), y, radius }));
}

const along = ({ x, y }, radius, angle) =>
  `${x + radius * Math.cos(angle)},${y - radius * Math.sin(angle)}`;

const needle = (numbers) =>
  `M${numbers.x},${numbers.y}L${along(numbers, numbers.radius, numbers.angle)}`;

const inDegrees = (spread) => `cos ${Math.round((spread % TURN) * (360 / TURN))}°`;
const cosineOf = (spread) => `${inDegrees(spread)} = ${digits(Math.cos(spread))}`;

/** What lies between the two hands, at most one turn. */
function wedge(numbers) {
  const { x, y, radius, angle, spread } = numbers;
  const shown = spread % TURN;
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

/** The angle between the two hands that a clock has in a state. */
function angleIn({ p: position, k: distance, d_model: dModel }, id, kind, clock, reach) {
  const [angle, spread] = [position, distance].map((place) => angleOf(place, clock, dModel));
  return { id: `${id} ${clock}`, class: kind, ...reach, angle, spread, d: wedge };
}

/** A clock's two hands, the angle between them, its cosine; dashed, that of before stays. */
function hands(clock, at, state, compared) {
  const { x, y, radius } = at;
  const reach = { x, y, radius: radius * REACH, glide: TURNING };
  const between = angleIn(state, "between", "position", clock, reach);
  const near = { ...reach, angle: between.angle };
  const far = { ...reach, angle: between.angle + between.spread };
  const isSame = compared?.p === state.p && compared?.k === state.k;
  const was = compared && !isSame ? angleIn(compared, "angle before", "ghost", clock, reach) : null;
  const foot = [x, y + radius + COSINE.below];
  const said = state.d_model / 2 > COSINE.told ? inDegrees : cosineOf;
  const cosine = number(`cosine ${clock}`, "", foot, between.spread, said, { glide: TURNING });
  return [
    ...(state.veiled ? [] : [{ ...between, o: TONE, from: { spread: 0 } }]),
    ...(was ? [was] : []),
    { id: `far ${clock}`, class: "key-line", ...far, d: needle },
    { id: `near ${clock}`, class: "query-line", ...near, d: needle },
    { id: `far tip ${clock}`, class: "key", ...far, d: square },
    { id: `near tip ${clock}`, class: "query", ...near, d: disc },
    ...(state.veiled || state.d_model / 2 > COSINE.most ? [] : [cosine]),
  ];
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
  const isHere = clock === hereOf(state);
  return [
    dot(`face ${clock}`, isHere ? "face here" : "face", [x, y], radius),
    ...hands(clock, at, state, compared),
    dot(`hold ${clock}`, "pick hold", [x, y], radius, { hover, ...held }),
  ];
}

/** The clock that is chosen, or null. */
export function hereOf(state) {
  return state.here === null ? null : Math.min(state.here, state.d_model / 2 - 1);
}

/**
 * The changes that put p or k to a number and ask about it; at p's first move that is veiled. While
 * it is, nothing else moves.
 */
export function putting(state, name, number, more = {}) {
  if (state.veiled && name !== state.asks) return {};
  const value = clamp(Math.round(number), 0, MOST[name]);
  const isFirst = name === "p" && state.done === 0 && value !== state.p;
  const asked = isFirst ? { done: 1, veiled: true } : {};
  return { [name]: value, asks: name, ...asked, ...more };
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
