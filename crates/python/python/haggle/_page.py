"""The negotiation page on a lattice's records."""

from __future__ import annotations

import json
import time
import webbrowser
from typing import TYPE_CHECKING, Any

from . import _haggle
from ._answers import Record
from ._problem import Problem

if TYPE_CHECKING:
    from ._lattice import Lattice

#: How often the record of publications is read, in seconds.
_POLL = 0.3


class Page:
    """The page, served until :meth:`stop` is called or a ``with`` block ends."""

    def __init__(self, lattice: Lattice, *, open_browser: bool, port: int) -> None:
        self._record = lattice.project._place.path / "publications.jsonl"
        self._known = len(self._lines())
        self._native = _haggle.Page(lattice.project._native, lattice.quasi_identifiers, port)
        self.url: str = self._native.address()
        if open_browser:
            webbrowser.open(self.url)

    @property
    def origin(self) -> str:
        """Where the page is, for browsers that are signed in."""
        return self._native.origin

    @property
    def token(self) -> str:
        """What programs send as ``Authorization: Bearer``."""
        return self._native.token

    def _lines(self) -> list[dict[str, Any]]:
        if not self._record.exists():
            return []
        return [json.loads(line) for line in self._record.read_text(encoding="utf-8").splitlines() if line]

    def agreed(self, timeout: float | None = None) -> Record:
        """Waits until something was published on the page, and returns what was agreed on there.

        Its ``recoding``, ``quasi_identifiers`` and ``promises`` say what; Ctrl-C stops waiting.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while len(lines := self._lines()) <= self._known:
            if end is not None and time.monotonic() > end:
                raise Problem("nothing was published on the page", fix="publish there, or wait longer")
            time.sleep(_POLL)
        self._known = len(lines)
        return Record(lines[-1])

    def stop(self) -> None:
        """Stops serving the page."""
        self._native.stop()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Page at {self.origin}"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank" rel="noopener">Open the negotiation page</a> (once, within minutes)'
