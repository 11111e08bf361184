"""A scikit-learn transformer that generalizes features until they are anonymous.

It is a transformation, not a publication: rows keep their order and number, so that it fits into a
pipeline, and what it returns is neither written nor proved. To hand out data, publish it with
:meth:`haggle.Lattice.publish`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._hierarchies import HierarchyLike
from ._problem import Problem
from ._project import Project
from ._request import AmountLike, LevelsLike, PrivacyLike

__all__ = ["Anonymizer"]

#: What a record becomes whose group fails, and what a value becomes that was not there in ``fit``.
STAR = "*"


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Generalizes features so that every group of records in ``fit`` keeps a promise.

    ``fit`` finds the best scheme for ``k``, ``privacy``, ``levels`` and ``max_suppressed``;
    ``transform`` replaces the values of the quasi-identifiers (``qi``: names, or positions of
    columns without names; all if not given) by what the scheme makes of them. Records of groups that
    fail, and values that ``fit`` did not see, become ``*`` (with ``encode="ordinal"``: -1). Without a
    hierarchy, one that suits the values is proposed.

    ``encode`` is ``"label"`` for text or ``"ordinal"`` for numbers in the order of the labels.

    >>> import numpy as np
    >>> from haggle.sklearn import Anonymizer
    >>> ages = np.array([[31.0], [32.0], [33.0], [44.0], [45.0], [46.0]])
    >>> import haggle as hg
    >>> Anonymizer(k=3, hierarchies={"x0": hg.intervals(10, 20)}).fit_transform(ages).ravel().tolist()
    ['30-39', '30-39', '30-39', '40-49', '40-49', '40-49']
    """

    def __init__(
        self,
        k: int = 5,
        *,
        qi: Sequence[str] | None = None,
        hierarchies: Mapping[str, HierarchyLike] | None = None,
        privacy: PrivacyLike | Iterable[PrivacyLike] | None = None,
        sensitive: Sequence[str] = (),
        levels: LevelsLike | None = None,
        max_suppressed: AmountLike = "5%",
        optimize: str = "lm",
        encode: str = "label",
    ) -> None:
        self.k = k
        self.qi = qi
        self.hierarchies = hierarchies
        self.privacy = privacy
        self.sensitive = sensitive
        self.levels = levels
        self.max_suppressed = max_suppressed
        self.optimize = optimize
        self.encode = encode

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Finds the scheme for these records."""
        if self.encode not in ("label", "ordinal"):
            raise Problem("there is no such encoding", fix="choose label or ordinal")
        columns = self._columns(X, reset=True)
        names = list(columns)
        if len(columns[names[0]]) < 2:
            raise Problem("n_samples=1: a single record has no group", fix="fit more records")
        self.qi_ = list(self.qi) if self.qi is not None else [n for n in names if n not in self.sensitive]
        table = pa.table(columns)
        answer = self._project(table, self._hierarchies(table)).build().ask(
            k=self.k, privacy=self.privacy, levels=self.levels,
            max_suppressed=self.max_suppressed, optimize=self.optimize,
        )
        if not answer:
            raise Problem(f"no scheme meets this request: {answer!r}", fix="raise max_suppressed, or ask for less")
        published = answer._lattice.publish(answer)
        self.scheme_ = answer.scheme
        self.suppressed_ = answer.suppressed
        self.mapping_ = published.recoding.mapping
        kept = [published.frame.texts(name) for name in self.qi_]
        self.groups_ = set(zip(*kept))
        self.codes_ = {
            name: {label: code for code, label in enumerate(sorted(set(values.values())))}
            for name, values in self.mapping_.items()
        }
        return self

    def _project(self, table: pa.Table, hierarchies: Mapping[str, HierarchyLike]) -> Project:
        roles = {name: "qi" for name in self.qi_} | {name: "sensitive" for name in self.sensitive}
        return Project(table, roles=roles, hierarchies=hierarchies, on_missing="value", missing=["", "NaN"])

    def _hierarchies(self, table: pa.Table) -> dict[str, HierarchyLike]:
        from ._toml import Written

        given = dict(self.hierarchies or {})
        plain = self._project(table, given)
        for name in self.qi_:
            if name not in given and (found := plain.suggest_hierarchy(name).hierarchy):
                given[name] = Written(found)
        return given

    def transform(self, X: Any) -> Any:
        """Generalizes records; rows keep their order and number."""
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        texts = _texts(pa.table(columns), self.qi_)
        labels = [[self.mapping_[name].get(text) for text in texts[name]] for name in self.qi_]
        rows = len(next(iter(columns.values())))
        for row in range(rows):
            group = tuple(column[row] for column in labels)
            if group not in self.groups_:
                for column in labels:
                    column[row] = STAR
        return self._output(columns, dict(zip(self.qi_, labels)))

    def _output(self, columns: dict[str, Any], labels: dict[str, list[Any]]) -> Any:
        made = []
        for name, column in columns.items():
            if name not in labels:
                made.append(np.asarray(column, dtype=object))
            elif self.encode == "label":
                made.append(np.array(labels[name], dtype=object))
            else:
                codes = self.codes_[name]
                made.append(np.array([codes.get(label, -1) for label in labels[name]], dtype=float))
        stacked = np.column_stack(made)
        return stacked.astype(float) if self.encode == "ordinal" and set(columns) <= set(labels) else stacked

    def _columns(self, X: Any, *, reset: bool) -> dict[str, Any]:
        """The columns by name, after the checks that scikit-learn asks for."""
        checked = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")
        names = getattr(self, "feature_names_in_", None)
        names = [f"x{i}" for i in range(checked.shape[1])] if names is None else list(names)
        return {name: _column(checked[:, i]) for i, name in enumerate(names)}

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the features, which stay."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{i}" for i in range(self.n_features_in_)]
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _column(values: Any) -> Any:
    """A column as Arrow takes it; of mixed types, as text."""
    if values.dtype != object:
        return values
    listed = values.tolist()
    try:
        return pa.array(listed)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array(["" if value is None else str(value) for value in listed])


def _texts(table: pa.Table, names: Sequence[str]) -> dict[str, list[str]]:
    from ._haggle import Frame

    records = Frame(table.select(list(names)))
    return {name: records.texts(name) for name in names}
