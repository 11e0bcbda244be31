import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { asks, caption, cuts, few, keysOf, layout, softmax } from "./bars.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const cases = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));

test("the bars' softmax is that of lib, with one score standing for many keys", () => {
  for (const { scores, copies, weights } of cases)
    for (const [i, weight] of softmax(scores, copies).entries())
      assert.ok(Math.abs(weight - weights[i]) < 1e-12);
});

test("a small share is not written as nothing", () => {
  assert.deepEqual([0, 1e-9, 0.0018, 0.0265, 0.9978, 1].map(few), [
    "0.000",
    "<.001",
    "0.002",
    "0.03",
    "0.998",
    "1.000",
  ]);
});

const ROOM = { width: 1216, height: 456 };
const STATE = {
  tokens: ["animal", "didn't", "cross", "street", "it", "was", "too", "tired"],
  scores: [2, -1, 0.5, 1, -2, 0, -0.5, 1.5],
  copies: 1,
  temperature: 1,
  here: 0,
  veiled: false,
  before: null,
};
const STATES = [
  STATE,
  { ...STATE, veiled: true },
  { ...STATE, scores: STATE.scores.map((score) => score * 9), before: STATE },
  { ...STATE, copies: 4089, here: 7 },
  { ...STATE, veiled: true, before: STATE },
  { ...STATE, tokens: ["a", "b"], scores: [1000, -1000] },
];

test("everything stands in the room, and no text on another", () => {
  for (const state of STATES) {
    const marks = layout(state, ROOM, {});
    assert.deepEqual([outside(marks, ROOM), overlaps(marks), twins(marks)], [[], [], []]);
  }
});

test("while the answer is veiled no share is written", () => {
  const ids = layout({ ...STATE, veiled: true }, ROOM, {}).map(({ id }) => id);
  assert.ok(ids.includes("veil") && !ids.some((id) => /percent|^answer$|^share/.test(id)));
});

test("before anything was asked or moved, no number answers", () => {
  const has = (state) => layout(state, ROOM, {}).some(({ id }) => id === "answer");
  assert.ok(!has(STATE), "a first sight");
  assert.ok(has({ ...STATE, moved: true }) && has({ ...STATE, before: STATE }));
});

test("what was before stays as a ghost of each bar that moved", () => {
  const now = { ...STATE, scores: STATE.scores.with(2, 3), before: STATE };
  const ghosts = layout(now, ROOM, {}).filter(({ id }) => id.startsWith("was ") && id.length < 7);
  assert.deepEqual(
    ghosts.map(({ id }) => id),
    ["was 2"],
  );
});

test("where other scores came in their place, nothing of before is left", () => {
  const now = { ...STATE, scores: STATE.scores.map((_, i) => (i ? 0 : 2)), before: STATE };
  const ids = layout(now, ROOM, {}).map(({ id }) => id);
  assert.ok(ids.includes("answer") && !ids.some((id) => /^was |before/.test(id)));
});

test("× 3 has the ghosts of what was multiplied, also where 3 was added before", () => {
  const [added, tripled] = [
    STATE.scores.map((score) => score + 3),
    STATE.scores.map((score) => 3 * score),
  ];
  const ghosts = (before) =>
    layout({ ...STATE, scores: tripled, before: { ...STATE, scores: before } }, ROOM, {})
      .filter(({ id }) => id.startsWith("was ") && id.length < 7)
      .map(({ y, h }) => [y, h]);
  assert.deepEqual(ghosts(added), ghosts(STATE.scores));
});

test("the strip of before stays too, also while now is asked", () => {
  const tripled = { ...STATE, scores: STATE.scores.map((score) => 3 * score), before: STATE };
  for (const veiled of [false, true]) {
    const marks = layout({ ...tripled, veiled }, ROOM, {});
    const cells = marks.filter(({ id }) => id.startsWith("was cut "));
    const wide = cells.reduce((sum, { w }) => sum + w, 0);
    assert.ok(cells.length === 8 && Math.abs(wide - ROOM.width) < 1e-9);
    assert.ok(
      cells.every((mark) => mark.class === "ghost"),
      "no shade, which would say another share",
    );
  }
  const unseen = { ...tripled, before: { ...STATE, veiled: true } };
  assert.ok(!layout(unseen, ROOM, {}).some(({ id }) => id.startsWith("was cut ")), "nobody saw it");
});

test("no edge of a ghost runs through the digits of its bar", () => {
  for (const [score, was] of [
    [1.5, 3],
    [3, 4],
    [-1, -2.2],
    [-6, -5],
    [2, 6],
  ]) {
    const before = { ...STATE, scores: STATE.scores.with(2, was) };
    const marks = layout({ ...STATE, scores: STATE.scores.with(2, score), before }, ROOM, {});
    const [foot, ghost] = ["digits 2", "was 2"].map((id) => marks.find((mark) => mark.id === id));
    const edge = score > 0 ? ghost.y : ghost.y + ghost.h;
    assert.ok(edge > foot.y + 4 || edge < foot.y - 20, `${score} after ${was}`);
  }
});

test("+ 3 to all and × 3 are told as what they are", () => {
  const more = { ...STATE, scores: STATE.scores.map((score) => score + 3), before: STATE };
  assert.match(caption(more), /Nothing moves/);
  assert.match(caption(STATE), /animal.* score 2.0 and gets 0.40/);
  const tripled = { ...more, scores: STATE.scores.map((score) => score * 3) };
  assert.equal(caption(tripled), "The lead over \u201ctired\u201d grows from 0.5 to 1.5.");
  assert.match(caption({ ...tripled, here: 3 }), /street.* gets/, "which does not lead");
});

test("arrow keys choose a word and change its score, with Shift a little", () => {
  assert.deepEqual(keysOf(STATE, "ArrowRight"), { here: 1 });
  assert.equal(keysOf(STATE, "ArrowUp").scores[0], 2.5);
  assert.equal(keysOf(STATE, "ArrowUp", { shiftKey: true }).scores[0], 2.1);
  for (const key of ["ArrowUp", "ArrowRight", "End"])
    assert.deepEqual(keysOf({ ...STATE, veiled: true }, key), {}, "of what is asked");
  assert.equal(keysOf(STATE, "x"), null);
});

test("another word is asked about by its name, unless it is what happens to all", () => {
  const moved = { ...STATE, moved: true, here: 1 };
  assert.equal(asks(moved), "How large is the share of “didn't”?");
  assert.ok(!asks({ ...STATE, here: 1 }), "nothing was asked yet");
  const added = { ...moved, scores: STATE.scores.map((score) => score + 3), before: STATE };
  assert.ok(!asks(added), "nothing, whichever is pointed at");
});

test("the strip is cut where the shares add up", () => {
  assert.deepEqual(cuts([0.5, 0.25, 0.125], 2), [0, 0.5, 0.75, 1]);
});

test("times 3 is not told as nothing, even where one word has it all", () => {
  const steep = { ...STATE, temperature: 0.1, scores: STATE.scores.with(3, 6) };
  const now = { ...steep, scores: steep.scores.map((score) => score * 3), before: steep };
  assert.doesNotMatch(caption(now), /Nothing moves/);
});

test("3 added to all does nothing, and that is the large word", () => {
  const told = (changes) => {
    const marks = layout({ ...STATE, ...changes }, ROOM, {});
    return ["answer", "answer-label"].map((id) => marks.find((mark) => mark.id === id)?.text);
  };
  const more = { scores: STATE.scores.map((score) => score + 3), before: STATE };
  assert.deepEqual(told(more), ["nothing", "\u201canimal\u201d keeps 0.40"]);
  assert.equal(told({ ...more, veiled: true })[1], "shares after + 3");
  assert.equal(told({})[1], "shares after + 3", "no share, which could be read off below");
});

test("many rivals say what they get together: with the leader's share it is 1", () => {
  const many = { ...STATE, scores: STATE.scores.map(() => 0).with(0, 2), copies: 4089 };
  const told = (state) => {
    const mark = layout(state, ROOM, {}).find(({ id }) => id === "together");
    return mark.format(mark.number);
  };
  assert.equal(told(many), "0.998: the other 4,095");
  assert.equal(told({ ...many, here: 7 }), "0.997 together", "what stands in this part");
  const left = (state) => {
    const mark = layout(state, ROOM, {}).find(({ id }) => id === "answer");
    return mark.format(mark.number);
  };
  assert.equal(left({ ...many, moved: true }), "0.002");
  assert.equal(left({ ...many, moved: true, temperature: 0.1 }), "1.000");
  assert.equal(
    caption(many),
    "\u201canimal\u201d counts e^2.0 \u2248 7.4, each other key e^0 = 1.",
  );
  assert.match(caption({ ...many, here: 7 }), /^Each other key .* gets <.001; together 0.997\.$/);
  const last = layout(many, ROOM, {}).find(({ id }) => id === "copies");
  assert.equal(last.format(last.number), "4,089 others", "where else its word stands");
  const score = layout(many, ROOM, {}).find(({ id }) => id === "digits 7");
  assert.deepEqual([score.format(score.number), score.x], ["0.0 each", last.x]);
});

test("a shade says how large a share is, whichever word is chosen", () => {
  for (const here of [0, 3]) {
    const marks = layout({ ...STATE, here }, ROOM, {});
    const tints = marks.filter(({ id }) => id.startsWith("share ")).map(({ tint }) => tint);
    const ribbons = marks.filter(({ id }) => id.startsWith("ribbon ")).map((mark) => mark.o);
    const shares = softmax(STATE.scores);
    assert.deepEqual(tints, ribbons, "what hangs together has one colour");
    for (const [i, one] of shares.entries())
      for (const [k, other] of shares.entries()) assert.equal(tints[i] > tints[k], one > other);
  }
});
