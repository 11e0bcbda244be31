// A demo on a page of its own, without Jupyter and without Python: what its drawings were sent is
// on the page, and a small model hands it to them.

/** Bytes travel in base64, as Jupyter's own DataViews do in a message. */
function decode(value) {
  if (typeof value?.base64 !== "string") return value;
  const letters = atob(value.base64);
  return new DataView(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)).buffer);
}

/** What a drawing sees of anywidget: it reads traits, changes them and hears of changes. */
function makeModel(traits) {
  const values = {};
  for (const [name, value] of Object.entries(traits)) values[name] = decode(value);
  const listeners = [];
  function set(name, value) {
    const isNew = values[name] !== value;
    values[name] = value;
    if (!isNew) return;
    for (const { event, act } of [...listeners]) {
      if (event === `change:${name}` || event === "change") act(model, value);
    }
  }
  function off(event, act) {
    const isOther = (one) =>
      (event && one.event !== event) || (act !== undefined && one.act !== act);
    listeners.splice(0, listeners.length, ...listeners.filter(isOther));
  }
  const model = {
    get: (name) => values[name],
    set,
    on: (event, act) => listeners.push({ event, act }),
    off,
    save_changes() {},
    send() {},
  };
  return model;
}

/** Build a widget, or a box of them, in `parent`. */
async function build(widget, parent, modules) {
  const el = document.createElement("div");
  el.className = widget.classes.join(" ");
  parent.append(el);
  for (const child of widget.children ?? []) await build(child, el, modules);
  if (!widget.traits) return;
  const { signal } = new AbortController();
  const { default: made } = await modules[widget.module];
  await made.render({ model: makeModel(widget.traits), el, signal });
}

/**
 * Show a demo: { modules: [text], tree: widget, letters: {face: base64} }; load(text) loads a
 * module. Returns the header, which has picture.
 */
export async function show({ modules, tree, letters }, load) {
  const loaded = modules.map(load);
  const { drawing } = await loaded[0];
  const { default: header } = await drawing;
  const faces = Object.entries(letters).map(([face, base64]) => [face, decode({ base64 })]);
  await header.useLetters(Object.fromEntries(faces));
  await build(tree, document.body, loaded);
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  return header;
}
