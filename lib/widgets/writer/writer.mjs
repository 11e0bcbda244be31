// A text that is written on word by word: a dart falls on the strip of shares and draws the next.
import { ticksAcross, scale } from "../frame/axes.mjs";
import { along, clamp, fillIn, short } from "../frame/frame.mjs";
import { answer, breakLines, fit, widthOf } from "../frame/lettering.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { LABEL } from "../frame/marks.mjs";
import { GLIDE, mix } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, BASELINE, dot, rect, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

// The text, in lines of words; under each that was drawn stands its strip, folded to a bar.
const WORD = 40; // letters
const FOOT = 38; // from the top of a line down to the foot of its words
const BAR = { top: 54, below: 12, least: 40, most: 110, half: 10 };
const DOT = 6; // where a dart fell on a folded strip; on a low one it hides less
const LOW = { high: 110, dot: 4 };
const BARE_PITCH = 60; // from a line to the next, without bars
const LOWEST_PITCH = 84; // from a line to the next
const LINES = 2;
const ROOM = 880; // beside the answer
const MORE = 34; // at the end of a line, for the dots that say that there is more
const SPACE = 14; // from word to word
const NARROWEST = 56;
const LONGEST_WORD = 24; // letters
const LONGEST_LABEL = 14;
const DOTS = "\u2026";

// A whole text is seen alone, in the largest letters that need the fewest lines, over its strips.
const SIZES = [64, 56, 48, 40, 36, 32, 28, 24];
const WHOLE = { down: 0, foot: 0.95, top: 1.35, half: 0.4, below: 12, lines: 3 };
const UNDER = 128; // from the top of the answer down to where a line has all the width
// What is asked of it stands under the answer.
const CAME = "the likeliest came";
const FITS = "a sentence of the grammar?";

// A text of which it is asked whether it is a sentence, and below it the one before: no strips.
// Only the first line ends beside the answer, the others beside what is said below that.
const ASKED = {
  sizes: [52, 48, 40, 36, 32, 28, 24],
  line: 1.3,
  apart: 0.5,
  under: 160, // from here on a line has all the width
  first: 1000,
  room: 800,
};
const BEFORE = "before: {words}"; // what the darts wrote then

// What a folded strip is, left of the first.
const LEGEND = {
  ...{ came: "what came", likeliest: "the likeliest", dart: "the dart" },
  ...{ words: 28, line: 36, box: 18, ends: 8, apart: 22 },
};

// What the word is drawn from: one whole, cut into shares, the largest first.
const STRIP = { least: 96, most: 150, ofRoom: 1 / 3, below: 52 }; // its height, and to the floor
const ABOVE = 62; // over the strip: the dart that runs, the number where it fell
const NAME = -8; // from the middle of the strip to the feet of the words and of their shares
const SHARE = 24;
const MARGIN = 4; // of a word in its part
const LEAST_LETTERS = 5; // of a word that is cut: fewer say nothing
const DARKEST = 0.6; // of the leader: the letters of all parts have one ink
const FINEST = 4; // from one cut of a bar to the next
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

/**
 * Where the words go, [line, x, width] each, when a line, or the first, has this much room.
 */
export function wrap(words, room, size = WORD, first = room) {
  let line = 0;
  let next = 0;
  return words.map((word) => {
    const width = Math.min(room, Math.max(NARROWEST, widthOf(word, size)));
    const x = next + width > (line ? room : first) ? 0 : next;
    if (x < next) line += 1;
    next = x + width + SPACE;
    return [line, x, width];
  });
}

/** The first line of so many that is shown: as late as can be, with the line `seen` in view. */
export const firstLine = (seen, lines, shown) => clamp(lines - shown, 0, seen);

/** The step that is looked at: the one pointed at, the one clicked, or the newest. */
function stepOf({ picture, pinned, hovered }) {
  return hovered ?? pinned ?? picture.steps.length - 1;
}

/** True while a whole text is looked at, and no word of it alone. */
const isWhole = ({ picture, pinned, veiled }) => picture.stopped && pinned === null && !veiled;

/** What is said while the answer is veiled. */
function veiledWords({ picture: { steps, stopped, fits } }) {
  if (!steps[0].word) return VEILED.word;
  if (!stopped) return VEILED.dart;
  return fits ? VEILED.hot : VEILED.whole;
}

/** True while a whole text is veiled. */
const asksText = ({ veiled, picture }) => veiled && picture.stopped !== "";

/** The state as the text shows it: while it is veiled, without the words that are asked for. */
function readable(state) {
  if (!state.veiled) return state;
  const { picture } = state;
  const { steps, stopped } = picture;
  const shown = stopped ? [] : [...steps.slice(0, -1), { ...steps.at(-1), word: "" }];
  return { ...state, pinned: null, hovered: null, picture: { ...picture, steps: shown } };
}

/** The words as they are written, where each stands, and the lines that fit into this height. */
function places(state, height) {
  const { prompt, steps, stopped } = state.picture;
  const shown = shownOf(state);
  const boxes = wrap(shown, ROOM - MORE);
  const lineOf = (place) => boxes[place]?.[0] ?? 0; // a veiled text without a prompt has no words
  const count = lineOf(boxes.length - 1) + 1;
  const lines = Math.min(count, clamp(Math.floor(height / LOWEST_PITCH), 1, LINES));
  const seen = lineOf(prompt.length + (state.pinned ?? steps.length - 1));
  const first = firstLine(seen, count, lines);
  // Between two lines, bars would part the words from what comes: they wait for the whole text.
  const high = Math.min(height / lines - BAR.top - BAR.below, BAR.most);
  const hasBars = high >= BAR.least && (lines === 1 || stopped !== "") && !asksText(state);
  const pitch = hasBars ? BAR.top + high + BAR.below : Math.min(height / lines, BARE_PITCH);
  // Until there are bars to see, the text stands close to the strip that its word flies out of.
  const down = steps.length === 1 && lines === 1 ? height - BARE_PITCH : 0;
  const bars = { ...BAR, down: Math.max(0, down), foot: FOOT, size: WORD, room: ROOM };
  return { ...bars, shown, boxes, count, lines, first, pitch, hasBars };
}

/** The same for a whole text over its strips, beside the answer. */
function placesOfWhole(state, { width, height }) {
  const shown = shownOf(state);
  const { lines: most, ...look } = WHOLE;
  const beside = ROOM - MORE;
  const boxesAt = (size, room) => wrap(shown, room, size, beside);
  const linesAt = (size, room) => boxesAt(size, room).at(-1)[0] + 1;
  // Only the first line stands beside the answer; in a low room, or where that one is not seen,
  // all are as short.
  const isFirst = height / most >= UNDER && linesAt(SIZES.at(-1), width - MORE) <= most;
  const room = isFirst ? width - MORE : beside;
  const fewest = Math.min(most, linesAt(SIZES.at(-1), room));
  const size = SIZES.find((each) => linesAt(each, room) <= fewest) ?? SIZES.at(-1);
  const boxes = boxesAt(size, room);
  const count = boxes.at(-1)[0] + 1;
  const lines = Math.min(count, most);
  const places = { shown, boxes, count, lines, first: count - lines, pitch: height / lines };
  const inSize = Object.fromEntries(["top", "foot", "half"].map((of) => [of, WHOLE[of] * size]));
  return { ...look, ...places, ...inSize, size, room: room + MORE, hasBars: true };
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

/** A piece of a strip from one place on it (0 to 1) to another, however the strip lies. */
function piece({ x, y, toX, toY, sideX, sideY }, from, to) {
  const [left, top] = [mix(x, toX, from), mix(y, toY, from)];
  const [right, foot] = [mix(x, toX, to), mix(y, toY, to)];
  return (
    `M${left - sideX},${top - sideY}L${right - sideX},${foot - sideY}` +
    `L${right + sideX},${foot + sideY}L${left + sideX},${top + sideY}Z`
  );
}

/** All pieces of a strip; those that no eye tells apart are one. */
function cut(edges, length) {
  const seen = [0];
  for (const edge of edges) if ((edge - seen.at(-1)) * length >= FINEST) seen.push(edge);
  seen[Math.max(1, seen.length - 1)] = 1;
  return (lies) => seen.slice(1).reduce((path, edge, k) => path + piece(lies, seen[k], edge), "");
}

const drawnPiece = (lies) => piece(lies, lies.start, lies.end);

/** A step's strip as it lies, cut where its parts begin. */
function wholeOf(i, { picture }, lies) {
  const length = Math.hypot(lies.toX - lies.x, lies.toY - lies.y);
  return {
    id: `strip ${i}`,
    class: "strip",
    d: cut(edgesOf(picture.steps[i].parts), length),
    ...lies,
  };
}

/** What was drawn, on the strip as it lies: in yellow; of a whole text only the likeliest is. */
function cameOf(i, state, lies) {
  const { parts, chosen } = state.picture.steps[i];
  const [left, right] = edgesOf(parts).slice(chosen);
  const least = LEAST / Math.hypot(lies.toX - lies.x, lies.toY - lies.y);
  const end = Math.max(right, Math.min(1, left + least));
  const start = Math.min(left, end - least);
  const { lands } = moments(state, i);
  const light = { delay: lands, glide: lands ? LIGHTS : GLIDE };
  const kind = isWhole(state) && chosen > 0 ? "missed" : "came";
  return { id: `came ${i}`, class: kind, d: drawnPiece, ...lies, start, end, ...light };
}

/** A step's strip, folded to a bar with a dot where the dart fell. */
function barMarks(i, state, lies) {
  const marks = [wholeOf(i, state, lies), cameOf(i, state, lies)];
  const { fell } = state.picture.steps[i];
  const radius = lies.y - lies.toY < LOW.high ? LOW.dot : DOT;
  const y = clamp(mix(lies.y, lies.toY, fell), lies.toY + radius, lies.y - radius); // inside
  return [...marks, dot(`fell ${i}`, "ink", [lies.x, y], radius)];
}

/** One word of the text, its bar if it was drawn, and its place to click. */
function wordMarks(i, state, at, strip, act) {
  const { prompt, steps } = state.picture;
  const [line, x, w] = at.boxes[i];
  const top = at.down + (line - at.first) * at.pitch;
  if (line < at.first || line >= at.first + at.lines) return [];
  const number = i - prompt.length;
  const middle = x + w / 2;
  const step = steps[number];
  const place = [middle, top + at.foot];
  if (!step) return [text(`text ${i}`, "", place, at.shown[i], { size: at.size })];
  const isAlone = isWhole(state);
  const isHere = number === (isAlone ? state.hovered : stepOf(state));
  const foot = top + at.pitch - at.below;
  const bar = { x: middle, toX: middle, y: foot, toY: top + at.top, sideX: at.half, sideY: 0 };
  const h = at.hasBars && (isAlone || !isHere) ? foot - top + 4 : at.top - 2;
  const { lands } = moments(state, number);
  const box = { x: Math.max(0, x - 6), w: w + 12, y: top, h };
  const look = isHere ? "spot focused here" : "spot pick";
  const spot = rect(`spot ${number}`, look, box, {
    ...{ rx: 8, delay: lands },
    pick: () => act.change({ pinned: isAlone || !isHere ? number : null, hovered: null }),
    hover: () => isHere || act.change({ hovered: number }), // a falling dart is not held up
  });
  const isFolded = at.hasBars && (isAlone || !isHere) && step.word;
  const folded = isFolded ? barMarks(number, state, bar) : [];
  const slot = step.word ? [slotMark(number, state, place, at, strip)] : [];
  return [...folded, ...slot, spot];
}

/** The word in its slot, where it flies out of the strip. */
function slotMark(i, state, place, { shown, size }, strip) {
  const { picture } = state;
  const step = picture.steps[i];
  const word = shown[picture.prompt.length + i];
  if (!isFresh(state, i)) return text(`written ${i}`, "written", place, word, { size });
  const edges = edgesOf(step.parts);
  const x = strip.shares.at((edges[step.chosen] + edges[step.chosen + 1]) / 2);
  const { lands } = moments(state, i);
  const from = { x, y: strip.top + strip.high / 2 + NAME, size: LABEL, o: 0 };
  return text(`written ${i}`, "written", place, word, { size, delay: lands + LIGHTS, from });
}

/** The words at their places, and their strips. */
function textMarks(state, at, strip, act) {
  const marks = at.shown.flatMap((_, i) => wordMarks(i, state, at, strip, act));
  const dots = (where, y) =>
    text(`dots ${where}`, "faint", [at.room, y], DOTS, { size: at.size, ...RIGHT_END });
  if (at.first > 0) marks.push(dots("above", at.down + at.foot));
  const last = at.down + (at.lines - 1) * at.pitch + at.foot;
  if (at.count > at.first + at.lines) marks.push(dots("below", last));
  return [...marks, ...legend(state, at)];
}

/** What the folded strips are, under the prompt, if that leaves room for it. */
function legend(state, at) {
  const { picture } = state;
  const came = isWhole(state) ? LEGEND.likeliest : LEGEND.came;
  const isFolded = at.hasBars && picture.steps.length > 1 && picture.steps[0].word;
  if (!isFolded) return [];
  const [line, x, w] = at.boxes[picture.prompt.length];
  const end = x + w / 2 - at.half - LEGEND.ends;
  const room = LEGEND.words + widthOf(came) + LEGEND.apart;
  if (at.first > 0 || line > 0 || end < room) return [];
  const [top, foot] = [at.top, at.pitch - at.below];
  const middle = (top + foot) / 2;
  const { box } = LEGEND;
  const rows = [middle - LEGEND.line / 2, middle + LEGEND.line / 2];
  const words = (id, y, said) => text(id, "", [LEGEND.words, y + BASELINE], said, LEFT_END);
  return [
    text("one end", "faint", [end, top + 2 * BASELINE], "1", RIGHT_END),
    text("zero end", "faint", [end, foot], "0", RIGHT_END),
    rect("yellow", "came", { x: 0, y: rows[0] - box / 2, w: box, h: box }, { rx: 0 }),
    words("yellow is", rows[0], came),
    dot("black", "ink", [box / 2, rows[1]], DOT),
    words("black is", rows[1], LEGEND.dart),
  ];
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
  const side = strip.high / 2;
  const middle = strip.top + side;
  const lies = { x: 0, toX: strip.width, y: middle, toY: middle, sideX: 0, sideY: side };
  const model = modelRow(i, step, strip);
  return [
    ...thrown.label,
    ...(step.word ? [wholeOf(i, state, lies)] : []),
    ...parts.flatMap(({ marks }) => marks),
    ...(step.word ? [cameOf(i, state, lies)] : []),
    ...parts.flatMap(({ words }) => words),
    ...model.marks,
    ...axis,
    text(`told ${model.told}`, "ghosted", [strip.width / 2, strip.floor], model.told),
    ...thrown.dart,
  ];
}

/** The word that came; "?" until it has. */
function answerMarks(state, act) {
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

/** The words of the prompt, and the text after it veiled. */
function veiledText(state, { height }, strip, act) {
  const at = places(state, height - ABOVE);
  const y = at.lines * at.pitch + SPACE;
  const { label, veil: said } = state.asked;
  return [
    ...textMarks(state, at, strip, act),
    ...veil({ x: 0, y, w: ROOM, h: height - y }, said, act),
    ...answer({ label, veiled: true }, act),
  ];
}

/** A whole text, and the answer: whether it is a sentence, or how often the likeliest came. */
function wholeText(state, room, strip, act) {
  const { fits, came } = state.picture;
  if (fits) return askedText(state, room, strip, act);
  const told = answer({ words: came, label: CAME }, act);
  return [...textMarks(state, placesOfWhole(state, room), strip, act), ...told];
}

/** The text that is asked about, under it what was written at the temperature of before. */
function askedText(state, room, strip, act) {
  const at = placesOfAsked(state, room);
  const { size, pitch, before } = at;
  const y = at.under + at.foot;
  return [
    ...textMarks(state, at, strip, act),
    ...before.map((line, i) =>
      text(`before ${i}`, "faint", [0, y + i * pitch], line, { size, ...LEFT_END }),
    ),
    ...answer({ words: state.picture.fits, label: FITS }, act),
  ];
}

/** Where the words of both texts stand, in the largest letters that the room has. */
function placesOfAsked(state, { width, height }) {
  const words = shownOf(state);
  const placesIn = (size) => {
    const wide = (part) => widthOf(part, size);
    const boxes = wrap(words, ASKED.room, size, ASKED.first);
    const before = breakLines(writtenBefore(state), width, wide).filter(Boolean);
    const [pitch, count] = [size * ASKED.line, boxes.at(-1)[0] + 1];
    const under = Math.max(ASKED.under, (count + ASKED.apart) * pitch);
    const end = before.length > 0 ? under + before.length * pitch : count * pitch;
    return { size, pitch, boxes, count, before, under, end };
  };
  const tries = ASKED.sizes.map(placesIn);
  const found = tries.find(({ end }) => end <= height) ?? tries.at(-1);
  const { size, pitch, count } = found;
  const lines = { first: 0, lines: count, hasBars: false, down: 0, room: ASKED.room };
  return { ...found, ...lines, shown: words, foot: size, top: pitch, half: 0, below: 0 };
}

const wordsOf = ({ prompt, steps }) => [...prompt, ...steps.map(({ word }) => word)];
const shownOf = ({ picture }) => wordsOf(picture).map((word) => short(word, LONGEST_WORD));

/** What was written at the temperature of before, as one line; "" where nothing was. */
function writtenBefore({ before }) {
  const was = before?.picture;
  if (!was?.stopped || was.fits) return "";
  const words = wordsOf(was).filter((word) => !word.startsWith("<"));
  return fillIn(BEFORE, { words: words.join(" ") });
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
  if (isWhole(seen)) return wholeText(seen, room, strip, act);
  if (asksText(seen)) return veiledText(seen, room, strip, act);
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
    strip: { ...drawn("ghost", 1.5), ...filled("paper") },
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
