import assert from "node:assert/strict";
import test from "node:test";
import { caption, few, found, isPlot, keysOf, layout } from "./scaling_dial.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const ROOM = { width: 1216, height: 456 };
const FLAT = Array(16).fill(1 / 16);
const SHARP = FLAT.map((_, i) => (i === 0 ? 0.92 : 0.08 / 15));
const STATE = {
  scores: FLAT,
  weights: SHARP,
  divisor: "",
  done: 1,
  spreads: [1, 2.8, 4, 8, 22.6],
  plain_spreads: [1, 2.8, 4, 8, 22.6],
  d_k: 64,
  sizes: [1, 8, 16, 64, 512],
  saturated: 0.29,
  moved: true,
  here: null,
  veiled: false,
  before: null,
};
const ASKED = { ...STATE, done: 2 };
const WIDE = [1, 0.36, 0.25, 0.13, 0.04];
const FAR = { ...ASKED, divisor: "d_k", spreads: WIDE, weights: FLAT, before: ASKED };
const ROOT = { ...FAR, divisor: "\u221ad_k", spreads: [1, 1, 1, 1, 1], before: FAR };
const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  const states = [STATE, ASKED, FAR, ROOT, { ...STATE, moved: false, done: 0 }];
  const log = "log d_k";
  states.push(
    { ...ROOT, d_k: 1, divisor: "" },
    { ...FAR, divisor: log, spreads: [1, 1.4, 1.5, 1.9, 3.6] },
    { ...FAR, divisor: "0.001", spreads: ASKED.spreads.map((spread) => 1000 * spread) },
    { ...FAR, divisor: "1.1", spreads: ASKED.spreads.map((spread) => spread / 1.1) },
    { ...ROOT, d_k: 512 },
    { ...ROOT, veiled: true, done: 1 },
    { ...STATE, before: { ...STATE, weights: FLAT, d_k: 1 } },
    { ...STATE, veiled: true },
    { ...STATE, here: 0 },
    { ...STATE, here: 14 },
  );
  for (const room of [ROOM, { ...ROOM, height: 700 }])
    for (const state of states) {
      const marks = layout(state, room, {});
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
    }
});

test("the veil hides the weights and the answer", () => {
  const marks = layout({ ...STATE, veiled: true, before: { ...STATE, d_k: 1 } }, ROOM, {});
  assert.ok(!marks.some(({ id }) => /^(weight|before|answer$)/.test(id)));
  const lines = layout({ ...ROOT, done: 1, veiled: true }, ROOM, {});
  assert.ok(!lines.some(({ id }) => /^(plain|divided|answer$)/.test(id)), "also of the lines");
});

test("the answer is the largest bar and stands beside it, on no line", () => {
  for (const weights of [SHARP, FLAT]) {
    const state = { ...STATE, weights };
    const [bar, told, top] = ["weight 0", "answer", "row top"].map((id) => find(state, id));
    assert.equal(told.number, weights[0]);
    assert.ok(told.x - 320 >= bar.x + bar.w && top.x + top.w < told.x - 320);
  }
});

test("the weights before stay as an outline, at another d_k", () => {
  const flat = { ...STATE, d_k: 1, weights: FLAT };
  const turned = { ...STATE, before: flat };
  assert.ok(!find({ ...STATE, before: STATE }, "before"));
  const { y } = find(flat, "weight 3"); // so high were they
  assert.ok(find(turned, "before").d().includes(`V${y}h`));
  assert.equal(find(turned, "before name").text, "dashed: d_k = 1");
});

test("beside the lines the weights stand, the largest in digits, as they are divided", () => {
  for (const [state, written] of [
    [ASKED, "0.92"],
    [FAR, "0.06"],
  ]) {
    const { number, format, x } = find(state, "largest");
    assert.equal(format(number), written);
    assert.ok(x > find(state, "plain name").x && find(state, "weight 15"));
  }
});

test("a row until it is asked what divides; then lines", () => {
  assert.deepEqual([STATE, ASKED, FAR].map(isPlot), [false, true, true]);
  assert.ok(!find(STATE, "plain line") && find(ASKED, "plain line"));
  assert.ok(!find(ASKED, "divided line") && find(FAR, "divided line"));
});

test("the answer is what keeps the spread, and ? until then", () => {
  assert.deepEqual([STATE, ASKED, FAR, ROOT].map(found), [null, null, null, "\u221ad_k"]);
  const eight = { ...ROOT, divisor: "8", spreads: ASKED.spreads.map((spread) => spread / 8) };
  assert.equal(found(eight), null, "a number that is right for one d_k");
  assert.equal(find(STATE, "answer").number, 0.92);
  assert.ok(find(ASKED, "answer-veil") && find(FAR, "answer-veil"));
  assert.equal(find(ROOT, "answer").text, "\u221ad_k");
});

test("the dial stands on both lines, and they begin at one height", () => {
  const at = ({ x, y }) => [x, y];
  const [plain, divided] = ["plain dot", "divided dot"].map((id) => find(ROOT, id));
  assert.ok(plain.x === divided.x && plain.y < divided.y);
  const both = { ...ROOT, d_k: 1 };
  assert.deepEqual(at(find(both, "plain dot")), at(find(both, "divided dot")));
  assert.ok(!find({ ...ROOT, divisor: "" }, "divided line"), "one line for what is one");
});

test("not divided the spread rises, by d_k it falls, and the root's line is level", () => {
  const ends = (state, name) => {
    const line = find(state, `${name} line`);
    const points = line
      .d(line)
      .match(/-?[\d.]+,-?[\d.]+/g)
      .map((point) => point.split(",").map(Number));
    return points.at(0)[1] - points.at(-1)[1];
  };
  assert.ok(ends(ROOT, "plain") > 50 && ends(FAR, "divided") < -50);
  assert.equal(ends(ROOT, "divided"), 0);
});

test("the sentence and the keys speak of the row, then of the lines", () => {
  assert.equal(caption(STATE), "29 of 100 queries give nearly all to one key: more than 0.99.");
  assert.equal(caption({ ...STATE, here: 1 }), "Weight 2 of 16: score 0.06 \u2192 weight 0.0053.");
  assert.equal(find({ ...STATE, here: 1 }, "weight 1").class, "weight here");
  assert.equal(caption(ASKED), "At d_k = 64 the scores spread 8.00.");
  assert.match(caption(FAR), /spread 8\.00; \u00f7 d_k they spread 0\.13\.$/);
  assert.match(caption({ ...STATE, veiled: true }), /^Predict first/);
  for (const state of [STATE, ROOT])
    assert.deepEqual(keysOf(state, "ArrowRight"), { here: 0 }, "alone and beside the lines");
  assert.match(caption({ ...ROOT, here: 0 }), /^Weight 1 of 16/);
  assert.deepEqual([0.5, 0.997, 1].map(few), ["0.50", "0.997", "1.00"]);
});
