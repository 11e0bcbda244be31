import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, product, turnTo } from "./faces.mjs";
import { caption, keysOf, layout, placesSeen, wayOf } from "./clocks.mjs";
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

test("the steps are one way from 0 to the product, and none moves with both places", () => {
  for (const { k: distance, d_model: dModel, product: wanted } of cases) {
    const way = wayOf(distance, dModel).sort((one, other) => one.rank - other.rank);
    assert.deepEqual([way.length, way[0].start], [dModel / 2, 0]);
    for (const [i, { start }] of way.slice(1).entries()) near(start, way[i].end);
    near(way.at(-1).end, wanted);
  }
  const stepsOf = (state) =>
    layout(state, ROOM, {})
      .filter(({ id }) => id.startsWith("step "))
      .map(({ start, end }) => [start, end]);
  assert.equal(stepsOf(STATE).length, 8);
  assert.deepEqual(stepsOf(MOVED), stepsOf(STATE));
});

test("a step below 0 goes back first, in its own lane; nothing is taken off at the end", () => {
  const marks = layout(STATE, ROOM, {});
  const named = (id) => marks.find((mark) => mark.id === id);
  const [back, first, last] = [0, 1, 7].map((clock) => named(`step ${clock}`));
  assert.ok(back.end < back.start && back.y + back.h < first.y);
  assert.ok(first.start === back.end && first.end > first.start);
  near(last.end, named("sum").x + named("sum").w / 2);
  for (let clock = 0; clock < 8; clock++) {
    const { start, end } = named(`step ${clock}`);
    near(named(`thread ${clock}`).toX, (start + end) / 2);
  }
  const ids = layout({ ...STATE, k: 0 }, ROOM, {}).map(({ id }) => id);
  assert.ok(marks.some(({ id }) => id === "turn") && !ids.includes("turn"), "none is below 0");
});

test("the steps are gone one after the other, and the end goes with them", () => {
  const marks = layout(STATE, ROOM, {});
  const named = (id) => marks.find((mark) => mark.id === id);
  const at = (id, gone) => named(id).d({ ...named(id), gone });
  assert.ok(at("step 0", 0.1) && !at("step 1", 0.1) && at("step 1", 0.2) && !at("step 7", 0.8));
  const sum = named("sum");
  const place = (gone) => ({ ...sum, gone, ...sum.way({ gone }) }).x + sum.w / 2;
  near(place(0), named("step 0").start);
  near(place(1 / 8), named("step 0").end);
  near(place(1), named("step 7").end);
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
  assert.ok(find(veiled, "veil") && !find(veiled, "answer") && !find(veiled, "sum"));
  assert.equal(find(STATE, "answer-before"), undefined);
  assert.ok(find(veiled, "was sum") && !find(veiled, "step 0"), "before is seen, now is asked");
  const written = layout(STATE, ROOM, {}).map(({ text, format }) => text ?? format);
  assert.ok(!find(STATE, "answer") && !written.includes("5.54"), "nothing was asked");
  const [was, now] = ["was sum", "sum"].map((id) => find(MOVED, id));
  near(was.x + was.w, now.x + now.w / 2);
  assert.ok(!find(MOVED, "different"));
  const [other, end] = ["different", "sum"].map((id) => find({ ...MOVED, k: 8 }, id));
  assert.ok(Math.abs(other.x + other.w - was.x - was.w) < 4 && Math.abs(other.x - end.x) < 5);
});

test("what is a step back and what is dashed has a name while it is there", () => {
  const told = (state) => layout(state, ROOM, {}).find(({ id }) => id === "told").text;
  assert.match(told(STATE), /below 0 is a step back/);
  assert.match(told({ ...STATE, k: 0 }), /added up$/, "none is below 0");
  const named = (state) => layout(state, ROOM, {}).some(({ id }) => id === "was name");
  assert.ok(named(MOVED) && !named(STATE));
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
  assert.match(caption({ ...STATE, k: 8, before: STATE }), /only k counts/);
  assert.match(caption({ ...STATE, order: [1, 0, 2, 3, 4, 5], before: STATE }), /clocks do not/);
  assert.equal(
    caption({ ...STATE, here: 1 }),
    "Dimensions 2, 3: sin 0.31, cos 0.95; once round in 19.9 places.",
  );
});
