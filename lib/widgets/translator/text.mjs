// The translator's words: what is behind each, under it and around it, and its weight in digits.

import { digits } from "../frame/frame.mjs";
import { GLIDE } from "../frame/scene.mjs";
import { number, rect, text } from "../frame/shapes.mjs";
import { GAP, MARK } from "./lines.mjs";
import {
  asking,
  besideArc,
  changedIn,
  goalsOf,
  isAboutWords,
  isCut,
  isVeiled,
  leaving,
  PRONOUN,
  pointed,
  rowsOf,
  strongestOf,
  untilTold,
  VISIBLE,
} from "./arcs.mjs";

const BAR = { below: 9, above: 1.06, h: 6 }; // at a word; above, in letters
const MARKER = { above: 0.95, h: 1.28, side: 0 }; // behind a new word, in letters
const VEIL = { ...MARKER, side: -3 }; // the apostrophe before it stays whole
const FRAME = { above: 1, h: 1.4, side: 8 }; // around a bet
const PICK = { above: 1.2, h: 1.7, side: 10 };
const PICK_ABOVE = 30; // pixels: English words are taken also where they stood or will stand
const WAS = 1.3; // from the foot of a new word up to the foot of the one before, in letters
const CUT = { w: 58, h: 30, above: 24 }; // the frame of a weight

/**
 * Where a word is taken: pointing at it looks, a click pins it. While the answer is veiled a click
 * bets; of two models, which look at two words, it shows.
 */
function taken(id, box, { state, line, word, act }) {
  const here = pointed(state);
  const isHere = here.line === line && here.word === word;
  const isBet = line < 0 && state.picture.panels.length === 1;
  const now = { line, word, aim: -1, bet: -1, calm: true };
  const bet = () => (isBet ? act.change({ bet: word }) : act.next());
  const pin = () => act.change({ ...now, pinned: !(state.pinned && isHere) });
  const hover = () => state.veiled || state.pinned || isHere || act.change(now);
  return rect(`pick ${id}`, "pick", box, { pick: isVeiled(state) ? bet : pin, hover });
}

const boxOf = ({ x, y, half }, size, { above, h, side }) => ({
  x: x - half - side,
  y: y - above * size,
  w: 2 * (half + side),
  h: h * size,
});

const kindsOf = (kinds) => kinds.filter(Boolean).join(" ");

/** A yellow marker behind a new word, and on the line whose foot is gone.y what stood there. */
function marker(id, spot, size, gone) {
  const mark = rect(`new ${id}`, "changed", boxOf(spot, size, MARKER), { rx: 6 });
  if (!gone.text) return [mark];
  return [mark, text(`gone ${id}`, "ghosted halo", [spot.x, gone.y], gone.text)];
}

function written(id, spot, size, kind, isNew, more) {
  const { x, y, text: word } = spot;
  const from = isNew ? { from: { y: y - size, o: 0 } } : {};
  return text(`word ${id} ${word}`, kind, [x, y], word, { size, ...from, ...more });
}

const bar = (id, kind, { x, y, half }, below, more) =>
  rect(id, kind, { x: x - half, w: 2 * half, y: y + below, h: BAR.h }, { rx: 3, ...more });

/** Of two models, which look at two words of one line: a bar at each arc's foot. */
function feet(state, at, looked) {
  if (looked.length === 1 || isVeiled(state)) return [];
  const sides = [-BAR.above * at.size, BAR.below];
  const late = { delay: untilTold(state) };
  return looked.flatMap((j, index) =>
    j === null ? [] : bar(`foot ${index}`, "key", at.english[j], sides[index], late),
  );
}

/** The English words: which asks, which is looked at, which is new. */
export function english(state, at, act) {
  const { source } = state.picture;
  const { size } = at;
  const here = pointed(state);
  const looked = rowsOf(state).map((row) => row && strongestOf(row));
  const gone = changedIn(source, state.before?.picture?.source);
  const words = at.english.flatMap((spot, j) => {
    const isNew = gone[j] !== null;
    const isAsking = here.line < 0 && j === here.word;
    const isLooked = looked.length === 1 && !isVeiled(state) && !isAsking && looked[0] === j;
    const marks = isNew ? marker(`en ${j}`, spot, size, { text: "", y: 0 }) : [];
    if (isAsking) marks.push(bar("asks english", "query", spot, BAR.below));
    if (j === state.bet) marks.push(rect("bet", "focused", boxOf(spot, size, FRAME), { rx: 8 }));
    const kind = kindsOf(["english", isAsking && "query bold", isNew && "marked"]);
    const turned = { arrived: `${kind} key bold`, glide: Math.max(GLIDE, untilTold(state)) };
    marks.push(written(`en ${j}`, spot, size, kind, isNew, isLooked && turned));
    const box = boxOf(spot, size, PICK);
    box.y -= PICK_ABOVE;
    box.h += PICK_ABOVE;
    return [...marks, taken(`en ${j}`, box, { state, line: -1, word: j, act })];
  });
  return [...feet(state, at, looked), ...words];
}

/** A word that is not told yet. */
const hidden = (id, spot, size, act) =>
  rect(`veil ${id}`, "veil", boxOf(spot, size, VEIL), { rx: 6, pick: () => act.next() });

/** The words that a model wrote; of two models not before they are asked for or looked at. */
export function translation(state, at, index, act) {
  const isOne = at.models.length === 1;
  if (!isOne && isVeiled(state) && pointed(state).line < 0) return [];
  const panel = state.picture.panels[index];
  const { size, line } = at.models[index];
  const here = pointed(state);
  const gone = changedIn(panel.target, textBefore(state, panel));
  const y = Math.min(...line.map((spot) => spot.y)) - WAS * size;
  const asks = here.line < 0 ? null : asking(state, index);
  const isBeside = !isOne && here.line < 0 && !isAboutWords(state); // the event is in English
  const isOfIt = isOne && here.line < 0 && state.picture.source[here.word] === PRONOUN;
  return line.flatMap((spot) => {
    const { i } = spot;
    const id = `fr ${index} ${i}`;
    const isNew = gone[i] !== null;
    if (isLater(state, panel, i)) return [];
    if (isHidden(state, panel, i)) return hidden(id, spot, size, act);
    const marks = isNew ? marker(id, spot, size, { text: isOne ? gone[i] : "", y }) : [];
    if (i === asks) marks.push(bar(`asks ${index}`, "query", spot, BAR.below));
    const isFaint = isBeside || MARK.test(spot.text) || spot.text === GAP;
    const isAnswer = isOfIt && i === panel.pronoun && "bold";
    const kinds = [i === asks && "query bold", isNew && "bold marked", isFaint && "faint"];
    marks.push(written(id, spot, size, kindsOf(["written", isAnswer, ...kinds]), isNew));
    const about = { state, line: index, word: i, act };
    return [...marks, taken(id, boxOf(spot, size, PICK), about)];
  });
}

/** While the answer is veiled: the pronoun, and what a cut has changed in any of the models. */
function isHidden(state, panel, i) {
  if (!state.veiled || (state.line >= 0 && state.asked !== "words")) return false;
  return i === panel.pronoun || (state.asked === "words" && isNewAnywhere(state, i));
}

/** What follows the hidden pronoun: its adjective would tell the pronoun's gender. */
function isLater(state, panel, i) {
  return panel.pronoun >= 0 && i > panel.pronoun && isHidden(state, panel, panel.pronoun);
}

/** True if any model writes another word there, lest the veil tell which of them has changed. */
function isNewAnywhere(state, i) {
  const { panels } = state.picture;
  const found = panels.map((panel) => newWords(state, panel));
  const isAligned = panels.every(({ target }) => target.length === panels[0].target.length);
  if (isAligned) return found.some((places) => places.includes(i));
  return found.some((places) => places.length > 0 && places[0] <= i);
}

/** Where a model writes other words than before. */
function newWords(state, panel) {
  const gone = changedIn(panel.target, textBefore(state, panel));
  return [...gone.keys()].filter((i) => gone[i] !== null);
}

/** What a model wrote before the cut, or, if it stands alone, in the state before. */
function textBefore({ picture, before }, { plain }) {
  const isOne = picture.panels.length === 1;
  return (plain ?? (isOne ? before?.picture?.panels[0] : null))?.target;
}

/** The weights in digits, of two models the large ones; a click cuts an arrow or brings it back. */
export function weights(state, at, index, row, act) {
  if (row === null || isVeiled(state)) return [];
  const y = at.models[index].digits;
  const best = strongestOf(row);
  const goal = goalsOf(state)[index];
  const isOne = at.models.length === 1;
  return at.english.flatMap((spot, j) => {
    const x = isOne ? spot.x : besideArc(at, j, row[j], leaving(state, at, index));
    const isTold = j === goal && "here";
    const kind = kindsOf([
      isOne ? "weigh halo" : "weigh banded",
      j === best || (isOne && isTold) ? "bold" : "faint",
      isTold,
    ]);
    const { w, h, above } = CUT;
    const box = { x: x - w / 2, y: y - above, w, h, rx: 6 };
    const id = `${index} ${j}`;
    const told = { delay: untilTold(state) };
    const isSeen = isOne && (row[j] >= VISIBLE.one || isCut(state, index, j));
    const isShown = isSeen || j === best || j === state.aim;
    const marks = isShown ? [number(`weight ${id}`, kind, [x, y], row[j], digits, told)] : [];
    if (isOne && isCut(state, index, j)) marks.unshift(rect(`cut ${id}`, "frame", box));
    if (j === state.aim) marks.push(rect(`aim ${index}`, "focused", box, { focus: true }));
    const pick = () => act.ask({ type: "cut", key: j });
    const hover = () => isOne || isShown || act.change({ aim: j, calm: true });
    return [...marks, rect(`scissors ${id}`, "pick", box, { pick, hover })];
  });
}
