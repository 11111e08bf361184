"""A project whose data is in PostgreSQL, against a server of the tests' own on this machine."""

import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pytest

import haggle as hg

ROLES = {"age": "qi", "sex": "qi", "disease": "sensitive", "name": "identifier"}
HIERARCHIES = {"age": hg.intervals(5, 10, 20)}


def programs():
    """Where the server's programs are; `make python-test` installs them."""
    found = [*sorted(glob.glob("/usr/lib/postgresql/*/bin")), os.path.dirname(shutil.which("initdb") or "")]
    whole = [all((Path(folder) / name).exists() for name in ("initdb", "postgres", "psql")) for folder in found]
    found = [Path(folder) for folder, is_whole in zip(found, whole) if is_whole]
    if not found:
        pytest.fail("PostgreSQL is not installed: apt-get install -y postgresql")
    return found[-1]


def owner():
    """Who runs the server: it refuses to be run by the superuser."""
    if os.geteuid() != 0:
        return None
    known = [name for name in ("postgres", "nobody") if name in {user.pw_name for user in pwd.getpwall()}]
    return known[0]


@pytest.fixture(scope="module")
def database():
    """The url of a database, and a function that runs SQL in it."""
    binaries, user = programs(), owner()
    with tempfile.TemporaryDirectory(prefix="haggle-pg-") as folder:
        if user:
            shutil.chown(folder, user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        data = f"{folder}/data"
        made = [binaries / "initdb", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "-U", "owner", "-D", data]
        subprocess.run(made, check=True, capture_output=True, user=user, cwd=folder)
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-c", "unix_socket_directories=", "-c", "fsync=off"],
            user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

        def sql(statements):
            run = [binaries / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(port), "-U", "owner", "-d", "postgres", "-c", statements]
            return subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()

        try:
            end = time.monotonic() + 60
            while True:
                try:
                    sql("select 1")
                    break
                except subprocess.CalledProcessError:
                    assert time.monotonic() < end and server.poll() is None, "the server does not start"
                    time.sleep(0.1)
            sql(
                "create table people as select 20 + i % 40 as age, (array['f', 'm'])[1 + i % 2] as sex,"
                " (array['flu', 'asthma', 'gastritis'])[1 + i % 3] as disease, 'person ' || i as name"
                " from generate_series(1, 600) as i"
            )
            yield f"postgres://owner@127.0.0.1:{port}/postgres", sql
        finally:
            server.terminate()
            server.wait(60)


@pytest.fixture
def lattice(database, tmp_path):
    url, _ = database
    return hg.Project(url, table="public.people", roles=ROLES, hierarchies=HIERARCHIES, folder=tmp_path).build()


def test_a_table_is_published_within_its_database(lattice, database, tmp_path):
    _, sql = database
    answer = lattice.ask(k=40)
    manifest = tmp_path / "people.manifest.json"
    report = lattice.publish_table("public.published", answer, manifest=manifest)
    assert report.published and report.records == 600 and manifest.exists()
    assert int(sql("select min(n) from (select count(*) as n from published group by age, sex) as groups")[0]) >= 40
    assert sql("select column_name from information_schema.columns where table_name = 'published' order by 1") == ["age", "disease", "sex"]


def test_a_table_that_would_not_keep_its_promise_is_not_made(lattice, database):
    _, sql = database
    with pytest.raises(hg.Problem) as raised:
        lattice.publish_table("public.never", k=700)
    assert raised.value.kind == "refused-by-policy"
    assert sql("select count(*) from information_schema.tables where table_name = 'never'") == ["0"]


def test_answers_are_those_of_the_same_table_as_a_frame(lattice, database):
    _, sql = database
    rows = [row.split("|") for row in sql("select age, sex, disease from people")]
    frame = pa.table({name: [row[i] for row in rows] for i, name in enumerate(["age", "sex", "disease"])})
    roles = {name: role for name, role in ROLES.items() if name != "name"}
    other = hg.Project(frame, roles=roles, hierarchies=HIERARCHIES).build()
    for k in (2, 20, 40, 200):
        assert lattice.ask(k=k).to_dict()["exact"] == other.ask(k=k).to_dict()["exact"]


def test_what_python_cancels_is_cancelled_in_the_database(database, tmp_path):
    url, sql = database
    sql("create table pause as select 0.0::float8 as seconds")
    sql("create view slow as select people.* from people where pg_sleep((select seconds from pause)) is not null")
    project = hg.Project(url, table="public.slow", roles=ROLES, hierarchies=HIERARCHIES, folder=tmp_path)
    sql("update pause set seconds = 1")
    running = "select count(*) from pg_stat_activity where state = 'active' and query like '%slow%' and pid <> pg_backend_pid()"

    def stop(what, done, steps):
        if sql(running) != ["0"]:
            raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        project.build(progress=stop)
    assert time.monotonic() - start < 60 and sql(running) == ["0"]


def test_a_project_is_suggested_for_a_table_of_a_database(database, tmp_path):
    url, _ = database
    draft = hg.suggest(url, table="public.people", to=tmp_path / "haggle.toml")
    assert draft.roles["name"] == "identifier"
    assert hg.Project.open(draft.save()).build().records == 600


def test_a_database_without_its_table_is_a_problem(database):
    with pytest.raises(hg.Problem, match="no table is named"):
        hg.Project(database[0], roles=ROLES)


def test_a_frame_is_not_published_into_a_table():
    lattice = hg.Project(pa.table({"age": [30] * 20}), roles={"age": "qi"}).build()
    with pytest.raises(hg.Problem, match="not in a database"):
        lattice.publish_table("public.out", k=2)
