"""Uses the service with the client that openapi-python-client generates: python3 client.py "R U F" [URL].

The environment variable API_KEY is the API key, if the service requires one.
"""

import json
import os
import sys

from superflip_client import AuthenticatedClient, Client
from superflip_client.api.cubes import convert_query
from superflip_client.api.pictures import image_png
from superflip_client.api.solve import solve
from superflip_client.api.tables import table_raw
from superflip_client.models import BatchCubeLine, BatchSolution, Problem, SolveCubeRequest
from superflip_client.types import File

cube = sys.argv[1]
url = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8080"
key = os.environ.get("API_KEY")
client = AuthenticatedClient(base_url=url, token=key) if key else Client(base_url=url)

answer = solve.sync(client=client, body=SolveCubeRequest(cube=cube, target_length=20))
if answer is None or isinstance(answer, Problem):
    sys.exit(f"{answer.code}: {answer.detail}" if answer else "no answer")
print(answer.solution)

converted = convert_query.sync(client=client, cube=cube)
if converted is None or isinstance(converted, Problem):
    sys.exit("the cube was solved, but not converted")
print(converted.forms.facelets, file=sys.stderr)

# Bodies that are not text are files.
picture = image_png.sync(client=client, cube=cube)
table = table_raw.sync("twist_move", client=client)
if not isinstance(picture, File) or not picture.payload.read().startswith(b"\x89PNG"):
    sys.exit("the picture is no PNG file")
if not isinstance(table, File) or len(table.payload.read()) <= 4096:
    sys.exit("the table is no file")

# The generated function returns all lines at once. The HTTP client below it reads each line as it arrives.
lines = "\n".join(json.dumps(BatchCubeLine(cube=text).to_dict()) for text in (cube, "F2 B2"))
headers = {"content-type": "application/x-ndjson"}
with client.get_httpx_client().stream("POST", "/solve/batch", content=lines, headers=headers) as response:
    response.raise_for_status()
    solutions = [BatchSolution.from_dict(json.loads(line)).solution for line in response.iter_lines()]
if len(solutions) != 2 or solutions[0] != answer.solution:
    sys.exit(f"the batch has other solutions: {solutions}")
