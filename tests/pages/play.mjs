// Plays a recording with models that only keep what they were given, and says where it differs from
// Python: { recording, drawing, own, actions, states } on stdin; drawing and own are addresses of
// modules, an action is {event}, {part, moved: {name: value}} or {screen: {name: value}}, states
// are what is new in Python after each, {path: value}. Prints what differs, how much was compared.
import { register } from "node:module";
import { readFileSync } from "node:fs";
import { Player } from "../../lib/widgets/frame/live.mjs";

// A drawing's module ends in demo({...}), which answers with a widget: here with what it was given.
const STAGE = new URL("../../lib/widgets/frame/stage.mjs", import.meta.url).href;
const BARE = `export * from "${STAGE}?real"; export const demo = (play) => play;`;
const HOOKS = `export const load = (url, context, next) =>
  url === ${JSON.stringify(STAGE)}
    ? { format: "module", source: ${JSON.stringify(BARE)}, shortCircuit: true }
    : next(url, context);`;
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);

const ROOM = { width: 1216, height: 456 };
const CLOSE_FLOATS = 1e-6;
const CLOSE = 1e-9; // of numbers: the order of a sum may be another
const IDLE = { change() {}, next() {}, ask() {} };

const { recording, drawing, own, actions, states } = JSON.parse(readFileSync(0, "utf-8"));
const { default: play } = await import(drawing);

function decode(value) {
  if (typeof value?.base64 !== "string") return value;
  return new DataView(Uint8Array.from(Buffer.from(value.base64, "base64")).buffer);
}

/** Traits by their paths as a model that has nobody to tell. */
function modelOf(part, paths) {
  const names = Object.keys(paths).filter((path) => path.startsWith(`${part}.`));
  const traits = Object.fromEntries(names.map((path) => [path.split(".")[1], paths[path]]));
  return {
    traits,
    get: (name) => decode(traits[name]),
    receive: (changes) => Object.assign(traits, changes),
    tell() {},
  };
}

/** All that is written on the drawing in a state, and its sentence. */
function written(model, screen) {
  const { traits = [], read, own: only } = play;
  const sent = Object.fromEntries(traits.map((name) => [name, model.get(name)]));
  const veiled = model.get("veiled") ?? false;
  const state = { veiled, ...sent, ...read?.(model), ...only, ...screen, before: null };
  const marks = play.layout(state, ROOM, IDLE);
  const texts = marks.map((mark) => (mark.format ? mark.format(mark.number) : mark.text));
  return JSON.stringify([texts.filter((text) => text !== undefined), play.caption(state)]);
}

/** Bytes of floats: those of another machine differ in their last digits. */
function sameFloats(one, other) {
  const [left, right] = [one, decode(other)];
  if (left.byteLength !== right.byteLength) return false;
  for (let i = 0; i < left.byteLength; i += 4)
    if (Math.abs(left.getFloat32(i, true) - right.getFloat32(i, true)) > CLOSE_FLOATS) return false;
  return true;
}

function same(one, other) {
  if (one instanceof DataView) return sameFloats(one, other);
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= CLOSE * Math.max(1, Math.abs(one));
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object")
    return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => same(one[name], other[name]))
  );
}

const parts = new Set(Object.keys(recording.start).map((path) => path.split(".")[0]));
const models = Object.fromEntries([...parts].map((part) => [part, modelOf(part, recording.start)]));
const player = new Player(recording, models, own ? await import(own) : {});
const differences = [];
const seen = new Set();
const wanted = {};
let screen = {};
for (const [i, { event, part, moved, ...action }] of actions.entries()) {
  screen = action.screen ?? screen;
  if (event) player.fire(event);
  if (moved) {
    const names = Object.keys(moved).filter((name) => models[part].get(name) !== moved[name]);
    models[part].receive(moved);
    player.hear(part, names); // a model tells what is new to it
  }
  for (const [path, value] of Object.entries(Object.assign(wanted, states[i]))) {
    const [part, name] = path.split(".");
    if (!same(models[part].traits[name], value))
      differences.push([i, path, models[part].traits[name], value]);
  }
  const shown = [models.d0, modelOf("d0", wanted)].map((model) => written(model, screen));
  if (shown[0] !== shown[1]) differences.push([i, "shown", ...shown]);
  seen.add(shown[0]);
}
console.log(JSON.stringify({ differences, compared: actions.length, different: seen.size }));
