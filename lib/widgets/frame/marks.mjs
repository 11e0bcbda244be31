// The kinds of marks that a scene can draw: how each is built, and how it is painted with the
// numbers of this moment.

import { digits, setAttributes, shape } from "./frame.mjs";
import { pieces } from "./formula.mjs";
import { wear } from "./looks.mjs";

export const LABEL = 24; // pixels of the stage: the smallest letters there are
const SCRIPT = 0.75; // of a letter's size: what stands low or high
const LOWERED = 0.18; // of a letter's size
const RAISED = -0.4;
const CLASSES = { symbol: "symbol", low: "script", high: "script" };
const CAP = 0.36; // from the middle of a line of digits down to its baseline, in letter sizes
const TURNS_WHITE = 0.72; // from this share of the weight's colour on, digits take the other ink

/** The fill of a weight: further from the paper is more. */
export function tinted(weight) {
  return `color-mix(in srgb, var(--weight) ${(100 * weight).toFixed(1)}%, var(--paper))`;
}

/** The colour of digits on that fill. */
export function inkOn(weight) {
  return weight > TURNS_WHITE ? "var(--weight-digit)" : "var(--ink)";
}

function placeBox(node, { x, y, w, h }) {
  setAttributes(node, { x, y, width: Math.max(0, w), height: Math.max(0, h) });
}

function contentOf(mark, numbers) {
  return mark.format ? mark.format(numbers.number) : mark.text;
}

/** A text with its symbols as mathematics: subscripts, and a bar over what stands under a root. */
export function writeContent(node, text, size) {
  if (node.dataset.content === text && node.dataset.size === String(size)) return;
  node.dataset.content = text;
  node.dataset.size = size;
  node.replaceChildren();
  let moved = 0;
  for (const { text: letters, kind, under } of pieces(text)) {
    const shift = { low: LOWERED, high: RAISED }[kind] ?? 0;
    const piece = shape(node, "tspan", { dy: (shift - moved) * size }, letters);
    moved = shift;
    wear(piece, `${CLASSES[kind] ?? ""}${under ? " under-root" : ""}`);
    if (shift !== 0) piece.style.fontSize = `${Math.max(LABEL * SCRIPT, size * SCRIPT)}px`;
  }
}

function writePlain(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function paintText(node, numbers, mark) {
  const { x, y, turn } = numbers;
  const size = numbers.size ?? LABEL;
  const turned = turn ? ` rotate(${turn})` : "";
  node.setAttribute("transform", `translate(${x},${y})${turned}`);
  node.style.fontSize = `${size}px`;
  node.style.fill = numbers.tint === undefined ? "" : inkOn(numbers.tint);
  const text = contentOf(mark, numbers);
  if (/[_^]/.test(text)) writeContent(node, text, size);
  else writePlain(node, text);
}

function paintRect(node, numbers, mark) {
  placeBox(node, numbers);
  node.style.fill = numbers.tint === undefined ? (mark.fill ?? "") : tinted(numbers.tint);
}

function buildCell(layer) {
  const group = shape(layer, "g");
  wear(shape(group, "rect", { rx: 2 }), "frame");
  shape(group, "text", { "text-anchor": "middle" });
  return group;
}

function paintCell(node, numbers, mark) {
  const [box, text] = node.children;
  const { x, y, w, h, tint, size = LABEL } = numbers;
  placeBox(box, numbers);
  box.style.fill = tint === undefined ? (mark.fill ?? "") : tinted(tint);
  setAttributes(text, { x: x + w / 2, y: y + h / 2 + CAP * size });
  wear(text, mark.ink ?? "");
  text.style.fontSize = `${size}px`;
  text.style.fill = tint === undefined ? "" : inkOn(tint);
  writePlain(text, (mark.format ?? digits)(numbers.number));
}

function paintPath(node, numbers, mark) {
  node.setAttribute("d", mark.d(numbers));
  if (numbers.thick !== undefined) node.style.strokeWidth = numbers.thick;
  node.style.fill = mark.fill ?? "";
}

function paintCircle(node, { x, y, r }, mark) {
  setAttributes(node, { cx: x, cy: y, r: Math.max(0, r) });
  node.style.fill = mark.fill ?? "";
}

/** A canvas lies inside the SVG, so it moves, fades and is covered like any other mark. */
function buildCanvas(layer) {
  const room = shape(layer, "foreignObject");
  room.append(document.createElement("canvas"));
  return room;
}

function paintCanvas(node, numbers, mark) {
  placeBox(node, numbers);
  const canvas = node.firstChild;
  const version = `${mark.version} ${getComputedStyle(node).getPropertyValue("--weight")}`;
  if (canvas.dataset.version === version) return;
  canvas.dataset.version = version;
  setAttributes(canvas, { width: mark.columns, height: mark.rows });
  mark.draw(canvas.getContext("2d"), getComputedStyle(node));
}

const buildOf = (tag) => (layer) => shape(layer, tag);

/** What a scene knows to draw: {build(layer, mark), paint(node, numbers, mark)} for each kind. */
export const KINDS = {
  text: { build: buildOf("text"), paint: paintText },
  rect: { build: buildOf("rect"), paint: paintRect },
  circle: { build: buildOf("circle"), paint: paintCircle },
  path: { build: buildOf("path"), paint: paintPath },
  cell: { build: buildCell, paint: paintCell },
  canvas: { build: buildCanvas, paint: paintCanvas },
};

/** A mark says its kind, or it is seen from what it has. */
export function kindOf(mark) {
  if (mark.kind) return mark.kind;
  if (mark.d) return "path";
  if (mark.draw) return "canvas";
  if ("r" in mark) return "circle";
  return "w" in mark ? "rect" : "text";
}
