// The site: rows are uncovered in any order, so what Enter does is computed here.

/** The row that is asked for next: the chosen one, or the first below it, or of all; or -1. */
export function coming(shown, chosen) {
  const below = shown.findIndex((isShown, i) => !isShown && i >= chosen);
  return below < 0 ? shown.indexOf(false) : below;
}

/** The row that has least left. */
const worst = (rows) => rows.findIndex(({ share }) => rows.every((other) => share <= other.share));

function uncover(get) {
  const shown = get("d0.shown");
  const row = coming(shown, get("d0.chosen"));
  const isChosen = row === get("d0.chosen");
  if (row >= 0) return { "d0.shown": isChosen ? shown.with(row, true) : shown, "d0.chosen": row };
  return get("d0.by_damage") ? {} : { "d0.by_damage": true, "d0.chosen": worst(get("d0.rows")) };
}

/** After the last step Enter starts over, as Reset does, whose changes are recorded. */
export const events = { "d0.presses": uncover };

export function outputs(get, labels) {
  const row = coming(get("d0.shown"), get("d0.chosen"));
  if (row >= 0) return { "d0.enter": row === get("d0.chosen") ? labels.uncover : labels.next };
  return { "d0.enter": get("d0.by_damage") ? "" : labels.sort };
}
