"""The widget BreakIt: what it shows is what was measured, and what Enter does."""

import re

import numpy as np

from lib import corpus, saved, widgets
from lib.widgets.break_it.break_it import (
    NAMES,
    _compared,
    _does,
    _row,
    _says,
    _typical,
    measured_rows,
)

ROWS = [_row("the whole", [1.0, 0.9]), _row("no positions", [0.7, 0.9])]


def test_without_rows_it_shows_what_was_measured():
    runs = saved.measured("parts")
    rows = widgets.BreakIt().drawing.rows
    shown = [variant for variant in NAMES if any(run["variant"] == variant for run in runs)]
    assert [row["name"] for row in rows] == [NAMES[variant] for variant in shown]
    for variant, row in zip(shown, rows, strict=True):
        alone = [run["alone"] for run in runs if run["variant"] == variant]
        assert row["shares"] == alone and row["share"] == np.median(alone)


def test_every_sentence_tells_what_was_measured_and_no_cause():
    says, told = ({row["name"]: row[key] for row in measured_rows()} for key in ("says", "told"))
    assert told["the whole model"] is None
    assert told["only 1 head"] == "1.00 in 4, 0.82 in 1"
    assert told["no residual"] == "5 models: 0.10 to 0.88"
    for name in ("the whole model", "no warm-up", "no scale, 4 heads"):
        assert says[name] == "Nothing breaks."
    assert says["only 1 head"] == "It writes “il”, not “elle”."
    assert says["no positions"] == "Order lost: it writes as if the reason came first."
    assert told["no positions"] is None, "all came to nearly the same"
    assert says["no causal mask"] == (
        "In training it could see the next word; now there is none to see."
    )
    assert not re.search("because|therefore", " ".join(says.values()))


def test_where_a_model_breaks_it_says_what_it_writes():
    runs = [{"taught": 0.9, "alone": 0.9}]
    assert _says(runs, [1.0, 0.7, 1.0], {"does": "It stops."}) == "It stops."
    assert _says(runs, [1.0], None) == "Nothing breaks."
    for wrote, does in (
        ("le chien noir dort", "It adds “noir”."),
        ("le chien", "It leaves out “dort”."),
        ("le chat, dort", "It writes “chat”, not “chien”."),
    ):
        assert _does(wrote.split(), "le chien dort".split()) == does


def test_the_mistake_is_of_the_model_nearest_to_the_median_and_only_where_one_was_made():
    runs = saved.measured("parts")
    for row in measured_rows():
        mistake = row["mistake"]
        assert (mistake is None) == (min(row["shares"]) == 1), row["name"]
        if mistake:
            wrote = " ".join(word for word, _ in mistake["wrote"])
            assert not all(is_right for _, is_right in mistake["wrote"]), "something is marked"
            [run] = [
                run
                for run in runs
                if NAMES.get(run["variant"]) == row["name"] and run["seed"] == mistake["seed"]
            ]
            assert run["mistake"]["wrote"] == wrote != mistake["right"]
    shares = {0: 1.0, 1: 0.5, 2: 0.9}
    made = {"read": "a", "wrote": "Le.", "right": "La."}
    some = [
        {"seed": seed, "alone": share, "mistake": None if share == 1 else made}
        for seed, share in shares.items()
    ]
    assert _typical(some, 0.8) == made | {
        "seed": 2,
        "wrote": [["Le.", False]],
        "does": "It writes “Le”, not “La”.",
    }
    assert _typical(some[:1], 1.0) is None


def test_order_is_lost_where_what_it_writes_is_right_for_the_same_words_in_another_order():
    [mistake] = [row["mistake"] for row in measured_rows() if row["name"] == "no positions"]
    words = {"subject": "mouse", "verb": "find", "place": "island"}
    words |= {"degree": "too", "adjective": "crowded"}
    read, fronted = (corpus.say("French", frame, **words) for frame in ("didn't", "fronted"))
    assert mistake["read"] == " ".join(read.english)
    assert sorted(read.english) == sorted(fronted.english)
    assert mistake["right"] == corpus.join(read.target, "French")
    wrote = " ".join(word for word, _ in mistake["wrote"])
    assert wrote == corpus.join(fronted.target, "French")


def test_a_word_is_wrong_that_the_right_sentence_does_not_have_wherever_it_stands():
    right = "Comme il était las, l'ours dort.".split()
    compared = _compared("L'ours dort dort comme elle était las.".split(), right)
    wrong = [i for i, (_, is_right) in enumerate(compared) if not is_right]
    assert wrong == [2, 4], "the second time it is one too many"


def test_all_but_the_whole_is_covered_until_it_is_told_and_after_reset():
    demo = widgets.BreakIt(ROWS)
    assert demo.drawing.shown == [True, False] and demo.drawing.chosen == 1
    demo.tell()
    assert demo.drawing.shown == [True, True] and demo.drawing.chosen == 1
    demo.drawing.bets = [None, 0.3]
    assert demo.bets == {"the whole": None, "no positions": 0.3}
    demo.reset()
    assert demo.drawing.shown == [True, False] and demo.bets["no positions"] is None


def test_enter_uncovers_the_chosen_row_asks_for_the_next_then_sorts_then_starts_over():
    demo = widgets.BreakIt([*ROWS, _row("no causal mask", [0.0, 0.1])])
    demo.drawing.chosen, demo.drawing.bets = 2, [None, 0.3, None]
    seen = []
    for _ in range(5):
        seen.append((demo.drawing.enter, demo.drawing.chosen, demo.drawing.shown))
        demo.drawing.presses += 1
    assert seen == [
        ("Uncover", 2, [True, False, False]),
        ("Next part", 2, [True, False, True]),
        ("Uncover", 1, [True, False, True]),
        ("And the worst?", 1, [True, True, True]),
        ("", 2, [True, True, True]),
    ]
    assert demo.drawing.shown == [True, False, False] and demo.drawing.enter == "Uncover"
    assert demo.drawing.bets == [None, None, None] and not demo.drawing.by_damage


def test_what_breaks_it_most_is_asked_before_it_is_seen_however_few_rows_there_are():
    named = {"no mask": [0.0], "no heads": [0.9], "no words": [0.8]}
    worst, *others = (_row(name, shares) for name, shares in named.items())
    for rows in ([worst, *others], [*others, worst]):
        demo = widgets.BreakIt([ROWS[0], *rows])
        while not demo.drawing.veiled:
            demo.next_step()
        assert demo.header.question == "What breaks it most?"
        assert [i for i, is_shown in enumerate(demo.drawing.shown) if not is_shown] == [demo.worst]


def test_who_has_seen_what_breaks_it_most_is_not_asked():
    demo = widgets.BreakIt()
    demo.drawing.chosen = demo.worst
    for _ in range(7):
        demo.next_step()
    assert demo.drawing.enter == "And the worst?" and not all(demo.drawing.shown)
    demo.next_step()
    assert all(demo.drawing.shown) and not demo.drawing.veiled and demo.drawing.enter == ""


def test_after_four_bets_enter_uncovers_the_rest_unless_another_row_is_chosen():
    demo = widgets.BreakIt()
    asked = []
    for _ in range(4):
        asked.append((demo.header.question, len(demo.header.where)))
        demo.next_step()
        label = demo.drawing.enter
        demo.next_step()
    assert label == "And the worst?" and demo.drawing.veiled and sum(demo.drawing.shown) == 5
    assert demo.header.question == "What breaks it most?"
    assert demo.header.where == list(demo.where), "the place would tell the answer"
    demo.drawing.veiled = False
    assert all(demo.drawing.shown) and demo.drawing.by_damage
    places = {"No positions": 2, "No residual": 7, "No feed-forward": 2, "No warm-up": 7}
    asks = "{}: how many new sentences stay right?".format
    assert asked == [(asks(name), count) for name, count in places.items()]
    demo.drawing.shown = [True, True, True, True, True, False, False, True, True, True]
    demo.drawing.chosen = 5
    assert demo.drawing.enter == "Uncover"
    assert demo.header.question == "Only 1 head: how many new sentences stay right?"
    demo.next_step()
    assert demo.drawing.enter == "And the worst?" and not demo.drawing.shown[6]


def test_told_the_row_with_least_left_is_chosen():
    demo = widgets.BreakIt()
    demo.tell()
    assert demo.drawing.rows[demo.drawing.chosen]["name"] == "no causal mask"
    assert demo.drawing.by_damage
