// The model from outside, the two stacks in it, and what one changed word changes in them.
import { widthOf } from "../frame/lettering.mjs";
import { line, rect, text, veil } from "../frame/shapes.mjs";
import { arrow, FLIGHT, PRONOUN, later, SLOT, sceneOf, tiles, WIDTH } from "./world.mjs";

const LINE = 46; // from a line of a sentence to the next
const LETTERS = 32;
const [REGULAR, BOLD] = [400, 650];
const SPACE = 9; // between two words
const BOX = { x: 404, w: 408 };
const SIDE = 26; // of a vector
const STEP = 51;
const LEFT = { encoder: 44, decoder: 664 }; // the middle of the first vector
const REACH = 560; // how wide a layer is
const TURN = -45; // words are slanted: they are wider than a step
const WAVE = 260; // milliseconds from a row to the next
const STRIP = { y: 72, h: 20 };

const lines = (words) => [words.slice(0, 3), words.slice(3, 6), words.slice(6, 9), words.slice(9)];

/** Words beside each other, their middle at a point; `own` tells which one is looked at. */
function flow(id, parts, [x, y], own) {
  const widths = parts.map((part) => widthOf(part, LETTERS, own.test(part) ? BOLD : REGULAR));
  let left = x - (widths.reduce((sum, width) => sum + width, 0) + SPACE * (parts.length - 1)) / 2;
  return parts.map((part, i) => {
    const place = [left, y];
    left += widths[i] + SPACE;
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
  const y = height / 2;
  return [
    rect("wall", "wall-shut", wall, { rx: 16, glide: FLIGHT }),
    text("name", "of-wall bold", [WIDTH / 2, y + 12], "Transformer", { size: 36 }),
    ...later(state, [
      ...block("in", told.source, 180, height, /^it$/),
      ...block("out", told.models[0].text.split(" "), 1040, height, /il$|elle$/),
    ]),
    ...arrow("into", "way", [340, y], [BOX.x - 10, y]),
    ...arrow("out", "way", [BOX.x + BOX.w + 10, y], [876, y]),
  ];
}

const heights = (height) => ({ low: height - 118, middle: (height - 48) / 2, high: 70, out: 136 });

const place = (stack, y) => (i) => [LEFT[stack] + STEP * i, y];

function layer(id, stack, y, end, name) {
  const box = { x: LEFT[stack] - 30, y, w: REACH + 10, h: end - y };
  const middle = [box.x + box.w / 2, (y + end) / 2 + 9];
  const label = text(`name of ${id}`, "bold", middle, name, { glide: FLIGHT });
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
    const kinds = [i === PRONOUN ? "query-line" : "thread", i === SLOT ? "query-line" : "thread"];
    marks.push(line(`thread ${i}`, kinds[0], [x, low], [x, high]));
    marks.push(line(`slot thread ${i}`, kinds[1], [other, low], [other, out]));
  }
  return marks;
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
  ];
}

function slanted(id, stack, tokens, own, y, isNew) {
  return tokens.map((token, i) => {
    const [x] = place(stack, 0)(i);
    let kind = i === own ? "query bold" : "";
    if (isNew(i)) kind = "bold new";
    const more = { turn: TURN, anchor: "end", glide: FLIGHT };
    return text(`${id} ${i}`, kind, [x + 8, y + 26], token, more);
  });
}

/** The French words share a strip; the one that wins stands above it. */
function strip({ told, veiled }, isVeiled) {
  const [[winner, share]] = told.strip;
  const x = LEFT.decoder - 30;
  const box = { x, y: STRIP.y, w: REACH + 10, h: STRIP.h };
  const shown = isVeiled && veiled ? "?" : winner;
  const won = isVeiled && veiled ? [] : [rect("won", "weight", { ...box, w: box.w * share })];
  return [
    rect("strip", "spread", box),
    ...won,
    text("winner", "query bold", [x + REACH / 2, 46], shown, { size: 40 }),
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
      const box = { x: x - SIDE / 2 - 8, y: y - SIDE / 2 - 8, w: SIDE + 16, h: SIDE + 16 };
      const motion = { o: strength, from: { o: 0 }, delay: WAVE * number, rx: 5 };
      return rect(`changed ${name} ${i}`, "changed", box, motion);
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
