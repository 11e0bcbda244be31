// Tokens as dots that move as layer follows layer, and how alike they are on average.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  keys,
  place,
  shape,
  short,
  step,
} from "./frame/frame.mjs";

const WIDTH = 440;
const HEIGHT = 240;
const PLANE = 288;
const RANGE = 0.9;
const LINE = 14; // dots in the plane, a chart beside it
const LEFT = 324;
const RIGHT = 432;
const TOP = 62;
const FLOOR = 196;
const MIDDLE = (LEFT + RIGHT) / 2;

/** A point of the plane, -RANGE to RANGE upwards, in the units of the drawing. */
export const onPlane = ([x, y]) => [PLANE / 2 + (x / RANGE) * 118, HEIGHT / 2 - (y / RANGE) * 118];

/** Middles of names `widths` wide: beside their dots, moved up or down until no name covers another or a dot. */
export function besides(dots, widths) {
  const taken = dots.map(([x, y]) => [x, y, 9, 9]);
  return dots.map(([x, y], i) => {
    const wide = widths[i];
    const out = x < PLANE / 2 ? -1 : 1;
    for (let far = 0; far < HEIGHT; far += 3)
      for (const [side, down] of [
        [out, far],
        [-out, far],
        [out, -far],
        [-out, -far],
      ]) {
        const [nx, ny] = [x + side * (7 + wide / 2), y + down];
        const inside =
          nx > wide / 2 && nx + wide / 2 < PLANE && ny > LINE / 2 && ny < HEIGHT - LINE / 2;
        const free = taken.every(
          ([x, y, w, h]) =>
            Math.abs(nx - x) >= (wide + w) / 2 || Math.abs(ny - y) >= (LINE + h) / 2,
        );
        if (inside && free) return (taken.push([nx, ny, wide, LINE]), [nx, ny]);
      }
    return [x, y];
  });
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("depth"); // a style sheet reaches every drawing on the page
  const get = (name) => model.get(name);
  const chartY = (cosine) => FLOOR - clamp(cosine, 0, 1) * (FLOOR - TOP);
  const chartX = (layer) => LEFT + ((RIGHT - LEFT) * layer) / (get("means").length - 1);
  const text = (x, y, kind, words = "", anchor = "middle") =>
    shape(svg, "text", { x, y, class: kind, "text-anchor": anchor }, words);
  shape(svg, "rect", {
    x: 0.5,
    y: 0.5,
    width: PLANE - 1,
    height: HEIGHT - 1,
    rx: 4,
    class: "plane",
  });
  for (const y of [0, 1])
    text(LEFT - 5, chartY(y) + 4.5, "faint", y, "end"),
      shape(svg, "line", { x1: LEFT, x2: RIGHT, y1: chartY(y), y2: chartY(y) });
  for (const layer of [0, 6, 12]) text(chartX(layer), FLOOR + 22, "faint", layer);
  text(MIDDLE, 16, "", "mean cosine");
  const number = text(MIDDLE, 40, "number");
  const layer = text(MIDDLE, FLOOR + 39, "");
  const [curve, mark, pair] = [
    ["path", "curve"],
    ["circle", "mark"],
    ["path", "pair"],
  ].map(([tag, kind]) => shape(svg, tag, { class: kind }));
  const words = get("tokens").map((token) => short(token, 12));
  const leads = words.map(() => shape(svg, "path", { class: "lead" }));
  const dots = words.map(() => shape(svg, "circle", { r: 4, class: "dot" }));
  const names = words.map((word) => text(0, 4.5, "name", word));
  let painted = false;
  const spots = () => get("points").map(onPlane);

  function paint() {
    const [tokens, means, now, chosen] = ["tokens", "means", "layer", "chosen"].map(get);
    const [near, cosine] = get("nearest")[chosen];
    const at = spots();
    const widths = names.map((name) => name.getComputedTextLength());
    figure.classList.toggle("glides", painted); // not to the first places, from the corner
    painted = true;
    besides(at, widths).forEach(([x, y], i) => {
      const edge = clamp(at[i][0], x - widths[i] / 2 - 2, x + widths[i] / 2 + 2);
      dots[i].style.transform = `translate(${at[i][0]}px, ${at[i][1]}px)`;
      names[i].style.transform = `translate(${x}px, ${y}px)`;
      leads[i].style.d = `path("M${at[i]}L${edge},${y}")`;
      for (const node of [dots[i], names[i]]) node.classList.toggle("here", i === chosen);
    });
    if (dots[chosen].nextSibling !== names[0]) names[0].before(dots[chosen]); // seen where many dots are one
    pair.style.d = `path("M${at[chosen]}L${at[near]}")`;
    curve.setAttribute("d", `M${means.map((mean, i) => `${chartX(i)} ${chartY(mean)}`).join("L")}`);
    for (const [name, value] of [
      ["cx", chartX(now)],
      ["cy", chartY(means[now])],
      ["r", 4.5],
    ])
      mark.setAttribute(name, value);
    number.textContent = digits(means[now]);
    layer.textContent = now ? `after layer ${now}` : "before layer 1";
    say(
      `${tokens[chosen]}: nearest in all dimensions is ${tokens[near]}, cosine ${digits(cosine, 3)}; all pairs ${digits(means[now], 3)}.`,
    );
  }

  const repaint = eachFrame(paint);
  function choose(token) {
    if (token === get("chosen")) return;
    model.set("chosen", token);
    model.save_changes();
    repaint();
  }
  svg.addEventListener("pointermove", (event) => {
    const [x, y] = place(svg, event);
    const far = spots().map(([dx, dy]) => Math.hypot(dx - x, dy - y));
    const named = names.indexOf(event.target);
    const nearest = far.indexOf(Math.min(...far));
    if (named >= 0 || far[nearest] < 12) choose(named >= 0 ? named : nearest);
  });
  keys(svg, (key) => {
    const across = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[key] ?? key;
    const to = step(across, [0, get("chosen")], 1, dots.length);
    if (to) choose(to[1]);
    return to !== null;
  });
  for (const name of ["points", "means", "layer", "nearest", "chosen"])
    model.on(`change:${name}`, repaint);
  repaint(); // not paint: the widths of the names are known once the element is attached
}

export default { render };
