// Maps of attention weights, one for each head: rows ask, columns are asked.
import { digits, isolate, short, step } from "../frame/frame.mjs";
import { answer, large } from "../frame/lettering.mjs";
import { number, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { isExact, isMasked, MAPS, maps, readHead, seen, weightAt, written } from "./cells.mjs";
import { planOf } from "./plan.mjs";

const ANSWER = 280; // the room of one map's answer, at the right
const WIDE = 900; // a room that is narrower has no answer
const THAN = { number: 200, name: 238 }; // the feet of what the answer is compared with
const CAPTION = 76; // letters; other heads are left out beyond them

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

/** The weight that is pointed at, and the one that it is compared with. */
function answerOf(state, { width }, act) {
  const { head, query, key, than, veiled } = state;
  const { weight } = readHead(state, head, query, key);
  const label = namesOf(state, query, key);
  const marks = answer({ number: weight, format: digits, label, veiled }, act);
  if (veiled || than.length === 0) return marks;
  const end = { anchor: "end" };
  const other = weightAt(state, head, ...than);
  return [
    ...marks,
    number("other", "", [width, THAN.number], other, digits, { ...large, ...end }),
    text("other name", "", [width, THAN.name], namesOf(state, ...than), { size: 28, ...end }),
  ];
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

/** The sentence that names the pointed cell, its row's largest and the other heads. */
export function caption(state) {
  if (state.veiled) return "Predict first: where is most of the weight? Enter shows it.";
  const { head, query, key, names, query_tokens, key_tokens } = state;
  const about = isExact(state, query, key) ? "" : "\u2248\u2009";
  const isHidden = isMasked(state, query, key);
  const heads = names.map((_, each) => readHead(state, each, query, key));
  const { weight, leader, most } = heads[head];
  const pinned = state.pinned ? "pinned \u00b7 " : "";
  const name = names.length > 1 ? `${names[head]}: ` : "";
  const [asks, asked] = [isolate(query_tokens[query]), isolate(key_tokens[key])];
  const value = isHidden ? "masked: weight exactly 0" : about + written(weight);
  const largest =
    leader === key
      ? ", the row\u2019s largest"
      : ` \u00b7 row\u2019s largest: ${isolate(key_tokens[leader])} ${about}${written(most)}`;
  const sentence = `${pinned}${name}${asks} \u2192 ${asked} ${value}${largest}`;
  const others = [...names.keys()]
    .filter((each) => each !== head && !isHidden)
    .sort((one, other) => heads[other].weight - heads[one].weight);
  const words = others.map((each) =>
    `${names[each]} ${about}${written(heads[each].weight)}`.replaceAll(" ", "\u00a0"),
  );
  while (words.length > 1 && sentence.length + words.join(", ").length > CAPTION)
    words.splice(-2, 2, "\u2026");
  return words.length ? `${sentence} \u00b7 other heads: ${words.join(", ")}` : sentence;
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
