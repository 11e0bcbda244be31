"""Settings of the tests of lib: each test begins with the same seed."""

import pytest
import torch

# Where its assertions fail, they show the two sides, as those of the tests do.
pytest.register_assert_rewrite("tests.lib.tensors")


@pytest.fixture(autouse=True)
def seeded():
    """What a module starts with is the same for each test, whichever tests ran before it."""
    torch.manual_seed(0)
