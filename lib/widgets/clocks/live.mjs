// The site: p, p + k and the words are moved from wherever they are, so that is computed here.
import { clamp } from "../frame/frame.mjs";
import { MOST } from "./faces.mjs";

const STRIDE = 10; // places for one press of the buttons
const FURTHER = 7;

/** Half of the words between the other half, as cards are shuffled: never the same order. */
export function riffled(order) {
  const half = Math.floor(order.length / 2);
  const first = order.slice(0, half);
  return order.slice(half).flatMap((word, i) => [word, ...first.slice(i, i + 1)]);
}

const moved = (get, by) => ({ "d0.p": clamp(get("d0.p") + by, 0, MOST.p) });
const shuffled = (get) => ({ "d0.order": riffled(get("d0.order")) });
const further = (get) => ({ "d0.k": Math.min(get("d0.k") + FURTHER, MOST.k) });

const STORY = [(get) => moved(get, STRIDE), further];

export const events = {
  "c0.click": (get) => moved(get, -STRIDE),
  "c1.click": (get) => moved(get, STRIDE),
  "c2.click": shuffled,
  "d0.presses": (get) => STORY[get("d0.done")]?.(get),
};
