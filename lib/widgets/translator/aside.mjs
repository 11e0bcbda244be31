// What stands around the translator's words: what answers, and the choice of layer and head.

import { digits, fillIn } from "../frame/frame.mjs";
import { answer, fit, large, widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { LEFT_END, RIGHT_END, rect, text } from "../frame/shapes.mjs";
import {
  asking,
  becameIn,
  goalOf,
  isAboutWords,
  partOf,
  rowsOf,
  strongestOf,
  untilTold,
} from "./arcs.mjs";
import { ANSWERS } from "./lines.mjs";
import { lookAt } from "./says.mjs";

const SWITCH = { h: 34, pad: 10, gap: 6, foot: 25, after: 26 }; // the choice of layer and head
const RULE = 30; // from the digits down to the line above the translation
const NOTE = 34; // and from there to what it says
const BEFORE = 158; // the foot of the number before: above the arcs that run below the answer
// The answers of two models, each in its model's band.
const OF_TWO = { size: 92, foot: 122, label: 26, over: 38, pad: 16, width: ANSWERS - 30 };
const UNDER = 168; // the foot of what it learned
const NAME = { size: 30, gap: 10 }; // of a model, before what it does
const TIGHT = 0.03; // of its size a large letter stands nearer to the next
const MARKED = { side: 10, above: 0.84, h: 1.06 }; // behind a large word, in its letters
const TOLD = { looks: "looks most at", writes: "writes", still: "still writes", now: "now writes" };
const BECAME = "{before} \u2192 {now}";
const LARGE_BOLD = 650;
const MEAN = -1;
const NAMES = { encoder: "encoder", cross: "decoder to English" };
const WRITES = "The decoder writes, in {name}";
const RESTORE = "restore arrows: {count}";

/** What answers, at the top right, a word or a number; before: the row before, or null. */
export function answerOfOne(state, row, before, act) {
  const goal = goalOf(state);
  const { source } = state.picture;
  const isNumber = isAboutWords(state);
  const told = isNumber ? { number: row[goal], format: digits } : { words: source[goal] };
  const label = state.veiled ? "" : lookAt(state, source[goal]);
  const marks = answer({ ...told, after: untilTold(state), label, veiled: state.veiled }, act);
  const named = marks.find(({ id }) => id === "answer-label");
  if (!state.veiled) Object.assign(named, { id: `arrow to ${goal}`, delay: untilTold(state) });
  const plain = rowsOf(state, true)[0];
  const was = before ?? (plain === row ? null : plain);
  if (!was) return marks;
  const old = was.indexOf(Math.max(...was));
  const key = (state.before?.picture ?? state.picture).source[old];
  if (key === source[goal] && digits(was[old]) === digits(row[goal])) return marks;
  const last = `before: ${key} ${digits(was[old])}`;
  return [...marks, text("answer-before", "ghosted halo", [named.x, BEFORE], last, RIGHT_END)];
}

/** The band of each of two models: who it is, and what it learned. */
export function bands(state, at) {
  if (at.models.length === 1) return [];
  const x = at.width - OF_TWO.pad;
  return at.models.flatMap(({ band }, index) => {
    const { name, learned } = state.picture.panels[index];
    const said = asking(state, index) === null ? "" : tellsOf(state, index);
    const room = widthOf(said, OF_TWO.label) + NAME.gap;
    const called = fit(name, ANSWERS - room, NAME.size);
    const y = band.y + OF_TWO.over;
    return [
      rect(`band ${index}`, "spread", band, { rx: 10 }),
      text(`name ${index}`, "bold", [x - room, y], called, { size: NAME.size, ...RIGHT_END }),
      text(`does ${index}`, "", [x, y], said, { size: OF_TWO.label, ...RIGHT_END }),
      text(`learned ${index}`, "", [x, band.y + UNDER], learned, RIGHT_END),
    ];
  });
}

/** What is told of a model's answer: what it does, and after a cut whether it does it still. */
function tellsOf(state, index) {
  const panel = state.picture.panels[index];
  if (!isAboutWords(state)) return TOLD.looks;
  if (state.veiled || !panel.plain) return TOLD.writes;
  return becameIn(panel) ? TOLD.now : TOLD.still;
}

/** The answer of one of two models, at the right end of its band: the event is marked. */
export function answerOfTwo(state, at, index, row, act) {
  if (row === null) return [];
  const { band } = at.models[index];
  const x = at.width - OF_TWO.pad;
  const foot = [x, band.y + OF_TWO.foot];
  const told = largeOfTwo(state, index, foot, act);
  return tellsOf(state, index) === TOLD.now ? marked(told, index) : [told];
}

/** A large word on a yellow marker. */
function marked(told, index) {
  const { x, y, size, text: word, delay } = told;
  const w = widthOf(word, size, LARGE_BOLD) - TIGHT * size * word.length + 2 * MARKED.side;
  const left = x + MARKED.side - w;
  const box = { x: left, y: y - MARKED.above * size, w, h: MARKED.h * size };
  const behind = rect(`now ${index}`, "changed", box, { rx: 8, delay });
  return [behind, { ...told, class: `${told.class} marked` }];
}

/** A question mark or the word that answers, as large as it fits. */
function largeOfTwo(state, index, foot, act) {
  const look = { size: OF_TWO.size, ...RIGHT_END };
  if (state.veiled) {
    return text(`ask ${index}`, large.class, foot, "?", { ...look, pick: () => act.next() });
  }
  const { source, panels } = state.picture;
  const looked = rowsOf(state).map((row) => (row ? source[strongestOf(row)] : ""));
  const words = isAboutWords(state) ? panels.map(pronounOf) : looked;
  const told = words.map((one) => fit(one, OF_TWO.width, NAME.size));
  const wide = told.map((one) => widthOf(one, OF_TWO.size, LARGE_BOLD));
  const size = Math.min(OF_TWO.size, (OF_TWO.size * OF_TWO.width) / Math.max(...wide));
  const letters = { ...look, size, delay: untilTold(state) };
  const kind = tellsOf(state, index) === TOLD.still ? `${large.class} faint` : large.class;
  return text(`answer ${index}`, kind, foot, told[index], letters);
}

/** The pronoun that a model writes, and what it wrote before a cut: "il → elle". */
function pronounOf(panel) {
  const [before, now] = [becameIn(panel), panel.target[panel.pronoun]];
  return before ? fillIn(BECAME, { before, now }) : now;
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

/** Which layer and which head of one model are shown, below the translation. */
export function switches(state, { height }, act) {
  if (state.picture.panels.length > 1) return [];
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

/** Between the lines: that the decoder writes. */
export function notes({ line, picture: { panels } }, at) {
  if (panels.length > 1 || line >= 0) return [];
  const [{ name }] = panels;
  const y = at.models[0].digits + RULE;
  return [
    rect("rule", "rule", { x: 0, y, w: at.width, h: 1 }),
    text("writes", "faint", [0, y + NOTE], fillIn(WRITES, { name }), LEFT_END),
  ];
}
