// Scores to drag, and the shares that softmax makes of them.
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
  short,
  step,
  writeText,
} from "./frame/frame.mjs";

/**
 * Shares of the scores; the last score stands for `copies` equal keys, its share is that of one of
 * them.
 */
export function softmax(scores, copies = 1) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const last = powers.length - 1;
  let total = 0;
  for (const [i, power] of powers.entries()) total += power * (i === last ? copies : 1);
  return powers.map((power) => power / total);
}

/** A share in few digits, and never "0" for what is not: "<.001". */
export function few(share) {
  if (share > 0 && share < 0.0005) return "<.001";
  return digits(share, share < 0.0095 || share > 0.995 ? 3 : 2);
}

const WIDTH = 440;
const HEIGHT = 240;
const LEFT = 62; // of the bars
const ZERO = 70; // where scores are 0
const HALF = 46; // the longest bar of a score
const NAMES = 142; // the baseline of the words
const FLOOR = 232; // where weights are 0
const TALL = 66; // the height of weight 1
const LINE = 15;
const BESIDE = 4; // from the axis to its numbers
const ENDS = { above: 5, below: 4 }; // from the ends of that axis down to their baselines
const FILLED = 0.7; // of the room of a bar
const ABOVE = 4; // from a bar up to its digits
const BELOW = 13; // and down
const RING = { beside: 3, above: 2, corner: 4 }; // around a bar, in all the height
const THINNEST = 0.5; // the bar of score 0
const LETTER = 7.2; // about as wide as a letter
const LEAST_LETTERS = 3;
const LEAST_SPAN = 6; // the scale of scores goes at least so far
const MOST_SCORE = 1000;
const MOVE = 0.1; // of a score, for one press of an arrow key
const SHIFT = 10; // times as far with Shift

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("bars"); // style sheets reach the whole page
  let bars = [];
  let ends = [];
  let here = 0;

  const span = () => Math.max(LEAST_SPAN, ...model.get("scores").map(Math.abs));
  /** The last bar may stand for many keys. */
  const isMany = (i) => i === bars.length - 1 && model.get("copies") > 1;

  function build() {
    const tokens = model.get("tokens");
    svg.replaceChildren();
    buildTitle(ZERO, "score", "(drag)");
    buildTitle(FLOOR - TALL / 2, "weight", "0 to 1");
    for (const y of [ZERO, FLOOR]) shape(svg, "line", { x1: LEFT, x2: WIDTH, y1: y, y2: y });
    ends = [ZERO - HALF + ENDS.above, ZERO + HALF + ENDS.below].map((y) =>
      writeText(svg, LEFT - BESIDE, y, "", "faint", "end"),
    );
    bars = tokens.map((_, i) => buildBar(i, (WIDTH - LEFT) / tokens.length));
    here = clamp(here, 0, bars.length - 1);
    paint();
  }

  function buildTitle(y, title, remark) {
    writeText(svg, 0, y, title);
    writeText(svg, 0, y + LINE, remark, "faint");
  }

  function buildBar(i, pitch) {
    const x = LEFT + i * pitch + (pitch * (1 - FILLED)) / 2;
    const width = pitch * FILLED;
    const middle = x + width / 2;
    const name = writeText(svg, middle, NAMES, "", "", "middle");
    return {
      score: shape(svg, "rect", { x, width, class: "key" }),
      weight: shape(svg, "rect", { x, width, class: "weight" }),
      scoreText: writeText(svg, middle, 0, "", "", "middle"),
      weightText: writeText(svg, middle, 0, "", "", "middle"),
      name,
      ring: shape(svg, "rect", {
        x: x - RING.beside,
        y: RING.above,
        width: width + 2 * RING.beside,
        height: HEIGHT - 2 * RING.above,
        rx: RING.corner,
        class: "ring hold",
      }),
      letters: Math.max(LEAST_LETTERS, Math.floor(pitch / LETTER)),
    };
  }

  function paint() {
    const scores = model.get("scores");
    const temperature = model.get("temperature");
    const scaled = scores.map((score) => score / temperature);
    const weights = softmax(scaled, model.get("copies"));
    ends[0].textContent = digits(span(), 0);
    ends[1].textContent = digits(-span(), 0);
    bars.forEach((bar, i) => {
      paintScore(bar, scores[i]);
      paintWeight(bar, weights[i] * (isMany(i) ? model.get("copies") : 1));
      bar.name.textContent = isMany(i)
        ? `\u00d7${model.get("copies")}`
        : short(model.get("tokens")[i], bar.letters);
      bar.ring.classList.toggle("here", i === here);
    });
    tell(scores[here], weights[here]);
  }

  function paintScore(bar, score) {
    const height = (Math.abs(score) * HALF) / span();
    const isUp = score >= 0;
    const digitsAt = isUp ? ZERO - height - ABOVE : ZERO + height + BELOW;
    setAttributes(bar.score, {
      y: isUp ? ZERO - height : ZERO,
      height: Math.max(height, THINNEST),
    });
    setAttributes(bar.scoreText, { y: digitsAt });
    bar.scoreText.textContent = digits(score, 1);
  }

  function paintWeight(bar, share) {
    const top = FLOOR - TALL * share;
    setAttributes(bar.weight, { y: top, height: TALL * share });
    setAttributes(bar.weightText, { y: top - ABOVE });
    bar.weightText.textContent = few(share);
  }

  function tell(score, weight) {
    const temperature = model.get("temperature");
    const copies = model.get("copies");
    const divided = temperature === 1 ? "" : ` \u00f7 temperature ${digits(temperature)}`;
    const share = weight < 0.00005 ? weight.toExponential(1) : digits(weight, 4);
    const together = ` each; ${copies} such keys take ${digits(weight * copies, 3)} together`;
    const start = `${model.get("tokens")[here]}: score ${digits(score, 1)}${divided}`;
    say(`${start} \u2192 weight ${share}${isMany(here) ? together : ""}`);
  }

  const repaint = eachFrame(paint);
  function put(i, score) {
    const scores = [...model.get("scores")];
    scores[i] = clamp(Math.round(score * 10) / 10, -MOST_SCORE, MOST_SCORE);
    here = i;
    saveChanges(model, { scores });
    repaint();
  }

  const barOf = (event) => bars.findIndex((bar) => bar.ring === event.target);
  function grasp(event) {
    const i = barOf(event);
    return i < 0 ? null : { i, most: span() }; // the scale stands still while a bar is held
  }
  drag(svg, grasp, ({ i, most }, _, y) => put(i, clamp(((ZERO - y) * most) / HALF, -most, most)));
  svg.addEventListener("pointerover", (event) => {
    const i = barOf(event);
    if (i < 0 || event.buttons !== 0) return;
    here = i;
    repaint();
  });
  keys(svg, (key, event) => {
    const change = { ArrowUp: MOVE, ArrowDown: -MOVE }[key];
    if (change) {
      put(here, model.get("scores")[here] + change * (event.shiftKey ? SHIFT : 1));
      return true;
    }
    const next = step(key, [0, here], 1, bars.length);
    if (!next) return false;
    here = next[1];
    repaint();
    return true;
  });
  model.on("change:tokens", build);
  model.on("change:copies", () => {
    here = 0; // the leader, when there are more and more rivals
  });
  for (const name of ["scores", "copies", "temperature"]) model.on(`change:${name}`, repaint);
  build();
}

export default { render };
