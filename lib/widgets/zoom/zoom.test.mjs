import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { outside, overlaps, twins, writings } from "../../../tests/widgets/room.mjs";
import { digits } from "../frame/frame.mjs";
import { placeIn } from "./flight.mjs";
import { FLIGHT, OPEN, SCENES } from "./world.mjs";
import { caption, keysOf, layout, read as readModel } from "./zoom.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url)));
const CHANGES = read("golden.json");
const TOLD = read("../../saved/zoom.json");
const SENT = Object.entries(TOLD).map(([word, told]) => ({
  ...{ word, told, changes: CHANGES[word], was: TOLD[word === "tired" ? "wide" : "tired"] },
}));
const [TIRED, WIDE] = SENT;
const ROOMS = [540, 700, 456].map((height) => ({ width: 1216, height }));
const at = (scene, sent = TIRED, more = {}) => ({
  ...sent,
  done: SCENES.indexOf(scene),
  last: SCENES.length - 1,
  veiled: false,
  before: null,
  ...more,
});

const drawn = (...what) => layout(at(...what), ROOMS[0], {});
const find = (marks, name) => marks.find(({ id }) => id === name);
const named = (marks, ids) => marks.filter(({ id }) => ids.test(id));
const idsOf = (marks) => marks.map(({ id }) => id);

test("every scene stands in its room, and no text on another", () => {
  for (const room of ROOMS)
    for (const sent of SENT)
      for (const scene of SCENES)
        for (const veiled of [false, true])
          for (const guess of [-1, 0, 1, 2, 10]) {
            const marks = layout(at(scene, sent, { veiled, guess }), room, {});
            const found = [outside(marks, room), overlaps(marks), twins(marks)];
            assert.deepEqual(found, [[], [], []], `${scene} ${sent.word} ${veiled} ${guess}`);
          }
});

test("on a phone, which shows 672 of the room, every bar after a cut is seen whole", () => {
  for (const scene of ["asks", "cut"])
    for (const { x, w } of named(drawn(scene), /^(all of|changed) /)) assert.ok(x + w <= 672);
});

test("no letters are smaller than 24", () => {
  for (const scene of SCENES)
    for (const { size } of drawn(scene)) assert.ok((size ?? 24) >= 24, scene);
});

test("the vectors of it fly from scene to scene", () => {
  const has = (scene, id) => drawn(scene).some((mark) => mark.id === id);
  for (const [from, to, id] of [
    ["stacks", "heads", "word 7"],
    ["stacks", "arc", "layer1 7"],
    ["arc", "pour", "layer1 7"],
    ["pour", "alone", "attended 7"],
    ["alone", "changed", "memory 7"],
    ["changed", "asks", "memory 7"],
  ])
    assert.ok(has(from, id) && has(to, id), `${from} to ${to}`);
});

test("what did not change is the same object: no flight is cut off by a second drawing", () => {
  const sent = { word: "wide", tellings: TOLD };
  const model = { get: (name) => sent[name] };
  const [one, again] = [readModel(model), readModel(model)];
  for (const name of Object.keys(one)) assert.equal(one[name], again[name], name);
  assert.ok(one.told === TOLD.wide && one.was === TOLD.tired);
});

test("what is new waits for the flight, an answer that is shown does not", () => {
  const before = at("heads");
  const veil = drawn("arc", TIRED, { veiled: true, before });
  assert.equal(find(veil, "veil").delay, FLIGHT);
  const shown = drawn("arc", TIRED, { before });
  assert.equal(find(shown, "arc 1").delay, undefined);
});

test("an arc is as thick as its weight, and swings to the other noun", () => {
  for (const sent of SENT) {
    const { told } = sent;
    const arc = find(drawn("arc", sent), `arc ${told.noun}`);
    assert.equal(arc.thick, 14 * told.layer2[told.noun]);
    assert.equal(arc.from.end, arc.start, "it grows out of it");
  }
});

test("a bar is as high as its weight, on one scale for all heads", () => {
  for (const sent of SENT) {
    const marks = drawn("heads", sent);
    const of = (name) => find(marks, name);
    const tall = of("head 3 0").h / sent.told.layer1[3][0];
    for (const [head, row] of sent.told.layer1.entries())
      for (const [i, share] of row.entries()) {
        const { x, y, h } = of(`head ${head} ${i}`);
        assert.ok(Math.abs(h - tall * share) < 1e-9, `${head} ${i}`);
        assert.equal(x, of(`head 3 ${i}`).x, "in the column of its word");
        assert.ok(head === 0 || y > of(`ground of head ${head - 1}`).y, "below the one before");
      }
  }
});

test("the look of a head ends on its tallest bar, and tall bars say how tall", () => {
  for (const [row, sent] of SENT.entries()) {
    const marks = drawn("heads", sent);
    const look = find(marks, "look");
    const own = named(marks, /^head 3 /);
    const tallest = own.reduce((one, other) => (one.h > other.h ? one : other));
    assert.deepEqual([look.end, look.top], [tallest.x + tallest.w / 2, tallest.y]);
    assert.equal(look.x, find(marks, "word 7").x, "from the one that asks");
    const told = named(marks, /^look \d/);
    assert.deepEqual(writings(told), [["0.68", "0.31"][row]]);
    for (const { x, y, size } of told) {
      const bar = own.find((one) => one.x + one.w / 2 === x);
      assert.ok(y - size > bar.y && y < bar.y + bar.h, "in its bar");
    }
  }
});

test("what is written without a cut and with it is there, and what it turned is framed", () => {
  for (const [scene, wanted, turned] of [
    ["asks", ["il 0.89", "il 0.88"], "changed asks 1"],
    ["cut", ["il 0.79", "elle 0.89"], "changed cut 0"],
  ])
    for (const sent of SENT) {
      const marks = drawn(scene, sent);
      const said = writings(marks).filter((text) => /^(il|elle) \d/.test(text));
      assert.deepEqual(said, wanted);
      assert.deepEqual(idsOf(marks.filter((mark) => mark.class === "lit")), [turned]);
    }
  for (const [row, { told }] of SENT.entries())
    for (const [id, odds, veiled = false] of [
      [`asks ${row}`, told.models[0].odds, true],
      [`asks ${row}`, told.hidden],
    ])
      assertBar(id, odds, veiled);
  for (const [i, model] of WIDE.told.models.entries()) {
    assertBar(`cut ${i}`, model.odds, true);
    assertBar(`cut ${i}`, model.cut, false);
  }
});

function assertBar(id, odds, veiled) {
  const marks = drawn(id.split(" ")[0], TIRED, { veiled });
  const names = [`all of ${id}`, `written ${id} il`, `written ${id} elle`];
  const [all, ...parts] = names.map((name) => find(marks, name));
  for (const [i, part] of parts.entries()) assert.ok(Math.abs(part.w / all.w - odds[i]) < 1e-9, id);
  const [one, other] = parts;
  const ends = [one.x - all.x, other.x + other.w - all.x - all.w];
  for (const end of ends) assert.ok(Math.abs(end) < 1e-9, "il begins left, elle right");
}

test("the look at it is cut with the answer", () => {
  const asked = drawn("asks", TIRED, { veiled: true });
  const marks = drawn("asks");
  for (const [row, tile] of ["memory 7 of tired", "memory 7"].entries()) {
    assert.ok(find(asked, `look ${row}`).class === "arc" && !find(asked, `hidden ${row}`));
    const [look, bar, own, cross] = ["hidden look", "all of asks", "", "hidden"].map((name) =>
      find(marks, name ? `${name} ${row}` : tile),
    );
    assert.ok(look.class === "ghost" && !find(marks, `look ${row}`));
    assert.ok(look.x > bar.x + bar.w && look.toX === own.x, "from the bar to it");
    assert.ok(cross.y === look.y && cross.x > look.x && cross.x < look.toX, "on the look");
  }
});

test("each bar has its own “it”: nothing says whose pronoun turns", () => {
  for (const sent of SENT) {
    const marks = drawn("asks", sent);
    const of = (name) => find(marks, name);
    const { version } = find(drawn("changed", WIDE), "memory 7");
    assert.equal(of("memory 7").version, version);
    assert.equal(of("memory 7 of tired").version, "tired ink");
    assert.ok(of("changed asks 1") && of("row 1").text === "too wide");
    const asked = drawn("asks", sent, { veiled: true }).filter(({ id }) =>
      /^(look|memory)/.test(id),
    );
    const [one, other] = [0, 1].map((row) => asked.filter(({ y }) => y < 250 === (row === 0)));
    assert.ok(one.length > 1 && one.length === other.length);
  }
});

test("of a change the look at the noun is seen, and over the bridge goes what it means", () => {
  const marks = drawn("changed", WIDE);
  const [now, meant] = ["the other noun", "what it means"].map((name) => find(marks, name));
  const above = (i) => find(marks, `layer1 ${i}`);
  assert.equal(meant.text, "la rue");
  assert.ok(meant.y < find(marks, "memory 7").y && meant.delay > now.delay);
  assert.deepEqual([now.class, now.thick], ["arc", 14 * WIDE.told.layer2[5]], "a look, as before");
  assert.ok(now.x > above(WIDE.told.noun).x && now.x < above(WIDE.told.noun + 1).x);
});

test("the box shows one sentence, and in bold the pronoun and the switch", () => {
  for (const sent of SENT) {
    const marks = drawn("box", sent);
    const bold = marks.filter((mark) => /bold/.test(mark.class) && !/wall/.test(mark.class));
    const [pronoun, next] = [10, 11].map((i) => find(marks, `out ${i}`));
    assert.equal(pronoun.text, sent.told.target[10]);
    assert.deepEqual(writings(bold).sort(), [pronoun.text, "it", sent.word].sort());
    const [into, out, last] = ["into", "out of", "word 10"].map((name) => find(marks, name));
    assert.ok(out.x > pronoun.x && out.x < next.x, "there it comes out");
    const [, left, high, low, right] = find(marks, "all")
      .d()
      .match(/M(.*),(.*)V(.*)H(.*)V/);
    assert.deepEqual([left, right].map(Number), [0, last.x + 0.3 * last.size], "under all words");
    assert.ok(Number(low) > Number(high) && into.x === last.x / 2 && into.y === Number(low));
  }
});

test("the verdict that is asked for leads, and the known one steps back", () => {
  const of = (veiled, name) => find(drawn("models", TIRED, { veiled }), name);
  for (const asked of [of(true, "asked 1"), of(false, "verdict 1")]) {
    assert.ok(asked.size > 1.5 * of(true, "verdict 0").size);
    assert.match(asked.class, /answer/);
  }
  assert.match(of(true, "verdict 0").class, /faint/);
});

test("in the stacks the words that matter are named in their columns", () => {
  for (const scene of ["stacks", "changed"]) {
    const marks = drawn(scene);
    const words = named(marks, /^word [0-9]$/);
    assert.deepEqual(writings(words).sort(), ["animal", "it", "street"]);
    const slots = named(marks, /^slot /);
    assert.deepEqual(writings(slots).sort(), ["animal", "qu'", "rue"]);
    for (const word of [...words, ...slots]) {
      const row = word.id.startsWith("word") ? "embedded" : "slots";
      const tile = find(marks, `${row} ${word.id.split(" ")[1]}`);
      assert.ok(Math.abs(word.x - tile.x - tile.w / 2) < 1e-9, word.text);
      assert.ok(word.y - 24 > tile.y + tile.h, "no tile covers it");
    }
  }
});

test("in the row of layer 2 only what counts has digits", () => {
  const row = drawn("arc").filter(({ id }) => /^share/.test(id));
  const digitsOf = row.map(({ format, number }) => format(number)).filter(Boolean);
  assert.deepEqual([row.length, digitsOf], [11, ["0.95", "0.03"]]);
});

test("a click on a word is a guess, and it stays there beside the answer", () => {
  const guesses = [];
  const act = { change: ({ guess }) => guesses.push(guess) };
  const of = (marks) => find(marks, "guess");
  for (const scene of ["heads", "arc"]) {
    const asked = layout(at(scene, TIRED, { veiled: true, guess: -1 }), ROOMS[0], act);
    assert.equal(of(asked), undefined);
    find(asked, "guess 5").pick();
    for (const veiled of [true, false]) {
      const marks = drawn(scene, TIRED, { veiled, guess: 5 });
      const word = find(marks, "word 5");
      assert.ok(of(marks).x === word.x && of(marks).y > word.y, scene);
      assert.equal(named(marks, /^guess \d/).length, veiled ? 11 : 0);
    }
  }
  assert.deepEqual(guesses, [5, 5]);
});

test("each veiled scene has something to click, and the keys reach the last of it", () => {
  for (const scene of SCENES.filter((name) => !OPEN.includes(name))) {
    const asked = drawn(scene, WIDE, { veiled: true });
    const count = named(asked, /^guess \d/).length;
    const { guess } = keysOf(at(scene, WIDE, { veiled: true, guess: count - 1 }), "ArrowDown", {});
    assert.ok(count > 1 && guess === count - 1, scene);
  }
});

test("a guess whose word is gone from there names it", () => {
  for (const [scene, words, before] of [
    ["models", ["yes", "no"], () => ""],
    ["changed", ["il", "elle"], (word) => `: ${word}`], // it stands elsewhere from the first
  ])
    for (const [guess, word] of words.entries()) {
      const said = (veiled) => find(drawn(scene, WIDE, { veiled, guess }), "guess");
      const wanted = [`your guess${before(word)}`, `your guess: ${word}`];
      assert.deepEqual([said(true).text, said(false).text], wanted);
      assert.equal(said(true).y, said(false).y);
    }
});

test("a guess which pronoun or which model will change stands at its bars", () => {
  for (const guess of [0, 1]) {
    const of = (scene, name) => find(drawn(scene, TIRED, { guess }), name);
    const [bar, next] = [guess, 1].map((row) => of("asks", `all of asks ${row}`));
    const mark = of("asks", "mark");
    assert.ok(mark.y > bar.y + bar.h && (guess === 1 || mark.y + mark.h < next.y), "below its bar");
    const [own, below] = [guess, 1].map((model) => of("cut", `all of cut ${model}`));
    const { y } = of("cut", "guess");
    assert.ok(own.y < y && (guess === 1 || y < below.y), "beside its model");
  }
});

test("of the last word the icon still is the switch while one guesses", () => {
  for (const sent of SENT) {
    const marks = drawn("heads", sent, { veiled: true, guess: -1 });
    const icon = find(marks, "up and down");
    const right = icon.x - icon.w - icon.size * 0.45;
    const last = find(marks, "guess 10");
    assert.ok(last.x > right && last.x <= icon.x - icon.w, "all of the word is to click");
    assert.ok(last.x + last.w > icon.x);
  }
});

test("the last word is the switch in every scene of one sentence", () => {
  for (const scene of SCENES.filter((name) => !["asks", "cut"].includes(name))) {
    const chosen = [];
    const act = { change: (changes) => chosen.push(changes) };
    for (const id of ["lever", "word 10"]) find(layout(at(scene), ROOMS[0], act), id).pick();
    const other = { word: "wide", guess: -1 }; // a guess was of the sentence before
    assert.deepEqual(chosen, [other, other], scene);
  }
});

test("under the veil no answer is written", () => {
  for (const scene of SCENES.filter((name) => !OPEN.includes(name))) {
    const marks = drawn(scene, TIRED, { veiled: true });
    const known = {
      asks: ["il 0.89", "elle 0.89"],
      cut: ["elle 0.89", "elle 0.89"],
    }[scene];
    const shown = marks.filter(({ id }) => !/^choice/.test(id));
    const told = writings(shown).filter((text) => /^0\.|^(il|elle) \d|^no$|still/.test(text));
    assert.ok(!marks.some(({ id }) => /^(answer|winner|change \d)$/.test(id)), scene);
    assert.deepEqual(told, known ?? [], scene);
  }
});

test("what changed on the way has a whole frame, and nothing else has one", () => {
  for (const sent of SENT) {
    const marks = drawn("changed", sent);
    const framed = named(marks, /^changed/);
    const names = idsOf(framed).map((id) => id.replace("changed ", ""));
    assert.deepEqual(names, ["embedded 10", "layer1 7", "memory 7", "written 10"]);
    for (const [i, frame] of framed.entries())
      assert.ok(frame.class === "lit" && frame.w === find(marks, names[i]).w + 6, frame.id);
    const [lit, dark] = ["lit", "lit-edge"].map((kind) =>
      idsOf(marks.filter((mark) => mark.class === kind)),
    );
    assert.deepEqual(
      dark,
      lit.map((id) => `dark ${id}`),
    );
  }
});

test("the answer is a word, told after what happens", () => {
  for (const sent of SENT) {
    const { told } = sent;
    const first = told.source[told.layer1[3].indexOf(Math.max(...told.layer1[3]))];
    const looks = { heads: `it → ${first}`, arc: `it → ${told.source[told.noun]}` };
    for (const [scene, word] of Object.entries({ ...looks, asks: "elle → il", cut: "elle → il" })) {
      const name = { asks: "change 1", cut: "change 0" }[scene] ?? "answer";
      const answer = find(drawn(scene, sent), name);
      assert.equal(answer.text, word, scene);
      assert.ok(answer.delay > 0, scene);
    }
    const said = writings(drawn("models", sent));
    assert.ok(said.includes("yes") && said.includes("no"));
  }
});

test("of the stacks what is followed stands out, of a change what changed and is looked at", () => {
  const strong = (scene) => drawn(scene, WIDE).filter((mark) => mark.draw && (mark.o ?? 1) === 1);
  const followed = ["embedded 7", "layer1 7", "memory 7", "slots 10", "written 10"];
  assert.deepEqual(idsOf(strong("stacks")), followed);
  const words = named(drawn("stacks"), /^(word|slot) /);
  const dark = words.filter((mark) => !/faint/.test(mark.class));
  assert.deepEqual(writings(dark), ["it", "tired", "qu'"]);
  const framed = idsOf(named(drawn("changed", WIDE), /^changed/));
  const [shown, street] = [idsOf(strong("changed")), "layer1 5"]; // at which "it" looks now
  assert.ok(shown.includes(street));
  const changed = shown.filter((id) => id !== street).map((id) => `changed ${id}`);
  assert.deepEqual(framed, changed);
});

test("in the stacks what is written next has the largest letters, and no layer is higher", () => {
  const [marks, changed] = [drawn("stacks"), drawn("changed")];
  const large = marks.filter(({ size }) => size > 32).map(({ text, size }) => [text, size]);
  const reaches = ["looks at all English words", 36];
  assert.deepEqual(large, [reaches, ["il or elle?", 64]]);
  assert.ok(find(changed, "winner").size > 64, "there it is the answer");
  const does = ["layer 1", "layer 2", "looks at all English words"];
  assert.deepEqual(writings(named(marks, /^name/)), does);
  assert.ok(find(marks, "name of decoder").delay > 0, "when it has looked");
  assert.equal(find(marks, "decoder").h, find(marks, "layer 1").h);
});

test("while layer 2 is asked, the veil lies where its weights will be, and no arc is seen", () => {
  for (const sent of SENT) {
    const asked = drawn("arc", sent, { veiled: true });
    const veil = find(asked, "veil");
    for (const { y, h } of named(drawn("arc", sent), /^share/))
      assert.ok(veil.y < y && veil.y + veil.h > y + h);
    assert.deepEqual(named(asked, /^(arc|share) /), []);
  }
});

test("a tile goes from its own lowest to its own highest number", () => {
  const shades = [];
  const context = {
    clearRect: () => {},
    fillRect: (...box) => box[2] === 1 && shades.push(context.globalAlpha),
  };
  const { draw } = find(drawn("arc"), "layer1 7");
  draw(context, { getPropertyValue: () => "#000" });
  assert.deepEqual([Math.min(...shades), Math.max(...shades)], [0, 1]);
});

test("all that is added stands before the sum, named and with its weight", () => {
  for (const sent of SENT) {
    const value = `0.95 × value of “${sent.told.source[sent.told.noun]}”`;
    const found = writings(drawn("pour", sent)).slice(0, -1); // the sum
    for (const words of ["“it” before", "+", value, "+ 0.05 × the rest", "="])
      assert.ok(found.includes(words), words);
  }
});

test("the value pours: the same tile lies over it, as a film", () => {
  const painted = (mark) => {
    const boxes = [];
    const context = { clearRect: () => {}, fillRect: (...box) => boxes.push(box) };
    mark.draw(context, { getPropertyValue: () => "#000" });
    return boxes.length;
  };
  for (const sent of SENT) {
    const [marks, noun] = [drawn("pour", sent), sent.told.source[sent.told.noun]];
    const names = ["before", "what came", "came", "attended 7", "came down", "layer1 7"];
    const [before, value, came, sum, down, old] = names.map((name) => find(marks, name));
    const [film, small, ...under] = [came, down, sum, old].map(({ x, y, w }) => [x, y, w]);
    assert.deepEqual([film, small], under);
    assert.deepEqual([came.from.x, came.w], [value.x, value.w], "from there it flies");
    const name = find(marks, "it now");
    assert.equal(name.text, `it + ${noun}`);
    const middle = sum.x + sum.w / 2;
    assert.ok(name.x === middle && sum.y - name.y < 20, "directly above the sum");
    const [word, way, arrow] = ["word 7", "goes to it", "becomes"].map((id) => find(marks, id));
    assert.deepEqual([way.x, way.toX, way.toY, arrow.toX], [middle, word.x, arrow.y, word.x]);
    assert.equal(before.x + sum.x + sum.w, ROOMS[0].width, "the row is in the middle");
    assert.deepEqual([value, came].map(painted), [65, 64], "no paper under the film");
  }
});

test("each word goes up through the same network alone; what it means was learned, too", () => {
  for (const sent of SENT) {
    const marks = drawn("alone", sent);
    const of = (name) => find(marks, name);
    const [into, out, answer] = ["attended 7", "memory 7", "answer"].map(of);
    assert.ok(out.y + out.h < into.y && answer.y < out.y && answer.x === into.x + into.w / 2);
    assert.ok(out.delay > 0 && answer.delay > out.delay, "first what happens");
    assert.equal(answer.text, sent === TIRED ? "l'animal" : "la rue");
    const known = find(drawn("models", sent), "known of 0").text;
    for (const said of [caption(at("alone", sent)), known])
      assert.match(said, /also learned .*mean/, "the same model");
    const networks = named(marks, /^network/).map((mark) => mark.d());
    const [lines, dots] = [/L/g, /a/g].map((part) =>
      networks.map((path) => path.match(part).length),
    );
    const kinds = new Set(lines.map((count, i) => `${count} ${dots[i]}`));
    assert.deepEqual([networks.length, kinds.size], [11, 1]);
    for (const [i, path] of networks.entries()) {
      const tile = of(`attended ${i}`);
      for (const [, x] of path.matchAll(/[ML]([\d.]+),/g))
        assert.ok(Math.abs(x - tile.x - tile.w / 2) < 55, "in the column of its word");
    }
    const before = find(drawn("pour", sent), "came");
    assert.deepEqual([of("came").x, of("came").w], [into.x, into.w], "green, as it was");
    assert.equal(of("came").version, before.version);
    for (const one of marks.filter(({ draw, id }) => draw && !/ 7$|^came$/.test(id)))
      assert.ok(one.w < into.w && one.o < 0.5, "the others step back");
  }
});

test("the gender of a noun stands at the noun, in French", () => {
  for (const sent of SENT) {
    const { genders, gloss } = sent.told;
    const box = drawn("box", sent);
    const below = named(box, /^gender/);
    assert.deepEqual(writings(below), ["masculine", "feminine"]);
    for (const { id, x, y } of below) {
      const noun = find(box, id.replace("gender of ", ""));
      const next = find(box, `out ${Number(noun.id.slice(4)) + 1}`);
      assert.ok(x > noun.x && x < next.x && y > noun.y, noun.text);
    }
    const alone = drawn("alone", sent);
    assert.equal(find(alone, "gender").text, genders[gloss]);
    assert.equal(find(alone, "gender").y, find(alone, "answer").y);
  }
});

test("what is cut are the looks of it at all other words, in both models", () => {
  for (const sent of SENT) {
    const [asked, cut] = [true, false].map((veiled) => drawn("cut", sent, { veiled }));
    for (const marks of [asked, cut]) {
      assert.deepEqual(writings(named(marks, /^others of/)), ["other words", "other words"]);
      assert.deepEqual(writings(named(marks, /^it of/)), ["it", "it"]);
    }
    const counted = (name) => [asked, cut].map((marks) => named(marks, name).length);
    assert.deepEqual(counted(/^look of model/), [2, 0]);
    assert.deepEqual(counted(/^hidden of model/), [0, 2]);
  }
});

test("in the row of each model stands, large, how often it is right after the cut", () => {
  for (const sent of SENT) {
    const counts = named(drawn("cut", sent), /^count/);
    assert.deepEqual(writings(counts), ["242 of 490 right", "all 490 right"]);
    for (const [i, { y, size, delay }] of counts.entries()) {
      const change = find(drawn("cut", sent), `change ${i}`);
      const below = y - size - change.y;
      assert.ok(size > 40 && below > 0 && below < size && delay > change.delay);
    }
    assert.deepEqual(named(drawn("cut", sent, { veiled: true }), /^count/), []);
  }
});

test("while it is asked which bar changes, the question is at both alike; so is what came", () => {
  for (const [scene, before, after] of [
    ["asks", ["il", "elle"], ["still il", "elle → il"]],
    ["cut", ["elle", "elle"], ["elle → il", "still elle"]],
  ])
    for (const [row, word] of before.entries()) {
      const asked = find(drawn(scene, WIDE, { veiled: true }), `asked ${row}`);
      const [told, bar] = ["change", "all of"].map((name) =>
        find(drawn(scene), name === "change" ? `change ${row}` : `all of ${scene} ${row}`),
      );
      assert.deepEqual([asked.text, asked.size, told.text], [`${word} → ?`, 92, after[row]]);
      for (const { y } of [asked, told]) assert.ok(y > bar.y && y < bar.y + bar.h, "in its row");
    }
});

test("over the low rows of three heads stands their highest weight", () => {
  for (const [row, sent] of SENT.entries()) {
    const said = writings(drawn("heads", sent));
    assert.ok(said.includes(`heads 1 to 3 look everywhere: at most ${["0.14", "0.12"][row]}`));
  }
});

test("each head of both models has a named row, where the noun has digits", () => {
  for (const sent of SENT) {
    const marks = drawn("models", sent);
    for (const [i, { rows }] of sent.told.models.entries())
      for (const [head, row] of rows.entries()) {
        const name = find(marks, `name head ${i} ${head}`);
        assert.equal(name.text, rows.length > 1 ? `head ${head + 1}` : "head");
        for (const [word, share] of row.entries()) {
          const cell = find(marks, `head ${i} ${head} ${word}`);
          assert.equal(cell.tint, share);
          assert.equal(cell.format(share), word === sent.told.noun ? digits(share) : "");
          assert.ok(cell.y < name.y && name.y < cell.y + cell.h, "beside its row");
          assert.ok(cell.x < find(marks, `word ${word}`).x, "in the column of its word");
        }
      }
    const [one, four] = [0, 1].map((i) => find(marks, `noun ${i}`));
    assert.ok(one.x === four.x && four.h > 4 * one.h);
  }
});

test("dashes mean what was cut", () => {
  const dashed = (scene, sent) =>
    idsOf(drawn(scene, sent).filter((mark) => mark.class === "ghost"));
  for (const scene of SCENES.filter((name) => !["asks", "cut"].includes(name)))
    assert.deepEqual(dashed(scene, WIDE), [], scene);
});

test("each scene has its sentence, with its numbers", () => {
  assert.match(caption(at("heads")), /Only head 4 .*“it” now carries some of “tired”/);
  assert.match(caption(at("arc")), /carries “tired”, looks at “animal”: 0.95/);
  assert.match(caption(at("arc", WIDE)), /carries “street”, looks at “street”: 0.95/);
  assert.match(caption(at("asks")), /^Without “it” .* “il” in both\. Only “elle” needed “it”\.$/);
  assert.match(caption(at("box")), /“it” becomes “il” \(he\), not “elle” \(she\)/);
  assert.match(caption(at("box", WIDE)), /“it” becomes “elle” \(she\), not “il” \(he\)/);
  assert.match(caption(at("changed", WIDE)), /stands for “rue”, feminine.*“elle”/);
  assert.match(caption(at("heads", WIDE)), /Only head 4 .*“it” now carries some of “street”/);
  assert.match(caption(at("alone", WIDE)), /says “la rue”\.$/);
  assert.match(caption(at("stacks")), /path of “it”.* 64 numbers/);
  assert.match(
    caption(at("cut")),
    /^Uncut, both get all 490 such sentences right; a guess gets half/,
  );
  assert.equal(writings(drawn("cut")).at(-1), "A picture suggests; a cut tests.");
  for (const sent of SENT) {
    const said = caption(at("models", sent));
    assert.ok(said.endsWith(`looks at the noun, yet B writes “${sent.told.target[10]}”, too.`));
  }
  for (const scene of SCENES) {
    assert.doesNotMatch(caption(at(scene)), /undefined|\{/);
    if (!OPEN.includes(scene))
      assert.match(caption(at(scene, TIRED, { veiled: true })), /^Click .* Enter shows the answer/);
  }
});

test("keys go on, go back and choose the word", () => {
  const asked = [];
  const act = { next: () => asked.push("next"), ask: ({ type }) => asked.push(type) };
  keysOf(at("arc"), "ArrowLeft", act);
  assert.equal(keysOf(at("box"), "ArrowLeft", act), null);
  assert.deepEqual(keysOf(at("box"), "PageDown", act), {});
  assert.equal(keysOf(at("cut"), "ArrowRight", act), null);
  assert.equal(keysOf(at("arc", TIRED, { last: 3 }), "ArrowRight", act), null, "it ends there");
  assert.deepEqual(asked, ["back", "next"]);
  assert.equal(keysOf(at("box"), " ", act), null, "who presses Space wants to go on");
  assert.equal(keysOf(at("box", WIDE), "t", act).word, "tired");
  for (const sent of SENT)
    assert.deepEqual(keysOf(at("arc", sent, { guess: 5 }), "w", act), { word: "wide", guess: -1 });
  const guessed = (scene, key, guess) =>
    keysOf(at(scene, TIRED, { veiled: true, guess }), key, act);
  assert.deepEqual(guessed("arc", "ArrowDown", -1), { guess: 0 });
  assert.deepEqual(guessed("asks", "ArrowDown", 1), { guess: 1 }, "there are two");
  assert.deepEqual(guessed("asks", "ArrowUp", 1), { guess: 0 });
});

test("an address names a scene and a word", () => {
  assert.deepEqual(placeIn("#8wide"), { scene: 8, word: "wide" });
  assert.deepEqual(placeIn("#4"), { scene: 4, word: "tired" });
  for (const other of ["", "#", "#wide", "#softmax", "#8narrow"])
    assert.equal(placeIn(other), null, other);
});
