// What the random walk needs inside the page: elements to act on, what the screen shows, what the
// kernel says.
() => {
  const notebook = window.jupyterapp.shell.currentWidget;
  const kernel = () => notebook.sessionContext.session.kernel;
  const seen = (root, selector) =>
    [...(root?.querySelectorAll(selector) ?? [])].filter((node) => node.checkVisibility());
  const demoIn = (cell) =>
    document.querySelector(`.jp-Cell[data-windowed-list-index="${cell}"] .demo`);
  const pick = (cell, selector, which) => {
    const found = seen(demoIn(cell), selector).filter((node) => !node.disabled);
    return found[Math.floor(which * found.length)];
  };
  const complaints = [];
  notebook.sessionContext.iopubMessage.connect((_, { header, content }) => {
    if (header.msg_type === "error") complaints.push(content.traceback.join("\n"));
    if (content.name === "stderr") complaints.push(content.text);
  });

  window.walk = {
    complaints: () => complaints,
    forget() {
      complaints.length = 0;
    },

    sources: () => [...notebook.content.model.cells].map((cell) => cell.sharedModel.source),
    choose(cell) {
      notebook.content.activeCellIndex = cell;
    },

    /** True if the element has the focus now. */
    focus([cell, selector, which]) {
      const node = pick(cell, selector, which);
      node?.focus();
      return node !== undefined && document.activeElement === node;
    },

    /**
     * A point of an element, and the box of the drawing; null if there is none or something else
     * lies above it.
     */
    async point([cell, selector, which, right, down]) {
      const node = pick(cell, selector, which);
      const drawing = demoIn(cell)?.querySelector(".drawing");
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
      return demoIn(cell).contains(document.elementFromPoint(...point))
        ? [...point, x, y, width, height]
        : null;
    },

    /**
     * All that stands in a demo; rings are given by the cell that they are on, `here` by the number
     * at the end of its id or its place among its like.
     */
    shown(cell) {
      const demo = demoIn(cell);
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
          return field?.selectedOptions?.[0].value ?? field?.value ?? (text ?? box).textContent;
        }),
      };
    },

    /** What the kernel prints, or its traceback. */
    async ask(code) {
      const said = [];
      const future = kernel().requestExecute({ code, store_history: false });
      future.onIOPub = ({ content }) =>
        said.push(content.text ?? content.traceback?.join("\n") ?? "");
      await future.done;
      return said.join("");
    },
  };
};
