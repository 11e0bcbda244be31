// The two stacks in the model, and what one changed word changes in them.
import { widthOf } from "../frame/lettering.mjs";
import { line, rect, text, thread, veil } from "../frame/shapes.mjs";
import { arrow, FLIGHT, later, lever, PRONOUN, SLOT, sceneOf, tile, tiles } from "./world.mjs";

const SIDE = 38; // of a vector
const STEP = 51;
const LEFT = { encoder: 44, decoder: 664 }; // the middle of the first vector
const REACH = 560; // how wide a layer is
const TURN = -45; // words are slanted: they are wider than a step
const WAVE = 260; // milliseconds from a row to the next
const STRAND = 6; // of the way of a change
const LOOK = 9; // of the look at the noun
const RIM = 6; // pixels of the frame round a vector that changed
const MUCH = 0.36; // of what can be shown: the changes that the caption names
const OUT = 92; // where the thread of the next word ends
const NEXT = { w: 144, h: 36 }; // where the next word will stand
const TITLE = 32; // the foot of what a stack is called
const KEY = { x: 634, y: 64, w: 128, h: 26, gap: 10 }; // to the shades of the tiles

const heights = (height) => ({ low: height - 124, middle: (height - 34) / 2, high: 86, out: 136 });

const place = (stack, y) => (i) => [LEFT[stack] + STEP * i, y];

/** A layer, its name at the left or, out of the way of arcs, at the right. */
function layer(id, stack, y, end, name, isRight = false) {
  const box = { x: LEFT[stack] - 30, y, w: REACH + 10, h: end - y };
  const at = [isRight ? box.x + box.w - 12 : box.x + 20, y + 27];
  const look = { anchor: isRight ? "end" : "start", glide: FLIGHT };
  return [
    rect(id, "layer", box, { rx: 10, glide: FLIGHT }),
    text(`name of ${id}`, "of-layer", at, name, look),
  ];
}

const [GAP, ALONE] = [24, 36]; // from vectors to a layer; how high feed-forward is
const BETWEEN = 6; // two parts of a layer

/** A layer: its looks, and above them feed-forward. */
function encoderLayer(id, y, end, heads) {
  const split = y + ALONE;
  const name = heads ? `${id}: ${heads}` : id;
  return [
    ...layer(id, "encoder", split + BETWEEN, end, name, !heads),
    ...layer(`alone ${id}`, "encoder", y, split, "each word by itself"),
  ];
}

/** Where the decoder's parts end, from above. */
function decoderAt(height) {
  const { low, out } = heights(height);
  const [top, end] = [out + GAP, low - GAP];
  const split = top + ALONE;
  return { top, split, half: (split + end) / 2, end };
}

function layers(height, compares) {
  const { low, middle, high } = heights(height);
  const { top, split, half, end } = decoderAt(height);
  return [
    ...encoderLayer("layer 1", middle + GAP, low - GAP, "four heads look"),
    ...encoderLayer("layer 2", high + GAP, middle - GAP, compares ? "" : "one head looks"),
    ...layer("self", "decoder", half + BETWEEN / 2, end, "looks at the words so far"),
    ...layer("cross", "decoder", split + BETWEEN, half - BETWEEN / 2, "looks at the English words"),
    ...layer("alone", "decoder", top, split, "each word by itself"),
  ];
}

/** Threads run from vector to vector, through the layers. */
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
    text("it", "query bold", [x + 18, high + 104], "it", { size: 40, anchor: "start" }),
    line("thread of the slot", "slot-thread", [other, low], [other, OUT]),
  ];
}

/** What each stack does, above it. */
const titles = () =>
  ["encoder", "decoder"].map((stack, i) => {
    const name = ["the encoder reads", "the decoder writes"][i];
    const look = { anchor: "start", size: 28 };
    return text(`title of ${stack}`, "bold", [LEFT[stack] - 30, TITLE], name, look);
  });

/** Where the next word will stand. */
function empty(height) {
  const [x] = place("decoder", height)(SLOT);
  const box = { x: x + 30 - NEXT.w, y: OUT - NEXT.h - 6, ...NEXT };
  return [
    rect("next", "own", box, { rx: 6 }),
    text("next word", "", [box.x + NEXT.w / 2, box.y + 26], "next word?"),
  ];
}

/** What the shades of a tile mean, from its lowest number to its highest. */
function legend() {
  const { x, y, w, h, gap } = KEY;
  const shades = Array.from({ length: 64 }, (_, i) => (i % 8) / 7);
  const low = "in each tile: low";
  const left = x + widthOf(low) + gap;
  const box = { x: left, y, w, h };
  return [
    text("low", "", [x, y + h - 5], low, { anchor: "start" }),
    ...tile("shades", shades, [x, y], h).map((mark) => ({ ...mark, ...box })),
    text("high", "", [left + w + gap, y + h - 5], "high", { anchor: "start" }),
  ];
}

/** The heights of the bridge, where it begins and where it ends. */
function bridgeAt(height) {
  const { high } = heights(height);
  return { top: high - SIDE / 2 - 17, foot: decoderAt(height).half - 28 };
}

const [ELBOW, SHORE] = [612, 632]; // where the bridge turns down, and where it ends

/** Over the bridge go all vectors that the encoder has made. */
function bridge(height) {
  const { high } = heights(height);
  const { top, foot } = bridgeAt(height);
  const path = () => `M${LEFT.encoder},${top}H${ELBOW}V${foot}`;
  const stubs = [];
  for (let i = 0; i <= SLOT; i++) {
    const [x] = place("encoder", 0)(i);
    stubs.push(line(`stub ${i}`, "thread", [x, high - SIDE / 2], [x, top]));
  }
  return [
    ...stubs,
    { id: "bridge", class: "own", d: path },
    ...arrow("shore", "own", [ELBOW, foot], [SHORE, foot]),
    text("read", "", [ELBOW, top - 12], "what was read", { anchor: "end" }),
  ];
}

/** Where a slanted word ends. */
const below = (stack, i, y) => [place(stack, y)(i)[0] + 8, y + SIDE / 2 + 18];

function slanted(id, stack, tokens, own, y) {
  const kind = stack === "encoder" ? "query bold" : "bold";
  return tokens.map((token, i) => {
    const more = { turn: TURN, anchor: "end", glide: FLIGHT };
    return text(`${id} ${i}`, i === own ? kind : "", below(stack, i, y), token, more);
  });
}

/** The switch stands clear of the word before it and of the frame above it. */
const leverAt = (low) => {
  const [x, y] = below("encoder", SLOT, low);
  return [x + 12, y + 14];
};

/** What was written before, and what is now. */
function winner({ told, was, veiled }) {
  const [[wins]] = told.strip;
  const right = LEFT.decoder - 30 + REACH + 10;
  const shown = `${was.target[SLOT]} → ${veiled ? "?" : wins}`;
  return text("winner", "query bold", [right, 52], shown, { size: 52, anchor: "end" });
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
    changes[name].flatMap((strength, i) => {
      if (strength < MUCH) return [];
      const [x] = place(stack, y)(i);
      const path = ring({ x, y, half: (SIDE + RIM) / 2 });
      const motion = { from: { o: 0 }, delay: WAVE * number };
      return [{ id: `changed ${name} ${i}`, class: "lit", d: path, thick: RIM, ...motion }];
    }),
  );
}

/** The way of the change: from the last word to "it", over the bridge, to what is written next. */
function way({ told, was }, height) {
  const { low, middle, high, out } = heights(height);
  const { top, foot } = bridgeAt(height);
  const [from] = place("encoder", high)(PRONOUN);
  const [slot] = place("decoder", out)(SLOT);
  const over = () => `M${from},${high - SIDE / 2}V${top}H${ELBOW}V${foot}H${SHORE}`;
  const onward = () => `M${SHORE},${foot}H${slot}V${out + SIDE / 2}`;
  const looks = (id, kind, noun, more) => {
    const [start] = place("encoder", middle)(noun);
    return thread(id, kind, [start, middle - SIDE / 2], [from, high + GAP + ALONE], more);
  };
  return [
    cause(low, middle),
    line("through layer 2", "lit", [from, middle - SIDE / 2], [from, high + SIDE / 2], {
      ...{ thick: STRAND, delay: 2 * WAVE },
    }),
    looks("the noun before", "ghost", was.noun),
    looks("the other noun", "arc", told.noun, { thick: LOOK, delay: 2 * WAVE }),
    beside("before", was.noun, was.noun < told.noun, middle), // between the two arcs
    beside("now", told.noun, was.noun < told.noun, middle),
    { id: "over the bridge", class: "lit", d: over, thick: STRAND, delay: 3 * WAVE },
    ...arrow("over to the shore", "lit", [ELBOW, foot], [SHORE, foot], { delay: 3 * WAVE }),
    { id: "to the slot", class: "lit", d: onward, thick: STRAND, delay: 4 * WAVE },
  ];
}

/** The name of an arc at its foot. */
function beside(name, noun, isRight, middle) {
  const [x] = place("encoder", middle)(noun);
  const at = [x + (isRight ? 34 : -12), middle - SIDE / 2 - 9];
  return text(`arc ${name}`, "of-layer bold", at, name, { anchor: isRight ? "start" : "end" });
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

/** The others are outlines: one vector is followed in each stack. */
const outlined = (marks, own) =>
  marks
    .filter(({ id, draw }) => !draw || id.endsWith(` ${own}`))
    .map((mark) => ({ ...mark, o: 1 }));

/** Both stacks; in the last of these scenes with what the other word changed. */
export function stacks(state, { height }, act) {
  const { low, middle, high, out } = heights(height);
  const { told, veiled } = state;
  const compares = sceneOf(state) === "changed";
  const slabs = layers(height, compares);
  const row = (name, stack, y, own) => {
    const strong = (i) => (compares && !veiled ? state.changes[name][i] : 0);
    const marks = tiles(state, name, place(stack, y), SIDE, own, strong);
    return compares ? marks : outlined(marks, own);
  };
  return [
    ...slabs.filter(({ text: name }) => !name),
    ...threads(height),
    ...slabs.filter(({ text: name }) => name),
    ...titles(),
    ...bridge(height),
    ...followed(height),
    ...(compares && !veiled ? way(state, height) : []),
    ...row("embedded", "encoder", low, PRONOUN),
    ...row("layer1", "encoder", middle, PRONOUN),
    ...row("memory", "encoder", high, PRONOUN),
    ...row("slots", "decoder", low, SLOT),
    ...row("written", "decoder", out, SLOT),
    ...slanted("word", "encoder", told.source.slice(0, SLOT), PRONOUN, low),
    ...lever(state, leverAt(low), act, { turn: TURN }),
    ...slanted("slot", "decoder", ["start", ...told.target.slice(0, SLOT)], SLOT, low),
    ...(compares ? [winner(state)] : [...empty(height), ...legend()]),
    ...(compares && !veiled ? marked(state, height) : []),
    ...(compares && veiled ? later(state, hidden(height, act)) : []),
  ];
}
