"""The same requests through Python, HTTP and the command line give equal JSON."""

import json
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path

import pytest

import haggle as hg
from conftest import THREE, plain

REQUESTS = int(os.environ.get("HAGGLE_REQUESTS", "500"))


def command():
    """The haggle command: of the environment that pytest runs in, as the wheel installed it."""
    installed = Path(sysconfig.get_path("scripts")) / "haggle"
    found = os.environ.get("HAGGLE") or (str(installed) if installed.exists() else shutil.which("haggle"))
    if not found:
        pytest.fail("there is no haggle command; set HAGGLE")
    return found


def requests(count, seed=2024):
    """Random requests: one or two models, maximum levels, limits and losses."""
    random.seed(seed)
    top = {"age": 4, "race": 2, "workclass": 3}
    for _ in range(count):
        models = [
            {"model": "k-anonymity", "k": random.randint(2, 400)},
            {"model": "distinct-l-diversity", "l": random.randint(2, 30)},
            {"model": "t-closeness", "t": round(random.random(), 3)},
            {"model": "entropy-l-diversity", "l": round(1.5 + 10 * random.random(), 2)},
        ]
        asked = {"privacy": random.sample(models, random.choice([1, 1, 2])), "only": True}
        if random.random() < 0.5:
            asked["levels"] = [random.randint(0, most) for most in top.values()]
        elif random.random() < 0.5:
            name = random.choice(list(top))
            asked["levels"] = {name: random.randint(0, top[name])}
        if random.random() < 0.8:
            asked["max_suppressed"] = random.choice([0, 32, 321, "1%", "2.5%", 5000])
        if random.random() < 0.3:
            asked["optimize"] = random.choice(["lm", "discernibility", "lm:age=2", "entropy"])
        if random.random() < 0.2:
            asked["relax_height"] = random.choice(["lowest", "closest"])
        yield asked


def through_http(lattice, asked):
    with lattice.page(open_browser=False) as page:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for one in asked:
            request = urllib.request.Request(
                f"{page.origin}/api/ask",
                json.dumps({**one, "qi": THREE}).encode(),
                {"Authorization": f"Bearer {page.token}", "Content-Type": "application/json"},
            )
            with opener.open(request) as answer:
                yield json.load(answer)


def test_the_same_requests_give_equal_json(adult, tmp_path):
    asked = list(requests(REQUESTS))
    python = [plain(adult.ask_json(one)) for one in asked]
    http = [plain(answer) for answer in through_http(adult, asked)]
    lines = tmp_path / "requests.jsonl"
    lines.write_text("".join(json.dumps(one) + "\n" for one in asked))
    run = [command(), "ask", "demo:adult", "--qi", ",".join(THREE), "--requests", str(lines), "--json"]
    told = subprocess.run(run, capture_output=True, text=True, check=False)
    cli = [plain(json.loads(line)) for line in told.stdout.splitlines()]
    assert len(cli) == REQUESTS, told.stderr[-500:]
    outcomes = {answer["outcome"] for answer in python}
    assert outcomes == {"exact", "relaxed"} or REQUESTS < 50
    for one, *answers in zip(asked, python, http, cli):
        assert answers[0] == answers[1] == answers[2], one


@pytest.mark.parametrize("catalog", ["models", "measures", "strategies"])
def test_the_catalogs_are_those_of_the_command(catalog):
    told = subprocess.run([command(), catalog, "--json"], capture_output=True, text=True, check=True)
    assert getattr(hg, catalog).catalog() == json.loads(told.stdout)


def test_the_wheel_brings_the_command():
    told = subprocess.run([command(), "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["haggle", hg.__version__]


def test_importing_needs_no_other_library():
    code = "import sys, haggle; print(sorted({'pandas', 'polars', 'pyarrow', 'numpy', 'sklearn'} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
