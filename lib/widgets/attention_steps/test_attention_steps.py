"""The widget AttentionSteps; run as a script, this file writes the texts for its JavaScript."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from lib.attention import scaled_dot_product_attention, softmax
from lib.corpus.toy_embeddings import FEW, LEXICON
from lib.masks import causal_mask
from lib.widgets import AttentionSteps
from lib.widgets.attention_steps.attention_steps import COMPARE, SOFTMAX
from tests.widgets.golden import is_fresh, write

KINDS = ["self", "causal", "cross"]
TIMES = "\u00a0×\u00a0"  # a line does not break there


def number(x, places=2):
    return f"{x + 0:.{places}f}".replace("-", "−")


def golden():
    """Sums and quotients as they are spelled out; a masked score is None."""
    rows = [
        ([0.8, -0.3], [1.2, 0.5], 1),
        ([0.6, 0.2, 0.1, 0.8], [0.4, -0.5, 1.5, 0.1], 1),
        ([1.31, 0.37], [1.58, 0.12], 2),
    ]
    products = []
    for row, column, places in rows:
        terms = [
            TIMES.join(f"({number(x, places)})" if x < 0 else number(x, places) for x in pair)
            for pair in zip(row, column, strict=True)
        ]
        value = float(np.dot(row, column))
        sign = "=" if abs(value - round(value, 2)) < 1e-9 else "≈"
        text = f"{' + '.join(terms)} {sign} {number(value)}"
        products.append({"row": row, "column": column, "places": places, "text": text})
    quotients = []
    for row, i in [
        ([0.13, -0.05, -0.17, 1.49], 3),
        ([0.22, -0.03, -np.inf, -np.inf], 2),
        ([500.0, -500.0], 0),
    ]:
        weight = softmax(np.array(row))[i]
        names = [f"e^{number(x)}" if x > -np.inf else "e^−∞" for x in row]
        end = "= exactly 0" if weight == 0 else f"{'=' if weight == 1 else '≈'} {number(weight)}"
        text = f"{names[i]} / ({' + '.join(names)}) {end}"
        quotients.append({"row": [x if x > -np.inf else None for x in row], "i": i, "text": text})
    return {"products": products, "quotients": quotients}


def test_golden_sentences_are_fresh():
    assert is_fresh(__file__, golden())


@pytest.mark.parametrize(
    "sentence", ["it was too tired", "dog", "the animal didn't cross because it"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_equal_to_lib_and_to_torch(kind, sentence):
    demo = AttentionSteps(sentence, kind)
    T, S = (3 if kind == "cross" else len(sentence.split())), len(sentence.split())
    assert demo.weights.shape == (T, S) and demo.output.shape == (T, 3) and demo.K.shape == (S, 2)
    np.testing.assert_allclose(demo.Q, demo.X_queries @ demo.W_Q)
    mask = causal_mask(T) if kind == "causal" else None
    output, weights = scaled_dot_product_attention(demo.Q, demo.K, demo.V, mask)
    np.testing.assert_allclose(demo.output, output)
    np.testing.assert_allclose(demo.weights, weights)
    np.testing.assert_allclose(softmax(demo.scores), demo.weights)
    Q, K, V = map(torch.from_numpy, (demo.Q, demo.K, demo.V))
    theirs = F.scaled_dot_product_attention(Q, K, V, torch.from_numpy(demo.mask))
    np.testing.assert_allclose(demo.output, theirs.numpy(), atol=1e-12)


def test_the_start_is_worth_looking_at():
    demo = AttentionSteps()
    it = demo.tokens.index("it")
    assert demo.tokens == FEW and demo.drawing.pointed["i"] == it
    assert demo.steps.value is None, "it begins with the question, in no step"
    assert demo.tokens[demo.weights[it].argmax()] == "animal" and 0.4 < demo.weights[it].max() < 0.8
    assert demo.weights[it].argmax() != it, "a word need not attend to itself most"
    assert np.abs(demo.drawing.numbers["products"]).max() < 6
    demo.attention.value = "causal"
    assert demo.weights[0].tolist() == [1, 0, 0, 0, 0]


def test_what_the_browser_changes_is_used_and_reset():
    demo = AttentionSteps()
    before = demo.output
    demo.drawing.set_state({"edited": {"it": [1.0, 0.2, 0.1, 0.8]}})
    demo.drawing.set_state({"parameters": demo.drawing.parameters | {"V": [[0.0] * 3] * 4}})
    assert demo.X[2, 0] == 1.0 and not demo.output.any()
    demo.sentence.value = "it was wide"
    assert demo.X[0, 0] == 1.0, "a new word keeps the digits of the others"
    assert demo.X[2].tolist() == LEXICON["wide"]
    demo.drawing.set_state({"step": 6})
    assert demo.steps.value == 6
    demo.reset()
    np.testing.assert_array_equal(demo.output, before)
    assert (demo.steps.value, demo.tokens, demo.drawing.edited) == (None, FEW, {})


def test_the_last_step_is_veiled_until_the_reader_wants_to_see_it():
    demo = AttentionSteps()
    assert demo.drawing.veiled and "“it”" in demo.header.question
    demo.drawing.set_state({"step": 7, "veiled": False})
    demo.steps.value = 1
    assert not demo.drawing.veiled
    demo.attention.value = "cross"
    assert demo.drawing.veiled
    assert demo.header.question == "From which word will “il” take most?"
    demo.steps.value = 7
    assert demo.header.question == "Which number will “il” collect most of?"
    demo.drawing.set_state({"veiled": False})
    demo.reset()
    assert demo.drawing.veiled and demo.steps.value is None


def test_enter_goes_through_the_steps_and_passes_by_a_mask_that_is_not_there():
    made = ["Make Q and K", "Q times K"]
    for kind, after in [
        ("self", ["Divide, softmax", "Make V, collect", ""]),
        ("causal", ["Divide, mask", "Softmax", "Make V, collect", ""]),
        ("cross", ["Divide, softmax", "Make V, collect", ""]),
    ]:
        demo, seen = AttentionSteps(), []
        demo.attention.value = kind
        for _ in made + after:
            seen.append(demo.drawing.enter)
            demo.drawing.presses += 1
        assert seen == made + after


def test_enter_shows_the_row_that_is_asked_about_wherever_one_has_looked():
    demo = AttentionSteps()
    asked, elsewhere = demo.drawing.pointed, {"part": "result", "i": 3, "j": 0, "asks": 3}
    for presses in (1, 2):
        demo.drawing.set_state({"pointed": elsewhere})
        demo.drawing.set_state({"presses": presses})
        assert demo.drawing.pointed == asked, "there are no scores yet"
    asked = asked | {"i": 3, "asks": 3}
    for press in [{"presses": 3}, {"presses": 4}, {"veiled": False}]:
        demo.drawing.set_state({"pointed": elsewhere})
        assert "“was”" in demo.header.question
        demo.drawing.set_state(press)
        assert demo.drawing.pointed == asked and "“was”" in demo.header.question, press


def test_a_step_and_a_press_in_one_message_are_taken_one_after_the_other():
    demo = AttentionSteps()
    demo.drawing.set_state({"presses": 1, "step": COMPARE})
    assert demo.drawing.step == demo.steps.value == SOFTMAX


def test_enter_starts_over_as_reset_does():
    demo = AttentionSteps()
    demo.steps.value = 7
    demo.drawing.set_state({"veiled": False, "edited": {"it": [1.0, 0.2, 0.1, 0.8]}})
    demo.drawing.presses += 1
    assert (demo.steps.value, demo.drawing.edited, demo.drawing.veiled) == (None, {}, True)
    assert not demo.header.moved


def test_another_step_points_at_its_result_and_from_the_scores_on_asks_about_its_row():
    demo = AttentionSteps()
    demo.drawing.set_state({"pointed": {"part": "first", "i": 3, "j": 0, "asks": 3}})
    for step, word in [(0, "it"), (2, "it"), (COMPARE, "was"), (SOFTMAX, "was")]:
        demo.steps.value = step
        assert demo.drawing.pointed == {"part": "result", "i": 3, "j": 0, "asks": 3}
        assert demo.header.question == f"From which word will “{word}” take most?"
    demo.steps.value = 7
    assert demo.header.question == "Which number of “was” will attention change most?"


def test_its_picture_shows_what_it_collects():
    demo = AttentionSteps()
    demo.tell()
    assert demo.steps.value == 7 and not demo.drawing.veiled
    assert demo.V[2].tolist() == [0.6, 0.4, 0.0]
    assert demo.output[2].round(2).tolist() == [0.82, 0.04, 0.49]
    assert round(demo.weights[2, 4] * demo.V[4, 2], 2) == 0.44, "of the state, tired brings most"
    assert abs(demo.output[2] - demo.V[2]).argmax() == 2, "of the three the state changes most"


def test_made_up_numbers_stand_under_no_name():
    demo = AttentionSteps("cats love fish")
    assert demo.drawing.axes == ["1", "2", "3", "4"]
    assert "“cats”, “love”, “fish”" in demo.header.message
    demo.sentence.value = "dog bites man"
    assert demo.drawing.axes[0] == "animate" and demo.header.message == ""


def test_the_question_is_about_it_or_the_first_word():
    demo = AttentionSteps()
    assert demo.header.question == "From which word will “it” take most?"
    demo.sentence.value = "dog bites man"
    assert "“dog”" in demo.header.question and demo.drawing.pointed["i"] == 0
    demo.reset()
    assert demo.drawing.pointed["i"] == 2


def test_sentences_of_all_kinds():
    demo = AttentionSteps()
    demo.sentence.value = "  "
    assert "No words" in demo.header.message and demo.tokens == FEW
    demo.sentence.value = "It was 狗 <script> $x$ $y$ tired!"
    assert (
        demo.tokens == ["It", "was", "狗", "<script>", "$x$", "$y$"]
        and demo.X[0].tolist() == LEXICON["it"]
    )
    assert (
        "six of 7" in demo.header.message
        and "made up, so the axes have no names: “狗”, “<script>”, “$x$”, “$y$”."
        in demo.header.message
    )
    assert demo.sentence.value.endswith("tired!"), "the text in the box is kept"
    demo.sentence.value = "😀" * 200
    assert demo.X[0].tolist() == AttentionSteps("😀" * 200).X[0].tolist(), (
        "made up, but always the same"
    )
    assert demo.header.message.endswith(f"have no names: “{'😀' * 12}…”.")
    demo.sentence.value = "the DOG didn’t"
    assert demo.header.message == ""


@pytest.mark.parametrize("wrong", [{"sentence": " "}, {"attention": "masked"}, {"step": 8}])
def test_wrong_settings_are_named(wrong):
    with pytest.raises(ValueError, match="expected one word or more"):
        AttentionSteps(**wrong)


if __name__ == "__main__":
    write(__file__, golden())
