"""Settings of all tests: the same examples on every run, and no deadline on slow machines."""

import os

# Before NumPy is imported: the threads of its linear algebra would compete with the kernels and the
# browser.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")
