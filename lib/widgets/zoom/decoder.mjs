// In the decoder: the slot that asks over the bridge, and the French words that share 1.
import { digits, fillIn } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { rect, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  EVENT,
  FLIGHT,
  highest,
  PRONOUN,
  later,
  SLOT,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const CELL = { w: 100, h: 40 };
const EDGE = 20;
const THICK = 28; // of an arc of weight 1: four heads share the look, each of its weights is small
const SLOT_SIDE = 64;
const LOOKS = "next word → it, head {head}";

/** The head that looks most at "it". */
export const askingHead = ({ cross }) => highest(cross.map((row) => row[PRONOUN]));

const cellBox = (i, y, h) => ({ x: across(i) - CELL.w / 2, y, w: CELL.w, h });

/** The look of the slot's head at the English words: an arc as thick as its weight, and digits. */
function looks({ cross }, head, y, foot) {
  return cross[head].flatMap((share, i) => [
    thread(
      `asks ${i}`,
      i === PRONOUN ? "arc" : "loses",
      [across(PRONOUN), foot],
      [across(i), y + CELL.h],
      {
        ...{ thick: THICK * share, from: { toX: across(PRONOUN), toY: foot, o: 1 }, glide: EVENT },
      },
    ),
    {
      ...{ id: `look ${i}`, kind: "cell", ...cellBox(i, y, CELL.h) },
      ...{ number: share, tint: share, delay: EVENT / 2 },
    },
  ]);
}

/** The slot that writes next, its middle at a point, and what it does. */
function slot(name, { told, word }, [x, y], does) {
  const own = { version: word, edge: "own-edge" };
  return [
    ...tile(`${name} ${SLOT}`, told.tiles[name][SLOT], [x, y], SLOT_SIDE, own),
    text("slot", "query bold", [x + SLOT_SIDE, y - 6], "the next French word", { anchor: "start" }),
    text("does", "", [x + SLOT_SIDE, y + 24], does, { anchor: "start" }),
  ];
}

/** The encoder's vectors have come over the bridge; the slot asks them. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const top = height - 300;
  const label = veiled ? "next word → ?" : fillIn(LOOKS, { head: head + 1 });
  const play = { number: told.cross[head][PRONOUN], format: digits, after: EVENT, veiled, label };
  const ground = { x: 4, y: top - 80, w: 1208, h: 116 };
  const marks = [
    rect("bridge", "bridge", ground, { rx: 8 }),
    ...tiles(state, "memory", (i) => [across(i), top - 42], 44, PRONOUN),
    ...words(state, top + 22),
    text("over", "bold", [EDGE, top - 94], "Over the bridge: the encoder's eleven vectors", {
      anchor: "start",
    }),
  ];
  const foot = height - 34 - SLOT_SIDE / 2;
  const box = { x: 8, y: top + 44, w: 1200, h: foot - top - 70 };
  const answered = answer(play, act);
  const hidden = later(state, veil(box, "One head of the decoder", act));
  const most = rect("most", "row", cellBox(PRONOUN, top + 44, CELL.h), { delay: EVENT });
  const shown = veiled ? hidden : [...looks(told, head, top + 44, foot), most];
  return [
    ...marks,
    ...slot(
      "slots",
      state,
      [across(PRONOUN), height - 34],
      `asks, head ${head + 1} of ${told.cross.length}`,
    ),
    ...shown,
    ...answered,
  ];
}

function shares(told, box) {
  let x = box.x;
  return told.strip.map(([, share], i) => {
    const w = share * box.w;
    const part = rect(`part ${i}`, i ? "others" : "weight", { ...box, x, w }, { glide: EVENT });
    x += w;
    return { ...part, from: { x: box.x, w: 0, o: 1 } };
  });
}

const fan =
  ({ left, right, low }, x, y) =>
  () =>
    `M${x - 30},${y}C${x - 30},${low + 40} ${left},${low + 40} ${left},${low}H${right}` +
    `C${right},${low + 40} ${x + 30},${low + 40} ${x + 30},${y}Z`;

/** Softmax: all French words share 1. */
export function wins(state, { height }, act) {
  const { told, veiled } = state;
  const [[winner, share], [second]] = told.strip;
  const box = { x: EDGE, y: height / 2 - 70, w: WIDTH - 2 * EDGE, h: 120 };
  const point = [WIDTH / 2, height - 34];
  const ends = { left: box.x, right: box.x + box.w, low: box.y + box.h };
  const marks = [
    { id: "fan", class: "fan", d: fan(ends, point[0], point[1] - SLOT_SIDE / 2) },
    rect("strip", "spread", box, { glide: FLIGHT }),
    ...slot("written", state, point, "after the decoder"),
  ];
  const play = { number: share, format: digits, after: EVENT, veiled };
  const label = veiled ? "of 1" : `of 1 for “${winner}”`;
  const answered = answer({ ...play, label }, act);
  if (veiled) return [...marks, ...later(state, veil(box, "Each word's share", act)), ...answered];
  const rest = `the rest is for “${second}” and ${told.strip.length - 2} other words`;
  return [
    ...marks,
    ...shares(told, box),
    text("winner", "on-weight bold", [box.x + (share * box.w) / 2, box.y + 84], winner, {
      size: 72,
      delay: EVENT,
    }),
    text("rest", "", [box.x + box.w, box.y - 14], rest, { anchor: "end" }),
    ...answered,
  ];
}
