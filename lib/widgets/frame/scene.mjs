// The scene: marks with ids, and how they get from one picture to the next.
//
// A drawing's layout answers with a flat list of marks, in the order in which they are painted:
//
//   { id: "bar3", class: "score", x: 84, y: 100, w: 56, h: 40 }              a rectangle
//   { id: "word3", class: "key", x: 112, y: 240, text: "cross" }             a text
//   { id: "digits3", x: 112, y: 90, number: 0.5, format: digits }            a number as text
//   { id: "arc", class: "arc", a: 0, b: 9, thick: 2, d: (n) => `M${n.a}...` } a path
//   { id: "dot", x: 5, y: 5, r: 3 }                                           a circle
//   { id: "w.2.3", kind: "cell", x, y, w, h, number: 0.71, tint: 0.71 }      a cell with its digits
//   { id: "map", x, y, w, h, columns: 11, rows: 11, version, draw(context, style) }      a canvas
//
// What has the same id is the same thing: all its numbers glide to their new values. What is new
// fades in, out of the numbers in `from` if it has them; what is gone fades out. So motion, ghosts
// and travelling matrices are only ids and numbers; no drawing has code for motion.
//
//   anchor   "start", "middle" (the default of texts) or "end"
//   size     of letters; 24 is the smallest
//   o        opacity, 1
//   rx       round corners of a rectangle
//   bare     true for a cell in the background: no frame, digits in their own ink on any tint
//   tint     a weight from 0 to 1: the fill, and the ink of a text that stands on it
//   delay    milliseconds until it starts; glide: how long it takes; even: true if at one speed
//   until    the id of what takes its place: where it is gone, it fades when that one comes
//   arrived  its class once it has arrived
//   way(numbers)          numbers that follow from those that glide: a place on a path
//   pick(point, event)    what a click on it does
//   drag(point, event)    what follows the pointer while it is held
//   hover(point, event)   what pointing at it does
//   focus    true: shows only where the keyboard is, so it is in no picture

import { wardrobe } from "./looks.mjs";
import { KINDS, kindOf } from "./marks.mjs";

export const GLIDE = 380; // milliseconds, of a step of the story
export const STAGGER = 45; // between neighbours that start one after the other
const LEAVE = GLIDE / 2;

/** Slow, fast, slow. */
export function ease(t) {
  return t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
}

export const mix = (from, to, t) => from + (to - from) * t;

/** The numbers of a mark, which glide. */
export function numbersOf(mark) {
  const numeric = Object.entries(mark).filter(([, value]) => typeof value === "number");
  return { o: 1, ...Object.fromEntries(numeric) };
}

/** The numbers of a thing after so many milliseconds; done when it has arrived. */
export function numbersAt(thing, elapsed) {
  const { mark, start, goal, leaving } = thing;
  const wait = leaving ? (thing.wait ?? 0) : (mark.delay ?? 0);
  const length = leaving ? LEAVE : (mark.glide ?? GLIDE);
  const t = Math.min(1, Math.max(0, (elapsed - wait) / length));
  const part = mark.even ? t : ease(t);
  const now = {};
  for (const name of Object.keys(goal))
    now[name] = mix(start[name] ?? goal[name], goal[name], part);
  return { now, done: t >= 1 };
}

/** Only what answers to the pointer may stand in its way: a box with all its room, empty or not. */
function touched(mark, kind) {
  if (!mark.pick && !mark.drag && !mark.hover) return "none";
  return kind === "path" ? "auto" : "all";
}

export class Scene {
  /** looks: of the drawing's own kinds of marks (looks.mjs). */
  constructor(layer, looks) {
    this.layer = layer;
    this.wear = wardrobe(looks);
    this.things = new Map(); // id -> {kind, node, mark, now, start, goal, leaving}
    this.frame = 0;
  }

  /** Show these marks: glide to them so many times as fast as a story does, or go at once (0). */
  show(marks, pace) {
    cancelAnimationFrame(this.frame);
    const seen = new Set();
    let last = null;
    for (const mark of marks) {
      seen.add(mark.id);
      const thing = this.receive(mark);
      last = this.putAfter(last, thing.node);
    }
    for (const [id, thing] of this.things) if (!seen.has(id)) this.dismiss(thing);
    if (pace === 0) {
      this.paint(Number.POSITIVE_INFINITY);
      return;
    }
    this.run(pace);
  }

  /** The thing of a mark, with where it starts and where it goes. */
  receive(mark) {
    const kind = kindOf(mark);
    const goal = numbersOf(mark);
    let thing = this.things.get(mark.id);
    if (thing?.kind !== kind) {
      thing?.node.remove();
      thing = { kind, node: KINDS[kind].build(this.layer, mark), now: this.birth(mark, thing) };
      thing.node.dataset.id = mark.id;
      this.things.set(mark.id, thing);
    }
    this.wear(thing.node, `${mark.class ?? ""}${mark.drag ? " drags" : ""}`);
    thing.node.style.pointerEvents = touched(mark, kind);
    if (mark.rx !== undefined) thing.node.setAttribute("rx", mark.rx);
    if (kind === "text") thing.node.setAttribute("text-anchor", mark.anchor ?? "middle");
    const start = { ...goal, ...thing.now };
    Object.assign(thing, { mark, goal, start, leaving: false, settled: false });
    return thing;
  }

  /** The first numbers of what is new; a thing that has changed its kind starts where it stood. */
  birth(mark, was) {
    const goal = numbersOf(mark);
    if (was) return { ...goal, x: was.now.x, y: was.now.y, o: was.now.o };
    return { ...goal, o: 0, ...mark.from };
  }

  /** It fades; a mark that is there `until` another comes waits as long as that one. */
  dismiss(thing) {
    const start = { ...thing.now };
    const wait = this.things.get(thing.mark.until)?.mark.delay ?? 0;
    Object.assign(thing, { start, goal: { ...start, o: 0 }, leaving: true, settled: false, wait });
  }

  /** Nodes stand in the order of the list; only those that stand elsewhere are moved. */
  putAfter(last, node) {
    const next = last === null ? this.layer.firstChild : last.nextSibling;
    if (next !== node) this.layer.insertBefore(node, next);
    return node;
  }

  run(pace) {
    const start = performance.now();
    this.paint(0);
    this.layer.classList.add("moving");
    const next = (now) => {
      if (this.paint(pace * Math.max(0, now - start))) this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }

  /** One picture, so many milliseconds after the start; true if there is more to come. */
  paint(elapsed) {
    let more = false;
    for (const [id, thing] of this.things) {
      if (thing.settled) continue;
      const { now, done } = numbersAt(thing, elapsed);
      if (done && thing.leaving) {
        thing.node.remove();
        this.things.delete(id);
        continue;
      }
      thing.now = now;
      const seen = { ...now, ...thing.mark.way?.(now) };
      KINDS[thing.kind].paint(thing.node, seen, thing.mark);
      thing.node.style.opacity = now.o === 1 ? "" : now.o;
      thing.settled = done;
      if (done && thing.mark.arrived) this.wear(thing.node, thing.mark.arrived);
      if (!done) more = true;
    }
    if (!more) this.layer.classList.remove("moving");
    return more;
  }

  /** The mark that an element of the drawing belongs to, or undefined. */
  markOf(element) {
    const node = element.closest?.("[data-id]");
    return node ? this.things.get(node.dataset.id)?.mark : undefined;
  }
}
