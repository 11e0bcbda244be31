// Two models that write the same French: where "it" looks in each, and what they write where it
// sees only itself.
import { digits } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { BASELINE, LEFT_END, rect, text, veil } from "../frame/shapes.mjs";
import { CELL, cells } from "./encoder.mjs";
import { bars, CUT, ofBoth, titles, turns } from "./odds.mjs";
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
const TRAINED = ["translates, and says what each word means", "only translates"];
const EDGE = 10;
const LETTERS = 28;
const APART = 36; // from a line to what is known of its model
const VERDICT = [44, 72]; // letters of what each half comes to: the other model is asked about
const BOLD = 650;
const MUCH = 0.2; // from here on a share of model 2 has its number
const WORDS = 0.4; // of the height: the line between both models
const LINE = CELL.h + 6; // from head to head

/** What a half comes to; "?" while it is asked. */
function verdict(number, height, words, label, act) {
  const y = number ? height - 50 : 76;
  const isAsked = words === "?";
  const more = { anchor: "end", size: VERDICT[number] };
  const kind = number ? "answer" : "faint bold";
  const until = isAsked ? { until: `verdict ${number}`, pick: () => act.next() } : { delay: EVENT };
  return [
    text(`${isAsked ? "asked" : "verdict"} ${number}`, kind, [WIDTH - EDGE, y], words, {
      ...{ ...more, ...until },
    }),
    text(`label ${number}`, "", [WIDTH - EDGE, y + 40], label, { anchor: "end", size: LETTERS }),
  ];
}

const nameOf = (number, [x, y]) =>
  text(NAMES[number], "bold", [x, y], NAMES[number], { ...LEFT_END, size: LETTERS });

/** Its name, what it writes after "parce" (there the sentences differ), how it was trained. */
function about({ text: sentence }, number, height) {
  const y = number ? height - 12 - APART : 40;
  const after = EDGE + widthOf(NAMES[number], LETTERS, BOLD) + LETTERS / 2;
  const said = `… parce ${sentence.split("parce ")[1]}`;
  return [
    nameOf(number, [EDGE, y]),
    text(`writes ${number}`, "", [after, y], said, { ...LEFT_END, size: LETTERS }),
    text(`known of ${number}`, "", [EDGE, y + APART], TRAINED[number], LEFT_END),
  ];
}

/** A row for each head, and a frame round the weights of the noun. */
function rows({ rows: heads }, noun, number, y, shows) {
  const box = { x: across(noun) - CELL.w / 2, y: y - 2, w: CELL.w, h: LINE * heads.length - 2 };
  return [
    ...heads.flatMap((row, i) => cells(row, y + LINE * i, `head ${number} ${i}`, shows)),
    rect(`noun ${number}`, "key-line", box, { rx: 4 }),
  ];
}

/** The rows of "it" in both models. */
export function models(state, { height }, act) {
  const { told, veiled } = state;
  const { noun, models: both, source } = told;
  const middle = WORDS * height;
  const top = middle + 30; // of the heads of model 2
  const look = `it → ${source[noun]}`; // in layer 2
  const [one, two] = both.map(({ rows: heads }) =>
    heads.some((row) => highest(row) === noun) ? "yes" : "no",
  );
  const most = digits(Math.max(...both[1].rows.map((row) => row[noun])));
  const found = veiled ? "in its four heads?" : `at most ${most} in its four heads`;
  const count = both[1].rows.length;
  const box = { x: across(0) - CELL.w / 2, y: top - 4, w: WIDTH - 16, h: LINE * count + 2 };
  const shows = (share, i) => i === noun || share >= MUCH;
  return [
    ...later(state, [
      rect(
        "half",
        "bridge",
        { x: 0, y: middle + 16, w: WIDTH, h: height - middle - 16 },
        { rx: 8 },
      ),
      ...both.flatMap((model, i) => about(model, i, height)),
      ...rows(both[0], noun, 0, middle - LINE - 28),
    ]),
    ...words(state, act, middle, { [noun]: "key bold" }),
    ...(veiled ? [] : rows(both[1], noun, 1, top, shows)),
    ...oneOfTwo(state, box, "Model 2", ["yes", "no"], act),
    ...verdict(0, height, one, `${look} in its one head`, act),
    ...verdict(1, height, veiled ? "?" : two, `${look} ${found}`, act),
  ];
}

const TABLE = { x: 220, step: 508, w: 488, y: 184, line: 74, h: 64, apart: 44 };
const COLUMNS = ["“it” sees all words", "“it” sees only itself"];
const GUESS = 46; // from the name of a model down to a guess

/** cellOf(word, column) of one model. */
const cellsOf = (number) => (row, column) => {
  const { x, step, w, y, line, h, apart } = TABLE;
  return { x: x + step * column, y: y + line * row + number * (2 * line + apart), w, h };
};

/** Where the name of a model stands. */
const lineOf = (number) => cellsOf(number)(0, 0).y + TABLE.h / 2 + BASELINE;

/** What hides that which both models write now, and the guess which of them writes another word. */
function veils(state, act) {
  const boxes = NAMES.map((_, i) => ({ ...cellsOf(i)(0, CUT), h: TABLE.line + TABLE.h }));
  const hidden = boxes.flatMap((box, i) =>
    veil(box, "And now?", act).map((mark) => ({ ...mark, id: `${mark.id} of model ${i + 1}` })),
  );
  const choices = boxes.map((box, i) => ({ at: [EDGE, lineOf(i) + GUESS], box }));
  return [...(state.veiled ? later(state, hidden) : []), ...guessing(state, choices, act)];
}

/** Both models, with and without all that "it" sees of other words. */
export function cut(state, _room, act) {
  const both = ofBoth(state);
  const pairs = NAMES.map((_, i) => both.map(({ models: told }) => [told[i].odds, told[i].cut]));
  const turned = pairs.findIndex((own) => own.some(turns));
  const table = NAMES.flatMap((_, i) => bars(`model ${i}`, state, pairs[i], cellsOf(i)));
  const label = state.veiled ? "which changes" : "now right in half of 490 sentences";
  return [
    ...NAMES.map((_, i) => nameOf(i, [EDGE, lineOf(i)])),
    ...later(state, [...titles(COLUMNS, cellsOf(0)), ...table]),
    ...veils(state, act),
    ...inWords(state, NAMES[turned], label, act),
  ];
}
