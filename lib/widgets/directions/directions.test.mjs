import assert from "node:assert/strict";
import test from "node:test";
import { caption, keysOf, layout } from "./directions.mjs";
import { outside, overlaps, twins, writings } from "../../../tests/widgets/room.mjs";

const ROOMS = [456, 760].map((height) => ({ width: 1216, height }));
const ACT = { change() {}, next() {} };

const spreads = [
  [2, 52.6],
  [8, 21.4],
  [512, 3.2],
];
const NARROW = { angles: [88, 93, 91], degrees: 3.2, d: 512, spreads, veiled: false, before: null };
const WIDE = { ...NARROW, angles: [20, 93, 170], degrees: 52.6, d: 2 };
const MOVED = { ...NARROW, before: WIDE };
const VEILED = { ...MOVED, veiled: true };

const find = (state, id) => layout(state, ROOMS[0], ACT).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  const fans = [3, 8, 20, 60].map((degrees) => ({ ...WIDE, d: 4, degrees, before: WIDE }));
  for (const state of [NARROW, WIDE, MOVED, VEILED, ...fans])
    for (const room of ROOMS) {
      const marks = layout(state, room, ACT);
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
      const { centre, middle, radius } = marks.find(({ id }) => id === "rim");
      assert.ok(centre - radius >= 0 && centre + radius <= room.width && radius <= middle);
    }
});

test("the fan before stays as a ghost, also on the veil", () => {
  for (const state of [MOVED, VEILED]) {
    assert.equal(find(state, "fan before").wide, WIDE.degrees);
    assert.equal(find(state, "was name").text, "d = 2: \u00b1 53\u00b0");
  }
  assert.ok(!find(NARROW, "fan before"));
});

test("the answer is ? until 512 dimensions are seen, and what is veiled is drawn nowhere", () => {
  const told = find(NARROW, "answer");
  assert.equal(told.format(told.number), "\u00b1 3\u00b0");
  for (const state of [WIDE, VEILED])
    assert.ok(writings(layout(state, ROOMS[0], ACT)).includes("?"));
  const hidden = layout(VEILED, ROOMS[0], ACT);
  assert.ok(!hidden.some(({ id }) => /^(spoke|fan$|width)/.test(id)));
});

test("the widths that were seen stand one below the other", () => {
  const seen = (state) =>
    layout(state, ROOMS[0], ACT)
      .filter(({ id }) => id.startsWith("spread is"))
      .map(({ text }) => text);
  assert.deepEqual(seen(NARROW), ["\u00b1 53\u00b0", "\u00b1 21\u00b0", "\u00b1 3\u00b0"]);
  assert.deepEqual(seen(WIDE), ["\u00b1 53\u00b0"]);
  assert.deepEqual(seen(VEILED), ["\u00b1 53\u00b0", "\u00b1 21\u00b0"]);
  const { w } = find(NARROW, "spread 2");
  assert.ok(Math.abs(w / find(NARROW, "spread 8").w - 52.6 / 21.4) < 1e-9, "on one scale");
});

test("an arrow stands at the angle that was measured", () => {
  const degrees = [0, 1, 2].map((i) => find(NARROW, `spoke ${i}`).degrees);
  assert.deepEqual(degrees, NARROW.angles);
  const spoke = find(NARROW, "spoke 0");
  const { centre, middle, radius } = spoke;
  const [, x, y] = spoke.d({ ...spoke, degrees: 90 }).match(/^M\d+,\d+L([\d.]+),([\d.]+)/);
  assert.ok(Math.abs(x - centre) < 1e-9 && Math.abs(y - (middle - radius)) < 1e-9);
});

test("the last fan closes out of the one before, and then its number is told", () => {
  const spoke = find(MOVED, "spoke 2");
  assert.deepEqual([spoke.from.degrees, spoke.degrees], [170, 91]);
  assert.equal(find(MOVED, "fan").from.wide, WIDE.degrees);
  assert.ok(spoke.glide > 0 && find(MOVED, "answer").delay === spoke.glide);
  assert.equal(find(NARROW, "answer").delay, 0, "nothing to close from");
});

test("captions say the numbers that matter", () => {
  const told = "At d = 2 the angles are 90\u00b0 \u00b1 53\u00b0 (standard deviation).";
  assert.equal(caption(WIDE), told);
  const last = "At d = 512 chance gives 90\u00b0 \u00b1 3\u00b0. So a large cosine is no accident.";
  assert.equal(caption(NARROW), last);
  assert.match(caption(VEILED), /Enter shows it/);
});

test("the arrow keys ask Python for more dimensions, or for less", () => {
  const asked = [];
  const act = { ...ACT, ask: ({ type }) => asked.push(type) };
  for (const key of ["ArrowRight", "ArrowDown", "x"]) keysOf(NARROW, key, {}, act);
  assert.deepEqual(asked, ["more", "less"]);
});
