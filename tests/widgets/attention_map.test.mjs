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
    golden.weights.forEach((weight, i) =>
      assert.ok(Math.abs(weights[i] * unit - weight) <= tolerance, `${i}: ${weight}`),
    );
    golden.largest.forEach((key, row) => assert.equal(largest(weights, row * S, S), key));
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
        const g = layout(heads, words(T, letters), words(S, letters), heads > 1, wide);
        const [x, y] = corner(g, heads - 1);
        const [right] = corner(g, Math.min(heads, g.columns) - 1);
        assert.ok(
          right + g.w * S <= 440 && y + g.h * T <= 240 && g.w > 0.1 && g.h > 0.1,
          `${heads} ${T} ${S} ${letters}`,
        );
        assert.ok(!g.rowLabels || g.h >= 12, "labels do not overlap");
        assert.deepEqual(cellAt(g, x + g.w * (S - 0.5), y + g.h * (T - 0.5)), [
          heads - 1,
          T - 1,
          S - 1,
        ]);
        assert.equal(cellAt(g, g.left - 1, g.top + 1), null);
        assert.equal(cellAt(g, x + g.w * S + 1, y + 0.1), null);
      }
});

test("the course's sentence has its labels, in one map and beside another", () => {
  const sentence = "The animal didn't cross the street because it was too tired".split(" ");
  const g = layout(1, sentence, sentence, false, wide);
  assert.ok(g.rowLabels && g.turn === 45 && g.w >= 30);
  assert.equal(layout(2, sentence.slice(0, 8), sentence.slice(0, 8), true, wide).rowLabels, true);
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
