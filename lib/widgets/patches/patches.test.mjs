import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { asksOf, caption, keysOf, layout, look } from "./patches.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const { tokens, cases } = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const ROOM = { width: 1216, height: 456 };

// Weights in proportion to (1 + key) for query 0, and shifted by one key for each query after it.
const WEIGHTS = Float32Array.from({ length: tokens ** 2 }, (_, i) => {
  const query = Math.floor(i / tokens);
  const key = i % tokens;
  return (1 + ((key + query) % tokens)) / ((tokens * (tokens + 1)) / 2);
});
const STATE = {
  pixels: new Uint8Array(28 * 42 * 3),
  size: [28, 42],
  weights: WEIGHTS,
  lengths: Array.from({ length: tokens }, (_, i) => 1 + i),
  angles: Array(tokens).fill(40),
  equal: false,
  names: [],
  patch: [3, 5],
  pinned: false,
  hovered: null,
  veiled: false,
  before: null,
};
const EQUAL = { ...STATE, weights: new Float32Array(tokens ** 2).fill(1 / tokens) };

test("the row of a patch, its largest weight and its own agree with lib", () => {
  for (const { patch, most, largest, own, sum } of cases) {
    const seen = look(WEIGHTS, patch);
    assert.deepEqual(seen.most, most);
    assert.ok(Math.abs(seen.largest - largest) < 1e-7 && Math.abs(seen.own - own) < 1e-7);
    assert.ok(Math.abs(seen.shares.reduce((total, share) => total + share, 0) - sum) < 1e-5);
  }
});

test("everything stands in the room, and no text on another", () => {
  const veiled = { ...STATE, veiled: true };
  const states = [
    STATE,
    veiled,
    { ...EQUAL, names: Array(tokens).fill("house"), before: STATE, equal: true },
    { ...STATE, size: [1400, 14] },
  ];
  for (const room of [ROOM, { ...ROOM, height: 650 }, { ...ROOM, height: 760 }])
    for (const state of states) {
      const marks = layout(state, room, {}).filter((mark) => !mark.id.includes("asks"));
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
    }
});

test("while the answer is veiled no weight is seen, only who asks", () => {
  const ids = layout({ ...STATE, veiled: true }, ROOM, {}).map(({ id }) => id);
  assert.ok(ids.includes("veil") && ids.includes("query 0") && ids.includes("asks vector"));
  assert.ok(ids.includes("answer-veil"));
  assert.ok(!ids.some((id) => /^weight|^arc|^key|^gets|^ramp/.test(id)));
});

test("a white patch is seen as white: a ground lies round every part", () => {
  const marks = layout(STATE, ROOM, {});
  for (const id of ["asks tile", "gets tile"]) {
    const at = marks.findIndex((mark) => mark.id === `${id} ground`);
    const [ground, photograph] = marks.slice(at);
    assert.equal(photograph.id, id);
    assert.ok(ground.x < photograph.x && ground.y < photograph.y, "left and above");
    assert.ok(ground.x + ground.w > photograph.x + photograph.w, "right");
    assert.ok(ground.y + ground.h > photograph.y + photograph.h, "below");
  }
});

test("the answer is who gets most, framed in both pictures; without a name its place", () => {
  const told = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);
  assert.equal(told(STATE, "answer").text, "row 11, column 9");
  const names = STATE.lengths.map(() => "cloud");
  assert.equal(told({ ...STATE, names }, "answer").text, "cloud");
  const [first, second] = ["key 0", "key 1"].map((id) => told(STATE, id));
  assert.ok(first.y === second.y && first.x < second.x);
});

test("an arc goes from who asks to who gets most, if that is another", () => {
  const ids = (state) => layout(state, ROOM, {}).map(({ id }) => id);
  assert.ok(ids(STATE).includes("arc") && ids(STATE).includes("gets vector"));
  const itself = { ...STATE, weights: WEIGHTS.slice().fill(1, 47 * 196 + 47, 47 * 196 + 48) };
  assert.deepEqual(look(itself.weights, STATE.patch).most, STATE.patch);
  assert.ok(!ids(itself).includes("arc") && !ids(itself).includes("gets vector"));
  assert.ok(!ids(EQUAL).includes("arc"), "all alike: nobody gets most");
});

test("how many averages the largest weight is stands below it", () => {
  const told = (state) => layout(state, ROOM, {}).find(({ id }) => id === "answer-label").text;
  assert.equal(told(STATE), "2.0 \u00d7 the average");
  assert.equal(told(EQUAL), "1.0 \u00d7 the average");
});

test("the vectors of who asks and who gets most are arrows as long as they are", () => {
  const drawnOf = (state) => {
    const marks = layout(state, ROOM, {}).filter(({ id }) => / vector$/.test(id));
    assert.equal(marks[0].x, marks[1].x, "from one edge");
    return marks.map(({ long }) => long);
  };
  const [asks, gets] = drawnOf(STATE);
  const { most } = look(WEIGHTS, STATE.patch);
  assert.ok(Math.abs(gets / asks - (1 + 14 * most[0] + most[1]) / 48) < 1e-9);
  const [one, other] = drawnOf({ ...STATE, equal: true });
  assert.equal(one, other);
  const times = layout(STATE, ROOM, {}).find(({ id }) => id === "longer").text;
  assert.equal(times, `${(gets / asks).toFixed(1)} \u00d7`);
});

test("who got most before stays, if the same patch asks", () => {
  const idsOf = (state) => layout(state, ROOM, {}).map(({ id }) => id);
  const names = STATE.lengths.map(() => "cloud");
  const changed = { ...EQUAL, equal: true, names, before: { ...STATE, names } };
  for (const state of [changed, { ...changed, veiled: true }])
    assert.ok(idsOf(state).includes("before name"));
  const forked = layout(changed, ROOM, {});
  const [asks, was, angle] = ["asks vector", "before vector", "apart"].map((id) =>
    forked.find((mark) => mark.id === id),
  );
  assert.deepEqual([asks.x, asks.y, asks.long], [was.x, was.y, was.long], "of one point");
  assert.ok(Math.abs(was.turn - asks.turn - (40 / 180) * Math.PI) < 1e-9 && angle.text === "40°");
  const others = [
    { ...changed, patch: [0, 0] },
    { ...changed, before: { ...STATE, veiled: true } },
  ];
  for (const state of others) assert.ok(!idsOf(state).some((id) => id.startsWith("before")));
});

test("the sentence says who asks and who gets most", () => {
  const { most } = look(WEIGHTS, STATE.patch);
  const told = `, whose vector is ${((1 + 14 * most[0] + most[1]) / 48).toFixed(1)} times as long.`;
  assert.equal(caption(STATE), `Row 4, column 6 loses to another patch${told}`);
  const names = STATE.lengths.map((_, i) => (i === 47 ? "sky" : "cloud"));
  assert.equal(caption({ ...STATE, names }), `Sky loses to the cloud${told}`);
  assert.match(
    caption({ ...STATE, names, hovered: [0, 1] }),
    /^Row 1, column 2 loses to the cloud/,
  );
  assert.equal(caption(EQUAL), "Row 4, column 6 gives every patch the same.");
  assert.match(caption({ ...STATE, pinned: true, veiled: true }), /\(pinned\).*Enter shows it/);
  assert.match(caption({ ...STATE, hovered: [0, 1] }), /^Row 1, column 2 /);
});

test("arrow keys move the patch that asks, Space pins it, Escape frees it", () => {
  assert.deepEqual(keysOf(STATE, "ArrowUp"), { patch: [2, 5], hovered: null });
  assert.deepEqual(keysOf(STATE, " "), { patch: [3, 5], pinned: true, hovered: null });
  assert.equal(keysOf({ ...STATE, pinned: true }, " ").pinned, false);
  assert.deepEqual(keysOf(STATE, "Escape"), { pinned: false, hovered: null });
  assert.equal(keysOf(STATE, "x"), null);
});

test("while the answer is veiled the patch stays, and a click shows the answer", () => {
  const veiled = { ...STATE, veiled: true };
  for (const key of ["ArrowUp", " ", "Escape"]) assert.equal(keysOf(veiled, key), null, key);
  const asked = [];
  const marks = layout(veiled, ROOM, { next: () => asked.push("next") });
  const hold = marks.find(({ id }) => id === "hold");
  assert.equal(hold.hover, undefined);
  hold.pick([0, 0]);
  assert.deepEqual(asked, ["next"]);
});

test("whoever moves on is asked about the patch that is chosen", () => {
  const asks = (patch) => `${patch} asks “who is like me?” Who gets the weight?`;
  assert.equal(asksOf({ ...STATE, pinned: true }), asks("Row 4, column 6"));
  assert.equal(asksOf({ ...STATE, hovered: [0, 1] }), asks("Row 1, column 2"));
  assert.equal(asksOf({ ...STATE, equal: true }), null);
});
