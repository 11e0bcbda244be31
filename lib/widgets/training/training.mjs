// What a model writes while it learns, its curves, the hall's bets, and the step that is asked for.
import { roundNumbers, scale, ticksAcross } from "../frame/axes.mjs";
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { interrupt } from "../frame/interrupt.mjs";
import { answer, fit, STAGE, widthOf } from "../frame/lettering.mjs";
import { CURVE, drawn, filled } from "../frame/looks.mjs";
import { dot, LEFT_END, rect, RIGHT_END, text, veil } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

export const WIDTH = 716; // of the room, beside the map
const LEFT = 72; // of the chart: beside it the numbers of its height
const RIGHT = { plain: 66, asked: 210 }; // beside it: there stands the step that is asked for
const TOP = { bare: 40, reads: 92, plain: 168 }; // of the chart: what stands above it differs
const HEIGHT = 22; // from the top of the chart up to the foot of what its height is
const BELOW = { plain: 72, named: 42 }; // from the chart to the end of the room, without the names
const NAMES = 34; // from the floor down to the ticks
const LINE = 30;
const GOAL = 0.99; // of a share: a flag stands where it is reached
const LEAST = 1e-9; // of a loss: a logarithm of 0 has no place
const ENDS = [1, 2, 5]; // times a power of ten: the ends of the axis of losses
const KEY = 30; // the line that says which curve a name is of
const BETWEEN = 28; // two names in a line
const FULL = 1.1; // times a first loss is the height of the chart, beside what is asked
const READS = { foot: 28, size: 28 }; // the sentence that is translated
const WRITES = { size: 32, weight: 650, line: 40, after: 18 }; // its translation, so far beside it
const MARK = { above: 27, h: 37, side: 3 }; // behind a new word
const TOLD = 60; // so far below the top of the chart is the step that is asked for
const NEAR = 96; // so near to it stands no other number of its axis
const FROM = 14; // from a loss to its number
const BASE = 8; // from the middle of a line of letters down to its foot
const SMALL = 0.1; // a smaller loss has more digits: 0.000 and 0.000 could not be compared
const MOST_PLACES = 6;
// Flags on the axis of steps; nearer than `apart` two numbers would touch.
const BETS = { most: 9, high: 88, wide: 44, near: 0.03, moves: 40, apart: 68 };

const across = ({ x, y, w }) => `M${x},${y}h${w}`;
const upright = ({ x, y, foot }) => `M${x},${foot}V${y}`;
const pennant = ({ x, y, foot }) => `M${x},${foot}V${y}h${BETS.wide}l-14,16l14,16h${-BETS.wide}Z`;

/** The first step at which a share is 0.99, or null. */
export function crossing(x, shares) {
  const first = shares.findIndex((share) => share >= GOAL);
  return first < 0 ? null : x[first];
}

/** A share with three digits; of a small loss the first three that are not 0: 0.00312. */
export function reading(value, top) {
  if (top || value >= SMALL || value <= 0) return digits(value, 3);
  return digits(value, Math.min(MOST_PLACES, 2 - Math.floor(Math.log10(value))));
}

/** The step at which the share that is asked for is 0.99, or null. */
const reachedIn = (state) => crossing(state.x, shareOf(state));

const shareOf = (state) => state.ys[state.tops.findIndex(Boolean)] ?? [];

/** The place among the reports that is looked at: the newest, or where the pointer is. */
function placeOf({ x, here }) {
  if (here === null || x.length === 0) return x.length - 1;
  return clamp(here, 0, x.length - 1);
}

/** The end of an axis next to a number: 1, 2 or 5 times a power of ten, below it or above. */
export function endOf(value, above) {
  const power = 10 ** Math.floor(Math.log10(value));
  const ends = [...ENDS, 10 * ENDS[0]].map((end) => end * power);
  const tiny = 1e-9 * power;
  return above
    ? ends.find((end) => end >= value - tiny)
    : ends.findLast((end) => end <= value + tiny);
}

/** The lowest and the highest of the axis of losses. */
function lossEnds(state) {
  const losses = state.ys.filter((_, i) => !state.tops[i]).flat();
  const seen = losses.filter((loss) => loss > LEAST);
  if (seen.length === 0) return [ENDS[0] / 10, ENDS[0]];
  const [low, high] = [endOf(Math.min(...seen), false), endOf(Math.max(...seen), true)];
  return low < high ? [low, high] : [low / 10, high];
}

/** Whether a number of steps is asked for; then the losses have no axis beside the shares'. */
const isAsked = (state) => state.goal && state.tops.some(Boolean);

const isEmpty = (state) => state.x.length === 0;
/** Whether nothing is there yet of what is asked. */
const isAwaited = (state) => isAsked(state) && isEmpty(state);

/** Whether bets are taken: until it starts. */
const isOpen = (state) => isAwaited(state) && !state.running;

/** Whether the model translates: until the first step, that is what is waited for. */
const isWriting = (state) => state.texts.some(Boolean) || isAwaited(state);

/** Whether one share is asked for: then each loss has its name where it has come to. */
const isNamed = (state) => isAsked(state) && state.tops.filter(Boolean).length === 1;

/** Where what is written at the top may begin: beside what is read, or below it, if it is long. */
function besideReads({ reads, wanted }, width) {
  const beside = widthOf(toRead(reads), READS.size) + WRITES.after;
  return beside + wide(wanted.join(" ")) <= width ? beside : 0;
}

const toRead = (reads) => `${reads.join(" ")} \u2192`;
const wide = (words) => widthOf(words, WRITES.size, WRITES.weight);

/** Above the chart stands what is read, and what is written where it is all right. */
function topOf(state, beside) {
  if (isWriting(state)) return TOP.reads + (beside ? 0 : WRITES.line);
  return state.answer && !isAsked(state) ? TOP.plain : TOP.bare;
}

/** The heights of losses: logarithmic, or beside what is asked from 0 on, as shares are. */
function lossesOf(state, ends, range) {
  if (isAsked(state)) {
    const firsts = state.names.map((_, i) => (state.tops[i] ? 0 : (state.ys[i][0] ?? 0)));
    return scale({ domain: [0, FULL * Math.max(LEAST, ...firsts)], range, clamped: true });
  }
  const logs = scale({ domain: ends.map(Math.log10), range, clamped: true });
  return { at: (loss) => logs.at(Math.log10(Math.max(LEAST, loss))) };
}

/** Where everything stands: the shares go from 0 to 1. */
function geometry(state, { width, height }) {
  const labels = labelsOf(state, width);
  const below = isNamed(state) ? BELOW.named : BELOW.plain;
  const floor = height - below - LINE * (labels.at(-1)?.line ?? 0);
  const begin = besideReads(state, width);
  const top = topOf(state, begin);
  const ends = lossEnds(state);
  const [left, right] = [LEFT, width - (isAsked(state) ? RIGHT.asked : RIGHT.plain)];
  return {
    ...{ width, floor, begin, top, labels, ends, left, right },
    steps: scale({ domain: [0, state.length], range: [left, right], clamped: true }),
    shares: scale({ domain: [0, 1], range: [floor, top], clamped: true }),
    losses: lossesOf(state, ends, [floor, top]),
  };
}

/** The names of the curves, in as few lines as it takes; their numbers stand in the sentence. */
function labelsOf(state, width) {
  if (isNamed(state)) return [];
  let x = 0;
  let line = 0;
  return state.names.map((name) => {
    const wide = KEY + 10 + widthOf(name);
    if (x > 0 && x + wide > width) {
      x = 0;
      line += 1;
    }
    const label = { name, x, line };
    x += wide + BETWEEN;
    return label;
  });
}

const BET = "Your bets? Click, or use \u2190 \u2192";
const STEPS = "{value} {axis}s"; // at the last number of the axis
const SHARE = "share {name}"; // what heights are
const ASKED = "{axis}s";
const COUNTED = "{axis}s so far";

/** The steps: no other stands beside the one that is asked for. */
function stepMarks(state, at) {
  const reached = isAsked(state) ? reachedIn(state) : null;
  const isNear = (value) => Math.abs(at.steps.at(value) - at.steps.at(reached)) < NEAR;
  const free = roundNumbers(state.length).filter((value) => reached === null || !isNear(value));
  const steps = free.map((value) => ({ value }));
  if (reached !== null) steps.push({ value: reached, class: "bold" });
  const last = steps.reduce((most, each) => (each.value > most.value ? each : most));
  last.text = fillIn(STEPS, { value: last.value, axis: state.axis });
  return ticksAcross(at.steps, steps, at.floor + NAMES);
}

/** The steps, and at the left what heights are: shares, or the ends of the losses. */
function axisMarks(state, at) {
  const floor = rect("floor", "rule", { x: at.left, w: at.right - at.left, y: at.floor, h: 2 });
  const marks = [floor, ...stepMarks(state, at)];
  if (isAsked(state)) return [...marks, ...goalMarks(state, at)];
  const losses = at.ends.map((value, i) =>
    text(`loss ${i}`, "faint", [at.left - 8, at.losses.at(value) + BASE], `${value}`, RIGHT_END),
  );
  const isSeen = !isEmpty(state) && state.tops.some((top) => !top);
  return [...marks, ...(isSeen ? losses : [])];
}

/** Where the one curve of shares meets the line at 99 %; until then the end of the axis. */
function meeting(state) {
  const [{ x, length }, shares] = [state, shareOf(state)];
  const now = shares.findIndex((share) => share >= GOAL);
  if (now < 1) return x[now] ?? length;
  const [before, range] = [shares, x].map((values) => values.slice(now - 1, now + 1));
  return scale({ domain: before, range }).at(GOAL);
}

/** The line at 99 %, and for each curve where it is reached: from there the step falls. */
function goalMarks(state, at) {
  const y = at.shares.at(GOAL);
  const flags = state.names.flatMap((_, i) => {
    const reached = state.tops[i] ? crossing(state.x, state.ys[i]) : null;
    if (reached === null) return [];
    const top = at.shares.at(state.ys[i][state.x.indexOf(reached)]);
    const from = { foot: top };
    const pole = { x: at.steps.at(reached), y: top, foot: at.floor, d: upright, from };
    const step = dot(`step ${i}`, "ink", [pole.x, at.floor], 10, { from: { y: top, o: 1 } });
    return [{ id: `flag ${i}`, class: "flag", ...pole }, step];
  });
  const name = fillIn(SHARE, { name: isNamed(state) ? state.names[state.tops.indexOf(1)] : "" });
  const end = isNamed(state) ? at.steps.at(meeting(state)) : at.right;
  const line = { x: at.left, y, w: end - at.left, d: across };
  return [
    text("height", "faint", [0, at.top - HEIGHT], name.trim(), LEFT_END),
    text("goal label", "faint", [at.left - BASE, y + BASE], "99 %", RIGHT_END),
    ...(isOpen(state) ? [] : [{ id: "goal", class: "ghost", ...line }]),
    ...flags,
  ];
}

/** The curves and their names. */
function curveMarks(state, at) {
  if (isAwaited(state)) return [];
  let drawn = 0;
  const marks = state.names.flatMap((_, i) => {
    const isBeside = isAsked(state) && !state.tops[i];
    const kind = isBeside ? "beside" : `curve-${drawn++}`;
    const heights = state.tops[i] ? at.shares : at.losses;
    const points = state.x.map((x, j) => `${at.steps.at(x)},${heights.at(state.ys[i][j])}`);
    const path = `M${points.join("L")}`;
    const key = isNamed(state) ? [] : keyMarks(at, i, kind);
    if (points.length === 0) return key;
    const ends = [state.x.at(-1), state.x[0]].map((x) => `${at.steps.at(x)},${at.floor}`);
    const area = { id: `area ${i}`, class: "spread", d: () => `${path}L${ends.join("L")}Z` };
    const isFilled = isNamed(state) && !isBeside;
    return [...(isFilled ? [area] : []), ...key, { id: `curve ${i}`, class: kind, d: () => path }];
  });
  return isNamed(state) ? [...marks, ...lossMarks(state, at)] : marks;
}

/** The name of a curve below the chart, and what its line is like. */
function keyMarks(at, i, kind) {
  const { name, x, line } = at.labels[i];
  const foot = at.floor + NAMES + LINE * (line + 1);
  return [
    text(`name ${i}`, "", [x + KEY + 10, foot], name, LEFT_END),
    { id: `key ${i}`, class: kind, x, y: foot - BASE, w: KEY, d: across },
  ];
}

/** From how much a loss falls, and where it has come to: it has no axis beside what is asked. */
function lossMarks(state, at) {
  const [first, newest] = [state.x[0], state.x.at(-1)].map((x) => at.steps.at(x) + FROM);
  return state.names.flatMap((name, i) => {
    if (state.tops[i]) return [];
    const [from, to] = [state.ys[i][0], state.ys[i].at(-1)].map((loss) => at.losses.at(loss));
    const told = (id, x, y, loss) =>
      text(id, "faint halo", [x, y + BASE], `${name} ${digits(loss)}`, LEFT_END);
    const foot = Math.min(to, at.floor - LINE / 2);
    const now = told(`name ${i}`, newest, foot, state.ys[i][placeOf(state)]);
    if (to - from < LINE) return [now];
    return [told(`name first ${i}`, first, from, state.ys[i][0]), now];
  });
}

const letters = (word) => word.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Whether all of a word stands in the right answer. */
export function isWanted(word, wanted) {
  const right = new Set(wanted.flatMap(letters));
  return letters(word).every((part) => right.has(part));
}

/** What is written: grey what the right answer does not have, yellow what is right and new. */
function wordMarks({ wanted }, line, [x, y], before) {
  const { size } = WRITES;
  let left = x;
  return line.split(" ").flatMap((word, i) => {
    const isRight = isWanted(word, wanted);
    const isNew = isRight && before && !isWanted(word, [before]);
    const kind = isRight ? "bold" : "bold faint";
    const mark = text(`writes ${i}`, kind, [left, y], word, { size, ...LEFT_END });
    const { above, h, side } = MARK;
    const box = { x: left - side, y: y - above, w: wide(word) + 2 * side, h };
    left += wide(`${word} `);
    return isNew ? [rect(`new ${i}`, "changed", box, { rx: 6 }), mark] : [mark];
  });
}

/** The place of the last attempt before this one that was another, or -1. */
export const attemptBefore = ({ texts }, now) =>
  texts.findLastIndex((each, i) => i < now && each && each !== texts[now]);

/** What the model reads, and what it writes: where it is right, or at the step looked at. */
function writtenMarks(state, at) {
  if (!isWriting(state)) return [];
  const words = fit(toRead(state.reads), at.width, READS.size);
  const reads = text("reads", "", [0, READS.foot], words, { size: READS.size, ...LEFT_END });
  const reached = state.here === null ? reachedIn(state) : null;
  const now = reached === null ? placeOf(state) : state.x.indexOf(reached);
  if (!state.texts[now]) return [reads];
  const line = fit(state.texts[now], at.width - at.begin, WRITES.size);
  const foot = READS.foot + (at.begin ? 0 : WRITES.line);
  const before = state.texts[attemptBefore(state, now)] ?? "";
  return [reads, ...wordMarks(state, line, [at.begin, foot], before)];
}

/** The number that answers the question, as answer() takes it; null where the map is the answer. */
function playOf(state) {
  const now = placeOf(state);
  const [first, second] = state.ys;
  const last = (values) => values[now] ?? 0;
  const whole = (value) => digits(value, 0);
  const plain = (value) => reading(value, state.tops[0]);
  const isOver = now >= 0 && state.x.at(-1) >= state.length;
  switch (state.answer) {
    case "reached": {
      const reached = reachedIn(state);
      const isCounting = reached === null && state.running && now >= 0;
      const label = fillIn(isCounting ? COUNTED : ASKED, state);
      const veiled = reached === null && !isCounting;
      const told = { label, veiled, isCounting, room: RIGHT.asked };
      return { number: reached ?? state.x.at(-1), format: whole, ...told };
    }
    case "last":
      return { number: last(first), format: plain, label: state.names[0], veiled: now < 0 };
    case "gap": {
      const gap = Math.abs(last(first) - last(second));
      return { number: gap, format: plain, label: "between the two", veiled: !isOver };
    }
    default:
      return null;
  }
}

function answerMarks(state, at, act) {
  const play = playOf(state);
  if (play === null) return [];
  const down = isAsked(state) || isWriting(state) ? at.top + TOLD : 0;
  const marks = answer({ ...play, x: at.width }, act);
  const told = state.answer === "reached" ? { glide: 1 } : {}; // no step between two reports
  if (play.isCounting) Object.assign(told, { class: "answer faint" });
  const ofNumber = ({ id }) => (id === "answer" ? told : {});
  return marks.map((mark) => ({ ...mark, ...ofNumber(mark), y: mark.y + down }));
}

/** The hall's bets, flags on the axis of steps; the one nearest to the answer is yellow. */
function betMarks(state, at) {
  if (!isAsked(state)) return [];
  const box = { x: at.left, w: at.right - at.left, y: at.top, h: at.floor - at.top };
  const hidden = isOpen(state) ? veil(box, BET, {}) : [];
  const seen = state.bets.length > 0 ? hidden.slice(0, 1) : hidden; // who has bet knows how
  const reached = reachedIn(state);
  const away = state.bets.map((bet) => Math.abs(bet - reached));
  const won = reached === null ? -1 : away.indexOf(Math.min(...away));
  const flags = state.bets.map((bet, i) => {
    const pole = { x: at.steps.at(bet), foot: at.floor, y: at.floor - BETS.high };
    return { id: `bet ${i}`, class: i === won ? "bet won" : "bet", d: pennant, ...pole };
  });
  return [...seen, ...flags, ...betNumbers(state, flags)];
}

/** The step of each bet above its flag; of two that are near, only that of the higher. */
function betNumbers({ bets }, flags) {
  const numbers = flags.map(({ x, y }, i) =>
    text(`bet number ${i}`, "bold halo", [x, y - BASE], digits(bets[i], 0), LEFT_END),
  );
  const isHigher = (away, isLater) => away > 0 || (away === 0 && isLater);
  const isCovered = ({ x }, i) =>
    numbers.some((next, j) => next.x - x < BETS.apart && isHigher(next.x - x, j > i));
  return numbers.filter((each, i) => !isCovered(each, i));
}

/** The bets with one more at this step, or without the one that stands there. */
function withBet({ bets, length }, step) {
  const here = bets.findIndex((bet) => Math.abs(bet - step) <= BETS.near * length);
  if (here >= 0) return bets.filter((_, i) => i !== here);
  return bets.length < BETS.most ? [...bets, Math.round(step)] : bets;
}

/** The line at the step that is looked at; while it learns, the end of the curve. */
function pointerMarks(state, at) {
  if (isEmpty(state)) return [];
  const x = at.steps.at(state.x[placeOf(state)]);
  const end = [x, at.shares.at(shareOf(state).at(-1))];
  if (state.here === null)
    return isNamed(state) && state.running ? [dot("newest", "ink", end, 7)] : [];
  const line = { x, y: at.top, foot: at.floor };
  return [{ id: "pointer", class: "pointer", focus: true, d: upright, ...line }];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const look = ([x]) => act.change({ here: nearest(state, at, x) });
  const bet = ([x]) => act.change({ bets: withBet(state, at.steps.back(x)) });
  const hold = { x: at.left, w: at.right - at.left, y: at.top - 10, h: at.floor - at.top + 20 };
  const curves = curveMarks(state, at);
  const isArea = ({ id }) => id.startsWith("area");
  const isName = ({ id }) => id.startsWith("name");
  return [
    ...curves.filter(isArea),
    ...axisMarks(state, at),
    ...pointerMarks(state, at),
    ...curves.filter((mark) => !isArea(mark) && !isName(mark)),
    ...betMarks(state, at),
    ...curves.filter(isName),
    ...writtenMarks(state, at),
    ...answerMarks(state, at, act),
    rect("hold", "pick", hold, isOpen(state) ? { pick: bet } : { hover: look, pick: look }),
  ];
}

/** The last report at or before a place of the picture. */
function nearest(state, at, x) {
  const value = at.steps.back(x);
  const found = state.x.findLastIndex((one) => one <= value);
  return found < 0 ? null : found;
}

/** A share in percent, with a digit after the point where that is not 0. */
const percent = (share) => Number(digits(100 * share, 1));

const BETS_SAID = "{waiting} Bets: {bets}.";

/** The sentence with the numbers of the step that is looked at. */
export function caption(state) {
  const now = placeOf(state);
  if (now < 0 && state.bets.length === 0) return state.waiting;
  if (now < 0) return fillIn(BETS_SAID, { waiting: state.waiting, bets: state.bets.join(", ") });
  const numbers = state.names.map((name, i) => {
    const value = state.ys[i][now];
    return state.tops[i] ? `${percent(value)} % ${name}` : `${name} ${reading(value, 0)}`;
  });
  const said = `${state.axis} ${state.x[now]}: ${numbers.join(", ")}`;
  return state.left ? `${said} \u00b7 ${state.left}` : said;
}

/** What a key does to the bets: the newest moves along the axis, Backspace takes it away. */
function betKey({ bets, length }, key) {
  if (key === "Backspace") return bets.length > 0 ? { bets: bets.slice(0, -1) } : null;
  if (key === " ") return { bets: withBet({ bets, length }, length / 2) };
  const move = { ArrowRight: length / BETS.moves, ArrowLeft: -length / BETS.moves }[key];
  if (!move) return null;
  const newest = clamp(Math.round((bets.at(-1) ?? length / 2) + move), 0, length);
  return { bets: [...bets.slice(0, -1), newest] };
}

/** What a key means: another step to look at; before the training, a bet. */
export function keysOf(state, key) {
  const count = state.x.length;
  if (count === 0) return isAsked(state) ? betKey(state, key) : null;
  if (key === "Escape") return { here: null };
  const next = step(key, [0, state.here ?? count], 1, count);
  return next && { here: next[1] };
}

const stop = (model) => interrupt(model) || model.send({ type: "stop" });

/** What Enter does: Stop, or train where this demo has a button for it. */
function nextOf(state) {
  if (state.running) return { label: "Stop", act: stop };
  const label = state.x.length > 0 ? "train again" : "train";
  return state.can_train ? { label, ask: { type: "train" } } : null;
}

/** Where there is nothing to walk along, Tab does not stop; who leaves sees the newest step. */
function staged(made, model) {
  const walk = () => {
    const takesBets = model.get("goal") && model.get("tops").some(Boolean);
    made.svg.tabIndex = takesBets || model.get("x").length > 0 ? 0 : -1;
  };
  model.on("change:x", walk);
  walk();
  made.svg.addEventListener("pointerleave", () => made.change({ here: null }));
}

export default demo({
  name: "curve",
  looks: {
    "curve-0": CURVE,
    "curve-1": { ...CURVE, stroke: "var(--curve-1)", "stroke-dasharray": "14 6" },
    "curve-2": { ...CURVE, stroke: "var(--curve-2)", "stroke-dasharray": "4 5" },
    "curve-3": { ...CURVE, stroke: "var(--ghost)", "stroke-dasharray": "14 5 4 5" },
    beside: drawn("ghost", 3, { "stroke-linejoin": "round" }),
    flag: drawn("ink", 3),
    bet: { ...drawn("ink", 3), ...filled("paper") },
    "bet.won": filled("lit"),
    pointer: drawn("faint", 2),
  },
  width: ({ alone }) => (alone ? STAGE.width : WIDTH),
  traits: [
    ...["names", "x", "ys", "tops", "length", "axis", "texts", "goal"],
    ...["waiting", "running", "left", "can_train", "answer", "bets", "reads", "wanted", "alone"],
  ],
  own: { here: null },
  keep: ["here"],
  layout,
  caption,
  keys: keysOf,
  next: nextOf,
  staged,
});
