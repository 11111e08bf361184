"""What the tests share: a small table in every library, and the lattice of the embedded data."""

import datetime as dt
import decimal
import random

import pyarrow as pa
import pytest

import haggle as hg

THREE = ["age", "race", "workclass"]
SIX = ["age", "education", "marital-status", "occupation", "race", "workclass"]


@pytest.fixture(scope="session")
def adult():
    """The lattice of three quasi-identifiers of the Adult census data."""
    return hg.demo("adult").build(qi=THREE)


@pytest.fixture(scope="session")
def adult_six():
    """The lattice of six quasi-identifiers of the Adult census data."""
    return hg.demo("adult").build(qi=SIX)


def patients(rows=400, seed=7):
    """A table with a column of every type that a Parquet file has."""
    random.seed(seed)
    day = dt.date(1950, 1, 1)
    moment = dt.datetime(2024, 2, 29, 12, 30)
    ages = [random.randint(20, 80) for _ in range(rows)]
    diseases = [random.choice(["flu", "asthma", "gastritis", None]) for _ in range(rows)]
    return pa.table(
        {
            "age": pa.array(ages, pa.int16()),
            "postcode": pa.array([f"{random.randint(0, 30):05d}" for _ in range(rows)]),
            "born": pa.array([day + dt.timedelta(days=31 * a) for a in ages], pa.date32()),
            "weight": pa.array([None if a % 11 == 0 else a / 4 for a in ages], pa.float64()),
            "small": pa.array([a / 8 for a in ages], pa.float32()),
            "fee": pa.array([decimal.Decimal(a) / 4 for a in ages], pa.decimal128(9, 2)),
            "seen": pa.array([moment + dt.timedelta(minutes=a) for a in ages], pa.timestamp("us")),
            "seen_utc": pa.array([moment + dt.timedelta(minutes=a) for a in ages], pa.timestamp("ns", "UTC")),
            "smoker": pa.array([a % 3 == 0 for a in ages]),
            "disease": pa.array(diseases).dictionary_encode(),
            "name": pa.array([f"person {i}" for i in range(rows)]),
        }
    )


@pytest.fixture(scope="session")
def table():
    """The table of patients as pyarrow has it."""
    return patients()


ROLES = {"age": "qi", "postcode": "qi", "smoker": "qi", "disease": "sensitive", "name": "identifier"}
HIERARCHIES = {"age": hg.intervals(5, 10, 20), "postcode": hg.prefix(1, 2, 3)}


def project(data, **more):
    """The project of the patients over data in any form."""
    settings = {"roles": ROLES, "hierarchies": HIERARCHIES, "on_missing": "value", "missing": ["?", ""], **more}
    return hg.Project(data, **settings)


def plain(answer):
    """An answer without what differs between runs."""
    fields = answer.to_dict() if hasattr(answer, "to_dict") else dict(answer)
    for timing in ("micros",):
        fields.pop(timing, None)
    return fields
