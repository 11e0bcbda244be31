"""The parts of notebook 12's program: the reader's own where they are right, else the page's.

``text_of`` reads the text that it learns from, ``part`` chooses, and ``looks`` shows where the
program's heads look.
"""

from pathlib import Path

D_MODEL = 6  # of a trial
SHORTEST, LONGEST = 10_000, 500_000  # characters of a text; of a longer one the beginning is read
NO_GRADIENT = (
    "no gradient comes through NumPy, nor through .detach() and .item(); use the tensor's own "
    "methods: x.softmax(-1), x.log_softmax(-1), x.mean()"
)
MOST_KINDS = 300  # different characters: the table of pairs has as many rows and columns


def text_of(path):
    """The text of a file, at most its first LONGEST characters.

    Raises ValueError for a file that is missing, no plain text in UTF-8, or nothing to learn from.
    """
    path = Path(path).expanduser()
    text = _read(path)
    if not text.strip():
        raise ValueError(f"{path} is empty; choose a file with text in it.")
    if "\0" in text:
        raise ValueError(f"{path} is no plain text; save it as text (.txt) in UTF-8.")
    if len(text) < SHORTEST:
        raise ValueError(
            f"{path} has {len(text):,} characters, too few to learn from; take a text of at least "
            f"{SHORTEST:,}, better 100,000."
        )
    kinds = len(set(text))
    if kinds > MOST_KINDS:
        raise ValueError(
            f"{path} has {kinds:,} different characters, and this program counts every pair of "
            f"them; take a text in an alphabet, with at most {MOST_KINDS}."
        )
    return text


def _read(path):
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the path of a file in it.")
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read(LONGEST)
    except FileNotFoundError:
        raise ValueError(
            f"there is no file {path}; a path that does not begin at the top begins at the folder "
            "of this notebook."
        ) from None
    except UnicodeDecodeError:
        raise ValueError(
            f"{path} is no plain text in UTF-8; open it in an editor and save it as text (.txt), "
            "encoding UTF-8."
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None


def part(answer, check):
    """The reader's function where ``check`` calls it right and it can be trained, else the page's.

    Says which. Never raises for what the function does.
    """
    from lib.saved.gpt_parts import PARTS  # only here: the checks of other pages need no torch

    name = check.__name__
    if not check(answer).ok:
        print(f"{name}: the page's, until yours is right")
        return PARTS[name]
    problem = _problem_in_training(name, answer) or _problem_with_tensors(name, answer)
    if problem:
        print(f"{name}: the page's. Yours is right, but {problem}.")
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
        found = answer(*inputs[name])
        if not isinstance(found, torch.Tensor):
            return NO_GRADIENT
        found.sum().backward()
    except Exception as error:  # the reader's own code may fail in any way
        if "numpy" in str(error) or "does not require grad" in str(error):
            return NO_GRADIENT
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return f"training stops in it: {said}"
    return ""


def _problem_with_tensors(name, answer):
    """Why the function cannot stand in a program of tensors; "" if it can."""
    import torch

    ids = torch.tensor([0, 1, 1])
    logits = torch.zeros(1, 3, 2)
    inputs = {
        "pair_shares": (ids, 2, 0.5),
        "write_on": (ids, lambda _ids: logits, lambda _shares: ids[:1], 2, 3, 1.0),
    }
    if name not in inputs:
        return ""
    try:
        found = answer(*inputs[name])
    except Exception as error:  # the reader's own code may fail in any way
        return f"with tensors it stops: {type(error).__name__}: {error}"
    if not isinstance(found, torch.Tensor):
        return f"here it has to return a tensor, not {type(found).__name__}: torch.tensor makes one"
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
