"""The parts of notebook 12's program: the reader's own where they are right, else the page's.

``text_of`` reads the text that it learns from, ``part`` chooses, and ``looks`` shows where the
program's heads look.
"""

from pathlib import Path

SHORTEST, LONGEST = 10_000, 500_000  # characters of a text; of a longer one the beginning is read
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
    """The reader's function where it is right and does one real step, else the page's.

    Says which. Never raises for what the function does.
    """
    # Only here: the checks of other pages need no torch.
    from lib.checks.readers_code.gpt_step import problem_at_work
    from lib.saved.gpt_parts import PARTS

    name = check.__name__
    if not check(answer).ok:
        print(f"{name}: the page's, until yours is right")
        return PARTS[name]
    problem = problem_at_work(name, answer)
    if problem:
        print(f"{name}: the page's. Yours is right, but {problem}.")
        return PARTS[name]
    print(f"{name}: yours")
    return answer


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
