"""As the package `kociemba`: `from superflip import kociemba` takes the place of `import kociemba`."""

from __future__ import annotations

from operator import index
from typing import Optional

from . import _native
from ._errors import InvalidInput

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


def _facelets(name: str, text: object) -> _native.Cube:
    """The cube of an argument."""
    if not isinstance(text, str):
        raise TypeError(f"`{name}` must be a str of 54 letters, not {type(text).__name__}")
    if not text.strip():
        detail = f"`{name}` is empty; expected 54 letters URFDLB: the faces in the order U R F D L B, each row by row."
        raise InvalidInput({"status": 422, "code": "unreadable_cube", "detail": detail})
    try:
        return _native.Cube(text, "facelets")
    except InvalidInput as error:
        if not _is_cube(text):
            raise
        detail = f"`{name}` must be 54 letters URFDLB; it is a cube in another form, which `superflip.solve` reads."
        raise InvalidInput({**error.document, "detail": detail}) from None


def _is_cube(text: str) -> bool:
    """Whether the text is a cube in any form."""
    try:
        return bool(_native.Cube(text))
    except InvalidInput:
        return False


def _depth(max_depth: int) -> int:
    """The greatest number of moves that a search accepts for this `max_depth`."""
    most = index(max_depth)
    if most < 0:
        raise ValueError(f"`max_depth` must be 0 or more, not {most}; every cube has a solution of 20 moves")
    return min(most, 30)


def solve(cubestring: str, patternstring: Optional[str] = None, max_depth: int = 24) -> str:
    """Solves a cube.

    Args:
        cubestring: 54 letters URFDLB, faces in the order U R F D L B, each row by row as seen from outside
        patternstring: cube to reach, in the same form; without it, the solved cube
        max_depth: greatest number of moves, 0 or more. Every cube has a solution of 20; fewer may take up to ten seconds.

    Returns:
        the moves with one space between them; empty for a solved cube

    Raises:
        ValueError: the text is no cube, the cube is impossible, no solution has at most `max_depth` moves, or `max_depth` is negative
    """
    cube = _facelets("cubestring", cubestring)
    to = None if patternstring is None else _facelets("patternstring", patternstring)
    most = _depth(max_depth)
    limit = None if most >= 20 else _LIMIT
    return str(_tiny().solve(cube, target_length=min(most, _TARGET), max_length=most, time_limit=limit, to=to))
