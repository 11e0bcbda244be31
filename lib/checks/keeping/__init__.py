"""What a reader wrote is kept: after a green check a function goes into ``mine.py``.

``registry`` knows which functions, ``needs`` what a function is made of, ``program`` is the file as
text, ``file`` reads, runs and writes it, ``keeper`` puts a function into it. ``lib.mine`` is the
door: later pages take their functions from there.
"""
