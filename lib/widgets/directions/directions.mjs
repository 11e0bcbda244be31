// Pairs of random directions: some of them as arrows, the cosines of all as a histogram.
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { barAt, binSentence, histogram, NAME_BELOW } from "../frame/histogram.mjs";
import { drawn } from "../frame/looks.mjs";
import { LEFT_END, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LARGEST_RADIUS = 260; // of the half circle, which begins at the left
const ABOVE = 36; // the half circle: the room of "90 degrees"
const BARB = 15; // of an arrow's head
const HALF_HEAD = 9;
const LEFT = 572; // of the histogram
const RIGHT = 1200;
const TOP = 16; // of a bar as high as the highest of all: beside the answer
const ENDS_BELOW = 36; // from the half circle to "0" and "180 degrees": below the arrow's head
const WAS_GAP = 8; // from the histogram before to its name
const VEIL = { x: 0, y: 12, w: 860 };
const FLOOR = 80; // from the histogram to the floor of the room
const AXIS_NAME = 24; // the size of its letters
const ANGLES = "true: each angle to the thick arrow";
const WAS = "dashed: d = {size}";
const ASKED = 512; // dimensions
const WORDS = "\u2248 90\u00b0";
const LABELS = { asked: "at d = 512", told: "\u00b1 {degrees}\u00b0 at d = 512" };
const SENTENCES = {
  veiled: "Predict first: which angle do most pairs have? Enter shows it.",
  shown: "At d = {size} the angles are 90° ± {degrees}° (standard deviation).",
  told: "At d = {size} chance gives 90° ± {degrees}°. So a large cosine is no accident.",
};

const rim = ({ centre, middle, radius }) =>
  `M${centre - radius},${middle}A${radius},${radius} 0 0 1 ${centre + radius},${middle}Z`;

/** An arrow from the middle of the half circle at an angle in degrees, with an open head. */
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

/** One direction of each pair to the right, the other at its angle, from 0 to 180 degrees. */
function halfCircle({ angles }, { floor }) {
  const radius = Math.min(LARGEST_RADIUS, floor - ABOVE);
  const at = { centre: LARGEST_RADIUS, middle: floor, radius };
  const [right, left] = [at.centre + radius, at.centre - radius];
  const marks = [{ id: "rim", class: "rim", d: rim, ...at }];
  for (const [i, degrees] of angles.entries())
    marks.push({ id: `spoke ${i}`, class: "spoke", ...at, degrees, thick: 2.5, d: spoke });
  return [
    ...marks,
    { id: "one", class: "spoke one", ...at, degrees: 0, thick: 7, d: spoke },
    text("right angle", "faint", [at.centre, floor - radius - 10], "90\u00b0"),
    text("same", "faint", [right, floor + ENDS_BELOW], "0\u00b0", RIGHT_END),
    text("opposite", "faint", [left, floor + ENDS_BELOW], "180\u00b0", LEFT_END),
    text("angles", "", [at.centre, floor + NAME_BELOW], ANGLES, { size: AXIS_NAME }),
  ];
}

/** The name of the histogram before, beside the first of its high bars. */
function nameOfBefore({ before, d: now, most }, { left, right, floor, high }) {
  if (!before || before.d === now) return [];
  const { counts, d: size } = before;
  const first = counts.findIndex((count) => 2 * count >= Math.max(...counts));
  const x = left + (first * (right - left)) / counts.length - WAS_GAP;
  const y = floor - (high * counts[first]) / most - WAS_GAP;
  const words = fillIn(WAS, { size });
  const isBeside = x - widthOf(words) > left;
  const place = isBeside ? [x, y] : [left, y];
  return [text("was name", "ghosted halo", place, words, isBeside ? RIGHT_END : LEFT_END)];
}

const boxOf = ({ height }) => ({
  left: LEFT,
  right: RIGHT,
  floor: height - FLOOR,
  high: height - FLOOR - TOP,
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
  const veiled = state.veiled || state.d !== ASKED;
  const label = veiled ? LABELS.asked : fillIn(LABELS.told, { degrees: digits(state.degrees, 0) });
  const shown = { words: WORDS, label, veiled };
  if (state.veiled) {
    const whole = { ...VEIL, h: room.height - VEIL.y };
    return [...veil(whole, "where do the arrows point?", act), ...answer(shown, act)];
  }
  return [
    ground(state, room, act),
    ...halfCircle(state, box),
    ...histogram(state, box, { name: state.axis, size: AXIS_NAME }, state.here),
    ...nameOfBefore(state, box),
    pointer(state, box, act),
    ...answer(shown, act),
  ];
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  if (state.here !== null) return binSentence(state, state.here);
  const { d: size, degrees } = state;
  const sentence = size === ASKED ? SENTENCES.told : SENTENCES.shown;
  return fillIn(sentence, { size, degrees: digits(degrees, 0) });
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
  traits: ["counts", "most", "range", "axis", "angles", "degrees", "d"],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
