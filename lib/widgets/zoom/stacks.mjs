// The two stacks in the model, and what one changed word changes in them.
import { widthOf } from "../frame/lettering.mjs";
import { LEFT_END, line, rect, text, thread } from "../frame/shapes.mjs";
import {
  FLIGHT,
  inFrench,
  NONE,
  PRONOUN,
  PRONOUNS,
  SLOT,
  THICK,
  lever,
  oneOfTwo,
  sceneOf,
  tiles,
  WIDTH,
} from "./world.mjs";

const SIDE = 56; // of the vector that is followed
const SMALL = 32; // of the others
const VEIL = SIDE + 8; // what hides what is written
const STEP = 51;
const LEFT = { encoder: 30, decoder: 666 }; // the middle of the first vector
const REACH = 580; // how wide a layer is
const RIGHT = LEFT.decoder + STEP * SLOT + SIDE / 2; // the end of what is written next
const OWN = { encoder: PRONOUN, decoder: SLOT }; // the places of those that are followed
const LINE = 40; // from a row down to its words
const MEANT = 34; // letters of what goes over the bridge
const GAP = 10; // from vectors to a layer
const WAVE = 260; // milliseconds from a row to the next
const RIM = 6; // pixels of the frame round a vector that changed
const MUCH = 0.36; // of what can be shown: the changes that the caption names
const NEXT = 50; // from the middle of the tile that writes the next word up to its line
const TITLE = { y: 32, size: 32 }; // what a stack is called
const START = "<start>"; // what the decoder reads first
const CLIMB = { half: 450, top: 750, on: 1050 }; // milliseconds until the words are there
const LOOKS = { size: 36, delay: CLIMB.on }; // the answer to how "it" gets there

const heights = (height) => ({ low: height - 116, middle: (height + 6) / 2, high: 122 });

const place = (stack, y) => (i) => [LEFT[stack] + STEP * i, y];

/** The layers between rows of vectors; what the decoder does is told when it has done it. */
function layers({ low, middle, high }) {
  const all = [
    ["layer 1", "encoder", [middle, low], "layer 1", {}],
    ["layer 2", "encoder", [high, middle], "layer 2", {}],
    ["decoder", "decoder", [middle, low], "looks at all English words", LOOKS],
  ];
  const inset = SIDE / 2 + GAP;
  const boxes = all.map(([id, stack, [from, to]]) => {
    const box = { x: LEFT[stack] - 30, y: from + inset, w: REACH, h: to - from - 2 * inset };
    return rect(id, "layer", box, { rx: 10, glide: FLIGHT });
  });
  const names = all.map(([id, stack, [from, to], said, more]) => {
    const at = [LEFT[stack] - 10, (from + to) / 2 + 10];
    return text(`name of ${id}`, "of-layer", at, said, { ...LEFT_END, size: 28, ...more });
  });
  return [boxes, names];
}

/** Every word has its own way up, to the bridge or to what is written; the layers lie over it. */
function ways(height, isWhole) {
  const { low, middle, high } = heights(height);
  const [half, { top }] = [SMALL / 2, bridgeAt(height)];
  const from = (row) => (isWhole && row > 0 ? 0 : half);
  const to = isWhole ? 0 : half;
  const stops = { encoder: [low, middle, high, top - to], decoder: [low, middle] };
  return Object.entries(stops).flatMap(([stack, rows]) =>
    Array.from({ length: SLOT + 1 }, (_, i) => {
      const [x] = place(stack, 0)(i);
      const parts = rows.slice(1).map((y, row) => `M${x},${rows[row] - from(row)}V${y + to}`);
      return { id: `way ${stack} ${i}`, class: "way", d: () => parts.join("") };
    }),
  );
}

/** What each stack does, above it. */
const titles = () =>
  Object.entries({ encoder: "the encoder reads", decoder: "the decoder writes" }).map(
    ([stack, does]) => {
      const [at, look] = [[LEFT[stack] - 30, TITLE.y], { ...LEFT_END, size: TITLE.size }];
      return text(`title of ${stack}`, "bold", at, does, look);
    },
  );

/** The heights of the bridge, where it begins and where it ends. */
function bridgeAt(height) {
  const { low, middle, high } = heights(height);
  return { top: high - SIDE / 2 - 22, foot: (low + middle) / 2 };
}

const ELBOW = 608; // where the bridge turns down

/** Over the bridge goes what the encoder has made of all words. */
function bridge(height) {
  const { top, foot } = bridgeAt(height);
  const path = () => `M${LEFT.encoder},${top}H${ELBOW}V${foot}H${LEFT.decoder}`;
  return { id: "bridge", class: "way", d: path };
}

/** From "it" at a height to the slot that asks, and up to what it writes. */
function crossing(height, y) {
  const end = heights(height).middle + SIDE / 2;
  const { top, foot } = bridgeAt(height);
  const [from, to] = Object.entries(OWN).map(([stack, i]) => place(stack, 0)(i)[0]);
  return () => `M${from},${y}V${top}H${ELBOW}V${foot}H${to}V${end}`;
}

/** One thread, from "it" at a height to what is written next. */
const followed = (height, y) => ({ id: "followed", class: "own-thread", d: crossing(height, y) });

/** Below their vectors the words that matter here; the last one is the switch. */
function named(state, low, act) {
  const { told, veiled, was, word } = state;
  const compares = sceneOf(state) === "changed";
  const foot = (stack, i) => [place(stack, 0)(i)[0], low + SIDE / 2 + LINE];
  const looked = compares && !veiled ? told.noun : null;
  const kinds = { [looked]: "key bold", [PRONOUN]: "query bold" };
  const [last, y] = foot("encoder", SLOT);
  const read = [START, ...told.target.slice(0, SLOT)];
  const meant = looked === null ? NONE : read.indexOf(told.gloss);
  const nouns = read.flatMap((token, i) => (token in told.genders ? [i] : []));
  return [
    ...[told.noun, was.noun, PRONOUN].map((i) => {
      const kind = kinds[i] ?? "faint";
      return text(`word ${i}`, kind, foot("encoder", i), told.source[i], { glide: FLIGHT });
    }),
    ...lever(state, [last + widthOf(word) / 2 + 14, y], act),
    ...[...nouns, SLOT].map((i) => {
      const kind = i === SLOT ? "bold" : "faint";
      return text(`slot ${i}`, i === meant ? "key bold" : kind, foot("decoder", i), read[i]);
    }),
  ];
}

/** Above the slot that writes it: what is written next. */
const written = (id, kind, middle, words, more) =>
  text(id, `${kind} bold`, [RIGHT, middle - NEXT], words, { size: 80, anchor: "end", ...more });

/** What was written before, and what is now: told when the change has arrived there. */
function winner({ told, was, veiled }, middle) {
  const before = was.target[SLOT];
  if (veiled) return written("asked", "faint", middle, `${before} → ?`, { until: "winner" });
  return written("winner", "query", middle, `${before} → ${told.target[SLOT]}`, {
    delay: 4 * WAVE,
  });
}

/** Lit, with a dark edge below all of them. */
const edged = (marks) => [
  ...marks
    .filter((mark) => mark.class === "lit")
    .map((mark) => ({ ...mark, id: `dark ${mark.id}`, class: "lit-edge" })),
  ...marks,
];

/** The rows of vectors, and in milliseconds when each is there; of a change what is known. */
function rowsOf(state, { low, middle, high }) {
  const compares = sceneOf(state) === "changed";
  const rows = [
    ["embedded", "encoder", low, 0],
    ["layer1", "encoder", middle, compares ? WAVE : CLIMB.half],
    ["memory", "encoder", high, compares ? 2 * WAVE : CLIMB.top],
    ["slots", "decoder", low, 0],
    ["written", "decoder", middle, compares ? 4 * WAVE : CLIMB.on],
  ];
  return compares && state.veiled ? rows.filter(([, , y]) => y === low) : rows;
}

/** Whether it is followed, or the word that changed itself. */
const isOnWay = (name, stack, i) => name === "embedded" || i === OWN[stack];

/** On the way of the change what changed is marked, a row after the other, from below. */
function marked(state, height) {
  return rowsOf(state, heights(height)).flatMap(([name, stack, y, delay]) =>
    state.changes[name].flatMap((strength, i) => {
      if (strength < MUCH || !isOnWay(name, stack, i)) return [];
      const w = RIM + (i === OWN[stack] ? SIDE : SMALL);
      const box = { x: place(stack, y)(i)[0] - w / 2, y: y - w / 2, w, h: w };
      return [rect(`changed ${name} ${i}`, "lit", box, { delay })];
    }),
  );
}

/** The way of the change: from the last word to "it", over the bridge, to what is written next. */
function way({ told }, height) {
  const { low, middle, high } = heights(height);
  const [from, last, noun] = [PRONOUN, SLOT, told.noun].map((i) => place("encoder", high)(i)[0]);
  const [foot, end] = [
    [noun, middle - SMALL / 2],
    [from, high + SIDE / 2 + GAP],
  ];
  const look = { thick: THICK * told.layer2[told.noun], delay: 2 * WAVE };
  const above = [from, bridgeAt(height).top - GAP];
  const meaning = { ...LEFT_END, size: MEANT };
  return [
    thread("the other noun", "arc", foot, end, look),
    text("what it means", "query bold", above, inFrench(told), { ...meaning, delay: 3 * WAVE }),
    thread("cause", "lit", [last, low - SMALL / 2 - RIM], [from, middle + SIDE / 2], {
      delay: WAVE / 2,
    }),
    line("through layer 2", "lit", [from, middle - SIDE / 2], [from, high + SIDE / 2], {
      delay: 2 * WAVE,
    }),
    { id: "over the bridge", class: "lit", d: crossing(height, high - SIDE / 2), delay: 3 * WAVE },
  ];
}

/** Where one guesses what is written; the guess stands above it. */
function guessed(state, middle, act) {
  const box = { x: LEFT.decoder - 30, y: middle - VEIL / 2, w: REACH, h: VEIL };
  return oneOfTwo(state, box, PRONOUNS, act, [WIDTH, TITLE.y]);
}

/** Both stacks; or, all else quiet, what a word changed in them. */
export function stacks(state, { height }, act) {
  const rows = heights(height);
  const { low, middle } = rows;
  const { changes, told, veiled } = state;
  const compares = sceneOf(state) === "changed";
  const [boxes, names] = layers(rows);
  const row = ([name, stack, y, delay]) => {
    const isChanged = (i) => changes[name][i] >= MUCH && isOnWay(name, stack, i);
    const own = compares && !isChanged(OWN[stack]) ? NONE : OWN[stack];
    const isSeen = (i) => isChanged(i) || (name === "layer1" && i === told.noun);
    const isStrong = (i) => Number(compares && isSeen(i));
    const marks = tiles(state, name, place(stack, y), SIDE, own, isStrong, SMALL);
    return marks.map((mark) => ({ ...mark, delay }));
  };
  return [
    ...ways(height, compares && veiled),
    bridge(height),
    ...boxes,
    ...(compares ? [] : [followed(height, low)]),
    ...titles(),
    ...(compares && !veiled ? edged(way(state, height)) : []),
    ...names,
    ...rowsOf(state, rows).flatMap(row),
    ...named(state, low, act),
    ...(compares
      ? [winner(state, middle), ...edged(marked(state, height)), ...guessed(state, middle, act)]
      : [written("next word", "query", middle, "il or elle?", { size: 64, delay: CLIMB.on })]),
  ];
}
