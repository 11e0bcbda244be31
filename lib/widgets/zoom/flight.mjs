// How one flies besides keys: by a wheel in full screen, by a finger's stroke, and to the scene in
// the address of a page of its own (zoom.html#8wide: scene 8, counted from 0, with that word).
import { place } from "../frame/frame.mjs";
import { ADJECTIVES, FLIGHT } from "./world.mjs";

const STROKE = 150; // of the room's 1216
// For those who do not see it.
const SWITCH = "The last word is a switch: t and w change it. Up and down guess.";
const ADDRESS = new RegExp(`^#(\\d+)(${ADJECTIVES.join("|")})?$`);

/** {scene, word} of an address's end, or null. */
export function placeIn(hash) {
  const found = ADDRESS.exec(hash);
  return found && { scene: Number(found[1]), word: found[2] ?? ADJECTIVES[0] };
}

const addressOf = ({ done, word }) => `#${done}${word}`;

/** One scene back, or on as Enter does; null where there is none. */
export function step({ done, last }, isBack, act) {
  if (isBack) return done > 0 ? act.ask({ type: "back" }) : null;
  if (done >= last) return null;
  act.next();
  return {};
}

/** One step of a wheel that still rolls on is one scene. */
function listenToWheel(stage) {
  const { svg } = stage;
  let before = Number.NEGATIVE_INFINITY;
  const roll = (event) => {
    if (!svg.closest(".demo:is(:fullscreen, :popover-open)")) return; // else the page scrolls
    event.preventDefault();
    if (event.deltaY === 0 || event.timeStamp - before < FLIGHT) return;
    before = event.timeStamp;
    step(stage.merged(), event.deltaY < 0, stage.act);
  };
  svg.addEventListener("wheel", roll);
}

/** To the left is on, as pages are turned. */
function listenToFinger(stage) {
  const { svg } = stage;
  let from = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") [from] = place(svg, event);
  });
  svg.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const stroke = place(svg, event)[0] - from;
    from = null;
    if (Math.abs(stroke) > STROKE) step(stage.merged(), stroke > 0, stage.act);
  });
  svg.addEventListener("pointercancel", () => {
    from = null;
  });
}

/** To the scene of the address, all answers before it shown; from then on the address follows. */
function followAddress(stage, model) {
  const wanted = placeIn(location.hash);
  if (wanted) {
    for (let left = 2 * wanted.scene; left > 0 && stage.merged().done < wanted.scene; left--)
      stage.next();
    stage.act.change({ word: wanted.word });
  }
  const follow = () => history.replaceState(null, "", addressOf(stage.merged()));
  model.on("change:done change:word", follow);
}

export function staged(stage, model) {
  stage.svg.setAttribute("aria-description", SWITCH);
  listenToWheel(stage);
  listenToFinger(stage);
  // Only on a page of its own, without Jupyter: there the address is the notebook's.
  model.on("msg:custom", ({ type }) => {
    if (type === "alone" && window.parent === window) followAddress(stage, model);
  });
}
