#!/usr/bin/env python3
"""Writes the example machines. Run it in this folder after a change; README.md explains the machines and cites their figures."""

import json
from itertools import product

QUARTERS = {1: "", 2: "2", 3: "'"}
AXES = ["UD", "RL", "FB"]


def write(name, start, states, actions):
    lines = ",\n".join("    " + json.dumps({k: v for k, v in action.items() if v is not None}) for action in actions)
    head = f'"start": {json.dumps(start)},\n  "states": {json.dumps(states)},\n  "actions": [\n'
    with open(f"{name}.json", "w", encoding="utf-8") as file:
        file.write("{\n  " + head + lines + "\n  ]\n}\n")


def action(name=None, cost=0.0, turn=None, start=None, to=None, rotates=None):
    return {"name": name, "turn": turn, "from": start, "to": to, "cost": round(cost, 6), "rotates": rotates}


def cubotino():
    """The holder stands at home, or a quarter turn to either side. With the cover closed it turns the bottom layer, else the cube."""
    places = {"ccw": -1, "home": 0, "cw": 1}
    actions = [action("flip", 0.6, rotates="x'")]
    for (start, a), (to, b) in product(places.items(), repeat=2):
        quarters = b - a
        if quarters == 0:
            continue
        # Clockwise as seen from below: as D, and with the whole cube as y'.
        turn = {1: "D", 2: "D2", -1: "D'", -2: "D2"}[quarters]
        spin = {1: "y'", 2: "y2", -1: "y", -2: "y2"}[quarters]
        actions.append(action("rotate to " + to, 0.8 * abs(quarters), turn, start, to))
        actions.append(action("spin to " + to, 0.7 * abs(quarters), None, start, to, spin))
    write("cubotino", "home", list(places), actions)


def four_grippers():
    """Grippers at R, L, F and B. A state names those that stand turned by a quarter; neighbours of a turned gripper cannot turn."""
    turn, grip, swing = 0.83, 0.25, 0.5
    regrip = grip + swing + grip
    # The quarter turn of the face when the gripper swings from its rest. Equal swings of opposite grippers rotate the cube.
    out = {"R": 1, "L": 3, "F": 1, "B": 3}
    states = ["rest"] + [state for first, second in ("RL", "FB") for state in (first, second, first + second)]
    actions = []

    def turned(state):
        return set() if state == "rest" else set(state)

    def named(grippers):
        return next(state for state in states if turned(state) == grippers)

    for first, second in ("RL", "FB"):
        pair = {first, second}
        possible = [state for state in states if turned(state) <= pair]
        for state in possible:
            is_turned = turned(state)
            options = {}
            for gripper in pair:
                quarter = out[gripper] if gripper not in is_turned else 4 - out[gripper]
                # A quarter turn swings the gripper. It swings back in between if the turn needs the other direction, or is a half turn.
                options[gripper] = [(0, 0.0, False), (quarter, turn, True), (4 - quarter, regrip + turn, False), (2, 2 * turn + regrip, True)]
            for one, other in product(options[first], options[second]):
                if one[0] == other[0] == 0:
                    continue
                after = is_turned ^ {gripper for gripper, option in ((first, one), (second, other)) if option[2]}
                text = " ".join(face + QUARTERS[option[0]] for face, option in ((first, one), (second, other)) if option[0])
                # Two grippers work side by side.
                actions.append(action(None, max(one[1], other[1]), text, state, named(after)))
            for grippers in ({first}, {second}, pair):
                name = "regrip " + "".join(sorted(grippers, reverse=True))
                actions.append(action(name, regrip, None, state, named(is_turned ^ grippers)))
            if is_turned in (set(), pair):
                rotation = {"R": "x", "F": "z"}[first] + ("" if not is_turned else "'")
                actions.append(action("rotate the cube", grip + swing + grip, None, state, named(is_turned ^ pair), rotation))
    write("four-grippers", "rest", states, actions)


def five_faces():
    """Motors at U, R, F, D and L. A half turn takes half as long again as a quarter turn."""
    turns = [face + QUARTERS[q] for face in "URFDL" for q in (1, 2, 3)]
    write("five-faces", "ready", ["ready"], [action(None, 1.5 if "2" in turn else 1.0, turn) for turn in turns])


# Medians of recorded solves, in seconds: by class of corner cutting, for a quarter and for a half turn before it.
CUT_TIMES = [
    (0.035955, 0.099009), (0.033935, 0.097030), (0.048991, 0.097102), (0.063999, 0.119924), (0.051987, 0.096058), (0.054960, 0.115000),
    (0.036313, 0.094055), (0.047990, 0.114982), (0.060986, 0.121102), (0.064990, 0.127500), (0.051465, 0.120040),
]
END_TIMES = {False: (0.061178, 0.131306), True: (0.072073, 0.139895)}


def squidcuber():
    """Six faces, opposite ones at once. A turn begins before the last one ends, as early as the directions of both allow."""
    # A turn is a list of (half, clockwise) of one face, or of two opposite ones.
    kinds = [[face] for face in product((False, True), repeat=2)] + [list(p) for p in product(product((False, True), repeat=2), repeat=2)]

    def half(turn):
        return any(is_half for is_half, _ in turn)

    def state(turn):
        directions = "".join("+" if clock else "-" for clock in sorted({clock for _, clock in turn}, reverse=True))
        return ("2" if half(turn) else "1") + directions + ("a" if len(turn) == 2 else "")

    def cut(before, after, is_inverted=False):
        """The class, 0 to 10, as in `cut` of control.py."""
        if len(before) == 2 and len(after) == 1:
            return cut(after, before, True) + 1
        if len(before) == 2 and len(after) == 2:
            return 8 + max(cut(before, [face]) for face in after) // 2 - 1
        clock = before[0][1]
        if len(after) == 1:
            return 0 if clock != after[0][1] else 1
        (half_1, clock_1), (half_2, clock_2) = after
        if not is_inverted and half_1 != half_2:
            return 0 if (clock_1 if half_1 else clock_2) != clock else 1
        if clock_1 == clock_2:
            return 2 if clock_1 != clock else 6
        return 4

    examples = {}
    for turn in kinds:
        examples.setdefault(state(turn), turn)
    states = ["start"] + list(examples)
    actions = []

    def add(turn, faces):
        text = " ".join(face + ("2" if is_half else "" if clock else "'") for face, (is_half, clock) in zip(faces, turn))
        ways = "".join("+" if clock else "-" for is_half, clock in turn if is_half)
        name = f"{text} {ways}" if ways else None
        end = END_TIMES[len(turn) == 2][half(turn)]
        actions.append(action(name, end, text, "start", state(turn)))
        by_cost = {}
        for before, example in examples.items():
            # The time until the last turn ends is that of the last one, so each turn adds the difference.
            cost = CUT_TIMES[cut(example, turn)][half(example)] - END_TIMES[len(example) == 2][half(example)] + end
            by_cost.setdefault(round(cost, 6), []).append(before)
        for cost, names in by_cost.items():
            actions.append(action(name, cost, text, names if len(names) > 1 else names[0], state(turn)))

    for axis in AXES:
        for turn in kinds:
            if len(turn) == 2:
                add(turn, axis)
            else:
                for face in axis:
                    add(turn, face)
    write("squidcuber", "start", states, actions)


cubotino()
four_grippers()
five_faces()
squidcuber()
