import assert from "node:assert/strict";
import test from "node:test";
import { caption, keysOf, layout } from "./directions.mjs";
import { outside, overlaps, twins, writings } from "../../../tests/widgets/room.mjs";

const ROOMS = [456, 760].map((height) => ({ width: 1216, height }));
const ACT = { change() {}, next() {} };

const NARROW = { angles: [88, 93, 91], degrees: 2.5, d: 512, veiled: false, before: null };
const WIDE = { ...NARROW, angles: [20, 93, 170], degrees: 52, d: 2 };
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
    assert.equal(find(state, "was name").text, "d = 2: \u00b1 52\u00b0");
  }
  assert.ok(!find(NARROW, "fan before"));
});

test("the answer is ? until 512 dimensions are seen, and what is veiled is drawn nowhere", () => {
  const told = find(NARROW, "answer");
  assert.equal(told.format(told.number), "\u00b1 2.5\u00b0");
  for (const state of [WIDE, VEILED])
    assert.ok(writings(layout(state, ROOMS[0], ACT)).includes("?"));
  const hidden = layout(VEILED, ROOMS[0], ACT);
  assert.ok(!hidden.some(({ id }) => /^(dot|ray|lens|heaped|fan$|width)/.test(id)));
});

test("a dot stands at the angle that was measured", () => {
  const degrees = [0, 1, 2].map((i) => find(NARROW, `dot ${i}`).degrees);
  assert.deepEqual(degrees, NARROW.angles);
  const dot = find(NARROW, "dot 0");
  const { centre, middle, radius } = dot;
  const [, x, y] = dot.d({ ...dot, degrees: 90 }).match(/^M([\d.]+),([\d.]+)h0$/);
  assert.ok(Math.abs(x - centre) < 1e-9 && y < middle && y > middle - radius, "inside the rim");
});

test("the last arc closes out of the one before, and then its number is told", () => {
  const dot = find(MOVED, "dot 2");
  assert.deepEqual([dot.from.degrees, dot.degrees], [170, 91]);
  assert.equal(find(MOVED, "fan").from.wide, WIDE.degrees);
  assert.ok(dot.glide > 0 && find(MOVED, "lens").delay === dot.glide);
  assert.ok(find(MOVED, "answer").delay > dot.glide, "once the lens has opened");
  assert.equal(find(NARROW, "answer").delay, 0, "nothing to close from");
});

test("few degrees are magnified: a dot of each angle between the ends of the lens", () => {
  assert.ok(!find(WIDE, "lens"));
  const state = { ...NARROW, angles: [88, 88.1, 93, 79, 101] };
  const [first, second, third, ...beyond] = [0, 1, 2, 3, 4].map((i) => find(state, `heaped ${i}`));
  assert.ok(first.x === second.x && first.y > second.y, "one on the other");
  assert.ok(third.x < first.x && third.y === first.y, "as on the rim, more is further left");
  assert.deepEqual(beyond, [undefined, undefined]);
  const kinds = ["heaped 0", "heaped 2", "dot 0", "dot 2"].map((id) => find(state, id).class);
  assert.deepEqual(kinds, ["heaped inside", "heaped", "dot inside", "dot"], "as dark as the arc");
  const { x, toX } = find(state, "lens fan");
  const [most, least] = ["tick 95", "tick 85"].map((id) => find(state, id).x);
  assert.ok(Math.abs((toX - x) / (least - most) - 0.5) < 1e-9, "5 of 10 degrees");
});

test("captions say the numbers that matter", () => {
  const told = "At d = 2 the angles average 90\u00b0, with a spread of 52\u00b0.";
  assert.equal(caption(WIDE), told);
  const last = "At d = 512: typically 90\u00b0 \u00b1 2.5\u00b0. Nearly all are close to 90\u00b0.";
  assert.equal(caption(NARROW), last);
  assert.match(caption(VEILED), /Enter shows it/);
});

test("the arrow keys ask Python for more dimensions, or for less", () => {
  const asked = [];
  const act = { ...ACT, ask: ({ type }) => asked.push(type) };
  for (const key of ["ArrowRight", "ArrowDown", "x"]) keysOf(NARROW, key, {}, act);
  assert.deepEqual(asked, ["more", "less"]);
});
