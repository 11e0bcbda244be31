// A drawing as an SVG that needs no style sheet: what the page says about each of its nodes is
// written into a copy of the node. Other programs know neither custom properties nor color-mix(),
// paint-order or canvases, so none of them is left.
import { setAttributes, shape } from "./frame.mjs";

// What says where a node is and what it looks like is kept; its style is computed below.
const KEPT = [
  ...["x", "y", "dx", "dy", "width", "height", "viewBox", "preserveAspectRatio"],
  ...["x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "d", "points"],
  ...["patternUnits", "patternTransform", "textLength", "lengthAdjust", "href"],
];
const WITHOUT_INK = ["title", "desc", "style", "script"];
const GROUPS = ["svg", "g", "defs", "pattern", "clipPath", "mask"];
// Style sheets may round corners and dots.
const ROUNDED = { rect: ["rx", "ry"], circle: ["r"] };
// Property and the value that need not be written.
const GROUP_STYLE = { opacity: "1", "clip-path": "none", mask: "none" };
const STROKE_STYLE = {
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
};
const TEXT_STYLE = {
  "font-size": "",
  "font-weight": "400",
  "font-style": "normal",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "letter-spacing": "normal",
  "text-decoration": "none",
};
// These are no attributes of SVG: they stay style.
const STAYS_STYLE = {
  "font-variant-numeric": "normal",
  "image-rendering": "auto",
  "mix-blend-mode": "normal",
  filter: "none",
};
const SPACES = /^\s|\s\s|\s$/; // that an SVG would drop
const PLACES = 2; // digits after the point: of a length
const MATRIX_PLACES = 5; // of a turn or a zoom

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

/** Round the numbers of an attribute; "12px" becomes "12". */
export function tidy(text, places = PLACES) {
  const short = (number) => String(Number(Number(number).toFixed(places)));
  return text.replace(/(\d)px\b/g, "$1").replace(/-?\d*\.\d+(e-?\d+)?/g, short);
}

/** A computed colour as [the same without its opacity, its opacity]. */
export function withoutOpacity(colour) {
  const old = colour.match(/^rgba\((.*), ([\d.]+)\)$/);
  if (old) return [`rgb(${old[1]})`, Number(old[2])];
  const other = colour.match(/^(.*) \/ ([\d.]+)\)$/);
  if (other) return [`${other[1]})`, Number(other[2])];
  return [colour, 1];
}

/** A computed colour, color(...) and oklab(...) too, as { hex, opacity }. */
export function asHex(colour) {
  const [opaque, opacity] = withoutOpacity(colour);
  const context = measuringPen();
  context.fillStyle = opaque;
  context.fillRect(0, 0, 1, 1);
  const bytes = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { hex: `#${hex}`, opacity };
}

/** "none", or a colour nobody sees. */
function isClear(paint) {
  return paint === "none" || (!paint.startsWith("url") && withoutOpacity(paint)[1] === 0);
}

/** The matrix of a node as an attribute: style sheets may turn about another point than 0, 0. */
function matrixOf(style) {
  const [x, y] = style.transformOrigin.split(" ").map(Number.parseFloat);
  if (!x && !y) return tidy(style.transform, MATRIX_PLACES);
  return tidy(`translate(${x} ${y}) ${style.transform} translate(${-x} ${-y})`, MATRIX_PLACES);
}

/** A canvas as an address. Maps have a pixel for each cell: enlarged, no program blurs them. */
function addressOf(canvas, width) {
  const isMap = getComputedStyle(canvas).imageRendering === "pixelated";
  const times = isMap ? Math.max(1, Math.ceil(width / canvas.width)) : 1;
  const large = document.createElement("canvas");
  large.width = canvas.width * times;
  large.height = canvas.height * times;
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, large.width, large.height);
  return large.toDataURL("image/png");
}

/**
 * Copies SVG nodes so that they stand alone. The copies of one picture share their ids, which are
 * numbered: they may be random, and pictures must not be.
 */
export class Copyist {
  /** family: the font of the whole picture, which is not said again for each text. */
  constructor(family) {
    this.family = family;
    this.ids = new Map();
  }

  idOf(name) {
    if (!this.ids.has(name)) this.ids.set(name, `d${this.ids.size + 1}`);
    return this.ids.get(name);
  }

  withIds(value) {
    return value.replace(/url\("?#([^")]+)"?\)/g, (_, name) => `url(#${this.idOf(name)})`);
  }

  copyAttributes(node, made) {
    for (const name of KEPT) {
      const value = node.getAttribute(name);
      if (value !== null) made.setAttribute(name, name === "href" ? value : tidy(value));
    }
    if (node.id) made.setAttribute("id", this.idOf(node.id));
  }

  put(made, style, table) {
    for (const [name, usual] of Object.entries(table)) {
      const value = style.getPropertyValue(name);
      if (!value || value === usual) continue;
      made.setAttribute(name, tidy(this.withIds(value)).replaceAll('"', "'"));
    }
  }

  putLetters(made, style) {
    this.put(made, style, { "font-family": this.family, ...TEXT_STYLE });
  }

  paint(made, style, name) {
    const value = style.getPropertyValue(name);
    if (value === "none" || value.startsWith("url")) {
      made.setAttribute(name, this.withIds(value));
      return;
    }
    const { hex, opacity } = asHex(value);
    made.setAttribute(name, hex);
    const together = opacity * Number(style.getPropertyValue(`${name}-opacity`));
    if (together < 1) made.setAttribute(`${name}-opacity`, tidy(String(together)));
  }

  copyStyle(node, made, style) {
    this.put(made, style, GROUP_STYLE);
    if (style.transform !== "none") made.setAttribute("transform", matrixOf(style));
    if (GROUPS.includes(node.localName)) return;
    if (node.localName !== "line") this.paint(made, style, "fill");
    if (style.stroke !== "none") {
      this.paint(made, style, "stroke");
      this.put(made, style, STROKE_STYLE);
    }
    for (const name of ROUNDED[node.localName] ?? []) {
      const value = style.getPropertyValue(name);
      if (value !== "auto") made.setAttribute(name, tidy(value));
    }
    for (const [name, usual] of Object.entries(STAYS_STYLE)) {
      const value = style.getPropertyValue(name);
      if (value && value !== usual) made.style.setProperty(name, value);
    }
  }

  isSeen(node, style) {
    if (style.display === "none" || style.opacity === "0") return false;
    if (GROUPS.includes(node.localName)) return true;
    if (style.visibility === "hidden") return false;
    if (node.localName === "text") return node.textContent !== "";
    if (node.localName === "tspan" || node.localName === "image") return true;
    return !isClear(style.fill) || !isClear(style.stroke); // else only there to be clicked
  }

  copy(parent, node, style) {
    const made = shape(parent, node.localName);
    this.copyAttributes(node, made);
    this.copyStyle(node, made, style);
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) made.append(child.data);
      if (child.nodeType === Node.ELEMENT_NODE) this.write(made, child);
    }
    return made;
  }

  /** Letters with a halo are written twice: first the halo, then the letters. */
  writeLetters(parent, node, style) {
    const hasHalo = style.paintOrder.startsWith("stroke") && !isClear(style.stroke);
    if (hasHalo) this.putLetters(this.copy(parent, node, style), style);
    const letters = this.copy(parent, node, style);
    this.putLetters(letters, style);
    if (style.whiteSpaceCollapse?.startsWith("preserve") && SPACES.test(node.textContent)) {
      letters.setAttribute("xml:space", "preserve");
    }
    if (!hasHalo) return;
    for (const one of [letters, ...letters.querySelectorAll("tspan")]) {
      one.setAttribute("stroke", "none");
    }
  }

  /** A foreignObject holds one canvas, which fills it. */
  writeCanvas(parent, node) {
    const canvas = node.querySelector("canvas");
    if (!canvas?.width || !canvas.height) return;
    const made = shape(parent, "image");
    this.copyAttributes(node, made);
    this.put(made, getComputedStyle(node), GROUP_STYLE);
    setAttributes(made, {
      preserveAspectRatio: "none",
      href: addressOf(canvas, Number(node.getAttribute("width"))),
    });
    made.style.imageRendering = getComputedStyle(canvas).imageRendering;
  }

  /** Append a copy of an SVG node. */
  write(parent, node) {
    const style = getComputedStyle(node);
    if (WITHOUT_INK.includes(node.localName) || style.display === "none") return null;
    if (node.localName === "foreignObject") return this.writeCanvas(parent, node);
    if (!this.isSeen(node, style)) return null;
    if (node.localName === "text") return this.writeLetters(parent, node, style);
    const made = this.copy(parent, node, style);
    if (node.localName === "tspan") this.putLetters(made, style);
    if (node.localName === "svg") made.setAttribute("overflow", style.overflow);
    return made;
  }
}
