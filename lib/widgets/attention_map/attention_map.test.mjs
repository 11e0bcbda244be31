import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { alone, caption, keysOf, layout } from "./attention_map.mjs";
import { largest, weightsOf, written } from "./cells.mjs";
import { cellAt, corner, fit, planOf, wide } from "./plan.mjs";
import { stateOf } from "../../../tests/widgets/maps.mjs";
import { outside, overlaps } from "../../../tests/widgets/room.mjs";

const golden = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const words = (count, letters = 6) => Array.from({ length: count }, () => "w".repeat(letters));
const ROOM = { width: 1216, height: 456 };
const HALF = { width: 600, height: 456 };
const SENTENCE = "The animal didn't cross the street because it was too tired".split(" ");

test("weights arrive as Python sent them, exact or in 255 steps", () => {
  const [H, T, S] = golden.shape;
  for (const [bytes, tolerance] of [
    [golden.float32, 1e-7],
    [golden.uint8, golden.top / 509],
  ]) {
    const padded = new Uint8Array([9, ...bytes]);
    const [weights, unit] = weightsOf(new DataView(padded.buffer, 1), H * T * S, golden.top);
    for (const [i, weight] of golden.weights.entries())
      assert.ok(Math.abs(weights[i] * unit - weight) <= tolerance, `${i}: ${weight}`);
    for (const [row, key] of golden.largest.entries())
      assert.equal(largest(weights, row * S, S), key);
  }
});

const SHAPES = [
  [1, 1],
  [4, 6],
  [11, 11],
  [16, 16],
  [64, 64],
  [128, 128],
  [3, 128],
  [128, 2],
];

test("every picture fits, and a cell is found again where it was put", () => {
  for (const heads of [1, 2, 3, 4, 8, 12, 16])
    for (const [T, S] of SHAPES)
      for (const letters of [1, 6, 200])
        for (const room of [ROOM, HALF]) {
          const [rows, columns] = [words(T, letters), words(S, letters)];
          const plan = planOf({ heads, rows, columns, named: heads > 1 }, room);
          const { cellWidth, cellHeight } = plan;
          const [x, y] = corner(plan, heads - 1);
          const [right] = corner(plan, Math.min(heads, plan.columns) - 1);
          assert.ok(
            right + cellWidth * S <= room.width + 0.01 &&
              y + cellHeight * T <= room.height &&
              cellWidth > 0.1 &&
              cellHeight > 0.1,
            `${heads} ${T} ${S} ${letters}`,
          );
          assert.ok(!plan.rowLabels || cellHeight >= 24, "labels do not overlap");
          const inLast = [x + cellWidth * (S - 0.5), y + cellHeight * (T - 0.5)];
          assert.deepEqual(cellAt(plan, heads - 1, inLast), [T - 1, S - 1]);
        }
});

test("the course's sentence has its labels and its digits, also beside another drawing", () => {
  const what = { heads: 1, rows: SENTENCE, columns: SENTENCE, named: false };
  const plan = planOf(what, { width: 916, height: 456 });
  assert.ok(plan.rowLabels && plan.turn === 45 && plan.cellWidth >= 46);
  assert.ok(planOf(what, HALF).rowLabels);
});

test("nothing leaves the room and no two texts overlap", () => {
  for (const [heads, T] of [
    [1, 3],
    [1, 11],
    [2, 4],
    [4, 6],
    [4, 11],
  ])
    for (const veiled of [false, true])
      for (const room of [ROOM, HALF, { width: 1216, height: 684 }]) {
        const tokens = SENTENCE.slice(0, T);
        const marks = layout(stateOf(heads, tokens, { veiled }), room, { change() {}, next() {} });
        assert.deepEqual(outside(marks, room), []);
        assert.deepEqual(overlaps(marks), [], `${heads} heads, ${T} words`);
      }
});

test("every map has its name, also where the key that is pointed at is named above it", () => {
  for (const heads of [4, 8, 12])
    for (const veiled of [false, true])
      for (const [head, key] of [
        [1, 0],
        [3, 10],
      ]) {
        const state = stateOf(heads, SENTENCE, { veiled, head, key });
        const marks = layout(state, { width: 916, height: 456 }, { change() {}, next() {} });
        assert.equal(marks.filter(({ id }) => id.startsWith("name ")).length, heads);
        const hasKey = marks.some(({ id }) => id === "asked");
        assert.equal(hasKey, !veiled && heads < 12, "in narrow maps the caption alone names it");
        assert.deepEqual(overlaps(marks), [], `${heads} heads, ${head}, ${key}`);
      }
});

test("the veil hides every weight until the reader asks", () => {
  const state = stateOf(2, SENTENCE.slice(0, 3), { veiled: true });
  const marks = layout(state, ROOM, {});
  assert.equal(marks.filter(({ class: kind }) => kind === "veil").length, 2);
  assert.ok(!marks.some(({ id }) => id.startsWith("cell ")));
  assert.match(caption(state), /Enter shows it/);
});

test("only the map that is pointed at has its row and its column marked", () => {
  const marks = layout(stateOf(4, SENTENCE.slice(0, 6), { head: 2, query: 3 }), ROOM, {});
  for (const id of ["row", "column", "here"])
    assert.equal(marks.filter((mark) => mark.id === id).length, 1, id);
});

test("digits are those of the row that asks, and of every row's largest", () => {
  const read = (state) =>
    layout(state, ROOM, {})
      .filter(({ kind, format, number }) => kind === "cell" && format(number))
      .map(({ id }) => id.split(".").slice(1).map(Number));
  for (const tokens of [SENTENCE, SENTENCE.slice(0, 5)]) {
    const digits = read(stateOf(1, tokens, { query: 4, key: 1 }));
    assert.ok(tokens.every((_, key) => digits.some((cell) => cell.join() === `4,${key}`)));
    assert.ok(digits.every(([query, key]) => query === 4 || key === 0));
    assert.equal(digits.length, 2 * tokens.length - 1);
  }
});

test("every row's largest is framed and bold, and nothing tells it while it is asked for", () => {
  const weights = Float32Array.from([0.2, 0.8, 0.7, 0.3, 0, 0, 0.4, 0.6]);
  const state = stateOf(2, ["it", "was"], { weights, key: 1 });
  const marks = layout(state, ROOM, {});
  const cell = (place) => marks.find(({ id }) => id === `cell ${place}`);
  const framed = marks.filter(({ id }) => id.startsWith("most "));
  const bold = ["0.0.1", "0.1.0", "1.1.1"].map(cell);
  assert.deepEqual(
    framed.map(({ x, y }) => [x, y]),
    bold.map(({ x, y }) => [x, y]),
    "a row of zeros has none",
  );
  assert.ok(bold.every(({ ink }) => ink === "bold") && cell("0.0.0").ink === "");
  const veiled = layout({ ...state, veiled: true }, ROOM, {});
  const labels = veiled.filter(({ id }) => /^(most|query|key) /.test(id));
  assert.ok(labels.length === 6 && labels.every(({ class: kind }) => kind === "faint"));
});

test("beside one map stands what each row looks at most, and no number is larger", () => {
  const weights = Float32Array.from([0.2, 0.8, 0, 0]);
  const state = stateOf(1, ["it", "was"], { weights });
  const leaders = (more) =>
    layout({ ...state, ...more }, ROOM, {}).filter(({ id }) => id.startsWith("leader "));
  assert.deepEqual(
    leaders().map(({ text }) => text),
    ["\u2192 was"],
    "a row of zeros has none",
  );
  assert.deepEqual(leaders({ veiled: true }), []);
  assert.ok(!layout(state, ROOM, {}).some(({ id }) => id === "answer"));
  const many = stateOf(4, SENTENCE.slice(0, 6));
  const framed = (room) => layout(many, room, {}).filter(({ id }) => id.startsWith("most ")).length;
  assert.equal(framed(ROOM), 24, "also where cells have no digits");
  assert.equal(framed({ ...ROOM, width: 660 }), 0, "beside the grid of layers it is not asked");
});

test("of two weights the answer says which is more, and one of them is hidden", () => {
  const state = stateOf(1, SENTENCE, { query: 8, key: 1, than: [7, 1] });
  state.weights.set([0.46], 7 * 11 + 1);
  state.weights.set([0.56], 8 * 11 + 1);
  state.weights.set([0.9], 8 * 11 + 10);
  const find = (name, marks) => marks.find(({ id }) => id === name);
  const spelled = (marks) =>
    marks.filter(({ kind, format, number }) => kind === "cell" && format(number)).length;
  const marks = layout(state, ROOM, {});
  assert.equal(find("answer", marks).text, "more");
  assert.equal(find("answer-label", marks).text, "than it \u2192 animal");
  const [known, sought] = [0, 1].map((place) => find(`weight of ${place}`, marks));
  assert.ok(sought.w > known.w && sought.tint > known.tint && find("than", marks));
  assert.equal(spelled(marks), 3, "of its row also the largest, which the sentence names");
  for (const cell of marks.filter(({ kind }) => kind === "cell"))
    assert.deepEqual([cell.tint, cell.o], [cell.number / state.limit, undefined], "in every row");
  const less = layout({ ...state, query: 7, than: [8, 1] }, ROOM, {});
  assert.equal(find("answer", less).text, "less");
  assert.equal(find("answer", layout({ ...state, than: [8, 1] }, ROOM, {})).text, "as much");
  const veiled = layout({ ...state, veiled: true }, ROOM, {});
  for (const id of ["cell 0.8.1", "weight of 1", "number of 1"]) assert.ok(!find(id, veiled), id);
  assert.ok(find("number of 0", veiled) && find("sought", veiled), "one is known, one is asked");
  assert.equal(spelled(veiled), 1);
  const rows = veiled.filter(({ kind }) => kind === "cell").map(({ id }) => id.split(".")[1]);
  assert.deepEqual([...new Set(rows)], ["7"], "none but the row that is known");
  assert.equal(keysOf({ ...state, veiled: true }, "ArrowDown", {}, 1), null);
  for (const all of [marks, veiled])
    assert.deepEqual([outside(all, ROOM), overlaps(all)], [[], []]);
});

test("masked cells are hatched, have no digits, and the caption says so", () => {
  const mask = Uint8Array.from([1, 0, 1, 1]);
  const weights = Float32Array.from([1, 0, 0.25, 0.75]);
  const state = stateOf(1, ["a", "b"], { mask, weights, key: 1 });
  const marks = layout(state, ROOM, {});
  const cell = (query, key) => marks.find(({ id }) => id === `cell 0.${query}.${key}`);
  assert.equal(cell(0, 1).class, "masked");
  assert.equal(cell(0, 0).tint, 1, "a weight of 1 has the full colour");
  assert.match(caption(state), /“a” may not look at “b”: weight exactly 0\.$/);
});

test("the sentence tells where the row looks", () => {
  const weights = Float32Array.from([0.2, 0.8, 0.7, 0.3, 0.6, 0.4, 0.4, 0.6]);
  const state = stateOf(2, ["it", "was"], { weights, key: 1 });
  assert.equal(caption(state), "head 1: “it” looks most at “was”, 0.80.");
  const other = caption({ ...state, query: 1 });
  assert.equal(other, "head 1: “was” looks at “was” with 0.30, most at “it”, 0.70.");
});

test("a large picture is painted on canvases", () => {
  const marks = layout(stateOf(2, words(40)), ROOM, {});
  assert.equal(marks.filter(({ draw }) => draw).length, 2);
  assert.ok(marks.length < 100);
});

test("the keyboard goes from cell to cell and from map to map, pins, and shows one head", () => {
  const state = stateOf(4, ["a", "b", "c"], { head: 1, query: 1, key: 1 });
  const shift = { shiftKey: true };
  assert.deepEqual(keysOf(state, "ArrowDown", {}, 4), { query: 2, key: 1 });
  assert.deepEqual(keysOf(state, "ArrowLeft", shift, 4), { head: 0 });
  assert.deepEqual(keysOf(state, "ArrowDown", shift, 2), { head: 3 });
  assert.deepEqual(keysOf(state, "Enter", {}, 4), { head: 1, solo: 1 });
  assert.deepEqual(keysOf(state, " ", {}, 4), { pinned: true });
  assert.deepEqual(keysOf({ ...state, pinned: true }, "Escape", {}, 4), { pinned: false });
  assert.deepEqual(keysOf({ ...state, solo: 1 }, "Escape", {}, 4), { solo: -1 });
  assert.equal(keysOf(state, "x", {}, 4), null);
  assert.equal(alone(stateOf(1, ["a"]), 0), null);
  assert.deepEqual(keysOf(stateOf(1, ["a"]), "Enter", {}, 1), { pinned: true });
});

test("tokens are cut to their room, small weights keep their digits", () => {
  assert.equal(fit("street", 170), "street");
  assert.ok(wide(fit("🙂".repeat(200), 170)) <= 2 * 170);
  assert.deepEqual([0, 1, 0.4123, 0.00781, 0.00001].map(written), [
    "0.00",
    "1.00",
    "0.41",
    "0.0078",
    "<0.0001",
  ]);
});
