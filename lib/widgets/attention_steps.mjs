// Attention with every digit: X -> Q, K, V -> scores -> scaled -> masked -> weights -> output, one step at a time.
import {
  clamp,
  digits,
  drag,
  drawing,
  eachFrame,
  keys,
  place,
  shape,
  short,
  step,
} from "./frame/frame.mjs";

const bracket = (x, places) => digits(x, places).replace(/^\u2212.*/, "($&)");
const rounded = (x, places) => Math.abs(x - Number(x.toFixed(places))) < 1e-9;

/** The sum behind one cell of a matrix product; "≈" where the digits shown are rounded. */
export function spellProduct(row, column, places = 2) {
  const sum = row.reduce((total, x, i) => total + x * column[i], 0);
  const exact = [...row, ...column].every((x) => rounded(x, places)) && rounded(sum, 2);
  const terms = row.map((x, i) => `${bracket(x, places)} \u00d7 ${bracket(column[i], places)}`);
  return `${terms.join(" + ")} ${exact ? "=" : "\u2248"} ${digits(sum)}`;
}

/** The quotient behind one weight of a row of scores; a masked score is -Infinity. */
export function spellSoftmax(row, i) {
  const largest = Math.max(...row);
  const powers = row.map((score) => Math.exp(score - largest));
  const weight = powers[i] / powers.reduce((sum, power) => sum + power);
  const names = row.map((score) => `e^${score === -Infinity ? "\u2212\u221e" : digits(score)}`);
  const exact = weight === 0 || weight === 1;
  return `${names[i]} / (${names.join(" + ")}) ${exact ? "=" : "\u2248"} ${weight === 0 ? "exactly 0" : digits(weight)}`;
}

const WIDTH = 440;
const HEIGHT = 240;
const NAMES = 60;
const GAP = 14;
const LAST = 5;
const MOST = 3;
const KINDS = { Q: "query", K: "key", V: "value" };
const PRODUCT = {
  A: { ArrowRight: "C" },
  B: { ArrowDown: "C" },
  C: { ArrowLeft: "A", ArrowUp: "B" },
};
const STACKED = { A: { ArrowDown: "C" }, C: { ArrowUp: "A" } };
const FAR = {
  ArrowRight: { j: 0 },
  ArrowLeft: { j: Infinity },
  ArrowDown: { i: 0 },
  ArrowUp: { i: Infinity },
};
const transposed = (rows) => rows[0].map((_, j) => rows.map((row) => row[j]));
const isolated = (token) =>
  /[\u0590-\u08ff]/.test(token) ? `\u2068${short(token, 20)}\u2069` : short(token, 20); // right to left
const fitted = (x) =>
  x === -Infinity ? "\u2212\u221e" : digits(x, Math.abs(x) >= 100 ? 0 : Math.abs(x) >= 10 ? 1 : 2);

/** The matrices of a step: A · B = C, or A above C where nothing is multiplied. */
function matrices(get) {
  const { X, X_queries, Q, K, V, mask, products, scaled, weights, output } = get("numbers");
  const made = get("matrix");
  const kind = KINDS[made];
  const edited = get("edited");
  const W = get("parameters")[made];
  const asked = { names: get("tokens"), kind: "key" };
  const asking = { names: get("queries"), kind: "query" };
  const axes = { names: get("axes"), kind: "" };
  const whose = made === "Q" ? asking : { ...asked, kind };
  const count = (rows) => ({ names: rows[0].map((_, j) => `${j + 1}`), kind: "faint" });
  const map = (name, rows) => ({ name, rows, down: asking, across: asked });
  const vectors = (made === "Q" ? X_queries : X).map((row, i) =>
    Object.hasOwn(edited, whose.names[i]) ? edited[whose.names[i]] : row,
  );
  const causal = get("attention") === "causal";
  const small = map("scores \u00f7 \u221ad_k", scaled);
  const blocked = scaled.map((row, i) => row.map((x, j) => (mask[i][j] ? x : -Infinity)));
  const masked = map(causal ? "masked scores" : "scores \u00f7 \u221ad_k", blocked);
  return [
    {
      A: {
        name: made === "Q" && get("attention") === "cross" ? "target X" : "X",
        rows: vectors,
        down: whose,
        across: axes,
        places: 1,
      },
      B: { name: `W_${made}`, rows: W, down: axes, across: count(W), places: 1 },
      C: { name: made, rows: { Q, K, V }[made], kind },
    },
    {
      A: { name: "Q", rows: Q, down: asking, across: count(Q), kind: "query" },
      B: { name: "K\u1d40", rows: transposed(K), down: count(K), across: asked, kind: "key" },
      C: map("scores", products),
    },
    { A: map("scores", products), C: small },
    { A: small, C: masked, idle: !causal },
    { A: masked, C: map("weights", weights), sums: true },
    {
      A: map("weights", weights),
      B: { name: "V", rows: V, down: { ...asked, kind: "value" }, across: count(V), kind: "value" },
      C: { name: "output", rows: output, kind: "value" },
    },
  ][get("step")];
}

/** The pointed cell in words: its sum, or what became of it. */
function spell({ A, B, C, idle }, { m, i, j }, step) {
  const part = { A, B, C }[m];
  if (B && m !== "C") {
    const held = part.places ? ": drag it, or press + and \u2212" : "";
    return `${part.name}(${isolated(part.down.names[i])}, ${isolated(part.across.names[j])}) = ${digits(part.rows[i][j], part.places)}${held}`;
  }
  const asks = isolated(A.down.names[i]);
  const asked = isolated((B ?? A).across.names[j]);
  const pair = `(${asks}, ${asked})`;
  if (B)
    return `${C.name.replace("scores", "score")}${pair} = ${spellProduct(
      A.rows[i],
      B.rows.map((row) => row[j]),
      A.places,
    )}`;
  const before = digits(A.rows[i][j]);
  const after = digits(C.rows[i][j]);
  if (step === 2)
    return `score${pair} \u00f7 \u221ad_k = ${before} \u00f7 \u221a2 = ${before} \u00f7 1.41 \u2248 ${after}`;
  if (step === 4) return `weight${pair} = ${spellSoftmax(A.rows[i], j)}`;
  if (idle)
    return `No mask here: every query may look at every key. Nothing changes, score${pair} stays ${after}`;
  if (C.rows[i][j] > -Infinity)
    return `\u201c${asked}\u201d does not come after \u201c${asks}\u201d: score${pair} stays ${after}`;
  return `\u201c${asked}\u201d comes after \u201c${asks}\u201d, which may not look ahead: the score becomes \u2212\u221e, so the weight will be exactly 0`;
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("steps");
  const hatch = `hatch-${Math.random().toString(36).slice(2)}`; // one page may hold several of these drawings
  const stage = () => matrices((name) => model.get(name));
  let parts;
  let grid;
  let cells;
  let bands;
  let ring;
  let here = { m: "C", i: 0, j: 3 };
  let pinned = false;
  let stale = false;

  function layout({ A, B, C }) {
    const T = A.rows.length;
    const S = A.rows[0].length;
    const n = B ? B.rows.length : T;
    const top = B ? 17 : 34;
    const h = Math.min(28, (HEIGHT - top - 19) / (n + T));
    const y = top + n * h + 18;
    const d = C.rows[0].length;
    if (!B) {
      const w = Math.min(64, (WIDTH - NAMES - 44) / S);
      return { h, A: [NAMES, top, w], C: [NAMES, y, w] };
    }
    const room = WIDTH - NAMES - GAP - 1;
    const w = clamp(room / (S + d), 46, 56);
    const narrow = Math.min(56, (room - d * w) / S);
    const x = NAMES + S * narrow + GAP;
    return { h, A: [NAMES, y, narrow], B: [x, top, w], C: [x, y, w] };
  }

  function build() {
    stale = false;
    parts = stage();
    grid = layout(parts);
    const { A, B, sums } = parts;
    const { h } = grid;
    const write = (x, y, text, kind = "", anchor = "middle") =>
      shape(svg, "text", { x, y, class: kind, "text-anchor": anchor }, text);
    svg.replaceChildren();
    const pattern = shape(svg, "pattern", {
      id: hatch,
      width: 7,
      height: 7,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    });
    shape(pattern, "line", { y2: 7, class: "hatch" });
    cells = [];
    for (const m of ["A", "B", "C"].filter((m) => parts[m])) {
      const { name, rows, down, across, places, kind = "" } = parts[m];
      const [x, y, w] = grid[m];
      const under = m === "C";
      const middle = (i) => y + (i + 0.5) * h + 4.5;
      const size = `${name}  ${rows.length} \u00d7 ${rows[0].length}`;
      rows.forEach((row, i) =>
        row.forEach((_, j) => {
          const rect = shape(svg, "rect", {
            x: x + j * w,
            y: y + i * h,
            width: w,
            height: h,
            class: places ? "cell hold" : "cell",
          });
          cells.push({ m, i, j, rect, text: write(x + (j + 0.5) * w, middle(i), "", kind) });
        }),
      );
      if (!under)
        across.names.forEach((name, j) =>
          write(x + (j + 0.5) * w, y - 5, short(name, Math.floor((w - 6) / 6.5)), across.kind),
        );
      if (!under || !B)
        down.names.forEach((name, i) => write(x - 5, middle(i), short(name, 7), down.kind, "end"));
      if (m === "B") write(x - 5, y - 5, size, "title", "end");
      else write(x, y - (under ? 5 : 22), under && !B ? `\u2193 ${size}` : size, "title", "start");
      if (under && sums) {
        write(x + rows[0].length * w + 8, y - 5, "sum", "faint", "start");
        rows.forEach((row, i) =>
          write(
            x + row.length * w + 8,
            middle(i),
            digits(row.reduce((sum, x) => sum + x)),
            "",
            "start",
          ),
        );
      }
    }
    if (A.places)
      [`drag a digit of X or ${B.name}`, "or point and press + \u2212", "Enter: next step"].forEach(
        (hint, i) => write(0, 12 + 17 * i, hint, "faint", "start"),
      );
    bands = [0, 1].map(() => shape(svg, "rect", { class: "band" }));
    ring = shape(svg, "rect", { class: "ring", rx: 3 });
    paint();
  }

  /** The cell pointed at, kept inside the matrices of this step. */
  function pointed() {
    const m = parts[here.m] ? here.m : "C";
    const { rows } = parts[m];
    return { m, i: clamp(here.i, 0, rows.length - 1), j: clamp(here.j, 0, rows[0].length - 1) };
  }

  /** Put a rectangle over everything from one cell to another. */
  function cover(node, m, i, j, to = m, bottom = i, right = j) {
    const corner = (m, i, j) => [grid[m][0] + j * grid[m][2], grid[m][1] + i * grid.h];
    const [x, y] = corner(m, i, j);
    const [farX, farY] = corner(to, bottom + 1, right + 1);
    const width = farX - x;
    const height = farY - y;
    for (const [name, value] of Object.entries({ x, y, width, height }))
      node.setAttribute(name, value);
  }

  function paint() {
    parts = stage();
    const { A, B, C, idle, sums } = parts;
    const { mask } = model.get("numbers");
    const at = pointed();
    const { m, i, j } = at;
    for (const { m, i, j, rect, text } of cells) {
      const { name, rows, places } = parts[m];
      const x = rows[i][j];
      const isWeight = name === "weights";
      const off = x === -Infinity || (isWeight && !mask[i][j]);
      text.textContent = isWeight && off ? "0" : places ? digits(x, places) : fitted(x);
      text.classList.toggle("idle", m === "C" && idle === true);
      rect.style.fill = off
        ? `url(#${hatch})`
        : isWeight
          ? `color-mix(in srgb, var(--weight) ${55 * x}%, transparent)`
          : "";
    }
    const row = sums && m === "C"; // softmax looks at the whole row
    if (B && m === "C") cover(bands[0], "A", i, 0, m, i, j), cover(bands[1], "B", 0, j, m, i, j);
    else
      cover(bands[0], B ? m : "A", i, row ? 0 : j, B ? m : "A", i, row ? A.rows[0].length - 1 : j);
    if (B && m === "A") cover(bands[1], "C", i, 0, "C", i, C.rows[0].length - 1);
    if (B && m === "B") cover(bands[1], "C", 0, j, "C", C.rows.length - 1, j);
    if (!B) cover(bands[1], "C", i, j);
    cover(ring, m, i, j);
    ring.classList.toggle("pinned", pinned);
    say(spell(parts, at, model.get("step")));
  }

  const repaint = eachFrame(() => (stale ? build() : paint()));
  const rebuild = () => ((stale = true), repaint());
  function point(cell) {
    here = cell;
    repaint();
    return true;
  }
  function put({ m, i, j }, value) {
    const { rows, down } = parts[m];
    const row = rows[i].with(j, clamp(Math.round(value * 10) / 10, -MOST, MOST));
    if (m === "A") model.set("edited", { ...model.get("edited"), [down.names[i]]: row });
    else
      model.set("parameters", {
        ...model.get("parameters"),
        [model.get("matrix")]: rows.with(i, row),
      });
    model.save_changes();
    return point({ m, i, j });
  }
  function go(by) {
    model.set("step", clamp(model.get("step") + by, 0, LAST));
    model.save_changes();
    return true;
  }

  const cellOf = (event) => cells.find(({ rect }) => rect === event.target);
  drag(
    svg,
    (event) => {
      const cell = cellOf(event);
      if (!cell || stale || !parts[cell.m].places) return null;
      return { cell, from: place(svg, event)[0], value: parts[cell.m].rows[cell.i][cell.j] };
    },
    ({ cell, from, value }, x) =>
      !stale && cells.includes(cell) && put(cell, value + (x - from) / 60), // else: other words by now
  );
  svg.addEventListener("pointermove", (event) => {
    const cell = cellOf(event); // not pointerover: a new step under a resting mouse must not move the pointed cell
    if (cell && cell !== here && !pinned && event.buttons === 0) point(cell);
  });
  svg.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    pinned = !(pinned && cell.m === here.m && cell.i === here.i && cell.j === here.j);
    svg.focus({ preventScroll: true });
    point(cell);
  });
  keys(svg, (key) => {
    parts = stage(); // a held key is faster than the screen
    const at = pointed();
    const { rows, places } = parts[at.m];
    if (["]", "Enter", " "].includes(key)) return go(1);
    if (["[", "Backspace"].includes(key)) return go(-1);
    if (key === "Escape") return ((pinned = false), point(at));
    const change = { "+": 0.1, "=": 0.1, "-": -0.1, "\u2212": -0.1 }[key];
    if (change) return places ? put(at, rows[at.i][at.j] + change) : true;
    const to = step(key, [at.i, at.j], rows.length, rows[0].length);
    if (!to) return false;
    const over = to[0] === at.i && to[1] === at.j && (parts.B ? PRODUCT : STACKED)[at.m][key];
    return point(over ? { ...at, ...FAR[key], m: over } : { m: at.m, i: to[0], j: to[1] });
  });
  model.on("change:step", () => (here = { ...here, m: "C" })); // to the result of the new step
  for (const name of ["step", "matrix", "attention", "tokens", "queries"])
    model.on(`change:${name}`, rebuild);
  for (const name of ["numbers", "edited", "parameters"]) model.on(`change:${name}`, repaint);
  build();
}

export default { render };
