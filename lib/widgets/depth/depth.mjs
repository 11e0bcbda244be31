// Tokens as dots that move as layer follows layer, and how alike they are on average.
import { clamp, digits, fillIn, short, step } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { stage } from "../frame/stage.mjs";

const PLANE = 680; // how wide the plane of the dots is
const RANGE = 0.9; // of the numbers shown there
const EDGE = 20; // from RANGE to the upper edge of the plane
const SIDE = 60; // from RANGE to its left edge, at least
const DOT = 10; // radius
const RING = 7; // round the dot of the chosen token
const DOT_ROOM = 24; // that no name may cover
const LETTERS = 28; // size of a name
const LINE = 34; // how high a name is
const NAME_GAP = 23; // from the middle of a dot to its name
const LEAD_GAP = 5; // from a name to the line that leads to it
const NAME_STEP = 6; // up or down, until a name finds room
const NAME_LETTERS = 12;
const NAME_FOOT = 10; // from the middle of a name down to the foot of its letters
const NEAR = 30; // a pointer this near chooses a dot
const FALL = 700; // milliseconds that the dots take: the eye must be able to follow
const MOVED = 4; // less than this is not seen
const TOGETHER = 6; // pixels: dots so near to the chosen one are one dot
const ALL = "all {count} words";
const TITLE = { x: 24, y: 40 }; // of the plane

const LEFT = 764; // the chart, beside the plane
const RIGHT = 1204;
const TOP = 208;
const BELOW = 66; // from the floor of the chart to the end of the room
const TICK_LINE = 40; // from the floor to the feet of the numbers
const TICK_GAP = 12;
const BASELINE = 9; // from the middle of a line down to the foot of its text
const ALIKE = 0.99; // from here on words are said to be one
const CLOSE = 0.5; // and from here on to come closer
const ENDS = [0, 1]; // of the mean cosine

const VEILED = "Predict first: will the dots stay apart, or meet? Enter shows it.";
const SENTENCES = {
  apart:
    "The words stay apart: nearest to \u201c{token}\u201d is " +
    "\u201c{nearest}\u201d, cosine {cosine}.",
  closer:
    "The words come closer: nearest to \u201c{token}\u201d is " +
    "\u201c{nearest}\u201d, cosine {cosine}.",
  one:
    "The words have become one: \u201c{token}\u201d and " +
    "\u201c{nearest}\u201d have cosine {cosine}.",
};
const STORY = ["no residual path", "12 layers"];

/** The middle of the plane, and how many pixels one unit of it has, in a room of this height. */
function planeOf(height) {
  const reach = Math.min(height / 2 - EDGE, PLANE / 2 - SIDE);
  return { x: PLANE / 2, y: height / 2, unit: reach / RANGE, height };
}

/** A point of the plane, -RANGE to RANGE upwards, in the pixels of a room of this height. */
export function onPlane([x, y], height) {
  const plane = planeOf(height);
  return [plane.x + x * plane.unit, plane.y - y * plane.unit];
}

/** Places for the middle of a name: beside its dot, outwards first, then ever further away. */
function placesBeside([x, y], width, height) {
  const out = x < PLANE / 2 ? -1 : 1;
  const places = [];
  for (let far = 0; far < height; far += NAME_STEP)
    for (const down of [far, -far])
      for (const side of [out, -out]) places.push([x + side * (NAME_GAP + width / 2), y + down]);
  return places;
}

const isInside = ([x, y], width, height) =>
  x > width / 2 && x + width / 2 < PLANE && y > LINE / 2 && y < height - LINE / 2;

/**
 * Middles of names `widths` wide: beside their dots, moved up or down until no name covers another
 * or a dot.
 */
export function besides(dots, widths, height) {
  const taken = dots.map(([x, y]) => ({ x, y, width: DOT_ROOM, height: DOT_ROOM }));
  taken.push({ x: 0, y: 0, width: 2 * PLANE, height: 2 * (TITLE.y + BASELINE) }); // the title
  const isFree = ([x, y], width) =>
    taken.every(
      (other) =>
        Math.abs(x - other.x) >= (width + other.width) / 2 ||
        Math.abs(y - other.y) >= (LINE + other.height) / 2,
    );
  return dots.map((dot, i) => {
    const width = widths[i];
    const fits = (middle) => isInside(middle, width, height) && isFree(middle, width);
    const found = placesBeside(dot, width, height).find(fits);
    if (!found) return dot;
    taken.push({ x: found[0], y: found[1], width, height: LINE });
    return found;
  });
}

/** Where the dots are seen: under the veil, where they are before the first layer. */
function dotsOf(state, height) {
  const points = state.veiled ? state.start : state.points;
  return points.map((point) => onPlane(point, height));
}

const line = ({ x, y, toX, toY }) => `M${x},${y}L${toX},${toY}`;

/** One token: its dot, where it was, its name and the line between them. */
function word(i, state, { dots, old, middles, widths }, act) {
  const [x, y] = dots[i];
  const isHere = i === state.chosen;
  const [nameX, nameY] = middles[i];
  const reach = widths[i] / 2 + LEAD_GAP;
  const toX = clamp(x, nameX - reach, nameX + reach);
  const shown = { o: Math.abs(nameY - y) > LINE / 2 ? 1 : 0 }; // beside its dot it needs no line
  const choose = () => {
    if (!isHere) act.change({ chosen: i });
  };
  const point = { pick: choose, hover: choose, glide: FALL };
  const name = {
    id: `name ${i}`,
    class: isHere ? "name here halo bold" : "name halo",
    x: nameX,
    y: nameY + NAME_FOOT,
    size: LETTERS,
    text: short(state.tokens[i], NAME_LETTERS),
    ...point,
  };
  const before = [];
  if (old && Math.hypot(old[i][0] - x, old[i][1] - y) > MOVED) {
    const [oldX, oldY] = old[i];
    const path = { x: oldX, y: oldY, toX: x, toY: y, glide: FALL, d: line };
    before.push({ id: `trail ${i}`, class: "trail", from: { toX: oldX, toY: oldY }, ...path });
    before.push({ id: `was ${i}`, class: "ghost", x: oldX, y: oldY, r: DOT, glide: 1 });
  }
  return {
    before,
    lead: { id: `lead ${i}`, class: "lead", x, y, toX, toY: nameY, ...shown, glide: FALL, d: line },
    dot: { id: `dot ${i}`, class: isHere ? "ink dot here" : "ink dot", x, y, r: DOT, glide: FALL },
    name,
    hold: { id: `hold ${i}`, class: "pick", x, y, r: NEAR, ...point },
  };
}

/** True if all dots lie on that of the chosen token. */
function areOne(dots, chosen) {
  const [hereX, hereY] = dots[chosen];
  return dots.every(([x, y]) => Math.hypot(x - hereX, y - hereY) < TOGETHER);
}

/** One dot for all words, and one name; rings where they were, but none under the name. */
function oneWord(state, dots, old) {
  const [x, y] = dots[state.chosen];
  const text = fillIn(ALL, { count: dots.length });
  const width = widthOf(text, LETTERS, 650);
  const inwards = x < PLANE / 2 ? 1 : -1;
  const middle = x + inwards * (NAME_GAP + LEAD_GAP + width / 2);
  const isFree = ([oldX, oldY]) =>
    Math.abs(oldX - middle) > width / 2 + DOT_ROOM || Math.abs(oldY - y) > LINE / 2 + DOT_ROOM / 2;
  const marks = [];
  for (const [i, place] of old.entries()) {
    const ring = { id: `was ${i}`, class: "ghost", x: place[0], y: place[1], r: DOT, glide: 1 };
    if (isFree(place)) marks.push(ring);
  }
  for (const [i, place] of dots.entries()) {
    const dot = { id: `dot ${i}`, class: "ink dot", x: place[0], y: place[1], r: DOT };
    marks.push({ ...dot, glide: FALL });
  }
  const name = { class: "name here halo bold", size: LETTERS, x: middle, y: y + NAME_FOOT };
  marks.push({ id: "focus", class: "focused", x, y, r: DOT + RING, glide: FALL });
  marks.push({ id: "all", ...name, text, delay: FALL });
  return marks;
}

/** The ground of the plane, and after how many layers it is. */
function ground(state, height) {
  const layer = state.veiled ? 0 : state.layer;
  const title = layer ? fillIn("after layer {layer}", { layer }) : "before layer 1";
  return [
    { id: "plane", class: "plane", x: 0, y: 0, w: PLANE, h: height, rx: 12 },
    { id: "title", anchor: "start", size: 28, text: title, ...TITLE },
  ];
}

/** The plane: the chosen token is painted last, to be seen where many dots are one. */
function plane(state, { height }, act) {
  const dots = dotsOf(state, height);
  const marks = ground(state, height);
  const hasGhost = state.before !== null && !state.veiled;
  const old = hasGhost ? dotsOf(state.before, height) : null;
  if (!state.veiled && areOne(dots, state.chosen))
    return [...marks, ...oneWord(state, dots, old ?? [])];
  const widths = state.tokens.map((token) => widthOf(short(token, NAME_LETTERS), LETTERS, 650));
  const at = { dots, old, widths, middles: besides(dots, widths, height) };
  const words = state.tokens.map((_, i) => word(i, state, at, act));
  const here = words[state.chosen];
  if (!state.veiled) {
    const [x, y] = dots[state.chosen];
    const [toX, toY] = dots[state.nearest[state.chosen].token];
    marks.push({ id: "pair", class: "pair", x, y, toX, toY, glide: FALL, d: line });
  }
  const circle = { ...here.dot, id: "focus", class: "focused", r: DOT + RING };
  return [
    ...marks,
    ...words.map((each) => each.lead),
    ...words.flatMap((each) => each.before),
    ...words.map((each) => each.hold),
    ...words.filter((each) => each !== here).map((each) => each.dot),
    here.dot,
    circle,
    ...words.map((each) => each.name),
  ];
}

/** A curve through these points, whose heights glide. */
function curve(id, kind, points) {
  const heights = Object.fromEntries(points.map(([, y], i) => [`y${i}`, y]));
  const path = (numbers) => `M${points.map(([x], i) => `${x},${numbers[`y${i}`]}`).join("L")}`;
  return { id, class: kind, ...heights, d: path, glide: FALL };
}

/** The mean cosine over the layers. */
function chart(state, { height }, act) {
  const floor = height - BELOW;
  const last = state.means.length - 1;
  const across = (layer) => LEFT + ((RIGHT - LEFT) * layer) / last;
  const heightOf = (cosine) => floor - clamp(cosine, 0, 1) * (floor - TOP);
  // Up to the chosen layer: the rest would answer the next question.
  const pointsOf = ({ means, layer }) =>
    means.slice(0, layer + 1).map((mean, i) => [across(i), heightOf(mean)]);
  const marks = [];
  for (const end of ENDS) {
    const tick = { class: "faint", anchor: "end", x: LEFT - TICK_GAP, y: heightOf(end) + BASELINE };
    marks.push({
      id: `rule ${end}`,
      class: "rule",
      x: LEFT,
      y: heightOf(end),
      w: RIGHT - LEFT,
      h: 2,
    });
    marks.push({ id: `cosine ${end}`, text: digits(end, 0), ...tick });
  }
  const foot = { class: "faint", y: floor + TICK_LINE };
  const named = fillIn("after layer {last}", { last });
  marks.push({ id: "first", x: LEFT, text: "0", ...foot });
  marks.push({ id: "last", x: RIGHT, anchor: "end", text: named, ...foot });
  if (state.veiled) {
    const box = { x: LEFT, y: TOP - DOT, w: RIGHT - LEFT, h: floor - TOP + 2 * DOT, rx: 8 };
    const text = { x: (LEFT + RIGHT) / 2, y: (TOP + floor) / 2 + BASELINE, size: 28 };
    marks.push({ id: "veil", class: "veil", ...box, pick: () => act.next() });
    marks.push({ id: "ask", class: "bold halo", ...text, text: "apart, or alike?" });
    return marks;
  }
  const { before, layer, means } = state;
  if (before && !before.veiled && String(before.means) !== String(means))
    marks.push({ ...curve("was curve", "ghost", pointsOf(before)), glide: 1 });
  marks.push(curve("curve", "curve", pointsOf(state)));
  const dot = { x: across(layer), y: heightOf(means[layer]), r: DOT + 2, glide: FALL };
  marks.push({ id: "mark", class: "ink", ...dot });
  return marks;
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const { before } = state;
  const shown = {
    number: state.means[state.layer],
    format: (cosine) => digits(cosine),
    label: "mean cosine of all pairs",
    before: before && !before.veiled ? before.means[before.layer] : undefined,
    veiled: state.veiled,
  };
  return [...plane(state, room, act), ...chart(state, room, act), ...answer(shown, act)];
}

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return VEILED;
  const { tokens, chosen, means, layer } = state;
  const { token, cosine } = state.nearest[chosen];
  let kind = means[layer] > CLOSE ? "closer" : "apart";
  if (means[layer] > ALIKE) kind = "one";
  const values = { token: tokens[chosen], nearest: tokens[token], cosine: digits(cosine) };
  return fillIn(SENTENCES[kind], values);
}

/** What a key means: another token. */
export function keysOf(state, key) {
  const across = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[key] ?? key;
  const next = step(across, [0, state.chosen], 1, state.tokens.length);
  return next && { chosen: next[1] };
}

function read(model) {
  const names = ["tokens", "start", "points", "means", "layer", "chosen", "nearest", "done"];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}

function render({ model, el, signal }) {
  stage(
    { model, el, signal },
    {
      name: "depth",
      keep: ["chosen"],
      read,
      layout,
      caption,
      keys: keysOf,
      next: ({ done }) => ({ label: STORY[done] ?? "Start over", ask: { type: "next" } }),
    },
  );
}

export default { render };
