// A sentence and its translations, and threads between the words: where the decoder looked, where the encoder looks.
import { clamp, digits, drawing, eachFrame, keys, place, shape, short } from "./frame/frame.mjs";

const WIDTH = 620;
const HEIGHT = 197;
const MARGIN = 7;
const TOLD = 19;
const DIGITS = 18;
const LEAST = 32; // LEAST: between two source words, for digits
const SMALLEST = 13.5;
const STEP = 1.15; // of letters, in units; from a line to the second one below it, in letters
const TRIES = [
  ...[19, 18, 17, 16, 15, 14, SMALLEST].map((size) => [size, 1, 99]),
  ...[99, 12, 9, 7, 5, 4, 3, 2].map((letters) => [SMALLEST, 2, letters]),
];

/** Words side by side, or by turns on one line and the one below; null where there is no room. wide(text): at size 1. */
export function arrange(words, size, levels, letters, least, wide) {
  const shown = words.map((word) => short(word, letters));
  const halves = shown.map((word) => (wide(word) * size) / 2);
  const ends = [];
  const centres = [];
  halves.forEach((half, i) => {
    const gap = size * (/['\u2019]$/.test(shown[i - levels]) ? 0.36 : 0.54);
    centres[i] = Math.max(
      half,
      (ends[i - levels] ?? -gap) + gap + half,
      (centres[i - 1] ?? -least) + least,
    );
    ends[i] = centres[i] + half;
  });
  const spare = WIDTH - 2 * MARGIN - Math.max(...ends);
  const spread = Math.min(spare / words.length, size * 0.7 * levels);
  if (spare < 0) return null;
  return {
    shown,
    halves,
    levels,
    centres: centres.map((x, i) => MARGIN + x + spare / 2 + (i - (words.length - 1) / 2) * spread),
  };
}

/** The largest letters with which every line fits, and where each word goes; a line that is too long takes two. */
export function fit(source, targets, wide) {
  for (const [size, levels, letters] of TRIES) {
    const line = (words, least) =>
      arrange(words, size, 1, 99, least, wide) ??
      arrange(words, size, levels, letters, least, wide);
    const lines = [line(source, LEAST), ...targets.map((target) => line(target, 0))];
    if (lines.every(Boolean)) return { size, lines };
  }
}

/** Where things stand: each line of words; for each model its threads' end, its digits, its arcs and its text. */
export function heights(size, lines) {
  const [source, ...targets] = lines.map(({ levels }) => size * (1.3 + STEP * (levels - 1)));
  const last = HEIGHT - TOLD - targets.at(-1);
  const below = (bottom) => ({
    side: 1,
    to: bottom + DIGITS,
    digits: bottom + 12,
    told: HEIGHT - 4,
  });
  if (targets.length === 1)
    return { tops: [40, last], models: [{ ...below(40 + source), arcs: 40, up: -1, room: 33 }] };
  const first = TOLD + targets[0];
  const room = (last - first - source) / 2 - DIGITS;
  const top = first + room + DIGITS;
  const upper = { side: -1, to: top - DIGITS, digits: top - 4, told: 12 };
  const models = [upper, below(top + source)].map((model) => ({
    ...model,
    arcs: model.to,
    up: model.side,
    room: room - 4,
  }));
  return { tops: [top, TOLD, last], models };
}

/** A label and as much of the end of a text as there is room for: the end is what is compared. */
export function ending(label, text, room, wide) {
  let told = label + text;
  for (let from = 1; wide(told) > room && from <= text.length; from++)
    told = `${label}\u2026${text.slice(from)}`;
  return told;
}

const quoted = (word) => `\u201c${word}\u201d`;

/** What is pointed at, in words and digits: line -1 is the source, otherwise that of a model. */
export function tell({ source, panels, looks }, line, word) {
  const most = (row, count) => {
    const order = [...row.keys()]
      .filter((j) => row[j] > 0)
      .sort((a, b) => row[b] - row[a])
      .slice(0, count);
    return (
      order.map((j) => `${quoted(source[j])}\u00a0${digits(row[j], 3)}`).join(", ") || "nothing"
    );
  };
  const two = panels.length > 1;
  if (line < 0) {
    const told = panels.map(
      ({ name, encoder }) => most(encoder[word], two ? 2 : 3) + (two ? ` (${name})` : ""),
    );
    return `${quoted(source[word])} looks at ${told.join("; ")} \u00b7 ${looks.encoder}`;
  }
  const { name, target, probabilities, cross } = panels[line];
  const row = `${two ? `${name}: the` : "The"} row that wrote ${quoted(target[word])} (probability ${digits(probabilities[word])})`;
  return `${row} looked at ${most(cross[word], 3)} \u00b7 ${looks.cross}`;
}

function render({ model, el, signal }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("translation");
  const [threads, chips, sheet] = ["threads", "chips", "words"].map((name) =>
    shape(svg, "g", { class: name }),
  );
  const get = (name) => model.get(name);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const ruler = document.createElement("canvas").getContext("2d");
  const wide = (text) => ruler.measureText(text).width / 100;
  const nodes = new Map();
  const now = new Map(); // what is drawn, and the numbers that glide, by name
  let picture;
  let g;
  let spots;
  let moving; // spots: where the words are

  function node(name, parent, tag, attributes, text) {
    if (!nodes.has(name)) nodes.set(name, { it: shape(parent, tag) });
    const entry = nodes.get(name);
    const { it } = entry;
    entry.used = true;
    for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
    if (text === undefined || it.textContent === text) return;
    if (name.startsWith("word") && it.textContent && !calm.matches)
      it.animate([{ opacity: 0 }, { opacity: 1 }], 600);
    it.textContent = text;
  }

  /** The number of this name on its way to a new value. */
  function glide(name, to) {
    const from = now.get(name) ?? to;
    const there = calm.matches || Math.abs(to - from) < 0.01;
    moving ||= !there;
    now.set(name, there ? to : from + 0.22 * (to - from));
    return now.get(name);
  }

  const count = (line) => (line < 0 ? picture.source : picture.panels[line].target).length;
  const pointed = () => {
    const line = clamp(get("line"), -1, picture.panels.length - 1);
    return [line, clamp(get("word"), 0, count(line) - 1)];
  };
  /** Which word of a model asks: the one pointed at, and its fellow in another model of the same language. */
  const asking = (model, line, word) => {
    const alike = line >= 0 && picture.panels[model].language === picture.panels[line].language;
    return alike ? clamp(word, 0, count(model) - 1) : null;
  };

  function build() {
    picture = get("picture");
    ruler.font = `100px ${getComputedStyle(svg).fontFamily}`;
    g = fit(
      picture.source,
      picture.panels.map(({ target }) => target),
      wide,
    );
    Object.assign(g, heights(g.size, g.lines));
    paint();
  }

  /** The words of a line; where they are on their way to their places. */
  function write(line, kind, lang) {
    const { shown, halves, levels, centres } = g.lines[line + 1];
    return shown.map((text, i) => {
      const y = g.tops[line + 1] + g.size * (1 + STEP * (i % levels));
      const at = { x: glide(`x ${line} ${i}`, centres[i]), y: glide(`y ${line} ${i}`, y) };
      spots.push({ to: [line, i], x: centres[i], y: y - 0.35 * g.size, half: halves[i] });
      node(`word ${line} ${i}`, sheet, "text", { ...at, class: kind(i), lang }, text);
      return at;
    });
  }

  function chip(line, word, { x, y }) {
    const half = glide(`half ${line}`, g.lines[line + 1].halves[word] + 5);
    const left = glide(`chip ${line}`, x) - half;
    const top = glide(`top ${line}`, y - g.size * 1.02);
    node(`chip ${line}`, chips, "rect", {
      x: left,
      y: top,
      width: 2 * half,
      height: g.size * 1.38,
      rx: 6,
      class: get("pinned") ? "pinned" : "",
    });
  }

  function thread(name, weight, d) {
    if (weight > 0.003)
      node(name, threads, "path", {
        d,
        "stroke-width": 0.8 + 10 * weight,
        "stroke-opacity": 0.1 + 0.75 * weight,
      });
  }

  /** One model: the words that it wrote, threads or arcs, and the digits of the row that is shown. */
  function show(panel, p, above, row, line, word) {
    const { side, to, arcs, up, room, digits: high, told } = g.models[p];
    const mine = asking(p, line, word);
    const lang = panel.language;
    const kind = (t) =>
      [
        t === mine && "asks",
        panel.changed[t] && "changed",
        /^<.*>$/.test(panel.target[t]) && "faint",
      ]
        .filter(Boolean)
        .join(" ");
    const below = write(p, kind, lang);
    const asks = line < 0 ? above[word] : below[mine];
    if (mine !== null) chip(p, mine, asks);
    const x0 = asks && glide(`from ${p} ${line < 0}`, asks.x);
    const y0 = asks && asks.y - g.size * (side > 0 ? 1.02 : -0.36);
    const middle = (y0 + to) / 2;
    above.forEach(({ x }, j) => {
      const cross = glide(`cross ${p} ${j}`, mine === null ? 0 : row[j]);
      const own = glide(`arc ${p} ${j}`, line < 0 ? row[j] : 0);
      if (mine !== null)
        thread(`cross ${p} ${j}`, cross, `M${x0} ${y0}C${x0} ${middle} ${x} ${middle} ${x} ${to}`);
      const top = arcs + (up * Math.min(room, 14 + 0.12 * Math.abs(x - x0))) / 0.75; // a curve reaches 3/4 of its handles
      const loop = `M${x - 6} ${arcs}c-12 ${26 * up} 24 ${26 * up} 12 0`;
      if (line < 0)
        thread(
          `arc ${p} ${j}`,
          own,
          j === word ? loop : `M${x0} ${arcs}C${x0} ${top} ${x} ${top} ${x} ${arcs}`,
        );
      const light = row?.[j] >= 0.1 ? "asked" : row?.[j] < 0.005 ? "none" : "";
      if (row)
        node(
          `digits ${p} ${j}`,
          sheet,
          "text",
          { x, y: high, class: `digits ${light}` },
          digits(row[j]),
        );
    });
    node(
      `told ${p}`,
      sheet,
      "text",
      { x: WIDTH / 2, y: told, class: "told faint", lang },
      ending(...panel.told, (WIDTH - 10) / 13, wide),
    );
  }

  function paint() {
    const { source, panels } = picture;
    const [line, word] = pointed();
    const rows = panels.map(({ encoder, cross }, p) =>
      line < 0 ? encoder[word] : cross[asking(p, line, word)],
    );
    (moving = false), (spots = []);
    for (const entry of nodes.values()) entry.used = false;
    sheet.style.fontSize = `${glide("size", g.size)}px`;
    const kind = (j) =>
      line < 0 && j === word ? "asks" : rows.some((row) => row?.[j] >= 0.1) ? "asked" : "";
    const above = write(-1, kind, "en");
    if (line < 0) chip(-1, word, above[word]);
    panels.forEach((panel, p) => show(panel, p, above, rows[p], line, word));
    for (const [name, { used, it }] of nodes) if (!used) nodes.delete(name), it.remove();
    say((get("pinned") ? "pinned \u00b7 " : "") + tell(picture, line, word));
    if (moving) repaint();
  }

  const repaint = eachFrame(() => {
    if (signal.aborted) return;
    if (!svg.isConnected) return repaint(); // JupyterLab attaches the element after render
    if (picture !== get("picture")) build();
    else paint();
  });

  function set(changes) {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
    return true;
  }
  const point = ([line, word], more = {}) => set({ line, word, ...more });
  const same = (to) => String(to) === String(pointed());
  const under = (event) => {
    const [x, y] = place(svg, event);
    const far = (spot) => Math.max(0, Math.abs(x - spot.x) - spot.half) + Math.abs(y - spot.y) / 4;
    const near = spots
      .filter((spot) => Math.abs(y - spot.y) < g.size)
      .sort((a, b) => far(a) - far(b))[0];
    return near && far(near) < 14 ? near.to : null;
  };
  svg.addEventListener("pointermove", (event) => {
    const to = under(event);
    svg.style.cursor = to ? "pointer" : "";
    if (to && !get("pinned") && !same(to)) point(to);
  });
  svg.addEventListener("click", (event) => {
    const to = under(event);
    to ? point(to, { pinned: !(get("pinned") && same(to)) }) : set({ pinned: false });
  });
  /** The word nearest above or below. */
  const across = (by) => {
    const [line, word] = pointed();
    const order = picture.panels.length > 1 ? [0, -1, 1] : [-1, 0];
    const other = order[order.indexOf(line) + by] ?? line;
    const away = g.lines[other + 1].centres.map((x) =>
      Math.abs(x - g.lines[line + 1].centres[word]),
    );
    return [other, away.indexOf(Math.min(...away))];
  };
  keys(svg, (key) => {
    const [line, word] = pointed();
    const last = count(line) - 1;
    const to = { ArrowLeft: word - 1, ArrowRight: word + 1, Home: 0, End: last }[key];
    if (to !== undefined) return point([line, clamp(to, 0, last)]);
    if (key === "ArrowUp" || key === "ArrowDown") return point(across(key === "ArrowUp" ? -1 : 1));
    if (key === "Enter" || key === " ") return set({ pinned: !get("pinned") });
    return key === "Escape" && get("pinned") && set({ pinned: false });
  });
  for (const name of ["picture", "line", "word", "pinned"]) model.on(`change:${name}`, repaint);
  repaint();
}

export default { render };
