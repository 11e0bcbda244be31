// A text that is written on word by word, and what each word was drawn from.
import { along, clamp, fillIn, short } from "../frame/frame.mjs";
import { answer, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { LEFT_END, RIGHT_END, BASELINE, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

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
const VEILED_FOOT = 10; // from the middle of the veil down to the foot of its question
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
const STEP_KEYS = { " ": "write", Backspace: "back" };

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
function wordMarks(i, state, at, act) {
  const { prompt, steps } = state.picture;
  const [line, x, w] = at.boxes[i];
  const top = (line - at.first) * PITCH;
  if (line < at.first || line >= at.first + LINES) return [];
  const number = i - prompt.length;
  const middle = x + w / 2;
  const step = steps[number];
  const kind = step ? wordKind(step) : "";
  const word = text(`text ${i}`, kind, [middle, top + FOOT], at.shown[i], { size: WORD });
  if (!step) return [word];
  const drawn = [
    rect(`under ${i}`, "rule", { x, w, y: top + LINE_UNDER, h: 3 }),
    text(`digits ${i}`, "faint", [middle, top + DIGITS], step.digits),
  ];
  const h = step.word ? PITCH - 4 : LINE_UNDER + 6;
  const box = { x: Math.max(0, x - 6), w: w + 12, y: top, h };
  const look = number === stepOf(state) ? "spot focused here" : "spot pick";
  const spot = rect(`spot ${number}`, look, box, {
    rx: 8,
    pick: () => act.change({ pinned: number, hovered: null }),
    hover: () => act.change({ hovered: number }),
  });
  return [word, ...(step.word ? drawn : []), spot];
}

const wordKind = (step) => (step.word ? "written" : "faint");

function textMarks(state, act) {
  const at = places(state);
  const marks = at.shown.flatMap((_, i) => wordMarks(i, state, at, act));
  const dots = (where, y) =>
    text(`dots ${where}`, "faint", [ROOM, y], DOTS, { size: WORD, ...RIGHT_END });
  if (at.first > 0) marks.push(dots("above", FOOT));
  if (at.last >= at.first + LINES) marks.push(dots("below", (LINES - 1) * PITCH + FOOT));
  return { marks, height: at.lines * PITCH };
}

/** The line above the rows: the scale, and which bar is whose. */
function headMarks(y, isWritten) {
  const key = { y: y - KEY, w: KEY, h: KEY, rx: 2 };
  return [
    text("next word", "faint", [0, y], "next word", LEFT_END),
    text("zero", "faint", [BARS, y], "0"),
    text("one", "faint", [ENDS.bars, y], "1"),
    text("model", "", [ENDS.model, y], "model", RIGHT_END),
    rect("model key", "outline", { x: ENDS.model - 100, ...key }),
    text("now", "", [ENDS.now, y], isWritten ? "then" : "now", RIGHT_END),
    rect("now key", "weight", { x: ENDS.now - 86, ...key }),
  ];
}

/** One word of those that could come: its share now, filled, and in the model, as an outline. */
function rowMarks(row, top, high, isChosen) {
  const isOut = row.now === 0 && !row.isGap;
  const id = `row ${row.word}`;
  const y = top + high / 2 + BASELINE;
  const bar = { x: BARS, y: top + 4, h: high - 8, rx: 2 };
  const long = ENDS.bars - BARS;
  const kind = isChosen ? "bold" : "";
  const word = short(row.word, ROW_LETTERS);
  const come = { from: { o: 0, y }, ...LEFT_END };
  const marks = [
    text(id, isOut ? "out" : kind, [0, y], word, come),
    rect(`${id} now`, "weight", { ...bar, w: long * row.now }),
    rect(`${id} model`, isOut ? "outline masked" : "outline", { ...bar, w: long * row.model }),
    text(`${id} model digits`, "faint", [ENDS.model, y], row.model_digits, RIGHT_END),
    text(`${id} now digits`, kind, [ENDS.now, y], row.now_digits, RIGHT_END),
  ];
  if (isChosen) marks.push(rect("chosen", "ink", { x: BARS - 16, y: bar.y, w: 6, h: bar.h }));
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

/** What the word was drawn from; hatched until it is asked for. */
function rowsMarks(state, top, height, act) {
  if (state.veiled) {
    const box = { x: 0, w: ENDS.now, y: top, h: height - top };
    const middle = [ENDS.now / 2, (top + height) / 2 + VEILED_FOOT];
    return [
      rect("veil", "veil", box, { rx: 8, pick: () => act.next() }),
      text("ask", "bold halo", middle, veiledWords(state).veil, { size: 28 }),
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
    rect("axis", "rule", floor),
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

/** What a key means: another word is looked at, or, past the newest, the next is written. */
export function keysOf(state, key, _, act) {
  const last = state.picture.steps.length - 1;
  const here = state.pinned ?? last;
  const type = key === "ArrowRight" && here === last ? "write" : STEP_KEYS[key];
  if (type) return act.ask({ type });
  const next = key === "Escape" ? last : along(key, here, last + 1);
  return next === null ? null : { pinned: next, hovered: null };
}

export default demo({
  name: "writer",
  looks: {
    outline: drawn("ghost", 2),
    "outline.masked": filled("hatching"),
    "text.out": filled("faint", { "text-decoration": "line-through" }),
  },
  traits: ["picture"],
  own: { pinned: null, hovered: null },
  keep: ["pinned", "hovered"],
  forget: { picture: ["pinned", "hovered"] },
  layout,
  caption,
  keys: keysOf,
  staged: (made) => made.svg.addEventListener("pointerleave", () => made.change({ hovered: null })),
});
