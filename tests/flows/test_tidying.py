"""The search index is joined while the home is quiet, and finds the same as before."""

import sqlite3
from contextlib import closing
from pathlib import Path

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Solution
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.offers import Offer
from learnt.settings import Settings
from learnt.stores.home_folder import prepare
from learnt.stores.sqlite_schema import FILE_NAME


def segments(home: Path) -> int:
    with closing(sqlite3.connect(home / FILE_NAME)) as connection:
        row = connection.execute("SELECT count(DISTINCT segid) FROM search_idx").fetchone()
    return int(row[0])


def test_tidying_joins_the_index_and_changes_no_answer(tmp_path: Path) -> None:
    """Entries remembered one by one leave many segments; after a tidy there is one."""
    home = tmp_path / "home"
    prepare(home)
    with opened(Settings(home=home)) as outside:
        for number in range(7):
            offer = Solution(problem=f"Deadlock number {number}", approach=f"Lock order {number}")
            capture(outside, Offer(what=offer, actor=Actor.HUMAN))
        with outside.ledger.reading() as reader:
            before = reader.match(["deadlock", "order"], (), 5)
        assert segments(home) > 1

        outside.ledger.tidy()

        assert segments(home) == 1
        with outside.ledger.reading() as reader:
            assert before == reader.match(["deadlock", "order"], (), 5)
        assert [] == list(outside.ledger.verify())
