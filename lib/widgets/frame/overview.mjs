// The overview: the demos of the lesson by their titles; of the one that is looked at its first
// question and its drawing, as at the start and veiled: no answer of a rehearsal is in it.
import { coverScreen } from "./cover.mjs";
import { typeset } from "./formula.mjs";
import { clamp, html } from "./frame.mjs";
import { demoOf } from "./full_screen.mjs";
import { demosOf, openDemo, openedLast, pageOf, placeOf } from "./lesson_order.mjs";
import { drawFirst } from "./picture.mjs";

/** The first words of a title: of "Softmax: scores become shares" it is "Softmax". */
export function shortTitle(title) {
  return title.split(/:|, and /)[0];
}

/** Where a key leads from a place in the list, or null. */
export function placeAfter(key, here, count) {
  const steps = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -1,
    PageDown: 1,
    Home: -count,
    End: count,
  };
  return key in steps ? clamp(here + steps[key], 0, count - 1) : null;
}

const DIGITS = 9; // of so many demos each is opened by its digit

const titleOf = (demo) => shortTitle(demo.querySelector(".demo-title").textContent);
const questionOf = (demo) => demo.querySelector(".demo-question").dataset.first;

function addTile(list, demo, number) {
  const tile = html(list, "button", { class: "demo-tile", type: "button" });
  const digit = number > DIGITS ? "" : `${number}`;
  html(tile, "span", { class: "demo-tile-number" }, digit);
  html(tile, "span", { class: "demo-tile-title" }, titleOf(demo));
  tile.setAttribute("aria-label", `${number}. ${titleOf(demo)}. ${questionOf(demo)}`);
  return tile;
}

/** The question and the drawing of a demo, as large as there is room. */
function showCard(card, demo) {
  const question = html(card, "div", { class: "demo-card-question" });
  typeset(question, questionOf(demo));
  const room = html(card, "div", { class: "demo-card-drawing" });
  card.replaceChildren(question, room);
  drawFirst(demo, room);
}

/** Show the overview over the demo that is in full screen. */
export function showOverview(el) {
  const page = pageOf(el);
  const demos = demosOf(page);
  const here = placeOf(demos, demoOf(el), openedLast(page));
  const { cover, close } = coverScreen("demo-overview", press);
  cover.setAttribute("aria-label", `All demos: arrow keys and Enter, or a digit up to ${DIGITS}.`);
  const list = html(cover, "div", { class: "demo-tiles" });
  const card = html(cover, "div", { class: "demo-card", "aria-hidden": "true" });
  let shown = -1;
  const tiles = demos.map((demo, i) => addTile(list, demo, i + 1));
  tiles.forEach((tile, i) => {
    tile.addEventListener("focus", () => look(i));
    tile.addEventListener("pointermove", () => tile.focus());
    tile.addEventListener("click", () => choose(i));
  });
  card.addEventListener("click", () => choose(shown));
  tiles[here]?.setAttribute("aria-current", "true");
  tiles[Math.max(here, 0)].focus();

  function look(place) {
    if (place !== shown) showCard(card, demos[place]);
    shown = place;
  }
  function choose(place) {
    close();
    openDemo(el, place);
  }
  function press(key) {
    const next = placeAfter(key, shown, tiles.length);
    if (next !== null) tiles[next].focus();
    else if (key === "Escape" || key === "o") close();
    else if (key === "Enter" || key === " ") choose(shown);
    else if (key >= 1 && key <= DIGITS && tiles[key - 1]) choose(key - 1);
  }
}
