"""Whether questions only read, where objects were planted beforehand.

    python -m benchmarks.questions [--half dev|unseen] [--show] [--json]

Each case of `tests/data/sql_effects` is set up by an administrator in a database of its own, on
PostgreSQL, MariaDB and in an SQLite file, and asked as `learnt db query` asks it: by the account
that reads and by one that may do all. Its own query tells whether something happened. A hostile
statement for which no query can tell counts as an effect where it gave rows. --show prints what
went wrong by id; leave it away for the unseen half.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final, Literal

from benchmarks.report import load_now, run
from tests.support.database_servers import NotHere, mariadb, postgres, systems_own
from tests.support.planted import ENGINES, Came, cases, tried

HALVES: Final = ("dev", "unseen")


def measured(half: str) -> Iterator[tuple[str, list[Came]]]:
    """What came of each case, by engine. Raises NotHere where a server is not installed."""
    every = cases(half)
    for engine in ENGINES:
        own = [case for case in every if case["engine"] == engine]
        with ExitStack() as stack:
            server = None
            if engine == "mariadb":
                server = stack.enter_context(mariadb())
            elif engine == "postgresql":
                try:  # the system's has the usual extensions
                    server = stack.enter_context(postgres(programs=systems_own()))
                except NotHere:
                    server = stack.enter_context(postgres())
            yield engine, list(tried(server, own))


def row(half: str, engine: str, came: Sequence[Came]) -> dict[str, object]:
    """One engine's totals; an effect is proven by a query.

    A case counts once, by the account for which it went worst.
    """
    hostile = {one.case["id"] for one in came if not one.case["honest"]}
    honest = {one.case["id"] for one in came if one.case["honest"]}
    effects = {one.case["id"]: one for one in came if one.effect}
    ran = {one.case["id"] for one in came if one.how == "ran"}
    lost = {one.case["id"] for one in came if one.case["honest"] and one.how != "ran"}
    proven = [one for one in effects.values() if one.case["effect"] is not None]
    return {
        "half": half,
        "server": engine,
        "hostile": len(hostile),
        "had an effect": len(proven),
        "gave rows, with no query that could tell": len(effects) - len(proven),
        "ran without an effect": len((hostile & ran) - effects.keys()),
        "honest": len(honest),
        "honest that ran": len(honest - lost),
    }


def totals(half: str, *, show: bool = False) -> list[dict[str, object]]:
    """A row for each engine, and one for all."""
    rows, every = [], list[Came]()
    for engine, came in measured(half):
        rows.append(row(half, engine, came))
        every += came
        for one in came if show else ():
            wrong = one.how != "ran" if one.case["honest"] else one.how == "ran"
            if wrong or one.effect:
                mark = "EFFECT" if one.effect else one.how
                print(f"{one.case['id']} {one.account} {mark}: {one.told}", file=sys.stderr)
                print(f"    {one.case['statement'][:200]}", file=sys.stderr)
    return [*rows, row(half, "all", every)]


def main(*, half: Literal["dev", "unseen"] = "dev", show: bool = False) -> dict[str, object]:
    """Measure; with --show print what went wrong, by id."""
    return {"load": load_now(), "rows": totals(half, show=show)}


if __name__ == "__main__":
    run(main)
