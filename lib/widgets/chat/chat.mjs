// A chat model's answer, token by token, and the tokens that could have come. A token that is
// clicked shows what all heads give to it, and where the chosen head looked.
import { clamp, digits, fillIn, numbers, step } from "../frame/frame.mjs";
import { interrupt } from "../frame/interrupt.mjs";
import { answer, fit, widthOf } from "../frame/lettering.mjs";
import { filled } from "../frame/looks.mjs";
import { LEFT_END, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const FULL = 255; // a weight of 1
const PALE = 0.02; // on a darker ground faint letters would be lost
const LETTERS = 36; // of the conversation
const PITCH = 52; // from line to line
const LINE = 43; // how high what is behind a token is
const FOOT = 33; // from its top to the foot of the letters
const ROOM = 900; // beside the answer
const SPACE = 10; // where a token begins with a space
const PADDING = 4; // of a token in its box
const NARROWEST = 14;
const LONGEST = 300; // pixels of a token
const NEW_LINE = "\u21b5";
const SPACE_SIGN = "\u2423";
const END = ["<|im_end|>", "end"]; // the token, and what is shown of it

const CELL = { w: 15, h: 20 }; // of the grid, a column for each layer
const LEFT = 762; // of the grid
const MOST = 5; // tokens that could have come
const BELOW = 34; // from the grid to the floor
const TITLE = 16; // from the grid up to the foot of its title
const NUMBER = 27; // from the grid down to the feet of the layers
const BESIDE = 10; // from the grid to the heads
const ROW_FOOT = 18; // from the top of a row to the foot of its head

// What could have come: alone, and beside the grid.
const LIST = { bar: 190, right: 1096, end: 1216, pitch: 46, high: 38, size: 30 };
const BESIDE_GRID = { bar: 170, right: 560, end: 640, pitch: 42, high: 34, size: 24 };
const LIST_FOOT = 0.37; // from the middle of its row to the foot of the letters, in their size

const SENTENCES = {
  click: "Click a token (or press \u2190): which heads look at it?",
  veiled: "Predict: how sure is it? Enter shows its share.",
  looks: "Layer {layer}, head {head} gave \u201c{place}\u201d {weight}.",
  most: "Of {count} heads layer {layer}, head {head} gave \u201c{place}\u201d most: {weight}.",
  title: "what every head gives to \u201c{place}\u201d",
  layer: "layer {number}",
  head: "head {number}",
  list: "what could come next, as shares of 1",
  spaced: "what could come next (\u2423 is a space)",
  share: "share of \u201c{word}\u201d",
};

/** A token as it is written on the screen. */
export function shown(word) {
  if (word === END[0]) return END[1];
  return word.replaceAll("\n", NEW_LINE).trim() || NEW_LINE;
}

/** The same with a sign for the space it begins with: "Paris" is a token with it and without. */
export const spaced = (word) => (/^ \S/.test(word) ? SPACE_SIGN : "") + shown(word);

/** The places before the answer; what stands round the question says who speaks. */
export const spoken = (places) =>
  places.length < 3 ? places : [places[0], "user:", ...places.slice(2, -1), "assistant:"];

/** What can be looked at: all before the answer, and the answer but its newest token. */
export const placesOf = ({ places, words }) => [...places, ...words.slice(0, -1)];

/** What a head gives to a place, 0 to 1. */
export function weightOf(state, layer, head, place) {
  const count = placesOf(state).length;
  return state.looks[(layer * state.heads + head) * count + place] / FULL;
}

/** The head that is looked through: the chosen one, or the first that gives the place most. */
function headOf(state) {
  if (state.layer >= 0) return { layer: state.layer, head: state.head };
  const given = weightsOf(state, aimOf(state));
  const most = given.indexOf(Math.max(...given));
  return { layer: Math.floor(most / state.heads), head: most % state.heads };
}

/** What each head gives to a place, layer by layer. */
const weightsOf = (state, place) =>
  Array.from({ length: layersOf(state) * state.heads }, (_, i) =>
    weightOf(state, Math.floor(i / state.heads), i % state.heads, place),
  );

/** True while the heads are looked at: the answer alone needs none of them. */
const isLooking = ({ veiled, pinned }) => !veiled && pinned !== null;

/** The place that the grid is about: the one pointed at, or the one clicked. */
const aimOf = (state) => state.hovered ?? state.pinned ?? state.aim;

const layersOf = (state) => state.looks.length / state.heads / placesOf(state).length;

/** Where tokens go, {line, x, w} each; the answer, from `first` on, begins a line. */
export function wrap(words, first, room) {
  let line = 0;
  let next = 0;
  return words.map((word, i) => {
    const w = clamp(widthOf(shown(word), LETTERS) + 2 * PADDING, NARROWEST, LONGEST);
    let x = next + (/^\s/.test(word) ? SPACE : 0);
    if (i === first || x + w > room) {
      line += 1;
      x = 0;
    }
    next = x + w;
    return { line, x, w };
  });
}

/** A token of the conversation; behind it the weight that the chosen head gave it. */
function tokenMarks(state, token, place, box, act) {
  const isNewest = place === state.places.length + state.words.length - 1;
  const isForm = isOf(state, place);
  const { layer, head } = state.through;
  const tint = isNewest || !isLooking(state) ? 0 : weightOf(state, layer, head, place);
  const behind = isNewest
    ? rect(`behind ${place}`, "changed", box, { rx: 4 })
    : rect(`behind ${place}`, "behind pick", box, {
        rx: 4,
        tint,
        pick: () => act.change({ pinned: state.pinned === place ? null : place }),
        hover: () => isLooking(state) && act.change({ hovered: place }),
      });
  const letters = { size: LETTERS, ...(isNewest || tint < PALE ? {} : { tint }) };
  const middle = [box.x + box.w / 2, box.y + FOOT];
  const kind = isForm && tint < PALE ? "faint" : "";
  return [behind, text(`token ${place}`, kind, middle, fit(shown(token), box.w, LETTERS), letters)];
}

/** The conversation, as many lines as fit, the newest last. */
function conversation(state, high, act) {
  const tokens = [...state.places, ...state.words];
  const boxes = wrap(tokens, answersAt(state), ROOM);
  const lines = Math.max(1, Math.floor(high / PITCH));
  const top = Math.max(0, boxes.at(-1).line + 1 - lines);
  const boxOf = (place) => {
    const { line, x, w } = boxes[place];
    return { x, y: (line - top) * PITCH, w, h: LINE };
  };
  const isSeen = (place) => boxes[place].line >= top;
  const marks = tokens.flatMap((token, place) =>
    isSeen(place) ? tokenMarks(state, token, place, boxOf(place), act) : [],
  );
  const aim = aimOf(state);
  if (isLooking(state) && isSeen(aim)) marks.push(rect("aim", "focused", boxOf(aim), { rx: 4 }));
  return marks;
}

/** The place at which the answer's line begins, with who speaks. */
const answersAt = ({ places: { length } }) => (length < 3 ? length : length - 1);

/** True for the places that are not the question's: the form of a chat. */
const isOf = ({ places }, place) => place < 2 || place === places.length - 1;

/** Where the grid is. */
const gridOf = (state, { height }) => ({
  x: LEFT,
  y: height - BELOW - state.heads * CELL.h,
  columns: layersOf(state),
});

function gridMarks(state, grid, act) {
  const { heads, through } = state;
  const { columns } = grid;
  const aim = aimOf(state);
  const cellOf = (column, row) => ({
    x: grid.x + column * CELL.w,
    y: grid.y + row * CELL.h,
    ...CELL,
  });
  const cells = Array.from({ length: grid.columns * heads }, (_, i) => {
    const [column, row] = [Math.floor(i / heads), i % heads];
    const tint = weightOf(state, column, row, aim);
    const choose = () => act.change({ layer: column, head: row });
    return rect(`cell ${column}.${row}`, "frame pick", cellOf(column, row), {
      rx: 0,
      tint,
      pick: choose,
    });
  });
  const place = shown(placesOf(state)[aim]);
  const foot = grid.y + heads * CELL.h + NUMBER;
  const [left, right] = [grid.x - BESIDE, grid.x + columns * CELL.w];
  const rowAt = (row) => [left, grid.y + row * CELL.h + ROW_FOOT];
  const [first, top] = [SENTENCES.layer, SENTENCES.head].map((name) => fillIn(name, { number: 1 }));
  return [
    text("about", "", [grid.x, grid.y - TITLE], fillIn(SENTENCES.title, { place }), LEFT_END),
    ...cells,
    rect("here", "focused", cellOf(through.layer, through.head), { rx: 0 }),
    text("first layer", "faint", [grid.x, foot], first, LEFT_END),
    text("last layer", "faint", [right, foot], `${columns}`, RIGHT_END),
    text("first head", "faint", rowAt(0), top, RIGHT_END),
    text("last head", "faint", rowAt(heads - 1), `${heads}`, RIGHT_END),
  ];
}

/** The most probable tokens, with bars of their shares; the one that came is yellow. */
function listMarks(state, top) {
  const newest = state.words.at(-1);
  const list = isLooking(state) ? BESIDE_GRID : LIST;
  const { size } = list;
  const room = list.bar - SPACE;
  const hasSpaces = state.best.some(({ word }) => spaced(word) !== shown(word));
  const title = hasSpaces ? SENTENCES.spaced : SENTENCES.list;
  return [
    text("list", "", [0, top - TITLE], title, LEFT_END),
    ...state.best.flatMap(({ word, share, digits: said }, i) => {
      const y = top + i * list.pitch;
      const foot = y + list.high / 2 + LIST_FOOT * size;
      const kind = word === newest ? "lit" : "weight";
      const whole = { x: list.bar, y, w: list.right - list.bar, h: list.high };
      const written = { size, ...RIGHT_END };
      const could = fit(spaced(word), room, size);
      return [
        text(`could ${i}`, "", [list.bar - SPACE, foot], could, written),
        rect(`whole ${i}`, "spread", whole),
        rect(`bar ${i}`, kind, { ...whole, w: whole.w * share }),
        text(`share ${i}`, word === newest ? "bold" : "", [list.end, foot], said, written),
      ];
    }),
  ];
}

/** The marks of a state in a room. */
export function layout(given, room, act) {
  const state = { ...given, through: headOf(given) };
  const grid = gridOf(state, room);
  const top = isLooking(state) ? grid.y : room.height - LIST.pitch * MOST;
  const high = top - TITLE - LETTERS;
  const label = fillIn(SENTENCES.share, { word: shown(state.words.at(-1)) });
  const { veiled, share, digits: said } = state;
  const hidden = { x: 0, y: top, w: room.width, h: room.height - top - 4 };
  return [
    ...conversation(state, high, act),
    ...(veiled
      ? veil(hidden, "how sure is it?", act)
      : [...(isLooking(state) ? gridMarks(state, grid, act) : []), ...listMarks(state, top)]),
    ...answer({ number: share, format: () => said, label, veiled }, act),
  ];
}

/** The sentence that says what the chosen head gave to a place, and why no more is written. */
export function caption(state) {
  if (state.veiled) return SENTENCES.veiled;
  const said = isLooking(state) ? lookOf(state) : SENTENCES.click;
  return state.stopped ? `${state.stopped} ${said}` : said;
}

function lookOf(state) {
  const { layer, head } = headOf(state);
  const place = aimOf(state);
  const weights = weightsOf(state, place);
  const weight = weights[layer * state.heads + head];
  const isMost = weights.filter((other) => other >= weight).length === 1;
  return fillIn(isMost ? SENTENCES.most : SENTENCES.looks, {
    count: weights.length,
    layer: layer + 1,
    head: head + 1,
    place: shown(placesOf(state)[place]),
    weight: digits(weight),
  });
}

/** What Enter does while it writes to the end. */
export const nextOf = ({ running }) => (running ? { label: "Stop", act: interrupt } : null);

const STEP_KEYS = { " ": "write", Backspace: "back" };

/** What a key means: another head, the next token or one less. */
export function keysOf(state, key, _, act) {
  if (STEP_KEYS[key]) return act.ask({ type: STEP_KEYS[key] });
  if (state.veiled) return null;
  if (key === "Escape") return { pinned: null, hovered: null, layer: -1, head: -1 };
  const { layer, head } = headOf(state);
  const next = step(key, [head, layer], state.heads, layersOf(state));
  return next && { head: next[0], layer: next[1], pinned: aimOf(state) };
}

export default demo({
  name: "chat",
  looks: { behind: filled("paper"), lit: filled("lit") },
  traits: [
    ...["places", "words", "best", "share", "digits", "heads", "layer", "head", "aim"],
    ...["stopped", "running"],
  ],
  own: { pinned: null, hovered: null },
  keep: ["pinned", "hovered"],
  forget: { words: ["pinned", "hovered"] },
  read: (model) => ({
    looks: numbers(model.get("looks"), Uint8Array),
    places: spoken(model.get("places")),
  }),
  layout,
  caption,
  keys: keysOf,
  next: nextOf,
  staged: (made) => made.svg.addEventListener("pointerleave", () => made.change({ hovered: null })),
});
