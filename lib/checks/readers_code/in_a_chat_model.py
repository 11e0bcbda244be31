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


# part: (as the form calls it, an input, the shape that comes out)
PARTS = {
    "rms_norm": (lambda answer: answer, (np.ones((3, 4)), np.ones(4), 1e-5), (3, 4)),
    "rotary": (_rotary, (np.ones((2, 3, 4)), np.arange(3), 1e4), (2, 3, 4)),
    "swiglu": (_swiglu, (np.ones((3, 4)), *np.ones((2, 4, 5)), np.ones((5, 4))), (3, 4)),
    "grouped_attention": (_grouped_attention, (np.ones((2, 3, 4)), 6), (6, 3, 4)),
}


def parts_that_run(**answers):
    """The reader's functions as parts of a Llama, right or spoilt; of those that run.

    answers: by the name of the part in LlamaForm, as page 15's exercises ask for them. Prints which
    of the two each is. Raises ValueError for another name.
    """
    unknown = set(answers).difference(PARTS)
    if unknown:
        raise ValueError(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
    found = {}
    for name, answer in answers.items():
        as_part, inputs, shape = PARTS[name]
        problem = _problem(answer, inputs, shape)
        print(f"{name}: {problem or 'yours'}")
        if not problem:
            found[name] = as_part(answer)
    return found


def _problem(answer, inputs, shape):
    """Why this answer cannot run in a model; "" if it can."""
    try:
        result = answer(*inputs)
    except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
        return f"the course's, for {stopped(error)}"
    if result is None or result is Ellipsis:
        return "the course's, until yours returns something"
    if np.shape(result) != shape:
        return f"the course's, for yours returns {np.shape(result)} where {shape} is expected"
    return ""
