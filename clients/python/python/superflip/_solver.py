"""The solver in process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Optional, Tuple, Union

from . import _native

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ._native import Cube, Moves, Solution, Solutions

Folder = Union[str, "os.PathLike[str]", None]

# Bytes of a table file before its entries (docs/tables.md).
_HEADER = 4096


def require_numpy(needed_by: str) -> None:
    """Raises an error that says how to install numpy, if it is missing. The package does not depend on it."""
    try:
        import numpy as numpy
    except ModuleNotFoundError as error:
        message = f"superflip.{needed_by} needs numpy, which is not installed; install it with: python -m pip install numpy"
        raise ModuleNotFoundError(message, name=error.name) from None


class Solver:
    """Tables, and the searches that use them. Threads may share it; searches release the GIL.

    Args:
        profile: `"tiny"` (4 MB, computed in memory in 20 to 40 ms), `"small"` (49 MB) or `"standard"` (645 MB). The larger the tables, the
            faster the search. Tables of `small` and `standard` are files, which are built once if they are missing.
        folder: folder of the files; without it, the cache folder of the user, which the service uses too
        threads: threads of `solve_many`, and of the build of tables, 1 to 256; without it, one per core
        progress: whether the build of tables shows a bar of `tqdm`, if that is installed; or a function, called with the part that is
            done, 0 to 1

    Raises:
        ValueError: the profile or the number of threads does not exist
        SuperflipError: the folder cannot be read or written
    """

    def __init__(
        self,
        profile: str = "tiny",
        folder: Folder = None,
        threads: Optional[int] = None,
        progress: Union[bool, Callable[[float], Any]] = True,
    ) -> None:
        if callable(progress):
            self._native = _native.Solver(profile, folder, threads, progress)
        elif progress and profile != "tiny":
            bar = _Bar(profile)
            try:
                self._native = _native.Solver(profile, folder, threads, bar)
            finally:
                bar.close()
        else:
            self._native = _native.Solver(profile, folder, threads)

    @property
    def profile(self) -> str:
        """Name of the profile."""
        return self._native.profile

    @property
    def threads(self) -> int:
        """Number of threads of `solve_many`."""
        return self._native.threads

    def solve(
        self,
        cube: Union[str, Cube],
        *,
        target_length: int = 20,
        max_length: Optional[int] = None,
        time_limit: Optional[float] = None,
        solutions: int = 1,
        to: Union[str, Cube, None] = None,
    ) -> Solution:
        """Solves a cube. The solution was replayed on the cube.

        Args:
            cube: the cube, as an object or as a text in any form: 54 stickers, a scramble, ...
            target_length: the search ends at the first solution of at most this many moves, 0 to 30. Every cube has one of 20.
            max_length: greatest number of moves of a solution, 0 to 30; without it, any
            time_limit: seconds, after which the best solution so far is returned; without it, the search goes on
            solutions: number of distinct solutions to find, 1 to 100
            to: cube to reach instead of the solved one

        Returns:
            the solution; `str()` of it has the moves, `len()` their number

        Raises:
            InvalidInput: the text is no cube, or an impossible one (`violations`), or no solution is within `max_length`
            ValueError: an option is out of its range
        """
        return self._native.solve(
            cube, target_length=target_length, max_length=max_length, time_limit=time_limit, solutions=solutions, to=to
        )

    def solve_many(
        self,
        cubes: Iterable[Union[str, Cube]],
        *,
        target_length: int = 20,
        max_length: Optional[int] = None,
        time_limit: Optional[float] = None,
        buffersize: Optional[int] = None,
    ) -> Solutions:
        """Solves many cubes on `threads` threads. Ctrl-C ends it, and so does `close()` or dropping the iterator.

        Args:
            cubes: any iterable, also one without end. It is read on this thread while answers are taken.
            target_length: as for `solve`
            max_length: as for `solve`
            time_limit: seconds for each cube
            buffersize: greatest number of cubes that are read and not answered, 1 or more; without it, 1024 for each thread

        Returns:
            an iterator with one answer for each cube, in the order of the cubes: a `Solution`, or the exception that `solve` would raise.
            An item that is neither a text nor a cube has an `InvalidInput` too. Threads may share the iterator.

        Raises:
            TypeError: `cubes` is no iterable, or a single text
            ValueError: an option is out of its range
        """
        return self._native.solve_many(
            cubes, target_length=target_length, max_length=max_length, time_limit=time_limit, buffersize=buffersize
        )

    def scramble(self) -> Moves:
        """Draws a cube with equal probability from all that need at least two moves. Returns moves to it, at most 21."""
        return self._native.scramble()[0]

    def table(self, name: str) -> NDArray[numpy.unsignedinteger[Any]]:
        """Returns a table file as an array of rows and columns, without a copy: the file is mapped. Needs numpy.

        Entries of 2 or 4 bits are copied, one byte for each.

        Args:
            name: name of a table, such as `twist_move` (docs/tables.md lists them)

        Returns:
            array of unsigned integers of 8, 16 or 32 bits, read-only

        Raises:
            KeyError: the profile has no such table; `tiny` has no files
            ModuleNotFoundError: numpy is not installed
        """
        require_numpy("table")
        import numpy

        tables: Dict[str, Tuple[str, str, int, int, int]] = {table[0]: table for table in self._native.tables()}
        if name not in tables:
            known = ", ".join(tables) or "none; use the profile small or standard"
            raise KeyError(f"the profile {self.profile} has no table `{name}`; its tables: {known}")
        _, path, rows, columns, bits = tables[name]
        if bits >= 8:
            kind = numpy.dtype(f"u{bits // 8}")
            mapped: NDArray[numpy.unsignedinteger[Any]] = numpy.memmap(path, kind, "r", _HEADER, (rows, columns))
            return mapped
        packed: NDArray[numpy.uint8] = numpy.memmap(path, numpy.dtype("u1"), "r", _HEADER)
        shifts = numpy.arange(0, 8, bits, dtype=numpy.uint8)
        entries: NDArray[numpy.uint8] = (packed[:, None] >> shifts) & numpy.uint8((1 << bits) - 1)
        return entries.reshape(-1)[: rows * columns].reshape(rows, columns)

    def __repr__(self) -> str:
        return f"Solver({self.profile!r}, threads={self.threads})"


class _Bar:
    """A bar of `tqdm`, which appears if the work takes longer than half a second."""

    def __init__(self, name: str) -> None:
        try:
            from tqdm import tqdm
        except ImportError:
            self._bar = None
        else:
            self._bar = tqdm(total=100, desc=f"tables {name}", unit="%", leave=False, delay=0.5)

    def __call__(self, done: float) -> None:
        if self._bar is None:
            return
        percent = round(100 * done)
        # The share begins again when missing tables are built.
        if percent < self._bar.n:
            self._bar.reset()
        self._bar.update(percent - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
