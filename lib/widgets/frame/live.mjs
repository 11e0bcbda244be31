// A demo that is alive without Python: what Python answers in each of its states was recorded
// (record.py), and is looked up when something is done. What cannot be recorded, because
// it follows from what is dragged, is computed in the demo's own live.mjs:
//
// events: {event: (get, about, player) => {path: value}}, what an event changes beside what was
// recorded, and what it lets the player play;
// outputs: (get, given) => {path: value}, what follows from the state that is now reached;
// heard: (part, names, player), what Python does at once when a drawing changes these traits;
// program: (get, given) => event => {path: value}, where nothing is recorded.
// get(path) is a trait's present value, given what the demo hands over.
import { addControl } from "./native.mjs";

const NOT_RECORDED = "This was not recorded: it needs Python. Run the page to see it.";
const HEADER = "h";
const RESET = `${HEADER}.reset`;
const MOVED = `${HEADER}.moved`;

/** Bytes, which a recording has in base64, as a DataView; anything else as it is. */
export function decoded(value) {
  if (typeof value?.base64 !== "string") return value;
  const letters = atob(value.base64);
  return new DataView(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)).buffer);
}

/** Whether two values of a trait say the same. */
function isSame(one, other) {
  if (!(one instanceof DataView && other instanceof DataView))
    return JSON.stringify(one) === JSON.stringify(other);
  const count = one.byteLength;
  if (count !== other.byteLength) return false;
  for (let i = 0; i < count; i++) if (one.getUint8(i) !== other.getUint8(i)) return false;
  return true;
}

/** Python's side of a demo. models: of header, controls and drawings, by their names. */
export class Player {
  constructor(recording, models, own = {}) {
    Object.assign(this, { recording, models, own, state: 0 });
    this.get = (path) => {
      const [part, name] = path.split(".");
      return models[part].get(name);
    };
    this.first = Object.fromEntries(recording.local.map((path) => [path, recording.start[path]]));
    this.given = Object.fromEntries(
      Object.entries(recording.given).map(([name, value]) => [name, decoded(value)]),
    );
  }

  /** What the page has changed, or asks for, in the part of this name. */
  hear(part, names, content) {
    if (content) {
      if (content.type !== "ping") this.fire(`${part}.${content.type}`, content);
      return;
    }
    const { paths, followed } = this.recording;
    const told = names.filter((name) => paths.includes(`${part}.${name}`));
    const isTogether = told.some((name) => followed.includes(`${part}.${name}`));
    const together = isTogether ? followed.map((path) => path.split(".")[1]) : [];
    const values = [...new Set([...told, ...together])]
      .sort()
      .map((name) => `${name}=${JSON.stringify(this.get(`${part}.${name}`))}`);
    if (told.length > 0) this.fire(`${part}.${values}`);
    if (names.includes("presses")) this.fire(`${part}.presses`);
    this.own.heard?.(part, names, this);
    this.follow();
  }

  /** An event happens: the state after it is shown; what was not recorded is said. */
  fire(event, about) {
    const { events, sets, local_sets: locals, values, states, paths } = this.recording;
    const [part, name] = event.split(".");
    // Enter starts over where it has no other name.
    if (name === "presses" && this.get(`${part}.enter`) === "") return this.fire(RESET);
    const after = events[event]?.[this.state];
    this.program ??= this.own.program?.(this.get, this.given);
    const own = this.program?.(event) ?? this.own.events?.[event]?.(this.get, about, this);
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
    for (const [path, number] of Object.entries(locals[sets[event]?.[this.state] ?? 0]))
      changes[path] = values[number];
    if (after >= 0) this.state = after;
    this.receive({ ...changes, ...(event === RESET ? this.first : {}), ...own });
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

  /** Let changes follow one another, each `() => {path: value}`, until halted. */
  play([now, ...rest], pause) {
    this.receive(now());
    this.follow();
    if (rest.length > 0) this.timer = setTimeout(() => this.play(rest, pause), pause);
  }

  halt() {
    clearTimeout(this.timer);
  }

  /** What is computed of the present state, and whether anything is other than at the start. */
  follow() {
    const { values, states, paths } = this.recording;
    const isNew = ([path, value]) => !isSame(value, this.get(path));
    const computed = this.own.outputs?.(this.get, this.given) ?? {};
    this.receive(Object.fromEntries(Object.entries(computed).filter(isNew)));
    const told = values[states[this.state][paths.indexOf(MOVED)]] ?? false;
    const moved = told || Object.entries(this.first).some(isNew);
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
    if (!about.spared) addControl(strip, about, models[part], act);
  });
  return player;
}
