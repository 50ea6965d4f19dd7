"""A new text of a skill is set against the one before, and a person decides on a regression."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.governance.proposals import ProposalKind
from learnt.core.health.improvement import LABEL
from learnt.core.identifiers import ProposalId
from learnt.core.skills.skills import key_of
from learnt.errors import Conflict, Refused
from learnt.flows.governance.accept import Destination, accept, plan, undo
from learnt.flows.governance.decisions import Decider, proposal_of
from learnt.flows.health.evaluate import WindowComparison, comparisons, decide, settle
from learnt.flows.skills.catalogue import subject_of
from learnt.flows.skills.versions import Revision, propose
from learnt.stores.text_files import DiskDocuments
from tests.flows.shelved import Shelved, shelved
from tests.flows.test_episodes import call, launched, step
from tests.flows.test_episodes import ran as run
from tests.support.in_memory import FixedClock

FAILED, PASSED = "Exit code 1\n4 failed in 1s", "4 passed in 1s"
PERSON = Decider(actor=Actor.HUMAN)
WAITS = "pending_rollback_review"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelved]:
    """A skill that worked in six of its ten executions."""
    with shelved(tmp_path) as made:
        made.stage.outside = replace(made.stage.outside, documents=DiskDocuments())
        made.put("audit", "Audits a module.")
        ran(made, PASSED, 6)
        ran(made, FAILED, 4)
        yield made


def later(shelf: Shelved) -> None:
    """Time goes on."""
    clock = shelf.stage.outside.clock
    assert isinstance(clock, FixedClock)
    clock.ms += 60_000


def ran(shelf: Shelved, result: str, times: int) -> None:
    """The skill is used so often, each time in a session of its own."""
    for _ in range(times):
        later(shelf)
        session = f"s{shelf.stage.reports}"
        asked(shelf, session, result)
        later(shelf)
        shelf.ended(session)


def asked(shelf: Shelved, session: str, result: str) -> None:
    """A prompt in which the skill is used, a file edited and the tests are run."""
    place = {"session": session, "episode": f"p-{session}"}
    shelf.stage.prompt("please audit the module", **place)
    steps = launched("audit"), call("Edit", "ok", file_path="a.py"), run(result)
    step(shelf.stage, f"p-{session}", *steps, session=session)
    shelf.stage.report("Stop", **place)


def revised(shelf: Shelved, body: str = "Do it better.") -> ProposalId:
    """A person accepts another text of it."""
    later(shelf)
    file = shelf.folder / "audit" / "SKILL.md"
    text = file.read_text("utf-8").replace("Do it.", body).replace("Do it better.", body)
    outside = shelf.stage.outside
    subject = subject_of(outside, shelf.opened.known.skills[key_of("audit")], None)
    revision = Revision(ProposalKind.NEW_VERSION, text)
    own = propose(outside, str(file), subject, revision, Actor.AGENT, ())
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, own)
    accept(outside, plan(outside, proposal, Destination(root="/")), PERSON)
    return own


def test_a_changed_setting_is_named_before_a_person_decides(shelf: Shelved) -> None:
    """Who may start a skill is no detail of its text."""
    file = shelf.folder / "audit" / "SKILL.md"
    guarded = file.read_text("utf-8").replace("---\n", "---\ndisable-model-invocation: true\n", 1)
    file.write_text(guarded, "utf-8")
    outside = shelf.stage.outside
    subject = subject_of(outside, shelf.opened.known.skills[key_of("audit")], None)
    free = guarded.replace("disable-model-invocation: true", "disable-model-invocation: false")
    own = propose(
        outside, str(file), subject, Revision(ProposalKind.NEW_VERSION, free), Actor.AGENT, ()
    )
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, own)
    change = plan(outside, proposal, Destination(root="/"))
    told = [each.message for each in change.findings if each.rule == "changes-a-setting"]
    assert ["`disable-model-invocation` was true and becomes false."] == told


def shown(shelf: Shelved) -> WindowComparison:
    settle(shelf.stage.outside)
    return comparisons(shelf.stage.outside, "audit")[-1]


def test_a_better_text_is_promoted_after_ten_executions(shelf: Shelved) -> None:
    """Not after nine; what is told is before and after."""
    revised(shelf)
    begun = shown(shelf)
    assert ("evaluating", 0) == (begun.status, begun.executions)
    assert (0.4, None) == (begun.baseline_gap, begun.current_gap)
    ran(shelf, PASSED, 9)
    assert ("evaluating", 9) == (shown(shelf).status, shown(shelf).executions)
    ran(shelf, PASSED, 1)
    ended = shown(shelf)
    assert ("promoted", 10, 0.4, 0.0) == (
        ended.status,
        ended.executions,
        ended.baseline_gap,
        ended.current_gap,
    )


@pytest.mark.parametrize("failures", [4, 10])
def test_one_that_is_no_better_waits_and_is_not_rolled_back(shelf: Shelved, failures: int) -> None:
    """Equal is not better; with the diff, the way back, and the seeds' label."""
    revised(shelf)
    ran(shelf, FAILED, failures)
    ran(shelf, PASSED, 10 - failures)
    waiting = shown(shelf)
    assert (WAITS, LABEL, failures / 10) == (waiting.status, waiting.label, waiting.current_gap)
    assert "-Do it.\n+Do it better." in waiting.diff
    assert "learnt skills rollback audit --to 1.0.0" == waiting.rollback_command
    assert "Do it better." in Path(waiting.file).read_text("utf-8")
    ran(shelf, PASSED, 10)
    assert waiting.current_gap == shown(shelf).current_gap


def test_a_person_alone_decides(shelf: Shelved) -> None:
    """Rolled back it has the text of before; the same regression is not decided on twice."""
    revised(shelf)
    ran(shelf, FAILED, 10)
    outside, waiting = shelf.stage.outside, shown(shelf)
    for choice in ("roll-back", "keep", "investigate"):
        with pytest.raises(Refused, match="Only a person"):
            decide(outside, waiting, choice, Decider(actor=Actor.AGENT))
    decide(outside, waiting, "investigate", PERSON)
    assert WAITS == shown(shelf).status
    decide(outside, waiting, "roll-back", PERSON)
    assert "Do it." in Path(waiting.file).read_text("utf-8")
    assert "rolled-back" == shown(shelf).status
    with pytest.raises(Conflict, match="No regression of audit waits"):
        decide(outside, waiting, "keep", PERSON)


def test_a_file_that_was_edited_since_is_not_rolled_back_over(shelf: Shelved) -> None:
    """The comparison is over: nothing waits for a text that is there no more."""
    revised(shelf)
    ran(shelf, FAILED, 10)
    waiting = shown(shelf)
    Path(waiting.file).write_text("mine", "utf-8")
    with pytest.raises(Conflict, match="No regression of audit waits"):
        decide(shelf.stage.outside, waiting, "roll-back", PERSON)
    assert ("stopped", "mine") == (shown(shelf).status, Path(waiting.file).read_text("utf-8"))


def test_a_third_text_takes_the_place_of_a_second_that_is_compared(shelf: Shelved) -> None:
    """The first window is over, and the second begins with what is known by then."""
    revised(shelf)
    ran(shelf, FAILED, 2)
    revised(shelf, "Do it best.")
    assert ("evaluating", 0, 0.6) == (
        shown(shelf).status, shown(shelf).executions, shown(shelf).baseline_gap
    )  # fmt: skip


def test_a_second_window_sees_nothing_of_the_first(shelf: Shelved) -> None:
    """Ten bad executions of the first text, ten good ones of the second: promoted."""
    revised(shelf)
    ran(shelf, FAILED, 10)
    decide(shelf.stage.outside, shown(shelf), "keep", PERSON)
    revised(shelf, "Do it best.")
    assert ("evaluating", 0, 1.0) == (
        shown(shelf).status,
        shown(shelf).executions,
        shown(shelf).baseline_gap,
    )
    ran(shelf, PASSED, 10)
    assert ("promoted", 0.0) == (shown(shelf).status, shown(shelf).current_gap)


def test_what_began_before_the_new_text_does_not_count(shelf: Shelved) -> None:
    """The episode in which a person accepted it had the old one."""
    later(shelf)
    asked(shelf, "open", FAILED)
    revised(shelf)
    later(shelf)
    shelf.ended("open")
    assert 0 == shown(shelf).executions
    ran(shelf, PASSED, 1)
    assert 1 == shown(shelf).executions


def test_an_undo_ends_it_and_another_text_takes_its_place(shelf: Shelved) -> None:
    """Nothing waits for a text that is there no more, however it went."""
    own = revised(shelf)
    undo(shelf.stage.outside, own, PERSON)
    assert "rolled-back" == shown(shelf).status


@pytest.mark.parametrize("gone", [True, False])
def test_a_deleted_or_edited_skill_is_compared_no_more(shelf: Shelved, *, gone: bool) -> None:
    """Its executions are not those of the text."""
    revised(shelf)
    file = Path(shown(shelf).file)
    if gone:
        file.unlink()
    else:
        file.write_text("mine", "utf-8")
    ran(shelf, PASSED, 3)
    assert "stopped" == shown(shelf).status


def test_a_skill_without_executions_has_nothing_to_be_compared_with(shelf: Shelved) -> None:
    """No window begins."""
    shelf.put("tea", "Cares for tea.")
    assert [] == comparisons(shelf.stage.outside, "tea") == comparisons(shelf.stage.outside)
