// States of maps for the tests.

/** The state of maps with so many heads over these tokens, every row with equal weights. */
export function stateOf(heads, tokens, more = {}) {
  const count = tokens.length;
  return {
    shape: [heads, count, count],
    weights: new Float32Array(heads * count * count).fill(1 / count),
    unit: 1,
    version: 1,
    mask: new Uint8Array(),
    top: 1,
    limit: 1,
    exact: {},
    names: Array.from({ length: heads }, (_, head) => `head ${head + 1}`),
    query_tokens: tokens,
    key_tokens: tokens,
    head: 0,
    query: 0,
    key: 0,
    pinned: false,
    has_digits: true,
    than: [],
    solo: -1,
    veiled: false,
    before: null,
    ...more,
  };
}
