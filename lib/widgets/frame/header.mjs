// Where in the Transformer, title, question, Reset and Full screen: the same for every demo.
import { countDemos, listenToClicker } from "./clicker.mjs";
import { typeset } from "./formula.mjs";
import { html, shape } from "./frame.mjs";
import { demoOf, fillPhone, followScreen, toggleFullScreen } from "./full_screen.mjs";
import { watchKernel } from "./kernel_gone.mjs";
import { askForLetters, useLetters } from "./letters.mjs";
import { listenToPicture, picture } from "./picture.mjs";
import { keepShortcutsAway, listenToKeys } from "./shortcuts.mjs";
import { drawWhere } from "./minimap.mjs";

const ICONS = {
  reset: "M4,4V10H10M4.5,10A8.5,8.5 0 1 1 4,14",
  picture: "M4,7H8L10,4H14L16,7H20V19H4ZM12,9.5A3.5,3.5 0 1 0 12,16.5A3.5,3.5 0 1 0 12,9.5",
  "full-screen": "M4,9V4H9M15,4H20V9M20,15V20H15M9,20H4V15",
};

/** A button with an icon; its name is a text that only screen readers see. */
function tool(parent, kind, name, title) {
  const button = html(parent, "button", { class: `demo-${kind}`, type: "button", title });
  const icon = shape(button, "svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  shape(icon, "path", { d: ICONS[kind] });
  html(button, "span", { class: "demo-unseen" }, name);
  return button;
}

/** Where a page of the course is, seen from here, or "" where that is not known. */
export function addressOf(page, path) {
  if (path.endsWith(".ipynb")) return `${page}.ipynb`; // JupyterLab and Notebook 7
  return /\/live\/\w+\.html$/.test(path) ? `../${page}.html` : "";
}

/** The link to the page that explains what is shown. */
function tellPage(link, page) {
  const path = decodeURIComponent(location.pathname);
  link.hidden = page === "" || path.endsWith(`/${page}.ipynb`); // one is there
  if (link.hidden) return;
  const number = Number.parseInt(page, 10);
  link.textContent = `see page ${number}`;
  link.title = `This is explained on page ${number}.`;
  const address = addressOf(page, path);
  if (address) link.href = address;
  link.target = address.endsWith(".html") ? "_top" : "_blank"; // a notebook that runs stays open
}

function build(model, el) {
  const top = html(el, "div", { class: "demo-top" });
  const where = model.get("where");
  const showWhere = where.length > 0 ? drawWhere(top, model.get("encoder_layers")) : () => {};
  html(top, "strong", { class: "demo-title" }, model.get("title"));
  const end = html(top, "span", { class: "demo-end", role: "status" });
  const question = html(top, "div", { class: "demo-question", "aria-live": "polite" });
  const tools = html(top, "div", { class: "demo-tools" });
  const page = html(tools, "a", { class: "demo-page" });
  const count = html(tools, "span", { class: "demo-count" });
  const reset = tool(tools, "reset", "Reset", "back to the start");
  const picture = tool(tools, "picture", "Picture", "take a picture of this");
  const full = tool(
    tools,
    "full-screen",
    "Full screen",
    "full screen (key: f; there Page Down: next demo)",
  );
  const message = html(el, "div", { class: "demo-message", role: "alert" });
  const notice = html(el, "div", { class: "demo-message demo-notice", role: "alert" });
  return { showWhere, question, end, page, count, reset, picture, full, message, notice };
}

/** Call act(demo) as soon as there is one: JupyterLab attaches the element after render. */
function whenAttached(el, signal, act) {
  if (signal.aborted) return;
  const demo = demoOf(el);
  if (demo) act(demo);
  else requestAnimationFrame(() => whenAttached(el, signal, act));
}

function render({ model, el, signal }) {
  const parts = build(model, el);
  const { question, message, notice } = parts;
  const ask = watchKernel(model, notice, signal);
  let asked = ""; // in place of the story's question
  function say() {
    const asks = asked || model.get("question");
    message.textContent = model.get("message");
    tellPage(parts.page, model.get("page"));
    parts.showWhere(model.get("where"));
    typeset(question, asks);
    question.dataset.sentence = asks; // for the picture, which sets it anew
    demoOf(el)?.setAttribute("aria-label", `${model.get("title")}. ${asks}`);
  }
  function head({ detail }) {
    if (detail === asked) return;
    asked = detail;
    say();
  }
  const reset = () => model.send({ type: "reset" });
  parts.reset.addEventListener("click", reset);
  parts.full.addEventListener("click", () => toggleFullScreen(el));
  askForLetters(model);
  listenToPicture(el, parts.picture, notice, signal);
  listenToClicker(el, parts.end, signal);
  countDemos(el, parts.count, signal);
  followScreen(el, parts.full, signal);
  question.dataset.first = model.get("question"); // for the overview
  model.on("change:message change:question change:page change:where", say);
  document.fonts.addEventListener("loadingdone", say, { signal });
  whenAttached(el, signal, (demo) => {
    demo.setAttribute("role", "group");
    say();
    const noteMove = () => demo.toggleAttribute("data-moved", model.get("moved"));
    model.on("change:moved", noteMove);
    noteMove();
    demo.addEventListener("demo-asks", head, { signal });
    demo.addEventListener("demo-reset", reset, { signal }); // a lesson that starts anew
    keepShortcutsAway(demo, signal);
    for (const use of ["pointerup", "keydown"])
      demo.addEventListener(use, ask, { signal, capture: true });
    listenToKeys(el, demo, signal);
  });
}

export default { render, picture, useLetters, fillPhone };
