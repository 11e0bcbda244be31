// In the encoder: four heads, the arrow of one head, what flows over it, each word alone.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { dot, line, rect, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  bow,
  ending,
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
const GROUND = 104; // from the foot of the room up to that of the chosen head's bars
const TALL = 350; // of a bar of weight 1, the same in all heads
const WIDE = 66; // a bar of the chosen head
const SMALL = { x: 20, y: 128, step: 26, w: 19, next: 310 }; // those of the others
const NAME = { x: 8, y: 226 }; // of the chosen head

const footOf = (height) => height - 148; // of the row with digits

/** A row of shares with their digits. */
const cells = (row, y) =>
  row.map((share, i) => ({
    ...{ id: `share ${i}`, kind: "cell", x: across(i) - CELL.w / 2, y, ...CELL },
    ...{ number: share, tint: share, delay: EVENT / 2 },
  }));

/** A row of shares as bars over a line, each with its middle at place(i). */
function bars(id, row, place, foot, w) {
  const [left, right] = [place(0) - 0.75 * w, place(row.length - 1) + 0.75 * w];
  return [
    line(`ground of ${id}`, "line", [left, foot], [right, foot]),
    ...row.map((share, i) => {
      const box = { x: place(i) - w / 2, y: foot - TALL * share, w, h: TALL * share };
      const from = { y: foot, h: 0, o: 1 };
      return rect(`${id} ${i}`, "weight", box, { from, glide: EVENT });
    }),
  ];
}

/** What stands over the bar of a share. */
function onTop(id, kind, x, share, foot) {
  const at = [x, foot - TALL * share - 8];
  return text(id, kind, at, digits(share), { delay: EVENT });
}

/** The rows of the heads that are not chosen, small, with the largest share of each. */
function others({ layer1: rows, source }) {
  return rows.slice(0, HEAD).flatMap((row, head) => {
    const place = (i) => SMALL.x + SMALL.next * head + SMALL.step * i;
    const key = highest(row);
    const at = [place(0) - SMALL.w / 2, SMALL.y - 90];
    const named = `head ${head + 1}: ${source[key]} ${digits(row[key])}`;
    return [
      text(`head ${head}`, "", at, named, { anchor: "start" }),
      ...bars(`head ${head}`, row, place, SMALL.y, SMALL.w),
    ];
  });
}

/** The row of "it" in the chosen head, over the words. */
function chosen(row, key, foot) {
  return [
    text("head", "bold", [NAME.x, NAME.y], `head ${HEAD + 1}`, { anchor: "start", size: 32 }),
    ...bars("share", row, across, foot, WIDE),
    ...row.map((share, i) => onTop(`digits ${i}`, i === key ? "bold" : "", across(i), share, foot)),
  ];
}

/** The row of "it" in four heads, the fourth large. */
export function heads(state, { height }, act) {
  const { told, veiled } = state;
  const row = told.layer1[HEAD];
  const key = highest(row);
  const foot = height - GROUND;
  const label = veiled ? "it → ?" : `it → ${told.source[key]}, head ${HEAD + 1}`;
  const play = { number: row[key], format: digits, after: EVENT, veiled, label };
  const box = { x: 8, y: NAME.y - 44, w: WIDTH - 16, h: foot - NAME.y + 44 };
  const hidden = () => later(state, veil(box, "The row of “it” in four heads", act));
  return [
    ...tiles(state, "embedded", (i) => [across(i), height - 72], 44, PRONOUN),
    ...words(state, act, height - 16, veiled ? {} : { [key]: "key bold" }),
    ...(veiled ? hidden() : [...others(told), ...chosen(row, key, foot)]),
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
    ...words(state, act, height - 16, named),
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

const SIDE = 148; // of a large vector
const NOW = 196; // of what "it" is now
const POINT = 24; // of the band to "it"
const RIVER = 22; // of what comes with weight 1
const PLUS = 18;
const PLACES = { own: 100, sum: 400, added: 660, now: 1040 }; // from what "it" was to what it is
const POURED = [-0.3, 0.8]; // of what is added and of the sum, on one scale

/** The band from the value down to "it", as thick as its weight. */
function flow(told, from, to) {
  const x = PLACES.sum;
  const band = ({ y, toY }) => `M${x},${y}V${toY + 1}`;
  const point = ({ toY }) => `M${x - POINT},${toY}L${x},${toY + POINT}L${x + POINT},${toY}Z`;
  const share = told.layer2[told.noun];
  const grows = { y: from, toY: to - POINT, from: { toY: from }, glide: EVENT };
  return [
    { id: "river", class: "river", d: band, thick: RIVER * share, ...grows },
    { id: "point of the river", class: "value", d: point, ...grows },
    text("times", "bold", [x + 40, (from + to) / 2 + 8], `× ${digits(share)}`, {
      ...{ size: 40, anchor: "start" },
    }),
    ...rest(1 - share, (from + to) / 2 + 24, to),
  ];
}

/** What comes from all other words, as thick as their weights. */
function rest(share, y, to) {
  const start = [PLACES.own + 150, y + 16];
  const end = [PLACES.sum - PLUS / 2, to - 4];
  const grows = { from: { toX: start[0], toY: start[1], o: 0.7 }, glide: EVENT };
  return [
    text("rest", "value", [start[0], y], `the others: ${digits(share)} in all`),
    thread("brook", "river", start, end, { thick: RIVER * share, o: 0.7, ...grows }),
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

/** The vectors that are added and what comes of it, from left to right. */
function sum({ told, word }, low) {
  const half = SIDE / 2 + 3;
  const plain = { version: word, edge: "own-edge" };
  const below = low + SIDE / 2 + 32;
  const [ready, normed] = [{ delay: EVENT }, { delay: 1.5 * EVENT }];
  const end = [PLACES.now - NOW / 2 - 3, low];
  return [
    ...arrow("had", "own", [PLACES.own + half, low], [PLACES.sum - PLUS, low]),
    ...plus([PLACES.sum, low]),
    ...arrow("gives", "own", [PLACES.sum + PLUS, low], [PLACES.added - half, low], ready),
    ...tile("sum", told.sum, [PLACES.added, low], SIDE, { ...plain, span: POURED, ...ready }),
    text("sum name", "", [PLACES.added, below], "the sum", ready),
    ...arrow("normed", "own", [PLACES.added + half, low], end, normed),
    text("norm", "", [(PLACES.added + SIDE / 2 + end[0]) / 2, low - 18], "norm", normed),
    ...tile(`attended ${PRONOUN}`, told.tiles.attended[PRONOUN], [PLACES.now, low], NOW, {
      ...plain,
      ...normed,
    }),
    text(
      "after",
      "query bold",
      [PLACES.now, low - NOW / 2 - 16],
      `it + ${told.source[told.noun]}`,
      {
        ...{ size: 40, ...normed },
      },
    ),
  ];
}

/** What flows over the arrow: the noun's value, times its weight, is added to "it". */
export function pour(state, { height }, act) {
  const { told, word } = state;
  const [high, low] = [SIDE / 2 + 14, height - NOW / 2 - 24];
  const half = SIDE / 2 + 3;
  const under = (y) => y + SIDE / 2 + 32;
  const { layer1 } = told.tiles;
  const plain = { version: word, edge: "own-edge" };
  const green = { version: word, colour: "value", edge: "value-edge", span: POURED };
  const beside = { anchor: "start" };
  const first = [
    ...tile(`layer1 ${told.noun}`, layer1[told.noun], [PLACES.own, high], SIDE, plain),
    ...tile(`layer1 ${PRONOUN}`, layer1[PRONOUN], [PLACES.own, low], SIDE, {
      ...plain,
      span: POURED,
    }),
    text(`word ${told.noun}`, "key bold", [PLACES.own, under(high)], told.source[told.noun]),
    text(`word ${PRONOUN}`, "query bold", [PLACES.own, under(low)], "it, before"),
    ...ending(state, [940, 36], act),
  ];
  const then = [
    ...arrow("value of it", "value-line", [PLACES.own + half, high], [PLACES.sum - half, high]),
    ...tile("value", told.value, [PLACES.sum, high], SIDE, green),
    text("value name", "value bold", [PLACES.sum + half + 12, high + 9], "its value", beside),
    ...flow(told, high + half, low - PLUS - 4),
    ...sum(state, low),
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
  const y = high - 50;
  const named = told.gloss.map((word, i) =>
    text(`gloss ${i}`, i === PRONOUN ? "query bold" : "", [across(i), y], word),
  );
  const same = [told.noun, PRONOUN].map((i) =>
    rect(`same ${i}`, "row", { x: across(i) - 47, y: y - 29, w: 94, h: 42 }, { rx: 6 }),
  );
  const row =
    "read out: the dictionary’s French for each word, as the model was trained to give it";
  named.push(text("row", "", [8, y - 46], row, { anchor: "start" }));
  const means = { words: told.gloss[PRONOUN], label: "“it”, read out", veiled };
  const marks = [
    ...tiles(state, "attended", (i) => [across(i), low], 44, PRONOUN),
    ...words(state, act, height - 18),
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
