// The site: 14 maps of 196 x 196 weights are computed from the picture, and not recorded.
import { softmax } from "../frame/matrices.mjs";

const SIDE = 14; // patches in a row and in a column
const COUNT = SIDE * SIDE;
const COLOURS = 3;
const BRIGHTEST = 255;
const LEAST = 1e-6; // a shorter vector is divided by this

/** The pixels of each patch as a vector: COUNT arrays. */
function patches(pixels, [height, width]) {
  const [down, across] = [height / SIDE, width / SIDE];
  return Array.from({ length: COUNT }, (_, i) => {
    const [top, left] = [Math.floor(i / SIDE) * down, (i % SIDE) * across];
    const vector = [];
    for (let y = top; y < top + down; y++)
      for (let x = left * COLOURS; x < (left + across) * COLOURS; x++)
        vector.push(pixels.getUint8(y * width * COLOURS + x) / BRIGHTEST);
    return vector;
  });
}

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const dot = (one, other) => one.reduce((sum, x, i) => sum + x * other[i], 0);

/** Each place of the vectors with mean 0 and spread 1 over all of them. */
function standardised(vectors) {
  const places = vectors[0].map((_, place) => vectors.map((vector) => vector[place]));
  const means = places.map(mean);
  const spreads = places.map((column, place) =>
    Math.sqrt(mean(column.map((x) => (x - means[place]) ** 2))),
  );
  return vectors.map((vector) => vector.map((x, i) => (x - means[i]) / (spreads[i] || 1)));
}

/** All as long as they are in the mean. */
function equallyLong(vectors) {
  const lengths = vectors.map((vector) => Math.sqrt(dot(vector, vector)));
  const usual = mean(lengths);
  return vectors.map((vector, i) => vector.map((x) => (x / Math.max(lengths[i], LEAST)) * usual));
}

export function outputs(get, { sharpness }) {
  const tokens = standardised(patches(get("d0.pixels"), get("d0.size")));
  const made = get("c1.value") ? equallyLong(tokens) : tokens;
  const scale = sharpness[get("c0.index")] / Math.sqrt(made[0].length);
  const weights = new Float32Array(COUNT * COUNT);
  const all = made.map(() => true);
  for (const [i, query] of made.entries()) {
    const scores = made.map((key) => scale * dot(query, key));
    weights.set(softmax(scores, all), i * COUNT);
  }
  return { "d0.weights": new DataView(weights.buffer) };
}
