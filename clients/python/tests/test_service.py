"""Every operation of the contract, in process and over HTTP, and the program."""

from __future__ import annotations

import asyncio
import multiprocessing
import subprocess
import sys
from typing import Any, Dict, List

import pytest

import superflip
from model import SOLVED, apply, solves
from superflip import _operations

SCRAMBLE = "R U F D2 L B"
OPERATIONS = sorted(value for value in vars(_operations).values() if isinstance(value, _operations.Operation))
NAMES = [name.lower() for name, value in vars(_operations).items() if isinstance(value, _operations.Operation)]

# Arguments of operations that need more than a cube.
ARGUMENTS: Dict[str, Dict[str, Any]] = {
    "check_solution": {"scramble": SCRAMBLE, "solution": "B' L' D2 F' U' R'"},
    "coordinate": {"name": "twist"},
    "coordinate_apply": {"name": "twist", "value": 0, "moves": "R U"},
    "coordinate_raw": {"name": "twist"},
    "coordinate_transform": {"name": "twist", "value": 7, "symmetry": 1},
    "coordinate_value": {"name": "twist", "value": 7},
    "diagnose": {"scramble": SCRAMBLE, "moves": "R U", "seen": apply(SOLVED, SCRAMBLE + " R U")},
    "explain": {"scramble": SCRAMBLE, "solution": "B' L' D2 F' U' R'"},
    "explain_query": {"scramble": SCRAMBLE, "solution": "B' L' D2 F' U' R'"},
    "image_steps_png": {"scramble": SCRAMBLE, "solution": "B' L' D2 F' U' R'"},
    "image_steps_svg": {"scramble": SCRAMBLE, "solution": "B' L' D2 F' U' R'"},
    "move": {"move": "R"},
    "repair": {"facelets": "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"},
    "repair_query": {"facelets": "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"},
    "scramble": {},
    "solve_batch": {"lines": [SCRAMBLE, superflip.Cube("R U"), {"id": "mine", "scramble": "F2"}]},
    "solve_kociemba": {"facelets": apply(SOLVED, SCRAMBLE)},
    "solve_path": {"cube": apply(SOLVED, SCRAMBLE)},
    "steps": {"scramble": SCRAMBLE, "steps": "EO > DR > HTR > FIN"},
    "steps_query": {"scramble": SCRAMBLE, "steps": "EO > DR > HTR > FIN"},
    "steps_stream": {"scramble": SCRAMBLE, "steps": "EO > DR > HTR > FIN", "time_limit_ms": 100},
    "steps_stream_query": {"scramble": SCRAMBLE, "steps": "EO > DR > HTR > FIN", "time_limit_ms": 100},
    "symmetry_product": {"i": 3, "j": 5},
    "table": {"name": "twist_move"},
    "table_raw": {"name": "twist_move"},
    "table_row": {"name": "twist_move", "index": 0, "from_": 3},
    "table_verify": {"name": "twist_move"},
    "tnoodle_scramble": {"key": "333"},
    "tnoodle_scramble_raw": {"key": "333"},
    "tnoodle_view": {"key": "333", "format": "svg", "scramble": SCRAMBLE},
    "visualcube_php": {"alg": SCRAMBLE, "fmt": "svg"},
    "visualcube_svg": {"alg": SCRAMBLE},
}
# The tables of `tiny` are no files.
WITHOUT_ANSWER = {"table", "table_raw", "table_row", "table_verify"}


def arguments(name: str) -> Dict[str, Any]:
    """Arguments with which an operation has an answer."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    operation: _operations.Operation = getattr(_operations, name.upper())
    takes_cube = operation.body == "application/json" or "scramble" in operation.query
    return {"scramble": SCRAMBLE} if takes_cube else {}


def answer(client: superflip.Client, operation: str, /, **given: Any) -> Any:
    """The answer of an operation; streams as lists."""
    result = getattr(client, operation)(**given)
    return list(result) if hasattr(result, "__next__") else result


@pytest.fixture(params=["in process", "http"])
def client(request: pytest.FixtureRequest) -> superflip.Client:
    """A client of each transport."""
    return superflip.Client() if request.param == "in process" else superflip.Client(request.getfixturevalue("url"))


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_answers(client: superflip.Client, name: str) -> None:
    given = arguments(name)
    if name in WITHOUT_ANSWER:
        with pytest.raises(superflip.InvalidInput) as caught:
            answer(client, name, **given)
        assert caught.value.code == "unknown_table"
    elif name == "move_check":
        arrays = client.move("R")["replaced_by"]
        assert client.move_check(**arrays, convention="replaced_by", move="R")["valid_in"] == ["replaced_by"]
    elif name == "solve_twips":
        # Its definition of the puzzle has some hundred lines.
        with pytest.raises(superflip.InvalidInput, match="definition"):
            client.solve_twips(definition={}, pattern={})  # type: ignore[typeddict-item]
    else:
        assert answer(client, name, **given)


def test_solutions_and_schedules(client: superflip.Client) -> None:
    facelets = apply(SOLVED, SCRAMBLE)
    result = client.solve(facelets)
    assert solves(facelets, result["solution"]) and result["facelets"] == facelets
    costs = {face + turn: 1.5 if turn == "2" else 1.0 for face in "URFDLB" for turn in ("", "2", "'")}
    result = client.solve(facelets, costs=costs, candidates=5)
    assert solves(facelets, result["solution"]) and (result.get("cost") or 0) > 0
    schedule = result.get("schedule") or []
    assert solves(facelets, " ".join(move for step in schedule for move in step["moves"]))


def test_objects_are_sent_as_texts(client: superflip.Client) -> None:
    cube = superflip.Cube(SCRAMBLE)
    forms = client.convert(cube, to=["facelets"])["forms"]
    assert forms.get("facelets") == cube.facelets
    assert client.solve(scramble=superflip.Moves(SCRAMBLE), target=cube)["solution"] == ""
    with pytest.raises(TypeError, match="object"):
        client.solve(object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="twice"):
        client.solve(cube, cube=cube)
    with pytest.raises(TypeError, match="unknown field"):
        client.scramble(nothing=1)  # type: ignore[call-arg]


def test_streams_and_batches(client: superflip.Client) -> None:
    events = list(client.solve_stream(SCRAMBLE * 3, time_limit_ms=200))
    assert [name for name, _ in events][-1] == "result"
    lines: List[Any] = ["R U F", {"id": "mine", "scramble": "F2"}, "no cube", superflip.Cube("L")]
    answers = list(client.solve_batch(iter(lines)))
    assert [line["line"] for line in answers] == [1, 2, 3, 4]
    assert answers[0]["solution"] == "F' U' R'" and answers[1]["id"] == "mine"  # type: ignore[typeddict-item]
    assert answers[2]["problem"]["code"]  # type: ignore[typeddict-item]
    for name, _ in client.solve_stream(SCRAMBLE * 3, time_limit_ms=20_000):
        assert name
        break
    # The service still answers after a stream that was left.
    assert client.version()["version"]


def test_a_long_batch_streams(client: superflip.Client) -> None:
    answers = client.solve_batch("R U F" for _ in range(20_000))
    assert [line["line"] for line in answers if "solution" in line] == list(range(1, 20_001))


def test_errors_name_the_field(client: superflip.Client) -> None:
    with pytest.raises(superflip.InvalidInput) as caught:
        client.solve(SCRAMBLE, target_length="x")  # type: ignore[arg-type]
    assert caught.value.code == "invalid_field" and "target_length" in caught.value.detail
    with pytest.raises(superflip.InvalidInput) as caught:
        client.coordinate("noth/ing")
    assert caught.value.code == "unknown_coordinate"


def test_metrics_of_some_turns_wait_for_their_tables(client: superflip.Client) -> None:
    result = client.solve(scramble="R U R' U'", faces="RU", time_limit_ms=20_000)
    assert set(result["solution"]) <= set("RU2' ")


def test_coroutines() -> None:
    async def run() -> None:
        async with superflip.AsyncClient() as client:
            results = await asyncio.gather(*(client.solve(f"R U F{'2' * (n % 2)}") for n in range(20)))
            assert {result["solution"] for result in results} == {"F' U' R'", "F2 U' R'"}
            events = [name async for name, _ in client.solve_stream(SCRAMBLE * 3, time_limit_ms=100)]
            assert events[-1] == "result"
            answers = [line async for line in client.solve_batch(["R", "U"])]
            assert len(answers) == 2
            with pytest.raises(superflip.InvalidInput):
                await client.solve("R Q")

    asyncio.run(run())


def test_a_service_that_is_not_there() -> None:
    with pytest.raises(superflip.SuperflipError, match="cannot be reached") as caught:
        superflip.Client("http://127.0.0.1:9").version()
    assert caught.value.code == "unreachable"
    with pytest.raises(ValueError, match="no address"):
        superflip.Client("ftp://somewhere")


def _solution(scramble: str) -> str:
    return superflip.local.solve(scramble)["solution"]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_a_service_of_its_own() -> None:
    assert _solution("R U") == "U' R'"
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_solution, ["R U", "F2", "L"]).get(60) == ["U' R'", "F2", "L'"]


def program(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "superflip", *arguments], capture_output=True, text=True, timeout=120, **options)


def test_the_program() -> None:
    solved = program("solve", "--profile", "tiny", "R U F")
    assert (solved.returncode, solved.stdout) == (0, "F' U' R'\n")
    wrong = program("solve", "--profile", "tiny", "R Q")
    assert wrong.returncode == 2 and "found `Q`" in wrong.stderr
    assert program("nothing").returncode == 2
    assert program("--version").stdout.startswith("superflip 0.")
    batch = program("solve", "--profile", "tiny", "--batch", "-", input="R U F\nF2\n")
    assert (batch.returncode, batch.stdout) == (0, "F' U' R'\nF2\n")


def test_functions_of_the_package() -> None:
    assert set(superflip.__all__) <= set(dir(superflip))
    assert all(callable(getattr(superflip, name)) or name in ("kociemba", "local") for name in superflip.__all__)
    assert superflip.image("R U F").startswith("<svg ") and superflip.image_png("R U F").startswith(b"\x89PNG")
    with pytest.raises(AttributeError, match="nothing"):
        getattr(superflip, "nothing")
    # A first answer does not wait for the methods of the clients.
    script = "import sys, superflip; superflip.solve('R U F'); sys.exit('superflip._operations' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0
