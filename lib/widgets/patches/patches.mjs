// A picture cut into 14 x 14 patches: the patch that asks, and where its weight goes.
import { clamp, digits, fillIn, numbers, step } from "../frame/frame.mjs";
import { answer, STAGE } from "../frame/lettering.mjs";
import { scale } from "../frame/axes.mjs";
import { drawn, filled } from "../frame/looks.mjs";
import { mix } from "../frame/scene.mjs";
import { BASELINE, LEFT_END, RIGHT_END, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const SIDE = 14; // patches in a row and in a column
const COUNT = SIDE * SIDE;
const COLUMN = 262; // the room of the answer, right of the two pictures
const PICTURE_GAP = 19; // between them
const SECOND_LEFT = (STAGE.width - COLUMN) / 2; // where the second picture begins
const LARGEST = SECOND_LEFT - PICTURE_GAP; // side of a picture
const COLUMN_LEFT = STAGE.width - COLUMN; // where the column begins
const EDGE = { step: 90, grey: 140, alpha: 110 }; // a step of the colours, and how its line looks
const EQUAL = 1e-5; // shares that differ by less, as a part of the largest, are equal
const ALIKE = 0.999; // all shares alike: the smallest as a part of the largest
const OUTLINE = 4; // from the edge of a patch to its outline, inside
const GROUND = 4; // colour round a part: white is seen as white
const RAMP = { top: 144, h: 18, steps: 14, foot: 190 }; // under the answer, from 0 to FULL
const FULL = 5; // times the average, or more: as dark as can be, whoever asks
const VECTOR = { tops: [236, 340], tile: 64, gap: 12, text: 20, fork: 320 }; // of the rows below
const HEAD = { thick: 6, back: 13, half: 11, down: 46, end: 5 }; // of an arrow, so far down
const ARC = { thick: 7, bend: 0.18, off: 0.75 }; // bend: of its length; off: of a patch
const PAPER = 4; // so much wider is the paper under the arc: seen on dark cells

const SENTENCES = {
  veiled: "{patch} asks every patch; the arrow is its vector. Predict; Enter shows it.",
  alike: "{patch} gives every patch the same.",
  itself: "{patch} gives most to itself.",
  other: "{patch} loses to {most}, whose vector is {times} times as long.",
  equal: "{patch} gives most to itself: at equal lengths only the angle decides.",
};
const ASKS = "{patch} asks “who is like me?” Who gets the weight?";
const BEFORE = "before: {name}";
const LONGER = "{times} \u00d7";
const EVEN = "{times} \u00d7 the average";
const OR_MORE = "{times} \u00d7 or more";
const THE = "the {name}";
const GETS = "gets most";
const UNNAMED = "row {row}, column {column}";
const PATCH = "Row {row}, column {column}";
const PINNED_PATCH = "Row {row}, column {column} (pinned)";

/**
 * The weights of one patch, and the [row, column] that gets the largest of them: itself, if
 * another only equals it.
 */
export function look(weights, [row, column]) {
  const self = SIDE * row + column;
  const shares = weights.subarray(self * COUNT, (self + 1) * COUNT);
  const largest = Math.max(...shares);
  const own = shares[self];
  const most = own > largest * (1 - EQUAL) ? self : shares.indexOf(largest);
  return { shares, largest, own, most: placeOf(most) };
}

const placeOf = (i) => [Math.floor(i / SIDE), i % SIDE];

/** The patch that asks: the one that is pointed at, or the one that was chosen. */
const askingOf = ({ hovered, patch }) => hovered ?? patch;

/** Where the two pictures lie in a room of this height, and how large a patch is. */
function gridOf([pixelsDown, pixelsAcross], height) {
  const side = Math.min(height, LARGEST);
  const unit = side / Math.max(pixelsDown, pixelsAcross);
  const [w, h] = [pixelsAcross * unit, pixelsDown * unit];
  const y = (height - h) / 2;
  const left = (side - w) / 2;
  const lefts = [left, SECOND_LEFT + left];
  return { w, h, y, lefts, patch: { w: w / SIDE, h: h / SIDE } };
}

/** A patch's box in the picture that begins at left. */
function boxOf([row, column], left, { y, patch }) {
  return { x: left + column * patch.w, y: y + row * patch.h, ...patch };
}

/** A part of the picture as pixels of a canvas, in its colours or only the edges of its things. */
function pixelsOf({ pixels, size }, { x, y, w, h }, isEdges) {
  const image = new ImageData(w, h);
  const at = (i, j) => 3 * ((y + Math.min(i, h - 1)) * size[1] + x + Math.min(j, w - 1));
  const step = (one, other) =>
    [0, 1, 2].reduce((sum, i) => sum + Math.abs(pixels[one + i] - pixels[other + i]), 0);
  const { grey, alpha } = EDGE;
  for (let i = 0; i < h; i++)
    for (let j = 0; j < w; j++) {
      const here = at(i, j);
      const most = Math.max(step(here, at(i + 1, j)), step(here, at(i, j + 1)));
      const line = [grey, grey, grey, most > EDGE.step ? alpha : 0];
      image.data.set(isEdges ? line : [...pixels.subarray(here, here + 3), 255], 4 * (i * w + j));
    }
  return image;
}

/** A part of the picture, {x, y, w, h} in its pixels, as a mark in a box. */
function photograph(id, state, part, box, isEdges = false) {
  const version = Object.values({ ...part, isEdges }).join(" ");
  const draw = (context) => context.putImageData(pixelsOf(state, part, isEdges), 0, 0);
  return { id, class: "photograph", ...box, columns: part.w, rows: part.h, version, draw };
}

const wholeOf = ({ size: [h, w] }) => ({ x: 0, y: 0, w, h });

/** The lines that cut a picture. */
function cuts(left, { y, w, h, patch }) {
  let path = "";
  for (let i = 1; i < SIDE; i++) path += `M${left},${y + i * patch.h}h${w}`;
  for (let j = 1; j < SIDE; j++) path += `M${left + j * patch.w},${y}v${h}`;
  return path;
}

/**
 * In a picture, 0 or 1, the outlines of who asks and, if told, of another who gets most: in the
 * patch, a broad line under a fine one, seen on any colour.
 */
function outlines(state, seen, which, grid) {
  const ends = { query: askingOf(state) };
  if (!state.veiled && String(seen.most) !== String(ends.query)) ends.key = seen.most;
  return Object.entries(ends).flatMap(([kind, patch]) => {
    const { x, y, w, h } = boxOf(patch, grid.lefts[which], grid);
    const inside = { x: x + OUTLINE, y: y + OUTLINE, w: w - 2 * OUTLINE, h: h - 2 * OUTLINE };
    const id = `${kind} ${which}`;
    return [rect(`${id} under`, "outline", inside), rect(id, `${kind}-line`, inside)];
  });
}

/**
 * What a pointer on the picture that begins at left does: it asks, a click pins or frees. While the
 * answer is veiled the patch stays, and a click shows who gets most.
 */
function pointing(left, grid, state, act) {
  if (state.veiled) return { pick: () => act.next() };
  const under = ([x, y]) => [
    clamp(Math.floor((y - grid.y) / grid.patch.h), 0, SIDE - 1),
    clamp(Math.floor((x - left) / grid.patch.w), 0, SIDE - 1),
  ];
  const hover = (point) => {
    const patch = under(point);
    if (!state.pinned && String(patch) !== String(askingOf(state))) act.change({ hovered: patch });
  };
  return { pick: (point) => act.change(pinning(state, under(point))), hover };
}

/** The changes that pin a patch; twice frees it. */
function pinning(state, patch) {
  const isPinned = state.pinned && String(patch) === String(state.patch);
  return { patch, pinned: !isPinned, hovered: null };
}

/** The picture in its colours, with the patch that asks and the one that gets most. */
function asks(state, seen, grid, act) {
  const [left] = grid.lefts;
  const box = { x: left, y: grid.y, w: grid.w, h: grid.h };
  return [
    photograph("picture", state, wholeOf(state), box),
    { id: "cuts", class: "cuts", d: () => cuts(left, grid) },
    ...outlines(state, seen, 0, grid),
    rect("hold", "pick hold", box, pointing(left, grid, state, act)),
  ];
}

const isAlike = ({ shares, largest }) => Math.min(...shares) > largest * ALIKE;

/** The middle of a patch in the picture that begins at left. */
function middleOf(patch, left, grid) {
  const { x, y, w, h } = boxOf(patch, left, grid);
  return [x + w / 2, y + h / 2];
}

function bent({ x, y, toX, toY }) {
  const [across, down] = [toX - x, toY - y];
  const [midX, midY] = [(x + toX) / 2 + ARC.bend * down, (y + toY) / 2 - ARC.bend * across];
  return `M${x},${y}Q${midX},${midY} ${toX},${toY}`;
}

/** From the patch that asks to the one that gets most. */
function arc(state, seen, left, grid) {
  const asking = askingOf(state);
  if (isAlike(seen) || String(seen.most) === String(asking)) return [];
  const [from, to] = [asking, seen.most].map((patch) => middleOf(patch, left, grid));
  const off = Math.min(
    0.5,
    (ARC.off * grid.patch.w) / Math.hypot(to[0] - from[0], to[1] - from[1]),
  );
  const [x, y] = from.map((place, axis) => mix(place, to[axis], off));
  const [toX, toY] = to.map((place, axis) => mix(place, from[axis], off));
  const way = { x, y, toX, toY, from: { x, y, toX: x, toY: y, o: 0 }, d: bent };
  return [
    { id: "edge", class: "edge", ...way, thick: ARC.thick + PAPER },
    { id: "arc", class: "arc", ...way, thick: ARC.thick },
  ];
}

/** The state before, if the same patch asked and its answer was seen. */
function toCompare({ before, ...state }) {
  const isSame = before && !before.veiled && String(askingOf(before)) === String(askingOf(state));
  return isSame && before.weights !== state.weights ? look(before.weights, before.patch) : null;
}

/** The weights, and on them the edges of the picture. */
function gets(state, seen, grid, act) {
  const [, left] = grid.lefts;
  const box = { x: left, y: grid.y, w: grid.w, h: grid.h };
  const edges = photograph("edges", state, wholeOf(state), box, true);
  if (state.veiled) {
    const cover = rect("veil", "veil", box, { pick: () => act.next() });
    return [cover, edges, ...outlines(state, seen, 1, grid)];
  }
  const weights = [...seen.shares].map((share, i) =>
    rect(`weight ${i}`, "weight", boxOf(placeOf(i), left, grid), {
      o: Math.min(1, (share * COUNT) / FULL),
    }),
  );
  return [
    ...weights,
    edges,
    ...arc(state, seen, left, grid),
    ...outlines(state, seen, 1, grid),
    rect("hold again", "pick hold", box, pointing(left, grid, state, act)),
  ];
}

/** A patch, large, on a ground of its colour. */
function tile(id, kind, state, [row, column], [x, y]) {
  const [h, w] = state.size.map((pixels) => pixels / SIDE);
  const part = { x: column * w, y: row * h, w, h };
  const unit = (VECTOR.tile - 2 * GROUND) / Math.max(w, h);
  const size = { w: w * unit, h: h * unit };
  const box = { x: x + (VECTOR.tile - size.w) / 2, y: y + (VECTOR.tile - size.h) / 2, ...size };
  const ground = { x: box.x - GROUND, y: box.y - GROUND };
  const wide = { w: box.w + 2 * GROUND, h: box.h + 2 * GROUND };
  return [
    rect(`${id} ground`, kind, { ...ground, ...wide }, { rx: 4 }),
    photograph(id, state, part, box),
  ];
}

const indexOf = ([row, column]) => SIDE * row + column;

/** How long a patch's vector is now. */
function lengthOf({ lengths, equal }, patch) {
  if (!equal) return lengths[indexOf(patch)];
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

function arrow({ x, y, long, turn }) {
  const [across, down] = [Math.cos(turn), Math.sin(turn)];
  const at = (along, off) =>
    `${x + along * across - off * down},${y + along * down + off * across}`;
  const [back, end] = [long - HEAD.back, at(long, 0)];
  return `M${x},${y}L${end}M${at(back, -HEAD.half)}L${end}L${at(back, HEAD.half)}`;
}

/**
 * A patch and its vector as an arrow: the longest of all reaches the right edge. apart: degrees
 * from another that leaves the same point, less than 0 for the upper of the two.
 */
function vector(id, kind, told, patch, state, y, apart = 0) {
  const { gap, tile: high, text: top, fork } = VECTOR;
  const foot = apart > 0 ? high : top;
  const x = COLUMN_LEFT + VECTOR.tile + gap;
  const domain = [0, Math.max(...state.lengths)];
  const along = scale({ domain, range: [0, STAGE.width - HEAD.end - x] });
  return [
    ...tile(`${id} tile`, kind, state, patch, [COLUMN_LEFT, y]),
    text(`${id} name`, kind, [x, y + foot], told, LEFT_END),
    {
      id: `${id} vector`,
      class: `${kind}-line arrow`,
      d: arrow,
      thick: HEAD.thick,
      x,
      y: apart ? fork : y + HEAD.down,
      long: along.at(lengthOf(state, patch)),
      turn: ((apart / 2) * Math.PI) / 180,
    },
  ];
}

/** The colour of each weight, from 0 to FULL times the average. */
function ramp() {
  const { top, h, steps, foot } = RAMP;
  const w = COLUMN / steps;
  const colours = Array.from({ length: steps }, (_, i) =>
    rect(`ramp ${i}`, "weight", { x: COLUMN_LEFT + i * w, y: top, w, h }, { o: (i + 1) / steps }),
  );
  return [
    ...colours,
    text("none", "faint", [COLUMN_LEFT, foot], "0", LEFT_END),
    text("full", "faint", [STAGE.width, foot], fillIn(OR_MORE, { times: FULL }), RIGHT_END),
  ];
}

const timesOf = (state, one, other) => digits(lengthOf(state, other) / lengthOf(state, one), 1);

/**
 * Who gets most, by far the largest; below it the vectors of both on one scale, from one edge or,
 * made equally long, from one point: then nothing but their angle is left.
 */
function compare(state, seen, compared, act) {
  const { veiled } = state;
  const [high, low] = VECTOR.tops;
  const asking = askingOf(state);
  const nameOfPatch = (patch) => state.names[indexOf(patch)] ?? "";
  const isOther = !veiled && String(seen.most) !== String(asking);
  const isBeaten = state.equal && !isOther && compared && String(compared.most) !== String(asking);
  const name = isBeaten && nameOfPatch(compared.most);
  const angle = name ? state.angles[indexOf(asking)] : 0;
  const marks = vector("asks", "query", nameOfPatch(asking), asking, state, high, -angle);
  if (isOther) {
    const longer = fillIn(LONGER, { times: timesOf(state, asking, seen.most) });
    const end = [STAGE.width, low + VECTOR.text];
    marks.push(...vector("gets", "key", nameOfPatch(seen.most), seen.most, state, low));
    marks.push(text("longer", "bold key", end, longer, RIGHT_END));
  } else if (name) {
    // Who got most before is still compared with who asks, if nobody else is.
    const told = fillIn(BEFORE, { name });
    marks.push(...vector("before", "was", told, compared.most, state, low, angle));
    const { x, long } = marks.at(-1);
    const place = [x + long + VECTOR.gap, VECTOR.fork + BASELINE];
    marks.push(text("apart", "bold", place, `${angle}\u00b0`, LEFT_END));
  }
  if (veiled) return [...marks, ...answer({ label: GETS, veiled }, act)];
  const [row, column] = seen.most.map((place) => place + 1);
  const words = nameOfPatch(seen.most) || fillIn(UNNAMED, { row, column });
  const even = seen.largest * COUNT;
  const label = fillIn(EVEN, { times: digits(even, even < 10 ? 1 : 0) });
  return [...marks, ...answer({ words, label, room: COLUMN }, act), ...ramp()];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const grid = gridOf(state.size, room.height);
  const seen = look(state.weights, askingOf(state));
  const leave = () => {
    if (state.hovered !== null) act.change({ hovered: null });
  };
  return [
    rect("ground", "pick", { x: 0, y: 0, w: room.width, h: room.height }, { hover: leave }),
    ...asks(state, seen, grid, act),
    ...gets(state, seen, grid, act),
    ...compare(state, seen, toCompare(state), act),
  ];
}

/** The patch that asks in words: its name if it has one that tells it from the other. */
function nameOf({ names, hovered, pinned }, asking, most) {
  const [name, other] = [asking, most].map((patch) => names[indexOf(patch)]);
  const isItself = String(most) === String(asking);
  if (name && hovered === null && !pinned && (isItself || name !== other))
    return name[0].toUpperCase() + name.slice(1);
  const [row, column] = asking.map((place) => place + 1); // people count from 1
  return fillIn(pinned ? PINNED_PATCH : PATCH, { row, column });
}

/** The sentence that says what to see. */
export function caption(state) {
  const { names } = state;
  const asking = askingOf(state);
  const seen = look(state.weights, asking);
  const { most } = seen;
  let kind = "other";
  if (String(most) === String(asking)) kind = state.equal ? "equal" : "itself";
  if (isAlike(seen)) kind = "alike";
  if (state.veiled) kind = "veiled";
  const patch = nameOf(state, asking, most);
  const winner = names[indexOf(most)];
  const other = winner ? fillIn(THE, { name: winner }) : "another patch";
  const times = timesOf(state, asking, most);
  return fillIn(SENTENCES[kind], { patch, most: other, times });
}

/** What is asked of the patch that was chosen, or null: at equal lengths the story asks of any. */
export function asksOf(state) {
  if (state.equal) return null;
  const asking = askingOf(state);
  const { most } = look(state.weights, asking);
  return fillIn(ASKS, { patch: nameOf({ ...state, pinned: false }, asking, most) });
}

/** What a key means: another patch, or to pin or free it. */
export function keysOf(state, key) {
  if (state.veiled) return null;
  const next = step(key, state.patch, SIDE, SIDE);
  if (next) return { patch: next, hovered: null };
  if (key === " ") return pinning(state, askingOf(state));
  return key === "Escape" ? { pinned: false, hovered: null } : null;
}

export default demo({
  name: "patches",
  looks: {
    was: filled("ghost"),
    "text.was": filled("faint"),
    "was-line": drawn("ghost", 4),
    arrow: { "stroke-linejoin": "round" },
    edge: { fill: "none", stroke: "var(--paper)", "stroke-linecap": "round" },
    cuts: { fill: "none", stroke: "#fff", opacity: 0.5 },
    outline: { fill: "none", stroke: "#fff", "stroke-width": 8 },
  },
  traits: ["size", "patch", "pinned", "lengths", "angles", "equal", "names"],
  read: (model) => ({
    pixels: numbers(model.get("pixels"), Uint8Array),
    weights: numbers(model.get("weights")),
  }),
  own: { hovered: null }, // the patch that is pointed at
  keep: ["hovered", "pinned"],
  forget: { veiled: ["hovered"] },
  layout,
  caption,
  asks: asksOf,
  keys: keysOf,
});
