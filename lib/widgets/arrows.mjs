// A query and one or two keys as arrows to drag, and their dot products written out.
import {
  clamp,
  digits,
  drag,
  drawing,
  eachFrame,
  keys,
  saveChanges,
  setAttributes,
  shape,
  writeText,
} from "./frame/frame.mjs";

export const dot = (query, key) => query[0] * key[0] + query[1] * key[1];
export const cross = (query, key) => query[0] * key[1] - query[1] * key[0];
export const length = ([x, y]) => Math.hypot(x, y);

/**
 * Signed length of the shadow of a key on the direction of the query; null if the query has no
 * direction.
 */
export const shadow = (query, key) => (length(query) ? dot(query, key) / length(query) : null);

/** The cosine of the angle between two arrows; null if one of them has no direction. */
export function cosine(query, key) {
  const lengths = length(query) * length(key);
  return lengths ? clamp(dot(query, key) / lengths, -1, 1) : null;
}

/** The angle between two arrows in degrees; null if one of them has no direction. */
export function angle(query, key) {
  if (!length(query) || !length(key)) return null;
  // Not the arc cosine, which loses digits near 0 and 180 degrees.
  return (Math.atan2(Math.abs(cross(query, key)), dot(query, key)) * 180) / Math.PI;
}

const WIDTH = 620;
const HEIGHT = 240;
const UNIT = 24; // of the plane
const ZERO = 120; // the middle of the plane, in both directions
const RANGE = 4; // the plane goes from -4 to 4
const LOW = ZERO - RANGE * UNIT;
const HIGH = ZERO + RANGE * UNIT;
const NAMES = { q: "q", k: "k", k2: "k\u2032" };
// The heads of the arrows q, k and k2, and that of an arrow of length 0.
const HEADS = { q: "M0 0L-12 6V-6Z", k: "M0 0L-13 6L-8 0L-13 -6Z", k2: "M0 0L-8 6L-16 0L-8 -6Z" };
const POINT = "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0";
const TICKS = { below: 16, beside: 3 }; // from the plane to its numbers
const AXES = { x: 8, y: 9 }; // and to the names of its axes, beside and above it
const BASELINE = 4; // from the middle of a line down to where its letters stand
const NECK = 9; // the line ends so far before the tip
const GRASP = 15; // the radius around a tip where it can be grasped
const RAY = 115; // half of the dotted line through the query
const SQUARE = 7; // the side of the mark of a right angle
const LEAST_SQUARE = 12; // there is none on shorter lines
const ASIDE = 22; // from a tip to the arrow's name
const AWAY = 0.7; // radians, so far a name is turned away from the dropped line
const INSIDE = { left: 8, right: 236, top: 11, bottom: 236 }; // names stay there
const PANEL = 262; // the left edge of what stands beside the plane
const COLUMN = 100;
const SUMS = 18; // the baseline of the first sum
const SUM_STEP = 22;
const TABLE = 64; // the baseline of the table's head
const TABLE_STEP = 20;
const BAR = 390; // where the bars of the scores begin, to the left or right
const BARS = 161; // the top of the first bar
const BAR_STEP = 26;
const BAR_HEIGHT = 20;
const BAR_TEXT = 15; // from the top of a bar down to the baseline beside it
const SCORE = 152; // the baseline of "score"
const AXIS = 158; // the top of the line at score 0, so long for each bar as they are apart
const VERDICT = 6; // from a bar to what is written after it
const HALF = 105; // the longest bar
const SMALL_SCORE = 16; // while no score is larger, this is the longest bar
const LARGE_SCORE = 32; // no two arrows here have a larger one
const FOOT = 236; // the baseline of the hint
const MOVE = 0.1; // of a tip, for one press of an arrow key
const FAR_MOVE = 0.5; // with Shift
const NEAR = 1e-9;
const HINT = "Drag a tip, or: Enter for the next arrow, then \u2190 \u2191 \u2192 \u2193";

const hue = (name) => (name === "q" ? "query" : "key");

/** One digit where that is all there is, else two. */
const write = (x) => digits(x, Math.abs(x * 10 - Math.round(x * 10)) < NEAR ? 1 : 2);
const factor = (x) => (x < 0 ? `(${write(x)})` : write(x));

function fill(nodes, words) {
  nodes.forEach((node, i) => {
    node.textContent = words[i];
  });
}

/** From the x axis to an arrow's direction, around the middle of the plane. */
function turned([x, y]) {
  const degrees = (-Math.atan2(y, x) * 180) / Math.PI;
  return `translate(${ZERO} ${ZERO}) rotate(${degrees})`;
}

/** Which score wins: ", the winner", ", equal" for all, or nothing. */
function verdictsOf(scores) {
  if (scores.length < 2) return scores.map(() => "");
  const best = Math.max(...scores);
  if (scores.every((score) => best - score < NEAR)) return scores.map(() => ", equal");
  return scores.map((score) => (score === best ? ", the winner" : ""));
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("arrows"); // a style sheet reaches every drawing on the page
  let names;
  let arrows;
  let onto;
  let lastKey;
  const get = (name) => model.get(name);
  const chosen = () => names[get("chosen")] ?? "k";

  function build() {
    names = Object.keys(NAMES).filter((name) => get(name).length);
    lastKey = "k";
    svg.replaceChildren();
    buildPlane();
    buildPanel();
    const all = shape(svg, "g");
    onto = {
      all,
      ray: shape(all, "line", { x1: -RAY, x2: RAY, class: "ray" }),
      shadow: shape(all, "line", { class: "shadow" }),
      drop: shape(all, "path", { class: "drop" }),
    };
    arrows = names.map(buildArrow);
    paint();
  }

  function buildPlane() {
    for (let i = -RANGE; i <= RANGE; i++) {
      const x = ZERO + i * UNIT;
      const y = ZERO - i * UNIT;
      const kind = i ? "grid" : "zero";
      shape(svg, "line", { x1: x, x2: x, y1: LOW, y2: HIGH, class: kind });
      shape(svg, "line", { x1: LOW, x2: HIGH, y1: y, y2: y, class: kind });
      if (i % 2 === 0) {
        writeText(svg, x, HIGH + TICKS.below, digits(i, 0), "faint", "middle");
        writeText(svg, LOW - TICKS.beside, y + BASELINE, digits(i, 0), "faint", "end");
      }
    }
    writeText(svg, HIGH + AXES.x, ZERO + BASELINE, "x");
    writeText(svg, ZERO, LOW - AXES.y, "y", "", "middle");
  }

  function buildPanel() {
    ["length", "angle to q", "cosine"].forEach((word, j) => {
      writeText(svg, PANEL + COLUMN * (j + 1), TABLE, word, "faint", "end");
    });
    const end = AXIS + BAR_STEP * (names.length - 1);
    writeText(svg, BAR, SCORE, "score", "faint", "middle");
    shape(svg, "line", { x1: BAR, x2: BAR, y1: AXIS, y2: end });
    writeText(svg, PANEL, FOOT, HINT, "faint");
  }

  function buildArrow(name, i) {
    const y = TABLE + TABLE_STEP * (i + 1);
    const all = shape(svg, "g", { class: `arrow ${hue(name)} ${name}` });
    const arrow = {
      name,
      all,
      line: shape(all, "line"),
      head: shape(all, "path"),
      tip: shape(all, "circle", { r: GRASP, class: "tip hold" }),
    };
    writeText(svg, PANEL, y, NAMES[name], hue(name));
    arrow.cells = [1, 2, 3].map((j) => writeText(svg, PANEL + COLUMN * j, y, "", "", "end"));
    arrow.word = writeText(svg, 0, 0, NAMES[name], `name ${hue(name)}`, "middle");
    if (name !== "q") buildScore(arrow, i - 1);
    return arrow;
  }

  /** The sum that makes a key's score, and its bar. */
  function buildScore(arrow, i) {
    const { name } = arrow;
    const sum = writeText(svg, PANEL, SUMS + SUM_STEP * i, "");
    const top = BARS + BAR_STEP * i;
    const kinds = ["query", "key", "query", "key", "total"];
    const signs = [`q\u00b7${NAMES[name]} = `, " \u00d7 ", " + ", " \u00d7 ", " = "];
    arrow.sum = kinds.map((kind, j) => {
      shape(sum, "tspan", {}, signs[j]);
      return shape(sum, "tspan", { class: kind });
    });
    writeText(svg, PANEL, top + BAR_TEXT, NAMES[name], "key");
    arrow.bar = shape(svg, "rect", { y: top, height: BAR_HEIGHT, class: `key bar ${name}` });
    arrow.verdict = writeText(svg, 0, top + BAR_TEXT, "");
  }

  function paint() {
    if (chosen() !== "q") lastKey = chosen();
    const query = get("q");
    const key = get(lastKey);
    const top = arrows[names.indexOf(chosen())].all;
    if (svg.lastChild !== top) svg.append(top); // where tips meet, the chosen one is grasped
    paintShadow(query, key);
    const scores = names.slice(1).map((name) => dot(query, get(name)));
    const verdicts = verdictsOf(scores);
    const largest = Math.max(...scores.map(Math.abs));
    const longest = largest > SMALL_SCORE ? LARGE_SCORE : SMALL_SCORE;
    arrows.forEach((arrow, i) => {
      paintArrow(arrow, query, key);
      if (arrow.name === "q") fill(arrow.cells, [digits(length(query)), "", ""]);
      else paintScore(arrow, query, scores[i - 1], longest, verdicts[i - 1]);
    });
    tell(query, key, verdicts[names.indexOf(lastKey) - 1]);
  }

  /** The shadow of the chosen key on the query, and the line that is dropped from its tip. */
  function paintShadow(query, key) {
    const long = shadow(query, key);
    onto.all.style.display = long === null ? "none" : "";
    if (long === null) return;
    const foot = long * UNIT;
    const rise = (-cross(query, key) / length(query)) * UNIT;
    const side = -SQUARE * Math.sign(foot);
    const hasSquare = Math.min(Math.abs(rise), Math.abs(foot)) > LEAST_SQUARE;
    const square = hasSquare ? `m${side} 0v${SQUARE * Math.sign(rise)}h${-side}` : "";
    setAttributes(onto.all, { transform: turned(query) });
    setAttributes(onto.shadow, { x2: foot });
    setAttributes(onto.drop, { d: `M${foot} ${rise}V0${square}` });
  }

  /**
   * How far an arrow's name is turned: away from the dropped line; k\u2032 straight on, lest two
   * keys' names meet.
   */
  function away(name, query, key) {
    if (name === "k2") return 0;
    const side = name === "q" ? cross(key, query) : cross(query, get(name));
    return side < 0 ? -AWAY : AWAY;
  }

  function paintArrow({ name, all, line, head, tip, word }, query, key) {
    const [x, y] = get(name);
    const reach = length([x, y]) * UNIT;
    const direction = Math.atan2(y, x) + away(name, query, key);
    const wordX = ZERO + UNIT * x + ASIDE * Math.cos(direction);
    const wordY = ZERO - UNIT * y - ASIDE * Math.sin(direction) + BASELINE;
    setAttributes(all, { transform: turned([x, y]) });
    setAttributes(line, { x2: Math.max(0, reach - NECK) });
    setAttributes(head, { d: reach ? HEADS[name] : POINT, transform: `translate(${reach} 0)` });
    setAttributes(tip, { cx: reach, class: name === chosen() ? "tip hold chosen" : "tip hold" });
    setAttributes(word, {
      x: clamp(wordX, INSIDE.left, INSIDE.right),
      y: clamp(wordY, INSIDE.top, INSIDE.bottom),
    });
  }

  function paintScore({ name, cells, sum, bar, verdict }, query, score, longest, words) {
    const key = get(name);
    const turn = angle(query, key);
    const degrees = turn === null ? "no direction" : `${digits(turn, 0)}\u00b0`;
    const near = turn === null ? "" : digits(cosine(query, key));
    const width = (Math.abs(score) / longest) * HALF;
    fill(cells, [digits(length(key)), degrees, near]);
    fill(sum, [write(query[0]), factor(key[0]), factor(query[1]), factor(key[1]), digits(score)]);
    setAttributes(bar, { x: BAR - (score < 0 ? width : 0), width });
    setAttributes(verdict, { x: BAR + VERDICT + (score > 0 ? width : 0) });
    verdict.textContent = digits(score) + words;
  }

  function tell(query, key, verdict) {
    const long = shadow(query, key);
    const start = `${NAMES[chosen()]} (${get(chosen()).map(write).join(", ")}) chosen; `;
    if (long === null) {
      say(`${start}q has no direction: no shadow, every score is 0.`);
      return;
    }
    say(
      `${start}shadow of ${NAMES[lastKey]} on q ${digits(long)} ` +
        `\u00d7 length of q ${digits(length(query))} ` +
        `= score ${digits(dot(query, key))}${verdict}.`,
    );
  }

  const repaint = eachFrame(paint);
  function change(name, value) {
    if (String(value) === String(get(name))) return;
    saveChanges(model, { [name]: value });
    repaint();
  }
  function put(name, x, y) {
    const rounded = [x, y].map((each) => clamp(Math.round(each * 10) / 10, -RANGE, RANGE));
    change(name, rounded);
  }

  function grasp(event) {
    const i = arrows.findIndex((arrow) => arrow.tip === event.target);
    if (i >= 0) change("chosen", i);
    return names[i];
  }
  drag(svg, grasp, (name, x, y) => put(name, (x - ZERO) / UNIT, (ZERO - y) / UNIT));
  keys(svg, (key, event) => {
    const move = event.shiftKey ? FAR_MOVE : MOVE;
    const [x, y] = get(chosen());
    const moved = {
      ArrowUp: [x, y + move],
      ArrowDown: [x, y - move],
      ArrowLeft: [x - move, y],
      ArrowRight: [x + move, y],
    }[key];
    if (moved) put(chosen(), ...moved);
    else if (key === "Enter" || key === " ") change("chosen", (get("chosen") + 1) % names.length);
    else return false;
    return true;
  });
  for (const name of ["q", "k", "chosen"]) model.on(`change:${name}`, repaint);
  model.on("change:k2", () => {
    if (names.includes("k2") === get("k2").length > 0) repaint();
    else build();
  });
  build();
}

export default { render };
