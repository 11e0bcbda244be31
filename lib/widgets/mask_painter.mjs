// Scores, weights and outputs side by side; a mask to paint over the scores.
import {
  digits,
  drag,
  drawing,
  eachFrame,
  hatching,
  keys,
  place,
  shape,
  step,
} from "./frame/frame.mjs";

const MINUS_INFINITY = "\u2212\u221e";

/** The cells on the way from one to another, without the first: a fast pointer jumps over some. */
export function path([row, column], [toRow, toColumn]) {
  const steps = Math.max(Math.abs(toRow - row), Math.abs(toColumn - column));
  const at = (from, to, i) => Math.round(from + ((to - from) * i) / steps);
  return Array.from({ length: steps }, (_, i) => [
    at(row, toRow, i + 1),
    at(column, toColumn, i + 1),
  ]);
}

/** How one weight of a row comes about; allowed says which keys the query may attend to. */
export function spell(scores, allowed, j, after = false, renormalise = false) {
  if (!after && !allowed[j]) return "blocked, exactly 0";
  const seen = scores.filter((_, i) => after || allowed[i]);
  const total = seen.reduce((sum, score) => sum + Math.exp(score), 0);
  const share = Math.exp(scores[j]) / total;
  const [first, ...more] = seen.map((score) => `e^${digits(score, 1)}`);
  const quotient = `e^${digits(scores[j], 1)} / ${more.length ? `(${[first, ...more].join(" + ")})` : first}`;
  if (!after) return `${quotient} ${more.length ? "\u2248" : "="} ${digits(share)}`;
  if (!allowed[j]) return `${digits(share)} \u00d7 0 = 0: blocked`;
  const left = scores.reduce(
    (sum, score, i) => sum + (allowed[i] ? Math.exp(score) / total : 0),
    0,
  );
  return renormalise
    ? `${digits(share)} \u00f7 row sum ${digits(left)} \u2248 ${digits(share / left)}`
    : `${quotient} \u2248 ${digits(share)}`;
}

/** One number of an output: the weighted sum of the values, keys without weight left out. */
export function spellSum(weights, values, output) {
  const bracket = (x) => digits(x, 1).replace(/^\u2212.*/, "($&)");
  const terms = weights
    .map((weight, i) => (weight > 0 ? `${digits(weight)} \u00d7 ${bracket(values[i])}` : ""))
    .filter(Boolean);
  return terms.length ? `${terms.join(" + ")} \u2248 ${digits(output)}` : "no weights, so 0";
}

const WIDTH = 620;
const HEIGHT = 194;
const H = 26;
const TOP = 37;
const SUM = 508;
const TABLES = [
  [42, 36],
  [268, 36],
  [532, 44],
]; // scores, weights, output: where they begin, how wide their cells are

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("mask-painter");
  const tokens = model.get("tokens");
  const T = tokens.length;
  const COLUMNS = 2 * T + 2;
  const hatch = hatching(svg);
  const write = (x, y, text, kind, anchor = "middle") =>
    shape(svg, "text", { x, y, class: kind, "text-anchor": anchor }, text);
  const box = (i, column) => {
    const [x, width] = TABLES[Math.floor(column / T)];
    return { x: x + (column % T) * width, y: TOP + i * H, width, height: H };
  };
  const put = (node, attributes) =>
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  const band = shape(svg, "rect", { class: "band" });
  const middle = (i) => TOP + (i + 0.68) * H;
  const titles = TABLES.map(([x]) => write(x, 12, "output", "title", "start"));
  titles[0].textContent = "scores: click or drag";
  write(SUM, 31, "sum", "faint");
  const rows = tokens.map((token, i) => {
    write(36, middle(i), token, "query", "end");
    const cells = [...tokens, ...tokens, "1", "2"].map((name, column) => {
      const at = box(i, column);
      const x = at.x + at.width / 2;
      const isMap = column < 2 * T;
      if (i === 0) write(x, 31, name, isMap ? "key" : "faint");
      return {
        rect: shape(svg, "rect", { ...at, class: isMap ? "cell hold" : "cell" }),
        text: write(x, middle(i), "", isMap ? "" : "value"),
      };
    });
    return { cells, sum: write(SUM, middle(i), "", "") };
  });
  const rings = [0, 1].map(() => shape(svg, "rect", { rx: 3, class: "ring" })); // on the score and on its weight
  let here = [0, 3];

  function paint() {
    const mask = model.get("mask");
    const { scores, weights, output, values, after, renormalise, note, black } = model.get("shown");
    titles[1].textContent = `weights${after ? " \u00d7 mask" : ""}${renormalise ? " \u00f7 row sum" : ""}`;
    rows.forEach(({ cells, sum }, i) => {
      const total = weights[i].reduce((total, weight) => total + weight);
      const less = total < 1 - 1e-6;
      sum.textContent = (less ? "\u25be" : "") + digits(total);
      sum.classList.toggle("less", less);
      cells.forEach(({ rect, text }, column) => {
        const j = column % T;
        const seen = mask[i][j];
        const part = Math.floor(column / T);
        if (part === 2) return void (text.textContent = digits(output[i][j]));
        text.classList.toggle("blocked", !seen);
        rect.style.fill = !seen
          ? hatch
          : part
            ? `color-mix(in srgb, var(--weight) ${55 * weights[i][j]}%, transparent)`
            : "";
        if (part) text.textContent = seen ? digits(weights[i][j]) : "0";
        else text.textContent = seen || after ? digits(scores[i][j], 1) : "\u2212\u221e";
      });
    });
    const [i, column] = here;
    const j = column % T;
    const isMap = column < 2 * T;
    const of = `(${tokens[i]}, ${isMap ? tokens[j] : j + 1})`;
    put(band, { ...box(i, 0), x: 0, width: WIDTH });
    rings.forEach((ring, part) => put(ring, box(i, isMap ? part * T + j : column)));
    const sum = () =>
      `output${of} = ${spellSum(
        weights[i],
        values.map((row) => row[j]),
        output[i][j],
      )}`;
    const weight = () =>
      `weight${of}${mask[i][j] || after ? " =" : ":"} ${spell(scores[i], mask[i], j, after, renormalise)}`;
    say(
      `${!mask[i].includes(true) ? `\u201c${tokens[i]}\u201d may attend to nothing: ${black}` : isMap ? weight() : sum()}. ${note}`,
    );
  }

  const repaint = eachFrame(paint);
  const point = (cell) => ((here = cell), repaint(), true);
  const paintable = (cell) => cell !== null && cell[1] < 2 * T;
  const toggled = ([i, column]) => !model.get("mask")[i][column % T];
  function set(cells, state) {
    const mask = model.get("mask").map((row) => [...row]);
    for (const [i, column] of cells) mask[i][column % T] = state;
    model.set("mask", mask);
    model.save_changes();
    return point(cells.at(-1));
  }
  function under(event) {
    const [x, y] = place(svg, event);
    const i = Math.floor((y - TOP) / H);
    const column = Array.from({ length: COLUMNS }, (_, column) => box(0, column)).findIndex(
      (at) => x >= at.x && x < at.x + at.width,
    );
    return i >= 0 && i < T && column >= 0 ? [i, column] : null;
  }

  drag(
    svg,
    (event) => {
      const cell = under(event);
      if (!paintable(cell)) return null;
      const state = toggled(cell);
      set([cell], state);
      return { state, cell };
    },
    (held, x, y, event) => {
      const cell = under(event); // painting stays in the table where it began
      if (!paintable(cell) || cell.join() === held.cell.join() || cell[1] < T !== held.cell[1] < T)
        return;
      set(path(held.cell, cell), held.state);
      held.cell = cell;
    },
  );
  svg.addEventListener("pointermove", (event) => {
    const cell = event.buttons === 0 && under(event);
    if (cell) point(cell);
  });
  keys(svg, (key) => {
    const to = step(key, here, T, COLUMNS);
    return to
      ? point(to)
      : [" ", "Enter"].includes(key) && (!paintable(here) || set([here], toggled(here)));
  });
  for (const name of ["mask", "shown"]) model.on(`change:${name}`, repaint);
  paint();
}

export default { render };
