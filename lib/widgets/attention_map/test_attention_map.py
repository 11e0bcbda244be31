"""The widget AttentionMap; run as a script, this file writes the numbers for its JavaScript."""

import numpy as np
import pytest

from lib.attention import softmax
from lib.masks import causal_mask
from lib.widgets import AttentionMap
from lib.widgets.attention_map.attention_map import MapDrawing
from tests.widgets.golden import is_fresh, write

WORDS = ["the", "animal", "was", "too", "tired"]


def weights(*shape):
    return softmax(np.random.default_rng(3).standard_normal(shape).astype(np.float32))


def golden():
    """One grid of maps in the two ways it can travel, and each row's largest key."""
    array, top = weights(2, 3, 5), float(weights(2, 3, 5).max())
    return {
        "shape": list(array.shape),
        "top": top,
        "weights": array.ravel().tolist(),
        "float32": list(array.tobytes()),
        "uint8": np.round(array * (255 / top)).astype(np.uint8).ravel().tolist(),
        "largest": array.argmax(-1).ravel().tolist(),
    }


def test_golden_numbers_are_fresh():
    assert is_fresh(__file__, golden())


def test_small_maps_travel_exactly():
    demo = AttentionMap(weights(3, 4, 5), WORDS[:4], WORDS)
    sent = demo.drawing.get_state()
    np.testing.assert_array_equal(
        np.frombuffer(sent["weights"], np.float32).reshape(sent["shape"]), demo.weights
    )
    assert sent["exact"] == {} and sent["names"] == ["head 1", "head 2", "head 3"]
    assert sent["query_tokens"] == WORDS[:4] and sent["key_tokens"] == WORDS


def test_large_maps_travel_as_bytes_and_digits_are_answered_exactly():
    array = weights(2, 80, 90)
    drawing = AttentionMap(array, ["a"] * 80, ["b"] * 90).drawing
    assert len(drawing.weights) == array.size
    steps = np.frombuffer(drawing.weights, np.uint8).reshape(array.shape)
    assert abs(steps * (drawing.top / 255) - array).max() <= drawing.top / 509
    drawing.set_state({"query": 79, "key": 7})  # what the browser sends
    row = array[:, 79]
    exact = drawing.get_state()["exact"]
    assert (exact["query"], exact["key"]) == (79, 7)
    np.testing.assert_allclose(exact["weights"], row[:, 7], rtol=1e-7)
    np.testing.assert_array_equal(exact["leaders"], row.argmax(-1))
    np.testing.assert_allclose(exact["largest"], row.max(-1), rtol=1e-7)
    drawing.show(weights(2, 100, 60), ["a"] * 100, ["b"] * 60)
    assert (drawing.exact["query"], drawing.exact["key"]) == (79, 7), (
        "the answer for new weights comes with them"
    )
    drawing.show(weights(1, 3, 3), WORDS[:3])
    assert drawing.exact == {} and drawing.query == 79, (
        "the place is kept for when the text grows again"
    )


def test_new_weights_are_one_message():
    drawing = AttentionMap(weights(2, 3, 3), WORDS[:3]).drawing
    sent = []
    drawing.send_state = lambda key=None: sent.append(set(key))
    drawing.show(weights(1, 5, 5), WORDS)
    assert (
        len(sent) == 1
        and {"weights", "shape", "query_tokens", "key_tokens", "names", "top"} <= sent[0]
    )


def test_colour_scale():
    few, many = AttentionMap(weights(4, 4), WORDS[:4]), AttentionMap(weights(40, 40), ["w"] * 40)
    assert few.controls == [], "of few keys the colours go from 0 to 1"
    [colours] = many.controls
    assert few.drawing.limit == 1 and many.drawing.limit == min(many.drawing.top, 10 / 40)
    colours.value = "0 to the largest"
    assert many.drawing.limit == many.weights.max()
    many.reset()
    assert colours.value == "automatic" and many.drawing.limit == 10 / 40
    assert AttentionMap(np.zeros((2, 2)), WORDS[:2]).drawing.limit == 1
    compared = AttentionMap(weights(4, 4), WORDS[:4], than=(1, 1))
    assert compared.drawing.limit == compared.weights.max()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            dict(weights=weights(2, 3, 4), query_tokens=WORDS[:3]),
            r"\(2, 3, 4\) do not fit 3 query tokens and 3 key",
        ),
        (
            dict(weights=weights(3, 5), query_tokens=WORDS, key_tokens=WORDS[:3]),
            r"\(1, 3, 5\) do not fit 5 .* expected 3 and 5\. Rows are queries",
        ),
        (dict(weights=np.zeros((1, 0, 0)), query_tokens=[]), "each at least 1"),
        (dict(weights=[[np.nan]], query_tokens=["a"]), "NaN at head 1, row 1 .*at least one key"),
        (dict(weights=[[-0.1]], query_tokens=["a"]), "expected 0 to 1"),
        (dict(weights=[[1.5]], query_tokens=["a"]), "expected 0 to 1"),
        (
            dict(weights=weights(2, 5, 5), query_tokens=WORDS, head_names=["one"]),
            "1 names for weights",
        ),
        (dict(weights=weights(5, 5), query_tokens=WORDS, mask=causal_mask(4)), r"mask \(4, 4\)"),
        (
            dict(weights=weights(5, 5), query_tokens=WORDS, mask=causal_mask(5)),
            "weights of exactly 0 where it is False",
        ),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        AttentionMap(**arguments)


def test_the_weights_are_veiled_until_the_reader_asks():
    demo = AttentionMap(weights(3, 3), WORDS[:3])
    assert demo.drawing.veiled and demo.numbers_on_screen({}).texts == []
    demo.drawing.veiled = False
    demo.show(weights(3, 3), WORDS[:3])
    assert not demo.drawing.veiled, "what a cell shows next is seen at once"
    demo.reset()
    assert demo.drawing.veiled
    assert not MapDrawing().veiled, "a training's map is seen from the start"


def test_reset_and_repr():
    odd = ["<script>", "🙂", "注意力", "انتباه", "$x_1$" * 40]
    demo = AttentionMap(weights(9, 5, 5), odd)
    demo.drawing.set_state({"head": 2, "query": 3, "key": 1, "pinned": True, "solo": 2})
    demo.reset()
    assert [getattr(demo.drawing, name) for name in MapDrawing.state] == [0, 0, 0, False, -1]
    assert repr(demo) == "AttentionMap(9 heads × 5 queries × 5 keys)"


def test_the_first_rows_largest_is_pointed_at_unless_a_cell_is_given():
    drawing = AttentionMap([[[0.2, 0.7, 0.1]], [[0.9, 0.0, 0.1]]], ["it"], "abc").drawing
    assert (drawing.query, drawing.key) == (0, 1)


def test_a_cell_to_begin_with_is_pointed_at_and_comes_back():
    demo = AttentionMap(np.eye(3), "abc", at=(2, 1))
    demo.drawing.query = 0
    demo.reset()
    assert (demo.drawing.query, demo.drawing.key) == (2, 1)
    with pytest.raises(ValueError, match=r"at = \(0, 3\); expected .* to \(2, 2\)"):
        AttentionMap(np.eye(3), at=(0, 3))


def test_a_cell_is_compared_with_another_while_the_weights_have_it():
    demo = AttentionMap(np.eye(3), "abc", at=(2, 1), than=(2, 2))
    assert demo.drawing.than == [2, 2] and demo.drawing.enter == "", "Enter starts over"
    demo.show(np.eye(2), "ab")
    assert demo.drawing.than == []
    with pytest.raises(ValueError, match=r"than = \(3, 0\); expected .* to \(2, 2\)"):
        AttentionMap(np.eye(3), than=(3, 0))


if __name__ == "__main__":
    write(__file__, golden())


def test_ones_own_weights_may_be_shown_at_once():
    weights = np.eye(2)
    assert AttentionMap(weights).drawing.veiled
    demo = AttentionMap(weights, veiled=False)
    assert not demo.drawing.veiled
    demo.drawing.veiled = True
    demo.reset()
    assert not demo.drawing.veiled
