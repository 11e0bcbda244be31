// The query of one word and all keys, before one of them is pointed at: it asks each of them.

import { widthOf } from "../frame/lettering.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { LEFT_END, line, text } from "../frame/shapes.mjs";
import { bandAround, cellMarks, edgeMark, roleMark, rowNames } from "./marks.mjs";
import { projected } from "./parts.mjs";
import { askingPlaces, NAMES } from "./places.mjs";

const MADE = { size: 26, apart: 10 }; // letters of how a matrix is made; from there to what for
const AIR = 8; // from a query to what goes out from it, and from there to the words

/** How a matrix is made, and what it is for. */
export function madeMarks(name, vectors, word, [x, y]) {
  const made = `$${name}$ = ${vectors} W_${name}`;
  const { size, apart } = MADE;
  const role = roleMark(name, word, [x + widthOf(made, size, 650) + apart, y]);
  return [text(`makes ${name}`, "bold", [x, y], made, { size, ...LEFT_END }), { ...role, size }];
}

/** From the word that asks to each key. */
function askingLines(queries, keys, { Q, K }) {
  const [x, y] = [Q.x + Q.w * queries.rows[0].length + AIR, Q.y + Q.h / 2];
  return keys.rows.map((_, key) => {
    const end = [K.x - NAMES - AIR, K.y + (key + 0.5) * K.h];
    const more = { from: { toX: x, toY: y }, delay: GLIDE + key * STAGGER };
    return line(`asks ${key}`, "query-line", [x, y], end, more);
  });
}

/** One query at the left, K at the right, and from the word that asks a line to each key. */
export function askingMarks(state, room, { asks }, word, touch) {
  const [queries, keys] = ["Q", "K"].map((name) => projected(state, name));
  const { Q, K, titles } = askingPlaces(keys, asks, room);
  const isAsking = (i) => i === asks;
  const width = queries.rows[0].length;
  const isKey = () => true;
  const pick = (i, j) => ({ pick: touch({ part: "result", i, j }).pick });
  const vectors = state.attention === "cross" ? "target $X$" : "$X$";
  return [
    ...madeMarks("Q", vectors, word, [0, titles.Q]),
    ...rowNames("asking", queries.down, Q, asks),
    ...cellMarks(queries, Q, isAsking).filter((_, i) => isAsking(Math.floor(i / width))),
    bandAround(queries, Q),
    ...askingLines(queries, keys, { Q, K }),
    ...madeMarks("K", "$X$", word, [K.x - NAMES, titles.K]),
    ...rowNames("asked", keys.down, K, -1),
    edgeMark(keys, K),
    ...cellMarks(keys, K, isKey, pick),
    bandAround(keys, K),
  ];
}
