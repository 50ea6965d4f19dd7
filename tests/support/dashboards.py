"""A dashboard that really listens, in a thread of the tests, and a client that says anything."""

import http.client
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlencode

from learnt.bootstrap import opened
from learnt.core.events import Sight
from learnt.settings import Settings, load
from learnt.stores.system import SystemRandom
from learnt.surfaces.ledger_thread import Ledgers, LedgerThread
from learnt.surfaces.web.dashboard import Dashboard, bound, make_app, server_of
from learnt.surfaces.web.gate import Keys
from learnt.surfaces.web.pages import KeptQueue
from tests.support.homes import Home

SIGHT = Sight(by="terminal", traces=("terminal /dev/pts/0",))
_ITEM = re.compile(r'class="title" href="([^"]+)"')
_SEEN = re.compile(r'name="seen" value="([0-9a-f]+)"')
_WORD = re.compile(r'name="word" value="([0-9a-f]+)"')


class Answered(NamedTuple):
    """What the dashboard answered."""

    code: int
    headers: Mapping[str, str]
    text: str

    @property
    def word(self) -> str:
        """The word that goes with the forms of the page."""
        found = _WORD.search(self.text)
        assert found, self.text[:2000]
        return found[1]

    @property
    def seen(self) -> str:
        """The seal of what the page shows."""
        found = _SEEN.search(self.text)
        assert found, self.text[:2000]
        return found[1]


class OpenDashboard:
    """A running dashboard: `told` is what stands on its terminal."""

    def __init__(self, home: Home, port: int, keys: Keys, told: list[str]) -> None:
        self.home, self.port, self.keys, self.told = home, port, keys, told
        self.current = True
        self.origin = f"http://127.0.0.1:{port}"
        self.cookie = ""

    @property
    def link(self) -> str:
        """What the terminal shows, once; after Enter it shows another one."""
        if not self.keys.token:
            self.keys.new_token()
        return f"{self.origin}/enter?token={self.keys.token}"

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answered:
        """One request, as it is told; a header of None is left out."""
        usual = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie or None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {**usual, **(headers or {})}.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None and "Content-Length" not in (headers or {}):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            text = answer.read().decode()
            return Answered(answer.status, {k.lower(): v for k, v in answer.getheaders()}, text)
        finally:
            connection.close()

    def enter(self) -> Answered:
        """Open the link, and keep the cookie."""
        answered = self.ask(self.link.removeprefix(self.origin))
        self.cookie = answered.headers["set-cookie"].partition(";")[0]
        return answered

    def post(self, path: str, fields: Mapping[str, str], **headers: str | None) -> Answered:
        """Send a form as a page of the dashboard's own does."""
        usual = {
            "Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded", **headers
        }  # fmt: skip
        return self.ask(path, "POST", urlencode(fields).encode(), usual)

    def give_phrase(self) -> None:
        """Type what stands on the terminal, once."""
        word = self.keys.session(self.cookie.partition("=")[2]).word  # type: ignore[union-attr]  # it has entered
        self.post("/trust", {"word": word, "phrase": self.keys.phrase, "back": "/review"})

    def items(self) -> list[str]:
        """Where the items of the queue have their pages, in their order."""
        if not self.cookie:
            self.enter()
        return _ITEM.findall(self.ask("/review").text)

    def decide(self, path: str, choice: str, **fields: str) -> Answered:
        """Decide as a person does who gave the phrase: by the forms of the item's page."""
        shown = self.ask(path)
        given = {"word": shown.word, "seen": shown.seen, "choice": choice, **fields}
        return self.post(path, given)

    def events(self) -> int:
        """How many events the home's ledger holds."""
        return int(self.home.rows("SELECT count(*) FROM events")[0][0])


@contextmanager
def opened_dashboard(home: Home) -> Iterator[OpenDashboard]:
    """A dashboard of a home, which its terminal's person has not opened yet."""

    def settings() -> Settings:
        return load(home.environment)

    with opened(settings()):  # as the command makes a home where there is none
        pass
    listening = bound(0)
    keys, told = Keys(SystemRandom()), list[str]()
    ledgers = Ledgers(*(LedgerThread(settings, looks=True) for _ in range(2)))
    page = OpenDashboard(home, listening.getsockname()[1], keys, told)
    dashboard = Dashboard(
        ledgers=ledgers,
        keys=keys,
        port=page.port,
        folder=str(home.project),
        tell=told.append,
        sight=SIGHT,
        waiting=KeptQueue(ledgers.slow.submit),
        current=lambda: page.current,
    )
    server = server_of(make_app(dashboard))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.005)
        yield page
    finally:
        server.should_exit = True
        thread.join(10)
        ledgers.close()
        listening.close()
