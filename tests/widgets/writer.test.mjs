import assert from "node:assert/strict";
import test from "node:test";
import { firstLine, wide, wrap } from "../../lib/widgets/writer.mjs";

const sentence = "the animal didn't cross the street because it was too tired <end>".split(" ");

test("words stand side by side, in order, within the line", () => {
  for (const words of [
    sentence,
    [...sentence, ...sentence, ...sentence],
    ["?"],
    ["i", "m", "supercalifragilistic\u2026"],
  ]) {
    const places = wrap(words, 406);
    assert.equal(places.length, words.length);
    assert.deepEqual(places[0].slice(0, 2), [0, 0]);
    places.forEach(([line, x, width], i) => {
      assert.ok(x + width <= 406 && width >= 36, "there is room for the digits");
      const [before, left, wide] = places[i - 1] ?? [0, -4, 0];
      assert.ok(line === before ? x >= left + wide + 4 : line === before + 1 && x === 0);
    });
  }
  assert.equal(wrap(sentence, 406).at(-1)[0], 1, "the sentence of the course takes two lines");
});

test("a word longer than the line stays within it", () => {
  assert.deepEqual(wrap(["a", "m".repeat(50), "b"], 100), [
    [0, 0, 36],
    [1, 0, 100],
    [2, 0, 36],
  ]);
});

test("wide letters take more room", () =>
  assert.ok(wide("mmm") > wide("ooo") && wide("ooo") > wide("rrr") && wide("rrr") > wide("iii")));

test("the line that is looked at is among the three shown", () => {
  for (let lines = 1; lines < 9; lines++)
    for (let seen = 0; seen < lines; seen++) {
      const first = firstLine(seen, lines);
      assert.ok(first >= 0 && first <= seen && seen < first + 3);
      assert.ok(lines < 3 || first + 3 <= lines);
    }
  assert.equal(firstLine(0, 1), 0);
});
