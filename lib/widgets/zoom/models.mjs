// Two models that write the same French: where "it" looks in each, and what they write where it
// sees only itself.
import { digits } from "../frame/frame.mjs";
import { HEAVY, widthOf } from "../frame/lettering.mjs";
import { BASELINE, LEFT_END, RIGHT_END, rect, text } from "../frame/shapes.mjs";
import { bars, cuttable, ends, FOUND, GAP, ofBoth } from "./odds.mjs";
import { ADJECTIVES, BELOW, beside as at, EVENT, guessing, highest } from "./world.mjs";
import { later, oneOfTwo, WIDTH, words } from "./world.mjs";

const NAMES = ["model A", "model B"];
const TRAINED = ["the one so far: also learned what each word means", "learned only to translate"];
const AIR = 10;
const NAME = 40; // letters of a model's name
const TAUGHT = 32; // and of what it learned
const VERDICT = [50, 78]; // letters of what each half comes to: the other model is asked about
const WORDS = 146; // the line between both models
const HEAD = [46, 80]; // the line of each model: of the first from above, then from those words
const CELL = { w: 94, h: 38 };
const BETWEEN = 6; // two heads
const MOST = 66; // from head to head
const SMALLEST = 24; // digits of a row; those of a high weight are larger

/** A line that begins at the left edge. */
const begins = (id, kind, y, said, size) => text(id, kind, [0, y], said, { ...LEFT_END, size });

/** What a half comes to; "?" while it is asked. */
function verdict(number, y, words, act) {
  const isAsked = words === "?";
  const kind = number ? "answer" : "faint bold";
  const until = isAsked ? { until: `verdict ${number}`, pick: () => act.next() } : { delay: EVENT };
  const look = { ...RIGHT_END, size: VERDICT[number], ...until };
  return text(`${isAsked ? "asked" : "verdict"} ${number}`, kind, [WIDTH, y], words, look);
}

/** Its name, and how it was trained. */
function about(number, y) {
  const after = widthOf(NAMES[number], NAME, HEAVY) + NAME / 2;
  const kind = number ? "answer-label" : ""; // a phone has it below the verdict
  const look = { ...LEFT_END, size: TAUGHT };
  return [
    begins(NAMES[number], "bold", y, NAMES[number], NAME),
    text(`known of ${number}`, kind, [after, y], TRAINED[number], look),
  ];
}

/** A name and weights, that of the noun in digits. */
function named(id, name, row, noun, [y, h]) {
  const cells = row.map((share, i) => ({
    ...{ id: `${id} ${i}`, kind: "cell", number: share, delay: EVENT / 2 },
    ...{ x: at(i) - CELL.w / 2, y, w: CELL.w, h, tint: share, size: SMALLEST + 4 * share },
    format: i === noun ? digits : () => "",
  }));
  return [begins(`name ${id}`, "", y + h / 2 + BASELINE, name), ...cells];
}

/** Each head's weights, so far from the next, and a frame round those of the noun. */
function rows({ rows: heads }, noun, number, [y, step]) {
  const box = { x: at(noun) - CELL.w / 2, y: y - 2, w: CELL.w, h: step * heads.length - 2 };
  return [
    ...heads.flatMap((row, head) => {
      const name = heads.length > 1 ? `head ${head + 1}` : "head";
      return named(`head ${number} ${head}`, name, row, noun, [y + step * head, step - BETWEEN]);
    }),
    rect(`noun ${number}`, "key-line", box, { rx: 4 }),
  ];
}

/** The rows of "it" in both models. */
export function models(state, { height }, act) {
  const { told, veiled } = state;
  const { noun, models: both } = told;
  const lines = [HEAD[0], WORDS + HEAD[1]];
  const top = lines[1] + 22; // of the heads of model B
  const [one, two] = both.map(({ rows: heads }) =>
    heads.some((row) => highest(row) === noun) ? "yes" : "no",
  );
  const count = both[1].rows.length;
  const step = Math.min(MOST, (height - top) / count);
  const box = { x: 0, y: top - 4, w: WIDTH, h: step * count + 2 };
  return [
    ...later(state, [
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

// What is written of the sentence with the last one of ADJECTIVES.
const TABLE = { x: 290, w: 370, y: 50, h: 140, apart: 40, below: 100 };
const OTHERS = { said: "other words", end: 186, pronoun: 236 }; // and where "it" looks from
const COUNT = { size: 48, air: 4, delay: 2 * EVENT, ...LEFT_END };
const LESSON = { size: 64, delay: 3 * EVENT, ...LEFT_END };

/** The bars of both models, in a room of this height. */
function boxesIn(height) {
  const { x, w, y, apart, below } = TABLE;
  const h = Math.min(TABLE.h, (height - y - apart - below) / 2);
  return NAMES.map((_, number) => ({ x, y: y + number * (h + apart), w, h }));
}

/** A model whose "it" loses each look at another word. */
function blinded(state, name, foot) {
  const { said, end, pronoun } = OTHERS;
  return [
    begins(name, "bold", foot - NAME - AIR, name, NAME),
    begins(`others of ${name}`, "", foot, said, TAUGHT),
    ...cuttable(state, `of ${name}`, [end, pronoun], foot - BASELINE),
    text(`it of ${name}`, "query bold", [pronoun + AIR, foot], "it", { ...LEFT_END, size: TAUGHT }),
  ];
}

/** In how many sentences a model is right after the cut. */
function counted({ right, sentences }, number, { y, h }) {
  const words = `${right === sentences ? "all" : `${right} of`} ${sentences} right`;
  return text(`count ${number}`, "", [FOUND, y + h - COUNT.air], words, COUNT);
}

/** What both models write, before all that "it" sees of other words is cut, and after. */
export function cut(state, { height }, act) {
  const { veiled } = state;
  const { models: both } = ofBoth(state).at(-1);
  const boxes = boxesIn(height);
  const [{ x, y, w }] = boxes;
  const rows = boxes.map((box, number) => {
    const pair = [both[number].odds, both[number].cut];
    return { pair, box, place: { ...box, h: box.h - COUNT.size } };
  });
  const feet = boxes.map(({ y, h }) => y + h / 2 + TAUGHT + AIR / 2);
  const choices = boxes.map((box, number) => {
    return { at: [0, feet[number] + BELOW + AIR / 2], box: { ...box, x: 0, w: box.x + box.w } };
  });
  const lesson = "A picture suggests; a cut tests.";
  const found = [
    ...both.map((each, number) => counted(each, number, boxes[number])),
    text("lesson", "bold", [0, height - LESSON.size / 2], lesson, LESSON),
  ];
  return [
    ...ends(boxes[0]),
    text("last word", "answer-label", [x + w / 2, y - GAP], `too ${ADJECTIVES.at(-1)}`),
    ...NAMES.flatMap((name, number) => blinded(state, name, feet[number])),
    ...bars("cut", state, rows, act),
    ...guessing(state, choices, act),
    ...(veiled ? [] : found),
  ];
}
