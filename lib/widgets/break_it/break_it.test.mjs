import assert from "node:assert/strict";
import test from "node:test";
import { caption, keysOf, layout, orderOf } from "./break_it.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const ROOM = { width: 1216, height: 456 };
const HIGH = { width: 1216, height: 760 };
const part = (name, shares) => {
  const share = shares.toSorted((one, other) => one - other)[Math.floor(shares.length / 2)];
  return { name, shares, share, says: `What was measured: ${name}.`, mistake: null };
};
const ROWS = [
  part("the whole model", [1, 1, 1]),
  part("no positions", [0.78, 0.79, 0.8]),
  part("no causal mask", [0, 0, 0.04]),
  part("no residual", [0.1, 0.88, 0.12]),
];
const STATE = {
  rows: ROWS,
  shown: [true, false, false, false],
  bets: [null, null, null, null],
  chosen: 1,
  by_damage: false,
  veiled: false,
  before: null,
};
const BET = { ...STATE, bets: [null, 0.3, 1, null] };
const ALL = { ...BET, shown: [true, true, true, true], chosen: 2, by_damage: true };
const MANY = Array.from({ length: 12 }, (_, i) => part(`a part with number ${i}`, [1 - i / 11]));
const TWELVE = {
  ...STATE,
  rows: MANY,
  shown: MANY.map((_, i) => i % 3 > 0),
  bets: MANY.map((_, i) => i / 11),
};
const words = (sentence, wrong) => sentence.split(" ").map((word, i) => [word, i !== wrong]);
const WROTE = {
  seed: 1,
  read: "the mouse couldn't inspect the island because it was really narrow",
  wrote: words("La souris n'a pas pu inspecter l'île parce qu'elle était bondée.", 10),
  right: "La souris n'a pas pu inspecter l'île parce qu'elle était vraiment étroite.",
};
const wrote = (mistake) => ({ ...ALL, rows: ROWS.with(2, { ...ROWS[2], mistake }) });
const WRONG = wrote(WROTE);
const ENDLESS = wrote({ ...WROTE, wrote: words(Array(60).fill("vraiment").join(" "), 3) });
const ids = (state) => layout(state, ROOM, {}).map(({ id }) => id);
const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  for (const room of [ROOM, HIGH])
    for (const state of [STATE, BET, ALL, TWELVE, WRONG, ENDLESS, wrote(null)]) {
      const marks = layout(state, room, {});
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
    }
});

test("a covered row tells its name and nothing else", () => {
  const found = ids(STATE);
  assert.ok(found.includes("name 1") && found.includes("cover 1") && found.includes("answer-veil"));
  assert.ok(!found.some((id) => /^(bar|line|value|seed) ?[12]|^answer$/.test(id)));
  assert.ok(!caption(STATE).includes("measured"));
});

test("an uncovered row has a dot for each training, which falls from the whole", () => {
  const [zero, one] = ["zero", "one"].map((id) => find(ALL, id).x);
  for (const [seed, share] of ROWS[1].shares.entries()) {
    const fallen = find(ALL, `seed 1.${seed}`);
    assert.ok(Math.abs((fallen.x - zero) / (one - zero) - share) < 1e-9);
    assert.equal(fallen.from.x, one);
  }
  const heights = ROWS[0].shares.map((_, seed) => find(ALL, `seed 0.${seed}`).y);
  assert.equal(new Set(heights).size, 3, "those that came to the same are all seen");
  assert.equal(caption(ALL), "What was measured: no causal mask.");
});

test("a row is told as its median, a bar, a line and a number, after its dots", () => {
  const [bar, line] = [find(ALL, "bar 3"), find(ALL, "line 3")];
  assert.equal(line.x + line.w / 2, find(ALL, "seed 3.2").x);
  assert.ok(Math.abs(bar.x + bar.w - find(ALL, "seed 3.2").x) < 1e-9);
  assert.equal(find(ALL, "bar 2").w, 0, "nothing stays");
  const lost = find(ALL, "lost 3");
  assert.ok(Math.abs(lost.x - bar.x - bar.w) < 1e-9);
  assert.ok(Math.abs(lost.x + lost.w - find(ALL, "end one").x - 1) < 1e-9, "up to the whole");
  assert.equal(find(ALL, "lost 0"), undefined, "nothing is lost");
  const [under, middle, over] = ["bar 3", "line 3", "seed 3.0"].map((id) => ids(ALL).indexOf(id));
  assert.ok(under < middle && middle < over, "the dots are seen");
  assert.equal(find(ALL, "value 3").number, ROWS[3].share);
  assert.ok(line.delay > find(ALL, "seed 3.2").delay);
  const told = (state) => ["answer", "answer-label"].map((id) => find(state, id));
  const [share, unsorted] = told({ ...ALL, by_damage: false });
  assert.deepEqual([share.number, unsorted.text], [ROWS[2].share, "share that stays right"]);
  const most = [...told(ALL), find(ALL, "last")].map(({ text }) => text);
  assert.deepEqual(most, ["no causal", "0.00 stay right", "mask"], "the question's own words");
  assert.ok(told(ALL)[0].size > 60 && find(ALL, "last").size === told(ALL)[0].size);
  assert.equal(find({ ...ALL, chosen: 3 }, "answer").number, ROWS[3].share);
});

test("a bet stays on the axis of its row", () => {
  assert.ok(!ids(STATE).some((id) => id.includes("bet")));
  for (const state of [BET, ALL]) {
    const [zero, one] = ["zero", "one"].map((id) => find(state, id).x);
    assert.ok(Math.abs((find(state, "bet 1").x - zero) / (one - zero) - 0.3) < 1e-9);
  }
  const name = find(BET, "bet is");
  assert.equal(name.text, "your bet", "the arrow head has a name");
  assert.ok(name.x > find(BET, "bet 1").x && name.y === find(BET, "name 1").y, "beside it");
  const high = find({ ...BET, chosen: 2 }, "bet is");
  assert.ok(high.anchor === "end" && high.x < find(BET, "bet 2").x, "on the axis");
  assert.ok(!ids(ALL).includes("bet is") && !ids({ ...BET, veiled: true }).includes("bet is"));
  assert.match(caption(BET), /You say 0.30 for .no positions./);
});

test("left and right bet on a covered row, from 0 to 1", () => {
  assert.deepEqual(keysOf(STATE, "ArrowRight").bets, [null, 0.5, null, null]);
  assert.equal(keysOf(BET, "ArrowRight").bets[1], 0.35);
  assert.equal(keysOf({ ...BET, chosen: 2 }, "ArrowRight").bets[2], 1);
  assert.equal(keysOf(BET, "Home").bets[1], 0);
  assert.equal(keysOf(ALL, "ArrowLeft"), null, "it is too late");
});

test("up and down choose a row", () => {
  assert.deepEqual(keysOf(STATE, "ArrowDown"), { chosen: 2 });
  assert.deepEqual(keysOf({ ...STATE, chosen: 3 }, "ArrowDown"), { chosen: 3 });
  assert.deepEqual(keysOf(ALL, "ArrowUp"), { chosen: 0 }, "the mask stands under the whole");
  assert.deepEqual(keysOf(ALL, "ArrowDown"), { chosen: 3 });
});

test("sorted by damage the worst come first, under the whole", () => {
  assert.deepEqual(orderOf({ ...ALL, by_damage: false }), [0, 1, 2, 3]);
  assert.deepEqual(orderOf(ALL), [0, 2, 3, 1]);
});

test("what breaks it most is asked before any row is uncovered or moved", () => {
  const asked = { ...ALL, shown: [true, true, false, false], veiled: true };
  assert.deepEqual(orderOf(asked), [0, 1, 2, 3]);
  assert.deepEqual(
    [2, 3].map((i) => find(asked, `cover ${i}`).class),
    ["veil", "veil"],
  );
  assert.equal(find(asked, "answer-veil").text, "?");
  assert.equal(find(asked, "answer-label").text, "breaks it most");
  assert.equal(find(asked, "name 2").class, "", "no row stands out");
  assert.doesNotMatch(caption(asked), /measured/);
  assert.equal(keysOf(asked, "ArrowDown"), null);
});

test("every row has its place from the start, and only what is asked about a veil", () => {
  const places = (state) => ROWS.map((_, i) => find(state, `row ${i}`)).map(({ y, h }) => [y, h]);
  const other = { ...STATE, chosen: 3, shown: [true, true, false, false] };
  for (const state of [BET, other]) assert.deepEqual(places(state), places(STATE));
  const covers = ids(BET).filter((id) => id.startsWith("cover"));
  assert.deepEqual(covers, ["cover 1", "cover 2"], "a bet asks too");
});

test("the chosen row is the one emphasis", () => {
  const kinds = (i) => ["name", "value"].map((id) => find(ALL, `${id} ${i}`).class);
  assert.deepEqual(
    [kinds(2), kinds(3)],
    [
      ["bold", "bold"],
      ["faint", "faint"],
    ],
  );
  assert.equal(find(ALL, "here").y, find(ALL, "row 2").y);
});

test("a broken model writes a sentence, its wrong word bold on yellow", () => {
  const marks = layout(WRONG, ROOM, {});
  const written = marks.filter(({ id }) => id.startsWith("wrote 2."));
  assert.deepEqual(
    written.map(({ text }) => text),
    WROTE.wrote.map(([word]) => word),
  );
  assert.deepEqual(
    written.filter(({ class: kind }) => kind === "bold marked").map(({ text }) => text),
    ["bondée."],
  );
  assert.equal(marks.filter(({ id }) => id.startsWith("wrong ")).length, 1);
  const said = marks.filter(({ id }) => id.startsWith("reads 2")).map(({ text }) => text);
  assert.equal(said.join(" "), `At 0.00 it reads: ${WROTE.read}.`);
  assert.equal(written[0].delay, undefined, "the event comes first");
  assert.equal(find(WRONG, "key quoted").class, find(WRONG, "seed 2.1").class);
  assert.ok(find(WRONG, "seed 2.2").delay < find(WRONG, "answer").delay, "then the number");
  const covered = { ...WRONG, shown: [true, true, false, true] };
  assert.ok(!ids(covered).some((id) => id.startsWith("wrote")));
  assert.ok(!ids(wrote(null)).some((id) => /^(wrote|reads|right)/.test(id)), "none was made");
});

test("below a sentence that begins otherwise stands the right one", () => {
  const order = { ...WROTE, wrote: words("Comme elle était bondée, la souris n'a pas pu.", 0) };
  const marks = layout(wrote(order), ROOM, {});
  const right = marks.filter(({ id }) => id.startsWith("right 2"));
  assert.equal(right.map(({ text }) => text).join(" "), `right: ${WROTE.right}`);
  assert.ok(
    right[0].y > Math.max(...marks.filter(({ id }) => /^wrote/.test(id)).map(({ y }) => y)),
  );
  assert.deepEqual([outside(marks, ROOM), overlaps(marks)], [[], []]);
  assert.ok(!ids(WRONG).some((id) => id.startsWith("right")), "a marked word says enough");
});

test("a click on a covered row uncovers it", () => {
  const changes = [];
  const marks = layout(BET, ROOM, { change: (change) => changes.push(change) });
  marks.find(({ id }) => id === "row 2").pick();
  assert.deepEqual(changes, [{ chosen: 2, shown: [true, false, true, false] }]);
});
