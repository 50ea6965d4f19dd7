"""A server on this machine's own address, whose silent clients cost the others nothing."""

import asyncio
import socket
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

HOST: Final = "127.0.0.1"
MOST_CONNECTIONS: Final = 64  # as many at once are told to come again


class PromptClients(H11Protocol):
    """Who is silent longest gives way to the next: else silent ones would take every place."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Make room for it, where connections without a whole request's head have taken it."""
        super().connection_made(transport)
        self._since, most = self.loop.time(), MOST_CONNECTIONS - 1
        others = [each for each in self.connections if isinstance(each, PromptClients)]
        silent = sorted((o for o in others if o._idle() and o is not self), key=lambda o: o._since)
        for each in silent[: max(0, len(others) - most)]:
            each.transport.close()

    def _idle(self) -> bool:
        cycle: Any = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete


def bound(port: int) -> socket.socket:
    """A socket of this machine alone. Raises OSError where the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(MOST_CONNECTIONS)  # a client may be quicker than the server's start
    except OSError:
        listening.close()
        raise
    return listening


def server_of(app: ASGIApp, **more: Any) -> uvicorn.Server:
    """The server of an application, which trusts nothing that its clients say of themselves."""
    config = uvicorn.Config(
        app, loop="asyncio", http=PromptClients, ws="none", access_log=False, server_header=False,
        proxy_headers=False, limit_concurrency=MOST_CONNECTIONS, **more,
    )  # fmt: skip
    return uvicorn.Server(config)
