// The site: scores are dragged to any number, so what is made of them is computed here.
import { clamp } from "../frame/frame.mjs";

const LARGEST = 1000;

const add = (get) => ({
  "d0.scores": get("d0.scores").map((score) => clamp(score + 3, -LARGEST, LARGEST)),
});

/** What Enter is called: it follows from how many steps were taken. */
export const outputs = (get, { labels }) => ({ "d0.enter": labels[get("d0.done")] });

/** What Enter does first; what it does later does not depend on the scores, and is recorded. */
export const events = { "d0.presses": (get) => (get("d0.done") === 0 ? add(get) : undefined) };
