"""The real Codex, Gemini CLI and opencode beside Claude Code: one memory for all of them.

What the model saw is looked up in the requests of the scripted model.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from learnt.core.knowledge.drafts import Draft
from tests.real.test_moments_seen import RULE, kept
from tests.support.beside_client import APPROACH, PROBLEM, Learnt
from tests.support.claude_code import ClaudeCode, find_client
from tests.support.homes import skip, wait_until
from tests.support.model_server import Turn, call, say
from tests.support.other_clients import Codex, GeminiCli, OpenCode, OtherClient, Played

PROMPT = "The gradle build fails with unsupported class file major version 65, why is that?"
LOOK = "Please have a look at the build of this project"
FAILING = f"echo '{PROBLEM}' >&2; make no-such-target; exit 3"
SHELLS = {
    "codex": ("exec_command", "cmd"),
    "gemini": ("run_shell_command", "command"),
    "opencode": ("bash", "command"),
}


@pytest.fixture
def learnt(tmp_path: Path) -> Iterator[Learnt]:
    """A home of Learnt, and the folder of a user who has whatever agents there are."""
    learnt = Learnt(ClaudeCode(find_client() or Path("claude"), tmp_path))
    yield learnt
    learnt.stop()


def client(kind: type[OtherClient], learnt: Learnt, *words: str) -> OtherClient:
    """The real client, which calls Learnt, or a skip that says why."""
    binary = kind.find()
    if binary is None or not binary.exists():
        skip(f"no {kind.program}: set LEARNT_TEST_{kind.program.upper()} or install it into .tools")
    made = kind(binary or Path(), learnt.client)
    learnt("init", "--agent", kind.program, *words)
    return made


def failing(kind: type[OtherClient]) -> Turn:
    """The model has a command run that fails with the known problem."""
    tool, word = SHELLS[kind.program]
    more = {"description": "Build"} if kind is OpenCode else {}
    return call(tool, **{word: FAILING}, **more)


def ask(of: OtherClient, project: Path, prompt: str, *script: Turn) -> Played:
    """One run, which ends well."""
    played = of.run(project, prompt, [*script, say("Let me see.")])
    assert played.exit_code == 0, played.output + played.errors
    return played


def outcomes(learnt: Learnt) -> list[tuple[object, object]]:
    """How the last episodes came out, the newest first: the trouble, and how many calls failed."""
    return [(e["trouble"], e["failed"]) for e in learnt.json("status")["last_episodes"]]


def inbox(learnt: Learnt) -> list[dict[str, Any]]:
    """What was reported, as the ledger holds it."""
    path = f"{(learnt.home / 'ledger.db').as_uri()}?mode=ro"
    with closing(sqlite3.connect(path, uri=True)) as ledger:
        return [json.loads(body) for (body,) in ledger.execute("SELECT body FROM inbox")]


def tools_reported(learnt: Learnt) -> set[str]:
    """The names of the tools that hooks reported calls of."""
    return {call["tool"] for one in inbox(learnt) for call in one["detail"].get("calls", ())}


def until_recalled(of: OtherClient, learnt: Learnt, project: Path) -> Played:
    """A prompt whose note came in time: a busy machine is asked again, in a session of its own."""
    for _ in range(4):
        played = ask(of, project, PROMPT)
        if APPROACH in played.seen(0):
            return played
    raise AssertionError(learnt("status") + learnt("doctor", "--json"))


@pytest.mark.parametrize("kind", [Codex, GeminiCli], ids=lambda kind: kind.program)
def test_the_loop_is_seen_in_the_models_request(learnt: Learnt, kind: type[OtherClient]) -> None:
    """What a person remembered stands beside the prompt; a command that fails is its outcome."""
    agent, project = client(kind, learnt), learnt.client.project("alpha")
    learnt.remember(project)

    recalled = until_recalled(agent, learnt, project)
    assert PROMPT in recalled.seen(0) and recalled.seen(0).count(APPROACH) == 1
    ask(agent, project, LOOK, failing(kind))

    wait_until(lambda: outcomes(learnt)[0] == ("command", 1), f"the outcome: {outcomes(learnt)}")
    status = learnt.json("status", "--project", str(project))
    assert status["sessions_attended"] == 0 and status["recalls"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Codex, GeminiCli], ids=lambda kind: kind.program)
def test_a_failure_is_told_its_cure(learnt: Learnt, kind: type[OtherClient]) -> None:
    """Behind the failed call, in the request that carries its result."""
    agent, project = client(kind, learnt), learnt.client.project("alpha")
    learnt.remember(project)
    for _ in range(4):
        played = ask(agent, project, LOOK, failing(kind), failing(kind))
        seen = [APPROACH in played.seen(number) for number in range(3)]
        if any(seen):
            break

    assert not seen[0] and seen[-1], seen


@pytest.mark.slow
def test_codex_is_given_a_rule_with_the_command_that_it_governs(learnt: Learnt) -> None:
    """In the request that carries the command's result; no start showed it, nor another call."""
    learnt.home.mkdir(parents=True, exist_ok=True)
    (learnt.home / "config.toml").write_text("[recall]\ncontents_tokens = 0\n")
    agent, project = client(Codex, learnt), learnt.client.project("alpha")
    kept(learnt, project, Draft(text=RULE, kind="rule"))
    listed, push = (call("exec_command", cmd=cmd) for cmd in ("ls", "git push --dry-run || true"))

    for _ in range(4):
        played = ask(agent, project, LOOK, listed, push, push)
        seen = [played.seen(number).count(RULE) for number in range(4)]
        if any(seen):
            break
    assert seen in ([0, 0, 1, 1], [0, 0, 0, 1]), seen


@pytest.mark.slow
@pytest.mark.timeout(300)  # which it mostly waits for hosts that it cannot reach
def test_opencode_is_told_at_a_prompt_or_at_a_failure(learnt: Learnt) -> None:
    """By its plug-in: what a person remembered is in the model's requests, once.

    Its agent opens another note by the server that `init` registered.
    """
    agent, project = client(OpenCode, learnt, "--allow-tools"), learnt.client.project("alpha")
    learnt.remember(project)
    fact = "the staging gateway listens on port 8443"
    kept = json.loads(learnt.typed("remember", fact, "--project", str(project), "--json"))
    opens = call("learnt_recall", handles=[str(kept["id"])[-5:]])

    played = ask(agent, project, PROMPT, failing(OpenCode), failing(OpenCode), opens)

    assert 1 == played.seen(-1).count(APPROACH), learnt("status")
    assert f'\\"text\\":\\"{fact}' in played.seen(-1)
    assert {"opencode"} == {str(one["agent"]) for one in inbox(learnt)}
    assert "mcp__learnt__recall" in tools_reported(learnt)


@pytest.mark.slow
def test_what_is_told_to_one_agent_is_known_to_all(learnt: Learnt) -> None:
    """A person says `remember` to Claude Code; the next sessions, of Codex and Gemini CLI, know."""
    if find_client() is None:
        skip("no Claude Code: set LEARNT_TEST_CLAUDE or install it into .tools")
    others = [client(kind, learnt) for kind in (Codex, GeminiCli)]
    learnt.init()
    project = learnt.client.project("alpha")
    fact = "the staging gateway listens on port 8443"
    said = [("Hello", "claude: Hello."), (f"Remember: {fact}", "claude: Kept.")]
    learnt.client.run_interactive(project, said, [say("Hello."), say("Kept.")])
    at = ("recall", "--project", str(project))
    wait_until(lambda: learnt.json(*at)["entries"], "what was said is kept", seconds=60)

    for agent in others:
        asked = "Which port does the staging gateway listen on?"
        seen = [fact in ask(agent, project, asked).seen(0) for _ in range(3)]
        assert any(seen), agent.program
    assert learnt.json("status")["sessions"] >= 3


@pytest.mark.slow
def test_a_session_is_read_where_it_was_written(learnt: Learnt) -> None:
    """What was said in Codex and in Gemini CLI is found later, with the way back into it."""
    project = learnt.client.project("alpha")
    for kind, resume in ((Codex, "codex resume "), (GeminiCli, "gemini --resume ")):
        ask(client(kind, learnt), project, f"Tell me about the {kind.program} walrus harness")
        learnt("sessions", "list", "--project", str(project))  # which reads in what waits
        words = ("recall", "--sessions", f"{kind.program} walrus", "--project", str(project))
        found = learnt.json(*words)["turns"]

        assert any("walrus harness" in turn["text"] for turn in found), found
        assert any(turn["resume"].startswith(resume) for turn in found)


@pytest.mark.slow
def test_a_prompt_goes_through_without_learnt(learnt: Learnt) -> None:
    """With the home gone each client gets its answer, and says nothing of a hook."""
    project = learnt.client.project("alpha")
    for kind in (Codex, GeminiCli):
        agent = client(kind, learnt)
        learnt.stop()
        shutil.rmtree(learnt.home)

        played = ask(agent, project, PROMPT)

        assert PROMPT in played.seen(0) and "learnt_hook" not in played.output + played.errors
