"""A matrix in blocks of small whole numbers, as GGUF files have them, that multiplies as it is.

Widened to float32 a 135 million weights are 540 MB; like this they are a quarter of that, and a
product with one token is no slower, since it waits for memory, of which it reads a quarter.
"""

import numpy as np

BLOCK = 32  # numbers that share a scale
AT_ONCE = 2**20  # numbers that are widened at a time: 4 MB, which a processor keeps near
FEW = 64  # tokens; for more, a widened matrix is worth its price


class Packed:
    """A matrix (rows, width): number i of a row is scale * quants[i] + lowest, by blocks of BLOCK.

    quants (blocks, rows, BLOCK) of whole numbers in a byte each, scales and lowest (blocks, rows)
    of float32; lowest may be None, for 0. ``matrix[ids]`` are rows of it, ``x @ matrix.T`` is a
    product, ``np.asarray(matrix)`` all its numbers: float32 each.
    """

    __array_ufunc__ = None  # so that NumPy leaves x @ matrix.T to the matrix
    dtype = np.dtype(np.float32)

    def __init__(self, quants, scales, lowest=None):
        self.quants, self.scales, self.lowest = quants, scales, lowest
        blocks, rows, _ = quants.shape
        self.shape = (rows, blocks * BLOCK)
        self.size = quants.size

    @property
    def nbytes(self):
        """How many bytes it takes."""
        arrays = [self.quants, self.scales]
        if self.lowest is not None:
            arrays.append(self.lowest)
        return sum(array.nbytes for array in arrays)

    @property
    def T(self):
        """The same for row vectors: x @ matrix.T."""
        return PackedTransposed(self)

    def __getitem__(self, ids):
        """The rows of these numbers, a slice or an array (...,) -> (..., width)."""
        quants = self.quants[:, ids].astype(np.float32)  # (blocks, ..., BLOCK)
        quants *= self.scales[:, ids, None]
        if self.lowest is not None:
            quants += self.lowest[:, ids, None]
        by_row = np.moveaxis(quants, 0, -2)  # (..., blocks, BLOCK)
        return by_row.reshape(*by_row.shape[:-2], -1)

    def __array__(self, dtype=None, copy=None):
        return self[:].astype(self.dtype if dtype is None else dtype, copy=False)

    def times(self, x):
        """x (T, width) of float32 -> x @ matrix.T (T, rows), widened a part at a time."""
        rows, width = self.shape
        step = max(1, AT_ONCE // width)
        product = np.empty((len(x), rows), np.float32)
        if len(x) > FEW:
            for start in range(0, rows, step):
                part = slice(start, start + step)
                product[:, part] = x @ self[part].T
            return product
        by_block = x.reshape(len(x), -1, BLOCK).transpose(1, 2, 0)  # (blocks, BLOCK, T)
        by_block = np.ascontiguousarray(by_block)
        wide = np.empty((len(by_block), min(step, rows), BLOCK), np.float32)  # used again and again
        for start in range(0, rows, step):
            part = slice(start, start + step)
            self._times_few(by_block, part, wide, product)
        if self.lowest is not None:
            product += by_block.sum(1).T @ self.lowest  # (T, blocks) @ (blocks, rows)
        return product

    def _times_few(self, by_block, part, wide, product):
        """Write the product with a part of the rows, without ``lowest``; a block is scaled last."""
        quants = self.quants[:, part]
        wide = wide[:, : quants.shape[1]]  # (blocks, rows, BLOCK)
        np.copyto(wide, quants)
        sums = wide @ by_block  # (blocks, rows, T)
        sums *= self.scales[:, part, None]
        product[:, part] = sums.sum(0).T


class PackedTransposed:
    """A Packed matrix for row vectors, (width, rows): it stands on the right of a product."""

    __array_ufunc__ = None
    dtype = Packed.dtype

    def __init__(self, matrix):
        self.T = matrix
        self.shape = matrix.shape[::-1]
        self.size, self.nbytes = matrix.size, matrix.nbytes

    def __rmatmul__(self, x):
        """x (..., width) -> (..., rows)."""
        x = np.asarray(x)
        if x.ndim == 0 or x.shape[-1] != self.shape[0]:
            raise ValueError(
                f"x {x.shape} does not fit this matrix {self.shape}: the last axis of one must be "
                "the first of the other."
            )
        dtype = np.result_type(x, self.dtype)
        if dtype != np.float32:
            return x @ np.asarray(self, dtype)
        product = self.T.times(x.reshape(-1, x.shape[-1]).astype(np.float32, copy=False))
        return product.reshape(*x.shape[:-1], -1)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.T, dtype).T
