// What is written, with and without a cut: “il” grows from the left, “elle” from the right.
import { digits } from "../frame/frame.mjs";
import { LEFT_END, line, RIGHT_END, rect, text } from "../frame/shapes.mjs";
import { ADJECTIVES, crossed, EVENT, highest, PRONOUNS } from "./world.mjs";

const SIZE = 36; // of letters in a bar
const NAME = 28; // of what a bar is called
export const GAP = 12; // from a bar up to what holds of all
export const FOUND = 740; // where what came of it begins; the bars end where a phone's screen does
const [LOUD, QUIET] = [92, 64]; // letters of what changed, and of what did not

/** Whether another pronoun wins after the cut. */
const turns = ([plain, cut]) => highest(plain) !== highest(cut);

/** The bar of each pronoun, and the number of the one that wins; the rest is other words. */
function bar(id, odds, box) {
  const winner = highest(odds);
  const [edge, anchor, inward] = winner ? [box.x + box.w, "end", -1] : [box.x, "start", 1];
  const at = [edge + (inward * SIZE) / 2, box.y + box.h / 2 + 0.36 * SIZE];
  const words = `${PRONOUNS[winner]} ${digits(odds[winner])}`;
  const parts = odds.map((share, i) => {
    const [w, end] = [share * box.w, box.x + i * box.w];
    const grows = { from: { x: end, w: 0, o: 1 }, glide: EVENT };
    return rect(`${id} ${PRONOUNS[i]}`, "query", { ...box, x: end - i * w, w }, grows);
  });
  const told = { anchor, size: SIZE, delay: EVENT };
  return [...parts, text(`${id}: ${words}`, "on-weight bold", at, words, told)];
}

const LOOK = 8; // how thick a look is that is to be cut

/** A look from an end to another, and what is left of it after the cut. */
export const cuttable = ({ veiled }, id, [start, end], y) =>
  veiled
    ? [line(`look ${id}`, "arc", [start, y], [end, y], { thick: LOOK })]
    : [
        line(`hidden look ${id}`, "ghost", [start, y], [end, y]),
        crossed(`hidden ${id}`, [(start + end) / 2, y]),
      ];

/** Of each last word what holds for it: of the sentence on the screen, and of the other one. */
export const ofBoth = ({ told, was, word }) =>
  ADJECTIVES.map((each) => (each === word ? told : was));

/** What came of a row, beside its bar: another pronoun, or still the one before. */
function outcome({ veiled }, { pair, box }, row, act) {
  const [before, after] = pair.map((odds) => PRONOUNS[highest(odds)]);
  const said = (id, kind, size, words, more) =>
    text(`${id} ${row}`, kind, [FOUND, box.y + box.h / 2 + 0.34 * size], words, {
      ...{ ...LEFT_END, size },
      ...more,
    });
  const until = { until: `change ${row}`, pick: () => act.next() };
  if (veiled) return said("asked", "answer faint", LOUD, `${before} → ?`, until);
  if (!turns(pair)) return said("change", "faint bold", QUIET, `still ${after}`, { delay: EVENT });
  return said("change", "answer", LOUD, `${before} → ${after}`, { delay: EVENT });
}

/**
 * A bar for each {pair: [odds, odds], box}, before a cut or after it, and what came of it, beside
 * it or at its own place; what turned is framed.
 */
export function bars(id, state, rows, act) {
  return rows.flatMap(({ pair, box, place = box }, row) => {
    const [own, isTurned] = [`${id} ${row}`, !state.veiled && turns(pair)];
    return [
      rect(`all of ${own}`, "spread", box),
      ...bar(`written ${own}`, pair[Number(!state.veiled)], box),
      ...(isTurned ? [rect(`changed ${own}`, "lit", box, { delay: EVENT })] : []),
      outcome(state, { pair, box: place }, row, act),
    ];
  });
}

/** What the ends of all bars mean, above the first one. */
export const ends = ({ x, y, w }) => [
  text("end il", "query bold", [x, y - GAP], PRONOUNS[0], { ...LEFT_END, size: NAME }),
  text("end elle", "query bold", [x + w, y - GAP], PRONOUNS[1], { ...RIGHT_END, size: NAME }),
];
