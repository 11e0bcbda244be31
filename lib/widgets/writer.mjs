// A text that is written on word by word, and what each word was drawn from.
import { clamp, drawing, eachFrame, hatching, keys, shape, short } from "./frame/frame.mjs";

const WIDTH = 430;
const LEFT = 5;
const RIGHT = 425;
const LINES = 3;
const PITCH = 38;
const HEAD = 125;
const TOP = 130;
const ROW = 14.8;
const BARS = 98;
const LONG = 200;
const MODEL = 370;

/** About how wide a word is in units, at 15 px. */
export const wide = (word) =>
  [...word].reduce(
    (sum, letter) =>
      sum +
      (/[mw<>MW]/.test(letter)
        ? 13
        : /[ijlI.,']/.test(letter)
          ? 5
          : /[frt]/.test(letter)
            ? 7
            : 9.4),
    0,
  );

/** Where the words go, [line, x, width] each, when a line has this much room; the digits beneath need room too. */
export function wrap(words, room) {
  let line = 0;
  let next = 0;
  return words.map((word) => {
    const width = Math.min(room, Math.max(36, wide(word) + 4));
    const x = next + width > room ? 0 : next;
    if (x < next) line += 1;
    next = x + width + 4;
    return [line, x, width];
  });
}

/** The first line that is shown: as late as can be, with the line `at` in view. */
export const firstLine = (at, lines) => clamp(lines - LINES, 0, at);

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, TOP + 9 * ROW + 1);
  figure.classList.add("writer");
  const hatch = hatching(svg);
  const text = shape(svg, "g");
  const bars = shape(svg, "g");
  const write = (g, x, y, said, kind = "", anchor = "start") =>
    shape(g, "text", { x, y, class: kind, "text-anchor": anchor }, said);
  let picture;
  let spots;
  let hovered = null;
  let pinned = null; // numbers of steps, null for the newest

  function build() {
    const { prompt, steps } = picture;
    text.replaceChildren();
    spots = [];
    const words = [...prompt, ...steps.map(({ word }) => word || "?")].map((word) =>
      short(word, 24),
    );
    const places = wrap(words, RIGHT - LEFT - 14);
    const last = places.at(-1)[0];
    const seen = prompt.length + (pinned ?? steps.length - 1);
    const first = firstLine(places[seen][0], last + 1);
    words.forEach((word, i) => {
      const [line, left, width] = places[i];
      const x = LEFT + left;
      const y = (line - first) * PITCH;
      const middle = x + width / 2;
      const step = steps[i - prompt.length];
      if (line < first || line >= first + LINES) return;
      if (!step) return void write(text, middle, y + 16, word, "word", "middle");
      const next = step.word === "";
      const height = next ? 22 : 35;
      spots[i - prompt.length] = shape(text, "rect", {
        x,
        y: y + 1,
        width,
        height,
        rx: 4,
        class: `spot ${next ? "next" : ""}`,
        "data-step": i - prompt.length,
      });
      write(text, middle, y + 16, word, next ? "word faint" : "word written", "middle");
      if (next) return;
      shape(text, "line", {
        x1: x + 2,
        x2: x + width - 2,
        y1: y + 20,
        y2: y + 20,
        class: "written",
      });
      write(text, middle, y + 32.5, step.digits, "faint", "middle");
    });
    if (first > 0) write(text, RIGHT, 16, "\u2026", "faint", "end");
    if (last >= first + LINES)
      write(text, RIGHT, (LINES - 1) * PITCH + 16, "\u2026", "faint", "end");
    paint();
  }

  function paint() {
    const { steps, stopped } = picture;
    const at = hovered ?? pinned ?? steps.length - 1;
    const step = steps[at];
    spots.forEach((spot, t) => spot.classList.toggle("here", t === at));
    bars.replaceChildren();
    write(bars, LEFT, HEAD, "next word", "faint");
    write(bars, BARS, HEAD, "0", "faint", "middle");
    write(bars, BARS + LONG, HEAD, "1", "faint", "middle");
    [
      [MODEL, 314, "model", "model"],
      [RIGHT, 379, step.word ? "then" : "now", "weight"],
    ].forEach(([end, x, said, kind]) => {
      write(bars, end, HEAD, said, "", "end");
      shape(bars, "rect", { x, y: HEAD - 10, width: 10, height: 10, class: kind });
    });
    shape(bars, "line", { x1: BARS, x2: BARS, y1: TOP, y2: TOP + step.rows.length * ROW });
    step.rows.forEach(([word, before, now, ...digits], k) => {
      const y = TOP + k * ROW + 12;
      const out = now === 0;
      const chosen = k === step.chosen ? "chosen" : "";
      const bar = { x: BARS, y: y - 9.5, height: ROW - 4.5 };
      write(
        bars,
        LEFT,
        y,
        (chosen && "\u25b8") + short(word, chosen ? 10 : 11),
        out ? "out" : chosen,
      );
      if (!out) shape(bars, "rect", { ...bar, width: LONG * now, class: "weight" });
      shape(bars, "rect", { ...bar, width: LONG * before, class: "model" }).style.fill = out
        ? hatch
        : "none";
      write(bars, MODEL, y, digits[0], "faint", "end");
      write(bars, RIGHT, y, digits[1], chosen, "end");
    });
    say([step.says, stopped].filter(Boolean).join(" "));
  }

  const repaint = eachFrame(paint);
  const stepAt = ({ target }) =>
    target.dataset.step === undefined ? null : Number(target.dataset.step);
  const point = (to) => ((pinned = to), (hovered = null), build(), true);
  const go = (type) => (model.send({ type }), true);
  const hover = (to) => to !== hovered && ((hovered = to), repaint());
  svg.addEventListener("pointermove", (event) => hover(stepAt(event)));
  svg.addEventListener("pointerleave", () => hover(null));
  svg.addEventListener("click", (event) => point(stepAt(event)));
  keys(svg, (key) => {
    const last = picture.steps.length - 1;
    const at = pinned ?? last;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, Escape: last }[key];
    const type = {
      Enter: "next",
      " ": "next",
      Backspace: "back",
      ArrowRight: at === last && "next",
    }[key]; // past the newest: write
    return type ? go(type) : to !== undefined && point(clamp(to, 0, last));
  });
  const show = () => ((picture = model.get("picture")), point(null));
  model.on("change:picture", show);
  show();
}

export default { render };
