"""Problems say what, where and what to do; several at once; never a panic."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pytest

import haggle as hg
from conftest import THREE


def test_a_problem_has_what_where_fix_and_kind():
    with pytest.raises(hg.Problem) as raised:
        hg.Project.open("no/such/haggle.toml")
    problem = raised.value
    assert problem.what and problem.fix and "haggle.toml" in problem.where
    assert problem.kind in ("bad-input", "io")
    assert isinstance(problem, ValueError)


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
    assert raised.value.kind == "refused"


def test_progress_is_reported_and_an_exception_in_it_stops_the_work():
    seen = []

    def report(what, done, steps):
        seen.append((what, done, steps))
        if len(seen) > 2:
            raise RuntimeError("enough")

    project = hg.demo("adult")
    try:
        project.build(progress=report, on_demand=False)
    except RuntimeError as error:
        assert str(error) == "enough" and len(seen) == 3
    assert all(isinstance(what, str) for what, *_ in seen)


CTRL_C = """
import pyarrow as pa, random, haggle as hg, sys
random.seed(1)
table = pa.table({name: [random.randint(0, 400) for _ in range(30000)] for name in "abcdefgh"})
roles = {name: "qi" for name in "abcdefgh"}
project = hg.Project(table, roles=roles, hierarchies={name: hg.intervals(2, 4, 8, 16, 32, 64, 128) for name in "abcdefgh"})
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
    process = subprocess.Popen([sys.executable, "-c", CTRL_C], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().strip() == "begun"
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert told.strip() == "stopped"


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
    told = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert told.stdout.strip() == "refused: True", told.stderr


def test_a_spawned_process_works():
    code = (
        "import multiprocessing as mp, haggle as hg\n"
        "if __name__ == '__main__':\n"
        "    import haggle._project\n"
        "    with mp.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.apply(hg.demo, ('adult',)).name if False else pool.apply(repr, (hg.version(),)))\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert told.stdout.strip() == repr(hg.__version__)


def test_the_page_returns_what_was_agreed_there(adult, tmp_path):
    import json
    import urllib.request

    table = pa.table({"age": [30 + i % 20 for i in range(200)], "disease": ["flu", "asthma"] * 100})
    lattice = hg.Project(table, roles={"age": "qi", "disease": "sensitive"}, hierarchies={"age": hg.intervals(5, 10)}).build()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with lattice.page(open_browser=False) as page:
        assert page.url.startswith("http://127.0.0.1")
        with pytest.raises(hg.Problem, match="nothing was published"):
            page.agreed(timeout=0.1)
        asked = {"privacy": {"k-anonymity": 20}, "max_suppressed": 0}
        request = urllib.request.Request(
            f"{page.origin}/api/publish", json.dumps(asked).encode(),
            {"Authorization": f"Bearer {page.token}", "Content-Type": "application/json"},
        )
        with opener.open(request) as answer:
            assert b'"done"' in answer.read()
        agreed = page.agreed(timeout=10)
    assert agreed.quasi_identifiers == ["age"]
    assert "k-anonymity" in agreed.promises[0]
    assert THREE == adult.quasi_identifiers
