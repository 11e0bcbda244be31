"""What the demos with a histogram share: ScalingDial and Directions."""

from functools import cache

import numpy as np
import traitlets

from lib.widgets.frame import UnaskedDrawing

SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512]


@cache
def normal_numbers(seed, shape, dtype):
    """4 MB of normal numbers, made once: Jupyter keeps the demos of all earlier runs of a cell."""
    numbers = np.random.default_rng(seed).standard_normal(shape, dtype)
    numbers.flags.writeable = False
    return numbers


class HistogramDrawing(UnaskedDrawing):
    """Counts over a range; the drawing itself is that of a subclass."""

    counts = traitlets.List(traitlets.Int()).tag(sync=True)
    range = traitlets.List(traitlets.Float()).tag(sync=True)
    axis = traitlets.Unicode().tag(sync=True)
    spread = traitlets.Float().tag(sync=True)

    def count(self, values, bins):
        """Put values into equal bins over ``range``; what lies beyond is in no bin."""
        self.counts = self.counted(values, bins)
        self.spread = float(values.std())

    def counted(self, values, bins):
        return np.histogram(values, bins, self.range)[0].tolist()
