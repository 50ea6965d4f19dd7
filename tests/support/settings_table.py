"""Settings files as people have them, and whether each client ran the hook that stands in them.

What the clients did was seen with Claude Code 2.1.332, Codex 0.171.0 and Gemini CLI 0.61.0;
`tests/real/test_settings_seen.py` asks them again.
"""

import json
from typing import Any, Final, NamedTuple

EVENTS: Final = {"claude": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
ALL: Final = frozenset(EVENTS)


class Row(NamedTuple):
    """A file: `text` holds MORE, members that a client needs besides, and HOOKS, an object."""

    name: str
    text: str
    ran: frozenset[str]  # the clients that ran the hook
    encoding: str = "utf-8"
    mark: bytes = b""

    def data(self, client: str, command: str, more: dict[str, Any] | None = None) -> bytes:
        """The file's bytes for a client, with a hook that runs a command."""
        handler = {"name": "Learnt"} if client == "gemini" else {}
        handler |= {"type": "command", "command": command}
        hooks = json.dumps({EVENTS[client]: [{"hooks": [handler]}]})
        before = "".join(
            f"{json.dumps(key)}: {json.dumps(told)}, " for key, told in (more or {}).items()
        )
        text = (
            self.text.replace("MORE", before).replace("INNER", hooks[1:-1]).replace("HOOKS", hooks)
        )
        return self.mark + text.encode(self.encoding)


CLAUDE, GEMINI = frozenset({"claude"}), frozenset({"gemini"})
BOTH, NONE = CLAUDE | GEMINI, frozenset[str]()
PLAIN: Final = '{MORE"hooks": HOOKS}'
ROWS: Final = (
    Row("plain", PLAIN, ALL),
    Row("a byte order mark", PLAIN, CLAUDE, mark=b"\xef\xbb\xbf"),
    Row("UTF-16 with its mark", PLAIN, CLAUDE, "utf-16-le", b"\xff\xfe"),
    Row("UTF-16 without a mark", PLAIN, NONE, "utf-16-le"),
    Row("UTF-16 the other way round", PLAIN, NONE, "utf-16-be", b"\xfe\xff"),
    Row("a letter of Latin-1", '{MORE"x": "caf\xe9", "hooks": HOOKS}', BOTH, "latin-1"),
    Row("a comment to the line's end", '{\n// mine\nMORE"hooks": HOOKS}', GEMINI),
    Row("a comment in the line", '{/* mine */ MORE"hooks": HOOKS}', GEMINI),
    Row("a comma too many", '{MORE"hooks": HOOKS,}', NONE),
    Row("the hooks twice", '{MORE"hooks": {}, "hooks": HOOKS}', BOTH),
    Row("the hooks twice, none last", '{MORE"hooks": HOOKS, "hooks": {}}', NONE),
    Row("an event twice", '{MORE"hooks": {"SessionEnd": [], "SessionEnd": [], INNER}}', BOTH),
    Row("an event that is null", '{MORE"hooks": {"SessionEnd": null, INNER}}', BOTH),
    Row("an event that is an object", '{MORE"hooks": {"SessionEnd": {}, INNER}}', BOTH),
    Row("groups that are none", '{MORE"hooks": {"SessionEnd": [7, {"hooks": 3}], INNER}}', BOTH),
    Row("an event that nobody knows", '{MORE"hooks": {"Later": [], INNER}}', ALL),
    Row("a member that nobody knows", '{MORE"x": 1, "hooks": HOOKS}', BOTH),
    Row("a number beyond all numbers", '{MORE"x": 1e400, "hooks": HOOKS}', BOTH),
    Row("no number", '{MORE"x": NaN, "hooks": HOOKS}', NONE),
    Row("half a character", '{MORE"x": "\\ud83d", "hooks": HOOKS}', BOTH),
    Row("a tab within a text", '{MORE"x": "a\tb", "hooks": HOOKS}', NONE),
    Row("a list", '[{MORE"hooks": HOOKS}]', NONE),
)
