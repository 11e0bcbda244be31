// The picture of a demo: title, question, drawings and caption, without controls, as one SVG that
// stands alone and as a PNG of it. The slide, the file that a reader saves and the picture in a
// page's output are all this one.
import { clamp, html, setAttributes, shape } from "./frame.mjs";
import { demoOf } from "./full_screen.mjs";
import { STAGE, breakLines } from "./lettering.mjs";
import { carried } from "./letters.mjs";
import { isFormula } from "./formula.mjs";
import { writeFormula } from "./marks.mjs";
import { Copyist, measuringPen } from "./svg_copy.mjs";

const WIDTH = 1280; // of the picture, in pixels of the stage
const HEIGHT = 720;
const SLIDE = 1.5; // the scale of 1920 x 1080
const ROOM = { x: 32, y: 132, width: STAGE.width, height: STAGE.height }; // of the drawings
const BETWEEN = 32; // two drawings
const TITLE = { y: 46, size: 24, weight: 400, colour: "var(--faint)" };
// The first of the sizes whose lines fit is taken.
const QUESTION = {
  ...{ y: 96, weight: 650, colour: "var(--ink)" },
  sizes: [
    { size: 36, most: 1 },
    { size: 32, most: 1 },
    { size: 30, most: 2, rise: 12 },
    { size: 26, most: 2, rise: 8 },
    { size: 22, most: 2, rise: 4 },
  ],
};
const CAPTION = {
  ...{ y: 634, weight: 400, colour: "var(--ink)" },
  sizes: [
    { size: 28, most: 2 },
    { size: 24, most: 2 },
    { size: 20, most: 2 },
  ],
};
const NARROWER = 24; // pixels at a time
const LINE_HEIGHT = 1.25; // times the size of the letters
const A_WHILE = 10_000; // milliseconds in which a browser has begun to save a file

// -- lines of text --------------------------------------------------------------------------------

/** As many lines, but about equally long: no word stands alone in the last one. */
function balanced(text, lines, room, wide) {
  let best = lines;
  for (let width = room - NARROWER; width > 0; width -= NARROWER) {
    const tried = breakLines(text, width, wide);
    if (tried.length > lines.length) return best;
    best = tried;
  }
  return best;
}

/** The first of the sizes [{ size, most }] with which the text has at most so many lines. */
export function chooseSize(text, sizes, room, wide) {
  for (const choice of sizes) {
    const widthOf = (part) => wide(part, choice.size);
    const lines = breakLines(text, room, widthOf);
    const fits = lines.every((line) => widthOf(line) <= room);
    if (fits && lines.length <= choice.most) {
      return { ...choice, lines: balanced(text, lines, room, widthOf) };
    }
  }
  const last = sizes.at(-1);
  const lines = breakLines(text, room, (part) => wide(part, last.size)).slice(0, last.most);
  lines[lines.length - 1] += "\u2026";
  return { ...last, lines };
}

function writeLines(svg, text, kind, family) {
  const { weight, colour } = kind;
  const context = measuringPen();
  function wide(part, size) {
    context.font = `${weight} ${size}px ${family}`;
    return context.measureText(part).width;
  }
  const {
    lines,
    size,
    rise = 0,
  } = chooseSize(text, kind.sizes ?? [{ ...kind, most: 1 }], ROOM.width, wide);
  for (const [i, line] of lines.entries()) {
    const y = kind.y - rise + i * size * LINE_HEIGHT;
    const letters = { "font-size": size, "font-weight": weight, fill: colour };
    const group = shape(svg, "g", { transform: `translate(${ROOM.x},${y})` });
    const text = shape(group, "text", letters);
    if (isFormula(line)) writeFormula(group, line, size);
    else text.textContent = line;
  }
}

// -- the drawings ---------------------------------------------------------------------------------

/** Where each of the drawings goes: side by side in an `abreast` demo, else one below the other. */
function roomsOf(demo, figures, room) {
  const abreast = demo.classList.contains("abreast");
  const columns = [...demo.querySelectorAll(".demo-drawings > *")];
  const shares = figures.map((figure) => {
    const column = columns.find((one) => one.contains(figure));
    return (abreast && Number.parseFloat(getComputedStyle(column).flexGrow)) || 1;
  });
  const together = shares.reduce((sum, share) => sum + share, 0);
  const length = (abreast ? room.width : room.height) - BETWEEN * (figures.length - 1);
  let start = 0;
  return shares.map((share) => {
    const part = (length * share) / together;
    const before = start;
    start += part + BETWEEN;
    if (abreast) return { ...room, x: room.x + before, width: part };
    return { ...room, y: room.y + before, height: part };
  });
}

/** Ask the drawings of a demo for their SVG and their caption, each in a host and a room. */
function askAll(demo, stage, whole, isFirst = false) {
  const figures = [...demo.querySelectorAll(".drawing")];
  const rooms = roomsOf(demo, figures, whole);
  return figures.map((figure, i) => {
    const host = html(stage, "div", { class: figure.getAttribute("class") });
    const { width, height } = rooms[i];
    const detail = { host, width, height, isFirst, caption: "" };
    figure.dispatchEvent(new CustomEvent("demo-picture", { detail }));
    const svg = host.querySelector("svg");
    return { host, svg, caption: detail.caption.trim(), room: rooms[i] };
  });
}

const percent = (part, whole) => `${(100 * part) / whole}%`;

/** Draw a demo as at the start, veiled, into an element, as large as that is. */
export function drawFirst(demo, element) {
  const { clientWidth, clientHeight } = element;
  const { width } = STAGE;
  const height = clamp((width * clientHeight) / clientWidth, STAGE.height, STAGE.tallest);
  const scale = Math.min(clientWidth / width, clientHeight / height);
  const copy = html(element, "div", { class: "demo-copy", "aria-hidden": "true" });
  Object.assign(copy.style, { width: `${scale * width}px`, height: `${scale * height}px` });
  for (const { host, room } of askAll(demo, copy, { x: 0, y: 0, width, height }, true)) {
    Object.assign(host.style, {
      left: percent(room.x, width),
      top: percent(room.y, height),
      width: percent(room.width, width),
      height: percent(room.height, height),
    });
  }
}

/** Everything of the picture, laid out in `stage`; the SVG that stands alone and the caption. */
function compose(demo, stage) {
  const title = demo.querySelector(".demo-title")?.textContent ?? "";
  const question = demo.querySelector(".demo-question")?.dataset.sentence ?? "";
  const answers = askAll(demo, stage, ROOM);
  const captions = answers.map((answer) => answer.caption).filter(Boolean);
  const caption = captions.join(" \u00b7 ");

  const frame = shape(stage, "svg", { width: WIDTH, height: HEIGHT });
  frame.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const family = getComputedStyle(stage).fontFamily;
  shape(frame, "rect", { width: WIDTH, height: HEIGHT, fill: "var(--paper)" });
  writeLines(frame, title, { ...TITLE }, family);
  writeLines(frame, question, QUESTION, family);
  writeLines(frame, caption, CAPTION, family);

  const copyist = new Copyist();
  const paper = document.createDocumentFragment();
  const whole = copyist.write(paper, frame);
  setAttributes(whole, { role: "img", "font-family": family.replaceAll('"', "'") });
  whole.style.fontVariantNumeric = "tabular-nums";
  for (const { svg, room } of answers) {
    if (svg) setAttributes(copyist.write(whole, svg), { ...room, overflow: "visible" });
  }
  whole.prepend(shape(whole, "title", {}, title), shape(whole, "desc", {}, caption));
  const rules = carried(whole.outerHTML);
  if (rules) whole.prepend(shape(whole, "style", {}, rules));
  return { svg: new XMLSerializer().serializeToString(whole), caption, question, title };
}

/** The PNG of an SVG, drawn by the browser itself. */
async function paintPng(svg, scale) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(WIDTH * scale);
    canvas.height = Math.round(HEIGHT * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The demo as it is now: { svg, png (a Blob), caption, question, title }.
 * theme: "light" always, or "page" for the colours that the page has.
 */
export async function picture(demo, { scale = SLIDE, theme = "light" } = {}) {
  await document.fonts.ready;
  // Outside the demo: focus, pointer, zoom and width of the page do not reach it.
  const stage = html(document.body, "div", {
    class: theme === "light" ? "demo picture-host" : "demo",
    style: `position: fixed; top: 0; left: -${2 * WIDTH}px; width: ${WIDTH}px; max-width: none`,
  });
  stage.inert = true;
  try {
    const made = compose(demo, stage);
    return { ...made, png: await paintPng(made.svg, scale) };
  } finally {
    stage.remove();
  }
}

// -- the reader's button --------------------------------------------------------------------------

/** "Softmax: scores become shares" as the name of a file: softmax. */
export function fileName(title) {
  const first = title.split(":")[0].toLowerCase();
  return first.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "picture";
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), A_WHILE);
}

async function savePng(demo) {
  const { png, title } = await picture(demo);
  save(png, `${fileName(title)}.png`);
}

async function saveSvg(demo) {
  const { svg, title } = await picture(demo);
  save(new Blob([svg], { type: "image/svg+xml" }), `${fileName(title)}.svg`);
}

/** The promise goes in at once, or the click no longer counts. */
async function copyPng(demo) {
  const png = picture(demo).then((made) => made.png);
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
}

/** The button opens a menu with the kinds of pictures. */
export function listenToPicture(el, button, notice, signal) {
  const kinds = { "PNG 1920 \u00d7 1080": savePng, SVG: saveSvg };
  if (window.isSecureContext && navigator.clipboard?.write) kinds.Copy = copyPng;
  const menu = html(button.parentElement, "div", {
    class: "demo-picture-menu",
    role: "group",
    "aria-label": "Picture",
  });
  button.after(menu);

  function open(isOpen) {
    menu.hidden = !isOpen;
    button.setAttribute("aria-expanded", isOpen);
  }

  async function take(make) {
    open(false);
    button.focus({ preventScroll: true });
    try {
      await make(demoOf(el));
    } catch (error) {
      notice.textContent = `The picture could not be made: ${error.message}`;
    }
  }

  for (const [name, make] of Object.entries(kinds)) {
    html(menu, "button", {}, name).addEventListener("click", () => take(make));
  }
  open(false);
  button.addEventListener("click", () => {
    open(menu.hidden);
    if (!menu.hidden) menu.firstElementChild.focus({ preventScroll: true });
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    open(false);
    button.focus({ preventScroll: true });
  });
  function closeOutside({ target }) {
    if (!menu.contains(target) && !button.contains(target)) open(false);
  }
  for (const use of ["pointerdown", "keydown"])
    document.addEventListener(use, closeOutside, { signal, capture: true });
}
