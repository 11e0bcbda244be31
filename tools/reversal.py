"""Train page 8's pair of little models with ten seeds: `tools/reversal.py`.

The weights of the first pair and what was measured of all go to lib/saved/reversal/. Two minutes,
on one thread.
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.saved import reversal
from tools import help_if_asked

SEEDS = range(10)


def measured(name, model):
    """What is asked of a trained model: {field: number}."""
    source, target = reversal.new()
    other, _ = reversal.new(7)
    given = target[:, :-1]
    cross, _ = reversal.maps_of(model, source, given)
    looks = cross[: reversal.DIGITS].argmax(1).tolist()
    return {
        "alone": reversal.alone(model, source, target),
        "another_source": share(reversal.taught(model, other, given, target)),
        "nothing_to_copy": share(reversal.taught(model, source, noise(given), target)),
        "right_looks": sum(
            one == right for one, right in zip(looks, [5, 4, 3, 2, 1, 0], strict=True)
        ),
    }


def share(number):
    return round(number, 3)


def noise(given):
    """Random digits in the place of those that are given."""
    digits, _ = reversal.new(8, len(given))
    return torch.cat([given[:, :1], digits], 1)


def trained(seed):
    """({name: model}, {name: losses})."""
    models = reversal.untrained(seed)
    reports = list(reversal.learn(models, seed))
    losses = {}
    for name in models:
        losses[name] = [float(f"{report.losses[name]:.3g}") for report in reports]
    return models, losses


def main():
    rows = []
    for seed in SEEDS:
        models, losses = trained(seed)
        for name, model in models.items():
            rows.append({"seed": seed, "name": name} | measured(name, model))
            print(rows[-1], flush=True)
            rows[-1]["losses"] = losses[name]
        if seed == SEEDS[0]:
            keep(models)
    lines = ",\n".join(json.dumps(row) for row in rows)
    reversal.RECORD.write_text(f'{{"rows": [\n{lines}\n]}}\n', "utf-8")


def keep(models):
    """Write the weights of a pair."""
    state = {}
    for name, model in models.items():
        for key, tensor in model.state_dict().items():
            state[f"{name}.{key}"] = tensor.contiguous()
    save_file(state, reversal.WEIGHTS)


if __name__ == "__main__":
    help_if_asked(__doc__)
    main()
