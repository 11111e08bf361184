"""Functions made from the catalogs: a model that is added in Rust is a function here."""

from __future__ import annotations

import inspect
import json
import keyword
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

from . import _haggle
from ._problem import Problem
from ._request import Privacy

#: A catalog entry, as JSON has it.
Entry = dict[str, Any]


def entries(name: str) -> list[Entry]:
    """A catalog.

    >>> entries("models")[0]["id"]
    'k-anonymity'
    """
    return json.loads(_haggle.catalog(name))  # type: ignore[no-any-return]


def python_name(id: str) -> str:
    """The name of an entry's function.

    >>> python_name("t-closeness")
    't_closeness'
    """
    name = id.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _function(entry: Entry, parameters: list[Parameter], result: Any, doc: str,
              made: Callable[[dict[str, Any]], Any], module: str) -> Callable[..., Any]:
    signature = Signature(parameters, return_annotation=result)

    def function(*positional: Any, **named: Any) -> Any:
        try:
            given = signature.bind(*positional, **named).arguments
        except TypeError as error:
            raise Problem(f"{entry['id']}: {error}", fix=f"call {name}{signature}") from None
        return made({key: value for key, value in given.items() if value is not None})

    name = python_name(entry["id"])
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__doc__ = doc
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _text(entry: Entry, lines: list[str]) -> str:
    example = f"\n\nExample: {entry['example']}" if entry.get("example") else ""
    about = "\n".join(lines)
    return f"{entry['title'].capitalize()}: {entry['definition']}\n\n{about}{example}\n\n{entry['citation']}"


def _optional(name: str, kind: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def model(entry: Entry) -> Callable[..., Any]:
    """The function of a privacy model."""
    parameters, lines = [], []
    for number in sorted(entry["parameters"], key=lambda number: number["optional"]):
        kind = "int | str" if number["whole"] else "float | str"
        if number["optional"]:
            parameters.append(_optional(python_name(number["name"]), f"{kind} | None"))
        else:
            parameters.append(Parameter(python_name(number["name"]), Parameter.POSITIONAL_OR_KEYWORD, annotation=kind))
        lines.append(f"{number['name']}: {number['meaning']}")
    for choice in entry["choices"]:
        parameters.append(_optional(python_name(choice["name"]), "str | None"))
        lines.append(f"{choice['name']}: {choice['meaning']} ({', '.join(choice['options'])})")
    if entry["sensitive"]:
        parameters.append(_optional("on", "str | None"))
        lines.append("on: the sensitive attribute, where there are several")
    made = lambda given: Privacy({"model": entry["id"], **{key.rstrip("_"): value for key, value in given.items()}})
    return _function(entry, parameters, "Privacy", _text(entry, lines), made, "haggle.models")


def measure(entry: Entry) -> Callable[..., Any]:
    """The function of a loss measure."""
    parameters, lines = [], [f"Its range: {entry['range']}. Suppressed records: {entry['suppressed']}"]
    if entry["weighted"]:
        parameters.append(_optional("weights", "Mapping[str, float] | None"))
        lines.append("weights: how much quasi-identifiers count; 1 if not named")
    if entry["workload"]:
        parameters += [_optional("workload", "str | None"), _optional("answer", "str | None")]
        lines += ["workload: a file of queries", "answer: nc or ic"]
    for option in entry["options"]:
        parameters.append(_optional(option["name"], "str | Sequence[str] | None"))
        lines.append(f"{option['name']}: {option['meaning']}")
    if entry["watches"]:
        parameters.append(_optional("on", "str | None"))
        lines.append("on: the sensitive attribute, where there are several")
    made = lambda given: _written(entry["id"], given)
    return _function(entry, parameters, "str", _text(entry, lines), made, "haggle.measures")


def strategy(entry: Entry) -> Callable[..., Any]:
    """The function of a strategy."""
    options = Parameter("options", Parameter.VAR_KEYWORD, annotation="float | str")
    lines = [f"Finds {entry['finds']}. Needs {entry['needs']}.", "options: as in `haggle strategies`"]
    made = lambda given: _written(entry["id"], given.get("options", {}))
    return _function(entry, [options], "str", _text(entry, lines), made, "haggle.strategies")


def _written(id: str, given: Mapping[str, Any]) -> str:
    """A measure or strategy with its options, as requests write it.

    >>> _written("lm", {"weights": {"age": 2}}), _written("variance", {"over": ["age", "sex"]})
    ('lm:age=2', 'variance:over=age,sex')
    """
    pairs = [f"{name}={weight}" for name, weight in dict(given.get("weights", {})).items()]
    for name, value in given.items():
        if name != "weights":
            pairs.append(f"{name}={value if isinstance(value, (str, int, float)) else ','.join(value)}")
    return f"{id}:{','.join(pairs)}" if pairs else id


_MAKERS = {"models": model, "measures": measure, "strategies": strategy}


def functions(catalog: str) -> dict[str, Callable[..., Any]]:
    """The functions of a catalog by name."""
    return {python_name(entry["id"]): _MAKERS[catalog](entry) for entry in entries(catalog)}


_HEADS = {
    "models": "from haggle._request import Privacy\n",
    "measures": "from collections.abc import Mapping, Sequence\n",
    "strategies": "",
}


def stub(catalog: str) -> str:
    """The stub of a catalog's module."""
    made = functions(catalog)
    lines = ["# Written by `make python-stubs` from the catalogs.", "from typing import Any", _HEADS[catalog]]
    lines.append(f"__all__ = {sorted(made)!r}\n")
    lines.append("def catalog() -> list[dict[str, Any]]: ...")
    for name, function in sorted(made.items()):
        lines.append(f"def {name}{_signature(inspect.signature(function))}: ...")
    return "\n".join(lines) + "\n"


def _signature(signature: Signature) -> str:
    parts, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        star = "**" if parameter.kind is Parameter.VAR_KEYWORD else ""
        default = "" if parameter.default is Parameter.empty else " = None"
        parts.append(f"{star}{parameter.name}: {parameter.annotation}{default}")
    return f"({', '.join(parts)}) -> {signature.return_annotation}"


def write_stubs(folder: str) -> None:
    """Writes the stubs of all catalogs into a folder."""
    for known in _MAKERS:
        (Path(folder) / f"{known}.pyi").write_text(stub(known), encoding="utf-8")
