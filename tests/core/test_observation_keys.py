"""What makes two reports of a hook one: the natural key of each kind of observation."""

import pytest
from msgspec.structs import replace

from learnt.core.records import JsonValue
from learnt.core.safety import owned
from learnt.core.sessions.observations import DAYS_KEPT, LATE, LONGEST_PATH, Observation, from_json

STEP = Observation(
    id="1",
    ms=1,
    event="PostToolBatch",
    session="s",
    episode="p",
    detail={"calls": [{"id": "toolu_1", "failed": True}, {"id": "toolu_2"}]},
)


def seen(event: str, **detail: JsonValue) -> Observation:
    """An observation of the session."""
    return Observation(id="1", ms=1, event=event, session="s", episode="p", detail=detail)


def key(observation: Observation, activity: int = 5) -> tuple[str, ...]:
    """Its tuple."""
    return observation.key_parts(activity)


def test_a_step_is_told_by_its_first_tool_use() -> None:
    """Whatever else happened meanwhile, and whoever reports it."""
    again = replace(STEP, id="2", ms=9, cwd="/elsewhere")

    assert key(STEP, 1) == key(again, 7)
    assert ("claude-code", "s", "", "PostToolBatch", "toolu_1") == key(STEP)
    assert key(STEP) != key(replace(STEP, detail={"calls": [{"id": "toolu_2"}]}))
    assert key(STEP) != key(replace(STEP, session="t"))
    assert key(STEP) != key(replace(STEP, subagent="a"))


@pytest.mark.parametrize("detail", [{}, {"calls": []}, {"calls": [{"tool": "Bash"}]}])
def test_a_step_without_ids_is_told_by_what_lay_before(detail: dict[str, JsonValue]) -> None:
    """Two such steps of one prompt are two."""
    step = replace(STEP, detail=detail)

    assert "p/5" == key(step, 5)[-1]
    assert key(step, 5) != key(step, 6)


@pytest.mark.parametrize("event", ["Stop", "StopFailure", "SubagentStop"])
def test_a_second_stop_of_a_prompt_is_another(event: str) -> None:
    """If something lay between; without anything between it is the same one reported twice."""
    assert key(seen(event), 5) == key(seen(event), 5)
    assert key(seen(event), 5) != key(seen(event), 6)
    assert ("p", "5") == key(seen(event), 5)[-2:]


def test_a_session_starts_once_a_source_and_process() -> None:
    """A resume in another process is another start; activity does not matter."""
    start = seen("SessionStart", source="startup")

    assert key(start, 1) == key(start, 2)
    assert key(start) != key(seen("SessionStart", source="resume"))
    assert key(start) != key(replace(start, environment={"CLAUDE_PID": "7"}))


def test_a_second_compaction_is_another() -> None:
    """It has the same source, process and prompt as the first: what lay between parts them."""
    compact = seen("SessionStart", source="compact")

    assert key(compact, 5) == key(compact, 5)
    assert key(compact, 5) != key(compact, 6)


def test_a_session_ends_once_a_reason_and_process() -> None:
    """However much happened before."""
    end = replace(seen("SessionEnd", reason="clear"), environment={"CLAUDE_PID": "7"})

    assert key(end, 1) == key(end, 2)
    assert ("clear", "7") == key(end)[-2:]
    assert key(end) != key(replace(end, detail={"reason": "other"}))


def test_a_prompt_is_told_by_its_id_and_digest() -> None:
    """A prompt typed while the agent works carries the id of the one it is working on."""
    prompt = replace(seen("UserPromptSubmit"), digest="d1")

    assert key(prompt, 1) == key(replace(prompt, excerpt=owned("the text")), 2)
    assert key(prompt) != key(replace(prompt, digest="d2"))
    assert key(prompt) != key(replace(prompt, episode="q"))


def test_a_prompt_without_an_id_is_told_by_what_lay_before() -> None:
    """An older client names no prompt."""
    prompt = replace(seen("UserPromptSubmit"), episode="")

    assert key(prompt, 1) != key(prompt, 2)
    assert "/1" == key(prompt, 1)[4]


def test_a_command_is_told_from_another_of_the_same_prompt() -> None:
    """By its name."""
    one, other = (seen("UserPromptExpansion", command_name=name) for name in ("a", "b"))

    assert key(one) != key(other)


WORK = {"UserPromptSubmit", "PostToolBatch"}
REST = {"PostToolBatch", "SessionStart", "Stop", "StopFailure"}


@pytest.mark.parametrize(
    ("event", "named", "unnamed"),
    [
        ("Stop", WORK, WORK),
        ("StopFailure", WORK, WORK),
        ("SubagentStop", WORK, WORK),
        ("SessionStart", WORK, WORK),
        ("UserPromptSubmit", set(), REST),
        ("UserPromptExpansion", set(), REST),
        ("PostToolBatch", set(), REST),
        (LATE, set(), REST),
    ],
)
def test_what_parts_one_from_the_next(event: str, named: set[str], unnamed: set[str]) -> None:
    """A second of its kind differs by what lies between; one with a name needs nothing."""
    observation = seen(event)

    assert named == observation.parted_by
    assert unnamed == replace(observation, episode="").parted_by


def test_a_step_is_named_by_its_calls() -> None:
    """Where the agent names no prompt."""
    assert frozenset() == replace(STEP, episode="").parted_by
    assert REST == replace(STEP, episode="", detail={"calls": []}).parted_by


@pytest.mark.parametrize("event", ["Stop", "SessionStart", "SessionEnd", "PostToolBatch"])
def test_a_report_without_a_session_stands_alone(event: str) -> None:
    """Nothing tells it from another but that it was reported."""
    one = replace(seen(event), session="")

    assert key(one) == key(one)
    assert key(one) != key(replace(one, id="2"))


@pytest.mark.parametrize("folder", ["/a\x00b", "/" + "x" * LONGEST_PATH])
def test_a_folder_that_no_system_has_is_none(folder: str) -> None:
    """However it was named."""
    assert "" == replace(STEP, cwd=folder).folder
    assert "" == replace(STEP, cwd="/x", environment={"CLAUDE_PROJECT_DIR": folder}).folder
    assert 4_096 == LONGEST_PATH == len(replace(STEP, cwd="/" + "x" * 4_095).folder)


def test_the_calls_are_those_that_are_objects() -> None:
    """What a client sends is not trusted to be what it should be."""
    assert ({"id": "a"},) == seen("PostToolBatch", calls=[{"id": "a"}, "b", None]).calls
    assert () == seen("PostToolBatch", calls="x").calls == seen("PostToolBatch").calls


def test_the_folder_is_where_the_agent_was_started() -> None:
    """Not where it has moved to since; where it is, if that is all that is known."""
    here = replace(STEP, cwd="/moved")

    assert "/moved" == here.folder
    assert "/moved" == replace(here, environment={"CLAUDE_PROJECT_DIR": ""}).folder
    assert "/root" == replace(here, environment={"CLAUDE_PROJECT_DIR": "/root"}).folder
    assert ("", "9") == (here.process, replace(here, environment={"CLAUDE_PID": "9"}).process)


WHOLE = {
    "event": "Stop",
    "ms": 5,
    "agent": "a",
    "session": "s",
    "subagent": "u",
    "episode": "p",
    "cwd": "/c",
    "transcript": "/t",
    "size": 3,
    "detail": {"source": "x"},
    "environment": {"CLAUDE_PID": "7"},
    "excerpt": "e",
    "digest": "d",
}


def test_a_spool_file_gives_its_observation() -> None:
    """Each member where it belongs; the id is the file's name."""
    expected = Observation(
        id="name",
        ms=5,
        event="Stop",
        agent="a",
        session="s",
        subagent="u",
        episode="p",
        cwd="/c",
        transcript="/t",
        size=3,
        detail={"source": "x"},
        environment={"CLAUDE_PID": "7"},
        excerpt=owned("e"),
        digest="d",
    )

    assert expected == from_json(WHOLE, "name")  # type: ignore[arg-type]  # a plain table


def test_what_is_missing_or_odd_is_nothing() -> None:
    """Members of a wrong type are as good as absent; the agent is Claude Code by default."""
    odd: dict[str, JsonValue] = {**dict.fromkeys(WHOLE, 1.5), "event": "Stop"}
    odd["environment"] = {"CLAUDE_PID": 7, "CLAUDE_PROJECT_DIR": "/x"}

    plain = Observation(id="n", ms=0, event="Stop")

    assert replace(plain, environment={"CLAUDE_PROJECT_DIR": "/x"}) == from_json(odd, "n")
    assert plain == from_json({"event": "Stop"}, "n")
    assert plain == from_json({"event": "Stop", "environment": "x", "detail": []}, "n")


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"event": ""}, {"event": 1}])
def test_what_names_no_event_is_no_observation(value: JsonValue) -> None:
    """A file that holds something else is told from one that holds a report."""
    assert from_json(value, "n") is None


def test_observations_are_kept_for_a_week() -> None:
    """Long enough to be folded, short enough to be forgotten."""
    assert 7 == DAYS_KEPT
