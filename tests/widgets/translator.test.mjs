import assert from "node:assert/strict";
import test from "node:test";
import { arrange, ending, fit, heights, tell } from "../../lib/widgets/translator.mjs";

const wide = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1 : 0.6), 0);
const english = "the animal didn't cross the street because it was too tired".split(" ");
const french = "l' animal n' a pas traversé la rue parce qu' il était trop fatigué <end>".split(
  " ",
);
const chinese = "动物 没有 穿过 街道 ， 因为 动物 太 累 了 <end>".split(" ");
const oneLine = { size: 14, levels: 1, letters: 99 };
const words = (count, letters) => Array.from({ length: count }, () => "w".repeat(letters));

test("the sentence of the course stands on one line, large", () => {
  const { size, lines } = fit(english, [french], wide);
  assert.ok(size >= 14 && lines.every(({ levels }) => levels === 1));
  assert.deepEqual(
    lines.map(({ shown }) => shown),
    [english, french],
  );
  assert.ok(fit(english, [chinese], wide).size > size);
});

test("no two words overlap, and none leaves the drawing", () => {
  for (const source of [["a"], english, words(16, 6), words(18, 3), words(18, 22)])
    for (const target of [["a"], french, chinese, words(24, 7), words(24, 30)]) {
      const { size, lines } = fit(source, [target, target], wide);
      assert.ok(size >= 13.5, "13.5 units are 24 pixels in a hall");
      for (const { shown, halves, levels, centres } of lines) {
        assert.ok(
          centres[0] - halves[0] >= 6.9 && shown.every((_, i) => centres[i] + halves[i] <= 613.1),
        );
        for (let i = levels; i < shown.length; i++)
          assert.ok(centres[i] - halves[i] > centres[i - levels] + halves[i - levels] + 4);
      }
      const [{ centres }] = lines;
      for (let i = 1; i < centres.length; i++)
        assert.ok(centres[i] - centres[i - 1] >= 32, "digits have room");
    }
});

test("an elision stays close to its word", () => {
  const { centres, halves } = arrange(["l'", "animal", "a"], oneLine, 0, wide);
  const gap = (i) => centres[i] - halves[i] - centres[i - 1] - halves[i - 1];
  assert.ok(gap(1) < gap(2));
  assert.equal(arrange(words(20, 20), oneLine, 0, wide), null);
});

test("lines stand one below the other, with room for threads", () => {
  for (const levels of [1, 2])
    for (const [size, models] of [
      [13.5, 1],
      [19, 1],
      [13.5, 2],
      [19, 2],
    ]) {
      if (levels === 2 && size > 14) continue;
      const { tops, models: stand } = heights(size, Array(models + 1).fill({ levels }));
      const high = size * (1.3 + 1.15 * (levels - 1));
      const above = stand[0];
      const below = stand.at(-1);
      assert.ok(tops[0] + high <= below.digits - 9 && below.end + 11 <= tops.at(-1));
      assert.ok(tops.at(-1) + high <= below.text - 10);
      if (models === 2)
        assert.ok(
          above.text < tops[1] && tops[1] + high + 11 <= above.end && above.digits <= tops[0],
        );
      else assert.ok(above.arcs - above.room > 2);
    }
});

test("of a text that is too long the end is kept", () => {
  assert.equal(ending("French: ", "Il dort.", 20, wide), "French: Il dort.");
  const told = ending("French: ", "L'animal n'a pas traversé la rue.", 12, wide);
  assert.ok(/^French: …\S.*la rue\.$/.test(told) && wide(told) <= 12);
  assert.equal(ending("French: ", "Il dort.", 1, wide), "French: …");
});

test("what is pointed at is told with its digits", () => {
  const panel = {
    name: "French",
    target: ["il", "<end>"],
    probabilities: [0.9, 0.8],
    cross: [
      [0.25, 0.625, 0.125, 0],
      [0, 0, 0, 0],
    ],
    encoder: [[1, 0, 0, 0]],
  };
  const picture = {
    source: ["it", "was", "too", "tired"],
    panels: [panel],
    looks: { cross: "cross-attention, layer 1", encoder: "encoder" },
  };
  const looked =
    "looked at “was”\u00a00.625, “it”\u00a00.250, “too”\u00a00.125 · cross-attention, layer 1";
  assert.equal(tell(picture, 0, 0), `The row that wrote “il” (probability 0.90) ${looked}`);
  assert.equal(
    tell(picture, 0, 1),
    "The row that wrote “<end>” (probability 0.80) looked at nothing · cross-attention, layer 1",
  );
  assert.equal(tell(picture, -1, 0), "“it” looks at “it”\u00a01.000 · encoder");
  const two = { ...picture, panels: [panel, { ...panel, name: "cut" }] };
  assert.equal(tell(two, 1, 0), `cut: the row that wrote “il” (probability 0.90) ${looked}`);
  assert.equal(
    tell(two, -1, 0),
    "“it” looks at “it”\u00a01.000 (French); “it”\u00a01.000 (cut) · encoder",
  );
});
