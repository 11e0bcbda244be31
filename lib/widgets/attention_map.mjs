// Maps of attention weights, one for each head: rows ask, columns are asked.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  html,
  isolate,
  keys,
  numbers,
  place,
  saveChanges,
  setAttributes,
  shape,
  short,
  step,
} from "./frame/frame.mjs";

const WIDTH = 440;
const HEIGHT = 240;
const CELLS = 1000; // at most as many are SVG, more are painted on a canvas
const FONT = "700 13px"; // labels are measured in bold, as they are when lit
const LINE = 15; // the height of a line of text
const BASELINE = 4.5; // from the middle of a line down to where its letters stand
const LETTERS = 11; // the baseline of the first line, and the height of its letters
const GAP = 8; // between two maps
const BESIDE = 4; // between a map and its labels
const SIDE = 17; // left of the row labels, for "query (who asks)"
const QUERIES = { x: 12, least: 75 }; // where "query (who asks)" stands, and its middle at least
const NAME = 28; // the baseline of the names of the maps in the first row
const READABLE = 12; // cells are at least as high where rows have labels
const DIGITS = 30; // cells are at least as wide where they have digits
const LARGEST = { width: 120, height: 60 }; // of a cell
const STRETCH = { width: 2.2, height: 1.5 }; // of a cell: that many times the other side
const SLANT = 0.71; // cosine and sine of 45 degrees
const SLANTED = 17; // between two labels at 45 degrees
const OVERHANG = 10; // of a label at 45 degrees over its last column
const EDGE = 2; // above the maps and below them
const NO_LABELS = { one: LINE + 3, many: 2 }; // above one map the key pointed at is named
const ASIDE = { 0: 0, 45: 2, 90: BASELINE }; // from a column's middle to a label with this turn
const ROOM = 76; // the longest label
const LITTLE_ROOM = 36;
// Key labels by their turn in degrees, null for none. The first that fit are taken.
const LABELS = [
  { turn: 0, room: ROOM },
  { turn: 45, room: ROOM },
  { turn: 90, room: ROOM },
  { turn: 45, room: LITTLE_ROOM },
  { turn: 90, room: LITTLE_ROOM },
  { turn: null, room: 0 },
];
const WORTH = { rowLabels: 1.3, fullRows: 1.15 }; // times the size of cells, where there are such
const LEGEND = { x: 326, y: 1, steps: 10, width: 5, height: 11, before: 321, after: 380 };
const STRONG = 0.72; // where black and white are equally legible on --weight
const MASKED = { period: 3, line: 170, between: 70 }; // hatching on a canvas: opacities of 255
const THINNEST = 4; // of the marks of a row, a column and a cell, so that they are seen
const CAPTION = 100; // letters; other heads are left out beyond them

/** About as much of a token as fits in so many units; wide(text) measures. */
export function fit(token, room, wide) {
  const part = room / wide(token);
  return part >= 1 ? token : short(token, Math.max(2, Math.floor(part * [...token].length)));
}

/** What key labels need: room above and right of the maps, and cells of at least some width. */
function needs({ turn, room }, heads, keyTokens, next, wide) {
  const S = keyTokens.length;
  const widths = keyTokens.map((token) => wide(fit(token, room, wide)));
  const longest = Math.max(...widths);
  let above = heads === 1 ? NO_LABELS.one : NO_LABELS.many;
  let right = BESIDE;
  let least = 0;
  if (turn === 0) {
    above = LINE;
    least = longest + BESIDE;
  }
  if (turn === 45) {
    const beyond = widths.map((width, key) => width * SLANT - SLANTED * (S - key) + OVERHANG);
    above = longest * SLANT + LETTERS;
    right = Math.max(BESIDE, ...beyond);
    least = SLANTED;
  }
  if (turn === 90) {
    above = longest + BESIDE;
    least = READABLE;
  }
  return { turn, room, right, least, top: LINE + EDGE + above + next - GAP };
}

/** The maps in so many columns, with the first of the labels that fit. */
function arrange(columns, tries, { heads, T, S, left, next }) {
  const rows = Math.ceil(heads / columns);
  for (const labels of tries) {
    const widest = (WIDTH - left - labels.right - GAP * (columns - 1)) / columns / S;
    const highest = (HEIGHT - EDGE - labels.top - next * (rows - 1)) / rows / T;
    const stretchedWidth = Math.max(STRETCH.width * highest, (highest * T) / S);
    const stretchedHeight = Math.max(STRETCH.height * widest, (widest * S) / T);
    const cellWidth = Math.min(widest, LARGEST.width, stretchedWidth);
    const cellHeight = Math.min(highest, LARGEST.height, stretchedHeight);
    // Many maps have the labels of both sides or none.
    const rowsFit = labels.rowLabels ? cellHeight >= READABLE : heads === 1 || labels.least === 0;
    if (cellWidth < labels.least || !rowsFit) continue;
    let score = Math.min(cellWidth, cellHeight);
    if (labels.rowLabels) score *= WORTH.rowLabels;
    if (heads % columns === 0) score *= WORTH.fullRows;
    return { ...labels, columns, cellWidth, cellHeight, score };
  }
  return null;
}

/**
 * Where everything goes. For each number of columns of maps, the first labels that fit (of rows and
 * keys, then of keys alone) decide the size of the cells; the columns with the largest cells win.
 */
export function layout(heads, queryTokens, keyTokens, named, wide) {
  const T = queryTokens.length;
  const S = keyTokens.length;
  const next = GAP + (named ? LINE : 0); // from a map to the one below it
  const rowLabelWidths = queryTokens.map((token) => wide(fit(token, ROOM, wide)));
  const left = SIDE + BESIDE + Math.max(...rowLabelWidths);
  const keyLabels = LABELS.map((labels) => needs(labels, heads, keyTokens, next, wide));
  const tries = [true, false].flatMap((rowLabels) =>
    keyLabels.map((labels) => ({ ...labels, rowLabels })),
  );
  let best = { score: 0 };
  for (let columns = 1; columns <= heads; columns++) {
    const plan = arrange(columns, tries, { heads, T, S, left, next });
    if (plan && plan.score > best.score) best = plan;
  }
  const stepX = best.cellWidth * S + GAP;
  const stepY = best.cellHeight * T + next;
  return { ...best, heads, T, S, named, left, stepX, stepY };
}

/** The upper left corner of the map in this place. */
export function corner(plan, map) {
  const x = plan.left + (map % plan.columns) * plan.stepX;
  const y = plan.top + Math.floor(map / plan.columns) * plan.stepY;
  return [x, y];
}

/** The [map, query, key] at a point, or null. */
export function cellAt(plan, x, y) {
  const column = Math.floor((x - plan.left) / plan.stepX);
  const row = Math.floor((y - plan.top) / plan.stepY);
  const map = row * plan.columns + column;
  if (column < 0 || row < 0 || column >= plan.columns || map >= plan.heads) return null;
  const [left, top] = corner(plan, map);
  const key = Math.floor((x - left) / plan.cellWidth);
  const query = Math.floor((y - top) / plan.cellHeight);
  return key < plan.S && query < plan.T ? [map, query, key] : null;
}

/**
 * The weights as sent, float32 or one byte for each in steps of top / 255, and what a step is
 * worth.
 */
export function weightsOf(view, cells, top) {
  return view.byteLength === cells ? [numbers(view, Uint8Array), top / 255] : [numbers(view), 1];
}

/** Which of the S weights from `start` on is the largest. */
export function largest(weights, start, S) {
  const row = weights.subarray(start, start + S);
  return row.indexOf(row.reduce((most, weight) => Math.max(most, weight)));
}

/** Enough digits to tell small weights apart. */
export function written(weight) {
  if (weight > 0 && weight < 5e-5) return "<0.0001";
  return digits(weight, weight > 0 && weight < 0.01 ? 4 : 3);
}

/** A CSS colour as the lower three bytes of a canvas's pixel. */
function pixel(context, colour) {
  context.fillStyle = colour.trim();
  const bytes = context.fillStyle.match(/[0-9a-f]{2}/g);
  const [red, green, blue] = bytes.map((byte) => parseInt(byte, 16));
  return (blue << 16) | (green << 8) | red;
}

const percent = (part, whole) => `${(100 * part) / whole}%`;

const box = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}z`;

/** A cell crossed out: its frame and three slanted lines. */
function hatched(x, y, width, height) {
  const low = y + height;
  const half = `l${width / 2} ${-height / 2}`;
  const long = `M${x} ${low}l${width} ${-height}`;
  const upper = `M${x} ${y + height / 2}${half}`;
  const lower = `M${x + width / 2} ${low}${half}`;
  return box(x, y, width, height) + long + upper + lower;
}

/** Two digits; where there is little room the 0 before the point or at the end is left out. */
function inCell(weight, roomy) {
  return roomy ? digits(weight) : digits(weight).replace(/^0|0$/, "");
}

function render({ model, el, signal }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  const room = html(figure, "div", { class: "map" });
  const stage = html(room, "div", { class: "map-stage", style: `--aspect: ${WIDTH / HEIGHT}` });
  const sheet = html(stage, "div"); // of canvases, below the labels and lines
  figure.prepend(room);
  stage.append(svg);
  const ruler = document.createElement("canvas").getContext("2d");
  const widths = new Map();
  let plan;
  let shown; // the heads that have a map
  let built; // what the present drawing was built for
  let cells;
  let canvases;
  let labels;
  let marks;
  let legend;
  let weights;
  let unit;
  let mask;

  const get = (name) => model.get(name);

  function pointed() {
    const shapes = get("shape");
    return ["head", "query", "key"].map((name, axis) => clamp(get(name), 0, shapes[axis] - 1));
  }

  function wide(text) {
    if (!widths.has(text)) widths.set(text, ruler.measureText(text).width);
    return widths.get(text);
  }

  function write(x, y, words, kind = "", turn = 0) {
    const transform = `translate(${x} ${y}) rotate(${-turn})`;
    return shape(svg, "text", { transform, class: kind }, words);
  }

  function build() {
    const [H] = get("shape");
    const names = get("names");
    const named = H > 1 || names[0] !== "head 1";
    shown = get("solo") < 0 ? [...Array(H).keys()] : [get("solo")];
    ruler.font = `${FONT} ${getComputedStyle(svg).fontFamily}`;
    plan = layout(shown.length, get("query_tokens"), get("key_tokens"), named, wide);
    svg.replaceChildren();
    sheet.replaceChildren();
    cells = [];
    canvases = [];
    labels = [];
    buildTitles();
    shown.forEach((_, map) => {
      if (shown.length * plan.T * plan.S > CELLS) buildCanvas(map);
      else buildCells(map);
      const [x, y] = corner(plan, map);
      const width = plan.cellWidth * plan.S;
      const height = plan.cellHeight * plan.T;
      shape(svg, "rect", { x, y, width, height, class: "frame" });
      if (plan.named) buildName(map);
      if (plan.turn !== null && map < plan.columns) buildKeyLabels(map);
    });
    if (plan.rowLabels) buildRowLabels();
    buildMarks();
  }

  function buildTitles() {
    const [, lowest] = corner(plan, shown.length - 1);
    const middle = (plan.top + lowest + plan.cellHeight * plan.T) / 2;
    write(QUERIES.x, Math.max(QUERIES.least, middle), "query (who asks)", "middle query", 90);
    write(plan.left, LETTERS, "key (who is asked)", "key");
    write(LEGEND.before, LETTERS, "weight 0", "end");
    for (let i = 0; i < LEGEND.steps; i++)
      shape(svg, "rect", {
        x: LEGEND.x + LEGEND.width * i,
        y: LEGEND.y,
        width: LEGEND.width,
        height: LEGEND.height,
        class: "weight",
        "fill-opacity": (i + 0.5) / LEGEND.steps,
      });
    legend = write(LEGEND.after, LETTERS);
  }

  function buildCanvas(map) {
    const { T, S, cellWidth, cellHeight } = plan;
    const [x, y] = corner(plan, map);
    const canvas = html(sheet, "canvas", {
      width: S,
      height: T,
      class: Math.min(cellWidth, cellHeight) > 1 ? "coarse" : "",
    });
    canvas.style.left = percent(x, WIDTH);
    canvas.style.top = percent(y, HEIGHT);
    canvas.style.width = percent(cellWidth * S, WIDTH);
    canvas.style.height = percent(cellHeight * T, HEIGHT);
    canvases.push(canvas);
  }

  function buildCells(map) {
    const { T, S, cellWidth, cellHeight } = plan;
    const [left, top] = corner(plan, map);
    const withDigits = cellWidth >= DIGITS && cellHeight >= READABLE;
    for (let i = 0; i < T * S; i++) {
      const x = left + (i % S) * cellWidth;
      const y = top + Math.floor(i / S) * cellHeight;
      const size = { width: cellWidth, height: cellHeight };
      const rect = shape(svg, "rect", { x, y, ...size, class: "weight" });
      const cell = { x, y, rect, text: null };
      if (withDigits)
        cell.text = write(x + cellWidth / 2, y + cellHeight / 2 + BASELINE, "", "middle");
      cells.push(cell);
    }
  }

  function buildName(map) {
    const names = get("names");
    const name = names[shown[map]];
    const [x, y] = corner(plan, map);
    const mapWidth = plan.cellWidth * plan.S + BESIDE;
    const brief = names.some((each) => wide(each) > mapWidth); // then "head 12" is "12"
    let text = fit(brief ? name.split(" ").at(-1) : name, mapWidth, wide);
    if (shown.length < names.length) text = `${name} (double-click: back to all)`;
    labels.push({ map, node: write(x, map < plan.columns ? NAME : y - BESIDE, text) });
  }

  function buildKeyLabels(map) {
    const { turn, cellWidth } = plan;
    const [x, y] = corner(plan, map);
    const aside = cellWidth / 2 + ASIDE[turn];
    const kind = turn === 0 ? "middle" : "";
    get("key_tokens").forEach((token, key) => {
      const text = fit(token, plan.room, wide);
      const node = write(x + cellWidth * key + aside, y - BESIDE, text, kind, turn);
      labels.push({ key, node });
    });
  }

  function buildRowLabels() {
    const [, lowest] = corner(plan, shown.length - 1);
    for (let y = plan.top; y < lowest + 1; y += plan.stepY)
      get("query_tokens").forEach((token, query) => {
        const middle = y + plan.cellHeight * (query + 0.5);
        const text = fit(token, ROOM, wide);
        labels.push({ query, node: write(plan.left - BESIDE, middle + BASELINE, text, "end") });
      });
  }

  function buildMarks() {
    marks = {
      masked: shape(svg, "path", { class: "masked" }),
      rows: shape(svg, "path", { class: "lines query" }),
      columns: shape(svg, "path", { class: "lines key" }),
      here: shape(svg, "path", { class: "here" }),
      asks: write(0, 0, "", "float end query"),
      asked: write(0, 0, "", "float middle key"),
    };
  }

  function paint() {
    const [H, T, S] = get("shape");
    const limit = get("limit");
    [weights, unit] = weightsOf(get("weights"), H * T * S, get("top"));
    mask = numbers(get("mask"), Uint8Array);
    const andMore = get("top") > limit ? "\u2265\u2009" : "";
    legend.textContent = andMore + (limit === 1 ? "1" : written(limit));
    canvases.forEach(paintCanvas);
    paintCells();
  }

  function paintCanvas(canvas, map) {
    const [, T, S] = get("shape");
    const style = getComputedStyle(svg);
    const ink = pixel(ruler, style.getPropertyValue("--weight"));
    const grey = pixel(ruler, style.getPropertyValue("--masked"));
    const context = canvas.getContext("2d");
    const image = context.createImageData(S, T);
    const pixels = new Uint32Array(image.data.buffer);
    const start = shown[map] * T * S;
    const full = (255 * unit) / get("limit");
    for (let i = 0; i < T * S; i++) {
      const diagonal = (i % S) + Math.floor(i / S);
      const hatch = diagonal % MASKED.period ? MASKED.between : MASKED.line;
      const depth = Math.min(255, weights[start + i] * full + 0.5);
      const hidden = mask.length && !mask[i];
      pixels[i] = hidden ? grey | (hatch << 24) : ink | (depth << 24);
    }
    context.putImageData(image, 0, 0);
  }

  function paintCells() {
    const { T, S, cellWidth, cellHeight } = plan;
    const roomy = cellWidth >= wide("0.00") + BESIDE;
    const limit = get("limit");
    const start = shown[0] * T * S;
    let hatch = "";
    cells.forEach(({ x, y, rect, text }, i) => {
      const weight = weights[start + i] * unit;
      const depth = Math.min(1, weight / limit);
      const hidden = mask.length && !mask[i % (T * S)];
      rect.setAttribute("fill-opacity", depth);
      if (hidden) hatch += hatched(x, y, cellWidth, cellHeight);
      if (!text) return;
      text.textContent = hidden ? "" : inCell(weight, roomy);
      text.classList.toggle("strong", depth > STRONG);
    });
    marks.masked.setAttribute("d", hatch);
  }

  function mark() {
    const [head, query, key] = pointed();
    const map = Math.max(0, shown.indexOf(head));
    markLines(map, query, key);
    for (const { node, ...label } of labels) {
      const lit = label.map === map || label.query === query || label.key === key;
      const covered = label.map === map && plan.turn === null && plan.heads > 1;
      node.classList.toggle("lit", lit);
      if (label.map >= 0) node.classList.toggle("covered", covered);
    }
    markNames(map, query, key);
    tell(head, query, key);
  }

  /** The row and the column in every map, and the cell that is pointed at. */
  function markLines(map, query, key) {
    const { cellWidth, cellHeight, T, S } = plan;
    const padX = Math.max(0, (THINNEST - cellWidth) / 2);
    const padY = Math.max(0, (THINNEST - cellHeight) / 2);
    const across = cellWidth + 2 * padX;
    const down = cellHeight + 2 * padY;
    const corners = shown.map((_, i) => corner(plan, i));
    const rows = corners.map(([x, y]) =>
      box(x, y + cellHeight * query - padY, cellWidth * S, down),
    );
    const columns = corners.map(([x, y]) =>
      box(x + cellWidth * key - padX, y, across, cellHeight * T),
    );
    const [left, top] = corners[map];
    const x = left + cellWidth * key - padX;
    const y = top + cellHeight * query - padY;
    marks.rows.setAttribute("d", rows.join(""));
    marks.columns.setAttribute("d", columns.join(""));
    marks.here.setAttribute("d", box(x, y, across, down));
    marks.here.classList.toggle("pinned", get("pinned"));
  }

  /** Beside the map the query and above it the key that are pointed at, where labels are not. */
  function markNames(map, query, key) {
    const { cellWidth, cellHeight, S } = plan;
    const [x, y] = corner(plan, map);
    const asks = plan.rowLabels ? "" : fit(get("query_tokens")[query], ROOM, wide);
    const asked = plan.turn === null ? fit(get("key_tokens")[key], ROOM, wide) : "";
    const row = y + cellHeight * (query + 0.5) + BASELINE;
    const half = wide(asked) / 2;
    const last = x + cellWidth * S - half;
    const column = Math.max(x + half, Math.min(x + cellWidth * (key + 0.5), last));
    marks.asks.textContent = asks;
    marks.asked.textContent = asked;
    setAttributes(marks.asks, { transform: `translate(${plan.left - BESIDE} ${row})` });
    setAttributes(marks.asked, { transform: `translate(${column} ${y - BESIDE - 1})` });
  }

  /** Python has sent the exact numbers of this cell. */
  function isExact(query, key) {
    return get("exact").query === query && get("exact").key === key;
  }

  /** A head's weight here, which key its row looks at most, and with which weight. */
  function readHead(head, query, key) {
    const exact = get("exact");
    if (isExact(query, key))
      return {
        weight: exact.weights[head],
        leader: exact.leaders[head],
        most: exact.largest[head],
      };
    const [, T, S] = get("shape");
    const start = (head * T + query) * S;
    const leader = largest(weights, start, S);
    return { weight: weights[start + key] * unit, leader, most: weights[start + leader] * unit };
  }

  function tell(head, query, key) {
    const [H, , S] = get("shape");
    const names = get("names");
    const about = unit === 1 || isExact(query, key) ? "" : "\u2248\u2009";
    const hidden = mask.length && !mask[query * S + key];
    const heads = names.map((_, each) => readHead(each, query, key));
    const { weight, leader, most } = heads[head];
    const asks = isolate(get("query_tokens")[query]);
    const asked = isolate(get("key_tokens")[key]);
    const leads = isolate(get("key_tokens")[leader]);
    const pinned = get("pinned") ? "pinned \u00b7 " : "";
    const name = H > 1 ? `${names[head]}: ` : "";
    const value = hidden ? "masked: weight exactly 0" : about + written(weight);
    const text =
      `${pinned}${name}${asks} \u2192 ${asked} ${value}` +
      ` \u00b7 row\u2019s largest: ${leads} ${about}${written(most)}`;
    const others = [...names.keys()]
      .filter((each) => each !== head && !hidden)
      .sort((one, other) => heads[other].weight - heads[one].weight);
    const words = others.map((each) =>
      `${names[each]} ${about}${written(heads[each].weight)}`.replaceAll(" ", "\u00a0"),
    );
    while (words.length > 1 && text.length + words.join(", ").length > CAPTION)
      words.splice(-2, 2, "\u2026");
    say(words.length ? `${text} \u00b7 other heads: ${words.join(", ")}` : text);
  }

  function parts() {
    return JSON.stringify(["shape", "query_tokens", "key_tokens", "names", "solo"].map(get));
  }

  const repaint = eachFrame(() => {
    if (signal.aborted) return;
    if (!svg.isConnected) {
      repaint(); // JupyterLab attaches the element after render
      return;
    }
    if (parts() !== built) build();
    built = parts();
    paint();
    mark();
  });
  const remark = eachFrame(() => {
    if (parts() === built) mark();
  });

  function point([head, query, key], more = {}) {
    saveChanges(model, { head, query, key, ...more });
  }

  /** One head alone in the picture, or all again. */
  function alone(head) {
    if (get("shape")[0] > 1) saveChanges(model, { head, solo: get("solo") < 0 ? head : -1 });
  }

  /** Call act(cell, same) for events on a cell [head, query, key]; same: the one pointed at. */
  function listen(type, act) {
    svg.addEventListener(type, (event) => {
      const found = built && cellAt(plan, ...place(svg, event));
      if (!found) return;
      const [map, query, key] = found;
      const cell = [shown[map], query, key];
      act(cell, String(cell) === String(pointed()));
    });
  }

  listen("pointermove", (cell, same) => {
    if (!same && !get("pinned")) point(cell);
  });
  listen("click", (cell, same) => point(cell, { pinned: !(same && get("pinned")) }));
  listen("dblclick", ([head]) => alone(head));

  /** With Shift, arrows go from map to map. */
  function hop(key, [head, query, column]) {
    const moves = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -plan.columns,
      ArrowDown: plan.columns,
    };
    if (!moves[key]) return false;
    point([shown[shown.indexOf(head) + moves[key]] ?? head, query, column]);
    return true;
  }

  keys(svg, (key, event) => {
    const [head, query, column] = pointed();
    const [H, T, S] = get("shape");
    if (event.shiftKey && hop(key, [head, query, column])) return true;
    const next = step(key, [query, column], T, S);
    if (next) point([head, ...next]);
    else if (key === "Enter" && H > 1) alone(head);
    else if (key === "Enter" || key === " ") saveChanges(model, { pinned: !get("pinned") });
    else if (key === "Escape" && get("pinned")) saveChanges(model, { pinned: false });
    else if (key === "Escape" && get("solo") >= 0) saveChanges(model, { solo: -1 });
    else return false;
    return true;
  });

  const drawn = [
    "weights",
    "shape",
    "limit",
    "mask",
    "query_tokens",
    "key_tokens",
    "names",
    "solo",
  ];
  for (const name of drawn) model.on(`change:${name}`, repaint);
  for (const name of ["head", "query", "key", "pinned", "exact"])
    model.on(`change:${name}`, remark);
  const theme = new MutationObserver(repaint);
  theme.observe(document.body, {
    attributes: true,
    attributeFilter: ["data-jp-theme-light", "class"],
  });
  signal.addEventListener("abort", () => theme.disconnect());
  repaint();
}

export default { render };
