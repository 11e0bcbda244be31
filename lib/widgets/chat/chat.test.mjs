import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { interrupt } from "../frame/interrupt.mjs";
import { LABEL } from "../frame/marks.mjs";
import {
  asks,
  caption,
  keysOf,
  layout,
  nextOf,
  placesOf,
  shown,
  spaced,
  weightOf,
  wrap,
} from "./chat.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const golden = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const OWN = { veiled: false, looked: -1, before: null };
const ANSWER = { ...golden.whole, ...OWN };
const PARIS = { ...golden.paris, ...OWN, looks: Uint8Array.from(golden.paris.looks) };
const LOOKS = { ...PARIS, looked: PARIS.aim }; // France is clicked
const VEILED = { ...ANSWER, veiled: true };
const ROOM = { width: 1216, height: 456 };
const none = { change: () => {}, ask: (message) => message, next: () => {} };

const find = (state, id) => layout(state, ROOM, none).find((mark) => mark.id === id);

/** An answer of so many tokens. */
function longAnswer(count) {
  const words = Array.from({ length: count }, (_, i) => [" word", " longer", ",", "\n"][i % 4]);
  const shares = words.map((_, i) => ({ ...ANSWER.shares[6], share: i === 2 ? 0.04 : 0.5 }));
  return { ...ANSWER, words, shares };
}

test("each token has a column as high as its share, and the lowest is the answer", () => {
  const whole = find(ANSWER, "whole 0");
  for (const [i, { share }] of ANSWER.shares.entries()) {
    const bar = find(ANSWER, `bar ${i}`);
    assert.ok(Math.abs(bar.h / whole.h - share) < 1e-9);
    assert.equal(bar.y + bar.h, whole.y + whole.h);
    assert.equal(find(ANSWER, `share ${i}`).text, ANSWER.shares[i].digits);
  }
  assert.equal(find(ANSWER, "answer").text, "The");
  assert.equal(find(ANSWER, `here ${ANSWER.places.length}`).class, "changed", "and its token");
  const [least, column] = ["least", "bar 0"].map((id) => find(ANSWER, id));
  assert.deepEqual([least.class, least.y, least.h], ["changed", column.y, column.h]);
});

test("the share that answers is by far the largest, and all columns have one tint", () => {
  const sizes = ANSWER.words.map((_, i) => find(ANSWER, `share ${i}`).size ?? LABEL);
  assert.ok(sizes.every((size, i) => i === 0 || size <= sizes[0] / 2));
  assert.equal(new Set(ANSWER.words.map((_, i) => find(ANSWER, `bar ${i}`).tint)).size, 1);
});

test("a short answer stands in one row, each token under its column", () => {
  const row = { ...ANSWER, words: ["The", " cat", " sat"], shares: ANSWER.shares.slice(0, 3) };
  for (const i of row.words.keys()) {
    const [token, bar] = [find(row, `token ${row.places.length + i}`), find(row, `bar ${i}`)];
    assert.ok(Math.abs(token.x - bar.x - bar.w / 2) < 1e-9 && token.y > bar.y + bar.h);
  }
});

test("the columns grow one after the other, and only then is the answer told", () => {
  const delays = ANSWER.words.map((_, i) => find(ANSWER, `bar ${i}`).delay);
  assert.ok(delays.every((delay, i) => i === 0 || delay > delays[i - 1]));
  assert.ok(find(ANSWER, "answer").delay > delays.at(-1));
  const grown = { ...ANSWER, before: { ...ANSWER, words: ANSWER.words.slice(1) } };
  assert.equal(find(grown, "bar 7").delay, 0, "a new token waits for nothing");
});

test("a long answer is a text over thin columns, and only the lowest has its share", () => {
  const marks = layout(longAnswer(60), ROOM, none);
  const seen = (kind) => marks.filter(({ id }) => id.startsWith(kind)).map(({ id }) => id);
  assert.deepEqual(seen("share"), ["share 2"]);
  assert.equal(seen("bar").length, 60);
});

test("a column becomes the bar of its token", () => {
  assert.equal(find(PARIS, "bar 5").tint, find(ANSWER, "bar 5").tint);
  assert.equal(find(PARIS, "share 5").text, "0.95");
});

test("a click chooses a token, or lets the heads look at one before it", () => {
  const changed = (state, place) => {
    let found = null;
    const act = { ...none, change: (changes) => (found = changes) };
    const isOf = ({ id }) => [`behind ${place}`, `here ${place}`].includes(id);
    layout(state, ROOM, act).find(isOf).pick?.();
    return found;
  };
  const first = ANSWER.places.length;
  assert.equal(changed(ANSWER, first + 5).chosen, 5);
  assert.equal(changed(ANSWER, 7), null, "nothing has looked at it yet");
  assert.deepEqual(changed(PARIS, 7), { looked: 7 });
  assert.deepEqual(changed(PARIS, first + 2), { looked: first + 2 });
  assert.equal(changed(PARIS, first + 6).chosen, 6, "one that came later");
  assert.equal(changed(PARIS, first + 5).chosen, -1, "the whole answer again");
});

test("the chosen token and those after it are not looked at", () => {
  assert.equal(placesOf(PARIS).length, PARIS.places.length + 5);
  assert.equal(PARIS.looks.length, 270 * placesOf(PARIS).length);
});

test("the head of the picture gives France most, and the sentence says so", () => {
  const weight = weightOf(PARIS, 23, 4, PARIS.aim);
  assert.equal(
    caption(LOOKS),
    `Of 270 heads layer 24, head 5 gave \u201cFrance\u201d most: ${weight.toFixed(2)}.`,
  );
  assert.match(caption({ ...PARIS, looked: 0 }), /^Layer 19, head 8 gave \u201cstart\u201d 1/);
  const told = "“␣Paris” had 0.95, “␣L” 0.01.";
  assert.equal(caption(PARIS), told);
  assert.match(caption(ANSWER), /^Finished.* Click a token: /);
  const chosen = { ...PARIS, layer: 23, head: 4 };
  assert.match(caption({ ...chosen, looked: 0 }), /^Layer 24, head 5 gave \u201cstart\u201d 0/);
});

test("a token with a space before it is told from the same one without", () => {
  assert.deepEqual([" Paris", "Paris"].map(spaced), ["\u2423Paris", "Paris"]);
  const texts = layout(PARIS, ROOM, none).map((mark) => mark.text);
  const said = ["\u2423Paris", "Paris", "tokens that could have come (\u2423 is a space)"];
  assert.ok(said.every((text) => texts.includes(text)));
});

test("a token is written without its space, a new line and the end have signs", () => {
  assert.deepEqual([" sky", "\n\n", "<|im_end|>", " "].map(shown), [
    "sky",
    "\u21b5\u21b5",
    "end",
    "\u21b5",
  ]);
});

test("the end is a chip, as is who speaks", () => {
  const kinds = [1, 9, 17].map((place) => find(ANSWER, `behind ${place}`).class);
  assert.deepEqual(kinds, Array(3).fill("spread pick"));
  assert.equal(find(ANSWER, "token 17").text, "end");
});

test("the answer begins a line, and no line is wider than its room", () => {
  const words = Array.from({ length: 60 }, (_, i) => (i % 7 ? " some" : "thing"));
  const boxes = wrap(words, 20, 500);
  assert.equal(boxes[20].x, 0);
  assert.ok(boxes[20].line > boxes[19].line);
  assert.ok(boxes.every(({ x, w }) => x + w <= 500));
});

test("texts stand apart and inside, veiled or not, for long answers too", () => {
  const long = longAnswer(70);
  const looks = new Uint8Array(270 * (long.places.length + 60)).fill(1);
  const chosen = { ...long, seen: 60, best: PARIS.best, looks };
  const answers = [...[1, 9, 13, 30].map(longAnswer), long, chosen, { ...chosen, looked: 3 }];
  for (const state of [ANSWER, PARIS, LOOKS, VEILED, ...answers]) {
    const marks = layout(state, ROOM, none);
    assert.deepEqual([outside(marks, ROOM), overlaps(marks), twins(marks)], [[], [], []]);
  }
});

test("how far a token was ahead of the likeliest other answers, and is marked", () => {
  const told = (state, id) => find(state, id)?.text;
  const lead = PARIS.best[0].share - PARIS.best[1].share;
  const [bar, marked, answer] = ["bar 5", "lead", "answer"].map((id) => find(PARIS, id));
  assert.ok(Math.abs(answer.number - lead) < 1e-9 && answer.delay > marked.delay);
  assert.ok(Math.abs(marked.w / bar.w - lead / PARIS.best[0].share) < 1e-9);
  assert.ok(Math.abs(marked.x + marked.w - bar.x - bar.w) < 1e-9, "it ends where the bar ends");
  assert.equal(marked.y, find(PARIS, "bar other 1").y);
  assert.deepEqual(
    ["could 0", "could 1", "share other 1"].map((id) => find(PARIS, id).class),
    ["bold", "bold", "bold"],
  );
  const first = PARIS.words.indexOf(" capital");
  const other = PARIS.shares[first].share - PARIS.best[0].share;
  assert.equal(find({ ...PARIS, seen: first }, "answer").number, other, "it came elsewhere");
  const hidden = { ...PARIS, veiled: true };
  assert.equal(told(hidden, "answer-label"), "ahead of the runner-up");
  const ids = layout(hidden, ROOM, none).map(({ id }) => id);
  assert.ok(ids.includes("answer-veil") && !ids.some((id) => /^(could|bar|share|lead)/.test(id)));
  assert.match(caption(hidden), /^Predict the lead/);
  assert.equal(told(hidden, "ask"), "far ahead, or nearly a tie?");
  assert.equal(told(ANSWER, "answer-label"), "least sure");
});

test("while it is veiled neither share nor look is seen", () => {
  const marks = layout(VEILED, ROOM, { ...none, next: () => "shown" });
  assert.ok(!marks.some(({ id }) => /^(share|bar|lit|cell|answer$)/.test(id)));
  assert.ok(!marks.some((mark) => mark.tint > 0));
  const token = marks.find(({ id }) => id === "behind 10");
  assert.equal(token.pick(), "shown", "no token is marked, and a click on one is Enter");
});

test("every share begins at zero, in one tint; all others have no bar that could win", () => {
  const best = PARIS.best.map((each, i) => ({ ...each, share: 0.3 / (i + 1) }));
  const mark = (id) => find({ ...PARIS, best }, id);
  const [whole, came, other] = ["whole 0", "bar 5", "bar other 1"].map(mark);
  assert.ok(Math.abs(came.w - 0.3 * whole.w) < 1e-9 && came.w === 2 * other.w);
  const last = mark("bar other 4");
  assert.deepEqual([came.x, other.x, last.x], [whole.x, whole.x, whole.x]);
  assert.equal(mark("rest").text, "all others");
  assert.equal(mark("share of the rest").text, "0.32");
  assert.ok(!mark("bar other 5") && mark("rest").y > last.y + last.h);
  assert.equal(new Set([came, other, last].map(({ tint }) => tint)).size, 1);
  const sure = PARIS.best.map((each, i) => ({ ...each, share: i > 0 ? 0 : 0.999 }));
  assert.ok(!find({ ...PARIS, best: sure }, "rest"), "never 0 for what is not");
});

test("the answer is alone until a token is clicked: no grid, no tint, no frame", () => {
  const looked = (state) =>
    layout(state, ROOM, none).filter(
      ({ id, tint }) => /^(cell|aim)/.test(id) || (id.startsWith("behind") && tint > 0),
    );
  assert.deepEqual(looked(PARIS), []);
  assert.ok(looked(LOOKS).some(({ id }) => id === "aim"));
  assert.equal(find(LOOKS, "bar 5"), undefined, "and then the grid is alone");
});

test("the head that looks most has full colour, bold numbers, and its weight answers", () => {
  const cells = layout(LOOKS, ROOM, none).filter(({ id }) => id.startsWith("cell "));
  assert.deepEqual(
    cells.filter(({ tint }) => tint === 1).map(({ id }) => id),
    ["cell 23.4"],
  );
  const [column, row] = ["layer 23", "head 4"].map((id) => find(LOOKS, id));
  assert.deepEqual(
    [column, row].map((mark) => [mark.text, mark.class]),
    [
      ["24", "bold"],
      ["5", "bold"],
    ],
  );
  const { x, w, y, h } = find(LOOKS, "cell 23.4");
  assert.ok(column.x === x + w / 2 && row.y > y && row.y < y + h);
  const { number } = find(LOOKS, "answer");
  assert.equal(number, weightOf(LOOKS, 23, 4, LOOKS.aim));
  assert.equal(find(LOOKS, "answer-label").text, "layer 24, head 5");
  for (const [layer, head] of [
    [0, 0],
    [1, 1],
    [28, 7],
    [29, 8],
  ]) {
    const chosen = { ...LOOKS, layer, head };
    assert.deepEqual(overlaps(layout(chosen, ROOM, none)), []);
    assert.equal(find(chosen, "answer").number, weightOf(LOOKS, layer, head, LOOKS.aim));
  }
});

test("arrow keys choose a token, then a head; the space bar writes", () => {
  const press = (state, key) => keysOf(state, key, null, none);
  assert.equal(press({ ...ANSWER, enter: "How close?" }, "ArrowRight"), null, "Enter asks");
  const chosen = [ANSWER, PARIS, { ...PARIS, veiled: true }].map((each) =>
    press(each, "ArrowRight"),
  );
  assert.deepEqual(
    chosen.map((each) => [each.chosen, each.veiled]),
    [0, 6, 6].map((number) => [number, true]),
    "no answer unasked",
  );
  assert.deepEqual(press({ ...PARIS, seen: 7 }, "ArrowRight"), {}, "there is no more");
  assert.equal(press(PARIS, "Escape").chosen, -1);
  assert.deepEqual(press(PARIS, "ArrowDown"), { looked: PARIS.aim });
  assert.deepEqual(press(LOOKS, "ArrowRight"), { head: 4, layer: 24, looked: 7 });
  assert.deepEqual(press(LOOKS, "ArrowUp"), { head: 3, layer: 23, looked: 7 });
  assert.equal(press(LOOKS, "Escape").looked, -1);
  assert.equal(press(LOOKS, "Backspace").looked, -1, "in full screen Escape would leave that");
  assert.equal(press(PARIS, "Backspace").chosen, -1, "back to the whole answer");
  assert.deepEqual(press({ ...PARIS, stopped: "" }, "Backspace"), { type: "back" });
  assert.deepEqual(press(PARIS, " "), { type: "write" });
  assert.equal(press(VEILED, "ArrowRight"), null);
});

test("the headline names the head that gives most, or the chosen one, and asks nothing", () => {
  assert.equal(asks(LOOKS), "The head that looks most at “France”");
  assert.equal(asks({ ...LOOKS, looked: 1 }), "The head that looks most at “user”");
  const other = { ...LOOKS, ...keysOf(LOOKS, "ArrowDown") };
  assert.equal(asks(other), "What this head gives to “France”");
  assert.ok(!asks({ ...other, ...keysOf(other, "Escape") }));
});

test("Enter is Stop while it writes", () => {
  assert.equal(nextOf({ running: false }), null);
  assert.deepEqual(nextOf({ running: true }), { label: "Stop", act: interrupt });
});
