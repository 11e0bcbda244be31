// The model from outside: a sentence goes in, its translation comes out.
import { widthOf } from "../frame/lettering.mjs";
import { rect, text } from "../frame/shapes.mjs";
import { arrow, FLIGHT, later, lever, WIDTH } from "./world.mjs";

const LINE = 70; // from a line of a sentence to the next
const LETTERS = 49;
const [REGULAR, BOLD] = [400, 650];
const SPACE = 12; // between two words
const WALL = { x: 488, w: 240 };
const ARROW = { gap: 14, length: 30, serif: 8 }; // of a whole sentence into the box and out of it
// Where a line ends; the fourth has the pronoun on the side of the box.
const BREAKS = { in: [2, 4, 6, 8, 10], out: [2, 5, 7, 9, 11] };
const [FOURTH, FIFTH] = [3, 4];

/** Words beside each other from a point on, or up to it; `own` tells which one is looked at. */
function flow(id, words, [x, y], own, anchor) {
  const parts = words.flatMap((word) => word.split(/(?<=')/)); // "qu'il" is two words
  const gaps = parts.map((part) => (part.endsWith("'") ? 0 : SPACE));
  const widths = parts.map((part) => widthOf(part, LETTERS, own.test(part) ? BOLD : REGULAR));
  const all = [...widths, ...gaps.slice(0, -1)].reduce((sum, width) => sum + width, 0);
  let left = anchor === "end" ? x - all : x;
  return parts.map((part, i) => {
    const place = [left, y];
    left += widths[i] + gaps[i];
    const kind = own.test(part) ? "query bold" : "";
    return text(`${id} ${i}`, kind, place, part, { size: LETTERS, anchor: "start" });
  });
}

/** The lines of a sentence, each from its point on or up to it. */
function block(name, words, points, own, anchor) {
  return BREAKS[name].flatMap((end, i) => {
    const part = words.slice(BREAKS[name][i - 1] ?? 0, end);
    return flow(`${name} ${i}`, part, points[i], own, anchor);
  });
}

/** The black box: a sentence in, its translation out, and nobody sees how. */
export function box(state, { height }, act) {
  const { told, word } = state;
  const wall = { ...WALL, y: 40, h: height - 80 };
  const right = WALL.x + WALL.w;
  const middle = WALL.x + WALL.w / 2;
  const y = height / 2 + 0.75 * LINE; // of the line of "it"
  const feet = BREAKS.in.map((_, i) => y + LETTERS / 3 + (i - FOURTH) * LINE);
  const end = WALL.x - ARROW.length - 3 * ARROW.gap - ARROW.serif;
  const rest = widthOf(word, LETTERS, BOLD) + 1.9 * LETTERS; // the last word is the switch
  const points = feet.map((foot, i) => [i === FIFTH ? end - rest : end, foot]);
  const out = feet.map((foot) => [WIDTH - end + 8, foot]);
  const [top, foot] = [feet[0] - LETTERS, feet[FIFTH] + LETTERS / 3];
  const bracket = (side, x) => () => `M${side},${top}H${x}V${foot}H${side}`;
  const way = (id, x, side, [from, to]) => [
    { id: `all ${id}`, class: "own", d: bracket(side, x) },
    ...arrow(id, "own", [from, (top + foot) / 2], [to, (top + foot) / 2]),
  ];
  const tip = end + ARROW.gap;
  const before = tip + ARROW.serif;
  return [
    rect("wall", "wall-shut", wall, { rx: 16, glide: FLIGHT }),
    text("name", "of-wall bold", [middle, wall.y + 56], "Transformer", { size: 36 }),
    text("how", "of-wall bold", [middle, y + 26], "?", { size: 120 }),
    ...later(state, [
      ...block("in", told.source, points, /^it$/, "end"),
      ...block("out", told.models[0].text.split(" "), out, /^(il|elle)$/),
    ]),
    ...lever(state, [end - 12, feet[FIFTH]], act, { size: LETTERS }),
    ...way("into", before, tip, [before, WALL.x - ARROW.gap]),
    ...way("out", WIDTH - before, WIDTH - tip, [right + ARROW.gap, WIDTH - before - 5]),
  ];
}
