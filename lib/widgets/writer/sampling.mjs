// lib.sampling, for pages without Python.

const ALMOST = 1e-6; // half and half reach 0.5, however rounded

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

/** Where each of the numbers ends when they are laid end to end. */
function ends(numbers) {
  let reached = 0;
  return numbers.map((x) => {
    reached += x;
    return reached;
  });
}

/** The places of the scores, the highest first; of equal ones the earlier. */
export function ranked(scores) {
  return scores.map((_, i) => i).sort((i, j) => scores[j] - scores[i] || i - j);
}

/** Probabilities of the next word, those of the words left out 0. */
export function filtered(scores, temperature = 1, topK = scores.length, topP = 1) {
  const largest = Math.max(...scores);
  const raised = scores.map((score) => Math.exp((score - largest) / temperature));
  const total = sum(raised);
  const shares = raised.map((x) => x / total);
  let kept = ranked(scores).slice(0, topK);
  const left = kept.map((i) => shares[i]);
  if (topP < 1) {
    const all = sum(left);
    kept = kept.slice(0, 1 + ends(left).filter((end) => end / all < topP - ALMOST).length);
  }
  const stays = sum(kept.map((i) => shares[i]));
  const among = new Set(kept);
  return shares.map((share, i) => (among.has(i) ? share / stays : 0));
}

/** The place at which a random number from 0 to 1 falls, when these lie end to end. */
export function drawn(probabilities, random) {
  const reached = ends(probabilities);
  const place = random * reached.at(-1);
  return reached.filter((end) => end <= place).length;
}
