"""Tables that others made: whether they keep a promise, and what they promise."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _haggle
from ._answers import Record, Verdict
from ._frames import DataLike
from ._publication import _target
from ._request import PrivacyLike, body, request

if TYPE_CHECKING:
    from ._lattice import Lattice
    from ._project import Project


def _columns(qi: Sequence[str] | None, sensitive: Sequence[str] | None, project: Project | None) -> dict[str, Any]:
    return {
        "qi": None if qi is None else list(qi),
        "sensitive": None if sensitive is None else list(sensitive),
        "project": None if project is None else project._native,
    }


def verify(
    data: DataLike,
    *,
    k: int | None = None,
    l: int | None = None,
    privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
    qi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    project: Project | None = None,
    only: bool = False,
) -> Verdict:
    """Whether a publication, a file or a frame keeps a promise; true in a condition if it does.

    What the columns mean comes from ``qi`` and ``sensitive``, else from the project, else from the
    manifest next to the file.

    >>> import haggle as hg
    >>> pa = __import__("pyarrow")
    >>> table = pa.table({"age": ["30-39"] * 5 + ["40-49"] * 3})
    >>> bool(hg.verify(table, k=3, qi=["age"])), bool(hg.verify(table, k=4, qi=["age"]))
    (True, False)
    """
    asked = body(request(k=k, l=l, privacy=privacy, only=only))
    is_yes, verdict = _haggle.verify(asked, **_target(data), **_columns(qi, sensitive, project))
    return Verdict(json.loads(verdict), is_yes)


def assess(
    data: DataLike,
    *,
    qi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    project: Project | None = None,
) -> Record:
    """Every statistic of a publication, a file or a frame: is it anonymous already?

    >>> import haggle as hg
    >>> pa = __import__("pyarrow")
    >>> hg.assess(pa.table({"age": [30, 30, 31]}), qi=["age"]).unique
    1
    """
    return Record(json.loads(_haggle.assess(**_target(data), **_columns(qi, sensitive, project))))


def risk(
    data: DataLike,
    *,
    k: int | None = None,
    l: int | None = None,
    privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
    qi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    project: Project | None = None,
    **options: Any,
) -> Record:
    """What a publication, a file or a frame tells an attacker: risk, attacks, beliefs.

    ``options`` are those of :meth:`haggle.Lattice.risk`, but for the scheme and the strategy.

    >>> import haggle as hg
    >>> pa = __import__("pyarrow")
    >>> hg.risk(pa.table({"age": [30, 30, 31]}), qi=["age"]).risk.prosecutor.highest
    1.0
    """
    given = body(request(k=k, l=l, privacy=privacy), **options)
    return Record(json.loads(_haggle.risk(given, **_target(data), **_columns(qi, sensitive, project))))


def query(data: Any, condition: str = "", *, of: str | None = None, group_by: str | None = None,
          domain: str | None = None, qi: Sequence[str] | None = None, lattice: Lattice | None = None) -> Record:
    """The answer that a published file gives to a count query.

    ``lattice`` is that of the table behind the file; with it the truth is reported as well.
    """
    path = os.fspath(getattr(data, "path", data))
    given = body(condition=condition, of=of, group_by=group_by, domain=domain)
    native = None if lattice is None else lattice._native
    return Record(json.loads(_haggle.query_file(path, given, native, None if qi is None else list(qi))))
