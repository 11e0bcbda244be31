// In the decoder: the slot that asks over the bridge, and the words that share 1.
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
const [LIFT, STACKED] = [10, 1.5]; // of the looks: the outer ones are bent lower, none is hidden
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

/** A look leaves and arrives straight; between, it is bent at a height. */
const ribbon = ({ x, y, bent, toX, toY }) => `M${x},${y}C${x},${bent} ${toX},${bent} ${toX},${toY}`;

/** The looks of the slot's head at the English words, all the way as thick as their weights. */
function looks(row, y, toY) {
  const sum = (all, share) => all + share;
  let x = across(PRONOUN) - ASKING / 2;
  return row.map((share, i) => {
    const thick = ASKING * share;
    const outer = (i < PRONOUN ? row.slice(0, i) : row.slice(i + 1)).reduce(sum, 0);
    const bent = y - LIFT - ASKING * STACKED * (outer + share / 2);
    const look = { x: x + thick / 2, y, bent, toX: across(i), toY, thick };
    const from = { toX: look.x, toY: y, bent: y, o: 1 };
    x += thick;
    const kind = i === PRONOUN ? "main-look" : "look";
    return { id: `asks ${i}`, class: kind, d: ribbon, ...look, from, glide: EVENT };
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

/** The strip's parts: the word that wins, the next one, all others. */
function shares([winner, rival, rest], box) {
  const part = (id, kind, before, share) => ({
    ...rect(id, kind, { ...box, x: box.x + before * box.w, w: share * box.w }, { glide: EVENT }),
    from: { x: box.x, w: 0, o: 1 },
  });
  return [
    part("others", "others", winner + rival, rest),
    part("part", "weight", 0, winner),
    part("rival", "rival", winner, rival),
  ];
}

/** Softmax: all words of the model share 1. */
export function wins(state, { height }, act) {
  const { told, veiled } = state;
  const [[winner, share], [second, next]] = told.strip;
  const rest = 1 - share - next;
  const box = { x: EDGE, y: height / 2 - 48, w: WIDTH - 2 * EDGE, h: 120 };
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
  const others = `${told.strip.length - 2} other words ${digits(rest)}`;
  const right = box.x + box.w;
  return [
    ...marks,
    ...shares([share, next, rest], box),
    text("winner", "on-weight bold", [box.x + (share * box.w) / 2, box.y + 84], winner, {
      size: 72,
      delay: EVENT,
    }),
    text("rest", "", [right, box.y - 46], others, { anchor: "end", delay: EVENT }),
    text("second", "bold", [right - rest * box.w, box.y - 12], `${second} ${digits(next)}`, {
      delay: EVENT,
    }),
    ...answered,
  ];
}
