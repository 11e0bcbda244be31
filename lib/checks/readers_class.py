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
        return None, "your class is not written yet; it needs __init__ and forward."
    try:
        module = answer(*sizes.values())
    except (Exception, SystemExit) as error:  # whatever fails there, the page goes on
        says = said_by(error, tips=tips).rstrip(".")
        given = ", ".join(f"{each}={size}" for each, size in sizes.items())
        return None, f"making your {name} with {given} stopped with {says}."
    if not isinstance(module, nn.Module):
        return None, f"your class makes a {type(module).__name__}; expected an nn.Module."
    return module, ""
