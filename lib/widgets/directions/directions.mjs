// Pairs of random directions: their angles as rays of a half circle, and how far they spread. Where
// that is little, a lens has the degrees about the right angle, with a heap of each ray's dot.
import { scale } from "../frame/axes.mjs";
import { clamp, digits, fillIn } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { GLIDE } from "../frame/scene.mjs";
import { dot, LEFT_END, line, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const HALF_TURN = 180; // degrees
const RIGHT_ANGLE = 90;
const BELOW = 36; // the half circle: the room of what stands under it
const ABOVE = 40; // and of "90 degrees"
const LARGEST_RADIUS = 380; // beside it is the answer
const CENTRE = 480; // left of the widest arc is its name
const INSIDE = 12; // from the rim to the dots
const DOT = 14; // their width
const OFF = 6; // from the rim to the mark along it
const OUT = 16; // and to the letters
const ASIDE = 9; // degrees, at least: from "90 degrees" to what stands beside it
const LINE = 30; // from the half circle to the feet of the letters below it
const BARB = 18; // of an arrow's head
const HALF_HEAD = 10;
const MAGNIFIED = 8; // degrees: a smaller spread has a lens
// Of the lens: the degrees along its axis; half its width; from the base up to its axis, from there
// up to its top and down to the feet of its numbers; edge: from these to its own edges.
const LENS = { most: 100, least: 80, half: 305, axis: 48, high: 152, below: 28, edge: 8 };
const TICKS = { 100: LEFT_END, 95: {}, 90: {}, 85: {}, 80: RIGHT_END };
const HEAP = { step: 0.5, pitch: 12.5, r: 6, foot: 12 }; // step: degrees from one heap to the next
const CLOSES = 1200; // milliseconds, of the last arc
const ANGLES = "each dot: the angle between two random arrows";
const WAS = "d = {size}: {width}";
const ASKED = 512; // dimensions
const DEGREES = "{value}\u00b0";
const WIDTH = "\u00b1 {degrees}\u00b0";
const LABEL = "typically, at d = 512";
const ROUND = { "stroke-linecap": "round" };
const KEYS = { ArrowLeft: "less", ArrowDown: "less", ArrowRight: "more", ArrowUp: "more" };
const SENTENCES = {
  veiled: "Predict first: how far do the angles spread at d = 512? Enter shows it.",
  shown: "At d = {size} the angles average 90°, with a spread of {degrees}°.",
  told: "At d = {size}: typically 90° ± {degrees}°. Nearly all are close to 90°.",
};

/** A spread in degrees; a small one to a tenth, as the lens shows it. */
const told = (degrees) => digits(degrees, degrees < MAGNIFIED ? 1 : 0);
const widthOf = (degrees) => fillIn(WIDTH, { degrees: told(degrees) });

/** The point at an angle in degrees, so far from the middle of the half circle. */
function place({ centre, middle }, degrees, far) {
  const turn = (degrees * Math.PI) / HALF_TURN;
  return [centre + far * Math.cos(turn), middle - far * Math.sin(turn)];
}

/** A dot inside the rim: a line of no length, with round ends. */
const bead = ({ radius, degrees, ...at }) => `M${place(at, degrees, radius - INSIDE)}h0`;

/** From the middle of the half circle to its rim. */
const ray = ({ radius, degrees, ...at }) =>
  `M${at.centre},${at.middle}L${place(at, degrees, radius - INSIDE)}`;

/** Along the rim, so many degrees to both sides of the right angle. */
function arc({ wide, radius, ...at }) {
  const [left, right] = [wide, -wide].map((by) => place(at, RIGHT_ANGLE + by, radius));
  return `${left}A${radius},${radius} 0 0 1 ${right}`;
}

const sector = (numbers) => `M${numbers.centre},${numbers.middle}L${arc(numbers)}Z`;
const bow = (numbers) => `M${arc(numbers)}`;

/** An arrow to the right, with an open head. */
const arrow = ({ x, y, toX }) =>
  `M${x},${y}H${toX}m${-BARB},${-HALF_HEAD}L${toX},${y}l${-BARB},${HALF_HEAD}`;

/** What kind of dot stands at an angle: as dark as the arc if that spans it. */
const kindOf = (kind, degrees, wide) =>
  Math.abs(degrees - RIGHT_ANGLE) <= wide ? `${kind} inside` : kind;

/** The half circle in a room. */
function halfCircle({ height }) {
  const middle = height - BELOW;
  const radius = Math.min(LARGEST_RADIUS, middle - ABOVE);
  return { centre: CENTRE, middle, radius };
}

/** The spread before, in other dimensions; a veil leaves it in sight. */
function fanBefore({ before, d: now }, at) {
  if (!before || before.veiled || before.d === now) return [];
  const wide = before.degrees;
  const beside = place(at, RIGHT_ANGLE + Math.max(wide, ASIDE), at.radius + OUT);
  const name = fillIn(WAS, { size: before.d, width: widthOf(wide) });
  return [
    { id: "fan before", class: "ghost", glide: 1, d: bow, ...at, radius: at.radius + OFF, wide },
    text("was name", "ghosted", beside, name, RIGHT_END),
  ];
}

/** Milliseconds in which the last arc closes. */
const closing = ({ veiled, d: size, before }) =>
  !veiled && size === ASKED && before !== null ? CLOSES : 0;

/** And until its number may be told: the lens opens first. */
const telling = (state) => closing(state) && closing(state) + 2 * GLIDE;

/** The last arc closes slowly, out of the one before, while its number is waited for. */
const motion = (state, from) => (closing(state) ? { from: { ...from, o: 1 }, glide: CLOSES } : {});

/** One direction of each pair to the right, the other a ray at its angle, 0 to 180 degrees. */
function rays(state, at) {
  const marks = (name, more) =>
    state.angles.map((degrees, i) => ({
      ...{ id: `${name} ${i}`, class: kindOf(name, degrees, state.degrees), ...at, degrees },
      ...{ ...more, ...motion(state, { degrees: state.before?.angles[i] }) },
    }));
  return [...marks("ray", { d: ray }), ...marks("dot", { thick: DOT, d: bead })];
}

/** The dots of the rays, each on those that are as near the right angle as it is. */
function heaps({ angles, degrees: wide }, { x, foot, delay }) {
  const heights = {};
  return angles.flatMap((degrees, i) => {
    const near = Math.round(degrees / HEAP.step) * HEAP.step;
    if (near > LENS.most || near < LENS.least) return [];
    heights[near] = (heights[near] ?? -1) + 1;
    const middle = [x(near), foot - HEAP.foot - heights[near] * HEAP.pitch];
    return dot(`heaped ${i}`, kindOf("heaped", near, wide), middle, HEAP.r, { delay });
  });
}

/** The degrees about the right angle, magnified; as along the rim, they grow to the left. */
function lens(state, at) {
  if (state.degrees >= MAGNIFIED) return [];
  const { most, least, half, axis, high, below, edge } = LENS;
  const foot = at.middle - axis;
  const { at: x } = scale({ domain: [most, least], range: [at.centre - half, at.centre + half] });
  const late = { delay: closing(state) };
  const ends = [1, -1].map((side) => [x(RIGHT_ANGLE + side * state.degrees), foot]);
  const sides = [most, least].map((degrees) => {
    const corner = [x(degrees), foot - high];
    return line(`lens side ${degrees}`, "line", place(at, degrees, at.radius), corner, late);
  });
  const box = { x: x(most), y: foot - high, w: 2 * half, h: high + below + edge };
  return [
    ...sides,
    rect("lens", "lens", box, late),
    line("lens axis", "line", [x(most), foot], [x(least), foot], late),
    ...heaps(state, { x, foot, ...late }),
    line("lens fan", "fan", ...ends, late),
    ...Object.entries(TICKS).map(([value, end]) => {
      const inside = clamp(x(value), box.x + edge, box.x + box.w - edge);
      const name = fillIn(DEGREES, { value });
      return text(`tick ${value}`, "", [inside, foot + below], name, { ...end, ...late });
    }),
  ];
}

/** How far the angles spread; of the last ones the answer says it. */
function fan(state, at) {
  const { before, degrees, d: size } = state;
  const mark = { id: "fan", class: "fan", d: bow, ...at, wide: degrees };
  const along = { ...mark, radius: at.radius + OFF, ...motion(state, { wide: before?.degrees }) };
  if (size === ASKED) return [along];
  const beside = place(at, RIGHT_ANGLE - Math.max(degrees, ASIDE), at.radius + OUT);
  return [along, text("width", "bold", beside, widthOf(degrees), { size: 28, ...LEFT_END })];
}

/** What is there in any dimensions: the half circle and its angles. */
function ground(at) {
  const { centre, middle, radius } = at;
  const below = middle + LINE;
  return [
    { id: "rim", class: "rim", d: sector, ...at, wide: RIGHT_ANGLE },
    text("right angle", "faint", [centre, middle - radius - OUT], "90\u00b0"),
    text("same", "faint", [centre + radius, below], "0\u00b0"),
    text("opposite", "faint", [centre - radius, below], "180\u00b0"),
    text("angles", "", [centre, below], ANGLES),
  ];
}

/** The direction to the right, which all angles start from. */
function one({ centre: x, middle: y, radius }) {
  return { id: "one", class: "one", x, y, toX: x + radius, thick: 7, d: arrow };
}

/** What hides the angles. */
function cover(at, act) {
  return { id: "veil", class: "veil", d: sector, ...at, wide: RIGHT_ANGLE, pick: () => act.next() };
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = halfCircle(room);
  const veiled = state.veiled || state.d !== ASKED;
  const shown = { number: state.degrees, format: widthOf, label: LABEL, veiled };
  const asked = answer({ ...shown, after: telling(state) }, act);
  const found = () => [...rays(state, at), ...lens(state, at), ...fan(state, at)];
  const seen = state.veiled ? [cover(at, act)] : found();
  return [...ground(at), ...fanBefore(state, at), ...seen, one(at), ...asked];
}

/** The sentence that says what to see. */
export function caption({ veiled, d: size, degrees }) {
  if (veiled) return SENTENCES.veiled;
  const sentence = size === ASKED ? SENTENCES.told : SENTENCES.shown;
  return fillIn(sentence, { size, degrees: told(degrees) });
}

/** What a key means: Python is asked for more dimensions, or for less. */
export function keysOf(_state, key, _event, act) {
  return key in KEYS ? act.ask({ type: KEYS[key] }) : null;
}

export default demo({
  name: "directions",
  looks: {
    rim: drawn("axis", 2),
    fan: drawn("ink", 6),
    ray: drawn("score", 1.5, { "stroke-opacity": 0.45 }),
    dot: drawn("score", 1, ROUND),
    heaped: filled("score"),
    "dot.inside": { stroke: "var(--ink)" },
    "heaped.inside": filled("ink"),
    lens: filled("paper", { stroke: "var(--axis)", "stroke-width": 2 }),
    one: drawn("ink", 1, { ...ROUND, "stroke-linejoin": "round" }),
  },
  traits: ["angles", "degrees", "d"],
  layout,
  caption,
  keys: keysOf,
  wait: telling,
});
