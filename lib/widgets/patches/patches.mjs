// A picture cut into 14 x 14 patches: the patch that asks, and where its weight goes.
import { clamp, digits, fillIn, numbers, step } from "../frame/frame.mjs";
import { answer, STAGE } from "../frame/lettering.mjs";
import { DASHED, drawn, filled } from "../frame/looks.mjs";
import { scale } from "../frame/axes.mjs";
import { mix } from "../frame/scene.mjs";
import { LEFT_END, RIGHT_END, rect, text } from "../frame/shapes.mjs";
import { demo } from "../frame/stage.mjs";

const SIDE = 14; // patches in a row and in a column
const COUNT = SIDE * SIDE;
const COLUMN = 262; // the room of the answer, right of the two pictures
const PICTURE_GAP = 19; // between them
const SECOND_LEFT = (STAGE.width - COLUMN) / 2; // where the second picture begins
const LARGEST = SECOND_LEFT - PICTURE_GAP; // side of a picture
const COLUMN_LEFT = STAGE.width - COLUMN; // where the column begins
const PALE = 40; // of 255: how much of the grey picture is seen under the weights
const RED = 0.3; // shares of the brightness
const GREEN = 0.59;
const BLUE = 0.11;
const EQUAL = 1e-5; // shares that differ by less, as a part of the largest, are equal
const ALIKE = 0.999; // all shares alike: the smallest as a part of the largest
const OUTLINE = 3; // from a patch to its outline
const GROUND = 4; // grey round a part: white is seen as white
const UNDER = { even: 160, before: 194 }; // feet of what stands under the answer
const VECTOR = { low: 50, next: 56, tile: 44, gap: 10, text: 18 }; // of its row, from below
const HEAD = { thick: 3, back: 11, half: 7, down: 34 }; // of its arrow, which lies so far down
const ARC = { thick: 7, bend: 0.18, off: 0.75 }; // bend: of its length; off: of a patch
const EDGE = 4; // so much wider is the paper under the arc: seen on dark cells

const SENTENCES = {
  veiled: "{patch} asks every patch; the arrow is its vector. Predict; Enter shows it.",
  alike: "{patch} gives every patch the same.",
  itself: "{patch} gives most to itself.",
  other: "{patch} loses to {most}, whose vector is {times} times as long.",
  equal: "{patch} gives most to {most}, whose vector is as long as its own.",
};
const BEFORE = "before: the {name}";
const VECTORS = {
  asks: "its vector",
  gets: "the winner\u2019s",
  of: "vector: {name}",
};
const EVEN = "{times} \u00d7 the average";
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
  return {
    w,
    h,
    y,
    top: (height - side) / 2,
    bottom: (height + side) / 2,
    lefts,
    patch: { w: w / SIDE, h: h / SIDE },
  };
}

/** A patch's box in the picture that begins at left. */
function boxOf([row, column], left, { y, patch }) {
  return { x: left + column * patch.w, y: y + row * patch.h, ...patch };
}

/** A part of the picture as pixels of a canvas, in colour or as pale grey. */
function pixelsOf({ pixels, size }, { x, y, w, h }, isPale) {
  const image = new ImageData(w, h);
  for (let i = 0; i < w * h; i++) {
    const from = 3 * ((y + Math.floor(i / w)) * size[1] + x + (i % w));
    const [red, green, blue] = pixels.subarray(from, from + 3);
    const grey = RED * red + GREEN * green + BLUE * blue;
    image.data.set(isPale ? [grey, grey, grey, PALE] : [red, green, blue, 255], 4 * i);
  }
  return image;
}

/** A part of the picture, {x, y, w, h} in its pixels, as a mark in a box. */
function photograph(id, state, part, box, isPale = false) {
  const version = Object.values({ ...part, isPale }).join(" ");
  const draw = (context) => context.putImageData(pixelsOf(state, part, isPale), 0, 0);
  return { id, class: "photograph", ...box, columns: part.w, rows: part.h, version, draw };
}

/** The lines that cut a picture. */
function cuts(left, { y, w, h, patch }) {
  let path = "";
  for (let i = 1; i < SIDE; i++) path += `M${left},${y + i * patch.h}h${w}`;
  for (let j = 1; j < SIDE; j++) path += `M${left + j * patch.w},${y}v${h}`;
  return path;
}

/** The outline of a patch: a broad line under a fine one, seen on any colour. */
function outline(id, kind, box) {
  const { x, y, w, h } = box;
  const around = { x: x - OUTLINE, y: y - OUTLINE, w: w + 2 * OUTLINE, h: h + 2 * OUTLINE, rx: 3 };
  return [rect(`${id} under`, "outline under", around), rect(id, `outline ${kind}`, around)];
}

/** What a pointer on the picture that begins at left does: it asks, a click pins or frees. */
function pointing(left, grid, state, act) {
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
  const whole = { x: 0, y: 0, w: state.size[1], h: state.size[0] };
  return [
    photograph("picture", state, whole, box),
    { id: "cuts", class: "cuts", d: () => cuts(left, grid) },
    ...outline("asks", "asks", boxOf(askingOf(state), left, grid)),
    ...(state.veiled ? [] : outline("gets", "most", boxOf(seen.most, left, grid))),
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
    { id: "edge", class: "edge", ...way, thick: ARC.thick + EDGE },
    { id: "arc", class: "arc", ...way, thick: ARC.thick },
  ];
}

/** The state before, if the same patch asked and its answer was seen. */
function toCompare({ before, ...state }) {
  const isSame = before && !before.veiled && String(askingOf(before)) === String(askingOf(state));
  return isSame && before.weights !== state.weights ? look(before.weights, before.patch) : null;
}

/** The outline of the patch that got most before. */
function outlineBefore({ most }, left, grid) {
  const box = boxOf(most, left, grid);
  return [rect("was under", "was under", box, { glide: 1 }), rect("was", "was", box, { glide: 1 })];
}

/** The picture again, pale, and on it the weights. */
function gets(state, seen, compared, grid, act) {
  const [, left] = grid.lefts;
  const box = { x: left, y: grid.y, w: grid.w, h: grid.h };
  const whole = { x: 0, y: 0, w: state.size[1], h: state.size[0] };
  const marks = [photograph("pale", state, whole, box, true)];
  const ghost = compared ? outlineBefore(compared, left, grid) : [];
  if (state.veiled) {
    const middle = [left + grid.w / 2, grid.y + grid.h / 2];
    marks.push(rect("veil", "veil", box, { pick: () => act.next() }), ...ghost);
    return [...marks, text("ask", "bold halo", middle, "where does its weight go?", { size: 28 })];
  }
  for (const [i, share] of seen.shares.entries()) {
    const cell = boxOf(placeOf(i), left, grid);
    marks.push(rect(`weight ${i}`, "weight", cell, { o: share / seen.largest }));
  }
  return [
    ...marks,
    ...ghost,
    ...arc(state, seen, left, grid),
    ...outline("asks again", "asks", boxOf(askingOf(state), left, grid)),
    ...outline("most", "most", boxOf(seen.most, left, grid)),
    rect("hold again", "pick hold", box, pointing(left, grid, state, act)),
  ];
}

/** A patch, large, on a grey ground. */
function tile(id, state, [row, column], [x, y]) {
  const [h, w] = state.size.map((pixels) => pixels / SIDE);
  const part = { x: column * w, y: row * h, w, h };
  const unit = (VECTOR.tile - 2 * GROUND) / Math.max(w, h);
  const size = { w: w * unit, h: h * unit };
  const box = { x: x + (VECTOR.tile - size.w) / 2, y: y + (VECTOR.tile - size.h) / 2, ...size };
  const ground = { x: box.x - GROUND, y: box.y - GROUND };
  const wide = { w: box.w + 2 * GROUND, h: box.h + 2 * GROUND };
  return [
    rect(`${id} ground`, "ground", { ...ground, ...wide }, { rx: 4 }),
    photograph(id, state, part, box),
  ];
}

const indexOf = ([row, column]) => SIDE * row + column;

/** How long a patch's vector is now. */
function lengthOf({ lengths, equal }, patch) {
  if (!equal) return lengths[indexOf(patch)];
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

function arrow({ x, y, toX }) {
  const back = toX - HEAD.back;
  return `M${x},${y}H${toX}M${back},${y - HEAD.half}L${toX},${y}L${back},${y + HEAD.half}`;
}

/** A patch and its vector as an arrow: the longest of all reaches the right edge. */
function vector(id, patch, state, y) {
  const { gap, text: foot } = VECTOR;
  const x = COLUMN_LEFT + VECTOR.tile + gap;
  const along = scale({ domain: [0, Math.max(...state.lengths)], range: [x, STAGE.width] });
  const name = state.names[indexOf(patch)];
  const told = name ? fillIn(VECTORS.of, { name }) : VECTORS[id];
  return [
    ...tile(`${id} tile`, state, patch, [COLUMN_LEFT, y]),
    text(`${id} name`, "", [x, y + foot], told, LEFT_END),
    {
      id: `${id} vector`,
      class: "vector",
      d: arrow,
      x,
      y: y + HEAD.down,
      toX: along.at(lengthOf(state, patch)),
    },
  ];
}

/** Who gets most, by far the largest; below it the vectors of both from one edge, on one scale. */
function compare(state, seen, compared, { bottom }, act) {
  const { names, veiled } = state;
  const low = bottom - VECTOR.low;
  const was = compared && names[indexOf(compared.most)];
  const isItself = String(seen.most) === String(askingOf(state));
  // Who got most before is still compared with who asks, if nobody else is.
  const other = veiled || isItself ? was && compared.most : seen.most;
  const isOther = other && String(other) !== String(askingOf(state));
  const under = (id, kind, words) => text(id, kind, [STAGE.width, UNDER[id]], words, RIGHT_END);
  const marks = [
    ...vector("asks", askingOf(state), state, low - VECTOR.next),
    ...(isOther ? vector("gets", other, state, low) : []),
    ...(was ? [under("before", "ghosted", fillIn(BEFORE, { name: was }))] : []),
  ];
  if (veiled) return [...marks, ...answer({ label: GETS, veiled }, act)];
  const [row, column] = seen.most.map((place) => place + 1);
  const words = names[indexOf(seen.most)] || fillIn(UNNAMED, { row, column });
  const times = seen.largest * COUNT;
  const even = fillIn(EVEN, { times: digits(times, times < 10 ? 1 : 0) });
  return [...marks, ...answer({ words, label: GETS, room: COLUMN }, act), under("even", "", even)];
}

/** The marks of a state in a room. */
export function layout(state, room, act) {
  const grid = gridOf(state.size, room.height);
  const seen = look(state.weights, askingOf(state));
  const compared = toCompare(state);
  const leave = () => {
    if (state.hovered !== null) act.change({ hovered: null });
  };
  return [
    rect("ground", "pick", { x: 0, y: 0, w: room.width, h: room.height }, { hover: leave }),
    ...asks(state, seen, grid, act),
    ...gets(state, seen, compared, grid, act),
    ...compare(state, seen, compared, grid, act),
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
  let kind = String(most) === String(asking) ? "itself" : "other";
  if (kind === "other" && state.equal) kind = "equal";
  if (isAlike(seen)) kind = "alike";
  if (state.veiled) kind = "veiled";
  const patch = nameOf(state, asking, most);
  const winner = names[indexOf(most)];
  const other = winner ? fillIn(THE, { name: winner }) : "another patch";
  const times = digits(lengthOf(state, most) / lengthOf(state, asking), 1);
  return fillIn(SENTENCES[kind], { patch, most: other, times });
}

/** What a key means: another patch, or to pin or free it. */
export function keysOf(state, key) {
  const next = step(key, state.patch, SIDE, SIDE);
  if (next) return { patch: next, hovered: null };
  if (key === " ") return pinning(state, askingOf(state));
  return key === "Escape" ? { pinned: false, hovered: null } : null;
}

export default demo({
  name: "patches",
  looks: {
    vector: drawn("ink", HEAD.thick),
    edge: { fill: "none", stroke: "var(--paper)", "stroke-linecap": "round" },
    cuts: { fill: "none", stroke: "#fff", opacity: 0.5 },
    outline: { fill: "none", stroke: "#fff", "stroke-width": 9 },
    "outline.asks": { stroke: "#000", "stroke-width": 4 },
    "outline.most": { stroke: "var(--weight)", "stroke-width": 5 },
    was: { ...drawn("ink", 2.5, DASHED), stroke: "#000" },
    "was.under": { stroke: "#fff", "stroke-width": 6, "stroke-dasharray": "none" },
    ground: filled("masked"), // in both themes: on the paper a white patch would be an empty frame
  },
  traits: ["size", "patch", "pinned", "lengths", "equal", "names"],
  read: (model) => ({
    pixels: numbers(model.get("pixels"), Uint8Array),
    weights: numbers(model.get("weights")),
  }),
  own: { hovered: null }, // the patch that is pointed at
  keep: ["hovered", "pinned"],
  layout,
  caption,
  keys: keysOf,
});
