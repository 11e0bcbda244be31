// The model from outside: a sentence goes in, its translation comes out, and nobody sees how. With
// another last word another pronoun comes out, in the middle of the sentence.
import { widthOf } from "../frame/lettering.mjs";
import { rect, text } from "../frame/shapes.mjs";
import { arrow, FLIGHT, later, lever, SLOT, WIDTH } from "./world.mjs";

const MOST = 42; // of the size of letters; the longer sentence has one line
const [REGULAR, BOLD] = [400, 650];
const SPACE = 0.28; // between two words, in letters, and of the switch, before its word
const ICON = 1.3;
const [LEFT, LINE] = [24, 60]; // where lines begin, and from one to the next
const [FIRST, LAST] = [52, 16]; // the first line from above, and the last one from below
const WAY = 68; // from a line to the box
const REACH = 14; // of an arrow, from letters
const LOOK = { rx: 16, glide: FLIGHT };
const NAME = { size: 44, anchor: "start" };
const ASKED = 140; // letters of what nobody sees
const PRONOUNS = ["it", "il", "elle"];

/** What a word looks like: bold where the other line has another one. */
function kindOf(word, differs, isOther) {
  const own = PRONOUNS.includes(word) ? "query bold" : "";
  if (isOther) return differs ? "faint bold" : "faint";
  return differs ? own || "bold" : own;
}

/** A line of words; isOther: of the sentence with the other last word, which steps back. */
function lineOf(id, [y, size], words, others, isOther) {
  let right = LEFT;
  return words.map((word, i) => {
    const kind = kindOf(word, word !== others[i], isOther);
    const x = right;
    right += widthOf(word, size, kind.includes("bold") ? BOLD : REGULAR);
    right += word.endsWith("'") ? 0 : SPACE * size;
    return text(`${id} ${i}`, kind, [x, y], word, { size, anchor: "start" });
  });
}

/** Its words as they stand in the vocabulary: "qu'il" is two. */
const french = ({ models }) => models[0].text.split(/ |(?<=')/);

/**
 * The black box: the last word goes in at the end, the pronoun comes out in the middle. The chosen
 * sentence and its translation are next to the box, the others step back.
 */
export function box(state, { height }, act) {
  const { told, was, word } = state;
  const long = Math.max(...[told, was].map(({ models }) => widthOf(models[0].text, MOST, BOLD)));
  const size = Math.min(MOST, (MOST * (WIDTH - 2 * LEFT)) / long);
  const wide = (part) => widthOf(part, size, BOLD);
  const [second, third] = [FIRST + LINE, height - LAST - LINE];
  const other = lineOf("other word", [FIRST, size], was.source, told.source, true);
  const into = lineOf("word", [second, size], told.source, was.source, false);
  const end = into.pop().x + ICON * size + wide(word); // the last word is the switch
  other.at(-1).x += ICON * size;
  const out = lineOf("out", [third, size], french(told), french(was), false);
  const otherOut = lineOf("other out", [height - LAST, size], french(was), french(told), true);
  const pronoun = out.find(({ text: said }) => said === told.target[SLOT]);
  const [entry, exit] = [end - wide(word) / 2, pronoun.x + wide(pronoun.text) / 2];
  const [top, foot] = [second + WAY, third - size - WAY + REACH];
  const middle = (top + foot) / 2;
  return [
    rect("wall", "wall-shut", { x: LEFT, y: top, w: WIDTH - 2 * LEFT, h: foot - top }, LOOK),
    text("name", "of-wall bold", [3 * LEFT, middle + 0.36 * NAME.size], "Transformer", NAME),
    text("how", "of-wall bold", [WIDTH / 2, middle + 0.36 * ASKED], "?", { size: ASKED }),
    ...arrow("into", "own", [entry, second + REACH], [entry, top - REACH / 2]),
    ...arrow("out of", "own", [exit, foot + REACH / 2], [exit, third - size]),
    ...into,
    ...lever(state, [end, second], act, { size }),
    ...later(state, [...other, ...out, ...otherOut]),
  ];
}
