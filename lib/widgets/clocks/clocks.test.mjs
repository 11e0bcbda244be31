import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, product, turnTo } from "./faces.mjs";
import { caption, keysOf, layout, placesSeen, stackOf } from "./clocks.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const cases = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const ROOM = { width: 1216, height: 456 };
const STATE = {
  p: 1,
  k: 3,
  d_model: 16,
  words: ["the", "animal", "didn't", "cross", "the", "street"],
  order: [0, 1, 2, 3, 4, 5],
  done: 0,
  here: null,
  grip: null,
  veiled: false,
  before: null,
};
const MOVED = { ...STATE, p: 11, done: 1, before: STATE };

function near(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test("hands and products agree with lib.positions", () => {
  for (const { p: position, k: distance, d_model: dModel, ...expected } of cases) {
    for (const [i, x] of expected.encoding.entries())
      near(hand(position, Math.floor(i / 2), dModel)[i % 2], x);
    near(product(position, distance, dModel), expected.product);
  }
});

test("the cosines of all clocks add up to the product, and none moves with both places", () => {
  for (const { p: position, k: distance, d_model: dModel, product: wanted } of cases) {
    const stack = stackOf(distance, dModel);
    near(
      stack.reduce((sum, [from, to]) => sum + to - from, 0),
      wanted,
    );
    const top = Math.max(...stack.flat());
    const taken = stack.filter(([from, to]) => to < from);
    near(taken.length > 0 ? Math.min(...taken.flat()) : top, product(position, distance, dModel));
  }
  const boxes = (state, kind) =>
    layout(state, ROOM, {})
      .filter(({ id }) => id.startsWith(kind))
      .map(({ y, h }) => [y, h]);
  assert.equal(boxes(STATE, "cosine ").length, 8);
  assert.deepEqual(boxes(MOVED, "cosine "), boxes(STATE, "cosine "));
  assert.deepEqual(boxes(MOVED, "was cosine "), boxes(STATE, "cosine "), "beside them: before");
});

test("a dragged hand goes the short way round", () => {
  near(turnTo(3, 3.5), 3.5);
  near(turnTo(6.2, 0.1), 0.1 + 2 * Math.PI);
  near(turnTo(2 * Math.PI + 0.1, -0.1), 2 * Math.PI - 0.1);
  near(turnTo(97, 97 - 30 * Math.PI + 0.5), 97.5);
});

test("everything stands in the room, and no text on another", () => {
  const states = [
    STATE,
    MOVED,
    { ...MOVED, veiled: true },
    { ...STATE, p: 100, k: 60, here: 7, moved: true },
    { ...STATE, d_model: 4, k: 0, moved: true },
    { ...STATE, d_model: 32, here: 3, moved: true },
    { ...STATE, words: ["constructor".repeat(4), "狗"], order: [1, 0] },
  ];
  for (const room of [ROOM, { ...ROOM, height: 700 }])
    for (const state of states) {
      const marks = layout(state, room, {});
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
    }
});

test("both places and a word in each are seen, wherever they are", () => {
  for (const [position, distance] of [
    [0, 0],
    [11, 3],
    [100, 60],
  ]) {
    const state = { ...STATE, p: position, k: distance };
    const places = placesSeen(state).map(({ place }) => place);
    assert.ok(places.includes(position) && places.includes(position + distance));
    const words = layout(state, ROOM, {}).filter(({ id }) => id.startsWith("word "));
    assert.equal(words.length, places.length);
  }
});

test("that nothing moved is said: the same number before and now", () => {
  const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);
  assert.equal(find(MOVED, "answer-before").text, "before: 5.54");
  near(find(MOVED, "answer").number, product(1, 3, 16));
  const veiled = { ...MOVED, veiled: true };
  assert.equal(find(veiled, "answer-before").text, "before: 5.54");
  assert.ok(find(veiled, "veil") && !find(veiled, "answer") && !find(veiled, "curve"));
  assert.equal(find(STATE, "answer-before"), undefined);
  assert.ok(find(veiled, "was stack") && !find(veiled, "cosine 0"), "before is seen, now is asked");
  const written = layout(STATE, ROOM, {}).map(({ text, format }) => text ?? format);
  assert.ok(!find(STATE, "answer") && !written.includes("5.54"), "nothing was asked");
  const levels = ["was stack", "level before", "level"].map((id) => find(MOVED, id));
  assert.ok(levels.every(Boolean));
  near(levels[1].y, levels[2].y);
});

test("the curve has a name, and until it is there the blocks below 0 have one", () => {
  const said = (state) => layout(state, ROOM, {}).map(({ text }) => text);
  const hatched = "cosines, hatched: below 0";
  assert.ok(said(MOVED).includes("product at distance k") && !said(MOVED).includes(hatched));
  assert.ok(said({ ...MOVED, veiled: true }).includes(hatched));
  assert.ok(said({ ...STATE, k: 0 }).includes("cosines"), "none is below 0");
});

test("each hand leaves a ghost of its angle and its way, the slower the shorter", () => {
  const marks = layout(MOVED, ROOM, {});
  const angle = (id) => marks.find((mark) => mark.id === id).spread;
  near(angle("was between 1"), angle("between 1"));
  const trails = marks.filter(({ id }) => id.startsWith("trail "));
  const ways = trails.map(({ start, end }) => end - start);
  assert.equal(ways.length, 8);
  near(ways[0], 10);
  assert.deepEqual(
    ways,
    ways.toSorted((one, other) => other - one),
  );
});

test("the first step of both places veils the product, later ones do not", () => {
  const veil = { done: 1, veiled: true };
  assert.deepEqual(keysOf(STATE, "ArrowRight"), { p: 2, here: null, ...veil });
  assert.deepEqual(keysOf(MOVED, "ArrowLeft"), { p: 10, here: null });
  assert.deepEqual(keysOf(STATE, "ArrowUp"), { k: 4, here: null });
  assert.deepEqual(keysOf(STATE, "ArrowRight", { shiftKey: true }), { k: 4, here: null });
  assert.deepEqual(keysOf(STATE, " "), { here: 0 });
  assert.deepEqual(keysOf({ ...STATE, here: 7 }, " "), { here: 0 });
  assert.equal(keysOf(STATE, "x"), null);
});

test("the sentence says what to see", () => {
  assert.match(caption(MOVED), /stays, so the product stays/);
  assert.match(caption({ ...MOVED, veiled: true }), /Enter shows/);
  assert.match(caption({ ...STATE, k: 8, before: STATE }), /Only k counts/);
  assert.match(caption({ ...STATE, order: [1, 0, 2, 3, 4, 5], before: STATE }), /clocks do not/);
  assert.equal(
    caption({ ...STATE, here: 1 }),
    "Dimensions 2, 3: sin 0.31, cos 0.95; once round in 19.9 places.",
  );
});
