// The site: which token is looked at is chosen in the drawing alone, so it is asked about here.
import { fillIn } from "../frame/frame.mjs";
import { shown } from "./chat.mjs";

export function outputs(get, { asks: [whole, instead, heads] }) {
  const [places, words, seen, looked] = ["places", "words", "seen", "looked"].map((name) =>
    get(`d0.${name}`),
  );
  if (seen < 0) return { "h.question": whole };
  const [asks, word] = looked < 0 ? [instead, words[seen]] : [heads, [...places, ...words][looked]];
  return { "h.question": fillIn(asks, { word: shown(word) }) };
}
