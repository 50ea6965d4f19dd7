"""Several agents set up at once: `init --agent`, `uninstall` and `doctor` of each."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from learnt.formats.agents.dialects import BY_NAME, DIALECTS
from learnt.surfaces.agent_files import managed_files
from tests.cli.test_companions import tree
from tests.support.answers import Said
from tests.support.cases import first
from tests.support.homes import Home

FILES = {
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/plugins/learnt.js",
    "cursor": ".cursor/hooks.json",
}
ALL = [word for name in BY_NAME for word in ("--agent", name)]


def user(home: Home) -> Path:
    """The throw-away user's folder."""
    return home.folder / "user"


def file_of(home: Home, agent: str) -> Path:
    """An agent's settings of the user."""
    return home.config / "settings.json" if agent == "claude" else user(home) / FILES[agent]


def write(path: Path, text: str | bytes) -> bytes:
    """Write a file, with the folders above it; its bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = text.encode() if isinstance(text, str) else text
    path.write_bytes(raw)
    return raw


def probe(home: Home, name: str) -> list[dict[str, str]]:
    """What `doctor` says under a name."""
    said = home.here("doctor", "--json")
    return [each for each in said.json["probes"] if each["name"] == name]


def registered(said: Said) -> dict[str, bool]:
    """By agent whether `init` changed its settings."""
    return {row["agent"]: row["changed"] for row in said.json["agents"]}


def test_all_agents_are_set_up_and_taken_out(home: Home) -> None:
    """Each in its own form and by a command that names it; what was there is there afterwards."""
    theirs = '{\n    "theme": "dark",\n    "hooks": {}\n}'
    before = write(file_of(home, "gemini"), theirs)
    folders = tree(user(home)), tree(home.config)
    said = home.here("init", *ALL, "--json")

    assert said.exit_code == 0 and registered(said) == dict.fromkeys(BY_NAME, True)
    for agent in DIALECTS:
        text = file_of(home, agent.name).read_text("utf-8")
        assert agent.argument("Stop") in text and str(home.path) in text
    assert json.loads(file_of(home, "cursor").read_text("utf-8"))["version"] == 1
    skill = user(home) / ".agents" / "skills" / "knowledge-governor"
    for folder in (home.config, user(home) / ".cursor"):
        assert (folder / "skills" / skill.name).resolve() == skill.resolve()
    assert not (user(home) / ".gemini" / "skills").exists()  # it reads `.agents/skills`
    assert registered(home.here("init", *ALL, "--json")) == dict.fromkeys(BY_NAME, False)

    assert home.here("uninstall").exit_code == 0
    assert file_of(home, "gemini").read_bytes() == before
    left = {name: text for name, text in tree(user(home)).items() if ".local" not in name}
    assert (left, tree(home.config)) == folders


def test_without_a_name_those_that_are_found_are_set_up(home: Home) -> None:
    """By the folder that each makes when it starts first; the others' are not made."""
    (user(home) / ".codex").mkdir()
    said = home.here("init", "--json")

    assert registered(said) == {"claude": True, "codex": True}
    assert not (user(home) / ".gemini").exists()


def test_on_a_terminal_each_that_is_found_is_asked_about(home: Home) -> None:
    """One that is declined is left alone."""
    for name in (".codex", ".gemini"):
        (user(home) / name).mkdir()
    code, output = home.typed("init", answers=("y", "n", "y", "n"))

    assert code == 0 and "Gemini CLI is here" in output, output
    assert not file_of(home, "codex").exists()
    assert "learnt_hook" in file_of(home, "gemini").read_text("utf-8")


def test_codex_tells_that_its_hooks_want_trust(home: Home) -> None:
    """By `init`, and by `doctor` until its configuration says that they are trusted."""
    assert "/hooks" in home.here("init", "--agent", "codex").output
    assert "warning" == probe(home, "codex trust")[0]["level"]
    config = user(home) / ".codex" / "config.toml"
    hooks = file_of(home, "codex")
    events = json.loads(hooks.read_text("utf-8"))["hooks"]
    trusted = [f'[hooks.state."{hooks}:{e}:0:0"]\ntrusted_hash = "sha256:0"\n' for e in events]

    write(config, "".join(trusted))
    assert "ok" == probe(home, "codex trust")[0]["level"]
    write(config, "[features]\nhooks = false\n")
    (off,) = probe(home, "hook switch")
    assert off["level"] == "problem" and str(config) in off["said"] + off["todo"]
    write(config, b"[features\nhooks = \xff")
    (said,) = probe(home, "codex trust")
    assert said["level"] == "warning" and "cannot be read" in said["said"]


@pytest.mark.parametrize("name", ["claude", "gemini"])
def test_hooks_that_are_switched_off_are_named(home: Home, name: str) -> None:
    """With the file and what to do, by `init` and by `doctor`; on again, neither says a word."""
    home.here("init", "--agent", name)
    assert not probe(home, "hook switch")
    file = file_of(home, name)
    settings = json.loads(file.read_text("utf-8"))
    switch = {"disableAllHooks": True} if name == "claude" else {"hooksConfig": {"enabled": False}}
    write(file, json.dumps({**settings, **switch}))

    (off,) = probe(home, "hook switch")
    assert off["level"] == "problem" and next(iter(switch)) in off["said"]
    assert str(file) in off["todo"]
    said = home.here("init", "--agent", name)
    assert said.exit_code == 0 and f"Take it out of {file}" in said.output


def test_a_switch_of_the_machine_counts_until_the_user_says_otherwise(home: Home) -> None:
    """Gemini CLI reads the machine's defaults before the user's settings."""
    home.here("init", "--agent", "gemini")
    defaults = home.folder / "system-defaults.json"
    write(defaults, '{"hooksConfig": {"enabled": false}}')
    named = {"GEMINI_CLI_SYSTEM_DEFAULTS_PATH": str(defaults)}

    def switch() -> list[dict[str, str]]:
        said = home.cli("doctor", "--json", environment=named)
        return [each for each in said.json["probes"] if each["name"] == "hook switch"]

    (off,) = switch()
    assert str(defaults) in off["said"] and off["todo"] == "Ask your administrator."
    settings = json.loads(file_of(home, "gemini").read_text("utf-8"))
    write(file_of(home, "gemini"), json.dumps({**settings, "hooksConfig": {"enabled": True}}))
    assert not switch()


def test_managed_settings_are_read_where_each_agent_reads_them(tmp_path: Path) -> None:
    """An administrator's; Claude Code's folder of parts counts after the one file."""
    mac = sys.platform == "darwin"
    claude = "Library/Application Support/ClaudeCode" if mac else "etc/claude-code"
    gemini = "/Library/Application Support/GeminiCli" if mac else "/etc/gemini-cli"
    parts = tmp_path / claude / "managed-settings.d"
    for name in ("20-more.json", "10-hooks.json", "notes.txt"):
        write(parts / name, "{}")
    listed = [parts.with_suffix(".json"), parts / "10-hooks.json", parts / "20-more.json"]

    assert listed == managed_files(BY_NAME["claude"], str(tmp_path))
    assert Path("/", claude, "managed-settings.json") == managed_files(BY_NAME["claude"])[0]
    assert [Path(gemini, "settings.json")] == managed_files(BY_NAME["gemini"])
    codex = [Path("/etc/codex/managed_config.toml"), Path("/etc/codex/requirements.toml")]
    assert codex == managed_files(BY_NAME["codex"])


def test_what_an_administrator_switched_off_nobody_switches_on(home: Home) -> None:
    """`doctor` and `init` name the managed file, whatever the user's settings say."""
    home.here("init", "--agent", "gemini")
    settings = json.loads(file_of(home, "gemini").read_text("utf-8"))
    write(file_of(home, "gemini"), json.dumps({**settings, "hooksConfig": {"enabled": True}}))
    managed = home.folder / "managed.json"
    write(managed, '{"hooksConfig": {"enabled": false}}')
    named = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(managed)}

    said = home.cli("doctor", "--json", environment=named).json["probes"]
    (off,) = (each for each in said if each["name"] == "hook switch")
    assert off["level"] == "problem" and str(managed) in off["said"]
    assert off["todo"] == "Ask your administrator."
    said = home.cli("init", "--agent", "gemini", environment=named).output
    assert str(managed) in said and "Ask your administrator." in said
    assert not probe(home, "hook switch")


@pytest.mark.parametrize("odd", [{"async": True}, {"type": "prompt"}, {"if": "Bash(git *)"}])
def test_a_hook_that_its_agent_does_not_wait_for_is_none(home: Home, odd: dict[str, Any]) -> None:
    """It runs beside the agent, on a condition, or as a prompt: nothing reaches the model."""
    home.here("init", "--agent", "claude")
    settings = json.loads(file_of(home, "claude").read_text("utf-8"))
    settings["hooks"]["UserPromptSubmit"][0]["hooks"][0].update(odd)
    write(file_of(home, "claude"), json.dumps(settings))
    assert "does not call Learnt at UserPromptSubmit" in probe(home, "registration")[0]["said"]


def test_a_folder_that_gemini_cli_was_told_not_to_trust_is_named(home: Home) -> None:
    """The rule of the longest path counts; one of a folder's parent is for the parent."""
    home.here("init", "--agent", "gemini")
    rules = {str(home.folder): "TRUST_FOLDER", str(home.project): "DO_NOT_TRUST"}
    file = user(home) / ".gemini" / "trustedFolders.json"
    write(file, json.dumps(rules))
    assert str(file) in probe(home, "hook switch")[0]["said"]
    write(file, json.dumps({**rules, f"{home.project}/below": "TRUST_PARENT"}))
    assert not probe(home, "hook switch")


def test_doctor_tells_what_each_agent_lets_be_seen(home: Home) -> None:
    """One line an agent that calls Learnt, by the same table as the docs; each event once."""
    assert probe(home, "registration")[0]["level"] == "problem"
    home.here("init", *ALL)
    said = {agent.name: probe(home, agent.name)[0]["said"] for agent in DIALECTS}

    assert all(each["level"] == "ok" for each in probe(home, "registration"))
    assert len(probe(home, "registration")) == len(DIALECTS)
    assert "Claude Code sees start, prompt, act, failure, file, screen" in said["claude"]
    assert "in part start; not prompt, act, failure" in said["cursor"]
    assert probe(home, "hook")[0]["level"] == "ok"


def test_an_agent_that_lost_a_hook_is_named(home: Home) -> None:
    """With the command that puts it back; one that is here and was never set up is named too."""
    home.here("init", "--agent", "gemini", "--agent", "cursor")
    settings = json.loads(file_of(home, "gemini").read_text("utf-8"))
    del settings["hooks"]["AfterTool"]
    write(file_of(home, "gemini"), json.dumps(settings))
    (user(home) / ".codex").mkdir()

    (lost,) = [each for each in probe(home, "registration") if each["level"] != "ok"]
    assert "does not call Learnt at AfterTool" in lost["said"] and "--agent gemini" in lost["todo"]
    assert "does not call Learnt" in probe(home, "codex")[0]["said"]


BROKEN: dict[str, tuple[str, str | bytes]] = {
    "comments": ("cursor", '// my settings\n{"version": 1}\n'),
    "a byte order mark": ("codex", "\ufeff{}"),
    "no mapping": ("cursor", '[{"version": 1}]'),
    "hooks of another kind": ("codex", '{"hooks": [1]}'),
    "toml": ("codex", "[hooks]\nStop = 1\n"),
    "no text": ("codex", b'{"description": "\xff"}'),
    "another's plug-in": ("opencode", "export const Mine = async () => ({})\n"),
    "half": ("cursor", '{"version": 1, "hooks": {"stop": ['),
}


@pytest.mark.parametrize("kind", first(3, list(BROKEN)))
def test_what_one_agent_has_broken_stops_no_other(home: Home, kind: str) -> None:
    """The file is named and left, byte for byte, with the reason; the others are set up."""
    agent, text = BROKEN[kind]
    before = write(file_of(home, agent), text)
    others = [name for name in ("claude", "cursor", "codex") if name != agent]
    chosen = [word for name in (agent, *others) for word in ("--agent", name)]
    said = home.here("init", *chosen)

    assert said.exit_code == 1
    assert str(file_of(home, agent)) in said.errors
    assert file_of(home, agent).read_bytes() == before
    for name in others:
        assert "learnt_hook" in file_of(home, name).read_text("utf-8")
    assert home.here("uninstall").exit_code == 0
    assert file_of(home, agent).read_bytes() == before


def test_settings_of_two_agents_broken_in_their_own_ways(home: Home) -> None:
    """Both are named, by `init` and by `doctor`; nothing else of the first is put in place."""
    broken = {name: file_of(home, name) for name in ("claude", "gemini")}
    for (_, text), file in zip(
        (BROKEN["half"], BROKEN["no mapping"]), broken.values(), strict=True
    ):
        write(file, text)
    said = home.here("init", "--agent", "claude", "--agent", "gemini", "--agent", "cursor")
    told = home.here("doctor", "--json").json["probes"]

    wrong = [probe["said"] for probe in told if "cannot be read" in probe["said"]]
    assert 2 == len(wrong)
    for file in broken.values():
        assert str(file) in said.errors and any(str(file) in each for each in wrong)
    assert "learnt_hook" in file_of(home, "cursor").read_text("utf-8")
    assert [broken["claude"]] == [p for p in broken["claude"].parent.rglob("*") if p.is_file()]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_settings_that_may_not_be_written_stop_no_other(home: Home) -> None:
    """A folder that is closed: told with its path, and the next agent is set up."""
    folder = user(home) / ".codex"
    folder.mkdir(mode=0o500)
    said = home.here("init", "--agent", "codex", "--agent", "cursor")

    assert said.exit_code == 1 and str(folder) in said.errors
    assert file_of(home, "cursor").exists()


def test_settings_that_are_a_folder_stop_no_other(home: Home) -> None:
    """Nothing can be written there, whoever asks."""
    file_of(home, "codex").mkdir(parents=True)
    said = home.here("init", "--agent", "codex", "--agent", "cursor")

    assert said.exit_code == 1 and str(file_of(home, "codex")) in said.errors
    assert file_of(home, "cursor").exists()


def test_an_uninstall_that_one_agent_refuses_is_finished_later(home: Home) -> None:
    """The others are taken out; the hook stays until the broken file is mended."""
    home.here("init", "--agent", "codex", "--agent", "gemini")
    whole = file_of(home, "gemini").read_bytes()
    write(file_of(home, "gemini"), whole + b"mine")
    said = home.here("uninstall")

    assert said.exit_code == 1 and str(file_of(home, "gemini")) in said.errors
    assert not file_of(home, "codex").exists()
    assert (home.path / "bin" / "learnt_hook.py").exists()
    write(file_of(home, "gemini"), whole)
    assert home.here("uninstall").exit_code == 0
    assert not file_of(home, "gemini").exists() and not list((home.path / "bin").iterdir())


def test_a_team_shares_an_entry_of_other_agents(home: Home) -> None:
    """Their settings of a project are the team's: --shared is asked for, and no path is in them."""
    refused = home.here("init", "--agent", "codex", "--scope", "project")
    assert refused.exit_code == 2 and "--shared" in refused.errors
    chosen = [word for name in ("codex", "opencode", "cursor") for word in ("--agent", name)]
    said = home.here("init", *chosen, "--scope", "project", "--shared")

    assert said.exit_code == 0, said
    for name in (".codex/hooks.json", ".opencode/plugins/learnt.js", ".cursor/hooks.json"):
        text = (home.project / name).read_text("utf-8")
        assert "learnt_hook" in text and str(home.folder) not in text
    assert home.here("uninstall").exit_code == 0
    assert not any((home.project / name).exists() for name in (".codex", ".opencode", ".cursor"))


def test_an_edited_plug_in_is_kept_aside(home: Home) -> None:
    """It would call a hook that is gone: it is taken out, and what was in it is in a backup."""
    home.here("init", "--agent", "opencode")
    file = file_of(home, "opencode")
    write(file, file.read_text("utf-8") + "// mine\n")
    assert home.here("uninstall").exit_code == 0

    assert not file.exists()
    backups = [path.read_text("utf-8") for path in (home.path / "backups").iterdir()]
    assert any(text.endswith("// mine\n") for text in backups)
