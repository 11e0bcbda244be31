// Where the words of the translator stand: lines of English and of one or two translations.

import { short } from "../frame/frame.mjs";
import { fit as shorten, widthOf } from "../frame/lettering.mjs";
import { asking, changedIn, pointed } from "./arcs.mjs";

const WORD_GAP = 0.34;
const SPREAD = 1.1; // more than that words are not moved apart
const STEP = 1.2; // from a line to the second one below it
const LEAST = 62; // from the middle of an English word to the next, for its digits
const LEAST_OF_TWO = 48; // beside the answers of two models
const HIDDEN = 36; // half of a veiled pronoun, whatever it is: two Chinese letters are as wide
const LONGEST = 99; // letters of a word that is not shortened
const SMALLEST = 24;
const BOLD = 650; // no word is wider when it is pointed at
const TRIES = [
  ...[36, 34, 32, 30, 28, 26, SMALLEST].map((size) => ({ size, levels: 1, letters: LONGEST })),
  ...[LONGEST, 12, 9, 7, 5, 4, 3, 2].map((letters) => ({ size: SMALLEST, levels: 2, letters })),
];

/**
 * Words side by side, or by turns on one line and the one below; null where there is no room.
 * hidden: the number of the veiled word, or -1; least: from one middle to the next.
 */
export function arrange(words, { size, levels, letters }, { width, least = 0, hidden = -1 }) {
  const shown = words.map((word) => short(word, letters));
  const halves = shown.map((word, i) =>
    Math.max(i === hidden ? HIDDEN : 0, widthOf(word, size, BOLD) / 2),
  );
  const ends = [];
  const middles = []; // before the words are spread
  for (const [i, half] of halves.entries()) {
    const isElision = ELISION.test(shown[i - levels]);
    const gap = size * (isElision ? 0 : WORD_GAP);
    const afterWord = (ends[i - levels] ?? -gap) + gap + half;
    const afterMiddle = (middles[i - 1] ?? -least) + least;
    middles[i] = Math.max(half, afterWord, afterMiddle);
    ends[i] = middles[i] + half;
  }
  const spare = width - Math.max(...ends);
  if (spare < 0) return null;
  return { shown, halves, levels, size, centres: spreadOut(shown, middles, spare, levels) };
}

/** The middles with what room is left between the words, but for elisions. */
function spreadOut(shown, middles, spare, levels) {
  const isGap = (i) => levels > 1 || !ELISION.test(shown[i]);
  const gaps = Math.max(1, middles.slice(0, -1).filter((_, i) => isGap(i)).length);
  const spread = Math.min(spare / gaps, SMALLEST * SPREAD);
  const centres = [];
  let moved = 0;
  for (const [i, middle] of middles.entries()) {
    centres.push(middle + moved);
    if (isGap(i)) moved += spread;
  }
  return centres;
}

/** One line of words with the largest letters with which it fits, on two lines if it must. */
export function fit(words, room, largest = TRIES[0].size) {
  for (const letters of TRIES.filter(({ size }) => size <= largest)) {
    const line = arrange(words, letters, room);
    if (line) return line;
  }
  return null;
}

const heightOf = (line) => line.size * STEP * (line.levels - 1); // from the first line to the last

const ENGLISH = 0.53; // of the height: the foot of the English words
const ANSWER_FOOT = 162; // the English words stand below the answer and what it was
const DIGITS_BELOW = 38; // from the foot of a word down to the foot of its digits
const BELOW_DIGITS = 20; // the end of a thick arc is round
const END_OF_TWO = { above: 42, below: 34 }; // from the foot of the words: there arcs end
const LEAST_OF_ARC = 72; // an arc of two models rises: its digits stand on it, at its end
const TALL = 1.15; // from the foot of a word up to what is above it, in letters
const ARC_END = 1.45; // and up to where a thick arc ends
const FRENCH = 58; // from the foot of the translation down to the floor
const CEILING = 20; // of the middle of the highest arc, which is thick

// Of two models each has a band; the English words stand between.
const BAND = { pad: 16, outer: 42, inner: 24 };
const MIDDLE = 0.49; // the foot of the English words
const DIGITS_ABOVE = 8; // from the letters up to the foot of the digits, in the band
const DIGITS_HIGH = 30;
export const ANSWERS = 284; // the room of the answers of two models, at the right
const BESIDE = 20; // from there to the English words: the last one's digits stand beside its arc
const AIR = 16; // between a translation and the arcs
const ELISION = /['\u2019]$/;
export const MARK = /^<.*>$/; // of the end
export const GAP = "\u2026"; // in the place of words that are not shown

/** The models of one translation: arcs above English, threads from the translation up to it. */
function stacked(english, french, height) {
  const foot = Math.max(Math.round(height * ENGLISH), ANSWER_FOOT + english.size);
  const digits = foot + heightOf(english) + DIGITS_BELOW;
  const words = height - FRENCH - heightOf(french);
  const arcs = foot - english.size * ARC_END;
  const model = { words, digits, side: -1, arcs, room: arcs - CEILING };
  const threads = { from: words - french.size * TALL, to: digits + BELOW_DIGITS };
  return { foot, models: [{ ...model, threads }] };
}

/** Two models: one above the English words, one below, each in its band with arcs and digits. */
function mirrored(english, [upper, lower], { width, height }) {
  const foot = Math.round(height * MIDDLE);
  const edge = foot - english.size * TALL;
  const below = foot + heightOf(english) + DIGITS_BELOW + BAND.inner;
  const bottom = height - BAND.pad - heightOf(lower);
  const top = BAND.outer + heightOf(upper) + AIR;
  const under = foot + heightOf(english) + END_OF_TWO.below;
  const modelOf = (given, from, [y, end]) => ({
    ...given,
    least: LEAST_OF_ARC,
    band: { x: 0, y, w: width, h: end - y },
    room: Math.abs(from - given.arcs) - AIR,
    threads: { from, to: given.arcs },
  });
  const first = {
    words: BAND.outer,
    digits: edge - DIGITS_ABOVE,
    side: -1,
    arcs: foot - END_OF_TWO.above,
  };
  const second = { words: bottom, digits: below, side: 1, arcs: under };
  const floor = bottom - lower.size * TALL;
  const bands = [
    [0, edge],
    [below - DIGITS_HIGH, height],
  ];
  return { foot, models: [modelOf(first, top, bands[0]), modelOf(second, floor, bands[1])] };
}

/**
 * The words of a model that are shown, {from, words}: of two models those that matter, from the
 * pronoun on, or from one before it that a cut has changed or that is pointed at.
 */
function shownOf(state, index) {
  const { panels } = state.picture;
  const { target, pronoun, plain } = panels[index];
  if (panels.length === 1 || pronoun < 0) return { from: 0, words: target };
  const asks = pointed(state).line < 0 ? pronoun : (asking(state, index) ?? pronoun);
  const changed = changedIn(target, plain?.target).findIndex((gone) => gone !== null);
  let from = Math.min(pronoun, asks, changed < 0 ? pronoun : changed);
  while (from > 0 && ELISION.test(target[from - 1])) from -= 1;
  const isEnd = MARK.test(target.at(-1)) && asks < target.length - 1;
  const words = target.slice(from, isEnd ? -1 : undefined);
  return from === 0 ? { from, words } : { from: from - 1, words: [GAP, ...words] };
}

/** Each word has the room of the longest there, before a cut and after: no cut moves a word. */
function inOneRoom(shown, panels) {
  const [{ from, words }] = shown;
  if (shown.some((each) => each.from !== from || each.words.length !== words.length)) return shown;
  const written = panels.flatMap(({ target, plain }) => [target, plain?.target ?? target]);
  const longest = (i) => written.map((target) => target[from + i] ?? "").reduce(longer);
  return shown.map((each) => ({
    from,
    words: each.words.map((word, i) => (word === GAP ? word : longest(i))),
  }));
}

const longer = (one, other) => (other.length > one.length ? other : one);

/**
 * Where everything stands: english and for each model its line and places. Each line has its words
 * as {i, text, x, y, half}.
 */
export function places(state, room) {
  const { source, panels } = state.picture;
  const isOne = panels.length === 1;
  const isHidden = state.veiled && (state.line < 0 || state.asked === "words");
  const width = isOne ? room.width : room.width - ANSWERS - BESIDE - 2 * BAND.pad;
  const english = fit(source, { width, least: isOne ? LEAST : LEAST_OF_TWO });
  const each = panels.map((_, index) => shownOf(state, index));
  const rooms = isOne ? each : inOneRoom(each, panels);
  const lines = rooms.map(({ from, words }, i) => {
    const hidden = isOne && !isHidden ? -1 : panels[i].pronoun - from;
    const largest = isOne ? undefined : english.size;
    return { ...fit(words, { width, hidden }, largest), from };
  });
  const stand = isOne ? stacked(english, lines[0], room.height) : mirrored(english, lines, room);
  const left = isOne ? 0 : BAND.pad;
  const isFilled = isOne || isHidden;
  return {
    ...room,
    foot: stand.foot,
    english: wordsOf(english, stand.foot, left),
    size: english.size,
    models: stand.models.map((model, i) => ({
      ...model,
      size: lines[i].size,
      line: wordsOf(lines[i], model.words, left).map((spot, place) =>
        isFilled ? spot : beginning(spot, each[i].words[place], lines[i].size),
      ),
    })),
  };
}

const wordsOf = ({ shown, halves, levels, size, centres, from = 0 }, foot, left) =>
  shown.map((text, i) => ({
    i: from + i,
    text,
    x: left + centres[i],
    half: halves[i],
    y: foot + size * STEP * (i % levels),
  }));

/** What stands in a word's room, from its left edge on. */
function beginning({ x, half: room, ...spot }, word, size) {
  const text = shorten(word, 2 * room, size);
  const half = widthOf(text, size, BOLD) / 2;
  return { ...spot, text, x: x - room + half, half };
}
