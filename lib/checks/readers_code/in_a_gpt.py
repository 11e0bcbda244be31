"""The parts of notebook 12's program: the reader's own where they are right, else the page's.

``text_of`` reads the text that it learns from, ``readable`` shows what it writes, ``part`` chooses,
``gpt_that_learns`` shows it at work, ``looks`` and ``looks_inside`` where heads look.
"""

import re
from pathlib import Path
from types import SimpleNamespace

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
WINDOW, EVERY = 32, 100  # characters that a model looks at, and steps between two reports
CLOSE = {"rtol": 1e-3, "atol": 1e-5}
MOST_KINDS = 300  # different characters; a text of more is read byte by byte
BYTE = 0xE000  # from here on a byte above 127 is a character of its own, of Unicode's private ones
BYTES = re.compile(f"[{chr(BYTE + 128)}-{chr(BYTE + 255)}]+")


def text_of(path):
    """The text of a file, at most its first LONGEST characters.

    In a text of more than MOST_KINDS different ones every byte beyond ASCII is a character of its
    own; ``readable`` puts them together again.

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
    return text if len(set(text)) <= MOST_KINDS else _in_bytes(text)


def _in_bytes(text):
    """One character for each byte in UTF-8, at most LONGEST; those of ASCII are themselves."""
    found = text.encode()[:LONGEST]
    return "".join(chr(byte if byte < 128 else BYTE + byte) for byte in found)


def readable(text):
    """A text as it is read: bytes put together, what makes no character as �."""

    def joined(some):
        return bytes(ord(each) - BYTE for each in some[0]).decode(errors="replace")

    return BYTES.sub(joined, text)


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
    from lib.saved.gpt_parts import GPT, PARTS  # only here: the checks of other pages need no torch

    name = check.__name__
    of_page = {**PARTS, "gpt": GPT}[name]
    if not check(answer).ok:
        print(f"{name}: the page's, until yours is right")
        return of_page
    problem = _problem_at_work(name, answer) if name in PARTS else ""  # a whole GPT has done a step
    if problem:
        print(f"{name}: the page's. Yours is right, but {problem}.")
        return of_page
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


def watched(frame, model, train, look, texts, steps, question, answer=""):
    """A frame in which the model learns at each press of its button, from the same beginning.

    frame: widgets.Training; train(model) yields the number of each step; look(ids (T,)) -> the
    weights (heads, T, T) of the first layer; texts: the list of characters, the ids that are read,
    those that are held out; answer: as the frame has it. Every hundred steps it shows what both
    cost, and what the model writes.
    """
    import copy

    import torch

    from lib.saved.gpt_program import cost, says

    characters, seen, held_out = texts
    shown = held_out[:WINDOW]
    marks = [readable(characters[each]).replace(" ", "␣").replace("\n", "⏎") for each in shown]
    fresh = copy.deepcopy(model.state_dict())

    def reports():
        for step in train(model):
            if step % EVERY == 0 or step == steps:
                yield SimpleNamespace(step=step, steps=steps)

    def begin():
        model.load_state_dict(fresh)
        torch.manual_seed(0)
        view.follow(
            reports(),
            lambda _: look(shown),
            lambda _: readable(says(model, characters, WINDOW, count=60)),
            read=lambda _: cost(model, seen[: len(held_out)], WINDOW),
            new=lambda _: cost(model, held_out, WINDOW),
        )

    names = ["read", "new"]
    view = frame(look(shown), marks, None, steps, names, question, start=begin, answer=answer)
    return view


def gpt_that_learns(frame, GPT, sizes, train, texts, steps, question):
    """(a GPT made with these sizes, the frame in which it learns), as ``watched`` has it.

    sizes: V, D, heads, layers and length. The frame asks how far apart its two losses end.
    """
    import torch

    torch.manual_seed(0)
    model = GPT(*sizes)
    look = looks_inside(model, sizes)
    return model, watched(frame, model, train, look, texts, steps, question, answer="gap")


def trained(answer, model):
    """A GPT of the reader's class, in eval mode, with the numbers of the course's trained model.

    Raises ValueError for a class that is no GPT.
    """
    from lib.checks.gpt_module import works_as

    found = works_as(answer, model)
    if found is None:
        raise ValueError("with the course's numbers this class computes something else.")
    return found


def looks_inside(model, sizes):
    """A function of a text ids (T,): where the heads of a GPT's first layer look, (heads, T, T).

    sizes: V, D, heads, layers and length, as it was made with. What the model has learned so far is
    copied into the course's model, whose weights can be seen.
    """
    import torch

    from lib.checks.gpt_module import in_library
    from lib.interventions import looking

    def look(ids):
        course = in_library(model, *sizes)
        with torch.no_grad(), looking(course) as maps:
            course(ids[None])
        return maps["decoder"][0][0].numpy()

    return look


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
