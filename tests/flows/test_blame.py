"""What a skill's own steps ran grades its use, whether a file was edited or not."""

import pytest

from learnt.core.events import Actor
from learnt.core.governance.proposals import text_hash
from learnt.core.health.outcomes import MILLION
from learnt.core.safety import clean
from learnt.core.skills.skills import key_of
from learnt.flows.health.improve import allow, brief
from learnt.flows.health.queue import asked_of_agent, queue, unnamed
from learnt.flows.health.report import feedback, skills
from learnt.flows.skills.catalogue import subject_of
from learnt.formats.learnings_md import PINNED
from tests.flows.shelved import Shelved
from tests.flows.test_episodes import call, launched, step
from tests.flows.test_new_texts import PERSON, later, shelf

__all__ = ["shelf"]
LOST = "Exit code 1\nssh: connect to host web1: Connection refused"


def used(shelf: Shelved, *results: str, launched_first: bool = True) -> None:
    """A deploy skill is used in a session of its own; its command gives each of the results."""
    session = f"s{shelf.stage.reports}"
    place = {"session": session, "episode": f"p-{session}"}
    later(shelf)
    shelf.stage.prompt("deploy it", **place)
    ran = [call("Bash", result, command="./deploy.sh web") for result in results]
    steps = [launched("deploy"), *ran] if launched_first else [*ran, launched("deploy")]
    step(shelf.stage, place["episode"], *steps, session=session)
    shelf.stage.report("Stop", **place)
    shelf.ended(session)


def grades(shelf: Shelved) -> list[tuple[str, int | None]]:
    with shelf.stage.outside.ledger.reading() as reader:
        (ref,) = [r.skill for r in reader.use_totals() if "deploy" in (reader.text(r.skill) or "")]
        return [(use.cause.value, use.own_grade) for use in reader.uses(ref)]


@pytest.mark.parametrize("result", ["Exit code 2\nunknown option", "Exit code 1\nno such file x"])
def test_a_deploy_that_fails_without_an_edit_is_graded(shelf: Shelved, result: str) -> None:
    """Also where its output looks like bad input; one that works is graded as well."""
    used(shelf, "deployed")
    used(shelf, result)
    used(shelf, result, "deployed")
    assert [("none", MILLION), ("skill", 0), ("none", MILLION)] == grades(shelf)


def test_what_failed_before_its_launch_is_not_its_own(shelf: Shelved) -> None:
    """Only what followed the launch is."""
    used(shelf, "Exit code 2\nunknown option", launched_first=False)
    assert [("none", None)] == grades(shelf)


def test_what_is_excused_is_counted_beside_the_rate(shelf: Shelved) -> None:
    """Three times the same excuse in a row is a flag; the fifth makes the skill due."""
    used(shelf, "deployed")
    for number in range(5):
        used(shelf, LOST)
        named = queue(shelf.stage.outside).get("deploy")
        assert (named.flagged_count if named else 0) == max(0, number - 1)
    (told,) = (s for s in skills(shelf.stage.outside) if s.skill == "deploy")
    assert ("5 of 6 failed: 5 environment", "environment") == (told.failures, told.excuse)
    assert (1.0, 5) == (told.success_rate, told.unknown)
    assert queue(shelf.stage.outside)["deploy"].due


def test_a_session_start_asks_the_agent_only_for_a_skill_that_is_opted_in(shelf: Shelved) -> None:
    """Its person lets Learnt improve it, it is due, no text of it waits; once a failure."""
    shelf.put("deploy", "Deploys.")
    for result in (*["deployed"] * 5, *["Exit code 2\nunknown option"] * 6):
        used(shelf, result)
    outside, skill = shelf.stage.outside, shelf.opened.known.skills[key_of("deploy")]
    assert "" == asked_of_agent(outside)
    allow(outside, skill, subject_of(outside, skill, None), PERSON, on=True)
    asked = asked_of_agent(outside)
    assert "skill-improver" in asked and "deploy" in asked
    assert "" == asked_of_agent(outside)
    used(shelf, "Exit code 2\nunknown option")
    assert asked == asked_of_agent(outside)


def test_a_skill_that_keeps_failing_is_named_once_until_it_fails_again(shelf: Shelved) -> None:
    """To its person; `health queue` says it always."""
    for result in (*["deployed"] * 5, *["Exit code 2\nunknown option"] * 6):
        used(shelf, result)
    outside = shelf.stage.outside

    def named() -> list[str]:
        return unnamed(outside, queue(outside).values(), Actor.HUMAN)

    assert (["deploy"], []) == (named(), named())
    used(shelf, "deployed")
    assert [] == named()
    used(shelf, "Exit code 2\nunknown option")
    assert (["deploy"], []) == (named(), named())


def test_a_brief_quotes_what_the_agent_noted(shelf: Shelved) -> None:
    """And names the program of what failed where no transcript is left."""
    shelf.put("deploy", "Deploys.")
    for _ in range(3):
        used(shelf, "Exit code 2\nunknown option")
    with shelf.stage.outside.ledger.reading() as reader:
        event = max(reader.uses(), key=lambda use: use.wall_ms).event
    feedback(shelf.stage.outside, event, "bad", "the host moved to web2", Actor.AGENT)
    skill = shelf.opened.known.skills[key_of("deploy")]
    told = brief(shelf.stage.outside, shelf.library, skill, None, str(shelf.folder))
    noted = ('agent: "the host moved to web2"',)
    assert (3, 3, noted) == (told.executions, told.failed, told.notes)
    assert ["deploy.sh"] == [each.command for each in told.failures]


def test_a_brief_has_the_skills_learnings(shelf: Shelved) -> None:
    """What LEARNINGS.md says of it and what its person pinned for it; nothing of another skill."""
    shelf.put("deploy", "Deploys.")
    for result in (*["deployed"] * 5, *["Exit code 2\nunknown option"] * 6):
        used(shelf, result)
    outside = shelf.stage.outside
    pins = f"{PINNED}\n### deploy\nStop the shipper first.\n### deploy-docs\nNo.\n---\n\n## High-"
    home = str(shelf.folder)
    outside.documents.write(
        f"{home}/LEARNINGS.md", clean(f"{pins}Impact Issues\n"), text_hash(None)
    )
    skill = shelf.opened.known.skills[key_of("deploy")]
    told = brief(outside, shelf.library, skill, None, home).learnings
    assert ("### deploy", "Stop the shipper first.", "### deploy") == told[:3]
    assert "**Detail**: 11 executions" in "".join(told) and "No." not in told
    assert any(line.startswith("| deploy | 11 |") for line in told)
