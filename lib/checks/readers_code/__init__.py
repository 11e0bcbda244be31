"""Readers' code at work, where a page goes on with what its exercises ask for.

``in_trained_models`` puts the reader's parts into a model, ``loops_and_steps`` lets their loop,
masks and training step do their work, ``in_a_gpt`` runs their parts in page 12's program.
"""

from lib.checks.readers_code.in_a_gpt import (
    gpt_that_learns,
    looks,
    looks_inside,
    part,
    readable,
    text_of,
    trained,
    watched,
)
from lib.checks.readers_code.in_trained_models import (
    dropped_in,
    layer_to_train,
    new_ones_right,
    translation_by,
)
from lib.checks.readers_code.loops_and_steps import (
    greedy,
    one_step,
    reversed_by,
    right_after_cut,
    trained_by,
    translations_by,
    written_by,
)

__all__ = [
    "dropped_in",
    "gpt_that_learns",
    "greedy",
    "layer_to_train",
    "looks",
    "looks_inside",
    "new_ones_right",
    "one_step",
    "part",
    "readable",
    "reversed_by",
    "right_after_cut",
    "text_of",
    "trained",
    "trained_by",
    "translation_by",
    "translations_by",
    "watched",
    "written_by",
]
