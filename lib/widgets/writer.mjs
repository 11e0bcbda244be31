// A text that is written on word by word, and what each word was drawn from.
import {
  clamp,
  drawing,
  eachFrame,
  hatching,
  keys,
  shape,
  short,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 430;
const LEFT = 5;
const RIGHT = 425;

// The text, in lines of words: a box for each word that was written, its digits under it.
const LINES = 3;
const PITCH = 38; // from a line to the next
const MORE = 14; // at the end of a line, for the dots that say that there is more
const WORD = 16; // from the top of a line to the foot of its words
const UNDERLINE = 20;
const DIGITS = 32.5;
const BOX = 35; // how high a box is, with digits
const NEXT_BOX = 22; // without
const LONGEST_WORD = 24; // letters
const NARROWEST = 36; // a word has room for its digits
const SPACE = 4; // from word to word

// What the chosen word was drawn from: a row for each word.
const HEAD = 125; // the foot of the line above the rows
const TOP = 130;
const ROW = 14.8;
const MOST_ROWS = 9;
const ROW_WORD = 12; // from the top of a row to the foot of its word
const BAR_TOP = 2.5;
const BAR_HEIGHT = ROW - 4.5;
const BARS = 98; // where the bars begin
const LONG = 200; // a bar of 1
const MODEL = 370; // where the model's digits end
const MODEL_KEY = 314; // the little box before the word "model"
const NOW_KEY = 379;
const KEY = 10; // how large these boxes are
const ROW_LETTERS = 11;
const CHOSEN_LETTERS = 10;
const MARK = "\u25b8"; // before the chosen word
const DOTS = "\u2026";

const LETTER_WIDTHS = [
  { letters: /[mw<>MW]/, width: 13 },
  { letters: /[ijlI.,']/, width: 5 },
  { letters: /[frt]/, width: 7 },
];
const OTHER_WIDTH = 9.4;
const STEP_KEYS = { Enter: "next", " ": "next", Backspace: "back" };

/** About how wide a word is in units, at 15 px. */
export function wide(word) {
  const widths = [...word].map((letter) => {
    const kind = LETTER_WIDTHS.find(({ letters }) => letters.test(letter));
    return kind ? kind.width : OTHER_WIDTH;
  });
  return widths.reduce((sum, width) => sum + width, 0);
}

/**
 * Where the words go, [line, x, width] each, when a line has this much room; the digits beneath
 * need room too.
 */
export function wrap(words, room) {
  let line = 0;
  let next = 0;
  return words.map((word) => {
    const width = Math.min(room, Math.max(NARROWEST, wide(word) + SPACE));
    const x = next + width > room ? 0 : next;
    if (x < next) line += 1;
    next = x + width + SPACE;
    return [line, x, width];
  });
}

/** The first line that is shown: as late as can be, with the line `seen` in view. */
export const firstLine = (seen, lines) => clamp(lines - LINES, 0, seen);

/** A word that was written, or the one to come, with its box, which is returned. */
function buildStep(group, { word, digits }, number, shown, [x, y, width]) {
  const isNext = word === "";
  const middle = x + width / 2;
  const box = shape(group, "rect", {
    x,
    y: y + 1,
    width,
    height: isNext ? NEXT_BOX : BOX,
    rx: 4,
    class: isNext ? "spot next" : "spot",
    "data-step": number,
  });
  writeText(group, middle, y + WORD, shown, isNext ? "word faint" : "word written", "middle");
  if (isNext) return box;
  const under = { y1: y + UNDERLINE, y2: y + UNDERLINE };
  shape(group, "line", { x1: x + 2, x2: x + width - 2, ...under, class: "written" });
  writeText(group, middle, y + DIGITS, digits, "faint", "middle");
  return box;
}

/** The line above the rows: the scale, and which bar is whose. */
function buildHead(group, isWritten) {
  writeText(group, LEFT, HEAD, "next word", "faint");
  writeText(group, BARS, HEAD, "0", "faint", "middle");
  writeText(group, BARS + LONG, HEAD, "1", "faint", "middle");
  const box = { y: HEAD - KEY, width: KEY, height: KEY };
  writeText(group, MODEL, HEAD, "model", "", "end");
  shape(group, "rect", { ...box, x: MODEL_KEY, class: "model" });
  writeText(group, RIGHT, HEAD, isWritten ? "then" : "now", "", "end");
  shape(group, "rect", { ...box, x: NOW_KEY, class: "weight" });
}

/** One word of those that could come: its share now and in the model. */
function buildRow(group, row, y, isChosen, hatch) {
  const isOut = row.now === 0;
  const foot = y + ROW_WORD;
  const chosen = isChosen ? "chosen" : "";
  const word = isChosen ? MARK + short(row.word, CHOSEN_LETTERS) : short(row.word, ROW_LETTERS);
  const bar = { x: BARS, y: y + BAR_TOP, height: BAR_HEIGHT };
  writeText(group, LEFT, foot, word, isOut ? "out" : chosen);
  if (!isOut) shape(group, "rect", { ...bar, width: LONG * row.now, class: "weight" });
  const outline = shape(group, "rect", { ...bar, width: LONG * row.model, class: "model" });
  outline.style.fill = isOut ? hatch : "none";
  writeText(group, MODEL, foot, row.model_digits, "faint", "end");
  writeText(group, RIGHT, foot, row.now_digits, chosen, "end");
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, TOP + MOST_ROWS * ROW + 1);
  figure.classList.add("writer");
  const hatch = hatching(svg);
  const text = shape(svg, "g");
  const bars = shape(svg, "g");
  let picture;
  let spots; // the boxes of the steps that are in view
  // Numbers of steps: the one under the pointer, and the one that was clicked; null for the newest.
  let hovered = null;
  let pinned = null;

  function build() {
    const { prompt, steps } = picture;
    text.replaceChildren();
    spots = [];
    const words = [...prompt, ...steps.map(({ word }) => word || "?")];
    const shown = words.map((word) => short(word, LONGEST_WORD));
    const places = wrap(shown, RIGHT - LEFT - MORE);
    const last = places.at(-1)[0];
    const seen = prompt.length + (pinned ?? steps.length - 1);
    const first = firstLine(places[seen][0], last + 1);
    for (const [i, [line, left, width]] of places.entries()) {
      const x = LEFT + left;
      const y = (line - first) * PITCH;
      if (line < first || line >= first + LINES) continue;
      const number = i - prompt.length;
      if (number < 0) writeText(text, x + width / 2, y + WORD, shown[i], "word", "middle");
      else spots[number] = buildStep(text, steps[number], number, shown[i], [x, y, width]);
    }
    if (first > 0) writeText(text, RIGHT, WORD, DOTS, "faint", "end");
    if (last >= first + LINES)
      writeText(text, RIGHT, (LINES - 1) * PITCH + WORD, DOTS, "faint", "end");
    paint();
  }

  function paint() {
    const { steps, stopped } = picture;
    const here = hovered ?? pinned ?? steps.length - 1;
    const { word, rows, chosen, says } = steps[here];
    spots.forEach((spot, number) => {
      spot.classList.toggle("here", number === here);
    });
    bars.replaceChildren();
    buildHead(bars, word !== "");
    shape(bars, "line", { x1: BARS, x2: BARS, y1: TOP, y2: TOP + rows.length * ROW });
    for (const [i, row] of rows.entries()) buildRow(bars, row, TOP + i * ROW, i === chosen, hatch);
    say([says, stopped].filter(Boolean).join(" "));
  }

  const repaint = eachFrame(paint);
  function stepAt({ target }) {
    const number = target.dataset.step;
    return number === undefined ? null : Number(number);
  }
  function point(number) {
    pinned = number;
    hovered = null;
    build();
    return true;
  }
  function hover(number) {
    if (number === hovered) return;
    hovered = number;
    repaint();
  }
  function send(type) {
    model.send({ type });
    return true;
  }
  svg.addEventListener("pointermove", (event) => hover(stepAt(event)));
  svg.addEventListener("pointerleave", () => hover(null));
  svg.addEventListener("click", (event) => point(stepAt(event)));
  keys(svg, (key) => {
    const last = picture.steps.length - 1;
    const here = pinned ?? last;
    if (key in STEP_KEYS) return send(STEP_KEYS[key]);
    if (key === "ArrowRight" && here === last) return send("next"); // past the newest: write
    const next = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      Home: 0,
      End: last,
      Escape: last,
    }[key];
    return next !== undefined && point(clamp(next, 0, last));
  });
  function show() {
    picture = model.get("picture");
    point(null);
  }
  model.on("change:picture", show);
  show();
}

export default { render };
