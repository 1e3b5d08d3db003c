"""A model of the cube that shares nothing with the package: 54 stickers as points in space, and turns as rotations of a layer."""

from __future__ import annotations

from typing import Dict, List, Tuple

Vector = Tuple[int, int, int]

# x points right, y up, z to the viewer. Of each face: the direction outwards, that of its rows (downwards) and of its columns (to the right).
FACES: Dict[str, Tuple[Vector, Vector, Vector]] = {
    "U": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    "R": ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    "F": ((0, 0, 1), (0, -1, 0), (1, 0, 0)),
    "D": ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
    "L": ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    "B": ((0, 0, -1), (0, -1, 0), (-1, 0, 0)),
}


def _stickers() -> List[Tuple[Vector, Vector]]:
    """Place and direction of each sticker."""
    stickers: List[Tuple[Vector, Vector]] = []
    for out, down, right in FACES.values():
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                place = tuple(o + row * d + column * r for o, d, r in zip(out, down, right))
                stickers.append((place, out))  # type: ignore[arg-type]
    return stickers


STICKERS = _stickers()
SOLVED = "".join(face * 9 for face in FACES)


def _turned(vector: Vector, axis: Vector) -> Vector:
    """The vector after a quarter turn that is clockwise as seen against `axis`."""
    (x, y, z), (a, b, c) = vector, axis
    along = x * a + y * b + z * c
    return (y * c - z * b + along * a, z * a - x * c + along * b, x * b - y * a + along * c)


def apply(facelets: str, moves: str) -> str:
    """The stickers after moves."""
    for move in moves.split():
        axis = FACES[move[0]][0]
        for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
            after = list(facelets)
            for colour, (place, out) in zip(facelets, STICKERS):
                if sum(p * a for p, a in zip(place, axis)) == 1:
                    after[STICKERS.index((_turned(place, axis), _turned(out, axis)))] = colour
            facelets = "".join(after)
    return facelets


def solves(facelets: str, moves: str) -> bool:
    """Whether the moves solve the cube."""
    return apply(facelets, moves) == SOLVED
