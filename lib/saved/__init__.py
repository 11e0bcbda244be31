"""Trained models in files, and what was measured of many.

``load``, ``save`` and what else stands in lib.saved.models bring PyTorch when they are asked for; a
page that only reads what was measured (lib.saved.ladder) does without it, and without its 200 MB.
"""

from importlib import import_module

MODELS = "lib.saved.models"
NAMES = ("FOLDER", "facts", "load", "measured", "names", "numbers", "save", "span")


def __getattr__(name):
    if name not in NAMES:
        raise AttributeError(f"{__name__} has no {name}.")
    return getattr(import_module(MODELS), name)
