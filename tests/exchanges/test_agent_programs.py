"""An agent's program, asked one question: scripted programs that do what programs do."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from learnt.bootstrap import model_budget, text_model
from learnt.core.governance.model_calls import Completion, Question
from learnt.errors import LearntError, ModelUnusable, UsageError
from learnt.exchanges.text_model.agent_programs import AgentModel
from learnt.formats.agents.headless import READERS, NoReply
from learnt.installed import installing
from learnt.settings import INSIDE_VARIABLE, load
from tests.support.homes import wait_until
from tests.support.processes import is_running

QUESTION = Question("Be brief.", "What failed?", most_tokens=100)
CLAUDE = {
    "type": "result", "is_error": False, "result": "A test.", "stop_reason": "max_tokens",
    "total_cost_usd": 0.0021,
    "usage": {"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5},
}  # fmt: skip
CODEX = [
    {"type": "item.completed", "item": {"type": "error", "message": "odd model"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "A test."}},
    {"type": "turn.completed", "usage": {"input_tokens": 7, "output_tokens": 5}},
]
GEMINI = {
    "response": "A test.",
    "stats": {"models": {"flash": {"tokens": {"prompt": 7, "candidates": 5, "total": 12}}}},
}
PRINTED = {
    "claude": json.dumps(CLAUDE),
    "codex": "\n".join(map(json.dumps, CODEX)),
    "gemini": "A warning first\n" + json.dumps(GEMINI, indent=2),
}
SAID = {
    "claude": Completion("A test.", True, 7, 5, 2_100),
    "codex": Completion("A test.", False, 7, 5),
    "gemini": Completion("A test.", False, 7, 5),
}


def program(folder: Path, name: str, script: str) -> None:
    """A program of that name, the only one on the PATH before the system's."""
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    os.environ["PATH"] = f"{path.parent}:/usr/bin:/bin"


@pytest.mark.parametrize("agent", PRINTED)
def test_each_program_is_asked_apart_from_all_its_user_has(tmp_path: Path, agent: str) -> None:
    """By standard input, in an empty folder, marked for hooks, without an agent's own marks."""
    (tmp_path / "reply").write_text(f"\x1b[32m{PRINTED[agent]}\x1b[0m\n", encoding="utf-8")
    os.environ["CLAUDECODE"] = os.environ["CLAUDE_CODE_SESSION_ID"] = "1"
    program(tmp_path, agent, (
        f"cat > {tmp_path}/given; env > {tmp_path}/env; pwd > {tmp_path}/folder; ls > "
        f"{tmp_path}/ls; printf '%s\\n' \"$@\" > {tmp_path}/words; cat {tmp_path}/reply"
    ))  # fmt: skip

    assert SAID[agent] == AgentModel(agent, 20).complete(QUESTION)

    told = {name: (tmp_path / name).read_text("utf-8") for name in
            ("given", "env", "folder", "ls", "words")}  # fmt: skip
    assert "What failed?" == told["given"]
    assert f"{INSIDE_VARIABLE}=model\n" in told["env"]
    assert "CLAUDECODE" not in told["env"] and "SESSION_ID" not in told["env"]
    assert told["ls"] in {"", "system.md\n"}
    assert not Path(told["folder"].strip()).exists()
    assert {"claude": "--no-session-persistence", "codex": "--ephemeral", "gemini": "none"}[
        agent
    ] in told["words"].split()


@pytest.mark.parametrize("agent", PRINTED)
def test_what_is_no_reply_is_one_error(tmp_path: Path, agent: str) -> None:
    """A login that is asked for, nothing, prose, half a JSON: told in one line, without colours."""
    login, error = "\x1b[31mPlease run /login\x1b[0m", '{"error": {"message": "no"}}'
    for said in (login, "", '{"result', "[1]", error):
        program(tmp_path, agent, f"cat > /dev/null; printf '%s' '{said}' ; exit 1")
        with pytest.raises(ModelUnusable) as raised:
            AgentModel(agent, 20).complete(QUESTION)
        assert "\x1b" not in str(raised.value) and "\n" not in str(raised.value)
        assert "no reply" == raised.value.trouble
    program(tmp_path, agent, "echo 'Log in first' >&2; exit 3")
    with pytest.raises(ModelUnusable, match=r"exit 3.: Log in first"):
        AgentModel(agent, 20).complete(QUESTION)


def test_a_missing_program_costs_nothing() -> None:
    """It is named."""
    os.environ["PATH"] = "/nowhere"
    with pytest.raises(ModelUnusable, match="no program codex") as raised:
        AgentModel("codex", 5).complete(QUESTION)
    assert raised.value.free


@pytest.mark.parametrize("first", ["#!/nowhere/node", "\x7fELF no program"])
def test_a_program_that_cannot_be_started_is_an_error_of_ours(tmp_path: Path, first: str) -> None:
    """Its interpreter is gone, or it is of another machine; nothing was sent."""
    program(tmp_path, "claude", "")
    (tmp_path / "bin" / "claude").write_text(f"{first}\n", encoding="utf-8")
    with pytest.raises(ModelUnusable, match=r"claude|cannot be started"):
        AgentModel("claude", 20).complete(QUESTION)


def test_a_time_out_ends_the_program_and_what_it_started(tmp_path: Path) -> None:
    """The whole group, and within the time."""
    program(tmp_path, "codex", f"sleep 60 & echo $! > {tmp_path}/child; sleep 60")
    started = time.monotonic()
    with pytest.raises(ModelUnusable) as raised:
        AgentModel("codex", 1).complete(QUESTION)
    assert "time-out" == raised.value.trouble
    assert time.monotonic() - started < 10
    child = int((tmp_path / "child").read_text("utf-8"))
    wait_until(lambda: not is_running(child), "the child has ended")


def test_a_flood_is_cut_off(tmp_path: Path) -> None:
    """Long before its time is over."""
    program(tmp_path, "gemini", "yes")
    with pytest.raises(ModelUnusable) as raised:
        AgentModel("gemini", 60).complete(QUESTION)
    assert "flood" == raised.value.trouble


@given(st.sampled_from(sorted(READERS)), st.text() | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["result", "usage", "item", "type", "response", "stats", "error"]), inner
    ),
).map(json.dumps))  # fmt: skip
@example("codex", '{"type":[]}')
def test_whatever_is_printed_is_a_reply_or_none(agent: str, printed: str) -> None:
    """Never another error."""
    try:
        said = READERS[agent](printed)
    except NoReply:
        return
    assert said.tokens_in >= 0 <= said.tokens_out


CONFIG = {
    'use = "off"': None,
    'use = "claude"': "usd_per_million must tell",
    'use = "openai:small"': "usd_per_million must tell",
    'use = "openai:small"\nurl = "https://example.org"': "usd_per_million must tell",
    'use = "openai:small"\nurl = "http://127.0.0.1:11434/v1"': None,
    'use = "codex"\nusd_per_million = [0, 0]': None,
    "use = 7": "use must be",
    'use = "llama"': "use must be",
    'use = ":x"': "use must be",
    'key_from = "sk-abc"': "never a key itself",
    'key_from = "sk_abc"': "never a key itself",
    'url = "localhost:8080"': "url must be",
    "tokens_a_day = -1": "tokens_a_day must be",
    "tokens_a_day = true": "tokens_a_day must be",
    "usd_a_day = nan": "usd_a_day must be",
    "usd_per_million = [1]": "usd_per_million must be",
    "seconds = 0": "seconds must be",
}


@pytest.mark.parametrize("text", CONFIG)
def test_settings_are_good_or_refused(tmp_path: Path, text: str) -> None:
    """With the name of the setting; where no price is known, none is guessed."""
    (tmp_path / "config.toml").write_text(f"[models]\n{text}\n", encoding="utf-8")
    try:
        settings = load({}, str(tmp_path))
        made = text_model(settings)
        budget = model_budget(settings) if made else None
    except LearntError as error:
        assert isinstance(error, UsageError)
        assert (CONFIG[text] or "fine") in str(error)
        return
    assert CONFIG[text] is None
    assert ("off" in text) is (made is None) is (budget is None)
    assert budget is None or (0, 0) == (budget.micro_usd_in, budget.micro_usd_out)


WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pydantic_ai", "openai", "anthropic", "httpx2"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from learnt.bootstrap import text_model
from learnt.errors import ModelUnusable
from learnt.settings import ModelSettings, Settings
assert text_model(Settings(home=Path("h"), models=ModelSettings(use="codex"))).name == "codex"
try:
    text_model(Settings(home=Path("h"), models=ModelSettings(use="openai:small")))
except ModelUnusable as error:
    print(error)
"""


def test_without_the_extra_a_provider_is_told_to_need_it() -> None:
    """Agents' programs need nothing that is installed besides."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, timeout=60
    )
    assert (0, True) == (done.returncode, installing("models") in done.stdout), done.stderr
