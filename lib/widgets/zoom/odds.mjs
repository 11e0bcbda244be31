// What is written, with and without a cut: “il” grows from the left, “elle” from the right.
import { digits } from "../frame/frame.mjs";
import { BASELINE, RIGHT_END, LEFT_END, line, rect, text } from "../frame/shapes.mjs";
import { ADJECTIVES, EVENT, highest, PRONOUNS } from "./world.mjs";

const SIZE = 36; // of letters in a bar
const NAME = 28; // of what a bar is called
const GAP = 12; // from a bar up to what holds of all
const BEFORE = 122; // from where a bar's name begins to the bar
const CALLED = { ...LEFT_END, size: NAME };

/** Whether another pronoun wins after the cut. */
export const turns = ([plain, cut]) => highest(plain) !== highest(cut);

/** Of both pronouns the bar of the one that wins. */
function bar(id, odds, box) {
  const winner = highest(odds);
  const w = odds[winner] * box.w;
  const [edge, anchor, inward] = winner ? [box.x + box.w, "end", -1] : [box.x, "start", 1];
  const part = { ...box, x: winner ? edge - w : edge, w };
  const at = [edge + (inward * SIZE) / 2, box.y + box.h / 2 + 0.36 * SIZE];
  const words = `${PRONOUNS[winner]} ${digits(odds[winner])}`;
  return [
    rect(id, "query", part, { from: { x: edge, w: 0, o: 1 }, glide: EVENT }),
    text(`${id}: ${words}`, "on-weight bold", at, words, { anchor, size: SIZE, delay: EVENT }),
  ];
}

/** Of each last word what holds for it: of the sentence on the screen, and of the other one. */
export const ofBoth = ({ told, was, word }) =>
  ADJECTIVES.map((each) => (each === word ? told : was));

/** Which pronoun became which by the cut, if one did. pairs: [for each word: [odds, odds]]. */
export const change = (pairs) =>
  pairs
    .find(turns)
    ?.map((odds) => PRONOUNS[highest(odds)])
    .join(" → ");

/** A bar for each last word, before a cut or after it; what it turned is framed, half is dashed. */
export function bars(id, { veiled }, pairs, boxOf) {
  const [first, last] = [0, 1].map(boxOf);
  const [middle, foot] = [first.x + first.w / 2, last.y + last.h];
  const rows = pairs.flatMap((pair, word) => {
    const [box, own] = [boxOf(word), `${id} ${word}`];
    const at = [box.x - BEFORE, box.y + box.h / 2 + BASELINE];
    return [
      text(`row ${own}`, "", at, `too ${ADJECTIVES[word]}`, CALLED),
      rect(`all of ${own}`, "spread", box),
      ...bar(`written ${own}`, pair[Number(!veiled)], box),
      ...(!veiled && turns(pair) ? [rect(`changed ${own}`, "lit", box, { delay: EVENT })] : []),
    ];
  });
  return [...rows, line(`even ${id}`, "even", [middle, first.y], [middle, foot])];
}

/** What holds of all bars, on the line above the first one, and there what their ends mean. */
export const title = (words, { x, y, w }, at = { x: x + w / 2 }) => [
  text("end il", "query bold", [x, y - GAP], PRONOUNS[0], { ...LEFT_END, size: NAME }),
  text("end elle", "query bold", [x + w, y - GAP], PRONOUNS[1], { ...RIGHT_END, size: NAME }),
  text(words, "answer-label", [at.x, y - GAP], words, at), // on a phone below the answer, too
];
