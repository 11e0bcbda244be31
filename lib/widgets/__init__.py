"""The demos of the course: ``from lib import widgets`` and show one as the last line of a cell."""

from lib.widgets.arrows import Arrows
from lib.widgets.attention_map import AttentionMap
from lib.widgets.bars import Bars
from lib.widgets.heads import Heads
from lib.widgets.histogram import Directions, ScalingDial
from lib.widgets.patches import Patches
from lib.widgets.steps import AttentionSteps
from lib.widgets.table import EqualTable, LiveTable

__all__ = [
    "Arrows",
    "AttentionSteps",
    "AttentionMap",
    "Bars",
    "Directions",
    "EqualTable",
    "Heads",
    "LiveTable",
    "Patches",
    "ScalingDial",
]
