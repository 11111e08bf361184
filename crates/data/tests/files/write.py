"""Writes pyarrow.csv and the same table as Parquet in two ways, with pyarrow 26."""

import csv
import datetime as dt
import decimal
import random

import pyarrow as pa
import pyarrow.parquet as pq

random.seed(5)
ROWS = 60


def some(value):
    return [None if random.random() < 0.1 else value(i) for i in range(ROWS)]


def moment(v, zone=""):
    fraction = f".{v.microsecond:06}".rstrip("0") if v.microsecond else ""
    return v.strftime("%Y-%m-%dT%H:%M:%S") + fraction + zone


start = dt.datetime(1960, 1, 1)
columns = {
    "tiny": (some(lambda i: random.randint(-128, 127)), pa.int8(), str),
    "unsigned": (some(lambda i: random.randint(0, 2**32 - 1)), pa.uint32(), str),
    "long": (some(lambda i: random.randint(-(2**63), 2**63 - 1)), pa.int64(), str),
    "yes": (some(lambda i: i % 3 == 0), pa.bool_(), lambda v: str(v).lower()),
    "text": (some(lambda i: random.choice(["Köln", "a,b", '"q"', "日本"]) + str(i % 5)), pa.string(), str),
    "colour": (some(lambda i: random.choice(["red", "blue"])), pa.dictionary(pa.int8(), pa.string()), str),
    "born": (some(lambda i: dt.date(1900, 1, 1) + dt.timedelta(random.randint(0, 60000))), pa.date32(), str),
    "seen": (some(lambda i: start + dt.timedelta(milliseconds=random.randint(0, 10**12))), pa.timestamp("ms"), moment),
    "left": (
        some(lambda i: start.replace(tzinfo=dt.timezone.utc) + dt.timedelta(microseconds=random.randint(0, 10**15))),
        pa.timestamp("us", tz="UTC"),
        lambda v: moment(v, "Z"),
    ),
    "clock": (some(lambda i: dt.time(i % 24, i, 59 - i % 60)), pa.time32("ms"), str),
    "price": (some(lambda i: decimal.Decimal(random.randint(-(10**9), 10**9)).scaleb(-3)), pa.decimal128(20, 3), lambda v: format(v, "f")),
    "share": (some(lambda i: random.randint(-800, 800) / 64), pa.float64(), lambda v: repr(v).removesuffix(".0")),
    "list": ([[i] for i in range(ROWS)], None, None),
    "pair": ([{"a": i} for i in range(ROWS)], None, None),
}
table = pa.table({name: pa.array(values, kind) for name, (values, kind, _) in columns.items()})
texts = [[("" if v is None else text(v)) for v in values] for values, _, text in columns.values() if text]
with open("pyarrow.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([name for name, (_, _, text) in columns.items() if text])
    writer.writerows(zip(*texts))
pq.write_table(table, "pyarrow-1.parquet", version="1.0", row_group_size=25)
encodings = {"long": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "share": "BYTE_STREAM_SPLIT"}
pq.write_table(
    table,
    "pyarrow-2.parquet",
    data_page_version="2.0",
    compression="zstd",
    use_dictionary=["colour"],
    column_encoding=encodings,
    use_deprecated_int96_timestamps=False,
    write_page_index=True,
)
