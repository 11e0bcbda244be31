// A histogram: what the demos Directions and ScalingDial share.
import { scale, ticksAcross } from "./axes.mjs";
import { clamp, digits, fillIn } from "./frame.mjs";
import { rect, text } from "./shapes.mjs";

const WIDE_BAR = 14; // wider bars have a larger gap between them, as a part of their room
const WIDE_GAP = 0.16;
const NARROW_GAP = 0.06;
const TICKS_BELOW = 30; // from the floor to the baseline of its numbers
export const NAME_BELOW = 64;

/** Which of `count` equal bars between two places is at x. */
export function barAt(x, left, right, count) {
  const bar = scale({ domain: [0, count], range: [left, right] }).back(x);
  return clamp(Math.floor(bar), 0, count - 1);
}

/** The outline of a histogram: up and down along its bars; most: the count that is so high. */
function outline({ counts, most = Math.max(...counts, 1) }, { left, right, floor, high }) {
  const pitch = (right - left) / counts.length;
  let path = `M${left},${floor}`;
  for (const count of counts) path += `V${floor - (high * count) / most}h${pitch}`;
  return `${path}V${floor}`;
}

function bars({ counts, most = Math.max(...counts, 1) }, here, box) {
  const { left, right, floor, high } = box;
  const pitch = (right - left) / counts.length;
  const gap = pitch * (pitch > WIDE_BAR ? WIDE_GAP : NARROW_GAP);
  return counts.map((count, i) => {
    const h = (high * count) / most;
    const x = left + i * pitch + gap / 2;
    const kind = i === here ? "bin ink here" : "bin score";
    return rect(`bin ${i}`, kind, { x, w: pitch - gap, y: floor - h, h });
  });
}

/** The band from -spread to spread, behind the bars; none without a spread. */
function band(spread, { at }, { floor, high }) {
  if (spread === undefined) return [];
  const x = at(-spread);
  return [rect("spread", "spread", { x, w: at(spread) - x, y: floor - high, h: high })];
}

/** The counts before, if they are others over the same range. */
function countsBefore({ before, counts, most, range }) {
  const isSame = `${before?.range}` === `${range}` && `${before.counts}` !== `${counts}`;
  return isSame ? { counts: before.counts, most } : null;
}

/**
 * The marks of state.counts over state.range in a box {left, right, floor, high}; state.most: the
 * count that is so high, if it is not the highest; as a ghost the
 * counts before, or others {counts, most}; name: what stands below, in letters of a size, at its
 * middle.
 */
export function histogram(state, box, { name, size, middle, ghost }, here = null) {
  const { range, spread } = state;
  const { left, right, floor } = box;
  const below = [middle ?? (left + right) / 2, floor + NAME_BELOW];
  const values = scale({ domain: range, range: [left, right], clamped: true });
  const [low, high] = range;
  const marks = [
    ...band(spread, values, box),
    ...bars(state, here, box),
    rect("floor", "rule", { x: left, w: right - left, y: floor, h: 2 }),
    ...ticksAcross(values, [low, 0, high], floor + TICKS_BELOW),
    text(`name ${name}`, "", below, name, { size }),
  ];
  const other = ghost ?? countsBefore(state);
  if (other) {
    const path = outline(other, box);
    marks.push({ id: "histogram before", class: "ghost", glide: 1, d: () => path });
  }
  return marks;
}

/** The sentence for one bar: "-0.05 to 0.00: 31 of 500". */
export function binSentence({ counts, range: [low, high] }, i) {
  const edge = (place) => digits(low + ((high - low) * place) / counts.length);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const values = { low: edge(i), high: edge(i + 1), count: counts[i], all };
  return fillIn("{low} to {high}: {count} of {all}.", values);
}
