import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { angle, cosine, dot, length, shadow } from "../../lib/widgets/arrows.mjs";

const cases = JSON.parse(readFileSync(new URL("golden/arrows.json", import.meta.url)));
function near(actual, expected) {
  if (expected === null) assert.equal(actual, null);
  else assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test("dot, length, shadow, cosine and angle agree with NumPy", () => {
  for (const { q, k, ...expected } of cases) {
    near(dot(q, k), expected.dot);
    near(length(k), expected.length);
    near(shadow(q, k), expected.shadow);
    near(cosine(q, k), expected.cosine);
    near(angle(q, k), expected.angle);
  }
});
