"""Trained models of others, from files in the usual layouts, in our own functions (pages 14, 15).

A folder has config.json and model.safetensors, a GGUF file has all in one: numbers and text, no
code. ``attention_maps`` reads the maps of a model that stays as it is, made of torch.nn's layers.
"""

from lib.pretrained.bert_model import Bert, bert
from lib.pretrained.chat import chat_form
from lib.pretrained.gpt2_model import gpt2
from lib.pretrained.llama_model import Llama, llama
from lib.pretrained.recorded import Recording, recordings
from lib.pretrained.torch_maps import attention_maps

__all__ = [
    "Bert",
    "Llama",
    "Recording",
    "attention_maps",
    "bert",
    "chat_form",
    "gpt2",
    "llama",
    "recordings",
]
