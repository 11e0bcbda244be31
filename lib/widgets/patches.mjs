// A picture cut into 14 x 14 patches: the patch under the pointer, and where its weight goes.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  fillIn,
  keys,
  numbers,
  place,
  saveChanges,
  shape,
  step,
  writeText,
} from "./frame/frame.mjs";

const SIDE = 14; // patches in a row and in a column
const WIDTH = 440;
const HEIGHT = 240;
const BOX = 204; // room for a picture, in both directions
const TOP = 18;
const MOMENT = 236; // where the second picture begins
const BETWEEN = 16; // left of the second picture: pointers there belong to it
const TITLE = 12; // the foot of the titles
const FOOT = 236; // of the line below the pictures
const SCALE_STEPS = 5; // the boxes that show how weights are coloured
const SCALE_BOX = { width: 22, height: 11, y: 226 };
const SCALE_LEFT = MOMENT + 14;
const SCALE_WIDTH = SCALE_STEPS * SCALE_BOX.width;
const SCALE_GAP = 6;
const EQUAL = 1e-5; // shares that differ by less, as a part of the largest, are equal
const ALIKE = 0.999; // all shares alike: the smallest as a part of the largest

const HINT = "click pins or frees, \u2190 \u2191 \u2192 \u2193";
const SENTENCES = {
  alike:
    "{patch} \u2192 looks at every patch alike: " +
    "weight {largest}; its own {own}; equal shares: {equal}",
  alikeItself: "{patch} \u2192 looks at every patch alike: weight {largest}; equal shares: {equal}",
  itself: "{patch} \u2192 looks at itself most: weight {largest}; equal shares: {equal}",
  other:
    "{patch} \u2192 looks at row {row}, column {column} most (dashed): " +
    "weight {largest}; its own {own}; equal shares: {equal}",
};
const PATCH = "patch row {row}, column {column}";
const PINNED_PATCH = "patch row {row}, column {column} (pinned)";

/**
 * The weights of one patch, and the [row, column] that gets the largest of them: itself, if
 * another only equals it.
 */
export function look(weights, [row, column]) {
  const count = SIDE * SIDE;
  const self = SIDE * row + column;
  const shares = weights.subarray(self * count, (self + 1) * count);
  const largest = Math.max(...shares);
  const own = shares[self];
  const most = own > largest * (1 - EQUAL) ? self : shares.indexOf(largest);
  return { shares, largest, own, most: [Math.floor(most / SIDE), most % SIDE] };
}

/** What a patch looks at, in words. */
function speak(patch, pinned, { shares, largest, own, most }) {
  const [row, column] = most;
  const isItself = row === patch[0] && column === patch[1];
  const isAlike = Math.min(...shares) > largest * ALIKE;
  let kind = isItself ? "itself" : "other";
  if (isAlike) kind = isItself ? "alikeItself" : "alike";
  return fillIn(SENTENCES[kind], {
    patch: fillIn(pinned ? PINNED_PATCH : PATCH, { row: patch[0], column: patch[1] }),
    row,
    column,
    largest: digits(largest, 3),
    own: digits(own, 3),
    equal: digits(1 / shares.length, 3),
  });
}

/** How large a patch is and where the two pictures lie, for a picture of this size in pixels. */
function layout([height, width]) {
  const unit = BOX / Math.max(height, width) / SIDE;
  const patch = { width: width * unit, height: height * unit };
  const aside = (BOX - patch.width * SIDE) / 2;
  const top = TOP + (BOX - patch.height * SIDE) / 2;
  return { patch, top, lefts: [aside, MOMENT + aside] };
}

/** A picture and the lines that cut it. */
function buildPicture(svg, href, left, { patch, top }, kind) {
  const width = patch.width * SIDE;
  const height = patch.height * SIDE;
  const box = { x: left, y: top, width, height };
  shape(svg, "image", { href, ...box, preserveAspectRatio: "none", class: kind });
  const cuts = [];
  for (let i = 1; i < SIDE; i++) cuts.push(`M${left} ${top + i * patch.height}h${width}`);
  for (let j = 1; j < SIDE; j++) cuts.push(`M${left + j * patch.width} ${top}v${height}`);
  shape(svg, "path", { d: cuts.join(""), class: "cuts" });
}

/** The outline of a patch: a broad line under a fine one, seen on any colour. */
function buildOutline(svg, patch, kind) {
  const group = shape(svg, "g", { class: kind });
  for (const layer of ["under", "over"])
    shape(group, "rect", { ...patch, class: `outline ${layer}` });
  return group;
}

/** The legend below the second picture; returns the text for its largest weight. */
function buildScale(svg) {
  writeText(svg, MOMENT, FOOT, "0");
  for (let i = 0; i < SCALE_STEPS; i++)
    shape(svg, "rect", {
      ...SCALE_BOX,
      x: SCALE_LEFT + SCALE_BOX.width * i,
      opacity: i / (SCALE_STEPS - 1),
      class: "weight",
    });
  shape(svg, "rect", { ...SCALE_BOX, x: SCALE_LEFT, width: SCALE_WIDTH, class: "ramp" });
  return writeText(svg, SCALE_LEFT + SCALE_WIDTH + SCALE_GAP, FOOT, "");
}

function render({ model, el }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("patches"); // a style sheet reaches every drawing on the page
  const grid = layout(model.get("size"));
  const { patch: size, top, lefts } = grid;
  const [first, second] = lefts;
  const corner = (left, [row, column]) =>
    `translate(${left + column * size.width} ${top + row * size.height})`;
  let weights = numbers(model.get("weights"));
  let hovered = null; // the patch under the pointer

  writeText(svg, 0, TITLE, "the patch that asks");
  writeText(svg, MOMENT, TITLE, "where its weight goes");
  buildPicture(svg, model.get("picture"), first, grid, "pixels");
  buildPicture(svg, model.get("picture"), second, grid, "pixels faded");
  const cells = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const transform = corner(second, [Math.floor(i / SIDE), i % SIDE]);
    return shape(svg, "rect", { ...size, transform, class: "weight" });
  });
  const asking = buildOutline(svg, size, "asks");
  const askingAgain = buildOutline(svg, size, "asks"); // in the second picture
  const asked = buildOutline(svg, size, "most");
  writeText(svg, 0, FOOT, HINT, "faint");
  const scale = buildScale(svg);

  const repaint = eachFrame(() => {
    const patch = hovered ?? model.get("patch");
    const seen = look(weights, patch);
    for (const [i, share] of seen.shares.entries())
      cells[i].setAttribute("opacity", share / seen.largest);
    asking.setAttribute("transform", corner(first, patch));
    askingAgain.setAttribute("transform", corner(second, patch));
    asked.setAttribute("transform", corner(second, seen.most));
    scale.textContent = digits(seen.largest, 3);
    say(speak(patch, model.get("pinned"), seen));
  });
  function hover(patch) {
    hovered = patch;
    repaint();
  }
  function choose(patch, pinned = model.get("pinned")) {
    saveChanges(model, { patch, pinned });
    hover(null);
  }
  function pin(patch) {
    const isPinned = model.get("pinned") && patch.join() === model.get("patch").join();
    choose(patch, !isPinned); // twice frees
  }
  function under(event) {
    const [x, y] = place(svg, event);
    const left = x < MOMENT - BETWEEN ? first : second;
    const patch = [Math.floor((y - top) / size.height), Math.floor((x - left) / size.width)];
    return patch.every((i) => i === clamp(i, 0, SIDE - 1)) ? patch : null;
  }

  svg.addEventListener("pointermove", (event) => {
    if (!model.get("pinned")) hover(under(event));
  });
  svg.addEventListener("pointerleave", () => hover(null));
  svg.addEventListener("click", (event) => {
    const patch = under(event);
    if (patch) pin(patch);
  });
  keys(svg, (key) => {
    const next = step(key, model.get("patch"), SIDE, SIDE);
    if (next) choose(next);
    else if (key === "Enter" || key === " ") pin(hovered ?? model.get("patch"));
    else if (key === "Escape") choose(model.get("patch"), false);
    else return false;
    return true;
  });
  for (const name of ["patch", "pinned"]) model.on(`change:${name}`, repaint);
  model.on("change:weights", () => {
    weights = numbers(model.get("weights"));
    repaint();
  });
  repaint();
}

export default { render };
