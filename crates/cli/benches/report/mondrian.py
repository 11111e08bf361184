"""The LM of anonypy's Mondrian partition of a table, twice: with cells as lists, and with cells as ranges.

The first line of the table has for each attribute its name and how many values it can have; a second file has
their values in the order of the hierarchy, a line each. Numbers are numbers, all else categories, as its
documentation has it. A cell costs the share of the attribute's other values that it could stand for. It
publishes categories as lists of the values that occur, and numbers as ranges. As haggle publishes boxes, a
category is a range in the order of its hierarchy, too.
"""

import csv
import sys

import pandas as pd
from anonypy.mondrian import Mondrian

path, order, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
table = pd.read_csv(path)
names = [column.split("=")[0] for column in table.columns]
domains = [int(column.split("=")[1]) for column in table.columns]
places = {name: {} for name in names}
for name, value in csv.reader(open(order, encoding="utf-8")):
    places[name][value] = len(places[name])
for column in table.columns:
    if not pd.api.types.is_numeric_dtype(table[column]):
        table[column] = table[column].astype("category")
partitions = Mondrian(table, list(table.columns)).partition(k)
as_lists = as_ranges = 0.0
for partition in partitions:
    for name, column, domain in zip(names, table.columns, domains):
        values = table[column][partition]
        at = [places[name][str(value)] for value in values.unique()]
        ranges = max(at) - min(at)
        lists = len(at) - 1 if values.dtype.name == "category" else ranges
        weight = len(partition) / max(domain - 1, 1)
        as_lists += lists * weight
        as_ranges += ranges * weight
cells = len(table) * len(domains)
print(as_lists / cells, as_ranges / cells)
