#!/usr/bin/env python3
"""A robot that notices its slips: python3 robot.py "R U F" [http://127.0.0.1:8080]. Needs only the standard library.

It scans the cube, asks for the cheapest schedule of its machine, executes it, and scans again. If the cube is not solved, it asks what went wrong,
and goes on from there. The robot is simulated: the third action of the first schedule slips, and the service turns the simulated cube.
"""

import http.client
import json
import sys
import urllib.error
import urllib.request

if len(sys.argv) < 2:
    sys.exit('usage: python3 robot.py "R U F" [http://127.0.0.1:8080]')
if len(sys.argv[1]) == 54 and sys.argv[1].isalpha():
    sys.exit("these are stickers; the simulated robot needs a scramble, such as R U F")
SERVICE = (sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8080").rstrip("/")
if not SERVICE.startswith(("http://", "https://")):
    sys.exit(f"{SERVICE} is no address of a service; expected one such as http://127.0.0.1:8080")
SOLVED = "".join(9 * face for face in "URFDLB")
# Turns the bottom layer, flips the cube forward and spins it. The costs are seconds.
ACTIONS = {
    "D": {"turn": "D", "cost": 0.8},
    "D'": {"turn": "D'", "cost": 0.8},
    "D2": {"turn": "D2", "cost": 1.6},
    "flip": {"rotates": "x'", "cost": 0.6},
    "spin": {"rotates": "y", "cost": 0.7},
    "spin back": {"rotates": "y'", "cost": 0.7},
}


def ask(path, request, field):
    """Sends a request, and returns a field of its answer. Every error is a problem document (RFC 9457)."""
    try:
        request = urllib.request.Request(SERVICE + path, json.dumps(request).encode(), {"Content-Type": "application/json"})
        try:
            response = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            answer = json.load(response)
        if response.status >= 400:
            sys.exit(f"{answer['code']}: {answer['detail']}")
        return answer[field]
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"cannot reach {SERVICE}: {getattr(error, 'reason', error)}; start the service with: superflip serve")
    except (ValueError, LookupError, TypeError):
        sys.exit(f"{SERVICE} does not answer as superflip does; check the address")


class Robot:
    """Yours moves motors and reads a camera."""

    def __init__(self, scramble):
        self.motions = [scramble]
        self.executed = 0

    def scan(self):
        """The 54 stickers, as the machine holds the cube. A centre has the letter of its place in the machine."""
        seen = ask("/convert", {"scramble": " ".join(self.motions), "to": ["facelets"]}, "forms")["facelets"]
        places = {seen[9 * face + 4]: letter for face, letter in enumerate("URFDLB")}
        return "".join(places[sticker] for sticker in seen)

    def execute(self, name):
        action = ACTIONS[name]
        self.executed += 1
        if self.executed != 3:
            self.motions.append(action.get("turn") or action["rotates"])


robot = Robot(sys.argv[1])
machine = {"start": "ready", "states": ["ready"], "actions": [{"name": name, **action} for name, action in ACTIONS.items()]}
before = robot.scan()
schedule = ask("/solve", {"facelets": before, "machine": machine}, "schedule")
for _ in range(5):
    print("schedule:", ", ".join(step["action"] for step in schedule))
    for step in schedule:
        robot.execute(step["action"])
    seen = robot.scan()
    if seen == SOLVED:
        print("solved")
        break
    request = {"facelets": before, "machine": machine, "schedule": schedule, "seen": seen}
    explanations = ask("/diagnose", request, "explanations")
    if not explanations:
        sys.exit("this cube is not explained by a few slips: solve it as it is")
    first = explanations[0]
    for slip in first["ways"][0]:
        print(f"slip: action {slip['number']}, {slip['action']}, {slip['kind']}")
    before, schedule, machine["start"] = first["facelets"], first["schedule"], first["state"]
else:
    sys.exit("the cube is not solved after five schedules")
