"""The slopes of notebook 3, beside what PyTorch differentiates."""

import numpy as np
import pytest
import torch

from lib.jacobian import QUERIES, query_slope, random_slopes, softmax_slope


@pytest.mark.parametrize("scale", [1.0, 0.25])
def test_the_slopes_are_the_norms_of_what_pytorch_differentiates(scale):
    generator = torch.Generator().manual_seed(3)
    query = torch.randn(16, generator=generator, dtype=torch.float64)
    keys = torch.randn(5, 16, generator=generator, dtype=torch.float64)
    scores = keys @ query * scale
    weights = torch.softmax(scores, 0)
    by_scores = torch.func.jacrev(lambda scores: torch.softmax(scores, 0))(scores)
    by_query = torch.func.jacrev(lambda query: torch.softmax(keys @ query * scale, 0))(query)
    assert softmax_slope(weights.numpy()) == pytest.approx(by_scores.norm().item())
    assert query_slope(weights.numpy(), keys.numpy(), scale) == pytest.approx(
        by_query.norm().item()
    )


def test_what_notebook_3_says_of_other_seeds_and_of_more_keys():
    """Every general sentence of its last experiment, with a seed that the page does not print."""
    raw, scaled = random_slopes(64, is_scaled=False, seed=5), random_slopes(64, seed=5)
    assert raw[0].mean() < scaled[0].mean(), "the softmax's own slope is smaller"
    assert raw[1].mean() > 3 * scaled[1].mean(), "that of the query is larger"
    low, high = np.quantile(raw[1], [0.1, 0.9])
    assert high > 100 * low and len(raw[1]) == QUERIES
    low, high = np.quantile(scaled[1], [0.1, 0.9])
    assert high < 2 * low
    more_keys = random_slopes(64, keys=128, is_scaled=False, seed=5)
    assert more_keys[0].mean() > random_slopes(64, keys=128, seed=5)[0].mean()


@pytest.mark.parametrize("wrong", [{"d_k": "3"}, {"d_k": 0}, {"d_k": 2.5}, {"keys": None}])
def test_sizes_of_random_slopes_are_whole_numbers(wrong):
    with pytest.raises(ValueError, match=r"d_k = .*; expected whole numbers of at least 1"):
        random_slopes(**{"d_k": 4} | wrong)
