// What the translator's arcs show: which weights, which of them is the answer, and their paths.

import { clamp, digits } from "../frame/frame.mjs";
import { GLIDE, mix } from "../frame/scene.mjs";
import { dot, number, text, thread } from "../frame/shapes.mjs";

const THINNEST = 2;
const THICKER = 30; // for a weight of 1
const PALEST = 0.35;
const DARKER = 0.9;
const WAS_THICK = 3; // of the ghost of an arc
export const PRONOUN = "it";
const LEAST_RISE = 30; // of an arc
const SLOPE = 0.27; // how much higher, for each pixel between the words
const FLAT = 23; // an arc that would run into the answer is no higher
const NEAR_ANSWER = 440; // from the right: the arcs between words there run below it
const LOOP = { start: 9, across: 40, high: 56 }; // a word that looks at itself
const LOOP_ENDS = 4; // pixels: so near to each other are the ends of a loop
// Where an arrow is cut; foot: from it down; round: what is behind it if another word is written.
const GAP = { sign: "×", size: 72, foot: 25, round: 27 };
const CUT_AT = { encoder: 0.8, cross: 0.86 }; // of the way to the word: no other arrow is there
const HAD = { beside: 56, foot: 9, off: 22 }; // from a gap to its weight; off: from the thread
const CURVE = 4 / 3; // a curve reaches 3/4 of its handles
const TURN = 800; // milliseconds of the strongest arc
const BESIDE = 34; // from the edge of an arc to the middle of its digits
export const VISIBLE = { one: 0.01, two: 0.2 }; // of one model, of two: less is not shown
const MOVED = 0.05; // an arc that has changed so much leaves a ghost
const MOST_CHANGED = 5; // words; beyond that it is another sentence

/** Which weights are shown: those of the English words, or those of the translation. */
export const partOf = (state) => (state.line < 0 ? "encoder" : "cross");

/** The line and the word that are pointed at, in the sentence that is shown. */
export function pointed(state) {
  const { source, panels } = state.picture;
  const line = clamp(state.line, -1, panels.length - 1);
  const words = line < 0 ? source : panels[line].target;
  return { line, word: clamp(state.word, 0, words.length - 1) };
}

/** The word of a model that asks: the same place in every model of the language, or null. */
export function asking(state, index) {
  const { line, word } = pointed(state);
  const { panels } = state.picture;
  if (line < 0) return word;
  if (panels[index].language !== panels[line].language) return null;
  return clamp(word, 0, panels[index].target.length - 1);
}

/** The weights that each model shows: one row, or null; veiled or plain: as before the cut. */
export function rowsOf(state, plain = state.veiled) {
  const part = partOf(state);
  return state.picture.panels.map((panel, index) => {
    const word = asking(state, index);
    const weights = (plain && panel.plain ? panel.plain : panel)[part];
    return word === null ? null : (weights[word] ?? null);
  });
}

/** True if the arrow from the word that asks to the English word j was cut, in what is shown. */
export function isCut(state, index, j) {
  const part = partOf(state);
  const here = state.looks[part];
  const arrows = state.picture.panels[index].cuts ?? [];
  return arrows.some(
    ([of, layer, head, query, key]) =>
      of === part &&
      [layer, head].every((place, i) => place < 0 || here[i] < 0 || place === here[i]) &&
      query === asking(state, index) &&
      key === j,
  );
}

/** The English word whose look is cut, or *it* where nothing is cut; -1 where a pronoun's is. */
function cutWord({ source, panels: [{ cuts }] }) {
  const [part, , , word] = cuts?.at(-1) ?? ["encoder", 0, 0, source.indexOf(PRONOUN)];
  return part === "encoder" ? word : -1;
}

/** True if it is asked what two models write, and the pronoun, or the cut, is looked at. */
export function isAboutWords(state) {
  const { asked, picture } = state;
  const { line, word } = pointed(state);
  const isKnown = picture.panels.every(({ pronoun }) => pronoun >= 0);
  const there = line < 0 ? cutWord(picture) : picture.panels[line].pronoun;
  return asked === "words" && isKnown && word === there;
}

/** The number of the largest weight. */
export const strongestOf = (row) => row.indexOf(Math.max(...row));

/** What *it* looked at most, if the pronoun that is pointed at looks most at *it*; else null. */
export function wayOf(state) {
  const { source, panels } = state.picture;
  const { line, word } = pointed(state);
  if (panels.length > 1 || line < 0 || word !== panels[0].pronoun) return null;
  const place = source.indexOf(PRONOUN);
  const isWay = goalOf(state) === place && strongestOf(rowsOf(state)[0]) === place;
  return isWay ? strongestOf(panels[0].encoder[place]) : null;
}

/**
 * The English word whose weight is the number that is told: the one that is aimed at, or the one
 * with the largest weight, also of a model before the cut.
 */
export function goalOf(state) {
  const { source } = state.picture;
  if (state.aim >= 0) return Math.min(state.aim, source.length - 1);
  const rows = [...rowsOf(state, true), ...rowsOf(state)].filter(Boolean);
  const largest = source.map((_, j) => Math.max(...rows.map((row) => row[j] ?? 0)));
  return strongestOf(largest);
}

/** The same of each model: two may look at two words, unless one is aimed at. */
export function goalsOf(state) {
  const rows = rowsOf(state);
  const isOne = rows.length === 1 || state.aim >= 0;
  return rows.map((row) => (isOne || row === null ? goalOf(state) : strongestOf(row)));
}

/**
 * The rows of the state before, if it showed another picture of as many words; else null. Of
 * another sentence without what was cut: that is whole now.
 */
export function rowsBefore(state) {
  const { before } = state;
  if (!before || before.picture === state.picture) return null;
  const isAlike =
    before.picture.source.length === state.picture.source.length &&
    before.picture.panels.length === state.picture.panels.length;
  if (!isAlike || before.line !== state.line || before.word !== state.word) return null;
  const isOther = before.picture.source.join() !== state.picture.source.join();
  return rowsOf(before, isOther);
}

/** same[i][j]: how many words before[i...] and now[j...] have in common, in their order. */
function commonWords(before, now) {
  const same = [...before, null].map(() => Array(now.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      same[i][j] =
        before[i] === now[j] ? same[i + 1][j + 1] + 1 : Math.max(same[i + 1][j], same[i][j + 1]);
  return same;
}

/**
 * For each word now: null if it was there before, else the words that stood in its place, joined.
 */
export function changes(before, now) {
  const same = commonWords(before, now);
  const found = now.map(() => null);
  let i = 0;
  let j = 0;
  let gone = [];
  let first = null; // of the new words since the last one that stayed
  const close = () => {
    if (first !== null) found[first] = gone.join(" ");
    gone = [];
    first = null;
  };
  while (j < now.length) {
    const isLeft = i < before.length;
    if (isLeft && before[i] === now[j]) {
      close();
      i += 1;
      j += 1;
    } else if (isLeft && same[i + 1][j] >= same[i][j + 1]) {
      gone.push(before[i]);
      i += 1;
    } else {
      first ??= j;
      found[j] = "";
      j += 1;
    }
  }
  gone.push(...before.slice(i));
  close();
  return found;
}

/** What changed in a line: against the model before the cut, or against the state before. */
export function changedIn(now, before) {
  if (!before) return now.map(() => null);
  const found = changes(before, now);
  const isOther = found.filter((gone) => gone !== null).length > MOST_CHANGED;
  return isOther ? now.map(() => null) : found;
}

/** What stood in the pronoun's place before a cut; null or "" if the cut has not changed it. */
export const becameIn = ({ target, pronoun, plain }) => changedIn(target, plain?.target)[pronoun];

/** The four points of a cubic curve from its start up to a share of it (de Casteljau). */
function begun([start, one, two, end], share) {
  const between = ([x, y], [toX, toY]) => [mix(x, toX, share), mix(y, toY, share)];
  const first = between(start, one);
  const middle = between(one, two);
  const second = between(first, middle);
  return [start, first, second, between(second, between(middle, between(two, end)))];
}

/** The four points of an arc from the word that asks. */
function arcPoints({ asks, asked, y, rise }) {
  if (Math.abs(asks - asked) < LOOP_ENDS) {
    const { start, across, high } = LOOP;
    const top = y - Math.sign(rise) * high;
    return [-start, -across, across, start].map((x, i) => [asks + x, i % 3 ? top : y]);
  }
  const handle = y - rise * CURVE;
  return [
    [asks, y],
    [asks, handle],
    [asked, handle],
    [asked, y],
  ];
}

/** The four points of a thread between the lines. */
function threadPoints({ x, y, toX, toY }) {
  const half = (y + toY) / 2;
  return [
    [x, y],
    [x, half],
    [toX, half],
    [toX, toY],
  ];
}

const pointsOf = (mark) => (mark.rise === undefined ? threadPoints(mark) : arcPoints(mark));

/** An arc or a thread, as much of it as is drawn. */
function curvePath(mark) {
  const [start, ...others] = begun(pointsOf(mark), mark.drawn ?? 1);
  return `M${start}C${others.join(" ")}`;
}

/** How high the arc between two words is, away from the words. */
function riseOf(from, to, model, { width, models }) {
  const higher = models.length === 1 ? (model.room / 190) ** 0.7 : 1;
  const isNearAnswer = models.length === 1 && Math.min(from, to) > width - NEAR_ANSWER;
  const most = isNearAnswer ? FLAT : model.room;
  const least = model.least ?? LEAST_RISE;
  const rise = Math.min(most, least + SLOPE * higher * Math.abs(from - to));
  return -model.side * Math.max(rise, Math.min(least, most));
}

/** The arrows that are cut, dashed as what was before, with a gap, marked where the cut turns. */
function cutArcs(state, at, index, row) {
  const part = partOf(state);
  const isOne = at.models.length === 1;
  const turns = !isOne && !state.veiled && Boolean(becameIn(state.picture.panels[index]));
  const kinds = ["bold", turns ? "marked" : "cut", !isOne && !turns && "banded"];
  return [...row.keys()]
    .filter((j) => isCut(state, index, j))
    .flatMap((j) => {
      const id = `cut ${index} ${j}`;
      const arc = arcTo(state, at, index, j, { id: `${id} arc`, kind: "ghost", thick: WAS_THICK });
      const [x, y] = begun(pointsOf(arc), CUT_AT[part]).at(-1);
      const kind = kinds.filter(Boolean).join(" ");
      const sign = text(`${id} gap`, kind, [x, y + GAP.foot], GAP.sign, { size: GAP.size });
      const gap = turns ? [dot(`${id} turns`, "changed", [x, y], GAP.round), sign] : [sign];
      if (isOne || j === strongestOf(row)) return [arc, ...gap];
      const off = part === "cross" ? at.models[index].side * HAD.off : 0;
      const place = [x + HAD.beside, y + HAD.foot + off];
      return [arc, ...gap, number(`${id} had`, "", place, rowsOf(state, true)[index][j], digits)];
    });
}

/** The arc, or the thread, of a model to the English word j. */
function arcTo(state, at, index, j, { id, kind = "arc", ...look }) {
  const model = at.models[index];
  const [from, to] = [leaving(state, at, index), at.english[j].x];
  if (partOf(state) === "encoder") {
    const rise = riseOf(from, to, model, at);
    return { id, class: kind, asks: from, asked: to, y: model.arcs, rise, d: curvePath, ...look };
  }
  return {
    ...thread(id, kind, [from, model.threads.from], [to, model.threads.to], look),
    d: curvePath,
  };
}

/** Where the arcs of a model leave the word that asks. */
export function leaving(state, at, index) {
  if (partOf(state) === "encoder") return at.english[pointed(state).word].x;
  return at.models[index].line.find(({ i }) => i === asking(state, index)).x;
}

/** Of two models all looks that there may be, alike; what it was before turns when answered. */
function veiledArcs(state, at, index, row, before) {
  const looks = at.models.length > 1 ? [...row.keys()] : [];
  const kind = "possible";
  const all = looks.map((j) => arcTo(state, at, index, j, { id: `may ${index} ${j}`, kind }));
  if (!before) return all;
  const turns = { id: `strongest ${partOf(state)} ${index}`, drawn: 1 };
  return [...all, { ...ghost(state, at, index, strongestOf(before)), ...turns }];
}

/** Where a model looked before. */
const ghost = (state, at, index, j) =>
  arcTo(state, at, index, j, { id: `was ${index}`, kind: "ghost", thick: WAS_THICK, glide: 1 });

const thickness = (weight) => THINNEST + THICKER * weight;

/** The middle of an arc's digits beside its end, away from the word that asks if there is room. */
export function besideArc({ english, width }, j, weight, from) {
  const { x } = english[j];
  const aside = thickness(weight) / 2 + BESIDE;
  const isLeft = x < from ? x - aside > BESIDE : x + aside > width - BESIDE;
  return x + (isLeft ? -aside : aside);
}

/** The arcs of one model; the strongest is one thing, so it turns from one word to another. */
function shownArcs(state, at, index, row, before) {
  const best = strongestOf(row);
  const least = at.models.length > 1 ? VISIBLE.two : VISIBLE.one;
  const marks = [];
  const was = before ?? rowsOf(state, true)[index];
  const old = was && strongestOf(was);
  if (was && was[old] - row[old] > MOVED && !isCut(state, index, old))
    marks.push(ghost(state, at, index, old));
  for (const [j, weight] of row.entries()) {
    const isBest = j === best;
    if (weight < least && !isBest && j !== state.aim) continue;
    const look = {
      id: `${isBest ? "strongest" : `arc ${j}`} ${partOf(state)} ${index}`,
      thick: thickness(weight),
      o: isBest ? 1 : Math.min(1, PALEST + DARKER * weight),
      drawn: 1,
      from: { thick: THINNEST, drawn: 0 },
      glide: isBest ? TURN : GLIDE,
    };
    marks.push(arcTo(state, at, index, j, look));
  }
  return marks;
}

/** Where *it* had looked, with its weight, if the pronoun looks at *it*; it comes last. */
function wayArc(state, at) {
  const way = wayOf(state);
  if (way === null) return [];
  const [model] = at.models;
  const goal = goalOf(state);
  const weight = state.picture.panels[0].encoder[goal][way];
  const [asks, asked] = [goal, way].map((j) => at.english[j].x);
  const ends = { asks, asked, y: model.arcs, rise: riseOf(asks, asked, model, at), d: curvePath };
  const look = { thick: thickness(weight), drawn: 1, from: { drawn: 0 } };
  const foot = [besideArc(at, way, weight, asks), model.arcs];
  return [
    { id: "way", class: "arc", ...ends, ...look, delay: TURN, glide: TURN },
    number("way weight", "bold halo", foot, weight, digits, { delay: 2 * TURN }),
  ];
}

/** Until the arcs are drawn no number is told; who moves from word to word waits for nothing. */
export const untilTold = ({ calm }) => (calm ? 0 : TURN);

/** True if the arcs wait for the answer. */
export const isVeiled = (state) => state.veiled && state.asked !== "words";

/** The arcs, or the threads, of every model. */
export function arcs(state, at) {
  const before = rowsBefore(state);
  return rowsOf(state).flatMap((row, index) => {
    if (row === null) return [];
    const was = before?.[index];
    if (isVeiled(state)) return veiledArcs(state, at, index, row, was);
    const shown = [...shownArcs(state, at, index, row, was), ...cutArcs(state, at, index, row)];
    return [...shown, ...wayArc(state, at)];
  });
}
