import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { few, softmax } from "../../lib/widgets/bars.mjs";
import { barAt } from "../../lib/widgets/histogram.mjs";

const cases = JSON.parse(readFileSync(new URL("golden/bars.json", import.meta.url)));

test("the bars' softmax is that of lib, with one score standing for many keys", () => {
  for (const { scores, copies, weights } of cases)
    for (const [i, weight] of softmax(scores, copies).entries())
      assert.ok(Math.abs(weight - weights[i]) < 1e-12);
});

test("a small share is not written as nothing", () => {
  assert.deepEqual([0, 1e-9, 0.0018, 0.0265, 0.9978, 1].map(few), [
    "0.000",
    "<.001",
    "0.002",
    "0.03",
    "0.998",
    "1.000",
  ]);
});

test("the bar under the pointer, and the outermost ones beyond the ends", () => {
  assert.deepEqual(
    [0, 56, 440, 900, 248].map((x) => barAt(x, 56, 16)),
    [0, 0, 15, 15, 8],
  );
});
