// A picture cut into 14 x 14 patches: the patch under the pointer, and where its weight goes.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  keys,
  numbers,
  place,
  shape,
  step,
} from "./frame/frame.mjs";

const SIDE = 14;
const BOX = 204;
const TOP = 18;
const SECOND = 236;

/** The weights of one patch, and the [row, column] that gets the largest of them: itself, if another only equals it. */
export function look(weights, [row, column]) {
  const count = SIDE * SIDE;
  const own = SIDE * row + column;
  const shares = weights.subarray(own * count, (own + 1) * count);
  const largest = Math.max(...shares);
  const most = shares[own] > largest * (1 - 1e-5) ? own : shares.indexOf(largest);
  return { shares, largest, own: shares[own], most: [Math.floor(most / SIDE), most % SIDE] };
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, 440, 240);
  figure.classList.add("patches"); // a style sheet reaches every drawing on the page
  const [high, wide] = model
    .get("size")
    .map((pixels, _, size) => (BOX * pixels) / Math.max(...size) / SIDE);
  const top = TOP + (BOX - high * SIDE) / 2;
  const lefts = [0, SECOND].map((x) => x + (BOX - wide * SIDE) / 2);
  const href = model.get("picture");
  const corner = (left, [row, column]) => `translate(${left + column * wide} ${top + row * high})`;
  const outline = (kind) => {
    const group = shape(svg, "g", { class: kind });
    for (const layer of ["under", "over"])
      shape(group, "rect", { width: wide, height: high, class: `outline ${layer}` });
    return group;
  };
  let weights = numbers(model.get("weights"));
  let over = null;

  shape(svg, "text", { x: 0, y: 12 }, "the patch that asks");
  shape(svg, "text", { x: SECOND, y: 12 }, "where its weight goes");
  for (const [i, left] of lefts.entries()) {
    const size = {
      x: left,
      y: top,
      width: wide * SIDE,
      height: high * SIDE,
      preserveAspectRatio: "none",
    };
    shape(svg, "image", { href, ...size, class: i ? "pixels faded" : "pixels" });
    const across = Array.from(
      { length: SIDE - 1 },
      (_, j) => `M${left} ${top + (j + 1) * high}h${wide * SIDE}`,
    );
    const down = Array.from(
      { length: SIDE - 1 },
      (_, j) => `M${left + (j + 1) * wide} ${top}v${high * SIDE}`,
    );
    shape(svg, "path", { d: across.concat(down).join(""), class: "cuts" });
  }
  const cells = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const transform = corner(lefts[1], [Math.floor(i / SIDE), i % SIDE]);
    return shape(svg, "rect", { width: wide, height: high, transform, class: "weight" });
  });
  const marks = [outline("asks"), outline("asks"), outline("most")];
  shape(
    svg,
    "text",
    { x: 0, y: 236, class: "faint" },
    "click pins or frees, \u2190 \u2191 \u2192 \u2193",
  );
  shape(svg, "text", { x: SECOND, y: 236 }, "0");
  const ramp = { y: 226, height: 11, class: "weight" };
  for (let i = 0; i < 5; i++)
    shape(svg, "rect", { ...ramp, x: SECOND + 14 + 22 * i, width: 22, opacity: i / 4 });
  shape(svg, "rect", { ...ramp, x: SECOND + 14, width: 110, class: "ramp" });
  const scale = shape(svg, "text", { x: SECOND + 130, y: 236 });

  const repaint = eachFrame(() => {
    const patch = over ?? model.get("patch");
    const { shares, largest, own, most } = look(weights, patch);
    shares.forEach((share, i) => cells[i].setAttribute("opacity", share / largest));
    marks.forEach((mark, i) =>
      mark.setAttribute("transform", corner(lefts[i && 1], i < 2 ? patch : most)),
    );
    scale.textContent = digits(largest, 3);
    const itself = most.join() === patch.join();
    const alike = Math.min(...shares) > largest * 0.999;
    const whom = alike
      ? "every patch alike"
      : itself
        ? "itself most"
        : `row ${most[0]}, column ${most[1]} most (dashed)`;
    say(
      `patch row ${patch[0]}, column ${patch[1]}${model.get("pinned") ? " (pinned)" : ""} \u2192 looks at ${whom}: ` +
        `weight ${digits(largest, 3)}${itself ? "" : `; its own ${digits(own, 3)}`}; equal shares: ${digits(1 / shares.length, 3)}`,
    );
  });
  function choose(patch, pinned = model.get("pinned")) {
    over = null;
    model.set({ patch, pinned });
    model.save_changes();
    repaint();
  }
  function under(event) {
    const [x, y] = place(svg, event);
    const left = lefts[x < SECOND - 16 ? 0 : 1];
    const at = [(y - top) / high, (x - left) / wide].map(Math.floor);
    return at.every((i) => i === clamp(i, 0, SIDE - 1)) ? at : null;
  }

  svg.addEventListener("pointermove", (event) => {
    if (!model.get("pinned")) (over = under(event)), repaint();
  });
  svg.addEventListener("pointerleave", () => ((over = null), repaint()));
  const pin = (patch) =>
    choose(patch, !(model.get("pinned") && `${patch}` === `${model.get("patch")}`)); // twice frees
  svg.addEventListener("click", (event) => under(event) && pin(under(event)));
  keys(svg, (key) => {
    const to = step(key, model.get("patch"), SIDE, SIDE);
    if (to) choose(to);
    else if (key === "Enter" || key === " ") pin(over ?? model.get("patch"));
    else if (key === "Escape") choose(model.get("patch"), false);
    else return false;
    return true;
  });
  for (const name of ["patch", "pinned"]) model.on(`change:${name}`, repaint);
  model.on("change:weights", () => ((weights = numbers(model.get("weights"))), repaint()));
  repaint();
}

export default { render };
