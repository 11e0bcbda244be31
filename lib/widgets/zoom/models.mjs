// Two models that write the same French: their rows of "it", and what they write without an arrow.
import { digits } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { rect, text, veil } from "../frame/shapes.mjs";
import {
  across,
  bow,
  crossed,
  EVENT,
  guessing,
  highest,
  later,
  oneOfTwo,
  PRONOUN,
  WIDTH,
  words,
} from "./world.mjs";

const LEAST = 0.05; // a share below it is no line, but for that of the noun
const THICK = 0.2; // from here on it has its number
const HAIR = 1.5; // its width
const GAP = 30; // from the middle of the words to the foot of an arc
const NAMES = ["model 1", "model 2"];
const TRAINED = [
  "trained to translate, and to say what each word means here",
  "trained to translate, and nothing else",
];
const COUNTS = "its “il” needs the decoder’s look at “tired”";
const CUTS = ["one arrow cut, in layer 2", "all arrows of “it” cut, in both layers"];
const SENTENCE = 100; // its room above and below
const EDGE = 10;
const LETTERS = 28;
const APART = 36; // from a line to what is known of its model
const VERDICT = 80; // letters of what each half comes to
const BOLD = 650;

/** The ends and the height of an arc: above the words for the first model, below for the other. */
function placeOf(i, number, middle) {
  const side = number ? 1 : -1;
  const foot = middle + side * GAP;
  const top = foot + (side * (middle - GAP - SENTENCE) * (Math.abs(i - PRONOUN) + 3)) / 8;
  return { start: across(PRONOUN), end: across(i), foot, top };
}

/** The words of a row that get an arc. */
const drawnOf = (row, also) =>
  [...row.keys()].filter((i) => i !== PRONOUN && (row[i] >= LEAST || i === also));

/** The row of "it" as arcs; also: the word whose arc is there, however thin. */
function arcs(row, number, middle, also) {
  const grows = { from: { end: across(PRONOUN), o: 1 }, glide: EVENT };
  return drawnOf(row, also).map((i) => {
    const place = { ...placeOf(i, number, middle), thick: Math.max(HAIR, 14 * row[i]) };
    return { id: `arc ${number} ${i}`, class: "arc", d: bow, ...place, ...grows };
  });
}

/** What a half comes to, as large in one as in the other; "?" while it is asked. */
function verdict(number, height, words, label, act) {
  const y = number ? height - 62 : 76;
  const isAsked = words === "?";
  const more = { anchor: "end", size: VERDICT };
  const until = isAsked ? { until: `verdict ${number}`, pick: () => act.next() } : { delay: EVENT };
  return [
    text(`${isAsked ? "asked" : "verdict"} ${number}`, "answer", [WIDTH - EDGE, y], words, {
      ...{ ...more, ...until },
    }),
    text(`label ${number}`, "", [WIDTH - EDGE, y + 44], label, { anchor: "end", size: LETTERS }),
  ];
}

/** Where an arrow was: a dashed line, with a cross on its top. */
function cutArrow(i, number, middle) {
  const place = placeOf(i, number, middle);
  const [x, y] = [(place.start + place.end) / 2, place.foot + 0.75 * (place.top - place.foot)];
  return [
    { id: `was ${number} ${i}`, class: "ghost", d: bow, ...place },
    crossed(`cut ${number} ${i}`, [x, y]),
  ];
}

const pronounOf = ({ text: sentence }) => (sentence.includes("qu'elle") ? "elle" : "il");

/** Where the line of a model stands, and where it goes on after its name. */
const lineOf = (number, height) => (number ? height - 18 - APART : 40);
const afterName = (number) => EDGE + widthOf(NAMES[number], LETTERS, BOLD) + LETTERS / 2;

/** What a model writes after "parce": there the sentences differ. What is new is marked. */
function written(told, number, height, before = told) {
  const [x, y] = [afterName(number), lineOf(number, height)];
  const [now, old] = [told, before].map(({ text: said }) => said.split("parce ")[1].split(" "));
  const late = { delay: EVENT };
  let sentence = "… parce ";
  const marks = now.flatMap((word, i) => {
    const from = x + widthOf(sentence, LETTERS);
    sentence += `${word} `;
    const mark = { x: from - 3, y: y - LETTERS, w: widthOf(word, LETTERS) + 6, h: 1.4 * LETTERS };
    return word === old[i] ? [] : rect(`new ${number} ${i}`, "new", mark, { rx: 4, ...late });
  });
  const look = { anchor: "start", size: LETTERS, ...late };
  return [...marks, text(`writes ${number}`, "", [x, y], sentence.trimEnd(), look)];
}

/** What is known of a model, below its line. */
function known(number, height, words, more) {
  const at = [EDGE, lineOf(number, height) + APART];
  return text(`known of ${number}`, "faint", at, words, { anchor: "start", ...more });
}

/** The upper half belongs to one model, the lower to the other. */
function halves(height) {
  const y = height / 2 + (2 * GAP) / 3;
  return [
    rect("half", "bridge", { x: 0, y, w: WIDTH, h: height - y }, { rx: 8 }),
    ...NAMES.map((name, i) =>
      text(name, "bold", [EDGE, lineOf(i, height)], name, { anchor: "start", size: LETTERS }),
    ),
  ];
}

/** How much a word gets: beside the foot of its arc, or under the word where there is none. */
function share(row, i, number, middle) {
  const [x, y] = [across(i), middle + (number ? GAP + 28 : -GAP - 8)];
  const end = x - 14;
  return text(`share ${number} ${i}`, "bold", [end, y], digits(row[i]), {
    ...{ anchor: "end", size: LETTERS, delay: EVENT },
  });
}

/** The row of "it" in both models. */
export function models(state, { height }, act) {
  const { told, veiled } = state;
  const middle = height / 2;
  const [ours, other] = told.models;
  const look = `it → ${told.source[told.noun]}`; // in layer 2
  const [one, two] = [ours, other].map(({ row }) => (highest(row) === told.noun ? "yes" : "no"));
  const most = `at most ${digits(other.row[told.noun])} in each head`;
  const found = veiled ? "in its four heads?" : most;
  const box = { x: 20, y: middle + GAP, w: 1176, h: middle - GAP - SENTENCE - 28 };
  const below = [
    ...arcs(other.row, 1, middle, told.noun),
    ...drawnOf(other.row, told.noun)
      .filter((i) => i === told.noun || other.row[i] >= THICK)
      .map((i) => share(other.row, i, 1, middle)),
  ];
  return [
    ...halves(height),
    ...arcs(ours.row, 0, middle),
    share(ours.row, told.noun, 0, middle),
    ...words(state, act, middle + 9, {
      ...(veiled ? {} : { [highest(other.row)]: "bold" }),
      [told.noun]: "key bold",
    }),
    ...(veiled ? [] : below),
    ...oneOfTwo(state, box, "Model 2", ["yes", "no"], act),
    ...written(ours, 0, height),
    ...written(other, 1, height),
    ...TRAINED.map((words, i) => known(i, height, words)),
    ...verdict(0, height, one, `${look} in its one head`, act),
    ...verdict(1, height, veiled ? "?" : two, `${look} ${found}`, act),
  ];
}

/** What hides that which both models write now, and the guess which of them writes another word. */
function veils(state, height, act) {
  const boxes = NAMES.map((_, i) => {
    return { x: afterName(i), y: lineOf(i, height) - 32, w: WIDTH / 3, h: 44 };
  });
  const [first, second] = boxes.map((box) => veil(box, "What it writes now", act));
  const other = second.map((mark) => ({ ...mark, id: `${mark.id} of model 2` }));
  const choices = boxes.map((box, i) => ({ at: [box.x + 90, box.y + (i ? -10 : 70)], box }));
  return [
    ...(state.veiled ? later(state, [...first, ...other]) : []),
    ...guessing(state, choices, act),
  ];
}

/** The first model without its arrow, the other without any arrow of "it". */
export function cut(state, { height }, act) {
  const { told, veiled } = state;
  const middle = height / 2;
  const [before, after] = [told.models, told.cut].map((models) => models.map(pronounOf));
  const turned = before.findIndex((pronoun, i) => pronoun !== after[i]);
  const becomes = before.map((one, i) => (i === turned ? `${one} → ${after[i]}` : `still ${one}`));
  const others = (row) => row.map((share, i) => (i === told.noun ? 0 : share));
  const now = [
    ...arcs(veiled ? others(told.models[0].row) : told.cut[0].row, 0, middle),
    ...cutArrow(told.noun, 0, middle),
    ...drawnOf(told.models[1].row, told.noun).flatMap((i) => cutArrow(i, 1, middle)),
    ...(veiled ? [] : told.cut.flatMap((one, i) => written(one, i, height, told.models[i]))),
    ...(veiled ? [] : [known(1, height, COUNTS, { delay: EVENT })]),
  ];
  const looked = veiled ? told.noun : highest(told.cut[turned].row);
  return [
    ...halves(height),
    ...words(state, act, middle + 9, { [looked]: "key bold" }),
    ...now,
    ...veils(state, height, act),
    ...CUTS.flatMap((label, i) => verdict(i, height, veiled ? "?" : becomes[i], label, act)),
  ];
}
