// What is written, "il" or "elle", with and without a cut: bars that grow from both sides.
import { digits } from "../frame/frame.mjs";
import { BASELINE, RIGHT_END, LEFT_END, rect, text } from "../frame/shapes.mjs";
import { ADJECTIVES, EVENT, highest, PRONOUNS } from "./world.mjs";

const SIZE = 36; // of letters in a bar
const NAME = 28; // of what a bar is called
const GAP = 12; // from a bar to what it is called
export const CUT = 1; // the column that is asked about

/** The bar of both, and in it the one that wins. */
function bar(id, odds, box) {
  const winner = highest(odds);
  const parts = odds.map((share, i) => {
    const [edge, w] = [box.x + i * box.w, share * box.w];
    const from = { x: edge, w: 0, o: 1 };
    const kind = i === winner ? "weight" : "rival";
    const part = { ...box, x: edge - i * w, w };
    return rect(`${id} ${PRONOUNS[i]}`, kind, part, { from, glide: EVENT });
  });
  const at = [box.x + (winner ? box.w - SIZE / 2 : SIZE / 2), box.y + box.h / 2 + 0.36 * SIZE];
  const look = { anchor: winner ? "end" : "start", size: SIZE, delay: EVENT };
  const words = `${PRONOUNS[winner]} ${digits(odds[winner])}`;
  return [...parts, text(`${id} winner`, "on-weight bold", at, words, look)];
}

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
      text(`row ${id} ${row}`, "", [x - GAP, y + h / 2 + BASELINE], ADJECTIVES[row], {
        ...RIGHT_END,
        size: NAME,
      }),
      ...pair.flatMap((odds, column) => {
        const [box, own] = [cellOf(row, column), `${id} ${row} ${column}`];
        const turned = !veiled && highest(odds) !== highest(pair[0]);
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
    return text(`column ${i}`, "", [x, y - GAP], name, LEFT_END);
  });
