"""Making a module of a class that the reader wrote, or saying why that does not go."""

from lib.checks.run import said_by


def made_of(answer, sizes, name, tips=()):
    """(the module, ""), or (None, why none can be made).

    sizes: {name: number}. name: a "layer". tips: (part of what an error says, tip) pairs.
    """
    from torch import nn  # only here: the checks of other pages need no torch

    if not callable(answer) or isinstance(answer, nn.Module):
        kind = type(answer).__name__
        return None, f"this check takes your class, not {kind}; give its name, without ()."
    if isinstance(answer, type) and answer.__init__ in (object.__init__, nn.Module.__init__):
        return None, _why_no_init(answer)
    try:
        module = answer(*sizes.values())
    except (Exception, SystemExit) as error:  # whatever fails there, the page goes on
        says = said_by(error, tips=tips).rstrip(".")
        given = ", ".join(f"{each}={size}" for each, size in sizes.items())
        return None, f"making your {name} with {given} stopped with {says}."
    if not isinstance(module, nn.Module):
        return None, f"your class makes a {type(module).__name__}; expected an nn.Module."
    return module, ""


def _why_no_init(kind):
    """Why this class has no __init__ of its own: its name is written otherwise, or nothing is."""
    for name in vars(kind):
        written = name.removeprefix(f"_{kind.__name__}")  # Python puts that before __init_
        if written.strip("_") in ("init", "int") and written != "__init__":
            return f"your class has {written}; write __init__, two underscores on each side."
    return "your class is not written yet; it needs __init__ and forward."


def lost_by(module):
    """A part that is used, and that __init__ did not make or did not keep, in a sentence; or ""."""
    init, used = type(module).__init__, _names_in(type(module))
    for name, value in vars(module).items():
        if isinstance(value, type) and name in used:
            kind = value.__name__
            return f"self.{name} is the class {kind} itself; call it, {kind}(...), to make one."
    code = getattr(init, "__code__", None)
    for name in code.co_varnames[code.co_argcount :] if code else ():
        if name in used and not hasattr(module, name):
            return f"{name} is forgotten when __init__ ends; self.{name} = ... keeps it."
    return ""


def _names_in(kind):
    """What the methods of this class name, but for __init__: attributes and what stands outside."""
    from torch import nn

    methods = [
        method
        for each in kind.__mro__
        if each is not nn.Module
        for method in vars(each).values()
        if hasattr(method, "__code__") and method.__name__ != "__init__"
    ]
    return {name for method in methods for name in method.__code__.co_names}
