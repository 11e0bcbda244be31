import assert from "node:assert/strict";
import test from "node:test";
import { height } from "../../lib/widgets/training.mjs";

test("0 stands on the floor, the largest number at the top, and nothing leaves the picture", () => {
  const [floor, top] = [height(0, 2), height(2, 2)];
  assert.ok(top < floor);
  assert.equal(height(1, 2), (floor + top) / 2);
  assert.equal(height(9, 2), top);
  assert.equal(height(-1, 2), floor);
});
