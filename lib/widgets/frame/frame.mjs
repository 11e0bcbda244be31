// What every drawing shares: numbers, texts, elements, keys.

const READ = new WeakMap(); // {view: its numbers}

/** What a DataView holds (its offset may be unaligned), as an array of float32 or uint8.
 *
 * Of one view it is the same array each time: the stage draws anew what is another object.
 */
export function numbers(view, Kind = Float32Array) {
  const { buffer, byteOffset, byteLength } = view;
  if (!READ.has(view)) READ.set(view, new Kind(buffer.slice(byteOffset, byteOffset + byteLength)));
  return READ.get(view);
}

/** 1.5 -> "1.50", with a true minus sign. */
export function digits(x, places = 2) {
  return x
    .toFixed(places)
    .replace(/^-(0\.?0*)$/, "$1")
    .replace("-", "\u2212");
}

/** At most `most` characters of a token; the caption always has the whole of it. */
export function short(token, most) {
  const letters = [...token];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}\u2026` : token;
}

/** A whole sentence with named holes: fillIn("{word}: weight {weight}", { word, weight }). */
export function fillIn(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

const TAP = "a tap on “{label}”";

/** What a finger does where a sentence says Enter: it taps the button with this label. */
export function forFinger(sentence, label) {
  const tap = fillIn(TAP, { label });
  return sentence.replace(/\bEnter\b/g, (_, place) => {
    const isFirst = /(^|[.?!] )$/.test(sentence.slice(0, place));
    return isFirst ? tap[0].toUpperCase() + tap.slice(1) : tap;
  });
}

/** A right-to-left token must not turn round the digits that follow it. */
export function isolate(token) {
  return /[\u0590-\u08ff]/.test(token) ? `\u2068${token}\u2069` : token;
}

export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** Set several attributes of an element: {name: value}. */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

function add(parent, node, attributes, text) {
  setAttributes(node, attributes);
  if (text !== undefined) node.textContent = text; // a text node: tokens are never HTML
  return parent.appendChild(node);
}

/** Append an SVG element. */
export function shape(parent, tag, attributes = {}, text = undefined) {
  return add(parent, document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, text);
}

/** Append an HTML element. */
export function html(parent, tag, attributes = {}, text = undefined) {
  return add(parent, document.createElement(tag), attributes, text);
}

/** The name of a key; a letter is the same under Caps Lock. */
export const keyOf = ({ key }) => (key.length === 1 ? key.toLowerCase() : key);

/**
 * Call act(key, event) for keys pressed on the drawing; when it returns true, Jupyter does not see
 * the key.
 */
export function keys(node, act) {
  node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !act(keyOf(event), event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * Arrow keys, Home and End as a new [row, column] within rows x columns, or null for other keys.
 */
export function step(key, [row, column], rows, columns) {
  const next = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, columns - 1],
  }[key];
  return next ? [clamp(next[0], 0, rows - 1), clamp(next[1], 0, columns - 1)] : null;
}

/** Another place in a row of `count`, for ← → Home End; null for other keys. */
export function along(key, here, count) {
  const last = count - 1;
  const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: last }[key];
  return next === undefined ? null : clamp(next, 0, last);
}

/** Where a pointer event is, in the units of the SVG (exact under zoom and full screen). */
export function place(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
    svg.getScreenCTM().inverse(),
  );
  return [point.x, point.y];
}

/** Tell Python what the reader changed: {trait: value}, in one message. */
export function saveChanges(model, changes) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  model.save_changes();
}

const WHY = "What came out, and why"; // as in predict.py

/**
 * Open the fold that explains an answer: the first thing in the text below the node's cell. Only
 * JupyterLab and Notebook let a widget see its neighbours; elsewhere the reader opens it.
 */
export function openBelow(node) {
  let cell = node.closest(".jp-Cell")?.nextElementSibling;
  while (cell && !cell.matches(".jp-MarkdownCell")) cell = cell.nextElementSibling;
  const fold = cell?.querySelector(".jp-RenderedMarkdown > details:first-child");
  if (fold?.querySelector("summary")?.textContent.trim() === WHY) fold.open = true;
}

/** Draw at most once for each picture of the screen, however often it is asked for. */
export function eachFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}
