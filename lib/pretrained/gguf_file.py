"""A GGUF file: settings, texts and arrays, no code. No number in it is believed unchecked.

Source: the description of the format, docs/gguf.md in the repository ggml-org/ggml; its blocks of
quantised weights are those of ggml-common.h there.
"""

import math
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lib.pretrained.checked_model import CheckedModel
from lib.pretrained.packed import BLOCK, Packed

MAGIC = b"GGUF"
VERSIONS = (2, 3)  # the same bytes, but for machines that write a number's first byte last
NUMBERS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
TEXT, LIST = 8, 9
ALIGNMENT = "general.alignment"
USUAL_ALIGNMENT = 32  # bytes; each array begins at a multiple
MOST_AXES = 4
LEAST_SETTING = 8 + 4 + 1  # bytes: the length of its name, its kind, a value
LEAST_PLACE = 8 + 4 + 8 + 4 + 8  # bytes: the length of a name, axes, one size, kind, where
KINDS = {  # the kinds of arrays that are known: how many numbers a block of so many bytes holds
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    3: ("Q4_1", BLOCK, 20),
    8: ("Q8_0", BLOCK, 34),
}
LOWER_HALVES = 0x0F0F0F0F  # of four bytes


@dataclass(frozen=True)
class Place:
    """Where an array lies in the file."""

    shape: tuple
    kind: str
    start: int
    length: int  # bytes


class GGUFFile(CheckedModel):
    """The settings and the arrays of a file; ``architecture``: what it must be a model of.

    ``take`` gives float32 and float16 as they are, and matrices of Q8_0 and Q4_1 as Packed. Raises
    ValueError for what is no such file, is cut off, or holds arrays of another kind.
    """

    def __init__(self, path, architecture):
        self.path = Path(path)
        self._refuse_missing()
        size = self.path.stat().st_size
        with self.path.open("rb") as file:
            settings, places = _contents(_Header(file, size, self.path.name))
        super().__init__(
            settings=settings,
            arrays=places,
            settings_in=self.path.name,
            arrays_in=self.path.name,
            asks="its header",
            mend="Copy or fetch it again.",
        )
        found = self.setting("general.architecture")
        if found != architecture:
            self.refuse_setting("general.architecture", found, repr(architecture))

    def texts(self, name):
        """A setting that must be a list of texts."""
        found = self.setting(name)
        if not isinstance(found, list):
            self.refuse_setting(name, type(found).__name__, "a list of texts")
        return found

    def numbers(self, name, count):
        """A setting that must be a list of so many whole numbers."""
        found = self.setting(name)
        if not isinstance(found, np.ndarray) or found.dtype.kind not in "iu":
            self.refuse_setting(name, type(found).__name__, "a list of whole numbers")
        if len(found) != count:
            self.refuse_setting(f"the length of {name}", len(found), count)
        return found

    def loaded(self, name, found):
        """The array of a Place."""
        raw = np.fromfile(self.path, np.uint8, found.length, offset=found.start)
        if len(raw) != found.length:
            _refuse(self.path.name, f"{name} ends too early")
        array = READERS[found.kind](raw, found.shape)
        parts = [array]
        if isinstance(array, Packed):
            parts = [array.scales] if array.lowest is None else [array.scales, array.lowest]
        if not all(np.isfinite(part).all() for part in parts):
            raise ValueError(
                f"{self.path.name}: {name} holds NaN or infinity, which no training leaves behind. "
                "Copy or fetch the file again."
            )
        return np.asarray(array).reshape(found.shape) if len(found.shape) != 2 else array

    def _refuse_missing(self):
        if not self.path.is_file():
            raise ValueError(
                f"there is no file {str(self.path)!r}. "
                "The chat model of the course is fetched by: python3 start.py real"
            )


def _refuse(file, what):
    raise ValueError(f"{file} is cut off or broken: {what}. Copy or fetch it again.")


# -- the header ---------------------------------------------------------------------------------


class _Header:
    """Reads the header from its beginning on, never past the end of the file."""

    def __init__(self, file, size, name):
        self.file, self.size, self.name = file, size, name
        self.at = 0

    def refuse(self, what):
        _refuse(self.name, f"{what} at byte {self.at}")

    def raw(self, count):
        """So many bytes."""
        if count > self.size - self.at:
            self.refuse(f"{count} bytes are asked for and {self.size - self.at} are left")
        self.at += count
        return self.file.read(count)

    def number(self, kind):
        return struct.unpack("<" + kind, self.raw(struct.calcsize("<" + kind)))[0]

    def count(self, least):
        """How many of something follow, each of ``least`` bytes or more."""
        count = self.number("Q")
        if count * least > self.size - self.at:
            self.refuse(f"{count} entries are asked for and {self.size - self.at} bytes are left")
        return count

    def text(self):
        raw = self.raw(self.count(1))
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.refuse("a text is no UTF-8")

    def value(self):
        kind = self.number("I")
        if kind == TEXT:
            return self.text()
        if kind == LIST:
            return self.list()
        return self.number(self.known(kind))

    def known(self, kind):
        if kind not in NUMBERS:
            self.refuse(f"a value of kind {kind}")
        return NUMBERS[kind]

    def list(self):
        """Texts as a list, numbers as an array."""
        kind = self.number("I")
        if kind == TEXT:
            return [self.text() for _ in range(self.count(8))]
        dtype = np.dtype("<" + self.known(kind))
        return np.frombuffer(self.raw(self.count(dtype.itemsize) * dtype.itemsize), dtype)


def _contents(header):
    """({setting: value}, {array: its Place}) of a file."""
    if header.size < len(MAGIC) or header.raw(len(MAGIC)) != MAGIC:
        raise ValueError(
            f"{header.name} is no GGUF file: such a file begins with {MAGIC.decode()}."
        )
    version = header.number("I")
    if version not in VERSIONS:
        raise ValueError(
            f"{header.name} is a GGUF file of version {version}; known are versions "
            f"{' and '.join(map(str, VERSIONS))}. Take a newer file, or one for this machine."
        )
    arrays = header.count(LEAST_PLACE)
    settings = {}
    for _ in range(header.count(LEAST_SETTING)):
        name = _new_name(header, settings)
        settings[name] = header.value()
    found = {}
    for _ in range(arrays):
        name = _new_name(header, found)
        axes = header.number("I")
        if not 1 <= axes <= MOST_AXES:
            header.refuse(f"{name} has {axes} axes")
        sizes = [header.number("Q") for _ in range(axes)]
        found[name] = sizes, header.number("I"), header.number("Q")
    start = _after_the_header(header, settings)
    return settings, {name: _place(header, name, start, *found[name]) for name in found}


def _new_name(header, names):
    name = header.text()
    if name in names:
        header.refuse(f"{name!r} comes twice")
    return name


def _after_the_header(header, settings):
    """The byte from which on arrays lie."""
    step = settings.get(ALIGNMENT, USUAL_ALIGNMENT)
    if not isinstance(step, int) or isinstance(step, bool) or step < 1:
        header.refuse(f"{ALIGNMENT} is {step!r}")
    return -(-header.at // step) * step


def _place(header, name, start, sizes, kind, offset):
    """The Place of an array; sizes: the innermost axis first, as the file has them."""
    if kind not in KINDS:
        known = ", ".join(name for name, *_ in KINDS.values())
        raise ValueError(
            f"{header.name} holds {name} as kind {kind} of GGUF; known are {known}. "
            "Take the model's file in one of these."
        )
    kind, numbers, size = KINDS[kind]
    if 0 in sizes or sizes[0] % numbers:
        header.refuse(f"{name} of kind {kind} has the sizes {sizes}")
    length = math.prod(sizes) // numbers * size
    if start + offset + length > header.size:
        header.refuse(f"{name} of {length} bytes ends after the file")
    return Place(tuple(reversed(sizes)), kind, start + offset, length)


# -- arrays -------------------------------------------------------------------------------------


def _f32(raw, shape):
    return raw.view("<f4").reshape(shape)


def _f16(raw, shape):
    return raw.view("<f2").reshape(shape)


def _q8_0(raw, shape):
    """A scale, then BLOCK whole numbers of a byte each."""
    words = _blocks(raw.view("<u2"), shape)  # (blocks, rows, 17)
    quants = np.ascontiguousarray(words[..., 1:]).view(np.int8)
    return Packed(quants, _half(words, 0))


def _q4_1(raw, shape):
    """A scale, a lowest value, then the lower and the upper half of each byte: BLOCK numbers."""
    words = _blocks(raw.view("<u4"), shape)  # (blocks, rows, 5): four bytes at once
    packed = np.ascontiguousarray(words[..., 1:])  # (blocks, rows, 4)
    quants = np.empty((*packed.shape[:2], 8), "<u4")
    quants[..., :4] = packed & LOWER_HALVES
    packed >>= 4
    quants[..., 4:] = packed & LOWER_HALVES
    halves = _blocks(raw.view("<u2"), shape)
    return Packed(quants.view(np.uint8), _half(halves, 0), _half(halves, 1))


def _blocks(words, shape):
    """(blocks, rows, words of a block) of a matrix (rows, width), or of a single row (width,)."""
    rows = math.prod(shape[:-1])
    return words.reshape(rows, shape[-1] // BLOCK, -1).swapaxes(0, 1)


def _half(words, at):
    """(blocks, rows): word ``at`` of each block, a float16, widened."""
    return np.ascontiguousarray(words[..., at]).view("<f2").astype(np.float32)


READERS = {"F32": _f32, "F16": _f16, "Q8_0": _q8_0, "Q4_1": _q4_1}
