// What is written, with and without a cut: “il” grows from the left, “elle” from the right.
import { digits } from "../frame/frame.mjs";
import { BASELINE, RIGHT_END, LEFT_END, rect, text } from "../frame/shapes.mjs";
import { ADJECTIVES, EVENT, highest, PRONOUNS } from "./world.mjs";

const SIZE = 36; // of letters in a bar
const NAME = 28; // of what a bar is called
const GAP = 12; // from a bar to what it is called
const CALLED = { ...RIGHT_END, size: NAME };
export const CUT = 1; // the column that is asked about

/** The box of all bars after the cut. */
export function afterCut(cellOf) {
  const [first, last] = [0, 1].map((row) => cellOf(row, CUT));
  return { ...first, h: last.y + last.h - first.y };
}

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
    rect(id, "weight", part, { from: { x: edge, w: 0, o: 1 }, glide: EVENT }),
    text(`${id} winner`, "on-weight bold", at, words, { anchor, size: SIZE, delay: EVENT }),
  ];
}

/** What a row is called. */
export const nameOf = (row) => `too ${ADJECTIVES[row]}`;

/** Of each last word what holds for it: of the sentence on the screen, and of the other one. */
export const ofBoth = ({ told, was, word }) =>
  ADJECTIVES.map((each) => (each === word ? told : was));

/**
 * Two bars for each last word, as it is and after a cut; what the cut turned has a frame. pairs:
 * [for each word: [odds, odds]]; cellOf(word, column) is the box of a bar.
 */
export function bars(id, { veiled }, pairs, cellOf) {
  return pairs.flatMap((pair, row) => {
    const { x, y, h } = cellOf(row, 0);
    return [
      text(`row ${id} ${row}`, "", [x - GAP, y + h / 2 + BASELINE], nameOf(row), CALLED),
      ...pair.flatMap((odds, column) => {
        const [box, own] = [cellOf(row, column), `${id} ${row} ${column}`];
        const turned = !veiled && column === CUT && turns(pair);
        return [
          rect(`all of ${own}`, "spread", box),
          ...(veiled && column === CUT ? [] : bar(`written ${own}`, odds, box)),
          ...(turned ? [rect(`changed ${own}`, "lit", box, { delay: EVENT })] : []),
        ];
      }),
    ];
  });
}

/** What the columns are called, above the first row. */
export const titles = (names, cellOf) =>
  names.map((name, i) => {
    const { x, y } = cellOf(0, i);
    return text(`column ${i}`, "", [x, y - GAP], name, { ...LEFT_END, size: NAME });
  });
