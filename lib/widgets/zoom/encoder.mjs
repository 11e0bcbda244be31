// In the encoder: four heads, the arrow of one head, what flows over it, each word by itself.
import { digits } from "../frame/frame.mjs";
import { LABEL } from "../frame/marks.mjs";
import { dot, LEFT_END, line, RIGHT_END, rect, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  BELOW,
  bow,
  choosable,
  EVENT,
  guessing,
  HEAD,
  highest,
  inWords,
  PALE,
  PRONOUN,
  SLOT,
  later,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const LEAST = 0.01; // a share below it is no line
const CELL = { w: 100, h: 38 }; // one share of a row
const LOW = 82; // from below, the foot of the head that is looked at
const TALL = 362; // its bar of weight 1
const WIDE = 88; // its bars
const LIFT = 16; // from the ground to where "it" begins to look
const THICK = 14; // of a look of weight 1
const HIGHEST = 20; // the height that an arc over seven words goes for
const SWING = 74; // how far above the highest bar the look at it goes
const SMALL = 0.23; // the width of the three others, as a part of it; their scale is the same
const THREE = { foot: 96, step: 316 }; // where they stand

const wordsOf = (height) => height - 14 - BELOW; // where a guess stands below them
const footOf = (height) => height - 176; // of the row with digits

/** A row of shares with their digits. */
const cells = (row, y) =>
  row.map((share, i) => ({
    ...{ id: `share ${i}`, kind: "cell", x: across(i) - CELL.w / 2, y, ...CELL },
    ...{ number: share, tint: share, delay: EVENT / 2 },
  }));

/** A row of shares as bars over the words, and whose it is; small beside that of the last head. */
function bars(row, head, foot) {
  const id = `head ${head}`;
  const isLarge = head === HEAD;
  const part = isLarge ? 1 : SMALL;
  const at = (i) => part * across(i) + (isLarge ? 0 : THREE.step * head);
  const left = at(0) - (part * WIDE) / 2;
  const w = part * WIDE;
  const name = { anchor: "start", size: isLarge ? 40 : LABEL };
  return [
    text(id, isLarge ? "bold" : "", [left, foot - (isLarge ? 72 : 60)], `head ${head + 1}`, name),
    line(`ground of ${id}`, "line", [left, foot], [at(SLOT) + w / 2, foot]),
    ...row.map((share, i) => {
      const box = { x: at(i) - w / 2, y: foot - TALL * share, w, h: TALL * share };
      const from = { y: foot, h: 0, o: 1 };
      return rect(`${id} ${i}`, "weight", box, { from, glide: EVENT });
    }),
  ];
}

/** The look of "it" at a word, from its foot to the top of the bar there. */
const swing = ({ start, end, foot, top }) =>
  `M${start},${foot}C${start},${top - SWING} ${end},${top - SWING} ${end},${top}`;

/** The row of "it" in four heads: three look everywhere, the last one has a favourite. */
export function heads(state, { height }, act) {
  const { told, veiled } = state;
  const row = told.layer1[HEAD];
  const key = highest(row);
  const foot = height - LOW;
  const box = { x: 8, y: THREE.foot + 44, w: WIDTH - 16, h: foot - THREE.foot - 44 };
  const [start, end, top] = [across(PRONOUN), across(key), foot - TALL * row[key]];
  const grows = { from: { end: start, top: foot, o: 1 }, glide: EVENT };
  const look = { id: "look", class: "arc", d: swing, start, end, foot: foot - LIFT, ...grows };
  const three = told.layer1.slice(0, HEAD).flatMap((one, head) => bars(one, head, THREE.foot));
  const shown = () => [
    ...bars(row, HEAD, foot),
    { ...look, top, thick: THICK * row[key] },
    text("most", "on-weight bold", [end, top + 42], digits(row[key]), { size: 36, delay: EVENT }),
  ];
  return [
    ...later(state, three),
    ...choosable(state, act, wordsOf(height), veiled ? {} : { [key]: "key bold" }),
    ...(veiled ? later(state, veil(box, "The row of “it” in head 4", act)) : shown()),
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
  const isNew = veiled || highest(told.layer1[HEAD]) !== key;
  if (isNew) marks.push(...later(state, lookBefore(told, foot)));
  if (veiled) return [...marks, ...later(state, veil(hidden, "The row of “it”", act)), ...asked];
  const grown = { from: { end: across(PRONOUN), o: 1 }, glide: EVENT };
  const seen = told.layer2.map((share, i) => ({ share, i })).filter(({ i }) => i !== PRONOUN);
  const curves = seen
    .filter(({ share }) => share > LEAST)
    .map(({ share, i }) => {
      return { ...arc(`arc ${i}`, "arc", i, foot), thick: THICK * share, ...grown };
    });
  return [...marks, ...curves, ...cells(told.layer2, foot + 4), ...asked];
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

/** In each number of "it" a square: how large a part of it came just now. */
function came({ tiles: { layer1 }, sum }, [left, top]) {
  const columns = Math.sqrt(sum.length);
  const side = NOW / columns;
  return sum.map((number, i) => {
    const had = layer1[PRONOUN][i];
    const gained = Math.abs(number - had);
    const w = side * Math.sqrt(gained / (gained + Math.abs(had))); // its area is the part
    const [x, y] = [
      left + side * ((i % columns) + 0.5),
      top + side * (Math.floor(i / columns) + 0.5),
    ];
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
    ...came(told, [x - NOW / 2, now - NOW / 2]),
    ...inWords(state, `it + ${source[noun]}`, "green is what came", act).map((mark) => ({
      ...{ ...mark, id: `${mark.id} now` }, // the one of the scene before is gone meanwhile
    })),
  ];
  return [...row, ...words(state, act, height - 16, { [noun]: "key bold" }), ...later(state, then)];
}

// A feed-forward network: two maps, wider between them than at both ends.
const NET = { ends: 21, waist: 40, tall: 84 };
const OUT = 68; // the side of the vector that comes out of it
const READ = { x: 8, y: 0, w: 912, h: 196, first: 16, step: 60, size: 30 }; // what is read out
const FEED_FORWARD = "feed-forward: a small network, each word by itself";
const BAR = { x: 190, h: 44, w: 580 }; // of a noun with probability 1

/** Two maps for one word, on its vector. */
function network(i, foot) {
  const [x, middle, top] = [across(i), foot - NET.tall / 2, foot - NET.tall];
  const { ends, waist } = NET;
  const path = () =>
    `M${x - ends},${foot}L${x - waist},${middle}L${x - ends},${top}H${x + ends}` +
    `L${x + waist},${middle}L${x + ends},${foot}ZM${x - waist},${middle}H${x + waist}`;
  return { id: `network ${i}`, class: i === PRONOUN ? "own-network" : "network", d: path };
}

/** The read-out: each noun with its probability; the names stand there before. */
function readOut({ told, veiled, ...state }, act) {
  const [left, start] = [READ.x + 24, READ.x + BAR.x];
  const rest = 1 - told.read.reduce((sum, [, share]) => sum + share, 0);
  const rows = [...told.read, ["all others", rest]].map(([name, share], i) => {
    const y = READ.y + READ.first + READ.step * i;
    return { name, share, y, wins: name === told.gloss[PRONOUN] };
  });
  const choices = rows.map(({ y }) => ({
    at: [left + 60, y + 24 + BELOW],
    box: { x: READ.x, y: y - 8, w: BAR.x, h: READ.step },
  }));
  const bars = rows.flatMap(({ name, share, y, wins }) => {
    const box = { x: start, y, w: BAR.w * share, h: BAR.h };
    const end = [start + box.w + 14, y + (wins ? 36 : 32)];
    return [
      rect(`read ${name}`, "weight", box, {
        ...{ o: wins ? 1 : PALE, from: { w: 0, o: 1 }, delay: EVENT, glide: EVENT / 2 },
      }),
      text(`share of ${name}`, wins ? "bold" : "", end, digits(share), {
        ...{ anchor: "start", size: wins ? 40 : LABEL, delay: 1.5 * EVENT },
      }),
    ];
  });
  const box = { x: start, y: READ.first, w: READ.w - BAR.x - 20, h: READ.h - 2 * READ.first };
  return [
    rect("read-out", "bridge", READ, { rx: 8 }),
    ...rows.map(({ name, y, wins }) =>
      text(`noun ${name}`, wins && !veiled ? "bold" : "", [left, y + 34], name, {
        ...{ ...LEFT_END, size: READ.size },
      }),
    ),
    ...(veiled ? veil(box, "How likely is each noun?", act) : bars),
    ...guessing({ ...state, veiled }, choices, act),
  ];
}

/** Feed-forward: each vector goes through it alone; then one reads out what that of "it" holds. */
export function alone(state, { height }, act) {
  const { told, word, veiled } = state;
  const low = height - ROW.above;
  const foot = low - ROW.side / 2 - 3;
  const top = foot - NET.tall;
  const networks = told.source.map((_, i) => network(i, foot));
  const marks = [
    ...later(state, networks),
    ...tiles(
      state,
      "attended",
      (i) => [across(i), low],
      ROW.side,
      PRONOUN,
      () => 0,
    ),
    ...words(state, act, height - 16),
    text("each", "", [READ.x + 10, top - 20], FEED_FORWARD, LEFT_END),
    ...later(state, readOut(state, act)),
    ...inWords(state, told.gloss[PRONOUN], "the likeliest noun", act),
  ];
  if (veiled) return marks;
  const look = { version: word, edge: "own-edge", glide: EVENT, from: { y: low, o: 0 } };
  const at = [across(PRONOUN), top - 8 - OUT / 2];
  const rises = tile(`memory ${PRONOUN}`, told.tiles.memory[PRONOUN], at, OUT, look);
  const [x, end] = [at[0], READ.y + READ.h + 4];
  const late = { delay: 0.8 * EVENT };
  const reads = arrow("reads out", "own", [x, top - OUT - 14], [x, end], late);
  const named = text("reads", "", [x - 16, end + 36], "read out", { ...RIGHT_END, ...late });
  return [...marks, ...rises, ...reads, named];
}
