import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  cellAt,
  corner,
  fit,
  largest,
  layout,
  weightsOf,
  written,
} from "../../lib/widgets/attention_map.mjs";

const golden = JSON.parse(readFileSync(new URL("golden/attention_map.json", import.meta.url)));
const wide = (text) => 7 * [...text].length;
const words = (count, letters = 6) => Array.from({ length: count }, () => "w".repeat(letters));

test("weights arrive as Python sent them, exact or in 255 steps", () => {
  const [H, T, S] = golden.shape;
  for (const [bytes, tolerance] of [
    [golden.float32, 1e-7],
    [golden.uint8, golden.top / 509],
  ]) {
    const padded = new Uint8Array([9, ...bytes]);
    const [weights, unit] = weightsOf(new DataView(padded.buffer, 1), H * T * S, golden.top);
    for (const [i, weight] of golden.weights.entries())
      assert.ok(Math.abs(weights[i] * unit - weight) <= tolerance, `${i}: ${weight}`);
    for (const [row, key] of golden.largest.entries())
      assert.equal(largest(weights, row * S, S), key);
  }
});

test("every picture fits, and a cell is found again where it was put", () => {
  for (const heads of [1, 2, 3, 4, 8, 12, 16])
    for (const [T, S] of [
      [1, 1],
      [4, 6],
      [11, 11],
      [16, 16],
      [64, 64],
      [128, 128],
      [3, 128],
      [128, 2],
    ])
      for (const letters of [1, 6, 200]) {
        const plan = layout(heads, words(T, letters), words(S, letters), heads > 1, wide);
        const { cellWidth, cellHeight } = plan;
        const [x, y] = corner(plan, heads - 1);
        const [right] = corner(plan, Math.min(heads, plan.columns) - 1);
        assert.ok(
          right + cellWidth * S <= 440 &&
            y + cellHeight * T <= 240 &&
            cellWidth > 0.1 &&
            cellHeight > 0.1,
          `${heads} ${T} ${S} ${letters}`,
        );
        assert.ok(!plan.rowLabels || cellHeight >= 12, "labels do not overlap");
        const inLast = [x + cellWidth * (S - 0.5), y + cellHeight * (T - 0.5)];
        assert.deepEqual(cellAt(plan, ...inLast), [heads - 1, T - 1, S - 1]);
        assert.equal(cellAt(plan, plan.left - 1, plan.top + 1), null);
        assert.equal(cellAt(plan, x + cellWidth * S + 1, y + 0.1), null);
      }
});

test("the course's sentence has its labels, in one map and beside another", () => {
  const sentence = "The animal didn't cross the street because it was too tired".split(" ");
  const plan = layout(1, sentence, sentence, false, wide);
  assert.ok(plan.rowLabels && plan.turn === 45 && plan.cellWidth >= 30);
  const start = sentence.slice(0, 8);
  assert.equal(layout(2, start, start, true, wide).rowLabels, true);
});

test("tokens are cut to their room, small weights keep their digits", () => {
  assert.equal(fit("street", 76, wide), "street");
  assert.equal([...fit("🙂".repeat(200), 76, wide)].length, 10);
  assert.deepEqual([0, 1, 0.4123, 0.00781, 0.00001].map(written), [
    "0.000",
    "1.000",
    "0.412",
    "0.0078",
    "<0.0001",
  ]);
});
