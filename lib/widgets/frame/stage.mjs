// The stage: one drawing over one state. A demo's module says what is seen and what keys do; the
// stage does the rest (read depth.mjs as an example):
//
//   export default demo({
//     name,                        class of the figure, for its style sheet
//     traits,                      names of what Python sends and the state has
//     own,                         {name: value} that only the screen knows, at the start
//     read(model),                 what is not sent as plain values, or not by its name
//     layout(state, room, act),    the marks (scene.mjs) in a room of width x height
//     caption(state),              the sentence under the drawing: what to see
//     asks(state),                 the headline once a reader has moved on, or null: the story's
//     wait(state),                 milliseconds until a glide has shown what the sentence tells
//     keys(state, key, event, act, room),
//                                  the changes that a key makes, or null if it means nothing
//     next(state),                 what Enter does where Python tells no story, or null: {label}
//                                  and one of ask (a message to Python) and act(model);
//                                  isPressed: true if only its button does it, never Enter
//     forget,                      {name: [names]}: when Python changes the first, the others, of
//                                  own, are as at the start
//     looks,                       of its own kinds of marks (looks.mjs)
//     height, width,               of the drawing on the page, 456 and 1216 if not said; or
//                                  height(state), width(state), of its first state
//     keep,                        names whose change alone does not make a new ghost
//     staged(made, model),         called once with the Stage, for what no other line says
//   });
//
// state has the traits, what read answers, what own holds, and before: the state before the last
// gesture, or null; a drawing paints it as a ghost. act.change(changes, {keep}) is the only way to
// change anything: names that are traits go to Python, the others stay here. act.ask(message) sends
// a message to Python and changes nothing here. act.next() is Enter.
// While state.veiled the answer is hidden, and Enter shows it. Then Enter takes the next step of
// the story that Python tells (Demo.tell_story): the trait ``enter`` has its label, and ``presses``
// counts how often it was asked for. When Enter has nothing more to show, the fold below the cell
// that explains the answer opens.

import {
  clamp,
  eachFrame,
  forFinger,
  html,
  keys,
  openBelow,
  place,
  saveChanges,
  setAttributes,
  shape,
} from "./frame.mjs";
import { isFormula, typeset } from "./formula.mjs";
import { STAGE } from "./lettering.mjs";
import { filled } from "./looks.mjs";
import { Scene } from "./scene.mjs";

const LOWEST = 300; // a drawing in full screen
const GESTURE = 500; // milliseconds: changes that follow each other so fast are one gesture
const TOLD = 1000; // milliseconds: what changes so soon after Enter is a step of the story
const SLIDER = ".noUi-handle";
const AT_ONCE = 0;
const STORY = 1; // times as fast as GLIDE says
// A slider and an arrow key are answered sooner: from the press to the last frame in 0.25 s.
const ANSWER = 2.6;
const HELD = 200; // milliseconds: changes so fast come from a held key or a finger
const PATIENCE = 5000; // milliseconds: so long a second Enter waits for the answer to the first
const BOUNCE = 600; // milliseconds: who presses twice so soon has not read what the first showed
const START_OVER = "Start over"; // Enter must come twice for it: it takes the result away
const ARE_YOU_SURE = "Sure? Start over";
const VEIL = 12; // from one line of the veil's hatching to the next
const MASK = 8;
const SHOW = { label: "Show", changes: { veiled: false } };

/** The next step of the story that Python tells. */
function goOn(model) {
  saveChanges(model, { presses: model.get("presses") + 1 });
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const isTouched = () => matchMedia("(pointer: coarse)").matches;

/** A hatching as a fill; a page holds many drawings, so its id is its own. */
function hatch(defs, kind, distance, [paper, ink]) {
  const id = `${kind}-${Math.random().toString(36).slice(2)}`;
  const pattern = shape(defs, "pattern", {
    id,
    width: distance,
    height: distance,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)",
  });
  shape(pattern, "rect", { width: distance, height: distance, ...filled(paper) });
  shape(pattern, "rect", { width: 2, height: distance, ...filled(ink) });
  return `url(#${id})`;
}

/** An SVG with its hatchings and an empty layer for a scene. */
function canvasOf(parent, attributes) {
  const svg = shape(parent, "svg", attributes);
  const defs = shape(svg, "defs");
  svg.style.setProperty("--veil", hatch(defs, "veil", VEIL, ["surface", "line"]));
  svg.style.setProperty("--hatching", hatch(defs, "mask", MASK, ["paper", "masked"]));
  return { svg, layer: shape(svg, "g") };
}

/** A size that a drawing says, for its first state or for all; else the usual one. */
function sizeOf(said, usual, state) {
  return typeof said === "function" ? said(state) : (said ?? usual);
}

/** The answer among the marks, and its name: where a phone cuts the drawing, stage.css has them. */
function answerIn(marks) {
  const told = marks.find((mark) => /^answer( |$)/.test(mark.class));
  const named = marks.find((mark) => mark.class === "answer-label");
  if (!told || !named) return ["", ""];
  const words = told.text ?? told.format(told.number);
  return [words, named.text].map((said) => (isFormula(said) ? "" : said));
}

export class Stage {
  constructor({ model, el }, play) {
    this.model = model;
    this.play = play;
    this.own = { ...play.own };
    this.before = null;
    this.changed = Number.NEGATIVE_INFINITY; // when, for what is one gesture
    this.times = {}; // when the reader and when Python changed something
    this.held = null;
    this.hasMovedOn = false; // since the answer
    this.told = Number.NEGATIVE_INFINITY; // when Enter was pressed
    this.heard = Number.NEGATIVE_INFINITY; // from when on Enter is heard again
    this.asked = null; // and where the story stood
    this.act = {
      change: (changes, options) => this.change(changes, options),
      ask: (message) => this.ask(message),
      next: () => this.next(),
    };
    this.build(el);
    this.scene = new Scene(this.layer, play.looks);
    this.state = this.merged();
    this.first = this.state;
    this.owes = this.hasMore(); // an answer
    this.width = sizeOf(play.width, STAGE.width, this.state);
    this.designed = sizeOf(play.height, STAGE.height, this.state);
    this.height = this.designed;
    this.redraw = eachFrame(() => this.catchUp());
  }

  build(el) {
    this.figure = html(el, "figure", { class: `drawing stage ${this.play.name}` });
    const { keys: acts, next } = this.play;
    const isStory = (this.model.get("enter") ?? null) !== null;
    const tabindex = acts || next || isStory ? 0 : -1; // where no key means anything, Tab goes past
    Object.assign(this, canvasOf(this.figure, { role: "application", tabindex }));
    this.svg.dataset.lmSuppressShortcuts = "true"; // Jupyter looks at the focused element itself
    const line = html(this.figure, "div", { class: "demo-line" });
    this.caption = html(line, "figcaption", { "aria-live": "polite" });
    if (next || this.model.get("veiled") !== undefined) {
      this.button = html(line, "button", { class: "demo-next", type: "button" });
      // A pointer aims at what the button says; a key has perhaps been pressed once too often.
      this.button.addEventListener("click", ({ detail }) => {
        if (detail || this.whatNext().isPressed) this.next();
        else this.enter();
      });
      keys(this.button, (key) => key === "Enter" && this.whatNext().isPressed);
    }
  }

  merged() {
    const veiled = this.model.get("veiled") ?? false;
    const { traits = [], read } = this.play;
    const sent = Object.fromEntries(traits.map((name) => [name, this.model.get(name)]));
    return { veiled, ...sent, ...read?.(this.model), ...this.own, before: this.before };
  }

  /** Keep the state as the ghost, unless a gesture is going on. */
  remember(keep) {
    if (keep) return;
    const now = performance.now();
    const isOneGesture = now - this.changed < GESTURE || this.held !== null;
    this.changed = now;
    if (isOneGesture) return;
    const { before, ...plain } = this.state;
    this.before = plain;
  }

  /** The reader changed something: {name: value}; keep: true if the ghost stays as it is. */
  change(changes, { keep = false } = {}) {
    const isKept = Object.keys(changes).every((name) => (this.play.keep ?? []).includes(name));
    this.hasMovedOn ||= !this.state.veiled;
    this.remember(keep || isKept);
    const sent = {};
    for (const [name, value] of Object.entries(changes)) {
      if (name in this.own) this.own[name] = value;
      else sent[name] = value;
    }
    if (Object.keys(sent).length > 0) {
      this.isOurs = true; // what the model says now is our own change
      saveChanges(this.model, sent);
      this.isOurs = false;
    }
    this.state = this.merged();
    this.draw("reader");
  }

  /** Ask Python; what a key that only asks changes here is nothing. */
  ask(message) {
    this.model.send(message);
    return {};
  }

  /** What Python changed is waited for by the next frame, but not by what the reader does. */
  catchUp() {
    if (!this.isBehind) return;
    this.isBehind = false;
    this.receive();
  }

  /** Python changed something; the name of the next step alone makes no ghost. */
  receive() {
    const state = this.merged();
    const changed = Object.keys(state).filter((name) => state[name] !== this.state[name]);
    if (changed.length === 0) {
      this.showNext();
      return;
    }
    this.remember(changed.every((name) => name === "moved")); // it follows what was changed before
    this.state = this.merged();
    this.draw("Python");
  }

  /** What only the screen knows is as at the start, if it was Python that changed something. */
  forget(names) {
    if (this.isOurs) return;
    for (const name of names) this.own[name] = this.play.own[name];
  }

  /** Back to the start, without a ghost; what Python resets follows in a moment. */
  reset() {
    this.asked = null;
    this.own = { ...this.play.own };
    this.before = null;
    this.hasMovedOn = false;
    this.changed = performance.now();
    this.state = this.merged();
    this.draw("reader");
  }

  whatNext() {
    if (this.state.veiled) return SHOW;
    const enter = this.model.get("enter") ?? null;
    if (enter === null) return this.play.next?.(this.state) ?? null;
    return { label: enter || START_OVER, act: goOn };
  }

  /** Whether Enter has something to show that was not seen yet. */
  hasMore() {
    const what = this.whatNext();
    return what !== null && what.label !== START_OVER;
  }

  next() {
    this.catchUp();
    const what = this.whatNext();
    if (!what || (what.act === goOn && this.isAsked())) return;
    this.told = performance.now();
    if (what.ask) this.model.send(what.ask);
    this.asked = what.act ? this.step() : null;
    if (what.act) what.act(this.model);
    if (what.changes) this.change(what.changes, { keep: what === SHOW });
  }

  /** Where the story stands, as far as Python has told. */
  step() {
    return `${this.model.get("done")} ${this.model.get("enter")}`;
  }

  /** Whether Python has yet to take the step: a second one would pass over a question. */
  isAsked() {
    return this.asked === this.step() && performance.now() - this.told < PATIENCE;
  }

  /**
   * One press too many stops nothing, and at the end of a story it only asks. Until an answer is
   * told, a press passes over nothing.
   */
  enter() {
    const { label, isPressed } = this.whatNext();
    const now = performance.now();
    if (isPressed || (!isStill() && now < this.heard)) return;
    this.heard = now + BOUNCE;
    if (label !== START_OVER || this.isSure) {
      const { veiled } = this.state;
      this.next();
      if (veiled) this.heard = now + Math.max(BOUNCE, this.wait);
      return;
    }
    this.isSure = true;
    this.showNext();
  }

  /** After anything else a press of Enter only asks again. */
  forgive() {
    if (!this.isSure) return;
    this.isSure = false;
    this.showNext();
  }

  /** Glide to the state, or go at once: a held key and a finger are never waited for. */
  draw(who) {
    this.isSure = false;
    const now = performance.now();
    const isHeld = this.held !== null || now - (this.times[who] ?? 0) < HELD;
    this.times[who] = now;
    this.paint(isHeld || isStill() || !this.figure.isConnected ? AT_ONCE : this.pace(who, now));
  }

  /** What one moves oneself is quick; a step of the story and a button's event are looked at. */
  pace(who, now) {
    const isMoved = who === "reader" || document.activeElement?.matches(SLIDER);
    return isMoved && now - this.told > TOLD ? ANSWER : STORY;
  }

  paint(pace = AT_ONCE) {
    const { state, width, height } = this;
    const marks = this.play.layout(state, { width, height }, this.act);
    this.scene.show(marks, pace);
    this.answer = answerIn(marks);
    this.wait = pace === AT_ONCE ? 0 : (this.play.wait?.(state) ?? 0) / pace;
    this.sayLater(this.play.caption(state), this.wait);
    this.showNext();
    this.head();
  }

  /** Tell the header what is asked of what is seen now, or "" where the story's question fits. */
  head() {
    this.hasMovedOn &&= !this.state.veiled;
    const detail = (this.hasMovedOn && this.play.asks?.(this.state)) || "";
    this.figure.dispatchEvent(new CustomEvent("demo-asks", { bubbles: true, detail }));
  }

  /** What happens is seen first, then told. */
  sayLater(sentence, wait) {
    clearTimeout(this.saying);
    if (wait === 0) this.say(sentence);
    else this.saying = setTimeout(() => this.say(sentence), wait);
  }

  say(spoken) {
    [this.figure.dataset.answer, this.figure.dataset.label] = this.answer;
    const what = this.whatNext();
    const sentence = what && isTouched() ? forFinger(spoken, what.label) : spoken;
    if (this.caption.dataset.sentence === sentence) return;
    this.caption.dataset.sentence = sentence;
    typeset(this.caption, sentence);
    this.svg.setAttribute("aria-label", sentence);
  }

  /** All anew: other letters have other widths. */
  resay() {
    delete this.caption.dataset.sentence;
    this.paint();
  }

  /** When the last answer is shown, the reason below may be read. */
  explain() {
    if (!this.owes || this.hasMore()) return;
    this.owes = false;
    openBelow(this.figure);
  }

  showNext() {
    this.explain();
    if (!this.button) return;
    const what = this.whatNext();
    this.button.hidden = what === null;
    if (what === null) return;
    const label = this.isSure ? ARE_YOU_SURE : what.label;
    this.button.classList.toggle("demo-last", what.label === START_OVER);
    typeset(this.button, label);
    this.button.setAttribute("aria-label", `Next: ${label}`); // a tool may have the same label
    if (!what.isPressed) html(this.button, "kbd", { "aria-hidden": "true" }, "\u21b5");
  }

  /** As high as the room in full screen, as high as it is designed on the page. */
  fit() {
    const isFull = this.figure.closest(".demo:is(:fullscreen, :popover-open)") !== null;
    const { clientWidth, clientHeight } = this.svg; // as laid out, also where the demo lies turned
    const wanted = (this.width * clientHeight) / clientWidth || this.designed;
    const height = isFull ? Math.round(clamp(wanted, LOWEST, STAGE.tallest)) : this.designed;
    const viewBox = `0 0 ${this.width} ${height}`;
    const isNew = !this.isFitted; // the colours and letters are known from now on
    this.isFitted = true;
    if (!isNew && this.svg.getAttribute("viewBox") === viewBox) return;
    this.height = height;
    this.svg.setAttribute("viewBox", viewBox);
    this.paint();
  }

  /**
   * Draw the present state, settled, into another element; the sentence under it. isFirst: the
   * state of the start, veiled, so that it holds no answer that was shown since.
   */
  picture({ host, width, height, isFirst }) {
    const state = isFirst ? { ...this.first, veiled: true } : this.state;
    const figure = html(host, "figure", { class: `drawing stage ${this.play.name}` });
    const { layer } = canvasOf(figure, { viewBox: `0 0 ${width} ${height}`, width, height });
    const marks = this.play.layout(state, { width, height }, this.act);
    new Scene(layer, this.play.looks).show(
      marks.filter((mark) => !mark.focus),
      AT_ONCE,
    );
    return this.play.caption(state);
  }

  /** What the reader does with pointer and keys. */
  listen(signal) {
    const { svg } = this;
    const options = { signal };
    svg.addEventListener("pointerdown", (event) => this.press(event), options);
    svg.addEventListener("pointermove", (event) => this.move(event), options);
    for (const end of ["pointerup", "pointercancel"])
      svg.addEventListener(end, () => this.release(), options);
    keys(svg, (key, event) => this.key(key, event));
    // Page Down, too, which the drawing does not hear.
    const forgive = ({ key }) => key === "Enter" || this.forgive();
    window.addEventListener("keydown", forgive, { ...options, capture: true });
    svg.addEventListener("blur", () => this.forgive(), options);
    const picture = ({ detail }) => {
      detail.caption = this.picture(detail);
    };
    this.figure.addEventListener("demo-picture", picture, options);
  }

  press(event) {
    this.catchUp();
    const mark = this.scene.markOf(event.target);
    if (!mark?.pick && !mark?.drag) return;
    const point = place(this.svg, event);
    mark.pick?.(point, event);
    if (!mark.drag) return;
    this.remember(false);
    this.held = mark.id;
    this.svg.setPointerCapture(event.pointerId);
    this.svg.focus({ preventScroll: true });
    event.preventDefault();
  }

  move(event) {
    this.catchUp();
    if (this.held === null) {
      if (event.buttons === 0)
        this.scene.markOf(event.target)?.hover?.(place(this.svg, event), event);
      return;
    }
    this.scene.things.get(this.held)?.mark.drag(place(this.svg, event), event);
  }

  release() {
    this.held = null;
  }

  /** True if the key means something here. */
  key(key, event) {
    this.catchUp();
    if (key === "Enter" && this.whatNext()) {
      if (!event?.repeat) this.enter(); // held, it would run past the answers
      return true;
    }
    const { state, width, height } = this;
    const changes = this.play.keys?.(state, key, event, this.act, { width, height });
    if (!changes) return false;
    this.change(changes);
    return true;
  }

  /** Follow the model, the size of the room and the theme. */
  follow(signal) {
    const listen = () => {
      if (this.isOurs) return;
      this.isBehind = true;
      this.redraw();
    };
    this.model.on("change", listen);
    for (const [name, names] of Object.entries(this.play.forget ?? {}))
      this.model.on(`change:${name}`, () => this.forget(names));
    this.model.on("msg:custom", ({ type }) => {
      if (type === "reset") this.reset();
    });
    const size = new ResizeObserver(() => this.fit());
    size.observe(this.svg);
    const theme = new MutationObserver(() => this.paint());
    theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    const full = () => this.fit();
    document.addEventListener("fullscreenchange", full, { signal });
    const letters = () => this.resay();
    document.fonts.addEventListener("loadingdone", letters, { signal });
    signal.addEventListener("abort", () => {
      this.model.off("change", listen);
      size.disconnect();
      theme.disconnect();
    });
  }
}

/** A widget's module that is one drawing. */
export const demo = (play) => ({
  render(given) {
    const made = stage(given, play);
    play.staged?.(made, given.model);
  },
});

/** Put a drawing on the stage; answers with it. */
export function stage({ model, el, signal }, play) {
  const made = new Stage({ model, el }, play);
  setAttributes(made.svg, { viewBox: `0 0 ${made.width} ${made.height}` });
  made.listen(signal);
  made.follow(signal);
  made.paint();
  return made;
}
