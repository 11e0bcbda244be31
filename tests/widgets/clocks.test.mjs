import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, product, turnTo } from "../../lib/widgets/clocks.mjs";

const cases = JSON.parse(readFileSync(new URL("golden/clocks.json", import.meta.url)));

function near(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test("hands and products agree with lib.positions", () => {
  for (const { p: position, k: distance, d_model: dModel, ...expected } of cases) {
    for (const [i, x] of expected.encoding.entries())
      near(hand(position, Math.floor(i / 2), dModel)[i % 2], x);
    near(product(position, distance, dModel), expected.product);
  }
});

test("a dragged hand goes the short way round", () => {
  near(turnTo(3, 3.5), 3.5);
  near(turnTo(6.2, 0.1), 0.1 + 2 * Math.PI);
  near(turnTo(2 * Math.PI + 0.1, -0.1), 2 * Math.PI - 0.1);
  near(turnTo(97, 97 - 30 * Math.PI + 0.5), 97.5);
});
