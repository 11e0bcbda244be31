// Random words, twice: what each costs the model, where a head looks, and what heads are needed.
import { clamp, digits, fillIn, numbers } from "../frame/frame.mjs";
import { answer, STAGE } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { BASELINE, LEFT_END, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { look } from "./look.mjs";
import {
  againAt,
  bitsOf,
  COST,
  hasHeads,
  headOf,
  LOOKING,
  looksOf,
  meantOf,
  oneIn,
  roundOf,
  skyline,
  waitFor,
  wordAt,
} from "./skyline.mjs";

const COLUMN = 416; // the room of the answer and of the heads, right of the skyline
const GRID_LEFT = STAGE.width - COLUMN;
const GRID_TOP = 222;
const GRID_TITLE = 12; // from its top up to the foot of its title
const GRID_FOOT = 18; // from its end to the end of the room
const LOW = 400; // a room with no place for the grid's axes
const AXIS = { left: 10, below: 26 }; // from the grid to the letters of its axes
const CELL_AIR = 1;
const ROUND = 3; // from the chosen head to its frame
const EMPTY = "color-mix(in srgb, var(--line) 30%, var(--paper))"; // a head that copies nothing

const SENTENCES = {
  veiled: "The higher a bar, the greater the surprise. Predict first. Enter shows it.",
  asked: "One of {count} heads: layer {layer}, head {head}. Where would you look? Enter shows it.",
  cutVeiled: "They give zeros, and the other heads go on. Enter shows it.",
  again: "After two or three words again, little surprise is left.",
  cut: "Yellow: the surprise that the cut adds.",
  lot: "Nothing cut: {whole}. The four that copy: {four}. These four: {lot}.",
  word: "\u201c{word}\u201d: {first} the first time, {second} the second.",
  looks: "\u201c{word}\u201d again: layer {layer}, head {head} looks at {where}: {weight}.",
};
const WHERE = {
  after: "what came after it",
  same: "itself, the first time",
  back: "the word just before",
  self: "itself",
  start: "the start",
  other: "\u201c{word}\u201d",
};
const LABELS = {
  cost: "share of a repeated word",
  look: "where it looks most",
  weight: "weight {weight}",
};
const TITLES = { all: "{count} heads", shares: "stronger colour: copies more" };
const AXES = { layer: "layer", head: "head" };

/** {layer, head} of a head, counted from 1. */
const namesOf = (state, head) => ({
  layer: Math.floor(head / state.heads) + 1,
  head: (head % state.heads) + 1,
});

/** What kind of place a head looks at, from the point of the word that asks. */
export function kindOfLook(state, word, place) {
  const asking = againAt(state, word);
  const same = asking - roundOf(state);
  const kinds = { start: 0, self: asking, after: same + 1, same, back: asking - 1 };
  return Object.keys(kinds).find((kind) => kinds[kind] === place) ?? "other";
}

/** The answer, by far the largest: a share, or the word that is looked at. */
function told(state, act) {
  const { veiled, asks, means, cut } = state;
  if (asks !== COST) {
    const [{ place, weight }] = looksOf(state, headOf(state), meantOf(state));
    const label = veiled ? LABELS.look : fillIn(LABELS.weight, { weight: digits(weight) });
    return answer({ words: wordAt(state, place), label, veiled }, act);
  }
  const after = waitFor(state);
  const said = { format: oneIn, label: LABELS.cost, room: COLUMN };
  return answer({ number: means[cut][1], veiled, after, ...said }, act);
}

/** Whether the heads show how much they look at what came after: no answer before its question. */
const showsShares = ({ veiled, asks, cut, done }) => (asks === COST ? cut + done > 1 : !veiled);

/** All heads, a column for each layer, once the story comes to them: colour is copying. */
function grid(state, room, act) {
  if (!hasHeads(state)) return [];
  const layers = state.shares.length / state.heads;
  const hasAxes = room.height >= LOW;
  const foot = room.height - GRID_FOOT - (hasAxes ? AXIS.below : 0);
  const high = (foot - GRID_TOP) / state.heads;
  const wide = COLUMN / layers;
  const cuts = state.cuts[state.cut];
  const most = Math.max(...state.shares);
  const boxOf = (head) => ({
    ...{ x: GRID_LEFT + Math.floor(head / state.heads) * wide, w: wide - CELL_AIR },
    ...{ y: GRID_TOP + (head % state.heads) * high, h: high - CELL_AIR },
  });
  const marks = [...state.shares].map((share, head) => {
    if (cuts.includes(head)) return rect(`head ${head}`, "gone", boxOf(head));
    const part = showsShares(state) ? (100 * share) / most : 0;
    const fill = `color-mix(in srgb, var(--weight) ${part}%, ${EMPTY})`;
    return rect(`head ${head}`, "head", boxOf(head), { fill });
  });
  const said = showsShares(state) ? TITLES.shares : TITLES.all;
  const told = fillIn(said, { count: state.shares.length });
  marks.push(text("heads", "", [GRID_LEFT, GRID_TOP - GRID_TITLE], told, LEFT_END));
  if (hasAxes) marks.push(...axesOf(state, layers, foot));
  if (state.asks !== COST) {
    const { x, y, w, h } = boxOf(headOf(state));
    const around = { x: x - ROUND, y: y - ROUND, w: w + 2 * ROUND, h: h + 2 * ROUND };
    marks.push(rect("chosen", "focused", around));
  }
  return state.veiled ? marks : [...marks, choosing(state, { wide, high, layers }, act)];
}

/** Layers go to the right, the heads of each down. */
function axesOf({ heads }, layers, floor) {
  const [side, foot] = [GRID_LEFT - AXIS.left, floor + AXIS.below];
  const [first, last] = [GRID_TOP + 2 * BASELINE, floor];
  return [
    text("head first", "faint", [side, first], "1", RIGHT_END),
    text("head axis", "faint", [side, (GRID_TOP + floor) / 2], AXES.head, { turn: -90 }),
    text("head last", "faint", [side, last], `${heads}`, RIGHT_END),
    text("layer first", "faint", [GRID_LEFT, foot], "1", LEFT_END),
    text("layer axis", "faint", [GRID_LEFT + COLUMN / 2, foot], AXES.layer),
    text("layer last", "faint", [STAGE.width, foot], `${layers}`, RIGHT_END),
  ];
}

/** What a pointer on the heads does: it tries a head, a click chooses it. */
function choosing(state, { wide, high, layers }, act) {
  const under = ([x, y]) => {
    const layer = clamp(Math.floor((x - GRID_LEFT) / wide), 0, layers - 1);
    return layer * state.heads + clamp(Math.floor((y - GRID_TOP) / high), 0, state.heads - 1);
  };
  const hover = (point) => {
    const head = under(point);
    if (state.asks !== COST && head !== state.over) act.change({ over: head });
  };
  const pick = (point) => act.change({ ...LOOKING, head: under(point), over: null });
  const box = { x: GRID_LEFT, y: GRID_TOP, w: COLUMN, h: high * state.heads };
  return rect("hold heads", "pick hold", box, { hover, pick });
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const leave = () => {
    if (state.hovered !== null || state.over !== null) act.change({ hovered: null, over: null });
  };
  const ground = { x: 0, y: 0, w: room.width, h: room.height };
  return [
    rect("ground", "pick", ground, { hover: leave }),
    ...(state.asks === COST ? skyline : look)(state, room, act),
    ...grid(state, room, act),
    ...told(state, act),
  ];
}

function saysLook(state) {
  const names = namesOf(state, headOf(state));
  if (state.veiled) return fillIn(SENTENCES.asked, { ...names, count: state.shares.length });
  const word = meantOf(state);
  const [{ place, weight }] = looksOf(state, headOf(state), word);
  const where = fillIn(WHERE[kindOfLook(state, word, place)], { word: wordAt(state, place) });
  const sentence = { ...names, word: state.words[word], where, weight: digits(weight) };
  return fillIn(SENTENCES.looks, sentence);
}

/** What is said where no word is pointed at; of the cut at random, what all came to. */
function saysCost({ cut, means }) {
  const [whole, four, lot] = means.map(([_, second]) => oneIn(second));
  return cut === 2 ? fillIn(SENTENCES.lot, { whole, four, lot }) : SENTENCES[cut ? "cut" : "again"];
}

/** The sentence that says what to see. */
export function caption(state) {
  const { veiled, asks, cut } = state;
  if (asks !== COST) return saysLook(state);
  if (veiled) return cut === 0 ? SENTENCES.veiled : SENTENCES.cutVeiled;
  const word = meantOf(state);
  if (word === null) return saysCost(state);
  const [first, second] = [0, 1].map((time) => oneIn(bitsOf(state, word, time)));
  return fillIn(SENTENCES.word, { word: state.words[word], first, second });
}

/** Another head, one layer further or the next of its layer; null for other keys. */
function nextHead(state, key) {
  const { head, heads, shares } = state;
  const row = head % heads;
  const next = {
    ArrowLeft: head - heads,
    ArrowRight: head + heads,
    ArrowUp: row > 0 ? head - 1 : head,
    ArrowDown: row < heads - 1 ? head + 1 : head,
  }[key];
  if (next === undefined) return null;
  return next < 0 || next >= shares.length ? head : next;
}

/** What a key means: another word, another head, or the four that copy are cut. */
export function keysOf(state, key, event) {
  if (state.veiled) return null;
  const free = { hovered: null, over: null };
  if (key === " ") return { asks: COST, cut: state.cut === 1 ? 0 : 1, ...free };
  if (key === "Escape") return free;
  const isHead = event?.shiftKey || /Up|Down/.test(key);
  const head = isHead ? nextHead(state, key) : null;
  if (head !== null) return { ...LOOKING, head, ...free };
  const last = roundOf(state) - 1;
  const { place } = state;
  const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[key];
  return next === undefined ? null : { ...LOOKING, place: clamp(next, 0, last), ...free };
}

const read = (model) => ({
  bits: numbers(model.get("bits")),
  shares: numbers(model.get("shares")),
  looks: numbers(model.get("looks"), Uint8Array),
});

export default demo({
  name: "copies",
  looks: {
    height: filled("line"),
    risen: filled("lit", { stroke: "var(--score)", "stroke-width": 1.5 }),
    gone: drawn("ink", 2.5, { "stroke-dasharray": "4 3" }),
  },
  traits: ["words", "means", "cuts", "heads", "asks", "cut", "head", "place", "done"],
  read,
  own: { hovered: null, over: null }, // the word and the head that are pointed at
  keep: ["hovered", "over"],
  layout,
  caption,
  wait: waitFor,
  keys: keysOf,
});
