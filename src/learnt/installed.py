"""How Learnt came onto this machine, as its installer noted it: what a remedy can name."""

import json
import shlex
import sys
from pathlib import Path
from typing import Final

NAME: Final = "learnt"
_UNKNOWN: Final = "install Learnt again from the source or wheel that it came from"


def installing(extra: str = "") -> str:
    """What installs this Learnt again, with an extra where one is named: a command, or in words."""
    # Each worker that starts asks for it, and `importlib.metadata` takes long to load.
    about = (path for entry in sys.path for path in Path(entry).glob(f"{NAME}-*.dist-info"))
    note = next((path / "direct_url.json" for path in about), None)
    source = None
    if note is not None:
        source = source_of(note.read_text("utf-8") if note.is_file() else None, extra)
    if source is None:
        return f"{_UNKNOWN}, with the extra `{extra}`" if extra else _UNKNOWN
    tools = {"/pipx/venvs/": "pipx install --force", "/uv/tools/": "uv tool install --force"}
    tool = next((told for mark, told in tools.items() if mark in sys.prefix), "pip install")
    return f"`{tool} {source}`"


def source_of(noted: str | None, extra: str = "") -> str | None:
    """What an installer is to be told, by its own note (PEP 610); None where that is not there now.

    Without a note it came from an index, by its name.

    >>> source_of(None), source_of(None, "mcp")
    ('learnt', "'learnt[mcp]'")
    >>> source_of('{"url": "file:///", "dir_info": {"editable": true}}')
    '-e /'
    >>> source_of('{"url": "https://x.org/l.git", "vcs_info": {"vcs": "git", "commit_id": "7f"}}')
    "'learnt @ git+https://x.org/l.git@7f'"
    """
    from urllib.parse import unquote, urlsplit  # few runs need it

    wanted = f"[{extra}]" if extra else ""
    try:
        told = json.loads(noted or "{}")
        url, vcs = str(told.get("url", "")), told.get("vcs_info", {})
        if not url:
            return shlex.quote(NAME + wanted)
        if vcs:
            return shlex.quote(f"{NAME}{wanted} @ {vcs['vcs']}+{url}@{vcs['commit_id']}")
        path = unquote(urlsplit(url).path)
        if not url.startswith("file:"):
            return shlex.quote(f"{NAME}{wanted} @ {url}")
        if not Path(path).exists():
            return None
        editable = told.get("dir_info", {}).get("editable")
        return ("-e " if editable else "") + shlex.quote(path + wanted)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
