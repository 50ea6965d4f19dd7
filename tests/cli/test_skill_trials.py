"""A trial: sessions get a skill's old or new text by a coin until one shows better."""

import itertools
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind, NewEvent, Where
from learnt.core.governance.proposals import text_hash
from learnt.core.health.outcomes import MILLION, Cause, Outcome, Trouble
from learnt.core.identifiers import ProjectId, session_subject
from learnt.core.payloads.session_events import (
    EpisodeClosed,
    SessionEnded,
    SessionStarted,
    SkillUse,
)
from learnt.core.safety import owned
from learnt.flows.governance.decisions import Decider
from learnt.flows.health import trial as trials
from learnt.flows.health.evaluate import compared, settle
from learnt.flows.sessions.locate import located_at, look
from learnt.formats import front_matter
from learnt.ports import Outside
from learnt.settings import Settings
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
    """What ended before is looked at, and a session starts."""
    trials.conclude(outside)
    with outside.ledger.writing() as writer:
        where = Where(agent="a", session=name, project=project)
        writer.append(
            NewEvent(session_subject("a", name), Actor.TOOL, SessionStarted(), where=where)
        )


def ends(
    outside: Outside, name: str, success: bool | None = None, read: str = "", prompt: str = "p"
) -> None:
    """It used the skill with a success, or not at all, and is over."""
    where = Where(agent="a", session=name, episode=f"{prompt}-{name}")
    subject = session_subject("a", name)
    with outside.ledger.writing() as writer:
        if success is not None:
            came = Outcome(grade=MILLION)
            if not success:
                came = Outcome(trouble=Trouble.TEST, cause=Cause.SKILL, grade=0)
            skill = writer.keep("skill", owned("locks"))
            use = SkillUse(skill=skill, by="agent", outcome=came, read=read)
            closed = EpisodeClosed(outcome=came, skills=(use,))
            writer.append(NewEvent(subject, Actor.LEARNT, closed, where=where))
        writer.append(NewEvent(subject, Actor.TOOL, SessionEnded(reason="exit"), where=where))


def has_new(file: Path) -> bool:
    """Whether the skill's file holds the new text."""
    return "producers" in file.read_text("utf-8")


def test_a_coin_draws_the_text_of_each_use(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """A session that did not use the skill draws nothing."""
    tried(home, file)
    had = []
    for number in range(40):
        begins(outside, project, f"s{number}")
        had.append(has_new(file))
        ends(outside, f"s{number}", success=True)
    assert 10 <= sum(had) <= 30
    assert 8 <= sum(one != other for one, other in itertools.pairwise(had)) <= 31
    begins(outside, project, "before")
    now = has_new(file)
    for number in range(10):
        ends(outside, f"idle{number}")
        begins(outside, project, f"idle{number}")
        assert now == has_new(file)
    home.here("evolve", "analyze", "--project", str(home.project))
    listed = home.here("evolve", "list", "--json").json["proposals"]
    assert {"new-version"} == {row["kind"] for row in listed}  # no swap was taken for an edit


def played(outside: Outside, project: ProjectId, file: Path, *, new_wins: bool) -> tuple[str, int]:
    """Sessions that succeed with one of the texts alone, until it is ruled; after how many."""
    for number in range(60):
        begins(outside, project, f"s{number}")
        ends(outside, f"s{number}", success=has_new(file) == new_wins)
        (looked,) = trials.conclude(outside)
        if looked.result.ruling.value != "undecided":
            return looked.result.ruling.value, number
    return "undecided", number


def test_a_better_text_is_promoted_and_stays(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Once the evidence is there, and no later session is drawn."""
    tried(home, file)
    ruling, sessions = played(outside, project, file, new_wins=True)
    assert ("better", True) == (ruling, has_new(file))
    assert sessions > 5
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


def counted(outside: Outside) -> tuple[int, Mapping[trials.Uncounted, int]]:
    """How many uses count in the trial that goes on, and why others do not."""
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
        found = trials.counted(reader, going)
    return len(found.uses), found.uncounted


def test_five_terminals_block_nothing(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Sessions go on beside each other, and read a file again that was swapped: each use counts."""
    tried(home, file)
    for number in range(5):
        begins(outside, project, f"s{number}")
    for number in range(5):
        ends(outside, f"s{number}", success=True, read=text_hash(file.read_text("utf-8")))
        trials.conclude(outside)
    assert (5, {}) == counted(outside)


def test_a_swapped_file_and_a_client_that_says_nothing(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Where nothing shows what was read, a use counts if the file was not swapped meanwhile."""
    tried(home, file)
    for name in ("s1", "s2"):
        begins(outside, project, name)
    for name in ("s1", "s2"):
        ends(outside, name, success=True)
        trials.conclude(outside)
    assert (1, {"text-unseen": 1}) == counted(outside)


def test_a_session_that_began_before_does_not_count(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """No coin drew its text."""
    begins(outside, project, "early")
    tried(home, file)
    ends(outside, "early", success=True, read=text_hash(file.read_text("utf-8")))
    assert (0, {"began-before": 1}) == counted(outside)


def test_a_use_of_another_text_does_not_count(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """What the transcript shows that the client read decides; it is shown, and why."""
    tried(home, file)
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
    for number in range(12):
        begins(outside, project, f"s{number}")
        mine = text_hash(file.read_text("utf-8"))
        (other,) = (digest for digest in going.texts if digest != mine)
        ends(outside, f"s{number}", success=True, read=other if number % 3 == 0 else mine)
    assert (8, {"other-text": 4}) == counted(outside)
    said = home.here("skills", "trial", "locks", "--project", str(home.project)).output
    assert "4 do not count: their client read another text" in said


def test_the_text_that_a_client_read_is_told_by_its_own_lines(
    home: Home, file: Path, outside: Outside
) -> None:
    """Whatever arguments stand behind it; what has lines of both, or of neither, is unsure."""
    tried(home, file)
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
        for digest, text in going.texts.items():
            body = f"Base directory for this skill: /x\n\n{text}\n\nARGUMENTS: now"
            assert digest == trials.text_read(reader, "locks", ["a hook's words", body])
        assert not trials.text_read(reader, "locks", [*going.texts.values()])
        assert not trials.text_read(reader, "locks", ["something else"])
        assert not trials.text_read(reader, "keys", [*going.texts.values()][:1])


def test_both_texts_have_one_description(home: Home, file: Path, outside: Outside) -> None:
    """Agents choose a skill by it: else a text could be used more often than the other."""
    new = TEXT.format(body="Stop the producers.").replace("description: ", "description: Always ")
    name = revised(home, file, new[new.index("---\n", 4) + 4 :])
    words = ("evolve", "accept", name, "--trial", "--project", str(home.project))
    assert 0 == home.typed(*words, answers=["y"])[0]
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
    described = {front_matter.read(text).get("description") for text in going.texts.values()}
    assert 1 == len(described) and 2 == len(going.texts)


def test_a_trial_that_ends_leaves_the_accepted_text(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Though the old one lay ready for the next session."""
    tried(home, file)
    with outside.ledger.reading() as reader:
        (going,) = trials.open_trials(reader)
    for number in range(20):
        begins(outside, project, f"s{number}")
        if not has_new(file):
            break
        ends(outside, f"s{number}", success=True)
    trials.stop(outside, going, Decider(actor=Actor.HUMAN))
    assert has_new(file)
    begins(outside, project, "later")
    assert has_new(file)


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


def test_another_text_is_proposed_once_a_trial_is_over(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """While a coin swaps the file, nobody can tell what it would replace: whichever text it has."""
    tried(home, file)
    words = ("--project", str(home.project))
    there: set[bool] = set()
    for number in range(30):
        there.add(has_new(file))
        said = home.here("skills", "rollback", "locks", *words)
        assert (1, True) == (said.exit_code, "skills trial locks --stop" in said.errors)
        if len(there) == 2:
            break
        begins(outside, project, f"s{number}")
        ends(outside, f"s{number}", success=True)
        trials.conclude(outside)
    assert 0 == home.typed("skills", "trial", "locks", "--stop", *words)[0]
    assert has_new(file)
    accepted(home, proposed(home, "rollback", "locks"))
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
    assert 0 == home.here("skills", "trial", "locks", "--project", str(home.project)).exit_code


def test_only_another_text_of_a_skill_is_tried(home: Home, file: Path) -> None:
    """What is accepted without a trial has none."""
    accepted(home, revised(home, file, "Stop the producers."))
    said = home.here("skills", "trial", "locks", "--project", str(home.project))
    assert 3 == said.exit_code


def test_a_text_is_tried_by_a_key_of_review(home: Home, file: Path) -> None:
    """Nobody needs to know a command: the question names the key."""
    revised(home, file, "Stop the producers.")
    code, said = home.typed("review", "--project", str(home.project), answers=["t", "q"])
    assert (0, True) == (code, "(t)ry it" in said), said
    going = home.here("skills", "trial", "locks", "--project", str(home.project), "--json")
    assert "undecided" == going.json["ruling"]


def test_each_session_that_used_it_draws_once(home: Home, file: Path, outside: Outside) -> None:
    """By its hooks: the draw that began the trial, and one for each use; none for a look at it."""
    tried(home, file)
    for number in range(3):
        reported(home.path, home.project, f"s{number}", lambda: PASSED, "locks")
        for _ in range(2):
            trials.conclude(outside)
    drawn = [event for event in home.events(Kind.SKILL) if event["action"] == "drawn"]
    assert 4 == len(drawn)
    assert text_hash(file.read_text("utf-8")) == drawn[-1]["digest"]


def test_the_command_says_what_counts_and_what_is_missing(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """The uses, the evidence, about how many more, which uses do not count; the window's worth."""
    words = ("skills", "trial", "locks", "--project", str(home.project))
    begins(outside, project, "early")
    tried(home, file)
    said = home.here(*words).output
    assert "  0 uses count" in said and "more needed: cannot be told yet" in said
    assert "first ten uses" not in said, "there is none yet"
    ends(outside, "early", success=True)
    had: list[bool] = []
    while len(had) < 6 or len({*had}) < 2:
        begins(outside, project, f"s{len(had)}")
        had.append(has_new(file))
        ends(outside, f"s{len(had) - 1}", success=had[-1])
    told, said = home.here(*words, "--json").json, home.here(*words).output
    assert ("undecided", len(had), {"began-before": 1}) == tuple(
        told[name] for name in ("ruling", "uses", "uncounted")
    )
    assert f"  {len(had)} uses count\n" in said
    assert "  1 do not count: their session began before the trial\n" in said
    evidence = (
        f"evidence for better {told['better']:.2g}, for worse {told['worse']:.2g}; 40 decides"
    )
    assert evidence in said and told["better"] > 1
    assert f"  more needed: about {told['needed']} uses" in said and told["needed"] > 0
    window = f"gap {told['gap']:.2f} before, {told['window']:.2f} after; this proves nothing"
    assert f"  the first ten uses of the new text: {window}\n" in said


def test_a_promoted_skill_has_an_effect_by_its_uses(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """With an interval that holds however often one looks, and what the text changed."""
    tried(home, file)
    _, sessions = played(outside, project, file, new_wins=True)

    (skill,) = home.here("health", "effect", "--json").json["skills"]
    known = skill["effect"]
    assert ("locks", "promoted", "better") == (skill["skill"], skill["verdict"], known["ruling"])
    assert 8 < known["units"] <= sessions + 1
    assert -0.5 < known["low"] <= 0.9 < known["estimate"] <= known["high"] == 1
    said = home.here("health", "effect").output
    assert f"{known['units']} uses" in said and "(skill, promoted)" in said


def test_a_use_after_its_trial_changes_no_effect(
    home: Home, file: Path, outside: Outside, project: ProjectId
) -> None:
    """Whichever text the coin drew last, what is read from then on is the one that won."""
    tried(home, file)
    played(outside, project, file, new_wins=True)
    known = home.here("health", "effect", "--json").json["skills"]
    for number, success in enumerate((False, True, False)):
        begins(outside, project, f"later{number}")
        ends(outside, f"later{number}", success=success)

    assert known == home.here("health", "effect", "--json").json["skills"]


def test_what_could_not_be_measured_is_named_with_the_reason(home: Home, file: Path) -> None:
    """Notes while effects are off, and a skill that no trial compared."""
    home.here("remember", "The staging gateway listens on port 8443", typed="")
    assert 0 == home.here("health", "effect").exit_code
    told = home.here("health", "effect", "--json").json["unmeasured"]
    assert {"share": 0.0, "warning": 0, "waiting": 1} == {
        k: told[k] for k in told if k != "untried"
    }
    assert "since effects are off" in home.here("health", "effect").output
