"""The three walks of `docs/concepts.md` are what really happens: each is run here and traced."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from learnt.core.events import Actor
from learnt.core.governance import actors
from learnt.settings import INSIDE_VARIABLE, Settings
from learnt.surfaces import hook, worker
from learnt.surfaces.open_home import OpenHome
from tests.architecture.source import ROOT
from tests.support.homes import PROMPT, Home, wait_until
from tests.support.tracing import Call, Trace, traced

PAGE = (ROOT / "docs" / "concepts.md").read_text("utf-8")
MOST_HOPS = 12
_HOP = re.compile(r"\| (\d+) \| `([\w/]+\.py: [\w.]+)` \| (\d*) \| [^|]+ \|")


@dataclass(frozen=True)
class Hop:
    """One row of a walk: a function, and the hop below which it is called, if there is one."""

    number: int
    name: str
    below: int | None


def walk(title: str) -> list[Hop]:
    """The rows of the table below a heading."""
    _, _, rest = PAGE.partition(f"### {title}\n")
    table = rest.partition("\n### ")[0]
    rows = _HOP.findall(table)
    assert len(rows) == len(re.findall(r"^\| \d", table, re.MULTILINE)), "a row that is no hop"
    return [Hop(int(number), name, int(below) if below else None) for number, name, below in rows]


def untrodden(hops: list[Hop], trace: Trace) -> list[Hop]:
    """What is left of a walk where its hops were not called in this order; nothing where all were.

    Each must be called after the one before it, and while the hop that it is below was running.
    """
    left = hops

    def follow(place: int, after: int, trodden: dict[int, int]) -> bool:
        nonlocal left
        if len(hops) - place < len(left):
            left = hops[place:]
        if place == len(hops):
            return True
        hop = hops[place]
        for number in range(after, len(trace.calls)):
            if trace.calls[number].name != hop.name:
                continue
            if hop.below is not None and not trace.is_below(number, trodden[hop.below]):
                continue
            if follow(place + 1, number + 1, {**trodden, hop.number: number}):
                return True
        return False

    follow(0, 0, {})
    return left


@contextmanager
def served(home: Home) -> Iterator[None]:
    """A worker of the home in a thread of this process."""
    running: list[worker.Worker] = []

    def serve() -> None:
        settings = Settings(home=home.path)
        with OpenHome(settings, {}, patience_ms=1_000) as opened, worker.listen(home.path) as ears:
            running.append(worker.Worker(opened, ears))
            running[0].run()

    back = Path.cwd()
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        wait_until(lambda: bool(running), "a worker in a thread")
        yield
    finally:
        for each in running:
            each._leaving = True
        thread.join(20)
        os.chdir(back)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is traced takes its time."""
    monkeypatch.setattr(worker, "ANSWER_WITHIN", 20.0)
    monkeypatch.setattr(hook.exchange, "__defaults__", (20.0,))


def trodden(title: str, trace: Trace) -> bool:
    """Whether the page has such a walk and all its hops were called; the rest is named."""
    hops = walk(title)
    assert 0 < len(hops) <= MOST_HOPS
    assert [] == untrodden(hops, trace)
    return True


def test_a_prompt_walks_from_the_hook_to_the_answer(
    home: Home, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Hook, worker, recall, answer."""
    home.remember()
    body = json.dumps(home.payload("UserPromptSubmit", prompt=PROMPT)).encode()
    monkeypatch.setattr(hook, "read_input", lambda: (body, len(body)))
    monkeypatch.delenv(INSIDE_VARIABLE, raising=False)
    with traced() as trace, served(home):
        hook.main("UserPromptSubmit", str(home.path))
    assert "JAVA_HOME" in capfd.readouterr().out
    assert trodden("A prompt", trace)


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who calls here counts as a person at a terminal, who accepts all that is shown."""
    monkeypatch.setattr(actors, "at_terminal", lambda *given: Actor.HUMAN)
    monkeypatch.setattr(click, "getchar", lambda *given: "a")


@pytest.mark.usefixtures("person")
def test_a_fact_walks_from_the_capture_to_the_recall(home: Home) -> None:
    """Capture, gates, ledger, view, recalled."""
    fact = "orders.placed_at is in UTC, and orders.shipped_at in the local time of the warehouse"
    with traced() as trace:
        assert 0 == home.here("knowledge", "capture", fact, "--kind", "schema").exit_code
        assert "UTC" in home.here("recall", "orders placed_at shipped_at").output
    assert trodden("A fact", trace)


@pytest.mark.usefixtures("person")
def test_a_proposal_walks_from_the_signal_to_the_file(home: Home) -> None:
    """Analyze, review, accept, applied."""
    home.remember()
    for session in "s1", "s2", "s3":
        assert home.told(session=session)
    with traced() as trace:
        assert 0 == home.here("evolve", "analyze").exit_code
        assert "★ applied" in home.here("review").output
    assert trodden("A proposal", trace)


def test_a_hop_that_is_not_called_is_found() -> None:
    """In another order, below another one, or not at all."""
    trace = Trace([Call("a.py: a", None), Call("b.py: b", 0), Call("c.py: c", None)])
    a, b = Hop(1, "a.py: a", None), Hop(2, "b.py: b", 1)
    assert [] == untrodden([a, b, Hop(3, "c.py: c", None)], trace)
    for wrong in (Hop(2, "c.py: c", 1), Hop(2, "a.py: a", None), Hop(2, "d.py: d", None)):
        assert [wrong] == untrodden([a, wrong], trace)
