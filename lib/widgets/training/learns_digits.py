"""A training on page 7: a small model learns a task of digits, and its one head's map forms."""

from lib.widgets.training.training import Training

PLACES, EVERY = 10, 20  # digits in a sequence; steps from one report to the next


def learns_digits(new_model, learn, task, steps, **looks_like):
    """A Training whose button trains anew each time.

    new_model() -> a model of digits (B, 10) -> logits (B, 10, 10). learn(model, task, show) makes
    the steps and calls show(step, loss) after each. looks_like: what else Training takes.
    """
    import torch

    def train():
        model = new_model()
        torch.manual_seed(0)  # the same sequences each time

        def show(step, loss):
            if step % EVERY == 0:
                demo.show(step, look(model), loss=loss)

        learn(model, task, show)

    places = [f"place {place}" for place in range(PLACES)]
    demo = Training(look(new_model()), places, steps=steps, start=train, **looks_like)
    return demo


def new_digits():
    """500 sequences that no training has seen."""
    import torch

    return torch.randint(10, (500, PLACES), generator=torch.Generator().manual_seed(1))


def look(model):
    """Where the head looks, on average over 100 new sequences: (1, T, T)."""
    import torch

    from lib.interventions import looking

    with looking(model) as maps, torch.no_grad():
        model(new_digits()[:100])
    return maps["encoder"][0].mean(0).numpy()


def right(model, task):
    """The share of right digits in 500 new sequences."""
    digits = new_digits()
    return (model(digits).argmax(-1) == task(digits)).float().mean().item()
