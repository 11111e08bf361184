"""Problems say what, where and what to do; several at once; never a panic."""

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pyarrow as pa
import pytest

import haggle as hg
from haggle._problem import KINDS


def test_a_problem_has_what_where_fix_and_kind():
    with pytest.raises(hg.Problem) as raised:
        hg.Project.open("no/such/haggle.toml")
    problem = raised.value
    assert problem.what and problem.fix and "haggle.toml" in problem.where
    assert problem.kind == "not-found" and type(problem) is hg.NotFound
    assert isinstance(problem, ValueError)


def test_every_kind_has_the_class_that_the_reference_names():
    page = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "errors.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\| `(\w+)` \|$", page, re.MULTILINE)
    assert {kind: getattr(hg, name) for kind, name in rows} == KINDS
    for kind, name in KINDS.items():
        problem = hg.Problem("something is wrong", kind=kind)
        assert type(problem) is name and problem.kind == kind and issubclass(name, hg.Problem)
    assert type(hg.Problem("a defect", kind="internal")) is hg.Problem


def test_programs_can_tell_problems_apart(tmp_path):
    data = tmp_path / "people.csv"
    data.write_text("age,sex\n" + "".join(f"{30 + i % 4},{'mf'[i % 2]}\n" for i in range(40)))
    project = hg.Project.open(hg.suggest(data).save())
    lattice = project.build()
    with pytest.raises(hg.Conflict, match="force=True"):
        hg.suggest(data).save()
    with pytest.raises(hg.OutOfMemory, match="memory="):
        hg.demo("adult").build(memory=1000)
    with pytest.raises(hg.NotFound):
        lattice.ask(k=2, levels={"height": 1})
    data.write_text("age,sex\n30,m\n30,m\n31,f\n31,f\n")
    with pytest.raises(hg.DataChanged):
        lattice.publish([0, 0], k=5)


def test_a_problem_names_the_attribute_that_it_is_about():
    table = pa.table({"a": [1], "b": [2]})
    with pytest.raises(hg.Problem) as raised:
        hg.Project(table, roles={"a": "qi", "b": "qi"}, hierarchies={"b": hg.intervals(1000, 2500)})
    assert raised.value.where == "attribute 'b'" and "haggle.toml" not in str(raised.value)


def test_several_problems_come_at_once():
    table = pa.table({"a": ["x"], "b": ["y"]})
    with pytest.raises(hg.Problem) as raised:
        hg.Project(table, roles={"a": "qi", "b": "nonsense"}, hierarchies={"a": hg.Hierarchy(intervalls=[5])}, on_missing="perhaps")
    assert len(raised.value.problems) >= 3
    assert all(detail.what for detail in raised.value.problems)


def test_problems_survive_pickling():
    with pytest.raises(hg.Problem) as raised:
        hg.demo("adult").build(qi=["height"])
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is type(raised.value)
    assert (again.what, again.kind, again.problems) == (raised.value.what, raised.value.kind, raised.value.problems)


@pytest.mark.parametrize(
    "call",
    [
        lambda lattice: lattice.ask(k="many"),
        lambda lattice: lattice.ask(k=0),
        lambda lattice: lattice.ask(k=float("nan")),
        lambda lattice: lattice.ask(k=2, levels={"height": 1}),
        lambda lattice: lattice.ask(k=2, levels=[1]),
        lambda lattice: lattice.ask(k=2, max_suppressed="200%"),
        lambda lattice: lattice.ask(privacy=["no-such-model=3"]),
        lambda lattice: lattice.ask(privacy=[3]),
        lambda lattice: lattice.ask_json({"unknown": 1}),
        lambda lattice: lattice.ask_json({"k": object()}),
        lambda lattice: lattice.pareto(loss="no-such-measure"),
        lambda lattice: lattice.compare(k=5, strategies=["no-such-strategy"]),
        lambda lattice: lattice.compare(k=5, time_limit=-1),
        lambda lattice: lattice.plot("no-such-figure", k=5),
        lambda lattice: lattice.plot("study", k=5, thresholds=[5, 10]),
        lambda lattice: lattice.plot("front", thresholds=[5, 10], suppression=True),
        lambda lattice: lattice.query("age <", scheme=[1, 1, 1]),
        lambda lattice: lattice.query("age < 25"),
        lambda lattice: lattice.report(format="pdf", k=5),
        lambda lattice: lattice.publish(k=5, suppress="hide"),
        lambda lattice: lattice.publish(k=5, levels=[0, 0, 0], max_suppressed=0),
        lambda lattice: lattice.project.build(memory="lots"),
    ],
)
def test_wrong_calls_are_problems(call, adult):
    with pytest.raises(hg.Problem) as raised:
        call(adult)
    assert raised.value.kind != "internal"
    assert raised.value.what


def test_a_refused_publication_is_a_problem_of_its_kind(adult):
    with pytest.raises(hg.Problem) as raised:
        adult.publish(k=500, levels=[0, 0, 0], max_suppressed=0)
    assert raised.value.kind == "refused-by-policy"


def large():
    """A project whose lattice of 16 million schemes takes minutes to annotate in full."""
    random.seed(1)
    names = "abcdefgh"
    table = pa.table({name: [random.randint(0, 400) for _ in range(30000)] for name in names})
    rules = {name: hg.intervals(2, 4, 8, 16, 32, 64, 128) for name in names}
    return hg.Project(table, roles={name: "qi" for name in names}, hierarchies=rules)


def test_progress_is_reported_and_an_exception_in_it_stops_the_work():
    seen = []

    def report(what, done, steps):
        seen.append((what, done, steps))
        if len(seen) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        large().build(progress=report, on_demand=False)
    assert len(seen) == 3
    assert all(isinstance(what, str) and what and done >= 0 and steps >= 0 for what, done, steps in seen)


CTRL_C = """
import haggle as hg
from haggle._problem import KINDS
from test_problems import large
project = large()
print("begun", flush=True)
try:
    project.build(on_demand=False)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("stopped", flush=True)
except hg.Problem as problem:
    print("problem", problem.kind, flush=True)
"""


def test_ctrl_c_stops_a_build():
    here = os.path.dirname(os.path.abspath(__file__))
    process = subprocess.Popen([sys.executable, "-c", CTRL_C], stdout=subprocess.PIPE, text=True, cwd=here)
    assert process.stdout.readline().strip() == "begun"
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    ran, _ = process.communicate(timeout=60)
    assert ran.strip() == "stopped"


def test_other_threads_run_while_a_lattice_is_built():
    turns = 0
    done = threading.Event()

    def count():
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    for _ in range(3):
        hg.demo("adult").build()
    done.set()
    thread.join()
    assert turns > 3


def test_two_lattices_are_asked_by_eight_threads_at_once(adult):
    other = hg.demo("adult").build(qi=["age", "education"])
    expected = {(name, k): lattice.ask(k=k, max_suppressed="5%", optimize="lm").scheme
                for name, lattice in (("adult", adult), ("other", other)) for k in range(2, 40)}
    wrong = []

    def ask(seed):
        for k in range(2, 40):
            for name, lattice in (("adult", adult), ("other", other)):
                if lattice.ask(k=k, max_suppressed="5%", optimize="lm").scheme != expected[name, k]:
                    wrong.append((name, k))
        lattice = adult if seed % 2 else other
        lattice.ask(privacy=[hg.t_closeness(0.1 + seed / 20)], max_suppressed="90%")

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_is_refused_instead_of_waiting_for_ever():
    code = (
        "import os, sys, haggle as hg\n"
        "lattice = hg.demo('adult').build(qi=['age', 'race'])\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    try:\n"
        "        lattice.ask(k=3)\n"
        "    except hg.Problem as problem:\n"
        "        print('refused:', 'forked' in problem.what, flush=True)\n"
        "    os._exit(0)\n"
        "os.waitpid(pid, 0)\n"
    )
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "refused: True", ran.stderr


def test_a_process_may_be_forked_before_haggle_is_used():
    code = (
        "import os, haggle as hg\n"
        "pid = os.fork()\n"
        "scheme = hg.demo('adult').build(qi=['age', 'race']).ask(k=3).scheme\n"
        "if pid != 0:\n"
        "    os.waitpid(pid, 0)\n"  # one process prints at a time
        "print(scheme, flush=True)\n"
        "if pid == 0:\n"
        "    os._exit(0)\n"
    )
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    printed = ran.stdout.splitlines()
    assert len(printed) == 2 and printed[0] == printed[1], ran


SPAWNED = """
import multiprocessing, sys
import haggle as hg
from haggle._problem import KINDS

def scheme(k):
    return hg.demo("adult").build(qi=["age", "race"]).ask(k=k).scheme

if __name__ == "__main__":
    lattice = hg.demo("adult").build(qi=["age", "race"])
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(scheme, [10, 100]) == [lattice.ask(k=10).scheme, lattice.ask(k=100).scheme])
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_other_processes_work_if_they_are_not_forked(method, tmp_path):
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    ran = subprocess.run([sys.executable, script, method], capture_output=True, text=True, timeout=300)
    assert ran.stdout.strip() == "True", ran.stderr


def post(page, path, asked):
    """Asks the page as its browser does."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    head = {"Authorization": f"Bearer {page.token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{page.origin}{path}", json.dumps(asked).encode(), head)
    with opener.open(request) as answer:
        return answer.read()


def people():
    table = pa.table({"age": [30 + i % 20 for i in range(200)], "disease": ["flu", "asthma"] * 100})
    return hg.Project(table, roles={"age": "qi", "disease": "sensitive"}, hierarchies={"age": hg.intervals(5, 10)})


def test_the_page_returns_what_was_agreed_there():
    lattice = people().build()
    with lattice.page(open_browser=False) as page:
        assert page.url.startswith("http://127.0.0.1")
        assert page.url in page._repr_html_()
        with pytest.raises(hg.Problem, match="nothing was published"):
            page.agreed(timeout=0.1)
        asked = {"privacy": {"k-anonymity": 20}, "max_suppressed": 0, "scheme": [2], "suppress": "star"}
        assert b'"done"' in post(page, "/api/publish", asked)
        agreed = page.agreed(timeout=10)
        with pytest.raises(hg.Problem, match="nothing was published"):
            page.agreed(timeout=0.1)
    assert agreed.scheme == [2] and agreed.report.records == 200
    assert agreed.request["privacy"][0].model == "k-anonymity"
    assert "200 records" in repr(agreed)
    again = lattice.publish(agreed)
    assert again.report.scheme == [2] and again.report.promised["k-anonymity"] == 20
    assert sorted(set(again.to_arrow().column("age").to_pylist())) == ["30-39", "40-49"]


def test_the_page_of_a_project_file_returns_what_was_agreed_there(tmp_path):
    (tmp_path / "people.csv").write_text("age,sex\n" + "".join(f"{30 + i % 4},{'mf'[i % 2]}\n" for i in range(40)))
    project = hg.Project.open(hg.suggest(tmp_path / "people.csv").save())
    with project.build().page(open_browser=False) as page:
        assert b'"done"' in post(page, "/api/publish", {"privacy": {"k-anonymity": 5}})
        assert page.agreed(timeout=10).report.records == 40
        assert b'"done"' in post(page, "/api/publish", {"privacy": {"k-anonymity": 10}})
        assert page.agreed(timeout=10).report.promised["k-anonymity"] == 10


def test_a_page_that_was_stopped_answers_no_more():
    page = people().build().page(open_browser=False)
    page.stop()
    with pytest.raises(OSError):
        post(page, "/api/ask", {"privacy": {"k-anonymity": 2}})
