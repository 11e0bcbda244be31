import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { speak, spellProduct, spellSoftmax, phase } from "../../lib/widgets/attention_steps.mjs";

const { products, quotients } = JSON.parse(
  readFileSync(new URL("golden/attention_steps.json", import.meta.url)),
);

test("the sum of a cell is spelled out as lib computes it", () => {
  for (const { row, column, places, text } of products)
    assert.equal(spellProduct(row, column, places), text);
});

test("the quotient of a weight is spelled out, exactly 0 where masked", () => {
  for (const { row, i, text } of quotients)
    assert.equal(
      spellSoftmax(
        row.map((x) => x ?? -Infinity),
        i,
      ),
      text,
    );
});

test("the divisor is that of the keys that are there", () => {
  const square = [
    [4, -3],
    [0.5, 2],
  ];
  for (const [dK, root, after] of [
    [1, "1.00", "4.00"],
    [2, "1.41", "2.83"],
    [3, "1.73", "2.31"],
  ]) {
    const state = {
      step: 2,
      attention: "self",
      tokens: ["it", "was"],
      queries: ["it", "was"],
      numbers: {
        K: square.map(() => Array(dK).fill(1)),
        products: square,
        scaled: square.map((row) => row.map((x) => x / Math.sqrt(dK))),
      },
    };
    assert.equal(
      speak(
        phase((name) => state[name]),
        { part: "result", i: 0, j: 0 },
      ),
      `score(it, it) \u00f7 \u221ad_k = 4.00 \u00f7 \u221a${dK} = ` +
        `4.00 \u00f7 ${root} \u2248 ${after}`,
    );
  }
});
