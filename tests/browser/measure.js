// What is wrong with a demo in full screen: texts that are too small or too faint, what is cut off,
// a screen half empty. `smallest` is in screen pixels, `contrast` the least ratio of a text to what
// is painted behind it (pixels of screenshots agree with it to 2 %), `empty` the largest share of
// the screen that nothing may stand on.
(root, [smallest, contrast, empty]) => {
  const found = [];
  const UNSEEN = "style, script, title, desc, option, .demo-unseen"; // the last is read aloud
  const SCRIPT = 0.85; // of other letters: what stands low or high
  const TOUCH = 2; // pixels that two texts may share
  const inside = (box, room) =>
    box.left >= room.left - 2 &&
    box.top >= room.top - 2 &&
    box.right <= room.right + 2 &&
    box.bottom <= room.bottom + 2;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const name = (element) =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}">`;

  // An SVG is scaled by its viewBox as well; its matrix to the screen has everything in it.
  const scale = (element) => {
    const matrix = element instanceof SVGElement ? element.getScreenCTM() : null;
    return matrix ? Math.hypot(matrix.a, matrix.b) : element.currentCSSZoom;
  };
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return (
      box.width > 1 &&
      box.height > 1 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  };
  const cutBy = (element, box) => {
    if (!inside(box, screen)) return "the screen";
    for (
      let around = element.parentElement;
      around && root.contains(around);
      around = around.parentElement
    ) {
      const clips = getComputedStyle(around).overflow !== "visible";
      if (clips && !inside(box, around.getBoundingClientRect())) return name(around);
    }
    return null;
  };

  // Colours as [red, green, blue, alpha] from 0 to 1; a canvas reads every way in which CSS writes
  // them.
  const ruler = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const readColour = (text) => {
    ruler.clearRect(0, 0, 1, 1);
    ruler.fillStyle = text;
    ruler.fillRect(0, 0, 1, 1);
    return [...ruler.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  };
  const colour = (text) => {
    if (!known.has(text)) known.set(text, readColour(text));
    return known.get(text);
  };
  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((part, i) => part * alpha + below[i] * (1 - alpha));
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (parts) => {
    const [red, green, blue] = parts.map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ratio = (one, other) =>
    Math.max(light(one), light(other)) / Math.min(light(one), light(other));
  const dimmed = new Map([[root.parentElement, 1]]);
  const opacity = (element) => {
    if (!dimmed.has(element))
      dimmed.set(element, getComputedStyle(element).opacity * opacity(element.parentElement));
    return dimmed.get(element);
  };
  const faded = (element, [red, green, blue, alpha], more = 1) => [
    red,
    green,
    blue,
    alpha * more * opacity(element),
  ];
  /** What an element paints at a point: one colour, or two where it is hatched. */
  const painted = (element, x, y) => {
    const style = getComputedStyle(element);
    if (!(element instanceof SVGElement) || element.matches("svg"))
      return [faded(element, colour(style.backgroundColor))];
    if (!(element instanceof SVGGeometryElement) || style.fill === "none") return [];
    if (
      !element.isPointInFill(new DOMPoint(x, y).matrixTransform(element.getScreenCTM().inverse()))
    )
      return [];
    const pattern = style.fill.match(/url\("(#.*?)"\)/)?.[1];
    if (!pattern) return [faded(element, colour(style.fill), style.fillOpacity)];
    const strokes = [...root.querySelectorAll(`${pattern} *`)].map((part) => {
      const { fill, stroke } = getComputedStyle(part);
      return faded(element, colour(stroke === "none" ? fill : stroke));
    });
    return strokes.length > 1 ? strokes : [[0, 0, 0, 0], ...strokes];
  };
  /** The least contrast of ink to what is painted behind it, at a point of the element. */
  const contrastAt = (element, ink, x, y) => {
    const inked = (colours) => colours.map((below) => over(ink, below));
    let behind = [[1, 1, 1]];
    let front = null; // what is painted after the text tints both
    for (const layer of document.elementsFromPoint(x, y).reverse()) {
      if (layer === element) front = inked(behind);
      if (layer instanceof SVGTextContentElement || !root.contains(layer)) continue;
      const tints = painted(layer, x, y);
      if (tints.length === 0) continue;
      const spread = (colours) =>
        colours.flatMap((below) => tints.map((tint) => over(tint, below)));
      behind = spread(behind);
      if (layer === element) front = inked(behind);
      else if (front) front = spread(front);
    }
    front ??= inked(behind);
    return Math.min(...behind.map((below, i) => ratio(front[i], below)));
  };
  const faintest = (element, box) => {
    const style = getComputedStyle(element);
    const isSvg = element instanceof SVGElement;
    const ownColour = colour(isSvg ? style.fill : style.color);
    const ink = faded(element, ownColour, isSvg ? style.fillOpacity : 1);
    const hasHalo =
      isSvg &&
      style.paintOrder.startsWith("stroke") &&
      parseFloat(style.strokeWidth) > 2 &&
      style.stroke !== "none";
    if (hasHalo) return ratio(over(ink, colour(style.stroke)), colour(style.stroke));
    const y = (box.top + box.bottom) / 2;
    const contrasts = [0.2, 0.5, 0.8].map((part) =>
      contrastAt(element, ink, box.left + part * (box.right - box.left), y),
    );
    return Math.min(...contrasts);
  };

  const judge = (element, box, text) => {
    const say = (problem) => found.push(`"${text.slice(0, 40)}" in ${name(element)} ${problem}`);
    const size = parseFloat(getComputedStyle(element).fontSize) * scale(element);
    const least = element.closest("sub, sup, .script") ? SCRIPT * smallest : smallest;
    if (text && size < least - 0.05) say(`has ${size.toFixed(1)} px`);
    const reached = text ? faintest(element, box) : Infinity;
    if (reached < contrast) say(`has contrast ${reached.toFixed(2)}`);
    const cutter = cutBy(element, box);
    if (cutter) say(`is cut off by ${cutter}`);
  };

  // So that all is found at a point. By a class: where a rule comes and goes, the style of all
  // of JupyterLab is computed anew.
  if (!document.querySelector("style.measuring")) {
    const style = document.head.appendChild(document.createElement("style"));
    style.className = "measuring";
    style.textContent = ".measured, .measured * { pointer-events: auto !important; }";
  }
  root.classList.add("measured");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !seen(element) || element.closest(UNSEEN)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    judge(element, range.getBoundingClientRect(), text);
  }
  for (const element of root.querySelectorAll("input, select, textarea, button, svg, canvas")) {
    const written = element.matches(
      "input[type=text], input[type=number], input:not([type]), select, textarea",
    );
    if (seen(element))
      judge(element, element.getBoundingClientRect(), written ? element.value : "");
  }
  root.classList.remove("measured");

  // The box of a turned text has corners where no letter is.
  const isTurned = (element) => element.getAttribute("transform")?.includes("rotate");
  const level = [...root.querySelectorAll("svg text")].filter((one) => seen(one) && !isTurned(one));
  const texts = level.map((element) => {
    const { left, right, top, bottom, height } = element.getBoundingClientRect();
    const air = height / 6; // a line has room above and below its letters
    return { left, right, top: top + air, bottom: bottom - air, text: element.textContent.trim() };
  });
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > TOUCH &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > TOUCH;
  for (const [i, one] of texts.entries())
    for (const other of texts.slice(i + 1))
      if (one.text && other.text && meet(one, other))
        found.push(`"${one.text}" stands on "${other.text}"`);

  const controls = "table, button, input, select, .widget-inline-hbox, canvas";
  const lines = "figcaption, .demo-top, .demo-question";
  const used = [...root.querySelectorAll(`${controls}, ${lines}`)].map((element) =>
    element.getBoundingClientRect(),
  );
  for (const svg of root.querySelectorAll("svg")) {
    const { x, y, width, height } = svg.getBBox();
    const matrix = svg.getScreenCTM(); // of what is drawn on it
    const start = new DOMPoint(x, y).matrixTransform(matrix);
    const end = new DOMPoint(x + width, y + height).matrixTransform(matrix);
    used.push({ left: start.x, top: start.y, right: end.x, bottom: end.y });
  }
  const columns = 64;
  const rows = 36;
  const isUsed = (_, i) => {
    const x = (((i % columns) + 0.5) * innerWidth) / columns;
    const y = ((Math.floor(i / columns) + 0.5) * innerHeight) / rows;
    return used.some(
      ({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
    );
  };
  const places = Array.from({ length: columns * rows }, isUsed);
  const unused = 1 - places.filter(Boolean).length / places.length;
  if (unused > empty) found.push(`${Math.round(100 * unused)} % of the screen is empty`);
  return [...new Set(found)];
};
