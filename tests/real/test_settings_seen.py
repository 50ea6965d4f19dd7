"""The real clients and the table of settings: whether each runs the hook, and Learnt says so."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.beside_client import Learnt
from tests.support.claude_code import ClaudeCode
from tests.support.homes import skip
from tests.support.model_server import say
from tests.support.other_clients import Codex, GeminiCli, OtherClient
from tests.support.settings_table import ROWS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # a client starts for each row
OTHERS: dict[str, tuple[type[OtherClient], str]] = {
    "codex": (Codex, ".codex/hooks.json"),
    "gemini": (GeminiCli, ".gemini/settings.json"),
}


def test_claude_code_reads_the_table_as_it_says(client: ClaudeCode) -> None:
    """Each row in the user's settings, and a prompt."""
    project, ran = client.project("alpha"), client.folder / "ran"
    for row in ROWS:
        ran.unlink(missing_ok=True)
        client.settings.write_bytes(row.data("claude", f"cat > {ran}"))
        client.run(project, "hello", [say("ok")])
        assert ran.exists() == ("claude" in row.ran), row.name


@pytest.mark.parametrize("name", OTHERS)
def test_the_others_read_the_table_as_it_says(client: ClaudeCode, name: str) -> None:
    """Each row in the user's settings, and a prompt."""
    kind, place = OTHERS[name]
    binary = kind.find()
    if binary is None or not binary.exists():
        skip(f"no {kind.program}")
    other = kind(binary or Path(), client)
    project, ran, file = client.project("alpha"), client.folder / "ran", other.user / place
    more = json.loads(file.read_text("utf-8")) if file.exists() else {}
    for row in ROWS:
        ran.unlink(missing_ok=True)
        file.write_bytes(row.data(name, f"cat > {ran}", more))
        other.run(project, "hello", [say("ok")] * 3)
        assert ran.exists() == (name in row.ran), row.name


OFF, ON, EMPTY = {"disableAllHooks": True}, {"disableAllHooks": False}, dict[str, Any]()
SWITCHED = [
    (EMPTY, EMPTY, EMPTY),
    (OFF, EMPTY, EMPTY),
    (EMPTY, OFF, EMPTY),
    (EMPTY, EMPTY, OFF),
    (OFF, ON, EMPTY),
    (OFF, EMPTY, ON),
    (EMPTY, OFF, ON),
    ({"allowManagedHooksOnly": True}, EMPTY, EMPTY),
    ({"disableAllHooks": "true"}, EMPTY, EMPTY),
]


def test_doctor_says_that_hooks_are_off_exactly_where_claude_code_runs_none(learnt: Learnt) -> None:
    """By the user's settings, a project's, and its own, in every order that counts."""
    client = learnt.client
    learnt.init()
    with_hooks = json.loads(client.settings.read_text("utf-8"))
    project = client.project("alpha")
    folder = project / ".claude"
    folder.mkdir()
    ran = client.folder / "ran"
    seen = {"hooks": [{"type": "command", "command": f"cat > {ran}"}]}
    with_hooks["hooks"]["UserPromptSubmit"].append(seen)
    for layers in SWITCHED:
        ran.unlink(missing_ok=True)
        files = (client.settings, folder / "settings.json", folder / "settings.local.json")
        for file, told in zip(files, layers, strict=True):
            own = with_hooks if file == client.settings else {}
            file.write_text(json.dumps({**own, **told}), "utf-8")
        client.run(project, "hello", [say("ok")])
        found = learnt.json("doctor", "--project", str(project))["probes"]
        off = [
            probe for probe in found
            if probe["level"] == "problem" and probe["name"] in {"hook switch", "registration"}
        ]  # fmt: skip
        assert ran.exists() == (not off), (layers, found)
        assert not off or any(str(client.folder) in each["said"] for each in off)
        assert all(each["todo"] for each in off)


def test_a_turn_that_nobody_began_is_marked_by_the_client(learnt: Learnt) -> None:
    """The end of a command in the background begins a turn, and nobody typed it."""
    from learnt.formats.agents.transcripts import turns
    from tests.support.model_server import call

    client = learnt.client
    client.settings.write_text(json.dumps({"permissions": {"allow": ["Bash"]}}), "utf-8")
    script = [
        call("Bash", command="sleep 2", run_in_background=True),
        say("begun"),
        say("second", match="wait a moment"),
        say("told of", match="<task-notification>"),
        say("third", match="once more"),
    ]
    prompts = ["start it please", "wait a moment", "once more"]
    typed = [(prompts[0], "begun"), (prompts[1], "told of"), (prompts[2], "third")]
    client.run_interactive(client.project("alpha"), typed, script)
    (transcript,) = client.config.glob("projects/*/*.jsonl")

    found = [turn.prompt for turn in turns(transcript.read_bytes().splitlines())]
    assert prompts == found[:3] and found[3:] in ([], ["/exit"])


def test_what_hooks_say_is_no_prompt_and_marked_by_the_client(client: ClaudeCode) -> None:
    """What blocks a stop never reaches the prompt's hook; what wakes the client does, as a tag."""
    from learnt.formats.agents.transcripts import turns, typed

    ran = client.folder / "ran"

    def once(name: str, seconds: int, **more: Any) -> dict[str, Any]:
        at = client.folder / name
        line = f"cat >/dev/null; mkdir {at} || exit 0; sleep {seconds}; echo {name} >&2; exit 2"
        return {"type": "command", "command": line, **more}

    prompted = [{"hooks": [{"type": "command", "command": f"cat >> {ran}; echo >> {ran}"}]}]
    stops = [{"hooks": [once("blocks", 0), once("wakes", 3, asyncRewake=True)]}]
    hooks = {"UserPromptSubmit": prompted, "Stop": stops}
    client.settings.write_text(json.dumps({"hooks": hooks}), "utf-8")
    script = [say("begun"), say("told of", match="blocks"), say("woken", match="wakes")]
    client.run_interactive(client.project("alpha"), [("start it please", "woken")], script)
    (transcript,) = client.config.glob("projects/*/*.jsonl")

    lines = transcript.read_bytes().splitlines()
    prompts = [json.loads(line)["prompt"] for line in ran.read_text("utf-8").splitlines() if line]
    assert b"Stop hook feedback" in b"".join(lines) and len(prompts) == 2
    assert ["start it please"] == [each for each in prompts if typed(each)]
    assert ["start it please"] == [turn.prompt for turn in turns(lines)][:1]
    assert {turn.prompt for turn in turns(lines)} <= {"start it please", "/exit"}
