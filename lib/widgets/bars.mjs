// Scores to drag, and the shares that softmax makes of them.
import {
  clamp,
  digits,
  drag,
  drawing,
  eachFrame,
  keys,
  shape,
  short,
  step,
} from "./frame/frame.mjs";

/** Shares of the scores; the last score stands for `copies` equal keys, its share is that of one of them. */
export function softmax(scores, copies = 1) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce(
    (sum, power, i) => sum + power * (i === powers.length - 1 ? copies : 1),
    0,
  );
  return powers.map((power) => power / total);
}

/** A share in few digits, and never "0" for what is not: "<.001". */
export const few = (share) =>
  share > 0 && share < 0.0005 ? "<.001" : digits(share, share < 0.0095 || share > 0.995 ? 3 : 2);

const WIDTH = 440;
const LEFT = 62;
const ZERO = 70;
const HALF = 46;
const NAMES = 142;
const FLOOR = 232;
const TALL = 66;

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, 240);
  figure.classList.add("bars"); // style sheets reach the whole page
  let bars = [];
  let ends = [];
  let here = 0;

  function build() {
    const tokens = model.get("tokens");
    const pitch = (WIDTH - LEFT) / tokens.length;
    svg.replaceChildren();
    for (const [y, words] of [
      [ZERO, ["score", "(drag)"]],
      [FLOOR - TALL / 2, ["weight", "0 to 1"]],
    ])
      words.forEach((word, i) =>
        shape(svg, "text", { x: 0, y: y + 15 * i, class: i ? "faint" : "" }, word),
      );
    for (const y of [ZERO, FLOOR]) shape(svg, "line", { x1: LEFT, x2: WIDTH, y1: y, y2: y });
    ends = [ZERO - HALF + 5, ZERO + HALF + 4].map((y) =>
      shape(svg, "text", { x: LEFT - 4, y, "text-anchor": "end", class: "faint" }),
    );
    bars = tokens.map((token, i) => {
      const x = LEFT + i * pitch + pitch * 0.15;
      const width = pitch * 0.7;
      const middle = x + width / 2;
      const name = shape(svg, "text", { x: middle, y: NAMES, "text-anchor": "middle" });
      return {
        score: shape(svg, "rect", { x, width, class: "key" }),
        weight: shape(svg, "rect", { x, width, class: "weight" }),
        scoreText: shape(svg, "text", { x: middle, "text-anchor": "middle" }),
        weightText: shape(svg, "text", { x: middle, "text-anchor": "middle" }),
        name,
        ring: shape(svg, "rect", {
          x: x - 3,
          y: 2,
          width: width + 6,
          height: 236,
          rx: 4,
          class: "ring hold",
        }),
        most: Math.max(3, Math.floor(pitch / 7.2)),
      };
    });
    here = clamp(here, 0, bars.length - 1);
    paint();
  }

  const span = () => Math.max(6, ...model.get("scores").map(Math.abs));

  function paint() {
    const scores = model.get("scores");
    const tokens = model.get("tokens");
    const copies = model.get("copies");
    const temperature = model.get("temperature");
    const weights = softmax(
      scores.map((score) => score / temperature),
      copies,
    );
    const unit = HALF / span();
    ends.forEach((end, i) => (end.textContent = digits(i ? -span() : span(), 0)));
    bars.forEach((bar, i) => {
      const many = i === bars.length - 1 && copies > 1;
      const height = Math.abs(scores[i]) * unit;
      const up = scores[i] >= 0;
      bar.score.setAttribute("y", up ? ZERO - height : ZERO);
      bar.score.setAttribute("height", Math.max(height, 0.5));
      bar.scoreText.setAttribute("y", up ? ZERO - height - 4 : ZERO + height + 13);
      bar.scoreText.textContent = digits(scores[i], 1);
      const share = weights[i] * (many ? copies : 1);
      bar.weight.setAttribute("y", FLOOR - TALL * share);
      bar.weight.setAttribute("height", TALL * share);
      bar.weightText.setAttribute("y", FLOOR - TALL * share - 4);
      bar.weightText.textContent = few(share);
      bar.name.textContent = many ? `\u00d7${copies}` : short(tokens[i], bar.most);
      bar.ring.classList.toggle("here", i === here);
    });
    const more = here === bars.length - 1 && copies > 1;
    say(
      `${tokens[here]}: score ${digits(scores[here], 1)}` +
        (temperature === 1 ? "" : ` \u00f7 temperature ${digits(temperature)}`) +
        ` \u2192 weight ${weights[here] < 0.00005 ? weights[here].toExponential(1) : digits(weights[here], 4)}` +
        (more
          ? ` each; ${copies} such keys take ${digits(weights[here] * copies, 3)} together`
          : ""),
    );
  }

  const repaint = eachFrame(paint);
  function put(i, score) {
    const scores = [...model.get("scores")];
    scores[i] = clamp(Math.round(score * 10) / 10, -1000, 1000);
    here = i;
    model.set("scores", scores);
    model.save_changes();
    repaint();
  }

  drag(
    svg,
    (event) => {
      const i = bars.findIndex((bar) => bar.ring === event.target);
      return i < 0 ? null : { i, span: span() }; // the scale stands still while a bar is held
    },
    ({ i, span }, _, y) => put(i, clamp(((ZERO - y) * span) / HALF, -span, span)),
  );
  svg.addEventListener("pointerover", (event) => {
    const i = bars.findIndex((bar) => bar.ring === event.target);
    if (i >= 0 && event.buttons === 0) (here = i), repaint();
  });
  keys(svg, (key, event) => {
    const change = { ArrowUp: 0.1, ArrowDown: -0.1 }[key];
    if (change)
      return (put(here, model.get("scores")[here] + change * (event.shiftKey ? 10 : 1)), true);
    const to = step(key, [0, here], 1, bars.length);
    if (to) (here = to[1]), repaint();
    return to !== null;
  });
  model.on("change:tokens", build);
  model.on("change:copies", () => (here = 0)); // the leader, when there are more and more rivals
  for (const name of ["scores", "copies", "temperature"]) model.on(`change:${name}`, repaint);
  build();
}

export default { render };
