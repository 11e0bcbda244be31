"""Recipes: the rate of each step, the optimizer's update, what cannot be followed."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from lib.training import AdamW, Recipe, fit, learning_rate
from tests.lib.runs import SHORT, material, transformer, translating

# -- rates and updates -----------------------------------------------------------------------------


def test_the_rate_climbs_straight_and_falls_along_a_cosine():
    recipe = Recipe(steps=50, rate=0.4, warm_up=10)
    rates = [learning_rate(step, recipe) for step in range(1, 51)]
    np.testing.assert_allclose(rates[:10], 0.4 * np.arange(1, 11) / 10)
    np.testing.assert_allclose(
        rates[9:], 0.2 * (1 + np.cos(np.linspace(0, math.pi, 41))), atol=1e-12
    )
    assert max(rates) == rates[9] == 0.4 and rates[29] == pytest.approx(0.2) and rates[-1] == 0


def test_without_warm_up_the_first_rate_is_nearly_the_highest():
    rates = [learning_rate(step, Recipe(steps=50, rate=0.4, warm_up=0)) for step in range(1, 51)]
    assert 0.399 < rates[0] < 0.4 and rates == sorted(rates, reverse=True) and rates[-1] == 0


def test_every_step_is_made_at_its_rate():
    run, rates = translating(), []
    step = run.optimizer.step
    run.optimizer.step = lambda rate: rates.append(rate) or step(rate)
    list(fit(run))
    assert rates == [learning_rate(step, SHORT) for step in range(1, 8)]


def test_weight_decay_shrinks_what_is_not_used():
    """A word that no sentence has gets no gradient; AdamW takes rate * decay of it away."""
    run = translating(replace(SHORT, steps=2, weight_decay=0.5))
    (unused,) = material().english.encode(["<end>"])  # sources have none
    before = run.model.source.tokens.weight[unused].detach().clone()
    list(fit(run))
    kept = math.prod(1 - 0.5 * learning_rate(step, run.recipe) for step in (1, 2))
    torch.testing.assert_close(run.model.source.tokens.weight[unused].detach(), before * kept)


def test_the_update_is_that_of_pytorchs_class_bit_for_bit():
    models = [transformer(), transformer()]
    ours = AdamW(models[0].parameters(), 0.3)
    theirs = torch.optim.AdamW(models[1].parameters(), lr=0.01, betas=(0.9, 0.98), weight_decay=0.3)
    for number in range(3):
        for model in models:
            model.zero_grad()
            torch.manual_seed(number)
            model.encode(torch.randint(3, 9, (2, 5))).square().sum().backward()
        ours.step(0.01)
        theirs.step()
    assert all(
        torch.equal(*pair) for pair in zip(*(m.state_dict().values() for m in models), strict=True)
    )


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": 0}, {"batch": 0}, {"every": 0}, {"warm_up": -1}, {"seed": -1},
        {"steps": 10.5}, {"steps": math.nan}, {"batch": 32.0}, {"seed": "1"},
    ],
)  # fmt: skip
def test_recipes_that_cannot_be_followed_are_refused(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(
        ValueError, match=f"{name}={value!r}.*expected steps, batch and every of at least 1"
    ):
        Recipe(**wrong)


@pytest.mark.parametrize("name", ["rate", "weight_decay", "gloss"])
@pytest.mark.parametrize("value", [-1, math.nan, math.inf, None, "1"])
def test_rates_are_numbers_of_0_or_more(name, value):
    with pytest.raises(ValueError, match=f"{name} = {value!r}; expected 0 or more"):
        Recipe(**{name: value})


@pytest.mark.parametrize("smoothing", [-0.1, 1.5, math.nan, None, "1"])
def test_smoothing_is_a_share(smoothing):
    with pytest.raises(
        ValueError, match=f"smoothing = {smoothing!r}; expected a share from 0 to 1"
    ):
        Recipe(smoothing=smoothing)


def test_numpys_whole_numbers_make_a_recipe():
    assert Recipe(steps=np.int64(5), seed=np.int32(1)) == Recipe(steps=5, seed=1)
