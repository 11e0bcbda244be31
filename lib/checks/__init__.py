"""Exercise checks: ``checks.scaling(my_function)`` answers in one line, and names the mistake.

One file for each page's exercises; ``judge.py`` says how to add one. ``checks.summary()`` says
which exercises are right.
"""

from lib.checks.judge import Result
from lib.checks.page_00 import pronoun
from lib.checks.page_01 import all_cosines, cosine, dot_product, worse_but_winning
from lib.checks.page_02 import lead, softmax, weighted_sum
from lib.checks.page_03 import scaling, score_spread, softmax_jacobian
from lib.checks.page_04 import attention, cross_attention
from lib.checks.page_05 import merge_heads, multi_head, parameter_count, split_heads
from lib.checks.page_06 import add_positions, embedding, positions, rotary
from lib.checks.page_07 import encoder_layer, encoder_parameters, layer_norm, post_norm
from lib.checks.page_08 import decoder_layer, greedy, shift_right
from lib.checks.page_09 import causal_mask, is_causal, masked_softmax, padding_mask
from lib.checks.page_10 import batch_loss, label_smoothing, learning_rate, training_step
from lib.checks.page_11 import control, cut_arrow, evidence
from lib.checks.page_12 import (
    bits,
    block,
    causal_head,
    pair_shares,
    top_p,
    windows,
    write_on,
)
from lib.checks.page_13 import biased_heads, fair_share, pieces
from lib.checks.verdicts import CHECKS, remembered, summary

__all__ = [
    "Result",
    "add_positions",
    "all_cosines",
    "attention",
    "batch_loss",
    "biased_heads",
    "bits",
    "block",
    "causal_head",
    "causal_mask",
    "control",
    "cosine",
    "cross_attention",
    "cut_arrow",
    "decoder_layer",
    "dot_product",
    "embedding",
    "encoder_layer",
    "encoder_parameters",
    "evidence",
    "fair_share",
    "greedy",
    "is_causal",
    "label_smoothing",
    "layer_norm",
    "lead",
    "learning_rate",
    "masked_softmax",
    "merge_heads",
    "multi_head",
    "padding_mask",
    "pair_shares",
    "parameter_count",
    "pieces",
    "positions",
    "post_norm",
    "pronoun",
    "rotary",
    "scaling",
    "score_spread",
    "shift_right",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "summary",
    "top_p",
    "training_step",
    "weighted_sum",
    "windows",
    "worse_but_winning",
    "write_on",
]

for _name in set(CHECKS):  # what the checks say is kept, for summary()
    globals()[_name] = remembered(globals()[_name])
