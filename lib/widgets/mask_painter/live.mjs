// The site: any of the 2^36 masks can be painted, so what follows from one is computed here.
import { softmax } from "../frame/matrices.mjs";

/** The weights without a mask, those of blocked cells then set to 0. */
function cut(shares, allowed, renormalise) {
  const kept = shares.map((share, j) => (allowed[j] ? share : 0));
  const sum = kept.reduce((total, share) => total + share, 0);
  return renormalise && sum > 0 ? kept.map((share) => share / sum) : kept;
}

export function outputs(get) {
  const { scores, shares } = get("d0.shown");
  const [mask, after] = [get("d0.mask"), get("c5.value")];
  const renormalise = after && get("c6.value");
  const attend = (row, i) => (after ? cut(shares[i], mask[i], renormalise) : softmax(row, mask[i]));
  return { "d0.shown": { scores, weights: scores.map(attend), shares, after, renormalise } };
}

/** The mask with cells of the row that is drawn large blocked: isBlocked(score, row of scores). */
function blocking(get, isBlocked) {
  const [asks] = get("d0.here");
  const row = get("d0.shown").scores[asks];
  const allowed = get("d0.mask")[asks].map((isSeen, j) => isSeen && !isBlocked(row[j], row));
  return { "d0.mask": get("d0.mask").with(asks, allowed) };
}

const largest = (get) => blocking(get, (score, row) => score === Math.max(...row));
const isWhole = (get) => get("d0.mask")[get("d0.here")[0]].every(Boolean);
const unlessBlocked = (get) => (isWhole(get) ? largest(get) : blocking(get, () => false));
const STORY = [largest, unlessBlocked];

export const events = { "d0.presses": (get) => STORY[get("d0.done")]?.(get) };
