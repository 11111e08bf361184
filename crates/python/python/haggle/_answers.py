"""Answers: the JSON of the engine with attributes, tables and a form for notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from . import _html
from ._problem import Problem

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._lattice import Lattice


class Record:
    """An answer: its fields are attributes, and items by name.

    >>> record = Record({"height": 2, "attained": {"k-anonymity": 12}})
    >>> record.height, record.attained["k-anonymity"]
    (2, 12)
    >>> record.to_dict()
    {'height': 2, 'attained': {'k-anonymity': 12}}
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no field '{name}'")
        return _wrapped(self._fields[name])

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._fields[name])

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        return self._fields == (other._fields if isinstance(other, Record) else other)

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields})

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_html.lines(self._fields)})"

    def keys(self) -> list[str]:
        """The names of the fields."""
        return list(self._fields)

    def to_dict(self) -> dict[str, Any]:
        """The answer as the JSON of the other front ends has it."""
        return json.loads(json.dumps(self._fields))  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        return _html.table(["", ""], self._fields.items())


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [_wrapped(item) for item in value]
    return value


class Rows(Record):
    """An answer that is a table: iterate over its rows, or convert it to a frame.

    >>> rows = Rows({"points": [{"k": 2, "loss": 0.1}]}, "points")
    >>> [row.k for row in rows.rows]
    [2]
    """

    def __init__(self, fields: dict[str, Any], field: str) -> None:
        super().__init__(fields)
        self._field = field

    @property
    def rows(self) -> list[Any]:
        """The rows, each with its fields."""
        return [Record(row) for row in self._fields[self._field]]

    def _flat(self) -> list[dict[str, Any]]:
        rows = [_flat(row) for row in self._fields[self._field]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return [{name: row.get(name) for name in names} for row in rows]

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars frame."""
        return _library("polars").DataFrame(self._flat(), infer_schema_length=None)  # type: ignore[no-any-return]

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        return _library("pandas").DataFrame(self._flat())

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table."""
        return _library("pyarrow").Table.from_pylist(self._flat())

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {len(self._fields[self._field])} rows"

    def _repr_html_(self) -> str:
        rows = self._flat()
        head = list(rows[0]) if rows else []
        return _html.table(head, ([row[name] for name in head] for row in rows))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row of plain values: fields of fields get longer names, lists become text."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": _cell(item) for inner, item in value.items()})
        else:
            flat[name] = _cell(value)
    return flat


def _cell(value: Any) -> Any:
    return _html.shown(value) if isinstance(value, (dict, list)) else value


def _library(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        fix = f"install it: pip install 'haggle[{name.removeprefix('py')}]'"
        raise Problem(f"{name} is not installed", fix=fix, kind="unsupported") from None


class Front(Rows):
    """Every Pareto-optimal threshold with its loss.

    >>> import haggle as hg
    >>> front = hg.demo("adult").build(qi=["age", "race"]).pareto("k-anonymity", loss="lm")
    >>> front.points[0].threshold > 1
    True
    """


class Comparison(Rows):
    """What each strategy finds, loses and takes."""


class Study(Rows):
    """The least, mean and most records suppressed at each height."""


class Verdict(Record):
    """Whether a table keeps a promise; true in a condition if it does."""

    def __init__(self, fields: dict[str, Any], is_yes: bool) -> None:
        super().__init__(fields)
        self._is_yes = is_yes

    def __bool__(self) -> bool:
        return self._is_yes

    def __repr__(self) -> str:
        word = "yes" if self._is_yes else "no"
        asked, attained = self._fields["asked"], self._fields["attained"]
        return f"Verdict: {word}; asked {_html.shown(dict(asked))}, attained {_html.shown(dict(attained))}"


class Relaxation(Record):
    """One constraint weakened with the others kept; true in a condition if a scheme is then possible.

    >>> import haggle as hg
    >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
    >>> privacy = lattice.ask(k=10, max_suppressed=32, levels=[2, 1, 1]).relaxations.get("privacy")
    >>> privacy.kind, privacy.parameter, privacy.value, privacy.offer.suppressed
    ('privacy', 'k', 7.0, 31)
    """

    def __init__(self, fields: dict[str, Any], lattice: Lattice) -> None:
        super().__init__(fields)
        self._lattice = lattice

    def __bool__(self) -> bool:
        return "offer" in self._fields

    @property
    def offer(self) -> Record | None:
        """The scheme that is possible, if there is one."""
        return Record(self._fields["offer"]) if self else None

    @property
    def reason(self) -> str | None:
        """Why no scheme is possible, if none is."""
        reason: str | None = self._fields.get("reason")
        return reason

    @property
    def without(self) -> list[str]:
        """The attributes that are left out."""
        return list(self._fields.get("without", []))

    @property
    def request(self) -> dict[str, Any] | None:
        """The request that accepts it, as JSON: ``accept`` of the other front ends."""
        accept = self._fields.get("accept")
        return None if accept is None else dict(accept)

    def accept(self) -> Answer:
        """Asks again with the weakened constraint.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> answer = lattice.ask(k=10, max_suppressed=32, levels=[2, 1, 1])
        >>> bool(answer), answer.relaxations.suppression.accept().suppressed
        (False, 55)
        """
        accept = self.request
        if accept is None:
            raise Problem(f"this relaxation does not exist: {self.reason}", fix="choose another one")
        return self._lattice.ask_json(accept)


class Relaxations(Sequence[Relaxation]):
    """What would have to be relaxed where no scheme meets a request, in order; empty where one does.

    >>> import haggle as hg
    >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
    >>> relaxations = lattice.ask(k=10, max_suppressed=32, levels=[2, 1, 1]).relaxations
    >>> [relaxation.kind for relaxation in relaxations]
    ['suppression', 'height', 'privacy', 'attribute', 'attribute', 'attribute']
    >>> relaxations.get("attributes") is None
    True
    """

    def __init__(self, entries: list[dict[str, Any]], lattice: Lattice) -> None:
        self._list = [Relaxation(fields, lattice) for fields in entries]

    @overload
    def __getitem__(self, index: int) -> Relaxation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Relaxation]: ...
    def __getitem__(self, index: int | slice) -> Relaxation | list[Relaxation]:
        return self._list[index]

    def __len__(self) -> int:
        return len(self._list)

    def __eq__(self, other: object) -> bool:
        return self._list == (other._list if isinstance(other, Relaxations) else other)

    __hash__ = None  # type: ignore[assignment]

    def get(self, kind: str) -> Relaxation | None:
        """The first relaxation of this kind that makes a scheme possible; none if there is none."""
        return next((one for one in self._list if one and one.kind == kind), None)

    @property
    def suppression(self) -> Relaxation | None:
        """More records are suppressed."""
        return self.get("suppression")

    @property
    def height(self) -> Relaxation | None:
        """Levels exceed their maximum."""
        return self.get("height")

    @property
    def privacy(self) -> Relaxation | None:
        """A threshold is weaker."""
        return self.get("privacy")

    @property
    def attribute(self) -> dict[str, Relaxation]:
        """One attribute is fully generalized, the best first."""
        return {one.without[0]: one for one in self._list if one and one.kind == "attribute"}

    def to_list(self) -> list[dict[str, Any]]:
        """The relaxations as JSON has them."""
        return [one.to_dict() for one in self._list]

    def __repr__(self) -> str:
        return f"Relaxations({', '.join(self._kinds())})"

    def _kinds(self) -> list[str]:
        return list(dict.fromkeys(one.kind for one in self._list if one))


class Answer(Record):
    """The answer to a request; true in a condition if a scheme meets the request.

    >>> import haggle as hg
    >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
    >>> answer = lattice.ask(k=10, max_suppressed=321, levels=[2, 1, 1])
    >>> answer.scheme, answer.suppressed
    ([1, 1, 0], 170)
    """

    def __init__(self, fields: dict[str, Any], lattice: Lattice, request: dict[str, Any]) -> None:
        super().__init__(fields)
        self._lattice, self._request = lattice, request

    def __bool__(self) -> bool:
        return self._fields["exact"] is not None

    def _exact(self) -> dict[str, Any]:
        exact: dict[str, Any] | None = self._fields["exact"]
        if exact is None:
            raise Problem("no scheme meets this request", fix="accept a relaxation, or ask for less")
        return exact

    @property
    def request(self) -> dict[str, Any]:
        """The request as it was asked, as JSON."""
        return dict(self._request)

    @property
    def exact(self) -> Record | None:
        """The best scheme that meets the request, if there is one."""
        exact = self._fields["exact"]
        return None if exact is None else Record(exact)

    @property
    def relaxations(self) -> Relaxations:
        """What would have to be relaxed; empty if a scheme meets the request."""
        return Relaxations(self._fields["relaxations"], self._lattice)

    @property
    def scheme(self) -> list[int]:
        """The levels of the scheme, in the order of the quasi-identifiers."""
        return list(self._exact()["scheme"])

    @property
    def levels(self) -> dict[str, int]:
        """The levels of the scheme by name."""
        return dict(self._exact()["levels"])

    @property
    def suppressed(self) -> int:
        """How many records the scheme suppresses."""
        return int(self._exact()["suppressed"])

    @property
    def height(self) -> int:
        """The sum of the scheme's levels."""
        return int(self._exact()["height"])

    def __repr__(self) -> str:
        if self:
            return f"Answer: scheme {_html.shown(self.scheme)}, {self.suppressed:,} records suppressed"
        return f"Answer: no scheme meets this; it would, with another {', '.join(self.relaxations._kinds()) or 'request'}"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, dict[str, Any]]] = []
        if self:
            rows.append(("answer", self._exact()))
        else:
            rows += [(_relaxed(one), one["offer"]) for one in self._fields["relaxations"] if "offer" in one]
        head = ["", "levels", "suppressed", "privacy", "loss"]
        cells = ([name, one["levels"], one["suppressed"], one["privacy"], one.get("loss")] for name, one in rows)
        return _html.table(head, cells, "A scheme meets the request." if self else "No scheme meets the request.")


def _relaxed(fields: dict[str, Any]) -> str:
    """What a relaxation changes, in a few words."""
    without = fields.get("without")
    return f"without {' and '.join(without)}" if without else f"if {fields['kind']} is relaxed"
