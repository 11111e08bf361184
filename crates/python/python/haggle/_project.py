"""Projects: the data, the roles of its columns, and how their values become general."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _haggle, _hierarchies, _html, _toml
from ._answers import Record
from ._frames import DataLike, PathLike, frame, is_path
from ._hierarchies import HierarchyLike
from ._lattice import Lattice
from ._problem import Detail, Problem
from ._progress import ProgressLike, Reported
from ._request import AmountLike, LevelsLike, PrivacyLike, body, levels_of, percent, request, size

_SHORT = {
    "qi": "quasi-identifier",
    "id": "identifier",
}


class Project:
    """Data, the roles of its columns, and how their values become general.

    ``data`` is a frame, the path of a CSV or Parquet file, or the url of a database with ``table`` as
    its table; keep the password out of the url, in ``PGPASSWORD`` or the password file. ``roles`` says which columns are a
    ``"quasi-identifier"`` (or ``"qi"``), ``"sensitive"``, an ``"identifier"`` or ``"insensitive"``.
    ``hierarchies`` are rules (:func:`haggle.intervals` and the like), files, or rows.

    ``on_missing`` says what becomes of records with missing values: ``"drop"``, ``"value"``,
    ``"unmatched"`` or ``"error"``; ``missing`` lists what counts as missing besides null. ``unit``
    names the column of persons, where a person has several records. ``stated`` holds what else a
    project file may say of an attribute, such as ``{"disease": {"order": [...]}}``. ``request`` is
    the request that applies where none is made, ``folder`` where records of publications are kept;
    without one they last as long as the project. ``as_recorded`` names columns that are published
    whatever they single out, ``keep`` columns that are kept before others.

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
        keep: Sequence[str] | None = None,
        table: str | None = None,
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
            "keep": keep,
            "table": table,
        }
        unknown = sorted(set(self._settings["hierarchies"]) - set(roles))
        if unknown:
            fix = "give each a role, such as 'qi'"
            raise Problem(f"attributes with a hierarchy and no role: {', '.join(unknown)}", fix=fix)
        place = _place(data, table)
        self._frame = None if place else frame(data)
        self.text: str = self._written(place or {"path": "the frame"})
        with self._located():
            if self._frame is None:
                self._native = _haggle.Project.of_files(self.text, self._place.path)
            else:
                self._native = _haggle.Project.of(self.text, self._place.path, self._frame)

    @contextmanager
    def _located(self) -> Iterator[None]:
        """Problems name the attribute that they are about, not a line of a text that nobody wrote."""
        try:
            yield
        except Problem as problem:
            if "opened" in self._settings:
                raise
            details = [Detail(one.what, self._where(one.where), one.fix) for one in problem.problems]
            raise Problem(*details, kind=problem.kind) from None

    def _where(self, where: str) -> str:
        file, _, line = where.partition("haggle.toml:")
        number = line.partition(":")[0]
        if not number.isdigit() or Path(file or ".") != self._place.path:
            return where
        names = re.findall(r'^name = "(.*)"$', "\n".join(self.text.splitlines()[: int(number)]), re.MULTILINE)
        return f"attribute '{names[-1]}'" if names else ""

    def _written(self, place: dict[str, str]) -> str:
        settings = self._settings
        data = {name: settings[name] for name in ("missing", "on_missing", "unit")}
        sections = [_toml.section("[data]", {**place, **data})]
        for name, role in settings["roles"].items():
            given = settings["hierarchies"].get(name)
            hierarchy = None if given is None else _hierarchies.stated(name, given, self._place.path)
            keys = {"name": name, "role": _SHORT.get(role, role), "hierarchy": hierarchy}
            sections.append(_toml.section("[[attribute]]", {**keys, **settings["stated"].get(name, {})}))
        if settings["request"]:
            sections.append(_toml.section("[request]", settings["request"]))
        publish = {name: list(settings[name]) for name in ("as_recorded", "keep") if settings[name]}
        if publish:
            sections.append(_toml.section("[publish]", publish))
        return "\n".join(sections)

    @classmethod
    def open(cls, path: PathLike) -> Project:
        """Opens a ``haggle.toml``, its folder, or ``demo:adult``.

        >>> import haggle as hg
        >>> hg.Project.open("demo:adult").quasi_identifiers[:2]
        ['age', 'education']
        """
        return cls._of(_haggle.Project.open(os.fspath(path)))

    @classmethod
    def _of(cls, native: _haggle.Project) -> Project:
        """The project that the native part opened."""
        project = cls.__new__(cls)
        project._place = _Folder(None)
        project._settings = {"opened": native.location}
        project._frame = None
        project.text = ""
        project._native = native
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
        from_level: LevelsLike | None = None,
        memory: int | str | None = None,
        on_demand: bool | None = None,
        partial: str | float | None = None,
        estimator: str | None = None,
        annotate_maximum: bool = False,
        progress: ProgressLike = False,
    ) -> Lattice:
        """Counts the records once and annotates the lattice of schemes.

        Other Python threads run meanwhile, and Ctrl-C stops it. ``qi`` chooses quasi-identifiers and
        their order, ``memory`` limits counting (bytes, or ``"2GB"``), ``on_demand`` says whether
        schemes are annotated when questions touch them; without it, the expected cost decides.

        ``from_level`` counts groups from these levels on, such as ``{"age": 1}``, where the recorded
        combinations take too much memory; schemes below are not offered.

        ``partial`` annotates only this percentage of each height, such as ``"5%"``, which
        ``estimator`` selects; ``annotate_maximum`` makes relaxations under the maximum levels of such
        a lattice exact.

        >>> import haggle as hg
        >>> hg.demo("adult").build(qi=["age", "race", "workclass"])
        Lattice of 60 schemes over age, race, workclass: 30,162 records
        """
        given = body(
            qi=None if qi is None else list(qi), from_level=levels_of(from_level), memory=size(memory),
            on_demand=on_demand, partial=None if partial is None else percent(partial), estimator=estimator,
            annotate_maximum=annotate_maximum,
        )
        with Reported(progress) as report, self._located():
            return Lattice(_haggle.Engine(self._native, given, report), self)

    def check(self) -> Record:
        """Reads everything and reports it; every problem at once, if there are any.

        >>> import haggle as hg
        >>> hg.demo("adult").check().dropped
        2399
        """
        with self._located():
            return Record(json.loads(self._native.check()))

    def hierarchy(self, attribute: str) -> Record:
        """How an attribute's values become general: ``levels`` and ``tree``.

        >>> import haggle as hg
        >>> hg.demo("adult").hierarchy("race").levels
        [5, 2, 1]
        """
        return Record(json.loads(self._native.hierarchy(attribute)))

    def export_hierarchy(self, attribute: str, to: PathLike, *, force: bool = False) -> None:
        """Writes an attribute's hierarchy into a file: a row for each value, ``;`` between levels.

        >>> import haggle as hg, tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "race.csv"
        ...     hg.demo("adult").export_hierarchy("race", path)
        ...     len(path.read_text().splitlines())
        5
        """
        self._native.export_hierarchy(attribute, os.fspath(to), force)

    def repair_hierarchy(self, attribute: str, *, to: PathLike | None = None, force: bool = False) -> Record:
        """The hierarchy with values merged where they are more uncertain than the value above.

        ``to`` names a file to write it into as well.
        """
        path = None if to is None else os.fspath(to)
        return Record(json.loads(self._native.repair_hierarchy(attribute, path, force)))

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
        predictor: str | None = None,
        without: Sequence[str] = (),
        max_scans: int | None = None,
        time_limit: float | None = None,
        compare: bool = False,
        only: bool = False,
        progress: ProgressLike = False,
    ) -> Record:
        """Anonymizes from a summary of the data, with one scan or few.

        A scheme must promise a ``probability``, or at most so many records ``expected`` in failing
        groups. ``predictor`` is ``"normal"``, ``"bonferroni"`` or ``"hybrid"``, ``without`` lists
        shortcuts not to take, ``time_limit`` stops with what was found after so many seconds
        (``stopped`` says so), ``compare`` counts every scheme as well and reports the exact optimum.

        >>> import haggle as hg
        >>> hg.demo("adult").instant(k=60, qi=["age", "race", "workclass"]).scans >= 1
        True
        """
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            optimize=optimize, top=top, relax_height=relax_height, only=only,
        )
        given = body(
            asked, qi=None if qi is None else list(qi), summary=summary, sample=sample, seed=seed,
            probability=probability, expected=expected, predictor=predictor, without=list(without),
            max_scans=max_scans, time_limit=time_limit, compare=compare,
        )
        with Reported(progress) as report:
            return Record(json.loads(self._native.instant(given, report)))

    def update(self, *, add: Sequence[PathLike] = (), delete: Sequence[PathLike] = (),
               to: PathLike | None = None) -> Record:
        """Adds the records of files to the stored lattice and deletes others, without reading the data.

        ``to`` is where the lattice is written, by default where it was.
        """
        added, deleted = ([os.fspath(path) for path in paths] for paths in (add, delete))
        return Record(json.loads(self._native.update(added, deleted, None if to is None else os.fspath(to))))

    def __repr__(self) -> str:
        return f"Project over {', '.join(self.quasi_identifiers)}"

    def _repr_html_(self) -> str:
        roles = ("quasi-identifier", "sensitive", "identifier")
        rows = [(name, role) for role in roles for name in self._native.named(role)]
        return _html.table(["attribute", "role"], rows)


def _place(data: DataLike, table: str | None) -> dict[str, str] | None:
    """Where the data is: a file or a table of a database; none if it is a frame."""
    if not is_path(data):
        return None
    if "://" not in os.fspath(data):
        return {"path": os.path.abspath(os.fspath(data))}
    if table is None:
        raise Problem("this is a database, and no table is named", fix="give table='schema.name'")
    return {"url": os.fspath(data), "table": table}


class _Folder:
    """Where a project keeps its records; removed with the project, unless it was named."""

    def __init__(self, folder: PathLike | None) -> None:
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="haggle-")
        self.path = Path(folder) if folder else Path(self._temporary.name if self._temporary else ".")
        self.path.mkdir(parents=True, exist_ok=True)


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

    def save(self, *, force: bool = False) -> Path:
        """Writes the project file next to the data, or where ``suggest(to=...)`` said.

        >>> import haggle as hg, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "people.csv"
        ...     _ = path.write_text("age,sex\\n36,f\\n41,m\\n")
        ...     hg.Project.open(hg.suggest(path).save()).quasi_identifiers
        ['age', 'sex']
        """
        if not _is_named(self._data):
            fix = "write the frame to a file and suggest for that, or use draft.project()"
            raise Problem("a project file names its data, and a frame has no name", fix=fix)
        file = Path(self._fields["file"])
        try:
            with open(file, "w" if force else "x", encoding="utf-8") as out:
                out.write(self.text)
        except FileExistsError:
            fix = "say force=True to replace it, or suggest with another file as to="
            raise Problem(f"{file} exists", fix=fix, kind="conflict") from None
        return file

    def project(self, *, folder: PathLike | None = None) -> Project:
        """The project that the draft describes. Read what it guessed before publishing with it."""
        given = None if _is_named(self._data) else frame(self._data)
        place = _Folder(folder)
        if given is None:
            base = Path(self._fields["file"]).resolve().parent
            project = Project._of(_haggle.Project.of_files(self.text, base))
        else:
            project = Project._of(_haggle.Project.of(self.text, place.path, given))
        project._place, project._frame, project.text = place, given, self.text
        return project

    def __repr__(self) -> str:
        return f"Draft({', '.join(f'{name}: {role}' for name, role in self.roles.items())})"

    def _repr_html_(self) -> str:
        rows = [(g["name"], g["role"], g["why"], g.get("hierarchy")) for g in self._fields["attributes"]]
        return _html.table(["attribute", "role", "why", "hierarchy"], rows)


def _is_named(data: Any) -> bool:
    return is_path(data) or isinstance(data, (list, tuple))


def suggest(data: DataLike, *, table: str | None = None, to: PathLike | None = None) -> Draft:
    """Guesses roles, hierarchies and missing values for a table, each with its reason.

    ``data`` is a frame, a file, a list of files that are one table, or the url of a database with its
    ``table``. ``to`` is where :meth:`Draft.save` writes the project file, by default next to the data.

    >>> import haggle as hg
    >>> pa = __import__("pyarrow")
    >>> hg.suggest(pa.table({"age": [36, 41], "sex": ["f", "m"]})).quasi_identifiers
    ['age', 'sex']
    """
    if _is_named(data):
        paths = [os.fspath(path) for path in ([data] if is_path(data) else data)]
        fields, text = _haggle.suggest(None, paths, table, None if to is None else os.fspath(to))
    else:
        data = frame(data)
        fields, text = _haggle.suggest(data)
    return Draft(json.loads(fields), text, data)


def demo(name: str = "adult") -> Project:
    """The embedded Adult census data with its hierarchies.

    >>> import haggle as hg
    >>> hg.demo("adult").name
    'adult'
    """
    return Project.open(f"demo:{name}")
