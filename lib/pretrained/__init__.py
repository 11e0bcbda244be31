"""Trained models of others, from a folder in the usual layout, in our own functions (page 13).

Such a folder has config.json and model.safetensors: numbers and text, no code.
"""

from lib.pretrained.bert_model import Bert, bert
from lib.pretrained.gpt2_model import gpt2
from lib.pretrained.recorded import Recording, recordings

__all__ = ["Bert", "Recording", "bert", "gpt2", "recordings"]
