"""The reader's own program: ``from lib.mine import my_softmax`` on a page after page 2.

What a check called right is kept in ``mine.py`` beside the pages. A page that goes on with it takes
it from here: the reader's if it stands there and is right, else the course's, and a line says
which. ``lib.checks.exercises`` says how an exercise is kept.
"""

import lib.checks as _checks  # noqa: F401  (the pages say what is kept)
from lib.checks.keeping.registry import KEPT as _KEPT


def __getattr__(name):
    if name not in _KEPT:
        if name.startswith("_"):  # Python asks for __path__ and __all__
            raise AttributeError(name)
        # An AttributeError would be lost: Python says of it that it "cannot import name".
        raise ImportError(f"lib.mine has no {name}; it knows {', '.join(_in_order())}.")
    kept = _KEPT[name]
    print(f"{name}: the course's, until the check on page {kept.page} calls yours right.")
    return kept.course


def __dir__():
    return _in_order()


def _in_order():
    return sorted(_KEPT, key=lambda name: _KEPT[name].page)
