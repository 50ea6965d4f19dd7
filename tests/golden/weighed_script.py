"""The calls that tell what showing an entry does."""

import json

from learnt.core.payloads.entry_events import EntryDecided
from tests.golden.stage import Stage


def a_fact(stage: Stage) -> str:
    """The id of a validated fact."""
    # By arrival: of two ids of one millisecond either may be the later.
    first = "(SELECT min(seq) FROM events WHERE events.subject = views.subject)"
    query = f"SELECT state FROM views WHERE subject LIKE 'entry:%' ORDER BY {first} DESC"
    states = [json.loads(state) for (state,) in stage.home.rows(query)]
    return next(str(s["id"]) for s in states if s.get("stage") == "validated" and s.get("kind"))


def weighed(stage: Stage) -> None:
    """An entry that the coin decided on, and that is masked for a while."""
    stage.agent("health", "effect")
    entry = a_fact(stage)
    stage.decided(
        entry,
        EntryDecided(action="drawn", arm="withheld", propensity=500_000),
        EntryDecided(action="masked", evidence=23_456),
    )
    stage.agent("health", "effect")
    stage.agent("health", "effect", entry)
    stage.agent("status")
    stage.agent("why", entry)
    stage.agent("health", "effect", entry, "--unmask")
    stage.agent("health", "effect", "--unmask")
    stage.person("health", "effect", entry, "--unmask")
    stage.person("health", "effect", entry, "--unmask")
    stage.agent("health", "effect", "e-nowhere")


def disputed(stage: Stage) -> None:
    """Two facts that may not hold together: listed, reviewed, and settled by a person."""
    capture = ("knowledge", "capture", "--kind", "business_rule")
    stage.agent("knowledge", "disputes")
    stage.person(*capture, "Booking status 7 means that the guest never arrived")
    older = stage.entry()
    stage.person(*capture, "Booking status 7 means the room is under repair")
    newer = stage.entry()
    stage.agent("knowledge", "tidy")
    stage.agent("knowledge", "relate", newer, older, "opposes")
    stage.agent("knowledge", "relate", newer, newer, "same")
    stage.agent("knowledge", "relate", newer, "e-nowhere", "same")
    stage.agent("knowledge", "unrelate", newer, older)
    stage.person("knowledge", "unrelate", newer, older)
    stage.agent("knowledge", "relate", newer, older, "contradicts")
    stage.agent("knowledge", "relate", newer, older, "contradicts")
    stage.person("knowledge", "unrelate", newer, older)
    stage.agent("knowledge", "tidy", "--most", "1")
    stage.agent("knowledge", "relate", newer, older, "contradicts")
    stage.agent("knowledge", "tidy")
    stage.agent("knowledge", "disputes")
    stage.agent("knowledge", "query", "booking status 7")
    stage.agent("knowledge", "settle", newer)
    stage.agent("knowledge", "settle", newer, "--over", older)
    stage.person("knowledge", "settle", newer, "--over", "e-065wzsb8000000")
    stage.person("knowledge", "settle", newer, "--over", older)
    stage.agent("knowledge", "disputes")
