import assert from "node:assert/strict";
import test from "node:test";
import { caption, keysOf, layout } from "./directions.mjs";
import { outside, overlaps, twins, writings } from "../../../tests/widgets/room.mjs";

const ROOMS = [456, 760].map((height) => ({ width: 1216, height }));
const ACT = { change() {}, next() {} };

const NARROW = {
  counts: [0, 2, 9, 3, 0],
  most: 9,
  angles: [88, 93, 91],
  degrees: 3.2,
  d: 512,
  here: null,
  veiled: false,
  before: null,
};
const WIDE = { ...NARROW, counts: [4, 1, 2, 5, 2], degrees: 52.6, d: 2 };
const MOVED = { ...NARROW, before: WIDE };
const VEILED = { ...MOVED, veiled: true };

const find = (state, id) => layout(state, ROOMS[0], ACT).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  for (const state of [NARROW, WIDE, MOVED, VEILED])
    for (const room of ROOMS) {
      const marks = layout(state, room, ACT);
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
      const { centre, middle, radius } = marks.find(({ id }) => id === "rim");
      const far = radius + marks.reduce((most, { rise = 0 }) => Math.max(most, rise), 0);
      assert.ok(centre - far >= 0 && centre + far <= room.width && far <= middle);
    }
});

test("the bars before stay as a ghost", () => {
  assert.ok(find(MOVED, "bars before") && !find(NARROW, "bars before"));
  assert.equal(find(MOVED, "was name").text, "dashed: d = 2");
});

test("one count has one height, whatever the dimensions are", () => {
  const riseOf = (state, i) => find(state, `bin ${i}`).rise;
  assert.ok(Math.abs(riseOf(NARROW, 2) / riseOf(WIDE, 3) - 9 / 5) < 1e-9);
});

test("the answer is ? until 512 dimensions are seen, and what is veiled is drawn nowhere", () => {
  const textsOf = (state) => writings(layout(state, ROOMS[0], ACT));
  assert.ok(textsOf(NARROW).includes("\u2248 90\u00b0"));
  for (const state of [WIDE, VEILED]) assert.ok(textsOf(state).includes("?"));
  const hidden = layout(VEILED, ROOMS[0], ACT);
  assert.ok(!hidden.some(({ id }) => /^(spoke|bin|bars)/.test(id)));
});

test("an arrow stands at the angle that was measured, and the bar of its angle above it", () => {
  assert.deepEqual(
    [0, 1, 2].map((i) => find(NARROW, `spoke ${i}`).degrees),
    [88, 93, 91],
  );
  const spoke = find(NARROW, "spoke 0");
  const { centre, middle, radius } = spoke;
  const [, x, y] = spoke.d({ ...spoke, degrees: 90 }).match(/^M\d+,\d+L([\d.]+),([\d.]+)/);
  assert.ok(Math.abs(x - centre) < 1e-9 && Math.abs(y - (middle - radius)) < 1e-9);
  const { low, high } = find(NARROW, "bin 2");
  assert.ok(low < 88 && 93 < high);
});

test("captions say the numbers that matter, and those of what is pointed at", () => {
  const told = "At d = 2 the angles are 90\u00b0 \u00b1 53\u00b0 (standard deviation).";
  assert.equal(caption(WIDE), told);
  const last = "At d = 512 chance gives 90\u00b0 \u00b1 3\u00b0. So a large cosine is no accident.";
  assert.equal(caption(NARROW), last);
  assert.equal(caption({ ...NARROW, here: 2 }), "72\u00b0 to 108\u00b0: 9 of 14.");
});

test("the pointer finds the bar at its angle, arrows go round the half circle", () => {
  const changes = [];
  const act = { ...ACT, change: ({ here }) => changes.push(here) };
  const marks = layout({ ...NARROW, here: 1 }, ROOMS[0], act);
  const { hover, centre, middle } = marks.find(({ id }) => id === "pointer");
  for (const [x, y] of [
    [centre + 99, middle],
    [centre, middle - 99],
    [centre - 99, middle],
  ])
    hover([x, y]);
  marks.find(({ id }) => id === "beside").hover();
  assert.deepEqual(changes, [0, 2, 4, null]);
  assert.deepEqual(keysOf(NARROW, "ArrowRight"), { here: 4 });
  assert.deepEqual(keysOf({ ...NARROW, here: 4 }, "ArrowRight"), { here: 3 });
  assert.deepEqual(keysOf({ ...NARROW, here: 3 }, "ArrowLeft"), { here: 4 });
  assert.deepEqual(keysOf(NARROW, "Escape"), { here: null });
});
