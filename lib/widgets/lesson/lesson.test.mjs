import assert from "node:assert/strict";
import test from "node:test";
import { nextPlace, placeOf } from "../frame/lesson_order.mjs";
import { placeAfter, shortTitle } from "../frame/overview.mjs";
import { orderOf } from "./lesson.mjs";

test("steps without a demo have no place in the clicker's order", () => {
  assert.deepEqual(orderOf([{ demo: "Bars" }, { demo: "" }, { demo: "Heads" }]), ["Bars", "Heads"]);
});

test("a demo that comes twice leads on from where the lesson is", () => {
  const demos = ["Translator", "Bars", "Translator", "Heads"];
  assert.equal(placeOf(demos, "Translator", 2), 2);
  assert.equal(placeOf(demos, "Translator", 3), 0);
  assert.equal(nextPlace(demos, "Translator", 2, 1), 3);
  assert.equal(nextPlace(demos, "Translator", 0, 1), 1);
  assert.equal(nextPlace(demos, "Translator", 0, -1), -1);
});

test("from a demo that is not of the lesson the clicker goes on, or back to the last one", () => {
  const demos = ["Translator", "Bars", "Heads"];
  assert.equal(nextPlace(demos, "Patches", 1, 1), 2);
  assert.equal(nextPlace(demos, "Patches", 1, -1), 1);
});

test("arrow keys stay inside the overview", () => {
  assert.equal(placeAfter("ArrowRight", 0, 7), 1);
  assert.equal(placeAfter("ArrowDown", 5, 7), 6);
  assert.equal(placeAfter("ArrowDown", 6, 7), 6);
  assert.equal(placeAfter("ArrowUp", 0, 7), 0);
  assert.equal(placeAfter("End", 2, 7), 6);
  assert.equal(placeAfter("Home", 5, 7), 0);
  assert.equal(placeAfter("PageDown", 5, 7), 6);
  assert.equal(placeAfter("x", 5, 7), null);
});

test("a title is shortened to its first words", () => {
  assert.equal(shortTitle("Softmax: scores become shares"), "Softmax");
  assert.equal(shortTitle("A Transformer translates, and shows where"), "A Transformer translates");
  assert.equal(shortTitle("Attention, step by step"), "Attention, step by step");
});
