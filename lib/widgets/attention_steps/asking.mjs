// Queries and keys, before one of them is pointed at: the query of one word asks every key.

import { widthOf } from "../frame/lettering.mjs";
import { GLIDE, STAGGER } from "../frame/scene.mjs";
import { LEFT_END, line, text } from "../frame/shapes.mjs";
import { bandAround, belowMarks, cellMarks, edgeMark, roleMark, rowNames } from "./marks.mjs";
import { projected } from "./parts.mjs";
import { askingPlaces, NAMES } from "./places.mjs";

const MADE = { size: 26, apart: 10 }; // letters of how a matrix is made; from there to what for
const AIR = 8; // from a query to what goes out from it, and from there to the words

/** How a matrix is made, and what it is for. */
function madeMarks(name, vectors, word, [x, y]) {
  const made = `$${name}$ = ${vectors} W_${name}`;
  const { size, apart } = MADE;
  const role = roleMark(name, word, [x + widthOf(made, size, 650) + apart, y]);
  return [text(`makes ${name}`, "bold", [x, y], made, { size, ...LEFT_END }), { ...role, size }];
}

/** From the word that asks to each key. */
function askingLines(asks, queries, keys, { Q, K }) {
  const [x, y] = [Q.x + Q.w * queries.rows[0].length + AIR, Q.y + (asks + 0.5) * Q.h];
  return keys.rows.map((_, key) => {
    const end = [K.x - NAMES - AIR, K.y + (key + 0.5) * K.h];
    const more = { from: { toX: x, toY: y }, delay: GLIDE + key * STAGGER };
    return line(`asks ${key}`, "query-line", [x, y], end, more);
  });
}

/** Q at the left, K at the right, and from the word that asks a line to each key. */
export function askingMarks(state, room, { asks }, word, touch) {
  const [queries, keys] = ["Q", "K"].map((name) => projected(state, name));
  const { Q, K, title } = askingPlaces(queries, keys, room);
  const isAsking = (i) => i === asks;
  const isKey = () => true;
  const pick = (i, j) => ({ pick: touch({ part: "result", i, j }).pick });
  const own = { ...queries, rows: [queries.rows[asks]] };
  const vectors = state.attention === "cross" ? "target $X$" : "$X$";
  return [
    ...madeMarks("Q", vectors, word, [0, title]),
    ...rowNames("asking", queries.down, Q, asks),
    edgeMark(queries, Q),
    ...cellMarks(queries, Q, isAsking),
    ...belowMarks(queries, Q, isAsking),
    bandAround(own, { ...Q, y: Q.y + asks * Q.h }),
    ...askingLines(asks, queries, keys, { Q, K }),
    ...madeMarks("K", "$X$", word, [K.x - NAMES, title]),
    ...rowNames("asked", keys.down, K, -1),
    edgeMark(keys, K),
    ...cellMarks(keys, K, isKey, pick),
    bandAround(keys, K),
  ];
}
