// Two models that write the same French: their rows of "it", and what they write without an arrow.
import { digits } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { rect, text, veil } from "../frame/shapes.mjs";
import { across, bow, EVENT, highest, later, PRONOUN, WIDTH, words } from "./world.mjs";

const LEAST = 0.05; // a share below it is no line
const GAP = 30; // from the middle of the words to the foot of an arc
const NAMES = ["model 1", "model 2"];
const SENTENCE = 100; // its room above and below
const CROSS = 16; // half of a cross
const EDGE = 10;
const LETTERS = 28;
const BOLD = 650;

/** The ends and the height of an arc: above the words for the first model, below for the other. */
function placeOf(i, number, middle) {
  const side = number ? 1 : -1;
  const foot = middle + side * GAP;
  const top = foot + (side * (middle - GAP - SENTENCE) * (Math.abs(i - PRONOUN) + 3)) / 8;
  return { start: across(PRONOUN), end: across(i), foot, top };
}

/** The row of "it" as arcs. */
function arcs(row, number, middle) {
  const grows = { from: { end: across(PRONOUN), o: 1 }, glide: EVENT };
  return row.flatMap((share, i) => {
    if (i === PRONOUN || share < LEAST) return [];
    const place = { ...placeOf(i, number, middle), thick: 14 * share };
    return [{ id: `arc ${number} ${i}`, class: "arc", d: bow, ...place, ...grows }];
  });
}

/** The share of the noun, below the top of its arc. */
function shared(row, noun, middle) {
  const place = placeOf(noun, 0, middle);
  const at = [(place.start + place.end) / 2, place.foot + 0.75 * (place.top - place.foot) + 44];
  return text("share 0", "bold halo", at, digits(row[noun]), { size: 32, delay: EVENT });
}

/** Where the other model has no arrow: a dashed line, and how little there is. */
function missing(row, noun, middle) {
  const place = placeOf(noun, 1, middle);
  const at = [(place.start + place.end) / 2, place.foot + 0.75 * (place.top - place.foot) + 36];
  return [
    { id: "missing", class: "ghost", d: bow, ...place, delay: EVENT },
    text("share 1", "bold halo", at, digits(row[noun]), { size: 32, delay: EVENT }),
  ];
}

function cross(id, [x, y]) {
  const path = () =>
    `M${x - CROSS},${y - CROSS}L${x + CROSS},${y + CROSS}` +
    `M${x - CROSS},${y + CROSS}L${x + CROSS},${y - CROSS}`;
  return { id, class: "focused", d: path };
}

/** Where the arrow of the first model was: a dashed line with a cross. */
function cutArrow(noun, middle) {
  const place = placeOf(noun, 0, middle);
  const top = [(place.start + place.end) / 2, place.foot + 0.75 * (place.top - place.foot)];
  return [{ id: "was", class: "ghost", d: bow, ...place }, cross("cut", top)];
}

/** Where the arrows of the other model were: all are cut at the word that asks. */
function cutAll({ row }, middle) {
  const lost = row.flatMap((share, i) => (i !== PRONOUN && share >= LEAST ? [i] : []));
  return [
    ...lost.map((i) => ({ id: `was ${i}`, class: "ghost", d: bow, ...placeOf(i, 1, middle) })),
    cross("cut all", [across(PRONOUN), middle + GAP + CROSS]),
  ];
}

export const pronounOf = ({ text: sentence }) => (sentence.includes("qu'elle") ? "elle" : "il");

/** Where the line of a model stands, and where it goes on after its name. */
const lineOf = (number, height) => (number ? height - 14 : 80);
const afterName = (number) => EDGE + widthOf(NAMES[number], LETTERS, BOLD) + LETTERS / 2;

/** What a model writes after "parce": there the sentences differ. What is new is marked. */
function written(told, number, height, isNew) {
  const y = lineOf(number, height);
  const start = "… parce qu'";
  const x = afterName(number);
  const until = x + widthOf(start, LETTERS);
  const own = widthOf(pronounOf(told), LETTERS);
  const mark = { x: until - 2, y: y - LETTERS, w: own + 4, h: 1.4 * LETTERS };
  const tail = told.text.split("qu'")[1];
  const look = { anchor: "start", size: LETTERS, delay: EVENT };
  return [
    ...(isNew ? [rect(`new ${number}`, "new", mark, { rx: 4, delay: EVENT })] : []),
    text(`writes ${number}`, "", [x, y], start + tail, look),
  ];
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

/** The row of "it" in both models. */
export function models(state, { height }, act) {
  const { told, veiled } = state;
  const middle = height / 2;
  const [ours, other] = told.models;
  const play = { number: other.row[told.noun], format: digits, after: EVENT, veiled };
  const label = veiled ? "it → ?, model 2" : `it → ${told.source[told.noun]}, model 2`;
  const box = { x: 20, y: middle + GAP, w: 1176, h: middle - GAP - SENTENCE };
  const below = veiled
    ? later(state, veil(box, "Model 2", act))
    : [
        ...arcs(other.row, 1, middle),
        ...missing(other.row, told.noun, middle),
        shared(ours.row, told.noun, middle),
      ];
  return [
    ...halves(height),
    ...arcs(ours.row, 0, middle),
    ...words(state, middle + 9, { [told.noun]: "key bold" }),
    ...below,
    ...written(ours, 0, height, false),
    ...written(other, 1, height, false),
    ...answer({ ...play, label }, act),
  ];
}

/** What hides that which both models write now. */
function veils(height, act) {
  const box = (i) => ({ x: afterName(i), y: lineOf(i, height) - 32, w: WIDTH / 3, h: 44 });
  return [
    rect("veil of model 2", "veil", box(1), { rx: 8 }),
    ...veil(box(0), "What both write now", act),
  ];
}

/** What the model writes on which the cut has no effect. */
const same = (pronoun, height) =>
  text("same", "bold", [WIDTH - EDGE, height - 16], `still ${pronoun}`, {
    ...{ anchor: "end", size: 44, delay: EVENT },
  });

/** The first model without its arrow, the other without any arrow of "it". */
export function cut(state, { height }, act) {
  const { told, veiled } = state;
  const middle = height / 2;
  const [before, after] = [told.models, told.cut].map((models) => models.map(pronounOf));
  const turned = before.findIndex((pronoun, i) => pronoun !== after[i]);
  const pronouns = `${before[turned]} → ${after[turned]}`;
  const label = veiled ? "writes another word" : NAMES[turned];
  const others = (row) => row.map((share, i) => (i === told.noun ? 0 : share));
  const now = [
    ...arcs(veiled ? others(told.models[0].row) : told.cut[0].row, 0, middle),
    ...cutArrow(told.noun, middle),
    ...cutAll(told.models[1], middle),
    ...(veiled ? [] : told.cut.flatMap((one, i) => written(one, i, height, i === turned))),
  ];
  const looked = veiled ? told.noun : highest(told.cut[turned].row);
  return [
    ...halves(height),
    ...words(state, middle + 9, { [looked]: "key bold" }),
    ...now,
    ...(veiled ? later(state, veils(height, act)) : [same(after[1 - turned], height)]),
    ...answer({ words: pronouns, label, veiled }, act),
  ];
}
