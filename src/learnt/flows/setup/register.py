"""The agent is told to call the hook, and later not to: its settings file, edited and restored."""

import json
from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec.structs import asdict

from learnt.core.governance.proposals import text_hash
from learnt.core.records import JsonValue, Record, decode, member, text_of
from learnt.errors import Refused
from learnt.formats.agents import hook_settings
from learnt.formats.agents.dialects import Dialect
from learnt.formats.agents.settings_text import BadSettings


class SettingsFile(Protocol):
    """A settings file of an agent."""

    @property
    def name(self) -> str:
        """Its path."""

    def read(self) -> str | None:
        """All of it, or None where there is no file."""

    def write(self, text: str) -> None:
        """Replace it whole."""

    def remove(self) -> None:
        """Remove it."""

    def keep_backup(self, text: str) -> str:
        """Keep a text of it; the backup's name."""

    def backup(self, name: str) -> str | None:
        """A backup's text, or None."""


class Registration(Record, kw_only=True):
    """What was done to one file: enough to undo exactly that."""

    file: str
    backup: str | None  # names the text from before Learnt came, if undoing gives that back
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


class Edit(Record):
    """What a settings file is to become; `after` equal to `before` means nothing is to be done."""

    before: str | None
    after: str

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after


def refusal(file: SettingsFile, dialect: Dialect, error: BadSettings) -> Refused:
    """Why a file is left as it is."""
    return Refused(
        f"{file.name} is not settings that {dialect.title} reads ({error}). It was left as it is; "
        "mend it and call again."
    )


def plan(
    file: SettingsFile,
    dialect: Dialect,
    ours: Callable[[str], bool],
    command: Callable[[str], str],
    *,
    at_files: bool,
) -> Edit:
    """The edit that registers each event once, in place of stale commands. Raises Refused."""
    before = file.read()
    try:
        after = hook_settings.edited(
            before or "", ours, command, at_files=at_files, dialect=dialect
        )
    except BadSettings as error:
        raise refusal(file, dialect, error) from error
    return Edit(before=before, after=after)


def register(
    file: SettingsFile,
    edit: Edit,
    earlier: Registration | None,
    agent: str,
    *,
    kind: str = "settings",
    allowed: tuple[str, ...] = (),
) -> Registration | None:
    """Carry an edit out, if any, with a backup: an earlier one's, if no others changed the file."""
    if not edit.changes:
        return None
    created, backup = edit.before is None, None
    if edit.before is not None:
        backup = file.keep_backup(edit.before)
        if earlier is not None:
            untouched = text_hash(edit.before) == earlier.written
            created, backup = (earlier.created, earlier.backup) if untouched else (False, None)
    file.write(edit.after)
    return Registration(
        file=file.name,
        backup=backup,
        created=created,
        written=text_hash(edit.after),
        kind=kind,
        agent=agent,
        allowed=(*(earlier.allowed if earlier else ()), *allowed),
    )


def unregister(
    file: SettingsFile, dialect: Dialect, done: Registration | None, restored: Callable[[str], str]
) -> bool:
    """Take out what is ours; False where there was nothing.

    An untouched file becomes what it was, another what is `restored`. Raises Refused.
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
        without = restored(text)
    except BadSettings as error:
        raise refusal(file, dialect, error) from error
    if without == text:
        return False
    if without:
        file.write(without)
    else:
        file.keep_backup(text)
        file.remove()
    return True
