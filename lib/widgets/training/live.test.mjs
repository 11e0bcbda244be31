// A recorded training on a page without Python: played, stopped, begun again, taken back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { events } from "./live.mjs";

const BEFORE = { "d1.weights": "even", "d1.key": 0 };
const REPORTS = [
  { step: 10, writes: "first", numbers: [2, 0.1], map: { "d1.weights": "some", "d1.key": 1 } },
  { step: 20, writes: "then", numbers: [1, 0.9], map: { "d1.weights": "sure", "d1.key": 2 } },
];

/** The page's present values, and a player whose time moves on by `tick`. */
function opened() {
  const page = { ...BEFORE, "d1.query": 1, "d0.x": [], "d0.texts": [], "d0.ys": [[], []] };
  let waiting = [];
  const player = {
    given: { reports: REPORTS, pointed: ["d1.query", "d1.key"], before: BEFORE },
    receive: (changes) => Object.assign(page, changes),
    play: (changes) => (waiting = changes),
    halt: () => (waiting = []),
  };
  const fire = (event) => player.receive(events[event]((path) => page[path], {}, player) ?? {});
  const tick = () => {
    const { length } = page["d0.x"]; // the next report, after the pauses of the one before
    while (page["d0.x"].length === length && waiting.length > 0) player.receive(waiting.shift()());
  };
  return { page, fire, tick, left: () => waiting.length };
}

test("all reports are shown, one by one, and then it can be trained again", () => {
  const { page, fire, tick, left } = opened();
  fire("d0.train");
  assert.deepEqual([page["d0.running"], page["d0.can_train"], page["d0.x"]], [true, false, []]);
  tick();
  assert.deepEqual([page["d0.x"], page["d1.weights"], page["d1.key"]], [[10], "some", 1]);
  assert.ok(left() > 15, "each new sentence stays to be read");
  while (left() > 0) tick();
  assert.deepEqual(page["d0.ys"], [
    [2, 1],
    [0.1, 0.9],
  ]);
  assert.deepEqual(page["d0.texts"], ["first", "then"]);
  assert.deepEqual([page["d0.running"], page["d0.enter"]], [false, ""], "Enter starts over");
  fire("h.reset");
  assert.deepEqual([page["d0.can_train"], page["d0.enter"]], [true, null]);
  fire("d0.train");
  assert.deepEqual([page["d0.x"], page["d1.weights"]], [[], "even"], "no curve over the last");
});

test("who points elsewhere goes on pointing there", () => {
  const { page, fire, tick } = opened();
  fire("d0.train");
  tick();
  page["d1.query"] = 0;
  tick();
  assert.deepEqual([page["d1.query"], page["d1.key"], page["d1.weights"]], [0, 1, "sure"]);
});

test("stopped, it keeps what was shown; Reset takes it away", () => {
  const { page, fire, tick, left } = opened();
  fire("d0.train");
  tick();
  fire("d0.stop");
  assert.equal(left(), 0);
  assert.deepEqual([page["d0.x"], page["d0.can_train"]], [[10], true]);
  fire("d0.train");
  tick();
  fire("h.reset");
  assert.equal(left(), 0);
  assert.deepEqual([page["d0.x"], page["d1.weights"], page["d0.can_train"]], [[], "even", true]);
});
