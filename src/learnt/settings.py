"""What the user set: read once, here, from the call, the environment and the home's config.toml."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

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
    config = _config(bare.home / CONFIG)
    return replace(
        bare,
        share=_share(config),
        agent_judges=_agent_judges(config),
        judge=_judge(config, bare.home),
        domains=_domains(config),
    )


def without_config(environment: Mapping[str, str], home: str | None = None) -> Settings:
    """The settings for a home as they are where it has no config.toml."""
    named = home or environment.get(HOME_VARIABLE)
    folder = Path(named).expanduser() if named else _platforms_own()
    return Settings(
        home=Path.cwd() / folder,
        idle_seconds=_IDLE_SECONDS_IN_CI if environment.get("CI") else _IDLE_SECONDS,
        inside=bool(environment.get(INSIDE_VARIABLE)),
    )


def _platforms_own() -> Path:
    # Imported where it is needed: a hook in one process names its home and pays for no more.
    import platformdirs

    return platformdirs.user_data_path("learnt")


def _config(path: Path) -> dict[str, object]:
    """What the file says, and which file it is, under an empty name."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error
    import tomllib  # only where there is something to parse: a hook pays for no more

    try:
        return {**tomllib.loads(text), "": path}
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}. Mend or remove it.") from error


def _share(config: dict[str, object]) -> float:
    effects = config.get("effects", {})
    share = effects.get("share", 0.0) if isinstance(effects, dict) else None
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise UsageError(f"{config['']}: [effects] share must be a number from 0 to 1.")
    return float(share)


def _agent_judges(config: dict[str, object]) -> bool:
    gates = config.get("gates", {})
    judge = gates.get("judge", "off") if isinstance(gates, dict) else None
    if judge not in {"off", "agent"}:
        raise UsageError(f'{config[""]}: [gates] judge must be "off" or "agent".')
    return bool(judge == "agent")


def _judge(config: dict[str, object], home: Path) -> Path | None:
    language = config.get("language", {})
    judge = language.get("judge", "") if isinstance(language, dict) else None
    if not isinstance(judge, str):
        raise UsageError(f"{config['']}: [language] judge must be the path of an ONNX model.")
    return home / Path(judge).expanduser() if judge else None


def _domains(config: dict[str, object]) -> tuple[str, ...]:
    domains = config.get("domains", {})
    named = domains.get("enabled", []) if isinstance(domains, dict) else None
    if not isinstance(named, list) or not all(isinstance(one, str) and one for one in named):
        raise UsageError(f'{config[""]}: [domains] enabled must be a list like ["NAME"].')
    return tuple(dict.fromkeys(named))
