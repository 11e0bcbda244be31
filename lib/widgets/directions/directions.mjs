// Pairs of random directions as arrows in a half circle: the fan of their angles, and how wide it
// is.
import { digits, fillIn } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { BASELINE, LEFT_END, line, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const HALF_TURN = 180; // degrees
const RIGHT_ANGLE = 90;
const BELOW = 36; // the half circle: the room of what stands under it
const ABOVE = 40; // and of "90 degrees"
const LARGEST_RADIUS = 380; // beside it is the answer
const CENTRE = 480; // left of the widest fan is its name
const OFF = 6; // from the rim to the mark along it
const OUT = 16; // and to the letters
const ASIDE = 9; // degrees, at least: from "90 degrees" to what stands beside it
const LINE = 30; // from the half circle to the feet of the letters below it
const BARB = 18; // of an arrow's head
const HALF_HEAD = 10;
const ASK = 0.45; // of the radius, up to the question on the veil
const CLOSES = 1200; // milliseconds, of the last fan
const ANGLES = "each angle to the thick arrow";
const WAS = "d = {size}: {width}";
const ASKED = 512; // dimensions
const SPREAD = "d = {size}";
// The widths that were seen, one below the other: their bars, of so many pixels for a degree.
const SEEN = { left: 920, right: 1216, bar: 1070, unit: 1.3, high: 14, top: 230, row: 60 };
const WIDTH = "\u00b1 {degrees}\u00b0";
const LABEL = "from 90\u00b0, at d = 512";
const KEYS = { ArrowLeft: "less", ArrowDown: "less", ArrowRight: "more", ArrowUp: "more" };
const SENTENCES = {
  veiled: "Predict first: how wide is the fan at d = 512? Enter shows it.",
  shown: "At d = {size} the angles are 90° ± {degrees}° (standard deviation).",
  told: "At d = {size} chance gives 90° ± {degrees}°. So a large cosine is no accident.",
};

const widthOf = (degrees) => fillIn(WIDTH, { degrees: digits(degrees, 0) });

/** The point at an angle in degrees, so far from the middle of the half circle. */
function place({ centre, middle }, degrees, far) {
  const turn = (degrees * Math.PI) / HALF_TURN;
  return [centre + far * Math.cos(turn), middle - far * Math.sin(turn)];
}

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

/** The fan before, in other dimensions; a veil leaves it in sight. */
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

/** Milliseconds until the number may be told: the last fan closes first. */
const closing = ({ veiled, d: size, before }) =>
  !veiled && size === ASKED && before !== null ? CLOSES : 0;

/** The last fan closes slowly, out of the one before, while its number is waited for. */
const motion = (state, from) => (closing(state) ? { from: { ...from, o: 1 }, glide: CLOSES } : {});

/** One direction of each pair to the right, the other at its angle, from 0 to 180 degrees. */
function arrows(state, at) {
  return state.angles.map((degrees, i) => ({
    ...{ id: `spoke ${i}`, class: "spoke", ...at, degrees, thick: 2.5, d: spoke },
    ...motion(state, { degrees: state.before?.angles[i] }),
  }));
}

/** How wide the fan is; of the last one the answer says it. */
function fan(state, at) {
  const { before, degrees, d: size } = state;
  const mark = { id: "fan", class: "fan", d: bow, ...at, wide: degrees };
  const along = { ...mark, radius: at.radius + OFF, ...motion(state, { wide: before?.degrees }) };
  if (size === ASKED) return [along];
  const beside = place(at, RIGHT_ANGLE - Math.max(degrees, ASIDE), at.radius + OUT);
  return [along, text("width", "bold", beside, widthOf(degrees), { size: 28, ...LEFT_END })];
}

/** The widths of the fans that were seen, up to that of now. */
function spreads({ spreads: all, d: now, veiled }) {
  const seen = all.filter(([size]) => size < now || (size === now && !veiled));
  return seen.flatMap(([size, degrees], i) => {
    const [y, half] = [SEEN.top + i * SEEN.row, degrees * SEEN.unit];
    const bar = { x: SEEN.bar - half, y: y - SEEN.high / 2, w: 2 * half, h: SEEN.high };
    const told = { delay: size === ASKED ? CLOSES : 0 };
    return [
      rect(`spread ${size}`, size === now ? "ink" : "score", bar, { rx: 2, ...told }),
      text(`spread of ${size}`, "", [SEEN.left, y + BASELINE], fillIn(SPREAD, { size }), LEFT_END),
      text(`spread is ${size}`, "", [SEEN.right, y + BASELINE], widthOf(degrees), {
        ...RIGHT_END,
        ...told,
      }),
    ];
  });
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

/** What hides the arrows. */
function cover(at, act) {
  const { centre, middle, radius } = at;
  const ask = [centre, middle - ASK * radius + BASELINE];
  return [
    { id: "veil", class: "veil", d: sector, ...at, wide: RIGHT_ANGLE, pick: () => act.next() },
    text("ask", "bold halo", ask, "how wide is the fan?", { size: 28 }),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = halfCircle(room);
  const veiled = state.veiled || state.d !== ASKED;
  const shown = { number: state.degrees, format: widthOf, label: LABEL, veiled };
  const told = answer({ ...shown, after: closing(state) }, act);
  const seen = state.veiled
    ? cover(at, act)
    : [...fan(state, at), upright(at), ...arrows(state, at)];
  return [...ground(at), ...seen, ...fanBefore(state, at), one(at), ...spreads(state), ...told];
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
  traits: ["angles", "degrees", "d", "spreads"],
  layout,
  caption,
  keys: keysOf,
  wait: closing,
});
