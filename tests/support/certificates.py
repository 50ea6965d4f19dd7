"""Certificates for servers of the tests, made by openssl when they are wanted."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.database_servers import SERVANT, NotHere, ServerDied, servants_folder

_DAYS = "2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificates:
    """A server's, for 127.0.0.1 and no name; who signed it, and somebody who did not."""

    authority: Path
    stranger: Path
    certificate: Path
    key: Path


@contextmanager
def certificates() -> Iterator[Certificates]:
    """Files in a folder of whoever runs the server; NotHere where nothing makes them."""
    if shutil.which("openssl") is None:
        raise NotHere("no openssl here, which makes certificates")
    with servants_folder() as folder:
        folder.chmod(0o755)
        authority, stranger = _authority(folder, "authority"), _authority(folder, "stranger")
        key, request, signed = (folder / f"server.{end}" for end in ("key", "csr", "pem"))
        _openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request,
                 "-subj", "/CN=somebody.example")  # fmt: skip
        names = folder / "names"
        names.write_text("subjectAltName = IP:127.0.0.1\n", encoding="utf-8")
        _openssl("x509", "-req", "-in", request, "-CA", authority,
                 "-CAkey", authority.with_suffix(".key"), "-CAcreateserial", "-days", _DAYS,
                 "-extfile", names, "-out", signed)  # fmt: skip
        key.chmod(0o600)
        if SERVANT is not None:
            shutil.chown(key, SERVANT)
        yield Certificates(authority=authority, stranger=stranger, certificate=signed, key=key)


def _authority(folder: Path, name: str) -> Path:
    made = folder / f"{name}.pem"
    _openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", _DAYS, "-out", made,
             "-keyout", made.with_suffix(".key"), "-subj", f"/CN={name} of the tests")  # fmt: skip
    return made


def _openssl(*words: str | Path) -> None:
    done = subprocess.run(["openssl", *words], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr[-300:].decode(errors="replace")
        raise ServerDied(f"openssl {words[0]} failed: {said}")
