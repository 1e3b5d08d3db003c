"""Solves and converts a cube with the client that openapi-python-client generates: python3 client.py "R U F" [URL]."""

import sys

from superflip_client import Client
from superflip_client.api.cubes import convert_query
from superflip_client.api.solve import solve
from superflip_client.models import Problem, SolveCubeRequest

client = Client(base_url=sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8080")
answer = solve.sync(client=client, body=SolveCubeRequest(cube=sys.argv[1], target_length=20))
if answer is None or isinstance(answer, Problem):
    sys.exit(f"{answer.code}: {answer.detail}" if answer else "no answer")
print(answer.solution)

converted = convert_query.sync(client=client, cube=sys.argv[1])
if converted is None or isinstance(converted, Problem):
    sys.exit("the cube was solved, but not converted")
print(converted.forms.facelets, file=sys.stderr)
