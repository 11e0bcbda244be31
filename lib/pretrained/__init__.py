"""Trained models of others, from a folder in the usual layout, in our own functions (page 14).

Such a folder has config.json and model.safetensors: numbers and text, no code. ``attention_maps``
reads the maps of a model that stays as it is, made of torch.nn's layers.
"""

from lib.pretrained.bert_model import Bert, bert
from lib.pretrained.gpt2_model import gpt2
from lib.pretrained.recorded import Recording, recordings
from lib.pretrained.torch_maps import attention_maps

__all__ = ["Bert", "Recording", "attention_maps", "bert", "gpt2", "recordings"]
