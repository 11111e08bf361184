"""Loads a table into an engine, runs a script of SQL on it, and prints what the target holds.

Usage: engine.py duckdb|spark TASK, where TASK is a JSON file with `columns` (name and type), `rows`,
`table`, `script`, `target`, and for spark `url`. Prints JSON: `rows` of the target as texts (None where
missing), or `error` and whether the target is `there`.
"""

import json
import sys


def statements(script):
    """Splits a script at semicolons outside quotes and comments."""
    quote, start, i = None, 0, 0
    while i < len(script):
        c = script[i]
        if quote:
            if c == quote:
                quote = None
        elif script.startswith("--", i):
            i = script.find("\n", i)
            continue
        elif c in "'\"`":
            quote = c
        elif c == ";":
            yield script[start:i].strip()
            start = i + 1
        i += 1


class DuckDb:
    def __init__(self, task):
        import duckdb

        self.connection = duckdb.connect(task.get("file") or ":memory:")

    def run(self, statement):
        self.connection.execute(statement)

    def fetch(self, statement):
        return self.connection.execute(statement).fetchall()

    def parquet(self, path):
        return f"read_parquet('{path}')"


class Spark:
    def __init__(self, task):
        from adbc_driver_spark import dbapi

        self.connection = dbapi.connect(task["url"], autocommit=True)

    def run(self, statement):
        self.fetch(statement)

    def fetch(self, statement):
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()

    def parquet(self, path):
        return f"parquet.`{path}`"


def load(engine, task):
    """Makes the table from a file that holds its rows with their types."""
    import datetime

    import pyarrow
    import pyarrow.parquet

    kinds = {
        "text": (pyarrow.string(), str),
        "number": (pyarrow.int32(), int),
        "date": (pyarrow.date32(), datetime.date.fromisoformat),
    }

    def column(position, kind):
        arrow, read = kinds[kind]
        values = [row[position] for row in task["rows"]]
        return pyarrow.array([None if v is None else read(v) for v in values], arrow)

    columns = [column(i, kind) for i, (_, kind) in enumerate(task["columns"])]
    path = sys.argv[2] + ".parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns, [name for name, _ in task["columns"]]), path)
    engine.run(f"CREATE TABLE {task['table']} AS SELECT * FROM {engine.parquet(path)}")


def main():
    task = json.load(open(sys.argv[2]))
    engine = {"duckdb": DuckDb, "spark": Spark}[sys.argv[1]](task)
    if task.get("rows") is not None:
        load(engine, task)
    for statement in task.get("before", []):
        engine.run(statement)
    try:
        for statement in statements(task["script"]):
            engine.run(statement)
    except Exception as error:
        if sys.argv[1] == "duckdb":
            engine.run("ROLLBACK")
        try:
            engine.fetch(f"SELECT count(*) FROM {task['target']}")
            there = True
        except Exception:
            there = False
        return {"error": str(error), "there": there}
    rows = engine.fetch(f"SELECT * FROM {task['target']}")
    text = lambda v: None if v is None else str(v).lower() if isinstance(v, bool) else str(v)
    return {"rows": [[text(v) for v in row] for row in rows]}


json.dump(main(), sys.stdout)
