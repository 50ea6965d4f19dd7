"""What a server on this machine's own address does with clients that say nothing."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_WITHIN: Final = 5.0  # seconds for the head of a request


class PromptClients(H11Protocol):
    """Closes a connection without a whole request's head: silent ones would take every place."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_WITHIN, self._close_idle)

    def data_received(self, data: bytes) -> None:
        """Read on; what is no whole head yet has to become one in time."""
        super().data_received(data)
        if self._idle():
            self.loop.call_later(HEAD_WITHIN, self._close_idle)

    def _idle(self) -> bool:
        cycle: Any = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete

    def _close_idle(self) -> None:
        if self._idle() and not self.transport.is_closing():
            self.transport.close()
