// Curves that grow while a model learns.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  html,
  keys,
  place,
  setAttributes,
  shape,
  step,
  writeText,
} from "./frame/frame.mjs";

const WIDTH = 220;
const HEIGHT = 210;
const LEFT = 28;
const RIGHT = 214;
const TOP = 57;
const FLOOR = 178;
const NAMES = 14; // the baseline of the first curve's name
const LINE = 17;
const BELOW = 18; // from the floor down to what is written there
const BESIDE = 5; // from the left axis to its numbers
const ABOVE = 8; // from the top to what is written above it, and down to its number
const LEAST_TOP = 1e-9; // of the left axis, so that nothing is divided by 0

/** The height on the picture of y, on a scale from 0 to `most`. */
export const height = (y, most) => FLOOR - (clamp(y, 0, most) / most) * (FLOOR - TOP);

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("curve"); // style sheets reach the whole page
  let here = null;
  const get = (name) => model.get(name);
  const onRightAxis = get("tops").filter(Boolean).length;
  const isLeftUsed = onRightAxis < get("tops").length;
  shape(svg, "line", { x1: LEFT, x2: RIGHT, y1: FLOOR, y2: FLOOR });
  const mark = shape(svg, "line", { y1: TOP, y2: FLOOR, class: "mark" });
  const most = writeText(svg, LEFT - BESIDE, TOP + ABOVE, "", "faint", "end");
  writeText(svg, LEFT - BESIDE, FLOOR, "0", "faint", "end");
  writeText(svg, (LEFT + RIGHT) / 2, FLOOR + BELOW, get("axis"), "", "middle");
  if (onRightAxis && isLeftUsed)
    writeText(svg, RIGHT, TOP - ABOVE, "right axis: 1", "faint", "end");
  const last = writeText(svg, RIGHT, FLOOR + BELOW, get("length"), "faint", "end");
  const lines = get("names").map((name, i) => ({
    path: shape(svg, "path", { class: `curve-${i}` }),
    name: writeText(svg, LEFT, NAMES + LINE * i, name, `curve-${i}`),
  }));

  const across = (value) => LEFT + (value / get("length")) * (RIGHT - LEFT);

  /** The upper end of the left axis: the most that is reached by curves without a top. */
  function leftTop() {
    const tops = get("tops");
    const curves = get("ys").filter((_, i) => !tops[i]);
    return Math.max(...curves.flat(), LEAST_TOP);
  }

  function paint() {
    const count = get("x").length;
    svg.tabIndex = count ? 0 : -1; // where there is nothing to walk along, Tab does not stop
    last.textContent = get("length");
    if (count) paintCurves();
    else paintNothing();
  }

  function paintNothing() {
    most.textContent = isLeftUsed ? "" : "1";
    lines.forEach(({ path, name }, i) => {
      path.setAttribute("d", "");
      name.textContent = get("names")[i];
    });
    mark.setAttribute("visibility", "hidden");
    say(get("waiting"));
  }

  function paintCurves() {
    const x = get("x");
    const heights = get("ys");
    const top = leftTop();
    const now = here === null ? x.length - 1 : clamp(here, 0, x.length - 1);
    most.textContent = isLeftUsed ? digits(top, 1) : "1";
    const words = get("names").map((name, i) => `${name} ${digits(heights[i][now], 3)}`);
    lines.forEach(({ path, name }, i) => {
      const scale = get("tops")[i] || top;
      const points = x.map((value, j) => `${across(value)} ${height(heights[i][j], scale)}`);
      path.setAttribute("d", `M${points.join("L")}`);
      name.textContent = words[i];
    });
    setAttributes(mark, {
      visibility: here === null ? "hidden" : "visible",
      x1: across(x[now]),
      x2: across(x[now]),
    });
    say(`${get("axis")} ${x[now]}: ${words.join(", ")}`);
  }

  // A busy kernel reads no messages: Stop interrupts it, as Jupyter's own stop button does.
  const stop = html(figure, "button", {}, "Stop");
  stop.addEventListener("click", () => {
    const interrupted = model.widget_manager?.kernel?.interrupt();
    if (!interrupted) model.send({ type: "stop" });
  });
  function offer() {
    stop.hidden = !get("running");
  }
  model.on("change:running", offer);
  offer();

  const repaint = eachFrame(paint);
  function look(next) {
    here = next;
    repaint();
  }
  svg.addEventListener("pointermove", (event) => {
    const value = ((place(svg, event)[0] - LEFT) / (RIGHT - LEFT)) * get("length");
    look(get("x").findLastIndex((x) => x <= value));
  });
  svg.addEventListener("pointerleave", () => look(null));
  keys(svg, (key) => {
    const count = get("x").length;
    const next = key === "Escape" ? [0, null] : step(key, [0, here ?? count], 1, count);
    if (next) look(next[1]);
    return next !== null;
  });
  for (const name of ["x", "ys", "length"]) model.on(`change:${name}`, repaint);
  paint();
}

export default { render };
