"""GGUF files: every number as it was written; what is cut off, hostile or of another kind."""

import re
import resource
import struct
import subprocess
import sys

import numpy as np
import pytest

from lib.pretrained.gguf_file import GGUFFile
from lib.pretrained.packed import FEW, Packed
from tests.pretrained.gguf_writer import gguf_bytes, packed
from tools.course import ROOT

SETTINGS = {
    "general.architecture": "llama",
    "count": 7,
    "share": 0.25,
    "yes": True,
    "below": -(2**40),
    "words": ["a", "", "ß 動"],
    "kinds": [1, 3, 1],
}
KINDS = ("F32", "F16", "Q8_0", "Q4_1")
STEP = 3  # bytes from one spoiled place to the next


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def some_arrays():
    """{name: (kind, bytes, shape)} of every kind, and the numbers that they stand for."""
    arrays, meant = {}, {}
    for seed, kind in enumerate(KINDS):
        for shape in ((5, 64), (96,), (3, 32)):
            name = f"{kind} {shape}"
            arrays[name], meant[name] = packed(kind, random(*shape, seed=seed))
    return arrays, meant


def written(folder, data):
    path = folder / "model.gguf"
    path.write_bytes(data)
    return path


# -- as it should be -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("alignment", [32, 64, 8])
def test_settings_and_arrays_are_those_that_were_written(tmp_path, version, alignment):
    arrays, meant = some_arrays()
    settings = SETTINGS | {"general.alignment": alignment}
    path = written(tmp_path, gguf_bytes(settings, arrays, version, alignment))
    file = GGUFFile(path, "llama")
    for name, value in settings.items():
        found = file.setting(name)
        assert (found.tolist() if isinstance(found, np.ndarray) else found) == value
    for name, numbers in meant.items():
        found = file.take(name, *numbers.shape)
        assert isinstance(found, Packed) == (name[0] == "Q" and numbers.ndim == 2)
        assert found.dtype == (np.float16 if name.startswith("F16") else np.float32)
        assert np.array_equal(np.asarray(found, np.float32), numbers)
    file.refuse_the_rest()


# -- a matrix in blocks ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["Q8_0", "Q4_1"])
@pytest.mark.parametrize("tokens", [1, 3, FEW, FEW + 1])
@pytest.mark.parametrize("rows", [5, 5000])
def test_a_packed_matrix_multiplies_as_the_widened_one(tmp_path, kind, tokens, rows):
    array, meant = packed(kind, random(rows, 96))
    path = written(tmp_path, gguf_bytes({"general.architecture": "llama"}, {"one": array}))
    matrix = GGUFFile(path, "llama").take("one", rows, 96)
    assert matrix.size == rows * 96 and matrix.shape == (rows, 96) and matrix.nbytes < 2 * rows * 96
    assert matrix.T.shape == (96, rows) and matrix.T.T is matrix
    x = random(2, tokens, 96, seed=1)
    before = x.copy()
    wanted = x.astype(float) @ meant.T.astype(float)
    for given in (x, x[0], x[0, 0]):
        product = given @ matrix.T
        close = wanted if given is x else wanted[0] if given.ndim == 2 else wanted[0, 0]
        assert product.dtype == np.float32 and product.shape == close.shape
        assert np.abs(product - close).max() < 1e-4
    assert (x.astype(float) @ matrix.T).dtype == np.float64
    assert np.abs(x.astype(float) @ matrix.T - wanted).max() < 1e-10
    assert np.array_equal(x, before)
    assert np.array_equal(np.asarray(matrix), meant)
    assert np.array_equal(np.asarray(matrix.T), meant.T)
    ids = np.array([[4, 0], [4, 2]])
    assert np.array_equal(matrix[ids], meant[ids])
    assert np.array_equal(matrix[3], meant[3]) and np.array_equal(matrix[1:4], meant[1:4])
    with pytest.raises(ValueError, match=r"x \(., 95\) does not fit this matrix \(96, "):
        x[0, :2, :95] @ matrix.T


# -- what is no such file --------------------------------------------------------------------------


def refused(path, sentence, architecture="llama"):
    with pytest.raises(ValueError, match=sentence):
        everything(path, architecture)


def everything(path, architecture="llama"):
    """Reads all that there is in a file."""
    file = GGUFFile(path, architecture)
    for name, place in list(file._arrays.items()):
        np.asarray(file.take(name, *place.shape))


def whole():
    return gguf_bytes(SETTINGS, some_arrays()[0])


def test_no_file_and_other_files(tmp_path):
    refused(tmp_path / "none.gguf", "there is no file .*none.gguf'. .* python3 start.py real")
    refused(tmp_path, "there is no file")
    for data in (b"", b"GGU", b"GGML" + bytes(99), b"<html>"):
        refused(written(tmp_path, data), "model.gguf is no GGUF file: such a file begins with GGUF")
    for version in (1, 4, 3 << 24):
        path = written(tmp_path, gguf_bytes(SETTINGS, {}, version))
        refused(path, f"of version {version}; known are versions 2 and 3")
    path = written(tmp_path, gguf_bytes(SETTINGS, {}))
    refused(path, "says general.architecture = 'llama'; expected 'qwen2'", "qwen2")
    path = written(tmp_path, gguf_bytes({"a": 1}, {}))
    refused(path, "says general.architecture = None; expected 'llama'")


def test_a_file_that_is_cut_off_anywhere(tmp_path):
    data = whole()
    for length in range(4, len(data) - 32, 7):
        refused(written(tmp_path, data[:length]), "is cut off or broken: .* Copy or fetch it again")


def test_a_file_with_a_spoiled_byte_anywhere(tmp_path):
    """It is a sentence, or another number where a number stood; never another error."""
    data = whole()
    refusals = 0
    for place in range(0, len(data), STEP):
        for other in (255, 128):
            spoiled = data[:place] + bytes([data[place] ^ other]) + data[place + 1 :]
            try:
                everything(written(tmp_path, spoiled))
            except ValueError:
                refusals += 1
    assert refusals > 150


HUGE = (2**31, 2**40, 2**63, 2**64 - 1)


def setting(name, kind, rest):
    """A header whose only setting is of that kind, with these bytes."""
    start = struct.pack("<4sIQQ", b"GGUF", 3, 0, 1)
    return start + struct.pack("<Q", len(name)) + name.encode() + struct.pack("<I", kind) + rest


def place(sizes, kind=0, offset=0, axes=None):
    """A header whose only array has these sizes, with 64 bytes of numbers."""
    settings = gguf_bytes({"general.architecture": "llama"}, {})[24:].rstrip(b"\0")
    start = struct.pack("<4sIQQ", b"GGUF", 3, 1, 1) + settings
    start += struct.pack("<Q", 1) + b"a" + struct.pack("<I", len(sizes) if axes is None else axes)
    start += struct.pack(f"<{len(sizes)}QIQ", *sizes, kind, offset)
    return start + bytes(-len(start) % 32) + bytes(64)


HOSTILE = [struct.pack("<4sIQQ", b"GGUF", 3, huge, 0) for huge in HUGE]
HOSTILE += [struct.pack("<4sIQQ", b"GGUF", 3, 0, huge) + bytes(64) for huge in HUGE]
HOSTILE += [setting("a", 8, struct.pack("<Q", huge) + b"text") for huge in HUGE]
HOSTILE += [
    setting("a", 9, struct.pack("<IQ", kind, huge) + bytes(64)) for kind in (4, 8) for huge in HUGE
]
HOSTILE += [setting("a", 9, struct.pack("<IQ", 9, 1) * 9), setting("a", 13, bytes(9))]
HOSTILE += [setting("a", 8, struct.pack("<Q", 2) + b"\xff\xfe")]
HOSTILE += [place([huge]) for huge in HUGE] + [place([2**32, 2**32]), place([2**32] * 4)]
HOSTILE += [place([4], offset=huge) for huge in HUGE]
HOSTILE += [place([0]), place([4, 0]), place([33], kind=8), place([16, 2], kind=3)]
HOSTILE += [place([4], axes=axes) for axes in (0, 5, 2**32 - 1)]
HOSTILE += [gguf_bytes({"general.alignment": step}, {}) for step in (0, "a", True, [32])]
HOSTILE += [gguf_bytes({"b": 1, "a": 2}, {}).replace(b"b", b"a")]

MEMORY = """
import resource, sys
from lib.pretrained.gguf_file import GGUFFile
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    try:
        GGUFFile(path, "llama")
    except ValueError as error:
        assert "is cut off or broken" in str(error), error
    else:
        raise AssertionError(path)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_no_number_of_a_hostile_file_is_believed(tmp_path):
    """Counts, sizes and places beyond the file end in a sentence before anything is allocated."""
    paths = []
    for number, data in enumerate(HOSTILE):
        paths.append(tmp_path / f"{number}.gguf")
        paths[-1].write_bytes(data)
    answer = subprocess.run(
        [sys.executable, "-c", MEMORY, *map(str, paths)],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 30)),
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    assert int(answer.stdout) < 20  # megabytes


def test_kinds_that_are_not_known_are_named(tmp_path):
    path = written(tmp_path, place([32], kind=12))
    refused(path, "holds a as kind 12 of GGUF; known are F32, F16, Q4_1, Q8_0. Take the model's")


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_that_no_training_leaves_behind(tmp_path, kind):
    array, _ = packed(kind, random(2, 32))
    for bad in (b"\x00\x7e", b"\x00\x7c"):  # NaN and inf of float16
        bad = bad if kind != "F32" else b"\x00\x00\xc0\x7f"
        spoiled = (kind, bad + array[1][len(bad) :], array[2])
        path = written(tmp_path, gguf_bytes(SETTINGS, {"a": spoiled}))
        refused(path, "model.gguf: a holds NaN or infinity, which no training leaves")


def test_arrays_and_settings_that_are_not_as_asked_for(tmp_path):
    arrays, _ = some_arrays()
    file = GGUFFile(written(tmp_path, gguf_bytes(SETTINGS, arrays)), "llama")
    for call, sentence in (
        (lambda: file.take("b", 5, 64), "has no array 'b', which its header asks for. Copy or"),
        (lambda: file.take("F32 (96,)", 95), r"has the shape \(96,\), and its header asks for"),
        (lambda: file.texts("count"), "says count = 'int'; expected a list of texts"),
        (lambda: file.texts("kinds"), "says kinds = 'ndarray'; expected a list of texts"),
        (lambda: file.numbers("words", 3), "says words = 'list'; expected a list of whole"),
        (lambda: file.numbers("kinds", 4), "says the length of kinds = 3; expected 4"),
        (lambda: file.count("share"), "says share = 0.25; expected a whole number of at least 1"),
        (lambda: file.count("yes"), "says yes = True; expected a whole number"),
        (lambda: file.above_zero("below"), "says below = .*; expected a number above 0"),
        (file.refuse_the_rest, r"has 11 arrays that this model has no place for, first F32 \(5"),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()


def test_a_file_that_shrinks_while_it_is_read(tmp_path):
    arrays, _ = some_arrays()
    path = written(tmp_path, gguf_bytes(SETTINGS, arrays))
    file = GGUFFile(path, "llama")
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(ValueError, match=re.escape("Q4_1 (3, 32) ends too early")):
        file.take("Q4_1 (3, 32)", 3, 32)
