// The model from outside, the two stacks in it, and what one changed word changes in them.
import { widthOf } from "../frame/lettering.mjs";
import { line, rect, text, thread, veil } from "../frame/shapes.mjs";
import { arrow, FLIGHT, later, PALE, PRONOUN, SLOT, sceneOf, tiles, WIDTH } from "./world.mjs";

const LINE = 52; // from a line of a sentence to the next
const LETTERS = 35;
const [REGULAR, BOLD] = [400, 650];
const SPACE = 11; // between two words
const BOX = { x: 458, w: 300 };
const WAY = { from: 20, length: 52 }; // of the arrows into the box and out of it
const SIDE = 38; // of a vector
const STEP = 51;
const LEFT = { encoder: 44, decoder: 664 }; // the middle of the first vector
const REACH = 560; // how wide a layer is
const TURN = -45; // words are slanted: they are wider than a step
const WAVE = 260; // milliseconds from a row to the next
const STRAND = 6; // of the way of a change
const RIM = 9; // pixels of the ring round a vector that changed as much as can be shown
const STRIP = { y: 72, h: 20 };

const lines = (words) => [words.slice(0, 3), words.slice(3, 6), words.slice(6, 9), words.slice(9)];

/** Words beside each other, their middle at a point; `own` tells which one is looked at. */
function flow(id, words, [x, y], own) {
  const parts = words.flatMap((word) => word.split(/(?<=')/)); // "qu'il" is two words
  const gaps = parts.map((part) => (part.endsWith("'") ? 0 : SPACE));
  const widths = parts.map((part) => widthOf(part, LETTERS, own.test(part) ? BOLD : REGULAR));
  const all = [...widths, ...gaps.slice(0, -1)].reduce((sum, width) => sum + width, 0);
  let left = x - all / 2;
  return parts.map((part, i) => {
    const place = [left, y];
    left += widths[i] + gaps[i];
    const kind = own.test(part) ? "query bold" : "";
    return text(`${id} ${i}`, kind, place, part, { size: LETTERS, anchor: "start" });
  });
}

function block(name, words, x, height, own) {
  const top = height / 2 - 1.5 * LINE + 10;
  return lines(words).flatMap((part, i) => flow(`${name} ${i}`, part, [x, top + i * LINE], own));
}

/** The black box: a sentence in, its translation out. */
export function outside(state, { height }) {
  const { told } = state;
  const wall = { ...BOX, y: 40, h: height - 80 };
  const [y, end] = [height / 2, BOX.x + BOX.w];
  return [
    rect("wall", "wall-shut", wall, { rx: 16, glide: FLIGHT }),
    text("name", "of-wall bold", [WIDTH / 2, y + 12], "Transformer", { size: 36 }),
    ...later(state, [
      ...block("in", told.source, 170, height, /^it$/),
      ...block("out", told.models[0].text.split(" "), 1032, height, /^(il|elle)$/),
    ]),
    ...arrow("into", "way", [BOX.x - WAY.from - WAY.length, y], [BOX.x - WAY.from, y]),
    ...arrow("out", "way", [end + WAY.from, y], [end + WAY.from + WAY.length, y]),
  ];
}

const heights = (height) => ({ low: height - 118, middle: (height - 34) / 2, high: 84, out: 136 });

const place = (stack, y) => (i) => [LEFT[stack] + STEP * i, y];

function layer(id, stack, y, end, name) {
  const box = { x: LEFT[stack] - 30, y, w: REACH + 10, h: end - y };
  const start = [box.x + 20, (y + end) / 2 + 9]; // the thread that is followed is further right
  const label = text(`name of ${id}`, "bold", start, name, { anchor: "start", glide: FLIGHT });
  return [rect(id, "layer", box, { rx: 10, glide: FLIGHT }), label];
}

function layers(height) {
  const { low, middle, high, out } = heights(height);
  const [gap, half] = [24, (low + out) / 2];
  return [
    ...layer("layer 1", "encoder", middle + gap, low - gap, "layer 1: four heads"),
    ...layer("layer 2", "encoder", high + gap, middle - gap, "layer 2: one head"),
    ...layer("self", "decoder", half + 6, low - gap, "looks at the words so far"),
    ...layer("cross", "decoder", out + gap, half - 6, "looks at the English words"),
  ];
}

/** Threads run from vector to vector; those that are not followed go on behind the layers. */
function threads(height) {
  const { low, middle, high, out } = heights(height);
  const marks = [];
  for (let i = 0; i <= SLOT; i++) {
    const [x] = place("encoder", 0)(i);
    const [other] = place("decoder", 0)(i);
    const between = (id, at, from, to) =>
      marks.push(line(id, "thread", [at, from - SIDE / 2], [at, to + SIDE / 2]));
    if (i !== PRONOUN) between(`thread ${i}`, x, low, middle);
    if (i !== PRONOUN) between(`thread on ${i}`, x, middle, high);
    if (i !== SLOT) between(`slot thread ${i}`, other, low, out);
  }
  return marks;
}

/** The two that are followed lie over the layers. */
function followed(height) {
  const { low, high } = heights(height);
  const [x] = place("encoder", 0)(PRONOUN);
  const [other] = place("decoder", 0)(SLOT);
  return [
    line("thread of it", "own-thread", [x, low], [x, high]),
    line("thread of the slot", "slot-thread", [other, low], [other, STRIP.y + STRIP.h]),
  ];
}

/** The heights of the bridge, where it begins and where it ends. */
function bridgeAt(height) {
  const { low, high, out } = heights(height);
  return { top: high - SIDE / 2 - 13, foot: ((low + out) / 2 + out) / 2 + 9 };
}

/** Over the bridge go the keys and values of all vectors that the encoder has made. */
function bridge(height) {
  const { high } = heights(height);
  const { top, foot } = bridgeAt(height);
  const path = (shift) => () =>
    `M${LEFT.encoder - SIDE / 2},${top + shift}H${612 - shift}V${foot + shift}H634`;
  const stubs = [];
  for (let i = 0; i <= SLOT; i++) {
    const [x] = place("encoder", 0)(i);
    stubs.push(line(`stub ${i}`, "thread", [x, high - SIDE / 2], [x, top + 3]));
  }
  return [
    ...stubs,
    { id: "bridge of keys", class: "key-line", d: path(-3) },
    { id: "bridge of values", class: "value-line", d: path(3) },
    text("keys", "key", [540, top - 14], "keys", { anchor: "end" }),
    text("values", "value", [548, top - 14], "values", { anchor: "start" }),
  ];
}

function slanted(id, stack, tokens, own, y, isNew) {
  return tokens.map((token, i) => {
    const [x] = place(stack, 0)(i);
    let kind = i === own && stack === "encoder" ? "query bold" : "";
    if (isNew(i) || (i === own && stack === "decoder")) kind = "bold";
    const more = { turn: TURN, anchor: "end", glide: FLIGHT };
    return text(`${id} ${i}`, kind, [x + 8, y + SIDE / 2 + 18], token, more);
  });
}

/** The French words share a strip; the one that wins stands above it. */
function strip({ told, veiled }) {
  const [[winner, share]] = told.strip;
  const x = LEFT.decoder - 30;
  const box = { x, y: STRIP.y, w: REACH + 10, h: STRIP.h };
  const shown = veiled ? "il → ?" : `il → ${winner}`;
  const won = veiled ? [] : [rect("won", "weight", { ...box, w: box.w * share })];
  return [
    rect("strip", "spread", box),
    ...won,
    text("winner", "query bold", [x + box.w, 52], shown, { size: 52, anchor: "end" }),
  ];
}

const ring =
  ({ x, y, half }) =>
  () =>
    `M${x - half},${y - half}h${2 * half}v${2 * half}h${-2 * half}Z`;

/** What changed is marked, a row after the other, from below. */
function marked({ changes }, height) {
  const { low, middle, high, out } = heights(height);
  const rows = [
    ["embedded", "encoder", low],
    ["layer1", "encoder", middle],
    ["memory", "encoder", high],
    ["slots", "decoder", low],
    ["written", "decoder", out],
  ];
  return rows.flatMap(([name, stack, y], number) =>
    changes[name].map((strength, i) => {
      const [x] = place(stack, y)(i);
      const thick = RIM * strength;
      const path = ring({ x, y, half: (SIDE + thick) / 2 });
      const motion = { o: strength, from: { o: 0 }, delay: WAVE * number };
      return { id: `changed ${name} ${i}`, class: "lit", d: path, thick, ...motion };
    }),
  );
}

/** The way of the change: from the last word to "it", over the bridge, to what is written next. */
function way({ told }, height) {
  const { low, middle, high, out } = heights(height);
  const { top, foot } = bridgeAt(height);
  const [from] = place("encoder", high)(PRONOUN);
  const [slot] = place("decoder", out)(SLOT);
  const over = () => `M${from},${high - SIDE / 2}V${top}H612V${foot}H634`;
  const half = (low + out) / 2;
  const [noun] = place("encoder", middle)(told.noun);
  return [
    cause(low, middle),
    line("through layer 2", "lit", [from, middle - SIDE / 2], [from, high + SIDE / 2], {
      ...{ thick: STRAND, delay: 2 * WAVE },
    }),
    thread("the other noun", "arc", [noun, middle - SIDE / 2], [from, high + SIDE / 2], {
      ...{ thick: STRAND, delay: 2 * WAVE },
    }),
    { id: "over the bridge", class: "lit", d: over, thick: STRAND, delay: 3 * WAVE },
    line("to the slot", "lit", [slot, half], [slot, out + SIDE / 2], {
      ...{ thick: STRAND, delay: 4 * WAVE },
    }),
  ];
}

/** In layer 1, where "it" could look at the last word. */
function cause(low, middle) {
  const from = place("encoder", low - SIDE / 2 - RIM)(SLOT);
  const to = place("encoder", middle + SIDE / 2)(PRONOUN);
  const motion = { delay: WAVE / 2, thick: STRAND };
  return thread("cause", "lit", from, to, {
    ...motion,
    from: { toX: from[0], toY: from[1], o: 0 },
  });
}

/** What hides the rows that a change could reach. */
function hidden(height, act) {
  const { middle, high, out } = heights(height);
  const box = (stack, y) => ({ x: LEFT[stack] - 30, y: y - 26, w: REACH + 10, h: 52 });
  return [
    rect("veil of the memory", "veil", box("encoder", high), { rx: 8 }),
    rect("veil of what is written", "veil", box("decoder", out), { rx: 8 }),
    ...veil(box("encoder", middle), "What will change?", act),
  ];
}

/** Lines that step back, without their names. */
const pale = (marks) => marks.filter(({ text }) => !text).map((mark) => ({ ...mark, o: PALE }));

/** Both stacks; in the last of these scenes with what the other word changed. */
export function stacks(state, { height }, act) {
  const { low, middle, high, out } = heights(height);
  const { told, word, veiled } = state;
  const compares = sceneOf(state) === "changed";
  const isNew = (i) => compares && i === SLOT && word === "wide";
  const row = (name, stack, y, own) => {
    const strong = (i) => (compares && !veiled ? state.changes[name][i] : 0);
    return tiles(state, name, place(stack, y), SIDE, own, strong);
  };
  return [
    ...threads(height),
    ...layers(height),
    ...(compares ? bridge(height) : pale(bridge(height))),
    ...followed(height),
    ...(compares && !veiled ? way(state, height) : []),
    ...row("embedded", "encoder", low, PRONOUN),
    ...row("layer1", "encoder", middle, PRONOUN),
    ...row("memory", "encoder", high, PRONOUN),
    ...row("slots", "decoder", low, SLOT),
    ...row("written", "decoder", out, SLOT),
    ...slanted("word", "encoder", told.source, PRONOUN, low, isNew),
    ...slanted("slot", "decoder", ["start", ...told.target.slice(0, SLOT)], SLOT, low, () => false),
    ...(compares ? strip(state) : []),
    ...(compares && !veiled ? marked(state, height) : []),
    ...(compares && veiled ? later(state, hidden(height, act)) : []),
  ];
}
