// How wide letters are, as the browser measures them: in the sans of a demo or slanted, as names of
// numbers are.

const ruler = globalThis.document?.createElement("canvas").getContext("2d");
const AVERAGE = 0.56; // of a letter's size: the width of a letter where there is no browser

let known = null;
function families() {
  if (known === null) {
    const demo = document.querySelector(".demo");
    if (!demo) return { sans: "sans-serif", mathematics: "serif" };
    const style = getComputedStyle(demo);
    known = { sans: style.fontFamily, mathematics: style.getPropertyValue("--mathematics") };
  }
  return known;
}

/** How wide a text without symbols is; slanted: in the letters of mathematics. */
export function widthOfLetters(text, size, weight, slanted = false) {
  if (!ruler) return text.length * size * AVERAGE;
  const { sans, mathematics } = families();
  ruler.font = slanted
    ? `italic ${weight} ${size}px ${mathematics}`
    : `${weight} ${size}px ${sans}`;
  return ruler.measureText(text).width;
}
