// Curves that grow while a model learns.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  html,
  keys,
  place,
  shape,
  step,
} from "./frame/frame.mjs";

const WIDTH = 220;
const HEIGHT = 210;
const LEFT = 28;
const RIGHT = 214;
const TOP = 57;
const FLOOR = 178;

/** The height on the picture of y, on a scale from 0 to `most`. */
export const height = (y, most) => FLOOR - (clamp(y, 0, most) / most) * (FLOOR - TOP);

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("curve"); // style sheets reach the whole page
  let here = null;
  shape(svg, "line", { x1: LEFT, x2: RIGHT, y1: FLOOR, y2: FLOOR });
  const mark = shape(svg, "line", { y1: TOP, y2: FLOOR, class: "mark" });
  const most = shape(svg, "text", {
    x: LEFT - 5,
    y: TOP + 8,
    "text-anchor": "end",
    class: "faint",
  });
  shape(svg, "text", { x: LEFT - 5, y: FLOOR, "text-anchor": "end", class: "faint" }, "0");
  shape(
    svg,
    "text",
    { x: (LEFT + RIGHT) / 2, y: FLOOR + 18, "text-anchor": "middle" },
    model.get("axis"),
  );
  const shares = model.get("tops").filter(Boolean).length;
  const own = shares < model.get("tops").length;
  if (shares && own)
    shape(
      svg,
      "text",
      { x: RIGHT, y: TOP - 8, "text-anchor": "end", class: "faint" },
      "right axis: 1",
    );
  const last = shape(
    svg,
    "text",
    { x: RIGHT, y: FLOOR + 18, "text-anchor": "end", class: "faint" },
    model.get("length"),
  );
  const lines = model.get("names").map((name, i) => ({
    path: shape(svg, "path", { class: `curve-${i}` }),
    name: shape(svg, "text", { x: LEFT, y: 14 + 17 * i, class: `curve-${i}` }, name),
  }));

  function paint() {
    svg.tabIndex = model.get("x").length ? 0 : -1; // where there is nothing to walk along, Tab does not stop
    const x = model.get("x");
    const ys = model.get("ys");
    const tops = model.get("tops");
    const top = Math.max(...ys.filter((_, i) => !tops[i]).flat(), 1e-9);
    const across = (value) => LEFT + (value / model.get("length")) * (RIGHT - LEFT);
    most.textContent = !own ? "1" : x.length ? digits(top, 1) : "";
    last.textContent = model.get("length");
    const at = here === null ? x.length - 1 : clamp(here, 0, x.length - 1);
    lines.forEach(({ path, name }, i) => {
      path.setAttribute(
        "d",
        x.length
          ? `M${x.map((value, n) => `${across(value)} ${height(ys[i][n], tops[i] || top)}`).join("L")}`
          : "",
      );
      name.textContent = model.get("names")[i] + (x.length ? ` ${digits(ys[i][at], 3)}` : "");
    });
    mark.setAttribute("visibility", here === null || !x.length ? "hidden" : "visible");
    if (!x.length) return say(model.get("waiting"));
    for (const end of ["x1", "x2"]) mark.setAttribute(end, across(x[at]));
    say(
      `${model.get("axis")} ${x[at]}: ${model
        .get("names")
        .map((name, i) => `${name} ${digits(ys[i][at], 3)}`)
        .join(", ")}`,
    );
  }

  // A busy kernel reads no messages: Stop interrupts it, as Jupyter's own stop button does.
  const stop = html(figure, "button", {}, "Stop");
  stop.addEventListener(
    "click",
    () => model.widget_manager?.kernel?.interrupt() ?? model.send({ type: "stop" }),
  );
  const offer = () => (stop.hidden = !model.get("running"));
  model.on("change:running", offer);
  offer();

  const repaint = eachFrame(paint);
  svg.addEventListener("pointermove", (event) => {
    const value = ((place(svg, event)[0] - LEFT) / (RIGHT - LEFT)) * model.get("length");
    here = model.get("x").findLastIndex((x) => x <= value);
    repaint();
  });
  svg.addEventListener("pointerleave", () => ((here = null), repaint()));
  keys(svg, (key) => {
    const count = model.get("x").length;
    const to = key === "Escape" ? [0, null] : step(key, [0, here ?? count], 1, count);
    if (to) (here = to[1]), repaint();
    return to !== null;
  });
  for (const name of ["x", "ys", "length"]) model.on(`change:${name}`, repaint);
  paint();
}

export default { render };
