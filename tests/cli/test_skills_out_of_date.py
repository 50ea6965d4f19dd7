"""A skill whose note changed: whoever gives the note or tells of skills says so; a text waits."""

import pytest
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.entries import SUPERSEDED, Relation, Stage
from learnt.flows.governance.decisions import Decider
from learnt.flows.knowledge.feedback import Word, stage, tell
from learnt.flows.knowledge.relating import RelationAnswer, relate
from learnt.flows.knowledge.rewording import reword, sheet_of
from learnt.settings import Settings
from tests.support.homes import PROBLEM, PROMPT, Home, wait_until
from tests.support.mcp_client import served_here

NEWER = "Unset JAVA_HOME and let the wrapper download its own toolchain"


@pytest.fixture
def entry(home: Home) -> EntryId:
    """The note that an accepted skill was made of; the worker is at work."""
    name = home.remember()
    home.start_worker()
    for session in ("s1", "s2", "s3"):
        home.answered(PROMPT, session)
    home.here("evolve", "analyze")
    (draft,) = pending(home).values()
    code, output = home.accept(draft)
    assert 0 == code, output
    return name


def pending(home: Home) -> dict[str, str]:
    """By its kind the id of what waits for a person."""
    listed = home.here("evolve", "list", "--status", "pending", "--json").json["proposals"]
    return {each["kind"]: each["id"] for each in listed}


def correct(home: Home, entry: EntryId) -> None:
    """A person rewrites what is to be done."""
    with opened(Settings(home=home.path)) as outside:
        sheet = sheet_of(outside, entry)
        reword(outside, entry, replace(sheet, approach=NEWER), Decider(actor=Actor.HUMAN))


def test_whoever_is_given_the_newer_note_is_told(home: Home, entry: EntryId) -> None:
    """By MCP and by each command that recalls; `doctor` and `status` name the skill."""
    recalled = (("recall", PROBLEM), ("recall", handle(entry)), ("knowledge", "query", PROBLEM))
    said = "is out of date: this note is newer"
    with served_here(home) as server:
        assert "outdated" not in server("recall", query=PROBLEM)["entries"][0]
        assert not [words for words in recalled if said in home.here(*words).output]
        correct(home, entry)

        for asked in ({"query": PROBLEM}, {"handles": [handle(entry)]}):
            (given,) = server("recall", **asked)["entries"]
            assert given["outdated"].startswith("the skill ") and given["outdated"].endswith(said)
    assert recalled == tuple(words for words in recalled if said in home.here(*words).output)
    named = f"is out of date: note {handle(entry)} was corrected"
    for words in (["doctor"], ["status"]):
        assert named in home.here(*words).output


@pytest.mark.parametrize("change", ["superseded", "disputed", "invalidated"])
def test_the_worker_proposes_a_revision_at_once(home: Home, entry: EntryId, change: str) -> None:
    """Without a session's end or a command, whatever became of the note."""
    assert {} == pending(home)
    newer = home.remember(approach=NEWER) if change != "invalidated" else entry
    with opened(Settings(home=home.path)) as outside:
        if change == "superseded":
            with outside.ledger.writing() as writer:
                stage(writer, entry, Actor.AGENT, Stage.RETIRED, SUPERSEDED, newer)
        elif change == "disputed":
            answer = RelationAnswer(newer, entry, Relation.CONTRADICTS, Actor.AGENT, "s1")
            relate(outside, replace(answer, proved="s1", folder=str(home.project)))
        else:
            tell(outside, entry, Word(result="invalidate", actor=Actor.HUMAN))

    wait_until(lambda: bool(pending(home)), f"the revision\n{home.worker_log()}")
    gone = change == "invalidated"
    assert [ProposalKind.RETIRE if gone else ProposalKind.NEW_VERSION] == [*pending(home)]
    assert "" == home.worker_log()
    home.verify()
