// An axis: a scale from numbers to pixels and back, and the numbers that stand along it.
import { clamp, digits } from "./frame.mjs";
import { mix } from "./scene.mjs";
import { BASELINE, rect, text } from "./shapes.mjs";

const FEW = 4; // parts of an axis between its round numbers, about

/** 0 and 1, at the ends of an axis that goes to the right. */
export const ENDS = [
  { value: 0, id: "zero", anchor: "start" },
  { value: 1, id: "one", anchor: "end" },
];

const same = (x) => x;
const share = (x, [low, high]) => (x - low) / (high - low);

/**
 * A scale from the numbers of a domain [low, high] to the pixels of a range [from, to]: at(number)
 * is a pixel, back(pixel) a number. log: each doubling is as far; clamped: what lies beyond the
 * ends stands at them.
 */
export function scale({ domain, range, log = false, clamped = false }) {
  const [into, out] = log ? [Math.log2, (power) => 2 ** power] : [same, same];
  const ends = domain.map(into);
  const within = (part) => (clamped ? clamp(part, 0, 1) : part);
  return {
    at: (number) => mix(...range, within(share(into(number), ends))),
    back: (pixel) => out(mix(...ends, within(share(pixel, range)))),
  };
}

/** A number's mark; given: the number, or {value, ...} with what its mark has of its own. */
function tick(given, placeOf, { name = "tick", kind = "faint", ...more }) {
  const { value, ...own } = typeof given === "number" ? { value: given } : given;
  return text(`${name} ${value}`, kind, placeOf(value), digits(value, 0), { ...more, ...own });
}

/** The numbers along an axis that goes to the right; their feet stand at y. */
export const ticksAcross = ({ at }, values, y, more = {}) =>
  values.map((given) => tick(given, (value) => [at(value), y], more));

/**
 * The numbers along an axis that goes up; they end at x. rule: {x, w, h} of a line at each of them;
 * low: from its height to their feet.
 */
export function ticksUpward({ at }, values, x, { rule, low = BASELINE, ...more } = {}) {
  const placeOf = (value) => [x, at(value) + low];
  const labels = values.map((given) => tick(given, placeOf, { anchor: "end", ...more }));
  if (!rule) return labels;
  const rules = values.map((value) => rect(`rule ${value}`, "rule", { y: at(value), ...rule }));
  return [...labels, ...rules];
}

/** A few round numbers from 0 to `last`, a whole number. */
export function roundNumbers(last) {
  const rough = last / FEW;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const unit = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  return Array.from({ length: Math.floor(last / unit) + 1 }, (_, i) => i * unit);
}
