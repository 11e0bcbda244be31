"""Demos that are alive on a page without Python: what Python answers is recorded for it.

What depends on their controls and their story is recorded; what follows from what is dragged is
computed in lib/widgets/NAME/live.mjs. SUBJECTS are those of the pages that are alive; any other
stays a picture.
"""

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from lib import widgets
from lib.attention import scaled_dot_product_attention
from lib.corpus.toy_embeddings import W_K, W_Q, W_V, WORDS, word_vector
from lib.pretrained.today import ChatModel
from lib.widgets.frame import record
from lib.widgets.frame.modules import common_style
from lib.widgets.frame.pictures import SCRIPT, common_modules, page_with, what_pages_share
from lib.widgets.frame.record import Alive, recorded
from lib.widgets.live import kept
from lib.widgets.live.cells import call_of, shown_by
from lib.widgets.training.learns_french import learns_french


class Subject(NamedTuple):
    """A demo that is alive on the site's pages.

    call: as a page's cell ends; make: the same demo; also: other calls that show it. page: the only
    one that is meant, where call is how the last line begins.
    """

    call: str
    make: Callable
    also: tuple = ()
    page: str = ""


SHARED, STYLE = "shared.js", "shared.css"  # what the pages of all live demos need
SHEET = f'<link rel="stylesheet" href="{STYLE}">\n'
SCORES = {"A": 2.8, "B": 2.7, "C": 0.2, "D": -0.1, "E": -1.8}  # of page 2


def map_of_page_4():
    """The weights of the whole sentence, with the parameters that are set by hand."""
    X = np.array([word_vector(word) for word in WORDS])  # (T, d_model)
    _, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)  # (T, T)
    question = "“it” looks at “animal”. Does “animal” look back as much?"
    title = "Who looks at whom, with vectors and matrices set by hand"
    asked = {"question": question, "at": (1, 7), "than": (7, 1)}
    return widgets.AttentionMap(weights, WORDS, title=title, **asked)


def two_cut():
    """The two models of the page of demos, and what can be cut."""
    from lib.saved.referents import CUTS, two_models

    title = "Two models, one translation"
    question = "From “it”: at which word does each look most?"
    models = two_models()
    return widgets.Translator(models, changes=CUTS, title=title, question=question, word="it")


def writes():
    """The writer of the page of demos."""
    from lib import saved

    return widgets.Writer(saved.load("writer"), seed=59)


def of_page(page, call, **alive):
    """The Subject that a page's own cell shows; call: how its last line begins."""

    def make():
        demo = shown_by(page, call)
        demo.begin_here()
        if alive:
            demo.alive = Alive(**alive)
        return demo

    return Subject(call, make, page=page)


SUBJECTS = {
    "Depth": Subject("widgets.Depth()", widgets.Depth),
    "Directions": Subject("widgets.Directions()", widgets.Directions),
    "ScalingDial": Subject("widgets.ScalingDial()", widgets.ScalingDial),
    "Bars": Subject("widgets.Bars(scores, keys)", lambda: widgets.Bars(SCORES.values(), SCORES)),
    "BarsOfEight": Subject("widgets.Bars()", widgets.Bars),
    "Arrows": Subject("widgets.Arrows()", widgets.Arrows),
    "Clocks": Subject("widgets.Clocks()", widgets.Clocks),
    "MaskPainter": Subject("widgets.MaskPainter()", widgets.MaskPainter),
    "AttentionSteps": Subject("widgets.AttentionSteps()", widgets.AttentionSteps),
    "AttentionMap": Subject(
        "widgets.AttentionMap(weights, toy_embeddings.WORDS, title=title, **asked)",
        map_of_page_4,
    ),
    "Heads": Subject("widgets.Heads()", widgets.Heads),
    "Patches": Subject("widgets.Patches()", widgets.Patches),
    "BreakIt": Subject("widgets.BreakIt()", widgets.BreakIt),
    "Copies": Subject("widgets.Copies()", widgets.Copies),
    "CopiesUncut": Subject("widgets.Copies(chat, cuts=False)", lambda: widgets.Copies(cuts=False)),
    "DecoderStepper": Subject("widgets.DecoderStepper()", widgets.DecoderStepper),
    "ZoomToTheEnd": Subject("widgets.Zoom()", widgets.Zoom),
    "Zoom": Subject('widgets.Zoom(last="changed")', lambda: widgets.Zoom(last="changed")),
    "ZoomOfModels": Subject('widgets.Zoom("models")', lambda: widgets.Zoom("models")),
    "Translator": Subject(
        "widgets.Translator()",
        widgets.Translator,
        ("widgets.Translator([french, chinese], sentence)",),
    ),
    "TwoModels": Subject(
        'widgets.Translator(models, changes=CUTS, title=title, question=question, word="it")',
        two_cut,
    ),
    "Training": Subject("learns_french()", learns_french),
    "Writer": Subject(
        'widgets.Writer(saved.load("writer"), seed=59)',
        writes,
        ('widgets.Writer(writer, "the animal", seed=59)',),
    ),
    "Chat": Subject("widgets.Chat(chat)", lambda: widgets.Chat(ChatModel.recorded())),
    "EqualSoftmax": of_page("02_softmax", "widgets.EqualTable("),
    "EqualAttention": of_page("04_queries_keys_values", "widgets.EqualTable("),
    "EqualHeads": of_page("05_multi_head", "widgets.EqualTable("),
    "LearnsToReverse": of_page("07_encoder", "learns_digits(new_model,"),
    "EqualEncoder": of_page("07_encoder", "widgets.EqualTable("),
    "WithAndWithoutMask": of_page("08_decoder", "widgets.Training("),
    "TrainedStepper": of_page("08_decoder", "widgets.DecoderStepper(english,"),
    "EqualDecoder": of_page("08_decoder", "widgets.EqualTable("),
    "EqualMasks": of_page("09_masking", "widgets.EqualTable("),
    "LearnsFrench": of_page("10_translation", "learns_french(new_model,"),
    "French": of_page("10_translation", "widgets.Translator(french,"),
    "Chinese": of_page("10_translation", "widgets.Translator(chinese,"),
    "TrueOrNot": of_page("11_is_the_picture_true", "widgets.Translator(names, sentence, title"),
    "CutByName": of_page("11_is_the_picture_true", "widgets.Translator(names, sentence, changes"),
    # The clock measures the machine of whoever asks.
    "CacheSaves": of_page("13_it_writes", "widgets.LiveTable(saved", only={"c1.index": [0]}),
    "CacheCosts": of_page("13_it_writes", "widgets.LiveTable(cache_sizes,"),
    "RealMaps": of_page("14_a_real_model", "widgets.AttentionMap(list(seen.maps),"),
    "OwnMaps": of_page("14_a_real_model", "widgets.AttentionMap(tuple(own_maps"),
    "Shapes": of_page("14_a_real_model", "widgets.LiveTable(table,"),
    "LearnsToCopy": of_page("16_who_copies", "copiers.watched("),
}


def subject_of(source, page):
    """The name of the demo that a page's cell shows, if it is alive; else ""."""
    here = call_of(source)
    for name, one in SUBJECTS.items():
        if one.page == page and here.startswith(one.call):
            return name
        if not one.page and here in (one.call, *one.also):
            return name
    return ""


@cache
def demo_of(name):
    """The demo, made once."""
    return SUBJECTS[name].make()


@cache
def recording_of(name):
    """The Recording of a demo, made once."""
    return kept.recording(name, SUBJECTS[name].page, lambda: recorded(demo_of(name)))


def page_of(name):
    """One HTML page that has the demo, alive, and needs no other file."""
    return record.page_of(demo_of(name), recording_of(name))


@cache
def shown_alive_of(name):
    """What a page shows of a demo, and its style sheets."""
    return record.shown_alive(demo_of(name), recording_of(name))


def files_of(name):
    """The demo's page, its data and its drawing, and what all share: {name of the file: text}."""
    shown, styles = shown_alive_of(name)
    scripts = "".join(SCRIPT.format(each) for each in (SHARED, *scripts_of(name)))
    title = demo_of(name).header.title
    own = [style.removeprefix(common_style()) for style in styles]
    taken = f'await unpacked(window.demos["{name}"])'
    drawing, data = scripts_of(name)
    return {
        f"{name}.html": page_with(title, own, scripts, taken, sheet=SHEET),
        drawing: drawing_of(name),
        data: f"(window.demos ??= {{}})[{compact(name)}] = {packed(shown)};\n",
        SHARED: what_pages_share(),
        STYLE: common_style(),
    }


def scripts_of(name):
    """The files that a live page needs beside what all share: its drawing's, and its data's."""
    letters = hashlib.sha256(drawing_of(name).encode()).hexdigest()[:8]
    return f"drawing-{letters}.js", f"{name}.js"


def drawing_of(name):
    """The script with a demo's own modules; demos of one kind have the same."""
    shown, _ = shown_alive_of(name)
    modules = [one for one in shown["modules"] if one[0] not in common_modules()]
    return f"window.shared.modules.push(...{compact(modules)});\n"


def packed(shown):
    """What is shown, without its modules, zipped: page.mjs unpacks it. The same bytes each time."""
    text = compact(shown | {"modules": []})
    return compact(b64encode(gzip.compress(text.encode(), mtime=0)).decode())


def compact(data):
    """As JavaScript reads it, in few letters."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
