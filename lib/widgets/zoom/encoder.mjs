// In the encoder: four heads, the arrow of one head, what flows over it, one network.
import { digits } from "../frame/frame.mjs";
import { dot, LEFT_END, rect, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  BELOW,
  bow,
  choosable,
  EVENT,
  HEAD,
  highest,
  inWords,
  PRONOUN,
  THICK,
  later,
  looks,
  otherHeads,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const LEAST = 0.025; // a share below it is no line, and its place in the row has no digits
export const CELL = { w: 100, h: 38 }; // one share of a row
const LOW = 82; // from below, the foot of the head that is looked at
const LIFT = 16; // from the ground to where "it" begins to look
const HIGHEST = 20; // the height that an arc over seven words goes for

const wordsOf = (height) => height - 14 - BELOW; // where a guess stands below them
const footOf = (height) => height - 176; // of the row with digits

/** A row of shares; shows(share, i): whether it has digits. */
export const cells = (row, y, id = "share", shows = (share) => share >= LEAST) =>
  row.map((share, i) => ({
    ...{ id: `${id} ${i}`, kind: "cell", x: across(i) - CELL.w / 2, y, ...CELL, number: share },
    ...{ format: (number) => (shows(share, i) ? digits(number) : ""), tint: share },
    ...{ size: 24 + 8 * share, delay: EVENT / 2 },
  }));

/** The row of "it" in four heads: three look everywhere, the last one has a favourite. */
export function heads(state, { height }, act) {
  const { told, veiled } = state;
  const key = highest(told.layer1[HEAD]);
  const foot = height - LOW;
  const box = { x: 8, y: 140, w: WIDTH - 16, h: foot - 140 };
  const shown = () => looks(told.layer1, HEAD, foot, [across(PRONOUN), foot - LIFT]);
  return [
    ...later(state, otherHeads(told.layer1, HEAD, told.source)),
    ...choosable(state, act, wordsOf(height), veiled ? {} : { [key]: "key bold" }),
    ...(veiled ? later(state, veil(box, "Where “it” looks in head 4", act)) : shown()),
    ...inWords(state, told.source[key], "where “it” looks most", act),
  ];
}

/** An arc from "it" to a word; the further, the higher. */
function arc(id, kind, i, foot) {
  const top = foot - ((foot - HIGHEST) * (Math.abs(i - PRONOUN) + 1)) / PRONOUN;
  return { id, class: kind, d: bow, start: across(PRONOUN), end: across(i), foot, top };
}

/** Where "it" looked most in layer 1. */
function lookBefore({ layer1 }, foot) {
  const look = arc("look before", "ghost", highest(layer1[HEAD]), foot);
  const peak = foot - 0.75 * (foot - look.top);
  const at = [(look.start + look.end) / 2, peak - 12];
  return [look, text("name of the look before", "faint", at, "in layer 1")];
}

/** The row of "it" in the one head of layer 2. */
export function arcs(state, { height }, act) {
  const { told, veiled } = state;
  const foot = footOf(height);
  const key = told.noun;
  const named = veiled ? {} : { [key]: "key bold" };
  const marks = [
    ...tiles(state, "layer1", (i) => [across(i), height - 100], 44, PRONOUN),
    ...choosable(state, act, wordsOf(height), named),
  ];
  const asked = inWords(state, told.source[key], "where “it” looks now", act);
  const hidden = { x: 4, y: foot + 2, w: WIDTH - 8, h: CELL.h + 4 };
  if (highest(told.layer1[HEAD]) !== key) marks.push(...later(state, lookBefore(told, foot)));
  if (veiled) return [...marks, ...later(state, veil(hidden, "Where “it” looks", act)), ...asked];
  const grown = { from: { end: across(PRONOUN), o: 1 }, glide: EVENT };
  const seen = told.layer2.map((share, i) => ({ share, i })).filter(({ i }) => i !== PRONOUN);
  const curves = seen
    .filter(({ share }) => share > LEAST)
    .map(({ share, i }) => {
      return { ...arc(`arc ${i}`, "arc", i, foot), thick: THICK * share, ...grown };
    });
  return [...marks, ...curves, ...cells(told.layer2, foot + 4), ...asked];
}

const ROW = { above: 100, side: 44 }; // the eleven tiles, from the foot of the room
const SIDE = 150; // of what is added
const LARGE = 232; // of the sum
const PLACES = { value: 330, before: 640, sum: 1086 }; // their middles
const POINT = 22; // of the river to "it"
const RIVER = 40; // of what comes with weight 1
const PLUS = 18;

/** From the value to the sum: as thick as its weight. */
function river(share, [from, to], y) {
  const grows = { y, x: from, toX: to - POINT, from: { toX: from }, glide: EVENT };
  const band = ({ x, toX }) => `M${x},${y}H${toX + 1}`;
  const point = ({ toX }) => `M${toX},${y - POINT}L${toX + POINT},${y}L${toX},${y + POINT}Z`;
  return [
    { id: "river", class: "river", d: band, thick: RIVER * share, ...grows },
    { id: "point of the river", class: "value", d: point, ...grows },
  ];
}

/** Where two vectors are added. */
function plus([x, y]) {
  const sign = () => `M${x - PLUS / 2},${y}H${x + PLUS / 2}M${x},${y - PLUS / 2}V${y + PLUS / 2}`;
  return [dot("place of the sum", "plus", [x, y], PLUS), { id: "plus", class: "own", d: sign }];
}

/** In each number of "it" a square: how large a part of it came just now. */
function came({ layer1, attended }, [left, top]) {
  const sum = attended[PRONOUN];
  const columns = Math.sqrt(sum.length);
  const side = LARGE / columns;
  return sum.map((number, i) => {
    const had = layer1[PRONOUN][i];
    const gained = Math.abs(number - had);
    const w = side * Math.sqrt(gained / (gained + Math.abs(had))); // its area is the part
    const x = left + side * ((i % columns) + 0.5);
    const y = top + side * (Math.floor(i / columns) + 0.5);
    const box = { x: x - w / 2, y: y - w / 2, w, h: w };
    return rect(`came ${i}`, "value", box, { from: { x, y, w: 0, h: 0 }, delay: 1.5 * EVENT });
  });
}

/** What flows over the arrow: the noun's value, times its weight, is added to "it". */
export function pour(state, { height }, act) {
  const { told, word } = state;
  const { noun, source } = told;
  const isNoun = (i) => Number(i === noun);
  const [low, y] = [height - ROW.above, height / 2];
  const { value, before, sum } = PLACES;
  const [begin, half] = [low - ROW.side / 2 - 3, SIDE / 2];
  const [top, join] = [y - half - 12, before - half - PLUS - 4];
  const small = { y: low - ROW.side / 2, w: ROW.side, h: ROW.side, o: 1 };
  const grows = (i) => ({ version: word, from: { x: across(i) - ROW.side / 2, ...small } });
  const rises = (id, kind, i, to) => thread(id, kind, [across(i), begin], [to, y + half + 3]);
  const look = { version: word, edge: "own-edge" };
  const green = { ...grows(noun), colour: "value", edge: "value-edge" };
  const late = { delay: EVENT };
  const then = [
    rises("value of it", "value-line", noun, value),
    ...tile("value", told.value, [value, y], SIDE, green),
    text("times", "value bold", [value, top], `${digits(told.layer2[noun])} × its value`),
    ...river(told.layer2[noun], [value + half, join - PLUS], y),
    rises("had", "query-line", PRONOUN, before),
    ...tile("before", told.tiles.layer1[PRONOUN], [before, y], SIDE, {
      ...grows(PRONOUN),
      ...look,
    }),
    text("before it", "query bold", [before, top], "“it” before"),
    ...plus([join, y]),
    text("equals", "bold", [(before + half + sum - LARGE / 2) / 2, y + 16], "=", {
      size: 48,
      ...late,
    }),
    // The sum: what the next scene works on.
    ...tile(`attended ${PRONOUN}`, told.tiles.attended[PRONOUN], [sum, y], LARGE, {
      ...{ ...look, ...late },
    }),
    ...came(told.tiles, [sum - LARGE / 2, y - LARGE / 2]),
    ...inWords(state, `it + ${source[noun]}`, "", act).map((mark) => ({
      ...{ ...mark, id: `${mark.id} now` }, // the one of the scene before is gone meanwhile
      delay: 2 * EVENT,
    })),
  ];
  return [
    ...tiles(state, "layer1", (i) => [across(i), low], ROW.side, PRONOUN, isNoun),
    ...words(state, act, wordsOf(height), { [noun]: "key bold" }),
    ...later(state, then),
  ];
}

const FLOW = { y: 190, into: 130, out: 690, end: 820 }; // from "it" to what it means
const MEANING = 104; // letters of what "it" means
const SURE = 56; // and of how likely that is
const AIR = 12; // between an arrow and a tile
const DOT = 11;
const SAME = "the same for each word, alone";
// The network, from left to right: two maps, wider between them than at both ends.
const DOTS = [
  { x: 280, at: [128, 190, 252] },
  { x: 410, at: [66, 128, 190, 252, 314] },
  { x: 540, at: [128, 190, 252] },
].map(({ x, at }) => at.map((y) => [x, y]));

/** Each dot joined with all of the next column. */
function network() {
  const join = (from, to) => from.flatMap((one) => to.map((other) => `M${one}L${other}`)).join("");
  const lines = join(DOTS[0], DOTS[1]) + join(DOTS[1], DOTS[2]);
  return [
    { id: "network", class: "own-network", d: () => lines },
    ...DOTS.flat().map((at, i) => dot(`dot ${i}`, "own-network", at, DOT)),
  ];
}

/** Through the network, and what "it" means behind it. */
function flow({ told, word }) {
  const { y, into, out, end } = FLOW;
  const [half, late] = [SIDE / 2, { delay: EVENT }];
  const [[[begin]], , [[finish]]] = DOTS;
  const look = { version: word, edge: "own-edge", ...late };
  const last = { anchor: "end", delay: 2 * EVENT };
  const along = (id, from, to, more) =>
    arrow(id, "query-line", [from + AIR, y], [to - AIR, y], more);
  return [
    text("own", "query bold", [into, y - half - AIR], "“it”"),
    ...along("goes in", into + half, begin - DOT),
    ...network(),
    ...along("comes out", finish + DOT, out - half, late),
    ...tile(`memory ${PRONOUN}`, told.tiles.memory[PRONOUN], [out, y], SIDE, look),
    ...along("means", out + half, end, late),
    text("answer", "answer", [WIDTH - 10, y + 28], told.gloss, { ...last, size: MEANING }),
    text("sure", "bold", [WIDTH - 10, y + 28 + SURE + AIR], digits(told.means), {
      ...{ ...last, size: SURE },
    }),
  ];
}

/** Feed-forward: no word sees another there, and behind it "it" means its noun. */
export function alone(state, { height }, act) {
  const low = height - ROW.above;
  const at = (i) => (i === PRONOUN ? [FLOW.into, FLOW.y] : [across(i), low]);
  const left = across(0) - ROW.side / 2;
  return [
    ...tiles(state, "attended", at, SIDE, PRONOUN, () => 0, ROW.side),
    ...words(state, act, wordsOf(height)),
    ...later(state, [
      text("same", "", [left, low - 44], SAME, { ...LEFT_END, size: 28 }),
      ...flow(state),
    ]),
  ];
}
