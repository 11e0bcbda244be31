import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fit } from "../frame/lettering.mjs";
import { caption, keysOf, layout, tell } from "./decoder_stepper.mjs";
import { outside, overlaps, writings } from "../../../tests/widgets/room.mjs";

const { source, tokens, rows, texts } = JSON.parse(
  readFileSync(new URL("golden.json", import.meta.url)),
);
const ROOMS = [
  { width: 1216, height: 456 },
  { width: 1216, height: 700 },
];

/** The state after so many words are written. */
function after(count, changes = {}) {
  const stopped = count === rows.length ? "Stopped." : "";
  const shown = rows.slice(0, Math.min(count + 1, rows.length));
  const picture = { tokens: tokens.slice(0, count + 1), rows: shown, kept: "", stopped };
  return { source, picture, veiled: false, by_hand: true, row: null, cell: null, ...changes };
}

/** T rows over S source words, all with the same long word. */
function long(T, S, word) {
  const row = (t) => ({
    self: Array.from({ length: T }, (_, j) => (j <= t ? 1 / (t + 1) : 0)),
    cross: Array(S).fill(1 / S),
    word,
    probability: 0.2,
  });
  const picture = {
    tokens: Array(T).fill(word),
    rows: Array.from({ length: T }, (_, t) => row(t)),
  };
  return {
    ...after(0),
    source: Array(S).fill(word),
    picture: { ...picture, kept: "", stopped: "" },
  };
}

test("a row is told by what it reads and writes, and where it looks", () => {
  for (const [row, text] of texts.entries()) assert.equal(tell(after(5), row), text);
});

test("everything stands in the room and nothing on anything else, at every step", () => {
  for (const room of ROOMS)
    for (const veiled of [true, false])
      for (let count = 0; count <= rows.length; count++) {
        const marks = layout(after(count, { veiled: veiled && count < 5 }), room, {});
        assert.deepEqual(outside(marks, room), []);
        assert.deepEqual(overlaps(marks), []);
      }
});

test("twelve long words fit as well as one", () => {
  for (const word of ["x", "supercalifragilistic", "<start>"])
    for (const [T, S] of [
      [1, 1],
      [12, 12],
      [3, 12],
    ]) {
      const marks = layout(long(T, S, word), ROOMS[0], {});
      assert.deepEqual(outside(marks, ROOMS[0]), []);
      assert.deepEqual(overlaps(marks), []);
    }
});

test("the veil hides the word, its probability and where the row looks", () => {
  const veiled = layout(after(1, { veiled: true }), ROOMS[0], {});
  const hidden = writings(veiled);
  assert.ok(hidden.includes("?"));
  assert.ok(!hidden.some((text) => /\d\.\d/.test(text)));
  assert.ok(!veiled.some(({ id, tint }) => /^(line 1|read)/.test(id) || tint > 0));
  assert.ok(
    veiled.some(({ id }) => id === "line 0.0"),
    "the row before stays",
  );
  assert.equal(hidden.filter((text) => text === "animal").length, 1, "only the English one");
  const shown = writings(layout(after(1), ROOMS[0], {}));
  assert.ok(shown.includes("with probability 0.89"));
  const earlier = writings(layout(after(1, { veiled: true, row: 0 }), ROOMS[0], {}));
  assert.ok(earlier.includes("0.68"), "what was shown before is not hidden again");
});

test("earlier rows stay, quieter", () => {
  const marks = layout(after(3), ROOMS[0], {});
  const most = (row) => rows[row].cross.indexOf(Math.max(...rows[row].cross));
  const opacity = (row) => marks.find(({ id }) => id === `line ${row}.${most(row)}`).o;
  assert.ok(opacity(3) > opacity(2) && opacity(2) === opacity(0));
  assert.ok(!marks.some(({ id }) => id === "line 2.0"), "but not the hairs of what got little");
});

test("keys ask for words or look at rows", () => {
  const act = { ask: (message) => message, next: () => "asked" };
  const forward = (changes) => keysOf(after(2, changes), "ArrowRight", {}, act);
  assert.equal(forward({ enter: "And then?" }), "asked", "as by Enter: no word unasked");
  assert.equal(forward({ veiled: true, enter: "And then?" }), null, "only Enter answers");
  assert.deepEqual(forward({ enter: "" }), { type: "write" }, "the end");
  assert.deepEqual(keysOf(after(2), "Backspace", {}, act), { type: "back" });
  assert.deepEqual(keysOf(after(2), "ArrowUp"), { row: 1, cell: null });
  assert.deepEqual(keysOf(after(2, { row: 2 }), "ArrowDown"), { row: 2, cell: null });
  assert.equal(keysOf(after(2), "x"), null);
});

test("a cell that is pointed at is told in three digits", () => {
  const cell = { block: "cross", j: 0 };
  assert.ok(caption(after(0, { cell })).endsWith("cross-attention to \u2068the\u2069 0.681."));
});

test("tokens are cut to their room", () => {
  assert.equal(fit("fatigu\u00e9", 110, 24), "fatigu\u00e9");
  for (const token of ["supercalifragilistic", "\u{1F642}".repeat(200)])
    assert.ok([...fit(token, 60, 24)].length <= 6);
});
