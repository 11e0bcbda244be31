import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, total, turnTo } from "./faces.mjs";
import { caption, keysOf, layout, placesSeen } from "./clocks.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const cases = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const ROOM = { width: 1216, height: 456 };
const STATE = {
  p: 1,
  k: 2,
  start: [1, 2],
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

test("hands agree with lib.positions", () => {
  for (const { p: position, d_model: dModel, encoding } of cases)
    for (const [i, x] of encoding.entries())
      near(hand(position, Math.floor(i / 2), dModel)[i % 2], x);
});

const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

test("the parts add up to lib's product, and none changes when both places move", () => {
  for (const { p: position, k: distance, d_model: dModel, product: wanted } of cases) {
    const state = { ...STATE, p: position, k: distance, d_model: dModel };
    const partsOf = (changed) =>
      layout({ ...state, ...changed }, ROOM, {})
        .filter(({ id }) => /^part /.test(id))
        .map(({ number }) => number);
    const parts = partsOf({});
    assert.equal(parts.length, Math.min(3, dModel / 2));
    near(total(parts), wanted);
    assert.deepEqual(partsOf({ p: 50 }), parts);
  }
});

test("end to end, those below 0 first, the parts end where the product does", () => {
  for (const changes of [{ d_model: 8, k: 28 }, { d_model: 4 }, { d_model: 32, k: 60 }]) {
    const state = { ...STATE, ...changes };
    const steps = [0, 1, 2].map((i) => find(state, `step ${i}`)).filter(Boolean);
    const zero = find(state, "zero").x;
    const at = { back: zero, on: Math.min(zero, ...steps.map(({ x }) => x)) };
    for (const [i, { x, w, from }] of steps.entries()) {
      const way = find(state, `part ${i}`).number < 0 ? "back" : "on";
      near(from.x, at[way]);
      at[way] += way === "on" ? w : -w;
      near(x, Math.min(from.x, at[way]));
    }
    const { x, w } = find(state, "product");
    near(at.on, x < zero - 1 ? x : x + w);
  }
});

test("a part has its sign between itself and the one before", () => {
  const told = (changes) =>
    [0, 1, 2].map((clock) => {
      const { format, number } = find({ ...STATE, ...changes }, `part ${clock}`);
      return format(number);
    });
  assert.deepEqual(told({ k: 3 }), ["\u22120.99", "+ 0.58", "+ 5.95"]);
  assert.deepEqual(told({ k: 8 }), ["\u22120.15", "\u2212 0.82", "+ 5.66"]);
});

test("every clock is drawn, two large and the slower ones small behind them", () => {
  for (const dModel of [4, 8, 16, 32]) {
    const faces = layout({ ...STATE, d_model: dModel }, ROOM, {}).filter(({ id }) =>
      id.startsWith("face "),
    );
    assert.equal(faces.length, dModel / 2);
    const [first] = faces;
    assert.ok(first.r > 120);
    for (const [clock, { x, r }] of faces.entries())
      assert.ok(clock < 2 ? r === first.r : r < first.r / 2 && x > faces[1].x + first.r);
  }
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
    { ...STATE, d_model: 4, p: 0, k: 0, moved: true },
    { ...STATE, d_model: 32, here: 3, moved: true },
    { ...MOVED, d_model: 4, k: 3, before: { ...MOVED, d_model: 4, k: 2 } },
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
    const [near, far] = ["query", "key"].map((kind) => find(state, `name ${kind}`));
    assert.deepEqual([near.text, far.text], ["p", `p + k, k = ${distance}`]);
    assert.ok(near.x < far.x);
  }
});

test("that nothing changed is said: no, and the product as before", () => {
  const label = (state) => (find(state, "told") ?? find(state, "answer-label")).text;
  assert.equal(find(MOVED, "answer").text, "no");
  assert.equal(label(MOVED), "product: 6.37, as before");
  const further = { ...MOVED, k: 9 };
  assert.equal(label(further), "product: 6.37 \u2192 3.71");
  assert.equal(find(further, "answer").text, "yes");
  const veiled = { ...MOVED, veiled: true };
  assert.equal(label(veiled), "product before: 6.37");
  assert.ok(find(veiled, "veil") && !find(veiled, "answer") && !find(veiled, "product"));
  assert.ok(!find(veiled, "part 0") && !find(veiled, "step 0"), "before is told, now is asked");
  assert.ok(find(veiled, "near 0") && !find(veiled, "between 0"), "the hands, not their angle");
  const anew = { ...MOVED, before: null, moved: true }; // a picture, or a page that was reopened
  assert.equal(find(anew, "answer").text, "no");
  assert.ok(find(STATE, "answer-veil") && !find(STATE, "answer"), "nothing was asked");
  assert.equal(label(STATE), "product now: 6.37", "what will be before is seen");
});

test("the angle of before stays, dashed, where it was beside that of now", () => {
  const [was, now] = ["angle before 1", "between 1"].map((id) => find(MOVED, id));
  const { angle, spread } = find(STATE, "between 1");
  assert.deepEqual([was.angle, was.spread], [angle, spread]);
  assert.ok(now.angle > angle && now.spread === spread);
  for (const before of [null, MOVED]) assert.ok(!find({ ...MOVED, before }, "angle before 1"));
});

test("the first step of both places veils the product, later ones do not", () => {
  const veil = { done: 1, veiled: true };
  assert.deepEqual(keysOf(STATE, "ArrowRight"), { p: 2, here: null, ...veil });
  assert.deepEqual(keysOf(MOVED, "ArrowLeft"), { p: 10, here: null });
  assert.deepEqual(keysOf(MOVED, "ArrowUp"), { k: 3, here: null });
  assert.deepEqual(keysOf(MOVED, "ArrowRight", { shiftKey: true }), { k: 3, here: null });
  for (const asked of [STATE, { ...MOVED, veiled: true }])
    assert.deepEqual(keysOf(asked, "ArrowUp"), {}, "the answer stays what it was");
  assert.deepEqual(keysOf(STATE, " "), { here: 0 });
  assert.deepEqual(keysOf({ ...STATE, here: 7 }, " "), { here: 0 });
  assert.equal(keysOf(STATE, "x"), null);
});

test("the sentence says what to see", () => {
  assert.match(caption(MOVED), /angle between them stays, and so the product/);
  assert.match(caption({ ...MOVED, veiled: true }), /Enter shows/);
  assert.match(caption({ ...STATE, k: 8, before: STATE }), /only k counts/);
  assert.match(caption({ ...STATE, order: [1, 0, 2, 3, 4, 5], before: STATE }), /clocks do not/);
  assert.equal(
    caption({ ...STATE, here: 1 }),
    "Dimensions 2, 3: sin 0.31, cos 0.95; once round in 19.9 places.",
  );
});
