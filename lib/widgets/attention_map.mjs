// Maps of attention weights, one for each head: rows ask, columns are asked.
import { clamp, digits, drawing, eachFrame, html, keys, numbers, place, shape, short, step } from "./frame.mjs";

const WIDTH = 440, HEIGHT = 240, LINE = 15, GAP = 8, READABLE = 12, CELLS = 1000;

/** As much of a token as fits in so many units; wide(text) measures. */
export function fit(token, room, wide) {
  if (wide(token) <= room) return token;
  let most = Math.ceil((room / wide(token)) * [...token].length) + 1;
  while (most > 2 && wide(short(token, most)) > room) most--;
  return short(token, most);
}

/** Where everything goes: the columns of maps, the labels and the largest cells that fit beside them. */
export function layout(heads, queryTokens, keyTokens, named, wide) {
  const T = queryTokens.length, S = keyTokens.length;
  const widths = (tokens, room) => tokens.map((token) => wide(fit(token, room, wide)));
  const left = 21 + Math.max(...widths(queryTokens, 76));
  const turns = [[0, 76], [45, 76], [90, 76], [45, 36], [90, 36], [null, 0]]; // of the key labels, and their room
  const tries = [true, false].flatMap((rowLabels) => turns.map(([turn, most]) => {
    const long = widths(keyTokens, most), overhang = long.map((each, key) => each * 0.71 - 17 * (S - key) + 10);
    return { rowLabels, turn, most, keyRoom: Math.max(...long), right: turn === 45 ? Math.max(4, ...overhang) : 4 };
  }));
  let best = { score: 0 };
  for (let columns = 1; columns <= heads; columns++) {
    const rows = Math.ceil(heads / columns);
    for (const { rowLabels, turn, most, keyRoom, right } of tries) {
      const high = { 0: LINE, 45: keyRoom * 0.71 + 11, 90: keyRoom + 4 }[turn] ?? (heads === 1 ? LINE : 2);
      const top = LINE + 2 + (named ? LINE : 0) + high, next = GAP + (named ? LINE : 0);
      const wideMost = (WIDTH - left - right - GAP * (columns - 1)) / columns / S;
      const highMost = (HEIGHT - 2 - top - next * (rows - 1)) / rows / T;
      const w = Math.min(wideMost, 120, Math.max(2.2 * highMost, (highMost * T) / S));
      const h = Math.min(highMost, 60, Math.max(wideMost, (wideMost * S) / T));
      if (rowLabels ? h < READABLE : heads > 1 && turn !== null) continue; // with many maps both labels or none
      if (turn !== null && w < { 0: keyRoom + 4, 45: 17, 90: READABLE }[turn]) continue;
      const score = Math.min(w, h) * (rowLabels ? 1.3 : 1) * (heads % columns ? 1 : 1.15);
      if (score > best.score) best = { score, columns, rows, w, h, left, top, rowLabels, turn, most, stepX: w * S + GAP, stepY: h * T + next, named, T, S, heads };
      break;
    }
  }
  return best;
}

/** The upper left corner of a map; `place` counts the maps that are shown. */
export const corner = (g, place) => [g.left + (place % g.columns) * g.stepX, g.top + Math.floor(place / g.columns) * g.stepY];

/** The [map, query, key] at a point, or null. */
export function cellAt(g, x, y) {
  const column = Math.floor((x - g.left) / g.stepX), row = Math.floor((y - g.top) / g.stepY);
  const map = row * g.columns + column;
  if (column < 0 || row < 0 || column >= g.columns || map >= g.heads) return null;
  const [x0, y0] = corner(g, map);
  const key = Math.floor((x - x0) / g.w), query = Math.floor((y - y0) / g.h);
  return key < g.S && query < g.T ? [map, query, key] : null;
}

/** The weights as sent: float32, or one byte for each in steps of top / 255. */
export function weightsOf(view, cells, top) {
  return view.byteLength === cells ? { values: numbers(view, Uint8Array), unit: top / 255 } : { values: numbers(view), unit: 1 };
}

/** Where the largest of row `start` to `start + S` is. */
export function largest(values, start, S) {
  let best = 0;
  for (let key = 1; key < S; key++) if (values[start + key] > values[start + best]) best = key;
  return best;
}

/** Enough digits to tell small weights apart. */
export const written = (weight) => (weight > 0 && weight < 0.00005 ? "<0.0001" : digits(weight, weight < 0.01 && weight > 0 ? 4 : 3));

/** A right-to-left token must not turn round the digits that follow it. */
const isolated = (token) => (/[\u0590-\u08ff]/.test(token) ? `\u2068${token}\u2069` : token);

/** A CSS colour as the lower three bytes of a canvas's pixel. */
function rgb(context, colour) {
  context.fillStyle = colour.trim();
  const hex = parseInt(context.fillStyle.slice(1), 16);
  return ((hex & 255) << 16) | (hex & 0xff00) | (hex >> 16);
}

const box = (x, y, w, h) => `M${x} ${y}h${w}v${h}h${-w}z`;

function render({ model, el, signal }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  const room = html(figure, "div", { class: "map" }), stage = html(room, "div", { class: "map-stage" });
  const sheet = html(stage, "div"); // of canvases, below the labels and lines
  figure.prepend(room);
  stage.append(svg);
  const get = (name) => model.get(name);
  const ruler = document.createElement("canvas").getContext("2d"), widths = new Map();
  const wide = (text) => widths.get(text) ?? widths.set(text, ruler.measureText(text).width).get(text);
  let g, shown, built, cells, canvases, texts, labels, marks, legend, weights, unit, maskShown;

  function build() {
    const [H] = get("shape"), queryTokens = get("query_tokens"), keyTokens = get("key_tokens"), names = get("names");
    const solo = get("solo");
    shown = solo >= 0 ? [solo] : [...Array(H).keys()];
    ruler.font = `700 13px ${getComputedStyle(svg).fontFamily}`;
    g = layout(shown.length, queryTokens, keyTokens, H > 1 || names[0] !== "head 1", wide);
    const { w, h, T, S } = g;
    svg.replaceChildren();
    sheet.replaceChildren();
    cells = [], texts = [], canvases = [], labels = [], maskShown = null;
    const middle = Math.max(75, (g.top + corner(g, shown.length - 1)[1] + h * T) / 2);
    shape(svg, "text", { transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle", class: "query" }, "query (who asks)");
    shape(svg, "text", { x: g.left, y: 11, class: "key" }, "key (who is asked)");
    legend = shape(svg, "text", { x: 380, y: 11 });
    for (let i = 0; i < 10; i++) shape(svg, "rect", { x: 326 + 5 * i, y: 1, width: 5, height: 11, class: "weight", "fill-opacity": (i + 0.5) / 10 });
    shape(svg, "text", { x: 321, y: 11, "text-anchor": "end" }, "weight 0");

    const brief = names.some((name) => wide(name) > w * S + 4); // then "head 12" is "12"
    const onCanvas = shown.length * T * S > CELLS;
    shown.forEach((head, map) => {
      const [x, y] = corner(g, map);
      if (onCanvas) {
        const at = { left: x / WIDTH, top: y / HEIGHT, width: (w * S) / WIDTH, height: (h * T) / HEIGHT };
        const style = Object.entries(at).map(([name, part]) => `${name}: ${part * 100}%`).join(";");
        canvases.push(html(sheet, "canvas", { width: S, height: T, style, class: Math.min(w, h) > 1 ? "coarse" : "" }));
      } else
        for (let i = 0; i < T * S; i++) {
          const left = x + (i % S) * w, top = y + Math.floor(i / S) * h;
          cells.push(shape(svg, "rect", { x: left, y: top, width: w, height: h, class: "weight" }));
          if (w >= 30 && h >= READABLE) texts.push(shape(svg, "text", { x: left + w / 2, y: top + h / 2 + 4.5, "text-anchor": "middle" }));
        }
      shape(svg, "rect", { x, y, width: w * S, height: h * T, class: "frame" });
      const above = map < g.columns ? 2 * LINE - 2 : y - 4;
      const back = shown.length < H ? " (double-click: back to all)" : "";
      if (g.named) labels.push({ map, node: shape(svg, "text", { x, y: above }, back ? names[head] + back : fit(brief ? names[head].split(" ").at(-1) : names[head], w * S + 4, wide)) });
      if (g.rowLabels && map % g.columns === 0)
        queryTokens.forEach((token, query) => labels.push({ query, node: shape(svg, "text", { x: x - 4, y: y + h * (query + 0.5) + 4.5, "text-anchor": "end" }, fit(token, 76, wide)) }));
      if (g.turn !== null && map < g.columns)
        keyTokens.forEach((token, key) => {
          const at = { 0: [w / 2, -4], 45: [w / 2 + 2, -4], 90: [w / 2 + 4.5, -4] }[g.turn];
          labels.push({ key, node: shape(svg, "text", {
            transform: `translate(${x + w * key + at[0]} ${y + at[1]}) rotate(${-g.turn})`, "text-anchor": g.turn ? "start" : "middle",
          }, fit(token, g.most, wide)) });
        });
    });
    marks = Object.fromEntries(
      ["masked", "lines query", "lines key", "here"].map((name) => [name, shape(svg, "path", { class: name })])
    );
    for (const axis of ["query", "key"])
      marks[`${axis} label`] = [shape(svg, "rect", { class: "float", height: LINE, rx: 3 }), shape(svg, "text", { class: `lit ${axis}` })];
  }

  function paint() {
    const [H, T, S] = get("shape"), { w } = g, limit = get("limit"), view = get("mask"), mask = numbers(view, Uint8Array);
    ({ values: weights, unit } = weightsOf(get("weights"), H * T * S, get("top")));
    legend.textContent = (get("top") > limit ? "\u2265\u2009" : "") + (limit === 1 ? "1" : written(limit));
    if (canvases.length) {
      const [ink, grey] = ["--weight", "--masked"].map((name) => rgb(canvases[0].getContext("2d"), getComputedStyle(svg).getPropertyValue(name)));
      canvases.forEach((canvas, map) => {
        const context = canvas.getContext("2d"), image = context.createImageData(S, T);
        const pixels = new Uint32Array(image.data.buffer), start = shown[map] * T * S, full = (255 * unit) / limit;
        for (let i = 0; i < T * S; i++) {
          const hidden = mask.length && !mask[i]; // hatched: every third diagonal is darker
          const alpha = hidden ? ((i % S) + Math.floor(i / S)) % 3 ? 70 : 170 : Math.min(255, weights[start + i] * full + 0.5);
          pixels[i] = (alpha << 24) | (hidden ? grey : ink);
        }
        context.putImageData(image, 0, 0);
      });
    } else {
      cells.forEach((cell, i) => {
        const weight = weights[shown[0] * T * S + i] * unit, depth = Math.min(1, weight / limit);
        cell.setAttribute("fill-opacity", depth);
        if (texts.length === 0) return;
        texts[i].textContent = mask.length && !mask[i % (T * S)] ? "" : w < wide("0.00") + 4 ? digits(weight).replace(/^0|0$/, "") : digits(weight);
        texts[i].classList.toggle("strong", depth > 0.68);
      });
      if (maskShown !== view) marks.masked.setAttribute("d", hatch(mask));
      maskShown = view;
    }
  }

  function hatch(mask) {
    const { w, h, S } = g, hidden = [...mask.keys()].filter((i) => !mask[i]);
    const cell = (x, y) => `${box(x, y, w, h)}M${x} ${y + h}l${w} ${-h}M${x} ${y + h / 2}l${w / 2} ${-h / 2}M${x + w / 2} ${y + h}l${w / 2} ${-h / 2}`;
    return shown.map((_, map) => hidden.map((i) => cell(corner(g, map)[0] + (i % S) * w, corner(g, map)[1] + Math.floor(i / S) * h)).join("")).join("");
  }

  const pointed = () => ["head", "query", "key"].map((name, axis) => clamp(get(name), 0, get("shape")[axis] - 1));

  function mark() {
    const [head, query, key] = pointed(), { w, h, T, S } = g, map = Math.max(0, shown.indexOf(head)), [x, y] = corner(g, map);
    const all = (path) => shown.map((_, i) => path(...corner(g, i))).join("");
    const padX = Math.max(0, 2 - w / 2), padY = Math.max(0, 2 - h / 2); // never thinner than can be seen
    const cell = box(x + w * key - padX, y + h * query - padY, w + 2 * padX, h + 2 * padY);
    marks["lines query"].setAttribute("d", all((x, y) => box(x, y + h * query - padY, w * S, h + 2 * padY)));
    marks["lines key"].setAttribute("d", all((x, y) => box(x + w * key - padX, y, w + 2 * padX, h * T)));
    marks.here.setAttribute("d", cell);
    marks.here.classList.toggle("pinned", get("pinned"));
    for (const label of labels) {
      label.node.classList.toggle("lit", label.map === map || label.query === query || label.key === key);
      if (label.map >= 0) label.node.style.visibility = label.map === map && g.turn === null && g.heads > 1 ? "hidden" : "";
    }
    float("query label", g.rowLabels ? "" : get("query_tokens")[query], (long) => [g.left - 4 - long, y + h * (query + 0.5) - LINE / 2]);
    float("key label", g.turn === null ? get("key_tokens")[key] : "", (long) => [Math.max(x, Math.min(x + w * (key + 0.5) - long / 2, x + w * S - long)), y - LINE - 2]);
    tell(head, query, key);
  }

  function float(name, token, at) {
    const [back, text] = marks[name], word = fit(token, 76, wide), long = wide(word) + 6, [x, y] = at(long);
    for (const node of [back, text]) node.style.display = token ? "" : "none";
    const left = clamp(x, 0, WIDTH - long);
    for (const [attribute, number] of [["x", left], ["y", y], ["width", long]]) back.setAttribute(attribute, number);
    text.setAttribute("x", left + 3);
    text.setAttribute("y", y + 11.5);
    text.textContent = word;
  }

  function tell(head, query, key) {
    const [H, T, S] = get("shape"), names = get("names"), exact = get("exact");
    const known = exact[0] === query && exact[1] === key; // otherwise Python's answer is on its way
    const row = (one) => (one * T + query) * S, at = (one) => (known ? exact[2 + one] : weights[row(one) + key] * unit);
    const most = known ? exact[2 + H + head] : largest(weights, row(head), S);
    const mostWeight = known ? exact[2 + 2 * H + head] : weights[row(head) + most] * unit;
    const about = known || unit === 1 ? "" : "\u2248\u2009";
    const [asks, asked, leads] = [get("query_tokens")[query], get("key_tokens")[key], get("key_tokens")[most]].map(isolated);
    const mask = numbers(get("mask"), Uint8Array), hidden = mask.length && !mask[query * S + key];
    let text = `${get("pinned") ? "pinned \u00b7 " : ""}${names[head]}: ${asks} \u2192 ${asked} `;
    text += hidden ? "masked: weight exactly 0" : about + written(at(head));
    text += ` \u00b7 largest in this row: ${leads} ${about}${written(mostWeight)}`;
    const others = [...Array(H).keys()].filter((one) => one !== head).sort((a, b) => at(b) - at(a));
    let line = "";
    for (const [i, one] of hidden ? [] : others.entries()) {
      const more = `${i ? ", " : "other heads: "}${names[one]} ${about}${written(at(one))}`;
      if (line.length + more.length > 64) { line += ", \u2026"; break; }
      line += more;
    }
    say(`${text}\n${line}`.trim());
  }

  const parts = () => JSON.stringify(["shape", "query_tokens", "key_tokens", "names", "solo"].map(get));
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
  const point = ([map, query, key]) => set({ head: shown[map], query, key });
  const alone = (head) => get("shape")[0] > 1 && set({ head, solo: get("solo") < 0 ? head : -1 });
  const cellUnder = (event) => g && cellAt(g, ...place(svg, event));
  svg.addEventListener("pointermove", (event) => {
    const cell = cellUnder(event);
    if (cell && !get("pinned") && String([shown[cell[0]], cell[1], cell[2]]) !== String(pointed())) point(cell);
  });
  svg.addEventListener("click", (event) => {
    const cell = cellUnder(event);
    if (!cell) return;
    const same = get("pinned") && String([shown[cell[0]], cell[1], cell[2]]) === String(pointed());
    set({ head: shown[cell[0]], query: cell[1], key: cell[2], pinned: !same });
  });
  svg.addEventListener("dblclick", (event) => {
    const cell = cellUnder(event);
    if (cell) alone(shown[cell[0]]);
  });
  keys(svg, (key, event) => {
    if (!g) return false;
    const [head, query, column] = pointed(), { T, S } = g, map = Math.max(0, shown.indexOf(head));
    if (key === "Enter") return alone(head), true;
    if (key === " ") return set({ pinned: !get("pinned") }), true;
    if (key === "Escape" && get("pinned")) return set({ pinned: false }), true;
    if (key === "Escape" && get("solo") >= 0) return set({ solo: -1 }), true;
    const to = step(key, [query, column], T, S);
    if (!to) return false;
    const hop = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -g.columns, ArrowDown: g.columns }[key];
    const edge = event.shiftKey || (to[0] === query && to[1] === column); // over the edge is into the next map
    const next = map + (hop ?? 0), sideways = Math.abs(hop) === 1 && key !== "ArrowUp" && key !== "ArrowDown";
    if (!hop || !edge || next < 0 || next >= shown.length) return point([map, ...to]), true;
    const over = event.shiftKey ? [query, column] : sideways ? [query, hop < 0 ? S - 1 : 0] : [hop < 0 ? T - 1 : 0, column];
    return point([next, ...over]), true;
  });

  for (const name of ["weights", "shape", "limit", "mask", "query_tokens", "key_tokens", "names", "solo"]) model.on(`change:${name}`, repaint);
  for (const name of ["head", "query", "key", "pinned", "exact"]) model.on(`change:${name}`, remark);
  const theme = new MutationObserver(repaint);
  theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  signal.addEventListener("abort", () => theme.disconnect());
  repaint();
}

export default { render };
