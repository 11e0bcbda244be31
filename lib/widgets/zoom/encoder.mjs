// In the encoder: four heads, the arrow of one head, what flows over it, one network.
import { digits } from "../frame/frame.mjs";
import { HEAVY, widthOf } from "../frame/lettering.mjs";
import { BASELINE, LEFT_END, text, thread, veil } from "../frame/shapes.mjs";
import {
  across,
  arrow,
  BELOW,
  beside,
  bow,
  choosable,
  EVENT,
  footOf,
  HEAD,
  highest,
  inFrench,
  inWords,
  PRONOUN,
  THICK,
  later,
  looks,
  otherHeads,
  tile,
  tiles,
  WIDTH,
  words,
} from "./world.mjs";

const LEAST = 0.025; // the place of a share below it has no digits
const CELL = { w: 100, h: 38 }; // one share of a row
const AIR = 12; // between what is told and a veil, a tile and an arrow or a network
const LOW = 82; // from below, the foot of the head that is looked at
const LIFT = 16; // from the ground to where "it" begins to look
const VEIL = 110; // what hides the row begins here, where its arcs would be
const HIGHEST = 20; // the height that an arc over seven words goes for

const wordsOf = (height) => height - 14 - BELOW; // where a guess stands below them
const rowOf = (height) => height - 176; // the row with digits

/** A row of shares; those that count have digits. */
const cells = (row, y) =>
  row.map((share, i) => ({
    ...{ id: `share ${i}`, kind: "cell", x: across(i) - CELL.w / 2, y, ...CELL, number: share },
    ...{ format: (number) => (share >= LEAST ? digits(number) : ""), tint: share },
    ...{ size: 24 + 8 * share, delay: EVENT / 2 },
  }));

/** The rows of "it" in four heads: three look everywhere, the last one has a favourite. */
export function heads(state, { height }, act) {
  const { told, veiled } = state;
  const key = highest(told.layer1[HEAD]);
  const foot = height - LOW;
  const y = footOf(told.layer1.length - 1, foot) + AIR;
  const box = { x: 0, y, w: WIDTH, h: foot - y };
  const shown = () => looks(told.layer1, HEAD, foot, [beside(PRONOUN), foot - LIFT]);
  return [
    ...later(state, otherHeads(told.layer1, foot)),
    ...choosable(state, act, wordsOf(height), veiled ? {} : { [key]: "key bold" }, beside),
    ...(veiled ? later(state, veil(box, "head 4", act)) : shown()),
    ...inWords(state, ["it → ?", `it → ${told.source[key]}`], act),
  ];
}

/** An arc from "it" to a word; the further, the higher. */
function arc(i, foot) {
  const top = foot - ((foot - HIGHEST) * (Math.abs(i - PRONOUN) + 1)) / PRONOUN;
  return {
    id: `arc ${i}`,
    class: "arc",
    d: bow,
    start: across(PRONOUN),
    end: across(i),
    foot,
    top,
  };
}

/** The row of "it" in the one head of layer 2. */
export function arcs(state, { height }, act) {
  const { told, veiled } = state;
  const foot = rowOf(height);
  const key = told.noun;
  const named = veiled ? {} : { [key]: "key bold" };
  const marks = [
    ...tiles(state, "layer1", (i) => [across(i), height - 100], 44, PRONOUN),
    ...choosable(state, act, wordsOf(height), named),
  ];
  const asked = inWords(state, ["it → ?", `it → ${told.source[key]}`], act);
  const hidden = { x: 0, y: VEIL, w: WIDTH, h: foot + CELL.h + 8 - VEIL };
  const hides = veil(hidden, "where “it” looks", act);
  if (veiled) return [...marks, ...later(state, hides), ...asked];
  const grown = { from: { end: across(PRONOUN), o: 1 }, glide: EVENT };
  const look = { ...arc(key, foot), thick: THICK * told.layer2[key], ...grown };
  return [...marks, look, ...cells(told.layer2, foot + 4), ...asked];
}

const ROW = { above: 100, side: 44 }; // the eleven tiles, from the foot of the room
const SIDE = { most: 250, from: 250 }; // of what is added and of the sum; below and above it
const [BEFORE, CAME, SUM] = [203, 608, 1013]; // their middles
const SIGN = 60; // letters between them
const RISE = 52; // from the eleven tiles to the sum
const LINE = 28; // of a term's name
const NOW = 64; // letters of what the sum is called

const GREEN = { colour: "value", edge: "value-edge" };

/** What comes to "it" from all words: of the noun's value as much as its weight, and the rest. */
const arrived = ({ layer2, noun, rest, value }) =>
  value.map((number, i) => layer2[noun] * number + (1 - layer2[noun]) * rest[i]);

/** The same as a film over "it". */
const came = ({ told, word }, id, at, side, more) =>
  tile(id, arrived(told), at, side, { version: word, ...GREEN, isFilm: true, ...more });

/** What is added up, each with its name above it. */
function terms({ told, word: version }, y, side) {
  const { layer2, noun, source, tiles: rows } = told;
  const [foot, share] = [y - side / 2 - 12, layer2[noun]];
  const own = { version, edge: "own-edge" };
  const value = `${digits(share)} × value of “${source[noun]}”`;
  const signs = { "+": (BEFORE + CAME) / 2, "=": (CAME + SUM) / 2 };
  return [
    ...tile("before", rows.layer1[PRONOUN], [BEFORE, y], side, own),
    text("name of before", "query bold", [BEFORE, foot], "“it” before"),
    ...tile("what came", arrived(told), [CAME, y], side, { version, ...GREEN }),
    text("value", "value bold", [CAME, foot - LINE], value, { size: 28 }),
    text("the rest", "value", [CAME, foot], `+ ${digits(1 - share)} × the rest`),
    ...Object.entries(signs).map(([sign, x]) =>
      text(sign, "bold", [x, y + SIGN / 3], sign, { size: SIGN }),
    ),
  ];
}

/** What flows over the arrow: the noun's value, times its weight, comes to lie over "it". */
export function pour(state, { height }, act) {
  const { told, word: version } = state;
  const { noun, source, tiles: rows } = told;
  const isNoun = (i) => Number(i === noun);
  const low = height - ROW.above;
  const top = low - ROW.side / 2 - 3;
  const side = Math.min(SIDE.most, height - SIDE.from);
  const half = side / 2;
  const [column, y] = [across(PRONOUN), low - ROW.side / 2 - RISE - half];
  const [from, foot] = [{ x: CAME - half }, y + half + 3];
  const last = { delay: 1.5 * EVENT };
  const then = [
    thread("value of it", "value-line", [across(noun), top], [CAME, foot + AIR]),
    ...arrow("hands over", "value-line", [CAME, foot + AIR], foot),
    ...terms(state, y, side),
    // The sum: what the next scene works on, and over it, in green, the value that came.
    ...tile(`attended ${PRONOUN}`, rows.attended[PRONOUN], [SUM, y], side, { version }),
    ...came(state, "came", [SUM, y], side, { from, glide: EVENT, delay: EVENT / 2 }),
    // Not "answer": the one of the scene before is gone meanwhile.
    text("it now", "answer", [SUM, y - half - 16], `it + ${source[noun]}`, { size: NOW, ...last }),
    thread("goes to it", "own", [SUM, foot], [column, top - AIR], last),
    ...arrow("becomes", "own", [column, top - AIR], top, last),
    ...tile("now", rows.attended[PRONOUN], [column, low], ROW.side, { version, ...last }),
    ...came(state, "came down", [column, low], ROW.side, last),
  ];
  return [
    ...tiles(state, "layer1", (i) => [across(i), low], ROW.side, PRONOUN, isNoun),
    ...words(state, act, wordsOf(height), { [noun]: "key bold" }),
    ...then, // at once: words and tiles stand where they stood
  ];
}

// The tile that goes in is so far from below, the one that comes out from above.
const FLOW = { side: 90, small: 56, into: 124, out: 180 };
const MEANING = { size: 84, y: 76 }; // letters of what "it" means
// A network is between two tiles, its dots where it is widest; all of it in shares of a tile.
const DOTS = [-0.5, -0.17, 0.17, 0.5];
const ENDS = [-0.3, 0.3];
const DOT = 0.1;

/** The network of a word, from the upper edge of a tile to the lower edge of the next. */
function network(i, side, { into, out }) {
  const [x, middle] = [across(i), (into + out) / 2];
  const lines = [into - side / 2, out + side / 2].flatMap((edge) =>
    ENDS.flatMap((end) =>
      DOTS.map((dot) => `M${x + end * side},${edge}L${x + dot * side},${middle}`),
    ),
  );
  const r = DOT * side;
  const round = `a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`;
  const dots = DOTS.map((dot) => `M${x + dot * side - r},${middle}${round}`);
  return { id: `network ${i}`, class: "network", d: () => [...lines, ...dots].join("") };
}

/** Feed-forward: the same network at each word, no line between words; what "it" means then. */
export function alone(state, { height }, act) {
  const { told } = state;
  const { side, small, out } = FLOW;
  const into = height - FLOW.into;
  const [x, says, { size, y }] = [across(PRONOUN), inFrench(told), MEANING];
  const end = x + widthOf(says, size, HEAVY) / 2 + AIR;
  const [at, pale] = [(y) => (i) => [across(i), y], () => 0];
  const row = (name, y) => tiles(state, name, at(y), side, PRONOUN, pale, small);
  const networks = told.source.map((_, i) => {
    const [w, seen] = i === PRONOUN ? [side, 1] : [small, 0.3];
    return { ...network(i, w, { into, out }), o: seen };
  });
  const [late, last] = [EVENT, 2 * EVENT].map((delay) => ({ delay }));
  return [
    ...later(state, networks),
    ...row("attended", into),
    ...came(state, "came", [x, into], side),
    ...words(state, act, wordsOf(height)),
    ...later(state, [
      ...row("memory", out).map((mark) => ({ ...mark, ...late })),
      ...arrow("means", "own", [x, out - side / 2 - 2], y + AIR, late),
      text("read out", "", [x + 2 * AIR, (y + out - side / 2) / 2 + BASELINE], "read out", {
        ...LEFT_END,
        ...late,
      }),
      text("answer", "answer", [x, y], says, { size, ...last }),
      text("gender", "", [end, y], told.genders[told.gloss], { ...LEFT_END, size: 36, ...last }),
    ]),
  ];
}
