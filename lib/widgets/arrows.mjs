// A query and one or two keys as arrows to drag, and their dot products written out.
import { clamp, digits, drag, drawing, eachFrame, keys, shape } from "./frame/frame.mjs";

export const dot = ([ax, ay], [bx, by]) => ax * bx + ay * by;
export const cross = ([ax, ay], [bx, by]) => ax * by - ay * bx;
export const length = ([x, y]) => Math.hypot(x, y);

/** Signed length of the shadow of a key on the direction of the query; null if the query has no direction. */
export const shadow = (query, key) => (length(query) ? dot(query, key) / length(query) : null);

/** The cosine of the angle between two arrows; null if one of them has no direction. */
export function cosine(a, b) {
  return length(a) && length(b) ? clamp(dot(a, b) / (length(a) * length(b)), -1, 1) : null;
}

/** The angle between two arrows in degrees; null if one of them has no direction. */
export function angle(a, b) {
  // Not the arc cosine, which loses digits near 0 and 180 degrees.
  return length(a) && length(b)
    ? (Math.atan2(Math.abs(cross(a, b)), dot(a, b)) * 180) / Math.PI
    : null;
}

const UNIT = 24;
const ZERO = 120;
const RANGE = 4;
const RIGHT = 262;
const COLUMN = 100;
const BAR = 390;
const HALF = 105;
const NAMES = { q: "q", k: "k", k2: "k\u2032" };
const HEADS = { q: "M0 0L-12 6V-6Z", k: "M0 0L-13 6L-8 0L-13 -6Z", k2: "M0 0L-8 6L-16 0L-8 -6Z" };
const POINT = "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0"; // the head of an arrow of length 0
const hue = (name) => (name === "q" ? "query" : "key");
const set = (node, attributes) =>
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
const fill = (nodes, words) => nodes.forEach((node, i) => (node.textContent = words[i]));
const write = (x) => digits(x, Math.abs(x * 10 - Math.round(x * 10)) < 1e-9 ? 1 : 2);
const factor = (x) => (x < 0 ? `(${write(x)})` : write(x));
const turned = ([x, y]) =>
  `translate(${ZERO} ${ZERO}) rotate(${(-Math.atan2(y, x) * 180) / Math.PI})`;

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, 620, 240);
  figure.classList.add("arrows"); // a style sheet reaches every drawing on the page
  let names;
  let arrows;
  let onto;
  let lastKey;
  const at = (name) => model.get(name);
  const chosen = () => names[at("chosen")] ?? "k";
  const text = (x, y, anchor, kind, words) =>
    shape(svg, "text", { x, y, "text-anchor": anchor, class: kind }, words);

  function build() {
    names = Object.keys(NAMES).filter((name) => at(name).length);
    lastKey = "k";
    svg.replaceChildren();
    const low = ZERO - RANGE * UNIT;
    const high = ZERO + RANGE * UNIT;
    for (let i = -RANGE; i <= RANGE; i++) {
      const x = ZERO + i * UNIT;
      const y = ZERO - i * UNIT;
      const kind = i ? "grid" : "zero";
      shape(svg, "line", { x1: x, x2: x, y1: low, y2: high, class: kind });
      shape(svg, "line", { x1: low, x2: high, y1: y, y2: y, class: kind });
      if (i % 2 === 0)
        text(x, high + 16, "middle", "faint", digits(i, 0)),
          text(low - 3, y + 4, "end", "faint", digits(i, 0));
    }
    text(high + 8, ZERO + 4, "start", "", "x"), text(ZERO, low - 9, "middle", "", "y");
    ["length", "angle to q", "cosine"].forEach((word, j) =>
      text(RIGHT + COLUMN * (j + 1), 64, "end", "faint", word),
    );
    text(BAR, 152, "middle", "faint", "score");
    shape(svg, "line", { x1: BAR, x2: BAR, y1: 158, y2: 158 + 26 * (names.length - 1) });
    text(
      RIGHT,
      236,
      "start",
      "faint",
      "Drag a tip, or: Enter for the next arrow, then \u2190 \u2191 \u2192 \u2193",
    );
    onto = { all: shape(svg, "g") };
    onto.ray = shape(onto.all, "line", { x1: -115, x2: 115, class: "ray" });
    onto.shadow = shape(onto.all, "line", { class: "shadow" });
    onto.drop = shape(onto.all, "path", { class: "drop" });
    arrows = names.map((name, i) => {
      const y = 64 + 20 * (i + 1);
      const top = 135 + 26 * i;
      const all = shape(svg, "g", { class: `arrow ${hue(name)} ${name}` });
      const line = shape(all, "line");
      const head = shape(all, "path");
      const tip = shape(all, "circle", { r: 15, class: "tip hold" });
      text(RIGHT, y, "start", hue(name), NAMES[name]);
      const cells = [1, 2, 3].map((j) => text(RIGHT + COLUMN * j, y, "end", ""));
      const arrow = {
        name,
        all,
        line,
        head,
        tip,
        cells,
        word: text(0, 0, "middle", `name ${hue(name)}`, NAMES[name]),
      };
      if (name === "q") return arrow;
      const sum = text(RIGHT, 18 + 22 * (i - 1), "start", "");
      const kinds = ["query", "key", "query", "key", "total"];
      const signs = [`q\u00b7${NAMES[name]} = `, " \u00d7 ", " + ", " \u00d7 ", " = "];
      arrow.sum = kinds.map(
        (kind, j) => shape(sum, "tspan", {}, signs[j]) && shape(sum, "tspan", { class: kind }),
      );
      text(RIGHT, top + 15, "start", "key", NAMES[name]);
      arrow.bar = shape(svg, "rect", { y: top, height: 20, class: `key bar ${name}` });
      arrow.verdict = text(0, top + 15, "start", "");
      return arrow;
    });
    paint();
  }

  function paint() {
    if (chosen() !== "q") lastKey = chosen();
    const q = at("q");
    const key = at(lastKey);
    const long = shadow(q, key);
    const top = arrows[names.indexOf(chosen())].all;
    if (svg.lastChild !== top) svg.append(top); // where tips meet, the chosen one is grasped
    onto.all.style.display = long === null ? "none" : "";
    if (long !== null) {
      const foot = long * UNIT;
      const up = (-cross(q, key) / length(q)) * UNIT;
      const side = -7 * Math.sign(foot);
      const square =
        Math.min(Math.abs(up), Math.abs(foot)) > 12
          ? `m${side} 0v${7 * Math.sign(up)}h${-side}`
          : "";
      set(onto.all, { transform: turned(q) });
      set(onto.shadow, { x2: foot });
      set(onto.drop, { d: `M${foot} ${up}V0${square}` });
    }
    const scores = names.map((name) => dot(q, at(name))).slice(1);
    const best = Math.max(...scores);
    const span = Math.max(...scores.map(Math.abs)) > 16 ? 32 : 16; // no two arrows here have a score over 32
    const even = scores.every((score) => best - score < 1e-9);
    const verdicts = scores.map((score) =>
      scores.length < 2 ? "" : even ? ", equal" : score === best ? ", the winner" : "",
    );
    arrows.forEach((arrow, i) => {
      const { name } = arrow;
      const a = at(name);
      const reach = length(a) * UNIT;
      const turn = angle(q, a);
      const score = scores[i - 1];
      // A name stands beyond its tip, turned away from the dropped line; k\u2032 straight on, lest two keys' names meet.
      const away = name === "k2" ? 0 : cross(name === "q" ? key : q, a) < 0 ? -0.7 : 0.7;
      const direction = Math.atan2(a[1], a[0]) + away;
      set(arrow.all, { transform: turned(a) });
      set(arrow.line, { x2: Math.max(0, reach - 9) });
      set(arrow.head, { d: reach ? HEADS[name] : POINT, transform: `translate(${reach} 0)` });
      set(arrow.tip, { cx: reach, class: `tip hold${name === chosen() ? " chosen" : ""}` });
      set(arrow.word, {
        x: clamp(ZERO + UNIT * a[0] + 22 * Math.cos(direction), 8, 236),
        y: clamp(ZERO - UNIT * a[1] - 22 * Math.sin(direction) + 4, 11, 236),
      });
      if (name === "q") return fill(arrow.cells, [digits(length(q)), "", ""]);
      const told =
        turn === null ? ["no direction", ""] : [`${digits(turn, 0)}\u00b0`, digits(cosine(q, a))];
      fill(arrow.cells, [digits(length(a)), ...told]);
      fill(arrow.sum, [write(q[0]), factor(a[0]), factor(q[1]), factor(a[1]), digits(score)]);
      const wide = (Math.abs(score) / span) * HALF;
      set(arrow.bar, { x: BAR - (score < 0 ? wide : 0), width: wide });
      set(arrow.verdict, { x: BAR + 6 + (score > 0 ? wide : 0) });
      arrow.verdict.textContent = digits(score) + verdicts[i - 1];
    });
    const product = `shadow of ${NAMES[lastKey]} on q ${digits(long ?? 0)} \u00d7 length of q ${digits(length(q))}`;
    const score = ` = score ${digits(dot(q, key))}${verdicts[names.indexOf(lastKey) - 1]}`;
    say(
      `${NAMES[chosen()]} (${at(chosen()).map(write).join(", ")}) chosen; ` +
        (long === null
          ? "q has no direction: no shadow, every score is 0."
          : `${product}${score}.`),
    );
  }

  const repaint = eachFrame(paint);
  function change(name, value) {
    if (String(value) === String(at(name))) return;
    model.set(name, value);
    model.save_changes();
    repaint();
  }
  const put = (name, ...to) =>
    change(
      name,
      to.map((x) => clamp(Math.round(x * 10) / 10, -RANGE, RANGE)),
    );

  drag(
    svg,
    (event) => {
      const i = arrows.findIndex((arrow) => arrow.tip === event.target);
      if (i >= 0) change("chosen", i);
      return names[i];
    },
    (name, x, y) => put(name, (x - ZERO) / UNIT, (ZERO - y) / UNIT),
  );
  keys(svg, (key, event) => {
    const by = event.shiftKey ? 0.5 : 0.1;
    const [x, y] = at(chosen());
    const to = {
      ArrowUp: [x, y + by],
      ArrowDown: [x, y - by],
      ArrowLeft: [x - by, y],
      ArrowRight: [x + by, y],
    }[key];
    if (to) put(chosen(), ...to);
    else if (key === "Enter" || key === " ") change("chosen", (at("chosen") + 1) % names.length);
    else return false;
    return true;
  });
  for (const name of ["q", "k", "chosen"]) model.on(`change:${name}`, repaint);
  model.on("change:k2", () => (names.includes("k2") === at("k2").length > 0 ? repaint() : build()));
  build();
}

export default { render };
