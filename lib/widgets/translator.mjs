// A sentence and its translations, and threads between the words: where the decoder looked, where
// the encoder looks.
import {
  clamp,
  digits,
  drawing,
  eachFrame,
  fillIn,
  keys,
  place,
  saveChanges,
  setAttributes,
  shape,
  short,
} from "./frame/frame.mjs";

// In units of the drawing.
const WIDTH = 620;
const HEIGHT = 197;
const MARGIN = 7;
const LEAST = 32; // from the middle of a source word to the next, for digits
const SMALLEST = 13.5; // letters: 24 pixels in a hall
const SMALL_TEXT = 13; // letters of digits and of the translation's text
const SOURCE_TOP = 40; // of one model: arcs stand above the source, threads below it
const ARCS_ROOM = 33;
const TEXT = 19; // the room that the text of a translation takes
const TEXT_WIDTH = WIDTH - 10;
const DIGITS = 18; // the room that the digits take
const DIGITS_BELOW = 12; // from a line of words down to the foot of its digits
const DIGITS_ABOVE = 4; // from a line of words up to them
const TEXT_ABOVE = 12; // the foot of the upper model's text
const TEXT_BELOW = HEIGHT - 4;
const ARCS_GAP = 4; // between arcs and the words beyond them
const CHIP_PAD = 5; // on both sides of a word

// In letters.
const ELISION_GAP = 0.36; // after "l'"
const WORD_GAP = 0.54;
const SPREAD = 0.7; // more than that words are not moved apart
const LINE = 1.3; // how high a line is
const STEP = 1.15; // from a line to the second one below it
const CHIP_TOP = 1.02; // from the foot of a word up to the top of its chip
const CHIP_HEIGHT = 1.38;
const WORD_MIDDLE = 0.35; // from the foot of a word up to its middle

// Threads and arcs.
const LEAST_THREAD = 0.003; // a smaller weight has none
const THINNEST = 0.8;
const THICKER = 10; // for a weight of 1
const PALEST = 0.1;
const DARKER = 0.75;
const LOOP = { start: 6, handle: 12, across: 24, high: 26 }; // a word that looks at itself
const LOWEST_ARC = 14;
const ARC_SLOPE = 0.12; // how much higher, for each unit between the words
const CURVE = 0.75; // a curve reaches 3/4 of its handles
const ASKED = 0.1; // words with so much weight are coloured
const ALMOST_NONE = 0.005;
const GLIDING = 0.22; // the part of the way in each picture
const THERE = 0.01;
const FADE = 600; // milliseconds
const NEAR = 14; // a pointer this near points at a word
const FLATTENED = 4; // up and down counts less

const RULER = 100; // letters of the canvas that measures texts
const LOOKS = 3; // words that the caption names
const LOOKS_OF_TWO = 2; // of each model, where there are two
const LONGEST = 99; // letters of a word that is not shortened
const TRIES = [
  ...[19, 18, 17, 16, 15, 14, SMALLEST].map((size) => ({ size, levels: 1, letters: LONGEST })),
  ...[LONGEST, 12, 9, 7, 5, 4, 3, 2].map((letters) => ({ size: SMALLEST, levels: 2, letters })),
];

const SENTENCES = {
  encoder: "{word} looks at {looks} \u00b7 {where}",
  ofModel: "{looks} ({model})",
  cross: "The row that wrote {word} (probability {probability}) looked at {looks} \u00b7 {where}",
  crossOfModel:
    "{model}: the row that wrote {word} (probability {probability}) looked at {looks} " +
    "\u00b7 {where}",
  pinned: "pinned \u00b7 {sentence}",
};

/**
 * Words side by side, or by turns on one line and the one below; null where there is no room.
 * wide(text) is how wide a text is at size 1.
 */
export function arrange(words, { size, levels, letters }, least, wide) {
  const shown = words.map((word) => short(word, letters));
  const halves = shown.map((word) => (wide(word) * size) / 2);
  const ends = [];
  const middles = []; // before the words are spread
  for (const [i, half] of halves.entries()) {
    const isElision = /['\u2019]$/.test(shown[i - levels]);
    const gap = size * (isElision ? ELISION_GAP : WORD_GAP);
    const afterWord = (ends[i - levels] ?? -gap) + gap + half;
    const afterMiddle = (middles[i - 1] ?? -least) + least;
    middles[i] = Math.max(half, afterWord, afterMiddle);
    ends[i] = middles[i] + half;
  }
  const spare = WIDTH - 2 * MARGIN - Math.max(...ends);
  if (spare < 0) return null;
  const spread = Math.min(spare / words.length, size * SPREAD * levels);
  const start = MARGIN + spare / 2 - ((words.length - 1) / 2) * spread;
  return { shown, halves, levels, centres: middles.map((x, i) => start + x + i * spread) };
}

/**
 * The largest letters with which every line fits, and where each word goes; a line that is too
 * long takes two.
 */
export function fit(source, targets, wide) {
  for (const letters of TRIES) {
    const one = { size: letters.size, levels: 1, letters: LONGEST };
    const line = (words, least) =>
      arrange(words, one, least, wide) ?? arrange(words, letters, least, wide);
    const lines = [line(source, LEAST), ...targets.map((target) => line(target, 0))];
    if (lines.every(Boolean)) return { size: letters.size, lines };
  }
}

/**
 * Where things stand: the top of each line of words; for each model the end of its threads, the
 * feet of its digits and of its text, and where its arcs begin, bend (-1: upwards) and have room.
 * side is 1 for a model below the source, -1 above it.
 */
export function heights(size, lines) {
  const [source, ...targets] = lines.map(({ levels }) => size * (LINE + STEP * (levels - 1)));
  const last = HEIGHT - TEXT - targets.at(-1);
  const below = (bottom) => ({
    side: 1,
    end: bottom + DIGITS,
    digits: bottom + DIGITS_BELOW,
    text: TEXT_BELOW,
  });
  if (targets.length === 1) {
    const arcs = { arcs: SOURCE_TOP, bend: -1, room: ARCS_ROOM };
    return { tops: [SOURCE_TOP, last], models: [{ ...below(SOURCE_TOP + source), ...arcs }] };
  }
  const first = TEXT + targets[0];
  const room = (last - first - source) / 2 - DIGITS;
  const top = first + room + DIGITS;
  const above = { side: -1, end: top - DIGITS, digits: top - DIGITS_ABOVE, text: TEXT_ABOVE };
  const models = [above, below(top + source)].map((model) => ({
    ...model,
    arcs: model.end,
    bend: model.side,
    room: room - ARCS_GAP,
  }));
  return { tops: [top, TEXT, last], models };
}

/**
 * A label and as much of the end of a text as there is room for: the end is what is compared.
 */
export function ending(label, text, room, wide) {
  let shown = label + text;
  for (let from = 1; wide(shown) > room && from <= text.length; from++)
    shown = `${label}\u2026${text.slice(from)}`;
  return shown;
}

const quoted = (word) => `\u201c${word}\u201d`;

/** The words with the largest weights of a row, and these. */
function spellLooks(source, row, count) {
  const order = [...row.keys()].filter((j) => row[j] > 0);
  order.sort((i, j) => row[j] - row[i]);
  const looks = order.slice(0, count).map((j) => `${quoted(source[j])}\u00a0${digits(row[j], 3)}`);
  return looks.length ? looks.join(", ") : "nothing";
}

/** What is pointed at, in words and digits: line -1 is the source, otherwise that of a model. */
export function tell({ source, panels, looks }, line, word) {
  const two = panels.length > 1;
  if (line < 0) {
    const ofModels = panels.map(({ name, encoder }) => {
      const most = spellLooks(source, encoder[word], two ? LOOKS_OF_TWO : LOOKS);
      return two ? fillIn(SENTENCES.ofModel, { looks: most, model: name }) : most;
    });
    return fillIn(SENTENCES.encoder, {
      word: quoted(source[word]),
      looks: ofModels.join("; "),
      where: looks.encoder,
    });
  }
  const { name, target, probabilities, cross } = panels[line];
  return fillIn(two ? SENTENCES.crossOfModel : SENTENCES.cross, {
    model: name,
    word: quoted(target[word]),
    probability: digits(probabilities[word]),
    looks: spellLooks(source, cross[word], LOOKS),
    where: looks.cross,
  });
}

/** Elements by name: they stay from picture to picture until one does not show them. */
function retained() {
  const entries = new Map();
  return {
    start() {
      for (const entry of entries.values()) entry.used = false;
    },
    /** The element of this name, made if there is none, with these attributes. */
    show(name, parent, tag, attributes) {
      if (!entries.has(name)) entries.set(name, { node: shape(parent, tag) });
      const entry = entries.get(name);
      entry.used = true;
      setAttributes(entry.node, attributes);
      return entry.node;
    },
    sweep() {
      for (const [name, { used, node }] of entries) {
        if (used) continue;
        entries.delete(name);
        node.remove();
      }
    },
  };
}

/** Numbers by name, each on its way to the last value asked for. */
function gliding(isCalm) {
  const now = new Map();
  let moving = false;
  return {
    start() {
      moving = false;
    },
    /** The number of this name, one step nearer to a new value. */
    toward(name, value) {
      const from = now.get(name) ?? value;
      const isThere = isCalm() || Math.abs(value - from) < THERE;
      moving ||= !isThere;
      now.set(name, isThere ? value : from + GLIDING * (value - from));
      return now.get(name);
    },
    isMoving: () => moving,
  };
}

/** An arc from one word to another on the same line, or a loop to itself. */
function arcPath(fromX, x, isItself, { arcs, bend, room }) {
  const { start, handle, across, high } = LOOP;
  const lift = bend * high;
  if (isItself) return `M${x - start} ${arcs}c${-handle} ${lift} ${across} ${lift} ${handle} 0`;
  const reach = Math.min(room, LOWEST_ARC + ARC_SLOPE * Math.abs(x - fromX));
  const top = arcs + (bend * reach) / CURVE;
  return `M${fromX} ${arcs}C${fromX} ${top} ${x} ${top} ${x} ${arcs}`;
}

function threadPath(fromX, fromY, x, y) {
  const middle = (fromY + y) / 2;
  return `M${fromX} ${fromY}C${fromX} ${middle} ${x} ${middle} ${x} ${y}`;
}

/** The class of the digits over a source word. */
function digitsKind(weight) {
  if (weight >= ASKED) return "digits asked";
  return weight < ALMOST_NONE ? "digits none" : "digits";
}

function render({ model, el, signal }) {
  const { figure, svg, say } = drawing(el, WIDTH, HEIGHT);
  figure.classList.add("translation");
  const threads = shape(svg, "g", { class: "threads" });
  const chips = shape(svg, "g", { class: "chips" });
  const sheet = shape(svg, "g", { class: "words" });
  const get = (name) => model.get(name);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const ruler = document.createElement("canvas").getContext("2d");
  const wide = (text) => ruler.measureText(text).width / RULER;
  const nodes = retained();
  const glides = gliding(() => calm.matches);
  let picture;
  let grid; // {size, lines, tops, models}: where things stand
  let spots; // where the words are: {line, word, x, y, half}

  /** A text that stays; when it becomes another word, that one fades in. */
  function showText(name, attributes, text, fades = false) {
    const node = nodes.show(name, sheet, "text", attributes);
    if (node.textContent === text) return;
    if (fades && node.textContent && !calm.matches)
      node.animate([{ opacity: 0 }, { opacity: 1 }], FADE);
    node.textContent = text;
  }

  const count = (line) => (line < 0 ? picture.source : picture.panels[line].target).length;
  function pointed() {
    const line = clamp(get("line"), -1, picture.panels.length - 1);
    return { line, word: clamp(get("word"), 0, count(line) - 1) };
  }
  /**
   * Which word of a model asks: the one pointed at, and its fellow in another model of the same
   * language; null for the words of the source and of other languages.
   */
  function asking(index, { line, word }) {
    const { panels } = picture;
    const isAlike = line >= 0 && panels[index].language === panels[line].language;
    return isAlike ? clamp(word, 0, count(index) - 1) : null;
  }

  function build() {
    picture = get("picture");
    ruler.font = `${RULER}px ${getComputedStyle(svg).fontFamily}`;
    const targets = picture.panels.map(({ target }) => target);
    const { size, lines } = fit(picture.source, targets, wide);
    grid = { size, lines, ...heights(size, lines) };
    paint();
  }

  /** The words of a line; where they are on their way to their places. */
  function showWords(line, kindOf, lang) {
    const { shown, halves, levels, centres } = grid.lines[line + 1];
    return shown.map((text, i) => {
      const foot = grid.tops[line + 1] + grid.size * (1 + STEP * (i % levels));
      const x = glides.toward(`x ${line} ${i}`, centres[i]);
      const y = glides.toward(`y ${line} ${i}`, foot);
      const middle = foot - WORD_MIDDLE * grid.size;
      spots.push({ line, word: i, x: centres[i], y: middle, half: halves[i] });
      showText(`word ${line} ${i}`, { x, y, class: kindOf(i), lang }, text, true);
      return { x, y };
    });
  }

  function showChip(line, word, { x, y }) {
    const half = glides.toward(`half ${line}`, grid.lines[line + 1].halves[word] + CHIP_PAD);
    nodes.show(`chip ${line}`, chips, "rect", {
      x: glides.toward(`chip ${line}`, x) - half,
      y: glides.toward(`top ${line}`, y - grid.size * CHIP_TOP),
      width: 2 * half,
      height: grid.size * CHIP_HEIGHT,
      rx: 6,
      class: get("pinned") ? "pinned" : "",
    });
  }

  function showThread(name, weight, path) {
    if (weight <= LEAST_THREAD) return;
    nodes.show(name, threads, "path", {
      d: path,
      "stroke-width": THINNEST + THICKER * weight,
      "stroke-opacity": PALEST + DARKER * weight,
    });
  }

  /** Threads from a word of a model to the source, or arcs from a word of the source to others. */
  function showThreads(index, above, asks, row, { isSource, isAsking, word }) {
    const room = grid.models[index];
    const edge = room.side > 0 ? CHIP_TOP : CHIP_TOP - CHIP_HEIGHT; // of the chip
    const fromX = asks && glides.toward(`from ${index} ${isSource}`, asks.x);
    const fromY = asks && asks.y - grid.size * edge;
    for (const [j, { x }] of above.entries()) {
      const cross = glides.toward(`cross ${index} ${j}`, isAsking ? row[j] : 0);
      const own = glides.toward(`arc ${index} ${j}`, isSource ? row[j] : 0);
      if (isAsking) showThread(`cross ${index} ${j}`, cross, threadPath(fromX, fromY, x, room.end));
      if (isSource) showThread(`arc ${index} ${j}`, own, arcPath(fromX, x, j === word, room));
    }
  }

  /** One model: the words it wrote, threads or arcs, and the digits of the row that is shown. */
  function showModel(panel, index, above, row, here) {
    const { language: lang, changed, target } = panel;
    const isSource = here.line < 0;
    const mine = asking(index, here);
    const isAsking = mine !== null;
    const kindOf = (i) => {
      const asks = i === mine ? "asks" : "";
      const differs = changed[i] ? "changed" : "";
      const faint = /^<.*>$/.test(target[i]) ? "faint" : "";
      return [asks, differs, faint].filter(Boolean).join(" ");
    };
    const below = showWords(index, kindOf, lang);
    const asks = isSource ? above[here.word] : below[mine];
    if (isAsking) showChip(index, mine, asks);
    showThreads(index, above, asks, row, { isSource, isAsking, word: here.word });
    const { digits: digitsFoot, text: textFoot } = grid.models[index];
    if (row)
      for (const [j, { x }] of above.entries()) {
        const attributes = { x, y: digitsFoot, class: digitsKind(row[j]) };
        showText(`digits ${index} ${j}`, attributes, digits(row[j]));
      }
    const { label, text } = panel.told;
    const shown = ending(label, text, TEXT_WIDTH / SMALL_TEXT, wide);
    const attributes = { x: WIDTH / 2, y: textFoot, class: "told faint", lang };
    showText(`told ${index}`, attributes, shown);
  }

  function paint() {
    const { panels } = picture;
    const here = pointed();
    const isSource = here.line < 0;
    const rows = panels.map(({ encoder, cross }, i) =>
      isSource ? encoder[here.word] : cross[asking(i, here)],
    );
    spots = [];
    glides.start();
    nodes.start();
    sheet.style.fontSize = `${glides.toward("size", grid.size)}px`;
    const kindOf = (j) => {
      if (isSource && j === here.word) return "asks";
      return rows.some((row) => row?.[j] >= ASKED) ? "asked" : "";
    };
    const above = showWords(-1, kindOf, "en");
    if (isSource) showChip(-1, here.word, above[here.word]);
    for (const [i, panel] of panels.entries()) showModel(panel, i, above, rows[i], here);
    nodes.sweep();
    const sentence = tell(picture, here.line, here.word);
    say(get("pinned") ? fillIn(SENTENCES.pinned, { sentence }) : sentence);
    if (glides.isMoving()) repaint();
  }

  const repaint = eachFrame(() => {
    if (signal.aborted) return;
    if (!svg.isConnected) return repaint(); // JupyterLab attaches the element after render
    if (picture !== get("picture")) build();
    else paint();
  });

  function change(values) {
    saveChanges(model, values);
    return true;
  }
  function isHere({ line, word }) {
    const here = pointed();
    return line === here.line && word === here.word;
  }
  /** The word under the pointer, as {line, word}, or null. */
  function under(event) {
    const [x, y] = place(svg, event);
    const distance = (spot) =>
      Math.max(0, Math.abs(x - spot.x) - spot.half) + Math.abs(y - spot.y) / FLATTENED;
    const near = spots.filter((spot) => Math.abs(y - spot.y) < grid.size);
    near.sort((one, other) => distance(one) - distance(other));
    if (!near.length || distance(near[0]) >= NEAR) return null;
    return { line: near[0].line, word: near[0].word };
  }
  svg.addEventListener("pointermove", (event) => {
    const spot = under(event);
    svg.style.cursor = spot ? "pointer" : "";
    if (spot && !get("pinned") && !isHere(spot)) change(spot);
  });
  svg.addEventListener("click", (event) => {
    const spot = under(event);
    if (spot) change({ ...spot, pinned: !(get("pinned") && isHere(spot)) });
    else change({ pinned: false });
  });

  /** The word nearest on the line above (-1) or below (1). */
  function across(down) {
    const { line, word } = pointed();
    const order = picture.panels.length > 1 ? [0, -1, 1] : [-1, 0]; // of the lines, from above
    const other = order[order.indexOf(line) + down] ?? line;
    const x = grid.lines[line + 1].centres[word];
    const distances = grid.lines[other + 1].centres.map((centre) => Math.abs(centre - x));
    return { line: other, word: distances.indexOf(Math.min(...distances)) };
  }
  keys(svg, (key) => {
    const { line, word } = pointed();
    const last = count(line) - 1;
    const next = { ArrowLeft: word - 1, ArrowRight: word + 1, Home: 0, End: last }[key];
    if (next !== undefined) return change({ line, word: clamp(next, 0, last) });
    if (key === "ArrowUp") return change(across(-1));
    if (key === "ArrowDown") return change(across(1));
    if (key === "Enter" || key === " ") return change({ pinned: !get("pinned") });
    return key === "Escape" && get("pinned") && change({ pinned: false });
  });
  for (const name of ["picture", "line", "word", "pinned"]) model.on(`change:${name}`, repaint);
  repaint();
}

export default { render };
