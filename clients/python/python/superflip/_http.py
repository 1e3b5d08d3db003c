"""Requests over HTTP, with the standard library alone."""

from __future__ import annotations

import socket
import threading
from http.client import BadStatusLine, HTTPConnection, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Mapping, Optional
from urllib.parse import urlsplit

from ._errors import SuperflipError

if TYPE_CHECKING:
    from ._client import _Prepared

# Bytes of a part of a body.
_PART = 65536
# Idle connections that are kept.
_KEPT = 8


class Transport:
    """Connections to one service. An idle one is used again."""

    def __init__(self, url: str, key: Optional[str], timeout: Optional[float], headers: Mapping[str, str]) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"`{url}` is no address of a service; expected one such as http://localhost:8080")
        self._url = url
        self._parts = parts
        self._timeout = timeout
        self._headers = dict(headers)
        if key is not None:
            self._headers["authorization"] = f"Bearer {key}"
        self._idle: List[HTTPConnection] = []
        self._lock = threading.Lock()

    def send(self, prepared: _Prepared, body: Optional[Iterable[bytes]] = None) -> Response:
        """Sends a request; its body comes in parts if `body` is given."""
        headers = {**dict(prepared.headers), **self._headers}
        target = self._parts.path.rstrip("/") + prepared.target
        try:
            while True:
                with self._lock:
                    kept = self._idle.pop() if self._idle and body is None else None
                connection = kept or self._connect()
                try:
                    if body is None:
                        connection.request(prepared.method, target, prepared.body or None, headers)
                    else:
                        _send_parts(connection, prepared.method, target, headers, body)
                    return Response(self, connection, connection.getresponse())
                except (BadStatusLine, ConnectionError):
                    connection.close()
                    # The service closes idle connections. A request on a new one failed for another reason.
                    if kept is None:
                        raise
                except BaseException:
                    connection.close()
                    raise
        except OSError as error:
            document = {"status": 503, "code": "unreachable", "detail": f"{self._url} cannot be reached: {error}"}
            raise SuperflipError(document) from error

    def _connect(self) -> HTTPConnection:
        kind: Any = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        connection: HTTPConnection = kind(self._parts.hostname, self._parts.port, timeout=self._timeout)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def keep(self, connection: HTTPConnection) -> None:
        """Keeps a connection for the next request."""
        with self._lock:
            if len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Closes idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _send_parts(connection: HTTPConnection, method: str, target: str, headers: Mapping[str, str], body: Iterable[bytes]) -> None:
    """Sends the body on a thread, because the service answers lines before it has read all of them."""
    connection.putrequest(method, target)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("transfer-encoding", "chunked")
    connection.endheaders()
    sock = connection.sock

    def run() -> None:
        waiting = b""
        try:
            for line in body:
                waiting += line
                if len(waiting) >= _PART:
                    sock.sendall(b"%x\r\n%s\r\n" % (len(waiting), waiting))
                    waiting = b""
            if waiting:
                sock.sendall(b"%x\r\n%s\r\n" % (len(waiting), waiting))
            sock.sendall(b"0\r\n\r\n")
        except OSError:
            # The response says why the service has closed the connection.
            pass
        except BaseException:
            # The caller's iterator failed: the batch cannot go on.
            sock.shutdown(socket.SHUT_RDWR)
            raise

    threading.Thread(target=run, daemon=True, name="superflip batch").start()


class Response:
    """A response. An iterator over the parts of its body."""

    def __init__(self, transport: Transport, connection: HTTPConnection, response: HTTPResponse) -> None:
        self._transport: Transport = transport
        self._connection: Optional[HTTPConnection] = connection
        self._response = response
        self.status = response.status
        self.content_type = response.getheader("content-type", "")

    def read(self) -> bytes:
        """The rest of the body."""
        body = self._response.read()
        self._done()
        return body

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        part = self._response.read1(_PART)
        if not part:
            self._done()
            raise StopIteration
        return part

    def _done(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            if self._response.will_close or not self._response.isclosed():
                connection.close()
            else:
                self._transport.keep(connection)

    def close(self) -> None:
        """Ends the request."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
