"""Which numbers a demo must show: for each kind, computed from a demo whose state is that of the screen.

Each function takes the demo and what the page shows of its drawings (texts, caption, ringed cells), and returns the
numbers that its texts hold, in this order and with others between them, and those at the end of its caption.
What only the page knows, such as the cell under the pointer, is read from the page.
"""

import math
import re

import numpy as np

from lib.positions import sinusoidal_positions
from lib.sampling import filtered

NUMBER = re.compile(r"<?[−-]?(?:\d{1,3}(?:,\d{3})+|\d*\.\d+|\d+|∞)(?:e[-+]?\d+)?")


def numbers(text):
    """The numbers in a text, as they are written there."""
    return NUMBER.findall(text)


def tells(text, number):
    """True if the text is how the number is written; where it lies just between two, either will do."""
    if isinstance(number, str):
        return text == number
    plain = text.replace("−", "-").replace(",", "").replace("∞", "inf")
    if plain.startswith("<"):
        return 0 <= number <= float(plain[1:])
    if plain.endswith("inf"):
        return number == float(plain)
    mantissa, _, power = plain.partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    return abs(float(plain) - number) <= 0.51 * 10.0**-places


def first_missing(texts, expected):
    """The first expected number that the texts do not hold after those before it, or None if they hold all."""
    rest = iter(texts)
    return next(
        (number for number in expected if not any(tells(text, number) for text in rest)), None
    )


def arrows(demo, shown):
    q, keys = demo.q, {"k": demo.k, "k′": demo.k2}
    texts = [np.hypot(*q)]
    for key in keys.values():
        angle = math.atan2(abs(q[0] * key[1] - q[1] * key[0]), q @ key)
        table = [math.degrees(angle), math.cos(angle)] if q.any() and key.any() else []
        texts += [np.hypot(*key), *table, q[0], key[0], q[1], key[1], q @ key, q @ key]
    chosen = [q, demo.k, demo.k2][demo.drawing.chosen]
    if not q.any():
        return texts, [*chosen, 0]
    key = keys["k′" if "shadow of k′" in shown["caption"] else "k"]
    return texts, [*chosen, q @ key / np.hypot(*q), np.hypot(*q), q @ key]


def attention_map(drawing, shown):
    (H, T, S), caption = drawing.array.shape, shown["caption"]
    head, query, key = min(drawing.head, H - 1), min(drawing.query, T - 1), min(drawing.key, S - 1)
    assert f"{drawing.query_tokens[query]} → {drawing.key_tokens[key]} " in caption, caption
    assert caption.startswith("pinned") == drawing.pinned
    visible = drawing.array if drawing.solo < 0 else drawing.array[drawing.solo]
    row = drawing.array[:, query]
    others = [int(name) - 1 for name in re.findall(r"head\s(\d+)", caption)][1:]
    masked = [] if "masked" in caption else [row[head, key]]
    told = [number for other in others for number in (other + 1, row[other, key])]
    return visible, [head + 1] * (H > 1) + (masked or [0]) + [row[head].max(), *told]


def cells_and_caption(demo, shown):
    visible, caption = attention_map(demo.drawing, shown)
    return [*visible.ravel()], caption


def caption_of_map(demo, shown):
    _, caption = attention_map(demo.drawing, shown)
    return [], caption


def attention_steps(demo, shown):
    step, made, now = demo.steps.value, demo.matrix.value, demo._arrays
    products, scaled, scores = now["products"], now["scaled"], now["scores"]
    A, B, C = [
        (now["X_queries" if made == "Q" else "X"], now[f"W_{made}"], now[made]),
        (now["Q"], now["K"].T, products),
        (products, None, scaled),
        (scaled, None, scores),
        (scores, None, now["weights"]),
        (now["weights"], now["V"], now["output"]),
    ][step]
    parts = [part for part in (A, B, C) if part is not None]
    where, part = shown["rings"][0], 0
    while where >= parts[part].size:
        where, part = where - parts[part].size, part + 1
    i, j = divmod(where, parts[part].shape[1])
    if B is not None and part < 2:
        caption = [parts[part][i, j]]
    elif B is not None:
        caption = [number for pair in zip(A[i], B[:, j], strict=True) for number in pair] + [
            C[i, j]
        ]
    else:
        d_k = now["K"].shape[1]
        root = [products[i, j], d_k, products[i, j], math.sqrt(d_k), scaled[i, j]]
        masked = [scaled[i, j]] if now["mask"][i, j] else [-math.inf, 0]
        caption = {2: root, 3: masked, 4: [scores[i, j], *scores[i], C[i, j]]}[step]
    return [number for part in parts for number in part.ravel()], caption


def bars(demo, shown):
    scores, weights, copies = demo.scores, demo.weights, demo.drawing.copies
    shares = weights[: len(scores)] * np.array([*[1] * (len(scores) - 1), copies])
    here = shown["here"][0]
    divided = [] if demo.temperature.value == 1 else [demo.temperature.value]
    many = [copies, shares[-1]] if here == len(scores) - 1 and copies > 1 else []
    return [*np.column_stack([scores, shares]).ravel()], [
        scores[here],
        *divided,
        weights[here],
        *many,
    ]


def clocks(demo, shown):
    p, there, d_model = demo.p, demo.p + demo.k, demo.d_model
    clock = int(re.search(r"Clock (\d+) of", shown["caption"])[1]) - 1
    (sin, cos), (sin2, cos2) = sinusoidal_positions(there + 1, d_model)[
        [p, there], 2 * clock : 2 * clock + 2
    ]
    period = 2 * np.pi * 10000 ** (2 * clock / d_model)
    texts = [p, there, demo.product, 2 * clock, sin, sin2, 2 * clock + 1, cos, cos2]
    return texts, [p, there, demo.product, clock + 1, d_model // 2, period]


def decoder_stepper(demo, shown):
    tokens, rows, caption = demo.target_tokens, demo.drawing.picture["rows"], shown["caption"]
    row, *told = numbers(caption)
    i = int(row) - 1
    own, cross, following = rows[i]["self"], rows[i]["cross"], rows[i]["next"]
    texts = []
    for t, each in enumerate(rows):
        texts += [*each["self"][: t + 1], *each["cross"]]
    texts += [each["probability"] for each in following]
    notes = [*numbers(demo.drawing.picture["kept"]), *numbers(demo.drawing.picture["stopped"])]
    cell = re.search(r"→ “\u2068(.*)\u2069”, (self|cross)-attention", caption)
    if cell:
        names, weights = (tokens, own) if cell[2] == "self" else (demo.drawing.source, cross)
        return texts, [i + 1, weights[names.index(cell[1])], *notes]
    most = sorted(cross, reverse=True)
    looks = most[:1] if most[0] - most[-1] < 1e-6 else most[:3]
    return texts, [i + 1, *looks, following[0]["probability"], *notes]


def depth(demo, shown):
    layer, chosen, tokens = demo.layers.value, demo.drawing.chosen, demo.drawing.tokens
    vectors = demo.vectors[layer] / np.linalg.norm(demo.vectors[layer], axis=-1, keepdims=True)
    cosines = vectors @ vectors.T - 3 * np.eye(len(tokens))
    nearest = tokens[cosines[chosen].argmax()]
    assert shown["caption"].startswith(
        f"{tokens[chosen]}: nearest in all dimensions is {nearest}"
    ), shown["caption"]
    return [demo.cosines[layer], *([layer] if layer else [])], [
        cosines[chosen].max(),
        demo.cosines[layer],
    ]


def scaling_dial(demo, shown):
    drawing, here = demo.drawing, shown["here"]
    caption = (
        [here[0] + 1, drawing.scores[here[0]], drawing.weights[here[0]]]
        if here
        else numbers(drawing.caption)
    )
    return [max(drawing.weights)], caption


def directions(demo, shown):
    here = shown["here"]
    if not here:
        return [], numbers(demo.drawing.caption)
    edges = np.linspace(-1, 1, 41)[here[0] : here[0] + 2]
    counted = (demo.cosines >= edges[0] - 1e-12) & (demo.cosines < edges[1] - 1e-12)
    return [], [*edges, counted.sum(), len(demo.cosines)]


def table(demo, shown):
    cells = [*demo.drawing.columns, *(cell for row in demo.drawing.rows for cell in row)]
    assert shown["texts"] == cells, shown["texts"]
    return [], []


def mask_painter(demo, shown):
    scores, values, mask = demo.drawing.shown["scores"], demo.drawing.shown["values"], demo.mask
    texts = [
        [*demo.scores[i], *demo.weights[i], *demo.output[i], demo.weights[i].sum()]
        for i in range(len(mask))
    ]
    i, column = divmod(shown["rings"][0], 14)
    j, row, allowed, note = (
        column % 6,
        np.array(scores[i]),
        mask[i],
        numbers(demo.drawing.shown["note"]),
    )
    share = np.exp(row) / np.exp(row).sum()
    if not allowed.any():
        caption = numbers(demo.drawing.shown["black"])
    elif column >= 12:
        terms = [
            pair
            for pair in zip(demo.weights[i], np.array(values)[:, j], strict=True)
            if pair[0] > 0
        ]
        caption = [j + 1, *(number for pair in terms for number in pair), demo.output[i, j]]
    elif not demo.after.value:
        caption = [row[j], *row[allowed], demo.weights[i, j]] if allowed[j] else [0]
    elif not allowed[j]:
        caption = [share[j], 0, 0]
    elif demo.renormalise.value:
        caption = [share[j], share[allowed].sum(), demo.weights[i, j]]
    else:
        caption = [row[j], *row, share[j]]
    return [number for row in texts for number in row], [*caption, *note]


def patches(demo, shown):
    row, column = map(int, re.match(r"patch row (\d+), column (\d+)", shown["caption"]).groups())
    pinned = "(pinned)" in shown["caption"]
    assert pinned == demo.drawing.pinned and (not pinned or (row, column) == demo.patch), shown[
        "caption"
    ]
    weights = demo.weights[14 * row + column].astype(float)
    own, most = weights[14 * row + column], weights.max()
    itself, alike = own > most * (1 - 1e-5), weights.min() > most * 0.999
    where = [] if itself or alike else divmod(weights.argmax(), 14)
    return [most], [row, column, *where, most, *([] if itself else [own]), 1 / 196]


def training(demo, shown):
    visible, caption = attention_map(demo.map, shown)
    step, *_ = numbers(shown["captions"][1]) or [None]
    at = [values[demo.curve.x.index(int(step))] for values in demo.history.values()] if step else []
    return [*visible.ravel(), *at], [*caption, *([int(step)] if step else []), *at]


def translator(demo, shown):
    panel = demo.drawing.picture["panels"][0]
    line, word = min(demo.drawing.line, 0), demo.drawing.word
    part, count = (
        ("encoder", len(panel["encoder"])) if line < 0 else ("cross", len(panel["target"]))
    )
    word, (layer, head) = min(word, count - 1), demo.weights[part].value
    row = np.array(panel[part][word])
    if not demo.header.message:  # otherwise the picture is that of an earlier sentence
        weights = getattr(demo.translation, part)[layer]
        row = (weights.mean(0) if head is None else weights[head])[word]
    caption = [*sorted(row[row > 0], reverse=True)[:3]]
    where = numbers(demo.drawing.picture["looks"][part])
    assert shown["caption"].startswith("pinned") == demo.drawing.pinned
    return [*row], [*([] if line < 0 else [panel["probabilities"][word]]), *caption, *where]


def writer(demo, shown):
    steps, stopped = demo.drawing.picture["steps"], demo.drawing.picture["stopped"]
    step = steps[shown["here"][0]]
    assert shown["caption"] == f"{step['says']} {stopped}".strip(), shown["caption"]
    rows, caption = [(row["model"], row["now"]) for row in step["rows"]], numbers(step["says"])
    if not step["word"] and not demo.header.message:  # the step to come is of these settings
        scores = demo.writer.scores(demo.tokens)
        now = filtered(scores, demo.temperature.value, demo.top_k.value, demo.top_p.value)
        best = np.argsort(-scores, kind="stable")[: len(rows) - 1]
        rows = [*zip(filtered(scores)[best], now[best], strict=True), *rows[-1:]]
        caption = [*written(now[best[0]]), np.count_nonzero(now), np.isfinite(scores).sum()]
    return [text for row in rows for share in row for text in written(share)], [
        *caption,
        *numbers(stopped),
    ]


def written(share):
    """The number in a share's two digits; it is a text because >.99 and <.01 are more than a number."""
    rounded = f"{share:.2f}"
    special = {
        "0.00": "<.01" if share > 0 else "0",
        "1.00": ">.99" if share < 1 - 1e-9 else rounded,
    }
    return numbers(special.get(rounded, rounded))


EXPECTED = {
    "Arrows": arrows,
    "AttentionMap": cells_and_caption,
    "AttentionSteps": attention_steps,
    "Bars": bars,
    "Clocks": clocks,
    "DecoderStepper": decoder_stepper,
    "Depth": depth,
    "Directions": directions,
    "EqualTable": table,
    "Heads": caption_of_map,
    "LiveTable": table,
    "MaskPainter": mask_painter,
    "Patches": patches,
    "ScalingDial": scaling_dial,
    "Training": training,
    "Translator": translator,
    "Writer": writer,
}
