// The skyline of a text: a bar of bits for each word of both rounds.
import { roundNumbers, scale } from "../frame/axes.mjs";
import { fillIn } from "../frame/frame.mjs";
import { BASELINE, LEFT_END, line, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";

export const COST = "cost"; // what is asked: what a word costs, or where a head looks
const FULL = 255; // a weight of 1

const LEFT = 202; // of the place of the start; left of it stands what heights mean
// Of the bars, beside the heads and without them; right of it stand the shares of their means.
const RIGHT = { heads: 640, alone: 840 };
const BETWEEN = 26; // from the first round to the second
const TICK_GAP = 12;
const AIR = 3; // between two bars
const TITLE = 24; // the foot of a round's title
const HEAD = 54; // the top of the highest bar
const BELOW = 16; // from the floor to the end of the room
const FEW = 10; // below this a share has one digit
const OVER = 10; // from a line up to the foot of its name, and to its end
const LINE = 28; // from one share of a mean to the next

const FALL = 34; // milliseconds from one bar to the next
const FALLING = 420; // that a bar takes

const SENTENCES = {
  first: "{count} random words",
  second: "the same again",
  sure: "no surprise",
  share: "1 in {count}",
  level: "first time: {share}",
  fall: "how high now?",
  rise: "do they rise?",
};

/** The share of a word that costs so many bits: "1 in 470". */
export function oneIn(bits) {
  const count = 2 ** bits;
  const rounded = count < FEW ? Math.round(count) : Number(count.toPrecision(2));
  return rounded === 1
    ? SENTENCES.sure
    : fillIn(SENTENCES.share, { count: rounded.toLocaleString("en") });
}

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

/** Whether the story has come to the heads. */
export const hasHeads = ({ asks, cut, done }) => asks !== COST || cut > 0 || done > 0;

const rightOf = (state) => (hasHeads(state) ? RIGHT.heads : RIGHT.alone);

const pitchOf = (state) => (rightOf(state) - LEFT - BETWEEN) / (2 * roundOf(state) + 1);

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

const floorOf = (room) => room.height - BELOW;

/** Bits as heights, the same for every cut. */
function heightsOf(state, room) {
  const domain = [0, Math.max(...state.bits)];
  return scale({ domain, range: [floorOf(room), HEAD] });
}

/** The bars: {word, time, place, x, w}. */
function columnsOf(state) {
  const count = roundOf(state);
  return Array.from({ length: 2 * count }, (_, i) => {
    const at = { place: i + 1, x: middleOf(state, i + 1), w: pitchOf(state) - AIR };
    return { ...at, time: Math.floor(i / count), word: i % count };
  });
}

/** The bars of both rounds; those of the second fall, one after the other, from the first. */
function bars(state, room) {
  const heights = heightsOf(state, room);
  const floor = floorOf(room);
  return columnsOf(state).map(({ word, time, place, x, w }) => {
    const y = heights.at(bitsOf(state, word, time));
    const was = heights.at(bitsOf(state, word, 0));
    const fall = time === 1 ? { from: { y: was, h: floor - was, o: 1 } } : {};
    const wait = { delay: time * word * FALL, glide: FALLING };
    const box = { x: x - w / 2, y, w, h: floor - y };
    return rect(`bar ${place}`, "score", box, { ...fall, ...wait });
  });
}

/** What a cut adds to the bars of the second round. */
function risen(state, room) {
  const heights = heightsOf(state, room);
  return columnsOf(state).flatMap(({ word, time, place, x, w }) => {
    const heightOf = (cut) => heights.at(bitsOf({ ...state, cut }, word, time));
    const [low, high] = [0, state.cut].map(heightOf);
    if (time === 0 || high >= low) return [];
    const box = { x: x - w / 2, y: high, w, h: low - high };
    const more = { from: { y: low, h: 0, o: 1 }, delay: word * FALL, glide: FALLING };
    return [rect(`risen ${place}`, "risen", box, more)];
  });
}

/** Milliseconds until the last bar has fallen, if bars fall. */
export function waitFor({ veiled, asks, before, cut, words }) {
  if (veiled || asks !== COST) return 0;
  const isNew = before === null || before.veiled || before.cut !== cut || before.asks !== asks;
  return isNew ? words.length * FALL + FALLING : 0;
}

/** As high is a word the first time, on average: what the second round is measured against. */
function level(state, room) {
  const [bits] = state.means[0];
  const [right, y] = [rightOf(state), heightsOf(state, room).at(bits)];
  const share = oneIn(bits);
  const words = hasHeads(state) ? share : fillIn(SENTENCES.level, { share }); // it was said
  return [
    line("level", "ghost", [roundBox(state, 0).x, y], [right, y]),
    text("level share", "halo", [right - OVER, y - OVER], words, RIGHT_END),
  ];
}

/** As high is a word of the second round, of each cut so far, with its share: the answer last. */
function levels(state, room) {
  const { means, cut, veiled } = state;
  const heights = heightsOf(state, room);
  const [x, right] = [roundBox(state, 1).x, rightOf(state)];
  const told = means.slice(0, veiled ? cut : cut + 1).map(([_, bits]) => bits);
  const feet = apart(told.map((bits) => heights.at(bits) + BASELINE));
  return told.flatMap((bits, i) => {
    const y = heights.at(bits);
    const isNow = i === cut;
    const late = { delay: isNow ? waitFor(state) : 0 };
    const foot = [right + TICK_GAP, feet[i]];
    return [
      line(`mean ${i}`, isNow ? "focused" : "ghost", [x, y], [right, y], late),
      text(`mean ${i} share`, isNow ? "bold" : "", foot, oneIn(bits), { ...LEFT_END, ...late }),
    ];
  });
}

/** The feet of texts, raised where one would stand on another. */
function apart(feet) {
  const placed = [...feet];
  let free = Number.POSITIVE_INFINITY;
  for (const i of [...feet.keys()].sort((one, other) => feet[other] - feet[one])) {
    placed[i] = Math.min(feet[i], free);
    free = placed[i] - LINE;
  }
  return placed;
}

/** The frames round both bars of the word that is pointed at. */
function pointed(state, room) {
  if (state.hovered === null) return [];
  const w = pitchOf(state);
  const y = HEAD - AIR;
  return [0, 1].map((time) => {
    const x = middleOf(state, 1 + time * roundOf(state) + state.hovered) - w / 2;
    return rect(`pointed ${time}`, "focused", { x, y, w, h: floorOf(room) - y }, { rx: 4 });
  });
}

/** A look is that of the model with all its heads. */
export const LOOKING = { asks: "look", cut: 0 };

/** What a pointer on the bars does: it points at a word, and a click asks where a head looks. */
function pointing(state, room, act) {
  const box = { x: LEFT, y: HEAD, w: rightOf(state) - LEFT, h: room.height - HEAD };
  const under = ([x]) => {
    const off = (column) => Math.abs(column.x - x);
    return columnsOf(state).reduce((best, each) => (off(each) < off(best) ? each : best)).word;
  };
  const hover = (point) => {
    const word = under(point);
    if (word !== state.hovered) act.change({ hovered: word });
  };
  const pick = (point) => act.change({ ...LOOKING, place: under(point), hovered: null });
  return rect("hold", "pick hold", box, { hover, pick });
}

/** What heights mean: how likely the model found a word, the less the higher. */
function axis({ at }, most, rule) {
  const end = LEFT - TICK_GAP;
  return most.flatMap((bits) => [
    text(`share ${bits}`, "", [end, at(bits) + BASELINE], oneIn(bits), RIGHT_END),
    rect(`rule ${bits}`, bits ? "height" : "rule", { y: at(bits), ...rule }),
  ]);
}

/** The skyline and its axis. */
export function skyline(state, room, act) {
  const heights = heightsOf(state, room);
  const rule = { x: LEFT, w: rightOf(state) - LEFT, h: 2 };
  const most = roundNumbers(Math.max(...state.bits)).filter((bits) => bits <= heights.back(HEAD));
  const names = [SENTENCES.first, SENTENCES.second].map((name, time) => {
    const { x, w } = roundBox(state, time);
    const said = fillIn(name, { count: roundOf(state) });
    return text(`round ${time}`, "bold", [x + w / 2, TITLE], said);
  });
  const marks = [...axis(heights, most, rule), ...names];
  const shown = bars(state, room);
  const lines = [...level(state, room), ...levels(state, room)];
  if (state.veiled) {
    const { x, w } = roundBox(state, 1);
    const box = { x, y: HEAD, w, h: floorOf(room) - HEAD };
    const asked = state.cut === 0 ? SENTENCES.fall : SENTENCES.rise;
    return [...marks, ...shown.slice(0, roundOf(state)), ...veil(box, asked, act), ...lines];
  }
  const frames = [...pointed(state, room), pointing(state, room, act)];
  return [...marks, ...shown, ...risen(state, room), ...lines, ...frames];
}
