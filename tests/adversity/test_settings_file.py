"""The agent's settings: edited only where they are understood, and given back byte for byte."""

import json
from pathlib import Path

import pytest

from learnt.formats.agents.dialects import EVENTS
from learnt.formats.agents.hook_settings import is_shared, registered
from tests.support.homes import Home

OWN_HOOK = {"hooks": [{"type": "command", "command": "true # finé 数 \U0001f600", "timeout": 9}]}
TEXTS = {
    "empty": "",
    "an empty object": "{}",
    "spaces": "  \n",
    "one line": '{"model":"sonnet","hooks":{"Stop":[]}}',
    "own spacing": '{ "model": "sonnet",\n    "hooks": {"Stop":  [ ] },\n  "env": {} }',
    "tabs": '{\n\t"model": "x",\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash"\n\t\t]\n\t}\n}\n',
    "four spaces": json.dumps({"z": 1, "a": {"b": [1, 2.50, 1e3, True, None]}}, indent=4) + "\n",
    "own hooks": json.dumps({"hooks": {"Stop": [OWN_HOOK], "PreToolUse": [OWN_HOOK]}}, indent=2),
    "unicode": json.dumps({"a": "é数\U0001f600\u2028\x7f"}, ensure_ascii=False, indent=2) + "\n",
    "escapes": r'{"a": "\u00e9\/\ud83d\ude00\u0000", "b": "\\ \" \t"}',
    "half a character": r'{"a": "\ud83d", "b": "\udfff"}',
    "windows lines": '{\r\n  "model": "x",\r\n  "env": {}\r\n}\r\n',
    "many keys": json.dumps({f"k{number}": {"v": number} for number in range(2_000)}, indent=1),
    "odd hooks": '{"hooks": {"Stop": [7, null, "x", [], {}, {"hooks": 3}, {"hooks": [{}, 1]}]}}',
    "hooks are null": '{"hooks": null}',
    "an event is null": '{"hooks": {"Stop": null}}',
    "a byte order mark": "\ufeff{}",
    "the same key twice": '{"env": {"A": "1"}, "env": {"B": "2"}}',
    "a future event": '{"hooks": {"Later": [{"matcher": "*", "hooks": []}]}, "Later": 1}',
}
UNREADABLE = {
    "no JSON": "model = sonnet",
    "comments": '{\n  // mine\n  "model": "sonnet"\n}\n',
    "a comma too many": '{"model": "sonnet",}',
    "half": '{"model": "son',
    "a list": '[{"hooks": {}}]',
    "a string": '"hooks"',
    "null": "null",
    "hooks are a list": '{"hooks": []}',
    "deep": "[" * 100_000,
}


def settings_of(home: Home) -> Path:
    return home.config / "settings.json"


def write(path: Path, text: str) -> bytes:
    """Put a text there as it is; its bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path.read_bytes()


def ours(path: Path) -> list[str]:
    """The events on which the file calls Learnt, in order."""
    return [event for event, *_ in registered(json.loads(path.read_bytes()))]


@pytest.mark.parametrize("kind", TEXTS)
def test_uninstall_gives_back_every_byte(home: Home, kind: str) -> None:
    """After init and uninstall the file is what it was; init twice changes nothing more."""
    path = settings_of(home)
    before = write(path, TEXTS[kind])
    path.chmod(0o640)
    parsed = json.loads(before) if before.strip() else {}

    assert home.here("init").exit_code == 0
    after = path.read_bytes()
    assert sorted(ours(path)) == sorted(EVENTS)
    found = json.loads(after)
    kept = {name: value for name, value in found.items() if name != "hooks"}
    assert list(kept.items()) == [(n, v) for n, v in parsed.items() if n != "hooks"]
    for event, groups in (parsed.get("hooks") or {}).items():
        assert found["hooks"][event][: len(groups or [])] == (groups or [])
    stamp = path.stat().st_mtime_ns

    said = home.here("init", "--json")
    assert (said.exit_code, said.json["agents"][0]["changed"]) == (0, False)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (after, stamp)

    assert home.here("uninstall").exit_code == 0
    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o640


def test_indentation_and_characters_are_kept(home: Home) -> None:
    """What init writes is indented as the file was, in its characters and with its line ends."""
    path = settings_of(home)
    for kind, mark in (("tabs", "\n\t"), ("four spaces", "\n    "), ("windows lines", "\r\n  ")):
        write(path, TEXTS[kind])
        home.here("init")
        text = path.read_bytes().decode()
        assert f'{mark}"hooks": {{' in text, kind
        assert text.endswith("\n")
        assert text.count("\n") == text.count("\r\n") or "\r" not in text, kind
        home.here("uninstall")
    write(path, TEXTS["unicode"])
    home.here("init")
    assert "é数\U0001f600" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", UNREADABLE)
@pytest.mark.parametrize("command", ["init", "uninstall"])
def test_what_is_not_understood_is_refused_and_left(home: Home, kind: str, command: str) -> None:
    """Settings that are no settings: exit 1, the file named, not a byte changed, no hook placed."""
    path = settings_of(home)
    before = write(path, UNREADABLE[kind])
    said = home.here(command)

    assert said.exit_code == 1, said
    assert str(path) in said.errors
    assert path.read_bytes() == before
    assert list(home.config.iterdir()) == [path]


@pytest.mark.parametrize("what", ["bytes", "folder"])
def test_settings_that_cannot_be_read_at_all(home: Home, what: str) -> None:
    """A file that is no UTF-8, or a folder in its place: refused with the path, and left."""
    path = settings_of(home)
    if what == "bytes":
        path.write_bytes(b"\xfe\xff\x00{\x00}")
    else:
        path.mkdir()
    said = home.here("init")

    assert said.exit_code in {1, 5}
    assert str(path) in said.errors
    assert path.is_dir() or path.read_bytes() == b"\xfe\xff\x00{\x00}"


def test_a_refused_uninstall_keeps_what_undoes_it_later(home: Home) -> None:
    """Broken by the user after init, the file is refused; mended, uninstall works as ever."""
    path = settings_of(home)
    before = write(path, TEXTS["own hooks"])
    home.cli("init")
    registered_ = path.read_bytes()
    path.write_bytes(registered_ + b"// mine")
    assert home.cli("uninstall").exit_code == 1
    path.write_bytes(registered_)
    assert home.cli("uninstall").exit_code == 0

    assert path.read_bytes() == before


def test_uninstall_after_an_edit_removes_exactly_ours(home: Home) -> None:
    """What the user changed since init stays, whatever it is; only Learnt's handlers go."""
    path = settings_of(home)
    write(path, TEXTS["own hooks"])
    home.here("init")
    edited = json.loads(path.read_bytes())
    edited["added"] = {"é": [1]}
    edited["hooks"]["Stop"].append(OWN_HOOK)
    # The user moved one of ours into a group of their own.
    moved = edited["hooks"]["SessionEnd"].pop()
    edited["hooks"]["SessionEnd"].append({
        "matcher": "x",
        "hooks": [*OWN_HOOK["hooks"], 7, *moved["hooks"], {}],
    })
    path.write_text(json.dumps(edited, ensure_ascii=False), encoding="utf-8")
    assert home.here("uninstall").exit_code == 0

    left = json.loads(path.read_bytes())
    assert ours(path) == []
    assert left == {
        "hooks": {
            "Stop": [OWN_HOOK, OWN_HOOK],
            "PreToolUse": [OWN_HOOK],
            "SessionEnd": [{"matcher": "x", "hooks": [*OWN_HOOK["hooks"], 7, {}]}],
        },
        "added": {"é": [1]},
    }


@pytest.mark.parametrize("before", [None, TEXTS["own spacing"]], ids=["no file", "a file"])
def test_what_was_set_between_two_inits_outlives_uninstall(home: Home, before: str | None) -> None:
    """The second init rewrites the file; what stood there before the first is history then."""
    path = settings_of(home)
    if before is not None:
        write(path, before)
    home.here("init")
    edited = json.loads(path.read_bytes()) | {"model": "mine"}
    del edited["hooks"]["SessionStart"]
    write(path, json.dumps(edited))
    assert home.here("init", "--json").json["agents"][0]["changed"]
    home.here("uninstall")

    assert "mine" == json.loads(path.read_bytes())["model"]


def test_another_homes_hooks_stay(home: Home, tmp_path: Path) -> None:
    """Two homes in one settings file: uninstalling either takes out its own, in either order."""
    path = settings_of(home)
    before = write(path, TEXTS["own hooks"])
    second = tmp_path / "home-2"
    for first_out in (None, second):
        home.here("init")
        home.here("init", home=second)
        assert len(ours(path)) == 2 * len(EVENTS)
        home.here("uninstall", home=first_out)
        assert len(ours(path)) == len(EVENTS)
        home.here("uninstall", home=second if first_out is None else None)
        assert json.loads(path.read_bytes()) == json.loads(before)
        write(path, TEXTS["own hooks"])


@pytest.mark.parametrize("dangling", [False, True], ids=["to a file", "to nothing yet"])
def test_settings_behind_a_link_stay_behind_it(home: Home, tmp_path: Path, dangling: bool) -> None:
    """A link is followed, never replaced; after uninstall both ends are as they were."""
    path, target = settings_of(home), tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    if not dangling:
        write(target, TEXTS["tabs"])
    path.symlink_to(target)
    home.here("init")
    assert path.is_symlink()
    assert sorted(ours(target)) == sorted(EVENTS)
    home.here("uninstall")

    assert path.is_symlink()
    assert path.readlink() == target
    assert target.exists() is not dangling
    assert dangling or target.read_bytes() == TEXTS["tabs"].encode()
    assert list(target.parent.iterdir()) == ([] if dangling else [target])


def test_where_there_was_no_file_there_is_none_afterwards(home: Home) -> None:
    """Init makes the file where there is none, for the user alone; uninstall takes it away."""
    home.config.rmdir()
    home.cli("init")
    assert settings_of(home).stat().st_mode & 0o077 == 0
    home.cli("uninstall")

    assert not settings_of(home).exists()


@pytest.mark.parametrize("scope", [("user",), ("project",), ("project", "--shared")])
def test_a_dry_run_writes_nothing(home: Home, scope: tuple[str, ...]) -> None:
    """With --dry-run the change is shown; no file is written, in no folder."""
    write(settings_of(home), TEXTS["tabs"])
    write(home.project / ".claude" / "settings.local.json", TEXTS["tabs"])

    def everything() -> dict[Path, bytes | None]:
        found = sorted(home.folder.rglob("*"))
        return {path: path.read_bytes() if path.is_file() else None for path in found}

    before = everything()
    said = home.here("init", "--dry-run", "--scope", *scope)
    assert said.exit_code == 0
    assert "learnt_hook" in said.output
    assert everything() == before


def test_project_scope_leaves_the_users_settings_alone(home: Home) -> None:
    """One project's own settings are edited, and given back; the user's are not touched."""
    write(settings_of(home), TEXTS["tabs"])
    local = home.project / ".claude" / "settings.local.json"
    before = write(local, TEXTS["four spaces"])
    home.here("init", "--scope", "project")
    assert sorted(ours(local)) == sorted(EVENTS)
    assert settings_of(home).read_bytes() == TEXTS["tabs"].encode()
    home.here("uninstall")

    assert local.read_bytes() == before
    assert settings_of(home).read_bytes() == TEXTS["tabs"].encode()


def test_the_shared_entry_names_no_place_of_this_machine(home: Home) -> None:
    """What a team commits holds no absolute path, no user's name and no interpreter."""
    shared = home.project / ".claude" / "settings.json"
    before = write(shared, TEXTS["own hooks"])
    assert home.here("init", "--scope", "project", "--shared").exit_code == 0
    added = [command for _, command, _ in registered(json.loads(shared.read_bytes()))]

    assert len(added) == len(EVENTS)
    for command in added:
        assert is_shared(command)
        for place in (str(home.folder), str(home.path), str(Path.home()), "python", "/usr"):
            assert place not in command
        words = command.replace("/dev/null", "").replace('"', " ").split()
        assert not any(word.startswith("/") for word in words)
    home.here("uninstall")
    assert shared.read_bytes() == before


def test_a_user_without_home_is_no_crash(home: Home) -> None:
    """With no HOME at all, and with one that does not exist, commands work on the named home."""
    for there in (None, "/nonexistent"):
        for words in (("init",), ("uninstall",)):
            said = home.cli(*words, environment={"HOME": there})
            assert said.exit_code == 0, (there, words, said)
