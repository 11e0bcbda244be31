import assert from "node:assert/strict";
import test from "node:test";
import {
  along,
  clamp,
  digits,
  fillIn,
  forFinger,
  isolate,
  keys,
  numbers,
  openBelow,
  saveChanges,
  short,
  step,
} from "./frame.mjs";

test("what was not sent anew is the same array", () => {
  const sent = new DataView(new Uint8Array([7, 255]).buffer);
  assert.equal(numbers(sent, Uint8Array), numbers(sent, Uint8Array));
  const again = new DataView(sent.buffer);
  assert.notEqual(numbers(sent, Uint8Array), numbers(again, Uint8Array));
});

test("numbers are read from a view that starts at an odd byte", () => {
  const bytes = new Uint8Array(9);
  bytes.set(new Uint8Array(new Float32Array([0.25, 0.75]).buffer), 1);
  assert.deepEqual([...numbers(new DataView(bytes.buffer, 1, 8))], [0.25, 0.75]);
  assert.deepEqual(
    [...numbers(new DataView(new Uint8Array([7, 255]).buffer, 1, 1), Uint8Array)],
    [255],
  );
});

test("where a sentence says Enter, a finger taps the button", () => {
  const said = (sentence) => forFinger(sentence, "Show");
  assert.equal(said("Predict first. Enter shows it."), "Predict first. A tap on “Show” shows it.");
  assert.equal(said("Predict, then Enter."), "Predict, then a tap on “Show”.");
  assert.equal(said("Enter shows it."), "A tap on “Show” shows it.");
  assert.equal(said("“Entering” is a word."), "“Entering” is a word.");
});

test("digits have a true minus sign, and none before zero", () => {
  assert.equal(digits(-1.5), "−1.50");
  assert.equal(digits(-0.001), "0.00");
  assert.equal(digits(-0.4, 0), "0");
  assert.equal(digits(-0.05, 2), "−0.05");
  assert.equal(digits(2, 1), "2.0");
});

test("a long token is shortened by letters, not by halves of an emoji", () => {
  assert.equal(short("because", 7), "because");
  assert.equal(short("because", 5), "beca…");
  assert.equal(short("🐈🐈🐈", 2), "🐈…");
});

test("a sentence takes its values by name, and a token with braces stays as it is", () => {
  assert.equal(fillIn("{word} → {key}: {word}", { word: "{key}", key: "$&" }), "{key} → $&: {key}");
});

test("arrow keys stay inside, Home and End go to the ends of the row", () => {
  assert.deepEqual(step("ArrowUp", [0, 1], 2, 3), [0, 1]);
  assert.deepEqual(step("ArrowRight", [0, 2], 2, 3), [0, 2]);
  assert.deepEqual(step("ArrowDown", [0, 1], 2, 3), [1, 1]);
  assert.deepEqual(step("Home", [1, 2], 2, 3), [1, 0]);
  assert.deepEqual(step("End", [1, 0], 2, 3), [1, 2]);
  assert.equal(step("x", [0, 0], 2, 3), null);
  assert.equal(clamp(5, 0, 3), 3);
  const ends = ["ArrowLeft", "ArrowRight", "Home", "End", "ArrowUp"];
  assert.deepEqual(
    ends.map((key) => along(key, 2, 3)),
    [1, 2, 0, 2, null],
  );
});

test("a letter is heard in either case", () => {
  const heard = [];
  const node = { addEventListener: (_, listen) => (node.press = listen) };
  keys(node, (key) => heard.push(key) < 0);
  for (const key of ["z", "Z", "ArrowUp", "End"]) node.press({ key });
  assert.deepEqual(heard, ["z", "z", "ArrowUp", "End"]);
});

test("a right-to-left token is isolated, others are as they were", () => {
  assert.equal(isolate("انتباه"), "\u2068انتباه\u2069");
  assert.equal(isolate("animal"), "animal");
});

test("several changes are one message to Python", () => {
  const calls = [];
  const model = {
    set: (name, value) => calls.push([name, value]),
    save_changes: () => calls.push("saved"),
  };
  saveChanges(model, { head: 1, query: 2 });
  assert.deepEqual(calls, [["head", 1], ["query", 2], "saved"]);
});

/** Cells of a page, each {kind, summary}: a Markdown cell may begin with a fold. */
function pageOf(...kinds) {
  const cells = kinds.map(({ kind, summary }) => {
    const fold = summary && { open: false, querySelector: () => ({ textContent: summary }) };
    return { fold, matches: () => kind === "markdown", querySelector: () => fold ?? null };
  });
  for (const [i, cell] of cells.entries()) cell.nextElementSibling = cells[i + 1] ?? null;
  return { cells, node: { closest: () => cells[0] } };
}

const WHY = "What came out, and why";
const asks = { kind: "code" };

test("an answer opens the fold that explains it, in the next text below its cell", () => {
  const { cells, node } = pageOf(asks, { kind: "code" }, { kind: "markdown", summary: `${WHY} ` });
  openBelow(node);
  assert.equal(cells[2].fold.open, true);
});

test("no other fold is opened, and none further down", () => {
  const reason = { kind: "markdown", summary: WHY };
  for (const first of [{ kind: "markdown" }, { kind: "markdown", summary: "Solution" }]) {
    const { cells, node } = pageOf(asks, first, reason);
    openBelow(node);
    assert.deepEqual(
      cells.map((cell) => cell.fold?.open ?? false),
      [false, false, false],
    );
  }
});

test("where a widget sees no neighbours nothing happens", () => {
  openBelow({ closest: () => null });
  openBelow(pageOf(asks).node);
});
