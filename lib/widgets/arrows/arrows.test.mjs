import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { cosine, dot, length, nextLength, overtakes, shadow, stretched } from "./plane.mjs";
import { asks, caption, keysOf, layout, winnersOf } from "./arrows.mjs";
import { widthOf } from "../frame/lettering.mjs";

const cases = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
function near(actual, expected) {
  if (expected === null) assert.equal(actual, null);
  else assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

const START = { q: [3.5, 1], k: [2, 1.5], k2: [1.2, 3.2], chosen: 1, before: null };
const ASKED = { ...START, veiled: true };
const SHOWN = { ...START, done: 0, grip: null, veiled: false };
const LONGER = { ...SHOWN, chosen: 2, k2: [1.5, 4], before: SHOWN };
const BEHIND = { ...SHOWN, k: [-3.05, -1.25], k2: [-0.9, 2.15], q: [-4, -2.4] };
const ONE = { ...SHOWN, k2: [] };
const NOWHERE = { ...SHOWN, q: [0, 0] };
const TURNED = { ...LONGER, done: 2, chosen: 1, k: [-0.5, 1.75], before: LONGER };
const STATES = { ASKED, SHOWN, LONGER, TURNED, BEHIND, ONE, NOWHERE };
const ROOMS = [456, 528, 760].map((height) => ({ width: 1216, height }));
const act = { change() {}, next() {} };
const textsOf = (marks) => marks.filter((mark) => mark.text ?? mark.format);
const written = (mark) => mark.text ?? mark.format(mark.number);

test("dot, length, shadow and cosine agree with NumPy", () => {
  for (const { q, k, ...expected } of cases) {
    near(dot(q, k), expected.dot);
    near(length(k), expected.length);
    near(shadow(q, k), expected.shadow);
    near(cosine(q, k), expected.cosine);
  }
});

/** The box of a text mark. */
function boxOf(mark) {
  const size = mark.size ?? 24;
  const wide = widthOf(written(mark), size);
  const part = { start: 0, end: 1 }[mark.anchor] ?? 0.5;
  const left = mark.x - part * wide;
  return { left, right: left + wide, top: mark.y - 0.72 * size, bottom: mark.y };
}

test("every text is inside the room, and beside the plane none covers another", () => {
  for (const [name, state] of Object.entries(STATES))
    for (const room of ROOMS) {
      const marks = textsOf(layout(state, room, act));
      const boxes = marks.map((mark) => ({ ...boxOf(mark), text: written(mark) }));
      for (const [i, one] of boxes.entries()) {
        const inside = one.left >= 0 && one.right <= room.width + 1;
        assert.ok(inside && one.top >= 0 && one.bottom <= room.height, `${name}: ${one.text}`);
        for (const other of boxes.slice(i + 1)) {
          const across = one.left < other.right && other.left < one.right;
          const down = one.top < other.bottom && other.top < one.bottom;
          const isBeside = one.left > 780 && other.left > 780;
          assert.ok(!(across && down && isBeside), `${name}: ${one.text} and ${other.text}`);
        }
      }
    }
});

test("the veil hides scores and shadows; then the winner's score is bold", () => {
  const idsOf = (state) => layout(state, ROOMS[0], act).map((mark) => mark.id);
  const telling = (id) => /score|shadow|drop|answer$/.test(id);
  assert.deepEqual(idsOf(ASKED).filter(telling), []);
  const marks = layout(SHOWN, ROOMS[0], act);
  const [first, second] = ["score k", "score k2"].map((id) => marks.find((mark) => mark.id === id));
  assert.deepEqual([written(first), written(second)], ["8.50", "7.40"]);
  assert.deepEqual([first.class, second.class], ["bold", ""]);
});

test("what was before stays as a ghost, a score's bar and an arrow that was turned", () => {
  const ghostsOf = (state) =>
    layout(state, ROOMS[1], act)
      .filter((mark) => mark.class === "ghost")
      .map((mark) => mark.id);
  const marks = layout(LONGER, ROOMS[1], act);
  assert.deepEqual(ghostsOf(LONGER), ["was bar k2"], "k\u2032 lies on itself");
  assert.deepEqual(ghostsOf(TURNED).slice(0, 2), ["was k", "was head k"]);
  const wide = (id) => marks.find((mark) => mark.id === id).w;
  near(wide("bar k2") / wide("was bar k2"), 9.25 / 7.4);
  near(wide("bar k") / wide("was bar k2"), 8.5 / 7.4);
});

test("where k\u2032 overtakes k is marked, when that was asked and shown", () => {
  const asked = { ...LONGER, done: 1 };
  const [x, y] = overtakes(asked);
  near(dot(asked.q, [x, y]), dot(asked.q, asked.k));
  near(x * asked.k2[1], y * asked.k2[0]);
  const isMarked = (state) =>
    layout(state, ROOMS[1], act).some(({ text }) => text === "from here k\u2032 wins");
  assert.ok(isMarked(asked));
  for (const state of [SHOWN, { ...asked, veiled: true }, TURNED]) assert.ok(!isMarked(state));
  const never = { ...asked, k2: [-1, 3.5] };
  assert.equal(overtakes(never), null, "a right angle: no length is enough");
});

test("where the score of k alone is asked for, k\u2032 is pale, until it is chosen", () => {
  const isPale = (state) =>
    layout(state, ROOMS[1], act).some(({ class: kind }) => /pale/.test(kind));
  assert.deepEqual([SHOWN, TURNED, { ...TURNED, chosen: 2 }].map(isPale), [false, true, false]);
  const shadows = (state) =>
    layout(state, ROOMS[1], act).filter(({ id }) => id.startsWith("shadow")).length;
  assert.deepEqual([SHOWN, TURNED, { ...TURNED, chosen: 2 }].map(shadows), [2, 1, 2]);
});

test("a right angle with the query has its mark", () => {
  const angles = (k) =>
    layout({ ...SHOWN, k }, ROOMS[1], act).filter(({ id }) => id.startsWith("right angle")).length;
  assert.deepEqual(
    [
      [-1, 3.5],
      [1, -3.5],
      [2, 1.5],
      [0, 0],
    ].map(angles),
    [1, 1, 0, 0],
  );
});

test("what is asked stays until it is seen, and k's score is asked anew where k moves on", () => {
  for (const key of ["ArrowUp", "ArrowLeft", " "]) assert.equal(keysOf(ASKED, key), null);
  const right = { ...TURNED, k: [-0.5, 1.75] };
  assert.ok(!asks(right));
  assert.equal(asks({ ...right, ...keysOf(right, "ArrowUp") }), "k has moved. Its score?");
  assert.ok(!asks({ ...LONGER, ...keysOf(LONGER, "ArrowUp") }), "who wins is told");
});

test("with Shift an arrow key changes the length alone, in three presses k\u2032 wins", () => {
  let state = { ...SHOWN, chosen: 2 };
  for (let press = 0; press < 3; press++)
    state = { ...state, ...keysOf(state, "ArrowUp", { shiftKey: true }) };
  near(cross(state.k2, START.k2), 0);
  near(length(state.k2), 4);
  assert.deepEqual(winnersOf(state), ["k2"]);
  near(nextLength(3.25, -1), 3);
  near(length(stretched([0.1, 0], 0)), 0.25);
  assert.deepEqual(stretched([0, 0], 2), [0, 0]);
  assert.equal(Math.max(...stretched([0.9, 2.4], 99)), 4);
});

test("the answer is the word or the score that is asked for, and who wins", () => {
  const said = (state) =>
    ["answer", "answer-label"].map((id) => {
      const mark = layout(state, ROOMS[1], act).find((each) => each.id === id);
      return written(mark);
    });
  assert.deepEqual(said(SHOWN), ["aligned", "k wins"]);
  assert.deepEqual(said({ ...SHOWN, k2: LONGER.k2 }), ["longer", "k\u2032 wins"]);
  assert.deepEqual(said({ ...SHOWN, k: [4, 1] }), ["both", "k wins"]);
  const away = { k: [-0.5, -0.2], k2: [-1, -3] };
  assert.deepEqual(said({ ...SHOWN, ...away }), ["neither", "k wins"]);
  assert.deepEqual(said(NOWHERE), ["equal", "equal scores"]);
  assert.deepEqual(said({ ...LONGER, done: 1 }), ["yes", "k\u2032 wins"]);
  assert.deepEqual(said({ ...SHOWN, done: 1 }), ["no", "k wins"]);
  assert.deepEqual(said(TURNED), ["0.00", "q\u00b7k"]);
  assert.deepEqual(said(ONE), ["8.50", "q\u00b7k"]);
  const rows = layout(TURNED, ROOMS[1], act).filter(({ id }) => /^score k2?$/.test(id));
  assert.deepEqual(rows.map(written), ["9.25"], "that of k is the answer");
});

test("while an answer is asked, what stays and what was before is seen, at the start none", () => {
  const barsOf = (state) =>
    layout(state, ROOMS[1], act)
      .map((mark) => mark.id)
      .filter((id) => /bar/.test(id));
  assert.deepEqual(barsOf(ASKED), []);
  const asked = { ...LONGER, veiled: true };
  assert.deepEqual(barsOf(asked), ["bar k", "was bar k2"]);
  const scores = layout(asked, ROOMS[1], act).filter(({ id }) => id.startsWith("score"));
  assert.deepEqual(scores.map(written), ["8.50"]);
  assert.equal(scores[0].class, "", "who wins is asked");
  assert.deepEqual(barsOf({ ...TURNED, veiled: true }), ["was bar k", "bar k2"]);
  assert.deepEqual(barsOf({ ...LONGER, before: ASKED }), ["bar k", "bar k2"]);
});

/** The pixels of 1 on the plane. */
function unitOf(state) {
  const [one, two] = ["column 0", "column 1"].map((id) =>
    layout(state, ROOMS[1], act).find((mark) => mark.id === id),
  );
  return two.x - one.x;
}

test("the plane is larger while no arrow points to its left or to its lower half", () => {
  const rows = (state) =>
    layout(state, ROOMS[1], act).filter((mark) => /^row -?\d/.test(mark.id)).length;
  assert.ok(unitOf(SHOWN) > 1.4 * unitOf(BEHIND));
  assert.ok(unitOf(SHOWN) > 1.2 * unitOf({ ...SHOWN, k: [-3, 1] }));
  assert.deepEqual([rows(SHOWN), rows(BEHIND)], [6, 9]);
});

test("where the plane shows more of itself under a held tip, the arrow does not jump", () => {
  let state = { ...SHOWN, chosen: 1 };
  const change = (changes) => {
    state = { ...state, ...changes };
  };
  const tip = () => layout(state, ROOMS[1], { change }).find((mark) => mark.id === "tip k");
  let { x, y } = tip();
  tip().pick([x, y]);
  for (let i = 0; i < 36; i++) {
    const [, was] = state.k;
    y += 10;
    tip().drag([x, y], {});
    assert.ok(was - state.k[1] < 0.3, `from ${was} to ${state.k[1]}`);
  }
  assert.ok(state.k[1] < -2);
});

const cross = (one, other) => one[0] * other[1] - one[1] * other[0];

test("Shift and the bead keep the direction; the tip alone goes anywhere", () => {
  const changes = [];
  const marks = layout({ ...SHOWN, chosen: 2 }, ROOMS[1], { change: (each) => changes.push(each) });
  const tip = marks.find((mark) => mark.id === "tip k2");
  const bead = marks.find((mark) => mark.id === "bead");
  tip.drag([500, 60], { shiftKey: true });
  bead.drag([500, 60], {});
  tip.drag([tip.x + unitOf(SHOWN), tip.y], {});
  bead.drag([bead.x, bead.y], {});
  for (const change of [...changes.slice(0, 2), changes[3]]) near(cross(change.k2, START.k2), 0);
  assert.deepEqual(changes[2].k2, [2.2, 3.2]);
  near(length(changes[3].k2), length(START.k2));
});

test("captions say what makes the score and who wins", () => {
  assert.match(caption(ASKED), /^Predict/);
  assert.equal(caption(SHOWN), "k: its shadow on q × the length of q is 8.50; k wins.");
  assert.equal(caption(LONGER), "k′: its shadow on q × the length of q is 9.25; k′ wins.");
  assert.match(caption({ ...SHOWN, k2: SHOWN.k }), /equal scores/);
  assert.equal(caption(TURNED), "No shadow: score 0.", "who wins was not asked");
  assert.match(caption(ONE), /times the length of q is the score, 8\.50\./);
  assert.match(caption({ ...SHOWN, chosen: 0 }), /q is 3\.64 long; along it k reaches 2\.34/);
  assert.match(caption(NOWHERE), /every score is 0/);
});
