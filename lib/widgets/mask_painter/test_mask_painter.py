"""The widget MaskPainter; run as a script, this file writes the texts for its JavaScript."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lib.attention import softmax
from lib.masks import causal_mask, padding_mask, window_mask
from lib.widgets import MaskPainter
from lib.widgets.mask_painter.mask_painter import AFTER, LARGEST, SCORES, TOKENS
from tests.widgets.golden import is_fresh, write

ROW = SCORES[0]


def number(x, places=2):
    return f"{x + 0:.{places}f}".replace("-", "−")


def golden():
    """Every weight of a row in words, by what is blocked and where the mask stands."""
    cases = []
    for allowed in ([1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 1, 0], [0, 0, 0, 1, 0, 0]):
        for after, renormalise in ((False, False), (True, False), (True, True)):
            texts = weights_in_words(np.array(allowed, bool), after, renormalise)
            case = {"allowed": [bool(one) for one in allowed], "after": after}
            cases.append(case | {"renormalise": renormalise, "texts": texts})
    return {"scores": ROW.tolist(), "cases": cases, "states": states()}


def states():
    """What is sent to the drawing: at the start, one cell blocked, cut afterwards, a black row."""
    demo, found = MaskPainter(), {"tokens": TOKENS}

    def keep(name):
        found[name] = {"mask": demo.drawing.mask, "shown": demo.drawing.shown}

    keep("start")
    ask(demo)
    keep("blocked")
    demo.after.value = True
    keep("cut")
    demo.after.value = False
    demo.drawing.mask = [[False] * 6, *demo.drawing.mask[1:]]
    keep("black")
    return found


def ask(demo, row=0):
    """What the browser sends: the row that is pointed at, and Enter."""
    demo.drawing.set_state({"here": [row, 3]})
    demo.drawing.presses += 1


def weights_in_words(allowed, after, renormalise):
    """What is said of each weight of ROW."""
    shares, masked = softmax(ROW), softmax(np.where(allowed, ROW, -np.inf))
    seen = ROW if after else ROW[allowed]
    powers = " + ".join(f"e^{number(x, 1)}" for x in seen)
    if len(seen) > 1:
        powers = f"({powers})"
    texts = []
    for j, score in enumerate(ROW):
        if not allowed[j] and after:
            texts.append(f"{number(shares[j])} × 0 = 0: blocked")
        elif not allowed[j]:
            texts.append("blocked, exactly 0")
        elif renormalise:
            left = number(shares[allowed].sum())
            texts.append(f"{number(shares[j])} ÷ row sum {left} ≈ {number(masked[j])}")
        else:
            weight = shares[j] if after else masked[j]
            sign = "=" if weight == 1 else "≈"
            texts.append(f"e^{number(score, 1)} / {powers} {sign} {number(weight)}")
    return texts


def press(demo, name):
    next(control for control in demo.controls if control.description == name).click()


def test_golden_sentences_are_fresh():
    assert is_fresh(__file__, golden(), 1e-9)


def test_presets_are_the_masks_of_lib_and_the_digits_those_of_lib_and_torch():
    demo = MaskPainter()
    padding = np.repeat(padding_mask([4], 6)[0], 6, axis=0)
    presets = {
        "causal": causal_mask(6),
        "padding": padding,
        "both": causal_mask(6) & padding,
    }
    presets |= {"window": window_mask(6, 1), "all": np.ones((6, 6), bool)}
    for name, mask in presets.items():
        press(demo, name)
        np.testing.assert_array_equal(demo.mask, mask)
        np.testing.assert_allclose(softmax(demo.scores), demo.weights)
        theirs = F.scaled_dot_product_attention(
            *map(torch.tensor, (SCORES, np.eye(6), np.eye(6), mask)), scale=1
        )
        np.testing.assert_allclose(demo.weights, theirs.numpy(), atol=1e-12)
        np.testing.assert_array_equal(demo.drawing.shown["weights"], demo.weights)


def test_after_the_softmax_rows_lose_weight_and_renormalising_gives_it_back():
    demo = MaskPainter(mask=causal_mask(6))
    before = demo.weights
    assert demo.renormalise.disabled
    demo.after.value = True
    assert not demo.renormalise.disabled and (demo.weights.sum(axis=1)[:-1] < 0.999).all()
    np.testing.assert_array_equal(demo.weights, softmax(SCORES) * causal_mask(6))
    np.testing.assert_array_equal(demo.scores, SCORES)
    demo.renormalise.value = True
    np.testing.assert_allclose(demo.weights, before, atol=1e-7)
    demo.after.value = False
    assert demo.renormalise.disabled
    np.testing.assert_array_equal(demo.weights, before)


@pytest.mark.parametrize("after", [False, True])
def test_a_black_row_gives_zeros_and_says_what_others_give(after):
    demo = MaskPainter()
    demo.after.value = demo.renormalise.value = after
    mask = np.ones((6, 6), bool)
    mask[2] = False
    demo.drawing.set_state({"mask": mask.tolist()})  # as the browser does
    assert not demo.weights[2].any() and np.isfinite(demo.weights).all()
    alone = F.softmax(torch.full((6,), -torch.inf), dim=-1)
    assert alone.isnan().all(), "the sentence says: 0 by 0"
    demo.reset()
    assert demo.mask.all() and demo.after.value is False and demo.weights[2].any()


def test_the_start_is_worth_looking_at():
    demo = MaskPainter()
    assert demo.weights[0].argmax() == 3, "it looks at tired most"
    assert demo.mask.all(), "the answer is not on the screen yet"
    assert demo.weights[:4, 4:].max() > 0.4, "padding takes a large share until it is masked"


def test_enter_tells_the_story_of_the_row_that_is_pointed_at():
    demo = MaskPainter()
    drawing = demo.drawing
    told = [
        ("Block the largest", LARGEST, 1),
        ("Mask after softmax", AFTER, 0.56),
    ]
    for label, question, sum_of_row in told:
        assert drawing.enter == label
        ask(demo, row=1)
        assert demo.header.question == question and drawing.veiled
        assert (~demo.mask[1]).sum() == 1 and demo.mask[0].all()
        assert demo.weights[1].sum() == pytest.approx(sum_of_row, abs=0.01)
        drawing.veiled = False
    assert drawing.enter == "", "Enter starts over"
    ask(demo)
    assert demo.mask.all() and drawing.done == 0 and demo.header.question == LARGEST


def test_only_the_first_mask_is_veiled():
    demo = MaskPainter()
    press(demo, "all")
    assert not demo.drawing.veiled
    press(demo, "causal")
    assert demo.drawing.veiled and demo.drawing.done == 1
    demo.drawing.veiled = False
    press(demo, "padding")
    assert not demo.drawing.veiled
    demo.reset()
    press(demo, "window")
    assert demo.drawing.veiled


@pytest.mark.parametrize("mask", [causal_mask(5), np.ones((6, 6)), [[True]]])
def test_wrong_masks_are_named(mask):
    with pytest.raises(ValueError, match=r"expected \(6, 6\) booleans, True = may attend"):
        MaskPainter(mask)


if __name__ == "__main__":
    write(__file__, golden())
