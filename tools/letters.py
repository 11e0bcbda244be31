"""Make the typeface of the course from the complete fonts: lib/letters/.

    npm install inter-ui@4.1.1 @expo-google-fonts/stix-two-text@0.4.2
    pip install fonttools brotli
    .venv/bin/python tools/letters.py node_modules

Inter (sans) and STIX Two Text Italic (mathematics), both under the SIL Open Font License.
Fontsource cuts Inter by script, and its pieces have no arrows, no root and no subscripts: so the
whole file of inter-ui is cut here to what the pages, demos and charts write.
"""

import argparse
import io
import shutil
from pathlib import Path

from fontTools import subset
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LETTERS = Path(__file__).resolve().parents[1] / "lib" / "letters"
INTER = "inter-ui/variable/InterVariable.woff2"
STIX = "@expo-google-fonts/stix-two-text/{0}_Italic/STIXTwoText_{0}_Italic.ttf"
LICENCES = {
    "inter-ui/LICENSE.txt": "OFL-Inter.txt",
    "@expo-google-fonts/stix-two-text/LICENSE_FONT": "OFL-STIX.txt",
}
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180)]  # Latin-1 and Latin Extended-A
GREEK = [*range(0x3B1, 0x3CA)]
SIGNS = "−×÷·√≈≠≤≥∞∑½⅛←↑→↓↔↵′…–—‘’“”•‹›ʼ₀₁₂₃₄₅₆₇₈₉ᵢₖ⁰¹²³⁴⁵⁶⁷⁸⁹⁻ΔΣ✓✗▾⏎␣\u2009\u202f"
SANS = [*LATIN, *GREEK, *map(ord, SIGNS)]
MATHEMATICS = [*range(0x41, 0x5B), *range(0x61, 0x7B), *GREEK, 0x2032, 0x2202, 0x20]
# Not calt: it makes an arrow of "->".
FEATURES = ["kern", "ccmp", "locl", "mark", "mkmk"]
SIZE = 24  # the optical size: that of the smallest letters on the stage, whose x-height it has
WEIGHTS = (400, 700)
DIGITS = "zero one two three four five six seven eight nine".split()
TALLER = 1.12  # STIX's small letters, 0.467 of the size, beside Inter's, 0.529
RAISED_T = (0x1D40, 0.62, 0.28)  # Inter has no ᵀ: a small T, so high
NAMES = {1: "Course Sans", 4: "Course Sans", 6: "CourseSans", 16: "Course Sans"}


def cut(path, characters):
    """The font with these characters alone, its digits all of one width."""
    font = TTFont(path)
    _even_digits(font)
    options = subset.Options(layout_features=FEATURES, hinting=False, notdef_outline=True)
    options.glyph_names = True
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    return _again(font)


def _even_digits(font):
    """Tabular digits in the place of the others: a canvas that measures knows no features."""
    for table in font["cmap"].tables:
        for code, name in table.cmap.items():
            if name in DIGITS and f"{name}.tf" in font["hmtx"].metrics:
                table.cmap[code] = f"{name}.tf"


def _again(font):
    """Written and read: some tables are read only when they are needed, and by then are cut."""
    font.flavor = None
    buffer = io.BytesIO()
    font.save(buffer)
    buffer.seek(0)
    return TTFont(buffer)


def add_raised_t(font):
    code, scale, height = RAISED_T
    pen = TTGlyphPen(font.getGlyphSet())
    rise = height * font["head"].unitsPerEm
    pen.addComponent("T", (scale, 0, 0, scale, 0, rise))
    wide, left = font["hmtx"]["T"]
    name = "uni1D40"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = round(wide * scale), round(left * scale)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[code] = name
    if "gvar" in font:
        font["gvar"].variations[name] = []  # it is as wide at every weight
        del font["HVAR"]  # a table of widths by place, which has none for it


def sans(path, weight):
    """Inter at one optical size; weight: one, or a range (least, most)."""
    font = _again(instantiateVariableFont(cut(path, SANS), {"opsz": SIZE, "wght": weight}))
    add_raised_t(font)
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = NAMES[record.nameID]
    return font


def mathematics(path):
    font = cut(path, MATHEMATICS)
    font["head"].unitsPerEm = round(font["head"].unitsPerEm / TALLER)
    return font


def write(font, name, flavor=None):
    font.flavor = flavor
    if flavor is None:
        font["OS/2"].usWeightClass = 700 if "bold" in name else 400  # as matplotlib asks for it
        font["post"].formatType = 3.0
    font.save(LETTERS / name)
    size = (LETTERS / name).stat().st_size
    print(f"{name}: {len(font.getGlyphOrder())} letters, {size / 1000:.1f} kB")


def main(packages):
    LETTERS.mkdir(exist_ok=True)
    write(sans(packages / INTER, WEIGHTS), "sans.woff2", "woff2")
    for name, weight in (("mathematics", "400Regular"), ("mathematics-bold", "600SemiBold")):
        write(mathematics(packages / STIX.format(weight)), f"{name}.woff2", "woff2")
    for name, weight in (("sans.ttf", 400), ("sans-bold.ttf", 650)):  # matplotlib reads no woff2
        write(sans(packages / INTER, weight), name)
    for source, name in LICENCES.items():
        shutil.copy(packages / source, LETTERS / name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path, help="node_modules, with the two packages")
    main(parser.parse_args().packages)
