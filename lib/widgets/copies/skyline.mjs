// The skyline of a text: a bar of bits for each word of both rounds, and under it the words
// themselves and the arcs to where a head looks.
import { roundNumbers, scale, ticksUpward } from "../frame/axes.mjs";
import { clamp, digits, fillIn } from "../frame/frame.mjs";
import { fit } from "../frame/lettering.mjs";
import { dot, line, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";

export const COST = "cost"; // what is asked: what a word costs, or where a head looks
const FULL = 255; // a weight of 1

const LEFT = 56; // of the place of the start; left of it stand the numbers of the axis
const RIGHT = 848;
const BETWEEN = 26; // from the first round to the second
const TICK_GAP = 12;
const AIR = 3; // between two bars
const TITLE = 24; // the foot of a round's title
const HEAD = 54; // the top of the highest bar
const FOOT = 12; // from the foot of the words to the end of the room
const LETTERS = 26;
const BELOW = { leads: 84, arcs: 132 }; // from the floor to the end of the room
const SLOTS = 4; // words that have room under a round
const WIDE = 0.6; // of its room is a bar, where few have one
const LEAD = { bar: 6, word: 8 }; // from the bar, and to the letters, of the line between them
const WORD_AIR = 6; // between two words
const NEAR = 44; // from the floor to the feet of words that a head looks at
const ARC = { top: 64, least: 18, more: 0.15, deepest: 80, thin: 2, thick: 12, loop: 26 };
const SEEN = 0.02; // a weight below this has no arc
const COPYING = 1; // the cut of the four that copy
const BY_LOT = { cut: 2, done: 3 }; // the cut that the story compares with it, and when
const OVER = 10; // from the outline up to its name
const END = 9; // half of what marks an end of an arc

export const FALL = 34; // milliseconds from one bar to the next
export const FALLING = 420; // that a bar takes

const SENTENCES = {
  first: "bits a word, first time",
  second: "second time",
  where: "where does it look?",
  fall: "how high this time?",
  rise: "do they rise again?",
  copying: "the four that copy: {bits}",
  gap: "\u2026",
  unknown: "?",
};

/** How many words a round has. */
export const roundOf = ({ words }) => words.length;

/** The word that is meant: where a head looks the one that was chosen, else pointed at, or null. */
export const meantOf = (state) => (state.asks === COST ? state.hovered : state.place);

/** The head that looks: the one pointed at, or the one that was chosen. */
export const headOf = (state) => state.over ?? state.head;

/** The place, 0 for the start, of a word of the second round. */
export const againAt = (state, word) => roundOf(state) + 1 + word;

/** What stands in a place. */
export const wordAt = (state, place) =>
  place === 0 ? "start" : state.words[(place - 1) % roundOf(state)];

/** What a word cost, the first time (0) or the second (1). */
export const bitsOf = (state, word, time) =>
  state.bits[(2 * state.cut + time) * roundOf(state) + word];

/** Where a head looks from a word of the second round: [{place, weight}], the largest first. */
export function looksOf(state, head, word) {
  const half = state.looks.length / 2;
  const most = half / (state.shares.length * roundOf(state));
  const from = (head * roundOf(state) + word) * most;
  return Array.from({ length: most }, (_, i) => ({
    place: state.looks[from + i],
    weight: state.looks[half + from + i] / FULL,
  }));
}

const pitchOf = (state) => (RIGHT - LEFT - BETWEEN) / (2 * roundOf(state) + 1);

/** The middle of a place. */
export function middleOf(state, place) {
  const gap = place > roundOf(state) ? BETWEEN : 0;
  return LEFT + gap + (place + 0.5) * pitchOf(state);
}

/** Where a round begins and how wide it is. */
function roundBox(state, time) {
  const count = roundOf(state);
  const x = middleOf(state, time * count + 1) - pitchOf(state) / 2;
  return { x, w: count * pitchOf(state) };
}

const floorOf = ({ asks }, room) => room.height - (asks === COST ? BELOW.leads : BELOW.arcs);

/** Bits as heights, the same for every cut. */
function heightsOf(state, room) {
  const domain = [0, Math.max(...state.bits)];
  return scale({ domain, range: [floorOf(state, room), HEAD] });
}

/** What the second round is compared with: new words, or the model with all its heads. */
export const besideOf = ({ means, cut }) => (cut === 0 ? means[0][0] : means[0][1]);

function barKind(state, place, looked) {
  if (state.asks === COST) return "score";
  if (place === looked.asking) return "query";
  return place === looked.at && !state.veiled ? "key" : "score pale";
}

/**
 * The words that have a bar: {word, time, place, x, w}. Where a head looks, only those that are
 * written, and the bars are wide.
 */
function columnsOf(state) {
  const count = roundOf(state);
  const all = Array.from({ length: 2 * count }, (_, i) => {
    return { place: i + 1, x: middleOf(state, i + 1), w: pitchOf(state) - AIR };
  });
  const near = slotsOf(state).filter(({ place }) => place > 0);
  const columns = state.asks === COST ? all : near.map((at) => ({ ...at, w: WIDE * at.w }));
  return columns.map((column) => {
    const time = column.place > count ? 1 : 0;
    return { ...column, time, word: column.place - 1 - time * count };
  });
}

/** The bars of both rounds; those of the second fall, one after the other, from the first. */
function bars(state, room) {
  const heights = heightsOf(state, room);
  const floor = floorOf(state, room);
  const asking = againAt(state, state.place);
  const [{ place: at }] = looksOf(state, headOf(state), state.place);
  const isCost = state.asks === COST;
  return columnsOf(state).map(({ word, time, place, x, w }) => {
    const y = heights.at(bitsOf(state, word, time));
    const was = heights.at(bitsOf(state, word, 0));
    const fall = time === 1 && isCost ? { from: { y: was, h: floor - was, o: 1 } } : {};
    const wait = { delay: isCost ? time * word * FALL : 0, glide: FALLING };
    const kind = barKind(state, place, { asking, at });
    return rect(`bar ${place}`, kind, { x: x - w / 2, y, w, h: floor - y }, { ...fall, ...wait });
  });
}

/** What a cut adds to the bars of the second round. */
function risen(state, room) {
  if (state.cut === 0) return [];
  const heights = heightsOf(state, room);
  const w = pitchOf(state) - AIR;
  const marks = [];
  for (let word = 0; word < roundOf(state); word++) {
    const place = againAt(state, word);
    const [low, high] = [0, state.cut].map((cut) => heights.at(bitsOf({ ...state, cut }, word, 1)));
    if (high >= low) continue;
    const box = { x: middleOf(state, place) - w / 2, y: high, w, h: low - high };
    const more = { from: { y: low, h: 0, o: 1 }, delay: word * FALL, glide: FALLING };
    marks.push(rect(`risen ${place}`, "changed risen", box, more));
  }
  return marks;
}

/** The outline of what the four that copy did, and its mean. */
function compared(state, room) {
  const { x, w } = roundBox(state, 1);
  const heights = heightsOf(state, room);
  const steps = state.words.map((_, word) =>
    heights.at(bitsOf({ ...state, cut: COPYING }, word, 1)),
  );
  const tops = steps.map((y) => `${y}h${pitchOf(state)}`).join("V");
  const path = `M${x},${tops}V${floorOf(state, room)}`;
  const top = Math.min(...steps.slice(steps.length / 2)); // below the end of its name
  const name = fillIn(SENTENCES.copying, { bits: digits(state.means[COPYING][1], 1) });
  return [
    { id: "copying", class: "ghost", glide: 1, d: () => path },
    text("copying name", "halo", [x + w, top - OVER], name, RIGHT_END),
  ];
}

/** What the bars of the second round are measured against. */
function level(state, room) {
  if (state.asks !== COST) return [];
  if (state.cut === BY_LOT.cut && state.done >= BY_LOT.done) return compared(state, room);
  const { x, w } = roundBox(state, 1);
  const y = heightsOf(state, room).at(besideOf(state));
  return [line("level", "ghost", [x, y], [x + w, y])];
}

/** The frames round both bars of the word that is pointed at. */
function pointed(state, room) {
  if (state.asks !== COST || state.hovered === null) return [];
  const w = pitchOf(state);
  const y = HEAD - AIR;
  return [0, 1].map((time) => {
    const x = middleOf(state, 1 + time * roundOf(state) + state.hovered) - w / 2;
    return rect(`pointed ${time}`, "focused", { x, y, w, h: floorOf(state, room) - y }, { rx: 4 });
  });
}

/**
 * The places whose words are written under a round, null for a gap: the same ones of both, unless
 * a head looks at another.
 */
export function written(state, time) {
  const count = roundOf(state);
  const first = time * count + 1;
  const meant = meantOf(state);
  const lowest = time === 0 && meant !== null ? 0 : first;
  const last = first + count - 1;
  const windowAt = (place) => {
    const from = clamp(place - 1, lowest, last + 1 - SLOTS);
    return Array.from({ length: SLOTS }, (_, i) => from + i);
  };
  const places = windowAt(first + (meant ?? 0));
  if (meant === null) return places.with(-1, null);
  if (state.asks === COST || state.veiled) return places;
  const [{ place: at }] = looksOf(state, headOf(state), meant);
  if (at < lowest || at > last || places.includes(at)) return places;
  if (time === 0) return windowAt(at);
  const end = Math.min(againAt(state, meant) + 1, last);
  return [at, null, end - 1, end];
}

function wordKind(state, place) {
  const meant = meantOf(state);
  if (meant === null) return "";
  if (state.asks === COST) return (place - 1) % roundOf(state) === meant ? "bold" : "faint";
  if (place === againAt(state, meant)) return "query bold";
  const [{ place: at }] = looksOf(state, headOf(state), meant);
  if (place === at && !state.veiled) return "key bold";
  const isTold = place === meant + 1 || place === againAt(state, meant) + 1;
  return isTold ? "bold" : "faint";
}

/** What is written of a place: what comes next is not known before it was looked up. */
function writtenAt(state, place) {
  if (place === null) return SENTENCES.gap;
  const meant = meantOf(state);
  const isNext = state.asks !== COST && place === againAt(state, meant) + 1;
  return isNext && state.veiled ? SENTENCES.unknown : wordAt(state, place);
}

/** The middle of each word that is written, and how wide it may be: {place, time, x, w}. */
function slotsOf(state) {
  return [0, 1].flatMap((time) => {
    const { x, w } = roundBox(state, time);
    const slot = w / SLOTS;
    const middle = (i) => x + slot * (i + 0.5);
    return written(state, time).map((place, i) => ({ place, time, x: middle(i), w: slot }));
  });
}

/** The words under both rounds: each with a line to its bar, or close to the bars, over arcs. */
function words(state, room) {
  const isCost = state.asks === COST;
  const foot = isCost ? room.height - FOOT : floorOf(state, room) + NEAR;
  return slotsOf(state).flatMap(({ place, time, x, w }) => {
    const told = fit(writtenAt(state, place), w - WORD_AIR, LETTERS);
    const id = place === null ? `gap ${time}` : `word ${place}`;
    const word = text(id, wordKind(state, place), [x, foot], told, { size: LETTERS });
    if (place === null || !isCost) return [word];
    const from = [middleOf(state, place), floorOf(state, room) + LEAD.bar];
    return [word, line(`lead ${place}`, "lead", from, [x, foot - LETTERS - LEAD.word])];
  });
}

/** An arc hangs under the words; one to its own place is a loop. */
function hanging({ x, y, toX, deep }) {
  const [out, back] = x === toX ? [x + ARC.loop, x - ARC.loop] : [x, toX];
  return `M${x},${y}C${out},${y + deep} ${back},${y + deep} ${toX},${y}`;
}

/** From the word that asks to those that get most, if they are written. */
function arcs(state, room) {
  if (state.asks === COST) return [];
  const meant = meantOf(state);
  const y = floorOf(state, room) + ARC.top;
  const slots = slotsOf(state);
  const middle = (of) => slots.find(({ place }) => place === of)?.x;
  const x = middle(againAt(state, meant));
  const asks = dot("asks", "query", [x, y], END);
  if (state.veiled) return [asks];
  const isSeen = ({ place, weight }) => weight > SEEN && middle(place) !== undefined;
  const looks = looksOf(state, headOf(state), meant).filter(isSeen);
  const marks = looks.toReversed().map(({ place, weight }, i) => {
    const toX = middle(place);
    const deep = Math.min(ARC.deepest, ARC.least + ARC.more * Math.abs(toX - x));
    const from = { toX: x, deep: 0, o: 0 };
    const thick = ARC.thin + ARC.thick * weight;
    return {
      id: `arc ${looks.length - i}`,
      class: "arc",
      x,
      y,
      toX,
      deep,
      thick,
      from,
      d: hanging,
    };
  });
  const at = middle(looksOf(state, headOf(state), meant)[0].place) - END;
  const end = rect("looked", "key", { x: at, y: y - END, w: 2 * END, h: 2 * END });
  return [...marks, asks, { ...end, from: { x: x - END, o: 0 } }];
}

/** What a pointer on the bars does: it points at a word, and a click asks where a head looks. */
function pointing(state, room, act) {
  const box = { x: LEFT, y: HEAD, w: RIGHT - LEFT, h: room.height - HEAD };
  const under = ([x]) => {
    const off = (column) => Math.abs(column.x - x);
    return columnsOf(state).reduce((best, each) => (off(each) < off(best) ? each : best)).word;
  };
  const hover = (point) => {
    const word = under(point);
    if (state.asks === COST && word !== state.hovered) act.change({ hovered: word });
  };
  const pick = (point) => act.change({ ...LOOKING, place: under(point), hovered: null });
  return rect("hold", "pick hold", box, { hover, pick });
}

/** A look is that of the model with all its heads. */
export const LOOKING = { asks: "look", cut: 0 };

/** The skyline, its axis, its words and its arcs. */
export function skyline(state, room, act) {
  const heights = heightsOf(state, room);
  const rule = { x: LEFT, w: RIGHT - LEFT, h: 2 };
  const most = roundNumbers(Math.max(...state.bits)).filter((bits) => bits <= heights.back(HEAD));
  const names = [SENTENCES.first, SENTENCES.second].map((name, time) => {
    const { x, w } = roundBox(state, time);
    return text(`round ${time}`, "", [x + w / 2, TITLE], name);
  });
  const marks = [...ticksUpward(heights, most, LEFT - TICK_GAP, { rule }), ...names];
  const isHidden = state.veiled && state.asks === COST;
  if (isHidden) {
    const shown = bars(state, room).slice(0, roundOf(state));
    const { x, w } = roundBox(state, 1);
    const box = { x, y: HEAD, w, h: floorOf(state, room) - HEAD };
    return [
      ...marks,
      ...shown,
      ...words(state, room),
      ...veil(box, state.cut === 0 ? SENTENCES.fall : SENTENCES.rise, act),
    ];
  }
  return [
    ...marks,
    ...bars(state, room),
    ...risen(state, room),
    ...level(state, room),
    ...pointed(state, room),
    ...arcs(state, room),
    ...words(state, room),
    ...(state.veiled ? [] : [pointing(state, room, act)]),
  ];
}
