// A question with its choices as buttons; after the first choice, what the experiment showed, and
// in the text below the cell why.
import { fillIn, html, keys, openBelow, saveChanges } from "../frame/frame.mjs";
import { askForLetters } from "../frame/letters.mjs";

const NOT_YET = -1;
const SAID = {
  right: "You said “{guess}”, and so it came out.",
  wrong: "You said “{guess}”. It came out: “{right}”.",
};
// In place of a choice's digit, after the choice: nobody needs to see a colour.
const MARKS = { right: "✓", wrong: "✗" };

/** The sentence above the result. */
export function verdict({ choices, guess, right }) {
  const sentence = guess === right ? SAID.right : SAID.wrong;
  return fillIn(sentence, { guess: choices[guess], right: choices[right] });
}

/** The number of the choice that a key means, or NOT_YET; "1" is the first. */
export function choiceOf(key, count) {
  const number = /^[1-9]$/.test(key) ? Number(key) - 1 : NOT_YET;
  return number < count ? number : NOT_YET;
}

/** What choice number i has become: "right", "wrong", "other", or "" while nothing is said. */
export function partOf(i, { guess, right }) {
  if (guess === NOT_YET) return "";
  if (i === right) return "right";
  return i === guess ? "wrong" : "other";
}

function read(model) {
  const names = ["question", "choices", "right", "guess", "printed", "picture", "width", "alt"];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}

/** A button with its digit. A pressed one stays in the order of the Tab key. */
function buildChoice(row, i, choice) {
  const button = html(row, "button", { type: "button", "data-lm-suppress-shortcuts": "true" });
  const digit = html(button, "kbd", { "aria-hidden": "true" }, String(i + 1));
  html(button, "span", {}, choice);
  return { button, digit };
}

/** The question and a button for each choice; below them, empty, the verdict and the result. */
function build(el, state) {
  const panel = html(el, "div", { class: "predict", role: "group", "aria-label": state.question });
  html(panel, "div", { class: "predict-question" }, state.question);
  const row = html(panel, "div", { class: "predict-choices" });
  const choices = state.choices.map((choice, i) => buildChoice(row, i, choice));
  const said = html(panel, "div", { class: "predict-said", role: "status" });
  const result = html(panel, "div", { class: "predict-result" });
  return { panel, choices, said, result };
}

function showResult(result, { printed, picture, width, alt }) {
  if (printed) html(result, "pre", {}, printed);
  if (picture) html(result, "img", { src: picture, width, alt });
}

/** What came out, below the buttons; nothing before the choice. */
function show({ choices, said, result }, state) {
  result.replaceChildren();
  if (state.guess === NOT_YET) return;
  for (const [i, { button, digit }] of choices.entries()) {
    const part = partOf(i, state);
    button.classList.add(`predict-${part}`);
    button.setAttribute("aria-disabled", "true"); // not disabled: that would lose the focus
    button.setAttribute("aria-pressed", String(i === state.guess));
    if (part in MARKS) digit.textContent = MARKS[part];
  }
  said.textContent = verdict(state);
  showResult(result, state);
}

/**
 * Shift+Enter in a panel goes to the next cell: running this one again would ask afresh. Jupyter
 * makes the cell that is pressed with the mouse the active one.
 */
function leave(panel) {
  const next = panel.closest(".jp-Cell")?.nextElementSibling;
  document.activeElement.blur();
  next?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
}

function render({ model, el }) {
  const parts = build(el, read(model));
  function choose(guess) {
    if (guess === NOT_YET || model.get("guess") !== NOT_YET) return;
    saveChanges(model, { guess });
  }
  for (const [i, { button }] of parts.choices.entries())
    button.addEventListener("click", () => choose(i));
  keys(parts.panel, (key, { shiftKey }) => {
    if (key === "Enter" && shiftKey) leave(parts.panel);
    const guess = choiceOf(key, parts.choices.length);
    choose(guess);
    return guess !== NOT_YET || (key === "Enter" && shiftKey);
  });
  askForLetters(model);
  const follow = () => show(parts, read(model));
  model.on("change:guess", () => {
    follow();
    openBelow(parts.panel);
  });
  follow();
}

export default { render };
