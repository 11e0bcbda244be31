import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, product, turnTo } from "./faces.mjs";
import { caption, keysOf, layout, placesSeen } from "./clocks.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const cases = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const ROOM = { width: 1216, height: 456 };
const STATE = {
  p: 1,
  k: 3,
  start: [1, 3],
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

const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

/** How long the part of a clock is drawn, below 0 where it goes back. */
function partOf(state, clock) {
  const { class: kind, w } = find(state, `part ${clock}`);
  return kind.includes("back") ? -w : w;
}

test("the parts end at the product, and none changes when both places move", () => {
  for (const { p: position, k: distance, d_model: dModel, product: wanted } of cases) {
    const state = { ...STATE, p: position, k: distance, d_model: dModel };
    const clocks = [...Array(dModel / 2).keys()];
    const unit = partOf({ ...state, k: 0 }, 0);
    near(unit * clocks.length, ROOM.width);
    const sum = clocks.reduce((total, clock) => total + partOf(state, clock), 0);
    near(sum / unit, wanted);
    near(find(state, "end").x / unit, wanted);
    for (const clock of clocks) near(partOf({ ...state, p: 50 }, clock), partOf(state, clock));
  }
});

test("the parts lie end to end, and those below 0 go back from there to the end", () => {
  const parts = [0, 1, 2, 3, 4, 5, 6, 7].map((clock) => find(STATE, `part ${clock}`));
  const [back, first, ...others] = parts;
  assert.deepEqual([back.class, first.class], ["part back", "part cosine"]);
  let { x, w } = first;
  assert.equal(x, 0);
  for (const other of others) {
    near(other.x, x + w);
    ({ x, w } = other);
  }
  near(back.x + back.w, x + w);
  near(back.x, find(STATE, "end").x);
  assert.ok(back.y > first.y + first.h, "below them");
});

test("every clock is drawn, in the whole width", () => {
  for (const dModel of [4, 16, 32]) {
    const state = { ...STATE, d_model: dModel };
    const count = (name) => layout(state, ROOM, {}).filter(({ id }) => id.startsWith(name)).length;
    assert.deepEqual([count("face "), count("part ")], [dModel / 2, dModel / 2]);
    const [first, last] = [0, dModel / 2 - 1].map((clock) => find(state, `face ${clock}`));
    near(first.x, ROOM.width - last.x);
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
    assert.deepEqual([near.text, far.text], ["p", "p + k"]);
    assert.ok(near.x < far.x);
  }
});

test("that nothing moved is said: no, the same number and the same end before and now", () => {
  assert.equal(find(MOVED, "answer").text, "no");
  assert.equal(find(MOVED, "sum-before").text, "before: 5.54");
  near(find(MOVED, "sum").number, product(1, 3, 16));
  const endsOf = (state) => ["end before", "end"].map((id) => find(state, id).x);
  const [was, now] = endsOf(MOVED);
  near(was, now);
  const further = { ...MOVED, k: 8 };
  assert.ok(endsOf(further)[0] > endsOf(further)[1] + 100, "seen from afar");
  assert.equal(find(further, "answer").text, "yes");
  const veiled = { ...MOVED, veiled: true };
  assert.equal(find(veiled, "sum-before").text, "before: 5.54");
  assert.ok(find(veiled, "veil") && !find(veiled, "answer") && !find(veiled, "sum"));
  assert.ok(find(veiled, "end before") && !find(veiled, "part 0"), "before is seen, now is asked");
  assert.ok(find(veiled, "near 0") && !find(veiled, "between 0"), "the hands, not their angle");
  assert.equal(find(STATE, "sum-before"), undefined);
  const anew = { ...MOVED, before: null, moved: true }; // a picture, or a page that was reopened
  assert.equal(find(anew, "answer").text, "no");
  assert.ok(find(STATE, "answer-veil") && !find(STATE, "answer"), "nothing was asked");
  near(find(STATE, "sum").number, product(1, 3, 16)); // what will be before is seen
});

test("what was hidden sets out from where it lay and ended before", () => {
  const further = { ...MOVED, k: 8 };
  const [from, was] = [find(further, "part 1").from, find(STATE, "part 1")];
  assert.deepEqual([from.x, from.w, from.y], [was.x, was.w, was.y]);
  assert.equal(find(further, "end").from.x, find(further, "end before").x);
});

test("the angle of before stays where it was, dashed: the same one, turned", () => {
  const [was, now] = ["hands before 1", "between 1"].map((id) => find(MOVED, id));
  assert.ok(was.spread === now.spread && was.angle === find(STATE, "between 1").angle);
  assert.ok(Math.abs(was.angle - now.angle) > 0.5);
  assert.ok(find({ ...MOVED, k: 8 }, "between 1").spread > was.spread);
  for (const before of [null, MOVED]) assert.ok(!find({ ...MOVED, before }, "hands before 1"));
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
