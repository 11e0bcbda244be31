"""Record what the demo Zoom shows, from the trained models, into lib/saved/zoom.json.

    .venv/bin/python tools/zoom.py

Three seconds on one core; lib/widgets/zoom/test_zoom.py says whether the file still is
what lib gives.
"""

import json
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib import corpus, saved
from lib.corpus.french import FEMININE, MASCULINE, NOUNS
from lib.interventions import Cut, changing, looking, of_sentence
from lib.saved.referents import referents
from lib.saved.zoom import ADJECTIVES, FILE, IT, OPENING
from lib.tokens import START_ID
from tools import help_if_asked

OURS, OTHER = "french_gloss", "french"
SLOTS = 11  # <start> ... qu'
PRONOUNS = ("il", "elle")
GENDERS = {MASCULINE: "masculine", FEMININE: "feminine"}
SHARE_DIGITS, TILE_DIGITS = 5, 2
SEEN = 2  # digits of a share on the screen
TILE_ROWS = ("embedded", "layer1", "attended", "memory", "slots", "written")


def shares(numbers):
    """Shares with five digits; two digits of them are two digits of what lib gives."""
    short = np.asarray(numbers, float).round(SHARE_DIGITS)
    for one, same in zip(np.ravel(numbers).tolist(), np.ravel(short).tolist(), strict=True):
        if f"{one:.{SEEN}f}" != f"{same:.{SEEN}f}":
            raise ValueError(f"{one} would be shown as {same:.{SEEN}f}.")
    return short.tolist()


def tiles(vectors):
    return np.asarray(vectors, float).round(TILE_DIGITS).tolist()


def places(net):
    """{name: the module whose output is kept}."""
    last = net.encoder.layers[1]
    return {
        "embedded": net.source,
        "layer1": net.encoder.layers[0],
        "value": last.attention.value,
        "collected": last.attention,
        "memory": net.encoder,
        "slots": net.target,
        "written": net.decoder,
    }


@torch.no_grad()
def run(model, told, *changes):
    """({name: vectors}, maps, logits) of one sentence and its translation."""
    net, kept = model.model, {}

    def keeping(name):
        def keep(_module, _given, out):
            kept[name] = out[0]

        return keep

    ids = [model.target.words.index(word) for word in told.target]
    source = torch.tensor([model.english.encode(told.source)])
    with ExitStack() as hooks, looking(net) as maps, changing(net, *changes):
        for name, module in places(net).items():
            hooks.enter_context(module.register_forward_hook(keeping(name)))
        logits = net(source, torch.tensor([[START_ID, *ids[:-1]]]))[0]
    return kept, of_sentence(maps), logits


def written(model, told, *changes):
    """How likely the slot that asks makes "il" and "elle"."""
    _, _, logits = run(model, told, *changes)
    numbers = [model.target.words.index(word) for word in PRONOUNS]
    return shares(logits[SLOTS - 1].softmax(-1)[numbers])


@torch.no_grad()
def offered(net, kept):
    """(S, d_model): each word's value, behind the output matrix: there is one head."""
    return net.encoder.layers[1].attention.output(kept["value"])


@torch.no_grad()
def sentence(model, glosses, adjective):
    """What is drawn of one sentence in the first model."""
    told = model.translate([*OPENING, adjective])
    kept, maps, _ = run(model, told)
    row = maps["encoder"][1][0, IT]
    noun = int(row.argmax())
    values, others = offered(model.model, kept), np.arange(len(row)) != noun
    kept["attended"] = kept["layer1"] + kept["collected"]  # what feed-forward works on
    meaning = model.model.gloss(kept["memory"][IT]).softmax(-1)
    nouns = [NOUNS[token] for token in told.source if token in NOUNS]
    return {
        "source": told.source,
        "target": told.target,
        "tiles": {name: tiles(kept[name][:SLOTS]) for name in TILE_ROWS},
        "value": tiles(values[noun]),
        "rest": tiles(np.average(values[others], axis=0, weights=row[others])),
        "layer1": shares(maps["encoder"][0][:, IT]),
        "layer2": shares(row),
        "hidden": written(model, told, Cut("cross", query=SLOTS - 1, key=IT)),
        "noun": noun,
        "gloss": glosses.words[int(meaning.argmax())],
        "means": shares(meaning.max()),
        "genders": {noun.word: GENDERS[noun.gender] for noun in nouns},
    }


def looks(model, adjective):
    """What a model writes, and where "it" looks; cut: "it" sees itself."""
    told = model.translate([*OPENING, adjective])
    others = [key for key in range(len(told.source)) if key != IT]
    cut = [Cut("encoder", query=IT, key=key) for key in others]
    rows = shares(told.encoder[1][:, IT])  # of each head of layer 2
    odds, left = [written(model, told, *changes) for changes in ([], cut)]
    return {"text": told.text, "rows": rows, "odds": odds, "cut": left}


def alone(model, sentences):
    """In how many of the sentences the pronoun is right where "it" sees only itself."""
    right = sentences.is_right(model.model, *sentences.only_itself())
    return {"right": int(right.sum()), "sentences": len(sentences)}


def numbers():
    models = [saved.load(name) for name in (OURS, OTHER)]
    french = corpus.make("French")
    glosses, (sentences, _) = french.glosses, referents(french)
    counts = [alone(model, sentences) for model in models]
    found = {}
    for adjective in ADJECTIVES:
        one = sentence(models[0], glosses, adjective)
        one["models"] = [
            looks(model, adjective) | count for model, count in zip(models, counts, strict=True)
        ]
        found[adjective] = one
    return found


def main():
    torch.set_num_threads(1)
    text = json.dumps(numbers(), ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    help_if_asked(__doc__)
    main()
