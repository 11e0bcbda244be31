// A dial for d_k: the weights of one query sharpen in place while all scores spread.
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { demo } from "../frame/stage.mjs";
import { histogram } from "../frame/histogram.mjs";

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
    track: height - TRACK,
    center: (i) => LEFT + column * (i + 0.5),
  };
}

/** Where a divisor stands on its dial: each doubling is as far. */
export function dialAt(by) {
  const part = Math.log2(clamp(by, 1, MOST_DIVISOR)) / Math.log2(MOST_DIVISOR);
  return TRACK_LEFT + part * (RIGHT - TRACK_LEFT);
}

/** The divisor at a place of the dial, as somebody would say it. */
export function divisorAt(x) {
  const part = clamp((x - TRACK_LEFT) / (RIGHT - TRACK_LEFT), 0, 1);
  const by = MOST_DIVISOR ** part;
  return by < 10 ? Math.round(by * 10) / 10 : Math.round(by);
}

function bar(i, state, at, act) {
  const isHere = i === state.here;
  const weight = state.weights[i];
  const w = at.column * FILLED;
  const x = at.center(i) - w / 2;
  const h = Math.max(1, weight * at.high);
  const box = { x, w, y: at.floor - h, h, rx: 2 };
  const marks = [{ id: `weight ${i}`, class: "weight", ...box }];
  const was = state.before?.weights[i];
  if (was !== undefined && was !== weight) {
    const ghost = { x: x - 3, w: w + 6, y: at.floor - was * at.high, h: was * at.high };
    marks.push({ id: `was ${i}`, class: "ghost", rx: 2, glide: 1, ...ghost });
  }
  if (i === state.weights.indexOf(Math.max(...state.weights))) {
    const number = { number: weight, format: few };
    marks.push({ id: "largest", class: "bold halo", x: at.center(i), y: box.y - 10, ...number });
  }
  const point = () => {
    if (!isHere) act.change({ here: i }, { keep: true });
  };
  const column = { x: at.center(i) - at.column / 2, w: at.column, y: TOP, h: at.high + NUMBER };
  return [...marks, { id: `column ${i}`, class: "pick", ...column, hover: point, pick: point }];
}

function row(state, at, act) {
  const marks = [
    { id: "one", class: "faint", anchor: "end", x: LEFT - 12, y: TOP + 8, text: "1" },
    { id: "top", class: "rule", x: LEFT, w: RIGHT - LEFT, y: TOP, h: 1 },
    { id: "floor of row", class: "rule", x: LEFT, w: RIGHT - LEFT, y: at.floor, h: 2 },
  ];
  for (const i of state.weights.keys()) {
    const kind = i === state.here ? "place bold here" : "place faint";
    const place = { x: at.center(i), y: at.floor + NUMBER };
    marks.push({ id: `key ${i}`, class: kind, text: String(i + 1), ...place });
  }
  if (!state.veiled) {
    const told = { x: LEFT, y: 24, anchor: "start", text: "one query\u2019s weights on 16 keys" };
    const bars = state.weights.flatMap((_, i) => bar(i, state, at, act));
    return [...marks, { id: "told", ...told }, ...bars];
  }
  const box = { x: LEFT, w: RIGHT - LEFT, y: TOP, h: at.high, rx: 8 };
  const middle = { x: (LEFT + RIGHT) / 2, y: TOP + at.high / 2, size: 28 };
  marks.push({ id: "veil", class: "veil", ...box, pick: () => act.next() });
  marks.push({ id: "ask", class: "bold halo", ...middle, text: "what happens to the weights?" });
  return marks;
}

/** The marks of the two divisors of the lesson, from when they were tried. */
function named(state, at) {
  if (!state.marked) return [];
  const found = [{ name: "d_k", by: state.d_k }];
  const root = Math.sqrt(state.d_k);
  if (dialAt(state.d_k) - dialAt(root) > NEAREST) found.push({ name: "\u221ad_k", by: root });
  return found.flatMap(({ name, by }) => [
    { id: `notch ${name}`, class: "ink", x: dialAt(by) - 1.5, w: 3, y: at.track - 16, h: 32 },
    { id: `named ${name}`, x: dialAt(by), y: at.track - MARK_ABOVE, size: SYMBOLS, text: name },
  ]);
}

/** The dial of the divisor: a track, its numbers, and a knob to drag. */
function dial(state, at, act) {
  const drag = ([x]) => act.change({ by: divisorAt(x) });
  const track = { x: TRACK_LEFT, w: RIGHT - TRACK_LEFT, y: at.track - 4, h: 8, rx: 4 };
  const filled = { ...track, w: dialAt(state.by) - TRACK_LEFT };
  const hold = { x: TRACK_LEFT - 20, w: track.w + 40, y: at.track - 22, h: 44 };
  const numbers = STOPS.map((stop) => ({
    id: `stop ${stop}`,
    class: "faint",
    x: dialAt(stop),
    y: at.track + 40,
    text: String(stop),
  }));
  return [
    { id: "divide", anchor: "start", x: 0, y: at.track + 8, text: "divide by" },
    { id: "track", class: "rule", ...track },
    { id: "filled", class: "ink", ...filled },
    ...numbers,
    ...named(state, at),
    { id: "knob", class: "ink", x: dialAt(state.by), y: at.track, r: KNOB },
    { id: "dial", class: "pick hold", ...hold, pick: drag, drag },
  ];
}

/** Scores that are too close together for the axis of all: a close-up, with an axis of its own. */
function closeUp({ close, reach }, { left, floor: foot }) {
  const { width, high, above, ticks, name } = CLOSE;
  const floor = foot - above;
  const most = Math.max(...close, 1);
  const pitch = width / close.length;
  const tick = (value, x, anchor) => {
    const place = { x, y: floor + ticks, anchor };
    return { id: `close tick ${value}`, class: "faint", ...place, text: digits(value, 0) };
  };
  const bins = close.map((count, i) => {
    const h = (high * count) / most;
    const box = { x: left + i * pitch, w: pitch, y: floor - h, h };
    return { id: `close ${i}`, class: "bin score", ...box };
  });
  const title = { x: left, y: floor - high - name, anchor: "start" };
  return [
    ...bins,
    { id: "floor of close", class: "rule", x: left, w: width, y: floor, h: 2 },
    tick(-reach, left, "start"),
    tick(reach, left + width, "end"),
    { id: "close up", class: "faint", ...title, text: "close up" },
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const { left, right, top, below } = HISTOGRAM;
  const floor = room.height - below;
  const box = { left, right: room.width - right, floor, high: floor - top };
  const label = "typical largest weight";
  const { median: number, veiled, before } = state;
  return [
    ...row(state, at, act),
    ...dial(state, at, act),
    ...histogram(state, box, { name: state.axis, size: SYMBOLS }),
    ...(state.close.length > 0 ? closeUp(state, box) : []),
    ...answer({ number, format: few, label, before: before?.median, veiled }, act),
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
