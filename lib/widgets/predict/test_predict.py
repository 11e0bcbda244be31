"""A prediction: what it refuses, what it keeps of the experiment, and its fold."""

from pathlib import Path

import pytest

from lib import widgets
from lib.charts import plots
from lib.widgets.predict import predict
from lib.widgets.predict.predict import WHY, fingerprints


def nothing():
    pass


def ask(question="How many?", choices=("one", "two"), experiment=nothing, right="two", **options):
    texts = [str(choice) for choice in choices]
    if right in choices:
        right = fingerprints(question, texts)[texts.index(str(right))]
    return widgets.Predict(question, choices, experiment, right=right, **options)


def test_a_fingerprint_belongs_to_one_question_and_tells_nothing():
    marks = fingerprints("How many?", ["one", "two"])
    assert len(set(marks)) == 2 and all(len(mark) == 6 for mark in marks)
    assert not set(marks) & set(fingerprints("How many now?", ["one", "two"]))


@pytest.mark.parametrize(
    "choices, right, sentence",
    [
        (["one"], "one", "needs two to 6 different choices"),
        (["one", "one"], "one", "needs two to 6 different choices"),
        (list("abcdefg"), "a", "needs two to 6 different choices"),
        (["one", "two"], "three", "right='three' is the fingerprint of no choice"),
    ],
)
def test_what_cannot_be_asked_is_said(choices, right, sentence):
    with pytest.raises(ValueError, match=sentence):
        ask(choices=choices, right=right)


def test_a_result_in_place_of_a_function_is_refused():
    with pytest.raises(ValueError, match="write its name without brackets"):
        ask(experiment=nothing())


def test_numbers_may_be_choices():
    asked = ask(choices=[1, 2, 3], right=3)
    assert asked.choices == ["1", "2", "3"] and asked.right == 2


def test_what_an_experiment_prints_and_returns_is_kept_and_not_shown(capsys):
    def experiment():
        print("dog  0.5")
        return {"cat": 1}

    assert ask(experiment=experiment).printed == "dog  0.5\n{'cat': 1}"
    assert capsys.readouterr().out == ""


def test_a_chart_is_kept_at_the_width_of_the_page():
    def experiment():
        print("a chart")
        return plots.lines([1, 2], {"loss": [2, 1]}, "step", "loss")

    asked = ask(experiment=experiment)
    assert asked.printed == "a chart" and asked.width == 672
    assert asked.picture.startswith("data:image/png;base64,")
    assert f'<img src="{asked.picture}" width="672" alt="loss over step: ' in asked.folded()


def test_what_fails_fails_in_the_cell_after_what_it_printed(capsys):
    def experiment():
        print("so far")
        raise KeyError("dog")

    with pytest.raises(KeyError, match="dog"):
        ask(experiment=experiment)
    assert capsys.readouterr().out == "so far\n"


class Screen:
    """What a kernel would show, in the order in which it comes."""

    def __init__(self, monkeypatch):
        self.seen = []
        monkeypatch.setattr(predict, "get_ipython", lambda: self)
        monkeypatch.setattr(predict, "display", lambda shown: self.seen.append(shown.data))
        monkeypatch.setattr(predict, "clear_output", self.clear)

    def clear(self, wait):
        self.seen.append(f"clear, wait={wait}")


def test_the_question_is_on_the_screen_before_the_experiment_runs(monkeypatch):
    screen = Screen(monkeypatch)
    ask("Is 1 < 2?", ["yes", "no"], lambda: screen.seen.append("the experiment"), "yes")
    question, *after = screen.seen
    assert "Is 1 &lt; 2?" in question and "<li>yes</li><li>no</li>" in question
    assert after == ["the experiment", "clear, wait=True"], "it stays until the panel is there"


def test_nothing_of_the_answer_is_in_what_is_shown_first(monkeypatch):
    screen = Screen(monkeypatch)
    ask(experiment=lambda: "0.86", right="two")
    assert "0.86" not in screen.seen[0] and "came out" not in screen.seen[0]


def test_a_question_that_cannot_be_asked_is_not_shown(monkeypatch):
    screen = Screen(monkeypatch)
    with pytest.raises(ValueError):
        ask(right="three")
    assert screen.seen == []


def test_an_experiment_that_fails_leaves_the_question_where_it_is(monkeypatch):
    screen = Screen(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        ask(experiment=lambda: 1 / 0)
    assert len(screen.seen) == 1, "whoever mends the experiment reads what was asked"


def test_python_and_the_screen_know_the_fold_by_the_same_words():
    frame = Path(predict.__file__).parents[1] / "frame" / "frame.mjs"
    assert f'const WHY = "{WHY}";' in frame.read_text("utf-8")


def test_the_fold_has_the_question_above_it_and_the_answer_inside():
    def experiment():
        print("<b>2</b>")

    asked = ask("Is 1 < 2?", ["yes & no", "<i>two</i>"], experiment, "<i>two</i>")
    above, inside = asked.folded().split("<details><summary>")
    assert (
        "Is 1 &lt; 2?" in above and "<li>yes &amp; no</li><li>&lt;i&gt;two&lt;/i&gt;</li>" in above
    )
    assert "It came out: <b>&lt;i&gt;two&lt;/i&gt;</b>" in inside
    assert "<pre>&lt;b&gt;2&lt;/b&gt;</pre>" in inside and inside.endswith("</details>")


def test_a_page_without_a_widget_has_the_fold_and_text_tells_nothing():
    data, _ = ask(experiment=lambda: "the result")._repr_mimebundle_()
    assert "the result" in data["text/html"]
    assert data["text/plain"] == "How many?\none · two"
