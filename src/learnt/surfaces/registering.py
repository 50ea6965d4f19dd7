"""Agents' files are edited and corrected again: hooks, the MCP server, tools without asking.

What was done to each file is written down in the home, so that exactly that can be undone. Beside
the settings lie commands, subagents and skills of ours, which are put there and taken out alike.
"""

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from msgspec.structs import asdict, replace

from learnt.core.governance.proposals import text_hash
from learnt.core.records import JsonValue, Record, decode, member, text_of
from learnt.errors import EnvironmentTrouble, Refused
from learnt.formats import skill_md
from learnt.formats.agents import hook_settings, mcp_settings
from learnt.formats.agents.dialects import CLAUDE_CODE, Dialect
from learnt.formats.agents.settings_text import BadSettings
from learnt.formats.own_texts import own_text
from learnt.stores.atomic import explained, write_atomically
from learnt.stores.plain_files import bytes_of, whole
from learnt.stores.text_files import DiskTextFile, leads
from learnt.surfaces import agent_files

RECORD: Final = "installed.json"
ASKED: Final = "tools without asking"  # stands in the record where a file would


class Registration(Record, kw_only=True):
    """What was done to one file: enough to undo exactly that."""

    file: str
    backup: str | None = None  # names the text from before Learnt came, if undoing gives that back
    created: bool  # there was no file
    written: str  # the hash of the text after; of a link where it leads
    # `server`: no hooks are in it; or, of what is all ours: file, folder, link; or what was `asked`
    kind: str = "settings"
    agent: str = "claude-code"
    allowed: tuple[str, ...] = ()  # tools that were not allowed before


def recorded(text: str | None) -> list[Registration]:
    """The registrations that a file of the home holds; none for no file, or one not of ours.

    >>> recorded(None)
    []
    """
    try:
        value: JsonValue = json.loads(text or "[]")
    except ValueError:
        return []
    rows = value if isinstance(value, list) else []
    return [decode(Registration, row) for row in rows if text_of(member(row, "file"))]


def record(registrations: Iterable[Registration]) -> str:
    """The text of that file: of each path what was done last.

    >>> recorded(record([])), record([])
    ([], '[]')
    """
    by_file = {registration.file: registration for registration in registrations}
    return json.dumps([asdict(row) for row in by_file.values()], ensure_ascii=False, indent=1)


def record_of(home: Path) -> list[Registration]:
    """What was done to agents' files."""
    path = home / RECORD
    with explained(path, "read"):
        return recorded(whole(path).decode("utf-8", "surrogateescape") if path.exists() else None)


def keep_record(home: Path, rows: Iterable[Registration]) -> None:
    """Write down what was done besides; of each file what was done last."""
    write_atomically(home / RECORD, record([*record_of(home), *rows]))


class Edit(Record):
    """What a settings file is to become; `after` equal to `before` means nothing is to be done."""

    before: str | None
    after: str

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after


def _refusal(file: DiskTextFile, agent: Dialect, error: BadSettings) -> Refused:
    return Refused(
        f"{file.name} is not settings that {agent.title} reads ({error}). It was left as it is; "
        "mend it and call again."
    )


def plan(
    file: DiskTextFile,
    agent: Dialect,
    ours: Callable[[str], bool],
    command: Callable[[str], str],
    *,
    at_files: bool,
) -> Edit:
    """The edit that registers each event once, in place of stale commands. Raises Refused."""
    before = file.read()
    try:
        after = hook_settings.edited(before or "", ours, command, at_files=at_files, dialect=agent)
    except BadSettings as error:
        raise _refusal(file, agent, error) from error
    return Edit(before=before, after=after)


def carry_out(
    home: Path, file: DiskTextFile, edit: Edit, agent: Dialect, allowed: tuple[str, ...] = ()
) -> None:
    """Write an edited file, if anything changes, with a backup, and write that down."""
    if not edit.changes:
        return
    path = Path(file.name)
    earlier = next((row for row in record_of(home) if row.file == file.name), None)
    folders = _missing_above(path)
    created, backup = edit.before is None, None
    if edit.before is not None:
        backup = file.keep_backup(edit.before)
        if earlier is not None:
            # The text from before Learnt came is the earlier backup, if no others changed the file.
            untouched = text_hash(edit.before) == earlier.written
            created, backup = (earlier.created, earlier.backup) if untouched else (False, None)
    file.write(edit.after)
    hooks = agent_files.settings_file(agent, None, shared=False)
    kind = earlier.kind if earlier else "settings"
    done = Registration(
        file=file.name,
        backup=backup,
        created=created,
        written=text_hash(edit.after),
        kind="server" if path == agent_files.servers_file(agent) != hooks else kind,
        agent=agent.id,
        allowed=(*(earlier.allowed if earlier else ()), *allowed),
    )
    keep_record(home, [*map(_folder_row, folders), done])


def unregister(home: Path, file: DiskTextFile, agent: Dialect, done: Registration | None) -> bool:
    """Take out what is ours; False where there was nothing.

    An untouched file becomes what it was; of another what is ours is taken out. Raises Refused.
    """
    text = file.read()
    if text is None:
        return False
    if done is not None and text_hash(text) == done.written:
        if done.created:
            file.remove()
            return True
        before = None if done.backup is None else file.backup(done.backup)
        if before is not None:
            file.write(before)
            return True
    try:
        without = _without_ours(home, Path(file.name), agent, done, text)
    except BadSettings as error:
        raise _refusal(file, agent, error) from error
    if without == text:
        return False
    if without:
        file.write(without)
    else:
        file.keep_backup(text)
        file.remove()
    return True


def _without_ours(
    home: Path, path: Path, agent: Dialect, row: Registration | None, text: str
) -> str:
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


def serve(home: Path, agent: Dialect, *, allow: bool, dry_run: bool) -> Served:
    """Have a user's agent know Learnt's MCP server, and with `allow` use three of its tools."""
    path = agent_files.servers_file(agent)
    file = DiskTextFile(path, home / "backups")
    names = mcp_settings.allowed_names(agent) if allow else ()
    beside = () if agent.allow or agent.policy else names  # they stand with the server itself
    script = Path(sys.executable).with_name("learnt")
    words = [str(script) if script.is_file() else "learnt", "--home", str(home), "mcp"]
    try:
        before = file.read()
        if (how := served_by(home, agent, before or "")) in {"another's", "plugged"}:
            return Served(str(path), how)
        after = mcp_settings.with_server(before or "", agent, words, beside)
        edit = Edit(before=before, after=after)
        served = Served(str(path), "registered" if edit.changes else "there")
        if not dry_run:
            carry_out(home, file, edit, agent)
        if beside:
            return replace(served, allowed=names if edit.changes else ())
        return replace(served, allowed=_allow(home, agent, names, dry_run=dry_run))
    except BadSettings as error:
        return Served(str(path), "refused", str(_refusal(file, agent, error)))
    except (Refused, EnvironmentTrouble) as error:
        return Served(str(path), "refused", str(error))


def _allow(home: Path, agent: Dialect, names: tuple[str, ...], *, dry_run: bool) -> tuple[str, ...]:
    """Allow these tools in the user's own settings; those that were not allowed before."""
    if not names:
        return ()
    if agent.policy:
        policy = str(agent_files.user_folder(agent) / agent.policy)
        wanted = [Companion(path=policy, text=mcp_settings.policy(names))]
        missing = due(home, wanted)
        if not dry_run:
            put(home, wanted)
        return names if missing else ()
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


_DECIDE: Final = (
    "Only the person decides: `accept`, `reject`, `undo` and `review` refuse your calls. Never "
    "try; ask them to run `learnt review` in a terminal of their own."
)
_COMMANDS: Final = "memory memory-evolve harvest learnt-draft learnt-tidy".split()
_AGENTS: Final = ("agents/skill-improver.md",)  # it improves one skill, and may propose alone
_SKILLS: Final = {
    "self-evolving-memory": "Use when the user asks to remember a solution, asks what is "
    "remembered, or asks about repeated recalls, missed prompts or proposals for skills and routes "
    "(Learnt).",
    "knowledge-governor": "Use before you investigate how a system, its data or its rules work, "
    "and after you found out something about them that a later session would need (Learnt).",
}


def _companion_text(name: str, learnt: str) -> str:
    return own_text(f"agents/companions/{name}").format(learnt=learnt, _DECIDE=_DECIDE)


def commands_and_agents(learnt: str) -> dict[str, str]:
    """Slash commands and subagents of Claude Code by path below its folder.

    `learnt` is the program as a shell reads it.
    """
    paths = [*(f"commands/{name}.md" for name in _COMMANDS), *_AGENTS]
    return {path: _companion_text(path.rpartition("/")[2], learnt) for path in paths}


def companion_skills(learnt: str) -> dict[str, str]:
    """The text of each SKILL.md by its skill's name, for the program as a shell reads it."""
    author = {"author": "learnt"}
    return {
        name: skill_md.render(name, says, author, _companion_text(f"{name}.md", learnt))
        for name, says in _SKILLS.items()
    }


class Companion(Record):
    """One file to be there, or with `to` a link that leads to a folder."""

    path: str
    text: str = ""
    to: str = ""


def beside_settings(
    agents: Iterable[Dialect], project: Path | None, *, shared: bool
) -> list[Companion]:
    """Commands, subagents and skills; in what a team shares no path of this machine."""
    # The folders of an agent that `init` just began to use: it has them from now on.
    script = Path(sys.executable).with_name("learnt")
    program = "learnt" if shared or not script.is_file() else str(script)
    learnt = shlex.quote(program)
    wanted = []
    for agent in agents:
        folder = agent_files.agent_folder(agent, project)
        if agent is CLAUDE_CODE:
            texts = commands_and_agents(learnt).items()
            wanted += [Companion(path=str(folder / path), text=text) for path, text in texts]
        for name, text in companion_skills(learnt).items():
            skill = agent_files.canonical_root(project) / "skills" / name
            wanted.append(Companion(path=str(skill / "SKILL.md"), text=text))
            if agent.links:
                wanted.append(Companion(path=str(folder / agent.links / name), to=str(skill)))
    return list({companion.path: companion for companion in wanted}.values())


def _text_at(path: str) -> str | None:
    """The text of a file; of a link, or anything else, a word that no file of ours holds."""
    place = Path(path)
    with explained(path, "used"):
        if not os.path.lexists(place):
            return None
        if place.is_symlink() or not place.is_file():
            return "\x00"
        return place.read_text(encoding="utf-8", errors="surrogateescape")


def _state(companion: Companion, row: Registration | None) -> Literal["there", "due", "foreign"]:
    path, to, text = companion.path, companion.to, _text_at(companion.path)
    if leads(Path(path), to) if to else text == companion.text:
        return "there"
    ours = not to and row is not None and text_hash(text) == row.written
    return "due" if text is None or ours else "foreign"


def due(home: Path, wanted: Iterable[Companion]) -> list[str]:
    """The paths that putting these files there would write."""
    rows = {row.file: row for row in record_of(home)}
    return [each.path for each in wanted if _state(each, rows.get(each.path)) == "due"]


def put(home: Path, wanted: Iterable[Companion]) -> list[str]:
    """Put these files there, and write that down; the paths of others' or edited files stay."""
    rows = {row.file: row for row in record_of(home)}
    done: list[Registration] = []
    kept: list[str] = []
    for companion in wanted:
        path, to = companion.path, companion.to
        state = _state(companion, rows.get(path))
        if state == "due":
            place = Path(path)
            folders = [folder for folder in _missing_above(place) if folder not in rows]
            with explained(path, "used"):
                place.parent.mkdir(parents=True, exist_ok=True)
                if to:
                    relative = os.path.relpath(os.path.realpath(to), os.path.realpath(place.parent))
                    with suppress(FileExistsError):  # somebody was quicker
                        place.symlink_to(relative, target_is_directory=True)
                else:
                    write_atomically(path, companion.text, 0o644)
            kind, written = ("link", to) if to else ("file", text_hash(companion.text))
            row = Registration(file=path, created=True, written=written, kind=kind)
            done += [*map(_folder_row, folders), row]
        elif state == "foreign":
            kept.append(path)
    if done:
        keep_record(home, done)
    return kept


def _missing_above(path: Path) -> list[str]:
    """The folders above a file that are not there yet, outermost first."""
    return [str(folder) for folder in reversed(path.parents) if not folder.exists()]


def _folder_row(folder: str) -> Registration:
    return Registration(file=folder, created=True, written="", kind="folder")


def take_out(rows: Iterable[Registration]) -> tuple[list[str], list[str]]:
    """Take out what `put` did: paths removed, and paths kept since they were edited since."""
    removed: list[str] = []
    kept: list[str] = []
    folders: list[Path] = []
    for row in rows:
        text = _text_at(row.file) if row.kind == "file" else None
        if row.kind == "folder":
            folders.append(Path(row.file))
        elif row.kind == "link" and leads(Path(row.file), row.written):
            removed.append(row.file)
        elif text is not None:
            (removed if text_hash(text) == row.written else kept).append(row.file)
    for path in removed:
        Path(path).unlink(missing_ok=True)
    for folder in sorted(folders, key=lambda path: len(str(path)), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return removed, kept
