// Many numbers as a histogram and, if there is one, a single row of weights below it.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  fillIn,
  keys,
  place,
  setAttributes,
  shape,
  step,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 440;
const HEIGHT = 240;
const LEFT = 56; // where the bars begin, right of the names of the axes
const MIDDLE = (LEFT + WIDTH) / 2;
const FLOOR = 204; // of the bars, when they are alone
const UPPER_FLOOR = 104; // when weights stand below them
const HEADROOM = 22; // above the highest bar
const TICKS_BELOW = 15; // from the floor to the foot of its numbers
const AXIS_BELOW = 31;
const LINE = 15; // from one line of text to the next
const WEIGHTS_FLOOR = 220;
const WEIGHTS_HIGH = 60; // a weight of 1
const WEIGHTS_TOP = WEIGHTS_FLOOR - WEIGHTS_HIGH;
const WEIGHTS_NAME = 192;
const WEIGHTS_BELOW = 236; // the foot of how many there are
const WEIGHTS_TEXT = 5; // from the line of weight 1 down to the foot of its name
const TICK_GAP = 4;
const WIDE_BAR = 12; // wider bars have a larger gap between them, as a part of their room
const WIDE_GAP = 0.2;
const NARROW_GAP = 0.06;
const ABOVE_BAR = 3; // from the largest weight up to its digits, which stay in sight
const HIGHEST_DIGITS = WEIGHTS_TOP - 2;
const POINTED_WEIGHTS = 150; // below this line the pointer is at the weights

const SENTENCES = {
  weight: "key {key}: score {score} \u2192 weight {weight}",
  bin: "{low} to {high}: {count} of {all}",
};

/** Which of `count` equal bars between `left` and WIDTH is under x. */
export const barAt = (x, left, count) =>
  clamp(Math.floor(((x - left) / (WIDTH - left)) * count), 0, count - 1);

/** Bars without height: {bar, floor, tall}, the last two where they stand and how high they get. */
function buildBars(svg, count, floor, tall, kind) {
  const pitch = (WIDTH - LEFT) / count;
  const gap = pitch * (pitch > WIDE_BAR ? WIDE_GAP : NARROW_GAP);
  return Array.from({ length: count }, (_, i) => {
    const x = LEFT + i * pitch + gap / 2;
    const bar = shape(svg, "rect", { x, width: pitch - gap, y: floor, height: 0, class: kind });
    return { bar, floor, tall };
  });
}

const buildLine = (svg, y) => shape(svg, "line", { x1: LEFT, x2: WIDTH, y1: y, y2: y });

/** The numbers and the name below the histogram. */
function buildAxis(svg, [low, high], floor, name) {
  const ticks = [
    [low, "start"],
    [low / 2, "middle"],
    [0, "middle"],
    [high / 2, "middle"],
    [high, "end"],
  ];
  const places = Number.isInteger(low / 2) ? 0 : 1;
  for (const [i, [tick, anchor]] of ticks.entries()) {
    const x = LEFT + ((WIDTH - LEFT) * i) / (ticks.length - 1);
    writeText(svg, x, floor + TICKS_BELOW, digits(tick, places), "faint", anchor);
  }
  writeText(svg, MIDDLE, floor + AXIS_BELOW, name, "", "middle");
}

/** What stays around the row of weights. */
function buildWeightsFrame(svg, count) {
  writeText(svg, 0, WEIGHTS_NAME, "weights");
  writeText(svg, 0, WEIGHTS_NAME + LINE, "typical", "faint");
  for (const y of [WEIGHTS_TOP, WEIGHTS_FLOOR]) buildLine(svg, y);
  writeText(svg, LEFT - TICK_GAP, WEIGHTS_TOP + WEIGHTS_TEXT, "1", "faint", "end");
  writeText(svg, MIDDLE, WEIGHTS_BELOW, fillIn("{count} keys", { count }), "", "middle");
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("histogram"); // style sheets reach the whole page
  const get = (name) => model.get(name);
  let bins = [];
  let row = []; // the bars of the weights, if there are any
  let spread;
  let largest; // the digits over the largest weight
  let here = null; // which weight or bin is pointed at
  const pointable = () => (row.length ? row : bins);

  function build() {
    const weights = get("weights").length;
    const floor = weights ? UPPER_FLOOR : FLOOR;
    const tall = floor - HEADROOM;
    svg.replaceChildren();
    writeText(svg, 0, floor - tall / 2, "how", "faint");
    writeText(svg, 0, floor - tall / 2 + LINE, "many", "faint");
    spread = shape(svg, "rect", { y: floor - tall, height: tall, class: "spread" });
    bins = buildBars(svg, get("counts").length, floor, tall, "bin");
    buildLine(svg, floor);
    buildAxis(svg, get("range"), floor, get("axis"));
    row = [];
    if (weights) {
      buildWeightsFrame(svg, weights);
      row = buildBars(svg, weights, WEIGHTS_FLOOR, WEIGHTS_HIGH, "weight");
      largest = writeText(svg, 0, 0, "", "top", "middle");
    }
    paint();
  }

  /** Set the heights of bars; share(i) is what bar i has of the full height. */
  function raise(bars, share) {
    for (const [i, { bar, floor, tall }] of bars.entries()) {
      const height = tall * share(i);
      setAttributes(bar, { y: floor - height, height });
      bar.classList.toggle("here", here === i && bars === pointable());
    }
  }

  function paintLargest(weights) {
    const i = weights.indexOf(Math.max(...weights));
    const { bar, floor, tall } = row[i];
    const x = Number(bar.getAttribute("x")) + bar.getAttribute("width") / 2;
    const y = floor - tall * weights[i] - ABOVE_BAR;
    setAttributes(largest, { x, y: Math.max(y, HIGHEST_DIGITS) });
    largest.textContent = digits(weights[i]);
  }

  function paintSpread() {
    const [low, high] = get("range");
    const across = (value) =>
      LEFT + ((clamp(value, low, high) - low) / (high - low)) * (WIDTH - LEFT);
    const left = across(-get("spread"));
    setAttributes(spread, { x: left, width: across(get("spread")) - left });
  }

  function paint() {
    const counts = get("counts");
    const weights = get("weights");
    const most = Math.max(...counts, 1);
    raise(bins, (i) => counts[i] / most);
    raise(row, (i) => weights[i]);
    if (row.length) paintLargest(weights);
    paintSpread();
    speak();
  }

  function speak() {
    if (here === null) return say(get("caption"));
    if (row.length)
      return say(
        fillIn(SENTENCES.weight, {
          key: here + 1,
          score: digits(get("scores")[here]),
          weight: digits(get("weights")[here], 4),
        }),
      );
    const counts = get("counts");
    const [low, high] = get("range");
    const edge = (i) => digits(low + ((high - low) * i) / counts.length);
    say(
      fillIn(SENTENCES.bin, {
        low: edge(here),
        high: edge(here + 1),
        count: counts[here],
        all: counts.reduce((sum, count) => sum + count, 0),
      }),
    );
  }

  const repaint = eachFrame(paint);
  function point(bar) {
    here = bar;
    repaint();
  }
  svg.addEventListener("pointermove", (event) => {
    const [x, y] = place(svg, event);
    const isBeside = x < LEFT || (row.length && y < POINTED_WEIGHTS);
    point(isBeside ? null : barAt(x, LEFT, pointable().length));
  });
  svg.addEventListener("pointerleave", () => point(null));
  keys(svg, (key) => {
    if (key === "Escape") {
      point(null);
      return true;
    }
    const next = step(key, [0, here ?? -1], 1, pointable().length);
    if (next) point(next[1]);
    return next !== null;
  });
  function follow() {
    const fits = bins.length === get("counts").length && row.length === get("weights").length;
    if (fits) repaint();
    else build();
  }
  for (const name of ["counts", "weights"]) model.on(`change:${name}`, follow);
  for (const name of ["caption", "spread", "scores"]) model.on(`change:${name}`, repaint);
  build();
}

export default { render };
