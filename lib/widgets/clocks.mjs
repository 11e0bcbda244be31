// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k.
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
} from "./frame/frame.mjs";

/** Where a clock's hand points: [its height, the even dimension; its reach to the right, the odd dimension]. */
export function hand(position, clock, d_model) {
  const angle = position * 10000 ** ((-2 * clock) / d_model);
  return [Math.sin(angle), Math.cos(angle)];
}

/** PE(p)·PE(p + k) */
export function product(p, k, d_model) {
  const encode = (position) =>
    Array.from({ length: d_model / 2 }, (_, clock) => hand(position, clock, d_model)).flat();
  const there = encode(p + k);
  return encode(p).reduce((sum, x, i) => sum + x * there[i], 0);
}

/** The position nearest to `from` at which the first clock, one radian for each place, points in this direction. */
export function turnTo(from, angle) {
  const turns = (angle - from) / (2 * Math.PI);
  return from + 2 * Math.PI * (turns - Math.round(turns));
}

const WIDTH = 440;
const TOP = 42;
const LEFT = 26;
const RIGHT = 250;
const FLOOR = 216;
const DIGITS = 276;
const DRAG = 4;
const HANDS = ["query", "key"];
const MOST = { p: 100, k: 60 };
const FAR = (RIGHT - LEFT) / MOST.k;
const DISTANCES = [...Array(MOST.k + 1).keys()];
const set = (node, attributes) =>
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, 250);
  figure.classList.add("clocks"); // a style sheet reaches every drawing on the page
  const get = (name) => model.get(name);
  let clocks;
  let words;
  let marks;
  let texts;
  let chart;
  let slot;
  let radius;
  let here = 0;
  const text = (x, y, kind, words = "", anchor = "start") =>
    shape(svg, "text", { x, y, class: kind, "text-anchor": anchor }, words);

  function build() {
    const count = get("d_model") / 2;
    const rows = count > 8 ? 2 : 1;
    const wide = (WIDTH * rows) / count;
    const tokens = get("words");
    slot = WIDTH / tokens.length;
    radius = Math.min(wide / 2 - 3, 48 / rows - 3, 36);
    svg.replaceChildren();
    marks = HANDS.map((kind, i) =>
      shape(svg, "rect", {
        y: 1 + 2 * i,
        width: slot - 6 - 4 * i,
        height: 34 - 4 * i,
        rx: 4,
        class: `mark ${kind}`,
      }),
    );
    words = tokens.map((word, i) => {
      text(slot * (i + 0.5), 30, "faint", i || "place 0", "middle");
      return shape(
        svg,
        "text",
        { y: 15, "text-anchor": "middle", class: "word" },
        short(word, Math.floor(slot / 8.4)),
      );
    });
    const high = 2 * radius + 16;
    const top = TOP + rows * high + 22;
    clocks = Array.from({ length: count }, (_, i) => {
      const x = wide * ((i % (count / rows)) + 0.5);
      const y = TOP + radius + 2 + high * Math.floor((i * rows) / count);
      const face = shape(svg, "circle", { cx: x, cy: y, r: radius, class: "face" });
      shape(svg, "path", {
        d: `M${x - radius} ${y}h${2 * radius}M${x} ${y - radius}v${2 * radius}`,
        class: "axis",
      });
      text(x, y + radius + 13, "faint", `${i ? "" : "dim "}${2 * i}, ${2 * i + 1}`, "middle");
      return {
        x,
        y,
        face,
        hands: HANDS.map((kind) =>
          ["leg", "hand", "tip"].map((part) => shape(svg, "path", { class: `${part} ${kind}` })),
        ),
      };
    });
    const low = Math.min(0, ...DISTANCES.map((k) => product(0, k, 2 * count)));
    const height = (dot) => FLOOR - ((dot - low) / (count - low)) * (FLOOR - top);
    text(LEFT, top - 7, "", "PE(p) \u00b7 PE(p + k)");
    for (const tick of [0, count])
      text(LEFT - 5, height(tick) + 4.5, "faint", tick, "end"),
        shape(svg, "line", { x1: LEFT, x2: RIGHT, y1: height(tick), y2: height(tick) });
    for (const k of [0, 20, 40, 60]) text(LEFT + k * FAR, FLOOR + 15, "faint", k, "middle");
    chart = { top, height, name: text((LEFT + RIGHT) / 2, FLOOR + 30, "", "", "middle") };
    for (const [part, tag] of [
      ["curve", "path"],
      ["at", "line"],
      ["dot", "circle"],
    ])
      chart[part] = shape(svg, tag, { class: part });
    const middle = (top + FLOOR) / 2 + 5;
    const row = (line, places) =>
      places.map(([x, kind, anchor]) => text(x, middle + 17 * line, kind, "", anchor));
    const numbers = [
      [DIGITS, ""],
      [392, "query", "end"],
      [WIDTH, "key", "end"],
    ];
    texts = [
      row(-1.7, [
        [DIGITS, "query"],
        [DIGITS + 62, "key"],
      ]),
      row(-0.5, [[DIGITS, "total"]]),
      row(0.9, numbers),
      row(1.9, numbers),
    ].flat();
    here = Math.min(here, count - 1);
    paint();
  }

  function paint() {
    const [p, k, d_model, order] = ["p", "k", "d_model", "order"].map(get);
    const places = [p, p + k];
    const dot = product(p, k, d_model);
    words.forEach(
      (word, i) => (word.style.transform = `translate(${slot * (order.indexOf(i) + 0.5)}px, 0)`),
    );
    marks.forEach((mark, i) =>
      set(mark, {
        x: slot * places[i] + 3 + 2 * i,
        visibility: places[i] < order.length ? "visible" : "hidden",
      }),
    );
    clocks.forEach(({ x, y, face, hands }, clock) => {
      face.classList.toggle("here", clock === here);
      hands.forEach(([leg, needle, tip], i) => {
        const [up, right] = hand(places[i], clock, d_model).map((part) => part * radius * 0.86);
        set(leg, { d: clock === here ? `M${x} ${y}h${right}v${-up}` : "" });
        set(needle, { d: `M${x} ${y}l${right} ${-up}` });
        set(tip, {
          d: i
            ? `M${x + right - 3} ${y - up - 3}h6v6h-6Z`
            : `M${x + right - 3.5} ${y - up}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`,
        });
      });
    });
    // From the present p, although no p changes it: that is what there is to see.
    set(chart.curve, {
      d: `M${DISTANCES.map((far) => `${LEFT + far * FAR} ${chart.height(product(p, far, d_model))}`).join("L")}`,
    });
    set(chart.at, { x1: LEFT + k * FAR, x2: LEFT + k * FAR, y1: chart.height(dot), y2: FLOOR });
    set(chart.dot, { cx: LEFT + k * FAR, cy: chart.height(dot), r: 4.5 });
    chart.name.textContent = `distance k = ${k}`;
    const [[sin, cos], [sin2, cos2]] = places.map((at) =>
      hand(at, here, d_model).map((part) => digits(part)),
    );
    [
      `p = ${p}`,
      `p + k = ${p + k}`,
      `PE \u00b7 PE = ${digits(dot)}`,
      `dim ${2 * here} sin`,
      sin,
      sin2,
      `dim ${2 * here + 1} cos`,
      cos,
      cos2,
    ].forEach((words, i) => (texts[i].textContent = words));
    const [word, word2] = places.map((at) =>
      at < order.length ? ` (${get("words")[order[at]]})` : "",
    );
    const period = 2 * Math.PI * 10000 ** ((2 * here) / d_model);
    say(
      `p = ${p}${word}, p + k = ${p + k}${word2}: PE(p) \u00b7 PE(p + k) = ${digits(dot)}. ` +
        `Clock ${here + 1} of ${clocks.length} turns once in ${period < 100 ? digits(period, 1) : Math.round(period).toLocaleString("en")} places.`,
    );
  }

  const repaint = eachFrame(paint);
  function put(name, value) {
    model.set(name, clamp(Math.round(value), 0, MOST[name]));
    model.save_changes();
    repaint();
  }
  const clockAt = (x, y) =>
    clocks.findIndex((clock) => Math.hypot(x - clock.x, y - clock.y) < radius + 3);

  drag(
    svg,
    (event) => {
      const [x, y] = place(svg, event);
      const [p, k] = [get("p"), get("k")];
      const angle = Math.atan2(clocks[0].y - y, x - clocks[0].x);
      if (x < RIGHT && y > chart.top - 5)
        return { name: "k", x, unit: FAR, from: (x - LEFT) / FAR };
      if (clockAt(x, y) !== 0) return { name: "p", x, unit: DRAG, from: p };
      const off = (at) => Math.abs(turnTo(at, angle) - at);
      return off(p + k) <= off(p)
        ? { name: "k", from: p + k, zero: p }
        : { name: "p", from: p, zero: 0 };
    },
    (held, x, y) => {
      const { name, from, unit, zero } = held;
      if (unit) return put(name, from + (x - held.x) / unit);
      held.from = clamp(
        turnTo(from, Math.atan2(clocks[0].y - y, x - clocks[0].x)),
        zero,
        zero + MOST[name],
      );
      put(name, held.from - zero);
    },
  );
  svg.addEventListener("pointermove", (event) => {
    const clock = clockAt(...place(svg, event));
    if (clock >= 0 && event.buttons === 0) (here = clock), repaint();
  });
  keys(svg, (key, event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
    const name = event.shiftKey || /Up|Down/.test(key) ? "k" : "p";
    if (by) put(name, get(name) + by);
    else if (key === "Enter" || key === " ") (here = (here + 1) % clocks.length), repaint();
    else return false;
    return true;
  });
  for (const name of ["p", "k", "order"]) model.on(`change:${name}`, repaint);
  model.on("change:d_model", build);
  build();
}

export default { render };
