// States of maps, and what must hold for the marks of a drawing.

import { widthOf } from "../../lib/widgets/frame/lettering.mjs";

const SLACK = 1; // pixels

/** The state of maps with so many heads over these tokens, every row with equal weights. */
export function stateOf(heads, tokens, more = {}) {
  const count = tokens.length;
  return {
    shape: [heads, count, count],
    weights: new Float32Array(heads * count * count).fill(1 / count),
    unit: 1,
    version: 1,
    mask: new Uint8Array(),
    top: 1,
    limit: 1,
    exact: {},
    names: Array.from({ length: heads }, (_, head) => `head ${head + 1}`),
    query_tokens: tokens,
    key_tokens: tokens,
    head: 0,
    query: 0,
    key: 0,
    pinned: false,
    solo: -1,
    veiled: false,
    before: null,
    ...more,
  };
}

const contentOf = ({ text, number, format }) => text ?? format?.(number) ?? "";

/** The box of the letters of a text that is not turned. */
function boxOf(mark) {
  const size = mark.size ?? 24;
  const width = widthOf(contentOf(mark), size);
  const start = { start: 0, middle: width / 2, end: width }[mark.anchor ?? "middle"];
  const left = mark.x - start;
  return { id: mark.id, left, right: left + width, top: mark.y - 0.72 * size, floor: mark.y };
}

function textsOf(marks) {
  const texts = marks.filter((mark) => contentOf(mark) !== "" && !mark.turn && !mark.kind);
  return texts.map(boxOf);
}

/** The names of the marks that leave the room. */
export function outside(marks, { width, height }) {
  const boxes = marks.filter((mark) => mark.w !== undefined && mark.d === undefined);
  const areas = boxes.map(({ id, x, y, w, h }) => ({
    id,
    left: x,
    right: x + w,
    top: y,
    floor: y + h,
  }));
  const isOut = ({ left, right, top, floor }) =>
    Math.min(left, top) < -SLACK - 2 || right > width + SLACK + 2 || floor > height + SLACK;
  return [...textsOf(marks), ...areas].filter(isOut).map(({ id }) => id);
}

/** The pairs of texts that lie on each other. */
export function overlapping(marks) {
  const texts = textsOf(marks);
  const pairs = [];
  for (const [i, one] of texts.entries())
    for (const other of texts.slice(i + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.floor, other.floor) - Math.max(one.top, other.top);
      if (across > SLACK && down > SLACK) pairs.push(`${one.id} on ${other.id}`);
    }
  return pairs;
}
