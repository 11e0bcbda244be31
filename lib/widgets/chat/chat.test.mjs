import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { interrupt } from "../frame/interrupt.mjs";
import {
  caption,
  keysOf,
  layout,
  nextOf,
  placesOf,
  shown,
  spaced,
  spoken,
  weightOf,
  wrap,
} from "./chat.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const golden = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const OWN = { veiled: false, pinned: null, hovered: null, before: null };
const PARIS = { ...golden, ...OWN, looks: Uint8Array.from(golden.looks) };
const LOOKS = { ...PARIS, pinned: PARIS.aim }; // France is clicked
const VEILED = { ...PARIS, words: [" Paris"], looks: PARIS.looks.slice(0, 2700), veiled: true };
const ROOM = { width: 1216, height: 456 };
const none = { change: () => {}, ask: (message) => message, next: () => {} };

test("the newest token is not looked at", () => {
  assert.equal(placesOf(PARIS).length, PARIS.places.length + PARIS.words.length - 1);
  assert.equal(PARIS.looks.length, 270 * placesOf(PARIS).length);
});

test("the head of the picture gives France most, and the sentence says so", () => {
  const weight = weightOf(PARIS, 23, 4, PARIS.aim);
  assert.equal(
    caption(LOOKS),
    `Of 270 heads layer 24, head 5 gave \u201cFrance\u201d most: ${weight.toFixed(2)}.`,
  );
  assert.match(caption({ ...PARIS, pinned: 0 }), /^Layer 19, head 8 gave \u201cstart\u201d 1/);
  assert.match(caption(PARIS), /^Click a token/);
  const chosen = { ...PARIS, layer: 23, head: 4 };
  assert.match(caption({ ...chosen, pinned: 0 }), /^Layer 24, head 5 gave \u201cstart\u201d 0/);
});

test("a token with a space before it is told from the same one without", () => {
  assert.deepEqual([" Paris", "Paris"].map(spaced), ["\u2423Paris", "Paris"]);
  const texts = layout(PARIS, ROOM, none).map((mark) => mark.text);
  assert.ok(
    texts.includes("\u2423Paris") && texts.includes("what could come next (\u2423 is a space)"),
  );
});

test("a token is written without its space, a new line and the end have signs", () => {
  assert.deepEqual([" sky", "\n\n", "<|im_end|>", " "].map(shown), [
    "sky",
    "\u21b5\u21b5",
    "end",
    "\u21b5",
  ]);
});

test("the form of a chat is told by who speaks", () => {
  assert.deepEqual(spoken(["start", "form", " Why", "?", "form"]), [
    ...["start", "user:", " Why", "?", "assistant:"],
  ]);
  assert.deepEqual(spoken(["Go on"]), ["Go on"]);
});

test("the answer begins a line, and no line is wider than its room", () => {
  const words = Array.from({ length: 60 }, (_, i) => (i % 7 ? " some" : "thing"));
  const boxes = wrap(words, 20, 500);
  assert.equal(boxes[20].x, 0);
  assert.ok(boxes[20].line > boxes[19].line);
  assert.ok(boxes.every(({ x, w }) => x + w <= 500));
});

test("texts stand apart and inside, veiled or not, for long answers too", () => {
  const words = Array.from({ length: 70 }, (_, i) => [" word", " longer", ",", "\n"][i % 4]);
  const count = 270 * (PARIS.places.length + words.length - 1);
  const long = { ...PARIS, words, looks: new Uint8Array(count).fill(1) };
  for (const state of [PARIS, LOOKS, VEILED, long, { ...long, pinned: 3 }]) {
    const marks = layout(state, ROOM, none);
    assert.deepEqual([outside(marks, ROOM), overlaps(marks), twins(marks)], [[], [], []]);
  }
});

test("while it is veiled neither share nor look is seen", () => {
  const marks = layout(VEILED, ROOM, none);
  assert.ok(!marks.some(({ id }) => /^(share|cell|answer$)/.test(id)));
  assert.ok(!marks.some((mark) => mark.tint > 0));
});

test("the answer is alone until a token is clicked: no grid, no tint, no frame", () => {
  const looked = (state) =>
    layout(state, ROOM, none).filter(({ id, tint }) => /^(cell|aim)/.test(id) || tint > 0);
  assert.deepEqual(looked(PARIS), []);
  assert.ok(looked(LOOKS).some(({ id }) => id === "aim"));
  const bars = [PARIS, LOOKS].map((state) =>
    layout(state, ROOM, none).find(({ id }) => id === "bar 0"),
  );
  assert.ok(bars[0].w > 2 * bars[1].w);
});

test("arrow keys choose a head, the space bar writes", () => {
  assert.deepEqual(keysOf(PARIS, "ArrowRight", null, none), { head: 4, layer: 24, pinned: 7 });
  assert.deepEqual(keysOf(PARIS, "ArrowUp", null, none), { head: 3, layer: 23, pinned: 7 });
  assert.deepEqual(keysOf(PARIS, " ", null, none), { type: "write" });
  assert.equal(keysOf(PARIS, "Escape", null, none).layer, -1, "the one that gives most again");
  assert.equal(keysOf(VEILED, "ArrowRight", null, none), null);
});

test("Enter is Stop while it writes", () => {
  assert.equal(nextOf({ running: false }), null);
  assert.deepEqual(nextOf({ running: true }), { label: "Stop", act: interrupt });
});
