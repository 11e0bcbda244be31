// In the decoder: what it writes where it can look at "it", and where it cannot.
import { text, veil } from "../frame/shapes.mjs";
import { bars, CUT, nameOf, ofBoth, titles, turns } from "./odds.mjs";
import {
  ADJECTIVES,
  BELOW,
  crossed,
  guessing,
  highest,
  inWords,
  later,
  PRONOUN,
  PRONOUNS,
  tile,
  WIDTH,
} from "./world.mjs";

const SIDE = 88; // of "it"
const ABOVE = 84; // its middle, from the foot of the room
const LOOK = 8; // how thick a look at it is
const TABLE = { x: 156, step: 540, w: 520, y: 190, line: 104, h: 64 }; // of what is written
const COLUMNS = ["“it” seen", "“it” hidden"];

const cellOf = (row, column) => {
  const { x, step, w, y, line, h } = TABLE;
  return { x: x + step * column, y: y + line * row, w, h };
};

/** Down from the bars of a column, and over to "it". */
const down = ({ x, y, end, top }) => `M${end},${top}V${y}H${x}`;

/** Both columns look at "it", until it is hidden from one. */
function looks({ veiled }, y) {
  const { x, w, h } = cellOf(1, CUT);
  const [end, top] = [x + w / 2, cellOf(1, CUT).y + h + BELOW / 2];
  const own = WIDTH / 2;
  const seen = { d: down, x: own - SIDE / 2, y, end: end - TABLE.step, top, thick: LOOK };
  const hidden = { d: down, x: own + SIDE / 2, y, end, top };
  return [
    { id: "look", class: "arc", ...seen },
    ...(veiled
      ? [{ id: "look to hide", class: "arc", ...hidden, thick: LOOK }]
      : [
          { id: "look hidden", class: "ghost", ...hidden },
          crossed("hidden", [end, (top + y) / 2]),
        ]),
  ];
}

/** What is asked: both bars without "it". */
function asked(state, act) {
  const column = { ...cellOf(0, CUT), h: TABLE.line + TABLE.h };
  const choices = PRONOUNS.map((_, i) => {
    const box = cellOf(i, CUT);
    return { at: [WIDTH, box.y + box.h + BELOW], box };
  });
  return [
    ...(state.veiled ? later(state, veil(column, "And now?", act)) : []),
    ...guessing(state, choices, act),
  ];
}

/** What is written of both sentences, and what where "it" is hidden. */
export function asks(state, { height }, act) {
  const [x, y] = [WIDTH / 2, height - ABOVE];
  const both = ofBoth(state);
  const pairs = both.map(({ models, hidden }) => [models[0].odds, hidden]);
  const row = pairs.findIndex(turns);
  const look = { version: ADJECTIVES[row], edge: "own-edge" };
  const winners = pairs[row].map((odds) => PRONOUNS[highest(odds)]);
  const change = winners.join(" → ");
  return [
    ...later(state, [
      ...titles(COLUMNS, cellOf),
      ...bars("asks", state, pairs, cellOf),
      ...looks(state, y),
    ]),
    ...tile(`memory ${PRONOUN}`, both[row].tiles.memory[PRONOUN], [x, y], SIDE, look),
    text(`word ${PRONOUN}`, "query bold", [x, height - 10], `“it” in “${nameOf(row)}”`, {
      size: 30,
    }),
    ...asked(state, act),
    ...inWords(state, change, state.veiled ? "what changes" : "once “it” is hidden", act),
  ];
}
