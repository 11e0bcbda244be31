// A translation written word by word: where each row looks, what it writes, and that it is kept.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  fillIn,
  hatching,
  keys,
  place,
  shade,
  shape,
  short,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 620;
const HEIGHT = 220;
const LEFT = 90; // where self-attention begins
const TOP = 57; // of the first row
const BARS = 490; // where the probabilities begin
const BETWEEN = 12; // from self-attention to cross-attention
const BEFORE_BARS = 14;
const SELF_WIDTH = 270; // of all its columns, when there are many
const WIDEST_SELF = 31;
const WIDEST_CROSS = 60;
const HIGHEST_ROW = 26;
const FEWEST_COLUMNS = 5; // room that is always left for what will be written
const FEWEST_ROWS = 6;
const BASELINE = 4.5; // from the middle of a row to the foot of its letters

const CHIPS = 54; // where the source words begin
const WIDEST_CHIP = 142;
const CHIP_GAP = 5;
const CHIP_HEIGHT = 21;
const CHIP_WITH_DIGITS = 75; // a chip at least this wide has room for its weight
const CHIP_ROOM = 8; // of a chip, that its word cannot have
const CHIP_ROOM_WITH_DIGITS = 44;

const SOURCE_LINE = 16; // the feet of the lines above the tables
const TITLES_LINE = 37;
const NAMES_LINE = 52;
const NUMBERS_ROOM = 19; // for the numbers of rows, before their words
const TOKEN_ROOM = 54;
const AFTER_ROOM = 84;
const CROSS_NAMES = 20; // cells wider than this have room for a name
const LOCK = 76; // where the locks stand

const BAR_COUNT = 5;
const BAR_PITCH = 26;
const BAR_TOP = 5; // from the row of a bar to its upper edge
const BAR_HEIGHT = 16;
const BAR_TEXT = 17;
const BAR_LEFT = BARS + 66;
const BAR_WIDTH = 34; // of probability 1
const BAR_WORD_ROOM = 64;
const REMARK = 203; // the foot of "parameters set by hand"
const REMARK_PITCH = 14;

const WIDE_LETTER = 14;
const LETTER = 7.6;
const DIGITS_ROOM = 30; // of a cell, for "0.87"
const SHORT_DIGITS_ROOM = 20; // for ".87"
const LOOKS = 3; // source words that the caption names
const EVEN = 1e-6; // weights that differ by less are alike

const BLOCKS = ["self", "cross"];
const STEP_KEYS = {
  ArrowRight: "next",
  Enter: "next",
  " ": "next",
  ArrowLeft: "back",
  Backspace: "back",
};
const SENTENCES = {
  row: "Row {row}, {token}: looks at {looks} \u2192 next word {word} {probability}",
  alike: "all source words alike, {weight} each",
  self: "Row {row}, {token} \u2192 {word}, self-attention {weight}",
  cross: "Row {row}, {token} \u2192 {word}, cross-attention {weight}",
  blocked: "Row {row}, {token} \u2192 {word}, self-attention blocked, exactly 0",
};

/** About how wide a text is in units; Chinese, Japanese and emoji count double. */
export const wide = (text) =>
  [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? WIDE_LETTER : LETTER), 0);

/** As much of a token as fits in so many units. */
export function fit(token, room) {
  if (wide(token) <= room) return token;
  return short(token, Math.max(1, Math.floor((room / wide(token)) * [...token].length)));
}

/** A weight in a cell of this width: 0.87, .87 or nothing. */
export function inCell(x, width) {
  if (width < SHORT_DIGITS_ROOM) return "";
  return width < DIGITS_ROOM ? digits(x).replace(/^0|0$/, "") : digits(x);
}

/**
 * Heights, widths and where cross-attention begins, for T rows and S source words; room is left
 * for five rows.
 */
export function layout(T, S) {
  const own = Math.min(WIDEST_SELF, SELF_WIDTH / Math.max(FEWEST_COLUMNS, T));
  const second = LEFT + Math.max(FEWEST_COLUMNS, T) * own + BETWEEN;
  return {
    own,
    second,
    cross: Math.min(WIDEST_CROSS, (BARS - BEFORE_BARS - second) / S),
    high: Math.min(HIGHEST_ROW, (HEIGHT - TOP - 2) / Math.max(FEWEST_ROWS, T + 1)),
    chip: Math.min(WIDEST_CHIP, (WIDTH - CHIPS) / S),
  };
}

// Isolated: right-to-left words must not turn the digits round.
const quoted = (token) => `\u201c\u2068${token}\u2069\u201d`;

/** A row in words: the source words it looks at most, and the word it writes. */
export function tell(row, tokens, source, { cross, next }) {
  const order = [...cross.keys()].sort((i, j) => cross[j] - cross[i]);
  const isEven = cross[order[0]] - cross[order.at(-1)] < EVEN;
  const most = order.slice(0, LOOKS).map((j) => `${quoted(source[j])} ${digits(cross[j])}`);
  const alike = fillIn(SENTENCES.alike, { weight: digits(cross[order[0]]) });
  return fillIn(SENTENCES.row, {
    row: row + 1,
    token: quoted(tokens[row]),
    looks: isEven ? alike : most.join(", "),
    word: quoted(next[0].word),
    probability: digits(next[0].probability),
  });
}

const isFuture = (block, i, j, weight) => block === "self" && j > i && weight === 0;

/** The cell of one block of a row in words, or the whole row where there is no such cell. */
function speak({ tokens, rows }, source, { i, block, j }) {
  const weight = rows[i][block]?.[j];
  if (weight === undefined) return tell(i, tokens, source, rows[i]);
  const names = block === "self" ? tokens : source;
  return fillIn(SENTENCES[isFuture(block, i, j, weight) ? "blocked" : block], {
    row: i + 1,
    token: quoted(tokens[i]),
    word: quoted(names[j]),
    weight: digits(weight, 3),
  });
}

/** The source words: {rect, text} each. */
function buildChips(svg, source, { chip }) {
  writeText(svg, 0, SOURCE_LINE, "source", "key");
  return source.map((_, j) => {
    const x = CHIPS + j * chip;
    const middle = x + (chip - CHIP_GAP) / 2;
    return {
      rect: shape(svg, "rect", {
        x,
        y: 1,
        width: chip - CHIP_GAP,
        height: CHIP_HEIGHT,
        rx: 8,
        class: "chip",
      }),
      text: writeText(svg, middle, SOURCE_LINE, "", "", "middle"),
    };
  });
}

/** The titles of the tables and the names of their columns. */
function buildTitles(svg, source, count, { second, own, cross }) {
  writeText(svg, 0, TITLES_LINE, "target", "query");
  writeText(svg, LEFT, TITLES_LINE, "self-attention", "title");
  writeText(svg, second, TITLES_LINE, "cross-attention", "title");
  writeText(svg, BARS, TITLES_LINE, "next word", "title");
  for (let j = 0; j < count; j++)
    writeText(svg, LEFT + (j + 0.5) * own, NAMES_LINE, `${j + 1}`, "query", "middle");
  if (cross > CROSS_NAMES)
    for (const [j, token] of source.entries()) {
      const middle = second + (j + 0.5) * cross;
      writeText(svg, middle, NAMES_LINE, fit(token, cross - 2), "key", "middle");
    }
}

/** The cells of one row, in both tables. */
function buildCells(svg, row, i, { own, second, cross, high }, hatch) {
  const places = { self: { left: LEFT, width: own }, cross: { left: second, width: cross } };
  const y = TOP + i * high;
  for (const block of BLOCKS)
    for (const [j, weight] of row[block].entries()) {
      const { left, width } = places[block];
      const x = left + j * width;
      const future = isFuture(block, i, j, weight);
      const rect = shape(svg, "rect", { x, y, width, height: high, class: "cell" });
      rect.style.fill = future ? hatch : shade(weight);
      const text = future ? "" : inCell(weight, width);
      writeText(svg, x + width / 2, y + high / 2 + BASELINE, text, "", "middle");
    }
}

/** The rows that are written: their words, their cells, and a lock for those that are kept. */
function buildRows(svg, { tokens, rows, stopped }, grid) {
  const hatch = hatching(svg);
  for (const [i, token] of tokens.entries()) {
    const foot = TOP + (i + 0.5) * grid.high + BASELINE;
    const isLast = i === tokens.length - 1;
    writeText(svg, 0, foot, `${i + 1}`, "faint");
    writeText(svg, NUMBERS_ROOM, foot, fit(token, TOKEN_ROOM), isLast ? "title" : "query");
    if (i >= rows.length) {
      writeText(svg, LEFT, foot, stopped, "title");
      return;
    }
    if (i < rows.length - 1) {
      const body = `M${LOCK} ${foot - 5}h9v6h-9z`;
      const shackle = `M${LOCK + 2} ${foot - 5}v-2a2.5 2.5 0 0 1 5 0v2`;
      shape(svg, "path", { d: body + shackle, class: "lock" });
    }
    buildCells(svg, rows[i], i, grid, hatch);
  }
}

/** The bars of the next words, still empty: {word, bar, text} each. */
function buildBars(svg) {
  return Array.from({ length: BAR_COUNT }, (_, i) => {
    const y = TOP + BAR_PITCH * i;
    return {
      word: writeText(svg, BARS, y + BAR_TEXT, ""),
      bar: shape(svg, "rect", { x: BAR_LEFT, y: y + BAR_TOP, height: BAR_HEIGHT, class: "weight" }),
      text: writeText(svg, WIDTH, y + BAR_TEXT, "", "", "end"),
    };
  });
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("decoder-stepper");
  const source = model.get("source");
  let grid;
  let picture;
  let band;
  let chips;
  let bars;
  let after;
  let pointed; // {i, block, j}, block and j only where a cell is pointed at; null: the newest row

  function build() {
    picture = model.get("picture");
    pointed = null;
    const count = picture.rows.length;
    grid = layout(count, source.length);
    svg.replaceChildren();
    chips = buildChips(svg, source, grid);
    band = shape(svg, "rect", { width: BARS - BEFORE_BARS, height: grid.high, class: "band" });
    buildTitles(svg, source, count, grid);
    buildRows(svg, picture, grid);
    after = writeText(svg, BARS, NAMES_LINE, "", "faint");
    bars = buildBars(svg);
    if (model.get("by_hand"))
      for (const [i, text] of ["parameters", "set by hand"].entries())
        writeText(svg, WIDTH, REMARK + REMARK_PITCH * i, text, "faint", "end");
    paint();
  }

  function paintChips(cross) {
    for (const [j, { rect, text }] of chips.entries()) {
      rect.style.fill = shade(cross[j]);
      const hasDigits = grid.chip >= CHIP_WITH_DIGITS;
      const room = grid.chip - (hasDigits ? CHIP_ROOM_WITH_DIGITS : CHIP_ROOM);
      const word = fit(source[j], room);
      text.textContent = hasDigits ? `${word} ${digits(cross[j])}` : word;
    }
  }

  function paintBars(next) {
    for (const [i, { word, bar, text }] of bars.entries()) {
      const { word: token, probability } = next[i] ?? { word: "", probability: 0 };
      word.textContent = fit(token, BAR_WORD_ROOM);
      bar.setAttribute("width", BAR_WIDTH * clamp(probability, 0, 1));
      text.textContent = token && digits(probability);
    }
  }

  function paint() {
    const { tokens, rows, kept, stopped } = picture;
    const cell = pointed ?? { i: rows.length - 1 };
    const { cross, next } = rows[cell.i];
    band.setAttribute("y", TOP + cell.i * grid.high);
    paintChips(cross);
    after.textContent = `after ${fit(tokens[cell.i], AFTER_ROOM)}`;
    paintBars(next);
    const sentences = [speak(picture, source, cell), kept, stopped];
    say(sentences.filter(Boolean).join(" \u00b7 "));
  }

  const repaint = eachFrame(paint);
  function point(cell) {
    pointed = cell;
    repaint();
    return true;
  }
  svg.addEventListener("pointermove", (event) => {
    const [x, y] = place(svg, event);
    const i = Math.floor((y - TOP) / grid.high);
    const isSelf = x < grid.second;
    const column = isSelf ? (x - LEFT) / grid.own : (x - grid.second) / grid.cross;
    const cell = { i, block: isSelf ? "self" : "cross", j: Math.floor(column) };
    point(picture.rows[i] ? cell : null);
  });
  svg.addEventListener("pointerleave", () => point(null));
  keys(svg, (key) => {
    if (key in STEP_KEYS) {
      model.send({ type: STEP_KEYS[key] });
      return true;
    }
    const last = picture.rows.length - 1;
    const i = pointed?.i ?? last;
    if (key === "End" || key === "Escape") return point(null);
    const row = { ArrowUp: Math.max(i - 1, 0), ArrowDown: Math.min(i + 1, last), Home: 0 }[key];
    return row !== undefined && point({ i: row });
  });
  model.on("change:picture", build);
  build();
}

export default { render };
