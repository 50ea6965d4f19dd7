"""What the user set: read once, here, from the call, the environment and the home's config.toml."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from learnt.errors import UsageError

HOME_VARIABLE: Final = "LEARNT_HOME"
# Set in whatever the worker starts, so that no hook reports to a worker about its own children.
INSIDE_VARIABLE: Final = "LEARNT_INSIDE"
_IDLE_SECONDS: Final = 30 * 60
_IDLE_SECONDS_IN_CI: Final = 2 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one run. `share`: the part of items under the coin, 0 to 1."""

    home: Path
    share: float = 0.0
    idle_seconds: int = _IDLE_SECONDS
    inside: bool = False


def load(environment: Mapping[str, str], home: str | None = None) -> Settings:
    """The settings for a home: the one named, else LEARNT_HOME, else the platform's data folder.

    Raises UsageError where config.toml is not what it should be; nothing is guessed.
    """
    named = home or environment.get(HOME_VARIABLE)
    folder = Path(named).expanduser() if named else _platforms_own()
    folder = Path.cwd() / folder
    idle = _IDLE_SECONDS_IN_CI if environment.get("CI") else _IDLE_SECONDS
    return Settings(
        home=folder,
        share=_share(folder / "config.toml"),
        idle_seconds=idle,
        inside=bool(environment.get(INSIDE_VARIABLE)),
    )


def _platforms_own() -> Path:
    # Imported where it is needed: a hook in one process names its home and pays for no more.
    import platformdirs

    return platformdirs.user_data_path("learnt")


def _share(path: Path) -> float:
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return 0.0
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error
    import tomllib  # only where there is something to parse, for the same reason

    try:
        config = tomllib.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error
    effects = config.get("effects", {})
    share = effects.get("share", 0.0) if isinstance(effects, dict) else None
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise UsageError(f"{path}: [effects] share must be a number from 0 to 1.")
    return float(share)
