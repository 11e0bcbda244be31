// The site: the trained model writes in the page itself, whatever the prompt. All that Writer does
// in Python (writer.py) is done here; its words and its random numbers come from there.
import { languageModel } from "./model.mjs";
import { drawn, filtered, ranked } from "./sampling.mjs";

const PROMPT = "c0.value";
const SETTINGS = ["c1.index", "c2.index", "c3.index"]; // temperature, top-k, top-p
const ASKED = {
  "c4.click": "end",
  "c5.click": "back",
  "c6.click": "again",
  "d0.write": "write",
  "d0.back": "back",
};
const WORD = /[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}_]+)*/gu;
const APOSTROPHES = /[’‘ʼ´`]/g;

export const tokenise = (text) => text.toLowerCase().replace(APOSTROPHES, "'").match(WORD) ?? [];

/** A sentence with its {places} filled. */
const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** End what was asked for: the frame says why. */
function refuse(sentence, values) {
  throw new RangeError(fill(sentence, values));
}

/** A probability in two digits, and never 0 or 1 for what is not. */
function digits(share) {
  const rounded = share.toFixed(2);
  if (rounded === "0.00") return share > 0 ? "<.01" : "0";
  return rounded === "1.00" && share < 1 - 1e-9 ? ">.99" : rounded;
}

/** The pieces of the strip: the words in this order, those with a segment of their own alone. */
function parts(order, shares, rank, { words, most, readable, sayings }) {
  const kept = shares.filter((share) => share > 0).length;
  const named = Math.min(most.words, kept);
  const own = [Math.max(rank, named), Math.max(rank + 1, named)];
  const edges = [...Array(named + 1).keys(), ...own, kept];
  const cuts = [...new Set(edges)].sort((i, j) => i - j);
  return cuts.slice(1).map((last, i) => {
    const from = cuts[i];
    const isWord = from < named || from === rank;
    const now = order.slice(from, last).reduce((sum, word) => sum + shares[word], 0);
    return {
      word: isWord ? words[order[from]] : fill(sayings.others, { count: last - from }),
      now,
      digits: now >= readable ? digits(now) : "",
      isWord,
      last,
    };
  });
}

/** Writer without Python: what has been written, and what the page asks for. */
class Writing {
  constructor(get, given) {
    Object.assign(this, { get, given, changes: {} });
    this.model = languageModel(given.numbers, given);
    this.randoms = new Float64Array(given.randoms.buffer);
    this.controls = Object.fromEntries([PROMPT, ...SETTINGS].map((path) => [path, get(path)]));
    const prompt = tokenise(get(PROMPT));
    const settings = SETTINGS.map(get);
    this.start = { prompt, written: [], opened: true, seed: given.seed, settings };
    this.now = this.start;
    this.grammar = new RegExp(`^(?:${given.grammar})$`, "u");
    this.hottest = given.settings[0].length - 1;
  }

  at(path) {
    return this.changes[path] ?? this.get(path);
  }

  /** Where the sliders stand. */
  places() {
    return SETTINGS.map((path) => this.at(path));
  }

  scores(tokens) {
    const { words, most, special, sayings } = this.given;
    const unknown = tokens.filter((token) => !words.includes(token));
    const names = [...new Set(unknown)].slice(0, most.named).map((name) => `'${name}'`);
    if (unknown.length > 0) refuse(sayings.unknown, { names: names.join(", ") });
    return this.model([special.start, ...tokens.map((token) => words.indexOf(token))]);
  }

  /** Why nothing more is written, or "". */
  stopped(written) {
    const { words, special, limit, sayings } = this.given;
    if (written.at(-1)?.word === words[special.end]) return sayings.ended;
    return written.length >= limit ? sayings.limited : "";
  }

  /** The random number of the word at this place. */
  thrown(place) {
    const { seed, limit, sayings } = this.given;
    return this.randoms[(this.now.seed - seed) * limit + place] ?? refuse(sayings.noMore);
  }

  /** What the next word is drawn from, and the word itself unless that is still open. */
  step(prompt, written, isOpen = false) {
    const { words, settings, sayings } = this.given;
    const scores = this.scores([...prompt, ...written.map(({ word }) => word)]);
    const places = this.places();
    const shares = filtered(scores, ...settings.map((choices, i) => choices[places[i]]));
    const order = ranked(scores);
    const random = isOpen ? null : this.thrown(written.length);
    const laid = order.map((word) => shares[word]);
    const rank = random === null ? 0 : drawn(laid, random);
    const cut = parts(order, shares, rank, this.given);
    const told = {
      word: words[order[rank]],
      share: digits(shares[order[rank]]),
      left: shares.filter((each) => each > 0).length,
      all: order.length,
      u: random === null ? "" : digits(random),
    };
    const usual = isOpen ? sayings.open : sayings.draw;
    const said = told.left < told.all ? `${usual} ${sayings.left}` : usual;
    return {
      word: isOpen ? "" : told.word,
      chosen: isOpen ? -1 : cut.findIndex(({ last }) => last > rank),
      fell: random,
      fell_digits: told.u,
      parts: cut,
      says: fill(said, told),
    };
  }

  isHot() {
    return this.at(SETTINGS[0]) === this.hottest;
  }

  /** Whether the whole text is a sentence of the course's grammar: "yes" or "no". */
  fits(prompt, written) {
    const words = [...prompt, ...written.map(({ word }) => word)];
    const isEnded = words.pop() === this.given.words[this.given.special.end];
    return isEnded && this.grammar.test(words.join(" ")) ? "yes" : "no";
  }

  longer(prompt, written, count) {
    const all = [...written];
    for (let i = 0; i < count && !this.stopped(all); i++) all.push(this.step(prompt, all));
    return all;
  }

  show(prompt, written, wantsOpened) {
    const stopped = this.stopped(written);
    const opened = !stopped && (wantsOpened || written.length === 0);
    const steps = opened ? [...written, this.step(prompt, written, true)] : written;
    const count = written.filter(({ chosen }) => chosen === 0).length;
    const { sayings } = this.given;
    const came = fill(sayings.came, { count, all: written.length });
    const fits = stopped && this.isHot() ? this.fits(prompt, written) : "";
    const whole = stopped ? `${sayings[fits] ?? stopped} ${fill(sayings.whole, { came })}` : "";
    const temperature = `${this.given.settings[0][this.at(SETTINGS[0])]}`;
    const settings = this.places();
    this.now = { ...this.now, prompt, written, opened, fits, temperature, settings };
    this.changes["d0.picture"] = { prompt, steps, stopped, fits, temperature, came, whole };
  }

  /** The newest word, or all of a finished text: the same darts, the settings of now. */
  drawnAgain(prompt, written) {
    if (this.stopped(written)) return this.longer(prompt, [], this.given.limit);
    return this.longer(prompt, written.slice(0, -1), 1);
  }

  update() {
    const prompt = tokenise(this.at(PROMPT));
    let { written, opened } = this.now;
    if (prompt.join(" ") !== this.now.prompt.join(" ")) [written, opened] = [[], true];
    const isOther = this.places().some((place, i) => place !== this.now.settings[i]);
    if (!opened && isOther) written = this.drawnAgain(prompt, written);
    this.show(prompt, written, opened);
  }

  /** [what Enter is called, what it does] */
  coming() {
    const { labels, cool } = this.given;
    const { written, opened } = this.now;
    if (this.stopped(written)) return this.isHot() ? labels.hot : labels.stopped;
    if (opened) return labels.opened;
    return labels[this.at(SETTINGS[0]) === cool ? "cool" : "drawn"];
  }

  /** The same darts at this place of the slider, and a question before it is shown. */
  askAt(place, question) {
    this.changes[SETTINGS[0]] = place;
    this.update();
    Object.assign(this.changes, { "h.question": question, "d0.veiled": true });
  }

  /** What is asked of a word, or of a whole text. */
  asked() {
    const { likeliest, hot, first } = this.given.sayings;
    if (!this.stopped(this.now.written)) return first;
    return this.now.fits ? hot : fill(likeliest, this.now);
  }

  /** What a button, a key or Enter asks for. */
  take(kind) {
    this.changes["d0.veiled"] = false;
    const { prompt, opened } = this.now;
    if (tokenise(this.at(PROMPT)).join(" ") !== prompt.join(" ")) {
      this.changes["h.message"] = this.get("h.message"); // what was typed is refused
      return;
    }
    const { limit, cool, sayings } = this.given;
    if (kind === "cool" || kind === "hot") {
      if (kind === "cool") this.show(prompt, this.now.written.slice(0, 1), false);
      this.askAt(kind === "hot" ? this.hottest : cool, sayings[kind]);
      return;
    }
    let { written } = this.now;
    const isAsked = kind === "again" && this.stopped(written); // the same of another text
    let count = { write: Number(opened), end: limit, whole: limit }[kind] ?? 0;
    if (kind === "back") written = written.slice(0, -1);
    if (count === limit) written = [];
    if (kind === "again") {
      count = this.stopped(written) ? limit : Math.max(1, written.length);
      written = [];
      this.now = { ...this.now, seed: this.now.seed + 1 };
    }
    this.show(prompt, this.longer(prompt, written, count), count === 0);
    this.changes["d0.veiled"] = kind === "whole";
    if (!isAsked) this.changes["h.question"] = this.asked();
  }

  reset() {
    this.now = this.start;
    Object.assign(this.changes, this.controls);
    this.show(this.start.prompt, [], true);
  }

  press() {
    this.changes["d0.done"] = this.get("d0.done") + 1;
    this.take(this.coming()[1]);
  }

  act(event) {
    const [path, value] = event.split(/=(.*)/s);
    if (event === "h.reset") this.reset();
    else if (event === "d0.presses") this.press();
    else if (value === undefined) this.take(ASKED[event]);
    else {
      this.changes[path] = JSON.parse(value);
      try {
        this.update();
      } finally {
        this.changes["h.question"] = this.asked();
      }
    }
  }

  /** What an event changes: {path: value}. */
  answer(event) {
    this.changes = { "h.message": "" };
    try {
      this.act(event);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.changes["h.message"] = error.message;
    }
    this.changes["d0.enter"] = this.coming()[0];
    return this.changes;
  }
}

export function program(get, given) {
  const writing = new Writing(get, given);
  return (event) => writing.answer(event);
}
