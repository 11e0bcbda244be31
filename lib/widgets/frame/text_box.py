"""A text box that cuts what no screen can hold: anything may have been pasted."""

import re

import ipywidgets
import traitlets

LONGEST_WORD, LONGEST_TEXT = 40, 1000  # letters
LONG_WORD = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")
CUT = "The text of {count:,} letters was cut: a word may have {word}, a text {text:,}."


class TextBox(ipywidgets.Text):
    """A text box whose text, and each word of it, is cut where it is too long.

    ``remark`` says that the present text was cut, or is "".
    """

    remark = ""

    @traitlets.validate("value")
    def _cut(self, proposal):
        typed = proposal.value
        kept = LONG_WORD.sub(r"\1…", typed[:LONGEST_TEXT])
        if len(typed) > LONGEST_TEXT and not kept.endswith("…"):
            kept += "…"
        self.remark = ""
        if kept != typed:
            self.remark = CUT.format(count=len(typed), word=LONGEST_WORD, text=LONGEST_TEXT)
        return kept
