"""What may be given as data: a path, or anything with an Arrow stream."""

from __future__ import annotations

import os
from typing import Any, Union

from . import _haggle
from ._problem import Problem

#: A path, or a frame: any object with ``__arrow_c_stream__``, such as a polars, pyarrow or pandas frame.
DataLike = Any

#: A path, as text or as an object.
PathLike = Union[str, "os.PathLike[str]"]


def is_path(data: Any) -> bool:
    """Whether data is named, not given."""
    return isinstance(data, (str, os.PathLike))


def frame(data: Any) -> _haggle.Frame:
    """The records of a frame, without copying them."""
    if isinstance(data, _haggle.Frame):
        return data
    if not hasattr(data, "__arrow_c_stream__"):
        arrow = getattr(data, "to_arrow_table", None) or getattr(data, "arrow", None)
        if callable(arrow):  # a DuckDB relation of an older version
            data = arrow()
    if not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        raise Problem(
            f"a {type(data).__name__} is not a frame",
            fix="give a polars, pyarrow or pandas (2.2 or later) frame, a DuckDB relation, or a path",
        )
    data = _without_index(data)
    try:
        return _haggle.Frame(data)
    except Problem as problem:
        raise _mixed(data) or problem from None


def _mixed(data: Any) -> Problem | None:
    """The problem of a pandas frame with columns that have no one type; their values are not repeated."""
    if not _is_pandas(data):
        return None
    mixed = [name for name in data.columns if not _is_one_type(data[[name]])]
    fix = f"give each values of one type: frame[{mixed[0]!r}].astype(str)" if mixed else ""
    return Problem(f"columns with values of several types: {', '.join(mixed)}", fix=fix) if mixed else None


def _is_one_type(column: Any) -> bool:
    try:
        _haggle.Frame(column)
    except Problem:
        return False
    return True


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas" and type(data).__name__ == "DataFrame"


def _without_index(data: Any) -> Any:
    """A pandas frame without its index, which is no column of the table."""
    if _is_pandas(data):
        names = [name for name in data.columns if not isinstance(name, str)]
        if names:
            raise Problem(
                "the frame has columns whose names are not texts",
                fix="name them with texts: frame.columns = frame.columns.astype(str)",
            )
        return data.reset_index(drop=True)
    return data
