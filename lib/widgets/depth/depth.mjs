// Tokens as dots that move as layer follows layer, and how alike they are on average. A dot has a
// path with a station for each layer; how many layers it has gone is a number that glides, from 0
// when the answer is shown or other parts are switched on.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { clamp, digits, fillIn, short, step } from "../frame/frame.mjs";
import { answer, fit, widthOf } from "../frame/lettering.mjs";
import { CURVE, drawn, filled } from "../frame/looks.mjs";
import { ease, mix } from "../frame/scene.mjs";
import {
  BASELINE,
  curve,
  dot,
  LEFT_END,
  line,
  number,
  rect,
  RIGHT_END,
  text,
  veil,
} from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const PLANE = 680; // how wide the plane of the dots is
const RANGE = 0.9; // of the numbers shown there
const EDGE = 20; // from RANGE to the upper edge of the plane
const SIDE = 60; // from RANGE to its left edge, at least
const DOT = 10; // radius
const RING = 7; // round the dot of the chosen token
const DOT_ROOM = 28; // that no name may cover
const NAME = { size: 28, height: 34, letters: 12, foot: 10 };
const ALL = { size: 42, h: 54, foot: 15, words: "all {count} words" }; // the name of all
const FAR = [23, 36, 44, 52, 60, 70, 90, 110, 130]; // from the middle of a dot to its name
const STEEP = [0, 0.4, 0.8, 1, 1.2, 1.4, Math.PI / 2];
const SLANTS = STEEP.flatMap((slant) => [slant, -slant]); // of the way there
const GAP = 4; // from such a line to the name
// Further away, a line leads from a dot to its name; where that can be it passes no other dot so
// near, and the name is so far from those beside it.
const [LED, PASS, ASIDE] = [30, 14, 20];
const MARKER = 8; // beside a word that is marked
const NEAR = 30; // a pointer this near chooses a dot
const LAYER = 500; // milliseconds of one: the eye must be able to follow
const LONGEST = 3000; // of all
const HEAVY = 650; // of the letters of a name that is chosen
const TOGETHER = 6; // pixels: dots so near to the chosen one are one dot
const SEEN = 2; // directions
const SEEN_FOOT = 18; // from the lower edge of the plane up to the words about them
const TITLE = [24, 40]; // of the plane
const CHART = { left: 764, right: 1204, top: 208, below: 66 }; // beside the plane
const TICKS = { down: 40, left: 12 };
const ENDS = { below: 38, above: 20 }; // from a number of the cosines to what it means
const ALIKE = 0.99; // from here on words are said to be one
const CLOSE = 0.5; // and from here on to come closer

const TITLES = { start: "before layer 1", later: "after layer {layer}" };
const WAS = { layer: "layer {layer}: {mean}", parts: "{parts}: {mean}" };
const TWO = "seen: {seen} of {directions} directions";
const SENTENCES = {
  veiled: "Will the dots stay apart, or meet? Enter plays the layers.",
  apart: "In all {directions} directions, nearest to “{token}” is “{nearest}”, cosine {cosine}.",
  closer: "The words come closer: nearest to “{token}” is “{nearest}”, cosine {cosine}.",
  two: "After {layer} layers: {before} with {other}, {mean} with {parts}.",
  slower: "Slower, yet they come closer: {mean} with {parts}.",
  one: "The words have become one: “{token}” and “{nearest}” have cosine {cosine}.",
};

/** A point of the plane, -RANGE to RANGE upwards, in the pixels of a room of this height. */
export function onPlane([x, y], height) {
  const unit = Math.min(height / 2 - EDGE, PLANE / 2 - SIDE) / RANGE;
  return [PLANE / 2 + x * unit, height / 2 - y * unit];
}

const distance = ([x, y], [toX, toY]) => Math.hypot(toX - x, toY - y);

/** Places for the middle of a name around its dot: near ones first, outwards first. */
function placesAround([x, y], width) {
  const out = x < PLANE / 2 ? -1 : 1;
  return FAR.flatMap((far) =>
    SLANTS.flatMap((slant) =>
      [out, -out].map((side) => [
        x + side * Math.cos(slant) * (far + width / 2),
        y + Math.sin(slant) * far,
      ]),
    ),
  );
}

/** Where a line from a dot to a name of this middle and width ends. */
function leaderEnd([dotX, dotY], [x, y], width) {
  const [w, h] = [width / 2 + GAP, NAME.foot];
  return [clamp(dotX, x - w, x + w), clamp(dotY, y - h, y + h)];
}

/** A line from a dot to its name of this middle and width, where that is not beside it. */
function leader(id, point, middle, width, late) {
  if (outOf(middle, width, point) < LED) return [];
  return [line(`leader ${id}`, "leader", point, leaderEnd(point, middle, width), late)];
}

/** How near a line from one place to another comes to a dot. */
export function nearestOn([x, y], [toX, toY], [dotX, dotY]) {
  const [across, down] = [toX - x, toY - y];
  const along = ((dotX - x) * across + (dotY - y) * down) / (across ** 2 + down ** 2);
  const part = clamp(along, 0, 1);
  return distance([x + part * across, y + part * down], [dotX, dotY]);
}

/** How far a dot is from a name of this middle and width. */
function outOf([x, y], width, [dotX, dotY]) {
  const across = Math.max(0, Math.abs(dotX - x) - width / 2);
  return Math.hypot(across, Math.max(0, Math.abs(dotY - y) - NAME.height / 2));
}

/**
 * Middles of names `widths` wide around their points, the first first: no name covers another, a
 * point or a dot, and no other point is as near to it. Where there is no such place one further off
 * is found, to which a line leads, if it can past all other dots; null where there is none.
 */
export function besides(points, widths, height) {
  const words = { x: 0, width: 2 * PLANE }; // how far it has gone, and what is seen
  const taken = [
    { ...words, y: 0, height: 2 * (TITLE[1] + BASELINE) },
    { ...words, y: height, height: 2 * (SEEN_FOOT + NAME.height) },
    ...points.map(([x, y]) => ({ x, y, width: DOT_ROOM, height: DOT_ROOM })),
  ];
  const isInside = ([x, y], width) =>
    Math.abs(x - PLANE / 2) < (PLANE - width) / 2 &&
    Math.abs(y - height / 2) < (height - NAME.height) / 2;
  const isFree = ([x, y], width) =>
    taken.every(
      (other) =>
        Math.abs(x - other.x) >= (width + other.width) / 2 ||
        Math.abs(y - other.y) >= (NAME.height + other.height) / 2,
    );
  const middles = points.map(() => null);
  const put = (i, isLed, past = 0, aside = 0) => {
    const [point, width] = [points[i], widths[i]];
    const others = points.filter((other) => distance(other, point) > TOGETHER);
    const isFit = (middle) => {
      const far = outOf(middle, width, point);
      const end = leaderEnd(point, middle, width);
      const isClear = (other) =>
        nearestOn(point, end, other) >= Math.min(past, distance(point, other));
      const isOwn = others.every((other) =>
        isLed ? isClear(other) : outOf(middle, width, other) > far,
      );
      return (
        isOwn &&
        far >= LED === isLed &&
        isInside(middle, width) &&
        isFree(middle, width + 2 * aside)
      );
    };
    const found = placesAround(point, width).find(isFit);
    if (!found) return;
    middles[i] = found;
    taken.push({ x: found[0], y: found[1], width, height: NAME.height });
  };
  for (const i of points.keys()) put(i, false);
  for (const wish of [[PASS, ASIDE], [PASS], []])
    for (const i of points.keys()) if (!middles[i]) put(i, true, ...wish);
  return middles;
}

/** The stations of each token, in pixels: [token][layer]. */
function pathsOf({ paths }, height) {
  return paths[0].map((_, i) => paths.map((points) => onPlane(points[i], height)));
}

/** Where a dot is after so many layers, a whole number or not. */
export function placeOn(path, layers) {
  const from = path[Math.floor(layers)];
  const to = path[Math.ceil(layers)];
  const part = ease(layers % 1);
  return [mix(from[0], to[0], part), mix(from[1], to[1], part)];
}

/** How many layers are gone: none under the veil. */
const goneOf = ({ veiled, layer }) => (veiled ? 0 : layer);

/** How long the layers take that are gone through now. */
function playing(state) {
  const { before, calm, layer, veiled } = state;
  if (veiled || calm) return 0;
  const goesOn = before && !before.veiled && before.parts === state.parts;
  const steps = Math.max(1, Math.abs(layer - (goesOn ? before.layer : 0)));
  return Math.min(LONGEST, LAYER * steps);
}

/** The numbers of a mark that goes through the layers. */
function going(state) {
  const motion = { even: true, glide: Math.max(LAYER, playing(state)) };
  return { gone: goneOf(state), from: { gone: 0, o: 1 }, ...motion };
}

/** A dot on its path, where it stands in the end. */
function dotOn(id, kind, path, r, state) {
  const way = ({ gone }) => {
    const [x, y] = placeOn(path, gone);
    return { x, y };
  };
  return dot(`${id} of ${state.parts}`, kind, path[goneOf(state)], r, { way, ...going(state) });
}

/** The part of a path that is gone, from a station on: the rest would answer the next question. */
function lineSoFar(id, kind, path, state, first = 0) {
  const end = ({ gone }) => placeOn(path, Math.max(first, gone));
  const soFar = (now) => `M${[...path.slice(first, now.gone + 1), end(now)].join("L")}`;
  return { id: `${id} of ${state.parts}`, class: kind, d: soFar, ...going(state) };
}

/** A tail from where a dot began, a point, to where it is, as broad as the dot. */
function tail([x, y], [toX, toY]) {
  const long = Math.max(1, distance([x, y], [toX, toY]));
  const [across, down] = [(-DOT * (toY - y)) / long, (DOT * (toX - x)) / long];
  return `M${x},${y}L${toX + across},${toY + down}L${toX - across},${toY - down}Z`;
}

/** How far a dot has come, not by which way. */
function trail(i, path, state) {
  const soFar = ({ gone }) => tail(path[0], placeOn(path, gone));
  return { id: `trail ${i} of ${state.parts}`, class: "trail", d: soFar, ...going(state) };
}

/** The names beside their dots; they go there with them. */
function names(state, dots, height, act) {
  const { chosen, tokens } = state;
  const said = tokens.map((token) => short(token, NAME.letters));
  const widths = said.map((name) => widthOf(name, NAME.size, HEAVY));
  const middles = besides(dots, widths, height);
  const late = { delay: playing(state) };
  const { glide } = going(state);
  return dots.flatMap((place, i) => {
    const isHere = i === chosen;
    const choose = () => isHere || act.change({ chosen: i, calm: !state.veiled });
    const touch = { pick: choose, hover: choose };
    const hold = dot(`hold ${i}`, "pick", place, NEAR, touch);
    if (!middles[i]) return [hold];
    const [x, y] = middles[i];
    const kind = `name halo${isHere ? " here bold" : ""}`;
    const look = { size: NAME.size, glide, even: true, until: "all", ...touch };
    const name = text(`name ${i}`, kind, [x, y + NAME.foot], said[i], look);
    return [hold, ...leader(i, place, middles[i], widths[i], late), name];
  });
}

/** The name of all, where they are one. */
function nameOfAll(state, place, height) {
  const { size, h, foot, words } = ALL;
  const all = fillIn(words, { count: state.tokens.length });
  const w = widthOf(all, size, HEAVY) + 2 * MARKER;
  const [[x, y]] = besides([place], [w], height);
  const late = { delay: playing(state) };
  return [
    rect("all behind", "changed", { x: x - w / 2, y: y - h / 2, w, h }, { rx: 6, ...late }),
    text("all", "marked bold", [x, y + foot], all, { size, ...late }),
  ];
}

/** A line from the chosen dot to the nearest one, when all have arrived. */
function pair(state, dots) {
  const [x, y] = dots[state.chosen];
  const [toX, toY] = dots[state.nearest[state.chosen].token];
  const all = goneOf(state);
  const arrived = (now) => (now.gone < all ? "" : `M${now.x},${now.y}L${now.toX},${now.toY}`);
  return { id: "pair", class: "pair", d: arrived, x, y, toX, toY, ...going(state) };
}

/** Words that are not one: how far they came, the nearest to the chosen one, and their names. */
function apart(state, { paths, dots, height }, act) {
  const seen = () => [...paths.map((path, i) => trail(i, path, state)), pair(state, dots)];
  return [...(state.veiled ? [] : seen()), ...names(state, dots, height, act)];
}

/** The plane: the chosen token is painted last, to be seen where many dots are one. */
function plane(state, { height }, act) {
  const { chosen, directions, veiled } = state;
  const paths = pathsOf(state, height);
  const dots = paths.map((path) => path[goneOf(state)]);
  const at = dots[chosen];
  const one = !veiled && dots.every((place) => distance(place, at) < TOGETHER) ? at : null;
  const titleOf = (layers) => {
    const layer = Math.floor(layers);
    return fillIn(layer ? TITLES.later : TITLES.start, { layer });
  };
  const motion = { even: true, glide: going(state).glide };
  const order = [...dots.keys()].sort((i, j) => (i === chosen) - (j === chosen));
  const seen = fillIn(TWO, { seen: SEEN, directions });
  return [
    rect("plane", "plane", { x: 0, y: 0, w: PLANE, h: height }, { rx: 12 }),
    number("title", "", TITLE, goneOf(state), titleOf, { ...LEFT_END, size: 28, ...motion }),
    text("seen", "faint", [TITLE[0], height - SEEN_FOOT], seen, LEFT_END),
    ...(one ? nameOfAll(state, one, height) : apart(state, { paths, dots, height }, act)),
    ...order.map((i) => dotOn(`dot ${i}`, "ink dot", paths[i], DOT, state)),
    dotOn(`focus ${chosen}`, "focused", paths[chosen], DOT + RING, state),
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
  const pathOf = ({ means }) => means.map((mean, i) => place(i, mean));
  const rule = { x: left, w: right - left, h: 2 };
  const ends = [
    { value: 0, id: "first" },
    { value: last, id: "last", anchor: "end", text: fillIn("after layer {last}", { last }) },
  ];
  const axes = [
    ...ticksUpward(cosines, [0, 1], left - TICKS.left, { name: "cosine", rule }),
    ...ticksAcross(layers, ends, floor + TICKS.down),
    text("alike", "faint", [left - TICKS.left, top + ENDS.below], "alike", RIGHT_END),
    text("apart", "faint", [left - TICKS.left, floor - ENDS.above], "apart", RIGHT_END),
  ];
  const was = seenBefore(state);
  const seen = was ? ghost(pathOf(was).slice(0, was.last + 1), was) : [];
  if (state.veiled) {
    const box = { x: left, y: top - DOT, w: right - left, h: floor - top + 2 * DOT };
    return [...axes, ...veil(box, "apart, or alike?", act), ...seen];
  }
  const path = pathOf(state);
  return [
    ...axes,
    ...seen,
    lineSoFar("curve", "curve", path, state, was?.known),
    dotOn("mark", "ink", path, DOT + 2, state),
  ];
}

/**
 * The curve that was seen before, or null: that of other parts, with the answer gone on to the
 * layer of now, so that the two are compared; or the part of this one that is `known` since there
 * are more layers.
 */
function seenBefore({ before, layer, means, parts, veiled }) {
  if (!before || before.veiled) return null;
  if (before.parts !== parts) {
    const told = veiled ? before.layer : layer;
    const name = fillIn(WAS.parts, { parts: before.parts, mean: digits(before.means[told]) });
    return { means: before.means, last: Math.max(told, before.layer), name };
  }
  const known = before.layer;
  if (known >= layer) return null;
  const name = fillIn(WAS.layer, { layer: known, mean: digits(means[known]) });
  return { means, last: known, known, name };
}

/** The curve that was seen before, and its name with its number: above its end where it goes on. */
function ghost(points, { known, name }) {
  const [x, y] = points.at(-1);
  const words = fit(name, CHART.right - CHART.left);
  const wide = widthOf(words);
  const isBeside = !known && x + TICKS.left + wide < CHART.right;
  const end = Math.max(x, CHART.left + wide); // left of it stand the axis and its words
  const foot = isBeside ? [x + TICKS.left, y] : [end, y - TICKS.left];
  return [
    curve("was curve", "ghost", points, { glide: 1 }),
    text("was name", "ghosted halo", foot, words, isBeside ? LEFT_END : RIGHT_END),
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
    after: playing(state), // the layers are seen first
    veiled,
  };
  // A curve that was seen before has its number beside it.
  const told = answer(shown, act).filter(({ id }) => id !== "answer-before" || !seenBefore(state));
  return [...plane(state, room, act), ...chart(state, room, act), ...told];
}

/** The sentence that says what to see; of other parts before, both numbers. */
export function caption(state) {
  const { before, chosen, directions, layer, means, nearest, parts, tokens, veiled } = state;
  const { token, cosine } = nearest[chosen];
  let kind = means[layer] > CLOSE ? "closer" : "apart";
  if (means[layer] > ALIKE) kind = "one";
  else if (seenBefore(state) && before.parts !== parts)
    kind = kind === "closer" && means[layer] < before.means[layer] ? "slower" : "two";
  const values = { token: tokens[chosen], nearest: tokens[token], cosine: digits(cosine) };
  const [mean, was] = [means, before?.means ?? means].map((each) => digits(each[layer]));
  const both = { directions, layer, parts, other: before?.parts, mean, before: was };
  return fillIn(SENTENCES[veiled ? "veiled" : kind], { ...values, ...both });
}

/** What a key means: another token. */
export function keysOf(state, key) {
  const across = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[key] ?? key;
  const next = step(across, [0, state.chosen], 1, state.tokens.length);
  return next && { chosen: next[1], calm: !state.veiled };
}

const traits = ["tokens", "paths", "directions", "means", "parts", "layer", "chosen", "nearest"];
export default demo({
  name: "depth",
  looks: {
    plane: filled("surface"),
    "text.name.halo": { stroke: "var(--surface)" },
    leader: drawn("ghost", 2),
    trail: filled("ghost", { opacity: 0.28 }),
    pair: drawn("ink", 3),
    curve: CURVE,
  },
  traits,
  own: { calm: false }, // true once another word was chosen: then no layer is waited for
  forget: { veiled: ["calm"], layer: ["calm"], means: ["calm"] },
  keep: ["chosen", "calm"],
  layout,
  caption,
  wait: playing,
  keys: keysOf,
});
