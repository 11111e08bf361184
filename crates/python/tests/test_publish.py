"""Publications: proved, with manifests, applied again to the next month's records."""

import random

import polars as pl
import pyarrow as pa
import pytest

import haggle as hg
from conftest import patients, project


def group_sizes(frame, qi):
    return frame.group_by(qi).len()["len"]


def test_a_publication_keeps_k_by_counting_its_own_rows(table):
    lattice = project(table).build()
    published = lattice.publish(lattice.ask(k=5, max_suppressed="20%"))
    sizes = group_sizes(published.to_polars(), ["age", "postcode", "smoker"])
    assert sizes.min() >= 5
    assert sizes.sum() == len(published) == len(table) - published.suppressed


def test_stars_keep_all_rows(table):
    lattice = project(table).build()
    published = lattice.publish(k=5, max_suppressed="20%", optimize="lm", suppress="star", keep_order=True)
    if published.suppressed >= 5:
        assert len(published) == len(table)


def test_files_are_written_and_replaced_only_if_they_are_publications(table, tmp_path):
    lattice = project(table).build()
    path = tmp_path / "out.parquet"
    published = lattice.publish(k=5, max_suppressed="20%", to=path)
    assert published.path == path and hg.verify(path, k=5)
    lattice.publish(k=6, max_suppressed="20%", to=path)
    other = tmp_path / "other.csv"
    other.write_text("mine")
    with pytest.raises(hg.Problem):
        lattice.publish(k=5, max_suppressed="20%", to=other)
    assert other.read_text() == "mine"
    lattice.publish(k=5, max_suppressed="20%", to=other, force=True)
    assert hg.verify(other, k=5)


def test_the_manifest_says_what_is_promised(table):
    published = project(table).build().publish(k=5, max_suppressed="20%")
    manifest = published.manifest
    assert manifest.guarantees["k-anonymity"] == 5
    assert [a.name for a in manifest.attributes] == ["age", "postcode", "smoker"]
    assert manifest.output.records == len(published)
    assert "suppressed" not in manifest


def test_a_recoding_is_applied_to_the_next_month(table):
    lattice = project(table).build()
    published = lattice.publish(lattice.ask(k=3, max_suppressed="30%"))
    mapping = published.recoding.mapping
    again = published.recoding.apply(patients(600, seed=8))
    sizes = group_sizes(again.to_polars(), ["age", "postcode", "smoker"])
    assert sizes.min() >= 3
    assert {k: mapping["age"][k] for k in mapping["age"] if k in again.recoding.mapping["age"]} == {
        k: again.recoding.mapping["age"][k] for k in mapping["age"] if k in again.recoding.mapping["age"]
    }


def test_unseen_values_are_refused(table):
    rows = [[str(age), "young" if age < 50 else "old", "*"] for age in range(20, 81)]
    lattice = project(table, hierarchies={"age": rows, "postcode": hg.prefix(1, 2, 3)}).build()
    published = lattice.publish(k=3, max_suppressed="30%")
    older = pl.from_arrow(table).with_columns(pl.lit(130).cast(pl.Int16).alias("age"))
    with pytest.raises(hg.Problem, match="age"):
        published.recoding.apply(older)
    with pytest.raises(hg.Problem, match="age"):
        published.recoding.labels(older)


def test_rows_of_comparisons_are_published(table):
    lattice = project(table).build()
    found = lattice.compare(k=5, measures=["lm"], strategies=["mondrian"], max_suppressed="10%")
    published = lattice.publish(found.rows[0], k=5, max_suppressed="10%")
    assert published.report.strategy == "mondrian"
    assert hg.verify(published, k=5)


def test_a_frame_of_others_is_assessed():
    random.seed(3)
    frame = pl.DataFrame({"age": [random.randint(0, 3) for _ in range(50)], "sex": ["m", "f"] * 25, "s": ["x"] * 50})
    found = hg.assess(frame, qi=["age", "sex"], sensitive=["s"])
    counts = frame.group_by(["age", "sex"]).len()["len"]
    assert found.groups == len(counts)
    assert found.unique == (counts == 1).sum()
    assert found.highest_risk == pytest.approx(1 / counts.min())
    assert bool(hg.verify(frame, k=int(counts.min()), qi=["age", "sex"]))
    assert not hg.verify(frame, k=int(counts.min()) + 1, qi=["age", "sex"])


def test_a_frame_that_changed_since_it_was_counted_is_noticed():
    import numpy as np

    values = np.array([30, 31, 32, 33] * 10)
    lattice = hg.Project(pa.table({"age": pa.array(values)}), roles={"age": "qi"}).build()
    values[:] = 99
    with pytest.raises(hg.Problem, match="changed"):
        lattice.publish(k=10)


def test_suggestions_become_a_project(table):
    draft = hg.suggest(table)
    assert draft.roles["name"] == "identifier"
    assert draft.reasons["age"]
    lattice = draft.project().build()
    assert lattice.records > 0
    assert "<table" in draft._repr_html_()


def test_queries_are_asked_of_a_published_file(table):
    published = project(table).build().publish(k=5, max_suppressed="20%")
    assert hg.query(published, "", of="disease").non_corrected.total == len(published)
