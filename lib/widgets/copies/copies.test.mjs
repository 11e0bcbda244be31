import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { caption, keysOf, kindOfLook, layout } from "./copies.mjs";
import { written } from "./look.mjs";
import { bitsOf, looksOf, oneIn, waitFor } from "./skyline.mjs";
import { outside, overlaps, twins, writings } from "../../../tests/widgets/room.mjs";

const HERE = new URL("golden.json", import.meta.url);
const sent = JSON.parse(readFileSync(HERE)); // of layers 17 to 19
const ROOM = { width: 1216, height: 456 };
const VEILED = { ...sent, hovered: null, over: null, before: null };
const COST = { ...VEILED, veiled: false };
const LOOK = { ...COST, asks: "look", done: 1 };
const CUT = { ...COST, cut: 1, done: 2, before: { ...COST, cut: 1, veiled: true } };
const act = { change: (changes) => changes };
const HEADS = 9;
const BACK = 0; // layer 17, head 1
const COUNT = 30;
const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);
const unit = find(COST, "bar 1").h / bitsOf(COST, 0, 0); // of a bit
const floor = find(COST, "bar 1").y + find(COST, "bar 1").h;

test("everything stands in the room, and no text on another", () => {
  const pointing = [{ hovered: 0 }, { hovered: 16 }, { hovered: 29 }, { over: 3 }];
  const states = [VEILED, COST, LOOK, CUT, { ...LOOK, veiled: true }, { ...CUT, veiled: true }];
  states.push({ ...CUT, cut: 2, done: 3 });
  for (const room of [ROOM, { ...ROOM, height: 300 }, { ...ROOM, height: 760 }])
    for (const state of states)
      for (const more of [{}, ...pointing]) {
        const marks = layout({ ...state, ...more }, room, {});
        assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
      }
});

test("under the veil there is nothing of the second time", () => {
  const ids = layout(VEILED, ROOM, {}).map(({ id }) => id);
  assert.ok(ids.includes("veil") && ids.includes("bar 30") && !ids.includes("bar 31"));
  assert.ok(ids.includes("answer-veil") && !ids.includes("answer"));
  const rise = layout({ ...CUT, veiled: true }, ROOM, {}).map(({ id }) => id);
  assert.ok(!rise.some((id) => id.startsWith("risen")));
});

test("the heads wait until they are asked for, until then the bars have their room", () => {
  assert.ok(find(COST, "bar 60").x > find({ ...COST, done: 1 }, "bar 60").x + 150);
  assert.equal(find(COST, "heads"), undefined);
  assert.equal(find(VEILED, "hold heads"), undefined);
  for (const state of [LOOK, CUT]) assert.ok(find(state, "heads") && find(state, "head 0"));
});

test("one line says how high a word is the first time, the same for every cut", () => {
  const { y } = find(VEILED, "level");
  assert.ok(Math.abs(floor - y - unit * sent.means[0][0]) < 1e-6);
  for (const state of [COST, CUT, { ...CUT, cut: 2, done: 3 }]) {
    assert.equal(find(state, "level").y, y);
    const said = state.cut > 0 ? "1 in 210,000" : "first time: 1 in 210,000";
    assert.equal(find(state, "level share").text, said);
  }
});

test("where a head looks there are words alone, each below the same one", () => {
  assert.ok(!layout(LOOK, ROOM, {}).some(({ id }) => /^(bar|share) /.test(id)));
  for (const [place, kind] of [
    [LOOK.place + 2, "key"],
    [COUNT + 1 + LOOK.place, "query"],
  ])
    assert.equal(find(LOOK, `word ${place}`).class, `${kind} bold`);
  for (const place of [3, 4, 5, 6]) {
    const [first, again] = [place, place + COUNT].map((at) => find(LOOK, `word ${at}`));
    assert.ok(first.x === again.x && first.y < again.y && first.text === again.text);
  }
  const { pick } = layout(LOOK, ROOM, act).find(({ id }) => id === "pick 36");
  assert.deepEqual(pick(), { asks: "look", cut: 0, place: 5 });
});

test("heights are told as shares", () => {
  assert.deepEqual([0, 2, 8.886, 20].map(oneIn), [
    "no surprise",
    "1 in 4",
    "1 in 470",
    "1 in 1,000,000",
  ]);
  assert.equal(find(COST, "share 10").text, "1 in 1,000");
});

test("the bars of the second time fall one after the other, then the number comes", () => {
  const shown = { ...COST, before: VEILED };
  const [one, next] = [find(shown, "bar 31"), find(shown, "bar 32")];
  assert.ok(next.delay > one.delay && one.from.h > one.h);
  assert.equal(find(shown, "answer").delay, waitFor(shown));
  assert.ok(waitFor(shown) > next.delay);
  assert.equal(waitFor({ ...shown, before: { ...COST, hovered: 3 } }), 0, "nothing fell");
  assert.equal(waitFor(LOOK), 0);
});

test("a bar is as high as its bits, the same for every cut", () => {
  for (const state of [COST, CUT])
    for (const time of [0, 1])
      for (const word of [0, 7, 29]) {
        const { h } = find(state, `bar ${1 + word + COUNT * time}`);
        assert.ok(Math.abs(h - unit * bitsOf(state, word, time)) < 1e-6);
      }
  const { h } = find(CUT, "risen 41");
  assert.ok(Math.abs(h - unit * (bitsOf(CUT, 10, 1) - bitsOf(COST, 10, 1))) < 1e-6);
});

test("the answer is the mean, a full line on the bars; those before stay as dashed ones", () => {
  assert.equal(find(COST, "answer").number, sent.means[0][1]);
  assert.equal(find(CUT, "answer").number, sent.means[1][1]);
  const last = { ...CUT, cut: 2, done: 3 };
  for (const [i, [, bits]] of sent.means.entries()) {
    const { y, x, class: kind } = find(last, `mean ${i}`);
    assert.ok(Math.abs(floor - y - unit * bits) < 1e-6 && x > find(last, "bar 30").x);
    assert.equal(kind, i === 2 ? "focused" : "ghost");
    const share = find(last, `mean ${i} share`);
    assert.deepEqual([share.text, share.class], [oneIn(bits), i === 2 ? "bold" : ""]);
  }
  for (const state of [VEILED, { ...CUT, veiled: true }])
    for (const id of [`mean ${state.cut}`, `mean ${state.cut} share`])
      assert.equal(find(state, id), undefined, "not before it was asked");
});

test("a head that copies looks at what came after the word last time", () => {
  const [{ place, weight }] = looksOf(LOOK, LOOK.head, LOOK.place);
  assert.equal(place, LOOK.place + 2);
  assert.ok(weight > 0.9);
  assert.equal(find(LOOK, "answer").text, LOOK.words[LOOK.place + 1]);
  assert.equal(kindOfLook(LOOK, LOOK.place, place), "after");
  assert.match(
    caption(LOOK),
    /^“posed” again: layer 3, head 7 looks at what came after it: 0\.\d\d/,
  );
  assert.match(caption({ ...LOOK, over: BACK }), /head 1 looks at the word just before: 0\.9/);
});

test("what can be looked at has a name", () => {
  const kinds = { 0: "start", 4: "same", 5: "after", 33: "back", 34: "self", 9: "other" };
  for (const [place, kind] of Object.entries(kinds))
    assert.equal(kindOfLook(LOOK, 3, Number(place)), kind);
  assert.equal(kindOfLook(LOOK, 0, 30), "back", "the last word of the first time");
});

test("the arcs go from the word that asks to what gets most, the broader the more", () => {
  const arc = find(LOOK, "arc 1");
  assert.equal(arc.x, find(LOOK, `word ${COUNT + 1 + LOOK.place}`).x);
  assert.equal(arc.toX, find(LOOK, `word ${LOOK.place + 2}`).x);
  for (const head of sent.shares.keys()) {
    const arcs = layout({ ...LOOK, head }, ROOM, {}).filter(({ id }) => id.startsWith("arc "));
    assert.ok(
      arcs.length > 0 && arcs.every(({ thick }, i) => i === 0 || thick >= arcs[i - 1].thick),
    );
  }
  const hidden = layout({ ...LOOK, veiled: true }, ROOM, {});
  assert.ok(!hidden.some(({ id }) => id.startsWith("arc") || id === "looked"));
  const fills = new Set(hidden.filter((mark) => mark.class === "head").map(({ fill }) => fill));
  assert.equal(fills.size, 1, "the heads do not tell either");
});

test("the largest arc always lands on its word, between the rows or below, in the room", () => {
  for (const head of sent.shares.keys())
    for (const place of Array(COUNT).keys()) {
      const state = { ...LOOK, head, place };
      const marks = layout(state, ROOM, {});
      const words = marks.filter(({ id }) => id.startsWith("word "));
      const arcs = marks.filter(({ id }) => id.startsWith("arc "));
      const [{ place: at }] = looksOf(state, head, place);
      assert.equal(arcs.at(-1).toX, words.find(({ id }) => id === `word ${at}`).x);
      for (const { y, toY, arrive, thick } of arcs) {
        assert.ok(words.every((word) => word.y < toY - 9 || word.y > Math.max(y, toY) + 9));
        assert.ok(toY + 0.75 * arrive + thick / 2 < ROOM.height); // so deep a cubic curve hangs
      }
    }
});

test("the same words are written under both rounds, unless a head looks elsewhere", () => {
  for (const place of Array(COUNT).keys()) {
    const [first, second] = [0, 1].map((time) => written({ ...LOOK, place, veiled: true }, time));
    assert.ok(first.includes(place + 1) && second.includes(COUNT + 1 + place));
  }
});

test("what comes next is not written before it was looked up", () => {
  assert.ok(
    writings(layout({ ...LOOK, veiled: true }, ROOM, {})).filter((x) => x === "?").length === 2,
  );
  const words = writings(layout(LOOK, ROOM, {}));
  assert.equal(words.filter((word) => word === "stack").length, 3, "twice in the text, once large");
});

test("the axes of the heads have names, and their ends numbers", () => {
  const told = writings(layout(LOOK, ROOM, {}));
  assert.ok(["layer", "3", "9"].every((words) => told.includes(words)));
  assert.equal(find(LOOK, "head axis").text, "head");
});

test("the heads that are cut are dashed, and not before the question", () => {
  assert.ok(
    !layout(LOOK, ROOM, {}).some(({ id, class: kind }) => kind === "gone" || /^four/.test(id)),
  );
  const gone = layout(CUT, ROOM, {}).filter((mark) => mark.class === "gone");
  assert.deepEqual(
    gone.map(({ id }) => id).toSorted(),
    CUT.cuts[1].map((head) => `head ${head}`).toSorted(),
  );
});

test("keys go to another word and another head, and cut", () => {
  const free = { hovered: null, over: null };
  const look = { asks: "look", cut: 0, ...free };
  assert.deepEqual(keysOf(CUT, "ArrowRight"), { ...look, place: sent.place + 1 });
  assert.deepEqual(keysOf(LOOK, "End"), { ...look, place: COUNT - 1 });
  assert.deepEqual(keysOf({ ...LOOK, head: 4 }, "ArrowDown"), { ...look, head: 5 });
  assert.deepEqual(keysOf({ ...LOOK, head: 8 }, "ArrowDown"), { ...look, head: 8 });
  const shift = { shiftKey: true };
  assert.deepEqual(keysOf({ ...LOOK, head: 4 }, "ArrowRight", shift), { ...look, head: 4 + HEADS });
  assert.deepEqual(keysOf({ ...LOOK, head: 4 }, "ArrowLeft", shift), { ...look, head: 4 });
  assert.deepEqual(keysOf(LOOK, " "), { asks: "cost", cut: 1, ...free });
  assert.deepEqual(keysOf(CUT, " "), { asks: "cost", cut: 0, ...free });
  assert.equal(keysOf(VEILED, " "), null, "only Enter lifts the veil");
  assert.equal(keysOf(LOOK, "q"), null);
});

test("the sentence says what to see", () => {
  assert.match(caption(VEILED), /Enter shows it/);
  assert.match(caption(COST), /little surprise is left/);
  assert.match(caption(CUT), /the cut adds/);
  const [whole, four, lot] = sent.means.map(([_, second]) => oneIn(second));
  const told = `Nothing cut: ${whole}. The four that copy: ${four}. These four: ${lot}.`;
  assert.equal(caption({ ...CUT, cut: 2, done: 3 }), told);
  const said = [0, 1].map((time) => oneIn(bitsOf(COST, 0, time)));
  const pointed = caption({ ...COST, hovered: 0 });
  assert.equal(pointed, `“rods”: ${said[0]} the first time, ${said[1]} the second.`);
  assert.doesNotMatch(JSON.stringify(writings(layout(COST, ROOM, {}))), /bits/);
  assert.match(caption({ ...LOOK, veiled: true }), /Where would you look/);
});
