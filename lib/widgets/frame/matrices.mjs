// What lib.attention computes, for demos that live without Python: matrices are lists of rows.

export function product(left, right) {
  const term = (row, j) => row.reduce((sum, x, k) => sum + x * right[k][j], 0);
  return left.map((row) => right[0].map((_, j) => term(row, j)));
}

export const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

/** The weights of a row of scores; blocked keys get 0, and a row that may see nothing is all 0. */
export function softmax(scores, allowed) {
  const seen = scores.filter((_, j) => allowed[j]);
  const largest = Math.max(...seen);
  const total = seen.reduce((sum, score) => sum + Math.exp(score - largest), 0);
  return scores.map((score, j) => (allowed[j] ? Math.exp(score - largest) / total : 0));
}
