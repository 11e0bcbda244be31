// A drawing as an SVG that needs no style sheet: its marks say what they look like (looks.mjs), and
// a copy of a node says it in words that other programs know. They know neither custom properties
// nor color-mix(), paint-order or canvases, so none of them is left.
import { setAttributes, shape } from "./frame.mjs";

const LEFT_OUT = /^(class|style|pointer-events|paint-order|data-.*|--.*)$/;
const PAINTS = ["fill", "stroke"];
const SPACES = /^\s|\s\s|\s$/; // that an SVG would drop
const PLACES = 2; // digits after the point: of a length
const SIGNIFICANT = 6; // digits of where a node is moved to, as many as browsers compute

let pen = null;

/** A context to measure letters with and to mix colours. */
export function measuringPen() {
  if (!pen) {
    const canvas = document.createElement("canvas");
    canvas.width = 1;
    canvas.height = 1;
    pen = canvas.getContext("2d", { willReadFrequently: true });
  }
  return pen;
}

const length = (number) => number.toFixed(PLACES);

/** A number of a transform, rounded. */
export const moved = (number) => number.toPrecision(SIGNIFICANT);

/** Round the numbers of an attribute; "12px" becomes "12". */
export function tidy(text, round = length) {
  const short = (digits) => String(Number(round(Number(digits))));
  return text.replace(/(\d)px\b/g, "$1").replace(/-?\d*\.\d+(e-?\d+)?/g, short);
}

/** A computed colour, color(...) and oklab(...) too, as #rrggbb; "none" if nobody sees it. */
function asHex(colour) {
  if (colour === "none") return colour;
  const context = measuringPen();
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [...bytes] = context.getImageData(0, 0, 1, 1).data;
  if (bytes.pop() === 0) return "none";
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** A canvas as an address. Maps have a pixel for each cell: enlarged, no program blurs them. */
function addressOf(canvas, width, isMap) {
  const times = isMap ? Math.max(1, Math.ceil(width / canvas.width)) : 1;
  const large = document.createElement("canvas");
  large.width = canvas.width * times;
  large.height = canvas.height * times;
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, large.width, large.height);
  return large.toDataURL("image/png");
}

/** The attributes of a node; those of this moment are its style. */
function saidBy(node) {
  const said = [...node.attributes].map(({ name, value }) => [name, value]);
  for (const name of node.style) said.push([name, node.style.getPropertyValue(name)]);
  return Object.fromEntries(said.filter(([name]) => !LEFT_OUT.test(name)));
}

/**
 * Copies SVG nodes so that they stand alone. The copies of one picture share their ids, which are
 * numbered: they may be random, and pictures must not be.
 */
export class Copyist {
  constructor() {
    this.ids = new Map();
  }

  /** Append a copy of a whole SVG. */
  write(parent, svg) {
    this.svg = svg;
    this.paints = new Map();
    return this.writeNode(parent, svg);
  }

  idOf(name) {
    if (!this.ids.has(name)) this.ids.set(name, `d${this.ids.size + 1}`);
    return this.ids.get(name);
  }

  /** What the browser makes of a colour by name, of a mixed one and of a hatching. */
  paintOf(colour) {
    if (!this.paints.has(colour)) {
      this.svg.style.fill = colour;
      const { fill } = getComputedStyle(this.svg);
      const pattern = fill.match(/#([^")]+)/)?.[1];
      this.paints.set(colour, pattern ? `url(#${this.idOf(pattern)})` : asHex(fill));
      this.svg.style.fill = "";
    }
    return this.paints.get(colour);
  }

  /** What a node says of itself, in plain words. */
  plain(node) {
    const said = saidBy(node);
    for (const name of PAINTS) if (said[name]) said[name] = this.paintOf(said[name]);
    if (said.id) said.id = this.idOf(said.id);
    const { "font-family": family, "letter-spacing": spacing } = said;
    if (family) said["font-family"] = this.familyOf(family);
    if (spacing) said["letter-spacing"] = `${parseFloat(spacing) * parseFloat(said["font-size"])}`;
    return said;
  }

  familyOf(name) {
    this.svg.style.fontFamily = name;
    const { fontFamily } = getComputedStyle(this.svg);
    this.svg.style.fontFamily = "";
    return fontFamily.replaceAll('"', "'");
  }

  copy(parent, node, said) {
    const made = shape(parent, node.localName);
    for (const [name, value] of Object.entries(said))
      made.setAttribute(name, tidy(value, name === "transform" ? moved : length));
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) made.append(child.data);
      if (child.nodeType === Node.ELEMENT_NODE) this.writeNode(made, child);
    }
    return made;
  }

  /** What has a halo is written twice: first the halo, then the letters. */
  writeOverHalo(parent, node, said) {
    const { stroke, ...plain } = said;
    this.copy(parent, node, said);
    return this.copy(parent, node, plain);
  }

  writeLetters(parent, node, said) {
    if (node.textContent === "") return;
    const made = said.stroke
      ? this.writeOverHalo(parent, node, said)
      : this.copy(parent, node, said);
    if (SPACES.test(node.textContent)) made.setAttribute("xml:space", "preserve");
  }

  /** A foreignObject holds one canvas, which fills it. */
  writeCanvas(parent, node, said) {
    const canvas = node.querySelector("canvas");
    if (!canvas.width || !canvas.height) return;
    const isMap = said["image-rendering"] === "pixelated";
    const href = addressOf(canvas, Number(said.width), isMap);
    setAttributes(shape(parent, "image"), { ...said, preserveAspectRatio: "none", href });
  }

  /** Append a copy of a node, unless it is only there to be clicked. */
  writeNode(parent, node) {
    const said = this.plain(node);
    const isClear = said.fill === "none" && (said.stroke ?? "none") === "none";
    if ((isClear && !node.firstElementChild) || said.opacity === "0") return null;
    if (node.localName === "foreignObject") return this.writeCanvas(parent, node, said);
    if (node.localName === "text") return this.writeLetters(parent, node, said);
    return this.copy(parent, node, said);
  }
}
