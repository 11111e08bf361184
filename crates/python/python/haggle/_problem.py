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
    ``kind`` is a word that a program can compare: ``bad-input``, ``unsupported``, ``memory``,
    ``already-exists``, ``cancelled``, ``io``, ``refused`` or ``internal``.

    >>> import haggle as hg
    >>> try:
    ...     hg.demo("adult").build(qi=["height"])
    ... except hg.Problem as problem:
    ...     print(problem.what, problem.kind)
    'height' is not a quasi-identifier of this project bad-input
    """

    kind: str
    problems: tuple[Detail, ...]

    def __init__(self, *problems: Detail | str, kind: str = "bad-input", fix: str = "") -> None:
        details = [p if isinstance(p, Detail) else Detail(p, "", fix) for p in problems]
        self.problems = tuple(details or [Detail("something is wrong", "", "")])
        self.kind = kind
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


def _unpickled(problems: tuple[Detail, ...], kind: str) -> Problem:
    return Problem(*problems, kind=kind)


def from_json(text: str, *, kind: str) -> Problem:
    """The exception of a list of problems, as the native part gives it."""
    details = [Detail(p["what"], p["where"], p["fix"]) for p in json.loads(text)]
    return Problem(*details, kind=kind)
