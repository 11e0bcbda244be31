import assert from "node:assert/strict";
import test from "node:test";
import { caption, found, isCompared, keysOf, layout, rowsOf } from "./scaling_dial.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const ROOM = { width: 1216, height: 456 };
const FLAT = Array(16).fill(1 / 16);
const rowWith = (largest) => FLAT.map((_, i) => (i === 0 ? largest : (1 - largest) / 15));
const SHARP = rowWith(0.92);
const STATE = {
  scores: FLAT,
  weights: SHARP,
  divisor: "",
  done: 1,
  spreads: [1, 2.8, 4, 8, 22.6],
  rows: [0.15, 0.53, 0.68, 0.92, 1].map(rowWith),
  plain_rows: [0.15, 0.53, 0.68, 0.92, 1].map(rowWith),
  d_k: 64,
  sizes: [1, 8, 16, 64, 512],
  moved: true,
  here: null,
  veiled: false,
  before: null,
};
const ASKED = { ...STATE, done: 2 };
const FAR = {
  ...ASKED,
  divisor: "d_k",
  spreads: [1, 0.36, 0.25, 0.13, 0.04],
  rows: [0.15, 0.1, 0.09, 0.08, 0.07].map(rowWith),
};
const ROOT = {
  ...FAR,
  divisor: "\u221ad_k",
  spreads: [1, 1, 1, 1, 1],
  rows: [0.15, 0.21, 0.22, 0.22, 0.23].map(rowWith),
};
const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  const states = [STATE, ASKED, FAR, ROOT, { ...STATE, moved: false, done: 0 }];
  states.push(
    { ...ROOT, d_k: 1, divisor: "" },
    { ...FAR, divisor: "1.23457e-05" },
    { ...FAR, divisor: "log d_k" },
    { ...FAR, divisor: "1.23457e-05", rows: FAR.rows.map(() => FLAT) },
    { ...ROOT, d_k: 16 },
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

test("the veil hides the weights and the answer, not what was seen before", () => {
  const veiled = (before) => layout({ ...STATE, veiled: true, before }, ROOM, {});
  const marks = veiled({ ...STATE, d_k: 1, weights: FLAT });
  assert.ok(!marks.some(({ id }) => /^(weight|answer$)/.test(id)));
  assert.equal(marks.find(({ id }) => id === "before").w, FLAT[0] * ROOM.width);
  const unseen = veiled({ ...STATE, d_k: 1, veiled: true });
  assert.ok(!unseen.some(({ id }) => /before/.test(id)));
  const rows = layout({ ...ROOT, done: 1, veiled: true }, ROOM, {});
  assert.ok(!rows.some(({ id }) => /^(slice|largest|answer$)/.test(id)), "also of the rows");
});

test("the answer is the largest slice, which takes that share of the stage", () => {
  for (const weights of [SHARP, FLAT]) {
    const state = { ...STATE, weights };
    const [slice, told] = ["weight 0", "answer"].map((id) => find(state, id));
    assert.equal(told.number, weights[0]);
    assert.equal(slice.w, weights[0] * ROOM.width);
    const { x, w } = find(state, "weight 15");
    assert.ok(Math.abs(x + w - ROOM.width) < 1e-9, "all of them fill it");
  }
});

test("the largest before stays as an outline, at another d_k", () => {
  const flat = { ...STATE, d_k: 1, weights: FLAT };
  assert.ok(!find({ ...STATE, before: STATE }, "before"));
  const { x, w, y, h } = find(flat, "weight 0");
  const was = find({ ...STATE, before: flat }, "before");
  assert.deepEqual([was.x, was.w, was.y, was.h], [x, w, y, h]);
  assert.match(was.class, /inside/, "seen on the slice that is larger now");
  assert.equal(find({ ...flat, before: STATE }, "before").class, "ghost");
});

test("one row until it is asked what divides; then three, a veil where they are divided", () => {
  assert.deepEqual([STATE, ASKED, FAR].map(isCompared), [false, true, true]);
  assert.ok(find(STATE, "weight 15") && !find(STATE, "slice plain 0 0"));
  assert.ok(find(ASKED, "slice plain 2 15") && find(ASKED, "veil"));
  assert.ok(!find(ASKED, "slice divided 0 0") && find(FAR, "slice divided 0 0"));
  assert.ok(!find(FAR, "veil"), "what was tried is seen");
});

test("the row that is nearest to the dial is the dial's, and none is louder", () => {
  const at = (d_k) => rowsOf({ d_k });
  assert.deepEqual([at(8), at(64)], Array(2).fill([8, 64, 512]));
  assert.deepEqual(
    [at(1), at(16), at(384)],
    [
      [1, 64, 512],
      [16, 64, 512],
      [8, 64, 384],
    ],
  );
  const sizes = layout({ ...ROOT, d_k: 16 }, ROOM, {}).filter((mark) => /^size/.test(mark.id));
  assert.deepEqual(
    sizes.map((mark) => `${mark.text}${mark.class}`),
    ["16", "64", "512"],
  );
});

test("weights share a row, the largest in digits, without and with what divides", () => {
  for (const [name, slice, written] of [
    ["plain", "weight 0", "0.92"],
    ["divided", "slice divided 1 0", "0.08"],
  ]) {
    const { number, format } = find(FAR, `largest ${name}`);
    assert.equal(format(number), written);
    assert.ok(Math.abs(find(FAR, slice).w / 436 - number) < 1e-9, "the row alone goes there");
  }
});

test("where all would be equal there is a line in each row", () => {
  const { x, toX } = find(FAR, "equal");
  const first = find({ ...FAR, rows: FAR.rows.map(() => FLAT) }, "slice divided 0 0");
  assert.ok(Math.abs(x - first.x - first.w) < 1e-9 && toX === x);
  assert.equal(find(FAR, "equal name").text, "all equal: 0.06");
  assert.ok(!find(ASKED, "equal"), "of what is divided");
});

test("what was hidden grows out of the weights before, or of those that are not divided", () => {
  const flat = { ...STATE, d_k: 1, weights: FLAT };
  const { from } = find({ ...STATE, before: flat }, "weight 0");
  assert.deepEqual([from.w, from.tint], [find(flat, "weight 0").w, 1]);
  const divided = find(FAR, "slice divided 1 0");
  assert.ok(divided.from.w === find(FAR, "weight 0").w && divided.from.w > divided.w);
});

test("the answer is what keeps the rows alike, else what becomes of the largest weight", () => {
  assert.deepEqual([STATE, ASKED, FAR, ROOT].map(found), [null, null, null, "\u221ad_k"]);
  const eight = { ...ROOT, divisor: "8", spreads: ASKED.spreads.map((spread) => spread / 8) };
  assert.equal(found(eight), null, "a number that is right for one d_k");
  const told = (state) => ["answer", "answer-label"].map((id) => find(state, id)?.text);
  assert.equal(find(STATE, "answer").number, 0.92);
  assert.ok(find(ASKED, "answer-veil"));
  assert.deepEqual(told(FAR), ["not d_k", "0.10 sinks to 0.07"]);
  assert.deepEqual(told(eight), ["not 8", "0.21 grows to 0.23"]);
  assert.deepEqual(told(ROOT), ["\u221ad_k", "keeps the rows alike"]);
  assert.deepEqual(told({ ...ROOT, d_k: 1 }), ["\u221ad_k", "0.15 grows to 0.23"]);
  const none = { ...FAR, rows: FAR.rows.map(() => FLAT) };
  assert.ok(find(none, "answer-veil"), "alike, since nothing is left of the scores");
});

test("the sentence and the keys speak of the row, then of the spread", () => {
  assert.equal(caption({ ...STATE, here: 1 }), "Weight 2 of 16: score 0.06 \u2192 weight 0.0053.");
  assert.equal(find({ ...STATE, here: 1 }, "weight 1").class, "slice here");
  assert.match(caption(STATE), /^The 16 weights of the median query/);
  for (const state of [ASKED, FAR]) assert.match(caption(state), /^Each row: the 16 weights/);
  assert.match(caption({ ...STATE, veiled: true }), /^Predict first/);
  assert.deepEqual(keysOf(STATE, "ArrowRight"), { here: 0 });
  assert.equal(keysOf(ROOT, "ArrowRight"), null);
});
