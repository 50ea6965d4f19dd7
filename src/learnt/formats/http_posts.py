"""What an agent posts to the worker in place of starting a hook: requests in, answers out, by h11.

    POST /learnt_hook/<home's tag>/<event>     the body is what a command hook gets on its input
    Authorization: Bearer <the home's token>

Who may post is decided before a byte of a body is kept: no page of a browser may, and no program
that cannot read the home.
"""

import hmac
from dataclasses import dataclass
from typing import Final, NamedTuple

import h11

from learnt.formats.agents.claude_code import POSTED
from learnt.formats.agents.hook_settings import ADDRESS, path_of
from learnt.formats.wire import LARGEST_BODY

LARGEST_HEAD: Final = 16 * 1024
LARGEST_POST: Final = 64 * 1024 * 1024  # what is behind `LARGEST_BODY` is counted, not kept
DOCTOR: Final = "Doctor"  # as in the hook: asks for which home and installation it is
_STATUS: Final = {
    200: b"OK", 204: b"No Content", 400: b"Bad Request", 401: b"Unauthorized", 403: b"Forbidden",
    404: b"Not Found", 405: b"Method Not Allowed", 413: b"Content Too Large",
    415: b"Unsupported Media Type",
}  # fmt: skip
# What a browser says of itself, and no agent.
_OF_BROWSERS: Final = frozenset({b"origin", b"referer", b"sec-fetch-site", b"sec-fetch-mode"})


class BadPost(ValueError):
    """A request that is not answered; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"{status} {_STATUS[status].decode()}")
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Doorkeeper:
    """What a request must name to be let in."""

    port: int
    token: str
    home: str

    def event(self, request: h11.Request) -> str:
        """The event that a request reports. Raises BadPost where it may not."""
        given: dict[bytes, list[bytes]] = {}
        for name, value in request.headers:
            given.setdefault(name, []).append(value)
        event = request.target.decode("ascii", "replace").rpartition("/")[2]
        kind = given.get(b"content-type", [b""])[0].partition(b";")[0].strip().lower()
        wrong = {
            # A name that leads here by a trick of name servers is not the address.
            403: given.get(b"host") != [f"{ADDRESS}:{self.port}".encode()]
            or not _OF_BROWSERS.isdisjoint(given),
            401: not self._is_known(given.get(b"authorization", [])),
            404: event not in {*POSTED, DOCTOR}
            or request.target != path_of(self.home, event).encode(),
            405: request.method != b"POST",
            415: kind != b"application/json",
        }
        for status, so in wrong.items():
            if so:
                raise BadPost(status)
        return event

    def _is_known(self, given: list[bytes]) -> bool:
        wanted = f"Bearer {self.token}".encode()
        # Compared in constant time: how long it takes tells nothing of the token.
        return len(given) == 1 and hmac.compare_digest(given[0], wanted)


class Post(NamedTuple):
    """A request that was let in: `size` is its whole body's, `body` the beginning of it."""

    event: str
    body: bytes
    size: int


class Posting:
    """One connection, on which posts follow each other. It neither reads nor writes."""

    def __init__(self) -> None:
        self._link = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
        self._event, self._body, self._size = "", bytearray(), 0

    @property
    def begun(self) -> bool:
        """Whether a request has begun and is not answered yet."""
        return self._link.their_state is not h11.IDLE or bool(self._link.trailing_data[0])

    def take(self, data: bytes) -> None:
        """Take in what arrived; nothing is the end of it. Raises BadPost."""
        try:
            self._link.receive_data(data)
        except (h11.RemoteProtocolError, RuntimeError) as error:
            raise BadPost(400) from error

    def post(self, gate: Doorkeeper) -> Post | None:
        """The next post, once all of it is there. Raises BadPost where none will come."""
        while True:
            try:
                event = self._link.next_event()
            except h11.RemoteProtocolError as error:
                raise BadPost(400) from error
            if isinstance(event, h11.Request):
                self._event, self._body, self._size = gate.event(event), bytearray(), 0
            elif isinstance(event, h11.Data):
                self._size += len(event.data)
                self._body += event.data[: LARGEST_BODY - len(self._body)]
                if self._size > LARGEST_POST:
                    raise BadPost(413)
            elif isinstance(event, h11.EndOfMessage):
                return Post(self._event, bytes(self._body), self._size)
            elif isinstance(event, h11.ConnectionClosed):
                raise BadPost(400)
            else:
                return None

    def answer(self, body: bytes = b"", refused: int = 0) -> bytes:
        """The bytes of an answer; after a refusal nothing more is read."""
        status = refused or (200 if body else 204)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        if status == 204:
            headers = []
        if refused:
            headers.append((b"connection", b"close"))
        parts: tuple[h11.Response | h11.Data | h11.EndOfMessage, ...] = (
            h11.Response(status_code=status, headers=headers, reason=_STATUS[status]),
            h11.Data(data=body),
            h11.EndOfMessage(),
        )
        try:
            said = b"".join(self._link.send(part) or b"" for part in parts)
            if not refused:
                self._link.start_next_cycle()
        except h11.LocalProtocolError:  # the other side cannot be answered any more
            return b""
        return said
