// What all scenes of the zoom share: where words stand, the pictures of vectors, the time.
// A vector keeps its id from scene to scene, so the frame lets it fly to where it is next: that is
// the camera.
import { mix } from "../frame/scene.mjs";
import { line, rect, text } from "../frame/shapes.mjs";

export const SCENES = [
  ...["box", "stacks", "heads", "arc", "pour", "alone"],
  ...["asks", "wins", "changed", "models", "cut"],
];
export const PRONOUN = 7; // the place of "it"
export const SLOT = 10; // of the decoder's slot that has read "qu'"
export const HEAD = 3; // of layer 1, from 0: the one that is looked at
export const ADJECTIVES = ["tired", "wide"];
export const WIDTH = 1216;
export const FLIGHT = 1000; // milliseconds from one scene to the next
export const EVENT = 900; // of what happens in a scene, before its number is told
const FIRST = 58; // the middle of the first word, and from a word to the next
const STEP = 110;
export const PALE = 0.35; // what is there, but is not what one should look at
const SIDE = 8; // a vector is a picture of 8 x 8 numbers
const MOST = 1.5; // and further from 0 is not seen
const BARB = 9; // of an arrow
const OPEN = ["box", "stacks", "pour"]; // nothing is hidden there

export const sceneOf = ({ done }) => SCENES[done];

/** An arc from a word to another, above or below them. */
export const bow = ({ start, end, foot, top }) =>
  `M${start},${foot}C${start},${top} ${end},${top} ${end},${foot}`;

/** The middle of a word where one line is as wide as the room. */
export const across = (i) => FIRST + STEP * i;

/** How long what is new waits: until the flight is over. */
export function wait(state) {
  const { before, veiled } = state;
  const arrives = veiled || OPEN.includes(sceneOf(state));
  return arrives && before && before.done !== state.done ? FLIGHT : 0;
}

/** These marks, none of them before the flight is over. */
export const later = (state, marks) =>
  marks.map((mark) => ({ ...mark, delay: (mark.delay ?? 0) + wait(state) }));

/** From paper (low) to a colour (high). */
function drawTile(numbers, most, colour) {
  return (context, style) => {
    context.clearRect(0, 0, SIDE, SIDE);
    context.fillStyle = style.getPropertyValue("--paper");
    context.fillRect(0, 0, SIDE, SIDE);
    context.fillStyle = style.getPropertyValue(`--${colour}`);
    for (const [i, number] of numbers.entries()) {
      context.globalAlpha = Math.min(1, Math.max(0, (number / most + 1) / 2));
      context.fillRect(i % SIDE, Math.floor(i / SIDE), 1, 1);
    }
    context.globalAlpha = 1;
  };
}

/** The picture of a vector, its middle at a point. */
export function tile(id, numbers, [x, y], side, options = {}) {
  const { version, colour = "ink", most = MOST, edge = "edge", ...more } = options;
  const box = { x: x - side / 2, y: y - side / 2, w: side, h: side };
  const motion = { glide: FLIGHT, ...more };
  const draw = drawTile(numbers, most, colour);
  const grid = { columns: SIDE, rows: SIDE, version: `${version} ${colour}`, draw };
  return [{ id, ...box, ...grid, ...motion }, rect(`edge of ${id}`, edge, box, motion)];
}

/**
 * The eleven vectors of one row, each at place(i). own: the one that is looked at; strong(i): how
 * far another does not step back, 0 to 1.
 */
export function tiles({ told, word }, name, place, side, own, strong = () => 1) {
  return told.tiles[name].flatMap((numbers, i) => {
    const looks = i === own ? { edge: "own-edge" } : { o: mix(PALE, 1, strong(i)) };
    return tile(`${name} ${i}`, numbers, place(i), side, { version: word, ...looks });
  });
}

/** The English words below their vectors. */
export function words({ told, word }, y, kinds = {}) {
  return told.source.flatMap((token, i) => {
    const kind = kinds[i] ?? (i === PRONOUN ? "query bold" : "");
    const isLast = i === told.source.length - 1 && word === "wide";
    const box = { x: across(i) - 34, y: y - 25, w: 68, h: 34 };
    const mark = isLast ? [rect("new word", "new", box, { rx: 6, glide: FLIGHT })] : [];
    return [...mark, text(`word ${i}`, kind, [across(i), y], token, { glide: FLIGHT })];
  });
}

const SWITCH = { w: 82, h: 38, y: 2 };

/** Which of the two words ends the sentence: one is chosen, at any depth. */
export function switches({ word }, act) {
  return ADJECTIVES.flatMap((each, i) => {
    const isOn = each === word;
    const box = { x: 2 + i * SWITCH.w, y: SWITCH.y, w: SWITCH.w, h: SWITCH.h };
    const pick = () => act.change({ word: each });
    const at = [box.x + SWITCH.w / 2, SWITCH.y + 27];
    return [
      rect(`switch ${each}`, isOn ? "ink" : "frame", box, { rx: 4, pick }),
      text(`on ${each}`, isOn ? "chosen bold" : "", at, each, { pick }),
    ];
  });
}

export const highest = (numbers) => numbers.indexOf(Math.max(...numbers));

/** Where the head of an arrow begins, from its point. */
function heads(from, to) {
  const [dx, dy] = [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
  const [x, y] = [-BARB * dx, -BARB * dy];
  return [
    [x + y, y + x],
    [x - y, y - x],
  ];
}

/** An arrow straight across, up or down. */
export function arrow(id, kind, from, to, more) {
  const [one, other] = heads(from, to);
  const [x, y] = to;
  const head = () => `M${x + one[0]},${y + one[1]}L${x},${y}L${x + other[0]},${y + other[1]}`;
  return [line(id, kind, from, to, more), { id: `head of ${id}`, class: kind, d: head, ...more }];
}
