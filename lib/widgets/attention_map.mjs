// Maps of attention weights, one for each head: rows ask, columns are asked.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  html,
  keys,
  numbers,
  place,
  shape,
  short,
  step,
} from "./frame/frame.mjs";

const WIDTH = 440;
const HEIGHT = 240;
const LINE = 15;
const GAP = 8;
const READABLE = 12;
const CELLS = 1000;
const TURNS = [
  [0, 76],
  [45, 76],
  [90, 76],
  [45, 36],
  [90, 36],
  [null, 0],
]; // of the key labels, and the room they get

/** About as much of a token as fits in so many units; wide(text) measures. */
export function fit(token, room, wide) {
  const part = room / wide(token);
  return part >= 1 ? token : short(token, Math.max(2, Math.floor(part * [...token].length)));
}

/** Where everything goes: the columns of maps, the labels, and the largest cells that fit beside them. */
export function layout(heads, queryTokens, keyTokens, named, wide) {
  const T = queryTokens.length;
  const S = keyTokens.length;
  const widths = (tokens, room) => tokens.map((token) => wide(fit(token, room, wide)));
  const left = 21 + Math.max(...widths(queryTokens, 76));
  const next = GAP + (named ? LINE : 0);
  const turns = TURNS.map(([turn, room]) => {
    const long = widths(keyTokens, room);
    const most = Math.max(...long);
    const high =
      { 0: LINE, 45: most * 0.71 + 11, 90: most + 4 }[turn] ?? (heads === 1 ? LINE + 3 : 2);
    const right = Math.max(
      4,
      ...long.map((each, key) => (turn === 45 ? each * 0.71 - 17 * (S - key) + 10 : 0)),
    );
    return {
      turn,
      room,
      top: LINE + 2 + high + next - GAP,
      right,
      least: { 0: most + 4, 45: 17, 90: READABLE }[turn] ?? 0,
    };
  });
  const tries = [true, false].flatMap((rowLabels) => turns.map((turn) => ({ rowLabels, ...turn })));
  let best = { score: 0 };
  for (let columns = 1; columns <= heads; columns++)
    for (const { right, least, ...labels } of tries) {
      const rows = Math.ceil(heads / columns);
      const wideMost = (WIDTH - left - right - GAP * (columns - 1)) / columns / S;
      const highMost = (HEIGHT - 2 - labels.top - next * (rows - 1)) / rows / T;
      const w = Math.min(wideMost, 120, Math.max(2.2 * highMost, (highMost * T) / S));
      const h = Math.min(highMost, 60, Math.max(1.5 * wideMost, (wideMost * S) / T));
      if (w < least || (labels.rowLabels ? h < READABLE : heads > 1 && least > 0)) continue; // many maps: both labels or none
      const score = Math.min(w, h) * (labels.rowLabels ? 1.3 : 1) * (heads % columns ? 1 : 1.15);
      if (score > best.score)
        best = {
          score,
          heads,
          T,
          S,
          named,
          columns,
          left,
          w,
          h,
          ...labels,
          stepX: w * S + GAP,
          stepY: h * T + next,
        };
      break;
    }
  return best;
}

/** The upper left corner of the map in this place. */
export const corner = (g, map) => [
  g.left + (map % g.columns) * g.stepX,
  g.top + Math.floor(map / g.columns) * g.stepY,
];

/** The [map, query, key] at a point, or null. */
export function cellAt(g, x, y) {
  const column = Math.floor((x - g.left) / g.stepX);
  const row = Math.floor((y - g.top) / g.stepY);
  const map = row * g.columns + column;
  if (column < 0 || row < 0 || column >= g.columns || map >= g.heads) return null;
  const [x0, y0] = corner(g, map);
  const key = Math.floor((x - x0) / g.w);
  const query = Math.floor((y - y0) / g.h);
  return key < g.S && query < g.T ? [map, query, key] : null;
}

/** The weights as sent, float32 or one byte for each in steps of top / 255, and what a step is worth. */
export function weightsOf(view, cells, top) {
  return view.byteLength === cells ? [numbers(view, Uint8Array), top / 255] : [numbers(view), 1];
}

/** Which of the S weights from `start` on is the largest. */
export function largest(weights, start, S) {
  const row = weights.subarray(start, start + S);
  return row.indexOf(row.reduce((most, weight) => Math.max(most, weight)));
}

/** Enough digits to tell small weights apart. */
export const written = (weight) =>
  weight > 0 && weight < 5e-5 ? "<0.0001" : digits(weight, weight > 0 && weight < 0.01 ? 4 : 3);

/** A right-to-left token must not turn round the digits that follow it. */
const isolated = (token) => (/[\u0590-\u08ff]/.test(token) ? `\u2068${token}\u2069` : token);

/** A CSS colour as the lower three bytes of a canvas's pixel. */
function pixel(context, colour) {
  context.fillStyle = colour.trim();
  const [red, green, blue] = context.fillStyle
    .match(/[0-9a-f]{2}/g)
    .map((byte) => parseInt(byte, 16));
  return (blue << 16) | (green << 8) | red;
}

const box = (x, y, w, h) => `M${x} ${y}h${w}v${h}h${-w}z`;

function render({ model, el, signal }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  const room = html(figure, "div", { class: "map" });
  const stage = html(room, "div", { class: "map-stage" });
  const sheet = html(stage, "div"); // of canvases, below the labels and lines
  figure.prepend(room);
  stage.append(svg);
  const get = (name) => model.get(name);
  const pointed = () =>
    ["head", "query", "key"].map((name, axis) => clamp(get(name), 0, get("shape")[axis] - 1));
  const ruler = document.createElement("canvas").getContext("2d");
  const widths = new Map();
  const wide = (text) =>
    widths.get(text) ?? widths.set(text, ruler.measureText(text).width).get(text);
  let g;
  let shown;
  let built;
  let cells;
  let canvases;
  let labels;
  let marks;
  let legend;
  let weights;
  let unit;
  let mask;

  const write = (x, y, words, kind = "", turn = 0) =>
    shape(svg, "text", { transform: `translate(${x} ${y}) rotate(${-turn})`, class: kind }, words);

  function build() {
    const [H] = get("shape");
    const queryTokens = get("query_tokens");
    const keyTokens = get("key_tokens");
    const names = get("names");
    shown = get("solo") < 0 ? [...Array(H).keys()] : [get("solo")];
    ruler.font = `700 13px ${getComputedStyle(svg).fontFamily}`;
    g = layout(shown.length, queryTokens, keyTokens, H > 1 || names[0] !== "head 1", wide);
    const { w, h, T, S, left, stepY } = g;
    svg.replaceChildren();
    sheet.replaceChildren();
    (cells = []), (canvases = []), (labels = []);
    write(
      12,
      Math.max(75, (g.top + corner(g, shown.length - 1)[1] + h * T) / 2),
      "query (who asks)",
      "middle query",
      90,
    );
    write(left, 11, "key (who is asked)", "key");
    write(321, 11, "weight 0", "end");
    for (let i = 0; i < 10; i++)
      shape(svg, "rect", {
        x: 326 + 5 * i,
        y: 1,
        width: 5,
        height: 11,
        class: "weight",
        "fill-opacity": (i + 0.5) / 10,
      });
    legend = write(380, 11);
    const brief = names.some((name) => wide(name) > w * S + 4); // then "head 12" is "12"
    shown.forEach((head, map) => {
      const [x, y] = corner(g, map);
      if (shown.length * T * S > CELLS) {
        const style = `left: ${x / 4.4}%; top: ${y / 2.4}%; width: ${(w * S) / 4.4}%; height: ${(h * T) / 2.4}%`;
        canvases.push(
          html(sheet, "canvas", {
            width: S,
            height: T,
            style,
            class: Math.min(w, h) > 1 ? "coarse" : "",
          }),
        );
      } else
        for (let i = 0; i < T * S; i++) {
          const at = { x: x + (i % S) * w, y: y + Math.floor(i / S) * h };
          const rect = shape(svg, "rect", { ...at, width: w, height: h, class: "weight" });
          cells.push({
            ...at,
            rect,
            text: w >= 30 && h >= READABLE && write(at.x + w / 2, at.y + h / 2 + 4.5, "", "middle"),
          });
        }
      shape(svg, "rect", { x, y, width: w * S, height: h * T, class: "frame" });
      const name = fit(brief ? names[head].split(" ").at(-1) : names[head], w * S + 4, wide);
      if (g.named)
        labels.push({
          map,
          node: write(
            x,
            map < g.columns ? 28 : y - 4,
            shown.length < H ? `${names[head]} (double-click: back to all)` : name,
          ),
        });
      if (g.turn !== null && map < g.columns)
        keyTokens.forEach((token, key) => {
          const aside = { 0: w / 2, 45: w / 2 + 2, 90: w / 2 + 4.5 }[g.turn];
          labels.push({
            key,
            node: write(
              x + w * key + aside,
              y - 4,
              fit(token, g.room, wide),
              g.turn ? "" : "middle",
              g.turn,
            ),
          });
        });
    });
    for (let y = g.top; g.rowLabels && y < corner(g, shown.length - 1)[1] + 1; y += stepY)
      queryTokens.forEach((token, query) =>
        labels.push({
          query,
          node: write(left - 4, y + h * (query + 0.5) + 4.5, fit(token, 76, wide), "end"),
        }),
      );
    marks = ["masked", "lines query", "lines key", "here"].map((kind) =>
      shape(svg, "path", { class: kind }),
    );
    marks.push(write(0, 0, "", "float end query"), write(0, 0, "", "float middle key"));
  }

  function paint() {
    const [H, T, S] = get("shape");
    const limit = get("limit");
    const { w, h } = g;
    const roomy = w >= wide("0.00") + 4;
    [weights, unit] = weightsOf(get("weights"), H * T * S, get("top"));
    mask = numbers(get("mask"), Uint8Array);
    legend.textContent =
      (get("top") > limit ? "\u2265\u2009" : "") + (limit === 1 ? "1" : written(limit));
    const style = getComputedStyle(svg);
    const [ink, grey] = ["--weight", "--masked"].map((name) =>
      pixel(ruler, style.getPropertyValue(name)),
    );
    canvases.forEach((canvas, map) => {
      const context = canvas.getContext("2d");
      const image = context.createImageData(S, T);
      const pixels = new Uint32Array(image.data.buffer);
      const start = shown[map] * T * S;
      const full = (255 * unit) / limit;
      for (let i = 0; i < T * S; i++)
        if (mask.length && !mask[i])
          pixels[i] = grey | ((((i % S) + Math.floor(i / S)) % 3 ? 70 : 170) << 24); // hatched
        else pixels[i] = ink | (Math.min(255, weights[start + i] * full + 0.5) << 24);
      context.putImageData(image, 0, 0);
    });
    let hatch = "";
    cells.forEach(({ x, y, rect, text }, i) => {
      const weight = weights[shown[0] * T * S + i] * unit;
      const depth = Math.min(1, weight / limit);
      const hidden = mask.length && !mask[i % (T * S)];
      rect.setAttribute("fill-opacity", depth);
      if (hidden)
        hatch += `${box(x, y, w, h)}M${x} ${y + h}l${w} ${-h}M${x} ${y + h / 2}l${w / 2} ${-h / 2}M${x + w / 2} ${y + h}l${w / 2} ${-h / 2}`;
      if (!text) return;
      text.textContent = hidden ? "" : roomy ? digits(weight) : digits(weight).replace(/^0|0$/, "");
      text.classList.toggle("strong", depth > 0.72); // where black and white are equally legible on --weight
    });
    marks[0].setAttribute("d", hatch);
  }

  function mark() {
    const [head, query, key] = pointed();
    const { w, h, T, S } = g;
    const map = Math.max(0, shown.indexOf(head));
    const [x, y] = corner(g, map);
    const padX = Math.max(0, 2 - w / 2);
    const padY = Math.max(0, 2 - h / 2); // never thinner than can be seen
    const row = (x, y) => box(x, y + h * query - padY, w * S, h + 2 * padY);
    const column = (x, y) => box(x + w * key - padX, y, w + 2 * padX, h * T);
    const [, rows, columns, here, asks, asked] = marks;
    rows.setAttribute("d", shown.map((_, i) => row(...corner(g, i))).join(""));
    columns.setAttribute("d", shown.map((_, i) => column(...corner(g, i))).join(""));
    here.setAttribute(
      "d",
      box(x + w * key - padX, y + h * query - padY, w + 2 * padX, h + 2 * padY),
    );
    here.classList.toggle("pinned", get("pinned"));
    for (const { node, ...label } of labels) {
      node.classList.toggle("lit", label.map === map || label.query === query || label.key === key);
      if (label.map >= 0)
        node.classList.toggle("covered", label.map === map && g.turn === null && g.heads > 1);
    }
    const long =
      wide((asked.textContent = g.turn === null ? fit(get("key_tokens")[key], 76, wide) : "")) / 2;
    asks.textContent = g.rowLabels ? "" : fit(get("query_tokens")[query], 76, wide);
    asks.setAttribute("transform", `translate(${g.left - 4} ${y + h * (query + 0.5) + 4.5})`);
    asked.setAttribute(
      "transform",
      `translate(${Math.max(x + long, Math.min(x + w * (key + 0.5), x + w * S - long))} ${y - 5})`,
    );
    tell(head, query, key);
  }

  function tell(head, query, key) {
    const [H, T, S] = get("shape");
    const names = get("names");
    const exact = get("exact");
    const hidden = mask.length && !mask[query * S + key];
    const known = exact[0] === query && exact[1] === key; // otherwise Python's answer is on its way
    const weight = (one, at = key) => weights[(one * T + query) * S + at] * unit;
    const about = known || unit === 1 ? "" : "\u2248\u2009";
    const here = (one) => (known ? exact[2 + one] : weight(one));
    const told = (number) => about + written(number);
    const most = known ? exact[2 + H + head] : largest(weights, (head * T + query) * S, S);
    const [asks, asked, leads] = [
      get("query_tokens")[query],
      get("key_tokens")[key],
      get("key_tokens")[most],
    ].map(isolated);
    let text = `${get("pinned") ? "pinned \u00b7 " : ""}${H > 1 ? `${names[head]}: ` : ""}${asks} \u2192 ${asked} `;
    text += hidden ? "masked: weight exactly 0" : told(here(head));
    text += ` \u00b7 row\u2019s largest: ${leads} ${told(known ? exact[2 + 2 * H + head] : weight(head, most))}`;
    const others = [...names.keys()]
      .filter((one) => one !== head && !hidden)
      .sort((a, b) => here(b) - here(a));
    const words = others.map((one) => `${names[one]} ${told(here(one))}`.replaceAll(" ", "\u00a0"));
    while (words.length > 1 && text.length + words.join(", ").length > 100)
      words.splice(-2, 2, "\u2026");
    say(text + (words.length ? ` \u00b7 other heads: ${words.join(", ")}` : ""));
  }

  const parts = () =>
    JSON.stringify(["shape", "query_tokens", "key_tokens", "names", "solo"].map(get));
  const repaint = eachFrame(() => {
    if (signal.aborted) return;
    if (!svg.isConnected) return repaint(); // JupyterLab attaches the element after render
    if (parts() !== built) build();
    built = parts();
    paint();
    mark();
  });
  const remark = eachFrame(() => parts() === built && mark());

  function set(changes) {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  }
  const point = ([head, query, key], more = {}) => set({ head, query, key, ...more });
  const alone = (head) => get("shape")[0] > 1 && set({ head, solo: get("solo") < 0 ? head : -1 });
  const listen = (type, act) =>
    svg.addEventListener(type, (event) => {
      const cell = built && cellAt(g, ...place(svg, event));
      if (cell)
        act(
          [shown[cell[0]], cell[1], cell[2]],
          String([shown[cell[0]], cell[1], cell[2]]) === String(pointed()),
        );
    });
  listen("pointermove", (cell, same) => !same && !get("pinned") && point(cell));
  listen("click", (cell, same) => point(cell, { pinned: !(same && get("pinned")) }));
  listen("dblclick", ([head]) => alone(head));
  keys(svg, (key, event) => {
    const [head, query, column] = pointed();
    const to = step(key, [query, column], ...get("shape").slice(1));
    const hop =
      event.shiftKey &&
      { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -g.columns, ArrowDown: g.columns }[key];
    if (hop) point([shown[shown.indexOf(head) + hop] ?? head, query, column]);
    else if (to) point([head, ...to]);
    else if (key === "Enter" && get("shape")[0] > 1) alone(head);
    else if (key === "Enter" || key === " ") set({ pinned: !get("pinned") });
    else if (key === "Escape" && get("pinned")) set({ pinned: false });
    else if (key === "Escape" && get("solo") >= 0) set({ solo: -1 });
    else return false;
    return true;
  });

  for (const name of [
    "weights",
    "shape",
    "limit",
    "mask",
    "query_tokens",
    "key_tokens",
    "names",
    "solo",
  ])
    model.on(`change:${name}`, repaint);
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
