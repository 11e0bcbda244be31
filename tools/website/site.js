// The search, and small helps. Without this script every page can be read all the same.

const MOST = 12; // results that are shown
const FORGIVEN = 5; // letters of a word in which one may be wrong
const AROUND = 70; // letters of a text before and after the word that was found
const READ_FROM = 160; // pixels below the window's top: a heading above this line is being read

// -- searching ------------------------------------------------------------------------------------

const escaped = (letter) => letter.replace(/[.*+?^${}()|[\]\\]/, "\\$&");

/** The letters of a word, and the same with one letter left out, too many or another. */
function spellingsOf(word, forgives) {
  const letters = [...word].map(escaped);
  const asWritten = letters.join("");
  if (!forgives || letters.length < FORGIVEN) return asWritten;
  const changed = (between) =>
    letters.map((letter, i) => {
      const [before, after] = [letters.slice(0, i).join(""), letters.slice(i + 1).join("")];
      return before + between(letter) + after;
    });
  const others = [...changed((letter) => `\\p{L}${letter}`), ...changed(() => "\\p{L}?")];
  return `(?:${[asWritten, ...others].join("|")})`;
}

/** One pattern for each word of a query: it begins a word of the text. Chinese has no spaces. */
function patternsOf(query, forgives = false) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const before = /^\p{Script=Han}/u.test(word) ? "" : "(?<![\\p{L}\\p{N}])";
    return new RegExp(before + spellingsOf(word, forgives), "giu");
  });
}

/** How well a section answers: 0 if one of the words is not in it. */
function scoreOf(patterns, title, heading, text) {
  let score = 0;
  for (const pattern of patterns) {
    const inTitle = title.search(pattern) >= 0;
    const inHeading = heading.search(pattern) >= 0;
    const count = [...text.matchAll(pattern)].length;
    if (!inTitle && !inHeading && count === 0) return 0;
    score += Math.min(count, 5) + (inHeading ? 10 : 0) + (inTitle ? 4 : 0);
  }
  return score;
}

/** The best sections for the patterns of a query: {address, title, heading, text, score}. */
function sectionsFor(patterns, index) {
  if (patterns.length === 0) return [];
  const found = [];
  for (const [page, title, sections] of index) {
    for (const [number, [anchor, heading, text]] of sections.entries()) {
      // A heading with all the words comes first; of several, one that is the top of its page.
      const inTitle = number === 0 && scoreOf(patterns, title, "", "") > 0;
      const inHeading = scoreOf(patterns, "", heading, "") > 0;
      const words = scoreOf(patterns, number === 0 ? title : "", heading, text);
      const score = words && words + (inHeading ? 1000 : 0) + (inTitle ? 20 : 0);
      const address = `${page}#${encodeURIComponent(anchor)}`;
      if (score > 0) found.push({ address, title, heading, text, score });
    }
  }
  return found.sort((one, other) => other.score - one.score);
}

/** The words around the first place that was found: whole words, with dots where they go on. */
function cutOut(text, patterns) {
  const places = patterns.map((pattern) => text.search(pattern)).filter((place) => place >= 0);
  const first = places.length ? Math.min(...places) : 0;
  const start = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
  const end = start + 3 * AROUND;
  if (end >= text.length) return (start ? "… " : "") + text.slice(start);
  return `${start ? "… " : ""}${text.slice(start, text.lastIndexOf(" ", end))} …`;
}

/** A text as nodes, in which what was found is marked. */
function marked(text, patterns) {
  const nodes = [];
  let done = 0;
  const places = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  for (const found of places.sort((one, other) => one.index - other.index)) {
    if (found.index < done) continue;
    const mark = document.createElement("mark");
    mark.textContent = found[0];
    nodes.push(text.slice(done, found.index), mark);
    done = found.index + found[0].length;
  }
  return [...nodes, text.slice(done)];
}

/** The index is loaded when somebody searches, as a script: a page from a disk may not fetch. */
function loadIndex() {
  window.courseIndexComes ??= new Promise((done) => {
    const script = document.createElement("script");
    script.src = "search-index.js";
    script.addEventListener("load", () => done(window.courseIndex));
    document.head.append(script);
  });
  return window.courseIndexComes;
}

// -- the box --------------------------------------------------------------------------------------

function resultItem(section, patterns) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = section.address;
  const heading = document.createElement("b");
  heading.textContent = section.heading;
  const page = document.createElement("span");
  page.textContent = section.title;
  const words = document.createElement("small");
  words.append(...marked(cutOut(section.text, patterns), patterns));
  link.append(heading, " ", page, words);
  item.append(link);
  return item;
}

function sentenceOf(count, words, forgives) {
  const advice = words > 1 ? "one word, or the start of one" : "the start of the word";
  if (count === 0) return `Nothing found. Try ${advice}.`;
  if (forgives) return "Nothing is spelled like this; with one letter changed:";
  if (count === 1) return "1 place";
  return count > MOST ? `The best ${MOST} of ${count} places` : `${count} places`;
}

async function show(form) {
  const query = form.querySelector("input").value;
  const box = form.querySelector(".found");
  const index = await loadIndex();
  if (query !== form.querySelector("input").value) return; // a later letter is being answered
  let patterns = patternsOf(query);
  let sections = sectionsFor(patterns, index);
  const forgives = sections.length === 0;
  if (forgives) {
    patterns = patternsOf(query, true);
    sections = sectionsFor(patterns, index);
  }
  const items = sections.slice(0, MOST).map((one) => resultItem(one, patterns));
  box.querySelector("ol").replaceChildren(...items);
  box.querySelector("p").textContent = sentenceOf(sections.length, patterns.length, forgives);
  box.hidden = query.trim() === "";
}

/** Down and up go through the results and back to the box. */
function move(form, event) {
  const box = form.querySelector(".found");
  const input = form.querySelector("input");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || box.hidden) return;
  const stops = [input, ...box.querySelectorAll("a")];
  const next = stops.indexOf(document.activeElement) + step;
  stops[Math.max(0, Math.min(next, stops.length - 1))].focus();
  event.preventDefault();
}

function listenToSearch() {
  const form = document.querySelector(".search");
  const input = form.querySelector("input");
  const box = form.querySelector(".found");
  form.hidden = false;
  input.addEventListener("focus", loadIndex, { once: true });
  input.addEventListener("input", () => show(form));
  form.addEventListener("keydown", (event) => move(form, event));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await show(form);
    box.querySelector("a")?.click();
  });
  box.addEventListener("click", () => {
    box.hidden = true; // a result on this page leads nowhere else
  });
  const closeOutside = (place) => {
    if (place && !form.contains(place)) box.hidden = true;
  };
  document.addEventListener("click", (event) => closeOutside(event.target));
  form.addEventListener("focusout", (event) => closeOutside(event.relatedTarget));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || box.hidden) return;
    box.hidden = true;
    input.focus();
  });
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input, textarea");
    if (event.key !== "/" || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

// -- the page -------------------------------------------------------------------------------------

/** What is in a box that scrolls. */
function nameOf(box) {
  if (box.querySelector("table")) return "Table";
  if (box.querySelector("math")) return "Formula";
  return box.querySelector("code, .highlight") ? "Code" : "Output";
}

/** What is wider than its box can be scrolled with the keyboard, and says what it is. */
function watchBoxes() {
  const watcher = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const wider = target.scrollWidth > target.clientWidth;
      if (target.querySelector("a")) continue; // the link in it can be reached
      if (wider) {
        target.tabIndex = 0;
        target.setAttribute("role", "group");
        target.setAttribute("aria-label", nameOf(target));
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
      }
    }
  });
  for (const box of document.querySelectorAll(".scrolls")) watcher.observe(box);
}

/** The menu marks the section that is being read. */
function followReading() {
  const links = new Map();
  for (const link of document.querySelectorAll(".sections a")) {
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  }
  const headings = [...document.querySelectorAll("main h2")].filter((one) => links.has(one.id));
  const mark = () => {
    const past = headings.filter((one) => one.getBoundingClientRect().top < READ_FROM);
    const now = past.at(-1);
    for (const [id, link] of links) {
      if (id === now?.id) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  document.addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/** The menu shows the page that is open, however far down its list. */
function showCurrentPage() {
  const menu = document.querySelector("#menu");
  const current = menu.querySelector('[aria-current="page"]');
  const below = current.offsetTop - menu.clientHeight / 3;
  if (below > 0) menu.scrollTop = below;
}

function closeMenuWhenUsed() {
  const menu = document.querySelector("#menu");
  menu.addEventListener("click", (event) => {
    if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
  });
}

/** On paper nothing can be unfolded: it is open while the page is printed. */
function openOnPaper() {
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
  });
}

/**
 * Demos come alive as they come near, in a frame in the place of their picture; on a phone, which
 * has no room for them there, the picture opens them, as large as the phone.
 */
function bringToLife() {
  const wake = (place) => {
    const frame = document.createElement("iframe");
    const picture = place.querySelector("img");
    Object.assign(frame, { src: place.dataset.live, title: picture.alt, allow: "fullscreen" });
    frame.className = "coming";
    window.addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || !(data.height > 0)) return;
      frame.style.height = `${data.height}px`;
      place.classList.add("lives");
    });
    place.prepend(frame);
  };
  const near = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        wake(target);
      }
    },
    { rootMargin: "600px" },
  );
  if (!matchMedia("(min-width: 48rem) and (min-height: 30rem)").matches) return;
  for (const place of document.querySelectorAll("[data-live]")) near.observe(place);
}

/** demos.html#plan=90 minutes: a lesson from an address. */
function openLesson() {
  const isPlan = location.hash.startsWith("#plan=");
  if (isPlan && location.pathname.endsWith("/demos.html"))
    location.replace(`live/lesson.html${location.hash}`);
}

openLesson();
openOnPaper();
bringToLife();
listenToSearch();
watchBoxes();
followReading();
showCurrentPage();
closeMenuWhenUsed();
