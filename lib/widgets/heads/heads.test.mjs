import assert from "node:assert/strict";
import test from "node:test";
import { caption, placesOf, keysOf, layout, rowPlaces, waitFor } from "./heads.mjs";
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
  assert.ok(find(looks, "strip 4.3"));
  assert.equal(find(looks, "leader 4.3").text, "street 0.01", "the word stands on its weight");
  assert.deepEqual([outside(looks, ROOMS[0]), overlaps(looks)], [[], []]);
});

test("the row of each head has a cell under each word, of which one is framed", () => {
  for (const heads of [1, 2, 4, 8]) {
    const mask = Uint8Array.from({ length: 144 }, (_, i) => i % 12 <= i / 12);
    const state = shown(heads, { done: 2, mask });
    const { columns, rowOf } = rowPlaces(state, ROOMS[0]);
    const marks = layout(state, ROOMS[0], ACT);
    for (let head = 0; head < heads; head++)
      for (const [i, { x, w }] of columns.entries()) {
        const cell = find(marks, `look ${heads}.${head}.${i}`);
        const [word, row] = [find(marks, `word ${i}`), rowOf(head)];
        assert.deepEqual([cell.x, cell.w, cell.y, cell.h], [x, w, row.y, row.h]);
        assert.ok(word.x === x + w / 2 && word.y < row.y, "under its word");
      }
    assert.equal(marks.filter(({ id }) => id.startsWith("most ")).length, heads);
    const later = [...Array(heads).keys()].map((i) => find(marks, `look ${heads}.${i}.11`));
    assert.ok(
      later.every(({ fill }) => /^color-mix.*--line/.test(fill)),
      "hatched is what is predicted",
    );
    const said = later.map(({ format, number }) => format(number)).filter(Boolean);
    assert.deepEqual(said, ["later"], "said once");
  }
});

test("tables are alike, as large as there is room, and all are seen", () => {
  const sizes = [1, 2, 4, 8, 16].map((heads) => placesOf(shown(heads), ROOMS[0]).tableOf(0).w);
  assert.ok(sizes[0] > 200 && sizes[1] > 220 && sizes[2] === sizes[1]);
  assert.ok(sizes[2] > sizes[3] && sizes[3] > sizes[4] && sizes[4] > 110);
  for (const room of ROOMS)
    for (const heads of [1, 2, 4, 8, 16]) {
      const marks = layout(shown(heads), room, ACT);
      const tables = marks.filter(({ id }) => id.startsWith("paper "));
      const maps = marks.filter(({ id }) => id.startsWith("map "));
      assert.equal(tables.length, heads);
      assert.equal(new Set(tables.map(({ w }) => w)).size, 1);
      for (const [i, { x, y, w, h }] of maps.entries()) {
        assert.deepEqual([x, y, w, h], [tables[i].x, tables[i].y, tables[i].w, tables[i].w]);
        const beside = tables.filter((one) => one !== tables[i] && Math.abs(one.y - y) < h);
        assert.ok(
          beside.every((one) => Math.abs(one.x - x) > w),
          "no table on another",
        );
      }
    }
});

test("each table stands under its slice; sixteen stand in two rows, with their numbers", () => {
  for (const heads of [1, 2, 4, 8]) {
    const { sliceOf, tableOf } = placesOf(shown(heads), ROOMS[0]);
    for (let head = 0; head < heads; head++) {
      const [slice, table] = [sliceOf(head), tableOf(head)];
      assert.ok(Math.abs(table.x + table.w / 2 - slice.x - slice.w / 2) < 1e-9);
      assert.ok(table.y > slice.y + slice.h);
    }
  }
  const mask = Uint8Array.from({ length: 144 }, (_, i) => i % 12 <= i / 12);
  const marks = layout(shown(16, { mask }), ROOMS[0], ACT);
  for (let head = 0; head < 8; head++) {
    const [above, below] = [head, head + 8].map((i) => find(marks, `paper 16.${i}`));
    assert.ok(above.x === below.x && above.y + above.h < below.y);
    const name = find(marks, `name 16.${head}`);
    assert.equal(name.text, `${head + 1}`);
    assert.ok(name.x > above.x + above.w / 2 && name.y < above.y + above.h / 2, "no weights there");
  }
  assert.deepEqual([outside(marks, ROOMS[0]), overlaps(marks)], [[], []]);
  assert.ok(!find(layout(shown(16), ROOMS[0], ACT), "name 16.0"), "nothing is empty");
});

test("a click makes a table large", () => {
  const changes = [];
  const act = { ...ACT, change: (change) => changes.push(change) };
  find(layout(shown(4), ROOMS[0], act), "point 4.2").pick();
  assert.deepEqual([changes[0].head, changes[0].solo], [2, 2]);
});

test("asked at how many words the heads look, the weight of the word each looks at is told", () => {
  const hidden = shown(4, { done: 2, veiled: true });
  const asked = layout(hidden, ROOMS[0], ACT);
  assert.equal(find(asked, "answer-veil").text, "?");
  assert.ok(!asked.some(({ id }) => /^(map|look|most)/.test(id)), "no row tells it");
  assert.ok(!asked.some((mark) => mark.class === "bold key"), "nor does a word");
  assert.match(caption(hidden), /each head looks most at one word/);
  const state = shown(4, { done: 2, weights: new Float32Array(4 * 12 * 12) });
  for (let head = 0; head < 4; head++) state.weights[(head * 12 + 10) * 12 + head] = 0.5;
  const marks = layout(state, ROOMS[0], ACT);
  for (let head = 0; head < 4; head++) {
    const [cell, most] = [find(marks, `look 4.${head}.${head}`), find(marks, `most 4.${head}`)];
    assert.deepEqual([most.x, most.y], [cell.x, cell.y]);
    assert.equal(cell.format(cell.number), "0.50");
    const other = find(marks, `look 4.${head}.8`);
    assert.equal(other.format(other.number), "", "of the others a shade says enough");
    assert.equal(find(marks, `word ${head}`).class, "bold key");
  }
  assert.ok(!find(marks, "chosen map") && !find(marks, "times weights 4"));
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
  assert.deepEqual(written, ["0.25"]);
});

test("what grows is asked before anything was cut, and a click on it is Enter", () => {
  let asked = 0;
  const act = { change() {}, next: () => asked++ };
  const marks = layout(shown(1), ROOMS[0], act);
  assert.ok(!marks.some(({ id }) => id.startsWith("times")));
  for (const id of ["answer-veil", "veil parameters", "veil weights"]) find(marks, id).pick();
  assert.equal(asked, 3);
  assert.equal(find(marks, "number 1.0").text, "for queries, keys, values and output");
  assert.ok(find(marks, "axis query") && find(marks, "axis key"), "what a table is");
  const cut = layout(shown(16), ROOMS[0], act);
  assert.ok(!find(cut, "veil weights") && !find(cut, "axis key"));
  for (const seen of [marks, cut])
    assert.equal(find(seen, "most").text, "1", "the scale ends at 1");
});

test("from 1 head to 16 the block is only cut, and each slice sends a table", () => {
  const whole = layout(shown(1), ROOMS[0], ACT);
  const block = find(whole, "slice 1.0");
  const marks = layout(shown(16), ROOMS[0], ACT);
  const slices = marks.filter(({ id }) => id.startsWith("slice "));
  assert.equal(slices.length, 16);
  const ends = [slices[0].x, slices[15].x + slices[15].w];
  assert.deepEqual(ends, [block.x, block.x + block.w], "as wide as it was");
  for (const { id, x, y, w, h } of slices) {
    assert.equal(h, block.h);
    const { from } = find(marks, id.replace("slice", "paper"));
    assert.deepEqual([from.x, from.y, from.w, from.h], [x, y, w, h]);
  }
  const told = ["times parameters 16", "times weights 16", "answer"].map((id) => find(marks, id));
  const [still, times, grown] = told;
  const words = told.map((mark) => mark.text);
  assert.deepEqual(words, [", as before", ", 16 \u00d7 as many", "weights"]);
  for (const [mark, name] of [
    [still, "count parameters"],
    [times, "count weights 16"],
  ]) {
    const label = find(marks, name);
    assert.equal(mark.y, label.y, "on the line of what it counts");
    assert.ok(mark.x > label.x && mark.x < label.x + 500);
  }
  assert.ok(grown.delay > find(marks, "paper 16.15").delay, "and its number comes last");
  const cut = shown(16, { done: 1, before: shown(1) });
  assert.equal(waitFor(cut), grown.delay, "as does the sentence");
  for (const more of [{ pointed: true }, { done: 2 }, { before: cut }])
    assert.equal(waitFor({ ...cut, ...more }), 0);
});

test("wider heads have more parameters: a wider block, as far as there is room", () => {
  const random = { d_model: 16, usual: 1024, trained: 0 };
  const wideOf = (d_k, parameters) => {
    const marks = layout(shown(16, { d_k, parameters, ...random }), ROOMS[0], ACT);
    assert.equal(find(marks, "answer").text, parameters > 1024 ? "both" : "weights");
    assert.deepEqual([outside(marks, ROOMS[0]), overlaps(marks)], [[], []]);
    const [first, last] = [0, 15].map((i) => find(marks, `slice 16.${i}`));
    const w = last.x + last.w - first.x;
    const usual = find(marks, "usual") ?? { w };
    return [find(marks, "times parameters 16").text, w / usual.w];
  };
  const [[one, usual], [most, wide]] = [wideOf(1, 1024), wideOf(64, 64 * 1024)];
  assert.deepEqual([one, most], [", as before", ", 64 \u00d7 as many"]);
  assert.ok(Math.abs(usual - 1) < 1e-9 && Math.abs(wide - 64) < 1e-6, "against usual parameters");
});

test("only the chosen head has its row marked, where the sentence is about a row", () => {
  for (const more of [{ done: 1 }, { moved: false }])
    assert.ok(!find(layout(shown(8, more), ROOMS[0], ACT), "row"));
  const marks = layout(shown(8, { head: 5 }), ROOMS[0], ACT);
  const [chosen, table] = ["chosen map", "paper 8.5"].map((id) => find(marks, id));
  const { x, w } = find(marks, "row");
  assert.deepEqual([chosen.x, chosen.y, x, w], [table.x, table.y, table.x, table.w]);
});

test("the caption says whose heads these are", () => {
  assert.match(caption(shown(4)), /^Head 1: “too” looks at “<start>”, 0.08 \(as trained\)\.$/);
  assert.match(caption(shown(8)), /\(trained as 4 heads, cut again\)/);
  assert.match(caption(shown(4, { trained: 0 })), /\(random, not trained\)/);
  assert.match(caption(shown(4, { solo: 0, key: 2 })), /“too” gives “animal” 0.08; most goes/);
  assert.match(caption(shown(1, { moved: false })), /^Predict: parameters/);
});

test("the sentence answers what was asked until one points at something", () => {
  const cut = shown(16, { done: 1 });
  assert.match(caption(cut), /^Each slice makes a table of its own/);
  assert.match(caption({ ...cut, pointed: true }), /^Head 1: /);
  assert.match(caption({ ...cut, parameters: 64 * 1024 }), /^Head 1: /, "both have grown");
  const looks = shown(4, { done: 2, weights: new Float32Array(4 * 12 * 12) });
  const told = () => ["answer", "answer-label"].map((id) => find(layout(looks, ROOMS[0], ACT), id));
  const said = () => [told()[0].number, told()[1].text];
  assert.deepEqual(said(), [1, "word"]);
  for (let head = 0; head < 4; head++) looks.weights[(head * 12 + 10) * 12 + head] = 0.5;
  assert.deepEqual(said(), [4, "different words"]);
  assert.match(caption(looks), /^Each row is a head; framed is the word that “too”/);
  const changes = [];
  const act = { ...ACT, change: (change) => changes.push(change) };
  find(layout(looks, ROOMS[0], act), "point 4.2").hover();
  assert.deepEqual(changes, [{ head: 2, pointed: true }]);
});

test("digits and arrows choose a head, arrows the word that asks, z makes a head large", () => {
  const state = shown(8, { head: 2 });
  assert.deepEqual(keysOf(state, "5"), { head: 4 });
  assert.equal(keysOf(state, "9"), null);
  for (const key of ["5", "ArrowUp", "z"])
    assert.equal(keysOf({ ...state, veiled: true }, key, {}), null, "it is asked about these");
  assert.deepEqual(keysOf(state, "ArrowRight", {}), { head: 3, query: 10 });
  assert.deepEqual(keysOf(state, "ArrowUp", {}), { head: 2, query: 9 });
  assert.deepEqual(keysOf(state, "End"), { head: 7, query: 10 });
  assert.deepEqual(keysOf(state, "z"), { head: 2, solo: 2, key: 0 });
  const zoomed = { ...state, solo: 2 };
  assert.deepEqual(keysOf(zoomed, "z"), { solo: -1 });
  assert.deepEqual(keysOf(zoomed, "Escape"), { solo: -1 });
  assert.deepEqual(keysOf(zoomed, "ArrowLeft", {}), { head: 1, solo: 1, query: 10 });
  assert.deepEqual(keysOf(zoomed, "ArrowRight", { shiftKey: true }), { key: 1 });
});

test("an arrow goes where it points: heads below each other, their words side by side", () => {
  const looks = shown(4, { done: 2, head: 2 });
  assert.deepEqual(keysOf(looks, "ArrowDown", {}), { head: 3, query: 10 });
  assert.deepEqual(keysOf(looks, "ArrowRight", {}), { head: 2, query: 11 });
  assert.deepEqual(keysOf(looks, "Home", {}), { head: 2, query: 0 });
  const large = { ...looks, solo: 2 };
  assert.deepEqual(keysOf(large, "ArrowDown", {}), { head: 2, solo: 2, query: 11 }, "its rows");
});
