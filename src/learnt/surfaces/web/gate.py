"""Who is let in: whoever has the link that the terminal showed, once, and then a cookie.

Everything is refused that is not asked of this very address, by its own pages. What is asked with
POST needs the session's own word as well, and a decision the phrase that stands on the terminal.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from learnt.errors import Refused
from learnt.ports import Random

if TYPE_CHECKING:
    from learnt.flows.governance.review_choices import ReviewDone

ENTRANCE: Final = "/enter"
LARGEST_BODY: Final = 512 * 1024
MOST_SESSIONS: Final = 16
PAUSE: Final = 2.0  # seconds after a wrong phrase in which none is looked at
TRIES: Final = 5  # wrong phrases after which there is another one
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer forms would tell no origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


# The phrase is read on one screen and typed on another: easy to say, hard to guess.
_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"


def phrase(random: bytes) -> str:
    """Random bytes as words to be typed, a word for each two of them (the proquints of Wilkerson).

    >>> phrase(bytes([127, 0, 0, 1]))
    'lusab babad'
    """
    pairs = (int.from_bytes(random[at : at + 2], "big") for at in range(0, len(random) - 1, 2))
    return " ".join(map(_word, pairs))


def _word(number: int) -> str:
    shapes = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
    return "".join(letters[number >> at & len(letters) - 1] for at, letters in shapes)


def as_typed(text: str) -> str:
    """A phrase without what typing adds: blanks, hyphens and capitals.

    >>> as_typed(" Lusab-babad ")
    'lusab babad'
    """
    return " ".join(text.replace("-", " ").lower().split())


@dataclass(slots=True)
class BrowserSession:
    """A browser that was let in. `word` goes with each of its forms."""

    word: str
    trusted: bool = False  # the phrase was typed
    messages: list[str] = field(default_factory=list)  # what the next page tells first
    done: "dict[int, ReviewDone]" = field(default_factory=dict)  # what it may take back


@dataclass(slots=True)
class Keys:
    """What opens the dashboard: the link's token, the browsers that used one, and the phrase."""

    random: Random
    now: Callable[[], float] = time.monotonic
    token: str = ""
    phrase: str = ""
    _sessions: dict[str, BrowserSession] = field(default_factory=dict)
    _wrong: int = 0
    _closed_until: float = 0.0

    def __post_init__(self) -> None:
        self.new_token()
        self._new_phrase()

    def new_token(self) -> str:
        """Another token, for one browser; the one before opens nothing any more."""
        self.token = self.random.bytes(16).hex()
        return self.token

    def _new_phrase(self) -> None:
        self.phrase, self._wrong = phrase(self.random.bytes(6)), 0

    def exchanged(self, token: str) -> str | None:
        """A cookie's value for the token, which is used up by that; None for any other."""
        if not self.token or not compare_digest(token.encode(), self.token.encode()):
            return None
        self.token, cookie = "", self.random.bytes(24).hex()
        while len(self._sessions) >= MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]  # whoever came first
        self._sessions[_hash(cookie)] = BrowserSession(self.random.bytes(24).hex())
        return cookie

    def session(self, cookie: str) -> BrowserSession | None:
        """The browser that has a cookie; None where it is of nobody."""
        return self._sessions.get(_hash(cookie))

    def trust(self, session: BrowserSession, typed: str) -> None:
        """Take a browser's decisions for a person's from now on. Raises Refused, also at once."""
        if self.now() < self._closed_until:
            raise Refused("That was too quick after a wrong phrase. Wait two seconds; try again.")
        if compare_digest(as_typed(typed).encode(), self.phrase.encode()):
            session.trusted, self._wrong = True, 0
            return
        self._wrong += 1
        self._closed_until = self.now() + PAUSE
        if self._wrong >= TRIES:
            self._new_phrase()
        raise Refused("That is not the phrase on the terminal. Nothing was decided.")


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


class GatedApp:
    """The application behind its checks: it is given what comes of its own pages, with a cookie."""

    def __init__(self, within: ASGIApp, keys: Keys, port: int) -> None:
        self._within, self._keys = within, keys
        self._hosts = frozenset((f"127.0.0.1:{port}", f"localhost:{port}"))
        self.cookie = f"learnt_{port}"  # ports share cookies: each dashboard has a name of its own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        code, why = self._refusal(scope, headers)
        if not code:
            held = cookie_parser("; ".join(headers.getlist("cookie"))).get(self.cookie)
            session = None if held is None else self._keys.session(held)
            scope["state"] = {"keys": self._keys, "session": session, "cookie": self.cookie}
            if session is None and scope["path"] != ENTRANCE:
                code, why = 401, "Open the link that the terminal shows; Enter there makes another."
        answer = PlainTextResponse(f"{why}\n", code) if code else self._within
        await answer(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str]:
        """Why a request is refused whoever sends it, with the status for it; 0 where it is not."""
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return 405, "The dashboard knows GET and POST."
        if headers.getlist("host") not in ([host] for host in self._hosts):
            return 421, "This address is not the dashboard's."
        site, own = headers.get("sec-fetch-site"), f"http://{headers['host']}"
        posted = scope["method"] == "POST"
        if headers.get("origin", own if not posted else "") != own:
            return 403, "Only the dashboard's own pages may ask that."
        entering = scope["path"] == ENTRANCE and not posted
        if site not in {None, "same-origin", "none"} and not entering:
            return 403, "Only the dashboard's own pages may ask that."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return 413, "That is more than the dashboard takes. Nothing was changed."
        return 0, ""
