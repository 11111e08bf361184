"""Frames of every library give the answers that a Parquet file of the same table gives."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import haggle as hg
from conftest import HIERARCHIES, ROLES, patients, plain, project


def forms(table, folder):
    """The same table in every form in which it can be given."""
    path = folder / "patients.parquet"
    pq.write_table(table, path)
    batches = table.to_batches(max_chunksize=37)
    return {
        "parquet": path,
        "pyarrow": table,
        "chunked": pa.Table.from_batches(batches),
        "sliced": pa.concat_tables([table.slice(0, 3), table, table.slice(5)]).slice(3, len(table)),
        "polars": pl.from_arrow(table),
        "polars, rechunked": pl.from_arrow(table).rechunk(),
        "pandas": table.to_pandas(),
        "pandas, arrow types": table.to_pandas(types_mapper=pd.ArrowDtype),
        "reader": pa.RecordBatchReader.from_batches(table.schema, batches),
        "duckdb": duckdb.connect().from_arrow(table),
    }


def test_every_form_of_a_table_gives_the_same_answers(table, tmp_path):
    questions = [
        {"k": 5, "max_suppressed": "10%"},
        {"k": 3, "levels": {"age": 2}, "max_suppressed": 40, "optimize": "lm"},
        {"k": 4, "privacy": [hg.t_closeness(0.3, on="disease")]},
        {"l": 2, "max_suppressed": "20%"},
    ]
    answers = {}
    for name, data in forms(table, tmp_path).items():
        lattice = project(data).build()
        found = [plain(lattice.ask(**question)) for question in questions]
        answers[name] = [*found, plain(lattice.pareto(loss="lm")), lattice.account.to_dict()]
    expected = answers.pop("parquet")
    assert expected[0]["account"]["read"] == len(table)
    for name, found in answers.items():
        assert found == expected, name


@pytest.mark.parametrize("column", patients(3).column_names)
def test_values_of_every_type_are_read_as_from_parquet(column, table, tmp_path):
    path = tmp_path / "patients.parquet"
    pq.write_table(table, path)
    expected = hg.Frame.read(path).texts(column)
    assert len(set(expected)) > 1
    for name, data in forms(table, tmp_path).items():
        if name != "parquet":
            assert hg.Frame(data).texts(column) == expected, name


def test_values_of_more_types_are_read_as_from_parquet(tmp_path):
    many = pa.table(
        {
            "i8": pa.array([-128, 127, None], pa.int8()),
            "u8": pa.array([0, 255, None], pa.uint8()),
            "u32": pa.array([0, 2**32 - 1, None], pa.uint32()),
            "u64": pa.array([0, 2**64 - 1, None], pa.uint64()),
            "i64": pa.array([-(2**63), 2**63 - 1, None], pa.int64()),
            "f32": pa.array([0.1, 1e30, None], pa.float32()),
            "f64": pa.array([-0.0, float("nan"), float("inf")]),
            "tiny": pa.array([1e-300, 5e-6, 1e16]),
            "null": pa.nulls(3),
            "large": pa.array(["a", " b ", None], pa.large_string()),
            "bytes": pa.array([b"a", b"\xc3\xa9", None]),
            "fixed": pa.array([b"ab", b"cd", None], pa.binary(2)),
            "d32": pa.array([0, -1, 2932896], pa.date32()),
            "d64": pa.array([0, -86400000, None], pa.date64()),
            "t32s": pa.array([0, 86399, None], pa.time32("s")),
            "t64": pa.array([1, 86399999999999, None], pa.time64("ns")),
            "ts_s": pa.array([0, -1, 4102444800], pa.timestamp("s")),
            "ts_ms": pa.array([0, -1, 1500], pa.timestamp("ms")),
            "ts_ns": pa.array([0, -1, 1], pa.timestamp("ns", "Europe/Paris")),
            "duration": pa.array([0, 5, None], pa.duration("us")),
            "dec": pa.array([None, "123.45", "-0.01"]).cast(pa.decimal128(38, 2)),
            "whole": pa.array([None, "5", "-7"]).cast(pa.decimal128(9, 0)),
            "cat_int": pa.array([3, 1, None]).dictionary_encode(),
            "flag": pa.array([True, False, None]),
        }
    )
    path = tmp_path / "many.parquet"
    pq.write_table(many, path)
    for column in many.column_names:
        assert hg.Frame(many).texts(column) == hg.Frame.read(path).texts(column), column


def test_numbers_are_written_as_people_write_them():
    table = pa.table({"x": [0.5, 3.0, 1e20], "y": [True, False, None]})
    assert hg.Frame(table).texts("x") == ["0.5", "3", "1e20"]
    assert hg.Frame(table).texts("y") == ["true", "false", ""]


def test_a_polars_view_of_strings_and_categories_is_read():
    frame = pl.DataFrame({"long": ["a text that is longer than twelve bytes", None], "c": ["x", "y"]})
    frame = frame.with_columns(pl.col("c").cast(pl.Categorical))
    assert hg.Frame(frame).texts("long") == ["a text that is longer than twelve bytes", ""]
    assert hg.Frame(frame).texts("c") == ["x", "y"]


def test_nothing_is_copied_from_the_frame():
    table = patients(2000)
    before = pa.total_allocated_bytes()
    frame = hg.Frame(table)
    assert pa.total_allocated_bytes() - before < table.nbytes / 4
    assert len(frame) == 2000


def test_a_file_of_delimited_text_is_a_project_too(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age;sex\n" + "".join(f"{30 + i % 4};{'mf'[i % 2]}\n" for i in range(40)))
    lattice = hg.Project(path, roles={"age": "qi", "sex": "qi"}).build()
    assert lattice.ask(k=10).scheme == [0, 0]


def test_published_columns_have_the_types_that_they_had(table):
    lattice = project(table, as_recorded=["weight", "born", "fee"]).build()
    published = lattice.publish(k=5, max_suppressed="50%")
    schema = published.to_arrow().schema
    assert schema.field("born").type == pa.date32()
    assert schema.field("weight").type == pa.float64()
    assert schema.field("fee").type == pa.decimal128(9, 2)
    assert pa.types.is_large_string(schema.field("age").type)
    recorded = sorted(str(v) for v in table.column("weight").to_pylist() if v is not None)
    kept = [str(v) for v in published.to_arrow().column("weight").to_pylist() if v is not None]
    assert set(kept) <= set(recorded)


def test_a_publication_is_a_frame_for_every_library(table):
    published = project(table).build().publish(k=5, max_suppressed="50%")
    assert len(published.to_polars()) == len(published.to_pandas()) == len(published.to_arrow()) == len(published)
    assert pl.DataFrame(published).columns == published.columns
    assert "name" not in published.columns
    assert duckdb.connect().from_arrow(published.to_arrow()).count("*").fetchall()[0][0] == len(published)
    assert hg.verify(published, k=5)
    assert hg.verify(published.to_polars(), k=5, qi=["age", "postcode", "smoker"])


def test_roles_and_hierarchies_are_those_of_the_issue(table):
    assert project(table).quasi_identifiers == ["age", "postcode", "smoker"]
    assert project(table).sensitive == ["disease"]
    assert set(HIERARCHIES) <= set(ROLES)
