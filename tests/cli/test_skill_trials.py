"""A trial: sessions get a skill's old or new text by a coin until one shows better."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor, Draft, Kind, Where
from learnt.core.governance.proposals import text_hash
from learnt.core.health.outcomes import MILLION, Cause, Outcome, Trouble
from learnt.core.identifiers import ProjectId, session_subject
from learnt.core.payloads.session_events import (
    EpisodeClosed,
    SessionEnded,
    SessionLinked,
    SessionStarted,
    SkillUse,
)
from learnt.core.safety import owned
from learnt.flows.governance.decisions import Decider
from learnt.flows.health import trial as trials
from learnt.flows.health.evaluate import compared, settle
from learnt.flows.sessions.locate import located_at, look
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.system import SystemClock
from tests.cli.test_skill_versions import TEXT, accepted, file, proposed, revised
from tests.support.homes import Home
from tests.support.skill_sessions import PASSED, Ahead, reported

__all__ = ["file"]  # a fixture


@pytest.fixture
def outside(home: Home) -> Iterator[Outside]:
    """The home's ledger and files."""
    home.here("status")
    with opened(Settings(home=home.path)) as opened_home:
        yield replace(opened_home, clock=Ahead())


@pytest.fixture
def project(outside: Outside, home: Home) -> ProjectId:
    """The project that the sessions are in."""
    found = located_at(outside, look(outside, str(home.project))).project
    assert found is not None
    return found


def tried(home: Home, file: Path, body: str = "Stop the producers.") -> str:
    """A proposal of another text, accepted to be tried."""
    name = revised(home, file, body)
    words = ("evolve", "accept", name, "--trial", "--project", str(home.project))
    code, said = home.typed(*words, answers=["y"])
    assert (0, True) == (code, "`learnt skills trial locks` shows" in said), said
    return name


def begins(outside: Outside, project: ProjectId, name: str) -> None:
    """What ended before is looked at; a session starts, and is drawn."""
    trials.conclude(outside)
    with outside.ledger.writing() as writer:
        where = Where(agent="a", session=name, project=project)
        writer.append(Draft(session_subject("a", name), Actor.TOOL, SessionStarted(), where=where))
    trials.draw(outside, "a", name)


def ends(outside: Outside, name: str, success: bool | None = None) -> None:
    """It used the skill with a success, or not at all, and is over."""
    subject, where = session_subject("a", name), Where(agent="a", session=name, episode=f"p-{name}")
    with outside.ledger.writing() as writer:
        if success is not None:
            came = Outcome(grade=MILLION)
            if not success:
                came = Outcome(trouble=Trouble.TEST, cause=Cause.SKILL, grade=0)
            use = SkillUse(skill=writer.keep("skill", owned("locks")), by="agent", outcome=came)
            closed = EpisodeClosed(outcome=came, skills=(use,))
            writer.append(Draft(subject, Actor.LEARNT, closed, where=where))
        writer.append(Draft(subject, Actor.TOOL, SessionEnded(reason="exit"), where=where))


def has_new(file: Path) -> bool:
    """Whether the skill's file holds the new text."""
    return "producers" in file.read_text("utf-8")


def test_each_pair_of_sessions_has_both_texts(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """The coin decides which of the two is first; not always the same."""
    tried(home, file)
    had = []
    for number in range(40):
        begins(outside, project, f"s{number}")
        had.append(has_new(file))
        ends(outside, f"s{number}")
    pairs = list(zip(had[::2], had[1::2], strict=True))
    assert all(first != second for first, second in pairs)
    assert {True, False} == {first for first, _ in pairs}
    home.here("evolve", "analyze", "--project", str(home.project))
    listed = home.here("evolve", "list", "--json").json["proposals"]
    assert {"new-version"} == {row["kind"] for row in listed}  # no swap was taken for an edit


def played(outside: Outside, project: ProjectId, file: Path, *, new_wins: bool) -> tuple[str, int]:
    """Sessions that succeed with one of the texts alone, until it is ruled; after how many."""
    for number in range(60):
        begins(outside, project, f"s{number}")
        ends(outside, f"s{number}", success=has_new(file) == new_wins)
        ((_, result),) = trials.conclude(outside)
        if result.ruling.value != "undecided":
            return result.ruling.value, number
    return "undecided", number


def test_a_better_text_is_promoted_and_stays(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Once the evidence is there, and no later session is drawn."""
    tried(home, file)
    ruling, sessions = played(outside, project, file, new_wins=True)
    assert ("better", True) == (ruling, has_new(file))
    assert sessions > 10
    said = home.here("skills", "trial", "locks", "--project", str(home.project))
    assert (3, True) == (said.exit_code, "No trial of locks goes on" in said.errors)
    before = file.read_bytes()
    begins(outside, project, "later")
    assert before == file.read_bytes()
    home.verify()


def test_a_worse_text_waits_for_a_person(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """The accepted text stays until they decide, and the question is listed."""
    tried(home, file)
    assert "worse" == played(outside, project, file, new_wins=False)[0]
    with outside.ledger.reading() as reader:
        assert [] == trials.open_trials(reader)
    assert has_new(file)
    said = home.here("health", "evaluate")
    assert "skill-regression" in said.output and "locks" in said.output
    code, told = home.typed("health", "evaluate", "locks", "--roll-back", answers=[])
    assert (0, False, False) == (code, has_new(file), "No new text" in told)
    assert f"{file} has the text of version 1.0.0 again" in " ".join(told.split())


def test_nothing_is_drawn_while_another_session_lives(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """It may have read the file; nor where a session goes on from one that was drawn."""
    tried(home, file)
    begins(outside, project, "s1")
    mine = has_new(file)
    begins(outside, project, "s2")
    assert 1 == drawn(outside) and mine == has_new(file)
    ends(outside, "s1")
    ends(outside, "s2")
    begins(outside, project, "s3")
    assert 2 == drawn(outside) and mine != has_new(file)
    ends(outside, "s3")
    with outside.ledger.writing() as writer:
        linked = SessionLinked(relation="forked", other="s1")
        writer.append(Draft(session_subject("a", "s4"), Actor.LEARNT, linked))
    begins(outside, project, "s4")
    assert 2 == drawn(outside)


def drawn(outside: Outside) -> int:
    """How many sessions were drawn in the trial that goes on."""
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
        return len(trials.units(reader, going))


def test_a_session_that_begins_right_after_the_swap_is_not_drawn(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """It read the text of before, maybe: what lies ready is for the next."""
    tried(home, file)
    begins(replace(outside, clock=SystemClock()), project, "s1")
    assert 0 == drawn(outside)
    ends(outside, "s1")
    begins(outside, project, "s2")
    assert 1 == drawn(outside)


def test_a_trial_that_ends_beside_a_swap_leaves_the_accepted_text(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Whoever is last puts it back: here one that looked before the end lays the old text ready."""
    tried(home, file)
    for number in count():
        begins(outside, project, f"s{number}")
        ends(outside, f"s{number}")
        if has_new(file) and drawn(outside) % 2:
            break
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
    trials.stop(outside, going, Decider(actor=Actor.HUMAN))
    trials.lay_ready(outside, going)
    assert has_new(file)
    assert "swapped" == home.events(Kind.SKILL)[-1]["action"]


def test_an_edit_by_a_person_is_left_alone(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """No text is swapped over it, and it is proposed as an outside edit."""
    tried(home, file)
    file.write_text(TEXT.format(body="Mine."), "utf-8")
    begins(outside, project, "s1")
    assert "Mine." in file.read_text("utf-8")
    home.here("evolve", "analyze", "--project", str(home.project))
    listed = home.here("evolve", "list", "--json").json["proposals"]
    assert "outside-edit" in {row["kind"] for row in listed}


def test_a_skill_that_vanishes_ends_no_session(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Nothing is written, and the trial can be stopped."""
    tried(home, file)
    kept = file.read_text("utf-8")
    file.unlink()
    begins(outside, project, "s1")
    assert not file.exists()
    file.write_text(kept, "utf-8")
    words = ("skills", "trial", "locks", "--stop", "--project", str(home.project))
    assert 1 == home.here(*words).exit_code  # not a person
    assert 0 == home.typed(*words)[0]
    begins(outside, project, "s2")
    with outside.ledger.reading() as reader:
        assert [] == trials.open_trials(reader)


def ending(outside: Outside) -> str | None:
    """How the skill's comparison ended, once it was looked at."""
    settle(outside)
    with outside.ledger.reading() as reader:
        ((_, history),) = compared(reader)
        return history.evaluations[-1].verdict


def test_a_rollback_in_a_trial_ends_it(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """What a person accepted stays, though sessions begin before it is known to have ended."""
    tried(home, file)
    accepted(home, proposed(home, "rollback", "locks"))
    for number in range(4):
        begins(outside, project, f"s{number}")
        ends(outside, f"s{number}")
        assert not has_new(file)
    assert "rolled-back" == ending(outside)
    assert not has_new(file)


def test_a_trial_ends_with_what_it_compares(home: Home, file: Path, outside: Outside) -> None:
    """Taken back, or its folder renamed; it goes on while nothing of the kind happened."""
    name = tried(home, file)
    assert ending(outside) is None
    file.parent.rename(file.parent.with_name("padlocks"))
    assert "stopped" == ending(outside)
    file.parent.with_name("padlocks").rename(file.parent)
    words = ("evolve", "accept", name, "--trial", "--project", str(home.project))
    assert 0 == home.typed(*words)[0]
    assert ending(outside) is None
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert "rolled-back" == ending(outside)


def test_a_trial_is_not_begun_anew(home: Home, file: Path) -> None:
    """Nor its pairs lost: accepted again, it goes on."""
    words = ("evolve", "accept", tried(home, file), "--trial", "--project", str(home.project))
    code, said = home.typed(*words)
    assert (1, True) == (code, "begun already" in said)
    begun = [event for event in home.events(Kind.SKILL) if event["action"] == "evaluating"]
    assert 1 == len(begun)


def test_what_git_tracks_is_swapped_only_if_the_person_agrees(home: Home, file: Path) -> None:
    """The question names the file; without a yes nothing is written."""
    for called in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", "-C", str(home.project), *called], check=True)
    name = revised(home, file, "Stop the producers.")
    words = ("evolve", "accept", name, "--trial", "--project", str(home.project))
    code, said = home.typed(*words, answers=["y", "n"])
    assert (1, True, False) == (code, "git tracks" in said, has_new(file))
    assert 0 == home.typed(*words, answers=["y", "y"])[0]
    assert has_new(file)


def test_only_another_text_of_a_skill_is_tried(home: Home, file: Path) -> None:
    """What is accepted without a trial has none."""
    accepted(home, revised(home, file, "Stop the producers."))
    said = home.here("skills", "trial", "locks", "--project", str(home.project))
    assert 3 == said.exit_code


def test_the_hook_of_a_session_that_begins_draws(home: Home, file: Path, outside: Outside) -> None:
    """What it found in place; once, though it reports again."""
    tried(home, file)
    trials.conclude(outside)
    found = text_hash(file.read_text("utf-8"))
    for _ in range(2):
        reported(home.path, home.project, "s1", lambda: PASSED, "locks")
    drawn = [event for event in home.events(Kind.SKILL) if event["action"] == "drawn"]
    assert [found] == [event["digest"] for event in drawn]
