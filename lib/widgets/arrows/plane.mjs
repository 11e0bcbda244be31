// The plane of the demo Arrows: arrows to drag, the query's ray, and the shadows of keys on it.
import { clamp } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LEFT_END, line, rect, RIGHT_END } from "../frame/shapes.mjs";

export const dot = (query, key) => query[0] * key[0] + query[1] * key[1];
export const cross = (query, key) => query[0] * key[1] - query[1] * key[0];
export const length = ([x, y]) => Math.hypot(x, y);

/**
 * Signed length of the shadow of a key on the direction of the query; null if the query has no
 * direction.
 */
export const shadow = (query, key) => (length(query) ? dot(query, key) / length(query) : null);

/** The cosine of the angle between two arrows; null if one of them has no direction. */
export function cosine(query, key) {
  const lengths = length(query) * length(key);
  return lengths ? clamp(dot(query, key) / lengths, -1, 1) : null;
}

export const RANGE = 4; // the arrows go from -4 to 4 in both directions
const LEAST = 0.25; // the shortest arrow that still has a direction to keep
const LENGTH_STEP = 0.25; // of a length, for one press of an arrow key with Shift
export const MOVE = 0.1; // of a tip, for one press of an arrow key
export const NEAR = 1e-9;
export const NAMES = { q: "q", k: "k", k2: "k\u2032" };

/** The same direction, another length, as far as the plane goes; no direction stays as it is. */
export function stretched(vector, wanted) {
  const now = length(vector);
  if (!now) return vector;
  const largest = Math.max(...vector.map(Math.abs));
  const factor = Math.min(Math.max(wanted, LEAST) / now, RANGE / largest);
  return vector.map((x) => clamp(x * factor, -RANGE, RANGE));
}

/** The next longer (sign 1) or shorter (-1) multiple of LENGTH_STEP. */
export function nextLength(now, sign) {
  const steps = now / LENGTH_STEP;
  const next = sign > 0 ? Math.floor(steps + NEAR) + 1 : Math.ceil(steps - NEAR) - 1;
  return next * LENGTH_STEP;
}

export const namesOf = (state) => Object.keys(NAMES).filter((name) => state[name].length);
export const chosenOf = (state) => namesOf(state)[state.chosen] ?? "k";

export const PLANE = 660; // the width of the plane
const EDGE = 24; // from the plane's edges to its last lines
const NEAR_ENDS = [-1.7, -1]; // the left and the lower end of what is seen, if no tip lies beyond
const THICK = 16; // of an arrow
const HEAD = 48; // the length of an arrow's head
const KEY_HEAD = [0, 0, -53, 25, -44, 0, -53, -25];
const HEADS = { q: [0, 0, -48, 24, -48, -24], k: KEY_HEAD, k2: KEY_HEAD };
const POINT = 12; // the radius of an arrow of length 0
const GRASP = 30; // the radius around a tip where it can be grasped
const RING = 22; // and of the ring around the chosen one, if it is too short for a bead
const BEAD = 120; // from a tip back to the bead that changes the length alone
const BEAD_RADIUS = 11;
const LANE = 26; // the width of a shadow
const LANES = { k: 12, k2: 44 }; // from the query's ray to the near side of a shadow
const SQUARE = 14; // the side of the mark of a right angle
const LARGE_SQUARE = 44; // where a key and the query are at a right angle
const LEAST_SQUARE = 32; // there is none on shorter lines
const ASIDE = 58; // from a tip to the arrow's name
const AWAY = 0.7; // radians, so far a name is turned away from the dropped line
// The steps of the story that make k\u2032 longer, and ask for the score of k alone.
export const LENGTHENED = 1;
export const TURNED = 2;
const OVERTAKES = "from here k\u2032 wins";
const ACROSS = 36; // half of the line across the ray where it does
const BEYOND = 48; // from there to what it is
const NAME = 44; // the size of an arrow's name
const NAMES_STAY = { left: 24, right: PLANE - 24, top: 42, bottom: 16 };
const BASELINE = 12; // from the middle of a name down to its baseline

const hue = (name) => (name === "q" ? "query" : "key");

/** How far to the left (0) or down (1) is seen: to the end if a tip is there, or was before. */
function endOf({ before, ...state }, axis) {
  const tips = [state, before ?? state].flatMap((each) => namesOf(each).map((name) => each[name]));
  return tips.every((tip) => tip[axis] > NEAR_ENDS[axis]) ? NEAR_ENDS[axis] : -RANGE;
}

/** Where the plane stands in a room. */
function planeOf(state, { height }) {
  const [left, lowest] = [endOf(state, 0), endOf(state, 1)];
  const unit = Math.min(
    (height - 2 * EDGE) / (RANGE - lowest),
    (PLANE - 2 * EDGE) / (RANGE - left),
  );
  const originX = PLANE / 2 - ((RANGE + left) / 2) * unit;
  const originY = height / 2 + ((RANGE + lowest) / 2) * unit;
  const place = ([x, y]) => ({ x: originX + x * unit, y: originY - y * unit });
  return { unit, originX, originY, height, place };
}

function grid({ unit, originX, place, height }) {
  const marks = [];
  const kindOf = (i) => (i ? "grid" : "grid zero");
  const [first, last] = [-originX, PLANE - originX].map((end) => Math.trunc(end / unit));
  for (let i = first; i <= last; i++) {
    const box = { x: place([i, 0]).x - 1, y: 0, w: 2, h: height };
    marks.push(rect(`column ${i}`, kindOf(i), box));
  }
  for (let i = -RANGE; i <= RANGE; i++) {
    const box = { x: 0, y: place([0, i]).y - 1, w: PLANE, h: 2 };
    if (box.y < height) marks.push(rect(`row ${i}`, kindOf(i), box));
  }
  return marks;
}

/** The line through the origin in the direction of an arrow, as far as the plane goes. */
function ray(name, state, plane) {
  const long = length(state[name]);
  if (!long) return [];
  const [x, y] = state[name].map((part) => part / long);
  const reach = reachOf([x, y], plane);
  const back = name === "q" ? -reachOf([-x, -y], plane) : 0;
  const kind = `${hue(name)}-line ray`;
  const along = {
    reach,
    back,
    originX: plane.originX,
    originY: plane.originY,
    right: x,
    upward: y,
    thick: 3,
  };
  return [{ id: `ray ${name}`, class: kind, ...along, d: rayPath }];
}

/** How far it is from the origin to the edge of the plane, in pixels. */
function reachOf([x, y], { originX, originY, height }) {
  const side = x > 0 ? PLANE - originX : originX;
  const end = y > 0 ? originY : height - originY;
  return Math.min(side / Math.abs(x), end / Math.abs(y));
}

const rayPath = ({ originX, originY, right, upward, back, reach }) =>
  `M${originX + back * right},${originY - back * upward}` +
  `L${originX + reach * right},${originY - reach * upward}`;

/** From the origin to where the head begins. */
function shaftPath({ originX, originY, x, y }) {
  const long = Math.hypot(x - originX, y - originY);
  const part = long > HEAD ? 1 - (HEAD - 6) / long : 0;
  const [right, down] = [(x - originX) * part, (y - originY) * part];
  return `M${originX},${originY}l${right},${down}`;
}

function circlePath(x, y, radius) {
  const half = (across) => `a${radius},${radius} 0 1 0 ${across},0`;
  return `M${x - radius},${y}${half(2 * radius)}${half(-2 * radius)}Z`;
}

/** A head at the tip of an arrow, given as pairs of places along it and across. */
function headPath(corners) {
  return ({ originX, originY, x, y }) => {
    const long = Math.hypot(x - originX, y - originY);
    if (long < 1) return circlePath(x, y, POINT);
    const [right, down] = [(x - originX) / long, (y - originY) / long];
    let path = "";
    for (let i = 0; i < corners.length; i += 2) {
      const [along, across] = corners.slice(i, i + 2);
      path += `${path ? "L" : "M"}${x + along * right - across * down},`;
      path += `${y + along * down + across * right}`;
    }
    return `${path}Z`;
  };
}

/** True of k\u2032 where the score of k alone is asked for: it is pale, without a shadow. */
const isAside = (name, { done, chosen }) => name === "k2" && done === TURNED && chosen === 1;

function arrow(name, state, plane) {
  const kind = (name === "k2" ? " hollow" : "") + (isAside(name, state) ? " pale" : "");
  const ends = { originX: plane.originX, originY: plane.originY, ...plane.place(state[name]) };
  const shaft = { class: `${hue(name)}-line shaft${kind}`, thick: THICK, ...ends, d: shaftPath };
  const head = { class: `${hue(name)}${kind}`, ...ends, d: headPath(HEADS[name]) };
  return [
    { id: `shaft ${name}`, ...shaft },
    { id: `head ${name}`, ...head },
  ];
}

/** The arrow before the last gesture, if it pointed elsewhere. */
function ghost(name, { before, ...state }, plane) {
  const was = before?.[name];
  if (!was?.length || Math.abs(cross(was, state[name])) < NEAR) return [];
  const ends = { originX: plane.originX, originY: plane.originY, ...plane.place(was), glide: 1 };
  return [
    { id: `was ${name}`, class: "ghost", ...ends, d: shaftPath },
    { id: `was head ${name}`, class: "ghost", ...ends, d: headPath(HEADS.q) },
  ];
}

/** How far an arrow's name is turned: away from the arrow that it is compared with. */
function away(name, state) {
  const other = { q: state.k, k: state.k2.length ? state.k2 : state.q, k2: state.k }[name];
  return cross(other, state[name]) < 0 ? -AWAY : AWAY;
}

function nameOf(name, state, plane) {
  const direction = Math.atan2(state[name][1], state[name][0]) + away(name, state);
  const tip = plane.place(state[name]);
  const { left, right, top, bottom } = NAMES_STAY;
  const wanted = tip.y - ASIDE * Math.sin(direction) + BASELINE;
  const y = clamp(wanted, top, plane.height - bottom);
  const far = Math.sign(Math.cos(direction)) || 1; // beside the tip where there is no room above
  const beside = y === wanted ? Math.cos(direction) : far;
  return {
    id: `name ${name}`,
    class: `${hue(name)} bold halo`,
    size: NAME,
    text: NAMES[name],
    x: clamp(tip.x + ASIDE * beside, left, right),
    y,
  };
}

/** How a shadow looks, and the score that it makes. */
export const bandOf = (name) => (name === "k2" ? "key band hollow" : "key band");

/** The shadow of a key on the query's ray, and the line dropped from its tip. */
function shadowOf(name, state, plane) {
  const query = state.q;
  const long = shadow(query, state[name]);
  if (long === null) return [];
  const [right, upward] = query.map((part) => part / length(query));
  const at = {
    originX: plane.originX,
    originY: plane.originY,
    right,
    upward,
    foot: long * plane.unit,
  };
  const rise = (cross(query, state[name]) / length(query)) * plane.unit;
  return [
    { id: `drop ${name}`, class: "drop", ...at, rise, d: dropPath },
    { id: `shadow ${name}`, class: bandOf(name), ...at, lane: LANES[name], d: bandPath },
  ];
}

/** A place of the stage: so far along the query's ray, and so far to its left. */
function along({ originX, originY, right, upward }, far, left) {
  return `${originX + far * right - left * upward},${originY - far * upward - left * right}`;
}

function bandPath(numbers) {
  const [near, far] = [-numbers.lane, -numbers.lane - LANE];
  const start = `M${along(numbers, 0, near)}L${along(numbers, numbers.foot, near)}`;
  return `${start}L${along(numbers, numbers.foot, far)}L${along(numbers, 0, far)}Z`;
}

/** From a key's tip down to the ray, with the mark of a right angle there. */
function dropPath(numbers) {
  const { foot, rise } = numbers;
  const drop = `M${along(numbers, foot, rise)}L${along(numbers, foot, 0)}`;
  if (Math.min(Math.abs(foot), Math.abs(rise)) < LEAST_SQUARE) return drop;
  const back = foot - SQUARE * Math.sign(foot);
  const high = SQUARE * Math.sign(rise);
  const across = `M${along(numbers, foot, high)}L${along(numbers, back, high)}`;
  return `${drop}${across}L${along(numbers, back, 0)}`;
}

/** The mark of a right angle between a key and the query. */
function rightAngle(name, { q: query, ...state }, { originX, originY }) {
  const key = state[name];
  if (!length(query) || !length(key) || Math.abs(cosine(query, key)) > NEAR) return [];
  const [right, upward] = query.map((part) => part / length(query));
  const side = Math.sign(cross(query, key)) * LARGE_SQUARE;
  const at = { originX, originY, right, upward, side };
  return [{ id: `right angle ${name}`, class: "rule-line", ...at, d: squarePath }];
}

const squarePath = (numbers) => {
  const far = Math.abs(numbers.side);
  const start = `M${along(numbers, far, 0)}L${along(numbers, far, numbers.side)}`;
  return `${start}L${along(numbers, 0, numbers.side)}`;
};

/** Where on its ray k\u2032 has the score of k; null if that is nowhere on the plane. */
export function overtakes({ q: query, k: key, k2: other }) {
  const each = length(other) && dot(query, other) / length(other);
  const long = dot(query, key) / each;
  const place = other.map((part) => (part / length(other)) * long);
  return each > 0 && long > 0 && place.every((part) => Math.abs(part) <= RANGE) ? place : null;
}

/** A line across the ray of k\u2032 where it overtakes k, and what that is. */
function overtaking(state, plane) {
  const place = overtakes(state);
  if (!place) return [];
  const { x, y } = plane.place(place);
  const [right, upward] = place.map((part) => (part / length(place)) * ACROSS);
  const ends = { left: [x - upward, y - right], right: [x + upward, y + right] };
  const hasRoom = x + BEYOND + widthOf(OVERTAKES) < PLANE;
  const side = hasRoom ? { ...LEFT_END, x: x + BEYOND } : { ...RIGHT_END, x: x - BEYOND };
  const said = { id: "overtakes", class: "halo", y: y + BASELINE, text: OVERTAKES, ...side };
  return [line("overtaking", "rule-line", ends.left, ends.right), said];
}

export const rounded = (x) => clamp(Math.round(x * 10) / 10, -RANGE, RANGE);

/** What becomes of an arrow that is held at its tip and pulled to a point of the plane. */
function pulled(vector, [x, y], onlyLength) {
  if (!onlyLength || !length(vector)) return [rounded(x), rounded(y)];
  return stretched(vector, dot([x, y], vector) / length(vector));
}

/** The places where an arrow is grasped: its tip, and on the chosen one a bead for its length. */
function holds(name, state, plane, act) {
  const tip = plane.place(state[name]);
  const choose = ([x, y]) =>
    act.change({ chosen: namesOf(state).indexOf(name), grip: { x, y, point: state[name] } });
  // Step by step, for the plane may show more of itself while the tip is held.
  const drag = ([x, y], event) => {
    const grip = state.grip ?? { ...tip, point: state[name] };
    const [right, upward] = grip.point;
    const point = [right + (x - grip.x) / plane.unit, upward - (y - grip.y) / plane.unit];
    act.change({ [name]: pulled(state[name], point, event.shiftKey), grip: { x, y, point } });
  };
  const mark = { id: `tip ${name}`, class: "pick hold tip", r: GRASP, ...tip, pick: choose, drag };
  if (chosenOf(state) !== name) return [mark];
  if (length(state[name])) return [mark, bead(name, state, plane, act)];
  return [mark, { id: "focus", class: "focused", focus: true, r: RING, ...tip }];
}

/** The bead stands BEAD before the tip, on a short arrow in its middle. */
function bead(name, state, plane, act) {
  const vector = state[name];
  const long = length(vector) * plane.unit;
  const at = Math.max(long - BEAD, long / 2);
  const drag = (point) => {
    const [x, y] = [point[0] - plane.originX, plane.originY - point[1]];
    const far = dot([x, y], vector) / length(vector);
    const wanted = far > BEAD ? far + BEAD : 2 * far;
    act.change({ [name]: stretched(vector, wanted / plane.unit) });
  };
  const place = { x: plane.originX + (vector[0] / length(vector)) * at };
  place.y = plane.originY - (vector[1] / length(vector)) * at;
  return { id: "bead", class: "hold bead", r: BEAD_RADIUS, ...place, drag, pick: () => {} };
}

/** The marks of the plane; what would give the scores away only if they are shown. */
export function planeMarks(state, room, act) {
  const plane = planeOf(state, room);
  const names = namesOf(state);
  const keys = names.slice(1);
  const chosen = chosenOf(state);
  const inOrder = [...names.filter((name) => name !== chosen), chosen]; // it is grasped first
  const cast = state.veiled ? [] : keys.filter((name) => !isAside(name, state));
  const isLengthened = state.done === LENGTHENED;
  return [
    ...grid(plane),
    ...ray("q", state, plane),
    ...(isLengthened ? ray("k2", state, plane) : []),
    ...cast.flatMap((name) => shadowOf(name, state, plane)),
    ...names.flatMap((name) => ghost(name, state, plane)),
    ...(isLengthened && !state.veiled ? overtaking(state, plane) : []),
    ...inOrder.flatMap((name) => arrow(name, state, plane)),
    ...keys.flatMap((name) => rightAngle(name, state, plane)),
    ...names.map((name) => nameOf(name, state, plane)),
    ...inOrder.flatMap((name) => holds(name, state, plane, act)),
  ];
}
