// Two models that write the same French: their rows of "it", and what they write without an arrow.
import { digits } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { rect, text, veil } from "../frame/shapes.mjs";
import { across, bow, EVENT, PRONOUN, later, words } from "./world.mjs";

const LEAST = 0.05; // a share below it is no line
const GAP = 30; // from the middle of the words to the foot of an arc
const NAMES = ["model 1", "model 2"];
const SENTENCE = 100; // its room above and below
const CROSS = 16; // half of a cross

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

/** The share of the noun, at the top of its arc. */
function shared(row, noun, middle) {
  const place = placeOf(noun, 0, middle);
  const at = [(place.start + place.end) / 2, place.foot + 0.75 * (place.top - place.foot) - 16];
  return text("share 0", "bold halo", at, digits(row[noun]), { size: 32, delay: EVENT });
}

/** Where the other model has no arrow: a dashed line, and how little there is. */
function missing(row, noun, middle) {
  const place = placeOf(noun, 1, middle);
  const at = [place.end - 14, place.foot + 32];
  return [
    { id: "missing", class: "ghost", d: bow, ...place, delay: EVENT },
    text("share 1", "bold halo", at, digits(row[noun]), { size: 32, anchor: "end", delay: EVENT }),
  ];
}

/** Where the arrow was: a dashed line with a cross. */
function cutArrow(noun, number, middle) {
  const place = placeOf(noun, number, middle);
  const [x, y] = [(place.start + place.end) / 2, place.foot + 0.75 * (place.top - place.foot)];
  const cross = () =>
    `M${x - CROSS},${y - CROSS}L${x + CROSS},${y + CROSS}` +
    `M${x - CROSS},${y + CROSS}L${x + CROSS},${y - CROSS}`;
  return [
    { id: `was ${number}`, class: "ghost", d: bow, ...place },
    { id: `cut ${number}`, class: "focused", d: cross },
  ];
}

const pronounOf = (written) => (written.includes("qu'elle") ? "elle" : "il");

/** What a model writes after "parce": there the sentences differ. */
function written({ text: sentence }, number, height, isNew) {
  const y = number ? height - 12 : 76;
  const tail = sentence.slice(sentence.indexOf("qu'"));
  const name = `${NAMES[number]}: … parce ${tail}`;
  const mark = { x: 0, y: y - 26, w: 600, h: 36 };
  return [
    ...(isNew ? [rect(`new ${number}`, "changed", mark, { rx: 6, delay: EVENT })] : []),
    text(`writes ${number}`, isNew ? "bold" : "", [10, y], name, {
      anchor: "start",
      delay: EVENT,
    }),
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
    ...arcs(ours.row, 0, middle),
    ...words(state, middle + 9, { [told.noun]: "key bold" }),
    ...below,
    ...written(ours, 0, height, false),
    ...written(other, 1, height, false),
    ...answer({ ...play, label }, act),
  ];
}

/** Both arrows cut: the rows as they are then, and what is written. */
export function cut(state, { height }, act) {
  const { told, veiled } = state;
  const middle = height / 2;
  const turned = told.cut.findIndex((one, i) => one.text !== told.models[i].text);
  const play = { words: pronounOf(told.cut[turned].text), label: NAMES[turned], veiled };
  const now = told.cut.flatMap((one, i) => [
    ...(veiled ? [] : arcs(one.row, i, middle)),
    ...cutArrow(told.noun, i, middle),
    ...(veiled ? [] : written(one, i, height, i === turned)),
  ]);
  const box = { x: 20, y: 50, w: 700, h: 48 };
  const hidden = veil(box, "What both write now", act);
  const label = veiled ? "is written now" : `${play.label} writes now`;
  return [
    ...words(state, middle + 9, { [told.noun]: "key bold" }),
    ...now,
    ...(veiled ? later(state, hidden) : []),
    ...answer({ ...play, label }, act),
  ];
}
