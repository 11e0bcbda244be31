// In the encoder: four heads, the arrow of one head, what flows over it, each word alone.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { dot, rect, text, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  bow,
  EVENT,
  HEAD,
  highest,
  PRONOUN,
  later,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const LEAST = 0.01; // a share below it is no line
const CELL = { w: 100, h: 38 }; // one share of a row
const STRIP = { first: 170, step: 60, h: 26 }; // the rows of the heads that are not chosen

const cellAt = (i, y, h) => ({ x: across(i) - CELL.w / 2, y, w: CELL.w, h });

/** A row of shares with their digits. */
const cells = (row, y) =>
  row.map((share, i) => ({
    ...{ id: `share ${i}`, kind: "cell", ...cellAt(i, y, CELL.h) },
    ...{ number: share, tint: share, delay: EVENT / 2 },
  }));

const footOf = (height) => height - 148; // of the row with digits

/** The rows of the other heads, as strips with their largest share. */
function strips(rows) {
  return rows.slice(0, HEAD).flatMap((row, head) => {
    const y = STRIP.first + STRIP.step * head;
    const name = `head ${head + 1}: at most ${digits(Math.max(...row))}`;
    return [
      text(`head ${head}`, "", [cellAt(0).x, y - 8], name, { anchor: "start" }),
      ...row.map((share, i) =>
        rect(`head ${head} ${i}`, "swatch", cellAt(i, y, STRIP.h), { tint: share }),
      ),
    ];
  });
}

/** The row of "it" in four heads, the fourth with its digits. */
export function heads(state, { height }, act) {
  const { told, veiled } = state;
  const row = told.layer1[HEAD];
  const key = highest(row);
  const foot = footOf(height);
  const marks = [
    ...tiles(state, "embedded", (i) => [across(i), height - 72], 44, PRONOUN),
    ...words(state, height - 16, veiled ? {} : { [key]: "key bold" }),
  ];
  const label = veiled ? "it → ?" : `it → ${told.source[key]}, head ${HEAD + 1}`;
  const play = { number: row[key], format: digits, after: EVENT, veiled, label };
  const top = STRIP.first - 32;
  const box = { x: cellAt(0).x, y: top, w: WIDTH - 2 * cellAt(0).x, h: foot + 46 - top };
  if (veiled)
    return [
      ...marks,
      ...later(state, veil(box, "The row of “it” in four heads", act)),
      ...answer(play, act),
    ];
  const name = [cellAt(0).x, foot - 6];
  return [
    ...marks,
    ...strips(told.layer1),
    text("head", "bold", name, `head ${HEAD + 1}`, { anchor: "start" }),
    ...cells(row, foot + 4),
    ...answer(play, act),
  ];
}

/** An arc that grows out of "it"; the further, the higher. */
function arc(i, share, foot, top) {
  return {
    id: `arc ${i}`,
    class: "arc",
    d: bow,
    start: across(PRONOUN),
    end: across(i),
    foot,
    top: foot - ((foot - top) * (Math.abs(i - PRONOUN) + 1)) / PRONOUN,
    thick: 14 * share,
  };
}

/** The row of "it" in the one head of layer 2. */
export function arcs(state, { height }, act) {
  const { told, veiled } = state;
  const foot = footOf(height);
  const key = told.noun;
  const named = veiled ? {} : { [key]: "key bold" };
  const marks = [
    ...tiles(state, "layer1", (i) => [across(i), height - 72], 44, PRONOUN),
    ...words(state, height - 16, named),
  ];
  const play = { number: told.layer2[key], format: digits, after: EVENT, veiled };
  const label = veiled ? "it → ?" : `it → ${told.source[key]}`;
  const hidden = { x: 20, y: height - 260, w: 1176, h: 140 };
  if (veiled)
    return [
      ...marks,
      ...later(state, veil(hidden, "The row of “it”", act)),
      ...answer({ ...play, label }, act),
    ];
  const grown = { from: { end: across(PRONOUN), o: 1 }, glide: EVENT };
  const seen = told.layer2.map((share, i) => ({ share, i })).filter(({ i }) => i !== PRONOUN);
  const curves = seen
    .filter(({ share }) => share > LEAST)
    .map(({ share, i }) => ({ ...arc(i, share, foot, 20), ...grown }));
  return [...marks, ...curves, ...cells(told.layer2, foot + 4), ...answer({ ...play, label }, act)];
}

const SIDE = 128; // of a large vector
const POINT = 24; // of the band to "it"
const PLUS = 18;
const LEFT = 340; // the noun's vectors
const RIGHT = 840; // and those of "it"
const BRIGHT = 0.3; // a number that is drawn as dark as can be: values are smaller than vectors

/** The band from the value to "it", as thick as its weight. */
function flow(told, y) {
  const [from, to] = [LEFT + SIDE / 2 + 4, RIGHT - PLUS - 4 - POINT];
  const band = ({ x, toX }) => `M${x},${y}H${toX + 1}`;
  const point = ({ toX }) => `M${toX},${y - POINT}L${toX + POINT},${y}L${toX},${y + POINT}Z`;
  const share = told.layer2[told.noun];
  const grows = { x: from, toX: to, from: { toX: from, o: 1 }, glide: EVENT };
  return [
    { id: "river", class: "river", d: band, thick: 14 * share, ...grows },
    { id: "point of the river", class: "value", d: point, ...grows },
    text("times", "bold halo", [(from + to) / 2, y - 30], `× ${digits(share)}`, { size: 64 }),
  ];
}

/** Where two vectors are added. */
function plus([x, y], more) {
  const sign = () => `M${x - PLUS / 2},${y}H${x + PLUS / 2}M${x},${y - PLUS / 2}V${y + PLUS / 2}`;
  return [
    dot("place of the sum", "plus", [x, y], PLUS, more),
    { id: "plus", class: "own", d: sign, ...more },
  ];
}

/** What flows over the arrow: the noun's value, times its weight. */
export function pour(state, { height }) {
  const { told, word } = state;
  const [low, high] = [height - 104, SIDE / 2 + 16];
  const middle = (low + high) / 2;
  const [from, to] = [LEFT, RIGHT];
  const beside = (id, y, words, kind = "") =>
    text(id, kind, [to + SIDE / 2 + 16, y + 9], words, { anchor: "start" });
  const green = { version: word, colour: "value", edge: "value-edge" };
  const { layer1, attended } = told.tiles;
  const plain = { version: word, edge: "own-edge" };
  const first = [
    ...tile(`layer1 ${told.noun}`, layer1[told.noun], [from, low], SIDE, plain),
    ...tile(`layer1 ${PRONOUN}`, layer1[PRONOUN], [to, low], SIDE, plain),
    text(`word ${told.noun}`, "key bold", [from, height - 10], told.source[told.noun]),
    text(`word ${PRONOUN}`, "query bold", [to, height - 10], "it"),
    beside("before", low, "before"),
  ];
  const then = [
    ...arrow("up", "value-line", [from, low - SIDE / 2], [from, middle + SIDE / 2 + 3]),
    ...tile("value", told.value, [from, middle], SIDE, { ...green, most: BRIGHT }),
    text("value name", "value bold", [from - SIDE / 2 - 16, middle + 9], "value", {
      anchor: "end",
    }),
    ...flow(told, middle),
    ...arrow("add", "own", [to, low - SIDE / 2], [to, high + SIDE / 2 + 3]),
    ...plus([to, middle]),
    ...tile(`attended ${PRONOUN}`, attended[PRONOUN], [to, high], SIDE, {
      ...plain,
      delay: 1.5 * EVENT,
    }),
    beside("after", high, `after: it + ${told.source[told.noun]}`, "bold"),
  ];
  return [...first, ...later(state, then)];
}

/** Feed-forward: no arrow goes from a word to another. */
export function alone(state, { height }, act) {
  const { told, veiled } = state;
  const [low, high] = [height - 92, height - 264];
  const ups = told.source.flatMap((_, i) => {
    const [x, kind] = [across(i), i === PRONOUN ? "query-line" : "own"];
    return arrow(`up ${i}`, kind, [x, low - 26], [x, high + 26]);
  });
  const y = high - 36;
  const named = told.gloss.map((word, i) =>
    text(`gloss ${i}`, i === PRONOUN ? "query bold" : "", [across(i), y], word),
  );
  const same = [told.noun, PRONOUN].map((i) =>
    rect(`same ${i}`, "row", { x: across(i) - 50, y: y - 29, w: 100, h: 42 }, { rx: 6 }),
  );
  const row = [8, y - 60];
  named.push(text("row", "", row, "the model's French for each word", { anchor: "start" }));
  const means = { words: told.gloss[PRONOUN], label: "“it”, read out", veiled };
  const marks = [
    ...tiles(state, "attended", (i) => [across(i), low], 44, PRONOUN),
    ...words(state, height - 18),
    ...later(state, ups),
  ];
  const after = answer(means, act);
  if (veiled) {
    const box = { x: 20, y: high - 96, w: 1176, h: 122 };
    return [...marks, ...later(state, veil(box, "Each word, worked on", act)), ...after];
  }
  const made = tiles(state, "memory", (i) => [across(i), high], 44, PRONOUN);
  const band = { x: 4, y: high + 40, w: 1208, h: low - high - 80 };
  const inside = [WIDTH / 2, (low + high) / 2 + 9];
  return [
    ...[marks, made, named, same].flat(),
    rect("network", "layer", band, { rx: 8 }),
    text("network name", "bold", inside, "the same feed-forward network, word by word"),
    ...after,
  ];
}
