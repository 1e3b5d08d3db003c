"""Counts the lengths of the solutions of a job with pandas: python3 lengths_pandas.py FOLDER_OF_THE_JOB"""

import sys
from pathlib import Path

import pandas

# pandas needs the package zstandard for these files.
files = sorted(Path(sys.argv[1]).glob("chunk-*.ndjson.zst"))
answers = pandas.concat((pandas.read_json(file, lines=True) for file in files), ignore_index=True)
print(answers.dropna(subset="solution").groupby("length").agg(cubes=("line", "size"), mean_nodes=("nodes", "mean")))
