// A translation written word by word: where each row looks, and what it writes.
//
// A row reads one word and writes the next: "l' → animal". The word it writes stands in column
// row + 1 of the written line; column 0 is the start token.
import { digits, fillIn, short } from "../frame/frame.mjs";
import { answer } from "../frame/lettering.mjs";
import { STAGGER } from "../frame/scene.mjs";
import { BASELINE, LEFT_END, RIGHT_END, rect, text, thread } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";
import { LEAST, lineOf, PILL, pill, weightAt } from "./word_boxes.mjs";

const LEFT = 180; // of the words
const RIGHT = 346; // the room of the answer: four words above are as wide as six below
const FEWEST_COLUMNS = 6; // room that is always left for what will be written
const SOURCE_TOP = 36; // of the source words; their weights stand above
const TARGET_TOP = 136; // from the floor up to the written words
const DIGITS_ABOVE = 10; // from a box up to the digits
const BAR = { below: 12, h: 14 }; // how much a written word is read: 1 is as wide as its box
const DIGITS_BELOW = 52;
const MORE = 6; // by which the box of the newest word is larger, on each side
const LINE = 28; // letters of the probability
const ANSWER_WIDTH = 304; // of the word that is looked at most
const LONGEST = 12; // its letters, and those of the word that is written
const CHANCE = 160; // the foot of its probability

const THICKEST = 48; // of all lines of a row together
const THINNEST = 1.5;
const QUIET = 0.3; // the opacity of earlier rows
const HAIR = { thick: 0, o: 0 }; // a line that has not grown yet
const LOUD = 0.85;
const WRITES = "writes “{word}”";
const PROBABILITY = "with probability {chance}";
const ALIKE = "all alike";
const ASKS = "Where did it look to write “{word}”?"; // of an earlier row
const EVEN = 1e-6; // weights that differ by less are alike
const SENTENCES = {
  veiled: "Predict first: Enter shows the word, and where it looks.",
  row: "After “{read}” it looks most at “{most}”, and writes “{word}”.",
  back: "After “{read}” it looks back at “{most}”, and writes “{word}”: the lines cross.",
  alike: "After “{read}” it looks at all words above alike, and writes “{word}”.",
  cell: "{row}: {block}-attention to {word} {weight}.",
};
const STEP_KEYS = { ArrowRight: "write", " ": "write", ArrowLeft: "back", Backspace: "back" };

const inPrint = (word) => word.replaceAll("'", "’");

/** The state with its words as print writes them: the apostrophe of "l’" is no straight mark. */
function printed(state) {
  const { tokens, rows } = state.picture;
  const picture = {
    ...state.picture,
    tokens: tokens.map(inPrint),
    rows: rows.map((row) => ({ ...row, word: inPrint(row.word) })),
  };
  return { ...state, source: state.source.map(inPrint), picture };
}

/** The place of the source word that a row looks at most; -1 where it looks at all alike. */
function mostOf({ picture }, row) {
  const { cross } = picture.rows[row];
  const largest = Math.max(...cross);
  return largest - Math.min(...cross) < EVEN ? -1 : cross.indexOf(largest);
}

/** Which sentence tells of a row: it may look behind what the row before it looked at. */
function kindOf(state, row) {
  const most = mostOf(state, row);
  if (most < 0) return "alike";
  return row > 0 && most < mostOf(state, row - 1) ? "back" : "row";
}

/** The word that a row has written, or would write. */
const written = ({ tokens, rows }, row) => tokens[row + 1] ?? rows[row].word;

/** Where the row that is seen looks, self or cross; nothing while that is asked. */
const looksOf = (state, row, block) => (isHidden(state, row) ? [] : state.picture.rows[row][block]);

const lastRow = (state) => state.picture.rows.length - 1;
const rowOf = (state) => state.row ?? lastRow(state);
const isHidden = (state, row) => state.veiled && row === lastRow(state);
const isFuture = (i, j, weight) => j > i && weight === 0;

/** Where everything stands in a room of this size. */
function geometry(state, { width, height }) {
  const { rows } = state.picture;
  const words = [state.picture.tokens[0], ...rows.map((_, i) => written(state.picture, i))];
  const columns = Math.max(FEWEST_COLUMNS, words.length);
  const top = height - TARGET_TOP;
  const above = { top: SOURCE_TOP, left: LEFT, right: width - RIGHT };
  return {
    width,
    words,
    source: lineOf(state.source, state.source.length, above),
    target: lineOf(words, columns, { top, left: LEFT, right: width }),
  };
}

/** The names of the two lines and of what is between and below them. */
function labels({ by_hand }, { source, target }) {
  const texts = [
    [by_hand ? "English" : "source", source.top + PILL / 2, "key"],
    ["cross-attention", (source.top + PILL + target.top) / 2, "faint"],
    [by_hand ? "French" : "written", target.top + PILL / 2, "query"],
    ["self-attention", target.top + PILL + DIGITS_BELOW / 2, "faint"],
  ];
  return texts.map(([name, y, kind]) =>
    text(`label ${name}`, kind, [0, y + BASELINE], name, LEFT_END),
  );
}

/** The lines of one row to the source words; below they stand side by side, as shares. */
function crossLines(state, row, at) {
  const isLoud = row === rowOf(state);
  const end = at.target.center(row + 1) - THICKEST / 2;
  let share = 0;
  return looksOf(state, row, "cross").flatMap((weight, j) => {
    const above = [at.source.center(j), at.source.top + PILL];
    const below = [end + (share + weight / 2) * THICKEST, at.target.top];
    share += weight;
    if (!isLoud && weight < LEAST) return [];
    return thread(`line ${row}.${j}`, "arc", above, below, {
      thick: Math.max(THINNEST, weight * THICKEST),
      o: isLoud ? LOUD : QUIET,
      from: HAIR,
      delay: j * STAGGER,
    });
  });
}

function sourceWords(state, row, at, act) {
  const line = at.source;
  return state.source.flatMap((token, j) => {
    const tint = looksOf(state, row, "cross")[j];
    const word = { id: `source ${j}`, token, i: j, kind: "", box: "source" };
    if (tint === undefined) return pill({ ...word, tint: 0, hold: {} }, line);
    const hold = { hover: () => pointAt(state, { block: "cross", j }, act) };
    const place = { x: line.center(j), y: line.top - DIGITS_ABOVE, room: line.step };
    return [...pill({ ...word, tint, hold }, line), ...weightAt(`cross ${row}.${j}`, tint, place)];
  });
}

/** A change of the cell that is pointed at; none if it is that already. */
function pointAt(state, cell, act) {
  const name = (each) => each && `${each.block} ${each.j}`;
  if (name(state.cell) !== name(cell)) act.change({ cell });
}

/** The word that the row writes, on a marker that moves on with the rows; or its veil. */
function slot(state, row, at, act) {
  const token = at.words[row + 1];
  const look = (ink) => ({ id: "slot", i: row + 1, kind: `written bold here ${ink}`, more: MORE });
  if (!isHidden(state, row))
    return pill({ ...look("marked"), token, box: "slot changed", hold: {} }, at.target);
  const hold = { pick: () => act.next() };
  return pill({ ...look("halo"), token: "?", box: "veil", hold }, at.target);
}

/** A word of the written line that the row does not write. */
function targetWord(state, row, i, at, act) {
  if (i > 0 && isHidden(state, i - 1)) {
    const hold = { pick: () => act.change({ row: null, cell: null }) };
    return pill({ id: "next", token: "?", i, kind: "written halo", box: "veil", hold }, at.target);
  }
  const weight = looksOf(state, row, "self")[i];
  const isSeen = weight !== undefined && !isFuture(row, i, weight);
  const hold = {
    hover: () => pointAt(state, isSeen ? { block: "self", j: i } : null, act),
    pick: () => i > 0 && act.change({ row: i - 1, cell: null }),
  };
  const look = { kind: i > 0 ? "written" : "start", box: "target", tint: 0 };
  return pill({ id: `target ${i}`, token: at.words[i], i, hold, ...look }, at.target);
}

function targetWords(state, row, at, act) {
  const line = at.target;
  const words = at.words.map((_, i) =>
    i === row + 1 ? slot(state, row, at, act) : targetWord(state, row, i, at, act),
  );
  const floor = line.top + PILL;
  const looks = looksOf(state, row, "self").map((weight, j) => {
    const [x, w] = [line.center(j), weight * line.wide];
    const bar = { x: x - w / 2, y: floor + BAR.below, w, h: BAR.h };
    const place = { x, y: floor + DIGITS_BELOW, room: line.step };
    return [
      rect(`read ${j}`, "weight", bar, { o: LOUD, from: { x, w: 0 } }),
      ...weightAt(`self ${row}.${j}`, weight, place),
    ];
  });
  return [...words, ...looks].flat();
}

/** The source word that is looked at most, large; what is written, and how probable it was. */
function result(state, row, at, act) {
  const { picture } = state;
  const words = short(state.source[mostOf(state, row)] ?? ALIKE, LONGEST);
  const place = { words, x: at.width, room: ANSWER_WIDTH };
  if (isHidden(state, row)) return answer({ veiled: true, label: "", ...place }, act);
  const label = fillIn(WRITES, { word: short(written(picture, row), LONGEST) });
  const chance = fillIn(PROBABILITY, { chance: digits(picture.rows[row].probability) });
  const below = text("chance", "", [at.width, CHANCE], chance, { size: LINE, ...RIGHT_END });
  return [...answer({ label, ...place }, act), below];
}

/** The marks of a state in a room. */
export function layout(given, room, act) {
  const state = printed(given);
  const at = geometry(state, room);
  const row = rowOf(state);
  const quiet = state.picture.rows.flatMap((_, i) => (i === row ? [] : crossLines(state, i, at)));
  const ground = { x: 0, y: 0, w: room.width, h: room.height };
  return [
    rect("ground", "ground", ground, { hover: () => pointAt(state, null, act) }),
    ...labels(state, at),
    ...quiet,
    ...crossLines(state, row, at),
    ...sourceWords(state, row, at, act),
    ...targetWords(state, row, at, act),
    ...result(state, row, at, act),
  ];
}

// Isolated: right-to-left words must not turn the digits round.
const isolated = (token) => `\u2068${token}\u2069`;

/** The cell that is pointed at in words, or null. */
function tellCell(state, row, name) {
  const { block, j } = state.cell ?? {};
  const weight = state.picture.rows[row][block]?.[j];
  if (weight === undefined) return null;
  const word = isolated((block === "self" ? state.picture.tokens : state.source)[j]);
  return fillIn(SENTENCES.cell, { row: name, block, word, weight: digits(weight, 3) });
}

/** A row in words: what it writes, and where it looks. */
export function tell(given, row) {
  const state = printed(given);
  if (isHidden(state, row)) return SENTENCES.veiled;
  const [read, word] = [state.picture.tokens[row], written(state.picture, row)].map(isolated);
  const cell = tellCell(state, row, `${read} \u2192 ${word}`);
  if (cell) return cell;
  const most = isolated(state.source[mostOf(state, row)]);
  return fillIn(SENTENCES[kindOf(state, row)], { read, word, most });
}

/** The sentence that says what to see: one row, or why it stopped; then what became of the rest. */
export function caption(state) {
  const { kept, stopped } = state.picture;
  const row = rowOf(state);
  if (isHidden(state, row)) return tell(state, row);
  const isEnd = stopped !== "" && row === lastRow(state) && state.cell === null;
  return [isEnd ? stopped : tell(state, row), kept].filter(Boolean).join(" ");
}

/** One word more is asked for as by Enter, or one is taken back; only Enter answers. */
function step(type, { veiled, enter }, act) {
  if (type === "back") return act.ask({ type });
  if (veiled) return null;
  return enter ? (act.next() ?? {}) : act.ask({ type });
}

/** What a key means: one word more or less, or another row. */
export function keysOf(state, key, _, act) {
  if (key in STEP_KEYS) return step(STEP_KEYS[key], state, act);
  const last = lastRow(state);
  const row = {
    ArrowUp: Math.max(rowOf(state) - 1, 0),
    ArrowDown: Math.min(rowOf(state) + 1, last),
    Home: 0,
    End: last,
    Escape: last,
  }[key];
  return row === undefined ? null : { row, cell: null };
}

export default demo({
  name: "decoder-stepper",
  looks: {
    ground: { fill: "transparent" },
    arc: { "stroke-linecap": "butt" },
    source: { stroke: "var(--key)", "stroke-width": 2 },
    target: { stroke: "var(--query)", "stroke-width": 2 },
    slot: { stroke: "var(--ink)", "stroke-width": 3 },
  },
  traits: ["source", "picture", "by_hand", "enter"],
  own: { row: null, cell: null }, // row null: the newest
  keep: ["row", "cell"],
  forget: { picture: ["row", "cell"] },
  layout,
  caption,
  asks: (state) =>
    rowOf(state) < lastRow(state) &&
    fillIn(ASKS, { word: inPrint(written(state.picture, state.row)) }),
  keys: keysOf,
});
