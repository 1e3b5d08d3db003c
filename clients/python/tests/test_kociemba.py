"""Ten short programs in the style of those that import kociemba. Each has one other line: its import."""

from __future__ import annotations

import contextlib
import io
import re
from typing import List

import pytest

import superflip
from model import SOLVED, apply, solves

CUBE = "DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBD"
WRONG = "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"

# Each prints the moves for CUBE in its last line.
PROGRAMS = {
    "the first line of the manual": f"""
import superflip as kociemba
print(kociemba.solve('{CUBE}'))
""",
    "a module": f"""
from superflip import kociemba
print(kociemba.solve('{CUBE}'))
""",
    "one function": f"""
from superflip.kociemba import solve
print(solve('{CUBE}'))
""",
    "a count of moves": f"""
import superflip as kociemba
solution = kociemba.solve('{CUBE}')
moves = solution.split(' ')
print(len(moves), 'moves')
print(*moves)
""",
    "an error of a scan": f"""
import superflip as kociemba
try:
    kociemba.solve('{WRONG}')
except ValueError as error:
    print('scan again:', error)
print(kociemba.solve('{CUBE}'))
""",
    "an error of any kind": f"""
import superflip as kociemba
def solve(state):
    try:
        return kociemba.solve(state)
    except Exception:
        return None
assert solve('{WRONG}') is None and solve('') is None
print(solve('{CUBE}'))
""",
    "commands for motors": f"""
import superflip as kociemba
commands = {{'U': 0, 'R': 1, 'F': 2, 'D': 3, 'L': 4, 'B': 5}}
sent = []
for move in kociemba.solve('{CUBE}').split():
    turns = 3 if move.endswith("'") else 2 if move.endswith('2') else 1
    sent += [(commands[move[0]], turns)]
print(' '.join('URFDLB'[motor] + ['', '2', "'"][turns - 1] for motor, turns in sent))
""",
    "colours as a dictionary of faces": f"""
import superflip as kociemba
text = '{CUBE}'
state = {{face: list(text[9 * n:9 * n + 9]) for n, face in enumerate('URFDLB')}}
cube = ''.join(''.join(state[face]) for face in 'URFDLB')
result = kociemba.solve(cube)
assert isinstance(result, str)
print(result.strip())
""",
    "colour names": f"""
import superflip as kociemba
names = {{'U': 'white', 'R': 'red', 'F': 'green', 'D': 'yellow', 'L': 'orange', 'B': 'blue'}}
scan = [names[letter] for letter in '{CUBE}']
sign = {{colour: letter for letter, colour in names.items()}}
print(kociemba.solve(''.join(sign[colour] for colour in scan)))
""",
    "a limit of the moves": f"""
import superflip as kociemba
for depth in range(22, 25):
    solution = kociemba.solve('{CUBE}', max_depth=depth)
    assert len(solution.split()) <= depth
print(solution)
""",
}


def printed(source: str) -> List[str]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(source, "program", "exec"), {"__name__": "__main__"})
    return output.getvalue().splitlines()


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    last = printed(PROGRAMS[name])[-1]
    assert re.fullmatch(r"([URFDLB][2']? ?)+", last) and solves(CUBE, last) and len(last.split()) <= 24


def test_arguments_are_those_of_kociemba() -> None:
    kociemba = superflip.kociemba
    pattern = apply(SOLVED, "R2 L2 U2 D2 F2 B2")
    assert apply(CUBE, kociemba.solve(CUBE, pattern)) == pattern
    assert apply(CUBE, kociemba.solve(cubestring=CUBE, patternstring=pattern, max_depth=23)) == pattern
    assert len(kociemba.solve(CUBE, max_depth=20).split()) <= 20
    assert kociemba.solve(SOLVED) == ""
    near = apply(SOLVED, "R U F")
    assert kociemba.solve(near, max_depth=3) == "F' U' R'"
    with pytest.raises(ValueError):
        kociemba.solve(near, max_depth=2)
    for arguments, name in ((("R U F",), "cubestring"), ((CUBE, "R U F"), "patternstring")):
        with pytest.raises(superflip.InvalidInput, match=f"^`{name}` must be 54 letters URFDLB; .* `superflip.solve` reads") as caught:
            kociemba.solve(*arguments)
        assert "name that form" not in str(caught.value) and caught.value.code == "impossible_cube"
    for arguments, name in ((("",), "cubestring"), ((CUBE, " "), "patternstring")):
        with pytest.raises(superflip.InvalidInput, match=f"^`{name}` is empty; expected 54 letters URFDLB: ") as caught:
            kociemba.solve(*arguments)
        assert caught.value.code == "unreadable_cube"
