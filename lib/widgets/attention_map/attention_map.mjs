// Maps of attention weights, one for each head: rows ask, columns are asked.
import { clamp, digits, fillIn, isolate, short, step } from "../frame/frame.mjs";
import { answer, fit, large } from "../frame/lettering.mjs";
import { drawn } from "../frame/looks.mjs";
import { LABEL } from "../frame/marks.mjs";
import { number, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { isExact, isMasked, MAPS, maps, readHead, seen, weightAt, written } from "./cells.mjs";
import { corner, planOf } from "./plan.mjs";

const ANSWER = 280; // the room of one map's answer, at the right
// The word that each row looks at most: how far from the map; its letters, in heights of a row.
const MOST = { off: 20, share: 0.6, foot: 0.36 };
const WIDE = 900; // a room that is narrower has no answer
// Two weights that are compared: the room of each, from its name down to its bar.
const BAR = { top: 200, pitch: 128, w: 256, h: 56, below: 14 };
const NUMBER = 100; // beside the name stands the weight
const MORE = { more: "more", less: "less", same: "as much" };
const THAN = "than {cell}";
const ASKS = "Is {here} more than {cell}, or less?";
const SENTENCES = {
  veiled: "Predict first. Enter shows it.",
  compared: "Predict first: more, less, or as much? Enter shows it.",
  // Of its row's largest weight, and of any other.
  looks: [
    "“{asks}” looks most at “{asked}”, {weight}.",
    "“{asks}” looks at “{asked}” with {weight}, most at “{leader}”, {most}.",
  ],
  masked: "“{asks}” may not look at “{asked}”: weight exactly 0.",
};

/** The room of the maps: without that of the answer, which only one map has. */
function roomOf(state, { width, height }) {
  const hasAnswer = seen(state).length === 1 && width >= WIDE;
  return { width: hasAnswer ? width - ANSWER : width, height, hasAnswer };
}

/** Where the maps stand in a room; beside another drawing, they are not what is asked about. */
function planIn(state, room) {
  const isNamed = state.shape[0] > 1 || state.names[0] !== "head 1";
  const what = {
    heads: seen(state).length,
    rows: state.query_tokens,
    columns: state.key_tokens,
    named: isNamed,
  };
  return { ...planOf(what, roomOf(state, room)), isBeside: room.width < WIDE };
}

function namesOf(state, query, key) {
  return `${short(state.query_tokens[query], 9)} \u2192 ${short(state.key_tokens[key], 9)}`;
}

/** The room of a weight of 1. */
function barBox(place, { width }) {
  const y = BAR.top + place * BAR.pitch + BAR.below;
  return { x: width - BAR.w, y, w: BAR.w, h: BAR.h };
}

/** One of two weights as a bar in the room of a weight of 1, in the shade of its cell. */
function weighed(state, place, name, weight, room) {
  const box = barBox(place, room);
  const y = box.y - BAR.below;
  const fitting = fit(name, BAR.w - NUMBER);
  const marks = [text(`name of ${place}`, "bold", [box.x, y], fitting, { anchor: "start" })];
  if (weight === null) return [...marks, rect(`veil of ${place}`, "veil", box)];
  const look = { size: large.size, anchor: "end" };
  const tint = Math.min(1, weight / state.limit);
  return [
    ...marks,
    rect(`room of ${place}`, "frame", box, { rx: 0 }),
    rect(`weight of ${place}`, "line", { ...box, w: weight * BAR.w }, { tint }),
    number(`number of ${place}`, large.class, [room.width, y], weight, digits, look),
  ];
}

/** Is the weight that is pointed at more than another one, which is known? Both stand as bars. */
function comparedMarks(state, room, act) {
  const { head, query, key, than, veiled } = state;
  const weights = [weightAt(state, head, ...than), weightAt(state, head, query, key)];
  const [known, weight] = weights.map((each) => Number(each.toFixed(2)));
  let words = weight > known ? MORE.more : MORE.less;
  if (weight === known) words = MORE.same;
  const [cell, here] = [than, [query, key]].map((at) => namesOf(state, ...at));
  const label = veiled ? here : fillIn(THAN, { cell });
  return [
    ...answer({ words, label, veiled }, act),
    ...weighed(state, 0, cell, weights[0], room),
    ...weighed(state, 1, here, veiled ? null : weights[1], room),
  ];
}

/** What is asked of two weights once a reader points elsewhere. */
function asksOf(state) {
  if (state.than.length === 0) return null;
  const [here, cell] = [[state.query, state.key], state.than].map((at) => namesOf(state, ...at));
  return fillIn(ASKS, { here, cell });
}

/** Beside each row of one map, the word that it looks at most. */
function leaderMarks(state, room, plan) {
  if (state.veiled || !plan.rowLabels) return [];
  const [left, top] = corner(plan, 0);
  const x = left + plan.cellWidth * plan.S + MOST.off;
  const size = clamp(MOST.share * plan.cellHeight, LABEL, large.size);
  const rows = state.query_tokens.map((_, query) => readHead(state, state.head, query, 0));
  return rows.flatMap(({ leader, most }, query) => {
    const y = top + plan.cellHeight * (query + 0.5) + MOST.foot * size;
    const word = fit(`\u2192 ${state.key_tokens[leader]}`, room.width - x, size);
    const look = { anchor: "start", size };
    return most > 0 ? [text(`leader ${query}`, "bold key", [x, y], word, look)] : [];
  });
}

/** What the compared weight is, or where the rows of one map look most. */
function answerOf(state, room, plan, act) {
  if (state.than.length > 0) return comparedMarks(state, room, act);
  return leaderMarks(state, room, plan);
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
  const plan = planIn(state, room);
  const marks = maps(state, plan, width, mapAct);
  if (state.solo >= 0 && H > 1 && hasAnswer) {
    const corner = [room.width, room.height - 8];
    marks.push(text("back", "faint", corner, "double-click: back to all", { anchor: "end" }));
  }
  return hasAnswer ? [...marks, ...answerOf(state, room, plan, act)] : marks;
}

/** The sentence that names the pointed cell and its row's largest. */
export function caption(state) {
  if (state.veiled) return SENTENCES[state.than.length > 0 ? "compared" : "veiled"];
  const { head, query, key, names, query_tokens, key_tokens } = state;
  const about = isExact(state, query, key) ? "" : "\u2248\u2009";
  const { weight, leader, most } = readHead(state, head, query, key);
  const values = {
    asks: isolate(query_tokens[query]),
    asked: isolate(key_tokens[key]),
    leader: isolate(key_tokens[leader]),
    weight: about + written(weight),
    most: about + written(most),
  };
  const pinned = state.pinned ? "pinned \u00b7 " : "";
  const start = pinned + (names.length > 1 ? `${names[head]}: ` : "");
  if (isMasked(state, query, key)) return start + fillIn(SENTENCES.masked, values);
  return start + fillIn(SENTENCES.looks[leader === key ? 0 : 1], values);
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
    sought: drawn("lit", 13),
  },
  traits: [...MAPS.traits, "room_width"],
  width: (state) => state.room_width,
  layout,
  caption,
  asks: asksOf,
  keys: (state, key, event, _, room) => keysOf(state, key, event, planIn(state, room).columns),
  staged: listen,
});
