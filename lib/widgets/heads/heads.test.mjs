import assert from "node:assert/strict";
import test from "node:test";
import { caption, geometry, keysOf, layout } from "./heads.mjs";
import { stateOf } from "../../../tests/widgets/maps.mjs";
import { outside, overlaps } from "../../../tests/widgets/room.mjs";

const WORDS = "<start> the animal didn't cross the street because it was too tired".split(" ");
const MORE = { d_model: 64, d_k: 16, parameters: 16640, usual: 16640, trained: 4 };
const ROOMS = [
  { width: 1216, height: 456 },
  { width: 1216, height: 684 },
];
const ACT = { change() {}, next() {} };

function shown(heads, more = {}) {
  const pointed = { query: 10, moved: true };
  return stateOf(heads, WORDS, { ...MORE, ...pointed, d_k: 64 / heads, ...more });
}

const find = (marks, id) => marks.find((mark) => mark.id === id);

test("nothing leaves the room and no two texts overlap, for any number of heads", () => {
  for (const room of ROOMS)
    for (const heads of [1, 2, 4, 8, 16])
      for (const more of [{}, { before: shown(1) }, { solo: 0 }]) {
        const marks = layout(shown(heads, more), room, ACT);
        assert.deepEqual(outside(marks, room), [], `${heads} heads`);
        assert.deepEqual(overlaps(marks), [], `${heads} heads`);
      }
});

test("a long text, too, stays in the room", () => {
  const tokens = Array.from({ length: 128 }, () => "street");
  const state = { ...stateOf(16, tokens, MORE), d_model: 16, d_k: 1, trained: 0, query: 127 };
  for (const solo of [-1, 3]) {
    const marks = layout({ ...state, solo }, ROOMS[0], ACT);
    assert.deepEqual(outside(marks, ROOMS[0]), []);
    assert.deepEqual(overlaps(marks), []);
    assert.ok(marks.length < 200, "no mark for each cell");
  }
  const four = { ...state, ...stateOf(4, tokens, MORE), d_k: 4, done: 2 };
  const looks = layout(four, ROOMS[0], ACT);
  assert.ok(find(looks, "strip") && find(looks, "look 4.3"));
  assert.deepEqual([outside(looks, ROOMS[0]), overlaps(looks)], [[], []]);
});

test("maps are square, in one row up to 8 heads and in two for 16", () => {
  for (const heads of [1, 2, 4, 8, 16]) {
    const at = geometry(heads, 456);
    const rows = new Set();
    for (let head = 0; head < heads; head++) {
      const { w, h, y } = at.boxOfHead(head);
      assert.equal(w, h);
      assert.ok(w >= 80, `${heads} heads: ${w}`);
      rows.add(y);
    }
    assert.equal(rows.size, heads === 16 ? 2 : 1);
  }
});

test("a line leads from each slice to its map and on, and one map is explained", () => {
  for (const heads of [1, 4, 8]) {
    const at = geometry(heads, 456);
    const marks = layout(shown(heads), ROOMS[0], ACT);
    for (let head = 0; head < heads; head++) {
      const { x, y, w, h } = at.boxOfHead(head);
      const [to, from] = [find(marks, `in ${heads}.${head}`), find(marks, `out ${heads}.${head}`)];
      assert.ok(to.toX > x && to.toX < x + w && to.toY === y, "into the map");
      assert.deepEqual([from.y, from.toY], [y + h, at.merged]);
    }
    const words = marks.filter(({ id }) => id.startsWith("beside")).map(({ text }) => text);
    const expected = heads === 1 ? "Its queries and keys make one map: who looks at whom." : "";
    assert.equal(words.join(" "), expected);
  }
});

test("asked whether the heads look alike, each map is led to the word that it looks at", () => {
  const hidden = shown(4, { done: 2, veiled: true });
  const asked = layout(hidden, ROOMS[0], ACT);
  assert.equal(find(asked, "answer-veil").text, "?");
  assert.ok(!asked.some(({ id }) => /^(map|row|look)/.test(id)), "no map tells it");
  assert.match(caption(hidden), /does “too” look at one word/);
  const state = shown(4, { done: 2, weights: new Float32Array(4 * 12 * 12) });
  for (let head = 0; head < 4; head++) state.weights[(head * 12 + 10) * 12 + head] = 0.5;
  const marks = layout(state, ROOMS[0], ACT);
  for (let head = 0; head < 4; head++) {
    const { x, toX } = find(marks, `look 4.${head}`);
    const [row, chip] = [find(marks, `row 4.${head}`), find(marks, `chip ${head}`)];
    assert.ok(row.x < x && x < row.x + row.w, "out of the row that asks");
    assert.ok(chip.x < toX && toX < chip.x + chip.w, "to the word");
    assert.equal(chip.tint, 0.5, "which is tinted, whichever head looks there");
  }
  assert.ok(!find(marks, "chosen map") && !find(marks, "times scores 4"));
  for (const heads of [4, 8])
    for (const more of [{}, { veiled: true }, { solo: 0 }, { pointed: true }]) {
      const all = layout(shown(heads, { done: 2, ...more }), ROOMS[0], ACT);
      assert.deepEqual([outside(all, ROOMS[0]), overlaps(all)], [[], []]);
    }
});

test("a head alone has the digits of weights that are not 0", () => {
  const state = shown(4, { solo: 0, weights: new Float32Array(4 * 12 * 12) });
  state.weights[10 * 12] = 0.25; // head 1, query 11, key 1
  const cells = layout(state, ROOMS[0], ACT).filter(({ kind }) => kind === "cell");
  const written = cells.map(({ format, number }) => format(number)).filter(Boolean);
  assert.deepEqual(written, [".25"]);
});

test("a slice is cut out where it lies in the uncut bar", () => {
  const marks = layout(shown(4), ROOMS[0], ACT);
  for (let head = 0; head < 4; head++) {
    const { from, x, w } = find(marks, `slice 4.${head}`);
    const merged = find(marks, `merged 4.${head}`);
    assert.deepEqual([from.x, from.w], [merged.x, merged.w]);
    assert.ok(x >= 0 && w < merged.w);
  }
});

test("before it is cut both amounts are as high, and a click on the veil is Enter", () => {
  let asked = 0;
  const act = { change() {}, next: () => asked++ };
  const marks = layout(shown(1), ROOMS[0], act);
  assert.ok(!marks.some(({ id }) => id.startsWith("times")));
  assert.equal(find(marks, "part 1.0").h, find(marks, "block 0").h);
  find(marks, "veil scores").pick();
  assert.equal(asked, 1);
});

test("from 1 head to 16 one column grows on one scale, the other is only cut", () => {
  const one = layout(shown(1), ROOMS[0], ACT);
  const marks = layout(shown(16, { before: shown(4) }), ROOMS[0], ACT);
  const blocks = marks.filter(({ id }) => id.startsWith("block"));
  assert.equal(blocks.length, 16);
  for (const { h } of blocks) assert.equal(h, find(one, "block 0").h);
  const parts = marks.filter(({ id }) => id.startsWith("part"));
  const across = parts.reduce((sum, { w }) => sum + w, 0);
  assert.deepEqual([parts[0].h, across], [find(one, "part 1.0").h, find(one, "part 1.0").w]);
  assert.equal(find(marks, "was scores").h, 4 * blocks[0].h);
  const [still, grown] = ["parameters", "scores"].map((name) => find(marks, `times ${name} 16`));
  assert.deepEqual([still.text, grown.text], ["\u00d7 1", "\u00d7 16"]);
  assert.ok(grown.size > 2 * still.size, "what grows is the answer");
});

test("each new map sends its block to the column, and only then the number comes", () => {
  const marks = layout(shown(4, { before: shown(2) }), ROOMS[0], ACT);
  const { from, delay } = find(marks, "block 3");
  const { x, w } = find(marks, "paper 4.3");
  assert.deepEqual([from.x, from.w], [x, w]);
  assert.ok(find(marks, "times scores 4").delay > delay);
});

test("wider heads have more parameters, on the scale of the scores", () => {
  const wide = shown(16, { d_k: 64, d_model: 16, parameters: 64 * 1024, usual: 1024, trained: 0 });
  const marks = layout(wide, ROOMS[0], ACT);
  assert.equal(find(marks, "times parameters 16").text, "\u00d7 64");
  assert.equal(find(marks, "part 16.0").h, 64 * find(marks, "block 0").h);
  assert.deepEqual([outside(marks, ROOMS[0]), overlaps(marks)], [[], []]);
});

test("only the chosen head has its row marked", () => {
  const marks = layout(shown(8, { head: 5 }), ROOMS[0], ACT);
  const { x, w } = find(marks, "chosen map");
  const row = find(marks, "row 8.5");
  assert.equal(marks.filter(({ id }) => id.startsWith("row ")).length, 1);
  assert.deepEqual([row.x, row.w], [x, w]);
});

test("the caption says whose heads these are", () => {
  assert.match(caption(shown(4)), /^Head 1: “too” looks at “<start>”, 0.08 \(as trained\)\.$/);
  assert.match(caption(shown(8)), /\(trained as 4 heads, cut again\)/);
  assert.match(caption(shown(4, { trained: 0 })), /\(random, not trained\)/);
  assert.match(caption(shown(4, { solo: 0, key: 2 })), /“too” gives “animal” 0.08; most goes/);
  assert.match(caption(shown(1, { moved: false })), /Predict first/);
});

test("the sentence answers what was asked until one points at something", () => {
  const cut = shown(16, { done: 1 });
  assert.equal(caption(cut), "Only the scores grow: 16 tables instead of 1.");
  assert.match(caption({ ...cut, pointed: true }), /^Head 1: /);
  assert.match(caption({ ...cut, parameters: 64 * 1024 }), /^Head 1: /, "both have grown");
  const looks = shown(4, { done: 2, weights: new Float32Array(4 * 12 * 12) });
  const told = () => ["answer", "answer-label"].map((id) => find(layout(looks, ROOMS[0], ACT), id));
  assert.deepEqual(
    told().map((mark) => mark.text),
    ["yes", "4 heads, 1 word"],
  );
  for (let head = 0; head < 4; head++) looks.weights[(head * 12 + 10) * 12 + head] = 0.5;
  assert.deepEqual(
    told().map((mark) => mark.text),
    ["no", "4 heads, 4 words"],
  );
  assert.match(caption(looks), /^Outlined: the row of “too”/);
  const changes = [];
  const act = { ...ACT, change: (change) => changes.push(change) };
  find(layout(looks, ROOMS[0], act), "slice 4.2").pick();
  assert.deepEqual(changes, [{ head: 2, pointed: true }]);
});

test("digits and arrows choose a head, arrows the word that asks, z makes a head large", () => {
  const state = shown(8, { head: 2 });
  assert.deepEqual(keysOf(state, "5"), { head: 4 });
  assert.equal(keysOf(state, "9"), null);
  assert.deepEqual(keysOf(state, "ArrowRight", {}), { head: 3 });
  assert.deepEqual(keysOf(state, "ArrowUp", {}), { query: 9 });
  assert.deepEqual(keysOf(state, "End"), { head: 7 });
  assert.deepEqual(keysOf(state, "z"), { head: 2, solo: 2, key: 0 });
  const zoomed = { ...state, solo: 2 };
  assert.deepEqual(keysOf(zoomed, "z"), { solo: -1 });
  assert.deepEqual(keysOf(zoomed, "Escape"), { solo: -1 });
  assert.deepEqual(keysOf(zoomed, "ArrowLeft", {}), { head: 1, solo: 1 });
  assert.deepEqual(keysOf(zoomed, "ArrowRight", { shiftKey: true }), { key: 1 });
});
