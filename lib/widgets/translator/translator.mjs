// A sentence and its translations, and arcs whose thickness is a weight: where the encoder looks
// from an English word, where the decoder looked when it wrote a word.
import { along } from "../frame/frame.mjs";
import { STAGE } from "../frame/lettering.mjs";
import { drawn, halo } from "../frame/looks.mjs";
import { demo } from "../frame/stage.mjs";
import { arcs, goalOf, isVeiled, partOf, pointed, rowsBefore, rowsOf, untilTold } from "./arcs.mjs";
import { answerOfOne, answerOfTwo, bands, look, notes, switches } from "./aside.mjs";
import { places } from "./lines.mjs";
import { asks, caption } from "./says.mjs";
import { english, translation, weights } from "./text.mjs";
import { chipKeys, chosenWord, vocabulary } from "./words.mjs";

const NONE = -1;

/** The marks of a state in a room. */
export function layout(given, room, act) {
  const state = withOwnGhost(given);
  if (state.refused) return vocabulary(state, room, act);
  const at = places(state, room);
  const rows = rowsOf(state);
  const before = rowsBefore(state);
  const answer = (row, index) =>
    rows.length === 1
      ? answerOfOne(state, row, before?.[0], act)
      : answerOfTwo(state, at, index, row, act);
  return [
    ...bands(state, at),
    ...arcs(state, at),
    ...notes(state, at),
    ...english(state, at, act),
    ...rows.flatMap((_, index) => translation(state, at, index, act)),
    ...rows.flatMap((row, index) => weights(state, at, index, row, act)),
    ...rows.flatMap(answer),
    ...switches(state, room, act),
  ];
}

/** The word nearest on the line above (-1) or below (1). */
function across(state, down) {
  const { line, word } = pointed(state);
  const at = places(state, STAGE);
  const order = at.models.length > 1 ? [0, -1, 1] : [-1, 0]; // of the lines, from above
  const other = order[order.indexOf(line) + down] ?? line;
  const spots = (which) => (which < 0 ? at.english : at.models[which].line);
  const { x } = spots(line).find(({ i }) => i === word);
  const off = (spot) => Math.abs(spot.x - x);
  const nearest = spots(other).reduce((best, spot) => (off(spot) < off(best) ? spot : best));
  return { line: other, word: nearest.i };
}

/** A bet, of one model: the first is on the word beside the one that asks. */
function betKeys(state, key) {
  if (state.picture.panels.length > 1 || !isVeiled(state)) return null;
  const count = state.picture.source.length;
  const { line, word } = pointed(state);
  const start = line < 0 ? word : Math.floor(count / 2);
  const bet = along(key, state.bet < 0 ? start : state.bet, count);
  return bet === null ? null : { bet };
}

/** Another head of this layer, the mean of them (0), or the next layer (l). */
function lookKeys(state, key) {
  const part = partOf(state);
  const heads = state.picture.heads[part];
  const [layer] = state.looks[part];
  if (state.picture.panels.length > 1) return null; // the screen does not say which are shown
  if (key === "l") return look(state, (layer + 1) % heads.length, NONE);
  if (!/^[0-9]$/.test(key) || Number(key) > heads[layer] || heads[layer] < 2) return null;
  return look(state, layer, Number(key) - 1);
}

/** What a key means. */
export function keysOf(state, key, event, act) {
  if (state.refused)
    return key === "Escape" ? act.ask({ type: "restore" }) : chipKeys(state, key, STAGE);
  if (state.veiled) return betKeys(state, key);
  const { line, word } = pointed(state);
  const { source, panels } = state.picture;
  if (key === "x") return act.ask({ type: "cut", key: goalOf(state) });
  if (event?.shiftKey) {
    const aim = along(key, goalOf(state), source.length);
    return aim === null ? null : { aim };
  }
  const now = { aim: NONE, bet: NONE, calm: true };
  const next = along(key, word, line < 0 ? source.length : panels[line].target.length);
  if (next !== null) return { line, word: next, ...now };
  if (key === "ArrowUp") return { ...across(state, -1), ...now };
  if (key === "ArrowDown") return { ...across(state, 1), ...now };
  if (key === " ") return { pinned: !state.pinned };
  if (key === "Escape") return state.pinned ? { pinned: false } : null;
  return lookKeys(state, key);
}

/** What Enter does where a sentence is refused: it takes a word. */
export function nextOf(state) {
  const word = state.refused && chosenWord(state);
  return word ? { label: `Use \u201c${word}\u201d`, ask: { type: "word", word } } : null;
}

const languageOf = ({ picture }) => picture.panels[0].language;

/** The state with a ghost only of what was seen, of a sentence that differs in one word. */
export function withOwnGhost(state) {
  const { before } = state;
  if (!before) return state;
  const { source } = state.picture;
  const was = before.picture.source;
  const changed = source.filter((word, i) => word !== was[i]).length;
  const isAlike = was.length === source.length && changed <= 1;
  const isSeen = !before.veiled && !before.refused;
  const isKept = isAlike && isSeen && languageOf(before) === languageOf(state);
  return isKept ? state : { ...state, before: null };
}

/** Nothing is veiled of a sentence that is refused. */
function read(model) {
  const refused = model.get("refused");
  return Object.keys(refused).length > 0 ? { refused, veiled: false } : { refused: null };
}

/** A question of the story is a gesture of its own, however fast Enter was pressed. */
function staged(made, model) {
  model.on("change:veiled", () => {
    if (model.get("veiled") && model.get("done") > 0) made.changed = Number.NEGATIVE_INFINITY;
  });
}

export default demo({
  name: "translation",
  looks: {
    answer: halo(14),
    cut: halo(20),
    possible: drawn("axis", 2),
    banded: { ...halo(12), stroke: "var(--surface)" },
    on: { fill: "var(--surface)", stroke: "var(--ink)" },
    focused: { "stroke-width": 2.5 },
  },
  traits: ["picture", "line", "word", "pinned", "looks", "cuts", "asked", "enter"],
  read,
  own: { bet: NONE, aim: NONE, chip: 0, calm: false },
  keep: ["line", "word", "pinned", "bet", "aim", "chip", "calm"],
  forget: { veiled: ["bet", "aim", "calm"], refused: ["chip"] }, // its first is the nearest word
  layout,
  caption,
  asks,
  wait: (state) => (state.veiled || state.refused ? 0 : untilTold(state)),
  keys: keysOf,
  next: nextOf,
  staged,
});
