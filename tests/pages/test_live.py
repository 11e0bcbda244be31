"""Demos that are alive without Python: what the page plays is what Python would have said."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from lib.widgets.frame.pictures import traits_of
from tools.course import ROOT
from tools.live import SUBJECTS, page_of, recorded, subject_of
from tools.live.record import Parts, RecordingError, Walk, written

ACTIONS = 60
# Plays a recording with models that only keep what they were given; prints them after each event.
PLAY = """
import { readFileSync } from "node:fs";
import { Player } from "%s";
const { recording, events } = JSON.parse(readFileSync(0, "utf-8"));
const parts = {};
for (const [path, value] of Object.entries(recording.start)) {
    const [part, name] = path.split(".");
    (parts[part] ??= {})[name] = value;
}
const models = {};
for (const [part, traits] of Object.entries(parts))
    models[part] = {
        get: (name) => traits[name],
        receive: (changes) => Object.assign(traits, changes),
        tell: () => {},
    };
const player = new Player(recording, models);
const seen = [];
for (const event of events) {
    player.fire(event);
    seen.push(recording.paths.map((path) => {
        const [part, name] = path.split(".");
        return parts[part][name];
    }));
}
console.log(JSON.stringify(seen));
"""
every_subject = pytest.mark.parametrize("name", SUBJECTS)


@pytest.fixture(scope="module")
def recordings():
    """{name: Recording}, each made once."""
    made = {}

    def of(name):
        if name not in made:
            made[name] = recorded(name)
        return made[name]

    return of


def acted(name, seed):
    """Random actions on the real demo: their events, and what the page is sent after each."""
    subject, chance = SUBJECTS[name], random.Random(seed)
    demo = subject.make()
    walk = Walk(name, demo, subject.messages, subject.told)
    actions, seen = [], []
    for _ in range(ACTIONS):
        event = chance.choice(list(walk.events))
        walk.events[event]()
        actions.append(event)
        seen.append([written(walk.parts.get(path)) for path in walk.paths])
    return actions, seen


def played(recording, actions):
    """What the page has after each of these actions."""
    module = (ROOT / "lib/widgets/frame/live.mjs").as_uri()
    given = json.dumps({"recording": vars(recording), "events": actions})
    run = subprocess.run(
        ["node", "--input-type=module", "-e", PLAY % module],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


@every_subject
@pytest.mark.skipif(not shutil.which("node"), reason="Node plays the recording")
def test_what_is_played_is_what_python_says(recordings, name):
    for seed in (1, 2):
        actions, seen = acted(name, seed)
        assert played(recordings(name), actions) == json.loads(json.dumps(seen))


@pytest.mark.skipif(not shutil.which("node"), reason="Node plays the recording")
def test_a_number_that_is_wrong_in_a_recording_is_found(recordings):
    recording = recordings("Depth")
    place = recording.paths.index("d0.means")
    number = recording.states[0][place]
    wrong = [*recording.values]
    wrong[number] = [value + 0.01 for value in wrong[number]]
    copy = type(recording)(**{**vars(recording), "values": wrong})
    actions, seen = acted("Depth", 1)
    assert played(copy, actions) != json.loads(json.dumps(seen))


def test_what_depends_on_more_than_the_controls_is_refused():
    """Each press of its button gives another number, and nothing on the page says which."""
    demo = SUBJECTS["Depth"].make()
    counted = []

    def update():
        counted.append(1)
        type(demo).update(demo)
        demo.drawing.means = [float(len(counted))]

    demo.update = update
    with pytest.raises(RecordingError, match=r"d0\.means depends on more than the controls"):
        Walk("Depth", demo, told=True).run()


def test_a_page_shows_the_demo_of_its_cell():
    assert subject_of("import x\n\nwidgets.Depth()") == "Depth"
    assert subject_of("widgets.Depth(seed=3)") == "" and subject_of("Depth()") == ""


@every_subject
def test_a_recording_holds_all_that_the_page_is_sent(recordings, name):
    recording, demo = recordings(name), SUBJECTS[name].make()
    sent = {f"d0.{trait}" for trait in traits_of(Parts(demo).parts["d0"])}
    assert sent <= set(recording.start)
    assert len(recording.text()) < 200_000, "bytes"


def test_a_page_asks_for_nothing():
    html = page_of("Chat")
    assert "http://" not in html.replace("http://www.w3.org/", "") and "https://" not in html
    assert str(Path.home()) not in html
