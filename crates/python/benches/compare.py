"""haggle next to pycanon, anjana and anonypy in one run: python compare.py ADULT [ROWS]. Prints Markdown."""

import datetime
import gzip
import importlib.metadata
import io
import os
import platform
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
from anjana.anonymity import k_anonymity
from anjana.anonymity.utils.utils import apply_transformation
from anonypy.anonypy import Preserver
from pycanon import anonymity

import haggle as hg

QI = ["age", "race", "workclass", "education", "marital-status", "occupation"]
SENSITIVE = "hours-per-week"
K = 10
LIMIT = 5
COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "salary-class",
]
# So many schemes are measured by the other tools; the time for all of them follows.
SAMPLED = 12


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
    text = gzip.open(Path(folder) / "adult.data.gz", "rt").read()
    frame = pd.read_csv(io.StringIO(text), header=None, names=COLUMNS, skipinitialspace=True, na_values="?").dropna()
    counted = hg.demo("adult").check()
    assert len(frame) == counted.records - counted.dropped
    levels = {
        name: pd.read_csv(Path(folder) / "hierarchies" / f"{name}.csv", header=None, sep=";", dtype=str) for name in QI
    }
    return frame[[*QI, SENSITIVE]].astype({"age": str}).reset_index(drop=True), levels


def ours(frame, levels, on_demand):
    """From a frame to the scheme of least loss among all."""
    roles = {name: "qi" for name in QI} | {SENSITIVE: "sensitive"}
    project = hg.Project(frame, roles=roles, hierarchies={name: rows.values.tolist() for name, rows in levels.items()})
    return project.build(on_demand=on_demand).ask(k=K, max_suppressed=f"{LIMIT}%", optimize="lm")


def generalized(frame, levels, scheme):
    """The frame under a scheme, made with pandas."""
    out = frame.copy()
    for name, level in zip(QI, scheme):
        out[name] = out[name].map(dict(zip(levels[name][0], levels[name][level])))
    return out


def line(name, seconds, base, more=""):
    print(f"| {name} | {seconds:.4f} | {seconds / base:,.1f} | {more} |", flush=True)


def anonymize(folder):
    frame, levels = adult(folder)
    print(f"k = {K}, at most {LIMIT} % suppressed, {len(frame):,} records of Adult, {len(QI)} quasi-identifiers.\n")
    print("| what | seconds | times haggle's | result |\n|---|---|---|---|")
    base, searched = best(lambda: ours(frame, levels, True), 5)
    every, answer = best(lambda: ours(frame, levels, False), 5)
    assert (answer.scheme, answer.suppressed) == (searched.scheme, searched.suppressed)
    lattice = answer._lattice
    schemes = lattice.built.schemes
    line(f"**haggle**: from a pandas frame to the least loss of all {schemes:,} schemes, searched on demand", base, base,
         f"scheme {answer.scheme}, {answer.suppressed:,} suppressed")
    line("haggle: the same with every scheme annotated, ready for any request", every, base)
    again, _ = best(lambda: lattice.ask(k=K, max_suppressed=f"{LIMIT}%", optimize="lm"), 20)
    line("haggle: the next request", again, base)
    full, published = best(lambda: lattice.publish(answer), 3)
    line("haggle: publishing it, with proof", full, base, f"{len(published):,} records")

    hierarchies = {name: dict(rows) for name, rows in levels.items()}
    other, out = best(lambda: k_anonymity(frame.copy(), [], QI, K, LIMIT, hierarchies), 1)
    line("anjana: `k_anonymity`, a scheme that will do, no loss measured", other, base, f"{len(out):,} records")
    random.seed(1)
    tops = [len(levels[name].columns) for name in QI]
    drawn = [[random.randrange(top) for top in tops] for _ in range(SAMPLED)]
    applied, _ = best(lambda: [apply_transformation(frame.copy(), QI, hierarchies, scheme) for scheme in drawn], 1)
    line(f"anjana: `apply_transformation` of every scheme, from {SAMPLED} of them", applied / SAMPLED * schemes, base,
         "nothing measured")

    coded = frame.copy()
    coded["age"] = coded["age"].astype(int)
    for name in QI[1:]:
        coded[name] = coded[name].astype("category")
    other, rows = best(lambda: Preserver(coded, QI, SENSITIVE).anonymize_k_anonymity(k=K), 1)
    line("anonypy: Mondrian, no loss measured", other, base, f"{len(rows):,} rows")
    mondrian, _ = best(lambda: lattice.compare(k=K, max_suppressed="0%", measures=["lm"], strategies=["mondrian"]), 3)
    line("haggle: Mondrian, loss measured", mondrian, base)

    tables = [generalized(frame, levels, scheme) for scheme in drawn]
    measured, _ = best(lambda: [anonymity.k_anonymity(table, QI) for table in tables], 1)
    line(f"pycanon: `k_anonymity` of every scheme, from {SAMPLED} of them", measured / SAMPLED * schemes, base, "no loss measured")
    table = published.to_pandas()
    one, k = best(lambda: anonymity.k_anonymity(table, QI), 3)
    line("pycanon: `k_anonymity` of the publication", one, base, f"k = {k}")
    verified, verdict = best(lambda: hg.verify(table, k=k, qi=QI), 5)
    line("haggle: `verify` of the publication as a pandas frame", verified, base, "yes" if verdict else "no")
    closeness, _ = best(lambda: anonymity.t_closeness(table, QI, [SENSITIVE]), 1)
    line("pycanon: `t_closeness` of the publication", closeness, base)
    assessed, _ = best(lambda: hg.assess(table, qi=QI, sensitive=[SENSITIVE]), 3)
    line("haggle: `assess` of the publication, all models", assessed, base)


def status(field):
    """A number of kilobytes that the kernel knows of this process."""
    text = Path("/proc/self/status").read_text()
    return int(text.split(f"{field}:")[1].split()[0])


def beyond(work):
    """The peak of memory while something is done, beyond what there was before, in megabytes."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = status("VmRSS")
    result = work()
    return (status("VmHWM") - before) / 1024, result


def count(rows):
    """Counting a frame next to counting a Parquet file of the same table, and the memory beyond the frame."""
    draw = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": draw.integers(17, 90, rows),
            "postcode": pl.Series([f"{n:05d}" for n in range(2000)]).gather(draw.integers(0, 2000, rows)),
            "sex": pl.Series(["m", "f"]).gather(draw.integers(0, 2, rows)),
            "disease": pl.Series([f"disease {n}" for n in range(40)]).gather(draw.integers(0, 40, rows)),
        }
    )
    roles = {"age": "qi", "postcode": "qi", "sex": "qi", "disease": "sensitive"}
    hierarchies = {"age": hg.intervals(5, 10, 20), "postcode": hg.prefix(1, 2, 3)}

    def counted(data):
        return hg.Project(data, roles=roles, hierarchies=hierarchies).build(on_demand=True)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        pq.write_table(frame.to_arrow(), path)
        memory, lattice = beyond(lambda: counted(frame))
        assert lattice.records == rows
        file, ours = float("inf"), float("inf")
        for _ in range(3):  # in turns, so that a busy machine is busy for both
            ours = min(ours, best(lambda: counted(frame), 1)[0])
            file = min(file, best(lambda: counted(path), 1)[0])
    groups = lattice.built.base_groups
    size = frame.estimated_size("mb")
    print(f"\n{rows:,} records ({groups:,} groups, {size:.0f} MB in polars) were counted from the frame in {ours:.2f} s, "
          f"from a Parquet file in {file:.2f} s: ratio {ours / file:.2f}. "
          f"Memory beyond the frame while counting: {memory:.0f} MB at most.")


def machine():
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), "")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("haggle", "anjana", "anonypy", "pycanon", "pandas", "polars"))
    load = os.getloadavg()[0]
    print(f"{datetime.date.today()}, {os.cpu_count()} cores ({model}), load {load:.1f} at the start, "
          f"Python {platform.python_version()}, {versions}.\n")


if __name__ == "__main__":
    machine()
    anonymize(sys.argv[1])
    count(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000)
