// A question with its choices as buttons; after the first choice, what the experiment showed.
import { fillIn, html, keys, saveChanges } from "./frame/frame.mjs";

const NOT_YET = -1;
const SAID = {
  right: "You said “{guess}”, and so it came out.",
  wrong: "You said “{guess}”. It came out: “{right}”.",
};
const PICTURE = "What the experiment showed.";

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

function read(model) {
  const names = ["question", "choices", "right", "guess", "printed", "picture", "width"];
  return Object.fromEntries(names.map((name) => [name, model.get(name)]));
}

/** The question and a button for each choice. */
function build(el, state, choose) {
  const panel = html(el, "section", { class: "predict", "aria-label": state.question });
  html(panel, "div", { class: "predict-question" }, state.question);
  const row = html(panel, "div", { class: "predict-choices" });
  const buttons = state.choices.map((choice, i) => {
    const button = html(row, "button", { "data-lm-suppress-shortcuts": "true" });
    html(button, "kbd", { "aria-hidden": "true" }, String(i + 1));
    html(button, "span", {}, choice);
    button.addEventListener("click", () => choose(i));
    return button;
  });
  const result = html(panel, "div", { class: "predict-result", role: "status" });
  return { panel, buttons, result };
}

/** What came out, below the buttons; nothing before the choice. */
function show({ buttons, result }, state) {
  const { guess, right, printed, picture, width } = state;
  result.replaceChildren();
  if (guess === NOT_YET) return;
  for (const [i, button] of buttons.entries()) {
    button.disabled = true;
    button.classList.toggle("predict-right", i === right);
    button.setAttribute("aria-pressed", String(i === guess));
  }
  html(result, "div", { class: "predict-said" }, verdict(state));
  if (printed) html(result, "pre", {}, printed);
  if (picture) html(result, "img", { src: picture, width, alt: PICTURE });
}

function render({ model, el }) {
  function choose(guess) {
    if (guess === NOT_YET || model.get("guess") !== NOT_YET) return;
    saveChanges(model, { guess });
  }
  const parts = build(el, read(model), choose);
  keys(parts.panel, (key) => {
    const guess = choiceOf(key, parts.buttons.length);
    choose(guess);
    return guess !== NOT_YET;
  });
  const follow = () => show(parts, read(model));
  model.on("change:guess", follow);
  follow();
}

export default { render };
