// In the decoder: where the slot that writes looks, and what it writes where it cannot look there.
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { BASELINE, LEFT_END, rect, text, veil } from "../frame/shapes.mjs";
import { bars, CUT, ofBoth, titles } from "./odds.mjs";
import {
  across,
  BELOW,
  crossed,
  guessing,
  highest,
  inWords,
  later,
  PRONOUN,
  PRONOUNS,
  SLOT,
  shares,
  THICK,
  tile,
  tiles,
  WIDE,
  words,
} from "./world.mjs";

const SLOT_SIDE = 64;
const BOLD = 650;
const TALL = 240; // a bar of weight 1, below the table
const ASKER = { x: 52, above: 208 }; // the slot that looks, from the foot of the bars
const TABLE = { x: 92, step: 380, w: 360, y: 38, line: 58, h: 48 }; // of what is written
const COLUMNS = ["the likeliest of 115 words", "“it” hidden"];
const DOES = "looks below, writes above";
const GUESS = 906; // the middle of a guess, beside its row

/** The head that looks most at "it". */
const askingHead = ({ shown }) => highest(shown.cross.map((row) => row[PRONOUN]));

const cellOf = (row, column) => {
  const { x, step, w, y, line, h } = TABLE;
  return { x: x + step * column, y: y + line * row, w, h };
};

/** The slot that writes next, its middle at a point. */
function slot({ told, word }, [x, y]) {
  const away = x + SLOT_SIDE / 2 + 16;
  const reads = told.target[SLOT - 1];
  const look = { version: word, edge: "own-edge" };
  return [
    ...tile(`slots ${SLOT}`, told.tiles.slots[SLOT], [x, y], SLOT_SIDE, look),
    text(`slot ${SLOT}`, "bold", [away, y + BASELINE], reads, LEFT_END),
    text("does", "", [away + widthOf(`${reads} `, LABEL, BOLD), y + BASELINE], DOES, LEFT_END),
  ];
}

/** From the slot over to a bar, and down to its top. */
const over = ({ x, y, end, top }) => `M${x},${y}C${end},${y} ${end},${y} ${end},${top}`;

/** What is asked: both bars without "it". */
function asked(state, act) {
  const column = { ...cellOf(0, CUT), h: TABLE.line + TABLE.h };
  const choices = PRONOUNS.map((_, i) => {
    const box = cellOf(i, CUT);
    return { at: [GUESS, box.y + box.h / 2 + BASELINE], box };
  });
  return [
    ...(state.veiled ? later(state, veil(column, "And now?", act)) : []),
    ...guessing(state, choices, act),
  ];
}

/** What the slot's look suggests, and what it writes where it cannot look there. */
export function asks(state, { height }, act) {
  const { told, veiled } = state;
  const head = askingHead(told);
  const share = told.shown.cross[head][PRONOUN];
  const line = height - 14 - BELOW; // of the words
  const low = line - 56; // the middle of their tiles
  const foot = low - 26;
  const [x, y] = [ASKER.x, foot - ASKER.above];
  const [end, top] = [across(PRONOUN), foot - TALL * share];
  const look = { d: over, x: x + SLOT_SIDE / 2, y: y + 24, end, top };
  const pairs = ofBoth(state).map(({ shown, hidden }) => [shown.odds, hidden.odds]);
  const { cross } = veiled ? told.shown : told.hidden;
  const gone = { x: end - WIDE / 2, y: top, w: WIDE, h: TALL * share };
  return [
    ...later(state, [
      ...titles(COLUMNS, cellOf),
      ...bars("asks", state, pairs, cellOf),
      ...shares(cross, head, foot, TALL),
    ]),
    ...tiles(state, "memory", (i) => [across(i), low], 44, PRONOUN),
    ...words(state, act, line),
    ...slot(state, [x, y]),
    ...(veiled
      ? later(state, [{ id: "look", class: "arc", ...look, thick: THICK * share }])
      : [
          { id: "look hidden", class: "ghost", ...look },
          rect("bar hidden", "ghost", gone),
          crossed("hidden", [end, (top + foot) / 2]),
        ]),
    ...asked(state, act),
    ...inWords(state, "elle", veiled ? "which changes" : "becomes “il”", act),
  ];
}
