"""The colours of the course, one meaning each, for charts and demos: written nowhere else.

Query, key, value and position are from the palette of Okabe and Ito, which most colour-blind
readers can tell apart.
"""

LIGHT = {
    "query": "#0072B2",
    "key": "#D55E00",
    "value": "#009E73",
    "position": "#CC79A7",
    "query-text": "#004D84",  # the same hues, dark enough for digits
    "key-text": "#A84A00",
    "value-text": "#007555",
    "weight": "#393890",
    "weight-digit": "#FFF",  # a digit on the full colour of a weight
    "masked": "#9A9A9A",
    "score": "#7B8290",  # grey: no hue before softmax
    "ghost": "#6A707C",  # the outline of what was before
    "axis": "#868C96",  # seen in a lit room: 3 to 1 on the paper and behind controls
    "changed": "#FFE583",  # behind what is new
    "lit": "#FFD43B",  # around what is new: no letters stand on it
    "marked": "#000",  # letters on what is new
    "curve-1": "#882255",  # curves after the first, which is ink
    "curve-2": "#7A7A1F",
    "warning": "#A4161A",  # only beside a sentence
    "surface": "#F1F2F5",  # behind controls
}

DARK = {
    "query": "#4FA9DD",
    "key": "#FF9A57",
    "value": "#40D9A4",
    "position": "#E6A3C8",
    "query-text": "#6FBDEE",
    "key-text": "#FFAB73",
    "value-text": "#8AF0CF",
    "weight": "#918EE2",
    "weight-digit": "#000",
    "masked": "#7D7D7D",
    "score": "#8B93A2",
    "ghost": "#98A0AD",
    "axis": "#7D838E",
    "changed": "#F0CB4E",
    "lit": "#F0CB4E",
    "marked": "#000",
    "curve-1": "#E58FB5",
    "curve-2": "#C9C86B",
    "warning": "#FF8A80",
    "surface": "#2E3138",
}

# Charts and drawings are on white paper in every theme.
INK = "#1F2328"
SOFT = "#57606A"  # of names, which are not what one looks at first
LINE = "#D0D7DE"
BELOW_ZERO = "#404040"  # as dark as "weight": a number weighs the same with either sign
# None is the colour of a query, key or value.
CURVES = [INK, LIGHT["curve-1"], LIGHT["curve-2"], "#6E7781"]
