// In the decoder: what one word is worth to the slot that writes, and the words that share 1.
import { digits } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { BASELINE, LEFT_END, rect, text, veil } from "../frame/shapes.mjs";
import {
  ADJECTIVES,
  across,
  BELOW,
  crossed,
  ending,
  EVENT,
  guessing,
  highest,
  inWords,
  PRONOUN,
  PRONOUNS,
  later,
  shares,
  SLOT,
  THICK,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const EDGE = 20;
const SLOT_SIDE = 64;
const BOLD = 650;
const WRITTEN = 84; // letters of what is written
const TALL = 200; // a bar of weight 1, below the table
const ASKER = { x: 52, above: 208 }; // the slot that looks, from the foot of the bars
const TABLE = { x: 100, step: 260, w: 244, y: 38, line: 54, h: 44 }; // of what is written
const COLUMNS = ["nothing hidden", "“it” hidden", "“was” hidden"];
const HIDDEN = 1; // the column that is asked about
const GUESS = 944; // the middle of a guess, beside its row

/** The head that looks most at "it". */
const askingHead = ({ cross }) => highest(cross.map((row) => row[PRONOUN]));

/** A band that narrows or widens from {x, w} at a height to {toX, toW} at another. */
const band = ({ x, w, y, toX, toW, toY }) => {
  const half = (y + toY) / 2;
  return (
    `M${x},${y}C${x},${half} ${toX},${half} ${toX},${toY}H${toX + toW}` +
    `C${toX + toW},${half} ${x + w},${half} ${x + w},${y}Z`
  );
};

/** The slot that writes next, its middle at a point, and what it does. */
function slot(name, { told, word }, [x, y], does) {
  const own = { version: word, edge: "own-edge" };
  const away = x + SLOT_SIDE / 2 + 16;
  const reads = told.target[SLOT - 1];
  return [
    ...tile(`${name} ${SLOT}`, told.tiles[name][SLOT], [x, y], SLOT_SIDE, own),
    text(`slot ${SLOT}`, "bold", [away, y + BASELINE], reads, LEFT_END),
    text("does", "", [away + widthOf(`${reads} `, LABEL, BOLD), y + BASELINE], does, LEFT_END),
  ];
}

/** Where "il" begins and "elle" ends, in a box. */
const sideOf = ({ x, y, w, h }, i, size) => [
  x + (i ? w - size / 2 : size / 2),
  y + h / 2 + 0.36 * size,
];

/** "il" grows from the left of a box, "elle" from the right; what wins is named in its part. */
function strip(id, odds, box, size) {
  const winner = highest(odds);
  const parts = odds.map((share, i) => {
    const [edge, w] = [box.x + i * box.w, share * box.w];
    const from = { x: edge, w: 0, o: 1 };
    const kind = i === winner ? "weight" : "rival";
    const part = { ...box, x: edge - i * w, w };
    return rect(`${id} ${PRONOUNS[i]}`, kind, part, { from, glide: EVENT });
  });
  const look = { anchor: winner ? "end" : "start", size, delay: EVENT };
  const words = `${PRONOUNS[winner]} ${digits(odds[winner])}`;
  return [...parts, text(`${id} winner`, "on-weight bold", sideOf(box, winner, size), words, look)];
}

const cellOf = (row, column) => {
  const { x, step, w, y, line: high, h } = TABLE;
  return { x: x + step * column, y: y + high * row, w, h };
};

/** What the slot writes of both sentences: as it is, and without its look at one word. */
function table({ told, was, word, veiled }) {
  const named = COLUMNS.map((words, i) => {
    return text(`column ${i}`, "", [cellOf(0, i).x, TABLE.y - 12], words, LEFT_END);
  });
  const rows = ADJECTIVES.flatMap((adjective, row) => {
    const { strip: all, hidden } = adjective === word ? told : was;
    const whole = PRONOUNS.map((one) => all.find(([other]) => other === one)[1]);
    const columns = [whole, hidden.it, hidden.was];
    const { y, h } = cellOf(row, 0);
    const kind = adjective === word ? "bold" : "";
    return [
      text(`row ${row}`, kind, [EDGE, y + h / 2 + BASELINE], adjective, LEFT_END),
      ...columns.flatMap((odds, i) => {
        const box = cellOf(row, i);
        const turned = highest(odds) !== highest(whole);
        return [
          rect(`all of ${row} ${i}`, "spread", box),
          ...(veiled && i === HIDDEN ? [] : strip(`written ${row} ${i}`, odds, box, 28)),
          ...(turned && !veiled ? [rect(`changed ${row}`, "lit", box, { delay: EVENT })] : []),
        ];
      }),
    ];
  });
  return [...named, ...rows];
}

/** From the slot over to a bar, and down to its top. */
const over = ({ x, y, end, top }) => `M${x},${y}C${end},${y} ${end},${y} ${end},${top}`;

/** What the slot's look suggests, and what it writes where it cannot look there. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const row = told.cross[head];
  const line = height - 14 - BELOW; // of the words
  const low = line - 56; // the middle of their tiles
  const foot = low - 26;
  const [x, y] = [ASKER.x, foot - ASKER.above];
  const [end, top] = [across(PRONOUN), foot - TALL * row[PRONOUN]];
  const look = { d: over, x: x + SLOT_SIDE / 2, y: y + 24, end, top };
  const column = { ...cellOf(0, HIDDEN), h: TABLE.line + TABLE.h };
  const choices = PRONOUNS.map((_, i) => {
    const box = cellOf(i, HIDDEN);
    return { at: [GUESS, box.y + box.h / 2 + BASELINE], box };
  });
  return [
    ...later(state, [...table(state), ...shares(told.cross, head, foot, TALL)]),
    ...tiles(state, "memory", (i) => [across(i), low], 44, PRONOUN),
    ...words(state, act, line),
    ...slot("slots", state, [x, y], "looks"),
    ...(veiled
      ? later(state, [
          { id: "look", class: "arc", ...look, thick: THICK * row[PRONOUN] },
          ...veil(column, "And now?", act),
        ])
      : [{ id: "look hidden", class: "ghost", ...look }, crossed("hidden", [end, top - 16])]),
    ...guessing(state, choices, act),
    ...inWords(state, "elle", veiled ? "which changes" : "becomes “il”", act),
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
  const { told } = state;
  const [[winner, share], [rival, next], ...others] = told.strip;
  const box = { x: EDGE, y: height / 2 - 48, w: WIDTH - 2 * EDGE, h: 120 };
  const point = [WIDTH / 2 - 100, height - 34];
  const fan = { x: point[0] - 30, w: 60, y: point[1] - SLOT_SIDE / 2, toX: box.x, toW: box.w };
  const [answered, label] = inWords(state, winner, "is written", act);
  const isRight = PRONOUNS.indexOf(rival) > 0;
  const far = isRight ? [box.x + box.w, "end"] : [box.x, "start"];
  const late = { anchor: far[1], delay: EVENT };
  const rest = `${others.length} others together ${digits(1 - share - next)}`;
  const odds = PRONOUNS.map((word) => (word === winner ? share : next));
  const size = 40;
  const [side, y] = sideOf(box, PRONOUNS.indexOf(winner), size);
  const end = isRight
    ? side + widthOf(winner, size, BOLD)
    : side - widthOf(` ${digits(share)}`, size, BOLD);
  const from = { x: end, y, size, o: 1 };
  return [
    ...ending(state, [EDGE, 36], act),
    ...slot("written", state, point, "after the decoder"),
    ...later(state, [
      soFar(told, answered),
      { id: "fan", class: "fan", d: band, ...fan, toY: box.y + box.h },
      rect("strip", "spread", box),
      ...strip("part", odds, box, size),
      text("rest", "faint", [far[0], box.y - 12], rest, late),
      text("second", "bold", [far[0], box.y + box.h + 34], `${rival} ${digits(next)}`, late),
      label,
      { ...answered, class: "answer halo", from, glide: EVENT },
    ]),
  ];
}
