"""How Claude Code reports to a home: it starts a hook, or it posts to the home's worker."""

import http.client
import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from learnt.errors import Refused
from learnt.formats.agents import hook_settings
from learnt.formats.agents.claude_code import POSTED
from learnt.formats.agents.hook_settings import BadSettings, Handler
from learnt.stores.doorway import DOORWAY, Doorway, doorway, listen_at, make_doorway
from learnt.stores.git_program import git
from learnt.stores.home_folder import prepare
from learnt.stores.plain_files import bytes_of
from learnt.stores.system import SystemRandom

_LARGEST = 1 << 24
_PATIENCE = 5.0  # seconds
_SHOWN = Doorway(0, "TOKEN")


def posts(path: Path, home: Path) -> bool:
    """Whether a settings file has events posted to the home's worker."""
    ours = hook_settings.belongs_to(str(home))
    with suppress(BadSettings, UnicodeError):
        text = (bytes_of(path, _LARGEST) or b"").decode("utf-8")
        return any(map(ours, hook_settings.posted(hook_settings.parse(text))))
    return False


def posting(
    home: Path, door: Doorway, of_event: Callable[[str], Handler]
) -> Callable[[str], Handler]:
    """The handler of each event: posted where the client posts it, else the command."""
    return lambda event: (
        hook_settings.posting(door.port, door.token, str(home), event)
        if event in POSTED
        else of_event(event)
    )


def opened_door(home: Path) -> Doorway:
    """The home's doorway, or a new one where it has none or another program took its port."""
    prepare(home)
    door = doorway(home)
    if door is not None:
        with suppress(OSError):
            listen_at(door.port).close()
            return door
        if asked_as(door, home).startswith(f"{home}\n"):
            return door
    return make_doorway(home, SystemRandom())


def seen_door(home: Path) -> Doorway:
    """The home's doorway as it would be; none is made."""
    return doorway(home) or _SHOWN


def without_token(text: str, home: Path) -> str:
    """A text that is shown, without the home's token."""
    return text.replace(seen_door(home).token, _SHOWN.token)


def close_unused(home: Path, files: Iterable[str]) -> None:
    """Take the doorway away once no settings file leads there any more."""
    if not any(posts(Path(file), home) for file in files):
        (home / DOORWAY).unlink(missing_ok=True)


def keep_from_git(path: Path) -> None:
    """Raise Refused where git would take a settings file along, and with it the token."""
    real = Path(os.path.realpath(path))
    folder = next((str(above) for above in real.parents if above.is_dir()), "/")
    inside = git(folder, "rev-parse", "--is-inside-work-tree") == "true"
    if inside and git(folder, "check-ignore", "--quiet", str(real)) is None:
        raise Refused(
            f"{real} lies in a git repository that does not ignore it: the token in it would be "
            f"committed. Nothing was changed; have git ignore it ({real.name} in .gitignore), or "
            "let --transport http be."
        )


def asked_as(door: Doorway, home: Path) -> str:
    """What the home's worker says of itself behind a doorway; empty where it does not."""
    handler = hook_settings.posting(door.port, door.token, str(home), "Doctor")
    assert isinstance(handler, dict)
    with suppress(OSError):
        return asked(handler["url"], handler["headers"])[1]
    return ""


def asked(address: str, headers: Mapping[str, str]) -> tuple[int, str]:
    """What is answered to an empty report: status and text. Raises OSError where nobody answers."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(
        hook_settings.ADDRESS, where.port or 80, timeout=_PATIENCE
    )
    try:
        given = {"Content-Type": "application/json", **headers}
        connection.request("POST", where.path, json.dumps({}), given)
        answer = connection.getresponse()
        return answer.status, answer.read(_LARGEST).decode("utf-8", "replace")
    except http.client.HTTPException as error:
        raise OSError(f"no answer in HTTP: {type(error).__name__}") from error
    finally:
        connection.close()
