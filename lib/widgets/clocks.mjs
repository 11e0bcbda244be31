// Sinusoidal positions as clocks: two hands to move on each, one for p and one for p + k.
import {
  clamp,
  digits,
  drag,
  drawing,
  eachFrame,
  keys,
  place,
  saveChanges,
  setAttributes,
  shape,
  short,
  writeText,
} from "./frame/frame.mjs";

const BASE = 10000; // of the wavelengths, as in the paper

/**
 * Where a clock's hand points: [its height, the even dimension; its reach to the right, the odd
 * dimension].
 */
export function hand(position, clock, dModel) {
  const angle = position * BASE ** ((-2 * clock) / dModel);
  return [Math.sin(angle), Math.cos(angle)];
}

/** PE(p)·PE(p + k) */
export function product(position, distance, dModel) {
  let sum = 0;
  for (let clock = 0; clock < dModel / 2; clock++) {
    const [sine, cosine] = hand(position, clock, dModel);
    const [farSine, farCosine] = hand(position + distance, clock, dModel);
    sum += sine * farSine + cosine * farCosine;
  }
  return sum;
}

/**
 * The position nearest to `from` at which the first clock, one radian for each place, points in
 * this direction.
 */
export function turnTo(from, angle) {
  const turns = (angle - from) / (2 * Math.PI);
  return from + 2 * Math.PI * (turns - Math.round(turns));
}

const WIDTH = 440;
const HEIGHT = 250;
const WORDS = 15; // the baseline of the words
const PLACES = 30; // and that of the places below them
const LETTER = 8.4; // about as wide as a letter
// Around a word; the mark of the key lies inside that of the query.
const MARK = { top: 1, height: 34, beside: 3, inside: 2, corner: 4 };
const TOP = 42; // of the clocks
const ONE_ROW = 8; // at most as many clocks stand in one row
const ROOM = 48; // for half the height of all rows
const LARGEST = 36; // radius
const BETWEEN = 3; // half of what lies between two clocks
const ABOVE = 2;
const UNDER = 16; // a clock's dimensions are written there
const DIMENSIONS = 13; // from a clock down to their baseline
const REACH = 0.86; // of the hands
const DOTS = { query: 3.5, key: 3 }; // at their tips: a disc's radius, half of a square's side
const LEFT = 26; // of the chart
const RIGHT = 250;
const FLOOR = 216;
const HEAD = 22; // from the clocks down to the chart
const BASELINE = 4.5; // from the middle of a line down to where its letters stand
const BESIDE = 5; // from the chart to its numbers
const TITLE = 7; // from the chart up to its title
const BELOW = { ticks: 15, name: 30 }; // from the chart down to what is written there
const DOT = 4.5; // radius
const DIGITS = 276; // what is written beside the chart: three columns, lines of 17
const SINE = 392;
const NEXT = 62;
const LINE = 17;
const ROWS = { places: -1.7, product: -0.5, even: 0.9, odd: 1.9 }; // lines from the middle
const DRAG = 4; // the pointer goes so far for one place
const HANDS = ["query", "key"];
const MOST = { p: 100, k: 60 };
const TICKS = [0, 20, 40, 60];
const FAR = (RIGHT - LEFT) / MOST.k;
const DISTANCES = [...Array(MOST.k + 1).keys()];

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("clocks"); // a style sheet reaches every drawing on the page
  const get = (name) => model.get(name);
  let clocks;
  let words;
  let marks;
  let texts;
  let chart;
  let slot; // the room of a word
  let radius;
  let here = 0;

  function build() {
    const count = get("d_model") / 2;
    const rows = count > ONE_ROW ? 2 : 1;
    const pitch = (WIDTH * rows) / count;
    slot = WIDTH / get("words").length;
    radius = Math.min(pitch / 2 - BETWEEN, ROOM / rows - BETWEEN, LARGEST);
    const high = 2 * radius + UNDER;
    svg.replaceChildren();
    marks = HANDS.map(buildMark);
    words = get("words").map(buildWord);
    clocks = Array.from({ length: count }, (_, i) => {
      const x = pitch * ((i % (count / rows)) + 0.5);
      const y = TOP + radius + ABOVE + high * Math.floor((i * rows) / count);
      return buildClock(i, x, y);
    });
    buildChart(TOP + rows * high + HEAD, count);
    buildTexts((chart.top + FLOOR) / 2 + BESIDE);
    here = Math.min(here, count - 1);
    paint();
  }

  function buildMark(kind, i) {
    const inside = MARK.inside * i;
    return shape(svg, "rect", {
      y: MARK.top + inside,
      width: slot - 2 * (MARK.beside + inside),
      height: MARK.height - 2 * inside,
      rx: MARK.corner,
      class: `mark ${kind}`,
    });
  }

  function buildWord(word, i) {
    writeText(svg, slot * (i + 0.5), PLACES, i || "place 0", "faint", "middle");
    const text = short(word, Math.floor(slot / LETTER));
    return writeText(svg, 0, WORDS, text, "word", "middle");
  }

  function buildClock(i, x, y) {
    const face = shape(svg, "circle", { cx: x, cy: y, r: radius, class: "face" });
    const across = `M${x - radius} ${y}h${2 * radius}`;
    const down = `M${x} ${y - radius}v${2 * radius}`;
    const dimensions = `${2 * i}, ${2 * i + 1}`;
    const name = i === 0 ? `dim ${dimensions}` : dimensions;
    shape(svg, "path", { d: across + down, class: "axis" });
    writeText(svg, x, y + radius + DIMENSIONS, name, "faint", "middle");
    const hands = HANDS.map((kind) => ({
      leg: shape(svg, "path", { class: `leg ${kind}` }),
      needle: shape(svg, "path", { class: `hand ${kind}` }),
      tip: shape(svg, "path", { class: `tip ${kind}` }),
    }));
    return { x, y, face, hands };
  }

  /** The product over the distance, from its least value to the number of clocks. */
  function buildChart(top, count) {
    const products = DISTANCES.map((distance) => product(0, distance, 2 * count));
    const low = Math.min(0, ...products);
    const height = (value) => FLOOR - ((value - low) / (count - low)) * (FLOOR - top);
    writeText(svg, LEFT, top - TITLE, "PE(p) \u00b7 PE(p + k)");
    for (const tick of [0, count]) {
      const y = height(tick);
      writeText(svg, LEFT - BESIDE, y + BASELINE, tick, "faint", "end");
      shape(svg, "line", { x1: LEFT, x2: RIGHT, y1: y, y2: y });
    }
    for (const tick of TICKS)
      writeText(svg, LEFT + tick * FAR, FLOOR + BELOW.ticks, tick, "faint", "middle");
    chart = {
      top,
      height,
      name: writeText(svg, (LEFT + RIGHT) / 2, FLOOR + BELOW.name, "", "", "middle"),
      curve: shape(svg, "path", { class: "curve" }),
      at: shape(svg, "line", { class: "at" }),
      dot: shape(svg, "circle", { class: "dot" }),
    };
  }

  /** The numbers beside the chart: lines around its middle. */
  function buildTexts(middle) {
    const write = (line, x, kind, anchor) =>
      writeText(svg, x, middle + LINE * line, "", kind, anchor);
    const buildRow = (line) => [
      write(line, DIGITS, ""),
      write(line, SINE, "query", "end"),
      write(line, WIDTH, "key", "end"),
    ];
    texts = [
      write(ROWS.places, DIGITS, "query"),
      write(ROWS.places, DIGITS + NEXT, "key"),
      write(ROWS.product, DIGITS, "total"),
      ...buildRow(ROWS.even),
      ...buildRow(ROWS.odd),
    ];
  }

  function paint() {
    const position = get("p");
    const places = [position, position + get("k")];
    paintWords(places);
    for (const [i, clock] of clocks.entries()) paintClock(clock, i, places);
    paintChart();
    paintTexts(places);
    tell(places);
  }

  function paintWords(places) {
    const order = get("order");
    words.forEach((word, i) => {
      word.style.transform = `translate(${slot * (order.indexOf(i) + 0.5)}px, 0)`;
    });
    marks.forEach((mark, i) => {
      const visibility = places[i] < order.length ? "visible" : "hidden";
      setAttributes(mark, { x: slot * places[i] + MARK.beside + MARK.inside * i, visibility });
    });
  }

  function paintClock({ x, y, face, hands }, clock, places) {
    face.classList.toggle("here", clock === here);
    HANDS.forEach((kind, i) => {
      const { leg, needle, tip } = hands[i];
      const [sine, cosine] = hand(places[i], clock, get("d_model"));
      const rise = sine * radius * REACH;
      const right = cosine * radius * REACH;
      const size = DOTS[kind];
      const wide = 2 * size;
      const left = x + right - size;
      const square = `M${left} ${y - rise - size}h${wide}v${wide}h${-wide}Z`;
      const arc = `a${size} ${size} 0 1 0`;
      const disc = `M${left} ${y - rise}${arc} ${wide} 0${arc} ${-wide} 0`;
      setAttributes(leg, { d: clock === here ? `M${x} ${y}h${right}v${-rise}` : "" });
      setAttributes(needle, { d: `M${x} ${y}l${right} ${-rise}` });
      setAttributes(tip, { d: kind === "key" ? square : disc });
    });
  }

  function paintChart() {
    const position = get("p");
    const distance = get("k");
    // From the present p, although no p changes it: that is what there is to see.
    const products = DISTANCES.map((far) => product(position, far, get("d_model")));
    const points = products.map((value, far) => `${LEFT + far * FAR} ${chart.height(value)}`);
    const x = LEFT + distance * FAR;
    const y = chart.height(product(position, distance, get("d_model")));
    setAttributes(chart.curve, { d: `M${points.join("L")}` });
    setAttributes(chart.at, { x1: x, x2: x, y1: y, y2: FLOOR });
    setAttributes(chart.dot, { cx: x, cy: y, r: DOT });
    chart.name.textContent = `distance k = ${distance}`;
  }

  const dotProduct = () => digits(product(get("p"), get("k"), get("d_model")));

  function paintTexts([position, farPosition]) {
    const near = hand(position, here, get("d_model"));
    const far = hand(farPosition, here, get("d_model"));
    const lines = [
      `p = ${position}`,
      `p + k = ${farPosition}`,
      `PE \u00b7 PE = ${dotProduct()}`,
      `dim ${2 * here} sin`,
      digits(near[0]),
      digits(far[0]),
      `dim ${2 * here + 1} cos`,
      digits(near[1]),
      digits(far[1]),
    ];
    lines.forEach((line, i) => {
      texts[i].textContent = line;
    });
  }

  function tell(places) {
    const order = get("order");
    const [word, farWord] = places.map((each) =>
      each < order.length ? ` (${get("words")[order[each]]})` : "",
    );
    const period = 2 * Math.PI * BASE ** ((2 * here) / get("d_model"));
    const long = period < 100 ? digits(period, 1) : Math.round(period).toLocaleString("en");
    say(
      `p = ${places[0]}${word}, p + k = ${places[1]}${farWord}: ` +
        `PE(p) \u00b7 PE(p + k) = ${dotProduct()}. ` +
        `Clock ${here + 1} of ${clocks.length} turns once in ${long} places.`,
    );
  }

  const repaint = eachFrame(paint);
  function put(name, value) {
    saveChanges(model, { [name]: clamp(Math.round(value), 0, MOST[name]) });
    repaint();
  }
  function show(clock) {
    here = clock;
    repaint();
  }
  const clockAt = (x, y) =>
    clocks.findIndex((clock) => Math.hypot(x - clock.x, y - clock.y) < radius + BETWEEN);
  const angleAt = (x, y) => Math.atan2(clocks[0].y - y, x - clocks[0].x);

  /** The chart moves k, the first clock the nearer of its hands, and all else p. */
  function grasp(event) {
    const [x, y] = place(svg, event);
    const position = get("p");
    const farPosition = position + get("k");
    if (x < RIGHT && y > chart.top - BESIDE)
      return { name: "k", x, unit: FAR, from: (x - LEFT) / FAR };
    if (clockAt(x, y) !== 0) return { name: "p", x, unit: DRAG, from: position };
    const off = (each) => Math.abs(turnTo(each, angleAt(x, y)) - each);
    if (off(farPosition) <= off(position)) return { name: "k", from: farPosition, zero: position };
    return { name: "p", from: position, zero: 0 };
  }
  function follow(held, x, y) {
    const { name, from, unit, zero } = held;
    if (unit) {
      put(name, from + (x - held.x) / unit);
      return;
    }
    held.from = clamp(turnTo(from, angleAt(x, y)), zero, zero + MOST[name]);
    put(name, held.from - zero);
  }
  drag(svg, grasp, follow);
  svg.addEventListener("pointermove", (event) => {
    const clock = clockAt(...place(svg, event));
    if (clock >= 0 && event.buttons === 0) show(clock);
  });
  keys(svg, (key, event) => {
    const move = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
    const name = event.shiftKey || /Up|Down/.test(key) ? "k" : "p";
    if (move) put(name, get(name) + move);
    else if (key === "Enter" || key === " ") show((here + 1) % clocks.length);
    else return false;
    return true;
  });
  for (const name of ["p", "k", "order"]) model.on(`change:${name}`, repaint);
  model.on("change:d_model", build);
  build();
}

export default { render };
