"""Where an agent has its MCP servers: Learnt's put in and taken out, all else as it was."""

import json
import re
import tomllib
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from learnt.core.records import member
from learnt.formats.agents.dialects import Dialect
from learnt.formats.agents.settings_text import BadSettings, Settings, parse, render

SERVER: Final = "learnt"
TOOLS: Final = ("recall", "remember", "relate")  # which a person may allow once for all
_TABLE: Final = "mcp_servers"
_MARK: Final = "# Learnt's MCP server: written by `learnt init`, taken out by `learnt uninstall`."
_OURS: Final = re.compile(rf"\[{_TABLE}\.{SERVER}[\].]")
_HEAD: Final = re.compile(r"\s*\[")


def allowed_names(dialect: Dialect) -> tuple[str, ...]:
    """What the agent calls the tools that may be allowed; none where it allows none by name.

    >>> from learnt.formats.agents.dialects import GEMINI_CLI
    >>> allowed_names(GEMINI_CLI)[0]
    'mcp_learnt_recall'
    """
    return tuple(dialect.tool.format(tool) for tool in TOOLS if dialect.tool)


def policy(names: Sequence[str]) -> str:
    """A policy of Gemini CLI's that has these tools used without asking."""
    return (
        "# Written by `learnt init`, taken out by `learnt uninstall`.\n[[rule]]\n"
        f'mcpName = "{SERVER}"\ntoolName = {json.dumps(list(names))}\n'
        'decision = "allow"\npriority = 500\n'
    )


def is_ours(words: Sequence[str], home: str) -> bool:
    """Whether a server's words are those that `server_words` gives for a home.

    >>> is_ours(["/usr/bin/learnt", "--home", "/h", "mcp"], "/h"), is_ours(["learnt", "mcp"], "/h")
    (True, False)
    """
    return (
        bool(words)
        and words[0].rpartition("/")[2] == SERVER
        and list(words[1:]) == ["--home", home, "mcp"]
    )


def server_of(text: str, dialect: Dialect) -> list[str]:
    """The words that start the server named `learnt`; empty where there is none.

    Raises BadSettings where the text is not what the agent reads.
    """
    found = member(member(_read(text, dialect), dialect.servers_key), SERVER)
    if found is None:
        return []
    told = (member(found, "command"), member(found, "args"))
    words = [word for one in told for word in (one if isinstance(one, list) else [one])]
    return [str(word) for word in words if word is not None] or ["?"]


def with_server(text: str, dialect: Dialect, words: Sequence[str], allowed: Sequence[str]) -> str:
    """The text with Learnt's server in the place of one of ours, and these tools allowed.

    Raises BadSettings where the text is not what the agent reads.
    """
    settings = _read(text, dialect)
    if dialect.servers.endswith(".toml"):
        return _with_table(text, dialect, words, allowed)
    wanted = deepcopy(settings)
    servers = _inside(wanted, dialect.servers_key)
    entry: Settings = {"command": words[0], "args": list(words[1:])}
    if dialect.servers_key == "mcp":  # opencode's form
        entry = {"type": "local", "command": list(words)}
    servers[SERVER] = {**servers.get(SERVER, {}), **entry}
    return text if wanted == settings else render(wanted, text)


def _with_table(text: str, dialect: Dialect, words: Sequence[str], allowed: Sequence[str]) -> str:
    tools = member(member(member(_read(text, dialect), _TABLE), SERVER), "tools")
    held = list(tools) if isinstance(tools, dict) else []
    names = dict.fromkeys([*held, *allowed])
    if server_of(text, dialect) == list(words) and len(names) == len(held):
        return text
    lines = [_MARK, f"[{_TABLE}.{SERVER}]", f"command = {json.dumps(words[0])}"]
    lines.append(f"args = {json.dumps(list(words[1:]))}")
    for name in names:
        lines += ["", f"[{_TABLE}.{SERVER}.tools.{name}]", 'approval_mode = "approve"']
    before = without_server(text, dialect).rstrip("\n")
    after = "\n".join([*([before, ""] if before else []), *lines, ""])
    _read(after, dialect)
    return after


def without_server(text: str, dialect: Dialect) -> str:
    """The text without the server named `learnt`; what of it is nobody else's goes along.

    Raises BadSettings where the text is not what the agent reads, or what is left would not be.
    """
    settings = _read(text, dialect)
    servers = settings.get(dialect.servers_key)
    if not isinstance(servers, dict) or SERVER not in servers:
        return text
    del servers[SERVER]
    if not servers:
        del settings[dialect.servers_key]
    if not dialect.servers.endswith(".toml"):
        return render(settings, text)
    kept, inside = list[str](), False
    for line in text.split("\n"):
        if _HEAD.match(line):
            inside = _OURS.match(line.strip()) is not None
        if line.strip() != _MARK and (not inside or line.lstrip().startswith("#")):
            kept.append(line)
    after = "\n".join(kept).rstrip("\n")
    after += "\n" if after else ""
    if _read(after, dialect) != settings:
        raise BadSettings("its server `learnt` is written in a way that cannot be taken out")
    return after


def with_allowed(text: str, dialect: Dialect, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The text with these tools allowed by name, and the names that were not there before.

    Raises BadSettings where the text is not what the agent reads.
    """
    settings = parse(text, dialect)
    wanted = deepcopy(settings)
    *path, last = dialect.allow
    place = _inside(wanted, *path)
    held = place.setdefault(last, {} if dialect.servers_key == "mcp" else [])
    if not isinstance(held, dict if dialect.servers_key == "mcp" else list):
        raise BadSettings(f'its "{last}" is set in another form')
    new = tuple(name for name in names if name not in held)
    if isinstance(held, list):
        held += new
    else:
        held.update(dict.fromkeys(new, "allow"))
    return (render(wanted, text) if new else text), new


def without_allowed(text: str, dialect: Dialect, names: Sequence[str]) -> str:
    """The text without these tools allowed; what is left empty by it goes, too.

    Raises BadSettings where the text is not what the agent reads.
    """
    settings = parse(text, dialect)
    before = deepcopy(settings)
    places = [settings]
    for key in dialect.allow:
        place = places[-1].get(key)
        if not isinstance(place, dict if key != dialect.allow[-1] else dict | list):
            return text
        places.append(place)
    held: Any = places[-1]
    for name in names:
        if isinstance(held, list) and name in held:
            held.remove(name)
        elif isinstance(held, dict) and held.get(name) == "allow":
            del held[name]
    if settings == before:
        return text
    for key, above, below in zip(dialect.allow[::-1], places[-2::-1], places[::-1], strict=False):
        if not below:
            del above[key]
    return render(settings, text)


def _read(text: str, dialect: Dialect) -> Settings:
    if not dialect.servers.endswith(".toml"):
        return parse(text, dialect)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"not TOML: {error}") from error


def _inside(settings: Settings, *path: str) -> Settings:
    """The object below these keys, made where it is missing. Raises BadSettings for no object."""
    for key in path:
        settings = settings.setdefault(key, {})
        if not isinstance(settings, dict):
            raise BadSettings(f'its "{key}" is not an object')
    return settings
