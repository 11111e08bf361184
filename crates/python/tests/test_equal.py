"""The same requests through Python, HTTP and the command line give equal JSON."""

import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import haggle as hg
from haggle import _haggle
from conftest import THREE, plain

REQUESTS = 500 if os.environ.get("HAGGLE_TESTS") == "long" else 100


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
    ran = subprocess.run(run, capture_output=True, text=True, check=False)
    cli = [plain(json.loads(line)) for line in ran.stdout.splitlines()]
    assert len(cli) == REQUESTS, ran.stderr[-500:]
    outcomes = {answer["outcome"] for answer in python}
    assert outcomes == {"exact", "relaxed"} or REQUESTS < 50
    for one, *answers in zip(asked, python, http, cli):
        assert answers[0] == answers[1] == answers[2], one


def posted(page, question, body):
    """The last line of what a question over HTTP answers: done or error."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    headers = {"Authorization": f"Bearer {page.token}", "Accept": "application/x-ndjson"}
    sent = json.dumps({**body, "qi": THREE}).encode()
    try:
        with opener.open(urllib.request.Request(f"{page.origin}/api/{question}", sent, headers)) as answer:
            return json.loads(answer.read().splitlines()[-1])
    except urllib.error.HTTPError as error:
        return json.load(error)


def bodies(count, seed=11):
    """Every example of the catalog, and examples with the parts of random requests."""
    listed = json.loads(_haggle.catalog("questions"))
    every = [(one["id"], json.loads(body)) for one in listed for body in one["examples"]]
    yield from every
    random.seed(seed)
    varied = [one["id"] for one in listed if one["takes_request"]]
    for asked in requests(count, seed):
        question, body = random.choice([pair for pair in every if pair[0] in varied])
        parts = random.sample(sorted(asked), random.randint(1, len(asked)))
        yield question, {**body, **{part: asked[part] for part in parts}}


def test_every_question_gives_equal_json_everywhere(adult, tmp_path):
    asked = list(bodies(REQUESTS))
    lines = tmp_path / "questions.jsonl"
    lines.write_text("".join(json.dumps({**body, "question": name}) + "\n" for name, body in asked))
    run = [command(), "ask", "demo:adult", "--qi", ",".join(THREE), "--requests", str(lines), "--full"]
    ran = subprocess.run(run, capture_output=True, text=True, check=False, timeout=600)
    cli = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(cli) == len(asked), ran.stderr[-500:]
    refused = 0
    with adult.page(open_browser=False) as page:
        for (question, body), line in zip(asked, cli):
            http = posted(page, question, body)
            try:
                answer = json.loads(adult._native.question(question, json.dumps(body), None))
            except hg.Problem as problem:
                refused += 1
                assert "error" in http and "error" in line, (question, body, problem)
                continue
            assert "done" in http, (question, body, http)
            # Equal in the order of fields, too.
            texts = [json.dumps(timeless(one)) for one in (answer, http["done"], line)]
            assert texts[0] == texts[1] == texts[2], (question, body)
    assert refused < len(asked) / 2, "most of what is compared is answered"


def on_demand(lattice):
    """The same lattice with schemes annotated as questions touch them."""
    return lattice.project.build(qi=THREE, on_demand=True)


# The same question as a command and as a method.
QUESTIONS = [
    ("pareto --loss lm --max-suppressed 1%", lambda lattice: lattice.pareto(loss="lm", max_suppressed="1%")),
    ("pareto --thresholds 5,20,50 --max-suppressed 1%",
     lambda lattice: lattice.pareto(thresholds=[5, 20, 50], max_suppressed="1%")),
    ("pareto --suppression", lambda lattice: lattice.pareto(suppression=True)),
    ("pareto --privacy k-anonymity --privacy t-closeness --max-loss 0.5",
     lambda lattice: lattice.pareto("k-anonymity", against="t-closeness", max_loss=0.5)),
    ("pareto --poka --exhaustive", lambda lattice: lattice.poka(exhaustive=True)),
    ("pareto --poka --start 2,1,1", lambda lattice: on_demand(lattice).poka(start=[2, 1, 1])),
    ("pareto --poka --ground-rule ceiling --max-suppressed 2%",
     lambda lattice: on_demand(lattice).poka(ground_rule="ceiling", max_suppressed="2%")),
    ("pareto --poka --depth 1 --loss discernibility",
     lambda lattice: on_demand(lattice).poka(depth=1, loss="discernibility")),
    ("study --k 3 --levels 2,1,1", lambda lattice: lattice.study(k=3, levels=[2, 1, 1])),
    ("study --grouping", lambda lattice: lattice.grouping()),
    ("study --k 3 --estimators --partial 20%", lambda lattice: lattice.estimators(partial="20%", k=3)),
    ("why --k 10 --only --scheme 1,1,0", lambda lattice: lattice.why([1, 1, 0], k=10)),
    ("query --scheme 2,1,1 --of race 'age < 25'",
     lambda lattice: lattice.query("age < 25", scheme=[2, 1, 1], of="race")),
    ("query --scheme 2,1,1 --k 10 --random 40 --seed 3 --selectivity 0.1 --of race",
     lambda lattice: lattice.workload(random=40, seed=3, selectivity=0.1, of="race", scheme=[2, 1, 1], k=10)),
    ("query --random 30 --dimensions 3 --every-scheme ic --k 3",
     lambda lattice: lattice.workload(random=30, dimensions=3, every_scheme="ic", k=3)),
    ("query --scheme 1,1,1 --workload {workload}",
     lambda lattice: lattice.workload(["age < 30", {"condition": "race = White", "of": "workclass"}], scheme=[1, 1, 1])),
    ("ask --k 5..20 --only --levels 2,1,1 --max-suppressed 1%",
     lambda lattice: lattice.ask(k="5..20", levels=[2, 1, 1], max_suppressed="1%", only=True)),
    ("ask --k 10 --only --optimize query-error:workload={workload}",
     lambda lattice: lattice.ask(k=10, optimize=hg.measures.query_error(workload=WORKLOAD), only=True)),
    ("risk --k 10 --only --scheme 1,1,0 --key-size 1", lambda lattice: lattice.risk([1, 1, 0], k=10, key_size=1)),
    ("utility --k 10 --only --max-suppressed 1% --optimize lm",
     lambda lattice: lattice.utility(k=10, max_suppressed="1%", optimize="lm")),
    ("instant --k 60 --only --compare", lambda lattice: lattice.project.instant(k=60, only=True, qi=THREE, compare=True)),
    ("instant --k 60 --only --by probability --threshold 0.9 --predictor hybrid --without expo,max",
     lambda lattice: lattice.project.instant(
         k=60, only=True, qi=THREE, probability=0.9, predictor="hybrid", without=["expo", "max"])),
]

WORKLOAD = "workload.txt"

# Fields that differ between runs.
TIMES = re.compile("micros|millis|seconds|nanoseconds")


def timeless(value):
    """The same without fields that are times."""
    if isinstance(value, dict):
        return {name: timeless(inner) for name, inner in value.items() if not TIMES.search(name)}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("asked, answer", QUESTIONS, ids=[asked for asked, _ in QUESTIONS])
def test_commands_and_methods_give_equal_json(asked, answer, adult, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(WORKLOAD).write_text('age < 30\n{"condition": "race = White", "of": "workclass"}\n')
    words = shlex.split(asked.format(workload=WORKLOAD))
    run = [command(), words[0], "demo:adult", "--qi", ",".join(THREE), *words[1:], "--json"]
    ran = subprocess.run(run, capture_output=True, text=True, check=False)
    assert ran.stdout, ran.stderr
    assert timeless(answer(adult).to_dict()) == timeless(json.loads(ran.stdout))


@pytest.mark.parametrize("catalog", ["models", "measures", "strategies"])
def test_the_catalogs_are_those_of_the_command(catalog):
    ran = subprocess.run([command(), catalog, "--json"], capture_output=True, text=True, check=True)
    assert getattr(hg, catalog).catalog() == json.loads(ran.stdout)


def test_the_wheel_brings_the_command():
    ran = subprocess.run([command(), "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["haggle", hg.__version__]


def test_importing_needs_no_other_library():
    code = "import sys, haggle; print(sorted({'pandas', 'polars', 'pyarrow', 'numpy', 'sklearn'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
