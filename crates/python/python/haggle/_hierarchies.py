"""How values become general: the rules that a project file can state."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from ._problem import Problem
from ._toml import Written


class Hierarchy(dict[str, Any]):
    """A rule that makes values general, as a project file states it.

    >>> import haggle as hg
    >>> hg.prefix(1, 2)
    Hierarchy({'prefix': [1, 2]})
    """

    def __repr__(self) -> str:
        return f"Hierarchy({dict(self)!r})"


#: What may be given as a hierarchy: a rule, a file, or a row of values for every recorded value.
HierarchyLike = Union[Hierarchy, str, "os.PathLike[str]", Mapping[str, Sequence[str]], Sequence[Sequence[str]]]


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def intervals(
    *widths: float,
    origin: float | None = None,
    below: float | None = None,
    above: float | None = None,
    decimals: bool | None = None,
) -> Hierarchy:
    """Numbers in intervals of these widths, one level for each.

    ``origin`` is where an interval begins; what is less than ``below`` or at least ``above`` is put
    together. With ``decimals=True`` labels are ``[20,25)`` instead of ``20-24``.

    >>> import haggle as hg
    >>> hg.intervals(5, 10, 20)
    Hierarchy({'intervals': [5, 10, 20]})
    """
    given = _given(origin=origin, below=below, above=above, decimals=decimals)
    return Hierarchy(intervals=list(widths), **given)


def bounds(*levels: Sequence[float], decimals: bool | None = None) -> Hierarchy:
    """Numbers between bounds, a list of bounds for each level.

    With ``decimals=True`` labels are ``[18,30)`` instead of ``18-29``.

    >>> import haggle as hg
    >>> hg.bounds([18, 30, 65], [30])
    Hierarchy({'bounds': [[18, 30, 65], [30]]})
    """
    return Hierarchy(bounds=[list(level) for level in levels], **_given(decimals=decimals))


def prefix(*hidden: int, pad: str | None = None, length: int | None = None) -> Hierarchy:
    """Codes of which the last characters are hidden: so many at each level.

    ``pad="left"`` makes codes equally long first. ``length`` is how long codes are; without it, as
    long as the longest one.

    >>> import haggle as hg
    >>> hg.prefix(1, 2, 3)
    Hierarchy({'prefix': [1, 2, 3]})
    """
    return Hierarchy(prefix=list(hidden), **_given(pad=pad, length=length))


def dates(*units: str, format: str | None = None) -> Hierarchy:
    """Dates by ``day``, ``week``, ``month``, ``quarter``, ``year`` or ``decade``.

    >>> import haggle as hg
    >>> hg.dates("month", "year")
    Hierarchy({'dates': ['month', 'year']})
    """
    return Hierarchy(dates=list(units), **_given(format=format))


def groups(
    *levels: Mapping[str, Sequence[str]] | Sequence[str],
    order: Sequence[str] | None = None,
    rest: str | None = None,
) -> Hierarchy:
    """Groups of values, a mapping of labels to members for each level.

    >>> import haggle as hg
    >>> hg.groups({"married": ["Married-civ-spouse"], "alone": ["Divorced", "Widowed"]})
    Hierarchy({'groups': [{'married': ['Married-civ-spouse'], 'alone': ['Divorced', 'Widowed']}]})
    """
    return Hierarchy(groups=list(levels), **_given(order=order, rest=rest))


def tree(branches: Mapping[str, Any], rest: str | None = None) -> Hierarchy:
    """A tree of labels; leaves are values.

    >>> import haggle as hg
    >>> hg.tree({"Europe": ["France", "Spain"]}, rest="elsewhere")
    Hierarchy({'tree': {'Europe': ['France', 'Spain']}, 'rest': 'elsewhere'})
    """
    return Hierarchy(tree=dict(branches), **_given(rest=rest))


def stated(name: str, given: HierarchyLike, folder: Path) -> Any:
    """What a project file says for a hierarchy; rows are written into a file of the folder."""
    if isinstance(given, Hierarchy):
        return dict(given)
    if isinstance(given, Written):
        return given
    if isinstance(given, (str, os.PathLike)):
        return os.path.abspath(os.fspath(given))
    if isinstance(given, Mapping):
        return _written(name, ([value, *path] for value, path in given.items()), folder)
    if isinstance(given, Sequence):
        return _written(name, given, folder)
    fix = "give a rule such as haggle.intervals(5, 10), a file, or a list of rows"
    raise Problem(f"the hierarchy of '{name}' is not one", fix=fix)


def _written(name: str, rows: Iterable[Sequence[Any]], folder: Path) -> str:
    path = folder / "hierarchies" / f"{len(list(folder.glob('hierarchies/*')))}.csv"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(rows)
    return str(path)
