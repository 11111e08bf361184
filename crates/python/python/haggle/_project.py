"""Projects: the data, the roles of its columns, and how their values become general."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _haggle, _hierarchies, _html, _toml
from ._answers import Record
from ._frames import DataLike, PathLike, frame, is_path
from ._hierarchies import HierarchyLike
from ._lattice import Lattice
from ._problem import Problem
from ._progress import ProgressLike, Reported
from ._request import AmountLike, LevelsLike, PrivacyLike, body, request

_SHORT = {
    "qi": "quasi-identifier",
    "id": "identifier",
}


class Project:
    """Data, the roles of its columns, and how their values become general.

    ``data`` is a frame or the path of a CSV or Parquet file. ``roles`` says which columns are a
    ``"quasi-identifier"`` (or ``"qi"``), ``"sensitive"``, an ``"identifier"`` or ``"insensitive"``.
    ``hierarchies`` are rules (:func:`haggle.intervals` and the like), files, or rows.

    ``on_missing`` says what becomes of records with missing values: ``"drop"``, ``"value"``,
    ``"unmatched"`` or ``"error"``; ``missing`` lists what counts as missing besides null. ``unit``
    names the column of persons, where a person has several records. ``stated`` holds what else a
    project file may say of an attribute, such as ``{"disease": {"order": [...]}}``. ``request`` is
    the request that applies where none is made, ``folder`` where records of publications are kept;
    without one they last as long as the project.

    >>> import haggle as hg
    >>> rows = [{"age": 30 + i % 20, "disease": "flu"} for i in range(100)]
    >>> pa = __import__("pyarrow")
    >>> project = hg.Project(pa.Table.from_pylist(rows), roles={"age": "qi", "disease": "sensitive"},
    ...                      hierarchies={"age": hg.intervals(5, 10)})
    >>> project.build().ask(k=20).levels
    {'age': 1}
    """

    def __init__(
        self,
        data: DataLike,
        *,
        roles: Mapping[str, str],
        hierarchies: Mapping[str, HierarchyLike] | None = None,
        on_missing: str | None = None,
        missing: Sequence[str] | None = None,
        unit: str | None = None,
        stated: Mapping[str, Mapping[str, Any]] | None = None,
        request: Mapping[str, Any] | None = None,
        as_recorded: Sequence[str] | None = None,
        folder: PathLike | None = None,
    ) -> None:
        self._place = _Folder(folder)
        self._settings: dict[str, Any] = {
            "roles": dict(roles),
            "hierarchies": dict(hierarchies or {}),
            "on_missing": on_missing,
            "missing": missing,
            "unit": unit,
            "stated": dict(stated or {}),
            "request": request,
            "as_recorded": as_recorded,
        }
        unknown = sorted(set(self._settings["hierarchies"]) - set(roles))
        if unknown:
            fix = "give each a role, such as 'qi'"
            raise Problem(f"attributes with a hierarchy and no role: {', '.join(unknown)}", fix=fix)
        path = os.path.abspath(os.fspath(data)) if is_path(data) else None
        self._frame = None if path else frame(data)
        self.text: str = self._written(path)
        if self._frame is None:
            self._native = _haggle.Project.of_files(self.text, self._place.path)
        else:
            self._native = _haggle.Project.of(self.text, self._place.path, self._frame)

    def _written(self, path: str | None) -> str:
        settings = self._settings
        data = {name: settings[name] for name in ("missing", "on_missing", "unit")}
        sections = [_toml.section("[data]", {"path": path or "the frame", **data})]
        for name, role in settings["roles"].items():
            given = settings["hierarchies"].get(name)
            hierarchy = None if given is None else _hierarchies.stated(name, given, self._place.path)
            keys = {"name": name, "role": _SHORT.get(role, role), "hierarchy": hierarchy}
            sections.append(_toml.section("[[attribute]]", {**keys, **settings["stated"].get(name, {})}))
        if settings["request"]:
            sections.append(_toml.section("[request]", settings["request"]))
        if settings["as_recorded"]:
            sections.append(_toml.section("[publish]", {"as_recorded": list(settings["as_recorded"])}))
        return "\n".join(sections)

    @classmethod
    def open(cls, path: PathLike) -> Project:
        """Opens a ``haggle.toml``, its folder, or ``demo:adult``.

        >>> import haggle as hg
        >>> hg.Project.open("demo:adult").quasi_identifiers[:2]
        ['age', 'education']
        """
        project = cls.__new__(cls)
        project._place = _Folder(None)
        project._settings = {"opened": os.fspath(path)}
        project._frame = None
        project.text = ""
        project._native = _haggle.Project.open(os.fspath(path))
        return project

    def _over(self, data: DataLike) -> Project:
        """The same project over other records."""
        if "opened" in self._settings:
            fix = "make the project from a frame or a file: haggle.Project(data, roles=...)"
            raise Problem("a project file says itself where its data is", fix=fix)
        return Project(data, **self._settings)

    @property
    def name(self) -> str:
        """What it is called."""
        return self._native.name

    @property
    def quasi_identifiers(self) -> list[str]:
        """The quasi-identifiers that are counted unless others are asked for."""
        return self._native.quasi_identifiers

    @property
    def sensitive(self) -> list[str]:
        """The sensitive attributes."""
        return self._native.named("sensitive")

    def build(
        self,
        *,
        qi: Sequence[str] | None = None,
        memory: int | str | None = None,
        on_demand: bool | None = None,
        progress: ProgressLike = False,
    ) -> Lattice:
        """Counts the records once and annotates the lattice of schemes.

        Other Python threads run meanwhile, and Ctrl-C stops it. ``qi`` chooses quasi-identifiers and
        their order, ``memory`` limits counting (bytes, or ``"2GB"``), ``on_demand`` says whether
        schemes are annotated when questions touch them; without it, the expected cost decides.

        >>> import haggle as hg
        >>> hg.demo("adult").build(qi=["age", "race", "workclass"])
        Lattice of 60 schemes over age, race, workclass: 30,162 records
        """
        with Reported(progress) as report:
            chosen = None if qi is None else list(qi)
            native = _haggle.Engine(self._native, chosen, size(memory), on_demand, report)
        return Lattice(native, self)

    def check(self) -> Record:
        """Reads everything and reports it; every problem at once, if there are any.

        >>> import haggle as hg
        >>> hg.demo("adult").check().dropped
        2399
        """
        return Record(json.loads(self._native.check()))

    def hierarchy(self, attribute: str) -> Record:
        """How an attribute's values become general: ``levels`` and ``tree``.

        >>> import haggle as hg
        >>> hg.demo("adult").hierarchy("race").levels
        [5, 2, 1]
        """
        return Record(json.loads(self._native.hierarchy(attribute)))

    def repair_hierarchy(self, attribute: str) -> Record:
        """The hierarchy with values merged where they are more uncertain than the value above."""
        return Record(json.loads(self._native.repair_hierarchy(attribute)))

    def suggest_hierarchy(self, attribute: str) -> Record:
        """A hierarchy that suits an attribute's values, and why."""
        return Record(json.loads(self._native.suggest_hierarchy(attribute)))

    def estimate(self, *, qi: Sequence[str] | None = None) -> Record:
        """What building the lattice would take."""
        return Record(json.loads(self._native.estimate(None if qi is None else list(qi))))

    def instant(
        self,
        *,
        k: int | None = None,
        l: int | None = None,
        privacy: PrivacyLike | Sequence[PrivacyLike] | None = None,
        levels: LevelsLike | None = None,
        max_suppressed: AmountLike | None = None,
        optimize: str | None = None,
        top: int | None = None,
        relax_height: str | None = None,
        qi: Sequence[str] | None = None,
        summary: str | None = None,
        sample: int | None = None,
        seed: int | None = None,
        probability: float | None = None,
        expected: float | None = None,
        max_scans: int | None = None,
        progress: ProgressLike = False,
    ) -> Record:
        """Anonymizes from a summary of the data, with one scan or few.

        >>> import haggle as hg
        >>> hg.demo("adult").instant(k=60, qi=["age", "race", "workclass"]).scans >= 1
        True
        """
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            optimize=optimize, top=top, relax_height=relax_height,
        )
        given = body(
            asked, qi=None if qi is None else list(qi), summary=summary, sample=sample, seed=seed,
            probability=probability, expected=expected, max_scans=max_scans,
        )
        with Reported(progress) as report:
            return Record(json.loads(self._native.instant(given, report)))

    def update(self, *, add: Sequence[PathLike] = (), delete: Sequence[PathLike] = ()) -> Record:
        """Adds the records of files to the stored lattice and deletes others, without reading the data."""
        files = [[os.fspath(path) for path in paths] for paths in (add, delete)]
        return Record(json.loads(self._native.update(*files)))

    def __repr__(self) -> str:
        return f"Project over {', '.join(self.quasi_identifiers)}"

    def _repr_html_(self) -> str:
        roles = ("quasi-identifier", "sensitive", "identifier")
        rows = [(name, role) for role in roles for name in self._native.named(role)]
        return _html.table(["attribute", "role"], rows)


class _Folder:
    """Where a project keeps its records; removed with the project, unless it was named."""

    def __init__(self, folder: PathLike | None) -> None:
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="haggle-")
        self.path = Path(folder) if folder else Path(self._temporary.name if self._temporary else ".")
        self.path.mkdir(parents=True, exist_ok=True)


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


class Draft(Record):
    """A guessed project: each column's role and hierarchy, each with its reason.

    >>> import haggle as hg
    >>> pa = __import__("pyarrow")
    >>> draft = hg.suggest(pa.table({"name": ["Ada", "Bob"], "age": [36, 41], "disease": ["flu", "asthma"]}))
    >>> draft.roles
    {'name': 'identifier', 'age': 'quasi-identifier', 'disease': 'sensitive'}
    """

    def __init__(self, fields: dict[str, Any], text: str, data: DataLike) -> None:
        super().__init__(fields)
        self.text = text
        self._data = data

    @property
    def roles(self) -> dict[str, str]:
        """What each column likely is."""
        return {guess["name"]: guess["role"] for guess in self._fields["attributes"]}

    @property
    def reasons(self) -> dict[str, str]:
        """Why each column is taken for what it is."""
        return {guess["name"]: guess["why"] for guess in self._fields["attributes"]}

    def project(self, *, folder: PathLike | None = None) -> Project:
        """The project that the draft describes. Read what it guessed before publishing with it."""
        project = Project.__new__(Project)
        project._place = _Folder(folder)
        project._settings = {"opened": "draft"}
        project._frame = None if is_path(self._data) else frame(self._data)
        project.text = self.text
        if project._frame is None:
            base = Path(self._fields["file"]).resolve().parent
            project._native = _haggle.Project.of_files(self.text, base)
        else:
            project._native = _haggle.Project.of(self.text, project._place.path, project._frame)
        return project

    def __repr__(self) -> str:
        return f"Draft({', '.join(f'{name}: {role}' for name, role in self.roles.items())})"

    def _repr_html_(self) -> str:
        rows = [(g["name"], g["role"], g["why"], g.get("hierarchy")) for g in self._fields["attributes"]]
        return _html.table(["attribute", "role", "why", "hierarchy"], rows)


def suggest(data: DataLike) -> Draft:
    """Guesses roles, hierarchies and missing values for a frame or a file, each with its reason.

    >>> import haggle as hg
    >>> pa = __import__("pyarrow")
    >>> hg.suggest(pa.table({"age": [36, 41], "sex": ["f", "m"]})).quasi_identifiers
    ['age', 'sex']
    """
    if is_path(data):
        fields, text = _haggle.suggest(None, [os.fspath(data)])
    else:
        data = frame(data)
        fields, text = _haggle.suggest(data, None)
    return Draft(json.loads(fields), text, data)


def demo(name: str = "adult") -> Project:
    """The embedded Adult census data with its hierarchies.

    >>> import haggle as hg
    >>> hg.demo("adult").name
    'adult'
    """
    return Project.open(f"demo:{name}")
