"""The lattice: every question is answered from it, from any number of threads."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _haggle
from ._answers import Answer, Comparison, Front, Record, Study
from ._frames import PathLike
from ._html import Svg
from ._page import Page
from ._progress import ProgressLike, Reported
from ._publication import Publication, publish
from ._request import AmountLike, LevelsLike, PrivacyLike, body, privacy as privacy_of, request, scheme as scheme_of

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

    def __init__(self, native: _haggle.Engine, project: Project) -> None:
        self._native = native
        self.project = project

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

    def _answer(self, asked: dict[str, Any]) -> Answer:
        return Answer(self._question("ask", body(asked)), self, asked)

    def _accept(self, asked: dict[str, Any], kind: str, attributes: list[str]) -> Answer:
        given = body(asked, relaxation=kind, attributes=attributes)
        return self._answer(self._question("accept", given))

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
    ) -> Answer:
        """The best scheme that meets a request, or what would have to be relaxed.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.ask(k=10, max_suppressed=321, levels={"age": 2, "race": 1, "workclass": 1}).scheme
        [1, 1, 0]
        """
        return self._answer(
            request(
                k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
                relax_height=relax_height, optimize=optimize, top=top, only=only,
            )
        )

    def ask_json(self, asked: Mapping[str, Any]) -> Answer:
        """The answer to a request written as JSON, as the other front ends take it.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> lattice.ask_json({"privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": 321}).suppressed
        170
        """
        return self._answer(dict(asked))

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
        progress: ProgressLike = False,
    ) -> Front:
        """The exact front of a model's threshold against a loss: every Pareto-optimal scheme.

        With ``against`` and ``max_loss`` it is the front of two models; ``suppression`` makes
        suppression a third dimension.

        >>> import haggle as hg
        >>> front = hg.demo("adult").build(qi=["age", "race"]).pareto("k-anonymity", loss="lm")
        >>> len(front.rows) > 1
        True
        """
        models = [privacy_of(model), *([privacy_of(against)] if against else [])]
        given = body(
            {"privacy": models}, request(levels=levels, max_suppressed=max_suppressed),
            loss=loss, suppression=suppression, max_loss=max_loss,
        )
        return Front(self._question("pareto", given, progress), "points")

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
        time_limit: float = 1.0,
        only: bool = False,
        progress: ProgressLike = False,
    ) -> Comparison:
        """What each strategy finds for a request, what it loses and how long it takes.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race"])
        >>> found = lattice.compare(k=10, measures=["lm"], strategies=["lattice", "mondrian"])
        >>> [row.strategy for row in found.rows]
        ['lattice', 'mondrian']
        """
        asked = request(k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed, only=only)
        given = body(asked, measures=list(measures), strategies=list(strategies), time_limit=time_limit)
        return Comparison(self._question("compare", given, progress), "strategies")

    def study(
        self,
        *,
        k: int | None = None,
        l: int | None = None,
        privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
    ) -> Study:
        """The least, mean and most records that schemes of each height suppress.

        >>> import haggle as hg
        >>> study = hg.demo("adult").build(qi=["age", "race", "workclass"]).study(k=3)
        >>> [row.least for row in study.rows]
        [554, 125, 28, 12, 4, 1, 0, 0, 0, 0]
        """
        return Study(self._question("study", body(request(k=k, l=l, privacy=privacy))), "heights")

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
                progress: ProgressLike = False, **options: Any) -> Record:
        """What an analyst can still do with a scheme: models, associations, rules.

        ``options`` are ``strategy``, ``target``, ``held_out``, ``seed``, ``support``,
        ``confidence`` and ``rule_length``.
        """
        given = body(self._about(scheme, request(k=k, l=l, privacy=privacy)), **options)
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

    def report(self, scheme: Any = None, *, to: PathLike | None = None, private: bool = False,
               format: str | None = None, published: Any = None, k: int | None = None,
               l: int | None = None, privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
               max_suppressed: AmountLike | None = None, levels: LevelsLike | None = None,
               progress: ProgressLike = False, **mining: Any) -> str:
        """A report on a publication as text: ``html``, ``md`` or ``json``, public or private.

        ``published`` is a publication or its path: its promise is measured again.
        """
        ending = None if to is None else os.fspath(to).rpartition(".")[2]
        path = getattr(published, "path", published)
        asked = request(k=k, l=l, privacy=privacy, max_suppressed=max_suppressed, levels=levels)
        given = body(
            self._about(scheme, asked), private=private, format=format or ending,
            published=None if path is None else os.fspath(path), **mining,
        )
        with Reported(progress) as report:
            text = self._native.question("report", given, report)
        if to is not None:
            with open(to, "w", encoding="utf-8") as file:
                file.write(text)
        return text

    def plot(self, figure: str = "lattice", *, scheme: Any = None, loss: str | None = None,
             suppression: bool | None = None, k: int | None = None, l: int | None = None,
             privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
             max_suppressed: AmountLike | None = None, levels: LevelsLike | None = None) -> Svg:
        """A picture as SVG, which notebooks show: ``lattice``, ``front``, ``study`` or ``histogram``.

        >>> import haggle as hg
        >>> hg.demo("adult").build(qi=["age", "race"]).plot("study", k=3)[:4]
        '<svg'
        """
        asked = request(k=k, l=l, privacy=privacy, max_suppressed=max_suppressed, levels=levels)
        given = body(self._about(scheme, asked), figure=figure, loss=loss, suppression=suppression)
        return Svg(self._native.question("plot", given, None))

    def preview(self, scheme: Any = None, *, rows: int = 10, suppress: str | None = None,
                as_recorded: Sequence[str] | None = None, strategy: str | None = None,
                k: int | None = None, l: int | None = None,
                privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
                max_suppressed: AmountLike | None = None, only: bool = False) -> Record:
        """What a publication would look like, with its first rows. Nothing is written."""
        asked = request(k=k, l=l, privacy=privacy, max_suppressed=max_suppressed, only=only)
        recorded = None if as_recorded is None else list(as_recorded)
        given = body(self._about(scheme, asked), suppress=suppress, as_recorded=recorded, strategy=strategy)
        return Record(json.loads(self._native.preview(given, rows)))

    def publish(
        self,
        answer: Any = None,
        *,
        to: PathLike | None = None,
        suppress: str = "drop",
        as_recorded: Sequence[str] | None = None,
        keep_order: bool = False,
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
    ) -> Publication:
        """Publishes an answer: written, read again, proved, and only then handed out.

        ``answer`` is an answer, a row of a comparison, a scheme as a list of levels, or nothing for
        the exact answer to the request that is given. ``to`` names a CSV or Parquet file; without it
        the table is written to a private temporary file. ``suppress`` is ``"drop"`` or ``"star"``.
        ``private`` is the folder of the private manifest.

        >>> import haggle as hg
        >>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
        >>> answer = lattice.ask(k=10, max_suppressed=321, levels=[2, 1, 1])
        >>> len(lattice.publish(answer))
        29992
        """
        asked = request(
            k=k, l=l, privacy=privacy, levels=levels, max_suppressed=max_suppressed,
            optimize=optimize, only=only,
        )
        how = {
            "suppress": suppress, "as_recorded": None if as_recorded is None else list(as_recorded),
            "keep_order": keep_order, "flag": flag, "spreadsheet_safe": spreadsheet_safe,
            "force": force, "strategy": strategy, "result": result, "refine": refine,
            "anatomy": anatomy, "time_limit": time_limit,
        }
        return publish(self, answer, asked, how, to, private, progress)

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
