// A small drawing of the Transformer, with the place of a demo marked.

import { shape } from "./frame.mjs";

// [x, y, width, height] in a picture of 92 x 84; the encoder stands at the left.
const PARTS = {
  "encoder input": [6, 72, 34, 8],
  "decoder input": [52, 72, 34, 8],
  "decoder attention": [52, 54, 34, 12],
  "cross-attention": [52, 37, 34, 12],
  "decoder feed-forward": [52, 20, 34, 12],
  output: [52, 4, 34, 8],
};
const PATHS = "V24H46V43H52M69,72V66M69,54V49M69,37V32M69,20V12";
// The encoder's layers, one for all of them or two.
const LAYERS = {
  1: {
    parts: { "encoder attention": [6, 50, 34, 14], "encoder feed-forward": [6, 30, 34, 14] },
    paths: "M23,72V64M23,50V44M23,30",
  },
  2: {
    parts: {
      "layer 1 attention": [6, 60, 34, 8],
      "layer 1 feed-forward": [6, 49, 34, 8],
      "layer 2 attention": [6, 38, 34, 8],
      "layer 2 feed-forward": [6, 27, 34, 8],
    },
    paths: "M23,72V68M23,60V57M23,49V46M23,38V35M23,27",
  },
};

/** Draw it; the function that is returned fills these parts, and says which. */
export function drawWhere(parent, layers) {
  const { parts, paths } = LAYERS[layers];
  const svg = shape(parent, "svg", { class: "demo-where", viewBox: "0 0 92 84", role: "img" });
  shape(svg, "path", { d: paths + PATHS });
  const boxes = Object.entries({ ...PARTS, ...parts });
  const rects = boxes.map(([name, [x, y, width, height]]) => [
    name,
    shape(svg, "rect", { x, y, width, height, rx: 3 }),
  ]);
  return (here) => {
    svg.setAttribute("aria-label", `Where in the Transformer: ${here.join(", ")}`);
    for (const [name, rect] of rects) rect.classList.toggle("here-in-model", here.includes(name));
  };
}
