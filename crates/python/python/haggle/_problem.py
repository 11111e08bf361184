"""The exception that says what is wrong, where, and what to do."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Detail(NamedTuple):
    """One thing that is wrong.

    >>> Detail("column 'age' has no hierarchy", "", "add one").fix
    'add one'
    """

    what: str
    where: str
    fix: str

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        fix = f"\n    fix: {self.fix}" if self.fix else ""
        return f"{place}{self.what}{fix}"


class Problem(ValueError):
    """What is wrong, where it is, and what to do. It never holds a record of the data.

    ``what``, ``where`` and ``fix`` are those of the first problem, ``problems`` has all of them.
    ``kind`` is a word that a program can compare, such as ``data-changed``. Each kind is a class
    below this one; ``internal`` is a defect of haggle.

    >>> import haggle as hg
    >>> try:
    ...     hg.demo("adult").build(qi=["height"])
    ... except hg.NotFound as problem:
    ...     print(problem.what, problem.kind)
    'height' is not a quasi-identifier of this project not-found
    """

    kind: str = "bad-input"
    problems: tuple[Detail, ...]

    def __new__(cls, *problems: Detail | str, kind: str | None = None, fix: str = "") -> Any:
        """Builds an exception of the class that the kind has."""
        return super().__new__(KINDS.get(kind or cls.kind, cls) if cls is Problem else cls)

    def __init__(self, *problems: Detail | str, kind: str | None = None, fix: str = "") -> None:
        details = [p if isinstance(p, Detail) else Detail(p, "", fix) for p in problems]
        self.problems = tuple(details or [Detail("something is wrong", "", "")])
        self.kind = kind or type(self).kind
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.problems, self.kind)

    @property
    def what(self) -> str:
        """What is wrong."""
        return self.problems[0].what

    @property
    def where(self) -> str:
        """The file and line, if there is one."""
        return self.problems[0].where

    @property
    def fix(self) -> str:
        """What to do about it."""
        return self.problems[0].fix


class BadInput(Problem):
    """The input is inconsistent or incomplete."""

    kind = "bad-input"


class Unsupported(Problem):
    """The request is valid, but haggle cannot do it."""

    kind = "unsupported"


class NotFound(Problem):
    """A file, column, attribute or result that is named does not exist."""

    kind = "not-found"


class Conflict(Problem):
    """An output exists already, or something else is underway."""

    kind = "conflict"


class BrokenPromise(Problem):
    """What was written does not keep its promise; it is removed."""

    kind = "broken-promise"


class DataChanged(Problem):
    """The data or a hierarchy is not what was counted, or what a policy was made for."""

    kind = "data-changed"


class RefusedByPolicy(Problem):
    """The project's thresholds, a policy or the protection of its files does not allow it."""

    kind = "refused-by-policy"


class OutOfMemory(Problem):
    """The memory limit would be exceeded."""

    kind = "out-of-memory"


class TimedOut(Problem):
    """The time limit was reached before there was a result."""

    kind = "timed-out"


class Cancelled(Problem):
    """The caller cancelled the work."""

    kind = "cancelled"


class IoProblem(Problem):
    """The operating system or a database reported an error."""

    kind = "io"


#: The class of every kind of error that the native part has.
KINDS: dict[str, type[Problem]] = {
    one.kind: one
    for one in (BadInput, Unsupported, NotFound, Conflict, BrokenPromise, DataChanged, RefusedByPolicy,
                OutOfMemory, TimedOut, Cancelled, IoProblem)
}


def _unpickled(problems: tuple[Detail, ...], kind: str) -> Problem:
    return Problem(*problems, kind=kind)


def from_json(text: str, *, kind: str) -> Problem:
    """The exception of a list of problems, as the native part gives it."""
    details = [Detail(p["what"], p["where"], p["fix"]) for p in json.loads(text)]
    return Problem(*details, kind=kind)
