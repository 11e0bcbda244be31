// The parameters are one block that is cut into slices, one for each head. Each slice makes a table
// of scores, and the tables lie on each other as a deck. Asked how the heads look, the tables lie
// side by side, and lines lead to the words.
import { clamp, digits, fillIn, isolate } from "../frame/frame.mjs";
import { answer, isUnasked, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { LEFT_END, line, rect, RIGHT_END, text, thread } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import {
  canvasMap,
  isMasked,
  MAPS,
  maps,
  paintPixels,
  readHead,
  weightAt,
} from "../attention_map/cells.mjs";
import { planOf } from "../attention_map/plan.mjs";

const MOST_HEADS = 16;
const WIDE = 940; // of maps side by side: beside them is the answer, one word
const BAR = { y: 4, h: 34 }; // of their slices
const FOOT = 9; // from the foot of a slice up to that of its number
const THREAD = 20; // from a slice to its map
const WORDS = 56; // from the floor up to the sentence
const BETWEEN = 14; // two maps
const SEEN = 0.005; // a smaller weight has no digits in a map alone
const NUMBERED = 34; // a slice is at least as wide when it has its number
const LAST = 2; // the step of the story that asks whether heads look alike
const MOST_LOOKS = 8; // heads
const FALL = 100; // at least, from the maps to the words that their heads look at
const CUT_FOOT = 26; // of the sentence above the block
// Usual parameters are as wide and as high as a table.
const BLOCK = { widest: 500, around: 4 };
// drop: from one table up to the one behind it; head: above the last of 16; below: under the first.
const DECK = { x: 560, drop: 4, head: 96, below: 44, largest: 360 };
const NAMED = 34; // from the foot of what is counted to its name
const OVER = 14; // from it up to its number
const ANSWER = 88; // letters: how many times as much what grows most is
const STILL = 40; // and the other
const ASK = 104;
const CHIP = { h: 46, pad: 16, baseline: 33, bar: 5 };
const SIZES = [28, 24]; // letters of the sentence
const STRIP = 24; // the height of the sentence's row where there is no room for words

const whole = (number) => Math.round(number).toLocaleString("en");
const headsOf = ({ shape: [H] }) => [...Array(H).keys()];

/** True for the head that all is about; side by side none is before one points at it. */
const isChosen = (head, { head: here, pointed }, isLooks) => head === here && (pointed || !isLooks);

/** Where maps of so many heads stand side by side, each below its slice. */
export function geometry(heads, height) {
  const slice = (WIDE - BETWEEN * (heads - 1)) / heads;
  const words = height - WORDS;
  const top = BAR.y + BAR.h + THREAD;
  const size = Math.min(slice, words - FALL - top);
  const sliceOf = (head) => ({ ...BAR, x: head * (slice + BETWEEN), w: slice });
  const boxOfHead = (head) => {
    const x = sliceOf(head).x + (slice - size) / 2;
    return { x, y: top + (words - FALL - top - size) / 2, w: size, h: size };
  };
  return { isLooks: true, sliceOf, boxOfHead, words, height };
}

/** The deck of tables, the chosen head's on top, and the block of parameters beside it. */
export function deckOf({ shape: [H], head: here, parameters, usual }, { width, height }) {
  const foot = height - DECK.below;
  const behind = MOST_HEADS - 1;
  const size = Math.min(DECK.largest, foot - DECK.head - behind * DECK.drop);
  const step = (width - DECK.x - size) / behind;
  const boxOfHead = (head) => {
    const back = (head - here + H) % H; // how many lie on it
    const y = foot - size - back * DECK.drop;
    return { x: DECK.x + (H - 1 - back) * step, y, w: size, h: size };
  };
  const ratio = parameters / usual;
  const square = {
    x: BLOCK.around,
    y: foot - size,
    w: Math.min(size, BLOCK.widest / ratio),
    h: size,
  };
  const pitch = (ratio * square.w) / H;
  const sliceOf = (head) => ({ ...square, x: square.x + head * pitch, w: pitch });
  return { isLooks: false, sliceOf, boxOfHead, square, foot, size, step, ratio, width };
}

/** The outline that the slices were cut from lies around them. */
function around({ x, y, w, h }) {
  const by = BLOCK.around;
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/** A slice with the number of its head. */
function slice(head, state, { sliceOf, isLooks }, act) {
  const [H] = state.shape;
  const isHere = isChosen(head, state, isLooks) && H > 1;
  const box = sliceOf(head);
  const id = `${isLooks ? "looks" : "block"} ${H}.${head}`;
  const pick = () => act.change({ head });
  const marks = [rect(`slice ${id}`, "slice", box, { rx: isLooks ? 3 : 0, from: { o: 1 }, pick })];
  if (isHere) marks.push(rect("chosen slice", "focused", box, { rx: 3 }));
  if (H === 1 || box.w < NUMBERED) return marks;
  const place = [box.x + box.w / 2, isLooks ? box.y + box.h - FOOT : box.y + NAMED];
  return [
    ...marks,
    text(`number ${id}`, isHere ? "bold through" : "through", place, `${head + 1}`),
  ];
}

/** A head's table, drawn to be read; what is pointed at in it is its row. */
function table(head, state, at, act) {
  const box = at.boxOfHead(head);
  const [H, T] = state.shape;
  const isHere = isChosen(head, state, at.isLooks);
  const id = `${H}.${head}`;
  if (state.veiled) return [rect(`veil ${id}`, "veil", box, { rx: 4, pick: () => act.next() })];
  const glides = at.isLooks ? {} : { from: { ...at.sliceOf(head), o: 0 }, delay: head * STAGGER };
  const marks = [rect(`paper ${id}`, "frame", box, { rx: 0 }), ...canvasMap(state, head, box, id)];
  if (isHere) marks.push(rect(`chosen map ${id}`, "focused", box, { rx: 2 }));
  if (isHere || at.isLooks) {
    const h = Math.max(4, box.h / T);
    const y = box.y + ((state.query + 0.5) * box.h) / T - h / 2;
    const [above, below] = [y - box.y, box.y + box.h - y - h];
    if (at.isLooks)
      marks.push(
        rect(`rest above ${id}`, "rest", { ...box, h: above }, { rx: 0 }),
        rect(`rest below ${id}`, "rest", { ...box, y: y + h, h: below }, { rx: 0 }),
      );
    marks.push(rect(`row ${id}`, "asking", { ...box, y, h }, { rx: 0 }));
  }
  const queryAt = ([, y]) => clamp(Math.floor(((y - box.y) / box.h) * T), 0, T - 1);
  const hover = (point) => act.change({ head, query: queryAt(point) });
  const isRead = isHere || at.isLooks; // of the others in a deck only an edge is seen
  const pick = () => act.change(isRead ? zoom(state, head) : headTo(state, head));
  marks.push(rect(`point ${id}`, "pick", box, isRead ? { hover, pick } : { pick }));
  return marks.map((mark) => ({ ...mark, ...glides }));
}

const CUT = {
  one: "d_model = {d_model} numbers, in one piece: d_k = {d_k}",
  many: "d_model = {d_model} numbers, cut into {heads} slices of d_k = {d_k}",
  free: "{heads} × d_k = {heads} × {d_k} = {width} numbers, made of d_model = {d_model}",
};

/** How the block is cut, as a sentence. */
function cutMark({ d_model, d_k, shape: [heads] }) {
  const width = heads * d_k;
  const values = { d_model, d_k, heads, width };
  let kind = heads === 1 ? "one" : "many";
  if (width !== d_model) kind = "free";
  return text("cut", "", [0, CUT_FOOT], fillIn(CUT[kind], values), LEFT_END);
}

/** The maps of all heads side by side, each below its slice. */
function sideBySide(state, at, act) {
  const heads = headsOf(state);
  const threads = heads.map((head) => {
    const { x, y, w } = at.boxOfHead(head);
    const kind = isChosen(head, state, true) ? "way here" : "way";
    return line(`in ${heads.length}.${head}`, kind, [x + w / 2, BAR.y + BAR.h], [x + w / 2, y]);
  });
  return [
    ...threads,
    ...heads.flatMap((head) => slice(head, state, at, act)),
    ...heads.flatMap((head) => table(head, state, at, act)),
    ...sentence(state, at, act),
  ];
}

/** The chosen head alone, with words and digits. */
function oneHead(state, { width, height }, act) {
  const what = { heads: 1, rows: state.query_tokens, columns: state.key_tokens, named: false };
  const plan = planOf(what, { width, height });
  const point = ([head, query, key]) => act.change({ head, query, key });
  const choose = () => act.change(zoom(state));
  const marks = maps({ ...state, veiled: false }, plan, width, { ...act, point, choose });
  return marks.map((mark) => (mark.kind === "cell" && mark.number < SEEN ? emptied(mark) : mark));
}

/** A cell without its digits: among many .00 the others would not be seen. */
const emptied = (cell) => ({ ...cell, format: () => "" });

/** Nothing has been cut yet: how much grows is asked. */
const isUncut = ({ shape: [H], d_k, d_model }) => H === 1 && d_k === d_model;

const TIMES = "\u00d7 {ratio}";
const GROWS = "scores";
const COUNTED = {
  parameters: "{count} parameters",
  one: "1 table of scores",
  many: "{heads} tables of scores",
};

/** When the tables of so many heads have come. */
const told = (heads) => GLIDE + heads * STAGGER;

/** Milliseconds until the sentence may say what grew, if it is that answer. */
export function waitFor(state) {
  const [H] = state.shape;
  return answerOf(state) && state.done < LAST && state.before?.shape[0] !== H ? told(H) : 0;
}

/** How many times as much as for one head: what grows most is the answer. */
function ratioMark(name, ratio, isMost, [x, y], { shape: [H] }) {
  const words = fillIn(TIMES, { ratio: digits(ratio, Number.isInteger(ratio) ? 0 : 2) });
  const kind = isMost ? "answer halo" : "large halo faint";
  const more = { size: isMost ? ANSWER : STILL, delay: told(H), ...RIGHT_END };
  return text(`times ${name} ${H}`, kind, [x, y - OVER], words, more);
}

/** That only the scores grow, at the right where a deck of 16 ends, and by how much. */
function onlyScores([x, y], { shape: [H] }) {
  const more = { delay: told(H), ...RIGHT_END };
  const times = fillIn(TIMES, { ratio: digits(H, 0) });
  const word = [x, y - OVER - STILL - OVER];
  return [
    text(`grows ${H}`, "answer halo", word, GROWS, { ...more, size: ANSWER }),
    text(`times scores ${H}`, "large halo", [x, y - OVER], times, { ...more, size: STILL }),
  ];
}

/** The room in which an amount may grow. */
function veilMarks(name, box, act) {
  const pick = () => act.next();
  const ask = [box.x + box.w / 2, box.y + box.h / 2 + ASK * 0.36];
  return [
    rect(`veil ${name}`, "veil", box, { rx: 8, pick }),
    text(`ask ${name}`, "large halo", ask, "?", { size: ASK, pick }),
  ];
}

/** One block that is cut, and one table for each slice of it. */
function amounts(state, at, act) {
  const [H] = state.shape;
  const { foot, size, step, ratio, width, square, boxOfHead, sliceOf } = at;
  const heads = headsOf(state);
  const fromBehind = heads.map((_, i) => (state.head + H - 1 - i) % H);
  const [block, front] = [sliceOf(H - 1), boxOfHead(state.head)];
  const end = front.x + size;
  const last = foot - size - (H - 1) * DECK.drop;
  const count = whole(state.parameters);
  const tables = fillIn(H === 1 ? COUNTED.one : COUNTED.many, { heads: H });
  const named = { size: 28, ...LEFT_END };
  const come = { ...named, delay: H === 1 ? 0 : told(H) };
  const cut = Math.max(block.x + block.w, square.x + square.w);
  const grows = (x, to) => ({ x: x + step, w: to - x - step, y: foot - size, h: size });
  const most = Math.max(ratio, H);
  const room = [(cut + BLOCK.widest) / 2 + STILL, foot - (size - STILL) / 2]; // where "?" stood
  const beside = ratio > 1 ? [cut, block.y] : room;
  const numbers = [
    ratioMark("parameters", ratio, ratio === most, beside, state),
    ...(ratio > 1
      ? [ratioMark("scores", H, H === most, [end, last], state)]
      : onlyScores([width, foot - size], state)),
  ];
  const asks = [
    ...veilMarks("parameters", grows(cut, BLOCK.widest), act),
    ...veilMarks("scores", grows(end, width), act),
  ];
  const words = fillIn(COUNTED.parameters, { count });
  const [ofBlock, ofTables] = ratio === most ? ["answer-label", ""] : ["", "answer-label"];
  return [
    cutMark(state),
    ...fromBehind.flatMap((head) => slice(head, state, at, act)),
    ...(isUncut(state) ? [] : [rect("usual", "ghost", around(square), { rx: 3 })]),
    ...fromBehind.flatMap((head) => table(head, state, at, act)),
    text("count parameters", ofBlock, [0, foot + NAMED], words, named),
    text(`count scores ${H}`, ofTables, [DECK.x, foot + NAMED], tables, come),
    ...(isUncut(state) ? asks : numbers),
  ];
}

const LOOKS = {
  asked: "look alike",
  told: "{heads} heads, {words} words",
  one: "{heads} heads, 1 word",
  same: "yes",
  several: "no",
};
/** True if it was asked whether the heads look alike, and there is room for the answer. */
const isAboutLooks = ({ done, shape: [H] }) => done === LAST && H <= MOST_LOOKS;

/** The key that each head gives most, from the word that asks. */
function leadersOf(state) {
  return headsOf(state).map((head) => readHead(state, head, state.query, 0).leader);
}

/** From the row that asks in each map a line down to the word that its head looks at most. */
function looks(state, at) {
  const [, T, S] = state.shape;
  const places = chipPlaces(state.key_tokens, at);
  return leadersOf(state).map((leader, head) => {
    const { x, y, w, h } = at.boxOfHead(head);
    const start = [x + ((leader + 0.5) * w) / S, y + ((state.query + 1) * h) / T];
    const chip = places?.[leader];
    const middle = chip ? chip.x + chip.w / 2 : ((leader + 0.5) * at.width) / S;
    const delay = GLIDE + head * STAGGER;
    return thread(`look ${state.shape[0]}.${head}`, "look", start, [middle, at.words], { delay });
  });
}

/** Whether all heads look at one word. */
function toldOfLooks(state, act) {
  const { shape, key_tokens, veiled } = state;
  const words = new Set(leadersOf(state).map((leader) => key_tokens[leader])).size;
  const isSame = words === 1;
  const label = fillIn(isSame ? LOOKS.one : LOOKS.told, { heads: shape[0], words });
  const said = { words: isSame ? LOOKS.same : LOOKS.several, veiled };
  return answer({ ...said, label: veiled ? LOOKS.asked : label }, act);
}

/** How wide each word stands in the sentence, and in which size; null if they do not fit. */
function wordWidths(words, room) {
  for (const size of SIZES) {
    const widths = words.map((word) => widthOf(word, size, 650) + CHIP.pad);
    const free = room - widths.reduce((sum, width) => sum + width, 0);
    if (free >= 0) return { size, widths, gap: free / Math.max(1, words.length - 1) };
  }
  return null;
}

/** Where each word stands in the sentence, and the size of its letters; null if they do not fit. */
function chipPlaces(words, { width, words: y }) {
  const fitting = wordWidths(words, width);
  if (!fitting) return null;
  let x = 0;
  return fitting.widths.map((w) => {
    const place = { x, y, w, h: CHIP.h, size: fitting.size };
    x += w + fitting.gap;
    return place;
  });
}

/** How dark a word is: the largest weight that a head gives it. */
function chipWeight(state, i) {
  if (state.veiled) return 0;
  return Math.min(
    1,
    Math.max(...headsOf(state).map((head) => weightAt(state, head, state.query, i))),
  );
}

/** The row that asks: each word on the tint of its weight. */
function sentence(state, at, act) {
  const places = chipPlaces(state.key_tokens, at);
  if (!places) return strip(state, at, act);
  return places.flatMap(({ size, ...box }, i) => {
    const isLater = isMasked(state, state.query, i);
    const isAsking = i === state.query;
    const pick = () => act.change({ query: i });
    const kind = isAsking ? "through bold" : "through";
    const foot = [box.x + box.w / 2, box.y + CHIP.baseline];
    const [chip, letters] = isLater ? ["masked", "through faint halo"] : ["frame", kind];
    const look = isLater ? {} : { tint: chipWeight(state, i) };
    const marks = [
      rect(`chip ${i}`, chip, box, { rx: 8, pick, ...look }),
      text(`word ${i}`, letters, foot, state.key_tokens[i], { size, ...look }),
    ];
    return isAsking ? [...marks, rect("asks", "asking", box, { rx: 8 })] : marks;
  });
}

/** The same row for a text that is too long for words. */
function strip(state, at, act) {
  const S = state.shape[2];
  const part = at.width / S;
  const box = { x: 0, y: at.words, w: at.width, h: STRIP };
  const { version, limit, head, query } = state;
  const word = state.query_tokens[query];
  const half = widthOf(word) / 2;
  const middle = clamp((query + 0.5) * part, half, at.width - half);
  return [
    {
      id: "strip",
      columns: S,
      rows: 1,
      version: `${version} ${limit} ${head} ${query}`,
      draw: (context, style) => paintPixels(context, style, state, head, query, 1),
      pick: ([x]) => act.change({ query: clamp(Math.floor(x / part), 0, S - 1) }),
      ...box,
    },
    rect("strip edge", "line", box, { rx: 0 }),
    rect("asks", "query", { x: query * part, y: at.words + STRIP + 2, w: part, h: CHIP.bar }),
    text("asking", "query", [middle, at.height - 3], word),
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, asked) {
  const { width, height } = room;
  const act = { ...asked, change: (changes) => asked.change({ ...changes, pointed: true }) };
  const isAlone = state.solo >= 0 && !state.veiled;
  if (!isAboutLooks(state))
    return isAlone ? oneHead(state, room, act) : amounts(state, deckOf(state, room), act);
  const at = { ...geometry(state.shape[0], height), width };
  const seen = isAlone ? oneHead(state, { width: WIDE, height }, act) : sideBySide(state, at, act);
  const lines = isAlone || state.veiled ? [] : looks(state, at);
  return [...seen, ...lines, ...toldOfLooks(state, act)];
}

const HOW = {
  trained: "as trained",
  cut: "trained as {trained} heads, cut again",
  random: "random, not trained",
};
const SENTENCES = {
  alike: "Predict: from \u201c{asks}\u201d, do they look at the same word? Enter shows it.",
  asked: "Predict first, then Enter. ← → or 1–9: head, ↑ ↓: word that asks, z: zoom in.",
  grow: "Only the scores grow: {heads} tables instead of 1.",
  looks: "From “{asks}” each line leads to the word that its head looks at most.",
  row: "Head {head}: “{asks}” looks at “{leader}”, {most} ({how}).",
  cell: "Head {head}: “{asks}” gives “{asked}” {weight}; most goes to “{leader}”, {most}.",
  masked: "Head {head}: “{asks}” may not look at “{asked}”; most goes to “{leader}”, {most}.",
};

/** The answer as a sentence, until the reader points at something; or null. */
function answerOf(state) {
  const { done, pointed, shape, parameters, usual, query, query_tokens } = state;
  const [heads] = shape;
  if (pointed || done === 0 || heads === 1) return null;
  if (done < LAST) return parameters === usual ? fillIn(SENTENCES.grow, { heads }) : null;
  if (!isAboutLooks(state)) return null;
  return fillIn(SENTENCES.looks, { asks: isolate(query_tokens[query]) });
}

/** The sentence that says what to see. */
export function caption(state) {
  if (isUnasked(state)) return SENTENCES.asked;
  const { head, query, key, trained, shape, query_tokens, key_tokens } = state;
  if (state.veiled) return fillIn(SENTENCES.alike, { asks: isolate(query_tokens[query]) });
  const answered = answerOf(state);
  if (answered) return answered;
  const { weight, leader, most } = readHead(state, head, query, key);
  let how = trained === shape[0] ? "trained" : "cut";
  if (trained === 0) how = "random";
  let kind = isMasked(state, query, key) ? "masked" : "cell";
  if (state.solo < 0 || key === leader) kind = "row";
  return fillIn(SENTENCES[kind], {
    head: head + 1,
    asks: isolate(query_tokens[query]),
    asked: isolate(key_tokens[key]),
    leader: isolate(key_tokens[leader]),
    weight: digits(weight),
    most: digits(most),
    how: fillIn(HOW[how], { trained }),
  });
}

/** One head large, its largest weight pointed at; or all again. */
function zoom(state, head) {
  if (state.solo >= 0) return { solo: -1 };
  return { head, solo: head, key: readHead(state, head, state.query, state.key).leader };
}

/** Another head: the one that is large is always the chosen one. */
function headTo(state, head) {
  const next = clamp(head, 0, state.shape[0] - 1);
  return state.solo < 0 ? { head: next } : { head: next, solo: next };
}

/** What a key means: another head, another word that asks, one head large. */
export function keysOf(state, key, event) {
  const [H, T, S] = state.shape;
  const aside = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const down = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (aside && event?.shiftKey) return { key: clamp(state.key + aside, 0, S - 1) };
  if (aside) return headTo(state, state.head + aside);
  if (down) return { query: clamp(state.query + down, 0, T - 1) };
  if (key === "Home") return headTo(state, 0);
  if (key === "End") return headTo(state, H - 1);
  if (/^[1-9]$/.test(key) && key <= H) return headTo(state, key - 1);
  if (key.toLowerCase() === "z") return zoom(state, state.head);
  if (key === "Escape" && state.solo >= 0) return { solo: -1 };
  return null;
}

export default demo({
  ...MAPS,
  name: "heads",
  looks: {
    asking: drawn("query", 3),
    rest: filled("paper", { "fill-opacity": 0.7 }), // of a map, beside the row that asks
    slice: filled("surface", { stroke: "var(--axis)", "stroke-width": 1.5 }),
    way: drawn("axis", 2),
    "way.here": drawn("ink", 3),
    look: drawn("weight", 5, { "stroke-linecap": "round" }),
  },
  traits: [...MAPS.traits, "d_model", "d_k", "parameters", "usual", "trained", "moved", "done"],
  own: { pointed: false },
  keep: [...MAPS.keep, "pointed"],
  forget: { done: ["pointed"] },
  layout,
  caption,
  wait: waitFor,
  keys(state, key, event) {
    const changes = keysOf(state, key, event);
    return changes && { ...changes, pointed: true };
  },
});
