// In the decoder: the slot that asks over the bridge, and the French words that share 1.
import { digits, fillIn } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { rect, text, veil } from "../frame/shapes.mjs";
import {
  across,
  ending,
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

const EDGE = 20;
const SLOT_SIDE = 64;
const ASKING = 100; // the slot that asks: its looks share this width
const BAND = { y: 142, h: 112 }; // of the encoder's vectors
const LOOKS = "next word → it, head {head}";

/** The head that looks most at "it". */
export const askingHead = ({ cross }) => highest(cross.map((row) => row[PRONOUN]));

/** A band that narrows or widens from {x, w} at a height to {toX, toW} at another. */
const band = ({ x, w, y, toX, toW, toY }) => {
  const half = (y + toY) / 2;
  return (
    `M${x},${y}C${x},${half} ${toX},${half} ${toX},${toY}H${toX + toW}` +
    `C${toX + toW},${half} ${x + w},${half} ${x + w},${y}Z`
  );
};

/** The looks of the slot's head at the English words: bands as wide as their weights. */
function looks(row, y, toY) {
  let x = across(PRONOUN) - ASKING / 2;
  return row.map((share, i) => {
    const w = ASKING * share;
    const look = { x, y, w, toX: across(i) - w / 2, toW: w, toY };
    const kind = i === PRONOUN ? "weight" : "look";
    const from = { toX: x, toY: y, o: 1 };
    x += w;
    return { id: `asks ${i}`, class: kind, d: band, ...look, from, glide: EVENT };
  });
}

/** The slot that writes next, its middle at a point, and what it does. */
function slot(name, { told, word }, [x, y], side, does) {
  const own = { version: word, edge: "own-edge" };
  const left = x + side / 2 + 20;
  return [
    ...tile(`${name} ${SLOT}`, told.tiles[name][SLOT], [x, y], side, own),
    text("slot", "query bold", [left, y - 6], "the next French word", { anchor: "start" }),
    text("does", "", [left, y + 24], does, { anchor: "start" }),
  ];
}

/** The encoder's vectors have come over the bridge; the slot asks them. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const row = told.cross[head];
  const label = veiled ? "next word → ?" : fillIn(LOOKS, { head: head + 1 });
  const play = { number: row[PRONOUN], format: digits, after: EVENT, veiled, label };
  const end = BAND.y + BAND.h;
  const middle = height - 10 - ASKING / 2;
  const [foot, top] = [middle - ASKING / 2 - 3, end + 44];
  const box = { x: 8, y: end + 14, w: 1200, h: foot - end - 34 };
  const shown = () => [
    ...looks(row, foot, top),
    ...row.map((share, i) => {
      const kind = i === PRONOUN ? "bold" : "";
      return text(`look ${i}`, kind, [across(i), top - 10], digits(share), { delay: EVENT / 2 });
    }),
  ];
  return [
    rect("bridge", "bridge", { x: 4, y: BAND.y, w: 1208, h: BAND.h }, { rx: 8 }),
    ...tiles(state, "memory", (i) => [across(i), BAND.y + 36], 44, PRONOUN),
    ...words(state, act, BAND.y + 94),
    text("over", "bold", [EDGE, BAND.y - 16], "Over the bridge: the encoder's eleven vectors", {
      anchor: "start",
    }),
    ...slot(
      "slots",
      state,
      [across(PRONOUN), middle],
      ASKING,
      `asks, head ${head + 1} of ${told.cross.length}`,
    ),
    ...(veiled ? later(state, veil(box, "One head of the decoder", act)) : shown()),
    ...answer(play, act),
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

/** Softmax: all French words share 1. */
export function wins(state, { height }, act) {
  const { told, veiled } = state;
  const [[winner, share], [second]] = told.strip;
  const box = { x: EDGE, y: height / 2 - 70, w: WIDTH - 2 * EDGE, h: 120 };
  const point = [WIDTH / 2, height - 34];
  const fan = { x: point[0] - 30, w: 60, y: point[1] - SLOT_SIDE / 2, toX: box.x, toW: box.w };
  const marks = [
    ...ending(state, [EDGE, 36], act),
    { id: "fan", class: "fan", d: band, ...fan, toY: box.y + box.h },
    rect("strip", "spread", box, { glide: FLIGHT }),
    ...slot("written", state, point, SLOT_SIDE, "after the decoder"),
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
