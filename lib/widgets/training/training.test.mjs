import assert from "node:assert/strict";
import test from "node:test";
import { caption, endOf, isWanted, keysOf, layout, reading, WIDTH } from "./training.mjs";
import { HEAVY, STAGE, widthOf } from "../frame/lettering.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const ROOM = { width: WIDTH, height: 456 };
const EMPTY = {
  names: ["loss", "right"],
  tops: [0, 1],
  x: [],
  ys: [[], []],
  texts: [],
  length: 400,
  answer: "reached",
  bets: [],
  reads: ["the", "animal"],
  wanted: ["l'", "animal"],
  waiting: "Press train to start.",
  can_train: true,
  left: "",
  here: null,
  aimed: null,
  veiled: false,
  before: null,
};
const TRAINED = {
  ...EMPTY,
  x: [25, 50, 75],
  ys: [
    [4, 1, 0.5],
    [0.1, 0.99, 1],
  ],
  texts: ["La la", "L'animal", "L'animal n'a pas traversé la rue parce qu'il était trop fatigué"],
};
const ids = (state) => layout(state, ROOM, {}).map(({ id }) => id);
const find = (state, key, room = ROOM) => layout(state, room, {}).find(({ id }) => id === key);

test("everything stands in the room, and no text on another", () => {
  const race = { ...TRAINED, names: ["with the scale", "without the scale"], tops: [1, 1] };
  for (const state of [EMPTY, TRAINED, { ...TRAINED, here: 0 }, race]) {
    const marks = layout(state, ROOM, {});
    assert.deepEqual([outside(marks, ROOM), overlaps(marks), twins(marks)], [[], [], []]);
  }
});

test("before the first step the hall bets, and nothing was reached", () => {
  assert.match(caption(EMPTY), /^Predict first: bet .*, or click\.$/, "its button says train");
  const other = { can_train: false, waiting: "Run the next cell to start." };
  assert.match(caption({ ...EMPTY, ...other }), /^Predict first: .* Run the next cell to start\.$/);
  assert.equal(caption({ ...EMPTY, tops: [0, 0] }), "Press train to start.");
  assert.ok(ids(EMPTY).includes("veil") && !ids(TRAINED).includes("veil"));
  assert.equal(caption({ ...EMPTY, bets: [60, 210] }), "Bets: 60, 210.");
  assert.ok(ids(EMPTY).includes("answer-veil") && !ids(EMPTY).includes("answer"));
  const changes = [];
  const act = { change: (change) => changes.push(change) };
  const hold = layout(EMPTY, ROOM, act).find(({ id }) => id === "hold");
  hold.pick([ROOM.width / 2, 300]);
  const [{ bets }] = changes;
  assert.equal(bets.length, 1);
  assert.ok(bets[0] > 0 && bets[0] < EMPTY.length);
  layout({ ...EMPTY, bets }, ROOM, act)
    .find(({ id }) => id === "hold")
    .pick([ROOM.width / 2, 300]);
  assert.deepEqual(changes[1], { bets: [] }, "a click on a bet takes it back");
});

test("keys move the newest bet, and take it away", () => {
  const { bets } = keysOf(EMPTY, "ArrowRight");
  assert.deepEqual(bets, [10], "a bet that nobody made is no answer");
  assert.equal(keysOf(EMPTY, " "), null, "nor is one that only a space bar made");
  assert.deepEqual(keysOf({ ...EMPTY, bets: [60] }, " ").bets, [60, 0]);
  assert.deepEqual(keysOf({ ...EMPTY, bets: [10, 395] }, "ArrowRight").bets, [10, 400]);
  assert.deepEqual(keysOf({ ...EMPTY, bets: [10, 395] }, "Backspace").bets, [10]);
  assert.equal(keysOf(EMPTY, "Backspace"), null);
  assert.equal(keysOf({ ...EMPTY, tops: [0, 0] }, "ArrowRight"), null, "nothing to bet on");
});

test("each bet has its number in its flag, and flies over a near one at its right", () => {
  const bets = [300, 120, 130, 400];
  for (const state of [EMPTY, TRAINED]) {
    const marks = layout({ ...state, bets }, ROOM, {});
    const told = marks.filter(({ id }) => id.startsWith("bet number")).map(({ text }) => text);
    assert.deepEqual(told, ["300", "120", "130", "400"]);
    const [, left, right] = bets.map((_, i) => marks.find(({ id }) => id === `bet ${i}`).y);
    assert.ok(left < right);
    assert.deepEqual([outside(marks, ROOM), overlaps(marks)], [[], []]);
  }
});

test("where bets are taken stand the goal, the start, and the step that is pointed at", () => {
  const marks = layout({ ...EMPTY, aimed: 190 }, ROOM, {});
  const at = (id) => marks.find((mark) => mark.id === id);
  const [start, floor] = [at("start"), at("floor")];
  assert.deepEqual([start.x, start.y], [floor.x, floor.y]);
  assert.ok(at("goal").w === floor.w);
  assert.deepEqual(
    [0, 0.99].map((share) => at(`share ${share}`).text),
    ["0 %", "99 % right"],
  );
  const first = find(EMPTY, "bet number 0");
  assert.deepEqual([first.text, at("bet 0").class], ["?", "bet first"], "a bet would stand here");
  assert.deepEqual(
    [at("told").text, at("told").class, at("told").x],
    ["190", "bold", at("pointer").x],
  );
  assert.ok(at("tick 200").y < at("told").y, "the axis keeps its numbers");
  assert.equal(at("ask writes").text, "?", "where the translation will stand");
  assert.deepEqual([outside(marks, ROOM), overlaps(marks)], [[], []]);
});

test("the bet nearest to the step that was reached is marked", () => {
  const marks = layout({ ...TRAINED, bets: [20, 60, 300] }, ROOM, {});
  const won = marks.filter(({ class: kinds }) => kinds === "bet won").map(({ id }) => id);
  assert.deepEqual(won, ["bet 1"]);
  const off = (bet) => find({ ...TRAINED, bets: [bet] }, "off told").text;
  assert.deepEqual([off(2), off(50), off(75)], ["bet: 48 short", "bet: right", "bet: 25 too many"]);
  const [way, bet, step] = ["off", "bet 1", "step"].map((id) => marks.find((one) => one.id === id));
  assert.ok(way.x === step.x && Math.abs(way.x + way.w - bet.x) < 1e-9, "how far off it is");
  const open = layout({ ...EMPTY, bets: [20, 60] }, ROOM, {});
  assert.ok(open.every(({ class: kinds }) => kinds !== "bet won"));
});

test("a flag stands where a share reaches 99 %, and the number stays that step", () => {
  assert.ok(ids(TRAINED).includes("flag"));
  assert.ok(!ids({ ...TRAINED, ys: [TRAINED.ys[0], [0.5, 0.98]] }).includes("flag"));
  for (const here of [null, 0, 1, 2]) {
    const told = find({ ...TRAINED, here }, "answer");
    assert.deepEqual([told.number, told.class], [50, "answer"], "whichever is looked at");
  }
});

test("the line at 99 % ends where the curve meets it, and the step falls from the curve", () => {
  const state = { ...TRAINED, ys: [TRAINED.ys[0], [0.1, 0.98, 1]] };
  const [goal, flag, floor] = ["goal", "flag", "floor"].map((id) => find(state, id));
  const step = floor.w / state.length;
  assert.ok(Math.abs(goal.x + goal.w - (floor.x + 62.5 * step)) < 1e-6, "halfway from 50 to 75");
  const points = find(state, "curve 1").d().split("L");
  assert.deepEqual(points[0], `M${floor.x},${floor.y}`, "it begins at the start");
  assert.deepEqual(points[3], `${flag.x},${flag.y}`);
  assert.equal(find({ ...state, x: [25], ys: [[4], [0.1]] }, "goal").w, floor.w);
  const atOnce = { ...state, x: [25], ys: [[4], [1]] };
  assert.ok(Math.abs(find(atOnce, "goal").w - 24.75 * step) < 1e-6, "met on the way to the first");
});

test("losses stand between two round numbers, a ratio above another", () => {
  assert.deepEqual(
    [0.3, 2, 5.1].map((loss) => endOf(loss, true)),
    [0.5, 2, 10],
  );
  assert.deepEqual(
    [0.3, 2, 5.1].map((loss) => endOf(loss, false)),
    [0.2, 2, 5],
  );
  const curve = find({ ...TRAINED, tops: [0, 0], answer: "" }, "curve 0");
  const [, , ...points] = curve.d().split(/[ML,]/);
  assert.ok(Number(points[0]) < Number(points[2]) && Number(points[2]) < Number(points[4]));
});

test("a right word is yellow where it is new, and in the next check no more", () => {
  const state = { ...TRAINED, texts: ["La", "L'animal", "L'animal"] };
  const isNew = [0, 1, 2].map((here) => ids({ ...state, here }).includes("new 0"));
  assert.deepEqual(isNew, [false, true, false]);
});

test("what it writes and the step that is asked for have one place each", () => {
  for (const room of [ROOM, STAGE]) {
    const state = { ...TRAINED, length: 75 };
    const [word, answer, isNew] = ["writes 0", "answer", "new 0"].map((id) =>
      find(state, id, room),
    );
    assert.equal(word.text, "L'animal", "where all is right");
    const was = find({ ...state, here: 0 }, "writes 0", room);
    assert.deepEqual([was.text, was.x, was.y], ["La", word.x, word.y]);
    assert.ok(isNew && answer.size > word.size, "what is right since then is marked");
    const asked = find(EMPTY, "answer-veil", room);
    assert.deepEqual([answer.x, answer.y], [asked.x, asked.y]);
    const marks = layout(state, room, {});
    assert.deepEqual([outside(marks, room), overlaps(marks)], [[], []]);
  }
});

test("beside the right sentence stands the last with a wrong word, where there is room", () => {
  const texts = ["La tortue", "L'animal", "L'animal"];
  const state = { ...TRAINED, texts, reads: ["animal"] };
  assert.equal(find(state, "wrong", STAGE).text, "at 25 steps: La tortue");
  const long = { ...state, reads: Array(12).fill("animal") };
  for (const other of [long, { ...state, here: 0 }, { ...state, texts: Array(3).fill("L'") }])
    assert.equal(find({ ...other, wanted: ["l'", "animal", "la"] }, "wrong"), undefined);
  assert.deepEqual(overlaps(layout(state, STAGE, {})), []);
});

test("the axes are named from the start, and the step has its dot and number on its axis", () => {
  for (const x of [TRAINED.x, [25, 390, 400], [25, 400, 400]]) {
    const state = { ...TRAINED, x };
    const step = find(state, "step");
    const floor = find(state, "floor");
    const reached = (floor.w * find(state, "answer").number) / state.length;
    assert.ok(Math.abs(step.x - floor.x - reached) < 1e-9 && step.y === floor.y);
    const marks = layout(state, ROOM, {});
    assert.deepEqual([outside(marks, ROOM), overlaps(marks)], [[], []]);
    const [last, named] = ["tick 400", "steps"].map((id) => marks.find((mark) => mark.id === id));
    assert.ok(named.x > last.x && named.y === last.y, "400 stands at its place, steps after it");
    const [every, label] = ["every", "answer-label"].map((id) => find(state, id));
    assert.equal(every.text, "checked every 25");
    assert.ok(every.x === label.x && every.y > label.y, "beside the number that it is true of");
  }
});

test("beside what is asked for a loss falls on a scale that stays, without an axis", () => {
  const curve = (state) => find(state, "curve 0");
  assert.equal(curve({ ...TRAINED, tops: [0, 0] }).class, "curve-0");
  const first = { ...TRAINED, x: [25], ys: [[4], [0.1]] };
  assert.equal(curve(first).d(), curve(TRAINED).d().split("L")[0], "earlier steps do not move");
  assert.ok(!ids(TRAINED).some((id) => /^loss \d/.test(id)));
});

test("a loss has its name and number where it begins, the share has its line", () => {
  for (const last of [0.001, 0.99, 3.99]) {
    const curves = [
      [4, 1, last],
      [0.1, 0.99, last / 4],
    ];
    const marks = layout({ ...TRAINED, ys: curves }, ROOM, {});
    const named = marks.filter(({ id }) => id.startsWith("name")).map(({ text }) => text);
    assert.deepEqual(named, ["loss 4.00"]);
    assert.deepEqual([outside(marks, ROOM), overlaps(marks)], [[], []]);
  }
});

test("while it learns nothing is hidden, and the sentence says how long it takes", () => {
  assert.ok(!ids({ ...EMPTY, running: true }).includes("veil"));
  assert.ok(ids({ ...TRAINED, running: true }).includes("newest"));
  const early = { ...TRAINED, x: [25], ys: [[4], [0.989]], texts: ["La la"], running: true };
  assert.equal(
    caption({ ...early, left: "12 s left" }),
    "step 25: loss 4.000, 98.9 % right \u00b7 12 s left",
  );
  const [share, end] = ["share now", "newest"].map((id) => find(early, id));
  assert.equal(share.text, "98.9 %", "not yet 99");
  assert.ok(share.x < end.x && share.y < end.y, "where the curve has not been");
  assert.equal(find({ ...TRAINED, running: true }, "share now"), undefined, "the answer is there");
});

test("while it learns the newest step stands where the answer will, in its size, in grey", () => {
  const early = {
    ...TRAINED,
    x: [25, 300],
    ys: [
      [4, 1],
      [0.1, 0.98],
    ],
  };
  const told = (state) => ["answer", "answer-label"].map((id) => find(state, id));
  const [count, label] = told({ ...early, running: true });
  const [answer, named] = told({ ...TRAINED, running: true });
  assert.deepEqual([count.number, count.class, label.text], [300, "answer faint", "steps so far"]);
  assert.deepEqual([answer.number, answer.class, named.text], [50, "answer", "steps"]);
  assert.deepEqual([count.x, count.y, count.size], [answer.x, answer.y, answer.size]);
  const long = { ...early, x: [25, 4000], length: 4000, running: true };
  const [{ x, size }, floor] = ["answer", "floor"].map((id) => find(long, id, STAGE));
  assert.ok(x - widthOf("4000", size, HEAVY) > floor.x + floor.w - 1, "beside the chart");
  for (const state of [early, { ...EMPTY, running: true }])
    assert.equal(find(state, "answer-veil").text, "?", "stopped, and before the first report");
});

test("of what is written, words that the right answer does not have are grey", () => {
  const wanted = ["l'", "animal", "a", "travers\u00e9", "la", "rue"];
  assert.ok(isWanted("L'animal", wanted) && isWanted("rue.", wanted) && isWanted("la", wanted));
  for (const wrong of ["L'oiseau", "ch\u00e8vre", "La"]) assert.ok(!isWanted(wrong, wanted));
  const state = { ...TRAINED, wanted, texts: ["", "", "L'animal ch\u00e8vre"] };
  const looked = { ...state, here: 2 };
  const words = layout(looked, ROOM, {}).filter(({ id }) => id.startsWith("writes"));
  assert.deepEqual(
    words.map(({ text, class: kind }) => [text, kind]),
    [
      ["L'animal", "bold"],
      ["ch\u00e8vre", "bold faint"],
    ],
  );
});

test("how far apart two losses are is said when the run is over", () => {
  const race = { ...TRAINED, names: ["read", "new"], tops: [0, 0], answer: "gap", length: 75 };
  assert.equal(find(race, "answer").number, 0.5);
  const early = { ...race, length: 400 };
  assert.ok(!ids(early).includes("answer") && ids(early).includes("answer-veil"));
  assert.ok(!ids({ ...race, answer: "" }).some((id) => id.startsWith("answer")), "the map is it");
});

test("of one curve that is no share, the answer is what it has reached", () => {
  const bits = { ...TRAINED, names: ["bits"], tops: [0], ys: [[3.2, 1.953, 1.8861]] };
  bits.answer = "last";
  const answer = find(bits, "answer");
  assert.equal(answer.number, 1.8861);
  assert.equal(answer.format(answer.number), "1.886");
  assert.deepEqual(overlaps(layout(bits, ROOM, {})), []);
});

test("two small losses can be told apart, and a share keeps three digits", () => {
  assert.deepEqual(
    [4, 0.5, 0.0312, 0.000312, 0.00000031, 0].map((loss) => reading(loss, 0)),
    ["4.000", "0.500", "0.0312", "0.000312", "0.000000", "0.000"],
  );
  assert.equal(reading(0.0312, 1), "0.031");
  const small = { ...TRAINED, here: 2, ys: [[4, 1, 0.00312], TRAINED.ys[1]] };
  assert.equal(caption(small), "step 75: loss 0.00312, 100 % right");
  assert.deepEqual(overlaps(layout(small, ROOM, {})), []);
});

test("arrow keys walk along the steps, and Escape comes back to the one that answers", () => {
  assert.equal(keysOf(TRAINED, "ArrowLeft").here, 0);
  const walk = "\u2190 and \u2192: what it wrote at other steps.";
  assert.equal(caption(TRAINED), `step 50: loss 1.000, 99 % right. ${walk}`);
  assert.equal(keysOf({ ...TRAINED, here: 2 }, "Home").here, 0);
  assert.equal(keysOf({ ...TRAINED, here: 2 }, "Escape").here, null);
  assert.equal(keysOf({ ...EMPTY, tops: [0, 0] }, "ArrowLeft"), null, "nothing to walk along");
  assert.equal(caption({ ...TRAINED, here: 0 }), "step 25: loss 4.000, 10 % right");
});
