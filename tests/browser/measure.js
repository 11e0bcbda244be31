// What a projected demo shows: texts that are too small, and what is cut off. `smallest` is in screen pixels.
(root, smallest) => {
  const found = [];
  const inside = (box, room) =>
    box.left >= room.left - 2 && box.top >= room.top - 2 && box.right <= room.right + 2 && box.bottom <= room.bottom + 2;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const name = (element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}">`;

  // An SVG is scaled by its viewBox as well; its matrix to the screen has everything in it.
  const scale = (element) => {
    const matrix = element instanceof SVGElement ? element.getScreenCTM() : null;
    return matrix ? Math.hypot(matrix.a, matrix.b) : element.currentCSSZoom;
  };
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const cutBy = (element, box) => {
    if (!inside(box, screen)) return "the screen";
    for (let around = element.parentElement; around && root.contains(around); around = around.parentElement) {
      const clips = getComputedStyle(around).overflow !== "visible";
      if (clips && !inside(box, around.getBoundingClientRect())) return name(around);
    }
    return null;
  };
  const judge = (element, box, text) => {
    const size = parseFloat(getComputedStyle(element).fontSize) * scale(element);
    if (text && size < smallest - 0.05) found.push(`"${text.slice(0, 40)}" in ${name(element)} has ${size.toFixed(1)} px`);
    const by = cutBy(element, box);
    if (by) found.push(`"${text.slice(0, 40)}" in ${name(element)} is cut off by ${by}`);
  };

  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !seen(element) || element.closest("style, script, title, desc, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    judge(element, range.getBoundingClientRect(), text);
  }
  for (const element of root.querySelectorAll("input, select, textarea, button, svg, canvas")) {
    const written = element.matches("input[type=text], input[type=number], input:not([type]), select, textarea");
    if (seen(element)) judge(element, element.getBoundingClientRect(), written ? element.value : "");
  }
  return [...new Set(found)];
}
