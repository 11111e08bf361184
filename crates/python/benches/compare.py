"""haggle next to pycanon, anjana and anonypy in one run: python compare.py ADULT [ROWS]."""

import gzip
import io
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
from anjana.anonymity import k_anonymity
from anonypy.anonypy import Preserver
from pycanon import anonymity

import haggle as hg

QI = ["age", "race", "workclass", "education", "marital-status", "occupation"]
K = 10
LIMIT = 5


def best(work, times):
    """The least seconds of several runs, and what the last returned."""
    seconds, result = [], None
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def adult(folder):
    """The complete records of Adult and the hierarchies of the quasi-identifiers."""
    names = hg.demo("adult").check().to_dict()
    columns = [
        "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
        "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
        "salary-class",
    ]
    text = gzip.open(Path(folder) / "adult.data.gz", "rt").read()
    frame = pd.read_csv(io.StringIO(text), header=None, names=columns, skipinitialspace=True, na_values="?").dropna()
    assert len(frame) == names["records"] - names["dropped"]
    levels = {
        name: pd.read_csv(Path(folder) / "hierarchies" / f"{name}.csv", header=None, sep=";", dtype=str) for name in QI
    }
    return frame[[*QI, "hours-per-week"]].astype({"age": str}).reset_index(drop=True), levels


def ours(frame, levels):
    roles = {name: "qi" for name in QI} | {"hours-per-week": "sensitive"}
    project = hg.Project(frame, roles=roles, hierarchies={name: rows.values.tolist() for name, rows in levels.items()})
    answer = project.build().ask(k=K, max_suppressed=f"{LIMIT}%", optimize="lm")
    return answer


def line(name, seconds, base, more=""):
    print(f"{name:<42} {seconds:9.4f} s {seconds / base:10.1f} {more}", flush=True)


def anonymize(folder):
    frame, levels = adult(folder)
    print(f"k = {K}, at most {LIMIT} % suppressed, {len(frame):,} records of Adult, {len(QI)} quasi-identifiers\n")
    base, answer = best(lambda: ours(frame, levels), 5)
    line("haggle, frame to the scheme of least loss", base, base, f"scheme {answer.scheme}, {answer.suppressed} suppressed")
    lattice = answer._lattice
    again, _ = best(lambda: lattice.ask(k=K, max_suppressed=f"{LIMIT}%", optimize="lm"), 20)
    line("haggle, the next request", again, base)
    full, published = best(lambda: lattice.publish(answer), 3)
    line("haggle, publishing with proof", full, base, f"{len(published)} records")
    hierarchies = {name: dict(rows) for name, rows in levels.items()}
    other, out = best(lambda: k_anonymity(frame.copy(), [], QI, K, LIMIT, hierarchies), 1)
    line("anjana k_anonymity (its own order, no loss)", other, base, f"{len(out)} records")
    coded = frame.copy()
    coded["age"] = coded["age"].astype(int)
    for name in QI[1:]:
        coded[name] = coded[name].astype("category")
    other, _ = best(lambda: Preserver(coded, QI, "hours-per-week").anonymize_k_anonymity(k=K), 1)
    line("anonypy Mondrian", other, base)
    mondrian, _ = best(lambda: lattice.compare(k=K, max_suppressed="0%", measures=["lm"], strategies=["mondrian"]), 1)
    line("haggle Mondrian", mondrian, base)
    table = published.to_pandas()
    measured, k = best(lambda: anonymity.k_anonymity(table, QI), 3)
    verified, found = best(lambda: hg.assess(table, qi=QI, sensitive=["hours-per-week"]), 3)
    line("pycanon k_anonymity of the publication", measured, base, f"k = {k}")
    line("haggle assess, all models", verified, base, f"k = {found.attained['k-anonymity']}")
    sensitive = ["hours-per-week"]
    measured, _ = best(lambda: anonymity.t_closeness(table, QI, sensitive), 1)
    line("pycanon t_closeness of the publication", measured, base)


def count(rows):
    """Counting a frame next to counting a Parquet file of the same table, and the memory beyond the frame."""
    random = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": random.integers(17, 90, rows),
            "postcode": pl.Series([f"{n:05d}" for n in range(2000)]).gather(random.integers(0, 2000, rows)),
            "sex": pl.Series(["m", "f"]).gather(random.integers(0, 2, rows)),
            "disease": pl.Series([f"disease {n}" for n in range(40)]).gather(random.integers(0, 40, rows)),
        }
    )
    roles = {"age": "qi", "postcode": "qi", "sex": "qi", "disease": "sensitive"}
    hierarchies = {"age": hg.intervals(5, 10, 20), "postcode": hg.prefix(1, 2, 3)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        pq.write_table(frame.to_arrow(), path)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ours, _ = best(lambda: hg.Project(frame, roles=roles, hierarchies=hierarchies).build(on_demand=True), 3)
        beyond = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        file, _ = best(lambda: hg.Project(path, roles=roles, hierarchies=hierarchies).build(on_demand=True), 3)
    print(f"\n{rows:,} records counted from a polars frame in {ours:.2f} s, from Parquet in {file:.2f} s: ratio {ours / file:.2f}")
    print(f"memory beyond the frame while counting it: at most {beyond / 1024:.0f} MB")


if __name__ == "__main__":
    anonymize(sys.argv[1])
    count(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000)
