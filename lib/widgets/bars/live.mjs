// The site: scores are dragged to any number, so what is made of them is computed here.
import { clamp } from "../frame/frame.mjs";

const LARGEST = 1000;

const made = (get, change) => ({
  "d0.scores": get("d0.scores").map((score) => clamp(change(score), -LARGEST, LARGEST)),
});
const add = (get) => made(get, (score) => score + 3);
const addedMultiply = (get) => made(get, (score) => 3 * (score - 3));
const multiply = (get) => made(get, (score) => 3 * score);

/** What Enter does first; what it does later does not depend on the scores, and is recorded. */
const STORY = [add, addedMultiply];

/** What Enter is called: it follows from how many steps were taken. */
export const outputs = (get, { labels }) => ({ "d0.enter": labels[get("d0.done")] });

export const events = {
  "c0.click": add,
  "c1.click": multiply,
  "d0.presses": (get) => STORY[get("d0.done")]?.(get),
};
