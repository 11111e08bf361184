"""Publications: tables that were written, read again and proved."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _haggle, _html
from ._answers import Answer, Record, _library
from ._frames import DataLike, PathLike, frame
from ._page import Agreement
from ._problem import Problem
from ._progress import ProgressLike, Reported
from ._request import AmountLike, body, request, scheme as scheme_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._lattice import Lattice

#: What a request for a named scheme keeps of the request that found it.
_KEPT = ("privacy", "max_suppressed", "only")


#: What a request on the page says of its own files and lattice.
_OF_THE_PAGE = ("qi", "format", "output")


class _Place:
    """The files of a publication; temporary ones are removed with the last object that needs them."""

    def __init__(self, to: PathLike | None, private: PathLike | None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="haggle-")
        folder = Path(self._temporary.name)
        self.output = folder / "published.parquet" if to is None else Path(to)
        self.private = folder / "private" if private is None else Path(private)
        if private is None:
            self.private.mkdir(mode=0o700)


def publish(
    lattice: Lattice,
    answer: Any,
    asked: dict[str, Any],
    how: dict[str, Any],
    to: PathLike | None,
    private: PathLike | None,
    progress: ProgressLike,
) -> Publication:
    """Publishes what was chosen; :class:`RefusedByPolicy` if the promise cannot be kept."""
    place = _Place(to, private)
    given = body(_chosen(answer, asked), **how)
    with Reported(progress) as report:
        described = lattice._native.publish(str(place.output), str(place.private), given, report)
    return _made(lattice, described, place)


def repeat(lattice: Lattice, policy: PathLike, to: PathLike | None, private: PathLike | None,
           max_suppressed: AmountLike | None, progress: ProgressLike) -> Publication:
    """Repeats an earlier publication on the records of a lattice."""
    place = _Place(to, private)
    limit = None if max_suppressed is None else json.dumps(max_suppressed)
    with Reported(progress) as report:
        described = lattice._native.repeat(os.fspath(policy), str(place.output), str(place.private), limit, report)
    fix = "raise max_suppressed, or publish these records with a recoding of their own"
    return Publication(lattice, _kept(json.loads(described), fix), place)


#: What a request holds, of what the methods of a publication take.
_ASKED = ("k", "l", "privacy", "levels", "max_suppressed", "optimize", "only")


def _body(answer: Any, how: dict[str, Any]) -> str:
    """What is published and how, as JSON."""
    asked = request(**{name: value for name, value in how.items() if name in _ASKED})
    how = {name: value for name, value in how.items() if name not in _ASKED}
    if how.pop("anatomy", False):
        how["form"] = "anatomy"
    return body(_chosen(answer, asked), **how)


def publish_table(lattice: Lattice, table: str, answer: Any, how: dict[str, Any],
                  manifest: PathLike | None, progress: ProgressLike) -> Record:
    """Publishes into a table of the project's database."""
    file = None if manifest is None else os.fspath(manifest)
    with Reported(progress) as report:
        described = lattice._native.publish_table(table, _body(answer, how), file, report)
    return Record(_kept(json.loads(described)))


def publish_sql(lattice: Lattice, to: PathLike, answer: Any, how: dict[str, Any], progress: ProgressLike) -> Record:
    """Writes statements that publish in an SQL engine."""
    with Reported(progress) as report:
        described = lattice._native.publish_sql(os.fspath(to), _body(answer, how), report)
    return Record(_kept(json.loads(described)))


#: What to do about a refused publication.
_REFUSED = "ask for less, accept a relaxation, or say only=True if less than the project asks for is intended"


def _kept(report: dict[str, Any], fix: str = _REFUSED) -> dict[str, Any]:
    """The report, unless it is a refusal."""
    if report["outcome"] == "refused":
        raise Problem(f"not published: {report['reason']}", fix=fix, kind="refused-by-policy")
    return report


def _chosen(answer: Any, asked: dict[str, Any]) -> dict[str, Any]:
    if answer is None:
        return asked
    if isinstance(answer, Answer):
        kept = {name: value for name, value in answer.request.items() if name in _KEPT}
        return {**kept, **asked, "scheme": answer.scheme}
    if isinstance(answer, Agreement):
        agreed = {name: value for name, value in answer["request"].to_dict().items() if name not in _OF_THE_PAGE}
        return {**agreed, **asked}
    if isinstance(answer, Record) and "strategy" in answer:
        found = {"strategy": answer["strategy"], "result": answer["result"]} if answer["result"] else None
        if found is None:
            raise Problem("this strategy found nothing", fix="choose another one")
        return {**asked, **found}
    return {**asked, "scheme": scheme_of(answer)}


def _made(lattice: Lattice, described: str, place: _Place) -> Publication:
    return Publication(lattice, _kept(json.loads(described)), place)


class Publication:
    """A table that keeps its promise: proved from the file that was written.

    It has an Arrow stream, so that polars, pyarrow, pandas and DuckDB can read it. Columns that were
    published as recorded have the types that they had in the frame; generalized ones are text.

    >>> import haggle as hg
    >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
    >>> published = lattice.publish(lattice.ask(k=10, max_suppressed=321, levels=[2, 1, 1]))
    >>> published.records, published.suppressed
    (29992, 170)
    """

    def __init__(self, lattice: Lattice, report: dict[str, Any], place: _Place) -> None:
        self._lattice, self._place = lattice, place
        self._table: _haggle.Frame | None = None
        self.report = Record(report)
        self.path = place.output

    @property
    def records(self) -> int:
        """How many records were published."""
        return int(self.report["records"])

    @property
    def suppressed(self) -> int:
        """How many records were suppressed."""
        return int(self._policy["suppressed"])

    @property
    def manifest(self) -> Record:
        """The public manifest: what is promised over which columns, and the file's hash."""
        path = self.path.with_name(self.path.name + ".manifest.json")
        return Record(json.loads(path.read_text(encoding="utf-8")))

    @property
    def _policy(self) -> dict[str, Any]:
        path = self._place.private / "policy.json"
        return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]

    @property
    def recoding(self) -> Recoding:
        """What was applied; private, because it says what recorded values became."""
        return Recoding(self)

    @property
    def frame(self) -> _haggle.Frame:
        """The published table as it was proved."""
        if self._table is None:
            table = _haggle.Frame.read(str(self.path))
            project = self._lattice._project
            given = None if project is None else project._frame
            if given is not None:
                public = self.manifest.to_dict()
                unchanged = [*public.get("unchanged", []), *public.get("sensitive", [])]
                table = table.typed_like(given, unchanged)
            self._table = table
        return self._table

    @property
    def columns(self) -> list[str]:
        """The names of the published columns."""
        return self.frame.columns

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.frame.__arrow_c_stream__(requested_schema)

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars frame."""
        return _library("polars").DataFrame(self)  # type: ignore[no-any-return]

    def to_arrow(self) -> pyarrow.Table:
        """The table as an Arrow table."""
        return _library("pyarrow").table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas frame."""
        _library("pandas")
        return self.to_arrow().to_pandas()

    def __len__(self) -> int:
        return self.records

    def __repr__(self) -> str:
        promises = "; ".join(str(promise) for promise in self.manifest["promises"])
        return f"Publication of {self.records:,} records, {self.suppressed:,} suppressed: {promises}"

    def _repr_html_(self) -> str:
        public = self.manifest.to_dict()
        rows = [
            ("promises", "; ".join(public["promises"])),
            ("over", ", ".join(public.get("promise_over") or [a["name"] for a in public["attributes"]])),
            ("records", self.records),
            ("suppressed", self.suppressed),
            ("unchanged", ", ".join(public.get("unchanged", []))),
        ]
        return _html.table(["", ""], rows, "Published, and proved from what was written.")


class Recoding:
    """What a publication applied, to be applied to other records as well.

    >>> import haggle as hg
    >>> lattice = hg.demo("adult").build(qi=["race"])
    >>> lattice.publish(k=10, levels=[1]).recoding.mapping["race"]["White"]
    'White'
    """

    def __init__(self, publication: Publication) -> None:
        self._publication = publication
        self._policy = publication._policy

    @property
    def quasi_identifiers(self) -> list[str]:
        """The attributes that it generalizes."""
        return [attribute["name"] for attribute in self._policy["public"]["attributes"]]

    @property
    def mapping(self) -> dict[str, dict[str, str]]:
        """What each recorded value became, by attribute; empty if it depends on several attributes."""
        return dict(self._policy["mapping"])

    def apply(
        self,
        data: DataLike,
        *,
        to: PathLike | None = None,
        private: PathLike | None = None,
        max_suppressed: AmountLike | None = None,
        progress: ProgressLike = False,
    ) -> Publication:
        """Publishes other records with the same recoding, thresholds and columns, and proves it.

        A value that the recoding does not know is refused: the attribute is named, and what to do.
        Groups of other records may be smaller: ``max_suppressed`` allows more to be left out than the
        first publication did.
        """
        project = self._publication._lattice.project._over(data)
        lattice = project.build(qi=self.quasi_identifiers, progress=progress)
        policy = self._publication._place.private / "policy.json"
        return repeat(lattice, policy, to, private, max_suppressed, progress)

    def labels(self, data: DataLike) -> dict[str, list[str]]:
        """What the quasi-identifiers of records become, row by row. This is not a publication."""
        records = frame(data)
        if not self.mapping:
            raise Problem(
                "this recoding treats values by combination, not one by one",
                fix="publish a scheme, or apply the recoding to all records",
                kind="unsupported",
            )
        return {name: _mapped(name, records.texts(name), known) for name, known in self.mapping.items()}

    def __repr__(self) -> str:
        return f"Recoding of {', '.join(self.quasi_identifiers)}"


def _mapped(name: str, texts: Sequence[str], known: dict[str, str]) -> list[str]:
    unknown = {text for text in texts if text not in known}
    if unknown:
        raise Problem(
            f"'{name}' has {len(unknown)} values that were not there when the recoding was made",
            fix="make the recoding on data that has them, or leave these records out",
        )
    return [known[text] for text in texts]


def _target(data: Any) -> dict[str, Any]:
    """A publication, a path or a frame, as the native part takes it."""
    if isinstance(data, Publication):
        return {"file": str(data.path)}
    if isinstance(data, (str, os.PathLike)):
        return {"file": os.fspath(data)}
    return {"frame": frame(data)}
