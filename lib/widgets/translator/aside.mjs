// What stands around the translator's words: the numbers that answer, the choice of layer and head,
// and how sure the model was.

import { digits, fillIn, short } from "../frame/frame.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { goalOf, isVeiled, partOf, pointed, rowsOf } from "./arcs.mjs";
import { arrowTo } from "./says.mjs";

const SWITCH = { h: 34, pad: 10, gap: 6, foot: 25, after: 26 }; // the choice of layer and head
const RULE = 30; // from the digits down to the line above the translation
const NOTE = 34; // and from there to what it says
const BEFORE = 150; // the foot of the number before: above the arcs that run below the answer
// The numbers of two models: above and below the English words, with the models' names.
const OF_TWO = { size: 72, above: 54, below: 84, name: 70, under: 42, line: 28, width: 178 };
const ARROW = 24; // letters of what both tell
const WRITTEN = "the pronoun";
const LARGE_BOLD = 650;
const MEAN = -1;
const NAMES = { encoder: "encoder", cross: "decoder to English" };
const SURE = [
  "\u201c{word}\u201d was written with probability {p}.",
  "Never 1: it was trained with label smoothing 0.1.",
];
const SURE_LINE = 38;
const SURE_WORD = 20; // letters
const RESTORE = "restore arrows: {count}";

/** The number that answers, at the top right; before: the row of the state before, or null. */
export function numberOfOne(state, row, before, act) {
  const goal = goalOf(state);
  const { source } = state.picture;
  const veiled = isVeiled(state);
  const label = arrowTo(state, veiled ? "?" : source[goal]);
  const plain = rowsOf(state, true)[0];
  const was = before ?? (plain === row ? null : plain);
  const old = was ? was.indexOf(Math.max(...was)) : goal;
  const last = was && old === goal ? was[goal] : undefined;
  const marks = answer({ number: row[goal], format: digits, label, veiled, before: last }, act);
  const place = { x: marks[0].x, y: BEFORE };
  if (last !== undefined)
    return marks.map((mark) => (mark.id === "answer-before" ? { ...mark, ...place } : mark));
  if (!was || old === goal) return marks;
  const key = (state.before?.picture ?? state.picture).source[old];
  const text = `before: ${key} ${digits(was[old])}`;
  const kind = { anchor: "end", class: "ghosted halo" };
  return [...marks, { id: "answer-before", ...place, ...kind, text }];
}

/** The names of a model, on lines that fit beside its arcs. */
function nameLines(name) {
  const lines = [];
  for (const word of name.split(" ")) {
    const longer = [...lines.slice(-1), word].join(" ");
    if (lines.length > 0 && widthOf(longer) <= OF_TWO.width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** True if the question is which pronoun each of two models writes, and nothing else is asked. */
function isAboutWords({ asked, line, aim, picture }) {
  const isKnown = picture.panels.every(({ pronoun }) => pronoun >= 0);
  return asked === "words" && line < 0 && aim < 0 && isKnown;
}

/** The number of one of two models or the pronoun that it writes, and the model's name. */
export function numberOfTwo(state, at, index, row, act) {
  if (row === null) return [];
  const { side } = at.models[index];
  const right = { x: at.width, anchor: "end" };
  const y = at.foot + (side < 0 ? -OF_TWO.above : OF_TWO.below);
  const lines = nameLines(state.picture.panels[index].name);
  const first = side < 0 ? y - OF_TWO.name - OF_TWO.line * (lines.length - 1) : y + OF_TWO.under;
  const names = lines.map((text, i) => ({
    id: `name ${index} ${i}`,
    class: "faint",
    y: first + i * OF_TWO.line,
    text,
    ...right,
  }));
  const big = { ...large, y, size: OF_TWO.size, ...right };
  if (state.veiled) {
    return [...names, { ...big, id: `ask ${index}`, text: "?", pick: () => act.next() }];
  }
  if (isAboutWords(state)) {
    const { target, pronoun } = state.picture.panels[index];
    const text = target[pronoun];
    const fitting = (OF_TWO.size * OF_TWO.width) / widthOf(text, OF_TWO.size, LARGE_BOLD);
    const size = Math.min(OF_TWO.size, fitting);
    return [...names, { ...big, id: `pronoun ${index}`, size, text }];
  }
  const number = row[goalOf(state)];
  return [...names, { ...big, id: `number ${index}`, number, format: digits }];
}

/** What both numbers tell, between them. */
export function arrowOfTwo(state, at) {
  const place = { x: at.width, y: at.foot, anchor: "end", size: ARROW };
  if (isAboutWords(state)) return [{ id: "arrow", ...place, text: WRITTEN }];
  const key = state.veiled ? "?" : state.picture.source[goalOf(state)];
  const whole = arrowTo(state, key);
  const text = widthOf(whole, ARROW) <= OF_TWO.width ? whole : arrowTo(state, key, 5);
  return [{ id: "arrow", ...place, text }];
}

/** A switch: its name, then a chip for each choice. */
function chips(x, y, { id, label, options, chosen, choose }) {
  const marks = [];
  let left = x;
  if (label) {
    const place = { anchor: "start", x: left, y: y + SWITCH.foot };
    marks.push({ id: `name ${id}`, class: "faint", ...place, text: label });
    left += widthOf(label) + 2 * SWITCH.gap;
  }
  for (const { value, text } of options) {
    const w = widthOf(text, 24, 650) + 2 * SWITCH.pad;
    const isChosen = value === chosen;
    const box = { x: left, y, w, h: SWITCH.h, rx: 8 };
    const foot = { x: left + w / 2, y: y + SWITCH.foot };
    marks.push({ id: `${id} ${value}`, class: isChosen ? "frame on" : "frame", ...box });
    marks.push({ id: `${id} text ${value}`, class: isChosen ? "bold" : "", ...foot, text });
    marks.push({ id: `${id} pick ${value}`, class: "pick", ...box, pick: () => choose(value) });
    left += w + SWITCH.gap;
  }
  return { marks, right: left + SWITCH.after };
}

/** Another layer or head: {looks}. */
export function look(state, layer, head) {
  return { looks: { ...state.looks, [partOf(state)]: [layer, head] } };
}

const numbered = (name, count) =>
  Array.from({ length: count }, (_, value) => ({ value, text: `${name}${value + 1}` }));

/** Which layer and which head are shown, below the translation. */
export function switches(state, { height }, act) {
  const part = partOf(state);
  const heads = state.picture.heads[part];
  const [layer, head] = state.looks[part];
  const y = height - SWITCH.h;
  const layers = chips(0, y, {
    id: "layer",
    label: NAMES[part],
    options: heads.length > 1 ? numbered("layer ", heads.length) : [],
    chosen: layer,
    choose: (value) => act.change(look(state, value, MEAN)),
  });
  const numbers = numbered("", heads[layer]);
  const choice = chips(layers.right, y, {
    id: "head",
    label: numbers.length > 1 ? "head" : "",
    options: numbers.length > 1 ? [{ value: MEAN, text: "mean" }, ...numbers] : [],
    chosen: head,
    choose: (value) => act.change(look(state, layer, value)),
  });
  const count = state.cuts.length;
  const arrows = chips(choice.right, y, {
    id: "restore",
    label: "",
    options: count > 0 ? [{ value: count, text: fillIn(RESTORE, { count }) }] : [],
    chosen: null,
    choose: () => act.change({ cuts: [] }),
  });
  return [...layers.marks, ...choice.marks, ...arrows.marks];
}

/** What stands between the lines: that the decoder writes, or how sure it was. */
export function notes(state, at) {
  const { panels } = state.picture;
  if (panels.length > 1) return [];
  if (state.line < 0) return decoderWrites(panels[0], at);
  return isVeiled(state) ? [] : howSure(state, panels[0]);
}

function decoderWrites({ name }, at) {
  const y = at.models[0].digits + RULE;
  const place = { anchor: "start", x: 0, y: y + NOTE };
  return [
    { id: "rule", class: "rule", x: 0, y, w: at.width, h: 1 },
    { id: "writes", class: "faint", ...place, text: `The decoder writes, in ${name}` },
  ];
}

/** The probability of the word that is pointed at, and why it is never 1. */
function howSure(state, { target, probabilities }) {
  const { word: i } = pointed(state);
  const values = { word: short(target[i], SURE_WORD), p: digits(probabilities[i]) };
  return SURE.map((line, number) => {
    const place = { anchor: "start", x: 0, y: SURE_LINE * (number + 1), size: 28 };
    return { id: `sure ${number}`, class: "faint", ...place, text: fillIn(line, values) };
  });
}
