// What lies over a demo in full screen: a black screen, or the overview of all demos.
import { html, keyOf } from "./frame.mjs";

const AS_DEMO = "demo demo-cover"; // it has the demos' colours, and is not one

export function isCovered() {
  return document.querySelector("dialog.demo-cover") !== null;
}

/**
 * Cover the screen until close() is called or full screen ends. No key reaches what lies below:
 * act(key) gets them all.
 */
export function coverScreen(name, act) {
  // In the page's body, since a demo in full screen enlarges what it contains.
  const cover = html(document.body, "dialog", { class: `${AS_DEMO} ${name}`, tabindex: -1 });
  const life = new AbortController();
  const { signal } = life;

  function close() {
    life.abort();
    cover.close(); // the focus goes back to where it was
    cover.remove();
  }
  function press(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    act(keyOf(event), event);
  }
  cover.dataset.lmSuppressShortcuts = "true";
  document.addEventListener("keydown", press, { signal, capture: true });
  document.addEventListener("fullscreenchange", close, { signal });
  cover.addEventListener("cancel", close, { signal });
  cover.showModal();
  return { cover, close };
}

/** Black, until one of the keys that a clicker's button sends, Escape or a click. */
export function blackOut() {
  const { cover, close } = coverScreen("demo-blank", (key) => {
    if (["b", ".", "Escape"].includes(key)) close();
  });
  cover.setAttribute("aria-label", "The screen is black: b shows it again.");
  cover.addEventListener("click", close);
}
