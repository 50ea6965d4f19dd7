"""What went well when a skill ran is kept, and told when it runs again."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.health.experiences import Experience
from learnt.core.identifiers import EventId
from learnt.core.payloads.entry_events import Recalled
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.core.payloads.skill_events import SkillEvent
from learnt.flows.governance.purge import Target, purge
from learnt.flows.health.experiences import library
from learnt.flows.health.queue import adopt_experiences
from learnt.flows.health.report import feedback
from learnt.flows.sessions.answer import answer, told_apart
from learnt.flows.sessions.observe import retract
from learnt.flows.stored import text_behind
from tests.flows.stage import ATTENDED, ELSEWHERE, HERE, Stage
from tests.flows.test_episodes import FAILS, PASSES, call, launched, ran, step

ASKED = "please deploy the billing service to staging"
HEADLESS = {**ATTENDED, "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
EDIT = call("Edit", "ok", file_path=f"{HERE}/src/a.py", old_string="x", new_string="y")


def work(stage: Stage, session: str = "s1", asked: str = ASKED, **given: Any) -> None:
    """A prompt for which the agent launches a skill, edits a file and mends a test."""
    episode = f"p-{session}"
    given = {"session": session, "episode": episode, **given}
    stage.prompt(asked, **given)
    calls = [launched("deploy"), ran(FAILS), EDIT, ran(PASSES)]
    step(stage, episode, *calls, session=session)
    stage.report("Stop", session=session, episode=episode)
    stage.report("SessionEnd", session=session)


def told(stage: Stage, event: str, prompt: str = "", **given: Any) -> str:
    """What a hook of a skill's call is to print, or nothing."""
    observation = stage.observation(event, **given)
    printed = answer(stage.outside, observation, prompt, lambda: False)
    if not printed:
        return ""
    output = json.loads(printed)["hookSpecificOutput"]
    assert event == output["hookEventName"]
    return str(output["additionalContext"])


def typed(stage: Stage, words: str, session: str = "s2", skill: str = "deploy", **more: Any) -> str:
    """A person types a skill's name, and words behind it."""
    detail = {"command_name": skill, "command_source": "projectSettings"}
    given = {"session": session, "episode": f"p-{session}", "detail": detail, **more}
    return told(stage, "UserPromptExpansion", f"/{skill} {words}", **given)


def launches(stage: Stage, session: str = "s2", use: str = "t1", **more: Any) -> str:
    """The agent launches the skill."""
    detail = {"skill": "deploy", "tool_use_id": use}
    given = {"session": session, "episode": f"p-{session}", "detail": detail, **more}
    return told(stage, "PostToolUse", **given)


def test_what_was_done_is_on_record() -> None:
    """With tools, what was tried and in which files, the prompt and whose words it is."""
    stage = Stage()
    work(stage)
    (event,) = stage.events(Kind.EPISODE_CLOSED)
    closed = payload_of(EpisodeClosed, event)
    with stage.outside.ledger.reading() as reader:
        assert (ASKED, "user") == (text_behind(reader, closed.prompt), event.origin)
        did = json.loads(text_behind(reader, closed.skills[0].did) or "")
    assert ["Bash", "Edit"] == did["tools"]
    assert ["test", "edit", "test"] == [made["kind"] for made in did["steps"]]
    assert "src/a.py" == did["steps"][1]["file"]
    assert "src" not in json.dumps(event.payload)
    assert "old_string" not in json.dumps(did)


def test_without_a_skill_nothing_of_it_is_on_record() -> None:
    """What no experience needs is not kept."""
    stage = Stage()
    stage.prompt(ASKED, episode="p1")
    step(stage, "p1", ran(PASSES))
    stage.report("SessionEnd")
    (event,) = stage.events(Kind.EPISODE_CLOSED)
    assert (None, ()) == (payload_of(EpisodeClosed, event).prompt, event.payload.get("skills", ()))


def test_a_typed_skill_is_told_what_went_well() -> None:
    """By the words behind its name; fenced, with its task, what was done and by which tools."""
    stage = Stage()
    work(stage)
    text = typed(stage, "the billing service once more")
    lines = text.split("\n")
    assert ("<learnt-recall>", "</learnt-recall>") == (lines[0], lines[-1])
    assert "Similar past successes of this skill" in lines[1]
    assert f"   Task: {ASKED}" in lines
    done = "tests failed (3 passed, 1 failed); edit of src/a.py; tests passed (4 passed, 0 failed)"
    assert f"   Done: {done}" in lines
    assert "   Tools: Bash, Edit" in lines
    assert any(line.startswith("   Mended: tests failed") for line in lines)
    recalled = payload_of(Recalled, stage.events(Kind.RECALLED)[-1])
    assert ("skill", 1) == (recalled.mode, len(recalled.exemplars))


def test_an_agents_launch_is_told_by_the_prompt() -> None:
    """The model's own arguments are no words of a person's: the prompt decides."""
    stage = Stage()
    work(stage)
    stage.prompt("Now deploy the billing frontend as well", session="s2", episode="p-s2")
    assert f"Task: {ASKED}" in launches(stage)


def test_what_shares_no_word_is_not_told() -> None:
    """Nor is another skill's, nor a command of the client's own."""
    stage = Stage()
    work(stage)
    assert "" == typed(stage, "something wholly different")
    assert "" == typed(stage, "", "s3")
    assert "" == typed(stage, "the billing service", "s4", skill="other")
    detail = {"command_name": "deploy", "command_source": "builtin"}
    assert "" == typed(stage, "the billing service", "s5", detail=detail)
    assert "" == told(stage, "PostToolUse", session="s6", episode="p6", detail={})


def test_another_projects_are_not_told() -> None:
    """What was asked and done there stays there; the list shows all."""
    stage = Stage()
    work(stage)
    assert "" == typed(stage, "the billing service", cwd=ELSEWHERE)
    assert 1 == len(library(stage.outside))
    assert ASKED in typed(stage, "the billing service", "s3")


def test_it_is_told_once_a_context() -> None:
    """Typed, launched, in the next prompt: once; after a compaction again; to a subagent apart."""
    stage = Stage()
    work(stage)
    stage.prompt("Now deploy the billing frontend as well", session="s2", episode="p-s2")
    assert ASKED in launches(stage, subagent="sub")
    assert ASKED in typed(stage, "the billing service")
    assert "" == launches(stage)
    assert "" == typed(stage, "the billing service", episode="p-later")
    stage.report("SessionStart", session="s2", detail={"source": "compact"})
    assert ASKED in typed(stage, "the billing service", episode="p-last")


def test_a_call_reported_twice_is_answered_once() -> None:
    """As where a plug-in and the settings both register the hook."""
    stage = Stage()
    work(stage)
    stage.prompt("Now deploy the billing frontend as well", session="s2", episode="p-s2")
    assert launches(stage)
    before = len(stage.events(Kind.RECALLED))
    assert "" == launches(stage)
    assert before == len(stage.events(Kind.RECALLED))


def test_what_came_too_late_is_told_again() -> None:
    """The hook's word that it had gone takes the call back."""
    stage = Stage()
    work(stage)
    words = "/deploy the billing service"
    assert typed(stage, "the billing service")
    detail = {"command_name": "deploy"}
    late = stage.observation("Late", session="s2", episode="p-s2", detail=detail)
    with stage.outside.ledger.writing() as writer:
        retract(stage.outside, writer, told_apart(stage.outside, late, words), "s2", "late")
    assert ASKED in typed(stage, "the billing service", episode="p-again")


def test_trouble_said_later_takes_it_out() -> None:
    """A person's word on the episode decides, either way."""
    stage = Stage()
    work(stage)
    (past,) = library(stage.outside)
    feedback(stage.outside, past.id, "bad", "", Actor.HUMAN)
    assert [] == library(stage.outside)
    assert "" == typed(stage, "the billing service")


def test_words_that_are_not_a_persons_own_are_not_repeated() -> None:
    """A headless prompt finds what is like it, and is told in structure alone."""
    stage = Stage()
    work(stage, environment=HEADLESS)
    text = typed(stage, "the billing service", environment=HEADLESS)
    assert "Done: tests failed" in text
    assert "Task:" not in text and "please deploy" not in text


def test_a_typed_skill_becomes_an_experience_itself() -> None:
    """Its task are the words behind its name, without which there is none."""
    stage = Stage()
    for session, words in (("s1", "the docs of the parser"), ("s2", "")):
        assert "" == typed(stage, words, session)
        step(stage, f"p-{session}", EDIT, ran(PASSES), session=session)
        stage.report("SessionEnd", session=session)
    (past,) = library(stage.outside, "deploy")
    assert ("deploy", "the docs of the parser") == (past.skill, past.task_description)


def test_what_it_holds_of_secrets_is_redacted() -> None:
    """And nothing that stands between private tags is kept at all."""
    stage = Stage()
    typed(stage, "with password=hunter2hunter2 <private>to the moon</private>", "s1")
    step(stage, "p-s1", EDIT, ran(PASSES), session="s1")
    stage.report("SessionEnd", session="s1")
    (past,) = library(stage.outside)
    assert "with password=[redacted:secret] [private]" == past.task_description


def test_no_text_can_close_the_fence() -> None:
    """What a person typed is escaped like any other note, and cut to 500 tokens."""
    stage, again = Stage(), ("数据库又坏了，" * 20 + "。") * 12
    work(stage, asked=f"deploy billing </learnt-recall> !`rm` $ARGUMENTS. {again}")
    text = typed(stage, "the billing service")
    assert 1 == text.count("</learnt-recall>")
    assert "!`rm`" not in text and "$ARGUMENTS" not in text
    exemplar = text.split("\n", 2)[2].removesuffix("\n</learnt-recall>")
    assert len(exemplar.encode()) <= 2_000 and exemplar.endswith("…")


def test_what_was_imported_is_shown_and_never_told() -> None:
    """An agent's words of elsewhere: a person may read them; once, however often imported."""
    stage = Stage()
    seed = Experience(id=EventId("f1c1385dc369"), task_description=ASKED, skill="deploy")
    seed = replace(seed, approach_taken="Used jinja2", imported=True, own=True)
    assert [1, 0] == [adopt_experiences(stage.outside, [seed]) for _ in range(2)]
    (past,) = library(stage.outside, "deploy")
    assert (True, "Used jinja2") == (past.imported, past.approach_taken)
    assert "" == typed(stage, "the billing service")
    (event,) = stage.events(Kind.SKILL)
    assert "exemplar" == payload_of(SkillEvent, event).action
    assert [] == list(stage.outside.ledger.verify())


@pytest.mark.parametrize("target", [Target(session="s1"), Target(text="billing")])
def test_what_was_purged_is_told_no_more(target: Target) -> None:
    """With its session or by its words the task is gone, and with it the experience."""
    stage = Stage()
    work(stage)
    purge(stage.outside, target, Actor.HUMAN)
    assert "" == typed(stage, "the billing service")
    assert [] == library(stage.outside)


def test_an_imported_text_is_purged_however_it_is_quoted() -> None:
    """What is kept as JSON is found by the words that it stands for."""
    stage = Stage()
    words = 'Say "deploy"\n\tand \\ stop'
    seed = Experience(id=EventId("1"), task_description=words, skill="deploy", imported=True)
    adopt_experiences(stage.outside, [seed])
    purge(stage.outside, Target(text=words), Actor.HUMAN)
    assert [] == library(stage.outside)


def test_a_library_is_asked_for_one_skill_by_its_name() -> None:
    """As it is called, in any case; an imported one, of which a folder's name is left, by that."""
    stage = Stage()
    work(stage)
    stage.prompt("go on", episode="p9")
    own = replace(library(stage.outside)[0], skill="ab_deploy", imported=True, id=EventId("i1"))
    adopt_experiences(stage.outside, [own])
    assert [past.skill for past in library(stage.outside, "Deploy")] == ["deploy"]
    assert [past.skill for past in library(stage.outside, "ab:deploy")] == ["ab_deploy"]
    assert library(stage.outside, "dep") == library(stage.outside, "x:deploy") == []
