// Every layer and head as one cell, beside the maps of one layer: rows are layers, columns heads.
import { clamp, digits, numbers, short, step } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { dot, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

export const WIDTH = 524; // of the room, beside the maps
const TOP = 214; // of the grid: the answer stands above it
const LEFT = 72; // the number of the layer, and what rows and columns are
const FOOT = 8;
const LARGEST = { width: 112, height: 96 }; // of a cell
const BESIDE = 8; // from the grid to a number
const LINES = { weight: 168, number: 206 }; // the feet of the lines above the grid
const HALF_WEIGHT = 0.5; // a head that looks with more is counted
const PLACES = 3; // of a weight in the sentence
const MIDDLE = 8; // from the middle of a line of letters down to its foot
const HALF = 15; // of a number of two digits
const LAYERS = 34; // from the numbers of the layers to the foot of "layer"
const LEAST_MIDDLE = 32; // of "layer", below the line of heads
const DOT = 0.22; // radius of the mark of a head that is counted, in cells
const LARGEST_DOT = 6;
const LEAST_FULL = 0.2; // where no head looks there with more, the grid stays pale
const DARK = 0.72; // from this share of the weight's colour on, the dot has the paper's colour

/** Where the first weight of a layer stands. */
function startOf(heads, layer) {
  let start = 0;
  for (let i = 0; i < layer; i++) start += heads[i];
  return start;
}

/** What a head of a layer puts on the key. */
export function weightOf({ heads, weights }, layer, head) {
  return weights[startOf(heads, layer) + head];
}

/** The largest of all: {layer, head, weight}. */
export function most({ heads, weights }) {
  const weight = weights.reduce((one, other) => Math.max(one, other));
  let head = weights.indexOf(weight);
  let layer = 0;
  while (head >= heads[layer]) {
    head -= heads[layer];
    layer += 1;
  }
  return { layer, head, weight };
}

/** The weight with the full colour; the maps' own, of many keys, would fill half the grid. */
const fullOf = (state) => Math.max(LEAST_FULL, most(state).weight);

/** Where the grid and its cells are in a room. */
export function gridOf({ heads }, { height }) {
  const columns = Math.max(...heads);
  const w = Math.min(LARGEST.width, (WIDTH - LEFT - 2) / columns);
  const h = Math.min(LARGEST.height, (height - FOOT - TOP) / heads.length);
  return { x: WIDTH - 2 - w * columns, y: TOP, w, h, columns, rows: heads.length };
}

const cellOf = (layer, head, { x, y, w, h }) => ({ x: x + head * w, y: y + layer * h, w, h });

/** The cells of all heads; a click shows the maps of that layer. */
function cellMarks(state, grid, act) {
  const full = fullOf(state);
  return state.heads.flatMap((count, layer) =>
    Array.from({ length: count }, (_, head) =>
      rect(`head ${layer}.${head}`, "frame pick", cellOf(layer, head, grid), {
        rx: 0,
        tint: state.hidden ? 0 : weightOf(state, layer, head) / full,
        pick: () => act.change({ layer, head }),
      }),
    ),
  );
}

/** How many of all look here with more than a half. */
export const countOf = ({ weights }) => weights.filter((weight) => weight > HALF_WEIGHT).length;

/** A dot on each head that is counted. */
function countedMarks(state, grid) {
  const full = fullOf(state);
  const radius = Math.min(LARGEST_DOT, DOT * Math.min(grid.w, grid.h) + 1);
  return state.heads.flatMap((count, layer) =>
    Array.from({ length: count }, (_, head) => ({ head, weight: weightOf(state, layer, head) }))
      .filter(({ weight }) => weight > HALF_WEIGHT)
      .map(({ head, weight }) => {
        const kind = weight / full > DARK ? "counted light" : "counted";
        const middle = [grid.x + (head + 0.5) * grid.w, grid.y + (layer + 0.5) * grid.h];
        return dot(`counted ${layer}.${head}`, kind, middle, radius);
      }),
  );
}

/** What rows and columns are, and the numbers of the layer and the head that are shown. */
function axisMarks({ layer, head }, grid) {
  const row = grid.y + (layer + 0.5) * grid.h + MIDDLE;
  const column = Math.min(grid.x + (head + 0.5) * grid.w, WIDTH - HALF);
  const middle = grid.y + Math.max(LEAST_MIDDLE, (grid.rows * grid.h) / 2);
  const first = grid.x - BESIDE;
  return [
    text("heads", "faint", [first, LINES.number], "head", { anchor: "end" }),
    text("layers", "faint", [first - LAYERS, middle], "layer", { turn: -90 }),
    text("column", "bold", [column, LINES.number], `${head + 1}`),
    text("row", "bold", [first, row], `${layer + 1}`, { anchor: "end" }),
  ];
}

function answerMarks(state, act) {
  const { layer, head, asks, asked, hidden, weights } = state;
  const label = `${short(asks, 5)} \u2192 ${short(asked, 6)} > \u00bd`;
  const format = (count) => `${Math.round(count)} of ${weights.length}`;
  const weight = `this head: ${digits(weightOf(state, layer, head))}`;
  const show = { next: () => act.change({ hidden: false }) };
  return [
    ...answer({ number: countOf(state), format, label, veiled: hidden, x: WIDTH }, show),
    ...(hidden ? [] : [text("weight", "bold", [WIDTH, LINES.weight], weight, { anchor: "end" })]),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const grid = gridOf(state, room);
  const { layer, head } = state;
  return [
    ...axisMarks(state, grid),
    ...cellMarks(state, grid, act),
    ...(state.hidden ? [] : countedMarks(state, grid)),
    rect("here", "focused", cellOf(layer, head, grid), { rx: 0 }),
    ...answerMarks(state, act),
  ];
}

/** The sentence that names layer and head, and which of all look there most. */
export function caption(state) {
  if (state.hidden) return "Which layer, which head?";
  const { layer, head } = state;
  const best = most(state);
  const count = state.weights.length;
  const weight = digits(best.weight, PLACES);
  const here = `layer ${layer + 1}, head ${head + 1}`;
  if (best.layer === layer && best.head === head) return `${here}: the most of ${count}, ${weight}`;
  const there = `layer ${best.layer + 1}, head ${best.head + 1}`;
  return `${here} \u00b7 most of ${count}: ${there}, ${weight}`;
}

/** What a key means: the answer, the most, another layer (up and down) or another head. */
export function keysOf(state, key) {
  const { layer, head, heads, hidden } = state;
  if (key === "Enter" && hidden) return { hidden: false };
  if (key === "Enter") {
    const { weight, ...there } = most(state);
    return there;
  }
  const next = step(key, [layer, head], heads.length, Math.max(...heads));
  if (!next) return null;
  return { layer: next[0], head: Math.min(next[1], heads[next[0]] - 1) };
}

function read(model) {
  const heads = model.get("heads");
  const layer = clamp(model.get("layer"), 0, heads.length - 1);
  const head = clamp(model.get("head"), 0, heads[layer] - 1);
  return { layer, head, weights: numbers(model.get("weights")) };
}

export default demo({
  name: "map-layers",
  looks: {
    counted: filled("ink"),
    "counted.light": filled("weight-digit"),
  },
  width: WIDTH,
  traits: ["heads", "asks", "asked", "hidden"],
  read,
  keep: ["layer", "head"],
  layout,
  caption,
  keys: keysOf,
});
