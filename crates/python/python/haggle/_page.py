"""The negotiation page on a lattice's records."""

from __future__ import annotations

import json
import time
import urllib.request
import webbrowser
from typing import TYPE_CHECKING, Any

from . import _haggle
from ._answers import Record
from ._problem import Problem

if TYPE_CHECKING:
    from ._lattice import Lattice

#: How often the page is asked for its publications, in seconds.
_POLL = 0.3


class Agreement(Record):
    """What was agreed on the page: the ``request`` that was published there, and its ``report``.

    ``lattice.publish(agreement)`` publishes the same again, for instance into a frame.
    """

    @property
    def scheme(self) -> list[int] | None:
        """The levels of the scheme; none if something else than a scheme was published."""
        found = self._fields["report"].get("scheme")
        return None if found is None else list(found)

    def __repr__(self) -> str:
        report = self._fields["report"]
        promised = "; ".join(f"{model} {value}" for model, value in report["promised"].items())
        return f"Agreement: {report['records']:,} records, {promised}"


class Page:
    """The page, served until :meth:`stop` is called or a ``with`` block ends."""

    def __init__(self, lattice: Lattice, *, open_browser: bool, port: int) -> None:
        self._native = _haggle.Page(lattice.project._native, lattice.quasi_identifiers, port)
        self._known = {receipt["id"] for receipt in self._receipts()}
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

    def _receipts(self) -> list[dict[str, Any]]:
        """What was published on the page, the newest first."""
        address, head = f"{self.origin}/api/publications", {"Authorization": f"Bearer {self.token}"}
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(urllib.request.Request(address, headers=head)) as answer:
            return json.load(answer)  # type: ignore[no-any-return]

    def agreed(self, timeout: float | None = None) -> Agreement:
        """Waits until something was published on the page, and returns what was agreed on there.

        Ctrl-C stops waiting; after ``timeout`` seconds without a publication it is a problem.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            new = [receipt for receipt in self._receipts() if receipt["id"] not in self._known]
            if new:
                self._known.add(new[-1]["id"])
                return Agreement(new[-1])
            if end is not None and time.monotonic() > end:
                raise Problem("nothing was published on the page", fix="publish there, or wait longer")
            time.sleep(_POLL)

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
