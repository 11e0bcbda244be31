// A demo on a page of its own, without Jupyter and without Python: what its drawings were sent is
// on the page, and a small model hands it to them.

/** Bytes travel in base64, as Jupyter's own DataViews do in a message. */
function decode(value) {
  if (typeof value?.base64 !== "string") return value;
  const letters = atob(value.base64);
  return new DataView(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)).buffer);
}

/** What stands beside a page, as it was: JSON, zipped, in base64. */
export function unpacked(base64) {
  const zipped = new Blob([decode({ base64 })]).stream();
  return new Response(zipped.pipeThrough(new DecompressionStream("gzip"))).json();
}

/**
 * What a drawing sees of anywidget: it reads traits, changes them and hears of changes. Whoever
 * stands in for Python sets `hear` (names of changed traits, or a message), and calls `receive`
 * with traits that change together, and `tell` with a message.
 */
function makeModel(traits) {
  const values = {};
  for (const [name, value] of Object.entries(traits)) values[name] = decode(value);
  const listeners = [];
  let changed = [];
  function emit(events, value) {
    for (const { event, act } of [...listeners]) if (events.includes(event)) act(model, value);
  }
  function set(name, value) {
    if (values[name] === value) return;
    values[name] = value;
    changed.push(name);
    emit([`change:${name}`, "change"], value);
  }
  function listen(events, act) {
    for (const event of events.split(" ")) listeners.push({ event, act });
  }
  function off(event, act) {
    const isOther = (one) =>
      (event && one.event !== event) || (act !== undefined && one.act !== act);
    listeners.splice(0, listeners.length, ...listeners.filter(isOther));
  }
  function saveChanges() {
    const names = changed;
    changed = [];
    if (names.length > 0) model.hear?.(names);
  }
  function receive(changes) {
    const names = Object.keys(changes).filter((name) => values[name] !== changes[name]);
    for (const name of names) values[name] = decode(changes[name]);
    for (const name of names) emit([`change:${name}`], values[name]);
    if (names.length > 0) emit(["change"]);
  }
  const model = {
    get: (name) => values[name],
    set,
    on: listen,
    off,
    save_changes: saveChanges,
    send: (content) => model.hear?.([], content),
    receive,
    tell(content) {
      for (const { event, act } of [...listeners]) if (event === "msg:custom") act(content);
    },
  };
  return model;
}

/** Build a widget, or a box of them, in `parent`; its model is put into `models`. */
async function build(widget, parent, load, models = {}) {
  const el = document.createElement("div");
  el.className = widget.classes.join(" ");
  parent.append(el);
  for (const child of widget.children ?? []) await build(child, el, load, models);
  if (!widget.traits) return;
  const { signal } = new AbortController();
  const { default: made } = await load(widget.module);
  models[widget.part] = makeModel(widget.traits);
  await made.render({ model: models[widget.part], el, signal });
}

/** The letters of all demos of the page; top: the header's module, which knows them. */
export async function useLetters(top, letters) {
  const faces = Object.entries(letters).map(([face, base64]) => [face, decode({ base64 })]);
  await top.useLetters(Object.fromEntries(faces));
}

/**
 * Show a demo: { tree: widget, header, letters: {face: base64}, recording, live, own }; load(name)
 * loads a module. With a recording it is alive: live and own are the names of frame's live.mjs, and
 * of the demo's; parent: where it stands among others, if it is not alone on its page. Returns the
 * header, which has picture.
 */
export async function show(shown, load, parent = document.body) {
  const { tree, header, letters, recording, live, own } = shown;
  const { default: top } = await load(header);
  await useLetters(top, letters);
  const models = {};
  await build(tree, parent, load, models);
  if (recording) {
    const { default: bring } = await load(live);
    const computed = own && (await load(own));
    const body = [...parent.querySelectorAll(".demo-body")].at(-1);
    bring(recording, models, body, makeModel, computed);
    if (parent === document.body)
      for (const model of Object.values(models)) model.tell({ type: "alone" });
  }
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  return top;
}
