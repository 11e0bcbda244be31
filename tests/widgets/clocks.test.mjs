import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, product, turnTo } from "../../lib/widgets/clocks.mjs";

const cases = JSON.parse(readFileSync(new URL("golden/clocks.json", import.meta.url)));
const near = (is, should) => assert.ok(Math.abs(is - should) < 1e-9, `${is} is not ${should}`);

test("hands and products agree with lib.positions", () => {
  for (const { p, k, d_model, encoding, product: expected } of cases) {
    encoding.forEach((x, i) => near(hand(p, Math.floor(i / 2), d_model)[i % 2], x));
    near(product(p, k, d_model), expected);
  }
});

test("a dragged hand goes the short way round", () => {
  near(turnTo(3, 3.5), 3.5);
  near(turnTo(6.2, 0.1), 0.1 + 2 * Math.PI);
  near(turnTo(2 * Math.PI + 0.1, -0.1), 2 * Math.PI - 0.1);
  near(turnTo(97, 97 - 30 * Math.PI + 0.5), 97.5);
});
