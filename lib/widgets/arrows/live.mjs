// The site: arrows are dragged anywhere, so what the story makes of them is computed here.
import { clamp } from "../frame/frame.mjs";
import { RANGE } from "./plane.mjs";

const largest = (vector) => Math.max(...vector.map(Math.abs));

/** The same direction, as long as the plane lets it be. */
export function toTheEdge(vector) {
  const most = largest(vector);
  return most ? vector.map((x) => clamp((x * RANGE) / most, -RANGE, RANGE)) : vector;
}

/** k at a right angle to q, as long as before if there is room. */
export function turned(q, k) {
  if (largest(q) === 0) return k;
  const across = [-q[1], q[0]].map((x) => (x * Math.hypot(...k)) / Math.hypot(...q));
  return largest(across) > RANGE ? toTheEdge(across) : across;
}

const STORY = [
  (get) => ({ "d0.k2": toTheEdge(get("d0.k2")) }),
  (get) => ({ "d0.k": turned(get("d0.q"), get("d0.k")) }),
];

export const events = { "d0.presses": (get) => STORY[get("d0.done")]?.(get) };
