// A dial for d_k: the weights of one query sharpen in place while all scores spread.
import { scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { digits, fillIn, step } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { histogram } from "../frame/histogram.mjs";
import { dot, number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const LEFT = 48; // of the row of weights
const RIGHT = 836;
const TOP = 44; // where a weight of 1 ends
const FLOOR = 132; // from the row to the floor of the room
const FILLED = 0.74; // of the room of a bar
const NUMBER = 28; // from the row to the numbers of its keys
const TRACK = 44; // from the dial of the divisor to the floor of the room
const TRACK_LEFT = 150;
const KNOB = 15;
const MARK_ABOVE = 24; // from the dial up to the baseline of a mark's name
const SYMBOLS = 32; // letters: those of a subscript are a quarter smaller, and still 24
const NEAREST = 70; // marks closer than this would meet
const MOST_DIVISOR = 512;
const STOPS = [1, 8, 64, 512];
const HISTOGRAM = { left: 896, right: 20, top: 226, below: 76 }; // of the room
const CLOSE = { width: 128, high: 84, above: 36, ticks: 26, name: 14 }; // the close-up's box

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
    track: height - TRACK,
    center: (i) => LEFT + column * (i + 0.5),
  };
}

/** The dial of the divisor: each doubling is as far. */
export const DIAL = scale({
  domain: [1, MOST_DIVISOR],
  range: [TRACK_LEFT, RIGHT],
  log: true,
  clamped: true,
});

/** The divisor at a place of the dial, as somebody would say it. */
export function divisorAt(x) {
  const by = DIAL.back(x);
  return by < 10 ? Math.round(by * 10) / 10 : Math.round(by);
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

/** The marks of the two divisors of the lesson, from when they were tried. */
function named(state, at) {
  if (!state.marked) return [];
  const found = [{ name: "d_k", by: state.d_k }];
  const root = Math.sqrt(state.d_k);
  const isApart = DIAL.at(state.d_k) - DIAL.at(root) > NEAREST;
  if (isApart) found.push({ name: "\u221ad_k", by: root });
  return found.flatMap(({ name, by }) => {
    const x = DIAL.at(by);
    return [
      rect(`notch ${name}`, "ink", { x: x - 1.5, w: 3, y: at.track - 16, h: 32 }),
      text(`named ${name}`, "", [x, at.track - MARK_ABOVE], name, { size: SYMBOLS }),
    ];
  });
}

/** The dial of the divisor: a track, its numbers, and a knob to drag. */
function dial(state, at, act) {
  const drag = ([x]) => act.change({ by: divisorAt(x) });
  const here = DIAL.at(state.by);
  const track = { x: TRACK_LEFT, w: RIGHT - TRACK_LEFT, y: at.track - 4, h: 8 };
  const hold = { x: TRACK_LEFT - 20, w: track.w + 40, y: at.track - 22, h: 44 };
  return [
    text("divide", "", [0, at.track + 8], "divide by", { anchor: "start" }),
    rect("track", "rule", track, { rx: 4 }),
    rect("filled", "ink", { ...track, w: here - TRACK_LEFT }, { rx: 4 }),
    ...ticksAcross(DIAL, STOPS, at.track + 40, { name: "stop" }),
    ...named(state, at),
    dot("knob", "ink", [here, at.track], KNOB),
    rect("dial", "pick hold", hold, { pick: drag, drag }),
  ];
}

/** Scores that are too close together for the axis of all: a close-up, with an axis of its own. */
function closeUp({ close, reach }, { left, floor: foot }) {
  const { width, high, above, ticks, name } = CLOSE;
  const floor = foot - above;
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
  const { left, right, top, below } = HISTOGRAM;
  const floor = room.height - below;
  const box = { left, right: room.width - right, floor, high: floor - top };
  const label = "typical largest weight";
  const { median, veiled, before } = state;
  return [
    ...row(state, at, act),
    ...dial(state, at, act),
    ...histogram(state, box, { name: state.axis, size: SYMBOLS }),
    ...(state.close.length > 0 ? closeUp(state, box) : []),
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
    ...["close", "reach", "median", "saturated", "d_k", "by", "marked"],
  ],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
});
