"""Running the learner's function: its result as an array, or a sentence why there is none."""

import dis
import functools
import inspect
import io
import itertools
import random
import sys
import warnings
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace

import numpy as np

MOST_CALLS = 300  # of a function that is handed out; a right answer needs far fewer
MOST_LETTERS = 200  # of somebody else's error message
NO_ARRAY = "a part that you call returns a list; np.array(...) makes an array of it"
NO_SUPER = "super().__init__() comes first in your __init__"
NOTHING_YET = "nothing yet; end it with return and the result"
NOTHING = f"your function returns {NOTHING_YET}."
STOPS_WITH_ARRAYS = "right for tensors; with the NumPy arrays of this page it stops."
NOTHING_TO_PICK = "'NoneType' object is not subscriptable"
TORCH_STYLE = "axes don't match"  # what NumPy says to x.transpose(1, 2)
VALUES_AND_ROWS = "single values and rows in one list; x[0] is the value in a row of one"
A_PRODUCT = "a @ b: the last axis of a has to fit the second last of b"
A_POWER = "a power is written **, not ^"
AS_MANY = "multiplied, the new sizes have to give as many numbers as there are"

TIPS = {
    "axes don't match": "NumPy's transpose wants all axes; swapaxes(1, 2) swaps two",
    "could not broadcast input array": "what stands right of = needs the shape of its place, on "
    "the left",
    "indexing arrays": "places to pick need one length: x.reshape(-1) puts all of them in a row",
    "broadcast": "line the axes up: cut the longer, keepdims=True keeps a column, "
    "x[:, None] makes one",
    "size of tensor a": "line the axes up: keepdim=True keeps a column, x[:, None] makes one; "
    ".mT turns the last two axes round, .T all of them",
    "core dimension": A_PRODUCT,
    "not aligned": A_PRODUCT,
    "converted to Python scalars": "math and float() take one number; np.exp takes a table",
    "batch2 tensor": A_PRODUCT,
    "mat1 and mat2 shapes": f"{A_PRODUCT}; nn.Linear(n, m) takes rows of n numbers",
    "cannot reshape": AS_MANY,
    "is invalid for input of size": AS_MANY,
    "must be tuple of Tensors": "torch.cat and torch.stack take one list: torch.cat([a, b])",
    "list indices": NO_ARRAY,
    "'list' object has no": NO_ARRAY,
    NOTHING_TO_PICK: "a part that you call returns nothing yet; x.sort() never does, np.sort(x) "
    "does",
    "NoneType": "a part that you call returns nothing yet",
    "got None": "a part that you call returns nothing yet",
    "(has 0, ": "a part that you call returns nothing yet",
    "is not callable": "round brackets call a function; square ones pick, as in x[0], and x.shape "
    "and x.T take none",
    "as a data type": "a shape is one tuple: np.zeros((2, 3))",
    "truth value": "min, max and if want one number; np.minimum and np.maximum go cell by cell",
    "negative integer powers": "whole numbers have none; ** comes before /, so a quotient in the "
    "exponent needs brackets around it (and /, not //); or write 10000.0",
    "bitwise_xor": A_POWER,
    "for ^": A_POWER,
    "before Module.__init__": NO_SUPER,
    "attribute '_modules'": NO_SUPER,
    "return_types": "a tensor's max gives values and places; amax gives the values alone",
    "SystemExit": "exit() and sys.exit() end all of Python; write return",
    "expected 4, got 3": "the axis of the heads is missing: split first, (B, H, T, d_k)",
    "Index tensor must have": "gather takes places with as many axes; x[..., None] adds one",
    "Expected target size": "cross_entropy takes the classes on axis 1: scores.transpose(1, 2)",
    "argument 'size'": "a size is a tuple, as in (batch, 1)",
    "view size": "after a transpose, view needs .contiguous() before it; reshape needs nothing",
}
CELL_BY_CELL = "* goes cell by cell, @ is the matrix product; or "
TURNED_ROUND = "; .T turns all axes round, swapaxes(-1, -2) the last two"
OUTSIDE = "{} stands outside your function; take what it is given"
IN_WHICH_ORDER = ". Turn b with swapaxes(-1, -2), or swap a and b?"


class EndlessLoopError(RuntimeError):
    """What ends a loop that calls a function again and again; the message names the function."""


@dataclass(frozen=True)
class Attempt:
    """What came of one call: ``value``, or ``problem``, a sentence.

    error: what the function raised. note: a sentence to say in place of the praise. for_tensors: it
    stops with arrays. is_list: the value was a list.
    """

    value: np.ndarray | None = None
    problem: str = ""
    error: BaseException | None = None
    note: str = ""
    for_tensors: bool = False
    is_list: bool = False


def run(answer, case, names, tensors=False):
    """Call the answer with NumPy arrays; if that fails as tensor code does, with tensors.

    case: its arguments, which are called names. tensors: the page gives tensors, so they come
    first, and arrays only where tensors fail.
    """
    misfit = _misfit(answer, case, names)
    if misfit:
        return Attempt(problem=misfit)
    if tensors:
        return _tensors_first(answer, case, names)
    attempt = _attempt(answer, case, names, np.ndarray.copy)
    if attempt.error is None or not _may_be_tensor_code(attempt.error):
        return attempt
    with_tensors = _attempt(answer, case, names, _tensor)
    if with_tensors.error is None:
        return replace(with_tensors, note=_note_for_tensors(attempt), for_tensors=True)
    wants_tensors = "ensor" in attempt.problem or _misses_a_method_of_tensors(attempt.error)
    forgot_contiguous = TORCH_STYLE in attempt.problem and "view size" in with_tensors.problem
    return with_tensors if wants_tensors or forgot_contiguous else attempt


def run_again(answer, case, names):
    """As run, of an answer that was run before: what it prints has been seen."""
    with redirect_stdout(io.StringIO()):
        return run(answer, case, names)


def _tensors_first(answer, case, names):
    """What came of the call with tensors; where it fails and one with arrays does not, of that."""
    attempt = _attempt(answer, case, names, _tensor)
    if attempt.error is None:
        return attempt
    with redirect_stdout(io.StringIO()):  # what it prints has been seen
        with_arrays = _attempt(answer, case, names, np.ndarray.copy)
    return attempt if with_arrays.error is not None else with_arrays


def _note_for_tensors(with_arrays):
    """What to say if the same code stops with the arrays of the page, though tensors are fine."""
    if TORCH_STYLE in with_arrays.problem:
        return "right for tensors; NumPy arrays need swapaxes(1, 2)."
    if isinstance(with_arrays.error, ValueError):
        return STOPS_WITH_ARRAYS
    return ""


def _misfit(answer, case, names):
    """Why the answer cannot be called with this case; "" if it can."""
    called = f"your function is called with ({', '.join(names)})"
    if inspect.iscoroutinefunction(answer) or inspect.isasyncgenfunction(answer):
        return "your function is async, so it returns a promise; write def without async."
    try:
        signature = inspect.signature(answer)
    except ValueError:  # a built-in function that does not list its parameters
        return ""
    except TypeError as error:
        return f"{called}, but its parameters do not fit: {_text(error)}."
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            return f"{called}, but {name} can be given by name only; remove the * before it."
    try:
        signature.bind(*case)
    except TypeError as error:
        return f"{called}, but its parameters do not fit: {_text(error)}."
    return ""


def _attempt(answer, case, names, convert):
    """One call with copies that ``convert`` makes of the case's arrays."""
    given = [_prepared(x, name, convert) for x, name in zip(case, names, strict=True)]
    untouched = [_prepared(x, name, convert) for x, name in zip(case, names, strict=True)]
    value, error = _call_once(answer, given)
    if error is not None:
        return Attempt(problem=why_stopped(error, case, names), error=error)
    try:
        for name, before, after in zip(names, untouched, given, strict=True):
            if not callable(before) and not np.array_equal(floats(before), floats(after)):
                return Attempt(problem=f"your function changes its input {name}; work on a copy.")
        return Attempt(numbers(value), is_list=isinstance(value, (list, tuple)))
    except Exception as error:  # an object of the learner's own may fail in any way
        return Attempt(problem=f"your function returns {_text(error)}.")


def _call_once(answer, given):
    """(what it returns, None), or (None, what it raised)."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            return answer(*given), None
    except (Exception, SystemExit) as error:  # whatever fails there, the page goes on
        return None, error


def _prepared(x, name, convert):
    if callable(x):
        return _wrapped(x, name, convert)
    return convert(x) if isinstance(x, np.ndarray) else x


def _wrapped(function, name, convert):
    """A function for the learner's: takes arrays or tensors, and ends an endless loop."""
    calls = itertools.count(1)
    signature = inspect.signature(function)

    @functools.wraps(function)
    def wrapped(*arguments, **named):
        if next(calls) > MOST_CALLS:
            raise EndlessLoopError(f"your loop does not end: it called {name} {MOST_CALLS} times")
        if any(argument is None for argument in arguments):
            raise TypeError(f"{name} got None")
        # bind's own error names the argument that is missing
        arguments = signature.bind(*arguments, **named).args
        return convert(function(*map(floats, arguments)))

    return wrapped


def _tensor(array):
    import torch  # only here: most answers need no torch, and it takes a second to load

    return torch.tensor(array.tolist())


def _may_be_tensor_code(error):
    """Not every error loads torch, but the same errors do, whether it is loaded already or not."""
    text = _text(error)
    if NOTHING_TO_PICK in text:  # x.sort()[1] of a tensor are its places
        return False
    return isinstance(error, (AttributeError, TypeError, ValueError)) or "ensor" in text


def _misses_a_method_of_tensors(error):
    """Whether an array was asked for what a tensor can do, as in scores.masked_fill(...)."""
    import torch  # loaded already: tensors were tried

    return isinstance(error, AttributeError) and hasattr(torch.Tensor, error.name or "")


def why_stopped(error, case, names, tips=()):
    """The sentence for an error. tips: (part of what it says, tip) pairs, before TIPS."""
    if isinstance(error, NotImplementedError) and not error.args:
        return "your function is not written yet."
    return f"{stopped(error, case, tips)} ({inputs(case, names)})."


def stopped(error, case=(), tips=()):
    """Without a full stop: what stopped the learner's function, and a tip. case: its inputs."""
    if isinstance(error, EndlessLoopError):
        return f"{error}{_tip(str(error), case, tips)}"
    return f"your function stopped with {said_by(error, case, tips)}"


def said_by(error, case=(), tips=()):
    """TypeError: its message [a tip]"""
    text = _text(error)
    says = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return f"{says}{_tip(says, case, tips, error)}"


def inputs(case, names):
    """inputs: scores (2, 3, 4)"""
    return "inputs: " + ", ".join(_with_shape(name, x) for name, x in zip(names, case, strict=True))


def _with_shape(name, x):
    return name if callable(x) else f"{name} {np.shape(x) or x}"


def _tip(says, case, tips, error=None):
    for part, tip in (*tips, *TIPS.items()):
        if part in says:
            return f" [{_with_operator(tip, case, error)}]"
    return ""


def _with_operator(tip, case, error):
    """The tip, and what the line that stopped has in it: *, or .T of many axes."""
    code, operator, names = _where(error)
    if tip in (TIPS["broadcast"], TIPS["size of tensor a"]) and operator in ("*", "*="):
        return CELL_BY_CELL + tip
    if tip != A_PRODUCT:
        return tip
    if names:
        return f"{tip}. {OUTSIDE.format(' and '.join(names))}"
    turns_all = "T" in getattr(code, "co_names", ()) and any(np.ndim(x) > 2 for x in case)
    return tip + (TURNED_ROUND if turns_all else IN_WHICH_ORDER)


def _where(error):
    """(the code that raised this; its operator there, as in *, or ""; the page's arrays in it)."""
    trace = getattr(error, "__traceback__", None)
    while trace and trace.tb_next:
        trace = trace.tb_next
    if not trace:
        return None, "", []
    code, known = trace.tb_frame.f_code, trace.tb_frame.f_globals
    steps = {step.offset: step for step in dis.get_instructions(code)}
    step = steps.get(trace.tb_lasti)
    arrays = [name for name in code.co_names if isinstance(known.get(name), np.ndarray)]
    return code, step.argrepr if step and step.opname == "BINARY_OP" else "", arrays


def _text(error):
    """The error's message on one line; an error of the learner's own may fail even here."""
    try:
        text = str(error).split(", with gufunc")[0]
    except Exception:
        return "an error that cannot be printed"
    return " ".join(text.split())[:MOST_LETTERS]


@contextmanager
def same_random_numbers():
    """Afterwards the learner's next cell draws what it would have drawn without this."""
    torch = sys.modules.get("torch")  # where it is not loaded, nobody has set its seed
    of_torch = torch.get_rng_state() if torch else None
    of_python, of_numpy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(of_python)
        np.random.set_state(of_numpy)
        if torch:
            torch.set_rng_state(of_torch)


# What is returned


def numbers(value):
    """Numbers, lists, arrays or tensors as an array; TypeError says what there is instead."""
    if value is None or value is Ellipsis:
        raise TypeError(NOTHING_YET)
    if _is_several(value):
        kind = "arrays" if all(_axes(x) > 0 for x in value) else "results"
        raise TypeError(f"{len(value)} {kind}; return the output alone")
    array = _array(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(_not_numbers(value, array))
    return array


def floats(value):
    """The same as float64."""
    return numbers(value).astype(float)


def _array(value):
    if hasattr(value, "detach"):
        return _array_of_tensor(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _array_of_integer(value)
    try:
        return np.asarray(value)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        if any(_axes(x) == 0 for x in value):
            raise TypeError(VALUES_AND_ROWS) from None
        raise TypeError("rows of different lengths; make them equally long") from None


def _array_of_tensor(tensor):
    tensor = tensor.detach().cpu()
    try:
        return np.asarray(tensor)
    except (TypeError, RuntimeError):
        kind = f"{tensor.dtype}, {tensor.layout}, device {tensor.device}"
        raise TypeError(f"a tensor that NumPy cannot read ({kind}); return float32") from None


def _array_of_integer(value):
    """Python's integers have no largest one; NumPy's have."""
    try:
        return np.asarray(float(value))
    except OverflowError:
        digits = int(value.bit_length() * np.log10(2))
        raise TypeError(f"a number of about {digits} digits; look for a power too many") from None


def _not_numbers(value, array):
    kind = type(value).__name__
    if isinstance(value, np.ndarray):
        return f"an array of dtype {array.dtype}, not real numbers"
    if kind == "function":
        return "something of type function, not real numbers; return its result"
    if kind == "generator":
        return "something of type generator, not real numbers; write return, not yield"
    return f"something of type {kind}, not real numbers"


def _axes(x):
    """The number of axes of an array or tensor, of a list the depth; ragged lists count as 1."""
    try:
        return np.ndim(x)
    except ValueError:
        return 1


def _is_several(value):
    """Whether these are several results (``return weights, scores``), and not the rows of one."""
    if not isinstance(value, (tuple, list)) or len(value) < 2:
        return False
    if not any(hasattr(x, "shape") for x in value):
        return False
    same_shape = len({np.shape(x) for x in value}) == 1
    if isinstance(value, tuple):
        return not same_shape or _axes(value[0]) > 1
    return not same_shape and any(_axes(x) > 1 for x in value)
