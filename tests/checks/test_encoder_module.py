"""The check of an encoder layer that is a PyTorch module: its table and its inputs."""

import pytest

from lib.attention import multi_head_attention
from lib.checks.encoder_module import random_parameters
from lib.checks.page_07 import layers
from tests.checks.asking import assert_each_row_is_earned, assert_rows_differ


def test_every_sentence_of_its_table_is_earned_by_an_answer_of_the_bank():
    assert_each_row_is_earned("encoder_layer", layers.exercise.tables[0])


@pytest.mark.parametrize("place", range(len(layers.exercise.judged)))
def test_its_rows_differ_from_right_and_from_each_other(place):
    assert_rows_differ(layers.exercise.tables[place])


@pytest.mark.parametrize("case", layers.exercise.cases)
def test_its_softmax_is_not_near_one_hot(case):
    x, heads, d_ff = case
    attention = random_parameters(x.shape[-1], d_ff).attention
    _, weights = multi_head_attention(x, x, x, attention, heads)
    assert weights.max() < 0.95
