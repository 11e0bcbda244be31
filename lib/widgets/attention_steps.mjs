// Attention with every digit: X -> Q, K, V -> scores -> scaled -> masked -> weights -> output,
// one step at a time.
import {
  clamp,
  digits,
  drag,
  drawing,
  eachFrame,
  fillIn,
  hatching,
  isolate,
  keys,
  place,
  saveChanges,
  setAttributes,
  shade,
  shape,
  short,
  step,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 440;
const HEIGHT = 240;
const NAMES = 60; // room for the names of the rows, left of a matrix
const NAME_LETTERS = 7; // of the name of a row
const CAPTION_LETTERS = 20; // of a word in the caption
const NAME_GAP = 6; // between the names of columns
const LETTER = 6.5; // about how wide a letter of a column's name is
const HIGHEST_ROW = 28;
const WIDEST_CELL = 64; // where nothing is multiplied
const WIDEST_FACTOR = 56; // a cell of a product and of what is multiplied
const NARROWEST_FACTOR = 46; // so that "-12.34" has room
const GAP = 14; // from the first factor to the product
const SUMS = 44; // right of the weights, for the sum of each row
const COLUMN_NAMES = 17; // above a matrix
const TITLE_AND_NAMES = 34; // above a matrix without a second factor
const BETWEEN = 18; // from a matrix to the one below, for its title
const ABOVE = 5; // from a line of text to the matrix below it
const SECOND_LINE = 22; // from the title to the matrix, where the names of columns come between
const BESIDE = 5; // from a text to the matrix at its right
const SUM_BESIDE = 8; // from a row of weights to its sum
const BASELINE = 4.5; // from the middle of a row to the foot of its digits
const HINT = 12; // the first line of the hints
const HINT_PITCH = 17;

const START = { part: "result", i: 0, j: 3 }; // the cell that is pointed at first
const LAST_STEP = 5;
const MOST = 3; // the largest digit that can be set by hand
const SMALLEST_CHANGE = 0.1;
const DRAG = 60; // units of the drawing for a change by 1
const ROUNDING = 1e-9;

const ATTENTIONS = { Q: "query", K: "key", V: "value" };
const PARTS = ["first", "second", "result"]; // first · second = result, or first above result
const STEP_KEYS = { "]": 1, Enter: 1, " ": 1, "[": -1, Backspace: -1 };
const CHANGE_KEYS = {
  "+": SMALLEST_CHANGE,
  "=": SMALLEST_CHANGE,
  "-": -SMALLEST_CHANGE,
  "\u2212": -SMALLEST_CHANGE,
};
// An arrow key at the edge of a matrix goes on in its neighbour, at the edge that is nearest.
const NEIGHBOURS_IN_PRODUCT = {
  first: { ArrowRight: "result" },
  second: { ArrowDown: "result" },
  result: { ArrowLeft: "first", ArrowUp: "second" },
};
const NEIGHBOURS_IN_STACK = { first: { ArrowDown: "result" }, result: { ArrowUp: "first" } };
const NEAREST_EDGE = {
  ArrowRight: { j: 0 },
  ArrowLeft: { j: Infinity },
  ArrowDown: { i: 0 },
  ArrowUp: { i: Infinity },
};

const SCALED = "scores \u00f7 \u221ad_k";
const HINTS = [
  "drag a digit of X or {parameters}",
  "or point and press + \u2212",
  "Enter: next step",
];
const SENTENCES = {
  digit: "{matrix}({row}, {column}) = {digit}",
  held: "{matrix}({row}, {column}) = {digit}: drag it, or press + and \u2212",
  sum: "{matrix}({row}, {column}) = {sum}",
  exact: "{terms} = {result}",
  rounded: "{terms} \u2248 {result}",
  scaled:
    "score({asks}, {asked}) \u00f7 \u221ad_k = {before} \u00f7 \u221a{dK} = " +
    "{before} \u00f7 {root} \u2248 {after}",
  weight: "weight({asks}, {asked}) = {quotient}",
  noMask:
    "No mask here: every query may look at every key. " +
    "Nothing changes, score({asks}, {asked}) stays {after}",
  seen:
    "\u201c{asked}\u201d does not come after \u201c{asks}\u201d: " +
    "score({asks}, {asked}) stays {after}",
  masked:
    "\u201c{asked}\u201d comes after \u201c{asks}\u201d, which may not look ahead: " +
    "the score becomes \u2212\u221e, so the weight will be exactly 0",
};

const bracket = (x, places) => digits(x, places).replace(/^\u2212.*/, "($&)");
const isRounded = (x, places) => Math.abs(x - Number(x.toFixed(places))) < ROUNDING;
const transposed = (rows) => rows[0].map((_, j) => rows.map((row) => row[j]));
const total = (row) => row.reduce((sum, x) => sum + x);
const nameOf = (token) => isolate(short(token, CAPTION_LETTERS));

/** A number in the room of a cell: fewer decimal places for larger ones. */
function fitted(x) {
  if (x === -Infinity) return "\u2212\u221e";
  if (Math.abs(x) >= 100) return digits(x, 0);
  return digits(x, Math.abs(x) >= 10 ? 1 : 2);
}

/** The sum behind one cell of a matrix product; "≈" where the digits shown are rounded. */
export function spellProduct(row, column, places = 2) {
  const sum = total(row.map((x, i) => x * column[i]));
  const exact = [...row, ...column].every((x) => isRounded(x, places)) && isRounded(sum, 2);
  const terms = row.map((x, i) => `${bracket(x, places)} \u00d7 ${bracket(column[i], places)}`);
  const sentence = exact ? SENTENCES.exact : SENTENCES.rounded;
  return fillIn(sentence, { terms: terms.join(" + "), result: digits(sum) });
}

/** The quotient behind one weight of a row of scores; a masked score is -Infinity. */
export function spellSoftmax(row, i) {
  const largest = Math.max(...row);
  const powers = row.map((score) => Math.exp(score - largest));
  const weight = powers[i] / total(powers);
  const names = row.map((score) => `e^${score === -Infinity ? "\u2212\u221e" : digits(score)}`);
  const exact = weight === 0 || weight === 1;
  return fillIn(exact ? SENTENCES.exact : SENTENCES.rounded, {
    terms: `${names[i]} / (${names.join(" + ")})`,
    result: weight === 0 ? "exactly 0" : digits(weight),
  });
}

// The names along a matrix: {names, kind}; kind is the class that colours them.
const askingWords = (get) => ({ names: get("queries"), kind: "query" });
const askedWords = (get) => ({ names: get("tokens"), kind: "key" });
const counted = (rows) => ({ names: rows[0].map((_, j) => `${j + 1}`), kind: "faint" });

/** A matrix of (T, S): one row for each query, one column for each key. */
const mapOf = (get, name, rows) => ({
  name,
  rows,
  down: askingWords(get),
  across: askedWords(get),
});

/** The words of a pair in a map, as the holes of a sentence. */
const pairOf = ({ down, across }, i, j) => ({
  asks: nameOf(down.names[i]),
  asked: nameOf(across.names[j]),
});

/** X · W = Q, K or V. What the reader has just changed is shown before Python knows it. */
function projecting(get) {
  const arrays = get("numbers");
  const made = get("matrix");
  const edited = get("edited");
  const parameters = get("parameters")[made];
  const isQuery = made === "Q";
  const kind = ATTENTIONS[made];
  const words = isQuery ? askingWords(get) : { ...askedWords(get), kind };
  const axes = { names: get("axes"), kind: "" };
  const vectors = (isQuery ? arrays.X_queries : arrays.X).map((row, i) =>
    Object.hasOwn(edited, words.names[i]) ? edited[words.names[i]] : row,
  );
  const name = isQuery && get("attention") === "cross" ? "target X" : "X";
  return product(
    { name, rows: vectors, down: words, across: axes, places: 1 },
    { name: `W_${made}`, rows: parameters, down: axes, across: counted(parameters), places: 1 },
    { name: made, rows: arrays[made], kind },
    made,
  );
}

/** Q · Kᵀ = scores. */
function comparing(get) {
  const { Q, K, products } = get("numbers");
  const keysDown = transposed(K);
  const queries = { name: "Q", rows: Q, down: askingWords(get), across: counted(Q), kind: "query" };
  const keyColumns = {
    name: "K\u1d40",
    rows: keysDown,
    down: counted(K),
    across: askedWords(get),
    kind: "key",
  };
  return product(queries, keyColumns, mapOf(get, "scores", products), "score");
}

/** Scores, divided by √d_k. */
function scaling(get) {
  const { K, products, scaled } = get("numbers");
  const dK = K[0].length;
  const first = mapOf(get, "scores", products);
  const speakResult = (i, j) =>
    fillIn(SENTENCES.scaled, {
      ...pairOf(first, i, j),
      before: digits(products[i][j]),
      dK,
      root: digits(Math.sqrt(dK)),
      after: digits(scaled[i][j]),
    });
  return { first, result: mapOf(get, SCALED, scaled), speakResult };
}

/** Scores that softmax sees: -Infinity where masked. */
function maskedScores(get) {
  const { mask, scaled } = get("numbers");
  const rows = scaled.map((row, i) => row.map((x, j) => (mask[i][j] ? x : -Infinity)));
  return mapOf(get, get("attention") === "causal" ? "masked scores" : SCALED, rows);
}

function masking(get) {
  const { mask, scaled } = get("numbers");
  const first = mapOf(get, SCALED, scaled);
  const idle = get("attention") !== "causal";
  const speakResult = (i, j) => {
    const values = { ...pairOf(first, i, j), after: digits(scaled[i][j]) };
    if (idle) return fillIn(SENTENCES.noMask, values);
    return fillIn(mask[i][j] ? SENTENCES.seen : SENTENCES.masked, values);
  };
  return { first, result: maskedScores(get), speakResult, idle };
}

/** The softmax of each row of scores. */
function normalising(get) {
  const first = maskedScores(get);
  const result = mapOf(get, "weights", get("numbers").weights);
  const speakResult = (i, j) =>
    fillIn(SENTENCES.weight, {
      ...pairOf(first, i, j),
      quotient: spellSoftmax(first.rows[i], j),
    });
  return { first, result, speakResult, sums: true };
}

/** weights · V = output. */
function averaging(get) {
  const { weights, V, output } = get("numbers");
  const down = { ...askedWords(get), kind: "value" };
  return product(
    mapOf(get, "weights", weights),
    { name: "V", rows: V, down, across: counted(V), kind: "value" },
    { name: "output", rows: output, kind: "value" },
    "output",
  );
}

/** Two factors and their product, one cell of which the caption calls `cellName`. */
function product(first, second, result, cellName) {
  const speakResult = (i, j) => {
    const column = second.rows.map((row) => row[j]);
    return fillIn(SENTENCES.sum, {
      matrix: cellName,
      row: nameOf(first.down.names[i]),
      column: nameOf(second.across.names[j]),
      sum: spellProduct(first.rows[i], column, first.places),
    });
  };
  return { first, second, result, speakResult };
}

const STEPS = [projecting, comparing, scaling, masking, normalising, averaging];

/** The matrices of a step and speakResult(i, j), how a cell of its result comes about. */
export const phase = (get) => STEPS[get("step")](get);

/** The pointed cell in words: its sum, or what became of it. */
export function speak(parts, { part, i, j }) {
  if (!parts.second || part === "result") return parts.speakResult(i, j);
  const { name, rows, down, across, places } = parts[part];
  return fillIn(places ? SENTENCES.held : SENTENCES.digit, {
    matrix: name,
    row: nameOf(down.names[i]),
    column: nameOf(across.names[j]),
    digit: digits(rows[i][j], places),
  });
}

/** Where each matrix begins, how wide its cells are, and how high all rows are. */
export function layout({ first, second, result }) {
  const rows = first.rows.length;
  const columns = first.rows[0].length;
  const rowsAbove = second ? second.rows.length : rows;
  const top = second ? COLUMN_NAMES : TITLE_AND_NAMES;
  const room = HEIGHT - top - BETWEEN - 1;
  const rowHeight = Math.min(HIGHEST_ROW, room / (rowsAbove + rows));
  const below = top + rowsAbove * rowHeight + BETWEEN;
  if (!second) {
    const width = Math.min(WIDEST_CELL, (WIDTH - NAMES - SUMS) / columns);
    return {
      rowHeight,
      first: { x: NAMES, y: top, width },
      result: { x: NAMES, y: below, width },
    };
  }
  const across = WIDTH - NAMES - GAP - 1;
  const made = result.rows[0].length;
  const width = clamp(across / (columns + made), NARROWEST_FACTOR, WIDEST_FACTOR);
  const narrow = Math.min(WIDEST_FACTOR, (across - made * width) / columns);
  const right = NAMES + columns * narrow + GAP;
  return {
    rowHeight,
    first: { x: NAMES, y: below, width: narrow },
    second: { x: right, y: top, width },
    result: { x: right, y: below, width },
  };
}

/** What is shaded for the pointed cell: two spans of cells, each from one corner to another. */
function spansAt({ first, second, result, sums }, { part, i, j }) {
  const cell = (name) => ({ part: name, i, j });
  const row = (name, { rows }) => [
    { part: name, i, j: 0 },
    { part: name, i, j: rows[0].length - 1 },
  ];
  if (!second) {
    const wholeRow = sums && part === "result"; // softmax looks at the whole row
    const seen = wholeRow ? row("first", first) : [cell("first"), cell("first")];
    return [seen, [cell("result"), cell("result")]];
  }
  if (part === "first") return [[cell("first"), cell("first")], row("result", result)];
  if (part === "second") {
    const bottom = { part: "result", i: result.rows.length - 1, j };
    return [
      [cell("second"), cell("second")],
      [{ part: "result", i: 0, j }, bottom],
    ];
  }
  return [
    [{ part: "first", i, j: 0 }, cell("result")],
    [{ part: "second", i: 0, j }, cell("result")],
  ];
}

/** The rectangle over everything from one cell to another. */
function boxOf(grid, [start, end]) {
  const x = grid[start.part].x + start.j * grid[start.part].width;
  const y = grid[start.part].y + start.i * grid.rowHeight;
  const right = grid[end.part].x + (end.j + 1) * grid[end.part].width;
  const bottom = grid[end.part].y + (end.i + 1) * grid.rowHeight;
  return { x, y, width: right - x, height: bottom - y };
}

/** The empty cells of one matrix: {part, i, j, rect, text} each. */
function buildCells(svg, grid, part, { rows, places, kind = "" }) {
  const { x, y, width } = grid[part];
  const height = grid.rowHeight;
  const cells = [];
  for (const [i, row] of rows.entries())
    for (const j of row.keys()) {
      const rect = shape(svg, "rect", {
        x: x + j * width,
        y: y + i * height,
        width,
        height,
        class: places ? "cell hold" : "cell",
      });
      const foot = y + (i + 0.5) * height + BASELINE;
      const text = writeText(svg, x + (j + 0.5) * width, foot, "", kind, "middle");
      cells.push({ part, i, j, rect, text });
    }
  return cells;
}

/** The names of columns and rows around the matrices of a step, and the titles. */
function buildNames(svg, grid, parts, part) {
  const { name, rows, down, across } = parts[part];
  const { x, y, width } = grid[part];
  const isResult = part === "result";
  const isStack = !parts.second;
  const letters = Math.floor((width - NAME_GAP) / LETTER);
  const foot = (i) => y + (i + 0.5) * grid.rowHeight + BASELINE;
  if (!isResult)
    for (const [j, column] of across.names.entries()) {
      const middle = x + (j + 0.5) * width;
      writeText(svg, middle, y - ABOVE, short(column, letters), across.kind, "middle");
    }
  if (!isResult || isStack)
    for (const [i, row] of down.names.entries())
      writeText(svg, x - BESIDE, foot(i), short(row, NAME_LETTERS), down.kind, "end");
  const title = `${name}  ${rows.length} \u00d7 ${rows[0].length}`;
  if (part === "second") writeText(svg, x - BESIDE, y - ABOVE, title, "title", "end");
  else if (part === "first") writeText(svg, x, y - SECOND_LINE, title, "title");
  else writeText(svg, x, y - ABOVE, isStack ? `\u2193 ${title}` : title, "title");
}

/** The sum of each row of weights, at its right. */
function buildSums(svg, grid, rows) {
  const { x, y, width } = grid.result;
  const right = x + rows[0].length * width + SUM_BESIDE;
  writeText(svg, right, y - ABOVE, "sum", "faint");
  for (const [i, row] of rows.entries()) {
    const foot = y + (i + 0.5) * grid.rowHeight + BASELINE;
    writeText(svg, right, foot, digits(total(row)));
  }
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("steps");
  const get = (name) => model.get(name);
  let parts;
  let grid;
  let cells;
  let bands;
  let ring;
  let hatch;
  let here = START;
  let pinned = false;
  let stale = false;

  function build() {
    stale = false;
    parts = phase(get);
    grid = layout(parts);
    svg.replaceChildren();
    hatch = hatching(svg);
    cells = [];
    for (const part of PARTS.filter((name) => parts[name])) {
      cells.push(...buildCells(svg, grid, part, parts[part]));
      buildNames(svg, grid, parts, part);
    }
    if (parts.sums) buildSums(svg, grid, parts.result.rows);
    if (parts.first.places)
      for (const [i, hint] of HINTS.entries()) {
        const words = fillIn(hint, { parameters: parts.second.name });
        writeText(svg, 0, HINT + HINT_PITCH * i, words, "faint");
      }
    bands = [0, 1].map(() => shape(svg, "rect", { class: "band" }));
    ring = shape(svg, "rect", { class: "ring", rx: 3 });
    paint();
  }

  /** The cell pointed at, kept inside the matrices of this step. */
  function pointed() {
    const part = parts[here.part] ? here.part : "result";
    const { rows } = parts[part];
    return {
      part,
      i: clamp(here.i, 0, rows.length - 1),
      j: clamp(here.j, 0, rows[0].length - 1),
    };
  }

  function paintCell({ part, i, j, rect, text }) {
    const { name, rows, places } = parts[part];
    const x = rows[i][j];
    const isWeight = name === "weights";
    const off = x === -Infinity || (isWeight && !get("numbers").mask[i][j]);
    text.textContent = places ? digits(x, places) : fitted(x);
    rect.style.fill = "";
    if (isWeight) rect.style.fill = shade(x);
    if (isWeight && off) text.textContent = "0";
    if (off) rect.style.fill = hatch;
    text.classList.toggle("idle", part === "result" && parts.idle === true);
  }

  function paint() {
    parts = phase(get);
    const cell = pointed();
    cells.forEach(paintCell);
    for (const [i, span] of spansAt(parts, cell).entries())
      setAttributes(bands[i], boxOf(grid, span));
    setAttributes(ring, boxOf(grid, [cell, cell]));
    ring.classList.toggle("pinned", pinned);
    say(speak(parts, cell));
  }

  const repaint = eachFrame(() => (stale ? build() : paint()));
  function rebuild() {
    stale = true;
    repaint();
  }
  function point(cell) {
    here = cell;
    repaint();
    return true;
  }
  /** Give a cell of X or of the parameters another digit. */
  function put({ part, i, j }, value) {
    const { rows, down } = parts[part];
    const row = rows[i].with(j, clamp(Math.round(value * 10) / 10, -MOST, MOST));
    if (part === "first") {
      saveChanges(model, { edited: { ...get("edited"), [down.names[i]]: row } });
    } else {
      const parameters = { ...get("parameters"), [get("matrix")]: rows.with(i, row) };
      saveChanges(model, { parameters });
    }
    return point({ part, i, j });
  }
  function turn(steps) {
    saveChanges(model, { step: clamp(get("step") + steps, 0, LAST_STEP) });
    return true;
  }

  const cellOf = (event) => cells.find(({ rect }) => rect === event.target);
  const isHere = ({ part, i, j }) => part === here.part && i === here.i && j === here.j;
  function take(event) {
    const cell = cellOf(event);
    if (!cell || stale || !parts[cell.part].places) return null;
    return { cell, from: place(svg, event)[0], value: parts[cell.part].rows[cell.i][cell.j] };
  }
  function pull({ cell, from, value }, x) {
    const isOld = stale || !cells.includes(cell); // other words by now
    if (!isOld) put(cell, value + (x - from) / DRAG);
  }
  drag(svg, take, pull);
  // Not pointerover: a new step under a resting mouse must not move the pointed cell.
  svg.addEventListener("pointermove", (event) => {
    const cell = cellOf(event);
    if (cell && cell !== here && !pinned && event.buttons === 0) point(cell);
  });
  svg.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    pinned = !(pinned && isHere(cell));
    svg.focus({ preventScroll: true });
    point(cell);
  });

  /** The cell that an arrow key leads to: in this matrix, or in its neighbour; null otherwise. */
  function walk(key, { part, i, j }) {
    const { rows } = parts[part];
    const next = step(key, [i, j], rows.length, rows[0].length);
    if (!next) return null;
    const atEdge = next[0] === i && next[1] === j;
    const neighbours = parts.second ? NEIGHBOURS_IN_PRODUCT : NEIGHBOURS_IN_STACK;
    const neighbour = atEdge && neighbours[part][key];
    if (neighbour) return { i, j, ...NEAREST_EDGE[key], part: neighbour };
    return { part, i: next[0], j: next[1] };
  }
  keys(svg, (key) => {
    parts = phase(get); // a held key is faster than the screen
    const cell = pointed();
    const { rows, places } = parts[cell.part];
    if (key in STEP_KEYS) return turn(STEP_KEYS[key]);
    if (key === "Escape") {
      pinned = false;
      return point(cell);
    }
    if (key in CHANGE_KEYS)
      return places ? put(cell, rows[cell.i][cell.j] + CHANGE_KEYS[key]) : true;
    const next = walk(key, cell);
    return next !== null && point(next);
  });
  model.on("change:step", () => {
    here = { ...here, part: "result" }; // to the result of the new step
  });
  for (const name of ["step", "matrix", "attention", "tokens", "queries"])
    model.on(`change:${name}`, rebuild);
  for (const name of ["numbers", "edited", "parameters"]) model.on(`change:${name}`, repaint);
  build();
}

export default { render };
