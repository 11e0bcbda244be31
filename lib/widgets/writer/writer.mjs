// A text that is written on word by word, and what each word was drawn from.
import { clamp, fillIn, short } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { stage } from "../frame/stage.mjs";

// The text, in lines of words; what was written is underlined, its digits below.
const WORD = 36; // letters
const FOOT = 36; // from the top of a line down to the foot of its words
const LINE_UNDER = 46;
const DIGITS = 72;
const PITCH = 84; // from a line to the next
const LINES = 2;
const ROOM = 880; // beside the answer
const MORE = 34; // at the end of a line, for the dots that say that there is more
const SPACE = 14; // from word to word
const NARROWEST = 56; // a word has room for its digits
const LONGEST_WORD = 24; // letters

// What the word was drawn from: a row for each word that could come.
const HEAD = 34; // the room of the line above the rows
const LOWEST_ROW = 26;
const HIGHEST_ROW = 36;
const MOST_ROWS = 9;
const BARS = 210; // where the bars begin
const ENDS = { bars: 960, model: 1090, now: 1216 };
const KEY = 18; // the size of the boxes that say which bar is whose
const ROW_LETTERS = 13;
const BASE = 9; // from the middle of a row down to its words
const DOTS = "\u2026";
const LEFT_OUT = "\u2026 {count} more";
// What is said while the answer is veiled: before a word, and before a whole text.
const VEILED = {
  word: {
    veil: "which words could come?",
    answer: "share of the best word",
    caption: "Predict: which word comes next? Enter shows what the model says.",
  },
  text: {
    veil: "still sentences?",
    answer: "share of the last word",
    caption: "Predict: does it still write sentences? Enter shows what it writes.",
  },
};
const STEP_KEYS = { " ": "next", Backspace: "back" };

/**
 * Where the words go, [line, x, width] each, when a line has this much room; the digits beneath
 * need room too.
 */
export function wrap(words, room) {
  let line = 0;
  let next = 0;
  return words.map((word) => {
    const width = Math.min(room, Math.max(NARROWEST, widthOf(word, WORD)));
    const x = next + width > room ? 0 : next;
    if (x < next) line += 1;
    next = x + width + SPACE;
    return [line, x, width];
  });
}

/** The first line that is shown: as late as can be, with the line `seen` in view. */
export const firstLine = (seen, lines) => clamp(lines - LINES, 0, seen);

/** The step that is looked at: the one pointed at, the one clicked, or the newest. */
function stepOf({ picture, pinned, hovered }) {
  return hovered ?? pinned ?? picture.steps.length - 1;
}

/** What is said while the answer is veiled. */
const veiledWords = ({ picture }) => (picture.steps[0].word ? VEILED.text : VEILED.word);

/** The state as the text shows it: while it is veiled no word is written after the prompt. */
function readable(state) {
  if (!state.veiled) return state;
  const { picture } = state;
  const open = { ...picture.steps[0], word: "" };
  return { ...state, pinned: null, hovered: null, picture: { ...picture, steps: [open] } };
}

/** The words as they are written, and where each stands. */
function places({ picture, pinned }) {
  const { prompt, steps } = picture;
  const words = [...prompt, ...steps.map(({ word }) => word || "?")];
  const shown = words.map((word) => short(word, LONGEST_WORD));
  const boxes = wrap(shown, ROOM - MORE);
  const last = boxes.at(-1)[0];
  const seen = boxes[prompt.length + (pinned ?? steps.length - 1)][0];
  const first = firstLine(seen, last + 1);
  return { shown, boxes, first, last, lines: Math.min(LINES, last - first + 1) };
}

/** One word of the text, its line and digits if it was written, and its place to click. */
function wordMarks(i, state, text, act) {
  const { prompt, steps } = state.picture;
  const [line, x, w] = text.boxes[i];
  const top = (line - text.first) * PITCH;
  if (line < text.first || line >= text.first + LINES) return [];
  const number = i - prompt.length;
  const middle = { x: x + w / 2, y: top + FOOT, size: WORD };
  const step = steps[number];
  const kind = step ? wordKind(step) : "";
  const marks = [{ id: `text ${i}`, class: kind, text: text.shown[i], ...middle }];
  if (!step) return marks;
  if (step.word) {
    const under = { x, w, y: top + LINE_UNDER, h: 3 };
    const digits = { x: x + w / 2, y: top + DIGITS, text: step.digits };
    marks.push({ id: `under ${i}`, class: "rule", ...under });
    marks.push({ id: `digits ${i}`, class: "faint", ...digits });
  }
  const isHere = number === stepOf(state);
  const box = {
    x: Math.max(0, x - 6),
    w: w + 12,
    y: top,
    h: step.word ? PITCH - 4 : LINE_UNDER + 6,
    rx: 8,
  };
  marks.push({
    id: `spot ${number}`,
    class: isHere ? "spot focused here" : "spot pick",
    ...box,
    pick: () => act.change({ pinned: number, hovered: null }),
    hover: () => act.change({ hovered: number }),
  });
  return marks;
}

const wordKind = (step) => (step.word ? "written" : "faint");

function textMarks(state, act) {
  const text = places(state);
  const marks = text.shown.flatMap((_, i) => wordMarks(i, state, text, act));
  const dots = { class: "faint", x: ROOM, anchor: "end", size: WORD, text: DOTS };
  if (text.first > 0) marks.push({ id: "dots above", y: FOOT, ...dots });
  if (text.last >= text.first + LINES)
    marks.push({ id: "dots below", y: (LINES - 1) * PITCH + FOOT, ...dots });
  return { marks, height: text.lines * PITCH };
}

/** The line above the rows: the scale, and which bar is whose. */
function headMarks(y, isWritten) {
  const key = { y: y - KEY, w: KEY, h: KEY, rx: 2 };
  const scale = { class: "faint", y };
  return [
    { id: "next word", ...scale, anchor: "start", x: 0, text: "next word" },
    { id: "zero", ...scale, x: BARS, text: "0" },
    { id: "one", ...scale, x: ENDS.bars, text: "1" },
    { id: "model", y, anchor: "end", x: ENDS.model, text: "model" },
    { id: "model key", class: "outline", x: ENDS.model - 100, ...key },
    { id: "now", y, anchor: "end", x: ENDS.now, text: isWritten ? "then" : "now" },
    { id: "now key", class: "weight", x: ENDS.now - 86, ...key },
  ];
}

/** One word of those that could come: its share now, filled, and in the model, as an outline. */
function rowMarks(row, top, high, isChosen) {
  const isOut = row.now === 0 && !row.isGap;
  const id = `row ${row.word}`;
  const y = top + high / 2 + BASE;
  const bar = { x: BARS, y: top + 4, h: high - 8, rx: 2 };
  const long = ENDS.bars - BARS;
  const kind = isChosen ? "bold" : "";
  const word = short(row.word, ROW_LETTERS);
  const from = { o: 0, y };
  const marks = [
    { id, class: isOut ? "out" : kind, anchor: "start", x: 0, y, text: word, from },
    { id: `${id} now`, class: "weight", ...bar, w: long * row.now },
    { id: `${id} model`, class: isOut ? "outline masked" : "outline", ...bar, w: long * row.model },
    digitMark(`${id} model digits`, "faint", ENDS.model, y, row.model_digits),
    digitMark(`${id} now digits`, kind, ENDS.now, y, row.now_digits),
  ];
  if (isChosen) marks.push({ id: "chosen", class: "ink", x: BARS - 16, y: bar.y, w: 6, h: bar.h });
  return marks;
}

/**
 * The rows that fit, always with the chosen one and the last; of the others dots say how many there
 * are.
 */
export function fitting(rows, most, chosen) {
  if (rows.length <= most) return rows;
  const last = rows.length - 1;
  const count = Math.max(1, most - 2); // beside the dots and the last
  const kept = rows.slice(0, count);
  if (chosen >= count && chosen < last) kept[count - 1] = rows[chosen];
  const word = fillIn(LEFT_OUT, { count: last - count });
  const gap = { isGap: true, word, model: 0, now: 0, model_digits: "", now_digits: "" };
  return [...kept, gap, rows[last]];
}

const digitMark = (id, kind, x, y, text) => ({ id, class: kind, anchor: "end", x, y, text });

/** What the word was drawn from; hatched until it is asked for. */
function rowsMarks(state, top, height, act) {
  if (state.veiled) {
    const box = { x: 0, w: ENDS.now, y: top, h: height - top, rx: 8 };
    const middle = { x: ENDS.now / 2, y: (top + height) / 2 + 10, size: 28 };
    return [
      { id: "veil", class: "veil", ...box, pick: () => act.next() },
      { id: "ask", class: "bold halo", ...middle, text: veiledWords(state).veil },
    ];
  }
  const { word, rows, chosen } = state.picture.steps[stepOf(state)];
  const room = height - top - HEAD;
  const high = clamp(room / MOST_ROWS, LOWEST_ROW, HIGHEST_ROW);
  const first = top + HEAD;
  const shown = fitting(rows, Math.floor(room / high), chosen);
  const floor = { x: BARS - 1, w: 2, y: first, h: shown.length * high };
  return [
    ...headMarks(top + HEAD - 8, word !== ""),
    { id: "axis", class: "rule", ...floor },
    ...shown.flatMap((row, i) => rowMarks(row, first + i * high, high, row === rows[chosen])),
  ];
}

/** The share of the word that was chosen, or of the most probable one. */
function answerMarks(state, act) {
  const { rows, chosen } = state.picture.steps[stepOf(state)];
  const row = rows[Math.max(0, chosen)];
  const named = state.veiled ? veiledWords(state).answer : `\u201c${short(row.word, 14)}\u201d`;
  const format = () => row.now_digits;
  return answer({ number: row.now, format, label: named, veiled: state.veiled }, act);
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const text = textMarks(readable(state), act);
  return [
    ...text.marks,
    ...rowsMarks(state, Math.max(text.height, 2 * PITCH - 30), room.height, act),
    ...answerMarks(state, act),
  ];
}

/** The sentence that says what the word was drawn from. */
export function caption(state) {
  if (state.veiled) return veiledWords(state).caption;
  const { steps, stopped } = state.picture;
  return [steps[stepOf(state)].says, stopped].filter(Boolean).join(" ");
}

/** What a key means: another word to look at, or null. */
export function keysOf(state, key) {
  const last = state.picture.steps.length - 1;
  const here = state.pinned ?? last;
  const next = {
    ArrowLeft: here - 1,
    ArrowRight: here + 1,
    Home: 0,
    End: last,
    Escape: last,
  }[key];
  return next === undefined ? null : { pinned: clamp(next, 0, last), hovered: null };
}

/** What Enter does: the next word; at the end the same at temperature 3; then another text. */
export function nextOf({ picture }) {
  if (!picture.stopped) return { label: "next word", ask: { type: "next" } };
  if (!picture.hottest) return { label: "temperature 3?", ask: { type: "hot" } };
  return { label: "draw again", ask: { type: "again" } };
}

function render({ model, el, signal }) {
  function keysHere(state, key) {
    const last = state.picture.steps.length - 1;
    const isPast = key === "ArrowRight" && (state.pinned ?? last) === last; // the next is written
    const type = isPast ? "next" : STEP_KEYS[key];
    if (!type) return keysOf(state, key);
    model.send({ type });
    return {};
  }
  const made = stage(
    { model, el, signal },
    {
      name: "writer",
      own: { pinned: null, hovered: null },
      keep: ["pinned", "hovered"],
      read: () => ({ picture: model.get("picture") }),
      layout,
      caption,
      keys: keysHere,
      next: nextOf,
    },
  );
  model.on("change:picture", () => made.change({ pinned: null, hovered: null }));
  made.svg.addEventListener("pointerleave", () => made.change({ hovered: null }));
}

export default { render };
