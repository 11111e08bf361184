"""The lattice: every question is answered from it, from any number of threads."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _haggle
from ._answers import Answer, Comparison, Front, Record, Rows, Study
from ._frames import PathLike, is_path
from ._html import Svg
from ._page import Page
from ._problem import Problem
from ._progress import ProgressLike, Reported
from ._publication import Publication, publish, publish_sql, publish_table, repeat
from ._request import (
    AmountLike, LevelsLike, PrivacyLike, body, percent, privacy as privacy_of, request, scheme as scheme_of, size,
)

if TYPE_CHECKING:
    from ._project import Project


class Lattice:
    """All schemes of a project with what each suppresses: negotiate, compare, publish.

    Where a method takes a request, ``k``, ``l`` and ``privacy`` are what must hold of every group,
    ``levels`` the maximum levels, ``max_suppressed`` how many records may be left out, ``optimize``
    the loss that is to be least. What is not given comes from the project.

    >>> import haggle as hg
    >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
    >>> lattice.records, lattice.quasi_identifiers
    (30162, ['age', 'race', 'workclass'])
    """

    def __init__(self, native: _haggle.Engine, project: Project | None) -> None:
        self._native = native
        self._project = project

    @classmethod
    def open(cls, path: PathLike, *, qi: Sequence[str] | None = None, memory: int | str | None = None,
             on_demand: bool | None = None, annotate_maximum: bool = False) -> Lattice:
        """Opens a lattice file, which :meth:`save` or ``haggle build`` wrote; no data is read.

        ``annotate_maximum`` makes relaxations under the maximum levels of a partial lattice exact.

        >>> import haggle as hg, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     hg.demo("adult").build(qi=["age", "race"]).save(f"{folder}/adult.lattice")
        ...     hg.Lattice.open(f"{folder}/adult.lattice").ask(k=10).scheme
        [1, 0]
        """
        from ._project import Project

        given = body(
            qi=None if qi is None else list(qi), memory=size(memory), on_demand=on_demand,
            annotate_maximum=annotate_maximum,
        )
        native = _haggle.Engine.load(os.fspath(path), given)
        return cls(native, None if native.project is None else Project._of(native.project))

    @property
    def project(self) -> Project:
        """The project; a problem if the lattice comes from a lattice file alone."""
        if self._project is None:
            what = "the lattice comes from a lattice file alone, which has no project"
            raise Problem(what, fix="build it from the project")
        return self._project

    @property
    def notice(self) -> str | None:
        """What there is to know about how it was opened, such as a stored lattice that is out of date."""
        return self._native.notice

    @property
    def records(self) -> int:
        """How many records are counted."""
        return self._native.records

    @property
    def quasi_identifiers(self) -> list[str]:
        """The quasi-identifiers, in the order of a scheme's levels."""
        return self._native.attributes

    @property
    def account(self) -> Record:
        """What became of the records that were read."""
        return Record(json.loads(self._native.account))

    @property
    def built(self) -> Record:
        """How the lattice was built: schemes, groups, times."""
        return Record(json.loads(self._native.built))

    @property
    def defaults(self) -> Record:
        """The request that applies where none is made."""
        return Record(json.loads(self._native.defaults))

    def _question(self, name: str, given: str, progress: ProgressLike = False) -> dict[str, Any]:
        with Reported(progress) as report:
            return json.loads(self._native.question(name, given, report))  # type: ignore[no-any-return]

    def _answer(self, asked: dict[str, Any], time_limit: float | None = None) -> Answer:
        return Answer(self._question("ask", body(asked, time_limit=time_limit)), self, asked)

    def ask(
        self,
        *,
        k: int | str | None = None,
        l: int | str | None = None,
        privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
        levels: LevelsLike | None = None,
        max_suppressed: AmountLike | None = None,
        relax_height: str | None = None,
        optimize: str | None = None,
        top: int | None = None,
        only: bool = False,
        time_limit: float | None = None,
    ) -> Answer:
        """The best scheme that meets a request, or what would have to be relaxed.

        With ``time_limit`` it is the best that is found within so many seconds, where schemes are
        annotated on demand.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.ask(k=10, max_suppressed=321, levels={"age": 2, "race": 1, "workclass": 1}).scheme
        [1, 1, 0]
        """
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            relax_height=relax_height, optimize=optimize, top=top, only=only,
        )
        return self._answer(asked, time_limit)

    def ask_json(self, asked: Mapping[str, Any]) -> Answer:
        """The answer to a request written as JSON, as the other front ends take it.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.ask_json({"privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": 321}).suppressed
        170
        """
        return self._answer(dict(asked))

    def ask_many(self, requests: Iterable[Mapping[str, Any]]) -> list[Answer | Problem]:
        """The answers to many requests written as JSON, in order; a problem where one cannot be answered.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> [bool(answer) for answer in lattice.ask_many([{"privacy": {"k-anonymity": k}} for k in (2, 5)])]
        [True, True]
        """
        answers: list[Answer | Problem] = []
        for one in requests:
            try:
                answers.append(self.ask_json(one))
            except Problem as problem:
                answers.append(problem)
        return answers

    def question(self, name: str, asked: Mapping[str, Any] | None = None, *,
                 progress: ProgressLike = False) -> Record:
        """The answer to any question of the catalog (:func:`questions`), as the other front ends take it.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.question("study", {"privacy": {"k-anonymity": 3}}).heights[0].least
        554
        """
        return Record(self._question(name, body(dict(asked or {})), progress))

    def pareto(
        self,
        model: PrivacyLike = "k-anonymity",
        *,
        loss: str = "lm",
        against: PrivacyLike | None = None,
        max_loss: float | None = None,
        levels: LevelsLike | None = None,
        max_suppressed: AmountLike | None = None,
        suppression: bool = False,
        thresholds: Sequence[float] | None = None,
        progress: ProgressLike = False,
    ) -> Front:
        """The exact front of a model's threshold against a loss: every Pareto-optimal scheme.

        With ``against`` and ``max_loss`` it is the front of two models; ``suppression`` makes
        suppression a third dimension. With ``thresholds`` the least loss is searched at these alone,
        which a lattice that is built ``on_demand`` can do at any size.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race"])
        >>> front = lattice.pareto("k-anonymity", loss="lm")
        >>> len(front.rows) > 1
        True
        >>> len(lattice.pareto("k-anonymity", loss="lm", thresholds=[5, 50]).rows)
        2
        """
        if thresholds is not None and (against or max_loss is not None or suppression):
            raise Problem("single thresholds are searched for one model against loss",
                          fix="leave out against, max_loss and suppression, or leave out thresholds")
        models = [privacy_of(model), *([privacy_of(against)] if against else [])]
        given = body(
            {"privacy": models}, request(levels=levels, max_suppressed=max_suppressed),
            loss=loss, suppression=suppression, max_loss=max_loss,
            thresholds=None if thresholds is None else [float(one) for one in thresholds],
        )
        return Front(self._question("pareto", given, progress), "points")

    def poka(
        self,
        model: PrivacyLike = "k-anonymity",
        *,
        loss: str = "lm",
        max_suppressed: AmountLike | None = None,
        start: Any = None,
        depth: int | None = None,
        ground_rule: str | None = None,
        exhaustive: bool = False,
        progress: ProgressLike = False,
    ) -> Front:
        """The front as POkA searches it: one point for each scheme, by depth and height searches.

        ``start`` is the scheme that it starts from (the most general one unless given; points weaker
        than it are searched), ``depth`` how deep it searches below each point, ``ground_rule`` where
        it starts to climb from (``"depth"`` as published, or ``"ceiling"``); ``exhaustive`` compares
        what was found with every scheme. On a lattice that is built ``on_demand``, only what it evaluates is annotated.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"], on_demand=True)
        >>> lattice.poka().evaluated < 60
        True
        """
        given = body(
            {"privacy": [privacy_of(model)]}, request(max_suppressed=max_suppressed), loss=loss,
            start=scheme_of(start), depth=depth, ground_rule=ground_rule, exhaustive=exhaustive,
        )
        return Front(self._question("poka", given, progress), "points")

    def compare(
        self,
        *,
        k: int | None = None,
        l: int | None = None,
        privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
        levels: LevelsLike | None = None,
        max_suppressed: AmountLike | None = None,
        measures: Sequence[str] = (),
        strategies: Sequence[str] = (),
        time_limit: float | None = None,
        optimize: str | None = None,
        only: bool = False,
        progress: ProgressLike = False,
    ) -> Comparison:
        """What each strategy finds for a request, what it loses and how long it takes.

        Each searches until it is done, or for ``time_limit`` seconds; ``stopped`` in a row says that
        there may be something better, ``error`` that the strategy failed.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race"])
        >>> found = lattice.compare(k=10, measures=["lm"], strategies=["lattice", "mondrian"])
        >>> [row.strategy for row in found.rows]
        ['lattice', 'mondrian']
        """
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            optimize=optimize, only=only,
        )
        given = body(asked, measures=list(measures), strategies=list(strategies), time_limit=time_limit)
        return Comparison(self._question("compare", given, progress), "strategies")

    def study(
        self,
        *,
        k: int | None = None,
        l: int | None = None,
        privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
        levels: LevelsLike | None = None,
    ) -> Study:
        """The least, mean and most records that schemes of each height suppress.

        With ``levels``, only schemes under these maximum levels.

        >>> import haggle as hg
        >>> study = hg.demo("adult").build(qi=["age", "race", "workclass"]).study(k=3)
        >>> [row.least for row in study.rows]
        [554, 125, 28, 12, 4, 1, 0, 0, 0, 0]
        """
        return Study(self._question("study", body(request(k=k, l=l, privacy=privacy, levels=levels))), "heights")

    def estimators(self, *, partial: str | float = "5%", k: int | None = None, l: int | None = None,
                   privacy: PrivacyLike | Iterable[PrivacyLike] | None = None) -> Rows:
        """How well each estimator would select the schemes of a partial lattice.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> [row.estimator for row in lattice.estimators(partial="20%", k=3).rows]
        ['gamma', 'mu', 'gamma-mu', 'lambda']
        """
        given = body(request(k=k, l=l, privacy=privacy), partial=percent(partial))
        return Rows(self._question("estimators", given), "estimators")

    def _about(self, given: Any, asked: dict[str, Any]) -> dict[str, Any]:
        """The request of an answer, or one that is given, about a scheme."""
        if isinstance(given, Answer):
            asked = {**given.request, **asked}
        return {**asked, **({} if given is None else {"scheme": scheme_of(given)})}

    def why(self, scheme: Any = None, *, k: int | None = None, l: int | None = None,
            privacy: PrivacyLike | Iterable[PrivacyLike] | None = None, loss: str | None = None) -> Record:
        """What a scheme costs, attribute by attribute, and what one level more or less would change.

        ``scheme`` is an answer or a list of levels.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.why([1, 1, 0], k=10).scheme
        [1, 1, 0]
        """
        return Record(self._question("why", body(self._about(scheme, request(k=k, l=l, privacy=privacy)), loss=loss)))

    def scheme(self, scheme: Any, *, k: int | None = None, l: int | None = None,
               privacy: PrivacyLike | Iterable[PrivacyLike] | None = None) -> Record:
        """One scheme in detail."""
        return Record(self._question("scheme", body(self._about(scheme, request(k=k, l=l, privacy=privacy)))))

    def histogram(self, scheme: Any = None, *, k: int | None = None, l: int | None = None,
                  privacy: PrivacyLike | Iterable[PrivacyLike] | None = None) -> Record:
        """How many groups and records of a scheme have which value of a model's statistic."""
        return Record(self._question("histogram", body(self._about(scheme, request(k=k, l=l, privacy=privacy)))))

    def grouping(self) -> Record:
        """How strongly each quasi-identifier groups the records."""
        return Record(self._question("grouping", "{}"))

    def security(self, scheme: Any, *, on: str | None = None, width: float | None = None,
                 scale: float | None = None, worst: int | None = None) -> Record:
        """How hard each sensitive value is to rule out in the groups of a scheme."""
        given = body(scheme=scheme_of(scheme), on=on, width=width, scale=scale, worst=worst)
        return Record(self._question("security", given))

    def risk(self, scheme: Any = None, *, k: int | None = None, l: int | None = None,
             privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
             progress: ProgressLike = False, **options: Any) -> Record:
        """The risk of being found, and what attacks succeed.

        ``options`` are those of the command: ``strategy``, ``threshold``, ``population`` (a path),
        ``sampling_fraction``, ``attacks``, ``on``, ``prior``, ``target``, ``rule_out``, ``alpha``,
        ``delta``, ``epsilon``, ``rho1``, ``rho2``, ``moved``, ``known_values``, ``similar``,
        ``width``, ``knows``, ``key_size``.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.risk([1, 1, 0], k=10, key_size=1).risk.prosecutor.highest <= 0.1
        True
        """
        given = body(self._about(scheme, request(k=k, l=l, privacy=privacy)), **options)
        return Record(self._question("risk", given, progress))

    def utility(self, scheme: Any = None, *, k: int | None = None, l: int | None = None,
                privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
                levels: LevelsLike | None = None, max_suppressed: AmountLike | None = None,
                optimize: str | None = None, only: bool = False,
                progress: ProgressLike = False, **options: Any) -> Record:
        """What an analyst can still do with a scheme: models, associations, rules.

        ``options`` are ``strategy``, ``target``, ``held_out``, ``seed``, ``support``,
        ``confidence`` and ``rule_length``.
        """
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            optimize=optimize, only=only,
        )
        given = body(self._about(scheme, asked), **options)
        return Record(self._question("utility", given, progress))

    def query(self, condition: str = "", *, scheme: Any = None, strategy: str | None = None,
              of: str | None = None, group_by: str | None = None, domain: str | None = None,
              suppress: str | None = None, k: int | None = None, l: int | None = None,
              privacy: PrivacyLike | Iterable[PrivacyLike] | None = None) -> Record:
        """What an analyst would get as the answer to a count query, next to the truth.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.query("age < 25", scheme=[2, 1, 1]).truth.total
        4869.0
        """
        given = body(
            request(k=k, l=l, privacy=privacy), condition=condition, scheme=scheme_of(scheme),
            strategy=strategy, of=of, group_by=group_by, domain=domain, suppress=suppress,
        )
        return Record(self._question("query", given))

    def workload(self, queries: PathLike | Iterable[str | Mapping[str, Any]] | None = None, *,
                 random: int | None = None, dimensions: int | None = None, selectivity: float | None = None,
                 seed: int | None = None, of: str | None = None, scheme: Any = None,
                 strategy: str | None = None, suppress: str | None = None, every_scheme: str | None = None,
                 k: int | None = None, l: int | None = None,
                 privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
                 progress: ProgressLike = False) -> Record:
        """How far the answers to many queries are from the truth.

        ``queries`` is a file with one query on each line, or a list of conditions (or of JSON such as
        ``{"condition": "age < 25", "of": "race"}``); without it, ``random`` queries are drawn, each
        restricts ``dimensions`` quasi-identifiers and selects about the share ``selectivity``. They
        are asked of a scheme, of what a strategy finds, or of every scheme: ``every_scheme`` is the
        answer whose errors schemes are compared by, ``"nc"``, ``"cc"`` or ``"ic"``.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.workload(["age < 25", "race = White"], scheme=[2, 1, 1]).queries
        2
        >>> best = lattice.workload(random=20, every_scheme="ic")
        >>> best.rows[0].scheme
        [0, 0, 0]
        """
        listed = None if queries is None or is_path(queries) else list(queries)  # type: ignore[arg-type]
        given = body(
            request(k=k, l=l, privacy=privacy), scheme=scheme_of(scheme), strategy=strategy, of=of,
            file=os.fspath(queries) if is_path(queries) else None, queries=listed,  # type: ignore[arg-type]
            random=random, dimensions=dimensions, selectivity=selectivity, seed=seed,
            suppress=suppress, every_scheme=every_scheme,
        )
        found = self._question("workload", given, progress)
        return Record(found) if every_scheme is None else Rows(found, "schemes")

    def report(self, scheme: Any = None, *, to: PathLike | None = None, force: bool = False,
               private: bool = False, format: str | None = None, published: Any = None, k: int | None = None,
               l: int | None = None, privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
               max_suppressed: AmountLike | None = None, levels: LevelsLike | None = None,
               optimize: str | None = None, workload: PathLike | None = None,
               progress: ProgressLike = False, **mining: Any) -> str:
        """A report on a publication as text: ``html``, ``md`` or ``json``, public or private.

        ``to`` is a file to write it into, which is replaced only if ``force`` says so. ``published`` is
        a publication or its path, which the report is then about. The public form follows from the
        published records. For a private one, ``workload`` is a file of queries and ``mining`` holds
        the options of :meth:`utility`; its file is readable by its owner only.
        """
        path = getattr(published, "path", published)
        asked = request(
            k=k, l=l, privacy=privacy, max_suppressed=max_suppressed, levels=levels, optimize=optimize,
        )
        given = body(
            self._about(scheme, asked), form="private" if private else None, format=format,
            published=None if path is None else os.fspath(path),
            workload=None if workload is None else os.fspath(workload), **mining,
        )
        with Reported(progress) as report:
            if to is not None:
                return self._native.write_report(given, os.fspath(to), force, report)
            return str(json.loads(self._native.question("report", given, report))["text"])

    def plot(self, figure: str = "lattice", *, scheme: Any = None, loss: str | None = None,
             suppression: bool | None = None, k: int | None = None, l: int | None = None,
             privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
             max_suppressed: AmountLike | None = None, levels: LevelsLike | None = None,
             **options: Any) -> Svg:
        """A picture as SVG, which notebooks show.

        ``figure`` is ``lattice``, ``front``, ``study``, ``histogram``, ``comparison`` or ``poka``;
        ``options`` are those of the method whose answer is drawn: ``max_loss`` of a front of two
        models, ``thresholds`` of a front, ``measures``, ``strategies`` and ``time_limit`` of a comparison, ``start``, ``depth`` and
        ``ground_rule`` of POkA.

        >>> import haggle as hg
        >>> hg.demo("adult").build(qi=["age", "race"]).plot("study", k=3)[:4]
        '<svg'
        """
        asked = request(k=k, l=l, privacy=privacy, max_suppressed=max_suppressed, levels=levels)
        given = body(self._about(scheme, asked), figure=figure, loss=loss, suppression=suppression, **options)
        return Svg(self._question("plot", given)["text"])

    def preview(self, scheme: Any = None, *, rows: int = 10, suppress: str | None = None,
                as_recorded: Sequence[str] | None = None, strategy: str | None = None,
                k: int | None = None, l: int | None = None,
                privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
                max_suppressed: AmountLike | None = None, only: bool = False) -> Record:
        """What a publication would look like, with its first rows. Nothing is written."""
        asked = request(k=k, l=l, privacy=privacy, max_suppressed=max_suppressed, only=only)
        recorded = None if as_recorded is None else list(as_recorded)
        given = body(
            self._about(scheme, asked), suppress=suppress, as_recorded=recorded, strategy=strategy, rows=rows,
        )
        return Record(self._question("preview", given))

    def publish(
        self,
        answer: Any = None,
        *,
        to: PathLike | None = None,
        suppress: str | None = None,
        as_recorded: Sequence[str] | None = None,
        keep_order: bool = False,
        seed: int | None = None,
        flag: str | None = None,
        spreadsheet_safe: bool = False,
        force: bool = False,
        private: PathLike | None = None,
        strategy: str | None = None,
        result: str | None = None,
        refine: bool = False,
        anatomy: bool = False,
        time_limit: float | None = None,
        progress: ProgressLike = False,
        k: int | None = None,
        l: int | None = None,
        privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
        levels: LevelsLike | None = None,
        max_suppressed: AmountLike | None = None,
        optimize: str | None = None,
        only: bool = False,
        policy: PathLike | None = None,
    ) -> Publication:
        """Publishes an answer: written, read again, proved, and only then handed out.

        ``answer`` is an answer, what was agreed on the page, a row of a comparison, a scheme as a list
        of levels, or nothing for the exact answer to the request that is given. ``to`` names a CSV or Parquet file; without it
        the table is written to a private temporary file. ``suppress`` is ``"drop"`` (the default) or
        ``"star"``.
        ``private`` is the folder of the private manifest. ``policy`` is the ``policy.json`` of an
        earlier publication, which is repeated on these records. Records are written in a random
        order; ``seed`` repeats one and must be kept secret.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> answer = lattice.ask(k=10, max_suppressed=321, levels=[2, 1, 1])
        >>> len(lattice.publish(answer))
        29992
        """
        if policy is not None:
            return repeat(self, policy, to, private, max_suppressed, progress)
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            optimize=optimize, only=only,
        )
        how = {
            "suppress": suppress, "as_recorded": None if as_recorded is None else list(as_recorded),
            "keep_order": keep_order or None, "seed": seed, "flag": flag,
            "spreadsheet_safe": spreadsheet_safe or None, "force": force or None, "strategy": strategy,
            "result": result, "refine": refine or None, "form": "anatomy" if anatomy else None,
            "time_limit": time_limit,
        }
        return publish(self, answer, asked, how, to, private, progress)

    def publish_table(self, table: str, answer: Any = None, *, manifest: PathLike | None = None,
                      progress: ProgressLike = False, **how: Any) -> Record:
        """Publishes into a new table ``schema.name`` of the project's own database, and proves it there.

        ``manifest`` is a file for the public manifest; ``how`` is what :meth:`publish` takes, but for
        files and their order.
        """
        return publish_table(self, table, answer, how, manifest, progress)

    def publish_sql(self, to: PathLike, answer: Any = None, *, dialect: str, dbt: bool = False,
                    source: str | None = None, target: str | None = None,
                    progress: ProgressLike = False, **how: Any) -> Record:
        """Writes SQL that publishes and proves in an engine that somebody else runs.

        ``dialect`` names the engine, ``dbt`` makes it a folder with a dbt model and its test,
        ``source`` and ``target`` are the tables that are read and made; ``how`` is what
        :meth:`publish` takes. Nothing is published yet, and the file holds recorded values: keep it
        secret.

        >>> import haggle as hg, tempfile
        >>> lattice = hg.demo("adult").build(qi=["age", "race"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report = lattice.publish_sql(f"{folder}/out.sql", dialect="duckdb", source="adult", k=10)
        >>> report.dialect
        'duckdb'
        """
        statements = {"dialect": dialect, "dbt": dbt, "source": source, "target": target}
        return publish_sql(self, to, answer, {**how, **statements}, progress)

    def save(self, path: PathLike) -> None:
        """Writes the lattice to a file, from which questions can be answered without the data."""
        self._native.save(os.fspath(path))

    def page(self, *, open_browser: bool = True, port: int = 0) -> Page:
        """Opens the negotiation page on these records, served to this machine from this process.

        ``page.agreed()`` waits until something was published there and returns it.
        """
        return Page(self, open_browser=open_browser, port=port)

    def __repr__(self) -> str:
        built = self.built
        names = ", ".join(self.quasi_identifiers)
        return f"Lattice of {built.schemes:,} schemes over {names}: {self.records:,} records"

    def _repr_html_(self) -> str:
        from . import _html

        built = json.loads(self._native.built)
        return _html.table(["", ""], [("quasi-identifiers", ", ".join(self.quasi_identifiers)), *built.items()])


def questions(name: str | None = None) -> list[Record]:
    """The catalog of questions, or the one of this name: fields, examples and what answers may reveal.

    >>> import haggle as hg
    >>> [one.reveals for one in hg.questions("preview")]
    ['records']
    """
    listed = [Record(one) for one in json.loads(_haggle.catalog("questions"))]
    return [one for one in listed if name in (None, one.id)]
