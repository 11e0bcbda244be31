// Pairs of random directions: some of them as arrows in a half circle, the angles of all as bars
// along its rim.
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, LEFT_END, line, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const HALF_TURN = 180; // degrees
const RISE = 84; // of the highest bar of all, beyond the rim
const LIFT = 6; // from the rim to the bars
const BELOW = 36; // the half circle: the room of what stands under it
const ABOVE = 34; // the bars: the room of "90 degrees"
const LARGEST_RADIUS = 470;
const CENTRE = 472; // at least: of the room left of the answer
const OVER = 8; // from the highest bar to the feet of "90 degrees"
const LINE = 30; // from the half circle to the feet of the letters below it
const CORNER = 26; // the foot of the letters in the upper left corner
const BARB = 18; // of an arrow's head
const HALF_HEAD = 10;
const ASK = 0.45; // of the radius, up to the question on the veil
const ANGLES = "each angle to the thick arrow";
const WAS = "dashed: d = {size}";
const ASKED = 512; // dimensions
const WORDS = "\u2248 90\u00b0";
const LABELS = { asked: "at d = 512", told: "\u00b1 {degrees}\u00b0 at d = 512" };
const SENTENCES = {
  veiled: "Predict first: which angle do most pairs have? Enter shows it.",
  shown: "At d = {size} the angles are 90° ± {degrees}° (standard deviation).",
  told: "At d = {size} chance gives 90° ± {degrees}°. So a large cosine is no accident.",
  bar: "{low}° to {high}°: {count} of {all}.",
};

/** The point at an angle in degrees, so far from the middle of the half circle. */
function place({ centre, middle }, degrees, far) {
  const turn = (degrees * Math.PI) / HALF_TURN;
  return `${centre + far * Math.cos(turn)},${middle - far * Math.sin(turn)}`;
}

const rim = ({ centre, middle, radius }) =>
  `M${centre - radius},${middle}A${radius},${radius} 0 0 1 ${centre + radius},${middle}Z`;

/** An arrow from the middle of the half circle at an angle in degrees, with an open head. */
function spoke({ radius, degrees, ...at }) {
  const aside = (Math.atan2(HALF_HEAD, radius - BARB) * HALF_TURN) / Math.PI;
  const back = Math.hypot(HALF_HEAD, radius - BARB);
  const [left, right] = [degrees + aside, degrees - aside].map((turn) => place(at, turn, back));
  const tip = place(at, degrees, radius);
  return `M${at.centre},${at.middle}L${tip}M${left}L${tip}L${right}`;
}

/** A bar on the rim, from one angle to another. */
function bar({ radius, low, high, rise, ...at }) {
  const far = radius + rise;
  const inside = `M${place(at, low, radius)}A${radius},${radius} 0 0 0 ${place(at, high, radius)}`;
  return `${inside}L${place(at, high, far)}A${far},${far} 0 0 1 ${place(at, low, far)}Z`;
}

/** The half circle in a room: beside the answer, where a phone sees most of it. */
function halfCircle({ height }) {
  const middle = height - BELOW;
  const radius = Math.min(LARGEST_RADIUS, middle - LIFT - RISE - ABOVE);
  return { centre: Math.max(CENTRE, radius + LIFT + RISE), middle, radius };
}

const riseOf = ({ most }, count) => (RISE * count) / most;

/** How many pairs have an angle from each of so many equal parts of a half turn. */
function bars(state, at) {
  const { counts, here } = state;
  const part = HALF_TURN / counts.length;
  return counts.map((count, i) => {
    const ends = { low: i * part, high: (i + 1) * part, rise: riseOf(state, count) };
    const kind = i === here ? "bin ink here" : "bin score";
    return { id: `bin ${i}`, class: kind, d: bar, ...at, radius: at.radius + LIFT, ...ends };
  });
}

/** The outline of the bars before, in other dimensions, and what it is. */
function barsBefore({ before, d: now }, at) {
  if (!before || before.veiled || before.d === now) return [];
  const part = HALF_TURN / before.counts.length;
  const radius = at.radius + LIFT;
  const steps = before.counts.map((count, i) => {
    const far = radius + riseOf(before, count);
    const end = place(at, (i + 1) * part, far);
    return `L${place(at, i * part, far)}A${far},${far} 0 0 0 ${end}`;
  });
  const path = `M${place(at, 0, radius)}${steps.join("")}L${place(at, HALF_TURN, radius)}`;
  return [
    { id: "bars before", class: "ghost", glide: 1, d: () => path },
    text("was name", "ghosted", [0, CORNER], fillIn(WAS, { size: before.d }), LEFT_END),
  ];
}

/** One direction of each pair to the right, the other at its angle, from 0 to 180 degrees. */
function arrows({ angles }, at) {
  return angles.map((degrees, i) => ({
    ...{ id: `spoke ${i}`, class: "spoke", ...at },
    ...{ degrees, thick: 2.5, d: spoke },
  }));
}

/** What is there in any dimensions, below the arrows: the half circle and its angles. */
function ground(at) {
  const { centre, middle, radius } = at;
  const below = middle + LINE;
  return [
    { id: "rim", class: "rim", d: rim, ...at },
    text("right angle", "faint", [centre, middle - radius - LIFT - RISE - OVER], "90\u00b0"),
    text("same", "faint", [centre + radius, below], "0\u00b0"),
    text("opposite", "faint", [centre - radius, below], "180\u00b0"),
    text("angles", "", [centre, below], ANGLES),
  ];
}

/** The right angle, up to its number. */
function upright({ centre, middle, radius }) {
  return line("upright", "line", [centre, middle], [centre, middle - radius - LIFT - RISE]);
}

/** The direction to the right, which all angles start from. */
const one = (at) => ({ id: "one", class: "spoke one", ...at, degrees: 0, thick: 7, d: spoke });

/** The half circle with the bars, in which one is pointed at; beside it one lets go. */
function pointers({ counts, here }, { width, height }, at, act) {
  const point = ([x, y]) => {
    const degrees = (Math.atan2(at.middle - y, x - at.centre) * HALF_TURN) / Math.PI;
    const last = counts.length - 1;
    const bin = clamp(Math.floor((degrees * counts.length) / HALF_TURN), 0, last);
    act.change({ here: bin }, { keep: true });
  };
  const letGo = () => {
    if (here !== null) act.change({ here: null }, { keep: true });
  };
  const outer = { ...at, radius: at.radius + LIFT + RISE };
  return [
    rect("beside", "pick", { x: 0, y: 0, w: width, h: height }, { hover: letGo }),
    { id: "pointer", class: "pick", d: rim, ...outer, hover: point, pick: point },
  ];
}

/** What hides the arrows and the bars. */
function cover(at, act) {
  const { centre, middle, radius } = at;
  const ask = [centre, middle - ASK * radius + BASELINE];
  return [
    { id: "veil", class: "veil", d: rim, ...at, pick: () => act.next() },
    text("ask", "bold halo", ask, "where do the arrows point?", { size: 28 }),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = halfCircle(room);
  const veiled = state.veiled || state.d !== ASKED;
  const label = veiled ? LABELS.asked : fillIn(LABELS.told, { degrees: digits(state.degrees, 0) });
  const told = answer({ words: WORDS, label, veiled }, act);
  if (state.veiled) return [...ground(at), ...cover(at, act), one(at), ...told];
  const seen = [upright(at), ...bars(state, at), ...barsBefore(state, at), ...arrows(state, at)];
  return [...ground(at), ...seen, one(at), ...pointers(state, room, at, act), ...told];
}

/** The sentence that says what to see. */
export function caption(state) {
  const { veiled, here, counts, d: size, degrees } = state;
  if (veiled) return SENTENCES.veiled;
  if (here === null) {
    const sentence = size === ASKED ? SENTENCES.told : SENTENCES.shown;
    return fillIn(sentence, { size, degrees: digits(degrees, 0) });
  }
  const part = HALF_TURN / counts.length;
  const [low, high] = [here, here + 1].map((end) => digits(end * part, 0));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return fillIn(SENTENCES.bar, { low, high, count: counts[here], all });
}

/** What a key means: another bar, or none. */
export function keysOf(state, key) {
  if (key === "Escape") return { here: null };
  const last = state.counts.length - 1; // the arrow to the right goes to the right
  const next = step(key, [0, last - (state.here ?? last + 1)], 1, last + 1);
  return next && { here: last - next[1] };
}

export default demo({
  name: "directions",
  looks: {
    rim: drawn("axis", 2),
    spoke: drawn("score", 1, { "stroke-linecap": "round", "stroke-linejoin": "round" }),
    "spoke.one": { stroke: "var(--ink)" },
    bin: filled("score"),
  },
  traits: ["counts", "most", "angles", "degrees", "d"],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
