// From "it" to "il": ten scenes over the same vectors and words. Each scene is a layout; what
// has the same id flies from one to the next (world.mjs).
import { clamp, digits, fillIn } from "../frame/frame.mjs";
import { drawn, filled, halo } from "../frame/looks.mjs";
import { demo } from "../frame/stage.mjs";
import { box } from "./box.mjs";
import { asks } from "./decoder.mjs";
import { alone, arcs, heads, pour } from "./encoder.mjs";
import { staged, step } from "./flight.mjs";
import { cut, models } from "./models.mjs";
import { stacks } from "./stacks.mjs";
import {
  ADJECTIVES,
  CHOICES,
  choose,
  EVENT,
  HEAD,
  highest,
  inFrench,
  NONE,
  SCENES,
  sceneOf,
  SLOT,
} from "./world.mjs";

const HEIGHT = 540; // as in full screen at 1280 x 720
const LAYOUTS = {
  ...{ box, stacks, heads, arc: arcs, pour, alone },
  ...{ changed: stacks, asks, models, cut },
};
const SHOWS = "Enter shows the answer.";
const A_WORD = `Click a word: where will “it” look? ${SHOWS}`;
const VEILED = {
  changed: `Click “il” or “elle”. ${SHOWS}`,
  asks: `Click the upper or the lower bar: which will change? ${SHOWS}`,
  models: `Click “yes” or “no”. ${SHOWS}`,
  cut: `Click the model whose word will change. ${SHOWS}`,
};
const SENTENCES = {
  box: "Here “it” becomes “{pronoun}” ({who}), not “{otherPronoun}” ({notWho}).",
  stacks: "The blue line is the path of “it”. Each tile is a word's {count} numbers.",
  heads: "Only head {fourth} has a clear favourite: “it” now carries some of “{first}”.",
  arc: "“It”, which now carries “{first}”, looks at “{noun}”: {weight}.",
  pour: "A value is what a word hands over; “it” keeps what it was.",
  alone: "A read-out that also learned what each word means says “{meaning}”.",
  changed: "“it” now stands for “{gloss}”, {gender}; the model writes “{pronoun}”.",
  asks: "Without “it” the model writes “il” in both. Only “elle” needed “it”.",
  models: "In layer 2 no head of model B looks at the noun, yet B writes “{pronoun}”, too.",
  cut: "Uncut, both get all {sentences} such sentences right; a guess gets half.",
};

/** What is told of both sentences: the same objects each time, or the stage would draw anew. */
export function read(model) {
  const [word, tellings] = [model.get("word"), model.get("tellings")];
  const told = tellings[word];
  return { told, changes: told.changes, was: tellings[ADJECTIVES.find((other) => other !== word)] };
}

export function layout(state, room, act) {
  return LAYOUTS[sceneOf(state)](state, room, act);
}

export function caption({ done, told, was, veiled }) {
  if (veiled) return VEILED[SCENES[done]] ?? A_WORD;
  const isHe = told.target[SLOT] === "il";
  const [who, notWho] = isHe ? ["he", "she"] : ["she", "he"];
  const first = highest(told.layer1[HEAD]);
  return fillIn(SENTENCES[SCENES[done]], {
    ...{ who, notWho },
    pronoun: told.target[SLOT],
    otherPronoun: was.target[SLOT],
    noun: told.source[told.noun],
    first: told.source[first],
    fourth: HEAD + 1,
    count: told.value.length,
    weight: digits(told.layer2[told.noun]),
    gloss: told.gloss,
    meaning: inFrench(told),
    gender: told.genders[told.gloss],
    sentences: told.models[0].sentences,
  });
}

const BACK = ["ArrowLeft", "ArrowUp", "Backspace", "PageUp"];
const SWITCHES = ADJECTIVES.map(([letter]) => letter);
const FORWARD = ["ArrowRight", "ArrowDown", "PageDown"];
const UP_AND_DOWN = { ArrowUp: -1, ArrowDown: 1 };

/** Back to the scene before, or on as Enter does; up and down guess; a letter chooses a word. */
export function keysOf(state, key, act) {
  if (state.veiled && key in UP_AND_DOWN) {
    const most = (CHOICES[sceneOf(state)] ?? 2) - 1;
    return { guess: clamp(state.guess + UP_AND_DOWN[key], 0, most) };
  }
  if (SWITCHES.includes(key)) return choose(state, key);
  const isBack = BACK.includes(key);
  return isBack || FORWARD.includes(key) ? step(state, isBack, act) : null;
}

export default demo({
  name: "zoom",
  height: HEIGHT,
  looks: {
    lit: drawn("lit", 6),
    "lit-edge": { fill: "none", stroke: "#000", "stroke-width": 10 }, // yellow is pale on white
    "wall-shut": { fill: "#000", stroke: "var(--ink)", "stroke-width": 3 },
    "text.of-wall": { fill: "#fff" },
    "text.of-layer": { ...halo(26), stroke: "var(--surface)" },
    lever: { ...filled("paper"), stroke: "var(--ink)", "stroke-width": 2 },
    "up-and-down": drawn("ink", 3),
    "own-thread": drawn("query", 6),
    way: drawn("line", 2),
    own: drawn("ink", 3),
    edge: drawn("line", 1),
    "own-edge": drawn("ink", 2),
    "value-edge": drawn("value", 3),
    layer: { ...filled("surface"), stroke: "var(--ghost)", "stroke-width": 1.5 },
    network: { ...filled("query"), stroke: "var(--query)", "stroke-width": 2 },
    "text.on-weight": filled("weight-digit"),
    "text.on-ink": filled("paper"),
  },
  traits: ["done", "word", "last"],
  own: { guess: NONE },
  forget: { done: ["guess"] },
  read,
  layout,
  caption,
  wait: () => EVENT,
  keys: (state, key, _event, act) => keysOf(state, key, act),
  staged,
});
