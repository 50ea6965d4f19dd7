"""What a call of the MCP server costs the agent that waits for it, through the SDK's own client.

    python -m benchmarks.mcp [--sizes 10000,100000] [--rounds 200] [--json]

Starts `learnt mcp` in a throw-away home with a synthetic memory and calls its tools over standard
input and output, after three calls each to warm up; between the rounds a bare interpreter is
started (`python -I -S -c pass`). The goal, 20 ms for the 95th percentile of a recall, was set where
a bare start took 8.2 ms: a ratio of 2.44.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import (
    SIZES,
    Tables,
    load_now,
    quantile,
    run,
    spread,
    start_bare,
    timed,
    verdict,
)

GOAL: Final = 2.44
WARM_UP: Final = 3
EVERY: Final = 4  # of the rounds one starts a bare interpreter as well
Call = Callable[[str, Mapping[str, Any]], dict[str, Any]]


@contextmanager
def server(place: Place) -> Iterator[tuple[Call, float]]:
    """A call of a server's tools, and the milliseconds until it had answered first."""
    told = StdioServerParameters(
        command=str(Path(sys.executable).with_name("learnt")),
        args=["--home", str(place.home), "mcp"],
        env=place.environment,
        cwd=place.project,
    )
    begun = time.perf_counter()
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(told))) as client,
    ):
        portal.call(client.list_tools)
        started = time.perf_counter() - begun

        def call(tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
            result = portal.call(client.call_tool, tool, dict(given))
            if result.is_error:
                raise SystemExit(f"{tool}: {result.content}")
            return dict(result.structured_content or {})

        yield call, 1_000 * started


def measure(place: Place, corpus: Corpus, size: int, rounds: int) -> list[dict[str, object]]:
    """The rows of one home, a tool each."""
    rows = []
    with server(place) as (call, started):
        arms: dict[str, tuple[int, Callable[[int], Mapping[str, Any]]]] = {
            "recall": (rounds, lambda n: {"query": corpus.prompt(n, size), "limit": 5}),
            "propose": (rounds // 4, lambda n: _fact(corpus, 2_000_000 + n)),
            "confirm": (rounds // 4, lambda n: {"id": place.entries[n % len(place.entries)]}),
            "why": (rounds // 4, lambda n: {"id": place.entries[n % len(place.entries)]}),
            "status": (5, lambda n: {}),
        }
        for tool, (count, given) in arms.items():
            before = load_now()
            taken, starts, found = [], [], 0
            for number in range(WARM_UP + count):
                told = given(number)
                begun = time.perf_counter()
                answer = call(tool, told)
                seconds = time.perf_counter() - begun
                if number % EVERY == 0 or count <= EVERY:
                    starts.append(timed(start_bare))
                if number >= WARM_UP:
                    taken.append(seconds)
                    found += bool(answer.get("entries"))
            start = quantile(starts, 0.5)
            ratio = quantile(taken, 0.95) / start
            rows.append({
                "entries": size, "tool": tool, "calls": count, "load": before, **spread(taken, 2),
                "bare": round(1_000 * start, 2), "p95/bare": round(ratio, 2),
                "found": f"{found}/{count}" if tool == "recall" else "",
                "verdict": verdict(round(ratio, 2), GOAL if tool == "recall" else None),
                "first answer": round(started),
            })  # fmt: skip
    return rows


def _fact(corpus: Corpus, number: int) -> Mapping[str, Any]:
    return {"text": corpus.document(number).fact.text, "kind": "schema"}


def main(*, sizes: tuple[int, ...] = SIZES, rounds: int = 200) -> Tables:
    """Measure."""
    corpus, rows = Corpus(), []
    with throwaway() as place:
        for size in sorted(sizes):
            place.fill(corpus, size)
            rows += measure(place, corpus, size, rounds)
    return {"Calls through the MCP client, after start; milliseconds": rows}


if __name__ == "__main__":
    run(main)
