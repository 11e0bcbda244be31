"""The parts of notebook 12's program: the reader's own where they are right, else the page's.

``part`` chooses, and ``looks`` shows where the program's heads look.
"""

D_MODEL = 6  # of a trial


def part(answer, check):
    """The reader's function where ``check`` calls it right and it can be trained, else the page's.

    Says which. Never raises for what the function does.
    """
    from lib.saved.gpt_parts import PARTS  # only here: the checks of other pages need no torch

    name = check.__name__
    if not check(answer).ok:
        print(f"{name}: the page's, until yours is right")
        return PARTS[name]
    problem = _problem_in_training(name, answer)
    if problem:
        print(f"{name}: the page's. Yours is right, but training stops in it: {problem}.")
        return PARTS[name]
    print(f"{name}: yours")
    return answer


def _problem_in_training(name, answer):
    """Why no gradient comes through the function; "" if one does, or if none is needed."""
    import torch
    from torch import nn

    x = torch.ones(2, 3, D_MODEL, requires_grad=True)  # (B, T, d_model)
    linear, norm = nn.Linear(D_MODEL, D_MODEL), nn.LayerNorm(D_MODEL)
    inputs = {
        "bits": (x, torch.zeros(2, 3, dtype=torch.long)),
        "causal_head": (x, linear, linear, linear),
        "block": (x, linear, linear, norm, norm),
    }
    if name not in inputs:
        return ""
    try:
        answer(*inputs[name]).sum().backward()
    except Exception as error:  # the reader's own code may fail in any way
        return " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return ""


def looks(model, Head, attend, ids):
    """Where the first heads of a model look: weights (heads, T, T), those of one layer.

    attend(x, query, key, value) is what a Head does. Each character gets its own place as its
    value, 1 there and 0 elsewhere, so what a head gives back is its row of weights. ids: (T,).
    """
    import torch

    found = []
    places = torch.eye(len(ids))[None]  # (1, T, T)

    def look(head, given, _output):
        found.append(attend(given[0], head.query, head.key, lambda _x: places)[0])

    heads = _heads_of_first_layer(model, Head)
    hooks = [head.register_forward_hook(look) for head in heads]
    try:
        with torch.no_grad():
            model(ids[None])
    finally:
        for hook in hooks:
            hook.remove()
    return torch.stack(found).numpy()


def _heads_of_first_layer(model, Head):
    """The first head that stands alone, or all heads of the first list of them."""
    from torch import nn

    for module in model.modules():
        if isinstance(module, nn.ModuleList) and isinstance(module[0], Head):
            return list(module)
        if isinstance(module, Head):
            return [module]
    raise ValueError(f"the model has no {Head.__name__}; where should it look?")
