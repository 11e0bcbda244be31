// In the decoder: what it writes where it can look at "it", and where it cannot.
import { BASELINE, LEFT_END, text } from "../frame/shapes.mjs";
import { bars, cuttable, ends, ofBoth } from "./odds.mjs";
import { ADJECTIVES, BELOW, guessing, later, PALE, PRONOUN, tile } from "./world.mjs";

// The bars and "it" end where a phone's screen does.
const TABLE = { x: 122, w: 376, y: 108, line: 200, h: 120, others: 273 };
const [START, SIDE, END] = [510, 100, 622]; // of a look at "it"; its tile, and the middle of that
const GUESS = 76; // from the left end of a bar to the middle of a guess below it
const CALLED = { ...LEFT_END, size: 28 };

/** boxOf(word), in a room of this height. */
const boxesOf = (height) => (word) => {
  const { x, w, y, h } = TABLE;
  return { x, y: y + Math.min(TABLE.line, height - TABLE.others) * word, w, h };
};

/** "It" of a sentence, and the look at it, until it is cut. */
function seen(state, told, word, { y, h }) {
  const [middle, end] = [y + h / 2, END - SIDE / 2];
  // The pronoun of the last one turns: it came here from the scene before.
  const id = `memory ${PRONOUN}${word ? "" : ` of ${ADJECTIVES[word]}`}`;
  const look = { version: ADJECTIVES[word], edge: "own-edge", o: state.veiled ? 1 : PALE };
  return [
    ...cuttable(state, word, [START, end], middle),
    ...tile(id, told.tiles.memory[PRONOUN], [END, middle], SIDE, look),
  ];
}

/** What is written of both sentences, and what where "it" is hidden. */
export function asks(state, { height }, act) {
  const boxOf = boxesOf(height);
  const boxes = [0, 1].map(boxOf);
  const both = ofBoth(state);
  const rows = both.map(({ models, hidden }, word) => ({
    pair: [models[0].odds, hidden],
    box: boxes[word],
  }));
  const choices = boxes.map((box) => ({ at: [box.x + GUESS, box.y + box.h + BELOW], box }));
  return [
    ...later(state, [
      ...ends(boxes[0]),
      ...boxes.map(({ y, h }, word) =>
        text(`row ${word}`, "", [0, y + h / 2 + BASELINE], `too ${ADJECTIVES[word]}`, CALLED),
      ),
      ...bars("asks", state, rows, act),
    ]),
    ...both.flatMap((told, word) => seen(state, told, word, boxes[word])),
    text(`word ${PRONOUN}`, "query bold", [END, TABLE.y - 12], "it", { size: 28 }),
    ...guessing(state, choices, act),
  ];
}
