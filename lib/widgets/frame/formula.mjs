// Mathematics in a sentence: "√d_k" is set as a root over an italic d with an italic k below, and
// "d_model" keeps its word upright. Single letters stand between two $: "$Q$ K^T".

import { html, shape } from "./frame.mjs";
import { widthOfLetters } from "./ruler.mjs";

// The symbols of the course, a root before them or not, and what stands high: K^T, e^−2.
const SUBSCRIPT = "\\b(d|W|q|k|v|Q|K|V|PE)_(k|v|model|ff|Q|K|V|O|\\d)\\b";
const SUPERSCRIPT = "\\b([QKV]+|e)\\^(T|[\u2212-]?(?:[\\d.]*\\d|\u221e))";
const ALONE = "\\$([A-Za-z])\\$";
const UNDER = "(?<=\u221a)(d|[\\d.]*\\d)\\b"; // what may stand under a root beside the others
const SYMBOL = new RegExp(`(\u221a?)(?:${SUBSCRIPT}|${ALONE}|${UNDER})|${SUPERSCRIPT}`, "g");
// Buttons of ipywidgets have no formulas, but letters that stand low and high.
const AS_WRITTEN = {
  ...{ "\u1d40": "^T", "\u2096": "_k", "\u00b7V": "\u00b7$V$" },
  ...{ "1 Q": "1 $Q$", "1 K": "1 $K$", "1 V": "1 $V$" },
};

export const SCRIPT = 0.85; // of a letter's size: what stands low or high
const SCRIPT_SHIFT = { low: 0.18, high: -0.4 }; // of a letter's size, downwards
const SLANT_ROOM = 0.05; // of a letter's size: so far a slanted letter reaches over what is high
// A root: from its hook to the foot of the bar, in letter sizes from the baseline, y downwards.
const ROOT_HOOK = 0.5; // how wide the hook is
const ROOT_END = 0.07; // how far the bar goes on
const ROOT_TOP = -0.9;
const ROOT_BAR = 0.06; // how thick it is

const isLetter = (text) => /^[A-Za-z]$/.test(text);

function pieceOf(found) {
  const [, root, name, low, alone, under, base, high] = found;
  const isUnder = Boolean(root);
  const letter = name ?? alone ?? under ?? base;
  const kind = isLetter(letter) || name || base ? "symbol" : "plain";
  const made = root ? [{ text: root, kind: "plain", isRoot: true }] : [];
  made.push({ text: letter, kind, under: isUnder });
  if (low) made.push({ text: low, kind: "low", under: isUnder });
  if (high) made.push({ text: high, kind: "high", under: false });
  return made;
}

/**
 * A sentence in pieces {text, kind, under}: kind is "plain", "symbol", "low" or "high"; under says
 * that it stands under a root.
 */
export function pieces(sentence) {
  const found = [];
  let end = 0;
  for (const match of sentence.matchAll(SYMBOL)) {
    if (match.index > end) found.push({ text: sentence.slice(end, match.index), kind: "plain" });
    found.push(...pieceOf(match));
    end = match.index + match[0].length;
  }
  if (end < sentence.length) found.push({ text: sentence.slice(end), kind: "plain" });
  return found;
}

/** Whether there is anything to set in a text. */
export const isFormula = (text) => /[_^$\u221a]/.test(text);

/** Whether a piece is set in the letters of mathematics: names of numbers, not words or digits. */
const isSlanted = ({ text, kind }) => kind === "symbol" || (kind === "low" && isLetter(text));

/**
 * Where each piece of a line stands: {width, runs: [{text, x, dy, size, isSlanted, isScript}],
 * roots: [{x, width}]}; wide(text, size, isSlanted) measures, least is the smallest size.
 */
export function setLine(text, size, wide, least = 0) {
  const runs = [];
  const roots = [];
  let x = 0;
  let last = null;
  for (const piece of pieces(text)) {
    if (last?.under && !piece.under) x += ROOT_END * size;
    if (piece.isRoot) {
      roots.push({ x, width: 0 });
      x += ROOT_HOOK * size;
      last = null;
      continue;
    }
    const isScript = piece.kind === "low" || piece.kind === "high";
    const run = {
      text: piece.text,
      size: isScript ? Math.max(least, SCRIPT * size) : size,
      dy: (SCRIPT_SHIFT[piece.kind] ?? 0) * size,
      isSlanted: isSlanted(piece),
      isScript,
      under: piece.under,
    };
    if (piece.kind === "high" && last?.isSlanted) x += SLANT_ROOM * size;
    runs.push({ ...run, x });
    x += wide(run.text, run.size, run.isSlanted);
    if (piece.under) {
      const root = roots.at(-1);
      root.width = x - root.x - ROOT_HOOK * size;
    }
    last = run;
  }
  if (last?.under) x += ROOT_END * size;
  return { width: x, runs, roots };
}

/** The root as one outline, its bar over so much width. */
export function rootPath(x, width, size) {
  const at = (dx, dy) => `${(x + dx * size).toFixed(2)},${(dy * size).toFixed(2)}`;
  const end = ROOT_HOOK + ROOT_END + width / size;
  const corners = [
    [0.02, -0.32],
    [0.14, -0.39],
    [0.265, 0.0],
    [0.43, ROOT_TOP],
    [end, ROOT_TOP],
    [end, ROOT_TOP + ROOT_BAR],
    [0.475, ROOT_TOP + ROOT_BAR],
    [0.28, 0.15],
    [0.235, 0.15],
    [0.095, -0.305],
    [0.045, -0.275],
  ];
  return `M${corners.map(([dx, dy]) => at(dx, dy)).join("L")}Z`;
}

const TAG = { symbol: "i", low: "sub", high: "sup" };

/** A root in a line of HTML: an SVG whose bar reaches over what follows it. */
function rootIn(node, width) {
  const wide = ROOT_HOOK + ROOT_END + width;
  const [high, low] = [-ROOT_TOP + 0.02, 0.2];
  const svg = shape(node, "svg", { class: "root-sign", "aria-hidden": "true" });
  svg.setAttribute("viewBox", `0 ${-high} ${wide} ${high + low}`);
  svg.style.width = `${wide}em`;
  svg.style.height = `${high + low}em`;
  svg.style.verticalAlign = `${-low}em`;
  svg.style.marginRight = `${ROOT_HOOK - wide}em`;
  shape(svg, "path", { d: rootPath(0, width, 1) });
  html(node, "span", { class: "demo-unseen" }, "\u221a");
}

/** Put a sentence into an HTML element, its symbols as mathematics. */
export function typeset(node, sentence) {
  node.replaceChildren();
  const weight = isFormula(sentence) ? getComputedStyle(node).fontWeight : 400;
  const wide = (text, size, slanted) => widthOfLetters(text, size, weight, slanted);
  const { roots } = setLine(sentence, 100, wide);
  let root = 0;
  let place = node;
  for (const piece of pieces(sentence)) {
    const { text, kind, under, isRoot } = piece;
    if (!under) place = node;
    if (isRoot) {
      place = html(node, "span", { class: "root" });
      rootIn(place, roots[root].width / 100);
      root += 1;
    } else if (kind === "plain") place.append(text);
    else {
      const made = html(place, TAG[kind], {}, text);
      if (isSlanted(piece)) made.classList.add("symbol");
    }
  }
}

/** Whether a text has a symbol, and not only a character that symbols are written with. */
export const hasSymbols = (text) => pieces(text).some(({ kind }) => kind !== "plain");

/** What a button or a label of ipywidgets says, with its low and high letters as formulas. */
export function asFormula(text) {
  let formula = text;
  for (const [letter, written] of Object.entries(AS_WRITTEN))
    formula = formula.replaceAll(letter, () => written);
  return formula;
}
