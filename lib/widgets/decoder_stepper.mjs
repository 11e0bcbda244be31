// A translation written word by word: where each row looks, what it writes, and that it is kept.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  hatching,
  keys,
  place,
  shape,
  short,
} from "./frame/frame.mjs";

const WIDTH = 620;
const HEIGHT = 220;
const LEFT = 90;
const TOP = 57;
const BARS = 490;

/** About how wide a text is in units; Chinese, Japanese and emoji count double. */
export const wide = (text) =>
  [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 14 : 7.6), 0);

/** As much of a token as fits in so many units. */
export const fit = (token, room) =>
  wide(token) <= room
    ? token
    : short(token, Math.max(1, Math.floor((room / wide(token)) * [...token].length)));

/** A weight in a cell of this width: 0.87, .87 or nothing. */
export const inCell = (x, width) =>
  width < 20 ? "" : width < 30 ? digits(x).replace(/^0|0$/, "") : digits(x);

/** Heights, widths and where cross-attention begins, for T rows and S source words; room is left for five rows. */
export function layout(T, S) {
  const columns = Math.max(5, T);
  const own = Math.min(31, 270 / columns);
  const second = LEFT + columns * own + 12;
  return {
    own,
    second,
    cross: Math.min(60, (BARS - 14 - second) / S),
    high: Math.min(26, (HEIGHT - TOP - 2) / Math.max(6, T + 1)),
    chip: Math.min(142, (WIDTH - 54) / S),
  };
}

const name = (token) => `\u201c\u2068${token}\u2069\u201d`; // isolated: right-to-left words must not turn the digits round

/** A row in words: the source words it looks at most, and the word it writes. */
export function tell(row, tokens, source, [, cross, [[word, probability]]]) {
  const order = [...cross.keys()].sort((a, b) => cross[b] - cross[a]);
  const even = cross[order[0]] - cross[order.at(-1)] < 1e-6;
  const most = order
    .slice(0, 3)
    .map((j) => `${name(source[j])} ${digits(cross[j])}`)
    .join(", ");
  const looks = even ? `all source words alike, ${digits(cross[0])} each` : most;
  return `Row ${row + 1}, ${name(tokens[row])}: looks at ${looks} \u2192 next word ${name(word)} ${digits(probability)}`;
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("decoder-stepper");
  const source = model.get("source");
  const S = source.length;
  const write = (x, y, text, kind = "", anchor = "start") =>
    shape(svg, "text", { x, y, class: kind, "text-anchor": anchor }, text);
  const shade = (x) => `color-mix(in srgb, var(--weight) ${55 * x}%, transparent)`;
  let g;
  let picture;
  let band;
  let chips;
  let bars;
  let after;
  let pointed; // pointed: [row, block, column], or null for the newest row

  function build() {
    picture = model.get("picture");
    pointed = null;
    const { tokens, rows, stopped } = picture;
    const T = rows.length;
    g = layout(T, S);
    svg.replaceChildren();
    const hatch = hatching(svg);
    write(0, 16, "source", "key");
    chips = source.map((_, j) => ({
      rect: shape(svg, "rect", {
        x: 54 + j * g.chip,
        y: 1,
        width: g.chip - 5,
        height: 21,
        rx: 8,
        class: "chip",
      }),
      text: write(51.5 + (j + 0.5) * g.chip, 16, "", "", "middle"),
    }));
    band = shape(svg, "rect", { width: BARS - 14, height: g.high, class: "band" });
    write(0, 37, "target", "query");
    [
      [LEFT, "self-attention"],
      [g.second, "cross-attention"],
      [BARS, "next word"],
    ].forEach(([x, title]) => write(x, 37, title, "title"));
    rows.forEach((_, j) => write(LEFT + (j + 0.5) * g.own, 52, `${j + 1}`, "query", "middle"));
    if (g.cross > 20)
      source.forEach((token, j) =>
        write(g.second + (j + 0.5) * g.cross, 52, fit(token, g.cross - 2), "key", "middle"),
      );
    tokens.forEach((token, i) => {
      const y = TOP + i * g.high;
      const base = y + g.high / 2 + 4.5;
      write(0, base, `${i + 1}`, "faint");
      write(19, base, fit(token, 54), i === tokens.length - 1 ? "title" : "query");
      if (i >= T) return void write(LEFT, base, stopped, "title");
      if (i < T - 1)
        shape(svg, "path", {
          d: `M76 ${base - 5}h9v6h-9zM78 ${base - 5}v-2a2.5 2.5 0 0 1 5 0v2`,
          class: "lock",
        });
      [
        [LEFT, g.own],
        [g.second, g.cross],
      ].forEach(([x, width], block) =>
        rows[i][block].forEach((weight, j) => {
          const future = block === 0 && j > i && weight === 0;
          const rect = shape(svg, "rect", {
            x: x + j * width,
            y,
            width,
            height: g.high,
            class: "cell",
          });
          rect.style.fill = future ? hatch : shade(weight);
          write(x + (j + 0.5) * width, base, future ? "" : inCell(weight, width), "", "middle");
        }),
      );
    });
    after = write(BARS, 52, "", "faint");
    bars = [0, 1, 2, 3, 4].map((k) => ({
      word: write(BARS, TOP + 26 * k + 17, ""),
      bar: shape(svg, "rect", { x: BARS + 66, y: TOP + 26 * k + 5, height: 16, class: "weight" }),
      text: write(WIDTH, TOP + 26 * k + 17, "", "", "end"),
    }));
    if (model.get("by_hand"))
      ["parameters", "set by hand"].forEach((text, k) =>
        write(WIDTH, 203 + 14 * k, text, "faint", "end"),
      );
    paint();
  }

  function paint() {
    const { tokens, rows, kept, stopped } = picture;
    const [i, block, j] = pointed ?? [rows.length - 1];
    const [own, cross, next] = rows[i];
    band.setAttribute("y", TOP + i * g.high);
    chips.forEach(({ rect, text }, j) => {
      rect.style.fill = shade(cross[j]);
      text.textContent =
        g.chip < 75
          ? fit(source[j], g.chip - 8)
          : `${fit(source[j], g.chip - 44)} ${digits(cross[j])}`;
    });
    after.textContent = `after ${fit(tokens[i], 84)}`;
    bars.forEach(({ word, bar, text }, k) => {
      const [token, probability] = next[k] ?? ["", 0];
      word.textContent = fit(token, 64);
      bar.setAttribute("width", 34 * clamp(probability, 0, 1));
      text.textContent = token && digits(probability);
    });
    const weight = [own, cross][block]?.[j];
    const blocked = block === 0 && j > i && weight === 0;
    const cell = () =>
      `${name([tokens, source][block][j])}, ${["self", "cross"][block]}-attention ${blocked ? "blocked, exactly 0" : digits(weight, 3)}`;
    const told =
      weight === undefined
        ? tell(i, tokens, source, rows[i])
        : `Row ${i + 1}, ${name(tokens[i])} \u2192 ${cell()}`;
    say([told, kept, stopped].filter(Boolean).join(" \u00b7 "));
  }

  const repaint = eachFrame(paint);
  const point = (to) => ((pointed = to), repaint(), true);
  const go = (type) => (model.send({ type }), true);
  svg.addEventListener("pointermove", (event) => {
    const [x, y] = place(svg, event);
    const i = Math.floor((y - TOP) / g.high);
    const block = x < g.second ? 0 : 1;
    const j = Math.floor(block ? (x - g.second) / g.cross : (x - LEFT) / g.own);
    point(picture.rows[i] ? [i, block, j] : null);
  });
  svg.addEventListener("pointerleave", () => point(null));
  keys(svg, (key) => {
    const last = picture.rows.length - 1;
    const at = pointed?.[0] ?? last;
    const to = {
      ArrowUp: [Math.max(at - 1, 0)],
      ArrowDown: [Math.min(at + 1, last)],
      Home: [0],
      End: null,
      Escape: null,
    }[key];
    const type = {
      ArrowRight: "next",
      Enter: "next",
      " ": "next",
      ArrowLeft: "back",
      Backspace: "back",
    }[key];
    return type ? go(type) : to !== undefined && point(to);
  });
  model.on("change:picture", build);
  build();
}

export default { render };
