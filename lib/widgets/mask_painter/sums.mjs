// The sum behind a weight, written out.
import { digits, fillIn } from "../frame/frame.mjs";
import { softmax } from "../frame/matrices.mjs";

const SPELLED = {
  blocked: "blocked, exactly 0",
  exact: "{quotient} = {share}",
  rounded: "{quotient} \u2248 {share}",
  cut: "{share} \u00d7 0 = 0: blocked",
  renormalised: "{share} \u00f7 row sum {sum} \u2248 {weight}",
};

/** A quotient of a softmax: "e^1.5 / (e^1.5 + e^0.2)". */
function spellQuotient(score, seen) {
  const powers = seen.map((other) => `e^${digits(other, 1)}`);
  const sum = powers.length > 1 ? `(${powers.join(" + ")})` : powers[0];
  return `e^${digits(score, 1)} / ${sum}`;
}

/** How one weight of a row comes about; allowed says which keys the query may attend to. */
export function spell(scores, allowed, j, after = false, renormalise = false) {
  if (!after && !allowed[j]) return SPELLED.blocked;
  const seen = scores.filter((_, i) => after || allowed[i]);
  const shares = softmax(scores, after ? scores.map(() => true) : allowed);
  const share = digits(shares[j]);
  const quotient = spellQuotient(scores[j], seen);
  if (!after && seen.length === 1) return fillIn(SPELLED.exact, { quotient, share });
  if (after && !allowed[j]) return fillIn(SPELLED.cut, { share });
  if (!after || !renormalise) return fillIn(SPELLED.rounded, { quotient, share });
  const sum = shares.reduce((left, each, i) => left + (allowed[i] ? each : 0), 0);
  return fillIn(SPELLED.renormalised, {
    share,
    sum: digits(sum),
    weight: digits(shares[j] / sum),
  });
}
