"""What the dashboard refuses: it is asked over real connections, by whoever can reach the port."""

import socket
from itertools import count

import pytest

from learnt.errors import Refused
from learnt.surfaces.web.dashboard import PAGES
from learnt.surfaces.web.gate import HEADERS, LARGEST_BODY, PAUSE, TRIES, Keys, phrase
from tests.support.dashboards import OpenDashboard

FOREIGN = "http://localhost.attacker.example"


@pytest.mark.parametrize(
    "host", ["attacker.example", "attacker.example:{port}", "127.0.0.1", "127.0.0.1:{port}.x", ""]
)
def test_another_host_is_refused(page: OpenDashboard, host: str) -> None:
    """A name that was made to lead to this machine gets nothing, also with the cookie."""
    answered = page.ask("/", headers={"Host": host.format(port=page.port)})

    assert (421, False) == (answered.code, "Today" in answered.text)


def test_a_request_without_a_host_or_with_two_is_refused(page: OpenDashboard) -> None:
    """Neither says whom it asks."""
    head = f"GET / HTTP/1.1\r\nCookie: {page.cookie}\r\n"
    own = f"Host: 127.0.0.1:{page.port}\r\n"

    assert {"400", "421"} >= {_raw(page, head + "\r\n"), _raw(page, head + own + own + "\r\n")}


def _raw(page: OpenDashboard, text: str) -> str:
    with socket.create_connection(("127.0.0.1", page.port), timeout=10) as connection:
        connection.sendall(text.encode())
        return connection.recv(4096).decode().split(" ")[1]


@pytest.mark.parametrize("origin", [FOREIGN, "null", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_another_origin_is_refused(page: OpenDashboard, origin: str) -> None:
    """Whether it reads or writes: pages of other ports share the machine, and the cookies."""
    read = page.ask("/", headers={"Origin": origin})
    written = page.post("/review/x", {"word": "x"}, Origin=origin)

    assert [403, 403] == [read.code, written.code]


def test_a_form_without_an_origin_is_refused(page: OpenDashboard) -> None:
    """Every browser says where a form comes from."""
    assert 403 == page.post("/review/x", {"word": "x"}, Origin=None).code


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_page_asks_the_browser_for_is_refused(page: OpenDashboard, site: str) -> None:
    """Pictures, frames, scripts: the browser says that it asks for another site's page."""
    assert 403 == page.ask("/", headers={"Sec-Fetch-Site": site}).code


def test_nothing_answers_without_a_cookie_but_the_entrance(page: OpenDashboard) -> None:
    """Every route there is, what is no route, and the files that pages are made of."""
    paths = [each.path.replace("{", "").replace("}", "") for each in PAGES]
    paths += ["/live", "/static/learnt.css", "/static/theme.js", "/nowhere"]
    for cookie in (None, f"learnt_{page.port}=", f"learnt_{page.port}={'0' * 48}", "learnt=x"):
        codes = {page.ask(path, headers={"Cookie": cookie}).code for path in paths}
        posted = page.post("/review/x", {"word": "x"}, Cookie=cookie).code

        assert ({401}, 401) == (codes, posted)
    assert 401 == page.ask("/enter?token=wrong", headers={"Cookie": None}).code


def test_a_link_works_once(page: OpenDashboard) -> None:
    """Whoever finds it later, in a history or on a screen, is told how to get another."""
    token = page.keys.new_token()
    first, again = (page.ask(f"/enter?token={token}", headers={"Cookie": None}) for _ in range(2))

    assert (200, 401) == (first.code, again.code)
    assert "HttpOnly" in first.headers["set-cookie"]
    assert "samesite=strict" in first.headers["set-cookie"].lower()
    assert "set-cookie" not in again.headers and "Press Enter in the terminal" in again.text


def test_a_link_leads_nowhere_else(page: OpenDashboard) -> None:
    """Whatever is put behind it: another site's address is not followed."""
    for target in ("//attacker.example", "https://attacker.example", "/\\attacker.example"):
        assert "attacker" not in page.ask(f"/enter?to={target}").text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_another_method_is_refused(page: OpenDashboard, method: str) -> None:
    """Pages are read, and forms are sent."""
    assert 405 == page.ask("/", method).code


def test_a_page_that_changes_nothing_takes_no_form(page: OpenDashboard) -> None:
    """Only what decides has something to be sent to."""
    assert 405 == page.post("/", {"word": "x"}).code


def test_every_answer_forbids_frames_foreign_code_and_copies(page: OpenDashboard) -> None:
    """Refusals, files and pages alike."""
    answers = [
        page.ask("/"),
        page.ask("/nowhere"),
        page.ask("/static/learnt.js"),
        page.ask("/", headers={"Cookie": None}),
        page.ask("/", headers={"Host": "attacker.example"}),
    ]
    for answered in answers:
        assert HEADERS == {name: answered.headers.get(name.lower()) for name in HEADERS}
    policy = HEADERS["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    "path",
    [
        "/static/../gate.py",
        "/static/..%2fgate.py",
        "/static/%2e%2e/%2e%2e/gate.py",
        "/static//etc/passwd",
        "/static/vendor/../../gate.py",
        "/static/vendor/README.md",
        "/static/learnt.css%00.js",
    ],
)
def test_no_path_leads_out_of_the_static_files(page: OpenDashboard, path: str) -> None:
    """They are known by their names: no file is looked for."""
    assert 404 == page.ask(path).code


def test_a_body_that_is_too_large_is_refused(page: OpenDashboard) -> None:
    """Whether it says so or comes in pieces; nothing is recorded of it."""
    told = page.ask("/review/x", "POST", headers={
        "Origin": page.origin, "Content-Length": str(LARGEST_BODY + 1)
    })  # fmt: skip
    wrong = page.ask("/review/x", "POST", headers={
        "Origin": page.origin, "Content-Length": "-1"
    })  # fmt: skip

    assert (413, {400, 413} >= {wrong.code}) == (told.code, True)


def test_a_wrong_phrase_is_refused_and_waited_for() -> None:
    """The right one right after a wrong one is refused as well: guessing takes its time."""
    now = [0.0]
    keys = Keys(_Counting(), lambda: now[0])
    session = keys.session(keys.exchanged(keys.token) or "")
    assert session is not None

    with pytest.raises(Refused, match="not the phrase"):
        keys.trust(session, "lusab babad gutih")
    with pytest.raises(Refused, match="too quick"):
        keys.trust(session, keys.phrase)
    now[0] += PAUSE
    keys.trust(session, f" {keys.phrase.upper().replace(' ', '-')} ")

    assert session.trusted


def test_there_is_another_phrase_after_some_wrong_ones() -> None:
    """What was guessed at no longer counts."""
    now = [0.0]
    keys = Keys(_Counting(), lambda: now[0])
    session = keys.session(keys.exchanged(keys.token) or "")
    assert session is not None
    first = keys.phrase
    for _ in range(TRIES):
        with pytest.raises(Refused):
            keys.trust(session, "wrong")
        now[0] += PAUSE

    assert first != keys.phrase
    with pytest.raises(Refused, match="not the phrase"):
        keys.trust(session, first)


class _Counting:
    """Bytes that are different each time."""

    def __init__(self) -> None:
        self._next = count(1)

    def bytes(self, count: int) -> bytes:
        """That many of them."""
        return next(self._next).to_bytes(count, "big")


def test_a_phrase_has_a_word_for_each_two_bytes() -> None:
    """The published examples of such words."""
    assert "lusab babad" == phrase(bytes((127, 0, 0, 1)))
    assert "gutih tugad" == phrase(bytes((63, 84, 220, 193)))
