"""The LM of anonypy's Mondrian partition of a table.

The first line of the table has for each attribute its name and how many values it can have. Numbers are
numbers, all else categories, as its documentation has it. A cell costs the share of the attribute's other values
that it could stand for: of a category the values listed, of a number those between the ends that occur at all.
"""

import sys

import pandas as pd
from anonypy.mondrian import Mondrian

path, k = sys.argv[1], int(sys.argv[2])
table = pd.read_csv(path)
domains = [int(column.split("=")[1]) for column in table.columns]
for column in table.columns:
    if not pd.api.types.is_numeric_dtype(table[column]):
        table[column] = table[column].astype("category")
partitions = Mondrian(table, list(table.columns)).partition(k)
known = {column: sorted(table[column].unique()) for column in table.columns}
lost = 0.0
for partition in partitions:
    for column, domain in zip(table.columns, domains):
        values = table[column][partition]
        if values.dtype.name == "category":
            could_be = values.nunique()
        else:
            could_be = sum(values.min() <= value <= values.max() for value in known[column])
        lost += (could_be - 1) / max(domain - 1, 1) * len(partition)
print(lost / len(table) / len(domains))
