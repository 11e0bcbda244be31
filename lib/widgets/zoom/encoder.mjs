// In the encoder: four heads, the arrow of one head, what flows over it, each word alone.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { dot, rect, text, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  bow,
  EVENT,
  FLIGHT,
  HEAD,
  highest,
  PRONOUN,
  later,
  map,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const OTHERS = 0.35; // how strong the rows are that are not looked at
const ROW = 30; // of the large map
const TURN = -60; // the names of its columns are wider than a column
const LEAST = 0.01; // a share below it is no line
const LARGE = { x: 190, y: 84 };
const SMALL = { x: 618, y: 224, side: 184, step: 204 };

const rowBox = (box, rows) => ({
  x: box.x - 3,
  y: box.y + (PRONOUN * box.h) / rows - 2,
  w: box.w + 6,
  h: box.h / rows + 4,
});

/** The largest weight in the row of "it". */
const most = (weights) => Math.max(...weights[PRONOUN]);

function smallMaps({ told, word }) {
  return told.layer1.slice(0, HEAD).flatMap((weights, i) => {
    const { side, step, y } = SMALL;
    const box = { x: SMALL.x + i * step, y, w: side, h: side };
    return [
      map(`map ${i}`, weights, box, `${word} ${i}`, OTHERS),
      rect(`frame ${i}`, "own-edge", box),
      rect(`row ${i}`, "row", rowBox(box, weights.length)),
      text(`head ${i}`, "", [box.x + side / 2, y - 14], `head ${i + 1}`),
      text(`most ${i}`, "", [box.x + side / 2, y + side + 32], `at most ${digits(most(weights))}`),
    ];
  });
}

/** The names of the large map's columns, below it; key: the one that is looked at most. */
const columns = (source, key, y) =>
  source.map((token, i) =>
    text(`column ${i}`, i === key ? "key bold" : "", [LARGE.x + ROW * (i + 0.8), y + 20], token, {
      turn: TURN,
      anchor: "end",
    }),
  );

/** Four maps, the fourth large: each row is a word that asks. */
export function heads(state, _room, act) {
  const { told, word, veiled } = state;
  const { source } = told;
  const weights = told.layer1[HEAD];
  const side = ROW * source.length;
  const box = { ...LARGE, w: side, h: side };
  const whole = { ...box, w: SMALL.x + 2 * SMALL.step - box.x };
  const middle = (i) => LARGE.y + ROW * (i + 0.5);
  const marks = [
    ...tiles(state, "embedded", (i) => [30, middle(i)], ROW - 4, PRONOUN),
    ...source.map((token, i) =>
      text(`word ${i}`, i === PRONOUN ? "query bold" : "", [56, middle(i) + 9], token, {
        anchor: "start",
        glide: FLIGHT,
      }),
    ),
  ];
  const key = highest(weights[PRONOUN]);
  const play = { number: weights[PRONOUN][key], format: digits, after: EVENT, veiled };
  const said = {
    ...play,
    label: veiled ? "it → ?" : `it → ${source[key]}, head ${HEAD + 1}`,
    x: 1196,
  };
  if (veiled)
    return [...marks, ...later(state, veil(whole, "Four maps", act)), ...answer(said, act)];
  return [
    ...marks,
    map("map", weights, box, word, OTHERS),
    rect("frame", "own-edge", box),
    rect("row", "row", rowBox(box, weights.length)),
    ...columns(source, key, LARGE.y + side),
    text("head", "bold", [LARGE.x + side / 2, LARGE.y - 14], `head ${HEAD + 1}`),
    ...smallMaps(state),
    ...answer(said, act),
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
  const foot = height - 148;
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
  const cells = told.layer2.map((share, i) => ({
    ...{ id: `share ${i}`, kind: "cell", x: across(i) - 50, y: foot + 4, w: 100, h: 38 },
    ...{ number: share, tint: share, delay: EVENT / 2 },
  }));
  return [...marks, ...curves, ...cells, ...answer({ ...play, label }, act)];
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
