// The clocks: their arithmetic, their faces and hands, and what a drag of them does.
import { clamp, digits, fillIn } from "../frame/frame.mjs";
import { dot, text } from "../frame/shapes.mjs";

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

/** PE(p)·PE(p + k) */
export function product(position, distance, dModel) {
  let sum = 0;
  for (let clock = 0; clock < dModel / 2; clock++) {
    const speed = speedOf(clock, dModel);
    const [near, far] = [position * speed, (position + distance) * speed];
    sum += Math.sin(near) * Math.sin(far) + Math.cos(near) * Math.cos(far);
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

export const MOST = { p: 100, k: 60 };
export const WIDE = 820; // the room of the words and of the clocks
export const TURNING = 900; // milliseconds that the hands take: the eye must be able to follow
const TOP = 98; // of the clocks
const FAST = 4; // clocks are seen to turn, and are large
const SLOW_ROOM = 108; // the height of the row of the others
const LABEL_ROOM = { fast: 40, slow: 30 }; // under a clock, for its speed
const BETWEEN = { fast: 14, slow: 3 }; // half of what lies between two clocks
const LARGEST = { fast: 130, slow: 36 }; // radius
const ROOMY = 150; // a clock with so much room has its speed in words
const NUMBER_ROOM = 90; // and with so much in digits; else only the first and the last of a row
const REACH = 0.86; // of the hands
const TIP = { disc: 6, square: 9 }; // one on the other, both are seen
const TRAIL = 4; // from the clock to the arc its hand went
const PITCH = 6; // from one turn of that arc to the next
const WIDEST = 10; // further outwards it does not go: the clock's speed is written there
const STEP = 0.1; // radians from one corner of an arc to the next
const DRAG = 11; // the pointer goes so far for one place

/** How many places a clock needs for one turn, in few digits. */
export function turnOf(clock, dModel) {
  const places = 2 * Math.PI * BASE ** ((2 * clock) / dModel);
  return places < 100 ? digits(places, 1) : Math.round(places).toLocaleString("en");
}

/** So many clocks in a row, as large as it allows. */
function rowOf(count, top, high, kind) {
  const wide = WIDE / count;
  const [between, below] = [BETWEEN[kind], LABEL_ROOM[kind]];
  const radius = Math.min(wide / 2, (high - below) / 2, LARGEST[kind] + between) - between;
  const y = top + (high - below) / 2;
  return Array.from({ length: count }, (_, i) => {
    const isLabelled = wide > NUMBER_ROOM || i === 0 || i === count - 1;
    return { x: wide * (i + 0.5), y, radius, wide, below, isLabelled };
  });
}

/** Where the clocks stand in a room of this height: the fast ones large, below them the others. */
export function clocksOf(dModel, height) {
  const count = dModel / 2;
  const fast = Math.min(count, FAST);
  if (fast === count) return rowOf(fast, TOP, height - TOP, "fast");
  const below = height - SLOW_ROOM;
  return [
    ...rowOf(fast, TOP, below - TOP, "fast"),
    ...rowOf(count - fast, below, SLOW_ROOM, "slow"),
  ];
}

const along = ({ x, y }, radius, angle) =>
  `${x + radius * Math.cos(angle)},${y - radius * Math.sin(angle)}`;

/** An arc from one angle to another, radians, which goes outwards by PITCH with each turn. */
function arcPath(at, start, end) {
  const corners = [];
  const steps = Math.ceil(Math.abs(end - start) / STEP) + 1;
  for (let i = 0; i <= steps; i++) {
    const turned = ((end - start) * i) / steps;
    const outwards = (Math.abs(turned) / (2 * Math.PI)) * PITCH;
    const radius = at.radius + Math.min(outwards, WIDEST);
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
  const marks = [{ id: `between ${clock}`, class: "position", ...near, spread, o: 0.45, d: wedge }];
  if (before?.d_model === dModel) {
    const was = angleOf(before.p, clock, dModel);
    const wasSpread = angleOf(before.k, clock, dModel);
    if (was !== angle) {
      const rim = { x: at.x, y: at.y, radius: at.radius + TRAIL, start: was, end: angle };
      const trail = { ...rim, from: { end: was, o: 1 }, glide: TURNING, d: goneRound };
      marks.push({ id: `trail ${clock}`, class: "trail", ...trail });
    }
    if (was !== angle || wasSpread !== spread) {
      const ghost = { ...reach, angle: was, spread: wasSpread, glide: 1, d: wedge };
      marks.push({ id: `was between ${clock}`, class: "was-angle", ...ghost });
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
export function face(clock, at, state, act) {
  const { x, y, radius, wide, below, isLabelled } = at;
  const isHere = clock === hereOf(state);
  const choose = () => {
    if (!isHere) act.change({ here: clock });
  };
  const long = turnOf(clock, state.d_model);
  const speed = wide > ROOMY ? fillIn("turns in {long}", { long }) : long;
  const foot = [x, y + radius + below];
  const held = clock === 0 ? turning(at, state, act) : sliding(state, act);
  return [
    dot(`face ${clock}`, isHere ? "face here" : "face", [x, y], radius),
    ...hands(clock, at, state),
    ...(isLabelled ? [text(`turn ${clock}`, isHere ? "bold" : "faint", foot, speed)] : []),
    dot(`hold ${clock}`, "pick hold", [x, y], radius, { hover: choose, ...held }),
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
