import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { path, spell, spellSum } from "../../lib/widgets/mask_painter.mjs";

const golden = JSON.parse(readFileSync(new URL("golden/mask_painter.json", import.meta.url)));

test("a weight is spelled out as lib computes it, before and after the softmax", () => {
  for (const { allowed, after, renormalise, texts } of golden.cases)
    for (const [j, text] of texts.entries())
      assert.equal(spell(golden.scores, allowed, j, after, renormalise), text);
});

test("an output is the sum of the values that have weight", () => {
  const { weights, values, output, text } = golden.sum;
  assert.equal(spellSum(weights, values, output), text);
  assert.equal(spellSum([0, 0], [1, 2], 0), "no weights, so 0");
});

test("a fast pointer paints the cells that it jumped over", () => {
  assert.deepEqual(path([0, 0], [0, 3]), [
    [0, 1],
    [0, 2],
    [0, 3],
  ]);
  assert.deepEqual(path([3, 3], [1, 1]), [
    [2, 2],
    [1, 1],
  ]);
  assert.deepEqual(path([2, 2], [2, 2]), []);
});
