// d_model is cut into slices, one for each head; each looks in its own way, and what they found is
// put side by side again. At the right what that costs.
import { clamp, digits, fillIn, isolate } from "../frame/frame.mjs";
import { answer, breakLines, isUnasked, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { BASELINE, LEFT_END, line, rect, text, thread } from "../frame/shapes.mjs";
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
const WIDTH = 804; // of the slices and the maps
const WIDE = 940; // of them where the answer at the right is one word
const CUT_FOOT = 26; // of the sentence above the slices
const BAR = { y: 40, h: 32 }; // of the slices
const FOOT = 8; // from the foot of a bar up to that of its letters
const THREAD = 20; // from a slice to its map
const BELOW = { merged: 98, words: 56 }; // from the floor up to the merged bar and the sentence
const ONE_ROW = 8; // maps at most that stand in one row
const BETWEEN = 14; // two rows of maps, and the widest gap between two slices
const ALL_GAPS = 90; // is the most that all gaps have together
const SEEN = 0.005; // a smaller weight has no digits in a map alone
const NUMBERED = 34; // a slice is at least as wide when it has its number
const LAST = 2; // the step of the story that asks whether heads look alike
const MOST_LOOKS = 8; // heads
const FALL = 100; // at least, from the maps to the words that their heads look at
// Of what it costs; beyond: the line below them; top: the room of the answer.
const COLUMNS = { x: 852, w: 148, apart: 192, beyond: 10, top: 86, below: 122 };
const OVER = 14; // from a column up to its number
const ANSWER = 88; // letters: how many times as high what grows most is
const STILL = 40; // and the other
const HEAVY = 650;
const ASK = 104;
const CHIP = { h: 46, pad: 16, baseline: 33, bar: 5 };
const SIZES = [28, 24]; // letters of the sentence
const STRIP = 24; // the height of the sentence's row where there is no room for words
const BESIDE = { gap: 24, line: 32 }; // the words beside a map, where there is room

const whole = (number) => Math.round(number).toLocaleString("en");

/** Where slices and maps of so many heads stand in a room of this height; isLooks: with answers. */
export function geometry(heads, height, isLooks = false) {
  const wide = isLooks ? WIDE : WIDTH;
  const gap = heads === 1 ? 0 : Math.min(BETWEEN, ALL_GAPS / heads);
  const slice = (wide - gap * (heads - 1)) / heads;
  const rows = heads > ONE_ROW ? 2 : 1;
  const merged = height - BELOW.merged;
  const words = height - BELOW.words;
  const top = BAR.y + BAR.h + THREAD;
  const isJoined = !isLooks && rows === 1; // 16 lines to the results would be all that is seen
  const foot = isJoined ? merged - THREAD : words - (isLooks ? FALL : THREAD);
  const room = foot - top;
  const across = slice * rows + gap * (rows - 1); // of the slices above each other's maps
  const size = Math.min(across, (room - BETWEEN * (rows - 1)) / rows);
  const high = size * rows + BETWEEN * (rows - 1);
  const start = (head) => head * (slice + gap);
  const boxOfHead = (head) => {
    const first = head - (head % rows);
    const y = top + (room - high) / 2 + (head % rows) * (size + BETWEEN);
    return { x: start(first) + across / 2 - size / 2, y, w: size, h: size };
  };
  return { heads, wide, slice, start, merged, boxOfHead, words, height, isLooks, isJoined };
}

/** Where a slice lies in the uncut bar. */
const uncut = (head, { heads, wide }) => ({ x: (head * wide) / heads, w: wide / heads });

/** True for the head that all is about; where the reader compares them, none before one points. */
const isChosen = (head, { head: here, pointed }, { isLooks }) =>
  head === here && (pointed || !isLooks);

/** A line from a slice down to its map, and one on to where its head's result lies. */
function threads(head, state, at) {
  if (at.heads > ONE_ROW) return [];
  const { y, h } = at.boxOfHead(head);
  const part = uncut(head, at);
  const x = at.start(head) + at.slice / 2;
  const kind = isChosen(head, state, at) ? "way here" : "way";
  const id = `${at.heads}.${head}`;
  const into = line(`in ${id}`, kind, [x, BAR.y + BAR.h], [x, y]);
  if (!at.isJoined) return [into];
  return [into, line(`out ${id}`, kind, [x, y + h], [part.x + part.w / 2, at.merged])];
}

/** What a map is, in words, beside a map that has room there. */
function beside(at) {
  const { x, y, w, h } = at.boxOfHead(0);
  const start = x + w + BESIDE.gap;
  const lines = breakLines(ONE_MAP, WIDTH - start);
  if (at.heads > 1 || lines.length * BESIDE.line > h) return [];
  const top = y + h / 2 - ((lines.length - 1) * BESIDE.line) / 2 + BASELINE;
  return lines.map((words, i) =>
    text(`beside ${i}`, "faint", [start, top + i * BESIDE.line], words, LEFT_END),
  );
}

/** A slice is cut out where it lies: only the gaps open. */
function slice(head, state, at, act) {
  const { heads } = at;
  const isHere = isChosen(head, state, at);
  const place = uncut(head, at);
  const box = { x: at.start(head), y: BAR.y, w: at.slice, h: BAR.h };
  const pick = () => act.change({ head });
  const from = { ...place, o: 1 };
  const merged = at.isJoined ? [{ y: at.merged, h: BAR.h, ...place }] : [];
  const marks = [
    rect(`slice ${heads}.${head}`, "slice", box, { rx: 3, from, pick }),
    ...merged.map((result) =>
      rect(`merged ${heads}.${head}`, "slice", result, { rx: 0, from: { o: 1 } }),
    ),
    ...numbers(head, state, at, [box, ...merged]),
  ];
  if (isHere && heads > 1) marks.push(rect("chosen slice", "focused", box, { rx: 3 }));
  return marks;
}

/** The number of a head in its slice, and where its result lies. */
function numbers(head, state, at, boxes) {
  const { heads, slice: wide } = at;
  if (wide < NUMBERED || heads === 1) return [];
  const kind = isChosen(head, state, at) ? "bold through" : "through";
  return boxes.map(({ x, y, w, h }, i) =>
    text(`number ${heads}.${head}.${i}`, kind, [x + w / 2, y + h - FOOT], `${head + 1}`),
  );
}

function smallMap(head, state, at, act) {
  const box = at.boxOfHead(head);
  const isHere = isChosen(head, state, at);
  const T = state.shape[1];
  const queryAt = ([, y]) => clamp(Math.floor(((y - box.y) / box.h) * T), 0, T - 1);
  const id = `${at.heads}.${head}`;
  if (state.veiled) return [rect(`veil ${id}`, "veil", box, { rx: 4, pick: () => act.next() })];
  const marks = [rect(`paper ${id}`, "frame", box, { rx: 0 }), ...canvasMap(state, head, box, id)];
  if (isHere) marks.push(rect("chosen map", "focused", box, { rx: 2 }));
  if (isHere || at.isLooks) {
    const h = Math.max(4, box.h / T);
    const middle = box.y + ((state.query + 0.5) * box.h) / T;
    const row = { x: box.x, w: box.w, y: middle - h / 2, h };
    marks.push(rect(`row ${id}`, "asking", row, { rx: 0 }));
  }
  const hover = (point) => act.change({ head, query: queryAt(point) });
  const pick = () => act.change(zoom(state, head));
  return [...marks, rect(`point ${id}`, "pick", box, { hover, pick })];
}

const CUT = {
  one: "d_model = {d_model} numbers, in one piece: d_k = {d_k}",
  many: "d_model = {d_model} numbers, cut into {heads} slices of d_k = {d_k}",
  free: "{heads} × d_k = {heads} × {d_k} = {width} numbers, made of d_model = {d_model}",
};

const ONE_MAP = "Its queries and keys make one map: who looks at whom.";

/** How the bar is cut, as a sentence. */
function cutMark(state, at) {
  const { d_model, d_k } = state;
  const { heads } = at;
  const width = heads * d_k;
  const values = { d_model, d_k, heads, width };
  let kind = heads === 1 ? "one" : "many";
  if (width !== d_model) kind = "free";
  return text("cut", "", [0, CUT_FOOT], fillIn(CUT[kind], values), LEFT_END);
}

/** All heads with their slices. */
function overview(state, at, act) {
  const heads = [...Array(at.heads).keys()];
  return [
    ...heads.flatMap((head) => threads(head, state, at)),
    ...heads.flatMap((head) => slice(head, state, at, act)),
    ...heads.flatMap((head) => smallMap(head, state, at, act)),
    cutMark(state, at),
    ...beside(at),
    ...sentence(state, at, act),
  ];
}

/** The chosen head alone, with words and digits. */
function oneHead(state, height, act) {
  const what = { heads: 1, rows: state.query_tokens, columns: state.key_tokens, named: false };
  const plan = planOf(what, { width: WIDTH, height });
  const point = ([head, query, key]) => act.change({ head, query, key });
  const choose = () => act.change(zoom(state));
  const marks = maps({ ...state, veiled: false }, plan, WIDTH, { ...act, point, choose });
  return marks.map((mark) => (mark.kind === "cell" && mark.number < SEEN ? emptied(mark) : mark));
}

/** A cell without its digits: among many .00 the others would not be seen. */
const emptied = (cell) => ({ ...cell, format: () => "" });

/** Nothing has been cut yet: how much grows is asked. */
const isUncut = ({ shape: [H], d_k, d_model }) => H === 1 && d_k === d_model;

/** The parameters as one bar that is cut, and the scores as one block for each map. */
function stacks({ heads, boxOfHead }, [parameters, scores], unit) {
  const wide = COLUMNS.w / heads;
  return [...Array(heads).keys()].flatMap((head) => {
    const { y, h, x } = parameters;
    const part = { x: x + head * wide, y, w: wide, h };
    const block = { x: scores.x, y: scores.foot - (head + 1) * unit, w: COLUMNS.w, h: unit };
    const sent = { from: { ...boxOfHead(head), o: 0 }, delay: head * STAGGER };
    return [
      rect(`part ${heads}.${head}`, "block", part, { rx: 0, from: { o: 1 } }),
      rect(`block ${head}`, "block", block, { rx: 0, ...sent }),
    ];
  });
}

const LOOKS = {
  asked: "one word or several?",
  told: "{heads} heads, {words} words",
  one: "{heads} heads, 1 word",
  same: "yes",
  several: "no",
};
const TIMES = "\u00d7 {ratio}";
const TABLES = { one: "1 table", many: "{heads} tables" };

/** When the blocks of so many heads have come. */
const told = (heads) => GLIDE + heads * STAGGER;

/** How many times as high as for one head: what grows most is the answer. */
function ratioMark({ name, ratio, isMost, middle, y }, heads) {
  const words = fillIn(TIMES, { ratio: digits(ratio, Number.isInteger(ratio) ? 0 : 2) });
  const full = isMost ? ANSWER : STILL;
  const size = Math.min(full, (full * COLUMNS.apart) / widthOf(words, full, HEAVY));
  const kind = isMost ? "answer halo" : "large halo faint";
  const more = { size, delay: told(heads) };
  return text(`times ${name} ${heads}`, kind, [middle, y - OVER], words, more);
}

const countMark = ({ name, middle, counted }, y, heads) =>
  text(`count ${name} ${counted}`, "faint", [middle, y], counted, { delay: told(heads) });

/** What it costs, both columns as many times as high as for one head. */
function cost(state, at, act) {
  const { before, parameters, usual, shape } = state;
  const [H] = shape;
  const base = at.height - COLUMNS.below;
  const tall = base - COLUMNS.top;
  const ratios = [parameters / usual, H];
  const unit = tall / Math.max(MOST_HEADS, ...ratios);
  const amounts = ["parameters", "scores"].map((name, place) => {
    const x = COLUMNS.x + place * COLUMNS.apart;
    const h = ratios[place] * unit;
    const isMost = ratios[place] === Math.max(...ratios);
    const tables = fillIn(H === 1 ? TABLES.one : TABLES.many, { heads: H });
    const counted = place ? tables : whole(parameters);
    const middle = x + COLUMNS.w / 2;
    return { name, x, middle, h, y: base - h, foot: base, ratio: ratios[place], isMost, counted };
  });
  const left = COLUMNS.x - COLUMNS.beyond;
  const was = before && before.shape[0] < H ? [before.shape[0] * unit] : [];
  const ghosts = was.map((h) => {
    const box = { x: amounts[1].x - 6, w: COLUMNS.w + 12, y: base - h, h };
    return rect("was scores", "ghost", box, { rx: 2, glide: 1 });
  });
  return [
    ...stacks(at, amounts, unit),
    ...ghosts,
    rect("base", "ink", { x: left, y: base, w: state.width - left, h: 2 }),
    ...amounts.flatMap((amount) => [
      text(`name ${amount.name}`, "", [amount.middle, base + 30], amount.name, { size: 28 }),
      countMark(amount, base + 58, H),
      ...(isUncut(state) ? veilMarks(amount, tall, act) : [ratioMark(amount, H)]),
    ]),
  ];
}

/** True if it was asked whether the heads look alike, and there is room for the answer. */
const isAboutLooks = ({ done, shape: [H] }) => done === LAST && H <= MOST_LOOKS;

/** The key that each head gives most, from the word that asks. */
function leadersOf(state) {
  const heads = [...Array(state.shape[0]).keys()];
  return heads.map((head) => readHead(state, head, state.query, 0).leader);
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
    return thread(`look ${at.heads}.${head}`, "look", start, [middle, at.words], { delay });
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

/** The room in which an amount may grow. */
function veilMarks({ name, x, middle, y, h }, tall, act) {
  const pick = () => act.next();
  const box = { x, y: y + h - tall, w: COLUMNS.w, h: tall - h };
  const ask = [middle, box.y + box.h / 2 + ASK * 0.36];
  return [
    rect(`veil ${name}`, "veil", box, { rx: 8, pick }),
    text(`ask ${name}`, "large halo", ask, "?", { size: ASK, pick }),
  ];
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

/** How dark a word is: the chosen head's weight, or the largest of all heads. */
function chipWeight(state, i, { heads, isLooks }) {
  if (state.veiled) return 0;
  const seen = isLooks ? [...Array(heads).keys()] : [state.head];
  return Math.min(1, Math.max(...seen.map((head) => weightAt(state, head, state.query, i))));
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
    const look = isLater ? {} : { tint: chipWeight(state, i, at) };
    const marks = [
      rect(`chip ${i}`, chip, box, { rx: 8, pick, ...look }),
      text(`word ${i}`, letters, foot, state.key_tokens[i], { size, ...look }),
    ];
    if (!isAsking) return marks;
    const under = { ...box, y: box.y + CHIP.h + 4, h: CHIP.bar };
    return [...marks, rect("asks", "query", under)];
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
export function layout(state, { width, height }, asked) {
  const isAlone = state.solo >= 0;
  const isLooks = isAboutLooks(state);
  const at = { ...geometry(state.shape[0], height, isLooks && !isAlone), width };
  const act = { ...asked, change: (changes) => asked.change({ ...changes, pointed: true }) };
  const seen = isAlone ? oneHead(state, height, act) : overview(state, at, act);
  if (!isLooks) return [...seen, ...cost({ ...state, width }, at, act)];
  const lines = isAlone || state.veiled ? [] : looks(state, at);
  return [...seen, ...lines, ...toldOfLooks(state, act)];
}

const HOW = {
  trained: "as trained",
  cut: "trained as {trained} heads, cut again",
  random: "random, not trained",
};
const SENTENCES = {
  alike: "Predict: does \u201c{asks}\u201d look at one word or at several? Enter shows it.",
  asked: "Predict first, then Enter. ← → or 1–9: head, ↑ ↓: word that asks, z: large.",
  grow: "Only the scores grow: {heads} tables instead of 1.",
  looks: "Outlined: the row of “{asks}”. A line leads to the word that its head looks at most.",
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
    slice: filled("surface", { stroke: "var(--axis)", "stroke-width": 1.5 }),
    block: filled("score", { stroke: "var(--paper)", "stroke-width": 1.5 }),
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
  keys(state, key, event) {
    const changes = keysOf(state, key, event);
    return changes && { ...changes, pointed: true };
  },
});
