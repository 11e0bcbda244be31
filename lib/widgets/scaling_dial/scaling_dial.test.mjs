import assert from "node:assert/strict";
import test from "node:test";
import { caption, few, found, isSplit, keysOf, layout } from "./scaling_dial.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const ROOM = { width: 1216, height: 456 };
const FLAT = Array(16).fill(1 / 16);
const SHARP = FLAT.map((_, i) => (i === 0 ? 0.92 : 0.08 / 15));
const STATE = {
  spread: 8,
  scores: FLAT,
  weights: SHARP,
  divisor: "",
  done: 1,
  plain: SHARP,
  plain_spread: 8,
  d_k: 64,
  sizes: [1, 8, 16, 64, 512],
  largest: [0.15, 0.53, 0.68, 0.92, 1],
  plain_largest: [0.15, 0.53, 0.68, 0.92, 1],
  saturated: 0.29,
  moved: true,
  here: null,
  veiled: false,
  before: null,
};
const ASKED = { ...STATE, done: 2 };
const FAR = { ...ASKED, divisor: "d_k", spread: 0.1, weights: FLAT, before: ASKED };
const ROOT = { ...FAR, divisor: "\u221ad_k", spread: 1, before: FAR };
const LEVEL = [0.15, 0.21, 0.22, 0.22, 0.23];
const STEADY = { ...ROOT, done: 5, d_k: 512, largest: LEVEL, before: ROOT };
const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  const states = [STATE, ASKED, FAR, ROOT, STEADY, { ...STATE, moved: false, done: 0 }];
  const log = "log d_k";
  states.push(
    { ...STEADY, veiled: true },
    { ...STEADY, d_k: 1, divisor: "" },
    { ...STEADY, divisor: log },
    { ...FAR, divisor: log, spread: 1.9 },
    { ...FAR, divisor: "0.001", spread: 8000 },
    { ...FAR, divisor: "1.1", spread: 7.3 },
    { ...STATE, before: { ...STATE, plain: FLAT, d_k: 1 } },
    { ...STATE, veiled: true },
    { ...ROOT, here: 0 },
    { ...ROOT, here: 14 },
  );
  for (const room of [ROOM, { ...ROOM, height: 700 }])
    for (const state of states) {
      const marks = layout(state, room, {});
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
    }
});

test("the veil hides the weights and the answer", () => {
  const marks = layout({ ...STATE, veiled: true, before: { ...STATE, d_k: 1 } }, ROOM, {});
  assert.ok(!marks.some(({ id }) => /^(weight|plain|before|answer$)/.test(id)));
});

test("the answer is the largest bar and stands beside it, on no line", () => {
  for (const plain of [SHARP, FLAT]) {
    const state = { ...STATE, plain };
    const [bar, told, top] = ["plain 0", "answer", "row top"].map((id) => find(state, id));
    assert.equal(told.number, plain[0]);
    assert.ok(told.x - 320 >= bar.x + bar.w && top.x + top.w < told.x - 320);
  }
});

test("the weights before stay as an outline, at another d_k", () => {
  const flat = { ...STATE, d_k: 1, plain: FLAT };
  const turned = { ...STATE, before: flat };
  assert.ok(!find({ ...STATE, before: STATE }, "before"));
  const { y } = find(flat, "plain 3"); // so high were they
  assert.ok(find(turned, "before").d().includes(`V${y}h`));
  assert.equal(find(turned, "before name").text, "dashed: d_k = 1");
});

test("the last veil hides how the lines go on", () => {
  const hidden = { ...STEADY, veiled: true };
  for (const name of ["plain", "divided"]) {
    assert.ok(find(hidden, `${name} line`) && !find(hidden, `${name} beyond`));
    assert.ok(!find(hidden, `${name} dot`), "where the dial stands tells it");
    assert.ok(find(STEADY, `${name} beyond`));
  }
  assert.equal(find(hidden, "answer-label").text, "0.22 \u2192 ?");
});

test("one row alone until something is to divide it, then both side by side", () => {
  assert.deepEqual([STATE, ASKED, FAR].map(isSplit), [false, true, true]);
  assert.ok(!find(STATE, "place") && find(ASKED, "place") && !find(FAR, "place"));
  const [alone, left, right] = [
    find(STATE, "plain 0"),
    find(FAR, "plain 0"),
    find(FAR, "weight 0"),
  ];
  assert.equal(alone.h, left.h, "the scale is the same");
  assert.ok(alone.w > 1.5 * left.w && left.w === right.w && right.x > left.x);
  assert.equal(right.from.x, left.x, "what is divided comes out of what is not");
});

test("the answer is what keeps the spread, and ? until then; at last whether it holds", () => {
  assert.deepEqual([STATE, ASKED, FAR, ROOT].map(found), [null, null, null, "\u221ad_k"]);
  assert.equal(find(STATE, "answer").number, 0.92);
  assert.ok(find(ASKED, "answer-veil") && find(FAR, "answer-veil"));
  assert.equal(find(ROOT, "answer").text, "\u221ad_k");
  const numbers = ["row spread", "divided spread"].map((id) => find(ROOT, id).number);
  assert.deepEqual(numbers, [8, 1]);
  assert.equal(find(STEADY, "answer").text, "yes");
  assert.equal(find(STEADY, "answer-label").text, "0.22 \u2192 0.23");
  const fading = [0.15, 0.1, 0.09, 0.08, 0.07];
  for (const largest of [STEADY.plain_largest, fading])
    assert.equal(find({ ...STEADY, largest }, "answer").text, "no");
});

test("the dial stands on both lines, and they begin at one height", () => {
  const at = ({ x, y }) => [x, y];
  const [plain, divided] = ["plain dot", "divided dot"].map((id) => find(STEADY, id));
  assert.ok(plain.x === divided.x && plain.y < divided.y);
  const both = { ...STEADY, d_k: 1 };
  assert.deepEqual(at(find(both, "plain dot")), at(find(both, "divided dot")));
  assert.ok(!find({ ...STEADY, divisor: "" }, "divided line"), "one line for what is one");
});

test("the ruler shows on one scale which try brings the spread back to 1", () => {
  const at = (state) => find(state, "divided dot").y;
  const [band, undivided] = ["near", "plain dot"].map((id) => find(ROOT, id));
  const isNear = (y) => band.y < y && y < band.y + band.h;
  assert.deepEqual([undivided.y, at(FAR), at(ROOT)].map(isNear), [false, false, true]);
  assert.ok(undivided.y < band.y && band.y < at(FAR));
  assert.equal(find(FAR, "plain dot").y, undivided.y);
  assert.equal(find(ROOT, "was").y, at(FAR), "the try before stays as an outline");
  assert.ok(!find(STATE, "ruler") && find(ASKED, "ruler") && !find(STEADY, "ruler"));
});

test("the sentence and the keys speak of the row that is divided", () => {
  assert.equal(caption(STATE), "29 of 100 queries give nearly all to one key: more than 0.99.");
  assert.equal(caption({ ...ROOT, here: 1 }), "Weight 2 of 16: score 0.06 \u2192 weight 0.0625.");
  assert.equal(find({ ...ROOT, here: 1 }, "weight 1").class, "weight here");
  assert.match(caption({ ...STATE, veiled: true }), /^Predict first/);
  assert.match(caption(STEADY), /from d_k = 8 on: the largest weight is 0\.21 to 0\.23\.$/);
  assert.equal(keysOf(STEADY, "ArrowRight"), null, "a line has no keys to choose");
  assert.deepEqual(keysOf(STATE, "ArrowRight"), { here: 0 });
  assert.deepEqual([0.5, 0.997, 1].map(few), ["0.50", "0.997", "1.00"]);
});
