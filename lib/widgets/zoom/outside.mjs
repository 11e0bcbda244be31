// The model from outside, the two stacks in it, and what one changed word changes in them.
import { widthOf } from "../frame/lettering.mjs";
import { line, rect, text, veil } from "../frame/shapes.mjs";
import { arrow, FLIGHT, PRONOUN, later, SLOT, sceneOf, tiles, WIDTH } from "./world.mjs";

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
const FAINT = 0.45; // of the mark of the least change: a projector shows less than a screen
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

const heights = (height) => ({ low: height - 118, middle: (height - 48) / 2, high: 70, out: 136 });

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

function threads(height) {
  const { low, high, out } = heights(height);
  const marks = [];
  for (let i = 0; i <= SLOT; i++) {
    const [x] = place("encoder", 0)(i);
    const [other] = place("decoder", 0)(i);
    if (i !== PRONOUN) marks.push(line(`thread ${i}`, "thread", [x, low], [x, high]));
    if (i !== SLOT) marks.push(line(`slot thread ${i}`, "thread", [other, low], [other, out]));
  }
  return marks;
}

/** The two that are followed lie over the layers. */
function followed(height) {
  const { low, high, out } = heights(height);
  const [x] = place("encoder", 0)(PRONOUN);
  const [other] = place("decoder", 0)(SLOT);
  return [
    line("thread of it", "own-thread", [x, low], [x, high]),
    line("thread of the slot", "own-thread", [other, low], [other, out]),
  ];
}

/** Over the bridge go the keys and values of what the encoder has made. */
function bridge(height) {
  const { low, high, out } = heights(height);
  const foot = ((low + out) / 2 + out) / 2 + 9;
  const path = (shift) => () =>
    `M${LEFT.encoder + STEP * SLOT + 18},${high + shift}H${612 - shift}V${foot + shift}H634`;
  return [
    { id: "bridge of keys", class: "key-line", d: path(-4) },
    { id: "bridge of values", class: "value-line", d: path(4) },
    text("keys", "key", [600, high - 26], "keys", { anchor: "end" }),
    text("values", "value", [608, high - 26], "values", { anchor: "start" }),
  ];
}

function slanted(id, stack, tokens, own, y, isNew) {
  return tokens.map((token, i) => {
    const [x] = place(stack, 0)(i);
    let kind = i === own ? "query bold" : "";
    if (isNew(i)) kind = "bold new";
    const more = { turn: TURN, anchor: "end", glide: FLIGHT };
    return text(`${id} ${i}`, kind, [x + 8, y + SIDE / 2 + 13], token, more);
  });
}

/** The French words share a strip; the one that wins stands above it. */
function strip({ told, veiled }, isVeiled) {
  const [[winner, share]] = told.strip;
  const x = LEFT.decoder - 30;
  const box = { x, y: STRIP.y, w: REACH + 10, h: STRIP.h };
  let shown = winner;
  if (isVeiled) shown = veiled ? "il → ?" : `il → ${winner}`;
  const won = isVeiled && veiled ? [] : [rect("won", "weight", { ...box, w: box.w * share })];
  return [
    rect("strip", "spread", box),
    ...won,
    text("winner", "query bold", [x + REACH / 2, 50], shown, { size: 52 }),
  ];
}

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
      const box = { x: x - SIDE / 2 - 6, y: y - SIDE / 2 - 6, w: SIDE + 12, h: SIDE + 12 };
      const motion = {
        o: strength && FAINT + (1 - FAINT) * strength,
        from: { o: 0 },
        delay: WAVE * number,
        rx: 5,
      };
      return rect(`changed ${name} ${i}`, "lit", box, motion);
    }),
  );
}

/** Both stacks; in the last of these scenes with what the other word changed. */
export function stacks(state, { height }, act) {
  const { low, middle, high, out } = heights(height);
  const { told, word, veiled } = state;
  const compares = sceneOf(state) === "changed";
  const isNew = (i) => compares && i === SLOT && word === "wide";
  const box = { x: LEFT.encoder - 30, y: middle - 40, w: REACH + 10, h: 80 };
  const question = veil(box, "What will change?", act);
  return [
    ...threads(height),
    ...layers(height),
    ...bridge(height),
    ...followed(height),
    ...(compares && !veiled ? marked(state, height) : []),
    ...tiles(state, "embedded", place("encoder", low), SIDE, PRONOUN),
    ...tiles(state, "layer1", place("encoder", middle), SIDE, PRONOUN),
    ...tiles(state, "memory", place("encoder", high), SIDE, PRONOUN),
    ...tiles(state, "slots", place("decoder", low), SIDE, SLOT),
    ...tiles(state, "written", place("decoder", out), SIDE, SLOT),
    ...slanted("word", "encoder", told.source, PRONOUN, low, isNew),
    ...slanted("slot", "decoder", ["start", ...told.target.slice(0, SLOT)], SLOT, low, () => false),
    ...strip(state, compares),
    ...(compares && veiled ? later(state, question) : []),
  ];
}
