"""The three walks of `docs/concepts.md` are what really happens: each is run here and traced."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from learnt.settings import INSIDE_VARIABLE, Settings
from learnt.surfaces import hook, worker, worker_client
from learnt.surfaces.open_home import OpenHome
from tests.architecture.source import ROOT
from tests.support.homes import PROMPT, Home, wait_until
from tests.support.tracing import Call, Trace, traced

PAGE = (ROOT / "docs" / "concepts.md").read_text("utf-8")
MOST_HOPS = 12
TRIES = 20
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
        with (
            OpenHome(settings, {}, patience_ms=1_000) as opened,
            worker_client.listen(home.path) as ears,
        ):
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


def trodden(title: str, trace: Trace) -> bool:
    """Whether the page has such a walk and all its hops were called; the rest is named."""
    hops = walk(title)
    assert 0 < len(hops) <= MOST_HOPS
    assert [] == untrodden(hops, trace)
    return True


@contextmanager
def standard_input(text: bytes) -> Iterator[None]:
    """What the hook reads, as the agent gives it."""
    before, (reading, writing) = os.dup(0), os.pipe()
    os.write(writing, text)
    os.close(writing)
    os.dup2(reading, 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        for descriptor in before, reading:
            os.close(descriptor)


def test_a_prompt_walks_from_the_hook_to_the_answer(
    home: Home, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Hook, worker, recall, answer."""
    home.remember()
    assert home.told(session="warm")
    monkeypatch.delenv(INSIDE_VARIABLE, raising=False)
    printed = ""
    with traced(home.folder / "trace") as trace, served(home):
        for number in range(TRIES):  # a machine that is busy, and traced, may answer too late
            payload = home.payload("UserPromptSubmit", session=f"s{number}", prompt=PROMPT)
            with standard_input(json.dumps(payload).encode()):
                hook.run("UserPromptSubmit", str(home.path))
            if printed := capfd.readouterr().out:
                break
    assert "JAVA_HOME" in printed
    assert trodden("A prompt", trace)


def test_a_fact_walks_from_the_capture_to_the_recall(home: Home) -> None:
    """Capture, gates, ledger, view, recalled."""
    fact = "orders.placed_at is in UTC, and orders.shipped_at in the local time of the warehouse"
    with traced(home.folder / "trace") as trace:
        assert 0 == home.typed("knowledge", "capture", fact, "--kind", "schema")[0]
        assert "UTC" in home.here("recall", "orders placed_at shipped_at").output
    assert trodden("A fact", trace)


def test_a_proposal_walks_from_the_signal_to_the_file(home: Home) -> None:
    """Analyze, review, accept, applied."""
    home.remember()
    for session in "s1", "s2", "s3":
        assert home.told(session=session)
    with traced(home.folder / "trace") as trace:
        assert 0 == home.here("evolve", "analyze").exit_code
        with home.terminal("review") as terminal:
            terminal.wait_until(lambda: "(q)uit" in terminal.output, "the question")
            terminal.wait_for_line(after=0)
            terminal.send("a\nq\n")
            assert 0 == terminal.wait_for_exit()
        assert "★ applied" in terminal.output
    assert trodden("A proposal", trace)


def test_a_hop_that_is_not_called_is_found() -> None:
    """In another order, below another one, or not at all."""
    trace = Trace([Call("a.py: a", None), Call("b.py: b", 0), Call("c.py: c", None)])
    a, b = Hop(1, "a.py: a", None), Hop(2, "b.py: b", 1)
    assert [] == untrodden([a, b, Hop(3, "c.py: c", None)], trace)
    for wrong in (Hop(2, "c.py: c", 1), Hop(2, "a.py: a", None), Hop(2, "d.py: d", None)):
        assert [wrong] == untrodden([a, wrong], trace)
