// Where the words of the translator stand: lines of English and of one or two translations.

import { short } from "../frame/frame.mjs";
import { fit as shorten, widthOf } from "../frame/lettering.mjs";
import { isShared } from "./arcs.mjs";

const WORD_GAP = 0.34;
const SPREAD = 1.1; // more than that words are not moved apart
const STEP = 1.2; // from a line to the second one below it
const LEAST = 62; // from the middle of an English word to the next, for its digits
const LEAST_OF_TWO = 56; // where two models' numbers take room
const HIDDEN = 36; // half of a veiled word, whatever it is
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
    const isElision = /['\u2019]$/.test(shown[i - levels]);
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
  const isGap = (i) => levels > 1 || !/['\u2019]$/.test(shown[i]);
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
export function fit(words, room) {
  for (const letters of TRIES) {
    const line = arrange(words, letters, room);
    if (line) return line;
  }
  return null;
}

const heightOf = (line) => line.size * STEP * (line.levels - 1); // from the first line to the last

const ASKING = 0.53; // of the height: the foot of the English words whose arcs are shown
const READ = 0.41; // and while the decoder looks at them
const ANSWER_FOOT = 162; // the English words stand below the answer and what it was
const DIGITS_BELOW = 38; // from the foot of a word down to the foot of its digits
const BELOW_DIGITS = 12;
const BELOW_OF_TWO = 20; // an arc is thick
const TALL = 1.15; // from the foot of a word up to what is above it, in letters
const FRENCH = 58; // from the foot of the translation down to the floor
const CEILING = 20; // of the middle of the highest arc, which is thick

const OUTER = 54; // of two models: the foot of the upper translation, what it was above it
const LOWER = 80; // from the foot of the lower one, what it was below it, down to the floor
const MIDDLE = 0.49; // the foot of the English words
const HIGHER = 0.43; // and where one translation is that of both, below
const DIGITS_ABOVE = 10; // from the letters up to the foot of the digits
const DIGITS_HIGH = 30;
const NUMBERS = 276; // the room of the answers of two models, at the right
export const NAME = { size: 34, width: 178, gap: 24 }; // before what a model wrote
const BOTH = "both";
const AIR = 16; // between a translation and the arcs

/** The models of one translation: arcs above English, threads from the translation up to it. */
function stacked(english, french, height, isEnglish) {
  const part = Math.round(height * (isEnglish ? ASKING : READ));
  const foot = Math.max(part, ANSWER_FOOT + english.size);
  const digits = foot + heightOf(english) + DIGITS_BELOW;
  const words = height - FRENCH - heightOf(french);
  const arcs = foot - english.size * TALL;
  const model = { words, digits, side: -1, arcs, room: arcs - CEILING };
  const threads = { from: words - french.size * TALL, to: digits + BELOW_DIGITS };
  return { foot, models: [{ ...model, threads }] };
}

/** Two models: one above the English words, one below, each with its arcs and digits. */
function mirrored(english, [upper, lower], height, shared) {
  const foot = Math.round(height * (shared ? HIGHER : MIDDLE));
  const above = foot - english.size * TALL - DIGITS_ABOVE;
  const below = foot + heightOf(english) + DIGITS_BELOW;
  const bottom = height - LOWER - heightOf(lower);
  const top = shared ? 0 : OUTER + heightOf(upper) + AIR;
  const first = { words: OUTER, digits: above, side: -1, arcs: above - DIGITS_HIGH };
  const second = { words: bottom, digits: below, side: 1, arcs: below + BELOW_OF_TWO };
  const floor = bottom - lower.size * TALL;
  return {
    foot,
    models: [
      { ...first, room: first.arcs - top - AIR, threads: { from: top, to: first.arcs } },
      { ...second, room: floor - second.arcs - AIR, threads: { from: floor, to: second.arcs } },
    ],
  };
}

/**
 * Where everything stands: english and for each model its line and places. Each line has its words
 * as {text, x, y, half}.
 */
export function places(state, room) {
  const { source, panels } = state.picture;
  const isEnglish = state.line < 0;
  const isHidden = state.veiled && (isEnglish || state.asked === "words");
  const { height } = room;
  const shared = isShared(state);
  const width = room.width - (panels.length > 1 ? NUMBERS : 0);
  const least = panels.length > 1 ? LEAST_OF_TWO : LEAST;
  const english = fit(source, { width, least });
  const names = panels.map(({ name }) => shorten(name, NAME.width, NAME.size));
  const called = shared ? ["", BOTH] : names; // before a translation
  const widths = called.map((name) => widthOf(name, NAME.size, BOLD) + NAME.gap);
  const left = panels.length > 1 ? Math.max(...widths) : 0;
  const lines = panels.map(({ target, pronoun }) =>
    fit(target, { width: width - left, hidden: isHidden ? pronoun : -1 }),
  );
  const stand =
    panels.length === 1
      ? stacked(english, lines[0], height, isEnglish)
      : mirrored(english, lines, height, shared);
  return {
    ...room,
    shared,
    foot: stand.foot,
    english: wordsOf(english, stand.foot),
    size: english.size,
    models: stand.models.map((model, i) => ({
      ...model,
      size: lines[i].size,
      name: names[i],
      called: called[i],
      line: wordsOf(lines[i], model.words, left),
    })),
  };
}

const wordsOf = ({ shown, halves, levels, size, centres }, foot, left = 0) =>
  shown.map((text, i) => ({
    text,
    x: left + centres[i],
    half: halves[i],
    y: foot + size * STEP * (i % levels),
  }));
