"""Hostile frames: a correct answer or a clear problem, never a crash, never a value in a message."""

import os
import random
import string

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import haggle as hg

CANARY = "canary-4711-secret"
FRAMES = int(os.environ.get("HAGGLE_FRAMES", "10000"))


def lattice(data, **roles):
    return hg.Project(data, roles=roles or {"a": "qi"}).build()


def test_zero_rows_are_a_problem():
    with pytest.raises(hg.Problem) as raised:
        lattice(pa.table({"a": pa.array([], pa.int64())}))
    assert raised.value.fix


def test_no_columns_are_a_problem():
    with pytest.raises(hg.Problem):
        lattice(pa.table({}))


def test_duplicate_names_are_a_problem():
    table = pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", "a"])
    with pytest.raises(hg.Problem, match="same name"):
        lattice(table)


def test_a_column_without_a_name_is_a_problem():
    with pytest.raises(hg.Problem, match="no name"):
        lattice(pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", " "]))


def test_an_unknown_column_is_a_problem_that_lists_the_columns():
    with pytest.raises(hg.Problem) as raised:
        lattice(pa.table({"b": [1, 2]}))
    assert "no column 'a'" in raised.value.what and "b" in raised.value.fix


def test_nan_is_a_value_and_null_is_missing():
    table = pa.table({"a": pa.array([float("nan")] * 3 + [None] * 2 + [1.0] * 5)})
    dropped = hg.Project(table, roles={"a": "qi"}, on_missing="drop").build()
    assert (dropped.records, dropped.account.dropped) == (8, 2)
    marked = hg.Project(table, roles={"a": "qi"}, on_missing="drop", missing=["", "NaN"]).build()
    assert marked.records == 5
    with pytest.raises(hg.Problem):
        hg.Project(table, roles={"a": "qi"}, on_missing="error").build()


def test_pandas_writes_nan_as_null():
    frame = pd.DataFrame({"a": [1.0, np.nan, 1.0]})
    assert hg.Project(frame, roles={"a": "qi"}, on_missing="drop").build().records == 2


def test_nested_columns_are_refused_by_name_only_if_they_are_counted():
    nested = {"list": [[1], [2]], "struct": [{"x": 1}, {"x": 2}]}
    table = pa.table({"a": ["x", "x"], **nested})
    assert lattice(table).records == 2
    for name in nested:
        with pytest.raises(hg.Problem, match=f"'{name}' is nested"):
            lattice(table, **{name: "qi"})


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(hg.Problem, match="row 2: 'a' holds bytes that are not text"):
        lattice(pa.table({"a": [b"ok", b"\xff\xfe"]}))


def test_categories_that_are_no_texts_are_read():
    frame = pd.DataFrame({"a": pd.Categorical([3, 1, 3, 1])})
    assert lattice(frame).ask(k=2).scheme == [0]
    assert sorted(set(hg.Frame(frame).texts("a"))) == ["1", "3"]


def test_huge_integers_are_read_or_refused():
    assert hg.Frame(pa.table({"a": pa.array([2**64 - 1], pa.uint64())})).texts("a") == [str(2**64 - 1)]
    frame = pl.DataFrame({"a": [2**100]}, schema={"a": pl.Int128})
    try:
        assert hg.Frame(frame).texts("a") == [str(2**100)]
    except hg.Problem as problem:
        assert problem.fix


def test_pandas_columns_of_mixed_types_are_refused_without_their_values():
    with pytest.raises((hg.Problem, pa.ArrowInvalid, pa.ArrowTypeError)) as raised:
        lattice(pd.DataFrame({"a": [1, CANARY, object()]}))
    if isinstance(raised.value, hg.Problem):
        assert CANARY not in str(raised.value)


def test_names_that_are_no_texts_are_refused():
    with pytest.raises(hg.Problem, match="names are not texts"):
        lattice(pd.DataFrame({0: [1, 2]}))


def test_the_index_of_pandas_is_no_column():
    frame = pd.DataFrame({"a": ["x", "x"]}, index=["Ada", "Bob"])
    assert hg.Frame(hg._frames._without_index(frame)).columns == ["a"]
    assert lattice(frame).records == 2


def test_times_with_zones_are_written_in_utc():
    moments = pa.array([0, 3600], pa.timestamp("s", "Europe/Athens"))
    assert hg.Frame(pa.table({"a": moments})).texts("a") == ["1970-01-01T00:00:00Z", "1970-01-01T01:00:00Z"]


def test_long_texts_that_a_dictionary_repeats_stay_within_memory():
    values = pa.DictionaryArray.from_arrays(pa.array([0] * 20000, pa.int32()), pa.array(["x" * 200_000]))
    assert lattice(pa.table({"a": values})).ask(k=20000).scheme == [0]


def test_what_is_no_frame_is_refused():
    for thing in (3, None, [1, 2], {"a": [1]}, object()):
        with pytest.raises(hg.Problem, match="is not a frame"):
            hg.Project(thing, roles={"a": "qi"})
    with pytest.raises(hg.Problem):
        hg.Project(pa.array([1, 2]), roles={"a": "qi"})


def test_a_damaged_array_is_refused():
    offsets = pa.py_buffer(np.array([0, 4, 8], dtype=np.int32).tobytes())
    damaged = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xff" * 8)])
    with pytest.raises(hg.Problem):
        lattice(pa.table({"a": damaged}))


def test_a_value_is_never_in_a_message():
    table = pa.table({"a": [CANARY, "x", "y", "z"] * 3, "s": [CANARY] * 12, "n": [1.5] * 12})
    attempts = [
        lambda: lattice(table, a="qi").ask(k=100, levels=[0]).scheme,
        lambda: lattice(table, a="qi").publish(k=100, levels=[0]),
        lambda: lattice(table, a="qi", s="sensitive").ask(privacy=[hg.t_closeness(0.1, distance="numeric")]),
        lambda: hg.Project(table, roles={"a": "qi"}, hierarchies={"a": hg.dates("month")}).build(),
        lambda: hg.verify(table, k=50, qi=["missing"]),
        lambda: lattice(table, a="qi").query("a <", scheme=[0]),
        lambda: lattice(table, a="qi").ask(levels=[9], k=2),
        lambda: lattice(table, a="nonsense"),
    ]
    raised = 0
    for attempt in attempts:
        try:
            attempt()
        except hg.Problem as problem:
            raised += 1
            if "dates" not in str(problem) and "date" not in str(problem):
                assert CANARY not in str(problem), problem
    assert raised >= 5


def value(kind):
    if random.random() < 0.2:
        return None
    if kind == "int":
        return random.choice([0, 1, -1, 2**62, random.randint(-5, 5)])
    if kind == "float":
        return random.choice([0.0, -0.0, float("nan"), float("inf"), 1e-300, random.random()])
    if kind == "bool":
        return random.random() < 0.5
    if kind == "list":
        return [random.randint(0, 3)]
    return "".join(random.choices(string.printable + "é☃", k=random.randint(0, 6)))


def random_table():
    columns = {}
    rows = random.choice([0, 1, 2, 5, 30])
    for _ in range(random.randint(0, 4)):
        kind = random.choice(["int", "float", "bool", "text", "text", "list"])
        name = random.choice(["a", "b", "c", "d", " ", "a b", "é"])
        column = pa.array([value(kind) for _ in range(rows)])
        if kind == "text" and random.random() < 0.4:
            column = column.dictionary_encode()
        columns[name] = column
    return pa.table(columns)


def test_random_frames_never_crash():
    random.seed(4711)
    rules = [None, hg.intervals(2, 4), hg.prefix(1), hg.dates("year")]
    answered = refused = 0
    for _ in range(FRAMES):
        table = random_table()
        names = table.column_names
        chosen = random.sample(names, min(len(names), random.choice([1, 2])))
        roles = {name: random.choice(["qi", "qi", "sensitive", "identifier"]) for name in chosen}
        hierarchies = {name: rule for name in chosen if (rule := random.choice(rules)) is not None}
        policy = random.choice(["drop", "value", "unmatched"])
        try:
            project = hg.Project(table.slice(random.choice([0, 0, 1])), roles=roles, hierarchies=hierarchies, on_missing=policy)
            project.build().ask(k=random.choice([2, 3]), max_suppressed="50%")
            answered += 1
        except hg.Problem as problem:
            assert problem.kind != "internal", problem
            assert problem.what
            refused += 1
    assert answered > FRAMES / 20 and refused > FRAMES / 20
