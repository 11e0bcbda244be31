// What a random walk needs inside the page: elements to act on, and what the screen shows. The demo
// that it walks on is given by its selector.
() => {
  const seen = (root, selector) =>
    [...(root?.querySelectorAll(selector) ?? [])].filter((node) => node.checkVisibility());
  const demoIn = (place) => document.querySelector(place);
  const pick = (place, selector, which) => {
    const found = seen(demoIn(place), selector).filter((node) => !node.disabled);
    return found[Math.floor(which * found.length)];
  };

  window.walk = {
    /** True if the element has the focus now. */
    focus([place, selector, which]) {
      const node = pick(place, selector, which);
      node?.focus();
      return node !== undefined && document.activeElement === node;
    },

    /**
     * A point of an element, and the box of the drawing; null if there is none or something else
     * lies above it.
     */
    async point([place, selector, which, right, down]) {
      const node = pick(place, selector, which);
      const drawing = demoIn(place)?.querySelector(".drawing");
      if (!node) return null;
      const { top, bottom } = node.getBoundingClientRect();
      if (top < 90 || bottom > innerHeight - 40) {
        node.scrollIntoView({ block: "center" });
        // What was not seen is laid out.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      }
      const box = node.getBoundingClientRect();
      const { x, y, width, height } = drawing.getBoundingClientRect();
      const point = [box.x + right * box.width, box.y + down * box.height];
      return demoIn(place).contains(document.elementFromPoint(...point))
        ? [...point, x, y, width, height]
        : null;
    },

    /**
     * All that stands in a demo; rings are given by the cell that they are on, `here` by the number
     * at the end of its id or its place among its like.
     */
    shown(place) {
      const demo = demoIn(place);
      const corner = (node) => `${node.getAttribute("x")} ${node.getAttribute("y")}`;
      const texts = (selector) => seen(demo, selector).map((node) => node.textContent);
      const cells = seen(demo, ".cell").map(corner);
      return {
        texts: texts(".drawing text, .drawing th, .drawing td"),
        captions: texts("figcaption"),
        message: texts(".demo-message:not(.demo-notice)").join(""),
        rings: seen(demo, ".ring").map((ring) => cells.indexOf(corner(ring))),
        here: seen(demo, ".here").map((node) =>
          Number(
            node.dataset.id?.match(/\d+$/)?.[0] ??
              node.dataset.step ??
              seen(demo, `.${node.classList[0]}`).indexOf(node),
          ),
        ),
        controls: seen(demo, ".demo-controls > :not(button)").map((box) => {
          const [field] = seen(box, "select, input");
          const [text] = seen(box, ".mod-active, .widget-readout");
          if (field?.type === "checkbox") return String(field.checked);
          if (!text && box.matches(".widget-toggle-buttons")) return ""; // none is chosen
          const said = text ?? box; // as Python wrote it, before its symbols were set
          const words = said.dataset.sentence ?? said.textContent;
          return field?.selectedOptions?.[0].value ?? field?.value ?? words;
        }),
      };
    },
  };
};
