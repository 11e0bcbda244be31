// The site: a training that was recorded is played back, report by report.

const PAUSE = 160; // milliseconds from report to report
const READ = 9; // so many pauses more for a sentence that is new
const RECORDED = "recorded"; // stands where the time left would
const STOPPED = "Stopped. Press train to begin again.";
const AT_REST = { "d0.left": "", "d0.running": false, "d0.can_train": true };

/** Nothing is trained yet. */
function untrained(get, { before }) {
  const nothing = get("d0.ys").map(() => []);
  return { ...before, "d0.x": [], "d0.texts": [], "d0.ys": nothing, "d0.enter": null };
}

/**
 * The curves with one report more, and its map, if there is one; who points elsewhere than at
 * pointed, {path: value}, goes on pointing there.
 */
function after(get, { step, writes, numbers, map }, pointed) {
  const isElsewhere = Object.keys(pointed).some((path) => get(path) !== pointed[path]);
  const seen = Object.entries(map).filter(([path]) => !(isElsewhere && path in pointed));
  for (const [path, value] of seen) if (path in pointed) pointed[path] = value;
  return {
    ...Object.fromEntries(seen),
    "d0.x": [...get("d0.x"), step],
    "d0.texts": [...get("d0.texts"), writes],
    "d0.ys": get("d0.ys").map((curve, i) => [...curve, numbers[i]]),
  };
}

function train(get, _, player) {
  const { reports } = player.given;
  player.receive(untrained(get, player.given));
  const pointed = Object.fromEntries(player.given.pointed.map((path) => [path, get(path)]));
  const frames = reports.flatMap((report, i) => {
    const isNew = report.writes && report.writes !== reports[i - 1]?.writes;
    return [() => after(get, report, pointed), ...Array(isNew ? READ : 0).fill(() => ({}))];
  });
  player.play([...frames, () => ({ ...AT_REST, "d0.enter": "" })], PAUSE);
  return { "h.message": "", "d0.left": RECORDED, "d0.running": true, "d0.can_train": false };
}

function stop(_get, _, player) {
  player.halt();
  return { ...AT_REST, "h.message": STOPPED };
}

function reset(get, _, player) {
  player.halt();
  return { ...AT_REST, ...untrained(get, player.given) };
}

export const events = { "d0.train": train, "d0.stop": stop, "h.reset": reset };
