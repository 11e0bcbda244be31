"""The reader's four functions in page 15's chat model: how they are called, who stands in for them.

The form of a Llama takes the same four, with other arguments: lib.llama.LlamaForm says which.
"""

import numpy as np

from lib.attention import scaled_dot_product_attention
from lib.checks.run import stopped


def _rotary(answer):
    return lambda x, positions, base, pairs: answer(x, positions, base)


def _swiglu(answer):
    return lambda x, p: answer(x, p.gate, p.up, p.down)


def _grouped_attention(answer):
    def attend(queries, keys, values, mask):
        heads = queries.shape[-3]
        return scaled_dot_product_attention(
            queries, answer(keys, heads), answer(values, heads), mask
        )

    return attend


# on the page: (in LlamaForm, as that calls it, an input, the shape that comes out)
PARTS = {
    "my_rms_norm": ("rms_norm", lambda f: f, (np.ones((3, 4)), np.ones(4), 1e-5), (3, 4)),
    "my_rotary": ("rotary", _rotary, (np.ones((2, 3, 4)), np.arange(3), 1e4), (2, 3, 4)),
    "my_swiglu": (
        "swiglu",
        _swiglu,
        (np.ones((3, 4)), *np.ones((2, 4, 5)), np.ones((5, 4))),
        (3, 4),
    ),
    "my_keys": ("grouped_attention", _grouped_attention, (np.ones((2, 3, 4)), 6), (6, 3, 4)),
}
EQUAL = 0.001  # the largest difference between two ways to compute a score


def parts_that_run(*answers):
    """The reader's functions as parts of a Llama, right or spoilt; of those that run.

    answers: one for each of PARTS. Prints whether it is the reader's or the course's.
    """
    found = {}
    for (name, about), answer in zip(PARTS.items(), answers, strict=True):
        part, as_part, inputs, shape = about
        problem = why_not(answer, inputs, shape)
        print(f"{name}: {problem or 'yours'}")
        if not problem:
            found[part] = as_part(answer)
    return found


def verdict(found, differences):
    """What the comparison says of these parts, one line.

    differences: of the scores from the course's, text by text; None if they were not run. Then the
    page's next line, what the model says, is a record.
    """
    if not found:
        return "0 of 4 are yours: nothing to compare."
    is_whole = len(found) == len(PARTS)
    start = "Equal" if is_whole else f"Not yet all are yours: {len(found)} of 4. So far equal"
    if differences is None:
        return f"{start} to {EQUAL}? Yours did not run. Recorded, with the course's:"
    most = max(differences)
    return f"{start} to {EQUAL}? {bool(most < EQUAL)}, off by at most {most:.2g}."


def why_not(answer, inputs, shape):
    """Why the course's stands in for this answer in a model; "" if it can run there."""
    try:
        result = answer(*inputs)
    except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
        return f"the course's, for {stopped(error)}"
    if result is None or result is Ellipsis:
        return "the course's, until yours returns something"
    if np.shape(result) != shape:
        return f"the course's, for yours returns {np.shape(result)} where {shape} is expected"
    return ""
