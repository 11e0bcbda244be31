import assert from "node:assert/strict";
import test from "node:test";
import { caption, countOf, gridOf, keysOf, layout, most, weightOf, WIDTH } from "./layers.mjs";
import { outside, overlaps } from "../../../tests/widgets/room.mjs";

const ROOM = { width: WIDTH, height: 456 };

/** A state in which the weights rise from layer to layer, and in each from head to head. */
function stateOf(heads, more = {}) {
  const count = heads.reduce((sum, one) => sum + one, 0);
  return {
    heads,
    weights: Float32Array.from({ length: count }, (_, i) => (i + 1) / count / 2),
    asks: "it",
    asked: "animal",
    layer: 0,
    head: 0,
    hidden: false,
    before: null,
    ...more,
  };
}

test("a head's weight and the largest are found where layers differ in heads", () => {
  const state = stateOf([2, 3, 1]);
  const all = [];
  for (const [layer, count] of state.heads.entries())
    for (let head = 0; head < count; head++) all.push(weightOf(state, layer, head));
  assert.deepEqual(all, [...state.weights]);
  assert.deepEqual(most(state), { layer: 2, head: 0, weight: 0.5 });
  state.weights[4] = 0.75;
  assert.deepEqual(most(state), { layer: 1, head: 2, weight: 0.75 });
});

test("nothing leaves the room and no two texts overlap", () => {
  for (const heads of [Array(6).fill(12), Array(12).fill(12), Array(48).fill(25), [4, 2], [1, 1]])
    for (const hidden of [false, true])
      for (const height of [300, 456, 760]) {
        const [layer, head] = [heads.length - 1, heads.at(-1) - 1];
        const room = { width: WIDTH, height };
        const names = { asks: "w".repeat(40), asked: "w".repeat(40) };
        const state = stateOf(heads, { hidden, layer, head, ...names });
        const marks = layout(state, room, { change() {}, next() {} });
        assert.deepEqual(outside(marks, room), [], `${heads.length} ${height}`);
        assert.deepEqual(overlaps(marks), [], `${heads.length} ${height}`);
        const { w, h } = gridOf(state, room);
        assert.ok(w > 5 && h > 1);
      }
});

test("the veil hides every weight", () => {
  const state = stateOf([4, 4], { hidden: true });
  const marks = layout(state, ROOM, {});
  assert.ok(!marks.some(({ tint }) => tint > 0));
  assert.ok(!marks.some(({ id }) => id.startsWith("counted ") || id === "answer"));
  assert.ok(!/\d/.test(caption(state)));
  assert.deepEqual(keysOf(state, "Enter"), { hidden: false });
});

test("heads that look with more than a half are counted, and each of them has a dot", () => {
  const weights = Float32Array.from([0.68, 0.5, 0.1, 0.51, 0, 0.49]);
  const state = stateOf([4, 2], { weights, layer: 1 });
  assert.equal(countOf(state), 2);
  const marks = layout(state, ROOM, {});
  const dots = marks.filter(({ id }) => id.startsWith("counted "));
  assert.deepEqual(
    dots.map(({ id }) => id),
    ["counted 0.0", "counted 0.3"],
  );
  const { number, format } = marks.find(({ id }) => id === "answer");
  assert.equal(format(number), "2 of 6");
  assert.equal(marks.find(({ id }) => id === "weight").text, "this head: 0.00");
});

test("the largest has the full colour, unless all are small", () => {
  const tints = (state) => layout(state, ROOM, {}).filter(({ id }) => /^head \d/.test(id));
  assert.equal(Math.max(...tints(stateOf([4, 4])).map(({ tint }) => tint)), 1);
  const pale = { weights: new Float32Array(8).fill(0.02) };
  assert.ok(tints(stateOf([4, 4], pale)).every(({ tint }) => Math.abs(tint - 0.1) < 1e-6));
});

test("a click on a cell shows that head", () => {
  const changes = [];
  const act = { change: (change) => changes.push(change) };
  const marks = layout(stateOf([4, 2]), ROOM, act);
  marks.find(({ id }) => id === "head 1.1").pick();
  assert.deepEqual(changes, [{ layer: 1, head: 1 }]);
});

test("arrows go from layer to layer and from head to head, Enter to the most", () => {
  const state = stateOf([4, 2], { head: 3 });
  assert.deepEqual(keysOf(state, "ArrowLeft"), { layer: 0, head: 2 });
  assert.deepEqual(keysOf(state, "ArrowDown"), { layer: 1, head: 1 });
  assert.equal(keysOf(state, "x"), null);
  assert.deepEqual(keysOf(state, "Enter"), { layer: 1, head: 1 });
});

test("the sentence says which layer and head look there most", () => {
  const state = stateOf([4, 2]);
  assert.equal(caption(state), "layer 1, head 1 \u00b7 most of 6: layer 2, head 2, 0.500");
  const there = { ...state, layer: 1, head: 1 };
  assert.equal(caption(there), "layer 2, head 2: the most of 6, 0.500");
});
