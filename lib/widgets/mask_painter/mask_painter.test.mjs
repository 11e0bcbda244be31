import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { answerOf, caption, keysOf, layout, painted, path } from "./mask_painter.mjs";
import { spell } from "./sums.mjs";
import { softmax } from "../frame/matrices.mjs";
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

test("a blocked cell holds what a mask writes, before the softmax or after it", () => {
  const [before, after] = [blocked, cut].map((what) => texts(marksOf(what)));
  assert.match(before, /\u2212\u221e/);
  assert.ok(after.includes("\u00d7 0 ") && !after.includes("\u221e"));
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
  const last = blocked.mask.map(() => [true, false, false, false, false, false]);
  assert.equal(answerOf(state(blocked, { mask: last }), 0).words, "the last one");
  const told = [start, cut, divided, black].map((what) => answerOf(state(what), 0));
  assert.deepEqual(
    told.map(({ words, kind }) => `${words}: ${kind}`),
    ["nobody: free", "nobody: sum", "all five: divided", "nobody: black"],
  );
});

test("everything stands in the room and nothing on anything else", () => {
  for (const room of ROOMS)
    for (const what of [start, blocked, cut, divided, black])
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
  assert.doesNotMatch(texts(hidden), /2\.0|0\.38|all five/);
  assert.ok(
    hidden.find(({ id }) => id === "whole gap 3"),
    "what it was stays, as a gap",
  );
  assert.ok(hidden.some(({ id, text }) => id === "ask" && text === "?"));
  assert.match(texts(marksOf(blocked)), /0\.38.*all five each \u00d7 2\.0(?!\d)/);
});

const marksOf = (what, more) => layout(state(what, more), ROOMS[0], {});
const piecesOf = (what, kind, more) =>
  tokens.map((_, j) => marksOf(what, more).find(({ id }) => id === `${kind} ${j}`));
const longOf = (pieces) => pieces.reduce((sum, piece) => sum + (piece?.w ?? 0), 0);
const LONG = longOf(piecesOf(start, "whole"));

test("what is left of a row that is masked after the softmax falls short of the strip", () => {
  const left = longOf(piecesOf(cut, "cut"));
  assert.match(texts(marksOf(cut)), new RegExp(`adds up to ${(left / LONG).toFixed(2)}`));
  const [gap] = marksOf(cut).filter(({ id }) => id.startsWith("cut gap"));
  assert.ok(Math.abs(left + gap.w - LONG) < 1e-9, "the gap is all that is missing");
  assert.equal(longOf(piecesOf(cut, "cut", { veiled: true })), 0, "it is asked");
});

test("a row that lost little grows by a factor that is not written as 1", () => {
  const mask = [[true, true, true, true, false, true], ...start.mask.slice(1)];
  assert.match(texts(marksOf(start, { mask })), /all five each \u00d7 1\.03/);
  assert.match(texts(marksOf(start)), /nobody in this row nothing is blocked/);
});

test("before anything is blocked, nothing says who gets it", () => {
  const largest = (what, done) =>
    layout(state(what, { done }), ROOMS[0], {}).find(({ id }) => id.startsWith("answer"));
  assert.equal(largest(start, 0).text, "?");
  assert.equal(longOf(piecesOf(start, "before", { done: 0 })), 0);
  assert.equal(largest(start, 1).text, "nobody", "the mask was taken away again");
  assert.equal(largest(cut, 0).text, "nobody", "a mask of the start");
});

test("a share has one tint, in every row of the map and in the strip", () => {
  const marks = marksOf(start, { done: 0 });
  const find = (id) => marks.find((mark) => mark.id === id);
  const tintsOf = (kind) => tokens.map((_, j) => find(`${kind}${j}`).tint);
  const tints = tintsOf("cell 0.");
  assert.deepEqual(tints, tintsOf("whole "));
  assert.ok(tints[3] > tints[0] + 0.35);
  for (const [i, row] of start.shown.shares.entries())
    for (const [j, share] of row.entries()) {
      const cell = find(`cell ${i}.${j}`);
      assert.deepEqual([cell.tint, cell.o], [share, 1]);
    }
  assert.match(texts(marks), /\? gets what is blocked/);
});

test("rows of which nothing is told step back, but not while several are painted", () => {
  const seen = (what, more) =>
    [0, 1].map((i) => marksOf(what, more).find(({ id }) => id === `cell ${i}.1`).o);
  const mask = blocked.mask.with(1, [false, true, true, true, true, true]);
  assert.deepEqual(
    [seen(start), seen(blocked, { mask })],
    [
      [1, 1],
      [1, 1],
    ],
  );
  const [told, idle] = seen(blocked);
  assert.ok(told === 1 && idle < 0.5);
  assert.deepEqual(seen(blocked, { here: [1, 0] }), [1, 1], "another row is looked at");
});

test("what was blocked leaves a gap, and flows to the others, beside what each of them had", () => {
  const gapsOf = (what) => marksOf(what).filter(({ id }) => id.startsWith("whole gap "));
  const streamsOf = (...what) => marksOf(...what).filter(({ id }) => id.startsWith("stream "));
  const mask = [[true, false, true, false, true, true], ...start.mask.slice(1)];
  const weights = [softmax(golden.scores, mask[0]), ...start.shown.weights.slice(1)];
  const two = { mask, shown: { ...start.shown, weights } };
  assert.deepEqual(
    [start, blocked, two, cut, black].map((what) => gapsOf(what).length),
    [0, 1, 2, 1, 6],
  );
  for (const what of [blocked, two]) {
    for (const { id, x, w } of gapsOf(what)) {
      const own = streamsOf(what).filter((mark) => mark.id.startsWith(`stream ${id.at(-1)} `));
      assert.ok(Math.abs(longOf(own) - w) < 1e-9 && Math.abs(own[0].x - x) < 1e-9);
    }
    for (const [to, piece] of piecesOf(what, "before").entries()) {
      if (!what.mask[0][to]) continue;
      const had = piecesOf(what, "whole")[to];
      const got = longOf(streamsOf(what).filter(({ id }) => id.endsWith(` ${to}`)));
      assert.ok(Math.abs(had.w + got - piece.w) < 1e-9);
      assert.deepEqual([piece.from.x, piece.from.w], [had.x, had.w], "it sets out there");
    }
    assert.ok(Math.abs(longOf(piecesOf(what, "before")) - LONG) < 1e-9, "the strip is whole");
  }
  for (const what of [start, cut, divided, black]) assert.deepEqual(streamsOf(what), []);
  assert.deepEqual(streamsOf(blocked, { veiled: true }), []);
});

test("a weight is equally long in every strip of every step", () => {
  for (const what of [start, blocked, cut, divided])
    for (const [j, share] of what.shown.shares[0].entries())
      for (const kind of ["whole", "cut"]) {
        const piece = piecesOf(what, kind)[j];
        if (piece) assert.ok(Math.abs(piece.w - share * LONG) < 1e-9);
      }
});

test("divided by its sum the row is that of a mask before the softmax", () => {
  for (let j = 0; j < 6; j++) {
    const [masked, same] = [piecesOf(blocked, "before")[j], piecesOf(divided, "divided")[j]];
    assert.deepEqual([masked?.x, masked?.w], [same?.x, same?.w]);
  }
  assert.match(texts(marksOf(divided)), /all five each \u00f7 0\.49/);
  assert.doesNotMatch(texts(marksOf(divided, { veiled: true })), /0\.23|all five/);
});

test("over each weight stands whose it is; after the softmax what is blocked is lost", () => {
  const said = (what, id) => texts(marksOf(what).filter((mark) => mark.id === id));
  assert.deepEqual(
    [said(blocked, "whole weight 3"), said(cut, "cut weight 3")],
    ["0.51", "0.51 lost"],
  );
  for (const [j, word] of tokens.entries())
    assert.equal(said(blocked, `before word ${j}`), j === 3 ? "" : word);
  assert.equal(said(cut, "cut word 3"), "tired");
});

test("the sentence says what to see; on a bar it has the sum behind it", () => {
  const says = (what, changes) => caption(state(what, changes));
  assert.match(says(start, { done: 0 }), /^Click or drag/);
  assert.match(says(blocked, { veiled: true }), /^Predict first: who gets/);
  assert.equal(says(blocked), "Score −∞: the keys that are left get its share, in proportion.");
  assert.match(says(blocked, { here: [1, 0] }), /for it nothing changes/);
  assert.match(says(cut), /^Nobody gets it: .* short of 1\. So a mask goes before/);
  assert.match(says(cut, { here: [1, 0] }), /for it nothing changes/);
  assert.match(says(divided), /^The same row/);
  assert.match(says(black), /a plain softmax divides 0 by 0\.$/);
  assert.equal(says(blocked, { here: [0, 9] }), "weight(it, tired): blocked, exactly 0.");
});

test("keys walk over map and bars, and the space bar paints", () => {
  assert.deepEqual(keysOf(state(start), "End").here, [0, 11]);
  assert.deepEqual(keysOf(state(start), "ArrowDown").here, [1, 3]);
  assert.deepEqual(keysOf(state(start), " ").mask, blocked.mask);
  assert.deepEqual(keysOf(state(blocked, { here: [0, 9] }), " ").mask, start.mask);
});

test("while it is asked who gets what is blocked, it stays blocked", () => {
  const asked = state(blocked, { veiled: true });
  for (const key of [" ", "ArrowDown"]) assert.deepEqual(keysOf(asked, key), {});
  assert.deepEqual(painted(asked, [[0, 3]], true), {}, "a click");
  assert.ok(painted(asked, [[0, 4]], false).mask, "a drag blocks more");
});
