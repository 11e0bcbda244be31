// In the encoder: four heads, the arrow of one head, what flows over it, a network for each word.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { dot, LEFT_END, line, rect, text, veil } from "../frame/shapes.mjs";
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
const SIDE = 150; // of what is added, and of the sum
const SUM = 1116; // the middle of the sum
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
  const side = SIDE / columns;
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
  const [x, from] = [across(PRONOUN), across(noun)];
  const [begin, half] = [low - ROW.side / 2 - 3, SIDE / 2];
  const [top, join] = [y - half - 12, x - half - PLUS - 4];
  const small = { y: low - ROW.side / 2, w: ROW.side, h: ROW.side, o: 1 };
  const grows = (middle) => ({ version: word, from: { x: middle - ROW.side / 2, ...small } });
  const look = { version: word, edge: "own-edge" };
  const green = { ...grows(from), colour: "value", edge: "value-edge" };
  const late = { delay: EVENT };
  const then = [
    ...arrow("value of it", "value-line", [from, begin], [from, y + half + 3]),
    ...tile("value", told.value, [from, y], SIDE, green),
    text("times", "value bold", [from, top], `${digits(told.layer2[noun])} × its value`),
    ...river(told.layer2[noun], [from + half, join - PLUS], y),
    ...arrow("had", "query-line", [x, begin], [x, y + half + 3]),
    ...tile("before", told.tiles.layer1[PRONOUN], [x, y], SIDE, { ...grows(x), ...look }),
    text("before it", "query bold", [x, top], "“it” before"),
    ...plus([join, y]),
    text("equals", "bold", [(x + SUM) / 2, y + 16], "=", { size: 48, ...late }),
    // The sum: what the next scene works on.
    ...tile(`attended ${PRONOUN}`, told.tiles.attended[PRONOUN], [SUM, y], SIDE, {
      ...{ ...look, ...late },
    }),
    ...came(told.tiles, [SUM - half, y - half]),
    ...inWords(state, `it + ${source[noun]}`, "green is what came", act).map((mark) => ({
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

// The network: two maps, wider between them than at both ends.
const NET = { ends: 20, waist: 42, tall: 110 };
const ABOVE = 216; // the middle of what comes out of it
const SPREAD = [-1, 0, 1]; // of its lines, from side to side
const SAME = "the same small network for each word";

function network(i, [x, y]) {
  const { ends, waist, tall } = NET;
  const [top, foot] = [y - tall / 2, y + tall / 2];
  const joined = (j, end) => SPREAD.map((k) => `M${x + ends * j},${end}L${x + waist * k},${y}`);
  const fan = (end) => SPREAD.flatMap((j) => joined(j, end)).join("");
  const path = () =>
    `M${x - ends},${foot}L${x - waist},${y}L${x - ends},${top}H${x + ends}` +
    `L${x + waist},${y}L${x + ends},${foot}Z${fan(top)}${fan(foot)}`;
  return { id: `network ${i}`, class: i === PRONOUN ? "own-network" : "network", d: path };
}

/** The way of a word: through the network, and above it what it means. */
function lane(i, meaning, low) {
  const [x, middle, edge] = [across(i), (low + ABOVE) / 2, ROW.side / 2];
  const isOwn = i === PRONOUN;
  const kind = isOwn ? "query-line" : "lane";
  const late = { delay: EVENT };
  return [
    line(`goes in ${i}`, kind, [x, low - edge], [x, middle + NET.tall / 2]),
    network(i, [x, middle]),
    line(`comes out ${i}`, kind, [x, middle - NET.tall / 2], [x, ABOVE + edge], late),
    text(`means ${i}`, isOwn ? "query bold" : "", [x, ABOVE - edge - 14], meaning, late),
  ];
}

/** Feed-forward: no word sees another there, and above it "it" means its noun. */
export function alone(state, { height }, act) {
  const { gloss } = state.told;
  const low = height - ROW.above;
  const at = (y) => (i) => [across(i), y];
  const rises = { delay: EVENT, glide: EVENT };
  const out = tiles(state, "memory", at(ABOVE), ROW.side, PRONOUN);
  const result = { words: gloss[PRONOUN], label: "what “it” means", after: 2 * EVENT };
  return [
    ...tiles(state, "attended", at(low), ROW.side, PRONOUN),
    ...words(state, act, wordsOf(height)),
    ...later(state, [
      text("same", "", [across(0) - ROW.side, 40], SAME, { ...LEFT_END, size: 28 }),
      text(
        "french",
        "faint",
        [across(0) - ROW.side, 76],
        "above it, in French: what the word means",
        LEFT_END,
      ),
      ...gloss.flatMap((meaning, i) => lane(i, meaning, low)),
      ...out.map((mark) => ({ ...mark, ...rises, from: { y: low - ROW.side / 2, o: 0 } })),
      ...answer(result, act),
    ]),
  ];
}
