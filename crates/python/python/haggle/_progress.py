"""Progress of long work, in a terminal or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Union

#: Receives what is being done, how many steps are done, and how many there are (0: not known).
ProgressCallback = Callable[[str, int, int], None]
#: ``True`` for a line on standard error, a function, or ``False``.
ProgressLike = Union[bool, ProgressCallback]


class _Line:
    """Writes one line again and again."""

    def __init__(self) -> None:
        self._length = 0

    def __call__(self, what: str, done: int, steps: int) -> None:
        share = f"{100 * min(done, steps) // steps} %" if steps else ""
        text = f"{what} {share}"
        sys.stderr.write("\r" + text.ljust(self._length))
        sys.stderr.flush()
        self._length = len(text)

    def end(self) -> None:
        if self._length:
            sys.stderr.write("\r" + " " * self._length + "\r")
            sys.stderr.flush()


class Reported:
    """The callback for what was given as ``progress``, for the time of a ``with`` block."""

    def __init__(self, progress: ProgressLike) -> None:
        self._line = _Line() if progress is True else None
        self._given = progress if callable(progress) else None

    def __enter__(self) -> ProgressCallback | None:
        return self._line or self._given

    def __exit__(self, *_: object) -> None:
        if self._line:
            self._line.end()
