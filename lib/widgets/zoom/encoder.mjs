// In the encoder: four heads, the arrow of one head, what flows over it, a network for each word.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { BASELINE, dot, LEFT_END, line, rect, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  BELOW,
  bow,
  choosable,
  ending,
  EVENT,
  FLIGHT,
  HEAD,
  highest,
  inWords,
  PALE,
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
const VALUE = 104; // the side of the value's vector
const NOW = 176; // of what "it" is now
const POINT = 22; // of the river to "it"
const RIVER = 40; // of what comes with weight 1
const PLUS = 18;
const RISE = { plus: 158, now: 172 }; // from "it" up to the sum, and on to what "it" is then

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

/** In each number of "it" a square: how large a part of it came just now. */
function came({ tiles: { layer1, attended } }, [left, top]) {
  const sum = attended[PRONOUN];
  const columns = Math.sqrt(sum.length);
  const side = NOW / columns;
  return sum.map((number, i) => {
    const had = layer1[PRONOUN][i];
    const gained = Math.abs(number - had);
    const w = side * Math.sqrt(gained / (gained + Math.abs(had))); // its area is the part
    const x = left + side * ((i % columns) + 0.5);
    const y = top + side * (Math.floor(i / columns) + 0.5);
    const box = { x: x - w / 2, y: y - w / 2, w, h: w };
    return rect(`came ${i}`, "value", box, { from: { x, y, w: 0, h: 0 }, delay: EVENT });
  });
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
    const look = i === PRONOUN ? { edge: "own-edge" } : { o: i === noun ? 1 : PALE };
    return tile(`layer1 ${i}`, numbers, [across(i), low], ROW.side, { version: word, ...look });
  });
  const ready = { delay: EVENT };
  const own = { version: `sum ${word}`, edge: "own-edge", ...ready };
  const then = [
    ...brooks(told, low, [x, sum]),
    ...arrow("value of it", "value-line", [from, begin], [from, sum + half]),
    ...tile("value", told.value, [from, sum], VALUE, green),
    text("value name", "value bold", [from, sum - half - 12], "its value"),
    line("had", "query-line", [x, begin], [x, sum + PLUS]),
    ...river(told.layer2[noun], [from + half, x - PLUS - 4], sum),
    ...plus([x, sum]),
    ...arrow("gives", "query-line", [x, sum - PLUS], [x, now + NOW / 2 + 3], ready),
    // The sum: what the next scene works on.
    ...tile(`attended ${PRONOUN}`, told.tiles.attended[PRONOUN], [x, now], NOW, own),
    ...came(told, [x - NOW / 2, now - NOW / 2]),
    ...inWords(state, `it + ${source[noun]}`, "green is what came", act).map((mark) => ({
      ...{ ...mark, id: `${mark.id} now` }, // the one of the scene before is gone meanwhile
    })),
  ];
  return [
    ...row,
    ...words(state, act, wordsOf(height), { [noun]: "key bold" }),
    ...later(state, then),
  ];
}

// The network for one word: two maps, wider between them than at both ends.
const NET = { x: 112, ends: 36, waist: 56, tall: 80 };
const MIND = 100; // the side of the vector before and after it
const AFTER = 186; // the middle of what comes out of it, and of its bar
const BAR = { x: 232, h: 84, w: 976 }; // of a noun with probability 1
const SPREAD = [-1, -0.5, 0, 0.5, 1]; // of its lines, from side to side
const FEED_FORWARD = "feed-forward: a network for each word alone";

function network(y) {
  const { x, ends, waist } = NET;
  const [top, foot] = [y - NET.tall / 2, y + NET.tall / 2];
  const joined = (i, end) => SPREAD.map((j) => `M${x + ends * i},${end}L${x + waist * j},${y}`);
  const fan = (end) => SPREAD.flatMap((i) => joined(i, end)).join("");
  const path = () =>
    `M${x - ends},${foot}L${x - waist},${y}L${x - ends},${top}H${x + ends}` +
    `L${x + waist},${y}L${x + ends},${foot}Z${fan(top)}${fan(foot)}`;
  return { id: "network", class: "own-network", d: path };
}

const inFull = (noun) => (noun === "rue" ? "rue (street)" : noun);

/** How likely both nouns are, read out of the tile beside the bar of the one that it holds. */
function readOut(noun, share) {
  const late = { delay: EVENT };
  const box = { x: BAR.x, y: AFTER - BAR.h / 2, w: BAR.w, h: BAR.h };
  const grows = { from: { w: 0, o: 1 }, glide: EVENT / 2, ...late };
  return [
    ...arrow("reads", "own", [NET.x + MIND / 2 + 8, AFTER], [BAR.x - 8, AFTER], late),
    rect("all of it", "spread", box, late),
    rect("read", "weight", { ...box, w: BAR.w * share }, grows),
    text("noun", "on-weight bold", [BAR.x + 20, AFTER + 12], `${inFull(noun)} ${digits(share)}`, {
      ...{ ...LEFT_END, size: 36, ...late },
    }),
  ];
}

/** Feed-forward: "it" goes through it alone, and above it its noun can be read out. */
export function alone(state, { height }, act) {
  const { told, word } = state;
  const noun = told.gloss[PRONOUN];
  const low = height - 96; // the middle of what goes in
  const middle = (low + AFTER) / 2;
  const { x } = NET;
  const [inside, outside] = [NET.tall / 2 + 4, MIND / 2 + 4];
  const late = { delay: EVENT };
  const look = { version: `sum ${word}`, edge: "own-edge" };
  const rises = { ...look, version: word, glide: EVENT, from: { y: low - MIND / 2, o: 0 } };
  const event = [
    ...arrow("goes in", "query-line", [x, low - outside], [x, middle + inside]),
    network(middle),
    text("feed-forward", "", [BAR.x, middle + BASELINE], FEED_FORWARD, LEFT_END),
    ...arrow("comes out", "query-line", [x, middle - inside], [x, AFTER + outside], late),
    ...tile(`memory ${PRONOUN}`, told.tiles.memory[PRONOUN], [x, AFTER], MIND, rises),
    ...readOut(noun, told.means),
  ];
  const result = { words: noun, label: "what “it” means", after: 1.5 * EVENT };
  return [
    ...tile(`attended ${PRONOUN}`, told.tiles.attended[PRONOUN], [x, low], MIND, look),
    ...later(state, [...event, ...answer(result, act)]),
    text(`word ${PRONOUN}`, "query bold", [x, height - 16], "it", { glide: FLIGHT }),
    ...ending(state, [BAR.x, height - 16], act),
  ];
}
