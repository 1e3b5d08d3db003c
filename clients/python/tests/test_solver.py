"""The solver in process: solutions, errors, many cubes, threads and Ctrl-C."""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest

import superflip
from model import SOLVED, apply, solves

SCRAMBLE = "R2 U' F L2 D B' R U2 F2 L"
TWISTED = "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"


def cubes(count: int, seed: int = 7) -> List[str]:
    """Cubes after random moves of the model."""
    draw = random.Random(seed)
    moves = [face + turns for face in "URFDLB" for turns in ("", "2", "'")]
    return [apply(SOLVED, " ".join(draw.choice(moves) for _ in range(30))) for _ in range(count)]


def test_solutions_solve_the_model() -> None:
    for facelets in cubes(50):
        moves = superflip.solve(facelets)
        assert type(moves) is str and solves(facelets, moves) and len(moves.split()) <= 24


def test_solve_reads_every_form() -> None:
    cube = superflip.Cube(SCRAMBLE)
    assert cube.facelets == apply(SOLVED, SCRAMBLE)
    for name, text in cube.forms().items():
        assert superflip.Cube(text, name) == cube, name
        assert solves(cube.facelets, superflip.solve(superflip.Cube(text, name)))
    assert solves(cube.facelets, superflip.solve(SCRAMBLE))


def test_solve_leads_to_a_pattern() -> None:
    first, second = cubes(2)
    assert apply(first, superflip.solve(first, second)) == second


def test_an_empty_cube_is_refused() -> None:
    for arguments, name in ((("",), "cube"), ((SCRAMBLE, ""), "patternstring"), ((SCRAMBLE, " \n"), "patternstring")):
        with pytest.raises(superflip.InvalidInput, match=f"^`{name}` is empty; expected a cube in any form, ") as caught:
            superflip.solve(*arguments)
        assert caught.value.code == "unreadable_cube"


def test_half_a_character_is_no_cube_and_no_move() -> None:
    text, solver = "R U \ud800", superflip.Solver()
    calls: List[Tuple[Callable[[], Any], str, str]] = [
        (lambda: superflip.solve(text), "unreadable_cube", "a cube in any form"),
        (lambda: superflip.solve(SCRAMBLE, text), "unreadable_cube", "a cube in any form"),
        (lambda: superflip.kociemba.solve(text), "unreadable_cube", "a cube in any form"),
        (lambda: solver.solve(text), "unreadable_cube", "a cube in any form"),
        (lambda: superflip.Moves(text), "notation", "moves, such as R U2 F'"),
        (lambda: superflip.Cube().apply(text), "notation", "moves, such as R U2 F'"),
    ]
    for call, code, expected in calls:
        with pytest.raises(superflip.InvalidInput) as caught:
            call()
        assert caught.value.code == code
        assert str(caught.value).startswith(f"The text has a lone surrogate at index 4, half of a character; expected {expected}")


def test_impossible_cubes_have_violations() -> None:
    with pytest.raises(superflip.InvalidInput, match="corner") as caught:
        superflip.solve(TWISTED)
    error = caught.value
    assert isinstance(error, ValueError) and error.code == "impossible_cube" and error.status == 422
    assert [violation["code"] for violation in error.violations] == ["corner_twist"]
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.detail, again.violations) == (error.code, error.detail, error.violations)


@pytest.mark.parametrize("text", ["", "R Q", "U" * 53, "U" * 54, SOLVED.replace("B", "U"), "\0", "é" * 54, "\ud800"])
def test_bad_cubes_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError):
        superflip.kociemba.solve(text)
    with pytest.raises(ValueError):
        superflip.Cube(text, "facelets")


@pytest.mark.parametrize(
    "options",
    [
        *({name: value} for name in ("target_length", "max_length") for value in (-1, 31, 256, 1 << 70)),
        *({"time_limit": value} for value in (0.0, -1.0, float("nan"), float("inf"))),
        *({"solutions": value} for value in (-1, 0, 101)),
    ],
)
def test_options_out_of_range_are_value_errors(options: Any) -> None:
    (name,) = options
    with pytest.raises(ValueError, match=f"`{name}` must be "):
        superflip.Solver().solve(SCRAMBLE, **options)


def test_the_time_limit_is_finite() -> None:
    for seconds in (float("inf"), float("-inf")):
        with pytest.raises(ValueError, match=f"^`time_limit` must be a finite number of seconds above 0, not {seconds}; without it, "):
            superflip.Solver().solve(SCRAMBLE, time_limit=seconds)
    for seconds in (1e300, 1e-300):
        assert solves(apply(SOLVED, "R"), str(superflip.Solver().solve("R", time_limit=seconds)))


@pytest.mark.parametrize("max_depth", [-1, -(1 << 70)])
@pytest.mark.parametrize("solve", [superflip.solve, superflip.kociemba.solve])
def test_a_negative_depth_is_a_value_error(solve: Any, max_depth: int) -> None:
    with pytest.raises(ValueError, match="`max_depth` must be 0 or more"):
        solve(SOLVED, max_depth=max_depth)
    assert solve(SOLVED, max_depth=1 << 70) == ""


@pytest.mark.parametrize("value", [5, None, b"R U F", ["R"], 1.5])
def test_errors_of_types_name_the_types_that_are_accepted(value: Any) -> None:
    name = type(value).__name__
    cube, solver = f"expected a cube as a str or a superflip.Cube, not {name}", superflip.Solver()
    calls: List[Tuple[Callable[[], Any], str]] = [
        (lambda: solver.solve(value), cube),
        (lambda: superflip.Cube().apply(value), f"expected moves as a str or superflip.Moves, not {name}"),
        (lambda: superflip.kociemba.solve(value), f"`cubestring` must be a str of 54 letters, not {name}"),
    ]
    if value is not None:
        calls += [
            (lambda: solver.solve(SOLVED, to=value), cube),
            (lambda: superflip.Cube(value), cube),
            (lambda: superflip.solve(value), f"`cube` must be a str or a superflip.Cube, not {name}"),
            (lambda: superflip.solve(SOLVED, value), f"`patternstring` must be a str or a superflip.Cube, not {name}"),
            (lambda: superflip.kociemba.solve(SOLVED, value), f"`patternstring` must be a str of 54 letters, not {name}"),
        ]
    for call, message in calls:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == message


def test_options_of_a_solver() -> None:
    for profile, threads in (("huge", 1), ("tiny", 0), ("tiny", 257), ("tiny", -1)):
        with pytest.raises(ValueError):
            superflip.Solver(profile, threads=threads)
    with pytest.raises(TypeError):
        superflip.Solver().solve(5)  # type: ignore[arg-type]


def test_a_solution_tells_how_it_was_found() -> None:
    solution = superflip.Solver().solve("R U F", solutions=2, target_length=5)
    assert (str(solution), solution.length, len(solution), solution.is_optimal) == ("F' U' R'", 3, 3, True)
    assert list(solution.moves) == ["F'", "U'", "R'"] and solution.moves.inverse() == superflip.Moves("R U F")
    assert len(solution.all) == 2 and all(solves(apply(SOLVED, "R U F"), str(moves)) for moves in solution.all)
    with pytest.raises(superflip.InvalidInput) as caught:
        superflip.Solver().solve("R U F", max_length=2)
    assert caught.value.code == "no_solution_within_limits"


def test_cubes_are_values() -> None:
    cube = superflip.Cube(SCRAMBLE)
    assert cube * cube.inverse() == superflip.Cube() == superflip.Cube(SOLVED) and superflip.Cube().is_solved
    assert cube.apply(superflip.Moves(SCRAMBLE).inverse()).is_solved and not cube.is_solved
    assert superflip.Cube.from_cubies(*cube.cubies) == cube and pickle.loads(pickle.dumps(cube)) == cube
    assert {cube: 1}[superflip.Cube(cube.facelets)] == 1 and eval(repr(cube), {"Cube": superflip.Cube}) == cube
    assert cube._repr_svg_().startswith("<svg ") and cube.svg() != superflip.Cube().svg()
    assert superflip.Cube.random() != superflip.Cube.random()
    with pytest.raises(ValueError, match="reid"):
        cube.to_form("nothing")


def test_moves_are_values() -> None:
    moves = superflip.Moves("R U2 R'")
    assert (len(moves), moves[1], moves[-1], str(moves.inverse())) == (3, "U2", "R'", "R U2 R'")
    assert (moves.length("qtm"), str(moves + "F"), pickle.loads(pickle.dumps(moves))) == (4, "R U2 R' F", moves)
    for index in (3, -4):
        with pytest.raises(IndexError):
            moves[index]
    with pytest.raises(superflip.InvalidInput):
        superflip.Moves("R Q")


def test_scrambles_lead_to_cubes() -> None:
    scrambles = [superflip.scramble() for _ in range(20)]
    assert len(set(scrambles)) == 20 and all(2 <= len(moves) <= 21 for moves in scrambles)


def test_many_answers_have_the_order_of_the_cubes() -> None:
    given = cubes(300)
    given[100], given[200] = TWISTED, "no cube"
    answers = list(superflip.Solver(threads=3).solve_many(iter(given)))
    assert len(answers) == len(given)
    for number, (facelets, answer) in enumerate(zip(given, answers)):
        if number in (100, 200):
            assert isinstance(answer, superflip.InvalidInput)
        else:
            assert isinstance(answer, superflip.Solution) and solves(facelets, str(answer)) and len(answer) <= 20


def test_many_reads_only_what_it_needs() -> None:
    read = 0

    def endless() -> Any:
        nonlocal read
        for facelets in itertools.cycle(cubes(5)):
            read += 1
            yield facelets

    answers = superflip.Solver(threads=2).solve_many(endless(), buffersize=10)
    for count in range(1, 100):
        next(answers)
        assert read <= count + 10
    answers.close()
    assert list(answers) == []


def test_many_ends_with_a_cycle_that_is_collected() -> None:
    class Feed:
        answers: Any = None

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> str:
            return "R"

    feed = Feed()
    feed.answers = superflip.Solver(threads=2).solve_many(feed)
    next(feed.answers)
    is_left = weakref.ref(feed)
    del feed
    gc.collect()
    assert is_left() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_many_says_that_a_fork_has_no_answers() -> None:
    answers = superflip.Solver(threads=2).solve_many(itertools.repeat("R"))
    next(answers)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        try:
            with pytest.raises(RuntimeError, match="belong to the process"):
                next(answers)
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert str(next(answers)) == "R'"


def test_many_raises_the_error_of_its_iterable_after_the_answers() -> None:
    def failing() -> Any:
        yield "R"
        yield "U"
        raise OSError("no more")

    answers = superflip.Solver().solve_many(failing())
    assert [str(next(answers)), str(next(answers))] == ["R'", "U'"]
    with pytest.raises(OSError, match="no more"):
        next(answers)


def test_many_goes_on_after_an_item_of_another_type() -> None:
    given: Any = ["R", None, 5, b"R", superflip.Cube("U"), ["R"], "\ud800", "F"]
    answers: List[Any] = list(superflip.Solver().solve_many(given, buffersize=3))
    assert [str(answer) for answer in answers if isinstance(answer, superflip.Solution)] == ["R'", "U'", "F'"]
    for at, name in ((1, "NoneType"), (2, "int"), (3, "bytes"), (5, "list")):
        assert isinstance(answers[at], superflip.InvalidInput) and answers[at].code == "unreadable_cube"
        assert f"expected a cube as a str or a superflip.Cube, not {name}" in str(answers[at]), answers[at]
    assert isinstance(answers[6], superflip.InvalidInput) and answers[6].code == "unreadable_cube"
    assert str(answers[6]).startswith("The text has a lone surrogate at index 0")


@pytest.mark.parametrize("cubes", ["R U", b"R U", superflip.Cube(), 5, None])
def test_many_refuses_what_is_no_iterable_of_cubes(cubes: Any) -> None:
    with pytest.raises(TypeError, match=f"`cubes` must be an iterable of cubes, such as a list, not {type(cubes).__name__}"):
        superflip.Solver().solve_many(cubes)
    for buffersize in (-1, 0, 1 << 70, sys.maxsize + 1):
        with pytest.raises(ValueError, match=f"^`buffersize` must be from 1 to {sys.maxsize}$"):
            superflip.Solver().solve_many(["R"], buffersize=buffersize)
    assert len(list(superflip.Solver().solve_many(["R"], buffersize=sys.maxsize))) == 1


def test_many_raises_the_error_of_an_iterable_that_does_not_begin() -> None:
    class Broken:
        def __iter__(self) -> Any:
            raise TypeError("the file is not open")

    class NoIterator:
        def __iter__(self) -> Any:
            return 5

    class Sequence:
        def __getitem__(self, index: int) -> str:
            return ("R", "U")[index]

    given: Any
    for given, message in ((Broken(), "^the file is not open$"), (NoIterator(), "non-iterator of type 'int'")):
        with pytest.raises(TypeError, match=message):
            superflip.Solver().solve_many(given)
    given = Sequence()
    assert [str(answer) for answer in superflip.Solver().solve_many(given)] == ["R'", "U'"]


@pytest.mark.parametrize("buffersize", [1, 7, 1000])
def test_threads_share_the_answers(buffersize: int) -> None:
    given = cubes(300)
    answers = superflip.Solver(threads=2).solve_many(iter(given), buffersize=buffersize)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [str(answer) for answer in answers], range(4)))
    # Each thread has its part in the order of the cubes, and together they have all.
    expected = [str(answer) for answer in superflip.Solver().solve_many(given)]
    assert sorted(itertools.chain(*found)) == sorted(expected)
    for own in found:
        rest = iter(expected)
        assert all(answer in rest for answer in own)


def test_another_thread_ends_many() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def waiting() -> Any:
        yield "R"
        begun.set()
        go_on.wait()
        yield "U"

    answers = superflip.Solver().solve_many(waiting())
    with ThreadPoolExecutor(1) as pool:
        taken = pool.submit(list, answers)
        begun.wait()
        answers.close()
        go_on.set()
    assert taken.result() == [] and list(answers) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a process")
def test_control_c_ends_a_wait_for_the_iterable_of_another_thread() -> None:
    program = """
import os, signal, threading, superflip
signal.signal(signal.SIGINT, signal.default_int_handler)
begun, go_on = threading.Event(), threading.Event()
def waiting():
    yield "R"
    begun.set()
    go_on.wait()
answers = superflip.Solver().solve_many(waiting())
thread = threading.Thread(target=list, args=(answers,))
thread.start()
begun.wait()
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    next(answers)
except KeyboardInterrupt:
    print("interrupted")
go_on.set()
thread.join()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "interrupted\n", ended


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_exit_in_the_iterable_is_raised_at_once(error: Any) -> None:
    def ending() -> Any:
        yield from cubes(20)
        raise error

    answers = superflip.Solver().solve_many(ending())
    with pytest.raises(error):
        next(answers)
    assert list(answers) == []


def test_an_iterable_that_fails_after_the_end_frees_what_it_has() -> None:
    class Freed:
        def __del__(self) -> None:
            answers.close()
            freed.set()

    def failing() -> Any:
        held = Freed()
        yield "R"
        answers.close()
        raise ValueError(held)

    freed = threading.Event()
    answers = superflip.Solver().solve_many(failing())
    assert list(answers) == [] and freed.is_set()


def test_an_iterable_cannot_take_its_own_answers() -> None:
    def asking() -> Any:
        yield "R"
        next(answers)

    answers = superflip.Solver().solve_many(asking())
    assert str(next(answers)) == "R'"
    with pytest.raises(RuntimeError, match="`cubes` takes an answer of the call that reads it"):
        next(answers)
    assert list(answers) == []


def test_searches_release_the_lock_of_the_interpreter() -> None:
    # The search has no solution of 0 moves, so that it uses its whole time.
    solver, cube, begun = superflip.Solver(), superflip.Cube(cubes(1)[0]), threading.Event()

    def run() -> None:
        begun.set()
        solver.solve(cube, target_length=0, time_limit=1.0)

    search = threading.Thread(target=run)
    search.start()
    begun.wait()
    steps = 0
    while search.is_alive():
        steps += 1
    assert steps > 50_000


def test_threads_share_a_solver() -> None:
    solver, given = superflip.Solver(), cubes(60)
    found: List[List[str]] = [[] for _ in range(4)]

    def run(own: List[str]) -> None:
        own.extend(str(solver.solve(facelets)) for facelets in given)

    threads = [threading.Thread(target=run, args=(own,)) for own in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(solves(facelets, moves) for own in found for facelets, moves in zip(given, own)) and len(found[3]) == 60


STOPPED = {
    "answers": "for a in superflip.Solver().solve_many(itertools.cycle(['R U F'])): print('on', flush=True)",
    "solve_many": "print('on', flush=True); list(superflip.Solver().solve_many(itertools.cycle(['R U F D2 L B R U F D2 L B R2']), target_length=0))",
    "solve": "print('on', flush=True); superflip.Solver().solve('R U F D2 L B R U F D2 L B R2', target_length=0, solutions=100)",
    "service": "print('on', flush=True); superflip.local.solve('UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB', target_length=0, time_limit_ms=600000)",
}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a process")
@pytest.mark.parametrize("name", STOPPED)
def test_ctrl_c_ends_the_work(name: str) -> None:
    # Shells have programs in the background ignore the signal.
    handled = "import itertools, signal, superflip\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{handled}\ntry:\n    {STOPPED[name]}\nexcept KeyboardInterrupt:\n    raise SystemExit(7)"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None and process.stdout.readline() == b"on\n"
        # The work is in the native module by then.
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 7


def test_colours_of_a_camera() -> None:
    numpy = pytest.importorskip("numpy")
    rgb = {"U": (250, 250, 245), "R": (200, 20, 30), "F": (20, 160, 60), "D": (250, 220, 30), "L": (250, 120, 20), "B": (20, 50, 170)}
    draw = numpy.random.default_rng(5)
    for facelets in cubes(5):
        samples = numpy.array([rgb[letter] for letter in facelets]) + draw.integers(-5, 6, (54, 3))
        assert superflip.read_colors(samples).facelets == facelets
        assert solves(facelets, superflip.solve(colors=samples.astype(numpy.uint8)))
        assert superflip.read_colors(samples[:, ::-1], "bgr").facelets == facelets
        assert superflip.read_colors(samples.reshape(6, 3, 3, 3)).facelets == facelets
    with pytest.raises(superflip.InvalidInput):
        superflip.read_colors(numpy.zeros((53, 3)))


def test_tables_are_arrays(tables: Path) -> None:
    numpy = pytest.importorskip("numpy")
    done: List[float] = []
    solver = superflip.Solver("small", folder=tables, progress=done.append)
    assert done and all(0 <= part <= 1 for part in done)
    twists = solver.table("twist_move")
    assert twists.shape == (2187, 18) and twists[0, 6] == 1236 and isinstance(twists, numpy.memmap)
    # Each move permutes the values, and a quarter turn has the order four.
    assert all(sorted(twists[:, move]) == list(range(2187)) for move in range(18))
    u = twists[:, 3]
    assert (u[u[u[u]]] == numpy.arange(2187)).all() and not (u == numpy.arange(2187)).all()
    assert superflip.table("twist_move", folder=tables).shape == (2187, 18)
    assert solves(cubes(1)[0], str(solver.solve(cubes(1)[0]))) and solver.profile == "small"
    with pytest.raises(KeyError, match="twist_move"):
        solver.table("nothing")
    distances = superflip.coordinate("twist")
    assert distances.shape == (2187,) and distances[0] == 0 and not distances.flags.owndata
    # Breadth-first search over the table finds the same distances.
    found = numpy.full(2187, 255, numpy.uint8)
    found[0], layer, depth = 0, {0}, 0
    while layer:
        depth += 1
        layer = {int(value) for value in twists[sorted(layer)].ravel() if found[value] == 255}
        found[sorted(layer)] = depth
    assert (found == distances).all()


def test_numpy_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    solver = superflip.Solver()
    calls: List[Tuple[Callable[[], Any], str]] = [
        (lambda: superflip.table("twist_move", folder=tmp_path), "table"),
        (lambda: solver.table("twist_move"), "table"),
        (lambda: superflip.coordinate("twist"), "coordinate"),
    ]
    for call, name in calls:
        with pytest.raises(ModuleNotFoundError, match=f"^superflip.{name} needs numpy, .* python -m pip install numpy$"):
            call()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    with pytest.raises(superflip.SuperflipError, match="file"):
        superflip.Solver("small", folder=file)
