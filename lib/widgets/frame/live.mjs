// A demo that is alive without Python: what Python answers in each of its states was recorded
// (../live/record.py), and is looked up when something is done. What cannot be recorded, because
// it follows from what is dragged, is computed in the demo's own live.mjs:
//
// events: {event: (get, about) => {path: value}}, what an event changes beside what was recorded;
// outputs: (get, given) => {path: value}, what follows from the state that is now reached.
// get(path) is a trait's present value, given what ../live hands over.
import { addControl } from "./native.mjs";

const NOT_RECORDED = "This was not recorded: it needs Python. Run the page to see it.";
const HEADER = "h";
const RESET = `${HEADER}.reset`;
const MOVED = `${HEADER}.moved`;

/** Python's side of a demo. models: of header, controls and drawings, by their names. */
export class Player {
  constructor(recording, models, own = {}) {
    Object.assign(this, { recording, models, own, state: 0 });
    this.get = (path) => {
      const [part, name] = path.split(".");
      return models[part].get(name);
    };
    this.first = recording.local.map((path) => JSON.stringify(this.get(path)));
  }

  /** What the page has changed, or asks for, in the part of this name. */
  hear(part, names, content) {
    if (content) {
      if (content.type !== "ping") this.fire(`${part}.${content.type}`, content);
      return;
    }
    const told = [...names].filter((name) => this.recording.paths.includes(`${part}.${name}`));
    const values = told
      .sort()
      .map((name) => `${name}=${JSON.stringify(this.get(`${part}.${name}`))}`);
    if (told.length > 0) this.fire(`${part}.${values}`);
    if (names.includes("presses")) this.fire(`${part}.presses`);
    this.follow();
  }

  /** An event happens: the state after it is shown; what was not recorded is said. */
  fire(event, about) {
    const { events, sets, values, states, paths } = this.recording;
    const [part, name] = event.split(".");
    // Enter starts over where it has no other name.
    if (name === "presses" && this.get(`${part}.enter`) === "") return this.fire(RESET);
    const after = events[event]?.[this.state];
    const own = this.own.events?.[event]?.(this.get, about);
    if (after === undefined && own === undefined) {
      this.receive({ [`${HEADER}.message`]: NOT_RECORDED });
      return;
    }
    const changes = { [`${HEADER}.message`]: "" };
    if (after >= 0) {
      const [old, now] = [states[this.state], states[after]];
      for (const [i, path] of paths.entries())
        if (old[i] !== now[i] && path !== MOVED) changes[path] = values[now[i]];
    }
    for (const [path, number] of Object.entries(sets[event]?.[this.state] ?? {}))
      changes[path] = values[number];
    if (after >= 0) this.state = after;
    this.receive({ ...changes, ...own });
    if (event === RESET)
      for (const model of Object.values(this.models)) model.tell({ type: "reset" });
    this.follow();
  }

  /** The models change, those traits of each together: {path: value}. */
  receive(changes) {
    const parts = {};
    for (const [path, value] of Object.entries(changes)) {
      const [part, name] = path.split(".");
      parts[part] ??= {};
      parts[part][name] = value;
    }
    for (const [part, traits] of Object.entries(parts)) this.models[part].receive(traits);
  }

  /** What is computed of the present state, and whether anything is other than at the start. */
  follow() {
    const { local, values, states, paths, given } = this.recording;
    const isNew = ([path, value]) => JSON.stringify(value) !== JSON.stringify(this.get(path));
    const computed = this.own.outputs?.(this.get, given) ?? {};
    this.receive(Object.fromEntries(Object.entries(computed).filter(isNew)));
    const isOther = (path, i) => JSON.stringify(this.get(path)) !== this.first[i];
    const moved = values[states[this.state][paths.indexOf(MOVED)]] || local.some(isOther);
    for (const model of Object.values(this.models))
      if (model.get("moved") !== undefined) model.receive({ moved });
  }
}

/**
 * Bring a demo to life: its models play the recording, and what its own live.mjs computes; its
 * controls stand below the drawing.
 */
export default function live(recording, models, body, makeModel, own) {
  const player = new Player(recording, models, own);
  for (const [part, model] of Object.entries(models))
    model.hear = (names, content) => player.hear(part, names, content);
  if (recording.controls.length === 0) return player;
  const strip = document.createElement("div");
  strip.className = "demo-controls";
  body.append(strip);
  recording.controls.forEach((about, i) => {
    const part = `c${i}`;
    const mine = Object.entries(recording.start).filter(([path]) => path.startsWith(`${part}.`));
    const traits = Object.fromEntries(mine.map(([path, value]) => [path.split(".")[1], value]));
    models[part] = makeModel(traits);
    const act = (name, value) =>
      player.fire(name ? `${part}.${name}=${JSON.stringify(value)}` : `${part}.click`);
    addControl(strip, about, models[part], act);
  });
  return player;
}
