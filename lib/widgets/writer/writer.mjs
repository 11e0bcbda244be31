// A text that is written on word by word: a dart falls on the strip of shares and draws the next.
import { ENDS, scale, ticksAcross } from "../frame/axes.mjs";
import { along, clamp, fillIn, short } from "../frame/frame.mjs";
import { answer, fit, widthOf } from "../frame/lettering.mjs";
import { LABEL } from "../frame/marks.mjs";
import { drawn } from "../frame/looks.mjs";
import { GLIDE, mix } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

// The text, in lines of words beside the answer; the strip begins below them.
const WORD = 44; // letters
const TOP = 12; // of the first line
const FOOT = 40; // from the top of a line down to the foot of its words
const PITCH = 64; // from a line to the next
const LINES = { least: 2, most: 3 }; // that have room
const SPOT = { side: 5, h: 58 }; // of a word: beside it, and its height
const ROOM = 880; // beside the answer
const MORE = 34; // at the end of a line, for the dots that say that there is more
const SPACE = 16; // from word to word
const SLOT = 56; // of a word that is still open
const LONGEST_WORD = 24; // letters
const LONGEST_LABEL = 14;
const DOTS = "\u2026";

// What is asked of a whole text stands under the answer; under the text that of before.
const NEXT = "the next word";
const CAME = "the likeliest came";
const FITS = "still a sentence?";
const BEFORE = "temperature {temperature}: {words}";

// What the word is drawn from: one whole, cut into shares, the largest first.
const STRIP = { least: 130, below: 52 }; // its height, and to the floor
const ABOVE = 48; // over the strip: the dart that runs, the number where it fell
const NAME = -8; // from the middle of the strip to the feet of the words and of their shares
const SHARE = 24;
const MARGIN = 4; // of a word in its part
const LEAST_LETTERS = 5; // of a word that is cut: fewer say nothing
const DARKEST = 0.6; // of the leader: the letters of all parts have one ink
const LEAST = 3; // what was drawn is never narrower
const GAP = 12; // between the strips of a whole text
const KEY = { "the likeliest": 0, "another came": 190, dart: 386 }; // where it begins, over them
const SIGN = { above: 34, side: 18, word: 26 }; // of the key
const TOLD = "one whole, cut into shares";

// The dart runs along the strip, falls, and only then is its word seen, then the number.
const DART = { half: 11, high: 32, runs: -14, lands: 12, label: -26 };
const RUN = 700; // milliseconds until it has landed
const RUNS = 0.72; // of them along the strip
const LIGHTS = 150;
const SEEN = LIGHTS + GLIDE; // from the landing until the word is in its slot

// What is said while the answer is veiled: before a word, before a dart that has fallen draws
// another, and before a whole text.
const VEILED = {
  word: {
    veil: "the shares of all words",
    caption: "Predict: which word comes next? Enter shows what the model says.",
  },
  dart: {
    veil: "the strip, cut anew",
    caption: "Predict: the dart stays where it fell. Enter cuts the strip anew.",
  },
  whole: {
    veil: "what the darts write",
    caption: "Predict: rarely, mostly, always? Enter shows the whole text.",
  },
  hot: {
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
const isWhole = ({ picture, pinned, hovered, veiled }) =>
  picture.stopped && (hovered ?? pinned) === null && !veiled;

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
  const { fell } = steps[asked];
  const open = { ...steps[asked], word: "", fell: stopped ? null : fell }; // each has its own dart
  const seen = { ...picture, steps: [...steps.slice(0, asked), open] };
  return { ...state, pinned: null, hovered: null, picture: seen };
}

/** The words as they are written, where each stands, and the lines that fit into this height. */
function places(state, height) {
  const { prompt } = state.picture;
  const shown = wordsOf(state.picture).map((word) => short(word, LONGEST_WORD));
  const boxes = wrap(shown, ROOM - MORE);
  const count = boxes.at(-1)[0] + 1;
  const room = Math.floor((height - ABOVE - STRIP.least - STRIP.below) / PITCH);
  const lines = clamp(Math.min(count, room), LINES.least, LINES.most);
  const [seen] = boxes[prompt.length + stepOf(state)];
  return { shown, boxes, count, lines, first: firstLine(seen, count, lines) };
}

/** True if this step was drawn by the reader's last gesture, so that the dart is seen to fall. */
function isFresh(state, i) {
  const step = state.picture.steps[i];
  const was = state.before?.picture.steps[i];
  const isLast = i === state.picture.steps.length - 1 && i === stepOf(state);
  const isNew = state.before !== null && !(was?.word && was.fell === step.fell);
  return isNew && isLast && step.word !== "" && !state.picture.stopped;
}

/** Milliseconds until the dart has landed, and until the answer is said. */
function moments(state, i) {
  if (!isFresh(state, i)) return { lands: 0, answers: 0 };
  return { lands: RUN, answers: RUN + SEEN };
}

/** Where the parts of a strip begin and end, from 0 to 1. */
export function edgesOf(parts) {
  const edges = [0];
  for (const part of parts) edges.push(edges.at(-1) + part.now);
  return edges;
}

/** What was drawn has an outline on the strip. */
function cameOf(i, state, { top, high, shares, width }) {
  const { parts, chosen } = state.picture.steps[i];
  const [left, right] = edgesOf(parts).slice(chosen).map(shares.at);
  const x = Math.min(left, width - LEAST);
  const { lands } = moments(state, i);
  const light = { rx: 0, delay: lands, glide: lands ? LIGHTS : GLIDE };
  const box = { x, y: top, w: Math.max(right - x, LEAST), h: high };
  return rect(`came ${i}`, "came", box, light);
}

/** Whether a word of a whole text is another than the likeliest: the key says that it is yellow. */
const isAnother = ({ picture: { steps, stopped } }, i) =>
  stopped && steps[i].word && steps[i].chosen > 0;

/** One word of the text, and its place to click. */
function wordMarks(i, state, at, strip, act) {
  const { prompt, steps } = state.picture;
  const [line, x, w] = at.boxes[i];
  const top = TOP + (line - at.first) * PITCH;
  if (line < at.first || line >= at.first + at.lines) return [];
  const number = i - prompt.length;
  const step = steps[number];
  const place = [x + w / 2, top + FOOT];
  if (!step) return [text(`text ${i}`, "", place, at.shown[i], { size: WORD })];
  const isHere = number === stepOf(state) && !isWhole(state);
  const { lands } = moments(state, number);
  const box = { x: Math.max(0, x - SPOT.side), w: w + 2 * SPOT.side, y: top, h: SPOT.h };
  const look = { rx: 8, delay: lands };
  const mark = isAnother(state, number) ? [rect(`another ${number}`, "changed", box, look)] : [];
  const isPinned = isHere && state.pinned === number;
  const spot = rect(`spot ${number}`, isHere ? "spot focused here" : "spot pick", box, {
    ...look,
    pick: () => act.change({ pinned: isPinned ? null : number, hovered: null }),
    hover: () => isHere || act.change({ hovered: number }), // a falling dart is not held up
  });
  const slot = step.word ? [slotMark(number, state, place, at, strip)] : [];
  return [...mark, ...slot, spot];
}

/** The word in its slot, where it flies out of the strip. */
function slotMark(i, state, place, { shown }, strip) {
  const { picture } = state;
  const step = picture.steps[i];
  const word = shown[picture.prompt.length + i];
  const kind = isAnother(state, i) ? "written marked" : "written";
  if (!isFresh(state, i)) return text(`written ${i}`, kind, place, word, { size: WORD });
  const edges = edgesOf(step.parts);
  const x = strip.shares.at((edges[step.chosen] + edges[step.chosen + 1]) / 2);
  const { lands } = moments(state, i);
  const from = { x, y: strip.top + strip.high / 2 + NAME, size: LABEL, o: 0 };
  return text(`written ${i}`, kind, place, word, { size: WORD, delay: lands + LIGHTS, from });
}

/** The words at their places. */
function textMarks(state, at, strip, act) {
  const marks = at.shown.flatMap((_, i) => wordMarks(i, state, at, strip, act));
  const dots = (where, line) => {
    const foot = [ROOM, TOP + line * PITCH + FOOT];
    return text(`dots ${where}`, "faint", foot, DOTS, { size: WORD, ...RIGHT_END });
  };
  if (at.first > 0) marks.push(dots("above", 0));
  if (at.count > at.first + at.lines) marks.push(dots("below", at.lines - 1));
  const before = writtenBefore(state);
  const place = [0, TOP + at.count * PITCH + FOOT];
  if (before && at.count < at.lines)
    marks.push(text("before", "ghosted", place, fit(before, ROOM), LEFT_END));
  return marks;
}

/** A word as it stands in so much room with its share; "" where there is none for both. */
function nameOf({ word, digits, isWord }, wide) {
  const name = fit(word, wide - 2 * MARGIN);
  const isNamed = name === word || (isWord && [...name].length > LEAST_LETTERS);
  return isNamed && digits ? name : "";
}

/** One part of the strip: a word, or the others together; its share if there is room. */
function partMarks(k, i, state, edges, { top, high, shares }) {
  const step = state.picture.steps[i];
  const { now, digits, isWord } = step.parts[k];
  const [left, right] = [edges[k], edges[k + 1]].map(shares.at);
  const most = Math.max(...step.parts.map((part) => (part.isWord ? part.now : 0)));
  const shade = (DARKEST * now) / most;
  const tint = isWord ? { tint: shade } : {};
  const box = { x: left, y: top, w: right - left, h: high };
  const id = `${i} part ${k}`;
  const marks = [rect(id, isWord ? "frame" : "frame spread", box, { rx: 0, ...tint })];
  const name = nameOf(step.parts[k], right - left);
  if (!name) return { marks, words: [] };
  const motion = { ...tint, delay: moments(state, i).lands };
  const said = (what, foot, words) => {
    const place = [(left + right) / 2, top + high / 2 + foot];
    return text(`${id} ${what}`, "", place, words, motion);
  };
  return { marks, words: [said("word", NAME, name), said("share", SHARE, digits)] };
}

/** Where the dart fell, and on which word, if there is no room for its name on the strip. */
function fellOf({ word, chosen, fell_digits, parts }, { width }) {
  const isNamed = !word || nameOf(parts[chosen], parts[chosen].now * width);
  return isNamed ? fell_digits : `${fell_digits}: ${short(word, LONGEST_LABEL)}`;
}

/** The dart, once it is thrown: it runs from the left along the strip to its place, and falls. */
function dartMarks(i, step, strip, fresh) {
  const { fell } = step;
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
  const told = fellOf(step, strip);
  const half = widthOf(told) / 2;
  const x = clamp(strip.shares.at(fell), half, strip.width - half);
  const place = [x, strip.top + DART.label];
  const label = text(`fell at ${i}`, "bold", place, told, { delay: fresh ? RUN : 0 });
  return { dart: [{ id: `dart ${i} ${fell}`, ...mark, t: 1 }], label: [label] };
}

/** What the word is drawn from; hatched until it is asked for. */
function stripMarks(state, strip, act) {
  if (isWhole(state)) return [...keyOf(strip), ...uprights(state, strip)];
  const i = stepOf(state);
  const step = state.picture.steps[i];
  const axis = state.picture.stopped ? [] : ticksAcross(strip.shares, ENDS, strip.floor);
  const thrown = dartMarks(i, step, strip, isFresh(state, i));
  if (state.veiled) {
    const box = { x: 0, y: strip.top, w: strip.width, h: strip.high };
    return [...axis, ...veil(box, state.asked.veil, act), ...thrown.label, ...thrown.dart];
  }
  const edges = edgesOf(step.parts);
  const parts = step.parts.map((_, k) => partMarks(k, i, state, edges, strip));
  return [
    ...thrown.label,
    ...parts.flatMap(({ marks }) => marks),
    ...(step.word ? [cameOf(i, state, strip)] : []),
    ...parts.flatMap(({ words }) => words),
    ...axis,
    text("told", "ghosted", [strip.width / 2, strip.floor], TOLD),
    ...thrown.dart,
  ];
}

const toTheRight = ({ x, y }) => `M${x},${y - 9}v18l9,-9Z`;

/** A dart that falls on an upright strip. */
const sideways = (id, x, y) => ({ id, class: "ink", d: toTheRight, x, y });

/** What the colours of the upright strips mean, and their darts. */
function keyOf({ top }) {
  const [y, { side, word }] = [top - SIGN.above, SIGN];
  const sign = (kind, x, more) => rect(`key at ${x}`, kind, { x, y, w: side, h: side }, more);
  return [
    sign("frame", KEY["the likeliest"], { tint: DARKEST }),
    sign("changed", KEY["another came"]),
    sideways("key dart", KEY.dart, y + side / 2),
    ...Object.entries(KEY).map(([name, x]) =>
      text(`key of ${name}`, "", [x + word, y + side - 1], name, LEFT_END),
    ),
  ];
}

/** The strips of a whole text, upright: the likeliest, and in yellow what else the dart hit. */
function uprights(state, { width, top, high, floor }) {
  const { steps } = state.picture;
  const pitch = (width + GAP) / steps.length;
  const upward = scale({ domain: [0, 1], range: [top + high, top] });
  return steps.flatMap((step, i) => {
    const { parts, chosen, fell, word } = step;
    const across = { x: i * pitch, w: pitch - GAP };
    const edges = edgesOf(parts).map(upward.at);
    const part = (id, kind, k, look) => {
      const box = { ...across, y: edges[k + 1], h: Math.max(LEAST, edges[k] - edges[k + 1]) };
      return rect(`${id} ${i}`, kind, box, { rx: 0, ...look });
    };
    const middle = [across.x + across.w / 2, floor];
    return [
      rect(`upright ${i}`, "frame", { ...across, y: top, h: high }, { rx: 0 }),
      part("likeliest", "frame", 0, { tint: DARKEST }),
      ...(isAnother(state, i) ? [part("came", "changed", chosen)] : []),
      sideways(`dart ${i} ${fell}`, across.x, upward.at(fell)),
      ...(widthOf(word) <= across.w ? [text(`named ${i}`, "", middle, word)] : []),
    ];
  });
}

/** The word that came, or what is asked of a whole text; "?" until it has. */
function answerMarks(state, act) {
  const { fits, came, stopped } = state.picture;
  const whole = fits ? FITS : CAME;
  if (isWhole(state)) return answer({ words: fits || came, label: whole }, act);
  const i = stepOf(state);
  const label = state.veiled && stopped ? whole : NEXT;
  const words = short(state.picture.steps[i].word, LONGEST_LABEL);
  return answer({ words, label, veiled: !words, after: moments(state, i).answers }, act);
}

const wordsOf = ({ prompt, steps }) => [...prompt, ...steps.map(({ word }) => word)];

/** What was written at the temperature of before, as one line; "" where nothing was. */
function writtenBefore({ picture, before }) {
  const was = before?.picture;
  if (!picture.fits || !was?.stopped || was.fits) return "";
  const words = wordsOf(was).filter((word) => !word.startsWith("<"));
  return fillIn(BEFORE, { temperature: was.temperature, words: words.join(" ") });
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const { width, height } = room;
  const seen = { ...readable(state), asked: veiledWords(state) };
  const at = places(seen, height);
  const top = at.lines * PITCH + ABOVE;
  const shares = scale({ domain: [0, 1], range: [0, width] });
  const strip = { width, top, high: height - top - STRIP.below, shares, floor: height - 4 };
  return [
    ...textMarks(seen, at, strip, act),
    ...stripMarks(seen, strip, act),
    ...answerMarks(seen, act),
  ];
}

/** The sentence that says what the word was drawn from. */
export function caption(state) {
  if (state.veiled) return veiledWords(state).caption;
  const { steps, stopped, whole } = state.picture;
  return isWhole(state) ? whole : `${steps[stepOf(state)].says} ${stopped}`.trim();
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
  looks: { came: drawn("ink", 5) },
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
