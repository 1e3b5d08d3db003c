"""Errors: the problem documents of the service as exceptions."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Tuple, Type

# The access of a client, and its limits.
_NOT_INPUT = (401, 403, 408, 429)


class SuperflipError(Exception):
    """A request that has no answer.

    Attributes:
        document: the problem document of the service, with all its fields
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document: Dict[str, Any] = dict(document)
        super().__init__(self.detail)

    @property
    def code(self) -> str:
        """Kind of the problem as a stable word, such as `impossible_cube`."""
        return str(self.document.get("code", "internal"))

    @property
    def detail(self) -> str:
        """What is wrong, where, and how to mend it."""
        return str(self.document.get("detail") or self.document.get("title") or self.code)

    @property
    def status(self) -> int:
        """Status of HTTP, such as 422."""
        return int(self.document.get("status", 500))

    @property
    def violations(self) -> List[Dict[str, Any]]:
        """Every reason why the cube is impossible: `code`, `message`, `slots`, `pieces`, `stickers` (0 to 53), `kociemba`."""
        return list(self.document.get("violations") or [])

    def __reduce__(self) -> Tuple[Type[SuperflipError], Tuple[Dict[str, Any]]]:
        return type(self), (self.document,)


class InvalidInput(SuperflipError, ValueError):
    """A cube, moves or an option that cannot be used, such as an impossible cube."""


def of(document: Mapping[str, Any]) -> SuperflipError:
    """The exception for a problem document."""
    status = int(document.get("status", 500))
    is_input = 400 <= status < 500 and status not in _NOT_INPUT
    return InvalidInput(document) if is_input else SuperflipError(document)


def of_document(text: str) -> SuperflipError:
    """The exception for a problem document as JSON."""
    import json

    return of(json.loads(text))
