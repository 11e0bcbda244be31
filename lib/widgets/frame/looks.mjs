// Looks: what a mark is painted with follows from its kinds, which are its tag and its classes.
//
// A table of looks has a line for each kind, or for kinds that meet ("text.query"); a later line
// wins, and the lines of a drawing (its `looks`) come after those of the frame. A look is written
// into a node as attributes, with the colours of lib/charts/colours.py by name: they follow the
// theme, and a copy of the node needs no style sheet. Style sheets have only what is no paint.

/** A shape that is filled with a colour of the course. */
export const filled = (colour, more) => ({ fill: `var(--${colour})`, ...more });

/** A shape that is only a line of so many pixels. */
export const drawn = (colour, width, more) => ({
  ...{ fill: "none", stroke: `var(--${colour})`, "stroke-width": width },
  ...more,
});

/** Paper round letters, so many pixels with both sides. */
export const halo = (width) => ({
  ...{ "paint-order": "stroke", stroke: "var(--paper)", "stroke-width": width },
  "stroke-linejoin": "round",
});

export const DASHED = { "stroke-dasharray": "7 5" };
export const CURVE = drawn("ink", 4, { "stroke-linejoin": "round" });
const BOLD = { "font-weight": 650 };
const TIGHT = { "letter-spacing": "-0.03em" };

// Hue always means something in the data; the interface is ink and paper.
const FRAME = {
  text: filled("ink"),
  symbol: { "font-family": "var(--mathematics)", "font-style": "italic" },
  "text.faint": filled("faint"),
  "text.ghosted": filled("faint"),
  "text.bold": BOLD,
  "text.answer": { ...BOLD, ...TIGHT },
  "text.large": { ...BOLD, ...TIGHT },
  "text.halo": halo(8),
  line: drawn("axis", 2),
  rule: filled("axis"),
  ink: filled("ink"),
  score: filled("score"),
  frame: { fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5 },
  ghost: drawn("ghost", 2.5, DASHED),
  focused: drawn("ink", 3.5),
  changed: { ...drawn("lit", 2), ...filled("changed") },
  masked: filled("hatching"),
  veil: { ...drawn("ghost", 2, DASHED), ...filled("veil") },
  arc: { fill: "none", stroke: "var(--weight)", "stroke-linecap": "round" },
  pick: { fill: "transparent" },
  "query-line": drawn("query", 4),
  "key-line": drawn("key", 4),
  "value-line": drawn("value", 4),
  query: filled("query"),
  "text.query": filled("query-text"),
  key: filled("key"),
  "text.key": filled("key-text"),
  value: filled("value"),
  "text.value": filled("value-text"),
  "text.marked": filled("marked"),
  position: filled("position"),
  weight: filled("weight"),
  spread: filled("surface"),
  swatch: { stroke: "var(--line)", "stroke-width": 0.5 },
  foreignObject: { "image-rendering": "pixelated" },
  fine: { "image-rendering": "auto" },
};

/** The attributes of a node of these kinds. */
function lookOf(kinds, lines) {
  const fitting = lines.filter(([names]) => names.every((name) => kinds.includes(name)));
  return Object.assign({}, ...fitting.map(([, look]) => look));
}

/** wear(node, classes), for a drawing with these looks of its own. */
export function wardrobe(own = {}) {
  const lines = [...Object.entries(FRAME), ...Object.entries(own)].map(([kinds, look]) => [
    kinds.split("."),
    look,
  ]);
  const kindsOf = (node) => [node.localName, ...(node.getAttribute("class") ?? "").split(" ")];
  return (node, classes) => {
    if (node.getAttribute("class") === classes) return;
    for (const name of Object.keys(lookOf(kindsOf(node), lines))) node.removeAttribute(name);
    node.setAttribute("class", classes);
    for (const [name, value] of Object.entries(lookOf(kindsOf(node), lines)))
      node.setAttribute(name, value);
  };
}

/** Give a node its classes and what they look like in every drawing. */
export const wear = wardrobe();
