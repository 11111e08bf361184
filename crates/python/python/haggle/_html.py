"""Answers in notebooks: plain tables in the colours of the page that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_CELL = "padding:0.2em 0.8em;border-bottom:1px solid color-mix(in srgb, currentColor 25%, transparent)"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table that inherits its colours, so that it can be read in light and in dark.

    >>> "<th" in table(["k"], [[10]])
    True
    """
    cells = "".join(f'<th style="{_CELL};text-align:left">{escape(name)}</th>' for name in head)
    lines = [f"<tr>{cells}</tr>"]
    for row in rows:
        cells = "".join(f'<td style="{_CELL};{_side(cell)}">{escape(shown(cell))}</td>' for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    title = f'<caption style="text-align:left;caption-side:top">{escape(caption)}</caption>' if caption else ""
    return f'<table style="border-collapse:collapse;color:inherit;background:none">{title}{"".join(lines)}</table>'


def _side(cell: Any) -> str:
    return "text-align:right" if isinstance(cell, (int, float)) else "text-align:left"


def shown(cell: Any) -> str:
    """A value as people read it.

    >>> shown(30162), shown(0.25), shown({"age": 2}), shown(None)
    ('30,162', '0.25', 'age 2', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:.6g}"
    if isinstance(cell, dict):
        return ", ".join(f"{key} {shown(value)}" for key, value in cell.items())
    if isinstance(cell, (list, tuple)):
        return "[" + ",".join(shown(value) for value in cell) + "]"
    return str(cell)


class Svg(str):
    """A picture as SVG text, which notebooks show."""

    def _repr_html_(self) -> str:
        return f'<div style="background:#fff;color:#000;display:inline-block;max-width:100%">{self}</div>'
