"""Solves Rubik's cubes.

`solve(cube)` returns moves, as the package `kociemba` does. `Solver` has larger tables and `solve_many`. `Client` has every operation of
the service superflip: in this process with `Client()`, or over HTTP with `Client(url)`. The functions below that are named as an
operation are those of the client in this process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Union

from . import _native, kociemba
from ._errors import InvalidInput, SuperflipError
from ._native import Cube, Moves, Solution
from ._solver import Folder, Solver, require_numpy

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from . import types as types
    from ._client import AsyncClient, Client, local

__all__ = [
    "AsyncClient",
    "Client",
    "Cube",
    "InvalidInput",
    "Moves",
    "Solution",
    "Solver",
    "SuperflipError",
    "check_solution",
    "convert",
    "coordinate",
    "coords",
    "diagnose",
    "explain",
    "image",
    "image_png",
    "kociemba",
    "local",
    "read_colors",
    "repair",
    "scramble",
    "solve",
    "steps",
    "table",
]


def solve(
    cube: Union[str, Cube, None] = None,
    patternstring: Union[str, Cube, None] = None,
    max_depth: int = 24,
    *,
    colors: Any = None,
    channel_order: Literal["rgb", "bgr"] = "rgb",
) -> str:
    """Solves a cube with the tables of `tiny`, as `kociemba.solve` does; here the cube may have any form.

    Args:
        cube: the cube, as an object or as a text: 54 stickers in any colours, a scramble, ...
        patternstring: cube to reach instead of the solved one
        max_depth: greatest number of moves, 0 or more. Every cube has a solution of 20; fewer may take up to ten seconds.
        colors: 54 colour samples instead of a cube, as `read_colors` takes them
        channel_order: order of their channels, `"rgb"` or `"bgr"`

    Returns:
        the moves with one space between them; empty for a solved cube

    Raises:
        InvalidInput: a ValueError. The text is no cube, the cube is impossible (`violations` has all reasons), or no solution has at most
            `max_depth` moves
        ValueError: `max_depth` is negative
    """
    if colors is not None:
        if cube is not None:
            raise TypeError("the cube is given twice; pass `cube` or `colors`")
        cube = read_colors(colors, channel_order)
    elif cube is None:
        raise TypeError("expected a cube, such as 54 stickers or a scramble")
    to = None if patternstring is None else _cube("patternstring", patternstring)
    most = kociemba._depth(max_depth)  # pyright: ignore[reportPrivateUsage]
    limit = None if most >= 20 else kociemba._LIMIT  # pyright: ignore[reportPrivateUsage]
    solver = kociemba._tiny()  # pyright: ignore[reportPrivateUsage]
    target = min(most, kociemba._TARGET)  # pyright: ignore[reportPrivateUsage]
    return str(solver.solve(_cube("cube", cube), target_length=target, max_length=most, time_limit=limit, to=to))


def _cube(name: str, given: object) -> Cube:
    """The cube of an argument."""
    if not isinstance(given, (str, Cube)):
        raise TypeError(f"`{name}` must be a str or a superflip.Cube, not {type(given).__name__}")
    if isinstance(given, str) and not given.strip():
        # The empty scramble is the solved cube, but an empty text is more likely a mistake.
        detail = f"`{name}` is empty; expected a cube in any form, such as 54 stickers or a scramble."
        raise InvalidInput({"status": 422, "code": "unreadable_cube", "detail": detail})
    return Cube(given)


def read_colors(colors: Any, channel_order: Literal["rgb", "bgr"] = "rgb") -> Cube:
    """Returns the most likely legal cube for 54 colour samples of a camera.

    Args:
        colors: array or lists of 54 x 3 numbers from 0 to 255, faces in the order U R F D L B, each row by row; or of 6 x 3 x 3 x 3
        channel_order: `"rgb"`, or `"bgr"` as OpenCV has them

    Raises:
        InvalidInput: the colours do not decide between several cubes (`ambiguous_scan`), or are no samples
    """
    from ._client import local

    answer = local.convert(colors=colors, channel_order=channel_order, to=["facelets"])
    return Cube(str(answer["forms"].get("facelets")), "facelets")


def scramble() -> Moves:
    """Returns a random-state scramble of at most 21 moves: each cube that needs at least two moves is equally likely.

    `local.scramble` has kinds, subsets, seeds and more.
    """
    return _native.Solver().scramble()[0]


def table(name: str, profile: str = "small", folder: Folder = None) -> NDArray[numpy.unsignedinteger[Any]]:
    """Returns a table of the solver as an array, as `Solver.table`. Tables that are missing are built.

    Args:
        name: name of a table, such as `"twist_move"`
        profile: `"small"` or `"standard"`
        folder: folder of the tables; without it, the cache folder of the user

    Raises:
        KeyError: the profile has no such table
        ModuleNotFoundError: numpy is not installed
    """
    require_numpy("table")  # before tables are built
    return Solver(profile, folder).table(name)


def coordinate(name: str) -> NDArray[numpy.uint8]:
    """Returns the distances of all values of a coordinate from solved, as an array of bytes without a copy. Needs numpy.

    Args:
        name: a coordinate, such as `"twist"`, or a composed one, such as `"comp(twist,flip)"`

    Returns:
        read-only array: the least number of moves for each value, or 255 where no cube has the value

    Raises:
        InvalidInput: there is no such coordinate
        ModuleNotFoundError: numpy is not installed
    """
    require_numpy("coordinate")
    import numpy

    from ._client import local

    return numpy.frombuffer(local.coordinate_raw(name), numpy.uint8, offset=4096)


if TYPE_CHECKING:
    convert = local.convert
    check_solution = local.check_solution
    coords = local.coords
    diagnose = local.diagnose
    explain = local.explain
    image = local.image_svg
    image_png = local.image_png
    repair = local.repair
    steps = local.steps
else:
    # The methods of the clients are many. `solve` does not wait for them.
    _CLIENTS = ("AsyncClient", "Client", "local")
    _METHODS = {name: name for name in ("convert", "check_solution", "coords", "diagnose", "explain", "image_png", "repair", "steps")}
    _METHODS["image"] = "image_svg"

    def __getattr__(name: str) -> Any:
        if name not in _CLIENTS and name not in _METHODS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import _client

        value = getattr(_client, name) if name in _CLIENTS else getattr(_client.local, _METHODS[name])
        globals()[name] = value
        return value

    def __dir__() -> List[str]:
        return sorted({*globals(), *__all__})
