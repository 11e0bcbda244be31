// The model from outside: a sentence goes in, its translation comes out, and nobody sees how.
import { widthOf } from "../frame/lettering.mjs";
import { rect, text } from "../frame/shapes.mjs";
import { arrow, FLIGHT, later, lever, SLOT, WIDTH } from "./world.mjs";

const MOST = 46; // of the size of letters; the longer sentence has one line
const [REGULAR, BOLD] = [400, 650];
const PAD = 0.3; // of the switch, beyond its word
const SPACE = 0.28; // between two words, in letters, and of the switch, before its word
const ICON = 1.3;
const [FIRST, LAST] = [64, 56]; // the sentence from above, and its translation from below
const GENDER = { size: 28, below: 40 }; // of a noun, from its line
const WAY = 72; // from a line to the box
const REACH = 14; // of an arrow, from letters
const LOOK = { rx: 16, glide: FLIGHT };
const NAME = { size: 44, anchor: "start" };
const ASKED = 180; // letters of what nobody sees
const PRONOUNS = ["it", "il", "elle"];

/** A line of words. */
function lineOf(id, y, size, words) {
  let right = 0;
  return words.map((word, i) => {
    const [x, isOwn] = [right, PRONOUNS.includes(word)];
    right += widthOf(word, size, isOwn ? BOLD : REGULAR);
    right += word.endsWith("'") ? 0 : SPACE * size;
    const kind = isOwn ? "query bold" : "";
    return text(`${id} ${i}`, kind, [x, y], word, { size, anchor: "start" });
  });
}

/** The black box: the last word is the switch, the pronoun comes out in the middle. */
export function box(state, { height }, act) {
  const { told, was, word } = state;
  const long = Math.max(...[told, was].map(({ models }) => widthOf(models[0].text, MOST, BOLD)));
  const size = Math.min(MOST, (MOST * WIDTH) / long);
  const wide = (part) => widthOf(part, size, BOLD);
  const foot = height - LAST;
  const into = lineOf("word", FIRST, size, told.source);
  const end = into.pop().x + ICON * size + wide(word); // the last word is the switch
  // Its words as they stand in the vocabulary: "qu'il" is two.
  const out = lineOf("out", foot, size, told.models[0].text.split(/ |(?<=')/));
  const genders = out
    .filter(({ text: said }) => said in told.genders)
    .map(({ id, x, text: said }) => {
      const at = [x + widthOf(said, size) / 2, foot + GENDER.below];
      return text(`gender of ${id}`, "", at, told.genders[said], { size: GENDER.size });
    });
  const pronoun = out.find(({ text: said }) => said === told.target[SLOT]);
  const [tick, below] = [FIRST + 26, FIRST + 36]; // of a bracket under all words that go in
  const wall = { x: 0, y: FIRST + WAY, w: WIDTH };
  const low = foot - size - WAY + REACH;
  const middle = (wall.y + low) / 2;
  return [
    rect("wall", "wall-shut", { ...wall, h: low - wall.y }, LOOK),
    text("name", "of-wall bold", [NAME.size, middle + 0.36 * NAME.size], "Transformer", NAME),
    text("how", "of-wall bold", [WIDTH / 2, middle + 0.36 * ASKED], "?", { size: ASKED }),
    { id: "all", class: "own", d: () => `M0,${tick}V${below}H${end + PAD * size}V${tick}` },
    ...arrow("into", "own", [end / 2, below], wall.y - REACH / 2),
    ...arrow("out of", "own", [pronoun.x + wide(pronoun.text) / 2, low + REACH / 2], foot - size),
    ...into,
    ...lever(state, [end, FIRST], act, { size }),
    ...later(state, [...out, ...genders]),
  ];
}
