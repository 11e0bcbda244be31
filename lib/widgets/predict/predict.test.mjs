import assert from "node:assert/strict";
import test from "node:test";
import { choiceOf, partOf, verdict } from "./predict.mjs";

const choices = ["the dog", "the cat"];

test("the verdict says what was said and what came out", () => {
  assert.equal(verdict({ choices, guess: 1, right: 1 }), "You said “the cat”, and so it came out.");
  assert.equal(
    verdict({ choices, guess: 0, right: 1 }),
    "You said “the dog”. It came out: “the cat”.",
  );
});

test("a choice with braces is written as it is", () => {
  const sentence = verdict({ choices: ["{right}", "{guess}"], guess: 0, right: 1 });
  assert.equal(sentence, "You said “{right}”. It came out: “{guess}”.");
});

test("a digit means a choice, if there is one of that number", () => {
  assert.deepEqual(
    ["1", "3", "4", "0", "a", "F1", "Enter", "12"].map((key) => choiceOf(key, 3)),
    [0, 2, -1, -1, -1, -1, -1, -1],
  );
});

test("a choice has a part only when something was said", () => {
  const parts = (guess) => [0, 1, 2].map((i) => partOf(i, { guess, right: 2 }));
  assert.deepEqual(parts(-1), ["", "", ""]);
  assert.deepEqual(parts(0), ["wrong", "other", "right"]);
  assert.deepEqual(parts(2), ["other", "other", "right"]);
});
