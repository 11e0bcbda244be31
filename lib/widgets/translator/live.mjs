// The site: of each recorded sentence all layers and heads are there; one of them is shown.

/** What a layer and head, [layer, head], have; the mean of its heads stands last. */
function chosen(layers, [layer, head]) {
  const heads = layers[Math.min(layer, layers.length - 1)];
  return heads.at(head) ?? heads.at(-1);
}

const ofTenThousandths = (rows) => rows.map((row) => row.map((part) => part / 10_000));

export function outputs(get, { asked, answers, weights, heads, words }) {
  const answer = answers[asked.map(get).join("|")];
  const looks = Object.entries(get("d0.looks"));
  const ofParts = (make) =>
    Object.fromEntries(looks.map(([part, look]) => [part, make(part, look)]));
  const shown = (written) => ({
    ...written,
    ...ofParts((part, look) => ofTenThousandths(chosen(weights[written[part]], look))),
  });
  const panels = answer.panels.map((panel) => ({
    ...shown(panel),
    ...(panel.plain && { plain: shown(panel.plain) }),
  }));
  const named = ofParts((part, look) => chosen(words[part], look));
  return { "d0.picture": { ...answer, heads, looks: named, panels } };
}
