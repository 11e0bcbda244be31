import assert from "node:assert/strict";
import test from "node:test";
import { caption, firstLine, fitting, keysOf, layout, wrap } from "./writer.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const sentence = "the animal didn't cross the street because it was too tired <end>".split(" ");

test("words stand side by side, in order, within the line", () => {
  for (const words of [
    sentence,
    [...sentence, ...sentence, ...sentence],
    ["?"],
    ["i", "m", "supercalifragilistic\u2026"],
  ]) {
    const places = wrap(words, 846);
    assert.equal(places.length, words.length);
    assert.deepEqual(places[0].slice(0, 2), [0, 0]);
    places.forEach(([line, x, width], i) => {
      assert.ok(x + width <= 846 && width >= 56, "there is room for the digits");
      const [before, left, wide] = places[i - 1] ?? [0, -14, 0];
      assert.ok(line === before ? x >= left + wide + 14 : line === before + 1 && x === 0);
    });
  }
  assert.equal(wrap(sentence, 846).at(-1)[0], 1, "the sentence of the course takes two lines");
});

test("a word longer than the line stays within it", () => {
  assert.deepEqual(wrap(["a", "m".repeat(50), "b"], 100), [
    [0, 0, 56],
    [1, 0, 100],
    [2, 0, 56],
  ]);
});

test("the line that is looked at is among those shown", () => {
  for (let lines = 1; lines < 9; lines++)
    for (let seen = 0; seen < lines; seen++) {
      const first = firstLine(seen, lines);
      assert.ok(first >= 0 && first <= seen && seen < first + 2);
      assert.ok(lines < 2 || first + 2 <= lines);
    }
  assert.equal(firstLine(0, 1), 0);
});

const ROOM = { width: 1216, height: 456 };
const row = (word, model, now) => ({
  word,
  model,
  now,
  model_digits: model.toFixed(2),
  now_digits: now.toFixed(2),
});
const ROWS = ["didn't", "was", "crossed", "the", "it", "dog", "a", "of", "77 others"].map(
  (word, i) => row(word, 0.3 - i / 40, i === 4 ? 0 : 0.4 - i / 30),
);
const written = (word) => ({ word, digits: "0.25", chosen: 1, rows: ROWS, says: `came ${word}` });
const open = { word: "", digits: "", chosen: -1, rows: ROWS, says: "the first leads" };
const stateOf = (words) => ({
  veiled: false,
  pinned: null,
  hovered: null,
  before: null,
  picture: { prompt: ["the", "animal"], steps: [...words.map(written), open], stopped: "" },
});

test("everything stands in the room, and no text on another", () => {
  for (const words of [[], sentence.slice(2), [...sentence, ...sentence, ...sentence]]) {
    const marks = layout(stateOf(words), ROOM, {});
    assert.deepEqual([outside(marks, ROOM), overlaps(marks), twins(marks)], [[], [], []]);
  }
});

test("while the answer is veiled no word that could come is named", () => {
  const marks = layout({ ...stateOf([]), veiled: true }, ROOM, {});
  assert.ok(marks.every(({ text }) => !["didn't", "was", "0.30"].includes(text)));
  assert.match(caption({ ...stateOf([]), veiled: true }), /Enter shows/);
});

test("while a whole text is veiled, neither its words nor their digits are seen", () => {
  for (const own of [{}, { pinned: 2, hovered: 1 }]) {
    const state = { ...stateOf(["cross", "street"]), ...own, veiled: true };
    const texts = layout(state, ROOM, {}).map(({ text }) => text);
    for (const hidden of ["cross", "street", "0.25", "didn't", "0.30"])
      assert.ok(!texts.includes(hidden), hidden);
    assert.deepEqual(texts.slice(0, 3), ["the", "animal", "?"]);
    assert.ok(texts.includes("still sentences?"));
    assert.match(caption(state), /still write sentences.*Enter shows/);
  }
});

test("the chosen row is always kept, and the dots say how many are left out", () => {
  for (let most = 3; most < ROWS.length; most++)
    for (let chosen = -1; chosen < ROWS.length; chosen++) {
      const shown = fitting(ROWS, most, chosen);
      assert.equal(shown.length, most);
      assert.ok(chosen < 0 || shown.includes(ROWS[chosen]), `${chosen} of ${most}`);
      assert.equal(shown.at(-1).word, "77 others");
      assert.equal(shown.at(-2).word, `\u2026 ${ROWS.length - most + 1} more`);
    }
  assert.deepEqual(fitting(ROWS, 9, 7), ROWS);
  const steps = [{ ...written("of"), chosen: 7 }];
  const state = { ...stateOf([]), picture: { prompt: ["the"], steps, stopped: "Stopped." } };
  const marks = layout(state, { ...ROOM, height: 300 }, {});
  assert.equal(marks.find(({ id }) => id === "row of").class, "bold");
  assert.equal(marks.find(({ id }) => id === "row \u2026 6 more").class, "");
  assert.ok(marks.some(({ id }) => id === "chosen"));
});

test("a word that a setting leaves out is struck out and hatched", () => {
  const marks = layout(stateOf([]), ROOM, {});
  assert.equal(marks.find(({ id }) => id === "row it").class, "out");
  assert.match(marks.find(({ id }) => id === "row it model").class, /masked/);
});

test("keys look back, and Escape comes to the newest word", () => {
  const state = stateOf(["didn't", "cross"]);
  assert.equal(keysOf(state, "ArrowLeft").pinned, 1);
  assert.equal(keysOf(state, "Home").pinned, 0);
  assert.equal(keysOf({ ...state, pinned: 0 }, "Escape").pinned, 2);
  assert.equal(caption({ ...state, pinned: 1 }), "came cross");
  assert.equal(keysOf(state, "x"), null);
  const act = { ask: (message) => message };
  assert.deepEqual(keysOf(state, "ArrowRight", {}, act), { type: "write" });
  assert.deepEqual(keysOf({ ...state, pinned: 1 }, "ArrowRight", {}, act).pinned, 2);
});
