// Tokens as dots that move as layer follows layer, and how alike they are on average.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  fillIn,
  keys,
  place,
  saveChanges,
  setAttributes,
  shape,
  short,
  step,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 440;
const HEIGHT = 240;
const PLANE = 288; // how wide the plane of the dots is
const RANGE = 0.9; // of the numbers shown there
const REACH = 118; // from the middle of the plane to RANGE
const DOT = 4; // radius
const DOT_ROOM = 9; // that no name may cover
const LINE = 14; // how high a name is
const NAME_GAP = 7; // from the middle of a dot to its name
const LEAD_GAP = 2; // from a name to the line that leads to it
const NAME_STEP = 3; // up or down, until a name finds room
const NAME_LETTERS = 12;
const NEAR = 12; // a pointer this near chooses a dot

const LEFT = 324; // the chart, beside the plane
const RIGHT = 432;
const TOP = 62;
const FLOOR = 196;
const MIDDLE = (LEFT + RIGHT) / 2;
const MARK = 4.5;
const BASELINE = 4.5; // from the middle of a line down to the foot of its text
const MEAN_TITLE = 16; // the feet of the texts above the chart
const MEAN = 40;
const TICKS_BELOW = 22; // from the floor to the feet of the texts below
const LAYER_BELOW = 39;
const TICK_GAP = 5;
const TICKS = [0, 6, 12]; // layers that are named

const SENTENCE =
  "{token}: nearest in all dimensions is {nearest}, cosine {cosine}; all pairs {mean}.";

/** A point of the plane, -RANGE to RANGE upwards, in the units of the drawing. */
export const onPlane = ([x, y]) => [
  PLANE / 2 + (x / RANGE) * REACH,
  HEIGHT / 2 - (y / RANGE) * REACH,
];

/** Places for the middle of a name: beside its dot, outwards first, then ever further away. */
function placesBeside([x, y], width) {
  const out = x < PLANE / 2 ? -1 : 1;
  const places = [];
  for (let far = 0; far < HEIGHT; far += NAME_STEP)
    for (const down of [far, -far])
      for (const side of [out, -out]) places.push([x + side * (NAME_GAP + width / 2), y + down]);
  return places;
}

const isInside = ([x, y], width) =>
  x > width / 2 && x + width / 2 < PLANE && y > LINE / 2 && y < HEIGHT - LINE / 2;

/**
 * Middles of names `widths` wide: beside their dots, moved up or down until no name covers another
 * or a dot.
 */
export function besides(dots, widths) {
  const taken = dots.map(([x, y]) => ({ x, y, width: DOT_ROOM, height: DOT_ROOM }));
  const isFree = ([x, y], width) =>
    taken.every(
      (other) =>
        Math.abs(x - other.x) >= (width + other.width) / 2 ||
        Math.abs(y - other.y) >= (LINE + other.height) / 2,
    );
  return dots.map((dot, i) => {
    const width = widths[i];
    const fits = (middle) => isInside(middle, width) && isFree(middle, width);
    const found = placesBeside(dot, width).find(fits);
    if (!found) return dot;
    taken.push({ x: found[0], y: found[1], width, height: LINE });
    return found;
  });
}

const chartY = (cosine) => FLOOR - clamp(cosine, 0, 1) * (FLOOR - TOP);

/** The frames, the axes and the texts that stay. */
function buildChart(svg, chartX) {
  shape(svg, "rect", {
    x: 0.5,
    y: 0.5,
    width: PLANE - 1,
    height: HEIGHT - 1,
    rx: 4,
    class: "plane",
  });
  for (const cosine of [0, 1]) {
    const y = chartY(cosine);
    writeText(svg, LEFT - TICK_GAP, y + BASELINE, cosine, "faint", "end");
    shape(svg, "line", { x1: LEFT, x2: RIGHT, y1: y, y2: y });
  }
  for (const layer of TICKS)
    writeText(svg, chartX(layer), FLOOR + TICKS_BELOW, layer, "faint", "middle");
  writeText(svg, MIDDLE, MEAN_TITLE, "mean cosine", "", "middle");
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("depth"); // a style sheet reaches every drawing on the page
  const get = (name) => model.get(name);
  const chartX = (layer) => LEFT + ((RIGHT - LEFT) * layer) / (get("means").length - 1);
  buildChart(svg, chartX);
  const meanText = writeText(svg, MIDDLE, MEAN, "", "number", "middle");
  const layerText = writeText(svg, MIDDLE, FLOOR + LAYER_BELOW, "", "", "middle");
  const curve = shape(svg, "path", { class: "curve" });
  const mark = shape(svg, "circle", { class: "mark", r: MARK });
  const pair = shape(svg, "path", { class: "pair" });
  const words = get("tokens").map((token) => short(token, NAME_LETTERS));
  const leads = words.map(() => shape(svg, "path", { class: "lead" }));
  const dots = words.map(() => shape(svg, "circle", { r: DOT, class: "dot" }));
  const names = words.map((word) => writeText(svg, 0, BASELINE, word, "name", "middle"));
  const spots = () => get("points").map(onPlane);
  let painted = false;

  function paintPlane() {
    const chosen = get("chosen");
    const nearest = get("nearest")[chosen].token;
    const middles = spots();
    const widths = names.map((name) => name.getComputedTextLength());
    figure.classList.toggle("glides", painted); // not to the first places, from the corner
    painted = true;
    for (const [i, [x, y]] of besides(middles, widths).entries()) {
      const [dotX, dotY] = middles[i];
      const reach = widths[i] / 2 + LEAD_GAP;
      const edge = clamp(dotX, x - reach, x + reach);
      dots[i].style.transform = `translate(${dotX}px, ${dotY}px)`;
      names[i].style.transform = `translate(${x}px, ${y}px)`;
      leads[i].style.d = `path("M${middles[i]}L${edge},${y}")`;
      for (const node of [dots[i], names[i]]) node.classList.toggle("here", i === chosen);
    }
    const isLast = dots[chosen].nextSibling === names[0];
    if (!isLast) names[0].before(dots[chosen]); // seen where many dots are one
    pair.style.d = `path("M${middles[chosen]}L${middles[nearest]}")`;
  }

  function paintChart() {
    const means = get("means");
    const layer = get("layer");
    const corners = means.map((mean, i) => `${chartX(i)} ${chartY(mean)}`);
    curve.setAttribute("d", `M${corners.join("L")}`);
    setAttributes(mark, { cx: chartX(layer), cy: chartY(means[layer]) });
    meanText.textContent = digits(means[layer]);
    layerText.textContent = layer ? fillIn("after layer {layer}", { layer }) : "before layer 1";
  }

  function speak() {
    const tokens = get("tokens");
    const chosen = get("chosen");
    const nearest = get("nearest")[chosen];
    say(
      fillIn(SENTENCE, {
        token: tokens[chosen],
        nearest: tokens[nearest.token],
        cosine: digits(nearest.cosine, 3),
        mean: digits(get("means")[get("layer")], 3),
      }),
    );
  }

  const repaint = eachFrame(() => {
    paintPlane();
    paintChart();
    speak();
  });
  function choose(token) {
    if (token === get("chosen")) return;
    saveChanges(model, { chosen: token });
    repaint();
  }
  svg.addEventListener("pointermove", (event) => {
    const [x, y] = place(svg, event);
    const named = names.indexOf(event.target);
    if (named >= 0) return choose(named);
    const distances = spots().map(([dotX, dotY]) => Math.hypot(dotX - x, dotY - y));
    const least = Math.min(...distances);
    if (least < NEAR) choose(distances.indexOf(least));
  });
  keys(svg, (key) => {
    const across = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[key] ?? key;
    const next = step(across, [0, get("chosen")], 1, dots.length);
    if (next) choose(next[1]);
    return next !== null;
  });
  for (const name of ["points", "means", "layer", "nearest", "chosen"])
    model.on(`change:${name}`, repaint);
  repaint(); // not at once: the widths of the names are known once the element is attached
}

export default { render };
