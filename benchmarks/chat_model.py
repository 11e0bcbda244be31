"""The chat model in our NumPy against the usual library with the same numbers in float32.

One thread. Needs the model's weights (python3 start.py real) and the library of the tests.
"""

import importlib.util
import itertools
import time

from benchmarks.table import Row
from benchmarks.turns import milliseconds
from tools.real_model import CHAT

TEXT = "The old lighthouse keeper climbed the stairs every evening. " * 32
READ, WRITTEN = 256, 20  # tokens
LEAST = 8  # tokens a second
MOST_SECONDS = 5  # to read the file


def both(side):
    """(the model of this side, the ids of a text)."""
    from benchmarks.usual_llama import usual_llama
    from lib.pretrained import llama

    ours = llama(CHAT)
    ids = ours.words.encode(TEXT)[:READ]
    return (ours if side == "ours" else usual_llama(ours, "sdpa")), ids


def reading(side):
    """A function that reads the text and gives the scores of the next token."""
    import torch

    model, ids = both(side)
    tensor = torch.tensor([ids])

    @torch.no_grad()
    def theirs():
        model(tensor, logits_to_keep=1)

    def ours():
        output, _ = model.run(ids)
        model.logits(output[-1:])

    return ours if side == "ours" else theirs


def writing(side):
    """A function that goes on with a token, with a cache: the reading is not in it."""
    import torch

    model, ids = both(side)
    if side == "ours":
        tokens = itertools.chain.from_iterable(
            model.write(ids[:1], most=READ) for _ in itertools.count()
        )
        return lambda: [next(tokens) for _ in range(WRITTEN)]
    start, options = torch.tensor([ids[:1]]), {"do_sample": False, "pad_token_id": 0}
    options |= {"max_new_tokens": WRITTEN, "min_new_tokens": WRITTEN}
    return lambda: model.generate(start, **options)


def rows():
    if not CHAT.is_file() or importlib.util.find_spec("transformers") is None:
        yield Row(f"the chat model: not measured. {__doc__.splitlines()[2]}", "")
        return
    yield loading()
    ours, theirs, ratio = milliseconds(reading)
    yield Row(
        f"the chat model reads {READ} tokens, with all maps; LlamaForCausalLM without",
        f"{ours:.0f} ms",
        f"{theirs:.0f} ms",
        f"ratio {ratio:.2f}",
    )
    ours, theirs, ratio = milliseconds(writing)
    second = 1000 * WRITTEN / ours
    yield Row(
        f"the chat model writes {WRITTEN} tokens, with a cache",
        f"{second:.1f} tokens a second",
        f"{1000 * WRITTEN / theirs:.1f} tokens a second",
        f"ratio {ratio:.2f}",
        target=f"≥ {LEAST} tokens a second",
        met=second >= LEAST,
    )


def loading():
    from lib.pretrained import llama

    begin = time.perf_counter()
    llama(CHAT)
    seconds = time.perf_counter() - begin
    target, met = f"≤ {MOST_SECONDS} s", seconds <= MOST_SECONDS
    return Row("the chat model is loaded", f"{seconds:.1f} s", target=target, met=met)
