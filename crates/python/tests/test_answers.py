"""What is answered: the published figures, and every method that the commands have."""

import json
import re

import pyarrow as pa
import pytest

import haggle as hg
from conftest import SIX, THREE, project


def test_the_published_figures_of_adult(adult, adult_six):
    assert adult.built.schemes == 60 and adult_six.built.schemes == 3600
    exact = adult.ask(k=10, max_suppressed=321, levels=[2, 1, 1])
    assert (exact.scheme, exact.suppressed) == ([1, 1, 0], 170)
    strict = adult.ask(k=10, max_suppressed=32, levels=[2, 1, 1])
    assert not strict
    suppression, height, privacy = (strict.relaxations.get(kind).offer for kind in ("suppression", "height", "privacy"))
    assert suppression.suppressed == 55
    assert privacy.privacy["k-anonymity"] == 7 and privacy.suppressed == 31
    assert height.scheme == [3, 1, 0] and height.suppressed == 28
    least = [row.least for row in adult_six.study(k=3).rows][:10]
    assert least == [15318, 8304, 4901, 2867, 1941, 1177, 629, 354, 155, 33]


def test_relaxations_are_accepted(adult):
    strict = adult.ask(k=10, max_suppressed=32, levels=[2, 1, 1])
    assert strict.relaxations.suppression.accept().suppressed == 55
    assert strict.relaxations.height.accept().scheme == [3, 1, 0]
    assert strict.relaxations.privacy.accept().request["privacy"][0]["k"] == 7
    for relaxation in strict.relaxations[:3]:
        assert relaxation.accept().exact == relaxation.offer
    for name, relaxation in strict.relaxations.attribute.items():
        top = {"age": 4, "race": 2, "workclass": 3}
        assert relaxation.without == [name] and relaxation.request["levels"][name] == top[name]
        assert relaxation.accept().levels[name] <= top[name]


def test_relaxations_are_a_sequence(adult):
    strict = adult.ask(k=10, max_suppressed=0, levels=[0, 0, 0])
    kinds = [relaxation.kind for relaxation in strict.relaxations]
    assert kinds[:3] == ["suppression", "height", "privacy"] and len(strict.relaxations) == len(kinds)
    assert strict.relaxations.to_list() == strict.to_dict()["relaxations"] and strict.version == 2
    assert strict.relaxations[1].offer == strict.relaxations.get("height").offer
    assert "suppression" in repr(strict) and "if suppression is relaxed" in strict._repr_html_()


def test_what_does_not_exist_says_so(adult):
    exact = adult.ask(k=2)
    assert len(exact.relaxations) == 0 and exact.relaxations.suppression is None
    strict = adult.ask(k=10, max_suppressed=0, levels=[0, 0, 0])
    assert strict.exact is None
    assert strict.relaxations.get("privacy") is None and strict.relaxations.privacy is None
    missing = strict.relaxations[2]
    assert not missing and missing.offer is None and missing.request is None
    with pytest.raises(hg.Problem, match="under .0,0,0. even k = 2"):
        missing.accept()
    with pytest.raises(hg.Problem, match="no scheme meets"):
        strict.scheme


def test_models_are_functions_of_the_catalog(adult):
    names = {entry["id"].replace("-", "_") for entry in hg.models.catalog()}
    assert names <= set(dir(hg.models)) and names <= set(dir(hg))
    assert hg.t_closeness(0.2, on="disease") == {"model": "t-closeness", "t": 0.2, "on": "disease"}
    assert "closeness" in (hg.t_closeness.__doc__ or "").lower()
    answer = adult.ask(privacy=[hg.k_anonymity(5), hg.t_closeness(0.4)], max_suppressed="50%")
    assert answer.exact is not None
    with pytest.raises(hg.Problem, match="t-closeness"):
        hg.t_closeness()


def test_every_model_can_be_asked_or_says_what_it_needs(adult):
    for entry in hg.models.catalog():
        function = getattr(hg, entry["id"].replace("-", "_"))
        usual = {p["name"]: p.get("usual") or 0.5 for p in entry["parameters"] if not p["optional"]}
        usual = {n: int(v) if p["whole"] else v for (n, v), p in zip(usual.items(), entry["parameters"])}
        try:
            assert adult.ask(privacy=[function(**usual)], max_suppressed="100%").outcome in ("exact", "relaxed")
        except hg.Problem as problem:
            assert problem.fix, entry["id"]


def test_measures_and_strategies_are_texts():
    assert hg.measures.lm() == "lm"
    assert hg.measures.lm(weights={"age": 2}) == "lm:age=2"
    assert hg.measures.variance(over=["age", "sex"]) == "variance:over=age,sex"
    assert hg.strategies.mondrian(tight=True) == "mondrian:tight=True"
    assert hg.strategies.m_instant(summary="bayes", threshold=0.95) == "m-instant:summary=bayes,threshold=0.95"


def test_fronts_and_comparisons_are_tables(adult):
    front = adult.pareto("k-anonymity", loss="lm")
    frame = front.to_polars()
    assert frame.height == len(front.points) == len(front.to_pandas()) == front.to_arrow().num_rows
    losses = frame["loss"].to_list()
    assert losses == sorted(losses, reverse=True)
    found = adult.compare(k=10, measures=["lm"], strategies=["lattice", "mondrian"])
    assert [row.strategy for row in found.rows] == ["lattice", "mondrian"]
    assert found.rows[0].loss.lm == pytest.approx(adult.ask(k=10, optimize="lm").exact.loss.lm)


def test_every_other_question_is_answered(adult):
    answer = adult.ask(k=10, max_suppressed=321, levels=[2, 1, 1])
    assert adult.why(answer).scheme == [1, 1, 0]
    assert adult.scheme(answer).scheme == [1, 1, 0]
    assert adult.histogram(answer).groups > 0
    assert adult.grouping().keys()
    assert adult.risk(answer, key_size=1).risk.prosecutor.highest <= 0.1
    assert adult.utility(answer).keys()
    assert adult.query("age < 25 and race = White", scheme=[2, 1, 1], of="hours-per-week").truth.total > 0
    with pytest.raises(hg.Problem, match="class_function"):
        adult.security([1, 1, 0])
    assert adult.preview(answer, rows=3).keys()
    assert adult.project.check().records == 32561
    assert adult.project.hierarchy("age").tree.records == 30162
    assert adult.project.repair_hierarchy("age").keys() == ["levels", "merged", "rows"]
    assert adult.project.suggest_hierarchy("age").hierarchy.startswith("{ intervals")
    assert adult.project.estimate(qi=THREE).keys()
    assert adult.project.instant(k=60, qi=THREE).scans >= 1
    assert json.loads(adult.report(answer, format="json"))
    assert adult.report(answer, format="html").lstrip().startswith("<!")


def test_reports_are_written_where_nothing_else_is(adult, tmp_path):
    answer, file = adult.ask(k=10, max_suppressed="1%"), tmp_path / "officer.md"
    text = adult.report(answer, to=file, private=True)
    assert file.read_text(encoding="utf-8") == text
    assert file.stat().st_mode & 0o077 == 0, "only its owner reads a private report"
    with pytest.raises(hg.Problem, match="already"):
        adult.report(answer, to=file)
    adult.report(answer, to=file, force=True)
    assert file.read_text(encoding="utf-8") != text


def test_a_lattice_is_saved_and_updated(tmp_path):
    data = tmp_path / "people.csv"
    data.write_text("age,sex\n" + "".join(f"{30 + i % 4},{'mf'[i % 2]}\n" for i in range(40)))
    project = hg.Project(data, roles={"age": "qi", "sex": "qi"}, folder=tmp_path)
    project.build().save(tmp_path / "haggle.lattice")
    more = tmp_path / "more.csv"
    more.write_text("age,sex\n30,m\n30,m\n")
    assert project.update(add=[more]).records == 42


def test_pictures_are_svg_that_notebooks_show(adult):
    more = {"comparison": {"strategies": ["lattice", "mondrian"], "measures": ["lm"]}}
    for figure in ("lattice", "front", "study", "histogram", "comparison", "poka"):
        picture = adult.plot(figure, k=10, **more.get(figure, {}))
        assert picture.startswith("<svg") and "<svg" in picture._repr_html_()


def test_notebooks_show_tables(adult):
    answer = adult.ask(k=10, max_suppressed=32, levels=[2, 1, 1])
    assert "No scheme meets" in answer._repr_html_() and "55" in answer._repr_html_()
    for shown in (adult, adult.pareto(loss="lm"), adult.study(k=3), adult.project, adult.why([1, 1, 0], k=10)):
        assert "<table" in shown._repr_html_()


def styles(html):
    """The colours that a fragment sets."""
    return dict(re.findall(r"[;\"](color|background(?:-color)?|border-bottom)\s*:\s*([^;\"]+)", html))


def test_tables_can_be_read_in_light_and_in_dark(adult, table):
    published = project(table).build().publish(k=5, max_suppressed="20%")
    answer = adult.ask(k=10, max_suppressed=32, levels=[2, 1, 1])
    shown = [
        adult, adult.project, answer, adult.ask(k=2), adult.pareto(), adult.study(k=3), adult.why([1, 1, 0], k=10),
        adult.compare(k=5, strategies=["lattice"]), hg.suggest(table), published, hg.verify(published, k=5),
        adult.workload(random=5, every_scheme="nc"),
    ]
    for thing in shown:
        html = thing._repr_html_()
        # Text and lines have the colour of the page around them, so that they are seen on any.
        assert styles(html)["color"] == "inherit" and styles(html)["background"] == "none", type(thing)
        assert "currentColor" in styles(html)["border-bottom"]
        colours = re.findall(r"style=\"[^\"]*(#[0-9a-f]{3,6}\b|rgb\(|black|white)", html)
        assert colours == [], type(thing)
    picture = styles(adult.plot("study", k=3)._repr_html_())
    assert (picture["background"], picture["color"]) == ("#fff", "#000"), "a picture brings its own paper"


def test_html_holds_values_as_text():
    table = pa.table({"<b>a</b>": ["x", "x"]})
    lattice = hg.Project(table, roles={"<b>a</b>": "qi"}).build()
    assert "<b>" not in lattice._repr_html_() + lattice.ask(k=2)._repr_html_() + lattice.project._repr_html_()


def test_partial_lattices_and_lattice_files(tmp_path):
    data = hg.demo("adult")
    some = data.build(qi=THREE, partial="20%", estimator="gamma")
    assert some.built.schemes < 60 and some.built.partial.estimator == "gamma"
    assert some.ask(k=3, max_suppressed="1%").exact is not None
    with pytest.raises(hg.Problem, match="no estimator 'beta'"):
        data.build(partial="5%", estimator="beta")
    with pytest.raises(hg.Problem):
        data.build(partial="0%")
    data.build(qi=THREE).save(tmp_path / "adult.lattice")
    stored = hg.Lattice.open(tmp_path / "adult.lattice")
    assert stored.ask(k=10, max_suppressed=321, levels=[2, 1, 1]).scheme == [1, 1, 0]
    with pytest.raises(hg.Problem, match="lattice file alone"):
        stored.project
    with pytest.raises(hg.Problem, match="no records"):
        stored.publish(k=10)


def test_hierarchies_are_written_to_files(tmp_path):
    data, path = hg.demo("adult"), tmp_path / "race.csv"
    data.export_hierarchy("race", path)
    assert sorted(line.split(";")[0] for line in path.read_text().splitlines())[0] == "Amer-Indian-Eskimo"
    with pytest.raises(hg.Problem) as raised:
        data.export_hierarchy("race", path)
    assert raised.value.kind == "conflict"
    data.repair_hierarchy("race", to=path, force=True)


def test_many_requests_are_answered_in_order(adult):
    asked = [{"privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": 321}, {"privacy": {"no": 1}}]
    first, second = adult.ask_many(asked)
    assert first.scheme == [1, 1, 0] and isinstance(second, hg.Problem)


def test_a_time_limit_gives_the_best_so_far(adult_six):
    asked = {"k": 10, "max_suppressed": 321, "levels": [2, 2, 2, 1, 1, 2]}
    assert adult_six.ask(**asked, time_limit=60).to_dict()["relaxations"] == adult_six.ask(**asked).to_dict()["relaxations"]
    with pytest.raises(hg.Problem):
        adult_six.ask(k=10, time_limit=-1)


def test_workloads_that_are_no_workload_are_problems(adult):
    for wrong in ({}, {"queries": []}, {"queries": ["age <"]}, {"random": 5}, {"queries": ["age < 3"], "random": 5}):
        with pytest.raises(hg.Problem) as raised:
            adult.workload(**wrong)
        assert raised.value.fix


def test_six_attributes_and_closeness(adult_six):
    answer = adult_six.ask(k=10, max_suppressed=321, levels=[2, 2, 2, 1, 1, 2], relax_height="published")
    assert adult_six.quasi_identifiers == SIX
    assert answer.relaxations.suppression.offer.suppressed == 712
    assert answer.relaxations.height.offer.scheme == [4, 0, 1, 2, 1, 2]
