"""A home held open by the settings of its config.toml as they are now, its model included.

Reopened within the process: a worker that ended and came again would leave hooks alone for a
moment.
"""

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import learnt
from learnt.bootstrap import model_budget, opened, text_model
from learnt.errors import UsageError
from learnt.ports import Outside
from learnt.settings import Settings, load

if TYPE_CHECKING:
    from learnt.flows.skills.distil import Asking

LOOK_EVERY: Final = 1.0


def identity(path: Path) -> tuple[int, int] | None:
    """What tells a file or folder from another put in its place; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def code_on_disk() -> tuple[int, int] | None:
    """What tells the package's files from an upgrade's; None where they are not ours."""
    path = Path(learnt.__file__)
    try:
        status = path.stat()
        # Files replaced while a worker starts would else pass for its own.
        ours = f'"{learnt.__version__}"' in path.read_text(encoding="utf-8")
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if ours else None


class OpenHome(AbstractContextManager["OpenHome"]):
    """The outside of a home, and the settings that it was made of."""

    def __init__(
        self, settings: Settings, environment: Mapping[str, str], *, patience_ms: int
    ) -> None:
        self.settings, self._environment, self._patience_ms = settings, environment, patience_ms
        self._stack = ExitStack()
        self.outside = self._open(settings, self._stack)
        self._looked_at = 0.0
        self.wrong = ""  # why config.toml cannot be followed as it is now

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def follow(self) -> None:
        """Look, once a second, whether config.toml says something else, and go by it.

        Raises UsageError where it is not what it should be, once for each trouble; the settings
        before it hold on.
        """
        if time.monotonic() - self._looked_at <= LOOK_EVERY:
            return
        self._looked_at = time.monotonic()
        before, self.wrong = self.wrong, ""
        try:
            due = load(self._environment, str(self.settings.home))
        except UsageError as error:
            self.wrong = str(error)
            if self.wrong != before:
                raise
            return
        if due != self.settings:
            fresh, before_it = ExitStack(), self._stack
            self.outside = self._open(due, fresh)
            self._stack, self.settings = fresh, due
            before_it.close()

    def _open(self, settings: Settings, stack: ExitStack) -> Outside:
        # A hook does not wait for the disk: the worker settles when it has answered.
        outside = opened(settings, patience_ms=self._patience_ms, durable=False)
        return stack.enter_context(outside)


def asking_model(outside: Outside, settings: Settings) -> "Asking | None":
    """The model that `[models] use` names, or None. Raises UsageError, ModelUnusable."""
    from learnt.flows.skills.distil import Asking  # a worker asks none

    model = text_model(settings)
    return None if model is None else Asking(outside, model, model_budget(settings))
