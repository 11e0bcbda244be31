import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { hand, partsOf, putting, total, turnTo } from "./faces.mjs";
import { caption, keysOf, layout, placesSeen } from "./clocks.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const cases = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const ROOM = { width: 1216, height: 456 };
const STATE = {
  p: 1,
  k: 2,
  start: [1, 2],
  asks: "p",
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
    const pieces = (changed) =>
      layout({ ...state, ...changed }, ROOM, {})
        .filter(({ id }) => /^piece /.test(id))
        .map(({ x, y, w, h }) => ({ x, y, w, h }));
    assert.equal(pieces({}).length, dModel / 2);
    near(total(partsOf(state)), wanted);
    near(find(state, "product").number, wanted);
    assert.deepEqual(pieces({ p: 50 }), pieces({}));
  }
});

test("the parts lie end to end, to the left below zero, and end at the product", () => {
  const cases = [8, 16, 32].flatMap((dModel) => [2, 9, 28].map((k) => [dModel, k]));
  for (const [dModel, distance] of cases) {
    const state = { ...STATE, d_model: dModel, k: distance };
    const parts = partsOf(state);
    const pieces = parts.map((_, i) => find(state, `piece ${i}`));
    const unit = pieces.reduce((sum, { w }) => sum + w, 0) / total(parts.map(Math.abs));
    for (const [i, { w }] of pieces.entries()) near(w, unit * Math.abs(parts[i]));
    const last = pieces[parts.findLastIndex((part) => part > 0)];
    const zero = find(state, "zero name").x;
    near(last.x + last.w, zero + unit * find(state, "product").number);
    const [start] = pieces.filter((_, i) => parts[i] > 0);
    near(start.x, Math.min(zero, ...pieces.filter((_, i) => parts[i] < 0).map(({ x }) => x)));
  }
});

test("a part has its digits in its piece, and how far the sum went before is an outline", () => {
  const told = (state) =>
    layout({ ...state, d_model: 8 }, ROOM, {})
      .filter(({ id }) => /^part/.test(id))
      .map(({ format, number }) => format(number))
      .join(" ");
  assert.equal(told(STATE), "\u22120.42 0.98 1.00 1.00");
  assert.equal(told({ ...STATE, k: 9 }), "\u22120.91 0.62 1.00 1.00");
  const outline = (state) => find(state, "sum before")?.w;
  assert.equal(outline(STATE), undefined);
  assert.equal(outline({ ...MOVED, k: 9, asks: "k" }), outline(MOVED));
});

test("every clock is drawn, all alike and none on another", () => {
  for (const dModel of [4, 8, 16, 32]) {
    const faces = layout({ ...STATE, d_model: dModel }, ROOM, {}).filter(({ id }) =>
      id.startsWith("face "),
    );
    assert.equal(faces.length, dModel / 2);
    for (const [i, { x, y, r }] of faces.entries()) {
      assert.deepEqual([y, r], [faces[0].y, faces[0].r]);
      assert.ok(i === 0 || x - r > faces[i - 1].x + r);
    }
    assert.ok(faces[0].r > (dModel > 8 ? 24 : 100));
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
    ...[3, 4, 6, 9, 60].map((k) => ({ ...MOVED, k, asks: "k", before: MOVED })),
    ...[2, 3, 5, 7, 50].map((place) => ({ ...MOVED, p: place })),
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
    for (const place of places) assert.equal(find(state, `place ${place}`).text, `${place}`);
    assert.equal(Boolean(find(state, "cut")), places.length < 7, "a line that leaves places out");
    const [near, far] = ["query", "key"].map((kind) => find(state, `name ${kind}`));
    assert.deepEqual([near.text, far.text], ["p", `p + k, k = ${distance}`]);
    assert.ok(near.x < far.x);
  }
});

test("that nothing changed is said: no, and the product as before", () => {
  const label = (state) => (find(state, "told") ?? find(state, "answer-label")).text;
  assert.equal(find(MOVED, "answer").text, "no");
  assert.equal(label(MOVED), "product: 6.37, as before");
  const further = { ...MOVED, k: 9, asks: "k" };
  assert.equal(label(further), "product: 6.37 \u2192 3.71");
  assert.equal(find(further, "answer").text, "yes");
  const veiled = { ...MOVED, veiled: true };
  assert.equal(label(veiled), "product before: 6.37");
  assert.ok(find(veiled, "veil") && !find(veiled, "answer") && !find(veiled, "product"));
  assert.ok(!find(veiled, "piece 0") && !find(veiled, "sum before"), "now is asked");
  assert.ok(find(veiled, "near 0") && !find(veiled, "between 0"), "the hands, not their angle");
  const anew = { ...MOVED, before: null, moved: true }; // a picture, or a page that was reopened
  assert.equal(find(anew, "answer").text, "no");
  assert.equal(label(STATE), "product now: 6.37");
  assert.ok(find(STATE, "answer-veil").size > find(STATE, "product").size, "it is asked");
});

test("an answer fits what is asked, which is about what was moved last", () => {
  const both = { ...MOVED, k: 3 }; // k, then p, in one gesture
  assert.equal(find(both, "told").text, "product: 5.54, as before");
  const none = { ...MOVED, asks: "k", before: MOVED, moved: true }; // k, and back
  assert.ok(!find(none, "answer-veil") && !find(none, "answer"));
  assert.match(caption(none), /^Cosines add up/);
  const mixed = { ...MOVED, asks: "order", order: [1, 0, 2, 3, 4, 5], before: MOVED };
  assert.equal(find(mixed, "answer").text, "no");
  for (const name of ["p", "k"]) assert.equal(putting(MOVED, name, 20).asks, name);
});

test("the angle of before stays, dashed, where it was beside that of now", () => {
  const [was, now] = ["angle before 1", "between 1"].map((id) => find(MOVED, id));
  const { angle, spread } = find(STATE, "between 1");
  assert.deepEqual([was.angle, was.spread], [angle, spread]);
  assert.ok(now.angle > angle && now.spread === spread);
  for (const before of [null, MOVED]) assert.ok(!find({ ...MOVED, before }, "angle before 1"));
});

test("the cosine of an angle is named below its clock, and not while it is asked", () => {
  const told = (state) =>
    layout({ ...state, d_model: 8 }, ROOM, {})
      .filter(({ id }) => id.startsWith("cosine"))
      .map(({ format, number }) => format(number));
  const names = (...pairs) => pairs.map(([angle, cosine]) => `cos ${angle}\u00b0 = ${cosine}`);
  const first = names([115, "\u22120.42"], [11, "0.98"], [1, "1.00"], [0, "1.00"]);
  assert.deepEqual(told(STATE), first);
  const further = { ...MOVED, k: 9, asks: "k", before: MOVED };
  const last = names([156, "\u22120.91"], [52, "0.62"], [5, "1.00"], [1, "1.00"]);
  assert.deepEqual(told(further), last);
  assert.deepEqual(told({ ...further, veiled: true }), []);
});

test("a word in a frame is ink, wherever the sentence begins anew, and that is said once", () => {
  const kinds = (state) => ["word 5 1", "word 4 1"].map((id) => find(state, id)?.class);
  assert.deepEqual(kinds(MOVED), ["bold", "faint"]);
  assert.equal(find(MOVED, "again").text, "\u2026 and again");
  assert.ok(!find({ ...STATE, words: Array(8).fill("the"), order: [...Array(8).keys()] }, "again"));
});

test("both frames are alike; in one place, one lies in the other", () => {
  const sizes = (state) => ["query", "key"].map((kind) => find(state, `mark ${kind}`).h);
  const [query, key] = sizes(STATE);
  assert.equal(query, key);
  assert.ok(sizes({ ...STATE, k: 0 })[1] < query);
});

test("the first step of both places veils the product, later ones do not", () => {
  const veil = { done: 1, veiled: true };
  const [both, alone] = ["p", "k"].map((asks) => ({ asks, here: null }));
  assert.deepEqual(keysOf(STATE, "ArrowRight"), { p: 2, ...both, ...veil });
  assert.deepEqual(keysOf(MOVED, "ArrowLeft"), { p: 10, ...both });
  assert.deepEqual(keysOf(MOVED, "ArrowUp"), { k: 3, ...alone });
  assert.deepEqual(keysOf(MOVED, "ArrowRight", { shiftKey: true }), { k: 3, ...alone });
  assert.deepEqual(keysOf(STATE, "ArrowUp"), {}, "the answer stays what it was");
  assert.deepEqual(keysOf(STATE, " "), { here: 0 });
  assert.deepEqual(keysOf({ ...STATE, here: 7 }, " "), { here: 0 });
  assert.equal(keysOf(STATE, "x"), null);
});

test("while it is asked no key and no other hand changes what is asked", () => {
  const asked = { ...MOVED, done: 2, asks: "k", k: 9, before: MOVED, veiled: true };
  for (const key of ["ArrowRight", "ArrowUp"]) assert.deepEqual(keysOf(asked, key), {});
  assert.equal(keysOf(asked, " "), null);
  assert.deepEqual(putting(asked, "p", 20), {}, "a drag");
  assert.equal(putting(asked, "k", 20).k, 20);
});

test("the sentence says what to see", () => {
  assert.match(caption(STATE), /the position vectors of \u201canimal\u201d and/);
  assert.match(caption(MOVED), /angle between them stays, and so the product/);
  assert.match(caption({ ...MOVED, veiled: true }), /^Moved by 10 places\. .* Enter shows it\.$/);
  assert.match(caption({ ...MOVED, p: 2, here: 1, veiled: true }), /^Moved by 1 place\. Predict/);
  assert.match(caption({ ...STATE, k: 8, asks: "k", before: STATE }), /only k counts/);
  assert.match(caption({ ...STATE, asks: "order", before: STATE }), /clocks do not/);
  assert.equal(
    caption({ ...STATE, here: 1 }),
    "Dimensions 2, 3: sin 0.31, cos 0.95; once round in 19.9 places.",
  );
});
