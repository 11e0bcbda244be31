// In the decoder: the slot that asks over the bridge, and the words that share 1.
import { digits } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { LEFT_END, line, rect, text, veil } from "../frame/shapes.mjs";
import {
  across,
  choosable,
  ending,
  EVENT,
  FLIGHT,
  highest,
  inWords,
  PALE,
  PRONOUN,
  later,
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
const ASKING = 84; // the side of the slot that asks
const ALL = 220; // all its looks together
const LEAST = 0.1; // looks below it step back, without their number
const [FAINT, CLEAR, MOST] = [0.2, 0.45, 0.95]; // of the looks; most: of that at "it"
const PRONOUNS = ["il", "elle"];
const BOLD = 650;
const WRITTEN = 84; // letters of what is written
const BAND = { y: 150, h: 170 }; // of the encoder's vectors
const MOST_OF = "looked at most";
const TALL = 240; // a bar of weight 1, in the other heads

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

/** A straight band, as wide at its end as where it starts. */
const beam = ({ x, y, toX, toY, thick }) =>
  `M${x},${y}L${toX},${toY}H${toX + thick}L${x + thick},${y}Z`;

/** Where the looks begin: that at "it" goes straight up. */
const beginOf = (row) =>
  row.slice(0, PRONOUN).reduce((x, share) => x - ALL * share, across(PRONOUN)) -
  (ALL * row[PRONOUN]) / 2;

/** The looks of the slot's head at the English words, side by side and as wide as their weights. */
function looks(row, y, toY) {
  let x = beginOf(row);
  return row.map((share, i) => {
    const thick = ALL * share;
    const look = { x, y, toX: across(i) - thick / 2, toY, thick };
    const beside = share < LEAST ? FAINT : CLEAR;
    const clear = i === PRONOUN ? MOST : beside;
    x += thick;
    const from = { toX: look.x, toY: y, o: clear };
    return { id: `asks ${i}`, class: "weight", d: beam, ...look, o: clear, from, glide: EVENT };
  });
}

/** A head that is not asked about. */
const quiet = (mark) => (mark.text ? { ...mark, class: "faint" } : { ...mark, o: PALE });

/** The slot that writes next, its middle at a point, and what it does. */
function slot(name, { told, word }, [x, y], side, does, anchor = "start") {
  const own = { version: word, edge: "own-edge" };
  const away = side / 2 + 20;
  const at = anchor === "start" ? x + away : x - away;
  return [
    ...tile(`${name} ${SLOT}`, told.tiles[name][SLOT], [x, y], side, own),
    text("slot", "query bold", [at, y - 2], "the next French word", { anchor }),
    text("does", "", [at, y + 28], does, { anchor }),
  ];
}

/** The encoder's vectors have come over the bridge; the slot asks them. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const row = told.cross[head];
  const end = BAND.y + BAND.h;
  const middle = height - 6 - ASKING / 2;
  const foot = middle - ASKING / 2 - 8;
  const box = { x: 8, y: end + 14, w: 1200, h: foot - end - 34 };
  const begin = beginOf(row);
  const holds = `${MOST_OF}: it holds “${told.gloss[PRONOUN]}”`;
  const strong = (i) => (veiled ? 1 : row[i] / row[PRONOUN]);
  const shown = () => [
    ...looks(row, foot, end),
    line("all looks", "own", [begin, foot], [begin + ALL, foot]),
    text("whole", "faint", [begin + ALL + 12, foot + 24], "all together: 1", LEFT_END),
    ...row.flatMap((share, i) => {
      const more = { delay: EVENT / 2, size: i === PRONOUN ? 36 : LABEL };
      const kind = i === PRONOUN ? "bold" : "";
      return share < LEAST
        ? []
        : text(`look ${i}`, kind, [across(i), end - 8], digits(share), more);
    }),
  ];
  return [
    ...later(state, otherHeads(told.cross, head, told.source, TALL).map(quiet)),
    rect("bridge", "bridge", { x: 4, y: BAND.y, w: 1208, h: BAND.h }, { rx: 8 }),
    ...tiles(state, "memory", (i) => [across(i), BAND.y + 36], 44, PRONOUN, strong),
    ...choosable(state, act, BAND.y + 94, {}),
    text("over", "", [4, BAND.y - 16], "Over the bridge: eleven vectors of the encoder", LEFT_END),
    ...slot("slots", state, [across(PRONOUN), middle], ASKING, `asks in head ${head + 1}`, "end"),
    ...(veiled ? later(state, veil(box, `Where head ${head + 1} looks`, act)) : shown()),
    ...inWords(state, told.source[PRONOUN], veiled ? MOST_OF : holds, act),
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
    ...slot("written", state, point, SLOT_SIDE, "after the decoder"),
    ...(veiled ? [] : shares(told.strip, box)),
    ...oneOfTwo(state, box, "The share of each word", PRONOUNS, act),
    label,
    { ...answered, ...flies },
  ];
}
