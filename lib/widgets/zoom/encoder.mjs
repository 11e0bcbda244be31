// In the encoder: four heads, the arrow of one head, what flows over it, each word alone.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { dot, line, rect, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  bow,
  EVENT,
  HEAD,
  highest,
  PALE,
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

const ROW = { above: 72, side: 44 }; // the eleven vectors, from the foot of the room
const VALUE = 104; // the side of the value's vector
const NOW = 196; // of what "it" is now
const POINT = 22; // of the river to "it"
const RIVER = 40; // of what comes with weight 1
const PLUS = 18;
const RISE = { plus: 158, now: 184 }; // from "it" up to the sum, and on to what "it" is then

/** From the value to the sum: as thick as its weight. */
function river(share, [from, to], y) {
  const grows = { y, x: from, toX: to - POINT, from: { toX: from }, glide: EVENT };
  const band = ({ x, toX }) => `M${x},${y}H${toX + 1}`;
  const point = ({ toX }) => `M${toX},${y - POINT}L${toX + POINT},${y}L${toX},${y + POINT}Z`;
  return [
    { id: "river", class: "river", d: band, thick: RIVER * share, ...grows },
    { id: "point of the river", class: "value", d: point, ...grows },
    text("times", "bold halo", [(from + to) / 2, y - 38], `× ${digits(share)}`, { size: 40 }),
  ];
}

/** What comes from all other words: thin lines to the sum. */
function brooks({ source, noun, layer2 }, low, [x, y]) {
  const named = `the others and “it”: ${digits(1 - layer2[noun])}`;
  const others = source.map((_, i) => i).filter((i) => i !== noun && i !== PRONOUN);
  const begin = low - ROW.side / 2 - 3;
  return [
    ...others.map((i) => {
      const from = { toX: across(i), toY: begin, o: 1 };
      return thread(`brook ${i}`, "brook", [across(i), begin], [x, y + PLUS], {
        ...{ from, glide: EVENT },
      });
    }),
    text("rest", "value", [x + 50, y + 36], named, { anchor: "start" }),
  ];
}

/** Where two vectors are added. */
function plus([x, y]) {
  const sign = () => `M${x - PLUS / 2},${y}H${x + PLUS / 2}M${x},${y - PLUS / 2}V${y + PLUS / 2}`;
  return [dot("place of the sum", "plus", [x, y], PLUS), { id: "plus", class: "own", d: sign }];
}

/** What flows over the arrow: the noun's value, times its weight, is added to "it". */
export function pour(state, { height }, act) {
  const { told, word } = state;
  const { noun, source } = told;
  const low = height - ROW.above;
  const [x, from] = [across(PRONOUN), across(noun)];
  const sum = low - RISE.plus;
  const now = sum - RISE.now;
  const begin = low - ROW.side / 2 - 3;
  const half = VALUE / 2 + 3;
  const green = { version: word, colour: "value", edge: "value-edge" };
  const row = told.tiles.layer1.flatMap((numbers, i) => {
    const own = i === PRONOUN ? { edge: "own-edge" } : { o: i === noun ? 1 : PALE };
    return tile(`layer1 ${i}`, numbers, [across(i), low], ROW.side, { version: word, ...own });
  });
  const ready = { delay: EVENT };
  const then = [
    ...brooks(told, low, [x, sum]),
    ...arrow("value of it", "value-line", [from, begin], [from, sum + half]),
    ...tile("value", told.value, [from, sum], VALUE, green),
    text("value name", "value bold", [from, sum - half - 12], "its value"),
    ...arrow("had", "query-line", [x, begin], [x, sum + PLUS]),
    ...river(told.layer2[noun], [from + half, x - PLUS - 4], sum),
    ...plus([x, sum]),
    ...arrow("gives", "query-line", [x, sum - PLUS], [x, now + NOW / 2 + 3], ready),
    // The sum: what the next scene works on.
    ...tile(`attended ${PRONOUN}`, told.sum, [x, now], NOW, {
      ...{ version: `sum ${word}`, edge: "own-edge" },
      ...ready,
    }),
    ...answer({ words: `it + ${source[noun]}`, label: "what “it” is now" }, act).map((mark) => ({
      ...mark,
      ...ready,
    })),
  ];
  return [...row, ...words(state, act, height - 16, { [noun]: "key bold" }), ...later(state, then)];
}

const NET = { from: 21, waist: 46, tall: 196 }; // the two layers: first wider, then as before

/** Two layers for one word: 64 numbers become more, and 64 again. */
function network(i, foot) {
  const [x, own] = [across(i), i === PRONOUN];
  const [middle, top] = [foot - NET.tall / 2, foot - NET.tall];
  const path = () =>
    `M${x - NET.from},${foot}L${x - NET.waist},${middle}L${x - NET.from},${top}H${x + NET.from}` +
    `L${x + NET.waist},${middle}L${x + NET.from},${foot}Z` +
    `M${x - NET.waist},${middle}H${x + NET.waist}`;
  return { id: `network ${i}`, class: own ? "own-network" : "network", d: path };
}

/** Feed-forward: each word's vector goes through two layers, and none meets another. */
export function alone(state, { height }, act) {
  const { told, veiled } = state;
  const low = height - ROW.above;
  const foot = low - ROW.side / 2 - 3;
  const high = foot - NET.tall - ROW.side / 2 - 3;
  const said = high - ROW.side / 2 - 14;
  const networks = told.source.map((_, i) => network(i, foot));
  const marks = [
    ...later(state, networks),
    ...tiles(state, "attended", (i) => [across(i), low], ROW.side, PRONOUN),
    ...words(state, act, height - 16),
    text("trained", "bold", [8, said - 42], "trained to give each word in French:", {
      ...{ anchor: "start", size: 28 },
    }),
  ];
  const after = answer({ words: told.gloss[PRONOUN], label: "“it” in French", veiled }, act);
  if (veiled) {
    const box = { x: 4, y: said - 28, w: 1208, h: high + ROW.side / 2 + 28 - said };
    return [...marks, ...later(state, veil(box, "What does each word give?", act)), ...after];
  }
  const rises = tiles(state, "memory", (i) => [across(i), high], ROW.side, PRONOUN).map((mark) => ({
    ...{ ...mark, from: { y: low - ROW.side / 2, o: 0 }, glide: EVENT },
  }));
  const glosses = told.gloss.map((word, i) =>
    text(`gloss ${i}`, i === PRONOUN ? "query bold" : "", [across(i), said], word, {
      delay: EVENT,
    }),
  );
  return [...marks, ...rises, ...glosses, ...after.map((mark) => ({ ...mark, delay: EVENT }))];
}
