// In the decoder: what it writes where it can look at "it", and where it cannot.
import { LEFT_END, text } from "../frame/shapes.mjs";
import { bars, change, nameOf, ofBoth, title, turns } from "./odds.mjs";
import { ADJECTIVES, BELOW, crossed, guessing, inWords, later, PRONOUN, tile } from "./world.mjs";

const SIDE = 88; // of "it"
const ABOVE = 84; // its middle, from the foot of the room
const LOOK = 8; // how thick a look at it is
// The bars end where a phone's screen does; beside them stands what changes.
const TABLE = { x: 122, w: 538, y: 108, line: 116, h: 76, others: 284 };
const GUESS = 76; // from the left end of a bar to the middle of a guess below it
const ANSWER = { x: 740, ...LEFT_END, size: 92 };

/** boxOf(word), in a room of this height. */
const boxesOf = (height) => (word) => {
  const line = Math.min(TABLE.line, (height - TABLE.others) / 2);
  const { x, w, y, h } = TABLE;
  return { x, y: y + line * word, w, h: Math.min(h, line - 8) };
};

const down = ({ x, y, top }) => `M${x},${top}V${y}`;

/** The look at "it", until it is cut. */
function looks({ veiled }, x, top, y) {
  const look = { d: down, x, y, top };
  if (veiled) return [{ id: "look", class: "arc", ...look, thick: LOOK }];
  return [{ id: "hidden look", class: "ghost", ...look }, crossed("hidden", [x, (top + y) / 2])];
}

/** What is written of both sentences, and what where "it" is hidden. */
export function asks(state, { height }, act) {
  const [y, boxOf] = [height - ABOVE, boxesOf(height)];
  const [first, last] = [0, 1].map(boxOf);
  const [x, foot] = [last.x + 0.75 * last.w, last.y + last.h];
  const both = ofBoth(state);
  const pairs = both.map(({ models, hidden }) => [models[0].odds, hidden]);
  const row = pairs.findIndex(turns);
  const look = { version: ADJECTIVES[row], edge: "own-edge" };
  const turned = state.veiled ? boxOf(0.5) : boxOf(row); // while it is asked: between both
  const answer = { ...ANSWER, y: turned.y + turned.h / 2 + 0.34 * ANSWER.size };
  const choices = [first, last].map((box) => ({ at: [box.x + GUESS, box.y + box.h + BELOW], box }));
  return [
    ...later(state, [
      ...title(state.veiled ? "“it” seen" : "“it” hidden", first),
      ...bars("asks", state, pairs, boxOf),
      ...looks(state, x, foot + BELOW / 3, y - SIDE / 2),
    ]),
    ...tile(`memory ${PRONOUN}`, both[row].tiles.memory[PRONOUN], [x, y], SIDE, look),
    text(`word ${PRONOUN}`, "query bold", [x, height - 10], `“it” in “${nameOf(row)}”`, {
      size: 30,
    }),
    ...guessing(state, choices, act),
    ...inWords(state, ["?", change(pairs)], act, answer),
  ];
}
