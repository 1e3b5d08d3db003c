#!/usr/bin/env python3
"""Solves a cube: python3 solve.py "R U F" [http://127.0.0.1:8080]. Needs only the standard library."""

import http.client
import json
import sys
import urllib.error
import urllib.request

if len(sys.argv) < 2:
    sys.exit('usage: python3 solve.py "R U F" [http://127.0.0.1:8080]')
cube = sys.argv[1]
service = (sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8080").rstrip("/")
if not service.startswith(("http://", "https://")):
    sys.exit(f"{service} is no address of a service; expected one such as http://127.0.0.1:8080")
try:
    request = urllib.request.Request(
        service + "/solve",
        data=json.dumps({"cube": cube}).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        answer = json.load(response)
    if response.status >= 400:
        # Every error is a problem document (RFC 9457).
        sys.exit(f"{answer['code']}: {answer['detail']}")
    solution = answer["solution"]
except (OSError, http.client.HTTPException) as error:
    sys.exit(f"cannot reach {service}: {getattr(error, 'reason', error)}; start the service with: superflip serve")
except (ValueError, LookupError, TypeError):
    sys.exit(f"{service} does not answer as superflip does; check the address")
print(solution)
