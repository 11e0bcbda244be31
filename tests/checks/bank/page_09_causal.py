"""Page 9, masking: answers to is_causal."""

import numpy as np
import torch

from tests.checks.bank import right, wrong


def words_of(T, d):
    return np.random.default_rng(7).standard_normal((T, d))


def moved(run, x, j):
    """Which rows move when word j changes."""
    changed = x.copy()
    changed[j] = 99
    return (run(changed) != run(x)).any(axis=1)


@right("is_causal")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x.copy()
        changed[j] = 99
        if not np.array_equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@right("is_causal")
def _(run, T, d):  # shorter and shorter sentences
    x = words_of(T, d)
    whole = run(x)
    return all(np.allclose(run(x[:t]), whole[:t]) for t in range(1, T))


@right("is_causal")
def _(run, T, d):  # NaN finds its way through every leak
    for j in range(1, T):
        x = words_of(T, d)
        x[j:] = np.nan
        if np.isnan(run(x)[:j]).any():
            return False
    return True


@right("is_causal")
def _(run, T, d):
    x = torch.randn(T, d)
    for j in range(T):
        changed = x.clone()
        changed[j] = 99
        if not np.array_equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


@wrong("is_causal", "you cut the sentence off")
def _(run, T, d):
    x = words_of(T, d)
    return all(np.array_equal(run(x)[:j], run(x[:j])) for j in range(1, T))


@wrong("is_causal", "the last word is never changed")
def _(run, T, d):
    x = words_of(T, d)
    return not any(moved(run, x, j)[:j].any() for j in range(T - 1))


@wrong("is_causal", "return True stand after the loop")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(T):
        return not moved(run, x, j)[:j].any()


@wrong("is_causal", "return True stands after the loop")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        return not moved(run, x, j)[:j].any()


@wrong("is_causal", "right for tensors; with the NumPy arrays of this page it stops")
def _(run, T, d):
    x = torch.randn(T, d)
    for j in range(1, T):
        changed = x.clone()
        changed[j] = 99
        if not torch.equal(run(x)[:j], run(changed)[:j]):
            return False
    return True


wrong("is_causal", "nothing yet; end it with return")(lambda run, T, d: ...)
wrong("is_causal", "no leak is found")(lambda run, T, d: True)


@wrong("is_causal", "no leak is found")  # run never sees the changed words
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[1:] = 99
    return np.array_equal(run(x)[:1], run(x)[:1])


@wrong("is_causal", "True and False are swapped")
def _(run, T, d):
    x = words_of(T, d)
    return any(moved(run, x, j)[:j].any() for j in range(T))


@wrong("is_causal", "look at the rows before it")
def _(run, T, d):
    x = words_of(T, d)
    return not any(moved(run, x, j).any() for j in range(T))


@wrong("is_causal", "you changed an earlier word")
def _(run, T, d):
    x = words_of(T, d)
    return not any(moved(run, x, j)[j + 1 :].any() for j in range(T))


@wrong("is_causal", "you changed the last word only")
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[-1] = 99
    return np.array_equal(run(x)[:-1], run(changed)[:-1])


@wrong("is_causal", "you cut at one place only")
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[T // 2 :] = 99
    return np.array_equal(run(x)[: T // 2], run(changed)[: T // 2])


@wrong("is_causal", "you changed the second word only")
def _(run, T, d):
    x = words_of(T, d)
    return not moved(run, x, 1)[:1].any()


@wrong("is_causal", "you looked at the first row only")
def _(run, T, d):
    x = words_of(T, d)
    changed = x.copy()
    changed[1:] = 99
    return np.array_equal(run(x)[0], run(changed)[0])


@wrong("is_causal", "a faint leak passes")
def _(run, T, d):
    x = words_of(T, d)
    for j in range(1, T):
        changed = x.copy()
        changed[j] += 1
        if not np.allclose(run(x)[:j], run(changed)[:j], atol=0.1):
            return False
    return True
