// What all scenes of the zoom share: where words stand, the pictures of vectors, the time.
// A vector keeps its id from scene to scene, so the frame lets it fly to where it is next: that is
// the camera.
import { clamp, digits } from "../frame/frame.mjs";
import { mix } from "../frame/scene.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { LEFT_END, line, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";

export const SCENES = [
  ...["box", "stacks", "heads", "arc", "pour", "alone"],
  ...["changed", "asks", "models", "cut"],
];
export const PRONOUN = 7; // the place of "it"
export const SLOT = 10; // of the decoder's slot that has read "qu'"
export const PRONOUNS = ["il", "elle"];
export const HEAD = 3; // of layer 1, from 0: the one that is looked at
export const ADJECTIVES = ["tired", "wide"];
export const WIDTH = 1216;
export const FLIGHT = 1000; // milliseconds from one scene to the next
export const EVENT = 900; // of what happens in a scene, before its number is told
const FIRST = 50; // the middle of the first word, and from a word to the next
const STEP = 111.6;
export const PALE = 0.35; // what is there, but is not what one should look at
const BARB = 9; // of an arrow
export const OPEN = ["box", "stacks", "pour", "alone"]; // nothing is hidden there
export const NONE = -1; // no guess
export const CHOICES = { heads: 11, arc: 11 }; // elsewhere 2
const GUESSED = "your guess";
const CORNER = { x: WIDTH, y: 74, ...RIGHT_END, size: 76 }; // of an answer

export const sceneOf = ({ done }) => SCENES[done];

/** An arc from a word to another, above or below them. */
export const bow = ({ start, end, foot, top }) =>
  `M${start},${foot}C${start},${top} ${end},${top} ${end},${foot}`;

/** The middle of a word where one line is as wide as the room. */
export const across = (i) => FIRST + STEP * i;

/** And where names of heads stand at the left. */
export const beside = (i) => 152 + 101.5 * i;

/** How long what is new waits: until the flight is over. */
export function wait(state) {
  const { before, veiled } = state;
  const arrives = veiled || OPEN.includes(sceneOf(state));
  return arrives && before && before.done !== state.done ? FLIGHT : 0;
}

/** These marks, none of them before the flight is over. */
export const later = (state, marks) =>
  marks.map((mark) => ({ ...mark, delay: (mark.delay ?? 0) + wait(state) }));

/** The answer in words, told when what happens was seen, and what stands there until then. */
export function inWords({ veiled }, [asked, told], act, place = CORNER) {
  const [id, kind, words] = veiled ? ["asked", "answer faint", asked] : ["answer", "answer", told];
  const when = veiled ? { until: "answer", pick: () => act.next() } : { delay: EVENT };
  return [{ ...place, id, class: kind, text: words, ...when }];
}

/** A vector is a square of its numbers: 64 are 8 x 8. */
const sideOf = (numbers) => Math.sqrt(numbers.length);

/** From paper, its lowest number, to a colour, its highest; or from nothing, as a film. */
function drawTile(numbers, colour, isFilm) {
  const side = sideOf(numbers);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return (context, style) => {
    context.clearRect(0, 0, side, side);
    context.fillStyle = style.getPropertyValue("--paper");
    if (!isFilm) context.fillRect(0, 0, side, side);
    context.fillStyle = style.getPropertyValue(`--${colour}`);
    for (const [i, number] of numbers.entries()) {
      context.globalAlpha = (number - low) / (high - low);
      context.fillRect(i % side, Math.floor(i / side), 1, 1);
    }
    context.globalAlpha = 1;
  };
}

/** The picture of a vector, its middle at a point. */
export function tile(id, numbers, [x, y], side, options = {}) {
  const { version, colour = "ink", edge = "edge", isFilm, ...more } = options;
  const box = { x: x - side / 2, y: y - side / 2, w: side, h: side };
  const motion = { glide: FLIGHT, ...more };
  const draw = drawTile(numbers, colour, isFilm);
  const cells = sideOf(numbers);
  const grid = { columns: cells, rows: cells, version: `${version} ${colour}`, draw };
  return [{ id, ...box, ...grid, ...motion }, rect(`edge of ${id}`, edge, box, motion)];
}

/**
 * The eleven vectors of one row, each at place(i). own: the one that is looked at; strong(i): how
 * far another does not step back, 0 to 1; small: the side of the others.
 */
export function tiles({ told, word }, name, place, side, own, strong = () => 1, small = side) {
  return told.tiles[name].flatMap((numbers, i) => {
    const looks = i === own ? { edge: "own-edge" } : { o: mix(PALE, 1, strong(i)) };
    const look = { version: word, ...looks };
    return tile(`${name} ${i}`, numbers, place(i), i === own ? side : small, look);
  });
}

const LAST = SLOT; // the place of the sentence's last word, which is the switch
export const BELOW = 30; // from a word down to a guess
const BOLD = 650;

/** A point of the switch, from the end of its word along the line and down, in letter sizes. */
const seen =
  ({ x, y, size }) =>
  (along, down) =>
    `${x + along * size},${y + down * size}`;

const [RISE, SINK, PAD, ICON] = [-1.08, 0.4, 0.3, 0.9];

function pill(numbers) {
  const at = seen(numbers);
  const left = -numbers.w / numbers.size - ICON - PAD;
  const [low, high] = [SINK - PAD, RISE + PAD];
  return (
    `M${at(left, low)}L${at(left, high)}Q${at(left, RISE)} ${at(left + PAD, RISE)}` +
    `L${at(0, RISE)}Q${at(PAD, RISE)} ${at(PAD, high)}L${at(PAD, low)}` +
    `Q${at(PAD, SINK)} ${at(0, SINK)}L${at(left + PAD, SINK)}Q${at(left, SINK)} ${at(left, low)}Z`
  );
}

function upAndDown(numbers) {
  const at = seen(numbers);
  const [left, right] = [-numbers.w / numbers.size - ICON, -numbers.w / numbers.size - ICON / 2];
  const [middle, high, low] = [(left + right) / 2, -0.48, -0.2];
  const half = (right - left) / 2;
  return (
    `M${at(left, high)}L${at(middle, high - half)}L${at(right, high)}` +
    `M${at(left, low)}L${at(middle, low + half)}L${at(right, low)}`
  );
}

/** The last word with this letter, or the other one: of that sentence nothing is guessed yet. */
export function choose({ word }, letter = "") {
  const [one, other] = ADJECTIVES;
  const wanted = ADJECTIVES.find((each) => each[0] === letter) ?? (word === one ? other : one);
  return { word: wanted, guess: NONE };
}

/** The sentence's last word, its right end at a point: a click changes it, at any depth. */
export function lever(state, [x, y], act, { kind = "", size = LABEL } = {}) {
  const { word } = state;
  const pick = () => act.change(choose(state));
  const w = widthOf(word, size, BOLD);
  const motion = { x, y, size, glide: FLIGHT };
  return [
    { id: "lever", class: "pick lever", d: pill, w, ...motion, pick },
    { id: "up and down", class: "up-and-down", d: upAndDown, w, ...motion },
    text(`word ${LAST}`, `${kind} bold`, [x, y], word, { ...motion, anchor: "end", pick }),
  ];
}

/** The English words, the middle of each at its place. */
export function words(state, act, y, kinds = {}, at = across) {
  const { told, word } = state;
  const kindOf = (i) => kinds[i] ?? (i === PRONOUN ? "query bold" : "");
  const end = at(LAST) + (widthOf(word, LABEL, BOLD) + ICON * LABEL) / 2;
  return [
    ...told.source
      .slice(0, LAST)
      .map((token, i) => text(`word ${i}`, kindOf(i), [at(i), y], token, { glide: FLIGHT })),
    ...lever(state, [end, y], act, { kind: kindOf(LAST) }),
  ];
}

/**
 * The reader's guess, below what was clicked; it stays beside the answer. Each of the choices is
 * {at: where the guess is named, box: what is clicked, named: what it says more, gone: where that
 * is gone}.
 */
export function guessing({ guess, veiled }, choices, act) {
  const pick = (i) => () => act.change({ guess: i });
  const boxes = choices.map(({ box }, i) => rect(`guess ${i}`, "pick", box, { pick: pick(i) }));
  const named = choices
    .filter((_, i) => i === guess)
    .flatMap(({ at: [wanted, y], named: more = "", gone = more }) => {
      const words = GUESSED + (veiled ? more : gone);
      const half = widthOf(words) / 2 + 8;
      const x = clamp(wanted, half, WIDTH - half);
      return [
        rect("mark", "ink", { x: x - half, y: y - 23, w: 2 * half, h: 31 }, { rx: 8 }),
        text("guess", "on-ink", [x, y], words),
      ];
    });
  return [...(veiled ? boxes : []), ...named];
}

/** What hides an answer, and on it two words to guess from; at: where a guess is, else below. */
export function oneOfTwo(state, box, words, act, at) {
  const spots = words.map((_, i) => [box.x + box.w * (i ? 0.8 : 0.2), box.y + box.h / 2 + 14]);
  const choices = spots.map(([x, y], i) => {
    const [own, said] = [{ ...box, x: x - 100, w: 200 }, `: ${words[i]}`];
    return { box: own, ...(at ? { at, named: said } : { at: [x, y + 4 + BELOW], gone: said }) };
  });
  const named = words.map((word, i) =>
    text(`choice ${word}`, "bold halo", spots[i], word, { size: 40 }),
  );
  return [
    ...(state.veiled ? later(state, [...veil(box, "or", act), ...named]) : []),
    ...guessing(state, choices, act),
  ];
}

/** The English words, where one of them is to be guessed: all but the icon of the switch. */
export function choosable(state, act, y, kinds, at = across) {
  const last = at(LAST) + (ICON * LABEL - widthOf(state.word, LABEL, BOLD)) / 2;
  const half = (at(1) - at(0)) / 2;
  const choices = state.told.source.map((_, i) => {
    const x = i === LAST ? last : Math.max(0, at(i) - half);
    const box = { x, y: y - 34, w: Math.min(WIDTH, at(i) + half) - x, h: 48 };
    return { at: [at(i), y + BELOW], box };
  });
  return [...words(state, act, y, kinds, at), ...guessing(state, choices, act)];
}

export const highest = (numbers) => numbers.indexOf(Math.max(...numbers));

/** As the translation writes a noun: with the word before it. */
export function inFrench({ gloss, target }) {
  const article = target[target.indexOf(gloss) - 1];
  return article.endsWith("'") ? article + gloss : `${article} ${gloss}`;
}

const WIDE = 92; // of a bar
const LOW = { top: 136, share: 0.155 }; // the rows of three heads, each as high as this share
const HIGH = 0.69; // the share for which there is room below them
const LEAST = 0.15; // a share below it is a bar without its number
const SWING = 60; // how far above the highest bar, or where it begins, a look goes
export const THICK = 14; // of a look of weight 1

/** A bar of weight 1, in all heads, where the bars of the last one stand so low. */
const tallFor = (foot) => (foot - LOW.top - SWING) / (3 * LOW.share + HIGH);

/** How low the rows of so many heads reach. */
export const footOf = (count, foot) => LOW.top + count * LOW.share * tallFor(foot);

/** A row of shares as bars over the words. */
function bars(head, row, foot, tall, look = {}) {
  const [id, at] = [`head ${head}`, (i) => beside(i) - WIDE / 2];
  return [
    text(`name of ${id}`, "", [0, foot - 4], `head ${head + 1}`, { ...LEFT_END, ...look }),
    line(`ground of ${id}`, "line", [at(0), foot], [at(SLOT) + WIDE, foot]),
    ...row.map((share, i) => {
      const box = { x: at(i), y: foot - tall * share, w: WIDE, h: tall * share };
      return rect(`${id} ${i}`, "weight", box, { from: { y: foot, h: 0, o: 1 }, glide: EVENT });
    }),
  ];
}

/** From where a head looks to the top of a bar. */
const swing = ({ x, y, end, top }) => {
  const high = Math.min(y, top) - SWING;
  return `M${x},${y}C${x},${high} ${end},${high} ${end},${top}`;
};

/** The head that is looked at: its bars, and from a point its look at its favourite. */
export function looks(rows, head, foot, [x, y]) {
  const row = rows[head];
  const key = highest(row);
  const tall = tallFor(foot);
  const topOf = (i) => foot - tall * row[i];
  const [end, top] = [beside(key), topOf(key)];
  const grows = { from: { end: x, top: y, o: 1 }, glide: EVENT };
  return [
    ...bars(head, row, foot, tall, { class: "answer-label", size: 30 }),
    ...row.flatMap((share, i) => {
      const size = i === key ? 32 : LABEL;
      const told = { size, delay: EVENT };
      const at = [beside(i), topOf(i) + 12 + size];
      return share < LEAST ? [] : text(`look ${i}`, "on-weight bold", at, digits(share), told);
    }),
    {
      ...{ id: "look", class: "arc", d: swing, x, y, end, top, thick: THICK * row[key] },
      ...grows,
    },
  ];
}

/** The heads before the last one in low rows over the same words, and the most that one gives. */
export function otherHeads(rows, foot) {
  const others = rows.slice(0, -1);
  const most = digits(Math.max(...others.flat()));
  const words = `heads 1 to ${others.length} look everywhere: at most ${most}`;
  return [
    text("heads", "", [0, LOW.top - 12], words, { ...LEFT_END, size: 28 }),
    ...others
      .flatMap((row, i) => bars(i, row, footOf(i + 1, foot), tallFor(foot)))
      .map((mark) => (mark.text ? mark : { ...mark, o: 0.6 })), // the last head leads
  ];
}

const CROSS = 13; // half of a cross

/** What is cut away. */
export function crossed(id, [x, y]) {
  const cross = (numbers) => {
    const [left, right] = [numbers.x - CROSS, numbers.x + CROSS];
    const [top, foot] = [numbers.y - CROSS, numbers.y + CROSS];
    return `M${left},${top}L${right},${foot}M${left},${foot}L${right},${top}`;
  };
  return { id, class: "focused", d: cross, x, y };
}

/** An arrow straight up or down to a height. */
export function arrow(id, kind, [x, y], to, more) {
  const back = to + BARB * Math.sign(y - to);
  const head = () => `M${x - BARB},${back}L${x},${to}L${x + BARB},${back}`;
  const shaft = line(id, kind, [x, y], [x, to], more);
  return [shaft, { id: `head of ${id}`, class: kind, d: head, ...more }];
}
