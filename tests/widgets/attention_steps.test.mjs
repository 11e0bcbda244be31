import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { spellProduct, spellSoftmax } from "../../lib/widgets/attention_steps.mjs";

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
