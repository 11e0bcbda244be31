import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { look } from "../../lib/widgets/patches.mjs";

const { tokens, cases } = JSON.parse(readFileSync(new URL("golden/patches.json", import.meta.url)));

test("the row of a patch, its largest weight and its own agree with lib", () => {
  // Weights in proportion to (1 + key) for query 0, and shifted by one key for each query after it.
  const weights = Float32Array.from({ length: tokens ** 2 }, (_, i) => {
    const query = Math.floor(i / tokens);
    const key = i % tokens;
    return (1 + ((key + query) % tokens)) / ((tokens * (tokens + 1)) / 2);
  });
  for (const { patch, most, largest, own, sum } of cases) {
    const seen = look(weights, patch);
    assert.deepEqual(seen.most, most);
    assert.ok(Math.abs(seen.largest - largest) < 1e-7 && Math.abs(seen.own - own) < 1e-7);
    assert.ok(Math.abs(seen.shares.reduce((total, share) => total + share, 0) - sum) < 1e-5);
  }
});
