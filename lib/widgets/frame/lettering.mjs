// Letters and numbers on the stage: the answer to a question, and how wide a text is.

import { isFormula, setLine } from "./formula.mjs";
import { short } from "./frame.mjs";
import { LABEL } from "./marks.mjs";
import { widthOfLetters } from "./ruler.mjs";

// The room of a drawing in 1280 x 720; a screen higher than 4:3 has air below the tallest one.
export const STAGE = { width: 1216, height: 456, tallest: 760 };
export const BIG = 104; // letters of the answer
const WORDS = { size: 84, y: 74 }; // of one in words: a subscript hangs below its line
const SECOND = 40; // of a second large number
const BASELINES = { answer: 80, label: 124, before: 160 };
export const HEAVY = 650;
const ANSWER_ROOM = 272; // the answer is not wider where a drawing says no other room

/**
 * The answer to the question, at the top right and by far the largest: {number, format, label,
 * before, steady, veiled, x, after, room}, or words where it is no number; before is that of the
 * ghost or undefined, x its right edge. steady: where it stays the same, that is the point, so
 * "before" is said all the same. after: milliseconds until it is told, for the event is seen first.
 */
export function answer(play, act) {
  const { number, format, words, label, before, steady, veiled } = play;
  const { x = STAGE.width, after = 0, room = ANSWER_ROOM } = play;
  const at = { x, anchor: "end" };
  const { answer: top, label: below, before: last } = BASELINES;
  const text = before === undefined ? "" : `before: ${format(before)}`;
  const was = { id: "answer-before", class: "ghosted", y: last, size: LABEL, text, ...at };
  const named = {
    id: "answer-label",
    class: "answer-label",
    y: below,
    size: 28,
    text: label,
    ...at,
  };
  if (veiled) {
    const until = "answer"; // what is asked stays until it is told
    const mark = { id: "answer-veil", class: "answer faint", y: top, size: BIG, text: "?", ...at };
    const ghost = steady && text ? [was] : [];
    return [{ ...mark, until, pick: () => act.next() }, { ...named, until }, ...ghost];
  }
  const width = widthOf(words ?? format(number), BIG, HEAVY);
  const size = Math.min(words ? WORDS.size : BIG, (BIG * room) / width);
  if (words) {
    const told = { text: words, ...at, y: WORDS.y, size, delay: after };
    return [{ id: "answer", class: "answer", ...told }, named];
  }
  const from = { number: before ?? number, o: 0 };
  const marks = [
    { id: "answer", class: "answer", y: top, size, number, format, from, delay: after, ...at },
    named,
  ];
  if (text === "" || (!steady && format(before) === format(number))) return marks;
  return [...marks, was];
}

/**
 * True while nothing was asked and nothing moved: no number is an answer yet. moved: what Python
 * says of the demo, for a page that was opened anew has no "before".
 */
export const isUnasked = ({ moved, before }) => !moved && before === null;

/** A second number that is large, as a mark without its place. */
export const large = { class: "large", size: SECOND };

const NARROWEST = 0.25; // of a letter's size: so narrow are few letters
// Words with the space after them; Chinese and Japanese may break after every letter.
const PIECES = /[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/gu;

/** How wide a text is, in pixels of the stage. */
export function widthOf(text, size = LABEL, weight = 400) {
  const wide = (part, high, isSlanted) => widthOfLetters(part, high, weight, isSlanted);
  return isFormula(text) ? setLine(text, size, wide).width : wide(text, size, false);
}

/** As much of a token as fits into so many pixels. */
export function fit(token, room, size = LABEL) {
  let most = [...token].length;
  if (widthOf(token, size) > room) most = Math.min(most, Math.floor(room / (size * NARROWEST)));
  while (most > 1 && widthOf(short(token, most), size) > room) most -= 1;
  return short(token, most);
}

/** Break a text into lines of at most `room`; wide(text) measures. */
export function breakLines(text, room, wide = widthOf) {
  const lines = [""];
  for (const piece of text.match(PIECES) ?? []) {
    const longer = lines.at(-1) + piece;
    if (lines.at(-1) && wide(longer.trimEnd()) > room) lines.push(piece);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => line.trim());
}
