// A chat model's answer: a column for each token, as high as its share was. A token of it that is
// clicked shows what could have come instead; then one before it, which head looks most at that.
import { along, clamp, digits, fillIn, numbers, step } from "../frame/frame.mjs";
import { interrupt } from "../frame/interrupt.mjs";
import { answer, fit, STAGE, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { LABEL } from "../frame/marks.mjs";
import { GLIDE } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const FULL = 255; // a weight of 1
const PALE = 0.02; // on a darker ground faint letters would be lost
const LETTERS = 36; // of the conversation
const PITCH = 52; // from line to line
const LINE = 43; // how high what is behind a token is
const LINES = 3; // of the conversation, over what is drawn
const FOOT = 33; // from its top to the foot of the letters
const ROOM = 900; // beside the answer
const TAG = { padding: 10, y: 7, h: 34 }; // behind who speaks
const SPACE = 10; // where a token begins with a space
const PADDING = 4; // of a token in its box
const LONGEST = 300; // pixels of a token
const NEW_LINE = "\u21b5";
const SPACE_SIGN = "\u2423";
const WHOLE = -1; // no token of the answer is chosen
const NOWHERE = -1; // no token before it is looked at
const END = ["<|im_end|>", "end"]; // the token, and what is shown of it

const CELL = { w: 37, h: 24 }; // of the grid, a column for each layer
const LEFT = 96; // of the grid
const ROWS = 6; // five tokens that could have come, and all the others
const LEAST_REST = 0.005; // of all others together, to be told
const BELOW = 34; // from the grid to the floor
const TITLE = 16; // from the grid up to the foot of its title
const NUMBER = 27; // from the grid down to the feet of the layers
const BESIDE = 10; // from the grid to the heads
const ROW_FOOT = 20; // from the top of a row to the foot of its head

// The columns: from one to the next, the widest, from a token to its column, and what is said.
const COLUMN = { apart: 8, widestPitch: 144, widest: 112, thinnest: 2, ofPitch: 0.8 };
const HEIGHTS = { top: 140, under: 60, above: 8, below: 26, foot: 12 };
const ROOMY = 52; // a column that has letters in it
const SURE = 0.7; // the tint of the columns, which on a dark ground must be seen
const LEAST = 52; // the size of its share
const BOLD = 650;
const LED = 2 * GLIDE; // milliseconds until it is seen how far a token was ahead
const GROW = { each: 170, all: 1600 }; // milliseconds from column to column, and until the last

// What could have come.
const LIST = { bar: 190, right: 1096, end: 1216, apart: 12 }; // apart: all the others
const SIZE = 30;
const HIGH = 0.8; // of its row is a bar
const LIST_FOOT = 0.37; // from the middle of its row to the foot of the letters, in their size

const HEADLINES = [
  "The head that looks most at \u201c{place}\u201d",
  "What this head gives to \u201c{place}\u201d",
];
const SENTENCES = {
  whole: "Click a token: what could have come instead?",
  came: "\u201c{word}\u201d had {share}, \u201c{other}\u201d {had}.",
  veiled: "Predict: of which token was it least sure? Enter shows the share of each.",
  looks: "Layer {layer}, head {head} gave \u201c{place}\u201d {weight}.",
  most: "Of {count} heads layer {layer}, head {head} gave \u201c{place}\u201d most: {weight}.",
  title: "what every head gives to \u201c{place}\u201d",
  layer: "layer",
  head: "head {number}",
  shares: "each token\u2019s share when it came",
  through: "layer {layer}, head {head}",
  list: "tokens that could have come",
  spaced: "tokens that could have come (\u2423 is a space)",
  least: "least sure",
  ahead: "ahead of the runner-up",
  rest: "all others",
  instead: "Predict the lead. Enter shows it, and what else could have come.",
  close: "far ahead, or nearly a tie?",
};

/** A token as it is written on the screen. */
export function shown(word) {
  if (word === END[0]) return END[1];
  return word.replaceAll("\n", NEW_LINE).trim() || NEW_LINE;
}

/** The same with a sign for the space it begins with: "Paris" is a token with it and without. */
export const spaced = (word) => (/^ \S/.test(word) ? SPACE_SIGN : "") + shown(word);

/** True while the whole answer is seen, and no token of it was chosen. */
const isWhole = ({ seen }) => seen < 0;

/** What the chosen token could look at: all before it. */
export const placesOf = ({ places, words, seen }) => [...places, ...words.slice(0, seen)];

/** The token of the answer that it was least sure of. */
function leastOf({ shares }) {
  const all = shares.map(({ share }) => share);
  return all.indexOf(Math.min(...all));
}

/** What a head gives to a place, 0 to 1. */
export function weightOf(state, layer, head, place) {
  const count = placesOf(state).length;
  return state.looks[(layer * state.heads + head) * count + place] / FULL;
}

/** The head that is looked through: the chosen one, or the first that gives the place most. */
function headOf(state) {
  if (state.layer >= 0) return { layer: state.layer, head: state.head };
  const given = weightsOf(state, aimOf(state));
  const most = given.indexOf(Math.max(...given));
  return { layer: Math.floor(most / state.heads), head: most % state.heads };
}

/** What each head gives to a place, layer by layer. */
const weightsOf = (state, place) =>
  Array.from({ length: layersOf(state) * state.heads }, (_, i) =>
    weightOf(state, Math.floor(i / state.heads), i % state.heads, place),
  );

/** True while the heads are looked at: the answer alone needs none of them. */
const isLooking = (state) => !isWhole(state) && state.looked >= 0;

/** The place that the grid is about. */
const aimOf = ({ looked, aim }) => (looked < 0 ? aim : looked);

const layersOf = (state) => state.looks.length / state.heads / placesOf(state).length;

/** Where tokens go, {line, x, w} each; the answer, from `first` on, begins a line. */
export function wrap(words, first, room, isTag = () => false) {
  let line = 0;
  let next = 0;
  return words.map((word, i) => {
    const [size, air] = isTag(i) ? [LABEL, TAG.padding] : [LETTERS, PADDING];
    const w = Math.min(LONGEST, widthOf(shown(word), size) + 2 * air);
    let x = next + (/^\s/.test(word) || (i > 0 && (isTag(i - 1) || isTag(i))) ? SPACE : 0);
    if (i === first || x + w > room) {
      line += 1;
      x = 0;
    }
    next = x + w;
    return { line, x, w };
  });
}

/** What a click on a token does: the heads look at it, or what could have come in its place. */
function pickOf(state, place, act) {
  if (state.veiled) return () => act.next();
  const number = place - state.places.length;
  if (isWhole(state)) return number < 0 ? undefined : chooses(number, act);
  if (number >= state.seen) return chooses(number === state.seen ? WHOLE : number, act);
  return () => act.change({ looked: state.looked === place ? NOWHERE : place });
}

const choice = (number) => ({ chosen: number, looked: NOWHERE });
const chooses = (number, act) => () => act.change(choice(number));

/** A token of the conversation; behind it the weight that the chosen head gave it. */
function tokenMarks(state, token, place, line, act) {
  const number = place - state.places.length;
  const isTag = isOf(state, place);
  const isOne = isWhole(state) ? !state.veiled && number === state.least : number === state.seen;
  const isLater = !isWhole(state) && number > state.seen;
  const isBefore = isLooking(state) && number < state.seen;
  const { layer, head } = state.through;
  const given = isBefore ? { tint: weightOf(state, layer, head, place) } : {};
  const plain = isTag ? "spread pick" : "behind pick";
  const [id, kind] = isOne ? ["here", "changed"] : ["behind", plain];
  const box = isTag ? { ...line, y: line.y + TAG.y, h: TAG.h } : line;
  const behind = rect(`${id} ${place}`, kind, box, {
    ...{ rx: 4, pick: pickOf(state, place, act), ...given },
    ...(isOne && isWhole(state) ? { delay: areGrown(state) } : {}),
  });
  const isInked = given.tint >= PALE;
  const size = isTag ? LABEL : LETTERS;
  const quiet = (isTag || isLater) && !isInked ? "faint" : "";
  const words = fit(shown(token), box.w, size);
  const letters = { size, ...(isInked ? given : {}) };
  return [
    behind,
    text(
      `token ${place}`,
      isOne ? "marked" : quiet,
      [box.x + box.w / 2, line.y + FOOT],
      words,
      letters,
    ),
  ];
}

/** Where the answer begins as one row of columns, and from one to the next; null: it needs more. */
function rowOf(state, room) {
  const speakers = state.places.slice(answersAt(state));
  const wide = (token) => widthOf(shown(token), LETTERS) + COLUMN.apart;
  const left = Math.max(0, ...speakers.map((name) => widthOf(name, LABEL) + 2 * TAG.padding));
  const pitch = Math.min(COLUMN.widestPitch, (room.width - left) / state.words.length);
  if (!isWhole(state) || pitch < Math.max(...state.words.map(wide))) return null;
  return { left, pitch };
}

const tokensOf = ({ places, words }) => [...places, ...words];

/** Where the tokens are, and the lines that are seen: the newest, or those up to the chosen one. */
function conversationOf(state, room) {
  const first = answersAt(state);
  const row = rowOf(state, room);
  const flow = wrap(tokensOf(state), first, ROOM, (place) => isOf(state, place));
  const last = isWhole(state) ? flow.length - 1 : state.places.length + state.seen;
  const end = flow[row ? Math.max(0, first - 1) : last].line + 1;
  const top = Math.max(0, end - LINES);
  const boxes = flow.map(({ line, x, w }, place) => {
    if (!row || place < first)
      return { x, y: (line - top) * PITCH, w, h: LINE, isSeen: line >= top && line < end };
    const number = place - state.places.length; // who speaks stands at the left
    const middle = number < 0 ? w / 2 : row.left + (number + 1 / 2) * row.pitch;
    return { x: middle - w / 2, y: room.height - LINE, w, h: LINE, isSeen: true };
  });
  return { boxes, row, floor: Math.max(HEIGHTS.top, (end - top) * PITCH + HEIGHTS.under) };
}

/** The tokens of the conversation, and a frame round the one that is looked at. */
function tokenRow(state, { boxes }, act) {
  const marks = tokensOf(state).flatMap((token, place) => {
    const { isSeen, ...box } = boxes[place];
    return isSeen ? tokenMarks(state, token, place, box, act) : [];
  });
  const { isSeen, ...box } = boxes[aimOf(state)];
  if (isLooking(state) && isSeen) marks.push(rect("aim", "focused", box, { rx: 4 }));
  return marks;
}

/** The place at which the answer's line begins, with who speaks. */
const answersAt = ({ places: { length } }) => (length < 3 ? length : length - 1);

/** True for what is neither of the question nor of the answer: the form of a chat. */
const isOf = ({ places, words }, place) =>
  place < 2 || place === places.length - 1 || words[place - places.length] === END[0];

/** Where the grid is. */
const gridOf = (state, { height }) => ({
  x: LEFT,
  y: height - BELOW - state.heads * CELL.h,
  columns: layersOf(state),
});

/** What every head gives to a place; the largest of it is full colour, and answers. */
function gridMarks(state, grid, act) {
  const { heads, through } = state;
  const { x, y, columns } = grid;
  const aim = aimOf(state);
  const given = weightsOf(state, aim);
  const most = Math.max(...given) || 1;
  const cellOf = (column, row) => ({ x: x + column * CELL.w, y: y + row * CELL.h, ...CELL });
  const cells = given.map((weight, i) => {
    const [column, row] = [Math.floor(i / heads), i % heads];
    const pick = () => act.change({ layer: column, head: row });
    const look = { rx: 0, tint: weight / most, pick };
    return rect(`cell ${column}.${row}`, "frame pick", cellOf(column, row), look);
  });
  const place = shown(placesOf(state)[aim]);
  const foot = y + heads * CELL.h + NUMBER;
  const numbered = (count, here) => [...new Set([0, here, count - 1])];
  const kind = (isHere) => (isHere ? "bold" : "faint");
  const layers = numbered(columns, through.layer).map((i) =>
    text(`layer ${i}`, kind(i === through.layer), [x + (i + 1 / 2) * CELL.w, foot], `${i + 1}`),
  );
  const rows = numbered(heads, through.head).map((i) => {
    const name = i === 0 ? fillIn(SENTENCES.head, { number: 1 }) : `${i + 1}`;
    const at = [x - BESIDE, y + i * CELL.h + ROW_FOOT];
    return text(`head ${i}`, kind(i === through.head), at, name, RIGHT_END);
  });
  const label = fillIn(SENTENCES.through, { layer: through.layer + 1, head: through.head + 1 });
  const number = given[through.layer * heads + through.head];
  return [
    text("about", "", [x, y - TITLE], fillIn(SENTENCES.title, { place }), LEFT_END),
    ...cells,
    rect("here", "focused", cellOf(through.layer, through.head), { rx: 0 }),
    text("layers", "faint", [x - BESIDE, foot], SENTENCES.layer, RIGHT_END),
    ...layers,
    ...rows,
    ...answer({ number, format: digits, label }, act),
  ];
}

/** Milliseconds until the column of a token begins to grow, if nothing was written meanwhile. */
function growsAt({ words, before }, number) {
  if (before && before.words.length !== words.length) return 0;
  return number * Math.min(GROW.each, GROW.all / words.length);
}

/** When all columns have grown. */
const areGrown = (state) => growsAt(state, state.words.length - 1) + 2 * GLIDE;

/** When the marked lead is seen, or all columns. */
const toldAfter = (state) => (isWhole(state) ? areGrown(state) : LED);

/** Where the columns stand: over their tokens, or side by side under the text. */
function columnsOf({ words }, room, { row, floor }) {
  const { left, pitch } = row ?? { left: 0, pitch: room.width / words.length };
  const foot = room.height - HEIGHTS.foot - (row ? LINE : 0);
  const w = clamp(pitch * COLUMN.ofPitch, COLUMN.thinnest, COLUMN.widest);
  const first = left + (pitch - w) / 2;
  return words.map((_, i) => ({ x: first + i * pitch, y: floor, w, h: foot - floor }));
}

/** A column for each token, its share in it; at the end the lowest has its own over it. */
function columnMarks(state, columns, act) {
  const marks = columns.flatMap((whole, i) => {
    const { share, digits: said } = state.shares[i];
    const isLeast = i === state.least;
    const h = whole.h * share;
    const y = whole.y + whole.h - h;
    const delay = growsAt(state, i);
    const from = { y: whole.y + whole.h, h: 0, o: 1 };
    return [
      rect(`whole ${i}`, "spread", whole, { pick: chooses(i, act) }),
      rect(`bar ${i}`, "weight", { ...whole, y, h, tint: SURE, delay, from }),
      ...(isLeast ? [rect("least", "changed", { ...whole, y, h, delay: areGrown(state) })] : []),
      ...(isLeast || whole.w >= ROOMY ? [shareMark(state, i, { ...whole, y, h }, said)] : []),
    ];
  });
  return [text("list", "", [0, columns[0].y - TITLE], SENTENCES.shares, LEFT_END), ...marks];
}

/** The share of a token: the lowest over its bar, by far the largest; any other in its bar. */
function shareMark(state, i, { x, y, w, h }, said) {
  const delay = growsAt(state, i) + GLIDE;
  const middle = x + w / 2;
  if (i === state.least) {
    const half = widthOf(said, LEAST, BOLD) / 2;
    const at = [clamp(middle, half, STAGE.width - half), y - HEIGHTS.above];
    return text(`share ${i}`, "bold", at, said, { size: LEAST, delay: areGrown(state) });
  }
  const foot = y + (h >= HEIGHTS.below ? HEIGHTS.below : -HEIGHTS.above);
  return text(`share ${i}`, "", [middle, foot], said, { delay });
}

/** The whole answer as columns, or what hides them. */
function wholeMarks(state, room, talk, act) {
  const columns = columnsOf(state, room, talk);
  const drawn = state.veiled
    ? columns.map((whole, i) => rect(`veil ${i}`, "veil", whole, { rx: 8, pick: () => act.next() }))
    : columnMarks(state, columns, act);
  const words = shown(state.words[state.least]);
  const told = { words, label: SENTENCES.least, veiled: state.veiled, after: areGrown(state) };
  return [...drawn, ...answer(told, act)];
}

/** What all other tokens share, in words: a bar of theirs would look like a runner-up. */
function restMark({ best }, y) {
  const share = 1 - best.reduce((sum, each) => sum + each.share, 0);
  if (share < LEAST_REST) return [];
  const written = (id, x, words) => text(id, "faint", [x, y], words, { size: SIZE, ...RIGHT_END });
  return [
    written("rest", LIST.bar - SPACE, SENTENCES.rest),
    written("share of the rest", LIST.end, digits(share)),
  ];
}

/** The likeliest that did not come, {word, digits}. */
const otherOf = ({ best, words, seen }) =>
  best.find(({ word }) => word !== words[seen]) ?? { word: "", share: 0, digits: "" };

/** How far the chosen token was ahead of it. */
const leadOf = (state) => state.shares[state.seen].share - otherOf(state).share;

/** The shares as bars, on the columns' scale; how far the token was ahead is marked. */
function listMarks(state, top, pitch) {
  const other = otherOf(state);
  const isPlain = ({ word }) => spaced(word) === shown(word);
  const title = state.best.every(isPlain) ? SENTENCES.list : SENTENCES.spaced;
  const whole = { x: LIST.bar, w: LIST.right - LIST.bar, h: HIGH * pitch };
  const written = { size: SIZE, ...RIGHT_END };
  const footOf = (y) => y + whole.h / 2 + LIST_FOOT * SIZE;
  return [
    text("list", "", [0, top - TITLE], title, LEFT_END),
    ...restMark(state, footOf(top + state.best.length * pitch + LIST.apart)),
    ...state.best.flatMap((each, i) => {
      const y = top + i * pitch;
      const foot = footOf(y);
      const isHere = each.word === state.words[state.seen];
      const id = isHere ? `${state.seen}` : `other ${i}`; // its column becomes its bar
      const bar = { ...whole, y, w: each.share * whole.w, tint: SURE };
      const kind = each === other || isHere ? "bold" : "";
      const could = fit(spaced(each.word), LIST.bar - SPACE, SIZE);
      return [
        rect(`whole ${i}`, "spread", { ...whole, y }),
        text(`could ${i}`, kind, [LIST.bar - SPACE, foot], could, written),
        rect(`bar ${id}`, "weight", bar),
        ...(each === other ? [leadMark(state, whole, bar)] : []),
        text(`share ${id}`, kind, [LIST.end, foot], each.digits, written),
      ];
    }),
  ];
}

const span = ({ x, y, w, h }) => `M${x},${y}v${h}m0,${-h / 2}h${w}m0,${-h / 2}v${h}`;

/** From the end of the likeliest other's bar to where that of the chosen token ends. */
function leadMark(state, whole, { x, w, y, h }) {
  const look = { delay: GLIDE, from: { w: 0, o: 1 } };
  const box = { x: x + w, y, w: whole.w * leadOf(state), h };
  return { id: "lead", class: "lead", d: span, ...box, ...look };
}

/** What could have come in place of the chosen token, or, where they are looked at, the heads. */
function insteadMarks(state, room, { floor }, act) {
  if (isLooking(state)) return gridMarks(state, gridOf(state, room), act);
  const box = { x: 0, y: floor, w: room.width, h: room.height - floor };
  const list = state.veiled
    ? veil(box, SENTENCES.close, act)
    : listMarks(state, floor, (box.h - LIST.apart) / ROWS);
  const told = { number: leadOf(state), format: digits, after: LED, veiled: state.veiled };
  return [...list, ...answer({ ...told, label: SENTENCES.ahead }, act)];
}

/** The marks of a state in a room. */
export function layout(given, room, act) {
  const through = isLooking(given) ? headOf(given) : {};
  const state = { ...given, through, least: leastOf(given) };
  const talk = conversationOf(state, room);
  const drawn = isWhole(state) ? wholeMarks : insteadMarks;
  return [...tokenRow(state, talk, act), ...drawn(state, room, talk, act)];
}

/** The sentence that says what the chosen head gave to a place, and why no more is written. */
export function caption(state) {
  if (state.veiled) return isWhole(state) ? SENTENCES.veiled : SENTENCES.instead;
  if (isWhole(state)) return `${state.stopped} ${SENTENCES.whole}`.trim();
  return isLooking(state) ? lookOf(state) : cameOf(state);
}

function cameOf(state) {
  const { words, shares, seen } = state;
  const [word, { digits: share }] = [spaced(words[seen]), shares[seen]];
  const { word: other, digits: had } = otherOf(state);
  return fillIn(SENTENCES.came, { word, share, other: spaced(other), had });
}

function lookOf(state) {
  const { layer, head } = headOf(state);
  const place = aimOf(state);
  const weights = weightsOf(state, place);
  const weight = weights[layer * state.heads + head];
  const isMost = weights.filter((other) => other >= weight).length === 1;
  return fillIn(isMost ? SENTENCES.most : SENTENCES.looks, {
    count: weights.length,
    layer: layer + 1,
    head: head + 1,
    place: shown(placesOf(state)[place]),
    weight: digits(weight),
  });
}

/** The headline over the heads, which tell at once: the one that looks most, or the chosen one. */
export const asks = (state) =>
  isLooking(state) &&
  fillIn(HEADLINES[Math.sign(1 + state.layer)], { place: shown(placesOf(state)[aimOf(state)]) });

/** What Enter does while it writes to the end. */
export const nextOf = ({ running }) => (running ? { label: "Stop", act: interrupt } : null);

const STEP_KEYS = { " ": "write", Backspace: "back" };
const TO_THE_ANSWER = ["Escape", "Backspace"]; // Escape leaves full screen, too

/** Another token, whose question comes first. */
function walk(state, key) {
  const next = along(key, state.seen, state.words.length);
  if (next === null) return null;
  return next === state.seen ? {} : { ...choice(next), veiled: true };
}

/** What a key means: another head, another token, the next one or one less. */
export function keysOf(state, key, _, act) {
  if (isLooking(state) && TO_THE_ANSWER.includes(key))
    return { looked: NOWHERE, layer: -1, head: -1 };
  if (state.veiled) return isWhole(state) ? null : walk(state, key);
  if (key === "Backspace" && !isWhole(state) && state.stopped) return choice(WHOLE);
  if (STEP_KEYS[key]) return act.ask({ type: STEP_KEYS[key] });
  if (isLooking(state)) return keyOfHeads(state, key);
  if (isWhole(state)) return state.stopped && state.enter ? null : walk(state, key);
  if (key === "ArrowDown") return { looked: state.aim };
  if (key === "Escape" || key === "ArrowUp") return choice(WHOLE);
  return walk(state, key);
}

function keyOfHeads(state, key) {
  const { layer, head } = headOf(state);
  const next = step(key, [head, layer], state.heads, layersOf(state));
  return next && { head: next[0], layer: next[1], looked: aimOf(state) };
}

export default demo({
  name: "chat",
  looks: { behind: filled("paper"), lead: drawn("ink", 4) },
  traits: [
    ...["places", "words", "shares", "seen", "best", "heads", "layer", "head", "aim", "looked"],
    ...["stopped", "running", "enter"],
  ],
  keep: ["looked"],
  read: (model) => ({ looks: numbers(model.get("looks"), Uint8Array) }),
  layout,
  caption,
  asks,
  wait: (state) => (state.veiled || isLooking(state) ? 0 : toldAfter(state)),
  keys: keysOf,
  next: nextOf,
});
