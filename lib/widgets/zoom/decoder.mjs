// In the decoder: the slot that asks over the bridge, and the French words that share 1.
import { digits, fillIn } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { line, rect, text, veil } from "../frame/shapes.mjs";
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
const THIN = { h: 14, step: 19 }; // of the heads that are not looked at
const BELOW = 24; // the strips, their sentence
const EDGE = 20;
const LOOKS = "slot → it, head {head}";

/** The head that looks most at "it". */
export const askingHead = ({ cross }) => highest(cross.map((row) => row[PRONOUN]));

const cellBox = (i, y, h) => ({ x: across(i) - CELL.w / 2, y, w: CELL.w, h });

/** The slot's look at the English words: one head with its digits, the others as strips. */
function looks({ cross }, head, y) {
  const large = cross[head].map((share, i) => ({
    ...{ id: `look ${i}`, kind: "cell", ...cellBox(i, y, CELL.h) },
    ...{ number: share, tint: share, delay: EVENT / 2 },
  }));
  const others = cross.filter((_, i) => i !== head);
  const strips = others.flatMap((row, number) =>
    row.map((share, i) => ({
      ...rect(`strip ${number} ${i}`, "frame", cellBox(i, y + 54 + number * THIN.step, THIN.h)),
      tint: share,
    })),
  );
  const foot = y + 54 + 3 * THIN.step + BELOW;
  const below = text("others", "", [EDGE, foot], "the other three heads, one strip each", {
    anchor: "start",
  });
  return [...large, ...strips, below];
}

function asking({ told, word }, height, foot) {
  const [x, y] = [across(SLOT), height - 42];
  const own = { version: word, edge: "own-edge" };
  return [
    ...tile(`slots ${SLOT}`, told.tiles.slots[SLOT], [x, y], 60, own),
    line("asks", "query-line", [x, y - 30], [x, foot]),
    text("slot", "query bold", [x - 44, y - 6], "the slot after “qu'”", { anchor: "end" }),
    text("four", "", [x - 44, y + 24], "asks with four heads", { anchor: "end" }),
  ];
}

/** The encoder's vectors have come over the bridge; the slot asks them. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const top = height - 270;
  const label = veiled ? "slot → ?" : fillIn(LOOKS, { head: head + 1 });
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
  const foot = top + 44 + CELL.h + 4 * THIN.step + 8;
  const box = { x: 8, y: top + 44, w: 1200, h: CELL.h + 3 * THIN.step + 14 };
  const answered = answer(play, act);
  const hidden = later(state, veil(box, "At which word does it look?", act));
  const shown = veiled ? hidden : looks(told, head, top + 44);
  return [...marks, ...asking(state, height, foot), ...shown, ...answered];
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
  const { told, word, veiled } = state;
  const [[winner, share], [second]] = told.strip;
  const box = { x: EDGE, y: height / 2 - 54, w: WIDTH - 2 * EDGE, h: 84 };
  const point = [across(SLOT), height - 42];
  const ends = { left: box.x, right: box.x + box.w, low: box.y + box.h };
  const marks = [
    { id: "fan", class: "fan", d: fan(ends, point[0], point[1] - 30) },
    rect("strip", "spread", box, { glide: FLIGHT }),
    ...tile(`written ${SLOT}`, told.tiles.written[SLOT], point, 60, {
      version: word,
      edge: "own-edge",
    }),
    text("slot", "query bold", [point[0] - 44, point[1] + 9], "the slot after “qu'”", {
      anchor: "end",
    }),
  ];
  const play = { number: share, format: digits, after: EVENT, veiled };
  const label = veiled ? "of 1" : `of 1 for “${winner}”`;
  const answered = answer({ ...play, label }, act);
  if (veiled) return [...marks, ...later(state, veil(box, "Which word wins?", act)), ...answered];
  const rest = `the rest is for “${second}” and ${told.strip.length - 2} other words`;
  return [
    ...marks,
    ...shares(told, box),
    text("winner", "on-weight bold", [box.x + (share * box.w) / 2, box.y + 60], winner, {
      size: 40,
      delay: EVENT,
    }),
    text("rest", "", [box.x, box.y - 14], rest, { anchor: "start" }),
    ...answered,
  ];
}
