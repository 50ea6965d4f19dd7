"""An agent that posts its reports to a home's worker, as Claude Code does."""

import http.client
import json
import re
import socket
from collections.abc import Mapping
from typing import Self

from learnt.formats.agents.hook_settings import ADDRESS, path_of
from learnt.stores.doorway import Doorway, doorway
from tests.support.answers import Fired
from tests.support.homes import Home, Payload, wait_until


class Agent:
    """One kept connection; it is made anew where it was closed."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._connection = http.client.HTTPConnection(ADDRESS, self.door.port, timeout=10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    @property
    def door(self) -> Doorway:
        """Where the home says that it listens."""
        found = doorway(self.home.path)
        assert found is not None
        return found

    @property
    def headers(self) -> dict[str, str]:
        """What `init` has the client send."""
        return {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self.door.token}",
        }

    def post(
        self,
        event: str,
        payload: Payload | bytes,
        *,
        method: str = "POST",
        path: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Post an event; status and body of the answer."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        target = path or path_of(str(self.home.path), event)
        self._connection.request(method, target, body, {**self.headers, **(headers or {})})
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def told(self, event: str, payload: Payload) -> str:
        """What is put before the model."""
        status, body = self.post(event, payload)
        assert status in {200, 204}, (status, body)
        return Fired(exit_code=0, output=body, errors=b"", seconds=0).injected


def posting(home: Home) -> None:
    """Have Claude Code post to a home, whose worker is up and listens."""
    said = home.here("init", "--agent", "claude", "--transport", "http")
    assert said.exit_code == 0, said
    home.start_worker()
    wait_until(lambda: listens(home), "the worker that is posted to")


def listens(home: Home) -> bool:
    """Whether somebody listens at the home's port."""
    door = doorway(home.path)
    if door is None:
        return False
    with socket.socket() as asking:
        return asking.connect_ex((ADDRESS, door.port)) == 0


def raw(home: Home, content: bytes) -> bytes:
    """What is answered to these very bytes, until the worker is done with them."""
    door = doorway(home.path)
    assert door is not None
    with socket.create_connection((ADDRESS, door.port), timeout=10) as asking:
        asking.sendall(content)
        parts = []
        while part := asking.recv(1 << 16):
            parts.append(part)
    return re.sub(rb"\r\n\r\n.*", b"", b"".join(parts), flags=re.DOTALL)
