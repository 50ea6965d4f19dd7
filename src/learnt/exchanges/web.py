"""What is read from the web: encrypted on the way, so many bytes, within so many seconds."""

import ipaddress
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPMessage
from typing import Any, Final
from urllib.parse import urlsplit

from learnt.errors import EnvironmentTrouble, NotFound, Refused

SECONDS: Final = 30.0
PATIENCE: Final = 20.0  # seconds that a server may ask to wait, once
_LARGEST: Final = 50_000_000


def local(url: str) -> bool:
    """Whether an address is of this machine."""
    with suppress(ValueError):
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    return False


def safe_address(url: str) -> str:
    """The address, if it is encrypted or of this machine. Raises Refused for any other."""
    with suppress(ValueError):
        parts = urlsplit(url)
        if (parts.scheme == "https" and parts.hostname) or (parts.scheme == "http" and local(url)):
            return url
    raise Refused(f"{url[:200]!r} is no https address. Nothing was fetched.")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows to addresses that could have been asked in the first place."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        return super().redirect_request(req, fp, code, msg, headers, safe_address(newurl))


_OPENER: Final = urllib.request.build_opener(_Redirects)


def read(
    url: str,
    *,
    seconds: float = SECONDS,
    largest: int = _LARGEST,
    wait: Callable[[float], None] | None = time.sleep,
) -> bytes:
    """The body of an answer; a server that asks to `wait` is asked once more.

    Raises NotFound, Refused for what is withheld or too large, EnvironmentTrouble.
    """
    host, until = urlsplit(safe_address(url)).netloc, time.monotonic() + seconds
    try:
        with _OPENER.open(url, timeout=seconds) as answer:
            body = bytearray()
            while block := answer.read1(65_536):
                body += block
                if len(body) > largest:
                    raise Refused(f"{host} sent more than {largest // 1_000_000} MB.")
                if time.monotonic() > until:
                    raise TimeoutError("it sends too slowly")
            return bytes(body)
    except urllib.error.HTTPError as error:
        with error:
            said = error.read1(300).decode("utf-8", "replace").strip()
        if error.code == 404:
            raise NotFound(f"{host} has nothing of that name.") from error
        if error.code in {403, 410, 451}:
            raise Refused(f"{host} withholds it ({error.code}): {said}") from error
        pause = error.headers.get("Retry-After") or ""
        brief = pause.isdigit() and int(pause) <= PATIENCE
        if not (error.code in {429, 503} and brief and wait):
            later = f"; it asks to wait {pause[:30]} seconds" if pause else ""
            message = (
                f"{host} answered {error.code}{later}: {said.rstrip('.')}. Nothing was installed."
            )
            raise EnvironmentTrouble(message) from error
    except (OSError, ValueError) as error:
        message = f"{host} cannot be read: {error}. Nothing was installed."
        raise EnvironmentTrouble(message) from error
    wait(float(pause))
    return read(url, seconds=seconds, largest=largest, wait=None)
