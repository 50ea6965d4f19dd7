"""`init` registers the MCP server with each agent; `uninstall` takes exactly that out."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from learnt.formats.agents.dialects import BY_NAME
from learnt.formats.agents.mcp_settings import TOOLS
from tests.cli.test_agents import ALL, probe, user, write
from tests.support.answers import Said
from tests.support.homes import Home

SERVERS = {
    "claude": "config.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "cursor": ".cursor/mcp.json",
}
every = pytest.mark.parametrize("name", BY_NAME)
# As a person might leave it: comments, own servers, odd spaces, no newline at the end.
BEFORE = {
    "claude": '{\n  "numStartups": 3,\n  "mcpServers": {"pg": {"command": "pg-mcp"}}\n}',
    "codex": '# mine\nmodel = "gpt"   # the good one\n\n[mcp_servers.pg]  # ours\ncommand = "pg"',
    "gemini": '{\n\t"mcpServers": {"pg": {"command": "pg-mcp"}},\n\t"theme": "dark"\n}\n',
    "opencode": '{\n  "mcp": {"pg": {"type": "local", "command": ["pg"]}}\n}\n',
    "cursor": '{"mcpServers": {"pg": {"command": "pg-mcp"}}}',
}


def file_of(home: Home, name: str) -> Path:
    """The file that names an agent's servers."""
    return home.config / ".claude.json" if name == "claude" else user(home) / SERVERS[name]


def held(home: Home, name: str) -> dict[str, Any]:
    """What an agent reads there."""
    text = file_of(home, name).read_text("utf-8")
    value: dict[str, Any] = tomllib.loads(text) if name == "codex" else json.loads(text)
    return value


def words_of(home: Home, name: str, server: str = "learnt") -> list[str]:
    """The words that start a server."""
    found = held(home, name)[BY_NAME[name].servers_key][server]
    command = found["command"]
    return list(command) if isinstance(command, list) else [command, *found.get("args", [])]


def unasked(home: Home, name: str) -> list[str]:
    """The tools that an agent uses without asking, by its own settings."""
    if name == "codex":
        tools = held(home, name)["mcp_servers"]["learnt"].get("tools", {})
        return [tool for tool, how in tools.items() if how == {"approval_mode": "approve"}]
    if name == "claude":
        settings = json.loads((home.config / "settings.json").read_text("utf-8"))
        return list(settings.get("permissions", {}).get("allow", []))
    if name == "opencode":
        return list(held(home, name).get("permission", {}))
    policy = user(home) / ".gemini" / "policies" / "learnt.toml"
    rules = tomllib.loads(policy.read_text("utf-8"))["rule"] if policy.exists() else []
    return [tool for rule in rules for tool in rule["toolName"] if rule["decision"] == "allow"]


def init(home: Home, *words: str) -> Said:
    """Set the named agents up, or all; it must end well."""
    said = home.here("init", *(words if "--agent" in words else (*ALL, *words)))
    assert said.exit_code == 0, said
    return said


@every
def test_the_server_is_put_beside_others(home: Home, name: str) -> None:
    """With the words that serve this home; what is there stays, comments and all."""
    write(file_of(home, name), BEFORE[name])
    said = init(home, "--agent", name)

    assert words_of(home, name)[1:] == ["--home", str(home.path), "mcp"]
    assert Path(words_of(home, name)[0]).name == "learnt"
    assert (
        words_of(home, name, "pg")[0].startswith("pg") and str(file_of(home, name)) in said.output
    )
    text = file_of(home, name).read_text("utf-8")
    if name == "codex":
        assert text.startswith(BEFORE[name])
    assert unasked(home, name) == []
    init(home, "--agent", name)
    assert text == file_of(home, name).read_text("utf-8")


@every
def test_uninstall_gives_back_every_byte(home: Home, name: str) -> None:
    """Of a file that nobody touched since, with the tools that were allowed, and set up twice."""
    before = write(file_of(home, name), BEFORE[name])
    init(home, "--agent", name)
    init(home, "--agent", name, "--allow-tools")

    assert home.here("uninstall").exit_code == 0
    assert file_of(home, name).read_bytes() == before


@every
def test_where_there_was_no_file_there_is_none_afterwards(home: Home, name: str) -> None:
    """Nor an empty folder."""
    init(home, "--agent", name, "--allow-tools")
    assert file_of(home, name).exists()
    home.here("uninstall")

    assert not file_of(home, name).exists()
    assert not (user(home) / ".gemini" / "policies").exists()


@every
def test_what_others_wrote_meanwhile_stays(home: Home, name: str) -> None:
    """The client edits its file, too: then our server and our permissions alone go."""
    write(file_of(home, name), BEFORE[name])
    init(home, "--agent", name, "--allow-tools")
    path = file_of(home, name)
    if name == "codex":  # it writes its own tables behind ours
        more = '\n[hooks.state."x"]  # trusted\ntrusted_hash = "1"\n'
        write(path, path.read_text("utf-8") + more)
    else:
        write(path, json.dumps({**held(home, name), "mine": [1]}, indent=4))
    home.here("uninstall")

    left = held(home, name)
    assert "learnt" not in path.read_text("utf-8")
    assert list(left[BY_NAME[name].servers_key]) == ["pg"]
    assert left.get("mine") == [1] or left["hooks"] == {"state": {"x": {"trusted_hash": "1"}}}
    if name == "codex":
        assert path.read_text("utf-8") == f"{BEFORE[name]}\n{more}"


def test_three_tools_are_allowed_by_their_exact_names(home: Home) -> None:
    """In each agent's own words, where it has such a setting; no other tool is named anywhere."""
    init(home, "--allow-tools")

    assert unasked(home, "claude") == [f"mcp__learnt__{tool}" for tool in TOOLS]
    assert unasked(home, "codex") == list(TOOLS) == ["recall", "remember", "relate"]
    assert unasked(home, "gemini") == [f"mcp_learnt_{tool}" for tool in TOOLS]
    assert unasked(home, "opencode") == [f"learnt_{tool}" for tool in TOOLS]
    written = [path.read_text("utf-8") for path in (user(home) / ".gemini").rglob("*.toml")]
    written += [file_of(home, name).read_text("utf-8") for name in BY_NAME]
    for word in ("propose", "accept", "confirm", "forget", "trust", "*"):
        assert not any(word in text for text in written), word


@pytest.mark.parametrize("words", [(), ("--yes",)])
def test_without_a_terminal_nothing_is_allowed(home: Home, words: tuple[str, ...]) -> None:
    """Nor by `--yes`: only by the option that says so."""
    init(home, *words)

    assert [unasked(home, name) for name in ("claude", "codex", "gemini", "opencode")] == [[]] * 4


@pytest.mark.parametrize("answer", ["y", "n"])
def test_a_person_is_asked_once(home: Home, answer: str) -> None:
    """And never again: the answer holds for agents that are set up later."""
    code, output = home.typed("init", "--agent", "claude", answers=(answer,))
    assert code == 0 and output.count("without asking you") == 1, output
    code, output = home.typed("init", "--agent", "codex")

    assert code == 0 and "without asking you" not in output, output
    allowed = answer == "y"
    assert len(unasked(home, "claude")) == len(unasked(home, "codex")) == 3 * allowed


def test_what_was_allowed_before_stays(home: Home) -> None:
    """Only the names that `init` added are taken out, also where the file was edited since."""
    settings = home.config / "settings.json"
    own = {"permissions": {"allow": ["Bash(ls)", "mcp__learnt__recall"], "deny": ["WebFetch"]}}
    write(settings, json.dumps(own))
    said = init(home, "--agent", "claude", "--allow-tools")
    assert "mcp__learnt__recall," not in said.output and "mcp__learnt__remember" in said.output
    edited = json.loads(settings.read_text("utf-8"))
    edited["permissions"]["allow"].append("Bash(make)")
    write(settings, json.dumps(edited))
    home.here("uninstall")

    own["permissions"]["allow"].append("Bash(make)")
    assert json.loads(settings.read_text("utf-8")) == own


def test_a_tool_that_a_person_forbade_since_stays_forbidden(home: Home) -> None:
    """In opencode's settings, where a tool is allowed and forbidden in the same place."""
    init(home, "--agent", "opencode", "--allow-tools")
    settings = held(home, "opencode")
    settings["permission"]["learnt_recall"] = "deny"
    write(file_of(home, "opencode"), json.dumps(settings))
    home.here("uninstall")

    assert {"learnt_recall": "deny"} == held(home, "opencode")["permission"]


@every
def test_a_server_of_somebody_else_is_left_alone(home: Home, name: str) -> None:
    """And named, by `init` and by `doctor`; none of its tools is allowed, and none taken out."""
    theirs = BEFORE[name].replace("pg", "learnt", 1)
    before = write(file_of(home, name), theirs)
    said = init(home, "--agent", name, "--allow-tools")

    assert "left alone" in said.output
    assert words_of(home, name)[0] != str(home.path)
    if name != "gemini":  # whose hooks stand in the same file
        assert file_of(home, name).read_bytes() == before
    if name in {"claude", "gemini"}:
        assert unasked(home, name) == []
    (found,) = probe(home, "mcp server")
    assert found["level"] == "ok" and "did not write" in found["said"]
    home.here("uninstall")
    assert file_of(home, name).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude", "{"), ("claude", '{"mcpServers": []}'), ("codex", "[a"), ("cursor", "// no\n{}"),
        ("codex", 'mcp_servers = {pg = {command = "pg"}}'), ("codex", "mcp_servers = 1"),
        ("opencode", '{"a": 1 "b": 2}'),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_left(home: Home, name: str, text: str) -> None:
    """The hooks are registered all the same, and one line says what is wrong with which file."""
    before = write(file_of(home, name), text)
    said = init(home, "--agent", name)

    assert "MCP server is not registered" in said.errors and str(file_of(home, name)) in said.errors
    assert file_of(home, name).read_bytes() == before


def test_a_dry_run_and_a_project_register_none(home: Home) -> None:
    """A dry run names the file; a project's settings are not one user's."""
    assert "Would register the MCP server" in home.here("init", "--dry-run", "--allow-tools").output
    home.here("init", "--agent", "claude", "--scope", "project")

    assert not file_of(home, "claude").exists()


def test_doctor_says_where_the_server_is_registered(home: Home) -> None:
    """And with whom it is not, with what helps."""
    init(home)
    (found,) = probe(home, "mcp server")
    assert found["level"] == "ok" and "Claude Code, Codex, Gemini CLI" in found["said"]
    write(file_of(home, "codex"), "")
    (found,) = probe(home, "mcp server")
    assert found["level"] == "warning" and "not registered with Codex" in found["said"]
    assert "learnt init" in found["todo"]


def test_another_home_gives_way_to_nobody(home: Home, tmp_path: Path) -> None:
    """The name is taken by the first home; the second says so, and leaves it at its uninstall."""
    init(home, "--agent", "cursor")
    before = file_of(home, "cursor").read_bytes()
    said = home.here("init", "--agent", "cursor", home=tmp_path / "other")
    home.here("uninstall", home=tmp_path / "other")

    assert "left alone" in said.output and file_of(home, "cursor").read_bytes() == before


def test_a_program_that_moved_is_named_anew(home: Home) -> None:
    """What a person added to the entry stays."""
    init(home, "--agent", "cursor")
    settings = held(home, "cursor")
    settings["mcpServers"]["learnt"] |= {"command": "/gone/bin/learnt", "env": {"A": "1"}}
    write(file_of(home, "cursor"), json.dumps(settings))
    init(home, "--agent", "cursor")

    assert words_of(home, "cursor")[0] != "/gone/bin/learnt"
    assert held(home, "cursor")["mcpServers"]["learnt"]["env"] == {"A": "1"}
