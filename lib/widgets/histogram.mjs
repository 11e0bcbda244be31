// Many numbers as a histogram and, if there is one, a single row of weights below it.
import { clamp, digits, drawing, eachFrame, keys, place, shape, step } from "./frame/frame.mjs";

const WIDTH = 440;

/** Which of `count` equal bars between `left` and WIDTH is under x. */
export const barAt = (x, left, count) =>
  clamp(Math.floor(((x - left) / (WIDTH - left)) * count), 0, count - 1);

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, 240);
  figure.classList.add("histogram"); // style sheets reach the whole page
  const LEFT = 56;
  let bins = [];
  let row = [];
  let spread;
  let top;
  let here = null;

  function bars(count, floor, name) {
    const pitch = (WIDTH - LEFT) / count;
    const gap = pitch > 12 ? pitch * 0.2 : pitch * 0.06;
    return Array.from({ length: count }, (_, i) => ({
      bar: shape(svg, "rect", {
        x: LEFT + i * pitch + gap / 2,
        width: pitch - gap,
        y: floor,
        height: 0,
        class: name,
      }),
      floor,
    }));
  }

  function build() {
    const weights = model.get("weights").length;
    const floor = weights ? 104 : 204;
    const tall = floor - 22;
    svg.replaceChildren();
    shape(svg, "text", { x: 0, y: floor - tall / 2, class: "faint" }, "how");
    shape(svg, "text", { x: 0, y: floor - tall / 2 + 15, class: "faint" }, "many");
    spread = shape(svg, "rect", { y: floor - tall, height: tall, class: "spread" });
    bins = bars(model.get("counts").length, floor, "bin").map((bar) => ({ ...bar, tall }));
    shape(svg, "line", { x1: LEFT, x2: WIDTH, y1: floor, y2: floor });
    const [low, high] = model.get("range");
    [low, low / 2, 0, high / 2, high].forEach((tick, i) => {
      const anchor = ["start", "middle", "middle", "middle", "end"][i];
      shape(
        svg,
        "text",
        {
          x: LEFT + ((WIDTH - LEFT) * i) / 4,
          y: floor + 15,
          "text-anchor": anchor,
          class: "faint",
        },
        digits(tick, Number.isInteger(low / 2) ? 0 : 1),
      );
    });
    shape(
      svg,
      "text",
      { x: LEFT + (WIDTH - LEFT) / 2, y: floor + 31, "text-anchor": "middle" },
      model.get("axis"),
    );
    row = [];
    if (weights) {
      shape(svg, "text", { x: 0, y: 192 }, "weights");
      shape(svg, "text", { x: 0, y: 207, class: "faint" }, "typical");
      for (const y of [160, 220]) shape(svg, "line", { x1: LEFT, x2: WIDTH, y1: y, y2: y });
      top = shape(svg, "text", { class: "top", "text-anchor": "middle" });
      row = bars(weights, 220, "weight").map((bar) => ({ ...bar, tall: 60 }));
      shape(svg, "text", { x: LEFT - 4, y: 165, "text-anchor": "end", class: "faint" }, "1");
      shape(
        svg,
        "text",
        { x: LEFT + (WIDTH - LEFT) / 2, y: 236, "text-anchor": "middle" },
        `${weights} keys`,
      );
    }
    paint();
  }

  function paint() {
    const counts = model.get("counts");
    const weights = model.get("weights");
    const [low, high] = model.get("range");
    const most = Math.max(...counts, 1);
    const height = (list, part) =>
      list.forEach(({ bar, floor, tall }, i) => {
        bar.setAttribute("y", floor - tall * part(i));
        bar.setAttribute("height", tall * part(i));
        bar.classList.toggle("here", here === i && list === (row.length ? row : bins));
      });
    height(bins, (i) => counts[i] / most);
    height(row, (i) => weights[i]);
    if (row.length) {
      const most = weights.indexOf(Math.max(...weights));
      const { bar, floor, tall } = row[most];
      top.setAttribute("x", +bar.getAttribute("x") + bar.getAttribute("width") / 2);
      top.setAttribute("y", Math.max(floor - tall * weights[most] - 3, 158));
      top.textContent = digits(weights[most]);
    }
    const x = (value) => LEFT + ((clamp(value, low, high) - low) / (high - low)) * (WIDTH - LEFT);
    const std = model.get("spread");
    spread.setAttribute("x", x(-std));
    spread.setAttribute("width", x(std) - x(-std));
    if (here === null) return say(model.get("caption"));
    if (row.length)
      return say(
        `key ${here + 1}: score ${digits(model.get("scores")[here])} \u2192 weight ${digits(weights[here], 4)}`,
      );
    const edge = (i) => digits(low + ((high - low) * i) / counts.length);
    say(
      `${edge(here)} to ${edge(here + 1)}: ${counts[here]} of ${counts.reduce((sum, n) => sum + n, 0)}`,
    );
  }

  const repaint = eachFrame(paint);
  const count = () => row.length || bins.length;
  svg.addEventListener("pointermove", (event) => {
    const [x, y] = place(svg, event);
    here = x < LEFT || (row.length && y < 150) ? null : barAt(x, LEFT, count());
    repaint();
  });
  svg.addEventListener("pointerleave", () => ((here = null), repaint()));
  keys(svg, (key) => {
    const to = key === "Escape" ? [0, null] : step(key, [0, here ?? -1], 1, count());
    if (to) (here = to[1]), repaint();
    return to !== null;
  });
  for (const name of ["counts", "weights"])
    model.on(`change:${name}`, () =>
      bins.length === model.get("counts").length && row.length === model.get("weights").length
        ? repaint()
        : build(),
    );
  for (const name of ["caption", "spread", "scores"]) model.on(`change:${name}`, repaint);
  build();
}

export default { render };
