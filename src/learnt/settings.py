"""What the user set: read once, here, from the call, the environment and the home's config.toml."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from learnt.errors import UsageError

HOME_VARIABLE: Final = "LEARNT_HOME"
CONFIG: Final = "config.toml"  # in the home
# Set in whatever the worker starts, so that no hook reports to a worker about its own children.
INSIDE_VARIABLE: Final = "LEARNT_INSIDE"
_IDLE_SECONDS: Final = 30 * 60
_IDLE_SECONDS_IN_CI: Final = 2 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one run.

    `share` is the part of items under the coin, 0 to 1; with `agent_judges` the agent may decide
    what the gates' rules leave open; `judge` is the file of an inference model that is asked where
    a comparison is not sure; `domains` are the names of those that are enabled.
    """

    home: Path
    share: float = 0.0
    agent_judges: bool = False
    judge: Path | None = None
    idle_seconds: int = _IDLE_SECONDS
    inside: bool = False
    domains: tuple[str, ...] = ()


def load(environment: Mapping[str, str], home: str | None = None) -> Settings:
    """The settings for a home: the one named, else LEARNT_HOME, else the platform's data folder.

    Raises UsageError where config.toml is not what it should be; nothing is guessed.
    """
    bare = without_config(environment, home)
    path = bare.home / CONFIG
    config = _config(path)

    def setting(section: str, name: str, default: Any, fits: Callable[[Any], bool], be: str) -> Any:
        table = config.get(section, {})
        value = table.get(name, default) if isinstance(table, dict) else None
        if not fits(value):
            raise UsageError(f"{path}: [{section}] {name} must be {be}.")
        return value

    judge = setting("language", "judge", "", _is_text, "the path of an ONNX model")
    return replace(
        bare,
        share=float(setting("effects", "share", 0.0, _is_part, "a number from 0 to 1")),
        agent_judges=setting("gates", "judge", "off", _is_judge, '"off" or "agent"') == "agent",
        judge=bare.home / Path(judge).expanduser() if judge else None,
        domains=tuple(
            dict.fromkeys(setting("domains", "enabled", [], _are_names, 'a list like ["NAME"]'))
        ),
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_part(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_judge(value: object) -> bool:
    return isinstance(value, str) and value in {"off", "agent"}


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)


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
        text = path.read_text(encoding="utf-8")
        import tomllib  # only where there is something to parse: a hook pays for no more

        return tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error
