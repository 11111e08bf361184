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


#: How long a line of text may become.
_WIDTH = 88


def lines(fields: dict[str, Any], indent: str = "    ") -> str:
    """The fields of an answer as text: in one line if it is short, else one for each field.

    >>> lines({"records": 30162, "scheme": [1, 0]})
    'records 30,162, scheme [1,0]'
    >>> print(lines({"records": 30162, "attributes": [{"name": "age", "values": 72}, {"name": "race", "values": 5}],
    ...              "notes": ["one value is missing in some of the records, which are left out"]}))
    <BLANKLINE>
        records 30,162
        attributes
            name age, values 72
            name race, values 5
        notes
            one value is missing in some of the records, which are left out
    <BLANKLINE>
    """
    short = shown(fields)
    if len(short) <= _WIDTH:
        return short
    return "\n" + "".join(f"{indent}{_line(name, value, indent)}\n" for name, value in fields.items())


def _line(name: str, value: Any, indent: str) -> str:
    short = shown(value)
    if isinstance(value, dict) and len(short) > _WIDTH:
        return f"{name}{lines(value, indent + '    ').rstrip()}"
    if isinstance(value, list) and len(short) > _WIDTH - len(name) - 40 and not isinstance(value[0], (int, float)):
        return name + "".join(f"\n{indent}    {shown(item)}" for item in value)
    return f"{name} {short}".rstrip()


class Svg(str):
    """A picture as SVG text, which notebooks show."""

    def _repr_html_(self) -> str:
        return f'<div style="background:#fff;color:#000;display:inline-block;max-width:100%">{self}</div>'
