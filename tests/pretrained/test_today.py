"""The chat model of page 15: its talk, what is measured of it, and what was recorded."""

import re

import nbformat
import numpy as np
import pytest

import lib.layers
from lib.checks.readers_code.in_a_chat_model import PARTS, verdict
from lib.pretrained import today
from lib.pretrained.chat import END
from lib.pretrained.talk import FULL, LONGEST, Talk, packed, recorded_talk
from tools import record

PLACES = r'chat\.measured\(\s*"(\w+)"'  # on the page
IDS = [3, 1, 2, 0]
with_weights = pytest.mark.skipif(
    not today.FILE.is_file(), reason="python3 start.py real fetches the chat model"
)


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """What a reader has who has not fetched the weights."""
    return today.ChatModel(tmp_path_factory.mktemp("none") / "none")


@pytest.fixture(scope="module")
def chat():
    return today.ChatModel()


# -- without the weights ---------------------------------------------------------------------------


def test_every_number_of_the_page_was_recorded(without):
    cells = nbformat.read(record.TODAY, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    names = re.findall(PLACES, code)
    assert sorted(names) == sorted(without._recorded), "run tools/record.py 15"
    for name in names:
        assert np.isfinite(without._recorded[name]).all()


def test_one_question_has_its_recorded_answer(without):
    talk = without.talk(today.FRANCE)
    said = [talk.said(number) for number in range(talk.length())]
    assert "".join(one.word for one in said) == f"The capital of France is Paris.{END}"
    for number, one in enumerate(said):
        assert one.looks.shape == (30, 9, len(talk.places) + number)
        assert np.abs(one.looks.sum(-1, dtype=int) - FULL).max() <= one.looks.shape[-1] / 2
        assert (one.word, one.share) == one.best[0], "the most probable one was written"
    with pytest.raises(ValueError, match=r"start\.py real.* In its place: What is the capital"):
        without.talk("Who wrote Hamlet?")


def test_a_talk_comes_back_as_it_was_packed(tmp_path):
    question, talk = recorded_talk()
    arrays, about = packed(question, talk, 3)
    record.write(tmp_path / "three", arrays, about)
    again, other = recorded_talk(tmp_path / "three")
    assert again == question and other.length() == 3 and other.places == talk.places
    for number in range(3):
        one, another = talk.said(number), other.said(number)
        assert (one.word, one.share, one.best) == (another.word, another.share, another.best)
        assert np.array_equal(one.looks, another.looks)


def test_an_answer_goes_on_after_an_interrupt():
    begun = []

    def answer():
        begun.append(len(begun))
        for number in range(3):
            if number == 2 and begun == [0]:
                raise KeyboardInterrupt
            yield number + 1

    talk = Talk([], answer)
    with pytest.raises(KeyboardInterrupt):
        talk.length()
    assert [talk.said(number) for number in range(4)] == [1, 2, 3, None]
    assert begun == [0, 1]


# -- what is measured ------------------------------------------------------------------------------


def test_a_cost_is_minus_log2_of_the_share():
    scores = np.log(np.float32([[0.5, 0.25, 0.125, 0.125]] * 3)) + 7
    before = scores.copy()
    np.testing.assert_allclose(today.cost_of(scores, np.array(IDS)), [2, 3, 1], atol=1e-6)
    assert np.array_equal(scores, before)


@pytest.mark.parametrize("texts", [["a", "longer", ""], ["one"]])
def test_letters_are_texts_again(texts):
    assert today.texts_of(today.letters(texts)) == texts


def test_keys_shared_in_turn_are_another_order():
    q, k, v = np.random.default_rng(0).standard_normal((3, 4, 5, 2))
    output, weights = today.shared_in_turn(q, k[:2], v[:2], None)
    assert output.shape == (4, 5, 2) and weights.shape == (4, 5, 5)
    for head in range(4):
        one, _ = today.scaled_dot_product_attention(q[head], k[head % 2], v[head % 2])
        np.testing.assert_allclose(output[head], one)


def test_the_comparison_of_a_part_is_no_success_of_the_whole():
    parts = {name: None for name, *_ in PARTS.values()}
    one = {"swiglu": None}
    assert verdict({}, [0.0]) == "0 of 4 are yours: nothing to compare."
    assert verdict(parts, [1e-5, 7e-5]) == "Equal to 0.001? True, off by at most 7e-05."
    assert verdict(parts, [0.01, 0.021]) == "Equal to 0.001? False, off by at most 0.021."
    assert verdict(one, [0.0]).startswith("Not yet all are yours: 1 of 4. So far equal to 0.001? ")
    assert verdict(one, None).endswith("Yours did not run. Recorded, with the course's:")


# -- with the weights ------------------------------------------------------------------------------


@with_weights
def test_the_recorded_answer_is_the_models(chat, without):
    mine, theirs = chat.talk(today.FRANCE), without.talk(today.FRANCE)
    assert mine.places == theirs.places
    for number in range(3):
        one, other = mine.said(number), theirs.said(number)
        assert one.word == other.word and abs(one.share - other.share) < 1e-3
        assert np.abs(one.looks.astype(int) - other.looks).max() <= 1
    with pytest.raises(ValueError, match=f"tokens; expected {LONGEST} at most"):
        chat.talk("word " * (LONGEST + 1))


@with_weights
def test_costs_are_the_scores_of_the_model(chat):
    text = today.PROSE[0][:40]
    rows = today.cost_of_faults(chat, [text])
    assert rows.shape == (1 + len(today.FAULTS), 2) and rows[0, 1] == 0 and (rows[1:, 1] > 1).all()
    ids = chat.llama.words.encode(text)
    output, _ = chat.llama.run(ids)
    scores = chat.llama.logits(output).astype(float)
    shares = np.exp(scores - np.log(np.exp(scores).sum(-1, keepdims=True)))
    costs = [-np.log2(shares[place, token]) for place, token in enumerate(ids[1:])]
    np.testing.assert_allclose(rows[0, 0], np.mean(costs), atol=1e-4)


@with_weights
def test_a_forgotten_epsilon_says_paris_and_is_found(chat):
    parts = {"rms_norm": lambda x, gain, epsilon: lib.layers.rms_norm(x, gain, 0)}
    [said] = today.texts_of(today.said_with(parts)(chat, [today.CAPITAL]))
    assert said.startswith(" Paris.")
    assert max(today.beside_with(parts)(chat, today.PROSE[:1])) > 0.01


@with_weights
def test_who_may_not_look_at_the_first_place_looks_elsewhere(chat):
    shares = today.first_shares(chat, today.PROSE[:1])
    assert shares.shape == (2, 30) and (shares > 0).all() and (shares < 1).all()
    costs = np.array(today.cost_without(chat, today.PROSE[:1], [0]))
    assert costs.shape == (2, 2) and costs[0, 0] == costs[0, 1]
    assert costs[1, 1] > costs[0, 1] + 1, "stopped for the later tokens alone"
