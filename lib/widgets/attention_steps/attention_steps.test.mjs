import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { caption, layout } from "./attention_steps.mjs";
import { keysOf, pointedCell } from "./keys.mjs";
import { digits } from "../frame/frame.mjs";
import { phase, speak, valueNames } from "./parts.mjs";
import { rowAt } from "./places.mjs";
import { COLLECT, COMPARE, KEYS, MADE, MASK, QUESTION, SCALE, SOFTMAX, WORDS } from "./parts.mjs";
import { largestOf, mostChanged, spellProduct, spellSoftmax, transposed } from "./sums.mjs";
import { outside, overlaps, twins } from "../../../tests/widgets/room.mjs";

const { products, quotients } = JSON.parse(readFileSync(new URL("golden.json", import.meta.url)));

test("the sum of a cell is spelled out as lib computes it", () => {
  for (const { row, column, places, text } of products)
    assert.equal(spellProduct(row, column, places), text);
});

test("the quotient of a weight is spelled out, exactly 0 where masked", () => {
  for (const { row, i, text } of quotients)
    assert.equal(
      spellSoftmax(
        row.map((x) => x ?? -Infinity),
        i,
      ),
      text,
    );
});

const times = (left, right) =>
  left.map((row) =>
    transposed(right).map((column) => row.reduce((sum, x, k) => sum + x * column[k], 0)),
  );
const soft = (row) => {
  const powers = row.map(Math.exp);
  const whole = powers.reduce((sum, x) => sum + x, 0);
  return powers.map((power) => power / whole);
};

const parameters = {
  Q: [
    [1, 1],
    [0, 1],
    [1, 0],
    [2, 1],
  ],
  K: [
    [2, 0],
    [-0.5, 0.5],
    [-1.1, 1.5],
    [-0.5, -1],
  ],
  V: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 0],
  ],
};

/** The state that Python sends for these words. */
function stateOf({ tokens, attention = "self", ...more }) {
  const queries = attention === "cross" ? ["il", "\u00e9tait", "fatigu\u00e9"] : tokens;
  const vectorOf = (word, i) => [0.6, 0.2 * i, -0.1, word.length / 10];
  const vectors = tokens.map(vectorOf);
  const asking = queries.map(vectorOf);
  const Q = times(asking, parameters.Q);
  const K = times(vectors, parameters.K);
  const V = times(vectors, parameters.V);
  const mask = queries.map((_, i) => tokens.map((_, j) => attention !== "causal" || j <= i));
  const scores = times(Q, transposed(K));
  const scaled = scores.map((row) => row.map((x) => x / Math.SQRT2));
  const weights = scaled.map((row, i) => soft(row.map((x, j) => (mask[i][j] ? x : -Infinity))));
  const output = times(weights, V);
  return {
    step: 0,
    attention,
    tokens,
    queries,
    numbers: {
      X: vectors,
      X_queries: asking,
      Q,
      K,
      V,
      mask,
      products: scores,
      scaled,
      weights,
      output,
    },
    parameters,
    edited: {},
    axes: ["animate", "place", "state", "grammar"],
    pointed: { part: "result", i: 0, j: 3, asks: 0 },
    pinned: false,
    grabbed: null,
    moved: -1,
    veiled: false,
    before: null,
    ...more,
  };
}

const FOUR = ["it", "was", "too", "tired"];
const SENTENCES = [
  FOUR,
  ["animal", "street", "it", "was", "tired"],
  ["hi"],
  ["\u5b83\u592a\u7d2f\u4e86"],
  ["a", "b"],
  ["the", "animal", "didn't", "cross", "because", "extraordinarily"],
];
const ROOMS = [456, 418, 356, 700].map((height) => ({ width: 1216, height }));

const STORY = { part: WORDS, i: 2, j: 6, asks: 2 }; // as Enter leads through it

/** Every step of every kind of attention for every sentence. */
function* everyState() {
  for (const tokens of SENTENCES)
    for (const attention of ["self", "causal", "cross"])
      for (let step = QUESTION; step <= COLLECT; step++) {
        yield stateOf({ tokens, attention, step });
        yield stateOf({ tokens, attention, step, pointed: STORY });
      }
}

/** Symbols take about the room of their letters: W_Q is set as W and a low Q. */
const plain = (mark) => (mark.text ? { ...mark, text: mark.text.replace(/[_^]/g, "") } : mark);

test("everything stands in the room, and no text on another", () => {
  for (const state of everyState())
    for (const room of ROOMS) {
      const marks = layout(state, room, {}).map(plain);
      const what = `${state.tokens} ${state.attention} step ${state.step}`;
      assert.deepEqual([outside(marks, room), overlaps(marks), twins(marks)], [[], [], []], what);
    }
});

test("a matrix is the same thing in the next step, so that it travels there", () => {
  const idsOf = (step) => layout(stateOf({ tokens: FOUR, step }), ROOMS[0], {}).map(({ id }) => id);
  for (const [step, kept] of [
    [COMPARE, "scores.2.3"],
    [SCALE, "scaled.2.3"],
  ])
    assert.ok(idsOf(step).includes(kept) && idsOf(step + 1).includes(kept), kept);
  assert.ok(idsOf(SOFTMAX).includes("weights.0.3") && idsOf(COLLECT).includes("weights.0.3"));
});

test("in the story the words keep their place, and their scores become their weights", () => {
  const marksOf = (step) => layout(stateOf({ tokens: FOUR, step, pointed: STORY }), ROOMS[0], {});
  const [first, keys, scores, weights, last] = [QUESTION, KEYS, COMPARE, SOFTMAX, COLLECT].map(
    (step) => (id) => marksOf(step).find((mark) => mark.id === id),
  );
  for (const key of FOUR.keys()) {
    const [word, bar] = [`asked.${key}`, `bar ${key}`];
    for (const at of [keys, scores, weights])
      assert.deepEqual([at(word).x, at(word).y], [first(word).x, first(word).y]);
    assert.equal(last(word).x, first(word).x);
    assert.deepEqual([scores(bar).y, scores(bar).h], [weights(bar).y, weights(bar).h]);
    const [whole, open] = [weights, first].map((at) => at(`whole ${key}`));
    assert.deepEqual([whole.x, whole.y, whole.w, whole.h], [open.x, open.y, open.w, open.h]);
    assert.ok(weights(`score ${key}`).x < whole.x, "it is read from the score to the weight");
  }
  const { numbers } = stateOf({ tokens: FOUR });
  for (const [key, weight] of numbers.weights[2].entries())
    assert.ok(Math.abs(weights(`bar ${key}`).w / weights("whole 0").w - weight) < 1e-9);
});

test("a weight is not written as 0 where it is more, and what is rounded is said to be", () => {
  const state = stateOf({ tokens: FOUR, step: SOFTMAX, pointed: STORY });
  const told = (weights) => {
    const shown = { ...state, numbers: { ...state.numbers, weights: FOUR.map(() => weights) } };
    const { format, number } = layout(shown, ROOMS[0], {}).find(({ id }) => id === "digits 1");
    return [format(number), caption(shown).endsWith("here rounded.")];
  };
  assert.deepEqual(told([0.5, 0.004, 0.056, 0.44]), ["<0.01", false]);
  assert.deepEqual(told([0.5, 0.005, 0.055, 0.44]), ["0.01", true]);
  assert.deepEqual(told([0.5, 0, 0.25, 0.25]), ["0.00", false]);
});

test("the highest score is spelled out once, until another word is pointed at", () => {
  const state = stateOf({ tokens: FOUR, step: COMPARE, pointed: STORY });
  const find = (shown, id) => layout(shown, ROOMS[0], {}).find((mark) => mark.id === id);
  const { Q, K, products: scores } = state.numbers;
  const most = scores[2].indexOf(Math.max(...scores[2]));
  assert.equal(find(state, "sum").text, spellProduct(Q[2], K[most]));
  assert.equal(find(state, `digits ${most}`).class, "bold");
  assert.ok(!find({ ...state, pointed: { ...STORY, j: 1 } }, "sum"));
});

test("where a word is pointed at its sum is told, and a click leads to all queries", () => {
  const changes = [];
  const act = { change: (change) => changes.push(change) };
  const state = stateOf({ tokens: FOUR, step: COMPARE, pointed: STORY });
  const area = layout(state, ROOMS[0], act).find(({ id }) => id === "area 1");
  area.hover();
  area.pick([0, 0]);
  assert.deepEqual(
    changes.map(({ pointed }) => pointed),
    [WORDS, "result"].map((part) => ({ part, i: 2, j: 1, asks: 2 })),
  );
  assert.match(caption(state), /^The better a key answers/);
  const pointed = { ...state, ...changes[0] };
  assert.match(caption(pointed), /^score\(too, was\) = /);
  assert.equal(keysOf(pointed, "ArrowDown").pointed.j, 2);
  assert.equal(keysOf(state, "ArrowUp").pointed.j, pointedCell(state, phase(state)).j);
});

test("no arrow leads away from the word that asks, nor to another while that is asked", () => {
  for (const step of [KEYS, COMPARE, SOFTMAX]) {
    const state = stateOf({ tokens: FOUR, step, pointed: STORY });
    for (const key of ["ArrowLeft", "ArrowRight"]) assert.deepEqual(keysOf(state, key), {});
  }
  const asked = stateOf({ tokens: FOUR, step: COLLECT, pointed: STORY, veiled: true });
  for (const key of ["ArrowDown", "ArrowRight"]) assert.equal(keysOf(asked, key), null);
});

test("a query asks all keys: their digits are read, none of them is pointed at", () => {
  const open = stateOf({ tokens: FOUR, step: KEYS, pointed: STORY });
  const marks = layout(open, ROOMS[0], {});
  const read = marks.filter(({ number, format }) => number !== undefined && format(number) !== "");
  const rows = [0, 1, 2, 3].flatMap((i) => [`K.${i}.0`, `K.${i}.1`]);
  assert.deepEqual(read.map(({ id }) => id).sort(), [...rows, "query.0.0", "query.0.1"]);
  assert.ok(!marks.some(({ id }) => id === "ring" || id.startsWith("W_K")));
  const asks = marks.filter(({ id }) => id.startsWith("asks "));
  const middle = ({ y, h }) => y + h / 2;
  const cells = [0, 1, 2, 3].map((i) => marks.find(({ id }) => id === `K.${i}.0`));
  assert.deepEqual(
    asks.map(({ toY }) => Math.round(toY)),
    cells.map((cell) => Math.round(middle(cell))),
  );
  assert.deepEqual(
    Object.keys(cells[0]).filter((name) => /pick|hover/.test(name)),
    ["pick"],
  );
});

test("each of Q, K and V is made before its eyes, and no other stands there", () => {
  for (const [step, name] of MADE.entries()) {
    const pointed = { part: "result", i: 0, j: 0, asks: 0 };
    const marks = layout(stateOf({ tokens: FOUR, step, pointed }), ROOMS[0], {});
    const has = (id) => marks.some((mark) => mark.id === id);
    assert.ok(has(`W_${name}.0.0`) && marks.find(({ id }) => id === `${name}.0.0`).from, name);
    for (const [place, other] of MADE.entries())
      assert.equal(has(`${other}.0.0`), place === step, `${other} where ${name} is made`);
  }
});

test("only the row that asks and the column that meets it have digits, the others a shade", () => {
  const pointed = { part: "result", i: 2, j: 0, asks: 2 };
  const read = (step, matrix) => {
    const marks = layout(stateOf({ tokens: FOUR, step, pointed }), ROOMS[0], {});
    const cells = marks.filter(({ id, kind }) => kind === "cell" && id.startsWith(`${matrix}.`));
    const isRead = ({ format, number }) => format(number) !== "";
    return [...new Set(cells.filter(isRead).map(({ id }) => Number(id.split(".")[1])))];
  };
  const asking = [0, COMPARE, COMPARE, SOFTMAX];
  for (const [place, matrix] of ["Q", "Q", "scores", "weights"].entries())
    assert.deepEqual(read(asking[place], matrix), [2], matrix);
  assert.deepEqual(read(COMPARE, "K"), [0], "the key that meets it");
});

test("the row that is read is high and named, the others are thin, faded and pointed at", () => {
  const pointed = { part: "result", i: 2, j: 0, asks: 2 };
  const act = { change() {} };
  for (const [step, matrix] of [
    [COMPARE, "scores"],
    [SCALE, "scaled"],
    [SOFTMAX, "weights"],
  ]) {
    const marks = layout(stateOf({ tokens: FOUR, step, pointed }), ROOMS[0], act);
    const rows = FOUR.map((_, i) => marks.find(({ id }) => id === `${matrix}.${i}.0`));
    const [here] = rows.splice(2, 1);
    for (const row of rows) assert.ok(row.h < here.h / 4 && row.o < here.o && row.hover);
    const named = marks.filter(({ id }) => id.startsWith("asking."));
    assert.deepEqual([...new Set(named.map(({ text }) => text))], ["too"]);
  }
});

test("a thin row that is pointed at grows under the pointer", () => {
  const places = FOUR.map((_, here) => ({ y: 100, h: 80, thin: 10, here }));
  for (const was of places)
    for (const i of FOUR.keys()) {
      const [thin, high] = [rowAt(was, i), rowAt(places[i], i)];
      assert.ok(high.y <= thin.y && thin.y + thin.h <= high.y + high.h);
    }
});

test("the larger a number, the deeper its shade, and 0 and less is paper", () => {
  const pointed = { part: "result", i: 2, j: 0, asks: 2 };
  const state = stateOf({ tokens: FOUR, pointed });
  const Q = [
    [4, 2],
    [-1, 0],
    [-2, 1],
    [-4, 1],
  ];
  const marks = layout({ ...state, numbers: { ...state.numbers, Q } }, ROOMS[0], {});
  const percent = (id) => {
    const { fill } = marks.find((mark) => mark.id === id);
    return Number(fill.match(/var\(--query\) ([\d.]+)%/)[1]);
  };
  assert.ok(percent("Q.0.0") === 2 * percent("Q.0.1") && percent("Q.0.1") > 0);
  assert.deepEqual(["Q.1.0", "Q.1.1"].map(percent), [0, 0]);
  const minus = marks.filter(({ id }) => id.startsWith("below Q"));
  assert.deepEqual(
    minus.map(({ id }) => id),
    ["below Q.1.0", "below Q.3.0"],
    "what is below 0 is not taken for 0, and digits have their own minus",
  );
  assert.ok(minus[1].w > minus[0].w);
});

test("what is collected is veiled: no sum, no share, no output", () => {
  const state = stateOf({ tokens: FOUR, step: COLLECT, veiled: true });
  const marks = layout(state, ROOMS[0], {});
  const ids = marks.map(({ id }) => id);
  assert.ok(ids.includes("veil") && ids.includes("V.3.2"));
  assert.deepEqual(
    ids.filter((id) => /^(share|taken|output|most|answer$|told)/.test(id)),
    [],
  );
  const sums = marks.filter(({ id }) => id.startsWith("sum"));
  assert.deepEqual(
    sums.map(({ text }) => text),
    state.numbers.V[0].map((own) => `${digits(own)} \u2192 ?`),
  );
  for (const part of ["first", "second"]) {
    const pointed = layout({ ...state, pointed: { ...state.pointed, part } }, ROOMS[0], {});
    assert.ok(!pointed.some(({ id }) => id === "answer"), "no other number takes its place");
  }
  assert.match(caption(state), /Enter shows both\.$/);
});

test("on the way to what is collected, no number is large", () => {
  const largest = (more) =>
    layout(stateOf({ tokens: FOUR, ...more }), ROOMS[0], {}).find(({ class: kind }) =>
      /^answer( |$)/.test(kind),
    );
  for (const step of [QUESTION, 0, 1, 2, COMPARE, SCALE, MASK])
    assert.equal(largest({ step }).text, "?");
  assert.equal(largest({ step: SOFTMAX }).text, "it", "the weights tell where most is taken");
  assert.equal(largest({ step: COLLECT, veiled: true }).text, "?", "what changes is asked next");
});

test("the first sight is a question without a number, and no arrow answers it", () => {
  const first = stateOf({ tokens: FOUR, step: QUESTION });
  const marks = layout(first, ROOMS[0], {});
  const ids = marks.map(({ id }) => id);
  assert.equal(ids.filter((id) => id.startsWith("whole ")).length, FOUR.length);
  assert.ok(!ids.some((id) => /^(bar|veil|sum|X)/.test(id)), "the words and their weights alone");
  assert.ok(marks.every(({ number, text }) => number === undefined && !/\d/.test(text ?? "")));
  assert.match(caption(first), /^Predict: \u201cit\u201d takes a share of each word/);
  for (const key of ["]", " "]) assert.equal(keysOf(first, key).step, 0);
  for (const key of ["ArrowDown", "ArrowRight", "+"]) assert.equal(keysOf(first, key), null);
});

test("the last step says which word brings most of what is collected", () => {
  const state = stateOf({ tokens: FOUR, step: COLLECT });
  assert.match(caption(state), /^\u201ctired\u201d brings \S+: output\(it, place\) = /);
  assert.equal(largestOf([0.1, -0.9, 0.3]), 1, "the sum is below zero");
  assert.equal(largestOf([0.4, -0.9, 0.8]), 2);
});

test("the headline is about the row that is read, whichever value one points at", () => {
  const state = stateOf({ tokens: FOUR, step: COLLECT });
  const written = (more) => {
    const marks = layout({ ...state, ...more }, ROOMS[0], {});
    return ["answer", `sum ${most}`, "most", "ring"].map((id) => {
      const { text, x } = marks.find((mark) => mark.id === id);
      return text ?? x;
    });
  };
  const changes = state.numbers.output[0].map((now, j) => Math.abs(now - state.numbers.V[0][j]));
  const most = changes.indexOf(Math.max(...changes));
  assert.deepEqual([most, mostChanged(state, 0)], [1, 1]);
  const [own, now] = ["V", "output"].map((name) => digits(state.numbers[name][0][most]));
  const [name, change, yellow, ring] = written({});
  const output = FOUR.map((_, i) => [0, 1, 2].map((j) => (j === i % 3 ? 9 : 0)));
  const weights = FOUR.map((_, i) => FOUR.map((_, j) => (i + j === 3 ? 1 : 0)));
  const numbers = { ...state.numbers, output, weights };
  for (const i of FOUR.keys()) {
    const pointed = { part: "result", i, j: 2, asks: i };
    const largest = (step) =>
      layout({ ...state, step, numbers, pointed }, ROOMS[0], {}).find(({ id }) => id === "answer");
    assert.equal(largest(COLLECT).text, state.axes[i % 3]);
    assert.equal(largest(SOFTMAX).text, FOUR[3 - i]);
  }
  assert.deepEqual([name, change], ["place", `${own} \u2192 ${now}`]);
  const there = written({ pointed: { part: "result", i: 0, j: 0, asks: 0 } });
  assert.deepEqual(there.slice(0, 3), [name, change, yellow]);
  assert.ok(ring > there[3], "until one points elsewhere, that value is pointed at");
  const largest = digits(Math.max(...state.numbers.output[0]));
  const cross = layout({ ...state, attention: "cross" }, ROOMS[0], {});
  const told = ["answer", "sum 0"].map((id) => cross.find((mark) => mark.id === id).text);
  assert.deepEqual(told, ["animate", largest], "none of its own");
});

test("a value has a name where W_V hands on one axis, else a number", () => {
  const state = stateOf({ tokens: FOUR });
  assert.deepEqual(valueNames(state).names, ["animate", "place", "state"]);
  const parameters = { ...state.parameters, V: state.parameters.V.with(3, [0, 0.1, 0]) };
  assert.deepEqual(valueNames({ ...state, parameters }).names, ["animate", "2", "state"]);
});

test("what a digit changes is marked", () => {
  const before = stateOf({ tokens: FOUR });
  const Q = before.numbers.Q.with(0, [9, 9]);
  const now = { ...before, numbers: { ...before.numbers, Q }, before };
  const marks = layout(now, ROOMS[0], {});
  const changed = marks.filter(({ fill }) => fill === "var(--changed)").map(({ id }) => id);
  assert.deepEqual(changed, ["Q.0.0", "Q.0.1"]);
});

test("only a causal mask makes a second matrix", () => {
  const titles = (state) =>
    layout({ ...state, step: MASK }, ROOMS[0], {}).filter(({ id }) => id.startsWith("title s"))
      .length;
  const [self, causal] = ["self", "causal"].map((attention) =>
    stateOf({ tokens: FOUR, attention }),
  );
  assert.equal(titles(self), 1);
  assert.match(caption({ ...self, step: MASK }), /No mask here/);
  assert.match(caption({ ...causal, step: MASK }), /may not look ahead/);
});

test("another step goes on with the row that is pointed at, and the end is the end", () => {
  const state = stateOf({ tokens: FOUR, pointed: { part: "second", i: 0, j: 1, asks: 2 } });
  const pointed = { part: "result", i: 2, j: 1, asks: 2 };
  assert.deepEqual(keysOf(state, "]"), { step: 1, pointed });
  assert.equal(keysOf({ ...state, step: COLLECT }, "]").step, COLLECT);
  assert.equal(keysOf(state, "[").step, QUESTION);
});

test("keys lead through the matrices of a step and change the digits of the first", () => {
  const state = stateOf({ tokens: FOUR });
  const press = (from, ...keys) => {
    let now = from;
    for (const key of keys) now = { ...now, ...keysOf(now, key) };
    return now;
  };
  const onX = press(state, "ArrowLeft", "ArrowLeft");
  assert.deepEqual(onX.pointed, { part: "first", i: 0, j: 3, asks: 0 });
  assert.equal(press(onX, "+").edited.it[3], 0.3);
  assert.equal(press(state, "]", " ", "Backspace").step, 1);
  assert.equal(keysOf(state, "x"), null);
  const atLast = { ...state, step: COLLECT, pointed: { ...state.pointed, j: 2 } };
  const other = press(atLast, "ArrowDown");
  const { i, j } = pointedCell(other, phase(other));
  assert.deepEqual([i, j], [1, mostChanged(state, 1)], "what the headline asks of the other word");
  const last = press(other, "ArrowLeft", "ArrowLeft");
  assert.deepEqual(last.pointed, { part: "second", i: 3, j: 2, asks: 1 });
  const parts = phase(last);
  assert.equal(pointedCell(last, parts).asks, 1);
  assert.match(speak(parts, pointedCell(last, parts)), /^V\(tired, state\) = /);
});

test("the divisor is that of the keys that are there", () => {
  const square = [
    [4, -3],
    [0.5, 2],
  ];
  for (const [dK, root, after] of [
    [1, "1.00", "4.00"],
    [2, "1.41", "2.83"],
    [3, "1.73", "2.31"],
  ]) {
    const scaled = square.map((row) => row.map((x) => x / Math.sqrt(dK)));
    const numbers = { K: square.map(() => Array(dK).fill(1)), products: square, scaled };
    const state = { ...stateOf({ tokens: ["it", "was"], step: SCALE }), numbers };
    assert.equal(
      speak(phase(state), { part: "result", i: 0, j: 0 }),
      `score(it, it) \u00f7 \u221ad_k = 4.00 \u00f7 \u221a${dK} = ` +
        `4.00 \u00f7 ${root} \u2248 ${after}`,
    );
  }
});
