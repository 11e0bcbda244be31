// What the translator shows for a sentence that it cannot read: the words that it knows, to choose
// from. Nothing of the last picture stays.

import { along, clamp, fillIn, short } from "../frame/frame.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { RIGHT_END, rect, text } from "../frame/shapes.mjs";

const SIZE = 28; // of the sentence's letters
const BOLD_TYPED = 650;
const LINE = 38; // the foot of the sentence
const TYPED_GAP = 14;
const TYPED_WORDS = 18; // as many are shown
const LETTERS = 14; // of a word that was typed
const TOP = 66; // of the first row of chips
const CHIP = 24; // letters
const PAD = 9; // on both sides of a chip's word
const GAP = 7;
const HIGH = 36;
const FOOT = 26; // from the top of a chip to the foot of its word
const ROW = 43;
const PAGE_LINE = 34; // the room of "page 1 of 2"

const PAGE = "page {page} of {pages}: \u2190 \u2192 go on";
const INSTEAD = "Choose a word that the model knows, in the place of \u201c{word}\u201d.";

/** The sentence that was typed; what is not known has a dashed frame. */
function typed({ typed: words, unknown }, width) {
  const marks = [];
  let x = 0;
  for (const [i, word] of words.slice(0, TYPED_WORDS).entries()) {
    const shown = short(word, LETTERS);
    const w = widthOf(shown, SIZE, BOLD_TYPED);
    if (x + w > width) break;
    const isUnknown = unknown.includes(i);
    if (isUnknown) {
      const box = { x: x - 5, y: LINE - 28, w: w + 10, h: 40, rx: 6 };
      marks.push(rect(`box ${i}`, i === unknown[0] ? "focused" : "ghost", box));
    }
    const look = { size: SIZE, anchor: "start" };
    marks.push(text(`typed ${i}`, isUnknown ? "bold" : "", [x, LINE], shown, look));
    x += w + TYPED_GAP;
  }
  return marks;
}

/** Where the chips stand: [{word, page, row, x, w}], as many rows on a page as there is room. */
export function chipPlaces(words, { width, height }) {
  const rows = Math.max(1, Math.floor((height - TOP - PAGE_LINE) / ROW));
  const found = [];
  let row = 0;
  let x = 0;
  for (const word of words) {
    const w = widthOf(word, CHIP) + 2 * PAD;
    if (x > 0 && x + w > width) {
      row += 1;
      x = 0;
    }
    found.push({ word, page: Math.floor(row / rows), row: row % rows, x, w });
    x += w + GAP;
  }
  return found;
}

function chip({ word, row, x, w }, isHere, act) {
  const y = TOP + row * ROW;
  const box = { x, y, w, h: HIGH, rx: 8 };
  return [
    rect(`chip ${word}`, "frame", box),
    ...(isHere ? [rect("chosen chip", "focused", box, { focus: true })] : []),
    text(`known ${word}`, "", [x + w / 2, y + FOOT], word),
    rect(`take ${word}`, "pick", box, { pick: () => act.ask({ type: "word", word }) }),
  ];
}

/** The marks of a refused sentence. */
export function vocabulary(state, room, act) {
  const { refused } = state;
  const chips = chipPlaces(refused.words, room);
  const marks = typed(refused, room.width);
  if (chips.length === 0) return marks;
  const here = clamp(state.chip, 0, chips.length - 1);
  const { page } = chips[here];
  for (const [i, place] of chips.entries())
    if (place.page === page) marks.push(...chip(place, i === here, act));
  const pages = chips.at(-1).page + 1;
  if (pages > 1) {
    const foot = [room.width, room.height - 6];
    const told = fillIn(PAGE, { page: page + 1, pages });
    marks.push(text("page", "faint", foot, told, RIGHT_END));
  }
  return marks;
}

/** Another chip, for an arrow key. */
export function chipKeys(state, key, room) {
  const chips = chipPlaces(state.refused.words, room);
  if (chips.length === 0) return null;
  const here = clamp(state.chip, 0, chips.length - 1);
  const next = along(key, here, chips.length);
  if (next !== null) return { chip: next };
  const down = { ArrowUp: -1, ArrowDown: 1 }[key];
  return down ? { chip: nearest(chips, here, down) } : null;
}

/** The chip on the row above or below whose middle is nearest. */
function nearest(chips, here, down) {
  const rows = chips.map(({ page, row }) => page * 1000 + row);
  const all = [...new Set(rows)];
  const row = all[all.indexOf(rows[here]) + down];
  const middle = ({ x, w }) => x + w / 2;
  let best = here;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, place] of chips.entries()) {
    const distance = Math.abs(middle(place) - middle(chips[here]));
    if (rows[i] !== row || distance >= least) continue;
    best = i;
    least = distance;
  }
  return best;
}

/** The word that is chosen among the chips. */
export const chosenWord = (state) =>
  state.refused.words[clamp(state.chip, 0, state.refused.words.length - 1)];

/** What to see of a refused sentence. */
export function refusal({ refused }) {
  if (refused.words.length === 0) return "This sentence cannot be translated; type another one.";
  if (refused.unknown.length > 0) {
    const word = short(refused.typed[refused.unknown[0]], LETTERS);
    return fillIn(INSTEAD, { word });
  }
  return "Choose words that the model knows.";
}
