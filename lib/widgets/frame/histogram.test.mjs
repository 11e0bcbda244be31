import assert from "node:assert/strict";
import test from "node:test";
import * as directions from "../directions/directions.mjs";
import { widthOf } from "./lettering.mjs";
import { barAt, binSentence } from "./histogram.mjs";

const ROOMS = [456, 760].map((height) => ({ width: 1216, height }));
const act = { change() {}, next() {} };

const NARROW = {
  counts: [0, 2, 9, 3],
  most: 9,
  range: [-1, 1],
  axis: "cosine of each pair: 0 at a right angle",
  angles: [88, 93, 91],
  degrees: 3.2,
  d: 512,
  here: null,
  veiled: false,
  before: null,
};
const WIDE = { ...NARROW, counts: [4, 1, 2, 5], degrees: 52.6, d: 2 };
const MOVED = { ...NARROW, before: WIDE };
const VEILED = { ...MOVED, veiled: true };

const written = (mark) => mark.text ?? mark.format(mark.number);

/** The boxes of all texts that a demo draws. */
function boxesOf(marks) {
  return marks
    .filter((mark) => mark.text ?? mark.format)
    .map((mark) => {
      const size = mark.size ?? 24;
      const wide = widthOf(written(mark), size);
      const left = mark.x - ({ start: 0, end: 1 }[mark.anchor] ?? 0.5) * wide;
      const [top, bottom] = [mark.y - 0.72 * size, mark.y];
      return { text: written(mark), left, right: left + wide, top, bottom };
    });
}

test("in Directions every text is inside the room and covers no other", () => {
  for (const state of [NARROW, WIDE, MOVED, VEILED])
    for (const room of ROOMS) {
      const boxes = boxesOf(directions.layout(state, room, act));
      for (const [i, one] of boxes.entries()) {
        const across = one.left >= 0 && one.right <= room.width;
        assert.ok(across && one.top >= 0 && one.bottom <= room.height, one.text);
        for (const other of boxes.slice(i + 1)) {
          const isApart = one.right <= other.left || other.right <= one.left;
          const isAside = one.bottom <= other.top || other.bottom <= one.top;
          assert.ok(isApart || isAside, `${one.text} and ${other.text}`);
        }
      }
    }
});

test("the histogram before stays as a ghost", () => {
  const idsOf = (state) => directions.layout(state, ROOMS[0], act).map((mark) => mark.id);
  assert.ok(idsOf(MOVED).includes("histogram before"));
  assert.ok(!idsOf(NARROW).includes("histogram before"));
  const name = directions.layout(MOVED, ROOMS[0], act).find(({ id }) => id === "was name");
  assert.equal(name.text, "dashed: d = 2");
});

test("one count has one height, whatever the dimensions are", () => {
  const heightOf = (state, i) =>
    directions.layout(state, ROOMS[0], act).find(({ id }) => id === `bin ${i}`).h;
  assert.ok(Math.abs(heightOf(NARROW, 2) / heightOf(WIDE, 3) - 9 / 5) < 1e-9);
});

test("the answer is ? until 512 dimensions are seen, and what is veiled is written nowhere", () => {
  const textsOf = (state) => directions.layout(state, ROOMS[0], act).map(({ text }) => text);
  assert.ok(textsOf(NARROW).includes("\u2248 90\u00b0"));
  for (const state of [WIDE, VEILED]) assert.ok(textsOf(state).includes("?"));
  const hidden = directions.layout(VEILED, ROOMS[0], act);
  assert.ok(!hidden.some(({ id }) => /^(spoke|bin)/.test(id)));
});

test("an arrow stands at the angle that was measured", () => {
  const spokes = directions
    .layout(NARROW, ROOMS[0], act)
    .filter((mark) => mark.id.startsWith("spoke"));
  assert.deepEqual(
    spokes.map((mark) => mark.degrees),
    [88, 93, 91],
  );
  const [, x, y] = spokes[0].d({ ...spokes[0], degrees: 90 }).match(/^M\d+,\d+L([\d.]+),([\d.]+)/);
  const { centre, middle, radius } = spokes[0];
  assert.ok(Math.abs(x - centre) < 1e-9 && Math.abs(y - (middle - radius)) < 1e-9);
});

test("captions say the numbers that matter, and those of what is pointed at", () => {
  const told = "At d = 2 the angles are 90\u00b0 \u00b1 53\u00b0 (standard deviation).";
  assert.equal(directions.caption(WIDE), told);
  const last = "At d = 512 chance gives 90\u00b0 \u00b1 3\u00b0. So a large cosine is no accident.";
  assert.equal(directions.caption(NARROW), last);
  assert.equal(binSentence(NARROW, 2), "0.00 to 0.50: 9 of 14.");
});

test("the bar under the pointer, and the outermost ones beyond the ends", () => {
  assert.deepEqual(
    [0, 56, 440, 900, 248].map((x) => barAt(x, 56, 440, 16)),
    [0, 0, 15, 15, 8],
  );
});
