import assert from "node:assert/strict";
import test from "node:test";
import { caption, edgesOf, firstLine, keysOf, layout, wrap } from "./writer.mjs";
import { widthOf } from "../frame/lettering.mjs";
import { outside, overlaps, twins, writings } from "../../../tests/widgets/room.mjs";

const sentence = "the animal didn't cross the street because it was too tired <end>".split(" ");

test("words stand side by side, in order, within the line", () => {
  for (const words of [
    sentence,
    [...sentence, ...sentence, ...sentence],
    ["a", ""],
    ["i", "m", "supercalifragilistic\u2026"],
  ]) {
    const places = wrap(words, 846);
    assert.equal(places.length, words.length);
    assert.deepEqual(places[0].slice(0, 2), [0, 0]);
    places.forEach(([line, x, width], i) => {
      assert.ok(x + width <= 846 && (words[i] || width === 56), "there is room for a word");
      const [before, left, wide] = places[i - 1] ?? [0, -16, 0];
      assert.ok(line === before ? x >= left + wide + 16 : line === before + 1 && x === 0);
    });
  }
  assert.equal(wrap(sentence, 846).at(-1)[0], 1, "the sentence of the course takes two lines");
});

test("a word longer than the line stays within it", () => {
  assert.deepEqual(wrap(["a", "m".repeat(50), "b"], 100), [
    [0, 0, widthOf("a", 44)],
    [1, 0, 100],
    [2, 0, widthOf("b", 44)],
  ]);
});

test("the line that is looked at is among those shown", () => {
  for (const shown of [1, 2])
    for (let lines = shown; lines < 9; lines++)
      for (let seen = 0; seen < lines; seen++) {
        const first = firstLine(seen, lines, shown);
        assert.ok(first >= 0 && first <= seen && seen < first + shown);
        assert.ok(first + shown <= lines);
      }
});

const ROOM = { width: 1216, height: 456 };
const part = (word, now, isWord = true) => ({
  ...{ word, now, isWord },
  digits: now >= 0.05 ? now.toFixed(2) : "",
});
const PARTS = [
  ...[part("didn't", 0.4), part("was", 0.3), part("crossed", 0.08), part("77 others", 0.22, false)],
];
const drawn = (word, fell = 0.62) => ({
  ...{ word, chosen: 1, fell, parts: PARTS, says: `came ${word}` },
  fell_digits: `${fell}`,
});
const open = {
  ...{ word: "", chosen: -1, fell: null, fell_digits: "", parts: PARTS },
  says: "the first leads",
};
const stateOf = (steps) => ({
  ...{ veiled: false, pinned: null, hovered: null, before: null },
  picture: { prompt: ["the", "animal"], steps, stopped: "" },
});
const after = (words) => stateOf([...words.map((word) => drawn(word)), open]);
const markOf = (state, id) => layout(state, ROOM, {}).find((mark) => mark.id === id);

test("everything stands in the room, and no text on another", () => {
  for (const words of [[], sentence.slice(2), [...sentence, ...sentence, ...sentence]])
    for (const height of [300, 456, 760])
      for (const pinned of [null, 0]) {
        if (pinned === 0 && words.length === 0) continue;
        const marks = layout({ ...after(words), pinned }, { ...ROOM, height }, {});
        const found = [outside(marks, { ...ROOM, height }), overlaps(marks), twins(marks)];
        const paths = marks.filter((mark) => mark.d).map((mark) => mark.d(mark));
        assert.ok(!paths.some((path) => /NaN|undefined/.test(path)));
        assert.deepEqual(found, [[], [], []], `${words.length} ${height} ${pinned}`);
      }
});

const whole = (words, fits = "") => {
  const { picture } = stateOf(words.map((word) => drawn(word)));
  const told = { stopped: "Stopped.", fits, temperature: "0.2", came: "0 of 2", whole: "No." };
  return { ...stateOf([]), picture: { ...picture, ...told } };
};

test("a whole text stands over the strips of all its words, yellow where another came", () => {
  for (const words of [["cross"], sentence.slice(2), [...sentence, ...sentence, ...sentence]])
    for (const height of [300, 456, 760])
      for (const fits of ["", "no"]) {
        const marks = layout(whole(words, fits), { ...ROOM, height }, {});
        const found = [outside(marks, { ...ROOM, height }), overlaps(marks), twins(marks)];
        assert.deepEqual(found, [[], [], []], `${words.length} ${height}`);
        assert.equal(marks.find(({ id }) => id === "answer").text, fits || "0 of 2");
      }
  const state = whole(["was", "cross"]);
  const likeliest = { ...drawn("didn't"), chosen: 0 };
  const picture = { ...state.picture, steps: [state.picture.steps[0], likeliest] };
  for (const fits of ["", "no"]) {
    const marked = { ...state, picture: { ...picture, fits } };
    assert.ok(markOf(marked, "another 0") && !markOf(marked, "another 1"));
    const lights = ["came 0", "likeliest 0", "likeliest 1"].map((id) => markOf(marked, id));
    assert.deepEqual(
      lights.map((light) => light.class),
      ["changed", "frame", "frame"],
    );
    assert.ok(!markOf(marked, "came 1"), "the likeliest came");
    const { y, h } = markOf(marked, "upright 0");
    const feet = lights.map((light) => Math.round((100 * (y + h - light.y - light.h)) / h));
    assert.deepEqual(feet, [40, 0, 0], "each begins where the shares before it end");
    assert.ok(markOf(marked, "dart 1 0.62") && !markOf(marked, "fell at 0"), "each has its dart");
  }
  assert.equal(markOf({ ...state, hovered: 0 }, "answer").text, "was", "what is pointed at");
  assert.equal(caption(state), "No.");
  assert.equal(caption({ ...state, hovered: 0 }), "came was Stopped.");
  assert.equal(markOf({ ...state, pinned: 0 }, "answer-label").text, "the next word");
  assert.equal(keysOf({ ...state, pinned: 0 }, "Escape").pinned, null);
});

test("below a text that is asked about stands that of before, smaller and on one line", () => {
  const cool = whole(sentence.slice(2));
  for (const [words, isSeen] of [
    [["cross", "<end>"], true],
    [[...sentence, ...sentence], false],
  ]) {
    const state = { ...whole(words, "no"), before: cool };
    const marks = layout(state, ROOM, {});
    assert.deepEqual([outside(marks, ROOM), overlaps(marks)], [[], []]);
    const [now, was] = ["written 0", "before"].map((key) => marks.find(({ id }) => id === key));
    if (isSeen) assert.match(was.text, /^temperature 0.2: the animal .* the street because it/);
    assert.ok(isSeen ? was.y > now.y && !(was.size >= now.size) : !was);
  }
});

test("while the answer is veiled no word that could come is named", () => {
  const state = { ...after([]), veiled: true };
  const said = writings(layout(state, ROOM, {}));
  assert.ok(!said.some((words) => ["didn't", "was", "0.40"].includes(words)));
  assert.ok(said.includes("the shares of all words"));
  assert.match(caption(state), /Enter shows/);
});

test("while a whole text is veiled, neither its words nor an old dart are seen", () => {
  for (const own of [{}, { pinned: 2, hovered: 1 }]) {
    const steps = [drawn("cross"), drawn("street", 0.13)];
    const picture = { ...stateOf(steps).picture, stopped: "the end", fits: "no" };
    const state = { ...stateOf(steps), picture, ...own, veiled: true };
    const said = writings(layout(state, ROOM, {}));
    for (const hidden of ["cross", "street", "0.30", "0.13", "0.62", "didn't"])
      assert.ok(!said.includes(hidden), hidden);
    for (const seen of ["the", "animal", "?"]) assert.ok(said.includes(seen), seen);
    assert.ok(said.includes("what the darts write now"));
    assert.ok(!said.includes("0") && !said.includes("1"), "its strips stand upright");
    assert.match(caption(state), /still write sentences.*Enter shows/);
    const mild = caption({ ...state, picture: { ...picture, fits: "" } });
    assert.match(mild, /rarely, mostly, always.*Enter shows/);
    const bare = layout({ ...state, picture: { ...picture, prompt: [] } }, ROOM, {});
    assert.ok(writings(bare).includes("what the darts write now"), "without a prompt, too");
  }
});

test("while the dart that fell is asked once more, its place is seen and no word", () => {
  const state = { ...stateOf([drawn("street")]), veiled: true };
  const said = writings(layout(state, ROOM, {}));
  assert.ok(said.includes("0.62") && said.includes("the strip, cut anew"));
  assert.ok(!["street", "didn't", "0.40"].some((hidden) => said.includes(hidden)));
  assert.match(caption(state), /the dart stays/);
});

test("a part has a word and its share, or neither", () => {
  const parts = [part("inspected", 0.9), part("supernumerary", 0.06)];
  const said = writings(layout(stateOf([{ ...open, parts }]), ROOM, {}));
  assert.ok(said.includes("0.90") && !said.includes("0.06"));
  const small = [part("inspected", 0.96), { ...part("a", 0.06), digits: "" }];
  assert.ok(!writings(layout(stateOf([{ ...open, parts: small }]), ROOM, {})).includes("a"));
});

test("until a word is drawn the answer is a question mark, then the word", () => {
  assert.equal(markOf(after([]), "answer-veil").text, "?");
  const state = stateOf([drawn("was")]);
  assert.equal(markOf(state, "answer").text, "was");
  assert.equal(markOf(state, "answer-label").text, "the next word");
});

test("the strip is cut where the shares add up, and the dart stands at its number", () => {
  assert.deepEqual(edgesOf(PARTS.slice(0, 2)), [0, 0.4, 0.7]);
  const state = stateOf([drawn("was")]);
  const came = markOf(state, "came 0");
  assert.deepEqual([came.x, came.x + came.w], [0.4 * ROOM.width, 0.7 * ROOM.width]);
  const dart = markOf(state, "dart 0 0.62");
  assert.match(dart.d({ t: 1 }), new RegExp(`^M${0.62 * ROOM.width},`));
  const outside = [0, 1].flatMap((fell) => {
    const waiting = markOf(stateOf([drawn("was", fell)]), `dart 0 ${fell}`).d({ t: 1 });
    const [, tip, left, wide] = waiting.match(/^M(.+?),.*L(.+?),.*h(.+)Z$/).map(Number);
    return [tip, left, left + wide].filter((x) => x < 0 || x > ROOM.width);
  });
  assert.deepEqual(outside, [], "at either end it stays inside");
});

test("the first line keeps its row, and the strip begins below two", () => {
  const rows = [[], ["was"], ["cross", "the"]].map((words) => {
    const state = after(words);
    return [markOf(state, "text 0").y, markOf(state, `${words.length} part 0`).y];
  });
  assert.equal(new Set(rows.map(String)).size, 1);
});

test("what was hit is named, at its dart where its part is too narrow", () => {
  const parts = [part("didn't", 0.9), { ...part("avoided", 0.04), digits: "" }];
  const told = (step) =>
    markOf(stateOf([{ ...drawn("avoided"), ...step, parts }]), "fell at 0").text;
  assert.equal(told({}), "0.62: avoided");
  assert.equal(told({ word: "didn't", chosen: 0 }), "0.62");
});

test("the dart falls first, then the word flies, then the number is said", () => {
  const state = { ...stateOf([drawn("was")]), before: after([]) };
  const [dart, came, word, answer] = ["dart 0 0.62", "came 0", "written 0", "answer"].map((id) =>
    markOf(state, id),
  );
  assert.equal(dart.from.t, 0);
  assert.ok(came.delay >= dart.glide && word.delay > came.delay && answer.delay > word.delay);
  const again = { ...state, before: stateOf([drawn("didn't")]) };
  assert.equal(markOf(again, "answer").delay, 0, "the same dart over other cuts does not fall");
});

test("a small part that was drawn is seen all the same", () => {
  const parts = [part("a", 0.9995), part("b", 0.0005)];
  const { x, w } = markOf(stateOf([{ ...drawn("b", 0.9999), parts }]), "came 0");
  assert.ok(x + w <= ROOM.width && w > 2.9);
});

test("what was drawn has an outline; yellow waits for the whole text and its key", () => {
  for (const [i, step] of [drawn("didn't", 0.2), drawn("was")].entries()) {
    const marks = layout(stateOf([{ ...step, chosen: i }]), ROOM, {});
    assert.equal(marks.find(({ id }) => id === "came 0").class, "came");
    assert.ok(!marks.some((mark) => /changed|marked/.test(mark.class)));
  }
});

test("keys look back, and Escape comes to the newest word", () => {
  const state = after(["didn't", "cross"]);
  assert.equal(keysOf(state, "ArrowLeft").pinned, 1);
  assert.equal(keysOf(state, "Home").pinned, 0);
  assert.equal(keysOf({ ...state, pinned: 0 }, "Escape").pinned, 2);
  assert.equal(caption({ ...state, pinned: 1 }), "came cross");
  assert.equal(keysOf(state, "x"), null);
  const act = { ask: (message) => message };
  assert.deepEqual(keysOf(state, "ArrowRight", {}, act), { type: "write" });
  assert.deepEqual(keysOf({ ...state, pinned: 1 }, "ArrowRight", {}, act).pinned, 2);
});
