// The site: the maps of all layers are there; one is shown, and what all of them give one key.

const BYTES = 4; // of a weight

/** What each head of each layer gives to a key; first: the place of the first among the weights. */
function column(weights, count, first, size) {
  const found = new DataView(new ArrayBuffer(count * BYTES));
  for (let i = 0; i < count; i++)
    found.setFloat32(i * BYTES, weights.getFloat32((first + i * size) * BYTES, true), true);
  return found;
}

/** heads: of each layer; weights: of all layers, one after the other, or nothing of one alone. */
export function outputs(get, { heads, weights }) {
  if (!heads) return {};
  const [, T, S] = get("d0.shape");
  const query = Math.min(get("d0.query"), T - 1);
  const key = Math.min(get("d0.key"), S - 1);
  const layer = get("d1.layer");
  const sum = (counts) => counts.reduce((total, count) => total + count, 0);
  const [start, size] = [sum(heads.slice(0, layer)), T * S];
  return {
    "d0.weights": new DataView(weights.buffer, start * size * BYTES, heads[layer] * size * BYTES),
    "d1.weights": column(weights, sum(heads), query * S + key, size),
    "d1.asks": get("d0.query_tokens")[query],
    "d1.asked": get("d0.key_tokens")[key],
  };
}

/** One head is marked in both drawings; of one alone the other takes its place. */
export function heard(part, names, player) {
  const { get, given } = player;
  if (!given.heads) return;
  if (part === "d1" && names.includes("layer")) player.fire(`c0.index=${get("d1.layer")}`);
  if (!names.includes("head")) return;
  const head = get(`${part}.head`);
  const isAlone = get("d0.solo") >= 0;
  player.receive({ "d0.head": head, "d1.head": head, ...(isAlone && { "d0.solo": head }) });
}

const show = (_get, _about, player) => player.fire("d0.veiled=false") ?? {};

export const events = { "d1.hidden=false": show };
