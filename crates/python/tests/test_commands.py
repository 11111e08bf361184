"""Every command of the tool, and every option of it, has its method and parameter."""

import inspect
import re
import subprocess
from pathlib import Path

import pytest

import haggle as hg
from test_equal import command

REFERENCE = Path(__file__).resolve().parents[3] / "docs/reference/python.md"

# The methods of each command.
METHODS = {
    "init": [hg.suggest, hg.Draft.save],
    "ask": [hg.Lattice.ask, hg.Lattice.ask_json, hg.Lattice.ask_many, hg.Project.build],
    "study": [hg.Lattice.study, hg.Lattice.histogram, hg.Lattice.grouping, hg.Lattice.estimators],
    "why": [hg.Lattice.why, hg.Lattice.scheme],
    "query": [hg.Lattice.query, hg.Lattice.workload, hg.query],
    "utility": [hg.Lattice.utility],
    "security": [hg.Lattice.security],
    "publish": [hg.Lattice.publish, hg.Lattice.publish_table, hg.Lattice.publish_sql, hg.Lattice.preview],
    "verify": [hg.verify],
    "assess": [hg.assess],
    "risk": [hg.Lattice.risk, hg.risk],
    "report": [hg.Lattice.report, hg.Lattice.utility],
    "build": [hg.Project.build, hg.Project.estimate, hg.Lattice.save, hg.Lattice.open],
    "update": [hg.Project.update],
    "check": [hg.Project.check],
    "hierarchy show": [hg.Project.hierarchy],
    "hierarchy export": [hg.Project.export_hierarchy],
    "hierarchy suggest": [hg.Project.suggest_hierarchy],
    "hierarchy repair": [hg.Project.repair_hierarchy],
    "pareto": [hg.Lattice.pareto, hg.Lattice.poka],
    "compare": [hg.Lattice.compare],
    "instant": [hg.Project.instant],
    "models": [hg.models.catalog],
    "measures": [hg.measures.catalog],
    "strategies": [hg.strategies.catalog],
    "questions": [hg.questions],
    "serve": [hg.Lattice.page],
    "demo": [hg.demo, hg.Lattice.page],
}

# Commands without a method, and why; the reference says so, too.
WITHOUT = {"tour": "it writes for a person at a terminal"}

# What options of every command are in Python.
COMMON = {
    "help": "docstrings", "json": "answers have their fields", "csv": "to_pandas(), to_polars(), to_arrow()",
    "plot": "Lattice.plot", "qi": "Project.build(qi=)", "memory": "Project.build(memory=)",
    "from_level": "Project.build(from_level=)",
    "only": "thresholds that are given take the place of the project's",
}

# Options of single commands that have another name in Python.
RENAMED = {
    ("init", "output"): "to",
    ("ask", "requests"): "requests",
    ("ask", "full"): "on_demand",
    ("study", "all"): None,  # answers have every value
    ("study", "estimators"): None,  # a method of its own
    ("study", "grouping"): None,  # a method of its own
    ("query", "with_project"): "lattice",
    ("query", "workload"): "queries",
    **{(name, "force"): None for name in ("ask", "study", "pareto", "compare")},  # of a picture's file
    ("publish", "output"): "to",
    ("publish", "scheme"): "answer",
    ("publish", "sql"): "dialect",
    ("publish", "sql_from"): "source",
    ("publish", "sql_to"): "target",
    ("publish", "tight"): "strategy",  # an option of the strategy
    ("publish", "shuffle"): None,  # the default
    ("risk", "attack"): "attacks",
    ("report", "output"): "to",
    ("build", "output"): "path",
    ("build", "estimate"): None,  # a method of its own
    ("update", "output"): "to",
    ("hierarchy show", "all"): None,  # answers have every value
    ("hierarchy export", "output"): "to",
    ("hierarchy repair", "output"): "to",
    ("pareto", "privacy"): "model",
    ("pareto", "poka"): None,  # a method of its own
    ("instant", "by"): "probability",
    ("instant", "threshold"): "expected",
    ("models", "markdown"): None,  # docstrings
    ("measures", "markdown"): None,
    ("strategies", "markdown"): None,
    ("serve", "no_open"): "open_browser",
    ("serve", "address"): None,  # a page from a notebook is for this machine only
    ("serve", "allow_remote"): None,
    ("demo", "no_open"): "open_browser",
}


def helped(*words):
    return subprocess.run([command(), *words], capture_output=True, text=True, check=True).stdout


def listed(text):
    """The commands that a help text lists."""
    section = text.split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"^  (\w+) ", section, re.MULTILINE) if name != "help"]


def every_command():
    """All commands; those of a group with its name before theirs."""
    for name in listed(helped("help")):
        text = helped(name, "--help")
        inner = listed(text) if "\nCommands:\n" in text else []
        yield from (f"{name} {one}" for one in inner) if inner else [name]


def test_every_command_has_its_methods():
    assert set(every_command()) == set(METHODS) | set(WITHOUT)


def parameters(methods):
    """What can be given to these methods: parameters, and options that their documentation names."""
    named = {name for method in methods for name in inspect.signature(method).parameters}
    return named | {name for method in methods for name in re.findall(r"``(\w+)``", method.__doc__ or "")}


@pytest.mark.parametrize("name", METHODS)
def test_every_option_of_a_command_has_its_parameter(name):
    text = helped(*name.split(), "--help")
    options = {found.replace("-", "_") for found in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", text, re.MULTILINE)}
    taken = parameters(METHODS[name])
    missing = [
        option for option in sorted(options - set(COMMON))
        if (wanted := RENAMED.get((name, option), option)) is not None and wanted not in taken
    ]
    assert missing == []
    stale = [option for known, option in RENAMED if known == name and option not in options]
    assert stale == [], "no longer an option of the command"


def test_the_reference_names_every_command_and_its_methods():
    page = REFERENCE.read_text()
    rows = {
        command.strip().strip("`"): line
        for line in page.splitlines() if line.startswith("| `")
        for command in line.split("|")[1].split(",")
    }
    for name, methods in METHODS.items():
        assert name in rows, name
        for method in methods:
            assert f"{method.__name__}(" in page, f"{name}: {method.__qualname__}"
    for name in WITHOUT:
        assert f"`haggle {name}` has no method" in page
