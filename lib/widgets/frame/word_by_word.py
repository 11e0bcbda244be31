"""What Writer and DecoderStepper share: buttons and keys that write a word or take one back."""

from lib.widgets.frame import Demo, button


class WordByWord(Demo):
    """A demo that writes one word after another until ``end`` comes or ``limit`` words are written.

    Subclasses say what ``go`` does.
    """

    limit = 24
    end = "<end>"

    def go(self, kind):
        """Write or take back what a button or a key of the drawing asks for: "next", "back", ..."""
        raise NotImplementedError

    def listen(self):
        """Follow the keys that the drawing reports."""

        def hear(_drawing, content, _buffers):
            self.go(content.get("type"))

        self.drawing.on_msg(hear)

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
