"""The Python examples of the book are run, page by page."""

import re
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from conftest import patients

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGES = ["how-to/python.md", "reference/python.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, seed in (("patients", 7), ("next_month", 8)):
        table = pl.from_arrow(patients(2000, seed)).with_columns(pl.col("disease").cast(pl.String))
        kept = table.select("age", "postcode", "disease", "name").drop_nulls()
        pq.write_table(kept.to_arrow(), f"{name}.parquet")
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL):
        exec(compile(block, page, "exec"), names)
