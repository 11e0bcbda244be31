// Scores, weights and outputs side by side; a mask to paint over the scores.
import {
  digits,
  drag,
  drawing,
  eachFrame,
  fillIn,
  hatching,
  keys,
  place,
  saveChanges,
  setAttributes,
  shade,
  shape,
  step,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 620;
const HEIGHT = 194;
const ROW = 26; // how high a row is
const TOP = 37; // of the first row
const TITLE = 12; // the foot of the titles
const COLUMN_NAMES = 31;
const ROW_NAMES = 36; // where they end
const SUM = 508; // the middle of the sums of the rows
const BASELINE = 0.68; // the foot of a row's digits, as a part of the row
// Three tables beside each other: where they begin and how wide their cells are.
const TABLES = [
  { name: "scores", x: 42, width: 36 },
  { name: "weights", x: 268, width: 36 },
  { name: "output", x: 532, width: 44 },
];
const OUTPUTS = ["1", "2"]; // the columns of the output
const START = [0, 3]; // the cell that is pointed at first
const LESS = 1e-6; // by which a row must miss 1 to be marked

const MINUS_INFINITY = "\u2212\u221e";
const TITLES = {
  scores: "scores: click or drag",
  weights: "weights",
  cut: "weights \u00d7 mask",
  renormalised: "weights \u00d7 mask \u00f7 row sum",
  output: "output",
};
const SENTENCES = {
  blocked: "blocked, exactly 0",
  exact: "{quotient} = {share}",
  rounded: "{quotient} \u2248 {share}",
  cut: "{share} \u00d7 0 = 0: blocked",
  renormalised: "{share} \u00f7 row sum {sum} \u2248 {weight}",
  output: "{terms} \u2248 {output}",
  noWeights: "no weights, so 0",
  outputCell: "output({asks}, {column}) = {sum}. {note}",
  weightCell: "weight({asks}, {asked}) = {share}. {note}",
  blockedCell: "weight({asks}, {asked}): {share}. {note}",
  blackRow: "\u201c{asks}\u201d may attend to nothing: {black}. {note}",
};

/** The cells on the way from one to another, without the first: a fast pointer jumps over some. */
export function path([row, column], [lastRow, lastColumn]) {
  const steps = Math.max(Math.abs(lastRow - row), Math.abs(lastColumn - column));
  const between = (start, end, i) => Math.round(start + ((end - start) * i) / steps);
  return Array.from({ length: steps }, (_, i) => [
    between(row, lastRow, i + 1),
    between(column, lastColumn, i + 1),
  ]);
}

/** A quotient of a softmax: "e^1.5 / (e^1.5 + e^0.2)". */
function spellQuotient(score, seen) {
  const powers = seen.map((other) => `e^${digits(other, 1)}`);
  const sum = powers.length > 1 ? `(${powers.join(" + ")})` : powers[0];
  return `e^${digits(score, 1)} / ${sum}`;
}

/** How one weight of a row comes about; allowed says which keys the query may attend to. */
export function spell(scores, allowed, j, after = false, renormalise = false) {
  if (!after && !allowed[j]) return SENTENCES.blocked;
  const seen = scores.filter((_, i) => after || allowed[i]);
  const total = seen.reduce((sum, score) => sum + Math.exp(score), 0);
  const shares = scores.map((score) => Math.exp(score) / total);
  const share = digits(shares[j]);
  const quotient = spellQuotient(scores[j], seen);
  if (!after && seen.length === 1) return fillIn(SENTENCES.exact, { quotient, share });
  if (after && !allowed[j]) return fillIn(SENTENCES.cut, { share });
  if (!after || !renormalise) return fillIn(SENTENCES.rounded, { quotient, share });
  const sum = shares.reduce((left, each, i) => left + (allowed[i] ? each : 0), 0);
  return fillIn(SENTENCES.renormalised, {
    share,
    sum: digits(sum),
    weight: digits(shares[j] / sum),
  });
}

/** One number of an output: the weighted sum of the values, keys without weight left out. */
export function spellSum(weights, values, output) {
  const bracket = (x) => digits(x, 1).replace(/^\u2212.*/, "($&)");
  const terms = [];
  for (const [i, weight] of weights.entries())
    if (weight > 0) terms.push(`${digits(weight)} \u00d7 ${bracket(values[i])}`);
  if (!terms.length) return SENTENCES.noWeights;
  return fillIn(SENTENCES.output, { terms: terms.join(" + "), output: digits(output) });
}

/** What is above the weights: how they come about. */
function weightsTitle({ after, renormalise }) {
  if (!after) return TITLES.weights;
  return renormalise ? TITLES.renormalised : TITLES.cut;
}

/** The cell [row, column] in words; columns count through the three tables. */
function speak(tokens, mask, shown, [i, column]) {
  const { scores, weights, output, values, after, renormalise, note, black } = shown;
  const j = column % tokens.length;
  const asks = tokens[i];
  if (!mask[i].includes(true)) return fillIn(SENTENCES.blackRow, { asks, black, note });
  if (column >= 2 * tokens.length) {
    const dimension = values.map((row) => row[j]);
    const sum = spellSum(weights[i], dimension, output[i][j]);
    return fillIn(SENTENCES.outputCell, { asks, column: j + 1, sum, note });
  }
  const share = spell(scores[i], mask[i], j, after, renormalise);
  const sentence = mask[i][j] || after ? SENTENCES.weightCell : SENTENCES.blockedCell;
  return fillIn(sentence, { asks, asked: tokens[j], share, note });
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("mask-painter");
  const tokens = model.get("tokens");
  const T = tokens.length;
  const columns = [...tokens, ...tokens, ...OUTPUTS]; // the names of all, in the three tables
  const hatch = hatching(svg);
  const isMap = (column) => column < 2 * T; // scores and weights, not the output
  const tableOf = (column) => TABLES[Math.floor(column / T)];
  function box(i, column) {
    const { x, width } = tableOf(column);
    return { x: x + (column % T) * width, y: TOP + i * ROW, width, height: ROW };
  }
  const foot = (i) => TOP + (i + BASELINE) * ROW;
  const band = shape(svg, "rect", { class: "band" });
  const titles = {};
  for (const { name, x } of TABLES) titles[name] = writeText(svg, x, TITLE, TITLES[name], "title");
  writeText(svg, SUM, COLUMN_NAMES, "sum", "faint", "middle");
  const rows = tokens.map(buildRow);
  // On the score and on its weight.
  const rings = [0, 1].map(() => shape(svg, "rect", { rx: 3, class: "ring" }));
  let here = START;

  function buildRow(token, i) {
    writeText(svg, ROW_NAMES, foot(i), token, "query", "end");
    const cells = columns.map((name, column) => buildCell(i, column, name));
    return { cells, sum: writeText(svg, SUM, foot(i), "", "", "middle") };
  }
  function buildCell(i, column, name) {
    const corner = box(i, column);
    const middle = corner.x + corner.width / 2;
    const kinds = isMap(column)
      ? { name: "key", cell: "cell hold", text: "" }
      : { name: "faint", cell: "cell", text: "value" };
    if (i === 0) writeText(svg, middle, COLUMN_NAMES, name, kinds.name, "middle");
    return {
      rect: shape(svg, "rect", { ...corner, class: kinds.cell }),
      text: writeText(svg, middle, foot(i), "", kinds.text, "middle"),
    };
  }

  function paintCell({ rect, text }, i, column) {
    const { scores, weights, output, after } = model.get("shown");
    const j = column % T;
    const { name } = tableOf(column);
    if (name === "output") {
      text.textContent = digits(output[i][j]);
      return;
    }
    const seen = model.get("mask")[i][j];
    text.classList.toggle("blocked", !seen);
    rect.style.fill = seen ? "" : hatch;
    if (name === "scores") {
      text.textContent = seen || after ? digits(scores[i][j], 1) : MINUS_INFINITY;
      return;
    }
    text.textContent = seen ? digits(weights[i][j]) : "0";
    if (seen) rect.style.fill = shade(weights[i][j]);
  }

  function paintSum(text, weights) {
    const total = weights.reduce((sum, weight) => sum + weight);
    const isLess = total < 1 - LESS;
    text.textContent = isLess ? `\u25be${digits(total)}` : digits(total);
    text.classList.toggle("less", isLess);
  }

  function paint() {
    const shown = model.get("shown");
    titles.weights.textContent = weightsTitle(shown);
    for (const [i, { cells, sum }] of rows.entries()) {
      paintSum(sum, shown.weights[i]);
      for (const [column, cell] of cells.entries()) paintCell(cell, i, column);
    }
    const [i, column] = here;
    setAttributes(band, { ...box(i, 0), x: 0, width: WIDTH });
    for (const [table, ring] of rings.entries())
      setAttributes(ring, box(i, isMap(column) ? table * T + (column % T) : column));
    say(speak(tokens, model.get("mask"), shown, here));
  }

  const repaint = eachFrame(paint);
  function point(cell) {
    here = cell;
    repaint();
    return true;
  }
  const isPaintable = (cell) => cell !== null && isMap(cell[1]);
  const toggled = ([i, column]) => !model.get("mask")[i][column % T];
  function paintMask(cells, state) {
    const mask = model.get("mask").map((row) => [...row]);
    for (const [i, column] of cells) mask[i][column % T] = state;
    saveChanges(model, { mask });
    return point(cells.at(-1));
  }
  function under(event) {
    const [x, y] = place(svg, event);
    const i = Math.floor((y - TOP) / ROW);
    const column = columns.findIndex((_, each) => {
      const cell = box(0, each);
      return x >= cell.x && x < cell.x + cell.width;
    });
    return i >= 0 && i < T && column >= 0 ? [i, column] : null;
  }

  drag(
    svg,
    (event) => {
      const cell = under(event);
      if (!isPaintable(cell)) return null;
      const state = toggled(cell);
      paintMask([cell], state);
      return { state, cell };
    },
    (held, _, __, event) => {
      const cell = under(event);
      if (!isPaintable(cell) || cell.join() === held.cell.join()) return;
      const isElsewhere = tableOf(cell[1]) !== tableOf(held.cell[1]);
      if (isElsewhere) return; // painting stays in the table where it began
      paintMask(path(held.cell, cell), held.state);
      held.cell = cell;
    },
  );
  svg.addEventListener("pointermove", (event) => {
    const cell = event.buttons === 0 ? under(event) : null;
    if (cell) point(cell);
  });
  keys(svg, (key) => {
    const next = step(key, here, T, columns.length);
    if (next) return point(next);
    if (key !== " " && key !== "Enter") return false;
    return isPaintable(here) ? paintMask([here], toggled(here)) : true;
  });
  for (const name of ["mask", "shown"]) model.on(`change:${name}`, repaint);
  paint();
}

export default { render };
