"""The demos of the course: ``from lib import widgets`` and show one as the last line of a cell.

``__all__`` is the one list of them: all tests find a demo from here. No demos are ``lesson``, which
puts them in order for a presenter's clicker, and ``Predict``, a question that is answered before
its experiment is seen.
"""

from lib.widgets.arrows.arrows import Arrows
from lib.widgets.attention_map.attention_map import AttentionMap
from lib.widgets.attention_steps.attention_steps import AttentionSteps
from lib.widgets.bars.bars import Bars
from lib.widgets.break_it.break_it import BreakIt
from lib.widgets.chat.chat import Chat
from lib.widgets.clocks.clocks import Clocks
from lib.widgets.copies.copies import Copies
from lib.widgets.decoder_stepper.decoder_stepper import DecoderStepper
from lib.widgets.depth.depth import Depth
from lib.widgets.directions.directions import Directions
from lib.widgets.heads.heads import Heads
from lib.widgets.lesson.lesson import lesson as lesson
from lib.widgets.live_table.equal_table import EqualTable
from lib.widgets.live_table.live_table import LiveTable
from lib.widgets.mask_painter.mask_painter import MaskPainter
from lib.widgets.patches.patches import Patches
from lib.widgets.predict.predict import Predict as Predict
from lib.widgets.scaling_dial.scaling_dial import ScalingDial
from lib.widgets.training.training import Training
from lib.widgets.translator.translator import Translator
from lib.widgets.writer.writer import Writer
from lib.widgets.zoom.zoom import Zoom

__all__ = [
    "Arrows",
    "AttentionMap",
    "AttentionSteps",
    "Bars",
    "BreakIt",
    "Chat",
    "Clocks",
    "Copies",
    "DecoderStepper",
    "Depth",
    "Directions",
    "EqualTable",
    "Heads",
    "LiveTable",
    "MaskPainter",
    "Patches",
    "ScalingDial",
    "Training",
    "Translator",
    "Writer",
    "Zoom",
]
