import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { besides, onPlane } from "../../lib/widgets/depth.mjs";

const states = JSON.parse(readFileSync(new URL("golden/depth.json", import.meta.url)));

test("the plane keeps its proportions and points upwards", () => {
  assert.deepEqual(onPlane([0, 0]), [144, 120]);
  assert.ok(onPlane([0, 0.5])[1] < 120 && onPlane([0.5, 0])[0] > 144);
});

test("no name covers another, a dot or the edge, even when all dots are one", () => {
  for (const { tokens, points } of states) {
    const dots = points.map(onPlane);
    const widths = tokens.map((token) => 8 * token.length);
    const names = besides(dots, widths);
    names.forEach(([x, y], i) => {
      assert.ok(
        x - widths[i] / 2 >= 0 && x + widths[i] / 2 <= 288 && y >= 7 && y <= 233,
        `${tokens[i]} leaves the plane`,
      );
      for (const [dx, dy] of dots)
        assert.ok(
          Math.abs(dx - x) >= widths[i] / 2 || Math.abs(dy - y) >= 7,
          `${tokens[i]} covers a dot`,
        );
      for (let j = 0; j < i; j++)
        assert.ok(
          Math.abs(names[j][0] - x) >= (widths[i] + widths[j]) / 2 ||
            Math.abs(names[j][1] - y) >= 14,
          `${tokens[i]} covers ${tokens[j]}`,
        );
    });
  }
});
