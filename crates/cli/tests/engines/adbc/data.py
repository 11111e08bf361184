"""Writes tables as Parquet files, reads what was published, and runs statements in a session.

Usage: data.py write TASK   (`columns` with names and kinds, `rows`, `file`)
       data.py read FOLDER  prints JSON: the rows of all Parquet files there as texts
       data.py run TASK     (`url`, `session`, `statements`) prints the rows of the last one, and leaves the
                            session open
"""

import datetime
import decimal
import json
import os
import pathlib
import sys

import pyarrow
import pyarrow.parquet

KINDS = {
    "text": (pyarrow.string(), str),
    "number": (pyarrow.int64(), int),
    "date": (pyarrow.date32(), datetime.date.fromisoformat),
    "decimal": (pyarrow.decimal128(9, 2), decimal.Decimal),
    "boolean": (pyarrow.bool_(), lambda text: text == "true"),
}


def text(value):
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def write(task):
    def column(position, kind):
        arrow, read = KINDS[kind]
        values = [row[position] for row in task["rows"]]
        return pyarrow.array([None if v is None else read(v) for v in values], arrow)

    columns = [column(i, kind) for i, (_, kind) in enumerate(task["columns"])]
    table = pyarrow.table(columns, [name for name, _ in task["columns"]])
    pyarrow.parquet.write_table(table, task["file"])


def read(folder):
    files = sorted(pathlib.Path(folder).glob("*.parquet"))
    tables = [pyarrow.parquet.ParquetFile(file).read() for file in files]
    rows = [row for table in tables for row in zip(*(c.to_pylist() for c in table.columns))]
    json.dump([[text(v) for v in row] for row in rows], sys.stdout)


def run(task):
    from adbc_driver_spark import dbapi

    options = {"adbc.spark.session_id": task["session"]}
    connection = dbapi.connect(task["url"], db_kwargs=options, autocommit=True)
    rows = []
    for statement in task["statements"]:
        cursor = connection.cursor()
        cursor.execute(statement)
        rows = cursor.fetchall()
    print(json.dumps([[text(v) for v in row] for row in rows]), flush=True)
    # Closing the connection would end the session.
    os._exit(0)


if sys.argv[1] == "read":
    read(sys.argv[2])
else:
    {"write": write, "run": run}[sys.argv[1]](json.load(open(sys.argv[2])))
