// What a model writes while it learns, its curves, the hall's bets, and the step that is asked for.
import { roundNumbers, scale, ticksAcross, ticksUpward } from "../frame/axes.mjs";
import { clamp, digits, fillIn, step } from "../frame/frame.mjs";
import { interrupt } from "../frame/interrupt.mjs";
import { answer, fit, STAGE, widthOf } from "../frame/lettering.mjs";
import { CURVE, DASHED, drawn, filled } from "../frame/looks.mjs";
import { GLIDE } from "../frame/scene.mjs";
import { dot, LEFT_END, rect, RIGHT_END, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

export const WIDTH = 716; // of the room, beside the map
const LEFT = { plain: 80, asked: 144 }; // of the chart: beside it the numbers of its height
const RIGHT = { plain: 104, asked: 210 }; // beside it: there stands the step that is asked for
const TOP = { bare: 40, reads: 40, plain: 168 }; // of the chart, from what stands above it
const BELOW = 72; // from the chart to the end of the room, without the names
const NAMES = 34; // from the floor down to the ticks
const LINE = 30;
const GOAL = 0.99; // of a share: a flag stands where it is reached
const LEAST = 1e-9; // of a loss: a logarithm of 0 has no place
const ENDS = [1, 2, 5]; // times a power of ten: the ends of the axis of losses
const THICK = 6; // of the curve that is asked about
const KEY = 30; // the line that says which curve a name is of
const BETWEEN = 28; // two names in a line
const READS = { foot: 28, size: 28 }; // the sentence that is translated
const WRITES = { most: 64, weight: 650 }; // its translation, below it
const MARK = { above: 0.8, high: 1.06, side: 4 }; // behind a new word, in letter sizes
const FROM = 14; // from a loss or a share to its number
const BASE = 8; // from the middle of a line of letters down to its foot
const SMALL = 0.1; // a smaller loss has more digits: 0.000 and 0.000 could not be compared
const MOST_PLACES = 6;
const BETS = { from: 0, most: 9, near: 0.04, moves: 40 }; // from: no answer, as half might be
// A bet's flag, with its number. Nearer than `apart` two would touch: then one flies higher.
const FLAG = { high: 56, wide: 30, foot: 27, apart: 90, higher: 44, levels: 4 };
const OFF = 12; // how thick the distance from the nearest bet to the answer is drawn

const across = ({ x, y, w }) => `M${x},${y}h${w}`;
const upright = ({ x, y, foot }) => `M${x},${foot}V${y}`;
const pennant = ({ x, y, w, foot }) => `M${x},${foot}V${y}h${w}l-12,18l12,18h${-w}Z`;

/** A share with three digits; of a small loss the first three that are not 0: 0.00312. */
export function reading(value, top) {
  if (top || value >= SMALL || value <= 0) return digits(value, 3);
  return digits(value, Math.min(MOST_PLACES, 2 - Math.floor(Math.log10(value))));
}

const shareOf = (state) => state.ys[state.tops.findIndex(Boolean)] ?? [];
/** The first report in which the share that is asked for is 0.99, or -1; its step, or null. */
const reachedAt = (state) => shareOf(state).findIndex((share) => share >= GOAL);
const reachedIn = (state) => state.x[reachedAt(state)] ?? null;

/** The report that is looked at: where the pointer is, or that with the answer, or the newest. */
function placeOf(state) {
  const { x, here } = state;
  if (here !== null && x.length > 0) return clamp(here, 0, x.length - 1);
  const reached = isAsked(state) ? reachedAt(state) : -1;
  return reached < 0 ? x.length - 1 : reached;
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

/** Whether the step is asked for at which one share is reached: losses are named beside it. */
const isAsked = ({ tops }) => tops.filter(Boolean).length === 1;

const isEmpty = (state) => state.x.length === 0;
/** Whether nothing is there yet of what is asked. */
const isAwaited = (state) => isAsked(state) && isEmpty(state);

/** Whether bets are taken: until it starts. */
const isOpen = (state) => isAwaited(state) && !state.running;

/** Whether the model translates: until the first step, that is what is waited for. */
const isWriting = (state) => state.texts.some(Boolean) || isAwaited(state);

const wide = (words, size) => widthOf(words, size, WRITES.weight);

/** How large the translation is written: the right one fits into the width. */
const sizeOf = ({ wanted }, width) =>
  WRITES.most * Math.min(1, width / wide(wanted.join(" "), WRITES.most));

/** Above the chart stands what is read, and what is written where it is all right. */
function topOf(state, foot) {
  if (isWriting(state)) return foot + TOP.reads;
  return state.answer && !isAsked(state) ? TOP.plain : TOP.bare;
}

/** The heights of losses: logarithmic, or beside what is asked from 0 on, as shares are. */
function lossesOf(state, ends, range) {
  if (isAsked(state)) {
    const firsts = state.names.map((_, i) => (state.tops[i] ? 0 : (state.ys[i][0] ?? 0)));
    return scale({ domain: [0, Math.max(LEAST, ...firsts)], range, clamped: true });
  }
  const logs = scale({ domain: ends.map(Math.log10), range, clamped: true });
  return { at: (loss) => logs.at(Math.log10(Math.max(LEAST, loss))) };
}

/** Where everything stands: the shares go from 0 to 1. */
function geometry(state, { width, height }) {
  const labels = labelsOf(state, width);
  const floor = height - BELOW - LINE * (labels.at(-1)?.line ?? 0);
  const size = sizeOf(state, width);
  const foot = READS.foot + size;
  const top = topOf(state, foot);
  const ends = lossEnds(state);
  const kind = isAsked(state) ? "asked" : "plain";
  const [left, right] = [LEFT[kind], width - RIGHT[kind]];
  return {
    ...{ width, floor, size, foot, top, labels, ends, left, right },
    steps: scale({ domain: [0, state.length], range: [left, right], clamped: true }),
    shares: scale({ domain: [0, 1], range: [floor, top], clamped: true }),
    losses: lossesOf(state, ends, [floor, top]),
  };
}

/** The names of the curves, in as few lines as it takes; their numbers stand in the sentence. */
function labelsOf(state, width) {
  if (isAsked(state)) return [];
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

const SHARE = "{share} % {name}"; // what heights are
const ASKED = "steps"; // also at the last number of the axis
const CHECKED = "checked every {steps}";
const FALLS = { [-1]: "bet: {off} short", 0: "bet: right", 1: "bet: {off} too many" };
const COUNTED = "steps so far";
const WRONG = "at {steps} steps: {line}";

/** The steps; below them the one that is pointed at for a bet. */
function stepMarks(state, at) {
  const ticks = ticksAcross(at.steps, roundNumbers(state.length), at.floor + NAMES);
  const { x, y, text: last } = ticks.at(-1);
  const after = [x + widthOf(last) / 2 + BASE, y];
  const marks = [...ticks, text("steps", "faint", after, ASKED, LEFT_END)];
  if (!isOpen(state) || state.aimed === null) return marks;
  const own = { value: state.aimed, class: "bold", id: "told" };
  return [...marks, ...ticksAcross(at.steps, [own], at.floor + NAMES + LINE)];
}

/** The steps, and at the left what heights are: shares, or the ends of the losses. */
function axisMarks(state, at) {
  const floor = rect("floor", "rule", { x: at.left, w: at.right - at.left, y: at.floor, h: 2 });
  const marks = [floor, ...stepMarks(state, at)];
  if (isAsked(state)) return [...marks, ...goalMarks(state, at)];
  if (isEmpty(state) || state.tops.every(Boolean)) return marks;
  const losses = at.ends.map((value, i) =>
    text(`loss ${i}`, "faint", [at.left - 8, at.losses.at(value) + BASE], `${value}`, RIGHT_END),
  );
  return [...marks, ...losses];
}

/** Where the one curve of shares meets the line at 99 %; until then the end of the axis. */
function meeting(state) {
  const now = reachedAt(state);
  if (now < 0) return state.length;
  const last = (values) => [0, ...values].slice(now, now + 2);
  return scale({ domain: last(shareOf(state)), range: last(state.x) }).at(GOAL);
}

/** The line at 99 %; from where the share reaches it, the step falls. */
function goalMarks(state, at) {
  const name = state.names[state.tops.findIndex(Boolean)];
  const y = at.shares.at(GOAL);
  const line = { x: at.left, y, w: at.steps.at(meeting(state)) - at.left, d: across };
  const goal = fillIn(SHARE, { share: percent(GOAL), name });
  const ends = [
    { value: 0, text: "0 %" },
    { value: GOAL, text: goal },
  ];
  const marks = [
    ...ticksUpward(at.shares, ends, at.left - BASE, { name: "share" }),
    { id: "goal", class: "ghost", ...line },
  ];
  const reached = reachedAt(state);
  if (reached < 0) return marks;
  const [x, foot] = [at.steps.at(state.x[reached]), at.floor];
  const top = at.shares.at(shareOf(state)[reached]);
  const pole = { x, y: top, foot, d: upright, from: { foot: top } };
  const step = dot("step", "ink", [x, foot], 10, { from: { y: top, o: 1 } });
  return [...marks, { id: "flag", class: "flag", ...pole }, step];
}

/** The curves and their names. */
function curveMarks(state, at) {
  if (isAwaited(state)) return [];
  let drawn = 0;
  const marks = state.names.flatMap((_, i) => {
    const isBeside = isAsked(state) && !state.tops[i];
    const kind = isBeside ? "beside" : `curve-${drawn++}`;
    const heights = state.tops[i] ? at.shares : at.losses;
    const points = state.x.map((x, j) => [at.steps.at(x), heights.at(state.ys[i][j])]);
    if (isAsked(state) && !isBeside) points.unshift([at.left, at.floor]);
    const path = `M${points.join("L")}`;
    const curve = { id: `curve ${i}`, class: kind, d: () => path };
    if (isBeside) return [curve];
    if (isAsked(state)) return [areaMark(state, at, points), { ...curve, thick: THICK }];
    return [...keyMarks(at, i, kind), ...(isEmpty(state) ? [] : [curve])];
  });
  return isAsked(state) ? [...marks, ...lossMarks(state, at)] : marks;
}

/** What lies below the share on its way to the goal. */
function areaMark(state, at, points) {
  const way = points.slice(0, placeOf({ ...state, here: null }) + 2); // from the start on
  const corners = [...way, [way.at(-1)[0], at.floor]];
  return { id: "area", class: "spread", d: () => `M${corners.join("L")}Z` };
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

/** From how much a loss falls: it has no axis beside what is asked, the sentence has its number. */
function lossMarks(state, at) {
  return state.names.flatMap((name, i) => {
    const [loss] = state.ys[i];
    const words = `${name} ${digits(loss)}`;
    const x = Math.min(at.steps.at(state.x[0]) + FROM, at.right - widthOf(words));
    const foot = [x, at.losses.at(loss) + BASE];
    return state.tops[i] ? [] : [text(`name ${i}`, "faint halo", foot, words, LEFT_END)];
  });
}

const letters = (words) => words.match(/\p{L}+/gu) ?? [];

/** Whether all of a word, or of several, stands in the right answer, its first with a capital. */
export function isWanted(word, wanted) {
  const right = new Set(letters(wanted.join(" ").replace(/^./u, (first) => first.toUpperCase())));
  return letters(word).every((part) => right.has(part));
}

/** What is written: grey what the right answer does not have, yellow what is right and new. */
function wordMarks({ wanted }, line, { size, foot: y }, before) {
  let left = 0;
  return line.split(" ").flatMap((word, i) => {
    const isRight = isWanted(word, wanted);
    const isNew = isRight && before && !isWanted(word, [before]);
    const kind = isRight ? "bold" : "bold faint";
    const look = { size, glide: 1, ...LEFT_END }; // another word does not slide to its place
    const mark = text(`writes ${i}`, isNew ? "bold marked" : kind, [left, y], word, look);
    const x = Math.max(0, left - MARK.side);
    const w = left + wide(word, size) + MARK.side - x;
    const box = { x, y: y - MARK.above * size, w, h: MARK.high * size };
    left += wide(`${word} `, size);
    return isNew ? [rect(`new ${i}`, "changed", box, { rx: 6, glide: 1 }), mark] : [mark];
  });
}

/** What the model reads, and what it writes: where it is right, or at the step looked at. */
function writtenMarks(state, at) {
  if (!isWriting(state)) return [];
  const words = fit(`${state.reads.join(" ")} \u2192`, at.width, READS.size);
  const reads = text("reads", "", [0, READS.foot], words, { size: READS.size, ...LEFT_END });
  if (isEmpty(state)) {
    const ask = text("ask writes", "bold faint", [0, at.foot], "?", { size: at.size, ...LEFT_END });
    return [reads, ask];
  }
  const now = placeOf(state);
  const line = fit(state.texts[now], at.width, at.size);
  return [reads, ...wrongMarks(state, at), ...wordMarks(state, line, at, state.texts[now - 1])];
}

/** Where all is right, beside what is read: the last sentence with a word that is not. */
function wrongMarks(state, at) {
  const last = state.texts.findLastIndex((line) => !isWanted(line, state.wanted));
  if (reachedIn(state) === null || state.here !== null || last < 0) return [];
  const said = fillIn(WRONG, { steps: state.x[last], line: state.texts[last] });
  const free = at.width - widthOf(`${state.reads.join(" ")} \u2192  `, READS.size);
  const mark = text("wrong", "ghosted", [at.width, READS.foot], said, RIGHT_END);
  return widthOf(said) > free ? [] : [mark];
}

/** The number that answers the question, as answer() takes it; null where the map is the answer. */
function playOf(state) {
  const now = placeOf(state);
  const [first, second] = state.ys;
  const last = (values) => values[now] ?? 0;
  const plain = (value) => reading(value, state.tops[0]);
  const isOver = now >= 0 && state.x.at(-1) >= state.length;
  switch (state.answer) {
    case "reached": {
      const reached = reachedIn(state); // it stays, whichever step is looked at
      const isCounting = reached === null && now >= 0 && (state.running || state.here !== null);
      const label = isCounting ? COUNTED : ASKED;
      const veiled = reached === null && !isCounting;
      const told = { label, veiled, isCounting, room: RIGHT.asked };
      return { number: reached ?? state.x[now], format: (step) => digits(step, 0), ...told };
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
  const down = isAsked(state) || isWriting(state) ? at.top : 0;
  const marks = answer({ ...play, x: at.width }, act);
  const delay = state.x.length > 1 ? 0 : GLIDE / 2; // until "?" is gone
  const isStep = state.answer === "reached";
  const told = isStep ? { glide: 1, until: null, delay } : {}; // no step between two reports
  if (play.isCounting) Object.assign(told, { class: "answer faint" });
  const ofNumber = ({ id }) => (["answer", "answer-veil"].includes(id) ? told : {});
  const placed = marks.map((mark) => ({ ...mark, ...ofNumber(mark), y: mark.y + down }));
  if (!isAsked(state) || isEmpty(state)) return placed;
  const said = fillIn(CHECKED, { steps: state.x[0] });
  const { y } = placed.find(({ id }) => id === "answer-label");
  return [...placed, text("every", "ghosted", [at.width, y + LINE], said, RIGHT_END)];
}

/** The hall's bets, flags on the axis of steps; until there is one, where it would stand. */
function betMarks(state, at) {
  if (!isAsked(state)) return [];
  const isFirst = isOpen(state) && state.bets.length === 0;
  const bets = isFirst ? [BETS.from] : state.bets;
  const won = nearestBet(state);
  const places = bets.map(at.steps.at);
  const levels = levelsOf(places);
  return places.flatMap((x, i) => {
    const y = at.floor - FLAG.high - FLAG.higher * levels[i];
    const said = isFirst ? "?" : digits(bets[i], 0);
    const w = widthOf(said) + FLAG.wide;
    const kind = i === won ? "won" : "open";
    const flag = { x, foot: at.floor, y, w };
    return [
      { id: `bet ${i}`, class: `bet ${isFirst ? "first" : kind}`, d: pennant, ...flag },
      text(`bet number ${i}`, `bold ${kind}`, [x + BASE, y + FLAG.foot], said, LEFT_END),
    ];
  });
}

/** Which bet is nearest to the answer, or -1: the first of several. */
function nearestBet(state) {
  const reached = reachedIn(state);
  if (reached === null) return -1;
  const away = state.bets.map((bet) => Math.abs(bet - reached));
  return away.indexOf(Math.min(...away));
}

/** From the nearest bet to the answer. */
function offMarks(state, at) {
  const bet = isAsked(state) ? state.bets[nearestBet(state)] : undefined;
  if (bet === undefined) return [];
  const off = bet - reachedIn(state);
  const [from, to] = [bet, bet - off].map(at.steps.at).sort((one, other) => one - other);
  const said = fillIn(FALLS[Math.sign(off)], { off: Math.abs(off) });
  const half = widthOf(said) / 2;
  const foot = [clamp((from + to) / 2, at.left + half, at.right - half), at.floor + NAMES + LINE];
  const box = { x: from, y: at.floor - OFF, w: to - from, h: OFF };
  return [rect("off", "lit", box), text("off told", "bold", foot, said)];
}

/** How high each bet flies: over the next one at its right, if that is near. */
function levelsOf(places) {
  const levels = [];
  const order = [...places.keys()].sort((i, j) => places[j] - places[i]);
  for (const [after, i] of order.entries()) {
    const next = order[after - 1];
    levels[i] = places[next] - places[i] < FLAG.apart ? (levels[next] + 1) % FLAG.levels : 0;
  }
  return levels;
}

/** The bets with one more at this step, or without the one that stands there. */
function withBet({ bets, length }, step) {
  const here = bets.findIndex((bet) => Math.abs(bet - step) <= BETS.near * length);
  if (here >= 0) return bets.filter((_, i) => i !== here);
  return bets.length < BETS.most ? [...bets, Math.round(step)] : bets;
}

/** The curve's end while it learns, with its share until that is enough. */
function newestMarks(state, at) {
  if (!isAsked(state) || !state.running) return [];
  const share = shareOf(state).at(-1) ?? 0;
  const [x, y] = [at.steps.at(state.x.at(-1) ?? 0), at.shares.at(share)];
  const end = dot("newest", "ink", [x, y], 7);
  if (isEmpty(state) || reachedAt(state) >= 0) return [end];
  return [
    end,
    text("share now", "bold halo", [x - FROM, y - FROM], `${percent(share)} %`, RIGHT_END),
  ];
}

/** The start; the curve's end, until it has learned; the line at the step that is pointed at. */
function pointerMarks(state, at) {
  const start = isAsked(state) ? [dot("start", "ink", [at.left, at.floor], 7)] : [];
  const newest = [...start, ...newestMarks(state, at)];
  const seen = isEmpty(state) ? state.aimed : state.here;
  if (seen === null) return newest;
  const line = { x: at.steps.at(state.x[placeOf(state)] ?? seen), y: at.top, foot: at.floor };
  return [...newest, { id: "pointer", class: "pointer", focus: true, d: upright, ...line }];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const at = geometry(state, room);
  const look = ([x]) => act.change({ here: nearest(state, at, x) });
  const aim = ([x]) => act.change({ aimed: Math.round(at.steps.back(x)) });
  const bet = ([x]) => act.change({ bets: withBet(state, at.steps.back(x)) });
  const touched = isOpen(state) ? { hover: aim, pick: bet } : { hover: look, pick: look };
  const goal = at.shares.at(GOAL);
  const field = { x: at.left, w: at.right - at.left, y: at.top, h: at.floor - at.top };
  const hold = { ...field, y: field.y - 10, h: field.h + 20 };
  const curves = curveMarks(state, at);
  return [
    ...(isOpen(state) ? [rect("veil", "veil", { ...field, y: goal, h: at.floor - goal })] : []),
    ...curves.filter(({ id }) => id === "area"),
    ...offMarks(state, at),
    ...axisMarks(state, at),
    ...curves.filter(({ id }) => /^(curve|key)/.test(id)),
    ...pointerMarks(state, at),
    ...betMarks(state, at),
    ...curves.filter(({ id }) => id.startsWith("name")),
    ...writtenMarks(state, at),
    ...answerMarks(state, at, act),
    rect("hold", "pick", hold, touched),
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

const BET = "Predict first: bet with \u2190 and \u2192, or click.";
const BETS_SAID = "Bets: {bets}.";
const BACK = "{said}. \u2190 and \u2192: what it wrote at other steps.";

/** The sentence with the numbers of the step that is looked at. */
export function caption(state) {
  const now = placeOf(state);
  if (now < 0) {
    const { waiting, bets, can_train: hasButton } = state;
    if (!isOpen(state)) return waiting;
    const asked = bets.length > 0 ? fillIn(BETS_SAID, { bets: bets.join(", ") }) : BET;
    return hasButton ? asked : `${asked} ${waiting}`;
  }
  const numbers = state.names.map((name, i) => {
    const value = state.ys[i][now];
    return state.tops[i] ? `${percent(value)} % ${name}` : `${name} ${reading(value, 0)}`;
  });
  const said = `step ${state.x[now]}: ${numbers.join(", ")}`;
  if (state.left) return `${said} \u00b7 ${state.left}`;
  return isWriting(state) && !state.running && state.here === null ? fillIn(BACK, { said }) : said;
}

/**
 * What a key does to the bets: the newest moves along the axis, the space bar begins a further one,
 * Backspace takes it away.
 */
function betKey({ bets, length }, key) {
  if (key === "Backspace") return bets.length > 0 ? { bets: bets.slice(0, -1) } : null;
  if (key === " ") return bets.length > 0 ? { bets: withBet({ bets, length }, BETS.from) } : null;
  const move = { ArrowRight: length / BETS.moves, ArrowLeft: -length / BETS.moves }[key];
  if (!move) return null;
  const newest = clamp(Math.round((bets.at(-1) ?? BETS.from) + move), 0, length);
  return { bets: [...bets.slice(0, -1), newest] };
}

/** What a key means: another step to look at; before the training, a bet. */
export function keysOf(state, key) {
  const count = state.x.length;
  if (count === 0) return isAsked(state) ? betKey(state, key) : null;
  if (key === "Escape") return { here: null };
  const next = step(key, [0, placeOf(state)], 1, count);
  return next && { here: next[1] };
}

const stop = (model) => interrupt(model) || model.send({ type: "stop" });

/** What Enter does: train, where this demo has a button for it. Only its button stops a run. */
function nextOf(state) {
  if (state.running) return { label: "Stop", act: stop, isPressed: true };
  const label = state.x.length > 0 ? "train again" : "train";
  return state.can_train ? { label, ask: { type: "train" } } : null;
}

/** Where there is nothing to walk along, Tab does not stop; who leaves sees the newest step. */
function staged(made, model) {
  const walk = () => {
    made.svg.tabIndex = isAsked(made.state) || model.get("x").length > 0 ? 0 : -1;
  };
  model.on("change:x", walk);
  walk();
  made.svg.addEventListener("pointerleave", () => made.change({ here: null, aimed: null }));
}

export default demo({
  name: "curve",
  looks: {
    "curve-0": CURVE,
    "curve-1": { ...CURVE, stroke: "var(--curve-1)", "stroke-dasharray": "14 6" },
    "curve-2": { ...CURVE, stroke: "var(--curve-2)", "stroke-dasharray": "4 5" },
    "curve-3": { ...CURVE, stroke: "var(--ghost)", "stroke-dasharray": "14 5 4 5" },
    beside: drawn("ghost", 3, { "stroke-linejoin": "round" }),
    flag: drawn("ink", 5),
    bet: { ...drawn("ink", 3), ...filled("paper") },
    "bet.won": filled("changed"),
    "text.won": filled("marked"),
    "bet.first": { stroke: "var(--ghost)", ...DASHED },
    lit: filled("lit"),
    pointer: drawn("faint", 2),
  },
  width: ({ alone }) => (alone ? STAGE.width : WIDTH),
  traits: [
    ...["names", "x", "ys", "tops", "length", "texts"],
    ...["waiting", "running", "left", "can_train", "answer", "bets", "reads", "wanted", "alone"],
  ],
  own: { here: null, aimed: null },
  keep: ["here", "aimed"],
  forget: { running: ["aimed"] },
  layout,
  caption,
  keys: keysOf,
  next: nextOf,
  staged,
});
