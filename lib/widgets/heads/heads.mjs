// The parameters are one block that is cut into slices, one for each head. Each slice makes a table
// of weights. Asked at how many words the heads look, each has one row: that of the word that
// asks, under the words that it may look at.
import { clamp, digits, fillIn, isolate, step } from "../frame/frame.mjs";
import { answer, isUnasked, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { BASELINE, LEFT_END, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import {
  canvasMap,
  isMasked,
  MAPS,
  maps,
  paintPixels,
  readHead,
  weightAt,
  weightScale,
} from "../attention_map/cells.mjs";
import { planOf } from "../attention_map/plan.mjs";

const WIDE = 940; // of a head alone: beside it is the answer
const SEEN = 0.005; // a smaller weight has no digits in a map alone, or the others were not seen
const NUMBERED = 34; // a slice is at least as wide when it has its number
const LAST = 2; // the step of the story that asks at how many words the heads look
const MOST_LOOKS = 8; // heads
// Rows of heads under their words, which stand below the answer; least: the width of a word.
const ROWS = { x: 112, words: 138, top: 190, most: 84, gap: 8, foot: 6, least: 80 };
const ASKS = 118; // the foot of what stands over them
// Cells of words that may not be looked at: hatched is what is predicted.
const LATER = { fill: "color-mix(in srgb, var(--line) 24%, var(--paper))" };
const LARGE = { h: 40, size: 28 }; // a row at least so high has larger digits
// Under the answer the block of parameters, and below it the tables, as large as there is room.
// top, block: where the block is and its height; under: from it to the tables; most: of them in a
// row; air, gap: from one to the next; name: from the last to the feet of what is said of them;
// foot: from there to the end of the room.
const TABLES = { top: 112, block: 40, under: 20, most: 8, air: 28, gap: 10, name: 34, foot: 6 };
const NUMBER = { aside: 8, y: 26 }; // of a table, from its upper right corner
const OVER = { count: 14, cut: 62 }; // from the block up to what is said of it
const ROOM = 480; // of what grows, in words
const COUNT = 28; // letters of what is counted
const ASKED = { gap: 14, above: 26, w: 96, h: 32 }; // after it the box of what is asked
const ASIDE = { x: 18, y: 34 }; // from one table alone to what its sides are
const CHIP = { h: 46, pad: 16, baseline: 33 };
const WHOLE = "for queries, keys, values and output";
const SIZES = [28, 24]; // letters of the sentence
const whole = (number) => Math.round(number).toLocaleString("en");
const headsOf = ({ shape: [H] }) => [...Array(H).keys()];

/** The block, the slice of it that each head has, and its table. */
export function placesOf(state, { width, height }) {
  const { top, block: h, under, most, air, gap, name, foot } = TABLES;
  const [H] = state.shape;
  const columns = Math.min(H, most);
  const rows = Math.ceil(H / columns);
  const pitch = width / columns;
  const named = H === 1 ? ASIDE.y : 0; // one alone has a name below it
  const [start, end] = [top + h + under, height - name - foot - named];
  const size = Math.min(pitch - air, (end - start + gap) / rows - gap);
  const first = (start + end - rows * (size + gap) + gap) / 2; // in the middle of what is free
  const ratio = state.parameters / state.usual;
  const block = { x: 0, y: top, w: width * Math.min(1, ratio), h };
  const usual = { ...block, w: width / Math.max(1, ratio) };
  const sliceOf = (head) => ({ ...block, x: (head * block.w) / H, w: block.w / H });
  const tableOf = (head) => {
    const [row, column] = [Math.floor(head / columns), head % columns];
    const x = column * pitch + (pitch - size) / 2;
    return { x, y: first + row * (size + gap), w: size, h: size };
  };
  return { block, usual, ratio, sliceOf, tableOf };
}

/** A slice with the number of its head; the whole block with what it is for. */
function slice(head, state, { sliceOf }, act) {
  const [H] = state.shape;
  const box = sliceOf(head);
  const id = `${H}.${head}`;
  const pick = () => act.change({ head });
  const marks = [rect(`slice ${id}`, "slice", box, { rx: 0, from: { o: 1 }, pick })];
  if (box.w < NUMBERED) return marks;
  const place = [box.x + box.w / 2, box.y + box.h / 2 + BASELINE];
  return [...marks, text(`number ${id}`, "", place, H === 1 ? WHOLE : `${head + 1}`)];
}

/** A head's table, with its number where no weights are. */
function table(head, state, { sliceOf, tableOf }, act) {
  const box = tableOf(head);
  const [H, T] = state.shape;
  const id = `${H}.${head}`;
  const queryAt = ([, y]) => clamp(Math.floor(((y - box.y) / box.h) * T), 0, T - 1);
  const hover = (point) => act.change({ head, query: queryAt(point) });
  const pick = () => act.change(zoom(state, head));
  const delay = head * STAGGER;
  const marks = [
    rect(`paper ${id}`, "line", box, { rx: 0 }),
    ...canvasMap(state, head, box, id),
    rect(`point ${id}`, "pick", box, { hover, pick }),
  ];
  const from = { ...sliceOf(head), o: 0 };
  const placed = marks.map((mark) => ({ ...mark, from, delay }));
  if (H === 1 || !isMasked(state, 0, T - 1)) return placed;
  const corner = [box.x + box.w - NUMBER.aside, box.y + NUMBER.y];
  const late = { delay: told(H), ...RIGHT_END };
  return [...placed, text(`name ${id}`, "faint", corner, `${head + 1}`, late)];
}

/** The head that the sentence is about: its slice, its table, the row of the word that asks. */
function chosen(state, { sliceOf, tableOf }) {
  if (!isAboutRow(state)) return [];
  const { shape, head, query } = state;
  const box = tableOf(head);
  const h = Math.max(4, box.h / shape[1]);
  const row = { ...box, y: box.y + ((query + 0.5) * box.h) / shape[1] - h / 2, h };
  return [
    rect("chosen slice", "focused", sliceOf(head), { rx: 0 }),
    rect("chosen map", "focused", box, { rx: 0 }),
    rect("row", "asking", row, { rx: 0 }),
  ];
}

const CUT = {
  one: "d_model = {d_model}, in one piece: d_k = {d_k}",
  many: "d_model = {d_model}, cut into {heads} slices of d_k = {d_k}",
  free: "{heads} \u00d7 d_k = {width} numbers, made of d_model = {d_model}",
};

/** How the block is cut, as a sentence. */
function cutMark({ d_model, d_k, shape: [heads] }, { block }) {
  const width = heads * d_k;
  const values = { d_model, d_k, heads, width };
  let kind = heads === 1 ? "one" : "many";
  if (width !== d_model) kind = "free";
  const foot = [0, block.y - OVER.cut];
  return text("cut", "", foot, fillIn(CUT[kind], values), { size: COUNT, ...LEFT_END });
}

/** The chosen head alone, with words and digits. */
function oneHead(state, { width, height }, act) {
  const what = { heads: 1, rows: state.query_tokens, columns: state.key_tokens, named: false };
  const plan = planOf(what, { width, height });
  const point = ([head, query, key]) => act.change({ head, query, key });
  const choose = () => act.change(zoom(state));
  const marks = maps({ ...state, veiled: false }, plan, width, { ...act, point, choose });
  const isEmpty = ({ kind, number }) => kind === "cell" && number < SEEN;
  return marks.map((mark) => (isEmpty(mark) ? { ...mark, format: () => "" } : mark));
}

/** Nothing has been cut yet: how much grows is asked. */
const isUncut = ({ shape: [H], d_k, d_model }) => H === 1 && d_k === d_model;

const TIMES = ", {ratio} \u00d7 as many";
const SAME = ", as before";
const GROWS = { parameters: "parameters", weights: "weights", both: "both", none: "neither" };
const COUNTED = {
  parameters: "{count} parameters",
  one: "1 table of {T} \u00d7 {T} weights",
  many: "{heads} tables of {T} \u00d7 {T} weights",
};

/** When the tables of so many heads have come. */
const told = (heads) => GLIDE + heads * STAGGER;

/** Milliseconds until the sentence may say what grew, if it is that answer. */
export function waitFor(state) {
  const [H] = state.shape;
  return answerOf(state) && state.done < LAST && state.before?.shape[0] !== H ? told(H) : 0;
}

/** After what is counted: how many times as much as for one head, or a box for it. */
function timesMarks(name, ratio, words, [x, y], state, act) {
  const times = fillIn(TIMES, { ratio: digits(ratio, Number.isInteger(ratio) ? 0 : 2) });
  const place = [x + widthOf(words, COUNT), y];
  if (isUncut(state)) {
    const box = { x: place[0] + ASKED.gap, y: y - ASKED.above, w: ASKED.w, h: ASKED.h };
    return veil(box, "\u2192 ?", act).map((mark) => ({ ...mark, id: `${mark.id} ${name}` }));
  }
  const [H] = state.shape;
  const look = { size: COUNT, delay: told(H), ...LEFT_END };
  return [text(`times ${name} ${H}`, "bold", place, ratio === 1 ? SAME : times, look)];
}

/** What has grown since all was one head. */
function grownOf(ratio, heads) {
  if (ratio > 1) return heads > 1 ? "both" : "parameters";
  return heads > 1 ? "weights" : "none";
}

/** What the sides of one table alone are. */
const sidesOf = ({ x, y, w, h }) => [
  text("axis query", "query", [x - ASIDE.x, y + h / 2 + BASELINE], "query (who asks)", RIGHT_END),
  text("axis key", "key", [x + w / 2, y + h + ASIDE.y], "key (who is asked)"),
];

/** One block that is cut, and one table for each slice of it. */
function amounts(state, at, { width, height }, act) {
  const [H, T] = state.shape;
  const { block, usual, ratio } = at;
  const heads = headsOf(state);
  const counted = fillIn(COUNTED.parameters, { count: whole(state.parameters) });
  const tables = fillIn(H === 1 ? COUNTED.one : COUNTED.many, { heads: H, T });
  const ofBlock = [0, block.y - OVER.count];
  const ofTables = [0, height - TABLES.foot];
  const named = { size: COUNT, ...LEFT_END };
  const words = GROWS[grownOf(ratio, H)];
  const [grown] = answer({ words, veiled: isUncut(state), after: told(H), room: ROOM }, act);
  return [
    cutMark(state, at),
    ...heads.flatMap((head) => slice(head, state, at, act)),
    ...(ratio === 1 ? [] : [rect("usual", "ghost", usual, { rx: 0 })]),
    ...heads.flatMap((head) => table(head, state, at, act)),
    ...(H === 1 ? sidesOf(at.tableOf(0)) : []),
    ...chosen(state, at),
    text("count parameters", "", ofBlock, counted, named),
    text(`count weights ${H}`, "answer-label", ofTables, tables, { ...named, delay: told(H) }),
    ...timesMarks("parameters", ratio, counted, ofBlock, state, act),
    ...timesMarks("weights", H, tables, ofTables, state, act),
    ...weightScale(state, [width, ofTables[1]])[0],
    grown,
  ];
}

const LOOKS = {
  asks: "\u201c{asks}\u201d looks at",
  head: "head {head}",
  one: "word",
  several: "different words",
  leader: "{word} {weight}",
  later: "later",
};
/** True if it was asked at how many words they look, and there is room for the answer. */
const isAboutLooks = ({ done, shape: [H] }) => done === LAST && H <= MOST_LOOKS;

/** The key that each head gives most, from the word that asks. */
function leadersOf(state) {
  return headsOf(state).map((head) => readHead(state, head, state.query, 0).leader);
}

/** At how many words the heads look. */
function toldOfLooks(state, act) {
  const { key_tokens, veiled } = state;
  const number = new Set(leadersOf(state).map((leader) => key_tokens[leader])).size;
  const label = number === 1 && !veiled ? LOOKS.one : LOOKS.several;
  return answer({ number, format: whole, label, veiled }, act);
}

/** How wide each word's column is, and in which size of letters; null if they do not fit. */
function columnWidths(words, room) {
  for (const size of SIZES) {
    const widths = words.map((word) => Math.max(ROWS.least, widthOf(word, size, 650) + CHIP.pad));
    const free = room - widths.reduce((sum, width) => sum + width, 0);
    if (free >= 0) return { size, widths, gap: free / Math.max(1, words.length - 1) };
  }
  return null;
}

/** Where the words stand, and the row of each head; for a text that is too long, no words. */
export function rowPlaces({ key_tokens, shape: [H] }, { width, height }) {
  const fitting = columnWidths(key_tokens, width - ROWS.x);
  let x = ROWS.x;
  const columns = fitting?.widths.map((w) => {
    const column = { x, w };
    x += w + fitting.gap;
    return column;
  });
  const pitch = Math.min(ROWS.most, (height - ROWS.foot - ROWS.top + ROWS.gap) / H);
  const rowOf = (head) => ({
    ...{ x: ROWS.x, w: width - ROWS.x },
    ...{ y: ROWS.top + head * pitch, h: pitch - ROWS.gap },
  });
  return { columns, size: fitting?.size, rowOf };
}

/** The words that may be looked at: a click lets one ask. */
function wordMarks(state, { columns, size }, act) {
  const most = state.veiled ? [] : leadersOf(state);
  return columns.flatMap((column, i) => {
    const isAsking = i === state.query;
    const box = { ...column, y: ROWS.words, h: CHIP.h };
    const pick = () => act.change({ query: i });
    const isBold = isAsking || most.includes(i);
    const kind = isMasked(state, state.query, i) ? "faint" : `${isBold ? "bold" : ""} key`;
    const foot = [box.x + box.w / 2, box.y + CHIP.baseline];
    const marks = [
      text(`word ${i}`, isAsking ? "bold query" : kind, foot, state.key_tokens[i], { size }),
      rect(`pick ${i}`, "pick", box, { pick }),
    ];
    return isAsking ? [...marks, rect("asks", "asking", box, { rx: 8 })] : marks;
  });
}

/** What a head gives each word; the one that it looks at most is framed and has its weight. */
function cellsOf(state, head, leader, { columns }, row) {
  const [H] = state.shape;
  const size = row.h < LARGE.h ? SIZES.at(-1) : LARGE.size;
  const late = { delay: GLIDE / 2 + 2 * head * STAGGER };
  const cells = columns.map((column, i) => {
    const weight = weightAt(state, head, state.query, i);
    const isHidden = isMasked(state, state.query, i);
    const isNamed = isHidden && head === 0 && i === columns.length - 1; // once is enough
    const format = i === leader ? digits : () => (isNamed ? LOOKS.later : "");
    const cell = { kind: "cell", class: "cell", number: weight, format, size, ...late };
    const look = isHidden ? { fill: LATER.fill, ink: "" } : { tint: weight, ink: "bold" };
    return { id: `look ${H}.${head}.${i}`, ...cell, ...look, ...row, ...column };
  });
  const most = rect(`most ${H}.${head}`, "focused", { ...row, ...columns[leader] }, late);
  return [...cells, most];
}

/** The same of a text that is too long for words: they stand on their weight. */
function stripOf(state, head, leader, row) {
  const [H, , S] = state.shape;
  const { version, limit, query, key_tokens } = state;
  const weight = digits(weightAt(state, head, query, leader));
  const said = fillIn(LOOKS.leader, { word: key_tokens[leader], weight });
  const half = widthOf(said, SIZES.at(-1), 650) / 2;
  const middle = row.x + ((leader + 0.5) * row.w) / S;
  const foot = [clamp(middle, row.x + half, row.x + row.w - half), row.y + row.h / 2 + BASELINE];
  const strip = {
    ...{ id: `strip ${H}.${head}`, columns: S, rows: 1, ...row },
    version: `${version} ${limit} ${head} ${query}`,
    draw: (context, style) => paintPixels(context, style, state, head, query, 1),
  };
  return [
    strip,
    rect(`edge ${H}.${head}`, "line", row, { rx: 0 }),
    text(`leader ${H}.${head}`, "bold halo", foot, said),
  ];
}

/** Each head's row of the word that asks, one below the other. */
function headRows(state, room, act) {
  const { shape, query_tokens, query, veiled, pointed, head: here } = state;
  const at = rowPlaces(state, room);
  const asks = fillIn(LOOKS.asks, { asks: query_tokens[query] });
  const marks = leadersOf(state).flatMap((leader, head) => {
    const row = at.rowOf(head);
    const kind = pointed && head === here ? "bold" : "";
    const foot = [0, row.y + row.h / 2 + BASELINE];
    const name = fillIn(LOOKS.head, { head: head + 1 });
    const named = text(`head ${shape[0]}.${head}`, kind, foot, name, LEFT_END);
    const id = `${shape[0]}.${head}`;
    if (veiled) return [named, rect(`veil ${id}`, "veil", row, { rx: 4, pick: () => act.next() })];
    const looks = at.columns
      ? cellsOf(state, head, leader, at, row)
      : stripOf(state, head, leader, row);
    const touched = {
      hover: () => act.change({ head }),
      pick: () => act.change(zoom(state, head)),
    };
    return [named, ...looks, rect(`point ${id}`, "pick", row, touched)];
  });
  return [
    text("asking", "query", [0, ASKS], asks, LEFT_END),
    ...(at.columns ? wordMarks(state, at, act) : []),
    ...marks,
  ];
}

/** The marks of a state in a room. */
export function layout(state, room, asked) {
  const { height } = room;
  const act = { ...asked, change: (changes) => asked.change({ ...changes, pointed: true }) };
  const isAlone = state.solo >= 0 && !state.veiled;
  if (!isAboutLooks(state))
    return isAlone ? oneHead(state, room, act) : amounts(state, placesOf(state, room), room, act);
  const seen = isAlone ? oneHead(state, { width: WIDE, height }, act) : headRows(state, room, act);
  return [...seen, ...toldOfLooks(state, act)];
}

const HOW = {
  trained: "as trained",
  cut: "trained as {trained} heads, cut again",
  random: "random, not trained",
};
const SENTENCES = {
  favourites: "Predict: each head looks most at one word. Do {heads} heads choose the same?",
  asked: "Predict: parameters, weights, or both? Enter cuts the block into 16.",
  grow: "Each slice makes a table of its own; the parameters are only cut.",
  looks: "Each row is a head; framed is the word that “{asks}” looks at most.",
  row: "Head {head}: “{asks}” looks at “{leader}”, {most} ({how}).",
  cell: "Head {head}: “{asks}” gives “{asked}” {weight}; most goes to “{leader}”, {most}.",
  masked: "Head {head}: “{asks}” may not look at “{asked}”; most goes to “{leader}”, {most}.",
};

/** The answer as a sentence, until the reader points at something; or null. */
function answerOf(state) {
  const { done, pointed, shape, parameters, usual, query, query_tokens } = state;
  const [heads] = shape;
  if (pointed || done === 0 || heads === 1) return null;
  if (done < LAST) return parameters === usual ? SENTENCES.grow : null;
  if (!isAboutLooks(state)) return null;
  return fillIn(SENTENCES.looks, { asks: isolate(query_tokens[query]) });
}

/** Whether it is told what the word that asks looks at. */
const isAboutRow = (state) => !isUnasked(state) && answerOf(state) === null;

/** The sentence that says what to see. */
export function caption(state) {
  if (isUnasked(state)) return SENTENCES.asked;
  const { head, query, key, trained, shape, query_tokens, key_tokens } = state;
  if (state.veiled) return fillIn(SENTENCES.favourites, { heads: shape[0] });
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
const headTo = (state, head) => (state.solo < 0 ? { head } : { head, solo: head });

/** Another head or word that asks: the words stand side by side over rows of heads, else not. */
function stepTo(state, key) {
  const { head, query, shape } = state;
  const [H, T] = shape;
  if (isAboutLooks(state) && state.solo < 0) {
    const next = step(key, [head, query], H, T);
    return next && { head: next[0], query: next[1] };
  }
  const next = step(key, [query, head], T, H);
  return next && { query: next[0], ...headTo(state, next[1]) };
}

/** What a key means: another head, another word that asks, one head large. */
export function keysOf(state, key, event) {
  if (state.veiled) return null;
  const [H, , S] = state.shape;
  const aside = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (aside && event?.shiftKey) return { key: clamp(state.key + aside, 0, S - 1) };
  const next = stepTo(state, key);
  if (next) return next;
  if (/^[1-9]$/.test(key) && key <= H) return headTo(state, key - 1);
  if (key === "z") return zoom(state, state.head);
  if (key === "Escape" && state.solo >= 0) return { solo: -1 };
  return null;
}

export default demo({
  ...MAPS,
  name: "heads",
  looks: {
    masked: LATER,
    asking: drawn("query", 3),
    slice: filled("surface", { stroke: "var(--axis)", "stroke-width": 1.5 }),
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
