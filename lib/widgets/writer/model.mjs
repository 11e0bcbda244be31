// A GPT as lib.modules.LanguageModel, for pages without Python: one word at a time, with what the
// words before it have left in a key-value cache.
import { softmax } from "../frame/matrices.mjs";

const BASE = 10_000; // of the sinusoidal positions

const dot = (one, other) => one.reduce((sum, x, i) => sum + x * other[i], 0);
const plus = (one, other) => one.map((x, i) => x + other[i]);
const mean = (x) => x.reduce((sum, each) => sum + each, 0) / x.length;

/** {name: rows of a matrix, or a vector} of all numbers; shapes: [name, rows, columns]. */
function tensors(numbers, shapes) {
  let next = 0;
  function taken(count) {
    next += count;
    return numbers.subarray(next - count, next);
  }
  const read = ([name, rows, columns]) => [
    name,
    columns ? Array.from({ length: rows }, () => taken(columns)) : taken(rows),
  ];
  return Object.fromEntries(shapes.map(read));
}

/** The sinusoidal position, in the digits of float32 as the model has it. */
function position(place, width) {
  return Array.from({ length: width }, (_, i) => {
    const angle = place * BASE ** (-(i - (i % 2)) / width);
    return Math.fround(i % 2 === 0 ? Math.sin(angle) : Math.cos(angle));
  });
}

/** ids => the scores of the word after them. */
export function languageModel(view, { shapes, layers, heads, scale, epsilon }) {
  const parts = tensors(new Float32Array(view.buffer), shapes);
  const all = { known: [], past: [], scores: [] };

  function linear(name, x) {
    const bias = parts[`${name}.bias`];
    return parts[`${name}.weight`].map((row, i) => bias[i] + dot(x, row));
  }

  function normed(name, x) {
    const [middle, bias] = [mean(x), parts[`${name}.bias`]];
    const spread = Math.sqrt(mean(x.map((each) => (each - middle) ** 2)) + epsilon);
    return x.map((each, i) => ((each - middle) / spread) * parts[`${name}.weight`][i] + bias[i]);
  }

  /** The newest word attends to all before it and to itself. */
  function attended(name, x, cache) {
    const query = linear(`${name}.query`, x);
    cache.push({ key: linear(`${name}.key`, x), value: linear(`${name}.value`, x) });
    const size = x.length / heads;
    const ofHead = (vector, head) => vector.slice(head * size, (head + 1) * size);
    const found = Array.from({ length: heads }, (_, head) => {
      const asks = ofHead(query, head);
      const scores = cache.map(({ key }) => dot(asks, ofHead(key, head)) / Math.sqrt(size));
      const values = cache.map(({ value }) => ofHead(value, head));
      const weights = softmax(
        scores,
        scores.map(() => true),
      );
      return asks.map((_, i) => weights.reduce((sum, weight, j) => sum + weight * values[j][i], 0));
    });
    return linear(`${name}.output`, found.flat());
  }

  function read(id) {
    const place = all.known.push(id) - 1;
    const vector = Array.from(parts["tokens.tokens.weight"][id], (each) => each * scale);
    let x = plus(vector, position(place, vector.length));
    for (let i = 0; i < layers; i++) {
      const layer = `decoder.layers.${i}`;
      all.past[i] ??= [];
      const cache = all.past[i];
      x = plus(x, attended(`${layer}.attention`, normed(`${layer}.norm_1`, x), cache));
      const inner = linear(`${layer}.feed_forward.inner`, normed(`${layer}.norm_2`, x));
      x = plus(
        x,
        linear(
          `${layer}.feed_forward.outer`,
          inner.map((each) => Math.max(0, each)),
        ),
      );
    }
    all.scores.push(linear("output", normed("decoder.norm", x)));
  }

  return (ids) => {
    const isOther = (id, i) => all.known[i] !== id;
    const other = ids.findIndex(isOther);
    const same = other < 0 ? ids.length : other;
    for (const list of [all.known, all.scores, ...all.past])
      list.length = Math.min(same, list.length);
    ids.slice(same).forEach(read);
    return all.scores[ids.length - 1];
  };
}
