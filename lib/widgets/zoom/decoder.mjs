// In the decoder: the slot that asks over the bridge, and the words that share 1.
import { digits } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { rect, text, veil } from "../frame/shapes.mjs";
import {
  across,
  BELOW,
  choosable,
  ending,
  EVENT,
  FLIGHT,
  highest,
  inWords,
  PALE,
  PRONOUN,
  later,
  looks,
  oneOfTwo,
  otherHeads,
  sideIn,
  SLOT,
  tile,
  tiles,
  WIDTH,
} from "./world.mjs";

const EDGE = 20;
const SLOT_SIDE = 64;
const PRONOUNS = ["il", "elle"];
const BOLD = 650;
const WRITTEN = 84; // letters of what is written

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

/** A head that is not asked about. */
const quiet = (mark) => (mark.text ? { ...mark, class: "faint" } : { ...mark, o: PALE });

/** The slot that writes next, its middle at a point, and what it does. */
function slot(name, { told, word }, [x, y], does, anchor = "start") {
  const own = { version: word, edge: "own-edge" };
  const away = SLOT_SIDE / 2 + 20;
  const at = anchor === "start" ? x + away : x - away;
  return [
    ...tile(`${name} ${SLOT}`, told.tiles[name][SLOT], [x, y], SLOT_SIDE, own),
    text("slot", "query bold", [at, y - 2], "the next French word", { anchor }),
    text("does", "", [at, y + 28], does, { anchor }),
  ];
}

/** The encoder's vectors have come over the bridge; the slot asks them. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const line = height - 14 - BELOW; // of the words
  const low = line - 56; // the middle of their vectors
  const foot = low - 26;
  const asker = [across(3), foot - 198];
  const box = { x: 8, y: foot - 146, w: WIDTH - 16, h: 146 };
  const from = [asker[0], asker[1] - SLOT_SIDE / 2];
  const label = veiled ? "looked at most" : `it holds “${told.gloss[PRONOUN]}”`;
  return [
    ...later(state, otherHeads(told.cross, head, told.source).map(quiet)),
    ...tiles(state, "memory", (i) => [across(i), low], 44, PRONOUN),
    ...choosable(state, act, line, {}),
    ...slot("slots", state, asker, "asks over the bridge", "end"),
    ...(veiled
      ? later(state, veil(box, `Where head ${head + 1} looks`, act))
      : looks(told.cross, head, foot, from)),
    ...inWords(state, told.source[PRONOUN], label, act),
  ];
}

/** The strip's parts: "il" grows from the left, "elle" from the right, where they stood before. */
function shares([[winner, share], [rival, next], ...others], box) {
  const part = (kind, word, odds) => {
    const [side, w] = [PRONOUNS.indexOf(word), odds * box.w];
    const edge = box.x + side * box.w;
    const from = { x: edge, w: 0, o: 1 };
    return rect(`part ${word}`, kind, { ...box, x: edge - side * w, w }, { from, glide: EVENT });
  };
  const isRight = PRONOUNS.indexOf(rival) > 0;
  const [far, anchor] = isRight ? [box.x + box.w, "end"] : [box.x, "start"];
  const [name, odds] = [`${rival} `, digits(next)];
  const [begin, end] = [widthOf(name, LABEL, BOLD), widthOf(odds, LABEL, BOLD)];
  const foot = box.y + box.h + 34;
  const rest = `${others.length} others ${digits(1 - share - next)}`;
  const stood = sideIn(box, PRONOUNS.indexOf(winner))[0];
  const late = { anchor, delay: EVENT };
  const glides = { anchor, size: LABEL, glide: EVENT };
  const large = { size: 40, delay: EVENT };
  return [
    part("weight", winner, share),
    part("rival", rival, next),
    text("winner", "on-weight bold", [stood, box.y + 74], `${winner} ${digits(share)}`, large),
    text("rest", "faint", [far, box.y - 12], rest, late),
    text(`choice ${rival}`, "bold", [isRight ? far - end : far, foot], name, glides),
    text("second", "bold", [isRight ? far : far + begin, foot], odds, late),
  ];
}

/** What is written so far: it ends where the word that wins begins. */
function soFar({ target }, { x, y, size, text: word }) {
  const before = `… ${target.slice(SLOT - 2, SLOT).join(" ")}`;
  const at = [x - widthOf(word, size), y]; // bold, but closer: as wide as plain letters
  return text("before", "", at, before, { size: WRITTEN, anchor: "end" });
}

/** Softmax: all words of the model share 1. */
export function wins(state, { height }, act) {
  const { told, veiled } = state;
  const [[winner]] = told.strip;
  const box = { x: EDGE, y: height / 2 - 48, w: WIDTH - 2 * EDGE, h: 120 };
  const point = [WIDTH / 2, height - 34];
  const fan = { x: point[0] - 30, w: 60, y: point[1] - SLOT_SIDE / 2, toX: box.x, toW: box.w };
  const [answered, label] = inWords(state, winner, "the winner", act);
  const [middle, y] = sideIn(box, PRONOUNS.indexOf(winner));
  const size = 40;
  const from = { x: middle + widthOf(winner, size, BOLD) / 2, y, size, o: 1 };
  const flies = veiled ? {} : { class: "answer halo", from, glide: EVENT };
  return [
    ...ending(state, [EDGE, 36], act),
    soFar(told, answered),
    { id: "fan", class: "fan", d: band, ...fan, toY: box.y + box.h },
    rect("strip", "spread", box, { glide: FLIGHT }),
    ...slot("written", state, point, "after the decoder"),
    ...(veiled ? [] : shares(told.strip, box)),
    ...oneOfTwo(state, box, "The share of each word", PRONOUNS, act),
    label,
    { ...answered, ...flies },
  ];
}
