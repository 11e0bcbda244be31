// The site: rows are uncovered in any order, so what Enter does is computed here.
import { isWorst } from "./break_it.mjs";

/** The row that has least left. */
const worst = (rows) => rows.findIndex((row) => isWorst(row, rows));

/** What Enter does next: its label, and what it changes of the drawing. */
function coming(get, labels) {
  const [rows, shown, chosen] = ["rows", "shown", "chosen"].map((name) => get(`d0.${name}`));
  if (!shown[chosen]) return [labels.uncover, { "d0.shown": shown.with(chosen, true) }];
  const covered = [...shown.keys()].filter((i) => !shown[i]);
  if (covered.length === 0 && get("d0.by_damage")) return ["", {}];
  const most = worst(rows);
  const others = covered.filter((i) => i !== most);
  if (others.length > 0 && shown.filter(Boolean).length <= labels.bets)
    return [labels.next, { "d0.chosen": others.find((i) => i > chosen) ?? others[0] }];
  const sorted = { "d0.by_damage": true, "d0.chosen": most };
  const told = shown[most] ? { "d0.shown": shown.map(() => true) } : { "d0.veiled": true };
  return [labels.worst, { ...sorted, ...told }];
}

/** What is recorded of Enter, at the start, is replaced; after the last step it is Reset. */
function enter(get, _about, { given }) {
  return { "d0.shown": get("d0.shown"), ...coming(get, given)[1] };
}

export const events = { "d0.presses": enter };

/** Without its veil the last question uncovers all. */
export function heard(_part, names, { get, models }) {
  const isAll = names.includes("veiled") && !get("d0.veiled") && get("d0.by_damage");
  if (isAll) models.d0.receive({ shown: get("d0.shown").map(() => true) });
}

export function outputs(get, labels) {
  const rows = get("d0.rows");
  const here = rows[get("d0.chosen")];
  const isMost = get("d0.by_damage") && isWorst(here, rows);
  const [question, where] = isMost ? [labels.most, labels.where] : [here.asks, here.where];
  return { "d0.enter": coming(get, labels)[0], "h.question": question, "h.where": where };
}
