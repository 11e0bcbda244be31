"""What Writer and DecoderStepper share: buttons and keys that write a word or take one back."""

from lib.widgets.frame import Demo, button

KEYS = ("write", "back")  # what the drawing asks for


class WordByWord(Demo):
    """A demo that writes one word after another until ``end`` comes or ``limit`` words are written.

    Subclasses make ``drawing`` and say what ``go`` does and which step is ``coming``.
    """

    limit = 24
    end = "<end>"

    def __init__(self, question, controls, title=None):
        super().__init__(question, controls, [self.drawing], title)
        self.drawing.on_msg(self._hear_key)
        self.tell_story()

    def go(self, kind):
        """Write or take back what a button or a key asks for: "write", "back", ..."""
        raise NotImplementedError

    def _hear_key(self, _drawing, content, _buffers):
        if content.get("type") in KEYS:
            self.attempt(self.go, content["type"])

    def button(self, description, kind):
        """A button that does the same as the drawing's key of this kind."""
        return button(description, lambda: self.go(kind))

    def why_stopped(self, written):
        """Why nothing more is written after these words, or "" if something is."""
        if written and written[-1] == self.end:
            return f"Stopped: “{self.end}” is the end token."
        if len(written) >= self.limit:
            return f"Stopped: {self.limit} words are the limit."
        return ""
