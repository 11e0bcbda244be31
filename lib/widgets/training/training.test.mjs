import assert from "node:assert/strict";
import test from "node:test";
import { caption, crossing, keysOf, layout, reading, WIDTH } from "./training.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const ROOM = { width: WIDTH, height: 456 };
const EMPTY = {
  names: ["loss", "right"],
  tops: [0, 1],
  x: [],
  ys: [[], []],
  texts: [],
  length: 400,
  goal: true,
  axis: "step",
  waiting: "Press train to start.",
  left: "",
  here: null,
  veiled: false,
  before: null,
};
const TRAINED = {
  ...EMPTY,
  x: [25, 50, 75],
  ys: [
    [4, 1, 0.5],
    [0.1, 0.99, 1],
  ],
  texts: ["la la", "l'animal", "l'animal n'a pas traversé la rue parce qu'il était trop fatigué"],
};
const ids = (state) => layout(state, ROOM, {}).map(({ id }) => id);

test("everything stands in the room, and no text on another", () => {
  const race = { ...TRAINED, names: ["with the scale", "without the scale"], tops: [1, 1] };
  for (const state of [EMPTY, TRAINED, { ...TRAINED, here: 0 }, race]) {
    const marks = layout(state, ROOM, {});
    assert.deepEqual([outside(marks, ROOM), overlaps(marks), twins(marks)], [[], [], []]);
  }
});

test("before the first step nothing says how many there will be", () => {
  const texts = layout(EMPTY, ROOM, {}).map(({ text }) => text);
  assert.ok(!texts.some((text) => text?.includes("400") || /^\d/.test(text ?? "")));
  assert.equal(caption(EMPTY), "Press train to start.");
});

test("a flag stands where a share reaches 99 %, and the answer is that step", () => {
  assert.equal(crossing([25, 50], [0.5, 0.98]), null);
  assert.ok(ids(TRAINED).includes("flag 1") && !ids(TRAINED).includes("flag 0"));
  const answer = layout(TRAINED, ROOM, {}).find(({ id }) => id === "answer");
  assert.equal(answer.number, 50);
  assert.equal(
    layout({ ...TRAINED, here: 0 }, ROOM, {}).find(({ id }) => id === "answer").number,
    25,
  );
});

test("of one curve that is no share, the answer is what it has reached", () => {
  const bits = { ...TRAINED, names: ["bits"], tops: [0], ys: [[3.2, 1.953, 1.8861]] };
  const answer = layout(bits, ROOM, {}).find(({ id }) => id === "answer");
  assert.equal(answer.number, 1.8861);
  assert.equal(answer.format(answer.number), "1.886");
  assert.deepEqual(overlaps(layout(bits, ROOM, {})), []);
});

test("where no share can reach 99 %, nothing speaks of it", () => {
  for (const state of [EMPTY, TRAINED]) {
    const marks = layout({ ...state, goal: false }, ROOM, {});
    assert.ok(!marks.some(({ id }) => id.startsWith("goal") || id.startsWith("flag")));
    assert.ok(!marks.some(({ text }) => text?.includes("99 %")));
  }
  const answer = layout({ ...TRAINED, goal: false }, ROOM, {}).find(({ id }) => id === "answer");
  assert.equal(answer.number, 75, "the step of now");
});

test("two small losses can be told apart, and a share keeps three digits", () => {
  assert.deepEqual(
    [4, 0.5, 0.0312, 0.000312, 0.00000031, 0].map((loss) => reading(loss, 0)),
    ["4.000", "0.500", "0.0312", "0.000312", "0.000000", "0.000"],
  );
  assert.equal(reading(0.0312, 1), "0.031");
  const small = { ...TRAINED, ys: [[4, 1, 0.00312], TRAINED.ys[1]] };
  assert.equal(caption(small), "step 75: loss 0.00312, right 1.000");
  assert.deepEqual(overlaps(layout(small, ROOM, {})), []);
});

test("arrow keys walk along the steps, and Escape comes back to the newest", () => {
  assert.equal(keysOf(TRAINED, "ArrowLeft").here, 2);
  assert.equal(keysOf({ ...TRAINED, here: 2 }, "Home").here, 0);
  assert.equal(keysOf({ ...TRAINED, here: 2 }, "Escape").here, null);
  assert.equal(keysOf(EMPTY, "ArrowLeft"), null, "where there is nothing to walk along");
  assert.equal(caption({ ...TRAINED, here: 0 }), "step 25: loss 4.000, right 0.100");
  assert.match(caption({ ...TRAINED, left: "about 9 s left" }), /\(about 9 s left\)$/);
});
