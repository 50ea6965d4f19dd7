"""Agents' files are edited and corrected again: hooks, the MCP server, tools without asking."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from learnt.core.records import Record
from learnt.errors import EnvironmentTrouble, Refused
from learnt.flows.setup import companions
from learnt.flows.setup.register import Edit, Registration, record, recorded, refusal, register
from learnt.formats.agents import hook_settings, mcp_settings
from learnt.formats.agents.dialects import Dialect
from learnt.formats.agents.settings_text import BadSettings
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import bytes_of, whole
from learnt.stores.text_files import DiskShelf, DiskTextFile, missing_above
from learnt.surfaces import agent_files

RECORD: Final = "installed.json"
ASKED: Final = "tools without asking"  # stands in the record where a file would


class Served(Record):
    """What became of an agent's registration of the MCP server.

    `how`: registered, there (as it is to be), another's (a server of that name which is not this
    home's), plugged (a plug-in brings it), or refused, with `why`. `allowed` are the tools that
    were allowed now.
    """

    file: str
    how: str
    why: str = ""
    allowed: tuple[str, ...] = ()


def record_of(home: Path) -> list[Registration]:
    """What was done to agents' files."""
    path = home / RECORD
    with explained(path, "read"):
        return recorded(whole(path).decode("utf-8", "surrogateescape") if path.exists() else None)


def keep_record(home: Path, rows: Iterable[Registration]) -> None:
    """Write down what was done besides; of each file what was done last."""
    write_atomically(home / RECORD, record([*record_of(home), *rows]))


def carry_out(
    home: Path, file: DiskTextFile, edit: Edit, agent: Dialect, allowed: tuple[str, ...] = ()
) -> None:
    """Write an edited file, and write that down."""
    earlier = next((row for row in record_of(home) if row.file == file.name), None)
    made = missing_above(Path(file.name)) if edit.changes else []
    hooks = agent_files.settings_file(agent, None, shared=False)
    kind = earlier.kind if earlier else "settings"
    if Path(file.name) == agent_files.servers_file(agent) != hooks:
        kind = "server"
    registration = register(file, edit, earlier, agent.id, kind=kind, allowed=allowed)
    if registration is not None:
        keep_record(home, [*map(companions.folder_row, made), registration])


def server_words(home: Path) -> list[str]:
    """What starts the MCP server of a home."""
    script = Path(sys.executable).with_name("learnt")
    return [str(script) if script.is_file() else "learnt", "--home", str(home), "mcp"]


def serve(home: Path, agent: Dialect, *, allow: bool, dry_run: bool) -> Served:
    """Have a user's agent know Learnt's MCP server, and with `allow` use three of its tools."""
    path = agent_files.servers_file(agent)
    file = DiskTextFile(path, home / "backups")
    names = mcp_settings.allowed_names(agent) if allow else ()
    beside = () if agent.allow or agent.policy else names  # they stand with the server itself
    try:
        before = file.read()
        if (how := served_by(home, agent, before or "")) in {"another's", "plugged"}:
            return Served(str(path), how)
        after = mcp_settings.with_server(before or "", agent, server_words(home), beside)
        edit = Edit(before=before, after=after)
        served = Served(str(path), "registered" if edit.changes else "there")
        if not dry_run:
            carry_out(home, file, edit, agent)
        if beside:
            return replace(served, allowed=names if edit.changes else ())
        return replace(served, allowed=_allow(home, agent, names, dry_run=dry_run))
    except BadSettings as error:
        return Served(str(path), "refused", str(refusal(file, agent, error)))
    except (Refused, EnvironmentTrouble) as error:
        return Served(str(path), "refused", str(error))


def _allow(home: Path, agent: Dialect, names: tuple[str, ...], *, dry_run: bool) -> tuple[str, ...]:
    """Allow these tools in the user's own settings; those that were not allowed before."""
    if not names:
        return ()
    if agent.policy:
        policy = str(agent_files.user_folder(agent) / agent.policy)
        wanted = [companions.Companion(path=policy, text=mcp_settings.policy(names))]
        due = companions.due(DiskShelf(), wanted, record_of(home))
        if not dry_run:
            keep_record(home, companions.put(DiskShelf(), wanted, record_of(home))[0])
        return names if due else ()
    path = agent_files.servers_file(agent)
    if agent.form != "plugin":
        path = agent_files.settings_file(agent, None, shared=False)
    file = DiskTextFile(path, home / "backups")
    before = file.read()
    after, new = mcp_settings.with_allowed(before or "", agent, names)
    if new and not dry_run:
        carry_out(home, file, Edit(before=before, after=after), agent, new)
    return new


def served_by(home: Path, agent: Dialect, text: str) -> str:
    """Who serves an agent by its file: there, another's, plugged or nobody. Raises BadSettings."""
    if words := mcp_settings.server_of(text, agent):
        return "there" if mcp_settings.is_ours(words, str(home)) else "another's"
    files = agent_files.plugin_hooks(agent)
    plugged = any(hook_settings.MARK in (bytes_of(file, 1 << 24) or b"") for file in files)
    return "plugged" if plugged else "nobody"


def restored(home: Path, path: Path, agent: Dialect, row: Registration | None, text: str) -> str:
    """A file's text without anything of ours, where others edited it since."""
    belongs = hook_settings.belongs_to(str(home))

    def ours(line: str) -> bool:
        # Of a file on record that a team shares, its entry too.
        shared = row is not None and path.name != agent.own and hook_settings.is_shared(line)
        return belongs(line) or shared

    if row is None or row.kind != "server":
        text = hook_settings.restored(text, ours, agent)
    if path.suffix == Path(agent.servers).suffix:
        words = mcp_settings.server_of(text, agent)
        if words and mcp_settings.is_ours(words, str(home)):
            text = mcp_settings.without_server(text, agent)
    if row is not None and row.allowed:
        text = mcp_settings.without_allowed(text, agent, row.allowed)
    return text
