// The kinds of marks that a scene can draw: how each is built, and how it is painted with the
// numbers of this moment.

import { digits, setAttributes, shape } from "./frame.mjs";
import { isFormula, pieces, rootPath, SCRIPT, setLine } from "./formula.mjs";
import { wear } from "./looks.mjs";
import { widthOfLetters } from "./ruler.mjs";

export const LABEL = 24; // pixels of the stage: the smallest letters there are
const CAP = 0.36; // from the middle of a line of digits down to its baseline, in letter sizes
const LOWEST = 0.42; // of those tints
const TURNS_WHITE = 0.72; // from this share of the weight's colour on, digits take the other ink

/** The fill of a weight: further from the paper is more. */
export function tinted(weight) {
  return `color-mix(in srgb, var(--weight) ${(100 * weight).toFixed(1)}%, var(--paper))`;
}

/** The tint of a weight where a small one too must be seen: 2 to 1 on the paper. */
export const shade = (weight) => LOWEST + (1 - LOWEST) * weight;

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

/** Write a line with symbols into a text, each piece in its place. Answers with the line. */
function writeLine(node, text, size, anchor) {
  const weight = getComputedStyle(node).fontWeight;
  const wide = (part, high, isSlanted) => widthOfLetters(part, high, weight, isSlanted);
  const line = setLine(text, size, wide, LABEL * SCRIPT);
  const left = { start: 0, end: -line.width }[anchor] ?? -line.width / 2;
  node.setAttribute("text-anchor", "start");
  const version = `${text} ${size} ${left} ${line.width}`;
  if (node.dataset.version === version && node.firstElementChild) return { ...line, left };
  node.dataset.version = version;
  node.replaceChildren();
  for (const run of line.runs) {
    const piece = shape(node, "tspan", { x: left + run.x, y: run.dy }, run.text);
    wear(piece, `${run.isSlanted ? "symbol" : ""}${run.isScript ? " script" : ""}`);
    if (run.isScript) piece.style.fontSize = `${run.size}px`;
  }
  return { ...line, left };
}

/** A line with symbols in a group that has its text: an outline is added for each root. */
export function writeFormula(group, text, size, anchor = "start") {
  const node = group.querySelector("text");
  const { roots, left } = writeLine(node, text, size, anchor);
  for (const old of group.querySelectorAll("path")) old.remove();
  const fill = node.getAttribute("fill");
  for (const { x, width } of roots)
    shape(group, "path", { class: "root-sign", fill, d: rootPath(left + x, width, size) });
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
  if (isFormula(text)) writeLine(node, text, size, mark.anchor);
  else writePlain(node, text);
}

function buildFormula(layer) {
  const group = shape(layer, "g");
  shape(group, "text");
  return group;
}

/** A text with a root in it. */
function paintFormula(node, numbers, mark) {
  const size = numbers.size ?? LABEL;
  const text = node.querySelector("text");
  wear(text, mark.class ?? "");
  text.style.fontSize = `${size}px`;
  node.setAttribute("transform", `translate(${numbers.x},${numbers.y})`);
  writeFormula(node, mark.text, size, mark.anchor ?? "middle");
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
  box.style.stroke = mark.bare ? "none" : "";
  setAttributes(text, { x: x + w / 2, y: y + h / 2 + CAP * size });
  wear(text, mark.ink ?? "");
  text.style.fontSize = `${size}px`;
  text.style.fill = tint === undefined || mark.bare ? "" : inkOn(tint);
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
  if (canvas.mark === mark) return; // a layout makes new marks: to ask for colours is slow
  canvas.mark = mark;
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
  formula: { build: buildFormula, paint: paintFormula },
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
  if ("w" in mark) return "rect";
  return pieces(mark.text ?? "").some(({ isRoot }) => isRoot) ? "formula" : "text";
}
