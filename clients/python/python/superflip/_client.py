"""The clients: every operation of the contract, in process or over HTTP."""

from __future__ import annotations

import json
from typing import Any, AsyncIterator, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, TypeVar

from ._errors import of
from ._native import Cube, Moves, Solution, request
from ._operations import AsyncOperations, Operation, Operations

T = TypeVar("T")

# Longest time in seconds for which a request in process waits for the tables of a metric.
_WAIT = 600


class _Prepared:
    """A request to send."""

    def __init__(self, operation: Operation, path: Mapping[str, Any], cube: Any, fields: Mapping[str, Any]) -> None:
        given: Dict[str, Any] = {}
        for name, value in fields.items():
            if value is not None:
                given[name[:-1] if name.endswith("_") else name] = value
        if cube is not None:
            if "cube" in given:
                raise TypeError("the cube is given twice; pass it once")
            given["cube"] = cube
        self.headers: List[Tuple[str, str]] = [("accept", operation.accept)]
        self.body = b""
        target = operation.path
        if path:
            from urllib.parse import quote

            for name, value in path.items():
                target = target.replace("{" + name + "}", quote(str(value), safe=""))
        pairs = [(name, _query(given.pop(name))) for name in operation.query if name in given]
        if pairs:
            from urllib.parse import urlencode

            target += "?" + urlencode(pairs)
        if operation.body is not None:
            self.headers.append(("content-type", operation.body))
            if operation.body == "application/json":
                self.body = _json(given).encode()
                given = {}
        if given:
            raise TypeError(f"unknown field: {', '.join(given)}")
        self.method, self.target = operation.method, target


def _query(value: Any) -> str:
    """A value in a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)


def _plain(value: Any) -> Any:
    """An object as JSON knows it."""
    if isinstance(value, (Cube, Moves, Solution)):
        return str(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent; pass a text, a number, a list, a dictionary, an array, a Cube or Moves")


def _json(value: Any) -> str:
    return json.dumps(value, default=_plain, separators=(",", ":"))


class _Local:
    """The service in this process."""

    def send(self, prepared: _Prepared, body: Optional[Iterable[bytes]] = None) -> Any:
        headers = [*prepared.headers, ("prefer", f"wait={_WAIT}")]
        whole = prepared.body if body is None else b"".join(body)
        return request(prepared.method, prepared.target, headers, whole)

    def close(self) -> None:
        pass


def _checked(response: Any) -> Any:
    """The response, if it is an answer."""
    if response.status < 400:
        return response
    text = response.read()
    if "json" not in response.content_type:
        detail = text.decode("utf-8", "replace").strip() or "no reason was given"
        raise of({"status": response.status, "code": "http", "detail": detail})
    raise of(json.loads(text))


def _decoded(response: Any) -> Any:
    body = _checked(response).read()
    kind = response.content_type
    if "json" in kind and "ndjson" not in kind:
        return json.loads(body)
    if kind.startswith("text/") or "yaml" in kind or "svg" in kind or "ndjson" in kind:
        return body.decode()
    return body


def _text_lines(response: Any) -> Iterator[str]:
    rest = b""
    try:
        for part in response:
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                yield line.decode()
        if rest:
            yield rest.decode()
    finally:
        # A loop that is left early ends the search too.
        response.close()


def _events(response: Any) -> Iterator[Tuple[str, Any]]:
    name = "message"
    for line in _text_lines(response):
        if line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            data = json.loads(line[5:])
            if name == "problem":
                raise of(data)
            yield name, data


def _answers(response: Any) -> Iterator[Any]:
    for line in _text_lines(response):
        if line.strip():
            answer = json.loads(line)
            if "problem" in answer and "line" not in answer:
                raise of(answer["problem"])
            yield answer


def _batch(lines: Iterable[Any]) -> Iterator[bytes]:
    for line in lines:
        text = str(line) if isinstance(line, (str, Cube, Moves)) else _json(line)
        yield " ".join(text.split("\n")).encode() + b"\n"


def _transport(url: Optional[str], key: Optional[str], timeout: Optional[float], headers: Mapping[str, str]) -> Any:
    if url is None:
        return _Local()
    from ._http import Transport

    return Transport(url, key, timeout, headers)


class Client(Operations):
    """A client: one method for each operation of the contract.

    `Client()` works in this process, without a port, with the tables of the profile `tiny`. `Client(url)` asks a service. Threads may share it.

    Args:
        url: address of a service, such as `"http://localhost:8080"`; without it, the service in this process
        key: API key, if the service needs one
        timeout: seconds without data after which a request over HTTP ends with an error; without it, it waits
        headers: further headers of each request over HTTP

    Fields of the body and of the query are keywords with the names of the contract; `from` is `from_`. A cube may be the first argument, in
    any form. Answers are dictionaries with the types in `superflip.types`. Streams yield pairs of an event and its data; leaving the loop
    ends the search.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        key: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._transport = _transport(url, key, timeout, headers or {})

    def close(self) -> None:
        """Closes idle connections."""
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, operation: Operation, path: Dict[str, Any], cube: Any, fields: Any) -> Any:
        return _decoded(self._transport.send(_Prepared(operation, path, cube, fields)))

    def _events(self, operation: Operation, path: Dict[str, Any], cube: Any, fields: Any) -> Any:
        return _events(_checked(self._transport.send(_Prepared(operation, path, cube, fields))))

    def _lines(self, operation: Operation, lines: Any, fields: Any) -> Any:
        return _answers(_checked(self._transport.send(_Prepared(operation, {}, None, fields), _batch(lines))))


class AsyncClient(AsyncOperations):
    """A client for asyncio: as `Client`, with coroutines and asynchronous iterators. Requests run on threads of the event loop.

    A request whose coroutine is cancelled goes on until its time limit; its answer is dropped.

    Args:
        url: address of a service; without it, the service in this process
        key: API key, if the service needs one
        timeout: seconds without data after which a request over HTTP ends with an error
        headers: further headers of each request over HTTP
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        key: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._client = Client(url, key=key, timeout=timeout, headers=headers)

    async def close(self) -> None:
        """Closes idle connections."""
        self._client.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, operation: Operation, path: Dict[str, Any], cube: Any, fields: Any) -> Any:
        return await _on_thread(lambda: self._client._call(operation, path, cube, fields))

    def _events(self, operation: Operation, path: Dict[str, Any], cube: Any, fields: Any) -> Any:
        return _each(lambda: self._client._events(operation, path, cube, fields))

    def _lines(self, operation: Operation, lines: Any, fields: Any) -> Any:
        return _each(lambda: self._client._lines(operation, lines, fields))


async def _on_thread(work: Callable[[], T]) -> T:
    import asyncio

    return await asyncio.get_running_loop().run_in_executor(None, work)


async def _each(start: Callable[[], Iterator[Any]]) -> AsyncIterator[Any]:
    """The items of an iterator, each of which is awaited on a thread."""
    iterator = await _on_thread(start)
    end = object()
    try:
        while (item := await _on_thread(lambda: next(iterator, end))) is not end:
            yield item
    finally:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()


local = Client()
"""The client of the service in this process."""
