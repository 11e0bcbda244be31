import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { answerOf, caption, keysOf, layout, painted, path } from "./mask_painter.mjs";
import { spell } from "./sums.mjs";
import { outside, overlaps, writings } from "../../../tests/widgets/room.mjs";

const golden = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const { tokens, start, blocked, cut, black } = golden.states;
const ROOMS = [
  { width: 1216, height: 456 },
  { width: 1216, height: 700 },
];
const own = { here: [0, 3], paint: false, veiled: false, before: null, done: 1, tokens };
const shownDivided = { ...blocked.shown, after: true, renormalise: true };
const divided = { ...blocked, shown: shownDivided };

const state = (what, changes = {}) => ({ ...own, ...what, ...changes });
const texts = (marks) => writings(marks).join(" ");

test("a weight is spelled out as lib computes it, before and after the softmax", () => {
  for (const { allowed, after, renormalise, texts } of golden.cases)
    for (const [j, text] of texts.entries())
      assert.equal(spell(golden.scores, allowed, j, after, renormalise), text);
});

test("a fast pointer paints the cells that it jumped over", () => {
  assert.deepEqual(path([0, 0], [0, 3]), [
    [0, 1],
    [0, 2],
    [0, 3],
  ]);
  assert.deepEqual(path([3, 3], [1, 1]), [
    [2, 2],
    [1, 1],
  ]);
  assert.deepEqual(path([2, 2], [2, 2]), []);
});

test("the answer says how many get it; below it the factor by which all have grown", () => {
  assert.equal(answerOf(state(blocked), 0).words, "all five");
  for (const [j, weight] of blocked.shown.weights[0].entries())
    if (j !== 3) assert.equal((weight / blocked.shown.shares[0][j]).toFixed(2), "2.03");
  assert.equal(answerOf(state(divided, { done: 3 }), 0).words, "yes");
  const last = blocked.mask.map(() => [true, false, false, false, false, false]);
  assert.equal(answerOf(state(blocked, { mask: last }), 0).words, "the last one");
  assert.equal(answerOf(state(start), 0).number.toFixed(2), "0.51");
  assert.deepEqual(
    [answerOf(state(cut), 0).kind, answerOf(state(black), 0).kind],
    ["sum", "black"],
  );
});

test("everything stands in the room and nothing on anything else", () => {
  for (const room of ROOMS)
    for (const what of [start, blocked, cut, black])
      for (const veiled of [true, false]) {
        const marks = layout(state(what, { veiled }), room, {});
        assert.deepEqual(outside(marks, room), []);
        assert.deepEqual(overlaps(marks), []);
      }
});

test("a first blocked cell veils the answer, and what is veiled is written nowhere", () => {
  assert.deepEqual(painted(state(start, { done: 0 }), [[0, 3]], false), {
    mask: blocked.mask,
    here: [0, 3],
    veiled: true,
    done: 1,
  });
  assert.equal(painted(state(start), [[0, 3]], false).veiled, undefined, "only the first");
  const hidden = layout(state(blocked, { veiled: true }), ROOMS[0], {});
  assert.doesNotMatch(texts(hidden), /2\.03|0\.38|all five/);
  assert.ok(
    hidden.some(({ id }) => id === "was 3"),
    "what it was stays, dashed",
  );
  const asked = hidden.filter(({ id, text }) => id.startsWith("ask ") && text === "?");
  assert.equal(asked.length, 6, "each bar is asked where its number will stand");
  assert.match(texts(layout(state(blocked), ROOMS[0], {})), /0\.38.*all five each \u00d7 2\.03/);
});

test("what is left of a row that is masked after the softmax stands under a mark at 1", () => {
  const marks = layout(state(cut), ROOMS[0], {});
  const find = (name) => marks.find(({ id }) => id === name);
  const [whole, ...parts] = [
    find("whole"),
    ...cut.shown.weights[0].map((_, j) => find(`sum ${j}`)),
  ];
  const left = parts.reduce((sum, part) => sum + (part?.w ?? 0), 0);
  assert.ok(Math.abs(left / whole.w - answerOf(state(cut), 0).number) < 1e-9);
  const hidden = layout(state(cut, { veiled: true }), ROOMS[0], {});
  assert.ok(!hidden.some(({ id }) => id.startsWith("sum ")), "the sum is asked");
});

test("before anything is blocked, no number says who gets it", () => {
  const largest = (what, done) =>
    layout(state(what, { done }), ROOMS[0], {}).find(({ id }) => id.startsWith("answer"));
  assert.equal(largest(start, 0).text, "?");
  assert.ok(largest(start, 1).number > 0.5, "the mask was taken away again");
  assert.ok(largest(cut, 0).number < 1, "a mask of the start");
});

test("what is blocked is dashed, and cut into what the others get of it", () => {
  const marksOf = (what, more) => layout(state(what, more), ROOMS[0], {});
  const dashed = (what) => marksOf(what).filter(({ id }) => id.startsWith("was ")).length;
  assert.deepEqual([dashed(start), dashed(blocked), dashed(cut), dashed(black)], [0, 1, 1, 6]);
  const marks = marksOf(blocked);
  const lost = marks.find(({ id }) => id === "was 3");
  const gains = marks.filter(({ id }) => id.startsWith("more "));
  assert.ok(Math.abs(gains.reduce((sum, { w }) => sum + w, 0) - lost.w) < 1e-9, "nothing is lost");
  let x = lost.x;
  for (const { from, w } of gains) {
    assert.ok(Math.abs(from.x - x) < 1e-9 && Math.abs(from.w - w) < 1e-9, "a piece of its own");
    x += w;
  }
  assert.equal(marks.filter(({ id }) => id.startsWith("cut 3.")).length, gains.length - 1);
  assert.ok(!marksOf(cut).some(({ id }) => /^(cut|more)/.test(id)), "nobody gets it");
});

test("the longest bar fills its room, and what is kept is as long after as before", () => {
  const barsOf = (what) => layout(state(what), ROOMS[0], {}).filter(({ id }) => /^kept/.test(id));
  const [whole, kept] = [barsOf(start), barsOf(blocked)];
  const longest = Math.max(...whole.map(({ w }) => w));
  const cells = layout(state(start), ROOMS[0], {}).find(({ id }) => id === "paint");
  assert.ok(longest > cells.w && whole[3].w === longest);
  for (const [j, { w }] of kept.entries()) if (j !== 3) assert.ok(Math.abs(w - whole[j].w) < 1e-9);
});

test("divided by its sum the row stands beside that of a mask before the softmax", () => {
  for (const room of ROOMS)
    for (const veiled of [true, false]) {
      const marks = layout(state(divided, { veiled, done: 3 }), room, {});
      assert.deepEqual([outside(marks, room), overlaps(marks)], [[], []]);
      for (let j = 0; j < 6; j++) {
        const [first, second] = ["before", "kept"].map((name) =>
          marks.find(({ id }) => id === `${name} ${j}`),
        );
        if (veiled) assert.ok(!second, "the second is asked");
        else assert.deepEqual([first.y, first.w], [second.y, second.w]);
      }
    }
  const label = (veiled) => {
    const marks = layout(state(divided, { veiled, done: 3 }), ROOMS[0], {});
    return marks.find(({ id }) => id === "answer-label");
  };
  assert.deepEqual([label(true).text, label(false).text], ["is it the same?", "each \u00f7 0.49"]);
});

test("the row that asks has its scores, minus infinity where masked before the softmax", () => {
  const score = (what) => layout(state(what), ROOMS[0], {}).find(({ id }) => id === "score 3").text;
  assert.deepEqual([start, blocked, cut].map(score), ["1.9", "\u2212\u221e", "1.9"]);
});

test("the sentence says what to see; on a bar it has the sum behind it", () => {
  const says = (what, changes) => caption(state(what, changes));
  assert.match(says(start, { done: 0 }), /^Click or drag/);
  assert.match(says(blocked, { veiled: true }), /^Predict first: who gets/);
  assert.equal(says(blocked), "The keys that are left get it, in proportion: the pale ends.");
  assert.match(says(blocked, { here: [1, 0] }), /for it nothing changes/);
  assert.match(says(cut), /^Nobody gets it: .* short of 1\.$/);
  assert.match(says(black), /a plain softmax divides 0 by 0\.$/);
  assert.equal(says(blocked, { here: [0, 9] }), "weight(it, tired): blocked, exactly 0.");
});

test("keys walk over map and bars, and the space bar paints", () => {
  assert.deepEqual(keysOf(state(start), "End").here, [0, 11]);
  assert.deepEqual(keysOf(state(start), "ArrowDown").here, [1, 3]);
  assert.deepEqual(keysOf(state(start), " ").mask, blocked.mask);
  assert.deepEqual(keysOf(state(blocked, { here: [0, 9] }), " ").mask, start.mask);
});
