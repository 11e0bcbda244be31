// Where a head looks: the words of the first time, below them the same words again, and threads
// from the one that asks.
import { clamp } from "../frame/frame.mjs";
import { fit } from "../frame/lettering.mjs";
import { dot, LEFT_END, rect, text } from "../frame/shapes.mjs";
import { againAt, headOf, LOOKING, looksOf, roundOf, wordAt } from "./skyline.mjs";

const SLOTS = 4; // words of a row
const LETTERS = 40;
const NAMES = ["first time", "again"]; // of the rows
const [LEFT, RIGHT] = [136, 752]; // of the words, right of those names
const ROWS = [0.3, 0.7]; // of the height: the feet of both rows
const WORD_AIR = 12; // between two words
const ABOVE = 48; // from the foot of a word to where a thread leaves it, and
const BELOW = 22; // to where one arrives
const ARC = { least: 30, more: 0.15, deepest: 84, thin: 2, thick: 14, loop: 30 };
const SEEN = 0.02; // a weight below this has no thread
const END = 9; // half of what marks an end of a thread
const PICK = { above: 40, h: 56 }; // round a word
const GAP = "\u2026";
const UNKNOWN = "?";

/** So many places of a round, around one; lowest: the first that may be there. */
function windowAt(state, time, place, count, lowest = time * roundOf(state) + 1) {
  const last = (time + 1) * roundOf(state);
  const from = clamp(place - 1, lowest, last + 1 - count);
  return Array.from({ length: count }, (_, i) => from + i);
}

/**
 * The places whose words are written in a row, null for a gap: the same ones of both, unless the
 * head looks at another.
 */
export function written(state, time) {
  const asking = time === 0 ? state.place + 1 : againAt(state, state.place);
  const places = windowAt(state, time, asking, SLOTS);
  if (state.veiled) return places;
  const [{ place: at }] = looksOf(state, headOf(state), state.place);
  const isHere = at > roundOf(state) === (time === 1);
  if (!isHere || places.includes(at)) return places;
  if (time === 0) return windowAt(state, 0, at, SLOTS, 0);
  const end = Math.min(asking + 1, 2 * roundOf(state));
  return [at, null, end - 1, end];
}

/** The middle of each word that is written, and how wide it may be: {place, time, x, y, w}. */
function slotsOf(state, room) {
  return ROWS.flatMap((share, time) => {
    const places = written(state, time);
    const w = (RIGHT - LEFT) / places.length;
    const at = { time, y: share * room.height, w };
    return places.map((place, i) => ({ ...at, place, x: LEFT + w * (i + 0.5) }));
  });
}

function wordKind(state, place) {
  const { veiled, place: meant } = state;
  const asking = againAt(state, meant);
  if (place === asking) return "query bold";
  const [{ place: at }] = looksOf(state, headOf(state), meant);
  if (place === at && !veiled) return "key bold";
  return place === meant + 1 || place === asking + 1 ? "bold" : "faint";
}

/** What is written of a place: what comes next is not known before it was looked up. */
function writtenAt(state, place) {
  if (place === null) return GAP;
  const isNext = place === againAt(state, state.place) + 1;
  return isNext && state.veiled ? UNKNOWN : wordAt(state, place);
}

/** A word; a click on it asks from there. */
function word(state, { place, time, x, y, w }, act) {
  const told = fit(writtenAt(state, place), w - WORD_AIR, LETTERS);
  const id = place === null ? `gap ${time}` : `word ${place}`;
  const mark = text(id, wordKind(state, place), [x, y], told, { size: LETTERS });
  if (!place || state.veiled) return [mark];
  const pick = () => act.change({ ...LOOKING, place: (place - 1) % roundOf(state) });
  const box = { x: x - w / 2, y: y - PICK.above, w, h: PICK.h };
  return [mark, rect(`pick ${place}`, "pick", box, { pick })];
}

/** A thread; one to its own place is a loop. */
function curved({ x, y, toX, toY, leave, arrive }) {
  const loop = x === toX && y === toY ? ARC.loop : 0;
  return `M${x},${y}C${x + loop},${y + leave} ${toX - loop},${toY + arrive} ${toX},${toY}`;
}

/** Up to a word of the first time, or below the words to one of the second. */
function threadTo(from, to) {
  if (to.time === 0) {
    const [y, toY] = [from.y - ABOVE, to.y + BELOW];
    const half = (y - toY) / 2;
    return { x: from.x, y, toX: to.x, toY, leave: -half, arrive: half };
  }
  const deep = Math.min(ARC.deepest, ARC.least + ARC.more * Math.abs(to.x - from.x));
  const y = from.y + BELOW;
  return { x: from.x, y, toX: to.x, toY: y, leave: deep, arrive: deep };
}

/** From the word that asks to those that get most, if they are written. */
function threads(state, slots) {
  const { place: meant } = state;
  const find = (place) => slots.find((slot) => slot.place === place);
  const asking = find(againAt(state, meant));
  if (state.veiled) return [dot("asks", "query", [asking.x, asking.y - ABOVE], END)];
  const looks = looksOf(state, headOf(state), meant).filter(
    ({ place, weight }) => weight > SEEN && find(place),
  );
  const paths = looks.map(({ place, weight }) => ({ weight, ...threadTo(asking, find(place)) }));
  const marks = paths.map(({ weight, ...path }, i) => {
    const from = { toX: path.x, toY: path.y, leave: 0, arrive: 0, o: 0 };
    const thick = ARC.thin + ARC.thick * weight;
    return { id: `arc ${i + 1}`, class: "arc", ...path, thick, from, d: curved };
  });
  const [{ x, y, toX, toY }] = paths;
  const end = rect("looked", "key", { x: toX - END, y: toY - END, w: 2 * END, h: 2 * END });
  const start = { x: x - END, y: y - END, o: 0 };
  return [...marks.toReversed(), dot("asks", "query", [x, y], END), { ...end, from: start }];
}

/** Both rows, and where the head looks. */
export function look(state, room, act) {
  const slots = slotsOf(state, room);
  const names = NAMES.map((name, time) =>
    text(`row ${time}`, "faint", [0, ROWS[time] * room.height], name, LEFT_END),
  );
  return [...names, ...threads(state, slots), ...slots.flatMap((slot) => word(state, slot, act))];
}
