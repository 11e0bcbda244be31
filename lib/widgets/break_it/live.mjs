// The site: rows are uncovered in any order, so what Enter does is computed here.

/** The row that is uncovered next: the chosen one, or the first below it, or of all; or -1. */
export function coming(shown, chosen) {
  const below = shown.findIndex((isShown, i) => !isShown && i >= chosen);
  return below < 0 ? shown.indexOf(false) : below;
}

function uncover(get) {
  const shown = get("d0.shown");
  const row = coming(shown, get("d0.chosen"));
  return row < 0 ? {} : { "d0.shown": shown.with(row, true), "d0.chosen": row };
}

/** After the last row Enter starts over, as Reset does, whose changes are recorded. */
export const events = { "d0.presses": uncover };

export function outputs(get) {
  const isDone = coming(get("d0.shown"), get("d0.chosen")) < 0;
  return { "d0.enter": isDone ? "" : "Uncover" };
}
