"""Settings and arrays of a model that somebody else saved, each checked before it is used."""

import math

from lib.validation.arrays import is_number, is_whole

MOST_NAMED = 4  # arrays that a message names


class CheckedModel:
    """What a model's files say and hold. A kind of file is a subclass, which gives:

    settings: {name: value}; arrays: {name: array, or whatever has its shape}; settings_in and
    arrays_in: the files, as messages name them; asks: what asks for the arrays; mend: what to do
    where settings and arrays do not fit together.
    """

    def __init__(self, settings, arrays, settings_in, arrays_in, asks, mend):
        self._settings, self._arrays = settings, arrays
        self._settings_in, self._arrays_in = settings_in, arrays_in
        self._asks, self._mend = asks, mend

    # -- settings ---------------------------------------------------------------------------------

    def setting(self, name, otherwise=None):
        """What the settings say; ``otherwise`` where they say nothing, or null."""
        value = self._settings.get(name)
        return otherwise if value is None else value

    def count(self, name, otherwise=None):
        """A setting that must be a whole number of at least 1."""
        value = self.setting(name, otherwise)
        if not is_whole(value, 1) or isinstance(value, bool):
            self.refuse_setting(name, value, "a whole number of at least 1")
        return int(value)

    def heads(self, name, d_model):
        """The number of heads, which must divide d_model."""
        heads = self.count(name)
        if d_model % heads:
            self.refuse_setting(name, heads, f"a number that divides d_model = {d_model}")
        return heads

    def above_zero(self, name, otherwise=None):
        """A setting that must be a finite number above 0, such as a norm's epsilon."""
        return self.checked_above_zero(name, self.setting(name, otherwise))

    def checked_above_zero(self, name, value):
        if isinstance(value, bool) or not is_number(value) or not 0 < value < math.inf:
            self.refuse_setting(name, value, "a number above 0")
        return float(value)

    def refuse_other_than(self, **settings):
        """Refuse a model that computes something else: one of these settings is not as given."""
        for name, expected in settings.items():
            value = self.setting(name, expected)
            if value != expected:
                self.refuse_setting(name, value, repr(expected))

    def refuse_unknown(self, beginning, known):
        """Refuse settings that begin so and are not known: nobody knows what they ask for."""
        for name in self._settings:
            if name.startswith(beginning) and name not in known:
                raise ValueError(
                    f"{self._settings_in} says {name}, which is not known here, so its model may "
                    "compute something else. Take one without it."
                )

    def refuse_setting(self, name, value, expected):
        raise ValueError(f"{self._settings_in} says {name} = {value!r}; expected {expected}.")

    # -- arrays -----------------------------------------------------------------------------------

    def has(self, name):
        """Whether there is an array of that name that nobody has taken."""
        return name in self._arrays

    def take(self, name, *shape):
        """The array of that name and of that shape; each can be taken once."""
        if name not in self._arrays:
            raise ValueError(
                f"{self._arrays_in} has no array {name!r}, which {self._asks} asks for. "
                f"{self._mend}"
            )
        found = self._arrays.pop(name)
        if found.shape != shape:
            raise ValueError(
                f"{self._arrays_in}: {name} has the shape {found.shape}, and {self._asks} "
                f"asks for {shape}. {self._mend}"
            )
        return self.loaded(name, found)

    def loaded(self, name, found):
        """What ``take`` returns of what ``arrays`` has."""
        return found

    def refuse_the_rest(self):
        """Refuse a model with arrays that nobody has taken: it computes more than we do."""
        if self._arrays:
            names = ", ".join(list(self._arrays)[:MOST_NAMED])
            raise ValueError(
                f"{self._arrays_in} has {len(self._arrays)} arrays that this model has "
                f"no place for, first {names}. It is another kind of model, or has more layers "
                f"than {self._asks} says."
            )
