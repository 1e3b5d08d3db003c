"""Counts the lengths of the solutions of a job with DuckDB: python3 lengths_duckdb.py FOLDER_OF_THE_JOB"""

import sys

import duckdb

files = sys.argv[1] + "/chunk-*.ndjson.zst"
print(duckdb.sql(f"""
    SELECT length, count(*) AS cubes, avg(nodes)::BIGINT AS mean_nodes
    FROM read_json('{files}', format = 'newline_delimited', union_by_name = true)
    WHERE solution IS NOT NULL
    GROUP BY length ORDER BY length
"""))
