// A text that is written on word by word: a dart falls on the strip of shares and draws the next.
import { ticksAcross, scale } from "../frame/axes.mjs";
import { along, clamp, fillIn, short } from "../frame/frame.mjs";
import { answer, fit, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { LABEL } from "../frame/marks.mjs";
import { GLIDE, mix } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

// The text, in lines of words that stand close to the strip.
const WORD = 40; // letters
const FOOT = 38; // from the top of a line down to the foot of its words
const PITCH = 60; // from a line to the next
const LINES = 3;
const SPOT = { side: 5, h: 52 }; // of a word: beside it, and its height
const ROOM = 880; // beside the answer
const MORE = 34; // at the end of a line, for the dots that say that there is more
const SPACE = 14; // from word to word
const SLOT = 56; // of a word that is still open
const LONGEST_WORD = 24; // letters
const LONGEST_LABEL = 14;
const DOTS = "\u2026";

// What is asked of a whole text stands under the answer; left of that, above it, the text before.
const CAME = "the likeliest came";
const FITS = "a sentence of the grammar?";
const BEFORE = { said: "before: {words}", above: 14, beside: 400 };

// What the word is drawn from: one whole, cut into shares, the largest first.
const STRIP = { least: 96, most: 150, ofRoom: 1 / 3, below: 52 }; // its height, and to the floor
const ABOVE = 62; // over the strip: the dart that runs, the number where it fell
const NAME = -8; // from the middle of the strip to the feet of the words and of their shares
const SHARE = 24;
const MARGIN = 4; // of a word in its part
const LEAST_LETTERS = 5; // of a word that is cut: fewer say nothing
const DARKEST = 0.6; // of the leader: the letters of all parts have one ink
const LEAST = 3; // what was drawn is never narrower
const MODEL = { down: 6, h: 14 }; // the row of the model's own shares, under the strip
const SAME = 1e-6; // shares that differ by less
const TOLD = {
  same: "one whole, cut into shares",
  changed: "dashed: the model\u2019s own shares",
  cut: "dashed: the model\u2019s own shares, hatched: left out",
};

// The dart runs along the strip, falls, and only then is its word seen, then the number.
const DART = { half: 11, high: 32, runs: -14, lands: 12, label: -32 };
const RUN = 700; // milliseconds until it has landed
const RUNS = 0.72; // of them along the strip
const LIGHTS = 150;
const SEEN = LIGHTS + GLIDE; // from the landing until the word is in its slot

// What is said while the answer is veiled: before a word, before a dart that has fallen draws
// another, and before a whole text.
const VEILED = {
  word: {
    label: "the next word",
    veil: "the shares of all words",
    caption: "Predict: which word comes next? Enter shows what the model says.",
  },
  dart: {
    label: "the next word",
    veil: "the strip, cut anew",
    caption: "Predict: the dart stays where it fell. Enter cuts the strip anew.",
  },
  whole: {
    label: CAME,
    veil: "what the darts write",
    caption: "Predict: rarely, mostly, always? Enter shows the whole text.",
  },
  hot: {
    label: "what it writes",
    veil: "what the darts write now",
    caption: "Predict: does it still write sentences? Enter shows what it writes.",
  },
};
const STEP_KEYS = { " ": "write", Backspace: "back" };

/** Where the words go, [line, x, width] each, when a line has this much room. */
export function wrap(words, room) {
  let line = 0;
  let next = 0;
  return words.map((word) => {
    const width = word ? Math.min(room, widthOf(word, WORD)) : SLOT;
    const x = next + width > room ? 0 : next;
    if (x < next) line += 1;
    next = x + width + SPACE;
    return [line, x, width];
  });
}

/** The first line of so many that is shown: as late as can be, with the line `seen` in view. */
export const firstLine = (seen, lines, shown) => clamp(lines - shown, 0, seen);

/** The step that is looked at: the one pointed at or clicked, the newest, or a text's first. */
function stepOf({ picture, pinned, hovered }) {
  return hovered ?? pinned ?? (picture.stopped ? 0 : picture.steps.length - 1);
}

/** True while a whole text is looked at, and no word of it alone. */
const isWhole = ({ picture, pinned, veiled }) => picture.stopped && pinned === null && !veiled;

/** True while it is counted how often the likeliest came: then that alone is yellow. */
const isCounted = (state) => isWhole(state) && !state.picture.fits;

/** What is said while the answer is veiled. */
function veiledWords({ picture: { steps, stopped, fits } }) {
  if (!steps[0].word) return VEILED.word;
  if (!stopped) return VEILED.dart;
  return fits ? VEILED.hot : VEILED.whole;
}

/** The state as it is shown: while it is veiled, without the words that are asked for. */
function readable(state) {
  if (!state.veiled) return state;
  const { picture } = state;
  const { steps, stopped } = picture;
  const asked = stopped ? 0 : steps.length - 1;
  const shown = [...steps.slice(0, asked), { ...steps[asked], word: "" }];
  return { ...state, pinned: null, hovered: null, picture: { ...picture, steps: shown } };
}

/** The words as they are written, where each stands, and the lines that fit into this height. */
function places(state, height) {
  const { prompt } = state.picture;
  const shown = wordsOf(state.picture).map((word) => short(word, LONGEST_WORD));
  const boxes = wrap(shown, ROOM - MORE);
  const count = boxes.at(-1)[0] + 1;
  const lines = Math.min(count, clamp(Math.floor(height / PITCH), 1, LINES));
  const [seen] = boxes[prompt.length + stepOf(state)];
  const first = firstLine(seen, count, lines);
  return { shown, boxes, count, lines, first, down: Math.max(0, height - lines * PITCH) };
}

/** True if this step was drawn by the reader's last gesture, so that the dart is seen to fall. */
function isFresh(state, i) {
  const step = state.picture.steps[i];
  const was = state.before?.picture.steps[i];
  const isLast = i === state.picture.steps.length - 1 && i === stepOf(state);
  const isNew = state.before !== null && !(was?.word && was.fell === step.fell);
  return isNew && isLast && step.word !== "" && !isWhole(state);
}

/** Milliseconds until the dart has landed, and until the answer is said. */
function moments(state, i) {
  if (!isFresh(state, i)) return { lands: 0, answers: 0 };
  return { lands: RUN, answers: RUN + SEEN };
}

/** Where the parts of a strip begin and end, from 0 to 1; name: "now" or "model". */
export function edgesOf(parts, name = "now") {
  const edges = [0];
  for (const part of parts) edges.push(edges.at(-1) + part[name]);
  return edges;
}

/** What was drawn, in yellow on the strip; of a whole text only the likeliest is. */
function cameOf(i, state, { top, high, shares, width }) {
  const { parts, chosen } = state.picture.steps[i];
  const [left, right] = edgesOf(parts).slice(chosen).map(shares.at);
  const end = Math.max(right, Math.min(width, left + LEAST));
  const x = Math.min(left, end - LEAST);
  const { lands } = moments(state, i);
  const light = { rx: 0, delay: lands, glide: lands ? LIGHTS : GLIDE };
  const kind = isCounted(state) && chosen > 0 ? "missed" : "came";
  return rect(`came ${i}`, kind, { x, y: top, w: end - x, h: high }, light);
}

/** One word of the text, and its place to click. */
function wordMarks(i, state, at, strip, act) {
  const { prompt, steps } = state.picture;
  const [line, x, w] = at.boxes[i];
  const top = at.down + (line - at.first) * PITCH;
  if (line < at.first || line >= at.first + at.lines) return [];
  const number = i - prompt.length;
  const step = steps[number];
  const place = [x + w / 2, top + FOOT];
  if (!step) return [text(`text ${i}`, "", place, at.shown[i], { size: WORD })];
  const isHere = number === stepOf(state);
  const { lands } = moments(state, number);
  const box = { x: Math.max(0, x - SPOT.side), w: w + 2 * SPOT.side, y: top, h: SPOT.h };
  const isYellow = isCounted(state) && step.chosen === 0;
  const yellow = isYellow ? [rect(`likeliest ${number}`, "changed", box, { rx: 8 })] : [];
  const isPinned = isHere && state.pinned === number;
  const spot = rect(`spot ${number}`, isHere ? "spot focused here" : "spot pick", box, {
    ...{ rx: 8, delay: lands },
    pick: () => act.change({ pinned: isPinned ? null : number, hovered: null }),
    hover: () => isHere || act.change({ hovered: number }), // a falling dart is not held up
  });
  const slot = step.word ? [slotMark(number, state, place, at, strip)] : [];
  return [...yellow, ...slot, spot];
}

/** The word in its slot, where it flies out of the strip. */
function slotMark(i, state, place, { shown }, strip) {
  const { picture } = state;
  const step = picture.steps[i];
  const word = shown[picture.prompt.length + i];
  if (!isFresh(state, i)) return text(`written ${i}`, "written", place, word, { size: WORD });
  const edges = edgesOf(step.parts);
  const x = strip.shares.at((edges[step.chosen] + edges[step.chosen + 1]) / 2);
  const { lands } = moments(state, i);
  const from = { x, y: strip.top + strip.high / 2 + NAME, size: LABEL, o: 0 };
  return text(`written ${i}`, "written", place, word, { size: WORD, delay: lands + LIGHTS, from });
}

/** The words at their places. */
function textMarks(state, at, strip, act) {
  const marks = at.shown.flatMap((_, i) => wordMarks(i, state, at, strip, act));
  const dots = (where, line) => {
    const foot = [ROOM, at.down + line * PITCH + FOOT];
    return text(`dots ${where}`, "faint", foot, DOTS, { size: WORD, ...RIGHT_END });
  };
  if (at.first > 0) marks.push(dots("above", 0));
  if (at.count > at.first + at.lines) marks.push(dots("below", at.lines - 1));
  const before = writtenBefore(state);
  const y = at.down - BEFORE.above;
  if (before && y > LABEL)
    marks.push(
      text("before", "ghosted", [0, y], fit(before, strip.width - BEFORE.beside), LEFT_END),
    );
  return marks;
}

/** One part of the strip: a word, or the others together; its share if there is room. */
function partMarks(k, i, state, edges, { top, high, shares }) {
  const step = state.picture.steps[i];
  const { word, now, digits, isWord } = step.parts[k];
  const [left, right] = [edges[k], edges[k + 1]].map(shares.at);
  const isDrawn = step.word && k === step.chosen;
  const most = Math.max(...step.parts.map((part) => (part.isWord ? part.now : 0)));
  const shade = (DARKEST * now) / most;
  const tint = isWord ? { tint: shade } : {};
  const box = { x: left, y: top, w: right - left, h: high };
  const id = `${i} part ${k}`;
  const marks = [rect(id, isWord ? "frame" : "frame spread", box, { rx: 0, ...tint })];
  const room = right - left - 2 * MARGIN;
  const name = fit(word, room);
  const isNamed = name === word || (isWord && [...name].length > LEAST_LETTERS);
  if (!isNamed || !digits) return { marks, words: [] }; // a word and its share, or neither
  const ink = isWord ? { tint: isDrawn ? 0 : shade } : {}; // on yellow the letters are dark
  const words = [
    ["word", NAME, name],
    ["share", SHARE, digits],
  ].map(([kind, foot, said]) => {
    const motion = { ...ink, delay: moments(state, i).lands };
    return text(`${id} ${kind}`, "", [(left + right) / 2, top + high / 2 + foot], said, motion);
  });
  return { marks, words };
}

/** The model's own shares, where temperature, top-k or top-p have made others of them. */
function modelRow(i, { parts }, { top, high, shares }) {
  const isSame = parts.every(({ now, model }) => Math.abs(now - model) < SAME);
  if (isSame) return { told: TOLD.same, marks: [] };
  const edges = edgesOf(parts, "model");
  const marks = parts.map(({ now }, k) => {
    const x = shares.at(edges[k]);
    const box = { x, w: shares.at(edges[k + 1]) - x, y: top + high + MODEL.down, h: MODEL.h };
    const id = `${i} model ${k}`;
    return now > 0 ? rect(id, "ghost", box, { rx: 0 }) : rect(id, "outline masked", box);
  });
  return { told: parts.at(-1).now > 0 ? TOLD.changed : TOLD.cut, marks };
}

/** The dart, once it is thrown: it runs from the left along the strip to its place, and falls. */
function dartMarks(i, { fell, fell_digits }, strip, fresh) {
  if (fell === null) return { dart: [], label: [] };
  const dart = ({ t }) => {
    const x = mix(DART.half, strip.shares.at(fell), Math.min(1, t / RUNS));
    const fall = clamp((t - RUNS) / (1 - RUNS), 0, 1);
    const tip = strip.top + mix(DART.runs, DART.lands, fall);
    const left = clamp(x - DART.half, 0, strip.width - 2 * DART.half); // its body stays inside
    return `M${x},${tip}L${left},${tip - DART.high}h${2 * DART.half}Z`;
  };
  const from = fresh ? { t: 0, o: 1 } : {};
  const mark = { class: "ink", d: dart, glide: fresh ? RUN : GLIDE, from };
  const half = widthOf(fell_digits) / 2;
  const x = clamp(strip.shares.at(fell), half, strip.width - half);
  const place = [x, strip.top + DART.label];
  const label = text(`fell at ${i}`, "bold", place, fell_digits, { delay: fresh ? RUN : 0 });
  return { dart: [{ id: `dart ${i} ${fell}`, ...mark, t: 1 }], label: [label] };
}

/** What the word is drawn from; hatched until it is asked for. */
function stripMarks(state, strip, act) {
  const i = stepOf(state);
  const step = state.picture.steps[i];
  const ends = [
    { value: 0, id: "zero", anchor: "start" },
    { value: 1, id: "one", anchor: "end" },
  ];
  const axis = ticksAcross(strip.shares, ends, strip.floor);
  const thrown = dartMarks(i, step, strip, isFresh(state, i));
  if (state.veiled) {
    const box = { x: 0, y: strip.top, w: strip.width, h: strip.high };
    return [...axis, ...veil(box, state.asked.veil, act), ...thrown.label, ...thrown.dart];
  }
  const edges = edgesOf(step.parts);
  const shown = step.parts.flatMap(({ now }, k) => (now > 0 ? [k] : []));
  const parts = shown.map((k) => partMarks(k, i, state, edges, strip));
  const model = modelRow(i, step, strip);
  return [
    ...thrown.label,
    ...parts.flatMap(({ marks }) => marks),
    ...(step.word ? [cameOf(i, state, strip)] : []),
    ...parts.flatMap(({ words }) => words),
    ...model.marks,
    ...axis,
    text(`told ${model.told}`, "ghosted", [strip.width / 2, strip.floor], model.told),
    ...thrown.dart,
  ];
}

/** The word that came, or what is asked of a whole text; "?" until it has. */
function answerMarks(state, act) {
  const { fits, came } = state.picture;
  if (isWhole(state))
    return answer(fits ? { words: fits, label: FITS } : { words: came, label: CAME }, act);
  const i = stepOf(state);
  const { parts, chosen, word } = state.picture.steps[i];
  const veiled = state.veiled || !word;
  const { label } = state.veiled ? state.asked : VEILED.word;
  if (veiled) return answer({ label, veiled }, act);
  const delay = moments(state, i).answers;
  const number = parts[chosen].now;
  // What was said of another word is gone at once; this one comes when its dart has landed.
  const format = (now) => (Math.abs(now - number) < SAME ? short(word, LONGEST_LABEL) : "");
  const marks = answer({ number, format, label }, act);
  return marks.map((mark) => (mark.format ? { ...mark, delay } : mark));
}

const wordsOf = ({ prompt, steps }) => [...prompt, ...steps.map(({ word }) => word)];

/** What was written at the temperature of before, as one line; "" where nothing was. */
function writtenBefore({ picture, before }) {
  const was = before?.picture;
  if (!picture.fits || !was?.stopped || was.fits) return "";
  const words = wordsOf(was).filter((word) => !word.startsWith("<"));
  return fillIn(BEFORE.said, { words: words.join(" ") });
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const { width, height } = room;
  const asked = veiledWords(state);
  const seen = { ...readable(state), asked };
  const high = clamp(height * STRIP.ofRoom, STRIP.least, STRIP.most);
  const top = height - high - STRIP.below;
  const shares = scale({ domain: [0, 1], range: [0, width] });
  const strip = { width, top, high, shares, floor: height - 4 };
  return [
    ...textMarks(seen, places(seen, top - ABOVE), strip, act),
    ...stripMarks(seen, strip, act),
    ...answerMarks(seen, act),
  ];
}

/** The sentence that says what the word was drawn from. */
export function caption(state) {
  if (state.veiled) return veiledWords(state).caption;
  const { steps, stopped, whole, fits } = state.picture;
  const { says } = steps[stepOf(state)];
  if (isWhole(state))
    return state.hovered === null ? `${fits ? "" : stopped} ${whole}`.trim() : says;
  return [says, stopped].filter(Boolean).join(" ");
}

/** What a key means: another word is looked at, or, past the newest, the next is written. */
export function keysOf(state, key, _, act) {
  if (state.veiled) return null;
  const last = state.picture.steps.length - 1;
  const here = state.pinned ?? last;
  const type = key === "ArrowRight" && here === last ? "write" : STEP_KEYS[key];
  if (type) return act.ask({ type });
  if (key === "Escape") return { pinned: state.picture.stopped ? null : last, hovered: null };
  const next = along(key, here, last + 1);
  return next === null ? null : { pinned: next, hovered: null };
}

export default demo({
  name: "writer",
  looks: {
    came: { ...drawn("ink", 1.5), ...filled("changed") },
    missed: { ...drawn("ink", 3), ...filled("paper") },
    outline: drawn("ghost", 2),
    "outline.masked": filled("hatching"),
  },
  traits: ["picture"],
  own: { pinned: null, hovered: null },
  keep: ["pinned", "hovered"],
  forget: { picture: ["pinned", "hovered"] },
  layout,
  caption,
  wait: (state) => (state.veiled ? 0 : moments(state, stepOf(state)).answers),
  keys: keysOf,
  staged: (made) => made.svg.addEventListener("pointerleave", () => made.change({ hovered: null })),
});
