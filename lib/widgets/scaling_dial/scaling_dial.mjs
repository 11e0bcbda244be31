// A dial for d_k: the weights of one query sharpen in place while all scores spread.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer, isUnasked } from "../frame/lettering.mjs";
import { histogram } from "../frame/histogram.mjs";
import { number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = 48; // of the row of weights
const RIGHT = 836;
const TOP = 44; // where a weight of 1 ends
const FLOOR = 40; // from the row to the floor of the room
const FILLED = 0.74; // of the room of a bar
const NUMBER = 28; // from the row to the numbers of its keys
const SYMBOLS = 32; // letters: those of a subscript are a quarter smaller, and still 24
const HISTOGRAM = { left: 896, right: 20, top: 226, below: 76 }; // of the room
const BESIDE_CLOSE = 168; // the histogram's width where the close-up stands at its left
const CLOSE = { left: 870, width: 112, high: 84, ticks: 30, name: 14 };

/** A weight in few digits, and never "1.00" for what is not. */
export const few = (weight) => digits(weight, weight > 0.995 && weight < 1 ? 3 : 2);

/** Where everything stands in a room. */
function geometry(state, { width, height }) {
  const floor = height - FLOOR;
  const column = (RIGHT - LEFT) / state.weights.length;
  return {
    width,
    height,
    floor,
    column,
    high: floor - TOP,
    weights: scale({ domain: [0, 1], range: [floor, TOP] }),
    center: (i) => LEFT + column * (i + 0.5),
  };
}

function bar(i, state, at, act) {
  const isHere = i === state.here;
  const weight = state.weights[i];
  const w = at.column * FILLED;
  const x = at.center(i) - w / 2;
  const h = Math.max(1, weight * at.high);
  const y = at.floor - h;
  const marks = [rect(`weight ${i}`, "weight", { x, w, y, h }, { rx: 2 })];
  const was = state.before?.weights[i];
  if (was !== undefined && was !== weight) {
    const ghost = { x: x - 3, w: w + 6, y: at.weights.at(was), h: was * at.high };
    marks.push(rect(`was ${i}`, "ghost", ghost, { rx: 2, glide: 1 }));
  }
  if (i === state.weights.indexOf(Math.max(...state.weights)))
    marks.push(number("largest", "bold halo", [at.center(i), y - 10], weight, few));
  const point = () => {
    if (!isHere) act.change({ here: i }, { keep: true });
  };
  const column = { x: at.center(i) - at.column / 2, w: at.column, y: TOP, h: at.high + NUMBER };
  return [...marks, rect(`column ${i}`, "pick", column, { hover: point, pick: point })];
}

function row(state, at, act) {
  const across = { x: LEFT, w: RIGHT - LEFT };
  const marks = [
    ...ticksUpward(at.weights, [{ value: 1, id: "one" }], LEFT - 12, { low: 8 }),
    rect("top", "rule", { ...across, y: TOP, h: 1 }),
    rect("floor of row", "rule", { ...across, y: at.floor, h: 2 }),
  ];
  for (const i of state.weights.keys()) {
    const kind = i === state.here ? "place bold here" : "place faint";
    marks.push(text(`key ${i}`, kind, [at.center(i), at.floor + NUMBER], String(i + 1)));
  }
  if (!state.veiled) {
    const told = "one query\u2019s weights on 16 keys";
    const bars = state.weights.flatMap((_, i) => bar(i, state, at, act));
    return [...marks, text("told", "", [LEFT, 24], told, { anchor: "start" }), ...bars];
  }
  const box = { ...across, y: TOP, h: at.high };
  const middle = [(LEFT + RIGHT) / 2, TOP + at.high / 2];
  return [
    ...marks,
    rect("veil", "veil", box, { rx: 8, pick: () => act.next() }),
    text("ask", "bold halo", middle, "what happens to the weights?", { size: 28 }),
  ];
}

/** Scores that are too close together for the axis of all: a close-up, with an axis of its own. */
function closeUp({ close, reach }, floor) {
  const { left, width, high, ticks, name } = CLOSE;
  const most = Math.max(...close, 1);
  const pitch = width / close.length;
  const bins = close.map((count, i) => {
    const h = (high * count) / most;
    return rect(`close ${i}`, "bin score", { x: left + i * pitch, w: pitch, y: floor - h, h });
  });
  const axis = scale({ domain: [-reach, reach], range: [left, left + width] });
  const ends = [
    { value: -reach, anchor: "start" },
    { value: reach, anchor: "end" },
  ];
  return [
    ...bins,
    rect("floor of close", "rule", { x: left, w: width, y: floor, h: 2 }),
    ...ticksAcross(axis, ends, floor + ticks, { name: "close tick" }),
    text("close up", "faint", [left, floor - high - name], "close up", { anchor: "start" }),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const floor = room.height - HISTOGRAM.below;
  const right = room.width - HISTOGRAM.right;
  const hasClose = state.close.length > 0;
  const left = hasClose ? right - BESIDE_CLOSE : HISTOGRAM.left;
  const box = { left, right, floor, high: floor - HISTOGRAM.top };
  const middle = ((hasClose ? CLOSE.left : left) + right) / 2;
  const label = "typical largest weight";
  const { median, before } = state;
  const veiled = state.veiled || isUnasked(state);
  return [
    ...row(state, at, act),
    ...histogram(state, box, { name: state.axis, size: SYMBOLS, middle }),
    ...(hasClose ? closeUp(state, floor) : []),
    ...answer({ number: median, format: few, label, before: before?.median, veiled }, act),
  ];
}

const SENTENCES = {
  veiled: "Predict first: how large does the largest weight get? Enter shows it.",
  rows: "{percent}% of 1,024 rows give one key more than 0.99.",
  key: "Key {key}: score {score} \u2192 weight {weight}.",
};

/** The sentence that says what to see. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  const { here, saturated, scores, weights } = state;
  if (here === null) return fillIn(SENTENCES.rows, { percent: digits(100 * saturated, 0) });
  const [score, weight] = [digits(scores[here]), digits(weights[here], 4)];
  return fillIn(SENTENCES.key, { key: here + 1, score, weight });
}

/** What a key means: another key of the row, or none. */
export function keysOf(state, key) {
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? -1], 1, state.weights.length);
  return next && { here: next[1] };
}

export default demo({
  name: "scaling-dial",
  traits: [
    ...["counts", "range", "spread", "axis", "scores", "weights"],
    ...["close", "reach", "median", "saturated", "moved"],
  ],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
