// Pairs of random directions: some of them as arrows, the cosines of all as a histogram.
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, isUnasked, large } from "../frame/lettering.mjs";
import { barAt, binSentence, histogram } from "../frame/histogram.mjs";
import { drawn } from "../frame/looks.mjs";
import { dot, number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const CENTRE = 190; // of the circle, from the left
const LARGEST_RADIUS = 184;
const ABOVE = 36; // the circle: the room of "90 degrees"
const BELOW = 50; // and of the spread of the angles
const BARB = 15; // of an arrow's head
const HALF_HEAD = 9;
const LEFT = 424; // of the histogram
const RIGHT = 856;
const FLOOR = 80; // from the histogram to the floor of the room
const ANGLE = 44; // from the circle to the baseline of the angles
const AXIS_NAME = 24; // the size of its letters
const ASKED = 512; // dimensions

/** A spread with as many digits as it takes to see it. */
export const few = (spread) => digits(spread, spread < 0.0995 ? 3 : 2);

/** An arrow from the middle of the circle at an angle in degrees, with an open head. */
function spoke({ centre, middle, radius, degrees }) {
  const turn = (degrees * Math.PI) / 180;
  const [right, rise] = [Math.cos(turn), Math.sin(turn)];
  const place = (far, aside) => {
    const x = centre + far * right - aside * rise;
    return `${x},${middle - far * rise - aside * right}`;
  };
  const back = radius - BARB;
  const head = `M${place(back, HALF_HEAD)}L${place(radius, 0)}L${place(back, -HALF_HEAD)}`;
  return `M${centre},${middle}L${place(radius, 0)}${head}`;
}

/** One direction of each pair to the right, the other at its angle, by turns above and below. */
function circle({ angles, degrees: about }, { height }) {
  const radius = Math.min(LARGEST_RADIUS, (height - ABOVE - BELOW) / 2);
  const middle = ABOVE + (height - ABOVE - BELOW) / 2;
  const at = { centre: CENTRE, middle, radius };
  const top = middle - radius;
  const marks = [dot("circle", "rim", [CENTRE, middle], radius)];
  for (const [i, angle] of angles.entries()) {
    const degrees = i % 2 ? -angle : angle;
    marks.push({ id: `spoke ${i}`, class: "spoke", ...at, degrees, thick: 2.5, d: spoke });
  }
  const format = (value) => `90\u00b0 \u00b1 ${digits(value, 0)}\u00b0`;
  const right = { id: "one", class: "spoke one", ...at, degrees: 0, thick: 7, d: spoke };
  return [
    ...marks,
    right,
    text("right angle", "faint", [CENTRE, top - 10], "90\u00b0"),
    number("angle", large.class, [CENTRE, middle + radius + ANGLE], about, format, {
      size: large.size,
    }),
  ];
}

const boxOf = ({ height }) => ({
  left: LEFT,
  right: RIGHT,
  floor: height - FLOOR,
  high: height - FLOOR - 12,
});

/** The room of the histogram, in which a bar is pointed at. */
function pointer(state, box, act) {
  const point = ([x]) =>
    act.change({ here: barAt(x, box.left, box.right, state.counts.length) }, { keep: true });
  const place = { x: box.left, w: box.right - box.left, y: box.floor - box.high, h: box.high };
  return rect("pointer", "pick", place, { hover: point, pick: point });
}

/** What lies around the histogram: pointing at it lets go. */
function ground({ here }, { width, height }, act) {
  const letGo = () => {
    if (here !== null) act.change({ here: null }, { keep: true });
  };
  return rect("ground", "ground", { x: 0, y: 0, w: width, h: height }, { hover: letGo });
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const box = boxOf(room);
  const { spread, before } = state;
  const shown = {
    number: spread,
    format: few,
    label: `spread at d = ${isUnasked(state) ? ASKED : state.d}`,
    before: before?.spread,
    veiled: isUnasked(state),
  };
  return [
    ground(state, room, act),
    ...circle(state, room),
    ...histogram(state, box, { name: state.axis, size: AXIS_NAME }, state.here),
    pointer(state, box, act),
    ...answer(shown, act),
  ];
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.here !== null) return binSentence(state, state.here);
  const { d: size, spread } = state;
  const values = { size, spread: digits(spread, 3), root: digits(size ** -0.5, 3) };
  return fillIn("At d = {size} the cosine spreads by {spread}; 1/\u221ad is {root}.", values);
}

/** What a key means: another bar, or none. */
export function keysOf(state, key) {
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? -1], 1, state.counts.length);
  return next && { here: next[1] };
}

export default demo({
  name: "directions",
  looks: {
    rim: drawn("axis", 2),
    spoke: drawn("score", 1, { "stroke-linecap": "round", "stroke-linejoin": "round" }),
    "spoke.one": { stroke: "var(--ink)" },
    ground: { fill: "transparent" },
  },
  traits: ["counts", "range", "spread", "axis", "angles", "degrees", "d", "moved"],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
