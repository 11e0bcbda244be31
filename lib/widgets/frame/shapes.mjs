// Marks in few words (scene.mjs says what a mark is): what most drawings are made of.

export const BASELINE = 9; // from the middle of a line down to the foot of its text

/** Where a text begins or ends at its point, not in its middle. */
export const LEFT_END = { anchor: "start" };
export const RIGHT_END = { anchor: "end" };

/** A rectangle; box: { x, y, w, h }. */
export const rect = (id, kind, box, more) => ({ id, class: kind, ...box, ...more });

/** A text at a point. */
export const text = (id, kind, [x, y], words, more) => ({
  id,
  class: kind,
  x,
  y,
  text: words,
  ...more,
});

/** A number as a text at a point; it counts when it glides. */
export const number = (id, kind, [x, y], value, format, more) => ({
  ...{ id, class: kind, x, y, number: value, format },
  ...more,
});

/** A dot at a point. */
export const dot = (id, kind, [x, y], r, more) => ({ id, class: kind, x, y, r, ...more });

const segment = ({ x, y, toX, toY }) => `M${x},${y}L${toX},${toY}`;

/** A line from a point to another. */
export const line = (id, kind, [x, y], [toX, toY], more) => ({
  ...{ id, class: kind, d: segment, x, y, toX, toY },
  ...more,
});

const bend = ({ x, y, toX, toY }) => {
  const half = (y + toY) / 2;
  return `M${x},${y}C${x},${half} ${toX},${half} ${toX},${toY}`;
};

/** A thread from a point down or up to another: it leaves and arrives straight. */
export const thread = (id, kind, [x, y], [toX, toY], more) => ({
  ...{ id, class: kind, d: bend, x, y, toX, toY },
  ...more,
});

/** A curve through points, whose heights glide. */
export function curve(id, kind, points, more) {
  const heights = Object.fromEntries(points.map(([, y], i) => [`y${i}`, y]));
  const path = (numbers) => `M${points.map(([x], i) => `${x},${numbers[`y${i}`]}`).join("L")}`;
  return { id, class: kind, d: path, ...heights, ...more };
}

/** What hides an answer, and the question that stands on it; a click is Enter. */
export function veil(box, question, act, more) {
  const middle = [box.x + box.w / 2, box.y + box.h / 2 + BASELINE];
  return [
    rect("veil", "veil", box, { rx: 8, pick: () => act.next(), ...more }),
    text("ask", "bold halo", middle, question, { size: 28 }),
  ];
}
