// Pairs of random directions: their angles as dots on a half circle, and how far they spread.
import { digits, fillIn } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { BASELINE, LEFT_END, line, RIGHT_END, text } from "../frame/shapes.mjs";
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
const ASK = 0.45; // of the radius, up to the question on the veil
const CLOSES = 1200; // milliseconds, of the last arc
const ANGLES = "each dot: an arrow\u2019s angle to this one";
const WAS = "d = {size}: {width}";
const ASKED = 512; // dimensions
const WIDTH = "\u00b1 {degrees}\u00b0";
const LABEL = "from 90\u00b0, at d = 512";
const KEYS = { ArrowLeft: "less", ArrowDown: "less", ArrowRight: "more", ArrowUp: "more" };
const SENTENCES = {
  veiled: "Predict first: how far do the angles spread at d = 512? Enter shows it.",
  shown: "At d = {size} the angles are 90°, with a spread of ± {degrees}°.",
  told: "At d = {size} chance gives 90° ± {degrees}°. So a large cosine is no accident.",
};

const widthOf = (degrees) => fillIn(WIDTH, { degrees: digits(degrees, 0) });

/** The point at an angle in degrees, so far from the middle of the half circle. */
function place({ centre, middle }, degrees, far) {
  const turn = (degrees * Math.PI) / HALF_TURN;
  return [centre + far * Math.cos(turn), middle - far * Math.sin(turn)];
}

/** A dot inside the rim: a line of no length, with round ends. */
const bead = ({ radius, degrees, ...at }) => `M${place(at, degrees, radius - INSIDE)}h0`;

/** Along the rim, so many degrees to both sides of the right angle. */
function arc({ wide, radius, ...at }) {
  const [left, right] = [wide, -wide].map((by) => place(at, RIGHT_ANGLE + by, radius));
  return `${left}A${radius},${radius} 0 0 1 ${right}`;
}

const sector = (numbers) => `M${numbers.centre},${numbers.middle}L${arc(numbers)}Z`;
const bow = (numbers) => `M${arc(numbers)}`;

/** An arrow from the middle of the half circle at an angle in degrees, with an open head. */
function spoke({ radius, degrees, ...at }) {
  const aside = (Math.atan2(HALF_HEAD, radius - BARB) * HALF_TURN) / Math.PI;
  const back = Math.hypot(HALF_HEAD, radius - BARB);
  const [left, right] = [degrees + aside, degrees - aside].map((turn) => place(at, turn, back));
  const tip = place(at, degrees, radius);
  return `M${at.centre},${at.middle}L${tip}M${left}L${tip}L${right}`;
}

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
    { id: "fan before", class: "ghost", glide: 1, d: sector, ...at, wide },
    text("was name", "ghosted", beside, name, RIGHT_END),
  ];
}

/** Milliseconds until the number may be told: the last arc closes first. */
const closing = ({ veiled, d: size, before }) =>
  !veiled && size === ASKED && before !== null ? CLOSES : 0;

/** The last arc closes slowly, out of the one before, while its number is waited for. */
const motion = (state, from) => (closing(state) ? { from: { ...from, o: 1 }, glide: CLOSES } : {});

/** One direction of each pair to the right, the other a dot at its angle, 0 to 180 degrees. */
function dots(state, at) {
  return state.angles.map((degrees, i) => ({
    ...{ id: `dot ${i}`, class: "spoke", ...at, degrees, thick: DOT, d: bead },
    ...motion(state, { degrees: state.before?.angles[i] }),
  }));
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

/** The right angle. */
const upright = ({ centre, middle, radius }) =>
  line("upright", "line", [centre, middle], [centre, middle - radius]);

/** The direction to the right, which all angles start from. */
const one = (at) => ({ id: "one", class: "spoke one", ...at, degrees: 0, thick: 7, d: spoke });

/** What hides the angles. */
function cover(at, act) {
  const { centre, middle, radius } = at;
  const ask = [centre, middle - ASK * radius + BASELINE];
  return [
    { id: "veil", class: "veil", d: sector, ...at, wide: RIGHT_ANGLE, pick: () => act.next() },
    text("ask", "bold halo", ask, "how far do they spread?", { size: 28 }),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = halfCircle(room);
  const veiled = state.veiled || state.d !== ASKED;
  const shown = { number: state.degrees, format: widthOf, label: LABEL, veiled };
  const told = answer({ ...shown, after: closing(state) }, act);
  const seen = state.veiled ? cover(at, act) : [...fan(state, at), upright(at), ...dots(state, at)];
  return [...ground(at), ...seen, ...fanBefore(state, at), one(at), ...told];
}

/** The sentence that says what to see. */
export function caption({ veiled, d: size, degrees }) {
  if (veiled) return SENTENCES.veiled;
  const sentence = size === ASKED ? SENTENCES.told : SENTENCES.shown;
  return fillIn(sentence, { size, degrees: digits(degrees, 0) });
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
    spoke: drawn("score", 1, { "stroke-linecap": "round", "stroke-linejoin": "round" }),
    "spoke.one": { stroke: "var(--ink)" },
  },
  traits: ["angles", "degrees", "d"],
  layout,
  caption,
  keys: keysOf,
  wait: closing,
});
