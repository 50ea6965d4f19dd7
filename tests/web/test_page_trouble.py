"""What goes wrong under an open page: each is a page that says what to do, and nothing is lost."""

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import learnt
from tests.support.dashboards import OpenDashboard, opened_dashboard
from tests.support.homes import Home, wait_until
from tests.support.waiting import candidate

UPGRADED = """
import json, os, sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import learnt
from learnt.surfaces.open_home import code_on_disk

file, before = Path(sys.argv[2]), code_on_disk()
found = [before is not None and Path(learnt.__file__) == file]
text = file.read_text("utf-8")
os.utime(file, (1, 1))
found.append(code_on_disk() == before)
file.write_text(text.replace(learnt.__version__, "9.9.9"), "utf-8")
found.append(code_on_disk() is None)
file.unlink()
print(json.dumps([*found, code_on_disk() is None]))
"""


@pytest.fixture
def page(home: Home) -> Iterator[OpenDashboard]:
    """A dashboard of a home in which a candidate waits; its person gave the phrase."""
    candidate(home)
    with opened_dashboard(home) as opened:
        opened.enter()
        opened.give_phrase()
        yield opened


def test_a_home_that_was_removed_is_not_made_anew(page: OpenDashboard) -> None:
    """The page says so; put back, it is shown again."""
    [path] = page.items()
    shown = page.ask(path)
    aside = page.home.folder / "aside"
    shutil.move(page.home.path, aside)
    given = {"word": shown.word, "seen": shown.seen, "choice": "accept"}
    gone, decided = page.ask("/review"), page.post(path, given)

    assert (503, 503) == (gone.code, decided.code)
    assert "the home was moved or removed" in gone.text
    assert not (page.home.path / "ledger.db").exists()
    shutil.rmtree(page.home.path, ignore_errors=True)
    shutil.move(aside, page.home.path)
    assert [path] == page.items()


def test_a_home_whose_texts_were_purged_is_shown_as_it_is(page: OpenDashboard) -> None:
    """What waited is gone, and its page says so."""
    [path] = page.items()
    assert 0 == page.home.purge("--everything").exit_code

    assert [] == page.items()
    assert 404 == page.ask(path).code
    assert "Traceback" not in page.ask("/").text and 200 == page.ask("/").code


def test_a_ledger_of_a_newer_learnt_is_said(page: OpenDashboard) -> None:
    """Another Learnt upgraded the home meanwhile: nothing is read as if nothing had happened."""
    page.items()
    with closing(sqlite3.connect(page.home.path / "ledger.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
    answered = page.ask("/review")

    assert 503 == answered.code
    assert "Upgrade Learnt" in answered.text


def test_a_learnt_that_was_upgraded_is_said(page: OpenDashboard) -> None:
    """Its own files are others by now: it is to be started again, and decides nothing more."""
    [path] = page.items()
    shown, before = page.ask(path), page.events()
    page.current = False
    given = {"word": shown.word, "seen": shown.seen, "choice": "accept"}
    answers = [page.ask("/"), page.ask("/review"), page.post(path, given)]

    assert [503] * 3 == [each.code for each in answers]
    assert all("start it again" in each.text for each in answers)
    assert before == page.events()


def test_an_upgrades_files_are_told_apart(tmp_path: Path) -> None:
    """Another version, or the same one written again; without files nothing is ours."""
    there = shutil.copytree(Path(learnt.__file__).parent, tmp_path / "learnt") / "__init__.py"
    words = [sys.executable, "-I", "-c", UPGRADED, str(tmp_path), str(there)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True)

    assert [True, False, True, True] == json.loads(done.stdout)


def test_a_damaged_ledger_is_said_and_left_as_it_is(page: OpenDashboard) -> None:
    """No traceback, and what to do."""
    page.items()
    path = page.home.path / "ledger.db"
    for journal in ("ledger.db-wal", "ledger.db-shm"):
        (page.home.path / journal).unlink(missing_ok=True)
    broken = b"not a database" * 1000
    path.unlink()
    path.write_bytes(broken)
    answered = page.ask("/review")

    assert 503 == answered.code
    assert "learnt doctor" in answered.text and "Traceback" not in answered.text
    assert broken == path.read_bytes()


def test_a_home_put_in_the_place_of_another_is_shown(page: OpenDashboard) -> None:
    """Removed and begun again while the page was open: it is the new one that is read."""
    [old] = page.items()
    shutil.rmtree(page.home.path)
    page.home.install()
    candidate(page.home, "db7 listens on 6432, not 5432: a pool")

    [new] = page.items()
    assert new != old


def test_slow_clients_hold_up_nobody(page: OpenDashboard) -> None:
    """They send half a request, or a form byte by byte: the next browser is served all the same."""
    slow = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(20)]
    head = f"POST /trust HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nCookie: {page.cookie}\r\n"
    head += f"Origin: {page.origin}\r\nContent-Length: 100\r\n\r\n"
    try:
        for number, each in enumerate(slow):
            each.sendall((head if number % 2 else "GET / HT").encode())
        started = time.monotonic()
        assert 200 == page.ask("/review").code
        assert 5 > time.monotonic() - started
    finally:
        for each in slow:
            each.close()


def test_silent_clients_cost_others_nothing(page: OpenDashboard) -> None:
    """More than there is room for, some with half a head: a browser is served at once."""
    silent = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(80)]
    try:
        for each in silent[::2]:
            with suppress(OSError):  # it gave way
                each.sendall(b"GET / HT")
        assert [200] * 5 == [page.ask("/review").code for _ in range(5)]
    finally:
        for each in silent:
            each.close()


def test_a_browser_hears_that_something_was_recorded(page: OpenDashboard) -> None:
    """Server-sent events: that there is something new, and nothing of what it is."""
    heard: list[str] = []
    place = urlsplit(page.origin)
    with socket.create_connection((place.hostname, place.port), timeout=20) as listening:
        head = f"GET /live HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {page.cookie}\r\n\r\n"
        listening.sendall(head.encode())

        def listen() -> None:
            while part := listening.recv(4096):
                heard.append(part.decode())

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        wait_until(lambda: "retry" in "".join(heard), "the stream's beginning")
        candidate(page.home, "db7 listens on 6432, not 5432: a pool")
        wait_until(lambda: "event: changed" in "".join(heard), "the news")
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(10)

    assert "db7" not in "".join(heard)
