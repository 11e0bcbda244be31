// Tokens as dots that move as layer follows layer, and how alike they are on average.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { clamp, digits, fillIn, short, step } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { CURVE, drawn, filled } from "../frame/looks.mjs";
import { BASELINE, curve, dot, line, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const PLANE = 680; // how wide the plane of the dots is
const RANGE = 0.9; // of the numbers shown there
const EDGE = 20; // from RANGE to the upper edge of the plane
const SIDE = 60; // from RANGE to its left edge, at least
const DOT = 10; // radius
const RING = 7; // round the dot of the chosen token
const DOT_ROOM = 24; // that no name may cover
const NAME = { size: 28, height: 34, gap: 23, letters: 12, foot: 10, step: 6 }; // see besides
const LEAD_GAP = 5; // from a name to the line that leads to it
const NEAR = 30; // a pointer this near chooses a dot
const FALL = { glide: 700 }; // milliseconds: the eye must be able to follow
const AT_ONCE = { glide: 1 };
const MOVED = 4; // less than this is not seen
const TOGETHER = 6; // pixels: dots so near to the chosen one are one dot
const TITLE = [24, 40]; // of the plane
const CHART = { left: 764, right: 1204, top: 208, below: 66 }; // beside the plane
const TICKS = { down: 40, left: 12 };
const ALIKE = 0.99; // from here on words are said to be one
const CLOSE = 0.5; // and from here on to come closer

const SENTENCES = {
  veiled: "Predict first: will the dots stay apart, or meet? Enter shows it.",
  apart: "The words stay apart: nearest to “{token}” is “{nearest}”, cosine {cosine}.",
  closer: "The words come closer: nearest to “{token}” is “{nearest}”, cosine {cosine}.",
  one: "The words have become one: “{token}” and “{nearest}” have cosine {cosine}.",
};

/** A point of the plane, -RANGE to RANGE upwards, in the pixels of a room of this height. */
export function onPlane([x, y], height) {
  const unit = Math.min(height / 2 - EDGE, PLANE / 2 - SIDE) / RANGE;
  return [PLANE / 2 + x * unit, height / 2 - y * unit];
}

const distance = ([x, y], [toX, toY]) => Math.hypot(toX - x, toY - y);
const toRight = ([x]) => (x < PLANE / 2 ? -1 : 1); // outwards

/** Places for the middle of a name: beside its dot, outwards first, then ever further away. */
function placesBeside(point, width, height) {
  const [x, y] = point;
  const out = toRight(point) * (NAME.gap + width / 2);
  const places = [];
  for (let far = 0; far < height; far += NAME.step)
    for (const down of [far, -far]) places.push([x + out, y + down], [x - out, y + down]);
  return places;
}

/**
 * Middles of names `widths` wide: beside their dots, moved up or down until no name covers another
 * or a dot.
 */
export function besides(dots, widths, height) {
  const taken = dots.map(([x, y]) => ({ x, y, width: DOT_ROOM, height: DOT_ROOM }));
  taken.push({ x: 0, y: 0, width: 2 * PLANE, height: 2 * (TITLE[1] + BASELINE) }); // the title
  const isInside = ([x, y], width) =>
    Math.abs(x - PLANE / 2) < (PLANE - width) / 2 &&
    Math.abs(y - height / 2) < (height - NAME.height) / 2;
  const isFree = ([x, y], width) =>
    taken.every(
      (other) =>
        Math.abs(x - other.x) >= (width + other.width) / 2 ||
        Math.abs(y - other.y) >= (NAME.height + other.height) / 2,
    );
  return dots.map((point, i) => {
    const width = widths[i];
    const fits = (middle) => isInside(middle, width) && isFree(middle, width);
    const found = placesBeside(point, width, height).find(fits);
    if (found) taken.push({ x: found[0], y: found[1], width, height: NAME.height });
    return found ?? point;
  });
}

/** Where the dots are seen: under the veil, where they are before the first layer. */
function dotsOf(state, height) {
  const points = state.veiled ? state.start : state.points;
  return points.map((point) => onPlane(point, height));
}

/** One token: its dot, where it was, its name and the line between them. */
function word(i, state, { dots, old, middles, widths }, act) {
  const point = dots[i];
  const here = i === state.chosen ? "here" : "";
  const [x, y] = middles[i];
  const reach = widths[i] / 2 + LEAD_GAP;
  const lead = { o: Math.abs(y - point[1]) > NAME.height / 2 ? 1 : 0 }; // beside its dot: none
  const choose = () => here || act.change({ chosen: i });
  const touch = { pick: choose, hover: choose, ...FALL };
  const name = short(state.tokens[i], NAME.letters);
  const kind = here ? "name here halo bold" : "name halo";
  const hasMoved = old && distance(old[i], point) > MOVED;
  const [toX, toY] = old?.[i] ?? [];
  return {
    lead: line(`lead ${i}`, "lead", point, [clamp(point[0], x - reach, x + reach), y], {
      ...lead,
      ...FALL,
    }),
    before: hasMoved
      ? [
          line(`trail ${i}`, "trail", old[i], point, { from: { toX, toY }, ...FALL }),
          dot(`was ${i}`, "ghost", old[i], DOT, AT_ONCE),
        ]
      : [],
    hold: dot(`hold ${i}`, "pick", point, NEAR, touch),
    dot: dot(`dot ${i}`, `ink dot ${here}`, point, DOT, FALL),
    name: text(`name ${i}`, kind, [x, y + NAME.foot], name, { size: NAME.size, ...touch }),
  };
}

/** One dot for all words, and one name; rings where they were, but none under the name. */
function oneWord(dots, at, old) {
  const words = fillIn("all {count} words", { count: dots.length });
  const width = widthOf(words, NAME.size, 650);
  const middle = at[0] - toRight(at) * (NAME.gap + LEAD_GAP + width / 2);
  const isFree = ([x, y]) =>
    Math.abs(x - middle) > width / 2 + DOT_ROOM ||
    Math.abs(y - at[1]) > (NAME.height + DOT_ROOM) / 2;
  const rings = old.map((place, i) => dot(`was ${i}`, "ghost", place, DOT, AT_ONCE));
  return [
    ...rings.filter((_, i) => isFree(old[i])),
    ...dots.map((place, i) => dot(`dot ${i}`, "ink dot", place, DOT, FALL)),
    dot("focus", "focused", at, DOT + RING, FALL),
    text("all", "name here halo bold", [middle, at[1] + NAME.foot], words, {
      size: NAME.size,
      delay: FALL.glide,
    }),
  ];
}

/** The plane: the chosen token is painted last, to be seen where many dots are one. */
function plane(state, { height }, act) {
  const dots = dotsOf(state, height);
  const at = dots[state.chosen];
  const old = state.before && !state.veiled ? dotsOf(state.before, height) : null;
  const layer = state.veiled ? 0 : state.layer;
  const title = layer ? fillIn("after layer {layer}", { layer }) : "before layer 1";
  const ground = [
    rect("plane", "plane", { x: 0, y: 0, w: PLANE, h: height }, { rx: 12 }),
    text("title", "", TITLE, title, { anchor: "start", size: 28 }),
  ];
  if (!state.veiled && dots.every((place) => distance(place, at) < TOGETHER))
    return [...ground, ...oneWord(dots, at, old ?? [])];
  const widths = state.tokens.map((token) => widthOf(short(token, NAME.letters), NAME.size, 650));
  const middles = besides(dots, widths, height);
  const words = dots.map((_, i) => word(i, state, { dots, old, widths, middles }, act));
  const here = words[state.chosen];
  const partner = dots[state.nearest[state.chosen].token];
  return [
    ...ground,
    ...(state.veiled ? [] : [line("pair", "pair", at, partner, FALL)]),
    ...words.map((each) => each.lead),
    ...words.flatMap((each) => each.before),
    ...words.map((each) => each.hold),
    ...words.filter((each) => each !== here).map((each) => each.dot),
    here.dot,
    dot("focus", "focused", at, DOT + RING, FALL),
    ...words.map((each) => each.name),
  ];
}

/** The mean cosine over the layers. */
function chart(state, { height }, act) {
  const { left, right, top } = CHART;
  const floor = height - CHART.below;
  const last = state.means.length - 1;
  const layers = scale({ domain: [0, last], range: [left, right] });
  const cosines = scale({ domain: [0, 1], range: [floor, top], clamped: true });
  const place = (layer, cosine) => [layers.at(layer), cosines.at(cosine)];
  // Up to the chosen layer: the rest would answer the next question.
  const pointsOf = ({ means, layer }) => means.slice(0, layer + 1).map((mean, i) => place(i, mean));
  const rule = { x: left, w: right - left, h: 2 };
  const ends = [
    { value: 0, id: "first" },
    { value: last, id: "last", anchor: "end", text: fillIn("after layer {last}", { last }) },
  ];
  const axes = [
    ...ticksUpward(cosines, [0, 1], left - TICKS.left, { name: "cosine", rule }),
    ...ticksAcross(layers, ends, floor + TICKS.down),
  ];
  const { before, layer, means, veiled } = state;
  if (veiled) {
    const box = { x: left, y: top - DOT, w: right - left, h: floor - top + 2 * DOT };
    return [...axes, ...veil(box, "apart, or alike?", act)];
  }
  const hasGhost = before && !before.veiled && String(before.means) !== String(means);
  return [
    ...axes,
    ...(hasGhost ? [curve("was curve", "ghost", pointsOf(before), AT_ONCE)] : []),
    curve("curve", "curve", pointsOf(state), FALL),
    dot("mark", "ink", place(layer, means[layer]), DOT + 2, FALL),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const { before, means, layer, veiled } = state;
  const shown = {
    number: means[layer],
    format: (cosine) => digits(cosine),
    label: "mean cosine of all pairs",
    before: before && !before.veiled ? before.means[before.layer] : undefined,
    veiled,
  };
  return [...plane(state, room, act), ...chart(state, room, act), ...answer(shown, act)];
}

/** The sentence that says what to see. */
export function caption({ veiled, tokens, chosen, nearest, means, layer }) {
  const { token, cosine } = nearest[chosen];
  let kind = means[layer] > CLOSE ? "closer" : "apart";
  if (means[layer] > ALIKE) kind = "one";
  const values = { token: tokens[chosen], nearest: tokens[token], cosine: digits(cosine) };
  return fillIn(SENTENCES[veiled ? "veiled" : kind], values);
}

/** What a key means: another token. */
export function keysOf(state, key) {
  const across = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[key] ?? key;
  const next = step(across, [0, state.chosen], 1, state.tokens.length);
  return next && { chosen: next[1] };
}

const traits = ["tokens", "start", "points", "means", "layer", "chosen", "nearest"];
export default demo({
  name: "depth",
  looks: {
    plane: filled("surface"),
    "text.name.halo": { stroke: "var(--surface)" },
    lead: drawn("faint", 1.5), // a line to a name that found no room beside its dot
    trail: drawn("ghost", 1.5, { opacity: 0.6 }),
    pair: drawn("ink", 3),
    curve: CURVE,
  },
  traits,
  keep: ["chosen"],
  layout,
  caption,
  keys: keysOf,
});
