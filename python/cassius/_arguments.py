"""Checks arguments, so that a wrong one is named before anything is searched."""

from __future__ import annotations

import numbers
from typing import Any, Dict, Mapping, Optional, Union

from . import _native

Parameters = Mapping[str, Union[int, bool]]


def count(name: str, value: Any, least: int = 1, most: int = 2**63 - 1) -> int:
    """Returns a whole number within a range."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an int, not {value!r}")
    whole = int(value)
    if not least <= whole <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {whole}")
    return whole


def seconds(name: str, value: Any) -> float:
    """Returns a time above 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    number = float(value)
    if not 0 < number < 1e9:
        raise ValueError(f"{name} must be above 0 seconds, not {number}")
    return number


def chance(name: str, value: Any) -> float:
    """Returns a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, not {value!r}")
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be from 0 to 1, not {number}")
    return number


def limits(
    nodes: Optional[int], depth: Optional[int], time: Optional[float], otherwise: int
) -> Dict[str, Any]:
    """Returns the limits of a search: `otherwise` many nodes, if none is given."""
    if nodes is None and depth is None and time is None:
        nodes = otherwise
    return {
        "nodes": None if nodes is None else count("nodes", nodes),
        "depth": None if depth is None else count("depth", depth, most=_native.MAX_PLY),
        "seconds": None if time is None else seconds("time", time),
    }


def parameters(given: Optional[Parameters]) -> Dict[str, Union[int, bool]]:
    """Returns the parameters of a recipe."""
    wanted = "parameters must be like {'NullMove.reduction': 200} or {'NullMove': False}"
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{wanted}, not {given!r}")
    for name, value in (given or {}).items():
        if not isinstance(name, str) or not isinstance(value, int):
            raise TypeError(f"{wanted}, not {{{name!r}: {value!r}}}")
        if not isinstance(value, bool):
            count(f"parameters[{name!r}]", value, -(2**31), 2**31 - 1)
    return dict(given or {})


def hash_size(mib: Any) -> int:
    """Returns the size of a table in MiB."""
    return count("hash", mib, most=1 << 24)


def callback(name: str, value: Any) -> None:
    """Refuses what cannot be called."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function, not {value!r}")


NO_DEPTH = ("pns", "b-star", "uct", "puct")


def depth_of(recipe: str, depth: Optional[int]) -> None:
    """Refuses a depth for a recipe that has no iterations."""
    if depth is not None and recipe in NO_DEPTH:
        raise ValueError(f"recipe {recipe} has no limit of depth: use nodes or time")
