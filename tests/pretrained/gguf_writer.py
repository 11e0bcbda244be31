"""Writes GGUF files for the tests, and packs weights as they are kept there, number by number."""

import struct

import numpy as np

KINDS = {"F32": 0, "F16": 1, "Q4_1": 3, "Q8_0": 8}
ALIGNMENT = 32


def gguf_bytes(settings, arrays, version=3, alignment=ALIGNMENT):
    """A file; settings: {name: int, float, bool, str, or a list of one of them}.

    arrays: {name: (kind, bytes, shape)}, as ``packed`` makes them.
    """
    header = struct.pack("<4sIQQ", b"GGUF", version, len(arrays), len(settings))
    for name, value in settings.items():
        header += text(name) + with_kind(value)
    data = b""
    for name, (kind, raw, shape) in arrays.items():
        header += text(name) + struct.pack("<I", len(shape))
        header += struct.pack(f"<{len(shape)}Q", *reversed(shape))
        header += struct.pack("<IQ", KINDS.get(kind, kind), len(data))
        data = filled(data + raw, alignment)
    return filled(header, alignment) + data


def filled(data, alignment):
    return data + b"\0" * (-len(data) % alignment)


def text(words):
    raw = words.encode()
    return struct.pack("<Q", len(raw)) + raw


def with_kind(value):
    if isinstance(value, list):
        kind, _ = encoded(value[0])
        items = b"".join(encoded(item)[1] for item in value)
        return struct.pack("<IIQ", 9, kind, len(value)) + items
    kind, raw = encoded(value)
    return struct.pack("<I", kind) + raw


def encoded(value):
    """(GGUF's number of the kind, the bytes)."""
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return (
            (4, struct.pack("<I", value)) if 0 <= value < 2**32 else (11, struct.pack("<q", value))
        )
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    return 8, text(value)


def packed(kind, array):
    """(kind, bytes, shape) of an array, and the numbers that these bytes stand for."""
    array = np.asarray(array, np.float32)
    if kind in ("F32", "F16"):
        kept = array.astype("<f4" if kind == "F32" else "<f2")
        return (kind, kept.tobytes(), array.shape), kept.astype(np.float32)
    pack = {"Q8_0": _q8_0, "Q4_1": _q4_1}[kind]
    raw, meant = b"", []
    for block in array.reshape(-1, 32):
        some, numbers = pack(block)
        raw += some
        meant += numbers
    return (kind, raw, array.shape), np.float32(meant).reshape(array.shape)


def _q8_0(block):
    scale = np.float16(np.abs(block).max() / 127)
    quants = [round(float(number / np.float32(scale))) for number in block]
    return struct.pack("<e32b", scale, *quants), [np.float32(scale) * q for q in quants]


def _q4_1(block):
    lowest = np.float16(block.min())
    scale = np.float16((block.max() - block.min()) / 15)
    steps = (block - np.float32(lowest)) / np.float32(scale)
    quants = [min(15, max(0, round(float(step)))) for step in steps]
    halves = [quants[i] | quants[i + 16] << 4 for i in range(16)]
    numbers = [np.float32(scale) * np.float32(q) + np.float32(lowest) for q in quants]
    return struct.pack("<ee16B", scale, lowest, *halves), numbers
