import assert from "node:assert/strict";
import test from "node:test";
import { roundNumbers, scale, ticksAcross, ticksUpward } from "./axes.mjs";

const UPRIGHT = scale({ domain: [0, 5], range: [300, 100] });

test("a scale goes from numbers to pixels and back, also upwards", () => {
  assert.deepEqual([0, 2.5, 5].map(UPRIGHT.at), [300, 200, 100]);
  assert.deepEqual([300, 200, 100].map(UPRIGHT.back), [0, 2.5, 5]);
  assert.deepEqual([UPRIGHT.at(10), UPRIGHT.back(400)], [-100, -2.5], "and beyond its ends");
});

test("a clamped scale stays between its ends, both ways", () => {
  const clamped = scale({ domain: [0, 5], range: [300, 100], clamped: true });
  assert.deepEqual([-1, 9].map(clamped.at), [300, 100]);
  assert.deepEqual([999, 0].map(clamped.back), [0, 5]);
});

test("on a log scale each doubling is as far", () => {
  const dial = scale({ domain: [1, 512], range: [0, 900], log: true });
  assert.deepEqual([1, 2, 8, 512].map(dial.at), [0, 100, 300, 900]);
  assert.deepEqual([0, 100, 300, 900].map(dial.back), [1, 2, 8, 512]);
});

test("the numbers along an axis stand below their places, or beside them", () => {
  const across = scale({ domain: [-1, 1], range: [0, 200] });
  const [left, , right] = ticksAcross(across, [-1, 0, { value: 1, anchor: "end" }], 50);
  assert.deepEqual([left.id, left.text, left.x, left.y], ["tick -1", "\u22121", 0, 50]);
  assert.deepEqual([right.x, right.anchor], [200, "end"]);
  const [zero, most] = ticksUpward(UPRIGHT, [0, { value: 5, id: "most", text: "all" }], 40, {
    low: 8,
  });
  assert.deepEqual([zero.x, zero.y, zero.anchor], [40, 308, "end"]);
  assert.deepEqual([most.id, most.text, most.y], ["most", "all", 108]);
});

test("a rule lies at each number that goes up", () => {
  const marks = ticksUpward(UPRIGHT, [0, 5], 40, { name: "cosine", rule: { x: 50, w: 90, h: 2 } });
  assert.deepEqual(
    marks.map(({ id, y }) => [id, y]),
    [
      ["cosine 0", 309],
      ["cosine 5", 109],
      ["rule 0", 300],
      ["rule 5", 100],
    ],
  );
});

test("round steps are written along the axis", () => {
  assert.deepEqual(roundNumbers(400), [0, 100, 200, 300, 400]);
  assert.deepEqual(roundNumbers(700), [0, 200, 400, 600]);
  assert.deepEqual(roundNumbers(3), [0, 1, 2, 3]);
});
