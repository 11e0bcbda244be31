import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { besides, caption, keysOf, layout, nearestOn, onPlane, placeOn } from "./depth.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const states = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));
const [START, , , , ALIKE] = states;
const HEIGHT = 456;
const ROOM = { width: 1216, height: HEIGHT };
const PLANE = 680;
const LED = 30; // from a dot to a name that has a line

/** A state as Python sends it, with the same points and means after every layer. */
function stateOf({ tokens, points }, mean, changes) {
  return {
    tokens,
    paths: [START.points, ...Array(12).fill(points)],
    directions: 32,
    means: [0.05, ...Array(12).fill(mean)],
    parts: mean === 1 ? "no residual path" : "all parts",
    calm: false,
    layer: 3,
    chosen: 7,
    nearest: tokens.map(() => ({ token: 0, cosine: 0.3 })),
    veiled: false,
    before: null,
    ...changes,
  };
}
const APART = stateOf(START, 0.05);
const VEILED = stateOf(START, 0.05, { veiled: true });
const ONE = stateOf(ALIKE, 1, { before: APART });

test("the plane keeps its proportions and points upwards", () => {
  const [x, y] = onPlane([0, 0], HEIGHT);
  assert.deepEqual([x, y], [PLANE / 2, HEIGHT / 2]);
  const [right, top] = onPlane([0.5, 0.5], HEIGHT);
  assert.ok(right > x && top < y && Math.abs(right - x - (y - top)) < 1e-9);
});

test("no name covers another, a dot or the edge, or is read at a dot of another", () => {
  for (const { tokens, points } of states) {
    const dots = points.map((point) => onPlane(point, HEIGHT));
    const widths = tokens.map((token) => 16 * token.length);
    const names = besides(dots, widths, HEIGHT);
    names.forEach((middle, i) => {
      if (!middle) return;
      const [x, y] = middle;
      assert.ok(
        x - widths[i] / 2 >= 0 && x + widths[i] / 2 <= PLANE && y >= 17 && y <= HEIGHT - 17,
        `${tokens[i]} leaves the plane`,
      );
      for (const [dx, dy] of dots)
        assert.ok(
          Math.abs(dx - x) >= widths[i] / 2 || Math.abs(dy - y) >= 17,
          `${tokens[i]} covers a dot`,
        );
      const far = dots.map(([dx, dy]) =>
        Math.hypot(
          Math.max(0, Math.abs(dx - x) - widths[i] / 2),
          Math.max(0, Math.abs(dy - y) - 17),
        ),
      );
      const apart = dots.map((dot) => Math.hypot(dot[0] - dots[i][0], dot[1] - dots[i][1]) > 6);
      assert.ok(
        far[i] >= LED || far.every((each, j) => !apart[j] || each > far[i]),
        `${tokens[i]} is read at another dot`,
      );
      for (let j = 0; j < i; j++)
        assert.ok(
          !names[j] ||
            Math.abs(names[j][0] - x) >= (widths[i] + widths[j]) / 2 ||
            Math.abs(names[j][1] - y) >= 34,
          `${tokens[i]} covers ${tokens[j]}`,
        );
    });
  }
});

test("everything stands in the room, and no text on another", () => {
  for (const room of [ROOM, { ...ROOM, height: 700 }])
    for (const state of [APART, VEILED, ONE, { ...APART, layer: 12, before: ONE }]) {
      const marks = layout(state, room, {});
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []]);
    }
});

test("every word is named beside its dot, or on a line from there, at every layer", () => {
  for (const golden of states.filter((state) => state !== ALIKE))
    for (const height of [HEIGHT, 700])
      for (const chosen of golden.tokens.keys()) {
        const room = { ...ROOM, height };
        const marks = layout(stateOf(golden, 0.05, { chosen }), room, {});
        const names = marks.filter(({ id }) => id.startsWith("name"));
        assert.deepEqual(names.map(({ text }) => text).sort(), [...golden.tokens].sort());
        for (const { id, x, y, text, size, class: kind } of names) {
          const i = Number(id.split(" ")[1]);
          const [dotX, dotY] = onPlane(golden.points[i], height);
          const across = Math.max(0, Math.abs(dotX - x) - widthOf(text, size, 650) / 2);
          const far = Math.hypot(across, Math.max(0, Math.abs(dotY - y + 10) - 17));
          assert.equal(far >= LED, Boolean(marks.find((mark) => mark.id === `leader ${i}`)));
          assert.equal(/bold/.test(kind), i === chosen);
        }
        assert.deepEqual([outside(marks, room), overlaps(marks)], [[], []]);
      }
});

test("a line leads to a name past the dots of others", () => {
  const dots = states[2].points.map((point) => onPlane(point, HEIGHT));
  const leaders = layout(stateOf(states[2], 0.6), ROOM, {}).filter(({ id }) => /^leader/.test(id));
  assert.ok(leaders.length > 0);
  for (const { id, x, y, toX, toY } of leaders)
    for (const dot of dots.filter((each) => Math.hypot(each[0] - x, each[1] - y) > 14))
      assert.ok(nearestOn([x, y], [toX, toY], dot) >= 14, id);
  assert.equal(nearestOn([0, 0], [10, 0], [5, 3]), 3);
  assert.equal(nearestOn([0, 0], [10, 0], [14, 3]), 5);
});

test("with more layers the part of the curve that was seen is dashed and named", () => {
  const means = Array.from({ length: 13 }, (_, i) => i / 12);
  const marks = layout({ ...APART, means, layer: 12, before: APART }, ROOM, {});
  const find = (id) => marks.find((mark) => mark.id.startsWith(id));
  const [was, now] = [find("was curve"), find("curve")];
  assert.ok(was.d(was).endsWith(now.d(now).slice(1).split("L")[0]), "they meet");
  assert.equal(find("was name").text, "layer 3: 0.25");
});

test("names go with their dots, and where all are one they stay until that has its name", () => {
  const namesIn = (state) => layout(state, ROOM, {}).filter(({ id }) => id.startsWith("name"));
  const [before, after] = [VEILED, { ...APART, before: VEILED }].map(namesIn);
  assert.deepEqual(
    before.map(({ id }) => id),
    after.map(({ id }) => id),
  );
  assert.ok(after.every(({ glide, even, until }) => glide === 1500 && even && until === "all"));
  assert.deepEqual(namesIn(ONE), []);
});

test("under the veil the words stand where they were before the first layer", () => {
  const marks = layout({ ...ONE, veiled: true }, ROOM, {});
  const seen = ["was curve", "was name"]; // of the last question: it is compared with the next
  const ids = marks.map(({ id }) => id).filter((id) => !seen.includes(id));
  assert.ok(seen.every((id) => marks.some((mark) => mark.id === id)));
  assert.ok(ids.includes("veil") && !ids.some((id) => /^answer$|curve|^was|^pair|^trail/.test(id)));
  const { x, y } = marks.find(({ id }) => id.startsWith("dot 0 "));
  assert.deepEqual([x, y], onPlane(START.points[0], HEIGHT));
});

test("the curve of before stays, with the number of then", () => {
  const marks = layout(ONE, ROOM, {});
  assert.ok(marks.some(({ id }) => id === "was curve"));
  assert.equal(marks.find(({ id }) => id === "was name").text, "all parts: 0.05");
});

test("other parts are compared on one screen: their curve goes on to the layers of now", () => {
  const marks = layout({ ...APART, layer: 12, before: ONE }, ROOM, {});
  const was = marks.find(({ id }) => id === "was curve");
  assert.equal(was.d(was).split("L").length, 13);
  assert.equal(marks.find(({ id }) => id === "was name").text, "no residual path: 1.00");
  assert.ok(!marks.some(({ id }) => id === "answer-before"), "the number is written once");
});

test("while it is asked, the curve of other parts ends where it was seen", () => {
  const means = Array.from({ length: 13 }, (_, i) => i / 12);
  const before = { ...APART, means, parts: "no layer norm" };
  const marks = layout({ ...APART, layer: 12, veiled: true, before }, ROOM, {});
  const was = marks.find(({ id }) => id === "was curve");
  assert.equal(was.d(was).split("L").length, 4);
  assert.equal(marks.find(({ id }) => id === "was name").text, "no layer norm: 0.25");
});

test("words that are one have one name there, as soon as they are", () => {
  const find = (state) => layout(state, ROOM, {}).find(({ id }) => id === "all");
  const { text, delay } = find(ONE);
  assert.deepEqual([text, delay], ["all 11 words", 1500]);
  assert.equal(find({ ...ONE, veiled: true }) ?? find(APART), undefined);
});

test("a tail goes from where a word began to its dot, wherever it is by now", () => {
  const marks = layout(stateOf(states[2], 0.6), ROOM, {});
  const trails = marks.filter(({ id }) => id.startsWith("trail"));
  assert.equal(trails.length, 11);
  const end = marks.find(({ id }) => id.startsWith("dot 0"));
  const [start, one, other] = trails[0]
    .d(trails[0])
    .match(/[\d.]+/g)
    .map(Number)
    .flatMap((x, i, all) => (i % 2 ? [] : [[x, all[i + 1]]]));
  assert.deepEqual(start, onPlane(START.points[0], HEIGHT));
  assert.ok(Math.abs((one[0] + other[0]) / 2 - end.x) < 1e-9);
  assert.ok(Math.abs((one[1] + other[1]) / 2 - end.y) < 1e-9);
});

test("a dot goes from station to station", () => {
  const path = [
    [0, 0],
    [10, 0],
    [10, 20],
  ];
  assert.deepEqual(
    [0, 0.5, 1, 1.5, 2].map((gone) => placeOn(path, gone)),
    [
      [0, 0],
      [5, 0],
      [10, 0],
      [10, 10],
      [10, 20],
    ],
  );
});

test("the layers are played before the number and the sentence", () => {
  const find = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id.startsWith(id));
  const shown = { ...ONE, before: { ...APART, veiled: true } };
  const mark = find(shown, "dot 0");
  assert.deepEqual([mark.from.gone, mark.gone, mark.glide], [0, 3, 1500]);
  assert.deepEqual(mark.way({ gone: 0 }), {
    x: onPlane(START.points[0], HEIGHT)[0],
    y: onPlane(START.points[0], HEIGHT)[1],
  });
  assert.equal(find(shown, "answer").delay, 1500);
  assert.equal(find({ ...shown, layer: 12 }, "dot 0").glide, 3000);
  const further = { ...shown, layer: 4, before: { ...shown, veiled: false } };
  assert.equal(find(further, "answer").delay, 500, "one layer more");
  assert.equal(find({ ...shown, calm: true }, "answer").delay, 0, "another word waits for nothing");
  assert.equal(find(shown, "title").format(1.9), "after layer 1");
  assert.equal(find(VEILED, "title").format(0), "before layer 1");
});

test("the curve ends at the chosen layer: the rest would answer the next question", () => {
  const means = Array.from({ length: 13 }, (_, i) => i / 12);
  for (const layer of [0, 3, 12]) {
    const marks = layout({ ...APART, means, layer }, ROOM, {});
    const curve = marks.find(({ id }) => id.startsWith("curve"));
    const mark = marks.find(({ id }) => id.startsWith("mark"));
    assert.equal(new Set(curve.d(curve).slice(1).split("L")).size, layer + 1);
    assert.ok(curve.d(curve).endsWith(`${mark.x},${mark.y}`));
  }
});

test("the sentence says what to see", () => {
  assert.match(caption(VEILED), /Enter plays the layers/);
  assert.match(caption(APART), /In all 32 directions, nearest to “it” is “The”, cosine 0.30/);
  assert.match(caption(stateOf(START, 0.6)), /come closer/);
  assert.match(caption(ONE), /become one/);
  const slower = "Slower, yet they come closer: 0.60 with all parts.";
  assert.equal(caption(stateOf(START, 0.6, { before: ONE })), slower);
  const both = "After 3 layers: 0.40 with no residual path, 0.60 with all parts.";
  const less = { before: stateOf(START, 0.4, { parts: "no residual path" }) };
  assert.equal(caption(stateOf(START, 0.6, less)), both);
});

test("arrow keys go from word to word", () => {
  assert.deepEqual(keysOf(APART, "ArrowDown"), { chosen: 8, calm: true });
  assert.deepEqual(keysOf(VEILED, "Home"), { chosen: 0, calm: false });
  assert.equal(keysOf(APART, "x"), null);
});
