"""The check of an encoder layer that is a PyTorch module: its table and its inputs."""

import numpy as np
import pytest

from lib.attention import multi_head_attention
from lib.checks.modules import random_parameters
from lib.checks.page_07 import LAYER
from tests.checks.asking import heard_by_right, heard_by_wrong
from tests.checks.bank import BANK


def test_every_sentence_of_its_table_is_earned_by_an_answer_of_the_bank():
    answers = BANK["encoder_layer"]
    said = {heard_by_right("encoder_layer", i).message for i in range(len(answers.right))}
    said |= {heard_by_wrong("encoder_layer", i).message for i in range(len(answers.wrong))}
    never = [row.message for row in LAYER.tables[0] if row.message not in said]
    assert not never, f"no answer of the bank earns {never}; add one, or delete the row"


@pytest.mark.parametrize("table", LAYER.tables)
def test_its_rows_differ_from_right_and_from_each_other(table):
    for i, row in enumerate(table):
        for other in table[:i]:
            if other.message != row.message:
                assert np.abs(row.value - other.value).max() > 1e-2, row.message


@pytest.mark.parametrize("case", LAYER.cases)
def test_its_softmax_is_not_near_one_hot(case):
    x, heads, d_ff = case
    attention = random_parameters(x.shape[-1], d_ff).attention
    _, weights = multi_head_attention(x, x, x, attention, heads)
    assert weights.max() < 0.95
