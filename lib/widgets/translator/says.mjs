// The translator's sentences: what to see, and what stays to be predicted.

import { digits, fillIn, short } from "../frame/frame.mjs";
import {
  becameIn,
  changedIn,
  goalOf,
  goalsOf,
  isAboutWords,
  isCut,
  isVeiled,
  partOf,
  pointed,
  rowsOf,
  wayOf,
} from "./arcs.mjs";
import { refusal } from "./words.mjs";

const LONGEST_NAME = 14; // letters of a word in the answer's name

const LOOKS = { encoder: "{word} \u2192 {key}", cross: "to write {word}: {key}" };
const ASKS = {
  encoder: "Where does \u201c{word}\u201d look?",
  cross: "Which word was looked at most to write \u201c{word}\u201d?",
};
const SAID = {
  veiled: "Predict: click a word, or press \u2190 \u2192, to bet. Enter shows where it looks.",
  veiledTwo: "Predict for each model, above and below. A click on a “?” or Enter shows both.",
  bet: "You say \u201c{word}\u201d. Enter shows where it looks.",
  words: "Predict what is written now. Enter shows it.",
  either: "Predict: {either}. Enter shows it.",
  encoder: "\u201c{word}\u201d gives \u201c{key}\u201d {weight} ({where}).",
  cross: "To write \u201c{word}\u201d it gave \u201c{key}\u201d {weight} ({where}).",
  way: "“{word}” looked most at “{key}” ({weight}), which had looked at “{way}” ({last}).",
  two: "In {one} \u201c{first}\u201d gets {upper}, in {other} \u201c{second}\u201d {lower}.",
  why: "Before the cut \u201c{key}\u201d got {upper} in {one}, {lower} in {other}.",
  hangs: "Only {one} needs this look: {upper} against {lower}.",
  alone: "Only {one} needs this look: {upper} against {lower}; no other word changes.",
  ofModel: "{model}: to write \u201c{word}\u201d it gave \u201c{key}\u201d {weight}.",
  right: "As you said: {sentence}",
  wrong: "You said \u201c{bet}\u201d. {sentence}",
  pinned: "pinned \u00b7 {sentence}",
};

/** The word that asks. */
function queryOf(state) {
  const { line, word } = pointed(state);
  const { source, panels } = state.picture;
  return line < 0 ? source[word] : panels[line].target[word];
}

/** "it → animal"; a step of the decoder is named by what it writes. */
export function lookAt(state, key) {
  const [word, named] = [queryOf(state), key].map((each) => short(each, LONGEST_NAME));
  return fillIn(LOOKS[partOf(state)], { word, key: named });
}

function namesOf({ picture }) {
  const [one, other] = picture.panels.map(({ name }) => name);
  return { one, other };
}

/** What is looked at, with its weight. */
function told(state) {
  const { source, panels, looks } = state.picture;
  const here = pointed(state);
  const part = partOf(state);
  const goals = goalsOf(state);
  const weights = rowsOf(state).map((row, index) => row && digits(row[goals[index]]));
  const goal = goals[Math.max(here.line, 0)];
  const values = { word: queryOf(state), key: source[goal], where: looks[part] };
  if (panels.length === 1) {
    const single = { ...values, weight: weights[0] };
    const way = wayOf(state);
    if (way === null) return fillIn(SAID[part], single);
    const last = digits(panels[0].encoder[goal][way]);
    return fillIn(SAID.way, { ...single, way: source[way], last });
  }
  const [upper, lower] = weights;
  if (upper !== null && lower !== null) {
    const [first, second] = goals.map((key) => source[key]);
    return fillIn(SAID.two, { ...namesOf(state), first, second, upper, lower });
  }
  const model = panels[here.line].name;
  return fillIn(SAID.ofModel, { ...values, model, weight: upper ?? lower });
}

/** What the look that is cut had been worth; first of the model that writes another word now. */
function whyOf({ picture: { source, panels } }) {
  const [{ cuts }] = panels;
  const changed = (panel) => Number(Boolean(becameIn(panel)));
  const models = panels.toSorted((one, other) => changed(other) - changed(one));
  const [one, other] = models.map(({ name }) => name);
  const [part, , , , key] = cuts.at(-1);
  const [upper, lower] = models.map((panel) => {
    const [row, column] = panel.cuts.at(-1).slice(-2);
    return digits(panel.plain[part][row][column]);
  });
  const [{ target, plain }] = models;
  const isAlone = changedIn(target, plain.target).filter((gone) => gone !== null).length === 1;
  const hangs = isAlone ? SAID.alone : SAID.hangs;
  const sentence = changed(models[0]) > changed(models[1]) ? hangs : SAID.why;
  return fillIn(sentence, { one, other, key: source[key], upper, lower });
}

/** True if what two models write after a cut is what to see, and its arrow is seen. */
function isAfterCut(state) {
  const { picture, line, aim } = state;
  const isSeen = aim < 0 && (line < 0 || isAboutWords(state));
  const isHere = ({ plain, cuts }, i) =>
    plain && cuts?.length && isCut(state, i, cuts.at(-1).at(-1));
  return picture.panels.length === 2 && isSeen && picture.panels.every(isHere);
}

/** What a bet was worth. */
function judged(state) {
  if (isAfterCut(state)) return whyOf(state);
  const sentence = told(state);
  if (state.bet < 0) return sentence;
  const isRight = state.bet === goalOf(state);
  const bet = state.picture.source[state.bet];
  return fillIn(isRight ? SAID.right : SAID.wrong, { bet, sentence });
}

function prediction(state) {
  const { either } = state.picture.panels[0];
  if (!isVeiled(state)) return either ? fillIn(SAID.either, { either }) : SAID.words;
  if (state.picture.panels.length > 1) return SAID.veiledTwo;
  if (state.bet < 0) return SAID.veiled;
  return fillIn(SAID.bet, { word: state.picture.source[state.bet] });
}

/** What is asked of the word that is pointed at, wherever one has gone. */
export const asks = (state) =>
  !state.refused && !isAboutWords(state) && fillIn(ASKS[partOf(state)], { word: queryOf(state) });

/** The sentence that says what to see. */
export function caption(state) {
  if (state.refused) return refusal(state);
  const sentence = state.veiled ? prediction(state) : judged(state);
  return state.pinned ? fillIn(SAID.pinned, { sentence }) : sentence;
}
