"""As the package `kociemba`: `from superflip import kociemba` takes the place of `import kociemba`."""

from __future__ import annotations

from typing import Optional

from . import _native

# Length at which a search stops, unless fewer moves are asked for. With the tables of `tiny`, most cubes have such a solution within a
# millisecond.
_TARGET = 21
# Seconds after which a search for fewer moves than every cube needs gives up.
_LIMIT = 10.0

_solver: Optional[_native.Solver] = None


def _tiny() -> _native.Solver:
    global _solver
    if _solver is None:
        _solver = _native.Solver()
    return _solver


def solve(cubestring: str, patternstring: Optional[str] = None, max_depth: int = 24) -> str:
    """Solves a cube.

    Args:
        cubestring: 54 letters URFDLB, faces in the order U R F D L B, each row by row as seen from outside
        patternstring: cube to reach, in the same form; without it, the solved cube
        max_depth: greatest number of moves. Every cube has a solution of 20; fewer may take up to ten seconds.

    Returns:
        the moves with one space between them; empty for a solved cube

    Raises:
        ValueError: the text is no cube, the cube is impossible, or no solution has at most `max_depth` moves
    """
    cube = _native.Cube(cubestring, "facelets")
    to = None if patternstring is None else _native.Cube(patternstring, "facelets")
    limit = None if max_depth >= 20 else _LIMIT
    most = min(max_depth, 30)
    return str(_tiny().solve(cube, target_length=min(most, _TARGET), max_length=most, time_limit=limit, to=to))
