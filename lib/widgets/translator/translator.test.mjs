import assert from "node:assert/strict";
import test from "node:test";
import { widthOf } from "../frame/lettering.mjs";
import { keysOf, layout, nextOf, withOwnGhost } from "./translator.mjs";
import { changes } from "./arcs.mjs";
import { arrange, fit } from "./lines.mjs";
import { asks, caption } from "./says.mjs";
import { chipPlaces } from "./words.mjs";

const ROOM = { width: 1216, height: 456 };
const SCREENS = [ROOM, { width: 1216, height: 700 }];
const act = { change: (x) => x, next() {}, ask: (message) => message };
const words = (count, letters) => Array.from({ length: count }, () => "w".repeat(letters));
const english = "the animal didn't cross the street because it was too tired".split(" ");
const french = "l' animal n' a pas traversé la rue parce qu' il était trop fatigué <end>".split(
  " ",
);
const PLACE_OF_IT = 7;

/** Weights that sum to 1: most on one key. */
const row = (count, best, most = 0.7) =>
  Array.from({ length: count }, (_, j) => (j === best ? most : (1 - most) / (count - 1)));
const map = (rows, columns, best) =>
  Array.from({ length: rows }, () => row(columns, Math.min(best, columns - 1)));

function panel(source, target, { best = 1, ...more } = {}) {
  const size = source.length;
  return {
    name: "French",
    learned: "",
    language: "fr",
    target,
    pronoun: target.indexOf("il"),
    encoder: map(size, size, best),
    cross: map(target.length, size, 0),
    ...more,
  };
}

function stateOf(panels, more = {}, source = english) {
  return {
    picture: {
      source,
      panels,
      looks: { encoder: "encoder, layer 2", cross: "layer 1, mean" },
      heads: { encoder: [4, 1], cross: [4] },
    },
    line: -1,
    word: PLACE_OF_IT,
    pinned: false,
    looks: { encoder: [1, -1], cross: [0, -1] },
    cuts: [],
    asked: "where",
    veiled: false,
    refused: null,
    bet: -1,
    aim: -1,
    chip: 0,
    calm: false,
    before: null,
    ...more,
  };
}

const one = (more) => stateOf([panel(english, french)], more);
const two = (more) =>
  stateOf(
    [
      panel(english, french, { name: "translation only", best: 6 }),
      panel(english, french, { name: "translation and gloss" }),
    ],
    more,
  );

const contentOf = (mark) => (mark.format ? mark.format(mark.number) : mark.text);
const isText = (mark) => contentOf(mark) !== undefined && !("w" in mark) && !mark.d;

/** The box of a text on the stage. */
function boxOf(mark) {
  const size = mark.size ?? 24;
  const w = widthOf(contentOf(mark), size);
  const left = { start: mark.x, end: mark.x - w }[mark.anchor] ?? mark.x - w / 2;
  return { left, right: left + w, top: mark.y - 0.72 * size, bottom: mark.y };
}

/** Pairs of texts that overlap, and texts that leave the room. */
function faults(marks, { width, height }) {
  const texts = marks.filter(isText).map((mark) => ({ id: mark.id, ...boxOf(mark) }));
  const found = texts
    .filter(({ left, right, top, bottom }) => {
      return left < -2 || right > width + 2 || top < -2 || bottom > height;
    })
    .map(({ id }) => `${id} leaves the room`);
  for (const [i, text] of texts.entries())
    for (const other of texts.slice(i + 1)) {
      const across = Math.min(text.right, other.right) - Math.max(text.left, other.left);
      const down = Math.min(text.bottom, other.bottom) - Math.max(text.top, other.top);
      if (across > 3 && down > 2) found.push(`${text.id} and ${other.id}`);
    }
  return found;
}

test("the sentence of the course stands on one line, large", () => {
  const line = fit(english, { width: 1216, least: 62 });
  assert.ok(line.size >= 28 && line.levels === 1);
  assert.deepEqual(line.shown, english);
});

test("no two words overlap, and none leaves the room, however many and long they are", () => {
  for (const many of [["a"], english, words(16, 6), words(18, 3), words(18, 22), words(24, 30)])
    for (const width of [1216, 1026]) {
      const { shown, halves, levels, centres, size } = fit(many, { width });
      assert.ok(size >= 24);
      assert.ok(centres[0] - halves[0] >= -0.1 && shown.length === many.length);
      for (const [i, centre] of centres.entries()) {
        assert.ok(centre + halves[i] <= width + 0.1);
        const before = i - levels;
        if (before >= 0) assert.ok(centre - halves[i] > centres[before] + halves[before]);
      }
    }
  const { centres } = fit(words(18, 3), { width: 1216, least: 62 });
  for (let i = 1; i < centres.length; i++)
    assert.ok(centres[i] - centres[i - 1] >= 62, "digits have room");
  assert.ok(fit(words(18, 20), { width: 900, least: 48 }), "18 words beside two answers");
});

test("of two models only large weights are told, and the one that is pointed at", () => {
  const toldIn = (state) =>
    layout(state, ROOM, act).filter(({ id, number }) => id?.startsWith("weight") && number < 0.1);
  assert.deepEqual(toldIn(two()), []);
  assert.ok(toldIn(one()).length > 0);
  const spot = layout(two(), ROOM, act).find(({ id }) => id === "scissors 0 3");
  const told = toldIn(two(spot.hover()));
  assert.deepEqual(new Set(told.map(({ id }) => id)), new Set(["weight 0 3", "weight 1 3"]));
});

test("of what two models write only the words that matter are shown, once it is told", () => {
  const shown = (state, index = 0) =>
    layout(state, ROOM, act)
      .filter(({ id }) => id.startsWith(`word fr ${index} `))
      .map(({ text }) => text)
      .join(" ");
  const clause = "\u2026 qu' il était trop fatigué";
  assert.deepEqual(
    [0, 1].map((index) => shown(two(), index)),
    [clause, clause],
  );
  assert.equal(shown(two({ veiled: true })), "");
  assert.equal(shown(two({ line: 0, word: 10 })), clause);
  assert.equal(shown(two({ line: 0, word: 14 })), `${clause} <end>`, "it is pointed at");
  assert.match(shown(two({ line: 1, word: 8 })), /^\u2026 parce qu' il/, "so is this");
  assert.match(shown(cutState(french.with(4, "traversa").with(10, "elle")), 1), /^\u2026 traversa/);
  assert.equal(shown(one()), french.join(" "));
});

test("of two models no word that stays is moved, by a veil or by a cut", () => {
  const changed = french.with(10, "elle").with(13, "fatiguée");
  const states = [two(), cutState(changed, { veiled: true }), cutState(changed)];
  const placed = (state, index) =>
    layout(state, ROOM, act)
      .filter(({ id }) => RegExp(`^word fr ${index} (9|11|12) `).test(id))
      .map(({ id, x }) => [id.slice(9), x]);
  const [first, ...others] = states.flatMap((state) => [0, 1].map((index) => placed(state, index)));
  assert.equal(first.length, 3);
  for (const each of others) assert.deepEqual(each, first.slice(0, each.length));
});

test("a band says who it is and what that one learned, before there is an answer, too", () => {
  const [upper, lower] = two().picture.panels;
  const told = [upper, lower].map((each) => ({ ...each, name: "B", learned: "learned more" }));
  for (const veiled of [false, true]) {
    const marks = layout(stateOf(told, { veiled }), ROOM, act);
    const said = ["name 1", "learned 1"].map((which) => marks.find(({ id }) => id === which).text);
    assert.deepEqual(said, ["B", "learned more"]);
  }
});

test("the digits of the last word keep off what a model learned", () => {
  const learned = 1200 - 245; // where that begins, in the letters of a browser
  const last = english.length - 1;
  const cross = french.map(() => row(english.length, last, 0.79));
  const panels = two().picture.panels.map((each) => ({ ...each, cross }));
  const marks = layout(stateOf(panels, { line: 0, word: 13 }), ROOM, act);
  const digits = boxOf(marks.find(({ id }) => id === `weight 0 ${last}`));
  assert.ok(learned - digits.right > 10);
});

test("an elision stays close to its word", () => {
  const letters = { size: 36, levels: 1, letters: 99 };
  const { centres, halves } = arrange(["l'", "animal", "a"], letters, { width: 1216 });
  const gap = (i) => centres[i] - halves[i] - centres[i - 1] - halves[i - 1];
  assert.ok(gap(1) < gap(2));
  assert.equal(arrange(words(20, 20), letters, { width: 1216 }), null);
});

test("texts do not overlap, on a wide and on a high screen, veiled and shown", () => {
  const states = [];
  for (const make of [one, two])
    for (const veiled of [true, false])
      for (const place of [{}, { line: 0, word: 10 }, { line: 0, word: 0 }, { word: 10 }])
        states.push(make({ veiled, ...place }));
  for (const state of states)
    for (const room of SCREENS) assert.deepEqual(faults(layout(state, room, act), room), []);
});

test("while it is veiled no weight is seen, and no arc", () => {
  const texts = (state) => layout(state, ROOM, act).filter(isText).map(contentOf);
  const hidden = one({ veiled: true });
  assert.ok(!texts(hidden).some((text) => /\d\.\d/.test(text)));
  for (const word of ["il", "fatigué"]) assert.ok(!texts(hidden).includes(word), word);
  assert.ok(!layout(hidden, ROOM, act).some((mark) => mark.d));
  const both = two({ veiled: true });
  assert.equal(texts(both).filter((text) => text === "?").length, 2);
  const arcs = layout(both, ROOM, act).filter((mark) => mark.d);
  assert.equal(arcs.length, 2 * english.length, "of two models all looks are seen");
  assert.ok(
    arcs.every((arc) => arc.class === "possible" && arc.thick === undefined),
    "alike",
  );
  assert.ok(texts(one()).includes("0.70") && texts(one()).includes("il"));
});

test("an arc is drawn first, from the word that asks; then its number is told", () => {
  const find = (state, id) => layout(state, ROOM, act).find((mark) => mark.id === id);
  const arc = find(one(), "strongest encoder 0");
  const numbersIn = (path) => path.match(/-?[\d.]+/g).map(Number);
  const [asks, y] = numbersIn(arc.d(arc));
  assert.deepEqual([asks, y, arc.from.drawn, arc.drawn], [arc.asks, arc.y, 0, 1]);
  assert.deepEqual(numbersIn(arc.d(arc)).slice(-2), [arc.asked, arc.y]);
  const half = numbersIn(arc.d({ ...arc, drawn: 0.5 })).slice(-2);
  assert.ok(half[1] < arc.y && half[0] < asks && half[0] > arc.asked, "half of it ends above");
  const word = find(one(), "word en 1 animal");
  assert.ok(!word.class.includes("key") && word.arrived.includes("key bold"));
  for (const id of ["answer", "arrow to 1", "weight 0 1"])
    assert.equal(find(one(), id).delay, arc.glide);
  assert.equal(word.glide, arc.glide);
  for (const id of ["answer", "arrow to 1", "weight 0 1"])
    assert.equal(find(one({ calm: true }), id).delay, 0, "who walks along the words never waits");
});

test("where it looks is answered by a word; its number stands at the arc", () => {
  const told = (state) => layout(state, ROOM, act).find(({ id }) => id === "answer");
  assert.deepEqual([told(one()).text, told(one()).number], ["animal", undefined]);
  const named = layout(one(), ROOM, act).find(({ id }) => id === "arrow to 1");
  assert.equal(named.text, "it \u2192 animal");
  assert.equal(layout(one(), ROOM, act).find(({ id }) => id === "weight 0 1").number, 0.7);
});

test("the strongest arc is the same mark when it turns, and leaves a ghost", () => {
  const wide = english.with(10, "wide");
  const before = one();
  const now = stateOf([panel(wide, french.with(10, "elle"), { best: 5 })], { before }, wide);
  const marks = layout(now, ROOM, act);
  const arc = (list) => list.find(({ id }) => id === "strongest encoder 0");
  assert.notEqual(arc(layout(before, ROOM, act)).asked, arc(marks).asked);
  assert.ok(marks.some(({ id }) => id === "was 0"));
  assert.ok(marks.some(({ text }) => text === "before: animal 0.70"));
  const changed = marks.filter((mark) => mark.class === "changed").map(({ id }) => id);
  assert.deepEqual(changed, ["new en 10", "new fr 0 10"]);
  assert.ok(marks.some(({ id, text }) => id === "gone fr 0 10" && text === "il"));
  assert.ok(!layout({ ...now, before: null }, ROOM, act).some(({ id }) => id === "was 0"));
  const [plain] = before.picture.panels;
  const cut = stateOf([{ ...plain, encoder: map(11, 11, 4), plain }]);
  const was = layout({ ...now, before: cut }, ROOM, act).find(({ id }) => id === "answer-before");
  assert.equal(was.text, "before: animal 0.70", "another sentence is compared with nothing cut");
});

test("what changed between two lines of words", () => {
  const compare = (before, now) => changes(before.split(" "), now.split(" "));
  assert.deepEqual(compare("a il b c", "a elle b c"), [null, "il", null, null]);
  assert.deepEqual(compare("a l' b c", "a la d c"), [null, "l' b", "", null]);
  assert.deepEqual(compare("a b", "a x b y"), [null, "", null, ""]);
  assert.deepEqual(compare("a b c", "a c"), [null, null]);
});

/** The word at the bar above the English words, and the word at the bar below them. */
function footed(marks) {
  const [above, below] = [0, 1].map((i) => marks.find(({ id }) => id === `foot ${i}`));
  const words = marks.filter(({ id }) => id.startsWith("word en"));
  assert.ok(above.y + above.h < words[0].y && below.y > words[0].y);
  assert.ok(!words.some(({ arrived }) => arrived), "no word has the colour of either");
  const middle = ({ x, w }) => x + w / 2;
  return [above, below].map((bar) => words.find(({ x }) => Math.abs(x - middle(bar)) < 1).text);
}

test("what is looked at is told with its weight", () => {
  assert.equal(caption(one()), "“it” gives “animal” 0.70 (encoder, layer 2).");
  assert.match(caption(one({ pinned: true })), /^pinned · “it”/);
  const french10 = { line: 0, word: 10 };
  assert.equal(caption(one(french10)), "To write “il” it gave “the” 0.70 (layer 1, mean).");
  const through = one(french10);
  through.picture.panels[0].cross[10] = row(english.length, PLACE_OF_IT, 0.3);
  const told = "“il” looked most at “it” (0.30), which had looked at “animal” (0.70).";
  assert.equal(caption(through), told);
  assert.match(caption(two(french10)), /^In translation only “the” gets 0.70, in /);
  const way = (state) => layout(state, ROOM, act).find(({ id }) => id === "way");
  const places = Object.fromEntries(
    layout(through, ROOM, act).map(({ id, x, w }) => [id, x + w / 2]),
  );
  const ends = [way(through).asks, way(through).asked];
  assert.deepEqual(ends, [places[`pick en ${PLACE_OF_IT}`], places["pick en 1"]]);
  const weight = layout(through, ROOM, act).find(({ id }) => id === "way weight");
  assert.deepEqual([weight.number, weight.delay], [0.7, way(through).delay + way(through).glide]);
  for (const state of [one(french10), { ...through, veiled: true }, { ...through, aim: 0 }])
    assert.equal(way(state), undefined);
  const [first, second] = two().picture.panels.map(({ name }) => name);
  const each = `In ${first} “because” gets 0.70, in ${second} “animal” 0.70.`;
  assert.equal(caption(two()), each);
  const aimed = caption(two({ aim: 1 }));
  assert.equal(aimed, `In ${first} “animal” gets 0.03, in ${second} “animal” 0.70.`);
  assert.deepEqual(footed(layout(two(), ROOM, act)), ["because", "animal"], "each on its side");
});

test("a bet is kept, and judged when the arcs are shown", () => {
  const veiled = one({ veiled: true });
  assert.match(caption(veiled), /^Predict.*Enter shows/);
  assert.deepEqual(keysOf(veiled, "ArrowLeft", {}, act), { bet: 6 });
  assert.deepEqual(keysOf({ ...veiled, bet: 6 }, "Home", {}, act), { bet: 0 });
  assert.match(caption({ ...veiled, bet: 5 }), /^You say “street”\./);
  assert.match(caption(one({ bet: 5 })), /^You said “street”\. “it” gives “animal”/);
  assert.match(caption(one({ bet: 1 })), /^As you said: “it” gives “animal”/);
  const both = two({ veiled: true });
  assert.match(caption(both), /^Predict for each model.*Enter shows both/);
  assert.equal(keysOf(both, "ArrowLeft", {}, act), null, "two models look at two words");
});

test("what is written after a cut is asked: until it is seen no key leads away", () => {
  const veiled = { veiled: true, asked: "words" };
  for (const state of [one(veiled), two(veiled)])
    for (const key of ["ArrowLeft", "ArrowUp", "x", " "])
      assert.equal(keysOf(state, key, {}, act), null, key);
});

test("whoever moves on is asked about the word that is pointed at", () => {
  assert.equal(asks(one({ word: 5 })), "Where does “street” look?");
  assert.equal(asks(two({ word: 1 })), "Where does “animal” look?");
  assert.equal(asks(one({ line: 0, word: 9 })), "Which word was looked at most to write “qu'”?");
  assert.ok(!asks(two({ asked: "words" })), "what is written is still asked");
  assert.equal(asks(two({ asked: "words", word: 1 })), "Where does “animal” look?");
  const cuts = [["cross", 0, -1, 10, 10]];
  const ofPronoun = cutState(french.with(10, "elle"));
  ofPronoun.picture.panels[0].cuts = cuts;
  assert.equal(asks(ofPronoun), "Where does “it” look?", "another word's look is cut");
  assert.ok(!asks({ ...ofPronoun, line: 0, word: 10 }));
  assert.ok(!asks(one({ refused: {} })));
});

test("a cut is told by what each model writes now, and why by what it gave before", () => {
  const [upper, lower] = two().picture.panels;
  const cuts = [["encoder", 1, -1, PLACE_OF_IT, 1]];
  const cut = { ...lower, target: french.with(10, "elle"), plain: lower, cuts };
  const state = stateOf([{ ...upper, plain: upper, cuts }, cut], { asked: "words" });
  const [one, other] = [upper.name, lower.name];
  const needs = `Only ${other} needs this look: 0.70 against 0.03`;
  assert.equal(caption(state), `${needs}; no other word changes.`);
  const agrees = { ...cut, target: cut.target.with(13, "fatiguée") };
  assert.equal(caption(stateOf([{ ...upper, plain: upper, cuts }, agrees])), `${needs}.`);
  assert.match(caption({ ...state, word: 0 }), /^In /, "elsewhere of what is seen there");
  const had = layout(state, ROOM, act).filter(({ id }) => /^cut .* had$/.test(id));
  assert.deepEqual(had.map(contentOf), ["0.03"], "each number of the caption is at its arrow");
  const idsOf = (given) => layout(given, ROOM, act).map(({ id }) => id);
  assert.ok(idsOf(state).includes("cut 1 1 turns") && !idsOf(state).includes("cut 0 1 turns"));
  assert.ok(!idsOf({ ...state, veiled: true }).some((id) => id.endsWith("turns")));
  const plain = [upper, lower].map((panel) => ({ ...panel, plain: panel, cuts }));
  const why = `Before the cut “animal” got 0.03 in ${one}, 0.70 in ${other}.`;
  assert.equal(caption(stateOf(plain, { asked: "words" })), why);
  assert.deepEqual(footed(layout(state, ROOM, act)), ["because", "animal"], "there arcs end");
  const marks = layout(state, ROOM, act);
  const shown = marks.filter(({ id }) => id.startsWith("answer"));
  assert.deepEqual(
    shown.map(({ text }) => text),
    ["il", "il \u2192 elle"],
  );
  assert.equal(shown[0].size, shown[1].size);
  const asks = [0, 1].map((i) => marks.find(({ id }) => id === `does ${i}`).text);
  assert.deepEqual(asks, ["still writes", "now writes"]);
  assert.deepEqual(marks.filter(({ id }) => id.startsWith("now")).length, 1, "it is marked");
  const veiled = layout({ ...state, veiled: true }, ROOM, act);
  const has = (start) => veiled.some(({ id }) => id.startsWith(start));
  assert.ok(has("veil fr 1 10"), "what is written waits");
  assert.ok(has("strongest"), "the arcs do not");
  assert.ok(!has("now"));
});

test("keys walk along the lines and between them, choose heads and cut", () => {
  const walk = (more, key, event = {}) => keysOf(one(more), key, event, act);
  assert.deepEqual(walk({}, "ArrowRight"), { line: -1, word: 8, aim: -1, bet: -1, calm: true });
  assert.equal(walk({}, "ArrowDown").line, 0);
  assert.equal(walk({ line: 0, word: 10 }, "ArrowUp").line, -1);
  assert.deepEqual(walk({}, "ArrowRight", { shiftKey: true }), { aim: 2 });
  assert.deepEqual(walk({}, "x"), { type: "cut", key: 1 });
  assert.deepEqual(walk({}, " "), { pinned: true });
  assert.deepEqual(walk({}, "l").looks.encoder, [0, -1]);
  assert.equal(walk({}, "3"), null, "layer 2 has one head");
  const isChip = ({ id }) => /^(layer|head)/.test(id);
  const chips = [one(), two()].map((state) => layout(state, ROOM, act).some(isChip));
  const pressed = keysOf(two(), "l", {}, act);
  assert.deepEqual([...chips, pressed], [true, false, null], "two models show no choice of them");
  assert.deepEqual(walk({ looks: { encoder: [0, -1] } }, "3").looks.encoder, [0, 2]);
  const order = [0, -1, 1];
  for (const [i, line] of order.entries())
    assert.equal(keysOf(two({ line, word: 1 }), "ArrowDown", {}, act).line, order[i + 1] ?? 1);
});

test("a refused sentence shows the known words, and nothing of the last picture", () => {
  const known = Array.from({ length: 200 }, (_, i) => `word${i}`);
  const refused = { typed: ["the", "giraf", "slept"], unknown: [1, 2], words: known };
  const state = one({ refused });
  for (const room of SCREENS) {
    const marks = layout(state, room, act);
    assert.deepEqual(faults(marks, room), []);
    const texts = marks.filter(isText).map(contentOf);
    assert.ok(texts.includes("giraf") && !texts.includes("il") && texts.includes("word0"));
    const last = layout({ ...state, chip: 199 }, room, act)
      .filter(isText)
      .map(contentOf);
    assert.ok(last.includes("word199") && !last.includes("word0"), "the arrow keys turn pages");
  }
  assert.match(caption(state), /in the place of “giraf”/);
  assert.deepEqual(nextOf(state).ask, { type: "word", word: "word0" });
  assert.deepEqual(keysOf(state, "ArrowRight", {}, act), { chip: 1 });
  const below = keysOf(state, "ArrowDown", {}, act).chip;
  assert.equal(chipPlaces(known, ROOM)[below].row, 1);
  assert.equal(nextOf(one({ refused: { ...refused, words: [] } })), null);
  assert.deepEqual(keysOf(state, "Escape", {}, act), { type: "restore" });
});

test("a ghost is only of what was seen, of a sentence that differs in one word", () => {
  const seen = stateOf([panel(english, french)]);
  const wide = stateOf([panel(english, french)], {}, english.with(-1, "wide"));
  const kept = (before, now = wide) => withOwnGhost({ ...now, before }).before !== null;
  assert.ok(kept({ ...seen, veiled: false }));
  assert.ok(!kept({ ...seen, veiled: true }), "what was never uncovered gives nothing away");
  assert.ok(!kept({ ...seen, veiled: false }, stateOf([panel(["a"], ["b"])], {}, ["a"])));
  const chinese = stateOf([panel(english, french, { language: "zh" })]);
  assert.ok(!kept({ ...seen, veiled: false }, chinese), "nor does another language");
});

/** Two models after a cut, of which only the lower one writes other words. */
function cutState(target, more = {}) {
  const [upper, lower] = two().picture.panels;
  const cut = { ...lower, target, pronoun: target.indexOf("elle"), plain: lower };
  return stateOf([{ ...upper, plain: upper }, cut], { asked: "words", ...more });
}

const hiddenIn = (marks, index) =>
  marks
    .filter(({ id }) => id.startsWith(`veil fr ${index} `))
    .map(({ id }) => Number(id.split(" ")[3]));

test("the veil hides the same words of both models, so that it tells neither", () => {
  const changed = french.with(10, "elle").with(13, "fatiguée");
  const marks = layout(cutState(changed, { veiled: true }), ROOM, act);
  for (const index of [0, 1]) {
    assert.deepEqual(hiddenIn(marks, index), [10]);
    const later = marks.filter(({ id }) => RegExp(`^word fr ${index} 1[1-4]`).test(id));
    assert.deepEqual(later, [], "an adjective would tell which pronoun it was");
  }
  const widths = (i) => marks.filter(({ id }) => id.startsWith(`veil fr ${i}`)).map(({ w }) => w);
  assert.deepEqual(widths(0), widths(1));
  const longer = french.toSpliced(9, 0, "bien").with(11, "elle");
  const moved = layout(cutState(longer, { veiled: true }), ROOM, act);
  assert.deepEqual(hiddenIn(moved, 0), [9, 10]);
  assert.deepEqual(hiddenIn(moved, 1), [9, 10, 11]);
});

test("an arrow that is cut is a broken line, in the part and the row that have it", () => {
  const cut = (part, query, key) => [part, -1, -1, query, key];
  const state = (cuts, more) => {
    const { panels } = two().picture;
    return stateOf([{ ...panels[0], cuts }, panels[1]], { asked: "words", ...more });
  };
  const gaps = (cuts, more) =>
    layout(state(cuts, more), ROOM, act)
      .filter(({ id }) => /^cut .* gap$/.test(id))
      .map(({ id }) => id);
  const row = { line: 0, word: 10 };
  assert.deepEqual(gaps([cut("cross", 10, 9)], row), ["cut 0 9 gap"]);
  assert.deepEqual(gaps([cut("cross", 10, 9)]), [], "the English words have other arrows");
  assert.deepEqual(gaps([cut("cross", 9, 9)], row), [], "another row has it");
  assert.deepEqual(gaps([cut("encoder", PLACE_OF_IT, 1)]), ["cut 0 1 gap"]);
  assert.deepEqual(gaps([["encoder", 0, -1, PLACE_OF_IT, 1]]), [], "another layer has it");
});

test("a pronoun that is asked for is veiled where its row is looked at too", () => {
  const elle = { veiled: true, line: 1, word: 10 };
  const marks = layout(cutState(french.with(10, "elle"), elle), ROOM, act);
  assert.deepEqual([hiddenIn(marks, 0), hiddenIn(marks, 1)], [[10], [10]]);
  const boxes = marks.filter(({ id }) => /^veil fr . 10$/.test(id));
  assert.equal(boxes[0].w, boxes[1].w, "its room does not tell how long it is");
  assert.ok(!marks.some((mark) => /elle/.test(contentOf(mark) ?? "")));
});

test("what stood there before is written above the translation, away from the arcs", () => {
  const plain = panel(english, french);
  const cut = { ...plain, target: french.with(10, "elle"), pronoun: 10, plain };
  for (const room of SCREENS) {
    const marks = layout(stateOf([cut], { asked: "words" }), room, act);
    assert.deepEqual(faults(marks, room), []);
    const at = (id) => boxOf(marks.find((mark) => mark.id === id));
    assert.ok(at("gone fr 0 10").bottom < at("word fr 0 10 elle").top);
  }
});

test("of two models a word answers: the pronoun that each writes, or the word it looks at", () => {
  const large = (state) =>
    layout(state, ROOM, act)
      .filter((mark) => mark.class.startsWith("large"))
      .map(contentOf);
  const changed = french.with(10, "elle");
  assert.deepEqual(large(cutState(changed, { veiled: true })), ["?", "?"]);
  assert.deepEqual(large(cutState(changed)), ["il", "il → elle"]);
  assert.deepEqual(large(two()), ["because", "animal"]);
  assert.deepEqual(large(two({ aim: 1 })), ["because", "animal"], "whatever is aimed at");
});

test("the number before touches no arc", () => {
  const wide = english.with(10, "wide");
  const room = ROOM;
  for (const best of [5, 1]) {
    const state = stateOf([panel(wide, french, { best })], { before: one() }, wide);
    if (best === 1) state.picture.panels[0].encoder = map(11, 11, 1).map(() => row(11, 1, 0.5));
    const marks = layout(state, room, act);
    const mark = marks.find(({ id }) => id === "answer-before");
    const { left, bottom } = boxOf(mark);
    const near = marks.filter(({ rise, asked, asks }) => rise && Math.max(asked, asks) > left);
    assert.ok(near.length > 0, "arcs run below it");
    const tops = near
      .filter(({ asks, asked }) => Math.min(asks, asked) > room.width - 440)
      .map(({ y, rise, thick }) => y - rise - thick / 2);
    assert.ok(Math.min(...tops) > bottom + 6, "not even its letters that go below the line");
  }
});
