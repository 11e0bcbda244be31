// A page without Jupyter that has its widgets: the controls of ipywidgets and anywidget, as they
// come for the classic notebook, with a bridge to the Python objects instead of a kernel.
// page.html loads this, then those two, and calls bridge.start().
(() => {
  const PATIENCE = 30_000; // milliseconds, for what takes a moment
  const PAUSE = 1000; // milliseconds, longer than any gesture
  const nothing = new Proxy(() => nothing, { get: () => nothing });
  const made = []; // the modules of ipywidgets and of anywidget, in this order
  const models = {}; // promises, by their ids
  const comms = {};
  const shown = []; // views
  let sent = 0; // messages, by which the echo of a change is known
  let waiting = 0; // of these are on their way
  let delivered = Promise.resolve();
  const VIEWS = ".demo > *, .demo-drawings > *";

  // Each action of a test is a gesture of its own, however fast the machine is.
  let later = 0;
  const now = performance.now.bind(performance);
  const nextFrame = window.requestAnimationFrame.bind(window);
  performance.now = () => now() + later;
  window.requestAnimationFrame = (act) => nextFrame((time) => act(time + later));

  // What the two modules ask the classic notebook for; ipywidgets brings its style sheets when its
  // extension is started, and registers itself with things that are not there.
  window.Jupyter = { version: "6.5.0" };
  window.requirejs = (names, act) => act(...names.map(() => nothing));
  window.requirejs.config = () => {};
  window.define = (_, make) => made.push(make(made[0] ?? { uri: "" }));

  const encode = (buffer) => {
    const bytes = new Uint8Array(buffer.buffer ?? buffer, buffer.byteOffset, buffer.byteLength);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  };
  const decode = (text) =>
    new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

  /** What a widget's model sends through; Python's answers are applied before the next message. */
  function makeComm(id) {
    const comm = {
      comm_id: id,
      on_msg: (act) => {
        comm.hear = act;
      },
      on_close: (act) => {
        comm.close = act;
      },
      send(data, callbacks, _, buffers = []) {
        waiting++;
        const msg_id = String(++sent);
        const message = JSON.stringify({ comm: id, data, buffers: buffers.map(encode) });
        delivered = delivered
          .then(() => window.askPython(message))
          .then((answers) => apply(answers, { msg_id }))
          .then(() => callbacks?.iopub?.status?.({ content: { execution_state: "idle" } }))
          .finally(() => waiting--);
        return msg_id;
      },
    };
    return comm;
  }

  const classOf = (name, module) => (module === "anywidget" ? made[1] : made[0])[name];

  async function open(id, { state, buffer_paths }, buffers) {
    made[0].put_buffers(state, buffer_paths, buffers);
    const Model = classOf(state._model_name, state._model_module);
    const attributes = await Model._deserialize_state(state, manager);
    comms[id] = makeComm(id);
    return new Model(attributes, { widget_manager: manager, model_id: id, comm: comms[id] });
  }

  /** Apply what Python has sent, one message after the other; parent_header: of what it answers. */
  async function apply(messages, parent_header) {
    for (const { type, comm, data, buffers } of JSON.parse(messages)) {
      const views = buffers.map(decode);
      if (type === "comm_open") models[comm] = open(comm, data, views);
      if (type === "comm_msg") {
        await comms[comm].hear({ content: { data }, buffers: views, parent_header });
      }
      if (type === "comm_close") comms[comm].close?.({});
      await models[comm];
    }
  }

  const manager = {
    get_model: (id) => models[id],
    callbacks: () => ({}),
    inline_sanitize: (text) => text,
    kernel: {
      get status() {
        return waiting > 0 ? "busy" : "idle";
      },
    },
    async create_view(model, options = {}) {
      await model.state_change;
      const View = classOf(model.get("_view_name"), model.get("_view_module"));
      const view = new View({ model, options });
      view.listenTo(model, "destroy", view.remove);
      await view.render();
      return view;
    },
  };

  window.bridge = {
    start: () => made[0].load_ipython_extension(),
    /** Apply messages, then show these widgets in the place of those before. */
    async show(messages, ids) {
      for (const one of shown.splice(0)) one.dispose();
      await apply(messages);
      const main = document.querySelector("main");
      main.replaceChildren();
      for (const id of ids) {
        const { luminoWidget: one } = await manager.create_view(await models[id]);
        one.constructor.attach(one, main.appendChild(document.createElement("div")));
        shown.push(one);
      }
    },
    apply,
    /** Forget all widgets. */
    clear() {
      for (const one of shown.splice(0)) one.dispose();
      document.querySelector("main").replaceChildren();
      for (const known of [models, comms]) for (const id of Object.keys(known)) delete known[id];
    },
    /** Wait until Python has answered everything, it is drawn, and nothing moves; then pause. */
    async settled() {
      const end = performance.now() + PATIENCE;
      const frame = () => new Promise(requestAnimationFrame);
      const isEmpty = (view) => !view.firstElementChild; // its modules are on their way
      const isBusy = () =>
        waiting > 0 ||
        document.querySelector("g.moving") !== null ||
        [...document.querySelectorAll(VIEWS)].some(isEmpty);
      let wasBusy = true;
      while (wasBusy && performance.now() < end) {
        wasBusy = isBusy(); // what came in last needs its two frames, too
        for (let i = 0; i < 2; i++) await frame();
        wasBusy ||= isBusy();
      }
      if (wasBusy)
        throw new Error(`not settled: ${waiting} messages wait, a mark moves or a view is empty`);
      later += PAUSE;
    },
  };
})();
