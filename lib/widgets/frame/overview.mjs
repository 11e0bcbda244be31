// The overview: small copies of all demos of the lesson, to choose one.
import { coverScreen } from "./cover.mjs";
import { clamp, html } from "./frame.mjs";
import { demoOf } from "./full_screen.mjs";
import { demosOf, openDemo, openedLast, pageOf, placeOf } from "./lesson_order.mjs";

const COPY_WIDTH = 640; // pixels; a copy is laid out this wide and then made small
const WIDER_THAN_HIGH = 1.6; // columns squared for each demo

export function columnsFor(count) {
  return Math.ceil(Math.sqrt(WIDER_THAN_HIGH * count));
}

/** The first words of a title: of "Softmax: scores become shares" it is "Softmax". */
export function shortTitle(title) {
  return title.split(/:|, and /)[0];
}

/** Where a key leads from a place, or null; digits count from 1. */
export function placeAfter(key, here, count, columns) {
  const steps = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -1,
    PageDown: 1,
    Home: -count,
    End: count,
  };
  return key in steps ? clamp(here + steps[key], 0, count - 1) : null;
}

/** A copied canvas is empty: paint what the first one shows. */
function copyPixels(drawings, copies) {
  const originals = drawings.querySelectorAll("canvas");
  copies.querySelectorAll("canvas").forEach((copy, i) => {
    if (originals[i].width && originals[i].height)
      copy.getContext("2d").drawImage(originals[i], 0, 0);
  });
}

/** The drawings of a demo as they are now, in the room that the frame has. */
function copyDrawings(frame, demo) {
  const drawings = demo.querySelector(".demo-drawings");
  const copy = demo.cloneNode(false); // its classes, which the style sheets ask for
  copy.classList.add("demo-copy");
  copy.inert = true;
  copy.append(drawings.cloneNode(true));
  copyPixels(drawings, copy.firstChild);
  frame.append(copy);
  const scale = Math.min(frame.clientWidth / COPY_WIDTH, frame.clientHeight / copy.offsetHeight);
  const left = (frame.clientWidth - scale * COPY_WIDTH) / 2;
  const top = (frame.clientHeight - scale * copy.offsetHeight) / 2;
  copy.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
}

function addTile(grid, demo, number) {
  const tile = html(grid, "button", { class: "demo-tile" });
  const frame = html(tile, "span", { class: "demo-small" });
  const line = html(tile, "span", { class: "demo-tile-title" });
  html(line, "span", {}, `${number}`);
  line.append(shortTitle(demo.querySelector(".demo-title").textContent));
  return { tile, frame };
}

/** Show the overview over the demo that is in full screen. */
export function showOverview(el) {
  const page = pageOf(el);
  const demos = demosOf(page);
  const columns = columnsFor(demos.length);
  const here = placeOf(demos, demoOf(el), openedLast(page));
  const { cover, close } = coverScreen("demo-overview", press);
  cover.setAttribute("aria-label", "All demos: arrow keys and Enter, or a digit.");
  cover.style.setProperty("--columns", columns);
  cover.style.setProperty("--rows", Math.ceil(demos.length / columns));
  const tiles = demos.map((demo, i) => addTile(cover, demo, i + 1));
  tiles.forEach(({ tile, frame }, i) => {
    tile.addEventListener("click", () => choose(i));
    copyDrawings(frame, demos[i]);
  });
  tiles[here]?.tile.setAttribute("aria-current", "true");
  tiles[Math.max(here, 0)].tile.focus();

  function choose(place) {
    close();
    openDemo(el, place);
  }
  function press(key) {
    const focused = tiles.findIndex(({ tile }) => tile === document.activeElement);
    const next = placeAfter(key, focused, tiles.length, columns);
    if (next !== null) tiles[next].tile.focus();
    else if (key === "Escape" || key === "o") close();
    else if (key === "Enter" || key === " ") choose(focused);
    else if (key >= "1" && key <= "9" && tiles[key - 1]) choose(key - 1);
  }
}
