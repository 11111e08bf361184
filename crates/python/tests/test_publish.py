"""Publications: proved, with manifests, applied again to the next month's records."""

import random

import duckdb
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
    assert published.suppressed >= 5 and len(published) == len(table)
    starred = published.to_polars().filter(pl.all_horizontal(pl.col("age", "postcode", "smoker") == "*"))
    assert len(starred) == published.suppressed


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


def test_a_recoding_that_suppresses_more_next_month_says_what_to_do(table):
    lattice = project(table).build()
    published = lattice.publish(lattice.ask(k=5, max_suppressed="10%"))
    few = patients(60, seed=8)
    with pytest.raises(hg.Problem, match="at most") as raised:
        published.recoding.apply(few)
    assert raised.value.kind == "refused-by-policy" and "max_suppressed" in raised.value.fix
    again = published.recoding.apply(few, max_suppressed="95%")
    assert len(again) + again.suppressed == 60 and hg.verify(again, k=5)


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


def test_one_recoding_is_published(adult):
    published = adult.publish(l=2, only=True, anatomy=True)
    assert "anatomy" in published.manifest
    for contradiction in ({"anatomy": True, "strategy": "mondrian"}, {"refine": True, "strategy": "mondrian"}):
        with pytest.raises(hg.Problem):
            adult.publish(l=2, only=True, **contradiction)
    with pytest.raises(hg.Problem, match="unknown field `strategy`"):
        adult.report(k=10, private=True, strategy="mondrian")


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


def test_an_earlier_publication_is_repeated_from_its_manifest(table, tmp_path):
    lattice = project(table).build()
    first = lattice.publish(k=5, max_suppressed="20%", private=tmp_path / "private")
    again = project(patients(500, seed=9)).build().publish(policy=tmp_path / "private" / "policy.json")
    assert again.report.scheme == first.report.scheme and hg.verify(again, k=5)


def test_a_seed_repeats_the_order(table):
    lattice = project(table).build()
    first, second, other = (
        lattice.publish(k=5, max_suppressed="20%", seed=seed).to_polars() for seed in (1, 1, 2)
    )
    assert first.equals(second) and not first.equals(other)
    assert first.sort(first.columns).equals(other.sort(other.columns))
    with pytest.raises(hg.Problem, match="order"):
        lattice.publish(k=5, max_suppressed="20%", seed=1, keep_order=True)


def test_sql_is_written_that_publishes_and_proves_in_duckdb(table, tmp_path):
    lattice = project(table).build()
    script = tmp_path / "publish.sql"
    report = lattice.publish_sql(script, k=5, max_suppressed="20%", dialect="duckdb", source="patients", target="out")
    assert report.outcome == "written" and not report.published
    engine = duckdb.connect()
    engine.register("given", table)
    engine.execute("create table patients as select * from given")
    engine.execute(script.read_text())
    assert engine.execute("select count(*) from out").fetchone() == (report.records,)
    sizes = engine.execute("select count(*) from out group by age, postcode, smoker").fetchall()
    assert min(sizes)[0] >= 5
    with pytest.raises(hg.Problem, match="no SQL dialect"):
        lattice.publish_sql(script, k=5, dialect="nosuch")
    with pytest.raises(hg.Problem) as raised:
        lattice.publish_sql(tmp_path / "never.sql", k=500, levels=[0, 0, 0], dialect="duckdb")
    assert raised.value.kind == "refused-by-policy" and not (tmp_path / "never.sql").exists()


def test_the_risk_of_a_publication_is_that_of_its_rows(table):
    published = project(table).build().publish(k=5, max_suppressed="20%")
    smallest = group_sizes(published.to_polars(), ["age", "postcode", "smoker"]).min()
    found = hg.risk(published, key_size=1)
    assert found.risk.prosecutor.highest == pytest.approx(1 / smallest)
    frame = hg.risk(published.to_polars(), qi=["age", "postcode", "smoker"], key_size=1)
    assert frame.risk.prosecutor.highest == found.risk.prosecutor.highest


def test_a_query_of_a_file_is_compared_with_the_table_behind_it(table):
    lattice = project(table).build()
    published = lattice.publish(k=5, max_suppressed="20%")
    assert hg.query(published, "smoker = true").truth is None
    truth = sum(table.column("smoker").to_pylist())
    assert hg.query(published, "smoker = true", lattice=lattice).truth.total == truth


def test_a_draft_is_saved_next_to_its_data(tmp_path):
    data = tmp_path / "people.csv"
    data.write_text("age,sex\n" + "".join(f"{30 + i % 4},{'mf'[i % 2]}\n" for i in range(40)))
    draft = hg.suggest(data)
    assert draft.save() == tmp_path / "haggle.toml"
    with pytest.raises(hg.Problem) as raised:
        draft.save()
    assert raised.value.kind == "conflict"
    draft.save(force=True)
    assert hg.Project.open(tmp_path).build().records == 40
    more = tmp_path / "more.csv"
    more.write_text(data.read_text())
    both = hg.suggest([data, more], to=tmp_path / "both.toml")
    assert hg.Project.open(both.save()).build().records == 80
    with pytest.raises(hg.Problem, match="a frame has no name"):
        hg.suggest(pa.table({"age": [1, 2]})).save()


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
