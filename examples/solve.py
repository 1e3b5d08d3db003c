#!/usr/bin/env python3
"""Solves a cube: python3 solve.py "R U F" [http://127.0.0.1:8080]. Needs only the standard library."""

import json
import sys
import urllib.error
import urllib.request

if len(sys.argv) < 2:
    sys.exit('usage: python3 solve.py "R U F" [http://127.0.0.1:8080]')
cube = sys.argv[1]
service = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8080"
request = urllib.request.Request(
    service + "/solve",
    data=json.dumps({"cube": cube}).encode(),
    headers={"Content-Type": "application/json"},
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["solution"])
except urllib.error.HTTPError as error:
    # Every error is a problem document (RFC 9457).
    problem = json.load(error)
    sys.exit(f"{problem['code']}: {problem['detail']}")
except urllib.error.URLError as error:
    sys.exit(f"cannot reach {service}: {error.reason}; start the service with: superflip serve")
