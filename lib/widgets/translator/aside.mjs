// What stands around the translator's words: the numbers that answer, the choice of layer and head,
// and how sure the model was.

import { digits, fillIn, short } from "../frame/frame.mjs";
import { answer, large, widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { LEFT_END, RIGHT_END, number, rect, text } from "../frame/shapes.mjs";
import {
  changedIn,
  goalOf,
  isAboutWords,
  isVeiled,
  partOf,
  pointed,
  rowsOf,
  untilTold,
} from "./arcs.mjs";
import { arrowTo } from "./says.mjs";
import { outerFoot } from "./text.mjs";

const SWITCH = { h: 34, pad: 10, gap: 6, foot: 25, after: 26 }; // the choice of layer and head
const RULE = 30; // from the digits down to the line above the translation
const NOTE = 34; // and from there to what it says
const BEFORE = 150; // the foot of the number before: above the arcs that run below the answer
// The numbers of two models: above and below the English words.
const OF_TWO = { size: 72, above: 54, below: 84, width: 178 };
const ARROW_LETTERS = [undefined, 5, 4, 3, 2]; // of each word in what both tell, at most
const NAME_AIR = 12; // from a name to a word that was written before
const WRITTEN = "the pronoun";
const BECAME = "{before} \u2192 {now}";
const LARGE_BOLD = 650;
const MEAN = -1;
const NAMES = { encoder: "encoder", cross: "decoder to English" };
const WRITES = "The decoder writes, in {name}";
const SURE = "\u201c{word}\u201d was written with probability {p}.";
const SURE_LINE = 38;
const SURE_WORD = 20; // letters
const RESTORE = "restore arrows: {count}";

/** What answers, at the top right, a word or a number; before: the row before, or null. */
export function answerOfOne(state, row, before, act) {
  const goal = goalOf(state);
  const { source } = state.picture;
  const veiled = isVeiled(state);
  const asksWhere = state.asked === "where";
  const arrow = arrowTo(state, veiled ? "?" : source[goal]);
  const label = asksWhere && !veiled ? `${arrow} ${digits(row[goal])}` : arrow;
  const told = asksWhere ? { words: source[goal] } : { number: row[goal], format: digits };
  const marks = answer({ ...told, after: untilTold(state), label, veiled }, act);
  const named = marks.find(({ id }) => id === "answer-label");
  if (!veiled) Object.assign(named, { id: `arrow to ${goal}`, delay: untilTold(state) });
  const plain = rowsOf(state, true)[0];
  const was = before ?? (plain === row ? null : plain);
  if (!was) return marks;
  const old = was.indexOf(Math.max(...was));
  const key = (state.before?.picture ?? state.picture).source[old];
  if (key === source[goal] && digits(was[old]) === digits(row[goal])) return marks;
  const last = `before: ${key} ${digits(was[old])}`;
  return [...marks, text("answer-before", "ghosted halo", [named.x, BEFORE], last, RIGHT_END)];
}

/** The name of one of two models, on the outer side of its translation; line: the marks of that. */
export function nameOfTwo(state, at, index, line) {
  const { name } = state.picture.panels[index];
  const end = widthOf(name) + NAME_AIR;
  const isTaken = line.some(
    ({ id, x, text: word }) => id.startsWith("gone") && x - widthOf(word) / 2 < end,
  );
  const [x, anchor] = isTaken ? [at.width, RIGHT_END] : [0, LEFT_END];
  return text(`name ${index}`, "faint halo", [x, outerFoot(at.models[index])], name, anchor);
}

/** The number of one of two models, or the pronoun that it writes. */
export function numberOfTwo(state, at, index, row, act) {
  if (row === null) return [];
  const { side } = at.models[index];
  const y = at.foot + (side < 0 ? -OF_TWO.above : OF_TWO.below);
  return [largeOfTwo(state, index, row[goalOf(state)], [at.width, y], act)];
}

/** A question mark, the pronoun or a number, as large as it fits. */
function largeOfTwo(state, index, weight, foot, act) {
  const look = { size: OF_TWO.size, ...RIGHT_END };
  if (state.veiled) {
    return text(`ask ${index}`, large.class, foot, "?", { ...look, pick: () => act.next() });
  }
  if (!isAboutWords(state)) {
    const told = { ...look, delay: untilTold(state) };
    return number(`number ${index}`, large.class, foot, weight, digits, told);
  }
  const told = state.picture.panels.map(pronounOf);
  const widest = Math.max(...told.map((words) => widthOf(words, OF_TWO.size, LARGE_BOLD)));
  const size = Math.min(OF_TWO.size, (OF_TWO.size * OF_TWO.width) / widest);
  const letters = { ...look, size, delay: untilTold(state) };
  return text(`pronoun ${index}`, large.class, foot, told[index], letters);
}

/** The pronoun that a model writes, and what it wrote before a cut: "il → elle". */
function pronounOf({ target, pronoun, plain }) {
  const before = changedIn(target, plain?.target)[pronoun];
  return before ? fillIn(BECAME, { before, now: target[pronoun] }) : target[pronoun];
}

/** What both numbers tell, between them. */
export function arrowOfTwo(state, at) {
  const arrow = (words) => [text("arrow", "", [at.width, at.foot], words, RIGHT_END)];
  if (isAboutWords(state)) return arrow(WRITTEN);
  const key = state.veiled ? "?" : state.picture.source[goalOf(state)];
  const texts = ARROW_LETTERS.map((most) => arrowTo(state, key, most));
  return arrow(texts.find((one) => widthOf(one) <= OF_TWO.width) ?? texts.at(-1));
}

/** A switch: its name, then a chip for each choice {value, name}. */
function chips(x, y, { id, label, options, chosen, choose }) {
  const marks = [];
  let left = x;
  if (label) {
    marks.push(text(`name ${id}`, "faint", [left, y + SWITCH.foot], label, LEFT_END));
    left += widthOf(label) + 2 * SWITCH.gap;
  }
  for (const { value, name } of options) {
    const w = widthOf(name, LABEL, LARGE_BOLD) + 2 * SWITCH.pad;
    const isChosen = value === chosen;
    const box = { x: left, y, w, h: SWITCH.h, rx: 8 };
    const foot = [left + w / 2, y + SWITCH.foot];
    marks.push(
      rect(`${id} ${value}`, isChosen ? "frame on" : "frame", box),
      text(`${id} text ${value}`, isChosen ? "bold" : "", foot, name),
      rect(`${id} pick ${value}`, "pick", box, { pick: () => choose(value) }),
    );
    left += w + SWITCH.gap;
  }
  return { marks, right: left + SWITCH.after };
}

/** Another layer or head: {looks}. */
export function look(state, layer, head) {
  return { looks: { ...state.looks, [partOf(state)]: [layer, head] }, calm: true };
}

const numbered = (name, count) =>
  Array.from({ length: count }, (_, value) => ({ value, name: `${name}${value + 1}` }));

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
    options: numbers.length > 1 ? [{ value: MEAN, name: "mean" }, ...numbers] : [],
    chosen: head,
    choose: (value) => act.change(look(state, layer, value)),
  });
  const count = state.cuts.length;
  const arrows = chips(choice.right, y, {
    id: "restore",
    label: "",
    options: count > 0 ? [{ value: count, name: fillIn(RESTORE, { count }) }] : [],
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
  return [
    rect("rule", "rule", { x: 0, y, w: at.width, h: 1 }),
    text("writes", "faint", [0, y + NOTE], fillIn(WRITES, { name }), LEFT_END),
  ];
}

/** The probability of the word that is pointed at. */
function howSure(state, { target, probabilities }) {
  const { word: i } = pointed(state);
  const values = { word: short(target[i], SURE_WORD), p: digits(probabilities[i]) };
  const foot = [0, SURE_LINE];
  return [text("sure", "faint", foot, fillIn(SURE, values), { size: 28, ...LEFT_END })];
}
