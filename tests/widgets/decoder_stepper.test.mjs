import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fit, inCell, layout, tell, wide } from "../../lib/widgets/decoder_stepper.mjs";

const { source, tokens, rows, texts } = JSON.parse(
  readFileSync(new URL("golden/decoder_stepper.json", import.meta.url)),
);

test("a row is told as lib computes it", () => {
  for (const [row, text] of texts.entries())
    assert.equal(tell(row, tokens, source, rows[row]), text);
});

test("every table fits, from one word to twelve", () => {
  for (let T = 1; T <= 12; T++)
    for (let S = 1; S <= 12; S++) {
      const { own, cross, high, second, chip } = layout(T, S);
      assert.ok(
        second + S * cross <= 480 &&
          90 + T * own < second &&
          57 + (T + 1) * high <= 219 &&
          54 + S * chip <= 620,
      );
      assert.ok(high >= 12 && own >= 20 && cross >= 8);
    }
});

test("tokens and digits are cut to their room", () => {
  assert.equal(fit("fatigué", 54), "fatigué");
  assert.equal(fit("<start>", 54), "<start>");
  for (const token of ["supercalifragilistic", "动物太累了，没有过马路", "🙂".repeat(200)])
    assert.ok(wide(fit(token, 54)) <= 62);
  assert.deepEqual(
    [31, 22, 12].map((width) => inCell(0.87, width)),
    ["0.87", ".87", ""],
  );
  assert.deepEqual([inCell(1, 22), inCell(0, 22)], ["1.0", ".00"]);
});
