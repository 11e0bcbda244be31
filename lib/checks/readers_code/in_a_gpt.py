"""The parts of notebook 12's program: the reader's own where they are right, else the page's.

``text_of`` reads the text that it learns from, ``part`` chooses, and ``looks`` shows where the
program's heads look.
"""

from pathlib import Path

from lib.checks.run import same_random_numbers, stopped

SHORTEST, LONGEST = 10_000, 500_000  # characters of a text; of a longer one the beginning is read
NO_GRADIENT = (
    "no gradient comes through NumPy, nor through no_grad, .detach() and .item(); use the tensor's "
    "own methods: x.softmax(-1), x.log_softmax(-1), x.mean()"
)
AT_WORK = {  # what is said of a part that stops at work, by what torch says
    "view size": "here it is given slices, whose numbers do not lie side by side; write .reshape "
    "in the place of .view",
    "inplace operation": "`x += …` writes over what the gradient still needs: write `x = x + …`",
    "'indices'": "characters are whole numbers, and it makes floats of them: dtype=torch.long",
    "numpy": NO_GRADIENT,
    "does not require grad": NO_GRADIENT,
    "attribute 'backward'": NO_GRADIENT,
}
CLOSE = {"rtol": 1e-3, "atol": 1e-5}
MOST_KINDS = 300  # different characters: the table of pairs has as many rows and columns


def text_of(path):
    """The text of a file, at most its first LONGEST characters.

    Raises ValueError for a file that is missing, no plain text in UTF-8, or nothing to learn from.
    """
    if not isinstance(path, (str, Path)):
        raise ValueError(f"a path is a text in quotes, not {type(path).__name__}.")
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
    from lib.saved.gpt_parts import PARTS  # only here: the checks of other pages need no torch

    name = check.__name__
    if not check(answer).ok:
        print(f"{name}: the page's, until yours is right")
        return PARTS[name]
    problem = _problem_at_work(name, answer)
    if problem:
        print(f"{name}: the page's. Yours is right, but {problem}.")
        return PARTS[name]
    print(f"{name}: yours")
    return answer


def _problem_at_work(name, answer):
    """Why the function cannot do one real step in the place of this part; "" if it can."""
    import torch

    from lib.saved.gpt_parts import PARTS
    from lib.saved.gpt_step import one_step

    def as_tensor(*given):
        found = answer(*given)
        if name in ("pair_shares", "write_on") and not isinstance(found, torch.Tensor):
            kind = type(found).__name__
            raise NoTensorError(f"here it returns a tensor, not {kind}: torch.tensor makes one")
        return found

    try:
        with same_random_numbers():
            found, wanted = one_step({**PARTS, name: as_tensor}), one_step(PARTS)
        by_chance = name == "windows"
        return "" if by_chance else _difference(found, wanted)
    except NoTensorError as error:
        return str(error)
    except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
        said = stopped(error)
        known = [sentence for part, sentence in AT_WORK.items() if part in said]
        return known[0] if known else f"at work {said.rstrip('.')}"


class NoTensorError(TypeError):
    """What a part returned in place of a tensor."""


def _difference(found, wanted):
    """What is wrong where a step of the page's own parts has other numbers; "" if none has."""
    import torch

    from lib.saved.gpt_step import BATCH, LENGTH, RESULTS

    others = [name for name in wanted if not torch.allclose(found[name], wanted[name], **CLOSE)]
    if not others:
        return ""
    if others[0] not in RESULTS:  # what moved otherwise comes behind
        return NO_GRADIENT
    sizes = f"{BATCH} texts of {LENGTH} characters"
    return f"with {sizes} it computes something else: a size is fixed"


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
