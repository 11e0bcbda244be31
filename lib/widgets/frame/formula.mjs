// Mathematics in a sentence: "√d_k" is set as a root over an italic d with a subscript.

import { html } from "./frame.mjs";

// The symbols of the course, a root before them or not, and what stands high: K^T, e^−2.
const SUBSCRIPT = "(\u221a?)\\b(d|W|q|k|v|Q|K|V|PE)_(k|v|model|ff|Q|K|V|O|\\d)\\b";
const SUPERSCRIPT = "\\b([QKVe])\\^(T|[\u2212-]?(?:[\\d.]*\\d|\u221e))";
const SYMBOL = new RegExp(`${SUBSCRIPT}|${SUPERSCRIPT}`, "g");

const TAG = { symbol: "i", low: "sub", high: "sup" };

/**
 * A sentence in pieces {text, kind, under}: kind is "plain", "symbol", "low" or "high"; under says
 * that it stands under a root.
 */
export function pieces(sentence) {
  const found = [];
  let end = 0;
  for (const match of sentence.matchAll(SYMBOL)) {
    const [whole, root, symbol, low, base, high] = match;
    if (match.index > end) found.push({ text: sentence.slice(end, match.index), kind: "plain" });
    if (root) found.push({ text: root, kind: "plain" });
    const under = Boolean(root);
    found.push({ text: symbol ?? base, kind: "symbol", under });
    found.push({ text: low ?? high, kind: low ? "low" : "high", under });
    end = match.index + whole.length;
  }
  if (end < sentence.length) found.push({ text: sentence.slice(end), kind: "plain" });
  return found;
}

/** Put a sentence into an HTML element, its symbols as mathematics. */
export function typeset(node, sentence) {
  node.replaceChildren();
  let root = null;
  for (const { text, kind, under } of pieces(sentence)) {
    if (kind === "plain") {
      root = null;
      node.append(text);
      continue;
    }
    if (under && root === null) root = html(node, "span", { class: "under-root" });
    html(under ? root : node, TAG[kind], {}, text);
  }
}
