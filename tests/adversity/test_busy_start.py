"""A session starts while the ledger is busy: nothing arrives late or incomplete."""

import sqlite3
from pathlib import Path

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Draft
from learnt.flows.knowledge.capture import Offer, capture
from learnt.settings import Settings
from tests.support.entry_attacks import Session, texts_of
from tests.support.sessions_told import FOLDER, Home

KEPT = {
    "always run make check before you push": "rule",
    "The gateway listens on port 8443": "schema",
}


def test_the_first_prompt_makes_up_for_a_start_that_could_not_be_answered(tmp_path: Path) -> None:
    """The start prints nothing; the first prompt carries all that it would have shown, once."""
    with opened(Settings(home=tmp_path), patience_ms=50, durable=False) as outside:
        home = Home(outside)
        for text, kind in KEPT.items():
            what = Draft(text=text, kind=kind)
            capture(outside, Offer(what=what, actor=Actor.HUMAN, folder=FOLDER, insisted=True))
        whole = texts_of(Session(home, "s1").start)
        (ledger,) = (path for path in tmp_path.glob("*.db") if path.is_file())
        other = sqlite3.connect(ledger, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        busy = Session(home, "s2")
        other.execute("ROLLBACK")
        other.close()
        first, second = (texts_of(busy.asks(prompt)) for prompt in ("hello there", "go on, please"))

    assert all(text in whole for text in KEPT)
    assert "" == busy.start
    assert first.startswith(whole)
    assert "" == second
