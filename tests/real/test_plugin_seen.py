"""The real Claude Code with the plug-in, and with the hooks of `init` beside it."""

import subprocess
from collections import Counter
from collections.abc import Mapping

import pytest

from tests.real.test_claude_code import FIRST_PROMPT, injections
from tests.support.beside_client import APPROACH, LEARNT, Learnt
from tests.support.model_server import call, say
from tests.support.other_clients import Codex
from tools.plugins import ROOT

TRIES = 5


@pytest.mark.slow
def test_a_plug_in_beside_the_settings_counts_each_event_once(learnt: Learnt) -> None:
    """Both are registered: each event is one report, the note comes once, `doctor` says so."""
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    learnt.remember(project)
    # Where the program is, as after `uv tool install`; and the home, which is not the default one.
    client.more = {"PATH": f"{LEARNT.parent}:{client.environment['PATH']}"}
    client.more["LEARNT_HOME"] = str(learnt.home)
    for words in (["marketplace", "add", str(ROOT)], ["install", "learnt@learnt"]):
        subprocess.run(
            [str(client.binary), "plugin", *words],
            env=client.environment, check=True, capture_output=True, timeout=60,
        )  # fmt: skip

    script = [call("Bash", command="echo built"), say("Let me see.")]
    shown: list[int] = []
    while 1 not in shown and len(shown) < TRIES:  # a busy machine answers too late to be shown
        run = client.run(project, FIRST_PROMPT, script, arguments=["--include-hook-events"])
        shown.append(injections(run, FIRST_PROMPT))

    assert run.exit_code == 0 and shown[-1] == 1, (shown, run.errors)
    fired = Counter(
        said["hook_event"] for said in run.messages if said.get("subtype") == "hook_started"
    )
    assert fired["UserPromptSubmit"] == fired["SessionStart"] == fired["Stop"] == 2
    state = learnt.json("status", "--project", str(project))
    # On a busy machine the second copy may time out, and then the count is taken back.
    assert state["recalls"] - state["not_delivered"] == state["reuses"] <= 1
    assert len(state["last_episodes"]) == len(shown)
    assert "Claude Code calls Learnt twice at" in learnt("doctor")


class CodexWithPlugin(Codex):
    """Codex with the plug-in, installed by its own commands into a configuration made again."""

    def variables(self, url: str) -> dict[str, str]:
        given = super().variables(url)
        for words in (["marketplace", "add", str(ROOT)], ["add", "learnt@learnt"]):
            self.call("plugin", *words, given=given)
        return given

    def call(self, *words: str, given: Mapping[str, str]) -> None:
        """One of its commands."""
        subprocess.run(
            [str(self.binary), *words],
            env={**self.environment, **given}, check=True, capture_output=True, timeout=60,
        )  # fmt: skip


@pytest.mark.slow
def test_codex_plug_in_beside_its_settings_counts_each_event_once(learnt: Learnt) -> None:
    """Its marketplace and its hooks are read by the real client; the note comes once."""
    binary = Codex.find()
    if binary is None:
        pytest.skip("no codex: set LEARNT_TEST_CODEX or install it into .tools")
    project = learnt.client.project("alpha")
    codex = CodexWithPlugin(binary, learnt.client)
    path = f"{LEARNT.parent}:{codex.environment['PATH']}"
    codex.environment |= {"PATH": path, "LEARNT_HOME": str(learnt.home)}
    learnt.remember(project)
    shown: list[int] = []
    for both in (False, True):
        if both:
            learnt("init", "--agent", "codex")
        for _ in range(TRIES):  # its first start gets the hook from the program
            played = codex.run(project, FIRST_PROMPT, [say("Let me see.")])
            assert played.exit_code == 0, played.output + played.errors
            shown.append(played.seen(0).count(APPROACH))
            if shown[-1]:
                break
        assert shown[-1] == 1, (both, shown)

    episodes = learnt.json("status", "--project", str(project))["last_episodes"]
    assert len({row["session"] for row in episodes}) == len(episodes)
    assert "Codex calls Learnt twice at" in learnt("doctor")
