import assert from "node:assert/strict";
import test from "node:test";
import { pieces } from "./formula.mjs";
import { answer, STAGE, widthOf } from "./lettering.mjs";
import { inkOn, kindOf } from "./marks.mjs";
import { ease, numbersAt, numbersOf } from "./scene.mjs";

const thing = { mark: { delay: 100, glide: 200 }, start: { x: 0 }, goal: { x: 10 } };

test("a thing waits, glides slow-fast-slow and stays where it has arrived", () => {
  assert.deepEqual(numbersAt(thing, 50), { now: { x: 0 }, done: false });
  assert.equal(numbersAt(thing, 200).now.x, 5);
  assert.deepEqual(numbersAt(thing, 300), { now: { x: 10 }, done: true });
  assert.deepEqual(numbersAt(thing, Number.POSITIVE_INFINITY), { now: { x: 10 }, done: true });
  assert.ok(ease(0.1) < 0.1 && ease(0.9) > 0.9);
});

test("what leaves does not wait, unless for what takes its place", () => {
  const leaving = { ...thing, leaving: true, start: { o: 1 }, goal: { o: 0 } };
  assert.ok(numbersAt(leaving, 95).now.o < 1);
  assert.equal(numbersAt({ ...leaving, wait: 100 }, 95).now.o, 1);
});

test("a mark is seen to be what it has", () => {
  assert.equal(kindOf({ x: 1, y: 2, text: "it" }), "text");
  assert.equal(kindOf({ x: 1, y: 2, w: 3, h: 4 }), "rect");
  assert.equal(kindOf({ x: 1, y: 2, r: 3 }), "circle");
  assert.equal(kindOf({ d: () => "" }), "path");
  assert.equal(kindOf({ w: 3, h: 4, draw: () => {} }), "canvas");
  assert.equal(kindOf({ kind: "cell", w: 3 }), "cell");
  assert.deepEqual(numbersOf({ id: "a", x: 3, text: "5" }), { o: 1, x: 3 });
});

test("symbols are found in a sentence, and other words are left alone", () => {
  const found = pieces("scores ÷ √d_k, W_Q and my_word").map(({ text, kind }) => [text, kind]);
  assert.deepEqual(found, [
    ["scores ÷ ", "plain"],
    ["√", "plain"],
    ["d", "symbol"],
    ["k", "low"],
    [", ", "plain"],
    ["W", "symbol"],
    ["Q", "low"],
    [" and my_word", "plain"],
  ]);
  assert.ok(pieces("÷ √d_k")[2].under, "the bar of the root stands over d_k");
  assert.deepEqual(pieces("Q K^T").at(-1).kind, "high");
  assert.equal(pieces("e^\u2212\u221e = 0")[1].text, "\u2212\u221e");
});

test("digits on a weight take the other ink where the weight is dark", () => {
  assert.notEqual(inkOn(0.1), inkOn(1));
});

test("the answer is the largest, fits its room, and is veiled until it is asked for", () => {
  const format = (number) => number.toLocaleString("en");
  const shown = answer({ number: 1936000, format, label: "scores", before: 121 }, {});
  const [mark] = shown;
  assert.ok(widthOf(format(mark.number), mark.size) <= 330 && mark.x === STAGE.width);
  assert.ok(shown.some(({ text }) => text === "before: 121"));
  const veiled = answer({ number: 5, format, label: "scores", veiled: true }, {});
  assert.ok(veiled.every(({ text, number }) => number === undefined && !text.includes("5")));
  assert.equal(answer({ number: 5, format, label: "", before: 5 }, {}).length, 2, "no ghost");
});
