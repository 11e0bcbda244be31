// Two models that write the same French: where "it" looks in each, and what they write where it
// sees only itself.
import { digits } from "../frame/frame.mjs";
import { HEAVY, widthOf } from "../frame/lettering.mjs";
import { BASELINE, LEFT_END, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { CELL, cells } from "./encoder.mjs";
import { afterCut, bars, ofBoth, titles, turns } from "./odds.mjs";
import {
  across,
  EVENT,
  guessing,
  highest,
  inWords,
  later,
  oneOfTwo,
  WIDTH,
  words,
} from "./world.mjs";

const NAMES = ["model 1", "model 2"];
const TRAINED = ["also learned what each word means", "learned only to translate"];
const EDGE = 10;
const NAME = 40; // letters of a model's name
const TAUGHT = 32; // and of what it learned
const LABELLED = 28;
const VERDICT = [56, 88]; // letters of what each half comes to: the other model is asked about
const MUCH = 0.2; // from here on a share of model 2 has its number
const WORDS = 154; // the line between both models
const HEAD = [50, 92]; // the line of each model: of the first from above, then from those words
const BETWEEN = 6; // two heads
const MOST = 60; // from head to head
const FOUND = 150; // from the right edge: the verdict stands there

/** What a half comes to; "?" while it is asked. */
function verdict(number, y, words, act) {
  const isAsked = words === "?";
  const kind = number ? "answer" : "faint bold";
  const until = isAsked ? { until: `verdict ${number}`, pick: () => act.next() } : { delay: EVENT };
  const look = { ...RIGHT_END, size: VERDICT[number], ...until };
  return text(`${isAsked ? "asked" : "verdict"} ${number}`, kind, [WIDTH - EDGE, y], words, look);
}

const nameOf = (number, y, size) =>
  text(NAMES[number], "bold", [EDGE, y], NAMES[number], { ...LEFT_END, size });

/** Its name, and how it was trained. */
function about(number, y) {
  const after = EDGE + widthOf(NAMES[number], NAME, HEAVY) + NAME / 2;
  const look = { ...LEFT_END, size: TAUGHT };
  return [
    nameOf(number, y, NAME),
    text(`known of ${number}`, "", [after, y], TRAINED[number], look),
  ];
}

/** A row for each head, so far from the next, and a frame round the weights of the noun. */
function rows({ rows: heads }, noun, number, [y, step], shows) {
  const h = step - BETWEEN;
  const box = { x: across(noun) - CELL.w / 2, y: y - 2, w: CELL.w, h: step * heads.length - 2 };
  const rowOf = (row, i) => cells(row, y + step * i, `head ${number} ${i}`, shows);
  return [
    ...heads.flatMap(rowOf).map((cell) => ({ ...cell, h })),
    rect(`noun ${number}`, "key-line", box, { rx: 4 }),
  ];
}

/** The rows of "it" in both models. */
export function models(state, { height }, act) {
  const { told, veiled } = state;
  const { noun, models: both, source } = told;
  const lines = [HEAD[0], WORDS + HEAD[1]];
  const top = lines[1] + 34; // of the heads of model 2
  const [one, two] = both.map(({ rows: heads }) =>
    heads.some((row) => highest(row) === noun) ? "yes" : "no",
  );
  const most = digits(Math.max(...both[1].rows.map((row) => row[noun])));
  const count = both[1].rows.length;
  const step = Math.min(MOST, (height - top - EDGE) / count);
  const box = { x: across(0) - CELL.w / 2, y: top - 4, w: WIDTH - 16, h: step * count + 2 };
  const half = { x: 0, y: WORDS + 20, w: WIDTH, h: height - WORDS - 20 };
  const shows = (share, i) => i === noun || share >= MUCH;
  const said = `“${source[noun]}” gets at most ${most}`;
  const look = { ...RIGHT_END, size: LABELLED, delay: EVENT };
  const found = text("found", "answer-label", [WIDTH - FOUND, lines[1]], said, look);
  return [
    ...later(state, [
      rect("half", "bridge", half, { rx: 8 }),
      ...lines.flatMap((y, i) => about(i, y)),
      ...rows(both[0], noun, 0, [lines[0] + 26, CELL.h + BETWEEN]),
    ]),
    ...words(state, act, WORDS, { [noun]: "key bold" }),
    ...(veiled ? [] : [...rows(both[1], noun, 1, [top, step], shows), found]),
    ...oneOfTwo(state, box, "Model 2", ["yes", "no"], act),
    verdict(0, lines[0], one, act),
    verdict(1, lines[1], veiled ? "?" : two, act),
  ];
}

const TABLE = { x: 290, step: 473, w: 453, y: 184, line: 74, apart: 44 };
const COLUMNS = ["“it” sees all words", "“it” sees only itself"];
const LESSON = "A picture suggests; a cut tests.";
const GUESS = 46; // from the name of a model down to a guess

/** cellOf(word, column) of one model, in a room of this height. */
const cellsOf = (number, height) => (row, column) => {
  const { x, step, w, y, apart } = TABLE;
  const line = Math.min(TABLE.line, (height - y - apart) / 4);
  const top = y + line * row + number * (2 * line + apart);
  return { x: x + step * column, y: top, w, h: line - EDGE };
};

/** Where the name of a model stands, beside its first bar. */
const lineOf = ({ y, h }) => y + h / 2 + BASELINE;

/** What hides that which both models write now, and the guess which of them writes another word. */
function veils(state, height, act) {
  const boxes = NAMES.map((_, i) => afterCut(cellsOf(i, height)));
  const hidden = boxes.flatMap((box, i) =>
    veil(box, "And now?", act).map((mark) => ({ ...mark, id: `${mark.id} of model ${i + 1}` })),
  );
  const choices = boxes.map((box, i) => ({
    at: [EDGE, lineOf(cellsOf(i, height)(0, 0)) + GUESS],
    box,
  }));
  return [...(state.veiled ? later(state, hidden) : []), ...guessing(state, choices, act)];
}

/** Both models, with and without all that "it" sees of other words. */
export function cut(state, { height }, act) {
  const both = ofBoth(state);
  const pairs = NAMES.map((_, i) => both.map(({ models: told }) => [told[i].odds, told[i].cut]));
  const turned = pairs.findIndex((own) => own.some(turns));
  const table = NAMES.flatMap((_, i) => bars(`model ${i}`, state, pairs[i], cellsOf(i, height)));
  const look = { ...LEFT_END, size: 52, delay: 2 * EVENT };
  const label = state.veiled ? "which changes" : "now right in half of 490 sentences";
  return [
    ...NAMES.map((_, i) => nameOf(i, lineOf(cellsOf(i, height)(0, 0)), TAUGHT)),
    ...later(state, [...titles(COLUMNS, cellsOf(0, height)), ...table]),
    ...veils(state, height, act),
    ...inWords(state, NAMES[turned], label, act),
    ...(state.veiled ? [] : [text("lesson", "bold", [EDGE, 92], LESSON, look)]),
  ];
}
