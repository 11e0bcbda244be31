"""Demos that are alive without Python: what the page plays is what Python would have said."""

import gzip
import inspect
import json
import random
import shutil
import subprocess
from base64 import b64decode
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pytest

from lib.widgets.frame.pictures import traits_of
from lib.widgets.frame.record import (
    ASKED,
    MOVED,
    Alive,
    Parts,
    RecordingError,
    Walk,
    recorded,
    written,
)
from lib.widgets.live import SUBJECTS, kept, page_of, recording_of, subject_of
from lib.widgets.live.cells import needed
from tools.course import ROOT

ACTIONS = 1500
FEW = {"Patches": 60}  # each of its answers is 154 kB, and its controls reach only 14
FEW |= {name: 100 for name in SUBJECTS if name.startswith("Equal")}  # PyTorch computes each
FEW |= {name: 20 for name in SUBJECTS if name.startswith("Learns")}  # they have no controls
FEW |= dict.fromkeys(["French", "Chinese", "TrueOrNot", "CutByName"], 300)  # as Translator
# By then they have shown all that they show in 1,500.
FEW |= dict.fromkeys(["Directions", "AttentionMap", "DecoderStepper", "TwoModels", "Training"], 300)
FEW |= dict.fromkeys(["WithAndWithoutMask", "CacheSaves", "CacheCosts"], 300)
FEW |= dict.fromkeys(["Heads", "TrainedStepper", "ZoomOfModels"], 600)
FEW |= dict.fromkeys(["Depth", "ScalingDial", "Zoom", "ZoomToTheEnd", "Chat", "OwnMaps"], 1000)
MOST = 60_000  # bytes of a recording, zipped as it travels
HEAVY = {
    "Patches": 130_000,  # its picture and the first map of 196 x 196
    "Writer": 470_000,  # the model itself
    "Translator": 140_000,  # 23 sentences in two languages, each with its weights
    "French": 90_000,  # those of one
    "Chinese": 90_000,
    "RealMaps": 65_000,  # 72 maps, with all their digits
    "LearnsToCopy": 190_000,  # two maps of 48 x 48 at each of 16 steps
}
# What readers type, by the control they type it in, where the page answers any text.
TYPED = {"Writer": {"c0.value": ["the street was too", "", "The cat\u2019s dog", "the mouse"]}}
MOVES = 0.5  # so often something is dragged, where something can be


def dragged_bars(chance, demo):
    scores = list(demo.drawing.scores)
    place = chance.randrange(len(scores))
    scores[place] = round(chance.uniform(-6, 6), 1)
    return {"scores": scores}, {"here": place}


def dragged_arrows(chance, _demo):
    name = chance.choice(["q", "k", "k2"])
    point = [round(chance.uniform(-4, 4), chance.randrange(3)) for _ in range(2)]
    return {name: point, "chosen": ["q", "k", "k2"].index(name)}, {}


def moved_clocks(chance, demo):
    if chance.random() < 0.3:
        return {"k": chance.randrange(61), "asks": "k"}, {"here": None}
    place = chance.randrange(101)
    asked = ASKED if demo.drawing.done == 0 and place != demo.p else {}
    return {"p": place, "asks": "p", **asked}, {"here": chance.choice([None, 0, 1])}


def painted(chance, demo):
    drawing, place = demo.drawing, [chance.randrange(6), chance.randrange(12)]
    if chance.random() < 0.4 or place[1] > 5:
        return {"here": place}, {}
    mask = [list(row) for row in drawing.mask]
    is_seen = mask[place[0]][place[1]] = chance.random() < 0.5
    asked = ASKED if drawing.done == 0 and not is_seen else {}
    return {"mask": mask, "here": place, **asked}, {}


def bet(chance, demo):
    place = chance.randrange(1, len(demo.drawing.rows))
    bets = list(demo.drawing.bets)
    bets[place] = round(chance.random(), 2)
    return {"bets": bets, "chosen": place}, {}


def edited(chance, demo):
    drawing, place = demo.drawing, chance.randrange(4)
    part = chance.choice(["first", "result"])
    pointed = {"part": part, "i": chance.randrange(3), "j": place, "asks": chance.randrange(3)}
    number = round(chance.uniform(-2, 2), 1)
    if chance.random() < 0.5:
        name = chance.choice("QKV")
        rows = [list(row) for row in drawing.parameters[name]]
        rows[place % len(rows)][0] = number
        return {"parameters": drawing.parameters | {name: rows}, "pointed": pointed}, {}
    vector = list(demo.X[chance.randrange(3)])
    vector[place] = number
    edited = drawing.edited | {chance.choice(drawing.tokens): vector}
    return {"edited": edited, "pointed": pointed}, {}


def asked(chance, _demo):
    return {"patch": [chance.randrange(14), chance.randrange(14)]}, {"hovered": None}


def pointed(chance, demo):
    heads, T, _ = demo.weights.shape
    return {"head": chance.randrange(heads), "query": chance.randrange(T)}, {}


def chosen(chance, demo):
    """Another cell of the maps, or another head in the grid of all layers."""
    heads, T, _ = demo.weights.shape
    head = chance.randrange(heads)
    if chance.random() < 0.5:
        return {"layer": chance.randrange(len(demo.layer.options)), "head": head}, {}
    solo = chance.choice([-1, head])
    place = {"query": chance.randrange(T), "key": chance.randrange(T)}
    return chance.choice([{"head": head, "solo": solo}, place]), {}


def asked_for(chance, demo):
    """In the chat: a token that the heads look at, or none."""
    drawing = demo.drawing
    if drawing.veiled or drawing.seen < 0:
        return {}, {}
    return {"looked": chance.randrange(-1, len(drawing.places) + drawing.seen)}, {}


def looked(chance, demo):
    drawing = demo.drawing
    if drawing.veiled:
        return {}, {}
    if chance.random() < 0.3:
        return {"asks": "cost", "cut": 0 if drawing.cut == 1 else 1}, {"hovered": None}
    head, place = chance.randrange(270), chance.randrange(30)
    hovered = chance.choice([None, chance.randrange(30)])
    return {"asks": "look", "cut": 0, "head": head, "place": place}, {"hovered": hovered}


# What a reader does in the drawing itself: {name: a function of chance and demo, which answers with
# the traits that it changes, and with what only the screen knows}.
DRAGGED = {
    "Bars": dragged_bars,
    "BarsOfEight": dragged_bars,
    "Arrows": dragged_arrows,
    "Clocks": moved_clocks,
    "MaskPainter": painted,
    "BreakIt": bet,
    "Chat": asked_for,
    "Copies": looked,
    "CopiesUncut": looked,
    "AttentionSteps": edited,
    "Patches": asked,
    "Heads": pointed,
    "RealMaps": chosen,
    "OwnMaps": chosen,
}
every_subject = pytest.mark.parametrize("name", SUBJECTS)
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="Node plays the recording")


@lru_cache(maxsize=1)  # the tests of a demo follow each other; some pages take seconds to make it
def as_made(name):
    """The demo, to be looked at and not changed."""
    return SUBJECTS[name].make()


def compared(name):
    """The demo; a model computes with as many digits as a page does, or another word is drawn."""
    demo = SUBJECTS[name].make()
    if name == "Writer":
        demo.writer.model.double()
        demo.refresh()
    return demo


def acted(name, seed, count):
    """Random actions on the real demo, and what is new on the page after each, {path: value}."""
    chance, demo = random.Random(seed), compared(name)
    walk = Walk(demo)
    exact = [*walk.local, *demo.alive.computed]
    exact = [path for path in exact if not path.endswith((".presses", ".message", ".done"))]
    paths = dict.fromkeys([*walk.paths, MOVED, *exact])
    actions, states, last = [], [], {}
    events = walk.events
    for path, texts in TYPED.get(name, {}).items():
        events |= {
            f"{path}={json.dumps(text)}": partial(walk.parts.set, path, text) for text in texts
        }
    for _ in range(count):
        if name in DRAGGED and chance.random() < MOVES:
            changes, screen = DRAGGED[name](chance, demo)
            part = "d1" if "layer" in changes else "d0"
            walk.parts.parts[part].set_state(changes)
            actions.append({"part": part, "moved": changes, "screen": screen})
        else:
            event = chance.choice(list(events))
            events[event]()
            actions.append({"event": event})
        now = {path: walk.parts.get(path) for path in paths}
        new = {path: value for path, value in now.items() if value is not last.get(path, last)}
        states.append({path: written(value, path in exact) for path, value in new.items()})
        last = now
    return actions, states


def played(name, recording, actions, states):
    """What tests/pages/play.mjs says of the page after each of these actions."""
    folder = Path(inspect.getfile(type(as_made(name)))).parent
    own = folder / "live.mjs"
    given = {
        "recording": vars(recording),
        "drawing": (folder / f"{folder.name}.mjs").as_uri(),
        "own": own.as_uri() if own.exists() else None,
        "actions": actions,
        "states": states,
    }
    run = subprocess.run(
        ["node", Path(__file__).with_name("play.mjs")],
        input=json.dumps(given),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@every_subject
@needs_node
def test_what_is_played_is_what_python_says(name):
    count = FEW.get(name, ACTIONS)
    recording = recorded(compared(name)) if name in TYPED else recording_of(name)
    said = played(name, recording, *acted(name, 1, count))
    assert said["differences"] == [] and said["compared"] == count


@needs_node
def test_a_number_that_is_wrong_in_a_recording_is_found():
    recording = recording_of("Depth")
    place = recording.paths.index("d0.means")
    number = recording.states[0][place]
    wrong = [*recording.values]
    wrong[number] = [value + 0.01 for value in wrong[number]]
    copy = type(recording)(**{**vars(recording), "values": wrong})
    assert played("Depth", copy, *acted("Depth", 1, 50))["differences"]


@every_subject
def test_a_demo_is_recorded_as_its_page_has_it(name):
    """The picture of the page is of the same demo, by its key."""
    keys = set()
    for page in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(page.read_text("utf-8"))["cells"]:
            if subject_of("".join(cell["source"]), page.stem) == name:
                outputs = cell.get("outputs", [])
                pictures = [output["metadata"].get("picture", "") for output in outputs]
                keys |= {key.removesuffix("-question") for key in pictures}
    assert keys == {as_made(name).picture_key()}


def test_what_depends_on_more_than_the_controls_is_refused():
    """Each press of its button gives another number, and nothing on the page says which."""
    demo = SUBJECTS["Depth"].make()
    counted = []

    def update():
        counted.append(1)
        type(demo).update(demo)
        demo.drawing.means = [float(len(counted))]

    demo.update, demo.alive = update, Alive(told=True)
    with pytest.raises(RecordingError, match=r"d0\.means depends on more than the controls"):
        Walk(demo).run()


def test_a_page_shows_the_demo_of_its_cell():
    assert subject_of("import x\n\nwidgets.Depth()", "07_encoder") == "Depth"
    assert subject_of("widgets.Depth(seed=3)", "07_encoder") == subject_of("Depth()", "") == ""
    table = "widgets.EqualTable(compare, **sizes)"  # two pages write the same line
    assert subject_of(table, "08_decoder") == "EqualDecoder"
    assert subject_of(table, "07_encoder") == "EqualEncoder" and subject_of(table, "12_a_gpt") == ""


@every_subject
def test_a_recording_holds_all_that_the_page_is_sent(name):
    recording = recording_of(name)
    sent = {f"d0.{trait}" for trait in traits_of(Parts(as_made(name)).parts["d0"])}
    assert sent <= set(recording.start)
    assert len(gzip.compress(recording.text().encode())) < HEAVY.get(name, MOST), "bytes"


@pytest.mark.parametrize("name", ["LearnsToCopy"])
def test_two_layers_learn_to_copy_on_page_16(name):
    """Its map finds what came after a token last time."""
    demo, reports = as_made(name), recording_of(name).given["reports"]
    copied = [report["numbers"][0] for report in reports]
    assert copied[0] > 5 and copied[-1] < 2
    weights = np.frombuffer(b64decode(reports[-1]["map"]["d1.weights"]["base64"]), np.float32)
    looks = weights.reshape(demo.map.array.shape).max(0)  # of either head
    row = demo.map.query_tokens
    found = [at for at, token in enumerate(row) if token in row[:at]]
    assert np.mean([looks[at, row.index(row[at]) + 1] for at in found]) > 0.3


def test_only_the_cells_that_a_demo_needs_are_run():
    cells = [
        "size = 3",
        "slow = train(size)",
        "def compare(n):\n    return [n * size for slow in range(n)]",
        "size = 4",  # which compare reads when it is called
        "def other():\n    return compare(1)",
        "show(compare, [slow for slow in (1, 2)])",
    ]
    assert needed(cells) == [0, 2, 3, 5]


def test_a_recording_is_kept_until_what_it_comes_from_changes(tmp_path, monkeypatch):
    for folder in ("lib", "notebooks"):
        (tmp_path / folder).mkdir()
    code, page = tmp_path / "lib" / "code.py", tmp_path / "notebooks" / "page.ipynb"
    for name, path in (("ROOT", "."), ("NOTEBOOKS", "notebooks"), ("MODELS", "model")):
        monkeypatch.setattr(kept, name, tmp_path / path)
    monkeypatch.setattr(kept, "FOLDER", tmp_path / ".recordings")
    made = []

    def make():
        made.append(recording_of("Depth"))
        return made[-1]

    for changed in (code, page):
        changed.write_text("1")
        page.touch()
        for _ in range(2):
            kept._of_course.cache_clear()
            found = kept.recording("Depth", "page", make)
        assert (
            found == recording_of("Depth") and made.count(found) == [code, page].index(changed) + 1
        )
    kept._of_course.cache_clear()
    assert len([*(tmp_path / ".recordings").iterdir()]) == 1, "the old one is in nobody's way"


def test_a_page_asks_for_nothing():
    html = page_of("Chat")
    assert "http://" not in html.replace("http://www.w3.org/", "") and "https://" not in html
    assert str(Path.home()) not in html
