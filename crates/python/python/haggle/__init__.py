"""Negotiate the anonymization of data frames: exact answers at once, or what has to be relaxed.

>>> import haggle as hg
>>> lattice = hg.demo("adult").build(qi=["age", "race", "workclass"])
>>> answer = lattice.ask(k=10, max_suppressed=32, levels=[2, 1, 1])
>>> if not answer:
...     answer = answer.relaxations.suppression.accept()
>>> answer.suppressed
55
>>> published = lattice.publish(answer)
>>> bool(hg.verify(published, k=10))
True

The functions of the privacy models (:mod:`haggle.models`) are names of this module, too; loss
measures are in :mod:`haggle.measures`, strategies in :mod:`haggle.strategies`, the scikit-learn
transformer in :mod:`haggle.sklearn`.
"""

from . import measures, models, strategies
from ._answers import Answer, Comparison, Front, Record, Relaxation, Relaxations, Rows, Study, Verdict
from ._files import assess, query, risk, verify
from ._haggle import Frame, version
from ._hierarchies import Hierarchy, bounds, dates, groups, intervals, prefix, tree
from ._html import Svg
from ._lattice import Lattice, questions
from ._page import Agreement, Page
from ._problem import (
    BadInput, BrokenPromise, Cancelled, Conflict, DataChanged, Detail, IoProblem, NotFound, OutOfMemory, Problem,
    RefusedByPolicy, TimedOut, Unsupported,
)
from ._project import Draft, Project, demo, suggest
from ._publication import Publication, Recoding
from ._request import Privacy
from .models import *

__version__: str = version()

__all__ = [
    "Agreement", "Answer", "BadInput", "BrokenPromise", "Cancelled", "Comparison", "Conflict", "DataChanged", "Detail",
    "Draft", "Frame", "Front", "Hierarchy", "IoProblem", "Lattice", "NotFound", "OutOfMemory", "Page", "Privacy",
    "Problem", "Project", "Publication", "Record", "Recoding", "RefusedByPolicy", "Relaxation", "Relaxations", "Rows",
    "Study", "Svg", "TimedOut", "Unsupported", "Verdict", "assess", "bounds", "dates", "demo", "groups", "intervals", "measures", "models",
    "prefix", "query", "questions", "risk", "strategies", "suggest", "tree", "verify", "version",
]
