// Maps of attention weights, one for each head: rows ask, columns are asked.
import { digits, fillIn, isolate, short, step } from "../frame/frame.mjs";
import { answer, large } from "../frame/lettering.mjs";
import { number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { isExact, isMasked, MAPS, maps, readHead, seen, weightAt, written } from "./cells.mjs";
import { planOf } from "./plan.mjs";

const ANSWER = 280; // the room of one map's answer, at the right
const WIDE = 900; // a room that is narrower has no answer
// Two weights that are compared: the room of each, from its name down to its bar.
const BAR = { top: 200, pitch: 112, w: 256, h: 40, below: 14 };
const MORE = { more: "more", less: "less", same: "as much" };
const THAN = "than \u201c{word}\u201d";
const SENTENCES = {
  veiled: "Predict first. Enter shows it.",
  compared: "Predict first: more or less? Enter shows it.",
  // Of its row's largest weight, and of any other.
  looks: [
    "“{asks}” looks most at “{asked}”, {weight}",
    "“{asks}” looks at “{asked}” with {weight}, most at “{leader}”, {most}",
  ],
  masked: "“{asks}” may not look at “{asked}”: weight exactly 0",
  gives: ["{name} gives it {weight}", "{name} gives “{asked}” {weight}"],
};
const CAPTION = 84; // letters; other heads are left out beyond them

/** The room of the maps: without that of the answer, which only one map has. */
function roomOf(state, { width, height }) {
  const hasAnswer = seen(state).length === 1 && width >= WIDE;
  return { width: hasAnswer ? width - ANSWER : width, height, hasAnswer };
}

/** Where the maps stand in a room. */
function planIn(state, room) {
  const isNamed = state.shape[0] > 1 || state.names[0] !== "head 1";
  const what = {
    heads: seen(state).length,
    rows: state.query_tokens,
    columns: state.key_tokens,
    named: isNamed,
  };
  return planOf(what, roomOf(state, room));
}

function namesOf(state, query, key) {
  return `${short(state.query_tokens[query], 9)} \u2192 ${short(state.key_tokens[key], 9)}`;
}

/** One of two weights as a bar in the room of a weight of 1. */
function weighed(state, place, name, weight, { width }) {
  const x = width - BAR.w;
  const y = BAR.top + place * BAR.pitch;
  const box = { x, y: y + BAR.below, w: BAR.w, h: BAR.h };
  const marks = [text(`name of ${place}`, "bold", [x, y], name, { anchor: "start" })];
  if (state.veiled) return [...marks, rect(`veil of ${place}`, "veil", box)];
  const look = { size: large.size, anchor: "end" };
  return [
    ...marks,
    rect(`room of ${place}`, "frame", box, { rx: 0 }),
    rect(`weight of ${place}`, "weight", { ...box, w: weight * BAR.w }),
    number(`number of ${place}`, large.class, [width, y], weight, digits, look),
  ];
}

/** Is the weight that is pointed at more than another one? Both stand below, as bars. */
function comparedMarks(state, room, act) {
  const { head, query, key, than, veiled } = state;
  const { query_tokens, key_tokens } = state;
  const word = query === than[0] ? key_tokens[than[1]] : query_tokens[than[0]];
  const weights = [weightAt(state, head, query, key), weightAt(state, head, ...than)];
  const [weight, least] = weights.map((each) => Number(each.toFixed(2)));
  let words = weight > least ? MORE.more : MORE.less;
  if (weight === least) words = MORE.same;
  return [
    ...answer({ words, label: fillIn(THAN, { word: short(word, 9) }), veiled }, act),
    ...weighed(state, 0, namesOf(state, query, key), weights[0], room),
    ...weighed(state, 1, namesOf(state, ...than), weights[1], room),
  ];
}

/** The weight that is pointed at, or what it is compared with another one. */
function answerOf(state, room, act) {
  const { head, query, key, than, veiled } = state;
  if (than.length > 0) return comparedMarks(state, room, act);
  const { weight } = readHead(state, head, query, key);
  const label = namesOf(state, query, key);
  return answer({ number: weight, format: digits, label, veiled }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const { width, hasAnswer } = roomOf(state, room);
  const [H] = state.shape;
  const mapAct = {
    next: act?.next,
    point: ([head, query, key]) => {
      if (!state.pinned) act.change({ head, query, key });
    },
    choose: ([head, query, key]) => {
      const isSame = head === state.head && query === state.query && key === state.key;
      act.change({ head, query, key, pinned: !(isSame && state.pinned) });
    },
  };
  const marks = maps(state, planIn(state, room), width, mapAct);
  if (state.solo >= 0 && H > 1 && hasAnswer) {
    const corner = [room.width, room.height - 8];
    marks.push(text("back", "faint", corner, "double-click: back to all", { anchor: "end" }));
  }
  return hasAnswer ? [...marks, ...answerOf(state, room, act)] : marks;
}

/** The sentence that names the pointed cell, its row's largest and the other heads that fit. */
export function caption(state) {
  if (state.veiled) return SENTENCES[state.than.length > 0 ? "compared" : "veiled"];
  const { head, query, key, names, query_tokens, key_tokens } = state;
  const about = isExact(state, query, key) ? "" : "\u2248\u2009";
  const heads = names.map((name, each) => ({ name, ...readHead(state, each, query, key) }));
  const { name, weight, leader, most } = heads[head];
  const values = {
    asks: isolate(query_tokens[query]),
    asked: isolate(key_tokens[key]),
    leader: isolate(key_tokens[leader]),
    weight: about + written(weight),
    most: about + written(most),
  };
  const start = (state.pinned ? "pinned \u00b7 " : "") + (names.length > 1 ? `${name}: ` : "");
  if (isMasked(state, query, key)) return start + fillIn(SENTENCES.masked, values);
  const kind = leader === key ? 0 : 1;
  const sentence = start + fillIn(SENTENCES.looks[kind], values);
  const others = heads.toSpliced(head, 1).sort((one, other) => other.weight - one.weight);
  const words = others.map((other, i) => {
    const told = i === 0 ? SENTENCES.gives[kind] : "{name}\u00a0{weight}";
    const named = { name: other.name.replaceAll(" ", "\u00a0"), asked: values.asked };
    return fillIn(told, { ...named, weight: about + written(other.weight) });
  });
  if (words.length === 0) return sentence;
  const cut = words.slice(1).map((_, i) => [...words.slice(0, i + 1), "\u2026"]);
  const all = [...cut, words].map((few) => `${sentence}; ${few.join(", ")}`);
  return all.findLast((said) => said.length <= CAPTION) ?? sentence;
}

/** One head alone in the picture, or all again. */
export function alone(state, head) {
  if (state.shape[0] === 1) return null;
  return { head, solo: state.solo < 0 ? head : -1 };
}

/** With Shift, arrows go from map to map. */
function hop(state, key, columns) {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (!by) return null;
  const heads = seen(state);
  return { head: heads[heads.indexOf(state.head) + by] ?? state.head };
}

/** What a key means: another cell or head, one head alone, a pin. */
export function keysOf(state, key, event, columns) {
  if (state.veiled && state.than.length > 0) return null; // two cells are asked for, no other
  const [H, T, S] = state.shape;
  const moved = event?.shiftKey && hop(state, key, columns);
  if (moved) return moved;
  const next = step(key, [state.query, state.key], T, S);
  if (next) return { query: next[0], key: next[1] };
  if (key === "Enter" && H > 1) return alone(state, state.head);
  if (key === "Enter" || key === " ") return { pinned: !state.pinned };
  if (key === "Escape" && state.pinned) return { pinned: false };
  if (key === "Escape" && state.solo >= 0) return { solo: -1 };
  return null;
}

/** Two clicks on a map show its head alone, or all again. */
function listen(made) {
  made.svg.addEventListener("dblclick", (event) => {
    const mark = made.scene.markOf(event.target);
    if (!mark?.id.startsWith("point ")) return;
    const changes = alone(made.state, Number(mark.id.split(" ")[1]));
    if (changes) made.change(changes);
  });
}

export default demo({
  ...MAPS,
  name: "map",
  looks: {
    "focused.pinned": { "stroke-width": 7 },
  },
  traits: [...MAPS.traits, "room_width"],
  width: (state) => state.room_width,
  layout,
  caption,
  keys: (state, key, event, _, room) => keysOf(state, key, event, planIn(state, room).columns),
  staged: listen,
});
