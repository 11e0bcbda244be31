// In the decoder: what it writes where it can look at "it", and where it cannot.
import { text, veil } from "../frame/shapes.mjs";
import { afterCut, bars, CUT, nameOf, ofBoth, titles, turns } from "./odds.mjs";
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
const TABLE = { x: 156, step: 540, w: 520, y: 190, line: 104, h: 64, others: 332 };
const COLUMNS = ["“it” seen", "“it” hidden"];

/** cellOf(word, column), in a room of this height. */
const cellsOf = (height) => (row, column) => {
  const { x, step, w, y, others } = TABLE;
  const line = Math.min(TABLE.line, (height - others) / 2);
  return { x: x + step * column, y: y + line * row, w, h: Math.min(TABLE.h, line - 8) };
};

/** Down from the bars of a column, and over to "it". */
const down = ({ x, y, end, top }) => `M${end},${top}V${y}H${x}`;

/** Both columns look at "it", until it is hidden from one. */
function looks({ veiled }, y, box) {
  const [end, top] = [box.x + box.w / 2, box.y + box.h + BELOW / 2];
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
function asked(state, cellOf, act) {
  const choices = PRONOUNS.map((_, i) => {
    const box = cellOf(i, CUT);
    return { at: [WIDTH, box.y + box.h + BELOW], box };
  });
  return [
    ...(state.veiled ? later(state, veil(afterCut(cellOf), "And now?", act)) : []),
    ...guessing(state, choices, act),
  ];
}

/** What is written of both sentences, and what where "it" is hidden. */
export function asks(state, { height }, act) {
  const [x, y, cellOf] = [WIDTH / 2, height - ABOVE, cellsOf(height)];
  const both = ofBoth(state);
  const pairs = both.map(({ models, hidden }) => [models[0].odds, hidden]);
  const row = pairs.findIndex(turns);
  const look = { version: ADJECTIVES[row], edge: "own-edge" };
  const winners = pairs[row].map((odds) => PRONOUNS[highest(odds)]);
  const [said, change] = [`“it” in “${nameOf(row)}”`, winners.join(" → ")];
  return [
    ...later(state, [
      ...titles(COLUMNS, cellOf),
      ...bars("asks", state, pairs, cellOf),
      ...looks(state, y, cellOf(1, CUT)),
    ]),
    ...tile(`memory ${PRONOUN}`, both[row].tiles.memory[PRONOUN], [x, y], SIDE, look),
    text(`word ${PRONOUN}`, "query bold", [x, height - 10], said, { size: 30 }),
    ...asked(state, cellOf, act),
    ...inWords(state, change, state.veiled ? "what changes" : "once “it” is hidden", act),
  ];
}
