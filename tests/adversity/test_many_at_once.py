"""Many writers at once: each fact that somebody asks to remember is saved."""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.support.homes import LEARNT, Home
from tests.support.mcp_client import served

THINGS = (
    "t_order.amount holds cents, t_invoice.amount whole euros",
    "t_user.phone is encrypted; search by t_user.phone_hash",
    "t_room.room_no repeats across hotels; join on (hotel_id, room_no)",
    "t_coupon.state V is voided by the shop, X by the customer; join t_void for the reason",
    "ledger_line.booked_at is in UTC, ledger_line.due_on is a local day",
    "t_film.rating is NULL for films of before 1968; count them as G",
    "branch 17 stores its stock in t_stock_legacy, the others in t_stock",
    "t_session.token_hash is salted with t_tenant.salt",
    "warehouse.bin codes are aisle, rack and shelf, joined by dots",
    "t_mail.sent = 2 means that the provider bounced it",
)


def test_ten_people_who_remember_at_once_are_all_heard(home: Home) -> None:
    """Ten commands start at the same moment; each saves its fact and says so."""

    def remember(text: str) -> subprocess.CompletedProcess[str]:
        command = [str(LEARNT), "remember", text]
        return subprocess.run(
            command,
            env=home.environment,
            cwd=home.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    with ThreadPoolExecutor(len(THINGS)) as pool:
        done = list(pool.map(remember, THINGS))
    assert [(0, "")] * 10 == [(each.returncode, each.stderr) for each in done]
    saved = home.rows("SELECT DISTINCT text FROM contents WHERE kind = 'fact'")
    assert set(THINGS) == {text for (text,) in saved}


@pytest.mark.slow
def test_five_servers_save_fifty_offers_at_once(home: Home) -> None:
    """Five agents offer ten facts each, all of one matter: none is refused because others write."""
    facts = [
        f"t_order_{number}.amount holds cents, t_invoice_{number}.amount whole euros"
        for number in range(50)
    ]
    with ExitStack() as servers, ThreadPoolExecutor(5) as pool:
        agents = [servers.enter_context(served(home)) for _ in range(5)]

        def offer(number: int) -> list[bool]:
            mine = facts[number * 10 : number * 10 + 10]
            return [
                agents[number]("propose", text=text, kind="schema", entities=["amount"]).failed
                for text in mine
            ]

        failed = [one for many in pool.map(offer, range(5)) for one in many]
    assert [False] * 50 == failed
    saved = home.rows("SELECT DISTINCT text FROM contents WHERE kind = 'fact'")
    assert set(facts) == {text for (text,) in saved}


@pytest.mark.slow
def test_ten_sessions_at_once_are_answered(home: Home) -> None:
    """A prompt a second in each for ten seconds, each prompt in a session of its own."""
    problem, approach = "the ledger of t_invoice does not add up", "sum t_invoice.cents alone"
    home.typed("remember", "--problem", problem, "--approach", approach)
    home.start_worker()
    began = time.monotonic()

    def session(place: int) -> list[float]:
        waited = []
        for second in range(10):
            time.sleep(max(0.0, began + second + place / 10 - time.monotonic()))
            fired = home.prompt(f"why does {problem}?", f"s{place}-{second}")
            waited.append(fired.seconds if approach.encode() in fired.output else 60)
        return waited

    with ThreadPoolExecutor(10) as pool:
        waited = [each for many in pool.map(session, range(10)) for each in many]
    assert sum(seconds <= 1 for seconds in waited) >= 97, sorted(waited)[-5:]
