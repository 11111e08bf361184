"""Requests: what Python callers write, as the JSON that every front end understands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import _haggle
from ._problem import Problem


class Privacy(dict[str, Any]):
    """A privacy model with its parameters, as the functions of ``haggle.models`` make it.

    >>> import haggle as hg
    >>> hg.t_closeness(0.2, on="disease")
    t_closeness(t=0.2, on='disease')
    """

    def __repr__(self) -> str:
        parameters = {name: value for name, value in self.items() if name != "model"}
        written = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
        return f"{self['model'].replace('-', '_')}({written})"


#: A model made by a function of ``haggle.models``, its JSON, or text such as ``"k-anonymity=10"``.
PrivacyLike = Union[Privacy, Mapping[str, Any], str]
#: Maximum levels, in the order of the quasi-identifiers or by name.
LevelsLike = Union[Sequence[int], Mapping[str, int]]
#: A number of records, or a percentage such as ``"1%"``.
AmountLike = Union[int, str]


def privacy(given: PrivacyLike) -> dict[str, Any]:
    """A model as JSON.

    >>> privacy("recursive-l-diversity:l=3,c=2,on=disease")
    {'model': 'recursive-l-diversity', 'on': 'disease', 'c': 2, 'l': 3}
    >>> privacy("k-anonymity=10")
    {'model': 'k-anonymity', 'k': 10}
    """
    if isinstance(given, Mapping):
        return dict(given)
    if not isinstance(given, str):
        fix = "use a function such as haggle.t_closeness, or a text such as 'k-anonymity=10'"
        raise Problem("this is not a privacy model", fix=fix)
    return json.loads(_haggle.privacy(given))  # type: ignore[no-any-return]


def request(
    *,
    k: int | str | None = None,
    l: int | str | None = None,
    privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
    levels: LevelsLike | None = None,
    max_suppressed: AmountLike | None = None,
    relax_height: str | None = None,
    optimize: str | None = None,
    top: int | None = None,
    only: bool = False,
) -> dict[str, Any]:
    """A request as JSON; what is not given comes from the project.

    >>> request(k=10, max_suppressed="1%")
    {'privacy': [{'model': 'k-anonymity', 'k': 10}], 'max_suppressed': '1%'}
    """
    models: list[dict[str, Any]] = []
    if k is not None:
        models.append({"model": "k-anonymity", "k": k})
    if l is not None:
        models.append({"model": "distinct-l-diversity", "l": l})
    if privacy is not None:
        several = [privacy] if isinstance(privacy, (str, Mapping)) else privacy
        models.extend(_privacy(one) for one in several)
    given = {
        "privacy": models or None,
        "levels": levels_of(levels),
        "max_suppressed": max_suppressed,
        "relax_height": relax_height,
        "optimize": optimize,
        "top": top,
        "only": only or None,
    }
    return {name: value for name, value in given.items() if value is not None}


_privacy = privacy


def levels_of(levels: LevelsLike | None) -> Any:
    if levels is None or isinstance(levels, Mapping):
        return None if levels is None else {name: int(level) for name, level in levels.items()}
    return [int(level) for level in levels]


def scheme(given: Any) -> list[int] | None:
    """The levels of a scheme: of a list, or of what has a scheme."""
    found = getattr(given, "scheme", given)
    return None if found is None else [int(level) for level in found]


def body(*parts: Mapping[str, Any], **more: Any) -> str:
    """The fields that have a value, as JSON."""
    fields: dict[str, Any] = {}
    for part in parts:
        fields.update(part)
    fields.update({name: value for name, value in more.items() if value is not None})
    try:
        return json.dumps(fields, default=_plain, allow_nan=False)
    except (TypeError, ValueError):
        raise Problem("this cannot be asked", fix="give numbers, texts, lists and mappings") from None


def _plain(value: Any) -> Any:
    item = getattr(value, "item", None)  # a number of numpy
    if callable(item):
        return item()
    raise TypeError


def percent(share: float | str) -> float:
    """A percentage as a number.

    >>> percent("5%"), percent(2.5)
    (5.0, 2.5)
    """
    try:
        return float(share.strip().removesuffix("%")) if isinstance(share, str) else float(share)
    except ValueError:
        raise Problem(f"'{share}' is not a percentage", fix="write for instance 5%") from None


def size(memory: int | str | None) -> int | None:
    """A number of bytes.

    >>> size("2GB"), size(1000), size(None)
    (2147483648, 1000, None)
    """
    if memory is None or isinstance(memory, int):
        return memory
    units = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
    number, unit = memory.strip()[:-2], memory.strip()[-2:].upper()
    try:
        return int(float(number) * units[unit])
    except (KeyError, ValueError):
        raise Problem(f"'{memory}' is not an amount of memory", fix="write 512MB, 2GB or a number of bytes") from None
