// A demo that is alive without Python: what Python answers in each of its states was recorded
// (tools/live/record.py), and is looked up when something is done.
import { addControl } from "./native.mjs";

const NOT_RECORDED = "This was not recorded: it needs Python. Run the page to see it.";
const NOTHING = -1; // in the place of a state: nothing changes
const HEADER = "h";

/** Python's side of a demo. models: of header, controls and drawings, by their names. */
export class Player {
  constructor(recording, models) {
    Object.assign(this, { recording, models, state: 0 });
  }

  /** What the page has changed, or asks for, in the part of this name. */
  hear(part, names, content) {
    if (content) {
      if (content.type !== "ping") this.fire(`${part}.${content.type}`);
      return;
    }
    if (names.includes("veiled")) this.fire(`${part}.veiled=false`);
    if (names.includes("presses")) this.fire(`${part}.presses`);
    this.move(true);
  }

  /** An event happens: the state after it is shown; what was not recorded is said. */
  fire(event) {
    const { events, sets, values, states, paths } = this.recording;
    const after = events[event]?.[this.state];
    if (after === undefined) {
      this.models[HEADER].receive({ message: NOT_RECORDED });
      return;
    }
    const changes = { [HEADER]: { message: "" } };
    const put = (path, number) => {
      const [part, name] = path.split(".");
      changes[part] ??= {};
      changes[part][name] = values[number];
    };
    if (after !== NOTHING) {
      const [old, now] = [states[this.state], states[after]];
      for (const [i, path] of paths.entries()) if (old[i] !== now[i]) put(path, now[i]);
    }
    for (const [path, number] of Object.entries(sets[event][this.state] ?? {})) put(path, number);
    if (after !== NOTHING) this.state = after;
    for (const [part, traits] of Object.entries(changes)) this.models[part].receive(traits);
    const isReset = event === `${HEADER}.reset`;
    if (isReset) for (const model of Object.values(this.models)) model.tell({ type: "reset" });
    this.move(!isReset);
  }

  /** Whether anything is other than at the start. */
  move(moved) {
    for (const model of Object.values(this.models))
      if (model.get("moved") !== undefined) model.receive({ moved });
  }
}

/** Bring a demo to life: its models play the recording, its controls stand below the drawing. */
export default function live(recording, models, body, makeModel) {
  const player = new Player(recording, models);
  for (const [part, model] of Object.entries(models))
    model.hear = (names, content) => player.hear(part, names, content);
  if (recording.controls.length === 0) return player;
  const strip = document.createElement("div");
  strip.className = "demo-controls";
  body.append(strip);
  recording.controls.forEach((about, i) => {
    const part = `c${i}`;
    const own = Object.entries(recording.start).filter(([path]) => path.startsWith(`${part}.`));
    const traits = Object.fromEntries(own.map(([path, value]) => [path.split(".")[1], value]));
    models[part] = makeModel(traits);
    const act = (name, value) => {
      if (name) models[part].receive({ [name]: value });
      player.fire(name ? `${part}.${name}=${JSON.stringify(value)}` : `${part}.click`);
    };
    addControl(strip, about, models[part], act);
  });
  return player;
}
