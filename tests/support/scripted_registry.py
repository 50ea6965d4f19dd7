"""A registry of skills on loopback that answers as it is told to, lies included."""

import hashlib
import io
import json
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

CLEAN = {"ok": True, "decision": "pass", "reasons": [], "security": {"status": "clean"}}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


class Registry:
    """What is answered: by the end of a path, the status, headers and body."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: dict[str, list[tuple[int, dict[str, str], bytes]]] = {}
        self.asked: list[tuple[str, dict[str, list[str]]]] = []
        self.drips: dict[str, float] = {}

    def answer(
        self, path: str, body: Any, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        """The next answer to a path; the last one is given again and again."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers.setdefault(path, []).append((status, headers or {}, raw))

    def skill(
        self, slug: str, files: Mapping[str, bytes], version: str = "1.0.0", **verdict: Any
    ) -> None:
        """Publish a skill, honestly."""
        for path in (f"/skills/{slug}/verify", f"/skills/{slug}/versions/{version}", "/download"):
            self.answers[path] = []
        self.answer(f"/skills/{slug}/verify", {**CLEAN, "version": version, **verdict})
        listed = [
            {"path": path, "size": len(file), "sha256": hashlib.sha256(file).hexdigest()}
            for path, file in files.items()
        ]
        detail = {"version": {"version": version, "files": listed}}
        self.answer(f"/skills/{slug}/versions/{version}", detail)
        self.answer("/download", zipped({**files, "_meta.json": b"{}"}))


@contextmanager
def registry() -> Iterator[Registry]:
    """A registry while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            path = parts.path.removeprefix("/api/v1")
            told.asked.append((path, parse_qs(parts.query)))
            script = told.answers.get(path) or [(404, {}, b"Not found")]
            status, headers, body = script.pop(0) if len(script) > 1 else script[0]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                if pause := told.drips.get(path):
                    for byte in body:
                        self.wfile.write(bytes([byte]))
                        time.sleep(pause)
                else:
                    self.wfile.write(body)
            except OSError:
                pass  # who asked had enough

        def log_message(self, format: str, *args: Any) -> None:  # as the base has it
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told = Registry(f"http://127.0.0.1:{server.server_port}/api/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
