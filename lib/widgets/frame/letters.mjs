// The typeface of the demos: the first header on a page hands it to the browser, the others find it
// there. The picture of a demo carries it along: an SVG that is drawn as an image sees no other.

const HOLDER = "IPY_MODEL_"; // what stands before the id of a widget
const SANS = { family: "Course Sans", weight: "400 700", style: "normal" };
const MATHEMATICS = { family: "Course Mathematics", weight: "400", style: "italic" };
const FACES = {
  sans: SANS,
  mathematics: MATHEMATICS,
  "mathematics-bold": { ...MATHEMATICS, weight: "600" },
};

/** The faces of this page, {name: bytes}; null until the first header asks for them. */
const shelf = () => globalThis.courseLetters ?? null;

/** Hand the faces {name: bytes} to the browser, once for each page. */
export async function useLetters(faces) {
  if (shelf()) return;
  globalThis.courseLetters = faces;
  const made = Object.entries(faces).map(
    ([name, bytes]) => new FontFace(FACES[name].family, bytes, FACES[name]),
  );
  for (const face of made) document.fonts.add(face); // before it is loaded: then all hear of it
  await Promise.all(made.map((face) => face.load()));
}

/** Fetch the letters from the widget that has them; without it the system's letters stay. */
export async function askForLetters(model) {
  const name = model.get("_letters");
  if (shelf() || typeof name !== "string") return;
  const holder = await model.widget_manager?.get_model(name.slice(HOLDER.length));
  if (holder) await useLetters(holder.get("faces"));
}

function base64(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
}

/** The rules that carry the faces of the families named in a text. */
export function carried(text) {
  const rules = [];
  for (const [name, bytes] of Object.entries(shelf() ?? {})) {
    const { family, weight, style } = FACES[name];
    if (!text.includes(family)) continue;
    const source = `url(data:font/woff2;base64,${base64(bytes)}) format("woff2")`;
    const face = `font-family:"${family}";font-weight:${weight};font-style:${style};src:${source}`;
    rules.push(`@font-face{${face}}`);
  }
  return rules.join("");
}
