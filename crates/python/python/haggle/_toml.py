"""Project files as text, from Python values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._problem import Problem


class Written(str):
    """A value that is written as a project file states it."""


def value(given: Any) -> str:
    """A value as TOML writes it.

    >>> value({"intervals": [5, 10], "origin": 17})
    '{ "intervals" = [5, 10], "origin" = 17 }'
    """
    if isinstance(given, Written):
        return str(given)
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, str):
        return _text(given)
    if isinstance(given, (int, float)):
        return repr(given)
    if isinstance(given, Mapping):
        pairs = ", ".join(f"{_text(str(key))} = {value(item)}" for key, item in given.items())
        return f"{{ {pairs} }}"
    if isinstance(given, Sequence):
        return f"[{', '.join(value(item) for item in given)}]"
    item = getattr(given, "item", None)  # a number of numpy
    if callable(item):
        return value(item())
    raise Problem(
        f"a {type(given).__name__} cannot be stated in a project",
        fix="give texts, numbers, lists and mappings",
    )


def _text(given: str) -> str:
    return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")


def section(name: str, keys: Mapping[str, Any]) -> str:
    """A section with the keys that have a value."""
    lines = [f"{key} = {value(item)}" for key, item in keys.items() if item is not None]
    return "\n".join([name, *lines, ""])
