// Two models that write the same French: where "it" looks in each, and what they write where it
// sees only itself.
import { digits } from "../frame/frame.mjs";
import { HEAVY, widthOf } from "../frame/lettering.mjs";
import { BASELINE, LEFT_END, RIGHT_END, rect, text } from "../frame/shapes.mjs";
import { bars, change, ofBoth, title } from "./odds.mjs";
import { BELOW, EVENT, guessing, highest, later, oneOfTwo } from "./world.mjs";
import { WIDTH, words } from "./world.mjs";

const NAMES = ["model 1", "model 2"];
const TRAINED = ["also learned what each word means", "learned only to translate"];
const EDGE = 10;
const NAME = 40; // letters of a model's name
const TAUGHT = 32; // and of what it learned
const VERDICT = [56, 88]; // letters of what each half comes to: the other model is asked about
const WORDS = 154; // the line between both models
const HEAD = [50, 96]; // the line of each model: of the first from above, then from those words
const CELL = { w: 94, h: 38 };
const BETWEEN = 6; // two heads
const MOST = 58; // from head to head
const GREY = 40; // percent of ink for all the weight, where it is not asked for
const at = (i) => 148 + 101 * i; // the words leave room for the names of the heads

/** A line that begins at the left edge. */
const begins = (id, kind, y, said, size) => text(id, kind, [EDGE, y], said, { ...LEFT_END, size });

/** What a half comes to; "?" while it is asked. */
function verdict(number, y, words, act) {
  const isAsked = words === "?";
  const kind = number ? "answer" : "faint bold";
  const until = isAsked ? { until: `verdict ${number}`, pick: () => act.next() } : { delay: EVENT };
  const look = { ...RIGHT_END, size: VERDICT[number], ...until };
  return text(`${isAsked ? "asked" : "verdict"} ${number}`, kind, [WIDTH - EDGE, y], words, look);
}

/** Its name, and how it was trained. */
function about(number, y) {
  const after = EDGE + widthOf(NAMES[number], NAME, HEAVY) + NAME / 2;
  const kind = number ? "answer-label" : ""; // a phone has it below the verdict
  const look = { ...LEFT_END, size: TAUGHT };
  return [
    begins(NAMES[number], "bold", y, NAMES[number], NAME),
    text(`known of ${number}`, kind, [after, y], TRAINED[number], look),
  ];
}

/** Each head's name and weights, so far from the next, and a frame round those of the noun. */
function rows({ rows: heads }, noun, number, [y, step]) {
  const box = { x: at(noun) - CELL.w / 2, y: y - 2, w: CELL.w, h: step * heads.length - 2 };
  const shade = (share) => `color-mix(in srgb, var(--ink) ${GREY * share}%, var(--paper))`;
  const cellOf = (share, head, i) => ({
    ...{ id: `head ${number} ${head} ${i}`, kind: "cell", number: share, delay: EVENT / 2 },
    ...{ x: at(i) - CELL.w / 2, y: y + step * head, w: CELL.w, h: step - BETWEEN },
    ...(i === noun
      ? { tint: share, format: digits, size: 24 + 8 * share }
      : { fill: shade(share), format: () => "" }), // what is not asked for is a shade
  });
  return [
    ...heads.flatMap((row, head) => {
      const foot = y + step * head + (step - BETWEEN) / 2 + BASELINE;
      const name = begins(`name ${number} ${head}`, "", foot, `head ${head + 1}`);
      return [name, ...row.map((share, i) => cellOf(share, head, i))];
    }),
    rect(`noun ${number}`, "key-line", box, { rx: 4 }),
  ];
}

/** The rows of "it" in both models. */
export function models(state, { height }, act) {
  const { told, veiled } = state;
  const { noun, models: both } = told;
  const lines = [HEAD[0], WORDS + HEAD[1]];
  const top = lines[1] + 30; // of the heads of model 2
  const [one, two] = both.map(({ rows: heads }) =>
    heads.some((row) => highest(row) === noun) ? "yes" : "no",
  );
  const count = both[1].rows.length;
  const step = Math.min(MOST, (height - top - EDGE) / count);
  const box = { x: EDGE, y: top - 4, w: WIDTH - 2 * EDGE, h: step * count + 2 };
  const half = { x: 0, y: WORDS + 20, w: WIDTH, h: height - WORDS - 20 };
  return [
    ...later(state, [
      rect("half", "bridge", half, { rx: 8 }),
      ...lines.flatMap((y, i) => about(i, y)),
      ...rows(both[0], noun, 0, [lines[0] + 26, CELL.h + BETWEEN]),
    ]),
    ...words(state, act, WORDS, { [noun]: "key bold" }, at),
    ...(veiled ? [] : rows(both[1], noun, 1, [top, step])),
    ...oneOfTwo(state, box, ["yes", "no"], act),
    verdict(0, lines[0], one, act),
    verdict(1, lines[1], veiled ? "?" : two, act),
  ];
}

// The bars end where a phone's screen does; beside them stands what they come to.
const TABLE = { x: 288, w: 380, y: 164, line: 79, apart: 48, name: 30 };
const LESSON = { size: 44, delay: 3 * EVENT, ...LEFT_END };
const FOUND = { x: 740, size: 92, quiet: 64, counts: 40 };

/** boxOf(word): the bar of a sentence in one model, in a room of this height. */
const boxesOf = (number, height) => (word) => {
  const { x, w, y, apart } = TABLE;
  const line = Math.min(TABLE.line, (height - y - apart) / 4);
  return { x, y: y + line * (word + 2 * number) + number * apart, w, h: line - EDGE };
};

/** What the cut comes to, beside the bars: which word is another, and how many are right. */
function found({ told, veiled }, number, pairs, { y, h }, act) {
  const { x, size, quiet, counts } = FOUND;
  const line = (id, kind, foot, said, more) =>
    text(`${id} ${number}`, kind, [x, foot], said, { ...LEFT_END, ...more });
  const until = { size, until: `change ${number}`, pick: () => act.next() };
  if (veiled) return [line("asked", "answer faint", y + (h + 0.72 * size) / 2, "?", until)];
  const turned = change(pairs);
  const { right, sentences } = told.models[number];
  const [kind, named] = turned ? ["answer", "answer-label"] : ["faint bold", ""];
  const look = { size: turned ? size : quiet, delay: EVENT };
  const last = { size: counts, delay: 2 * EVENT };
  return [
    line("change", kind, y + h - counts - 26, turned ?? "no change", look),
    line("count", named, y + h - 4, `right in ${right} of ${sentences}`, last),
  ];
}

/** What both models write, before all that "it" sees of other words is cut, and after. */
export function cut(state, { height }, act) {
  const { veiled } = state;
  const parts = NAMES.map((name, number) => {
    const boxOf = boxesOf(number, height);
    const [first, last] = [0, 1].map(boxOf);
    const block = { x: 0, y: first.y, w: first.x + first.w, h: last.y + last.h - first.y };
    const foot = first.y + first.h / 2 + BASELINE;
    const pairs = ofBoth(state).map(({ models: told }) => [told[number].odds, told[number].cut]);
    const marks = [
      begins(name, "bold", foot, name, TABLE.name),
      ...bars(`model ${number}`, state, pairs, boxOf),
      ...found(state, number, pairs, block, act),
    ];
    return { marks, choice: { at: [EDGE, foot + BELOW + EDGE], box: block } };
  });
  const choices = parts.map(({ choice }) => choice);
  const seen = veiled ? "“it” sees all words" : "“it” sees only itself";
  const lesson = text("lesson", "bold", [EDGE, 58], "A picture suggests; a cut tests.", LESSON);
  return [
    ...later(state, [title(seen, boxesOf(0, height)(0)), ...parts.flatMap(({ marks }) => marks)]),
    ...guessing(state, choices, act),
    ...(veiled ? [] : [lesson]),
  ];
}
