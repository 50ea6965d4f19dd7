"""A server on loopback that runs while it is entered, and says nothing of what it is asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Loopback(ThreadingHTTPServer):
    """Its handler is the caller's."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class QuietHandler(BaseHTTPRequestHandler):
    """Keeps the test output quiet."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def body(self) -> dict[str, Any]:
        """The JSON that was sent."""
        size = int(self.headers.get("content-length") or 0)
        given: dict[str, Any] = json.loads(self.rfile.read(size) or b"{}")
        return given
