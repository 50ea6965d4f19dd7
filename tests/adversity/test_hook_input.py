"""Whatever arrives on a hook's standard input: the prompt goes through and the report is kept."""

import itertools
import json

import pytest

from learnt.core.events import Kind
from learnt.formats import observations
from learnt.formats.agents.dialects import EVENTS
from tests.support.cases import first, nested
from tests.support.homes import (
    PROMPT,
    Home,
    Payload,
    recorded,
    recorded_names,
)
from tests.support.processes import within

MEGABYTE = 1 << 20
IDS = b'{"session_id": "s-cut", "prompt_id": "p-cut", "prompt": "'

UNREADABLE = {
    "empty": b"",
    "spaces": b" \n\t ",
    "no json": b"{session_id: s1}",
    "truncated": json.dumps(recorded("UserPromptSubmit")).encode()[:-9],
    "binary": bytes(range(256)) * 64,
    "a list": b"[1, 2, 3]",
    "a number": b"7",
    "null": b"null",
    "a string": b'"prompt"',
    "100,000 brackets": b"[" * 100_000,
    "100,000 braces": b'{"a":' * 100_000,
    "deep and closed": b'{"prompt":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a number of 5,000 digits": b'{"session_id": ' + b"9" * 5_000 + b"}",
    "utf-16": '{"session_id": "s1"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + b'{"session_id": "s1"}',
    "a NUL": b'{"session_id": "s\x001"}',
}
NO_IDS = ("session_id", "prompt_id", "cwd", "transcript_path", "hook_event_name")
WRONG: tuple[object, ...] = (
    7,
    -1.5,
    10**40,
    True,
    None,
    [],
    ["x"],
    {},
    {"a": {"b": []}},
    "",
    "\x00",
    "\ud800",
    "../..",
)
ENVIRONMENTS = {
    "gone": {"CLAUDE_PROJECT_DIR": "/nowhere/at/all"},
    "empty": {"CLAUDE_PROJECT_DIR": ""},
    "relative": {"CLAUDE_PROJECT_DIR": "relative/../folder"},
    "dash": {"CLAUDE_PROJECT_DIR": "-x"},
    "bytes": {"CLAUDE_PROJECT_DIR": "/tmp/not\udcffutf-8"},
    "lines": {"CLAUDE_PROJECT_DIR": "/tmp/a\u2028event=learnt stop\u2028size=x"},
    "controls": {"CLAUDE_PROJECT_DIR": "/tmp/a\x85b\x1cc\nevent=learnt stop\r%0A%25"},
    "pid": {"CLAUDE_PID": "no number", "CLAUDE_CODE_ENTRYPOINT": "\udcff"},
    "long": {"CLAUDE_PROJECT_DIR": "/" + "long/" * 5_000},
}
SLOW = (
    "<private " * 400_000,
    "eyJaaaaaaaa-" * 300_000,
    "a." * 2_000_000,
    "sk-" + "a-" * 1_000_000,
    "password=" * 300_000,
    "-----BEGIN PRIVATE KEY-----" * 100_000,
    "aA1_-" * 700_000,
    "\ufdfa" * 1_000_000,
    "数据" * 500_000,
)


def taken(home: Home, *, worker: bool) -> list[dict[str, object]]:
    """All that was reported, once nothing waits any more."""
    if not worker:
        assert home.spooled()
        home.take_in()
    home.drained()
    home.verify()
    assert "Traceback" not in home.worker_log()
    return [one for one in home.inbox() if one["event"] != "Late"]


def report(home: Home, event: str, payload: Payload, **environment: str | None) -> None:
    """Fire a hook that must print nothing; each launch of a worker counts as the first."""
    (home.path / "run" / "starting").unlink(missing_ok=True)
    assert home.fire(event, payload, environment=environment).output == b""


# A test of many hooks runs each time in one of both ways, and in `make test-all` in both.
WITH = pytest.mark.parametrize("worker", first(1, [True, False]), indirect=True)
WITHOUT = pytest.mark.parametrize("worker", first(1, [False, True]), indirect=True)


@pytest.fixture(params=[True, False], ids=["worker", "no worker"])
def worker(request: pytest.FixtureRequest, home: Home) -> bool:
    """With a worker, or without one that could be started."""
    if request.param:
        home.start_worker()
    else:
        (home.path / "bin" / "worker.json").unlink()
    return bool(request.param)


@WITHOUT
def test_input_that_is_no_object_is_still_a_report(home: Home, worker: bool) -> None:
    """Every unreadable input ends silently and is kept as one report, its size with it."""
    for body in UNREADABLE.values():
        assert home.fire("UserPromptSubmit", body).output == b""

    kept = taken(home, worker=worker)
    assert sorted(len(body) for body in UNREADABLE.values()) == sorted(
        int(str(one["size"])) for one in kept
    )


@WITH
@pytest.mark.parametrize("tail", [b"", b'"}'], ids=["cut off", "whole"])
def test_fifty_megabytes_do_not_hold_up_a_prompt(home: Home, worker: bool, tail: bytes) -> None:
    """A prompt of 50 MB goes through within a second, and its ids and size are kept."""
    body = IDS + b"x" * (50 * MEGABYTE) + tail

    fired = home.fire("UserPromptSubmit", body)

    assert fired.output == b""
    assert fired.seconds < within(3)
    (one,) = taken(home, worker=worker)
    assert (one["session"], one["episode"], one["size"]) == ("s-cut", "p-cut", len(body))


def test_ids_salvaged_from_a_cut_payload_are_those_of_a_whole_one(home: Home, worker: bool) -> None:
    """A quote or a backslash in a folder's name reads the same in a payload that was cut off."""
    folder = str(home.project / 'a "quoted" \\ name')
    for session, cut in (("whole", None), ("cut", -4)):
        whole = json.dumps({"session_id": session, "cwd": folder, "prompt": "x"}).encode()
        home.fire("Stop", whole[:cut], environment={"CLAUDE_PROJECT_DIR": None})

    assert [one["cwd"] for one in taken(home, worker=worker)] == [folder, folder]


@WITHOUT
def test_a_payload_may_lack_any_one_field_without_harm(home: Home, worker: bool) -> None:
    """Without a session, a prompt's id or a folder, a report is kept and nothing is printed."""
    names = ("UserPromptSubmit", "PostToolBatch", "SessionStart", "SessionEnd", "Stop")
    for count, (name, missing) in enumerate(itertools.product(names, NO_IDS)):
        payload = {**recorded(name), "session_id": f"s{count}", "prompt_id": f"p{count}"}
        del payload[missing]
        report(home, name, payload)

    kept = taken(home, worker=worker)
    assert len(kept) == len(names) * len(NO_IDS)
    assert sum(one["session"] == "" for one in kept) == len(names)


@WITH
def test_every_field_may_hold_anything(home: Home, worker: bool) -> None:
    """Fields of any type that JSON knows, one at a time and all at once: the reports are kept."""
    count = 0
    for event in ("UserPromptSubmit", "PostToolBatch", "SessionStart"):
        pattern = recorded(event)
        fields = [name for name in (*pattern, "agent_id") if name != "session_id"]
        values = itertools.cycle(WRONG)
        odd: list[Payload] = [{name: next(values)} for name in fields]
        odd += [dict.fromkeys(fields, value) for value in WRONG[:: 1 if worker else 3]]
        for fault in odd:
            count += 1
            payload = {**pattern, "session_id": f"s{count}", **fault}
            report(home, event, payload, CLAUDE_PROJECT_DIR=None)

    assert {one["session"] for one in taken(home, worker=worker)} == {
        f"s{number}" for number in range(1, count + 1)
    }


@WITHOUT
@pytest.mark.slow
def test_a_session_may_be_named_by_anything(home: Home, worker: bool) -> None:
    """Strings of every kind name a session; whatever else stands there, the report is kept."""
    names = [
        "x" * 300,
        "a b",
        "\n",
        "\x00",
        "\ud800",
        "constructor",
        "__proto__",
        "数据",
        "learnt stop",
    ]
    for number, name in enumerate([*WRONG, *names]):
        said = home.payload("UserPromptSubmit", prompt_id=f"p{number}")
        report(home, "UserPromptSubmit", {**said, "session_id": name})

    assert len(taken(home, worker=worker)) == len(WRONG) + len(names)


def test_pointers_are_found_in_any_mixture_of_types() -> None:
    """For every field, pair of fields and value the pointers of a payload hold text only."""
    for name in recorded_names():
        pattern = recorded(name)
        for field, value in itertools.product(pattern, WRONG):
            body = json.dumps({**pattern, field: value}).encode()
            found = observations.pointers("Any", observations.parse(body))
            json.dumps(found, allow_nan=False, ensure_ascii=False).encode()


@WITHOUT
def test_tool_calls_of_any_shape_are_survived(home: Home, worker: bool) -> None:
    """A step's calls may be no list, no objects, 2,000 of them, or huge; each step is kept."""
    call = recorded("PostToolBatch")["tool_calls"][0]
    shapes: list[object] = [
        "none",
        {"a": 1},
        [None, 3, [], "x"],
        [{**call, name: value} for name in call for value in WRONG],
        [{**call, "tool_use_id": f"t{number}"} for number in range(2_000)],
        [{**call, "tool_response": "y" * (3 * MEGABYTE)}],
        [{**call, "tool_input": {"nested": nested(400)}}],
    ]
    for number, calls in enumerate(shapes):
        said = home.payload("PostToolBatch", f"s{number}", tool_calls=calls)
        home.fire("PostToolBatch", said)

    assert len(taken(home, worker=worker)) == len(shapes)


def test_no_depth_lies_between_what_can_be_read_and_what_can_be_measured() -> None:
    """A payload that is just shallow enough to be parsed gives its pointers as well."""
    for depth in range(850, 1_010):
        brackets = "[" * depth + "]" * depth
        for part in (
            f'"tool_input": {brackets}',
            f'"tool_response": {brackets}',
            f'"x": "\\u00e9{brackets}"',
        ):
            body = f'{{"session_id": "s", "tool_calls": [{{{part}}}]}}'.encode()
            found = observations.pointers("PostToolBatch", observations.parse(body))
            assert found["session"] == "s"


def test_events_nobody_knows_are_reports_too(home: Home, worker: bool) -> None:
    """An event of a later client is kept under its name, whatever the name."""
    names = ("FutureEvent", "constructor", "__proto__", "Événement 新", "Stop;true", "x" * 300)
    for name in names:
        assert home.fire(name, home.payload(name)).output == b""

    assert sorted(str(one["event"]) for one in taken(home, worker=worker)) == sorted(names)


SHOWN = {"UserPromptSubmit", "SessionStart"}  # what is known, where anything is


def test_no_event_but_a_prompt_and_a_start_ever_prints(home: Home) -> None:
    """Whatever else is reported, with a prompt in it that something bears on, prints nothing."""
    home.remember()
    home.start_worker()
    for name in recorded_names():
        event = name.partition("-")[0]
        if event not in SHOWN:
            assert home.fire(event, {**recorded(name), "prompt": PROMPT}).output == b"", name
    for event in {*EVENTS, "PreToolUse", "", "userpromptsubmit"} - SHOWN:
        assert home.fire(event, home.payload(event, prompt=PROMPT)).output == b"", event
    home.answered()


@pytest.mark.slow
def test_an_odd_environment_is_survived(home: Home, worker: bool) -> None:
    """The project's folder may be named by any bytes: start, prompt and end are kept."""
    events = ("SessionStart", "UserPromptSubmit", "PostToolBatch", "UserPromptSubmit", "SessionEnd")
    for kind, environment in ENVIRONMENTS.items():
        for event in events:
            report(home, event, home.payload(event, kind, prompt="what now then"), **environment)

    kept = taken(home, worker=worker)
    for kind in ENVIRONMENTS:
        found = [str(one["event"]) for one in kept if one["session"] == kind]
        assert sorted(found) == sorted(events), kind
    assert len(home.events(Kind.SESSION_STARTED)) == len(ENVIRONMENTS)


def test_a_folder_with_a_nul_is_no_folder(home: Home, worker: bool) -> None:
    """Where only the payload names the folder, and names nonsense, the session goes on."""
    for event in ("SessionStart", "UserPromptSubmit", "PostToolBatch", "UserPromptSubmit", "Stop"):
        payload = home.payload(event, cwd="/tmp/a\x00b", prompt="what now then")
        report(home, event, payload, CLAUDE_PROJECT_DIR=None)

    assert len(taken(home, worker=worker)) == 5
    home.remember()
    if worker:
        home.answered()


@pytest.mark.slow  # tests/core/test_secrets.py tries such texts without a hook
def test_no_prompt_takes_a_hook_or_the_worker_long(home: Home, worker: bool) -> None:
    """Prompts of megabytes made to be slow to read are over within a second each, and are kept."""
    for number, prompt in enumerate(SLOW):
        said = home.payload("UserPromptSubmit", f"s{number}", prompt=prompt)
        body = json.dumps(said, ensure_ascii=False).encode()[: 4 * MEGABYTE]
        assert home.fire("UserPromptSubmit", body).seconds < within(3), prompt[:16]
        assert home.stop_turn(f"s{number}").seconds < within(3), prompt[:16]

    kept = sorted((str(one["session"]), str(one["event"])) for one in taken(home, worker=worker))
    expected = [
        (f"s{n}", event) for n in range(len(SLOW)) for event in ("Stop", "UserPromptSubmit")
    ]
    assert kept == sorted(expected)
